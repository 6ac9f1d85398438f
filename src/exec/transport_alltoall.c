/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of one MPI_Alltoall: in round k every pair of processes exchanges
 * chunk k of its message, padded to the length of the longest.  This is the
 * baseline; MPI chooses the order.  Source: LIM section 5, Figure 18. */
#include "base/status.h"
#include "exec/staging.h"
#include "exec/transport.h"
#include <string.h>

typedef struct {
    const hesca_plan *plan;
    const hesca_arrays *arrays;
    char *memory[2]; /* sent, received: a slot for every rank */
} exchange;

static char *
slot_of(const exchange *x, int received, int rank)
{
    return x->memory[received] + (size_t)rank * x->plan->staging.slot;
}

/* Find the chunk of this round that goes to or comes from a peer: 1 and the
 * message, or 0. */
static int
find_chunk(const hesca_plan *plan, const hesca_peer *peer, int sending,
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

static void
pack_round(exchange *x, int64_t round)
{
    const hesca_plan *plan = x->plan;
    hesca_message msg;
    hesca_chunk chunk;
    /* MPI must not read uninitialized memory. */
    memset(x->memory[0], 0, (size_t)plan->comm->size * plan->staging.slot);
    for (int i = 0; i < plan->schedule.nsteps; ++i) {
        const hesca_peer *dest = &plan->schedule.step[i].dest;
        if (find_chunk(plan, dest, 1, round, &msg, &chunk))
            hesca_chunk_move(&msg, chunk, x->arrays->a, x->arrays->lda,
                             slot_of(x, 0, dest->rank), 0);
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
        if (find_chunk(plan, src, 0, round, &msg, &chunk))
            hesca_chunk_move(&msg, chunk, slot_of(x, 1, src->rank), 0,
                             x->arrays->b, x->arrays->ldb);
    }
}

int
hesca_alltoall(const hesca_plan *plan, const hesca_arrays *arrays)
{
    exchange x = {.plan = plan, .arrays = arrays};
    const int bytes = (int)plan->staging.slot;
    int err = HESCA_SUCCESS;
    x.memory[0] = hesca_staging_get(plan->comm, HESCA_STAGING_MESSAGES,
                                    plan->staging.bytes);
    x.memory[1] = slot_of(&x, 0, plan->comm->size);
    for (int64_t k = 0; k < hesca_own_chunks(plan, arrays, INT64_MAX); ++k)
        hesca_own_copy(plan, arrays, INT64_MAX, k);
    for (int64_t round = 0; round < plan->staging.nrounds; ++round) {
        MPI_Request request;
        pack_round(&x, round);
        HESCA_MPI(err, Ialltoall, x.memory[0], bytes, MPI_BYTE, x.memory[1],
                  bytes, MPI_BYTE, plan->comm->mpi, &request);
        for (int k = 0; k < plan->comm->size; ++k)
            if (k != plan->comm->rank)
                hesca_comm_sent(plan->comm, k, bytes);
        HESCA_TRY(err, hesca_comm_wait(plan->comm, 1, &request));
        unpack_round(&x, round);
    }
fail:
    return err;
}
