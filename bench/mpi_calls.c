/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI of the BLACS: calls that may wait arrive here first, are counted as
 * waiting, and are passed on.  HESCA's own waits are known to base/activity.h.
 */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include "base/activity.h"
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* The function of a name behind the program. */
static void
find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort();
    memcpy(function, &found, sizeof found);
}

#define PASS_ON(name, declared, arguments)                                    \
    int name declared                                                         \
    {                                                                         \
        static __typeof__(&name) original;                                    \
        if (original == NULL)                                                 \
            find(#name, &original);                                           \
        const hesca_activity before =                                         \
            hesca_activity_enter(HESCA_ACTIVITY_WAITING);                     \
        const int err = original arguments;                                   \
        hesca_activity_leave(before);                                         \
        return err;                                                           \
    }

PASS_ON(MPI_Send,
        (const void *at, int n, MPI_Datatype type, int dest, int tag,
         MPI_Comm comm),
        (at, n, type, dest, tag, comm))
PASS_ON(MPI_Rsend,
        (const void *at, int n, MPI_Datatype type, int dest, int tag,
         MPI_Comm comm),
        (at, n, type, dest, tag, comm))
PASS_ON(MPI_Isend,
        (const void *at, int n, MPI_Datatype type, int dest, int tag,
         MPI_Comm comm, MPI_Request *request),
        (at, n, type, dest, tag, comm, request))
PASS_ON(MPI_Recv,
        (void *at, int n, MPI_Datatype type, int source, int tag,
         MPI_Comm comm, MPI_Status *status),
        (at, n, type, source, tag, comm, status))
PASS_ON(MPI_Sendrecv,
        (const void *out, int nout, MPI_Datatype outtype, int dest, int outtag,
         void *in, int nin, MPI_Datatype intype, int source, int intag,
         MPI_Comm comm, MPI_Status *status),
        (out, nout, outtype, dest, outtag, in, nin, intype, source, intag,
         comm, status))
PASS_ON(MPI_Waitall, (int n, MPI_Request *request, MPI_Status *status),
        (n, request, status))
PASS_ON(MPI_Testall,
        (int n, MPI_Request *request, int *flag, MPI_Status *status),
        (n, request, flag, status))
PASS_ON(MPI_Bcast,
        (void *at, int n, MPI_Datatype type, int root, MPI_Comm comm),
        (at, n, type, root, comm))
PASS_ON(MPI_Reduce,
        (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op,
         int root, MPI_Comm comm),
        (in, out, n, type, op, root, comm))
PASS_ON(MPI_Allreduce,
        (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op,
         MPI_Comm comm),
        (in, out, n, type, op, comm))
PASS_ON(MPI_Barrier, (MPI_Comm comm), (comm))
