#include "sim/clock.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* Where a process stands in both grids; -1: nowhere. */
typedef struct {
    int a[2], b[2];
} stand;

/* A schedule on its way. */
typedef struct {
    const hesca_costs *costs;
    hesca_store_forward relay; /* turned to one process after the other */
    stand *at;                 /* [nprocs] */
    double packet;             /* bytes of one, where all are equal */
} walk;

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
find_stands(walk *w, int nprocs)
{
    const hesca_layout *a = w->relay.problem->a, *b = w->relay.problem->b;
    for (int r = 0; r < nprocs; ++r)
        w->at[r] = (stand){{-1, -1}, {-1, -1}};
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
                       &w->relay, p, HESCA_STORE_FORWARD_GRID, degree, -1));
    find_stands(w, nprocs);
    const double all = (double)p->m * (double)p->n * (double)p->esize;
    w->packet = all / (p->a->nprow * p->a->npcol) /
                (double)hesca_store_forward_lanes(&w->relay);
fail:
    return err;
}

/* The schedules of processes differ only in where they stand. */
static void
turn(walk *w, int rank)
{
    w->relay.iproc = rank;
    memcpy(w->relay.a_at, w->at[rank].a, sizeof w->relay.a_at);
    memcpy(w->relay.b_at, w->at[rank].b, sizeof w->relay.b_at);
}

/* Bytes that the process sends in a step. */
static double
bytes_of(const walk *w, int64_t step)
{
    const hesca_problem *p = w->relay.problem;
    const int64_t lanes = hesca_store_forward_lanes(&w->relay);
    int64_t elements = 0;
    for (int64_t i = 0; i < lanes; ++i) {
        if (!hesca_store_forward_moves(&w->relay, i, step))
            continue;
        const hesca_packet k = hesca_store_forward_packet(&w->relay, i, step);
        if (k.r >= 0)
            elements += hesca_problem_common(p, k.r, k.c, k.s, k.d);
    }
    return (double)elements * (double)p->esize;
}

/* What stays on its process, and what is empty, is no message. */
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
    const int is_equal = w->relay.problem->col_count == NULL;
    const double equal =
        (double)hesca_store_forward_carried(&w->relay, step) * w->packet;
    memcpy(c->next, c->now, (size_t)c->nprocs * sizeof *c->now);
    for (int r = 0; r < c->nprocs; ++r) {
        int dest, src;
        turn(w, r);
        hesca_store_forward_peers(&w->relay, step, &dest, &src);
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
    for (int64_t t = 0; t < hesca_store_forward_steps(&w.relay); ++t)
        walk_step(c, &w, t);
fail:
    hesca_store_forward_clear(&w.relay);
    free(w.at);
    return err;
}
