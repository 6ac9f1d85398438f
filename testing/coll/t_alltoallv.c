/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_alltoallv() against MPI_Alltoallv: the same bytes for random counts in
 * every order, with checkpoints and without, nothing else touched; what it
 * returns in info; its errors, the same on all processes; the trace.  With
 * HESCA_NODE_SIZE=1 processes are hosts whose links differ. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "hesca/experimental/coll.h"
#include "hesca/experimental/monitor.h"
#include "hesca/experimental/param.h"
#include "testing/check.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16 };
static const char *const order[] = {"auto",     "openshop",   "openshop-lpt",
                                    "polished", "maxmatch",   "minmatch",
                                    "greedy",   "caterpillar"};
static const char *const checkpoint[] = {"off", "half:0", "half"};
enum {
    ORDERS = sizeof order / sizeof *order,
    CHECKPOINTS = sizeof checkpoint / sizeof *checkpoint
};

static int rank, size;
static char machine[] = "/tmp/hesca-alltoallv-XXXXXX";
static char trace[] = "/tmp/hesca-alltoallv-XXXXXX";

/* A communicator that reads these parameters. */
static MPI_Comm
with(const char *exchange, const char *checkpoint_at, const char *traced)
{
    MPI_Comm comm;
    hesca_params params;
    setenv("HESCA_EXCHANGE", exchange, 1);
    setenv("HESCA_CHECKPOINT", checkpoint_at, 1);
    if (traced != NULL)
        setenv("HESCA_TRACE", traced, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(hesca_params_agreed(comm, &params) == HESCA_SUCCESS, "rank %d: %s",
          rank, hesca_error_text());
    unsetenv("HESCA_EXCHANGE");
    unsetenv("HESCA_CHECKPOINT");
    unsetenv("HESCA_TRACE");
    return comm;
}

/* Hosts node0, node1, ...: links get slower with the sum of both. */
static void
write_machine(int faster)
{
    if (rank == 0) {
        FILE *f = fopen(machine, "w");
        fprintf(f, "hesca-machine 1\n");
        for (int i = 0; i < size; ++i)
            fprintf(f, "host node%d\n", i);
        fprintf(f, "others startup 1ms rate 1MB/s\n");
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < i; ++j)
                fprintf(f, "links node%d node%d startup %dns rate %dMB/s\n", i,
                        j, 10000 / faster * (i + j), 1000 * faster / (i + j));
        fclose(f);
    }
    check_barrier(MPI_COMM_WORLD);
}

/* ------------------------------------------------ one exchange */

/* Counts, where they begin with gaps between them, and both arrays. */
typedef struct {
    int64_t esize;
    int64_t scount[MOST], sat[MOST], rcount[MOST], rat[MOST];
    int64_t sn, rn; /* elements of the arrays */
    unsigned char *send, *recv, *must;
} exchange;

/* The same on all processes: what i has for j, of three kinds of exchange. */
static int64_t
count(uint64_t seed, int i, int j)
{
    uint64_t z = seed + (uint64_t)(i * size + j) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    switch (seed % 3) {
    case 0:
        return (int64_t)(z % 5000);
    case 1:
        return z % 4 == 0 ? (int64_t)(z / 4 % 20000) : 0;
    default:
        return i < 2 ? (int64_t)(z % 9000) : (int64_t)(z % 3);
    }
}

static void
make(exchange *x, uint64_t seed, int64_t esize)
{
    *x = (exchange){.esize = esize};
    for (int r = 0; r < size; ++r) {
        x->scount[r] = count(seed, rank, r);
        x->rcount[r] = count(seed, r, rank);
    }
    for (int k = 0; k < size; ++k) { /* places in different orders */
        const int s = (rank + k) % size, r = (rank + size - k) % size;
        x->sat[s] = x->sn += k;
        x->sn += x->scount[s];
        x->rat[r] = x->rn += 2;
        x->rn += x->rcount[r];
    }
    x->rn += 2;
    x->send = malloc((size_t)(x->sn * esize) + 1);
    x->recv = malloc((size_t)(x->rn * esize) + 1);
    x->must = malloc((size_t)(x->rn * esize) + 1);
    for (int64_t k = 0; k < x->sn * esize; ++k)
        x->send[k] = (unsigned char)check_random();
    memset(x->recv, 0x5a, (size_t)(x->rn * esize));
    memset(x->must, 0x5a, (size_t)(x->rn * esize));
}

static void
clear(exchange *x)
{
    free(x->send);
    free(x->recv);
    free(x->must);
}

static void
by_mpi(const exchange *x)
{
    int sc[MOST], sd[MOST], rc[MOST], rd[MOST];
    MPI_Datatype type;
    MPI_Type_contiguous((int)x->esize, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    for (int r = 0; r < size; ++r) {
        sc[r] = (int)x->scount[r];
        sd[r] = (int)x->sat[r];
        rc[r] = (int)x->rcount[r];
        rd[r] = (int)x->rat[r];
    }
    MPI_Alltoallv(x->send, sc, sd, type, x->must, rc, rd, type,
                  MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

static int
by_hesca(const exchange *x, MPI_Comm comm, hesca_coll_info *info)
{
    return hesca_alltoallv(x->send, x->scount, x->sat, x->recv, x->rcount,
                           x->rat, (size_t)x->esize, comm, info);
}

/* At most: messages that begin at once go together. */
static int
most_checkpoints(uint64_t seed)
{
    int left = 0, n = 0;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j)
            left += i != j && count(seed, i, j) > 0;
    for (; left > 2 * size; left /= 2)
        ++n;
    return n;
}

static void
check_checkpoints(const hesca_coll_info *info, uint64_t seed, int on)
{
    const int most = on ? most_checkpoints(seed) : 0;
    hesca_coll_info first = *info;
    MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK((most > 0) == (info->checkpoints > 0) && info->checkpoints <= most &&
              info->changes >= 0 && info->changes <= info->checkpoints,
          "seed %llu: %d checkpoints of at most %d, %d changes",
          (unsigned long long)seed, info->checkpoints, most, info->changes);
    CHECK(first.checkpoints == info->checkpoints &&
              first.changes == info->changes,
          "rank %d: %d checkpoints, %d changes, rank 0: %d, %d", rank,
          info->checkpoints, info->changes, first.checkpoints, first.changes);
}

/* \return how often the order was changed. */
static int
check_exchange(const char *name, const char *checkpoint_at, uint64_t seed,
               int64_t esize)
{
    exchange x;
    hesca_coll_info info = {.segments = -1};
    MPI_Comm comm = with(name, checkpoint_at, NULL);
    make(&x, seed, esize);
    by_mpi(&x);
    CHECK(by_hesca(&x, comm, &info) == HESCA_SUCCESS, "%s, rank %d: %s", name,
          rank, hesca_error_text());
    CHECK(memcmp(x.recv, x.must, (size_t)(x.rn * esize)) == 0,
          "%s, seed %llu, rank %d: other bytes than MPI_Alltoallv", name,
          (unsigned long long)seed, rank);
    CHECK(strcmp(info.schedule,
                 strcmp(name, "auto") == 0 ? "polished" : name) == 0 &&
              info.segments == 1 &&
              info.predicted_seconds >= info.bound_seconds * (1 - 1e-9),
          "%s, rank %d: %s, %d, %g s, bound %g s", name, rank, info.schedule,
          info.segments, info.predicted_seconds, info.bound_seconds);
    check_checkpoints(&info, seed, strcmp(checkpoint_at, "off") != 0);
    clear(&x);
    MPI_Comm_free(&comm);
    return info.changes;
}

/* Of three kinds, see count(). */
static uint64_t
draw_seed(void)
{
    uint64_t seed = check_random();
    MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return seed;
}

static void
all_orders(void)
{
    for (int n = 0; n < check_cases(24); ++n) {
        const uint64_t seed = draw_seed();
        check_exchange(order[n % ORDERS], checkpoint[n % CHECKPOINTS], seed,
                       1 + (int64_t)(seed % 20));
    }
}

/* The machine file has links that differ, but all share one memory: at some
 * checkpoint another order is better.  If messages take longer than the
 * file says, none is late by more than what has passed. */
static void
wrong_machine(void)
{
    const int hosts = getenv("HESCA_MACHINE") != NULL;
    int changes = 0;
    for (int n = 0; n < 400 && changes == 0; ++n)
        changes = check_exchange("auto", "half:0", 3 * (draw_seed() / 3), 50);
    CHECK(!hosts || (changes > 0) == (size >= 4), "rank %d: %d changes", rank,
          changes);
    if (!hosts)
        return;
    write_machine(10000);
    for (int n = 0; n < 4; ++n)
        CHECK(check_exchange(order[n], "half:9999999", 3 * (draw_seed() / 3),
                             8) == 0,
              "the order was changed");
    write_machine(1);
}

/* A repeated exchange keeps its order, another machine refines it, other
 * counts get a new one. */
static void
repeated(void)
{
    exchange x;
    hesca_coll_info first, again, changed;
    MPI_Comm comm = with("auto", "off", NULL);
    for (int k = 0; k < 2; ++k) {
        make(&x, k == 0 ? 6 : 9, 16);
        by_mpi(&x);
        for (int call = 0; call < 3; ++call) {
            hesca_coll_info *info = call == 0   ? &first
                                    : call == 1 ? &again
                                                : &changed;
            if (call == 2 && getenv("HESCA_MACHINE") != NULL) {
                write_machine(3 + k);
                CHECK(hesca_machine_refresh(comm) == HESCA_SUCCESS,
                      "rank %d: %s", rank, hesca_error_text());
            }
            memset(x.recv, 0x5a, (size_t)(x.rn * 16));
            CHECK(by_hesca(&x, comm, info) == HESCA_SUCCESS &&
                      memcmp(x.recv, x.must, (size_t)(x.rn * 16)) == 0,
                  "rank %d, call %d: %s", rank, call, hesca_error_text());
        }
        CHECK(strcmp(first.schedule, "polished") == 0 &&
                  memcmp(&first, &again, sizeof first) == 0,
              "%s, then %s", first.schedule, again.schedule);
        if (size > 1 && getenv("HESCA_MACHINE") != NULL)
            CHECK(strcmp(changed.schedule, "refined") == 0 &&
                      changed.predicted_seconds < first.predicted_seconds,
                  "%s after the machine changed, %g s and %g s",
                  changed.schedule, first.predicted_seconds,
                  changed.predicted_seconds);
        clear(&x);
    }
    if (getenv("HESCA_MACHINE") != NULL)
        write_machine(1);
    MPI_Comm_free(&comm);
}

/* ------------------------------------------------ errors */

/* The same failure everywhere, and nothing written. */
static void
check_refused(const exchange *x, int err, int want, const char *word)
{
    char first[300], mine[300];
    snprintf(mine, sizeof mine, "%d %d %s", err, hesca_error_info(),
             hesca_error_text());
    memcpy(first, mine, sizeof first);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK(err == want && strstr(mine, word) != NULL,
          "rank %d: not %d, '%s': %s", rank, want, word, mine);
    CHECK(strcmp(first, mine) == 0, "rank %d: '%s', rank 0: '%s'", rank, mine,
          first);
    for (int64_t k = 0; k < x->rn * x->esize; ++k)
        CHECK(x->recv[k] == 0x5a, "rank %d: byte %lld was written", rank,
              (long long)k);
}

static void
errors(void)
{
    const int last = rank == size - 1;
    exchange x;
    MPI_Comm comm = with("auto", "off", NULL);
    make(&x, 3, 8);
    x.scount[0] -= last ? x.scount[0] + 7 : 0;
    check_refused(&x, by_hesca(&x, comm, NULL), HESCA_ERR_ARG,
                  "sendcounts[0], is -7");
    x.scount[0] = count(3, rank, 0) + last;
    check_refused(&x, by_hesca(&x, comm, NULL), HESCA_ERR_MISMATCH,
                  "which expects");
    x.scount[0] = count(3, rank, 0);
    x.esize = last ? 0 : 8;
    const int err = by_hesca(&x, comm, NULL);
    x.esize = 8;
    check_refused(&x, err, HESCA_ERR_ARG, "esize, is 0");
    check_refused(&x,
                  hesca_alltoallv(x.send, last ? NULL : x.scount, x.sat,
                                  x.recv, x.rcount, x.rat, 8, comm, NULL),
                  HESCA_ERR_ARG, "argument 2, sendcounts, is NULL");
    check_refused(&x,
                  hesca_alltoallv(x.send, x.scount, x.sat, x.recv, x.rcount,
                                  last ? NULL : x.rat, 8, comm, NULL),
                  HESCA_ERR_ARG, "argument 6, rdispls, is NULL");
    if (size > 1) {
        x.esize = last ? 4 : 8;
        const int other = by_hesca(&x, comm, NULL);
        x.esize = 8;
        check_refused(&x, other, HESCA_ERR_MISMATCH, "esize differs");
    }
    by_mpi(&x); /* it works after all that */
    CHECK(by_hesca(&x, comm, NULL) == HESCA_SUCCESS &&
              memcmp(x.recv, x.must, (size_t)(x.rn * 8)) == 0,
          "rank %d: %s", rank, hesca_error_text());
    clear(&x);
    MPI_Comm_free(&comm);
}

/* ------------------------------------------------ the trace */

/* Every message once as predicted by the first order, and once as it was, in
 * possible times. */
static void
check_trace(uint64_t seed, double predicted)
{
    int seen[2][MOST][MOST] = {{{0}}}, n = 0;
    double finish = 0;
    char line[200], kind[20], name[40];
    FILE *f = fopen(trace, "r");
    CHECK(f != NULL && fgets(line, sizeof line, f) != NULL &&
              strcmp(line, "kind,schedule,src,dest,bytes,start,end\n") == 0,
          "no trace");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        int src = 0, dest = 0;
        double bytes = 0, start = 0, end = 0;
        const int got = sscanf(line, "%19[^,],%39[^,],%d,%d,%lf,%lf,%lf", kind,
                               name, &src, &dest, &bytes, &start, &end);
        const int real = strcmp(kind, "real") == 0;
        CHECK(got == 7 && (real || strcmp(kind, "predicted") == 0) &&
                  strcmp(name, "openshop") == 0 && start >= 0 &&
                  (real ? end >= start : end > start) && end < 100 &&
                  bytes == (double)(8 * count(seed, src, dest)),
              "trace: %s", line);
        finish = real ? finish : fmax(finish, end);
        ++seen[real][src % MOST][dest % MOST];
        ++n;
    }
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            const int must = i != j && count(seed, i, j) > 0;
            CHECK(seen[0][i][j] == must && seen[1][i][j] == must,
                  "trace: %d to %d predicted %d and real %d times", i, j,
                  seen[0][i][j], seen[1][i][j]);
        }
    CHECK(n > 0 || size == 1, "trace: no line");
    CHECK(fabs(finish - predicted) <= 1e-5 * predicted,
          "trace: predicted %g s, and info has %g s", finish, predicted);
    if (f != NULL)
        fclose(f);
}

static void
traced(const char *checkpoint_at)
{
    exchange x;
    hesca_coll_info info = {.segments = -1};
    MPI_Comm comm = with("openshop", checkpoint_at, trace);
    make(&x, 9, 8);
    const size_t bytes = (size_t)(x.rn * 8);
    char *before = malloc(bytes + 1);
    memcpy(before, x.recv, bytes);
    by_mpi(&x);
    CHECK(by_hesca(&x, comm, &info) == HESCA_SUCCESS &&
              memcmp(x.recv, x.must, bytes) == 0,
          "rank %d: %s", rank, hesca_error_text());
    if (rank == 0)
        check_trace(9, info.predicted_seconds);
    MPI_Comm_free(&comm);
    /* One that cannot be written is an error, or none at all. */
    for (int is_error = 1; is_error >= 0; --is_error) {
        setenv("HESCA_FALLBACK", is_error ? "error" : "silent", 1);
        comm = with("openshop", checkpoint_at, "/nowhere/trace.csv");
        memcpy(x.recv, before, bytes);
        for (int again = 0; again < 2; ++again) {
            const int err = by_hesca(&x, comm, NULL);
            CHECK(!is_error || (err == HESCA_ERR_PARAM &&
                                strstr(hesca_error_text(),
                                       "/nowhere/trace.csv") != NULL),
                  "rank %d: %d %s", rank, err, hesca_error_text());
            CHECK(is_error ||
                      (err == HESCA_SUCCESS &&
                       memcmp(x.recv, x.must, (size_t)(x.rn * 8)) == 0),
                  "rank %d: %d %s", rank, err, hesca_error_text());
        }
        MPI_Comm_free(&comm);
    }
    unsetenv("HESCA_FALLBACK");
    free(before);
    clear(&x);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_state = check_seed(20261201) + (uint64_t)rank;
    if (rank == 0) {
        close(mkstemp(machine));
        close(mkstemp(trace));
    }
    MPI_Bcast(machine, sizeof machine, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(trace, sizeof trace, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (getenv("HESCA_NODE_SIZE") != NULL) {
        write_machine(1);
        setenv("HESCA_MACHINE", machine, 1);
    }
    all_orders();
    wrong_machine();
    repeated();
    errors();
    traced("off");
    traced("half:0");
    const int failed = check_done("t_alltoallv");
    if (rank == 0) {
        unlink(machine);
        unlink(trace);
    }
    MPI_Finalize();
    return failed;
}
