/** \file hesca/experimental/load.h
 * How much of a processor others take, as a function of how long one looks:
 * the load functions of the HMPI thesis (4.1.1.2), from a history of loads.
 *
 * Loads are observed every `period` seconds, as getloadavg() tells them.  Of
 * the last `history` observations every i neighbours have an average, i = 1
 * ... window; its maximum and its minimum are two curves over i * period,
 * linear between these times and constant before the first and beyond the
 * last.  A task that would take t alone takes t / (1 - load), formula (3), so
 * the load it meets is where that meets the curve.
 *
 * As printed, formula (1) divides averages by their period again, formula (2)
 * takes extremes over the wrong index, and loads of 1 stop the clock: here a
 * load is divided by the number of cores and never more than HESCA_LOAD_MOST.
 * Local, without time or state of its own. */
#ifndef HESCA_EXPERIMENTAL_LOAD_H
#define HESCA_EXPERIMENTAL_LOAD_H

#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_load hesca_load; /**< Opaque. */

#define HESCA_LOAD_MOST 0.99 /**< what is left is at least a hundredth */

/** A history without observations.
 * \param [in]  history  Observations that are kept, 1 ... 1000000.
 * \param [in]  window   The longest average, 1 ... history; in periods, at
 *                      most the run time of the largest task.
 * \param [in]  period   Seconds between observations, > 0.
 * \param [in]  cores    That loads are divided by, >= 1.
 * \param [out] load     Free with hesca_load_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM.  It takes about
 *         32 history * window bytes. */
HESCA_API int hesca_load_create(int history, int window, double period,
                                int cores, hesca_load **load);

HESCA_API void hesca_load_free(hesca_load *load); /**< NULL is allowed. */

/** Observe a load, >= 0; the oldest is forgotten when there are more than
 * `history`.  O(window) on average, so a history takes O(history window).
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_load_add(hesca_load *load, double observed);

/** Least and largest average over a time of t seconds; 0 without any
 * observation, and over more periods than were observed, as over those. */
HESCA_API void hesca_load_at(const hesca_load *load, double t, double *least,
                             double *most);

/** The loads that a task meets.
 * \param [in]  ideal  Seconds that it takes alone, >= 0, finite.
 * \param [out] least, most  0 ... HESCA_LOAD_MOST.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_load_predict(const hesca_load *load, double ideal,
                                 double *least, double *most);

/** The band of speeds under these loads, formulas (4) and (5).
 * \param [in]  speed      Alone, >= 0, finite.
 * \param [in]  ideal      As above.
 * \param [out] low, high  With the most load, and with the least.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
HESCA_API int hesca_load_band(const hesca_load *load, double speed,
                              double ideal, double *low, double *high);

#ifdef __cplusplus
}
#endif

#endif
