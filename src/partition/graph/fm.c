#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/gains.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>
#include <string.h>

/* Passes, and moves that may follow each other without a gain: a share of
 * the vertices, but at least and at most so many. */
enum { PASSES = 10, IDLE_SHARE = 50, IDLE_LEAST = 50, IDLE_MOST = 4000 };

typedef struct {
    hesca_partition_state *s;
    hesca_ties ties;
    hesca_gains gains;
    char *is_locked; /* [n] has moved in this pass */
    int64_t *moved;  /* [n] in what order */
    int *from;       /* [n] where moved[] came from */
    int64_t moves;
} pass;

static int
pass_make(pass *f, hesca_partition_state *s)
{
    const size_t n = (size_t)s->x->n;
    int err;
    *f = (pass){.s = s};
    HESCA_TRY(err, hesca_ties_init(&f->ties, s->x->p));
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
    hesca_ties_clear(&f->ties);
    hesca_gains_clear(&f->gains);
    free(f->is_locked);
    free(f->moved);
    free(f->from);
}

/* A part may be outside its tolerance by one vertex for a while, so that
 * vertices can change places. */
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

/* Fullness for ties between parts: the emptier one. */
static double
fullness(const hesca_partition_state *s, int64_t v, int part)
{
    const int i = hesca_class(s->x, v) * s->x->p + part;
    return (double)s->load[i] / (s->x->target[i] + 1e-9);
}

/* Where v goes best, -1 if nowhere. */
static int
best_move(pass *f, int64_t v, int64_t *gain)
{
    const hesca_partition_state *s = f->s;
    const int from = s->part[v];
    hesca_ties *t = &f->ties;
    int best = -1;
    hesca_ties_reset(t);
    s->x->connectivity->kind->ties(s->x->connectivity, s->part, v, t);
    for (int i = 0; i < t->n; ++i) {
        const int to = t->part[i];
        if (to == from || (best >= 0 && t->tie[to] < t->tie[best]) ||
            !is_allowed(s, v, to))
            continue;
        if (best < 0 || t->tie[to] > t->tie[best] ||
            fullness(s, v, to) < fullness(s, v, best) ||
            (fullness(s, v, to) <= fullness(s, v, best) && to < best))
            best = to;
    }
    if (best >= 0)
        *gain = t->tie[best] - t->tie[from];
    return best;
}

static void
look(void *state, int64_t v)
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

/* Take the best vertex that still gains what it is said to gain. */
static int64_t
take(pass *f, int *to, int64_t *gain)
{
    while (f->gains.n > 0) {
        const int64_t v = f->gains.heap[0], said = f->gains.gain[v];
        *to = best_move(f, v, gain);
        if (*to < 0)
            hesca_gains_drop(&f->gains, v);
        else if (*gain < said)
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

/* One pass.  Whether it was of any use. */
static int
run_pass(pass *f)
{
    hesca_partition_state *s = f->s;
    const int64_t n = s->x->n, patience = hesca_clamp(n / IDLE_SHARE,
                                                      IDLE_LEAST, IDLE_MOST);
    double worse = 0, best_worse = 0;
    int64_t won = 0, best_won = 0, best = 0;
    memset(f->is_locked, 0, (size_t)n);
    hesca_gains_empty(&f->gains);
    f->moves = 0;
    for (int64_t v = 0; v < n; ++v)
        look(f, v);
    while (f->moves - best < patience) {
        int to;
        int64_t gain;
        const int64_t v = take(f, &to, &gain);
        if (v < 0)
            break;
        worse += hesca_partition_state_worse(s, v, to);
        won += gain;
        f->is_locked[v] = 1;
        f->moved[f->moves] = v;
        f->from[f->moves++] = s->part[v];
        hesca_partition_state_move(s, v, to);
        s->x->connectivity->kind->around(s->x->connectivity, v, look, f);
        if (worse < best_worse - 1e-6 ||
            (worse <= best_worse + 1e-6 && won > best_won)) {
            best_worse = worse;
            best_won = won;
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
    HESCA_TRY(err, pass_make(&f, s));
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
    s->x->connectivity->kind->begin(s->x->connectivity, s->part);
    HESCA_TRY(err, hesca_rebalance(s));
    HESCA_TRY(err, hesca_fm(s));
    HESCA_TRY(err, hesca_rebalance(s));
fail:
    return err;
}
