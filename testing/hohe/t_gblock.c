/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized blocks against brute force: shares whose largest time is least
 * among all, and so behind every block of a cyclic assignment; owners as they
 * are drawn; the worked examples of the HMPI thesis; how little of a cyclic
 * layout changes; every way to get one wrong, and no memory. */
#include "base/status.h"
#include "hesca/experimental/gblock.h"
#include "layout/layout.h"
#include "testing/nomem.h"
#include "testing/unit.h"
#include <math.h>

enum { SIDE = 4, BLOCKS = 16 };

static const char *const kind_name[] = {"Cartesian", "row", "column"};

typedef struct {
    hesca_layout_kind kind;
    hesca_gblock_assignment assignment;
    int m, n, mb, nb, lp, lq, nprow, npcol;
    double speed[SIDE * SIDE];
    char text[400];
} shape;

static void
describe(shape *s)
{
    int at = snprintf(s->text, sizeof s->text,
                      "%dx%d, %s-based, assignment %d, %dx%d blocks of %dx%d, "
                      "speeds of %dx%d",
                      s->m, s->n, kind_name[s->kind], (int)s->assignment,
                      s->lp, s->lq, s->mb, s->nb, s->nprow, s->npcol);
    for (int k = 0; k < s->nprow * s->npcol; ++k)
        at += snprintf(s->text + at, sizeof s->text - (size_t)at, " %g",
                       s->speed[k]);
}

static shape
random_shape(void)
{
    const int zeros = check_uniform(0, 2) == 0, few = check_uniform(0, 1);
    shape s = {.kind = (hesca_layout_kind)check_uniform(0, 2),
               .assignment = (hesca_gblock_assignment)check_uniform(0, 1),
               .m = check_uniform(0, 50),
               .n = check_uniform(0, 50),
               .mb = check_uniform(1, 4),
               .nb = check_uniform(1, 4),
               .nprow = check_uniform(1, SIDE),
               .npcol = check_uniform(1, SIDE)};
    s.lp = check_uniform(s.nprow, BLOCKS);
    s.lq = check_uniform(s.npcol, BLOCKS);
    for (int k = 0; k < SIDE * SIDE; ++k)
        s.speed[k] = zeros && check_uniform(0, 2) == 0
                         ? 0
                         : check_uniform(1, few ? 3 : 100);
    s.speed[check_uniform(0, s.nprow * s.npcol - 1)] = 1;
    describe(&s);
    return s;
}

static int
create(const shape *s, hesca_gblock **g)
{
    return hesca_gblock_create(s->kind, s->assignment, s->m, s->n, s->mb,
                               s->nb, s->lp, s->lq, s->nprow, s->npcol,
                               s->speed, NULL, g);
}

/* ------------------------------------------------ shares */

/* The least that the largest count / speed can be, over all ways. */
static double
least_time(int n, int np, const double *speed)
{
    double best = INFINITY;
    if (np == 1)
        return n == 0 ? 0 : speed[0] > 0 ? n / speed[0] : INFINITY;
    for (int k = 0; k <= n; ++k) {
        const double mine = k == 0         ? 0
                            : speed[0] > 0 ? k / speed[0]
                                           : INFINITY;
        if (mine < best)
            best =
                fmin(best, fmax(mine, least_time(n - k, np - 1, speed + 1)));
    }
    return best;
}

/* Owners 0 ... np - 1 of the last n blocks of a line take the least time. */
static void
check_line(const shape *s, const int *owner, int n, int np,
           const double *speed, const char *line)
{
    double all = 0;
    for (int p = 0; p < np; ++p)
        all += speed[p];
    for (int k = 0; k < n && all > 0; ++k) {
        double longest = 0;
        for (int p = 0; p < np; ++p) {
            int count = 0;
            for (int i = k; i < n; ++i)
                count += owner[i] == p;
            longest = fmax(longest, count == 0 ? 0 : count / speed[p]);
        }
        const double least = least_time(n - k, np, speed);
        CHECK(longest <= least * (1 + 1e-12),
              "%s: %s, from block %d on: %g, not %g", s->text, line, k,
              longest, least);
        if (s->assignment == HESCA_ASSIGN_RECTANGLES)
            break; /* it is balanced as a whole only */
    }
    for (int k = 1; s->assignment == HESCA_ASSIGN_RECTANGLES && k < n; ++k)
        CHECK(owner[k] >= owner[k - 1], "%s: %s is in no order", s->text,
              line);
}

static void
check_rows(const shape *s, const hesca_gblock *g)
{
    for (int j = 0; j < s->lq; ++j) {
        double speed[SIDE] = {0};
        int owner[BLOCKS], pcol = 0;
        for (int i = 0; i < s->lp; ++i)
            hesca_gblock_owner(g, i, j, &owner[i], &pcol);
        for (int k = 0; k < s->nprow * s->npcol; ++k)
            if (s->kind != HESCA_COLUMN_BASED || k % s->npcol == pcol)
                speed[k / s->npcol] += s->speed[k];
        check_line(s, owner, s->lp, s->nprow, speed, "a column");
        if (s->kind != HESCA_COLUMN_BASED)
            break; /* all are equal; see check_owners() */
    }
}

static void
check_cols(const shape *s, const hesca_gblock *g)
{
    for (int i = 0; i < s->lp; ++i) {
        double speed[SIDE] = {0};
        int owner[BLOCKS], prow = 0;
        for (int j = 0; j < s->lq; ++j)
            hesca_gblock_owner(g, i, j, &prow, &owner[j]);
        for (int k = 0; k < s->nprow * s->npcol; ++k)
            if (s->kind != HESCA_ROW_BASED || k / s->npcol == prow)
                speed[k % s->npcol] += s->speed[k];
        check_line(s, owner, s->lq, s->npcol, speed, "a row");
        if (s->kind != HESCA_ROW_BASED)
            break;
    }
}

/* The layout, the counts and the imbalance are those of the owners. */
static void
check_owners(const shape *s, const hesca_gblock *g)
{
    static int owned[SIDE * SIDE], block[SIDE * SIDE];
    memset(owned, 0, sizeof owned);
    memset(block, 0, sizeof block);
    for (int i = 0; i < s->m; ++i)
        for (int j = 0; j < s->n; ++j) {
            int prow = -1, pcol = -1, rank = -1;
            int64_t il, jl;
            hesca_gblock_owner(g, i / s->mb, j / s->nb, &prow, &pcol);
            hesca_layout_locate(hesca_gblock_layout(g), i, j, &rank, &il, &jl);
            CHECK(rank == prow * s->npcol + pcol, "%s: (%d,%d) is %d's",
                  s->text, i, j, rank);
            ++owned[prow * s->npcol + pcol];
        }
    for (int i = 0; i < s->lp; ++i)
        for (int j = 0; j < s->lq; ++j) {
            int prow = -1, pcol = -1;
            hesca_gblock_owner(g, i, j, &prow, &pcol);
            ++block[prow * s->npcol + pcol];
        }
    double all = 0, longest = 0;
    for (int k = 0; k < s->nprow * s->npcol; ++k) {
        const int p = k / s->npcol, q = k % s->npcol;
        CHECK(hesca_gblock_locr(g, s->m, p, q) *
                      hesca_gblock_locc(g, s->n, p, q) ==
                  owned[k],
              "%s: (%d,%d) has %d elements", s->text, p, q, owned[k]);
        CHECK(hesca_gblock_height(g, p, q) * hesca_gblock_width(g, p, q) ==
                  block[k],
              "%s: (%d,%d) has %d blocks", s->text, p, q, block[k]);
        CHECK(s->speed[k] > 0 || s->kind == HESCA_CARTESIAN || owned[k] == 0,
              "%s: (%d,%d) has speed 0", s->text, p, q);
        all += s->speed[k];
        if (block[k] > 0)
            longest = fmax(longest, block[k] / s->speed[k]);
    }
    const double imbalance = longest * all / s->lp / s->lq;
    const hesca_gblock_info info = hesca_gblock_get_info(g);
    CHECK(info.imbalance == imbalance ||
              fabs(info.imbalance - imbalance) < 1e-12 * imbalance,
          "%s: imbalance %g, not %g", s->text, info.imbalance, imbalance);
    CHECK(info.kind == s->kind && info.assignment == s->assignment &&
              info.m == s->m && info.n == s->n && info.mb == s->mb &&
              info.nb == s->nb && info.lp == s->lp && info.lq == s->lq &&
              info.nprow == s->nprow && info.npcol == s->npcol,
          "%s", s->text);
}

static void
blocks(void)
{
    for (int k = 0; k < check_cases(300); ++k) {
        const shape s = random_shape();
        hesca_gblock *g = NULL;
        CHECK(create(&s, &g) == HESCA_SUCCESS, "%s: %s", s.text,
              hesca_error_text());
        if (g == NULL)
            continue;
        check_rows(&s, g);
        check_cols(&s, g);
        check_owners(&s, g);
        hesca_gblock_free(g);
    }
}

/* ------------------------------------------------ worked examples */

typedef struct {
    hesca_layout_kind kind;
    int l;
    double speed[9];
    int height[9], width[9];
    double efficiency;
} example;

static void
examples(void)
{
    static const example list[] = {
        {HESCA_CARTESIAN, /* Figure 3.18 */
         6,
         {.11, .17, .05, .17, .09, .08, .05, .25, .03},
         {2, 2, 2, 2, 2, 2, 2, 2, 2},
         {2, 3, 1, 2, 3, 1, 2, 3, 1},
         0.45},
        {HESCA_COLUMN_BASED, /* Figure 5.5 */
         6,
         {.11, .25, .05, .17, .09, .08, .05, .17, .03},
         {2, 3, 2, 3, 1, 3, 1, 2, 1},
         {2, 3, 1, 2, 3, 1, 2, 3, 1},
         0.90},
    };
    for (size_t e = 0; e < sizeof list / sizeof *list; ++e) {
        const example *x = &list[e];
        hesca_gblock *g = NULL;
        CHECK(hesca_gblock_create(x->kind, HESCA_ASSIGN_RECTANGLES, 14, 14, 1,
                                  1, x->l, x->l, 3, 3, x->speed, NULL,
                                  &g) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int k = 0; k < 9; ++k)
            CHECK(hesca_gblock_height(g, k / 3, k % 3) == x->height[k] &&
                      hesca_gblock_width(g, k / 3, k % 3) == x->width[k],
                  "example %zu: (%d,%d) has %d x %d", e, k / 3, k % 3,
                  hesca_gblock_height(g, k / 3, k % 3),
                  hesca_gblock_width(g, k / 3, k % 3));
        const double efficiency = 1 / hesca_gblock_get_info(g).imbalance;
        CHECK(fabs(efficiency - x->efficiency) < 0.005, "example %zu: %g", e,
              efficiency);
        hesca_gblock_free(g);
    }
}

/* The efficiency that larger generalized blocks reach, column-based: speeds of
 * thesis Table 5.1, on 4 x 4 processes in descending order. */
static void
larger_blocks(void)
{
    static const double mxm[] = {269, 269, 269, 269, 269, 269, 269, 269,
                                 170, 121, 105, 46,  46,  46,  46,  7};
    static const double cholesky[] = {341, 341, 341, 341, 341, 341, 341, 341,
                                      215, 175, 170, 100, 100, 100, 100, 16};
    static const struct {
        const double *speed;
        int l;
        double efficiency;
    } list[] = {{mxm, 4, .79},       {mxm, 16, .84},     {mxm, 32, .93},
                {mxm, 96, .98},      {cholesky, 4, .74}, {cholesky, 16, .84},
                {cholesky, 32, .94}, {cholesky, 72, .96}};
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        hesca_gblock *g = NULL;
        hesca_gblock_create(HESCA_COLUMN_BASED, HESCA_ASSIGN_RECTANGLES, 1000,
                            1000, 8, 8, list[k].l, list[k].l, 4, 4,
                            list[k].speed, NULL, &g);
        const double efficiency = 1 / hesca_gblock_get_info(g).imbalance;
        CHECK(fabs(efficiency - list[k].efficiency) < 0.0051,
              "entry %zu: %g, not %g", k, efficiency, list[k].efficiency);
        hesca_gblock_free(g);
    }
}

/* Ten column panels for processes that take 3, 5 and 8 for one. */
static void
in_turn(void)
{
    static const double speed[] = {1. / 3, 1. / 5, 1. / 8};
    static const int expected[] = {2, 1, 0, 0, 1, 0, 2, 0, 1, 0};
    hesca_gblock *g = NULL;
    CHECK(hesca_gblock_create(HESCA_COLUMN_BASED, HESCA_ASSIGN_CYCLIC, 10, 10,
                              1, 1, 1, 10, 1, 3, speed, NULL,
                              &g) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int j = 0; j < 10; ++j) {
        int prow = -1, pcol = -1;
        hesca_gblock_owner(g, 0, j, &prow, &pcol);
        CHECK(pcol == expected[j], "panel %d is %d's", j, pcol);
    }
    hesca_gblock_free(g);
}

/* Equal speeds make ScaLAPACK's layout. */
static void
homogeneous(void)
{
    for (int k = 0; k < 60; ++k) {
        const int nprow = check_uniform(1, SIDE);
        const int npcol = check_uniform(1, SIDE);
        hesca_gblock *g = NULL;
        hesca_layout *x = NULL;
        hesca_gblock_create((hesca_layout_kind)(k % 3),
                            HESCA_ASSIGN_RECTANGLES, 31, 37, 3, 2, nprow,
                            npcol, nprow, npcol, NULL, NULL, &g);
        hesca_layout_create_cyclic(31, 37, 3, 2, 0, 0, nprow, npcol, NULL, &x);
        CHECK(hesca_layout_equal(hesca_gblock_layout(g), x), "%d x %d", nprow,
              npcol);
        CHECK(hesca_gblock_get_info(g).imbalance == 1, "%d x %d", nprow,
              npcol);
        hesca_gblock_free(g);
        hesca_layout_free(x);
    }
}

/* ------------------------------------------------ tilings */

static void
of_tilings(void)
{
    for (int k = 0; k < check_cases(200); ++k) {
        const shape s = random_shape();
        const int kind = check_uniform(0, 3), n = s.nprow * s.npcol;
        hesca_speed *speed[SIDE * SIDE];
        hesca_tiling *t = NULL;
        hesca_gblock *g = NULL;
        for (int i = 0; i < n; ++i)
            hesca_speed_create_constant(s.speed[i] + 1, INFINITY, &speed[i]);
        CHECK(hesca_tiling_create_grid(
                  s.nprow, s.npcol,
                  (const hesca_speed *const *)(const void *)speed, s.lp, s.lq,
                  (hesca_tiling_kind)kind, HESCA_TILING_LEAST_TIME,
                  &t) == HESCA_SUCCESS,
              "%s: %s", s.text, hesca_error_text());
        const int err =
            hesca_gblock_of_tiling(t, s.m, s.n, s.mb, s.nb, NULL, &g);
        CHECK(err == HESCA_SUCCESS ||
                  (kind == 3 && err == HESCA_ERR_UNSUPPORTED),
              "%s: %d, %s", s.text, err, hesca_error_text());
        for (int i = 0; g != NULL && i < s.lp; ++i)
            for (int j = 0; j < s.lq; ++j) {
                int p = -1, q = -1;
                hesca_gblock_owner(g, i, j, &p, &q);
                CHECK(hesca_tiling_at(t, p, q) == hesca_tiling_owner(t, i, j),
                      "%s: (%d,%d) is (%d,%d)'s", s.text, i, j, p, q);
            }
        for (int i = 0; i < n; ++i)
            hesca_speed_free(speed[i]);
        hesca_tiling_free(t);
        hesca_gblock_free(g);
    }
}

/* ------------------------------------------------ near */

/* Hosts of speeds .6 .6 / .2 .2: one block row of four is given away. */
static void
near_example(void)
{
    static const double speed[] = {.6, .6, .2, .2};
    static const int expected[] = {0, 1, 0, 0};
    hesca_layout *x = NULL;
    hesca_gblock *g = NULL;
    double moved = -1;
    hesca_layout_create_cyclic(3072, 3072, 64, 64, 0, 0, 2, 2, NULL, &x);
    CHECK(hesca_gblock_near(x, speed, 0, 0, &moved, &g) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    const hesca_gblock_info info = hesca_gblock_get_info(g);
    CHECK(info.lp == 4 && info.lq == 2 && info.mb == 64 &&
              fabs(info.imbalance - 1) < 1e-12,
          "%d x %d, imbalance %g", info.lp, info.lq, info.imbalance);
    CHECK(moved == 0.25, "%g moves", moved);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) {
            int p = -1, q = -1;
            hesca_gblock_owner(g, i, j, &p, &q);
            CHECK(p == expected[i] && q == j, "(%d,%d) is (%d,%d)'s", i, j, p,
                  q);
        }
    hesca_gblock_free(g);
    hesca_layout_free(x);
}

/* Of every line, blocks in as many as they can be keep their owners. */
static double
most_kept(const shape *s, const hesca_gblock *g)
{
    double kept = 0;
    for (int k = 0; k < s->nprow * s->npcol; ++k) {
        const int h = hesca_gblock_height(g, k / s->npcol, k % s->npcol);
        const int w = hesca_gblock_width(g, k / s->npcol, k % s->npcol);
        const int rows = s->lp / s->nprow, cols = s->lq / s->npcol;
        kept += (double)(h < rows ? h : rows) * (w < cols ? w : cols);
    }
    return kept / s->lp / s->lq;
}

static void
check_near(const shape *s, const hesca_layout *x, const hesca_gblock *g,
           double moved)
{
    shape t = *s;
    hesca_gblock *same = NULL;
    int changed = 0, whole = s->lp * s->mb;
    t.kind = hesca_gblock_get_info(g).kind;
    create(&t, &same);
    for (int k = 0; k < s->nprow * s->npcol; ++k) {
        const int p = k / s->npcol, q = k % s->npcol;
        CHECK(
            (hesca_gblock_height(g, p, q) == hesca_gblock_height(same, p, q) &&
             hesca_gblock_width(g, p, q) == hesca_gblock_width(same, p, q)) ||
                hesca_gblock_width(same, p, q) *
                        hesca_gblock_height(same, p, q) ==
                    0,
            "%s: other shares", s->text);
    }
    for (int i = 0; i < s->m; ++i)
        for (int j = 0; j < s->n; ++j) {
            int a = -1, b = -1;
            int64_t il, jl;
            hesca_layout_locate(x, i, j, &a, &il, &jl);
            hesca_layout_locate(hesca_gblock_layout(g), i, j, &b, &il, &jl);
            changed += a != b;
        }
    CHECK(s->m * s->n == 0
              ? moved == 0
              : fabs(moved - (double)changed / s->m / s->n) < 1e-12,
          "%s: %g moved, not %d of %d", s->text, moved, changed, s->m * s->n);
    if (s->m > 0 && s->n > 0 && s->m % whole == 0 &&
        s->n % (s->lq * s->nb) == 0)
        CHECK(fabs(1 - moved - most_kept(s, g)) < 1e-12,
              "%s: %g moved, not %g", s->text, moved, 1 - most_kept(s, g));
    hesca_gblock_free(same);
}

static void
near_layouts(void)
{
    for (int k = 0; k < check_cases(200); ++k) {
        shape s = random_shape();
        hesca_layout *x = NULL;
        hesca_gblock *g = NULL;
        double moved = -1;
        s.lp = s.nprow * check_uniform(1, BLOCKS / s.nprow);
        s.lq = s.npcol * check_uniform(1, BLOCKS / s.npcol);
        if (check_uniform(0, 1)) {
            s.m = s.lp * s.mb;
            s.n = s.lq * s.nb;
        }
        describe(&s);
        hesca_layout_create_cyclic(
            s.m, s.n, s.mb, s.nb, check_uniform(0, s.nprow - 1),
            check_uniform(0, s.npcol - 1), s.nprow, s.npcol, NULL, &x);
        CHECK(hesca_gblock_near(x, s.speed, s.lp, s.lq, &moved, &g) ==
                  HESCA_SUCCESS,
              "%s: %s", s.text, hesca_error_text());
        if (g != NULL)
            check_near(&s, x, g, moved);
        hesca_gblock_free(g);
        g = NULL;
        CHECK(hesca_gblock_near(x, NULL, 0, 0, &moved, &g) == HESCA_SUCCESS &&
                  moved == 0,
              "%s: equal speeds: %g", s.text, moved);
        hesca_gblock_free(g);
        hesca_layout_free(x);
    }
}

/* ------------------------------------------------ what is refused */

static void
check_refused(int err, const hesca_gblock *g, int info, const char *says)
{
    CHECK(err == HESCA_ERR_ARG && g == NULL, "%s: %d", says, err);
    CHECK(hesca_error_info() == info, "%s: info %d", says, hesca_error_info());
    CHECK(strstr(hesca_error_text(), says) != NULL, "wanted '%s': %s", says,
          hesca_error_text());
}

/* The correct call but for one argument. */
static int
create_wrongly(int w, const double *speed, hesca_gblock **g)
{
    static const int ranks[] = {0, 1, 2, 3, 4, -1};
    return hesca_gblock_create(
        w == 1 ? (hesca_layout_kind)3 : HESCA_COLUMN_BASED,
        w == 2 ? (hesca_gblock_assignment)2 : HESCA_ASSIGN_RECTANGLES,
        w == 3 ? -1 : 9, w == 4 ? -1 : 9, w == 5 ? 0 : 2, w == 6 ? -3 : 2,
        w == 7 ? 1 : 5, w == 8 ? 2 : 5, w == 9 ? 0 : 2, w == 10 ? 0 : 3, speed,
        w == 12 ? ranks : NULL, w == 13 ? NULL : g);
}

static void
errors(void)
{
    static const char *const says[] = {
        NULL,
        "argument 1, kind, is 3: must be one of",
        "argument 2, assignment, is 2: must be one of",
        "argument 3, m, is -1: must be at least 0",
        "argument 4, n, is -1: must be at least 0",
        "argument 5, mb, is 0: must be at least 1",
        "argument 6, nb, is -3: must be at least 1",
        "argument 7, lp, is 1: must be at least nprow",
        "argument 8, lq, is 2: must be at least npcol",
        "argument 9, nprow, is 0: must be at least 1",
        "argument 10, npcol, is 0: must be at least 1",
        NULL,
        "argument 12, ranks[5], is -1: must be at least 0",
        "argument 13, gblock, is NULL"};
    static const double below[] = {1, 2, 3, -1, 2, 3}, none[6] = {0};
    static const double far[] = {1, 2, 3, 1e-201, 2, 3};
    hesca_gblock *g = NULL;
    for (int k = 1; k <= 13; ++k)
        if (says[k] != NULL) {
            g = (hesca_gblock *)(void *)&g;
            const int err = create_wrongly(k, NULL, &g);
            check_refused(err, k == 13 ? NULL : g, k, says[k]);
        }
    check_refused(create_wrongly(0, below, &g), NULL, 11,
                  "argument 11, speed[3], is -1: must be at least 0");
    check_refused(create_wrongly(0, none, &g), NULL, 11,
                  "argument 11, speed: all are 0");
    check_refused(create_wrongly(0, far, &g), NULL, 11,
                  "argument 11, speed[3], is 1e-201: must be 0, or");
    CHECK(create_wrongly(0, NULL, &g) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    int p, q;
    CHECK(hesca_gblock_owner(g, -1, 0, &p, &q) == HESCA_ERR_ARG &&
              hesca_gblock_owner(NULL, 0, 0, &p, &q) == HESCA_ERR_ARG &&
              hesca_gblock_owner(g, 0, 0, &p, NULL) == HESCA_ERR_ARG,
          "an owner of nothing");
    CHECK(hesca_gblock_height(g, 2, 0) == -1 &&
              hesca_gblock_width(g, 0, 3) == -1 &&
              hesca_gblock_locr(g, 9, -1, 0) == -1 &&
              hesca_gblock_locc(g, -1, 0, 0) == -1,
          "a place outside");
    hesca_gblock_free(g);
    hesca_gblock_free(NULL);
}

static void
near_errors(void)
{
    static const int64_t heights[] = {3, 1}, widths[] = {1, 1};
    hesca_layout *x = NULL, *y = NULL;
    hesca_gblock *g = NULL;
    hesca_layout_create_cyclic(9, 9, 2, 2, 0, 0, 2, 2, NULL, &x);
    hesca_layout_create_generalized(9, 9, 2, 2, heights, widths, NULL, &y);
    check_refused(hesca_gblock_near(NULL, NULL, 0, 0, NULL, &g), g, 1,
                  "argument 1, layout, is NULL");
    check_refused(hesca_gblock_near(y, NULL, 0, 0, NULL, &g), g, 1,
                  "argument 1, layout, is not block-cyclic");
    check_refused(hesca_gblock_near(x, NULL, 3, 0, NULL, &g), g, 3,
                  "argument 3, lp, is 3: must be 0 or a multiple");
    check_refused(hesca_gblock_near(x, NULL, 0, -2, NULL, &g), g, 4,
                  "argument 4, lq, is -2: must be 0 or a multiple");
    check_refused(hesca_gblock_near(x, NULL, 0, 0, NULL, NULL), NULL, 6,
                  "argument 6, gblock, is NULL");
    check_refused(hesca_gblock_of_tiling(NULL, 9, 9, 1, 1, NULL, &g), g, 1,
                  "argument 1, tiling, is NULL");
    hesca_layout_free(x);
    hesca_layout_free(y);
}

static int
create_once(void *data)
{
    hesca_gblock *g = (hesca_gblock *)(void *)&g;
    const int err = create(data, &g);
    CHECK((g == NULL) == (err < 0), "%d, and a block", err);
    hesca_gblock_free(g);
    return err;
}

static int
near_once(void *data)
{
    const shape *s = data;
    hesca_gblock *g = (hesca_gblock *)(void *)&g;
    hesca_layout *x;
    int err = hesca_layout_create_cyclic(s->m, s->n, s->mb, s->nb, 0, 0, 2, 2,
                                         NULL, &x);
    if (err < 0)
        return err;
    err = hesca_gblock_near(x, s->speed, 4, 4, NULL, &g);
    CHECK((g == NULL) == (err < 0), "%d, and a block", err);
    hesca_gblock_free(g);
    hesca_layout_free(x);
    return err;
}

static void
no_memory(void)
{
    shape s = random_shape();
    s.nprow = s.npcol = 2;
    s.lp = s.lq = 4;
    nomem_check("hesca_gblock_create", 20, create_once, &s);
    nomem_check("hesca_gblock_near", 20, near_once, &s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(blocks),       UNIT(examples),     UNIT(larger_blocks),
        UNIT(in_turn),      UNIT(homogeneous),  UNIT(of_tilings),
        UNIT(near_example), UNIT(near_layouts), UNIT(errors),
        UNIT(near_errors),  UNIT(no_memory)};
    unit_begin("hohe/t_gblock", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
