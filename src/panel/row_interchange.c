/* SPDX-License-Identifier: BSD-3-Clause */
#include "panel/row_interchange.h"
#include "base/activity.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/staging.h"
#include "overlap/interval.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A process that has columns in common with this one; peer[0] is this
 * process. */
typedef struct {
    int rank, prow;
    int uses_tops;      /* it has rows, so it needs U */
    hesca_overlap cols; /* its columns and those here */
} peer;

/* Rows by the process row that they come from or go to: first those of U, then
 * the others. */
typedef struct {
    int64_t ntops, nmoves;
    int64_t *row; /* local rows, or rows of U if received; part of a list of
                     all process rows */
} bundle;

/* One exchange. */
typedef struct {
    int64_t j0, j1;
    char *local, *u;
    int64_t lld, ldu;
    bundle *in; /* [nprow] */
    int64_t *in_row;
    char *out_data, *in_data;
    int64_t out_left, *in_left; /* requests: of all, [npeers] of each */
    int unpacked;               /* peers */
    int64_t at;                 /* offset of the next peer's message */
} slot;

struct hesca_row_interchange {
    hesca_request_set *requests;
    hesca_row_interchange_spec what;
    int tag, depth, here, prow, pcol;
    int64_t nrows;  /* of sub(A) here */
    int *owner;     /* [m] process row of each row, in this process column */
    int64_t *place; /* [m] its local row there */
    int npeers;
    peer *peer;
    slot *slot;     /* [depth] */
    bundle *out;    /* [nprow] */
    int64_t *tops;  /* local rows that become rows of U */
    int64_t *moves; /* local rows of all of out */
    char *line;     /* elements of a column that stay on this process */
    int64_t begun, ready, over;
};

/* --- creating ---
 * Every process row lists the same peers for its columns; sizes are bounds
 * over all exchanges. */

static hesca_share
columns_of(const hesca_row_interchange *s, int prow, int pcol)
{
    return (hesca_share){.axis = hesca_layout_col_axis(s->what.layout, prow),
                         .owner = pcol,
                         .origin = s->what.j};
}

static int
add_peer(hesca_row_interchange *s, int prow, int pcol)
{
    const hesca_layout *x = s->what.layout;
    const hesca_share mine = columns_of(s, s->prow, s->pcol);
    const hesca_share its = columns_of(s, prow, pcol);
    peer *p = &s->peer[s->npeers];
    int err = HESCA_SUCCESS;
    if (its.axis == mine.axis && pcol != s->pcol)
        return err;
    HESCA_TRY(err, hesca_overlap_init(&p->cols, mine, its, s->what.n));
    p->rank = x->ranks[prow * x->npcol + pcol];
    p->prow = prow;
    p->uses_tops = hesca_layout_row_axis(x, pcol)->share[prow] > 0;
    if (p->cols.total > 0)
        ++s->npeers;
    else
        hesca_overlap_clear(&p->cols);
fail:
    return err;
}

/* Begin with the next process row, so that not all send to the same one. */
static int
find_peers(hesca_row_interchange *s)
{
    const hesca_layout *x = s->what.layout;
    int err = HESCA_SUCCESS;
    s->peer = calloc((size_t)x->nprow * (size_t)x->npcol, sizeof *s->peer);
    if (s->peer == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "partners of %d x %d processes",
                          x->nprow, x->npcol);
    for (int d = 0; d < x->nprow; ++d) {
        const int prow = (s->prow + d) % x->nprow;
        for (int pcol = 0; pcol < x->npcol; ++pcol)
            if (d > 0 || pcol == s->pcol)
                HESCA_TRY(err, add_peer(s, prow, pcol));
    }
fail:
    return err;
}

static int
find_owners(hesca_row_interchange *s)
{
    const hesca_axis *x = hesca_layout_row_axis(s->what.layout, s->pcol);
    const size_t m = (size_t)s->what.m;
    s->owner = malloc((m + 1) * sizeof *s->owner);
    s->place = malloc((m + 1) * sizeof *s->place);
    if (s->owner == NULL || s->place == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "owners of %zu rows", m);
    s->nrows = hesca_axis_count(x, s->prow, s->what.i + s->what.m) -
               hesca_axis_count(x, s->prow, s->what.i);
    for (int64_t i = 0; i < s->what.m;) {
        const int64_t row = s->what.i + i, offset = row % x->period;
        const hesca_piece *p = hesca_axis_piece(x, offset);
        const int64_t end =
            hesca_min(i + p->length - (offset - p->offset), s->what.m);
        int64_t place = hesca_axis_count(x, p->owner, row);
        for (; i < end; ++i) {
            s->owner[i] = p->owner;
            s->place[i] = place++;
        }
    }
    return HESCA_SUCCESS;
}

/* Upper bound of the local columns of one exchange. */
static int64_t
most_columns(const hesca_row_interchange *s)
{
    const hesca_axis *x = hesca_layout_col_axis(s->what.layout, s->prow);
    const int64_t all = s->peer[0].cols.total, share = x->share[s->pcol];
    if (share >= all)
        return all;
    return hesca_min(all, (s->what.width / x->period + 2) * share);
}

static int
allocate_slot(const hesca_row_interchange *s, slot *x)
{
    const hesca_row_interchange_spec *w = &s->what;
    const int64_t nprow = w->layout->nprow;
    const int64_t unit =
        s->npeers > 1 ? most_columns(s) * (int64_t)w->esize : 0;
    const int64_t moves = hesca_min(w->moves, s->nrows);
    const int64_t in = (w->tops + moves) * unit;
    const int64_t out = ((nprow - 1) * w->tops + moves) * unit;
    x->in = calloc((size_t)nprow, sizeof *x->in);
    x->in_row = malloc((size_t)(w->tops + w->moves + 1) * sizeof *x->in_row);
    x->in_data = hesca_staging_block((size_t)in + 1);
    x->in_left = calloc((size_t)s->npeers, sizeof *x->in_left);
    x->out_data = hesca_staging_block((size_t)out + 1);
    if (x->in == NULL || x->in_row == NULL || x->in_data == NULL ||
        x->out_data == NULL || x->in_left == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0,
                          "rows to exchange, %lld and %lld bytes",
                          (long long)in, (long long)out);
    hesca_request_set_reserve(s->requests, 2 * s->npeers, in + out);
    return HESCA_SUCCESS;
}

static int
allocate(hesca_row_interchange *s)
{
    int err = HESCA_SUCCESS;
    s->slot = calloc((size_t)s->depth, sizeof *s->slot);
    s->out = calloc((size_t)s->what.layout->nprow, sizeof *s->out);
    s->tops = malloc((size_t)(s->what.tops + 1) * sizeof *s->tops);
    s->moves = malloc((size_t)(s->what.moves + 1) * sizeof *s->moves);
    s->line =
        malloc((size_t)(s->what.tops + s->what.moves + 1) * s->what.esize);
    if (s->slot == NULL || s->out == NULL || s->tops == NULL ||
        s->moves == NULL || s->line == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld rows to exchange",
                          (long long)(s->what.tops + s->what.moves));
    for (int k = 0; k < s->depth; ++k)
        HESCA_TRY(err, allocate_slot(s, &s->slot[k]));
fail:
    return err;
}

int
hesca_row_interchange_create(hesca_request_set *requests,
                             const hesca_row_interchange_spec *what, int tag,
                             int depth, hesca_row_interchange **result)
{
    hesca_row_interchange *s = calloc(1, sizeof *s);
    int err = HESCA_SUCCESS;
    assert(what->esize == 4 || what->esize == 8 || what->esize == 16);
    if (s == NULL) {
        *result = NULL;
        return hesca_fail(HESCA_ERR_NOMEM, 0, "exchanges of rows");
    }
    *s = (hesca_row_interchange){
        .requests = requests, .what = *what, .tag = tag, .depth = depth};
    s->here = hesca_layout_coords(what->layout, requests->comm->rank, &s->prow,
                                  &s->pcol);
    if (s->here)
        HESCA_TRY(err, find_peers(s));
    s->here = s->npeers > 0; /* else this process has no columns */
    if (s->here) {
        HESCA_TRY(err, find_owners(s));
        HESCA_TRY(err, allocate(s));
    }
fail:
    if (err < 0) {
        hesca_row_interchange_free(s);
        s = NULL;
    }
    *result = s;
    return err;
}

void
hesca_row_interchange_free(hesca_row_interchange *s)
{
    if (s == NULL)
        return;
    for (int k = 0; s->slot != NULL && k < s->depth; ++k) {
        slot *x = &s->slot[k];
        free(x->in);
        free(x->in_row);
        hesca_staging_unblock(x->in_data);
        hesca_staging_unblock(x->out_data);
        free(x->in_left);
    }
    for (int k = 0; s->peer != NULL && k < s->npeers; ++k)
        hesca_overlap_clear(&s->peer[k].cols);
    free(s->peer);
    free(s->owner);
    free(s->place);
    free(s->slot);
    free(s->out);
    free(s->tops);
    free(s->moves);
    free(s->line);
    free(s);
}

/* --- which rows ---
 * Sender and receiver list the rows of a message in the order of the
 * caller's arrays. */

/* Place the list of every bundle behind that of the previous one. */
static void
place_lists(bundle *b, int n, int64_t *row)
{
    for (int k = 0; k < n; ++k) {
        b[k].row = row;
        row += b[k].ntops + b[k].nmoves;
        b[k].ntops = b[k].nmoves = 0;
    }
}

/* Sort the rows that arrive by sender. */
static void
sort_in(const hesca_row_interchange *s, slot *x,
        const hesca_row_interchange_rows *r)
{
    const int nprow = s->what.layout->nprow;
    for (int k = 0; k < nprow; ++k)
        x->in[k].ntops = x->in[k].nmoves = 0;
    for (int64_t t = 0; t < r->ntops; ++t)
        ++x->in[s->owner[r->top[t]]].ntops;
    for (int64_t d = 0; d < r->nmoves; ++d)
        x->in[s->owner[r->from[d]]].nmoves += s->owner[r->to[d]] == s->prow;
    place_lists(x->in, nprow, x->in_row);
    for (int64_t t = 0; t < r->ntops; ++t) {
        bundle *b = &x->in[s->owner[r->top[t]]];
        b->row[b->ntops++] = t;
    }
    for (int64_t d = 0; d < r->nmoves; ++d) {
        bundle *b = &x->in[s->owner[r->from[d]]];
        if (s->owner[r->to[d]] == s->prow)
            b->row[b->ntops + b->nmoves++] = s->place[r->to[d]];
    }
}

/* Sort the rows that leave by receiver; rows of U go to all. */
static void
sort_out(hesca_row_interchange *s, const hesca_row_interchange_rows *r)
{
    const int nprow = s->what.layout->nprow;
    int64_t ntops = 0;
    for (int64_t t = 0; t < r->ntops; ++t)
        if (s->owner[r->top[t]] == s->prow)
            s->tops[ntops++] = s->place[r->top[t]];
    for (int k = 0; k < nprow; ++k)
        s->out[k].ntops = s->out[k].nmoves = 0;
    for (int64_t d = 0; d < r->nmoves; ++d)
        s->out[s->owner[r->to[d]]].nmoves += s->owner[r->from[d]] == s->prow;
    place_lists(s->out, nprow, s->moves);
    for (int64_t d = 0; d < r->nmoves; ++d) {
        bundle *b = &s->out[s->owner[r->to[d]]];
        if (s->owner[r->from[d]] == s->prow)
            b->row[b->nmoves++] = s->place[r->from[d]];
    }
    for (int k = 0; k < nprow; ++k)
        s->out[k].ntops = ntops;
}

/* --- moving elements ---
 * Columns of a message are in the order of global indices, in each first
 * rows of U, then moved rows. */

/* message[k] = column[row[k]], and back, for each element size. */
#define HESCA_ROW_INTERCHANGE_MOVES(size)                                     \
    static char *gather_##size(char *message, const char *column, int64_t n,  \
                               const int64_t *row)                            \
    {                                                                         \
        for (int64_t k = 0; k < n; ++k)                                       \
            memcpy(message + k * size, column + row[k] * size, size);         \
        return message + n * size;                                            \
    }                                                                         \
    static const char *scatter_##size(const char *message, char *column,      \
                                      int64_t n, const int64_t *row)          \
    {                                                                         \
        for (int64_t k = 0; k < n; ++k)                                       \
            memcpy(column + row[k] * size, message + k * size, size);         \
        return message + n * size;                                            \
    }

HESCA_ROW_INTERCHANGE_MOVES(4)
HESCA_ROW_INTERCHANGE_MOVES(8)
HESCA_ROW_INTERCHANGE_MOVES(16)

static char *
gather(size_t esize, char *message, const char *column, int64_t n,
       const int64_t *row)
{
    return esize == 8   ? gather_8(message, column, n, row)
           : esize == 4 ? gather_4(message, column, n, row)
                        : gather_16(message, column, n, row);
}

static const char *
scatter(size_t esize, const char *message, char *column, int64_t n,
        const int64_t *row)
{
    return esize == 8   ? scatter_8(message, column, n, row)
           : esize == 4 ? scatter_4(message, column, n, row)
                        : scatter_16(message, column, n, row);
}

/* The lines of the next column that will be read, and then written: they are
 * far from each other, so each would be waited for. */
static void
fetch(size_t esize, const char *column, int64_t n, const int64_t *row)
{
    for (int64_t k = 0; k < n; ++k)
        __builtin_prefetch(column + row[k] * (int64_t)esize, 1);
}

void
hesca_rows_move(size_t esize, void *a, int64_t lda, int64_t ncols, int64_t n,
                const int64_t *from, const int64_t *to, void *line)
{
    const hesca_activity before = hesca_activity_enter(HESCA_ACTIVITY_COPIES);
    char *column = a;
    for (int64_t c = 0; c < ncols; ++c) {
        if (c + 1 < ncols)
            fetch(esize, column + lda * (int64_t)esize, n, from);
        gather(esize, line, column, n, from);
        scatter(esize, line, column, n, to);
        column += lda * (int64_t)esize;
    }
    hesca_activity_leave(before);
}

/* Consecutive columns from position pos of an overlap on. */
static hesca_stretch
stretch_at(const hesca_overlap *o, int64_t pos, int64_t end)
{
    hesca_stretch x = hesca_overlap_at(o, pos);
    x.len = hesca_min(x.len, end - pos);
    return x;
}

static void
pack(const hesca_row_interchange *s, const slot *x, const peer *p,
     int64_t ntops, char *message)
{
    const hesca_activity before = hesca_activity_enter(HESCA_ACTIVITY_COPIES);
    const size_t esize = s->what.esize;
    const bundle *b = &s->out[p->prow];
    const int64_t end = hesca_overlap_below(&p->cols, x->j1);
    hesca_stretch c;
    for (int64_t pos = hesca_overlap_below(&p->cols, x->j0); pos < end;
         pos += c.len) {
        c = stretch_at(&p->cols, pos, end);
        for (int64_t k = 0; k < c.len; ++k) {
            const char *column =
                x->local + (c.a + k) * x->lld * (int64_t)esize;
            message = gather(esize, message, column, ntops, s->tops);
            message = gather(esize, message, column, b->nmoves, b->row);
        }
    }
    hesca_activity_leave(before);
}

static void
unpack(const hesca_row_interchange *s, const slot *x, const peer *p,
       int64_t ntops, const char *message)
{
    const hesca_activity before = hesca_activity_enter(HESCA_ACTIVITY_COPIES);
    const size_t esize = s->what.esize;
    const bundle *b = &x->in[p->prow];
    const hesca_axis *cols = hesca_layout_col_axis(s->what.layout, s->prow);
    const int64_t end = hesca_overlap_below(&p->cols, x->j1);
    const int64_t base = hesca_axis_count(cols, s->pcol, s->what.j + x->j0);
    hesca_stretch c;
    for (int64_t pos = hesca_overlap_below(&p->cols, x->j0); pos < end;
         pos += c.len) {
        c = stretch_at(&p->cols, pos, end);
        for (int64_t j = c.a; j < c.a + c.len; ++j) {
            char *column = x->local + j * x->lld * (int64_t)esize;
            if (ntops > 0)
                message = scatter(esize, message,
                                  x->u + (j - base) * x->ldu * (int64_t)esize,
                                  ntops, b->row);
            message =
                scatter(esize, message, column, b->nmoves, b->row + b->ntops);
        }
    }
    hesca_activity_leave(before);
}

/* The rows that stay on this process: no message. */
static void
move_own(const hesca_row_interchange *s, const slot *x)
{
    const hesca_activity before = hesca_activity_enter(HESCA_ACTIVITY_COPIES);
    const int64_t esize = (int64_t)s->what.esize;
    const bundle *out = &s->out[s->prow], *in = &x->in[s->prow];
    const int64_t ntops = s->peer[0].uses_tops ? out->ntops : 0;
    const hesca_overlap *cols = &s->peer[0].cols;
    const int64_t end = hesca_overlap_below(cols, x->j1);
    char *u = x->u;
    hesca_stretch c;
    for (int64_t pos = hesca_overlap_below(cols, x->j0); pos < end;
         pos += c.len) {
        c = stretch_at(cols, pos, end);
        char *column = x->local + c.a * x->lld * esize;
        for (int64_t k = 0; k < c.len; ++k, column += x->lld * esize) {
            if (k + 1 < c.len) {
                fetch(s->what.esize, column + x->lld * esize, ntops, s->tops);
                fetch(s->what.esize, column + x->lld * esize, in->nmoves,
                      in->row + in->ntops);
            }
            char *rest =
                gather(s->what.esize, s->line, column, ntops, s->tops);
            gather(s->what.esize, rest, column, out->nmoves, out->row);
            if (ntops > 0) {
                scatter(s->what.esize, s->line, u, ntops, in->row);
                u += x->ldu * esize;
            }
            scatter(s->what.esize, rest, column, in->nmoves,
                    in->row + in->ntops);
        }
    }
    hesca_activity_leave(before);
}

/* --- messages ---
 * Messages of a pair match in the order of exchanges; an exchange is ready
 * when all peers are unpacked. */

static int64_t
columns(const slot *x, const peer *p)
{
    return hesca_overlap_below(&p->cols, x->j1) -
           hesca_overlap_below(&p->cols, x->j0);
}

/* Rows of U that go to a peer, or come from it. */
static int64_t
tops_out(const hesca_row_interchange *s, const peer *p)
{
    return p->uses_tops ? s->out[p->prow].ntops : 0;
}

static int64_t
tops_in(const hesca_row_interchange *s, const slot *x, const peer *p)
{
    return s->peer[0].uses_tops ? x->in[p->prow].ntops : 0;
}

static int64_t
bytes_in(const hesca_row_interchange *s, const slot *x, const peer *p)
{
    return (tops_in(s, x, p) + x->in[p->prow].nmoves) * columns(x, p) *
           (int64_t)s->what.esize;
}

/* Peer 0 is this process: its message is not sent. */
static int
receive_all(const hesca_row_interchange *s, slot *x)
{
    char *at = x->in_data;
    int err = HESCA_SUCCESS;
    for (int k = 1; k < s->npeers; ++k) {
        const int64_t bytes = bytes_in(s, x, &s->peer[k]);
        HESCA_TRY(err, hesca_request_set_receive(s->requests, s->peer[k].rank,
                                                 s->tag, at, bytes,
                                                 &x->in_left[k]));
        at += bytes;
    }
fail:
    return err;
}

static int
send_all(const hesca_row_interchange *s, slot *x)
{
    char *at = x->out_data;
    int err = HESCA_SUCCESS;
    for (int k = 1; k < s->npeers; ++k) {
        const peer *p = &s->peer[k];
        const int64_t ntops = tops_out(s, p);
        const int64_t bytes = (ntops + s->out[p->prow].nmoves) *
                              columns(x, p) * (int64_t)s->what.esize;
        if (bytes > 0)
            pack(s, x, p, ntops, at);
        HESCA_TRY(err, hesca_request_set_send(s->requests, p->rank, s->tag, at,
                                              bytes, &x->out_left));
        at += bytes;
    }
fail:
    return err;
}

/* All rows that leave are packed before any row is written. */
int
hesca_row_interchange_begin(hesca_row_interchange *s,
                            const hesca_row_interchange_rows *rows, int64_t j0,
                            int64_t j1, void *local, int64_t lld, void *u,
                            int64_t ldu)
{
    int err = HESCA_SUCCESS;
    if (!s->here) {
        ++s->begun;
        return err;
    }
    slot *x = &s->slot[s->begun % s->depth];
    assert(hesca_row_interchange_may_begin(s));
    assert(rows->ntops <= s->what.tops && rows->nmoves <= s->what.moves);
    ++s->begun;
    x->j0 = j0;
    x->j1 = j1;
    x->local = local;
    x->lld = lld;
    x->u = u;
    x->ldu = ldu;
    x->unpacked = s->npeers;
    if (columns(x, &s->peer[0]) == 0)
        return err;
    sort_in(s, x, rows);
    sort_out(s, rows);
    HESCA_TRY(err, receive_all(s, x));
    HESCA_TRY(err, send_all(s, x));
    move_own(s, x);
    x->at = 0;
    x->unpacked = 1;
fail:
    return err;
}

/* Unpack the messages that have arrived. */
static void
unpack_some(const hesca_row_interchange *s, slot *x)
{
    for (; x->unpacked < s->npeers && x->in_left[x->unpacked] == 0;
         ++x->unpacked) {
        const peer *p = &s->peer[x->unpacked];
        const int64_t bytes = bytes_in(s, x, p);
        if (bytes > 0)
            unpack(s, x, p, tops_in(s, x, p), x->in_data + x->at);
        x->at += bytes;
    }
}

void
hesca_row_interchange_advance(hesca_row_interchange *s, int64_t *ready)
{
    if (!s->here)
        s->ready = s->over = s->begun;
    for (int64_t k = s->over; k < s->begun; ++k) {
        slot *x = &s->slot[k % s->depth];
        unpack_some(s, x);
        if (k == s->ready && x->unpacked == s->npeers)
            ++s->ready;
        if (k == s->over && k < s->ready && x->out_left == 0)
            ++s->over;
    }
    if (ready != NULL)
        *ready = s->ready;
}

int
hesca_row_interchange_may_begin(const hesca_row_interchange *s)
{
    return !s->here || s->begun - s->over < s->depth;
}

int
hesca_row_interchange_is_over(const hesca_row_interchange *s)
{
    return !s->here || s->over == s->begun;
}
