/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/run_store_forward.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/staging.h"
#include "exec/transport.h"
#include "exec/window.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lists of packets ---
 * Sender and receiver of a step list the same packets in the order of
 * lanes. */

int64_t
hesca_store_forward_slots(const hesca_store_forward *store_forward)
{
    int64_t sum = 0;
    for (int64_t t = 0; t < hesca_store_forward_steps(store_forward); ++t)
        sum += 2 * hesca_store_forward_carried(store_forward, t);
    return sum;
}

int64_t
hesca_store_forward_widest(const hesca_store_forward *store_forward)
{
    int64_t most = 1;
    for (int64_t t = 0; t < hesca_store_forward_steps(store_forward); ++t)
        most = hesca_max(most, hesca_store_forward_carried(store_forward, t));
    return most;
}

static int
rank_of(const hesca_layout *grid, int row, int col)
{
    return grid->ranks[row * grid->npcol + col];
}

/* Add the packet in a lane to a bundle, unless it is empty or stays on its
 * process. */
static void
add(const hesca_plan *plan, hesca_bundle *b, int64_t lane, hesca_packet k)
{
    const hesca_problem *p = &plan->problem;
    if (k.r < 0)
        return;
    const int64_t rows = hesca_problem_common_rows(p, k.r, k.c, k.s, k.d);
    const int64_t cols = hesca_problem_common_cols(p, k.r, k.c, k.s, k.d);
    const int from = rank_of(p->a, k.r, k.c), to = rank_of(p->b, k.s, k.d);
    if (rows == 0 || cols == 0 || from == to)
        return;
    b->hop[b->n++] = (hesca_hop){rows,
                                 cols,
                                 lane,
                                 k.r,
                                 k.c,
                                 k.s,
                                 k.d,
                                 from == plan->comm->rank,
                                 to == plan->comm->rank};
}

int
hesca_store_forward_compile(hesca_plan *plan)
{
    const hesca_store_forward *store_forward = plan->schedule.store_forward;
    const int nsteps = plan->schedule.nsteps;
    const int64_t lanes = hesca_store_forward_lanes(store_forward);
    hesca_hop *next;
    plan->forward = calloc((size_t)nsteps + 1, sizeof *plan->forward);
    plan->hops = next =
        malloc(((size_t)hesca_store_forward_slots(store_forward) + 1) *
               sizeof *plan->hops);
    plan->held = calloc((size_t)lanes, sizeof *plan->held);
    if (plan->forward == NULL || plan->hops == NULL || plan->held == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld packets",
                          (long long)hesca_store_forward_slots(store_forward));
    for (int t = 0; t < nsteps; ++t) {
        hesca_forward_step *x = &plan->forward[t];
        hesca_step *step = &plan->schedule.step[t];
        x->out.hop = next;
        x->in.hop = next + hesca_store_forward_carried(store_forward, t);
        next += 2 * hesca_store_forward_carried(store_forward, t);
        if (step->dest.rank == step->src.rank &&
            step->dest.rank == plan->comm->rank)
            continue; /* no packet moves */
        for (int64_t lane = 0; lane < lanes; ++lane)
            if (hesca_store_forward_moves(store_forward, lane, t)) {
                if (step->dest.rank >= 0)
                    add(plan, &x->out, lane,
                        hesca_store_forward_packet(store_forward, lane, t));
                if (step->src.rank >= 0)
                    add(plan, &x->in, lane,
                        hesca_store_forward_packet(store_forward, lane,
                                                   t + 1));
            }
        for (int64_t k = 0; k < x->out.n; ++k)
            step->dest.count += x->out.hop[k].rows * x->out.hop[k].cols;
        for (int64_t k = 0; k < x->in.n; ++k)
            step->src.count += x->in.hop[k].rows * x->in.hop[k].cols;
    }
    return HESCA_SUCCESS;
}

size_t
hesca_store_forward_memory(const hesca_plan *plan)
{
    const hesca_store_forward *store_forward = plan->schedule.store_forward;
    return sizeof *store_forward +
           (size_t)hesca_store_forward_slots(store_forward) *
               sizeof *plan->hops +
           (size_t)plan->schedule.nsteps * sizeof *plan->forward +
           (size_t)hesca_store_forward_lanes(store_forward) *
               sizeof *plan->held +
           6 * (size_t)store_forward->nring *
               sizeof *store_forward->ring; /* at most */
}

/* --- one round ---
 * in <= combined and out <= combined; packets of step t are assembled
 * before those of step t are received. */

typedef struct {
    hesca_plan *plan;
    const hesca_arrays *arrays;
    int64_t round;
    int combined, out, in; /* first steps that are not packed, not passed to
                              the transport, not received */
    int sent; /* first step the MPI message of which may be in flight */
    int64_t own, nown, own_cap; /* chunks of the local share: done, all */
} exchange;

static hesca_message
message_of(const hesca_plan *plan, const hesca_hop *hop, int sending)
{
    const hesca_peer peer = {.prow = sending ? hop->s : hop->r,
                             .pcol = sending ? hop->d : hop->c};
    return sending ? hesca_plan_sends(plan, &peer)
                   : hesca_plan_recvs(plan, &peer);
}

/* Bytes of a packet in this round. For a trapezoid the whole rectangle counts,
 * because intermediate processes do not know which part of it is present. */
static size_t
packet_bytes(const exchange *x, const hesca_hop *hop)
{
    const int64_t cap = x->plan->staging.cap;
    const hesca_overlap rows = {.total = hop->rows};
    const hesca_overlap cols = {.total = hop->cols};
    const hesca_message msg = {.rows = &rows, .cols = &cols};
    if (x->plan->staging.nrounds == 1)
        return (size_t)(hop->rows * hop->cols) * x->plan->problem.esize;
    if (x->round >= hesca_chunk_count(&msg, cap))
        return 0;
    const hesca_chunk c = hesca_chunk_get(&msg, cap, x->round);
    return (size_t)((c.c1 - c.c0) * (c.r1 - c.r0)) * x->plan->problem.esize;
}

static size_t
bundle_bytes(const exchange *x, const hesca_bundle *b)
{
    size_t sum = 0;
    for (int64_t k = 0; k < b->n; ++k)
        sum += packet_bytes(x, &b->hop[k]);
    return sum;
}

/* Assemble the next bundle at an address. */
static void
combine(exchange *x, const hesca_bundle *b, char *at)
{
    const hesca_plan *plan = x->plan;
    ++x->combined;
    for (int64_t k = 0; k < b->n; ++k) {
        const hesca_hop *hop = &b->hop[k];
        const size_t n = packet_bytes(x, hop);
        if (n > 0 && hop->begins) {
            const hesca_message msg = message_of(plan, hop, 1);
            hesca_chunk_move(
                &msg, hesca_chunk_get(&msg, plan->staging.cap, x->round),
                x->arrays->a, x->arrays->lda, at, 0);
        } else if (n > 0) {
            memcpy(at, plan->held[hop->lane], n);
        }
        at += n;
    }
}

/* Store the locations of the packets of a bundle, and unpack those that are
 * destined for this process. */
static void
take(exchange *x, const hesca_bundle *b, const char *at)
{
    const hesca_plan *plan = x->plan;
    for (int64_t k = 0; k < b->n; ++k) {
        const hesca_hop *hop = &b->hop[k];
        const size_t n = packet_bytes(x, hop);
        plan->held[hop->lane] = (char *)(uintptr_t)at;
        if (n > 0 && hop->ends) {
            const hesca_message msg = message_of(plan, hop, 0);
            hesca_chunk_move(
                &msg, hesca_chunk_get(&msg, plan->staging.cap, x->round), at,
                0, x->arrays->b, x->arrays->ldb);
        }
        at += n;
    }
}

/* Assign memory to every bundle, and post the MPI receives. */
static int
begin_round(exchange *x, char *memory)
{
    const hesca_plan *plan = x->plan;
    int err = HESCA_SUCCESS;
    x->combined = x->out = x->in = x->sent = 0;
    for (int t = 0; t < plan->schedule.nsteps; ++t) {
        hesca_forward_step *s = &plan->forward[t];
        const hesca_peer *src = &plan->schedule.step[t].src;
        s->out_bytes = bundle_bytes(x, &s->out);
        s->in_bytes = bundle_bytes(x, &s->in);
        s->out_done = s->in_done = 0;
        s->out_at = memory;
        s->in_at = memory + s->out_bytes;
        memory += s->out_bytes + s->in_bytes;
        s->out_request = s->in_request = MPI_REQUEST_NULL;
        if (s->in_bytes > 0 && hesca_plan_by_mpi(plan, src))
            HESCA_MPI(err, Irecv, s->in_at, (int)s->in_bytes, MPI_BYTE,
                      src->rank, HESCA_TAG_DATA, plan->comm->mpi,
                      &s->in_request);
    }
fail:
    return err;
}

/* Number of steps that must have been received before a step can be sent: a
 * shift depends on all earlier steps, a delivery on the shifts before it
 * only. */
static int
needs(const hesca_store_forward *store_forward, int step)
{
    const int is_delivery =
        step >= store_forward->npre &&
        step < store_forward->npre + store_forward->ndeliver;
    return is_delivery ? store_forward->npre : step;
}

/* Send the bundle of step x->out, or its next piece, through the window; 1 if
 * something was done. */
static int
send_by_shm(exchange *x, hesca_forward_step *s, hesca_channel *ch)
{
    const size_t most = x->plan->window->chunk;
    const size_t left = s->out_bytes - s->out_done;
    const size_t n = left < most ? left : most;
    if (x->combined == x->out && n < s->out_bytes)
        combine(x, &s->out, s->out_at);
    char *room = hesca_channel_room(ch, n);
    if (room == NULL)
        return 0;
    if (x->combined == x->out)
        combine(x, &s->out, room); /* assembled in place */
    else
        memcpy(room, s->out_at + s->out_done, n);
    hesca_channel_push(ch, n);
    s->out_done += n;
    return 1;
}

static int
receive_by_shm(exchange *x, hesca_forward_step *s, hesca_channel *ch)
{
    const size_t most = x->plan->window->chunk;
    const size_t n =
        s->in_bytes - s->in_done < most ? s->in_bytes - s->in_done : most;
    const char *record = hesca_channel_peek(ch, n);
    if (record == NULL)
        return 0;
    memcpy(s->in_at + s->in_done, record, n);
    hesca_channel_pop(ch, n);
    s->in_done += n;
    return 1;
}

/* Send what can be sent. */
static int
advance_out(exchange *x, int *progress)
{
    const hesca_plan *plan = x->plan;
    int err = HESCA_SUCCESS;
    while (x->out < plan->schedule.nsteps &&
           needs(plan->schedule.store_forward, x->out) <= x->in) {
        hesca_forward_step *s = &plan->forward[x->out];
        const hesca_peer *dest = &plan->schedule.step[x->out].dest;
        const double begun = hesca_record_now(plan->record);
        if (s->out_bytes > 0 && hesca_plan_by_mpi(plan, dest)) {
            combine(x, &s->out, s->out_at);
            hesca_comm_sent(plan->comm, dest->rank, (int64_t)s->out_bytes);
            HESCA_MPI(err, Isend, s->out_at, (int)s->out_bytes, MPI_BYTE,
                      dest->rank, HESCA_TAG_DATA, plan->comm->mpi,
                      &s->out_request);
        } else if (s->out_bytes > 0) {
            hesca_channel *ch =
                &plan->window->out[plan->comm->slot[dest->rank]];
            while (s->out_done < s->out_bytes) {
                if (!send_by_shm(x, s, ch))
                    return err;
                *progress = 1;
            }
        }
        if (s->out_bytes > 0)
            hesca_record_note(plan->record, 1, dest->rank,
                              (double)s->out_bytes, begun,
                              hesca_record_now(plan->record));
        *progress = 1;
        x->combined = ++x->out;
    }
fail:
    return err;
}

/* Receive what has arrived, in the order of the steps. A step is received
 * after its own bundle is assembled, because its packets replace those that
 * leave. */
static int
advance_in(exchange *x, int *progress)
{
    const hesca_plan *plan = x->plan;
    int err = HESCA_SUCCESS;
    while (x->in < x->combined) {
        hesca_forward_step *s = &plan->forward[x->in];
        const hesca_peer *src = &plan->schedule.step[x->in].src;
        if (s->in_bytes > 0 && hesca_plan_by_mpi(plan, src)) {
            int done;
            HESCA_MPI(err, Test, &s->in_request, &done, MPI_STATUS_IGNORE);
            if (!done)
                return err;
        } else if (s->in_bytes > 0) {
            hesca_channel *ch = &plan->window->in[plan->comm->slot[src->rank]];
            while (s->in_done < s->in_bytes) {
                if (!receive_by_shm(x, s, ch))
                    return err;
                *progress = 1;
            }
        }
        if (s->in_bytes > 0)
            hesca_record_note(plan->record, 0, src->rank, (double)s->in_bytes,
                              0, hesca_record_now(plan->record));
        take(x, &s->in, s->in_at);
        *progress = 1;
        ++x->in;
    }
fail:
    return err;
}

/* Test the sends that were passed to MPI. */
static int
test_sends(exchange *x, int *progress)
{
    int err = HESCA_SUCCESS, done = 1;
    for (; done && x->sent < x->out; ++x->sent) {
        HESCA_MPI(err, Test, &x->plan->forward[x->sent].out_request, &done,
                  MPI_STATUS_IGNORE);
        if (!done)
            break;
        *progress = 1;
    }
fail:
    return err;
}

static void
pause_once(const exchange *x, hesca_backoff *wait)
{
    const hesca_schedule *s = &x->plan->schedule;
    /* Its own bundle comes first, if there was no space for it yet. */
    const int sending = x->in == x->combined || x->in == s->nsteps;
    const int step = !sending ? x->in : x->in == s->nsteps ? x->sent : x->out;
    char what[160];
    if (x->plan->comm->params.timeout > 0)
        snprintf(what, sizeof what,
                 "rank %d to %s data, step %d of %d of schedule %s",
                 sending ? s->step[step].dest.rank : s->step[step].src.rank,
                 sending ? "take" : "send", step + 1, s->nsteps, s->name);
    hesca_comm_pause(x->plan->comm, wait, what);
}

static int
run_round(exchange *x, char *memory)
{
    const int nsteps = x->plan->schedule.nsteps;
    hesca_backoff wait = hesca_backoff_begin(x->plan->comm->yields);
    int err;
    HESCA_TRY(err, begin_round(x, memory));
    while (x->in < nsteps || x->sent < nsteps) {
        int progress = 0;
        HESCA_TRY(err, advance_out(x, &progress));
        HESCA_TRY(err, advance_in(x, &progress));
        HESCA_TRY(err, test_sends(x, &progress));
        if (!progress && x->own < x->nown) {
            hesca_own_copy(x->plan, x->arrays, x->own_cap, x->own++);
            progress = 1;
        }
        if (progress)
            wait = hesca_backoff_begin(x->plan->comm->yields);
        else
            pause_once(x, &wait);
    }
fail:
    return err;
}

/* --- rounds ---
 * The local share is copied while there is nothing else to do, and finished
 * after the last round. */

int
hesca_store_forward_run(hesca_plan *plan, const hesca_arrays *arrays)
{
    exchange x = {.plan = plan, .arrays = arrays, .own_cap = HESCA_OWN_BYTES};
    char *memory = hesca_staging_get(plan->comm, HESCA_STAGING_MESSAGES,
                                     plan->staging.bytes);
    int err = HESCA_SUCCESS;
    x.own_cap = hesca_max(1, x.own_cap / (int64_t)plan->problem.esize);
    x.nown = hesca_own_chunks(plan, arrays, x.own_cap);
    for (; x.round < plan->staging.nrounds; ++x.round)
        HESCA_TRY(err, run_round(&x, memory));
    while (x.own < x.nown)
        hesca_own_copy(plan, arrays, x.own_cap, x.own++);
fail:
    return err;
}
