/* What HESCA_VERBOSE shows of routines that compute. */
#define _POSIX_C_SOURCE 200809L
#include "shim/dense.h"
#include "shim/shim.h"
#include <stdio.h>
#include <string.h>

/* Calls in which this process was rank 0. */
static struct {
    long hohe, cached, real;
    double seconds;
} count[NDENSE][NDENSE_TYPES];

static void
append_served(char *text, const hesca_hohe_info *info, double seconds)
{
    const hesca_hohe_forecast *f = &info->forecast;
    hesca_report_append(text, "by HoHe (%s plan), ",
                        info->cached ? "cached" : "new");
    if (info->predicted)
        hesca_report_append(
            text,
            "predicted %.4g s, %.4g s of it copying, instead of %.4g s; "
            "%.0f %% of it moves, ",
            f->hohe, f->copying, f->real, 100 * f->moved);
    hesca_report_append(text, "a copy of %.1f MB at most, %.6f s",
                        f->staging / 1e6, seconds);
}

static void
append_left(char *text, const hesca_hohe_info *info)
{
    hesca_report_append(text, "left to ScaLAPACK: %s", info->why);
    if (info->predicted)
        hesca_report_append(text, ", %.4g s instead of %.4g s by HoHe",
                            info->forecast.real, info->forecast.hohe);
}

void
hesca_dense_report(const hesca_dense_call *x, const hesca_hohe_info *info,
                   double seconds)
{
    char text[HESCA_REPORT_LINE] = "";
    if (x->myrow != 0 || x->mycol != 0)
        return;
    if (x->params.verbose > 0)
        hesca_report_begin(&x->params, x->comm);
    hesca_report_append(text, "hesca: %s %lld x %lld",
                        hesca_dense_name(x->routine, x->type), (long long)x->m,
                        (long long)x->n);
    if (x->k > 0)
        hesca_report_append(text, " x %lld", (long long)x->k);
    hesca_report_append(text, ", %dx%d grid, ", x->nprow, x->npcol);
    if (info->served)
        append_served(text, info, seconds);
    else
        append_left(text, info);
    count[x->routine][x->type].hohe += info->served;
    count[x->routine][x->type].cached += info->served && info->cached;
    count[x->routine][x->type].real += !info->served;
    count[x->routine][x->type].seconds += info->served ? seconds : 0;
    fprintf(stderr, "%s\n", text);
}

void
hesca_dense_report_summary(void)
{
    for (int r = 0; r < NDENSE; ++r)
        for (int t = 0; t < NDENSE_TYPES; ++t)
            if (count[r][t].hohe + count[r][t].real > 0)
                fprintf(
                    stderr,
                    "hesca: summary: %s: %ld calls by HoHe (%ld with a "
                    "cached plan), %ld left; %.6f s by HoHe\n",
                    hesca_dense_name((hesca_dense_routine)r, (hesca_type)t),
                    count[r][t].hohe, count[r][t].cached, count[r][t].real,
                    count[r][t].seconds);
}
