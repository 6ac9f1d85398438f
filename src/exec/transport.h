/** \file exec/transport.h
 * The ways in which the messages of one execution travel.
 *
 * Each way is a flow: it begins, advances a little whenever it is asked to,
 * and is done at some time.  exchange.c drives them all, so that a plan mixes
 * them by destination.  A flow never waits. */
#ifndef HESCA_EXEC_TRANSPORT_H
#define HESCA_EXEC_TRANSPORT_H

#include "exec/plan.h"

/** What a flow has to wait for first. */
typedef struct {
    int step; /* nsteps if it is done */
    int rank; /* of the peer */
    int sending;
} hesca_awaited;

/** One direction of the MPI flow: a cursor over (step, chunk), and the chunks
 * on their way. */
typedef struct {
    const hesca_plan *plan;
    const hesca_arrays *arrays;
    int sending;
    int step;          /* the cursor: a step, */
    int64_t chunk;     /* a chunk of its message, */
    hesca_message msg; /* and that */
    int64_t nchunks;   /* of the longest message */
    char *memory;      /* nslots x slot bytes */
    int head, used;    /* a ring: used slots from head on */
    struct {
        MPI_Request request;
        int step;
        hesca_message msg;
        hesca_chunk chunk;
    } slot[HESCA_SLOTS_MOST];
} hesca_mpi_stream;

/** Messages to and from processes that no window reaches. */
typedef struct {
    hesca_mpi_stream out, in;
} hesca_mpi_flow;

/** Messages through the node's window. */
typedef struct {
    const hesca_plan *plan;
    const hesca_arrays *arrays;
    int64_t cap; /* elements of a chunk */
    int out, in; /* first steps that are not finished each way */
} hesca_shm_flow;

/** \name Flows
 * Local, between processes that have agreed that their arrays are valid.
 * advance() sets *progress to 1 if it has done something; it does nothing
 * beyond step gate.  awaited() tells what comes next.
 * \{ */
void hesca_mpi_begin(hesca_mpi_flow *flow, const hesca_plan *plan,
                     const hesca_arrays *arrays);
int hesca_mpi_advance(hesca_mpi_flow *flow, int gate, int *progress);
hesca_awaited hesca_mpi_awaited(const hesca_mpi_flow *flow);

/** Whether elements of this size can go through a window. */
int hesca_shm_fits(const hesca_window *w, size_t esize);
void hesca_shm_begin(hesca_shm_flow *flow, const hesca_plan *plan,
                     const hesca_arrays *arrays);
void hesca_shm_advance(hesca_shm_flow *flow, int gate, int *progress);
hesca_awaited hesca_shm_awaited(const hesca_shm_flow *flow);
/** \} */

/** Note that something was done for a message, if that is recorded. */
static inline void
hesca_progress_mark(const hesca_plan *plan, hesca_progress *p)
{
    if (plan->record == NULL)
        return;
    p->ended = hesca_record_now(plan->record);
    if (p->begun == 0)
        p->begun = p->ended;
}

/** Carry out a plan step by step, by all flows that it needs.
 *
 * Collective over the plan's communicator. */
int hesca_exchange(const hesca_plan *plan, const hesca_arrays *arrays);

/** Carry it out by rounds of one collective exchange; collective likewise. */
int hesca_alltoall(const hesca_plan *plan, const hesca_arrays *arrays);

/** Bytes of the own share that are copied between two looks at messages. */
enum { HESCA_OWN_BYTES = 256 * 1024 };

/** A part of the own share, chunk k of hesca_own_chunks(cap). Local. */
int64_t hesca_own_chunks(const hesca_plan *plan, const hesca_arrays *x,
                         int64_t cap);
void hesca_own_copy(const hesca_plan *plan, const hesca_arrays *x, int64_t cap,
                    int64_t k);

#endif
