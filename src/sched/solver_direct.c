/* Every message goes straight to its destination, in as many steps as the most
 * partners that a process has, each contention-free.
 *
 * direct: a step begins when the one before has ended.  direct-async: receives
 * are posted ahead, messages leave as staging memory allows, and long ones
 * take turns chunk by chunk, in the same order.
 * Source: LIM section 3.4, Theorem 3 (i), Corollary 2 (i); section 5 for the
 * asynchronous variant. */
#include "sched/pairs.h"
#include <limits.h>
#include <math.h>

/* Finding the steps of all takes the third power of the processes. */
enum { WALKED = 256 };

/* These schedules leave long messages to MPI, whose rendezvous over slow links
 * does not keep both directions busy: on four hosts of 100 to 800 Mbit/s they
 * took 1.4 to 2 times what the model says.  Short messages that need not wait
 * for each other overlap their start-ups. */
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

/* Over links that differ a slow message holds up its two processes, and these
 * their partners of the next step. */
static double
walk(const hesca_problem *p, const hesca_link_costs *links, int is_free)
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
    if (links->network != NULL && p->nprocs <= WALKED)
        return walk(p, links, is_free);
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
