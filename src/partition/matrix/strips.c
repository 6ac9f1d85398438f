/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/matrix/strips.h"
#include "base/arith.h"
#include "base/status.h"
#include "partition/matrix/min_makespan.h"
#include "partition/set/split.h"
#include <stdlib.h>

/* ------------------------------------------------ in proportion to speed
 * Extents sum up to those of the matrix; limits may be exceeded. */

/* Two steps: strips in proportion to the sums of their speeds, then each strip
 * on its own (HMPI thesis 5.2, Kalinov and Lastovetsky 2001). */
static void
cut_in_proportion(const hesca_tiling_task *x, const hesca_strips *s,
                  double *speed, int64_t *width, int64_t *height)
{
    for (int k = 0; k < s->n; ++k) {
        speed[k] = 0;
        for (int i = s->first[k]; i < s->first[k + 1]; ++i)
            speed[k] += x->weight[s->order[i]];
    }
    hesca_split(hesca_strips_length(x, s->lines), s->n, speed, width);
    for (int i = 0; i < x->p; ++i)
        speed[i] = x->weight[s->order[i]];
    for (int k = 0; k < s->n; ++k) {
        const int i = s->first[k];
        hesca_split(hesca_strips_depth(x, s->lines), s->first[k + 1] - i,
                    speed + i, height + i);
    }
}

/* Whether no processor exceeds its capacity. */
static int
fits(const hesca_min_makespan *makespan, const hesca_strips *s,
     const int64_t *width, const int64_t *height)
{
    for (int k = 0; k < s->n; ++k)
        for (int i = s->first[k]; i < s->first[k + 1]; ++i)
            if (width[k] * height[i] > makespan->most[s->order[i]])
                return 0;
    return 1;
}

/* ------------------------------------------------ with minimal largest time
 * Every test is monotone in the counts, as min_makespan.h requires. */

/* The problem for strip k of the given width, or for all strips. */
typedef struct {
    const hesca_strips *strips;
    int k;
    int64_t length, depth, width;
} strip_problem;

/* The depth to which a strip of a given width can be filled, at most
 * `depth`. */
static int64_t
filled(const strip_problem *q, int k, int64_t width, const int64_t *count)
{
    const hesca_strips *s = q->strips;
    int64_t sum = 0;
    for (int i = s->first[k]; i < s->first[k + 1] && sum < q->depth; ++i)
        sum += hesca_min(count[s->order[i]] / width, q->depth - sum);
    return sum;
}

/* The largest width of strip k that can be filled; the depth filled decreases
 * with the width. */
static int64_t
widest(const strip_problem *q, int k, const int64_t *count)
{
    int64_t low = 0, high = q->length + 1;
    while (high - low > 1) {
        const int64_t mid = low + (high - low) / 2;
        if (filled(q, k, mid, count) == q->depth)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static int
all_suffice(const void *what, const int64_t *count)
{
    const strip_problem *q = what;
    int64_t sum = 0;
    for (int k = 0; k < q->strips->n && sum < q->length; ++k)
        sum += hesca_min(widest(q, k, count), q->length - sum);
    return sum == q->length;
}

static int
one_suffices(const void *what, const int64_t *count)
{
    const strip_problem *q = what;
    return filled(q, q->k, q->width, count) == q->depth;
}

/* The heights of one strip of known width, for its own minimal time, which may
 * be less than that of all strips. */
static void
cut_strip(hesca_min_makespan *makespan, strip_problem *q, double *speed,
          int64_t *height)
{
    const hesca_strips *s = q->strips;
    const int first = s->first[q->k], n = s->first[q->k + 1] - first;
    makespan->what = q;
    makespan->suffices = one_suffices;
    makespan->subset = s->order + first;
    makespan->nsubset = n;
    if (q->width > 0)
        hesca_min_makespan_time(makespan);
    for (int i = 0; i < n; ++i) {
        const int iproc = s->order[first + i];
        speed[i] = q->width > 0 ? (double)(makespan->count[iproc] / q->width)
                                : makespan->task->weight[iproc];
    }
    hesca_split(q->depth, n, speed, height + first);
}

/* Within a given time the number of lines of a strip is bounded, and the bound
 * grows with the time; so bisection finds the minimal time at which the bounds
 * of all strips suffice, and no tiling of these strips has a smaller one.
 * Lines split in proportion to the bounds do not exceed them. */
static int
cut_in_least_time(hesca_min_makespan *makespan, const hesca_strips *s,
                  double *speed, int64_t *width, int64_t *height)
{
    const hesca_tiling_task *x = makespan->task;
    strip_problem q = {.strips = s,
                       .length = hesca_strips_length(x, s->lines),
                       .depth = hesca_strips_depth(x, s->lines)};
    makespan->what = &q;
    makespan->suffices = all_suffice;
    if (!hesca_min_makespan_time(makespan))
        return hesca_tiling_fail_limits(x, HESCA_ERR_ARG,
                                        "there is no tiling of this kind,");
    for (int k = 0; k < s->n; ++k)
        speed[k] = (double)widest(&q, k, makespan->count);
    hesca_split(q.length, s->n, speed, width);
    for (q.k = 0; q.k < s->n; ++q.k) {
        q.width = width[q.k];
        cut_strip(makespan, &q, speed, height);
    }
    return HESCA_SUCCESS;
}

/* ------------------------------------------------ the private interface
 * *tiling is set on success only, and is measured. */

int
hesca_strips_cut(const hesca_tiling_task *x, const hesca_strips *strips,
                 hesca_tiling_cut cut, int64_t *width, int64_t *height)
{
    int err;
    hesca_min_makespan makespan;
    double *speed = malloc((size_t)x->p * sizeof *speed);
    HESCA_TRY(err, hesca_min_makespan_init(&makespan, x));
    if (speed == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: strips of %d",
                                  x->routine, x->p));
    if (cut == HESCA_TILING_PROPORTIONAL && x->is_constant) {
        cut_in_proportion(x, strips, speed, width, height);
        if (fits(&makespan, strips, width, height))
            goto fail;
    }
    HESCA_TRY(err, cut_in_least_time(&makespan, strips, speed, width, height));
fail:
    free(speed);
    hesca_min_makespan_clear(&makespan);
    return err;
}

hesca_tiling *
hesca_strips_tiling(const hesca_tiling_task *x, const hesca_strips *strips,
                    const int64_t *width, const int64_t *height, int nprow,
                    int npcol)
{
    const hesca_direction across =
        strips->lines == HESCA_ROWS ? HESCA_COLS : HESCA_ROWS;
    hesca_tiling *t = hesca_tiling_alloc(x, nprow, npcol);
    if (t == NULL)
        return NULL;
    const int strip =
        hesca_tiling_divide(t, 0, strips->lines, strips->n, width);
    for (int k = 0; k < strips->n; ++k) {
        const int i = strips->first[k], n = strips->first[k + 1] - i;
        const int part =
            hesca_tiling_divide(t, strip + k, across, n, height + i);
        for (int j = 0; j < n; ++j)
            hesca_tiling_assign(t, part + j, strips->order[i + j]);
    }
    return t;
}

int
hesca_strips_make(const hesca_tiling_task *x, const hesca_strips *strips,
                  hesca_tiling **tiling)
{
    const size_t p = (size_t)x->p;
    int64_t *extent = malloc(2 * p * sizeof *extent);
    int err = HESCA_SUCCESS;
    if (extent == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: strips of %d",
                                  x->routine, x->p));
    HESCA_TRY(err, hesca_strips_cut(x, strips, HESCA_TILING_LEAST_TIME, extent,
                                    extent + p));
    *tiling = hesca_strips_tiling(x, strips, extent, extent + p, 1, x->p);
    if (*tiling == NULL)
        HESCA_TRY(err, HESCA_ERR_NOMEM);
    hesca_tiling_measure(x, *tiling);
fail:
    free(extent);
    return err;
}
