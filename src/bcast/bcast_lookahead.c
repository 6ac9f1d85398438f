/* SPDX-License-Identifier: BSD-3-Clause */
/* ECEF with look-ahead: BHAT-COL 4.3, Eq. 8.
 *
 * For every process without the message, the earliest arrival and its sender
 * are stored.  They change for processes whose sender has just sent, and where
 * an arrival from the new member of A is earlier.  This takes O(N^3) time in
 * the worst case, with a small factor, and about O(N^2) if senders share the
 * work.  Relays take O(|I| |B|) more in every step.
 *
 * If all edges from j to B are missing, L_j of Eq. 9 is infinite and j comes
 * last; of equal sums the one with the earlier arrival is chosen. */
#include "base/status.h"
#include "bcast/nearest.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* --- sums of costs ---
 * row, col and all contain exactly the edges between the present sets; they
 * are maintained for the averaging variants only. */

/* Sum and number of the costs of edges that exist. */
typedef struct {
    double sum;
    double n;
} tally;

static void
count(tally *t, double cost, double sign)
{
    if (!isinf(cost)) {
        t->sum += sign * cost;
        t->n += sign;
    }
}

static double
average(double sum, double n)
{
    return n > 0 ? sum / n : INFINITY;
}

typedef struct {
    hesca_growth g;
    hesca_ahead ahead;
    double weight;
    double *arrival; /* [nproc] earliest, of processes without the message */
    int *via;        /* [nproc] sender of this; -1: no edge from A */
    hesca_nearest nearest;
    tally *row; /* [nproc] edges from j to the other members of B */
    tally *col; /* [nproc] edges from A to j */
    tally all;  /* edges from A to B */
} plan;

/* --- choice ---
 * arrival[j] and via[j] are those of the best sender in A for every j outside
 * of A (with relays; otherwise for every j in B). */

/* The best event so far. */
typedef struct {
    double value, arrival;
    int src, relay, dest; /* relay: -1 if there is none */
} choice;

static int
is_better(const choice *x, const choice *y)
{
    if (x->value != y->value)
        return x->value < y->value;
    if (x->arrival != y->arrival)
        return x->arrival < y->arrival;
    return x->src != y->src ? x->src < y->src : x->dest < y->dest;
}

static int
is_averaging(const plan *p)
{
    return p->ahead == HESCA_AHEAD_AVERAGE || p->ahead == HESCA_AHEAD_SENDERS;
}

static double
look_ahead(plan *p, int j)
{
    int k;
    if (p->g.nb == 1)
        return 0;
    switch (p->ahead) {
    case HESCA_AHEAD_LEAST:
        k = hesca_nearest_get(&p->nearest, j);
        return k < 0 ? INFINITY : hesca_broadcast_cost(p->g.problem, j, k);
    case HESCA_AHEAD_AVERAGE:
        return average(p->row[j].sum, p->row[j].n);
    case HESCA_AHEAD_SENDERS:
        return average(p->all.sum - p->col[j].sum + p->row[j].sum,
                       p->all.n - p->col[j].n + p->row[j].n);
    default:
        return 0;
    }
}

/* Find the earliest arrival at j from a member of A. */
static void
find_sender(plan *p, int j)
{
    p->arrival[j] = INFINITY;
    p->via[j] = -1;
    for (int k = 0; k < p->g.na; ++k) {
        const int i = p->g.a[k];
        const double t =
            p->g.ready[i] + hesca_broadcast_cost(p->g.problem, i, j);
        if (t < p->arrival[j]) {
            p->arrival[j] = t;
            p->via[j] = i;
        }
    }
}

/* The earliest path to j: from its sender, or over a relay. */
static choice
earliest_path(plan *p, int j)
{
    choice c = {
        .arrival = p->arrival[j], .src = p->via[j], .relay = -1, .dest = j};
    for (int k = 0; p->g.problem->relays && k < p->g.ni; ++k) {
        const int r = p->g.is[k];
        const double t =
            p->arrival[r] + hesca_broadcast_cost(p->g.problem, r, j);
        if (t < c.arrival) {
            c.arrival = t;
            c.src = p->via[r];
            c.relay = r;
        }
    }
    return c;
}

static int
choose(plan *p, choice *best)
{
    best->src = -1;
    for (int k = 0; k < p->g.nb; ++k) {
        const int j = p->g.bs[k];
        choice c = earliest_path(p, j);
        if (c.src < 0)
            continue;
        c.value = c.arrival + p->weight * look_ahead(p, j);
        if (best->src < 0 || is_better(&c, best))
            *best = c;
    }
    return best->src >= 0;
}

/* --- growth ---
 * send() restores the invariants above. */

/* Update the arrivals at all processes of a list after src has sent to dest.
 */
static void
update(plan *p, const int *list, int n, int src, int dest)
{
    const double *cost =
        p->g.problem->cost + (size_t)dest * (size_t)p->g.problem->nproc;
    for (int k = 0; k < n; ++k) {
        const int j = list[k];
        if (p->via[j] == src) {
            find_sender(p, j);
            continue;
        }
        const double t = p->g.ready[dest] + cost[j];
        if (t < p->arrival[j] ||
            (t == p->arrival[j] && !isinf(t) && dest < p->via[j])) {
            p->arrival[j] = t;
            p->via[j] = dest;
        }
    }
}

/* Update the sums after j has moved from B, or from I, to A. */
static void
move_tallies(plan *p, int j, int wanted)
{
    const hesca_broadcast_problem *x = p->g.problem;
    if (wanted) {
        p->all.sum -= p->col[j].sum;
        p->all.n -= p->col[j].n;
    }
    for (int k = 0; k < p->g.nb; ++k) {
        const int b = p->g.bs[k];
        if (wanted)
            count(&p->row[b], hesca_broadcast_cost(x, b, j), -1);
        count(&p->col[b], hesca_broadcast_cost(x, j, b), 1);
        count(&p->all, hesca_broadcast_cost(x, j, b), 1);
    }
}

static void
send(plan *p, int src, int dest)
{
    const int wanted = p->g.wants[dest];
    hesca_growth_send(&p->g, src, dest);
    update(p, p->g.bs, p->g.nb, src, dest);
    if (p->g.problem->relays)
        update(p, p->g.is, p->g.ni, src, dest);
    if (is_averaging(p))
        move_tallies(p, dest, wanted);
}

static void
begin(plan *p)
{
    const hesca_broadcast_problem *x = p->g.problem;
    for (int j = 0; j < x->nproc; ++j)
        find_sender(p, j);
    if (!is_averaging(p))
        return;
    for (int k = 0; k < p->g.nb; ++k) {
        const int j = p->g.bs[k];
        for (int l = 0; l < p->g.nb; ++l)
            if (l != k)
                count(&p->row[j], hesca_broadcast_cost(x, j, p->g.bs[l]), 1);
        count(&p->col[j], hesca_broadcast_cost(x, x->root, j), 1);
        count(&p->all, hesca_broadcast_cost(x, x->root, j), 1);
    }
}

static int
grow(plan *p)
{
    begin(p);
    while (p->g.nb > 0) {
        choice c;
        if (!choose(p, &c))
            return hesca_growth_stuck(&p->g);
        if (c.relay >= 0) {
            send(p, c.src, c.relay);
            c.src = c.relay;
        }
        send(p, c.src, c.dest);
    }
    return HESCA_SUCCESS;
}

int
hesca_lookahead(const hesca_broadcast_problem *problem, hesca_ahead ahead,
                double weight, hesca_broadcast *b)
{
    const size_t n = (size_t)problem->nproc;
    plan p = {.ahead = ahead, .weight = weight};
    int err = hesca_growth_init(&p.g, problem, b);
    if (err < 0)
        return err;
    p.arrival = malloc(n * sizeof *p.arrival);
    p.via = malloc(n * sizeof *p.via);
    p.row = calloc(2 * n, sizeof *p.row);
    if (p.arrival == NULL || p.via == NULL || p.row == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "edges of %d processes",
                                  problem->nproc));
    p.col = p.row + n;
    if (ahead == HESCA_AHEAD_LEAST)
        HESCA_TRY(err, hesca_nearest_init(&p.nearest, &p.g));
    HESCA_TRY(err, grow(&p));
fail:
    hesca_nearest_clear(&p.nearest);
    hesca_growth_clear(&p.g);
    free(p.arrival);
    free(p.via);
    free(p.row);
    return err;
}

static int
make(const hesca_broadcast_algorithm *algorithm,
     const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    return hesca_lookahead(problem, (hesca_ahead)algorithm->variant, 1, b);
}

const hesca_broadcast_algorithm hesca_broadcast_by_lookahead = {
    .name = "lookahead",
    .help = "ECEF with look-ahead by the cheapest edge",
    .most = INT_MAX,
    .relays = 1,
    .variant = HESCA_AHEAD_LEAST,
    .make = make,
};

const hesca_broadcast_algorithm hesca_broadcast_by_lookahead_avg = {
    .name = "lookahead-avg",
    .help = "ECEF with look-ahead by the average edge",
    .most = INT_MAX,
    .relays = 1,
    .variant = HESCA_AHEAD_AVERAGE,
    .make = make,
};

const hesca_broadcast_algorithm hesca_broadcast_by_lookahead_senders = {
    .name = "lookahead-senders",
    .help = "ECEF with look-ahead by the average from all senders",
    .most = INT_MAX,
    .relays = 1,
    .variant = HESCA_AHEAD_SENDERS,
    .make = make,
};
