/* SPDX-License-Identifier: BSD-3-Clause */
/* Submatrices of block-cyclic matrices, and of matrices in generalized blocks,
 * on random grids, for tests without MPI. */
#ifndef HESCA_TESTING_PLACE_H
#define HESCA_TESTING_PLACE_H

#include "hesca/layout.h"
#include "testing/assign.h"

enum { PLACE_MOST = 24 }; /* processes */

typedef struct {
    int m, n, mb, nb, rsrc, csrc, nprow, npcol;
    int i, j;
    int is_generalized; /* by lengths, not by mb, nb, rsrc, csrc */
    int64_t heights[PLACE_MOST], widths[PLACE_MOST];
    int ranks[PLACE_MOST];
    hesca_layout *layout;
    char text[400];
} place;

static inline void
place_create_generalized(place *x)
{
    int at = snprintf(x->text, sizeof x->text, "%dx%d at (%d,%d), heights",
                      x->m, x->n, x->i, x->j);
    for (int p = 0; p < x->nprow; ++p)
        at += snprintf(x->text + at, sizeof x->text - (size_t)at, " %d",
                       (int)x->heights[p]);
    at += snprintf(x->text + at, sizeof x->text - (size_t)at, ", widths");
    for (int q = 0; q < x->npcol; ++q)
        at += snprintf(x->text + at, sizeof x->text - (size_t)at, " %d",
                       (int)x->widths[q]);
    at += snprintf(x->text + at, sizeof x->text - (size_t)at, ", ranks");
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        at += snprintf(x->text + at, sizeof x->text - (size_t)at, " %d",
                       x->ranks[k]);
    if (hesca_layout_create_generalized(x->m, x->n, x->nprow, x->npcol,
                                        x->heights, x->widths, x->ranks,
                                        &x->layout) < 0)
        abort();
}

static inline void
place_create(place *x)
{
    if (x->is_generalized) {
        place_create_generalized(x);
        return;
    }
    int at = snprintf(x->text, sizeof x->text,
                      "%dx%d in %dx%d on %dx%d from (%d,%d) at (%d,%d), ranks",
                      x->m, x->n, x->mb, x->nb, x->nprow, x->npcol, x->rsrc,
                      x->csrc, x->i, x->j);
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        at += snprintf(x->text + at, sizeof x->text - (size_t)at, " %d",
                       x->ranks[k]);
    if (hesca_layout_create_cyclic(x->m, x->n, x->mb, x->nb, x->rsrc, x->csrc,
                                   x->nprow, x->npcol, x->ranks,
                                   &x->layout) < 0)
        abort();
}

/* Equal ones, which are cyclic, or any. */
static inline void
place_random_lengths(int nowners, int64_t *length)
{
    const int nb = check_uniform(1, 6);
    if (check_uniform(0, 2))
        assign_random_lengths(nowners, nb, length);
    else
        for (int p = 0; p < nowners; ++p)
            length[p] = nb;
}

static inline place
place_random(int m, int n, int nprocs)
{
    place x = {.i = check_uniform(0, 1) * check_uniform(0, 20),
               .j = check_uniform(0, 1) * check_uniform(0, 20)};
    x.nprow = check_uniform(1, nprocs);
    x.npcol = check_uniform(1, nprocs / x.nprow);
    x.m = x.i + m + check_uniform(0, 5);
    x.n = x.j + n + check_uniform(0, 5);
    x.mb = check_block(m);
    x.nb = check_block(n);
    x.rsrc = check_uniform(0, x.nprow - 1);
    x.csrc = check_uniform(0, x.npcol - 1);
    for (int k = 0; k < nprocs; ++k)
        x.ranks[k] = k;
    assign_shuffle(x.ranks, nprocs);
    x.is_generalized = check_uniform(0, 3) == 0;
    place_random_lengths(x.nprow, x.heights);
    place_random_lengths(x.npcol, x.widths);
    place_create(&x);
    return x;
}

/* Process row (or column) that has row (or column) i of the submatrix. */
static inline int
place_owner(const place *x, int is_col, int i)
{
    const int64_t *length = is_col ? x->widths : x->heights;
    const int at = i + (is_col ? x->j : x->i);
    int64_t sum = 0;
    int p = 0;
    if (!x->is_generalized)
        return is_col ? (at / x->nb + x->csrc) % x->npcol
                      : (at / x->mb + x->rsrc) % x->nprow;
    for (int q = 0; q < (is_col ? x->npcol : x->nprow); ++q)
        sum += length[q];
    for (int64_t left = at % sum; left >= length[p]; ++p)
        left -= length[p];
    return p;
}

/* Rows (or columns) that process row r of A and s of B have in common. */
static inline void
place_common(const place *a, const place *b, int is_col, int n, int64_t *count)
{
    const int na = is_col ? a->npcol : a->nprow;
    const int nb = is_col ? b->npcol : b->nprow;
    memset(count, 0, (size_t)(na * nb) * sizeof *count);
    for (int i = 0; i < n; ++i)
        ++count[place_owner(a, is_col, i) * nb + place_owner(b, is_col, i)];
}

#endif
