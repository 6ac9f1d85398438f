/* hesca probe: measure what messages cost, and write a machine file.
 *
 * Schedules of all kinds carry out redistributions of several sizes.  What the
 * model predicts for one is linear in the costs, so the costs that explain the
 * measured times best are found by least squares, relative errors counting
 * alike: they mean in predictions what they meant here. */
#include "base/status.h"
#include "exec/comm.h"
#include "sched/sched.h"
#include "tools/json.h"
#include "tools/tools.h"
#include "tools/trial.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The costs of hesca_costs. */
enum { STARTUP, MESSAGE, BYTE, COPY, UNKNOWNS };

enum { SAMPLES = 64 };

/* One measured time, and how often it contains each cost. */
typedef struct {
    int64_t k, bytes;
    char schedule[HESCA_NAME_MAX];
    double seconds, part[UNKNOWNS];
} sample;

typedef struct {
    double seconds; /* to spend */
    const char *out;
    int json;
    sample sample[SAMPLES];
    int n;
} probe;

static int
help(void)
{
    printf(
        "Usage: mpiexec -n P hesca probe [-o FILE] [--seconds S] [--json]\n"
        "Measure what messages cost between P processes and print a machine "
        "file, for\nHESCA_MACHINE.  Where the processes share one node its "
        "line `node' is measured, else,\nand with HESCA_TRANSPORT=mpi, its "
        "line `net'; with more processes than cores\n`node-crowded' or "
        "`net-crowded'.\n\n"
        "  -o FILE      write the file; if it exists, lines that were not "
        "measured are kept\n"
        "  --seconds S  time to spend (10)\n"
        "  --json       what was measured and fitted, for programs\n\n"
        "Run it with as many processes as the programs that it is for, and "
        "with one per core:\n"
        "  mpiexec -n 2 hesca probe -o here.machine\n"
        "  mpiexec -n 16 hesca probe -o here.machine\n\n"
        "Exit status: 0, 1 if a measurement or the file failed, 2 for wrong "
        "usage.\n");
    return TOOL_YES;
}

/* ------------------------------------------------ measuring */

/* How often each cost is part of a schedule's predicted time: the prediction
 * where that one costs a second and all others nothing. */
static int
find_parts(sample *s, int nprocs)
{
    static const hesca_outlook one[] = {{.costs.startup = 1},
                                        {.costs.message = 1},
                                        {.costs.byte = 1},
                                        {.costs.copy = 1}};
    hesca_layout *a = NULL, *b = NULL;
    hesca_problem p = {0};
    int64_t n;
    int err;
    HESCA_TRY(err, trial_layouts(s->k, nprocs, s->bytes, &n, &a, &b));
    HESCA_TRY(err,
              hesca_problem_make(&p, HESCA_ALL, 1, n, a, 0, 0, b, 0, 0, 8));
    for (int c = 0; c < UNKNOWNS; ++c) {
        hesca_choice choice;
        hesca_choose(s->schedule, &p, &one[c], &choice);
        s->part[c] = choice.seconds;
    }
    /* Before it begins all agree, in as many steps (agree.h). */
    for (int step = 1; step < nprocs; step *= 2)
        s->part[STARTUP] += 1;
fail:
    hesca_problem_clear(&p);
    hesca_layout_free(a);
    hesca_layout_free(b);
    return err;
}

static int
take_samples(probe *x, const trial *t, const trial_case *c,
             const trial_time *time)
{
    int err = HESCA_SUCCESS;
    for (int i = 0; i < t->n && x->n < SAMPLES; ++i) {
        sample *s = &x->sample[x->n];
        if (!time[i].served)
            continue;
        *s = (sample){.k = c->k, .bytes = c->bytes, .seconds = time[i].median};
        snprintf(s->schedule, sizeof s->schedule, "%s", t->name[i]);
        HESCA_TRY(err, find_parts(s, t->nprocs));
        ++x->n;
    }
fail:
    return err;
}

/* Few partners, and as many as there are; messages of some bytes, and long
 * ones. */
static int
measure(probe *x, const trial *t)
{
    static const int64_t size[] = {64, 4096, 131072};
    const int64_t p = t->nprocs, k[] = {p, p > 8 ? p - 1 : p, p / 2};
    trial_case cases[9];
    trial_time time[9 * TRIAL_SCHEDULES];
    int err, n = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (k[i] > 1 && (i == 0 || k[i] != k[i - 1]))
                cases[n++] = (trial_case){k[i], size[j]};
    HESCA_TRY(err, trial_run(t, n, cases, x->seconds, time));
    for (int c = 0; c < n; ++c)
        HESCA_TRY(err, take_samples(x, t, &cases[c], &time[c * t->n]));
fail:
    return err;
}

/* ------------------------------------------------ fitting */

/* Solve the normal equations for the unknowns in use, by elimination; those
 * that nothing tells become 0. */
static void
solve(const probe *x, const int *use, double *cost)
{
    double m[UNKNOWNS][UNKNOWNS + 1] = {{0}};
    for (int i = 0; i < x->n; ++i) {
        const sample *s = &x->sample[i];
        for (int r = 0; r < UNKNOWNS; ++r)
            for (int c = 0; c <= UNKNOWNS; ++c)
                m[r][c] += s->part[r] *
                           (c < UNKNOWNS ? s->part[c] : s->seconds) /
                           (s->seconds * s->seconds);
    }
    for (int k = 0; k < UNKNOWNS; ++k) {
        const double diagonal = m[k][k];
        for (int r = 0; r < UNKNOWNS; ++r) {
            const double factor =
                r == k || !use[k] || !(diagonal > 0) ? 0 : m[r][k] / diagonal;
            for (int c = 0; c <= UNKNOWNS; ++c)
                m[r][c] -= factor * m[k][c];
        }
    }
    for (int k = 0; k < UNKNOWNS; ++k)
        cost[k] = use[k] && m[k][k] > 0 ? m[k][UNKNOWNS] / m[k][k] : 0;
}

/* No cost is negative: leave out the one that would be most, and fit again. */
static void
fit(const probe *x, double *cost)
{
    int use[UNKNOWNS] = {1, 1, 1, 1};
    for (;;) {
        int worst = -1;
        solve(x, use, cost);
        for (int k = 0; k < UNKNOWNS; ++k)
            if (use[k] && cost[k] < 0 && (worst < 0 || cost[k] < cost[worst]))
                worst = k;
        if (worst < 0)
            return;
        use[worst] = 0;
    }
}

static double
fitted(const sample *s, const double *cost)
{
    double sum = 0;
    for (int k = 0; k < UNKNOWNS; ++k)
        sum += s->part[k] * cost[k];
    return sum;
}

/* ------------------------------------------------ telling */

/* Whether the samples tell anything about a cost: with one partner, nothing of
 * further messages. */
static int
is_told(const probe *x, int k)
{
    for (int i = 0; i < x->n; ++i)
        if (x->sample[i].part[k] > 0)
            return 1;
    return 0;
}

/* What was fitted is for this many processes per core; a machine file tells
 * it for one. */
static void
enter(const probe *x, const double *cost, int one_node, double load,
      hesca_machine *machine)
{
    hesca_link *l = one_node ? &machine->node : &machine->net;
    hesca_costs *c = load > 1 ? &l->crowded : &l->alone;
    double *const at[UNKNOWNS] = {&c->startup, &c->message, &c->byte,
                                  &c->copy};
    /* Nothing but forwarding is for nothing: such a cost was lost in noise. */
    for (int k = 0; k < UNKNOWNS; ++k)
        if (is_told(x, k) && (cost[k] > 0 || k == COPY))
            *at[k] = cost[k] / load;
}

static void
print_json(const probe *x, const double *cost, const char *link, double load)
{
    static const char *const name[UNKNOWNS] = {"startup", "message", "byte",
                                               "copy"};
    printf("{\"link\": \"%s\", \"processes_per_core\": %g", link, load);
    for (int k = 0; k < UNKNOWNS; ++k)
        printf(", \"%s\": %.6g", name[k], cost[k]);
    printf(", \"cases\": [");
    for (int i = 0; i < x->n; ++i) {
        const sample *s = &x->sample[i];
        printf("%s\n  {\"k\": %lld, \"bytes\": %lld, \"schedule\": ",
               i > 0 ? "," : "", (long long)s->k, (long long)s->bytes);
        json_string(s->schedule);
        printf(", \"seconds\": %.6g, \"fitted\": %.6g}", s->seconds,
               fitted(s, cost));
    }
    printf("\n]}\n");
}

static void
print_text(const probe *x, const double *cost, const char *text,
           const char *link, int nprocs, double load)
{
    printf("# %d processes, %g per core, line %s; us measured and as "
           "fitted:\n#   K  bytes/proc  schedule       measured     fitted\n",
           nprocs, load, link);
    for (int i = 0; i < x->n; ++i) {
        const sample *s = &x->sample[i];
        printf("# %3lld  %10lld  %-12s %10.1f %10.1f\n", (long long)s->k,
               (long long)s->bytes, s->schedule, 1e6 * s->seconds,
               1e6 * fitted(s, cost));
    }
    printf("%s", text);
}

static int
write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    const int good = f != NULL && fputs(text, f) >= 0;
    if (f != NULL && fclose(f) == 0 && good)
        return TOOL_YES;
    complain("%s cannot be written", path);
    return TOOL_NO;
}

/* On rank 0. */
static int
tell(const probe *x, int nprocs, int one_node, double load)
{
    hesca_machine machine = hesca_machine_default();
    FILE *before = x->out == NULL ? NULL : fopen(x->out, "r");
    const char *link = one_node   ? load > 1 ? "node-crowded" : "node"
                       : load > 1 ? "net-crowded"
                                  : "net";
    double cost[UNKNOWNS];
    char text[800];
    if (before != NULL) {
        fclose(before);
        if (hesca_machine_read(x->out, &machine) < 0) {
            complain("%s", hesca_error_text());
            return TOOL_NO;
        }
    }
    fit(x, cost);
    enter(x, cost, one_node, load, &machine);
    hesca_machine_format(&machine, text, sizeof text);
    if (x->json)
        print_json(x, cost, link, load);
    else
        print_text(x, cost, text, link, nprocs, load);
    return x->out == NULL ? TOOL_YES : write_file(x->out, text);
}

/* ------------------------------------------------ the command */

static int
run(probe *x)
{
    char names[] = "direct|direct-async|indirect|hybrid:1|bruck";
    hesca_comm *c;
    trial t;
    int err, status = TOOL_NO;
    err = trial_begin(&t, names);
    if (err == HESCA_SUCCESS)
        err = hesca_comm_get(MPI_COMM_WORLD, &c);
    if (err == HESCA_SUCCESS)
        err = measure(x, &t);
    if (err == HESCA_SUCCESS) {
        const int one_node =
            c->node.n == c->size && c->params.transport != HESCA_TRANSPORT_MPI;
        status = t.rank == 0 ? tell(x, t.nprocs, one_node, c->load) : 0;
        MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (t.rank == 0) {
        complain("%s", hesca_error_text());
    }
    trial_end(&t);
    return status;
}

static int
parse(int argc, char **argv, probe *x)
{
    static const struct option names[] = {
        {"help", no_argument, NULL, 'h'},
        {"json", no_argument, NULL, 'j'},
        {"output", required_argument, NULL, 'o'},
        {"seconds", required_argument, NULL, 's'},
        {NULL, 0, NULL, 0}};
    int key;
    opterr = 0;
    for (;;) {
        const char *word = argv[optind];
        char *end = NULL;
        if ((key = getopt_long(argc, argv, ":o:h", names, NULL)) == -1)
            break;
        if (key == 'h')
            return -1;
        if (key == 'j')
            x->json = 1;
        else if (key == 'o')
            x->out = optarg;
        else if (key != 's')
            return complain(key == ':' ? "probe %s needs a value"
                                       : "probe does not know '%s'; see hesca "
                                         "probe --help",
                            word);
        if (key != 's')
            continue;
        x->seconds = strtod(optarg, &end);
        if (end == optarg || *end != '\0' || !(x->seconds > 0) ||
            x->seconds > 1000)
            return complain("probe --seconds is '%s': must be a number in 0 "
                            "... 1000",
                            optarg);
    }
    if (optind < argc)
        return complain("probe takes no argument '%s'", argv[optind]);
    return TOOL_YES;
}

int
probe_main(int argc, char **argv)
{
    static probe x = {.seconds = 10};
    int nprocs, rank;
    int status = parse(argc, argv, &x);
    if (status < 0)
        return help();
    if (status != TOOL_YES)
        return status;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (nprocs > 1)
        status = run(&x);
    else
        status = complain("probe needs at least two processes: mpiexec -n P "
                          "hesca probe");
    MPI_Finalize();
    return status;
}
