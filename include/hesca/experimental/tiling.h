/** \file hesca/experimental/tiling.h
 * Which rectangle of a matrix for whom: an m x n matrix, or one generalized
 * block of a matrix that repeats it, cut into a rectangle for each processor.
 *
 * Areas are in proportion to speed, or such that the largest time, area /
 * speed, is least; shapes keep half perimeters, height + width, small, which
 * is what a step of a matrix multiplication sends.  Choose
 *   hesca_tiling_create_grid()       if it is settled who sits where in a grid
 *                                    (slices: a grid of p x 1 or 1 x p),
 *   hesca_tiling_create_free()       if a grid is wanted, of any shape,
 *   hesca_tiling_create_strips()     if columns may have rectangles in any
 *                                    number,
 *   hesca_tiling_create_recursive()  if rectangles may lie anyhow.
 * Processors are numbered 0 ... p - 1, in a grid row by row.  A rectangle may
 * be empty.
 *
 * Local and pure: the same on every process.  Source: HMPI thesis 4.4, 3.5.1,
 * 5.2; Kalinov and Lastovetsky (2001); Beaumont, Boudet, Rastello and Robert
 * (2001, 2002). */
#ifndef HESCA_EXPERIMENTAL_TILING_H
#define HESCA_EXPERIMENTAL_TILING_H

#include "hesca/experimental/speed.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_tiling hesca_tiling; /**< Opaque. */

/** A rectangle: its first row and column, from 0, and its extents. */
typedef struct {
    int64_t row, col, height, width;
} hesca_rect;

/** The shape of a tiling. */
typedef enum {
    HESCA_TILING_CARTESIAN = 0, /**< rows and columns of the grid aligned */
    HESCA_TILING_ROWS = 1,      /**< rows aligned: row-based */
    HESCA_TILING_COLUMNS = 2,   /**< columns aligned: column-based */
    HESCA_TILING_RECURSIVE = 3  /**< halves of halves: of a p x q grid, halved
                                     along its longer side; the block is cut
                                     with it */
} hesca_tiling_kind;

/** How lines are made whole. */
typedef enum {
    /** The widths of columns in proportion to the sums of their speeds, the
     * heights in each in proportion to speed, as the thesis has it.  What does
     * not fit a limit, or is not of constant speed, is cut by LEAST_TIME. */
    HESCA_TILING_PROPORTIONAL = 0,
    /** Such that the largest time is least: exactly so for rows and columns;
     * from one cut to a better one for Cartesian tilings. */
    HESCA_TILING_LEAST_TIME = 1
} hesca_tiling_cut;

/** What is to be least.  Half perimeters are those of areas in proportion to
 * speed; of a grid the sum, m npcol + n nprow, depends on its shape alone. */
typedef enum {
    HESCA_GOAL_TIME = 0, /**< the largest time; then the sum */
    HESCA_GOAL_SUM = 1,  /**< the sum of half perimeters; then the time */
    HESCA_GOAL_MAX = 2,  /**< the largest half perimeter, in a grid times the
                              largest time; then the time */
    HESCA_GOAL_BOTH = 3  /**< the product of largest time and sum */
} hesca_goal;

/** \name Making one
 * Arguments that all share:
 * \param [in]  speed   [p], [p q] Models, of elements, or NULL: all are alike.
 * \param [in]  m, n    Rows and columns, >= 0; m n <= 2^53.
 * \param [out] tiling  Free with hesca_tiling_free(); NULL on error.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG, also if the limits hold less than m n
 *         elements, or no row-based, column-based cut of a given grid keeps
 *         them; HESCA_ERR_UNSUPPORTED if none of another kind was found that
 *         does, though there may be one (for Cartesian cuts and limits of 0
 * and 1 that is the question for a complete bipartite subgraph, which is
 *         NP-complete); HESCA_ERR_NOMEM.
 * \{ */

/** For a p x q grid: speed[i q + j] is that of the processor at (i,j).
 * \param [in] p, q  >= 1. */
HESCA_API int
hesca_tiling_create_grid(int p, int q, const hesca_speed *const *speed,
                         int64_t m, int64_t n, hesca_tiling_kind kind,
                         hesca_tiling_cut cut, hesca_tiling **tiling);

/** For a grid of p processors in all, whose shape and order are chosen.
 *
 * Every shape p = nprow x npcol is tried.  Processors are placed in descending
 * order of speed, along rows and along columns, and then exchanged as long as
 * that makes it better and trials are left: a heuristic.
 * \param [in] kind  Not HESCA_TILING_RECURSIVE. */
HESCA_API int hesca_tiling_create_free(int p, const hesca_speed *const *speed,
                                       int64_t m, int64_t n,
                                       hesca_tiling_kind kind, hesca_goal goal,
                                       hesca_tiling **tiling);

/** In strips of any number of rectangles.
 *
 * Processors in ascending order of their areas are divided into strips by
 * dynamic programming: for HESCA_GOAL_SUM the optimum among all divisions
 * (Beaumont et al. 2001), before lines are made whole; for HESCA_GOAL_MAX that
 * among divisions that keep the order, in trials at most 2 % above the best of
 * all.  O(p^2).
 * \param [in] p     >= 1.
 * \param [in] kind  HESCA_TILING_COLUMNS or HESCA_TILING_ROWS.
 * \param [in] goal  HESCA_GOAL_SUM or HESCA_GOAL_MAX. */
HESCA_API int
hesca_tiling_create_strips(int p, const hesca_speed *const *speed, int64_t m,
                           int64_t n, hesca_tiling_kind kind, hesca_goal goal,
                           hesca_tiling **tiling);

/** By recursive bisection: the matrix is cut across its longer side between
 * the faster processors and the others, as near to the middle as may be.
 * Areas are in proportion to those of the set partitioned by time. */
HESCA_API int hesca_tiling_create_recursive(int p,
                                            const hesca_speed *const *speed,
                                            int64_t m, int64_t n,
                                            hesca_tiling **tiling);
/** \} */

HESCA_API void
hesca_tiling_free(hesca_tiling *tiling); /**< NULL is allowed. */

/** \name What it is
 * i, k: processors, 0 ... p - 1.
 * \{ */

/** Processors; rows and columns of the matrix; those of the grid, 1 x p if
 * there is none. */
HESCA_API int hesca_tiling_parts(const hesca_tiling *tiling);
HESCA_API int64_t hesca_tiling_rows(const hesca_tiling *tiling);
HESCA_API int64_t hesca_tiling_cols(const hesca_tiling *tiling);
HESCA_API void hesca_tiling_grid(const hesca_tiling *tiling, int *nprow,
                                 int *npcol);

/** The processor at (myrow,mycol) of the grid. */
HESCA_API int hesca_tiling_at(const hesca_tiling *tiling, int myrow,
                              int mycol);

HESCA_API hesca_rect hesca_tiling_rect(const hesca_tiling *tiling, int i);

/** The processor that has element (row,col), -1 outside the matrix.  O(log p);
 * of recursive tilings, as many steps as there are cuts around it. */
HESCA_API int hesca_tiling_owner(const hesca_tiling *tiling, int64_t row,
                                 int64_t col);

/** Rows, columns that the rectangles of i and k have in common.  That is what
 * i sends k of each column (row) of a matrix it multiplies. */
HESCA_API int64_t hesca_tiling_common_rows(const hesca_tiling *tiling, int i,
                                           int k);
HESCA_API int64_t hesca_tiling_common_cols(const hesca_tiling *tiling, int i,
                                           int k);
/** \} */

/** \name How good it is
 * \{ */

/** The largest time, area / speed, and that of a set of as many elements
 * divided at will, which none is below. */
HESCA_API double hesca_tiling_time(const hesca_tiling *tiling);
HESCA_API double hesca_tiling_ideal(const hesca_tiling *tiling);

/** Time / ideal: >= 1 but for rounding, 1 if there are no elements. */
HESCA_API double hesca_tiling_imbalance(const hesca_tiling *tiling);

/** The sum of half perimeters, the largest one (0 of an empty rectangle), and
 * what they are not below if areas are those of the divided set: a rectangle
 * of area a has 2 sqrt(a), or s + a / s if it is larger than a square of the
 * matrix's shorter side s. */
HESCA_API int64_t hesca_tiling_sum(const hesca_tiling *tiling);
HESCA_API int64_t hesca_tiling_max(const hesca_tiling *tiling);
HESCA_API double hesca_tiling_sum_bound(const hesca_tiling *tiling);
HESCA_API double hesca_tiling_max_bound(const hesca_tiling *tiling);
/** \} */

/** \name Of a matrix that repeats the block
 * Element (r,c) of the matrix belongs to the owner of (r mod m, c mod n) of
 * the tiling; the last blocks may be cut off.  All take O(1) time for square
 * blocks, O(n / gcd(m,n)) for others.  -1 if i is no processor, an extent is
 * negative or their product is above 2^62.
 * \{ */

/** Rows and columns of `rows` x `cols` that processor i stores. */
HESCA_API int64_t hesca_tiling_locr(const hesca_tiling *tiling, int i,
                                    int64_t rows);
HESCA_API int64_t hesca_tiling_locc(const hesca_tiling *tiling, int i,
                                    int64_t cols);

/** Elements of a rows x cols matrix that processor i stores. */
HESCA_API int64_t hesca_tiling_count(const hesca_tiling *tiling, int i,
                                     int64_t rows, int64_t cols);

/** Elements (r,r), r >= k, of an order x order matrix that i stores. */
HESCA_API int64_t hesca_tiling_diagonal(const hesca_tiling *tiling, int i,
                                        int64_t order, int64_t k);

/** Elements (r,c), r, c >= k, of the lower ('L': r >= c) or upper ('U': r <=
 * c) triangle of an order x order matrix that i stores; -1 also for another
 * letter. */
HESCA_API int64_t hesca_tiling_triangle(const hesca_tiling *tiling, int i,
                                        int64_t order, int64_t k, char uplo);
/** \} */

#ifdef __cplusplus
}
#endif

#endif
