/* Rounds of one MPI_Alltoallv: in round k every pair of processes exchanges
 * chunk k of its message.  The baseline; the order is MPI's. */
#include "base/status.h"
#include "exec/stage.h"
#include "exec/transport.h"
#include <string.h>

typedef struct {
    const hesca_plan *plan;
    const hesca_arrays *arrays;
    int *counts[2], *displs[2]; /* sent, received; by rank; bytes */
    char *memory[2];
} exchange;

/* The chunk of this round that goes to or comes from a peer: 1 and the
 * message, or 0. */
static int
pick(const hesca_plan *plan, const hesca_peer *peer, int sending,
     int64_t round, hesca_message *msg, hesca_chunk *chunk)
{
    const int64_t cap = plan->staging.cap;
    if (peer->rank < 0 || peer->rank == plan->comm->rank)
        return 0;
    *msg =
        sending ? hesca_plan_sends(plan, peer) : hesca_plan_recvs(plan, peer);
    if (round >= hesca_chunk_count(msg, cap))
        return 0;
    *chunk = hesca_chunk_get(msg, cap, round);
    return 1;
}

/* Pack what this process sends in a round, and count what it receives. */
static void
pack_round(exchange *x, int64_t round)
{
    const hesca_plan *plan = x->plan;
    const int size = plan->comm->size;
    const int64_t esize = (int64_t)plan->problem.esize;
    hesca_message msg;
    hesca_chunk chunk;
    memset(x->counts[0], 0, (size_t)size * sizeof(int));
    memset(x->counts[1], 0, (size_t)size * sizeof(int));
    for (int i = 0; i < plan->schedule.nsteps; ++i) {
        const hesca_step *step = &plan->schedule.step[i];
        if (pick(plan, &step->dest, 1, round, &msg, &chunk))
            x->counts[0][step->dest.rank] =
                (int)(esize * hesca_chunk_move(
                                  &msg, chunk, x->arrays->a, x->arrays->lda,
                                  x->memory[0] + x->displs[0][step->dest.rank],
                                  0));
        if (pick(plan, &step->src, 0, round, &msg, &chunk))
            x->counts[1][step->src.rank] =
                (int)(esize * hesca_chunk_size(&msg, chunk));
    }
}

static void
unpack_round(exchange *x, int64_t round)
{
    const hesca_plan *plan = x->plan;
    hesca_message msg;
    hesca_chunk chunk;
    for (int i = 0; i < plan->schedule.nsteps; ++i) {
        const hesca_peer *src = &plan->schedule.step[i].src;
        if (pick(plan, src, 0, round, &msg, &chunk))
            hesca_chunk_move(&msg, chunk,
                             x->memory[1] + x->displs[1][src->rank], 0,
                             x->arrays->b, x->arrays->ldb);
    }
}

int
hesca_alltoall(const hesca_plan *plan, const hesca_arrays *arrays)
{
    exchange x = {.plan = plan, .arrays = arrays};
    const int size = plan->comm->size;
    int err = HESCA_SUCCESS;
    char *memory = hesca_stage_get(plan->staging.bytes);
    const size_t half = (size_t)size * plan->staging.slot;
    int *ints = (int *)(void *)memory; /* first, where they are aligned */
    for (int k = 0; k < 2; ++k) {
        x.counts[k] = ints + k * size;
        x.displs[k] = ints + (2 + k) * size;
        x.memory[k] = (char *)(ints + 4 * size) + (size_t)k * half;
        for (int r = 0; r < size; ++r)
            x.displs[k][r] = (int)((size_t)r * plan->staging.slot);
    }
    for (int64_t k = 0; k < hesca_own_chunks(plan, arrays, INT64_MAX); ++k)
        hesca_own_copy(plan, arrays, INT64_MAX, k);
    for (int64_t round = 0; round < plan->staging.nrounds; ++round) {
        MPI_Request request;
        pack_round(&x, round);
        HESCA_TRY(err,
                  hesca_mpi(MPI_Ialltoallv(x.memory[0], x.counts[0],
                                           x.displs[0], MPI_BYTE, x.memory[1],
                                           x.counts[1], x.displs[1], MPI_BYTE,
                                           plan->comm->mpi, &request),
                            "MPI_Ialltoallv"));
        HESCA_TRY(err, hesca_comm_wait(plan->comm, 1, &request));
        unpack_round(&x, round);
    }
fail:
    return err;
}
