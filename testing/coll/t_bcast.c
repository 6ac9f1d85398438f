/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_bcast() and hesca_multicast(): every byte where it belongs, for all
 * schedules, lengths and roots, nothing else touched; what is reported; plans
 * found again and dropped; errors, the same on all processes; the trace.  With
 * HESCA_NODE_SIZE=1 processes are hosts whose links differ. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "hesca/experimental/coll.h"
#include "hesca/experimental/monitor.h"
#include "hesca/experimental/param.h"
#include "order/trace.h"
#include "testing/check.h"
#include <string.h>
#include <unistd.h>

enum { MOST = 16, MARGIN = 64 };
static const char *const schedule[] = {"auto",
                                       "sequential",
                                       "binomial",
                                       "fnf",
                                       "fnf-min",
                                       "fef",
                                       "ecef",
                                       "lookahead",
                                       "near-far",
                                       "lookahead-avg",
                                       "lookahead-senders",
                                       "progressive-mst",
                                       "two-phase",
                                       "graft",
                                       "optimum"};
enum { SCHEDULES = sizeof schedule / sizeof *schedule };

static int rank, size;
static char machine[] = "/tmp/hesca-problem-XXXXXX";
static char trace[] = "/tmp/hesca-problem-XXXXXX";

static MPI_Comm
with(const char *bcast, const char *traced)
{
    MPI_Comm comm;
    hesca_params params;
    setenv("HESCA_BCAST", bcast, 1);
    if (traced != NULL)
        setenv("HESCA_TRACE", traced, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(hesca_params_agreed(comm, &params) == HESCA_SUCCESS, "rank %d: %s",
          rank, hesca_error_text());
    unsetenv("HESCA_BCAST");
    unsetenv("HESCA_TRACE");
    return comm;
}

/* Hosts node0, node1, ...: process 0 has slow links to all but one, which
 * others are near to. */
static void
write_machine(int seed)
{
    if (rank == 0) {
        FILE *f = fopen(machine, "w");
        fprintf(f, "hesca-machine 1\n");
        for (int i = 0; i < size; ++i)
            fprintf(f, "host node%d\n", i);
        fprintf(f, "others startup 1ms rate 1MB/s\n");
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < i; ++j)
                fprintf(f, "links node%d node%d startup %dus rate %dMB/s\n", i,
                        j, 10 * (i + j),
                        j == 0 && i < size - 1 ? 2 + seed : 50 + i + j + seed);
        fclose(f);
    }
    check_barrier(MPI_COMM_WORLD);
}

/* ------------------------------------------------ one broadcast */

typedef struct {
    int64_t bytes;
    int root, to_all, ndest;
    int dest[MOST];
    uint64_t seed;
} problem;

static int
gets(const problem *x, int r)
{
    int wanted = x->to_all && r != x->root;
    for (int k = 0; !x->to_all && k < x->ndest; ++k)
        wanted |= x->dest[k] == r;
    return wanted;
}

static unsigned char
byte_of(const problem *x, int64_t k)
{
    return (unsigned char)((uint64_t)k * 0x9e3779b97f4a7c15u >> 56 ^ x->seed);
}

static int
carry_out(const problem *x, unsigned char *buffer, MPI_Comm comm,
          hesca_coll_info *info)
{
    return x->to_all ? hesca_bcast(buffer, x->bytes, x->root, comm, info)
                     : hesca_multicast(buffer, x->bytes, x->root, x->ndest,
                                       x->dest, comm, info);
}

static void
check_cast(const problem *x, MPI_Comm comm, hesca_coll_info *info,
           const char *name)
{
    const int has = rank == x->root, wants = gets(x, rank);
    unsigned char *all = malloc((size_t)x->bytes + 2 * MARGIN);
    unsigned char *buffer = all + MARGIN;
    int64_t wrong = 0;
    memset(all, 0x5a, (size_t)x->bytes + 2 * MARGIN);
    for (int64_t k = 0; has && k < x->bytes; ++k)
        buffer[k] = byte_of(x, k);
    const int err = carry_out(x, has || wants ? buffer : NULL, comm, info);
    CHECK(err == HESCA_SUCCESS, "%s, rank %d: %s", name, rank,
          hesca_error_text());
    for (int64_t k = -MARGIN; k < x->bytes + MARGIN; ++k) {
        const int inside = k >= 0 && k < x->bytes && (has || wants);
        wrong += buffer[k] != (inside ? byte_of(x, k) : 0x5a);
    }
    CHECK(wrong == 0, "%s, rank %d of %d, root %d, %lld bytes: %lld are wrong",
          name, rank, size, x->root, (long long)x->bytes, (long long)wrong);
    free(all);
}

/* The same on all processes. */
static problem
random_cast(uint64_t *state)
{
    static const int64_t length[] = {0,     1,      7,      8191,
                                     16384, 100003, 600000, 3000000};
    problem x = {.to_all = 1};
    const uint64_t mine = check_state;
    check_state = *state;
    x.bytes = length[check_uniform(0, 7)];
    x.root = check_uniform(0, size - 1);
    x.to_all = check_uniform(0, 1);
    x.seed = check_random() & 255;
    for (int r = 0; !x.to_all && r < size; ++r)
        if (r != x.root && check_uniform(0, 1))
            x.dest[x.ndest++] = r;
    for (int k = x.ndest - 1; k > 0; --k) { /* in any order */
        const int j = check_uniform(0, k), d = x.dest[k];
        x.dest[k] = x.dest[j];
        x.dest[j] = d;
    }
    *state = check_state;
    check_state = mine;
    return x;
}

static void
all_schedules(void)
{
    uint64_t state = check_seed(20261207);
    for (int k = 0; k < SCHEDULES; ++k) {
        MPI_Comm comm = with(schedule[k], NULL);
        for (int n = 0; n < check_cases(6); ++n) {
            const problem x = random_cast(&state);
            hesca_coll_info info = {.segments = -1};
            check_cast(&x, comm, &info, schedule[k]);
            const int none =
                x.bytes == 0 || size == 1 || (!x.to_all && x.ndest == 0);
            CHECK(
                none ? strcmp(info.schedule, "none") == 0
                     : info.segments >= 1 && info.predicted_seconds > 0 &&
                           info.predicted_seconds >=
                               info.bound_seconds * (1 - 1e-9) &&
                           (k == 0 || strcmp(info.schedule, schedule[k]) == 0),
                "%s, rank %d: %s, %d pieces, %g s, bound %g s", schedule[k],
                rank, info.schedule, info.segments, info.predicted_seconds,
                info.bound_seconds);
        }
        MPI_Comm_free(&comm);
    }
}

/* More plans than are kept, and a machine that changes: each call is right,
 * and knows the new links. */
static void
plans(void)
{
    hesca_coll_info before, after;
    MPI_Comm comm = with("ecef", NULL);
    problem x = {.bytes = 400000, .to_all = 1};
    for (int round = 0; round < 3; ++round)
        for (int k = 0; k < 12; ++k) {
            x.seed = (uint64_t)(round + k);
            x.root = k % size;
            x.bytes = 1000 * (1 + k % 10);
            check_cast(&x, comm, NULL, "many plans");
        }
    check_cast(&x, comm, &before, "before");
    if (getenv("HESCA_MACHINE") != NULL && size > 1) {
        write_machine(3000);
        CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS, "rank %d: %s",
              rank, hesca_error_text());
        check_cast(&x, comm, &after, "after");
        CHECK(after.predicted_seconds < before.predicted_seconds,
              "%g s with faster links, %g before", after.predicted_seconds,
              before.predicted_seconds);
        write_machine(0);
    }
    MPI_Comm_free(&comm);
}

/* A destination that only process size - 1 reaches well gets its message
 * through that one, which has no buffer. */
static void
relays(void)
{
    problem x = {.bytes = 300000, .ndest = 1, .dest = {1}, .seed = 9};
    hesca_coll_info info;
    MPI_Comm comm;
    if (size < 3 || getenv("HESCA_MACHINE") == NULL)
        return;
    comm = with("ecef", trace);
    check_cast(&x, comm, &info, "relay");
    hesca_trace t = {.n = 0};
    if (rank == 0) {
        int forwarded = 0;
        CHECK(hesca_trace_read(trace, &t) == HESCA_SUCCESS && t.n > 0, "%s",
              hesca_error_text());
        for (int64_t k = 0; k < t.n; ++k)
            forwarded |= t.row[k].kind == HESCA_TRACE_MEASURED &&
                         t.row[k].src == size - 1 && t.row[k].dest == 1;
        CHECK(forwarded, "no relay among %lld messages", (long long)t.n);
        hesca_trace_clear(&t);
    }
    MPI_Comm_free(&comm);
}

/* Predicted and real messages are the same ones, in possible times. */
static void
traced(void)
{
    problem x = {.bytes = 2000000, .to_all = 1, .seed = 5};
    hesca_coll_info info = {.segments = 0};
    MPI_Comm comm = with("auto", trace);
    hesca_trace t = {.n = 0};
    int count[2][MOST] = {{0}};
    double bytes[2][MOST] = {{0}}, last = 0;
    check_cast(&x, comm, &info, "trace");
    CHECK(rank > 0 || size == 1 ||
              hesca_trace_read(trace, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int64_t k = 0; k < t.n; ++k) {
        const hesca_trace_row *row = &t.row[k];
        ++count[row->kind][row->dest % MOST];
        bytes[row->kind][row->dest % MOST] += row->bytes;
        if (row->kind == HESCA_TRACE_PREDICTED && row->end > last)
            last = row->end;
    }
    for (int r = 1; rank == 0 && r < size; ++r)
        CHECK(count[0][r] == info.segments && count[1][r] == info.segments &&
                  bytes[1][r] == 2e6,
              "process %d: %d pieces predicted, %d real, not %d, %g bytes", r,
              count[0][r], count[1][r], info.segments, bytes[1][r]);
    CHECK(t.n == 0 || (last < info.predicted_seconds * (1 + 1e-6) &&
                       last > info.predicted_seconds * (1 - 1e-6)),
          "predicted until %g s, not %g", last, info.predicted_seconds);
    hesca_trace_clear(&t);
    MPI_Comm_free(&comm);
}

/* ------------------------------------------------ errors */

static void
check_refused(int err, int want, const char *word)
{
    char first[400], mine[400];
    snprintf(mine, sizeof mine, "%d %d %s", err, hesca_error_info(),
             hesca_error_text());
    memcpy(first, mine, sizeof first);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK(err == want && strstr(mine, word) != NULL,
          "rank %d: not %d, '%s': %s", rank, want, word, mine);
    CHECK(strcmp(first, mine) == 0, "rank %d: '%s', rank 0: '%s'", rank, mine,
          first);
}

static void
errors(void)
{
    const int last = rank == size - 1, other = size - 1;
    int two[2] = {other, other};
    unsigned char b[8] = {0};
    MPI_Comm comm = with("auto", NULL);
    check_refused(hesca_bcast(b, last ? -3 : 8, 0, comm, NULL), HESCA_ERR_ARG,
                  "bytes, is -3");
    check_refused(hesca_bcast(b, 8, last ? size : 0, comm, NULL),
                  HESCA_ERR_ARG, "argument 3, root, is");
    check_refused(hesca_bcast(last ? NULL : b, 8, 0, comm, NULL),
                  HESCA_ERR_ARG, "argument 1, buffer, is NULL");
    check_refused(hesca_multicast(b, 8, 0, last ? -1 : 0, NULL, comm, NULL),
                  HESCA_ERR_ARG, "argument 4, ndest, is -1");
    if (size > 1) {
        check_refused(hesca_bcast(b, last ? 7 : 8, 0, comm, NULL),
                      HESCA_ERR_MISMATCH, "bytes, differs");
        check_refused(hesca_bcast(b, 8, last, comm, NULL), HESCA_ERR_MISMATCH,
                      "root, differs");
        check_refused(
            hesca_multicast(b, 8, 0, 1, last ? NULL : two, comm, NULL),
            HESCA_ERR_ARG, "argument 5, dest, is NULL");
        check_refused(hesca_multicast(b, 8, other, 1, two, comm, NULL),
                      HESCA_ERR_ARG, "another one than root");
    }
    if (size > 2) {
        check_refused(hesca_multicast(b, 8, 0, 2, two, comm, NULL),
                      HESCA_ERR_ARG, "there only once");
        two[1] = last ? 1 : other;
        check_refused(hesca_multicast(b, 8, 0, 1, two + 1, comm, NULL),
                      HESCA_ERR_MISMATCH, "dest, differs");
    }
    const problem x = {.bytes = 5000, .to_all = 1, .root = other, .seed = 3};
    check_cast(&x, comm, NULL, "after errors");
    MPI_Comm_free(&comm);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        close(mkstemp(machine));
        close(mkstemp(trace));
    }
    MPI_Bcast(machine, sizeof machine, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(trace, sizeof trace, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (getenv("HESCA_NODE_SIZE") != NULL) {
        write_machine(0);
        setenv("HESCA_MACHINE", machine, 1);
    }
    all_schedules();
    plans();
    relays();
    traced();
    errors();
    const int failed = check_done("t_cast");
    if (rank == 0) {
        unlink(machine);
        unlink(trace);
    }
    MPI_Finalize();
    return failed;
}
