/* The kernels that pack, unpack and copy, against moving one element after the
 * other: any overlap, element size, part and length of chunks, with guards
 * around everything that is written. */
#include "exec/pack.h"
#include "testing/deal.h"
#include "testing/unit.h"

enum { GUARD = 64, ROWS = 300, COLS = 40 };

/* One common index: of the subrange, and local on both sides. */
typedef struct {
    int64_t i, a, b;
} meeting;

/* One dimension of a message. */
typedef struct {
    deal_axis a, b;
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
    x->a = kind == 1 ? deal_random_pieces(na, 4) : deal_random_cyclic(na, 4);
    x->b = kind == 2 ? deal_random_pieces(nb, 4) : deal_random_cyclic(nb, 4);
    /* Owners that have something in common, if there is any index. */
    const int k = n > 0 ? check_uniform(0, n - 1) : 0;
    x->p = n > 0 ? x->a.owner[x->ia + k] : 0;
    x->q = n > 0 ? x->b.owner[x->ib + k] : 0;
    x->count = 0;
    for (int64_t i = 0; i < n; ++i)
        if (x->a.owner[x->ia + i] == x->p && x->b.owner[x->ib + i] == x->q)
            x->common[x->count++] =
                (meeting){i, x->a.local[x->ia + i], x->b.local[x->ib + i]};
    x->loca = deal_count(&x->a, x->p, x->a.n);
    x->locb = deal_count(&x->b, x->q, x->b.n);
    snprintf(x->text, sizeof x->text,
             "%d of {%s} at %d, %d and {%s} at %d, "
             "%d",
             n, x->a.text, (int)x->ia, x->p, x->b.text, (int)x->ib, x->q);
    if (hesca_overlap_make(&x->overlap, (hesca_share){&x->a.axis, x->p, x->ia},
                           (hesca_share){&x->b.axis, x->q, x->ib}, n) < 0)
        abort();
}

static void
clear_lane(lane *x)
{
    hesca_overlap_clear(&x->overlap);
    deal_clear(&x->a);
    deal_clear(&x->b);
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
    x.memory = malloc(x.size);
    x.data = x.memory + GUARD - check_uniform(0, 15);
    fill(x.memory, x.size);
    return x;
}

static block
copy_of(const block *from)
{
    block x = {.size = from->size, .memory = malloc(from->size)};
    x.data = x.memory + (from->data - from->memory);
    memcpy(x.memory, from->memory, x.size);
    return x;
}

static int
inside(const hesca_problem *p, int64_t i, int64_t j)
{
    const int64_t m = p->m, n = p->n;
    const int64_t down = m > n ? m - n : 0, right = n > m ? n - m : 0;
    switch (p->part) {
    case HESCA_UPPER:
        return i <= j + down;
    case HESCA_UPPER_STRICT:
        return i < j + down;
    case HESCA_LOWER:
        return i >= j - right;
    case HESCA_LOWER_STRICT:
        return i > j - right;
    default:
        return 1;
    }
}

/* A message, the arrays at its ends, and how to speak of it. */
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
            if (inside(&w->problem, x->i, y->i))
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
    if (hesca_runs_make(&w->runs, &w->rows.overlap, motion) < 0)
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
        deal_axis a = deal_cyclic(400, list[k].nba, 0, 2);
        deal_axis b = deal_cyclic(400, list[k].nbb, 0, 2);
        hesca_overlap o;
        hesca_runs r;
        if (hesca_overlap_make(&o, (hesca_share){&a.axis, 0, 0},
                               (hesca_share){&b.axis, 0, 0}, 400) < 0 ||
            hesca_runs_make(&r, &o, list[k].motion) < 0)
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
        deal_clear(&a);
        deal_clear(&b);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(small_messages),
                                       UNIT(long_columns), UNIT(regular_rows)};
    unit_begin("exec/t_kernels", 20260106);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
