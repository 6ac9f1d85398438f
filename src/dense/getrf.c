/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factorization with partial pivoting by panels; the next panel is factored
 * and sent while the trailing matrix is updated by the current one.
 *
 * A panel is a few columns that every process row has in one process.
 * 1. Its team factors it (panel_factor.h); all processes receive its pivots
 * and L11.
 * 2. L21 goes by a panel multicast to all processes that own these rows.
 * 3. Rows are interchanged in the columns to the right, by chunks of columns;
 *    those that come to the top go to all owners of the columns
 *    (row_interchange.h).
 * 4. Every process solves for U12 in its columns and updates its part of the
 *    trailing matrix: first the columns of the next panel, with which 1 and 2
 *    begin, then the others.  Step 3 of the next panel begins in a chunk when
 *    the chunk is updated and the pivots are known.
 * Solving for U12 on every process costs a little computation, saves a message
 * between the owner of the diagonal block and the others, and allows these
 * rows to have any number of owners.
 *
 * Columns to the left of a panel are not needed until the end. Then the
 * interchanges of all later panels are one permutation: each row is sent once.
 *
 * Messages progress between the pieces of step 4. Operands and results do not
 * depend on when messages arrive.
 * Source: ScaLAPACK's PDGETRF; U12 on every process as in the HPL benchmark;
 * ragged owners: HMPI thesis chapter 5. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/args.h"
#include "dense/panel_factor.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "hesca/experimental/dense.h"
#include "panel/panel_multicast.h"
#include "panel/row_interchange.h"
#include <stdlib.h>
#include <string.h>

static const char GETRF[] = "hesca_getrf";

enum {
    WIDEST = 64,     /* panel */
    CHUNKS = 8,      /* of columns, exchanged one by one */
    NARROWEST = 128, /* of these chunks */
    DEPTH = 2,       /* panels in memory */
    LEFT_DEPTH = 3   /* exchanges on the left in flight */
};

/* Operations of a piece of an update, between two tests of messages: a few ms
 * on current processors. */
static const double PIECE = 1.5e8, PIECE_FAR = 3e7;

enum {
    TAG_PANEL = HESCA_TAG_PANEL_MCAST,
    TAG_ROWS,
    TAG_HEAD,
    TAG_INTERCHANGE,
    TAG_PIVOTS
};

/* State of the panel of columns k0 ... k1 - 1. */
typedef struct {
    int64_t k0, k1;
    hesca_head head;
    char *l; /* L21, this process's rows */
    int64_t ldl;
    int64_t exchanged; /* columns k1 ... exchanged - 1 are being exchanged */
    int64_t chunks;    /* exchanges before those of this panel */
    int is_sorted;
    int64_t *top, *from, *to; /* the rows that are exchanged */
    int64_t nmoves;
} panel_state;

typedef struct {
    const hesca_comm *c;
    hesca_type type;
    int64_t esize, m, n, k; /* k = min(m, n) */
    hesca_local part;
    char *a;
    int64_t lld;
    int64_t row_end, col_begin, col_end; /* local, of sub(A) */
    int64_t widest;                      /* panel, and rows of u */
    int64_t npanels, *bound;             /* panel t is columns bound[t] ... */
    int64_t stride;                      /* of chunks */
    hesca_panel panel;
    hesca_panel_mcast *mcast;
    hesca_row_interchange *interchange, *left;
    panel_state panel_state[DEPTH];
    char *u;       /* U12, widest x columns */
    int64_t begun; /* panels */
    int64_t mcast_ready, interchanges_begun, interchanges_ready;
    int64_t *ipiv;
    int64_t info;
    int64_t *source, *place; /* [m] see permute_left() */
    int64_t *from, *to;      /* [m] */
    hesca_request_set requests;
    int64_t *outcome; /* info and pivots, for processes outside of the grid */
} lu;

/* --- panels and chunks ---
 * Bounds depend on the layout and the agreed width only. */

/* The columns of one process are cut into panels of equal width. */
static int64_t
panel_end(const lu *f, int64_t k0)
{
    const int64_t width = hesca_local_cols_end(&f->part, k0, f->k) - k0;
    const int64_t parts = (width + f->widest - 1) / f->widest;
    return k0 + (width + parts - 1) / parts;
}

static int
find_panels(lu *f)
{
    f->npanels = 0;
    for (int64_t k = 0; k < f->k; k = panel_end(f, k))
        ++f->npanels;
    f->bound = malloc((size_t)(f->npanels + 1) * sizeof *f->bound);
    if (f->bound == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld panels",
                          (long long)f->npanels);
    f->bound[0] = 0;
    for (int64_t t = 0; t < f->npanels; ++t)
        f->bound[t + 1] = panel_end(f, f->bound[t]);
    return HESCA_SUCCESS;
}

static int
has_next(const lu *f, const panel_state *s)
{
    return s->k1 < f->k;
}

/* The end of the chunk of columns that begins at j. The next panel is a chunk;
 * the others end at the same columns for all panels. */
static int64_t
chunk_end(const lu *f, const panel_state *s, int64_t j)
{
    if (j == s->k1 && has_next(f, s))
        return panel_end(f, j);
    return hesca_min((j / f->stride + 1) * f->stride, f->n);
}

/* --- messages ---
 * Every wait makes progress with all messages, so no process blocks another
 * one. */

static int
progress(void *self)
{
    lu *f = self;
    int err;
    HESCA_TRY(err, hesca_request_set_advance(&f->requests));
    HESCA_TRY(err, hesca_panel_advance(&f->panel));
    HESCA_TRY(err, hesca_panel_mcast_advance(f->mcast, &f->mcast_ready));
    hesca_row_interchange_advance(f->interchange, &f->interchanges_ready);
    hesca_row_interchange_advance(f->left, NULL);
fail:
    return err;
}

typedef int (*condition)(lu *f, int64_t x);

static int
head_is_here(lu *f, int64_t x)
{
    (void)x;
    return f->panel.has_head;
}

static int
panel_may_begin(lu *f, int64_t x)
{
    (void)x;
    return hesca_panel_may_begin(&f->panel);
}

static int
panels_are_here(lu *f, int64_t x)
{
    return f->mcast_ready >= x;
}

static int
interchanges_are_here(lu *f, int64_t x)
{
    return f->interchanges_ready >= x;
}

static int
interchange_may_begin(lu *f, int64_t x)
{
    (void)x;
    return hesca_row_interchange_may_begin(f->interchange);
}

static int
all_is_over(lu *f, int64_t x)
{
    (void)x;
    return hesca_panel_is_over(&f->panel) &&
           hesca_row_interchange_is_over(f->interchange);
}

static int
wait(lu *f, condition is_true, int64_t x, const char *what)
{
    hesca_backoff pause = hesca_backoff_begin(f->c->crowded || f->c->slow);
    int err = HESCA_SUCCESS;
    while (!is_true(f, x)) {
        HESCA_TRY(err, progress(f));
        if (!is_true(f, x))
            hesca_comm_pause(f->c, &pause, what);
    }
fail:
    return err;
}

/* --- interchanges ---
 * Exchanges begin in the same order on all processes: chunk by chunk, panel
 * by panel. */

/* The interchanges of a panel as one permutation: rows that come to the top,
 * and rows that move to rows below. */
static void
sort_rows(panel_state *s)
{
    const int64_t *pivots = hesca_head_pivots(&s->head);
    const int64_t width = s->k1 - s->k0;
    s->nmoves = 0;
    s->is_sorted = 1;
    for (int64_t c = 0; c < width; ++c)
        s->top[c] = s->k0 + c;
    for (int64_t c = 0; c < width; ++c) {
        int64_t d, *with;
        if (pivots[c] < s->k1) {
            with = &s->top[pivots[c] - s->k0];
        } else {
            for (d = 0; d < s->nmoves && s->to[d] != pivots[c]; ++d)
                ;
            if (d == s->nmoves) {
                s->to[d] = s->from[d] = pivots[c];
                ++s->nmoves;
            }
            with = &s->from[d];
        }
        const int64_t row = *with;
        *with = s->top[c];
        s->top[c] = row;
    }
}

static char *
u_of(const lu *f, int64_t local_col)
{
    return f->u + (local_col - f->col_begin) * f->widest * f->esize;
}

/* Begin to exchange the chunks that end at or before column end. */
static int
begin_interchanges(lu *f, panel_state *s, int64_t end)
{
    int err = HESCA_SUCCESS;
    if (!s->is_sorted)
        sort_rows(s);
    const hesca_row_interchange_rows rows = {.ntops = s->k1 - s->k0,
                                             .nmoves = s->nmoves,
                                             .top = s->top,
                                             .from = s->from,
                                             .to = s->to};
    while (s->exchanged < f->n) {
        const int64_t j = s->exchanged, to = chunk_end(f, s, j);
        if (to > end)
            break;
        HESCA_TRY(err, wait(f, interchange_may_begin, 0, "rows to be taken"));
        HESCA_TRY(err, hesca_row_interchange_begin(
                           f->interchange, &rows, j, to, f->a, f->lld,
                           u_of(f, hesca_local_col(&f->part, j)), f->widest));
        ++f->interchanges_begun;
        s->exchanged = to;
    }
fail:
    return err;
}

/* --- a panel ---
 * Panel t is in panel_state[t % DEPTH]; all earlier panels have updated
 * its columns when it begins. */

static void
take_head(lu *f, const panel_state *s)
{
    const int64_t info = *hesca_head_info(&s->head);
    if (info > 0 && f->info == 0)
        f->info = s->k0 + info;
    memcpy(f->ipiv + s->k0, hesca_head_pivots(&s->head),
           (size_t)(s->k1 - s->k0) * sizeof *f->ipiv);
    hesca_panel_store_head(&f->panel);
}

/* Factor the next panel, and begin its multicast. */
static int
begin_panel(lu *f)
{
    panel_state *s = &f->panel_state[f->begun % DEPTH];
    int err;
    s->k0 = f->bound[f->begun];
    s->k1 = f->bound[f->begun + 1];
    s->head.width = s->k1 - s->k0;
    s->exchanged = s->k1;
    s->is_sorted = 0;
    ++f->begun;
    HESCA_TRY(err, wait(f, panel_may_begin, 0, "pivots to be taken"));
    HESCA_TRY(err, hesca_panel_begin(&f->panel, s->k0, s->k1, &s->head));
    if (hesca_panel_is_member(&f->panel))
        HESCA_TRY(err, hesca_panel_factor(&f->panel));
    HESCA_TRY(err, hesca_panel_mcast_begin(f->mcast, s->k0, s->k1, s->k1, f->a,
                                           f->lld, s->l, s->ldl));
fail:
    return err;
}

/* --- updates ---
 * A chunk is updated by panel t when its rows are exchanged and L21 is
 * here, after all earlier panels. */

/* Store the rows of U that this process owns into A. */
static void
store_u(const lu *f, const panel_state *s, int64_t c0, int64_t c1)
{
    const int64_t row = hesca_local_row(&f->part, s->k0);
    const int64_t end = hesca_local_row(&f->part, s->k1);
    int64_t index[WIDEST];
    hesca_local_row_indices(&f->part, row, end, index);
    for (int64_t c = c0; c < c1 && row < end; ++c)
        for (int64_t r = row, len; r < end; r += len) {
            for (len = 1; r + len < end; ++len)
                if (index[r - row + len] != index[r - row] + len)
                    break;
            memcpy(f->a + (r + c * f->lld) * f->esize,
                   u_of(f, c) + (index[r - row] - s->k0) * f->esize,
                   (size_t)(len * f->esize));
        }
}

/* Update local columns c0 ... c1 - 1, in pieces. */
static int
multiply(lu *f, const panel_state *s, int64_t c0, int64_t c1)
{
    const int64_t width = s->k1 - s->k0,
                  row = hesca_local_row(&f->part, s->k1);
    const int64_t rows = f->row_end - row;
    if (rows == 0)
        return HESCA_SUCCESS;
    const double column = 2.0 * (double)rows * (double)width;
    const double piece = hesca_comm_is_node(f->c) ? PIECE : PIECE_FAR;
    const int64_t most = hesca_max(32, (int64_t)(piece / column));
    int err = HESCA_SUCCESS;
    for (int64_t c = c0; c < c1; c += most) {
        const int64_t n = hesca_min(most, c1 - c);
        hesca_kernel_gemm(f->type, 'N', 'N', rows, n, width,
                          hesca_minus_one(f->type), s->l, s->ldl, u_of(f, c),
                          f->widest, hesca_one(f->type),
                          f->a + (row + c * f->lld) * f->esize, f->lld);
        HESCA_TRY(err, progress(f));
    }
fail:
    return err;
}

/* Update the next chunk, which ends at column *j. */
static int
update(lu *f, const panel_state *s, int64_t *chunk, int64_t *j)
{
    const int64_t end = chunk_end(f, s, *j), width = s->k1 - s->k0;
    const int64_t c0 = hesca_local_col(&f->part, *j);
    const int64_t c1 = hesca_local_col(&f->part, end);
    int err;
    *j = end;
    HESCA_TRY(err, wait(f, interchanges_are_here, ++*chunk, "rows of U"));
    if (hesca_local_row(&f->part, s->k0) == f->row_end || c0 == c1)
        return err;
    hesca_kernel_trsm(f->type, 'L', 'L', 'N', 'U', width, c1 - c0,
                      hesca_one(f->type), hesca_head_block(&s->head), width,
                      u_of(f, c0), f->widest);
    store_u(f, s, c0, c1);
    HESCA_TRY(err, multiply(f, s, c0, c1));
fail:
    return err;
}

/* Steps 3 and 4 of panel t, and steps 1 and 2 of the next one. */
static int
step(lu *f, int64_t t)
{
    panel_state *s = &f->panel_state[t % DEPTH],
                *next = &f->panel_state[(t + 1) % DEPTH];
    int64_t j = s->k1, chunk = s->chunks;
    int err;
    HESCA_TRY(err, wait(f, head_is_here, 0, "pivots"));
    take_head(f, s);
    HESCA_TRY(err, begin_interchanges(f, s, f->n));
    next->chunks = f->interchanges_begun;
    HESCA_TRY(err, wait(f, panels_are_here, t + 1, "a panel"));
    HESCA_TRY(err, hesca_panel_mcast_wait(f->mcast));
    if (has_next(f, s)) {
        HESCA_TRY(err, update(f, s, &chunk, &j));
        HESCA_TRY(err, begin_panel(f));
    }
    while (j < f->n) {
        HESCA_TRY(err, update(f, s, &chunk, &j));
        if (has_next(f, s) && f->panel.has_head)
            HESCA_TRY(err, begin_interchanges(f, next, j));
    }
fail:
    return err;
}

/* --- the left ---
 * Columns of L take part once, after the last panel: source is then a
 * permutation of the rows. */

/* source[i] is the row that the interchanges of all panels from t on move to
 * row i, place its inverse. Add the interchange of rows a and b before
 * them. */
static void
precede(int64_t *source, int64_t *place, int64_t a, int64_t b)
{
    const int64_t at_a = place[a], at_b = place[b];
    source[at_a] = b;
    source[at_b] = a;
    place[a] = at_b;
    place[b] = at_a;
}

static int
left_may_begin(lu *f, int64_t x)
{
    (void)x;
    return hesca_row_interchange_may_begin(f->left);
}

static int
left_is_over(lu *f, int64_t x)
{
    (void)x;
    return hesca_row_interchange_is_over(f->left);
}

/* List the rows from row k on that move. */
static hesca_row_interchange_rows
list_left(const lu *f, int64_t k)
{
    int64_t n = 0;
    for (int64_t i = k; i < f->m; ++i)
        if (f->source[i] != i) {
            f->from[n] = f->source[i];
            f->to[n++] = i;
        }
    return (hesca_row_interchange_rows){
        .nmoves = n, .from = f->from, .to = f->to};
}

/* Apply to each panel's columns the interchanges of all later panels. */
static int
permute_left(lu *f)
{
    int err = HESCA_SUCCESS;
    for (int64_t i = 0; i < f->m; ++i)
        f->source[i] = f->place[i] = i;
    for (int64_t t = f->npanels - 1; t > 0; --t) {
        const int64_t j0 = f->bound[t - 1], j1 = f->bound[t];
        for (int64_t c = f->bound[t + 1] - 1; c >= j1; --c)
            precede(f->source, f->place, c, f->ipiv[c]);
        if (hesca_local_col(&f->part, j0) == hesca_local_col(&f->part, j1))
            continue; /* no owner of these columns sends rows here */
        const hesca_row_interchange_rows rows = list_left(f, j1);
        HESCA_TRY(err, wait(f, left_may_begin, 0, "rows to be taken"));
        HESCA_TRY(err, hesca_row_interchange_begin(f->left, &rows, j0, j1,
                                                   f->a, f->lld, NULL, 0));
    }
    HESCA_TRY(err, wait(f, left_is_over, 0, "rows of L"));
fail:
    return err;
}

/* --- processes outside ---
 * Every process outside of the grid receives one message, from a process
 * of the grid. */

/* Send pivots and info to all processes outside of the grid; each process of
 * the grid sends to some of them. */
static int
send_outside(lu *f)
{
    const hesca_layout *x = f->part.layout;
    const int nprocs = x->nprow * x->npcol;
    const int64_t bytes = (f->k + 1) * (int64_t)sizeof(int64_t);
    int64_t left = 0;
    int err = HESCA_SUCCESS, outside = 0;
    hesca_backoff pause = hesca_backoff_begin(f->c->crowded || f->c->slow);
    f->outcome[0] = f->info;
    if (f->k > 0)
        memcpy(f->outcome + 1, f->ipiv, (size_t)f->k * sizeof *f->ipiv);
    for (int r = 0; r < f->c->size; ++r) {
        int prow, pcol;
        if (hesca_layout_coords(x, r, &prow, &pcol))
            continue;
        const int from = x->ranks[outside++ % nprocs];
        if (r == f->c->rank)
            HESCA_TRY(err,
                      hesca_request_set_receive(&f->requests, from, TAG_PIVOTS,
                                                f->outcome, bytes, &left));
        else if (from == f->c->rank)
            HESCA_TRY(err, hesca_request_set_send(&f->requests, r, TAG_PIVOTS,
                                                  f->outcome, bytes, &left));
    }
    while (left > 0) {
        HESCA_TRY(err, hesca_request_set_advance(&f->requests));
        if (left > 0)
            hesca_comm_pause(f->c, &pause, "pivots");
    }
    f->info = f->outcome[0];
    if (f->k > 0)
        memcpy(f->ipiv, f->outcome + 1, (size_t)f->k * sizeof *f->ipiv);
fail:
    return err;
}

/* --- memory ---
 * All memory is allocated before the first message; sizes are bounds over
 * all panels. */

static int
make_panel_state(const lu *f, panel_state *s)
{
    const int64_t first = hesca_local_row(&f->part, 0);
    s->ldl = hesca_max(1, f->row_end - first);
    s->l = hesca_staging_block((size_t)(s->ldl * f->widest * f->esize));
    s->head.data = malloc(hesca_head_bytes(f->widest, (size_t)f->esize));
    s->top = malloc((size_t)(3 * f->widest) * sizeof *s->top);
    if (s->l == NULL || s->head.data == NULL || s->top == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0,
                          "a panel of %lld x %lld elements", (long long)s->ldl,
                          (long long)f->widest);
    s->from = s->top + f->widest;
    s->to = s->from + f->widest;
    return HESCA_SUCCESS;
}

static hesca_panel_mcast_spec
panels_of(const lu *f)
{
    const hesca_layout *x = f->part.layout;
    return (hesca_panel_mcast_spec){.source = x,
                                    .i = f->part.i,
                                    .j = f->part.j,
                                    .along = HESCA_COLS,
                                    .extent = f->m,
                                    .k = f->k,
                                    .width = f->widest,
                                    .target = x,
                                    .by = HESCA_ROWS,
                                    .origin = f->part.i,
                                    .forwards = 1,
                                    .need_from = f->part.j,
                                    .need = f->n,
                                    .esize = (size_t)f->esize};
}

/* Bytes for each column of a panel: L21 and its multicast, rows of U and their
 * exchanges, exchanges on the left, and the whole and the packed panel on the
 * root. */
static int64_t
room(const lu *f)
{
    const hesca_panel_mcast_spec what = panels_of(f);
    const int64_t m = hesca_local_row(&f->part, f->m);
    const int64_t n = hesca_local_col(&f->part, f->n);
    const int64_t whole = f->part.layout->nprow > 1 ? 2 * f->m : 0;
    return hesca_panel_mcast_bytes(f->c, &what, DEPTH) +
           ((DEPTH + 2 * LEFT_DEPTH) * m + 3 * n + whole) * f->esize;
}

/* The width of panels for which HESCA_BUFFER suffices. */
static int64_t
widest(const lu *f)
{
    return !f->part.here
               ? WIDEST
               : hesca_clamp((int64_t)f->c->params.buffer / (room(f) + 1), 1,
                             WIDEST);
}

static int
make_messages(lu *f)
{
    const hesca_layout *x = f->part.layout;
    const hesca_panel_mcast_spec panels = panels_of(f);
    hesca_row_interchange_spec rows = {.layout = x,
                                       .i = f->part.i,
                                       .j = f->part.j,
                                       .m = f->m,
                                       .n = f->n,
                                       .esize = (size_t)f->esize,
                                       .tops = f->widest,
                                       .moves = f->widest,
                                       .width =
                                           hesca_max(f->stride, f->widest)};
    int err;
    HESCA_TRY(err, hesca_panel_mcast_create(f->c, &panels, TAG_PANEL, DEPTH,
                                            &f->mcast));
    HESCA_TRY(err, hesca_row_interchange_create(
                       &f->requests, &rows, TAG_INTERCHANGE,
                       (int)(f->n / f->stride) + 3, &f->interchange));
    rows.tops = 0;
    rows.moves = f->m;
    rows.width = f->widest;
    HESCA_TRY(err, hesca_row_interchange_create(&f->requests, &rows,
                                                TAG_INTERCHANGE, LEFT_DEPTH,
                                                &f->left));
    f->panel = (hesca_panel){.requests = &f->requests,
                             .type = f->type,
                             .part = f->part,
                             .m = f->m,
                             .widest = f->widest,
                             .a = f->a,
                             .lld = f->lld,
                             .tag_rows = TAG_ROWS,
                             .tag_head = TAG_HEAD,
                             .meanwhile = {progress, f}};
    HESCA_TRY(err, hesca_panel_init(&f->panel, f->npanels, f->bound));
fail:
    return err;
}

static int
make_outside(lu *f)
{
    const int64_t bytes = (f->k + 1) * (int64_t)sizeof(int64_t);
    f->outcome = malloc((size_t)bytes);
    if (f->outcome == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld pivots", (long long)f->k);
    hesca_request_set_reserve(&f->requests, f->c->size, f->c->size * bytes);
    return HESCA_SUCCESS;
}

static int
make(lu *f)
{
    int err;
    f->stride = hesca_max(NARROWEST, (f->n + CHUNKS - 1) / CHUNKS);
    f->row_end = hesca_local_row(&f->part, f->m);
    f->col_begin = hesca_local_col(&f->part, 0);
    f->col_end = hesca_local_col(&f->part, f->n);
    HESCA_TRY(err, make_outside(f));
    HESCA_TRY(err, find_panels(f));
    if (!f->part.here)
        return hesca_request_set_init(&f->requests);
    const int64_t columns = f->col_end - f->col_begin;
    f->u = hesca_staging_block((size_t)(columns * f->widest * f->esize) + 1);
    f->source = malloc((size_t)(4 * f->m + 1) * sizeof *f->source);
    if (f->u == NULL || f->source == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld rows of %lld elements",
                          (long long)f->widest, (long long)columns);
    f->place = f->source + f->m;
    f->from = f->place + f->m;
    f->to = f->from + f->m;
    if (hesca_local_row(&f->part, f->m) == 0 ||
        hesca_local_col(&f->part, f->n) == 0) {
        f->a = f->u; /* never accessed */
        f->lld = 1;
    }
    for (int k = 0; k < DEPTH; ++k)
        HESCA_TRY(err, make_panel_state(f, &f->panel_state[k]));
    HESCA_TRY(err, make_messages(f));
    HESCA_TRY(err, hesca_request_set_init(&f->requests));
fail:
    return err;
}

static void
clear(lu *f)
{
    for (int k = 0; k < DEPTH; ++k) {
        hesca_staging_unblock(f->panel_state[k].l);
        free(f->panel_state[k].head.data);
        free(f->panel_state[k].top);
    }
    hesca_panel_mcast_free(f->mcast);
    hesca_row_interchange_free(f->interchange);
    hesca_row_interchange_free(f->left);
    hesca_panel_clear(&f->panel);
    hesca_request_set_clear(&f->requests);
    free(f->outcome);
    free(f->bound);
    free(f->source);
    hesca_staging_unblock(f->u);
}

/* --- the call ---
 * Afterwards info and ipiv are the same on all processes of comm, inside
 * and outside of the grid. */

static int
factor(lu *f)
{
    int err = HESCA_SUCCESS;
    if (f->part.here && f->npanels > 0) {
        HESCA_TRY(err, begin_panel(f));
        for (int64_t t = 0; t < f->npanels; ++t)
            HESCA_TRY(err, step(f, t));
        HESCA_TRY(err, wait(f, all_is_over, 0, "messages to be taken"));
        HESCA_TRY(err, hesca_panel_mcast_end(f->mcast));
        HESCA_TRY(err, permute_left(f));
    }
    HESCA_TRY(err, send_outside(f));
fail:
    return err;
}

/* Check the arguments, and set what follows from them. */
static int
check(lu *f, hesca_comm *c, const hesca_matrix *a, const int64_t *info)
{
    const int64_t m = f->m, n = f->n, *ipiv = f->ipiv;
    hesca_args x = hesca_args_begin(GETRF, c);
    f->type = hesca_args_type(&x, 1, f->type);
    hesca_args_size(&x, 2, "m", m);
    hesca_args_size(&x, 3, "n", n);
    hesca_args_matrix(&x, 4, "a", a, m, n);
    if (m > 0 && n > 0)
        hesca_args_pointer(&x, 5, "ipiv", ipiv);
    hesca_args_pointer(&x, 7, "info", info);
    if (x.err == HESCA_SUCCESS && m > INT32_MAX)
        x.err = hesca_fail(HESCA_ERR_UNSUPPORTED, 2,
                           "%s: argument 2, m, is %lld: LAPACK counts rows of "
                           "a panel below 2^31",
                           GETRF, (long long)m);
    f->widest = 1;
    f->c = f->requests.comm = c;
    f->esize = (int64_t)hesca_type_size(f->type);
    if (x.err == HESCA_SUCCESS) {
        f->a = a->local;
        f->lld = a->lld;
        f->part = hesca_local_make(a->layout, a->i, a->j, c->rank);
        f->widest = widest(f);
    }
    return hesca_args_agree(&x, 1, &f->widest);
}

int
hesca_getrf(hesca_type type, int64_t m, int64_t n, const hesca_matrix *a,
            int64_t *ipiv, MPI_Comm comm, int64_t *info)
{
    hesca_comm *c;
    lu f = {.type = type, .m = m, .n = n, .k = hesca_min(m, n), .ipiv = ipiv};
    int err;
    hesca_caller_enter(GETRF);
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    HESCA_TRY(err, check(&f, c, a, info));
    HESCA_TRY(err, hesca_agree(c, make(&f), 0, NULL));
    HESCA_TRY(err, factor(&f));
    *info = f.info;
fail:
    clear(&f);
    return err;
}
