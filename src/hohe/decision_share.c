/* SPDX-License-Identifier: BSD-3-Clause */
/* One process decides for all, the fastest: predictions of one call take .2 to
 * 6 ms of a core, on a tenth of one 60 ms.  The others learn the way, the
 * forecast and the ranks of both grids, from which all make the same layouts.
 */
#include "base/status.h"
#include "exec/agree.h"
#include "hohe/hohe_decide.h"
#include <stdlib.h>
#include <string.h>

struct hesca_hohe_message {
    hesca_failure failure;
    hesca_hohe_info info;
    int is_bounded, waits;
    double raw[HESCA_WAYS];
    int ranks[]; /* as in hesca_hohe_entry */
};

static size_t
message_bytes(const hesca_comm *c)
{
    return sizeof(hesca_hohe_message) + 2 * (size_t)c->size * sizeof(int);
}

int
hesca_hohe_reserve(hesca_comm *c)
{
    const size_t n = (size_t)c->size;
    struct hesca_hohe_decisions *d;
    hesca_hohe_entry *e;
    int err;
    HESCA_TRY(err, hesca_hohe_prepare(c));
    d = c->hohe;
    if (d->speed == NULL)
        d->speed = calloc(n, sizeof *d->speed);
    if (d->message == NULL)
        d->message = calloc(1, message_bytes(c));
    if (d->spare == NULL)
        d->spare = calloc(1, sizeof *d->spare);
    e = d->spare;
    if (e != NULL && e->ranks == NULL)
        e->ranks = calloc(2 * n, sizeof *e->ranks);
    if (d->speed == NULL || d->message == NULL || e == NULL ||
        e->ranks == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a decision");
fail:
    return err;
}

int
hesca_hohe_reserve_all(hesca_comm *c)
{
    int err = HESCA_SUCCESS;
    if (c->hohe != NULL && c->hohe->is_reserved)
        return err;
    HESCA_TRY(err, hesca_agree(c, hesca_hohe_reserve(c), 0, NULL));
    c->hohe->is_reserved = 1;
fail:
    return err;
}

/* The fastest process; of those, that of the lowest rank. */
static int
decider(const hesca_hohe_call *x)
{
    double *speed = x->c->hohe->speed;
    int first = 0;
    hesca_hohe_find_speeds(x, speed);
    for (int r = 1; r < x->c->size; ++r)
        if (speed[r] > speed[first])
            first = r;
    return first;
}

/* Decide, into the message. */
static void
decide(const hesca_hohe_call *x, hesca_hohe_entry *e, hesca_hohe_message *m)
{
    const hesca_hohe_forecast *f = &e->info.forecast;
    const int err = hesca_hohe_decide_here(x, e);
    memset(m, 0, sizeof *m);
    m->failure = *hesca_failure_get();
    m->failure.err = err;
    m->info = e->info;
    m->is_bounded = e->is_bounded;
    m->waits = e->waits;
    memcpy(m->raw, e->raw, sizeof m->raw);
    if (e->cut.process != NULL)
        memcpy(m->ranks, e->cut.process,
               (size_t)(f->hohe_nprow * f->hohe_npcol) * sizeof(int));
    if (e->other.grid.process != NULL)
        memcpy(m->ranks + x->c->size, e->other.grid.process,
               (size_t)(f->nprow * f->npcol) * sizeof(int));
    hesca_hohe_entry_empty(e);
}

int
hesca_hohe_share_decision(const hesca_hohe_call *x, hesca_hohe_entry *e)
{
    hesca_comm *c = x->c;
    hesca_hohe_message *m = c->hohe->message;
    MPI_Request request;
    int err;
    const int root = decider(x);
    if (c->rank == root)
        decide(x, e, m);
    HESCA_MPI(err, Ibcast, m, (int)message_bytes(c), MPI_BYTE, root, c->mpi,
              &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    if (m->failure.err < 0)
        return hesca_failure_set(&m->failure);
    e->info = m->info;
    e->is_bounded = m->is_bounded;
    e->waits = m->waits;
    memcpy(e->raw, m->raw, sizeof e->raw);
    memcpy(e->ranks, m->ranks, 2 * (size_t)c->size * sizeof *e->ranks);
fail:
    return err;
}

int
hesca_hohe_make_layouts(const hesca_hohe_call *x, const int *ranks,
                        hesca_hohe_entry *e)
{
    const hesca_hohe_job *job = &x->key.job;
    const hesca_hohe_forecast *f = &e->info.forecast;
    double *speed = x->c->hohe->speed;
    if (e->info.way == HESCA_WAY_GRID)
        return hesca_hohe_regrid_init(job, x->part, f->nprow, f->npcol, f->nb,
                                      ranks + x->c->size, &e->other.grid);
    if (e->info.way != HESCA_WAY_HOHE)
        return HESCA_SUCCESS;
    hesca_hohe_find_speeds(x, speed);
    return f->hohe_nprow > 0
               ? hesca_hohe_cut_init_on(job, f->hohe_nprow, f->hohe_npcol,
                                        ranks, speed, &e->cut)
               : hesca_hohe_cut_init_power(job, speed, f->power, &e->cut);
}
