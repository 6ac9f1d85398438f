/** \file hesca/experimental/cut.h
 * Which vertex of a graph, a hypergraph or a tree for whom: parts in
 * proportion to speed that are little connected with each other.
 *
 * What each part is to weigh follows from the models of the processors, as of
 * a set (hesca/experimental/shares.h): of n vertices, or of the sum of their
 * weights. METIS or SCOTCH, if HESCA was configured with them, or HESCA
 * itself, finds parts that cut few edges; afterwards vertices are moved, those
 * that cost least, until all parts are within a tolerance of their targets or
 * no vertex that is moved brings them nearer.  That no processor has more
 * vertices than its model's limit is sure, whatever the rest; the tolerance is
 * not: hesca_cut_deviation() tells how far parts are from their targets.  To
 * meet targets that differ with a least cut is open (HMPI thesis, table 4.7):
 * all of this is heuristic, but for trees of few processors.
 *
 * Local: the same on every process that has the same library behind.  Options
 * and seeds are fixed; METIS reseeds the C library's rand().
 * Source: HMPI thesis 4.5, 4.6. */
#ifndef HESCA_EXPERIMENTAL_CUT_H
#define HESCA_EXPERIMENTAL_CUT_H

#include "hesca/experimental/speed.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_cut hesca_cut; /**< Opaque: parts, and what they cut. */

/** Who partitions. */
typedef enum {
    HESCA_ENGINE_AUTO = 0,   /**< METIS, else SCOTCH, else HESCA itself */
    HESCA_ENGINE_OWN = 1,    /**< HESCA: coarsening, growth, refinement */
    HESCA_ENGINE_METIS = 2,  /**< METIS 5 */
    HESCA_ENGINE_SCOTCH = 3, /**< SCOTCH 7 */
    HESCA_ENGINE_COUNT = 4
} hesca_engine;

/** "auto", "own", "metis", "scotch"; NULL for another number. */
HESCA_API const char *hesca_engine_name(int engine);

/** Whether HESCA was configured with it. */
HESCA_API int hesca_engine_is_built(int engine);

/** What is to be small, of a hypergraph. */
typedef enum {
    HESCA_CUT_EDGES = 0,       /**< weight of edges that span several parts */
    HESCA_CUT_CONNECTIVITY = 1 /**< weight times (parts spanned - 1) */
} hesca_cut_objective;

/** How to partition; all 0 is the default. */
typedef struct {
    int engine;         /**< hesca_engine */
    int objective;      /**< hesca_cut_objective; graphs: 0 */
    double tolerance;   /**< how far a part may be from its target, relative to
                             it, 0 < tolerance < 1; 0: 0.03 */
    int nopts;          /**< entries of options, 0 ... 40 */
    const int *options; /**< for METIS, in its numbering: -1 is its default;
                             options[0] (PTYPE) 1 is k-way partitioning, else
                             recursive bisection; no DBGLVL, no contiguous
                             parts, no NUMBERING but 0.  NULL: none.  Other
                             engines take none of them. */
} hesca_cut_options;

/** A graph: undirected, without loops, every edge once at either end. */
typedef struct {
    int64_t n;           /**< vertices, >= 0 */
    const int64_t *xadj; /**< [n + 1] neighbours of v are adjacency[xadj[v]]
                              ... adjacency[xadj[v + 1] - 1]; xadj[0] = 0 */
    const int64_t *adjacency; /**< [xadj[n]] */
    const int64_t *vwgt;      /**< [n] weights, >= 0, or NULL: 1 */
    const int64_t
        *adjwgt;      /**< [xadj[n]] >= 0, alike at both ends, or NULL: 1 */
    const int *vtype; /**< [n] 0 or 1: the subset of each vertex, each
                           of which is to be in proportion to speed by
                           itself; or NULL */
} hesca_graph;

/** Partition a graph.
 *
 * With limits and weights, the target of a processor is at most its limit
 * times the mean weight; vertices are counted against the limit as such. Where
 * that leaves no room to move a vertex, heavy vertices of one part are
 * exchanged with light ones of another, whatever edges that cuts, in a bounded
 * number of sweeps.  Counts are within the limits then; weights are within the
 * tolerance as a rule, but may be further away where parts have few vertices,
 * or few vertices have much of the weight.  The work to balance is bounded, of
 * the order of n log n and the edges: many parts that limits bind can be left
 * as they are then.
 *
 * HESCA's own engine takes O((n + xadj[n]) log n) for each of at most ten
 * passes over a level, levels shrinking by halves as a rule, and about 40
 * bytes for each vertex and entry of adjacency.
 *
 * \param [in]  p      Parts, >= 1.
 * \param [in]  speed  [p] Their models, or NULL: all are alike.
 * \param [in]  graph  Weights sum up to at most 2^53.  METIS and SCOTCH count
 *                     in 32 bits, as distributions build them: larger graphs
 *                     are for HESCA's own engine; larger weights are scaled.
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
    int64_t n, nedges;   /**< vertices and edges, >= 0 */
    const int64_t *vwgt; /**< [n] >= 0, or NULL: 1 */
    const int64_t *hptr; /**< [nedges + 1] edge e spans hind[hptr[e]] ...
                              hind[hptr[e + 1] - 1], each once; hptr[0] = 0 */
    const int64_t *hind; /**< [hptr[nedges]] */
    const int64_t *hwgt; /**< [nedges] >= 0, or NULL: 1 */
} hesca_hypergraph;

/** Partition a hypergraph.  METIS and SCOTCH begin with a graph whose edges
 * stand for those of the hypergraph; what follows counts hyperedges.  An edge
 * that spans more than 64 parts draws no vertex into a part, but is counted as
 * any other.
 *
 * The communication volume of a graph is the connectivity of the hypergraph
 * that has an edge for every vertex and its neighbours.
 * Arguments and errors are those of hesca_cut_graph(). */
HESCA_API int hesca_cut_hypergraph(int p, const hesca_speed *const *speed,
                                   const hesca_hypergraph *hypergraph,
                                   const hesca_cut_options *how,
                                   hesca_cut **cut);

/** Partition a tree into connected parts, of which some may be empty, such
 * that the largest time, weight / speed, is small.
 *
 * It is the least possible where all processors are alike, limits included,
 * and where there are at most 10 and n 3^p <= 6 10^6: hesca_cut_is_exact().
 * More processors, and weights together with limits, are for a heuristic,
 * which halves the tree and shifts cuts.  Edge weights are not looked at: one
 * edge less is cut than there are parts with vertices.
 *
 * For each time that bisection tries it takes O(n log n) where all are alike
 * and O(n 3^p) for few processors, with 10 n 2^p bytes; the heuristic takes
 * O(n log p) as a rule, O(n p) at worst, then looks at some 10^8 vertices at
 * most, with 70 bytes for each vertex.
 *
 * \param [in]  p, speed  As above.
 * \param [in]  tree      Edges once (from either end) or at both ends; vtype
 *                        is NULL.
 * \param [out] cut       Free with hesca_cut_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also: not a tree), HESCA_ERR_NOMEM or
 *         HESCA_ERR_UNSUPPORTED: no connected parts within the limits exist,
 *         or the heuristic finds none; the text tells which. */
HESCA_API int hesca_cut_tree(int p, const hesca_speed *const *speed,
                             const hesca_graph *tree, hesca_cut **cut);

HESCA_API void hesca_cut_free(hesca_cut *cut); /**< NULL is allowed. */

HESCA_API int hesca_cut_parts(const hesca_cut *cut);

/** [n] The part of each vertex; valid as long as the cut. */
HESCA_API const int *hesca_cut_part(const hesca_cut *cut);

/** Weight of the edges between parts, and their number. */
HESCA_API int64_t hesca_cut_weight(const hesca_cut *cut);
HESCA_API int64_t hesca_cut_edges(const hesca_cut *cut);

/** Communication volume.  Of a graph: the other parts that each vertex has
 * neighbours in, summed up; of a hypergraph: the connectivity. */
HESCA_API int64_t hesca_cut_volume(const hesca_cut *cut);

/** Vertices of part i, 0 <= i < p, their weight, and what it should be. */
HESCA_API int64_t hesca_cut_count(const hesca_cut *cut, int i);
HESCA_API int64_t hesca_cut_load(const hesca_cut *cut, int i);
HESCA_API double hesca_cut_target(const hesca_cut *cut, int i);

/** The same of the vertices of one subset, 0 or 1; of a graph without vtype
 * subset 0 is all. */
HESCA_API int64_t hesca_cut_subset_load(const hesca_cut *cut, int subset,
                                        int i);
HESCA_API double hesca_cut_subset_target(const hesca_cut *cut, int subset,
                                         int i);

/** The largest |load - target| / target of a part (and subset); of a target 0:
 * 0, or INFINITY if there is a load. */
HESCA_API double hesca_cut_deviation(const hesca_cut *cut);

/** The largest time, weight / speed. */
HESCA_API double hesca_cut_time(const hesca_cut *cut);

/** What the engine returned, before its parts were balanced: the deviation and
 * the objective, weight or connectivity. */
HESCA_API double hesca_cut_raw_deviation(const hesca_cut *cut);
HESCA_API int64_t hesca_cut_raw_weight(const hesca_cut *cut);

/** The engine that was at work: never HESCA_ENGINE_AUTO.  A library is not
 * asked for parts of less than four vertices. */
HESCA_API int hesca_cut_engine(const hesca_cut *cut);

/** Of a tree: whether no connected parts have a smaller time.  Else 0. */
HESCA_API int hesca_cut_is_exact(const hesca_cut *cut);

#ifdef __cplusplus
}
#endif

#endif
