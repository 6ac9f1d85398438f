/* SPDX-License-Identifier: BSD-3-Clause */
/* The geometric bisection building procedure (HMPI thesis 4.1.1.5), in a form
 * that terminates; hesca/experimental/build.h lists the differences.  Each
 * bisection takes one measurement, and discards a half that is flat or
 * confirmed to be straight. */
#include "base/status.h"
#include "machine/builder.h"
#include <math.h>

/* Whether two cuts, which are closed intervals of speed, intersect, up to a
 * gap of eps times the peak. */
static int
meets(const hesca_builder *b, const hesca_knot *x, const hesca_knot *y)
{
    const double gap = fmax(x->low, y->low) - fmin(x->high, y->high);
    return gap <= b->o.eps * b->peak;
}

/* The cut at x of the straight band from left to right. */
static hesca_knot
expect(const hesca_knot *left, const hesca_knot *right, double x)
{
    const double part = (x - left->size) / (right->size - left->size);
    return (hesca_knot){.size = x,
                        .low = left->low + (right->low - left->low) * part,
                        .high =
                            left->high + (right->high - left->high) * part};
}

/* Step 3 for one interval.  confirm: number of further intersections of the
 * middle with the band that accept the interval; 0 if there was none yet. */
static int
bisect(hesca_builder *b, hesca_knot left, hesca_knot right, int confirm)
{
    hesca_knot middle;
    int err;
    if (right.size > b->end.size)
        right = b->end; /* a smaller size has proved too large meanwhile */
    if (right.size - left.size < 2 * b->o.minlen)
        return HESCA_SUCCESS;
    const double x = floor(left.size + (right.size - left.size) / 2);
    const hesca_knot expected = expect(&left, &right, x);
    HESCA_TRY(err, hesca_builder_measure(b, x, &middle));
    if (err == HESCA_BUILD_STOP)
        return HESCA_SUCCESS;
    if (err == HESCA_BUILD_TOO_LARGE)
        return bisect(b, left, middle, 0);
    const int flat_left = meets(b, &left, &middle);
    const int flat_right = meets(b, &right, &middle);
    const int is_hit = meets(b, &middle, &expected);
    if ((confirm == 1 && is_hit) || (flat_left && flat_right))
        return HESCA_SUCCESS;
    const int next = !is_hit ? 0 : confirm == 0 ? b->o.confirm : confirm - 1;
    if (!flat_left)
        HESCA_TRY(err, bisect(b, left, middle, flat_right ? 0 : next));
    if (!flat_right)
        HESCA_TRY(err, bisect(b, middle, right, flat_left ? 0 : next));
fail:
    return err;
}

/* Step 2: small sizes while the speed rises; step 3 begins at the last one.
 * With doubling, the peak is in one of the last two intervals, which are wide,
 * so they are bisected, too. */
static int
sweep(hesca_builder *b, hesca_knot *left)
{
    hesca_knot before = *left, now;
    int err, is_over = 0;
    while (!is_over) {
        const double x = left->size + (b->o.doubling ? left->size : b->o.a);
        if (x >= b->end.size)
            return HESCA_SUCCESS;
        HESCA_TRY(err, hesca_builder_measure(b, x, &now));
        if (err != HESCA_BUILD_MEASURED)
            return HESCA_SUCCESS;
        /* The cut is not above the one before, or lies inside it. */
        is_over = now.high <= left->high;
        if (is_over && b->o.doubling) {
            HESCA_TRY(err, bisect(b, before, *left, 0));
            HESCA_TRY(err, bisect(b, *left, now, 0));
        }
        before = *left;
        *left = now;
    }
    return HESCA_SUCCESS;
fail:
    return err;
}

int
hesca_build_gbbp(const hesca_build_options *options, hesca_build_kernel kernel,
                 void *data, hesca_speed **model, hesca_build_report *report)
{
    hesca_builder b;
    hesca_knot left, end;
    int err;
    HESCA_TRY(err, hesca_builder_init(&b, "hesca_build_gbbp", 1, options,
                                      kernel, data, model));
    HESCA_TRY(err, hesca_builder_measure(&b, b.o.a, &left));
    if (b.o.measure_end && err == HESCA_BUILD_MEASURED) {
        HESCA_TRY(err, hesca_builder_measure(&b, b.o.b, &end));
        if (err == HESCA_BUILD_MEASURED)
            b.end = end;
    }
    HESCA_TRY(err, sweep(&b, &left));
    HESCA_TRY(err, bisect(&b, left, b.end, 0));
fail:
    return hesca_builder_clear(&b, err, model, report);
}
