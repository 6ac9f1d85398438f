/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/version.h"
#include "lim.h"
#include <string.h>

void
lim_results_head(const fields_files *out, const facts *f, int procs)
{
    fprintf(out->table, "HESCA %s (transport %s), %s\n", HESCA_VERSION,
            f->transport, f->mpi);
    fprintf(out->table, "%d process%s on %d node%s with %d core%s%s\n", procs,
            procs == 1 ? "" : "es", f->nnodes, f->nnodes == 1 ? "" : "s",
            f->cores, f->cores == 1 ? "" : "s", f->nnodes == 1 ? "" : " each");
    fputs("R_x(K,P): times of an execution in ms, the mean of n2 executions "
          "and of all\nprocesses, of which there are n1; plan: to make one.\n"
          "\n",
          out->table);
    fprintf(out->table, "%5s %9s  %-13s %5s %9s %9s %9s %9s %9s %4s %4s  %s\n",
            "K", "bytes", "schedule", "steps", "max", "avg", "med", "min",
            "plan", "n1", "n2", "right");
    fflush(out->table);
}

/* A time in ms, with four digits. */
static void
print_ms(FILE *f, double seconds)
{
    const double ms = 1e3 * seconds;
    if (ms <= 0)
        fprintf(f, " %9s", "-");
    else
        fprintf(f, " %9.*f", ms < 10 ? 4 : ms < 100 ? 3 : 1, ms);
}

static double
bytes_of(const lim_case *c)
{
    return (double)c->n * (double)c->esize;
}

static void
print_case(FILE *f, const lim_case *c, const char *name)
{
    fprintf(f, "%5d %9.0f  %-13s", c->k, bytes_of(c), name);
}

static const char *
yes_no(const lim_result *x)
{
    return !x->checked ? "-" : x->right ? "yes" : "no";
}

void
lim_results_row(fields_files *out, const lim_result *x)
{
    FILE *f = out->table;
    print_case(f, x->c, x->name);
    if (x->plan.schedule[0] != '\0')
        fprintf(f, " %5d", x->plan.nsteps);
    else
        fprintf(f, " %5s", "-");
    const double t[] = {x->max, x->avg, x->med, x->min, x->planning};
    for (int k = 0; k < 5; ++k)
        print_ms(f, t[k]);
    fprintf(f, " %4d %4d  %s", x->n1, x->n2, yes_no(x));
    if (x->plan.schedule[0] != '\0' && strcmp(x->plan.schedule, x->name) != 0)
        fprintf(f, "  %s", x->plan.schedule);
    fputc('\n', f);
    bench_row(out, x);
}

void
lim_results_skipped(const fields_files *out, const lim_case *c,
                    const char *name, const char *why)
{
    print_case(out->table, c, name);
    fprintf(out->table, " skipped: %s\n", why);
    fflush(out->table);
}

void
lim_results_put(fields *s, const void *row)
{
    const lim_result *x = row;
    fields_int(s, "k", x->c->k);
    fields_int(s, "processes", x->c->nprocs);
    fields_real(s, "bytes", bytes_of(x->c));
    fields_real(s, "elements", (double)x->c->n);
    fields_text(s, "array", x->c->is_row ? "row" : "column");
    fields_int(s, "x", x->c->x);
    fields_int(s, "esize", (int)x->c->esize);
    fields_text(s, "schedule", x->name);
    fields_text(s, "chosen", x->plan.schedule);
    fields_real(s, "steps", x->plan.nsteps);
    fields_int(s, "n1", x->n1);
    fields_int(s, "n2", x->n2);
    fields_real(s, "t_max_s", x->max);
    fields_real(s, "t_avg_s", x->avg);
    fields_real(s, "t_med_s", x->med);
    fields_real(s, "t_min_s", x->min);
    fields_real(s, "plan_s", x->planning);
    fields_real(s, "predicted_s", x->plan.predicted_seconds);
    fields_text(s, "right", yes_no(x));
    fields_text(s, "transport", x->f->transport);
    fields_text(s, "way", x->plan.transport);
    fields_int(s, "nodes", x->f->nnodes);
    fields_int(s, "cores", x->f->cores);
    fields_text(s, "mpi", x->f->mpi);
    fields_text(s, "hesca", HESCA_VERSION);
}
