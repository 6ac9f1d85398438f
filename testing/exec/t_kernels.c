/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that pack, unpack and copy, against moving one element after the
 * other: any overlap, element size, part and length of chunks, at any address,
 * with guards around everything that is written. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "exec/move.h"
#include "exec/pack.h"
#include "testing/assign.h"
#include "testing/trapezoid.h"
#include "testing/unit.h"
#include <sys/mman.h>
#include <unistd.h>

enum { GUARD = 128, ROWS = 300, COLS = 40 };

/* One common index: of the subrange, and local on both sides. */
typedef struct {
    int64_t i, a, b;
} meeting;

/* One dimension of a message. */
typedef struct {
    assign_axis a, b;
    int64_t ia, ib, n;
    int p, q; /* the owners */
    hesca_overlap overlap;
    int64_t count, loca, locb; /* common, local extents */
    meeting common[ROWS];
    char text[500];
} lane;

static void
random_lane(lane *x, int n)
{
    x->n = n;
    x->ia = check_uniform(0, 2) ? check_uniform(0, 15) : 0;
    x->ib = check_uniform(0, 2) ? check_uniform(0, 15) : 0;
    const int na = (int)x->ia + n + check_uniform(0, 1) * 5;
    const int nb = (int)x->ib + n + check_uniform(0, 1) * 5;
    const int kind = check_uniform(0, 5);
    x->a =
        kind == 1 ? assign_random_pieces(na, 4) : assign_random_cyclic(na, 4);
    x->b =
        kind == 2 ? assign_random_pieces(nb, 4) : assign_random_cyclic(nb, 4);
    /* Owners that have something in common, if there is any index. */
    const int k = n > 0 ? check_uniform(0, n - 1) : 0;
    x->p = n > 0 ? x->a.owner[x->ia + k] : 0;
    x->q = n > 0 ? x->b.owner[x->ib + k] : 0;
    x->count = 0;
    for (int64_t i = 0; i < n; ++i)
        if (x->a.owner[x->ia + i] == x->p && x->b.owner[x->ib + i] == x->q)
            x->common[x->count++] =
                (meeting){i, x->a.local[x->ia + i], x->b.local[x->ib + i]};
    x->loca = assign_count(&x->a, x->p, x->a.n);
    x->locb = assign_count(&x->b, x->q, x->b.n);
    snprintf(x->text, sizeof x->text,
             "%d of {%s} at %d, %d and {%s} at %d, "
             "%d",
             n, x->a.text, (int)x->ia, x->p, x->b.text, (int)x->ib, x->q);
    if (hesca_overlap_init(&x->overlap, (hesca_share){&x->a.axis, x->p, x->ia},
                           (hesca_share){&x->b.axis, x->q, x->ib}, n) < 0)
        abort();
}

static void
clear_lane(lane *x)
{
    hesca_overlap_clear(&x->overlap);
    assign_clear(&x->a);
    assign_clear(&x->b);
}

/* Bytes with guards before and behind, at any alignment. */
typedef struct {
    char *memory, *data;
    size_t size; /* of all */
} block;

static void
fill(char *x, size_t n)
{
    for (size_t k = 0; k < n; ++k)
        x[k] = (char)check_random();
}

static block
create(int64_t nbytes)
{
    block x = {.size = (size_t)nbytes + 2 * GUARD};
    x.size += 64 - x.size % 64;
    x.memory = aligned_alloc(64, x.size);
    x.data = x.memory + GUARD - check_uniform(0, 63);
    fill(x.memory, x.size);
    return x;
}

static block
copy_of(const block *from)
{
    block x = {.size = from->size, .memory = aligned_alloc(64, from->size)};
    x.data = x.memory + (from->data - from->memory);
    memcpy(x.memory, from->memory, x.size);
    return x;
}

/* A message, the arrays at its ends, and its name in messages. */
typedef struct {
    lane rows, cols;
    hesca_problem problem;
    hesca_runs runs;
    hesca_message msg;
    int64_t lda, ldb;
    block a, b;
    char text[1200];
} world;

static const char *const motion_name[] = {"pack", "unpack", "copy"};

/* An element of a chunk: where it begins in A and in B, in bytes. */
typedef struct {
    int64_t a, b;
} pair;

static int64_t
list_elements(const world *w, hesca_chunk t, pair *list)
{
    const int64_t esize = (int64_t)w->problem.esize;
    int64_t n = 0;
    for (int64_t c = t.c0; c < t.c1; ++c)
        for (int64_t r = t.r0; r < t.r1; ++r) {
            const meeting *x = &w->rows.common[r], *y = &w->cols.common[c];
            if (trapezoid_has(w->problem.part, w->problem.m, w->problem.n,
                              x->i, y->i))
                list[n++] = (pair){(y->a * w->lda + x->a) * esize,
                                   (y->b * w->ldb + x->b) * esize};
        }
    return n;
}

/* Move one chunk with the kernel and one by one. */
static void
check_chunk(const world *w, hesca_chunk t, pair *list)
{
    const hesca_motion motion = w->msg.motion;
    const size_t esize = w->problem.esize;
    const int64_t n = list_elements(w, t, list);
    const int64_t size = hesca_chunk_size(&w->msg, t);
    block message = create(n * (int64_t)esize);
    block expected = copy_of(motion == HESCA_PACK ? &message : &w->b);
    block got = copy_of(&expected);
    for (int64_t k = 0; k < n; ++k) {
        const int64_t packed = k * (int64_t)esize;
        memcpy(expected.data + (motion == HESCA_PACK ? packed : list[k].b),
               motion == HESCA_UNPACK ? message.data + packed
                                      : w->a.data + list[k].a,
               esize);
    }
    /* Leading dimensions of the message must not matter. */
    const int64_t moved = hesca_chunk_move(
        &w->msg, t, motion == HESCA_UNPACK ? message.data : w->a.data,
        motion == HESCA_UNPACK ? -1 : w->lda, got.data,
        motion == HESCA_PACK ? -1 : w->ldb);
    CHECK(moved == n && size == n,
          "%s, columns %lld ... %lld, rows %lld ... %lld: size %lld, moved "
          "%lld, not %lld",
          w->text, (long long)t.c0, (long long)t.c1 - 1, (long long)t.r0,
          (long long)t.r1 - 1, (long long)size, (long long)moved,
          (long long)n);
    CHECK(memcmp(expected.memory, got.memory, got.size) == 0,
          "%s, columns %lld ... %lld, rows %lld ... %lld: other bytes",
          w->text, (long long)t.c0, (long long)t.c1 - 1, (long long)t.r0,
          (long long)t.r1 - 1);
    free(message.memory);
    free(expected.memory);
    free(got.memory);
}

/* Chunks are not longer than cap, and cover the message once. */
static void
check_chunks(const world *w, int64_t cap, pair *list)
{
    static unsigned char covered[COLS][ROWS];
    const int64_t n = hesca_chunk_count(&w->msg, cap);
    memset(covered, 0, sizeof covered);
    for (int64_t k = 0; k < n; ++k) {
        const hesca_chunk t = hesca_chunk_get(&w->msg, cap, k);
        const int fits = 0 <= t.c0 && t.c0 < t.c1 && t.c1 <= w->cols.count &&
                         0 <= t.r0 && t.r0 < t.r1 && t.r1 <= w->rows.count &&
                         (t.c1 - t.c0) * (t.r1 - t.r0) <= cap;
        CHECK(fits,
              "%s, cap %lld: chunk %lld of %lld is columns %lld ... %lld, "
              "rows %lld ... %lld",
              w->text, (long long)cap, (long long)k, (long long)n,
              (long long)t.c0, (long long)t.c1 - 1, (long long)t.r0,
              (long long)t.r1 - 1);
        if (!fits)
            continue;
        for (int64_t c = t.c0; c < t.c1; ++c)
            for (int64_t r = t.r0; r < t.r1; ++r)
                ++covered[c][r];
        check_chunk(w, t, list);
    }
    for (int64_t c = 0; c < w->cols.count; ++c)
        for (int64_t r = 0; r < w->rows.count; ++r)
            CHECK(covered[c][r] == 1,
                  "%s, cap %lld: (%lld,%lld) is in %d chunks", w->text,
                  (long long)cap, (long long)r, (long long)c, covered[c][r]);
}

/* One run after the other is the list of common rows. */
static void
check_runs(const world *w)
{
    const hesca_runs *r = &w->runs;
    const hesca_motion motion = w->msg.motion;
    int64_t pos = 0;
    for (int64_t rep = 0; rep <= r->nrep; ++rep) {
        const int64_t begin = rep < r->nrep ? 0 : r->n;
        const int64_t end = rep < r->nrep ? r->n : r->n + r->ntail;
        const int64_t src = rep < r->nrep ? rep * r->src_step : 0;
        const int64_t dst = rep < r->nrep ? rep * r->dst_step : 0;
        for (int64_t k = begin; k < end; ++k)
            for (int64_t c = 0; c < r->run[k].count; ++c)
                for (int64_t e = 0; e < r->run[k].len; ++e, ++pos) {
                    const hesca_run *run = &r->run[k];
                    const int64_t s = src + run->src + c * run->src_step + e;
                    const int64_t d = dst + run->dst + c * run->dst_step + e;
                    const meeting *x = &w->rows.common[pos];
                    CHECK(pos < w->rows.count &&
                              s == (motion == HESCA_UNPACK ? pos : x->a) &&
                              d == (motion == HESCA_PACK ? pos : x->b),
                          "%s: run %lld takes row %lld from %lld to %lld",
                          w->text, (long long)k, (long long)pos, (long long)s,
                          (long long)d);
                }
    }
    CHECK(pos == w->rows.count, "%s: the runs have %lld rows", w->text,
          (long long)pos);
    /* Flat: no row is anywhere but behind the one before. */
    int flat = w->rows.count > 0;
    for (int64_t k = 1; k < w->rows.count; ++k) {
        const meeting *x = &w->rows.common[k - 1], *y = x + 1;
        if (motion != HESCA_UNPACK)
            flat = flat && x->a + 1 == y->a;
        if (motion != HESCA_PACK)
            flat = flat && x->b + 1 == y->b;
    }
    CHECK(!hesca_runs_is_flat(r) || flat, "%s: not flat", w->text);
}

static void
random_world(world *w, int m, int n, hesca_part part, size_t esize)
{
    random_lane(&w->rows, m);
    random_lane(&w->cols, n);
    w->problem = (hesca_problem){.part = part, .m = m, .n = n, .esize = esize};
    w->lda = w->rows.loca + check_uniform(0, 1) * check_uniform(0, 4);
    w->ldb = w->rows.locb + check_uniform(0, 1) * check_uniform(0, 4);
    w->a = create(w->lda * w->cols.loca * (int64_t)esize);
    w->b = create(w->ldb * w->cols.locb * (int64_t)esize);
}

static void
check_motion(world *w, hesca_motion motion, pair *list)
{
    static const char *const part_name[] = {"all", "upper", "strict upper",
                                            "lower", "strict lower"};
    if (hesca_runs_init(&w->runs, &w->rows.overlap, motion) < 0)
        abort();
    w->msg = (hesca_message){.problem = &w->problem,
                             .rows = &w->rows.overlap,
                             .cols = &w->cols.overlap,
                             .runs = &w->runs,
                             .motion = motion,
                             .stream = check_uniform(0, 1)};
    snprintf(w->text, sizeof w->text,
             "%s %s, %zu bytes, lda %lld, ldb %lld, stream %d, rows %s, "
             "columns %s",
             motion_name[motion], part_name[w->problem.part], w->problem.esize,
             (long long)w->lda, (long long)w->ldb, w->msg.stream, w->rows.text,
             w->cols.text);
    check_runs(w);
    const int64_t m = w->rows.count, all = m * w->cols.count;
    CHECK((hesca_chunk_count(&w->msg, 1000000) > 0) == (all > 0), "%s",
          w->text);
    const int64_t caps[] = {
        all < 300 ? check_uniform(1, 4) : m + check_uniform(-1, 1), all + 1,
        1 + check_uniform(0, (int)all),
        m > 0 ? m * check_uniform(1, 4) + check_uniform(0, 2) : 1};
    for (size_t k = 0; k < sizeof caps / sizeof *caps; ++k)
        check_chunks(w, caps[k] > 1 ? caps[k] : 1, list);
    hesca_runs_clear(&w->runs);
    hesca_runs_clear(&w->runs); /* may be cleared twice */
}

static void
clear_world(world *w)
{
    clear_lane(&w->rows);
    clear_lane(&w->cols);
    free(w->a.memory);
    free(w->b.memory);
}

static const size_t esizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                11, 12, 13, 14, 15, 16, 17, 24, 32, 100};
enum { NESIZES = sizeof esizes / sizeof *esizes, NPARTS = 5 };

static void
cases(int ncases, int most_rows, int most_cols)
{
    world *w = malloc(sizeof *w);
    pair *list = malloc((size_t)(ROWS * COLS) * sizeof *list);
    for (int c = 0; c < ncases; ++c) {
        const int m = check_uniform(0, 19) ? check_uniform(1, most_rows) : 0;
        const int n = check_uniform(0, 19) ? check_uniform(1, most_cols) : 0;
        /* All sizes with all parts, and the whole matrix more often. */
        const int part = c / NESIZES % (NPARTS + 2);
        random_world(w, m, n, part < NPARTS ? (hesca_part)part : HESCA_ALL,
                     esizes[c % NESIZES]);
        for (int motion = HESCA_PACK; motion <= HESCA_COPY; ++motion)
            check_motion(w, (hesca_motion)motion, list);
        clear_world(w);
    }
    free(w);
    free(list);
}

static void
small_messages(void)
{
    cases(check_cases(2800), 25, 12);
}

/* Columns with many periods, and pieces long enough to be streamed. */
static void
long_columns(void)
{
    cases(check_cases(560), ROWS - 1, COLS - 1);
}

/* Regular rows are one run, however many periods there are: what makes the
 * kernels fast. */
static void
regular_rows(void)
{
    static const struct {
        int nba, nbb; /* both on two processes */
        hesca_motion motion;
        int64_t len, count;
    } list[] = {
        {4, 4, HESCA_COPY, 200, 1},   /* one piece */
        {4, 8, HESCA_PACK, 4, 25},    /* a piece of every period */
        {8, 4, HESCA_UNPACK, 4, 25},  /* its dual */
        {1, 8, HESCA_UNPACK, 1, 100}, /* equally spaced, also across periods */
        {8, 1, HESCA_PACK, 1, 100},
        {1, 8, HESCA_PACK, 4, 25}, /* dense in each period */
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        assign_axis a = assign_cyclic(400, list[k].nba, 0, 2);
        assign_axis b = assign_cyclic(400, list[k].nbb, 0, 2);
        hesca_overlap o;
        hesca_runs r;
        if (hesca_overlap_init(&o, (hesca_share){&a.axis, 0, 0},
                               (hesca_share){&b.axis, 0, 0}, 400) < 0 ||
            hesca_runs_init(&r, &o, list[k].motion) < 0)
            abort();
        CHECK(r.n == 1 && r.nrep == 1 && r.ntail == 0 &&
                  r.run[0].len == list[k].len &&
                  r.run[0].count == list[k].count &&
                  hesca_runs_is_flat(&r) == (list[k].count == 1),
              "%s, {%s} to {%s}: %lld periods of %lld runs, %lld x %lld",
              motion_name[list[k].motion], a.text, b.text, (long long)r.nrep,
              (long long)r.n, (long long)r.run[0].count,
              (long long)r.run[0].len);
        hesca_runs_clear(&r);
        hesca_overlap_clear(&o);
        assign_clear(&a);
        assign_clear(&b);
    }
}

/* ------------------------------------------------ moves of bytes */

enum { MOVE_MOST = 1200 };

/* Move n bytes between these offsets from a line, and look at all around. */
static void
check_move(size_t n, size_t from, size_t to, size_t ahead)
{
    static _Alignas(64) char src[MOVE_MOST + 2 * GUARD];
    static _Alignas(64) char dst[sizeof src], expected[sizeof src];
    static const char *const names[] = {"move", "move past", "move short"};
    if (src[0] == 0) {
        fill(src, sizeof src);
        src[0] = 1;
    }
    for (int k = 0; k < (n > 0 && n <= 64 ? 3 : 2); ++k) {
        memset(dst, 0x5c, sizeof dst);
        memset(expected, 0x5c, sizeof expected);
        memcpy(expected + 64 + to, src + 64 + from, n);
        if (k == 0)
            hesca_move(dst + 64 + to, src + 64 + from, n, ahead);
        else if (k == 1)
            hesca_move_past(dst + 64 + to, src + 64 + from, n, ahead);
        else
            hesca_move_short(dst + 64 + to, src + 64 + from, n);
        hesca_move_end();
        CHECK(memcmp(dst, expected, sizeof dst) == 0,
              "%s: %zu bytes from %zu to %zu, ahead %zu", names[k], n, from,
              to, ahead);
    }
}

/* Between pages that must not be touched: nothing is read or written beyond
 * the bytes. */
static void
check_page_ends(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 5 * page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    char *src = memory + page, *dst = memory + 3 * page;
    fill(memory, 5 * page);
    for (int k = 0; k < 5; k += 2)
        mprotect(memory + (size_t)k * page, page, PROT_NONE);
    for (size_t n = 0; n <= MOVE_MOST; ++n)
        for (int k = 0; k < 8; ++k) {
            const char *from = k & 1 ? src : src + page - n;
            char *to = k & 2 ? dst : dst + page - n;
            memset(to, 0x5c, n);
            if (k & 4)
                hesca_move_past(to, from, n, 2048);
            else
                hesca_move(to, from, n, 2048);
            hesca_move_end();
            CHECK(memcmp(to, from, n) == 0, "%zu bytes at page ends %d", n, k);
        }
    munmap(memory, 5 * page);
}

static void
moves(void)
{
    static const size_t some[] = {0,   1,   3,   7,   8,   15,  16,  31,
                                  32,  33,  63,  64,  65,  127, 128, 129,
                                  191, 192, 193, 255, 256, 320, 511, 1024};
    for (size_t n = 0; n <= MOVE_MOST; ++n)
        for (int k = 0; k < 4; ++k)
            check_move(n, (size_t)check_uniform(0, 63),
                       (size_t)check_uniform(0, 63), k % 2 ? 2048 : 0);
    for (size_t from = 0; from < 64; ++from)
        for (size_t to = 0; to < 64; ++to)
            for (size_t k = 0; k < sizeof some / sizeof *some; ++k)
                check_move(some[k], from, to, 0);
    check_page_ends();
}

/* ------------------------------------------------ regular runs */

/* One column of the owner q of blocks of len, by the whole rows: element k of
 * the owner's n is row (k / len * 2 + q) * len + k % len. */
typedef struct {
    int64_t len, rows, n; /* of a block, of all, of the owner */
    int q;
    int64_t ncols, lds, ldd;
    size_t esize;
    hesca_motion motion;
    int scattered; /* HESCA_COPY: B is the side with gaps */
} pattern;

static int64_t
row_of(const pattern *x, int64_t k)
{
    return (k / x->len * 2 + x->q) * x->len + k % x->len;
}

/* The message, or the dense side of a copy, has element k at k. */
static int
is_dense(const pattern *x, int of_dst)
{
    if (x->motion == HESCA_PACK)
        return of_dst;
    return x->motion == HESCA_UNPACK ? !of_dst : x->scattered != of_dst;
}

static void
expect(const pattern *x, char *dst, const char *src)
{
    const int64_t lds = x->motion == HESCA_UNPACK ? x->n : x->lds;
    const int64_t ldd = x->motion == HESCA_PACK ? x->n : x->ldd;
    for (int64_t c = 0; c < x->ncols; ++c)
        for (int64_t k = 0; k < x->n; ++k) {
            const int64_t s = is_dense(x, 0) ? k : row_of(x, k);
            const int64_t d = is_dense(x, 1) ? k : row_of(x, k);
            memcpy(dst + (size_t)(c * ldd + d) * x->esize,
                   src + (size_t)(c * lds + s) * x->esize, x->esize);
        }
}

enum { POOL = 4 << 20 };

/* Carry it out by the kernels and element by element.  pool: three blocks of
 * POOL bytes, the first one random, with room around. */
static void
check_pattern(const pattern *x, char *pool, int from, int to)
{
    hesca_axis whole, blocks, columns;
    hesca_overlap rows, cols;
    hesca_runs runs;
    const int whole_is_a =
        x->motion == HESCA_PACK || (x->motion == HESCA_COPY && !x->scattered);
    if (hesca_axis_cyclic(&whole, x->rows, 1, 0, 1) < 0 ||
        hesca_axis_cyclic(&blocks, x->rows, (int)x->len, 0, 2) < 0 ||
        hesca_axis_cyclic(&columns, x->ncols, 1, 0, 1) < 0)
        abort();
    const hesca_share w = {&whole, 0, 0}, b = {&blocks, x->q, 0};
    const hesca_share c = {&columns, 0, 0};
    if (hesca_overlap_init(&rows, whole_is_a ? w : b, whole_is_a ? b : w,
                           x->rows) < 0 ||
        hesca_overlap_init(&cols, c, c, x->ncols) < 0 ||
        hesca_runs_init(&runs, &rows, x->motion) < 0)
        abort();
    const hesca_problem problem = {
        .part = HESCA_ALL, .m = x->rows, .n = x->ncols, .esize = x->esize};
    const size_t size =
        (size_t)(x->ncols * ((x->lds > x->ldd ? x->lds : x->ldd) + 1)) *
        x->esize;
    const char *src = pool + GUARD + from;
    char *expected = pool + POOL, *got = pool + 2 * (size_t)POOL;
    for (int stream = 0; stream < 2; ++stream) {
        const hesca_message msg = {&problem, &rows,     &cols,
                                   &runs,    x->motion, stream};
        memset(expected, 0x5c, size + 3 * (size_t)GUARD);
        memset(got, 0x5c, size + 3 * (size_t)GUARD);
        expect(x, expected + GUARD + to, src);
        const int64_t moved = hesca_chunk_move(
            &msg, (hesca_chunk){0, x->ncols, 0, x->n}, src,
            x->motion == HESCA_UNPACK ? -1 : x->lds, got + GUARD + to,
            x->motion == HESCA_PACK ? -1 : x->ldd);
        CHECK(moved == x->n * x->ncols &&
                  memcmp(expected, got, size + 3 * (size_t)GUARD) == 0,
              "%s%s, blocks of %lld, owner %d of %lld rows, %lld columns, %zu "
              "bytes, lds %lld, ldd %lld, from %d to %d, stream %d",
              motion_name[x->motion], x->scattered ? " into gaps" : "",
              (long long)x->len, x->q, (long long)x->rows, (long long)x->ncols,
              x->esize, (long long)x->lds, (long long)x->ldd, from, to,
              stream);
    }
    hesca_runs_clear(&runs);
    hesca_overlap_clear(&rows);
    hesca_overlap_clear(&cols);
    hesca_axis_clear(&whole);
    hesca_axis_clear(&blocks);
    hesca_axis_clear(&columns);
}

/* A pattern with blocks of len elements, as many as the pool has room for, at
 * some addresses. */
static void
random_pattern(int64_t len, size_t esize, char *pool)
{
    static const int64_t counts[] = {1, 2, 3, 5, 63, 64, 65, 130, 200};
    pattern x = {.len = len, .esize = esize, .q = check_uniform(0, 1)};
    const int64_t room = 100000 / (int64_t)esize; /* elements */
    int64_t count = counts[check_uniform(0, 8)];
    x.ncols = check_uniform(1, 9);
    while (count > 1 && 2 * count * len * x.ncols > room)
        --count;
    while (x.ncols > 1 && 2 * count * len * x.ncols > room)
        --x.ncols;
    /* Whole blocks, or the last one cut; or but one block. */
    x.rows =
        2 * count * len - check_uniform(0, 1) * check_uniform(0, (int)len);
    if (check_uniform(0, 7) == 0)
        x.rows = len, x.q = 0;
    x.n = 0;
    for (int64_t i = 0; i < x.rows; ++i)
        x.n += i / len % 2 == x.q;
    for (int k = 0; k < 4; ++k) {
        x.motion = (hesca_motion)(k < 3 ? k : HESCA_COPY);
        x.scattered = k == 3;
        x.lds = (is_dense(&x, 0) ? x.n : x.rows) +
                check_uniform(0, 1) * check_uniform(0, 5);
        x.ldd = (is_dense(&x, 1) ? x.n : x.rows) +
                check_uniform(0, 1) * check_uniform(0, 5);
        if (x.n > 0)
            check_pattern(&x, pool, check_uniform(0, 63),
                          check_uniform(0, 63));
    }
}

/* All lengths of blocks with all sizes of elements, up to some length. */
static void
regular_patterns(void)
{
    static const size_t odd[] = {65,  72,  80,  96,  100,
                                 127, 128, 129, 255, 1000};
    char *pool = malloc(3 * (size_t)POOL);
    fill(pool, POOL);
    for (size_t k = 1; k <= 64 + sizeof odd / sizeof *odd;
         k += check_few() ? 7 : 1) {
        const size_t esize = k <= 64 ? k : odd[k - 65];
        for (int64_t len = 1; len <= 600; ++len)
            if (len <= 40 || check_uniform(0, 11) == 0 ||
                (esize == 8 && check_uniform(0, 1)))
                random_pattern(len, esize, pool);
    }
    free(pool);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(small_messages),
                                       UNIT(long_columns), UNIT(regular_rows),
                                       UNIT(moves), UNIT(regular_patterns)};
    unit_begin("exec/t_kernels", 20260106);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
