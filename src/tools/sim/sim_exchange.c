/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca sim redist, exchange: messages between all or many pairs. */
#include "base/status.h"
#include "hesca/experimental/heuristics.h"
#include "hesca/experimental/timetable.h"
#include "order/checkpoint.h"
#include "order/refine.h"
#include "sched/pairs.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/redist_problem.h"
#include "tools/lib/tools.h"
#include "tools/sim/sim.h"
#include <stdlib.h>
#include <string.h>

/* A simulated schedule: a heuristic, or direct steps. */
typedef struct {
    const char *name;
    const hesca_heuristic *heuristic; /* NULL: direct steps */
    int is_barrier;
} entry;

/* One configuration. */
typedef struct {
    sim_state *s;
    int nproc, nentries;
    entry entry[SIM_NAMES];
    hesca_problem problem; /* of a redistribution */
    hesca_network network;
    hesca_events events; /* of a run */
    double *real;        /* [events.n] seconds, with drift */
    double *bytes;       /* [nproc * nproc] of an exchange */
    hesca_event *list;   /* [nproc * nproc] */
} contest;

/* ------------------------------------------------ schedules
 * Entries are the requested schedules in their order, or all. */

static int
list_all(const sim_options *o, entry *all)
{
    int n = 0;
    if (o->pattern == SIM_REDIST) {
        all[n++] = (entry){"direct-barrier", NULL, 1};
        all[n++] = (entry){"direct", NULL, 0};
    }
    for (int k = 0; hesca_heuristics[k] != NULL && n < SIM_NAMES; ++k)
        all[n++] = (entry){hesca_heuristics[k]->name, hesca_heuristics[k], 0};
    return n;
}

static int
find_entry(contest *c, const entry *all, int n, const char *name)
{
    for (int k = 0; k < n; ++k)
        if (strcmp(all[k].name, name) == 0) {
            c->entry[c->nentries++] = all[k];
            return 1;
        }
    return cmdline_complain("--schedule '%s': no such schedule", name);
}

static int
choose_entries(contest *c)
{
    const sim_options *o = c->s->o;
    entry all[SIM_NAMES];
    const int n = list_all(o, all);
    for (int k = 0; k < o->nnames; ++k)
        if (!find_entry(c, all, n, o->name[k]))
            return 0;
    if (o->nnames == 0) {
        memcpy(c->entry, all, sizeof all);
        c->nentries = n;
    }
    return 1;
}

static int
make(const contest *c, const entry *e, const hesca_events *x,
     hesca_timetable *t)
{
    if (e->heuristic != NULL)
        return e->heuristic->make(x, NULL, t);
    return hesca_pairs_direct(&c->problem, x, e->is_barrier, t);
}

/* ------------------------------------------------ events
 * One run has one network, one set of messages and one drift, for all
 * entries. */

static int
make_exchange(contest *c, hesca_random *r)
{
    const int n = c->nproc;
    int64_t count = 0;
    int err;
    HESCA_TRY(err, hesca_generate_sizes(&c->s->o->sizes, n, r, c->bytes));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const double bytes = c->bytes[(size_t)i * (size_t)n + (size_t)j];
            if (i != j)
                c->list[count++] = (hesca_event){
                    i, j, bytes,
                    hesca_network_seconds(&c->network, i, j, bytes)};
        }
    err = hesca_events_init(&c->events, n, count, c->list);
fail:
    return err;
}

static int
make_events(contest *c, hesca_random *r)
{
    int err;
    HESCA_TRY(err, sim_network(c->s, c->nproc, r, &c->network));
    if (c->s->o->pattern == SIM_REDIST)
        HESCA_TRY(err,
                  hesca_pairs_events(
                      &c->problem, &(hesca_link_costs){.network = &c->network},
                      &c->events));
    else
        HESCA_TRY(err, make_exchange(c, r));
    c->real = malloc(((size_t)c->events.n + 1) * sizeof *c->real);
    if (c->real == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%lld messages",
                                  (long long)c->events.n));
    err = hesca_generate_drift(&c->s->o->drift, &c->events, r, c->real);
fail:
    return err;
}

static void
clear_events(contest *c)
{
    hesca_network_clear(&c->network);
    hesca_events_clear(&c->events);
    free(c->real);
    c->real = NULL;
}

/* ------------------------------------------------ runs
 * Every entry has the same events; results are added only if a run
 * succeeds. */

static int
record(contest *c, const entry *e, hesca_trace_kind kind,
       const hesca_timetable *t)
{
    return hesca_trace_add_timetable(&c->s->trace, kind, e->name, &c->events,
                                     t);
}

/* The orders of a plan with the true times of messages; steps with barriers
 * wait for the true times, too. */
static int
run_real(contest *c, const entry *e, hesca_timetable *t)
{
    hesca_events real;
    int err;
    if (!e->is_barrier)
        return hesca_timetable_run(t, &c->events, c->real, NULL);
    HESCA_TRY(err, hesca_events_retime(&real, &c->events, c->real));
    hesca_timetable_clear(t);
    err = hesca_pairs_direct(&c->problem, &real, 1, t);
    hesca_events_clear(&real);
fail:
    return err;
}

/* The plan in t carried out with checkpoints; not of direct steps. */
static int
reschedule(contest *c, const entry *e, const hesca_timetable *t,
           sim_result *result)
{
    const sim_options *o = c->s->o;
    hesca_checkpoint_outcome x;
    int err = HESCA_SUCCESS;
    if (!o->is_resched || e->heuristic == NULL)
        return err;
    HESCA_TRY(err, hesca_checkpoint_run(&c->events, c->real, t,
                                        (hesca_check_policy)o->policy,
                                        o->threshold, e->heuristic, &x));
    result->resched = x.t.finish;
    result->changes = (double)x.changes;
    hesca_timetable_clear(&x.t);
fail:
    return err;
}

/* Plans made with the true times: the orders in t refined, and new ones. */
static int
refine(contest *c, const entry *e, const hesca_timetable *t,
       sim_result *result)
{
    const double slack =
        0.02; /* of the bound: orders so close to it are kept */
    hesca_events real = {.n = 0};
    hesca_timetable refined = {.n = 0}, replanned = {.n = 0};
    int err = HESCA_SUCCESS;
    if (!c->s->o->is_refined || e->heuristic == NULL)
        return err;
    HESCA_TRY(err, hesca_events_retime(&real, &c->events, c->real));
    HESCA_TRY(err, hesca_refine(&real, t, NULL, slack, &refined));
    HESCA_TRY(err, make(c, e, &real, &replanned));
    result->refined = refined.finish;
    result->replanned = replanned.finish;
fail:
    hesca_timetable_clear(&refined);
    hesca_timetable_clear(&replanned);
    hesca_events_clear(&real);
    return err;
}

static int
run_entry(contest *c, int k, int is_shown, double bound)
{
    const entry *e = &c->entry[k];
    hesca_timetable t = {.n = 0};
    sim_result result = {0};
    int err;
    const double begin = sim_now();
    HESCA_TRY(err, make(c, e, &c->events, &t));
    result.plan = sim_now() - begin;
    const double finish = t.finish;
    if (is_shown)
        HESCA_TRY(err, record(c, e, HESCA_TRACE_PREDICTED, &t));
    HESCA_TRY(err, reschedule(c, e, &t, &result));
    HESCA_TRY(err, refine(c, e, &t, &result));
    if (sim_is_real(c->s->o)) {
        HESCA_TRY(err, run_real(c, e, &t));
        result.real = t.finish;
        if (is_shown)
            HESCA_TRY(err, record(c, e, HESCA_TRACE_MEASURED, &t));
    }
    sim_count(&c->s->score[k], finish, bound, &result);
fail:
    hesca_timetable_clear(&t);
    return err;
}

static int
run_once(contest *c, int run)
{
    hesca_random r = hesca_random_run((uint64_t)c->s->o->seed, (uint64_t)run);
    const int is_shown = sim_is_shown(c->s, run);
    double bound;
    int err;
    HESCA_TRY(err, make_events(c, &r));
    HESCA_TRY(err, hesca_events_bound(&c->events, NULL, &bound));
    c->s->bound += bound;
    c->s->messages += (double)c->events.n;
    ++c->s->nruns;
    for (int k = 0; k < c->nentries; ++k) {
        progress("P = %d, run %d of %d: %s", c->nproc, run + 1, c->s->o->runs,
                 c->entry[k].name);
        HESCA_TRY(err, run_entry(c, k, is_shown, bound));
    }
fail:
    clear_events(c);
    return err;
}

/* ------------------------------------------------ configurations
 * Scores begin at zero for each configuration. */

/* R_x(K,P) as one row of blocks. */
static request
cyclic(const sim_options *o, int nproc, int k)
{
    return (request){
        .m = 1,
        .n = o->elements,
        .a = {.nprow = 1, .npcol = nproc, .mb = 1, .nb = o->x},
        .b = {.nprow = 1, .npcol = nproc, .mb = 1, .nb = o->x * k},
        .esize = o->general.esize,
        .ia = 1,
        .ja = 1,
        .ib = 1,
        .jb = 1};
}

static int
prepare(contest *c, const request *asked)
{
    const size_t n = (size_t)c->nproc * (size_t)c->nproc;
    if (asked != NULL)
        return redist_problem_problem(&c->problem, asked);
    c->bytes = malloc(n * sizeof *c->bytes);
    c->list = malloc(n * sizeof *c->list);
    if (c->bytes == NULL || c->list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", c->nproc);
    return HESCA_SUCCESS;
}

/* asked is a redistribution, or NULL. */
static int
run_all(sim_state *s, int nproc, int k, const request *asked)
{
    contest c = {.s = s, .nproc = nproc};
    int err = HESCA_SUCCESS;
    if (!choose_entries(&c))
        return 0;
    sim_begin(s, nproc, k, 0);
    for (int i = 0; i < c.nentries; ++i)
        sim_enter(s, c.entry[i].name);
    HESCA_TRY(err, prepare(&c, asked));
    for (int run = 0; run < s->o->runs; ++run)
        HESCA_TRY(err, run_once(&c, run));
fail:
    progress(NULL);
    if (err == HESCA_SUCCESS)
        sim_print(s);
    hesca_problem_clear(&c.problem);
    free(c.bytes);
    free(c.list);
    return err == HESCA_SUCCESS || cmdline_fail("%s", hesca_error_text());
}

static int
run_redist(sim_state *s, int nproc)
{
    const sim_options *o = s->o;
    for (int i = 0; i < o->nk || (i == 0 && o->nk == 0); ++i) {
        const int k = o->nk > 0 ? (int)o->k[i] : nproc - 1;
        const request asked = cyclic(o, nproc, k);
        if (k > nproc)
            return cmdline_complain("--k '%d': must not exceed P = %d", k,
                                    nproc);
        if ((int64_t)k * o->x > INT32_MAX)
            return cmdline_complain("--x '%d': K x is beyond 2^31", o->x);
        if (!run_all(s, nproc, k, &asked))
            return 0;
    }
    return 1;
}

int
sim_exchange(sim_state *s)
{
    const sim_options *o = s->o;
    const request *g = &o->general;
    if (g->m > 0) {
        const int a = g->a.first + g->a.nprow * g->a.npcol;
        const int b = g->b.first + g->b.nprow * g->b.npcol;
        const int nproc = a > b ? a : b;
        return nproc > SIM_PROCS
                   ? cmdline_complain("--from: ranks must be below %d",
                                      SIM_PROCS)
                   : run_all(s, nproc, 0, g);
    }
    for (int i = 0; i < o->nprocs; ++i)
        if (!(o->pattern == SIM_REDIST
                  ? run_redist(s, (int)o->procs[i])
                  : run_all(s, (int)o->procs[i], 0, NULL)))
            return 0;
    return 1;
}
