/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows do not depend on each other, so a range of them at a time is permuted,
 * such that the messages fit into HESCA_BUFFER: packed, sent, and unpacked
 * into the columns that all have been packed from.  Both ends of a message
 * list columns by their new numbers, and rows in ascending order. */
#include "dense/column_interchange.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/local.h"
#include "panel/request_set.h"
#include <stdlib.h>
#include <string.h>

/* Local columns that go to each process column, or come from it: first[q] ...
 * first[q + 1] - 1. */
typedef struct {
    int64_t *first, *col;
} list;

struct hesca_column_interchange {
    const hesca_comm *c;
    hesca_column_interchange_spec what;
    int tag;
    hesca_local part;
    hesca_rectangle here;
    int64_t *from;      /* [n] column from[j] becomes column j */
    int64_t *row_index; /* [local rows] */
    list out, in;       /* of columns that move */
    int64_t width;      /* rows at once */
    char *out_at, *in_at;
    hesca_request_set requests;
};

/* --- creating --- */

/* The interchanges as one permutation. */
static void
compose(hesca_column_interchange *x)
{
    int64_t *from = x->from;
    for (int64_t j = 0; j < x->what.n; ++j)
        from[j] = j;
    for (int64_t j = x->what.n - 1; j >= 0; --j) {
        const int64_t with = from[x->what.ipiv[j]];
        from[x->what.ipiv[j]] = from[j];
        from[j] = with;
    }
}

static int
owner(const hesca_column_interchange *x, int64_t j)
{
    return hesca_local_pcol(&x->part, x->part.prow, j);
}

/* List this process's columns that become others (is_out), or that others
 * become. */
static void
make_list(const hesca_column_interchange *x, int is_out, list *l)
{
    const int npcol = x->part.layout->npcol;
    for (int pass = 0; pass < 2; ++pass) {
        for (int64_t j = 0; j < x->what.n; ++j) {
            const int64_t from = x->from[j], mine = is_out ? from : j;
            if (from == j || owner(x, mine) != x->part.pcol)
                continue;
            const int other = owner(x, is_out ? j : from);
            if (pass == 0)
                ++l->first[other + 1];
            else
                l->col[l->first[other]++] = hesca_local_col(&x->part, mine);
        }
        for (int q = 0; pass == 0 && q < npcol; ++q)
            l->first[q + 1] += l->first[q];
    }
    /* Each has advanced to its end. */
    memmove(l->first + 1, l->first, (size_t)npcol * sizeof *l->first);
    l->first[0] = 0;
}

static int
allocate(hesca_column_interchange *x)
{
    const hesca_layout *layout = x->part.layout;
    const size_t n = (size_t)x->what.n + 1, npcol = (size_t)layout->npcol;
    const int64_t esize = (int64_t)x->what.esize;
    const int64_t rows = x->here.r1 - x->here.r0;
    const int64_t cols = x->here.c1 - x->here.c0;
    x->width = hesca_clamp(
        (int64_t)x->c->params.buffer / (2 * x->what.n * esize), 1, x->what.m);
    const int64_t bytes = hesca_min(rows, x->width) * cols * esize;
    x->from = malloc(n * sizeof *x->from);
    x->row_index = malloc((size_t)(rows + 1) * sizeof *x->row_index);
    x->out.first = calloc(npcol + 2, sizeof *x->out.first);
    x->in.first = calloc(npcol + 2, sizeof *x->in.first);
    x->out.col = malloc((size_t)(cols + 1) * sizeof *x->out.col);
    x->in.col = malloc((size_t)(cols + 1) * sizeof *x->in.col);
    x->out_at = malloc((size_t)bytes + 1);
    x->in_at = malloc((size_t)bytes + 1);
    if (x->from == NULL || x->row_index == NULL || x->out.first == NULL ||
        x->in.first == NULL || x->out.col == NULL || x->in.col == NULL ||
        x->out_at == NULL || x->in_at == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "interchanges of %lld columns",
                          (long long)x->what.n);
    x->requests.comm = x->c;
    hesca_request_set_reserve(
        &x->requests, 2 * (int64_t)layout->nprow * layout->npcol, 2 * bytes);
    return hesca_request_set_init(&x->requests);
}

int
hesca_column_interchange_create(const hesca_comm *c,
                                const hesca_column_interchange_spec *what,
                                int tag, hesca_column_interchange **result)
{
    hesca_column_interchange *x = calloc(1, sizeof *x);
    int err;
    *result = NULL;
    if (x == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "column interchanges");
    x->c = c;
    x->what = *what;
    x->tag = tag;
    x->part = hesca_local_make(what->a.layout, what->a.i, what->a.j, c->rank);
    x->here = hesca_local_rectangle(&x->part, what->m, what->n);
    HESCA_TRY(err, allocate(x));
    compose(x);
    hesca_local_row_indices(&x->part, x->here.r0, x->here.r1, x->row_index);
    if (x->part.here) {
        make_list(x, 1, &x->out);
        make_list(x, 0, &x->in);
    }
    *result = x;
    return HESCA_SUCCESS;
fail:
    hesca_column_interchange_free(x);
    return err;
}

void
hesca_column_interchange_free(hesca_column_interchange *x)
{
    if (x == NULL)
        return;
    hesca_request_set_clear(&x->requests);
    free(x->from);
    free(x->row_index);
    free(x->out.first);
    free(x->in.first);
    free(x->out.col);
    free(x->in.col);
    free(x->out_at);
    free(x->in_at);
    free(x);
}

/* --- one range of rows --- */

/* Local rows r0 ... r1 - 1. */
typedef struct {
    int64_t r0, r1;
} range;

/* Whether process row p of process column q has the row in local row r. */
static int
has_row(const hesca_column_interchange *x, int p, int q, int64_t r)
{
    return p == hesca_local_prow(&x->part, q, x->row_index[r - x->here.r0]);
}

/* Whether all process columns have the same rows. */
static int
is_uniform(const hesca_column_interchange *x)
{
    return x->part.layout->nrow_cuts == 1;
}

/* Rows that this process and that one have. */
static int64_t
rows_with(const hesca_column_interchange *x, int p, int q, range rows)
{
    int64_t n = 0;
    if (is_uniform(x) || q == x->part.pcol)
        return p == x->part.prow ? rows.r1 - rows.r0 : 0;
    for (int64_t r = rows.r0; r < rows.r1; ++r)
        n += has_row(x, p, q, r);
    return n;
}

/* Pack what process (p,q) gets, or unpack what comes from it. */
static void
move(const hesca_column_interchange *x, int p, int q, range rows,
     const list *l, char *message, int is_out)
{
    const size_t esize = x->what.esize;
    const int whole = is_uniform(x) || q == x->part.pcol;
    for (int64_t k = l->first[q]; k < l->first[q + 1]; ++k) {
        char *column = (char *)x->what.a.local +
                       (size_t)(l->col[k] * x->what.a.lld) * esize;
        for (int64_t r = rows.r0, end; r < rows.r1; r = end) {
            const int wanted = whole || has_row(x, p, q, r);
            end = whole ? rows.r1 : r + 1;
            while (end < rows.r1 && wanted == has_row(x, p, q, end))
                ++end;
            const size_t bytes = (size_t)(end - r) * esize;
            if (!wanted)
                continue;
            memcpy(is_out ? message : column + (size_t)r * esize,
                   is_out ? column + (size_t)r * esize : message, bytes);
            message += bytes;
        }
    }
}

/* Post the messages of one direction. */
static int
post(hesca_column_interchange *x, range rows, int is_out, int64_t *left)
{
    const hesca_layout *layout = x->part.layout;
    const list *l = is_out ? &x->out : &x->in;
    char *at = is_out ? x->out_at : x->in_at;
    int err = HESCA_SUCCESS;
    for (int q = 0; q < layout->npcol; ++q)
        for (int p = 0; p < layout->nprow; ++p) {
            const int rank = layout->ranks[p * layout->npcol + q];
            const int64_t bytes = rows_with(x, p, q, rows) *
                                  (l->first[q + 1] - l->first[q]) *
                                  (int64_t)x->what.esize;
            if (bytes == 0)
                continue;
            if (is_out)
                move(x, p, q, rows, l, at, 1);
            if (rank != x->c->rank && is_out)
                HESCA_TRY(err,
                          hesca_request_set_send(&x->requests, rank, x->tag,
                                                 at, bytes, left));
            else if (rank != x->c->rank)
                HESCA_TRY(err,
                          hesca_request_set_receive(&x->requests, rank, x->tag,
                                                    at, bytes, left));
            at += bytes;
        }
fail:
    return err;
}

/* What this process keeps is unpacked from where it was packed. */
static void
unpack(const hesca_column_interchange *x, range rows)
{
    const hesca_layout *layout = x->part.layout;
    const int64_t esize = (int64_t)x->what.esize;
    const int me = x->part.pcol;
    char *at = x->in_at;
    char *kept = x->out_at;
    for (int q = 0; q < me; ++q)
        for (int p = 0; p < layout->nprow; ++p)
            kept += rows_with(x, p, q, rows) *
                    (x->out.first[q + 1] - x->out.first[q]) * esize;
    for (int q = 0; q < layout->npcol; ++q)
        for (int p = 0; p < layout->nprow; ++p) {
            const int mine = q == me && p == x->part.prow;
            const int64_t count = rows_with(x, p, q, rows);
            if (count > 0)
                move(x, p, q, rows, &x->in, mine ? kept : at, 0);
            at += count * (x->in.first[q + 1] - x->in.first[q]) * esize;
        }
}

int
hesca_column_interchange_run(hesca_column_interchange *x)
{
    int64_t left = 0;
    int err = HESCA_SUCCESS;
    for (int64_t i = 0; i < x->what.m; i += x->width) {
        const int64_t end = hesca_min(i + x->width, x->what.m);
        const range rows = {hesca_local_row(&x->part, i),
                            hesca_local_row(&x->part, end)};
        hesca_backoff wait = hesca_comm_backoff(x->c);
        if (x->here.c0 == x->here.c1)
            continue;
        HESCA_TRY(err, post(x, rows, 0, &left));
        HESCA_TRY(err, post(x, rows, 1, &left));
        HESCA_TRY(err, hesca_request_set_advance(&x->requests));
        while (left > 0) {
            hesca_comm_pause(x->c, &wait, "columns of the inverse");
            HESCA_TRY(err, hesca_request_set_advance(&x->requests));
        }
        unpack(x, rows);
    }
fail:
    return err;
}
