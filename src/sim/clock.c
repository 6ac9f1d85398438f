/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/clock.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* The coordinates of a process in both grids; -1: it is not in this grid. */
typedef struct {
    int a[2], b[2];
} coords;

/* A schedule that is simulated. */
typedef struct {
    const hesca_costs *costs;
    hesca_store_forward schedule; /* of one process after the other */
    coords *at;                   /* [nprocs] */
    double packet;                /* bytes of a packet, if all are equal */
} walk;

/* --- clocks --- Clocks never go backwards. */

int
hesca_clock_init(hesca_clock *c, int nprocs)
{
    c->nprocs = nprocs;
    c->now = calloc((size_t)nprocs, sizeof *c->now);
    c->next = calloc((size_t)nprocs, sizeof *c->next);
    if (c->now != NULL && c->next != NULL)
        return HESCA_SUCCESS;
    hesca_clock_clear(c);
    return hesca_fail(HESCA_ERR_NOMEM, 0, "%d clocks", nprocs);
}

void
hesca_clock_clear(hesca_clock *c)
{
    free(c->now);
    free(c->next);
    memset(c, 0, sizeof *c);
}

double
hesca_clock_last(const hesca_clock *c)
{
    double last = 0;
    for (int r = 0; r < c->nprocs; ++r)
        last = c->now[r] > last ? c->now[r] : last;
    return last;
}

static void
find_coords(walk *w, int nprocs)
{
    const hesca_layout *a = w->schedule.problem->a,
                       *b = w->schedule.problem->b;
    for (int r = 0; r < nprocs; ++r)
        w->at[r] = (coords){{-1, -1}, {-1, -1}};
    for (int k = 0; k < a->nprow * a->npcol; ++k) {
        w->at[a->ranks[k]].a[0] = k / a->npcol;
        w->at[a->ranks[k]].a[1] = k % a->npcol;
    }
    for (int k = 0; k < b->nprow * b->npcol; ++k) {
        w->at[b->ranks[k]].b[0] = k / b->npcol;
        w->at[b->ranks[k]].b[1] = k % b->npcol;
    }
}

static int
begin(walk *w, const hesca_problem *p, int degree, int nprocs)
{
    int err;
    w->at = malloc((size_t)nprocs * sizeof *w->at);
    if (w->at == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", nprocs);
    HESCA_TRY(err, hesca_store_forward_init(
                       &w->schedule, p, HESCA_STORE_FORWARD_GRID, degree, -1));
    find_coords(w, nprocs);
    const double all = (double)p->m * (double)p->n * (double)p->esize;
    w->packet = all / (p->a->nprow * p->a->npcol) /
                (double)hesca_store_forward_lanes(&w->schedule);
fail:
    return err;
}

/* --- simulation ---
 * now is that before the step and next that after it; a step reads now only,
 * so the order of processes does not matter. */

/* Make w->schedule the schedule of a process.  Schedules of different
 * processes differ only in the coordinates. */
static void
set_process(walk *w, int rank)
{
    w->schedule.iproc = rank;
    memcpy(w->schedule.a_at, w->at[rank].a, sizeof w->schedule.a_at);
    memcpy(w->schedule.b_at, w->at[rank].b, sizeof w->schedule.b_at);
}

/* Bytes that the process sends in a step. */
static double
bytes_of(const walk *w, int64_t step)
{
    const hesca_problem *p = w->schedule.problem;
    const int64_t lanes = hesca_store_forward_lanes(&w->schedule);
    int64_t elements = 0;
    for (int64_t i = 0; i < lanes; ++i) {
        if (!hesca_store_forward_moves(&w->schedule, i, step))
            continue;
        const hesca_packet k =
            hesca_store_forward_packet(&w->schedule, i, step);
        if (k.r >= 0)
            elements += hesca_problem_common(p, k.r, k.c, k.s, k.d);
    }
    return (double)elements * (double)p->esize;
}

/* Advance the clocks of both ends of a message.  Data that stays on its
 * process and empty data need no message. */
static void
send(hesca_clock *c, int rank, int dest, double bytes,
     const hesca_costs *costs)
{
    if (dest < 0 || dest == rank || bytes <= 0)
        return;
    const double begin =
        c->now[rank] > c->now[dest] ? c->now[rank] : c->now[dest];
    const double end = begin + costs->startup + bytes * costs->byte;
    if (c->next[rank] < end)
        c->next[rank] = end;
    if (c->next[dest] < end)
        c->next[dest] = end;
}

static void
walk_step(hesca_clock *c, walk *w, int64_t step)
{
    const int is_equal = w->schedule.problem->col_count == NULL;
    const double equal =
        (double)hesca_store_forward_carried(&w->schedule, step) * w->packet;
    memcpy(c->next, c->now, (size_t)c->nprocs * sizeof *c->now);
    for (int r = 0; r < c->nprocs; ++r) {
        int dest, src;
        set_process(w, r);
        hesca_store_forward_peers(&w->schedule, step, &dest, &src);
        send(c, r, dest, is_equal ? equal : bytes_of(w, step), w->costs);
    }
    double *const now = c->now;
    c->now = c->next;
    c->next = now;
}

int
hesca_clock_walk(hesca_clock *c, const hesca_problem *p, int degree,
                 const hesca_costs *costs)
{
    walk w = {.costs = costs};
    int err;
    HESCA_TRY(err, begin(&w, p, degree, c->nprocs));
    for (int64_t t = 0; t < hesca_store_forward_steps(&w.schedule); ++t)
        walk_step(c, &w, t);
fail:
    hesca_store_forward_clear(&w.schedule);
    free(w.at);
    return err;
}
