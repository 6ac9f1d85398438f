#include "exec/pack.h"
#include "base/arith.h"
#include "exec/stream.h"
#include <string.h>

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

/* Ask for the piece that is eight further on: the hardware's prefetchers do
 * not follow pieces with gaps between them. */
static inline void
prefetch(const char *src, int64_t src_step, size_t size)
{
    for (size_t k = 0; k < size; k += 64)
        __builtin_prefetch(src + 8 * src_step + k);
}

/* count pieces of size bytes.  Sizes that are known when compiling become
 * plain loads and stores: a call of memcpy for each 64-byte piece costs more
 * than moving it. */
#define PIECES(size)                                                          \
    case size:                                                                \
        for (int64_t k = 0; k < count; ++k) {                                 \
            if (size >= 64)                                                   \
                prefetch(src + k * src_step, src_step, size);                 \
            memcpy(dst + k * dst_step, src + k * src_step, size);             \
        }                                                                     \
        return

static void
pieces(char *dst, int64_t dst_step, const char *src, int64_t src_step,
       size_t size, int64_t count, int stream)
{
    if (stream && size >= HESCA_STREAM_LEAST) {
        for (int64_t k = 0; k < count; ++k)
            hesca_stream_copy(dst + k * dst_step, src + k * src_step, size);
        return;
    }
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
        PIECES(96);
        PIECES(128);
        PIECES(192);
        PIECES(256);
    default:
        for (int64_t k = 0; k < count; ++k)
            memcpy(dst + k * dst_step, src + k * src_step, size);
    }
}

/* All rows of one column. */
static void
column(const hesca_runs *r, int64_t esize, const char *src, char *dst,
       int stream)
{
    for (int64_t rep = 0; rep < r->nrep; ++rep) {
        for (int64_t k = 0; k < r->n; ++k) {
            const hesca_run *run = &r->run[k];
            pieces(dst + (rep * r->dst_step + run->dst) * esize,
                   run->dst_step * esize,
                   src + (rep * r->src_step + run->src) * esize,
                   run->src_step * esize, (size_t)(run->len * esize),
                   run->count, stream);
        }
    }
    for (int64_t k = r->n; k < r->n + r->ntail; ++k) {
        const hesca_run *run = &r->run[k];
        pieces(dst + run->dst * esize, run->dst_step * esize,
               src + run->src * esize, run->src_step * esize,
               (size_t)(run->len * esize), run->count, stream);
    }
}

/* Positions first ... end - 1 of the rows of one column; the message side is
 * dense and begins at its pointer. */
static void
clipped(const hesca_message *msg, int64_t first, int64_t end, const char *src,
        char *dst)
{
    const hesca_overlap *o = msg->rows;
    const int64_t esize = (int64_t)msg->problem->esize;
    int64_t rep, k;
    hesca_overlap_seek(o, first, &rep, &k);
    for (int64_t pos = first; pos < end;) {
        const hesca_interval *iv = &o->iv[k];
        const int64_t skip = pos - rep * o->count - iv->before;
        const int64_t len = hesca_min(iv->len - skip, end - pos);
        const int64_t a = rep * o->a_step + iv->a + skip;
        const int64_t b = rep * o->b_step + iv->b + skip;
        memcpy(dst + (msg->motion == HESCA_PACK ? pos - first : b) * esize,
               src + (msg->motion == HESCA_UNPACK ? pos - first : a) * esize,
               (size_t)(len * esize));
        pos += len;
        if (++k == o->n) {
            k = 0;
            ++rep;
        }
    }
}

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

/* ncols columns that follow each other on both sides, from src and dst on. */
static void
columns(const hesca_message *msg, int64_t ncols, const char *src, int64_t lds,
        char *dst, int64_t ldd)
{
    const hesca_runs *r = msg->runs;
    const int64_t m = msg->rows->total;
    const int64_t esize = (int64_t)msg->problem->esize;
    if (lds == m && ldd == m && hesca_runs_is_flat(r)) {
        /* The whole of both sides is one piece. */
        memcpy(dst + r->run->dst * esize, src + r->run->src * esize,
               (size_t)(m * ncols * esize));
        return;
    }
    for (int64_t j = 0; j < ncols; ++j)
        column(r, esize, src + j * lds * esize, dst + j * ldd * esize,
               msg->stream);
}

/* Columns of a chunk with only some of their rows. */
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

int64_t
hesca_chunk_move(const hesca_message *msg, hesca_chunk chunk, const void *src,
                 int64_t lds, void *dst, int64_t ldd)
{
    const hesca_overlap *o = msg->cols;
    const int64_t esize = (int64_t)msg->problem->esize;
    const int64_t m = msg->rows->total;
    const int whole =
        msg->problem->part == HESCA_ALL && chunk.r0 == 0 && chunk.r1 == m;
    int64_t sum = 0, rep, k;
    if (msg->motion == HESCA_UNPACK)
        lds = m;
    if (msg->motion == HESCA_PACK)
        ldd = m;
    hesca_overlap_seek(o, chunk.c0, &rep, &k);
    for (int64_t c = chunk.c0; c < chunk.c1;) {
        const hesca_interval *iv = &o->iv[k];
        const int64_t skip = c - rep * o->count - iv->before;
        const int64_t n = hesca_min(iv->len - skip, chunk.c1 - c);
        const int64_t a = rep * o->a_step + iv->a + skip;
        const int64_t b = rep * o->b_step + iv->b + skip;
        /* Columns of the message: dense so far. */
        const int64_t at = whole ? (c - chunk.c0) * m : sum;
        const char *s = (const char *)src +
                        (msg->motion == HESCA_UNPACK ? at : a * lds) * esize;
        char *d =
            (char *)dst + (msg->motion == HESCA_PACK ? at : b * ldd) * esize;
        if (whole) {
            columns(msg, n, s, lds, d, ldd);
            sum += n * m;
        } else {
            sum += clipped_columns(msg, chunk, rep * o->period + iv->i + skip,
                                   n, s, lds, d, ldd);
        }
        c += n;
        if (++k == o->n) {
            k = 0;
            ++rep;
        }
    }
    if (msg->stream)
        hesca_stream_end();
    return sum;
}
