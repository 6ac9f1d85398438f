/* SPDX-License-Identifier: BSD-3-Clause */
/* Rebalancing decreases a potential: the sum of (load - target)^2 / target.
 * Every move decreases it, so the method ends, and load flows between parts
 * that are not neighbours through the parts between them.  Vertices above a
 * limit have priority.
 *
 * Cost: evaluations of vertices are counted, and balancing ends after
 * EVALUATIONS for each vertex, at least EVALUATIONS_LEAST. Limits are always
 * enforced, which takes at most n more moves. */
#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/gains.h"
#include "partition/graph/refinement.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVALUATIONS = 32, EVALUATIONS_LEAST = 200000 };

typedef struct {
    hesca_partition_state *s;
    hesca_degrees degrees;
    hesca_gains gains; /* vertices at borders, by gain of their best move */
    hesca_gains far;   /* others, by degree to their own part, negated */
    hesca_gains
        empty[2]; /* parts below limits, of each class, emptiest first */
    int64_t evaluations; /* remaining ones */
} rebalancer;

static int
is_above_limit(const hesca_partition_state *s, int part)
{
    return s->count[part] > s->x->most[part];
}

/* --- evaluation of moves ---
 * These functions change no part; r->degrees is that of the vertex evaluated
 * last. */

/* Whether a move of v decreases the excess over a limit or the potential. */
static int
is_useful(const rebalancer *r, int64_t v, int to)
{
    const hesca_partition_state *s = r->s;
    const hesca_partition_problem *x = s->x;
    const int from = s->part[v], c = hesca_class(x, v);
    const int64_t w = hesca_weight(x, v), *load = s->load + c * x->p;
    if (s->count[to] >= x->most[to])
        return 0;
    if (is_above_limit(s, from))
        return 1;
    return w > 0 && r->evaluations > 0 &&
           (hesca_partition_state_outside(x, c, from, load[from]) > 0 ||
            hesca_partition_state_outside(x, c, to, load[to]) > 0) &&
           hesca_partition_state_growth(x, c, from, load[from], -w) +
                   hesca_partition_state_growth(x, c, to, load[to], w) <
               -1e-9;
}

static void
compute_degrees(rebalancer *r, int64_t v)
{
    --r->evaluations;
    hesca_degrees_reset(&r->degrees);
    r->s->x->connectivity->kind->degrees(r->s->x->connectivity, r->s->part, v,
                                         &r->degrees);
}

/* The useful move of v with the largest gain, of equal gains to the emptiest
 * part; -1 if there is none. */
static int
best_move(rebalancer *r, int64_t v, int64_t *gain)
{
    const hesca_partition_state *s = r->s;
    const hesca_partition_problem *x = s->x;
    const int from = s->part[v], c = hesca_class(x, v);
    const int64_t *load = s->load + c * x->p, *degree = r->degrees.degree;
    int best = -1;
    compute_degrees(r, v);
    for (int i = 0; i < r->degrees.n; ++i) {
        const int to = r->degrees.part[i];
        if (to == from || !is_useful(r, v, to))
            continue;
        if (best < 0 || degree[to] > degree[best]) {
            best = to;
            continue;
        }
        const double e = hesca_partition_state_excess(x, c, to, load[to]),
                     least =
                         hesca_partition_state_excess(x, c, best, load[best]);
        if (degree[to] == degree[best] &&
            (e < least || (e <= least && to < best)))
            best = to;
    }
    if (best >= 0)
        *gain = degree[best] - degree[from];
    return best;
}

static void
update(void *state, int64_t v)
{
    rebalancer *r = state;
    int64_t gain;
    if (best_move(r, v, &gain) >= 0)
        hesca_gains_put(&r->gains, v, gain);
    else
        hesca_gains_drop(&r->gains, v);
}

/* An integer in the same order as the real numbers. */
static int64_t
order_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

/* Update the position of a part among those below limits. */
static void
update_empty(rebalancer *r, int part)
{
    const hesca_partition_state *s = r->s;
    for (int c = 0; c < s->x->classes; ++c)
        if (s->count[part] < s->x->most[part])
            hesca_gains_put(&r->empty[c], part,
                            -order_of(hesca_partition_state_excess(
                                s->x, c, part, s->load[c * s->x->p + part])));
        else
            hesca_gains_drop(&r->empty[c], part);
}

static void
move(rebalancer *r, int64_t v, int to)
{
    const int from = r->s->part[v];
    hesca_partition_state_move(r->s, v, to);
    update_empty(r, from);
    update_empty(r, to);
    update(r, v);
    r->s->x->connectivity->kind->around(r->s->x->connectivity, v, update, r);
}

/* --- moves ---
 * Gains in heaps may be stale; a vertex is moved only if its recomputed gain
 * is not less than the stored one. */

/* Make useful moves along borders until there are none. */
static void
move_along_borders(rebalancer *r)
{
    while (r->gains.n > 0) {
        const int64_t v = r->gains.heap[0], stored = r->gains.gain[v];
        int64_t gain;
        const int to = best_move(r, v, &gain);
        if (to < 0)
            hesca_gains_drop(&r->gains, v);
        else if (gain < stored)
            hesca_gains_put(&r->gains, v, gain);
        else
            move(r, v, to);
    }
}

/* The emptiest part below its limit, also if v has no neighbour there, if the
 * move is useful; else -1. */
static int
emptiest_goal(const rebalancer *r, int64_t v)
{
    const hesca_gains *empty = &r->empty[hesca_class(r->s->x, v)];
    if (empty->n == 0)
        return -1;
    const int to = (int)empty->heap[0];
    return to != r->s->part[v] && is_useful(r, v, to) ? to : -1;
}

static int64_t
own_degree(rebalancer *r, int64_t v)
{
    compute_degrees(r, v);
    return r->degrees.degree[r->s->part[v]];
}

/* Move vertices to parts in which they have no neighbour, as long as that is
 * useful: at most `most` vertices, those with the smallest degree to their own
 * part first, and all vertices of degree 0.  After each, others follow along
 * the new border.  Returns the number of vertices. */
static int64_t
relocate(rebalancer *r, int64_t most)
{
    const int64_t n = r->s->x->n;
    int64_t relocated = 0, connected = 0;
    hesca_gains_empty(&r->far);
    for (int64_t v = 0; v < n; ++v)
        if (emptiest_goal(r, v) >= 0)
            hesca_gains_put(&r->far, v, -own_degree(r, v));
    while (r->far.n > 0) {
        const int64_t v = r->far.heap[0], stored = r->far.gain[v];
        const int to = emptiest_goal(r, v);
        const int64_t own = to >= 0 ? own_degree(r, v) : 0;
        if (to >= 0 && -own < stored) {
            hesca_gains_put(&r->far, v, -own);
            continue;
        }
        hesca_gains_drop(&r->far, v);
        if (to < 0)
            continue;
        if (own > 0 && connected++ >= most)
            break;
        ++relocated;
        move(r, v, to);
        move_along_borders(r);
    }
    return relocated;
}

static int
rebalancer_init(rebalancer *r, hesca_partition_state *s)
{
    const int64_t n = s->x->n;
    int err;
    *r = (rebalancer){
        .s = s, .evaluations = hesca_max(EVALUATIONS_LEAST, EVALUATIONS * n)};
    HESCA_TRY(err, hesca_degrees_init(&r->degrees, s->x->p));
    HESCA_TRY(err, hesca_gains_init(&r->gains, n));
    HESCA_TRY(err, hesca_gains_init(&r->far, n));
    for (int c = 0; c < s->x->classes; ++c)
        HESCA_TRY(err, hesca_gains_init(&r->empty[c], s->x->p));
    for (int i = 0; i < s->x->p; ++i)
        update_empty(r, i);
fail:
    return err;
}

static void
rebalancer_clear(rebalancer *r)
{
    hesca_degrees_clear(&r->degrees);
    hesca_gains_clear(&r->gains);
    hesca_gains_clear(&r->far);
    hesca_gains_clear(&r->empty[0]);
    hesca_gains_clear(&r->empty[1]);
}

/* Whether a part at its limit is below its target. */
static int
is_full(const hesca_partition_state *s)
{
    const hesca_partition_problem *x = s->x;
    for (int i = 0; i < x->p * x->classes; ++i)
        if (s->count[i % x->p] >= x->most[i % x->p] &&
            (double)s->load[i] < x->target[i])
            return 1;
    return 0;
}

/* One relocated vertex may create the border that is needed; otherwise their
 * number is doubled in each round. */
int
hesca_rebalance(hesca_partition_state *s)
{
    rebalancer r;
    int64_t most = 1;
    int err = HESCA_SUCCESS;
    if (hesca_partition_state_violation(s) <= 0)
        return err;
    HESCA_TRY(err, rebalancer_init(&r, s));
    do {
        for (int64_t v = 0; v < s->x->n; ++v)
            update(&r, v);
        move_along_borders(&r);
        most *= 2;
    } while (hesca_partition_state_violation(s) > 0 &&
             relocate(&r, most / 2) > 0);
    if (s->x->weight != NULL && hesca_partition_state_violation(s) > 0 &&
        is_full(s))
        HESCA_TRY(err, hesca_pairwise_exchange(s));
fail:
    rebalancer_clear(&r);
    return err;
}
