/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts are equally wide but for the first one, which nothing hides on its way
 * to the factorization, and which is narrow.  Of the last one, which nothing
 * hides on its way back, is little.  All processes exchange the parts in the
 * same order, those to the factorization first, so a process that waits in one
 * waits for processes that reach it. */
#include "exec/background.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "exec/transport.h"
#include <stdlib.h>

enum { PARTS = 6, FIRST = 512 /* columns (rows), at most */ };

/* Bytes of a message: long ones cost processors less, and what goes only one
 * way does not need short ones (transfer.h). */
enum { CHUNK = 512 * 1024 };

/* Turns of the flows in a call: enough for what has arrived since the last
 * one, while bytes in flight are bounded by the slots of a flow. */
enum { TURNS = 64 };

enum { IN, OUT, WAYS };

struct hesca_background {
    hesca_comm *comm;
    int n; /* parts */
    hesca_plan *plan[WAYS][PARTS];
    int64_t end[PARTS]; /* of part k in columns (rows) */
    /* of the copies in progress: */
    hesca_arrays arrays[WAYS];
    int now;   /* parts that are over, of both ways; the current part */
    int begun; /* it is in progress */
    hesca_exchange exchange;
};

/* --- plans --- */

/* Plan part k, which begins with column (row) `first`. */
static int
make_part(hesca_background *x, int way, int k, hesca_part part, int64_t n,
          int64_t first, const hesca_matrix *a, const hesca_matrix *b,
          size_t esize)
{
    const int64_t width = x->end[k] - first, length = n - first;
    const hesca_matrix from = {
        .layout = a->layout, .i = a->i + first, .j = a->j + first};
    const hesca_matrix to = {
        .layout = b->layout, .i = b->i + first, .j = b->j + first};
    hesca_plan **plan = &x->plan[way][k];
    int err;
    HESCA_TRY(err, hesca_plan_make_between(
                       part, part == HESCA_LOWER ? length : width,
                       part == HESCA_LOWER ? width : length, &from, &to, esize,
                       x->comm, plan));
    if (hesca_plan_is_direct(*plan))
        HESCA_TRY(err, hesca_plan_set_chunk(*plan, CHUNK));
fail:
    return err;
}

static void
find_ends(hesca_background *x, int64_t n)
{
    const int64_t first = hesca_min(n / PARTS, FIRST);
    int64_t last = 0;
    for (int k = 0; k < PARTS; ++k) {
        x->end[x->n] = first + (n - first) * k / (PARTS - 1);
        if (x->end[x->n] > last)
            last = x->end[x->n++];
    }
}

static int
make_parts(hesca_part part, int64_t n, const hesca_matrix *a,
           const hesca_matrix *b, size_t esize, hesca_comm *comm,
           hesca_background **background)
{
    hesca_background *x = calloc(1, sizeof *x);
    int err = HESCA_SUCCESS;
    *background = x;
    if (x == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a copy in the background");
    x->comm = comm;
    find_ends(x, n);
    for (int k = 0; k < x->n; ++k) {
        const int64_t first = k > 0 ? x->end[k - 1] : 0;
        HESCA_TRY(err, make_part(x, IN, k, part, n, first, a, b, esize));
        HESCA_TRY(err, make_part(x, OUT, k, part, n, first, b, a, esize));
    }
fail:
    return err;
}

/* Whether the messages of all parts are exchanged directly. */
static int
is_possible(const hesca_background *x)
{
    int ok = x->comm->params.trace[0] == '\0';
    for (int k = 0; k < x->n; ++k)
        ok = ok && hesca_plan_is_direct(x->plan[IN][k]) &&
             hesca_plan_is_direct(x->plan[OUT][k]);
    return ok;
}

int
hesca_background_make(hesca_part part, int64_t n, const hesca_matrix *a,
                      const hesca_matrix *b, size_t esize, hesca_comm *comm,
                      hesca_background **background)
{
    const int err = make_parts(part, n, a, b, esize, comm, background);
    if (err < 0 || !is_possible(*background)) {
        hesca_background_free(*background);
        *background = NULL;
    }
    return err;
}

void
hesca_background_free(hesca_background *x)
{
    for (int k = 0; x != NULL && k < PARTS; ++k) {
        hesca_plan_free(x->plan[IN][k]);
        hesca_plan_free(x->plan[OUT][k]);
    }
    free(x);
}

int64_t
hesca_background_first(const hesca_background *x)
{
    return x != NULL ? x->end[0] : 0;
}

/* --- a copy --- */

static int
attach(const hesca_background *x, int way)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < x->n; ++k)
        HESCA_TRY(err, hesca_plan_attach(x->plan[way][k]));
fail:
    return err;
}

int
hesca_background_begin(hesca_background *x, void *a, int64_t lda, void *b,
                       int64_t ldb)
{
    int err = HESCA_SUCCESS;
    if (x == NULL)
        return err;
    const hesca_arrays in = {.a = a,
                             .lda = lda,
                             .b = b,
                             .ldb = ldb,
                             .routine = "hesca_background_begin",
                             .info = {2, 3, 4, 5}};
    const hesca_arrays out = {.a = b,
                              .lda = ldb,
                              .b = a,
                              .ldb = lda,
                              .routine = in.routine,
                              .info = {4, 5, 2, 3}};
    x->arrays[IN] = in;
    x->arrays[OUT] = out;
    x->now = x->begun = 0;
    for (int k = 0; k < x->n && err == HESCA_SUCCESS; ++k) {
        err = hesca_plan_check(x->plan[IN][k], &in);
        if (err == HESCA_SUCCESS)
            err = hesca_plan_check(x->plan[OUT][k], &out);
    }
    HESCA_TRY(err, hesca_agree(x->comm, err, 0, NULL));
    HESCA_TRY(err, attach(x, IN));
    HESCA_TRY(err, attach(x, OUT));
    return err;
fail:
    hesca_background_release(x);
    return err;
}

int64_t
hesca_background_arrived(const hesca_background *x)
{
    if (x == NULL)
        return INT64_MAX;
    return x->now > 0 ? x->end[hesca_min(x->now, x->n) - 1] : 0;
}

/* Let the current part make progress, or begin it. */
static int
advance_part(hesca_background *x, int *progress)
{
    int err;
    if (!x->begun) {
        const int way = x->now < x->n ? IN : OUT;
        hesca_exchange_begin(&x->exchange, x->plan[way][x->now % x->n],
                             &x->arrays[way], 1);
        x->begun = 1;
    }
    HESCA_TRY(err, hesca_exchange_advance(&x->exchange, progress));
    if (hesca_exchange_is_over(&x->exchange)) {
        ++x->now;
        x->begun = 0;
        *progress = 1;
    }
fail:
    return err;
}

static int
has_ready(const hesca_background *x, int64_t ready)
{
    return x->now < x->n ||
           (x->now < WAYS * x->n && x->end[x->now - x->n] <= ready);
}

int
hesca_background_advance(hesca_background *x, int64_t ready)
{
    int progress = 1, err = HESCA_SUCCESS;
    for (int k = 0; x != NULL && k < TURNS && progress && has_ready(x, ready);
         ++k) {
        progress = 0;
        HESCA_TRY(err, advance_part(x, &progress));
    }
fail:
    return err;
}

int
hesca_background_end(hesca_background *x)
{
    int err = HESCA_SUCCESS;
    if (x == NULL)
        return err;
    hesca_backoff wait = hesca_comm_backoff(x->comm);
    while (x->now < WAYS * x->n) {
        int progress = 0;
        HESCA_TRY(err, advance_part(x, &progress));
        if (progress)
            wait = hesca_comm_backoff(x->comm);
        else
            hesca_exchange_pause(&x->exchange, &wait);
    }
fail:
    return err;
}

void
hesca_background_release(hesca_background *x)
{
    if (x != NULL)
        hesca_staging_release(x->comm);
}
