/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds: measured by the program's own code, kept by the registry, and
 * supplied to HESCA's machine model. */
#include "hmpi/hmpi_recon.h"
#include "base/status.h"
#include "wait/quota.h"
#include <limits.h>
#include <stdlib.h>

/* --- benchmark --- */

enum { ORDER = 192, REPEATS = 8 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n,
            const int *k, const double *alpha, const double *a, const int *lda,
            const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc);

/* What HMPI_Recon() runs without one of the user's. */
static void
multiply(const void *input, int n, void *output)
{
    const int order = ORDER;
    const double zero = 0, one = 1;
    double *a = (double *)output;
    (void)input, (void)n;
    for (int k = 0; k < REPEATS; ++k)
        dgemm_("N", "N", &order, &order, &order, &one, a, &order,
               a + ORDER * ORDER, &order, &zero, a + 2 * ORDER * ORDER,
               &order);
}

/* Seconds of a run.  Short ones are repeated for 20 ms, as the first touches
 * memory and wakes vector units; where a CPU quota would let them burst, for
 * several of its periods, which are 0.1 s. */
static double
run(HMPI_Benchmark_function func, const void *input, int n, void *output)
{
    const double least = hesca_quota() > 0 ? 0.5 : 0.02;
    double begin = PMPI_Wtime();
    func(input, n, output);
    double seconds = PMPI_Wtime() - begin;
    if (seconds >= least)
        return seconds;
    int runs = 0;
    begin = PMPI_Wtime();
    do {
        func(input, n, output);
        ++runs;
        seconds = PMPI_Wtime() - begin;
    } while (seconds < least && runs < INT_MAX);
    return (seconds > 1e-9 ? seconds : 1e-9) / runs;
}

/* --- speeds --- */

/* A process that has not measured has the mean time of its computer's that
 * have. */
static void
fill_speeds(const double *seconds, double *speed)
{
    const hesca_hmpi_network *x = &hesca_hmpi.network;
    for (int k = 0; k < hesca_hmpi.nprocs; ++k) {
        double sum = 0;
        int n = 0;
        for (int j = 0; x->processor[k] < 0 && j < hesca_hmpi.nprocs; ++j)
            if (x->computer[j] == x->computer[k] && x->processor[j] >= 0) {
                sum += seconds[x->processor[j]];
                ++n;
            }
        speed[k] =
            x->processor[k] >= 0 ? 1 / seconds[x->processor[k]] : n / sum;
    }
}

static int
meet(void)
{
    MPI_Request request;
    if (PMPI_Ibarrier(HMPI_PROC_WORLD, &request) != MPI_SUCCESS)
        return hesca_fail(HESCA_ERR_MPI, 0, "HMPI_Recon: MPI_Ibarrier failed");
    return hesca_hmpi_wait_mpi(&request);
}

static int
gather(double mine, double *all)
{
    MPI_Request request;
    if (PMPI_Iallgather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE,
                        HMPI_PROC_WORLD, &request) != MPI_SUCCESS)
        return hesca_fail(HESCA_ERR_MPI, 0,
                          "HMPI_Recon: MPI_Iallgather failed");
    return hesca_hmpi_wait_mpi(&request);
}

/* All processors at the same time.
 * \param [out] seconds  [number of processors] */
static int
measure(HMPI_Benchmark_function func, const void *input, int n, void *output,
        double *seconds)
{
    double *work = NULL, mine = -1;
    int err;
    if (func == NULL)
        work = calloc((size_t)3 * ORDER * ORDER, sizeof *work);
    HESCA_TRY(err, meet());
    if (func != NULL)
        mine = run(func, input, n, output);
    else if (work != NULL)
        mine = run(multiply, NULL, 0, work);
    HESCA_TRY(err, gather(mine, seconds));
    for (int k = 0; k < hesca_hmpi.network.nprocessors; ++k)
        if (seconds[k] < 0)
            err = hesca_fail(HESCA_ERR_NOMEM, 0,
                             "HMPI_Recon: processor %d had no memory", k);
fail:
    free(work);
    return err;
}

int
HMPI_Recon(HMPI_Benchmark_function func, const void *input_p,
           int num_of_parameters, void *output_p)
{
    static const char routine[] = "HMPI_Recon";
    double *seconds = hesca_hmpi.network.scratch;
    double *speed = seconds + hesca_hmpi.nprocs;
    int err = hesca_hmpi_check_on(routine);
    if (err < 0)
        return err;
    if (HMPI_PROC_WORLD == MPI_COMM_NULL)
        return HMPI_UNDEFINED;
    HESCA_TRY(err,
              measure(func, input_p, num_of_parameters, output_p, seconds));
    fill_speeds(seconds, speed);
    if (hesca_hmpi.rank == 0)
        HESCA_TRY(err, hesca_hmpi_ask_done(
                           routine, HESCA_HMPI_SPEEDS, 0, speed,
                           (size_t)hesca_hmpi.nprocs * sizeof *speed));
    err = meet();
fail:
    return err;
}

/* --- queries --- */

/* Speeds of chosen processes, relative to the slowest of all.
 * \param [in] world  [n] their ranks; NULL: the processors. */
static int
give(const char *routine, const int *world, int n, double *out)
{
    double *speed, least = 0;
    unsigned char *is_free;
    if (out == NULL)
        return hesca_fail_null(routine, 1, "relative_performances");
    const int err = hesca_hmpi_ask_state(routine, &speed, &is_free);
    if (err < 0)
        return err;
    for (int k = 0; k < hesca_hmpi.nprocs; ++k)
        least = k == 0 || speed[k] < least ? speed[k] : least;
    for (int k = 0; world != NULL && k < n; ++k)
        out[k] = speed[world[k]] / least;
    for (int k = 0; world == NULL && k < hesca_hmpi.nprocs; ++k)
        if (hesca_hmpi.network.processor[k] >= 0)
            out[hesca_hmpi.network.processor[k]] = speed[k] / least;
    free(speed);
    free(is_free);
    return HMPI_SUCCESS;
}

int
HMPI_Get_number_of_processors(void)
{
    const int err = hesca_hmpi_check_on("HMPI_Get_number_of_processors");
    return err < 0 ? err : hesca_hmpi.network.nprocessors;
}

int
HMPI_Get_number_of_free_processes(void)
{
    double *speed;
    unsigned char *is_free;
    int n = 0, err = hesca_hmpi_ask_state("HMPI_Get_number_of_free_processes",
                                          &speed, &is_free);
    if (err < 0)
        return err;
    for (int k = 0; k < hesca_hmpi.nprocs; ++k)
        n += is_free[k];
    free(speed);
    free(is_free);
    return n;
}

int
HMPI_Get_processors_info(double *relative_performances)
{
    return give("HMPI_Get_processors_info", NULL, 0, relative_performances);
}

int
HMPI_Get_processes_info(double *relative_performances)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(HMPI_COMM_WORLD_GROUP);
    return g == NULL ? hesca_hmpi_check_on("HMPI_Get_processes_info")
                     : give("HMPI_Get_processes_info", g->world, g->size,
                            relative_performances);
}

int
HMPI_Group_performances(const HMPI_Group *gid, double *relative_performances)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g == NULL ? HMPI_UNDEFINED
                     : give("HMPI_Group_performances", g->world, g->size,
                            relative_performances);
}

/* --- HESCA's machine model --- */

/* A host's speed is the mean of its processes'. */
static void
set_speeds(const double *speed, hesca_machine *m)
{
    const hesca_hmpi_network *x = &hesca_hmpi.network;
    for (int c = 0; c < x->topology.ncomputers; ++c) {
        const int i = hesca_machine_find_host(m, x->topology.computer[c].name);
        double sum = 0;
        int n = 0;
        for (int k = 0; k < hesca_hmpi.nprocs; ++k)
            if (x->computer[k] == c) {
                sum += speed[k];
                ++n;
            }
        if (i >= 0 && n > 0)
            m->host[i].speed = sum / n;
    }
}

/* The hosts of HMPI's network, in a machine that has none. */
static int
set_hosts(hesca_machine *m)
{
    const hesca_topology *t = &hesca_hmpi.network.topology;
    const char **name = malloc((size_t)t->ncomputers * sizeof *name);
    if (name == NULL)
        return HESCA_ERR_NOMEM;
    for (int c = 0; c < t->ncomputers; ++c)
        name[c] = t->computer[c].name;
    const int err = hesca_machine_set_hosts(m, t->ncomputers, name);
    for (int c = 0; err == HESCA_SUCCESS && c < t->ncomputers; ++c)
        m->host[c].cores = t->computer[c].nprocessors;
    free(name);
    return err;
}

int
hesca_hmpi_monitor(hesca_machine *machine, void *data)
{
    double *speed;
    unsigned char *is_free;
    int err, has_changed = 0;
    (void)data;
    if (hesca_hmpi.phase != HESCA_HMPI_ON || hesca_hmpi.lost >= 0)
        return HESCA_SUCCESS;
    err = hesca_hmpi_ask_state("hesca_machine_refresh", &speed, &is_free);
    if (err < 0)
        return err;
    for (int k = 0; k < hesca_hmpi.nprocs; ++k) {
        const double before = hesca_hmpi.network.topology
                                  .computer[hesca_hmpi.network.computer[k]]
                                  .speed;
        has_changed |= speed[k] < before || speed[k] > before;
    }
    if (has_changed && machine->nhosts == 0)
        err = set_hosts(machine);
    if (has_changed && err == HESCA_SUCCESS)
        set_speeds(speed, machine);
    free(speed);
    free(is_free);
    return err;
}
