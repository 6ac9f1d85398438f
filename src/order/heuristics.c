/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/experimental/heuristics.h"
#include "base/names.h"
#include "base/status.h"
#include "hesca/experimental/timetable.h"
#include "order/best_of.h"
#include "order/matching.h"
#include "order/openshop.h"
#include "order/priority.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- options ---
 * Options are checked before a heuristic runs; a heuristic rejects options
 * that it does not support and ignores none. */

static const hesca_alltoallv_order_options no_options;

static int
is_urgent(const hesca_alltoallv_order_options *o)
{
    return o->deadline != NULL || o->priority != NULL || o->ncritical > 0;
}

static int
check_times(const double *time, int64_t n, const char *what)
{
    for (int64_t i = 0; time != NULL && i < n; ++i)
        if (!(time[i] >= 0 && time[i] <= DBL_MAX / 2))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "process %lld is ready to %s at %g: must be 0 "
                              "... %g",
                              (long long)i, what, time[i], DBL_MAX / 2);
    return HESCA_SUCCESS;
}

static int
check_number(const double *value, const hesca_events *x, const char *what)
{
    for (int64_t e = 0; value != NULL && e < x->n; ++e)
        if (isnan(value[e]))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "event from %d to %d: %s is not a number",
                              x->src[e], x->dest[e], what);
    return HESCA_SUCCESS;
}

static int
check_critical(const hesca_alltoallv_order_options *o, int nproc)
{
    for (int k = 0; k < o->ncritical; ++k)
        if (o->critical[k] < 0 || o->critical[k] >= nproc)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "critical process %d: there are %d processes",
                              o->critical[k], nproc);
    return HESCA_SUCCESS;
}

static int
check_options(const hesca_alltoallv_order_options *o, const hesca_events *x)
{
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, check_times(o->ready.send, x->nproc, "send"));
    HESCA_TRY(err, check_times(o->ready.recv, x->nproc, "receive"));
    HESCA_TRY(err, check_number(o->deadline, x, "deadline"));
    HESCA_TRY(err, check_number(o->priority, x, "priority"));
    HESCA_TRY(err, check_critical(o, x->nproc));
fail:
    return err;
}

/* The options of a heuristic that does not support urgency; NULL and *err on
 * failure. */
static const hesca_alltoallv_order_options *
plain_options(const char *name, const hesca_alltoallv_order_options *options,
              const hesca_events *x, int *err)
{
    const hesca_alltoallv_order_options *o =
        options != NULL ? options : &no_options;
    *err = check_options(o, x);
    if (*err == HESCA_SUCCESS && is_urgent(o))
        *err = hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                          "%s does not mind deadlines, priorities or critical "
                          "processes; openshop does",
                          name);
    return *err < 0 ? NULL : o;
}

/* --- heuristics ---
 * Each accepts options that may be NULL, and leaves t cleared on error. */

typedef int make_steps(const hesca_events *x, int64_t *step, int64_t *nsteps);

static int
by_steps(const char *name, make_steps *steps, const hesca_events *x,
         const hesca_alltoallv_order_options *options, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    int64_t nsteps = 0;
    int64_t *step = malloc((x->n > 0 ? (size_t)x->n : 1) * sizeof *step);
    *t = (hesca_timetable){0};
    const hesca_alltoallv_order_options *o =
        plain_options(name, options, x, &err);
    if (o == NULL)
        goto fail;
    if (step == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "steps of %lld events",
                                  (long long)x->n));
    HESCA_TRY(err, steps(x, step, &nsteps));
    err = hesca_timetable_of_steps(t, x, nsteps, step, &o->ready);
fail:
    free(step);
    return err;
}

static int
steps_caterpillar(const hesca_events *x, int64_t *step, int64_t *nsteps)
{
    *nsteps = hesca_steps_caterpillar(x, step);
    return HESCA_SUCCESS;
}

static int
steps_maximum(const hesca_events *x, int64_t *step, int64_t *nsteps)
{
    return hesca_steps_matching(x, 1, step, nsteps);
}

static int
steps_minimum(const hesca_events *x, int64_t *step, int64_t *nsteps)
{
    return hesca_steps_matching(x, -1, step, nsteps);
}

static int
make_caterpillar(const hesca_events *x,
                 const hesca_alltoallv_order_options *options,
                 hesca_timetable *t)
{
    return by_steps("caterpillar", steps_caterpillar, x, options, t);
}

static int
make_greedy(const hesca_events *x,
            const hesca_alltoallv_order_options *options, hesca_timetable *t)
{
    return by_steps("greedy", hesca_steps_greedy, x, options, t);
}

static int
make_maxmatch(const hesca_events *x,
              const hesca_alltoallv_order_options *options, hesca_timetable *t)
{
    return by_steps("maxmatch", steps_maximum, x, options, t);
}

static int
make_minmatch(const hesca_events *x,
              const hesca_alltoallv_order_options *options, hesca_timetable *t)
{
    return by_steps("minmatch", steps_minimum, x, options, t);
}

static int
shop(const hesca_events *x, const hesca_alltoallv_order_options *options,
     int longest_first, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    const hesca_alltoallv_order_options *o =
        options != NULL ? options : &no_options;
    *t = (hesca_timetable){0};
    HESCA_TRY(err, check_options(o, x));
    if (is_urgent(o))
        err = hesca_priority(x, o, longest_first, t);
    else
        err = hesca_openshop(x, &o->ready, longest_first, t);
fail:
    return err;
}

static int
make_openshop(const hesca_events *x,
              const hesca_alltoallv_order_options *options, hesca_timetable *t)
{
    return shop(x, options, 0, t);
}

static int
make_openshop_lpt(const hesca_events *x,
                  const hesca_alltoallv_order_options *options,
                  hesca_timetable *t)
{
    return shop(x, options, 1, t);
}

static int
make_best_of(const hesca_events *x,
             const hesca_alltoallv_order_options *options, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    *t = (hesca_timetable){0};
    const hesca_alltoallv_order_options *o =
        plain_options("polished", options, x, &err);
    return o == NULL ? err : hesca_best_of(x, &o->ready, t);
}

/* --- the catalogue ---
 * Names are unique, and equal to the values of HESCA_EXCHANGE. */

static const hesca_heuristic caterpillar = {
    "caterpillar", "step k: process i sends to (i + k) mod P", 0,
    make_caterpillar};
static const hesca_heuristic greedy = {
    "greedy", "in steps, each sender its longest event to a free receiver", 0,
    make_greedy};
static const hesca_heuristic minmatch = {
    "minmatch", "matchings of minimum weight, one after the other", 0,
    make_minmatch};
static const hesca_heuristic maxmatch = {
    "maxmatch", "matchings of maximum weight, one after the other", 0,
    make_maxmatch};
static const hesca_heuristic openshop = {
    "openshop", "the first free sender sends to the first free receiver", 1,
    make_openshop};
static const hesca_heuristic openshop_lpt = {
    "openshop-lpt", "open shop; of events that can begin first, the longest",
    1, make_openshop_lpt};
static const hesca_heuristic best_of = {
    "polished", "best of open shop and passes by remaining work of ports", 0,
    make_best_of};

#define ROW(symbol, name) &symbol,
const hesca_heuristic *const hesca_heuristics[] = {HESCA_HEURISTICS(ROW) NULL};

const hesca_heuristic *
hesca_heuristic_find(const char *name)
{
    for (int k = 0; hesca_heuristics[k] != NULL; ++k)
        if (strcmp(hesca_heuristics[k]->name, name) == 0)
            return hesca_heuristics[k];
    return NULL;
}
