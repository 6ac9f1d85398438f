/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/build.h
 * Building speed functions from measurements of few sizes.
 *
 * hesca_build_gbbp() is the geometric bisection building procedure of the HMPI
 * thesis (4.1.1.5): it measures where the curve is not straight.
 * hesca_build_naive() measures equal steps, as a baseline.  Both call a kernel
 * of the caller for each size; large sizes take longest, so their number
 * determines the cost.
 *
 * The procedure as printed does not terminate: cuts of zero width near the end
 * never meet, on a flat curve it continues to the right forever, and an
 * accidental meeting is confirmed on one side only.  Here cuts meet if their
 * distance is less than eps times the highest speed measured, an interval with
 * flat halves is finished, both halves confirm, and intervals shorter than
 * twice minlen are not halved.
 *
 * Local; only the kernel takes measurements. */
#ifndef HESCA_EXPERIMENTAL_BUILD_H
#define HESCA_EXPERIMENTAL_BUILD_H

#include "hesca/experimental/speed.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Values that a kernel may return besides a negative hesca_status, which ends
 * the building without a model. */
enum {
    HESCA_BUILD_MEASURED = 0,  /**< point and seconds are set */
    HESCA_BUILD_TOO_LARGE = 1, /**< this size cannot be solved */
    HESCA_BUILD_STOP = 2       /**< stop measuring, for example to save time */
};

/** Measure the speed at one size, with as many repetitions as needed.
 * \param [in]  size     Elements, a whole number.
 * \param [out] point    Set speed > 0 and its band, low <= speed <= high; size
 *                       is already set.
 * \param [out] seconds  Time of the measurement, for the report.
 * \param [in]  data     As passed by the caller. */
typedef int (*hesca_build_kernel)(double size, hesca_knot *point,
                                  double *seconds, void *data);

/** Called before each measurement.
 * \param [in] npoints  Measurements so far.
 * \param [in] seconds  Their time.
 * \param [in] next     The next size.
 * \param [in] data     progress_data of the options. */
typedef void (*hesca_build_progress)(int npoints, double seconds, double next,
                                     void *data);

/** How to build; values of 0, except a and b, select the defaults below. */
typedef struct {
    double a;        /**< smallest size, whole, >= 1: fits the fastest level of
                          memory */
    double b;        /**< largest size, whole, a < b <= 2^53: the largest size
                          of interest */
    int measure_end; /**< 0: speed is 0 at b and not measured (as printed);
                          1: it is measured like others */
    double eps;      /**< accuracy relative to the highest speed; 0: 0.05 */
    double minlen;   /**< at least 1 and b / 10^7; 0: (b - a) / 128 */
    int most;        /**< points, at least 2; 0: 64 */
    double seconds;  /**< start no measurement after this time; 0: no bound */
    int doubling; /**< sizes while speed increases at first: 0: a, 2a, 3a, 4a
                       (as printed); 1: a, 2a, 4a, 8a, then halves around the
                       peak, which is better if it is far from a */
    int confirm;  /**< consecutive confirmations of a straight piece; 0: 1 (as
                       printed); more detect steps in the range of paging */
    hesca_build_progress progress; /**< or NULL */
    void *progress_data;           /**< its argument data */
} hesca_build_options;

/** Steps of the naive method. */
enum { HESCA_BUILD_NAIVE = 20 /**< the comparison in the thesis */ };

/** Report of the measurements. */
typedef struct {
    int npoints;          /**< number of measurements */
    hesca_knot *point;    /**< [npoints] in the order of measurement */
    double *seconds;      /**< [npoints] time of each */
    double total;         /**< sum of seconds */
    double naive_seconds; /**< estimated time of HESCA_BUILD_NAIVE equal steps,
                               by the model and the ratio of measuring time to
                               x / s(x) */
    int changed;          /**< points that were not monotone */
    int is_complete;      /**< 0: ended early by points, time or the kernel */
} hesca_build_report;

/** Build a model by geometric bisection.
 *
 * Memory: that of the points.  Knots are the measurements, with speed 0 at b
 * or at the smallest size that was too large, which then is the limit of the
 * model; else set one by hesca_speed_copy().
 * \param [in]  options  Not NULL.
 * \param [in]  kernel   Called with sizes from a to b, each at most once.
 * \param [in]  data     For the kernel.
 * \param [out] model    Free with hesca_speed_free(); NULL on error.
 * \param [out] report   Free with hesca_build_report_clear(), or NULL; without
 *                       points on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (options, results of the kernel, or a
 *         is already too large), HESCA_ERR_NOMEM, or an error returned by the
 *         kernel. */
HESCA_API int hesca_build_gbbp(const hesca_build_options *options,
                               hesca_build_kernel kernel, void *data,
                               hesca_speed **model,
                               hesca_build_report *report);

/** Build a model of n equal steps: sizes a + i (b - a) / n, i = 0 ... n - 1,
 * rounded down, and b with speed 0; with measure_end, / (n - 1), the last one
 * being b.
 *
 * eps, minlen, most, doubling and confirm are not used.  Other arguments and
 * errors are those of hesca_build_gbbp().
 * \param options, kernel, data, model, report  As in hesca_build_gbbp().
 * \param [in] n  1 ... HESCA_KNOTS_MAX - 1, at most b - a; with measure_end,
 *                at least 2. */
HESCA_API int hesca_build_naive(int n, const hesca_build_options *options,
                                hesca_build_kernel kernel, void *data,
                                hesca_speed **model,
                                hesca_build_report *report);

/** Free the arrays of a report. */
HESCA_API void hesca_build_report_clear(hesca_build_report *report);

#ifdef __cplusplus
}
#endif

#endif
