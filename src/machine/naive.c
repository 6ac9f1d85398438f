/* SPDX-License-Identifier: BSD-3-Clause */
/* The naive procedure, with equal steps, to which the HMPI thesis (4.1.1.6)
 * compares the GBBP. */
#include "base/status.h"
#include "machine/builder.h"
#include <math.h>

int
hesca_build_naive(int n, const hesca_build_options *options,
                  hesca_build_kernel kernel, void *data, hesca_speed **model,
                  hesca_build_report *report)
{
    hesca_builder b;
    hesca_knot point;
    int err;
    HESCA_TRY(err, hesca_builder_init(&b, "hesca_build_naive", 2, options,
                                      kernel, data, model));
    const int steps = b.o.measure_end && n > 0 ? n - 1 : n;
    if (steps < 1 || n > HESCA_KNOTS_MAX - 1 || steps > b.o.b - b.o.a)
        HESCA_TRY(err, hesca_fail_arg("hesca_build_naive", 1, "n", n,
                                      "1 ... 99999, at most b - a; with "
                                      "measure_end at least 2"));
    b.o.most = n + 1;
    for (int i = 0; i < n && err == HESCA_BUILD_MEASURED; ++i)
        HESCA_TRY(err,
                  hesca_builder_measure(
                      &b, floor(b.o.a + (b.o.b - b.o.a) * ((double)i / steps)),
                      &point));
    if (b.o.measure_end && err == HESCA_BUILD_MEASURED)
        b.end = point;
fail:
    return hesca_builder_clear(&b, err, model, report);
}
