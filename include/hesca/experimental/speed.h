/** \file hesca/experimental/speed.h
 * Speed as a function of problem size: how long a processor takes for x
 * elements, as x / s(x).
 *
 * A model is made of knots (x_j, s_j), sizes ascending: s(x) is s_1 up to x_1,
 * linear between knots, and s_n beyond x_n (HMPI thesis, chapter 4).  A
 * constant speed is a model of one knot.  No straight line through the origin
 * may meet the curve twice: x_j / s_j must increase, and so x / s(x) does.  A
 * model may have a limit, the most elements that fit its memory, and a band,
 * the interval in which speeds were measured; s(x) is what counts.
 *
 * Sizes are elements, speeds elements per time in any unit, as long as all
 * models that meet have the same.  Models do not change once they are made;
 * all functions are local and pure. */
#ifndef HESCA_EXPERIMENTAL_SPEED_H
#define HESCA_EXPERIMENTAL_SPEED_H

#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_speed hesca_speed; /**< Opaque. */

enum { HESCA_KNOTS_MAX = 100000 }; /**< most knots of a model */

#define HESCA_SPEED_NEAR                                                      \
    0.01 /**< of a size: what hesca_speed_merge() takes for                   \
              the same */

/** A point of a model. */
typedef struct {
    double size;      /**< elements, > 0 */
    double speed;     /**< > 0; of the last knot of several it may be 0: a size
                           that cannot be solved any more */
    double low, high; /**< 0 <= low <= speed <= high: the band */
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

/** A model of measured points, which noise may have put out of order: where
 * x / s(x) does not grow by at least 2e-8 of itself from one point to the next
 * it is raised until it does, so it becomes the running maximum of the times
 * measured (their upper envelope) and s(x) their lower one.  Bands are widened
 * where s(x) left them.
 * \param [in]  n, point, limit  As hesca_speed_create(), but for the order of
 *                               size / speed.
 * \param [out] model    Free with hesca_speed_free(); NULL on error.
 * \param [out] changed  How many points were, or NULL.
 * \return as hesca_speed_create(). */
HESCA_API int hesca_speed_create_monotone(int n, const hesca_knot *point,
                                          double limit, hesca_speed **model,
                                          int *changed);

/** A model that has learnt a new measurement, such as one of a running
 * program.
 *
 * Nearer to a knot than HESCA_SPEED_NEAR of its size, that knot's speed and
 * band become (1 - weight) times what they were plus weight times the point's;
 * elsewhere the point becomes a knot.  Then the times x / s(x) of smaller
 * knots are lowered, and those of larger ones raised, as far as they are out
 * of order with this knot: what is new is believed.  A point beyond the limit,
 * or near or beyond a last knot of speed 0, disproves it: the limit becomes
 * the point's size.  A point of speed 0 ends the model at its size.
 * \param [in]  model    Not changed.
 * \param [in]  point    As a knot; of speed 0, larger than the first knot.
 * \param [in]  weight   0 < weight <= 1.
 * \param [out] merged   Free with hesca_speed_free(); NULL on error.
 * \param [out] changed  How many other knots were moved or dropped, or NULL.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_speed_merge(const hesca_speed *model,
                                const hesca_knot *point, double weight,
                                hesca_speed **merged, int *changed);

/** A model of its own with the same knots and another limit. */
HESCA_API int hesca_speed_copy(const hesca_speed *model, double limit,
                               hesca_speed **copy);

HESCA_API void hesca_speed_free(hesca_speed *model); /**< NULL is allowed. */

/** The knots, and how many; valid as long as the model. */
HESCA_API const hesca_knot *hesca_speed_knots(const hesca_speed *model,
                                              int *n);

/** Most elements that the processor can hold, INFINITY if there is no limit.
 * Where the last speed is 0, at most the size of that knot. */
HESCA_API double hesca_speed_limit(const hesca_speed *model);

/** s(x): the speed at x elements, x >= 0, whatever the limit. */
HESCA_API double hesca_speed_at(const hesca_speed *model, double x);

/** Low and high end of the band at x, by linear interpolation. */
HESCA_API void hesca_speed_band(const hesca_speed *model, double x,
                                double *low, double *high);

/** x / s(x), 0 for x = 0, INFINITY beyond the limit. */
HESCA_API double hesca_speed_time(const hesca_speed *model, double x);

/** The size at which x / s(x) is `time`, >= 0, whatever the limit: where the
 * line of slope 1 / time meets the curve (HMPI thesis 4.7.1).  O(log n). */
HESCA_API double hesca_speed_size(const hesca_speed *model, double time);

#ifdef __cplusplus
}
#endif

#endif
