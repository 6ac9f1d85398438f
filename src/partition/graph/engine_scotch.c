/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "config.h"
#include "partition/graph/engine.h"
#include <math.h>
#include <stdlib.h>

#if HAVE_SCOTCH
#include <stdio.h>
/* It requires the header above. */
#include SCOTCH_HEADER

const int64_t hesca_scotch_most = SCOTCH_NUMMAX;

/* The graph in the types of SCOTCH, which does not copy it. */
typedef struct {
    SCOTCH_Num n, entries;
    SCOTCH_Num *first, *to, *vwgt, *edge_weight, *part, *targets;
} arrays;

static void
arrays_clear(arrays *a)
{
    free(a->first);
    free(a->to);
    free(a->vwgt);
    free(a->edge_weight);
    free(a->part);
    free(a->targets);
}

/* --- conversion ---
 * Every array is in SCOTCH_Num, and sums of weights fit 32 bits. */

/* A copy of from[n], divided by `by`, rounded, and at least `least`. */
static SCOTCH_Num *
narrow(const int64_t *from, int64_t n, int64_t by, int64_t least)
{
    SCOTCH_Num *to = malloc((size_t)n * sizeof *to + 1);
    for (int64_t i = 0; to != NULL && i < n; ++i) {
        const int64_t x = (from[i] + by / 2) / by;
        to[i] = (SCOTCH_Num)(x < least ? least : x);
    }
    return to;
}

/* The divisor of weights: SCOTCH computes their sum in 32 bits. */
static int64_t
divisor(const int64_t *weight, int64_t n)
{
    int64_t sum = n;
    for (int64_t i = 0; i < n; ++i)
        sum += weight[i];
    return sum / (hesca_scotch_most / 4) + 1;
}

/* Targets as integers of at most 2^20, so that products do not overflow. */
static void
fill_targets(const hesca_engine_job *job, arrays *a)
{
    const double *target = job->s->x->target;
    double most = 0;
    for (int i = 0; i < job->nparts; ++i)
        most = fmax(most, target[job->part[i]]);
    for (int i = 0; i < job->nparts; ++i)
        a->targets[i] = (SCOTCH_Num)fmax(
            1, floor(target[job->part[i]] * fmin(1, 1048576 / most) + 0.5));
}

static int
fill(const hesca_engine_job *job, arrays *a)
{
    const hesca_adjacency *g = job->graph;
    const int64_t *weight = job->s->x->weight, entries = g->first[g->n];
    *a = (arrays){.n = (SCOTCH_Num)g->n, .entries = (SCOTCH_Num)entries};
    a->first = narrow(g->first, g->n + 1, 1, 0);
    a->to = narrow(g->to, entries, 1, 0);
    a->part = malloc((size_t)g->n * sizeof *a->part);
    a->targets = malloc((size_t)job->nparts * sizeof *a->targets);
    if (weight != NULL)
        a->vwgt = narrow(weight, g->n, divisor(weight, g->n), 0);
    if (g->weight != NULL)
        a->edge_weight =
            narrow(g->weight, entries, divisor(g->weight, entries), 1);
    if (a->first == NULL || a->to == NULL || a->part == NULL ||
        a->targets == NULL || (weight != NULL && a->vwgt == NULL) ||
        (g->weight != NULL && a->edge_weight == NULL))
        return hesca_fail(HESCA_ERR_NOMEM, 0, "SCOTCH: %lld vertices",
                          (long long)g->n);
    fill_targets(job, a);
    return HESCA_SUCCESS;
}

/* --- the call ---
 * All arrays are allocated; part[] is written on success only. */

/* Map the graph onto a complete graph of processors of unequal speed, as
 * SCOTCH_graphPart() only supports equal parts. */
static int
map(SCOTCH_Context *context, const arrays *a, int nparts)
{
    SCOTCH_Graph graph, bound;
    SCOTCH_Arch arch;
    SCOTCH_Strat strategy;
    int status = 1;
    if (SCOTCH_graphInit(&graph) != 0)
        return status;
    SCOTCH_graphInit(&bound);
    SCOTCH_archInit(&arch);
    SCOTCH_stratInit(&strategy);
    if (SCOTCH_graphBuild(&graph, 0, a->n, a->first, NULL, a->vwgt, NULL,
                          a->entries, a->to, a->edge_weight) == 0 &&
        SCOTCH_contextBindGraph(context, &graph, &bound) == 0 &&
        SCOTCH_archCmpltw(&arch, nparts, a->targets) == 0 &&
        SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATBALANCE, nparts,
                                  0.01) == 0)
        status = SCOTCH_graphMap(&bound, &arch, &strategy, a->part);
    SCOTCH_stratExit(&strategy);
    SCOTCH_archExit(&arch);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&graph);
    return status;
}

int
hesca_engine_scotch(const hesca_engine_job *job)
{
    SCOTCH_Context context;
    arrays a;
    int err, status = 1;
    HESCA_TRY(err, fill(job, &a));
    if (SCOTCH_contextInit(&context) == 0) {
        SCOTCH_contextThreadSpawn(&context, 1, NULL);
        SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
        SCOTCH_contextRandomSeed(&context, 1);
        status = map(&context, &a, job->nparts);
        SCOTCH_contextExit(&context);
    }
    if (status != 0)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                                  "SCOTCH fails on a graph of %lld vertices",
                                  (long long)a.n));
    for (int64_t v = 0; v < job->graph->n; ++v)
        job->s->part[v] = job->part[a.part[v]];
fail:
    arrays_clear(&a);
    return err;
}

#else

const int64_t hesca_scotch_most = 0;

int
hesca_engine_scotch(const hesca_engine_job *job)
{
    (void)job;
    return hesca_fail(HESCA_ERR_UNSUPPORTED, 0, "there is no SCOTCH");
}

#endif
