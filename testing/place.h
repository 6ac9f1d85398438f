/* Submatrices of block-cyclic matrices on random grids, for tests of what is
 * pure. */
#ifndef HESCA_TESTING_PLACE_H
#define HESCA_TESTING_PLACE_H

#include "hesca/layout.h"
#include "testing/deal.h"

enum { PLACE_MOST = 24 }; /* processes */

typedef struct {
    int m, n, mb, nb, rsrc, csrc, nprow, npcol;
    int i, j;
    int ranks[PLACE_MOST];
    hesca_layout *layout;
    char text[250];
} place;

static inline void
place_create(place *x)
{
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

static inline place
place_random(int m, int n, int nprocs)
{
    place x = {.i = check_uniform(0, 1) * check_uniform(0, 20),
               .j = check_uniform(0, 1) * check_uniform(0, 20)};
    x.nprow = check_uniform(1, nprocs);
    x.npcol = check_uniform(1, nprocs / x.nprow);
    x.m = x.i + m + check_uniform(0, 5);
    x.n = x.j + n + check_uniform(0, 5);
    x.mb = deal_random_block(m);
    x.nb = deal_random_block(n);
    x.rsrc = check_uniform(0, x.nprow - 1);
    x.csrc = check_uniform(0, x.npcol - 1);
    for (int k = 0; k < nprocs; ++k)
        x.ranks[k] = k;
    for (int k = nprocs - 1; k > 0; --k) {
        const int other = check_uniform(0, k), r = x.ranks[k];
        x.ranks[k] = x.ranks[other];
        x.ranks[other] = r;
    }
    place_create(&x);
    return x;
}

/* Rows (or columns) that process row r of A and s of B have in common. */
static inline void
place_common(int n, int ia, int nba, int asrc, int npa, int ib, int nbb,
             int bsrc, int npb, int64_t *count)
{
    memset(count, 0, (size_t)(npa * npb) * sizeof *count);
    for (int i = 0; i < n; ++i)
        ++count[((ia + i) / nba + asrc) % npa * npb +
                ((ib + i) / nbb + bsrc) % npb];
}

#endif
