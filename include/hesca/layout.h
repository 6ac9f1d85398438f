/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/layout.h
 * Which process owns A(i,j), and where: ScaLAPACK's block-cyclic layouts of an
 * m x n matrix on an nprow x npcol grid, and generalized blocks, where faster
 * processes have more: hesca_layout_create_generalized() if rows and columns
 * of the grid are aligned, _column_based() if only its columns are,
 * _row_based() if only its rows, _by_owners() if the owners of blocks follow
 * no such rule.  A layout is global (the same on every process), counts from 0
 * and is independent of contexts and MPI. */
#ifndef HESCA_LAYOUT_H
#define HESCA_LAYOUT_H

#include "hesca/status.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_layout hesca_layout; /**< Opaque. */

/** Describe a block-cyclic layout (ScaLAPACK Users' Guide, section 4.3).
 *
 * Local; all arguments global.
 * \param [in]  m, n          Rows and columns of the matrix; >= 0.
 * \param [in]  mb, nb        Rows and columns of a block; >= 1.
 * \param [in]  rsrc, csrc    Process row and column of the first block;
 *                            0 <= rsrc < nprow, 0 <= csrc < npcol.
 * \param [in]  nprow, npcol  Shape of the process grid; >= 1.
 * \param [in]  ranks         nprow x npcol distinct ranks: process (p,q) of
 *                            the grid has rank ranks[p * npcol + q] in the
 *                            communicator of the redistribution.  NULL means
 *                            rank p * npcol + q.
 * \param [out] layout        Free with hesca_layout_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_layout_create_cyclic(int64_t m, int64_t n, int mb, int nb,
                                         int rsrc, int csrc, int nprow,
                                         int npcol, const int *ranks,
                                         hesca_layout **layout);

/** Describe a layout in generalized blocks, the heterogeneous analogue of a
 * block-cyclic one.
 *
 * The matrix is divided into generalized blocks of sum(heights) x sum(widths)
 * elements, the last ones truncated.  In each of them process (p,q) owns
 * heights[p] rows from heights[0] + ... + heights[p-1] on, and likewise
 * widths[q] columns.  The local part is stored as in a block-cyclic layout,
 * without gaps, by columns.  With equal heights and widths the layout is
 * block-cyclic: mb = heights[0], nb = widths[0], rsrc = csrc = 0.
 * Local; all arguments global.
 * \param [in]  m, n          Rows and columns of the matrix; >= 0.
 * \param [in]  nprow, npcol  Shape of the process grid; >= 1.
 * \param [in]  heights       nprow numbers >= 0, their sum 1 ... 2^62.
 * \param [in]  widths        npcol numbers >= 0, their sum 1 ... 2^62.
 * \param [in]  ranks         As in hesca_layout_create_cyclic().
 * \param [out] layout        Free with hesca_layout_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM.
 * Source: HMPI thesis 3.5.1, the Cartesian distribution of its Figure 3.18. */
HESCA_API int
hesca_layout_create_generalized(int64_t m, int64_t n, int nprow, int npcol,
                                const int64_t *heights, const int64_t *widths,
                                const int *ranks, hesca_layout **layout);

/** Describe a layout in generalized blocks of which only process columns are
 * aligned: each process column cuts the rows in its own way.
 *
 * Process (p,q) has of every generalized block heights[p * npcol + q] rows of
 * the widths[q] columns of its process column.  So processes of any speeds can
 * have shares in proportion to speed, which Cartesian blocks allow only if the
 * table of speeds has rank 1.  If all process columns cut equally, the layout
 * is that of hesca_layout_create_generalized().  Local; all arguments global.
 * \param [in]  m, n          Rows and columns of the matrix; >= 0.
 * \param [in]  nprow, npcol  Shape of the process grid; >= 1.
 * \param [in]  heights       nprow x npcol numbers >= 0.  In every process
 *                            column that has a width their sum is the same, 1
 *                            ... 2^62; in others they are not used.
 * \param [in]  widths        npcol numbers >= 0, their sum 1 ... 2^62.
 * \param [in]  ranks         As in hesca_layout_create_cyclic().
 * \param [out] layout        Free with hesca_layout_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM.
 * Source: Kalinov and Lastovetsky (2001); HMPI thesis 5.2, its Figure 5.5. */
HESCA_API int
hesca_layout_create_column_based(int64_t m, int64_t n, int nprow, int npcol,
                                 const int64_t *heights, const int64_t *widths,
                                 const int *ranks, hesca_layout **layout);

/** The same with rows and columns exchanged: process rows have heights[p]
 * rows, and process (p,q) widths[p * npcol + q] columns of them.
 * \param m, n, nprow, npcol, ranks, layout
 *                       As in hesca_layout_create_column_based().
 * \param [in]  heights  nprow numbers >= 0, their sum 1 ... 2^62.
 * \param [in]  widths   nprow x npcol numbers >= 0.  In every process row that
 *                       has a height their sum is the same, 1 ... 2^62. */
HESCA_API int hesca_layout_create_row_based(int64_t m, int64_t n, int nprow,
                                            int npcol, const int64_t *heights,
                                            const int64_t *widths,
                                            const int *ranks,
                                            hesca_layout **layout);

/** Which lines of the grid are aligned; numbered as in hdpi.h. */
typedef enum {
    HESCA_CARTESIAN = 0,   /**< process rows and process columns */
    HESCA_ROW_BASED = 1,   /**< process rows; each cuts the columns itself */
    HESCA_COLUMN_BASED = 2 /**< process columns; each cuts the rows itself */
} hesca_layout_kind;

/** Describe a layout in generalized blocks by the owners of their blocks,
 * which may come in any order.
 *
 * The matrix is cut into generalized blocks of lp x lq blocks of mb x nb
 * elements.  The part of a process need not be one rectangle: factorizations
 * stay balanced to their end if blocks are assigned cyclically.  Rectangles,
 * and cyclic blocks, give the same layouts as the other functions.  Local; all
 * arguments global.
 * \param [in]  kind          Shapes of rowowner and colowner.
 * \param [in]  m, n          Rows and columns of the matrix; >= 0.
 * \param [in]  mb, nb        Rows and columns of a block; >= 1.
 * \param [in]  lp, lq        Blocks of a generalized block; >= 1.
 * \param [in]  nprow, npcol  Shape of the process grid; >= 1.
 * \param [in]  rowowner      Process rows of the lp block rows: lp numbers, or
 *                            npcol x lp column-based, those of process column
 *                            q from q * lp on; they are not used if it has no
 *                            block column.
 * \param [in]  colowner      Process columns of the lq block columns: lq
 *                            numbers, or nprow x lq row-based, likewise.
 * \param [in]  ranks         As in hesca_layout_create_cyclic().
 * \param [out] layout        Free with hesca_layout_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_layout_create_by_owners(
    hesca_layout_kind kind, int64_t m, int64_t n, int mb, int nb, int lp,
    int lq, int nprow, int npcol, const int *rowowner, const int *colowner,
    const int *ranks, hesca_layout **layout);

/** Free a layout; NULL is allowed.  Plans created from it stay valid.
 * Local. */
HESCA_API void hesca_layout_free(hesca_layout *layout);

/** Rows and columns that a rank stores: locr x locc; 0 x 0 outside the grid.
 *
 * Local.  ScaLAPACK's NUMROC for both dimensions.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG (a NULL argument). */
HESCA_API int hesca_layout_local_size(const hesca_layout *layout, int rank,
                                      int64_t *locr, int64_t *locc);

/** Owner and place of element (i,j): local row *il and column *jl on *rank.
 *
 * Local.  ScaLAPACK's INFOG2L, counted from 0.
 * \param [in]  layout  The layout.
 * \param [in]  i, j    0 <= i < m, 0 <= j < n.
 * \param [out] rank    The owner.
 * \param [out] il, jl  Local row and column, from 0.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_layout_locate(const hesca_layout *layout, int64_t i,
                                  int64_t j, int *rank, int64_t *il,
                                  int64_t *jl);

/** The element at local row il and column jl of a rank: the inverse of
 * hesca_layout_locate().
 *
 * Local.  ScaLAPACK's INDXL2G for both dimensions, counted from 0.
 * \param [in]  layout  The layout.
 * \param [in]  rank    In the grid of the layout.
 * \param [in]  il, jl  0 <= il < locr, 0 <= jl < locc.
 * \param [out] i, j    Row and column of the matrix, from 0.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_layout_global(const hesca_layout *layout, int rank,
                                  int64_t il, int64_t jl, int64_t *i,
                                  int64_t *j);

/** sub(A), which begins at A(i,j) of a distributed matrix A; its extents are
 * arguments. */
typedef struct {
    const hesca_layout *layout; /**< (global) layout of A */
    int64_t i;                  /**< (global) first row, from 0 */
    int64_t j;                  /**< (global) first column, from 0 */
    void *local; /**< (local) this process's part, column-major; not used if it
                    is empty */
    int64_t lld; /**< (local) its leading dimension, >= max(1, local rows); not
                    used if it is empty */
    int64_t reserved[2]; /**< (global) for later versions; 0 */
} hesca_matrix;

#ifdef __cplusplus
}
#endif

#endif
