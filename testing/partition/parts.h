/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of cuts share: models, and a check of a cut that counts all of it
 * again. */
#ifndef HESCA_TESTING_PARTITION_PARTS_H
#define HESCA_TESTING_PARTITION_PARTS_H

#include "testing/graphs.h"
#include "testing/unit.h"
#include <math.h>

enum { PARTS_MAX = 64 };

/* Constant speeds, with limits or NULL. */
typedef struct {
    int p;
    hesca_speed *model[PARTS_MAX];
} parts_models;

static inline const hesca_speed *const *
parts_speed(const parts_models *m)
{
    return (const hesca_speed *const *)m->model;
}

static inline parts_models
parts_make(int p, const double *speed, const double *limit)
{
    parts_models m = {.p = p};
    for (int i = 0; i < p; ++i)
        CHECK(hesca_speed_create_constant(speed[i],
                                          limit != NULL ? limit[i] : INFINITY,
                                          &m.model[i]) == HESCA_SUCCESS,
              "%s", hesca_error_text());
    return m;
}

static inline void
parts_free(parts_models *m)
{
    for (int i = 0; i < m->p; ++i)
        hesca_speed_free(m->model[i]);
}

/* Loads, counts and the cut of a graph, counted from its parts. */
static inline void
parts_check(const hesca_graph *g, const hesca_cut *cut, const char *what)
{
    const int p = hesca_cut_parts(cut), *part = hesca_cut_part(cut);
    int64_t load[2][PARTS_MAX] = {{0}}, count[PARTS_MAX] = {0};
    int64_t weight = 0, edges = 0, volume = 0;
    double deviation = 0;
    for (int64_t v = 0; v < g->n; ++v) {
        char met[PARTS_MAX] = {0};
        CHECK(part[v] >= 0 && part[v] < p, "%s: part[%lld] is %d", what,
              (long long)v, part[v]);
        load[g->vtype != NULL ? g->vtype[v] : 0][part[v]] +=
            g->vwgt != NULL ? g->vwgt[v] : 1;
        ++count[part[v]];
        for (int64_t k = g->xadj[v]; k < g->xadj[v + 1]; ++k) {
            const int other = part[g->adjacency[k]];
            if (other == part[v])
                continue;
            volume += !met[other];
            met[other] = 1;
            if (g->adjacency[k] > v) {
                ++edges;
                weight += g->adjwgt != NULL ? g->adjwgt[k] : 1;
            }
        }
    }
    CHECK(hesca_cut_weight(cut) == weight && hesca_cut_edges(cut) == edges &&
              hesca_cut_volume(cut) == volume,
          "%s: weight %lld, edges %lld, volume %lld, not %lld, %lld, %lld",
          what, (long long)hesca_cut_weight(cut),
          (long long)hesca_cut_edges(cut), (long long)hesca_cut_volume(cut),
          (long long)weight, (long long)edges, (long long)volume);
    for (int i = 0; i < p; ++i) {
        CHECK(hesca_cut_count(cut, i) == count[i] &&
                  hesca_cut_load(cut, i) == load[0][i] + load[1][i],
              "%s: part %d", what, i);
        for (int c = 0; c < 2; ++c) {
            const double target = hesca_cut_subset_target(cut, c, i);
            CHECK(hesca_cut_subset_load(cut, c, i) == load[c][i],
                  "%s: subset %d, part %d", what, c, i);
            if (fabs((double)load[c][i] - target) > 0)
                deviation = fmax(deviation,
                                 fabs((double)load[c][i] - target) / target);
        }
    }
    CHECK(fabs(hesca_cut_deviation(cut) - deviation) <= 1e-12 * deviation ||
              (isinf(deviation) && isinf(hesca_cut_deviation(cut))),
          "%s: deviation %g, not %g", what, hesca_cut_deviation(cut),
          deviation);
}

/* Every part is within `tolerance` of its target, or within one vertex. */
static inline void
parts_check_balance(const hesca_cut *cut, double tolerance, int64_t vertex,
                    const char *what)
{
    for (int i = 0; i < hesca_cut_parts(cut); ++i)
        for (int c = 0; c < 2; ++c) {
            const double target = hesca_cut_subset_target(cut, c, i),
                         load = (double)hesca_cut_subset_load(cut, c, i);
            CHECK(fabs(load - target) <=
                      fmax(tolerance * target, (double)vertex) + 1e-9,
                  "%s: subset %d, part %d: %g, target %g", what, c, i, load,
                  target);
        }
}

#endif
