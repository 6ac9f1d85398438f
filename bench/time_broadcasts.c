/* SPDX-License-Identifier: BSD-3-Clause */
/* How long it takes to find a broadcast over unequal links, and how good it
 * is.
 *
 * Usage: time_broadcasts [option]...
 *
 *   time_broadcasts --procs 8:10 --runs 1000
 *   time_broadcasts --machine gates --procs 10,30,100 \
 *       --algorithms lookahead,graft
 *   time_broadcasts --procs 256,512,1024 --runs 1 --csv algorithms.csv */
#include "harness.h"
#include "hesca/experimental/broadcast.h"
#include "sim/generate.h"
#include <hesca/status.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 512, NAMES = 32, NAME_MAX = 32 };

typedef struct {
    int machine;
    int64_t procs[LIST], dest[LIST];
    int nprocs, ndest, relays, runs, seed;
    double megabytes, limit;
    char algorithm[NAMES][NAME_MAX];
    int nalgorithms;
} options;

/* ----- the command line -------------------------------------------------- */

static const char *const machine_names[] = {"col", "log", "clusters", "gusto",
                                            "gates"};
enum { COL, LOG, CLUSTERS, GUSTO, GATES };

static int
is_known(const char *name)
{
    return hesca_broadcast_algorithm_find(name) != NULL;
}

static const cmdline_row table[] = {
    OPT_CHOICE("machine", "col|log|clusters|gusto|gates",
               "random links: BHAT-COL Figure 4 (col), the same", machine),
    OPT_MORE("with the logarithm of the rate uniform, Figure 5,"),
    OPT_MORE("Table 1, or like Eq. 11: fast processes behind"),
    OPT_MORE("slow links, beside chains that look cheap"),
    OPT_LIST("procs", "N,...", "processes; also FIRST:LAST or FIRST:LAST:STEP",
             procs, nprocs, 2, 16384),
    OPT_MORE("(4:10,20:100:20)"),
    OPT_LIST("dest", "K,...", "destinations, drawn (0: all)", dest, ndest, 0,
             16383),
    OPT_FLAG("relays", "others may forward", relays),
    OPT_POSITIVE("mbytes", "X", "length of the message, in 10^6 bytes (1)",
                 megabytes),
    OPT_NAMES("algorithms", "NAME,...", "(all)", algorithm, nalgorithms,
              is_known),
    OPT_INT("runs", "N", "machines (30)", runs, 1, 1000000),
    OPT_INT("seed", "N", "of the random numbers (1)", seed, 0, 1 << 30),
    OPT_REAL("limit", "S",
             "leave out what took longer with fewer processes (10)", limit),
};

/* ----- machines ---------------------------------------------------------- */

/* Like BHAT-COL Eq. 11, in seconds whatever the message. */
static void
draw_gates(int n, hesca_random *r, double *cost)
{
    static const hesca_range slow = {50, 100, 0}, cheap = {0.8, 1.2, 0},
                             gate = {1.1, 1.3, 0}, fast = {0.005, 0.015, 0};
    int at = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            cost[(size_t)i * (size_t)n + (size_t)j] = hesca_random_in(
                r, j == i + 1 || (i == 0 && j % 2 == 1) ? &cheap : &slow);
    /* A way of up to three gates, which may come by a process twice. */
    for (int hops = 1 + hesca_random_below(r, 3); hops > 0; --hops) {
        const int next = 1 + hesca_random_below(r, n - 1);
        if (next != at)
            cost[(size_t)at * (size_t)n + (size_t)next] =
                hesca_random_in(r, &gate);
        at = next;
    }
    for (int j = 0; j < n; ++j)
        cost[(size_t)at * (size_t)n + (size_t)j] = hesca_random_in(r, &fast);
}

static int
draw_wires(const options *o, int n, hesca_random *r, double *cost)
{
    hesca_network net;
    hesca_machine_kind kind = *hesca_machine_kind_find(
        o->machine == LOG ? "col" : machine_names[o->machine]);
    kind.inside.rate.is_log = o->machine == LOG;
    const int err = hesca_generate_network(&kind, n, r, &net);
    if (err < 0)
        return err;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            cost[(size_t)i * (size_t)n + (size_t)j] =
                hesca_network_seconds(&net, i, j, 1e6 * o->megabytes);
    hesca_network_clear(&net);
    return HESCA_SUCCESS;
}

/* Root is process 0; the others are drawn. */
static int
draw_destinations(int n, int ndest, hesca_random *r, int *dest)
{
    int *chosen = malloc((size_t)n * sizeof *chosen), m = 0;
    if (chosen == NULL)
        return 0;
    hesca_random_choose(r, n - 1, ndest, chosen);
    for (int i = 1; i < n; ++i)
        if (chosen[i - 1])
            dest[m++] = i;
    free(chosen);
    return 1;
}

/* ----- measurements ------------------------------------------------------ */

/* One algorithm, over all machines of a size. */
typedef struct {
    const options *o;
    const hesca_broadcast_algorithm *algorithm;
    int procs, ndest, left_out;
    double seconds, finish;           /* means */
    double bound, lookahead, optimum; /* means of finish / theirs, 0: no
                                         such algorithm */
    double growth;                    /* 0: not known */
    double now;                       /* finish on the present machine */
} result;

/* The least time of three repetitions, or of less than half a second.  -1:
 * failed. */
static double
measure(const hesca_broadcast_problem *x,
        const hesca_broadcast_algorithm *algorithm, double *finish)
{
    double least = INFINITY, all = 0;
    for (int k = 0; k < 3 && all < 0.5; ++k) {
        hesca_broadcast b;
        const double start = bench_cpu();
        if (hesca_broadcast_find(algorithm, x, &b) < 0)
            return -1;
        const double seconds = bench_cpu() - start;
        *finish = b.finish;
        hesca_broadcast_clear(&b);
        least = fmin(least, seconds);
        all += seconds;
    }
    return least;
}

/* finish over that of a algorithm, 0 without it. */
static double
over(const result *all, const char *name, double finish)
{
    for (int i = 0; i < all->o->nalgorithms; ++i)
        if (!all[i].left_out && strcmp(all[i].algorithm->name, name) == 0)
            return finish / all[i].now;
    return 0;
}

static int
run_machine(const hesca_broadcast_problem *x, result *all)
{
    const int n = all->o->nalgorithms, runs = all->o->runs;
    double bound;
    if (hesca_broadcast_bound(x, &bound) < 0)
        return 0;
    for (int i = 0; i < n; ++i) {
        if (all[i].left_out)
            continue;
        const double seconds = measure(x, all[i].algorithm, &all[i].now);
        if (seconds < 0)
            return 0;
        all[i].seconds += seconds / runs;
    }
    for (int i = 0; i < n; ++i) {
        if (all[i].left_out)
            continue;
        all[i].finish += all[i].now / runs;
        all[i].bound += all[i].now / bound / runs;
        all[i].lookahead += over(all, "lookahead", all[i].now) / runs;
        all[i].optimum += over(all, "optimum", all[i].now) / runs;
    }
    return 1;
}

static int
run_machines(const options *o, int n, int ndest, result *all)
{
    double *cost = malloc((size_t)n * (size_t)n * sizeof *cost);
    int *dest = malloc((size_t)n * sizeof *dest);
    int ok = cost != NULL && dest != NULL;
    for (int run = 0; ok && run < o->runs; ++run) {
        hesca_random r = hesca_random_run((uint64_t)o->seed, (uint64_t)run);
        hesca_broadcast_problem x = {.nproc = n,
                                     .cost = cost,
                                     .ndest = ndest,
                                     .dest = ndest > 0 ? dest : NULL,
                                     .relays = o->relays};
        if (o->machine == GATES)
            draw_gates(n, &r, cost);
        else
            ok = draw_wires(o, n, &r, cost) == HESCA_SUCCESS;
        ok = ok && draw_destinations(n, ndest, &r, dest) &&
             run_machine(&x, all);
    }
    free(cost);
    free(dest);
    return ok || cmdline_fail("%d processes: %s", n, hesca_error_text());
}

/* ----- results ----------------------------------------------------------- */

static void
put(fields *s, const void *row)
{
    const result *x = row;
    fields_text(s, "machine", machine_names[x->o->machine]);
    fields_int(s, "processes", x->procs);
    fields_int(s, "destinations", x->ndest);
    fields_int(s, "relays", x->o->relays);
    fields_text(s, "algorithm", x->algorithm->name);
    fields_int(s, "runs", x->o->runs);
    fields_real(s, "seconds", x->seconds);
    fields_real(s, "growth", x->growth);
    fields_real(s, "finish", x->finish);
    fields_real(s, "finish_over_bound", x->bound);
    fields_real(s, "finish_over_lookahead", x->lookahead);
    fields_real(s, "finish_over_optimum", x->optimum);
}

static void
print_result(FILE *f, const result *x)
{
    fprintf(f, "%-8s %5d %5d  %-18s %11.4f", machine_names[x->o->machine],
            x->procs, x->ndest, x->algorithm->name, 1e3 * x->seconds);
    bench_print_ratio(f, 6, 2, x->growth);
    fprintf(f, " %11.5g %8.3f", x->finish, x->bound);
    bench_print_ratio(f, 8, 4, x->lookahead);
    bench_print_ratio(f, 8, 4, x->optimum);
    fputc('\n', f);
}

/* Those that took too long before, or serve fewer processes, are left out. */
static void
begin(const options *o, int n, int ndest, const result *before, result *all)
{
    for (int i = 0; i < o->nalgorithms; ++i)
        all[i] = (result){
            .o = o,
            .algorithm = hesca_broadcast_algorithm_find(o->algorithm[i]),
            .procs = n,
            .ndest = ndest > 0 ? ndest : n - 1,
            .left_out =
                n > hesca_broadcast_algorithm_find(o->algorithm[i])->most ||
                (n > before[i].procs &&
                 (before[i].left_out || before[i].seconds > o->limit))};
}

static int
run_all(const options *o, fields_files *out, int n, int ndest, result *before)
{
    result all[NAMES];
    begin(o, n, ndest, before, all);
    if (!run_machines(o, n, ndest, all))
        return 0;
    for (int i = 0; i < o->nalgorithms; ++i) {
        result *x = &all[i];
        if (x->left_out)
            continue;
        if (before[i].seconds > 0 && n > before[i].procs)
            x->growth = log(x->seconds / before[i].seconds) /
                        log(n / (double)before[i].procs);
        before[i] = *x;
        print_result(out->table, x);
        bench_row(out, x);
    }
    return 1;
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    result before[NAMES] = {{.o = NULL}};
    int ok = 1;
    fprintf(out->table,
            "machine      N  dest  algorithm                      ms "
            "growth      finish  / bound  / ahead    / opt\n");
    for (int i = 0; ok && i < o->nprocs; ++i)
        for (int j = 0; ok && j < o->ndest; ++j) {
            const int n = (int)o->procs[i], ndest = (int)o->dest[j];
            ok = ndest < n ? run_all(o, out, n, ndest, before)
                           : cmdline_complain("--dest '%d': must be below N = "
                                              "%d",
                                              ndest, n);
        }
    return ok ? 0 : 2;
}

int
main(int argc, char **argv)
{
    static options o = {.procs = {4, 5, 6, 7, 8, 9, 10, 20, 40, 60, 80, 100},
                        .nprocs = 12,
                        .ndest = 1,
                        .runs = 30,
                        .seed = 1,
                        .megabytes = 1,
                        .limit = 10};
    static const bench_program b = {
        .name = "time_broadcasts",
        .about =
            "Usage: time_broadcasts [option]...\n"
            "Time the algorithms, which find a broadcast over unequal links, "
            "and "
            "print when it\nfinishes: the mean, and the mean of what it takes "
            "over the lower bound,\nlook-ahead and the optimum of the same "
            "machine.\n\n",
        .notes =
            "\nProcessor times: the mean over the machines of the least of "
            "several\n"
            "repetitions, with the check of the costs; growth is the exponent "
            "x "
            "of "
            "N^x since\nthe number of processes before.\n\nExit status: 0, or "
            "2 "
            "if it cannot be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    for (; hesca_broadcast_algorithms[o.nalgorithms] != NULL; ++o.nalgorithms)
        snprintf(o.algorithm[o.nalgorithms], NAME_MAX, "%s",
                 hesca_broadcast_algorithms[o.nalgorithms]->name);
    return bench_main(&b, argc, argv);
}
