/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages through shared memory: the sender packs directly into a channel of
 * the window, the receiver unpacks directly out of it.
 *
 * Each pair of processes has channels of its own, so no process waits for
 * space that a third process holds. */
#include "base/arith.h"
#include "exec/move.h"
#include "exec/transport.h"
#include "exec/window.h"
#include <string.h>

/* Runs of at least so many bytes are packed by streaming stores directly. */
enum { DIRECT = 512 };

/* --- channels ---
 * A message begins with an offer exactly if both ends find it eligible for
 * single copy. */

static size_t
ring_of(const hesca_window *w)
{
    return w->out[w->me == 0].size;
}

int
hesca_shm_fits(const hesca_window *w, size_t esize)
{
    return esize <= ring_of(w) / HESCA_CHUNKS_LEAST;
}

static hesca_channel *
channel(const hesca_shm_flow *flow, int rank, int sending)
{
    const hesca_comm *c = flow->plan->comm;
    const int slot = rank < 0 ? -1 : c->slot[rank];
    if (slot < 0)
        return NULL;
    return sending ? &c->window->out[slot] : &c->window->in[slot];
}

static void
expect(hesca_progress *p, hesca_message msg, int64_t cap)
{
    p->n = hesca_chunk_count(&msg, cap);
    p->offer = p->n > 0 && hesca_single_copy_serves(&msg);
}

void
hesca_shm_begin(hesca_shm_flow *flow, const hesca_plan *plan,
                const hesca_arrays *arrays)
{
    const int nsteps = plan->schedule.nsteps;
    const size_t esize = plan->problem.esize;
    *flow = (hesca_shm_flow){.plan = plan, .arrays = arrays};
    if (!plan->shm) {
        flow->out = flow->in = nsteps;
        return;
    }
    flow->cap = hesca_max(1, (int64_t)(plan->window->chunk / esize));
    for (int i = 0; i < nsteps; ++i) {
        const hesca_step *step = &plan->schedule.step[i];
        hesca_tally *t = &plan->tally[i];
        *t = (hesca_tally){.out = {.n = 0}};
        if (channel(flow, step->dest.rank, 1) != NULL)
            expect(&t->out, hesca_plan_sends(plan, &step->dest), flow->cap);
        if (channel(flow, step->src.rank, 0) != NULL)
            expect(&t->in, hesca_plan_recvs(plan, &step->src), flow->cap);
    }
}

/* --- packing ---
 * Every choice of stores gives the same bytes. */

/* Pack a chunk by plain or by streaming stores. Short runs, of which streaming
 * stores would write parts of lines, are packed into the scratch buffer
 * first. */
static void
pack(const hesca_shm_flow *flow, hesca_message msg, hesca_chunk chunk,
     int past, char *room)
{
    const void *a = flow->arrays->a;
    const int64_t lda = flow->arrays->lda;
    const int64_t esize = (int64_t)msg.problem->esize;
    char *scratch = flow->plan->comm->window->scratch;
    msg.stream = past;
    if (!past || msg.runs->run->len * esize >= DIRECT) {
        hesca_chunk_move(&msg, chunk, a, lda, room, 0);
        return;
    }
    msg.stream = 0;
    const int64_t n = hesca_chunk_move(&msg, chunk, a, lda, scratch, 0);
    hesca_move_past(room, scratch, (size_t)(n * esize), 0);
    hesca_move_end();
}

/* Pack a chunk by the faster kind of stores.
 *
 * A plain store to a line that another core has read last must obtain
 * ownership from there. This is fast if the two cores share a cache; with one
 * core on each die of an EPYC processor packing runs at 3 GB/s with plain
 * stores and at 6 with streaming stores. If the cores share a cache plain
 * stores are faster, and which is the case may change as processes and virtual
 * processors migrate. So of every EVERY large chunks one is timed with each
 * kind, and the others use the faster one. */
static void
pack_timed(const hesca_shm_flow *flow, hesca_channel *ch,
           const hesca_message *msg, hesca_chunk chunk, size_t n, char *room)
{
    enum { LARGE = 4096, EVERY = 64 };
    if (n < LARGE) {
        pack(flow, *msg, chunk, 0, room);
        return;
    }
    const uint64_t trial = ch->records++ % EVERY;
    if (trial > 1) {
        pack(flow, *msg, chunk, ch->trial[1] < ch->trial[0], room);
        return;
    }
    const double start = PMPI_Wtime();
    pack(flow, *msg, chunk, trial == 1, room);
    ch->trial[trial] = (PMPI_Wtime() - start) / (double)n;
}

/* --- single copy or packing ---
 * The sender decides per message and says so in the offer; the receiver
 * follows. */

/* A lower cost is adopted at once, a higher one slowly: the measurement may
 * have been interrupted. */
static float
learn(float cost, double seconds, int64_t bytes)
{
    const float now = (float)(seconds / (double)bytes);
    return cost == 0 || now < cost ? now : cost + (now - cost) / 8;
}

static int64_t
bytes_of(const hesca_message *msg)
{
    return msg->rows->total * msg->cols->total * (int64_t)msg->problem->esize;
}

/* Whether to send a message by single copy or to pack it: of every EVERY
 * messages TRIES are sent each way, and the others the cheaper way. TRIES is
 * more than one because the first touch of memory takes longer. */
static int
use_single_copy(hesca_channel *ch, hesca_transport transport)
{
    enum { TRIES = 2, EVERY = 64 };
    const hesca_channel_counts *c = ch->counts;
    const uint64_t trial = ch->offers++ % EVERY;
    const float read =
        atomic_load_explicit(&c->read_cost, memory_order_relaxed);
    const float unpack =
        atomic_load_explicit(&c->unpack_cost, memory_order_relaxed);
    if (transport == HESCA_TRANSPORT_SHM ||
        !atomic_load_explicit(&c->reads, memory_order_acquire))
        return 0;
    if (transport == HESCA_TRANSPORT_SINGLE_COPY)
        return 1;
    if (trial < 2 * TRIES)
        return trial >= TRIES;
    /* Single copy must be clearly cheaper: the receiver then does all the
     * work, and two processes that decide differently for their two directions
     * would wait for each other. */
    return read > 0 && read < 0.75F * (ch->pack_cost + unpack);
}

/* Send the offer, which says whether the message goes by single copy. */
static int
offer(hesca_shm_flow *flow, hesca_channel *ch, hesca_progress *p)
{
    hesca_offer o = {0};
    char *room = hesca_channel_room(ch, sizeof o);
    if (room == NULL)
        return 0;
    p->offer = 0;
    p->single_copy = use_single_copy(ch, flow->plan->comm->params.transport);
    if (p->single_copy)
        o = (hesca_offer){(uintptr_t)flow->arrays->a, flow->arrays->lda};
    memcpy(room, &o, sizeof o);
    hesca_channel_push(ch, sizeof o);
    p->end = ch->at;
    return 1;
}

/* A single-copy message is complete when the receiver has released the offer;
 * if it could not read, it waits for the data. */
static int
await_release(hesca_channel *ch, hesca_progress *p)
{
    if (!hesca_channel_is_past(ch, p->end))
        return 0;
    p->single_copy = 0;
    if (atomic_load_explicit(&ch->counts->reads, memory_order_relaxed))
        p->done = p->n;
    return 1;
}

/* --- sending and receiving ---
 * Records of a channel are written and read in the order of steps and
 * chunks. */

/* Pack the next chunk of a step if there is space for it. */
static int
send(hesca_shm_flow *flow, int i)
{
    const hesca_plan *plan = flow->plan;
    const hesca_peer *peer = &plan->schedule.step[i].dest;
    hesca_channel *ch = channel(flow, peer->rank, 1);
    hesca_progress *p = &plan->tally[i].out;
    if (p->offer)
        return offer(flow, ch, p);
    if (p->single_copy)
        return await_release(ch, p);
    const hesca_message msg = hesca_plan_sends(plan, peer);
    const hesca_chunk chunk = hesca_chunk_get(&msg, flow->cap, p->done);
    const size_t n =
        (size_t)hesca_chunk_size(&msg, chunk) * plan->problem.esize;
    char *room = hesca_channel_room(ch, n);
    if (room == NULL)
        return 0;
    const double start = p->end > 0 ? PMPI_Wtime() : 0;
    pack_timed(flow, ch, &msg, chunk, n, room);
    hesca_channel_push(ch, n);
    if (p->end > 0)
        p->seconds += PMPI_Wtime() - start;
    if (++p->done == p->n && p->end > 0)
        ch->pack_cost = learn(ch->pack_cost, p->seconds, bytes_of(&msg));
    return 1;
}

static int
take_offer(hesca_channel *ch, hesca_progress *p)
{
    const char *record = hesca_channel_peek(ch, sizeof p->source);
    if (record == NULL)
        return 0;
    memcpy(&p->source, record, sizeof p->source);
    p->offer = 0;
    p->single_copy = p->source.a != 0;
    p->end = 1;
    if (!p->single_copy)
        hesca_channel_pop(ch, sizeof p->source);
    return 1;
}

/* Read the next columns of a single-copy message. */
static int
read_single_copy(hesca_shm_flow *flow, hesca_channel *ch,
                 const hesca_message *msg, hesca_progress *p)
{
    hesca_channel_counts *c = ch->counts;
    const double start = PMPI_Wtime();
    const int good =
        hesca_single_copy_read(msg, c->pid, p->source, flow->arrays->b,
                               flow->arrays->ldb, &p->column);
    p->seconds += PMPI_Wtime() - start;
    if (!good)
        atomic_store_explicit(&c->reads, 0, memory_order_relaxed);
    if (good && p->column < msg->cols->total)
        return 1;
    if (good) {
        const float cost =
            atomic_load_explicit(&c->read_cost, memory_order_relaxed);
        atomic_store_explicit(&c->read_cost,
                              learn(cost, p->seconds, bytes_of(msg)),
                              memory_order_relaxed);
        p->done = p->n;
    }
    p->single_copy = 0;
    hesca_channel_pop(ch, sizeof p->source);
    return 1;
}

/* Unpack the next chunk of a step if it has arrived. */
static int
receive(hesca_shm_flow *flow, int i)
{
    const hesca_plan *plan = flow->plan;
    const hesca_peer *peer = &plan->schedule.step[i].src;
    hesca_channel *ch = channel(flow, peer->rank, 0);
    hesca_progress *p = &plan->tally[i].in;
    const hesca_message msg = hesca_plan_recvs(plan, peer);
    if (p->offer)
        return take_offer(ch, p);
    if (p->single_copy)
        return read_single_copy(flow, ch, &msg, p);
    const hesca_chunk chunk = hesca_chunk_get(&msg, flow->cap, p->done);
    const size_t n =
        (size_t)hesca_chunk_size(&msg, chunk) * plan->problem.esize;
    const char *record = hesca_channel_peek(ch, n);
    if (record == NULL)
        return 0;
    const double start = p->end > 0 ? PMPI_Wtime() : 0;
    hesca_chunk_move(&msg, chunk, record, 0, flow->arrays->b,
                     flow->arrays->ldb);
    hesca_channel_pop(ch, n);
    if (p->end > 0)
        p->seconds += PMPI_Wtime() - start;
    if (++p->done == p->n && p->end > 0) {
        const float cost = atomic_load_explicit(&ch->counts->unpack_cost,
                                                memory_order_relaxed);
        atomic_store_explicit(&ch->counts->unpack_cost,
                              learn(cost, p->seconds, bytes_of(&msg)),
                              memory_order_relaxed);
    }
    return 1;
}

/* --- the flow ---
 * out and in are the first unfinished steps; no step beyond gate is
 * touched. */

static int
is_finished(const hesca_progress *p)
{
    return p->done == p->n;
}

/* One chunk to every process, then one from every process. */
void
hesca_shm_advance(hesca_shm_flow *flow, int gate, int *progress)
{
    hesca_tally *t = flow->plan->tally;
    const int nsteps = flow->plan->schedule.nsteps;
    const int end = gate < nsteps ? gate + 1 : nsteps;
    for (int i = flow->out; i < end; ++i)
        if (!is_finished(&t[i].out) && send(flow, i)) {
            hesca_progress_mark(flow->plan, &t[i].out);
            *progress = 1;
        }
    for (int i = flow->in; i < end; ++i)
        if (!is_finished(&t[i].in) && receive(flow, i)) {
            hesca_progress_mark(flow->plan, &t[i].in);
            *progress = 1;
        }
    while (flow->out < nsteps && is_finished(&t[flow->out].out))
        ++flow->out;
    while (flow->in < nsteps && is_finished(&t[flow->in].in))
        ++flow->in;
}

hesca_awaited
hesca_shm_awaited(const hesca_shm_flow *flow)
{
    const hesca_schedule *s = &flow->plan->schedule;
    if (flow->in == s->nsteps && flow->out == s->nsteps)
        return (hesca_awaited){.step = s->nsteps};
    if (flow->in <= flow->out)
        return (hesca_awaited){flow->in, s->step[flow->in].src.rank, 0};
    return (hesca_awaited){flow->out, s->step[flow->out].dest.rank, 1};
}
