/* How long one process takes to compute its part of a schedule: its partners
 * in every step, and every packet that it carries.
 *
 * Usage: time_planning [--procs P] [--k K,...] [--csv]
 *
 * R_x(K,P) on a line of P processes, without MPI; median over 101 processes
 * spread over the line.  Exit status: 0, 2 for wrong usage. */
#include "harness.h"
#include "sched/sched.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 101 };

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

static int
run(int nprocs, int k, int csv)
{
    hesca_problem p;
    int status = 0;
    if (!make_problem(&p, k, nprocs)) {
        fprintf(stderr, "time_planning: %s\n", hesca_error_text());
        return 2;
    }
    const int most = hesca_store_forward_degree(&p, HESCA_STORE_FORWARD_GRID);
    const int degree[3] = {0, most / 2, most};
    const char *name[3] = {"direct", "hybrid", "indirect"};
    for (int i = 0; i < 3; ++i) {
        int64_t steps = 0;
        const double s = time_one(&p, degree[i], nprocs, &steps);
        if (csv)
            printf("%d,%d,%s,%d,%lld,%zu,%.9g\n", nprocs, k, name[i],
                   degree[i], (long long)steps, sizeof(hesca_store_forward),
                   s);
        else
            printf("%9d %6d  %-8s %6d %6lld %10.1f\n", nprocs, k, name[i],
                   degree[i], (long long)steps, 1e6 * s);
    }
    hesca_layout_free(p.a);
    hesca_layout_free(p.b);
    return status;
}

static int
help(void)
{
    printf("Usage: time_planning [--procs P] [--k K,...] [--csv]\n"
           "Time what one process needs to compute its part of a schedule of "
           "R_x(K,P): the\npartners of all steps, and its packets.  Default: "
           "P = 16384, K = 10,100,1000,10000.\n"
           "  --csv   processes, K, schedule, degree, steps, bytes of memory, "
           "median seconds\n\n"
           "Exit status: 0, 2 for wrong usage.\n");
    return 0;
}

static int
complain(const char *option, const char *value)
{
    fprintf(stderr, "time_planning: %s '%s'; see --help\n", option, value);
    return 2;
}

int
main(int argc, char **argv)
{
    const char *list = "10,100,1000,10000";
    long nprocs = 16384;
    int csv = 0, status = 0;
    for (int i = 1; i < argc; ++i) {
        char *end = NULL;
        if (strcmp(argv[i], "--help") == 0)
            return help();
        if (strcmp(argv[i], "--csv") == 0)
            csv = 1;
        else if (strcmp(argv[i], "--procs") == 0 && i + 1 < argc) {
            nprocs = strtol(argv[++i], &end, 10);
            if (*end != '\0' || nprocs < 1 || nprocs > 10000000)
                return complain("--procs is", argv[i]);
        } else if (strcmp(argv[i], "--k") == 0 && i + 1 < argc)
            list = argv[++i];
        else
            return complain("there is no option", argv[i]);
    }
    if (csv)
        printf("processes,k,schedule,degree,steps,bytes,median_s\n");
    else
        printf("processes      K  schedule degree  steps  median us\n");
    for (const char *next = list; status == 0;) {
        char *end;
        const long k = strtol(next, &end, 10);
        if (end == next || (*end != ',' && *end != '\0') || k < 1 ||
            k > nprocs)
            return complain("--k is", list);
        status = run((int)nprocs, (int)k, csv);
        if (*end == '\0')
            break;
        next = end + 1;
    }
    return status;
}
