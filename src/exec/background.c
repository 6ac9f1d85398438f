/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts are equally wide but for the first one, which nothing hides on its way
 * to the factorization, and which is narrow.  Nothing hides the last one on
 * its way back, either; of a triangle that is little.  All processes exchange
 * the parts in the same order, those to the factorization first, so a process
 * that waits in one waits for processes that reach it. */
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

typedef struct {
    hesca_plan *plan;
    int way;
    int64_t end; /* in columns (rows) */
} piece;

struct hesca_background {
    hesca_comm *comm;
    int nin, n; /* parts to the factorization, and of both ways */
    piece part[WAYS * PARTS];
    /* of the copies in progress: */
    hesca_arrays arrays[WAYS];
    int now;   /* the current part */
    int begun; /* it is in progress */
    hesca_exchange exchange;
};

/* --- plans --- */

typedef struct {
    hesca_part part;
    int64_t m, n;
    hesca_matrix a, b;
    size_t esize;
} task;

/* Whether parts are rows, on a way. */
static int
by_rows(const task *x, int way)
{
    return x->part == HESCA_UPPER || (x->part == HESCA_ALL && way == OUT);
}

/* Plan the next part, columns (rows) first ... end - 1. */
static int
add_part(hesca_background *x, const task *t, int way, int64_t first,
         int64_t end)
{
    const int rows = by_rows(t, way);
    const int64_t i = rows || t->part == HESCA_LOWER ? first : 0;
    const int64_t j = !rows || t->part == HESCA_UPPER ? first : 0;
    hesca_matrix from = way == IN ? t->a : t->b, to = way == IN ? t->b : t->a;
    piece *made = &x->part[x->n++];
    int err;
    from.i += i;
    from.j += j;
    to.i += i;
    to.j += j;
    made->way = way;
    made->end = end;
    HESCA_TRY(err,
              hesca_plan_make_direct(t->part, rows ? end - first : t->m - i,
                                     rows ? t->n - j : end - first, &from, &to,
                                     t->esize, x->comm, &made->plan));
    if (hesca_plan_is_direct(made->plan))
        HESCA_TRY(err, hesca_plan_set_chunk(made->plan, CHUNK));
fail:
    return err;
}

static int
add_way(hesca_background *x, const task *t, int way)
{
    const int64_t all = by_rows(t, way) ? t->m : t->n;
    const int64_t least = hesca_min(all / PARTS, FIRST);
    int64_t first = 0;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < PARTS; ++k) {
        const int64_t end = least + (all - least) * k / (PARTS - 1);
        if (end == first)
            continue;
        HESCA_TRY(err, add_part(x, t, way, first, end));
        first = end;
    }
fail:
    return err;
}

static int
make(const task *t, hesca_comm *comm, hesca_background **background)
{
    hesca_background *x = calloc(1, sizeof *x);
    int err;
    *background = x;
    if (x == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a copy in the background");
    x->comm = comm;
    HESCA_TRY(err, add_way(x, t, IN));
    x->nin = x->n;
    HESCA_TRY(err, add_way(x, t, OUT));
fail:
    return err;
}

/* Whether the messages of all parts are exchanged directly: HESCA_SCHEDULE may
 * name another schedule. */
static int
is_possible(const hesca_background *x)
{
    int ok = x->comm->params.trace[0] == '\0';
    for (int k = 0; k < x->n; ++k)
        ok = ok && hesca_plan_is_direct(x->part[k].plan);
    return ok;
}

int
hesca_background_make(hesca_part part, int64_t m, int64_t n,
                      const hesca_matrix *a, const hesca_matrix *b,
                      size_t esize, hesca_comm *comm,
                      hesca_background **background)
{
    const task t = {part, m, n, *a, *b, esize};
    const int err = make(&t, comm, background);
    if (err < 0 || !is_possible(*background)) {
        hesca_background_free(*background);
        *background = NULL;
    }
    return err;
}

void
hesca_background_free(hesca_background *x)
{
    for (int k = 0; x != NULL && k < x->n; ++k)
        hesca_plan_free(x->part[k].plan);
    free(x);
}

int64_t
hesca_background_first(const hesca_background *x)
{
    return x != NULL ? x->part[0].end : 0;
}

/* --- a copy --- */

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
    for (int k = 0; k < x->n && err == HESCA_SUCCESS; ++k)
        err = hesca_plan_check(x->part[k].plan, &x->arrays[x->part[k].way]);
    HESCA_TRY(err, hesca_agree(x->comm, err, 0, NULL));
    for (int k = 0; k < x->n; ++k)
        HESCA_TRY(err, hesca_plan_attach(x->part[k].plan));
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
    return x->now > 0 ? x->part[hesca_min(x->now, x->nin) - 1].end : 0;
}

/* Let the current part make progress, or begin it. */
static int
advance_part(hesca_background *x, int *progress)
{
    int err;
    if (!x->begun) {
        const piece *p = &x->part[x->now];
        hesca_exchange_begin(&x->exchange, p->plan, &x->arrays[p->way], 1);
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
    return x->now < x->nin || (x->now < x->n && x->part[x->now].end <= ready);
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
