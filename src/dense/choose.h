/** \file dense/choose.h
 * What ScaLAPACK's routine takes, what HoHe takes, and in which generalized
 * blocks.  Pure. */
#ifndef HESCA_DENSE_CHOOSE_H
#define HESCA_DENSE_CHOOSE_H

#include "hesca/gblock.h"
#include "hesca/hohe.h"
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
int hesca_hohe_cut_make(const hesca_hohe_job *job, const double *speed,
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

/** Predict ScaLAPACK's routine, and what HoHe takes at least, whatever the
 * cut. \return As below. */
int hesca_hohe_weigh_real(const hesca_machine *machine, const int *host,
                          const hesca_hohe_job *job, double *real,
                          double *least);

/** Predict both ways; copying costs what outlook tells.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (memory is too small),
 *         HESCA_ERR_NOMEM. */
int hesca_hohe_weigh(const hesca_machine *machine, const int *host,
                     const hesca_hohe_job *job, const hesca_hohe_cut *cut,
                     const hesca_outlook *outlook,
                     hesca_hohe_forecast *forecast);

/** Whether HoHe wins: not by less than 3 %. */
static inline int
hesca_hohe_wins(const hesca_hohe_forecast *f)
{
    return f->hohe < 0.97 * f->real;
}

#endif
