/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched/pairs.h"
#include "base/arith.h"
#include "base/status.h"
#include "hesca/experimental/heuristics.h"
#include <stdlib.h>

/* --- events ---
 * There is one event for every pair of different processes with common
 * elements, in any order. */

static int
count_ranks(const hesca_layout *x, int most)
{
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        most = x->ranks[k] >= most ? x->ranks[k] + 1 : most;
    return most;
}

/* List the messages of process k of A; return their number.  list may be NULL.
 */
static int64_t
list_messages(const hesca_problem *p, const hesca_link_costs *links, int k,
              hesca_event *list)
{
    const hesca_layout *a = p->a, *b = p->b;
    const int r = k / a->npcol, c = k % a->npcol, src = a->ranks[k];
    int64_t n = 0;
    for (int s = 0; s < b->nprow; ++s)
        for (int d = 0; d < b->npcol; ++d) {
            const double elements =
                (double)hesca_problem_common_rows(p, r, c, s, d) *
                (double)hesca_problem_common_cols(p, r, c, s, d);
            const int dest = b->ranks[s * b->npcol + d];
            const double bytes = elements * (double)p->esize;
            if (elements == 0 || dest == src)
                continue;
            if (list != NULL)
                list[n] =
                    (hesca_event){src, dest, bytes,
                                  hesca_link_seconds(links, src, dest, bytes)};
            ++n;
        }
    return n;
}

int
hesca_pairs_events(const hesca_problem *p, const hesca_link_costs *links,
                   hesca_events *x)
{
    const int na = p->a->nprow * p->a->npcol;
    const int nproc = links->network != NULL
                          ? links->network->nproc
                          : count_ranks(p->b, count_ranks(p->a, 0));
    int64_t n = 0;
    for (int k = 0; k < na; ++k)
        n += list_messages(p, links, k, NULL);
    hesca_event *list = malloc(((size_t)n + 1) * sizeof *list);
    if (list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld messages", (long long)n);
    n = 0;
    for (int k = 0; k < na; ++k)
        n += list_messages(p, links, k, list + n);
    const int err = hesca_events_init(x, nproc, n, list);
    free(list);
    return err;
}

/* --- timetables ---
 * The timetable of the direct schedule has its steps; that of a heuristic has
 * its orders. */

/* Record the steps in which one process sends. */
static int
note_steps(const hesca_problem *p, const hesca_events *x, int rank,
           int64_t *step, int64_t *nsteps)
{
    hesca_schedule s = {.nsteps = 0};
    int err;
    HESCA_TRY(err, hesca_steps_fill(p, rank, &s));
    *nsteps = hesca_max(*nsteps, s.nsteps);
    for (int k = 0; k < s.nsteps; ++k) {
        const hesca_peer *dest = &s.step[k].dest;
        if (dest->rank >= 0 && dest->rank != rank && dest->count > 0)
            step[hesca_events_find(x, rank, dest->rank)] = k;
    }
fail:
    hesca_schedule_clear(&s);
    return err;
}

/* Set the times if every event of a step begins when the last one of the
 * previous step has ended. */
static void
wait_for_all(const hesca_events *x, int64_t nsteps, const int64_t *step,
             double *longest, hesca_timetable *t)
{
    for (int64_t k = 0; k < nsteps; ++k)
        longest[k] = 0;
    for (int64_t e = 0; e < x->n; ++e)
        if (x->seconds[e] > longest[step[e]])
            longest[step[e]] = x->seconds[e];
    t->finish = 0;
    for (int64_t k = 0; k < nsteps; ++k) {
        const double length = longest[k];
        longest[k] = t->finish;
        t->finish += length;
    }
    for (int64_t e = 0; e < x->n; ++e) {
        t->start[e] = longest[step[e]];
        t->end[e] = t->start[e] + x->seconds[e];
    }
}

int
hesca_pairs_direct(const hesca_problem *p, const hesca_events *x,
                   int is_barrier, hesca_timetable *t)
{
    const int na = p->a->nprow * p->a->npcol;
    int64_t nsteps = 1, *step = calloc((size_t)x->n + 1, sizeof *step);
    double *longest = NULL;
    int err = HESCA_SUCCESS;
    *t = (hesca_timetable){.n = 0};
    if (step == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld messages",
                          (long long)x->n);
    for (int k = 0; k < na; ++k)
        HESCA_TRY(err, note_steps(p, x, p->a->ranks[k], step, &nsteps));
    HESCA_TRY(err, hesca_timetable_of_steps(t, x, nsteps, step, NULL));
    if (is_barrier) {
        longest = malloc((size_t)nsteps * sizeof *longest);
        if (longest == NULL)
            HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%lld steps",
                                      (long long)nsteps));
        wait_for_all(x, nsteps, step, longest, t);
    }
fail:
    if (err < 0)
        hesca_timetable_clear(t);
    free(longest);
    free(step);
    return err;
}

/* Add a start-up time to every event: a sender begins its next message when it
 * has been notified that the previous one has arrived. */
static void
add_notifications(hesca_events *x, const hesca_network *network)
{
    for (int64_t e = 0; network != NULL && e < x->n; ++e)
        x->seconds[e] +=
            hesca_network_wire(network, x->src[e], x->dest[e]).startup;
}

int
hesca_pairs_order(const char *heuristic, const hesca_problem *p,
                  const hesca_link_costs *links, hesca_events *x,
                  hesca_timetable *t)
{
    int err;
    HESCA_TRY(err, hesca_pairs_events(p, links, x));
    add_notifications(x, links->network);
    HESCA_TRY(err, hesca_heuristic_find(heuristic)->make(x, NULL, t));
fail:
    return err;
}

/* --- ordered send-receive ---
 * Step k of the schedule has the k-th send and the k-th receive of the
 * process, which belong to independent lists. */

/* The process `other` as destination, or as source, of process `rank`. */
static hesca_peer
peer(const hesca_problem *p, int rank, int other, int is_dest)
{
    int r, c, s, d;
    hesca_layout_coords(p->a, is_dest ? rank : other, &r, &c);
    hesca_layout_coords(p->b, is_dest ? other : rank, &s, &d);
    return (hesca_peer){.rank = other,
                        .prow = is_dest ? s : r,
                        .pcol = is_dest ? d : c,
                        .count = hesca_problem_common(p, r, c, s, d)};
}

static int64_t
longest_queue(const hesca_events *x, const hesca_timetable *t)
{
    int64_t most = 0;
    for (int r = 0; r < x->nproc; ++r) {
        most = hesca_max(most, x->first[r + 1] - x->first[r]);
        most = hesca_max(most, t->recv_first[r + 1] - t->recv_first[r]);
    }
    return most;
}

int
hesca_pairs_queues(const hesca_problem *p, const hesca_events *x,
                   const hesca_timetable *t, int rank,
                   hesca_schedule *schedule)
{
    const int known = rank < x->nproc;
    const int64_t *send = known ? t->send + x->first[rank] : NULL;
    const int64_t *recv = known ? t->recv + t->recv_first[rank] : NULL;
    const int64_t nsend = known ? x->first[rank + 1] - x->first[rank] : 0;
    const int64_t nrecv =
        known ? t->recv_first[rank + 1] - t->recv_first[rank] : 0;
    const int n = (int)longest_queue(x, t);
    schedule->step = malloc(((size_t)n + 1) * sizeof *schedule->step);
    if (schedule->step == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d messages", n);
    schedule->order = HESCA_ORDER_QUEUED;
    schedule->nsteps = n;
    for (int k = 0; k < n; ++k) {
        hesca_step *step = &schedule->step[k];
        step->dest.rank = step->src.rank = -1;
        if (k < nsend)
            step->dest = peer(p, rank, x->dest[send[k]], 1);
        if (k < nrecv)
            step->src = peer(p, rank, x->src[recv[k]], 0);
    }
    return HESCA_SUCCESS;
}
