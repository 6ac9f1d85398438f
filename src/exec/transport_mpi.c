/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairwise messages through MPI.
 *
 * Each side walks the schedule with a cursor over (step, chunk).  Senders pack
 * a chunk into a slot of staging memory and start it; receivers start receives
 * into slots ahead of time and unpack them in order.  A pair's chunks carry
 * one tag: MPI keeps their order.  All processes walk the chunks in one global
 * order (for ordered send-receive, that in which a timetable begins them), so
 * both ends of the earliest unfinished chunk are always posted: no
 * deadlock. */
#include "base/status.h"
#include "exec/staging.h"
#include "exec/transport.h"

/* --- the cursor ---
 * The cursor is always at a chunk for MPI, or at the end. */

static const hesca_peer *
peer_of(const hesca_mpi_stream *s)
{
    const hesca_step *step = &s->plan->schedule.step[s->step];
    return s->sending ? &step->dest : &step->src;
}

/* Whether the cursor is at a chunk that goes to or comes from a process
 * outside the window. */
static int
at_chunk(hesca_mpi_stream *s)
{
    const hesca_peer *peer = peer_of(s);
    if (!hesca_plan_by_mpi(s->plan, peer))
        return 0;
    s->msg = s->sending ? hesca_plan_sends(s->plan, peer)
                        : hesca_plan_recvs(s->plan, peer);
    return s->chunk < hesca_chunk_count(&s->msg, s->plan->staging.cap);
}

static int64_t
most_chunks(hesca_mpi_stream *s)
{
    int64_t most = 0;
    for (s->step = 0; s->step < s->plan->schedule.nsteps; ++s->step)
        for (s->chunk = most; at_chunk(s); s->chunk = most)
            most = hesca_chunk_count(&s->msg, s->plan->staging.cap);
    return most;
}

/* Move the cursor to the next chunk, unless it is at one: all chunks of a
 * message before the next message, or, in a free order, one chunk of every
 * message in turn. In a free order the chunks for several processes are packed
 * from the same columns while they are in cache: reading every other piece of
 * a column costs as much as reading all of it. */
static void
move_cursor(hesca_mpi_stream *s)
{
    const int nsteps = s->plan->schedule.nsteps;
    if (s->plan->schedule.order != HESCA_ORDER_FREE) {
        for (; s->step < nsteps && !at_chunk(s); ++s->step)
            s->chunk = 0;
        return;
    }
    for (; s->chunk < s->nchunks; ++s->chunk, s->step = 0) {
        while (s->step < nsteps && !at_chunk(s))
            ++s->step;
        if (s->step < nsteps)
            return;
    }
    s->step = nsteps;
}

static void
begin(hesca_mpi_stream *s, const hesca_plan *plan, const hesca_arrays *arrays,
      int sending, int paced, char *memory)
{
    s->plan = plan;
    s->arrays = arrays;
    s->sending = sending;
    s->paced = paced;
    s->memory = memory;
    s->chunk = s->head = s->used = 0;
    s->step = plan->schedule.nsteps;
    if (memory == NULL)
        return; /* no messages */
    s->nchunks = most_chunks(s);
    s->step = 0;
    s->chunk = 0;
    move_cursor(s);
}

/* The first step that this stream has not finished. */
static int
current(const hesca_mpi_stream *s)
{
    return s->used == 0 ? s->step : s->slot[s->head].step;
}

/* --- posting and completing ---
 * Slots form a ring and complete in the order in which they were posted. */

/* Whether the chunk at the cursor may begin. In an ordered send-receive one
 * message is in flight, and it continues when its receiver has taken the first
 * chunk. */
static int
may_post(const hesca_mpi_stream *s, int gate)
{
    const hesca_plan *plan = s->plan;
    if (plan->schedule.order == HESCA_ORDER_QUEUED) {
        if (s->used > 0 && s->sending && s->chunk == 1)
            return 0;
        gate = current(s);
    }
    return s->used < plan->staging.nslots && s->step < plan->schedule.nsteps &&
           s->step <= gate;
}

/* Send n bytes. In an ordered send-receive the first and last chunk are
 * synchronous: the sender waits until the receiver has begun to receive its
 * message, and until it has arrived; in a paced execution all are. */
static int
send(hesca_mpi_stream *s, const char *buffer, int n, int rank,
     MPI_Request *request)
{
    const hesca_plan *plan = s->plan;
    const int64_t last = hesca_chunk_count(&s->msg, plan->staging.cap) - 1;
    hesca_comm_sent(plan->comm, rank, n);
    if (s->paced || (plan->schedule.order == HESCA_ORDER_QUEUED &&
                     (s->chunk == 0 || s->chunk == last)))
        return hesca_mpi(PMPI_Issend(buffer, n, MPI_BYTE, rank, HESCA_TAG_DATA,
                                     plan->comm->mpi, request),
                         "MPI_Issend");
    return hesca_mpi(PMPI_Isend(buffer, n, MPI_BYTE, rank, HESCA_TAG_DATA,
                                plan->comm->mpi, request),
                     "MPI_Isend");
}

static void
mark(const hesca_mpi_stream *s, int step)
{
    hesca_tally *t = &s->plan->tally[step];
    hesca_progress_mark(s->plan, s->sending ? &t->out : &t->in);
}

static int
post_chunk(hesca_mpi_stream *s)
{
    const hesca_staging *staging = &s->plan->staging;
    const int k = (s->head + s->used) % staging->nslots;
    char *buffer = s->memory + (size_t)k * staging->slot;
    const int64_t esize = (int64_t)s->plan->problem.esize;
    const MPI_Comm comm = s->plan->comm->mpi;
    const int rank = peer_of(s)->rank;
    int err;
    mark(s, s->step);
    s->slot[k].step = s->step;
    s->slot[k].msg = s->msg;
    s->slot[k].piece = s->chunk;
    s->slot[k].chunk = hesca_chunk_get(&s->msg, staging->cap, s->chunk);
    if (s->sending) {
        const int64_t n =
            hesca_chunk_move(&s->msg, s->slot[k].chunk, s->arrays->a,
                             s->arrays->lda, buffer, 0);
        HESCA_TRY(
            err, send(s, buffer, (int)(n * esize), rank, &s->slot[k].request));
    } else {
        HESCA_MPI(err, Irecv, buffer, (int)staging->slot, MPI_BYTE, rank,
                  HESCA_TAG_DATA, comm, &s->slot[k].request);
    }
    ++s->used;
    if (s->plan->schedule.order == HESCA_ORDER_FREE)
        ++s->step;
    else
        ++s->chunk;
    move_cursor(s);
fail:
    return err;
}

/* A chunk has arrived; where chunks of several messages take turns, or the
 * execution is paced, its time is not that of its link. */
static void
note_rate(const hesca_mpi_stream *s, int slot)
{
    const hesca_plan *plan = s->plan;
    const int64_t n =
        hesca_chunk_size(&s->slot[slot].msg, s->slot[slot].chunk);
    if (plan->comm->rates != NULL && !s->paced &&
        plan->schedule.order != HESCA_ORDER_FREE)
        hesca_link_rates_note(plan->comm->rates,
                              plan->schedule.step[s->slot[slot].step].src.rank,
                              s->slot[slot].piece,
                              n * (int64_t)plan->problem.esize);
}

/* Finish the oldest slot if it is complete. */
static int
finish(hesca_mpi_stream *s, int *progress)
{
    int err, done = 0;
    const int k = s->head;
    if (s->used == 0)
        return HESCA_SUCCESS;
    HESCA_MPI(err, Test, &s->slot[k].request, &done, MPI_STATUS_IGNORE);
    if (!done)
        return HESCA_SUCCESS;
    if (!s->sending) {
        note_rate(s, k);
        hesca_chunk_move(&s->slot[k].msg, s->slot[k].chunk,
                         s->memory + (size_t)k * s->plan->staging.slot, 0,
                         s->arrays->b, s->arrays->ldb);
    }
    mark(s, s->slot[k].step);
    s->head = (k + 1) % s->plan->staging.nslots;
    --s->used;
    *progress = 1;
fail:
    return err;
}

/* --- the flow ---
 * Receives are posted before sends, as far ahead as there are slots. */

int
hesca_mpi_advance(hesca_mpi_flow *flow, int gate, int *progress)
{
    int err = HESCA_SUCCESS;
    while (may_post(&flow->in, gate))
        HESCA_TRY(err, post_chunk(&flow->in));
    if (may_post(&flow->out, gate)) {
        HESCA_TRY(err, post_chunk(&flow->out));
        *progress = 1;
    }
    HESCA_TRY(err, finish(&flow->in, progress));
    HESCA_TRY(err, finish(&flow->out, progress));
fail:
    return err;
}

void
hesca_mpi_begin(hesca_mpi_flow *flow, const hesca_plan *plan,
                const hesca_arrays *arrays, int paced)
{
    const size_t bytes = plan->staging.bytes;
    char *memory = plan->mpi ? hesca_staging_get(plan->comm,
                                                 HESCA_STAGING_MESSAGES, bytes)
                             : NULL;
    begin(&flow->out, plan, arrays, 1, paced, memory);
    begin(&flow->in, plan, arrays, 0, paced,
          memory == NULL ? NULL : memory + bytes / 2);
}

hesca_awaited
hesca_mpi_awaited(const hesca_mpi_flow *flow)
{
    const hesca_mpi_stream *in = &flow->in, *out = &flow->out;
    const hesca_mpi_stream *s = current(in) <= current(out) ? in : out;
    const int step = current(s);
    const hesca_schedule *schedule = &s->plan->schedule;
    if (step == schedule->nsteps)
        return (hesca_awaited){.step = step};
    return (hesca_awaited){step,
                           s->sending ? schedule->step[step].dest.rank
                                      : schedule->step[step].src.rank,
                           s->sending};
}
