/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca sim bcast, multicast: one message to all processes, or to some. */
#include "base/status.h"
#include "bcast/fault_tolerant.h"
#include "hesca/experimental/broadcast.h"
#include "sim/concurrent.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/tools.h"
#include "tools/sim/sim.h"
#include <stdlib.h>
#include <string.h>

/* One configuration. */
typedef struct {
    sim_state *s;
    int nproc, ndests; /* ndests 0: all others */
    int nentries;
    const hesca_broadcast_algorithm *entry[SIM_NAMES];
    double *cost, *startup;           /* [nproc * nproc] of a run */
    int *chosen;                      /* [nproc] */
    int *dest;                        /* [problems * nproc] */
    hesca_broadcast_problem *problem; /* [problems] */
} contest;

static int
choose_entries(contest *c)
{
    const sim_options *o = c->s->o;
    for (int k = 0; k < o->nnames; ++k) {
        const hesca_broadcast_algorithm *algorithm =
            hesca_broadcast_algorithm_find(o->name[k]);
        if (algorithm == NULL)
            return cmdline_complain("--schedule '%s': no such schedule",
                                    o->name[k]);
        c->entry[c->nentries++] = algorithm;
    }
    for (int k = 0; o->nnames == 0 && hesca_broadcast_algorithms[k] != NULL;
         ++k)
        if (c->nentries < SIM_NAMES)
            c->entry[c->nentries++] = hesca_broadcast_algorithms[k];
    return 1;
}

/* ------------------------------------------------ a run
 * All algorithms of a run have the same costs and destinations. */

/* The destinations of problem i. */
static void
make_dests(contest *c, int i, hesca_random *r)
{
    hesca_broadcast_problem *problem = &c->problem[i];
    int *dest = c->dest + (size_t)i * (size_t)c->nproc;
    if (c->ndests == 0)
        return;
    hesca_random_choose(r, c->nproc - 1, c->ndests, c->chosen);
    problem->dest = dest;
    problem->ndest = c->ndests;
    for (int k = 0; k < c->nproc - 1; ++k)
        if (c->chosen[k])
            *dest++ = k + (k >= problem->root);
}

/* The costs of the message, and its destinations. */
static int
make_problems(contest *c, hesca_random *r)
{
    const sim_options *o = c->s->o;
    const int n = c->nproc;
    hesca_network x;
    const int err = sim_network(c->s, n, r, &x);
    if (err < 0)
        return err;
    for (int i = 0; i < n * n; ++i) {
        const int src = i / n, dest = i % n;
        c->cost[i] = hesca_network_seconds(&x, src, dest, o->sizes.large);
        c->startup[i] = hesca_network_wire(&x, src, dest).startup;
    }
    hesca_network_clear(&x);
    for (int i = 0; i < o->problems; ++i) {
        c->problem[i] = (hesca_broadcast_problem){
            .nproc = n,
            .cost = c->cost,
            .startup = o->is_nonblocking ? c->startup : NULL,
            .root = (o->root + i) % n,
            .relays = o->relays,
            .copies = o->copies};
        make_dests(c, i, r);
    }
    return HESCA_SUCCESS;
}

/* No problem ends before its own lower bound. */
static int
find_bound(const contest *c, double *bound)
{
    int err = HESCA_SUCCESS;
    *bound = 0;
    for (int i = 0; i < c->s->o->problems; ++i) {
        double one;
        HESCA_TRY(err, hesca_broadcast_bound(&c->problem[i], &one));
        *bound = one > *bound ? one : *bound;
    }
fail:
    return err;
}

static int
record(contest *c, const char *name, const hesca_broadcast *b)
{
    hesca_trace_row row = {.kind = HESCA_TRACE_PREDICTED,
                           .bytes = c->s->o->sizes.large};
    int err = HESCA_SUCCESS;
    snprintf(row.schedule, sizeof row.schedule, "%s", name);
    for (int k = 0; k < b->n; ++k) {
        row.src = b->send[k].src;
        row.dest = b->send[k].dest;
        row.start = b->send[k].start;
        row.end = b->send[k].end;
        HESCA_TRY(err, hesca_trace_add(&c->s->trace, &row));
    }
fail:
    return err;
}

/* A broadcast, and the requested properties of it. */
static int
make(const contest *c, const hesca_broadcast_algorithm *algorithm,
     hesca_broadcast *b, sim_result *result)
{
    const sim_options *o = c->s->o;
    hesca_broadcast sequential = {.n = 0};
    hesca_robustness robust;
    const double begin = sim_now();
    int err;
    if (o->problems == 1) {
        HESCA_TRY(err, hesca_broadcast_find(algorithm, c->problem, b));
    } else {
        HESCA_TRY(err, hesca_concurrent_interleaved(algorithm, o->problems,
                                                    c->problem, b));
        HESCA_TRY(err, hesca_concurrent_sequential(algorithm, o->problems,
                                                   c->problem, &sequential));
        result->sequential = sequential.finish;
    }
    result->plan = sim_now() - begin;
    result->sends = b->n;
    if (o->failures) {
        HESCA_TRY(err, hesca_broadcast_robustness(c->problem, b, &robust));
        result->reached = robust.mean;
        result->reached_least = robust.worst;
    }
fail:
    hesca_broadcast_clear(&sequential);
    return err;
}

/* An algorithm that does not support this number of processes is omitted. */
static int
run_entry(contest *c, int k, int is_shown, double bound)
{
    const hesca_broadcast_algorithm *algorithm = c->entry[k];
    hesca_broadcast b = {.n = 0};
    sim_result result = {0};
    int err = HESCA_SUCCESS;
    if (c->nproc > algorithm->most)
        return HESCA_SUCCESS;
    HESCA_TRY(err, make(c, algorithm, &b, &result));
    sim_count(&c->s->score[k], b.finish, bound, &result);
    if (is_shown)
        HESCA_TRY(err, record(c, algorithm->name, &b));
fail:
    hesca_broadcast_clear(&b);
    return err;
}

static int
run_once(contest *c, int run)
{
    hesca_random r = hesca_random_run((uint64_t)c->s->o->seed, (uint64_t)run);
    const int is_shown = sim_is_shown(c->s, run);
    double bound;
    int err;
    HESCA_TRY(err, make_problems(c, &r));
    HESCA_TRY(err, find_bound(c, &bound));
    c->s->bound += bound;
    c->s->messages +=
        c->s->o->problems * (c->ndests > 0 ? c->ndests : c->nproc - 1);
    ++c->s->nruns;
    if (is_shown)
        c->s->trace_bound = bound;
    for (int k = 0; k < c->nentries; ++k) {
        progress("P = %d, run %d of %d: %s", c->nproc, run + 1, c->s->o->runs,
                 c->entry[k]->name);
        HESCA_TRY(err, run_entry(c, k, is_shown, bound));
    }
fail:
    return err;
}

/* ------------------------------------------------ configurations
 * Arrays have the size of the configuration and are reused in all runs. */

static int
prepare(contest *c)
{
    const size_t n = (size_t)c->nproc, problems = (size_t)c->s->o->problems;
    c->cost = malloc(n * n * sizeof *c->cost);
    c->startup = malloc(n * n * sizeof *c->startup);
    c->chosen = malloc(n * sizeof *c->chosen);
    c->dest = malloc(problems * n * sizeof *c->dest);
    c->problem = malloc(problems * sizeof *c->problem);
    if (c->cost == NULL || c->startup == NULL || c->chosen == NULL ||
        c->dest == NULL || c->problem == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", c->nproc);
    return HESCA_SUCCESS;
}

static int
run_all(sim_state *s, int nproc, int ndests)
{
    contest c = {.s = s, .nproc = nproc, .ndests = ndests};
    int err;
    if (s->o->root >= nproc)
        return cmdline_complain("--root '%d': must be below P = %d",
                                s->o->root, nproc);
    if (ndests >= nproc)
        return cmdline_complain("--dests '%d': must be below P = %d", ndests,
                                nproc);
    if (!choose_entries(&c))
        return 0;
    sim_begin(s, nproc, 0, ndests);
    for (int i = 0; i < c.nentries; ++i)
        sim_enter(s, c.entry[i]->name);
    HESCA_TRY(err, prepare(&c));
    for (int run = 0; run < s->o->runs; ++run)
        HESCA_TRY(err, run_once(&c, run));
fail:
    progress(NULL);
    if (err == HESCA_SUCCESS)
        sim_print(s);
    free(c.cost);
    free(c.startup);
    free(c.chosen);
    free(c.dest);
    free(c.problem);
    return err == HESCA_SUCCESS || cmdline_fail("%s", hesca_error_text());
}

int
sim_bcast(sim_state *s)
{
    const sim_options *o = s->o;
    for (int i = 0; i < o->nprocs; ++i) {
        const int nproc = (int)o->procs[i];
        const int half = o->pattern == SIM_MULTICAST ? nproc / 2 : 0;
        if (o->ndests == 0 && !run_all(s, nproc, half))
            return 0;
        for (int k = 0; k < o->ndests; ++k)
            if (!run_all(s, nproc, (int)o->dests[k]))
                return 0;
    }
    return 1;
}
