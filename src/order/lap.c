/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortest augmenting paths after Jonker and Volgenant.  In two rounds of
 * augmenting row reduction, each row takes its cheapest column at the present
 * prices, and the price of this column falls until the second cheapest column
 * is as good.  Rows without a column then get one by Dijkstra's algorithm on
 * reduced costs.  The column reduction of the paper is omitted: the initial
 * prices come from the caller, which has good ones from the previous matching.
 * A row that lost its column waits for the next round, so that rounding cannot
 * make two rows alternate in the same column for ever.
 *
 * --- row reduction ---
 * row and col are inverse to each other at all times.  Prices v only fall
 * here, and every matched row has its cheapest column. */
#include "order/lap.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n;
    const double *cost;
    double *v;   /* [n] prices of columns */
    int *col;    /* [n] of each row; -1: none */
    int *row;    /* [n] of each column; -1: none */
    int *free;   /* [n] rows without a column */
    int *from;   /* [n] row before each column on its shortest path */
    int *left;   /* [n] first the columns whose distance is not final */
    double *far; /* [n] distance of each column */
} lap;

/* The cheapest column of a row, its cost and that of the second cheapest. */
typedef struct {
    int col;
    double cost, second;
} bid;

static bid
best_bid(const lap *l, int i)
{
    const double *cost = l->cost + (size_t)i * (size_t)l->n;
    bid b = {-1, INFINITY, INFINITY};
    for (int j = 0; j < l->n; ++j) {
        const double c = cost[j] - l->v[j];
        if (c >= b.second)
            continue;
        if (c < b.cost)
            b = (bid){j, c, b.cost};
        else
            b.second = c;
    }
    return b;
}

/* One round of augmenting row reduction over the n free rows; return the
 * number of rows that are free after it. */
static int
reduce(lap *l, int n)
{
    int still = 0;
    for (int k = 0; k < n; ++k) {
        const int i = l->free[k];
        const bid b = best_bid(l, i);
        const int other = b.col < 0 ? i : l->row[b.col];
        if (b.col < 0 || (other >= 0 && b.cost == b.second)) {
            l->free[still++] = i;
            continue;
        }
        if (b.second < INFINITY)
            l->v[b.col] -= b.second - b.cost;
        l->col[i] = b.col;
        l->row[b.col] = i;
        if (other >= 0) {
            l->col[other] = -1;
            l->free[still++] = other;
        }
    }
    return still;
}

/* --- augmentation ---
 * left[0 ... m - 1] are the columns whose distance is not final; the others
 * follow, by descending order of selection.  After augment() one more row has
 * a column, and reduced costs are >= 0 and 0 for matched pairs. */

/* Move the nearest of the first m columns in left to position m - 1; return
 * it, or -1 if none can be reached. */
static int
nearest(lap *l, int m)
{
    int best = 0;
    for (int k = 1; k < m; ++k)
        if (l->far[l->left[k]] < l->far[l->left[best]])
            best = k;
    const int j = l->left[best];
    l->left[best] = l->left[m - 1];
    l->left[m - 1] = j;
    return l->far[j] < INFINITY ? j : -1;
}

/* Update distances by paths over row i, which has distance `at`. */
static void
relax(lap *l, int m, int i, double at, double u)
{
    const double *cost = l->cost + (size_t)i * (size_t)l->n;
    for (int k = 0; k < m; ++k) {
        const int j = l->left[k];
        const double d = at + (cost[j] - l->v[j] - u);
        if (d < l->far[j]) {
            l->far[j] = d;
            l->from[j] = i;
        }
    }
}

/* Match row i along the shortest path to a free column: the rows on the path
 * exchange their columns. */
static int
augment(lap *l, int i)
{
    int m = l->n, j;
    for (int k = 0; k < m; ++k) {
        l->left[k] = k;
        l->far[k] = INFINITY;
    }
    relax(l, m, i, 0, 0);
    for (;;) {
        j = m > 0 ? nearest(l, m) : -1;
        if (j < 0)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "row %d of %d cannot be matched", i, l->n);
        --m;
        const int r = l->row[j];
        if (r < 0)
            break;
        const double u = l->cost[(size_t)r * (size_t)l->n + (size_t)j];
        relax(l, m, r, l->far[j], u - l->v[j]);
    }
    for (int k = m + 1; k < l->n; ++k)
        l->v[l->left[k]] += l->far[l->left[k]] - l->far[j];
    for (int r = -1; r != i;) {
        r = l->from[j];
        const int next = l->col[r];
        l->row[j] = r;
        l->col[r] = j;
        j = next;
    }
    return HESCA_SUCCESS;
}

static int
alloc(lap *l)
{
    const size_t n = (size_t)l->n;
    l->row = malloc(4 * n * sizeof *l->row);
    l->far = malloc(n * sizeof *l->far);
    if (l->row == NULL || l->far == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "matching of %d rows", l->n);
    l->free = l->row + n;
    l->from = l->free + n;
    l->left = l->from + n;
    return HESCA_SUCCESS;
}

int
hesca_lap_solve(int n, const double *cost, double *v, int *col)
{
    enum { ROUNDS = 2 };
    int err = HESCA_SUCCESS, nfree = n;
    lap l = {.n = n, .cost = cost, .v = v, .col = col};
    HESCA_TRY(err, alloc(&l));
    for (int i = 0; i < n; ++i) {
        l.col[i] = l.row[i] = -1;
        l.free[i] = i;
    }
    for (int k = 0; k < ROUNDS; ++k)
        nfree = reduce(&l, nfree);
    for (int k = 0; k < nfree; ++k)
        HESCA_TRY(err, augment(&l, l.free[k]));
fail:
    free(l.row);
    free(l.far);
    return err;
}
