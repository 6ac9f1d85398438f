#include "sched/rounds.h"
#include "base/arith.h"
#include "base/status.h"
#include "sched/circulant.h"
#include "sched/colour.h"
#include <stdlib.h>
#include <string.h>

static int
allocate(hesca_rounds *r, int n)
{
    const size_t na = (size_t)n * (size_t)r->npa;
    const size_t nb = (size_t)n * (size_t)r->npb;
    r->n = n;
    r->to = malloc(na * sizeof *r->to);
    r->from = malloc(nb * sizeof *r->from);
    if (r->to == NULL || r->from == NULL) {
        hesca_rounds_clear(r);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d rounds", n);
    }
    memset(r->to, -1, na * sizeof *r->to);
    memset(r->from, -1, nb * sizeof *r->from);
    return HESCA_SUCCESS;
}

static void
join(hesca_rounds *r, int round, int p, int q, const int64_t *count)
{
    if (count[(int64_t)p * r->npb + q] == 0)
        return; /* the range is too short for this pair to meet */
    r->to[(int64_t)round * r->npa + p] = q;
    r->from[(int64_t)round * r->npb + q] = p;
}

/* R_x(K,P) as it stands in the axes.  Block u of the coarse axis' numbering is
 * the fine axis' block u + shift; LIM's p_j owns the blocks u = j mod P, and
 * LIM's destination d is owner d + coarse_src. */
typedef struct {
    int64_t k, shift;
    int fine_src, coarse_src;
    int dual; /* from cyclic(Kx) to cyclic(x) */
} pattern;

/* Whether the two axes are an R_x(K,P), K <= P, or its dual. */
static int
is_circulant(const hesca_axis *a, int64_t ia, const hesca_axis *b, int64_t ib,
             pattern *t)
{
    int asrc, bsrc;
    const int64_t x = hesca_axis_is_cyclic(a, &asrc);
    const int64_t y = hesca_axis_is_cyclic(b, &bsrc);
    if (a->nowners != b->nowners || x == 0 || y == 0)
        return 0;
    const int dual = x > y;
    const int64_t fine = dual ? y : x, coarse = dual ? x : y;
    const int64_t diff = dual ? ib - ia : ia - ib;
    *t = (pattern){.k = coarse / fine,
                   .shift = diff / fine,
                   .fine_src = dual ? bsrc : asrc,
                   .coarse_src = dual ? asrc : bsrc,
                   .dual = dual};
    return coarse % fine == 0 && diff % fine == 0 && t->k <= a->nowners;
}

static int
fill_circulant(hesca_rounds *r, const pattern *t, const int64_t *count)
{
    const int np = r->npa;
    const hesca_circulant c = hesca_circulant_make(t->k, np);
    int err;
    HESCA_TRY(err, allocate(r, (int)t->k));
    for (int j = 0; j < np; ++j) {
        const int fine = (int)hesca_mod(j + t->shift + t->fine_src, np);
        int64_t dest = hesca_circulant_dest(&c, 0, j);
        for (int i = 0; i < r->n; ++i) {
            const int coarse = (int)hesca_mod(dest + t->coarse_src, np);
            if (t->dual)
                join(r, i, coarse, fine, count);
            else
                join(r, i, fine, coarse, count);
            if (i + 1 < r->n)
                dest = hesca_circulant_next_dest(&c, i, dest);
        }
    }
    r->circulant = 1;
fail:
    return err;
}

/* Everybody meets everybody: shift by one more in every round. */
static int
fill_latin(hesca_rounds *r, const int64_t *count)
{
    const int n = r->npa > r->npb ? r->npa : r->npb;
    int err;
    HESCA_TRY(err, allocate(r, n));
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < r->npa; ++p)
            if ((p + i) % n < r->npb)
                join(r, i, p, (p + i) % n, count);
fail:
    return err;
}

static int
fill_coloured(hesca_rounds *r, const int64_t *count)
{
    int err, n, *to = NULL;
    HESCA_TRY(err, hesca_colour_edges(r->npa, r->npb, count, &n, &to));
    HESCA_TRY(err, allocate(r, n));
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < r->npa; ++p)
            if (to[(int64_t)i * r->npa + p] >= 0)
                join(r, i, p, to[(int64_t)i * r->npa + p], count);
fail:
    free(to);
    return err;
}

int
hesca_rounds_pairs(hesca_rounds *r, int npa, int npb, const int64_t *count)
{
    *r = (hesca_rounds){.npa = npa, .npb = npb};
    const int most = hesca_largest_degree(npa, npb, count);
    return most == (npa > npb ? npa : npb) ? fill_latin(r, count)
                                           : fill_coloured(r, count);
}

int
hesca_rounds_axis(hesca_rounds *r, const hesca_axis *a, int64_t ia,
                  const hesca_axis *b, int64_t ib, const int64_t *count)
{
    const int npa = a->nowners, npb = b->nowners;
    pattern t;
    if (!is_circulant(a, ia, b, ib, &t) ||
        t.k != hesca_largest_degree(npa, npb, count))
        return hesca_rounds_pairs(r, npa, npb, count);
    *r = (hesca_rounds){.npa = npa, .npb = npb};
    return fill_circulant(r, &t, count);
}

void
hesca_rounds_clear(hesca_rounds *r)
{
    free(r->to);
    free(r->from);
    memset(r, 0, sizeof *r);
}
