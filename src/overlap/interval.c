/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlap/interval.h"
#include "base/arith.h"
#include "base/status.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- one period ---
 * Intervals ascend in i and in before, and the positions of an interval begin
 * where those of the previous one end.  The pieces of different intervals of a
 * period do not interleave. */

/* The last interval that begins, by the given measure, at or below x. */
static const hesca_interval *
search(const hesca_overlap *o, int64_t x, int by_index)
{
    int64_t lo = 0, hi = o->n;
    while (hi - lo > 1) {
        const int64_t mid = lo + (hi - lo) / 2;
        const int64_t at = by_index ? o->iv[mid].i : o->iv[mid].before;
        if (at <= x)
            lo = mid;
        else
            hi = mid;
    }
    return &o->iv[lo];
}

/* Number of common indices of one period below its index i; o->n > 0. */
static int64_t
below_in_period(const hesca_overlap *o, int64_t i)
{
    const hesca_interval *iv = search(o, i, 1);
    const int64_t behind = hesca_max(i - iv->i, 0);
    const int64_t k =
        iv->reps == 1 ? 0 : hesca_min(behind / o->stride.i, iv->reps - 1);
    return iv->before + k * iv->len +
           hesca_min(behind - k * o->stride.i, iv->len);
}

/* --- construction ---
 * Spans and their intersections are visited in ascending order, so append()
 * receives intervals in ascending i and keeps before equal to the number of
 * common indices so far.  On failure the overlap is cleared. */

/* A single owner has all indices in order: a pattern of any period. */
static int
is_whole(const hesca_axis *x)
{
    return x->npieces == 1;
}

static int64_t
period_of(const hesca_axis *x)
{
    return is_whole(x) ? 1 : x->period;
}

/* Period of the intersection pattern of two axes, at most max(1, n). */
static int64_t
common_period(const hesca_axis *a, const hesca_axis *b, int64_t n)
{
    if (is_whole(a) && is_whole(b))
        return hesca_max(1, n);
    return hesca_max(1, hesca_lcm_below(period_of(a), period_of(b), n));
}

/* Append an interval.  Adjacent intervals without a gap are merged. */
static int
append(hesca_overlap *o, hesca_interval iv)
{
    hesca_interval *last = o->n > 0 ? &o->iv[o->n - 1] : NULL;
    const int64_t count = iv.len * iv.reps;
    if (last != NULL && last->reps == 1 && iv.reps == 1 &&
        last->i + last->len == iv.i && last->a + last->len == iv.a &&
        last->b + last->len == iv.b) {
        last->len += iv.len;
        o->count += count;
        return HESCA_SUCCESS;
    }
    /* The capacity is the least power of two >= n: the array is full when n
     * is 0 or a power of two. */
    if ((o->n & (o->n - 1)) == 0) {
        const size_t room = o->n == 0 ? 1 : 2 * (size_t)o->n;
        hesca_interval *more = realloc(o->iv, room * sizeof *more);
        if (more == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0, "overlap of %zu intervals",
                              room);
        o->iv = more;
    }
    iv.before = o->count;
    o->count += count;
    o->iv[o->n++] = iv;
    return HESCA_SUCCESS;
}

/* A piece of one side in one period: indices lo ... hi - 1 of the subrange;
 * lo has the local index local. */
typedef struct {
    int64_t lo, hi, local;
} span;

/* Piece k of the share's owner in period r, restricted to lo ... hi - 1. */
static span
cut(hesca_share s, int64_t r, int k, int64_t lo, int64_t hi)
{
    const hesca_axis *x = s.axis;
    if (is_whole(x))
        return (span){lo, hi, s.origin + lo};
    const hesca_piece *p = &x->piece[x->own[x->first[s.owner] + k]];
    const int64_t begin = r * x->period + p->offset - s.origin;
    span t = {hesca_max(begin, lo), hesca_min(begin + p->length, hi), 0};
    t.local = r * x->share[s.owner] + p->local + t.lo - begin;
    return t;
}

static int
npieces(hesca_share s)
{
    return s.axis->first[s.owner + 1] - s.axis->first[s.owner];
}

/* Approximate number of pieces in n indices. */
static int64_t
pieces_in(hesca_share s, int64_t n)
{
    return is_whole(s.axis) ? 1 : (n / s.axis->period + 1) * npieces(s);
}

/* Periods of an axis that hold subrange indices lo ... hi - 1. */
typedef struct {
    int64_t first, last;
} range;

static range
periods(hesca_share s, int64_t lo, int64_t hi)
{
    if (is_whole(s.axis))
        return (range){0, 0};
    return (range){(s.origin + lo) / s.axis->period,
                   (s.origin + hi - 1) / s.axis->period};
}

/* Append the intersection of span t of x with piece k of y's owner in period
 * r, repeated reps times; x is A if x_is_a, else B. */
static int
add(hesca_overlap *o, span t, hesca_share y, int64_t r, int k, int64_t reps,
    int x_is_a)
{
    const span u = cut(y, r, k, t.lo, t.hi);
    const int64_t x_local = t.local + u.lo - t.lo;
    if (u.lo >= u.hi || reps < 1)
        return HESCA_SUCCESS;
    return append(o, (hesca_interval){.i = u.lo,
                                      .a = x_is_a ? x_local : u.local,
                                      .b = x_is_a ? u.local : x_local,
                                      .len = u.hi - u.lo,
                                      .reps = reps});
}

/* Append the intersection of span t of x with y.  If the owner has one piece
 * in each period, the span contains this piece completely in all periods but
 * the first and the last, and one interval stands for all of them. */
static int
intersect(hesca_overlap *o, span t, hesca_share y, int x_is_a)
{
    const range r = periods(y, t.lo, t.hi);
    int err;
    if (npieces(y) == 1 && r.last - r.first >= 2) {
        const span u = cut(y, r.first, 0, t.lo, t.hi);
        const span v = cut(y, r.last, 0, t.lo, t.hi);
        const int64_t len = y.axis->share[y.owner];
        const int head = u.hi - u.lo < len, tail = v.hi - v.lo < len;
        if (head)
            HESCA_TRY(err, add(o, t, y, r.first, 0, 1, x_is_a));
        HESCA_TRY(err, add(o, t, y, r.first + head, 0,
                           r.last - r.first + 1 - head - tail, x_is_a));
        if (tail)
            HESCA_TRY(err, add(o, t, y, r.last, 0, 1, x_is_a));
        return HESCA_SUCCESS;
    }
    for (int64_t p = r.first; p <= r.last; ++p)
        for (int k = 0; k < npieces(y); ++k)
            HESCA_TRY(err, add(o, t, y, p, k, 1, x_is_a));
    return HESCA_SUCCESS;
fail:
    return err;
}

/* Free the unused capacity, since plans are cached for long. */
static void
shrink(hesca_overlap *o)
{
    if (o->n == 0)
        return;
    hesca_interval *less = realloc(o->iv, (size_t)o->n * sizeof *less);
    if (less != NULL)
        o->iv = less;
}

/* Distance of local indices of an owner between periods of the pattern. */
static int64_t
step_of(hesca_share s, int64_t period)
{
    return is_whole(s.axis) ? period
                            : period / s.axis->period * s.axis->share[s.owner];
}

int
hesca_overlap_init(hesca_overlap *o, hesca_share a, hesca_share b, int64_t n)
{
    int err = HESCA_SUCCESS;
    memset(o, 0, sizeof *o);
    o->period = common_period(a.axis, b.axis, n);
    o->nrep = n / o->period;
    if (n == 0 || npieces(a) == 0 || npieces(b) == 0)
        return err;
    o->a_step = step_of(a, o->period);
    o->b_step = step_of(b, o->period);
    /* Walk the side with fewer pieces: then the other side's piece is empty
     * only at the ends of a span, see intersect(). */
    const int a_leads = pieces_in(a, o->period) <= pieces_in(b, o->period);
    const hesca_share x = a_leads ? a : b, y = a_leads ? b : a;
    o->stride.i = period_of(y.axis);
    o->stride.a = a_leads ? o->stride.i : step_of(a, o->stride.i);
    o->stride.b = a_leads ? step_of(b, o->stride.i) : o->stride.i;
    const range r = periods(x, 0, o->period);
    for (int64_t p = r.first; p <= r.last; ++p)
        for (int k = 0; k < npieces(x); ++k) {
            const span t = cut(x, p, k, 0, o->period);
            if (t.lo < t.hi)
                HESCA_TRY(err, intersect(o, t, y, a_leads));
        }
    if (o->n > 0)
        o->tail = below_in_period(o, n % o->period);
    o->total = o->nrep * o->count + o->tail;
    shrink(o);
fail:
    if (err < 0)
        hesca_overlap_clear(o);
    return err;
}

void
hesca_overlap_clear(hesca_overlap *o)
{
    free(o->iv);
    memset(o, 0, sizeof *o);
}

/* --- counting ---
 * Each index of one period is counted nrep times, and once more if it is below
 * rest. */

/* Count the indices from ... to - 1 of an axis by owner, and add times the
 * number of owner q to count[q * step]. */
static void
count_owners(const hesca_axis *y, int64_t from, int64_t to, int64_t times,
             int64_t *count, int step)
{
    if (is_whole(y)) {
        count[y->piece->owner * step] += times * (to - from);
        return;
    }
    if (to - from >= 2 * y->period) {
        for (int q = 0; q < y->nowners; ++q)
            count[q * step] += times * (hesca_axis_count(y, q, to) -
                                        hesca_axis_count(y, q, from));
        return;
    }
    const hesca_piece *p = hesca_axis_piece(y, from % y->period);
    int64_t left = p->offset + p->length - from % y->period;
    for (int64_t i = from; i < to;) {
        count[p->owner * step] += times * hesca_min(left, to - i);
        i += left;
        p = p + 1 == y->piece + y->npieces ? y->piece : p + 1;
        left = p->length;
    }
}

void
hesca_overlap_count(const hesca_axis *a, int64_t ia, const hesca_axis *b,
                    int64_t ib, int64_t n, int64_t *count)
{
    const int64_t period = common_period(a, b, n);
    const int64_t nrep = n / period, rest = n % period;
    /* Walk the axis with the longer pieces. */
    const int a_leads =
        is_whole(a) || (!is_whole(b) && (double)a->period / a->npieces >=
                                            (double)b->period / b->npieces);
    const hesca_axis *x = a_leads ? a : b, *y = a_leads ? b : a;
    const int64_t ix = a_leads ? ia : ib, iy = a_leads ? ib : ia;
    const int x_step = a_leads ? b->nowners : 1;
    const int y_step = a_leads ? 1 : b->nowners;
    memset(count, 0, (size_t)a->nowners * (size_t)b->nowners * sizeof *count);
    if (n == 0)
        return;
    const hesca_piece *p = hesca_axis_piece(x, ix % x->period);
    int64_t skip = ix % x->period - p->offset;
    for (int64_t lo = 0; lo < period; skip = 0) {
        const int64_t hi =
            is_whole(x) ? period : hesca_min(lo + p->length - skip, period);
        int64_t *row = count + (int64_t)p->owner * x_step;
        count_owners(y, iy + lo, iy + hi, nrep, row, y_step);
        if (lo < rest)
            count_owners(y, iy + lo, iy + hesca_min(hi, rest), 1, row, y_step);
        p = p + 1 == x->piece + x->npieces ? x->piece : p + 1;
        lo = hi;
    }
}

/* --- queries ---
 * A position numbers the common indices: period by period, in a period
 * interval by interval, in an interval piece by piece. */

hesca_stretch
hesca_overlap_at(const hesca_overlap *o, int64_t pos)
{
    assert(0 <= pos && pos < o->total);
    const int64_t rep = pos / o->count, rest = pos % o->count;
    const hesca_interval *iv = search(o, rest, 0);
    const int64_t k = (rest - iv->before) / iv->len;
    const int64_t skip = rest - iv->before - k * iv->len;
    return (hesca_stretch){
        .i = rep * o->period + iv->i + k * o->stride.i + skip,
        .a = rep * o->a_step + iv->a + k * o->stride.a + skip,
        .b = rep * o->b_step + iv->b + k * o->stride.b + skip,
        .len = hesca_min(iv->len - skip, o->total - pos)};
}

/* The pieces of an interval from position pos on, which is skip indices behind
 * the beginning of piece first in period rep. */
static hesca_pieces
pieces_at(const hesca_overlap *o, const hesca_interval *iv, int64_t rep,
          int64_t first, int64_t skip, int64_t pos)
{
    return (hesca_pieces){
        .pos = pos,
        .a = rep * o->a_step + iv->a + first * o->stride.a + skip,
        .b = rep * o->b_step + iv->b + first * o->stride.b + skip,
        .len = iv->len - skip,
        .inner = {1, iv->len, o->stride.a, o->stride.b},
        .outer = {1, o->count, o->a_step, o->b_step}};
}

int
hesca_overlap_next(hesca_walk *w, hesca_pieces *x)
{
    const hesca_overlap *o = w->overlap;
    if (w->nrep > 0 && w->k == o->n) {
        w->pos += w->nrep * o->count;
        w->nrep = 0;
    }
    if (w->pos >= w->end)
        return 0;
    const int64_t rep = w->pos / o->count, rest = w->pos % o->count;
    const int64_t left = w->end - w->pos;
    if (w->nrep == 0 && rest == 0 && left >= o->count) {
        w->k = 0;
        w->nrep = left / o->count;
        if (o->n > 1)
            w->nrep = hesca_clamp(w->span / o->count, 1, w->nrep);
    }
    if (w->nrep > 0) {
        const hesca_interval *iv = &o->iv[w->k++];
        *x = pieces_at(o, iv, rep, 0, 0, w->pos + iv->before);
        x->inner.n = iv->reps;
        x->outer.n = w->nrep;
        return 1;
    }
    const hesca_interval *iv = search(o, rest, 0);
    const int64_t first = (rest - iv->before) / iv->len;
    const int64_t skip = rest - iv->before - first * iv->len;
    *x = pieces_at(o, iv, rep, first, skip, w->pos);
    if (skip == 0 && left >= iv->len)
        x->inner.n = hesca_min(iv->reps - first, left / iv->len);
    else
        x->len = hesca_min(x->len, left);
    w->pos += x->inner.n * x->len;
    return 1;
}

int64_t
hesca_overlap_index(const hesca_overlap *o, int64_t pos)
{
    return pos >= o->total ? INT64_MAX : hesca_overlap_at(o, pos).i;
}

int64_t
hesca_overlap_below(const hesca_overlap *o, int64_t i)
{
    if (o->n == 0 || i <= 0)
        return 0;
    return hesca_min(o->total, i / o->period * o->count +
                                   below_in_period(o, i % o->period));
}

int
hesca_overlap_is_flat(const hesca_overlap *o)
{
    const int64_t periods = o->nrep + (o->tail > 0);
    return o->n == 1 && o->iv->reps == 1 &&
           (periods == 1 ||
            (o->a_step == o->iv->len && o->b_step == o->iv->len));
}
