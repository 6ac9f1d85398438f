/* SPDX-License-Identifier: BSD-3-Clause */
/* Cholesky factorization by panels; the next panels are factored and sent
 * while the trailing triangle is updated by the current one.
 *
 * Described for UPLO = 'L'; for 'U' exchange rows and columns.  A panel is a
 * few columns that every process row has in one process, with a diagonal block
 * that is in one process.
 * 1. The owner of the diagonal block factors it, and sends it by a small
 *    broadcast to the owners of rows of the panel below it, and its info to
 *    all processes.
 * 2. These processes solve for their rows.
 * 3. The rows go by a panel multicast to all processes that own these rows of
 *    the matrix, and from these by a panel transpose to the owners of the
 *    columns with the same indices: slices of the next panel's columns at
 *    once, all others when that panel is in flight.
 * 4. Every process updates its part of the trailing triangle: the columns of
 *    the next panels by each panel, all others by a group of panels at once,
 *    for which BLAS is faster.  Between nodes, where messages take longer than
 *    BLAS, a group is one panel.
 * A panel goes through 1 to 3 as soon as all panels before it have updated its
 * columns, while these are still updating the rest of the triangle.  So the
 * latency of hosts that are slow to answer is hidden, for AHEAD panels.
 * Messages progress between the strips of step 4.  Operands, results and
 * pieces do not depend on when messages arrive.
 *
 * If a diagonal block is not positive definite all processes receive its info
 * with that panel and stop: panels before it are factored and applied, as in
 * LAPACK.
 * Source: HMPI thesis, Cholesky factorization of its chapter 5 (steps
 * 2 to 6), after Kalinov and Lastovetsky (2001). There the whole of L21 goes
 * to the other process columns; here a process receives the rows that it
 * needs. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/args.h"
#include "dense/triangle.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "hesca/experimental/dense.h"
#include "panel/panel_multicast.h"
#include "panel/panel_transpose.h"
#include "panel/small_bcast.h"
#include <stdlib.h>
#include <string.h>

enum {
    WIDEST = 64,           /* panel */
    AHEAD = 3,             /* panels that begin ahead of the current one */
    FLIGHT = AHEAD + 1,    /* panels in flight */
    SPAN = 4,              /* panels of a group, inside a node, */
    SPAN_MOST = 8,         /* more of them if blocks are narrow */
    GROUPS = AHEAD + 2,    /* in memory: that whose update goes on, that of the
                              current panel, those of the panels ahead */
    DEPTH = 3 * SPAN_MOST, /* panels in memory, at most */
    HEAD = 16,             /* bytes before a diagonal block: its info */
    LINE = 64 /* bytes of a cache line, at which groups of panels begin */
};

/* State of a panel: its diagonal block is awaited, or its multicast has
 * begun. */
typedef enum { AWAITED, BEGUN } state;

/* The panel of columns k0 ... k1 - 1. */
typedef struct {
    int64_t k0, k1;
    int64_t applied; /* panels 0 ... applied - 1 have updated it */
    state state;
    int solves; /* this process has rows of it */
    hesca_small_bcast block,
        info_bcast;    /* the diagonal block; info, to all processes */
    char *diagonal;    /* HEAD bytes, then k1 - k0 columns */
    int64_t info;      /* received by info_bcast */
    char *has, *wants; /* slices by the multicast, and by the transpose */
    int64_t ld_has, ld_wants;
} panel;

/* The slices of panels t, t + 1 ... of a group are side by side, so that they
 * are one panel, for indices behind all of them. */
typedef struct {
    char *has, *wants;
    int64_t k0, k1; /* of its first panel */
    int64_t ld_has, ld_wants;
} group;

/* The update by a group of what is behind the panels that are known at its
 * end: strips of columns (upper: rows), done in the next group's steps and
 * whenever there is nothing else to do. */
typedef struct {
    int64_t t, end; /* panels t ... end - 1 */
    hesca_rectangle left;
    int64_t strip; /* columns at once */
} queue;

typedef struct {
    const hesca_comm *c;
    hesca_type type;
    int upper;
    int64_t n, widest, esize;
    hesca_matrix a;
    hesca_local part;
    hesca_triangle trailing;
    hesca_segment *shared; /* has the slices by the multicast, or NULL */
    int team;              /* this process's row (upper: column) */
    int64_t team_bytes;    /* of each row in it */
    hesca_panel_transpose_source *source; /* [nprow or npcol] */
    hesca_panel_mcast *mcast;
    hesca_panel_transpose *near,
        *far; /* transposes: of the next panel's indices, of all others */
    panel panel[DEPTH]; /* panel t in t % depth */
    int64_t depth;
    int64_t span;        /* panels of a group */
    group group[GROUPS]; /* that of panel t in t / span % ngroups */
    int ngroups;
    queue rest;
    int *line; /* [nprow or npcol] ranks that have rows of a panel */
    int place; /* in the grid; -1: outside */
    int64_t known, begun; /* panels with known bounds; panels begun */
    int64_t now;          /* the current panel */
    int64_t transposed, transposed_far; /* panels that were transposed */
    int64_t info;
} job;

/* --- memory ---
 * All memory is allocated before the first message. */

static hesca_panel_mcast_spec
rows_of(const job *x)
{
    return (hesca_panel_mcast_spec){.source = x->a.layout,
                                    .i = x->a.i,
                                    .j = x->a.j,
                                    .along =
                                        x->upper ? HESCA_ROWS : HESCA_COLS,
                                    .extent = x->n,
                                    .k = x->n,
                                    .width = x->widest,
                                    .target = x->a.layout,
                                    .by = x->upper ? HESCA_COLS : HESCA_ROWS,
                                    .origin = x->upper ? x->a.j : x->a.i,
                                    .esize = (size_t)x->esize,
                                    .shared = x->shared,
                                    .read_by_all = 1};
}

static int
make_flows(job *x)
{
    const hesca_panel_mcast_spec rows = rows_of(x);
    const hesca_panel_transpose_spec columns = {.layout = x->a.layout,
                                                .i = x->a.i,
                                                .j = x->a.j,
                                                .has = rows.by,
                                                .extent = x->n,
                                                .width = x->widest,
                                                .esize = (size_t)x->esize,
                                                .shared = x->shared};
    int err;
    HESCA_TRY(err, hesca_panel_mcast_create(x->c, &rows, HESCA_TAG_PANEL_MCAST,
                                            FLIGHT, &x->mcast));
    HESCA_TRY(err, hesca_panel_transpose_create(x->c, &columns,
                                                HESCA_TAG_PANEL_MCAST + 1,
                                                FLIGHT, &x->near));
    HESCA_TRY(err, hesca_panel_transpose_create(x->c, &columns,
                                                HESCA_TAG_PANEL_MCAST + 2,
                                                FLIGHT, &x->far));
fail:
    return err;
}

static int
make_panels(job *x)
{
    const hesca_triangle *t = &x->trailing;
    const size_t m = (size_t)(t->row1 - t->row0);
    const size_t n = (size_t)(t->col1 - t->col0);
    const size_t b = (size_t)x->widest, esize = (size_t)x->esize;
    const size_t width = (size_t)x->span * b;
    for (int k = 0; k < x->depth; ++k) {
        x->panel[k].diagonal = calloc(1, HEAD + b * b * esize);
        if (x->panel[k].diagonal == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0, "a block of %zu columns", b);
    }
    for (int k = 0; k < x->ngroups; ++k) {
        group *g = &x->group[k];
        if (x->shared == NULL)
            g->has =
                hesca_staging_block(((x->upper ? n : m) * width + 1) * esize);
        g->wants =
            hesca_staging_block(((x->upper ? m : n) * width + 1) * esize);
        if (g->has == NULL || g->wants == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0,
                              "panels of %zu columns and %zu + %zu rows",
                              width, m, n);
    }
    return HESCA_SUCCESS;
}

/* Memory that the node shares, for groups of panels of each process row; none
 * is no error. */
static int
share(job *x, hesca_comm *c)
{
    const hesca_panel_mcast_spec rows = rows_of(x);
    int64_t most;
    int nteams, team, err;
    if (!hesca_panel_mcast_may_share(c, &rows))
        return HESCA_SUCCESS;
    hesca_panel_mcast_teams(c, &rows, &nteams, &team, &most);
    const int64_t width = x->span * x->widest * x->esize;
    const int64_t bytes =
        (hesca_max(most, 1) * width + LINE - 1) / LINE * LINE;
    HESCA_TRY(err,
              hesca_segment_get(c, nteams * x->ngroups * bytes, &x->shared));
    x->team = team;
    x->team_bytes = x->ngroups * bytes;
    for (int k = 0; k < x->ngroups && x->shared != NULL; ++k)
        x->group[k].has = x->shared->memory + team * x->team_bytes + k * bytes;
fail:
    return err;
}

static int
make(job *x)
{
    const hesca_layout *layout = x->a.layout;
    const int lines = x->upper ? layout->npcol : layout->nprow;
    int err;
    x->line = malloc((size_t)lines * sizeof *x->line);
    x->source = malloc((size_t)lines * sizeof *x->source);
    if (x->line == NULL || x->source == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d ranks", lines);
    x->trailing = (hesca_triangle){.type = x->type,
                                   .upper = x->upper,
                                   .transx = x->upper ? 'C' : 'N',
                                   .transy = x->upper ? 'N' : 'C',
                                   .alpha = hesca_minus_one(x->type)};
    HESCA_TRY(err, hesca_triangle_init(&x->trailing, &x->part, x->n,
                                       x->a.local, x->a.lld));
    HESCA_TRY(err, make_panels(x));
    HESCA_TRY(err, make_flows(x));
fail:
    return err;
}

static void
clear(job *x)
{
    hesca_panel_mcast_free(x->mcast);
    hesca_panel_transpose_free(x->near);
    hesca_panel_transpose_free(x->far);
    hesca_triangle_clear(&x->trailing);
    free(x->line);
    free(x->source);
    for (int k = 0; k < DEPTH; ++k)
        free(x->panel[k].diagonal);
    for (int k = 0; k < GROUPS; ++k) {
        if (x->shared == NULL)
            hesca_staging_unblock(x->group[k].has);
        hesca_staging_unblock(x->group[k].wants);
    }
}

/* --- owners of a panel ---
 * Pure functions of the layout, so all processes agree on bounds and
 * owners. */

static int64_t
panel_end(const job *x, int64_t k0)
{
    const hesca_local *part = &x->part;
    const hesca_layout *layout = x->a.layout;
    const int64_t most = hesca_min(k0 + x->widest, x->n);
    if (x->upper) {
        const int64_t end = hesca_local_rows_end(part, k0, most);
        const int prow =
            hesca_local_prow(part, hesca_local_pcol(part, 0, k0), k0);
        const hesca_axis *cols = hesca_layout_col_axis(layout, prow);
        return hesca_min(end, hesca_local_end(cols, x->a.j + k0) - x->a.j);
    }
    const int64_t end = hesca_local_cols_end(part, k0, most);
    const int pcol = hesca_local_pcol(part, hesca_local_prow(part, 0, k0), k0);
    const hesca_axis *rows = hesca_layout_row_axis(layout, pcol);
    return hesca_min(end, hesca_local_end(rows, x->a.i + k0) - x->a.i);
}

/* Rank and number of slices of the panel, below its diagonal block, of the
 * process that has it in a process row (upper: column). */
static int
holder(const job *x, const panel *p, int line, int64_t *count)
{
    const hesca_layout *layout = x->a.layout;
    const int prow = x->upper ? hesca_local_prow(&x->part, line, p->k0) : line;
    const int pcol = x->upper ? line : hesca_local_pcol(&x->part, line, p->k0);
    const hesca_axis *axis = x->upper ? hesca_layout_col_axis(layout, prow)
                                      : hesca_layout_row_axis(layout, pcol);
    const int64_t origin = x->upper ? x->a.j : x->a.i;
    *count = hesca_axis_count(axis, line, origin + x->n) -
             hesca_axis_count(axis, line, origin + p->k1);
    return layout->ranks[prow * layout->npcol + pcol];
}

/* List the ranks that need the diagonal block, its owner first. */
static int
list_line(job *x, const panel *p, int owner, int *me)
{
    const hesca_layout *layout = x->a.layout;
    const int lines = x->upper ? layout->npcol : layout->nprow;
    int n = 0;
    *me = owner == x->c->rank ? 0 : -1;
    x->line[n++] = owner;
    for (int k = 0; k < lines; ++k) {
        int64_t count;
        const int rank = holder(x, p, k, &count);
        if (count == 0 || rank == owner)
            continue;
        if (rank == x->c->rank)
            *me = n;
        x->line[n++] = rank;
    }
    return n;
}

/* --- a panel begins ---
 * A panel begins when all earlier panels have been applied to it; it is
 * final in the matrix when its multicast begins. */

static char *
element(const job *x, int64_t r, int64_t c)
{
    return (char *)x->a.local + (r + c * x->a.lld) * x->esize;
}

/* Factor the diagonal block, and pack it, with its info, into the message. */
static void
factor_diagonal(job *x, panel *p)
{
    const int64_t b = p->k1 - p->k0, esize = x->esize;
    const int64_t r = hesca_local_row(&x->part, p->k0);
    const int64_t c = hesca_local_col(&x->part, p->k0);
    int64_t info = hesca_kernel_potrf(x->type, x->upper ? 'U' : 'L', b,
                                      element(x, r, c), x->a.lld);
    info = info > 0 ? p->k0 + info : 0;
    memcpy(p->diagonal, &info, sizeof info);
    p->info = info;
    for (int64_t k = 0; k < b; ++k) {
        const int64_t first = x->upper ? 0 : k, end = x->upper ? k + 1 : b;
        memcpy(p->diagonal + HEAD + (first + k * b) * esize,
               element(x, r + first, c + k), (size_t)((end - first) * esize));
    }
}

/* L21 := A21 L11'^-1, U12 := U11'^-1 A12: the local slices. */
static void
solve(job *x, const panel *p)
{
    const int64_t b = p->k1 - p->k0;
    const hesca_triangle *t = &x->trailing;
    const char *diagonal = p->diagonal + HEAD;
    int64_t info;
    memcpy(&info, p->diagonal, sizeof info);
    if (info > 0)
        return;
    if (x->upper) {
        const int64_t c = hesca_local_col(&x->part, p->k1);
        if (c < t->col1)
            hesca_kernel_trsm(x->type, 'L', 'U', 'C', 'N', b, t->col1 - c,
                              hesca_one(x->type), diagonal, b,
                              element(x, hesca_local_row(&x->part, p->k0), c),
                              x->a.lld);
    } else {
        const int64_t r = hesca_local_row(&x->part, p->k1);
        if (r < t->row1)
            hesca_kernel_trsm(x->type, 'R', 'L', 'C', 'N', t->row1 - r, b,
                              hesca_one(x->type), diagonal, b,
                              element(x, r, hesca_local_col(&x->part, p->k0)),
                              x->a.lld);
    }
}

/* The first index of the slices that are not needed by the next panel. */
static int64_t
far(const job *x, const panel *p)
{
    return hesca_min(p->k1 + x->widest, x->n);
}

/* The address of these slices in the array of the multicast, or of the
 * transpose. */
static char *
far_slices(const job *x, const panel *p, int by_rows, char *slices, int64_t ld)
{
    const int64_t f = far(x, p);
    const int64_t count =
        by_rows
            ? hesca_local_row(&x->part, f) - hesca_local_row(&x->part, p->k1)
            : hesca_local_col(&x->part, f) - hesca_local_col(&x->part, p->k1);
    return slices + (x->upper ? count * ld : count) * x->esize;
}

/* Number of slices with indices i ... j - 1 that a process row has, if all of
 * its processes have the same. */
static int64_t
line_count(const job *x, int line, int64_t i, int64_t j)
{
    const hesca_axis *axis = x->upper ? x->a.layout->cols : x->a.layout->rows;
    const int64_t origin = x->upper ? x->a.j : x->a.i;
    return hesca_axis_count(axis, line, origin + j) -
           hesca_axis_count(axis, line, origin + i);
}

/* Where the process rows have the slices of panel t from index f on, in shared
 * memory; NULL: it is not shared. */
static const hesca_panel_transpose_source *
find_sources(job *x, int64_t t, int64_t f)
{
    const int lines = x->upper ? x->a.layout->npcol : x->a.layout->nprow;
    const panel *p = &x->panel[t % x->depth];
    const group *g = &x->group[t / x->span % x->ngroups];
    const int64_t k = p->k0 - g->k0;
    if (x->shared == NULL)
        return NULL;
    for (int line = 0; line < lines; ++line) {
        const int64_t before = line_count(x, line, g->k1, f);
        const int64_t ld =
            x->upper ? g->ld_has
                     : hesca_max(line_count(x, line, g->k1, x->n), 1);
        int64_t count;
        x->source[line] = (hesca_panel_transpose_source){
            .have = g->has + (line - x->team) * x->team_bytes +
                    (x->upper ? k + before * ld : before + k * ld) * x->esize,
            .ldh = ld,
            .writer = holder(x, p, line, &count)};
    }
    return x->source;
}

/* Step 3 for panel t, which is final in the matrix. */
static int
begin_mcast(job *x, int64_t t)
{
    panel *p = &x->panel[t % x->depth];
    const int64_t b = p->k1 - p->k0, f = far(x, p);
    int err;
    p->state = BEGUN;
    HESCA_TRY(err, hesca_panel_transpose_expect(x->near, b, p->k1, f, p->wants,
                                                p->ld_wants,
                                                find_sources(x, t, p->k1)));
    HESCA_TRY(err, hesca_panel_transpose_expect(
                       x->far, b, f, x->n,
                       far_slices(x, p, x->upper, p->wants, p->ld_wants),
                       p->ld_wants, find_sources(x, t, f)));
    HESCA_TRY(err, hesca_panel_mcast_begin(x->mcast, p->k0, p->k1, p->k1,
                                           x->a.local, x->a.lld, p->has,
                                           p->ld_has));
fail:
    return err;
}

/* The place of panel t in the arrays of its group, which begins with it or has
 * begun. */
static void
place_panel(job *x, int64_t t)
{
    panel *p = &x->panel[t % x->depth];
    group *g = &x->group[t / x->span % x->ngroups];
    const hesca_local *a = &x->part;
    if (t % x->span == 0) {
        const int64_t rows = x->trailing.row1 - hesca_local_row(a, p->k1);
        const int64_t cols = x->trailing.col1 - hesca_local_col(a, p->k1);
        g->k0 = p->k0;
        g->k1 = p->k1;
        g->ld_has = x->upper ? x->span * x->widest : hesca_max(rows, 1);
        g->ld_wants = x->upper ? x->span * x->widest : hesca_max(cols, 1);
    }
    const int64_t rows = hesca_local_row(a, p->k1) - hesca_local_row(a, g->k1);
    const int64_t cols = hesca_local_col(a, p->k1) - hesca_local_col(a, g->k1);
    const int64_t k = p->k0 - g->k0;
    p->ld_has = g->ld_has;
    p->ld_wants = g->ld_wants;
    p->has =
        g->has +
        (x->upper ? k + cols * g->ld_has : rows + k * g->ld_has) * x->esize;
    p->wants = g->wants +
               (x->upper ? k + rows * g->ld_wants : cols + k * g->ld_wants) *
                   x->esize;
}

/* Tags of the small broadcasts of panel t. They differ between panels, because
 * a process may forward those of one panel after it has sent those of the next
 * one. */
static int
tag(int64_t t, int info_bcast)
{
    enum { TAGS = 1024 };
    return HESCA_TAG_SMALL_BCAST + (int)(t % TAGS) * 2 + info_bcast;
}

/* Steps 1 to 3 for panel t, as far as possible without waiting. */
static int
begin(job *x, int64_t t)
{
    panel *p = &x->panel[t % x->depth];
    const int owner = hesca_local_rank(&x->part, p->k0, p->k0);
    const int64_t b = p->k1 - p->k0;
    const int grid = x->a.layout->nprow * x->a.layout->npcol;
    int err = HESCA_SUCCESS, me, n, from = 0;
    ++x->begun;
    p->state = AWAITED;
    p->info = 0;
    place_panel(x, t);
    if (owner == x->c->rank)
        factor_diagonal(x, p);
    if (p->k1 == x->n) { /* no process needs it */
        x->info = p->info;
        return err;
    }
    while (x->a.layout->ranks[from] != owner)
        ++from;
    HESCA_TRY(err, hesca_small_bcast_begin(&p->info_bcast, x->c, tag(t, 1),
                                           x->a.layout->ranks, grid, x->place,
                                           from, &p->info, sizeof p->info));
    n = list_line(x, p, owner, &me);
    p->solves = me >= 0;
    p->block = (hesca_small_bcast){.arrived = 1};
    if (!p->solves)
        return begin_mcast(x, t);
    HESCA_TRY(err, hesca_small_bcast_begin(&p->block, x->c, tag(t, 0), x->line,
                                           n, me, 0, p->diagonal,
                                           (int)(HEAD + b * b * x->esize)));
fail:
    return err;
}

/* --- progress ---
 * Local, never waits: transposes are sent in the order of panels. */

/* Test the messages that panel t waits for, and begin what may follow. */
static int
advance_panel(job *x, int64_t t)
{
    panel *p = &x->panel[t % x->depth];
    int err, over;
    HESCA_TRY(err, hesca_small_bcast_advance(&p->info_bcast, &over));
    HESCA_TRY(err, hesca_small_bcast_advance(&p->block, &over));
    if (p->state == AWAITED && p->block.arrived) {
        solve(x, p);
        HESCA_TRY(err, begin_mcast(x, t));
    }
fail:
    return err;
}

/* Whether the slices of panel t that the next panel does not need may be sent:
 * not before the next panel, which all processes wait for; at once if no next
 * panel will come, because this one is not positive definite. */
static int
may_send_far(const job *x, int64_t t)
{
    const panel *next = &x->panel[(t + 1) % x->depth];
    if (x->panel[t % x->depth].info > 0)
        return 1;
    return t + 1 < x->begun && (next->k1 == x->n || next->state == BEGUN);
}

static int
advance(job *x)
{
    int64_t ready;
    int err = HESCA_SUCCESS;
    for (int64_t t = hesca_max(0, x->begun - FLIGHT); t < x->begun; ++t)
        if (x->panel[t % x->depth].k1 < x->n)
            HESCA_TRY(err, advance_panel(x, t));
    HESCA_TRY(err, hesca_panel_mcast_advance(x->mcast, &ready));
    for (; x->transposed < ready; ++x->transposed) {
        panel *p = &x->panel[x->transposed % x->depth];
        HESCA_TRY(err, hesca_panel_transpose_send(x->near, p->has, p->ld_has));
        HESCA_TRY(err, hesca_panel_mcast_wait(x->mcast));
    }
    for (; x->transposed_far < x->transposed &&
           may_send_far(x, x->transposed_far);
         ++x->transposed_far) {
        panel *p = &x->panel[x->transposed_far % x->depth];
        HESCA_TRY(err,
                  hesca_panel_transpose_send(
                      x->far, far_slices(x, p, !x->upper, p->has, p->ld_has),
                      p->ld_has));
    }
    HESCA_TRY(err, hesca_panel_transpose_advance(x->near));
    HESCA_TRY(err, hesca_panel_transpose_advance(x->far));
fail:
    return err;
}

/* Whether the part of panel t that updates the next panel is here, with its
 * info. */
static int
is_near(const job *x, int64_t t)
{
    const panel *p = &x->panel[t % x->depth];
    return p->state == BEGUN && p->info_bcast.arrived &&
           hesca_panel_transpose_ready(x->near) > t;
}

/* Whether all of panel t is here and has been forwarded, so that its memory
 * may be reused. */
static int
is_over(const job *x, int64_t t)
{
    const panel *p = &x->panel[t % x->depth];
    return is_near(x, t) && p->info_bcast.nrequests == 0 && p->block.arrived &&
           p->block.nrequests == 0 && hesca_panel_transpose_ready(x->far) > t;
}

/* --- the update ---
 * A panel is applied to a later one exactly once, in the order of panels
 * (applied); to all columns beyond those that are known, with its group. */

/* Floating-point operations (real double) between two tests of messages: some
 * milliseconds. */
static const double PIECE = 3e8, PIECE_FAR = 3e7;

/* Update by panels t ... end - 1 of a group. */
static void
update(const job *x, int64_t t, int64_t end, hesca_rectangle b)
{
    const panel *p = &x->panel[t % x->depth],
                *last = &x->panel[(end - 1) % x->depth];
    const hesca_slices has = {p->has, p->ld_has,
                              x->upper ? hesca_local_col(&x->part, p->k1)
                                       : hesca_local_row(&x->part, p->k1)};
    const hesca_slices wants = {p->wants, p->ld_wants,
                                x->upper ? hesca_local_row(&x->part, p->k1)
                                         : hesca_local_col(&x->part, p->k1)};
    hesca_triangle_update(&x->trailing, last->k1 - p->k0,
                          x->upper ? wants : has, x->upper ? has : wants, b);
}

static int64_t
group_end(const job *x, int64_t t)
{
    return (t / x->span + 1) * x->span;
}

/* Update panel s by those of its predecessors before `end`: by its last one
 * alone, by those of a group before that at once.  So what is added up does
 * not depend on when they have come. */
static int
apply(job *x, int64_t s, int64_t end)
{
    const hesca_local *a = &x->part;
    panel *to = &x->panel[s % x->depth];
    hesca_rectangle b = {hesca_local_row(a, to->k0), x->trailing.row1,
                         hesca_local_col(a, to->k0), x->trailing.col1};
    int err = HESCA_SUCCESS;
    if (x->upper)
        b.r1 = hesca_local_row(a, to->k1);
    else
        b.c1 = hesca_local_col(a, to->k1);
    while (to->applied < end) {
        const int64_t t = to->applied;
        const int64_t most = t < s - 1 ? hesca_min(group_end(x, t), s - 1) : s;
        to->applied = hesca_min(end, most);
        update(x, t, to->applied, b);
        HESCA_TRY(err, advance(x));
    }
fail:
    return err;
}

/* Whether the parts of the panels before t that update it are here, and other
 * processes do not need the memory of its group any more. */
static int
may_begin(const job *x, int64_t t)
{
    const int64_t before = (t / x->span - x->ngroups + 1) * x->span;
    return is_near(x, t - 1) && x->panel[(t - 1) % x->depth].info == 0 &&
           (t - 2 < x->now || is_over(x, t - 2)) &&
           hesca_panel_mcast_is_released(x->mcast, before);
}

/* Begin panels ahead, as far as the panels before them are here. */
static int
look_ahead(job *x)
{
    int err = HESCA_SUCCESS;
    while (x->begun < x->known && may_begin(x, x->begun)) {
        HESCA_TRY(err, apply(x, x->begun, x->begun));
        HESCA_TRY(err, begin(x, x->begun));
    }
fail:
    return err;
}

/* --- the queue ---
 * Its strips do not depend on when they are computed. */

static int
has_rest(const job *x)
{
    const hesca_rectangle *b = &x->rest.left;
    return b->c0 < b->c1 && b->r0 < b->r1;
}

/* Begin the queue of panels t ... end - 1 of a group; the last one is done. */
static void
begin_rest(job *x, int64_t t, int64_t end)
{
    const hesca_triangle *part = &x->trailing;
    const panel *last = &x->panel[(x->known - 1) % x->depth];
    const double complexity = hesca_type_is_complex(x->type) ? 4 : 1;
    const hesca_rectangle b = {hesca_local_row(&x->part, last->k1), part->row1,
                               hesca_local_col(&x->part, last->k1),
                               part->col1};
    const int64_t width =
        x->panel[(end - 1) % x->depth].k1 - x->panel[t % x->depth].k0;
    const int64_t across = x->upper ? b.c1 - b.c0 : b.r1 - b.r0;
    const double line =
        2 * complexity * (double)hesca_max(across, 1) * (double)width;
    const double piece = hesca_comm_is_node(x->c) ? PIECE : PIECE_FAR;
    const int64_t most = hesca_clamp((int64_t)(piece / line / 64), 1, 1 << 20);
    x->rest = (queue){t, end, b, 64 * most};
}

/* Update the next strip. */
static int
update_strip(job *x)
{
    queue *q = &x->rest;
    hesca_rectangle b = q->left;
    if (x->upper)
        q->left.r0 = b.r1 = hesca_min(b.r0 + q->strip, b.r1);
    else
        q->left.c0 = b.c1 = hesca_min(b.c0 + q->strip, b.c1);
    update(x, q->t, q->end, b);
    return advance(x);
}

/* Whether the strips behind index k have not been updated. */
static int
waits_for(const job *x, int64_t k)
{
    return has_rest(x) &&
           (x->upper ? x->rest.left.r0 < hesca_local_row(&x->part, k)
                     : x->rest.left.c0 < hesca_local_col(&x->part, k));
}

/* So many of `of` equal parts of what is left. */
static int
update_part(job *x, int64_t of)
{
    const queue *q = &x->rest;
    const int64_t all =
        x->upper ? q->left.r1 - q->left.r0 : q->left.c1 - q->left.c0;
    const int64_t strips = q->strip > 0 ? (all - 1) / q->strip + 1 : 0;
    int err = HESCA_SUCCESS;
    for (int64_t k = 0; has_rest(x) && k * of < strips; ++k) {
        HESCA_TRY(err, update_strip(x));
        HESCA_TRY(err, look_ahead(x));
    }
fail:
    return err;
}

/* Wait for panel t. Begin later panels if possible, since other processes may
 * wait for them. */
static int
await(job *x, int64_t t)
{
    hesca_backoff wait = hesca_backoff_begin(x->c->crowded || x->c->slow);
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, advance(x));
    HESCA_TRY(err, look_ahead(x));
    while (!is_over(x, t)) {
        if (has_rest(x))
            HESCA_TRY(err, update_strip(x));
        else
            hesca_comm_pause(x->c, &wait, "a panel");
        HESCA_TRY(err, advance(x));
        HESCA_TRY(err, look_ahead(x));
    }
fail:
    return err;
}

/* Find the bounds of the panels up to AHEAD after panel t, and apply the
 * groups before that of t to them. */
static int
find_bounds(job *x, int64_t t)
{
    int err = HESCA_SUCCESS;
    int64_t k0 = x->known == 0 ? 0 : x->panel[(x->known - 1) % x->depth].k1;
    for (; x->known <= t + AHEAD && k0 < x->n; ++x->known) {
        panel *p = &x->panel[x->known % x->depth];
        p->k0 = k0;
        p->k1 = k0 = panel_end(x, k0);
        p->applied = t / x->span * x->span;
        while (waits_for(x, p->k1))
            HESCA_TRY(err, update_strip(x));
    }
fail:
    return err;
}

/* The end of a group: its panels before `end` update the panels that are
 * known; the others are queued. */
static int
end_group(job *x, int64_t end)
{
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, update_part(x, 1));
    hesca_panel_mcast_release(x->mcast, (end - 1) / x->span * x->span);
    for (int64_t s = end; s < x->known; ++s) {
        HESCA_TRY(err, apply(x, s, end));
        HESCA_TRY(err, look_ahead(x));
    }
    begin_rest(x, (end - 1) / x->span * x->span, end);
fail:
    return err;
}

/* Step 4 for panel t, which is here: the next panel, then the one behind it,
 * which has waited for the panel before t as well, then a part of the
 * queue. */
static int
step(job *x, int64_t t)
{
    int err;
    HESCA_TRY(err, find_bounds(x, t));
    HESCA_TRY(err, look_ahead(x));
    for (int64_t s = t + 1; s < hesca_min(t + 3, x->known); ++s) {
        HESCA_TRY(err, apply(x, s, t + 1));
        HESCA_TRY(err, look_ahead(x));
    }
    HESCA_TRY(err, update_part(x, group_end(x, t) - t));
    if (t + 1 == group_end(x, t))
        HESCA_TRY(err, end_group(x, t + 1));
fail:
    return err;
}

/* --- the factorization ---
 * Memory of panel t - depth is reused after is_over(t - depth). */

static int
factor(job *x)
{
    int err = HESCA_SUCCESS;
    if (x->n == 0 || !x->part.here)
        return err;
    HESCA_TRY(err, find_bounds(x, 0));
    HESCA_TRY(err, begin(x, 0));
    for (int64_t t = 0; x->panel[t % x->depth].k1 < x->n; ++t) {
        x->now = t;
        HESCA_TRY(err, await(x, t));
        if (x->panel[t % x->depth].info > 0) {
            x->info = x->panel[t % x->depth].info;
            if (t % x->span > 0)
                HESCA_TRY(err, end_group(x, t));
            HESCA_TRY(err, update_part(x, 1));
            break;
        }
        HESCA_TRY(err, step(x, t));
    }
    HESCA_TRY(err, hesca_panel_mcast_end(x->mcast));
    HESCA_TRY(err, hesca_panel_transpose_end(x->near));
    HESCA_TRY(err, hesca_panel_transpose_end(x->far));
fail:
    return err;
}

/* --- the call ---
 * info is the same on all processes of comm: the minimum of those > 0. */

/* The width of panels that fit into HESCA_BUFFER on this process. */
static int64_t
widest(const hesca_comm *c, hesca_type type, int64_t n, const hesca_matrix *a)
{
    int64_t m = 0, k = 0;
    if (hesca_layout_local_size(a->layout, c->rank, &m, &k) < 0)
        return WIDEST;
    const int64_t slices = hesca_min(m, n) + hesca_min(k, n);
    const int64_t row = (3 * SPAN + FLIGHT) * hesca_max(slices, 1) *
                        (int64_t)hesca_type_size(type);
    return hesca_clamp((int64_t)c->params.buffer / row, 1, WIDEST);
}

/* Inside a node: the number of panels of a group, so that it is as wide as
 * possible, where blocks are narrower than panels may be. */
static void
find_span(job *x)
{
    int64_t width = 1;
    for (int64_t k0 = 0, k1; k0 < x->n; k0 = k1) {
        k1 = panel_end(x, k0);
        width = hesca_max(width, k1 - k0);
    }
    x->span = hesca_min(SPAN * x->widest / width, SPAN_MOST);
    x->widest = width;
}

static int
place_of(const hesca_layout *layout, int rank)
{
    for (int k = 0; k < layout->nprow * layout->npcol; ++k)
        if (layout->ranks[k] == rank)
            return k;
    return -1;
}

int
hesca_potrf(hesca_type type, char uplo, int64_t n, const hesca_matrix *a,
            MPI_Comm comm, int64_t *info)
{
    job x = {.n = n};
    hesca_comm *c;
    int err, made = 0;
    hesca_caller_enter("hesca_potrf");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_args args = hesca_args_begin("hesca_potrf", c);
    x.type = hesca_args_type(&args, 1, type);
    x.upper = hesca_args_letter(&args, 2, "uplo", uplo, "LU") == 'U';
    hesca_args_size(&args, 3, "n", n);
    hesca_args_matrix(&args, 4, "a", a, n, n);
    hesca_args_pointer(&args, 6, "info", info);
    x.widest = args.err < 0 ? 1 : widest(c, x.type, n, a);
    HESCA_TRY(err, hesca_args_agree(&args, 1, &x.widest));
    x.c = c;
    x.esize = (int64_t)hesca_type_size(type);
    x.a = *a;
    x.part = hesca_local_make(a->layout, a->i, a->j, c->rank);
    x.span = 1;
    x.ngroups = GROUPS;
    if (hesca_comm_is_node(c)) {
        find_span(&x);
        x.ngroups = 3;
    }
    x.depth = 3 * hesca_max(x.span, SPAN);
    x.place = place_of(a->layout, c->rank);
    made = 1;
    HESCA_TRY(err, share(&x, c));
    HESCA_TRY(err, hesca_agree(c, make(&x), 0, NULL));
    HESCA_TRY(err, factor(&x));
    x.info = x.info > 0 ? x.info : INT64_MAX;
    HESCA_TRY(err, hesca_agree_min(c, 1, &x.info));
    *info = x.info < INT64_MAX ? x.info : 0;
fail:
    if (made)
        clear(&x);
    return err;
}
