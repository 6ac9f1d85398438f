#include "exec/cache.h"
#include "exec/plan.h"
#include <stdlib.h>
#include <string.h>

/* Entries by last use, the latest first. */
struct hesca_cache {
    int n;
    int64_t serial; /* of the next plan, from 1 */
    struct {
        hesca_view view;
        hesca_plan *plan;
    } entry[HESCA_CACHE_PLANS];
};

hesca_cache *
hesca_cache_create(void)
{
    hesca_cache *cache = calloc(1, sizeof *cache);
    if (cache != NULL)
        cache->serial = 1;
    return cache;
}

void
hesca_cache_free(hesca_cache *cache)
{
    if (cache == NULL)
        return;
    for (int k = 0; k < cache->n; ++k)
        hesca_plan_free(cache->entry[k].plan);
    free(cache);
}

/* Make entry k the first. */
static void
raise(hesca_cache *cache, int k)
{
    const size_t size = sizeof cache->entry[0];
    if (k == 0)
        return;
    char keep[sizeof cache->entry[0]];
    memcpy(keep, &cache->entry[k], size);
    memmove(&cache->entry[1], &cache->entry[0], (size_t)k * size);
    memcpy(&cache->entry[0], keep, size);
}

hesca_plan *
hesca_cache_find(hesca_cache *cache, const hesca_view *view)
{
    for (int k = 0; k < cache->n; ++k)
        if (memcmp(&cache->entry[k].view, view, sizeof *view) == 0)
            return cache->entry[k].plan;
    return NULL;
}

hesca_plan *
hesca_cache_find_problem(hesca_cache *cache, const hesca_problem *problem,
                         const hesca_view *view)
{
    for (int k = 0; k < cache->n; ++k)
        if (hesca_problem_equal(&cache->entry[k].plan->problem, problem)) {
            cache->entry[k].view = *view;
            return cache->entry[k].plan;
        }
    return NULL;
}

void
hesca_cache_touch(hesca_cache *cache, const hesca_plan *plan)
{
    for (int k = 0; k < cache->n; ++k)
        if (cache->entry[k].plan == plan) {
            raise(cache, k);
            return;
        }
}

void
hesca_cache_add(hesca_cache *cache, hesca_plan *plan, const hesca_view *view)
{
    if (cache->n == HESCA_CACHE_PLANS)
        hesca_plan_free(cache->entry[--cache->n].plan);
    cache->entry[cache->n].view = *view;
    cache->entry[cache->n].plan = plan;
    plan->serial = cache->serial++;
    raise(cache, cache->n++);
}
