/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of messages, from times of redistributions.
 *
 * Schedules of all kinds carry out redistributions of several sizes.  What the
 * model predicts for one is linear in the costs, so the costs that explain the
 * measured times best are found by least squares, minimizing relative errors.
 */
#include "base/status.h"
#include "sched/sched.h"
#include "tools/probe/probe.h"
#include "tools/probe/redist_trial.h"
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------ measuring
 * A sample has the coefficients of all costs for its schedule. */

/* The coefficient of each cost in a predicted time: the prediction if that
 * cost is a second and all others are 0. */
static int
find_parts(probe_sample *s, int nprocs)
{
    static const hesca_link_costs one[] = {{.costs.startup = 1},
                                           {.costs.message = 1},
                                           {.costs.byte = 1},
                                           {.costs.copy = 1}};
    hesca_layout *a = NULL, *b = NULL;
    hesca_problem p = {0};
    int64_t n;
    int err;
    HESCA_TRY(err, trial_layouts(s->k, nprocs, s->bytes, &n, &a, &b));
    HESCA_TRY(err,
              hesca_problem_init(&p, HESCA_ALL, 1, n, a, 0, 0, b, 0, 0, 8));
    for (int c = 0; c < PROBE_UNKNOWNS; ++c) {
        hesca_choice choice;
        hesca_choose(s->schedule, &p, &one[c], &choice);
        s->part[c] = choice.seconds;
    }
    /* All processes agree before the first step, in as many steps (agree.h).
     */
    for (int step = 1; step < nprocs; step *= 2)
        s->part[PROBE_STARTUP] += 1;
fail:
    hesca_problem_clear(&p);
    hesca_layout_free(a);
    hesca_layout_free(b);
    return err;
}

static int
take_samples(probe_costs *x, const trial *t, const trial_case *c,
             const trial_time *time)
{
    int err = HESCA_SUCCESS;
    for (int i = 0; i < t->n && x->n < PROBE_SAMPLES; ++i) {
        probe_sample *s = &x->sample[x->n];
        if (!time[i].served)
            continue;
        *s = (probe_sample){
            .k = c->k, .bytes = c->bytes, .seconds = time[i].median};
        snprintf(s->schedule, sizeof s->schedule, "%s", t->name[i]);
        HESCA_TRY(err, find_parts(s, t->nprocs));
        ++x->n;
    }
fail:
    return err;
}

/* Few partners and all, short messages and long ones. */
static int
measure(probe_costs *x, const trial *t, double seconds)
{
    static const int64_t size[] = {64, 4096, 131072};
    const int64_t p = t->nprocs, k[] = {p, p > 8 ? p - 1 : p, p / 2};
    trial_case cases[9];
    trial_time time[9 * TRIAL_SCHEDULES];
    int err, n = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (k[i] > 1 && (i == 0 || k[i] != k[i - 1]))
                cases[n++] = (trial_case){k[i], size[j]};
    HESCA_TRY(err, trial_run(t, n, cases, seconds, time));
    for (int c = 0; c < n; ++c)
        HESCA_TRY(err, take_samples(x, t, &cases[c], &time[c * t->n]));
fail:
    return err;
}

/* ------------------------------------------------ fitting
 * Costs are not negative. */

/* Solve the normal equations for the unknowns in use, by elimination; those
 * that no sample determines become 0. */
static void
solve(const probe_costs *x, const int *use, double *cost)
{
    double m[PROBE_UNKNOWNS][PROBE_UNKNOWNS + 1] = {{0}};
    for (int i = 0; i < x->n; ++i) {
        const probe_sample *s = &x->sample[i];
        for (int r = 0; r < PROBE_UNKNOWNS; ++r)
            for (int c = 0; c <= PROBE_UNKNOWNS; ++c)
                m[r][c] += s->part[r] *
                           (c < PROBE_UNKNOWNS ? s->part[c] : s->seconds) /
                           (s->seconds * s->seconds);
    }
    for (int k = 0; k < PROBE_UNKNOWNS; ++k) {
        const double diagonal = m[k][k];
        for (int r = 0; r < PROBE_UNKNOWNS; ++r) {
            const double factor =
                r == k || !use[k] || !(diagonal > 0) ? 0 : m[r][k] / diagonal;
            for (int c = 0; c <= PROBE_UNKNOWNS; ++c)
                m[r][c] -= factor * m[k][c];
        }
    }
    for (int k = 0; k < PROBE_UNKNOWNS; ++k)
        cost[k] = use[k] && m[k][k] > 0 ? m[k][PROBE_UNKNOWNS] / m[k][k] : 0;
}

/* No cost is negative: omit the most negative one, and fit again. */
static void
fit(const probe_costs *x, double *cost)
{
    int use[PROBE_UNKNOWNS] = {1, 1, 1, 1};
    for (;;) {
        int worst = -1;
        solve(x, use, cost);
        for (int k = 0; k < PROBE_UNKNOWNS; ++k)
            if (use[k] && cost[k] < 0 && (worst < 0 || cost[k] < cost[worst]))
                worst = k;
        if (worst < 0)
            return;
        use[worst] = 0;
    }
}

double
probe_costs_fitted(const probe_costs *x, const probe_sample *s)
{
    double sum = 0;
    for (int k = 0; k < PROBE_UNKNOWNS; ++k)
        sum += s->part[k] * x->cost[k];
    return sum;
}

/* ------------------------------------------------ all of it
 * Costs that no sample determines keep their previous values. */

/* Whether the samples determine a cost: with one partner they do not determine
 * that of further messages. */
static int
is_determined(const probe_costs *x, int k)
{
    for (int i = 0; i < x->n; ++i)
        if (x->sample[i].part[k] > 0)
            return 1;
    return 0;
}

/* The fitted cost is for this number of processes per core; that of a machine
 * file is for one. */
void
probe_costs_enter(const probe_costs *x, hesca_machine *machine)
{
    hesca_link *l = x->one_node ? &machine->node : &machine->net;
    hesca_costs *c = x->load > 1 ? &l->crowded : &l->alone;
    double *const at[PROBE_UNKNOWNS] = {&c->startup, &c->message, &c->byte,
                                        &c->copy};
    /* Only the cost of copies may be 0; another cost of 0 was lost in noise.
     */
    for (int k = 0; k < PROBE_UNKNOWNS; ++k)
        if (is_determined(x, k) && (x->cost[k] > 0 || k == PROBE_COPY))
            *at[k] = x->cost[k] / x->load;
}

int
probe_costs_measure(const hesca_comm *c, double seconds, probe_costs *x)
{
    char names[] = "direct|direct-async|indirect|hybrid:1|bruck";
    trial t;
    int err = trial_begin(&t, names);
    *x = (probe_costs){.one_node = hesca_comm_is_node(c), .load = c->load};
    x->link = x->one_node   ? x->load > 1 ? "node-crowded" : "node"
              : x->load > 1 ? "net-crowded"
                            : "net";
    if (err == HESCA_SUCCESS)
        err = measure(x, &t, seconds);
    if (err == HESCA_SUCCESS)
        fit(x, x->cost);
    trial_end(&t);
    return err;
}
