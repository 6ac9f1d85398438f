/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts are equally wide: the first, which have most elements, are final
 * early, and of the last one, which nothing hides, is little.  All processes
 * exchange the parts in the same order, so a process that waits in one waits
 * for processes that reach it. */
#include "exec/background.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "exec/transport.h"
#include <stdlib.h>

enum { PARTS = 6 };

/* Bytes of a message: long ones cost processors less, and what goes only one
 * way does not need short ones (transfer.h). */
enum { CHUNK = 512 * 1024 };

/* Turns of the flows in a call: enough for what has arrived since the last
 * one, while bytes in flight are bounded by the slots of a flow. */
enum { TURNS = 64 };

struct hesca_background {
    hesca_comm *comm;
    int n;
    hesca_plan *plan[PARTS];
    int64_t end[PARTS]; /* of part k in columns (rows) */
    /* of the copy in progress: */
    hesca_arrays arrays;
    int now;   /* the current part */
    int begun; /* it is in progress */
    hesca_exchange exchange;
};

/* --- plans --- */

/* Plan the next part, which begins with column (row) `first`. */
static int
make_part(hesca_background *x, hesca_part part, int64_t n, int64_t first,
          const hesca_matrix *a, const hesca_matrix *b, size_t esize)
{
    const int64_t width = x->end[x->n] - first, length = n - first;
    const hesca_matrix from = {
        .layout = a->layout, .i = a->i + first, .j = a->j + first};
    const hesca_matrix to = {
        .layout = b->layout, .i = b->i + first, .j = b->j + first};
    hesca_plan **plan = &x->plan[x->n];
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

static int
make_parts(hesca_part part, int64_t n, const hesca_matrix *a,
           const hesca_matrix *b, size_t esize, hesca_comm *comm,
           hesca_background **background)
{
    hesca_background *x = calloc(1, sizeof *x);
    int64_t first = 0;
    int err = HESCA_SUCCESS;
    *background = x;
    if (x == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a copy in the background");
    x->comm = comm;
    for (int k = 0; k < PARTS; ++k) {
        x->end[x->n] = n * (k + 1) / PARTS;
        if (x->end[x->n] == first)
            continue;
        HESCA_TRY(err, make_part(x, part, n, first, a, b, esize));
        first = x->end[x->n++];
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
        ok = ok && hesca_plan_is_direct(x->plan[k]);
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
    for (int k = 0; x != NULL && k < PARTS; ++k)
        hesca_plan_free(x->plan[k]);
    free(x);
}

/* --- a copy --- */

int
hesca_background_begin(hesca_background *x, const void *a, int64_t lda,
                       void *b, int64_t ldb)
{
    int err = HESCA_SUCCESS;
    if (x == NULL)
        return err;
    x->arrays = (hesca_arrays){.a = a,
                               .lda = lda,
                               .b = b,
                               .ldb = ldb,
                               .routine = "hesca_background_begin",
                               .info = {2, 3, 4, 5}};
    x->now = x->begun = 0;
    for (int k = 0; k < x->n && err == HESCA_SUCCESS; ++k)
        err = hesca_plan_check(x->plan[k], &x->arrays);
    HESCA_TRY(err, hesca_agree(x->comm, err, 0, NULL));
    for (int k = 0; k < x->n; ++k)
        HESCA_TRY(err, hesca_plan_attach(x->plan[k]));
    return err;
fail:
    hesca_background_release(x);
    return err;
}

/* Let the current part make progress, or begin it. */
static int
advance_part(hesca_background *x, int *progress)
{
    int err;
    if (!x->begun) {
        hesca_exchange_begin(&x->exchange, x->plan[x->now], &x->arrays, 1);
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
    return x->now < x->n && x->end[x->now] <= ready;
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
    while (x->now < x->n) {
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
