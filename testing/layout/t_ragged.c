/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts whose lines of processes cut the other dimension on their own,
 * against tables of owners that are counted through; the worked examples of
 * the HMPI thesis; layouts that are products after all; every way to get one
 * wrong, and no memory. */
#include "base/status.h"
#include "layout/layout.h"
#include "overlap/problem.h"
#include "testing/assign.h"
#include "testing/nomem.h"
#include "testing/unit.h"

enum { SIDE = 4, BLOCKS = 9, EDGE = 4, EXTENT = 40, RANKS = 19 };

/* Blocks of mb x nb, of which every process column, or row, assigns lp or lq
 * in its own way. */
typedef struct {
    hesca_layout_kind kind;
    int m, n, mb, nb, lp, lq, nprow, npcol, in_order;
    int row[SIDE][BLOCKS], col[SIDE][BLOCKS]; /* owners, of each cut */
    int ranks[SIDE * SIDE];
    char text[400];
} shape;

/* ------------------------------------------------ brute force */

/* Process row and column of element (i,j). */
static int
owner_of(const shape *s, int i, int j)
{
    const int gi = i / s->mb % s->lp, gj = j / s->nb % s->lq;
    if (s->kind == HESCA_ROW_BASED) {
        const int p = s->row[0][gi];
        return p * s->npcol + s->col[p][gj];
    }
    const int q = s->col[0][gj];
    const int cut = s->kind == HESCA_COLUMN_BASED ? q : 0;
    return s->row[cut][gi] * s->npcol + q;
}

/* What an element is, found by walking over all of the matrix. */
typedef struct {
    int owner[EXTENT][EXTENT], il[EXTENT][EXTENT], jl[EXTENT][EXTENT];
    int locr[SIDE * SIDE], locc[SIDE * SIDE]; /* of owners of some element */
} places;

static void
walk(const shape *s, places *x)
{
    memset(x, 0, sizeof *x);
    for (int k = 0; k < s->nprow * s->npcol; ++k) {
        int row[EXTENT] = {0}, col[EXTENT] = {0}, il = 0, jl = 0;
        for (int i = 0; i < s->m; ++i)
            for (int j = 0; j < s->n; ++j)
                if (owner_of(s, i, j) == k)
                    row[i] = col[j] = 1;
        for (int i = 0; i < s->m; il += row[i++])
            for (int j = (jl = 0); j < s->n; jl += col[j++])
                if (row[i] && col[j]) {
                    /* its rows and columns make a full rectangle */
                    CHECK(owner_of(s, i, j) == k, "%s", s->text);
                    x->owner[i][j] = k;
                    x->il[i][j] = il;
                    x->jl[i][j] = jl;
                }
        for (int j = (jl = 0); j < s->n; ++j)
            jl += col[j];
        x->locr[k] = il;
        x->locc[k] = jl;
    }
}

/* ------------------------------------------------ shapes */

static void
assign_blocks(int *owner, int n, int nowners, int in_order)
{
    for (int k = 0; k < n; ++k)
        owner[k] = check_uniform(0, nowners - 1);
    for (int k = 1; in_order && k < n; ++k)
        for (int l = k; l > 0 && owner[l - 1] > owner[l]; --l) {
            const int p = owner[l];
            owner[l] = owner[l - 1];
            owner[l - 1] = p;
        }
}

static void
describe(shape *s)
{
    int at =
        snprintf(s->text, sizeof s->text,
                 "%dx%d, kind %d, %dx%d blocks of %dx%d on %dx%d:", s->m, s->n,
                 (int)s->kind, s->lp, s->lq, s->mb, s->nb, s->nprow, s->npcol);
    for (int q = 0; q < SIDE; ++q) {
        at += snprintf(s->text + at, sizeof s->text - (size_t)at, " ");
        for (int k = 0; k < s->lp; ++k)
            at += snprintf(s->text + at, sizeof s->text - (size_t)at, "%d",
                           s->row[q][k]);
    }
    for (int p = 0; p < SIDE; ++p) {
        at += snprintf(s->text + at, sizeof s->text - (size_t)at, " |");
        for (int k = 0; k < s->lq; ++k)
            at += snprintf(s->text + at, sizeof s->text - (size_t)at, "%d",
                           s->col[p][k]);
    }
}

static shape
random_shape(int in_order)
{
    shape s = {.kind = (hesca_layout_kind)check_uniform(0, 2),
               .m = check_uniform(0, EXTENT),
               .n = check_uniform(0, EXTENT),
               .mb = check_uniform(1, EDGE),
               .nb = check_uniform(1, EDGE),
               .lp = check_uniform(1, BLOCKS),
               .lq = check_uniform(1, BLOCKS),
               .nprow = check_uniform(1, SIDE),
               .npcol = check_uniform(1, SIDE),
               .in_order = in_order};
    for (int k = 0; k < SIDE; ++k) {
        assign_blocks(s.row[k], s.lp, s.nprow, in_order);
        assign_blocks(s.col[k], s.lq, s.npcol, in_order);
    }
    for (int k = 0; k < SIDE * SIDE; ++k)
        s.ranks[k] = k + 3; /* ranks 0 ... 2 are outside */
    assign_shuffle(s.ranks, SIDE * SIDE);
    describe(&s);
    return s;
}

static int
create_by_owners(const shape *s, const int *ranks, hesca_layout **x)
{
    int rows[SIDE * BLOCKS], cols[SIDE * BLOCKS];
    for (int k = 0; k < SIDE * s->lp; ++k)
        rows[k] = s->row[k / s->lp][k % s->lp];
    for (int k = 0; k < SIDE * s->lq; ++k)
        cols[k] = s->col[k / s->lq][k % s->lq];
    return hesca_layout_create_by_owners(s->kind, s->m, s->n, s->mb, s->nb,
                                         s->lp, s->lq, s->nprow, s->npcol,
                                         rows, cols, ranks, x);
}

/* The same by lengths, if owners come in order. */
static int
create_by_lengths(const shape *s, const int *ranks, hesca_layout **x)
{
    int64_t heights[SIDE * SIDE] = {0}, widths[SIDE * SIDE] = {0};
    const int is_column = s->kind == HESCA_COLUMN_BASED;
    for (int q = 0; q < (is_column ? s->npcol : 1); ++q)
        for (int k = 0; k < s->lp; ++k)
            heights[is_column ? s->row[q][k] * s->npcol + q : s->row[q][k]] +=
                s->mb;
    for (int p = 0; p < (is_column ? 1 : s->nprow); ++p)
        for (int k = 0; k < s->lq; ++k)
            widths[is_column ? s->col[p][k] : p * s->npcol + s->col[p][k]] +=
                s->nb;
    return is_column
               ? hesca_layout_create_column_based(
                     s->m, s->n, s->nprow, s->npcol, heights, widths, ranks, x)
               : hesca_layout_create_row_based(s->m, s->n, s->nprow, s->npcol,
                                               heights, widths, ranks, x);
}

/* ------------------------------------------------ layouts */

static void
check_element(const shape *s, const hesca_layout *x, const int *ranks,
              const places *w, int i, int j)
{
    const int k = w->owner[i][j], expected = ranks == NULL ? k : ranks[k];
    int rank = -1;
    int64_t il = -1, jl = -1, gi = -1, gj = -1;
    CHECK(hesca_layout_locate(x, i, j, &rank, &il, &jl) == HESCA_SUCCESS &&
              rank == expected && il == w->il[i][j] && jl == w->jl[i][j],
          "%s: (%d,%d) is (%d,%d) of %d", s->text, i, j, (int)il, (int)jl,
          rank);
    CHECK(hesca_layout_global(x, rank, il, jl, &gi, &gj) == HESCA_SUCCESS &&
              gi == i && gj == j,
          "%s: (%d,%d) of %d is (%d,%d), not (%d,%d)", s->text, (int)il,
          (int)jl, rank, (int)gi, (int)gj, i, j);
}

static void
check_places(const shape *s, const hesca_layout *x, const int *ranks)
{
    static places w;
    int64_t owned = 0;
    walk(s, &w);
    for (int i = 0; i < s->m; ++i)
        for (int j = 0; j < s->n; ++j)
            check_element(s, x, ranks, &w, i, j);
    for (int rank = 0; rank < RANKS; ++rank) {
        int k = 0;
        int64_t locr = -1, locc = -1;
        while (k < s->nprow * s->npcol && (ranks ? ranks[k] : k) != rank)
            ++k;
        const int inside = k < s->nprow * s->npcol;
        const int some = inside && w.locr[k] > 0 && w.locc[k] > 0;
        CHECK(hesca_layout_local_size(x, rank, &locr, &locc) == HESCA_SUCCESS,
              "%s", s->text);
        CHECK(some ? locr == w.locr[k] && locc == w.locc[k]
                   : locr * locc == 0 && (inside || locr + locc == 0),
              "%s: rank %d has %d x %d", s->text, rank, (int)locr, (int)locc);
        owned += locr * locc;
    }
    CHECK(owned == (int64_t)s->m * s->n, "%s: %d elements", s->text,
          (int)owned);
}

static void
layouts(void)
{
    int ragged = 0;
    for (int k = 0; k < check_cases(400); ++k) {
        const shape s = random_shape(k % 2);
        const int *ranks = check_uniform(0, 3) ? s.ranks : NULL;
        hesca_layout *x = NULL, *z = NULL;
        CHECK(create_by_owners(&s, ranks, &x) == HESCA_SUCCESS, "%s: %s",
              s.text, hesca_error_text());
        check_places(&s, x, ranks);
        hesca_layout *y = hesca_layout_copy(x);
        check_places(&s, y, ranks);
        CHECK(hesca_layout_equal(x, y), "%s", s.text);
        CHECK(hesca_layout_memory(x) == hesca_layout_memory(y), "%s", s.text);
        ragged += !hesca_layout_is_product(x);
        if (s.in_order && s.kind != HESCA_CARTESIAN) {
            CHECK(create_by_lengths(&s, ranks, &z) == HESCA_SUCCESS, "%s: %s",
                  s.text, hesca_error_text());
            check_places(&s, z, ranks);
            CHECK(hesca_layout_is_product(x) == hesca_layout_is_product(z),
                  "%s", s.text);
        }
        hesca_layout_free(x);
        hesca_layout_free(y);
        hesca_layout_free(z);
    }
    CHECK(ragged > check_cases(400) / 4, "only %d ragged ones", ragged);
}

/* A change of one block makes another layout, but for what its owner has
 * anyway. */
static void
differences(void)
{
    for (int k = 0; k < check_cases(300); ++k) {
        shape s = random_shape(0);
        static places before, after;
        hesca_layout *x = NULL, *y = NULL;
        s.m = s.n = EXTENT; /* more than a period */
        create_by_owners(&s, NULL, &x);
        walk(&s, &before);
        s.row[check_uniform(0, SIDE - 1)][check_uniform(0, s.lp - 1)] =
            check_uniform(0, s.nprow - 1);
        create_by_owners(&s, NULL, &y);
        walk(&s, &after);
        CHECK(hesca_layout_equal(x, y) ==
                  !memcmp(before.owner, after.owner, sizeof before.owner),
              "%s", s.text);
        hesca_layout_free(x);
        hesca_layout_free(y);
    }
}

/* ------------------------------------------------ products */

/* Equal cuts make products: the generalized, and the cyclic ones. */
static void
products(void)
{
    for (int k = 0; k < check_cases(300); ++k) {
        const int nprow = check_uniform(1, SIDE);
        const int npcol = check_uniform(1, SIDE),
                  by_rows = check_uniform(0, 1);
        const int m = check_uniform(0, EXTENT), n = check_uniform(0, EXTENT);
        int64_t heights[SIDE], widths[SIDE], all[SIDE * SIDE];
        hesca_layout *x = NULL, *y = NULL;
        assign_random_lengths(nprow, check_uniform(1, 4), heights);
        assign_random_lengths(npcol, check_uniform(1, 4), widths);
        for (int p = 0; p < nprow; ++p)
            for (int q = 0; q < npcol; ++q) {
                all[p * npcol + q] = by_rows ? widths[q] : heights[p];
                if ((by_rows ? heights[p] : widths[q]) == 0)
                    all[p * npcol + q] = check_uniform(-9, 9);
            }
        const int err =
            by_rows ? hesca_layout_create_row_based(m, n, nprow, npcol,
                                                    heights, all, NULL, &x)
                    : hesca_layout_create_column_based(m, n, nprow, npcol, all,
                                                       widths, NULL, &x);
        CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
        hesca_layout_create_generalized(m, n, nprow, npcol, heights, widths,
                                        NULL, &y);
        CHECK(hesca_layout_is_product(x) && hesca_layout_equal(x, y),
              "%d x %d on %d x %d, by rows: %d", m, n, nprow, npcol, by_rows);
        hesca_layout_free(x);
        hesca_layout_free(y);
    }
}

/* Blocks in turn, however often the turn is repeated in the arguments. */
static void
cyclic(void)
{
    for (int k = 0; k < check_cases(300); ++k) {
        shape s = random_shape(0);
        hesca_layout *x = NULL, *y = NULL;
        s.lp = s.nprow * check_uniform(1, BLOCKS / s.nprow);
        s.lq = s.npcol * check_uniform(1, BLOCKS / s.npcol);
        const int rsrc = check_uniform(0, s.nprow - 1);
        const int csrc = check_uniform(0, s.npcol - 1);
        for (int c = 0; c < SIDE; ++c) {
            for (int b = 0; b < BLOCKS; ++b) {
                s.row[c][b] = (rsrc + b) % s.nprow;
                s.col[c][b] = (csrc + b) % s.npcol;
            }
        }
        describe(&s);
        create_by_owners(&s, s.ranks, &x);
        hesca_layout_create_cyclic(s.m, s.n, s.mb, s.nb, rsrc, csrc, s.nprow,
                                   s.npcol, s.ranks, &y);
        CHECK(x != NULL && hesca_layout_equal(x, y), "%s: %dx%d, %dx%d",
              s.text, x->mb, x->nb, y->mb, y->nb);
        hesca_layout_free(x);
        hesca_layout_free(y);
    }
}

/* ------------------------------------------------ worked examples */

/* Thesis, Figure 5.5: speeds .11 .25 .05 / .17 .09 .08 / .05 .17 .03 and
 * blocks of 6 x 6. */
static const int64_t WIDTHS[] = {2, 3, 1};
static const int64_t HEIGHTS[] = {2, 3, 2, 3, 1, 3, 1, 2, 1};

static void
figure_55(void)
{
    static const int64_t locr[] = {6, 8, 6, 6, 2, 6, 2, 4, 2};
    static const int64_t locc[] = {6, 6, 2};
    hesca_layout *x = NULL;
    int64_t sum = 0;
    CHECK(hesca_layout_create_column_based(14, 14, 3, 3, HEIGHTS, WIDTHS, NULL,
                                           &x) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int k = 0; k < 9; ++k) {
        int64_t r = -1, c = -1;
        hesca_layout_local_size(x, k, &r, &c);
        CHECK(r == locr[k] && c == locc[k % 3], "(%d,%d): %d x %d", k / 3,
              k % 3, (int)r, (int)c);
        sum += r * c;
    }
    CHECK(sum == 14 * 14, "%d elements", (int)sum);
    hesca_layout_free(x);
}

/* Rows that two rectangles of it have in common: 26 ordered pairs of other
 * columns, where aligned rows would make 18. */
static void
figure_55_common(void)
{
    /* first row and height of (I,J) */
    static const int at[3][3] = {{0, 0, 0}, {2, 3, 2}, {5, 4, 5}};
    hesca_layout *x = NULL;
    hesca_problem p;
    int pairs = 0;
    hesca_layout_create_column_based(6, 6, 3, 3, HEIGHTS, WIDTHS, NULL, &x);
    CHECK(hesca_problem_init(&p, HESCA_ALL, 6, 6, x, 0, 0, x, 0, 0, 8) ==
              HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int k = 0; k < 81; ++k) {
        const int i = k / 27, j = k / 9 % 3, a = k / 3 % 3, b = k % 3;
        int expected = 0;
        for (int row = 0; row < 6; ++row)
            expected += row >= at[i][j] &&
                        row < at[i][j] + HEIGHTS[i * 3 + j] &&
                        row >= at[a][b] && row < at[a][b] + HEIGHTS[a * 3 + b];
        const int64_t common = hesca_problem_common_rows(&p, i, j, a, b);
        CHECK(common == expected, "(%d,%d), (%d,%d): %d rows", i, j, a, b,
              (int)common);
        pairs += j != b && common > 0;
    }
    CHECK(pairs == 26, "%d pairs", pairs);
    CHECK(hesca_problem_is_local(&p), "a copy onto itself");
    hesca_problem_clear(&p);
    hesca_layout_free(x);
}

/* Thesis, Figure 3.18: Cartesian, areas 4 6 2 in each row. */
static void
figure_318(void)
{
    static const int64_t heights[] = {2, 2, 2, 2, 2, 2, 2, 2, 2};
    hesca_layout *x = NULL;
    hesca_layout_create_column_based(6, 6, 3, 3, heights, WIDTHS, NULL, &x);
    CHECK(hesca_layout_is_product(x), "rows are not aligned");
    for (int k = 0; k < 9; ++k) {
        int64_t r = -1, c = -1;
        hesca_layout_local_size(x, k, &r, &c);
        CHECK(r * c == 2 * WIDTHS[k % 3], "(%d,%d): %d x %d", k / 3, k % 3,
              (int)r, (int)c);
    }
    hesca_layout_free(x);
}

/* ------------------------------------------------ far elements */

/* Extents and lengths beyond 32 bits: places by the formula. */
static void
far_elements(void)
{
    for (int k = 0; k < check_cases(300); ++k) {
        const int64_t edge = (int64_t)(check_random() >> check_uniform(8, 30));
        const int64_t m = (int64_t)(check_random() >> check_uniform(2, 20));
        const int64_t half = edge / 2;
        const int64_t heights[] = {half + 1, edge - half, edge - half,
                                   half + 1};
        const int64_t widths[] = {1, 1};
        hesca_layout *x = NULL;
        CHECK(hesca_layout_create_column_based(m, 2, 2, 2, heights, widths,
                                               NULL, &x) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int n = 0; n < 20 && m > 0; ++n) {
            const int64_t i =
                n == 0 ? m - 1 : (int64_t)(check_random() % (uint64_t)m);
            const int64_t rest = i % (edge + 1);
            const int p = rest >= heights[1];
            int rank = -1;
            int64_t il = -1, jl = -1, gi = -1, gj = -1;
            hesca_layout_locate(x, i, 1, &rank, &il, &jl);
            CHECK(rank == 2 * p + 1 && jl == 0 &&
                      il == i / (edge + 1) * heights[2 * p + 1] + rest -
                                (p ? heights[1] : 0),
                  "row %lld is %lld of %d", (long long)i, (long long)il, rank);
            CHECK(hesca_layout_global(x, rank, il, jl, &gi, &gj) ==
                          HESCA_SUCCESS &&
                      gi == i && gj == 1,
                  "row %lld: %lld", (long long)i, (long long)gi);
        }
        hesca_layout_free(x);
    }
}

/* ------------------------------------------------ what is refused */

static void
check_refused(int err, const hesca_layout *x, int info, const char *says)
{
    CHECK(err == HESCA_ERR_ARG && x == NULL, "%s: %d", says, err);
    CHECK(hesca_error_info() == info, "%s: info %d", says, hesca_error_info());
    CHECK(strstr(hesca_error_text(), says) != NULL, "wanted '%s': %s", says,
          hesca_error_text());
}

/* hesca_layout_create_column_based() on 2 x 3 processes. */
typedef struct {
    int64_t m, n;
    int nprow, npcol;
    int64_t heights[6], widths[3];
    int info;
    const char *says;
} mistake;

static void
column_errors(void)
{
    static const mistake list[] = {
        {-1, 4, 2, 3, {1, 1, 1}, {1, 1, 1}, 1, "argument 1, m, is -1: must"},
        {4, -7, 2, 3, {1, 1, 1}, {1, 1, 1}, 2, "argument 2, n, is -7: must"},
        {4, 4, 0, 3, {1, 1, 1}, {1, 1, 1}, 3, "argument 3, nprow, is 0: must"},
        {4, 4, 2, 0, {1, 1, 1}, {1, 1, 1}, 4, "argument 4, npcol, is 0: must"},
        {4,
         4,
         2,
         3,
         {1, 1, 1, 1, 2, 1},
         {1, 1, 1},
         5,
         "of process column 1: "},
        {4, 4, 2, 3, {1, 1, 1, 1, 1, 0}, {1, 1, 1}, 5, "the sum is 1: must"},
        {4, 4, 2, 3, {1, 0, 1, 0, 1, -1}, {1, 1, 1}, 5, "heights[5], is -1:"},
        {4, 4, 2, 3, {1, 0, 1, 1, 0, 1}, {1, 1, 1}, 5, "heights: the sum of"},
        {4, 4, 2, 3, {1, 1, 1}, {5, 0, -2}, 6, "argument 6, widths[2], is -2"},
        {4, 4, 2, 3, {1, 1, 1}, {0, 0, 0}, 6, "argument 6, widths: the sum"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        const mistake *t = &list[k];
        hesca_layout *x = (hesca_layout *)(void *)&x;
        hesca_error_set(HESCA_ERR_MPI, 99, "an older failure");
        const int err = hesca_layout_create_column_based(
            t->m, t->n, t->nprow, t->npcol, t->heights, t->widths, NULL, &x);
        check_refused(err, x, t->info, t->says);
    }
}

static void
row_errors(void)
{
    const int64_t two[] = {1, 2}, none[] = {0, 0}, less[] = {1, -1};
    const int64_t six[] = {1, 2, 0, 2, 0, 1}, bad[] = {1, 2, 0, 2, 0, 2};
    const int ranks[] = {5, 4, 3, 2, 1, 5};
    hesca_layout *x = (hesca_layout *)(void *)&x;
    int err = hesca_layout_create_row_based(4, 4, 2, 3, none, six, NULL, &x);
    check_refused(err, x, 5, "argument 5, heights: the sum is 0");
    err = hesca_layout_create_row_based(4, 4, 2, 3, less, six, NULL, &x);
    check_refused(err, x, 5, "argument 5, heights[1], is -1");
    err = hesca_layout_create_row_based(4, 4, 2, 3, two, bad, NULL, &x);
    check_refused(err, x, 6, "widths, of process row 1: the sum is 4: must");
    err = hesca_layout_create_row_based(4, 4, 2, 3, NULL, six, NULL, &x);
    check_refused(err, x, 5, "argument 5, heights, is NULL");
    err = hesca_layout_create_row_based(4, 4, 2, 3, two, NULL, NULL, &x);
    check_refused(err, x, 6, "argument 6, widths, is NULL");
    err = hesca_layout_create_row_based(4, 4, 2, 3, two, six, ranks, &x);
    check_refused(err, x, 7, "argument 7, ranks[5], is 5: must be at least");
    err = hesca_layout_create_row_based(4, 4, 2, 3, two, six, NULL, NULL);
    check_refused(err, NULL, 8, "argument 8, layout, is NULL");
}

/* hesca_layout_create_by_owners(), the correct call but for one argument. */
static int
assign_wrongly(int argument, hesca_layout **x)
{
    static const int row[] = {0, 1, 1, 0, 0, 1}, col[] = {0, 2, 1, 0};
    static const int below[] = {0, -1, 1, 0, 0, 1}, above[] = {0, 3, 1, 0};
    static const int ranks[] = {0, 1, 2, 3, 4, -1};
    const int w = argument;
    return hesca_layout_create_by_owners(
        w == 1 ? (hesca_layout_kind)7 : HESCA_COLUMN_BASED, w == 2 ? -1 : 9,
        w == 3 ? -1 : 9, w == 4 ? 0 : 2, w == 5 ? -3 : 2, w == 6 ? 0 : 2,
        w == 7 ? -1 : 4, w == 8 ? 0 : 2, w == 9 ? 0 : 3,
        w == 10   ? below
        : w == 14 ? NULL
                  : row,
        w == 11   ? above
        : w == 15 ? NULL
                  : col,
        w == 12 ? ranks : NULL, w == 13 ? NULL : x);
}

static void
dealt_errors(void)
{
    static const char *const says[] = {
        NULL,
        "argument 1, kind, is 7: must be one of",
        "argument 2, m, is -1: must be at least 0",
        "argument 3, n, is -1: must be at least 0",
        "argument 4, mb, is 0: must be at least 1",
        "argument 5, nb, is -3: must be at least 1",
        "argument 6, lp, is 0: must be at least 1",
        "argument 7, lq, is -1: must be at least 1",
        "argument 8, nprow, is 0: must be at least 1",
        "argument 9, npcol, is 0: must be at least 1",
        "argument 10, rowowner[1], is -1: must be in 0 ... 1",
        "argument 11, colowner[1], is 3: must be in 0 ... 2",
        "argument 12, ranks[5], is -1: must be at least 0",
        "argument 13, layout, is NULL",
        "argument 10, rowowner, is NULL",
        "argument 11, colowner, is NULL"};
    for (int k = 1; k <= 15; ++k) {
        hesca_layout *x = (hesca_layout *)(void *)&x;
        const int err = assign_wrongly(k, &x);
        check_refused(err, k == 13 ? NULL : x, k > 13 ? k - 4 : k, says[k]);
    }
    hesca_layout *x = NULL;
    CHECK(assign_wrongly(0, &x) == HESCA_SUCCESS, "%s", hesca_error_text());
    hesca_layout_free(x);
}

static void
global_errors(void)
{
    hesca_layout *x = NULL;
    int64_t i = 0, j = 0;
    hesca_layout_create_column_based(14, 14, 3, 3, HEIGHTS, WIDTHS, NULL, &x);
    check_refused(hesca_layout_global(NULL, 0, 0, 0, &i, &j), NULL, 1,
                  "argument 1, layout, is NULL");
    check_refused(hesca_layout_global(x, 9, 0, 0, &i, &j), NULL, 2,
                  "argument 2, rank, is 9: must be in the grid");
    check_refused(hesca_layout_global(x, 1, 8, 0, &i, &j), NULL, 3,
                  "argument 3, il, is 8: must be a local row");
    check_refused(hesca_layout_global(x, 1, -1, 0, &i, &j), NULL, 3,
                  "argument 3, il, is -1: must be a local row");
    check_refused(hesca_layout_global(x, 2, 0, 2, &i, &j), NULL, 4,
                  "argument 4, jl, is 2: must be a local column");
    check_refused(hesca_layout_global(x, 1, 0, 0, NULL, &j), NULL, 5,
                  "argument 5, i, is NULL");
    check_refused(hesca_layout_global(x, 1, 0, 0, &i, NULL), NULL, 6,
                  "argument 6, j, is NULL");
    hesca_layout_free(x);
}

static int
create_once(const shape *s,
            int (*create)(const shape *, const int *, hesca_layout **))
{
    hesca_layout *x = (hesca_layout *)(void *)&x;
    const int err = create(s, s->ranks, &x);
    CHECK((x == NULL) == (err < 0), "%d, and a layout", err);
    hesca_layout_free(x);
    return err;
}

static int
once_assigned(void *s)
{
    return create_once(s, create_by_owners);
}

static int
once_by_lengths(void *s)
{
    return create_once(s, create_by_lengths);
}

static void
no_memory(void)
{
    shape s = random_shape(1);
    s.kind = HESCA_COLUMN_BASED;
    nomem_check("assigned", 10, once_assigned, &s);
    nomem_check("by lengths", 10, once_by_lengths, &s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(layouts),    UNIT(differences),  UNIT(products),
        UNIT(cyclic),     UNIT(figure_55),    UNIT(figure_55_common),
        UNIT(figure_318), UNIT(far_elements), UNIT(column_errors),
        UNIT(row_errors), UNIT(dealt_errors), UNIT(global_errors),
        UNIT(no_memory)};
    unit_begin("layout/t_ragged", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
