/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/version.h"
#include "hohe.h"
#include <math.h>
#include <stdio.h>

int
hohe_is_right(const hohe_row *row)
{
    return row->o->is_paper ||
           row->c->residual <= hohe_threshold(row->o->routine);
}

/* ----- what follows from speeds ----- */

static double
flops(const hohe_options *o, int64_t n)
{
    const hesca_job job = {o->routine, n, 1};
    return hesca_job_flops(&job);
}

/* All that the processors can do. */
static double
ideal(const hohe_options *o, const hohe_net *x, int64_t n)
{
    double sum = 0;
    for (int k = 0; k < x->nprocs; ++k)
        sum += x->speed[k];
    return flops(o, n) / sum;
}

/* All of them at the pace of the slowest. */
static double
bound(const hohe_options *o, const hohe_net *x, int64_t n)
{
    double least = x->speed[0];
    for (int k = 0; k < x->nprocs; ++k)
        least = fmin(least, x->speed[k]);
    return flops(o, n) / (x->nprocs * least);
}

/* ----- the table ----- */

void
hohe_print_head(FILE *f, const hohe_options *o, const hohe_net *x)
{
    fprintf(f, "HESCA %s, %s, blocks of %d, %d processors%s\nMFLOP/s%s:",
            HESCA_VERSION,
            o->routine == HESCA_ROUTINE_GEMM ? "hesca_gemm" : "hesca_potrf",
            o->r, x->nprocs,
            o->rate < 0 && !x->has_file ? "; links are guessed" : "",
            o->is_paper      ? ""
            : o->nspeeds > 0 ? ", by kernels that wait"
                             : ", measured");
    for (int k = 0; k < x->nprocs; ++k)
        fprintf(f, " %.4g", x->speed[k] * 1e-6);
    fprintf(f, "\n");
}

void
hohe_print_order(FILE *f, const hohe_options *o, const hohe_net *x, int64_t n)
{
    fprintf(f,
            "\nn = %lld: equal shares at best %.3f s, all processors %.3f s, "
            "ideal gain %.2f\n%-7s %5s %8s %9s %10s %9s %7s %9s %9s\n",
            (long long)n, bound(o, x, n), ideal(o, x, n),
            bound(o, x, n) / ideal(o, x, n), "way", "l", "grid", "seconds",
            "predicted", "/measured", "effic.", "imbalance", "residual");
}

static void
print_row(FILE *f, const hohe_row *row)
{
    const hohe_case *c = row->c;
    const hesca_gblock_info info = hesca_gblock_get_info(c->g);
    char grid[24];
    snprintf(grid, sizeof grid, "%s%dx%d", c->is_chosen ? "*" : "", c->nprow,
             c->npcol);
    fprintf(f, "%-7s %5d %8s", hohe_way_name[c->way], info.lp, grid);
    if (row->o->is_paper)
        fprintf(f, " %9s %10.4f %9s %7s %9.3f %9s\n", "-", c->forecast.seconds,
                "-", "-", info.imbalance, "-");
    else
        fprintf(f, " %9.4f %10.4f %9.3f %7.3f %9.3f %9.3g%s\n", c->seconds,
                c->forecast.seconds, c->forecast.seconds / c->seconds,
                ideal(row->o, row->x, c->n) / c->seconds, info.imbalance,
                c->residual, hohe_is_right(row) ? "" : " WRONG");
}

/* ----- CSV and JSON ----- */

void
hohe_put(fields *s, const void *from)
{
    const hohe_row *row = from;
    const hohe_case *c = row->c;
    const hesca_gblock_info info = hesca_gblock_get_info(c->g);
    const int is_timed = !row->o->is_paper;
    fields_text(s, "routine", hesca_routine_name(row->o->routine));
    fields_count(s, "n", c->n);
    fields_int(s, "r", c->r);
    fields_text(s, "way", hohe_way_name[c->way]);
    fields_int(s, "l", info.lp);
    fields_int(s, "nprow", c->nprow);
    fields_int(s, "npcol", c->npcol);
    fields_text(s, "chosen", c->is_chosen ? "yes" : "no");
    fields_int(s, "processes", row->x->nprocs);
    fields_text(s, "speeds",
                row->o->is_paper      ? "paper"
                : row->o->nspeeds > 0 ? "kernels"
                                      : "measured");
    fields_int(s, "runs", c->runs);
    fields_real(s, "seconds", c->seconds);
    fields_real(s, "least_s", c->ends[0]);
    fields_real(s, "most_s", c->ends[1]);
    fields_real(s, "predicted_s", c->forecast.seconds);
    fields_real(s, "bound_s", bound(row->o, row->x, c->n));
    fields_real(s, "ideal_s", ideal(row->o, row->x, c->n));
    fields_real(s, "imbalance", info.imbalance);
    fields_real(s, "choosing_s", c->choosing);
    fields_exact(s, "residual", c->residual);
    fields_text(s, "right",
                !is_timed            ? "-"
                : hohe_is_right(row) ? "yes"
                                     : "no");
    bench_put_map(s, c->place, c->nprow, c->npcol);
}

void
hohe_tell(fields_files *out, const hohe_row *row)
{
    print_row(out->table, row);
    bench_row(out, row);
}
