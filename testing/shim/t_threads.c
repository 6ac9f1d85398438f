/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads under MPI_THREAD_MULTIPLE, each with communicators and
 * contexts of its own: the data is right, and MPI_Finalize ends.
 *
 * Threads come to their contexts in opposite orders, contexts share some of
 * their processes, and communicators come and go meanwhile, so that windows
 * are made, used, left and taken at the same time. */
#include "hesca/redist.h"
#include "hesca/scalapack.h"
#include "testing/check.h"
#include "testing/shim/blacs.h"
#include <pthread.h>
#include <string.h>

void Cpdgemr2d(int m, int n, double *a, int ia, int ja, const int *desca,
               double *b, int ib, int jb, const int *descb, int ictxt);

enum { THREADS = 2, CONTEXTS = 3, ROUNDS = 4, N = 60, MOST = N * N };

typedef struct {
    int number, wrong;
    int ictxt[CONTEXTS]; /* of all processes, all but the last, all but the
                            first */
    MPI_Comm comm;
    double a[MOST], b[MOST];
} worker;

static worker workers[THREADS];
static int rank, size;

static void
make_contexts(worker *w)
{
    for (int k = 0; k < CONTEXTS; ++k) {
#ifdef OPEN_MPI
        /* 4.1 makes no communicators of sets that overlap in several threads:
         * doc/threads.md. */
        const int first = 0, n = size;
#else
        const int first = k == 2, n = size - (k > 0);
#endif
        int map[64];
        for (int p = 0; p < n; ++p)
            map[p] = first + p;
        Cblacs_get(-1, 0, &w->ictxt[k]);
        Cblacs_gridmap(&w->ictxt[k], map, 1, 1, n);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &w->comm);
}

/* Element (i, j) for the calls of one round. */
static double
element(int i, int j, int salt)
{
    return i + 1000.0 * j + 1e6 * salt;
}

/* Columns in blocks of nb, by one process row: set those of this process, or
 * count the wrong ones. */
static int
visit(double *x, int nb, int mycol, int npcol, int salt, int sets)
{
    int wrong = 0, local = 0;
    for (int j = 0; j < N; ++j) {
        if (j / nb % npcol != mycol)
            continue;
        for (int i = 0; i < N; ++i) {
            if (sets)
                x[local * N + i] = element(i, j, salt);
            wrong += x[local * N + i] != element(i, j, salt);
        }
        ++local;
    }
    return wrong;
}

static void
by_context(worker *w, int k, int salt)
{
    const int ictxt = w->ictxt[k];
    const int desca[] = {1, ictxt, N, N, N, 3, 0, 0, N};
    const int descb[] = {1, ictxt, N, N, N, 7, 0, 0, N};
    int nprow, npcol, myrow, mycol;
    if (ictxt < 0)
        return;
    Cblacs_gridinfo(ictxt, &nprow, &npcol, &myrow, &mycol);
    visit(w->a, 3, mycol, npcol, salt, 1);
    memset(w->b, 0, sizeof w->b);
    Cpdgemr2d(N, N, w->a, 1, 1, desca, w->b, 1, 1, descb, ictxt);
    w->wrong += visit(w->b, 7, mycol, npcol, salt, 0);
}

static void
by_communicator(worker *w, int salt)
{
    hesca_side a = {.member = 1,
                    .nprow = 1,
                    .npcol = size,
                    .mycol = rank,
                    .m = N,
                    .n = N,
                    .mb = N,
                    .nb = 2,
                    .lld = N};
    hesca_side b = a;
    MPI_Comm comm;
    b.nb = 5;
    MPI_Comm_dup(w->comm, &comm);
    for (int k = 0; k < 2; ++k) {
        visit(w->a, 2, rank, size, salt + k, 1);
        memset(w->b, 0, sizeof w->b);
        const int err =
            hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, N, N, &a, w->a, &b,
                               w->b, sizeof(double), comm, NULL);
        w->wrong += err != HESCA_SUCCESS;
        w->wrong += visit(w->b, 5, rank, size, salt + k, 0);
    }
    MPI_Comm_free(&comm);
}

static void *
work(void *what)
{
    worker *w = what;
    for (int round = 0; round < check_cases(ROUNDS); ++round) {
        for (int k = 0; k < CONTEXTS; ++k)
            by_context(w, w->number == 0 ? k : CONTEXTS - 1 - k, round + k);
        by_communicator(w, round);
    }
    return NULL;
}

int
main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (provided < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        puts("MPI has no MPI_THREAD_MULTIPLE");
        return 77;
    }
    for (int t = 0; t < THREADS; ++t) {
        workers[t].number = t;
        make_contexts(&workers[t]);
    }
    pthread_t thread[THREADS];
    int started = 1;
    while (started < THREADS && pthread_create(&thread[started], NULL, work,
                                               &workers[started]) == 0)
        ++started;
    CHECK(started == THREADS, "%d threads", started);
    work(&workers[0]);
    for (int t = 1; t < started; ++t)
        pthread_join(thread[t], NULL);
    for (int t = 0; t < THREADS; ++t) {
        CHECK(workers[t].wrong == 0, "thread %d: %d wrong", t,
              workers[t].wrong);
        for (int k = 0; k < CONTEXTS; ++k)
            if (workers[t].ictxt[k] >= 0)
                Cblacs_gridexit(workers[t].ictxt[k]);
        MPI_Comm_free(&workers[t].comm);
    }
    const int status = check_done("t_threads");
    MPI_Finalize();
    return status;
}
