/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts in generalized blocks against assigning every row and every column;
 * those that are cyclic against the cyclic ones; every way to get one wrong,
 * and no memory. */
#include "base/status.h"
#include "layout/layout.h"
#include "testing/assign.h"
#include "testing/nomem.h"
#include "testing/unit.h"

enum { SIDE = 4, RANKS = 19 };

static const char ROUTINE[] = "hesca_layout_create_generalized";

typedef struct {
    int m, n, nprow, npcol;
    int64_t heights[SIDE], widths[SIDE];
    int ranks[SIDE * SIDE];
    char text[200];
} shape;

static shape
random_shape(void)
{
    shape s = {.m = check_uniform(0, 25),
               .n = check_uniform(0, 25),
               .nprow = check_uniform(1, SIDE),
               .npcol = check_uniform(1, SIDE)};
    assign_random_lengths(s.nprow, check_uniform(1, 9), s.heights);
    assign_random_lengths(s.npcol, check_uniform(1, 9), s.widths);
    for (int k = 0; k < SIDE * SIDE; ++k)
        s.ranks[k] = k + 3; /* ranks 0 ... 2 are outside */
    assign_shuffle(s.ranks, SIDE * SIDE);
    int at = snprintf(s.text, sizeof s.text, "%dx%d, heights", s.m, s.n);
    for (int p = 0; p < s.nprow; ++p)
        at += snprintf(s.text + at, sizeof s.text - (size_t)at, " %d",
                       (int)s.heights[p]);
    at += snprintf(s.text + at, sizeof s.text - (size_t)at, ", widths");
    for (int q = 0; q < s.npcol; ++q)
        at += snprintf(s.text + at, sizeof s.text - (size_t)at, " %d",
                       (int)s.widths[q]);
    return s;
}

static hesca_layout *
create(const shape *s, const int *ranks)
{
    hesca_layout *x = NULL;
    const int err = hesca_layout_create_generalized(
        s->m, s->n, s->nprow, s->npcol, s->heights, s->widths, ranks, &x);
    CHECK(err == HESCA_SUCCESS && x != NULL, "%s: %d, %s", s->text, err,
          hesca_error_text());
    return x;
}

/* Every element where its row and its column were assigned; what a rank
 * stores is what it was assigned. */
static void
check_places(const shape *s, const hesca_layout *x, const int *ranks)
{
    assign_axis rows = assign_generalized(s->m, s->nprow, s->heights);
    assign_axis cols = assign_generalized(s->n, s->npcol, s->widths);
    for (int64_t i = 0; i < s->m; ++i)
        for (int64_t j = 0; j < s->n; ++j) {
            const int k = rows.owner[i] * s->npcol + cols.owner[j];
            int rank = -1;
            int64_t il = -1, jl = -1;
            CHECK(hesca_layout_locate(x, i, j, &rank, &il, &jl) ==
                          HESCA_SUCCESS &&
                      rank == (ranks == NULL ? k : ranks[k]) &&
                      il == rows.local[i] && jl == cols.local[j],
                  "%s: (%d,%d) is (%d,%d) of %d", s->text, (int)i, (int)j,
                  (int)il, (int)jl, rank);
        }
    for (int rank = 0; rank < RANKS; ++rank) {
        int k = 0, prow = -1, pcol = -1;
        int64_t locr = -1, locc = -1;
        while (k < s->nprow * s->npcol && (ranks ? ranks[k] : k) != rank)
            ++k;
        const int inside = k < s->nprow * s->npcol;
        const int64_t r = inside ? assign_count(&rows, k / s->npcol, s->m) : 0;
        const int64_t c = inside ? assign_count(&cols, k % s->npcol, s->n) : 0;
        CHECK(hesca_layout_local_size(x, rank, &locr, &locc) ==
                      HESCA_SUCCESS &&
                  locr == r && locc == c,
              "%s: rank %d has %d x %d", s->text, rank, (int)locr, (int)locc);
        CHECK(hesca_layout_coords(x, rank, &prow, &pcol) == inside &&
                  (!inside || prow * s->npcol + pcol == k),
              "%s: rank %d is (%d,%d)", s->text, rank, prow, pcol);
    }
    assign_clear(&rows);
    assign_clear(&cols);
}

static void
layouts(void)
{
    for (int k = 0; k < check_cases(600); ++k) {
        const shape s = random_shape();
        const int *ranks = check_uniform(0, 3) ? s.ranks : NULL;
        hesca_layout *x = create(&s, ranks);
        check_places(&s, x, ranks);
        hesca_layout *y = hesca_layout_copy(x);
        check_places(&s, y, ranks);
        CHECK(hesca_layout_equal(x, y), "%s", s.text);
        CHECK(hesca_layout_memory(x) == hesca_layout_memory(y), "%s", s.text);
        hesca_layout_free(x);
        hesca_layout_free(y);
    }
}

/* Equal parts make the block-cyclic layout itself. */
static void
cyclic(void)
{
    for (int k = 0; k < check_cases(300); ++k) {
        shape s = random_shape();
        hesca_layout *x, *y;
        const int mb = check_uniform(1, 9), nb = check_uniform(1, 9);
        for (int p = 0; p < SIDE; ++p) {
            s.heights[p] = mb;
            s.widths[p] = nb;
        }
        x = create(&s, s.ranks);
        CHECK(hesca_layout_create_cyclic(s.m, s.n, mb, nb, 0, 0, s.nprow,
                                         s.npcol, s.ranks,
                                         &y) == HESCA_SUCCESS,
              "%s", s.text);
        CHECK(hesca_layout_equal(x, y) && x->mb == mb && x->nb == nb,
              "%s, blocks of %dx%d", s.text, mb, nb);
        hesca_layout_free(x);
        hesca_layout_free(y);
        s.heights[0] += 1; /* other cuts, but for one process row */
        x = create(&s, s.ranks);
        hesca_layout_create_cyclic(s.m, s.n, mb, nb, 0, 0, s.nprow, s.npcol,
                                   s.ranks, &y);
        CHECK(!hesca_layout_equal(x, y) &&
                  hesca_axis_equal(x->rows, y->rows) == (s.nprow == 1) &&
                  hesca_axis_equal(x->cols, y->cols),
              "%s", s.text);
        CHECK(x->mb == (s.nprow == 1 ? mb + 1 : 0), "%s: mb = %d", s.text,
              x->mb);
        hesca_layout_free(x);
        hesca_layout_free(y);
    }
}

static void
equal_layouts(void)
{
    static const struct {
        int64_t heights[3], widths[2];
        int is_equal;
    } list[] = {
        {{3, 0, 2}, {0, 4}, 1}, {{3, 0, 2}, {0, 9}, 1}, /* all of it */
        {{2, 0, 3}, {0, 4}, 0}, {{3, 2, 0}, {0, 4}, 0}, {{3, 1, 1}, {0, 4}, 0},
        {{3, 0, 2}, {4, 0}, 0}, {{6, 0, 4}, {0, 4}, 0}, {{3, 0, 2}, {2, 2}, 0},
    };
    shape s = {.m = 12, .n = 12, .nprow = 3, .npcol = 2};
    memcpy(s.heights, list[0].heights, sizeof list[0].heights);
    memcpy(s.widths, list[0].widths, sizeof list[0].widths);
    hesca_layout *x = create(&s, NULL);
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        memcpy(s.heights, list[k].heights, sizeof list[k].heights);
        memcpy(s.widths, list[k].widths, sizeof list[k].widths);
        hesca_layout *y = create(&s, NULL);
        CHECK(hesca_layout_equal(x, y) == list[k].is_equal, "variant %zu", k);
        CHECK(hesca_layout_equal(y, x) == list[k].is_equal, "variant %zu", k);
        hesca_layout_free(y);
    }
    hesca_layout_free(x);
}

/* Extents and heights beyond 32 bits: places by the formula. */
static void
far_elements(void)
{
    for (int k = 0; k < check_cases(500); ++k) {
        shape s = random_shape();
        const int64_t m = (int64_t)(check_random() >> check_uniform(2, 20));
        int64_t sum = 0, rows = 0, begin[SIDE];
        hesca_layout *x = NULL;
        for (int p = 0; p < s.nprow; ++p) {
            s.heights[p] = (int64_t)(check_random() >> check_uniform(5, 40));
            begin[p] = sum;
            sum += s.heights[p];
        }
        CHECK(hesca_layout_create_generalized(m, 1, s.nprow, s.npcol,
                                              s.heights, s.widths, NULL,
                                              &x) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int n = 0; n < 20 && m > 0; ++n) {
            const int64_t i =
                n == 0 ? m - 1 : (int64_t)(check_random() % (uint64_t)m);
            int p = s.nprow - 1, rank = -1;
            int64_t il = -1, jl = -1;
            while (s.heights[p] == 0 || begin[p] > i % sum)
                --p;
            hesca_layout_locate(x, i, 0, &rank, &il, &jl);
            CHECK(rank / s.npcol == p && jl == 0 &&
                      il == i / sum * s.heights[p] + i % sum - begin[p],
                  "%s: row %lld of %lld is %lld of %d", s.text, (long long)i,
                  (long long)m, (long long)il, rank);
        }
        for (int p = 0; p < s.nprow; ++p)
            rows += hesca_axis_count(x->rows, p, m);
        CHECK(rows == m, "%lld of %lld rows", (long long)rows, (long long)m);
        hesca_layout_free(x);
    }
}

/* ------------------------------------------------ what is refused */

typedef struct {
    int64_t m, n;
    int nprow, npcol;
    int64_t heights[3], widths[3];
    int info;
    const char *says;
} mistake;

#define HUGE_SHARE ((int64_t)1 << 61)

static void
check_refused(int err, const hesca_layout *x, int info, const char *says)
{
    CHECK(err == HESCA_ERR_ARG && x == NULL, "%s: %d", says, err);
    CHECK(hesca_error_info() == info, "%s: info %d", says, hesca_error_info());
    CHECK(strstr(hesca_error_text(), says) != NULL &&
              strstr(hesca_error_text(), ROUTINE) != NULL,
          "wanted '%s': %s", says, hesca_error_text());
}

static void
errors(void)
{
    static const mistake list[] = {
        {-1, 4, 2, 3, {1, 1}, {1, 1, 1}, 1, "argument 1, m, is -1: must be"},
        {INT64_MIN, 4, 2, 3, {1, 1}, {1}, 1, "m, is -9223372036854775808:"},
        {4, -7, 2, 3, {1, 1}, {1, 1, 1}, 2, "argument 2, n, is -7: must be"},
        {4, 4, 0, 3, {1, 1}, {1, 1, 1}, 3, "argument 3, nprow, is 0: must"},
        {4, 4, INT32_MIN, 3, {1}, {1}, 3, "argument 3, nprow, is -214748364"},
        {4, 4, 2, 0, {1, 1}, {1, 1, 1}, 4, "argument 4, npcol, is 0: must"},
        {4, 4, 2, -1, {1, 1}, {1, 1, 1}, 4, "argument 4, npcol, is -1: must"},
        {4, 4, 65536, 32768, {1}, {1}, 4, "argument 4, npcol, is 32768: must"},
        {4, 4, 2, 3, {-1, 2}, {1}, 5, "argument 5, heights[0], is -1: must"},
        {4, 4, 2, 3, {2, INT64_MIN}, {1}, 5, "heights[1], is -922337203685"},
        {4, 4, 2, 3, {0, 0, 1}, {1}, 5, "argument 5, heights: the sum is 0"},
        {4, 4, 2, 3, {INT64_MAX, 1}, {1}, 5, "heights[0], is 9223372036854"},
        {4, 4, 2, 3, {HUGE_SHARE, HUGE_SHARE + 1}, {1}, 5, "heights[1], is"},
        {4, 4, 2, 3, {1}, {5, 0, -2}, 6, "argument 6, widths[2], is -2: must"},
        {4, 4, 2, 3, {1}, {0, 0, 0}, 6, "argument 6, widths: the sum is 0"},
        {4, 4, 2, 3, {1}, {HUGE_SHARE, HUGE_SHARE, 1}, 6, "widths[2], is 1:"},
        {-1, -1, 0, 0, {0}, {0}, 1, "argument 1, m, is -1"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        const mistake *t = &list[k];
        hesca_layout *x = (hesca_layout *)(void *)&x;
        hesca_error_set(HESCA_ERR_MPI, 99, "an older failure");
        const int err = hesca_layout_create_generalized(
            t->m, t->n, t->nprow, t->npcol, t->heights, t->widths, NULL, &x);
        check_refused(err, x, t->info, t->says);
    }
}

static void
pointer_errors(void)
{
    const int64_t two[] = {1, 2}, three[] = {2, 0, 1};
    const int64_t most[] = {HUGE_SHARE, HUGE_SHARE};
    const int ranks[] = {5, 4, 3, 2, 1, 5}, right[] = {5, 4, 3, 2, 1, 0};
    hesca_layout *x = (hesca_layout *)(void *)&x;
    int err =
        hesca_layout_create_generalized(4, 4, 2, 3, NULL, three, NULL, &x);
    check_refused(err, x, 5, "argument 5, heights, is NULL");
    err = hesca_layout_create_generalized(4, 4, 2, 3, two, NULL, NULL, &x);
    check_refused(err, x, 6, "argument 6, widths, is NULL");
    err = hesca_layout_create_generalized(4, 4, 2, 3, two, three, ranks, &x);
    check_refused(err, x, 7, "argument 7, ranks[5], is 5: must be at least 0");
    err = hesca_layout_create_generalized(4, 4, 2, 3, two, three, right, NULL);
    check_refused(err, NULL, 8, "argument 8, layout, is NULL");
    CHECK(hesca_layout_create_generalized(INT64_MAX, 0, 2, 3, most, three,
                                          right, &x) == HESCA_SUCCESS,
          "the largest sum: %s", hesca_error_text());
    hesca_layout_free(x);
}

static int
create_once(void *data)
{
    hesca_layout *x = (hesca_layout *)(void *)&x;
    const shape *s = data;
    const int err = hesca_layout_create_generalized(
        s->m, s->n, s->nprow, s->npcol, s->heights, s->widths, s->ranks, &x);
    CHECK((x == NULL) == (err < 0), "%d, and a layout", err);
    hesca_layout_free(x);
    return err;
}

static void
no_memory(void)
{
    shape s = random_shape();
    nomem_check(ROUTINE, 10, create_once, &s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(layouts),      UNIT(cyclic), UNIT(equal_layouts),
        UNIT(far_elements), UNIT(errors), UNIT(pointer_errors),
        UNIT(no_memory)};
    unit_begin("layout/t_generalized", 20261121);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
