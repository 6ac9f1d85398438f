/* SPDX-License-Identifier: BSD-3-Clause */
/* Each collective call has a nonblocking twin of the same arguments, which the
 * request follows. */
#include "shim/mpiwait/mpiwait.h"

#define COLLECTIVE(name, start, params, ...)                                  \
    HESCA_MPIWAIT(name) params                                                \
    {                                                                         \
        MPI_Request request;                                                  \
        if (HESCA_MPIWAIT_OFF || !hesca_mpiwait_knows(comm))                  \
            HESCA_MPIWAIT_PASS(hesca_mpiwait_original.name(__VA_ARGS__));     \
        const int err = hesca_mpiwait_original.start(__VA_ARGS__, &request);  \
        return err != MPI_SUCCESS                                             \
                   ? err                                                      \
                   : hesca_mpiwait_wait(&request, MPI_STATUS_IGNORE);         \
    }

/* The arguments in words: what is sent, what is received, how it is summed. */
#define OUT const void *out, int nout, MPI_Datatype out_type
#define IN void *in, int nin, MPI_Datatype in_type
#define OUTS const void *out, const int nout[], const int out_at[]
#define INS void *in, const int nin[], const int in_at[]
#define SUM MPI_Datatype type, MPI_Op op

COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), comm)
COLLECTIVE(Bcast, Ibcast, (IN, int root, MPI_Comm comm), in, nin, in_type,
           root, comm)
COLLECTIVE(Gather, Igather, (OUT, IN, int root, MPI_Comm comm), out, nout,
           out_type, in, nin, in_type, root, comm)
COLLECTIVE(Gatherv, Igatherv,
           (OUT, INS, MPI_Datatype in_type, int root, MPI_Comm comm), out,
           nout, out_type, in, nin, in_at, in_type, root, comm)
COLLECTIVE(Scatter, Iscatter, (OUT, IN, int root, MPI_Comm comm), out, nout,
           out_type, in, nin, in_type, root, comm)
COLLECTIVE(Scatterv, Iscatterv,
           (OUTS, MPI_Datatype out_type, IN, int root, MPI_Comm comm), out,
           nout, out_at, out_type, in, nin, in_type, root, comm)
COLLECTIVE(Allgather, Iallgather, (OUT, IN, MPI_Comm comm), out, nout,
           out_type, in, nin, in_type, comm)
COLLECTIVE(Allgatherv, Iallgatherv,
           (OUT, INS, MPI_Datatype in_type, MPI_Comm comm), out, nout,
           out_type, in, nin, in_at, in_type, comm)
COLLECTIVE(Alltoall, Ialltoall, (OUT, IN, MPI_Comm comm), out, nout, out_type,
           in, nin, in_type, comm)
COLLECTIVE(Alltoallv, Ialltoallv,
           (OUTS, MPI_Datatype out_type, INS, MPI_Datatype in_type,
            MPI_Comm comm),
           out, nout, out_at, out_type, in, nin, in_at, in_type, comm)
COLLECTIVE(Alltoallw, Ialltoallw,
           (OUTS, const MPI_Datatype out_types[], INS,
            const MPI_Datatype in_types[], MPI_Comm comm),
           out, nout, out_at, out_types, in, nin, in_at, in_types, comm)
COLLECTIVE(Reduce, Ireduce,
           (const void *out, void *in, int n, SUM, int root, MPI_Comm comm),
           out, in, n, type, op, root, comm)
COLLECTIVE(Allreduce, Iallreduce,
           (const void *out, void *in, int n, SUM, MPI_Comm comm), out, in, n,
           type, op, comm)
COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *out, void *in, const int n[], SUM, MPI_Comm comm), out,
           in, n, type, op, comm)
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
           (const void *out, void *in, int n, SUM, MPI_Comm comm), out, in, n,
           type, op, comm)
COLLECTIVE(Scan, Iscan, (const void *out, void *in, int n, SUM, MPI_Comm comm),
           out, in, n, type, op, comm)
COLLECTIVE(Exscan, Iexscan,
           (const void *out, void *in, int n, SUM, MPI_Comm comm), out, in, n,
           type, op, comm)
