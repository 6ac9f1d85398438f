#include "overlap/interval.h"
#include "base/arith.h"
#include "base/status.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int
append(hesca_overlap *o, hesca_interval iv)
{
    hesca_interval *last = o->n > 0 ? &o->iv[o->n - 1] : NULL;
    if (last != NULL && last->i + last->len == iv.i &&
        last->a + last->len == iv.a && last->b + last->len == iv.b) {
        last->len += iv.len;
        o->count += iv.len;
        return HESCA_SUCCESS;
    }
    /* Capacities are powers of two, so a full array is told by its length. */
    if ((o->n & (o->n - 1)) == 0) {
        const size_t room = o->n == 0 ? 1 : 2 * (size_t)o->n;
        hesca_interval *more = realloc(o->iv, room * sizeof *more);
        if (more == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0, "overlap of %zu intervals",
                              room);
        o->iv = more;
    }
    iv.before = o->count;
    o->count += iv.len;
    o->iv[o->n++] = iv;
    return HESCA_SUCCESS;
}

/* A piece of one side in one period: indices lo ... hi - 1 of the subrange,
 * local indices from local on. */
typedef struct {
    int64_t lo, hi, local;
} span;

/* Piece k of the share's owner in period r, cut to lo ... hi - 1. */
static span
cut(hesca_share s, int64_t r, int k, int64_t lo, int64_t hi)
{
    const hesca_axis *x = s.axis;
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

/* Add the intervals that x's span t has in common with y; x is A if x_is_a. */
static int
meet(hesca_overlap *o, span t, hesca_share y, int x_is_a)
{
    const int64_t period = y.axis->period;
    const int64_t last = (t.hi - 1 + y.origin) / period;
    int err = HESCA_SUCCESS;
    for (int64_t r = (t.lo + y.origin) / period; r <= last; ++r)
        for (int k = 0; k < npieces(y); ++k) {
            const span u = cut(y, r, k, t.lo, t.hi);
            const int64_t x_local = t.local + u.lo - t.lo;
            if (u.lo >= u.hi)
                continue;
            HESCA_TRY(err, append(o, (hesca_interval){
                                         .i = u.lo,
                                         .a = x_is_a ? x_local : u.local,
                                         .b = x_is_a ? u.local : x_local,
                                         .len = u.hi - u.lo}));
        }
fail:
    return err;
}

/* Plans are kept for long: give back what append() took too much. */
static void
shrink(hesca_overlap *o)
{
    if (o->n == 0)
        return;
    hesca_interval *less = realloc(o->iv, (size_t)o->n * sizeof *less);
    if (less != NULL)
        o->iv = less;
}

int
hesca_overlap_make(hesca_overlap *o, hesca_share a, hesca_share b, int64_t n)
{
    int err = HESCA_SUCCESS;
    memset(o, 0, sizeof *o);
    o->period =
        hesca_max(1, hesca_lcm_below(a.axis->period, b.axis->period, n));
    o->nrep = n / o->period;
    if (n == 0)
        return err;
    o->a_step = o->period / a.axis->period * a.axis->share[a.owner];
    o->b_step = o->period / b.axis->period * b.axis->share[b.owner];
    /* Walk the side with fewer pieces: then no step of the walk is empty but
     * for ends, see meet(). */
    const int64_t a_pieces = o->period / a.axis->period * npieces(a);
    const int64_t b_pieces = o->period / b.axis->period * npieces(b);
    const int a_leads = a_pieces <= b_pieces;
    const hesca_share x = a_leads ? a : b, y = a_leads ? b : a;
    const int64_t last = (x.origin + o->period - 1) / x.axis->period;
    for (int64_t r = x.origin / x.axis->period; r <= last; ++r)
        for (int k = 0; k < npieces(x); ++k) {
            const span t = cut(x, r, k, 0, o->period);
            if (t.lo < t.hi)
                HESCA_TRY(err, meet(o, t, y, a_leads));
        }
    const int64_t rest = n - o->nrep * o->period;
    while (o->ntail < o->n && o->iv[o->ntail].i < rest)
        ++o->ntail;
    o->total = o->nrep * o->count;
    if (o->ntail > 0) {
        const hesca_interval *iv = &o->iv[o->ntail - 1];
        o->tail_len = hesca_min(iv->len, rest - iv->i);
        o->total += iv->before + o->tail_len;
    }
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

void
hesca_overlap_count(const hesca_axis *a, int64_t ia, const hesca_axis *b,
                    int64_t ib, int64_t n, int64_t *count)
{
    const int64_t period =
        hesca_max(1, hesca_lcm_below(a->period, b->period, n));
    const int64_t nrep = n / period, rest = n % period;
    memset(count, 0, (size_t)a->nowners * (size_t)b->nowners * sizeof *count);
    if (n == 0)
        return;
    const hesca_piece *p = hesca_axis_piece(a, ia % a->period);
    const hesca_piece *q = hesca_axis_piece(b, ib % b->period);
    int64_t p_left = p->offset + p->length - ia % a->period;
    int64_t q_left = q->offset + q->length - ib % b->period;
    for (int64_t i = 0; i < period;) {
        const int64_t len = hesca_min(hesca_min(p_left, q_left), period - i);
        count[(int64_t)p->owner * b->nowners + q->owner] +=
            nrep * len + hesca_clamp(rest - i, 0, len);
        i += len;
        p_left -= len;
        q_left -= len;
        if (p_left == 0) {
            p = p + 1 == a->piece + a->npieces ? a->piece : p + 1;
            p_left = p->length;
        }
        if (q_left == 0) {
            q = q + 1 == b->piece + b->npieces ? b->piece : q + 1;
            q_left = q->length;
        }
    }
}

/* The last interval that begins, by the given measure, at or below x. */
static int64_t
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
    return lo;
}

void
hesca_overlap_seek(const hesca_overlap *o, int64_t pos, int64_t *rep,
                   int64_t *k)
{
    assert(0 <= pos && pos < o->total);
    *rep = pos / o->count;
    *k = search(o, pos % o->count, 0);
}

int64_t
hesca_overlap_index(const hesca_overlap *o, int64_t pos)
{
    int64_t rep, k;
    if (pos >= o->total)
        return INT64_MAX;
    hesca_overlap_seek(o, pos, &rep, &k);
    return rep * o->period + o->iv[k].i + pos % o->count - o->iv[k].before;
}

int64_t
hesca_overlap_below(const hesca_overlap *o, int64_t i)
{
    if (o->n == 0 || i <= 0)
        return 0;
    const int64_t rep = i / o->period, rest = i % o->period;
    const hesca_interval *iv = &o->iv[search(o, rest, 1)];
    return hesca_min(o->total, rep * o->count + iv->before +
                                   hesca_clamp(rest - iv->i, 0, iv->len));
}

int
hesca_overlap_is_flat(const hesca_overlap *o)
{
    const int64_t periods = o->nrep + (o->ntail > 0);
    return o->n == 1 && (periods == 1 ||
                         (o->a_step == o->iv->len && o->b_step == o->iv->len));
}
