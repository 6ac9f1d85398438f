/** \file hdpi.h
 * HDPI, the Heterogeneous Data Partitioning Interface: how much of a set, a
 * matrix, a graph or a tree for whom, in proportion to speed.
 *
 * Names and arguments are those of the HMPI thesis (chapter 4 and its
 * reference, part 4).  Every function is local and pure: called with the same
 * arguments it gives the same answer on every process.
 * hesca/experimental/shares.h, hesca/experimental/tiling.h and
 * hesca/experimental/cut.h offer the same in 64 bits, with objects for
 * results.  Programs link libhdpi and libhesca: pkg-config --libs hdpi.
 *
 * Arguments that all Partition_ functions share:
 *   p        Parts, one for each processor; >= 1.
 *   pn       Knots of each speed function; >= 1.
 *   speeds   [p][pn] Speed of a processor at each of its knots, 1e-250 ...
 *            1e250; at the last of several 0 means a size that cannot be
 *            solved any more.  NULL: all are alike, pn is ignored, and
 *            psizes must be NULL.
 *   psizes   [p][pn] Problem sizes of the knots, elements, > 0, ascending;
 *            size / speed must ascend (hesca/experimental/speed.h).  NULL: pn
 * is 1, and speeds are constant. mlimits  [p] Most elements that a processor
 * can hold, >= 0 (elements, also where they have weights).  NULL: no limits.
 * They return 0, or -1; hesca_error_text() tells why then, and nothing is
 * written. */
#ifndef HDPI_H
#define HDPI_H

#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SYSTEM_DEFINED = 0, /**< type_of_metric: (T - T_ideal) / T_ideal, T = the
                             largest size / speed */
    USER_SPECIFIED = 1  /**< umf says */
};

enum { /**< type_of_distribution */
       CARTESIAN = 0,
       ROW_BASED = 1,
       COLUMN_BASED = 2,
       RECURSIVE = 3
};

enum {                       /**< type_of_partitioning */
       PARTITION_SUBSET = 0, /**< each subset of vertices balanced by itself */
       PARTITION_OTHER = 1
};

/* ------------------------------------------------ sets (thesis 4.3) */

/** How good a partition is.
 * \param [in] speeds         [p] At the sizes that were reached.
 * \param [in] actual, ideal  [p] Elements, or weights if there are some;
 *                            ideal is rounded. */
typedef double (*User_defined_metric)(int p, const double *speeds,
                                      const int *actual, const int *ideal);

/** Partition a set of n elements, in any order, into p parts.
 *
 * The largest time, size / speed, is least: exactly so without weights; with
 * them as nearly as hesca_shares_create_weighted() finds.
 * \param [in]  n       >= 0.
 * \param [in]  w       [n] Weights, >= 0, or NULL.
 * \param [in]  type_of_metric, umf  Looked at only if metric is not NULL.
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
 * The largest time is least: exactly so, but where more than 12 processors may
 * be reordered as nearly as hesca_shares_create_ordered() finds.
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

/** The processor that has element i of an ordered set of n elements; np as
 * Partition_ordered_set() made it, reordering as it was asked for (0 where w
 * was NULL).  -1 on failure. */
HESCA_API int Get_set_processor(int i, int n, int p, int processor_reordering,
                                const int *np);

/** Elements of processor i, out of n, by constant speeds; -1 on failure. */
HESCA_API int Get_my_partition(int i, int p, const double *speeds, int n);

/* ------------------------------------------------ matrices (thesis 4.4) */

/** Coordinates of a processor in its grid. */
typedef struct {
    int i;
    int j;
} Processor;

/** h[I][J][K][L] of an array h of shape [p][q][p][q] in scope: rows of the
 * rectangle of (I,J) that are rows of that of (K,L) as well. */
#ifndef HDPI_NO_MACROS
#define H(p, q, I, J, K, L) (h[(((I) * (q) + (J)) * (p) + (K)) * (q) + (L)])
#endif

/** Partition an m x n generalized block among a p x q grid of processors: p
 * grid rows, q grid columns (the thesis also has it the other way round).
 *
 * The area of each rectangle is proportional to speed, as far as the shape and
 * whole rows and columns allow; where speeds are no constants, or that does
 * not keep limits, the largest size / speed is least instead, exactly so for
 * ROW_BASED and COLUMN_BASED.  Speeds are [p][q][pn], mlimits [p][q].
 * \param [in]  m, n   Rows and columns, >= 0.
 * \param [in]  type_of_distribution  CARTESIAN, ROW_BASED, COLUMN_BASED; or
 *                     RECURSIVE, which the thesis names without saying what it
 *                     is: the grid is halved along its longer side, columns if
 *                     it is square, again and again, and the block with it.
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

/** A lower bound of what a partition of an m x n matrix can reach.
 *
 * Functions of users are given a constant speed for each processor: speed
 * functions become the size they have in the partition of a set of m n
 * elements, divided by the time that takes.
 * \param [in] speeds  [p] In the order that the function beside it has. */
typedef double (*Get_lower_bound)(int p, const double *speeds, int m, int n);

/** The best value for `rectangles` rectangles in `rowsorcolumns` rows or
 * columns, of previous_values[c][r], r rectangles in c < rowsorcolumns.  It is
 * called for rowsorcolumns = 1 ... p and rectangles = rowsorcolumns ... p;
 * previous_values[0][0] is 0, and where there is no value it is INFINITY.
 * \param [in]  speeds  [p] Ascending: the first rectangles are those of the
 *                      slowest processors, in the first row or column.
 * \param [out] r  Rectangles in the rows or columns before the last,
 *                 rowsorcolumns - 1 ... rectangles - 1. */
typedef double (*DP_function)(int rowsorcolumns, int rectangles, int p,
                              const double *speeds,
                              const double **previous_values, int *r);

/** The value of a partition, to be least; negative: no other is better. */
typedef double (*Iterative_function)(int p, const int *w, const int *h,
                                     const int *trow, const int *tcol);

/** Make a partition better, and tell its value; negative: it cannot be.  Of h
 * only the heights, on the diagonal, are looked at afterwards. */
typedef double (*Refining_function)(int p, int pn, const double *speeds,
                                    const int *psizes, const int *mlimits,
                                    int m, int n, int *w, int *h, int *trow,
                                    int *tcol);

/** Partition an m x n matrix among a linear array of p processors, in rows or
 * columns of rectangles, by dynamic programming.
 *
 * What is found is the number of rectangles in each row or column; within that
 * the largest size / speed is least.  A function that returns NAN, or *r out
 * of range, is an error.
 * \param [in]  lb     A value <= lb() of p rectangles ends the search.  NULL:
 *                     none does.
 * \param [in]  dpf    NULL: the least sum of half perimeters, for the shape
 *                     the matrix has (thesis 4.4, after Beaumont et al. 2001);
 *                     lb is not called then.
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

/** The same in general rectangles: the candidate of least value, the first of
 * several.
 *
 * Candidates are columns of every number 1 ... p, rows of every number, each
 * with the least sum of half perimeters, and recursive bisection, in that
 * order; those that do not keep the limits are left out.  A value <= lb() or
 * negative ends the search.
 * \param [in] cf  NULL: the sum of half perimeters. */
HESCA_API int
Partition_matrix_1d_iterative(int p, int pn, const double *speeds,
                              const int *psizes, const int *mlimits, int m,
                              int n, Get_lower_bound lb, Iterative_function cf,
                              int *w, int *h, int *trow, int *tcol, int *c);

/** The same, refined by `rf` as long as its value falls; one that is negative,
 * or not less than that before, takes the last step back, and one <= lb() ends
 * it.  Rectangles that do not cover the matrix, each element once, are an
 * error; limits are rf's to keep.
 * \param [in,out] w, h, trow, tcol  What it begins with, if these are
 *                     rectangles that cover the matrix (of h the heights
 *                     count); else what Partition_matrix_1d_dp() makes of
 *                     COLUMN_BASED without functions.  All are read: set w[0]
 *                     to -1 for the latter.  None may be NULL. */
HESCA_API int
Partition_matrix_1d_refining(int p, int pn, const double *speeds,
                             const int *psizes, const int *mlimits, int m,
                             int n, Get_lower_bound lb, Refining_function rf,
                             int *w, int *h, int *trow, int *tcol, int *c);

/* The functions below take w, h, trow and tcol as Partition_matrix_2d() made
 * them.  trow or tcol may be NULL, and are derived then; not for RECURSIVE.
 * The models of the thesis call some of them with arguments left out: these
 * are the forms of its reference. */

/** The owner of row r, column c of a generalized block; 0 or -1. */
HESCA_API int Get_matrix_processor(int r, int c, int p, int q, int *w, int *h,
                                   int *trow, int *tcol,
                                   int type_of_distribution, Processor *root);

/** Width and height of the rectangle of (i,j) in an m x n block, as
 * Partition_matrix_2d() with constant speeds, [p][q] or NULL, gives them; -1
 * on failure. */
HESCA_API int Get_my_width(int i, int j, int p, int q, const double *speeds,
                           int type_of_distribution, int m, int n);
HESCA_API int Get_my_height(int i, int j, int p, int q, const double *speeds,
                            int type_of_distribution, int m, int n);

/** Elements of the diagonal of one square generalized block in the rectangle
 * of (i,j); -1 on failure. */
HESCA_API int Get_diagonal(int i, int j, int p, int q, int *w, int *h,
                           int *trow, int *tcol);

/** Elements of an n x n matrix of generalized blocks g x g that (i,j) owns in
 * the upper ('U') or lower ('L') half, with the diagonal; the last blocks may
 * be cut off.  -1 on failure, also if an int cannot tell: see
 * hesca_tiling_triangle(). */
HESCA_API int Get_my_elements(int n, int g, int i, int j, int p, int q, int *w,
                              int *h, int *trow, int *tcol,
                              int type_of_distribution, char upper_or_lower);

/** The same of the rows and columns from k on, 0 <= k <= n. */
HESCA_API int Get_my_kk_elements(int n, int g, int k, int i, int j, int p,
                                 int q, int *w, int *h, int *trow, int *tcol,
                                 int type_of_distribution,
                                 char upper_or_lower);

/** Corners of the rectangles of an m x m grid, column-based, of heights and of
 * widths, of which the first m are looked at; 0 or -1. */
HESCA_API int Get_trow_tcol(int m, const int *w, const int *h, int *trow,
                            int *tcol);

/* ------------------------------------------------ graphs (thesis 4.5) */

/** Partition a graph such that few edges are cut.
 *
 * Parts hold vertices, or weight, in proportion to speed, within 3 % or one
 * vertex, and never more vertices than mlimits; with mlimits and weights both,
 * within 3 % only as far as exchanges of vertices lead there.  By METIS, by
 * SCOTCH or by HESCA itself, whichever of them was built, in this order
 * (hesca/experimental/cut.h, which also tells what each part weighs, and the
 * communication volume).  Speeds are taken at sizes in units of weight.
 *
 * \param [in]  n, m       Vertices and edges, >= 0.
 * \param [in]  vwgt       [n] Weights of vertices, >= 0, or NULL: 1.
 * \param [in]  xadj       [n + 1] Neighbours of v are adjacency[xadj[v]] ...
 *                         adjacency[xadj[v + 1] - 1]; xadj[n] = 2 m.
 * \param [in]  adjacency  [2 m] Every edge once at either end, no loops.
 * \param [in]  adjwgt     [2 m] Weights of edges, >= 0, alike at both ends, or
 *                         NULL: 1.
 * \param [in]  options    [nopts] METIS's options, in its numbering, of which
 *                         -1 is the default: hesca_cut_options.  Without METIS
 *                         they are checked only.  NULL: none, nopts is 0.
 * \param [out] vp         [n] The part of each vertex.
 * \param [out] edgecut    Weight of the edges between parts; to be more than
 *                         an int holds is an error. */
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
 *                    proportion to speed, each by itself; the proportion is
 *                    that of the whole. */
HESCA_API int Partition_bipartite_graph(
    int p, int pn, const double *speeds, const int *psizes, const int *mlimits,
    int n, int m, const int *vtype, const int *vwgt, const int *xadj,
    const int *adjacency, const int *adjwgt, int type_of_partitioning,
    int nopts, const int *options, int *vp, int *edgecut);

/** Partition a hypergraph.  The order of arguments is that of the thesis'
 * text; its reference has vp before nopts.
 *
 * \param [in]  vwgt, hwgt  [nv], [nedges] Weights, >= 0, or NULL: 1.
 * \param [in]  hptr, hind  [nedges + 1] Edge e spans vertices hind[hptr[e]]
 *                          ... hind[hptr[e + 1] - 1], each once.
 * \param [out] edgecut     Weight of the edges that span several parts; it is
 *                          what is made small. */
HESCA_API int Partition_hypergraph(int p, int pn, const double *speeds,
                                   const int *psizes, const int *mlimits,
                                   int nv, int nedges, const int *vwgt,
                                   const int *hptr, const int *hind,
                                   const int *hwgt, int nopts,
                                   const int *options, int *vp, int *edgecut);

/* ------------------------------------------------ trees (thesis 4.6) */

/** Partition a tree into p connected parts, of which some may be empty.
 *
 * The largest time, size / speed, is small, and the least for few or alike
 * processors (hesca_cut_tree() in hesca/experimental/cut.h); it fails where no
 * connected parts within mlimits are found. \param [in]  nedges           n -
 * 1, or 0 without vertices. \param [in]  nwgt             [n] Weights, >= 0,
 * or NULL: 1. \param [in]  xadj, adjacency  As of a graph, every edge once
 * (parent to child, or the other way) or at both ends. \param [in]  adjwgt As
 * adjacency, or NULL: 1. \param [out] edgecut          Weight of the edges
 * between parts; without weights one less than parts that are not empty. */
HESCA_API int Partition_tree(int p, int pn, const double *speeds,
                             const int *psizes, const int *mlimits, int n,
                             int nedges, const int *nwgt, const int *xadj,
                             const int *adjacency, const int *adjwgt, int *vp,
                             int *edgecut);

#ifdef __cplusplus
}
#endif

#endif
