/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hdpi.h
 * HDPI, the Heterogeneous Data Partitioning Interface: partitions of sets,
 * matrices, graphs and trees in proportion to the speeds of processors.
 *
 * Names and arguments are those of the HMPI thesis (chapter 4 and its
 * reference, part 4).  Every function is local and pure: with the same
 * arguments it gives the same result on every process.
 * hesca/experimental/shares.h, hesca/experimental/tiling.h and
 * hesca/experimental/cut.h offer the same in 64 bits, with objects for
 * results.  Programs link libhdpi and libhesca: pkg-config --libs hdpi.
 *
 * Arguments that all Partition_ functions have in common:
 * - p: parts, one for each processor; >= 1.
 * - pn: knots of each speed function; >= 1.
 * - speeds: [p][pn] speed of a processor at each of its knots, 1e-250 ...
 *   1e250; 0 at the last of several knots means a size that cannot be solved.
 *   NULL: all are equal, pn is ignored, and psizes must be NULL.
 * - psizes: [p][pn] problem sizes of the knots, elements, > 0, ascending; size
 *   / speed must ascend (hesca/experimental/speed.h).  NULL: pn is 1, and
 *   speeds are constant.
 * - mlimits: [p] most elements that a processor can hold, >= 0 (elements, also
 *   if they have weights).  NULL: no limits.
 *
 * They return 0, or -1; then hesca_error_text() gives the reason, and nothing
 * is written. */
#ifndef HDPI_H
#define HDPI_H

#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** type_of_metric */
enum {
    SYSTEM_DEFINED = 0, /**< (T - T_ideal) / T_ideal, T = the largest size /
                             speed */
    USER_SPECIFIED = 1  /**< the value of umf */
};

/** type_of_distribution */
enum {
    CARTESIAN = 0,    /**< rows and columns of the grid are aligned */
    ROW_BASED = 1,    /**< rows of the grid are aligned */
    COLUMN_BASED = 2, /**< columns of the grid are aligned */
    RECURSIVE = 3     /**< recursive bisection */
};

/** type_of_partitioning */
enum {
    PARTITION_SUBSET = 0, /**< each subset of vertices is balanced
                               separately */
    PARTITION_OTHER = 1   /**< only all vertices together are balanced */
};

/* ------------------------------------------------ sets (thesis 4.3) */

/** The quality of a partition.
 * \param [in] p              Parts.
 * \param [in] speeds         [p] Speeds at the actual sizes.
 * \param [in] actual, ideal  [p] Elements, or weights if there are any; ideal
 *                            is rounded. */
typedef double (*User_defined_metric)(int p, const double *speeds,
                                      const int *actual, const int *ideal);

/** Partition a set of n elements, in any order, into p parts.
 *
 * The largest time, size / speed, is minimal: exactly without weights; with
 * weights, as found by hesca_shares_create_weighted().
 * \param [in]  p, pn, speeds, psizes, mlimits  See above.
 * \param [in]  n       Elements, >= 0.
 * \param [in]  w       [n] Weights, >= 0, or NULL.
 * \param [in]  type_of_metric, umf  Used only if metric is not NULL.
 * \param [out] metric  Quality, or NULL.
 * \param [out] np      w NULL: [p] elements of each part.  Else: [n] the part
 *                      of each element. */
HESCA_API int Partition_unordered_set(int p, int pn, const double *speeds,
                                      const int *psizes, const int *mlimits,
                                      int n, const int *w, int type_of_metric,
                                      User_defined_metric umf, double *metric,
                                      int *np);

/** Partition a set whose elements have an order into p contiguous parts.
 *
 * The largest time is minimal: exactly, except if more than 12 processors may
 * be reordered; then as found by hesca_shares_create_ordered().
 * \param p, pn, speeds, psizes, mlimits, n, w, type_of_metric, umf,
 *              metric  As in Partition_unordered_set().
 * \param [in]  processor_reordering  Whether parts may come in another order
 *                                    than processors; only with weights.
 * \param [out] np  w NULL or no reordering: [p + 1] part i has elements np[i]
 *                  ... np[i + 1] - 1.  Else: [2 p] pairs (processor, elements)
 *                  in the order of the elements. */
HESCA_API int
Partition_ordered_set(int p, int pn, const double *speeds, const int *psizes,
                      const int *mlimits, int n, const int *w,
                      int processor_reordering, int type_of_metric,
                      User_defined_metric umf, double *metric, int *np);

/** The processor that has element i of an ordered set of n elements; np is the
 * result of Partition_ordered_set(), processor_reordering its argument (0 if w
 * was NULL).  -1 on failure. */
HESCA_API int Get_set_processor(int i, int n, int p, int processor_reordering,
                                const int *np);

/** Elements of processor i, out of n, for constant speeds; -1 on failure. */
HESCA_API int Get_my_partition(int i, int p, const double *speeds, int n);

/* ------------------------------------------------ matrices (thesis 4.4) */

/** Coordinates of a processor in its grid. */
typedef struct {
    int i; /**< row */
    int j; /**< column */
} Processor;

/** h[I][J][K][L] of an array h of shape [p][q][p][q] in scope: rows that
 * the rectangles of (I,J) and (K,L) have in common. */
#ifndef HDPI_NO_MACROS
#define H(p, q, I, J, K, L) (h[(((I) * (q) + (J)) * (p) + (K)) * (q) + (L)])
#endif

/** Partition an m x n generalized block among a p x q grid of processors: p
 * grid rows, q grid columns (the thesis also uses the reverse order).
 *
 * The area of each rectangle is proportional to speed, as far as the shape and
 * whole rows and columns allow; if speeds are not constant, or limits are
 * exceeded, the largest size / speed is minimized instead, exactly for
 * ROW_BASED and COLUMN_BASED.
 * \param [in]  p, q   Shape of the grid.
 * \param [in]  pn, speeds, psizes, mlimits  See above; speeds and psizes are
 *                     [p][q][pn], mlimits [p][q].
 * \param [in]  m, n   Rows and columns, >= 0.
 * \param [in]  type_of_distribution  CARTESIAN, ROW_BASED, COLUMN_BASED; or
 *                     RECURSIVE, which the thesis names without a definition:
 *                     the grid is halved recursively along its longer side,
 *                     columns if it is square, and the block with it.
 * \param [out] w      [p q] widths.
 * \param [out] h      [p][q][p][q] heights and overlaps: see H().
 * \param [out] trow, tcol  [p q] row and column of the top left corner, or
 *                     NULL.
 * \param [out] ci, cj [m n] coordinates of the owner of (i,j) at [i n + j], or
 *                     NULL. */
HESCA_API int Partition_matrix_2d(int p, int q, int pn, const double *speeds,
                                  const int *psizes, const int *mlimits, int m,
                                  int n, int type_of_distribution, int *w,
                                  int *h, int *trow, int *tcol, int *ci,
                                  int *cj);

/** A lower bound of the value of partitions of an m x n matrix.
 *
 * Functions of users are passed a constant speed for each processor: a speed
 * function is replaced by its size in the partition of a set of m n elements,
 * divided by the time of that partition.
 * \param [in] p       Processors.
 * \param [in] speeds  [p] In the order of the function used with it.
 * \param [in] m, n    Rows and columns. */
typedef double (*Get_lower_bound)(int p, const double *speeds, int m, int n);

/** The best value for `rectangles` rectangles in `rowsorcolumns` rows or
 * columns.
 *
 * It is called for rowsorcolumns = 1 ... p and rectangles = rowsorcolumns ...
 * p.
 * \param [in]  rowsorcolumns, rectangles  The subproblem.
 * \param [in]  p       Processors.
 * \param [in]  previous_values  previous_values[c][r]: the value of r
 *                      rectangles in c < rowsorcolumns rows or columns;
 *                      previous_values[0][0] is 0, and INFINITY means that
 *                      there is no value.
 * \param [in]  speeds  [p] Ascending: the first rectangles are those of the
 *                      slowest processors, in the first row or column.
 * \param [out] r  Rectangles in the rows or columns before the last,
 *                 rowsorcolumns - 1 ... rectangles - 1. */
typedef double (*DP_function)(int rowsorcolumns, int rectangles, int p,
                              const double *speeds,
                              const double **previous_values, int *r);

/** The value of a partition, which is minimized; negative: no other is better.
 */
typedef double (*Iterative_function)(int p, const int *w, const int *h,
                                     const int *trow, const int *tcol);

/** Improve a partition, and return its value; negative: no improvement.  Of h
 * only the heights, on the diagonal, are used afterwards. */
typedef double (*Refining_function)(int p, int pn, const double *speeds,
                                    const int *psizes, const int *mlimits,
                                    int m, int n, int *w, int *h, int *trow,
                                    int *tcol);

/** Partition an m x n matrix among a linear array of p processors, in rows or
 * columns of rectangles, by dynamic programming.
 *
 * The search determines the number of rectangles in each row or column; for
 * these numbers the largest size / speed is minimal.  It is an error if a
 * function returns NAN, or *r out of range.
 * \param [in]  p, pn, speeds, psizes, mlimits  See above.
 * \param [in]  m, n   Rows and columns, >= 0.
 * \param [in]  lb     A value <= lb() of p rectangles ends the search.  NULL:
 *                     no value does.
 * \param [in]  dpf    NULL: the minimal sum of half perimeters, for the shape
 *                     of the matrix (thesis 4.4, after Beaumont et al. 2001);
 *                     then lb is not called.
 * \param [in]  type_of_distribution  ROW_BASED or COLUMN_BASED.
 * \param [out] w      [p] widths.
 * \param [out] h      [p][p] heights and overlaps.
 * \param [out] trow, tcol  [p] corners, or NULL.
 * \param [out] c      [m n] owner of (i,j) at [i n + j], or NULL. */
HESCA_API int Partition_matrix_1d_dp(int p, int pn, const double *speeds,
                                     const int *psizes, const int *mlimits,
                                     int m, int n, Get_lower_bound lb,
                                     DP_function dpf, int type_of_distribution,
                                     int *w, int *h, int *trow, int *tcol,
                                     int *c);

/** The same with rectangles in any arrangement: the candidate of minimal
 * value, the first of several.
 *
 * Candidates are columns of every number 1 ... p, rows of every number, each
 * with the minimal sum of half perimeters, and recursive bisection, in that
 * order; those that exceed limits are left out.  A value <= lb() or negative
 * ends the search.
 * \param p, pn, speeds, psizes, mlimits, m, n, lb, w, h, trow, tcol, c
 *                 As in Partition_matrix_1d_dp().
 * \param [in] cf  NULL: the sum of half perimeters. */
HESCA_API int
Partition_matrix_1d_iterative(int p, int pn, const double *speeds,
                              const int *psizes, const int *mlimits, int m,
                              int n, Get_lower_bound lb, Iterative_function cf,
                              int *w, int *h, int *trow, int *tcol, int *c);

/** The same, refined by `rf` as long as its value decreases.
 *
 * A value that is negative, or not less than the one before, undoes the last
 * step and ends the refinement, as does a value <= lb(), which undoes nothing.
 * It is an error if the rectangles do not cover the matrix, each element once;
 * rf is responsible for limits.
 * \param p, pn, speeds, psizes, mlimits, m, n, lb, c
 *                     As in Partition_matrix_1d_dp().
 * \param [in] rf      The refining function.
 * \param [in,out] w, h, trow, tcol  The initial partition, if these are
 *                     rectangles that cover the matrix (of h only heights are
 *                     used); else it is that of Partition_matrix_1d_dp() with
 *                     COLUMN_BASED and without functions.  All are read: set
 *                     w[0] to -1 to request the latter.  None may be NULL. */
HESCA_API int
Partition_matrix_1d_refining(int p, int pn, const double *speeds,
                             const int *psizes, const int *mlimits, int m,
                             int n, Get_lower_bound lb, Refining_function rf,
                             int *w, int *h, int *trow, int *tcol, int *c);

/* The functions below take w, h, trow and tcol from Partition_matrix_2d().
 * trow or tcol may be NULL, and are then derived, except for RECURSIVE.  The
 * models of the thesis call some of the functions with fewer arguments; these
 * are the forms of its reference. */

/** The owner of row r, column c of a generalized block; 0 or -1. */
HESCA_API int Get_matrix_processor(int r, int c, int p, int q, int *w, int *h,
                                   int *trow, int *tcol,
                                   int type_of_distribution, Processor *root);

/** Width of the rectangle of (i,j) in an m x n block, as of
 * Partition_matrix_2d() with constant speeds, [p][q] or NULL; -1 on
 * failure. */
HESCA_API int Get_my_width(int i, int j, int p, int q, const double *speeds,
                           int type_of_distribution, int m, int n);

/** Height of the rectangle of (i,j), likewise. */
HESCA_API int Get_my_height(int i, int j, int p, int q, const double *speeds,
                            int type_of_distribution, int m, int n);

/** Elements of the diagonal of one square generalized block in the rectangle
 * of (i,j); -1 on failure. */
HESCA_API int Get_diagonal(int i, int j, int p, int q, int *w, int *h,
                           int *trow, int *tcol);

/** Elements of an n x n matrix of generalized blocks g x g that (i,j) owns in
 * the upper ('U') or lower ('L') half, with the diagonal; the last blocks may
 * be truncated.  -1 on failure, also if an int cannot represent the number:
 * see hesca_tiling_triangle(). */
HESCA_API int Get_my_elements(int n, int g, int i, int j, int p, int q, int *w,
                              int *h, int *trow, int *tcol,
                              int type_of_distribution, char upper_or_lower);

/** The same for the rows and columns from k on, 0 <= k <= n. */
HESCA_API int Get_my_kk_elements(int n, int g, int k, int i, int j, int p,
                                 int q, int *w, int *h, int *trow, int *tcol,
                                 int type_of_distribution,
                                 char upper_or_lower);

/** Corners of the rectangles of a column-based m x m grid from heights and
 * widths, of which only the first m are used; 0 or -1. */
HESCA_API int Get_trow_tcol(int m, const int *w, const int *h, int *trow,
                            int *tcol);

/* ------------------------------------------------ graphs (thesis 4.5) */

/** Partition a graph such that few edges are cut.
 *
 * Parts have vertices, or weight, in proportion to speed, within 3 % or one
 * vertex, and never more vertices than mlimits; with both mlimits and weights,
 * within 3 % only if exchanges of vertices achieve it.  The engine is METIS,
 * SCOTCH or HESCA itself, the first of them that was built
 * (hesca/experimental/cut.h, which also reports the weights of parts and the
 * communication volume).  Speeds are taken at sizes in units of weight.
 *
 * \param [in]  p, pn, speeds, psizes, mlimits  See above.
 * \param [in]  n, m       Vertices and edges, >= 0.
 * \param [in]  vwgt       [n] Weights of vertices, >= 0, or NULL: 1.
 * \param [in]  xadj       [n + 1] Neighbours of v are adjacency[xadj[v]] ...
 *                         adjacency[xadj[v + 1] - 1]; xadj[n] = 2 m.
 * \param [in]  adjacency  [2 m] Every edge is listed at both ends; no loops.
 * \param [in]  adjwgt     [2 m] Weights of edges, >= 0, equal at both ends, or
 *                         NULL: 1.
 * \param [in]  nopts      Number of options.
 * \param [in]  options    [nopts] METIS's options, in its numbering, of which
 *                         -1 is the default: hesca_cut_options.  Without METIS
 *                         they are only checked.  NULL: none; nopts is 0.
 * \param [out] vp         [n] The part of each vertex.
 * \param [out] edgecut    Weight of the edges between parts; it is an error
 *                         if an int cannot represent it. */
HESCA_API int Partition_graph(int p, int pn, const double *speeds,
                              const int *psizes, const int *mlimits, int n,
                              int m, const int *vwgt, const int *xadj,
                              const int *adjacency, const int *adjwgt,
                              int nopts, const int *options, int *vp,
                              int *edgecut);

/** Partition a bipartite graph.
 * \param [in] vtype  [n] 0 or 1: the subset of each vertex; no edge is within
 *                    a subset.
 * \param [in] type_of_partitioning  PARTITION_SUBSET: both subsets are in
 *                    proportion to speed separately, with the proportion of
 *                    the whole.
 * \param p, pn, speeds, psizes, mlimits, n, m, vwgt, xadj, adjacency,
 *                    adjwgt, nopts, options, vp, edgecut
 *                    As in Partition_graph(). */
HESCA_API int Partition_bipartite_graph(
    int p, int pn, const double *speeds, const int *psizes, const int *mlimits,
    int n, int m, const int *vtype, const int *vwgt, const int *xadj,
    const int *adjacency, const int *adjwgt, int type_of_partitioning,
    int nopts, const int *options, int *vp, int *edgecut);

/** Partition a hypergraph.  The order of arguments is that in the text of the
 * thesis; its reference has vp before nopts.
 *
 * \param p, pn, speeds, psizes, mlimits, nopts, options, vp
 *                          As in Partition_graph().
 * \param [in]  nv, nedges  Vertices and edges, >= 0.
 * \param [in]  vwgt, hwgt  [nv], [nedges] Weights, >= 0, or NULL: 1.
 * \param [in]  hptr, hind  [nedges + 1] Edge e spans vertices hind[hptr[e]]
 *                          ... hind[hptr[e + 1] - 1], each once.
 * \param [out] edgecut     Weight of the edges that span several parts, which
 *                          is minimized. */
HESCA_API int Partition_hypergraph(int p, int pn, const double *speeds,
                                   const int *psizes, const int *mlimits,
                                   int nv, int nedges, const int *vwgt,
                                   const int *hptr, const int *hind,
                                   const int *hwgt, int nopts,
                                   const int *options, int *vp, int *edgecut);

/* ------------------------------------------------ trees (thesis 4.6) */

/** Partition a tree into p connected parts, of which some may be empty.
 *
 * The largest time, size / speed, is small, and minimal for few or for equal
 * processors (hesca_cut_tree() in hesca/experimental/cut.h); it is an error if
 * no connected parts within mlimits are found.
 * \param [in]  p, pn, speeds, psizes, mlimits  See above.
 * \param [in]  n                Vertices, >= 0.
 * \param [in]  nedges           n - 1, or 0 without vertices.
 * \param [in]  nwgt             [n] Weights, >= 0, or NULL: 1.
 * \param [in]  xadj, adjacency  As for a graph, every edge once (from parent
 *                               to child, or from child to parent) or at both
 *                               ends.
 * \param [in]  adjwgt           As adjacency, or NULL: 1.
 * \param [out] vp               [n] The part of each vertex.
 * \param [out] edgecut          Weight of the edges between parts; without
 *                               weights one less than the number of parts that
 *                               are not empty. */
HESCA_API int Partition_tree(int p, int pn, const double *speeds,
                             const int *psizes, const int *mlimits, int n,
                             int nedges, const int *nwgt, const int *xadj,
                             const int *adjacency, const int *adjwgt, int *vp,
                             int *edgecut);

#ifdef __cplusplus
}
#endif

#endif
