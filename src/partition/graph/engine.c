/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/graph/engine.h"
#include "base/status.h"
#include "partition/graph/refinement.h"
#include <limits.h>
#include <stdlib.h>

/* A library is not used if a part is smaller than this many mean vertices:
 * METIS and SCOTCH are designed for large parts, and METIS prints a message if
 * one is empty. */
enum { SMALL = 4 };

/* The ranges of options of METIS 5, for recursive bisection and for k-way
 * partitioning; METIS itself would print a message.  Numbers are counted from
 * 0. */
enum { OPTIONS_MAX = 40, METIS_CHECKED = 18 };

typedef struct {
    int least, most;
} limits;

static const limits metis_limits[2][METIS_CHECKED] = {
    {{0, 1},
     {0, 0},
     {0, 1},
     {0, 1},
     {0, 0},
     {0, 0},
     {1, INT_MAX},
     {1, INT_MAX},
     {0, INT_MAX},
     {0, 1},
     {0, 1},
     {0, 1},
     {0, 1},
     {0, 1},
     {0, INT_MAX},
     {1, INT_MAX},
     {1, INT_MAX},
     {0, 0}},
    {{0, 1},
     {0, 1},
     {0, 1},
     {4, 4},
     {1, 1},
     {0, 0},
     {1, INT_MAX},
     {1, INT_MAX},
     {0, INT_MAX},
     {0, 1},
     {0, 1},
     {0, 0},
     {0, 1},
     {0, 1},
     {0, INT_MAX},
     {1, INT_MAX},
     {1, INT_MAX},
     {0, 0}},
};

static const char *const names[HESCA_ENGINE_COUNT] = {
    [HESCA_ENGINE_AUTO] = "auto",
    [HESCA_ENGINE_OWN] = "own",
    [HESCA_ENGINE_METIS] = "metis",
    [HESCA_ENGINE_SCOTCH] = "scotch",
};

const char *
hesca_engine_name(int engine)
{
    return engine >= 0 && engine < HESCA_ENGINE_COUNT ? names[engine] : NULL;
}

/* Most vertices and edge ends that an engine can count. */
static int64_t
capacity_of(int engine)
{
    switch (engine) {
    case HESCA_ENGINE_METIS:
        return hesca_metis_most;
    case HESCA_ENGINE_SCOTCH:
        return hesca_scotch_most;
    default:
        return engine >= 0 && engine < HESCA_ENGINE_COUNT ? INT64_MAX : 0;
    }
}

int
hesca_engine_is_built(int engine)
{
    return capacity_of(engine) > 0;
}

static int
check_options(const char *routine, int arg, const hesca_cut_options *how)
{
    if (how->nopts < 0 || how->nopts > OPTIONS_MAX)
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, nopts, is %d: must be 0 ... %d",
                          routine, arg, how->nopts, OPTIONS_MAX);
    if (how->nopts > 0 && how->options == NULL)
        return hesca_fail_null(routine, arg, "options");
    for (int i = 0; i < how->nopts && i < METIS_CHECKED; ++i) {
        const int x = how->options[i], is_kway = how->options[0] == 1;
        const limits *must = &metis_limits[is_kway][i];
        if (x != -1 && (x < must->least || x > must->most))
            return hesca_fail(HESCA_ERR_ARG, arg,
                              "%s: argument %d, options[%d], is %d: must be "
                              "-1 or %d ... %d",
                              routine, arg, i, x, must->least, must->most);
    }
    return HESCA_SUCCESS;
}

int
hesca_engine_check(const char *routine, int arg, const hesca_cut_options *how,
                   hesca_cut_options *full)
{
    *full =
        how != NULL ? *how : (hesca_cut_options){.engine = HESCA_ENGINE_AUTO};
    if (hesca_engine_name(full->engine) == NULL)
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, engine, is %d: must be one of "
                          "hesca_engine",
                          routine, arg, full->engine);
    if (!hesca_engine_is_built(full->engine))
        return hesca_fail(HESCA_ERR_UNSUPPORTED, arg,
                          "%s: argument %d, engine, is %s: HESCA was "
                          "configured without it",
                          routine, arg, names[full->engine]);
    if (full->objective != HESCA_CUT_EDGES &&
        full->objective != HESCA_CUT_CONNECTIVITY)
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, objective, is %d: must be one of "
                          "hesca_cut_objective",
                          routine, arg, full->objective);
    if (!(full->tolerance >= 0 && full->tolerance < 1))
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, tolerance, is %g: must be 0 ... 1",
                          routine, arg, full->tolerance);
    if (full->tolerance <= 0)
        full->tolerance = 0.03;
    return check_options(routine, arg, full);
}

/* --- choice ---
 * Options are checked before; the choice depends on global values only, so it
 * is the same on every process. */

/* Whether an engine can solve the problem. */
static int
can_solve(int engine, const hesca_engine_job *job)
{
    const int64_t most = capacity_of(engine), n = job->graph->n;
    return n <= most && job->graph->first[n] <= most &&
           (engine != HESCA_ENGINE_SCOTCH || job->s->x->classes == 1);
}

static int
is_small(const hesca_engine_job *job)
{
    const hesca_partition_problem *x = job->s->x;
    for (int c = 0; c < x->classes; ++c) {
        double sum = 0, least = 0, n = 0;
        for (int64_t v = 0; v < x->n; ++v)
            n += hesca_class(x, v) == c;
        for (int i = 0; i < job->nparts; ++i) {
            const double target = x->target[c * x->p + job->part[i]];
            least = i == 0 || target < least ? target : least;
            sum += target;
        }
        if (least * n < SMALL * sum || n <= 0)
            return 1;
    }
    return 0;
}

/* The engine to use; -1: the requested one cannot solve the problem. */
static int
choose(const hesca_engine_job *job)
{
    const int requested = job->how->engine;
    if (requested == HESCA_ENGINE_OWN)
        return requested;
    if (requested != HESCA_ENGINE_AUTO && !can_solve(requested, job))
        return -1;
    if (job->nparts < 2 || is_small(job))
        return HESCA_ENGINE_OWN;
    if (requested != HESCA_ENGINE_AUTO)
        return requested;
    return can_solve(HESCA_ENGINE_METIS, job)    ? HESCA_ENGINE_METIS
           : can_solve(HESCA_ENGINE_SCOTCH, job) ? HESCA_ENGINE_SCOTCH
                                                 : HESCA_ENGINE_OWN;
}

static int
run(const hesca_engine_job *job, int engine)
{
    switch (engine) {
    case HESCA_ENGINE_METIS:
        return hesca_engine_metis(job);
    case HESCA_ENGINE_SCOTCH:
        return hesca_engine_scotch(job);
    default:
        return hesca_multilevel(job->graph, job->s);
    }
}

/* List the parts with targets above 0. */
static int
list_parts(const hesca_partition_problem *x, int *part)
{
    int n = 0;
    for (int i = 0; i < x->p; ++i)
        if (x->target[i] > 0 || (x->classes == 2 && x->target[x->p + i] > 0))
            part[n++] = i;
    return n;
}

int
hesca_engine_run(const char *routine, int arg, hesca_adjacency *graph,
                 hesca_partition_state *s, const hesca_cut_options *how,
                 int *engine)
{
    int *part = malloc((size_t)s->x->p * sizeof *part);
    int err = HESCA_SUCCESS;
    hesca_engine_job job = {.graph = graph, .s = s, .how = how, .part = part};
    if (part == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d parts", routine,
                                  s->x->p));
    job.nparts = list_parts(s->x, part);
    *engine = choose(&job);
    if (*engine < 0)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_UNSUPPORTED, arg,
                             "%s: argument %d, engine, is %s: it can neither "
                             "count %lld vertices and %lld ends of edges nor "
                             "balance subsets, as far as it is asked to",
                             routine, arg, names[how->engine],
                             (long long)graph->n,
                             (long long)graph->first[graph->n]));
    HESCA_TRY(err, run(&job, *engine));
    hesca_partition_state_count(s);
fail:
    free(part);
    return err;
}
