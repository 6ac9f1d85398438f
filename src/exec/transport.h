/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/transport.h
 * The transports of the messages of one execution.
 *
 * Each transport is a flow: it begins, makes some progress at each call, and
 * completes. exchange.c drives all flows, so that a plan can choose one per
 * destination. A flow never waits. */
#ifndef HESCA_EXEC_TRANSPORT_H
#define HESCA_EXEC_TRANSPORT_H

#include "exec/plan.h"

/** The first message that a flow waits for. */
typedef struct {
    int step; /* nsteps if the flow is complete */
    int rank; /* of the peer */
    int sending;
} hesca_awaited;

/** One direction of the MPI flow: a cursor over (step, chunk), and the chunks
 * in flight. */
typedef struct {
    const hesca_plan *plan;
    const hesca_arrays *arrays;
    int sending;
    int paced;         /* see hesca_exchange_begin() */
    int step;          /* the cursor: a step */
    int64_t chunk;     /* and a chunk of its message */
    hesca_message msg; /* that message */
    int64_t nchunks;   /* of the longest message */
    char *memory;      /* nslots x slot bytes */
    int head, used;    /* a ring: used slots from head on */
    struct {
        MPI_Request request;
        int step;
        hesca_message msg;
        hesca_chunk chunk;
        int64_t piece; /* number of the chunk in its message */
    } slot[HESCA_SLOTS_MOST];
} hesca_mpi_stream;

/** Messages to and from processes outside the window. */
typedef struct {
    hesca_mpi_stream out, in;
} hesca_mpi_flow;

/** Messages through the node's window. */
typedef struct {
    const hesca_plan *plan;
    const hesca_arrays *arrays;
    int64_t cap; /* elements of a chunk */
    int out, in; /* first unfinished step of each direction */
} hesca_shm_flow;

/** \name Flows Local, between processes that have agreed that their arrays are
 * valid. advance() sets *progress to 1 if it has done something; it does
 * nothing beyond step gate. awaited() returns the first unfinished message.
 * \{ */
void hesca_mpi_begin(hesca_mpi_flow *flow, const hesca_plan *plan,
                     const hesca_arrays *arrays, int paced);
int hesca_mpi_advance(hesca_mpi_flow *flow, int gate, int *progress);
hesca_awaited hesca_mpi_awaited(const hesca_mpi_flow *flow);

/** Whether elements of this size can go through a window. */
int hesca_shm_fits(const hesca_window *w, size_t esize);
void hesca_shm_begin(hesca_shm_flow *flow, const hesca_plan *plan,
                     const hesca_arrays *arrays);
void hesca_shm_advance(hesca_shm_flow *flow, int gate, int *progress);
hesca_awaited hesca_shm_awaited(const hesca_shm_flow *flow);
/** \} */

/** Record progress of a message, if the execution is recorded. */
static inline void
hesca_progress_mark(const hesca_plan *plan, hesca_progress *p)
{
    if (plan->record == NULL)
        return;
    p->ended = hesca_record_now(plan->record);
    if (p->begun == 0)
        p->begun = p->ended;
}

/** An execution step by step, by all flows that it needs. */
typedef struct {
    const hesca_plan *plan;
    const hesca_arrays *arrays;
    hesca_mpi_flow mpi;
    hesca_shm_flow shm;
    int64_t own, nown, own_cap; /* chunks of the local share: done, all */
} hesca_exchange;

/** \name Executions in progress Local, between processes that have agreed that
 * their arrays are valid and are to begin the same one.
 * \param [in] paced  No more is sent than the receivers take, because other
 *                    messages share the links; rates are not noted.
 * \{ */
void hesca_exchange_begin(hesca_exchange *x, const hesca_plan *plan,
                          const hesca_arrays *arrays, int paced);
int hesca_exchange_advance(hesca_exchange *x, int *progress);
int hesca_exchange_is_over(const hesca_exchange *x);
/** Wait a little, or fail after HESCA_TIMEOUT, where nothing has progressed.
 */
void hesca_exchange_pause(const hesca_exchange *x, hesca_backoff *wait);
/** \} */

/** The same from begin to end. Collective over the plan's communicator. */
int hesca_exchange_run(const hesca_plan *plan, const hesca_arrays *arrays);

/** Execute a plan by rounds of one MPI_Alltoall. Collective over the plan's
 * communicator. */
int hesca_alltoall(const hesca_plan *plan, const hesca_arrays *arrays);

/** Bytes of the local share that are copied between two calls of the flows. */
enum { HESCA_OWN_BYTES = 256 * 1024 };

/** Copy a part of the local share, chunk k of hesca_own_chunks(cap). Local. */
int64_t hesca_own_chunks(const hesca_plan *plan, const hesca_arrays *x,
                         int64_t cap);
void hesca_own_copy(const hesca_plan *plan, const hesca_arrays *x, int64_t cap,
                    int64_t k);

#endif
