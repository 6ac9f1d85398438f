/* SPDX-License-Identifier: BSD-3-Clause */
/* The panels of an inversion: inverse.c says what they are for. */
#include "base/arith.h"
#include "dense/inverse_job.h"
#include <string.h>

enum {
    TILE = 48 /* columns: width of the BLAS kernel */
};

/* Floating-point operations (real double) between two tests of messages: a few
 * ms on current processors. */
static const double PIECE = 4e7;

/* --- indices --- */

static int64_t
row(const hesca_inverse_job *x, int64_t i)
{
    return hesca_local_row(&x->part, i);
}

static int64_t
col(const hesca_inverse_job *x, int64_t j)
{
    return hesca_local_col(&x->part, j);
}

int64_t
hesca_inverse_begin_of(const hesca_inverse_job *x, int64_t g)
{
    return x->end[hesca_min(g * x->span, x->nblocks)];
}

int64_t
hesca_inverse_end_of(const hesca_inverse_job *x, int64_t g)
{
    return hesca_inverse_begin_of(x, g + 1);
}

static char *
element(const hesca_inverse_job *x, int64_t r, int64_t c)
{
    return hesca_at(x->type, x->a.local, x->a.lld, r, c);
}

static int
is_empty(hesca_rectangle b)
{
    return b.r0 >= b.r1 || b.c0 >= b.c1;
}

/* --- panels in memory ---
 * Those along rows have x->width rows, those along columns as many as this
 * process has of their indices. */

static int64_t
factor_ld(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t g)
{
    const int64_t rows = x->here.r1 - row(x, hesca_inverse_begin_of(x, g));
    return s->upper ? x->width : hesca_max(rows, 1);
}

static int64_t
solution_ld(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t g)
{
    const int64_t rows = row(x, hesca_inverse_end_of(x, g)) - x->here.r0;
    return s->upper ? hesca_max(rows, 1) : x->width;
}

/* The factor's row at (upper: column) of group g, slice k of it. */
static const char *
factor_at(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t g,
          int64_t at, int64_t k)
{
    const int64_t k0 = hesca_inverse_begin_of(x, g);
    const char *panel = s->factor_at[g % HESCA_INVERSE_SLOTS];
    const int64_t ld = factor_ld(x, s, g);
    return s->upper ? hesca_at_const(x->type, panel, ld, k, at - col(x, k0))
                    : hesca_at_const(x->type, panel, ld, at - row(x, k0), k);
}

/* The solution's column at (upper: row), slice k of it. */
static char *
solution_at(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t g,
            int64_t at, int64_t k)
{
    char *panel = s->solution_at[g % HESCA_INVERSE_SLOTS];
    const int64_t ld = solution_ld(x, s, g);
    return s->upper ? hesca_at(x->type, panel, ld, at - x->here.r0, k)
                    : hesca_at(x->type, panel, ld, k, at - x->here.c0);
}

/* --- factors ---
 * Where a panel of a factor has been, the inverse begins with zeros. */

static void
clear_below(const hesca_inverse_job *x, int64_t k0, int64_t k1)
{
    const int64_t above = x->nsides == 1 ? 0 : 1; /* the diagonal is U's */
    for (int64_t c = col(x, k0); c < col(x, k1); ++c) {
        const int64_t r = row(x, x->col_index[c - x->here.c0] + above);
        if (r < x->here.r1)
            memset(element(x, r, c), 0, (size_t)((x->here.r1 - r) * x->esize));
    }
}

static void
clear_right(const hesca_inverse_job *x, int64_t k0, int64_t k1)
{
    const int64_t r0 = row(x, k0), last = row(x, k1);
    for (int64_t c = col(x, k0); c < x->here.c1; ++c) {
        const int64_t j = x->col_index[c - x->here.c0];
        const int64_t r1 = j + 1 < k1 ? row(x, j + 1) : last;
        if (r0 < r1)
            memset(element(x, r0, c), 0, (size_t)((r1 - r0) * x->esize));
    }
}

/* Begin the multicasts of factors for which there is memory. */
static int
begin_factors(hesca_inverse_job *x, hesca_inverse_side *s)
{
    int err = HESCA_SUCCESS;
    for (int64_t g;
         (g = s->factors_begun) < x->ngroups &&
         g < x->done + HESCA_INVERSE_SLOTS &&
         hesca_panel_mcast_is_released(s->factor, g - HESCA_INVERSE_SLOTS + 1);
         ++s->factors_begun) {
        const int64_t k0 = hesca_inverse_begin_of(x, g);
        const int64_t k1 = hesca_inverse_end_of(x, g);
        HESCA_TRY(err, hesca_panel_mcast_begin(
                           s->factor, k0, k1, k0, x->a.local, x->a.lld,
                           s->factor_at[g % HESCA_INVERSE_SLOTS],
                           factor_ld(x, s, g)));
        if (s->upper)
            clear_right(x, k0, k1);
        else
            clear_below(x, k0, k1);
    }
fail:
    return err;
}

/* --- solutions ---
 * The block row (upper: column) of the inverse that a solution is computed in
 * is zero again when it has been sent; what the other triangle has between the
 * diagonal and the group's end is saved meanwhile, and is sent as zero. */

/* What this process computes of block b: rows (upper: columns) of the block,
 * columns up to the end of the block; and the square part up to the end of its
 * group. */
typedef struct {
    int64_t k0, k1;
    hesca_rectangle all, square;
} target;

static target
target_of(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t b)
{
    const int64_t k0 = x->end[b], k1 = x->end[b + 1];
    const int64_t last = hesca_inverse_end_of(x, b / x->span);
    target t = {k0, k1, {0, 0, 0, 0}, {0, 0, 0, 0}};
    if (s->upper) {
        t.all =
            (hesca_rectangle){x->here.r0, row(x, k1), col(x, k0), col(x, k1)};
        t.square = (hesca_rectangle){row(x, k0), row(x, last), col(x, k0),
                                     col(x, k1)};
    } else {
        t.all =
            (hesca_rectangle){row(x, k0), row(x, k1), x->here.c0, col(x, k1)};
        t.square = (hesca_rectangle){row(x, k0), row(x, k1), col(x, k0),
                                     col(x, last)};
    }
    return t;
}

static int
is_solver(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t b)
{
    const int64_t k0 = x->end[b], k1 = x->end[b + 1];
    return s->upper ? col(x, k0) < col(x, k1) && x->here.r0 < x->here.r1
                    : row(x, k0) < row(x, k1) && x->here.c0 < x->here.c1;
}

/* The square becomes a part of the identity. */
static void
set_identity(const hesca_inverse_job *x, hesca_rectangle b)
{
    const size_t bytes = (size_t)((b.r1 - b.r0) * x->esize);
    for (int64_t c = b.c0; c < b.c1 && b.r0 < b.r1; ++c) {
        const int64_t j = x->col_index[c - x->here.c0], r = row(x, j);
        memcpy(x->saved + (size_t)(c - b.c0) * bytes, element(x, b.r0, c),
               bytes);
        memset(element(x, b.r0, c), 0, bytes);
        if (b.r0 <= r && r < b.r1 && r < row(x, j + 1))
            memcpy(element(x, r, c), hesca_one(x->type), (size_t)x->esize);
    }
}

/* It becomes zero, but for the other triangle. */
static void
restore(const hesca_inverse_job *x, const hesca_inverse_side *s,
        hesca_rectangle b)
{
    const size_t esize = (size_t)x->esize;
    for (int64_t c = b.c0; c < b.c1 && b.r0 < b.r1; ++c) {
        const int64_t j = x->col_index[c - x->here.c0];
        const int64_t r =
            hesca_clamp(row(x, j + (s->upper ? 1 : 0)), b.r0, b.r1);
        const int64_t from = s->upper ? r : b.r0, to = s->upper ? b.r1 : r;
        const size_t skip = (size_t)((c - b.c0) * (b.r1 - b.r0) + from - b.r0);
        memset(element(x, b.r0, c), 0, (size_t)(b.r1 - b.r0) * esize);
        memcpy(element(x, from, c), x->saved + skip * esize,
               (size_t)(to - from) * esize);
    }
}

static void
clear_rectangle(const hesca_inverse_job *x, hesca_rectangle b)
{
    for (int64_t c = b.c0; c < b.c1 && b.r0 < b.r1; ++c)
        memset(element(x, b.r0, c), 0, (size_t)((b.r1 - b.r0) * x->esize));
}

/* Y = L^-1 (-L_left Y_before + identity), for a block row; all blocks of
 * earlier groups have updated it. */
static void
solve_lower(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t b,
            const target *t)
{
    const int64_t g = b / x->span, k = t->k0 - hesca_inverse_begin_of(x, g);
    const int64_t m = t->all.r1 - t->all.r0, left = t->square.c0;
    const int64_t ldf = factor_ld(x, s, g);
    const hesca_type type = x->type;
    if (k > 0)
        hesca_kernel_gemm(
            type, 'N', 'N', m, left - t->all.c0, k, hesca_minus_one(type),
            factor_at(x, s, g, t->all.r0, 0), ldf,
            solution_at(x, s, g, t->all.c0, 0), solution_ld(x, s, g),
            hesca_one(type), element(x, t->all.r0, t->all.c0), x->a.lld);
    set_identity(x, t->square);
    hesca_kernel_trsm(type, 'L', 'L', 'N', x->nsides == 1 ? 'N' : 'U', m,
                      t->all.c1 - t->all.c0, hesca_one(type),
                      factor_at(x, s, g, t->all.r0, k), ldf,
                      element(x, t->all.r0, t->all.c0), x->a.lld);
}

/* Z = (-Z_before U_above + identity) U^-1, for a block column. */
static void
solve_upper(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t b,
            const target *t)
{
    const int64_t g = b / x->span, k = t->k0 - hesca_inverse_begin_of(x, g);
    const int64_t n = t->all.c1 - t->all.c0, above = t->square.r0;
    const int64_t ldf = factor_ld(x, s, g);
    const hesca_type type = x->type;
    if (k > 0)
        hesca_kernel_gemm(
            type, 'N', 'N', above - t->all.r0, n, k, hesca_minus_one(type),
            solution_at(x, s, g, t->all.r0, 0), solution_ld(x, s, g),
            factor_at(x, s, g, t->all.c0, 0), ldf, hesca_one(type),
            element(x, t->all.r0, t->all.c0), x->a.lld);
    set_identity(x, t->square);
    hesca_kernel_trsm(type, 'R', 'U', 'N', 'N', t->all.r1 - t->all.r0, n,
                      hesca_one(type), factor_at(x, s, g, t->all.c0, k), ldf,
                      element(x, t->all.r0, t->all.c0), x->a.lld);
}

/* Rows (upper: columns) with indices below k in a line of processes, of a
 * layout that is a product. */
static int64_t
line_count(const hesca_inverse_job *x, int line, int64_t k)
{
    const hesca_axis *rows = x->a.layout->rows;
    return hesca_axis_count(rows, line, x->a.i + k) -
           hesca_axis_count(rows, line, x->a.i);
}

/* Where the lines of processes have block b in shared memory; NULL: it is not
 * shared. */
static const hesca_panel_transpose_source *
find_sources(const hesca_inverse_job *x, const hesca_inverse_side *s,
             int64_t b)
{
    const hesca_layout *layout = x->a.layout;
    const int lines = s->upper ? layout->nprow : layout->npcol;
    const int64_t g = b / x->span, k0 = x->end[b];
    const int64_t k = k0 - hesca_inverse_begin_of(x, g);
    const char *mine = s->solution_at[g % HESCA_INVERSE_SLOTS];
    if (s->solution_spec.shared == NULL)
        return NULL;
    for (int line = 0; line < lines; ++line) {
        const int64_t count =
            s->upper ? line_count(x, line, hesca_inverse_end_of(x, g)) : 0;
        const int64_t ld = s->upper ? hesca_max(count, 1) : x->width;
        const int prow =
            s->upper ? line : hesca_local_prow(&x->part, line, k0);
        const int pcol =
            s->upper ? hesca_local_pcol(&x->part, line, k0) : line;
        x->source[line] = (hesca_panel_transpose_source){
            .have = mine + (line - s->team) * s->team_bytes +
                    (s->upper ? k * ld : k) * x->esize,
            .ldh = ld,
            .writer = layout->ranks[prow * layout->npcol + pcol]};
    }
    return x->source;
}

/* The columns (upper: rows) of a solution by the transpose, from slice k on.
 */
static char *
transposed_at(const hesca_inverse_job *x, int64_t g, int64_t k, int64_t *ld)
{
    char *panel = x->transposed_at[g % HESCA_INVERSE_SLOTS];
    const int64_t cols = col(x, hesca_inverse_end_of(x, g)) - x->here.c0;
    const int upper = x->side[0].upper;
    *ld = upper ? hesca_max(cols, 1) : x->width;
    return panel + (upper ? k * *ld : k) * x->esize;
}

/* Solve for block b, if this process has it, and begin its multicast. */
static int
begin_solution(hesca_inverse_job *x, hesca_inverse_side *s, int64_t b)
{
    const target t = target_of(x, s, b);
    const int64_t g = b / x->span, last = hesca_inverse_end_of(x, g);
    const int64_t k = t.k0 - hesca_inverse_begin_of(x, g);
    const int solves = is_solver(x, s, b);
    int err = HESCA_SUCCESS;
    if (solves && s->upper)
        solve_upper(x, s, b, &t);
    else if (solves)
        solve_lower(x, s, b, &t);
    if (x->transpose != NULL) {
        int64_t ld;
        char *want = transposed_at(x, g, k, &ld);
        HESCA_TRY(err, hesca_panel_transpose_expect(x->transpose, t.k1 - t.k0,
                                                    0, last, want, ld,
                                                    find_sources(x, s, b)));
    }
    HESCA_TRY(err,
              hesca_panel_mcast_begin_slab(
                  s->solution, (hesca_slab){t.k0, t.k1, 0, last}, x->a.local,
                  x->a.lld,
                  solution_at(x, s, g, s->upper ? x->here.r0 : x->here.c0, k),
                  solution_ld(x, s, g)));
    if (solves) {
        clear_rectangle(x, t.all);
        restore(x, s, t.square);
    }
fail:
    return err;
}

/* Whether block b of the current group may begin: both factors have been sent,
 * the one is here, and the blocks before it are; the memory of an earlier
 * group is not read any more. */
static int
may_solve(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t b)
{
    const int64_t g = b / x->span;
    int sent = 1;
    for (int k = 0; k < x->nsides; ++k)
        sent &= x->side[k].factors_begun > g;
    return sent &&
           hesca_panel_mcast_is_released(
               s->solution, (g - HESCA_INVERSE_SLOTS + 1) * x->span) &&
           (!is_solver(x, s, b) ||
            (s->factors_ready > g && s->solutions_ready >= b));
}

static int64_t
solved_end(const hesca_inverse_job *x)
{
    return hesca_min((x->now + 1) * x->span, x->nblocks);
}

/* --- progress --- */

static int
advance(hesca_inverse_job *x, hesca_inverse_side *s)
{
    int64_t ready;
    int err;
    HESCA_TRY(err, begin_factors(x, s));
    HESCA_TRY(err, hesca_panel_mcast_advance(s->factor, &ready));
    for (; s->factors_ready < ready; ++s->factors_ready)
        HESCA_TRY(err, hesca_panel_mcast_wait(s->factor));
    HESCA_TRY(err, hesca_panel_mcast_advance(s->solution, &ready));
    for (; s->solutions_ready < ready; ++s->solutions_ready) {
        const int64_t b = s->solutions_ready, g = b / x->span;
        const int64_t k = x->end[b] - hesca_inverse_begin_of(x, g);
        HESCA_TRY(err, hesca_panel_mcast_wait(s->solution));
        if (x->transpose != NULL)
            HESCA_TRY(err,
                      hesca_panel_transpose_send(
                          x->transpose,
                          solution_at(x, s, g,
                                      s->upper ? x->here.r0 : x->here.c0, k),
                          solution_ld(x, s, g)));
    }
fail:
    return err;
}

int
hesca_inverse_progress(hesca_inverse_job *x)
{
    int err = HESCA_SUCCESS;
    for (int more = 1; more;) {
        more = 0;
        for (int k = 0; k < x->nsides; ++k) {
            hesca_inverse_side *s = &x->side[k];
            HESCA_TRY(err, advance(x, s));
            if (s->solutions_begun >= solved_end(x) ||
                !may_solve(x, s, s->solutions_begun))
                continue;
            HESCA_TRY(err, begin_solution(x, s, s->solutions_begun));
            ++s->solutions_begun;
            more = 1;
        }
    }
    if (x->transpose != NULL)
        HESCA_TRY(err, hesca_panel_transpose_advance(x->transpose));
fail:
    return err;
}

int
hesca_inverse_is_solved(const hesca_inverse_job *x)
{
    int all = 1;
    for (int k = 0; k < x->nsides; ++k)
        all &= x->side[k].solutions_ready >= solved_end(x) &&
               x->side[k].factors_ready >= hesca_min(x->now + 1, x->ngroups);
    return all;
}

/* --- updates ---
 * Every element is updated once by each group, in the order of groups, in
 * pieces that do not depend on when messages arrive. */

/* A := A - L Y below group g; A := A - Z U to the right of it. */
static void
update_outside(const hesca_inverse_job *x, const hesca_inverse_side *s,
               int64_t g, hesca_rectangle b)
{
    const int64_t width =
        hesca_inverse_end_of(x, g) - hesca_inverse_begin_of(x, g);
    const char *factor = factor_at(x, s, g, s->upper ? b.c0 : b.r0, 0);
    const char *solution = solution_at(x, s, g, s->upper ? b.r0 : b.c0, 0);
    const int64_t ldf = factor_ld(x, s, g), lds = solution_ld(x, s, g);
    hesca_kernel_gemm(x->type, 'N', 'N', b.r1 - b.r0, b.c1 - b.c0, width,
                      hesca_minus_one(x->type), s->upper ? solution : factor,
                      s->upper ? lds : ldf, s->upper ? factor : solution,
                      s->upper ? ldf : lds, hesca_one(x->type),
                      element(x, b.r0, b.c0), x->a.lld);
}

/* A := A + Z Y, in the rows and columns up to the end of group g; of a
 * symmetric matrix Z is Y' or Y is Z'. */
static void
update_inside(const hesca_inverse_job *x, int64_t g, hesca_rectangle b)
{
    const hesca_inverse_side *s = &x->side[0];
    const int64_t width =
        hesca_inverse_end_of(x, g) - hesca_inverse_begin_of(x, g);
    if (x->nsides == 2) {
        const hesca_inverse_side *z = &x->side[1];
        hesca_kernel_gemm(x->type, 'N', 'N', b.r1 - b.r0, b.c1 - b.c0, width,
                          hesca_one(x->type), solution_at(x, z, g, b.r0, 0),
                          solution_ld(x, z, g), solution_at(x, s, g, b.c0, 0),
                          solution_ld(x, s, g), hesca_one(x->type),
                          element(x, b.r0, b.c0), x->a.lld);
        return;
    }
    int64_t ld;
    const char *other = transposed_at(x, g, 0, &ld);
    const hesca_slices mine = {s->solution_at[g % HESCA_INVERSE_SLOTS],
                               solution_ld(x, s, g),
                               s->upper ? x->here.r0 : x->here.c0};
    const hesca_slices turned = {other, ld,
                                 s->upper ? x->here.c0 : x->here.r0};
    hesca_triangle_update(&x->triangle, width, s->upper ? mine : turned,
                          s->upper ? turned : mine, b);
}

/* Rows below group g and those of the next group, or columns. */
static hesca_rectangle
outside(const hesca_inverse_job *x, const hesca_inverse_side *s, int64_t g,
        int64_t from, int64_t to)
{
    const int64_t k1 = hesca_inverse_end_of(x, g);
    if (s->upper)
        return (hesca_rectangle){x->here.r0, row(x, k1), col(x, from),
                                 col(x, to)};
    return (hesca_rectangle){row(x, from), row(x, to), x->here.c0, col(x, k1)};
}

void
hesca_inverse_update_next(hesca_inverse_job *x)
{
    const int64_t k1 = hesca_inverse_end_of(x, x->now);
    const int64_t next = hesca_inverse_end_of(x, x->now + 1);
    for (int k = 0; k < x->nsides; ++k) {
        const hesca_rectangle b = outside(x, &x->side[k], x->now, k1, next);
        if (!is_empty(b))
            update_outside(x, &x->side[k], x->now, b);
    }
}

/* The parts of an update: of each side, and inside. */
static hesca_rectangle
part_of(const hesca_inverse_job *x, int k)
{
    const int64_t k1 = hesca_inverse_end_of(x, x->group);
    const int64_t next = hesca_inverse_end_of(x, x->group + 1);
    if (k < x->nsides)
        return outside(x, &x->side[k], x->group, next, x->n);
    return (hesca_rectangle){x->here.r0, row(x, k1), x->here.c0, col(x, k1)};
}

int
hesca_inverse_has_strips(const hesca_inverse_job *x)
{
    return x->part_of_update <= x->nsides;
}

/* Columns that are updated at once. */
static int64_t
strip_of(const hesca_inverse_job *x, int64_t rows)
{
    const double complexity = hesca_type_is_complex(x->type) ? 4 : 1;
    const double tile =
        2 * complexity * TILE * (double)rows * (double)x->width + 1;
    return TILE * hesca_max(1, (int64_t)(PIECE / tile));
}

static int
is_transposed(const hesca_inverse_job *x)
{
    return x->transpose == NULL ||
           hesca_panel_transpose_ready(x->transpose) >=
               hesca_min((x->group + 1) * x->span, x->nblocks);
}

int
hesca_inverse_update_strip(hesca_inverse_job *x)
{
    while (hesca_inverse_has_strips(x)) {
        const int k = x->part_of_update;
        hesca_rectangle b = part_of(x, k);
        if (k == x->nsides && !is_transposed(x)) /* also if b is empty */
            return 0;
        b.c0 += x->at;
        if (is_empty(b)) {
            ++x->part_of_update;
            x->at = 0;
            continue;
        }
        b.c1 = hesca_min(b.c1, b.c0 + strip_of(x, b.r1 - b.r0));
        x->at += b.c1 - b.c0;
        if (k < x->nsides)
            update_outside(x, &x->side[k], x->group, b);
        else
            update_inside(x, x->group, b);
        return 1;
    }
    return 0;
}
