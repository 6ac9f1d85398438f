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
    hesca_report_append(text, ", a copy of %.1f MB at most", f->staging / 1e6);
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

void
hesca_pblas_report(const hesca_pblas_call *x, const hesca_hohe_info *info,
                   double seconds)
{
    char text[HESCA_REPORT_LINE] = "";
    if (x->myrow != 0 || x->mycol != 0)
        return;
    if (x->params.verbose > 0)
        hesca_report_begin(&x->params, x->comm);
    hesca_report_append(text, "hesca: %s %lld x %lld",
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
    hesca_report_lock();
    ++count[x->routine][x->type].way[info->way];
    if (info->way != HESCA_WAY_ORIGINAL) {
        hesca_report_append(text, ", %.6f s", seconds);
        count[x->routine][x->type].cached += info->cached;
        count[x->routine][x->type].seconds += seconds;
    }
    hesca_report_unlock();
    fprintf(stderr, "%s\n", text);
}

static void
report_routine(hesca_pblas_routine r, hesca_type t)
{
    const long *way = count[r][t].way;
    if (way[HESCA_WAY_ORIGINAL] + way[HESCA_WAY_HOHE] + way[HESCA_WAY_GRID] >
        0)
        fprintf(
            stderr,
            "hesca: summary: %s: %ld calls by HoHe, %ld on another grid "
            "(of both %ld with a cached plan), %ld left; %.6f s by HESCA\n",
            hesca_pblas_name(r, t), way[HESCA_WAY_HOHE], way[HESCA_WAY_GRID],
            count[r][t].cached, way[HESCA_WAY_ORIGINAL], count[r][t].seconds);
}

void
hesca_pblas_report_summary(void)
{
    for (int r = 0; r < NDENSE; ++r)
        for (int t = 0; t < NDENSE_TYPES; ++t)
            report_routine((hesca_pblas_routine)r, (hesca_type)t);
}
