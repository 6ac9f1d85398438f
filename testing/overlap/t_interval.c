/* SPDX-License-Identifier: BSD-3-Clause */
/* What two owners have in common, and what a redistribution copies and moves,
 * against looking at every index and every element. */
#include "base/arith.h"
#include "overlap/interval.h"
#include "overlap/problem.h"
#include "testing/assign.h"
#include "testing/trapezoid.h"
#include "testing/unit.h"

/* One common index: of the subrange, and local on both sides. */
typedef struct {
    int64_t i, a, b;
} meeting;

/* A pair of axes and a subrange of each. */
typedef struct {
    assign_axis a, b;
    int64_t ia, ib, n;
    char text[500];
} ranges;

static assign_axis
random_axis(int n, int is_any)
{
    if (!is_any)
        return assign_random_cyclic(n, 6);
    return check_uniform(0, 1) ? assign_random_pieces(n, 6)
                               : assign_random_generalized(n, 6);
}

static ranges
random_ranges(int kind)
{
    ranges t = {.n = check_uniform(0, 7) ? check_uniform(2, 130)
                                         : check_uniform(0, 1)};
    t.ia = check_uniform(0, 2) ? check_uniform(0, 40) : 0;
    t.ib = check_uniform(0, 2) ? check_uniform(0, 40) : 0;
    const int na = (int)(t.ia + t.n) + check_uniform(0, 1) * 9;
    const int nb = (int)(t.ib + t.n) + check_uniform(0, 1) * 9;
    t.a = random_axis(na, kind & 1);
    t.b = random_axis(nb, kind & 2);
    snprintf(t.text, sizeof t.text, "%lld of {%s} at %lld and {%s} at %lld",
             (long long)t.n, t.a.text, (long long)t.ia, t.b.text,
             (long long)t.ib);
    return t;
}

static void
clear_ranges(ranges *t)
{
    assign_clear(&t->a);
    assign_clear(&t->b);
}

/* Every common index, in increasing order. */
static int64_t
look(const ranges *t, int p, int q, meeting *list)
{
    int64_t count = 0;
    for (int64_t i = 0; i < t->n; ++i)
        if (t->a.owner[t->ia + i] == p && t->b.owner[t->ib + i] == q)
            list[count++] =
                (meeting){i, t->a.local[t->ia + i], t->b.local[t->ib + i]};
    return count;
}

static hesca_overlap
make(const ranges *t, int p, int q)
{
    hesca_overlap o;
    const int err =
        hesca_overlap_init(&o, (hesca_share){&t->a.axis, p, t->ia},
                           (hesca_share){&t->b.axis, q, t->ib}, t->n);
    CHECK(err == HESCA_SUCCESS, "%s: %d", t->text, err);
    return o;
}

static void
check_one(const ranges *t, int p, int q, const meeting *list, int64_t pos,
          int64_t count, int64_t i, int64_t a, int64_t b)
{
    CHECK(pos < count && list[pos].i == i && list[pos].a == a &&
              list[pos].b == b,
          "%s: %d and %d, position %lld of %lld: index %lld at %lld and %lld",
          t->text, p, q, (long long)pos, (long long)count, (long long)i,
          (long long)a, (long long)b);
}

/* Stretch by stretch, an overlap is the list. */
static void
check_expansion(const ranges *t, int p, int q, const hesca_overlap *o,
                const meeting *list, int64_t count)
{
    int64_t pos = 0;
    while (pos < o->total) {
        const hesca_stretch x = hesca_overlap_at(o, pos);
        CHECK(x.len > 0 && x.len <= o->total - pos,
              "%s: %d and %d, position %lld of %lld: %lld long", t->text, p, q,
              (long long)pos, (long long)o->total, (long long)x.len);
        for (int64_t c = 0; c < x.len; ++c, ++pos)
            check_one(t, p, q, list, pos, count, x.i + c, x.a + c, x.b + c);
    }
    CHECK(pos == count, "%s: %d and %d have %lld, not %lld", t->text, p, q,
          (long long)pos, (long long)count);
    CHECK(o->total == o->nrep * o->count + o->tail && 0 <= o->tail &&
              (o->n == 0 || o->nrep >= 1),
          "%s: %d and %d, %lld periods of %lld and %lld", t->text, p, q,
          (long long)o->nrep, (long long)o->count, (long long)o->tail);
    for (int64_t k = 0; k + 1 < o->n; ++k) {
        const hesca_interval *x = &o->iv[k], *y = x + 1;
        CHECK(x->i + (x->reps - 1) * o->stride.i + x->len <= y->i &&
                  y->before == x->before + x->reps * x->len,
              "%s: %d and %d, intervals %lld and the next", t->text, p, q,
              (long long)k);
        CHECK(x->reps > 1 || y->reps > 1 || x->i + x->len < y->i ||
                  x->a + x->len != y->a || x->b + x->len != y->b,
              "%s: %d and %d, intervals %lld and the next could be one",
              t->text, p, q, (long long)k);
    }
}

/* A walk from any position to any other has each position between once. */
static void
check_walk(const ranges *t, int p, int q, const hesca_overlap *o,
           const meeting *list, int64_t count)
{
    const int64_t first = count > 0 ? check_uniform(0, (int)count - 1) : 0;
    const int64_t end = check_uniform((int)first, (int)count);
    hesca_walk walk = {
        .overlap = o, .pos = first, .end = end, .span = check_uniform(1, 40)};
    hesca_pieces x;
    char covered[200] = {0};
    while (hesca_overlap_next(&walk, &x))
        for (int64_t k = 0; k < x.outer.n; ++k)
            for (int64_t l = 0; l < x.inner.n; ++l)
                for (int64_t c = 0; c < x.len; ++c) {
                    const int64_t pos =
                        x.pos + k * x.outer.pos + l * x.inner.pos + c;
                    CHECK(first <= pos && pos < end && !covered[pos]++,
                          "%s: %d and %d, %lld ... %lld: position %lld",
                          t->text, p, q, (long long)first, (long long)end,
                          (long long)pos);
                    if (first <= pos && pos < end)
                        check_one(t, p, q, list, pos, count, list[pos].i,
                                  x.a + k * x.outer.a + l * x.inner.a + c,
                                  x.b + k * x.outer.b + l * x.inner.b + c);
                }
    for (int64_t pos = first; pos < end; ++pos)
        CHECK(covered[pos], "%s: %d and %d, %lld ... %lld: no position %lld",
              t->text, p, q, (long long)first, (long long)end, (long long)pos);
}

static void
check_queries(const ranges *t, int p, int q, const hesca_overlap *o,
              const meeting *list, int64_t count)
{
    for (int64_t pos = 0; pos < count; ++pos) {
        const hesca_stretch x = hesca_overlap_at(o, pos);
        check_one(t, p, q, list, pos, count, x.i, x.a, x.b);
        CHECK(hesca_overlap_index(o, pos) == list[pos].i,
              "%s: %d and %d, position %lld is index %lld", t->text, p, q,
              (long long)pos, (long long)hesca_overlap_index(o, pos));
    }
    CHECK(hesca_overlap_index(o, count) > t->n, "%s: %d and %d, the end",
          t->text, p, q);
    int64_t below = 0;
    for (int64_t i = 0; i <= t->n + 3; ++i) {
        CHECK(hesca_overlap_below(o, i) == below,
              "%s: %d and %d have %lld below %lld, not %lld", t->text, p, q,
              (long long)hesca_overlap_below(o, i), (long long)i,
              (long long)below);
        below += below < count && list[below].i == i;
    }
    CHECK(hesca_overlap_below(o, -1) == 0, "%s: %d and %d, below -1", t->text,
          p, q);
}

static void
random_overlaps(void)
{
    int64_t with_tail = 0, with_periods = 0;
    meeting list[200];
    for (int c = 0; c < check_mean_of(2500); ++c) {
        ranges t = random_ranges(c % 5);
        int64_t *count =
            malloc((size_t)(t.a.nowners * t.b.nowners) * sizeof *count);
        hesca_overlap_count(&t.a.axis, t.ia, &t.b.axis, t.ib, t.n, count);
        for (int p = 0; p < t.a.nowners; ++p)
            for (int q = 0; q < t.b.nowners; ++q) {
                const int64_t have = look(&t, p, q, list);
                hesca_overlap o = make(&t, p, q);
                with_tail += o.tail > 0;
                with_periods += o.nrep > 1;
                check_expansion(&t, p, q, &o, list, have);
                check_walk(&t, p, q, &o, list, have);
                check_queries(&t, p, q, &o, list, have);
                CHECK(count[p * t.b.nowners + q] == have,
                      "%s: count of %d and %d is %lld, not %lld", t.text, p, q,
                      (long long)count[p * t.b.nowners + q], (long long)have);
                hesca_overlap_clear(&o);
                hesca_overlap_clear(&o); /* may be cleared twice */
            }
        free(count);
        clear_ranges(&t);
    }
    CHECK(with_tail > 1000 && with_periods > 1000,
          "too few with a tail, %lld, or periods, %lld", (long long)with_tail,
          (long long)with_periods);
}

/* An axis that was not assigned index by index. */
static hesca_axis
far_axis(int64_t n, int nb, int src, int nprocs)
{
    hesca_axis x;
    if (hesca_axis_cyclic(&x, n, nb, src, nprocs) < 0)
        abort();
    return x;
}

/* Where owner p of a cyclic axis keeps index i; -1 if another one has it. */
static int64_t
local_of(int64_t i, int64_t nb, int src, int nprocs, int p)
{
    if ((src + i / nb) % nprocs != p)
        return -1;
    return i / (nb * nprocs) * nb + i % nb;
}

/* Period of an axis of which one owner has everything: 1. */
static int64_t
period_of(const hesca_axis *x)
{
    return x->nowners == 1 ? 1 : x->period;
}

/* The work is that of one period, whatever the extent: as many intervals for
 * 4e12 indices as for a few periods, no more than three for every block of the
 * longer kind, and right at any of them. */
static void
far_overlap(int64_t n, int nba, int npa, int64_t ia, int nbb, int npb,
            int64_t ib)
{
    const int asrc = check_uniform(0, npa - 1);
    const int bsrc = check_uniform(0, npb - 1);
    hesca_axis a = far_axis(ia + n, nba, asrc, npa);
    hesca_axis b = far_axis(ib + n, nbb, bsrc, npb);
    const int64_t period = hesca_lcm_below(period_of(&a), period_of(&b), n);
    const int64_t a_blocks = npa == 1 ? 1 : period / a.period + 2;
    const int64_t b_blocks = npb == 1 ? 1 : period / b.period + 2;
    int64_t *count = malloc((size_t)(npa * npb) * sizeof *count), sum = 0;
    char text[200];
    snprintf(text, sizeof text,
             "%lld of nb=%d src=%d nprocs=%d at %lld and nb=%d src=%d "
             "nprocs=%d at %lld",
             (long long)n, nba, asrc, npa, (long long)ia, nbb, bsrc, npb,
             (long long)ib);
    hesca_overlap_count(&a, ia, &b, ib, n, count);
    for (int p = 0; p < npa; ++p)
        for (int q = 0; q < npb; ++q) {
            hesca_overlap o, few;
            const hesca_share sa = {&a, p, ia}, sb = {&b, q, ib};
            CHECK(hesca_overlap_init(&o, sa, sb, n) == HESCA_SUCCESS &&
                      hesca_overlap_init(&few, sa, sb, 3 * period) ==
                          HESCA_SUCCESS,
                  "%s", text);
            CHECK(o.n == few.n && o.count == few.count && o.period == period &&
                      o.nrep == n / period && few.nrep == 3,
                  "%s: %lld intervals, in three periods %lld", text,
                  (long long)o.n, (long long)few.n);
            CHECK(o.n <= 3 * hesca_min(a_blocks, b_blocks),
                  "%s: %lld intervals", text, (long long)o.n);
            CHECK(o.total == count[p * npb + q], "%s: %d and %d, %lld", text,
                  p, q, (long long)o.total);
            sum += o.total;
            for (int k = 0; k < 20 && o.total > 0; ++k) {
                const int64_t pos =
                    k == 0 ? o.total - 1
                           : (int64_t)(check_random() % (uint64_t)o.total);
                const hesca_stretch x = hesca_overlap_at(&o, pos);
                const int64_t i = x.i;
                CHECK(0 <= i && i < n &&
                          x.a == local_of(ia + i, nba, asrc, npa, p) &&
                          x.b == local_of(ib + i, nbb, bsrc, npb, q),
                      "%s: %d and %d, position %lld, index %lld", text, p, q,
                      (long long)pos, (long long)i);
                CHECK(hesca_overlap_below(&o, i) == pos &&
                          hesca_overlap_below(&o, i + 1) == pos + 1,
                      "%s: %d and %d, position %lld, index %lld", text, p, q,
                      (long long)pos, (long long)i);
            }
            CHECK(hesca_overlap_below(&o, n) == o.total, "%s: below n", text);
            hesca_overlap_clear(&o);
            hesca_overlap_clear(&few);
        }
    CHECK(sum == n, "%s: the parts sum up to %lld", text, (long long)sum);
    free(count);
    hesca_axis_clear(&a);
    hesca_axis_clear(&b);
}

static void
far_overlaps(void)
{
    const int64_t n = 4000000000000;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    far_overlap(n, 1, 2, 0, 1, 3, 0);
    far_overlap(n, 2, 4, 0, 6, 4, 0);
    far_overlap(n, 64, 4, 123456789012, 48, 6, 7);
    far_overlap(n + 1, 32, 8, 5, 32, 8, 1234567);
    far_overlap(n + 12345, 7, 5, 3, 11, 3, 999999999999);
    /* One owner on one side, and blocks of very different lengths. */
    far_overlap(n, 1, 1, 0, 3, 5, 0);
    far_overlap(n, 32, 7, 11, 250, 1, 13);
    far_overlap(n, 1, 2, 0, 1000000000, 2, 0);
    far_overlap(n, 1000000000, 3, 17, 48, 5, 1234567);
    far_overlap(n, 2, 4, 999999999, 999999937, 1, 0);
    for (int k = 0; k < 20; ++k) {
        const int64_t more = check_uniform(0, 100000);
        const int nba = check_uniform(1, 30), npa = check_uniform(2, 6);
        const int nbb = check_uniform(1, 30), npb = check_uniform(2, 6);
        const int ia = check_uniform(0, 1000);
        far_overlap(n + more, nba, npa, ia, nbb, npb,
                    check_uniform(0, INT32_MAX - 1));
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    CHECK(end.tv_sec - begin.tv_sec < 10, "it took %ld s",
          (long)(end.tv_sec - begin.tv_sec));
}

/* One owner of everything: one interval, whatever the block was. */
static void
one_owner(void)
{
    const int64_t n = 4000000000000;
    hesca_axis a = far_axis(n, 1, 0, 1), b = far_axis(n, 3, 0, 1);
    hesca_overlap o;
    int64_t count = -1;
    CHECK(hesca_overlap_init(&o, (hesca_share){&a, 0, 0},
                             (hesca_share){&b, 0, 0}, n) == HESCA_SUCCESS &&
              o.n == 1 && o.iv[0].len == n && o.total == n,
          "%lld intervals", (long long)o.n);
    hesca_overlap_clear(&o);
    hesca_overlap_count(&a, 0, &b, 0, n, &count);
    CHECK(count == n, "%lld", (long long)count);
    CHECK(
        hesca_overlap_init(&o, (hesca_share){&a, 0, 17},
                           (hesca_share){&b, 0, 3}, n - 17) == HESCA_SUCCESS &&
            o.n == 1 && o.iv[0].a == 17 && o.iv[0].b == 3 && o.total == n - 17,
        "%lld intervals", (long long)o.n);
    hesca_overlap_clear(&o);
    hesca_axis_clear(&a);
    hesca_axis_clear(&b);
}

/* ------------------------------------------------ hesca_problem */

static const char *const part_name[] = {"all", "upper", "strict upper",
                                        "lower", "strict lower"};

/* Against insidemat() of REDIST/SRC/pdtrmr.c, as it stands there. */
static void
insidemat(int upper, int with_diagonal, int64_t j, int64_t m, int64_t n,
          int64_t *lo, int64_t *hi)
{
    if (upper) {
        const int64_t virtualnbline = hesca_max(m - n, 0) + j + with_diagonal;
        *lo = 0;
        *hi = hesca_min(virtualnbline, m);
    } else {
        const int64_t diagcol = hesca_max(n - m, 0);
        const int64_t virtualline = j - diagcol + !with_diagonal;
        *lo = hesca_max(0, virtualline);
        *hi = m;
    }
}

static void
trapezoids(void)
{
    for (int64_t m = 0; m <= 9; ++m)
        for (int64_t n = 0; n <= 9; ++n)
            for (int part = HESCA_ALL; part <= HESCA_LOWER_STRICT; ++part) {
                const hesca_problem p = {
                    .part = (hesca_part)part, .m = m, .n = n, .esize = 3};
                int64_t total = 0;
                for (int64_t j = 0; j < n; ++j) {
                    int64_t lo = -1, hi = -1, real_lo = 0, real_hi = m;
                    hesca_problem_rows(&p, j, &lo, &hi);
                    for (int64_t i = 0; i < m; ++i) {
                        const int in = trapezoid_has(p.part, m, n, i, j);
                        total += in;
                        CHECK((lo <= i && i < hi) == in,
                              "%s %lldx%lld, column %lld: rows %lld ... %lld",
                              part_name[part], (long long)m, (long long)n,
                              (long long)j, (long long)lo, (long long)hi);
                    }
                    if (part != HESCA_ALL)
                        insidemat(part <= HESCA_UPPER_STRICT,
                                  part == HESCA_UPPER || part == HESCA_LOWER,
                                  j, m, n, &real_lo, &real_hi);
                    CHECK(0 <= lo && hi <= m &&
                              (lo >= hi ? real_lo >= real_hi
                                        : lo == real_lo && hi == real_hi),
                          "%s %lldx%lld, column %lld: rows %lld ... %lld",
                          part_name[part], (long long)m, (long long)n,
                          (long long)j, (long long)lo, (long long)hi);
                }
                CHECK(hesca_problem_bytes(&p) == 3 * total,
                      "%s %lldx%lld: %lld bytes", part_name[part],
                      (long long)m, (long long)n,
                      (long long)hesca_problem_bytes(&p));
            }
}

/* A layout and where the submatrix begins in it. */
typedef struct {
    hesca_layout *layout;
    int64_t i, j;
    char text[200];
} place;

static place
random_place(int m, int n, int nprocs)
{
    int ranks[12];
    place x = {.i = check_uniform(0, 1) * check_uniform(0, 20),
               .j = check_uniform(0, 1) * check_uniform(0, 20)};
    const int nprow = check_uniform(1, nprocs);
    const int npcol = check_uniform(1, nprocs / nprow);
    const int mm = (int)x.i + m + check_uniform(0, 5);
    const int nn = (int)x.j + n + check_uniform(0, 5);
    const int mb = check_block(m), nb = check_block(n);
    const int rsrc = check_uniform(0, nprow - 1);
    const int csrc = check_uniform(0, npcol - 1);
    int at =
        snprintf(x.text, sizeof x.text,
                 "%dx%d in %dx%d on %dx%d from (%d,%d) at (%d,%d), ranks", mm,
                 nn, mb, nb, nprow, npcol, rsrc, csrc, (int)x.i, (int)x.j);
    for (int k = 0; k < nprocs; ++k)
        ranks[k] = k;
    for (int k = nprocs - 1; k > 0 && check_uniform(0, 3); --k) {
        const int other = check_uniform(0, k), r = ranks[k];
        ranks[k] = ranks[other];
        ranks[other] = r;
    }
    for (int k = 0; k < nprow * npcol; ++k)
        at +=
            snprintf(x.text + at, sizeof x.text - (size_t)at, " %d", ranks[k]);
    if (hesca_layout_create_cyclic(mm, nn, mb, nb, rsrc, csrc, nprow, npcol,
                                   ranks, &x.layout) < 0)
        abort();
    return x;
}

static int
owner_of(const place *x, int64_t i, int64_t j)
{
    int rank = -1;
    int64_t il, jl;
    hesca_layout_locate(x->layout, x->i + i, x->j + j, &rank, &il, &jl);
    return rank;
}

static void
problems(void)
{
    long local = 0;
    for (int c = 0; c < check_cases(600); ++c) {
        const int nprocs = check_uniform(1, 12);
        const int m = check_uniform(0, 9) ? check_uniform(1, 30) : 0;
        const int n = check_uniform(0, 3)   ? check_uniform(0, 30)
                      : check_uniform(0, 3) ? m
                                            : 1;
        const hesca_part part = (hesca_part)check_uniform(0, 4);
        const size_t esize = (size_t)check_uniform(1, 17);
        place a = random_place(m, n, nprocs);
        place b = check_uniform(0, 4) ? random_place(m, n, nprocs) : a;
        hesca_problem p;
        CHECK(hesca_problem_init(&p, part, m, n, a.layout, a.i, a.j, b.layout,
                                 b.i, b.j, esize) == HESCA_SUCCESS,
              "case %d", c);
        int64_t total = 0, moved = 0, got = -1;
        int stays = 1;
        for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) {
                const int leaves = owner_of(&a, i, j) != owner_of(&b, i, j);
                const int in = trapezoid_has(part, m, n, i, j);
                total += in;
                moved += in && leaves;
                stays = stays && !leaves;
            }
        const char *format =
            "%s %dx%d of %zu bytes, {%s} to {%s}: %lld, not %lld";
        const long long size = (long long)esize;
        CHECK(hesca_problem_bytes(&p) == total * size, format, part_name[part],
              m, n, esize, a.text, b.text, (long long)hesca_problem_bytes(&p),
              total * size);
        CHECK(hesca_problem_moved(&p, &got) == HESCA_SUCCESS &&
                  got == moved * size,
              format, part_name[part], m, n, esize, a.text, b.text,
              (long long)got, moved * size);
        CHECK(hesca_problem_is_local(&p) == stays, format, part_name[part], m,
              n, esize, a.text, b.text, (long long)hesca_problem_is_local(&p),
              (long long)stays);
        local += stays;
        hesca_problem same;
        hesca_problem_init(&same, part, m, n, a.layout, a.i, a.j, b.layout,
                           b.i, b.j, esize);
        CHECK(hesca_problem_equal(&p, &same), "case %d", c);
        ++same.ja;
        CHECK(!hesca_problem_equal(&p, &same), "case %d", c);
        hesca_problem_clear(&same);
        hesca_problem_clear(&p);
        hesca_layout_free(a.layout);
        if (b.layout != a.layout)
            hesca_layout_free(b.layout);
    }
    CHECK(local > 20, "only %ld local problems", local);
}

/* Bytes of matrices that have more elements than 32 bits can count. */
static void
far_bytes(void)
{
    const int64_t k = 3000000;
    hesca_problem p = {.m = k, .n = k, .esize = 8};
    CHECK(hesca_problem_bytes(&p) == 8 * k * k, "all");
    p.part = HESCA_LOWER;
    CHECK(hesca_problem_bytes(&p) == 4 * k * (k + 1), "lower");
    p.part = HESCA_UPPER_STRICT;
    CHECK(hesca_problem_bytes(&p) == 4 * k * (k - 1), "strict upper");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(random_overlaps), UNIT(far_overlaps), UNIT(one_owner),
        UNIT(trapezoids),      UNIT(problems),     UNIT(far_bytes)};
    unit_begin("overlap/t_interval", 20260103);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
