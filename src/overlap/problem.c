/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlap/problem.h"
#include "base/arith.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- fans and counts ---
 * A pair of processes has common elements if and only if its counts of common
 * rows and of common columns are both positive. */

/* The fan of na owners of A and nb owners of B. */
static hesca_fan
fan_of(const int64_t *count, int na, int nb)
{
    hesca_fan d = {0, 0};
    for (int p = 0; p < na; ++p) {
        int n = 0;
        for (int q = 0; q < nb; ++q)
            n += count[(int64_t)p * nb + q] > 0;
        d.out = n > d.out ? n : d.out;
    }
    for (int q = 0; q < nb; ++q) {
        int n = 0;
        for (int p = 0; p < na; ++p)
            n += count[(int64_t)p * nb + q] > 0;
        d.in = n > d.in ? n : d.in;
    }
    return d;
}

/* The fan of processes, where the layouts are not products. */
static hesca_fan
fan_of_pairs(const hesca_problem *p)
{
    const int na = p->a->nprow * p->a->npcol, nb = p->b->nprow * p->b->npcol;
    const int acols = p->a->npcol, bcols = p->b->npcol;
    hesca_fan f = {0, 0};
    for (int k = 0; k < na; ++k) {
        int n = 0;
        for (int l = 0; l < nb; ++l)
            n += hesca_problem_common(p, k / acols, k % acols, l / bcols,
                                      l % bcols) > 0;
        f.out = n > f.out ? n : f.out;
    }
    for (int l = 0; l < nb; ++l) {
        int n = 0;
        for (int k = 0; k < na; ++k)
            n += hesca_problem_common(p, k / acols, k % acols, l / bcols,
                                      l % bcols) > 0;
        f.in = n > f.in ? n : f.in;
    }
    return f;
}

static int
count_processes(const hesca_layout *a, const hesca_layout *b)
{
    const int na = a->nprow * a->npcol, nb = b->nprow * b->npcol;
    int common = 0, r, c;
    if (na == nb && memcmp(a->ranks, b->ranks, (size_t)na * sizeof(int)) == 0)
        return na;
    for (int k = 0; k < na; ++k)
        common += hesca_layout_coords(b, a->ranks[k], &r, &c);
    return na + nb - common;
}

/* Entries of row_count, and of col_count below. */
static size_t
row_entries(const hesca_layout *a, const hesca_layout *b)
{
    return (size_t)a->nrow_cuts * (size_t)b->nrow_cuts * (size_t)a->nprow *
           (size_t)b->nprow;
}

static size_t
col_entries(const hesca_layout *a, const hesca_layout *b)
{
    return (size_t)a->ncol_cuts * (size_t)b->ncol_cuts * (size_t)a->npcol *
           (size_t)b->npcol;
}

/* Fill row_count and col_count. */
static void
count_common(hesca_problem *p)
{
    const hesca_layout *a = p->a, *b = p->b;
    const int64_t nr = (int64_t)a->nprow * b->nprow;
    const int64_t nc = (int64_t)a->npcol * b->npcol;
    for (int x = 0; x < a->nrow_cuts; ++x)
        for (int y = 0; y < b->nrow_cuts; ++y)
            hesca_overlap_count(&a->rows[x], p->ia, &b->rows[y], p->ib, p->m,
                                p->row_count +
                                    ((int64_t)x * b->nrow_cuts + y) * nr);
    for (int x = 0; x < a->ncol_cuts; ++x)
        for (int y = 0; y < b->ncol_cuts; ++y)
            hesca_overlap_count(&a->cols[x], p->ja, &b->cols[y], p->jb, p->n,
                                p->col_count +
                                    ((int64_t)x * b->ncol_cuts + y) * nc);
}

static void
find_fans(hesca_problem *p)
{
    if (!hesca_problem_is_product(p)) {
        p->fan = fan_of_pairs(p);
        return;
    }
    p->row_fan = fan_of(p->row_count, p->a->nprow, p->b->nprow);
    p->col_fan = fan_of(p->col_count, p->a->npcol, p->b->npcol);
    p->fan = (hesca_fan){p->row_fan.out * p->col_fan.out,
                         p->row_fan.in * p->col_fan.in};
}

/* --- life of a problem ---
 * A problem owns copies of its layouts, so it may outlive those of the caller
 * (plans are cached). */

int
hesca_problem_init(hesca_problem *p, hesca_part part, int64_t m, int64_t n,
                   const hesca_layout *a, int64_t ia, int64_t ja,
                   const hesca_layout *b, int64_t ib, int64_t jb, size_t esize)
{
    *p = (hesca_problem){
        .part = part,
        .m = m,
        .n = n,
        .a = hesca_layout_copy(a),
        .b = hesca_layout_copy(b),
        .ia = ia,
        .ja = ja,
        .ib = ib,
        .jb = jb,
        .esize = esize,
        .row_count = malloc(row_entries(a, b) * sizeof *p->row_count),
        .col_count = malloc(col_entries(a, b) * sizeof *p->col_count)};
    if (p->a == NULL || p->b == NULL || p->row_count == NULL ||
        p->col_count == NULL) {
        hesca_problem_clear(p);
        return hesca_fail(HESCA_ERR_NOMEM, 0,
                          "redistribution between %d x %d and %d x %d "
                          "processes",
                          a->nprow, a->npcol, b->nprow, b->npcol);
    }
    count_common(p);
    p->nprocs = count_processes(a, b);
    find_fans(p);
    return HESCA_SUCCESS;
}

void
hesca_problem_clear(hesca_problem *p)
{
    hesca_layout_free(p->a);
    hesca_layout_free(p->b);
    free(p->row_count);
    free(p->col_count);
    memset(p, 0, sizeof *p);
}

int
hesca_problem_equal(const hesca_problem *p, const hesca_problem *q)
{
    return p->part == q->part && p->m == q->m && p->n == q->n &&
           p->ia == q->ia && p->ja == q->ja && p->ib == q->ib &&
           p->jb == q->jb && p->esize == q->esize &&
           hesca_layout_equal(p->a, q->a) && hesca_layout_equal(p->b, q->b);
}

/* --- bytes ---
 * A part other than HESCA_ALL is a trapezoid, defined for m > n and m < n as
 * in ScaLAPACK's REDIST: the diagonal ends in the last row and column. */

void
hesca_problem_rows(const hesca_problem *p, int64_t j, int64_t *lo, int64_t *hi)
{
    const int64_t upper = j + hesca_max(p->m - p->n, 0);
    const int64_t lower = j - hesca_max(p->n - p->m, 0);
    *lo = 0;
    *hi = p->m;
    if (p->part == HESCA_UPPER || p->part == HESCA_UPPER_STRICT)
        *hi = hesca_min(p->m, upper + (p->part == HESCA_UPPER));
    if (p->part == HESCA_LOWER || p->part == HESCA_LOWER_STRICT)
        *lo = hesca_clamp(lower + (p->part == HESCA_LOWER_STRICT), 0, p->m);
}

int64_t
hesca_problem_bytes(const hesca_problem *p)
{
    /* A trapezoid is the matrix without a triangle of order k below or above
     * the diagonal, and without the diagonal itself if it is strict. */
    const int64_t k = hesca_min(p->m, p->n);
    const int strict =
        p->part == HESCA_UPPER_STRICT || p->part == HESCA_LOWER_STRICT;
    const int64_t lost =
        p->part == HESCA_ALL ? 0 : k * (k - 1) / 2 + (strict ? k : 0);
    return (p->m * p->n - lost) * (int64_t)p->esize;
}

/* Number of elements of the part in the given rows and columns of sub(A). */
static int64_t
elements(const hesca_problem *p, const hesca_overlap *rows,
         const hesca_overlap *cols)
{
    int64_t sum = 0, lo, hi;
    if (p->part == HESCA_ALL)
        return rows->total * cols->total;
    for (int64_t c = 0; c < cols->total; ++c) {
        hesca_problem_rows(p, hesca_overlap_index(cols, c), &lo, &hi);
        sum += hesca_overlap_below(rows, hi) - hesca_overlap_below(rows, lo);
    }
    return sum;
}

/* Number of elements that the process at (r,c) of A and (s,d) of B has in both
 * layouts. */
static int
count_unmoved(const hesca_problem *p, int r, int c, int s, int d,
              int64_t *count)
{
    int err;
    hesca_overlap rows = {0}, cols = {0};
    HESCA_TRY(err, hesca_overlap_init(
                       &rows,
                       (hesca_share){hesca_layout_row_axis(p->a, c), r, p->ia},
                       (hesca_share){hesca_layout_row_axis(p->b, d), s, p->ib},
                       p->m));
    HESCA_TRY(err, hesca_overlap_init(
                       &cols,
                       (hesca_share){hesca_layout_col_axis(p->a, r), c, p->ja},
                       (hesca_share){hesca_layout_col_axis(p->b, s), d, p->jb},
                       p->n));
    *count = elements(p, &rows, &cols);
fail:
    hesca_overlap_clear(&rows);
    hesca_overlap_clear(&cols);
    return err;
}

int
hesca_problem_moved(const hesca_problem *p, int64_t *bytes)
{
    int err = HESCA_SUCCESS, s, d;
    *bytes = hesca_problem_bytes(p);
    for (int r = 0; r < p->a->nprow; ++r)
        for (int c = 0; c < p->a->npcol; ++c) {
            int64_t count = 0;
            if (!hesca_layout_coords(p->b, p->a->ranks[r * p->a->npcol + c],
                                     &s, &d))
                continue;
            if (p->part == HESCA_ALL)
                count = hesca_problem_common(p, r, c, s, d);
            else
                HESCA_TRY(err, count_unmoved(p, r, c, s, d, &count));
            *bytes -= count * (int64_t)p->esize;
        }
fail:
    return err;
}

/* Whether some process at (r,.) of A has data for another one at (s,.) of B.
 */
static int
leaves(const hesca_problem *p, int r, int s)
{
    const int *from = p->a->ranks + r * p->a->npcol;
    const int *to = p->b->ranks + s * p->b->npcol;
    const int64_t *cols = hesca_problem_col_table(p, r, s);
    for (int c = 0; c < p->a->npcol; ++c)
        for (int d = 0; d < p->b->npcol; ++d)
            if (cols[c * p->b->npcol + d] > 0 && from[c] != to[d] &&
                hesca_problem_common_rows(p, r, c, s, d) > 0)
                return 1;
    return 0;
}

int
hesca_problem_is_local(const hesca_problem *p)
{
    for (int r = 0; r < p->a->nprow; ++r)
        for (int s = 0; s < p->b->nprow; ++s)
            if ((!hesca_problem_is_product(p) ||
                 p->row_count[r * p->b->nprow + s] > 0) &&
                leaves(p, r, s))
                return 0;
    return 1;
}

/* --- extremes ---
 * For products of axes the maximum over pairs is the product of the maxima of
 * both dimensions; otherwise all pairs are examined. */

static int64_t
largest(const int64_t *count, int64_t n)
{
    int64_t best = 0;
    for (int64_t k = 0; k < n; ++k)
        best = hesca_max(best, count[k]);
    return best;
}

/* The most common elements of a process of row r of A and one of row s of B.
 */
static double
longest_of(const hesca_problem *p, int r, int s)
{
    double best = 0;
    for (int c = 0; c < p->a->npcol; ++c)
        for (int d = 0; d < p->b->npcol; ++d) {
            const double x = (double)hesca_problem_common_rows(p, r, c, s, d) *
                             (double)hesca_problem_common_cols(p, r, c, s, d);
            best = fmax(best, x);
        }
    return best;
}

double
hesca_problem_longest(const hesca_problem *p)
{
    double best = 0;
    if (hesca_problem_is_product(p))
        return (double)largest(p->row_count,
                               (int64_t)p->a->nprow * p->b->nprow) *
               (double)largest(p->col_count,
                               (int64_t)p->a->npcol * p->b->npcol);
    for (int r = 0; r < p->a->nprow; ++r)
        for (int s = 0; s < p->b->nprow; ++s)
            best = fmax(best, longest_of(p, r, s));
    return best;
}

/* Number of indices from ... from + n - 1 of an owner. */
static double
owned(const hesca_axis *x, int owner, int64_t from, int64_t n)
{
    return (double)(hesca_axis_count(x, owner, from + n) -
                    hesca_axis_count(x, owner, from));
}

/* The most such indices of an owner. */
static double
most_owned(const hesca_axis *x, int64_t from, int64_t n)
{
    double best = 0;
    for (int p = 0; p < x->nowners; ++p)
        best = fmax(best, owned(x, p, from, n));
    return best;
}

static double
largest_of(const hesca_problem *p, const hesca_layout *x, int64_t i, int64_t j)
{
    double best = 0;
    if (hesca_layout_is_product(x))
        return most_owned(x->rows, i, p->m) * most_owned(x->cols, j, p->n);
    for (int r = 0; r < x->nprow; ++r)
        for (int c = 0; c < x->npcol; ++c)
            best =
                fmax(best, owned(hesca_layout_row_axis(x, c), r, i, p->m) *
                               owned(hesca_layout_col_axis(x, r), c, j, p->n));
    return best;
}

double
hesca_problem_largest(const hesca_problem *p)
{
    return fmax(largest_of(p, p->a, p->ia, p->ja),
                largest_of(p, p->b, p->ib, p->jb));
}

size_t
hesca_problem_memory(const hesca_problem *p)
{
    const size_t entries = row_entries(p->a, p->b) + col_entries(p->a, p->b);
    return hesca_layout_memory(p->a) + hesca_layout_memory(p->b) +
           entries * sizeof *p->row_count;
}
