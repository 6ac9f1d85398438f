/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed functions of known shape, from 100 to 6400 elements, as kernels that
 * take no time, and how far a model is from them. */
#ifndef HESCA_TESTING_MACHINE_SHAPES_H
#define HESCA_TESTING_MACHINE_SHAPES_H

#include "hesca/experimental/build.h"
#include <math.h>
#include <stddef.h>

enum { SHAPE_A = 100, SHAPE_B = 6400 };

typedef struct {
    const char *name;
    hesca_knot knot[6]; /* a polyline, or with n = 0: */
    int n;
    double (*speed)(double x);
    double peak;
    int is_plain; /* as building assumes: no plateau, no crash */
} shape;

static inline double
shape_parabola(double x)
{
    return 100 * (1 - x / SHAPE_B) * (1 - x / SHAPE_B);
}

/* Rises for long, as a kernel does that pays for starting, and pages. */
static inline double
shape_rise(double x)
{
    return 100 * (1 - exp(-x / 500)) * (1 - pow(x / SHAPE_B, 8));
}

/* Only sizes and speeds of knots count. */
#define SHAPE_KNOT(x, s)                                                      \
    {                                                                         \
        x, s, s, s                                                            \
    }
static const shape shapes[] = {
    {"line", {SHAPE_KNOT(100, 100), SHAPE_KNOT(6400, 0)}, 2, NULL, 100, 1},
    {"parabola", {SHAPE_KNOT(0, 0)}, 0, shape_parabola, 96.8994140625, 1},
    {"polyline",
     {SHAPE_KNOT(100, 160), SHAPE_KNOT(300, 200), SHAPE_KNOT(2000, 180),
      SHAPE_KNOT(3000, 30), SHAPE_KNOT(6400, 0)},
     5,
     NULL,
     200,
     1},
    {"crash",
     {SHAPE_KNOT(100, 100), SHAPE_KNOT(4500, 100), SHAPE_KNOT(4700, 4),
      SHAPE_KNOT(6400, 0)},
     4,
     NULL,
     100,
     0},
    {"plateau",
     {SHAPE_KNOT(100, 100), SHAPE_KNOT(3000, 95), SHAPE_KNOT(3500, 30),
      SHAPE_KNOT(5500, 29), SHAPE_KNOT(6000, 2), SHAPE_KNOT(6400, 0)},
     6,
     NULL,
     100,
     0},
    {"rise", {SHAPE_KNOT(0, 0)}, 0, shape_rise, 98.9, 0}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static inline double
shape_at(const shape *s, double x)
{
    if (s->n == 0)
        return s->speed(x);
    int j = 1;
    while (j < s->n - 1 && x > s->knot[j].size)
        ++j;
    const hesca_knot *p = &s->knot[j - 1], *q = &s->knot[j];
    if (x > q->size)
        return q->speed;
    return p->speed +
           (q->speed - p->speed) * (x - p->size) / (q->size - p->size);
}

/* A hesca_build_kernel: the band is a tenth wide, below the shape. */
static inline int
shape_kernel(double size, hesca_knot *point, double *seconds, void *data)
{
    const double s = shape_at(data, size);
    if (!(s > 0))
        return HESCA_BUILD_TOO_LARGE;
    point->speed = point->high = s;
    point->low = 0.9 * s;
    *seconds = size / s;
    return HESCA_BUILD_MEASURED;
}

static inline hesca_build_options
shape_options(void)
{
    return (hesca_build_options){
        .a = SHAPE_A, .b = SHAPE_B, .eps = 0.05, .minlen = 50, .most = 200};
}

/* The farthest that the upper end of the band is from the shape, relative to
 * its peak, at all whole sizes. */
static inline double
shape_error(const shape *s, const hesca_speed *model)
{
    double worst = 0;
    for (int x = SHAPE_A; x <= SHAPE_B; ++x) {
        double low, high;
        hesca_speed_band(model, x, &low, &high);
        worst = fmax(worst, fabs(high - shape_at(s, x)));
    }
    return worst / s->peak;
}

/* How many equal steps it takes to come as near to a shape as `bound`. */
typedef struct {
    int first;      /* the least number that does */
    int always;     /* the least one from which on all do, up to SHAPE_MOST */
    double seconds; /* that `always` steps take */
} shape_steps;

enum { SHAPE_MOST = 300 };

/* 0, or a hesca_status. */
static inline int
shape_count_steps(const shape *s, double bound, shape_steps *found)
{
    const hesca_build_options o = shape_options();
    *found = (shape_steps){0};
    for (int n = 1; n <= SHAPE_MOST; ++n) {
        hesca_build_report r;
        hesca_speed *model;
        const int err =
            hesca_build_naive(n, &o, shape_kernel, (void *)s, &model, &r);
        if (err < 0)
            return err;
        if (!(shape_error(s, model) <= bound + 1e-9)) {
            found->always = 0;
        } else if (found->always == 0) {
            found->always = n;
            found->seconds = r.total;
            found->first = found->first == 0 ? n : found->first;
        }
        hesca_speed_free(model);
        hesca_build_report_clear(&r);
    }
    return HESCA_SUCCESS;
}

#endif
