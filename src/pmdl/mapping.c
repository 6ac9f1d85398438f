/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for a mapping: greedy, exchange, exhaustive. */
#include "pmdl/mapping.h"
#include "base/splitmix.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

enum {
    EXHAUSTIVE_MOST = 20000,
    PROGRESS_EVERY = 4096,
    SMALL = 32, /* processes */
    SCATTERED = 24,
    EXCHANGE_NANOSECONDS = 200000000 /* about, by default */
};

typedef struct {
    const hesca_instance *instance;
    const hesca_topology *topology;
    const hesca_search_options *options;
    hesca_price *price;
    int *space;     /* [ncomputers] free places */
    int *order;     /* [nvps] by descending volume */
    int *best;      /* [nvps] */
    double seconds; /* of best */
    int64_t most;   /* estimates */
    int64_t reported;
    int is_stopped;
} search;

/* Whether an estimate is less, by more than rounding. */
static int
is_less(double a, double b)
{
    return a < b - 1e-13 * (b > 0 ? b : 0);
}

static int
may_go_on(search *s)
{
    const int64_t n = hesca_price_count(s->price);
    if (s->is_stopped)
        return 0;
    if (n - s->reported >= PROGRESS_EVERY) {
        s->reported = n;
        if (s->options->progress != NULL &&
            s->options->progress(s->options->context, n, s->seconds) != 0)
            s->is_stopped = 1;
    }
    return !s->is_stopped;
}

static void
keep(search *s, double seconds)
{
    s->seconds = seconds;
    for (int k = 0; k < s->instance->nvps; ++k)
        s->best[k] = hesca_price_where(s->price, k);
}

static void
place(search *s, int vp, int computer)
{
    const int old = hesca_price_where(s->price, vp);
    if (old >= 0)
        ++s->space[old];
    if (computer >= 0)
        --s->space[computer];
    hesca_price_map(s->price, vp, computer);
}

static void
place_none(search *s)
{
    for (int k = 0; k < s->instance->nvps; ++k)
        place(s, k, -1);
}

/* --- greedy --- */

/* Each process in order goes where the estimate of those mapped is least, the
 * first of equal computers. */
static void
greedy(search *s)
{
    const hesca_instance *x = s->instance;
    const int home = s->options->parent_computer;
    place_none(s);
    --s->space[home]; /* the parent's */
    for (int k = 0; k < x->nvps; ++k) {
        const int vp = s->order[k];
        int at = -1;
        double least = 0;
        if (vp == x->parent) {
            ++s->space[home];
            place(s, vp, home);
            continue;
        }
        for (int c = 0; c < s->topology->ncomputers; ++c) {
            if (s->space[c] < 1)
                continue;
            const double t = hesca_price_try(s->price, vp, c);
            if (at < 0 || t < least) {
                at = c;
                least = t;
            }
        }
        place(s, vp, at);
    }
}

/* A process and its volume. */
typedef struct {
    double volume;
    int vp;
} weighted;

static int
by_volume(const void *a, const void *b)
{
    const weighted *x = a, *y = b;
    if (x->volume != y->volume)
        return x->volume > y->volume ? -1 : 1;
    return x->vp < y->vp ? -1 : x->vp > y->vp;
}

static int
sort_processes(const hesca_instance *x, int *order)
{
    weighted *list = malloc((size_t)x->nvps * sizeof *list);
    if (list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a search");
    for (int k = 0; k < x->nvps; ++k)
        list[k] = (weighted){x->volume[k], k};
    qsort(list, (size_t)x->nvps, sizeof *list, by_volume);
    for (int k = 0; k < x->nvps; ++k)
        order[k] = list[k].vp;
    free(list);
    return HESCA_SUCCESS;
}

/* --- exchange --- */

/* Move one process, if that makes the estimate less. */
static int
try_moves(search *s, int vp, double *now)
{
    int is_better = 0;
    for (int c = 0; c < s->topology->ncomputers && may_go_on(s); ++c) {
        if (s->space[c] < 1 || c == hesca_price_where(s->price, vp))
            continue;
        if (hesca_price_count(s->price) >= s->most) {
            s->is_stopped = 1;
            break;
        }
        const double t = hesca_price_try(s->price, vp, c);
        if (is_less(t, *now)) {
            place(s, vp, c);
            *now = t;
            is_better = 1;
        }
    }
    return is_better;
}

static int
try_swaps(search *s, int a, double *now)
{
    int is_better = 0;
    for (int b = a + 1; b < s->instance->nvps && may_go_on(s); ++b) {
        const int ca = hesca_price_where(s->price, a);
        const int cb = hesca_price_where(s->price, b);
        if (b == s->instance->parent || ca == cb)
            continue;
        if (hesca_price_count(s->price) >= s->most) {
            s->is_stopped = 1;
            break;
        }
        const double t = hesca_price_try_swap(s->price, a, b);
        if (is_less(t, *now)) {
            hesca_price_map(s->price, a, cb);
            hesca_price_map(s->price, b, ca);
            *now = t;
            is_better = 1;
        }
    }
    return is_better;
}

/* Moves of two at once, of which neither alone helps; for few processes. */
static int
try_pairs(search *s, int a, double *now)
{
    const int old = hesca_price_where(s->price, a);
    for (int c = 0; c < s->topology->ncomputers && may_go_on(s); ++c) {
        if (s->space[c] < 1 || c == old)
            continue;
        place(s, a, c);
        for (int b = 0; b < s->instance->nvps; ++b) {
            if (b == a || b == s->instance->parent)
                continue;
            for (int d = 0; d < s->topology->ncomputers; ++d) {
                if (s->space[d] < 1 || d == hesca_price_where(s->price, b))
                    continue;
                const double t = hesca_price_try(s->price, b, d);
                if (is_less(t, *now)) {
                    place(s, b, d);
                    *now = t;
                    return 1;
                }
            }
        }
        place(s, a, old);
    }
    return 0;
}

static int
improve_once(search *s, double *now, int with_pairs)
{
    int is_better = 0;
    for (int k = 0; k < s->instance->nvps && may_go_on(s); ++k) {
        const int vp = s->order[k];
        if (vp == s->instance->parent)
            continue;
        is_better |= try_moves(s, vp, now);
        is_better |= try_swaps(s, vp, now);
    }
    for (int k = 0; with_pairs && !is_better && k < s->instance->nvps; ++k)
        if (k != s->instance->parent)
            is_better = try_pairs(s, k, now);
    return is_better;
}

static void
exchange(search *s)
{
    const int n = s->instance->nvps, m = s->topology->ncomputers;
    const int with_pairs = (int64_t)n * n * m * m <= 20000;
    double now = hesca_price_total(s->price);
    while (may_go_on(s) && improve_once(s, &now, with_pairs))
        ;
    if (s->seconds < 0 || is_less(now, s->seconds))
        keep(s, now);
}

/* Another start: processes in order fill the computers from number c on. */
static void
fill_from(search *s, int c)
{
    const hesca_instance *x = s->instance;
    place_none(s);
    place(s, x->parent, s->options->parent_computer);
    for (int k = 0; k < x->nvps; ++k) {
        const int vp = s->order[k];
        if (vp == x->parent)
            continue;
        while (s->space[c] < 1)
            c = (c + 1) % s->topology->ncomputers;
        place(s, vp, c);
    }
}

/* And: each on some computer with a place. */
static void
scatter(search *s, uint64_t *state)
{
    const hesca_instance *x = s->instance;
    place_none(s);
    place(s, x->parent, s->options->parent_computer);
    for (int vp = 0; vp < x->nvps; ++vp) {
        int c =
            (int)(hesca_splitmix(state) % (uint64_t)s->topology->ncomputers);
        if (vp == x->parent)
            continue;
        while (s->space[c] < 1)
            c = (c + 1) % s->topology->ncomputers;
        place(s, vp, c);
    }
}

/* Exchange from several starts, which for small instances cost little. */
static void
exchange_more(search *s)
{
    uint64_t state = 1;
    for (int c = 0; c < s->topology->ncomputers && may_go_on(s); ++c) {
        fill_from(s, c);
        exchange(s);
    }
    for (int k = 0; k < SCATTERED && may_go_on(s); ++k) {
        scatter(s, &state);
        exchange(s);
    }
}

/* --- exhaustive --- */

/* The number of mappings without capacities, at most `most`. */
static int64_t
count_mappings(const search *s, int64_t most)
{
    int64_t n = 1;
    for (int k = 1; k < s->instance->nvps && n <= most; ++k)
        n *= s->topology->ncomputers;
    return n;
}

/* All computers of process k and those after it. */
static void
exhaust(search *s, int k)
{
    const hesca_instance *x = s->instance;
    if (k == x->nvps) {
        const double t = hesca_price_total(s->price);
        if (s->seconds < 0 || t < s->seconds)
            keep(s, t);
        return;
    }
    if (k == x->parent) {
        exhaust(s, k + 1);
        return;
    }
    for (int c = 0; c < s->topology->ncomputers && may_go_on(s); ++c) {
        if (s->space[c] < 1)
            continue;
        place(s, k, c);
        exhaust(s, k + 1);
        place(s, k, -1);
    }
}

static void
exhaustive(search *s)
{
    place_none(s);
    place(s, s->instance->parent, s->options->parent_computer);
    exhaust(s, 0);
}

/* --- the search --- */

static int
check(const search *s)
{
    const hesca_topology *t = s->topology;
    const int home = s->options->parent_computer;
    int64_t places = 0;
    for (int c = 0; c < t->ncomputers; ++c)
        places += t->computer[c].nprocs;
    if (home < 0 || home >= t->ncomputers)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "the parent's computer is %d: must be 0 ... %d",
                          home, t->ncomputers - 1);
    if (t->computer[home].nprocs < 1)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "the parent's computer, %s, has no process",
                          t->computer[home].name);
    if (s->instance->nvps > places)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "the model has %d processes, the network %lld",
                          s->instance->nvps, (long long)places);
    return HESCA_SUCCESS;
}

static int
init(search *s)
{
    const size_t nvps = (size_t)s->instance->nvps;
    const size_t ncomputers = (size_t)s->topology->ncomputers;
    s->space = malloc(ncomputers * sizeof *s->space);
    s->order = malloc(nvps * sizeof *s->order);
    s->best = malloc(nvps * sizeof *s->best);
    if (s->space == NULL || s->order == NULL || s->best == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a search");
    for (size_t c = 0; c < ncomputers; ++c)
        s->space[c] = s->topology->computer[c].nprocs;
    s->seconds = -1;
    return sort_processes(s->instance, s->order);
}

static hesca_search_method
choose_method(const search *s)
{
    const int64_t most = s->options->exhaustive_most > 0
                             ? s->options->exhaustive_most
                             : EXHAUSTIVE_MOST;
    if (s->options->method != HESCA_SEARCH_DEFAULT)
        return s->options->method;
    return count_mappings(s, most) <= most ? HESCA_SEARCH_EXHAUSTIVE
                                           : HESCA_SEARCH_EXCHANGE;
}

static int
run(search *s, hesca_search_result *result)
{
    result->method = choose_method(s);
    if (result->method == HESCA_SEARCH_EXHAUSTIVE) {
        if (count_mappings(s, 1000000000) > 1000000000)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "%d processes on %d computers have more than "
                              "1e9 mappings: too many to try all",
                              s->instance->nvps, s->topology->ncomputers);
        exhaustive(s);
        return HESCA_SUCCESS;
    }
    greedy(s);
    keep(s, hesca_price_total(s->price));
    result->greedy = s->seconds;
    s->most = s->options->estimates_most;
    if (s->most == 0)
        s->most = hesca_price_count(s->price) +
                  EXCHANGE_NANOSECONDS / hesca_price_cost(s->price);
    if (result->method == HESCA_SEARCH_EXCHANGE) {
        exchange(s);
        if (s->instance->nvps <= SMALL)
            exchange_more(s);
    }
    return HESCA_SUCCESS;
}

int
hesca_search(const hesca_instance *instance, const hesca_topology *topology,
             const hesca_price_options *price,
             const hesca_search_options *options, hesca_search_result *result)
{
    search s = {
        .instance = instance, .topology = topology, .options = options};
    int err;
    *result = (hesca_search_result){.computer = NULL};
    HESCA_TRY(err, check(&s));
    HESCA_TRY(err, init(&s));
    HESCA_TRY(err, hesca_price_create(instance, topology, price, &s.price));
    HESCA_TRY(err, run(&s, result));
    if (s.seconds < 0) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a search");
        goto fail;
    }
    result->computer = s.best;
    result->seconds = s.seconds;
    result->estimates = hesca_price_count(s.price);
    result->is_stopped = s.is_stopped;
    s.best = NULL;
fail:
    hesca_price_free(s.price);
    free(s.space);
    free(s.order);
    free(s.best);
    return err;
}
