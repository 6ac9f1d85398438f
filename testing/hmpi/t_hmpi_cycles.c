/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that come and go: memory does not grow, communicators do not run out.
 * Prints how long a creation takes, and what processes that wait cost.  Speeds
 * that are measured, here and in HESCA's machine model. */
#include "hesca/experimental/monitor.h"
#include "hmpi.h"
#include "simple.c"
#include "testing/check.h"
#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

static long
resident_kb(void)
{
    long pages = 0, ignored;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f == NULL || fscanf(f, "%ld %ld", &ignored, &pages) != 2)
        pages = 0;
    if (f != NULL)
        fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void
cycle(int n)
{
    HMPI_Group gid;
    int err = 0;
    if (HMPI_Is_host())
        err = HMPI_Group_create(&gid, &HMPI_Model_simple, &n, 1);
    if (HMPI_Is_free())
        err = HMPI_Group_create(&gid, &HMPI_Model_simple, NULL, 0);
    CHECK(err == 0, "%s", hesca_error_text());
    if (HMPI_Is_member(&gid))
        CHECK(HMPI_Group_free(&gid) == 0, "%s", hesca_error_text());
}

static void
cycles(int n)
{
    int size;
    long before = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const double begin = MPI_Wtime();
    for (int k = 0; k < n; ++k) {
        /* MPI's own pools have grown by then. */
        if (k == n / 4)
            before = resident_kb();
        cycle(1 + k % size);
    }
    const long grown = resident_kb() - before;
    CHECK(grown < 1024, "%ld KB more after %d cycles", grown, n);
    if (HMPI_Is_host())
        printf("%d cycles: %.3g ms each, %ld KB more\n", n,
               1e3 * (MPI_Wtime() - begin) / n, grown);
}

static double
cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* The host computes without a call of MPI. */
static void
idle(double seconds)
{
    const double begin = MPI_Wtime(), used = cpu();
    volatile double x = 0;
    double mine = 0, most = 0;
    if (HMPI_Is_free())
        HMPI_Wait_free_processes();
    if (HMPI_Is_host()) {
        while (MPI_Wtime() - begin < seconds)
            x = x + 1;
        HMPI_Notify_free_processes(); /* directly after a creation */
        HMPI_Notify_free_processes();
    } else {
        mine = (cpu() - used) / (MPI_Wtime() - begin);
    }
    check_barrier(MPI_COMM_WORLD);
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (HMPI_Is_host())
        printf("waiting takes %.2g %% of a core at most\n", 100 * most);
}

/* --- speeds --- */

/* As if process k was k + 1 times as slow as process 0. */
static void
slow(const void *input, int n, void *output)
{
    const int rank = *(const int *)input;
    const struct timespec t = {.tv_nsec = 30000000L * (rank + 1)};
    (void)n, (void)output;
    nanosleep(&t, NULL);
}

/* Processes of their own hosts: each is a processor. */
static void
recon(void)
{
    enum { N = 64 };
    double speed[N], processor[N];
    int rank, size;
    hesca_machine m = hesca_machine_default();
    MPI_Comm comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(HMPI_Get_processes_info(speed) == 0, "%s", hesca_error_text());
    for (int k = 0; k < size; ++k)
        CHECK(speed[k] >= 1 && speed[k] <= 1, "before: %g", speed[k]);
    const int err = HMPI_Recon(slow, &rank, 1, NULL);
    const int is_in = HMPI_Is_member(HMPI_PROC_WORLD_GROUP);
    CHECK(err == (is_in ? 0 : HMPI_UNDEFINED), "%d", err);
    check_barrier(MPI_COMM_WORLD);
    CHECK(HMPI_Get_processes_info(speed) == 0 &&
              HMPI_Get_processors_info(processor) == 0,
          "%s", hesca_error_text());
    if (HMPI_Get_number_of_processors() < size)
        return; /* without HESCA_NODE_SIZE=1 */
    CHECK(size == 1 || speed[0] > 1.5 * speed[size - 1], "%g, %g", speed[0],
          speed[size - 1]);
    for (int k = 0; k < size; ++k)
        CHECK(speed[k] >= processor[k] && speed[k] <= processor[k],
              "process %d: %g, not %g", k, speed[k], processor[k]);
    /* HESCA's machine model has them, for a communicator that is new. */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(hesca_machine_agreed(comm, &m) == 0 && m.nhosts == size, "%d: %s",
          m.nhosts, hesca_error_text());
    for (int k = 0; k < m.nhosts; ++k)
        CHECK(fabs(m.host[k].speed / m.host[0].speed - speed[k] / speed[0]) <
                  1e-9,
              "host %d: %g", k, m.host[k].speed);
    hesca_machine_clear(&m);
    MPI_Comm_free(&comm);
    check_barrier(MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS) {
        printf("%s\n", hesca_error_text());
        return 99;
    }
    recon();
    cycles(check_big() ? 10000 : check_size(400));
    idle(check_big() ? 10 : 0.3);
    const int failed = check_done("hmpi/t_hmpi_cycles");
    return HMPI_Finalize(failed) == 0 ? failed : 1;
}
