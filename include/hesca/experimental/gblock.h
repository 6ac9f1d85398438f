/** \file hesca/experimental/gblock.h
 * Generalized blocks: layouts in which every process has a part of a matrix in
 * proportion to its speed, for dense linear algebra (HMPI thesis 3.5.1, 5.2).
 *
 * A matrix of blocks of mb x nb elements is cut into generalized blocks of lp
 * x lq blocks, all alike, the last ones as far as it goes.  A generalized
 * block is shared out over the processes of an nprow x npcol grid; choose
 *   hesca_gblock_create()     if it is settled how large it is,
 *   hesca_gblock_tune()       to have that, and its kind, chosen,
 *   hesca_gblock_near()       for data that are block-cyclic and shall travel
 *                             as little as possible,
 *   hesca_gblock_of_tiling()  if it was cut by other means.
 * hesca_gblock_layout() then makes it a layout for hesca_plan_create(),
 * hesca_layout_locate() and hesca_layout_global().
 *
 * Large generalized blocks balance better, as shares are whole blocks; small
 * ones leave the end of a factorization balanced, as does dealing blocks in
 * turn.  All is global, counts from 0, and is local and pure: the same on
 * every process from the same arguments. */
#ifndef HESCA_EXPERIMENTAL_GBLOCK_H
#define HESCA_EXPERIMENTAL_GBLOCK_H

#include "hesca/experimental/place.h"
#include "hesca/experimental/tiling.h"
#include "hesca/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_gblock hesca_gblock; /**< Opaque. */

/** In which order the blocks of a generalized block are dealt. */
typedef enum {
    /** In one rectangle for each process. */
    HESCA_DEAL_RECTANGLES = 0,
    /** In turn, such that what is left of the generalized block when rows and
     * columns from the beginning on are done is balanced, too. */
    HESCA_DEAL_IN_TURN = 1
} hesca_gblock_deal;

/** What a generalized block is. */
typedef struct {
    hesca_layout_kind kind;
    hesca_gblock_deal deal;
    int64_t m, n;     /**< the matrix */
    int mb, nb;       /**< rows and columns of a block */
    int lp, lq;       /**< blocks of the generalized block */
    int nprow, npcol; /**< the process grid */
    /** The largest time, share / speed, over that of shares in proportion to
     * speed: >= 1. */
    double imbalance;
} hesca_gblock_info;

/** Cut a generalized block in proportion to speeds.
 *
 * Column-based, the widths of process columns are in proportion to the sums of
 * their speeds, and in each the heights to speed, as near as whole blocks
 * allow: the largest share / speed of each line is least.  Row-based likewise;
 * Cartesian, heights are in proportion to the sums of process rows.  Whose
 * speed is 0 gets nothing.
 * \param [in]  kind          Which lines of the grid are aligned.
 * \param [in]  deal          The order of blocks.
 * \param [in]  m, n          Rows and columns of the matrix; >= 0.
 * \param [in]  mb, nb        Rows and columns of a block; >= 1.
 * \param [in]  lp, lq        Blocks of a generalized block: nprow <= lp, npcol
 *                            <= lq, lp nprow npcol and lq nprow npcol below
 *                            2^31.
 * \param [in]  nprow, npcol  Shape of the process grid; >= 1.
 * \param [in]  speed         nprow x npcol numbers, row by row: 0, or such
 *                            that all others are within a factor of 1e200;
 *                            not all 0.  NULL: all alike.
 * \param [in]  ranks         As in hesca_layout_create_cyclic().
 * \param [out] gblock        Free with hesca_gblock_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM.
 * Source: HMPI thesis 3.5.1, 5.2; Kalinov and Lastovetsky (2001).  The order
 * in turn: Beaumont, Boudet, Petitet, Rastello and Robert (2001). */
HESCA_API int hesca_gblock_create(hesca_layout_kind kind,
                                  hesca_gblock_deal deal, int64_t m, int64_t n,
                                  int mb, int nb, int lp, int lq, int nprow,
                                  int npcol, const double *speed,
                                  const int *ranks, hesca_gblock **gblock);

/** A generalized block that is cut as a tiling of lp x lq blocks.
 *
 * The process at a place of the grid gets the rectangle that the tiling has
 * there.
 * \param [in]  tiling  In which rows or columns of the grid are aligned.
 * \param [in]  m, n, mb, nb, ranks, gblock  As above.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM, or
 *         HESCA_ERR_UNSUPPORTED of tilings that have no such grid. */
HESCA_API int hesca_gblock_of_tiling(const hesca_tiling *tiling, int64_t m,
                                     int64_t n, int mb, int nb,
                                     const int *ranks, hesca_gblock **gblock);

/** A generalized block for speeds whose owners are, as far as the speeds
 * allow, those of a block-cyclic layout: what does not change need not travel.
 *
 * \param [in]  layout  Block-cyclic, of the matrix; its blocks and its grid
 *                      become the generalized block's.
 * \param [in]  speed   As above.
 * \param [in]  lp, lq  Multiples of nprow and npcol; 0: the smallest ones, of
 *                      those that fit the matrix and are at most 64, or nprow,
 *                      npcol, with which the imbalance is at most 2 % above
 *                      the least.
 * \param [out] moved   Part of the elements that change their owner, 0 ... 1;
 *                      NULL: not wanted.
 * \param [out] gblock  Row-based or column-based, whichever moves less.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_gblock_near(const hesca_layout *layout,
                                const double *speed, int lp, int lq,
                                double *moved, hesca_gblock **gblock);

HESCA_API void
hesca_gblock_free(hesca_gblock *gblock); /**< NULL is allowed. */

/** \name What it is
 * \{ */

HESCA_API hesca_gblock_info hesca_gblock_get_info(const hesca_gblock *gblock);

/** Its layout, valid as long as the generalized block. */
HESCA_API const hesca_layout *hesca_gblock_layout(const hesca_gblock *gblock);

/** Block rows and block columns that process (prow,pcol) has of a generalized
 * block; -1 outside the grid. */
HESCA_API int hesca_gblock_height(const hesca_gblock *gblock, int prow,
                                  int pcol);
HESCA_API int hesca_gblock_width(const hesca_gblock *gblock, int prow,
                                 int pcol);

/** Process (*prow,*pcol) that owns block (i,j), i, j >= 0, of the matrix.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_gblock_owner(const hesca_gblock *gblock, int64_t i,
                                 int64_t j, int *prow, int *pcol);

/** Rows and columns that process (prow,pcol) stores of a matrix of so many
 * rows or columns, NUMROC's analogue; -1 outside the grid or below 0. */
HESCA_API int64_t hesca_gblock_locr(const hesca_gblock *gblock, int64_t rows,
                                    int prow, int pcol);
HESCA_API int64_t hesca_gblock_locc(const hesca_gblock *gblock, int64_t cols,
                                    int prow, int pcol);
/** \}
 * \name How long it takes
 * \{ */

/** Predict what hesca_gemm(), hesca_potrf() or hesca_getrf() take on it.
 *
 * Local.  The steps of the algorithm are walked: in each the process that
 * needs longest for its part of the update, and its host's links for the
 * panels of the next step, which travel meanwhile.
 * \param [in]  gblock    Its matrix may be another one: of job, order and
 *                        width of panels count.
 * \param [in]  job       What is computed; HESCA_GESV is the factorization.
 * \param [in]  machine   Of known hosts.
 * \param [in]  host      [nprow * npcol] The host of the process at each
 *                        place.
 * \param [out] forecast  Unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_gblock_predict(const hesca_gblock *gblock,
                                   const hesca_job *job,
                                   const hesca_machine *machine,
                                   const int *host, hesca_forecast *forecast);

/** Choose kind, order and size of a generalized block so that a job takes
 * least, as predicted; square blocks of job->nb, lp = lq.
 *
 * Local.  Speeds are what hesca_job_speed() says, cores shared.  With job->nb
 * 0, blocks of 16, 32, 64 and 128 are tried (r of HMPI thesis 5.2).  All sizes
 * from the longer side of the grid to `most` or the blocks of the matrix are
 * looked at, small ones first, and rectangles before blocks in turn; what is
 * better by less than 0.1 % does not count.
 * \param [in]  most      Largest lp = lq; 0: 96.
 * \param [in]  ranks     As in hesca_layout_create_cyclic().
 * \param [out] gblock    Of a matrix of order job->n.  NULL on error.
 * \param [out] forecast  What is predicted; NULL: not wanted.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_gblock_tune(const hesca_job *job,
                                const hesca_machine *machine, int nprow,
                                int npcol, const int *host, int most,
                                const int *ranks, hesca_gblock **gblock,
                                hesca_forecast *forecast);
/** \} */

#ifdef __cplusplus
}
#endif

#endif
