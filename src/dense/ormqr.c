/* SPDX-License-Identifier: BSD-3-Clause */
/* sub(C) := Q sub(C), and the like, with Q from a QR factorization.
 *
 * C stays in place.  Blocks of reflectors go by a panel multicast from the
 * owners of A to the processes that have the same rows of C (columns if Q is
 * on the right), the next two during the application of the current one.
 * Where these indices are divided among processes, the products with C are
 * summed up, see reflectors.h; so are the products of the reflectors with each
 * other, of which every process computes T: it need not be sent.
 *
 * Source: LAPACK's ?ORMQR; T by the recurrence of ?LARFT. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/args.h"
#include "dense/householder.h"
#include "dense/reflectors.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "hesca/experimental/dense.h"
#include <stdlib.h>
#include <string.h>

static const char ORMQR[] = "hesca_ormqr";

enum {
    WIDEST = 64, /* block */
    AHEAD = 2,   /* blocks in flight */
    SLACK = 2    /* blocks that a process may be behind, of shared ones */
};

enum { TAG_BLOCK = HESCA_TAG_PANEL_MCAST, TAG_SUM };

typedef struct {
    const hesca_comm *c;
    hesca_type type;
    int right;
    char op; /* 'N' or 'C' */
    int64_t esize, m, n, k;
    int64_t order, lines; /* of Q, and those that it does not mix */
    const hesca_matrix *a, *b;
    const char *tau;
    hesca_local part; /* of sub(C) */
    int64_t width;
    hesca_panel_mcast *mcast;
    hesca_reflectors reflectors;
    hesca_segment *shared;      /* blocks arrive in it; or NULL */
    hesca_segment *shared_sums; /* the same of products, from sums on */
    char *sums;
    int nslots;
    char *slot[AHEAD + 1 + SLACK]; /* block t in t % nslots */
    char *memory;                  /* slots of this process */
    int64_t ldv;
    char *gram[2], *total, *t;
    hesca_request_set requests;
} application;

/* --- blocks ---
 * Block t is the t-th that is applied. */

static int64_t
nblocks(const application *f)
{
    return (f->k + f->width - 1) / f->width;
}

/* The first reflector of block t. */
static int64_t
first_of(const application *f, int64_t t)
{
    const int ascends = f->right == (f->op == 'N');
    return (ascends ? t : nblocks(f) - 1 - t) * f->width;
}

static int64_t
width_of(const application *f, int64_t t)
{
    return hesca_min(f->width, f->k - first_of(f, t));
}

/* --- messages --- */

static int
progress(application *f)
{
    int err;
    HESCA_TRY(err, hesca_request_set_advance(&f->requests));
    HESCA_TRY(err, hesca_panel_mcast_advance(f->mcast, NULL));
fail:
    return err;
}

typedef int (*condition)(const application *f, int64_t t);

static int
wait(application *f, condition is_true, int64_t t, const char *what)
{
    hesca_backoff pause = hesca_comm_backoff(f->c);
    int err = HESCA_SUCCESS;
    while (!is_true(f, t)) {
        HESCA_TRY(err, progress(f));
        if (!is_true(f, t))
            hesca_comm_pause(f->c, &pause, what);
    }
fail:
    return err;
}

static int
slot_is_free(const application *f, int64_t t)
{
    return hesca_panel_mcast_is_released(f->mcast, t - f->nslots + 1);
}

static int
sums_may_begin(const application *f, int64_t t)
{
    (void)t;
    return !hesca_reflectors_has_sums(&f->reflectors) ||
           hesca_panel_sum_may_begin(f->reflectors.sum);
}

static int
sums_are_here(const application *f, int64_t t)
{
    (void)t;
    return !hesca_reflectors_has_sums(&f->reflectors) ||
           hesca_panel_sum_is_here(f->reflectors.sum);
}

static int
sums_are_over(const application *f, int64_t t)
{
    (void)t;
    return !hesca_reflectors_has_sums(&f->reflectors) ||
           hesca_panel_sum_is_over(f->reflectors.sum);
}

/* Begin the multicast of block t, if there is one. */
static int
begin(application *f, int64_t t)
{
    int err = HESCA_SUCCESS;
    if (t >= nblocks(f))
        return err;
    const int64_t k0 = first_of(f, t);
    HESCA_TRY(err, wait(f, slot_is_free, t, "its reflectors to be applied"));
    err = hesca_panel_mcast_begin(f->mcast, k0, k0 + width_of(f, t), k0,
                                  f->a->local, f->a->lld,
                                  f->slot[t % f->nslots], f->ldv);
fail:
    return err;
}

/* --- steps --- */

/* Block t is here; its own products are, or are being summed up. */
static int
take_block(application *f, int64_t t)
{
    hesca_reflectors *r = &f->reflectors;
    const int64_t k0 = first_of(f, t);
    const int has_v = hesca_panel_mcast_count(f->mcast, k0) > 0;
    char *gram = f->gram[t % 2];
    int err;
    HESCA_TRY(err, hesca_panel_mcast_wait(f->mcast));
    HESCA_TRY(err, wait(f, sums_may_begin, t, "sums to be taken"));
    hesca_reflectors_begin(r, k0, width_of(f, t),
                           has_v ? f->slot[t % f->nslots] : NULL, f->ldv);
    if (has_v)
        hesca_reflectors_gram(r, gram);
    if (hesca_reflectors_has_sums(r))
        err = hesca_panel_sum_send_square(r->sum, gram);
fail:
    return err;
}

static int
set_t(application *f, int64_t t)
{
    hesca_reflectors *r = &f->reflectors;
    char *gram = f->gram[t % 2];
    int err;
    HESCA_TRY(err, wait(f, sums_are_here, t, "products of reflectors"));
    if (hesca_reflectors_has_sums(r)) {
        hesca_panel_sum_take(r->sum, f->total);
        gram = f->total;
    }
    hesca_householder_t(f->type, r->width, gram,
                        f->tau + first_of(f, t) * f->esize, f->t);
    hesca_reflectors_set_t(r, f->op, f->t);
fail:
    return err;
}

static int
apply(application *f, int64_t t)
{
    hesca_reflectors *r = &f->reflectors;
    int err;
    HESCA_TRY(err, take_block(f, t));
    HESCA_TRY(err, begin(f, t + AHEAD));
    for (int64_t j = 0, end; j < f->lines && hesca_reflectors_has_sums(r);
         j = end) {
        end = hesca_reflectors_chunk_end(r, j);
        HESCA_TRY(err, hesca_reflectors_multiply(r, j, end));
        HESCA_TRY(err, progress(f));
    }
    HESCA_TRY(err, set_t(f, t));
    for (int64_t j = 0, end; j < f->lines; j = end) {
        end = hesca_reflectors_chunk_end(r, j);
        HESCA_TRY(err, wait(f, sums_are_here, t, "sums"));
        hesca_reflectors_update(r, j, end);
        HESCA_TRY(err, progress(f));
    }
    hesca_panel_mcast_release(f->mcast, t + 1);
fail:
    return err;
}

/* The part of a process outside of C's grid, which may have reflectors. */
static int
pass(application *f, int64_t t)
{
    int err;
    HESCA_TRY(err, hesca_panel_mcast_wait(f->mcast));
    err = begin(f, t + AHEAD);
fail:
    return err;
}

static int
apply_all(application *f)
{
    int err = HESCA_SUCCESS;
    for (int64_t t = 0; t < AHEAD; ++t)
        HESCA_TRY(err, begin(f, t));
    for (int64_t t = 0; t < nblocks(f); ++t)
        HESCA_TRY(err, f->part.here ? apply(f, t) : pass(f, t));
    HESCA_TRY(err, wait(f, sums_are_over, 0, "sums to be taken"));
    HESCA_TRY(err, hesca_panel_mcast_end(f->mcast));
fail:
    return err;
}

/* --- memory ---
 * All memory is allocated before the first message. */

static hesca_panel_mcast_spec
blocks_of(const application *f)
{
    const hesca_matrix *b = f->b;
    return (hesca_panel_mcast_spec){.source = f->a->layout,
                                    .i = f->a->i,
                                    .j = f->a->j,
                                    .along = HESCA_COLS,
                                    .extent = f->order,
                                    .k = f->k,
                                    .width = f->width,
                                    .target = b->layout,
                                    .by = f->right ? HESCA_COLS : HESCA_ROWS,
                                    .origin = f->right ? b->j : b->i,
                                    .forwards = 1,
                                    .need_from = f->right ? b->i : b->j,
                                    .need = f->lines,
                                    .esize = (size_t)f->esize,
                                    .shared = f->shared};
}

static hesca_reflectors
reflectors_of(const application *f)
{
    return (hesca_reflectors){.c = f->c,
                              .type = f->type,
                              .right = f->right,
                              .part = f->part,
                              .a = f->b->local,
                              .lld = f->b->lld,
                              .order = f->order,
                              .n = f->lines,
                              .widest = f->width,
                              .shared = f->shared_sums,
                              .user = 1,
                              .memory = f->sums};
}

/* Rows of V on this process. */
static int64_t
indices(const application *f)
{
    return f->right ? hesca_local_col(&f->part, f->order) -
                          hesca_local_col(&f->part, 0)
                    : hesca_local_row(&f->part, f->order) -
                          hesca_local_row(&f->part, 0);
}

/* The width of blocks for which HESCA_BUFFER suffices. */
static int64_t
choose_width(application *f)
{
    f->width = hesca_min(WIDEST, hesca_max(f->k, 1));
    const hesca_panel_mcast_spec what = blocks_of(f);
    const hesca_reflectors r = reflectors_of(f);
    const int64_t room = hesca_panel_mcast_bytes(f->c, &what, AHEAD) +
                         (AHEAD + 1) * indices(f) * f->esize +
                         (f->part.here ? hesca_reflectors_bytes(&r) : 0);
    return hesca_clamp((int64_t)f->c->params.buffer / (room + 1), 1, f->width);
}

/* Memory that the node shares, for blocks of each process row and for
 * products; none is no error. */
static int
share(application *f, hesca_comm *c)
{
    enum { NSLOTS = AHEAD + 1 + SLACK };
    const hesca_panel_mcast_spec what = blocks_of(f);
    const hesca_reflectors r = reflectors_of(f);
    const int64_t sums = hesca_reflectors_shared_bytes(&r);
    hesca_segment *s = NULL;
    int64_t most = 0;
    int nteams = 0, team = 0, err = HESCA_SUCCESS;
    if (f->b->layout->npcol > 1 && hesca_panel_mcast_may_share(c, &what))
        hesca_panel_mcast_teams(c, &what, &nteams, &team, &most);
    const int64_t slot = (most * f->width * f->esize + 63) / 64 * 64;
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
make(application *f)
{
    const hesca_panel_mcast_spec blocks = blocks_of(f);
    const size_t square = (size_t)(f->width * f->width * f->esize);
    int err = HESCA_SUCCESS;
    f->ldv = hesca_max(1, indices(f));
    f->nslots = f->shared != NULL ? AHEAD + 1 + SLACK : AHEAD + 1;
    const int64_t slot = f->ldv * f->width * f->esize;
    f->memory = hesca_staging_block(
        f->shared != NULL ? 1 : (size_t)(f->nslots * slot));
    f->gram[0] = calloc(4, square);
    if (f->memory == NULL || f->gram[0] == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "blocks of %lld x %lld elements",
                          (long long)f->ldv, (long long)f->width);
    f->gram[1] = f->gram[0] + square;
    f->total = f->gram[1] + square;
    f->t = f->total + square;
    for (int k = 0; k < f->nslots && f->shared == NULL; ++k)
        f->slot[k] = f->memory + k * slot;
    HESCA_TRY(err, hesca_panel_mcast_create(f->c, &blocks, TAG_BLOCK, AHEAD,
                                            &f->mcast));
    f->reflectors = reflectors_of(f);
    if (f->part.here)
        HESCA_TRY(
            err, hesca_reflectors_init(&f->reflectors, &f->requests, TAG_SUM));
    HESCA_TRY(err, hesca_request_set_init(&f->requests));
fail:
    return err;
}

static void
clear(application *f)
{
    hesca_panel_mcast_free(f->mcast);
    hesca_reflectors_clear(&f->reflectors);
    hesca_request_set_clear(&f->requests);
    hesca_staging_unblock(f->memory);
    free(f->gram[0]);
}

/* --- the call --- */

/* Check the arguments, and set what follows from them. */
static int
check(application *f, hesca_comm *c, char side, char trans)
{
    int64_t least = WIDEST;
    hesca_args x = hesca_args_begin(ORMQR, c);
    f->type = hesca_args_type(&x, 1, f->type);
    f->right = hesca_args_letter(&x, 2, "side", side, "LR") == 'R';
    f->op = hesca_args_letter(&x, 3, "trans", trans,
                              hesca_type_is_complex(f->type) ? "NC" : "NTC");
    f->op = f->op == 'N' ? 'N' : 'C';
    hesca_args_size(&x, 4, "m", f->m);
    hesca_args_size(&x, 5, "n", f->n);
    hesca_args_size(&x, 6, "k", f->k);
    f->order = f->right ? f->n : f->m;
    f->lines = f->right ? f->m : f->n;
    if (x.err == HESCA_SUCCESS && f->k > f->order)
        x.err = hesca_fail_arg(ORMQR, 6, "k", f->k, "at most the order of Q");
    hesca_args_matrix(&x, 7, "a", f->a, f->order, f->k);
    if (f->order > 0 && f->k > 0)
        hesca_args_pointer(&x, 8, "tau", f->tau);
    hesca_args_matrix(&x, 9, "c", f->b, f->m, f->n);
    f->c = f->requests.comm = c;
    f->esize = (int64_t)hesca_type_size(f->type);
    if (x.err == HESCA_SUCCESS) {
        f->part = hesca_local_make(f->b->layout, f->b->i, f->b->j, c->rank);
        least = choose_width(f);
    }
    const int err = hesca_args_agree(&x, 1, &least);
    f->width = least;
    return err;
}

int
hesca_ormqr(hesca_type type, char side, char trans, int64_t m, int64_t n,
            int64_t k, const hesca_matrix *a, const void *tau,
            const hesca_matrix *b, MPI_Comm comm)
{
    hesca_comm *c;
    application f = {
        .type = type, .m = m, .n = n, .k = k, .a = a, .tau = tau, .b = b};
    int err;
    hesca_caller_enter(ORMQR);
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    HESCA_TRY(err, check(&f, c, side, trans));
    if (f.m == 0 || f.n == 0 || f.k == 0)
        return HESCA_SUCCESS;
    HESCA_TRY(err, share(&f, c));
    HESCA_TRY(err, hesca_agree(c, make(&f), 0, NULL));
    err = apply_all(&f);
fail:
    clear(&f);
    return err;
}
