/* SPDX-License-Identifier: BSD-3-Clause */
/* The optimum by branch and bound: BHAT-COL 4.2.
 *
 * There is an optimum without idle time before any send, so a schedule is
 * determined by the choice of each sender when it is free.  The search always
 * branches on the sender that is free first: it sends to one of the other
 * processes, or never again.  So sends are generated in the order in which
 * they begin, and every schedule is generated once.  A state is pruned if it
 * cannot be better than the best broadcast so far, initially that of the tree
 * search:
 * - by earliest reach times from the present senders,
 * - by the number of remaining messages, even if all took the least time,
 * - by an explored state with the same sets, in which every process is ready
 *   no later and the finish is no later. */
#include "base/status.h"
#include "bcast/growth.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10, SEEN = 256 };

/* --- pruning ---
 * Each test is a proof: no broadcast that is better than the best one begins
 * with a pruned state. */

typedef struct {
    unsigned b, i;      /* sets of destinations left, and of possible relays */
    double ready[MOST]; /* INFINITY: not in A, or does not send again */
    double finish;      /* so far */
} state;

/* Explored states with the same b; a new one replaces the oldest. */
typedef struct {
    int n, at;
    state seen[SEEN];
} memory;

typedef struct {
    const hesca_broadcast_problem *problem;
    int nproc;
    hesca_send sends[MOST]; /* of the state that is explored */
    int n;
    hesca_broadcast *best;
    memory *memory; /* [2^nproc] */
} search;

static int
is_dominated(const search *x, const state *s)
{
    const memory *m = &x->memory[s->b];
    for (int k = 0; k < m->n; ++k) {
        const state *old = &m->seen[k];
        int i = 0;
        if (old->finish > s->finish || old->i != s->i)
            continue;
        while (i < x->nproc && old->ready[i] <= s->ready[i])
            ++i;
        if (i == x->nproc)
            return 1;
    }
    return 0;
}

static void
remember(search *x, const state *s)
{
    memory *m = &x->memory[s->b];
    m->seen[m->at] = *s;
    m->at = (m->at + 1) % SEEN;
    m->n = m->n < SEEN ? m->n + 1 : SEEN;
}

/* Whether some member of B is reached too late on the shortest path. */
static int
is_too_far(const search *x, const state *s)
{
    double time[MOST];
    unsigned open = 0;
    for (int i = 0; i < x->nproc; ++i) {
        time[i] = s->ready[i];
        open |= 1u << i;
    }
    for (;;) {
        int first = -1;
        for (int i = 0; i < x->nproc; ++i)
            if ((open >> i & 1) && (first < 0 || time[i] < time[first]))
                first = i;
        if ((open & s->b) == 0)
            return 0;
        if (time[first] >= x->best->finish)
            return 1;
        open &= ~(1u << first);
        for (int j = 0; j < x->nproc; ++j)
            if ((open & (s->b | s->i)) >> j & 1)
                time[j] = fmin(time[j],
                               time[first] +
                                   hesca_broadcast_cost(x->problem, first, j));
    }
}

/* Whether the last message would end too late even if each had the least cost.
 * In the blocking model a message takes the same time on both sides; otherwise
 * the sender is free after the least start-up. */
static int
is_too_many(const search *x, const state *s)
{
    double free_at[2 * MOST], cost = INFINITY, busy = INFINITY, last = 0;
    int n = 0, left = 0;
    for (int i = 0; i < x->nproc; ++i) {
        const int sends = !isinf(s->ready[i]) || ((s->b | s->i) >> i & 1);
        if (!isinf(s->ready[i]))
            free_at[n++] = s->ready[i];
        left += (s->b >> i & 1) != 0;
        for (int j = 0; sends && j < x->nproc; ++j)
            if (j != i && ((s->b | s->i) >> j & 1)) {
                cost = fmin(cost, hesca_broadcast_cost(x->problem, i, j));
                busy = fmin(busy, hesca_broadcast_busy(x->problem, i, j));
            }
    }
    for (; left > 0; --left) {
        int first = 0;
        for (int k = 1; k < n; ++k)
            if (free_at[k] < free_at[first])
                first = k;
        last = fmax(last, free_at[first] + cost);
        free_at[n++] = free_at[first] + cost;
        free_at[first] += busy;
    }
    return last >= x->best->finish;
}

/* --- branching ---
 * x->sends[0 ... n - 1] lead from the root to the explored state; best always
 * has a complete broadcast and its finish. */

static void explore(search *x, const state *s);

static void
send(search *x, const state *s, int i, int j)
{
    const double end = s->ready[i] + hesca_broadcast_cost(x->problem, i, j);
    state next = *s;
    if (end >= x->best->finish)
        return;
    if (s->b >> j & 1)
        next.finish = fmax(next.finish, end);
    next.b &= ~(1u << j);
    next.i &= ~(1u << j);
    next.ready[i] += hesca_broadcast_busy(x->problem, i, j);
    next.ready[j] = end;
    x->sends[x->n++] =
        (hesca_send){.src = i, .dest = j, .start = s->ready[i], .end = end};
    explore(x, &next);
    --x->n;
}

/* Receivers by ascending cost, since early good solutions give good bounds. */
static void
branch(search *x, const state *s, int i)
{
    unsigned left = s->b | s->i;
    state next = *s;
    while (left != 0) {
        int near = -1;
        for (int j = 0; j < x->nproc; ++j)
            if ((left >> j & 1) &&
                (near < 0 || hesca_broadcast_cost(x->problem, i, j) <
                                 hesca_broadcast_cost(x->problem, i, near)))
                near = j;
        left &= ~(1u << near);
        send(x, s, i, near);
    }
    next.ready[i] = INFINITY;
    explore(x, &next);
}

static void
explore(search *x, const state *s)
{
    int first = 0;
    if (s->b == 0) {
        /* It is better than the best, or send() would have pruned it. */
        x->best->n = x->n;
        x->best->finish = s->finish;
        memcpy(x->best->send, x->sends, (size_t)x->n * sizeof *x->sends);
        return;
    }
    if (is_too_many(x, s) || is_too_far(x, s) || is_dominated(x, s))
        return;
    for (int i = 1; i < x->nproc; ++i)
        if (s->ready[i] < s->ready[first])
            first = i;
    branch(x, s, first);
    remember(x, s);
}

static int
make(const hesca_broadcast_algorithm *algorithm,
     const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    search x = {.problem = problem, .nproc = problem->nproc, .best = b};
    state s = {.finish = 0};
    char wanted[MOST];
    int err = hesca_broadcast_by_graft.make(algorithm, problem, b);
    if (err < 0)
        return err;
    x.memory = calloc((size_t)1 << problem->nproc, sizeof *x.memory);
    if (x.memory == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "states of %d processes",
                          problem->nproc);
    hesca_broadcast_wanted(problem, wanted);
    for (int i = 0; i < problem->nproc; ++i) {
        s.ready[i] = i == problem->root ? 0 : INFINITY;
        if (wanted[i])
            s.b |= 1u << i;
        else if (i != problem->root && problem->relays)
            s.i |= 1u << i;
    }
    b->finish = hesca_broadcast_finish(b, wanted);
    explore(&x, &s);
    free(x.memory);
    return HESCA_SUCCESS;
}

const hesca_broadcast_algorithm hesca_broadcast_by_optimum = {
    .name = "optimum",
    .help = "the optimum, by branch and bound",
    .most = MOST,
    .relays = 1,
    .make = make,
};
