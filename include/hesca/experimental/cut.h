/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/cut.h
 * Partitioning of graphs, hypergraphs and trees into parts in proportion to
 * speed, with few edges between the parts.
 *
 * The target of each part follows from the models of the processors, as for a
 * set (hesca/experimental/shares.h) of n vertices, or of the sum of their
 * weights.  METIS or SCOTCH, if HESCA was configured with them, or HESCA
 * itself, finds parts that cut few edges; then vertices are moved, those of
 * least cost first, until all parts are within a tolerance of their targets or
 * no move of a vertex brings them nearer.  No processor ever has more vertices
 * than the limit of its model; the tolerance is not guaranteed:
 * hesca_cut_deviation() returns the deviation from the targets.  Minimal cuts
 * for unequal targets are an open problem (HMPI thesis, table 4.7): all
 * methods are heuristic, except for trees and few processors.
 *
 * Local: the same on every process that uses the same libraries.  Options and
 * seeds are fixed; METIS reseeds the C library's rand().
 * Source: HMPI thesis 4.5, 4.6. */
#ifndef HESCA_EXPERIMENTAL_CUT_H
#define HESCA_EXPERIMENTAL_CUT_H

#include "hesca/experimental/speed.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_cut hesca_cut; /**< Opaque: parts, and what they cut. */

/** Partitioning engines. */
typedef enum {
    HESCA_ENGINE_AUTO = 0,   /**< METIS, else SCOTCH, else HESCA itself */
    HESCA_ENGINE_OWN = 1,    /**< HESCA: coarsening, growth, refinement */
    HESCA_ENGINE_METIS = 2,  /**< METIS 5 */
    HESCA_ENGINE_SCOTCH = 3, /**< SCOTCH 7 */
    HESCA_ENGINE_COUNT = 4   /**< number of engines */
} hesca_engine;

/** "auto", "own", "metis", "scotch"; NULL for another number. */
HESCA_API const char *hesca_engine_name(int engine);

/** Whether HESCA was configured with it. */
HESCA_API int hesca_engine_is_built(int engine);

/** What is minimized, for a hypergraph. */
typedef enum {
    HESCA_CUT_EDGES = 0,       /**< weight of edges that span several parts */
    HESCA_CUT_CONNECTIVITY = 1 /**< weight times (parts spanned - 1) */
} hesca_cut_objective;

/** How to partition; all 0 is the default. */
typedef struct {
    int engine;         /**< hesca_engine */
    int objective;      /**< hesca_cut_objective; graphs: 0 */
    double tolerance;   /**< largest deviation of a part from its target,
                             relative to it, 0 < tolerance < 1; 0: 0.03 */
    int nopts;          /**< entries of options, 0 ... 40 */
    const int *options; /**< for METIS, in its numbering: -1 is its default;
                             options[0] (PTYPE) 1 is k-way partitioning, else
                             recursive bisection; no DBGLVL, no contiguous
                             parts, no NUMBERING but 0.  NULL: none.  Other
                             engines take none of them. */
} hesca_cut_options;

/** A graph: undirected, without loops, every edge listed at both ends. */
typedef struct {
    int64_t n;           /**< vertices, >= 0 */
    const int64_t *xadj; /**< [n + 1] neighbours of v are adjacency[xadj[v]]
                              ... adjacency[xadj[v + 1] - 1]; xadj[0] = 0 */
    const int64_t *adjacency; /**< [xadj[n]] neighbours */
    const int64_t *vwgt;      /**< [n] weights, >= 0, or NULL: 1 */
    const int64_t *adjwgt;    /**< [xadj[n]] weights of edges, >= 0, equal at
                                   both ends, or NULL: 1 */
    const int *vtype;         /**< [n] 0 or 1: the subset of each vertex; each
                                   subset is balanced separately; or NULL */
} hesca_graph;

/** Partition a graph.
 *
 * With limits and weights, the target of a processor is at most its limit
 * times the mean weight; limits count vertices.  If limits prevent moves of
 * single vertices, heavy vertices of one part are exchanged with light ones of
 * another, regardless of the edges cut, in a bounded number of sweeps.  Then
 * counts are within the limits; weights are usually within the tolerance, but
 * may deviate more if parts have few vertices, or if few vertices have much of
 * the weight.  The work of balancing is bounded, of the order of n log n plus
 * the edges, so if limits bind in many parts these may remain unbalanced.
 *
 * HESCA's own engine takes O((n + xadj[n]) log n) for each of at most ten
 * passes over a level, where levels usually shrink by half, and about 40 bytes
 * for each vertex and entry of adjacency.
 *
 * \param [in]  p      Parts, >= 1.
 * \param [in]  speed  [p] Models of the processors, or NULL: all are equal.
 * \param [in]  graph  Weights sum up to at most 2^53.  METIS and SCOTCH, as
 *                     usually built, count in 32 bits: larger graphs need
 *                     HESCA's own engine; larger weights are scaled.
 * \param [in]  how    NULL: the default.
 * \param [out] cut    Free with hesca_cut_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also: an asymmetric adjacency, limits
 *         that hold too little), HESCA_ERR_UNSUPPORTED (an engine that is not
 *         built, or cannot count that far) or HESCA_ERR_NOMEM. */
HESCA_API int hesca_cut_graph(int p, const hesca_speed *const *speed,
                              const hesca_graph *graph,
                              const hesca_cut_options *how, hesca_cut **cut);

/** A hypergraph: edges of any number of vertices. */
typedef struct {
    int64_t n;           /**< vertices, >= 0 */
    int64_t nedges;      /**< edges, >= 0 */
    const int64_t *vwgt; /**< [n] weights of vertices, >= 0, or NULL: 1 */
    const int64_t *hptr; /**< [nedges + 1] edge e spans hind[hptr[e]] ...
                              hind[hptr[e + 1] - 1], each once; hptr[0] = 0 */
    const int64_t *hind; /**< [hptr[nedges]] vertices of edges */
    const int64_t *hwgt; /**< [nedges] weights of edges, >= 0, or NULL: 1 */
} hesca_hypergraph;

/** Partition a hypergraph.
 *
 * Engines partition a graph model of the hypergraph; balancing and refinement
 * use hyperedges.  An edge that spans more than 64 parts gives no gain to
 * moves into new parts, but is counted as any other.
 *
 * The communication volume of a graph is the connectivity of the hypergraph
 * with an edge for every vertex and its neighbours.
 * Arguments and errors are those of hesca_cut_graph(). */
HESCA_API int hesca_cut_hypergraph(int p, const hesca_speed *const *speed,
                                   const hesca_hypergraph *hypergraph,
                                   const hesca_cut_options *how,
                                   hesca_cut **cut);

/** Partition a tree into connected parts, of which some may be empty, such
 * that the largest time, weight / speed, is small.
 *
 * It is minimal if all processors are equal, limits included, or if there are
 * at most 10 and n 3^p <= 6 10^6: hesca_cut_is_exact().  For more processors,
 * and for weights together with limits, a heuristic uses recursive bisection
 * and moves cuts.  Edge weights are ignored: the number of edges cut is one
 * less than that of parts with vertices.
 *
 * Each time tried by bisection takes O(n log n) for equal processors, and O(n
 * 3^p) and 10 n 2^p bytes for few processors; the heuristic usually takes O(n
 * log p), at worst O(n p), then visits at most some 10^8 vertices, with 70
 * bytes for each vertex.
 *
 * \param [in]  p, speed  As above.
 * \param [in]  tree      Edges once (from either end) or at both ends; vtype
 *                        is NULL.
 * \param [out] cut       Free with hesca_cut_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also: not a tree), HESCA_ERR_NOMEM or
 *         HESCA_ERR_UNSUPPORTED: no connected parts within the limits exist,
 *         or the heuristic finds none; the text says which. */
HESCA_API int hesca_cut_tree(int p, const hesca_speed *const *speed,
                             const hesca_graph *tree, hesca_cut **cut);

/** Free a cut; NULL is allowed. */
HESCA_API void hesca_cut_free(hesca_cut *cut);

/** Number of parts. */
HESCA_API int hesca_cut_parts(const hesca_cut *cut);

/** [n] The part of each vertex; valid as long as the cut. */
HESCA_API const int *hesca_cut_part(const hesca_cut *cut);

/** Weight of the edges between parts. */
HESCA_API int64_t hesca_cut_weight(const hesca_cut *cut);

/** Number of the edges between parts. */
HESCA_API int64_t hesca_cut_edges(const hesca_cut *cut);

/** Communication volume.  For a graph: the sum over vertices of the number of
 * other parts with neighbours; for a hypergraph: the connectivity. */
HESCA_API int64_t hesca_cut_volume(const hesca_cut *cut);

/** Number of vertices of part i, 0 <= i < p. */
HESCA_API int64_t hesca_cut_count(const hesca_cut *cut, int i);

/** Weight of part i. */
HESCA_API int64_t hesca_cut_load(const hesca_cut *cut, int i);

/** Target of the weight of part i. */
HESCA_API double hesca_cut_target(const hesca_cut *cut, int i);

/** Weight of the vertices of one subset, 0 or 1, in part i; without vtype all
 * vertices are in subset 0. */
HESCA_API int64_t hesca_cut_subset_load(const hesca_cut *cut, int subset,
                                        int i);

/** Target of the weight of one subset in part i. */
HESCA_API double hesca_cut_subset_target(const hesca_cut *cut, int subset,
                                         int i);

/** The largest |load - target| / target of a part (and subset); for a target
 * of 0: 0, or INFINITY if the load is not 0. */
HESCA_API double hesca_cut_deviation(const hesca_cut *cut);

/** The largest time, weight / speed. */
HESCA_API double hesca_cut_time(const hesca_cut *cut);

/** The deviation of the engine's parts, before they were balanced. */
HESCA_API double hesca_cut_raw_deviation(const hesca_cut *cut);

/** The objective, weight or connectivity, of the engine's parts. */
HESCA_API int64_t hesca_cut_raw_weight(const hesca_cut *cut);

/** The engine used: never HESCA_ENGINE_AUTO.  Libraries are not used for parts
 * of less than four vertices. */
HESCA_API int hesca_cut_engine(const hesca_cut *cut);

/** For a tree: whether the largest time is minimal; else 0. */
HESCA_API int hesca_cut_is_exact(const hesca_cut *cut);

#ifdef __cplusplus
}
#endif

#endif
