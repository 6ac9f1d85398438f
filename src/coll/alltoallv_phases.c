/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/alltoallv_phases.h"
#include "base/status.h"
#include "exec/agree.h"
#include "order/checkpoint.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Events per process; with fewer left an order gains little. */
enum { PER_PROCESS = 2 };

/* Clocks of hosts differ by a little; no message takes less. */
static const double LEAST = 1e-6;

static const hesca_events *
events_of(const hesca_phases *p)
{
    return &p->comm->alltoallv->events;
}

/* --- state ---
 * phase, begin and end are the same on all processes after every
 * checkpoint. */

int
hesca_phases_init(hesca_phases *p, hesca_comm *c)
{
    *p = (hesca_phases){.comm = c,
                        .estimates = &c->alltoallv->events,
                        .plan = &c->alltoallv->plan};
    const int64_t n = p->left = events_of(p)->n;
    /* MPI counts what is shared in int. */
    p->on = c->params.checkpoint >= 0 && n > 0 && n <= INT_MAX / 2;
    if (!p->on)
        return HESCA_SUCCESS;
    p->phase = calloc((size_t)n, sizeof *p->phase);
    p->begin = malloc(4 * (size_t)n * sizeof *p->begin);
    if (p->phase == NULL || p->begin == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "checkpoints of %lld messages",
                          (long long)n);
    p->end = p->begin + n;
    p->shared = p->end + n;
    for (int64_t e = 0; e < n; ++e)
        p->begin[e] = p->end[e] = NAN;
    return HESCA_SUCCESS;
}

void
hesca_phases_clear(hesca_phases *p)
{
    hesca_events_clear(&p->new_estimates);
    hesca_timetable_clear(&p->new_plan);
    free(p->phase);
    free(p->begin);
}

void
hesca_phases_start(hesca_phases *p)
{
    p->zero = PMPI_Wtime();
}

/* --- phases ---
 * The cut of a phase depends on the plan only, so all processes cut
 * equally. */

static int
compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The latest start in the next phase, which has half of the events left. */
static double
find_cut(const hesca_phases *p)
{
    const int64_t n = events_of(p)->n;
    int64_t m = 0;
    if (!p->on || p->left <= (int64_t)PER_PROCESS * p->comm->size)
        return INFINITY;
    for (int64_t e = 0; e < n; ++e)
        if (p->phase[e] == 0)
            p->shared[m++] = p->plan->start[e];
    qsort(p->shared, (size_t)m, sizeof *p->shared, compare);
    return p->shared[(m + 1) / 2 - 1];
}

/* Number of the events of an order that begin until then. */
static int
count_until(const hesca_timetable *plan, const int64_t *order, int64_t n,
            double cut)
{
    int k = 0;
    while (k < n && plan->start[order[k]] <= cut)
        ++k;
    return k;
}

int
hesca_phases_next(hesca_phases *p)
{
    const hesca_events *x = events_of(p);
    const int64_t *recv_first = p->plan->recv_first;
    const int me = p->comm->rank;
    const double cut = find_cut(p);
    if (p->left == 0)
        return 0;
    ++p->number;
    p->sent += p->nout;
    p->received += p->nin;
    p->out = p->plan->send + x->first[me] + p->sent;
    p->in = p->plan->recv + recv_first[me] + p->received;
    p->nout = count_until(p->plan, p->out,
                          x->first[me + 1] - x->first[me] - p->sent, cut);
    p->nin =
        count_until(p->plan, p->in,
                    recv_first[me + 1] - recv_first[me] - p->received, cut);
    if (isinf(cut)) {
        p->left = 0;
        return 1;
    }
    for (int64_t e = 0; e < x->n; ++e)
        if (p->phase[e] == 0 && p->plan->start[e] <= cut) {
            p->phase[e] = p->number;
            --p->left;
        }
    return 1;
}

/* --- checkpoints ---
 * All processes compute the same new plan, or agree to keep the old one. */

/* Note when this process's ends of the phase's messages began, and when those
 * that it receives ended: a message begins when both its ends are ready. */
static void
note_own(hesca_phases *p, const hesca_ordered_message *out,
         const hesca_ordered_message *in)
{
    for (int64_t e = 0; e < events_of(p)->n; ++e)
        if (p->phase[e] == p->number)
            p->begin[e] = p->end[e] = 0;
    for (int k = 0; k < p->nout; ++k)
        p->begin[p->out[k]] = out[k].begin - p->zero;
    for (int k = 0; k < p->nin; ++k) {
        p->begin[p->in[k]] = in[k].begin - p->zero;
        p->end[p->in[k]] = in[k].end - p->zero;
    }
}

static int
share(hesca_phases *p, const hesca_ordered_message *out,
      const hesca_ordered_message *in)
{
    const int64_t n = events_of(p)->n;
    int m = 0, err;
    MPI_Request request;
    note_own(p, out, in);
    for (int64_t e = 0; e < n; ++e)
        if (p->phase[e] == p->number) {
            p->shared[m++] = p->begin[e];
            p->shared[m++] = p->end[e];
        }
    HESCA_MPI(err, Iallreduce, MPI_IN_PLACE, p->shared, m, MPI_DOUBLE, MPI_MAX,
              p->comm->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(p->comm, 1, &request));
    m = 0;
    for (int64_t e = 0; e < n; ++e)
        if (p->phase[e] == p->number) {
            p->begin[e] = p->shared[m++];
            p->end[e] = fmax(p->shared[m++], p->begin[e] + LEAST);
        }
fail:
    return err;
}

/* Whether the plan was too far off in the phase that ends now. */
static int
is_off(const hesca_phases *p, double now)
{
    double most = 0;
    for (int64_t e = 0; e < events_of(p)->n; ++e)
        if (p->phase[e] == p->number)
            most = fmax(most, fabs(p->end[e] - p->plan->end[e]));
    return most > p->comm->params.checkpoint / 100.0 * (now - p->made);
}

/* Estimate again, from all messages that have ended, and order the rest by the
 * estimates. */
static int
reorder(const hesca_phases *p, const hesca_so_far *g, hesca_events *x,
        hesca_timetable *t, int *changed)
{
    int err;
    HESCA_TRY(err, hesca_reestimate(events_of(p), g, p->shared));
    HESCA_TRY(err, hesca_events_retime(x, events_of(p), p->shared));
    HESCA_TRY(err, hesca_reschedule(x, p->plan, g,
                                    hesca_alltoallv_order_heuristic(p->comm),
                                    t, changed));
fail:
    return err;
}

static void
adopt(hesca_phases *p, hesca_events *x, hesca_timetable *t, double now)
{
    if (x->n > 0) {
        hesca_events_clear(&p->new_estimates);
        p->new_estimates = *x;
        p->estimates = &p->new_estimates;
    }
    hesca_timetable_clear(&p->new_plan);
    p->new_plan = *t;
    p->plan = &p->new_plan;
    p->made = now;
}

int
hesca_phases_check(hesca_phases *p, const hesca_ordered_message *out,
                   const hesca_ordered_message *in)
{
    hesca_events x = {0};
    hesca_timetable t = {0};
    int changed = 0, err;
    int64_t worst;
    double now = 0;
    if (p->left == 0)
        return HESCA_SUCCESS;
    HESCA_TRY(err, share(p, out, in));
    for (int64_t e = 0; e < events_of(p)->n; ++e)
        now = fmax(now, p->end[e]); /* ignores NAN */
    const hesca_so_far g = {now, p->begin, p->end};
    if (is_off(p, now))
        worst = reorder(p, &g, &x, &t, &changed);
    else /* processes that have waited begin the rest now */
        worst = hesca_reschedule(p->estimates, p->plan, &g, NULL, &t, NULL);
    HESCA_TRY(err, hesca_agree_min(p->comm, 1, &worst));
    p->on = worst == HESCA_SUCCESS;
    if (p->on) {
        adopt(p, &x, &t, now);
        ++p->checkpoints;
        p->changes += changed;
        p->zero = PMPI_Wtime() - now; /* excludes the time of the checkpoint */
        return HESCA_SUCCESS;
    }
fail:
    hesca_events_clear(&x);
    hesca_timetable_clear(&t);
    return err;
}
