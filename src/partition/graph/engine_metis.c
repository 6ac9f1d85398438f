/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "config.h"
#include "partition/graph/engine.h"
#include <limits.h>
#include <stdlib.h>

#if HAVE_METIS
#include <metis.h>

_Static_assert(sizeof(idx_t) == 4 || sizeof(idx_t) == 8, "width of idx_t");

const int64_t hesca_metis_most =
    sizeof(idx_t) == 4 ? INT32_MAX : (int64_t)1 << 53;

/* The arguments of METIS, in its types. */
typedef struct {
    idx_t n, ncon, nparts, cut;
    idx_t *xadj, *adjacency, *vwgt, *adjwgt, *part;
    real_t *targets;
    idx_t options[METIS_NOPTIONS];
} arguments;

static void
arguments_clear(arguments *a)
{
    free(a->xadj);
    free(a->adjacency);
    free(a->vwgt);
    free(a->adjwgt);
    free(a->part);
    free(a->targets);
}

static int
allocate(const hesca_engine_job *job, arguments *a)
{
    const size_t n = (size_t)job->graph->n,
                 entries = (size_t)job->graph->first[n],
                 ncon = (size_t)job->s->x->classes;
    *a = (arguments){
        .n = (idx_t)n, .ncon = (idx_t)ncon, .nparts = (idx_t)job->nparts};
    a->xadj = malloc((n + 1) * sizeof(idx_t));
    a->adjacency = malloc((entries + 1) * sizeof(idx_t));
    a->vwgt = calloc(n * ncon + 1, sizeof(idx_t));
    a->part = malloc((n + 1) * sizeof(idx_t));
    a->targets = malloc((size_t)job->nparts * ncon * sizeof(real_t));
    if (job->graph->weight != NULL)
        a->adjwgt = malloc((entries + 1) * sizeof(idx_t));
    if (a->xadj == NULL || a->adjacency == NULL || a->vwgt == NULL ||
        a->part == NULL || a->targets == NULL ||
        (job->graph->weight != NULL && a->adjwgt == NULL))
        return hesca_fail(HESCA_ERR_NOMEM, 0, "METIS: %zu vertices", n);
    return HESCA_SUCCESS;
}

/* The divisor of weights, such that their sum can be represented. */
static int64_t
divisor(const int64_t *weight, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; weight != NULL && i < n; ++i)
        sum += weight[i];
    return sum / (hesca_metis_most / 4) + 1;
}

static void
fill_graph(const hesca_engine_job *job, arguments *a)
{
    const hesca_adjacency *g = job->graph;
    const hesca_partition_problem *x = job->s->x;
    const int64_t by = divisor(x->weight, x->n),
                  edges_by = divisor(g->weight, g->first[g->n]);
    for (int64_t v = 0; v <= g->n; ++v)
        a->xadj[v] = (idx_t)g->first[v];
    for (int64_t k = 0; k < g->first[g->n]; ++k) {
        a->adjacency[k] = (idx_t)g->to[k];
        if (a->adjwgt != NULL)
            a->adjwgt[k] =
                (idx_t)hesca_max(1, (g->weight[k] + edges_by / 2) / edges_by);
    }
    for (int64_t v = 0; v < x->n; ++v)
        a->vwgt[v * x->classes + hesca_class(x, v)] =
            (idx_t)((hesca_weight(x, v) + by / 2) / by);
}

static void
fill_targets(const hesca_engine_job *job, arguments *a)
{
    const hesca_partition_problem *x = job->s->x;
    for (int c = 0; c < x->classes; ++c) {
        double sum = 0;
        for (int i = 0; i < job->nparts; ++i)
            sum += x->target[c * x->p + job->part[i]];
        for (int i = 0; i < job->nparts; ++i)
            a->targets[i * x->classes + c] =
                (real_t)(x->target[c * x->p + job->part[i]] / sum);
    }
}

int
hesca_engine_metis(const hesca_engine_job *job)
{
    arguments a;
    int err, status;
    HESCA_TRY(err, allocate(job, &a));
    fill_graph(job, &a);
    fill_targets(job, &a);
    METIS_SetDefaultOptions(a.options);
    for (int i = 0; i < job->how->nopts; ++i)
        a.options[i] = job->how->options[i];
    /* Recursive bisection meets unequal targets much better than k-way
     * partitioning, in particular with two constraints. */
    status = (a.options[METIS_OPTION_PTYPE] == METIS_PTYPE_KWAY
                  ? METIS_PartGraphKway
                  : METIS_PartGraphRecursive)(
        &a.n, &a.ncon, a.xadj, a.adjacency, a.vwgt, NULL, a.adjwgt, &a.nparts,
        a.targets, NULL, a.options, &a.cut, a.part);
    if (status == METIS_ERROR_MEMORY)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "METIS: %lld vertices",
                                  (long long)a.n));
    /* While METIS runs, it treats SIGTERM as an error of its own. */
    if (status != METIS_OK)
        HESCA_TRY(err, hesca_fail(status == METIS_ERROR_INPUT
                                      ? HESCA_ERR_ARG
                                      : HESCA_ERR_UNSUPPORTED,
                                  0, "METIS %s (status %d)",
                                  status == METIS_ERROR_INPUT
                                      ? "refuses the graph or its options"
                                      : "fails, or was interrupted",
                                  status));
    for (int64_t v = 0; v < job->graph->n; ++v)
        job->s->part[v] = job->part[a.part[v]];
fail:
    arguments_clear(&a);
    return err;
}

#else

const int64_t hesca_metis_most = 0;

int
hesca_engine_metis(const hesca_engine_job *job)
{
    (void)job;
    return hesca_fail(HESCA_ERR_UNSUPPORTED, 0, "there is no METIS");
}

#endif
