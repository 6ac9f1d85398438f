/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangular systems with many right-hand sides. Described for the left side;
 * on the right, X op(T) = B, exchange rows and columns, and lower and upper.
 *
 * B stays in place, and a process has work in proportion to its part of it;
 * the triangle is multicast.  A block is a few rows of B that are in one
 * process of every process column.  For op(T) lower, blocks k = 0, 1, ...:
 * 1. the block's columns of op(T), from the diagonal on, go by a panel
 *    multicast to all owners of these rows of B, several blocks ahead, since T
 *    is known;
 * 2. the owners of rows of block k of B solve for x_k, which goes by a panel
 *    multicast to all owners of the columns;
 * 3. every process subtracts op(T)_ik x_k from its rows below: first from
 *    those of the next blocks, with which 2 begins as soon as they are ready,
 *    while blocks before them are still updating the rest.
 * For op(T) upper, blocks come in descending order.  Nothing is transposed in
 * transit: columns of op(T) are sent as rows of T, and BLAS transposes.
 * Volume: a process receives of each triangle the rows that it has of B, and
 * of X the columns.  Operands, results and pieces do not depend on when
 * messages arrive.
 * Source: the right-looking scheme of ScaLAPACK's PDTRSM, for any two layouts,
 * with the look-ahead of hesca_potrf(). */
#include "base/arith.h"
#include "base/status.h"
#include "dense/local.h"
#include "dense/solve.h"
#include "exec/agree.h"
#include "panel/panel_multicast.h"
#include <stdlib.h>

enum {
    WIDEST = 128,      /* block */
    AHEAD = 3,         /* blocks that are solved ahead of the current one */
    DEPTH = AHEAD + 1, /* blocks in memory */
    SLACK = 2, /* blocks that a process may be behind, of shared panels */
    SLOTS = DEPTH + SLACK,
    FEW = 8,   /* nrhs < n / FEW are few: T is larger than B */
    LEAST = 4, /* one of LEAST of A's processes must have some of B */
    TILE = 48, /* columns: width of the BLAS kernel */
    TAG_X = 2  /* of X, after those of T */
};

/* Floating-point operations (real double) between two tests of messages: a few
 * ms on current processors. */
static const double PIECE = 4e7;

/* A panel multicast, its panels of earlier sweeps, and those ready; panel t of
 * all is in panel[t % slots]. */
typedef struct {
    hesca_panel_mcast *mcast;
    int64_t over, ready;
    hesca_segment *shared; /* has the panels, or NULL */
    int slots;
    char *panel[SLOTS];
} flow;

typedef struct {
    hesca_comm *c;
    hesca_type type;
    int right;
    int64_t n, nrhs, esize;
    hesca_matrix a, b;
    hesca_local part; /* of sub(B) */
    int64_t col0, ncols;
    int64_t width;
    int64_t nblocks, *end; /* [nblocks + 1] block k: end[k] ... end[k + 1] - 1
                            */
    flow t[2], x;          /* T by columns, by rows */
    char *memory;
} job;

/* One sweep; step s is block s, or, descending, nblocks - 1 - s. */
typedef struct {
    const hesca_sweep *what;
    int ascending;
    flow *t;
    int64_t now;            /* the current step */
    int64_t known;          /* steps before known may be ahead */
    int64_t solved;         /* steps the solution of which has been sent */
    int64_t applied[DEPTH]; /* steps that have updated the rows of step s */
} sweep_state;

/* --- blocks ---
 * Blocks follow from B's layout and the agreed width. */

static int64_t
block_end(const job *x, int64_t k)
{
    const int64_t most = hesca_min(k + x->width, x->n);
    return x->right ? hesca_local_cols_end(&x->part, k, most)
                    : hesca_local_rows_end(&x->part, k, most);
}

static int
find_blocks(job *x)
{
    for (int64_t k = 0; k < x->n; k = block_end(x, k))
        ++x->nblocks;
    x->end = malloc((size_t)(x->nblocks + 1) * sizeof *x->end);
    if (x->end == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld blocks",
                          (long long)x->nblocks);
    x->end[0] = 0;
    for (int64_t k = 0; k < x->nblocks; ++k)
        x->end[k + 1] = block_end(x, x->end[k]);
    return HESCA_SUCCESS;
}

/* Rows from ... to - 1 of sub(B). */
typedef struct {
    int64_t from, to;
} span;

static span
block(const job *x, const sweep_state *p, int64_t s)
{
    const int64_t k = p->ascending ? s : x->nblocks - 1 - s;
    return (span){x->end[k], x->end[k + 1]};
}

/* Rows of step s and of those after it. */
static span
from_step(const job *x, const sweep_state *p, int64_t s)
{
    if (s >= x->nblocks)
        return (span){0, 0};
    const span k = block(x, p, s);
    return p->ascending ? (span){k.from, x->n} : (span){0, k.to};
}

/* The local ones. */
static span
here(const job *x, span rows)
{
    if (x->right)
        return (span){hesca_local_col(&x->part, rows.from),
                      hesca_local_col(&x->part, rows.to)};
    return (span){hesca_local_row(&x->part, rows.from),
                  hesca_local_row(&x->part, rows.to)};
}

static int64_t
count(span x)
{
    return x.to - x.from;
}

/* --- memory ---
 * Panels are in memory that the node shares, as far as a row or column of
 * processes needs the same, else of this process. */

/* Of T (rows = 1), to the owners of rows of B; of X, to those of columns. */
static hesca_panel_mcast_spec
to_owners(const job *x, const hesca_matrix *source, hesca_dim along, int rows)
{
    const int by_rows = rows != x->right;
    return (hesca_panel_mcast_spec){.source = source->layout,
                                    .i = source->i,
                                    .j = source->j,
                                    .along = along,
                                    .extent = rows ? x->n : x->nrhs,
                                    .k = x->n,
                                    .width = x->width,
                                    .target = x->b.layout,
                                    .by = by_rows ? HESCA_ROWS : HESCA_COLS,
                                    .origin = by_rows ? x->b.i : x->b.j,
                                    .need_from = by_rows ? x->b.j : x->b.i,
                                    .need = rows ? x->nrhs : x->n,
                                    .forwards = 1,
                                    .esize = (size_t)x->esize};
}

static hesca_panel_mcast_spec
triangle(const job *x, hesca_dim along)
{
    return to_owners(x, &x->a, along, 1);
}

static hesca_panel_mcast_spec
solution(const job *x)
{
    return to_owners(x, &x->b, x->right ? HESCA_COLS : HESCA_ROWS, 0);
}

/* Whether panels of T are rows of it. */
static int
is_by_rows(const job *x, const hesca_sweep *what)
{
    return (what->trans == 'N') == x->right;
}

/* Local rows of sub(B), if this process has columns of it. */
static int64_t
rows_here(const job *x)
{
    return x->ncols > 0 ? count(here(x, (span){0, x->n})) : 0;
}

/* The widest blocks for which HESCA_BUFFER suffices on all processes. */
static int
choose_width(job *x)
{
    const hesca_panel_mcast_spec what[] = {
        triangle(x, HESCA_COLS), triangle(x, HESCA_ROWS), solution(x)};
    int64_t room = -DEPTH * (rows_here(x) + x->ncols) * x->esize;
    int err;
    for (int k = 0; k < 3; ++k)
        room -= hesca_panel_mcast_bytes(x->c, &what[k], DEPTH);
    HESCA_TRY(err, hesca_agree(x->c, HESCA_SUCCESS, 1, &room));
    x->width = hesca_clamp((int64_t)x->c->params.buffer / hesca_max(-room, 1),
                           1, WIDEST);
fail:
    return err;
}

/* The flow of panels of T, and what they are. */
static flow *
triangles(job *x, const hesca_sweep *what, hesca_panel_mcast_spec *panels)
{
    const int rows = is_by_rows(x, what);
    *panels = triangle(x, rows ? HESCA_ROWS : HESCA_COLS);
    return &x->t[rows];
}

/* Place a flow in shared memory from `at` on; s == NULL: its size alone, which
 * is global: where one process would share with nobody, there is none. */
static int64_t
place_shared(const job *x, flow *f, const hesca_panel_mcast_spec *what,
             hesca_segment *s, int64_t at)
{
    const hesca_layout *b = what->target;
    int nteams, team;
    int64_t most;
    if ((what->by == HESCA_ROWS ? b->npcol : b->nprow) == 1 ||
        !hesca_panel_mcast_may_share(x->c, what))
        return 0;
    hesca_panel_mcast_teams(x->c, what, &nteams, &team, &most);
    const int64_t bytes = hesca_max(most, 1) * x->width * x->esize;
    for (int k = 0; k < SLOTS && s != NULL; ++k)
        f->panel[k] = s->memory + at + (team * SLOTS + k) * bytes;
    f->shared = s;
    f->slots = SLOTS;
    return nteams * SLOTS * bytes;
}

/* The bytes of all flows; s != NULL: place them. */
static int64_t
place_all(job *x, const hesca_systems *what, hesca_segment *s)
{
    hesca_panel_mcast_spec panels = solution(x);
    int64_t bytes = place_shared(x, &x->x, &panels, s, 0);
    int placed[2] = {0, 0};
    for (int k = 0; k < what->nsweeps; ++k) {
        flow *f = triangles(x, &what->sweep[k], &panels);
        if (!placed[f - x->t]++)
            bytes += place_shared(x, f, &panels, s, bytes);
    }
    return bytes;
}

static int
share(job *x, const hesca_systems *what)
{
    const int64_t bytes = place_all(x, what, NULL);
    hesca_segment *s;
    int err = HESCA_SUCCESS;
    if (bytes > 0)
        HESCA_TRY(err, hesca_segment_get(x->c, bytes, &s));
    if (bytes > 0 && s != NULL)
        place_all(x, what, s);
fail:
    return err;
}

/* A panel multicast, which has a user of the segment of its own. */
static int
make_flow(job *x, flow *f, hesca_panel_mcast_spec *what, int user)
{
    what->shared = f->shared;
    what->user = user;
    if (f->shared == NULL)
        f->slots = DEPTH;
    return hesca_panel_mcast_create(x->c, what, HESCA_TAG_PANEL_MCAST + user,
                                    DEPTH, &f->mcast);
}

static int
make(job *x, const hesca_systems *what)
{
    const int64_t m = rows_here(x) * x->width * x->esize;
    const int64_t n = x->ncols * x->width * x->esize;
    hesca_panel_mcast_spec panels = solution(x);
    int err;
    HESCA_TRY(err, find_blocks(x));
    HESCA_TRY(err, make_flow(x, &x->x, &panels, TAG_X));
    for (int k = 0; k < what->nsweeps; ++k) {
        flow *f = triangles(x, &what->sweep[k], &panels);
        if (f->mcast == NULL)
            HESCA_TRY(err, make_flow(x, f, &panels, (int)(f - x->t)));
    }
    x->memory = malloc((size_t)(DEPTH * (m + n)) + 1);
    if (x->memory == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "panels of %lld bytes",
                          (long long)(m + n));
    for (int k = 0; k < DEPTH; ++k) {
        char *at = x->memory + k * (m + n);
        for (int rows = 0; rows < 2; ++rows)
            if (x->t[rows].shared == NULL)
                x->t[rows].panel[k] = at;
        if (x->x.shared == NULL)
            x->x.panel[k] = at + m;
    }
fail:
    return err;
}

static void
clear(job *x)
{
    hesca_panel_mcast_free(x->t[0].mcast);
    hesca_panel_mcast_free(x->t[1].mcast);
    hesca_panel_mcast_free(x->x.mcast);
    free(x->memory);
    free(x->end);
}

/* --- arithmetic ---
 * A step is applied to the rows of a later one exactly once, in order
 * (applied). */

/* The memory of step s. */
static char *
slot(const flow *f, int64_t s)
{
    return f->panel[(f->over + s) % f->slots];
}

/* Whether the memory of step s is not read any more. */
static int
has_room(const flow *f, int64_t s)
{
    return hesca_panel_mcast_is_released(f->mcast, f->over + s - f->slots + 1);
}

/* The part of op(T) of step s in local rows from row on, and its leading
 * dimension. */
static const char *
panel_at(const job *x, const sweep_state *p, int64_t s, int64_t row,
         int64_t *ld)
{
    const span all = here(x, from_step(x, p, s));
    const int rows = is_by_rows(x, p->what);
    *ld = rows ? count(block(x, p, s)) : hesca_max(1, count(all));
    return slot(p->t, s) + (row - all.from) * (rows ? *ld : 1) * x->esize;
}

static char *
element(const job *x, int64_t row, int64_t col)
{
    return x->right ? hesca_at(x->type, x->b.local, x->b.lld, col, row)
                    : hesca_at(x->type, x->b.local, x->b.lld, row, col);
}

/* The leading dimension of x_s. */
static int64_t
leading(const job *x, const sweep_state *p, int64_t s)
{
    return x->right ? hesca_max(1, x->ncols) : count(block(x, p, s));
}

/* B := B - op(T) x_s in local rows r, columns j ... j + n - 1. */
static void
subtract(const job *x, const sweep_state *p, int64_t s, span r, int64_t j,
         int64_t n)
{
    const int64_t width = count(block(x, p, s));
    int64_t ld;
    const char *t = panel_at(x, p, s, r.from, &ld);
    const char *solved = slot(&x->x, s);
    char *b = element(x, r.from, x->col0 + j);
    const void *minus_one = hesca_minus_one(x->type);
    const void *one = hesca_one(x->type);
    if (x->right)
        hesca_kernel_gemm(x->type, 'N', p->what->trans, n, count(r), width,
                          minus_one, solved + j * x->esize, leading(x, p, s),
                          t, ld, one, b, x->b.lld);
    else
        hesca_kernel_gemm(x->type, p->what->trans, 'N', count(r), n, width,
                          minus_one, t, ld, solved + j * width * x->esize,
                          width, one, b, x->b.lld);
}

/* Columns that are updated at once. */
static int64_t
piece_of(const job *x, int64_t rows, int64_t width)
{
    const double complexity = hesca_type_is_complex(x->type) ? 4 : 1;
    const double tile =
        2 * complexity * TILE * (double)rows * (double)width + 1;
    return TILE * hesca_max(1, (int64_t)(PIECE / tile));
}

/* --- messages ---
 * Panels of T begin in the order of steps, DEPTH ahead; solutions when they
 * are solved. */

static int
advance_flow(flow *f)
{
    return hesca_panel_mcast_advance(f->mcast, &f->ready);
}

static int
advance(job *x, sweep_state *p)
{
    int err;
    HESCA_TRY(err, advance_flow(&x->x));
    HESCA_TRY(err, advance_flow(p->t));
fail:
    return err;
}

/* Whether the panel of step s is here. */
static int
is_here(const flow *f, int64_t s)
{
    return f->ready - f->over > s;
}

static int
begin_panel(job *x, const sweep_state *p, int64_t s)
{
    const span k = block(x, p, s), all = from_step(x, p, s);
    int64_t ld;
    panel_at(x, p, s, 0, &ld);
    return hesca_panel_mcast_begin_slab(
        p->t->mcast, (hesca_slab){k.from, k.to, all.from, all.to}, x->a.local,
        x->a.lld, slot(p->t, s), ld);
}

/* --- steps ahead ---
 * now < solved is reached before step now is applied; all processes send
 * the same solutions in order. */

static int
has_rows(const job *x, const sweep_state *p, int64_t s)
{
    return x->ncols > 0 && count(here(x, block(x, p, s))) > 0;
}

/* Update the rows of step s by the next of its predecessors. */
static void
apply_next(const job *x, sweep_state *p, int64_t s)
{
    const span rows = here(x, block(x, p, s));
    const int64_t by = p->applied[s % DEPTH]++;
    if (x->ncols > 0 && count(rows) > 0)
        subtract(x, p, by, rows, 0, x->ncols);
}

/* Step 2. */
static int
solve(job *x, sweep_state *p, int64_t s)
{
    const span k = block(x, p, s), rows = here(x, k);
    int64_t ld;
    ++p->solved;
    if (has_rows(x, p, s)) {
        const char *diagonal = panel_at(x, p, s, rows.from, &ld);
        const int64_t m = x->right ? x->ncols : count(rows);
        const int64_t n = x->right ? count(rows) : x->ncols;
        hesca_kernel_trsm(x->type, x->right ? 'R' : 'L',
                          p->what->upper ? 'U' : 'L', p->what->trans,
                          p->what->unit ? 'U' : 'N', m, n, hesca_one(x->type),
                          diagonal, ld, element(x, rows.from, x->col0),
                          x->b.lld);
    }
    return hesca_panel_mcast_begin(x->x.mcast, k.from, k.to, 0, x->b.local,
                                   x->b.lld, slot(&x->x, s), leading(x, p, s));
}

/* Solve for as many blocks ahead as possible. */
static int
look_ahead(job *x, sweep_state *p)
{
    int err = HESCA_SUCCESS;
    for (int64_t s; (s = p->solved) < p->known && has_room(&x->x, s);) {
        if (has_rows(x, p, s)) {
            if (!is_here(p->t, s) || (s > 0 && !is_here(&x->x, s - 1)))
                break;
            while (p->applied[s % DEPTH] < s) {
                apply_next(x, p, s);
                HESCA_TRY(err, advance(x, p));
            }
        }
        HESCA_TRY(err, solve(x, p, s));
        HESCA_TRY(err, advance(x, p));
    }
fail:
    return err;
}

/* Begin the panel of step s, when its memory is free. */
static int
begin_next(job *x, sweep_state *p, int64_t s)
{
    hesca_backoff wait = hesca_comm_backoff(x->c);
    int err = HESCA_SUCCESS;
    while (!has_room(p->t, s)) {
        hesca_comm_pause(x->c, &wait, "its panels to be used");
        HESCA_TRY(err, advance(x, p));
        HESCA_TRY(err, look_ahead(x, p));
    }
    err = begin_panel(x, p, s);
fail:
    return err;
}

/* Wait for the panels of step p->now. Solve ahead meanwhile, since other
 * processes may wait for that. */
static int
await(job *x, sweep_state *p)
{
    hesca_backoff wait = hesca_comm_backoff(x->c);
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, advance(x, p));
    HESCA_TRY(err, look_ahead(x, p));
    while (p->solved <= p->now || !is_here(p->t, p->now) ||
           !is_here(&x->x, p->now)) {
        hesca_comm_pause(x->c, &wait, "a block of the solution");
        HESCA_TRY(err, advance(x, p));
        HESCA_TRY(err, look_ahead(x, p));
    }
    HESCA_TRY(err, hesca_panel_mcast_wait(p->t->mcast));
    HESCA_TRY(err, hesca_panel_mcast_wait(x->x.mcast));
fail:
    return err;
}

/* Extend known to AHEAD steps after p->now; the steps before p->now have been
 * applied to these. */
static void
extend(const job *x, sweep_state *p)
{
    for (; p->known <= p->now + AHEAD && p->known < x->nblocks; ++p->known)
        p->applied[p->known % DEPTH] = p->now;
}

/* Step 3 for the rows beyond the steps ahead. */
static int
update_rest(job *x, sweep_state *p)
{
    const span rows = here(x, from_step(x, p, p->known));
    int err = HESCA_SUCCESS;
    if (count(rows) == 0)
        return err;
    const int64_t most = piece_of(x, count(rows), count(block(x, p, p->now)));
    for (int64_t j = 0; j < x->ncols; j += most) {
        subtract(x, p, p->now, rows, j, hesca_min(most, x->ncols - j));
        HESCA_TRY(err, advance(x, p));
        HESCA_TRY(err, look_ahead(x, p));
    }
fail:
    return err;
}

static int
step(job *x, sweep_state *p)
{
    int err;
    extend(x, p);
    HESCA_TRY(err, look_ahead(x, p));
    for (int64_t s = p->now + 1; s < p->known; ++s) {
        if (p->applied[s % DEPTH] == p->now)
            apply_next(x, p, s);
        HESCA_TRY(err, advance(x, p));
        HESCA_TRY(err, look_ahead(x, p));
    }
    HESCA_TRY(err, update_rest(x, p));
    hesca_panel_mcast_release(p->t->mcast, p->t->over + p->now + 1);
    hesca_panel_mcast_release(x->x.mcast, x->x.over + p->now + 1);
    if (p->now + DEPTH < x->nblocks)
        HESCA_TRY(err, begin_next(x, p, p->now + DEPTH));
fail:
    return err;
}

static int
sweep(job *x, const hesca_sweep *what)
{
    const int lower = (what->trans == 'N') == !what->upper;
    sweep_state p = {.what = what,
                     .ascending = lower != x->right,
                     .t = &x->t[is_by_rows(x, what)]};
    int err = HESCA_SUCCESS;
    for (int64_t s = 0; s < hesca_min(DEPTH, x->nblocks); ++s)
        HESCA_TRY(err, begin_next(x, &p, s));
    extend(x, &p);
    for (p.now = 0; p.now < x->nblocks; ++p.now) {
        HESCA_TRY(err, await(x, &p));
        HESCA_TRY(err, step(x, &p));
    }
    HESCA_TRY(err, hesca_panel_mcast_end(p.t->mcast));
    HESCA_TRY(err, hesca_panel_mcast_end(x->x.mcast));
    p.t->over += x->nblocks;
    x->x.over += x->nblocks;
fail:
    return err;
}

/* --- the call ---
 * The choice depends on global terms only. */

static int
is_many(int64_t n, int64_t nrhs)
{
    return nrhs >= (n - 1) / FEW + 1;
}

int
hesca_solve_is_spread(int64_t n, int64_t nrhs, int64_t holders, int64_t nprocs)
{
    return is_many(n, nrhs) && holders * LEAST >= nprocs;
}

/* The elements of sub(B) of a process. */
static hesca_rectangle
part_of(const hesca_systems *what, const hesca_local *x)
{
    return what->right ? hesca_local_rectangle(x, what->nrhs, what->n)
                       : hesca_local_rectangle(x, what->n, what->nrhs);
}

static int
is_empty(hesca_rectangle r)
{
    return r.r0 == r.r1 || r.c0 == r.c1;
}

/* Number of processes with elements of sub(B). */
static int
holders(const hesca_systems *what)
{
    const hesca_matrix *b = what->b;
    int count = 0;
    for (int p = 0; p < b->layout->nprow; ++p)
        for (int q = 0; q < b->layout->npcol; ++q) {
            const hesca_local x = {
                .layout = b->layout, .i = b->i, .j = b->j, .here = 1, p, q};
            count += !is_empty(part_of(what, &x));
        }
    return count;
}

int
hesca_solve_is_wide(const hesca_systems *what)
{
    const hesca_layout *a = what->a->layout;
    return hesca_solve_is_spread(what->n, what->nrhs, holders(what),
                                 (int64_t)a->nprow * a->npcol);
}

void
hesca_solve_scale(const hesca_systems *what, int rank)
{
    const hesca_matrix *b = what->b;
    const hesca_local x = hesca_local_make(b->layout, b->i, b->j, rank);
    const hesca_rectangle r = part_of(what, &x);
    if (!is_empty(r) && !hesca_is_one(what->type, what->alpha))
        hesca_kernel_scale(what->type, r.r1 - r.r0, r.c1 - r.c0, what->alpha,
                           hesca_at(what->type, b->local, b->lld, r.r0, r.c0),
                           b->lld);
}

int
hesca_solve_wide(hesca_comm *c, const hesca_systems *what)
{
    const hesca_matrix *b = what->b;
    job x = {.c = c,
             .type = what->type,
             .right = what->right,
             .n = what->n,
             .nrhs = what->nrhs,
             .esize = (int64_t)hesca_type_size(what->type),
             .a = *what->a,
             .b = *b,
             .part = hesca_local_make(b->layout, b->i, b->j, c->rank)};
    const hesca_rectangle r = part_of(what, &x.part);
    int err;
    x.col0 = x.right ? r.r0 : r.c0;
    if (!is_empty(r))
        x.ncols = x.right ? r.r1 - r.r0 : r.c1 - r.c0;
    HESCA_TRY(err, choose_width(&x));
    HESCA_TRY(err, share(&x, what));
    HESCA_TRY(err, hesca_agree(c, make(&x, what), 0, NULL));
    hesca_solve_scale(what, c->rank);
    for (int k = 0; k < what->nsweeps; ++k)
        HESCA_TRY(err, sweep(&x, &what->sweep[k]));
fail:
    clear(&x);
    return err;
}
