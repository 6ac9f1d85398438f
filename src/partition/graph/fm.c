/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/gains.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>
#include <string.h>

/* Most passes; most consecutive moves without a new best partition: n /
 * IDLE_SHARE, within IDLE_LEAST ... IDLE_MOST. */
enum { PASSES = 10, IDLE_SHARE = 50, IDLE_LEAST = 50, IDLE_MOST = 4000 };

typedef struct {
    hesca_partition_state *s;
    hesca_degrees degrees;
    hesca_gains gains;
    char *is_locked; /* [n] moved in this pass */
    int64_t *moved;  /* [n] vertices in the order of moves */
    int *from;       /* [n] the part before the move */
    int64_t moves;
} pass;

static int
pass_init(pass *f, hesca_partition_state *s)
{
    const size_t n = (size_t)s->x->n;
    int err;
    *f = (pass){.s = s};
    HESCA_TRY(err, hesca_degrees_init(&f->degrees, s->x->p));
    HESCA_TRY(err, hesca_gains_init(&f->gains, s->x->n));
    f->is_locked = malloc(n + 1);
    f->moved = malloc(n * sizeof *f->moved + 1);
    f->from = malloc(n * sizeof *f->from + 1);
    if (f->is_locked == NULL || f->moved == NULL || f->from == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "passes over %zu vertices", n);
fail:
    return err;
}

static void
pass_clear(pass *f)
{
    hesca_degrees_clear(&f->degrees);
    hesca_gains_clear(&f->gains);
    free(f->is_locked);
    free(f->moved);
    free(f->from);
}

/* --- moves ---
 * A locked vertex is never in the heap; gains in the heap may be stale. */

/* A part may temporarily exceed its tolerance by one vertex, so that vertices
 * can be exchanged. */
static int
is_allowed(const hesca_partition_state *s, int64_t v, int to)
{
    const hesca_partition_problem *x = s->x;
    const int from = s->part[v], c = hesca_class(x, v);
    const int64_t w = hesca_weight(x, v), *load = s->load + c * x->p;
    if (s->count[to] >= x->most[to])
        return 0;
    return hesca_partition_state_worse(s, v, to) <= 0 ||
           (hesca_partition_state_outside(x, c, to, load[to] + w) <=
                (double)w &&
            hesca_partition_state_outside(x, c, from, load[from] - w) <=
                (double)w);
}

/* Load relative to target, which breaks ties between parts. */
static double
fullness(const hesca_partition_state *s, int64_t v, int part)
{
    const int i = hesca_class(s->x, v) * s->x->p + part;
    return (double)s->load[i] / (s->x->target[i] + 1e-9);
}

/* The allowed move of v with the largest gain; -1 if there is none. */
static int
best_move(pass *f, int64_t v, int64_t *gain)
{
    const hesca_partition_state *s = f->s;
    const int from = s->part[v];
    hesca_degrees *t = &f->degrees;
    int best = -1;
    hesca_degrees_reset(t);
    s->x->connectivity->kind->degrees(s->x->connectivity, s->part, v, t);
    for (int i = 0; i < t->n; ++i) {
        const int to = t->part[i];
        if (to == from || (best >= 0 && t->degree[to] < t->degree[best]) ||
            !is_allowed(s, v, to))
            continue;
        if (best < 0 || t->degree[to] > t->degree[best] ||
            fullness(s, v, to) < fullness(s, v, best) ||
            (fullness(s, v, to) <= fullness(s, v, best) && to < best))
            best = to;
    }
    if (best >= 0)
        *gain = t->degree[best] - t->degree[from];
    return best;
}

static void
update(void *state, int64_t v)
{
    pass *f = state;
    int64_t gain;
    if (f->is_locked[v])
        return;
    if (best_move(f, v, &gain) >= 0)
        hesca_gains_put(&f->gains, v, gain);
    else
        hesca_gains_drop(&f->gains, v);
}

/* Remove and return the vertex of largest gain; stale gains are updated. */
static int64_t
take_best(pass *f, int *to, int64_t *gain)
{
    while (f->gains.n > 0) {
        const int64_t v = f->gains.heap[0], stored = f->gains.gain[v];
        *to = best_move(f, v, gain);
        if (*to < 0)
            hesca_gains_drop(&f->gains, v);
        else if (*gain < stored)
            hesca_gains_put(&f->gains, v, *gain);
        else {
            hesca_gains_drop(&f->gains, v);
            return v;
        }
    }
    return -1;
}

static void
undo(pass *f, int64_t best)
{
    while (f->moves > best) {
        --f->moves;
        hesca_partition_state_move(f->s, f->moved[f->moves],
                                   f->from[f->moves]);
    }
}

/* --- passes ---
 * Moves 0 ... best - 1 lead to the best partition of this pass; the others are
 * undone at its end. */

/* One pass.  Returns whether it improved the partition. */
static int
run_pass(pass *f)
{
    hesca_partition_state *s = f->s;
    const int64_t n = s->x->n, patience = hesca_clamp(n / IDLE_SHARE,
                                                      IDLE_LEAST, IDLE_MOST);
    double worse = 0, best_worse = 0;
    int64_t gained = 0, best_gained = 0, best = 0;
    memset(f->is_locked, 0, (size_t)n);
    hesca_gains_empty(&f->gains);
    f->moves = 0;
    for (int64_t v = 0; v < n; ++v)
        update(f, v);
    while (f->moves - best < patience) {
        int to;
        int64_t gain;
        const int64_t v = take_best(f, &to, &gain);
        if (v < 0)
            break;
        worse += hesca_partition_state_worse(s, v, to);
        gained += gain;
        f->is_locked[v] = 1;
        f->moved[f->moves] = v;
        f->from[f->moves++] = s->part[v];
        hesca_partition_state_move(s, v, to);
        s->x->connectivity->kind->around(s->x->connectivity, v, update, f);
        if (worse < best_worse - 1e-6 ||
            (worse <= best_worse + 1e-6 && gained > best_gained)) {
            best_worse = worse;
            best_gained = gained;
            best = f->moves;
        }
    }
    undo(f, best);
    return best > 0;
}

int
hesca_fm(hesca_partition_state *s)
{
    pass f;
    int err;
    HESCA_TRY(err, pass_init(&f, s));
    for (int i = 0; i < PASSES && run_pass(&f); ++i)
        ;
fail:
    pass_clear(&f);
    return err;
}

int
hesca_polish(hesca_partition_state *s)
{
    int err;
    s->x->connectivity->kind->start(s->x->connectivity, s->part);
    HESCA_TRY(err, hesca_rebalance(s));
    HESCA_TRY(err, hesca_fm(s));
    HESCA_TRY(err, hesca_rebalance(s));
fail:
    return err;
}
