/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangular systems, block by block. Described for the left side; on the
 * right X op(T) = B is solved as op(T)^T X^T = B^T, in a transposed copy.
 *
 * A block is a few indices the rows of which are in one process of every
 * process column and the columns of which are in one of every process row.  D,
 * the owner of the diagonal block, also has that part of B during the solve.
 * For op(T) = T, lower, blocks k = 0, 1, ...:
 * 1. the owners of rows of block k send to D their parts of sum(T_kj x_j),
 *    j < k, over their own columns j;
 * 2. D subtracts the sums from b_k, in the order of process columns, and
 *    solves for x_k, which goes to the owners of columns of block k below it;
 * 3. these add T_ik x_k to their sums, rows of the next block first.
 * For upper triangles blocks come in descending order; for transposed ones
 * exchange rows and columns.
 * Cost per block: two consecutive messages, of the width of the block times
 * that of the chunk of B; T is never moved.
 * Source: the scheme of ScaLAPACK's PDTRSV, for cuts of rows that differ from
 * process column to process column. */
#include "dense/solve.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/local.h"
#include "exec/agree.h"
#include "hesca/redist.h"
#include "panel/small_bcast.h"
#include <stdlib.h>
#include <string.h>

enum {
    RING = 4 /* messages of a kind that may be in flight */
};

/* Bytes of a message, at most: solves were fastest with this of 16000, 30000
 * and 60000, and took twice as long with 100000, of MPICH between hosts. */
enum { MESSAGE = 60000 };

/* A message in flight, with its memory. */
typedef struct {
    hesca_small_bcast bcast;
    char *data;
} buffered;

typedef struct {
    hesca_comm *c;
    const hesca_systems *what;
    hesca_type type;
    hesca_matrix a;
    hesca_local part;
    int64_t n, esize;
    int nblocks;
    int64_t *end;          /* [nblocks + 1] block k: end[k] ... end[k + 1] - 1
                            */
    int *owner;            /* [nblocks] number of its D */
    int nowners, *rank;    /* [nowners] of processes that are a D */
    hesca_layout *aligned; /* the temporary layout of B, for the plans */
    int64_t width;         /* of the widest chunk */
    char *b;               /* local part of the chunk */
    char *b_t;             /* its transpose, for the right side */
    int64_t rows, ldb;     /* of b */
    int64_t begin_b;       /* rows before the current block */
    char *sum;             /* [local rows or columns] x width */
    int *list;             /* ranks of a small broadcast */
    buffered out[RING], x[RING];
    char *parts; /* received sums: one for each line of the grid */
    hesca_small_bcast *arrival;
} job;

/* One sweep over one chunk. */
typedef struct {
    const hesca_sweep *what;
    int by_rows;   /* sums are of rows: op(T) = T */
    int ascending; /* blocks */
    int64_t w;     /* columns of the chunk */
    int64_t first, ldsum;
} sweep_state;

/* --- blocks ---
 * Blocks and their owners follow from the layout, the same on all
 * processes. */

static int64_t
block_end(const job *x, int64_t k)
{
    const int64_t most = hesca_min(k + HESCA_SOLVE_WIDEST, x->n);
    return hesca_min(hesca_local_rows_end(&x->part, k, most),
                     hesca_local_cols_end(&x->part, k, most));
}

/* The number of a rank among the owners of diagonal blocks; add the rank if it
 * is new. */
static int
number(job *x, int *number_of, int rank)
{
    if (number_of[rank] < 0) {
        number_of[rank] = x->nowners;
        x->rank[x->nowners++] = rank;
    }
    return number_of[rank];
}

static int
find_blocks(job *x)
{
    const size_t size = (size_t)x->c->size;
    int *number_of = malloc(size * sizeof *number_of);
    for (int64_t k = 0; k < x->n; k = block_end(x, k))
        ++x->nblocks;
    x->end = malloc(((size_t)x->nblocks + 1) * sizeof *x->end);
    x->owner = malloc(((size_t)x->nblocks + 1) * sizeof *x->owner);
    x->rank = malloc(size * sizeof *x->rank);
    if (number_of == NULL || x->end == NULL || x->owner == NULL ||
        x->rank == NULL) {
        free(number_of);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d blocks", x->nblocks);
    }
    memset(number_of, -1, size * sizeof *number_of);
    x->end[0] = 0;
    for (int k = 0; k < x->nblocks; ++k) {
        x->end[k + 1] = block_end(x, x->end[k]);
        x->owner[k] = number(x, number_of,
                             hesca_local_rank(&x->part, x->end[k], x->end[k]));
    }
    free(number_of);
    return HESCA_SUCCESS;
}

/* Make the layout in which B is solved: D owns the rows of block k. */
static int
align(job *x)
{
    int64_t unit = x->n;
    int err = HESCA_SUCCESS, zero = 0, *row = NULL;
    for (int k = 1; k < x->nblocks; ++k)
        unit = hesca_gcd(unit, x->end[k]);
    const int64_t rows = (x->n - 1) / unit + 1;
    row = malloc((size_t)rows * sizeof *row);
    if (row == NULL || rows > INT32_MAX)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%lld rows of blocks",
                                  (long long)rows));
    for (int k = 0; k < x->nblocks; ++k)
        for (int64_t i = x->end[k]; i < x->end[k + 1]; i += unit)
            row[i / unit] = x->owner[k];
    const int u = (int)unit, w = (int)x->width, n = (int)rows;
    if (x->what->right)
        err = hesca_layout_create_by_owners(HESCA_CARTESIAN, w, x->n, w, u, 1,
                                            n, 1, x->nowners, &zero, row,
                                            x->rank, &x->aligned);
    else
        err = hesca_layout_create_by_owners(HESCA_CARTESIAN, x->n, w, u, w, n,
                                            1, x->nowners, 1, row, &zero,
                                            x->rank, &x->aligned);
fail:
    free(row);
    return err;
}

/* --- memory ---
 * Sizes are bounds over all blocks; nothing is allocated during a sweep. */

static int
allocate(job *x)
{
    const hesca_layout *layout = x->a.layout;
    const int lines = (int)hesca_max(layout->nprow, layout->npcol);
    const size_t esize = (size_t)x->esize, w = (size_t)x->width;
    const size_t message = HESCA_SOLVE_WIDEST * w * esize;
    const int64_t m = hesca_local_row(&x->part, x->n);
    const int64_t n = hesca_local_col(&x->part, x->n);
    const int right = x->what->right;
    int64_t locr, locc;
    int err, ok;
    HESCA_TRY(err,
              hesca_layout_local_size(x->aligned, x->c->rank, &locr, &locc));
    x->rows = right ? locc : locr;
    x->ldb = hesca_max(x->rows, 1);
    x->b = malloc((size_t)x->ldb * w * esize);
    x->b_t = right ? malloc((size_t)x->ldb * w * esize) : NULL;
    x->sum = malloc((size_t)hesca_max(hesca_max(m, n), 1) * w * esize);
    x->list = malloc(((size_t)lines + 1) * sizeof *x->list);
    x->parts = malloc((size_t)lines * message);
    x->arrival = calloc((size_t)lines, sizeof *x->arrival);
    ok = x->b != NULL && (!right || x->b_t != NULL) && x->sum != NULL &&
         x->list != NULL && x->parts != NULL && x->arrival != NULL;
    for (int k = 0; k < RING; ++k) {
        x->out[k] = (buffered){{.arrived = 1}, malloc(message)};
        x->x[k] = (buffered){{.arrived = 1}, malloc(message)};
        ok = ok && x->out[k].data != NULL && x->x[k].data != NULL;
    }
    if (!ok)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%lld columns of B",
                         (long long)x->width);
fail:
    return err;
}

static void
clear(job *x)
{
    for (int k = 0; k < RING; ++k) {
        free(x->out[k].data);
        free(x->x[k].data);
    }
    hesca_layout_free(x->aligned);
    free(x->end);
    free(x->owner);
    free(x->rank);
    free(x->b);
    free(x->b_t);
    free(x->sum);
    free(x->list);
    free(x->parts);
    free(x->arrival);
}

/* Columns of a chunk such that its local part fits into HESCA_BUFFER, and a
 * block of it into a message; all chunks have about as many. */
static int64_t
chunk(const job *x)
{
    const int64_t row = hesca_max(1, 2 * x->n * x->esize);
    const int64_t fits = (int64_t)x->c->params.buffer / row;
    const int64_t most =
        hesca_clamp(fits, 1, MESSAGE / HESCA_SOLVE_WIDEST / x->esize);
    const int64_t chunks = (x->what->nrhs - 1) / most + 1;
    return (x->what->nrhs - 1) / chunks + 1;
}

static int
make(job *x)
{
    int err;
    x->width = chunk(x);
    HESCA_TRY(err, find_blocks(x));
    HESCA_TRY(err, align(x));
    HESCA_TRY(err, allocate(x));
fail:
    return err;
}

/* --- messages ---
 * A buffer of a ring is reused when its previous message is complete. */

static int
finish(job *x, hesca_small_bcast *p, int all)
{
    hesca_backoff wait = hesca_comm_backoff(x->c);
    int err, over;
    HESCA_TRY(err, hesca_small_bcast_advance(p, &over));
    while (!(all ? over : p->arrived)) {
        hesca_comm_pause(x->c, &wait, "a block of the solution");
        /* Make progress with the messages that this process forwards. */
        for (int k = 0; k < RING; ++k)
            HESCA_TRY(err, hesca_small_bcast_advance(&x->x[k].bcast, &over));
        HESCA_TRY(err, hesca_small_bcast_advance(p, &over));
    }
fail:
    return err;
}

/* Tags of block k: sums, and the solution. */
static int
tag(int k, int solution)
{
    enum { TAGS = 1024 };
    return HESCA_TAG_SMALL_BCAST + k % TAGS * 2 + solution;
}

/* --- owners of parts of block k ---
 * Pure, so senders and receivers agree without messages. */

/* The rank with the rows of block k in process column line. */
static int
row_holder(const job *x, int64_t k0, int line)
{
    return x->a.layout
        ->ranks[hesca_local_prow(&x->part, line, k0) * x->a.layout->npcol +
                line];
}

static int
col_holder(const job *x, int64_t k0, int line)
{
    return x->a.layout->ranks[line * x->a.layout->npcol +
                              hesca_local_pcol(&x->part, line, k0)];
}

static int64_t
between(const hesca_axis *axis, int owner, int64_t origin, int64_t lo,
        int64_t hi)
{
    return hesca_axis_count(axis, owner, origin + hi) -
           hesca_axis_count(axis, owner, origin + lo);
}

/* How many columns with indices lo ... hi - 1 the process column line has in
 * the process row of row k0; how many rows the process row line has in the
 * process column of column k0. */
static int64_t
cols_of(const job *x, int64_t k0, int line, int64_t lo, int64_t hi)
{
    const int prow = hesca_local_prow(&x->part, line, k0);
    return between(hesca_layout_col_axis(x->a.layout, prow), line, x->a.j, lo,
                   hi);
}

static int64_t
rows_of(const job *x, int64_t k0, int line, int64_t lo, int64_t hi)
{
    const int pcol = hesca_local_pcol(&x->part, line, k0);
    return between(hesca_layout_row_axis(x->a.layout, pcol), line, x->a.i, lo,
                   hi);
}

/* The rank with a part of the sum of block k in a line; -1 if there is none,
 * because the line has no columns of solved blocks. */
static int
summand(const job *x, const sweep_state *s, int k, int line)
{
    const int64_t k0 = x->end[k];
    const int64_t lo = s->ascending ? 0 : x->end[k + 1];
    const int64_t hi = s->ascending ? k0 : x->n;
    if (s->by_rows)
        return cols_of(x, k0, line, lo, hi) > 0 ? row_holder(x, k0, line) : -1;
    return rows_of(x, k0, line, lo, hi) > 0 ? col_holder(x, k0, line) : -1;
}

/* The rank that needs the solution of block k in a line, or -1. */
static int
receiver(const job *x, const sweep_state *s, int k, int line)
{
    const int64_t k0 = x->end[k];
    const int64_t lo = s->ascending ? x->end[k + 1] : 0;
    const int64_t hi = s->ascending ? x->n : k0;
    if (s->by_rows)
        return rows_of(x, k0, line, lo, hi) > 0 ? col_holder(x, k0, line) : -1;
    return cols_of(x, k0, line, lo, hi) > 0 ? row_holder(x, k0, line) : -1;
}

/* Number of lines with parts of a sum, and of lines that receive a
 * solution. */
static int
sum_lines(const job *x, const sweep_state *s)
{
    return s->by_rows ? x->a.layout->npcol : x->a.layout->nprow;
}

static int
receive_lines(const job *x, const sweep_state *s)
{
    return s->by_rows ? x->a.layout->nprow : x->a.layout->npcol;
}

/* The line that this process is in. */
static int
my_sum_line(const job *x, const sweep_state *s)
{
    return s->by_rows ? x->part.pcol : x->part.prow;
}

/* --- arithmetic ---
 * Sums are subtracted in the order of lines, so the result does not depend
 * on when they arrive. */

/* Local rows (columns) of the sums before index i. */
static int64_t
place(const job *x, const sweep_state *s, int64_t i)
{
    return s->by_rows ? hesca_local_row(&x->part, i)
                      : hesca_local_col(&x->part, i);
}

static char *
element(const job *x, int64_t r, int64_t c)
{
    return (char *)x->a.local + (r + c * x->a.lld) * x->esize;
}

static void
copy(const job *x, int64_t m, int64_t n, const char *from, int64_t ldf,
     char *to, int64_t ldt)
{
    for (int64_t k = 0; k < n; ++k)
        memcpy(to + k * ldt * x->esize, from + k * ldf * x->esize,
               (size_t)(m * x->esize));
}

/* Add op(T) x_k to the sums with indices lo ... hi - 1. */
static void
add(job *x, const sweep_state *s, int k, const char *solution, int64_t lo,
    int64_t hi)
{
    const int64_t b = x->end[k + 1] - x->end[k];
    const int64_t p = place(x, s, lo), count = place(x, s, hi) - p;
    const int64_t r = s->by_rows ? p : hesca_local_row(&x->part, x->end[k]);
    const int64_t c = s->by_rows ? hesca_local_col(&x->part, x->end[k]) : p;
    if (count > 0)
        hesca_kernel_gemm(x->type, s->what->trans, 'N', count, s->w, b,
                          hesca_one(x->type), element(x, r, c), x->a.lld,
                          solution, b, hesca_one(x->type),
                          x->sum + (p - s->first) * x->esize, s->ldsum);
}

/* b_k minus a part of its sum. */
static void
subtract(const job *x, const sweep_state *s, int64_t b, const char *part,
         int64_t ld)
{
    for (int64_t k = 0; k < s->w; ++k)
        hesca_kernel_geru(x->type, b, 1, hesca_minus_one(x->type),
                          part + k * ld * x->esize, 1, hesca_one(x->type), 1,
                          x->b + (x->begin_b + k * x->ldb) * x->esize, x->ldb);
}

/* --- one block ---
 * When block k begins, the sums of its rows contain all blocks before it. */

/* Step 1: send a part of the sum of block k. */
static int
send_sum(job *x, const sweep_state *s, int k)
{
    const int owner = x->rank[x->owner[k]];
    buffered *p = &x->out[k % RING];
    const int64_t b = x->end[k + 1] - x->end[k];
    int err = HESCA_SUCCESS;
    if (owner == x->c->rank ||
        summand(x, s, k, my_sum_line(x, s)) != x->c->rank)
        return err;
    HESCA_TRY(err, finish(x, &p->bcast, 1));
    copy(x, b, s->w, x->sum + (place(x, s, x->end[k]) - s->first) * x->esize,
         s->ldsum, p->data, b);
    const int list[] = {x->c->rank, owner};
    HESCA_TRY(err,
              hesca_small_bcast_begin(&p->bcast, x->c, tag(k, 0), list, 2, 0,
                                      0, p->data, (int)(b * s->w * x->esize)));
fail:
    return err;
}

/* Step 2, first half: b_k minus its sum. */
static int
collect(job *x, const sweep_state *s, int k)
{
    const int lines = sum_lines(x, s), me = x->c->rank;
    const int64_t b = x->end[k + 1] - x->end[k];
    const int64_t bytes = b * s->w * x->esize;
    int err = HESCA_SUCCESS;
    for (int l = 0; l < lines; ++l) {
        const int list[] = {x->list[l] = summand(x, s, k, l), me};
        if (list[0] >= 0 && list[0] != me)
            HESCA_TRY(err, hesca_small_bcast_begin(
                               &x->arrival[l], x->c, tag(k, 0), list, 2, 1, 0,
                               x->parts + l * bytes, (int)bytes));
    }
    for (int l = 0; l < lines; ++l) {
        if (x->list[l] < 0)
            continue;
        if (x->list[l] == me) {
            subtract(x, s, b,
                     x->sum + (place(x, s, x->end[k]) - s->first) * x->esize,
                     s->ldsum);
            continue;
        }
        HESCA_TRY(err, finish(x, &x->arrival[l], 1));
        subtract(x, s, b, x->parts + l * bytes, b);
    }
fail:
    return err;
}

/* The second half: x_k, as a message. */
static void
solve_block(job *x, const sweep_state *s, int k, char *solution)
{
    const int64_t k0 = x->end[k], b = x->end[k + 1] - k0;
    char *at = x->b + x->begin_b * x->esize;
    hesca_kernel_trsm(x->type, 'L', s->what->upper ? 'U' : 'L', s->what->trans,
                      s->what->unit ? 'U' : 'N', b, s->w, hesca_one(x->type),
                      element(x, hesca_local_row(&x->part, k0),
                              hesca_local_col(&x->part, k0)),
                      x->a.lld, at, x->ldb);
    copy(x, b, s->w, at, x->ldb, solution, b);
}

/* List D and the other ranks that receive x_k; return the position of this
 * process, or -1. */
static int
list_receivers(job *x, const sweep_state *s, int k, int *n)
{
    const int owner = x->rank[x->owner[k]];
    int me = owner == x->c->rank ? 0 : -1;
    *n = 0;
    x->list[(*n)++] = owner;
    for (int l = 0; l < receive_lines(x, s); ++l) {
        const int rank = receiver(x, s, k, l);
        if (rank < 0 || rank == owner)
            continue;
        if (rank == x->c->rank)
            me = *n;
        x->list[(*n)++] = rank;
    }
    return me;
}

/* Step 3; the sum of the next block is sent first. */
static int
add_all(job *x, const sweep_state *s, int k, int next, const char *solution)
{
    int64_t lo = s->ascending ? x->end[k + 1] : 0;
    int64_t hi = s->ascending ? x->n : x->end[k];
    int err = HESCA_SUCCESS;
    if (next < 0)
        return err;
    add(x, s, k, solution, x->end[next], x->end[next + 1]);
    HESCA_TRY(err, send_sum(x, s, next));
    if (s->ascending)
        lo = x->end[next + 1];
    else
        hi = x->end[next];
    add(x, s, k, solution, lo, hi);
fail:
    return err;
}

/* Block k; next is the one after it, or -1. */
static int
block(job *x, const sweep_state *s, int k, int next)
{
    buffered *p = &x->x[k % RING];
    const int64_t b = x->end[k + 1] - x->end[k];
    const int is_owner = x->rank[x->owner[k]] == x->c->rank;
    int err, n;
    HESCA_TRY(err, finish(x, &p->bcast, 1));
    if (is_owner) {
        x->begin_b = hesca_axis_count(
            x->what->right ? hesca_layout_col_axis(x->aligned, 0)
                           : hesca_layout_row_axis(x->aligned, 0),
            x->owner[k], x->end[k]);
        HESCA_TRY(err, collect(x, s, k));
        solve_block(x, s, k, p->data);
    }
    const int me = list_receivers(x, s, k, &n);
    if (me >= 0) {
        HESCA_TRY(err, hesca_small_bcast_begin(&p->bcast, x->c, tag(k, 1),
                                               x->list, n, me, 0, p->data,
                                               (int)(b * s->w * x->esize)));
        HESCA_TRY(err, finish(x, &p->bcast, 0));
        HESCA_TRY(err, add_all(x, s, k, next, p->data));
    } else if (next >= 0) {
        err = send_sum(x, s, next);
    }
fail:
    return err;
}

static int
sweep(job *x, const hesca_sweep *what, int64_t w)
{
    sweep_state s = {.what = what,
                     .by_rows = what->trans == 'N',
                     .ascending = (what->trans == 'N') == !what->upper,
                     .w = w};
    int err = HESCA_SUCCESS;
    s.first = place(x, &s, 0);
    const int64_t count = place(x, &s, x->n) - s.first;
    s.ldsum = hesca_max(count, 1);
    memset(x->sum, 0, (size_t)(s.ldsum * w * x->esize));
    for (int t = 0; t < x->nblocks; ++t) {
        const int k = s.ascending ? t : x->nblocks - 1 - t;
        const int last = t == x->nblocks - 1;
        HESCA_TRY(err, block(x, &s, k,
                             last          ? -1
                             : s.ascending ? k + 1
                                           : k - 1));
    }
    for (int k = 0; k < RING; ++k) {
        HESCA_TRY(err, finish(x, &x->x[k].bcast, 1));
        HESCA_TRY(err, finish(x, &x->out[k].bcast, 1));
    }
fail:
    return err;
}

/* --- the right side ---
 * op(T)^T is T^T, T or, with conjugates of B and X, T. */

/* b and b_t exchange their elements, of w right-hand sides. */
static void
transpose(const job *x, int64_t w)
{
    for (int64_t k = 0; k < w; ++k)
        hesca_kernel_swap(x->type, x->rows, x->b + k * x->ldb * x->esize, 1,
                          x->b_t + k * x->esize, x->width);
}

static void
conjugate(const job *x, int64_t w)
{
    const hesca_type real = hesca_type_real(x->type);
    for (int64_t k = 0; k < w && hesca_type_is_complex(x->type); ++k)
        hesca_kernel_scal(real, x->rows, hesca_minus_one(real),
                          x->b + (2 * k * x->ldb + 1) * (x->esize / 2), 2);
}

static int
sweep_right(job *x, const hesca_sweep *what, int64_t w)
{
    const hesca_sweep left = {.upper = what->upper,
                              .trans = what->trans == 'N' ? 'T' : 'N',
                              .unit = what->unit};
    int err = HESCA_SUCCESS;
    if (what->trans == 'C')
        conjugate(x, w);
    HESCA_TRY(err, sweep(x, &left, w));
    if (what->trans == 'C')
        conjugate(x, w);
fail:
    return err;
}

/* --- chunks of B ---
 * The columns before *solved are final in B; the others are unchanged. */

/* The plans that move columns j ... j + w - 1 of sub(B) to the owners of
 * diagonal blocks, and back. */
typedef struct {
    hesca_plan *to, *from;
} round_trip;

static int
plan(const job *x, int64_t j, int64_t w, round_trip *y)
{
    const size_t esize = (size_t)x->esize;
    const hesca_matrix *b = x->what->b;
    const int right = x->what->right;
    const int64_t m = right ? w : x->n, n = right ? x->n : w;
    const hesca_matrix home = {.layout = b->layout,
                               .i = b->i + (right ? j : 0),
                               .j = b->j + (right ? 0 : j)};
    const hesca_matrix aligned = {.layout = x->aligned};
    int err;
    *y = (round_trip){NULL, NULL};
    HESCA_TRY(err, hesca_plan_create(HESCA_ALL, m, n, &home, &aligned, esize,
                                     x->c->user, &y->to));
    HESCA_TRY(err, hesca_plan_create(HESCA_ALL, m, n, &aligned, &home, esize,
                                     x->c->user, &y->from));
fail:
    return err;
}

static int
solve_here(job *x, int64_t w)
{
    const hesca_systems *s = x->what;
    int err = HESCA_SUCCESS;
    if (s->right)
        transpose(x, w);
    if (!hesca_is_one(x->type, s->alpha))
        hesca_kernel_scale(x->type, x->rows, w, s->alpha, x->b, x->ldb);
    for (int k = 0; k < s->nsweeps; ++k)
        HESCA_TRY(err, (s->right ? sweep_right : sweep)(x, &s->sweep[k], w));
    if (s->right)
        transpose(x, w);
fail:
    return err;
}

static int
solve_chunk(job *x, int64_t j, int64_t w)
{
    const hesca_matrix *b = x->what->b;
    char *aligned = x->what->right ? x->b_t : x->b;
    const int64_t ld = x->what->right ? x->width : x->ldb;
    round_trip y;
    int err;
    HESCA_TRY(err, plan(x, j, w, &y));
    HESCA_TRY(err, hesca_plan_execute(y.to, b->local, b->lld, aligned, ld));
    if (x->part.here)
        HESCA_TRY(err, solve_here(x, w));
    err = hesca_plan_execute(y.from, aligned, ld, b->local, b->lld);
fail:
    hesca_plan_free(y.to);
    hesca_plan_free(y.from);
    return err;
}

int
hesca_solve(hesca_comm *c, const hesca_systems *what, int64_t *solved)
{
    const hesca_matrix *a = what->a;
    job x = {.c = c,
             .what = what,
             .type = what->type,
             .a = *a,
             .part = hesca_local_make(a->layout, a->i, a->j, c->rank),
             .n = what->n,
             .esize = (int64_t)hesca_type_size(what->type)};
    int err = HESCA_SUCCESS;
    *solved = 0;
    if (what->n == 0 || what->nrhs == 0)
        return err;
    if (hesca_solve_is_wide(what)) {
        err = hesca_solve_wide(c, what);
        *solved = err < 0 ? 0 : what->nrhs;
        return err;
    }
    HESCA_TRY(err, hesca_agree(c, make(&x), 0, NULL));
    while (*solved < what->nrhs) {
        const int64_t width = hesca_min(x.width, what->nrhs - *solved);
        HESCA_TRY(err, solve_chunk(&x, *solved, width));
        *solved += width;
    }
fail:
    clear(&x);
    return err;
}
