/* Messages through shared memory: the sender packs straight into a channel of
 * the window, the receiver unpacks straight out of it.
 *
 * Each pair of processes has channels of its own, so nobody waits for room
 * that a third process holds. */
#include "base/arith.h"
#include "exec/move.h"
#include "exec/transport.h"
#include "exec/window.h"

/* Runs of so many bytes are written past the cache without a detour. */
enum { DIRECT = 512 };

/* Chunks that a ring has to hold, lest both ends wait for each other. */
enum { CHUNKS_LEAST = 4 };

static size_t
ring_of(const hesca_window *w)
{
    return w->out[w->me == 0].size;
}

int
hesca_shm_fits(const hesca_window *w, size_t esize)
{
    return esize <= ring_of(w) / CHUNKS_LEAST;
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
    const size_t chunk = ring_of(plan->comm->window) / CHUNKS_LEAST;
    flow->cap = (int64_t)((chunk < HESCA_SHM_CHUNK ? chunk : HESCA_SHM_CHUNK) / esize);
    flow->cap = hesca_max(flow->cap, 1);
    for (int i = 0; i < nsteps; ++i) {
        const hesca_step *step = &plan->schedule.step[i];
        hesca_tally *t = &plan->tally[i];
        *t = (hesca_tally){0};
        if (channel(flow, step->dest.rank, 1) != NULL) {
            const hesca_message msg = hesca_plan_sends(plan, &step->dest);
            t->out.n = hesca_chunk_count(&msg, flow->cap);
        }
        if (channel(flow, step->src.rank, 0) != NULL) {
            const hesca_message msg = hesca_plan_recvs(plan, &step->src);
            t->in.n = hesca_chunk_count(&msg, flow->cap);
        }
    }
}

/* Pack a chunk by plain stores, or by stores past the cache.  Short runs, of
 * which the latter would write parts of lines, take a detour. */
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

/* Pack a chunk the faster way.
 *
 * A plain store to a line that another core has read last has to fetch the
 * right to write from there: fast if the two cores share a cache, but with
 * one on each die of an EPYC processor packing runs at 3 GB/s, and past the
 * cache at 6.  Near each other it is the other way round, and which is the
 * case may change as processes and virtual processors migrate.  So of every
 * EVERY large chunks one is timed each way, and the others follow. */
static void
pack_timed(const hesca_shm_flow *flow, hesca_channel *ch,
           const hesca_message *msg, hesca_chunk chunk, size_t n, char *room)
{
    enum { LARGE = 4096, EVERY = 64 };
    if (n < LARGE) {
        pack(flow, *msg, chunk, 0, room);
        return;
    }
    const uint64_t turn = ch->records++ % EVERY;
    if (turn > 1) {
        pack(flow, *msg, chunk, ch->trial[1] < ch->trial[0], room);
        return;
    }
    const double start = MPI_Wtime();
    pack(flow, *msg, chunk, turn == 1, room);
    ch->trial[turn] = (MPI_Wtime() - start) / (double)n;
}

/* Pack the next chunk of a step if there is room for it. */
static int
send(hesca_shm_flow *flow, int i)
{
    const hesca_plan *plan = flow->plan;
    const hesca_peer *peer = &plan->schedule.step[i].dest;
    hesca_channel *ch = channel(flow, peer->rank, 1);
    const hesca_message msg = hesca_plan_sends(plan, peer);
    const hesca_chunk chunk =
        hesca_chunk_get(&msg, flow->cap, plan->tally[i].out.done);
    const size_t n =
        (size_t)hesca_chunk_size(&msg, chunk) * plan->problem.esize;
    char *room = hesca_channel_room(ch, n);
    if (room == NULL)
        return 0;
    pack_timed(flow, ch, &msg, chunk, n, room);
    hesca_channel_push(ch, n);
    ++plan->tally[i].out.done;
    return 1;
}

/* Unpack the next chunk of a step if it is there. */
static int
receive(hesca_shm_flow *flow, int i)
{
    const hesca_plan *plan = flow->plan;
    const hesca_peer *peer = &plan->schedule.step[i].src;
    hesca_channel *ch = channel(flow, peer->rank, 0);
    const hesca_message msg = hesca_plan_recvs(plan, peer);
    const hesca_chunk chunk =
        hesca_chunk_get(&msg, flow->cap, plan->tally[i].in.done);
    const size_t n =
        (size_t)hesca_chunk_size(&msg, chunk) * plan->problem.esize;
    const char *record = hesca_channel_peek(ch, n);
    if (record == NULL)
        return 0;
    hesca_chunk_move(&msg, chunk, record, 0, flow->arrays->b,
                     flow->arrays->ldb);
    hesca_channel_pop(ch, n);
    ++plan->tally[i].in.done;
    return 1;
}

static int
is_finished(const hesca_count *count)
{
    return count->done == count->n;
}

/* One chunk to everybody, then one from everybody. */
void
hesca_shm_advance(hesca_shm_flow *flow, int gate, int *progress)
{
    const hesca_tally *t = flow->plan->tally;
    const int nsteps = flow->plan->schedule.nsteps;
    const int end = gate < nsteps ? gate + 1 : nsteps;
    for (int i = flow->out; i < end; ++i)
        if (!is_finished(&t[i].out))
            *progress |= send(flow, i);
    for (int i = flow->in; i < end; ++i)
        if (!is_finished(&t[i].in))
            *progress |= receive(flow, i);
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
