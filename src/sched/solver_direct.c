/* SPDX-License-Identifier: BSD-3-Clause */
/* Every message is sent directly to its destination, in contention-free steps,
 * as many as the largest number of partners of a process.
 *
 * direct: a step begins when the previous one has ended.  direct-async:
 * receives are posted in advance, messages are sent as staging memory allows,
 * and long ones alternate chunk by chunk, in the same order.
 * Source: LIM section 3.4, Theorem 3 (i), Corollary 2 (i); section 5 for the
 * asynchronous variant. */
#include "sched/pairs.h"
#include <limits.h>
#include <math.h>

/* Largest number of processes whose steps are simulated; the time of finding
 * all steps is the third power of this number. */
enum { SIMULATED = 256 };

/* In these schedules long messages are sent by MPI, whose rendezvous protocol
 * does not keep both directions of slow links busy: on four hosts of 100 to
 * 800 Mbit/s they took 1.4 to 2 times the predicted time.  The start-ups of
 * short messages that do not wait for each other overlap. */
static const double RENDEZVOUS = 1.5;
enum { EAGER = 16 * 1024 };

static double
seconds_of(const hesca_events *x, int64_t e, const hesca_link_costs *links,
           int is_free)
{
    const hesca_wire w =
        hesca_network_wire(links->network, x->src[e], x->dest[e]);
    if (x->bytes[e] > EAGER)
        return hesca_wire_is_slow(w) ? RENDEZVOUS * x->seconds[e]
                                     : x->seconds[e];
    if (!is_free)
        return x->seconds[e];
    const double gap = fmin(w.startup, links->costs.message);
    return x->seconds[e] - w.startup + gap;
}

/* Predict the time over different links by simulation: a slow message delays
 * its two processes, and these delay their partners of the next step. */
static double
simulate(const hesca_problem *p, const hesca_link_costs *links, int is_free)
{
    hesca_events x = {0};
    hesca_timetable t = {0};
    double seconds = -1;
    if (hesca_pairs_events(p, links, &x) == HESCA_SUCCESS) {
        for (int64_t e = 0; e < x.n; ++e)
            x.seconds[e] = seconds_of(&x, e, links, is_free);
        if (hesca_pairs_direct(p, &x, 0, &t) == HESCA_SUCCESS)
            seconds = t.finish;
    }
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
    return seconds;
}

static double
predict(const hesca_solver *self, const hesca_problem *p,
        const hesca_workload *work, int degree, const hesca_link_costs *links)
{
    const int is_free = self->variant == HESCA_ORDER_FREE;
    const double each = is_free ? links->costs.message : links->costs.startup;
    (void)degree;
    if (links->network != NULL && p->nprocs <= SIMULATED)
        return simulate(p, links, is_free);
    return links->costs.startup + (work->partners - 1) * each +
           work->leaving * links->costs.byte;
}

static int
fill(const hesca_solver *self, const hesca_problem *p, int degree,
     const hesca_link_costs *links, int iproc, hesca_schedule *schedule)
{
    (void)degree, (void)links;
    schedule->order = (hesca_order)self->variant;
    return hesca_steps_fill(p, iproc, schedule);
}

const hesca_solver hesca_solver_direct = {
    .name = "direct",
    .choosable = INT_MAX,
    .variant = HESCA_ORDER_STEPWISE,
    .degree = hesca_serves_all,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_async = {
    .name = "direct-async",
    .choosable = INT_MAX,
    .variant = HESCA_ORDER_FREE,
    .degree = hesca_serves_all,
    .predict = predict,
    .fill = fill,
};
