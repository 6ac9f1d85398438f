/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups that this process is in, and what is asked of them.  A handle is
 * looked up by its number, so that one that was never set, or whose group has
 * been freed, has no members. */
#include "base/status.h"
#include "hesca/experimental/grid.h"
#include "hmpi/hmpi_state.h"
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x484d5049 }; /* "HMPI" */

static const HMPI_Group predefined[] = {
    {MAGIC, -1}, {MAGIC, -2}, {MAGIC, -3}, {MAGIC, -4}};
const HMPI_Group *const HMPI_COMM_WORLD_GROUP = &predefined[0];
const HMPI_Group *const HMPI_PROC_WORLD_GROUP = &predefined[1];
const HMPI_Group *const HMPI_HOST_GROUP = &predefined[2];
const HMPI_Group *const HMPI_FREE_GROUP = &predefined[3];

/* --- the table --- */

hesca_hmpi_group *
hesca_hmpi_group_find(const HMPI_Group *gid)
{
    if (gid == NULL || gid->magic != MAGIC)
        return NULL;
    for (hesca_hmpi_group *g = hesca_hmpi.group; g != NULL; g = g->next)
        if (g->id == gid->id)
            return g;
    return NULL;
}

static void
group_free(hesca_hmpi_group *g)
{
    if (g == NULL)
        return;
    free(g->world);
    free(g->dims);
    free(g->number);
    free(g->position);
    free(g);
}

static hesca_hmpi_group *
group_create(int size, int ndims, int npositions)
{
    hesca_hmpi_group *g = calloc(1, sizeof *g);
    if (g != NULL) {
        g->comm = MPI_COMM_NULL;
        g->size = size;
        g->ndims = ndims;
        g->world = calloc((size_t)size, sizeof *g->world);
        g->dims = calloc((size_t)ndims, sizeof *g->dims);
        g->number = calloc((size_t)npositions, sizeof *g->number);
        g->position = calloc((size_t)size, sizeof *g->position);
    }
    if (g != NULL && g->world != NULL && g->dims != NULL &&
        g->number != NULL && g->position != NULL)
        return g;
    group_free(g);
    hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: a group of %d processes", size);
    return NULL;
}

static void
enter(hesca_hmpi_group *g)
{
    g->next = hesca_hmpi.group;
    hesca_hmpi.group = g;
}

/* --- groups that are always there ---
 * They have one coordinate; process 0 is their parent. */

static int
add_predefined(const HMPI_Group *gid, MPI_Comm comm)
{
    int size;
    PMPI_Comm_size(comm, &size);
    hesca_hmpi_group *g = group_create(size, 1, size);
    if (g == NULL)
        return HESCA_ERR_NOMEM;
    PMPI_Comm_rank(comm, &g->rank);
    g->id = gid->id;
    g->comm = comm;
    g->dims[0] = size;
    for (int k = 0; k < size; ++k)
        g->number[k] = g->position[k] = k;
    enter(g);
    return HESCA_SUCCESS;
}

int
hesca_hmpi_groups_begin(void)
{
    const int *processor = hesca_hmpi.network.processor;
    int err;
    HESCA_TRY(err, add_predefined(HMPI_COMM_WORLD_GROUP, HMPI_COMM_WORLD));
    for (int k = 0; k < hesca_hmpi.nprocs; ++k)
        hesca_hmpi.group->world[k] = k;
    if (HMPI_PROC_WORLD != MPI_COMM_NULL) {
        HESCA_TRY(err, add_predefined(HMPI_PROC_WORLD_GROUP, HMPI_PROC_WORLD));
        for (int k = 0; k < hesca_hmpi.nprocs; ++k)
            if (processor[k] >= 0)
                hesca_hmpi.group->world[processor[k]] = k;
    }
    if (hesca_hmpi.rank == 0)
        err = add_predefined(HMPI_HOST_GROUP, MPI_COMM_SELF);
fail:
    return err;
}

void
hesca_hmpi_groups_end(void)
{
    while (hesca_hmpi.group != NULL) {
        hesca_hmpi_group *g = hesca_hmpi.group;
        hesca_hmpi.group = g->next;
        group_free(g);
    }
}

/* --- groups that are created ---
 * Their bytes are ints: size, world[size], parent, ndims, dims[ndims],
 * npositions, number[npositions]. */

int
hesca_hmpi_group_format(const hesca_instance *x, const int *world,
                        char **bytes, size_t *n)
{
    const size_t size = (size_t)x->nvps, ndims = (size_t)x->ndims;
    const size_t npositions = (size_t)x->npositions;
    *n = (size + ndims + npositions + 4) * sizeof(int32_t);
    int32_t *list = malloc(*n), *at = list;
    *bytes = (char *)list;
    if (list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: a group of %d processes",
                          x->nvps);
    *at++ = x->nvps;
    for (size_t k = 0; k < size; ++k)
        *at++ = world[k];
    *at++ = x->parent;
    *at++ = x->ndims;
    for (size_t k = 0; k < ndims; ++k)
        *at++ = x->dims[k];
    *at++ = x->npositions;
    for (size_t k = 0; k < npositions; ++k)
        *at++ = x->number[k];
    return HESCA_SUCCESS;
}

/* The parent is one of this program's processes: its bytes are as above. */
static hesca_hmpi_group *
parse(const char *bytes, size_t n)
{
    const int32_t *at = (const int32_t *)(const void *)bytes;
    const int32_t size = at[0], ndims = at[size + 2];
    const int32_t npositions = at[size + ndims + 3];
    if (n !=
        ((size_t)size + (size_t)ndims + (size_t)npositions + 4) * sizeof *at) {
        hesca_fail(HESCA_ERR_MPI, 0, "hmpi: %zu bytes of a group", n);
        return NULL;
    }
    hesca_hmpi_group *g = group_create(size, ndims, npositions);
    if (g == NULL)
        return NULL;
    g->rank = -1;
    ++at;
    for (int k = 0; k < size; ++k) {
        g->world[k] = *at++;
        if (g->world[k] == hesca_hmpi.rank)
            g->rank = k;
    }
    g->parent = *at++;
    ++at;
    for (int k = 0; k < ndims; ++k)
        g->dims[k] = *at++;
    ++at;
    for (int k = 0; k < npositions; ++k) {
        g->number[k] = *at++;
        if (g->number[k] >= 0)
            g->position[g->number[k]] = k;
    }
    return g;
}

/* Tools that count calls see how the program's communicators are made. */
static int
make_comm(hesca_hmpi_group *g)
{
    MPI_Group all, some = MPI_GROUP_NULL;
    int err = HESCA_SUCCESS;
    PMPI_Comm_group(HMPI_COMM_WORLD, &all);
    if (PMPI_Group_incl(all, g->size, g->world, &some) != MPI_SUCCESS ||
        MPI_Comm_create_group(HMPI_COMM_WORLD, some, (int)(g->id % 30000),
                              &g->comm) != MPI_SUCCESS)
        err = hesca_fail(HESCA_ERR_MPI, 0,
                         "hmpi: MPI_Comm_create_group of %d "
                         "processes failed",
                         g->size);
    if (some != MPI_GROUP_NULL)
        PMPI_Group_free(&some);
    PMPI_Group_free(&all);
    return err < 0 ? err : hesca_grid_keep_order(g->comm);
}

int
hesca_hmpi_group_join(HMPI_Group *gid, long long id, const char *bytes,
                      size_t n)
{
    hesca_hmpi_group *g = parse(bytes, n);
    if (g == NULL)
        return hesca_failure_get()->err;
    g->id = id;
    const int err = make_comm(g);
    if (err < 0) {
        group_free(g);
        return err;
    }
    enter(g);
    *gid = (HMPI_Group){MAGIC, id};
    hesca_hmpi_debug("process %d has rank %d of %d in group %lld",
                     hesca_hmpi.rank, g->rank, g->size, id);
    return HESCA_SUCCESS;
}

/* A member that returns must be free for the registry, too: the parent comes
 * to the barrier when that is so. */
int
HMPI_Group_free(const HMPI_Group *gid)
{
    hesca_hmpi_group *g = hesca_hmpi_group_find(gid), **at = &hesca_hmpi.group;
    MPI_Request request;
    int err = hesca_hmpi_check_on("HMPI_Group_free");
    if (err < 0)
        return err;
    if (g == NULL)
        return HMPI_UNDEFINED;
    if (g->id < 0)
        return hesca_fail(HESCA_ERR_ARG, 1,
                          "HMPI_Group_free: argument 1, gid, is a group that "
                          "exists always");
    if (g->rank == g->parent)
        HESCA_TRY(err, hesca_hmpi_ask_done("HMPI_Group_free", HESCA_HMPI_FREE,
                                           g->id, NULL, 0));
    PMPI_Ibarrier(g->comm, &request);
    HESCA_TRY(err, hesca_hmpi_wait_mpi(&request));
    MPI_Comm_free(&g->comm);
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    group_free(g);
fail:
    return err;
}

/* --- queries --- */

int
HMPI_Group_rank(const HMPI_Group *gid)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g != NULL ? g->rank : HMPI_UNDEFINED;
}

int
HMPI_Group_size(const HMPI_Group *gid)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g != NULL ? g->size : HMPI_UNDEFINED;
}

int
HMPI_Group_parent(const HMPI_Group *gid)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g != NULL ? g->parent : HMPI_UNDEFINED;
}

int
HMPI_Group_topo_size(const HMPI_Group *gid)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g != NULL ? g->ndims : HMPI_UNDEFINED;
}

/* A copy of n ints, or the coordinates of a row-major position. */
static int
give(const char *routine, const hesca_hmpi_group *g, int position, int *numc,
     int **coordinates)
{
    if (numc == NULL)
        return hesca_fail_null(routine, 2, "numc");
    if (coordinates == NULL)
        return hesca_fail_null(routine, 3, "coordinates");
    int *x = malloc((size_t)g->ndims * sizeof *x);
    if (x == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d coordinates", routine,
                          g->ndims);
    for (int k = g->ndims - 1; k >= 0; --k) {
        x[k] = position < 0 ? g->dims[k] : position % g->dims[k];
        position = position < 0 ? position : position / g->dims[k];
    }
    *numc = g->ndims;
    coordinates[0] = x;
    return HMPI_SUCCESS;
}

int
HMPI_Group_topology(const HMPI_Group *gid, int *numc, int **coordinates)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g != NULL ? give("HMPI_Group_topology", g, -1, numc, coordinates)
                     : HMPI_UNDEFINED;
}

int
HMPI_Group_coordof(const HMPI_Group *gid, int *numc, int **coordinates)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g != NULL ? give("HMPI_Group_coordof", g, g->position[g->rank],
                            numc, coordinates)
                     : HMPI_UNDEFINED;
}

int
HMPI_Coordof(const HMPI_Group *gid, int rank, int *numc, int **coordinates)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    if (g == NULL)
        return HMPI_UNDEFINED;
    if (rank < 0 || rank >= g->size)
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "HMPI_Coordof: argument 2, rank, is %d: must be 0 "
                          "... %d",
                          rank, g->size - 1);
    return give("HMPI_Coordof", g, g->position[rank], numc, coordinates);
}

int
HMPI_Rank(const HMPI_Group *gid, const int *coordinates)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    int at = 0;
    if (g == NULL)
        return HMPI_UNDEFINED;
    if (coordinates == NULL)
        return hesca_fail_null("HMPI_Rank", 2, "coordinates");
    for (int k = 0; k < g->ndims; ++k) {
        if (coordinates[k] < 0 || coordinates[k] >= g->dims[k])
            return HMPI_UNDEFINED;
        at = at * g->dims[k] + coordinates[k];
    }
    return g->number[at] >= 0 ? g->number[at] : HMPI_UNDEFINED;
}

const MPI_Comm *
HMPI_Get_comm(const HMPI_Group *gid)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g != NULL ? &g->comm : NULL;
}

int
HMPI_Get_fortran_comm(const HMPI_Group *gid)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return (int)PMPI_Comm_c2f(g != NULL ? g->comm : MPI_COMM_NULL);
}

/* --- predicates --- */

unsigned char
HMPI_Is_host(void)
{
    return hesca_hmpi.phase == HESCA_HMPI_ON && hesca_hmpi.rank == 0;
}

unsigned char
HMPI_Is_parent(const HMPI_Group *gid)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    return g != NULL && g->rank == g->parent;
}

unsigned char
HMPI_Is_member(const HMPI_Group *gid)
{
    if (gid != NULL && gid->magic == MAGIC && gid->id == HMPI_FREE_GROUP->id)
        return HMPI_Is_free();
    return hesca_hmpi_group_find(gid) != NULL;
}

unsigned char
HMPI_Is_free(void)
{
    if (hesca_hmpi.phase != HESCA_HMPI_ON || hesca_hmpi.rank == 0)
        return 0;
    for (const hesca_hmpi_group *g = hesca_hmpi.group; g != NULL; g = g->next)
        if (g->id > 0)
            return 0;
    return 1;
}

/* --- meetings --- */

int
HMPI_Barrier(const HMPI_Group *gid)
{
    const hesca_hmpi_group *g = hesca_hmpi_group_find(gid);
    MPI_Request request;
    const int err = hesca_hmpi_check_on("HMPI_Barrier");
    if (err < 0)
        return err;
    if (g == NULL)
        return HMPI_UNDEFINED;
    if (PMPI_Ibarrier(g->comm, &request) != MPI_SUCCESS)
        return hesca_fail(HESCA_ERR_MPI, 0,
                          "HMPI_Barrier: MPI_Ibarrier "
                          "failed");
    return hesca_hmpi_wait_mpi(&request);
}
