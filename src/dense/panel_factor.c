#include "dense/panel_factor.h"
#include "base/arith.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* Up to so many processes the member that factors tells the head to all of
 * them itself; else to its team, whose members tell it to their process rows.
 */
enum { FEW = 16 };

/* ------------------------------------------------ heads */

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

/* ------------------------------------------------ the team */

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

static void
choose(hesca_panel *p, int64_t k0, int64_t k1)
{
    p->k0 = k0;
    p->k1 = k1;
    p->root = 0;
    for (int prow = 0; prow < p->part.layout->nprow; ++prow) {
        p->pcol[prow] = hesca_local_pcol(&p->part, prow, k0);
        p->rows[prow] = rows_from(p, prow, k0);
        if (p->rows[prow] > p->rows[p->root])
            p->root = prow;
    }
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

/* Who gives this process the head. */
static int
source(const hesca_panel *p)
{
    const int prow = p->part.prow;
    if (p->nprocs <= FEW || hesca_panel_is_member(p))
        return rank_of(p, p->root, p->pcol[p->root]);
    return rank_of(p, prow, p->pcol[prow]);
}

/* Those that this process gives it to.  The team first: it has more to do. */
static int
find_listeners(const hesca_panel *p, int *rank)
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

/* ------------------------------------------------ memory */

/* Most elements of panels that this process factors for others, and of rows of
 * others that it has for that time, or of its rows that others factor. */
static void
find_room(hesca_panel *p, int64_t n, const int64_t *bound, int64_t *whole,
          int64_t *parcel)
{
    *whole = *parcel = 0;
    for (int64_t t = 0; t < n; ++t) {
        choose(p, bound[t], bound[t + 1]);
        const int64_t width = p->k1 - p->k0, all = p->m - p->k0;
        if (!hesca_panel_is_member(p) || p->rows[p->root] == all)
            continue;
        const int64_t mine = p->rows[p->part.prow];
        *whole = hesca_max(*whole, is_root(p) ? all * width : 0);
        *parcel = hesca_max(*parcel, (is_root(p) ? all - mine : mine) * width);
    }
}

int
hesca_panel_init(hesca_panel *p, int64_t n, const int64_t *bound)
{
    const int64_t nprow = p->part.layout->nprow;
    const int64_t esize = (int64_t)hesca_type_size(p->type);
    int64_t whole, parcel;
    p->nprocs = (int)nprow * p->part.layout->npcol;
    p->pcol = malloc((size_t)nprow * sizeof *p->pcol);
    p->rows = malloc((size_t)nprow * sizeof *p->rows);
    p->listener = malloc((size_t)p->nprocs * sizeof *p->listener);
    p->pivot = malloc((size_t)p->widest * sizeof *p->pivot);
    p->index = malloc((size_t)(p->m + 1) * sizeof *p->index);
    if (p->pcol == NULL || p->rows == NULL || p->listener == NULL ||
        p->pivot == NULL || p->index == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a panel of %lld rows",
                          (long long)p->m);
    find_room(p, n, bound, &whole, &parcel);
    p->whole = malloc((size_t)(whole * esize) + 1);
    p->parcel = malloc((size_t)(parcel * esize) + 1);
    if (p->whole == NULL || p->parcel == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "panels of %lld elements",
                          (long long)(whole + parcel));
    const int64_t heads = 3 * p->nprocs;
    hesca_request_set_reserve(p->mail, nprow, parcel * esize);
    hesca_request_set_reserve(
        p->mail, heads,
        heads * (int64_t)hesca_head_bytes(p->widest, (size_t)esize));
    return HESCA_SUCCESS;
}

void
hesca_panel_clear(hesca_panel *p)
{
    free(p->listener);
    free(p->pcol);
    free(p->rows);
    free(p->pivot);
    free(p->parcel);
    free(p->whole);
    free(p->index);
}

/* ------------------------------------------------ moving rows */

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

/* Put a member's rows into the whole panel, or take those from row i on out
 * of it; at: where they are, with leading dimension ld. */
static void
put(const hesca_panel *p, int prow, int64_t i, char *at, int64_t ld, int take)
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

/* ------------------------------------------------ messages */

static int
wait(hesca_panel *p, const char *what)
{
    const hesca_comm *c = p->mail->comm;
    hesca_backoff pause = hesca_backoff_begin(c->crowded || c->slow);
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
exchange(hesca_panel *p, int prow, int sending, char *at, int64_t elements)
{
    const int rank = rank_of(p, prow, p->pcol[prow]);
    const int64_t bytes = size_of(p, elements);
    return sending ? hesca_request_set_send(p->mail, rank, p->tag_rows, at,
                                            bytes, &p->rows_left)
                   : hesca_request_set_receive(p->mail, rank, p->tag_rows, at,
                                               bytes, &p->rows_left);
}

/* To root, or back from it: the members' rows from row i on. */
static int
pass(hesca_panel *p, int64_t i, int back)
{
    const int64_t width = p->k1 - p->k0;
    char *at = p->parcel;
    int err = HESCA_SUCCESS;
    if (!is_root(p))
        return exchange(p, p->root, !back, at,
                        rows_from(p, p->part.prow, i) * width);
    for (int prow = 0; prow < p->part.layout->nprow; ++prow) {
        const int64_t n = rows_from(p, prow, i);
        if (prow == p->root || n == 0)
            continue;
        if (back)
            put(p, prow, i, at, n, 1);
        HESCA_TRY(err, exchange(p, prow, back, at, n * width));
        at += size_of(p, n * width);
    }
fail:
    return err;
}

static int
gather(hesca_panel *p)
{
    const int64_t row = hesca_local_row(&p->part, p->k0);
    const int64_t n = p->rows[p->part.prow];
    char *at = p->parcel;
    int err;
    HESCA_TRY(err, wait(p, "the rows of the panel before to be taken"));
    if (!is_root(p))
        copy(p, at, n, own(p, row), p->lld, n);
    HESCA_TRY(err, pass(p, p->k0, 0));
    if (is_root(p))
        put(p, p->root, p->k0, own(p, row), p->lld, 0);
    HESCA_TRY(err, wait(p, "the rows of a panel"));
    for (int prow = 0; is_root(p) && prow < p->part.layout->nprow; ++prow)
        if (prow != p->root) {
            put(p, prow, p->k0, at, p->rows[prow], 0);
            at += size_of(p, p->rows[prow] * (p->k1 - p->k0));
        }
fail:
    return err;
}

/* ------------------------------------------------ the head */

static int64_t
head_bytes(const hesca_panel *p)
{
    return (int64_t)hesca_head_bytes(p->head.width, hesca_type_size(p->type));
}

static int
tell(hesca_panel *p)
{
    const int n = find_listeners(p, p->listener);
    int err = HESCA_SUCCESS;
    p->heard = 1;
    for (int k = 0; k < n; ++k)
        HESCA_TRY(err, hesca_request_set_send(
                           p->mail, p->listener[k], p->tag_head, p->head.data,
                           head_bytes(p), &p->tell_left[p->begun % 2]));
fail:
    return err;
}

int
hesca_panel_advance(hesca_panel *p)
{
    if (p->heard || p->begun == 0 || is_root(p) || p->hear_left > 0)
        return HESCA_SUCCESS;
    return tell(p);
}

int
hesca_panel_may_begin(const hesca_panel *p)
{
    return p->tell_left[(p->begun + 1) % 2] == 0;
}

int
hesca_panel_begin(hesca_panel *p, int64_t k0, int64_t k1,
                  const hesca_head *head)
{
    ++p->begun;
    p->head = *head;
    p->heard = 0;
    choose(p, k0, k1);
    if (is_root(p))
        return HESCA_SUCCESS;
    return hesca_request_set_receive(p->mail, source(p), p->tag_head,
                                     head->data, head_bytes(p), &p->hear_left);
}

int
hesca_panel_is_over(const hesca_panel *p)
{
    return p->rows_left == 0 && p->hear_left == 0 && p->tell_left[0] == 0 &&
           p->tell_left[1] == 0;
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

/* ------------------------------------------------ factoring */

/* A panel that begins with row k0 at `at`. */
static int
factor(hesca_panel *p, char *at, int64_t ld)
{
    const int64_t width = p->k1 - p->k0, m = p->m - p->k0;
    int64_t *pivots = hesca_head_pivots(&p->head);
    *hesca_head_info(&p->head) =
        hesca_kernel_getrf(p->type, m, width, at, ld, p->pivot);
    for (int64_t c = 0; c < width; ++c) /* BLAS may lose itself among NaNs */
        pivots[c] = p->k0 + hesca_clamp((int64_t)p->pivot[c] - 1, c, m - 1);
    copy(p, hesca_head_block(&p->head), width, at, ld, width);
    return tell(p);
}

int
hesca_panel_factor(hesca_panel *p)
{
    const int64_t row = hesca_local_row(&p->part, p->k0);
    const int64_t below = hesca_local_row(&p->part, p->k1);
    int err = HESCA_SUCCESS;
    if (p->rows[p->root] == p->m - p->k0) /* nobody else has any */
        return is_root(p) ? factor(p, own(p, row), p->lld) : err;
    HESCA_TRY(err, gather(p));
    if (is_root(p)) {
        HESCA_TRY(err, factor(p, p->whole, p->m - p->k0));
        HESCA_TRY(err, pass(p, p->k1, 1));
        put(p, p->root, p->k0, own(p, row), p->lld, 1);
    } else {
        const int64_t n = rows_from(p, p->part.prow, p->k1);
        HESCA_TRY(err, pass(p, p->k1, 1));
        HESCA_TRY(err, wait(p, "a factored panel"));
        copy(p, own(p, below), p->lld, p->parcel, n, n);
    }
fail:
    return err;
}
