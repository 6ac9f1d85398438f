/* SPDX-License-Identifier: BSD-3-Clause */
/* Solving with the factors of hesca_getrf(): the interchanges of all panels
 * are one permutation of B's rows, before the two triangles or, for
 * transposes, after them. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/args.h"
#include "dense/local.h"
#include "dense/solve.h"
#include "exec/agree.h"
#include "panel/row_interchange.h"
#include <stdlib.h>

static const char GETRS[] = "hesca_getrs";

enum {
    DEPTH = 3, /* exchanges of rows in flight */
    TAG_INTERCHANGE = HESCA_TAG_PANEL_MCAST + 40
};

/* Interchanges of the rows of sub(B). */
typedef struct {
    const hesca_comm *c;
    const hesca_matrix *b;
    int64_t n, nrhs, width; /* columns at once */
    hesca_request_set requests;
    hesca_row_interchange *interchanges;
    int64_t *from, *to; /* [n] */
    int64_t nmoves;
} rows;

/* --- the permutation ---
 * from and to list every row that moves, the same on all processes. */

/* Row from[d] becomes row to[d]. */
static void
compose(rows *x, const int64_t *ipiv)
{
    int64_t *row = x->to;
    for (int64_t i = 0; i < x->n; ++i)
        row[i] = i;
    for (int64_t i = 0; i < x->n; ++i) {
        const int64_t with = row[ipiv[i]];
        row[ipiv[i]] = row[i];
        row[i] = with;
    }
    x->nmoves = 0;
    for (int64_t i = 0; i < x->n; ++i)
        if (row[i] != i) {
            const int64_t from = row[i];
            x->from[x->nmoves] = from;
            x->to[x->nmoves++] = i;
        }
}

/* Choose the width such that the exchanges in flight fit into HESCA_BUFFER. */
static int
make(rows *x, hesca_type type)
{
    const int64_t esize = (int64_t)hesca_type_size(type);
    const int64_t column = 2 * DEPTH * (x->n + 1) * esize;
    int err;
    x->width = hesca_clamp((int64_t)x->c->params.buffer / column, 1, x->nrhs);
    x->from = malloc((size_t)(2 * x->n + 1) * sizeof *x->from);
    if (x->from == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld interchanges",
                          (long long)x->n);
    x->to = x->from + x->n;
    const hesca_row_interchange_spec what = {.layout = x->b->layout,
                                             .i = x->b->i,
                                             .j = x->b->j,
                                             .m = x->n,
                                             .n = x->nrhs,
                                             .esize = (size_t)esize,
                                             .moves = x->n,
                                             .width = x->width};
    HESCA_TRY(err, hesca_row_interchange_create(&x->requests, &what,
                                                TAG_INTERCHANGE, DEPTH,
                                                &x->interchanges));
    HESCA_TRY(err, hesca_request_set_init(&x->requests));
fail:
    return err;
}

static int
wait(rows *x, int (*is_true)(const hesca_row_interchange *))
{
    hesca_backoff pause = hesca_comm_backoff(x->c);
    int err = HESCA_SUCCESS;
    while (!is_true(x->interchanges)) {
        HESCA_TRY(err, hesca_request_set_advance(&x->requests));
        hesca_row_interchange_advance(x->interchanges, NULL);
        if (!is_true(x->interchanges))
            hesca_comm_pause(x->c, &pause, "rows of B");
    }
fail:
    return err;
}

/* Columns from j0 on; back: the inverse. */
static int
interchange(rows *x, int64_t j0, int back)
{
    const hesca_row_interchange_rows what = {.nmoves = x->nmoves,
                                             .from = back ? x->to : x->from,
                                             .to = back ? x->from : x->to};
    int64_t m, n;
    int err = HESCA_SUCCESS;
    hesca_layout_local_size(x->b->layout, x->c->rank, &m, &n);
    const int owns = m > 0 && n > 0;
    for (int64_t j = j0; j < x->nrhs; j += x->width) {
        HESCA_TRY(err, wait(x, hesca_row_interchange_may_begin));
        HESCA_TRY(err, hesca_row_interchange_begin(
                           x->interchanges, &what, j,
                           hesca_min(j + x->width, x->nrhs),
                           owns ? x->b->local : (void *)x->from,
                           owns ? x->b->lld : 1, NULL, 0));
    }
    HESCA_TRY(err, wait(x, hesca_row_interchange_is_over));
fail:
    return err;
}

/* --- solving ---
 * On HESCA_ERR_NOMEM the columns that are not solved are restored. */

static int
solve(rows *x, hesca_type type, char trans, const hesca_matrix *a,
      hesca_comm *c)
{
    const hesca_sweep forward[] = {{0, trans, 1}, {1, trans, 0}};
    const hesca_sweep backward[] = {{1, trans, 0}, {0, trans, 1}};
    const hesca_systems what = {.type = type,
                                .n = x->n,
                                .nrhs = x->nrhs,
                                .alpha = hesca_one(type),
                                .a = a,
                                .b = x->b,
                                .nsweeps = 2,
                                .sweep = trans == 'N' ? forward : backward};
    int64_t solved;
    int err = HESCA_SUCCESS;
    if (trans == 'N')
        HESCA_TRY(err, interchange(x, 0, 0));
    err = hesca_solve(c, &what, &solved);
    if (trans == 'N' && err == HESCA_ERR_NOMEM)
        interchange(x, solved,
                    1); /* restore the columns that are not solved */
    HESCA_TRY(err, err);
    if (trans != 'N')
        HESCA_TRY(err, interchange(x, 0, 1));
fail:
    return err;
}

/* Interchanges i with ipiv[i] >= i, the same on all processes. */
static void
check_pivots(hesca_args *x, int64_t n, const int64_t *ipiv)
{
    uint64_t digest = 1;
    if (n > 0)
        hesca_args_pointer(x, 6, "ipiv", ipiv);
    for (int64_t i = 0; ipiv != NULL && i < n; ++i) {
        digest = (digest ^ (uint64_t)ipiv[i]) * 0x100000001b3u;
        if ((ipiv[i] < i || ipiv[i] >= n) && x->err == HESCA_SUCCESS)
            x->err = hesca_fail(HESCA_ERR_ARG, 6,
                                "%s: argument 6, ipiv[%lld], is %lld: must be "
                                "at least %lld and below n",
                                GETRS, (long long)i, (long long)ipiv[i],
                                (long long)i);
    }
    hesca_args_scalar(x, HESCA_D, 6, "ipiv", &digest);
}

static int
check(hesca_comm *c, hesca_type *type, char *trans, int64_t n, int64_t nrhs,
      const hesca_matrix *a, const int64_t *ipiv, const hesca_matrix *b)
{
    hesca_args x = hesca_args_begin(GETRS, c);
    *type = hesca_args_type(&x, 1, *type);
    *trans = hesca_args_letter(&x, 2, "trans", *trans, "NTC");
    hesca_args_size(&x, 3, "n", n);
    hesca_args_size(&x, 4, "nrhs", nrhs);
    hesca_args_matrix(&x, 5, "a", a, n, n);
    check_pivots(&x, n, ipiv);
    hesca_args_matrix(&x, 7, "b", b, n, nrhs);
    return hesca_args_agree(&x, 0, NULL);
}

int
hesca_getrs(hesca_type type, char trans, int64_t n, int64_t nrhs,
            const hesca_matrix *a, const int64_t *ipiv, const hesca_matrix *b,
            MPI_Comm comm)
{
    hesca_comm *c;
    rows x = {.b = b, .n = n, .nrhs = nrhs};
    int err;
    hesca_caller_enter(GETRS);
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    HESCA_TRY(err, check(c, &type, &trans, n, nrhs, a, ipiv, b));
    if (n == 0 || nrhs == 0)
        return err;
    x.c = x.requests.comm = c;
    HESCA_TRY(err, hesca_agree(c, make(&x, type), 0, NULL));
    compose(&x, ipiv);
    HESCA_TRY(err, solve(&x, type, trans, a, c));
fail:
    hesca_row_interchange_free(x.interchanges);
    hesca_request_set_clear(&x.requests);
    free(x.from);
    return err;
}
