/* SPDX-License-Identifier: BSD-3-Clause */
/* PMPI functions, which libhesca calls, in front of MPI's own; they count the
 * communicators and the windows that a process creates and frees; on request
 * they create no window. For one file of a program. */
#ifndef HESCA_TESTING_COUNT_H
#define HESCA_TESTING_COUNT_H

#include <mpi.h>

static long count_created, count_freed; /* communicators */
static long count_opened, count_closed; /* windows */
static int count_refuse;                /* to create a window */

static inline int
count(int err, MPI_Comm comm)
{
    count_created += err == MPI_SUCCESS && comm != MPI_COMM_NULL;
    return err;
}

int
PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *result)
{
    const int err = MPI_Comm_dup(comm, result);
    return count(err, *result);
}

int
PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *result)
{
    const int err = MPI_Comm_dup_with_info(comm, info, result);
    return count(err, *result);
}

int
PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *result, MPI_Request *request)
{
    const int err = MPI_Comm_idup(comm, result, request);
    return count(err, comm); /* the result is not valid yet */
}

int
PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *result)
{
    const int err = MPI_Comm_create(comm, group, result);
    return count(err, *result);
}

int
PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag,
                       MPI_Comm *result)
{
    const int err = MPI_Comm_create_group(comm, group, tag, result);
    return count(err, *result);
}

int
PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *result)
{
    const int err = MPI_Comm_split(comm, color, key, result);
    return count(err, *result);
}

int
PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                     MPI_Comm *result)
{
    const int err = MPI_Comm_split_type(comm, type, key, info, result);
    return count(err, *result);
}

int
PMPI_Cart_create(MPI_Comm comm, int ndims, const int dims[],
                 const int periods[], int reorder, MPI_Comm *result)
{
    const int err =
        MPI_Cart_create(comm, ndims, dims, periods, reorder, result);
    return count(err, *result);
}

int
PMPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm *result)
{
    const int err = MPI_Cart_sub(comm, remain, result);
    return count(err, *result);
}

int
PMPI_Graph_create(MPI_Comm comm, int nnodes, const int index[],
                  const int edges[], int reorder, MPI_Comm *result)
{
    const int err =
        MPI_Graph_create(comm, nnodes, index, edges, reorder, result);
    return count(err, *result);
}

int
PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree,
                                const int sources[], const int sweights[],
                                int outdegree, const int dests[],
                                const int dweights[], MPI_Info info,
                                int reorder, MPI_Comm *result)
{
    const int err = MPI_Dist_graph_create_adjacent(
        comm, indegree, sources, sweights, outdegree, dests, dweights, info,
        reorder, result);
    return count(err, *result);
}

int
PMPI_Comm_free(MPI_Comm *comm)
{
    ++count_freed;
    return MPI_Comm_free(comm);
}

int
PMPI_Comm_disconnect(MPI_Comm *comm)
{
    ++count_freed;
    return MPI_Comm_disconnect(comm);
}

int
PMPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                         void *base, MPI_Win *win)
{
    if (count_refuse)
        return MPI_ERR_OTHER;
    ++count_opened;
    return MPI_Win_allocate_shared(size, unit, info, comm, base, win);
}

int
PMPI_Win_free(MPI_Win *win)
{
    ++count_closed;
    return MPI_Win_free(win);
}

#endif
