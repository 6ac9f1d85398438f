/** \file partition/graph/connectivity.h
 * What connects vertices, seen from one of them: by how much it is tied to
 * each part.  For graphs and both objectives of hypergraphs alike, a move of v
 * from part a to b changes the objective by tie(a) - tie(b).  Pure. */
#ifndef HESCA_PARTITION_GRAPH_CONNECTIVITY_H
#define HESCA_PARTITION_GRAPH_CONNECTIVITY_H

#include "partition/graph/adjacency.h"

/** Ties of one vertex to parts. */
typedef struct {
    int n;        /**< parts it is tied to */
    int *part;    /**< [n] which, p for vertices in no part */
    int64_t *tie; /**< [p + 1] all 0 but for those n */
} hesca_ties;

int hesca_ties_init(hesca_ties *t, int p);
void hesca_ties_clear(hesca_ties *t);

static inline void
hesca_ties_add(hesca_ties *t, int part, int64_t weight)
{
    if (t->tie[part] == 0 && weight > 0)
        t->part[t->n++] = part;
    t->tie[part] += weight;
}

static inline void
hesca_ties_reset(hesca_ties *t)
{
    for (int i = 0; i < t->n; ++i)
        t->tie[t->part[i]] = 0;
    t->n = 0;
}

typedef struct hesca_connectivity hesca_connectivity;

/** A kind of connectivity. */
typedef struct {
    /** Add the ties of v; t is reset before. */
    void (*ties)(const hesca_connectivity *x, const int *part, int64_t v,
                 hesca_ties *t);
    /** Call visit for each vertex whose ties change as v moves; few of them,
     * where v is connected with very many. */
    void (*around)(const hesca_connectivity *x, int64_t v,
                   void (*visit)(void *state, int64_t u), void *state);
    /** All vertices are in the parts that part says. */
    void (*begin)(hesca_connectivity *x, const int *part);
    /** v has moved. */
    void (*moved)(hesca_connectivity *x, int64_t v, int from, int to);
    /** The objective, whole. */
    int64_t (*cut)(const hesca_connectivity *x, const int *part);
} hesca_connectivity_kind;

struct hesca_connectivity {
    const hesca_connectivity_kind *kind;
    void *of; /**< a graph: hesca_adjacency */
};

/** Bonds of a graph: weight of cut edges. */
hesca_connectivity hesca_connectivity_graph(hesca_adjacency *graph);

#endif
