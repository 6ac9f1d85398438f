/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests of the placement of processes in the BLACS' grids.
 *
 * HESCA reads its environment when it first works on a communicator, so each
 * case has one of its own, and a system handle for it.  HESCA_NODE_SIZE makes
 * hosts of processes.  _POSIX_C_SOURCE must be defined before this. */
#ifndef HESCA_TESTING_PLACING_H
#define HESCA_TESTING_PLACING_H

#include "hesca/experimental/grid.h"
#include "testing/check.h"
#include "testing/shim/blacs.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
int Cblacs_pnum(int ictxt, int prow, int pcol);
void Cblacs_pcoord(int ictxt, int pnum, int *prow, int *pcol);

enum { MOST = 8 };

static int rank, size;
static char machine_path[] = "/tmp/hesca-placement-XXXXXX";
static char map_path[] = "/tmp/hesca-map-XXXXXX";

/* ------------------------------------------------ settings */

/* A file of rank 0's; it is there for all when this returns. */
static inline void
write_file(const char *path, const char *text)
{
    FILE *f;
    if (rank == 0) {
        if ((f = fopen(path, "w")) == NULL)
            abort();
        fputs(text, f);
        fclose(f);
    }
    check_barrier(MPI_COMM_WORLD);
}

/* Hosts PREFIX0, PREFIX1, ... of these speeds, as many as can be, after some
 * lines. */
static inline void
write_machine_with(const char *lines, const char *prefix, const double *speed,
                   const char *more)
{
    char text[2000] = "hesca-machine 1\n";
    strcat(text, lines);
    for (int i = 0; i < MOST; ++i)
        sprintf(text + strlen(text), "host %s%d speed %g %s\n", prefix, i,
                speed[i], more);
    strcat(text, "others startup 60us rate 1Gbit/s\n");
    write_file(machine_path, text);
}

static inline void
write_machine(const char *prefix, const double *speed, const char *more)
{
    write_machine_with("", prefix, speed, more);
}

static const double unequal[MOST] = {.4, .3, 1, .9, .2, 1, .6, .5};
/* So slow that messages cost little. */
static const double slow[MOST] = {.001, .002, .004, .001,
                                  .004, .003, .002, .001};
static const double equal[MOST] = {1, 1, 1, 1, 1, 1, 1, 1};

/* A communicator like `like` on which nothing has been read yet. */
static inline MPI_Comm
fresh(MPI_Comm like, const char *placement)
{
    MPI_Comm comm;
    setenv("HESCA_PLACEMENT", placement, 1);
    MPI_Comm_dup(like, &comm);
    return comm;
}

static inline int
host_of(int r)
{
    const char *node_size = getenv("HESCA_NODE_SIZE");
    return r / (node_size == NULL ? 1 : atoi(node_size));
}

/* ------------------------------------------------ grids */

typedef struct {
    MPI_Comm comm;
    int ictxt, nprow, npcol;
    int process[MOST]; /* at each place, from the BLACS */
} grid_made;

/* Ask the BLACS for all places; collective over comm. */
static inline void
look(grid_made *g, const char *what)
{
    int nprow, npcol, prow, pcol, mine = -1, place[MOST], n, me;
    MPI_Comm_size(g->comm, &n);
    MPI_Comm_rank(g->comm, &me);
    if (g->ictxt >= 0) {
        Cblacs_gridinfo(g->ictxt, &nprow, &npcol, &prow, &pcol);
        CHECK(nprow == g->nprow && npcol == g->npcol && prow >= 0 &&
                  prow < nprow && pcol >= 0 && pcol < npcol,
              "%s: %d x %d is %d x %d, rank %d at (%d,%d)", what, g->nprow,
              g->npcol, nprow, npcol, me, prow, pcol);
        mine = prow * g->npcol + pcol;
        for (int k = 0; k < g->nprow * g->npcol; ++k) {
            const int pnum = Cblacs_pnum(g->ictxt, k / g->npcol, k % g->npcol);
            Cblacs_pcoord(g->ictxt, pnum, &prow, &pcol);
            CHECK(prow * g->npcol + pcol == k,
                  "%s: process %d is at (%d,%d), not at place %d", what, pnum,
                  prow, pcol, k);
        }
    }
    MPI_Allgather(&mine, 1, MPI_INT, place, 1, MPI_INT, g->comm);
    for (int k = 0; k < g->nprow * g->npcol; ++k) {
        int count = 0;
        for (int r = 0; r < n; ++r)
            if (place[r] == k) {
                g->process[k] = r;
                ++count;
            }
        CHECK(count == 1, "%s: %d processes at place %d of %d x %d", what,
              count, k, g->nprow, g->npcol);
    }
}

static inline grid_made
make_grid(MPI_Comm comm, const char *order, int nprow, int npcol,
          const char *what)
{
    grid_made g = {.comm = comm, .nprow = nprow, .npcol = npcol};
    g.ictxt = Csys2blacs_handle(comm);
    Cblacs_gridinit(&g.ictxt, order, nprow, npcol);
    look(&g, what);
    return g;
}

static inline grid_made
make_map(MPI_Comm comm, const int *process, int nprow, int npcol,
         const char *what)
{
    grid_made g = {.comm = comm, .nprow = nprow, .npcol = npcol};
    int map[MOST + 1] = {0};
    for (int p = 0; p < nprow; ++p)
        for (int q = 0; q < npcol; ++q)
            map[q * nprow + p] = process[p * npcol + q];
    g.ictxt = Csys2blacs_handle(comm);
    Cblacs_gridmap(&g.ictxt, map, nprow, nprow, npcol);
    look(&g, what);
    return g;
}

static inline void
drop(grid_made *g)
{
    if (g->ictxt >= 0)
        Cblacs_gridexit(g->ictxt);
}

/* A communicator has one handle, however often it is asked for. */
static inline void
release(MPI_Comm *comm)
{
    Cfree_blacs_system_handle(Csys2blacs_handle(*comm));
    MPI_Comm_free(comm);
}

static inline int
is_in_order(const grid_made *g, int by_columns)
{
    for (int p = 0; p < g->nprow; ++p)
        for (int q = 0; q < g->npcol; ++q)
            if (g->process[p * g->npcol + q] !=
                (by_columns ? q * g->nprow + p : p * g->npcol + q))
                return 0;
    return 1;
}

/* ------------------------------------------------ what is best */

/* Seconds of processes that are on their hosts. */
static inline double
seconds_of(const hesca_machine *m, const hesca_job *job, int nprow, int npcol,
           const int *process)
{
    int host[MOST];
    hesca_forecast f = {.seconds = INFINITY};
    for (int k = 0; k < nprow * npcol; ++k)
        host[k] = host_of(process[k]);
    hesca_forecast_make(m, job, nprow, npcol, host, &f);
    return f.seconds;
}

/* The least of all placements of n candidates, the first at place 0. */
static inline double
search(const hesca_machine *m, const hesca_job *job, int nprow, int npcol,
       int n, const int *candidate, int depth, int *process, unsigned used)
{
    double best = INFINITY;
    if (depth == nprow * npcol)
        return seconds_of(m, job, nprow, npcol, process);
    for (int k = 0; k < n; ++k) {
        if ((used >> k & 1) || (depth == 0 && k > 0))
            continue;
        process[depth] = candidate[k];
        best = fmin(best, search(m, job, nprow, npcol, n, candidate, depth + 1,
                                 process, used | 1u << k));
    }
    return best;
}

static const hesca_job job = {HESCA_ROUTINE_GEMM, 4000, 64};

static inline void
is_best(const grid_made *g, int n, const int *candidate, const char *what)
{
    hesca_machine m;
    int process[MOST];
    if (hesca_machine_read(machine_path, &m) < 0)
        abort();
    const double least =
        search(&m, &job, g->nprow, g->npcol, n, candidate, 0, process, 0);
    const double placed = seconds_of(&m, &job, g->nprow, g->npcol, g->process);
    CHECK(placed <= 1.05 * least,
          "%s: %d x %d of %d processes takes %g s, the best %g s", what,
          g->nprow, g->npcol, n, placed, least);
    CHECK(g->process[0] == candidate[0], "%s: %d at (0,0)", what,
          g->process[0]);
    hesca_machine_clear(&m);
}

static const int all[MOST] = {0, 1, 2, 3, 4, 5, 6, 7};

/* Grids that are left in order, with this reason. */
static inline void
in_order(const char *placement, const char *reason)
{
    MPI_Comm comm = fresh(MPI_COMM_WORLD, placement);
    const int nprow = size > 3 ? 2 : 1, npcol = size / nprow;
    int process[MOST], placed = -1;
    hesca_grid_info info;
    for (int c = 0; c < 2; ++c) {
        grid_made g = make_grid(comm, c ? "C" : "R", nprow, npcol, placement);
        CHECK(is_in_order(&g, c), "%s: not in order, %s", placement, reason);
        drop(&g);
    }
    const int err =
        hesca_grid_place(comm, nprow, npcol, NULL, 1, process, &info);
    if (err == HESCA_SUCCESS) {
        placed = info.placed;
        for (int k = 0; k < nprow * npcol; ++k)
            CHECK(process[k] == k, "%s: %d at %d", placement, process[k], k);
    }
    CHECK(placed == 0 && strstr(info.why, reason) != NULL,
          "%s: %d (%s), placed %d: '%s', not '%s'", placement, err,
          hesca_error_text(), placed, placed < 0 ? "" : info.why, reason);
    release(&comm);
}

/* The forced way to compute: HESCA_TEST_WAY, or HoHe. */
static inline const char *
forced_way(void)
{
    const char *way = getenv("HESCA_TEST_WAY");
    return way != NULL ? way : "hohe";
}

/* Begin: hosts of unequal speed. */
static inline void
begin(void)
{
    Cblacs_pinfo(&rank, &size);
    if (size < 3 || size > MOST) {
        if (rank == 0)
            printf("for 3 to %d processes\n", MOST);
        exit(77);
    }
    if (rank == 0 && (mkstemp(machine_path) < 0 || mkstemp(map_path) < 0))
        abort();
    MPI_Bcast(machine_path, sizeof machine_path, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(map_path, sizeof map_path, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HESCA_MACHINE", machine_path, 1);
    write_machine("node", unequal, "");
}

static inline void
remove_files(void)
{
    if (rank == 0) {
        unlink(machine_path);
        unlink(map_path);
    }
}

static inline int
end(const char *name)
{
    const int failed = check_done(name);
    remove_files();
    MPI_Finalize();
    return failed;
}

#endif
