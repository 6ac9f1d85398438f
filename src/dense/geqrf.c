/* SPDX-License-Identifier: BSD-3-Clause */
/* QR factorization by panels, on any grid.
 *
 * 1. A panel's team factors it (panel_factor.h): the process with most of its
 *    rows has those of the others, and computes reflectors, R and T; all
 *    processes receive T, the team its rows.
 * 2. The reflectors go by a panel multicast to all processes that own these
 *    rows.
 * 3. Every process multiplies them with its columns to the right; processes
 *    that have the same columns exchange the sums (reflectors.h); then each
 *    updates its part: first the columns of the next panel, with which 1 and
 *    2 begin, then the others.
 *
 * Messages progress between the chunks of step 3, and rows come back to the
 * team. Operands and results do not depend on when messages arrive.
 *
 * Source: LAPACK's ?GEQRF, blocks of reflectors after Schreiber and Van Loan
 * (1989); look-ahead and panels on one process as in getrf.c. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/args.h"
#include "dense/panel_factor.h"
#include "dense/reflectors.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "hesca/experimental/dense.h"
#include <stdlib.h>
#include <string.h>

static const char GEQRF[] = "hesca_geqrf";

enum {
    WIDEST = 64, /* panel */
    DEPTH = 2,   /* panels in memory */
    SHARED = 3   /* panels in memory that the node shares */
};

enum {
    TAG_PANEL = HESCA_TAG_PANEL_MCAST,
    TAG_ROWS,
    TAG_HEAD,
    TAG_SUM,
    TAG_TAU
};

typedef struct {
    const hesca_comm *c;
    hesca_type type;
    int64_t esize, m, n, k; /* k = min(m, n) */
    hesca_local part;
    char *a;
    int64_t lld;
    int64_t widest;
    int64_t npanels, *bound; /* panel t is columns bound[t] ... */
    hesca_panel panel;
    hesca_head head[DEPTH]; /* of panel t in t % DEPTH */
    hesca_panel_mcast *mcast;
    hesca_reflectors reflectors;
    hesca_segment *shared;      /* panels arrive in it; or NULL */
    hesca_segment *shared_sums; /* the same of products, from sums on */
    char *sums;
    int nslots;
    char *slot[SHARED]; /* panel t in t % nslots */
    char *own[DEPTH];   /* slots of this process */
    int64_t ldv;
    int64_t begun;       /* panels */
    int64_t sent, ready; /* of these, by the multicast */
    char *tau;
    hesca_request_set requests;
} factorization;

/* --- panels ---
 * Bounds depend on the layout and the agreed width only. */

/* The columns of one process are cut into panels of equal width. */
static int64_t
panel_end(const factorization *f, int64_t k0)
{
    const int64_t width = hesca_local_cols_end(&f->part, k0, f->k) - k0;
    const int64_t parts = (width + f->widest - 1) / f->widest;
    return k0 + (width + parts - 1) / parts;
}

static int
find_panels(factorization *f)
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

/* --- messages ---
 * Every wait makes progress with all messages, so no process blocks another
 * one. */

/* Begin the multicast of panel f->sent, if it is factored. */
static int
send_panel(factorization *f)
{
    const int64_t t = f->sent;
    int err = HESCA_SUCCESS, done = 0;
    if (t < f->begun)
        HESCA_TRY(err, hesca_panel_finish(&f->panel, &done));
    if (!done)
        return HESCA_SUCCESS;
    ++f->sent;
    err = hesca_panel_mcast_begin(f->mcast, f->bound[t], f->bound[t + 1],
                                  f->bound[t], f->a, f->lld,
                                  f->slot[t % f->nslots], f->ldv);
fail:
    return err;
}

static int
progress(void *self)
{
    factorization *f = self;
    int err;
    HESCA_TRY(err, hesca_request_set_advance(&f->requests));
    HESCA_TRY(err, hesca_panel_advance(&f->panel));
    HESCA_TRY(err, hesca_panel_mcast_advance(f->mcast, &f->ready));
fail:
    return err;
}

/* The same where the panel that is begun has been started. */
static int
progress_all(factorization *f)
{
    int err;
    HESCA_TRY(err, progress(f));
    HESCA_TRY(err, send_panel(f));
fail:
    return err;
}

typedef int (*condition)(const factorization *f, int64_t x);

static int
wait(factorization *f, condition is_true, int64_t x, const char *what)
{
    hesca_backoff pause = hesca_comm_backoff(f->c);
    int err = HESCA_SUCCESS;
    while (!is_true(f, x)) {
        HESCA_TRY(err, progress_all(f));
        if (!is_true(f, x))
            hesca_comm_pause(f->c, &pause, what);
    }
fail:
    return err;
}

static int
slot_is_free(const factorization *f, int64_t t)
{
    return hesca_panel_mcast_is_released(f->mcast, t - f->nslots + 1);
}

static int
panel_may_begin(const factorization *f, int64_t x)
{
    (void)x;
    return hesca_panel_may_begin(&f->panel);
}

static int
panel_is_here(const factorization *f, int64_t t)
{
    return f->panel.has_head && f->ready > t;
}

static int
sums_may_begin(const factorization *f, int64_t x)
{
    (void)x;
    return !hesca_reflectors_has_sums(&f->reflectors) ||
           hesca_panel_sum_may_begin(f->reflectors.sum);
}

static int
sums_are_here(const factorization *f, int64_t x)
{
    (void)x;
    return !hesca_reflectors_has_sums(&f->reflectors) ||
           hesca_panel_sum_is_here(f->reflectors.sum);
}

static int
all_is_over(const factorization *f, int64_t x)
{
    (void)x;
    return hesca_panel_is_over(&f->panel) &&
           (!hesca_reflectors_has_sums(&f->reflectors) ||
            hesca_panel_sum_is_over(f->reflectors.sum));
}

/* --- steps --- */

/* Factor the next panel on its process; all earlier panels have updated its
 * columns. */
static int
begin_panel(factorization *f)
{
    const int64_t t = f->begun;
    hesca_head *head = &f->head[t % DEPTH];
    int err;
    HESCA_TRY(err, wait(f, slot_is_free, t, "its panels to be taken"));
    HESCA_TRY(err, wait(f, panel_may_begin, 0, "reflectors to be taken"));
    head->width = f->bound[t + 1] - f->bound[t];
    HESCA_TRY(
        err, hesca_panel_begin(&f->panel, f->bound[t], f->bound[t + 1], head));
    if (hesca_panel_is_member(&f->panel))
        HESCA_TRY(err, hesca_panel_start(&f->panel));
    ++f->begun;
    err = send_panel(f);
fail:
    return err;
}

/* Panel t is here. */
static int
take_panel(factorization *f, int64_t t)
{
    hesca_reflectors *r = &f->reflectors;
    const int64_t k0 = f->bound[t], width = f->bound[t + 1] - k0;
    const hesca_head *head = &f->head[t % DEPTH];
    const char *block = hesca_head_block(head);
    const int has_rows = hesca_panel_mcast_count(f->mcast, k0) > 0;
    int err;
    HESCA_TRY(err, hesca_panel_mcast_wait(f->mcast));
    HESCA_TRY(err, wait(f, sums_may_begin, 0, "sums to be taken"));
    for (int64_t c = 0; c < width; ++c)
        memcpy(f->tau + (k0 + c) * f->esize,
               block + c * (width + 1) * f->esize, (size_t)f->esize);
    hesca_reflectors_begin(r, k0, width,
                           has_rows ? f->slot[t % f->nslots] : NULL, f->ldv);
    hesca_reflectors_set_t(r, 'C', block);
fail:
    return err;
}

/* The end of the chunk of columns that begins at j: the next panel is a
 * chunk. */
static int64_t
chunk_end(const factorization *f, int64_t t, int64_t j)
{
    return t + 1 < f->npanels && j == f->bound[t + 1]
               ? f->bound[t + 2]
               : hesca_reflectors_chunk_end(&f->reflectors, j);
}

static int
multiply(factorization *f, int64_t t, int64_t *j)
{
    const int64_t end = chunk_end(f, t, *j);
    int err;
    HESCA_TRY(err, hesca_reflectors_multiply(&f->reflectors, *j, end));
    *j = end;
    err = progress_all(f);
fail:
    return err;
}

static int
update(factorization *f, int64_t t, int64_t *j)
{
    const int64_t end = chunk_end(f, t, *j);
    int err;
    HESCA_TRY(err, wait(f, sums_are_here, 0, "sums"));
    hesca_reflectors_update(&f->reflectors, *j, end);
    *j = end;
    err = progress_all(f);
fail:
    return err;
}

/* Apply panel t, and begin the next one. Its columns are first; other columns
 * are multiplied while their sums are awaited, and while the rows of the next
 * panel are gathered. */
static int
step(factorization *f, int64_t t)
{
    const int has_sums = hesca_reflectors_has_sums(&f->reflectors);
    int64_t j = f->bound[t + 1], multiplied = j;
    int err;
    HESCA_TRY(err, wait(f, panel_is_here, t, "a panel"));
    HESCA_TRY(err, take_panel(f, t));
    if (t + 1 < f->npanels) {
        for (int k = 0;
             has_sums && multiplied < f->n && (k == 0 || !sums_are_here(f, 0));
             ++k)
            HESCA_TRY(err, multiply(f, t, &multiplied));
        HESCA_TRY(err, update(f, t, &j));
        HESCA_TRY(err, begin_panel(f));
    }
    while (has_sums && multiplied < f->n)
        HESCA_TRY(err, multiply(f, t, &multiplied));
    while (j < f->n)
        HESCA_TRY(err, update(f, t, &j));
    hesca_panel_mcast_release(f->mcast, t + 1);
fail:
    return err;
}

static int
factor(factorization *f)
{
    int err;
    HESCA_TRY(err, begin_panel(f));
    for (int64_t t = 0; t < f->npanels; ++t)
        HESCA_TRY(err, step(f, t));
    HESCA_TRY(err, wait(f, all_is_over, 0, "messages to be taken"));
    HESCA_TRY(err, hesca_panel_mcast_end(f->mcast));
fail:
    return err;
}

/* --- processes outside ---
 * Every process outside of the grid receives one message, from a process
 * of the grid. */

static int
send_outside(factorization *f)
{
    const hesca_layout *x = f->part.layout;
    const int nprocs = x->nprow * x->npcol;
    const int64_t bytes = f->k * f->esize;
    int64_t left = 0;
    int err = HESCA_SUCCESS, outside = 0;
    hesca_backoff pause = hesca_comm_backoff(f->c);
    for (int r = 0; r < f->c->size; ++r) {
        int prow, pcol;
        if (hesca_layout_coords(x, r, &prow, &pcol))
            continue;
        const int from = x->ranks[outside++ % nprocs];
        if (r == f->c->rank)
            HESCA_TRY(err,
                      hesca_request_set_receive(&f->requests, from, TAG_TAU,
                                                f->tau, bytes, &left));
        else if (from == f->c->rank)
            HESCA_TRY(err, hesca_request_set_send(&f->requests, r, TAG_TAU,
                                                  f->tau, bytes, &left));
    }
    while (left > 0) {
        HESCA_TRY(err, hesca_request_set_advance(&f->requests));
        if (left > 0)
            hesca_comm_pause(f->c, &pause, "scalars of reflectors");
    }
fail:
    return err;
}

/* --- memory ---
 * All memory is allocated before the first message; sizes are bounds over
 * all panels. */

static hesca_panel_mcast_spec
panels_of(const factorization *f)
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

static hesca_reflectors
reflectors_of(const factorization *f)
{
    return (hesca_reflectors){.c = f->c,
                              .type = f->type,
                              .part = f->part,
                              .a = f->a,
                              .lld = f->lld,
                              .order = f->m,
                              .n = f->n,
                              .widest = f->widest,
                              .shared = f->shared_sums,
                              .user = 1,
                              .memory = f->sums};
}

/* The width of panels for which HESCA_BUFFER suffices: their multicast, the
 * whole and the packed panel, products and sums. */
static int64_t
widest(factorization *f)
{
    f->widest = WIDEST;
    if (!f->part.here)
        return WIDEST;
    const hesca_panel_mcast_spec what = panels_of(f);
    const hesca_reflectors r = reflectors_of(f);
    const int64_t rows = DEPTH * hesca_local_row(&f->part, f->m) +
                         (f->part.layout->nprow > 1 ? 2 * f->m : 0);
    const int64_t room = hesca_panel_mcast_bytes(f->c, &what, DEPTH) +
                         rows * f->esize + hesca_reflectors_bytes(&r);
    return hesca_clamp((int64_t)f->c->params.buffer / (room + 1), 1, WIDEST);
}

/* Memory that the node shares, for panels of each process row and for
 * products; none is no error. */
static int
share(factorization *f, hesca_comm *c)
{
    enum { NSLOTS = SHARED };
    const hesca_panel_mcast_spec what = panels_of(f);
    const hesca_reflectors r = reflectors_of(f);
    const int64_t sums = hesca_reflectors_shared_bytes(&r);
    hesca_segment *s = NULL;
    int64_t most = 0;
    int nteams = 0, team = 0, err = HESCA_SUCCESS;
    if (f->part.layout->npcol > 1 && hesca_panel_mcast_may_share(c, &what))
        hesca_panel_mcast_teams(c, &what, &nteams, &team, &most);
    const int64_t slot = (most * f->widest * f->esize + 63) / 64 * 64;
    const int64_t slots = nteams * NSLOTS * slot;
    if (slots + sums > 0)
        HESCA_TRY(err, hesca_segment_get(c, slots + sums, &s));
    if (s == NULL)
        return err;
    f->shared = slots > 0 ? s : NULL;
    for (int k = 0; k < NSLOTS && slots > 0; ++k)
        f->slot[k] = s->memory + (team * NSLOTS + k) * slot;
    f->shared_sums = sums > 0 ? s : NULL;
    f->sums = s->memory + slots;
fail:
    return err;
}

static int
make_slots(factorization *f)
{
    const int64_t rows =
        hesca_local_row(&f->part, f->m) - hesca_local_row(&f->part, 0);
    f->ldv = hesca_max(1, rows);
    f->nslots = f->shared != NULL ? SHARED : DEPTH;
    for (int k = 0; k < DEPTH; ++k) {
        f->head[k].data =
            malloc(hesca_head_bytes(f->widest, (size_t)f->esize));
        f->own[k] = hesca_staging_block(
            f->shared != NULL ? 1 : (size_t)(f->ldv * f->widest * f->esize));
        if (f->head[k].data == NULL || f->own[k] == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0,
                              "a panel of %lld x %lld elements",
                              (long long)rows, (long long)f->widest);
        if (f->shared == NULL)
            f->slot[k] = f->own[k];
    }
    return HESCA_SUCCESS;
}

static int
make(factorization *f)
{
    const int64_t bytes = f->k * f->esize;
    int err;
    HESCA_TRY(err, find_panels(f));
    hesca_request_set_reserve(&f->requests, f->c->size, f->c->size * bytes);
    if (!f->part.here || f->npanels == 0)
        return hesca_request_set_init(&f->requests);
    HESCA_TRY(err, make_slots(f));
    if (hesca_local_row(&f->part, f->m) == 0 ||
        hesca_local_col(&f->part, f->n) == 0) {
        f->a = f->own[0]; /* never accessed */
        f->lld = 1;
    }
    const hesca_panel_mcast_spec panels = panels_of(f);
    HESCA_TRY(err, hesca_panel_mcast_create(f->c, &panels, TAG_PANEL, DEPTH,
                                            &f->mcast));
    f->reflectors = reflectors_of(f);
    HESCA_TRY(err,
              hesca_reflectors_init(&f->reflectors, &f->requests, TAG_SUM));
    f->panel = (hesca_panel){.requests = &f->requests,
                             .type = f->type,
                             .method = HESCA_PANEL_QR,
                             .part = f->part,
                             .m = f->m,
                             .widest = f->widest,
                             .a = f->a,
                             .lld = f->lld,
                             .tag_rows = TAG_ROWS,
                             .tag_head = TAG_HEAD,
                             .meanwhile = {progress, f}};
    HESCA_TRY(err, hesca_panel_init(&f->panel, f->npanels, f->bound));
    HESCA_TRY(err, hesca_request_set_init(&f->requests));
fail:
    return err;
}

static void
clear(factorization *f)
{
    for (int k = 0; k < DEPTH; ++k) {
        hesca_staging_unblock(f->own[k]);
        free(f->head[k].data);
    }
    hesca_panel_mcast_free(f->mcast);
    hesca_reflectors_clear(&f->reflectors);
    hesca_panel_clear(&f->panel);
    hesca_request_set_clear(&f->requests);
    free(f->bound);
}

/* --- the call --- */

/* Check the arguments, and set what follows from them. */
static int
check(factorization *f, hesca_comm *c, const hesca_matrix *a)
{
    const int64_t m = f->m, n = f->n;
    int64_t least = WIDEST;
    hesca_args x = hesca_args_begin(GEQRF, c);
    f->type = hesca_args_type(&x, 1, f->type);
    hesca_args_size(&x, 2, "m", m);
    hesca_args_size(&x, 3, "n", n);
    hesca_args_matrix(&x, 4, "a", a, m, n);
    if (m > 0 && n > 0)
        hesca_args_pointer(&x, 5, "tau", f->tau);
    if (x.err == HESCA_SUCCESS && m > INT32_MAX)
        x.err = hesca_fail(HESCA_ERR_UNSUPPORTED, 2,
                           "%s: argument 2, m, is %lld: LAPACK counts rows of "
                           "a panel below 2^31",
                           GEQRF, (long long)m);
    f->c = f->requests.comm = c;
    f->esize = (int64_t)hesca_type_size(f->type);
    if (x.err == HESCA_SUCCESS) {
        f->a = a->local;
        f->lld = a->lld;
        f->part = hesca_local_make(a->layout, a->i, a->j, c->rank);
        least = widest(f);
    }
    const int err = hesca_args_agree(&x, 1, &least);
    f->widest = least;
    return err;
}

int
hesca_geqrf(hesca_type type, int64_t m, int64_t n, const hesca_matrix *a,
            void *tau, MPI_Comm comm)
{
    hesca_comm *c;
    factorization f = {
        .type = type, .m = m, .n = n, .k = hesca_min(m, n), .tau = tau};
    int err;
    hesca_caller_enter(GEQRF);
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    HESCA_TRY(err, check(&f, c, a));
    if (f.k == 0)
        return HESCA_SUCCESS;
    HESCA_TRY(err, share(&f, c));
    HESCA_TRY(err, hesca_agree(c, make(&f), 0, NULL));
    if (f.part.here)
        HESCA_TRY(err, factor(&f));
    HESCA_TRY(err, send_outside(&f));
fail:
    clear(&f);
    return err;
}
