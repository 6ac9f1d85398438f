#include "shim/polite.h"

/* MPI_Bsend waits for nobody. */
#define SEND(name, start)                                                     \
    HESCA_POLITE(name)                                                        \
    (const void *buf, int count, MPI_Datatype type, int dest, int tag,        \
     MPI_Comm comm)                                                           \
    {                                                                         \
        MPI_Request request;                                                  \
        if (HESCA_POLITE_OFF)                                                 \
            return hesca_polite_next.name(buf, count, type, dest, tag, comm); \
        const int err = hesca_polite_next.start(buf, count, type, dest, tag,  \
                                                comm, &request);              \
        return err != MPI_SUCCESS                                             \
                   ? err                                                      \
                   : hesca_polite_wait(&request, MPI_STATUS_IGNORE);          \
    }

SEND(Send, Isend)
SEND(Ssend, Issend)
SEND(Rsend, Irsend)

HESCA_POLITE(Recv)
(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
 MPI_Status *status)
{
    MPI_Request request;
    if (HESCA_POLITE_OFF)
        return hesca_polite_next.Recv(buf, count, type, source, tag, comm,
                                      status);
    const int err =
        hesca_polite_next.Irecv(buf, count, type, source, tag, comm, &request);
    return err != MPI_SUCCESS ? err : hesca_polite_wait(&request, status);
}

HESCA_POLITE(Sendrecv)
(const void *out, int nout, MPI_Datatype out_type, int dest, int out_tag,
 void *in, int nin, MPI_Datatype in_type, int source, int in_tag,
 MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request[2];
    if (HESCA_POLITE_OFF)
        return hesca_polite_next.Sendrecv(out, nout, out_type, dest, out_tag,
                                          in, nin, in_type, source, in_tag,
                                          comm, status);
    int err = hesca_polite_next.Irecv(in, nin, in_type, source, in_tag, comm,
                                      &request[0]);
    if (err != MPI_SUCCESS)
        return err;
    err = hesca_polite_next.Isend(out, nout, out_type, dest, out_tag, comm,
                                  &request[1]);
    if (err != MPI_SUCCESS) { /* then nothing is received either */
        hesca_polite_next.Cancel(&request[0]);
        hesca_polite_next.Wait(&request[0], MPI_STATUS_IGNORE);
        return err;
    }
    err = hesca_polite_wait(&request[1], MPI_STATUS_IGNORE);
    const int other = hesca_polite_wait(&request[0], status);
    return err != MPI_SUCCESS ? err : other;
}

/* ------------------------------------------------ probes */

typedef struct {
    int source, tag;
    MPI_Comm comm;
} envelope;

/* An error ends the wait: it is for the blocking call to tell. */
static int
has_come(void *what)
{
    const envelope *x = what;
    int flag = 0;
    return PMPI_Iprobe(x->source, x->tag, x->comm, &flag, MPI_STATUS_IGNORE) !=
               MPI_SUCCESS ||
           flag;
}

HESCA_POLITE(Probe)(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    if (!HESCA_POLITE_OFF)
        hesca_wait_until(has_come, &(envelope){source, tag, comm});
    return hesca_polite_next.Probe(source, tag, comm, status);
}

HESCA_POLITE(Mprobe)
(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    if (!HESCA_POLITE_OFF)
        hesca_wait_until(has_come, &(envelope){source, tag, comm});
    return hesca_polite_next.Mprobe(source, tag, comm, message, status);
}
