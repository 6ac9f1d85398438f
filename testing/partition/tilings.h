/* SPDX-License-Identifier: BSD-3-Clause */
/* Tilings to be checked: that they are some, and against all there are. */
#ifndef HESCA_TESTING_PARTITION_TILINGS_H
#define HESCA_TESTING_PARTITION_TILINGS_H

#include "hesca/experimental/tiling.h"
#include "testing/partition/sets.h"

static inline models
models_of(int p, const double *speed)
{
    models m = {.p = 0};
    for (int i = 0; i < p; ++i)
        models_add_constant(&m, speed[i], INFINITY);
    return m;
}

/* Every element has one owner, which hesca_tiling_owner() returns, what is
 * common is common, and areas and perimeters are as reported. */
static inline void
tiling_check(const hesca_tiling *t, const hesca_speed *const *speed,
             const char *what)
{
    const int p = hesca_tiling_parts(t);
    const int64_t m = hesca_tiling_rows(t), n = hesca_tiling_cols(t);
    int64_t area = 0, sum = 0, max = 0;
    double time = 0;
    for (int i = 0; i < p; ++i) {
        const hesca_rect r = hesca_tiling_rect(t, i);
        int64_t owned = 0;
        for (int64_t a = r.row; a < r.row + r.height; ++a)
            for (int64_t b = r.col; b < r.col + r.width; ++b)
                owned += hesca_tiling_owner(t, a, b) == i;
        CHECK(owned == r.height * r.width, "%s: %d owns %lld", what, i,
              (long long)owned);
        const double x = (double)owned;
        time = fmax(time, speed == NULL ? x : hesca_speed_time(speed[i], x));
        area += owned;
        sum += owned > 0 ? r.height + r.width : 0;
        if (owned > 0 && r.height + r.width > max)
            max = r.height + r.width;
        CHECK(hesca_tiling_common_rows(t, i, i) == r.height &&
                  hesca_tiling_common_cols(t, i, i) == r.width,
              "%s: %d", what, i);
    }
    CHECK(area == m * n, "%s: %lld of %lld x %lld", what, (long long)area,
          (long long)m, (long long)n);
    CHECK(sum == hesca_tiling_sum(t) && max == hesca_tiling_max(t), "%s",
          what);
    CHECK(time == hesca_tiling_time(t), "%s: %.17g and %.17g", what, time,
          hesca_tiling_time(t));
    CHECK(hesca_tiling_imbalance(t) >= 1 - 1e-9, "%s: %.17g", what,
          hesca_tiling_imbalance(t));
    CHECK(hesca_tiling_owner(t, m, 0) == -1 &&
              hesca_tiling_owner(t, 0, -1) == -1,
          "%s: outside", what);
}

/* Write n lines as k extents, one way after the other; 0 at the end.  The
 * first way is all for the last. */
static inline int
next_extents(int k, int *extent)
{
    int last = k - 1;
    if (extent[last] > 0) {
        if (k == 1)
            return 0;
        --extent[last];
        ++extent[last - 1];
        return 1;
    }
    while (last > 0 && extent[last] == 0)
        --last;
    if (last == 0)
        return 0;
    /* All of `last` but one goes back to the end. */
    const int back = extent[last] - 1;
    extent[last] = 0;
    ++extent[last - 1];
    extent[k - 1] = back;
    return 1;
}

static inline void
first_extents(int k, int n, int *extent)
{
    for (int i = 0; i < k; ++i)
        extent[i] = i == k - 1 ? n : 0;
}

static inline hesca_tiling *
grid_of(int p, int q, const hesca_speed *const *speed, int64_t m, int64_t n,
        hesca_tiling_kind kind, hesca_tiling_cut cut)
{
    hesca_tiling *t;
    const int err = hesca_tiling_create_grid(p, q, speed, m, n, kind, cut, &t);
    CHECK(err == HESCA_SUCCESS, "%d x %d: %s", p, q, hesca_error_text());
    return t;
}

/* An argument was found to be bad. */
static inline void
tiling_expect(int err, int info, const char *word, hesca_tiling *t)
{
    CHECK(err == HESCA_ERR_ARG && hesca_error_info() == info && t == NULL &&
              strstr(hesca_error_text(), word) != NULL,
          "%d, %d, '%s' instead of argument %d, %s", err, hesca_error_info(),
          hesca_error_text(), info, word);
}

#endif
