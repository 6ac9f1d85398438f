/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/graph/cut.h"
#include "base/status.h"
#include "partition/graph/refinement.h"
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stdlib.h>

int
hesca_cut_check(const hesca_argument_names *names, int p,
                const hesca_speed *const *speed, const void *object,
                const char *name, hesca_cut **cut)
{
    int err;
    if (cut == NULL)
        return hesca_fail(HESCA_ERR_ARG, 0, "%s: the result, cut, is NULL",
                          names->routine);
    if (p < 1)
        return hesca_fail_arg(names->routine, names->p, "p", p, "at least 1");
    HESCA_TRY(err,
              hesca_set_check_speeds(names->routine, names->p + 1, p, speed));
    if (object == NULL)
        return hesca_fail_null(names->routine, names->n, name);
fail:
    return err;
}

/* --- the result ---
 * A cut owns its arrays; the state that it was created from no longer does. */

static double
time_of(const hesca_cut *cut, const hesca_speed *const *speed)
{
    double most = 0;
    for (int i = 0; i < cut->p; ++i) {
        const double load = (double)hesca_cut_load(cut, i);
        most =
            fmax(most,
                 speed == NULL ? load : load / hesca_speed_at(speed[i], load));
    }
    return most;
}

int
hesca_cut_make(hesca_partition_state *s, hesca_partition_problem *x,
               const hesca_speed *const *speed, hesca_cut **cut)
{
    hesca_cut *c = calloc(1, sizeof *c);
    *cut = c;
    if (c == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a cut in %d parts", x->p);
    *c = (hesca_cut){.p = x->p,
                     .classes = x->classes,
                     .part = s->part,
                     .count = s->count,
                     .load = s->load,
                     .target = x->target,
                     .deviation = hesca_partition_state_deviation(s)};
    s->part = NULL;
    s->count = s->load = NULL;
    x->target = NULL;
    c->time = time_of(c, speed);
    return HESCA_SUCCESS;
}

/* Add the cut edges of v, and return the number of other parts in which v has
 * neighbours. seen: [p] the last vertex that had a neighbour in the part. */
static int64_t
count_cut(const hesca_adjacency *g, int64_t v, int64_t *seen, hesca_cut *c)
{
    int64_t others = 0;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k) {
        const int64_t u = g->to[k];
        const int part = c->part[u];
        if (part == c->part[v])
            continue;
        if (seen[part] != v) {
            seen[part] = v;
            ++others;
        }
        if (v < u) {
            ++c->edges;
            c->weight += g->weight != NULL ? g->weight[k] : 1;
        }
    }
    return others;
}

int
hesca_cut_measure(const hesca_adjacency *graph, hesca_cut *cut)
{
    int64_t *seen = malloc((size_t)cut->p * sizeof *seen);
    if (seen == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a cut in %d parts", cut->p);
    for (int i = 0; i < cut->p; ++i)
        seen[i] = -1;
    for (int64_t v = 0; v < graph->n; ++v)
        cut->volume += count_cut(graph, v, seen, cut);
    free(seen);
    return HESCA_SUCCESS;
}

/* --- the solution ---
 * Limits hold after balancing; *cut is set on success only. */

/* Find parts by the engine, measure them (raw), then balance and refine
 * them. */
static int
find_parts(const hesca_cut_job *job, hesca_partition_problem *x,
           hesca_partition_state *s, hesca_cut *raw)
{
    hesca_connectivity graph_connectivity =
        hesca_connectivity_graph(job->graph);
    int err;
    HESCA_TRY(err, hesca_partition_state_init(s, x));
    x->connectivity = &graph_connectivity;
    HESCA_TRY(err, hesca_engine_run(job->names->routine, job->how_arg,
                                    job->graph, s, job->how, &raw->engine));
    raw->raw_deviation = hesca_partition_state_deviation(s);
    raw->raw_weight = job->connectivity->kind->cut(job->connectivity, s->part);
    x->connectivity = job->connectivity;
    HESCA_TRY(err, hesca_polish(s));
fail:
    return err;
}

int
hesca_cut_solve(const hesca_cut_job *job, hesca_cut **cut)
{
    hesca_partition_problem x = {.p = 0};
    hesca_partition_state s = {.x = NULL};
    hesca_cut raw = {.p = 0};
    int err;
    *cut = NULL;
    HESCA_TRY(err, hesca_targets_init(job->names->routine, job->names->p + 1,
                                      job->p, job->speed, job->graph->n,
                                      job->graph->vwgt, job->class_of, &x));
    x.tolerance = job->how->tolerance;
    HESCA_TRY(err, find_parts(job, &x, &s, &raw));
    HESCA_TRY(err, hesca_cut_make(&s, &x, job->speed, cut));
    (*cut)->engine = raw.engine;
    (*cut)->raw_weight = raw.raw_weight;
    (*cut)->raw_deviation = raw.raw_deviation;
fail:
    hesca_partition_state_clear(&s);
    hesca_targets_clear(&x);
    return err;
}

void
hesca_cut_free(hesca_cut *cut)
{
    if (cut == NULL)
        return;
    free(cut->part);
    free(cut->count);
    free(cut->load);
    free(cut->target);
    free(cut);
}

/* --- queries ---
 * Arguments are in range. */

int
hesca_cut_parts(const hesca_cut *cut)
{
    return cut->p;
}

const int *
hesca_cut_part(const hesca_cut *cut)
{
    return cut->part;
}

int64_t
hesca_cut_weight(const hesca_cut *cut)
{
    return cut->weight;
}

int64_t
hesca_cut_edges(const hesca_cut *cut)
{
    return cut->edges;
}

int64_t
hesca_cut_volume(const hesca_cut *cut)
{
    return cut->volume;
}

int64_t
hesca_cut_count(const hesca_cut *cut, int i)
{
    return cut->count[i];
}

int64_t
hesca_cut_load(const hesca_cut *cut, int i)
{
    return cut->load[i] + (cut->classes == 2 ? cut->load[cut->p + i] : 0);
}

double
hesca_cut_target(const hesca_cut *cut, int i)
{
    return cut->target[i] + (cut->classes == 2 ? cut->target[cut->p + i] : 0);
}

int64_t
hesca_cut_subset_load(const hesca_cut *cut, int subset, int i)
{
    return subset < cut->classes ? cut->load[subset * cut->p + i] : 0;
}

double
hesca_cut_subset_target(const hesca_cut *cut, int subset, int i)
{
    return subset < cut->classes ? cut->target[subset * cut->p + i] : 0;
}

double
hesca_cut_deviation(const hesca_cut *cut)
{
    return cut->deviation;
}

double
hesca_cut_time(const hesca_cut *cut)
{
    return cut->time;
}

double
hesca_cut_raw_deviation(const hesca_cut *cut)
{
    return cut->raw_deviation;
}

int64_t
hesca_cut_raw_weight(const hesca_cut *cut)
{
    return cut->raw_weight;
}

int
hesca_cut_engine(const hesca_cut *cut)
{
    return cut->engine;
}

int
hesca_cut_is_exact(const hesca_cut *cut)
{
    return cut->exact;
}
