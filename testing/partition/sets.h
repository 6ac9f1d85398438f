/* SPDX-License-Identifier: BSD-3-Clause */
/* Processors to share sets among: models of tables, random ones. */
#ifndef HESCA_TESTING_PARTITION_SETS_H
#define HESCA_TESTING_PARTITION_SETS_H

#include "base/status.h"
#include "hesca/experimental/shares.h"
#include "testing/unit.h"
#include <math.h>

enum { PROCS = 1000, KNOTS = 8 };

/* p models, at most PROCS + 1; cleared by models_clear(). */
typedef struct {
    int p;
    hesca_speed *made[PROCS + 1];
    const hesca_speed *speed[PROCS + 1];
} models;

static inline void
models_clear(models *m)
{
    for (int i = 0; i < m->p; ++i)
        hesca_speed_free(m->made[i]);
    m->p = 0;
}

/* One more model, of n knots. */
static inline void
models_add(models *m, int n, const double *size, const double *speed,
           double limit)
{
    hesca_knot knot[KNOTS];
    hesca_speed **made = &m->made[m->p];
    for (int j = 0; j < n; ++j)
        knot[j] = (hesca_knot){size[j], speed[j], speed[j], speed[j]};
    if (hesca_speed_create(n, knot, limit, made) < 0) {
        fprintf(stderr, "%s\n", hesca_error_text());
        abort();
    }
    m->speed[m->p++] = *made;
}

static inline void
models_add_constant(models *m, double speed, double limit)
{
    const double size = 1;
    models_add(m, 1, &size, &speed, limit);
}

static inline double
sets_number(double low, double high)
{
    return low + (high - low) * 0x1p-53 * (double)(check_random() >> 11);
}

/* A random curve between sizes up to about `reach`: times ascend from knot to
 * knot, so speeds may rise, stay or fall. */
static inline void
models_add_curve(models *m, double reach, double limit)
{
    const int n = check_uniform(2, KNOTS);
    double size[KNOTS], speed[KNOTS], x = sets_number(0.3, reach / n), t;
    t = x / sets_number(1, 100);
    for (int j = 0; j < n; ++j) {
        size[j] = x;
        speed[j] = x / t;
        const double grow = sets_number(1.05, 2.5);
        t *= 1 + (grow - 1) * sets_number(0.02, 3);
        x *= grow;
    }
    if (check_uniform(0, 9) == 0)
        speed[n - 1] = 0;
    models_add(m, n, size, speed, limit);
}

typedef enum { ALIKE, WHOLE, REAL, CURVES, MIXED, KINDS } models_kind;

/* p random processors; limits (below `reach`) for some of them if asked. */
static inline void
models_random(models *m, int p, models_kind kind, double reach, int limited)
{
    m->p = 0;
    for (int i = 0; i < p; ++i) {
        const double limit = limited && check_uniform(0, 2) < 2
                                 ? floor(sets_number(0, reach))
                                 : INFINITY;
        const double number = kind == ALIKE   ? 3
                              : kind == WHOLE ? check_uniform(1, 9)
                                              : sets_number(0.1, 50);
        if (kind == CURVES || (kind == MIXED && check_uniform(0, 1)))
            models_add_curve(m, reach, limit);
        else
            models_add_constant(m, number, limit);
    }
}

/* An argument was found wrong, and the text names it. */
static inline void
sets_bad(int err, const char *text)
{
    CHECK(err == HESCA_ERR_ARG && strstr(hesca_error_text(), text) != NULL,
          "%d, '%s' has no '%s'", err, hesca_error_text(), text);
}

#endif
