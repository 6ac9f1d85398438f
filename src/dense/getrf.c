/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factorization with partial pivoting by panels.
 *
 * A panel is a few columns that every process row has in one process.  Its
 * columns are updated by all earlier panels, it is factored by its process
 * column, and sent while the columns to the right are updated: on any grid in
 * getrf_grid.c, on one process row, where rows are interchanged without
 * messages, in getrf_row.c.
 *
 * Columns to the left of a panel are not needed until the end. Then the
 * interchanges of all later panels are one permutation: each row is sent once.
 * On one process row, if the factors are copied back meanwhile, rows shall be
 * final early, and each group of panels interchanges these columns, too.
 *
 * Source: ScaLAPACK's PDGETRF; U12 on every process as in the HPL benchmark;
 * ragged owners: HMPI thesis chapter 5. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/args.h"
#include "dense/factor.h"
#include "dense/getrf_job.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "hesca/experimental/dense.h"
#include <stdlib.h>
#include <string.h>

static const char GETRF[] = "hesca_getrf";

enum {
    CHUNKS = 8,      /* of columns, exchanged one by one */
    NARROWEST = 128, /* of these chunks */
    LEFT_DEPTH = 3,  /* exchanges on the left in flight */
    COLUMNS = 256,   /* of a group of panels, at most, */
    SPAN = 8,        /* and panels */
    GROUPS = 12      /* so many at least, else groups have fewer panels */
};

enum {
    TAG_PANEL = HESCA_TAG_PANEL_MCAST,
    TAG_ROWS,
    TAG_HEAD,
    TAG_INTERCHANGE,
    TAG_PIVOTS
};

/* --- panels ---
 * Bounds depend on the layout and the agreed width only. */

/* The columns of one process are cut into panels of equal width. */
int64_t
hesca_lu_panel_end(const hesca_lu *f, int64_t k0)
{
    const int64_t width = hesca_local_cols_end(&f->part, k0, f->k) - k0;
    const int64_t parts = (width + f->widest - 1) / f->widest;
    return k0 + (width + parts - 1) / parts;
}

static int
find_panels(hesca_lu *f)
{
    f->npanels = 0;
    for (int64_t k = 0; k < f->k; k = hesca_lu_panel_end(f, k))
        ++f->npanels;
    f->bound = malloc((size_t)(f->npanels + 1) * sizeof *f->bound);
    if (f->bound == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld panels",
                          (long long)f->npanels);
    f->bound[0] = 0;
    for (int64_t t = 0; t < f->npanels; ++t)
        f->bound[t + 1] = hesca_lu_panel_end(f, f->bound[t]);
    return HESCA_SUCCESS;
}

/* --- messages ---
 * Every wait makes progress with all messages, so no process blocks another
 * one. */

int
hesca_lu_progress(void *self)
{
    hesca_lu *f = self;
    int err;
    HESCA_TRY(err, hesca_request_set_advance(&f->requests));
    HESCA_TRY(err, hesca_panel_advance(&f->panel));
    HESCA_TRY(err, hesca_panel_mcast_advance(f->mcast, &f->mcast_ready));
    hesca_row_interchange_advance(f->interchange, &f->interchanges_ready);
    hesca_row_interchange_advance(f->left, NULL);
    HESCA_TRY(err, hesca_background_advance(f->copies, f->nfinal));
fail:
    return err;
}

static int
panel_may_begin(hesca_lu *f, int64_t x)
{
    (void)x;
    return hesca_panel_may_begin(&f->panel);
}

int
hesca_lu_wait(hesca_lu *f, hesca_lu_condition is_true, int64_t x,
              const char *what)
{
    hesca_backoff pause = hesca_comm_backoff(f->c);
    int err = HESCA_SUCCESS;
    while (!is_true(f, x)) {
        HESCA_TRY(err, hesca_lu_progress(f));
        if (!is_true(f, x))
            hesca_comm_pause(f->c, &pause, what);
    }
fail:
    return err;
}

int
hesca_lu_has_arrived(hesca_lu *f, int64_t end)
{
    return f->copies == NULL ||
           hesca_local_col(
               &f->part,
               hesca_min(hesca_background_arrived(f->copies), f->n)) >= end;
}

int
hesca_lu_await_columns(hesca_lu *f, int64_t end)
{
    return hesca_lu_wait(f, hesca_lu_has_arrived, end, "columns");
}

/* --- a panel ---
 * Panel t is in panel_state[t % HESCA_LU_DEPTH]; all earlier panels have
 * updated its columns when it begins. */

void
hesca_lu_take_head(hesca_lu *f, const hesca_lu_panel *s)
{
    const int64_t info = *hesca_head_info(&s->head);
    if (info > 0 && f->info == 0)
        f->info = s->k0 + info;
    memcpy(f->ipiv + s->k0, hesca_head_pivots(&s->head),
           (size_t)(s->k1 - s->k0) * sizeof *f->ipiv);
    hesca_panel_store_head(&f->panel);
}

static int
slot_is_free(hesca_lu *f, int64_t t)
{
    return hesca_panel_mcast_is_released(f->mcast, t - HESCA_LU_SHARED + 1);
}

int
hesca_lu_begin_panel(hesca_lu *f, char *l, int64_t ldl)
{
    hesca_lu_panel *s = &f->panel_state[f->begun % HESCA_LU_DEPTH];
    int err;
    if (f->shared != NULL) {
        HESCA_TRY(err, hesca_lu_wait(f, slot_is_free, f->begun,
                                     "its panels to be taken"));
        l = f->slot[f->begun % HESCA_LU_SHARED];
        ldl = f->ldl;
    }
    s->k0 = f->bound[f->begun];
    s->k1 = f->bound[f->begun + 1];
    s->head.width = s->k1 - s->k0;
    s->l = l;
    s->ldl = ldl;
    s->exchanged = s->k1;
    s->is_sorted = 0;
    ++f->begun;
    HESCA_TRY(err, hesca_lu_wait(f, panel_may_begin, 0, "pivots to be taken"));
    HESCA_TRY(err, hesca_panel_begin(&f->panel, s->k0, s->k1, &s->head));
    if (hesca_panel_is_member(&f->panel))
        HESCA_TRY(err, hesca_panel_factor(&f->panel));
    HESCA_TRY(err, hesca_panel_mcast_begin(f->mcast, s->k0, s->k1, s->k1, f->a,
                                           f->lld, s->l, s->ldl));
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
left_may_begin(hesca_lu *f, int64_t x)
{
    (void)x;
    return hesca_row_interchange_may_begin(f->left);
}

static int
left_is_over(hesca_lu *f, int64_t x)
{
    (void)x;
    return hesca_row_interchange_is_over(f->left);
}

/* List the rows from row k on that move. */
static hesca_row_interchange_rows
list_left(const hesca_lu *f, int64_t k)
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
permute_left(hesca_lu *f)
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
        HESCA_TRY(err,
                  hesca_lu_wait(f, left_may_begin, 0, "rows to be taken"));
        HESCA_TRY(err, hesca_row_interchange_begin(f->left, &rows, j0, j1,
                                                   f->a, f->lld, NULL, 0));
    }
    HESCA_TRY(err, hesca_lu_wait(f, left_is_over, 0, "rows of L"));
fail:
    return err;
}

/* --- processes outside ---
 * Every process outside of the grid receives one message, from a process
 * of the grid. */

/* Send pivots and info to all processes outside of the grid; each process of
 * the grid sends to some of them. */
static int
send_outside(hesca_lu *f)
{
    const hesca_layout *x = f->part.layout;
    const int nprocs = x->nprow * x->npcol;
    const int64_t bytes = (f->k + 1) * (int64_t)sizeof(int64_t);
    int64_t left = 0;
    int err = HESCA_SUCCESS, outside = 0;
    hesca_backoff pause = hesca_comm_backoff(f->c);
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

/* Whether all rows of a column are in one process. */
static int
is_row(const hesca_lu *f)
{
    return f->part.layout->nprow == 1;
}

static int
make_panel_state(const hesca_lu *f, hesca_lu_panel *s)
{
    s->head.data = malloc(hesca_head_bytes(f->widest, (size_t)f->esize));
    s->top = malloc((size_t)(5 * f->widest) * sizeof *s->top);
    if (s->head.data == NULL || s->top == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "pivots of %lld columns",
                          (long long)f->widest);
    s->from = s->top + f->widest;
    s->to = s->from + 2 * f->widest;
    return HESCA_SUCCESS;
}

static int
make_panels(hesca_lu *f)
{
    const int64_t width = f->span * f->widest;
    int err = HESCA_SUCCESS;
    f->ldl = hesca_max(1, f->row_end - hesca_local_row(&f->part, 0));
    for (int k = 0; k < HESCA_LU_DEPTH; ++k) {
        HESCA_TRY(err, make_panel_state(f, &f->panel_state[k]));
        if (f->shared != NULL && !is_row(f))
            continue;
        f->l[k] = hesca_staging_block((size_t)(f->ldl * width * f->esize));
        if (f->l[k] == NULL)
            HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                      "a panel of %lld x %lld elements",
                                      (long long)f->ldl, (long long)width));
    }
fail:
    return err;
}

static hesca_panel_mcast_spec
panels_of(const hesca_lu *f)
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
                                    .esize = (size_t)f->esize,
                                    .shared = f->shared};
}

/* Bytes for each column of a panel: L21 and its multicast, rows of U and their
 * exchanges, exchanges on the left, and the whole and the packed panel on the
 * root. */
static int64_t
room(const hesca_lu *f)
{
    const hesca_panel_mcast_spec what = panels_of(f);
    const int64_t m = hesca_local_row(&f->part, f->m);
    const int64_t n = hesca_local_col(&f->part, f->n);
    const int64_t exchanges =
        is_row(f) ? 0 : 2 * LEFT_DEPTH * m + 3 * n + 2 * f->m;
    return hesca_panel_mcast_bytes(f->c, &what, HESCA_LU_DEPTH) +
           (HESCA_LU_DEPTH * f->span * m + exchanges) * f->esize;
}

/* The width of panels for which HESCA_BUFFER suffices. */
static int64_t
widest(const hesca_lu *f)
{
    return !f->part.here
               ? HESCA_LU_WIDEST
               : hesca_clamp((int64_t)f->c->params.buffer / (room(f) + 1), 1,
                             HESCA_LU_WIDEST);
}

/* On one process row: the widest panel of the layout, and the most panels of a
 * group for which HESCA_BUFFER suffices with panels of that width; fewer if
 * they are few, because nothing but panels is updated before the first group
 * is complete. */
static int64_t
find_span(hesca_lu *f)
{
    int64_t n = 0, width = 1;
    if (!is_row(f))
        return 1;
    f->widest = HESCA_LU_WIDEST;
    for (int64_t k0 = 0, k1; k0 < f->k; k0 = k1, ++n) {
        k1 = hesca_lu_panel_end(f, k0);
        width = hesca_max(width, k1 - k0);
    }
    f->widest = width;
    f->span = hesca_clamp(n / GROUPS, 1, hesca_min(SPAN, COLUMNS / width));
    while (f->part.here && f->span > 1 && widest(f) < width)
        --f->span;
    return f->span;
}

static int
make_messages(hesca_lu *f)
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
    HESCA_TRY(err, hesca_panel_mcast_create(f->c, &panels, TAG_PANEL,
                                            HESCA_LU_DEPTH, &f->mcast));
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
                             .meanwhile = {hesca_lu_progress, f}};
    HESCA_TRY(err, hesca_panel_init(&f->panel, f->npanels, f->bound));
fail:
    return err;
}

static int
make_outside(hesca_lu *f)
{
    const int64_t bytes = (f->k + 1) * (int64_t)sizeof(int64_t);
    f->outcome = malloc((size_t)bytes);
    if (f->outcome == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld pivots", (long long)f->k);
    hesca_request_set_reserve(&f->requests, f->c->size, f->c->size * bytes);
    return HESCA_SUCCESS;
}

/* Memory that the node shares, for panels of each process row; none is no
 * error. */
static int
share(hesca_lu *f, hesca_comm *c)
{
    const hesca_panel_mcast_spec what = panels_of(f);
    int64_t most;
    int nteams, team, err;
    if (f->k == 0 || !hesca_panel_mcast_may_share(c, &what))
        return HESCA_SUCCESS;
    hesca_panel_mcast_teams(c, &what, &nteams, &team, &most);
    const int64_t bytes = hesca_max(most, 1) * f->widest * f->esize;
    HESCA_TRY(err, hesca_segment_get(c, nteams * HESCA_LU_SHARED * bytes,
                                     &f->shared));
    for (int k = 0; k < HESCA_LU_SHARED && f->shared != NULL; ++k)
        f->slot[k] = f->shared->memory + (team * HESCA_LU_SHARED + k) * bytes;
fail:
    return err;
}

static int
make(hesca_lu *f)
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
    f->u = hesca_staging_block(
        (size_t)(is_row(f) ? 0 : columns * f->widest * f->esize) + 1);
    f->source = malloc((size_t)(4 * f->m + 1) * sizeof *f->source);
    f->line = malloc((size_t)(2 * f->span * f->widest * f->esize));
    if (f->u == NULL || f->source == NULL || f->line == NULL)
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
    HESCA_TRY(err, make_panels(f));
    HESCA_TRY(err, make_messages(f));
    HESCA_TRY(err, hesca_request_set_init(&f->requests));
fail:
    return err;
}

static void
clear(hesca_lu *f)
{
    for (int k = 0; k < HESCA_LU_DEPTH; ++k) {
        hesca_staging_unblock(f->l[k]);
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
    free(f->line);
    hesca_staging_unblock(f->u);
}

/* --- the call ---
 * Afterwards info and ipiv are the same on all processes of comm, inside
 * and outside of the grid. */

static int
factor(hesca_lu *f)
{
    int err = HESCA_SUCCESS;
    if (f->part.here && f->npanels > 0) {
        HESCA_TRY(err, is_row(f) ? hesca_lu_factor_row(f)
                                 : hesca_lu_factor_grid(f));
        if (!is_row(f) || f->copies == NULL)
            HESCA_TRY(err, permute_left(f));
    }
    HESCA_TRY(err, hesca_background_end(f->copies));
    HESCA_TRY(err, send_outside(f));
fail:
    return err;
}

/* Check the arguments, and set what follows from them. */
static int
check(hesca_lu *f, hesca_comm *c, const hesca_matrix *a, const int64_t *info)
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
    int64_t least[2] = {1, 1};
    int err;
    f->span = 1;
    f->c = f->requests.comm = c;
    f->esize = (int64_t)hesca_type_size(f->type);
    if (x.err == HESCA_SUCCESS) {
        f->a = a->local;
        f->lld = a->lld;
        f->part = hesca_local_make(a->layout, a->i, a->j, c->rank);
        least[1] = find_span(f);
        least[0] = is_row(f) ? hesca_min(widest(f), f->widest) : widest(f);
    }
    err = hesca_args_agree(&x, 2, least);
    f->widest = least[0];
    f->span = least[1];
    return err;
}

int
hesca_getrf_and_copy(hesca_type type, int64_t m, int64_t n,
                     const hesca_matrix *a, int64_t *ipiv,
                     hesca_background *copies, MPI_Comm comm, int64_t *info)
{
    hesca_comm *c;
    hesca_lu f = {.type = type,
                  .m = m,
                  .n = n,
                  .k = hesca_min(m, n),
                  .ipiv = ipiv,
                  .copies = copies};
    int err;
    hesca_caller_enter(GETRF);
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    HESCA_TRY(err, check(&f, c, a, info));
    HESCA_TRY(err, share(&f, c));
    HESCA_TRY(err, hesca_agree(c, make(&f), 0, NULL));
    HESCA_TRY(err, factor(&f));
    *info = f.info;
fail:
    clear(&f);
    return err;
}

int
hesca_getrf(hesca_type type, int64_t m, int64_t n, const hesca_matrix *a,
            int64_t *ipiv, MPI_Comm comm, int64_t *info)
{
    return hesca_getrf_and_copy(type, m, n, a, ipiv, NULL, comm, info);
}
