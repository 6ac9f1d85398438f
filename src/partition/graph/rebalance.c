/* Balance is a potential: the sum of (load - target)^2 / target.  Every move
 * lowers it, so that the end is reached, and parts that are not neighbours
 * pass on what they have too much through those between them.  Vertices above
 * a limit come before that.
 *
 * Cost: looks at vertices are counted, and balance is given up where there
 * have been LOOKS for each vertex, at least LOOKS_LEAST.  Limits are not: what
 * is above them leaves in at most n more moves. */
#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/gains.h"
#include "partition/graph/refinement.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 32, LOOKS_LEAST = 200000 };

typedef struct {
    hesca_partition_state *s;
    hesca_ties ties;
    hesca_gains gains;    /* vertices at borders, by what a move gains */
    hesca_gains far;      /* others, by what they are tied to their own part */
    hesca_gains empty[2]; /* parts with room, of each class: the emptiest */
    int64_t looks;        /* that are left */
} repair;

static int
is_above_limit(const hesca_partition_state *s, int part)
{
    return s->count[part] > s->x->most[part];
}

/* Whether a move of v brings its part, or the other, nearer to its target. */
static int
is_of_use(const repair *r, int64_t v, int to)
{
    const hesca_partition_state *s = r->s;
    const hesca_partition_problem *x = s->x;
    const int from = s->part[v], c = hesca_class(x, v);
    const int64_t w = hesca_weight(x, v), *load = s->load + c * x->p;
    if (s->count[to] >= x->most[to])
        return 0;
    if (is_above_limit(s, from))
        return 1;
    return w > 0 && r->looks > 0 &&
           (hesca_partition_state_outside(x, c, from, load[from]) > 0 ||
            hesca_partition_state_outside(x, c, to, load[to]) > 0) &&
           hesca_partition_state_growth(x, c, from, load[from], -w) +
                   hesca_partition_state_growth(x, c, to, load[to], w) <
               -1e-9;
}

static void
tie(repair *r, int64_t v)
{
    --r->looks;
    hesca_ties_reset(&r->ties);
    r->s->x->connectivity->kind->ties(r->s->x->connectivity, r->s->part, v,
                                      &r->ties);
}

/* Where v goes with the least loss; -1 if nowhere. */
static int
best_move(repair *r, int64_t v, int64_t *gain)
{
    const hesca_partition_state *s = r->s;
    const hesca_partition_problem *x = s->x;
    const int from = s->part[v], c = hesca_class(x, v);
    const int64_t *load = s->load + c * x->p, *to_tie = r->ties.tie;
    int best = -1;
    tie(r, v);
    for (int i = 0; i < r->ties.n; ++i) {
        const int to = r->ties.part[i];
        if (to == from || !is_of_use(r, v, to))
            continue;
        if (best < 0 || to_tie[to] > to_tie[best]) {
            best = to;
            continue;
        }
        const double e = hesca_partition_state_excess(x, c, to, load[to]),
                     least =
                         hesca_partition_state_excess(x, c, best, load[best]);
        if (to_tie[to] == to_tie[best] &&
            (e < least || (e <= least && to < best)))
            best = to;
    }
    if (best >= 0)
        *gain = to_tie[best] - to_tie[from];
    return best;
}

static void
look(void *state, int64_t v)
{
    repair *r = state;
    int64_t gain;
    if (best_move(r, v, &gain) >= 0)
        hesca_gains_put(&r->gains, v, gain);
    else
        hesca_gains_drop(&r->gains, v);
}

/* A number that is in the order of real ones. */
static int64_t
order_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

/* Put a part where it belongs among those that have room. */
static void
rank(repair *r, int part)
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
move(repair *r, int64_t v, int to)
{
    const int from = r->s->part[v];
    hesca_partition_state_move(r->s, v, to);
    rank(r, from);
    rank(r, to);
    look(r, v);
    r->s->x->connectivity->kind->around(r->s->x->connectivity, v, look, r);
}

/* Move along borders as long as that is of use. */
static void
drain(repair *r)
{
    while (r->gains.n > 0) {
        const int64_t v = r->gains.heap[0], said = r->gains.gain[v];
        int64_t gain;
        const int to = best_move(r, v, &gain);
        if (to < 0)
            hesca_gains_drop(&r->gains, v);
        else if (gain < said)
            hesca_gains_put(&r->gains, v, gain);
        else
            move(r, v, to);
    }
}

/* The part that v should go to, wherever it is: the emptiest that has room, if
 * that is of use; else -1. */
static int
goal(const repair *r, int64_t v)
{
    const hesca_gains *empty = &r->empty[hesca_class(r->s->x, v)];
    if (empty->n == 0)
        return -1;
    const int to = (int)empty->heap[0];
    return to != r->s->part[v] && is_of_use(r, v, to) ? to : -1;
}

static int64_t
own_tie(repair *r, int64_t v)
{
    tie(r, v);
    return r->ties.tie[r->s->part[v]];
}

/* Move vertices to parts that they have no neighbour in, as long as that is of
 * use: those least tied to their own part, at most `most`, and all that have
 * no ties.  After each, others follow along the new border.  Return how many
 * there were. */
static int64_t
jump(repair *r, int64_t most)
{
    const int64_t n = r->s->x->n;
    int64_t jumps = 0, tied = 0;
    hesca_gains_empty(&r->far);
    for (int64_t v = 0; v < n; ++v)
        if (goal(r, v) >= 0)
            hesca_gains_put(&r->far, v, -own_tie(r, v));
    while (r->far.n > 0) {
        const int64_t v = r->far.heap[0], said = r->far.gain[v];
        const int to = goal(r, v);
        const int64_t own = to >= 0 ? own_tie(r, v) : 0;
        if (to >= 0 && -own < said) {
            hesca_gains_put(&r->far, v, -own);
            continue;
        }
        hesca_gains_drop(&r->far, v);
        if (to < 0)
            continue;
        if (own > 0 && tied++ >= most)
            break;
        ++jumps;
        move(r, v, to);
        drain(r);
    }
    return jumps;
}

static int
repair_make(repair *r, hesca_partition_state *s)
{
    const int64_t n = s->x->n;
    int err;
    *r = (repair){.s = s, .looks = hesca_max(LOOKS_LEAST, LOOKS * n)};
    HESCA_TRY(err, hesca_ties_init(&r->ties, s->x->p));
    HESCA_TRY(err, hesca_gains_init(&r->gains, n));
    HESCA_TRY(err, hesca_gains_init(&r->far, n));
    for (int c = 0; c < s->x->classes; ++c)
        HESCA_TRY(err, hesca_gains_init(&r->empty[c], s->x->p));
    for (int i = 0; i < s->x->p; ++i)
        rank(r, i);
fail:
    return err;
}

static void
repair_clear(repair *r)
{
    hesca_ties_clear(&r->ties);
    hesca_gains_clear(&r->gains);
    hesca_gains_clear(&r->far);
    hesca_gains_clear(&r->empty[0]);
    hesca_gains_clear(&r->empty[1]);
}

/* Whether a part that has no room is to get more weight. */
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

/* One vertex that jumps may be all that borders need; where it is not, twice
 * as many are next. */
int
hesca_rebalance(hesca_partition_state *s)
{
    repair r;
    int64_t most = 1;
    int err = HESCA_SUCCESS;
    if (hesca_partition_state_violation(s) <= 0)
        return err;
    HESCA_TRY(err, repair_make(&r, s));
    do {
        for (int64_t v = 0; v < s->x->n; ++v)
            look(&r, v);
        drain(&r);
        most *= 2;
    } while (hesca_partition_state_violation(s) > 0 && jump(&r, most / 2) > 0);
    if (s->x->weight != NULL && hesca_partition_state_violation(s) > 0 &&
        is_full(s))
        HESCA_TRY(err, hesca_pairwise_exchange(s));
fail:
    repair_clear(&r);
    return err;
}
