/* SPDX-License-Identifier: BSD-3-Clause */
/* What HESCA_VERBOSE shows of routines that compute. */
#define _POSIX_C_SOURCE 200809L
#include "base/hash.h"
#include "shim/figures.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <stdio.h>
#include <string.h>

/* Calls in which this process was rank 0. */
enum { NWAYS = HESCA_WAY_GRID + 1 };
static struct {
    long way[NWAYS], cached;
    double seconds, way_seconds[NWAYS];
    /* Of those calls by HESCA that all ways were predicted for. */
    double measured, predicted, original;
    /* For the page alone. */
    double small_calls, small_seconds;
    double grid_original, grid_other; /* of the largest gain */
    int nprow, npcol;
} count[NDENSE][NDENSE_TYPES];

/* What was predicted of all ways. */
static void
append_forecast(char *text, const hesca_hohe_info *info)
{
    const hesca_hohe_forecast *f = &info->forecast;
    hesca_report_append(text, ", predicted as called %.4g s", f->original);
    if (f->hohe > 0)
        hesca_report_append(text, ", HoHe %.4g s", f->hohe);
    if (f->grid > 0)
        hesca_report_append(text, ", %dx%d grid %.4g s", f->nprow, f->npcol,
                            f->grid);
    if (info->tried)
        hesca_report_append(text, "; measured times decide");
}

static void
append_hohe(char *text, const hesca_hohe_info *info)
{
    const hesca_hohe_forecast *f = &info->forecast;
    hesca_report_append(text, "by HoHe");
    if (f->hohe_nprow > 0)
        hesca_report_append(text, " on a %dx%d grid", f->hohe_nprow,
                            f->hohe_npcol);
    hesca_report_append(text, " (%s plan)", info->cached ? "cached" : "new");
    if (info->predicted) {
        append_forecast(text, info);
        hesca_report_append(text,
                            ", %.4g s of it copying; %.0f %% of it moves",
                            f->copying, 100 * f->moved);
    }
    if (f->staging > 0)
        hesca_report_append(text, ", a copy of %.1f MB at most",
                            f->staging / 1e6);
    else if (f->stays == 'A' || f->stays == 'B')
        hesca_report_append(text, ", in place, with %c where it is", f->stays);
    else
        hesca_report_append(text, ", in place");
}

static void
append_grid(char *text, const hesca_hohe_info *info)
{
    const hesca_hohe_forecast *f = &info->forecast;
    hesca_report_append(text,
                        "by ScaLAPACK on a %dx%d grid, %dx%d blocks (%s "
                        "plan)",
                        f->nprow, f->npcol, f->nb, f->nb,
                        info->cached ? "cached" : "new");
    append_forecast(text, info);
    hesca_report_append(text,
                        ", %.4g s of it copying, copies of %.1f MB at "
                        "most",
                        f->grid_copying, f->grid_staging / 1e6);
}

static void
append_left(char *text, const hesca_hohe_info *info)
{
    hesca_report_append(text, "left to ScaLAPACK: %s", info->why);
    if (info->predicted)
        append_forecast(text, info);
}

static void
count_call(const hesca_pblas_call *x, const hesca_hohe_info *info,
           double seconds)
{
    hesca_report_lock();
    ++count[x->routine][x->type].way[info->way];
    if (info->way != HESCA_WAY_ORIGINAL) {
        count[x->routine][x->type].cached += info->cached;
        count[x->routine][x->type].seconds += seconds;
        count[x->routine][x->type].way_seconds[info->way] += seconds;
    }
    if (info->way != HESCA_WAY_ORIGINAL && info->predicted) {
        const hesca_hohe_forecast *f = &info->forecast;
        count[x->routine][x->type].measured += seconds;
        count[x->routine][x->type].predicted +=
            info->way == HESCA_WAY_HOHE ? f->hohe : f->grid;
        count[x->routine][x->type].original += f->original;
    }
    hesca_report_unlock();
}

/* ------------------------------------------------ figures for the page */

/* Rows or columns of sub(X), from i on, that a process has. */
static int64_t
part(int64_t i, int64_t n, int nb, int me, int rsrc, int np)
{
    return hesca_numroc(i + n, nb, me, rsrc, np) -
           hesca_numroc(i, nb, me, rsrc, np);
}

/* What this process computes of a result. */
static void
count_elements(const hesca_pblas_call *x, const hesca_hohe_info *info)
{
    const hesca_side *s = &x->written;
    if (s->nprow < 1 || x->rows < 1 || x->cols < 1)
        return;
    if (info->way != HESCA_WAY_ORIGINAL && info->share >= 0)
        hesca_figures_elements(info->share * (double)x->rows *
                               (double)x->cols);
    else
        hesca_figures_elements(
            (double)part(s->i, x->rows, s->mb, s->myrow, s->rsrc, s->nprow) *
            (double)part(s->j, x->cols, s->nb, s->mycol, s->csrc, s->npcol));
}

/* A call that is left, whose time is not known yet. */
static _Thread_local struct {
    int is;
    hesca_pblas_routine routine;
    hesca_type type;
    int is_small;
    uint64_t key;
} pending;

/* Of what calls must have in common to be compared. */
static uint64_t
key_of(const hesca_pblas_call *x)
{
    const hesca_side *s = &x->written;
    const int64_t what[] = {x->m,  x->n, x->k, x->nprow, x->npcol, s->mb,
                            s->nb, s->m, s->n, s->i,     s->j};
    return hesca_hash_bytes(HESCA_HASH, what, sizeof what);
}

/* Whether it is blocks that keep BLAS from working on larger pieces. */
static int
is_small(const hesca_pblas_call *x)
{
    const hesca_side *s = &x->written;
    return s->nprow > 0 &&
           ((s->mb < HESCA_PAGE_SMALL_BLOCK && s->mb < x->rows) ||
            (s->nb < HESCA_PAGE_SMALL_BLOCK && s->nb < x->cols));
}

static void
note_small(hesca_pblas_routine r, hesca_type t, double calls, double seconds)
{
    hesca_report_lock();
    count[r][t].small_calls += calls;
    count[r][t].small_seconds += seconds;
    hesca_report_unlock();
}

/* Another grid that is predicted better, though not by enough. */
static void
note_grid(const hesca_pblas_call *x, const hesca_hohe_forecast *f)
{
    hesca_report_lock();
    if (count[x->routine][x->type].nprow == 0 ||
        f->original - f->grid > count[x->routine][x->type].grid_original -
                                    count[x->routine][x->type].grid_other) {
        count[x->routine][x->type].grid_original = f->original;
        count[x->routine][x->type].grid_other = f->grid;
        count[x->routine][x->type].nprow = f->nprow;
        count[x->routine][x->type].npcol = f->npcol;
    }
    hesca_report_unlock();
}

static int
number(hesca_pblas_routine r, hesca_type t)
{
    return (int)r * NDENSE_TYPES + (int)t;
}

static void
note(const hesca_pblas_call *x, const hesca_hohe_info *info, double seconds)
{
    const hesca_hohe_forecast *f = &info->forecast;
    const int small = is_small(x);
    if (info->way == HESCA_WAY_ORIGINAL) {
        pending.is = 1;
        pending.routine = x->routine;
        pending.type = x->type;
        pending.is_small = small;
        pending.key = key_of(x);
        hesca_figures_left(hesca_pblas_name(x->routine, x->type), info->why);
        if (info->predicted && f->nprow > 0 && f->grid > 0 &&
            f->grid < f->original)
            note_grid(x, f);
        return;
    }
    hesca_figures_ran(number(x->routine, x->type), key_of(x), 0, seconds);
    if (small)
        note_small(x->routine, x->type, 1, seconds);
}

void
hesca_pblas_report_none(void)
{
    pending.is = 0;
}

void
hesca_pblas_report_original(void)
{
    if (!HESCA_FIGURES || !pending.is)
        return;
    const double seconds = hesca_figures_original_seconds();
    pending.is = 0;
    hesca_report_lock();
    count[pending.routine][pending.type].way_seconds[HESCA_WAY_ORIGINAL] +=
        seconds;
    hesca_report_unlock();
    hesca_figures_ran(number(pending.routine, pending.type), pending.key, 1,
                      seconds);
    if (pending.is_small)
        note_small(pending.routine, pending.type, 1, seconds);
}

static void
describe(hesca_pblas_routine r, hesca_type t, hesca_page_routine *x)
{
    static const hesca_page_way way[NWAYS] = {
        [HESCA_WAY_ORIGINAL] = HESCA_PAGE_ORIGINAL,
        [HESCA_WAY_HOHE] = HESCA_PAGE_HESCA,
        [HESCA_WAY_GRID] = HESCA_PAGE_GRID};
    *x = (hesca_page_routine){.cached = (double)count[r][t].cached,
                              .measured = count[r][t].measured,
                              .predicted = count[r][t].predicted,
                              .original = count[r][t].original,
                              .small_calls = count[r][t].small_calls,
                              .small_seconds = count[r][t].small_seconds,
                              .grid_original = count[r][t].grid_original,
                              .grid_other = count[r][t].grid_other,
                              .nprow = count[r][t].nprow,
                              .npcol = count[r][t].npcol};
    snprintf(x->name, sizeof x->name, "%s", hesca_pblas_name(r, t));
    for (int w = 0; w < NWAYS; ++w) {
        x->calls[way[w]] = (double)count[r][t].way[w];
        x->seconds[way[w]] = count[r][t].way_seconds[w];
    }
    hesca_figures_add_both(number(r, t), x);
}

int
hesca_pblas_report_figures(hesca_page_routine *x, int most)
{
    int n = 0;
    hesca_report_lock();
    for (int r = 0; r < NDENSE; ++r)
        for (int t = 0; t < NDENSE_TYPES && n < most; ++t) {
            const long *way = count[r][t].way;
            if (way[HESCA_WAY_ORIGINAL] + way[HESCA_WAY_HOHE] +
                    way[HESCA_WAY_GRID] >
                0)
                describe((hesca_pblas_routine)r, (hesca_type)t, &x[n++]);
        }
    hesca_report_unlock();
    return n;
}

/* ------------------------------------------------ a call */

void
hesca_pblas_report(const hesca_pblas_call *x, const hesca_hohe_info *info,
                   double seconds, int asked)
{
    char text[HESCA_REPORT_LINE];
    text[0] = '\0'; /* the rest is not cleared at each call */
    if (HESCA_FIGURES)
        count_elements(x, info);
    if (x->myrow != 0 || x->mycol != 0)
        return;
    count_call(x, info, seconds);
    if (HESCA_FIGURES)
        note(x, info, seconds);
    if (x->params.verbose == 0 && asked)
        return;
    if (x->params.verbose > 0)
        hesca_report_begin(&x->params, x->comm);
    hesca_report_append(text, "%s %lld x %lld",
                        hesca_pblas_name(x->routine, x->type), (long long)x->m,
                        (long long)x->n);
    if (x->k > 0)
        hesca_report_append(text, " x %lld", (long long)x->k);
    hesca_report_append(text, ", %dx%d grid, ", x->nprow, x->npcol);
    if (info->way == HESCA_WAY_HOHE)
        append_hohe(text, info);
    else if (info->way == HESCA_WAY_GRID)
        append_grid(text, info);
    else
        append_left(text, info);
    if (info->way == HESCA_WAY_ORIGINAL) {
        hesca_report_left(&x->params, asked, text);
        return;
    }
    hesca_report_append(text, ", %.6f s", seconds);
    if (!x->params.summary)
        hesca_log_line(text);
}

static void
report_routine(hesca_pblas_routine r, hesca_type t)
{
    const long *way = count[r][t].way;
    const char *name = hesca_pblas_name(r, t);
    if (way[HESCA_WAY_HOHE] + way[HESCA_WAY_GRID] > 0)
        hesca_report_line("summary: %s: %ld calls computed by HESCA, %ld "
                          "by ScaLAPACK on another grid (of both %ld with a "
                          "cached plan), %ld left to "
                          "ScaLAPACK; %.6f s without those",
                          name, way[HESCA_WAY_HOHE], way[HESCA_WAY_GRID],
                          count[r][t].cached, way[HESCA_WAY_ORIGINAL],
                          count[r][t].seconds);
    else if (way[HESCA_WAY_ORIGINAL] > 0)
        hesca_report_line("summary: %s: %ld calls, left to ScaLAPACK", name,
                          way[HESCA_WAY_ORIGINAL]);
    if (count[r][t].original > 0)
        hesca_report_line("summary: %s: measured %.4g s, predicted %.4g s; "
                          "predicted for ScaLAPACK's own %.4g s",
                          name, count[r][t].measured, count[r][t].predicted,
                          count[r][t].original);
}

void
hesca_pblas_report_summary(void)
{
    for (int r = 0; r < NDENSE; ++r)
        for (int t = 0; t < NDENSE_TYPES; ++t)
            report_routine((hesca_pblas_routine)r, (hesca_type)t);
}
