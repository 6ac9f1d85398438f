/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/reflectors.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/householder.h"
#include "exec/staging.h"
#include <stdlib.h>
#include <string.h>

enum {
    CHUNKS = 4,      /* of lines, so that sums travel during products */
    NARROWEST = 192, /* of these chunks */
    TILE = 48        /* lines, of the BLAS kernel */
};

/* Operations of a chunk, real ones, at most: between nodes messages wait for
 * tests at both ends. */
static const double PIECE = 1e9, PIECE_FAR = 1e8;

/* --- indices ---
 * Local, of the array: along those that Q mixes, and lines. */

static int64_t
index_of(const hesca_reflectors *r, int64_t k)
{
    return r->right ? hesca_local_col(&r->part, k)
                    : hesca_local_row(&r->part, k);
}

static int64_t
line_of(const hesca_reflectors *r, int64_t j)
{
    return r->right ? hesca_local_row(&r->part, j)
                    : hesca_local_col(&r->part, j);
}

/* Element with local index k of local line c. */
static char *
at(const hesca_reflectors *r, int64_t k, int64_t c)
{
    return hesca_at(r->type, r->a, r->lld, r->right ? c : k, r->right ? k : c);
}

int64_t
hesca_reflectors_chunk_end(const hesca_reflectors *r, int64_t j)
{
    return hesca_min((j / r->stride + 1) * r->stride, r->n);
}

/* --- memory --- */

static int
nlines(const hesca_reflectors *r)
{
    return r->right ? r->part.layout->npcol : r->part.layout->nprow;
}

/* Lines of a chunk; the same on all processes. */
static int64_t
stride_of(const hesca_reflectors *r)
{
    const hesca_layout *x = r->part.layout;
    const int others = r->right ? x->nprow : x->npcol;
    const double complexity = hesca_type_is_complex(r->type) ? 4 : 1;
    const double line = 2 * complexity * (double)r->order * (double)r->widest /
                        ((double)x->nprow * x->npcol);
    const double piece = hesca_comm_is_node(r->c) ? PIECE : PIECE_FAR;
    const int64_t most =
        (int64_t)hesca_min((int64_t)(piece / (line + 1)), INT32_MAX);
    const int64_t wanted = hesca_min((r->n + CHUNKS - 1) / CHUNKS, most);
    return hesca_max(wanted, NARROWEST * (int64_t)others) / TILE * TILE;
}

static int64_t
most_lines(const hesca_reflectors *r)
{
    const int64_t n = line_of(r, r->n) - line_of(r, 0);
    return hesca_min(n, hesca_max(r->stride, r->widest));
}

static hesca_panel_sum_spec
sums_of(const hesca_reflectors *r)
{
    return (hesca_panel_sum_spec){.layout = r->part.layout,
                                  .i = r->part.i,
                                  .j = r->part.j,
                                  .of = r->right ? HESCA_ROWS : HESCA_COLS,
                                  .summed = r->order,
                                  .n = r->n,
                                  .width = r->widest,
                                  .nchunks = r->n / r->stride + 3,
                                  .is_single =
                                      hesca_type_real(r->type) == HESCA_S,
                                  .is_complex = hesca_type_is_complex(r->type),
                                  .shared = r->shared,
                                  .user = r->user,
                                  .memory = r->memory};
}

int64_t
hesca_reflectors_shared_bytes(const hesca_reflectors *r)
{
    hesca_reflectors x = *r;
    x.stride = stride_of(r);
    const hesca_panel_sum_spec sums = sums_of(&x);
    return hesca_panel_sum_shared_bytes(r->c, &sums);
}

int64_t
hesca_reflectors_bytes(const hesca_reflectors *r)
{
    hesca_reflectors x = *r;
    x.esize = (int64_t)hesca_type_size(r->type);
    x.stride = stride_of(r);
    const hesca_panel_sum_spec sums = sums_of(&x);
    return (most_lines(&x) + 2 * r->widest) * x.esize +
           (nlines(r) > 1 ? hesca_panel_sum_bytes(&sums, r->c->rank) : 0);
}

int
hesca_reflectors_init(hesca_reflectors *r, hesca_request_set *requests,
                      int tag)
{
    int err = HESCA_SUCCESS;
    r->esize = (int64_t)hesca_type_size(r->type);
    r->stride = stride_of(r);
    const size_t square = (size_t)(r->widest * r->widest * r->esize) + 1;
    const size_t chunk = (size_t)(r->widest * most_lines(r) * r->esize) + 1;
    const hesca_panel_sum_spec sums = sums_of(r);
    r->head = malloc(square);
    r->t = malloc(square);
    r->index = malloc((size_t)r->widest * sizeof *r->index);
    r->w = hesca_staging_block(chunk);
    if (r->head == NULL || r->t == NULL || r->index == NULL || r->w == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "blocks of %lld reflectors",
                          (long long)r->widest);
    if (nlines(r) > 1)
        err = hesca_panel_sum_create(requests, &sums, tag, &r->sum);
    return err;
}

void
hesca_reflectors_clear(hesca_reflectors *r)
{
    free(r->head);
    free(r->t);
    free(r->index);
    hesca_staging_unblock(r->w);
    hesca_panel_sum_free(r->sum);
}

/* --- the block --- */

/* The rows of V with the first indices: copied, since the array has R, or
 * anything, in place of units and zeros. */
static void
set_head(hesca_reflectors *r, const char *v)
{
    const int64_t rows = r->body - r->begin;
    int64_t *index = r->index;
    if (r->right)
        hesca_local_col_indices(&r->part, r->begin, r->body, index);
    else
        hesca_local_row_indices(&r->part, r->begin, r->body, index);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t k = 0; k < r->width; ++k) {
            const int64_t d = index[i] - r->k0;
            const void *from = k < d ? hesca_at_const(r->type, v, r->ldv, i, k)
                               : k == d ? hesca_one(r->type)
                                        : hesca_zero(r->type);
            memcpy(hesca_at(r->type, r->head, r->widest, i, k), from,
                   (size_t)r->esize);
        }
}

void
hesca_reflectors_begin(hesca_reflectors *r, int64_t k0, int64_t width,
                       const char *v, int64_t ldv)
{
    r->k0 = k0;
    r->width = width;
    r->ldv = ldv;
    r->begin = index_of(r, k0);
    r->body = index_of(r, k0 + width);
    r->end = index_of(r, r->order);
    r->v = v;
    if (r->begin < r->end && v != NULL) {
        set_head(r, v);
        r->v += (r->body - r->begin) * r->esize;
    }
    if (r->sum != NULL)
        hesca_panel_sum_begin(r->sum, k0, width);
}

/* W has a column for each line, so T is transposed if Q is on the right. */
void
hesca_reflectors_set_t(hesca_reflectors *r, char op, const char *t)
{
    const int is_conjugate = r->right && op != 'N';
    hesca_householder_op(r->type, is_conjugate ? 'R' : 'N', r->width, t, r->t);
    r->op_of_t = is_conjugate ? 'N' : r->right ? 'T' : op;
}

int
hesca_reflectors_is_member(const hesca_reflectors *r)
{
    return r->begin < r->end;
}

int
hesca_reflectors_has_sums(const hesca_reflectors *r)
{
    return r->sum != NULL;
}

void
hesca_reflectors_gram(const hesca_reflectors *r, char *gram)
{
    const void *one = hesca_one(r->type), *zero = hesca_zero(r->type);
    const int64_t rows = r->body - r->begin, more = r->end - r->body;
    hesca_kernel_syrk(r->type, 1, 'U', 'C', r->width, rows, one, r->head,
                      r->widest, zero, gram, r->width);
    if (more > 0)
        hesca_kernel_syrk(r->type, 1, 'U', 'C', r->width, more, one, r->v,
                          r->ldv, one, gram, r->width);
}

/* --- products ---
 * W has a column for each line, in any case. */

/* W := (beta W) + rows of V times indices k ... k + rows - 1 of n lines. */
static void
multiply(const hesca_reflectors *r, const char *v, int64_t ldv, int64_t k,
         int64_t rows, int64_t c, int64_t n, const void *beta, char *w)
{
    const char trans = r->right ? 'T' : 'C';
    if (rows > 0)
        hesca_kernel_gemm(r->type, trans, r->right ? 'T' : 'N', r->width, n,
                          rows, hesca_one(r->type), v, ldv, at(r, k, c),
                          r->lld, beta, w, r->width);
}

static void
multiply_lines(const hesca_reflectors *r, int64_t c, int64_t n, char *w)
{
    const int64_t rows = r->body - r->begin;
    if (n == 0)
        return;
    multiply(r, r->head, r->widest, r->begin, rows, c, n, hesca_zero(r->type),
             w);
    multiply(r, r->v, r->ldv, r->body, r->end - r->body, c, n,
             rows > 0 ? hesca_one(r->type) : hesca_zero(r->type), w);
}

/* Indices k ... k + rows - 1 of n lines, less rows of V times Z. */
static void
subtract(const hesca_reflectors *r, const char *v, int64_t ldv, int64_t k,
         int64_t rows, int64_t c, int64_t n)
{
    const void *one = hesca_one(r->type), *minus = hesca_minus_one(r->type);
    if (rows == 0)
        return;
    if (r->right)
        hesca_kernel_gemm(r->type, 'T', 'C', n, rows, r->width, minus, r->w,
                          r->width, v, ldv, one, at(r, k, c), r->lld);
    else
        hesca_kernel_gemm(r->type, 'N', 'N', rows, n, r->width, minus, v, ldv,
                          r->w, r->width, one, at(r, k, c), r->lld);
}

int
hesca_reflectors_multiply(hesca_reflectors *r, int64_t j0, int64_t j1)
{
    const int64_t c0 = line_of(r, j0), c1 = line_of(r, j1);
    if (r->sum == NULL)
        return HESCA_SUCCESS;
    if (hesca_reflectors_is_member(r))
        multiply_lines(r, c0, c1 - c0, hesca_panel_sum_own(r->sum, j0));
    return hesca_panel_sum_send(r->sum, j0, j1);
}

void
hesca_reflectors_update(hesca_reflectors *r, int64_t j0, int64_t j1)
{
    const int64_t c0 = line_of(r, j0), n = line_of(r, j1) - c0;
    const int64_t rows = r->body - r->begin;
    const int is_member = hesca_reflectors_is_member(r);
    if (r->sum != NULL)
        hesca_panel_sum_take(r->sum, r->w);
    else if (is_member)
        multiply_lines(r, c0, n, r->w);
    if (is_member && n > 0) {
        hesca_kernel_trmm(r->type, 'L', 'U', r->op_of_t, 'N', r->width, n,
                          hesca_one(r->type), r->t, r->width, r->w, r->width);
        subtract(r, r->head, r->widest, r->begin, rows, c0, n);
        subtract(r, r->v, r->ldv, r->body, r->end - r->body, c0, n);
    }
}
