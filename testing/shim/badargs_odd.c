/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of t_badargs whose arguments are odd, but good. */
#include "testing/check.h"
#include "testing/shim/badargs.h"
#include "testing/shim/blacs.h"
#include <limits.h>

/* m = 0 or n = 0: nothing else is looked at. */
void
empty_copies(const route *r)
{
    const setting s = setting_make(esizes[r->type]);
    setting t = s;
    args x = s.good;
    for (int k = 0; k < 9; ++k)
        x.desca[k] = x.descb[k] = -77 - k;
    x.a = x.b = NULL;
    x.ia = x.ja = x.ib = x.jb = INT_MIN;
    for (int k = 0; k < 8; ++k) {
        x.m = k % 2 ? 0 : 10;
        x.n = k % 2 ? 9 : 0;
        x.no_desca = x.no_descb = k / 2 % 2;
        if (k >= 4) /* different garbage on each process */
            x.desca[1] = x.descb[1] = x.ia = rank * 1000 - 5;
        snprintf(what, sizeof what, "%d x %d with garbage", x.m, x.n);
        good(r, &x, &x, &t.b);
    }
    setting_free(&t);
}

/* Process rows and columns that own nothing: lld and array may be anything. */
void
owners_of_nothing(const route *r)
{
    static const int llds[] = {1, 0, -9, INT_MIN};
    const size_t esize = esizes[r->type];
    const int all = grid(1, nprocs);
    const int column = grid(nprocs, 1), row = grid(1, nprocs);
    for (int k = 0; k < 8; ++k) {
        side a = side_make(column, 3, 4, 3, 4, nprocs - 1, 0, 1, esize);
        side b = side_make(row, 3, 4, 2, 4, 0, 0, 1, esize);
        side *from = k < 4 ? &a : &b, *to = k < 4 ? &b : &a;
        side_fill(from);
        args x = args_of(3, 4, from, 1, 1, to, 1, 1, all);
        const int lld = llds[k % 4];
        if (from->locr == 0 || from->locc == 0) {
            x.desca[8] = lld;
            x.a = NULL;
        }
        if (to->locr == 0 || to->locc == 0) {
            x.descb[8] = lld;
            x.b = NULL;
        }
        snprintf(what, sizeof what,
                 "lld = %d and no array where nothing is owned, case %d", lld,
                 k);
        good(r, &x, &x, to);
        free(a.x);
        free(b.x);
    }
    Cblacs_gridexit(all);
    Cblacs_gridexit(column);
    Cblacs_gridexit(row);
}

/* Enclosing contexts of every kind around small grids, of which processes
 * outside know nothing but CTXT = -1. */
void
enclosing_contexts(const route *r)
{
    const size_t esize = esizes[r->type];
    int around[5], first = 0, last = nprocs - 1;
    for (int k = 0; k < 5; ++k)
        Cblacs_get(-1, 0, &around[k]);
    Cblacs_gridinit(&around[0], "R", 1, nprocs);
    Cblacs_gridinit(&around[1], "R", nprocs, 1);
    Cblacs_gridinit(&around[2], "C", nprocs / 2, 2);
    Cblacs_gridinit(&around[3], "R", 2, nprocs / 2);
    around[4] = nprocs == 2 ? grid_of((int[]){1, 0}, 1, 2)
                            : grid_of((int[]){3, 1, 2, 0}, 2, 2);
    const int on_first = grid_of(&first, 1, 1), on_last = grid_of(&last, 1, 1);
    int columns;
    Cblacs_get(-1, 0, &columns);
    Cblacs_gridinit(&columns, "C", 2, nprocs / 2);
    const int grids[] = {on_first, on_last, columns};
    for (int k = 0; k < 5 * 9; ++k) {
        const int ca = grids[k % 3], cb = grids[k / 3 % 3];
        side a = side_make(ca, 11, 13, 2, 3, 0, 0, 1, esize);
        side b = side_make(cb, 12, 15, 5, 1, 0, 0, 1, esize);
        side_fill(&a);
        const args complete =
            args_of(9, 10, &a, 2, 3, &b, 4, 6, around[k / 9]);
        args x = complete;
        for (int e = 0; e < 9; ++e) {
            x.desca[e] = ca < 0 ? -77 : x.desca[e];
            x.descb[e] = cb < 0 ? -78 : x.descb[e];
        }
        x.desca[1] = ca;
        x.descb[1] = cb;
        if (ca < 0)
            x.ia = x.ja = INT_MAX;
        if (cb < 0)
            x.ib = x.jb = 0;
        snprintf(what, sizeof what,
                 "enclosing context %d, grids %d and %d of %d processes",
                 k / 9, k % 3, k / 3 % 3, nprocs);
        good(r, &x, &complete, &b);
        free(a.x);
        free(b.x);
    }
    for (int k = 0; k < 5; ++k)
        Cblacs_gridexit(around[k]);
    for (int k = 0; k < 3; ++k)
        if (grids[k] >= 0)
            Cblacs_gridexit(grids[k]);
}
