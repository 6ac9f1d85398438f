/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/traffic.h"
#include "base/status.h"
#include "sched/pairs.h"
#include <stdlib.h>
#include <string.h>

static const traffic_message nothing = {.rank = -1};

/* ------------------------------------------------ all processes
 * This part is computed once; it does not depend on the process. */

static int
count_phases(const hesca_schedule *s)
{
    int n = s->nphases == 0;
    for (int k = 0; k < s->nphases; ++k)
        n += count_phases(&s->phase[k].schedule);
    return n;
}

static int64_t
count_lanes(const hesca_schedule *s)
{
    int64_t n = 0;
    for (int k = 0; k < s->nphases; ++k)
        n += count_lanes(&s->phase[k].schedule);
    for (int i = 0; s->store_forward != NULL && i < s->nsteps; ++i)
        n += hesca_store_forward_carried(s->store_forward, i);
    return n;
}

static int
allocate(traffic *t, const hesca_schedule *s)
{
    const size_t nsteps = (size_t)s->nsteps, nlanes = (size_t)count_lanes(s);
    t->phase_end = malloc((size_t)count_phases(s) * sizeof *t->phase_end);
    t->first = malloc((nsteps + 1) * sizeof *t->first);
    t->lane = malloc((nlanes + 1) * sizeof *t->lane);
    if (t->phase_end == NULL || t->first == NULL || t->lane == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu steps, %zu lanes", nsteps,
                          nlanes);
    t->first[0] = 0;
    return HESCA_SUCCESS;
}

/* The lanes that a step carries are the same for all processes and are found
 * once, since finding them takes longer than all the rest. */
static void
list_lanes(traffic *t, const hesca_schedule *s)
{
    for (int k = 0; k < s->nphases; ++k)
        list_lanes(t, &s->phase[k].schedule);
    if (s->nphases > 0)
        return;
    for (int i = 0; i < s->nsteps; ++i) {
        int64_t n = t->first[t->nsteps];
        if (s->store_forward != NULL)
            for (int64_t v = 0;
                 v < hesca_store_forward_lanes(s->store_forward); ++v)
                if (hesca_store_forward_moves(s->store_forward, v, i))
                    t->lane[n++] = v;
        t->first[++t->nsteps] = n;
    }
    t->phase_end[t->nphases++] = t->nsteps;
}

/* Ordered send-receive queues follow from one order of all messages, which is
 * found once because it takes longer than the rest. */
static int
order_all(traffic *t)
{
    const hesca_choice *c = &t->choice;
    int err;
    HESCA_TRY(err, hesca_pairs_order(c->solver->name, t->problem, c->links,
                                     &t->events, &t->times));
    t->queued = 1;
fail:
    return err;
}

int
traffic_make(traffic *t, const hesca_problem *problem,
             const hesca_choice *choice)
{
    hesca_schedule s;
    int err;
    *t = (traffic){.problem = problem, .choice = *choice};
    HESCA_TRY(err,
              hesca_schedule_init(choice, problem, problem->a->ranks[0], &s));
    HESCA_TRY(err, allocate(t, &s));
    list_lanes(t, &s);
    if (s.order == HESCA_ORDER_QUEUED)
        err = order_all(t);
fail:
    hesca_schedule_clear(&s);
    if (err < 0)
        traffic_clear(t);
    return err;
}

void
traffic_clear(traffic *t)
{
    hesca_timetable_clear(&t->times);
    hesca_events_clear(&t->events);
    free(t->phase_end);
    free(t->first);
    free(t->lane);
    memset(t, 0, sizeof *t);
}

/* ------------------------------------------------ one process
 * Messages of a process to itself, and empty ones, are omitted. */

static traffic_message
message_to(const hesca_problem *p, const hesca_peer *peer, int rank)
{
    if (peer->rank < 0 || peer->rank == rank || peer->count == 0)
        return nothing;
    return (traffic_message){peer->rank, 1, peer->count * (int64_t)p->esize};
}

/* Bytes of a packet; 0 if it is not sent because it stays on its process. */
static int64_t
packet_bytes(const hesca_problem *p, hesca_packet k)
{
    if (k.r < 0 || p->a->ranks[k.r * p->a->npcol + k.c] ==
                       p->b->ranks[k.s * p->b->npcol + k.d])
        return 0;
    return hesca_problem_common(p, k.r, k.c, k.s, k.d) * (int64_t)p->esize;
}

/* The packets that lanes hold before step `when`, or after it, with their
 * destination or source process. */
static traffic_message
bundle(const hesca_store_forward *relay, const int64_t *lane, int64_t n,
       int64_t when, int rank)
{
    traffic_message m = {.rank = rank};
    for (int64_t k = 0; k < n; ++k) {
        const int64_t bytes = packet_bytes(
            relay->problem, hesca_store_forward_packet(relay, lane[k], when));
        m.packets += bytes > 0;
        m.bytes += bytes;
    }
    return m.packets > 0 ? m : nothing;
}

static void
list_forwarded(const traffic *t, const hesca_schedule *s, int rank, int at,
               traffic_step *step)
{
    for (int i = 0; i < s->nsteps; ++i) {
        const int dest = s->step[i].dest.rank, src = s->step[i].src.rank;
        const int64_t *lane = t->lane + t->first[at + i];
        const int64_t n = t->first[at + i + 1] - t->first[at + i];
        step[at + i] = (traffic_step){nothing, nothing};
        if (dest >= 0 && dest != rank)
            step[at + i].out = bundle(s->store_forward, lane, n, i, dest);
        if (src >= 0 && src != rank)
            step[at + i].in = bundle(s->store_forward, lane, n, i + 1, src);
    }
}

/* Steps from `at` on; returns their end. */
static int
list_steps(const traffic *t, const hesca_problem *p, const hesca_schedule *s,
           int rank, int at, traffic_step *step)
{
    if (s->nphases > 0) {
        for (int k = 0; k < s->nphases; ++k)
            at = list_steps(t, &s->phase[k].problem, &s->phase[k].schedule,
                            rank, at, step);
        return at;
    }
    if (s->store_forward != NULL)
        list_forwarded(t, s, rank, at, step);
    else
        for (int i = 0; i < s->nsteps; ++i)
            step[at + i] =
                (traffic_step){message_to(p, &s->step[i].dest, rank),
                               message_to(p, &s->step[i].src, rank)};
    return at + s->nsteps;
}

int
traffic_of(const traffic *t, int rank, traffic_step *step)
{
    hesca_schedule s;
    int err;
    memset(&s, 0, sizeof s);
    HESCA_TRY(err, t->queued ? hesca_pairs_queues(t->problem, &t->events,
                                                  &t->times, rank, &s)
                             : hesca_schedule_init(&t->choice, t->problem,
                                                   rank, &s));
    list_steps(t, t->problem, &s, rank, 0, step);
fail:
    hesca_schedule_clear(&s);
    return err;
}
