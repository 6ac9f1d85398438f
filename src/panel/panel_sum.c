/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over process rows, or process columns; described for rows.
 *
 * A process row is a line, number l.  The process in another line that owns a
 * column of this process is its partner for the column: the one in the same
 * process column, unless lines cut the columns differently.  Then columns are
 * packed by partners, in the order of process columns.
 *
 * Shared partial sums need no messages: each process publishes the number of
 * chunks that are complete, and releases the blocks of which it has taken
 * all. */
#include "panel/panel_sum.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/staging.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Columns c0 ... c1 - 1 that are exchanged, local, from the first one on; or a
 * square. */
typedef struct {
    int64_t c0, c1;
    const char *square; /* this process's; NULL: columns */
    int64_t left;       /* receives */
    int64_t number;     /* of chunks up to it */
} chunk;

struct hesca_panel_sum {
    hesca_request_set *requests;
    hesca_panel_sum_spec what;
    int tag;
    int nlines, nacross; /* of the grid */
    int line, across;    /* this process's place */
    int64_t esize;
    int64_t first, n;  /* local columns of sub(A) */
    int *partner;      /* [nlines][n] if lines cut columns differently */
    int *square_from;  /* [nlines] place across of the partner for squares */
    int *has_columns;  /* [nlines][nacross] */
    char *own[2];      /* [width x n] */
    char *packed[2];   /* [nlines][width x n], as partner */
    char **in;         /* [nlines], width x n each */
    char **square;     /* [nlines], width x width each */
    char **part;       /* [nlines] if shared: the memory of the partners */
    int64_t published; /* chunks */
    int64_t *position; /* [n] */
    int *cursor;       /* [nacross] */
    chunk *chunk;      /* [nchunks + 1] */
    int64_t sent, taken;
    int64_t out[2]; /* sends in flight, by parity of the block */
    int64_t blocks; /* begun */
    int64_t k0, width;
    int *is_in; /* [nlines] whether it takes part */
    int nothers;
};

/* --- the grid ---
 * Pure functions of the layout; l counts lines, q places across. */

static int
is_cols(const hesca_panel_sum_spec *x)
{
    return x->of == HESCA_COLS;
}

static int
rank_at(const hesca_panel_sum_spec *x, int l, int q)
{
    const hesca_layout *y = x->layout;
    return y->ranks[is_cols(x) ? l * y->npcol + q : q * y->npcol + l];
}

/* The axis that cuts columns in line l, and that which cuts rows. */
static const hesca_axis *
columns_of(const hesca_panel_sum_spec *x, int l)
{
    return is_cols(x) ? hesca_layout_col_axis(x->layout, l)
                      : hesca_layout_row_axis(x->layout, l);
}

static const hesca_axis *
rows_of(const hesca_panel_sum_spec *x, int q)
{
    return is_cols(x) ? hesca_layout_row_axis(x->layout, q)
                      : hesca_layout_col_axis(x->layout, q);
}

static int64_t
column_origin(const hesca_panel_sum_spec *x)
{
    return is_cols(x) ? x->j : x->i;
}

static int64_t
row_origin(const hesca_panel_sum_spec *x)
{
    return is_cols(x) ? x->i : x->j;
}

/* Local columns of (l,q) before column j of sub(A). */
static int64_t
count(const hesca_panel_sum_spec *x, int l, int q, int64_t j)
{
    return hesca_axis_count(columns_of(x, l), q, column_origin(x) + j);
}

static int64_t
ncolumns(const hesca_panel_sum_spec *x, int l, int q)
{
    return count(x, l, q, x->n) - count(x, l, q, 0);
}

static int64_t
nrows_from(const hesca_panel_sum_spec *x, int l, int q, int64_t k0)
{
    const hesca_axis *a = rows_of(x, q);
    const int64_t at = row_origin(x);
    return hesca_axis_count(a, l, at + x->summed) -
           hesca_axis_count(a, l, at + k0);
}

static int
nlines_of(const hesca_panel_sum_spec *x)
{
    return is_cols(x) ? x->layout->nprow : x->layout->npcol;
}

static int
is_ragged(const hesca_panel_sum_spec *x)
{
    for (int l = 1; l < nlines_of(x); ++l)
        if (columns_of(x, l) != columns_of(x, 0))
            return 1;
    return 0;
}

static int64_t
esize_of(const hesca_panel_sum_spec *x)
{
    return (x->is_single ? 4 : 8) * (x->is_complex ? 2 : 1);
}

static void
find_place(const hesca_panel_sum_spec *x, int rank, int *line, int *across)
{
    int prow = 0, pcol = 0;
    hesca_layout_coords(x->layout, rank, &prow, &pcol);
    *line = is_cols(x) ? prow : pcol;
    *across = is_cols(x) ? pcol : prow;
}

/* --- shared memory ---
 * Of each process two arrays, and two squares, for blocks in turn. */

static int64_t
array_bytes(const hesca_panel_sum_spec *x, int64_t n)
{
    return (x->width * n * esize_of(x) + 63) / 64 * 64;
}

/* Bytes before the part of process (l,q); with l beyond the last line, all. */
static int64_t
bytes_before(const hesca_panel_sum_spec *x, int l, int q)
{
    const int nacross = x->layout->nprow * x->layout->npcol / nlines_of(x);
    int64_t bytes = 0;
    for (int k = 0; k < l * nacross + q; ++k)
        bytes += 2 * (array_bytes(x, ncolumns(x, k / nacross, k % nacross)) +
                      array_bytes(x, x->width));
    return bytes;
}

int64_t
hesca_panel_sum_shared_bytes(const hesca_comm *c,
                             const hesca_panel_sum_spec *x)
{
    if (!hesca_comm_is_node(c) || nlines_of(x) == 1 || is_ragged(x))
        return 0;
    return bytes_before(x, nlines_of(x), 0);
}

static hesca_segment_counts *
counts_of(const hesca_panel_sum *s, int l)
{
    const int rank = rank_at(&s->what, l, s->across);
    return &s->what.shared->counts[rank * HESCA_SEGMENT_USERS + s->what.user];
}

static uint64_t
stamp(const hesca_panel_sum *s, int64_t n)
{
    return hesca_segment_stamp(s->what.shared, n);
}

/* --- memory --- */

int64_t
hesca_panel_sum_bytes(const hesca_panel_sum_spec *x, int rank)
{
    int line, across;
    find_place(x, rank, &line, &across);
    const int64_t n = ncolumns(x, line, across) + x->width;
    const int64_t lines = nlines_of(x);
    return (2 + (is_ragged(x) ? 3 : 1) * lines) * n * esize_of(x);
}

/* Where line l has columns, the process of it that exchanges squares with
 * those at place q across: that at q, unless it has no columns. */
static int
square_partner(const hesca_panel_sum *s, int l, int q)
{
    const int *has = s->has_columns + l * s->nacross;
    for (int d = 0; d < s->nacross; ++d)
        if (has[(q + d) % s->nacross])
            return (q + d) % s->nacross;
    return q;
}

/* Find the partners of the columns. */
static int
find_partners(hesca_panel_sum *s)
{
    const hesca_panel_sum_spec *x = &s->what;
    for (int l = 0; l < s->nlines; ++l)
        for (int q = 0; q < s->nacross; ++q)
            s->has_columns[l * s->nacross + q] = ncolumns(x, l, q) > 0;
    for (int l = 0; l < s->nlines; ++l)
        s->square_from[l] = square_partner(s, l, s->across);
    if (!is_ragged(x))
        return HESCA_SUCCESS;
    s->partner = malloc((size_t)(s->nlines * s->n + 1) * sizeof *s->partner);
    if (s->partner == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "owners of %lld columns",
                          (long long)s->n);
    const int64_t origin = column_origin(x);
    int64_t c = 0;
    for (int64_t j = 0; c < s->n; ++j) {
        if (count(x, s->line, s->across, j + 1) - s->first == c)
            continue;
        for (int l = 0; l < s->nlines; ++l) {
            int64_t at;
            s->partner[l * s->n + c] =
                hesca_axis_locate(columns_of(x, l), origin + j, &at);
        }
        ++c;
    }
    return HESCA_SUCCESS;
}

static int
allocate(hesca_panel_sum *s)
{
    const hesca_panel_sum_spec *x = &s->what;
    const size_t lines = (size_t)s->nlines;
    const size_t bytes = (size_t)(x->width * s->n * s->esize) + 1;
    const size_t square = (size_t)(x->width * x->width * s->esize) + 1;
    int ok;
    s->square_from = malloc(lines * sizeof *s->square_from);
    s->has_columns = malloc(lines * (size_t)s->nacross * sizeof(int));
    s->is_in = malloc(lines * sizeof *s->is_in);
    s->in = calloc(lines, sizeof *s->in);
    s->square = calloc(lines, sizeof *s->square);
    s->part = calloc(lines, sizeof *s->part);
    s->position = malloc((size_t)(s->n + 1) * sizeof *s->position);
    s->cursor = malloc((size_t)s->nacross * sizeof *s->cursor);
    s->chunk = calloc((size_t)x->nchunks + 1, sizeof *s->chunk);
    ok = s->square_from != NULL && s->has_columns != NULL &&
         s->is_in != NULL && s->in != NULL && s->square != NULL &&
         s->part != NULL && s->position != NULL && s->cursor != NULL &&
         s->chunk != NULL;
    if (ok && x->shared != NULL) {
        for (int l = 0; l < s->nlines; ++l)
            s->part[l] = x->memory + bytes_before(x, l, s->across);
        for (int k = 0; k < 2; ++k)
            s->own[k] = s->part[s->line] + k * array_bytes(x, s->n);
        return HESCA_SUCCESS;
    }
    for (int k = 0; ok && k < 2; ++k) {
        s->own[k] = hesca_staging_block(bytes);
        ok = s->own[k] != NULL;
        if (ok && is_ragged(x)) {
            s->packed[k] = hesca_staging_block(lines * bytes);
            ok = s->packed[k] != NULL;
        }
    }
    for (int l = 0; ok && l < s->nlines; ++l) {
        if (l == s->line)
            continue;
        s->in[l] = hesca_staging_block(bytes);
        s->square[l] = malloc(square);
        ok = s->in[l] != NULL && s->square[l] != NULL;
    }
    return ok ? HESCA_SUCCESS
              : hesca_fail(HESCA_ERR_NOMEM, 0, "sums of %lld columns",
                           (long long)s->n);
}

/* Messages of two blocks, at most, are in flight. */
static void
reserve(hesca_panel_sum *s)
{
    const hesca_panel_sum_spec *x = &s->what;
    const int64_t partners =
        (s->nlines - 1) * (int64_t)(is_ragged(x) ? s->nacross : 1);
    const int64_t squares = (s->nlines - 1) * (int64_t)s->nacross;
    const int64_t bytes =
        ((s->nlines - 1) * s->n + squares * x->width) * x->width * s->esize;
    hesca_request_set_reserve(
        s->requests, 3 * (partners * x->nchunks + squares + 1), 3 * bytes);
}

int
hesca_panel_sum_create(hesca_request_set *requests,
                       const hesca_panel_sum_spec *what, int tag,
                       hesca_panel_sum **result)
{
    hesca_panel_sum *s = calloc(1, sizeof *s);
    int err;
    *result = NULL;
    if (s == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "sums");
    s->requests = requests;
    s->what = *what;
    s->tag = tag;
    s->esize = esize_of(what);
    s->nlines = nlines_of(what);
    s->nacross = what->layout->nprow * what->layout->npcol / s->nlines;
    find_place(what, requests->comm->rank, &s->line, &s->across);
    s->first = count(what, s->line, s->across, 0);
    s->n = ncolumns(what, s->line, s->across);
    HESCA_TRY(err, allocate(s));
    HESCA_TRY(err, find_partners(s));
    reserve(s);
    *result = s;
    return HESCA_SUCCESS;
fail:
    hesca_panel_sum_free(s);
    return err;
}

void
hesca_panel_sum_free(hesca_panel_sum *s)
{
    if (s == NULL)
        return;
    for (int k = 0; k < 2; ++k) {
        if (s->what.shared == NULL)
            hesca_staging_unblock(s->own[k]);
        hesca_staging_unblock(s->packed[k]);
    }
    for (int l = 0; l < s->nlines; ++l) {
        if (s->in != NULL)
            hesca_staging_unblock(s->in[l]);
        if (s->square != NULL)
            free(s->square[l]);
    }
    free(s->in);
    free(s->square);
    free(s->part);
    free(s->partner);
    free(s->square_from);
    free(s->has_columns);
    free(s->is_in);
    free(s->position);
    free(s->cursor);
    free(s->chunk);
    free(s);
}

/* --- a block --- */

int
hesca_panel_sum_may_begin(const hesca_panel_sum *s)
{
    for (int l = 0; l < s->nlines && s->what.shared != NULL && s->blocks > 1;
         ++l)
        if (atomic_load_explicit(&counts_of(s, l)->released,
                                 memory_order_acquire) <
            stamp(s, s->blocks - 1))
            return 0;
    return s->out[s->blocks % 2] == 0;
}

/* A line takes part if any of its processes has rows: all of them do, unless
 * rows are cut differently across, where the partner alone matters. */
void
hesca_panel_sum_begin(hesca_panel_sum *s, int64_t k0, int64_t width)
{
    assert(s->taken == s->sent && width <= s->what.width);
    if (s->what.shared != NULL)
        atomic_store_explicit(&counts_of(s, s->line)->released,
                              stamp(s, s->blocks), memory_order_release);
    ++s->blocks;
    s->k0 = k0;
    s->width = width;
    s->sent = s->taken = 0;
    s->nothers = 0;
    for (int l = 0; l < s->nlines; ++l) {
        s->is_in[l] = nrows_from(&s->what, l, s->across, k0) > 0;
        s->nothers += s->is_in[l] && l != s->line;
    }
}

int
hesca_panel_sum_is_member(const hesca_panel_sum *s)
{
    return s->is_in[s->line];
}

int
hesca_panel_sum_has_others(const hesca_panel_sum *s)
{
    return s->nothers > 0;
}

static int
parity(const hesca_panel_sum *s)
{
    return (int)((s->blocks + 1) % 2);
}

/* The memory of local column c of those of sub(A). */
static int64_t
offset(const hesca_panel_sum *s, int64_t c)
{
    return c * s->width * s->esize;
}

static int64_t
local(const hesca_panel_sum *s, int64_t j)
{
    return count(&s->what, s->line, s->across, j) - s->first;
}

char *
hesca_panel_sum_own(const hesca_panel_sum *s, int64_t j)
{
    return s->own[parity(s)] + offset(s, local(s, j));
}

/* The memory of the partner in line l, if it is shared. */
static char *
shared_array(const hesca_panel_sum *s, int l)
{
    return s->part[l] + parity(s) * array_bytes(&s->what, s->n);
}

static char *
shared_square(const hesca_panel_sum *s, int l)
{
    return s->part[l] + 2 * array_bytes(&s->what, s->n) +
           parity(s) * array_bytes(&s->what, s->what.width);
}

/* --- messages ---
 * Both ends list the columns that they have in common in ascending order. */

static int
exchange(hesca_panel_sum *s, chunk *x, int rank, const char *from, char *to,
         int64_t bytes)
{
    int err;
    HESCA_TRY(err, hesca_request_set_receive(s->requests, rank, s->tag, to,
                                             bytes, &x->left));
    HESCA_TRY(err, hesca_request_set_send(s->requests, rank, s->tag, from,
                                          bytes, &s->out[parity(s)]));
fail:
    return err;
}

/* Positions of the columns of a chunk in the packed order of line l. */
static void
find_positions(hesca_panel_sum *s, const chunk *x, int l)
{
    const int *partner = s->partner + l * s->n;
    int at = 0;
    memset(s->cursor, 0, (size_t)s->nacross * sizeof *s->cursor);
    for (int64_t c = x->c0; c < x->c1; ++c)
        ++s->cursor[partner[c]];
    for (int q = 0; q < s->nacross; ++q) {
        const int n = s->cursor[q];
        s->cursor[q] = at;
        at += n;
    }
    for (int64_t c = x->c0; c < x->c1; ++c)
        s->position[c] = x->c0 + s->cursor[partner[c]]++;
}

/* Exchange a chunk with the partners in line l. */
static int
exchange_ragged(hesca_panel_sum *s, chunk *x, int l)
{
    const char *own = s->own[parity(s)];
    char *packed = s->packed[parity(s)] + l * s->what.width * s->n * s->esize;
    int64_t from = x->c0;
    int err = HESCA_SUCCESS;
    find_positions(s, x, l);
    for (int64_t c = x->c0; c < x->c1; ++c)
        memcpy(packed + offset(s, s->position[c]), own + offset(s, c),
               (size_t)offset(s, 1));
    for (int q = 0; q < s->nacross; ++q) {
        const int64_t to = x->c0 + s->cursor[q];
        HESCA_TRY(err,
                  exchange(s, x, rank_at(&s->what, l, q),
                           packed + offset(s, from),
                           s->in[l] + offset(s, from), offset(s, to - from)));
        from = to;
    }
fail:
    return err;
}

/* Add a chunk to those in flight. */
static chunk *
add_chunk(hesca_panel_sum *s, chunk what)
{
    chunk *x = &s->chunk[s->sent++];
    assert(s->sent <= s->what.nchunks + 1);
    *x = what;
    x->number = ++s->published;
    if (s->what.shared != NULL)
        atomic_store_explicit(&counts_of(s, s->line)->published,
                              stamp(s, x->number), memory_order_release);
    return x;
}

int
hesca_panel_sum_send(hesca_panel_sum *s, int64_t j0, int64_t j1)
{
    chunk *x = add_chunk(s, (chunk){.c0 = local(s, j0), .c1 = local(s, j1)});
    int err = HESCA_SUCCESS;
    if (!hesca_panel_sum_is_member(s) || s->what.shared != NULL)
        return HESCA_SUCCESS;
    for (int d = 1; d < s->nlines; ++d) {
        const int l = (s->line + d) % s->nlines;
        if (!s->is_in[l])
            continue;
        if (s->partner != NULL)
            HESCA_TRY(err, exchange_ragged(s, x, l));
        else
            HESCA_TRY(err, exchange(s, x, rank_at(&s->what, l, s->across),
                                    s->own[parity(s)] + offset(s, x->c0),
                                    s->in[l] + offset(s, x->c0),
                                    offset(s, x->c1 - x->c0)));
    }
fail:
    return err;
}

/* Every process with columns gets a square from each line; in the line's
 * process with columns, the same on both ends, that is square_partner(). */
int
hesca_panel_sum_send_square(hesca_panel_sum *s, const char *square)
{
    const int64_t bytes = s->width * s->width * s->esize;
    int err = HESCA_SUCCESS;
    if (s->what.shared != NULL)
        memcpy(shared_square(s, s->line), square, (size_t)bytes);
    chunk *x = add_chunk(s, (chunk){.square = square});
    if (!hesca_panel_sum_is_member(s) || s->n == 0 || s->what.shared != NULL)
        return HESCA_SUCCESS;
    for (int l = 0; l < s->nlines; ++l) {
        if (l == s->line || !s->is_in[l])
            continue;
        HESCA_TRY(err,
                  hesca_request_set_receive(
                      s->requests, rank_at(&s->what, l, s->square_from[l]),
                      s->tag, s->square[l], bytes, &x->left));
        for (int q = 0; q < s->nacross; ++q)
            if (s->has_columns[l * s->nacross + q] &&
                square_partner(s, s->line, q) == s->across)
                HESCA_TRY(err, hesca_request_set_send(
                                   s->requests, rank_at(&s->what, l, q),
                                   s->tag, square, bytes, &s->out[parity(s)]));
    }
fail:
    return err;
}

int
hesca_panel_sum_is_here(const hesca_panel_sum *s)
{
    const chunk *x = &s->chunk[s->taken];
    assert(s->taken < s->sent);
    for (int l = 0; l < s->nlines && s->what.shared != NULL; ++l)
        if (s->is_in[l] &&
            atomic_load_explicit(&counts_of(s, l)->published,
                                 memory_order_acquire) < stamp(s, x->number))
            return 0;
    return x->left == 0;
}

int
hesca_panel_sum_is_over(const hesca_panel_sum *s)
{
    return s->out[0] == 0 && s->out[1] == 0;
}

/* --- adding --- */

static void
add_floats(int64_t n, const float *x, const float *y, float *sum)
{
    for (int64_t k = 0; k < n; ++k)
        sum[k] = x[k] + y[k];
}

static void
add_doubles(int64_t n, const double *x, const double *y, double *sum)
{
    for (int64_t k = 0; k < n; ++k)
        sum[k] = x[k] + y[k];
}

/* sum := x + y, elements. */
static void
add(const hesca_panel_sum *s, int64_t n, const void *x, const void *y,
    void *sum)
{
    const int64_t reals = s->what.is_complex ? 2 * n : n;
    if (s->what.is_single)
        add_floats(reals, x, y, sum);
    else
        add_doubles(reals, x, y, sum);
}

/* Add the term of one line, `columns` columns, to the sum; the first term
 * makes it. */
static void
add_term(const hesca_panel_sum *s, int is_first, const char *term,
         int64_t columns, char *sum)
{
    if (is_first)
        memcpy(sum, term, (size_t)offset(s, columns));
    else
        add(s, columns * s->width, sum, term, sum);
}

static void
add_line(hesca_panel_sum *s, const chunk *x, int l, int is_first, char *sum)
{
    const int64_t n = x->c1 - x->c0;
    if (x->square != NULL) {
        add_term(s, is_first,
                 l == s->line             ? x->square
                 : s->what.shared != NULL ? shared_square(s, l)
                                          : s->square[l],
                 s->width, sum);
    } else if (l == s->line || s->partner == NULL) {
        const char *from = l == s->line             ? s->own[parity(s)]
                           : s->what.shared != NULL ? shared_array(s, l)
                                                    : s->in[l];
        add_term(s, is_first, from + offset(s, x->c0), n, sum);
    } else {
        find_positions(s, x, l);
        for (int64_t c = x->c0; c < x->c1; ++c)
            add_term(s, is_first, s->in[l] + offset(s, s->position[c]), 1,
                     sum + offset(s, c - x->c0));
    }
}

void
hesca_panel_sum_take(hesca_panel_sum *s, char *sum)
{
    const chunk *x = &s->chunk[s->taken++];
    int is_first = 1;
    for (int l = 0; l < s->nlines && s->is_in[s->line]; ++l)
        if (s->is_in[l]) {
            add_line(s, x, l, is_first, sum);
            is_first = 0;
        }
}
