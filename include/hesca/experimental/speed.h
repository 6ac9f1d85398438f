/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/speed.h
 * Speed as a function of problem size: the time of a processor for x elements
 * is x / s(x).
 *
 * A model consists of knots (x_j, s_j), sizes ascending: s(x) is s_1 up to
 * x_1, linear between knots, and s_n beyond x_n (HMPI thesis, chapter 4).  A
 * constant speed is a model of one knot.  No straight line through the origin
 * may meet the curve twice: x_j / s_j must increase, and so x / s(x) does.  A
 * model may have a limit, the most elements that fit its memory, and a band,
 * the interval of measured speeds; only s(x) is used for partitioning.
 *
 * Sizes are elements, speeds elements per time in any unit common to all
 * models of a problem.  Models are immutable; all functions are local and
 * pure.
 * */
#ifndef HESCA_EXPERIMENTAL_SPEED_H
#define HESCA_EXPERIMENTAL_SPEED_H

#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_speed hesca_speed; /**< Opaque. */

/** Limits of models. */
enum { HESCA_KNOTS_MAX = 100000 /**< most knots */ };

/** Relative difference below which hesca_speed_merge() treats sizes as equal.
 */
#define HESCA_SPEED_NEAR 0.01

/** A point of a model. */
typedef struct {
    double size;  /**< elements, > 0 */
    double speed; /**< > 0; 0 is allowed at the last of several knots: a size
                       that cannot be solved */
    double low;   /**< lower end of the band, 0 <= low <= speed */
    double high;  /**< upper end of the band, >= speed */
} hesca_knot;

/** A constant speed.
 * \param [in]  speed  > 0, finite.
 * \param [in]  limit  Most elements, >= 0; INFINITY: no limit.
 * \param [out] model  Free with hesca_speed_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_speed_create_constant(double speed, double limit,
                                          hesca_speed **model);

/** A model of knots.
 * \param [in]  n      Knots, 1 ... HESCA_KNOTS_MAX.
 * \param [in]  knot   [n] size ascending, size / speed ascending.
 * \param [in]  limit  Most elements, >= 0; INFINITY: no limit.
 * \param [out] model  Free with hesca_speed_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG with a text that names the knot, or
 *         HESCA_ERR_NOMEM. */
HESCA_API int hesca_speed_create(int n, const hesca_knot *knot, double limit,
                                 hesca_speed **model);

/** A model of measured points with noise: where x / s(x) does not increase by
 * a relative 2e-8 from one point to the next, it is raised until it does, so
 * it becomes the running maximum of the measured times (their upper envelope),
 * and s(x) the lower envelope.  Bands are widened to include s(x).
 * \param [in]  n, point, limit  As in hesca_speed_create(), except for the
 *                               order of size / speed.
 * \param [out] model    Free with hesca_speed_free(); NULL on error.
 * \param [out] changed  Number of points changed, or NULL.
 * \return As hesca_speed_create(). */
HESCA_API int hesca_speed_create_monotone(int n, const hesca_knot *point,
                                          double limit, hesca_speed **model,
                                          int *changed);

/** A model updated with a new measurement, such as one of a running program.
 *
 * If the distance to a knot is less than HESCA_SPEED_NEAR of its size, speed
 * and band of that knot become (1 - weight) times the old ones plus weight
 * times those of the point; else the point becomes a knot.  Then the times
 * x / s(x) of smaller knots are lowered, and those of larger ones raised, as
 * far as they are out of order with this knot, since the new measurement has
 * priority.  A point beyond the limit, or near or beyond a last knot of speed
 * 0, replaces it: the limit becomes the size of the point.  A point of speed 0
 * ends the model at its size.
 * \param [in]  model    Not changed.
 * \param [in]  point    As a knot; of speed 0, larger than the first knot.
 * \param [in]  weight   0 < weight <= 1.
 * \param [out] merged   Free with hesca_speed_free(); NULL on error.
 * \param [out] changed  Number of other knots changed or removed, or NULL.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_speed_merge(const hesca_speed *model,
                                const hesca_knot *point, double weight,
                                hesca_speed **merged, int *changed);

/** A copy of a model with another limit. */
HESCA_API int hesca_speed_copy(const hesca_speed *model, double limit,
                               hesca_speed **copy);

/** Free a model; NULL is allowed. */
HESCA_API void hesca_speed_free(hesca_speed *model);

/** The knots, and their number *n; valid as long as the model. */
HESCA_API const hesca_knot *hesca_speed_knots(const hesca_speed *model,
                                              int *n);

/** Most elements that the processor can hold, INFINITY if there is no limit.
 * Where the last speed is 0, at most the size of that knot. */
HESCA_API double hesca_speed_limit(const hesca_speed *model);

/** s(x): the speed at x elements, x >= 0, regardless of the limit. */
HESCA_API double hesca_speed_at(const hesca_speed *model, double x);

/** Low and high end of the band at x, by linear interpolation. */
HESCA_API void hesca_speed_band(const hesca_speed *model, double x,
                                double *low, double *high);

/** x / s(x), 0 for x = 0, INFINITY beyond the limit. */
HESCA_API double hesca_speed_time(const hesca_speed *model, double x);

/** The size at which x / s(x) is `time`, >= 0, regardless of the limit: where
 * the line of slope 1 / time meets the curve (HMPI thesis 4.7.1).  O(log
 * n). */
HESCA_API double hesca_speed_size(const hesca_speed *model, double time);

#ifdef __cplusplus
}
#endif

#endif
