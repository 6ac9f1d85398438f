/** \file hesca/experimental/build.h
 * Building speed functions by measuring few sizes.
 *
 * hesca_build_gbbp() is the geometric bisection building procedure of the HMPI
 * thesis (4.1.1.5): it measures where the curve bends.  hesca_build_naive()
 * measures equal steps, as a baseline.  Both call a kernel of the caller's for
 * each size; large sizes take longest, so what counts is how many of these
 * there are.
 *
 * As printed the procedure does not end: cuts of no width near the end never
 * meet, a flat curve sends it to the right for ever, and an accidental meeting
 * is confirmed on one side only.  Here cuts meet if they are nearer than eps
 * times the highest speed measured, an interval with flat halves is finished,
 * both halves confirm, and intervals shorter than twice minlen are not halved.
 *
 * Local; nothing is measured but what the kernel measures. */
#ifndef HESCA_EXPERIMENTAL_BUILD_H
#define HESCA_EXPERIMENTAL_BUILD_H

#include "hesca/experimental/speed.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a kernel may return besides a negative hesca_status, which ends the
 * building without a model. */
enum {
    HESCA_BUILD_MEASURED = 0,
    HESCA_BUILD_TOO_LARGE = 1, /**< this size cannot be solved */
    HESCA_BUILD_STOP = 2       /**< no more, for example for want of time */
};

/** Measure the speed at one size, as often as it takes to trust it.
 * \param [in]  size     Elements, a whole number.
 * \param [out] point    Set speed > 0 and its band, low <= speed <= high; size
 *                       is there already.
 * \param [out] seconds  That measuring took, for the report.
 * \param [in]  data     The caller's. */
typedef int (*hesca_build_kernel)(double size, hesca_knot *point,
                                  double *seconds, void *data);

/** Before each measurement: how many there were, the seconds that they took,
 * and the size that follows. */
typedef void (*hesca_build_progress)(int npoints, double seconds, double next,
                                     void *data);

/** How to build.  All zero but a and b: what is told behind. */
typedef struct {
    double a, b;     /**< sizes, whole, 1 <= a < b <= 2^53: a fits the fastest
                          level of memory, b is as large as makes sense */
    int measure_end; /**< 0: speed is 0 at b and not measured (as printed);
                          1: it is measured like others */
    double eps;      /**< accuracy relative to the highest speed; 0: 0.05 */
    double minlen;   /**< at least 1 and b / 10^7; 0: (b - a) / 128 */
    int most;        /**< points, at least 2; 0: 64 */
    double seconds;  /**< begin no measurement after so many; 0: no bound */
    int doubling; /**< while speed rises at first, sizes 0: a, 2a, 3a, 4a (as
                       printed); 1: a, 2a, 4a, 8a, then halves around the
                       peak: better where it is far from a */
    int confirm;  /**< times in a row that a straight piece is confirmed;
                       0: 1 (as printed); more see steps in what pages */
    hesca_build_progress progress; /**< or NULL */
    void *progress_data;
} hesca_build_options;

enum { HESCA_BUILD_NAIVE = 20 /**< points that the thesis compares with */ };

/** What was done. */
typedef struct {
    int npoints;
    hesca_knot *point;    /**< [npoints] in the order of measurement */
    double *seconds;      /**< [npoints] that each took */
    double total;         /**< all of them */
    double naive_seconds; /**< estimate: what HESCA_BUILD_NAIVE equal steps
                               would take, by the model and by how much longer
                               than x / s(x) measuring took */
    int changed;          /**< points that hesca_speed_create_monotone() had to
                               change */
    int is_complete;      /**< 0: points, time or the kernel ended it */
} hesca_build_report;

/** Build a model by geometric bisection.
 *
 * Memory: of the points.  Knots are what was measured, with the speed 0 at b
 * or at the least size that was too large, which is the model's limit then;
 * else give it one by hesca_speed_copy().
 * \param [in]  options  Not NULL.
 * \param [in]  kernel   Called with sizes from a to b, each at most once.
 * \param [in]  data     For the kernel.
 * \param [out] model    Free with hesca_speed_free(); NULL on error.
 * \param [out] report   Free with hesca_build_report_clear(), or NULL; of no
 *                       points on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (options, what the kernel measured, or
 *         a is too large already), HESCA_ERR_NOMEM, or what the kernel
 *         returned. */
HESCA_API int hesca_build_gbbp(const hesca_build_options *options,
                               hesca_build_kernel kernel, void *data,
                               hesca_speed **model,
                               hesca_build_report *report);

/** Build a model of n equal steps: sizes a + i (b - a) / n, i = 0 ... n - 1,
 * rounded down, and b with speed 0; with measure_end, / (n - 1), the last one
 * being b.
 *
 * eps, minlen, most, doubling and confirm mean nothing here.
 * \param [in] n  1 ... HESCA_KNOTS_MAX - 1, at most b - a; with measure_end,
 *                at least 2.
 * The others and errors as above. */
HESCA_API int hesca_build_naive(int n, const hesca_build_options *options,
                                hesca_build_kernel kernel, void *data,
                                hesca_speed **model,
                                hesca_build_report *report);

HESCA_API void hesca_build_report_clear(hesca_build_report *report);

#ifdef __cplusplus
}
#endif

#endif
