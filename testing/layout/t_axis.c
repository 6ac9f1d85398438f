/* SPDX-License-Identifier: BSD-3-Clause */
/* Owners of indices and local indices, against assigning blocks in turn and
 * against ScaLAPACK's formulas; every way to get a layout wrong. */
#include "base/arith.h"
#include "layout/layout.h"
#include "testing/assign.h"
#include "testing/unit.h"

/* TOOLS/numroc.f, with 64-bit extents. */
static int64_t
numroc(int64_t n, int64_t nb, int iproc, int isrcproc, int nprocs)
{
    const int mydist = (nprocs + iproc - isrcproc) % nprocs;
    const int64_t nblocks = n / nb, extrablks = nblocks % nprocs;
    int64_t numroc = nblocks / nprocs * nb;
    if (mydist < extrablks)
        numroc += nb;
    else if (mydist == extrablks)
        numroc += n % nb;
    return numroc;
}

/* TOOLS/indxg2p.f and indxg2l.f, counted from 0. */
static int
indxg2p(int64_t i, int64_t nb, int isrcproc, int nprocs)
{
    return (int)((isrcproc + i / nb) % nprocs);
}

static int64_t
indxg2l(int64_t i, int64_t nb, int nprocs)
{
    return nb * (i / (nb * nprocs)) + i % nb;
}

/* Counts, pieces and shares of one axis against its oracle. */
static void
check_axis(const assign_axis *x)
{
    const hesca_axis *axis = &x->axis;
    int64_t *below = calloc((size_t)x->nowners, sizeof *below);
    int64_t shares = 0;
    for (int p = 0; p < x->nowners; ++p)
        shares += axis->share[p];
    CHECK(shares == axis->period, "%s: shares sum up to %lld, period %lld",
          x->text, (long long)shares, (long long)axis->period);
    for (int64_t i = 0; i <= x->n; ++i) {
        for (int p = 0; p < x->nowners; ++p)
            CHECK(hesca_axis_count(axis, p, i) == below[p],
                  "%s: process %d has %lld of the first %lld, not %lld",
                  x->text, p, (long long)hesca_axis_count(axis, p, i),
                  (long long)i, (long long)below[p]);
        if (i == x->n)
            break;
        const hesca_piece *piece = hesca_axis_piece(axis, i % axis->period);
        const int64_t local = i / axis->period * axis->share[piece->owner] +
                              piece->local + i % axis->period - piece->offset;
        CHECK(piece->owner == x->owner[i] && local == x->local[i],
              "%s: index %lld is %lld of %d, not %lld of %d", x->text,
              (long long)i, (long long)local, piece->owner,
              (long long)x->local[i], x->owner[i]);
        ++below[x->owner[i]];
    }
    free(below);
}

static void
cyclic_axes(void)
{
    for (int k = 0; k < check_cases(1500); ++k) {
        assign_axis x = assign_random_cyclic(check_uniform(0, 120), 8);
        check_axis(&x);
        for (int p = 0; p < x.nowners; ++p)
            CHECK(numroc(x.n, x.nb, p, x.src, x.nowners) ==
                      hesca_axis_count(&x.axis, p, x.n),
                  "%s: NUMROC of %d is %lld", x.text, p,
                  (long long)numroc(x.n, x.nb, p, x.src, x.nowners));
        int src = -1;
        const int64_t nb = hesca_axis_is_cyclic(&x.axis, &src);
        CHECK(src == x.src, "%s: begins on %d", x.text, src);
        /* One owner: one block is as good as many. */
        CHECK(x.nowners > 1 ? nb == x.nb : nb >= x.n && nb >= 1,
              "%s: nb = %lld", x.text, (long long)nb);
        assign_clear(&x);
    }
}

static void
other_axes(void)
{
    for (int k = 0; k < check_cases(500); ++k) {
        assign_axis x = assign_random_pieces(check_uniform(0, 120), 6);
        check_axis(&x);
        assign_clear(&x);
    }
}

/* Equal lengths are cyclic. */
static void
generalized_axes(void)
{
    int cyclic = 0;
    for (int k = 0; k < check_cases(1500); ++k) {
        assign_axis x = assign_random_generalized(check_uniform(0, 120), 6);
        int src = -1;
        check_axis(&x);
        const int64_t nb = hesca_axis_is_cyclic(&x.axis, &src);
        CHECK(x.nowners > 1 ? nb == x.nb : nb == hesca_max(x.n, 1),
              "%s: nb = %lld", x.text, (long long)nb);
        CHECK(nb == 0 || src == 0, "%s: begins on %d", x.text, src);
        cyclic += x.nowners > 1 && nb > 0;
        assign_clear(&x);
    }
    CHECK(cyclic > 20, "only %d cyclic", cyclic);
}

/* Whether two axes coincide, by their owners over many periods. */
static void
coinciding_axes(void)
{
    int together = 0;
    for (int k = 0; k < check_cases(3000); ++k) {
        int64_t length[2][3];
        const int np = check_uniform(1, 3), nq = check_uniform(0, 9) ? np : 2;
        assign_random_lengths(np, 2, length[0]);
        assign_random_lengths(nq, 2, length[1]);
        const int ix = check_uniform(0, 12), iy = check_uniform(0, 12);
        assign_axis x =
            assign_generalized(150 + check_uniform(0, 9), np, length[0]);
        assign_axis y =
            assign_generalized(150 + check_uniform(0, 9), nq,
                               length[check_uniform(0, 1) || np != nq]);
        int same = np == nq;
        for (int i = 0; i < 130; ++i)
            same = same && x.owner[ix + i] == y.owner[iy + i];
        CHECK(hesca_axis_coincide(&x.axis, ix, &y.axis, iy) == same,
              "{%s} from %d on and {%s} from %d on", x.text, ix, y.text, iy);
        together += same;
        assign_clear(&x);
        assign_clear(&y);
    }
    CHECK(together > 100, "only %d coincide", together);
}

/* Axes that are not cyclic, each for another reason. */
static void
is_cyclic(void)
{
    static const struct {
        int n, length[6], owner[6], nprocs;
        int64_t nb;
        int src;
    } list[] = {
        {3, {4, 4, 4}, {0, 1, 2}, 3, 4, 0},
        {3, {4, 4, 4}, {1, 2, 0}, 3, 4, 1},
        {3, {4, 4, 4}, {2, 0, 1}, 3, 4, 2},
        {3, {4, 4, 5}, {0, 1, 2}, 3, 0, 0},
        {3, {5, 4, 4}, {0, 1, 2}, 3, 0, 0},
        {3, {4, 4, 4}, {0, 2, 1}, 3, 0, 0},
        {3, {4, 4, 4}, {0, 1, 1}, 3, 0, 0},
        {3, {4, 4, 4}, {0, 1, 2}, 4, 0, 0}, /* one owner has nothing */
        {4, {1, 1, 1, 1}, {0, 1, 0, 2}, 3, 0, 0},
        {1, {7}, {0}, 1, 7, 0},
        {2, {3, 3}, {1, 0}, 2, 3, 1},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        assign_axis x = assign_pieces(50, list[k].n, list[k].length,
                                      list[k].owner, list[k].nprocs);
        int src = -1;
        const int64_t nb = hesca_axis_is_cyclic(&x.axis, &src);
        CHECK(nb == list[k].nb && (nb == 0 || src == list[k].src),
              "%s: nb = %lld from %d", x.text, (long long)nb, src);
        assign_clear(&x);
    }
}

static void
copies(void)
{
    for (int k = 0; k < check_cases(500); ++k) {
        const int n = check_uniform(0, 40), nprocs = check_uniform(1, 4);
        const int nb = check_uniform(1, 6), src = check_uniform(0, nprocs - 1);
        assign_axis x = assign_cyclic(n, nb, src, nprocs), y = x;
        CHECK(hesca_axis_copy(&y.axis, &x.axis) == HESCA_SUCCESS, "%s",
              x.text);
        CHECK(hesca_axis_equal(&x.axis, &y.axis), "%s", x.text);
        check_axis(&y);
        hesca_axis_clear(&y.axis);
        hesca_axis_clear(&y.axis); /* may be cleared twice */
        const int dn = check_uniform(0, 3) == 0, db = check_uniform(0, 3) == 0;
        const int dp = check_uniform(0, 3) == 0;
        assign_axis z = assign_cyclic(
            n + dn, nb + db, check_uniform(0, 3) ? src : 0, nprocs + dp);
        const int same = x.n == z.n && x.nowners == z.nowners &&
                         (x.nowners == 1 || x.nb == z.nb) && x.src == z.src;
        CHECK(hesca_axis_equal(&x.axis, &z.axis) == same, "%s and %s", x.text,
              z.text);
        CHECK(hesca_axis_equal(&z.axis, &x.axis) == same, "%s and %s", x.text,
              z.text);
        assign_clear(&x);
        assign_clear(&z);
    }
}

/* Index k of y, from `at` on, is index i + k of x, with as many of its owner
 * before it. */
static void
check_part(const assign_axis *x, const hesca_axis *y, int64_t at, int64_t i,
           int64_t n)
{
    for (int64_t k = 0; k < n; ++k) {
        int64_t local;
        const int owner = hesca_axis_locate(y, at + k, &local);
        const int64_t before = hesca_axis_count(&x->axis, owner, i + k) -
                               hesca_axis_count(&x->axis, owner, i);
        CHECK(owner == x->owner[i + k] &&
                  local - hesca_axis_count(y, owner, at) == before,
              "%s from %lld: index %lld is %lld of %d", x->text, (long long)i,
              (long long)k, (long long)local, owner);
    }
}

static void
parts(void)
{
    for (int k = 0; k < check_cases(500); ++k) {
        const int n = check_uniform(1, 40), nprocs = check_uniform(1, 4);
        const int nb = check_uniform(1, 6), src = check_uniform(0, nprocs - 1);
        const int i = check_uniform(0, n - 1), len = check_uniform(1, n - i);
        const int times = check_uniform(1, 4);
        assign_axis x = assign_cyclic(n, nb, src, nprocs);
        hesca_axis y;
        int64_t before;
        CHECK(hesca_axis_window(&y, &x.axis, i, len, &before) ==
                      HESCA_SUCCESS &&
                  y.n == before + len && before < x.axis.period,
              "%s: %lld + %d of %lld", x.text, (long long)before, len,
              (long long)y.n);
        check_part(&x, &y, before, i, len);
        hesca_axis_clear(&y);
        CHECK(hesca_axis_repeated(&y, &x.axis, i, len, times) ==
                      HESCA_SUCCESS &&
                  y.n == len * times,
              "%s: %lld", x.text, (long long)y.n);
        for (int t = 0; t < times; ++t)
            check_part(&x, &y, t * len, i, len);
        hesca_axis_clear(&y);
        assign_clear(&x);
    }
}

/* Extents, blocks and periods beyond 32 bits. */
static void
far_indices(void)
{
    for (int k = 0; k < check_cases(2000); ++k) {
        const int64_t n = (int64_t)(check_random() >> check_uniform(2, 20));
        const int nb = 1 + (int)(check_random() >> check_uniform(34, 63));
        const int nprocs = check_uniform(1, 40);
        const int src = check_uniform(0, nprocs - 1);
        hesca_axis x;
        int64_t sum = 0;
        CHECK(hesca_axis_cyclic(&x, n, nb, src, nprocs) == HESCA_SUCCESS,
              "n=%lld nb=%d nprocs=%d", (long long)n, nb, nprocs);
        for (int p = 0; p < nprocs; ++p) {
            const int64_t i = (int64_t)(check_random() % ((uint64_t)n + 1));
            sum += hesca_axis_count(&x, p, n);
            CHECK(hesca_axis_count(&x, p, n) ==
                          numroc(n, nb, p, src, nprocs) &&
                      hesca_axis_count(&x, p, i) ==
                          numroc(i, nb, p, src, nprocs),
                  "n=%lld nb=%d src=%d nprocs=%d: process %d, i=%lld",
                  (long long)n, nb, src, nprocs, p, (long long)i);
        }
        CHECK(sum == n, "n=%lld nb=%d src=%d nprocs=%d: sum %lld",
              (long long)n, nb, src, nprocs, (long long)sum);
        hesca_axis_clear(&x);
    }
}

typedef struct {
    int64_t m, n;
    int mb, nb, rsrc, csrc, nprow, npcol;
    int ranks[16];
    char text[200];
} shape;

static shape
random_shape(int64_t m, int64_t n, int64_t most_block)
{
    shape s = {.m = m,
               .n = n,
               .nprow = check_uniform(1, 4),
               .npcol = check_uniform(1, 4)};
    s.mb = 1 + (int)(check_random() % (uint64_t)most_block);
    s.nb = 1 + (int)(check_random() % (uint64_t)most_block);
    s.rsrc = check_uniform(0, s.nprow - 1);
    s.csrc = check_uniform(0, s.npcol - 1);
    for (int k = 0; k < 16; ++k)
        s.ranks[k] = k + 3; /* ranks 0 ... 2 are outside */
    assign_shuffle(s.ranks, 16);
    snprintf(s.text, sizeof s.text,
             "%lldx%lld in blocks of %dx%d on %dx%d from (%d,%d)",
             (long long)m, (long long)n, s.mb, s.nb, s.nprow, s.npcol, s.rsrc,
             s.csrc);
    return s;
}

static hesca_layout *
create(const shape *s, const int *ranks)
{
    hesca_layout *x = NULL;
    const int err =
        hesca_layout_create_cyclic(s->m, s->n, s->mb, s->nb, s->rsrc, s->csrc,
                                   s->nprow, s->npcol, ranks, &x);
    CHECK(err == HESCA_SUCCESS && x != NULL, "%s: %d, %s", s->text, err,
          hesca_error_text());
    return x;
}

/* Every element has one owner and one place, no two the same; the places of a
 * process fill its local array. */
static void
check_places(const shape *s, const hesca_layout *x, const int *ranks)
{
    unsigned char *taken[19] = {NULL};
    int64_t locr[19], locc[19], sum = 0;
    for (int r = 0; r < 19; ++r) {
        CHECK(hesca_layout_local_size(x, r, &locr[r], &locc[r]) ==
                  HESCA_SUCCESS,
              "%s: rank %d", s->text, r);
        taken[r] = calloc((size_t)(locr[r] * locc[r]) + 1, 1);
        sum += locr[r] * locc[r];
    }
    CHECK(sum == s->m * s->n, "%s: the local arrays hold %lld", s->text,
          (long long)sum);
    for (int64_t i = 0; i < s->m; ++i)
        for (int64_t j = 0; j < s->n; ++j) {
            int rank = -1;
            int64_t il = -1, jl = -1;
            const int p = indxg2p(i, s->mb, s->rsrc, s->nprow) * s->npcol +
                          indxg2p(j, s->nb, s->csrc, s->npcol);
            const int err = hesca_layout_locate(x, i, j, &rank, &il, &jl);
            CHECK(err == HESCA_SUCCESS &&
                      rank == (ranks == NULL ? p : ranks[p]) &&
                      il == indxg2l(i, s->mb, s->nprow) &&
                      jl == indxg2l(j, s->nb, s->npcol),
                  "%s: (%lld,%lld) is (%lld,%lld) of %d", s->text,
                  (long long)i, (long long)j, (long long)il, (long long)jl,
                  rank);
            if (rank < 0 || rank >= 19 || il < 0 || il >= locr[rank] ||
                jl < 0 || jl >= locc[rank]) {
                CHECK(0, "%s: (%lld,%lld) is outside", s->text, (long long)i,
                      (long long)j);
                continue;
            }
            CHECK(!taken[rank][jl * locr[rank] + il],
                  "%s: (%lld,%lld) meets another one", s->text, (long long)i,
                  (long long)j);
            taken[rank][jl * locr[rank] + il] = 1;
        }
    for (int r = 0; r < 19; ++r)
        free(taken[r]);
}

static void
check_coords(const shape *s, const hesca_layout *x, const int *ranks)
{
    for (int r = -1; r < 20; ++r) {
        int prow = -7, pcol = -7, k = 0;
        const int nprocs = s->nprow * s->npcol;
        while (k < nprocs && (ranks == NULL ? k : ranks[k]) != r)
            ++k;
        const int inside = hesca_layout_coords(x, r, &prow, &pcol);
        CHECK(inside == (k < nprocs), "%s: rank %d", s->text, r);
        if (k < nprocs)
            CHECK(prow == k / s->npcol && pcol == k % s->npcol,
                  "%s: rank %d is (%d,%d)", s->text, r, prow, pcol);
        int64_t locr = -1, locc = -1;
        CHECK(hesca_layout_local_size(x, r, &locr, &locc) == HESCA_SUCCESS,
              "%s: rank %d", s->text, r);
        if (k == nprocs)
            CHECK(locr == 0 && locc == 0, "%s: rank %d has %lld x %lld",
                  s->text, r, (long long)locr, (long long)locc);
    }
}

static void
layouts(void)
{
    for (int k = 0; k < check_cases(400); ++k) {
        const int m = check_uniform(0, 25), n = check_uniform(0, 25);
        const shape s = random_shape(m, n, check_uniform(0, 3) ? 7 : 40);
        const int *ranks = check_uniform(0, 3) ? s.ranks : NULL;
        hesca_layout *x = create(&s, ranks);
        check_places(&s, x, ranks);
        check_coords(&s, x, ranks);
        hesca_layout *y = hesca_layout_copy(x);
        CHECK(hesca_layout_equal(x, y), "%s", s.text);
        check_places(&s, y, ranks);
        CHECK(y->mb == s.mb && y->nb == s.nb, "%s: copied as %d x %d", s.text,
              y->mb, y->nb);
        hesca_layout_free(y);
        hesca_layout_free(x);
    }
    hesca_layout_free(NULL);
}

static void
different_layouts(void)
{
    const shape s = {.m = 20,
                     .n = 30,
                     .mb = 2,
                     .nb = 3,
                     .rsrc = 1,
                     .csrc = 1,
                     .nprow = 2,
                     .npcol = 3,
                     .ranks = {5, 4, 3, 2, 1, 0}};
    shape t[10];
    for (int k = 0; k < 10; ++k)
        t[k] = s;
    t[1].m = 21;
    t[2].n = 31;
    t[3].mb = 3;
    t[4].nb = 2;
    t[5].rsrc = 0;
    t[6].csrc = 2;
    t[7].nprow = 3;
    t[8].npcol = 2;
    t[9].ranks[4] = 6;
    for (int k = 0; k < 10; ++k) {
        for (int q = 6; q < 9; ++q)
            t[k].ranks[q] = q + 1;
        hesca_layout *x = create(&s, s.ranks), *y = create(&t[k], t[k].ranks);
        CHECK(hesca_layout_equal(x, y) == (k == 0), "variant %d", k);
        hesca_layout_free(x);
        hesca_layout_free(y);
    }
}

static void
far_elements(void)
{
    for (int k = 0; k < check_cases(500); ++k) {
        const int64_t m = (int64_t)1e15 + check_uniform(0, 1000000);
        const int64_t n = (int64_t)3e12 + check_uniform(0, 1000000);
        const shape s =
            random_shape(m, n, check_uniform(0, 2) ? 100 : (int64_t)INT32_MAX);
        hesca_layout *x = create(&s, s.ranks);
        int64_t rows = 0, locr, locc;
        for (int r = 0; r < s.nprow; ++r) {
            const int rank = s.ranks[r * s.npcol];
            hesca_layout_local_size(x, rank, &locr, &locc);
            CHECK(locr == numroc(m, s.mb, r, s.rsrc, s.nprow) &&
                      locc == numroc(n, s.nb, 0, s.csrc, s.npcol),
                  "%s: rank %d has %lld x %lld", s.text, rank, (long long)locr,
                  (long long)locc);
            rows += locr;
        }
        CHECK(rows == m, "%s: %lld rows", s.text, (long long)rows);
        for (int q = 0; q < 20; ++q) {
            const int64_t i =
                q == 0 ? m - 1 : (int64_t)(check_random() % (uint64_t)m);
            const int64_t j =
                q == 0 ? n - 1 : (int64_t)(check_random() % (uint64_t)n);
            const int p = indxg2p(i, s.mb, s.rsrc, s.nprow) * s.npcol +
                          indxg2p(j, s.nb, s.csrc, s.npcol);
            int rank = -1;
            int64_t il = -1, jl = -1;
            hesca_layout_locate(x, i, j, &rank, &il, &jl);
            CHECK(rank == s.ranks[p] && il == indxg2l(i, s.mb, s.nprow) &&
                      jl == indxg2l(j, s.nb, s.npcol),
                  "%s: (%lld,%lld) is (%lld,%lld) of %d", s.text, (long long)i,
                  (long long)j, (long long)il, (long long)jl, rank);
        }
        hesca_layout_free(x);
    }
}

/* Illegal arguments of hesca_layout_create_cyclic(). */
typedef struct {
    int64_t m, n;
    int mb, nb, rsrc, csrc, nprow, npcol;
    int info;
    const char *name, *value;
} mistake;

static void
create_errors(void)
{
    static const mistake list[] = {
        {-1, 4, 2, 2, 0, 0, 2, 3, 1, "m,", "-1"},
        {INT64_MIN, 4, 2, 2, 0, 0, 2, 3, 1, "m,", "-9223372036854775808"},
        {4, -7, 2, 2, 0, 0, 2, 3, 2, "n,", "-7"},
        {4, 4, 0, 2, 0, 0, 2, 3, 3, "mb,", "0"},
        {4, 4, -3, 2, 0, 0, 2, 3, 3, "mb,", "-3"},
        {4, 4, 2, 0, 0, 0, 2, 3, 4, "nb,", "0"},
        {4, 4, 2, INT32_MIN, 0, 0, 2, 3, 4, "nb,", "-2147483648"},
        {4, 4, 2, 2, -1, 0, 2, 3, 5, "rsrc,", "-1"},
        {4, 4, 2, 2, 2, 0, 2, 3, 5, "rsrc,", "2"},
        {4, 4, 2, 2, 0, -1, 2, 3, 6, "csrc,", "-1"},
        {4, 4, 2, 2, 0, 3, 2, 3, 6, "csrc,", "3"},
        {4, 4, 2, 2, 0, 0, 0, 3, 7, "nprow,", "0"},
        {4, 4, 2, 2, 0, 0, -2, 3, 7, "nprow,", "-2"},
        {4, 4, 2, 2, 5, 0, -2, 3, 7, "nprow,", "-2"},
        {4, 4, 2, 2, 0, 0, 2, 0, 8, "npcol,", "0"},
        {4, 4, 2, 2, 0, 0, 2, -1, 8, "npcol,", "-1"},
        {4, 4, 2, 2, 0, 0, 65536, 32768, 8, "npcol,", "32768"},
        {4, 4, 2, 2, 0, 0, INT32_MAX, 2, 8, "npcol,", "2"},
        {-1, -1, 0, 0, -1, -1, 0, 0, 1, "m,", "-1"},
    };
    const int ranks[] = {0, 1, 2, 3, 4, 5};
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
        for (int with_ranks = 0; with_ranks < 2; ++with_ranks) {
            const mistake *t = &list[k];
            hesca_layout *x = (hesca_layout *)(void *)&x;
            char what[40];
            hesca_error_set(HESCA_ERR_MPI, 99, "an older failure");
            const int err = hesca_layout_create_cyclic(
                t->m, t->n, t->mb, t->nb, t->rsrc, t->csrc, t->nprow, t->npcol,
                with_ranks ? ranks : NULL, &x);
            CHECK(err == HESCA_ERR_ARG && x == NULL, "mistake %zu: %d, %p", k,
                  err, (void *)x);
            CHECK(hesca_error_info() == t->info, "mistake %zu: info %d", k,
                  hesca_error_info());
            snprintf(what, sizeof what, " %d, %s is %s", t->info, t->name,
                     t->value);
            CHECK(strstr(hesca_error_text(), what) != NULL &&
                      strstr(hesca_error_text(),
                             "hesca_layout_create_cyclic") != NULL,
                  "mistake %zu, wanted '%s': %s", k, what, hesca_error_text());
        }
}

static void
rank_errors(void)
{
    static const struct {
        int ranks[6], bad;
    } list[] = {{{0, 1, 2, 3, 4, 4}, 5},
                {{0, 0, 2, 3, 4, 5}, 1},
                {{-1, 1, 2, 3, 4, 5}, 0},
                {{0, 1, 2, 3, 4, -5}, 5},
                {{5, 4, 3, 2, 1, 5}, 5},
                {{7, 8, 9, 8, 7, 9}, 3},
                {{0, 1, INT32_MIN, 3, 4, 5}, 2},
                {{INT32_MAX, 1, 2, INT32_MAX, 4, 5}, 3}};
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        hesca_layout *x = (hesca_layout *)(void *)&x;
        char what[60];
        const int err = hesca_layout_create_cyclic(4, 4, 2, 2, 0, 0, 2, 3,
                                                   list[k].ranks, &x);
        CHECK(err == HESCA_ERR_ARG && x == NULL && hesca_error_info() == 9,
              "ranks %zu: %d, info %d", k, err, hesca_error_info());
        snprintf(what, sizeof what,
                 "argument 9, ranks[%d], is %d:", list[k].bad,
                 list[k].ranks[list[k].bad]);
        CHECK(strstr(hesca_error_text(), what) != NULL,
              "ranks %zu, wanted '%s': %s", k, what, hesca_error_text());
    }
    const int far[] = {INT32_MAX, 0};
    hesca_layout *x = NULL;
    CHECK(hesca_layout_create_cyclic(4, 4, 2, 2, 0, 0, 2, 1, far, &x) ==
              HESCA_SUCCESS,
          "a rank of 2^31 - 1: %s", hesca_error_text());
    hesca_layout_free(x);
    CHECK(hesca_layout_create_cyclic(4, 4, 2, 2, 0, 0, 2, 1, far, NULL) ==
                  HESCA_ERR_ARG &&
              hesca_error_info() == 10 &&
              strstr(hesca_error_text(), "layout, is NULL") != NULL,
          "no layout: %d, %s", hesca_error_info(), hesca_error_text());
}

static void
check_error(const char *what, int err, int info, const char *routine)
{
    CHECK(err == HESCA_ERR_ARG, "%s: %d", what, err);
    CHECK(hesca_error_info() == info, "%s: info %d, not %d", what,
          hesca_error_info(), info);
    CHECK(strstr(hesca_error_text(), routine) != NULL, "%s: %s", what,
          hesca_error_text());
}

static void
query_errors(void)
{
    const char *locate = "hesca_layout_locate";
    const char *size = "hesca_layout_local_size";
    hesca_layout *x = NULL;
    int rank = 77;
    int64_t il = 77, jl = 77;
    hesca_layout_create_cyclic(10, 12, 2, 3, 1, 0, 2, 3, NULL, &x);
    check_error("i = -1", hesca_layout_locate(x, -1, 0, &rank, &il, &jl), 2,
                locate);
    check_error("i = m", hesca_layout_locate(x, 10, 0, &rank, &il, &jl), 2,
                locate);
    CHECK(strstr(hesca_error_text(), "i, is 10") != NULL, "i = m: %s",
          hesca_error_text());
    check_error("j = -1", hesca_layout_locate(x, 0, -1, &rank, &il, &jl), 3,
                locate);
    check_error("j = n", hesca_layout_locate(x, 9, 12, &rank, &il, &jl), 3,
                locate);
    CHECK(strstr(hesca_error_text(), "j, is 12") != NULL, "j = n: %s",
          hesca_error_text());
    check_error("no layout", hesca_layout_locate(NULL, 0, 0, &rank, &il, &jl),
                1, locate);
    check_error("no rank", hesca_layout_locate(x, 0, 0, NULL, &il, &jl), 4,
                locate);
    check_error("no il", hesca_layout_locate(x, 0, 0, &rank, NULL, &jl), 5,
                locate);
    check_error("no jl", hesca_layout_locate(x, 0, 0, &rank, &il, NULL), 6,
                locate);
    check_error("no layout", hesca_layout_local_size(NULL, 0, &il, &jl), 1,
                size);
    check_error("no locr", hesca_layout_local_size(x, 0, NULL, &jl), 3, size);
    check_error("no locc", hesca_layout_local_size(x, 0, &il, NULL), 4, size);
    CHECK(rank == 77 && il == 77 && jl == 77, "%d %lld %lld", rank,
          (long long)il, (long long)jl);
    hesca_layout_free(x);
    hesca_layout_create_cyclic(0, 0, 2, 3, 0, 0, 2, 3, NULL, &x);
    check_error("an empty matrix",
                hesca_layout_locate(x, 0, 0, &rank, &il, &jl), 2, locate);
    hesca_layout_free(x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(cyclic_axes),
                                       UNIT(other_axes),
                                       UNIT(generalized_axes),
                                       UNIT(coinciding_axes),
                                       UNIT(is_cyclic),
                                       UNIT(copies),
                                       UNIT(parts),
                                       UNIT(far_indices),
                                       UNIT(layouts),
                                       UNIT(different_layouts),
                                       UNIT(far_elements),
                                       UNIT(create_errors),
                                       UNIT(rank_errors),
                                       UNIT(query_errors)};
    unit_begin("layout/t_axis", 20260102);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
