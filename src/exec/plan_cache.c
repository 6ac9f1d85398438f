/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/plan_cache.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

struct hesca_cache {
    hesca_plan *first; /* by last use, the latest first */
    int64_t serial;    /* of the next plan, from 1 */
    hesca_cache_info info;
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
    while (cache->first != NULL) {
        hesca_plan *plan = cache->first;
        cache->first = plan->entry.next;
        hesca_plan_free(plan);
    }
    free(cache);
}

static uint64_t
hash_view(const hesca_view *view)
{
    uint64_t word, h = HESCA_HASH;
    for (size_t k = 0; k + sizeof word <= sizeof *view; k += sizeof word) {
        memcpy(&word, (const char *)view + k, sizeof word);
        h = hesca_hash_mix(h, word);
    }
    return h;
}

static void
set_view(hesca_plan *plan, const hesca_view *view)
{
    plan->entry.view = *view;
    plan->entry.hash = hash_view(view);
}

hesca_plan *
hesca_cache_find(hesca_cache *cache, const hesca_view *view)
{
    const uint64_t h = hash_view(view);
    for (hesca_plan *p = cache->first; p != NULL; p = p->entry.next)
        if (p->entry.hash == h &&
            memcmp(&p->entry.view, view, sizeof *view) == 0)
            return p;
    return NULL;
}

hesca_plan *
hesca_cache_get(hesca_cache *cache, int64_t serial)
{
    hesca_plan *p = cache->first;
    while (p->entry.serial != serial)
        p = p->entry.next;
    return p;
}

hesca_plan *
hesca_cache_find_problem(hesca_cache *cache, const hesca_problem *problem,
                         const hesca_view *view)
{
    for (hesca_plan *p = cache->first; p != NULL; p = p->entry.next)
        if (hesca_problem_equal(&p->problem, problem)) {
            set_view(p, view);
            return p;
        }
    return NULL;
}

void
hesca_cache_hit(hesca_cache *cache, hesca_plan *plan)
{
    hesca_plan **link = &cache->first;
    ++cache->info.hits;
    while (*link != plan)
        link = &(*link)->entry.next;
    *link = plan->entry.next;
    plan->entry.next = cache->first;
    cache->first = plan;
}

static void
drop_last(hesca_cache *cache)
{
    hesca_plan **link = &cache->first;
    while ((*link)->entry.next != NULL)
        link = &(*link)->entry.next;
    cache->info.bytes -= (*link)->entry.memory;
    --cache->info.plans;
    ++cache->info.dropped;
    hesca_plan_free(*link);
    *link = NULL;
}

void
hesca_cache_drop(hesca_cache *cache)
{
    while (cache->first != NULL)
        drop_last(cache);
}

void
hesca_cache_add(hesca_cache *cache, hesca_plan *plan, const hesca_view *view,
                size_t memory, size_t limit)
{
    ++cache->info.misses;
    if (memory > limit)
        return;
    while (cache->info.plans == HESCA_CACHE_PLANS ||
           cache->info.bytes > limit - memory)
        drop_last(cache);
    set_view(plan, view);
    plan->entry.serial = cache->serial++;
    plan->entry.memory = memory;
    plan->entry.next = cache->first;
    cache->first = plan;
    cache->info.bytes += memory;
    ++cache->info.plans;
}

void
hesca_cache_report(const hesca_cache *cache, hesca_cache_info *info)
{
    *info = cache->info;
}
