/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "exec/transport.h"
#include <stdio.h>
#include <string.h>

/* --- the local share ---
 * It is copied in chunks between the tests of messages. */

int64_t
hesca_own_chunks(const hesca_plan *plan, const hesca_arrays *x, int64_t cap)
{
    if (!plan->a.member || !plan->b.member)
        return 0;
    if (x->a == x->b && plan->in_place && x->lda == x->ldb)
        return 0; /* no element moves */
    const hesca_message msg = hesca_plan_own(plan);
    return hesca_chunk_count(&msg, cap);
}

void
hesca_own_copy(const hesca_plan *plan, const hesca_arrays *x, int64_t cap,
               int64_t k)
{
    const hesca_message msg = hesca_plan_own(plan);
    hesca_chunk_move(&msg, hesca_chunk_get(&msg, cap, k), x->a, x->lda, x->b,
                     x->ldb);
}

/* --- all flows ---
 * The exchange is complete when no flow has an unfinished step. */

/* The first message that this process waits for. */
static hesca_awaited
awaited(const hesca_exchange *x)
{
    const hesca_awaited mpi = hesca_mpi_awaited(&x->mpi);
    const hesca_awaited shm = hesca_shm_awaited(&x->shm);
    return mpi.step < shm.step ? mpi : shm;
}

void
hesca_exchange_pause(const hesca_exchange *x, hesca_backoff *wait)
{
    const hesca_schedule *s = &x->plan->schedule;
    const hesca_awaited w = awaited(x);
    char what[160];
    if (x->plan->comm->params.timeout > 0)
        snprintf(what, sizeof what,
                 "rank %d to %s data, step %d of %d of schedule %s", w.rank,
                 w.sending ? "take" : "send", w.step + 1, s->nsteps, s->name);
    hesca_comm_pause(x->plan->comm, wait, what);
}

int
hesca_exchange_advance(hesca_exchange *x, int *progress)
{
    const hesca_schedule *s = &x->plan->schedule;
    /* In stepwise order no process proceeds beyond its first unfinished
     * step. */
    const int gate =
        s->order == HESCA_ORDER_STEPWISE ? awaited(x).step : s->nsteps;
    int err;
    HESCA_TRY(err, hesca_mpi_advance(&x->mpi, gate, progress));
    hesca_shm_advance(&x->shm, gate, progress);
    if (x->own < x->nown) {
        hesca_own_copy(x->plan, x->arrays, x->own_cap, x->own++);
        *progress = 1;
    }
fail:
    return err;
}

/* Record every message. */
static void
note_messages(const hesca_plan *plan)
{
    const double esize = (double)plan->problem.esize;
    for (int i = 0; plan->record != NULL && i < plan->schedule.nsteps; ++i) {
        const hesca_step *step = &plan->schedule.step[i];
        const hesca_tally *t = &plan->tally[i];
        if (t->out.begun > 0)
            hesca_record_note(plan->record, 1, step->dest.rank,
                              (double)step->dest.count * esize, t->out.begun,
                              t->out.ended);
        if (t->in.begun > 0)
            hesca_record_note(plan->record, 0, step->src.rank,
                              (double)step->src.count * esize, t->in.begun,
                              t->in.ended);
    }
}

void
hesca_exchange_begin(hesca_exchange *x, const hesca_plan *plan,
                     const hesca_arrays *arrays, int paced)
{
    *x = (hesca_exchange){.plan = plan, .arrays = arrays};
    hesca_mpi_begin(&x->mpi, plan, arrays, paced);
    hesca_shm_begin(&x->shm, plan, arrays);
    /* With a window, a chunk of the local share is as large as one of the
     * window: then the columns that are packed are also copied while they are
     * in cache. */
    x->own_cap =
        plan->shm
            ? x->shm.cap
            : hesca_max(1, HESCA_OWN_BYTES / (int64_t)plan->problem.esize);
    x->nown = hesca_own_chunks(plan, arrays, x->own_cap);
}

int
hesca_exchange_is_over(const hesca_exchange *x)
{
    return x->own >= x->nown && awaited(x).step >= x->plan->schedule.nsteps;
}

int
hesca_exchange_run(const hesca_plan *plan, const hesca_arrays *arrays)
{
    hesca_exchange x;
    hesca_backoff wait = hesca_comm_backoff(plan->comm);
    int err = HESCA_SUCCESS;
    if (plan->record != NULL)
        memset(plan->tally, 0,
               (size_t)plan->schedule.nsteps * sizeof *plan->tally);
    hesca_exchange_begin(&x, plan, arrays, 0);
    while (!hesca_exchange_is_over(&x)) {
        int progress = 0;
        HESCA_TRY(err, hesca_exchange_advance(&x, &progress));
        if (progress)
            wait = hesca_comm_backoff(plan->comm);
        else
            hesca_exchange_pause(&x, &wait);
    }
    note_messages(plan);
fail:
    return err;
}
