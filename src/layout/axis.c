/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout/axis.h"
#include "base/arith.h"
#include "base/status.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- construction ---
 * Every constructor ends with finish().  From then on the pieces cover the
 * period without gaps, in ascending order, and local, share, first and own are
 * consistent with them.  An axis with a single owner of all indices has one
 * piece and the period max(n, 1). */

static int
allocate(hesca_axis *x, int npieces, int nowners)
{
    x->npieces = npieces;
    x->nowners = nowners;
    x->piece = calloc((size_t)npieces, sizeof *x->piece);
    x->share = calloc((size_t)nowners, sizeof *x->share);
    x->first = calloc((size_t)nowners + 1, sizeof *x->first);
    x->own = calloc((size_t)npieces, sizeof *x->own);
    if (x->piece != NULL && x->share != NULL && x->first != NULL &&
        x->own != NULL)
        return HESCA_SUCCESS;
    hesca_axis_clear(x);
    return hesca_fail(HESCA_ERR_NOMEM, 0, "axis of %d pieces", npieces);
}

/* Derive local offsets, shares and the lists of pieces by owner from the
 * pieces. */
static void
finish(hesca_axis *x)
{
    for (int k = 0; k < x->npieces; ++k) {
        hesca_piece *p = &x->piece[k];
        p->local = x->share[p->owner];
        x->share[p->owner] += p->length;
        ++x->first[p->owner + 1];
    }
    for (int q = 0; q < x->nowners; ++q)
        x->first[q + 1] += x->first[q];
    /* first[q] is the cursor of owner q in this loop, and is restored below.
     */
    for (int k = 0; k < x->npieces; ++k)
        x->own[x->first[x->piece[k].owner]++] = k;
    for (int q = x->nowners; q > 0; --q)
        x->first[q] = x->first[q - 1];
    x->first[0] = 0;
}

int
hesca_axis_cyclic(hesca_axis *x, int64_t n, int nb, int isrcproc, int nprocs)
{
    int err;
    assert(n >= 0 && nb >= 1 && 0 <= isrcproc && isrcproc < nprocs);
    memset(x, 0, sizeof *x);
    HESCA_TRY(err, allocate(x, nprocs, nprocs));
    x->n = n;
    /* A single owner has all indices in order: one long piece has the fewest
     * intervals. */
    const int64_t block = nprocs == 1 ? hesca_max(n, 1) : nb;
    x->period = block * nprocs;
    for (int k = 0; k < nprocs; ++k)
        x->piece[k] = (hesca_piece){.offset = k * block,
                                    .length = block,
                                    .owner = (isrcproc + k) % nprocs};
    finish(x);
fail:
    return err;
}

int
hesca_axis_generalized(hesca_axis *x, int64_t n, int nowners,
                       const int64_t *length)
{
    int err, npieces = 0;
    memset(x, 0, sizeof *x);
    for (int p = 0; p < nowners; ++p)
        npieces += length[p] > 0;
    assert(n >= 0 && npieces > 0);
    HESCA_TRY(err, allocate(x, npieces, nowners));
    x->n = n;
    for (int p = 0, k = 0; p < nowners; ++p) {
        if (length[p] == 0)
            continue;
        x->piece[k++] = (hesca_piece){
            .offset = x->period, .length = length[p], .owner = p};
        x->period += length[p];
    }
    if (npieces == 1) /* as hesca_axis_cyclic() does with one owner */
        x->period = x->piece[0].length = hesca_max(n, 1);
    finish(x);
fail:
    return err;
}

/* Length of the shortest sequence that gives the owners when repeated. */
static int
shortest_period(const int *owner, int n)
{
    for (int d = 1; d < n; ++d) {
        int k = d;
        while (n % d == 0 && k < n && owner[k] == owner[k - d])
            ++k;
        if (k == n)
            return d;
    }
    return n;
}

int
hesca_axis_assigned(hesca_axis *x, int64_t n, int64_t nb, int nblocks,
                    const int *owner, int nowners)
{
    const int period = shortest_period(owner, nblocks);
    int err, npieces = 1;
    memset(x, 0, sizeof *x);
    for (int k = 1; k < period; ++k)
        npieces += owner[k] != owner[k - 1];
    HESCA_TRY(err, allocate(x, npieces, nowners));
    x->n = n;
    x->period = nb * period;
    hesca_piece *p = x->piece;
    for (int k = 0; k < period; ++k) {
        if (k == 0 || owner[k] != owner[k - 1])
            *p++ = (hesca_piece){.offset = k * nb, .owner = owner[k]};
        p[-1].length += nb;
    }
    if (npieces == 1) /* as hesca_axis_cyclic() does with one owner */
        x->period = x->piece[0].length = hesca_max(n, 1);
    finish(x);
fail:
    return err;
}

/* Indices from i to the end of its piece. */
static int64_t
piece_left(const hesca_axis *x, int64_t i)
{
    const int64_t at = i % x->period;
    const hesca_piece *p = hesca_axis_piece(x, at);
    return p->offset + p->length - at;
}

int
hesca_axis_window(hesca_axis *x, const hesca_axis *from, int64_t i, int64_t n,
                  int64_t *before)
{
    int err;
    *before = from->npieces == 1 ? 0 : i % from->period;
    HESCA_TRY(err, hesca_axis_copy(x, from));
    x->n = *before + n;
    if (x->npieces == 1) { /* as hesca_axis_cyclic() does with one owner */
        x->period = x->piece[0].length = hesca_max(n, 1);
        x->share[x->piece[0].owner] = x->period;
    }
fail:
    return err;
}

int
hesca_axis_repeated(hesca_axis *x, const hesca_axis *from, int64_t i,
                    int64_t n, int64_t times)
{
    int npieces = 0, err;
    memset(x, 0, sizeof *x);
    for (int64_t k = 0; k < n; k += piece_left(from, i + k))
        ++npieces;
    HESCA_TRY(err, allocate(x, npieces, from->nowners));
    x->n = n * times;
    x->period = n;
    hesca_piece *p = x->piece;
    for (int64_t k = 0; k < n; k += p++->length) {
        int64_t local;
        *p = (hesca_piece){.offset = k,
                           .length = hesca_min(piece_left(from, i + k), n - k),
                           .owner = hesca_axis_locate(from, i + k, &local)};
    }
    if (npieces == 1) /* as hesca_axis_cyclic() does with one owner */
        x->period = x->piece[0].length = x->n;
    finish(x);
fail:
    return err;
}

int
hesca_axis_copy(hesca_axis *to, const hesca_axis *from)
{
    int err;
    memset(to, 0, sizeof *to);
    HESCA_TRY(err, allocate(to, from->npieces, from->nowners));
    to->n = from->n;
    to->period = from->period;
    memcpy(to->piece, from->piece,
           (size_t)from->npieces * sizeof *from->piece);
    finish(to);
fail:
    return err;
}

void
hesca_axis_clear(hesca_axis *x)
{
    free(x->piece);
    free(x->share);
    free(x->first);
    free(x->own);
    memset(x, 0, sizeof *x);
}

/* --- comparison ---
 * Pieces cover the period, so equal offsets and owners imply equal lengths. */

/* Whether two axes have the same period, pieces and owners. */
static int
have_equal_pieces(const hesca_axis *x, const hesca_axis *y)
{
    if (x->period != y->period || x->nowners != y->nowners ||
        x->npieces != y->npieces)
        return 0;
    for (int k = 0; k < x->npieces; ++k)
        if (x->piece[k].offset != y->piece[k].offset ||
            x->piece[k].owner != y->piece[k].owner)
            return 0;
    return 1;
}

int
hesca_axis_equal(const hesca_axis *x, const hesca_axis *y)
{
    return x->n == y->n && have_equal_pieces(x, y);
}

int
hesca_axis_coincide(const hesca_axis *x, int64_t ix, const hesca_axis *y,
                    int64_t iy)
{
    if (x->npieces == 1 && y->npieces == 1) /* each has a single owner */
        return x->nowners == y->nowners &&
               x->piece[0].owner == y->piece[0].owner;
    return have_equal_pieces(x, y) && (ix - iy) % x->period == 0;
}

/* --- global and local indices ---
 * Local indices of an owner ascend with its global indices, and every period
 * adds share[owner] to them.  Searches bisect a sorted array, and lo always
 * satisfies the condition that is searched for. */

const hesca_piece *
hesca_axis_piece(const hesca_axis *x, int64_t offset)
{
    int lo = 0, hi = x->npieces; /* piece[lo].offset <= offset */
    assert(0 <= offset && offset < x->period);
    while (hi - lo > 1) {
        const int mid = lo + (hi - lo) / 2;
        if (x->piece[mid].offset <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return &x->piece[lo];
}

int
hesca_axis_locate(const hesca_axis *x, int64_t i, int64_t *local)
{
    const int64_t period = i / x->period, rest = i % x->period;
    const hesca_piece *p = hesca_axis_piece(x, rest);
    *local = period * x->share[p->owner] + p->local + (rest - p->offset);
    return p->owner;
}

int64_t
hesca_axis_global(const hesca_axis *x, int owner, int64_t local)
{
    const int64_t share = x->share[owner], rest = local % share;
    int lo = x->first[owner], hi = x->first[owner + 1];
    while (hi - lo > 1) {
        const int mid = lo + (hi - lo) / 2;
        if (x->piece[x->own[mid]].local <= rest)
            lo = mid;
        else
            hi = mid;
    }
    const hesca_piece *p = &x->piece[x->own[lo]];
    return local / share * x->period + p->offset + (rest - p->local);
}

int64_t
hesca_axis_is_cyclic(const hesca_axis *x, int *isrcproc)
{
    const int64_t nb = x->piece[0].length;
    *isrcproc = x->piece[0].owner;
    for (int k = 0; k < x->npieces; ++k)
        if (x->piece[k].length != nb ||
            x->piece[k].owner != (*isrcproc + k) % x->nowners)
            return 0;
    return x->npieces == x->nowners ? nb : 0;
}

int64_t
hesca_axis_count(const hesca_axis *x, int owner, int64_t i)
{
    const int64_t rest = i % x->period;
    int64_t count = i / x->period * x->share[owner];
    for (int k = x->first[owner]; k < x->first[owner + 1]; ++k) {
        const hesca_piece *p = &x->piece[x->own[k]];
        count += hesca_clamp(rest - p->offset, 0, p->length);
    }
    return count;
}

size_t
hesca_axis_memory(const hesca_axis *x)
{
    const size_t npieces = (size_t)x->npieces, nowners = (size_t)x->nowners;
    return npieces * (sizeof *x->piece + sizeof *x->own) +
           nowners * (sizeof *x->share + sizeof *x->first);
}
