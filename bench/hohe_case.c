/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds descend along the rows and columns of a grid, if the fastest
 * processes fill it row by row (HMPI thesis 3.5); equal shares are in order of
 * ranks, as a program has them that does not know about speeds. */
#include "hohe.h"
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

const char *const hohe_way_name[HOHE_WAYS] = {"cyclic", "equal", "cut"};

/* Columns of a panel, at most, of hesca_gemm() and hesca_potrf(). */
static const int widest[] = {
    [HESCA_ROUTINE_GEMM] = 128, [HESCA_ROUTINE_POTRF] = 64};

/* The fastest first of so many, of equal ones the least rank. */
static void
fill_places(const hohe_net *x, hohe_way way, int of, int places, int *place)
{
    char taken[HOHE_PROCS_MAX] = {0};
    for (int k = 0; k < places; ++k) {
        int best = -1;
        for (int r = 0; r < of; ++r)
            if (!taken[r] && (best < 0 || (way == HOHE_CUT &&
                                           x->speed[r] > x->speed[best])))
                best = r;
        place[k] = best;
        taken[best] = 1;
    }
}

static int
cut(const hohe_options *o, const hohe_net *x, hohe_case *c)
{
    const int places = c->nprow * c->npcol;
    double speed[HOHE_PROCS_MAX];
    const int lp = c->way == HOHE_CYCLIC ? c->nprow : c->l;
    const int lq = c->way == HOHE_CYCLIC ? c->npcol : c->l;
    fill_places(x, c->way, o->is_in_order ? places : x->nprocs, places,
                c->place);
    for (int k = 0; k < places; ++k)
        speed[k] = x->speed[c->place[k]];
    if (hesca_gblock_create(HESCA_COLUMN_BASED, HESCA_ASSIGN_RECTANGLES, c->n,
                            c->n, c->r, c->r, lp, lq, c->nprow, c->npcol,
                            c->way == HOHE_CUT ? speed : NULL, c->place,
                            &c->g) < 0)
        return x->rank == 0 && cmdline_fail("%s", hesca_error_text());
    return 1;
}

/* Panels of a factorization end where the owner of their diagonal does: on
 * the way through a generalized block that is so p + q - 1 times. */
static int
panel(const hohe_options *o, const hohe_case *c)
{
    const int blocks =
        c->way == HOHE_CYCLIC ? 1 : c->l / (c->nprow + c->npcol - 1);
    const int run = c->r * (blocks > 1 ? blocks : 1);
    const int most = widest[o->routine];
    return o->routine == HESCA_ROUTINE_GEMM || run > most ? most : run;
}

/* On process 0. */
static int
predict(const hohe_options *o, const hohe_net *x, hohe_case *c)
{
    const hesca_job job = {o->routine, c->n, panel(o, c)};
    return hesca_gblock_predict(c->g, &job, &x->machine, c->place,
                                &c->forecast) >= 0 ||
           cmdline_fail("%s", hesca_error_text());
}

/* The grid of least predicted time; ties go to less rows, then columns. */
static int
choose(const hohe_options *o, const hohe_net *x, hohe_case *c, hohe_grid *best)
{
    const double start = yield_clock();
    double least = INFINITY;
    for (int p = 1; p <= x->nprocs && p <= c->l; ++p)
        for (int q = 1; p * q <= x->nprocs && q <= c->l; ++q) {
            c->nprow = p;
            c->npcol = q;
            if (!cut(o, x, c) || !predict(o, x, c))
                return 0;
            if (c->forecast.seconds < least) {
                least = c->forecast.seconds;
                *best = (hohe_grid){p, q};
            }
            hesca_gblock_free(c->g);
            c->g = NULL;
        }
    c->choosing = yield_clock() - start;
    return 1;
}

int
hohe_case_open(const hohe_options *o, const hohe_net *x, hohe_way way,
               int64_t n, int l, hohe_grid grid, hohe_case *c)
{
    int ok = 1;
    *c = (hohe_case){
        .way = way, .n = n, .r = o->r, .l = l, .is_chosen = grid.nprow == 0};
    if (c->is_chosen) {
        if (x->rank == 0)
            ok = choose(o, x, c, &grid);
        yield_broadcast(&grid, sizeof grid);
        if (!yield_all(ok))
            return 0;
    }
    c->nprow = grid.nprow;
    c->npcol = grid.npcol;
    if (c->nprow * c->npcol > x->nprocs)
        return x->rank == 0 &&
               cmdline_fail("--grids '%dx%d': there are %d processors",
                            c->nprow, c->npcol, x->nprocs);
    ok = cut(o, x, c);
    if (ok && x->rank == 0)
        ok = predict(o, x, c);
    return yield_all(ok);
}

void
hohe_case_close(hohe_case *c)
{
    hesca_gblock_free(c->g);
    c->g = NULL;
}
