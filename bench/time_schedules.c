/* How good the choice of auto is: every schedule on real processes, over a
 * grid of cases.
 *
 * Usage: mpiexec -n P time_schedules [option]...
 *
 * A case is the redistribution from cyclic(x) to cyclic(Kx) of a row of
 * doubles on a line of all processes.  All cases and all schedules take turns,
 * so that what the machine does besides hits all of them; a time is the median
 * of batches of executions, the mean over the processes. */
#include "hesca/status.h"
#include "tools/lib/tools.h"
#include "tools/probe/redist_trial.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 16, CASES = LIST * LIST };

typedef struct {
    int64_t k[LIST], bytes[LIST];
    int nk, nbytes;
    double seconds;
    const char *csv;
    char schedules[200];
} options;

static int
help(void)
{
    printf("Usage: mpiexec -n P time_schedules [option]...\n"
           "Time every schedule over a grid of cases, and tell how far the "
           "one that auto chooses\nis from the best.\n\n"
           "  --k K,...         factors of the block size (2, P/2, P-1, P)\n"
           "  --bytes B,...     bytes of a process, about "
           "(64,1024,16384,262144)\n"
           "  --schedules A|... which ones (direct|direct-async|indirect|\n"
           "                    hybrid:1|hybrid:2|hybrid:3|bruck)\n"
           "  --seconds S       time to spend (30)\n"
           "  --csv FILE        a line per case and schedule; - is stdout\n"
           "  --help            print this\n\n"
           "Exit status: 0, 1 if HESCA fails, 2 for wrong usage.\n");
    return TOOL_YES;
}

/* ------------------------------------------------ options */

/* A list of numbers from 1 on; 0 if it is malformed. */
static int
parse_list(const char *text, int64_t *list)
{
    int n = 0;
    for (char *end; n < LIST; text = end + 1) {
        list[n] = strtoll(text, &end, 10);
        if (end == text || list[n] < 1 || list[n] > 1 << 30)
            return 0;
        ++n;
        if (*end == '\0')
            return n;
        if (*end != ',')
            return 0;
    }
    return 0;
}

static int
set_option(options *o, int key, const char *value)
{
    char *end;
    switch (key) {
    case 'k':
        return (o->nk = parse_list(value, o->k)) > 0;
    case 'b':
        return (o->nbytes = parse_list(value, o->bytes)) > 0;
    case 'S':
        return snprintf(o->schedules, sizeof o->schedules - 5, "%s", value) <
               (int)sizeof o->schedules - 5;
    case 's':
        o->seconds = strtod(value, &end);
        return end != value && *end == '\0' && o->seconds > 0 &&
               o->seconds < 1e5;
    default:
        o->csv = value;
        return 1;
    }
}

/* The exit status, or -1 to go on. */
static int
parse(int argc, char **argv, options *o)
{
    static const struct option names[] = {
        {"help", no_argument, NULL, 'h'},
        {"k", required_argument, NULL, 'k'},
        {"bytes", required_argument, NULL, 'b'},
        {"schedules", required_argument, NULL, 'S'},
        {"seconds", required_argument, NULL, 's'},
        {"csv", required_argument, NULL, 'c'},
        {NULL, 0, NULL, 0}};
    int key, index = 0;
    opterr = 0;
    for (;;) {
        const char *word = argv[optind];
        if ((key = getopt_long(argc, argv, ":h", names, &index)) == -1)
            break;
        if (key == 'h')
            return help();
        if (key == '?' || key == ':')
            return complain(key == ':' ? "%s needs a value"
                                       : "there is no option '%s'; see --help",
                            word);
        if (!set_option(o, key, optarg))
            return complain("--%s is '%s'; see --help", names[index].name,
                            optarg);
    }
    return optind < argc ? complain("there is no argument '%s'; see --help",
                                    argv[optind])
                         : -1;
}

static int
list_cases(const options *o, int nprocs, trial_case *cases)
{
    static const int64_t usual[] = {64, 1024, 16384, 262144};
    const int64_t k[4] = {2, nprocs / 2, nprocs - 1, nprocs};
    const int64_t *ks = o->nk > 0 ? o->k : k;
    const int64_t *sizes = o->nbytes > 0 ? o->bytes : usual;
    int n = 0;
    for (int i = 0; i < (o->nk > 0 ? o->nk : 4); ++i)
        for (int j = 0; j < (o->nbytes > 0 ? o->nbytes : 4); ++j)
            if (ks[i] > 1 && (i == 0 || ks[i] > ks[i - 1] || o->nk > 0))
                cases[n++] = (trial_case){ks[i], sizes[j]};
    return n;
}

/* ------------------------------------------------ results */

/* What auto executes is the plan of the schedule that it chose, so where that
 * one was timed, too, there are two samples of the same: both get the mean. */
static void
pool(const trial *t, trial_time *x)
{
    trial_time *chosen = &x[t->n - 1];
    for (int i = 0; i + 1 < t->n; ++i)
        if (x[i].served && strcmp(t->name[i], chosen->info.schedule) == 0)
            x[i].median = chosen->median = (x[i].median + chosen->median) / 2;
}

/* The single schedule that was fastest; auto is the last. */
static int
best_of(const trial *t, const trial_time *x)
{
    int best = -1;
    for (int i = 0; i + 1 < t->n; ++i)
        if (x[i].served && (best < 0 || x[i].median < x[best].median))
            best = i;
    return best;
}

static void
print_case(const trial *t, const trial_case *c, const trial_time *x)
{
    const int best = best_of(t, x), last = t->n - 1;
    printf("%5lld %9lld", (long long)c->k, (long long)c->bytes);
    for (int i = 0; i < last; ++i)
        if (x[i].served)
            printf(" %11.1f%c", 1e6 * x[i].median, i == best ? '*' : ' ');
        else
            printf(" %11s ", "-");
    printf(" %11.1f  %5.2f  %s\n", 1e6 * x[last].median,
           x[last].median / x[best].median, x[last].info.schedule);
}

static void
print_table(const trial *t, int n, const trial_case *cases,
            const trial_time *time)
{
    const int last = t->n - 1;
    int near = 0;
    double worst = 0;
    printf("%d processes; medians in us; * is the best single schedule\n"
           "    K     bytes",
           t->nprocs);
    for (int i = 0; i < last; ++i)
        printf(" %11s ", t->name[i]);
    printf(" %11s  %5s  %s\n", "auto", "/best", "it chose");
    for (int c = 0; c < n; ++c) {
        const trial_time *x = &time[c * t->n];
        const double ratio = x[last].median / x[best_of(t, x)].median;
        print_case(t, &cases[c], x);
        near += ratio <= 1.1;
        worst = ratio > worst ? ratio : worst;
    }
    printf("auto is within 10 %% of the best in %d of %d cases (%.0f %%), at "
           "worst %.2f times as slow\n",
           near, n, 100.0 * near / n, worst);
}

static int
write_csv(const char *path, const trial *t, int n, const trial_case *cases,
          const trial_time *time)
{
    FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (f == NULL)
        return complain("%s cannot be written", path);
    fprintf(f, "processes,k,bytes,schedule,chosen,transport,steps,median_s,"
               "predicted_s\n");
    for (int k = 0; k < n * t->n; ++k) {
        const trial_case *c = &cases[k / t->n];
        const trial_time *x = &time[k];
        if (x->served)
            fprintf(f, "%d,%lld,%lld,%s,%s,%s,%d,%.9g,%.9g\n", t->nprocs,
                    (long long)c->k, (long long)c->bytes, t->name[k % t->n],
                    x->info.schedule, x->info.transport, x->info.nsteps,
                    x->median, x->info.predicted_seconds);
    }
    if (f != stdout && fclose(f) != 0)
        return complain("%s cannot be written", path);
    return TOOL_YES;
}

static int
run(options *o)
{
    static trial_case cases[CASES];
    static trial_time time[CASES * TRIAL_SCHEDULES];
    trial t;
    int status = TOOL_YES;
    strcat(o->schedules, "|auto");
    int err = trial_begin(&t, o->schedules);
    const int n = list_cases(o, t.nprocs, cases);
    if (err == HESCA_SUCCESS)
        err = trial_run(&t, n, cases, o->seconds, time);
    if (err < 0) {
        status = TOOL_NO;
        if (t.rank == 0)
            complain("%s", hesca_error_text());
    } else if (t.rank == 0) {
        for (int c = 0; c < n; ++c)
            pool(&t, &time[c * t.n]);
        print_table(&t, n, cases, time);
        if (o->csv != NULL)
            status = write_csv(o->csv, &t, n, cases, time);
    }
    trial_end(&t);
    return status;
}

int
main(int argc, char **argv)
{
    options o = {.seconds = 30,
                 .schedules = "direct|direct-async|indirect|hybrid:1|hybrid:2|"
                              "hybrid:3|bruck"};
    tool_name = "time_schedules";
    int status = parse(argc, argv, &o);
    if (status >= 0)
        return status;
    MPI_Init(&argc, &argv);
    status = run(&o);
    MPI_Finalize();
    return status;
}
