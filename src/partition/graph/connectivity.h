/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/connectivity.h
 * The connectivity of one vertex: its degree to each part, that is, the weight
 * of what connects it with the part.  For graphs and for both objectives of
 * hypergraphs, a move of v from part a to b changes the objective by degree(a)
 * - degree(b).  Pure. */
#ifndef HESCA_PARTITION_GRAPH_CONNECTIVITY_H
#define HESCA_PARTITION_GRAPH_CONNECTIVITY_H

#include "partition/graph/adjacency.h"

/** The degrees of one vertex. */
typedef struct {
    int n;           /**< parts with degree > 0 */
    int *part;       /**< [n] these parts; p stands for vertices in no part */
    int64_t *degree; /**< [p + 1] 0 except for these n */
} hesca_degrees;

int hesca_degrees_init(hesca_degrees *t, int p);
void hesca_degrees_clear(hesca_degrees *t);

static inline void
hesca_degrees_add(hesca_degrees *t, int part, int64_t weight)
{
    if (t->degree[part] == 0 && weight > 0)
        t->part[t->n++] = part;
    t->degree[part] += weight;
}

static inline void
hesca_degrees_reset(hesca_degrees *t)
{
    for (int i = 0; i < t->n; ++i)
        t->degree[t->part[i]] = 0;
    t->n = 0;
}

typedef struct hesca_connectivity hesca_connectivity;

/** A kind of connectivity. */
typedef struct {
    /** Add the degrees of v; t has been reset. */
    void (*degrees)(const hesca_connectivity *x, const int *part, int64_t v,
                    hesca_degrees *t);
    /** Call visit for the vertices whose degrees change if v moves; vertices
     * of very high degree, and very large edges, are left out. */
    void (*around)(const hesca_connectivity *x, int64_t v,
                   void (*visit)(void *state, int64_t u), void *state);
    /** Initialize for the parts in `part`. */
    void (*start)(hesca_connectivity *x, const int *part);
    /** Update after a move of v. */
    void (*moved)(hesca_connectivity *x, int64_t v, int from, int to);
    /** The objective. */
    int64_t (*cut)(const hesca_connectivity *x, const int *part);
} hesca_connectivity_kind;

struct hesca_connectivity {
    const hesca_connectivity_kind *kind;
    void *of; /**< the object; for a graph hesca_adjacency */
};

/** Connectivity of a graph: the objective is the weight of cut edges. */
hesca_connectivity hesca_connectivity_graph(hesca_adjacency *graph);

#endif
