/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/pack.h"
#include "base/activity.h"
#include "base/arith.h"
#include "exec/move.h"
#include <string.h>

/* --- chunks ---
 * Both ends of a message cut it by these functions, so they depend on
 * global terms only. */

int64_t
hesca_chunk_count(const hesca_message *msg, int64_t cap)
{
    const int64_t m = msg->rows->total, n = msg->cols->total;
    if (m == 0 || n == 0)
        return 0;
    if (m > cap) /* pieces of columns */
        return n * ((m - 1) / cap + 1);
    return (n - 1) / (cap / m) + 1; /* whole columns */
}

hesca_chunk
hesca_chunk_get(const hesca_message *msg, int64_t cap, int64_t k)
{
    const int64_t m = msg->rows->total, n = msg->cols->total;
    if (m > cap) {
        const int64_t pieces = (m - 1) / cap + 1, r0 = k % pieces * cap;
        return (hesca_chunk){k / pieces, k / pieces + 1, r0,
                             hesca_min(r0 + cap, m)};
    }
    const int64_t width = cap / m;
    return (hesca_chunk){k * width, hesca_min((k + 1) * width, n), 0, m};
}

/* --- runs ---
 * Every element of a run is moved once; the order of moves and the
 * prefetches are free. */

/* Prefetch distance in bytes for reads from a matrix: hardware prefetchers do
 * not follow runs with gaps between them. */
static const int64_t AHEAD = 2048;

/* If the gaps between the pieces of a run are more than DENSE times as long as
 * the pieces, only the pieces are prefetched: with many process rows the rest
 * would be evicted before it is used. */
enum { DENSE = 8 };

/* Streaming stores gain nothing for pieces shorter than this, which leave
 * lines partly written. */
enum { STREAM_LEAST = 256 };

/* How one kind of message is moved. */
typedef struct {
    int64_t esize;
    int64_t lds, ldd; /* bytes from column to column */
    int from_matrix;  /* so that prefetching pays */
    int stream;
    int apart; /* the gaps between pieces are not needed soon */
} method;

static inline void
prefetch(const char *src, int64_t bytes)
{
    for (int64_t x = 0; x < bytes; x += 64)
        __builtin_prefetch(src + x);
}

/* Pieces of a constant size: plain loads and stores instead of a call or a
 * loop over bytes. */
#define PIECES(size)                                                          \
    case size:                                                                \
        for (int c = 0; c < ncols; ++c, dst += how->ldd, src += how->lds)     \
            for (int64_t k = 0; k < count; ++k)                               \
                memcpy(dst + k * dst_step, src + k * src_step, size);         \
        return

/* Move count pieces of at most 64 bytes in each of ncols columns. The branch
 * on the size is taken once for all of them. */
static void
short_pieces(const method *how, int ncols, char *dst, int64_t dst_step,
             const char *src, int64_t src_step, size_t size, int64_t count)
{
    switch (size) {
        PIECES(4);
        PIECES(8);
        PIECES(12);
        PIECES(16);
        PIECES(24);
        PIECES(32);
        PIECES(40);
        PIECES(48);
        PIECES(56);
        PIECES(64);
    default:
        for (int c = 0; c < ncols; ++c, dst += how->ldd, src += how->lds)
            for (int64_t k = 0; k < count; ++k)
                hesca_move(dst + k * dst_step, src + k * src_step, size, 0);
    }
}

/* Pieces per block; the next block is prefetched at once. */
enum { PIECES_AHEAD = 64 };

/* Prefetch the next block of pieces that are more than a line apart, which the
 * hardware does not prefetch. */
static inline void
prefetch_apart(const char *src, int64_t src_step, char *dst, int64_t dst_step,
               int64_t left)
{
    const int64_t n = hesca_min(left - PIECES_AHEAD, PIECES_AHEAD);
    src += PIECES_AHEAD * src_step;
    dst += PIECES_AHEAD * dst_step;
    for (int64_t k = 0; src_step > 64 && k < n; ++k)
        __builtin_prefetch(src + k * src_step);
    for (int64_t k = 0; dst_step > 64 && k < n; ++k)
        __builtin_prefetch(dst + k * dst_step, 1);
}

static void
short_run(const method *how, int ncols, const hesca_run *run, char *dst,
          const char *src, int64_t ahead)
{
    const int64_t block = PIECES_AHEAD;
    const int64_t src_step = run->src_step * how->esize;
    const int64_t dst_step = run->dst_step * how->esize;
    const size_t size = (size_t)(run->len * how->esize);
    const int dense = ahead > 0 && !how->apart &&
                      src_step <= DENSE * hesca_max((int64_t)size, 64);
    dst += run->dst * how->esize;
    src += run->src * how->esize;
    for (int64_t left = run->count; left > 0; left -= block) {
        const int64_t n = left < block ? left : block;
        for (int c = 0; dense && c < ncols; ++c)
            prefetch(src + ahead + c * how->lds, n * src_step);
        if (how->apart)
            prefetch_apart(src, src_step, dst, dst_step, left);
        short_pieces(how, ncols, dst, dst_step, src, src_step, size, n);
        src += n * src_step;
        dst += n * dst_step;
    }
}

static void
long_run(const method *how, const hesca_run *run, char *dst, const char *src,
         int64_t ahead)
{
    const size_t size = (size_t)(run->len * how->esize);
    const int64_t between = (run->src_step - run->len) * how->esize;
    /* The gaps belong to other messages that are packed soon: prefetch them as
     * well. */
    const int64_t gap = between <= DENSE * (int64_t)size ? between : 0;
    dst += run->dst * how->esize;
    src += run->src * how->esize;
    for (int64_t k = 0; k < run->count; ++k) {
        if (how->stream && size >= STREAM_LEAST)
            hesca_move_past(dst, src, size, (size_t)ahead);
        else
            hesca_move(dst, src, size, (size_t)ahead);
        if (ahead > 0 && gap > 0)
            prefetch(src + size + ahead, gap);
        src += run->src_step * how->esize;
        dst += run->dst_step * how->esize;
    }
}

static void
run(const method *how, int ncols, const hesca_run *r, char *dst,
    const char *src, int64_t ahead)
{
    if (r->len * how->esize <= 64) {
        short_run(how, ncols, r, dst, src, r->count > 1 ? ahead : 0);
    } else if (r->count == 1) { /* the columns are its pieces */
        const hesca_run x = {r->src,
                             r->dst,
                             r->len,
                             ncols,
                             how->lds / how->esize,
                             how->ldd / how->esize};
        long_run(how, &x, dst, src, ahead);
    } else {
        for (int c = 0; c < ncols; ++c)
            long_run(how, r, dst + c * how->ldd, src + c * how->lds, ahead);
    }
}

/* The prefetch distance for a pattern that repeats every step bytes: a
 * multiple of step, so that the same bytes of a later period are
 * prefetched. */
static int64_t
distance(int64_t step)
{
    return step <= 0 ? AHEAD : (AHEAD + step - 1) / step * step;
}

/* Periods of a block, which stays in the first-level cache while it is passed
 * through once for each run. */
enum { BLOCK_BYTES = 8192 };

/* n periods from rep on of a pattern of short runs with few pieces each: the
 * loop over periods is the inner one, because it is the longer one. */
static void
periods(const method *how, int ncols, const hesca_runs *r, int64_t n,
        char *dst, const char *src)
{
    for (int64_t k = 0; k < r->n; ++k) {
        hesca_run x = r->run[k];
        for (int64_t c = r->run[k].count; c > 0; --c) {
            x.count = n;
            x.src_step = r->src_step;
            x.dst_step = r->dst_step;
            run(how, ncols, &x, dst, src, 0);
            x.src += r->run[k].src_step;
            x.dst += r->run[k].dst_step;
        }
    }
}

/* Whether that pays. */
static int64_t
periods_at_once(const method *how, const hesca_runs *r)
{
    const int64_t step = hesca_max(r->src_step, r->dst_step) * how->esize;
    const int64_t n = hesca_min(r->nrep, BLOCK_BYTES / hesca_max(step, 1));
    int64_t pieces = 0;
    for (int64_t k = 0; k < r->n && pieces < n * r->n; ++k) {
        if (r->run[k].len * how->esize > 64)
            return 1;
        pieces += r->run[k].count;
    }
    return pieces < n * r->n ? n : 1;
}

/* All rows of a few columns. */
static void
group(const method *how, int ncols, const hesca_runs *r, char *dst,
      const char *src)
{
    const int64_t step =
        (r->nrep > 1 ? r->src_step : r->run->src_step) * how->esize;
    const int64_t ahead = how->from_matrix ? distance(step) : 0;
    const int64_t block = periods_at_once(how, r);
    for (int64_t rep = 0; rep < r->nrep; rep += block) {
        const char *s = src + rep * r->src_step * how->esize;
        char *d = dst + rep * r->dst_step * how->esize;
        if (block > 1)
            periods(how, ncols, r, hesca_min(block, r->nrep - rep), d, s);
        else
            for (int64_t k = 0; k < r->n; ++k)
                run(how, ncols, &r->run[k], d, s, ahead);
    }
    for (int64_t k = r->n; k < r->n + r->ntail; ++k)
        run(how, ncols, &r->run[k], dst, src, ahead);
}

/* --- patterns ---
 * Loops commute: the result does not depend on their order. */

/* n repetitions at distances src and dst in bytes. */
typedef struct {
    int64_t n, src, dst;
} loop;

/* Rows give at most two loops, columns three. */
enum { LOOPS = 5 };

/* Remove loops the repetitions of which are contiguous, and merge nested loops
 * with equal distances. *size: bytes of a piece. */
static int
simplify(int nloops, loop *l, int64_t *size)
{
    int n = 0;
    for (int k = 0; k < nloops; ++k) {
        loop *last = n > 0 ? &l[n - 1] : NULL;
        if (l[k].n == 1)
            continue;
        if (last == NULL && l[k].src == *size && l[k].dst == *size)
            *size *= l[k].n;
        else if (last != NULL && l[k].src == last->n * last->src &&
                 l[k].dst == last->n * last->dst)
            last->n *= l[k].n;
        else
            l[n++] = l[k];
    }
    return n;
}

/* Copy pieces of size bytes in nested loops, given with l[0] as the innermost.
 * The longest becomes the innermost, since each iteration of the others has a
 * cost. */
static void
nest(const method *how, int64_t size, int nloops, loop *l, char *dst,
     const char *src)
{
    int64_t at[LOOPS] = {0};
    int longest = 0, k;
    nloops = simplify(nloops, l, &size);
    for (k = 1; k < nloops; ++k)
        if (l[k].n > l[longest].n)
            longest = k;
    const loop inner = nloops > 0 ? l[longest] : (loop){.n = 1};
    const hesca_run r = {0,
                         0,
                         size / how->esize,
                         inner.n,
                         inner.src / how->esize,
                         inner.dst / how->esize};
    const int64_t ahead = how->from_matrix ? distance(inner.src) : 0;
    if (nloops > 0)
        l[longest] = l[--nloops];
    do {
        run(how, 1, &r, dst, src, ahead);
        for (k = 0; k < nloops; ++k) {
            src += l[k].src;
            dst += l[k].dst;
            if (++at[k] < l[k].n)
                break;
            src -= l[k].n * l[k].src;
            dst -= l[k].n * l[k].dst;
            at[k] = 0;
        }
    } while (k < nloops);
}

/* Bytes of a message that are moved before the next of several patterns, so
 * that the lines that they share stay in cache. */
enum { BLOCK = 16384 };

/* Begin and loops of a pattern on both sides of the motion; positions of the
 * message count from first. */
typedef struct {
    int64_t src, dst;
    loop inner, outer;
} side_loops;

static side_loops
loops_of(hesca_motion motion, const hesca_pieces *x, int64_t first,
         int64_t src_unit, int64_t dst_unit)
{
    const int from_message = motion == HESCA_UNPACK;
    const int to_message = motion == HESCA_PACK;
    const int64_t pos = x->pos - first;
    return (side_loops){
        (from_message ? pos : x->a) * src_unit,
        (to_message ? pos : x->b) * dst_unit,
        {x->inner.n, (from_message ? x->inner.pos : x->inner.a) * src_unit,
         (to_message ? x->inner.pos : x->inner.b) * dst_unit},
        {x->outer.n, (from_message ? x->outer.pos : x->outer.a) * src_unit,
         (to_message ? x->outer.pos : x->outer.b) * dst_unit}};
}

/* Positions first ... end - 1 of the rows of one column; the message side is
 * dense and begins at its pointer. */
static void
clipped(const hesca_message *msg, int64_t first, int64_t end, const char *src,
        char *dst)
{
    const int64_t esize = (int64_t)msg->problem->esize;
    const method how = {esize,       0, 0, msg->motion != HESCA_UNPACK,
                        msg->stream, 0};
    hesca_walk walk = {
        .overlap = msg->rows, .pos = first, .end = end, .span = BLOCK / esize};
    hesca_pieces x;
    while (hesca_overlap_next(&walk, &x)) {
        const side_loops r = loops_of(msg->motion, &x, first, esize, esize);
        loop l[] = {r.inner, r.outer};
        nest(&how, x.len * esize, 2, l, dst + r.dst, src + r.src);
    }
}

/* Columns first ... end - 1 of a message with few rows, in full: the loops
 * over columns are long where those over rows are short. */
static void
thin(const hesca_message *msg, int64_t first, int64_t end, const char *src,
     int64_t lds, char *dst, int64_t ldd)
{
    const int64_t esize = (int64_t)msg->problem->esize;
    const method how = {esize,       0, 0, msg->motion != HESCA_UNPACK,
                        msg->stream, 1};
    hesca_walk rows = {.overlap = msg->rows,
                       .end = msg->rows->total,
                       .span = msg->rows->total};
    hesca_pieces x, y;
    while (hesca_overlap_next(&rows, &x)) {
        const side_loops r = loops_of(msg->motion, &x, 0, esize, esize);
        hesca_walk cols = {.overlap = msg->cols,
                           .pos = first,
                           .end = end,
                           .span = end - first};
        while (hesca_overlap_next(&cols, &y)) {
            const side_loops c =
                loops_of(msg->motion, &y, first, lds * esize, ldd * esize);
            loop l[LOOPS] = {r.inner,
                             r.outer,
                             {y.len, lds * esize, ldd * esize},
                             c.inner,
                             c.outer};
            nest(&how, x.len * esize, LOOPS, l, dst + r.dst + c.dst,
                 src + r.src + c.src);
        }
    }
}

/* --- columns and chunks ---
 * A message is dense on its own side; the matrix side has the leading
 * dimension of the caller. */

/* The rows of a chunk that are copied in column j of sub(A), by position. */
static void
rows_of(const hesca_message *msg, hesca_chunk t, int64_t j, int64_t *first,
        int64_t *end)
{
    int64_t lo, hi;
    hesca_problem_rows(msg->problem, j, &lo, &hi);
    *first = hesca_max(t.r0, hesca_overlap_below(msg->rows, lo));
    *end =
        hesca_max(*first, hesca_min(t.r1, hesca_overlap_below(msg->rows, hi)));
}

/* Columns that are moved together, so that they share the overhead of a run:
 * as many as fit into the first-level cache, and at least GROUP if runs are
 * short. */
enum { GROUP = 4, GROUP_BYTES = 16384, GROUP_PIECE = 1024 };

static int64_t
group_width(const method *how, int64_t piece)
{
    const int64_t ld = hesca_max(how->lds, how->ldd);
    const int64_t width = GROUP_BYTES / hesca_max(ld, 1);
    if (piece <= 64)
        return hesca_max(GROUP, width);
    return piece <= GROUP_PIECE ? hesca_max(1, width) : 1;
}

/* ncols columns that follow each other on both sides, from src and dst on. */
static void
columns(const hesca_message *msg, int64_t ncols, const char *src, int64_t lds,
        char *dst, int64_t ldd)
{
    const hesca_runs *r = msg->runs;
    const int64_t m = msg->rows->total;
    const int64_t esize = (int64_t)msg->problem->esize;
    const method how = {esize,       lds * esize,
                        ldd * esize, msg->motion != HESCA_UNPACK,
                        msg->stream, 0};
    if (lds == m && ldd == m && hesca_runs_is_flat(r)) {
        /* The whole of both sides is one piece. */
        const hesca_run all = {r->run->src, r->run->dst, m * ncols, 1, 0, 0};
        run(&how, 1, &all, dst, src, how.from_matrix ? AHEAD : 0);
        return;
    }
    const int64_t width = group_width(&how, r->run->len * esize);
    for (int64_t j = 0; j < ncols; j += width) {
        const int n = (int)hesca_min(width, ncols - j);
        group(&how, n, r, dst + j * how.ldd, src + j * how.lds);
    }
}

/* Columns of a chunk with some of their rows. */
static int64_t
clipped_columns(const hesca_message *msg, hesca_chunk t, int64_t j,
                int64_t ncols, const char *src, int64_t lds, char *dst,
                int64_t ldd)
{
    const int64_t esize = (int64_t)msg->problem->esize;
    int64_t sum = 0;
    for (int64_t k = 0; k < ncols; ++k) {
        int64_t first, end;
        rows_of(msg, t, j + k, &first, &end);
        const int64_t moved = end - first;
        if (moved > 0)
            clipped(msg, first, end, src, dst);
        /* A message is dense: its next column begins where this one ends. */
        src += (msg->motion == HESCA_UNPACK ? moved : lds) * esize;
        dst += (msg->motion == HESCA_PACK ? moved : ldd) * esize;
        sum += moved;
    }
    return sum;
}

int64_t
hesca_chunk_size(const hesca_message *msg, hesca_chunk t)
{
    int64_t sum = 0, first, end;
    if (msg->problem->part == HESCA_ALL)
        return (t.c1 - t.c0) * (t.r1 - t.r0);
    for (int64_t c = t.c0; c < t.c1; ++c) {
        rows_of(msg, t, hesca_overlap_index(msg->cols, c), &first, &end);
        sum += end - first;
    }
    return sum;
}

/* A message is thin if its rows have at most THIN bytes in all, or THIN_FLAT
 * in one piece. With fewer columns than THIN_COLS the loops over columns cost
 * more to set up, 50 ns, than they save. */
enum { THIN = 128, THIN_FLAT = 2048, THIN_COLS = 12 };

static int
is_thin(const hesca_message *msg, hesca_chunk t)
{
    const int64_t bytes = msg->rows->total * (int64_t)msg->problem->esize;
    return t.c1 - t.c0 >= THIN_COLS &&
           (bytes <= THIN ||
            (bytes <= THIN_FLAT && hesca_runs_is_flat(msg->runs)));
}

/* A chunk of a message with few rows, in blocks of columns. */
static void
thin_chunk(const hesca_message *msg, hesca_chunk t, const char *src,
           int64_t lds, char *dst, int64_t ldd)
{
    const int64_t esize = (int64_t)msg->problem->esize;
    const int64_t block = BLOCK / (t.r1 * esize);
    for (int64_t c = t.c0; c < t.c1; c += block) {
        const int64_t end = hesca_min(c + block, t.c1);
        const int64_t done = (c - t.c0) * t.r1 * esize;
        thin(msg, c, end, src + (msg->motion == HESCA_UNPACK ? done : 0), lds,
             dst + (msg->motion == HESCA_PACK ? done : 0), ldd);
    }
}

/* A chunk of whole columns, column by column. */
static void
whole_chunk(const hesca_message *msg, hesca_chunk t, const char *src,
            int64_t lds, char *dst, int64_t ldd)
{
    const int64_t esize = (int64_t)msg->problem->esize;
    hesca_walk walk = {
        .overlap = msg->cols, .pos = t.c0, .end = t.c1, .span = 1};
    hesca_pieces x;
    while (hesca_overlap_next(&walk, &x)) {
        const side_loops c =
            loops_of(msg->motion, &x, t.c0, lds * esize, ldd * esize);
        for (int64_t k = 0; k < c.outer.n; ++k)
            for (int64_t l = 0; l < c.inner.n; ++l)
                columns(msg, x.len,
                        src + c.src + k * c.outer.src + l * c.inner.src, lds,
                        dst + c.dst + k * c.outer.dst + l * c.inner.dst, ldd);
    }
}

/* A chunk with some of the rows of each column; the message is dense.
 * Returns the elements moved. */
static int64_t
clipped_chunk(const hesca_message *msg, hesca_chunk t, const char *src,
              int64_t lds, char *dst, int64_t ldd)
{
    const int64_t esize = (int64_t)msg->problem->esize;
    int64_t sum = 0;
    hesca_stretch x;
    for (int64_t c = t.c0; c < t.c1; c += x.len) {
        x = hesca_overlap_at(msg->cols, c);
        x.len = hesca_min(x.len, t.c1 - c);
        const int64_t s = msg->motion == HESCA_UNPACK ? sum : x.a * lds;
        const int64_t d = msg->motion == HESCA_PACK ? sum : x.b * ldd;
        sum += clipped_columns(msg, t, x.i, x.len, src + s * esize, lds,
                               dst + d * esize, ldd);
    }
    return sum;
}

int64_t
hesca_chunk_move(const hesca_message *msg, hesca_chunk chunk, const void *src,
                 int64_t lds, void *dst, int64_t ldd)
{
    const int64_t m = msg->rows->total;
    const hesca_activity before = hesca_activity_enter(HESCA_ACTIVITY_COPIES);
    int64_t moved = (chunk.c1 - chunk.c0) * m;
    if (msg->motion == HESCA_UNPACK)
        lds = m;
    if (msg->motion == HESCA_PACK)
        ldd = m;
    if (msg->problem->part != HESCA_ALL || chunk.r0 != 0 || chunk.r1 != m)
        moved = clipped_chunk(msg, chunk, src, lds, dst, ldd);
    else if (is_thin(msg, chunk))
        thin_chunk(msg, chunk, src, lds, dst, ldd);
    else
        whole_chunk(msg, chunk, src, lds, dst, ldd);
    if (msg->stream)
        hesca_move_end();
    hesca_activity_leave(before);
    return moved;
}
