/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/hohe_choose.h
 * Predicted time of ScaLAPACK's routine and of HoHe. All functions are
 * pure. */
#ifndef HESCA_HOHE_HOHE_CHOOSE_H
#define HESCA_HOHE_HOHE_CHOOSE_H

#include "hohe/cut.h"
#include "hohe/gblock_walk.h"
#include "sched/sched.h"

/** Speeds of the processes at each place, each with its part of its host's
 * cores.
 * \param [in]  host   [nprow * npcol]
 * \param [out] speed  [nprow * npcol] Operations per second; 0 if the size is
 *                     beyond the model of the host. */
void hesca_hohe_speeds(const hesca_machine *machine, const int *host,
                       const hesca_hohe_job *job, double *speed);

/** Whether the processes of a grid differ in speed, for matrices of any order:
 * whether the slowest is below the mean by more than the accuracy of measured
 * speeds.
 * \param [in] host  [n] */
int hesca_hohe_hosts_differ(const hesca_machine *machine, const int *host,
                            int n, hesca_routine routine);

/** Whether HESCA computes a call in place faster than ScaLAPACK's routine, by
 * 3 % at least, on the cores of one node, or, of P?TRSM, of equal hosts.
 * \param [in] crowded  Some core has several processes. */
int hesca_hohe_wins_on_node(const hesca_hohe_job *job, int crowded);

/** A call that is predicted. */
typedef struct {
    const hesca_machine *machine;
    const int *host; /**< by place of the program's grid, which is by rank */
    const hesca_hohe_job *job;
    const hesca_link_costs *links; /**< for the cost of copying */
} hesca_hohe_scales;

/** Predict ScaLAPACK's routine, and a lower bound of any other way.
 * \param [in,out] forecast  Gets real and the margins.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (memory is too small),
 *         HESCA_ERR_NOMEM. */
int hesca_hohe_weigh_original(const hesca_hohe_scales *scales,
                              hesca_hohe_forecast *forecast, double *least);

/** Set the gains that other ways need, and the cost of a first call
 * (margin.c).
 * \param [in]     slowest   hesca_message_speed() of the slowest process.
 * \param [in,out] forecast  homogeneous and stays are set. */
void hesca_hohe_set_margins(const hesca_hohe_job *job, double slowest,
                            hesca_hohe_forecast *forecast);

/** Text: why hesca_hohe_best() leaves a call to the original routine.
 * \param [in]  at_most  1: the forecast holds lower bounds of the other
 *                       ways. */
void hesca_hohe_explain(const hesca_hohe_job *job,
                        const hesca_hohe_forecast *forecast, int at_most,
                        char *text, size_t size);

/** Whether a cut is copied in and back while it is computed: where processes
 * that do not compute own much of it, and several do.  On others the messages
 * take the time of processors that determine the time.  On a grid of several
 * rows an LU factorization needs all columns from its beginning. */
int hesca_hohe_copies_meanwhile(const hesca_hohe_job *job,
                                const hesca_hohe_cut *cut);

/** Predict HoHe, into its part of a forecast.
 * \return As above. */
int hesca_hohe_weigh(const hesca_hohe_scales *scales,
                     const hesca_hohe_cut *cut, hesca_hohe_forecast *forecast);

/** Replace the cut on the program's grid, and its part of the forecast, by one
 * with other shares, of fewer processes, or of another shape, if that is
 * predicted to be faster (cut_choose.c).
 * \param [in]     speed     [nprow * npcol] By rank.
 * \param [in,out] forecast  hohe = 0: on the program's grid, memory is too
 *                           small.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_hohe_choose_cut(const hesca_hohe_scales *scales, const double *speed,
                          hesca_hohe_cut *cut, hesca_hohe_forecast *forecast);

/** Predict P?GEMM by HoHe, without copies and agreements (product_predict.c).
 * \param [in,out] seconds  The prediction for factors that are not transposed,
 *                          where C stays.
 * \param [out]    stays    'C'; in place also 'A', 'B'.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_hohe_weigh_product(const hesca_hohe_scales *scales,
                             const hesca_hohe_cut *cut, double *seconds,
                             char *stays);

/** \name Shared by all ways
 * \{ */

/** The largest part of an axis of n indices in blocks of nb on one of np
 * processes, relative to the even share. */
double hesca_hohe_excess(int64_t n, int nb, int np);

/** A job on square matrices with about the same number of operations. */
hesca_job hesca_hohe_square_job(const hesca_hohe_job *job);

/** Seconds of the call by a forecast for such a job, by ScaLAPACK's routine on
 * a grid. */
double hesca_hohe_seconds(const hesca_hohe_job *job, const hesca_job *same,
                          int nprow, int npcol,
                          const hesca_forecast *forecast);

/** Operations per second of the process at place k, with its part of its
 * host's cores. */
double hesca_hohe_speed_at(const hesca_hohe_scales *scales, int k);

/** hesca_message_speed() of that process. */
double hesca_hohe_message_speed(const hesca_hohe_scales *scales, int k);

/** Seconds until a short message has arrived, in the worst case. */
double hesca_hohe_latency(const hesca_hohe_scales *scales);

/** Seconds that all wait for agreements. */
double hesca_hohe_agreements(const hesca_hohe_scales *scales);

/** \name P?POTRS, P?GETRS and P?TRSM (solve_predict.c)
 * \{ */

/** ScaLAPACK's P?POTRS or P?GETRS.
 * \param [out] made  The forecast of the square job on which that is based.
 * \return As hesca_hohe_weigh_original(). */
int hesca_hohe_weigh_solve(const hesca_hohe_scales *scales, double *seconds,
                           hesca_forecast *made);

/** ScaLAPACK's P?TRSM, from the seconds of one that multicasts the triangle.
 */
double hesca_hohe_triangle_seconds(const hesca_hohe_scales *scales,
                                   double product);

/** Time of HoHe's operations, relative to those of a product. */
#define HESCA_SOLVING 1.3

/** Whether HoHe leaves the triangles in place, since right-hand sides are few.
 */
int hesca_hohe_is_narrow(const hesca_hohe_job *job);

/** Seconds of HoHe then, without copies and agreements. */
double hesca_hohe_narrow_seconds(const hesca_hohe_scales *scales);

/** Messages of HoHe's otherwise, relative to those of a product of order n,
 * square = n^2. */
hesca_gblock_traffic hesca_hohe_solve_traffic(const hesca_hohe_job *job,
                                              double square);
/** \} */

/** A copy of sub(X) from one layout to another. */
typedef struct {
    hesca_part part;
    int64_t m, n;
    const hesca_layout *from, *to;
    int64_t i, j; /**< in from */
    int64_t k, l; /**< in to */
} hesca_hohe_copy;

/** Seconds to copy from one to the other.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_hohe_weigh_copy(const hesca_hohe_scales *scales,
                          const hesca_hohe_copy *copy, double *seconds);

/** Bytes of the copy of sub(C) on the process that has most. */
double hesca_hohe_staging(const hesca_hohe_job *job,
                          const hesca_hohe_cut *cut);

/** Seconds per operation, relative to type double. */
double hesca_hohe_per_operation(hesca_type type);

/** Bytes of a process's part of a layout. */
double hesca_hohe_bytes(const hesca_hohe_job *job, const hesca_layout *layout,
                        int rank);

/** Whether matrices and copies fit into the memory that hosts are known to
 * have.
 * \param [in] copy  The layouts of the copies; NULL: none.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
int
hesca_hohe_check_memory(const hesca_hohe_scales *scales,
                        const hesca_layout *const copy[HESCA_HOHE_MATRICES]);
/** \} */

#endif
