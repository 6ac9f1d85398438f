/* Balance is a potential: the sum of (load - target)^2 / target.  Every move
 * lowers it, so that the end is reached, and parts that are not neighbours
 * pass on what they have too much through those between them.  Vertices above
 * a limit come before that. */
#include "base/status.h"
#include "partition/gains.h"
#include "partition/refine.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    hesca_parting *s;
    hesca_ties ties;
    hesca_gains gains;
} repair;

/* (load - target) / target, of a part that should be empty a large number. */
static double
excess(const hesca_problem_parts *x, int class_of, int part, int64_t load)
{
    const double target = x->target[class_of * x->p + part];
    return ((double)load - target) / fmax(target, 1e-6);
}

/* By how much the potential grows where a load becomes w more. */
static double
growth(const hesca_problem_parts *x, int class_of, int part, int64_t load,
       int64_t w)
{
    const double target = x->target[class_of * x->p + part];
    return (double)w * (2 * ((double)load - target) + (double)w) /
           fmax(target, 1e-6);
}

static int
is_above_limit(const hesca_parting *s, int part)
{
    return s->count[part] > s->x->most[part];
}

/* Whether a move of v brings its part, or the other, nearer to its target. */
static int
is_of_use(const hesca_parting *s, int64_t v, int to)
{
    const hesca_problem_parts *x = s->x;
    const int from = s->part[v], c = hesca_class(x, v);
    const int64_t w = hesca_weight(x, v), *load = s->load + c * x->p;
    if (s->count[to] >= x->most[to])
        return 0;
    if (is_above_limit(s, from))
        return 1;
    return w > 0 &&
           (hesca_parting_outside(x, c, from, load[from]) > 0 ||
            hesca_parting_outside(x, c, to, load[to]) > 0) &&
           growth(x, c, from, load[from], -w) + growth(x, c, to, load[to], w) <
               -1e-9;
}

static void
tie(repair *r, int64_t v)
{
    hesca_ties_reset(&r->ties);
    r->s->x->bonds->kind->ties(r->s->x->bonds, r->s->part, v, &r->ties);
}

/* Where v goes with the least loss; -1 if nowhere. */
static int
best_move(repair *r, int64_t v, int64_t *gain)
{
    const hesca_parting *s = r->s;
    const hesca_problem_parts *x = s->x;
    const int from = s->part[v], c = hesca_class(x, v);
    const int64_t *load = s->load + c * x->p, *to_tie = r->ties.tie;
    int best = -1;
    tie(r, v);
    for (int i = 0; i < r->ties.n; ++i) {
        const int to = r->ties.part[i];
        if (to == from || !is_of_use(s, v, to))
            continue;
        if (best < 0 || to_tie[to] > to_tie[best]) {
            best = to;
            continue;
        }
        const double e = excess(x, c, to, load[to]),
                     least = excess(x, c, best, load[best]);
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

static void
move(repair *r, int64_t v, int to)
{
    hesca_parting_move(r->s, v, to);
    look(r, v);
    r->s->x->bonds->kind->around(r->s->x->bonds, v, look, r);
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

/* The part that v should go to, wherever it is: the emptiest that has room. */
static int
emptiest(const hesca_parting *s, int class_of)
{
    const hesca_problem_parts *x = s->x;
    const int64_t *load = s->load + class_of * x->p;
    int best = -1;
    for (int i = 0; i < x->p; ++i)
        if (s->count[i] < x->most[i] &&
            (best < 0 || excess(x, class_of, i, load[i]) <
                             excess(x, class_of, best, load[best])))
            best = i;
    return best;
}

/* Move a vertex to a part that it has no neighbour in: of those for which it
 * is of use the one least tied to its own, and all that have no ties. */
static int
jump(repair *r)
{
    hesca_parting *s = r->s;
    int64_t best = -1, least = 0;
    int moved = 0, goal[2] = {emptiest(s, 0), -1};
    if (s->x->classes == 2)
        goal[1] = emptiest(s, 1);
    for (int64_t v = 0; v < s->x->n; ++v) {
        const int c = hesca_class(s->x, v), from = s->part[v], to = goal[c];
        if (to < 0 || to == from || !is_of_use(s, v, to))
            continue;
        tie(r, v);
        const int64_t own = r->ties.tie[from];
        if (own == 0) {
            move(r, v, to);
            goal[c] = emptiest(s, c);
            moved = 1;
        } else if (best < 0 || own < least) {
            best = v;
            least = own;
        }
    }
    if (moved || best < 0)
        return moved;
    move(r, best, goal[hesca_class(s->x, best)]);
    return 1;
}

int
hesca_repair(hesca_parting *s)
{
    repair r = {.s = s};
    int err = HESCA_SUCCESS;
    if (hesca_parting_violation(s) <= 0)
        return err;
    HESCA_TRY(err, hesca_ties_make(&r.ties, s->x->p));
    HESCA_TRY(err, hesca_gains_make(&r.gains, s->x->n));
    do {
        for (int64_t v = 0; v < s->x->n; ++v)
            look(&r, v);
        drain(&r);
    } while (hesca_parting_violation(s) > 0 && jump(&r));
fail:
    hesca_ties_clear(&r.ties);
    hesca_gains_clear(&r.gains);
    return err;
}
