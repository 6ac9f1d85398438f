#include "exec/plan.h"
#include "base/arith.h"
#include "base/log.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/pick.h"
#include "exec/relay.h"
#include "exec/stage.h"
#include "exec/transport.h"
#include "exec/window.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void
clear_lanes(hesca_lane *lane, int n)
{
    for (int k = 0; lane != NULL && k < n; ++k) {
        hesca_overlap_clear(&lane[k].overlap);
        hesca_runs_clear(&lane[k].runs);
    }
    free(lane);
}

static void
clear_end(hesca_end *e)
{
    clear_lanes(e->rows, e->nrow_lanes);
    clear_lanes(e->cols, e->ncol_lanes);
}

/* One lane per owner of the other axis that has something in common. */
static int
fill_lanes(hesca_lane **lanes, int *nlanes, const hesca_axis *mine, int me,
           int64_t my_origin, const hesca_axis *other, int64_t other_origin,
           int64_t n, int i_am_a)
{
    int err = HESCA_SUCCESS;
    *lanes = calloc((size_t)other->nowners, sizeof **lanes);
    if (*lanes == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d partners", other->nowners);
    *nlanes = other->nowners;
    for (int k = 0; k < other->nowners; ++k) {
        const hesca_share x = {mine, me, my_origin};
        const hesca_share y = {other, k, other_origin};
        HESCA_TRY(err, hesca_overlap_make(&(*lanes)[k].overlap, i_am_a ? x : y,
                                          i_am_a ? y : x, n));
    }
fail:
    return err;
}

static int
compile(hesca_end *e, hesca_motion motion)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < e->nrow_lanes; ++k)
        HESCA_TRY(err, hesca_runs_make(&e->rows[k].runs, &e->rows[k].overlap,
                                       motion));
fail:
    return err;
}

static int64_t
sum(const hesca_lane *lane, int n)
{
    int64_t total = 0;
    for (int k = 0; k < n; ++k)
        total += lane[k].overlap.total;
    return total;
}

/* What this process is in one of the grids. */
static int
fill_end(hesca_end *e, const hesca_problem *p, int rank, int is_a)
{
    const hesca_layout *x = is_a ? p->a : p->b, *y = is_a ? p->b : p->a;
    const int64_t xi = is_a ? p->ia : p->ib, yi = is_a ? p->ib : p->ia;
    const int64_t xj = is_a ? p->ja : p->jb, yj = is_a ? p->jb : p->ja;
    int err;
    e->member = hesca_layout_coords(x, rank, &e->prow, &e->pcol);
    if (!e->member)
        return HESCA_SUCCESS;
    HESCA_TRY(err, hesca_layout_local_size(x, rank, &e->locr, &e->locc));
    HESCA_TRY(err, fill_lanes(&e->rows, &e->nrow_lanes, &x->rows, e->prow, xi,
                              &y->rows, yi, p->m, is_a));
    HESCA_TRY(err, fill_lanes(&e->cols, &e->ncol_lanes, &x->cols, e->pcol, xj,
                              &y->cols, yj, p->n, is_a));
    HESCA_TRY(err, compile(e, is_a ? HESCA_PACK : HESCA_UNPACK));
    e->count = sum(e->rows, e->nrow_lanes) * sum(e->cols, e->ncol_lanes);
fail:
    return err;
}

/* The rows that this process keeps, if it is in both grids. */
static int
fill_own(hesca_plan *plan)
{
    if (!plan->a.member || !plan->b.member)
        return HESCA_SUCCESS;
    return hesca_runs_make(&plan->own.runs,
                           &plan->a.rows[plan->b.prow].overlap, HESCA_COPY);
}

/* Chunks of this many bytes stay in cache while they are packed, sent and
 * unpacked.  Shorter ones pay for more hand-overs between sender and receiver:
 * with 4 processes on 2 cores 64 KiB cost a third more than 1 MiB. */
static const size_t CHUNK = 1024 * 1024;

/* One chunk on its way, one ready, one being packed. */
enum { SLOTS_STEPWISE = 3 };

static int64_t
largest(const int64_t *count, int n)
{
    int64_t most = 1;
    for (int k = 0; k < n; ++k)
        most = hesca_max(most, count[k]);
    return most;
}

/* Relays hold a slot for every packet that leaves or arrives. */
static void
fill_relay_staging(hesca_staging *s, const hesca_plan *plan, int64_t longest)
{
    const hesca_relay *relay = plan->schedule.relay;
    const size_t esize = plan->problem.esize;
    const size_t slots = (size_t)hesca_relay_slots(relay);
    const size_t slot = hesca_relay_slot(relay, plan->budget);
    s->cap = hesca_min((int64_t)(slot / esize), longest);
    s->slot = (size_t)s->cap * esize;
    s->bytes = slots * s->slot;
}

static int
fill_message_staging(hesca_staging *s, const hesca_plan *plan, int64_t longest)
{
    const size_t esize = plan->problem.esize;
    const size_t nprocs = (size_t)plan->comm->size;
    const size_t half = plan->budget / 2;
    const int collective = plan->schedule.order == HESCA_ORDER_COLLECTIVE;
    size_t chunk = half / SLOTS_STEPWISE;
    if (collective) /* MPI counts all slots in int */
        chunk = (half < INT_MAX ? half : INT_MAX) / nprocs;
    else if (chunk > CHUNK)
        chunk = CHUNK;
    s->cap = chunk < esize ? 1 : (int64_t)(chunk / esize);
    s->cap = hesca_min(s->cap, longest);
    s->slot = (size_t)s->cap * esize;
    if (s->slot > INT_MAX / (collective ? nprocs : 1))
        return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                          "a chunk of %zu bytes is too large for a message",
                          s->slot);
    s->nslots = SLOTS_STEPWISE;
    if (plan->schedule.order == HESCA_ORDER_FREE)
        s->nslots = (int)hesca_clamp((int64_t)(half / s->slot), SLOTS_STEPWISE,
                                     HESCA_SLOTS_MOST);
    if (collective)
        s->nslots = plan->comm->size;
    s->bytes = 2 * (size_t)s->nslots * s->slot;
    return HESCA_SUCCESS;
}

static int
fill_staging(hesca_staging *s, const hesca_plan *plan)
{
    const hesca_problem *p = &plan->problem;
    /* The longest message has the most rows and the most columns. */
    const int64_t rows = largest(p->row_count, p->a->nprow * p->b->nprow);
    const int64_t cols = largest(p->col_count, p->a->npcol * p->b->npcol);
    const hesca_overlap r = {.total = rows}, c = {.total = cols};
    const hesca_message message = {.rows = &r, .cols = &c};
    int64_t longest; /* message, in elements: no slot need be larger */
    int err = HESCA_SUCCESS;
    if (__builtin_mul_overflow(rows, cols, &longest))
        longest = INT64_MAX;
    if (plan->schedule.order == HESCA_ORDER_RELAY)
        fill_relay_staging(s, plan, longest);
    else
        HESCA_TRY(err, fill_message_staging(s, plan, longest));
    s->nrounds = hesca_chunk_count(&message, s->cap);
fail:
    return err;
}

/* Whether what this node receives does not fit into its last cache, so that it
 * would not be found there afterwards anyway.  The size is a usual one: what
 * sysconf() tells inside a virtual machine may be that of the whole host. */
static int
is_large(const hesca_plan *p)
{
    const double cache = 32 << 20;
    const double bytes = (double)p->b.count * (double)p->problem.esize;
    return bytes * p->comm->node.n > cache;
}

int
hesca_plan_by_shm(const hesca_plan *plan, const hesca_peer *peer)
{
    return plan->shm && peer->rank >= 0 && plan->comm->slot[peer->rank] >= 0;
}

int
hesca_plan_by_mpi(const hesca_plan *plan, const hesca_peer *peer)
{
    return peer->rank >= 0 && peer->rank != plan->comm->rank &&
           !hesca_plan_by_shm(plan, peer);
}

/* Which ways the messages go, as long as the communicator has this window, or
 * none. */
static void
route(hesca_plan *p)
{
    const hesca_schedule *s = &p->schedule;
    p->window = p->comm->window;
    p->mpi = s->order == HESCA_ORDER_COLLECTIVE;
    if (s->order == HESCA_ORDER_LEGS)
        return;
    p->shm = !p->mpi && p->window != NULL &&
             hesca_shm_fits(p->window, p->problem.esize);
    for (int i = 0; i < s->nsteps; ++i)
        p->mpi |= hesca_plan_by_mpi(p, &s->step[i].dest) ||
                  hesca_plan_by_mpi(p, &s->step[i].src);
}

static int
fill_tally(hesca_plan *p)
{
    const int nsteps = p->schedule.nsteps;
    p->tally = calloc((size_t)nsteps + 1, sizeof *p->tally);
    if (p->tally == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d steps", nsteps);
    return HESCA_SUCCESS;
}

static int
is_in_place(const hesca_problem *p)
{
    return p->ia == p->ib && p->ja == p->jb && hesca_layout_equal(p->a, p->b);
}

static int equip(hesca_comm *comm, hesca_problem *problem,
                 hesca_schedule *schedule, size_t budget, hesca_plan **plan);

/* A plan for every leg, and arrays between them. */
static int
fill_legs(hesca_plan *p)
{
    hesca_schedule *s = &p->schedule;
    int err = HESCA_SUCCESS;
    p->leg = calloc((size_t)s->nlegs, sizeof(hesca_plan *));
    if (p->leg == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d legs", s->nlegs);
    p->between_bytes = hesca_legs_bytes(s);
    for (int k = 0; k < s->nlegs; ++k) {
        hesca_leg *leg = &s->leg[k];
        p->nlegs = k + 1;
        HESCA_TRY(err, equip(p->comm, &leg->problem, &leg->schedule,
                             p->budget / 2, &p->leg[k]));
    }
fail:
    return err;
}

/* The plan of a problem and its schedule, which become its own, also if that
 * fails. */
static int
equip(hesca_comm *comm, hesca_problem *problem, hesca_schedule *schedule,
      size_t budget, hesca_plan **plan)
{
    int err;
    hesca_plan *p = calloc(1, sizeof *p);
    *plan = NULL;
    if (p == NULL) {
        hesca_schedule_clear(schedule);
        hesca_problem_clear(problem);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "plan of %zu bytes", sizeof *p);
    }
    p->comm = comm;
    p->budget = budget;
    p->problem = *problem;
    p->schedule = *schedule;
    memset(problem, 0, sizeof *problem);
    memset(schedule, 0, sizeof *schedule);
    if (p->schedule.relay != NULL)
        p->schedule.relay->problem = &p->problem;
    if (p->schedule.order == HESCA_ORDER_LEGS)
        HESCA_TRY(err, fill_legs(p));
    else
        HESCA_TRY(err, fill_staging(&p->staging, p));
    HESCA_TRY(err, fill_end(&p->a, &p->problem, comm->rank, 1));
    HESCA_TRY(err, fill_end(&p->b, &p->problem, comm->rank, 0));
    HESCA_TRY(err, fill_own(p));
    if (p->schedule.relay != NULL)
        HESCA_TRY(err, hesca_relay_compile(p));
    HESCA_TRY(err, fill_tally(p));
    route(p);
    p->in_place = is_in_place(&p->problem);
    p->local = hesca_problem_is_local(&p->problem);
    p->stream = is_large(p);
    *plan = p;
    return HESCA_SUCCESS;
fail:
    hesca_plan_free(p);
    return err;
}

int
hesca_plan_make(hesca_comm *comm, hesca_problem *problem, hesca_plan **plan)
{
    hesca_schedule schedule = {.nsteps = 0};
    double seconds;
    int err;
    *plan = NULL;
    HESCA_TRY(err, hesca_pick(comm, problem, &schedule, &seconds));
    HESCA_TRY(err, equip(comm, problem, &schedule, hesca_staging_budget(comm),
                         plan));
    (*plan)->predicted = seconds;
fail:
    hesca_schedule_clear(&schedule);
    hesca_problem_clear(problem);
    return err;
}

void
hesca_plan_free(hesca_plan *plan)
{
    if (plan == NULL)
        return;
    for (int k = 0; k < plan->nlegs; ++k)
        hesca_plan_free(plan->leg[k]);
    free(plan->leg);
    clear_end(&plan->a);
    clear_end(&plan->b);
    hesca_runs_clear(&plan->own.runs);
    free(plan->relayed);
    free(plan->hops);
    free(plan->held);
    free(plan->tally);
    hesca_schedule_clear(&plan->schedule);
    hesca_problem_clear(&plan->problem);
    free(plan);
}

static size_t
lanes_memory(const hesca_lane *lane, int n)
{
    size_t sum = (size_t)n * sizeof *lane;
    for (int k = 0; k < n; ++k) {
        const int64_t intervals = lane[k].overlap.n;
        const int64_t runs = lane[k].runs.run == NULL
                                 ? 0
                                 : lane[k].runs.n + lane[k].runs.ntail + 1;
        sum += (size_t)intervals * sizeof *lane->overlap.iv +
               (size_t)runs * sizeof *lane->runs.run;
    }
    return sum;
}

static size_t
end_memory(const hesca_end *e)
{
    return lanes_memory(e->rows, e->nrow_lanes) +
           lanes_memory(e->cols, e->ncol_lanes);
}

size_t
hesca_plan_memory(const hesca_plan *p)
{
    const size_t nsteps = (size_t)p->schedule.nsteps + 1;
    size_t more = 0;
    for (int k = 0; k < p->nlegs; ++k)
        more += hesca_plan_memory(p->leg[k]);
    if (p->relayed != NULL)
        more += hesca_relay_memory(p);
    return more + sizeof *p + hesca_problem_memory(&p->problem) +
           end_memory(&p->a) + end_memory(&p->b) + lanes_memory(&p->own, 1) +
           nsteps * (sizeof *p->schedule.step + sizeof *p->tally);
}

/* Only who owns something of the submatrix needs an array, and a leading
 * dimension that fits. */
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

/* The array behind leg k. */
static hesca_stage
between(int k)
{
    return k % 2 == 0 ? HESCA_STAGE_EVEN : HESCA_STAGE_ODD;
}

/* The memory of an execution: where messages are staged, and arrays between
 * legs. */
static int
get_memory(const hesca_plan *plan)
{
    int err = HESCA_SUCCESS;
    if ((plan->mpi || plan->relayed != NULL) &&
        hesca_stage_get(HESCA_STAGE_MESSAGES, plan->staging.bytes) == NULL)
        return HESCA_ERR_NOMEM;
    for (int k = 0; k < hesca_legs_arrays(plan->nlegs); ++k)
        if (hesca_stage_get(between(k), plan->between_bytes) == NULL)
            return HESCA_ERR_NOMEM;
    for (int k = 0; k < plan->nlegs; ++k)
        HESCA_TRY(err, get_memory(plan->leg[k]));
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
    HESCA_TRY(err, get_memory(plan));
fail:
    return err;
}

hesca_message
hesca_plan_sends(const hesca_plan *plan, const hesca_peer *dest)
{
    return (hesca_message){&plan->problem,
                           &plan->a.rows[dest->prow].overlap,
                           &plan->a.cols[dest->pcol].overlap,
                           &plan->a.rows[dest->prow].runs,
                           HESCA_PACK,
                           0};
}

hesca_message
hesca_plan_recvs(const hesca_plan *plan, const hesca_peer *src)
{
    return (hesca_message){&plan->problem,
                           &plan->b.rows[src->prow].overlap,
                           &plan->b.cols[src->pcol].overlap,
                           &plan->b.rows[src->prow].runs,
                           HESCA_UNPACK,
                           plan->stream};
}

hesca_message
hesca_plan_keeps(const hesca_plan *plan)
{
    return (hesca_message){&plan->problem,
                           &plan->a.rows[plan->b.prow].overlap,
                           &plan->a.cols[plan->b.pcol].overlap,
                           &plan->own.runs,
                           HESCA_COPY,
                           plan->stream};
}

/* HESCA_VERBOSE=2: whom this process meets, step by step. */
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

static int
attach(hesca_plan *plan)
{
    hesca_comm *c = plan->comm;
    int err = HESCA_SUCCESS;
    if (!c->settled && !plan->local &&
        c->params.transport != HESCA_TRANSPORT_MPI &&
        plan->schedule.order != HESCA_ORDER_COLLECTIVE)
        HESCA_TRY(err, hesca_window_attach(c));
    if (plan->window != c->window)
        route(plan);
fail:
    return err;
}

/* From A to B through the arrays between legs, which take turns. */
static int
run_legs(hesca_plan *plan, const hesca_arrays *x)
{
    hesca_arrays y = *x;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < plan->nlegs; ++k) {
        hesca_plan *leg = plan->leg[k];
        y.a = k == 0 ? x->a : y.b;
        y.lda = k == 0 ? x->lda : leg->a.locr;
        y.b = k + 1 == plan->nlegs
                  ? x->b
                  : hesca_stage_get(between(k), plan->between_bytes);
        y.ldb = k + 1 == plan->nlegs ? x->ldb : leg->b.locr;
        HESCA_TRY(err, hesca_plan_run(leg, &y));
    }
fail:
    return err;
}

int
hesca_plan_run(hesca_plan *plan, const hesca_arrays *x)
{
    int err;
    if (plan->nlegs > 0)
        return run_legs(plan, x);
    HESCA_TRY(err, attach(plan));
    if (plan->comm->params.verbose >= 2)
        log_steps(plan);
    switch (plan->schedule.order) {
    case HESCA_ORDER_COLLECTIVE:
        return hesca_alltoall(plan, x);
    case HESCA_ORDER_RELAY:
        return hesca_relay_run(plan, x);
    default:
        return hesca_exchange(plan, x);
    }
fail:
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
        return hesca_fail(HESCA_ERR_ARG, 1,
                          "hesca_plan_execute: argument 1, plan, is NULL");
    hesca_caller_enter(x.routine);
    err = hesca_plan_check(plan, &x);
    HESCA_TRY(err, hesca_agree(plan->comm, err, 0, NULL));
    HESCA_TRY(err, hesca_plan_run(plan, &x));
fail:
    return err;
}

static hesca_shape
shape(const hesca_layout *x)
{
    return (hesca_shape){x->nprow, x->npcol, x->mb, x->nb};
}

/* How this process's messages travel. */
static void
find_ways(const hesca_plan *plan, int *shm, int *mpi)
{
    for (int k = 0; k < plan->nlegs; ++k)
        find_ways(plan->leg[k], shm, mpi);
    for (int i = 0; plan->shm && i < plan->schedule.nsteps; ++i) {
        const hesca_step *step = &plan->schedule.step[i];
        *shm |= hesca_plan_by_shm(plan, &step->dest) ||
                hesca_plan_by_shm(plan, &step->src);
    }
    *mpi |= plan->mpi;
}

static const char *
way(const hesca_plan *plan)
{
    int shm = 0, mpi = 0;
    find_ways(plan, &shm, &mpi);
    if (mpi)
        return shm ? "shm+mpi" : "mpi";
    return shm ? "shm" : "self";
}

int
hesca_plan_get_info(const hesca_plan *plan, hesca_plan_info *info)
{
    int err;
    int64_t moved;
    if (plan == NULL || info == NULL)
        return hesca_fail(HESCA_ERR_ARG, plan == NULL ? 1 : 2,
                          "hesca_plan_get_info: an argument is NULL");
    HESCA_TRY(err, hesca_problem_moved(&plan->problem, &moved));
    memset(info, 0, sizeof *info);
    info->a = shape(plan->problem.a);
    info->b = shape(plan->problem.b);
    strcpy(info->schedule, plan->problem.m == 0 || plan->problem.n == 0
                               ? "none"
                               : plan->schedule.name);
    strcpy(info->transport, way(plan));
    info->nsteps = plan->schedule.nsteps;
    info->predicted_seconds = plan->predicted;
    info->bytes_total = hesca_problem_bytes(&plan->problem);
    info->bytes_moved = moved;
    info->cached = plan->kept.serial > 0;
fail:
    return err;
}
