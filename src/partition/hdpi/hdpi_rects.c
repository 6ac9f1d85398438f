/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/hdpi/hdpi_rects.h"
#include "base/arith.h"
#include "base/status.h"
#include "hdpi.h"
#include "partition/hdpi/hdpi_models.h"
#include <stdlib.h>
#include <string.h>

int
hesca_hdpi_rects_alloc(const char *routine, int p, hesca_hdpi_rects *x)
{
    const size_t n = (size_t)p;
    *x = (hesca_hdpi_rects){0};
    x->w = malloc(n * (n + 3) * sizeof *x->w);
    if (x->w == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d rectangles", routine, p);
    x->trow = x->w + n;
    x->tcol = x->trow + n;
    x->h = x->tcol + n;
    return HESCA_SUCCESS;
}

void
hesca_hdpi_rects_free(hesca_hdpi_rects *x)
{
    free(x->w);
}

static int
common(int x, int nx, int y, int ny)
{
    return (int)hesca_max(0, hesca_min((int64_t)x + nx, (int64_t)y + ny) -
                                 hesca_max(x, y));
}

void
hesca_hdpi_put_common(int p, const hesca_hdpi_rects *x)
{
    const size_t n = (size_t)p;
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < n; ++k)
            if (i != k)
                x->h[i * n + k] = common(x->trow[i], x->h[i * n + i],
                                         x->trow[k], x->h[k * n + k]);
}

void
hesca_hdpi_write(const hesca_tiling *t, const hesca_hdpi_rects *to)
{
    const int p = hesca_tiling_parts(t);
    for (int i = 0; i < p; ++i) {
        const hesca_rect r = hesca_tiling_rect(t, i);
        to->w[i] = (int)r.width;
        for (int k = 0; k < p; ++k)
            to->h[(size_t)i * (size_t)p + (size_t)k] =
                (int)hesca_tiling_common_rows(t, i, k);
        if (to->trow != NULL)
            to->trow[i] = (int)r.row;
        if (to->tcol != NULL)
            to->tcol[i] = (int)r.col;
    }
}

void
hesca_hdpi_copy(int p, const hesca_hdpi_rects *from,
                const hesca_hdpi_rects *to)
{
    const size_t n = (size_t)p;
    memcpy(to->w, from->w, n * sizeof *to->w);
    memcpy(to->h, from->h, n * n * sizeof *to->h);
    if (to->trow != NULL)
        memcpy(to->trow, from->trow, n * sizeof *to->trow);
    if (to->tcol != NULL)
        memcpy(to->tcol, from->tcol, n * sizeof *to->tcol);
}

void
hesca_hdpi_put_owners(int p, const hesca_hdpi_rects *x, int n, int per, int *c,
                      int *d)
{
    const size_t np = (size_t)p;
    for (size_t i = 0; i < np; ++i)
        for (int r = 0; r < x->h[i * np + i]; ++r)
            for (int k = 0; k < x->w[i]; ++k) {
                const size_t at = (size_t)(x->trow[i] + r) * (size_t)n +
                                  (size_t)(x->tcol[i] + k);
                if (c != NULL)
                    c[at] = (int)i / per;
                if (d != NULL)
                    d[at] = (int)i % per;
            }
}

int
hesca_hdpi_check_block(const char *routine, int arg, int m, int n, int warg,
                       const hesca_hdpi_rects *x, int wants_corners)
{
    if (m < 0)
        return hesca_fail_arg(routine, arg, "m", m, "at least 0");
    if (n < 0)
        return hesca_fail_arg(routine, arg + 1, "n", n, "at least 0");
    if (x == NULL)
        return HESCA_SUCCESS;
    if (x->w == NULL)
        return hesca_fail_null(routine, warg, "w");
    if (x->h == NULL)
        return hesca_fail_null(routine, warg + 1, "h");
    if (wants_corners && x->trow == NULL)
        return hesca_fail_null(routine, warg + 2, "trow");
    if (wants_corners && x->tcol == NULL)
        return hesca_fail_null(routine, warg + 3, "tcol");
    return HESCA_SUCCESS;
}

int
hesca_hdpi_check_type(const char *routine, int arg, int type)
{
    if (type < CARTESIAN || type > RECURSIVE)
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, type_of_distribution, is %d: must "
                          "be CARTESIAN, ROW_BASED, COLUMN_BASED or RECURSIVE",
                          routine, arg, type);
    return HESCA_SUCCESS;
}

int
hesca_hdpi_fail_limits(const char *routine, int arg, int err)
{
    char text[HESCA_TEXT_MAX];
    if (err == HESCA_ERR_NOMEM)
        return err;
    memcpy(text, hesca_failure_get()->text, sizeof text);
    return hesca_fail(err, arg, "%s: argument %d, mlimits: %.300s", routine,
                      arg, text);
}
