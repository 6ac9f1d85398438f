/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/gblock.h
 * Generalized blocks: layouts in which every process has a part of a matrix in
 * proportion to its speed, for dense linear algebra (HMPI thesis 3.5.1, 5.2).
 *
 * A matrix of blocks of mb x nb elements is cut into generalized blocks of lp
 * x lq blocks, all equal, the last ones truncated.  A generalized block is
 * partitioned among the processes of an nprow x npcol grid; choose
 * - hesca_gblock_create() if its size is given,
 * - hesca_gblock_tune() to choose its size and kind,
 * - hesca_gblock_near() for block-cyclic data of which as little as possible
 *   is to be moved,
 * - hesca_gblock_of_tiling() if it was cut by other means.
 *
 * hesca_gblock_layout() gives its layout for hesca_plan_create(),
 * hesca_layout_locate() and hesca_layout_global().
 *
 * Large generalized blocks balance better, as shares are whole blocks; small
 * ones leave the end of a factorization balanced, as does cyclic assignment of
 * blocks.  All values are global and count from 0; all functions are local and
 * pure: the same on every process from the same arguments. */
#ifndef HESCA_EXPERIMENTAL_GBLOCK_H
#define HESCA_EXPERIMENTAL_GBLOCK_H

#include "hesca/experimental/place.h"
#include "hesca/experimental/tiling.h"
#include "hesca/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_gblock hesca_gblock; /**< Opaque. */

/** The order in which the blocks of a generalized block are assigned. */
typedef enum {
    /** One rectangle for each process. */
    HESCA_ASSIGN_RECTANGLES = 0,
    /** Cyclically, such that the remaining part of the generalized block is
     * balanced, too, after leading rows and columns are done. */
    HESCA_ASSIGN_CYCLIC = 1
} hesca_gblock_assignment;

/** Description of a generalized block. */
typedef struct {
    hesca_layout_kind kind; /**< which lines of the grid are aligned */
    hesca_gblock_assignment assignment; /**< the order of blocks */
    int64_t m;                          /**< rows of the matrix */
    int64_t n;                          /**< columns of the matrix */
    int mb;                             /**< rows of a block */
    int nb;                             /**< columns of a block */
    int lp;           /**< block rows of the generalized block */
    int lq;           /**< block columns of the generalized block */
    int nprow;        /**< process rows */
    int npcol;        /**< process columns */
    double imbalance; /**< the largest time, share / speed, relative to that of
                           shares in proportion to speed: >= 1 */
} hesca_gblock_info;

/** Cut a generalized block in proportion to speeds.
 *
 * Column-based, the widths of process columns are in proportion to the sums of
 * their speeds, and in each the heights to speed, as nearly as whole blocks
 * allow: the largest share / speed of each line is minimal.  Row-based
 * likewise; Cartesian, heights are in proportion to the sums of process rows.
 * A process of speed 0 gets nothing.
 * \param [in]  kind          Which lines of the grid are aligned.
 * \param [in]  assignment          The order of blocks.
 * \param [in]  m, n          Rows and columns of the matrix; >= 0.
 * \param [in]  mb, nb        Rows and columns of a block; >= 1.
 * \param [in]  lp, lq        Blocks of a generalized block: nprow <= lp, npcol
 *                            <= lq, lp nprow npcol and lq nprow npcol below
 *                            2^31.
 * \param [in]  nprow, npcol  Shape of the process grid; >= 1.
 * \param [in]  speed         nprow x npcol numbers, row by row: 0, or such
 *                            that all others are within a factor of 1e200;
 *                            not all 0.  NULL: all equal.
 * \param [in]  ranks         As in hesca_layout_create_cyclic().
 * \param [out] gblock        Free with hesca_gblock_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM.
 * Source: HMPI thesis 3.5.1, 5.2; Kalinov and Lastovetsky (2001).  The cyclic
 * order: Beaumont, Boudet, Petitet, Rastello and Robert (2001). */
HESCA_API int hesca_gblock_create(hesca_layout_kind kind,
                                  hesca_gblock_assignment assignment,
                                  int64_t m, int64_t n, int mb, int nb, int lp,
                                  int lq, int nprow, int npcol,
                                  const double *speed, const int *ranks,
                                  hesca_gblock **gblock);

/** A generalized block cut according to a tiling of lp x lq blocks.
 *
 * The process at each place of the grid gets the rectangle of the tiling at
 * that place.
 * \param [in]  tiling  Rows or columns of its grid are aligned.
 * \param [in]  m, n, mb, nb, ranks, gblock  As above.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM, or
 *         HESCA_ERR_UNSUPPORTED for tilings without such a grid. */
HESCA_API int hesca_gblock_of_tiling(const hesca_tiling *tiling, int64_t m,
                                     int64_t n, int mb, int nb,
                                     const int *ranks, hesca_gblock **gblock);

/** A generalized block for given speeds, with the owners of a block-cyclic
 * layout as far as possible, so that little data is moved.
 *
 * \param [in]  layout  Block-cyclic, of the matrix; its blocks and its grid
 *                      become the generalized block's.
 * \param [in]  speed   As above.
 * \param [in]  lp, lq  Multiples of nprow and npcol; 0: of those that fit the
 *                      matrix and are at most 64, or nprow, npcol, the
 *                      smallest ones for which the imbalance is at most 2 %
 *                      above the minimum.
 * \param [out] moved   Fraction of the elements that change their owner, 0
 *                      ... 1; NULL: not wanted.
 * \param [out] gblock  Row-based or column-based, whichever moves fewer
 *                      elements, unless its imbalance is 2 % larger.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_gblock_near(const hesca_layout *layout,
                                const double *speed, int lp, int lq,
                                double *moved, hesca_gblock **gblock);

/** Free a generalized block; NULL is allowed. */
HESCA_API void hesca_gblock_free(hesca_gblock *gblock);

/** \name Queries
 * \{ */

/** Its description. */
HESCA_API hesca_gblock_info hesca_gblock_get_info(const hesca_gblock *gblock);

/** Its layout, valid as long as the generalized block. */
HESCA_API const hesca_layout *hesca_gblock_layout(const hesca_gblock *gblock);

/** Block rows of a generalized block that process (prow,pcol) has; -1 outside
 * the grid. */
HESCA_API int hesca_gblock_height(const hesca_gblock *gblock, int prow,
                                  int pcol);

/** Block columns of a generalized block that process (prow,pcol) has; -1
 * outside the grid. */
HESCA_API int hesca_gblock_width(const hesca_gblock *gblock, int prow,
                                 int pcol);

/** Process (*prow,*pcol) that owns block (i,j), i, j >= 0, of the matrix.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_gblock_owner(const hesca_gblock *gblock, int64_t i,
                                 int64_t j, int *prow, int *pcol);

/** Rows that process (prow,pcol) stores of a matrix of `rows` rows, the
 * analogue of NUMROC; -1 outside the grid or if rows is negative. */
HESCA_API int64_t hesca_gblock_locr(const hesca_gblock *gblock, int64_t rows,
                                    int prow, int pcol);

/** Columns that process (prow,pcol) stores of a matrix of `cols` columns,
 * likewise. */
HESCA_API int64_t hesca_gblock_locc(const hesca_gblock *gblock, int64_t cols,
                                    int prow, int pcol);
/** \}
 * \name Prediction, and the least time that is possible
 * \{ */

/** Predict the time of hesca_gemm(), hesca_potrf() or hesca_getrf() on it.
 *
 * Local.  The steps of the algorithm are simulated: each takes the maximum
 * over the processes of the time of the update, and over the links of hosts of
 * the time of the panels of the next step, which are sent meanwhile.
 * \param [in]  gblock    Its matrix may be another one: order and width of
 *                        panels are those of job.
 * \param [in]  job       The routine; HESCA_ROUTINE_GESV is the factorization.
 * \param [in]  machine   With known hosts.
 * \param [in]  host      [nprow * npcol] The host of the process at each
 *                        place.
 * \param [out] forecast  Unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_gblock_predict(const hesca_gblock *gblock,
                                   const hesca_job *job,
                                   const hesca_machine *machine,
                                   const int *host, hesca_forecast *forecast);

/** Choose kind, order and size of a generalized block so that the predicted
 * time of a job is minimal; square blocks of job->nb, lp = lq.
 *
 * Local.  Speeds are those of hesca_job_speed(), with cores shared.  With
 * job->nb 0, blocks of 16, 32, 64 and 128 are tried (r of HMPI thesis 5.2).
 * All sizes from the longer side of the grid to `most` or the number of blocks
 * of the matrix are tried, small ones first, and rectangles before the cyclic
 * order; an improvement of less than 0.1 % does not count.
 * \param [in]  job, machine, host  As above.
 * \param [in]  nprow, npcol  Shape of the process grid.
 * \param [in]  most      Largest lp = lq; 0: 96.
 * \param [in]  ranks     As in hesca_layout_create_cyclic().
 * \param [out] gblock    For a matrix of order job->n.  NULL on error.
 * \param [out] forecast  The prediction; NULL: not wanted.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_gblock_tune(const hesca_job *job,
                                const hesca_machine *machine, int nprow,
                                int npcol, const int *host, int most,
                                const int *ranks, hesca_gblock **gblock,
                                hesca_forecast *forecast);

/** The least time that computing, and the bytes that must move, allow; in
 * seconds. */
typedef struct {
    double seconds; /**< the largest of those below: at best all of them are
                         concurrent */
    double ideal;   /**< work in proportion to the speeds of the hosts of the
                         grid */
    double compute; /**< the process or host whose share takes longest, at
                         least ideal */
    double receive; /**< the process or host for which messages in take
                         longest */
    double send;    /**< the same of messages out */
} hesca_bound;

/** A lower bound of the time of a routine on a layout, whatever the order of
 * its operations and messages.
 *
 * Local.  It assumes
 * - that the owner of an element of the result computes it from final
 *   elements, but for operations inside a panel of job->nb columns and rows,
 *   which any process may do;
 * - that a process, and a host, receives each element that it needs and does
 *   not have at least once, and sends each of its own that another one needs
 *   at least once (others may forward it);
 * - that a process, and a host, receives at no more than the rate of the
 *   fastest wire to it, and sends at no more than that of the fastest one from
 *   it.  Startups count nothing.
 *
 * It is as good as the speeds: those of hesca_job_speed(), for the routine or,
 * where that is higher, by the machine's model of dgemm, because a large
 * factorization approaches the speed of products.
 * \param [in]  layout   Of the result, of order job->n, in any blocks.
 * \param [in]  source   Of both factors of a product, of that order on a grid
 *                       of that shape; NULL: as layout.  Factorizations do not
 *                       use it.
 * \param [in]  job      The routine, and the widest panel in nb;
 *                       HESCA_ROUTINE_GESV is the factorization.
 * \param [in]  machine  With known hosts.
 * \param [in]  host     [nprow * npcol] The host of the process at each
 *                       place.
 * \param [out] bound    Unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also if the models of a host do not
 *         reach the size of a share), HESCA_ERR_NOMEM. */
HESCA_API int hesca_bound_make(const hesca_layout *layout,
                               const hesca_layout *source,
                               const hesca_job *job,
                               const hesca_machine *machine, const int *host,
                               hesca_bound *bound);
/** \} */

#ifdef __cplusplus
}
#endif

#endif
