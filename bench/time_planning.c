/* SPDX-License-Identifier: BSD-3-Clause */
/* How long one process takes to compute its part of a schedule: its partners
 * in every step, and every packet that it carries.
 *
 * R_x(K,P) on a line of P processes, without MPI; median over 101 processes at
 * equal distances on the line. */
#include "harness.h"
#include "sched/sched.h"
#include <stdio.h>
#include <stdlib.h>

enum { PROCESSES = 101 };

typedef struct {
    int64_t k[64];
    int nprocs, nk;
} options;

typedef struct {
    int nprocs, k, degree;
    const char *schedule;
    int64_t steps;
    double seconds;
} row;

static int
compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* What schedules look at; the table of what each pair shares, P x P, is not
 * among that. */
static int
make_problem(hesca_problem *p, int k, int nprocs)
{
    const int64_t n = (int64_t)k * nprocs;
    *p = (hesca_problem){.m = 1, .n = n, .esize = 8};
    return hesca_layout_create_cyclic(1, n, 1, 1, 0, 0, 1, nprocs, NULL,
                                      &p->a) == HESCA_SUCCESS &&
           hesca_layout_create_cyclic(1, n, 1, k, 0, 0, 1, nprocs, NULL,
                                      &p->b) == HESCA_SUCCESS;
}

/* One process's part: partners, and packets step by step.  sum keeps the
 * compiler from leaving it out. */
static int
plan_one(const hesca_problem *p, int degree, int iproc, int64_t *sum,
         int64_t *steps)
{
    hesca_store_forward x;
    if (hesca_store_forward_init(&x, p, HESCA_STORE_FORWARD_GRID, degree,
                                 iproc) < 0)
        return 0;
    *steps = hesca_store_forward_steps(&x);
    for (int64_t t = 0; t < *steps; ++t) {
        int dest, src;
        hesca_store_forward_peers(&x, t, &dest, &src);
        *sum += dest - src;
    }
    for (int64_t i = 0; i < hesca_store_forward_lanes(&x); ++i) {
        const hesca_packet k = hesca_store_forward_packet(&x, i, 0);
        *sum += k.d;
    }
    hesca_store_forward_clear(&x);
    return 1;
}

/* Median seconds, or -1. */
static double
time_one(const hesca_problem *p, int degree, int nprocs, int64_t *steps)
{
    double seconds[PROCESSES];
    volatile int64_t used;
    int64_t sum = 0;
    for (int r = 0; r < PROCESSES; ++r) {
        const int iproc = (int)((int64_t)r * (nprocs - 1) / (PROCESSES - 1));
        const double start = yield_clock();
        if (!plan_one(p, degree, iproc, &sum, steps))
            return -1;
        seconds[r] = yield_clock() - start;
    }
    used = sum;
    (void)used;
    qsort(seconds, PROCESSES, sizeof *seconds, compare);
    return seconds[PROCESSES / 2];
}

static const cmdline_row table[] = {
    OPT_INT("procs", "P", "processes (16384)", nprocs, 1, 10000000),
    OPT_LIST("k", "K,...", "values of K, P at most (10,100,1000,10000)", k, nk,
             1, 10000000),
};

static int
check(void *to)
{
    const options *o = to;
    for (int i = 0; i < o->nk; ++i)
        if (o->k[i] > o->nprocs)
            return cmdline_fail("--k %lld: there are %d processes",
                                (long long)o->k[i], o->nprocs);
    return 1;
}

static void
put(fields *s, const void *from)
{
    const row *r = from;
    fields_int(s, "processes", r->nprocs);
    fields_int(s, "k", r->k);
    fields_text(s, "schedule", r->schedule);
    fields_int(s, "degree", r->degree);
    fields_count(s, "steps", r->steps);
    fields_int(s, "bytes", (int)sizeof(hesca_store_forward));
    fields_real(s, "median_s", r->seconds);
}

static void
time_all_degrees(const hesca_problem *p, int nprocs, int k, fields_files *out)
{
    static const char *const name[] = {"direct", "hybrid", "indirect"};
    const int most = hesca_store_forward_degree(p, HESCA_STORE_FORWARD_GRID);
    for (int i = 0; i < 3; ++i) {
        row r = {nprocs, k, most * i / 2, name[i], 0, 0};
        r.seconds = time_one(p, r.degree, nprocs, &r.steps);
        bench_row(out, &r);
        fprintf(out->table, "%9d %6d  %-8s %6d %6lld %10.1f\n", nprocs, k,
                name[i], r.degree, (long long)r.steps, 1e6 * r.seconds);
    }
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    fprintf(out->table,
            "processes      K  schedule degree  steps  median us\n");
    for (int i = 0; i < o->nk; ++i) {
        hesca_problem p;
        if (!make_problem(&p, (int)o->k[i], o->nprocs))
            return cmdline_fail("%s", hesca_error_text()), 2;
        time_all_degrees(&p, o->nprocs, (int)o->k[i], out);
        hesca_layout_free(p.a);
        hesca_layout_free(p.b);
    }
    return 0;
}

int
main(int argc, char **argv)
{
    static options o = {.nprocs = 16384, .k = {10, 100, 1000, 10000}, .nk = 4};
    static const bench_program b = {
        .name = "time_planning",
        .about = "Usage: time_planning [option]...\n"
                 "Time what one process needs to compute its part of a "
                 "schedule of R_x(K,P): the\npartners of all steps, and its "
                 "packets.\n\n",
        .notes = "\nExit status: 0, 2 for wrong usage.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .check = check,
        .put = put,
        .run = run};
    return bench_main(&b, argc, argv);
}
