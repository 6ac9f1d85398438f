/* SPDX-License-Identifier: BSD-3-Clause */
/* Time EM3D, electric and magnetic fields on an object that is split in
 * sub-bodies of different sizes, one for each process (HMPI thesis 5.1): as
 * they come, with sub-bodies given to the processes that fit them, and with
 * the object split again.
 *
 * Usage: mpiexec -n P time_em3d --nodes N,... --speeds S,... [option]...
 *
 *   mpiexec -n 3 time_em3d --nodes 4000,2000,6000 --speeds 1,2,3 --unit 1e7
 *   mpiexec -n P time_em3d --help
 *
 * The object is a line of sub-bodies.  A sub-body has as many electric as
 * magnetic nodes; a node's value changes by a linear combination of DEGREE
 * values of the other kind, of which those near an end have one in the
 * neighbour. */
#include "base/sort.h"
#include "blas.h"
#include "harness.h"
#include "hdpi.h"
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES_MAX = 256, DEGREE = 8, RUNS_MAX = 101 };

/* ------------------------------------------------ options */

typedef struct {
    int64_t nodes[BODIES_MAX], speed[BODIES_MAX];
    int nbodies, nspeeds;
    double unit, startup, rate;
    int halo, iterations, runs;
} options;

static const cmdline_row table[] = {
    OPT_LIST("nodes", "N,...", "of each kind, of the sub-bodies in a line",
             nodes, nbodies, 1, 10000000),
    OPT_LIST("speeds", "S,...",
             "of the processes: they take as long as at this speed", speed,
             nspeeds, 1, 1000000000),
    OPT_POSITIVE("unit", "FLOPS", "operations per second of speed 1 (1e6)",
                 unit),
    OPT_INT("halo", "N", "nodes at an end that have a neighbour (100)", halo,
            0, 1000000),
    OPT_INT("iterations", "N", "of a run (50)", iterations, 1, 1000000),
    OPT_INT("runs", "N", "of which the median is printed (1)", runs, 1,
            RUNS_MAX),
    OPT_REAL("startup", "S", "seconds of a message, for predictions (1e-4)",
             startup),
    OPT_POSITIVE("rate", "BYTES", "bytes per second of links, likewise (1e8)",
                 rate),
};

static int
check(void *from)
{
    const options *o = from;
    int nprocs;
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    return (o->nbodies == nprocs && o->nspeeds == nprocs) ||
           cmdline_complain("%d sub-bodies and %d speeds for %d processes",
                            o->nbodies, o->nspeeds, nprocs);
}

/* ------------------------------------------------ ways */

enum { ORDER, MAPPED, CUT, WAYS };
static const char *const way_name[WAYS] = {"order", "mapped", "cut"};

/* Sub-bodies, and the process of each. */
typedef struct {
    int n;
    int64_t nodes[BODIES_MAX];
    int place[BODIES_MAX];
} split;

/* Indices in descending order of numbers, ties as they come. */
static void
rank_by(const int64_t *x, int n, int *at)
{
    for (int k = 0; k < n; ++k) {
        int l = k;
        for (; l > 0 && x[at[l - 1]] < x[k]; --l)
            at[l] = at[l - 1];
        at[l] = k;
    }
}

static int
make_split(const options *o, int way, split *s)
{
    double speed[BODIES_MAX];
    int large[BODIES_MAX], fast[BODIES_MAX], parts[BODIES_MAX], all = 0;
    s->n = o->nbodies;
    for (int b = 0; b < s->n; ++b) {
        s->nodes[b] = o->nodes[b];
        s->place[b] = b;
        speed[b] = (double)o->speed[b];
        all += (int)o->nodes[b];
    }
    if (way == MAPPED) {
        rank_by(o->nodes, s->n, large);
        rank_by(o->speed, s->n, fast);
        for (int k = 0; k < s->n; ++k)
            s->place[large[k]] = fast[k];
    }
    if (way == CUT) {
        if (Partition_unordered_set(s->n, 1, speed, NULL, NULL, all, NULL, -1,
                                    NULL, NULL, parts) < 0)
            return cmdline_fail("the nodes cannot be split");
        for (int b = 0; b < s->n; ++b)
            s->nodes[b] = parts[b];
    }
    return 1;
}

/* Operations of one kind of a sub-body, once. */
static double
operations(int64_t nodes)
{
    return 2.0 * DEGREE * (double)nodes;
}

/* The slowest process; messages of both kinds each time. */
static double
predict(const options *o, const split *s)
{
    double compute = 0;
    for (int b = 0; b < s->n; ++b)
        compute = fmax(compute, operations(s->nodes[b]) /
                                    (o->unit * (double)o->speed[s->place[b]]));
    return 2 * o->iterations *
           (compute + (s->n > 1 ? o->startup + 8.0 * o->halo / o->rate : 0));
}

/* ------------------------------------------------ sub-bodies */

/* Values of both kinds: own, those of the left neighbour's end, those of the
 * right one's; and what they change by. */
typedef struct {
    int64_t n, halo;
    double *value[2];
    int32_t *index[2]; /* [n * DEGREE] into the other kind */
    double *factor[2];
} body;

/* A number that looks random (splitmix64). */
static uint64_t
mix(uint64_t x)
{
    x = (x + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double
fraction(uint64_t x)
{
    return (double)(x >> 11) * 0x1p-53;
}

/* The first neighbour of a node near an end is over there. */
static int32_t
pick(const body *x, const split *s, int b, int64_t i, int k, uint64_t at)
{
    if (k == 0 && b > 0 && i < x->halo)
        return (int32_t)(x->n + i);
    if (k == 0 && b < s->n - 1 && i >= x->n - x->halo)
        return (int32_t)(x->n + x->halo + i - (x->n - x->halo));
    return (int32_t)(at % (uint64_t)x->n);
}

static void
fill(body *x, const split *s, int b)
{
    for (int kind = 0; kind < 2; ++kind)
        for (int64_t i = 0; i < x->n; ++i) {
            const uint64_t at =
                mix(((uint64_t)b << 40) + ((uint64_t)i << 1) + (uint64_t)kind);
            x->value[kind][i] = fraction(at);
            for (int k = 0; k < DEGREE; ++k) {
                const uint64_t edge = mix(at + (uint64_t)k + 1);
                x->index[kind][i * DEGREE + k] = pick(x, s, b, i, k, edge);
                x->factor[kind][i * DEGREE + k] =
                    (fraction(mix(edge)) - 0.5) / DEGREE;
            }
        }
}

static int
body_open(const options *o, const split *s, int b, body *x)
{
    int64_t least = s->nodes[b];
    for (int k = 0; k < s->n; ++k)
        least = s->nodes[k] < least ? s->nodes[k] : least;
    *x = (body){.n = s->nodes[b], .halo = least < o->halo ? least : o->halo};
    int ok = 1;
    for (int kind = 0; kind < 2; ++kind) {
        const size_t n = (size_t)x->n, edges = n * DEGREE + 1;
        x->value[kind] = calloc(n + 2 * (size_t)x->halo + 1, sizeof(double));
        x->index[kind] = calloc(edges, sizeof(int32_t));
        x->factor[kind] = calloc(edges, sizeof(double));
        ok = ok && x->value[kind] != NULL && x->index[kind] != NULL &&
             x->factor[kind] != NULL;
    }
    if (ok)
        fill(x, s, b);
    return ok;
}

static void
body_close(body *x)
{
    for (int kind = 0; kind < 2; ++kind) {
        free(x->value[kind]);
        free(x->index[kind]);
        free(x->factor[kind]);
    }
}

static void
update(body *x, int kind)
{
    const double *other = x->value[!kind];
    for (int64_t i = 0; i < x->n; ++i) {
        double sum = 0;
        for (int k = 0; k < DEGREE; ++k)
            sum += x->factor[kind][i * DEGREE + k] *
                   other[x->index[kind][i * DEGREE + k]];
        x->value[kind][i] -= sum;
    }
}

/* Sum in the order of nodes: the same from the same values. */
static double
sum_of(const body *x)
{
    double sum = 0;
    for (int kind = 0; kind < 2; ++kind)
        for (int64_t i = 0; i < x->n; ++i)
            sum += x->value[kind][i];
    return sum;
}

/* ------------------------------------------------ all of them */

/* Ends of this sub-body to its neighbours, theirs to it. */
static void
exchange(body *x, const split *s, int b, int kind)
{
    MPI_Request request[4];
    double *v = x->value[kind];
    const int halo = (int)x->halo;
    int n = 0;
    if (b > 0) {
        const int left = s->place[b - 1];
        MPI_Irecv(v + x->n, halo, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                  request + n++);
        MPI_Isend(v, halo, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, request + n++);
    }
    if (b < s->n - 1) {
        const int right = s->place[b + 1];
        MPI_Irecv(v + x->n + halo, halo, MPI_DOUBLE, right, 2, MPI_COMM_WORLD,
                  request + n++);
        MPI_Isend(v + x->n - halo, halo, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
                  request + n++);
    }
    for (int k = 0; k < n; ++k)
        yield_wait(request + k);
}

static double
run_once(const options *o, const split *s, int b, int rank, body *x)
{
    blas_pace((double)o->speed[rank] * o->unit);
    yield_long_barrier();
    yield_barrier();
    const double start = yield_clock();
    for (int i = 0; i < o->iterations; ++i)
        for (int kind = 0; kind < 2; ++kind) {
            exchange(x, s, b, !kind);
            const double from = yield_clock();
            update(x, kind);
            blas_pace_pay(from, operations(x->n));
        }
    double seconds = yield_clock() - start;
    blas_pace(0);
    yield_long_barrier();
    yield_allreduce(&seconds, 1, MPI_DOUBLE, MPI_MAX);
    return seconds;
}

/* The same by one process: the sums of the sub-bodies. */
static int
compute_alone(const options *o, const split *s, double *sum)
{
    static body x[BODIES_MAX];
    int ok = 1;
    for (int b = 0; b < s->n; ++b)
        ok = body_open(o, s, b, x + b) && ok;
    for (int i = 0; ok && i < 2 * o->iterations; ++i) {
        const int kind = i % 2, other = !kind;
        for (int b = 0; b < s->n; ++b) {
            const size_t halo = (size_t)x[b].halo, size = halo * 8;
            double *ghost = x[b].value[other] + x[b].n;
            if (b > 0)
                memcpy(ghost, x[b - 1].value[other] + x[b - 1].n - halo, size);
            if (b < s->n - 1)
                memcpy(ghost + halo, x[b + 1].value[other], size);
        }
        for (int b = 0; b < s->n; ++b)
            update(x + b, kind);
    }
    for (int b = 0; b < s->n; ++b) {
        sum[b] = ok ? sum_of(x + b) : 0;
        body_close(x + b);
    }
    return ok || cmdline_fail("no memory for all sub-bodies");
}

/* ------------------------------------------------ results */

typedef struct {
    const options *o;
    int way;
    double seconds, least, most, predicted;
    int is_right;
} result;

/* All that the processes can do. */
static double
ideal(const options *o)
{
    double nodes = 0, speed = 0;
    for (int b = 0; b < o->nbodies; ++b) {
        nodes += (double)o->nodes[b];
        speed += (double)o->speed[b] * o->unit;
    }
    return 2 * o->iterations * 2.0 * DEGREE * nodes / speed;
}

static void
put(fields *f, const void *from)
{
    const result *r = from;
    fields_text(f, "way", way_name[r->way]);
    fields_int(f, "processes", r->o->nbodies);
    fields_int(f, "halo", r->o->halo);
    fields_int(f, "iterations", r->o->iterations);
    fields_int(f, "runs", r->o->runs);
    fields_real(f, "seconds", r->seconds);
    fields_real(f, "least_s", r->least);
    fields_real(f, "most_s", r->most);
    fields_real(f, "predicted_s", r->predicted);
    fields_real(f, "ideal_s", ideal(r->o));
    fields_text(f, "right", r->is_right ? "yes" : "no");
}

static void
print_result(fields_files *out, const result *r)
{
    if (out->nrows == 0) {
        fprintf(out->table, "%-8s %9s %10s %9s %9s\n", "way", "seconds",
                "predicted", "/measured", "ideal");
    }
    fprintf(out->table, "%-8s %9.4f %10.4f %9.3f %9.4f%s\n", way_name[r->way],
            r->seconds, r->predicted, r->predicted / r->seconds, ideal(r->o),
            r->is_right ? "" : " WRONG");
    bench_row(out, r);
}

/* The exit status. */
static int
time_way(const options *o, int way, int rank, fields_files *out)
{
    double seconds[RUNS_MAX], sum[BODIES_MAX] = {0}, alone[BODIES_MAX];
    double unused[2];
    split s;
    body x = {.n = 0};
    int b = 0, ok = 1;
    if (!make_split(o, way, &s))
        return 2;
    while (s.place[b] != rank)
        ++b;
    for (int k = 0; ok && k < o->runs; ++k) {
        body_close(&x);
        ok = yield_all(body_open(o, &s, b, &x));
        seconds[k] = ok ? run_once(o, &s, b, rank, &x) : 0;
    }
    if (ok)
        sum[b] = sum_of(&x);
    body_close(&x);
    yield_allreduce(sum, s.n, MPI_DOUBLE, MPI_SUM);
    result r = {.o = o, .way = way, .is_right = 1};
    if (rank == 0 && ok)
        ok = compute_alone(o, &s, alone);
    ok = yield_all(ok);
    if (rank == 0 && ok) {
        hesca_sort(seconds, o->runs);
        r.least = seconds[0];
        r.most = seconds[o->runs - 1];
        r.seconds = hesca_median(seconds, o->runs, unused);
        r.predicted = predict(o, &s);
        r.is_right = memcmp(sum, alone, (size_t)s.n * sizeof *sum) == 0;
        print_result(out, &r);
    }
    return !ok ? 2 : yield_all(r.is_right) ? 0 : 1;
}

static int
run(const void *o, fields_files *out)
{
    int rank, status = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int way = 0; way < WAYS && status < 2; ++way) {
        const int one = time_way(o, way, rank, out);
        status = one > status ? one : status;
    }
    return status;
}

int
main(int argc, char **argv)
{
    static options o = {.unit = 1e6,
                        .startup = 1e-4,
                        .rate = 1e8,
                        .halo = 100,
                        .iterations = 50,
                        .runs = 1};
    static const bench_program b = {
        .name = "time_em3d",
        .about =
            "Usage: mpiexec -n P time_em3d --nodes N,... --speeds S,... "
            "[option]...\nTime EM3D with one sub-body for each process.\n\n",
        .notes = "\nWays:\n"
                 "  order      sub-bodies and processes as they come\n"
                 "  mapped     larger sub-bodies on faster processes\n"
                 "  cut        as many nodes, split again in proportion to "
                 "speeds\n\n"
                 "Results are compared with those of one process alone, bit "
                 "by bit.\n"
                 "Exit status: 0 if all results are right, 1 if not, 2 if it "
                 "cannot "
                 "be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run,
        .check = check};
    return bench_main_mpi(&b, argc, argv);
}
