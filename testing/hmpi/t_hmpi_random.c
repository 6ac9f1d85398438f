/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs of HMPI: groups by any parent, nested, freed, notified, met;
 * against a model of the members of all groups, which every process keeps. */
#include "hmpi.h"
#include "simple.c"
#include "testing/check.h"
#include <stdlib.h>
#include <string.h>

enum { PROCS = 32, GROUPS = 6 };

/* A group as all processes see it: size 0: none. */
typedef struct {
    HMPI_Group gid; /* of this process */
    int size, parent;
    int world[PROCS];
} group;

static int rank, nprocs, absorbs;
static group list[GROUPS];

static int
groups_of(int r)
{
    int n = 0;
    for (int k = 0; k < GROUPS; ++k)
        for (int j = 0; j < list[k].size; ++j)
            n += list[k].world[j] == r;
    return n;
}

static int
is_free(int r)
{
    return r != 0 && groups_of(r) == 0;
}

static int
count_free(void)
{
    int n = 0;
    for (int r = 0; r < nprocs; ++r)
        n += is_free(r);
    return n;
}

static int
pick_employed(void)
{
    int r = check_uniform(0, nprocs - 1);
    while (is_free(r))
        r = (r + 1) % nprocs;
    return r;
}

/* --- operations --- */

static void
check_member(const group *g)
{
    const HMPI_Group *gid = &g->gid;
    int numc, *coord = NULL, r, n;
    const MPI_Comm *comm = HMPI_Get_comm(gid);
    CHECK(comm != NULL, "a member has no communicator");
    if (comm == NULL)
        return;
    MPI_Comm_rank(*comm, &r);
    MPI_Comm_size(*comm, &n);
    CHECK(r == HMPI_Group_rank(gid) && n == HMPI_Group_size(gid),
          "rank %d of %d", r, n);
    CHECK(HMPI_Group_coordof(gid, &numc, &coord) == 0 && numc == 1 &&
              coord[0] == r && HMPI_Rank(gid, coord) == r,
          "coordinates of %d", r);
    free(coord);
    CHECK(HMPI_Group_topology(gid, &numc, &coord) == 0 && coord[0] == n,
          "extent of %d", n);
    free(coord);
    CHECK(HMPI_Coordof(gid, n, &numc, &coord) == HMPI_ERR_ARG, "rank %d", n);
    CHECK(!HMPI_Is_free() || rank == 0, "a member is free");
    CHECK(HMPI_Is_parent(gid) == (r == HMPI_Group_parent(gid)), "parent");
}

/* All processes learn the members of the group, and compare. */
static void
learn(group *g, int parent, int wanted, int err)
{
    int mine[2] = {HMPI_Group_rank(&g->gid), err}, all[PROCS][2], size = 0;
    const int places = count_free() + 1;
    MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < nprocs; ++r)
        if (all[r][0] != HMPI_UNDEFINED) {
            CHECK(is_free(r) || r == parent, "process %d was not free", r);
            CHECK(all[r][0] >= 0 && all[r][0] < wanted, "rank %d", all[r][0]);
            g->world[all[r][0]] = r;
            ++size;
        }
    CHECK(size == (wanted <= places ? wanted : 0),
          "%d members, not %d; %d places", size, wanted, places);
    for (int r = 0; r < nprocs; ++r)
        CHECK(all[r][1] ==
                  (r == parent && wanted > places ? HMPI_ERR_PROCESSES : 0),
              "process %d: %d", r, all[r][1]);
    CHECK(size == 0 || g->world[0] == parent, "the parent is %d, not %d",
          g->world[0], parent);
    g->size = size;
    g->parent = parent;
    absorbs = 1;
    if (HMPI_Is_member(&g->gid))
        check_member(g);
    CHECK(HMPI_Is_free() == is_free(rank), "free %d", HMPI_Is_free());
}

static void
create(group *g)
{
    const int parent = pick_employed(), wanted = check_uniform(1, nprocs + 1);
    int err = HMPI_SUCCESS;
    memset(&g->gid, 0x55, sizeof g->gid); /* as if never set */
    if (rank == parent)
        err = HMPI_Group_create(&g->gid, &HMPI_Model_simple, &wanted, 1);
    else if (HMPI_Is_free())
        err = HMPI_Group_create(&g->gid, &HMPI_Model_simple, NULL, 0);
    learn(g, parent, wanted, err);
}

static void
end(group *g)
{
    const int was = HMPI_Is_member(&g->gid);
    if (was)
        CHECK(HMPI_Group_free(&g->gid) == 0, "%s", hesca_error_text());
    if (was)
        absorbs = 0;
    CHECK(!HMPI_Is_member(&g->gid), "still a member");
    CHECK(HMPI_Group_free(&g->gid) == HMPI_UNDEFINED, "freed twice");
    g->size = 0;
    absorbs = 0;
    CHECK(HMPI_Is_free() == is_free(rank), "free %d", HMPI_Is_free());
    /* The registry has it before any member returns, but not before others
     * come here. */
    check_barrier(MPI_COMM_WORLD);
}

/* Free processes wait; the host's first call after a creation is absorbed. */
static void
release(void)
{
    if (HMPI_Is_free())
        CHECK(HMPI_Wait_free_processes() == 0, "%s", hesca_error_text());
    if (HMPI_Is_host()) {
        if (absorbs)
            CHECK(HMPI_Notify_free_processes() == 0, "absorbed");
        CHECK(HMPI_Notify_free_processes() == 0, "%s", hesca_error_text());
    } else {
        CHECK(HMPI_Notify_free_processes() == HMPI_ERR_ORDER, "not the host");
    }
    absorbs = 0;
    check_barrier(MPI_COMM_WORLD); /* the epilogue: HMPI 3.8.3 */
}

static void
meet(void)
{
    const group *g = &list[check_uniform(0, GROUPS - 1)];
    const int other = check_uniform(1, nprocs > 1 ? nprocs - 1 : 1);
    int takes_part = 0;
    if (nprocs == 1)
        return;
    if (g->size > 1 && check_uniform(0, 1)) {
        for (int k = 0; k < g->size; ++k)
            takes_part |= g->world[k] == rank;
        if (takes_part || rank == 0)
            CHECK(HMPI_Host_rendezvous(HMPI_Group_size(&g->gid)) == 0, "%s",
                  hesca_error_text());
    } else if (rank == other || rank == 0) {
        CHECK(HMPI_Host_rendezvous(1) == 0, "%s", hesca_error_text());
    }
    /* Of a group that it is not in the host cannot say which it is. */
    check_barrier(MPI_COMM_WORLD);
}

static void
ask(void)
{
    double speed[PROCS];
    const int wanted = check_uniform(1, nprocs + 1);
    const int asks = check_uniform(0, nprocs - 1) == rank;
    const double t = asks ? HMPI_Timeof(&HMPI_Model_simple, &wanted, 1) : 0;
    const int places = count_free() + 1;
    CHECK(!asks || (wanted <= places ? t > 0 : t < 0), "%g s for %d of %d", t,
          wanted, places);
    CHECK(!asks || HMPI_Get_number_of_free_processes() == count_free(),
          "%d free", count_free());
    CHECK(!asks || (HMPI_Get_processes_info(speed) == 0 && speed[rank] >= 1),
          "%s", hesca_error_text());
    check_barrier(MPI_COMM_WORLD);
}

static void
barrier(void)
{
    group *g = &list[check_uniform(0, GROUPS - 1)];
    const int err = HMPI_Barrier(&g->gid);
    CHECK(err == (HMPI_Is_member(&g->gid) ? 0 : HMPI_UNDEFINED), "%d", err);
}

static void
program(void)
{
    const int steps = check_uniform(1, 12);
    for (int k = 0; k < steps; ++k) {
        group *g = &list[check_uniform(0, GROUPS - 1)];
        switch (check_uniform(0, 5)) {
        case 0:
        case 1:
            if (g->size == 0)
                create(g);
            else
                end(g);
            break;
        case 2:
            release();
            break;
        case 3:
            meet();
            break;
        case 4:
            ask();
            break;
        default:
            barrier();
        }
    }
    for (int k = 0; k < GROUPS; ++k)
        if (list[k].size > 0)
            end(&list[k]);
    check_barrier(MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
    CHECK(HMPI_Barrier(HMPI_COMM_WORLD_GROUP) == HMPI_ERR_ORDER, "too early");
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS) {
        printf("%s\n", hesca_error_text());
        return 99;
    }
    check_state = check_seed(23);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    if (rank == 0)
        printf("seed %llu\n", (unsigned long long)check_state);
    for (int k = 0; k < check_cases(200); ++k)
        program();
    CHECK(HMPI_Init(argc, argv) == HMPI_ERR_ORDER, "twice");
    const int failed = check_done("hmpi/t_hmpi_random");
    return HMPI_Finalize(failed) == 0 ? failed : 1;
}
