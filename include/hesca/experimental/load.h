/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/load.h
 * Load of a processor by other programs, as a function of the length of the
 * interval: the load functions of the HMPI thesis (4.1.1.2), from a history of
 * loads.
 *
 * Loads are observed every `period` seconds, as returned by getloadavg().  The
 * averages of any i consecutive observations among the last `history` ones, i
 * = 1 ... window, have a maximum and a minimum; these are two curves over i *
 * period, linear between these times and constant before the first and after
 * the last.  A task that would take t alone takes t / (1 - load), formula (3),
 * so its load is given by the intersection with the curve.
 *
 * As printed, formula (1) divides averages by their period again, formula (2)
 * takes extremes over the wrong index, and a load of 1 gives infinite time:
 * here a load is divided by the number of cores and bounded by
 * HESCA_LOAD_MOST.  Local, without time or state of its own. */
#ifndef HESCA_EXPERIMENTAL_LOAD_H
#define HESCA_EXPERIMENTAL_LOAD_H

#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_load hesca_load; /**< Opaque. */

/** Largest load: at least a hundredth of the processor remains. */
#define HESCA_LOAD_MOST 0.99

/** A history without observations.
 * \param [in]  history  Most observations stored, 1 ... 1000000.
 * \param [in]  window   The longest average, 1 ... history, in periods; should
 *                      not exceed the run time of the largest task.
 * \param [in]  period   Seconds between observations, > 0.
 * \param [in]  cores    Divisor of loads, >= 1.
 * \param [out] load     Free with hesca_load_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM.  It takes about
 *         32 history * window bytes. */
HESCA_API int hesca_load_create(int history, int window, double period,
                                int cores, hesca_load **load);

/** Free a history; NULL is allowed. */
HESCA_API void hesca_load_free(hesca_load *load);

/** Observe a load, >= 0; the oldest is removed if there are more than
 * `history`.  O(window) on average, so a history takes O(history window).
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_load_add(hesca_load *load, double observed);

/** Smallest and largest average over a time of t seconds; 0 without
 * observations; for more periods than were observed, the average over those.
 */
HESCA_API void hesca_load_at(const hesca_load *load, double t, double *least,
                             double *most);

/** The smallest and the largest load during a task.
 * \param [in]  load   The history.
 * \param [in]  ideal  Time of the task alone, seconds, >= 0, finite.
 * \param [out] least, most  0 ... HESCA_LOAD_MOST.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_load_predict(const hesca_load *load, double ideal,
                                 double *least, double *most);

/** The band of speeds under these loads, formulas (4) and (5).
 * \param [in]  load       The history.
 * \param [in]  speed      Without load, >= 0, finite.
 * \param [in]  ideal      As above.
 * \param [out] low, high  With the largest load, and with the smallest.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_load_band(const hesca_load *load, double speed,
                              double ideal, double *low, double *high);

#ifdef __cplusplus
}
#endif

#endif
