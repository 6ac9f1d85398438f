/** \file exec/window.h
 * Shared memory between the processes of a node: an MPI-3 window of channels,
 * one each way for every pair.
 *
 * A window belongs to a set of processes, not to a communicator: any
 * communicator whose processes of the node are among them uses it, so that
 * contexts come and go without a new one.  To free a window takes all its
 * processes, which would make MPI_Comm_free() and BLACS_GRIDEXIT wait for each
 * other, in whatever order a program calls them; so windows are freed in
 * MPI_Finalize.  All windows of a process together have at most half of
 * HESCA_BUFFER.
 *
 * A channel has one sender and one receiver, and carries the records of one
 * call after the other.  Under MPI_THREAD_MULTIPLE several communicators may
 * be in a call at the same time, so there a window serves one communicator at
 * a time; when that is freed another one can have it. */
#ifndef HESCA_EXEC_WINDOW_H
#define HESCA_EXEC_WINDOW_H

#include "exec/channel.h"
#include "exec/comm.h"

/** Chunks that a ring has to hold, lest both ends wait for each other. */
enum { HESCA_CHUNKS_LEAST = 4 };

struct hesca_window {
    MPI_Win mpi;
    int n, me;               /* processes, this one among them */
    uint64_t *id;            /* [n] who they are, see hesca_seat */
    size_t bytes;            /* of the segment of each process */
    char *base;              /* the own segment */
    hesca_channel *out, *in; /* [n] to and from the others */
    size_t chunk;            /* most bytes of a chunk, */
    char *scratch;           /* and private memory for one */
    int64_t serial;          /* of the windows that process id[0] has made */
    int is_single;           /* it serves one communicator at a time, */
    const hesca_comm *user;  /* this one, or none */
    struct hesca_window *next;
};

/** Give c the window of this node, creating one if none fits and that is worth
 * it; c->window stays NULL where there is nobody to share with or MPI cannot.
 * c->settled tells if that is final.
 *
 * Collective over c.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_window_attach(hesca_comm *c);

/** c needs its window no more.  Local. */
void hesca_window_detach(hesca_comm *c);

/** Free all windows; in MPI_Finalize. */
void hesca_windows_free(void);

/** How many this process has, for tests. */
int hesca_windows_count(void);

#endif
