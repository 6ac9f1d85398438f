/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast algorithms that use properties of nodes, not of links: those of
 * MPI libraries, and fastest node first of BHAT-COL 2 and 4.3.
 *
 * --- numbers only ---
 * Trees are determined by process numbers; a missing link is an error. */
#include "base/status.h"
#include "bcast/growth.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static int
make_sequential(const hesca_broadcast_algorithm *algorithm,
                const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    hesca_growth g;
    int err = hesca_growth_init(&g, problem, b);
    (void)algorithm;
    while (err == HESCA_SUCCESS && g.nb > 0) {
        if (isinf(hesca_broadcast_cost(problem, problem->root, g.bs[0])))
            err = hesca_growth_stuck(&g);
        else
            hesca_growth_send(&g, problem->root, g.bs[0]);
    }
    hesca_growth_clear(&g);
    return err;
}

/* Destinations are numbered from root on, cyclically.  k receives from k
 * without its lowest 1 bit, and sends by descending bits, as in MPICH. */
static int
send_binomial(hesca_growth *g, const int *rank, int n, int k, int bit)
{
    int err = HESCA_SUCCESS;
    for (; bit > 0 && err == HESCA_SUCCESS; bit /= 2) {
        if (bit >= n - k)
            continue;
        if (isinf(hesca_broadcast_cost(g->problem, rank[k], rank[k + bit])))
            return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                              "binomial: there is no link from %d to %d",
                              rank[k], rank[k + bit]);
        hesca_growth_send(g, rank[k], rank[k + bit]);
        err = send_binomial(g, rank, n, k + bit, bit / 2);
    }
    return err;
}

static int
make_binomial(const hesca_broadcast_algorithm *algorithm,
              const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    hesca_growth g;
    int *rank = malloc((size_t)problem->nproc * sizeof *rank);
    int n = 1, bit = 1, err = hesca_growth_init(&g, problem, b);
    (void)algorithm;
    if (err < 0)
        goto fail;
    if (rank == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes",
                                  problem->nproc));
    rank[0] = problem->root;
    for (int k = 1; k < problem->nproc; ++k) {
        const int i = (int)(((long long)problem->root + k) % problem->nproc);
        if (g.wants[i])
            rank[n++] = i;
    }
    while (bit < (n + 1) / 2)
        bit *= 2;
    HESCA_TRY(err, send_binomial(&g, rank, n, 0, bit));
fail:
    hesca_growth_clear(&g);
    free(rank);
    return err;
}

const hesca_broadcast_algorithm hesca_broadcast_by_sequential = {
    .name = "sequential",
    .help = "root sends to all, one after the other",
    .most = INT_MAX,
    .make = make_sequential,
};

const hesca_broadcast_algorithm hesca_broadcast_by_binomial = {
    .name = "binomial",
    .help = "a binomial tree by process numbers",
    .most = INT_MAX,
    .make = make_binomial,
};

/* --- fastest node first ---
 * order has all destinations by ascending cost; those that have the message
 * already are skipped. */

void
hesca_fnf_costs(const hesca_broadcast_problem *x, int least, double *t)
{
    for (int i = 0; i < x->nproc; ++i) {
        double sum = 0, min = INFINITY;
        int n = 1; /* the diagonal is counted, as in the paper */
        for (int j = 0; j < x->nproc; ++j) {
            const double c = hesca_broadcast_cost(x, i, j);
            if (j == i || isinf(c))
                continue;
            sum += c;
            ++n;
            min = c < min ? c : min;
        }
        t[i] = least ? min : n > 1 ? sum / n : INFINITY;
    }
}

/* The sender to j with the least R_i + T_i, Eq. 6; -1 if no member of A has a
 * link to j. */
static int
fnf_sender(const hesca_growth *g, const double *t, int j)
{
    int best = -1;
    for (int k = 0; k < g->na; ++k) {
        const int i = g->a[k];
        if (!isinf(hesca_broadcast_cost(g->problem, i, j)) &&
            (best < 0 || g->ready[i] + t[i] < g->ready[best] + t[best]))
            best = i;
    }
    return best;
}

/* Try members of B by ascending T_j until one has a sender, which is the first
 * if all links exist. */
static int
fnf_step(hesca_growth *g, const double *t, const int *order, int n)
{
    for (int k = 0; k < n; ++k) {
        const int j = order[k];
        const int i = g->wants[j] ? fnf_sender(g, t, j) : -1;
        if (i >= 0) {
            hesca_growth_send(g, i, j);
            return 1;
        }
    }
    return 0;
}

/* A stable sort, so that equal nodes stay ordered by number. */
static void
sort_nodes(int *order, int n, const double *t)
{
    for (int k = 1; k < n; ++k) {
        const int j = order[k];
        int l = k;
        for (; l > 0 && t[order[l - 1]] > t[j]; --l)
            order[l] = order[l - 1];
        order[l] = j;
    }
}

static int
make_fnf(const hesca_broadcast_algorithm *algorithm,
         const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    const size_t n = (size_t)problem->nproc;
    double *t = malloc(n * sizeof *t);
    int *order = malloc(n * sizeof *order);
    hesca_growth g;
    int err = hesca_growth_init(&g, problem, b), ndest = 0;
    if (err < 0)
        goto fail;
    if (t == NULL || order == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "costs of %d processes",
                                  problem->nproc));
    hesca_fnf_costs(problem, algorithm->variant, t);
    for (; ndest < g.nb; ++ndest)
        order[ndest] = g.bs[ndest];
    sort_nodes(order, ndest, t);
    while (g.nb > 0)
        if (!fnf_step(&g, t, order, ndest))
            HESCA_TRY(err, hesca_growth_stuck(&g));
fail:
    hesca_growth_clear(&g);
    free(t);
    free(order);
    return err;
}

const hesca_broadcast_algorithm hesca_broadcast_by_fnf = {
    .name = "fnf",
    .help = "modified fastest node first, average send cost",
    .most = INT_MAX,
    .variant = 0,
    .make = make_fnf,
};

const hesca_broadcast_algorithm hesca_broadcast_by_fnf_min = {
    .name = "fnf-min",
    .help = "modified fastest node first, minimum send cost",
    .most = INT_MAX,
    .variant = 1,
    .make = make_fnf,
};
