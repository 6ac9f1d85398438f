/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* RTLD_DEFAULT */
#include "facts.h"
#include "heho.h"
#include "hesca/version.h"
#include <dlfcn.h>
#include <math.h>
#include <string.h>

int
heho_is_right(const heho_row *row)
{
    return row->t->residual <= row->r->threshold;
}

/* ----- what follows from speeds and shapes ----- */

static double
flops(const heho_row *row)
{
    return row->r->factor * pow((double)row->job.n, 3);
}

/* All that the hosts can do. */
static double
ideal(const heho_row *row)
{
    double sum = 0;
    for (int i = 0; i < row->x->nhosts; ++i)
        sum += row->speed[i].kernel * row->x->machine.host[i].cores;
    return flops(row) / sum;
}

/* All processors at the pace of the slowest. */
static double
homogeneous(const heho_row *row)
{
    double slowest = row->speed[0].kernel, cores = 0;
    for (int i = 0; i < row->x->nhosts; ++i) {
        slowest = fmin(slowest, row->speed[i].kernel);
        cores += row->x->machine.host[i].cores;
    }
    return flops(row) / (slowest * cores);
}

/* Different hosts along a line of the grid. */
static int
count_hosts(const heho_row *row, int from, int step, int n)
{
    const int *at = row->t->g.process + from;
    int hosts = 0;
    for (int k = 0; k < n; ++k) {
        int l = 0;
        while (row->x->host[at[l * step]] != row->x->host[at[k * step]])
            ++l;
        hosts += l == k;
    }
    return hosts;
}

static int
is_hohe(const heho_row *row)
{
    return strcmp(row->t->way->compute, "hohe") == 0;
}

static int
is_regrid(const heho_row *row)
{
    return strcmp(row->t->way->compute, "grid") == 0;
}

static void
find_host_of_places(const heho_row *row, int *host)
{
    const heho_grid *g = &row->t->g;
    for (int k = 0; k < g->nprow * g->npcol; ++k)
        host[k] = row->x->host[g->process[k]];
}

hesca_hohe_forecast
heho_predict(const heho_row *row)
{
    const heho_grid *g = &row->t->g;
    const int64_t n = row->job.n;
    const int nb = row->job.nb;
    const heho_routine *r = row->r;
    const hesca_hohe_job job = {.routine = r->solves ? r->solved : r->id,
                                .type = HESCA_D,
                                .m = n,
                                .n = n,
                                .k = n,
                                .reads =
                                    r->solves || r->id != HESCA_ROUTINE_GEMM,
                                .solves = r->solves,
                                .home = {.nprow = g->nprow,
                                         .npcol = g->npcol,
                                         .m = n,
                                         .n = n,
                                         .mb = nb,
                                         .nb = nb}};
    int host[HEHO_GRID_MAX];
    hesca_hohe_forecast forecast = {.hohe = 0};
    find_host_of_places(row, host);
    if (hesca_hohe_predict(&row->x->machine, host, &job, &forecast) < 0)
        return (hesca_hohe_forecast){.hohe = 0};
    return forecast;
}

/* Bytes that must go from host to host, 0 where the grid is not known: each
 * panel once to each host of its process row or column; by HoHe also C, the
 * triangle of pdpotrf there and back, the matrix of pdgesv there and back. */
static double
bytes_between(const heho_row *row)
{
    const heho_grid *g = &row->t->g;
    const double n = (double)row->job.n;
    double bytes = 0;
    if (is_regrid(row))
        return 0;
    for (int p = 0; p < g->nprow; ++p)
        bytes += (count_hosts(row, p * g->npcol, 1, g->npcol) - 1) * 8 * n *
                 n / g->nprow;
    for (int q = 0; q < g->npcol; ++q)
        bytes += (count_hosts(row, q, g->npcol, g->nprow) - 1) * 8 * n * n /
                 g->npcol;
    bytes *= row->r->panels;
    if (is_hohe(row))
        bytes += heho_predict(row).moved * 8 * n * n *
                 (row->job.routine == HESCA_ROUTINE_GESV ? 2 : 1);
    return bytes;
}

/* What HESCA would do of the call on the row's grid, where else it could be
 * computed, and whether hosts are equal: the columns `chosen`, `other_grid`
 * and `alike`. */
static void
put_choice(fields *s, const heho_row *row)
{
    static const char *const ways[] = {[HESCA_WAY_ORIGINAL] = "real",
                                       [HESCA_WAY_HOHE] = "hohe",
                                       [HESCA_WAY_GRID] = "grid"};
    const hesca_hohe_forecast f = heho_predict(row);
    char shape[32] = "";
    if (f.nprow > 0)
        snprintf(shape, sizeof shape, "%dx%d", f.nprow, f.npcol);
    fields_text(s, "chosen", ways[hesca_hohe_best(&f)]);
    fields_text(s, "other_grid", shape);
    fields_text(s, "alike", f.homogeneous ? "yes" : "no");
}

static double
predict(const heho_row *row)
{
    const heho_grid *g = &row->t->g;
    int host[HEHO_GRID_MAX];
    hesca_forecast forecast = {.seconds = 0};
    if (row->t->way->is_lapack)
        return 0;
    if (is_hohe(row))
        return heho_predict(row).hohe;
    if (row->r->solves)
        return heho_predict(row).original;
    if (is_regrid(row)) {
        const hesca_hohe_forecast f = heho_predict(row);
        return f.grid > 0 ? f.grid : f.original;
    }
    find_host_of_places(row, host);
    if (hesca_forecast_make(&row->x->machine, &row->job, g->nprow, g->npcol,
                            host, &forecast) < 0)
        return 0;
    return forecast.seconds;
}

/* ----- what processes did ----- */

/* The processes of a host in the grid; seconds of the host, which has so many
 * of them busy at once as its cores, or its quota, let. */
typedef struct {
    int inside;
    double share; /* to compute, by the host's speed */
    double blas;  /* in BLAS */
    double other; /* busy with other things: messages, copies, looking for
                     them */
} host_used;

static host_used
sum_host(const heho_row *row, int i)
{
    const double places = row->t->g.nprow * row->t->g.npcol;
    host_used sum = {.inside = 0};
    for (int k = 0; k < row->x->nprocs; ++k) {
        const heho_used *u = row->t->used + k;
        if (row->x->host[k] != i || u->wall <= 0)
            continue;
        ++sum.inside;
        sum.blas += u->blas_cpu;
        sum.other += u->cpu - u->blas_cpu;
    }
    if (sum.inside == 0)
        return sum;
    const double speeds = fmin(sum.inside, row->x->machine.host[i].cores);
    const double busy = fmin(sum.inside, row->x->share[i]);
    sum.share = is_hohe(row) || is_regrid(row)
                    ? ideal(row)
                    : flops(row) * sum.inside / places /
                          (row->speed[i].kernel * speeds);
    sum.blas /= busy;
    sum.other /= busy;
    return sum;
}

/* Where the time goes beyond the ideal, on the host that is busy longest;
 * seconds, their sum is the time measured. */
typedef struct {
    double ideal;
    double shares;   /* shares are not in proportion to speeds */
    double kernels;  /* BLAS takes longer than by speeds, or shorter */
    double messages; /* other work */
    double waiting;
} losses;

static losses
find_losses(const heho_row *row)
{
    double share = 0;
    host_used longest = {.inside = 0};
    for (int i = 0; i < row->x->nhosts; ++i) {
        const host_used h = sum_host(row, i);
        share = fmax(share, h.share);
        if (h.blas + h.other > longest.blas + longest.other)
            longest = h;
    }
    return (losses){.ideal = ideal(row),
                    .shares = share - ideal(row),
                    .kernels = longest.blas - share,
                    .messages = longest.other,
                    .waiting = row->t->seconds - longest.blas - longest.other};
}

/* ----- the table ----- */

static const char *
kernel_type(void)
{
    char *(*name)(void) = NULL;
    void *found = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    memcpy(&name, &found, sizeof found);
    return name != NULL ? name() : "unknown";
}

void
heho_print_head(FILE *f, const heho_hosts *x, const heho_routine *r)
{
    facts a;
    facts_find(&a);
    if (x->rank != 0)
        return;
    fprintf(f,
            "HESCA %s, %s, %s, BLAS kernels %s\n%s, %d processes on %d "
            "host%s%s\nresidual: %s, right up to %g\n",
            HESCA_VERSION, a.scalapack, a.mpi, kernel_type(), r->name,
            x->nprocs, x->nhosts, x->nhosts == 1 ? "" : "s",
            x->has_file ? "" : "; links are guessed: no HESCA_MACHINE",
            r->about, r->threshold);
    for (int i = 0; i < x->nhosts; ++i)
        fprintf(f, "  %-16s %g core%s, %d process%s\n",
                x->machine.host[i].name, x->machine.host[i].cores,
                x->machine.host[i].cores > 1 ? "s" : "", x->count[i],
                x->count[i] > 1 ? "es" : "");
}

void
heho_print_speeds(FILE *f, const heho_hosts *x, const heho_routine *r,
                  const hesca_job *job, int order, const heho_speed *speed)
{
    const heho_row row = {.x = x, .r = r, .speed = speed, .job = *job};
    fprintf(f, "\nn = %d: %s of order %d, GFLOP/s:", (int)job->n, r->kernel,
            order);
    for (int i = 0; i < x->nhosts; ++i)
        fprintf(f, " %s %.3g", x->machine.host[i].name,
                speed[i].kernel * 1e-9);
    fprintf(f,
            "\nhomogeneous bound %.3f s, ideal %.3f s; for bounds: dgemm %.3g "
            "GFLOP/s, copies in a host %.3g GB/s%s\n",
            homogeneous(&row), ideal(&row), speed[0].product * 1e-9,
            speed[0].copy * 1e-9,
            x->nhosts == 1 || x->has_file
                ? ""
                : ", messages between hosts not counted");
}

void
heho_print_ways(FILE *f, const hesca_job *job)
{
    fprintf(f,
            "\n%-9s %7s %9s %8s %7s %9s %8s %10s %9s %6s %10s %9s   n = %d, "
            "nb = %d\n",
            "way", "grid", "seconds", "GFLOP/s", "effic.", "bound", "of bound",
            "predicted", "/measured", "gain", "MB between", "residual",
            (int)job->n, job->nb);
}

static void
print_row(FILE *f, const heho_row *row)
{
    const heho_timed *t = row->t;
    const double predicted = predict(row);
    char grid[24];
    snprintf(grid, sizeof grid, "%dx%d", t->g.nprow, t->g.npcol);
    fprintf(f, "%-9s %7s %9.4f %8.3f %7.3f %9.4f %8.3f %10.4f %9.3f",
            t->way->name, grid, t->seconds, flops(row) / t->seconds * 1e-9,
            ideal(row) / t->seconds, row->bound.seconds,
            row->bound.seconds / t->seconds, predicted,
            predicted / t->seconds);
    bench_print_ratio(f, 6, 3, row->plain / t->seconds);
    fprintf(f, " %10.1f %9.3g%s\n", bytes_between(row) * 1e-6, t->residual,
            heho_is_right(row) ? "" : " WRONG");
}

/* Where the time of each process goes. */
static const char *const activity_name[HESCA_ACTIVITIES] = {
    [HESCA_ACTIVITY_REST] = "rest",
    [HESCA_ACTIVITY_PANEL] = "panel",
    [HESCA_ACTIVITY_UPDATE] = "update",
    [HESCA_ACTIVITY_WAITING] = "waiting",
    [HESCA_ACTIVITY_COPIES] = "copies"};

static void
print_activities(FILE *f, const heho_row *row)
{
    const heho_grid *g = &row->t->g;
    fprintf(f, "    %-16s %9s", "process", "s");
    for (int p = 0; p < HESCA_ACTIVITIES; ++p)
        fprintf(f, " %9s", activity_name[p]);
    for (int k = 0; k < g->nprow * g->npcol; ++k) {
        const heho_used *u = row->t->used + g->process[k];
        fprintf(f, "\n    %-16d %9.4f", g->process[k], u->wall);
        for (int p = 0; p < HESCA_ACTIVITIES; ++p)
            fprintf(f, " %9.4f", u->spent[p]);
    }
    fprintf(f, "\n");
}

static void
print_profile(FILE *f, const heho_row *row)
{
    const losses l = find_losses(row);
    fprintf(f,
            "    s: ideal %.3f + shares %.3f + kernels %.3f + messages %.3f + "
            "waiting %.3f; processes:",
            l.ideal, l.shares, l.kernels, l.messages, l.waiting);
    for (int k = 0; k < row->t->g.nprow * row->t->g.npcol; ++k)
        fprintf(f, "%s%d", k > 0 && k % row->t->g.npcol == 0 ? " / " : " ",
                row->t->g.process[k]);
    fprintf(f, "\n    %-16s %9s %9s %9s %9s %9s\n", "host", "processes",
            "share s", "BLAS s", "other s", "idle s");
    for (int i = 0; i < row->x->nhosts; ++i) {
        const host_used h = sum_host(row, i);
        if (h.inside > 0)
            fprintf(f, "    %-16s %9d %9.3f %9.3f %9.3f %9.3f\n",
                    row->x->machine.host[i].name, h.inside, h.share, h.blas,
                    h.other, row->t->seconds - h.blas - h.other);
    }
    print_activities(f, row);
}

/* ----- CSV and JSON ----- */

static void
put_losses(fields *s, const heho_row *row)
{
    const losses l = find_losses(row);
    fields_exact(s, "lost_shares_s", l.shares);
    fields_exact(s, "lost_kernels_s", l.kernels);
    fields_exact(s, "lost_messages_s", l.messages);
    fields_exact(s, "lost_waiting_s", l.waiting);
}

/* Seconds of the process at each place of the grid, as in the column `map`. */
static void
put_activities(fields *s, const heho_row *row)
{
    const heho_grid *g = &row->t->g;
    static char text[16 * HEHO_GRID_MAX];
    char name[16];
    for (int p = 0; p < HESCA_ACTIVITIES; ++p) {
        size_t at = 0;
        for (int k = 0; k < g->nprow * g->npcol; ++k)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%.4g",
                                   k == 0              ? ""
                                   : k % g->npcol == 0 ? "/"
                                                       : " ",
                                   row->t->used[g->process[k]].spent[p]);
        snprintf(name, sizeof name, "%s_s", activity_name[p]);
        fields_text(s, name, text);
    }
}

void
heho_put(fields *s, const void *from)
{
    const heho_row *row = from;
    const heho_timed *t = row->t;
    const double predicted = predict(row);
    fields_text(s, "routine", row->r->name);
    fields_int(s, "n", (int)row->job.n);
    fields_int(s, "nb", row->job.nb);
    fields_text(s, "way", t->way->name);
    fields_int(s, "nprow", t->g.nprow);
    fields_int(s, "npcol", t->g.npcol);
    fields_int(s, "processes", row->x->nprocs);
    fields_int(s, "hosts", row->x->nhosts);
    fields_int(s, "runs", row->runs);
    fields_real(s, "seconds", t->seconds);
    fields_real(s, "first_s", t->first);
    fields_real(s, "gflops", flops(row) / t->seconds * 1e-9);
    fields_real(s, "homogeneous_s", homogeneous(row));
    fields_real(s, "ideal_s", ideal(row));
    fields_real(s, "efficiency", ideal(row) / t->seconds);
    fields_real(s, "bound_s", row->bound.seconds);
    fields_real(s, "bound_compute_s", row->bound.compute);
    fields_real(s, "bound_receive_s", row->bound.receive);
    fields_real(s, "bound_send_s", row->bound.send);
    fields_real(s, "bound_over_measured", row->bound.seconds / t->seconds);
    fields_real(s, "predicted_s", predicted);
    fields_real(s, "predicted_over_measured", predicted / t->seconds);
    fields_real(s, "gain", row->plain / t->seconds);
    fields_real(s, "bytes_between", bytes_between(row));
    put_losses(s, row);
    fields_exact(s, "residual", t->residual);
    fields_text(s, "right", heho_is_right(row) ? "yes" : "no");
    bench_put_map(s, t->g.process, t->g.nprow, t->g.npcol);
    put_choice(s, row);
    put_activities(s, row);
}

void
heho_tell(fields_files *out, const heho_row *row, int is_profiling)
{
    print_row(out->table, row);
    if (is_profiling)
        print_profile(out->table, row);
    bench_row(out, row);
}
