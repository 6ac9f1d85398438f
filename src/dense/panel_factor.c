/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/panel_factor.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/householder.h"
#include <stdlib.h>
#include <string.h>

/* Up to this number of processes the root sends the head to all processes
 * itself; else to its team, the members of which send it to their process
 * rows. */
enum { FEW = 16 };

/* Rows that are few: this part of the most. */
enum { FEW_ROWS = 8 };

/* --- heads ---
 * The parts of a head have the same offsets on all processes. */

/* An even number of integers, for the alignment of complex blocks. */
static int64_t
integers(int64_t width)
{
    return (width + 2) / 2 * 2;
}

size_t
hesca_head_bytes(int64_t width, size_t esize)
{
    return (size_t)integers(width) * sizeof(int64_t) +
           (size_t)(width * width) * esize;
}

int64_t *
hesca_head_info(const hesca_head *h)
{
    return h->data;
}

int64_t *
hesca_head_pivots(const hesca_head *h)
{
    return h->data + 1;
}

char *
hesca_head_block(const hesca_head *h)
{
    return (char *)(h->data + integers(h->width));
}

/* --- the team ---
 * Team, root and receivers follow from the layout and k0, the same on all
 * processes. */

static int
rank_of(const hesca_panel *p, int prow, int pcol)
{
    return p->part.layout->ranks[prow * p->part.layout->npcol + pcol];
}

static hesca_local
member(const hesca_panel *p, int prow)
{
    hesca_local x = p->part;
    x.here = 1;
    x.prow = prow;
    x.pcol = p->pcol[prow];
    return x;
}

static int64_t
rows_from(const hesca_panel *p, int prow, int64_t i)
{
    const hesca_local x = member(p, prow);
    return hesca_local_row(&x, p->m) - hesca_local_row(&x, i);
}

/* The root has most rows; of QR, in the n-th panel, the n-th of those that
 * have as many but for a few: members update their rows at the same time, so
 * each would wait for one that always factors. */
static void
find_root(hesca_panel *p, int64_t n)
{
    const int nprow = p->part.layout->nprow;
    int64_t most = 0, nlike = 0;
    for (int prow = 0; prow < nprow; ++prow)
        most = hesca_max(most, p->rows[prow]);
    const int64_t least =
        p->method == HESCA_PANEL_QR ? most - most / FEW_ROWS : most;
    for (int prow = 0; prow < nprow; ++prow)
        nlike += p->rows[prow] >= least;
    n = p->method == HESCA_PANEL_QR ? n % nlike : 0;
    for (p->root = 0; p->rows[p->root] < least || n-- > 0; ++p->root)
        ;
}

/* Panel n. */
static void
set_panel(hesca_panel *p, int64_t n, int64_t k0, int64_t k1)
{
    p->k0 = k0;
    p->k1 = k1;
    for (int prow = 0; prow < p->part.layout->nprow; ++prow) {
        p->pcol[prow] = hesca_local_pcol(&p->part, prow, k0);
        p->rows[prow] = rows_from(p, prow, k0);
    }
    find_root(p, n);
}

int
hesca_panel_is_member(const hesca_panel *p)
{
    return p->part.here && p->pcol[p->part.prow] == p->part.pcol;
}

static int
is_root(const hesca_panel *p)
{
    return hesca_panel_is_member(p) && p->part.prow == p->root;
}

/* The rank that sends the head to this process. */
static int
source(const hesca_panel *p)
{
    const int prow = p->part.prow;
    if (p->nprocs <= FEW || hesca_panel_is_member(p))
        return rank_of(p, p->root, p->pcol[p->root]);
    return rank_of(p, prow, p->pcol[prow]);
}

/* The ranks that this process sends the head to; the team first, because it
 * has more to do. */
static int
find_receivers(const hesca_panel *p, int *rank)
{
    const hesca_layout *x = p->part.layout;
    int n = 0;
    if (is_root(p))
        for (int d = 1; d < x->nprow; ++d) {
            const int prow = (p->root + d) % x->nprow;
            rank[n++] = rank_of(p, prow, p->pcol[prow]);
        }
    if (!hesca_panel_is_member(p) || (p->nprocs <= FEW && !is_root(p)))
        return n;
    for (int d = 0; d < x->nprow; ++d) {
        const int prow = (p->part.prow + d) % x->nprow;
        if (d > 0 && p->nprocs > FEW)
            break;
        for (int pcol = 0; pcol < x->npcol; ++pcol)
            if (pcol != p->pcol[prow])
                rank[n++] = rank_of(p, prow, pcol);
    }
    return n;
}

/* --- memory ---
 * Bounds over all panels, so that nothing is allocated while factoring. */

/* Upper bounds of the elements of whole panels that this process factors as
 * root, and of the packed rows that it receives as root or sends as member. */
static void
find_room(hesca_panel *p, int64_t n, const int64_t *bound, int64_t *whole,
          int64_t *packed)
{
    *whole = *packed = 0;
    for (int64_t t = 0; t < n; ++t) {
        set_panel(p, t, bound[t], bound[t + 1]);
        const int64_t width = p->k1 - p->k0, all = p->m - p->k0;
        if (!hesca_panel_is_member(p) || p->rows[p->root] == all)
            continue;
        const int64_t mine = p->rows[p->part.prow];
        *whole = hesca_max(*whole, is_root(p) ? all * width : 0);
        *packed = hesca_max(*packed, (is_root(p) ? all - mine : mine) * width);
    }
}

int
hesca_panel_init(hesca_panel *p, int64_t n, const int64_t *bound)
{
    const int64_t nprow = p->part.layout->nprow;
    const int64_t esize = (int64_t)hesca_type_size(p->type);
    int64_t whole, packed;
    p->nprocs = (int)nprow * p->part.layout->npcol;
    p->pcol = malloc((size_t)nprow * sizeof *p->pcol);
    p->rows = malloc((size_t)nprow * sizeof *p->rows);
    p->receiver = malloc((size_t)p->nprocs * sizeof *p->receiver);
    p->pivot = malloc((size_t)p->widest * sizeof *p->pivot);
    p->index = malloc((size_t)(p->m + 1) * sizeof *p->index);
    if (p->pcol == NULL || p->rows == NULL || p->receiver == NULL ||
        p->pivot == NULL || p->index == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a panel of %lld rows",
                          (long long)p->m);
    find_room(p, n, bound, &whole, &packed);
    p->whole = malloc((size_t)(whole * esize) + 1);
    p->packed = malloc((size_t)(packed * esize) + 1);
    p->returned = malloc((size_t)(packed * esize) + 1);
    p->work = malloc(p->method == HESCA_PANEL_QR
                         ? (size_t)(p->widest * p->widest * esize)
                         : 1);
    if (p->whole == NULL || p->packed == NULL || p->returned == NULL ||
        p->work == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "panels of %lld elements",
                          (long long)(whole + packed));
    const int64_t heads = 3 * p->nprocs;
    hesca_request_set_reserve(p->requests, 2 * nprow, 2 * packed * esize);
    hesca_request_set_reserve(
        p->requests, heads,
        heads * (int64_t)hesca_head_bytes(p->widest, (size_t)esize));
    return HESCA_SUCCESS;
}

void
hesca_panel_clear(hesca_panel *p)
{
    free(p->receiver);
    free(p->pcol);
    free(p->rows);
    free(p->pivot);
    free(p->packed);
    free(p->returned);
    free(p->work);
    free(p->whole);
    free(p->index);
}

/* --- moving rows ---
 * The whole panel has the rows in the order of their indices. */

static int64_t
size_of(const hesca_panel *p, int64_t elements)
{
    return elements * (int64_t)hesca_type_size(p->type);
}

/* This process's row that has local index row, in the panel's columns. */
static char *
own(const hesca_panel *p, int64_t row)
{
    return p->a + size_of(p, row + hesca_local_col(&p->part, p->k0) * p->lld);
}

static void
copy(const hesca_panel *p, char *to, int64_t ldt, const char *from,
     int64_t ldf, int64_t rows)
{
    for (int64_t c = 0; c < p->k1 - p->k0 && rows > 0; ++c)
        memcpy(to + size_of(p, c * ldt), from + size_of(p, c * ldf),
               (size_t)size_of(p, rows));
}

/* Copy a member's rows from row i on into the whole panel, or (take) out of
 * it; at: their address, with leading dimension ld. */
static void
move_rows(const hesca_panel *p, int prow, int64_t i, char *at, int64_t ld,
          int take)
{
    const hesca_local x = member(p, prow);
    const int64_t first = hesca_local_row(&x, i), n = rows_from(p, prow, i);
    const int64_t ldw = p->m - p->k0;
    hesca_local_row_indices(&x, first, first + n, p->index);
    for (int64_t r = 0, len; r < n; r += len) {
        char *whole = p->whole + size_of(p, p->index[r] - p->k0);
        for (len = 1; r + len < n; ++len)
            if (p->index[r + len] != p->index[r] + len)
                break;
        if (take)
            copy(p, at + size_of(p, r), ld, whole, ldw, len);
        else
            copy(p, whole, ldw, at + size_of(p, r), ld, len);
    }
}

/* --- messages ---
 * packed is reused only when rows_left is 0. */

static int
wait(hesca_panel *p, const char *what)
{
    const hesca_comm *c = p->requests->comm;
    hesca_backoff pause = hesca_comm_backoff(c);
    int err = HESCA_SUCCESS;
    while (p->rows_left > 0) {
        HESCA_TRY(err, p->meanwhile.progress(p->meanwhile.self));
        if (p->rows_left > 0)
            hesca_comm_pause(c, &pause, what);
    }
fail:
    return err;
}

static int
exchange_member(hesca_panel *p, int prow, int sending, char *at,
                int64_t elements)
{
    const int rank = rank_of(p, prow, p->pcol[prow]);
    const int64_t bytes = size_of(p, elements);
    return sending ? hesca_request_set_send(p->requests, rank, p->tag_rows, at,
                                            bytes, &p->rows_left)
                   : hesca_request_set_receive(p->requests, rank, p->tag_rows,
                                               at, bytes, &p->rows_left);
}

/* Send the members' rows from row i on to the root, or (back) from it. */
static int
exchange_rows(hesca_panel *p, int64_t i, int back)
{
    const int64_t width = p->k1 - p->k0;
    char *at = p->packed;
    int err = HESCA_SUCCESS;
    if (!is_root(p))
        return exchange_member(p, p->root, !back, back ? p->returned : at,
                               rows_from(p, p->part.prow, i) * width);
    for (int prow = 0; prow < p->part.layout->nprow; ++prow) {
        const int64_t n = rows_from(p, prow, i);
        if (prow == p->root || n == 0)
            continue;
        if (back)
            move_rows(p, prow, i, at, n, 1);
        HESCA_TRY(err, exchange_member(p, prow, back, at, n * width));
        at += size_of(p, n * width);
    }
fail:
    return err;
}

/* Begin to collect the rows from k0 on in the root. */
static int
begin_gather(hesca_panel *p)
{
    const int64_t row = hesca_local_row(&p->part, p->k0);
    const int64_t n = p->rows[p->part.prow];
    int err;
    HESCA_TRY(err, wait(p, "the rows of the panel before to be taken"));
    if (!is_root(p))
        copy(p, p->packed, n, own(p, row), p->lld, n);
    HESCA_TRY(err, exchange_rows(p, p->k0, 0));
    if (is_root(p))
        move_rows(p, p->root, p->k0, own(p, row), p->lld, 0);
fail:
    return err;
}

/* The rows of the others are in the root. */
static void
end_gather(hesca_panel *p)
{
    char *at = p->packed;
    for (int prow = 0; prow < p->part.layout->nprow; ++prow)
        if (prow != p->root) {
            move_rows(p, prow, p->k0, at, p->rows[prow], 0);
            at += size_of(p, p->rows[prow] * (p->k1 - p->k0));
        }
}

/* --- the head ---
 * Every process receives the head once; a head buffer is reused when
 * head_out of its parity is 0. */

static int64_t
head_bytes(const hesca_panel *p)
{
    return (int64_t)hesca_head_bytes(p->head.width, hesca_type_size(p->type));
}

static int
send_head(hesca_panel *p)
{
    const int n = find_receivers(p, p->receiver);
    int err = HESCA_SUCCESS;
    p->has_head = 1;
    for (int k = 0; k < n; ++k)
        HESCA_TRY(err, hesca_request_set_send(p->requests, p->receiver[k],
                                              p->tag_head, p->head.data,
                                              head_bytes(p),
                                              &p->head_out[p->begun % 2]));
fail:
    return err;
}

int
hesca_panel_advance(hesca_panel *p)
{
    if (p->has_head || p->begun == 0 || is_root(p) || p->head_in > 0)
        return HESCA_SUCCESS;
    return send_head(p);
}

int
hesca_panel_may_begin(const hesca_panel *p)
{
    return p->head_out[(p->begun + 1) % 2] == 0;
}

int
hesca_panel_begin(hesca_panel *p, int64_t k0, int64_t k1,
                  const hesca_head *head)
{
    set_panel(p, p->begun++, k0, k1);
    p->head = *head;
    p->has_head = 0;
    if (is_root(p))
        return HESCA_SUCCESS;
    return hesca_request_set_receive(p->requests, source(p), p->tag_head,
                                     head->data, head_bytes(p), &p->head_in);
}

int
hesca_panel_is_over(const hesca_panel *p)
{
    return p->rows_left == 0 && p->head_in == 0 && p->head_out[0] == 0 &&
           p->head_out[1] == 0;
}

void
hesca_panel_store_head(hesca_panel *p)
{
    const int64_t row = hesca_local_row(&p->part, p->k0);
    const int64_t end = hesca_local_row(&p->part, p->k1);
    const int64_t width = p->k1 - p->k0;
    if (!hesca_panel_is_member(p) || is_root(p))
        return;
    hesca_local_row_indices(&p->part, row, end, p->index);
    for (int64_t r = row; r < end; ++r)
        copy(p, own(p, r), p->lld,
             hesca_head_block(&p->head) +
                 size_of(p, p->index[r - row] - p->k0),
             width, 1);
}

/* --- factoring ---
 * The root has all rows from k0 on, in order; members get back those that are
 * not in the head. */

/* The first row that goes back. */
static int64_t
first_returned(const hesca_panel *p)
{
    return p->method == HESCA_PANEL_QR ? p->k0 : p->k1;
}

static void
factor_lu(hesca_panel *p, char *at, int64_t ld)
{
    const int64_t width = p->k1 - p->k0, m = p->m - p->k0;
    int64_t *pivots = hesca_head_pivots(&p->head);
    *hesca_head_info(&p->head) =
        hesca_kernel_getrf(p->type, m, width, at, ld, p->pivot);
    for (int64_t c = 0; c < width;
         ++c) /* with NaNs, pivots may be out of range */
        pivots[c] = p->k0 + hesca_clamp((int64_t)p->pivot[c] - 1, c, m - 1);
    copy(p, hesca_head_block(&p->head), width, at, ld, width);
}

static void
factor_qr(hesca_panel *p, char *at, int64_t ld)
{
    const int64_t width = p->k1 - p->k0;
    memset(p->head.data, 0, (size_t)head_bytes(p));
    hesca_householder_factor(p->type, p->m - p->k0, width, at, ld,
                             hesca_head_block(&p->head), width, p->work);
}

/* A panel that begins with row k0 at `at`. */
static int
factor(hesca_panel *p, char *at, int64_t ld)
{
    if (p->method == HESCA_PANEL_QR)
        factor_qr(p, at, ld);
    else
        factor_lu(p, at, ld);
    return send_head(p);
}

int
hesca_panel_start(hesca_panel *p)
{
    const int64_t row = hesca_local_row(&p->part, p->k0);
    int err = HESCA_SUCCESS;
    if (p->rows[p->root] == p->m - p->k0) /* the root has all rows */
        return is_root(p) ? factor(p, own(p, row), p->lld) : err;
    HESCA_TRY(err, begin_gather(p));
    if (!is_root(p))
        HESCA_TRY(err, exchange_rows(p, first_returned(p), 1));
    p->awaits = 1;
fail:
    return err;
}

/* The root has all rows. */
static int
finish_root(hesca_panel *p)
{
    const int64_t row = hesca_local_row(&p->part, p->k0);
    int err;
    end_gather(p);
    HESCA_TRY(err, factor(p, p->whole, p->m - p->k0));
    HESCA_TRY(err, exchange_rows(p, first_returned(p), 1));
    move_rows(p, p->root, p->k0, own(p, row), p->lld, 1);
fail:
    return err;
}

static void
finish_member(hesca_panel *p)
{
    const int64_t i = first_returned(p), n = rows_from(p, p->part.prow, i);
    copy(p, own(p, hesca_local_row(&p->part, i)), p->lld, p->returned, n, n);
}

int
hesca_panel_finish(hesca_panel *p, int *done)
{
    int err = HESCA_SUCCESS;
    if (p->awaits && p->rows_left == 0) {
        p->awaits = 0;
        if (is_root(p))
            err = finish_root(p);
        else
            finish_member(p);
    }
    *done = !p->awaits;
    return err;
}

int
hesca_panel_factor(hesca_panel *p)
{
    int err, done;
    HESCA_TRY(err, hesca_panel_start(p));
    if (p->awaits)
        HESCA_TRY(err, wait(p, "the rows of a panel"));
    err = hesca_panel_finish(p, &done);
fail:
    return err;
}
