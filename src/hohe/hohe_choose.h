/** \file hohe/hohe_choose.h
 * What ScaLAPACK's routine takes, what HoHe takes, and in which generalized
 * blocks.  Pure. */
#ifndef HESCA_HOHE_HOHE_CHOOSE_H
#define HESCA_HOHE_HOHE_CHOOSE_H

#include "hesca/experimental/gblock.h"
#include "hohe/hohe.h"
#include "sched/sched.h"

/** Where sub(C) is, and where it is computed: a matrix of its own that begins
 * with the block in which sub(C) begins. */
typedef struct {
    hesca_layout *home; /**< all of C */
    hesca_gblock *gblock;
    const hesca_layout *cut; /**< its layout */
    double moved;            /**< part of it that is not at home, 0 ... 1 */
    int64_t i, j;            /**< sub(C) in cut */
    int64_t rows, cols;      /**< of cut */
} hesca_hohe_cut;

/** Cut for processes of these speeds.
 * \param [in]  speed  [nprow * npcol] By place, >= 0, one at least > 0.
 * \param [out] cut    Clear with hesca_hohe_cut_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
int hesca_hohe_cut_init(const hesca_hohe_job *job, const double *speed,
                        hesca_hohe_cut *cut);
void hesca_hohe_cut_clear(hesca_hohe_cut *cut);

/** Speeds of the processes at each place, each with its part of its host's
 * cores.
 * \param [in]  host   [nprow * npcol]
 * \param [out] speed  [nprow * npcol] Operations per second; 0 where the
 *                     model of the host ends before. */
void hesca_hohe_speeds(const hesca_machine *machine, const int *host,
                       const hesca_hohe_job *job, double *speed);

/** Bytes of the copy of sub(C) on the process that has most. */
double hesca_hohe_staging(const hesca_hohe_job *job,
                          const hesca_hohe_cut *cut);

/** Whether processes of a grid are so unlike, for matrices of any order, that
 * HESCA has something to offer: the slowest is behind their mean by more than
 * what speeds are measured by.
 * \param [in] host  [n] */
int hesca_hohe_hosts_differ(const hesca_machine *machine, const int *host,
                            int n, hesca_routine routine);

/** A call being weighed. */
typedef struct {
    const hesca_machine *machine;
    const int *host; /**< by place of the program's grid, which is by rank */
    const hesca_hohe_job *job;
    const hesca_link_costs *links; /**< what copying costs */
} hesca_hohe_scales;

/** Predict ScaLAPACK's routine, and what any other way takes at least.
 * \param [in,out] forecast  Gets real and the margins.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (memory is too small), HESCA_ERR_NOMEM.
 */
int hesca_hohe_weigh_original(const hesca_hohe_scales *scales,
                              hesca_hohe_forecast *forecast, double *least);

/** Why hesca_hohe_best() leaves a call to the real routine, for people.
 * \param [in]  at_most  1: the forecast has bounds of what can be gained. */
void hesca_hohe_explain(const hesca_hohe_job *job,
                        const hesca_hohe_forecast *forecast, int at_most,
                        char *text, size_t size);

/** Predict HoHe, into its part of a forecast.
 * \return As above. */
int hesca_hohe_weigh(const hesca_hohe_scales *scales,
                     const hesca_hohe_cut *cut, hesca_hohe_forecast *forecast);

/** \name What all ways share
 * \{ */

/** A job on square matrices with about as many operations. */
hesca_job hesca_hohe_alike(const hesca_hohe_job *job);

/** Seconds of the call by a forecast for such a job, by ScaLAPACK's routine on
 * a grid. */
double hesca_hohe_seconds(const hesca_hohe_job *job, const hesca_job *same,
                          int nprow, int npcol,
                          const hesca_forecast *forecast);

/** Seconds that all wait for agreements. */
double hesca_hohe_agreements(const hesca_hohe_scales *scales);

/** Seconds of P?GESV that are the same whoever factors, on the program's grid:
 * ScaLAPACK exchanges the rows of a right-hand side one by one. */
double hesca_hohe_solving(const hesca_hohe_scales *scales);

/** sub(X) in one layout, or in the other. */
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

/** Bytes of a process's part of a layout. */
double hesca_hohe_bytes(const hesca_hohe_job *job, const hesca_layout *layout,
                        int rank);

/** Whether matrices and copies fit into the memory that hosts are known to
 * have.
 * \param [in] copy  The layouts of the copies; NULL: none.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
int hesca_hohe_check_memory(const hesca_hohe_scales *scales,
                            const hesca_layout *const copy[3]);
/** \} */

#endif
