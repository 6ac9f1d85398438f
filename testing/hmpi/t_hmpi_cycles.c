/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that come and go: memory does not grow, communicators do not run out;
 * and BLACS grids on them have the group's order.  Prints how long a creation
 * takes, and what processes that wait cost. */
#include "hmpi.h"
#include "simple.c"
#include "testing/check.h"
#include <string.h>
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

int
main(int argc, char **argv)
{
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS) {
        printf("%s\n", hesca_error_text());
        return 99;
    }
    cycles(check_big() ? 10000 : check_size(400));
    idle(check_big() ? 10 : 0.3);
    const int failed = check_done("hmpi/t_hmpi_cycles");
    return HMPI_Finalize(failed) == 0 ? failed : 1;
}
