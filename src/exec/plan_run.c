/* SPDX-License-Identifier: BSD-3-Clause */
/* Execution of a plan: its memory, its phases, its trace. */
#include "base/log.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/choose_schedule.h"
#include "exec/run_store_forward.h"
#include "exec/staging.h"
#include "exec/transport.h"
#include "exec/window.h"
#include "sched/pairs.h"

/* --- checks before execution ---
 * Local.  After all processes have agreed on success, an execution fails
 * only if MPI does. */

/* Only a process that owns elements of the submatrix needs an array and a
 * valid leading dimension. */
static int
check_array(const hesca_end *e, const void *x, int64_t ld, const char *routine,
            char name, int info, int ld_info)
{
    if (e->count == 0)
        return HESCA_SUCCESS;
    if (x == NULL)
        return hesca_fail(HESCA_ERR_ARG, info,
                          "%s: %c is NULL on a process that owns %lld "
                          "elements of the submatrix",
                          routine, name, (long long)e->count);
    if (ld < e->locr)
        return hesca_fail(HESCA_ERR_ARG, ld_info,
                          "%s: the leading dimension of %c is %lld: must be "
                          "at least the %lld local rows",
                          routine, name, (long long)ld, (long long)e->locr);
    return HESCA_SUCCESS;
}

/* The bytes from the first element of the submatrix to its last. */
typedef struct {
    uintptr_t begin, end;
} extent;

static extent
extent_of(const hesca_end *e, const void *local, int64_t ld, size_t esize)
{
    const int64_t first = e->sub.row + e->sub.col * ld;
    const int64_t n = e->sub.rows + (e->sub.cols - 1) * ld;
    const uintptr_t begin = (uintptr_t)local + (size_t)first * esize;
    return (extent){begin, begin + (size_t)n * esize};
}

/* Whether this process may write an element that it reads. It does not if the
 * arrays are disjoint in memory, or the submatrices are disjoint rectangles of
 * one array; if no element moves there is no copy. */
static int
may_overlap(const hesca_plan *plan, const hesca_arrays *x)
{
    const hesca_end *a = &plan->a, *b = &plan->b;
    if (a->count == 0 || b->count == 0 ||
        (x->a == x->b && x->lda == x->ldb && plan->in_place))
        return 0;
    const extent from = extent_of(a, x->a, x->lda, plan->problem.esize);
    const extent to = extent_of(b, x->b, x->ldb, plan->problem.esize);
    if (from.end <= to.begin || to.end <= from.begin)
        return 0;
    return x->a != x->b || x->lda != x->ldb ||
           (a->sub.row < b->sub.row + b->sub.rows &&
            b->sub.row < a->sub.row + a->sub.rows &&
            a->sub.col < b->sub.col + b->sub.cols &&
            b->sub.col < a->sub.col + a->sub.cols);
}

/* The array that phase k writes. */
static hesca_staging_use
between(int k)
{
    return k % 2 == 0 ? HESCA_STAGING_EVEN : HESCA_STAGING_ODD;
}

/* The memory of an execution: the staging buffer and the arrays between
 * phases. */
static int
get_memory(const hesca_plan *plan)
{
    int err = HESCA_SUCCESS;
    if ((plan->mpi || plan->forward != NULL) &&
        hesca_staging_get(plan->comm, HESCA_STAGING_MESSAGES,
                          plan->staging.bytes) == NULL)
        return HESCA_ERR_NOMEM;
    for (int k = 0; k < hesca_multiphase_arrays(plan->nphases); ++k)
        if (hesca_staging_get(plan->comm, between(k), plan->between_bytes) ==
            NULL)
            return HESCA_ERR_NOMEM;
    for (int k = 0; k < plan->nphases; ++k)
        HESCA_TRY(err, get_memory(plan->phase[k]));
fail:
    return err;
}

int
hesca_plan_check(const hesca_plan *plan, const hesca_arrays *x)
{
    int err;
    HESCA_TRY(err, check_array(&plan->a, x->a, x->lda, x->routine, 'a',
                               x->info[0], x->info[1]));
    HESCA_TRY(err, check_array(&plan->b, x->b, x->ldb, x->routine, 'b',
                               x->info[2], x->info[3]));
    if (may_overlap(plan, x))
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, x->info[2],
                                  "%s: the submatrices overlap in memory",
                                  x->routine));
    HESCA_TRY(err, get_memory(plan));
fail:
    return err;
}

/* --- execution ---
 * All processes run the same phases in the same order, and
 * hesca_plan_attach() is called by all or none. */

/* HESCA_VERBOSE=2: the partners of this process, step by step. */
static void
log_steps(const hesca_plan *plan)
{
    for (int i = 0; i < plan->schedule.nsteps; ++i) {
        const hesca_step *step = &plan->schedule.step[i];
        hesca_log("rank %d, %s step %d of %d: %lld elements to %d, %lld "
                  "from %d",
                  plan->comm->rank, plan->schedule.name, i + 1,
                  plan->schedule.nsteps, (long long)step->dest.count,
                  step->dest.rank, (long long)step->src.count, step->src.rank);
    }
}

int
hesca_plan_attach(hesca_plan *plan)
{
    hesca_comm *c = plan->comm;
    int err = HESCA_SUCCESS;
    if (!c->settled && !plan->local &&
        c->params.transport != HESCA_TRANSPORT_MPI &&
        plan->schedule.order != HESCA_ORDER_COLLECTIVE)
        HESCA_TRY(err, hesca_window_attach(c));
    if (plan->window != c->window)
        hesca_plan_route(plan);
fail:
    return err;
}

int
hesca_plan_is_direct(const hesca_plan *plan)
{
    return plan->nphases == 0 && plan->forward == NULL &&
           plan->schedule.order != HESCA_ORDER_COLLECTIVE &&
           plan->schedule.order != HESCA_ORDER_STORE_FORWARD;
}

static int run_whole(hesca_plan *plan, const hesca_arrays *x);

/* From A to B through the two arrays between phases, used alternately. */
static int
run_phases(hesca_plan *plan, const hesca_arrays *x)
{
    hesca_arrays y = *x;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < plan->nphases; ++k) {
        hesca_plan *phase = plan->phase[k];
        y.a = k == 0 ? x->a : y.b;
        y.lda = k == 0 ? x->lda : phase->a.locr;
        y.b = k + 1 == plan->nphases
                  ? x->b
                  : hesca_staging_get(plan->comm, between(k),
                                      plan->between_bytes);
        y.ldb = k + 1 == plan->nphases ? x->ldb : phase->b.locr;
        HESCA_TRY(err, run_whole(phase, &y));
    }
fail:
    return err;
}

static int
run(hesca_plan *plan, const hesca_arrays *x)
{
    switch (plan->schedule.order) {
    case HESCA_ORDER_COLLECTIVE:
        return hesca_alltoall(plan, x);
    case HESCA_ORDER_STORE_FORWARD:
        return hesca_store_forward_run(plan, x);
    default:
        return hesca_exchange_run(plan, x);
    }
}

/* Predicted times of the messages, for orders that are described by pairs of
 * processes; none for others. */
static int
predict(const hesca_plan *plan, hesca_trace *trace)
{
    const hesca_link_costs links =
        hesca_comm_link_costs(plan->comm, !plan->shm);
    const hesca_schedule *s = &plan->schedule;
    hesca_events x = {0};
    hesca_timetable t = {0};
    int err = HESCA_SUCCESS;
    if (s->store_forward != NULL || s->order == HESCA_ORDER_COLLECTIVE)
        return err;
    if (s->order == HESCA_ORDER_QUEUED) {
        HESCA_TRY(err,
                  hesca_pairs_order(s->name, &plan->problem, &links, &x, &t));
    } else {
        HESCA_TRY(err, hesca_pairs_events(&plan->problem, &links, &x));
        HESCA_TRY(err, hesca_pairs_direct(&plan->problem, &x, 0, &t));
    }
    HESCA_TRY(err, hesca_trace_add_timetable(trace, HESCA_TRACE_PREDICTED,
                                             s->name, &x, &t));
fail:
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
    return err;
}

/* Execute with HESCA_TRACE. */
static int
run_recorded(hesca_plan *plan, const hesca_arrays *x)
{
    hesca_trace trace = {.n = 0};
    int err = HESCA_SUCCESS;
    if (plan->comm->rank == 0)
        err = predict(plan, &trace);
    if (err < 0)
        hesca_fail(err, 0, "HESCA_TRACE: what is planned has no memory");
    HESCA_TRY(err, hesca_record_begin(plan->comm, err, &plan->record));
    HESCA_TRY(err, run(plan, x));
    err = hesca_record_end(plan->record, plan->schedule.name, &trace);
    plan->record = NULL;
fail:
    hesca_record_drop(plan->record);
    plan->record = NULL;
    hesca_trace_clear(&trace);
    return err;
}

static int
run_whole(hesca_plan *plan, const hesca_arrays *x)
{
    int err;
    if (plan->nphases > 0)
        return run_phases(plan, x);
    HESCA_TRY(err, hesca_plan_attach(plan));
    if (plan->comm->params.verbose >= 2)
        log_steps(plan);
    if (plan->comm->params.trace[0] != '\0' && !plan->local)
        return run_recorded(plan, x);
    return run(plan, x);
fail:
    return err;
}

/* --- calls ---
 * Staging buffers are released at the end of every call. */

int
hesca_plan_run(hesca_plan *plan, const hesca_arrays *x)
{
    const int err = run_whole(plan, x);
    hesca_staging_release(plan->comm);
    return err;
}

int
hesca_plan_execute(hesca_plan *plan, const void *a, int64_t lda, void *b,
                   int64_t ldb)
{
    const hesca_arrays x = {a,           lda, b, ldb, "hesca_plan_execute",
                            {2, 3, 4, 5}};
    int err;
    if (plan == NULL)
        return hesca_fail_null(x.routine, 1, "plan");
    hesca_caller_enter(x.routine);
    err = hesca_plan_check(plan, &x);
    HESCA_TRY(err, hesca_agree(plan->comm, err, 0, NULL));
    HESCA_TRY(err, hesca_plan_run(plan, &x));
    return err;
fail:
    hesca_staging_release(plan->comm);
    return err;
}
