/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/plan.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/choose_schedule.h"
#include "exec/run_store_forward.h"
#include "exec/transfer.h"
#include "exec/transport.h"
#include "exec/window.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- lanes ---
 * There is one lane per owner in each cut of the other layout, in this
 * order: row_lane() and col_lane() compute positions from it. */

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

/* The other side of one dimension: its cuts, and where the range begins. */
typedef struct {
    const hesca_axis *cut;
    int ncuts;
    int64_t origin;
} other_side;

/* One lane per owner of each of the other side's cuts. */
static int
fill_lanes(hesca_lane **lanes, int *nlanes, hesca_share me, other_side other,
           int64_t n, int i_am_a)
{
    const int nowners = other.cut->nowners, most = other.ncuts * nowners;
    int err = HESCA_SUCCESS;
    *lanes = calloc((size_t)most, sizeof **lanes);
    if (*lanes == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d partners", most);
    *nlanes = most;
    for (int k = 0; k < most; ++k) {
        const hesca_share y = {&other.cut[k / nowners], k % nowners,
                               other.origin};
        HESCA_TRY(err,
                  hesca_overlap_init(&(*lanes)[k].overlap, i_am_a ? me : y,
                                     i_am_a ? y : me, n));
    }
fail:
    return err;
}

/* The rows (columns) in common with process (prow,pcol) of the other
 * layout. */
static hesca_lane *
row_lane(const hesca_end *e, const hesca_layout *other, int prow, int pcol)
{
    return &e->rows[hesca_layout_row_cut(other, pcol) * other->nprow + prow];
}

static hesca_lane *
col_lane(const hesca_end *e, const hesca_layout *other, int prow, int pcol)
{
    return &e->cols[hesca_layout_col_cut(other, prow) * other->npcol + pcol];
}

static int
compile(hesca_end *e, hesca_motion motion)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < e->nrow_lanes; ++k)
        HESCA_TRY(err, hesca_runs_init(&e->rows[k].runs, &e->rows[k].overlap,
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

/* The role of this process in one of the grids. */
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
    const hesca_share rows = {hesca_layout_row_axis(x, e->pcol), e->prow, xi};
    const hesca_share cols = {hesca_layout_col_axis(x, e->prow), e->pcol, xj};
    HESCA_TRY(err,
              fill_lanes(&e->rows, &e->nrow_lanes, rows,
                         (other_side){y->rows, y->nrow_cuts, yi}, p->m, is_a));
    HESCA_TRY(err,
              fill_lanes(&e->cols, &e->ncol_lanes, cols,
                         (other_side){y->cols, y->ncol_cuts, yj}, p->n, is_a));
    HESCA_TRY(err, compile(e, is_a ? HESCA_PACK : HESCA_UNPACK));
    e->sub.row = hesca_axis_count(rows.axis, e->prow, xi);
    e->sub.col = hesca_axis_count(cols.axis, e->pcol, xj);
    /* In every cut the other processes together have all of it. */
    e->sub.rows = sum(e->rows, y->nprow);
    e->sub.cols = sum(e->cols, y->npcol);
    e->count = e->sub.rows * e->sub.cols;
fail:
    return err;
}

/* The rows of the local share, if this process is in both grids. */
static int
fill_own(hesca_plan *plan)
{
    if (!plan->a.member || !plan->b.member)
        return HESCA_SUCCESS;
    return hesca_runs_init(
        &plan->own.runs,
        &row_lane(&plan->a, plan->problem.b, plan->b.prow, plan->b.pcol)
             ->overlap,
        HESCA_COPY);
}

/* --- staging buffers ---
 * cap, slot and nrounds depend on global terms and agreed parameters only,
 * so both ends cut every message equally. */

/* Chunks of this many bytes stay in cache while they are packed, sent and
 * unpacked. Shorter chunks need more synchronisations of sender and receiver:
 * with 4 processes on 2 cores 64 KiB cost a third more than 1 MiB. */
static const size_t CHUNK = 1024 * 1024;

/* One chunk in flight, one ready, one being packed. */
enum { SLOTS_STEPWISE = 3 };

/* Store-and-forward schedules hold a slot for every packet that leaves or
 * arrives. */
static void
fill_forward_staging(hesca_staging *s, const hesca_plan *plan, int64_t longest)
{
    const hesca_store_forward *forward = plan->schedule.store_forward;
    const size_t esize = plan->problem.esize;
    const size_t slots = (size_t)hesca_store_forward_slots(forward);
    const size_t slot = hesca_store_forward_slot(forward, plan->budget);
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
    const hesca_order order = plan->schedule.order;
    const int collective = order == HESCA_ORDER_COLLECTIVE;
    size_t chunk = half / SLOTS_STEPWISE;
    if (collective) /* MPI counts all slots in int */
        chunk = (half < INT_MAX ? half : INT_MAX) / nprocs;
    else if (plan->chunk > 0)
        chunk = plan->chunk < chunk ? plan->chunk : chunk;
    else if (order == HESCA_ORDER_QUEUED && plan->comm->slow)
        chunk = HESCA_SHORT_PIECE;
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
    if (order == HESCA_ORDER_FREE || order == HESCA_ORDER_QUEUED)
        s->nslots = (int)hesca_clamp((int64_t)(half / s->slot), SLOTS_STEPWISE,
                                     HESCA_SLOTS_MOST);
    if (collective)
        s->nslots = plan->comm->size;
    s->bytes = 2 * (size_t)s->nslots * s->slot;
    return HESCA_SUCCESS;
}

/* Number of chunks of a message of rows x cols elements. */
static int64_t
chunks_of(int64_t rows, int64_t cols, int64_t cap)
{
    const hesca_overlap r = {.total = rows}, c = {.total = cols};
    const hesca_message message = {.rows = &r, .cols = &c};
    return hesca_chunk_count(&message, cap);
}

/* The maximum number of chunks of a message between process rows r and s. */
static int64_t
most_chunks(const hesca_problem *p, int r, int s, int64_t cap)
{
    int64_t most = 1;
    for (int c = 0; c < p->a->npcol; ++c)
        for (int d = 0; d < p->b->npcol; ++d)
            most = hesca_max(
                most,
                chunks_of(hesca_problem_common_rows(p, r, c, s, d),
                          hesca_problem_common_cols(p, r, c, s, d), cap));
    return most;
}

static int64_t
largest(const int64_t *count, int n)
{
    int64_t most = 1;
    for (int k = 0; k < n; ++k)
        most = hesca_max(most, count[k]);
    return most;
}

static int64_t
count_rounds(const hesca_problem *p, int64_t cap)
{
    int64_t most = 1;
    if (hesca_problem_is_product(
            p)) /* the longest message has the most rows and columns */
        return chunks_of(largest(p->row_count, p->a->nprow * p->b->nprow),
                         largest(p->col_count, p->a->npcol * p->b->npcol),
                         cap);
    for (int r = 0; r < p->a->nprow; ++r)
        for (int s = 0; s < p->b->nprow; ++s)
            most = hesca_max(most, most_chunks(p, r, s, cap));
    return most;
}

static int
fill_staging(hesca_staging *s, const hesca_plan *plan)
{
    const double elements = hesca_problem_longest(&plan->problem);
    /* A slot is never larger than the longest message. */
    const int64_t longest = elements < 1        ? 1
                            : elements < 0x1p53 ? (int64_t)elements
                                                : INT64_MAX;
    int err = HESCA_SUCCESS;
    if (plan->schedule.order == HESCA_ORDER_STORE_FORWARD)
        fill_forward_staging(s, plan, longest);
    else
        HESCA_TRY(err, fill_message_staging(s, plan, longest));
    s->nrounds = count_rounds(&plan->problem, s->cap);
fail:
    return err;
}

/* --- transports ---
 * The transport of a message depends on the window, which both ends share;
 * hesca_plan_route() runs again when it changes. */

/* Whether the data that this node receives exceeds its last-level cache, so
 * that it would not stay there in any case. A typical size is assumed, because
 * sysconf() in a virtual machine may report that of the whole host. */
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

void
hesca_plan_route(hesca_plan *p)
{
    const hesca_schedule *s = &p->schedule;
    p->window = p->comm->window;
    p->mpi = s->order == HESCA_ORDER_COLLECTIVE;
    if (s->order == HESCA_ORDER_MULTIPHASE)
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

/* --- making and freeing ---
 * On error the plan, its problem and its schedule are freed here; the
 * caller's ones are empty. */

static int make_scheduled(hesca_comm *comm, hesca_problem *problem,
                          hesca_schedule *schedule, size_t budget,
                          hesca_plan **plan);

/* A plan for every phase, and arrays between them. */
static int
fill_phases(hesca_plan *p)
{
    hesca_schedule *s = &p->schedule;
    int err = HESCA_SUCCESS;
    p->phase = calloc((size_t)s->nphases, sizeof(hesca_plan *));
    if (p->phase == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d phases", s->nphases);
    p->between_bytes = hesca_multiphase_bytes(s);
    for (int k = 0; k < s->nphases; ++k) {
        hesca_phase *phase = &s->phase[k];
        p->nphases = k + 1;
        HESCA_TRY(err,
                  make_scheduled(p->comm, &phase->problem, &phase->schedule,
                                 p->budget / 2, &p->phase[k]));
    }
fail:
    return err;
}

/* Make the plan of a problem and its schedule; both are moved into the plan,
 * also if that fails. */
static int
make_scheduled(hesca_comm *comm, hesca_problem *problem,
               hesca_schedule *schedule, size_t budget, hesca_plan **plan)
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
    if (p->schedule.store_forward != NULL)
        p->schedule.store_forward->problem = &p->problem;
    if (p->schedule.order == HESCA_ORDER_MULTIPHASE)
        HESCA_TRY(err, fill_phases(p));
    else
        HESCA_TRY(err, fill_staging(&p->staging, p));
    HESCA_TRY(err, fill_end(&p->a, &p->problem, comm->rank, 1));
    HESCA_TRY(err, fill_end(&p->b, &p->problem, comm->rank, 0));
    HESCA_TRY(err, fill_own(p));
    if (p->schedule.store_forward != NULL)
        HESCA_TRY(err, hesca_store_forward_compile(p));
    HESCA_TRY(err, fill_tally(p));
    hesca_plan_route(p);
    p->in_place = is_in_place(&p->problem);
    p->local = hesca_problem_is_local(&p->problem);
    p->stream = is_large(p);
    *plan = p;
    return HESCA_SUCCESS;
fail:
    hesca_plan_free(p);
    return err;
}

static int
make(hesca_comm *comm, hesca_problem *problem, int direct, hesca_plan **plan)
{
    hesca_schedule schedule = {.nsteps = 0};
    double seconds;
    int err;
    *plan = NULL;
    HESCA_TRY(err, hesca_choose_schedule(comm, problem, direct, &schedule,
                                         &seconds));
    HESCA_TRY(err, make_scheduled(comm, problem, &schedule,
                                  hesca_staging_budget(comm), plan));
    (*plan)->predicted = seconds;
fail:
    hesca_schedule_clear(&schedule);
    hesca_problem_clear(problem);
    return err;
}

static int
make_between(hesca_part part, int64_t m, int64_t n, const hesca_matrix *a,
             const hesca_matrix *b, size_t esize, hesca_comm *comm, int direct,
             hesca_plan **plan)
{
    hesca_problem problem = {0};
    int err;
    HESCA_TRY(err, hesca_problem_init(&problem, part, m, n, a->layout, a->i,
                                      a->j, b->layout, b->i, b->j, esize));
    return make(comm, &problem, direct, plan);
fail:
    *plan = NULL;
    return err;
}

int
hesca_plan_make(hesca_comm *comm, hesca_problem *problem, hesca_plan **plan)
{
    return make(comm, problem, 0, plan);
}

int
hesca_plan_make_between(hesca_part part, int64_t m, int64_t n,
                        const hesca_matrix *a, const hesca_matrix *b,
                        size_t esize, hesca_comm *comm, hesca_plan **plan)
{
    return make_between(part, m, n, a, b, esize, comm, 0, plan);
}

int
hesca_plan_make_direct(hesca_part part, int64_t m, int64_t n,
                       const hesca_matrix *a, const hesca_matrix *b,
                       size_t esize, hesca_comm *comm, hesca_plan **plan)
{
    return make_between(part, m, n, a, b, esize, comm, 1, plan);
}

int
hesca_plan_set_chunk(hesca_plan *plan, size_t bytes)
{
    plan->chunk = bytes;
    return fill_staging(&plan->staging, plan);
}

void
hesca_plan_free(hesca_plan *plan)
{
    if (plan == NULL)
        return;
    for (int k = 0; k < plan->nphases; ++k)
        hesca_plan_free(plan->phase[k]);
    free(plan->phase);
    clear_end(&plan->a);
    clear_end(&plan->b);
    hesca_runs_clear(&plan->own.runs);
    free(plan->forward);
    free(plan->hops);
    free(plan->held);
    free(plan->tally);
    hesca_schedule_clear(&plan->schedule);
    hesca_problem_clear(&plan->problem);
    free(plan);
}

/* --- queries ---
 * Read-only.  A message refers to lanes of the plan and lives no longer. */

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
    for (int k = 0; k < p->nphases; ++k)
        more += hesca_plan_memory(p->phase[k]);
    if (p->forward != NULL)
        more += hesca_store_forward_memory(p);
    return more + sizeof *p + hesca_problem_memory(&p->problem) +
           end_memory(&p->a) + end_memory(&p->b) + lanes_memory(&p->own, 1) +
           nsteps * (sizeof *p->schedule.step + sizeof *p->tally);
}

hesca_message
hesca_plan_sends(const hesca_plan *plan, const hesca_peer *dest)
{
    const hesca_layout *b = plan->problem.b;
    const hesca_lane *rows = row_lane(&plan->a, b, dest->prow, dest->pcol);
    const hesca_lane *cols = col_lane(&plan->a, b, dest->prow, dest->pcol);
    return (hesca_message){&plan->problem, &rows->overlap, &cols->overlap,
                           &rows->runs,    HESCA_PACK,     0};
}

hesca_message
hesca_plan_recvs(const hesca_plan *plan, const hesca_peer *src)
{
    const hesca_layout *a = plan->problem.a;
    const hesca_lane *rows = row_lane(&plan->b, a, src->prow, src->pcol);
    const hesca_lane *cols = col_lane(&plan->b, a, src->prow, src->pcol);
    return (hesca_message){&plan->problem, &rows->overlap, &cols->overlap,
                           &rows->runs,    HESCA_UNPACK,   plan->stream};
}

hesca_message
hesca_plan_own(const hesca_plan *plan)
{
    const hesca_layout *b = plan->problem.b;
    const int s = plan->b.prow, d = plan->b.pcol;
    return (hesca_message){&plan->problem,
                           &row_lane(&plan->a, b, s, d)->overlap,
                           &col_lane(&plan->a, b, s, d)->overlap,
                           &plan->own.runs,
                           HESCA_COPY,
                           plan->stream};
}

static hesca_shape
shape(const hesca_layout *x)
{
    return (hesca_shape){x->nprow, x->npcol, x->mb, x->nb};
}

/* The transports of this process's messages. */
static void
find_transports(const hesca_plan *plan, int *shm, int *mpi)
{
    for (int k = 0; k < plan->nphases; ++k)
        find_transports(plan->phase[k], shm, mpi);
    for (int i = 0; plan->shm && i < plan->schedule.nsteps; ++i) {
        const hesca_step *step = &plan->schedule.step[i];
        *shm |= hesca_plan_by_shm(plan, &step->dest) ||
                hesca_plan_by_shm(plan, &step->src);
    }
    *mpi |= plan->mpi;
}

static const char *
transport_name(const hesca_plan *plan)
{
    int shm = 0, mpi = 0;
    find_transports(plan, &shm, &mpi);
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
        return hesca_fail_null("hesca_plan_get_info", plan == NULL ? 1 : 2,
                               plan == NULL ? "plan" : "info");
    HESCA_TRY(err, hesca_problem_moved(&plan->problem, &moved));
    memset(info, 0, sizeof *info);
    info->a = shape(plan->problem.a);
    info->b = shape(plan->problem.b);
    strcpy(info->schedule, plan->problem.m == 0 || plan->problem.n == 0
                               ? "none"
                               : plan->schedule.name);
    strcpy(info->transport, transport_name(plan));
    info->nsteps = plan->schedule.nsteps;
    info->predicted_seconds = plan->predicted;
    info->bytes_total = hesca_problem_bytes(&plan->problem);
    info->bytes_moved = moved;
    info->cached = plan->entry.serial > 0;
fail:
    return err;
}
