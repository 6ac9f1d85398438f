/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "hesca/experimental/place.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *name, *kernel;
    const char *alias; /* a routine of about the same time */
    double flops;      /* times n^3 */
    double matrices;   /* times n^2 elements */
} table[] = {
    [HESCA_ROUTINE_GEMM] = {"gemm", "dgemm", "gemm", 2, 3},
    [HESCA_ROUTINE_POTRF] = {"potrf", "dpotrf", "posv", 1.0 / 3, 1},
    [HESCA_ROUTINE_GESV] = {"gesv", "dgetrf", "getrf", 2.0 / 3, 1},
    [HESCA_ROUTINE_SYRK] = {"syrk", "dgemm", "herk", 1, 2},
    [HESCA_ROUTINE_TRSM] = {"trsm", "dgemm", "trsm", 1, 2},
    [HESCA_ROUTINE_POTRI] = {"potri", "dpotrf", "potri", 2.0 / 3, 1},
    [HESCA_ROUTINE_GETRI] = {"getri", "dgetrf", "getri", 4.0 / 3, 1},
    [HESCA_ROUTINE_GEQRF] = {"geqrf", "dgetrf", "geqrf", 4.0 / 3, 1},
    [HESCA_ROUTINE_ORMQR] = {"ormqr", "dgemm", "unmqr", 2, 2},
    [HESCA_ROUTINE_GELS] = {"gels", "dgetrf", "gels", 4.0 / 3, 1},
    [HESCA_ROUTINE_SYTRD] = {"sytrd", "dgemm", "hetrd", 5, 1},
    [HESCA_ROUTINE_SYEV] = {"syev", "dgemm", "heev", 22, 3},
    [HESCA_ROUTINE_SYEVD] = {"syevd", "dgemm", "heevd", 9, 4},
    [HESCA_ROUTINE_SYEVR] = {"syevr", "dgemm", "heevr", 8, 3},
    [HESCA_ROUTINE_SYEVX] = {"syevx", "dgemm", "heevx", 9, 3},
    [HESCA_ROUTINE_SYGVX] = {"sygvx", "dgemm", "hegvx", 12, 4},
    [HESCA_ROUTINE_GEBRD] = {"gebrd", "dgemm", "gebrd", 9, 1},
    [HESCA_ROUTINE_GESVD] = {"gesvd", "dgemm", "gesvd", 40, 5},
};

/* Operations per second of a host of relative speed 1 without a model. */
#define USUAL_FLOPS 1e10

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
    const hesca_speed *speed =
        hesca_machine_speed(machine, host, table[job->routine].kernel);
    if (speed == NULL)
        speed = hesca_machine_speed(machine, host,
                                    table[HESCA_ROUTINE_GEMM].kernel);
    if (speed == NULL)
        return machine->host[host].speed * USUAL_FLOPS;
    return size <= hesca_speed_limit(speed) ? hesca_speed_at(speed, size) : 0;
}
