/* SPDX-License-Identifier: BSD-3-Clause */
/* Assignment of blocks to owners in proportion to speeds. */
#include "base/status.h"
#include "hesca/experimental/shares.h"
#include "hohe/gblock.h"
#include <math.h>
#include <stdlib.h>

/* --- speeds of lines ---
 * NULL stands for equal speeds. */

void
hesca_gblock_row_speeds(const hesca_gblock_info *x, const double *speed,
                        int line, double *out)
{
    for (int p = 0; p < x->nprow; ++p) {
        out[p] = 0;
        for (int q = 0; q < x->npcol; ++q)
            if (line < 0 || q == line)
                out[p] += speed == NULL ? 1 : speed[p * x->npcol + q];
    }
}

void
hesca_gblock_col_speeds(const hesca_gblock_info *x, const double *speed,
                        int line, double *out)
{
    for (int q = 0; q < x->npcol; ++q) {
        out[q] = 0;
        for (int p = 0; p < x->nprow; ++p)
            if (line < 0 || p == line)
                out[q] += speed == NULL ? 1 : speed[p * x->npcol + q];
    }
}

/* --- counts and order ---
 * Counts sum to n; owner[] has count[p] entries p. */

static int
make_models(int np, const double *speed, hesca_speed **model, int *at,
            int *nmodels)
{
    int err = HESCA_SUCCESS;
    *nmodels = 0;
    for (int p = 0; p < np; ++p) {
        if (!(speed[p] > 0))
            continue;
        HESCA_TRY(err, hesca_speed_create_constant(speed[p], INFINITY,
                                                   &model[*nmodels]));
        at[(*nmodels)++] = p;
    }
fail:
    return err;
}

int
hesca_gblock_part(int n, int np, const double *speed, int *count)
{
    const size_t room = (size_t)np;
    hesca_speed **model = calloc(room, sizeof(hesca_speed *));
    int *at = malloc(room * sizeof *at), nmodels = 0;
    hesca_shares *shares = NULL;
    int err = HESCA_SUCCESS;
    if (model == NULL || at == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of %d lines", np));
    HESCA_TRY(err, make_models(np, speed, model, at, &nmodels));
    HESCA_TRY(err,
              hesca_shares_create(
                  nmodels, (const hesca_speed *const *)(const void *)model, n,
                  &shares));
    for (int p = 0; p < np; ++p)
        count[p] = 0;
    for (int k = 0; k < nmodels; ++k)
        count[at[k]] = (int)hesca_shares_count(shares, k);
fail:
    hesca_shares_free(shares);
    for (int k = 0; model != NULL && k < nmodels; ++k)
        hesca_speed_free(model[k]);
    free(model);
    free(at);
    return err;
}

/* The owner that would finish one more block first, among those with blocks
 * left. */
static int
next_owner(int np, const double *speed, const int *count, const int *left)
{
    int best = -1;
    for (int p = 0; p < np; ++p)
        if (left[p] > 0 &&
            (best < 0 || (count[p] - left[p] + 1) * speed[best] <
                             (count[best] - left[best] + 1) * speed[p]))
            best = p;
    return best;
}

/* The cyclic assignment gives each block to the owner that would finish it
 * first, which is optimal for every prefix of the sequence. It runs from the
 * end, because factorizations process the last blocks last. */
int
hesca_gblock_order(hesca_gblock_assignment assignment, int n, int np,
                   const double *speed, const int *count, int *owner)
{
    int *left = malloc((size_t)np * sizeof *left), first = 0;
    if (left == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "an order of %d blocks", n);
    for (int p = 0; p < np; ++p)
        left[p] = count[p];
    for (int k = n - 1; k >= 0; --k) {
        const int next = next_owner(np, speed, count, left);
        owner[k] = next;
        --left[next];
    }
    for (int p = 0; p < np && assignment == HESCA_ASSIGN_RECTANGLES;
         first += count[p++])
        for (int i = 0; i < count[p]; ++i)
            owner[first + i] = p;
    free(left);
    return HESCA_SUCCESS;
}

/* --- a generalized block ---
 * Every line of a cut is assigned by the speeds of the processes in it. */

/* Scratch of one line. */
typedef struct {
    double *speed;
    int *count;
} scratch;

static double
sum_of(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += x[k];
    return sum;
}

/* Lines without speed have no blocks; their owners are arbitrary. */
static int
cut_line(hesca_gblock_assignment assignment, int n, int np, const scratch *x,
         int *owner)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < n; ++k)
        owner[k] = 0;
    if (sum_of(x->speed, np) > 0) {
        HESCA_TRY(err, hesca_gblock_part(n, np, x->speed, x->count));
        HESCA_TRY(err, hesca_gblock_order(assignment, n, np, x->speed,
                                          x->count, owner));
    }
fail:
    return err;
}

int
hesca_gblock_cut(hesca_gblock *g, const double *speed)
{
    const hesca_gblock_info *x = &g->info;
    const size_t most = (size_t)(x->nprow > x->npcol ? x->nprow : x->npcol);
    const scratch s = {malloc(most * sizeof *s.speed),
                       malloc(most * sizeof *s.count)};
    int err = HESCA_SUCCESS;
    if (s.speed == NULL || s.count == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "a line of processes"));
    for (int k = 0; k < g->nrow_cuts; ++k) {
        hesca_gblock_row_speeds(x, speed, g->nrow_cuts > 1 ? k : -1, s.speed);
        HESCA_TRY(err, cut_line(x->assignment, x->lp, x->nprow, &s,
                                g->rowowner + k * x->lp));
    }
    for (int k = 0; k < g->ncol_cuts; ++k) {
        hesca_gblock_col_speeds(x, speed, g->ncol_cuts > 1 ? k : -1, s.speed);
        HESCA_TRY(err, cut_line(x->assignment, x->lq, x->npcol, &s,
                                g->colowner + k * x->lq));
    }
fail:
    free(s.speed);
    free(s.count);
    return err;
}
