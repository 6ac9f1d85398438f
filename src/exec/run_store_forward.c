#include "exec/run_store_forward.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/staging.h"
#include "exec/transport.h"
#include "exec/window.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------ lists of packets */

int64_t
hesca_store_forward_slots(const hesca_store_forward *relay)
{
    int64_t sum = 0;
    for (int64_t t = 0; t < hesca_store_forward_steps(relay); ++t)
        sum += 2 * hesca_store_forward_carried(relay, t);
    return sum;
}

int64_t
hesca_store_forward_widest(const hesca_store_forward *relay)
{
    int64_t most = 1;
    for (int64_t t = 0; t < hesca_store_forward_steps(relay); ++t)
        most = hesca_max(most, hesca_store_forward_carried(relay, t));
    return most;
}

static int
rank_of(const hesca_layout *grid, int row, int col)
{
    return grid->ranks[row * grid->npcol + col];
}

/* Add the packet in a lane to a bundle, if there is something in it that goes
 * to another process. */
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
    const hesca_store_forward *relay = plan->schedule.relay;
    const int nsteps = plan->schedule.nsteps;
    const int64_t lanes = hesca_store_forward_lanes(relay);
    hesca_hop *next;
    plan->relayed = calloc((size_t)nsteps + 1, sizeof *plan->relayed);
    plan->hops = next = malloc(((size_t)hesca_store_forward_slots(relay) + 1) *
                               sizeof *plan->hops);
    plan->held = calloc((size_t)lanes, sizeof *plan->held);
    if (plan->relayed == NULL || plan->hops == NULL || plan->held == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld packets",
                          (long long)hesca_store_forward_slots(relay));
    for (int t = 0; t < nsteps; ++t) {
        hesca_relayed *x = &plan->relayed[t];
        hesca_step *step = &plan->schedule.step[t];
        x->out.hop = next;
        x->in.hop = next + hesca_store_forward_carried(relay, t);
        next += 2 * hesca_store_forward_carried(relay, t);
        if (step->dest.rank == step->src.rank &&
            step->dest.rank == plan->comm->rank)
            continue; /* everything stays where it is */
        for (int64_t lane = 0; lane < lanes; ++lane)
            if (hesca_store_forward_moves(relay, lane, t)) {
                if (step->dest.rank >= 0)
                    add(plan, &x->out, lane,
                        hesca_store_forward_packet(relay, lane, t));
                if (step->src.rank >= 0)
                    add(plan, &x->in, lane,
                        hesca_store_forward_packet(relay, lane, t + 1));
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
    const hesca_store_forward *relay = plan->schedule.relay;
    return sizeof *relay +
           (size_t)hesca_store_forward_slots(relay) * sizeof *plan->hops +
           (size_t)plan->schedule.nsteps * sizeof *plan->relayed +
           (size_t)hesca_store_forward_lanes(relay) * sizeof *plan->held +
           6 * (size_t)relay->nring * sizeof *relay->ring; /* at most */
}

/* ------------------------------------------------ one round */

typedef struct {
    hesca_plan *plan;
    const hesca_arrays *arrays;
    int64_t round;
    int combined, out, in; /* first steps that are not put together, not given
                              to the transport, not received */
    int sent;              /* first step whose MPI message may be on its way */
    int64_t own, nown, own_cap; /* chunks of the own share: done, all */
} exchange;

static hesca_message
message_of(const hesca_plan *plan, const hesca_hop *hop, int sending)
{
    const hesca_peer peer = {.prow = sending ? hop->s : hop->r,
                             .pcol = sending ? hop->d : hop->c};
    return sending ? hesca_plan_sends(plan, &peer)
                   : hesca_plan_recvs(plan, &peer);
}

/* Bytes of a packet in this round.  Of a trapezoid the whole rectangle: those
 * between do not know which part of it there is. */
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

/* Put the next bundle together at a place. */
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

/* Take note of where the packets of a bundle are, and unpack those that have
 * arrived. */
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

/* Give every bundle its memory, and MPI what it can receive into. */
static int
begin_round(exchange *x, char *memory)
{
    const hesca_plan *plan = x->plan;
    int err = HESCA_SUCCESS;
    x->combined = x->out = x->in = x->sent = 0;
    for (int t = 0; t < plan->schedule.nsteps; ++t) {
        hesca_relayed *s = &plan->relayed[t];
        const hesca_peer *src = &plan->schedule.step[t].src;
        s->out_bytes = bundle_bytes(x, &s->out);
        s->in_bytes = bundle_bytes(x, &s->in);
        s->out_done = s->in_done = 0;
        s->out_at = memory;
        s->in_at = memory + s->out_bytes;
        memory += s->out_bytes + s->in_bytes;
        s->out_request = s->in_request = MPI_REQUEST_NULL;
        if (s->in_bytes > 0 && hesca_plan_by_mpi(plan, src))
            HESCA_TRY(err,
                      hesca_mpi(MPI_Irecv(s->in_at, (int)s->in_bytes, MPI_BYTE,
                                          src->rank, HESCA_TAG_DATA,
                                          plan->comm->mpi, &s->in_request),
                                "MPI_Irecv"));
    }
fail:
    return err;
}

/* Steps that must have been received before a step can be sent: shifts build
 * on each other, deliveries on the shifts before them only. */
static int
needs(const hesca_store_forward *relay, int step)
{
    const int is_delivery =
        step >= relay->npre && step < relay->npre + relay->ndeliver;
    return is_delivery ? relay->npre : step;
}

/* Send the bundle of step x->out through the window, or the next piece of it:
 * 1 if something was done. */
static int
send_by_shm(exchange *x, hesca_relayed *s, hesca_channel *ch)
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
        combine(x, &s->out, room); /* without a detour */
    else
        memcpy(room, s->out_at + s->out_done, n);
    hesca_channel_push(ch, n);
    s->out_done += n;
    return 1;
}

static int
receive_by_shm(exchange *x, hesca_relayed *s, hesca_channel *ch)
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
           needs(plan->schedule.relay, x->out) <= x->in) {
        hesca_relayed *s = &plan->relayed[x->out];
        const hesca_peer *dest = &plan->schedule.step[x->out].dest;
        const double begun = hesca_record_now(plan->record);
        if (s->out_bytes > 0 && hesca_plan_by_mpi(plan, dest)) {
            combine(x, &s->out, s->out_at);
            HESCA_TRY(err,
                      hesca_mpi(MPI_Isend(s->out_at, (int)s->out_bytes,
                                          MPI_BYTE, dest->rank, HESCA_TAG_DATA,
                                          plan->comm->mpi, &s->out_request),
                                "MPI_Isend"));
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

/* Receive what has come, in the order of the steps; what a step brings takes
 * the place of what it carries away. */
static int
advance_in(exchange *x, int *progress)
{
    const hesca_plan *plan = x->plan;
    int err = HESCA_SUCCESS;
    while (x->in < x->combined) {
        hesca_relayed *s = &plan->relayed[x->in];
        const hesca_peer *src = &plan->schedule.step[x->in].src;
        if (s->in_bytes > 0 && hesca_plan_by_mpi(plan, src)) {
            int done;
            HESCA_TRY(err, hesca_mpi(MPI_Test(&s->in_request, &done,
                                              MPI_STATUS_IGNORE),
                                     "MPI_Test"));
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

/* Whether MPI has sent everything that it was given. */
static int
settle(exchange *x, int *progress)
{
    int err = HESCA_SUCCESS, done = 1;
    for (; done && x->sent < x->out; ++x->sent) {
        HESCA_TRY(err,
                  hesca_mpi(MPI_Test(&x->plan->relayed[x->sent].out_request,
                                     &done, MPI_STATUS_IGNORE),
                            "MPI_Test"));
        if (!done)
            break;
        *progress = 1;
    }
fail:
    return err;
}

static void
pass_time(const exchange *x, hesca_backoff *wait)
{
    const hesca_schedule *s = &x->plan->schedule;
    /* Its own bundle comes first, if that has not found room yet. */
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
    hesca_backoff wait = hesca_backoff_begin(x->plan->comm->crowded);
    int err;
    HESCA_TRY(err, begin_round(x, memory));
    while (x->in < nsteps || x->sent < nsteps) {
        int progress = 0;
        HESCA_TRY(err, advance_out(x, &progress));
        HESCA_TRY(err, advance_in(x, &progress));
        HESCA_TRY(err, settle(x, &progress));
        if (!progress && x->own < x->nown) {
            hesca_own_copy(x->plan, x->arrays, x->own_cap, x->own++);
            progress = 1;
        }
        if (progress)
            wait = hesca_backoff_begin(x->plan->comm->crowded);
        else
            pass_time(x, &wait);
    }
fail:
    return err;
}

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
