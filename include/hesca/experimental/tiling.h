/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/tiling.h
 * Partitioning of matrices: an m x n matrix, or one generalized block of a
 * matrix that repeats it, is cut into a rectangle for each processor.
 *
 * Areas are in proportion to speed, or such that the largest time, area /
 * speed, is minimal; shapes have small half perimeters, height + width, which
 * are the volume of communication in a step of a matrix multiplication.
 * Choose
 * - hesca_tiling_create_grid() if the places of processors in a grid are given
 *   (slices: a grid of p x 1 or 1 x p),
 * - hesca_tiling_create_free() for a grid of any shape,
 * - hesca_tiling_create_strips() for columns of any numbers of rectangles,
 * - hesca_tiling_create_recursive() for any arrangement of rectangles.
 *
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
    int64_t row;    /**< first row */
    int64_t col;    /**< first column */
    int64_t height; /**< rows */
    int64_t width;  /**< columns */
} hesca_rect;

/** The shape of a tiling. */
typedef enum {
    HESCA_TILING_CARTESIAN = 0, /**< rows and columns of the grid aligned */
    HESCA_TILING_ROWS = 1,      /**< rows aligned: row-based */
    HESCA_TILING_COLUMNS = 2,   /**< columns aligned: column-based */
    HESCA_TILING_RECURSIVE = 3  /**< recursive bisection: the p x q grid is
                                     halved along its longer side, and the
                                     block with it */
} hesca_tiling_kind;

/** How integer extents are chosen. */
typedef enum {
    /** The widths of columns in proportion to the sums of their speeds, and
     * the heights in each in proportion to speed, as in the thesis.  If this
     * exceeds a limit, or speeds are not constant, as LEAST_TIME. */
    HESCA_TILING_PROPORTIONAL = 0,
    /** Such that the largest time is minimal: exactly for rows and columns, by
     * local search for Cartesian tilings. */
    HESCA_TILING_LEAST_TIME = 1
} hesca_tiling_cut;

/** The objective.  Half perimeters are those of areas in proportion to speed;
 * for a grid their sum, m npcol + n nprow, depends on its shape only. */
typedef enum {
    HESCA_GOAL_TIME = 0, /**< the largest time; then the sum */
    HESCA_GOAL_SUM = 1,  /**< the sum of half perimeters; then the time */
    HESCA_GOAL_MAX = 2,  /**< the largest half perimeter, in a grid times the
                              largest time; then the time */
    HESCA_GOAL_BOTH = 3  /**< the product of largest time and sum */
} hesca_goal;

/** \name Construction
 * \{ */

/** For a p x q grid: speed[i q + j] is that of the processor at (i,j).
 *
 * \param [in]  p, q    Shape of the grid, >= 1.
 * \param [in]  speed   [p q] Models, of elements, or NULL: all are equal.
 * \param [in]  m, n    Rows and columns, >= 0; m n <= 2^53.
 * \param [in]  kind    Which lines of the grid are aligned.
 * \param [in]  cut     How integer extents are chosen.
 * \param [out] tiling  Free with hesca_tiling_free(); NULL on error.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG, also if the limits hold less than m n
 *         elements, or if no row-based or column-based cut of the grid keeps
 *         them; HESCA_ERR_UNSUPPORTED if no tiling of another kind was found
 *         that keeps them, though there may be one (for Cartesian cuts and
 *         limits of 0 and 1 this is the problem of a complete bipartite
 *         subgraph, which is NP-complete); HESCA_ERR_NOMEM.  The other
 *         functions have the same arguments and errors. */
HESCA_API int
hesca_tiling_create_grid(int p, int q, const hesca_speed *const *speed,
                         int64_t m, int64_t n, hesca_tiling_kind kind,
                         hesca_tiling_cut cut, hesca_tiling **tiling);

/** For a grid of p processors, with choice of its shape and of the places.
 *
 * A heuristic.  Every shape p = nprow x npcol is tried.  Processors are placed
 * in descending order of speed, along rows and along columns, and then
 * exchanged as long as that improves the objective, in a bounded number of
 * trials.
 * \param [in]  p       Processors, >= 1.
 * \param speed, m, n, tiling  As in hesca_tiling_create_grid().
 * \param [in]  kind    Not HESCA_TILING_RECURSIVE.
 * \param [in]  goal    The objective. */
HESCA_API int hesca_tiling_create_free(int p, const hesca_speed *const *speed,
                                       int64_t m, int64_t n,
                                       hesca_tiling_kind kind, hesca_goal goal,
                                       hesca_tiling **tiling);

/** In strips of any number of rectangles.
 *
 * Processors in ascending order of their areas are divided into strips by
 * dynamic programming: for HESCA_GOAL_SUM the optimum of all divisions
 * (Beaumont et al. 2001), with real-valued extents; for HESCA_GOAL_MAX the
 * optimum of divisions in this order, in experiments at most 2 % above that of
 * all.  O(p^2).
 * \param [in] p     Processors, >= 1.
 * \param speed, m, n, tiling  As in hesca_tiling_create_grid().
 * \param [in] kind  HESCA_TILING_COLUMNS or HESCA_TILING_ROWS.
 * \param [in] goal  HESCA_GOAL_SUM or HESCA_GOAL_MAX. */
HESCA_API int
hesca_tiling_create_strips(int p, const hesca_speed *const *speed, int64_t m,
                           int64_t n, hesca_tiling_kind kind, hesca_goal goal,
                           hesca_tiling **tiling);

/** By recursive bisection: the matrix is cut across its longer side between
 * the faster processors and the others, as near to the middle as possible.
 * Areas are in proportion to those of the partitioned set of m n elements.
 * \param [in] p  Processors, >= 1.
 * \param speed, m, n, tiling  As in hesca_tiling_create_grid(). */
HESCA_API int hesca_tiling_create_recursive(int p,
                                            const hesca_speed *const *speed,
                                            int64_t m, int64_t n,
                                            hesca_tiling **tiling);
/** \} */

/** Free a tiling; NULL is allowed. */
HESCA_API void hesca_tiling_free(hesca_tiling *tiling);

/** \name Queries
 * i, k: processors, 0 ... p - 1.
 * \{ */

/** Number of processors. */
HESCA_API int hesca_tiling_parts(const hesca_tiling *tiling);

/** Rows of the matrix. */
HESCA_API int64_t hesca_tiling_rows(const hesca_tiling *tiling);

/** Columns of the matrix. */
HESCA_API int64_t hesca_tiling_cols(const hesca_tiling *tiling);

/** Shape of the grid, 1 x p if there is none. */
HESCA_API void hesca_tiling_grid(const hesca_tiling *tiling, int *nprow,
                                 int *npcol);

/** The processor at (myrow,mycol) of the grid. */
HESCA_API int hesca_tiling_at(const hesca_tiling *tiling, int myrow,
                              int mycol);

/** The rectangle of processor i. */
HESCA_API hesca_rect hesca_tiling_rect(const hesca_tiling *tiling, int i);

/** The processor that has element (row,col), -1 outside the matrix.  O(log p);
 * for recursive tilings, one step for each cut around it. */
HESCA_API int hesca_tiling_owner(const hesca_tiling *tiling, int64_t row,
                                 int64_t col);

/** Rows that the rectangles of i and k have in common: the number of elements
 * of each column that i sends to k in a matrix multiplication. */
HESCA_API int64_t hesca_tiling_common_rows(const hesca_tiling *tiling, int i,
                                           int k);

/** Columns that the rectangles of i and k have in common, likewise for each
 * row. */
HESCA_API int64_t hesca_tiling_common_cols(const hesca_tiling *tiling, int i,
                                           int k);
/** \} */

/** \name Quality
 * \{ */

/** The largest time, area / speed. */
HESCA_API double hesca_tiling_time(const hesca_tiling *tiling);

/** The time of the real-valued partition of a set of as many elements, a lower
 * bound. */
HESCA_API double hesca_tiling_ideal(const hesca_tiling *tiling);

/** Time / ideal: >= 1 except for rounding, 1 if there are no elements. */
HESCA_API double hesca_tiling_imbalance(const hesca_tiling *tiling);

/** The sum of half perimeters; that of an empty rectangle is 0. */
HESCA_API int64_t hesca_tiling_sum(const hesca_tiling *tiling);

/** The largest half perimeter. */
HESCA_API int64_t hesca_tiling_max(const hesca_tiling *tiling);

/** A lower bound of the sum if areas are those of the partitioned set: a
 * rectangle of area a has at least 2 sqrt(a), or s + a / s if it is larger
 * than a square of the matrix's shorter side s. */
HESCA_API double hesca_tiling_sum_bound(const hesca_tiling *tiling);

/** A lower bound of the largest half perimeter, likewise. */
HESCA_API double hesca_tiling_max_bound(const hesca_tiling *tiling);
/** \} */

/** \name Queries of a matrix that repeats the block
 * Element (r,c) of the matrix belongs to the owner of (r mod m, c mod n) in
 * the tiling; the last blocks may be truncated.  All take O(1) time for square
 * blocks, O(n / gcd(m,n)) for others.  They return -1 if i is out
 * of range, an extent is negative or the product of extents exceeds 2^62.
 * \{ */

/** Rows, out of `rows`, that processor i stores. */
HESCA_API int64_t hesca_tiling_locr(const hesca_tiling *tiling, int i,
                                    int64_t rows);

/** Columns, out of `cols`, that processor i stores. */
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
