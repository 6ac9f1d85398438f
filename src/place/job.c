/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/routines.h"
#include "base/status.h"
#include "hesca/experimental/place.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    const char *alias; /* a routine of about the same time */
    const char *kernel;
    double flops;    /* times n^3 */
    double matrices; /* times n^2 elements */
} table[] = {
#define ROW(routine, ...) [HESCA_ROUTINE_##routine] = {__VA_ARGS__},
    HESCA_JOBS(ROW)
#undef ROW
};

/* Speed of the kernels of factorizations relative to dgemm, where it is not
 * known: .64 to .94 on seven clusters, matrices of order 750 to 1500 on a
 * process (doc/hohe-measured.md). */
static const double FACTORING = 0.82;

_Static_assert(sizeof table / sizeof *table == HESCA_ROUTINES,
               "a job for each of hesca_routine");

static int
find(const char *name)
{
    for (int k = 0; k < HESCA_ROUTINES; ++k)
        if (strcmp(name, table[k].name) == 0 ||
            strcmp(name, table[k].alias) == 0)
            return k;
    return -1;
}

/* A name may have a prefix: a type, or p and a type. */
int
hesca_routine_find(const char *name, hesca_routine *routine)
{
    static const char types[] = "sdcz";
    int k;
    if (name == NULL)
        return 0;
    k = find(name);
    if (k < 0 && *name == 'p' && name[1] != '\0')
        ++name;
    if (k < 0 && *name != '\0' && strchr(types, *name) != NULL)
        k = find(name + 1);
    if (k >= 0)
        *routine = (hesca_routine)k;
    return k >= 0;
}

const char *
hesca_routine_name(hesca_routine routine)
{
    return table[routine].name;
}

double
hesca_job_flops(const hesca_job *job)
{
    const double n = (double)job->n;
    return table[job->routine].flops * n * n * n;
}

double
hesca_job_bytes(const hesca_job *job)
{
    const double n = (double)job->n;
    return table[job->routine].matrices * n * n * (double)sizeof(double);
}

double
hesca_job_speed(const hesca_machine *machine, const hesca_job *job, int host,
                int nprocs)
{
    const double n = (double)job->n, size = n * n / nprocs;
    const char *dgemm = table[HESCA_ROUTINE_GEMM].kernel;
    const char *kernel = table[job->routine].kernel;
    const hesca_speed *speed = hesca_machine_speed(machine, host, kernel);
    double part = 1;
    if (speed == NULL && strcmp(kernel, dgemm) != 0) {
        speed = hesca_machine_speed(machine, host, dgemm);
        part = FACTORING;
    }
    if (speed == NULL)
        return part * machine->host[host].speed * machine->unit.flops;
    return size <= hesca_speed_limit(speed)
               ? part * hesca_speed_at(speed, size)
               : 0;
}
