/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "partition/tree/rooted.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces as lists of vertices, parents first: piece k is of[first[k]] ...
 * of[first[k + 1] - 1]. */
typedef struct {
    const hesca_rooted *r;
    int *piece;
    int64_t *load, *count;   /* [p] */
    int64_t *first, *of;     /* [p + 1], [n] */
    int64_t *below, *nbelow; /* [n] weight and number of vertices below, within
                                two pieces */
    int64_t *pair;           /* [n] vertices of two pieces */
    int *mark;               /* [p] 1: neighbour of the slowest piece */
    int64_t visited;         /* vertices visited */
} shifting;

static const int64_t budget = 100000000;

/* --- pieces ---
 * The lists always agree with piece[]; every piece is connected, or empty. */

/* A division of the vertices of two pieces, one of which may be empty. */
typedef struct {
    int a, b;  /* processors */
    int64_t v; /* the subtree of v goes to `below`; -1: all vertices */
    int below;
    double time; /* of the slower one */
} division;

static void
list_pieces(shifting *s)
{
    const hesca_rooted *r = s->r;
    const int p = r->x->p;
    memset(s->load, 0, (size_t)p * sizeof *s->load);
    memset(s->count, 0, (size_t)p * sizeof *s->count);
    for (int64_t v = 0; v < r->x->n; ++v) {
        s->load[s->piece[v]] += hesca_weight(r->x, v);
        ++s->count[s->piece[v]];
    }
    s->first[0] = 0;
    for (int k = 0; k < p; ++k)
        s->first[k + 1] = s->first[k] + s->count[k];
    for (int64_t i = r->x->n - 1; i >= 0; --i) {
        const int64_t v = r->order[i];
        s->of[s->first[s->piece[v]] + --s->count[s->piece[v]]] = v;
    }
    for (int k = 0; k < p; ++k)
        s->count[k] = s->first[k + 1] - s->first[k];
}

static double
time_of(const shifting *s, int k)
{
    return hesca_rooted_time(s->r, k, s->load[k], s->count[k]);
}

/* The processor of the slowest piece, -1 if all are empty. */
static int
slowest(const shifting *s, double *time)
{
    int worst = -1;
    *time = 0;
    for (int k = 0; k < s->r->x->p; ++k)
        if (time_of(s, k) > *time) {
            worst = k;
            *time = time_of(s, k);
        }
    return worst;
}

/* --- divisions of two pieces ---
 * below[] and nbelow[] are valid for the vertices of s->pair only. */

/* List the vertices of two neighbouring pieces, or of one, in s->pair, upper
 * piece first.  The first vertex of the upper piece has its parent in
 * neither. */
static int64_t
join(shifting *s, int a, int b)
{
    const int64_t na = s->count[a], nb = s->count[b];
    const int64_t *va = s->of + s->first[a], *vb = s->of + s->first[b];
    const int64_t up = nb > 0 ? s->r->parent[va[0]] : -1;
    const int b_is_top = nb > 0 && up >= 0 && s->piece[up] == b;
    memcpy(s->pair + (b_is_top ? nb : 0), va, (size_t)na * sizeof *va);
    if (nb > 0)
        memcpy(s->pair + (b_is_top ? 0 : na), vb, (size_t)nb * sizeof *vb);
    return na + nb;
}

static void
consider(const shifting *s, division now, int64_t load, int64_t count,
         division *best)
{
    const int other = now.below == now.a ? now.b : now.a;
    const int64_t all = s->load[now.a] + s->load[now.b],
                  n = s->count[now.a] + s->count[now.b];
    now.time = fmax(hesca_rooted_time(s->r, now.below, load, count),
                    hesca_rooted_time(s->r, other, all - load, n - count));
    if (now.time < best->time)
        *best = now;
}

/* The best division of the vertices of a and b. */
static void
divide(shifting *s, int a, int b, division *best)
{
    const hesca_rooted *r = s->r;
    const int64_t n = join(s, a, b);
    s->visited += n;
    for (int64_t i = 0; i < n; ++i) {
        s->below[s->pair[i]] = hesca_weight(r->x, s->pair[i]);
        s->nbelow[s->pair[i]] = 1;
    }
    for (int64_t i = n - 1; i > 0; --i) {
        const int64_t v = s->pair[i], u = r->parent[v];
        s->below[u] += s->below[v];
        s->nbelow[u] += s->nbelow[v];
        consider(s, (division){a, b, v, a, 0}, s->below[v], s->nbelow[v],
                 best);
        consider(s, (division){a, b, v, b, 0}, s->below[v], s->nbelow[v],
                 best);
    }
    consider(s, (division){a, b, -1, b, 0}, s->load[a] + s->load[b],
             s->count[a] + s->count[b], best);
}

/* Mark the pieces next to piece a. */
static void
mark_neighbours(shifting *s, int a)
{
    const hesca_rooted *r = s->r;
    memset(s->mark, 0, (size_t)r->x->p * sizeof *s->mark);
    for (int64_t v = 0; v < r->x->n; ++v) {
        const int64_t u = r->parent[v];
        if (u < 0 || s->piece[u] == s->piece[v])
            continue;
        if (s->piece[u] == a)
            s->mark[s->piece[v]] = 1;
        if (s->piece[v] == a)
            s->mark[s->piece[u]] = 1;
    }
}

static void
apply(shifting *s, division c)
{
    const hesca_rooted *r = s->r;
    const int other = c.below == c.a ? c.b : c.a;
    const int64_t n = join(s, c.a, c.b);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t v = s->pair[i];
        s->nbelow[v] =
            c.v < 0 || v == c.v || (i > 0 && s->nbelow[r->parent[v]]);
    }
    for (int64_t i = 0; i < n; ++i)
        s->piece[s->pair[i]] = s->nbelow[s->pair[i]] ? c.below : other;
    list_pieces(s);
}

static void
exchange(shifting *s, int a, int b)
{
    for (int64_t v = 0; v < s->r->x->n; ++v)
        if (s->piece[v] == a || s->piece[v] == b)
            s->piece[v] = s->piece[v] == a ? b : a;
    list_pieces(s);
}

/* --- descent ---
 * The largest time never increases. */

/* Improve the slowest piece.  Returns whether that was possible. */
static int
improve(shifting *s)
{
    double time;
    const int a = slowest(s, &time), p = s->r->x->p;
    if (a < 0)
        return 0;
    division best = {.a = -1, .time = time};
    int partner = -1;
    s->visited += 2 * s->r->x->n; /* mark_neighbours(), list_pieces() */
    mark_neighbours(s, a);
    for (int b = 0; b < p; ++b) {
        if (b == a)
            continue;
        const double exchanged =
            fmax(hesca_rooted_time(s->r, b, s->load[a], s->count[a]),
                 hesca_rooted_time(s->r, a, s->load[b], s->count[b]));
        if (exchanged < best.time) {
            best = (division){.a = -1, .time = exchanged};
            partner = b;
        }
        if (s->mark[b] || s->count[b] == 0)
            divide(s, a, b, &best);
    }
    if (best.a >= 0)
        apply(s, best);
    else if (partner >= 0)
        exchange(s, a, partner);
    return best.a >= 0 || partner >= 0;
}

int
hesca_tree_shift(const hesca_rooted *r, int *piece)
{
    const size_t p = (size_t)r->x->p, n = (size_t)r->x->n + 1;
    shifting s = {.r = r,
                  .piece = piece,
                  .load = malloc(p * sizeof *s.load),
                  .count = malloc(p * sizeof *s.count),
                  .first = malloc((p + 1) * sizeof *s.first),
                  .of = malloc(n * sizeof *s.of),
                  .below = malloc(n * sizeof *s.below),
                  .nbelow = malloc(n * sizeof *s.nbelow),
                  .pair = malloc(n * sizeof *s.pair),
                  .mark = malloc(p * sizeof *s.mark)};
    int err = HESCA_SUCCESS;
    if (s.load == NULL || s.count == NULL || s.first == NULL || s.of == NULL ||
        s.below == NULL || s.nbelow == NULL || s.pair == NULL ||
        s.mark == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%zu pieces", p));
    list_pieces(&s);
    /* Every step makes one of the slowest pieces faster and no piece as slow
     * as that was, so the method ends; for large trees the budget ends it
     * earlier. */
    for (size_t i = 0; i < 100 * p + 1000 && s.visited < budget && improve(&s);
         ++i)
        ;
fail:
    free(s.load);
    free(s.count);
    free(s.first);
    free(s.of);
    free(s.below);
    free(s.nbelow);
    free(s.pair);
    free(s.mark);
    return err;
}
