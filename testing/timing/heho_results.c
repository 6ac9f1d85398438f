#define _GNU_SOURCE 1 /* RTLD_DEFAULT */
#include "heho_results.h"
#include "facts.h"
#include "hesca/version.h"
#include <dlfcn.h>
#include <math.h>
#include <string.h>

int
heho_is_right(const heho_row *row)
{
    return row->t->residual <= row->r->threshold;
}

static double
flops(const heho_row *row)
{
    return row->r->factor * pow((double)row->job.n, 3);
}

/* Of all cores of all hosts; what is not a whole core of one process counts
 * as it is. */
static double
sum_of_speeds(const heho_row *row)
{
    double sum = 0;
    for (int i = 0; i < row->x->nhosts; ++i)
        sum += row->speed[i] * row->x->machine.host[i].cores;
    return sum;
}

/* All processors at the pace of the slowest. */
static double
slowest_times_all(const heho_row *row)
{
    double slowest = row->speed[0], cores = 0;
    for (int i = 0; i < row->x->nhosts; ++i) {
        slowest = fmin(slowest, row->speed[i]);
        cores += row->x->machine.host[i].cores;
    }
    return slowest * cores;
}

/* Different hosts along a line of the grid. */
static int
count_hosts(const heho_row *row, int from, int step, int n)
{
    int hosts = 0;
    for (int k = 0; k < n; ++k) {
        const int host = row->x->host[row->g->process[from + k * step]];
        int l = 0;
        while (row->x->host[row->g->process[from + l * step]] != host)
            ++l;
        hosts += l == k;
    }
    return hosts;
}

double
heho_bytes(const heho_row *row)
{
    const heho_grid *g = row->g;
    const double n = (double)row->job.n;
    double bytes = 0;
    for (int p = 0; p < g->nprow; ++p)
        bytes += (count_hosts(row, p * g->npcol, 1, g->npcol) - 1) * 8 * n *
                 n / g->nprow;
    for (int q = 0; q < g->npcol; ++q)
        bytes += (count_hosts(row, q, g->npcol, g->nprow) - 1) * 8 * n * n /
                 g->npcol;
    return bytes * row->r->panels;
}

/* ----- the table ----- */

static const char *
kernel_type(void)
{
    char *(*tell)(void) = NULL;
    void *found = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    memcpy(&tell, &found, sizeof found);
    return tell != NULL ? tell() : "unknown";
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
                  const hesca_job *job, int order, const double *speed)
{
    const heho_row row = {.x = x, .r = r, .speed = speed, .job = *job};
    fprintf(f, "\nn = %d, nb = %d: %s of order %d, GFLOP/s:", (int)job->n,
            job->nb, r->kernel, order);
    for (int i = 0; i < x->nhosts; ++i)
        fprintf(f, " %s %.3g", x->machine.host[i].name, speed[i] * 1e-9);
    fprintf(f,
            "\nhomogeneous bound %.3f s, ideal %.3f s\n\n%-9s %7s %9s %9s "
            "%7s %7s %10s %9s\n",
            flops(&row) / slowest_times_all(&row),
            flops(&row) / sum_of_speeds(&row), "way", "grid", "seconds",
            "GFLOP/s", "effic.", "gain", "MB between", "residual");
}

void
heho_print_row(FILE *f, const heho_row *row)
{
    char grid[24];
    snprintf(grid, sizeof grid, "%dx%d", row->g->nprow, row->g->npcol);
    fprintf(f, "%-9s %7s %9.4f %9.3f %7.3f", row->way->name, grid,
            row->t->seconds, flops(row) / row->t->seconds * 1e-9,
            flops(row) / sum_of_speeds(row) / row->t->seconds);
    if (row->plain > 0)
        fprintf(f, " %7.3f", row->plain / row->t->seconds);
    else
        fprintf(f, " %7s", "-");
    fprintf(f, " %10.1f %9.3g%s\n", heho_bytes(row) * 1e-6, row->t->residual,
            heho_is_right(row) ? "" : " WRONG");
    fflush(f);
}

/* What the processes of a host did, as parts of what it can do. */
typedef struct {
    double blas_cpu, cpu, longest; /* s */
    int inside;
} host_used;

static host_used
sum_host(const heho_row *row, int i)
{
    host_used sum = {.inside = 0};
    for (int k = 0; k < row->x->nprocs; ++k) {
        const heho_used *u = row->t->used + k;
        if (row->x->host[k] != i || u->wall <= 0)
            continue;
        ++sum.inside;
        sum.blas_cpu += u->blas_cpu;
        sum.cpu += u->cpu;
        sum.longest = fmax(sum.longest, u->blas);
    }
    return sum;
}

void
heho_print_profile(FILE *f, const heho_row *row)
{
    fprintf(f, "    host             processes   s of BLAS   BLAS cpu s   "
               "other cpu s\n");
    for (int i = 0; i < row->x->nhosts; ++i) {
        const host_used h = sum_host(row, i);
        if (h.inside > 0)
            fprintf(f, "    %-16s %9d %11.3f %12.3f %13.3f\n",
                    row->x->machine.host[i].name, h.inside, h.longest,
                    h.blas_cpu, h.cpu - h.blas_cpu);
    }
}

/* ----- CSV and JSON ----- */

/* The processes row by row, with + between. */
static void
put_map(fields *s, const heho_grid *g)
{
    char text[16 * 1024] = "";
    size_t n = 0;
    for (int k = 0; k < g->nprow * g->npcol && n + 8 < sizeof text; ++k)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%d",
                              k > 0 ? "+" : "", g->process[k]);
    fields_text(s, "processes_in_grid", text);
}

static void
put_profile(fields *s, const heho_row *row)
{
    double blas = 0, blas_cpu = 0, cpu = 0;
    for (int i = 0; row->t != NULL && i < row->x->nhosts; ++i) {
        const host_used h = sum_host(row, i);
        blas = fmax(blas, h.longest);
        blas_cpu += h.blas_cpu;
        cpu += h.cpu;
    }
    fields_real(s, "blas_longest_s", blas);
    fields_real(s, "blas_cpu_s", blas_cpu);
    fields_real(s, "other_cpu_s", cpu - blas_cpu);
}

void
heho_put(fields *s, const void *from)
{
    const heho_row *row = from;
    fields_text(s, "routine", row->r->name);
    fields_int(s, "n", (int)row->job.n);
    fields_int(s, "nb", row->job.nb);
    fields_text(s, "case", row->way->name);
    fields_int(s, "nprow", row->g->nprow);
    fields_int(s, "npcol", row->g->npcol);
    fields_int(s, "processes", row->x->nprocs);
    fields_int(s, "hosts", row->x->nhosts);
    fields_int(s, "runs", row->runs);
    fields_real(s, "seconds", row->t->seconds);
    fields_real(s, "gflops", flops(row) / row->t->seconds * 1e-9);
    fields_real(s, "bound_s", flops(row) / slowest_times_all(row));
    fields_real(s, "ideal_s", flops(row) / sum_of_speeds(row));
    fields_real(s, "efficiency",
                flops(row) / sum_of_speeds(row) / row->t->seconds);
    fields_real(s, "gain", row->plain / row->t->seconds);
    fields_real(s, "bytes_between", heho_bytes(row));
    put_profile(s, row);
    fields_exact(s, "residual", row->t->residual);
    fields_text(s, "right", heho_is_right(row) ? "yes" : "no");
    put_map(s, row->g);
}
