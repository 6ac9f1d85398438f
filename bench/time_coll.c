/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_bcast and hesca_alltoallv beside MPI's, what they were predicted to
 * take, and the lower bound.
 *
 * Usage: mpiexec -n P time_coll [option]...
 *
 * All take turns, in rounds.  A time is that of the process that needs most,
 * from a barrier on; medians over the rounds.  What arrives is compared in
 * every round. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "base/sort.h"
#include "harness.h"
#include "hesca.h"
#include "hesca/experimental.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 16, CONTESTANTS = 20, ROUNDS = 1000, ROUNDS_LEAST = 3 };

typedef enum { BCAST, ALLTOALLV } collective;
typedef enum { EQUAL, RANDOM, SERVERS } shape;
static const char *const shapes[] = {"equal", "random", "servers"};

typedef struct {
    int what, shape, root;
    int64_t bytes[SIZES];
    int nbytes;
    double seconds;
    char schedules[300];
} options;

static int rank, size;

/* ------------------------------------------------ options */

static int
set_schedules(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    return snprintf(o->schedules, sizeof o->schedules, "%s", value) <
                   (int)sizeof o->schedules
               ? 1
               : cmdline_bad(r, value);
}

static const cmdline_row table[] = {
    OPT_CHOICE("what", "bcast|alltoallv", "the collective (bcast)", what),
    OPT_LIST("bytes", "B,...",
             "of the broadcast, or that a process sends on average", bytes,
             nbytes, 0, (int64_t)1 << 32),
    OPT_MORE("(1048576,8388608)"),
    OPT_CHOICE("shape", "equal|random|servers",
               "alltoallv: messages are equal; of random", shape),
    OPT_MORE("length; long from a fifth of the processes only (equal)"),
    OPT_INT("root", "R", "bcast: rank that has the message (0)", root, 0,
            1 << 20),
    OPT_SET("schedules", "A,...", "as in HESCA_BCAST or HESCA_EXCHANGE (auto)",
            set_schedules),
    OPT_REAL("seconds", "S", "time to spend on each length (5)", seconds),
};

/* ------------------------------------------------ schedules that are compared
 */

typedef struct {
    const char *name; /* "MPI", or a schedule */
    MPI_Comm comm;
    hesca_coll_info info;
    int n, right;
    double seconds[ROUNDS];
} contestant;

typedef struct {
    const options *o;
    int n;
    contestant of[CONTESTANTS];
} contest;

static int
enter(contest *x, const char *name)
{
    contestant *c = &x->of[x->n++];
    hesca_params params;
    *c = (contestant){.name = name, .right = 1};
    if (strcmp(name, "MPI") != 0)
        setenv(x->o->what == BCAST ? "HESCA_BCAST" : "HESCA_EXCHANGE", name,
               1);
    MPI_Comm_dup(MPI_COMM_WORLD, &c->comm);
    return hesca_params_agreed(c->comm, &params);
}

/* ------------------------------------------------ one call */

/* The arrays of a length; everything in bytes. */
typedef struct {
    int64_t bytes;
    char *send, *recv; /* a broadcast uses recv only */
    int64_t nsend, nrecv;
    int64_t *scount, *sat, *rcount, *rat; /* [size] */
    int *count;                           /* [4 size] the same for MPI */
} arrays;

/* What i has for j, the same on all processes. */
static int64_t
message(const options *o, int64_t bytes, int i, int j)
{
    const double mean = (double)bytes / (size > 1 ? size - 1 : 1);
    uint64_t z = (uint64_t)(i * size + j + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    if (i == j)
        return 0;
    if (o->shape == RANDOM)
        return (int64_t)(2 * mean * (double)(z % 1000) / 1000);
    if (o->shape == SERVERS && i % 5 != 0)
        return (int64_t)(mean / 100);
    return (int64_t)mean;
}

static int
make_arrays(arrays *a, const options *o, int64_t bytes)
{
    const size_t n = (size_t)size;
    *a = (arrays){.bytes = bytes, .nrecv = bytes};
    a->scount = calloc(4 * n, sizeof *a->scount);
    a->count = calloc(4 * n, sizeof *a->count);
    if (a->scount == NULL || a->count == NULL)
        return 0;
    a->sat = a->scount + n;
    a->rcount = a->sat + n;
    a->rat = a->rcount + n;
    if (o->what == ALLTOALLV) {
        a->nrecv = 0;
        for (int r = 0; r < size; ++r) {
            a->sat[r] = a->nsend;
            a->nsend += a->scount[r] = message(o, bytes, rank, r);
            a->rat[r] = a->nrecv;
            a->nrecv += a->rcount[r] = message(o, bytes, r, rank);
        }
    }
    for (size_t k = 0; k < 4 * n; ++k)
        a->count[k] = (int)a->scount[k];
    a->send = malloc((size_t)a->nsend + 1);
    a->recv = malloc((size_t)a->nrecv + 1);
    return a->send != NULL && a->recv != NULL;
}

static void
clear_arrays(arrays *a)
{
    free(a->send);
    free(a->recv);
    free(a->scount);
    free(a->count);
}

/* Byte k of what i has for j (j is 0 in a broadcast) in a round. */
static char
byte_of(int round, int i, int j, int64_t k)
{
    return (char)(7 * round + 31 * i + 17 * j + k / 5);
}

static void
fill(const arrays *a, const options *o, int round)
{
    memset(a->recv, 0x5a, (size_t)a->nrecv);
    for (int64_t k = 0; o->what == BCAST && rank == o->root && k < a->nrecv;
         ++k)
        a->recv[k] = byte_of(round, rank, 0, k);
    for (int r = 0; o->what == ALLTOALLV && r < size; ++r)
        for (int64_t k = 0; k < a->scount[r]; ++k)
            a->send[a->sat[r] + k] = byte_of(round, rank, r, k);
}

static int
is_right(const arrays *a, const options *o, int round)
{
    for (int64_t k = 0; o->what == BCAST && k < a->nrecv; ++k)
        if (a->recv[k] != byte_of(round, o->root, 0, k))
            return 0;
    for (int r = 0; o->what == ALLTOALLV && r < size; ++r)
        for (int64_t k = 0; k < a->rcount[r]; ++k)
            if (a->recv[a->rat[r] + k] != byte_of(round, r, rank, k))
                return 0;
    return 1;
}

static int
call(const options *o, contestant *c, const arrays *a)
{
    if (strcmp(c->name, "MPI") != 0)
        return o->what == BCAST
                   ? hesca_bcast(a->recv, a->bytes, o->root, c->comm, &c->info)
                   : hesca_alltoallv(a->send, a->scount, a->sat, a->recv,
                                     a->rcount, a->rat, 1, c->comm, &c->info);
    if (o->what == BCAST)
        MPI_Bcast(a->recv, (int)a->bytes, MPI_BYTE, o->root, c->comm);
    else
        MPI_Alltoallv(a->send, a->count, a->count + size, MPI_BYTE, a->recv,
                      a->count + 2 * size, a->count + 3 * size, MPI_BYTE,
                      c->comm);
    return HESCA_SUCCESS;
}

static int
run_round(contest *x, const arrays *a, int round)
{
    for (int k = 0; k < x->n; ++k) {
        contestant *c = &x->of[k];
        fill(a, x->o, round);
        yield_barrier();
        const double start = yield_clock();
        const int err = call(x->o, c, a);
        double seconds = yield_clock() - start;
        if (err < 0)
            return err;
        yield_allreduce(&seconds, 1, MPI_DOUBLE, MPI_MAX);
        c->right &= yield_all(is_right(a, x->o, round));
        if (round > 0) /* the first one plans, and warms up */
            c->seconds[c->n++] = seconds;
    }
    return HESCA_SUCCESS;
}

/* ------------------------------------------------ results */

typedef struct {
    const options *o;
    const contestant *c;
    int64_t bytes;
    double median, least;
} result;

static void
put(fields *s, const void *row)
{
    const result *x = row;
    char root[32];
    snprintf(root, sizeof root, "root %d", x->o->root);
    fields_text(s, "collective", x->o->what == BCAST ? "bcast" : "alltoallv");
    fields_text(s, "case", x->o->what == BCAST ? root : shapes[x->o->shape]);
    fields_int(s, "processes", size);
    fields_real(s, "bytes", (double)x->bytes);
    fields_text(s, "by", x->c->name);
    fields_text(s, "schedule", x->c->info.schedule);
    fields_int(s, "segments", x->c->info.segments);
    fields_int(s, "checkpoints", x->c->info.checkpoints);
    fields_int(s, "changes", x->c->info.changes);
    fields_int(s, "rounds", x->c->n);
    fields_real(s, "median_s", x->median);
    fields_real(s, "min_s", x->least);
    fields_real(s, "predicted_s", x->c->info.predicted_seconds);
    fields_real(s, "bound_s", x->c->info.bound_seconds);
    fields_text(s, "right", x->c->right ? "yes" : "no");
}

static int
print_results(contest *x, int64_t bytes, fields_files *files)
{
    double mpi = 0;
    int right = 1;
    for (int k = 0; k < x->n; ++k) {
        contestant *c = &x->of[k];
        hesca_sort(c->seconds, c->n);
        const result r = {x->o, c, bytes, c->seconds[c->n / 2], c->seconds[0]};
        const double predicted = c->info.predicted_seconds;
        mpi = k == 0 ? r.median : mpi;
        fprintf(files->table, "%11lld  %-14s %-14s", (long long)bytes, c->name,
                c->info.schedule);
        fprintf(files->table, " %10.3f %10.3f %8.2f", 1e3 * r.median,
                1e3 * r.least, mpi / r.median);
        if (predicted > 0)
            fprintf(files->table, " %10.3f %9.2f %10.3f %4d", 1e3 * predicted,
                    r.median / predicted, 1e3 * c->info.bound_seconds,
                    c->info.segments);
        fprintf(files->table, "%s\n", c->right ? "" : "  WRONG DATA");
        bench_row(files, &r);
        right &= c->right;
    }
    fflush(files->table);
    return right;
}

/* ------------------------------------------------ all of it */

static int
run_length(contest *x, int64_t bytes)
{
    arrays a;
    int err = HESCA_SUCCESS, more = 1;
    if (!yield_all(make_arrays(&a, x->o, bytes))) {
        clear_arrays(&a);
        return HESCA_ERR_NOMEM;
    }
    const double start = yield_clock();
    for (int round = 0; err == HESCA_SUCCESS && more && round < ROUNDS;
         ++round) {
        err = run_round(x, &a, round);
        more = round < ROUNDS_LEAST || yield_clock() - start < x->o->seconds;
        yield_broadcast(&more, sizeof more);
    }
    clear_arrays(&a);
    return err;
}

static int
enter_all(contest *x, char *names)
{
    int err = enter(x, "MPI");
    for (char *name = strtok(names, ",");
         err == HESCA_SUCCESS && name != NULL && x->n < CONTESTANTS;
         name = strtok(NULL, ","))
        err = enter(x, name);
    return err;
}

/* What is wrong is known on all processes. */
static int
run_all(contest *x, fields_files *files)
{
    const options *o = x->o;
    char names[sizeof o->schedules];
    int right = 1;
    memcpy(names, o->schedules, sizeof names);
    int err = enter_all(x, names);
    if (rank == 0 && err == HESCA_SUCCESS)
        fprintf(files->table,
                "%s, %d processes\n      bytes  by             schedule       "
                "  median ms     min ms  MPI/it  predict ms  it/pred   bound "
                "ms pieces\n",
                o->what == BCAST ? "broadcast" : "total exchange", size);
    for (int k = 0; err == HESCA_SUCCESS && k < o->nbytes; ++k) {
        err = run_length(x, o->bytes[k]);
        if (rank == 0 && err == HESCA_SUCCESS)
            right &= print_results(x, o->bytes[k], files);
        for (int c = 0; c < x->n; ++c)
            x->of[c].n = 0;
    }
    if (err < 0 && rank == 0)
        cmdline_fail("%s", hesca_error_text());
    return err == HESCA_SUCCESS && right;
}

static int
run(const void *from, fields_files *files)
{
    static contest x;
    x.o = from;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (x.o->root >= size) {
        if (rank == 0)
            cmdline_complain("--root is %d, but there are %d processes",
                             x.o->root, size);
        return 2;
    }
    int status = !run_all(&x, files);
    for (int k = 0; k < x.n; ++k)
        MPI_Comm_free(&x.of[k].comm);
    yield_broadcast(&status, sizeof status);
    return status;
}

int
main(int argc, char **argv)
{
    static options o = {.bytes = {1 << 20, 8 << 20},
                        .nbytes = 2,
                        .seconds = 5,
                        .schedules = "auto"};
    static const bench_program b = {
        .name = "time_coll",
        .about =
            "Usage: mpiexec -n P time_coll [option]...\n"
            "Time hesca_bcast or hesca_alltoallv beside MPI's own, what was "
            "predicted by the\nmachine file (HESCA_MACHINE), and the lower "
            "bound.\n\n",
        .notes =
            "\nExit status: 0, 1 if something wrong was delivered or HESCA "
            "fails, 2 for wrong\nusage.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    return bench_main_mpi(&b, argc, argv);
}
