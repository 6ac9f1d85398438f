/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Bsend waits for no process, nor does a message from or to MPI_PROC_NULL:
 * it is passed on, also because MPICH 4.0 returns another status in MPI_Wait.
 */
#include "shim/mpiwait/mpiwait.h"

#define SEND(name, start)                                                     \
    HESCA_MPIWAIT(name)                                                       \
    (const void *buf, int count, MPI_Datatype type, int dest, int tag,        \
     MPI_Comm comm)                                                           \
    {                                                                         \
        MPI_Request request;                                                  \
        if (HESCA_MPIWAIT_OFF || dest == MPI_PROC_NULL)                       \
            HESCA_MPIWAIT_PASS(hesca_mpiwait_original.name(buf, count, type,  \
                                                           dest, tag, comm)); \
        const int err = hesca_mpiwait_original.start(buf, count, type, dest,  \
                                                     tag, comm, &request);    \
        return err != MPI_SUCCESS                                             \
                   ? err                                                      \
                   : hesca_mpiwait_wait(&request, MPI_STATUS_IGNORE);         \
    }

SEND(Send, Isend)
SEND(Ssend, Issend)
SEND(Rsend, Irsend)

/* ------------------------------------------------ receiving */

typedef struct {
    int source, tag;
    MPI_Comm comm;
    MPI_Status status;
    int err;
} envelope;

static int
has_come(void *what)
{
    envelope *x = what;
    int flag = 0;
    x->err = PMPI_Iprobe(x->source, x->tag, x->comm, &flag, &x->status);
    return x->err != MPI_SUCCESS || flag;
}

/* Wait until there is a message. */
static int
await(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    envelope x = {.source = source, .tag = tag, .comm = comm};
    hesca_mpiwait_until(has_come, &x);
    *status = x.status;
    return x.err;
}

/* Whether a message is longer than so many elements. */
static int
is_cut(const MPI_Status *message, int count, MPI_Datatype type)
{
    MPI_Count bytes = 0, size = 0;
    PMPI_Get_elements_x(message, MPI_BYTE, &bytes);
    PMPI_Type_size_x(type, &size);
    return bytes > size * count;
}

/* The handler of a communicator, if it is predefined; else
 * MPI_ERRHANDLER_NULL. */
static MPI_Errhandler
predefined_handler(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(comm, &handler);
    if (handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN ||
        handler == MPI_ERRHANDLER_NULL)
        return handler;
    PMPI_Errhandler_free(&handler);
    return MPI_ERRHANDLER_NULL;
}

/* MPI_Recv reports an error to the communicator's handler, MPI_Test to that of
 * MPI_COMM_WORLD (MPICH 4.0): whether that makes no difference. */
static int
reports_alike(MPI_Comm comm)
{
    const MPI_Errhandler handler = predefined_handler(comm);
    return handler != MPI_ERRHANDLER_NULL &&
           (comm == MPI_COMM_WORLD ||
            handler == predefined_handler(MPI_COMM_WORLD));
}

/* A message that arrives before its receive is posted is copied once more, or
 * its handshake begins late: 15 % of the time of ScaLAPACK's Cholesky over
 * TCP.  So the receive is posted first, unless an error would be reported to
 * another handler than MPI_Recv's. */
static int
receive(void *buf, int count, MPI_Datatype type, int source, int tag,
        MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;
    MPI_Status message;
    int err, now = source == MPI_PROC_NULL || type == MPI_DATATYPE_NULL ||
                   count < 0 || comm == MPI_COMM_NULL;
    if (!now && !reports_alike(comm)) {
        err = await(source, tag, comm, &message);
        if (err != MPI_SUCCESS)
            return err;
        now = is_cut(&message, count, type);
    }
    if (now)
        return hesca_mpiwait_original.Recv(buf, count, type, source, tag, comm,
                                           status);
    err = hesca_mpiwait_original.Irecv(buf, count, type, source, tag, comm,
                                       &request);
    return err != MPI_SUCCESS ? err : hesca_mpiwait_wait(&request, status);
}

HESCA_MPIWAIT(Recv)
(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
 MPI_Status *status)
{
    if (HESCA_MPIWAIT_OFF)
        HESCA_MPIWAIT_PASS(hesca_mpiwait_original.Recv(
            buf, count, type, source, tag, comm, status));
    return receive(buf, count, type, source, tag, comm, status);
}

HESCA_MPIWAIT(Sendrecv)
(const void *out, int nout, MPI_Datatype out_type, int dest, int out_tag,
 void *in, int nin, MPI_Datatype in_type, int source, int in_tag,
 MPI_Comm comm, MPI_Status *status)
{
    MPI_Request sent = MPI_REQUEST_NULL;
    int flag, err;
    if (HESCA_MPIWAIT_OFF)
        HESCA_MPIWAIT_PASS(hesca_mpiwait_original.Sendrecv(
            out, nout, out_type, dest, out_tag, in, nin, in_type, source,
            in_tag, comm, status));
    /* Nothing is sent if there is no process to receive from. */
    err = PMPI_Iprobe(source, in_tag, comm, &flag, MPI_STATUS_IGNORE);
    if (err == MPI_SUCCESS)
        err = hesca_mpiwait_original.Isend(out, nout, out_type, dest, out_tag,
                                           comm, &sent);
    if (err != MPI_SUCCESS)
        return err;
    err = receive(in, nin, in_type, source, in_tag, comm, status);
    const int other = hesca_mpiwait_wait(&sent, MPI_STATUS_IGNORE);
    return err != MPI_SUCCESS ? err : other;
}

HESCA_MPIWAIT(Probe)(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status message;
    const int err =
        HESCA_MPIWAIT_OFF ? MPI_SUCCESS : await(source, tag, comm, &message);
    return err != MPI_SUCCESS
               ? err
               : hesca_mpiwait_original.Probe(source, tag, comm, status);
}

HESCA_MPIWAIT(Mprobe)
(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    MPI_Status first;
    const int err =
        HESCA_MPIWAIT_OFF ? MPI_SUCCESS : await(source, tag, comm, &first);
    return err != MPI_SUCCESS ? err
                              : hesca_mpiwait_original.Mprobe(
                                    source, tag, comm, message, status);
}
