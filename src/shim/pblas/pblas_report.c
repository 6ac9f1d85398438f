/* SPDX-License-Identifier: BSD-3-Clause */
/* What HESCA_VERBOSE shows of routines that compute. */
#define _POSIX_C_SOURCE 200809L
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <stdio.h>
#include <string.h>

/* Calls in which this process was rank 0. */
enum { NWAYS = HESCA_WAY_GRID + 1 };
static struct {
    long way[NWAYS], cached;
    double seconds;
    /* Of those calls by HESCA that all ways were predicted for. */
    double measured, predicted, original;
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
}

static void
append_hohe(char *text, const hesca_hohe_info *info)
{
    const hesca_hohe_forecast *f = &info->forecast;
    hesca_report_append(text, "by HoHe (%s plan)",
                        info->cached ? "cached" : "new");
    if (info->predicted) {
        append_forecast(text, info);
        hesca_report_append(text,
                            ", %.4g s of it copying; %.0f %% of it moves",
                            f->copying, 100 * f->moved);
    }
    if (f->staging > 0)
        hesca_report_append(text, ", a copy of %.1f MB at most",
                            f->staging / 1e6);
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

void
hesca_pblas_report(const hesca_pblas_call *x, const hesca_hohe_info *info,
                   double seconds, int asked)
{
    char text[HESCA_REPORT_LINE] = "";
    if (x->myrow != 0 || x->mycol != 0)
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
    count_call(x, info, seconds);
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
