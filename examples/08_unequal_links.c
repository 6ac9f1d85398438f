/* SPDX-License-Identifier: BSD-3-Clause */
/* 8. Links that differ.  First on paper, without messages: how much sooner an
 * exchange ends when messages are ordered by what they cost, and a broadcast
 * when fast links come first.  Then for real, by the machine file that
 * HESCA_MACHINE names, if it does.
 *
 *   mpicc 08_unequal_links.c -o 08_unequal_links \
 *       $(pkg-config --cflags --libs hesca)
 *   mpiexec -n 4 ./08_unequal_links */
#include <hesca.h>
#include <hesca/experimental.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds of a message between four sites (GUSTO's, 10 MB; BHAT-COL Eq. 2). */
enum { SITES = 4 };
static const double cost[SITES * SITES] = {
    0, 156, 325, 39, 156, 0, 163, 115, 325, 163, 0, 257, 39, 115, 257, 0};

static int
on_paper(void)
{
    static const char *const order[] = {"caterpillar", "openshop", "polished"};
    static const char *const tree[] = {"binomial", "fef", "ecef", "optimum"};
    const hesca_broadcast_problem problem = {.nproc = SITES, .cost = cost};
    hesca_events x;
    double bound;
    int err = hesca_events_make_dense(&x, SITES, cost, NULL);
    if (err < 0)
        return err;
    hesca_events_bound(&x, NULL, &bound);
    printf("everybody to everybody: at least %.0f s;", bound);
    for (int k = 0; k < 3 && err == 0; ++k) {
        hesca_timetable t;
        err = hesca_heuristic_find(order[k])->make(&x, NULL, &t);
        if (err == 0)
            printf(" %s %.0f", order[k], t.finish);
        hesca_timetable_clear(&t);
    }
    printf("\none to everybody:");
    for (int k = 0; k < 4 && err == 0; ++k) {
        hesca_broadcast b;
        err = hesca_broadcast_find(hesca_broadcast_algorithm_find(tree[k]),
                                   &problem, &b);
        if (err == 0)
            printf(" %s %.0f s", tree[k], b.finish);
        hesca_broadcast_clear(&b);
    }
    printf("\n");
    hesca_events_clear(&x);
    return err;
}

/* Process r has r + 1 thousand numbers for each. */
static int
for_real(int rank, int nprocs, hesca_coll_info info[2], long *wrong)
{
    int64_t *list = calloc(4 * (size_t)nprocs, sizeof *list);
    int64_t *scount = list, *sat = list + nprocs, *rcount = list + 2 * nprocs,
            *rat = list + 3 * nprocs, ns = 0, nr = 0;
    for (int r = 0; r < nprocs; ++r) {
        sat[r] = ns;
        rat[r] = nr;
        ns += scount[r] = 1000 * (rank + 1);
        nr += rcount[r] = 1000 * (r + 1);
    }
    double *send = malloc((size_t)ns * sizeof *send);
    double *recv = malloc((size_t)nr * sizeof *recv);
    for (int64_t k = 0; k < ns; ++k)
        send[k] = rank;
    int err = hesca_alltoallv(send, scount, sat, recv, rcount, rat,
                              sizeof *send, MPI_COMM_WORLD, &info[0]);
    for (int r = 0; r < nprocs; ++r)
        for (int64_t k = 0; k < rcount[r]; ++k)
            *wrong += recv[rat[r] + k] != r;
    if (err == 0)
        err = hesca_bcast(send, 1000 * (int64_t)sizeof *send, 0,
                          MPI_COMM_WORLD, &info[1]);
    for (int k = 0; k < 1000; ++k)
        *wrong += send[k] != 0;
    free(list);
    free(send);
    free(recv);
    return err;
}

int
main(int argc, char **argv)
{
    int rank, nprocs, err = 0;
    long wrong = 0, all_wrong;
    hesca_coll_info info[2] = {{.segments = 0}, {.segments = 0}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    if (rank == 0)
        err = on_paper();
    if (err == 0)
        err = for_real(rank, nprocs, info, &wrong);
    if (err < 0)
        fprintf(stderr, "%s\n", hesca_error_text());
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && err == 0)
        printf("exchange by %s, broadcast by %s in %d pieces: %ld wrong "
               "elements\n",
               info[0].schedule, info[1].schedule, info[1].segments,
               all_wrong);
    MPI_Finalize();
    return err < 0 || all_wrong != 0;
}
