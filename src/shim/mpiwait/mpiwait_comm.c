/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: which ones are known, and the calls that make them.
 *
 * Known ones carry an attribute.  MPI has a nonblocking twin of MPI_Comm_dup
 * only; before the others all meet in a yielding barrier, so that none has to
 * wait for a process that comes late. */
#include "shim/mpiwait/mpiwait.h"

static int key = MPI_KEYVAL_INVALID;

int
hesca_mpiwait_knows(MPI_Comm comm)
{
    void *value;
    int flag = 0;
    if (comm == MPI_COMM_NULL || key == MPI_KEYVAL_INVALID)
        return 0;
    PMPI_Comm_get_attr(comm, key, &value, &flag);
    return flag;
}

static void
know(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_set_attr(comm, key, NULL);
}

/* Open MPI's Fortran names pass by this library, and a process may use them in
 * a call in which others use C's: there collective calls on MPI_COMM_WORLD are
 * left alone.  ScaLAPACK's own communicators are used from C only. */
void
hesca_mpiwait_know_world(void)
{
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN,
                            &key, NULL);
#ifndef OPEN_MPI
    know(MPI_COMM_WORLD);
#endif
}

void
hesca_mpiwait_forget(void)
{
    PMPI_Comm_free_keyval(&key);
}

/* Whether what is made of a communicator will be known. */
static int
is_parent(MPI_Comm comm, const char *where)
{
    if (comm == MPI_COMM_WORLD)
        hesca_mpiwait_decide(where);
    return !HESCA_MPIWAIT_OFF &&
           (comm == MPI_COMM_WORLD || hesca_mpiwait_knows(comm));
}

static int
meet(MPI_Comm comm)
{
    MPI_Request request;
    if (!hesca_mpiwait_knows(comm))
        return MPI_SUCCESS;
    const int err = PMPI_Ibarrier(comm, &request);
    return err != MPI_SUCCESS ? err : hesca_mpiwait_finish(&request);
}

/* Make *made of comm by a blocking call. */
#define MAKE(name, params, ...)                                               \
    HESCA_MPIWAIT(name) params                                                \
    {                                                                         \
        if (!is_parent(comm, "MPI_" #name))                                   \
            return hesca_mpiwait_original.name(__VA_ARGS__);                  \
        int err = meet(comm);                                                 \
        if (err == MPI_SUCCESS)                                               \
            err = hesca_mpiwait_original.name(__VA_ARGS__);                   \
        if (err == MPI_SUCCESS)                                               \
            know(*made);                                                      \
        return err;                                                           \
    }

MAKE(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), comm,
     group, made)
MAKE(Comm_split, (MPI_Comm comm, int colour, int order, MPI_Comm *made), comm,
     colour, order, made)
MAKE(Comm_split_type,
     (MPI_Comm comm, int type, int order, MPI_Info info, MPI_Comm *made), comm,
     type, order, info, made)
MAKE(Cart_create,
     (MPI_Comm comm, int ndims, const int dims[], const int periods[],
      int reorder, MPI_Comm *made),
     comm, ndims, dims, periods, reorder, made)
MAKE(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), comm,
     remain, made)

/* Some processes of comm call it, so that they cannot meet before it. */
HESCA_MPIWAIT(Comm_create_group)
(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
    const int is_known = !HESCA_MPIWAIT_OFF && hesca_mpiwait_knows(comm);
    const int err =
        hesca_mpiwait_original.Comm_create_group(comm, group, tag, made);
    if (err == MPI_SUCCESS && is_known)
        know(*made);
    return err;
}

HESCA_MPIWAIT(Comm_dup)(MPI_Comm comm, MPI_Comm *made)
{
    MPI_Request request;
    int err;
    if (!is_parent(comm, "MPI_Comm_dup"))
        return hesca_mpiwait_original.Comm_dup(comm, made);
    if (hesca_mpiwait_knows(comm)) {
        err = hesca_mpiwait_original.Comm_idup(comm, made, &request);
        if (err == MPI_SUCCESS)
            err = hesca_mpiwait_wait(&request, MPI_STATUS_IGNORE);
    } else {
        err = hesca_mpiwait_original.Comm_dup(comm, made);
    }
    if (err == MPI_SUCCESS)
        know(*made);
    return err;
}
