/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched/axis_rounds.h"
#include "base/status.h"
#include "sched/colour.h"
#include "sched/pattern.h"
#include <stdlib.h>
#include <string.h>

/* The two sides, and the owners p and q whose rounds are requested; -1: none.
 */
typedef struct {
    int npa, p, npb, q;
    const int64_t *count;
} sides;

static int
allocate(hesca_rounds *r, int n)
{
    *r = (hesca_rounds){.n = n,
                        .to = malloc(((size_t)n + 1) * sizeof *r->to),
                        .from = malloc(((size_t)n + 1) * sizeof *r->from)};
    if (r->to == NULL || r->from == NULL) {
        hesca_rounds_clear(r);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d rounds", n);
    }
    for (int i = 0; i < n; ++i)
        r->to[i] = r->from[i] = -1;
    return HESCA_SUCCESS;
}

static void
send(hesca_rounds *r, int round, const sides *x, int to)
{
    /* If the range is short, this pair may have nothing in common. */
    if (to >= 0 && to < x->npb && x->count[(int64_t)x->p * x->npb + to] > 0)
        r->to[round] = to;
}

static void
receive(hesca_rounds *r, int round, const sides *x, int from)
{
    if (from >= 0 && from < x->npa &&
        x->count[(int64_t)from * x->npb + x->q] > 0)
        r->from[round] = from;
}

static int
fill_circulant(hesca_rounds *r, const hesca_pattern *t, const sides *x)
{
    const int n = (int)t->table.k;
    const int fine = t->dual ? x->q : x->p, coarse = t->dual ? x->p : x->q;
    const hesca_position j = hesca_pattern_position(t, fine < 0 ? 0 : fine);
    int err;
    HESCA_TRY(err, allocate(r, n));
    r->circulant = 1;
    for (int i = 0; i < n; ++i) {
        const int c = fine < 0 ? -1 : hesca_pattern_coarse(t, i, j);
        const int f =
            coarse < 0
                ? -1
                : hesca_pattern_owner(t, hesca_pattern_fine(t, i, coarse));
        if (x->p >= 0)
            send(r, i, x, t->dual ? f : c);
        if (x->q >= 0)
            receive(r, i, x, t->dual ? c : f);
    }
fail:
    return err;
}

/* Every owner meets every owner: in round i, p sends to p + i. */
static int
fill_latin(hesca_rounds *r, const sides *x)
{
    const int n = x->npa > x->npb ? x->npa : x->npb;
    int err;
    HESCA_TRY(err, allocate(r, n));
    for (int i = 0; i < n; ++i) {
        if (x->p >= 0)
            send(r, i, x, (x->p + i) % n);
        if (x->q >= 0)
            receive(r, i, x, (x->q + n - i) % n);
    }
fail:
    return err;
}

static int
fill_coloured(hesca_rounds *r, const sides *x)
{
    int err, n, *to = NULL;
    HESCA_TRY(err, hesca_colour_edges(x->npa, x->npb, x->count, &n, &to));
    HESCA_TRY(err, allocate(r, n));
    for (int i = 0; i < n; ++i) {
        const int *row = to + (int64_t)i * x->npa;
        if (x->p >= 0)
            r->to[i] = row[x->p];
        for (int p = 0; x->q >= 0 && p < x->npa; ++p)
            if (row[p] == x->q)
                r->from[i] = p;
    }
fail:
    free(to);
    return err;
}

int
hesca_rounds_pairs(hesca_rounds *r, int npa, int p, int npb, int q,
                   const int64_t *count, int most)
{
    const sides x = {npa, p, npb, q, count};
    memset(r, 0, sizeof *r);
    return most == (npa > npb ? npa : npb) ? fill_latin(r, &x)
                                           : fill_coloured(r, &x);
}

int
hesca_rounds_axis(hesca_rounds *r, const hesca_axis *a, int64_t ia, int p,
                  const hesca_axis *b, int64_t ib, int q, const int64_t *count,
                  int most)
{
    const sides x = {a->nowners, p, b->nowners, q, count};
    hesca_pattern t;
    memset(r, 0, sizeof *r);
    if (!hesca_pattern_find(&t, a, ia, b, ib) || t.table.k != most)
        return hesca_rounds_pairs(r, x.npa, p, x.npb, q, count, most);
    return fill_circulant(r, &t, &x);
}

void
hesca_rounds_clear(hesca_rounds *r)
{
    free(r->to);
    free(r->from);
    memset(r, 0, sizeof *r);
}
