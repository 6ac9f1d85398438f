/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache of plans: what hesca_cache_get_info() returns after known
 * sequences, the same on all processes, and that HESCA_CACHE bounds it. */
#define _GNU_SOURCE /* mallinfo2 */
#include "exec/plan_cache.h"
#include "hesca/experimental/param.h"
#include "testing/check.h"
#include "testing/memory.h"
#include <string.h>

enum { N = 40, MOST = 600 };

static int rank, size;

/* A communicator with this limit. */
static MPI_Comm
limited(size_t limit)
{
    MPI_Comm comm;
    hesca_params params;
    char value[30];
    snprintf(value, sizeof value, "%zu", limit);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    setenv("HESCA_CACHE", value, 1);
    CHECK(hesca_params_agreed(comm, &params) == HESCA_SUCCESS &&
              params.cache == limit,
          "HESCA_CACHE=%s: %zu", value, params.cache);
    unsetenv("HESCA_CACHE");
    return comm;
}

static hesca_cache_info
numbers(MPI_Comm comm)
{
    hesca_cache_info x;
    memset(&x, 0x33, sizeof x);
    CHECK(hesca_cache_get_info(comm, &x) == HESCA_SUCCESS, "rank %d: %s", rank,
          hesca_error_text());
    return x;
}

/* They are what they must be, on all processes; bytes < 0: any. */
static void
check_numbers(MPI_Comm comm, const char *what, int plans, long long bytes,
              int hits, int misses, int dropped)
{
    const hesca_cache_info x = numbers(comm);
    const int64_t mine[5] = {x.plans, (int64_t)x.bytes, x.hits, x.misses,
                             x.dropped};
    int64_t least[5], most[5];
    MPI_Allreduce(mine, least, 5, MPI_INT64_T, MPI_MIN, comm);
    MPI_Allreduce(mine, most, 5, MPI_INT64_T, MPI_MAX, comm);
    CHECK(memcmp(least, most, sizeof least) == 0,
          "%s, rank %d: differ among the processes", what, rank);
    CHECK(x.plans == plans && x.hits == hits && x.misses == misses &&
              x.dropped == dropped,
          "%s, rank %d: %d plans, %lld hits, %lld misses, %lld dropped, not "
          "%d, %d, %d, %d",
          what, rank, x.plans, (long long)x.hits, (long long)x.misses,
          (long long)x.dropped, plans, hits, misses, dropped);
    CHECK(bytes < 0 || x.bytes == (size_t)bytes,
          "%s, rank %d: %zu bytes, not %lld", what, rank, x.bytes, bytes);
}

/* A on a column of all processes, B in blocks of nb on the first ones in a
 * row: what a plan takes depends on nb and on the process. */
typedef struct {
    int m, nb;
} shape;

static int
first_ones(void)
{
    return size > 2 ? size - 1 : size;
}

/* Returns what HESCA returns; right if that is HESCA_SUCCESS.  lld too small
 * by less on the last process. */
static int
call(MPI_Comm comm, shape s, int cached, int less, const char *what)
{
    static double a[MOST * N], b[MOST * N];
    const int nb_procs = first_ones(), last = rank == size - 1;
    hesca_plan_info info = {.cached = -1};
    int wrong = 0, il = 0, jl = 0;
    for (int i = rank; i < s.m; i += size, ++il)
        for (int j = 0; j < N; ++j)
            a[j * MOST + il] = 1000 * i + j;
    memset(b, 0, sizeof b);
    const hesca_side sa = {.member = 1,
                           .nprow = size,
                           .npcol = 1,
                           .myrow = rank,
                           .m = s.m,
                           .n = N,
                           .mb = 1,
                           .nb = 7,
                           .lld = last && less > 0 ? il - less : MOST};
    const hesca_side sb = {.member = rank < nb_procs,
                           .nprow = 1,
                           .npcol = nb_procs,
                           .mycol = rank,
                           .m = s.m,
                           .n = N,
                           .mb = 3,
                           .nb = s.nb,
                           .lld = MOST};
    const int err = hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, s.m, N, &sa,
                                       a, &sb, b, sizeof *a, comm, &info);
    for (int j = 0; j < N && err == HESCA_SUCCESS; ++j)
        if (j / s.nb % nb_procs == rank) {
            for (int i = 0; i < s.m; ++i)
                wrong += (int)b[jl * MOST + i] != 1000 * i + j;
            ++jl;
        }
    CHECK(wrong == 0, "%s, rank %d, m = %d, nb = %d: %d wrong", what, rank,
          s.m, s.nb, wrong);
    CHECK(err < 0 || cached < 0 || info.cached == cached,
          "%s, rank %d, m = %d, nb = %d: cached %d", what, rank, s.m, s.nb,
          info.cached);
    return err;
}

static void
good(MPI_Comm comm, shape s, int cached, const char *what)
{
    const int err = call(comm, s, cached, 0, what);
    CHECK(err == HESCA_SUCCESS, "%s, rank %d: %d, %s", what, rank, err,
          hesca_error_text());
}

/* Some plans, and what they take. */
static const shape one = {50, 1}, two = {60, 2}, three = {70, 3};

static long long
bytes_of(shape s)
{
    MPI_Comm comm = limited((size_t)16 << 20);
    good(comm, s, 0, "bytes");
    const long long bytes = (long long)numbers(comm).bytes;
    CHECK(bytes > 500 && bytes < 1000000, "m = %d: %lld bytes", s.m, bytes);
    MPI_Comm_free(&comm);
    return bytes;
}

static void
counts(void)
{
    const long long b1 = bytes_of(one), b2 = bytes_of(two);
    MPI_Comm comm = limited((size_t)16 << 20);
    check_numbers(comm, "nothing yet", 0, 0, 0, 0, 0);
    good(comm, one, 0, "counts");
    check_numbers(comm, "one", 1, b1, 0, 1, 0);
    good(comm, one, 1, "counts");
    check_numbers(comm, "one, one", 1, b1, 1, 1, 0);
    good(comm, two, 0, "counts");
    good(comm, one, 1, "counts");
    good(comm, two, 1, "counts");
    check_numbers(comm, "one, one, two, one, two", 2, b1 + b2, 3, 2, 0);
    /* Errors, and calls that copy nothing, do not count. */
    CHECK(call(comm, one, -1, 1, "an error") == HESCA_ERR_ARG, "%s",
          hesca_error_text());
    CHECK(call(comm, three, -1, 1, "an error") == HESCA_ERR_ARG, "%s",
          hesca_error_text());
    good(comm, (shape){0, 1}, -1, "empty");
    const hesca_cache_info x = numbers(comm);
    CHECK(x.hits == 3, "rank %d: %lld hits", rank, (long long)x.hits);
    good(comm, one, 1, "counts");
    good(comm, two, 1, "counts");
    MPI_Comm_free(&comm);
    int err = hesca_cache_get_info(MPI_COMM_WORLD, NULL);
    CHECK(err == HESCA_ERR_ARG && hesca_error_info() == 2 &&
              strstr(hesca_error_text(), "hesca_cache_get_info") != NULL,
          "%d, %s", err, hesca_error_text());
    hesca_cache_info ignored;
    err = hesca_cache_get_info(MPI_COMM_NULL, &ignored);
    CHECK(err == HESCA_ERR_ARG, "%d, %s", err, hesca_error_text());
}

/* Just room for two, and a byte less; the one unused for longest goes. */
static void
limits(void)
{
    const long long b1 = bytes_of(one), b2 = bytes_of(two);
    const long long b3 = bytes_of(three);
    MPI_Comm comm = limited((size_t)(b1 + b3));
    good(comm, one, 0, "limits");
    good(comm, three, 0, "limits");
    check_numbers(comm, "room for two", 2, b1 + b3, 0, 2, 0);
    good(comm, one, 1, "limits"); /* three is the older one now */
    good(comm, two, 0, "limits");
    check_numbers(comm, "a third one", 2, b1 + b2, 1, 3, 1);
    good(comm, one, 1, "limits");
    good(comm, three, 0, "limits");
    check_numbers(comm, "the first again", 2, b1 + b3, 2, 4, 2);
    good(comm, two, 0, "limits");
    good(comm, one, 0, "limits");
    check_numbers(comm, "in turn", 2, b1 + b2, 2, 6, 4);
    MPI_Comm_free(&comm);
    comm = limited((size_t)(b1 + b2 - 1));
    good(comm, one, 0, "a byte less");
    good(comm, two, 0, "a byte less");
    check_numbers(comm, "a byte less", 1, b2, 0, 2, 1);
    good(comm, two, 1, "a byte less");
    MPI_Comm_free(&comm);
}

/* A plan that does not fit works, and is not kept. */
static void
too_large(void)
{
    const long long b1 = bytes_of(one);
    MPI_Comm comm = limited((size_t)b1 - 1);
    for (int k = 0; k < 3; ++k)
        good(comm, one, 0, "a byte too large");
    check_numbers(comm, "a byte too large", 0, 0, 0, 3, 0);
    MPI_Comm_free(&comm);
    comm = limited(0);
    for (int k = 0; k < 4; ++k)
        good(comm, k % 2 ? one : two, 0, "no cache");
    check_numbers(comm, "no cache", 0, 0, 0, 4, 0);
    CHECK(call(comm, one, -1, 1, "no cache") == HESCA_ERR_ARG, "%s",
          hesca_error_text());
    MPI_Comm_free(&comm);
}

/* More plans than a cache may hold, within the limit of bytes. */
static void
many_plans(void)
{
    enum { MORE = HESCA_CACHE_PLANS + 9 };
    MPI_Comm comm = limited((size_t)1 << 30);
    for (int k = 1; k <= MORE; ++k)
        good(comm, (shape){k, 2}, 0, "many plans");
    check_numbers(comm, "many plans", HESCA_CACHE_PLANS, -1, 0, MORE,
                  MORE - HESCA_CACHE_PLANS);
    good(comm, (shape){MORE, 2}, 1, "many plans");
    good(comm, (shape){1, 2}, 0, "many plans");
    check_numbers(comm, "many plans", HESCA_CACHE_PLANS, -1, 1, MORE + 1,
                  MORE + 1 - HESCA_CACHE_PLANS);
    MPI_Comm_free(&comm);
}

/* Always within the limit, whatever is called; and the memory that the cache
 * reports is what malloc() has allocated. */
static void
random_calls(size_t limit)
{
    MPI_Comm comm = limited(limit);
    int hits = 0;
    for (int k = 0; k < check_mean_of(300); ++k) {
        const shape s = {check_uniform(1, 40), check_uniform(1, 6)};
        const hesca_cache_info before = numbers(comm);
        good(comm, s, -1, "random calls");
        const hesca_cache_info after = numbers(comm);
        hits += after.hits > before.hits;
        CHECK(after.bytes <= limit && (after.bytes == 0) == (after.plans == 0),
              "rank %d, limit %zu: %zu bytes in %d plans", rank, limit,
              after.bytes, after.plans);
        CHECK(after.hits + after.misses == before.hits + before.misses + 1 &&
                  after.plans - before.plans ==
                      (after.misses - before.misses) -
                          (after.dropped - before.dropped),
              "rank %d, call %d: from %d to %d plans, %lld dropped", rank, k,
              before.plans, after.plans,
              (long long)(after.dropped - before.dropped));
    }
    CHECK(hits > 0, "no call has found its plan");
    MPI_Comm_free(&comm);
}

static void
real_memory(void)
{
    long reported = 0, held = 0, left = 0;
    if (memory_now().heap == 0)
        return;                               /* malloc() does not report */
    for (int again = 0; again < 2; ++again) { /* MPI has its first time, too */
        const memory before = memory_now();
        MPI_Comm comm = limited((size_t)1 << 30);
        for (int k = 1; k <= 200; ++k)
            good(comm, (shape){300 + k, 1 + k % 5}, 0, "real memory");
        reported = (long)(numbers(comm).bytes / 1024);
        held = memory_now().heap - before.heap;
        MPI_Comm_free(&comm);
        left = memory_now().heap - before.heap;
    }
    int64_t most = held;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX,
                  MPI_COMM_WORLD);
    /* For each plan the maximum over the processes is reported; malloc()
     * needs a word more for every block. */
    CHECK(4 * most < 5 * reported + 256 && 2 * most > reported,
          "rank %d: %ld kB reported, %lld held at most", rank, reported,
          (long long)most);
    CHECK(left < 64, "rank %d: %ld kB of %ld are left", rank, left, held);
}

/* ------------------------------------------------ the size of plans */

/* All processes in a column or in a row; along it blocks of nb, or one for
 * each process (nb = 0).  The other dimension has 1 or 3 indices. */
typedef struct {
    int is_row, nb;
} cut;

static hesca_layout *
make_cut(cut x, int64_t m, int64_t n)
{
    hesca_layout *layout = NULL;
    int64_t share[8], all = 1;
    const int64_t extent = x.is_row ? n : m;
    const int nprow = x.is_row ? 1 : size, npcol = x.is_row ? size : 1;
    for (int p = 0; p < size && p < 8; ++p)
        share[p] = (extent - 1) / size + 1;
    const int err =
        x.nb > 0 ? hesca_layout_create_cyclic(m, n, x.nb, x.nb, 0, 0, nprow,
                                              npcol, NULL, &layout)
                 : hesca_layout_create_generalized(
                       m, n, nprow, npcol, x.is_row ? &all : share,
                       x.is_row ? share : &all, NULL, &layout);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    return layout;
}

/* A plan has the intervals of one period, of which there are three for every
 * block of the longer kind, whatever the extent and wherever a grid dimension
 * is 1.  The bound is that of 2^16 indices. */
static void
size_of_plans(void)
{
    static const cut cuts[] = {{0, 1}, {1, 1}, {0, 3},  {1, 16}, {0, 256},
                               {1, 0}, {0, 0}, {1, 33}, {0, 96}};
    enum { NCUTS = sizeof cuts / sizeof *cuts };
    for (int k = 0; k < NCUTS * NCUTS; ++k) {
        const cut from = cuts[k / NCUTS], to = cuts[k % NCUTS];
        const int tall = check_uniform(0, 1),
                  few = check_uniform(0, 1) ? 1 : 3;
        size_t bound = 0;
        for (int bits = 16; bits <= 40; bits += 8) {
            const int64_t n = (int64_t)1 << bits;
            const int64_t rows = tall ? n : few, cols = tall ? few : n;
            hesca_layout *a = make_cut(from, rows, cols);
            hesca_layout *b = make_cut(to, rows, cols);
            hesca_plan *plan = NULL;
            CHECK(hesca_plan_create(HESCA_ALL, rows, cols,
                                    &(hesca_matrix){.layout = a},
                                    &(hesca_matrix){.layout = b}, 8,
                                    MPI_COMM_WORLD, &plan) == HESCA_SUCCESS,
                  "%s", hesca_error_text());
            const size_t bytes = plan != NULL ? hesca_plan_memory(plan) : 0;
            if (bits == 16)
                bound = bytes;
            /* Each of the two grids may cut its last block elsewhere. */
            CHECK(bytes <= bound + 1024 && bytes < 262144,
                  "%lld x %lld, %s of blocks of %d to %s of blocks of %d: "
                  "%zu bytes, of 2^16 %zu",
                  (long long)rows, (long long)cols,
                  from.is_row ? "row" : "column", from.nb,
                  to.is_row ? "row" : "column", to.nb, bytes, bound);
            hesca_plan_free(plan);
            hesca_layout_free(a);
            hesca_layout_free(b);
        }
    }
}

static size_t
limit_served(MPI_Comm comm)
{
    hesca_params params;
    const char *lacks;
    CHECK(hesca_params_serve(comm, &params, &lacks) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    return params.cache;
}

/* What calls of ScaLAPACK use: a communicator of all processes in their order
 * has the plans of MPI_COMM_WORLD, also after another one is freed; not if
 * rank 0 has other parameters, or the order is another. */
static void
shared(void)
{
    const shape s = {35, 4};
    MPI_Comm twin, other, turned;
    limit_served(MPI_COMM_WORLD);
    for (int k = 0; k < 2; ++k) {
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        limit_served(twin);
        call(twin, s, k, 0, "twin");
        call(MPI_COMM_WORLD, s, 1, 0, "all processes after a twin");
        CHECK(numbers(twin).hits == numbers(MPI_COMM_WORLD).hits,
              "a twin has numbers of its own");
        MPI_Comm_free(&twin);
        call(MPI_COMM_WORLD, s, 1, 0, "the twin is freed");
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 0)
        setenv("HESCA_CACHE", "1234567", 1);
    const size_t limit = limit_served(other);
    unsetenv("HESCA_CACHE");
    CHECK(limit == 1234567, "the limit is %zu", limit);
    call(other, s, 0, 0, "other parameters");
    MPI_Comm_free(&other);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    limit_served(turned);
    CHECK((numbers(turned).plans == 0) == (size > 1),
          "%d processes in another order: %d plans", size,
          numbers(turned).plans);
    MPI_Comm_free(&turned);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_state = check_seed(20261123);
    counts();
    limits();
    too_large();
    many_plans();
    random_calls(20000);
    random_calls(3000000);
    real_memory();
    size_of_plans();
    shared();
    const int failed = check_done("t_cache");
    MPI_Finalize();
    return failed;
}
