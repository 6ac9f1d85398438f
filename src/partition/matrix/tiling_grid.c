/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/matrix/tiling_grid.h"
#include "base/status.h"
#include "partition/matrix/bisect.h"
#include "partition/matrix/cartesian.h"
#include "partition/matrix/strips.h"
#include <stdlib.h>
#include <string.h>

/* Make the columns (or rows) of the grid the strips. */
static void
fill_strips(int p, int q, const int *at, hesca_strips *s, int *first,
            int *order)
{
    const int by_rows = s->lines == HESCA_ROWS;
    const int inner = by_rows ? q : p;
    s->n = by_rows ? p : q;
    s->first = first;
    s->order = order;
    for (int k = 0; k <= s->n; ++k)
        first[k] = k * inner;
    for (int k = 0; k < s->n; ++k)
        for (int i = 0; i < inner; ++i)
            order[k * inner + i] = at[by_rows ? k * q + i : i * q + k];
}

/* A Cartesian cut is one of strips with equal heights. */
static int
cut(const hesca_tiling_task *x, int p, int q, const int *at,
    hesca_tiling_kind kind, hesca_tiling_cut how, const hesca_strips *s,
    int64_t *width, int64_t *height)
{
    if (kind != HESCA_TILING_CARTESIAN)
        return hesca_strips_cut(x, s, how, width, height);
    const int err = hesca_cartesian_cut(x, p, q, at, how, width, height);
    for (int k = 1; k < q; ++k)
        memcpy(height + (size_t)k * (size_t)p, height,
               (size_t)p * sizeof *height);
    return err;
}

int
hesca_grid_tiling(const hesca_tiling_task *x, int p, int q, const int *at,
                  hesca_tiling_kind kind, hesca_tiling_cut how,
                  hesca_tiling **tiling)
{
    const size_t n = (size_t)x->p;
    hesca_strips s = {.lines =
                          kind == HESCA_TILING_ROWS ? HESCA_ROWS : HESCA_COLS};
    hesca_tiling *t = NULL;
    int err = HESCA_SUCCESS;
    int *first = malloc((2 * n + 1) * sizeof *first);
    int64_t *extent = malloc(2 * n * sizeof *extent);
    if (first == NULL || extent == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: a grid of %d x %d",
                                  x->routine, p, q));
    fill_strips(p, q, at, &s, first, first + n + 1);
    HESCA_TRY(err, cut(x, p, q, at, kind, how, &s, extent, extent + n));
    t = hesca_strips_tiling(x, &s, extent, extent + n, p, q);
    if (t == NULL)
        HESCA_TRY(err, HESCA_ERR_NOMEM);
    memcpy(t->at, at, n * sizeof *at);
    hesca_tiling_measure(x, t);
fail:
    free(first);
    free(extent);
    *tiling = t;
    return err;
}

static int
check(int p, int q, hesca_tiling_kind kind, hesca_tiling_cut how,
      hesca_tiling **tiling)
{
    static const char routine[] = "hesca_tiling_create_grid";
    int err;
    if (tiling == NULL)
        return hesca_fail_null(routine, 8, "tiling");
    HESCA_TRY(err, hesca_tiling_check_grid(routine, 1, p, q));
    HESCA_TRY(err, hesca_tiling_check_choice(routine, 6, "kind", (int)kind,
                                             HESCA_TILING_CARTESIAN,
                                             HESCA_TILING_RECURSIVE));
    HESCA_TRY(err, hesca_tiling_check_choice(routine, 7, "cut", (int)how,
                                             HESCA_TILING_PROPORTIONAL,
                                             HESCA_TILING_LEAST_TIME));
fail:
    return err;
}

int
hesca_tiling_create_grid(int p, int q, const hesca_speed *const *speed,
                         int64_t m, int64_t n, hesca_tiling_kind kind,
                         hesca_tiling_cut cut_how, hesca_tiling **tiling)
{
    hesca_tiling_task x = {0};
    int *at = NULL, err;
    if (tiling != NULL)
        *tiling = NULL;
    HESCA_TRY(err, check(p, q, kind, cut_how, tiling));
    HESCA_TRY(err, hesca_tiling_task_init(&x, "hesca_tiling_create_grid", 3,
                                          p * q, speed, m, n));
    if (kind == HESCA_TILING_RECURSIVE)
        HESCA_TRY(err, hesca_bisect_grid(&x, p, q, tiling));
    else {
        at = malloc((size_t)x.p * sizeof *at);
        if (at == NULL)
            HESCA_TRY(err,
                      hesca_fail(HESCA_ERR_NOMEM, 0, "%s: a grid of %d x %d",
                                 x.routine, p, q));
        for (int i = 0; i < x.p; ++i)
            at[i] = i;
        HESCA_TRY(err, hesca_grid_tiling(&x, p, q, at, kind, cut_how, tiling));
    }
fail:
    free(at);
    hesca_tiling_task_clear(&x);
    return err;
}
