/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/window.h
 * Shared memory between the processes of a node: an MPI-3 window of channels,
 * one per direction for every pair.
 *
 * A window belongs to a set of processes, not to a communicator: any
 * communicator the node's processes of which are among them uses it, so that
 * contexts are created and freed without a new window. Freeing a window is
 * collective over its processes, which would make MPI_Comm_free() and
 * BLACS_GRIDEXIT wait for each other, in whatever order a program calls them;
 * so windows are freed in MPI_Finalize.  All windows of a process together
 * have at most half of HESCA_BUFFER.
 *
 * A channel has one sender and one receiver, and carries the records of one
 * call after the other.  Under MPI_THREAD_MULTIPLE several communicators may
 * be in a call at the same time, so there a window serves one communicator at
 * a time; when that communicator is freed, another one can use the window. */
#ifndef HESCA_EXEC_WINDOW_H
#define HESCA_EXEC_WINDOW_H

#include "exec/channel.h"
#include "exec/comm.h"

/** Chunks that a ring must hold, so that its two ends do not wait for each
 * other. */
enum { HESCA_CHUNKS_LEAST = 4 };

struct hesca_window {
    MPI_Win mpi;
    int n, me;               /* processes, and this one */
    uint64_t *id;            /* [n] ids of the processes, see hesca_node */
    size_t bytes;            /* of the segment of each process */
    char *base;              /* the segment of this process */
    hesca_channel *out, *in; /* [n] to and from the others */
    size_t chunk;            /* most bytes of a chunk */
    char *scratch;           /* private memory for one chunk */
    int64_t serial;          /* among the windows made by process id[0] */
    int is_single;           /* it serves one communicator at a time */
    const hesca_comm *user;  /* that communicator, or NULL */
    struct hesca_window *next;
};

/** Attach c to the window of this node, creating one if none fits and it pays.
 * c->window stays NULL if no other process shares the node or MPI provides no
 * shared window. c->settled says whether that is final.
 *
 * Collective over c.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_window_attach(hesca_comm *c);

/** Detach c from its window. Local. */
void hesca_window_detach(hesca_comm *c);

/** Free all windows; in MPI_Finalize. */
void hesca_windows_free(void);

/** Number of windows of this process, for tests. */
int hesca_windows_count(void);

#endif
