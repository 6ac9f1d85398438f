/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca sim: schedules on a simulated clock. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base/status.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/tools.h"
#include "tools/sim/sim.h"
#include "tools/sim/timeline.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int
help(void)
{
    printf(
        "Usage: hesca sim PATTERN [option]...\n"
        "Simulate how long communication takes on networks of unequal links, "
        "by different\n"
        "schedules: nothing is sent.\n"
        "\n"
        "  redist     a redistribution: R_x(K,P), from block size x to K x, "
        "on P\n"
        "             processes in one dimension; or between any two layouts\n"
        "  exchange   an all-to-all exchange\n"
        "  bcast      a broadcast\n"
        "  multicast  a broadcast to some of the processes\n"
        "\n"
        "hesca sim PATTERN --help says more.  Numbers may be lists, as "
        "FIRST:LAST[:STEP];\n"
        "--sizes mixed: messages of mixed lengths, as in BHAT-EXC "
        "(doc/het.md).\n"
        "\n"
        "Examples:\n"
        "  hesca sim redist --procs 64 --k 9:63:9\n"
        "  hesca sim exchange --procs 8 --sizes mixed --html mixed.html\n"
        "  hesca sim bcast --procs 3:10 --runs 1000 --csv bcast.csv\n"
        "  hesca sim multicast --procs 100 --dests 5:90:5 --runs 100\n"
        "\n"
        "Exit status: 0, or 2 for wrong usage or if it cannot be done.\n");
    return TOOL_YES;
}

/* ------------------------------------------------ functions of all patterns
 */

double
sim_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Consecutive processes share a host; with fewer processes than hosts the last
 * hosts have none. */
int
sim_network(const sim_state *s, int nproc, hesca_random *r, hesca_network *x)
{
    const int nhosts = s->machine.nhosts;
    if (s->o->machine == NULL)
        return hesca_generate_network(&s->o->kind, nproc, r, x);
    int *host = malloc((size_t)nproc * sizeof *host);
    if (host == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", nproc);
    for (int p = 0; p < nproc; ++p)
        host[p] = nproc < nhosts ? p : (int)((long long)p * nhosts / nproc);
    const int err = hesca_network_of_hosts(&s->machine, nproc, host, x);
    free(host);
    return err;
}

void
sim_begin(sim_state *s, int procs, int k, int dests)
{
    s->procs = procs;
    if (s->trace_procs == 0)
        s->trace_procs = procs;
    s->k = k;
    s->dests = dests;
    s->nruns = s->nscores = 0;
    s->bound = s->messages = 0;
}

sim_score *
sim_enter(sim_state *s, const char *name)
{
    sim_score *score = &s->score[s->nscores++];
    *score = (sim_score){.n = 0};
    snprintf(score->name, sizeof score->name, "%s", name);
    return score;
}

void
sim_count(sim_score *score, double finish, double bound,
          const sim_result *result)
{
    const double ratio = bound > 0 ? finish / bound : 1;
    sim_result *sum = &score->sum;
    if (score->n == 0 || finish < score->least)
        score->least = finish;
    if (finish > score->most)
        score->most = finish;
    if (ratio > score->ratio_most)
        score->ratio_most = ratio;
    score->finish += finish;
    score->ratio += ratio;
    sum->real += result->real;
    sum->resched += result->resched;
    sum->changes += result->changes;
    sum->refined += result->refined;
    sum->replanned += result->replanned;
    sum->sequential += result->sequential;
    sum->sends += result->sends;
    sum->reached += result->reached;
    sum->reached_least += result->reached_least;
    sum->plan += result->plan;
    ++score->n;
}

int
sim_is_real(const sim_options *o)
{
    return o->drift.spread > 0 || o->drift.slow > 1;
}

int
sim_is_shown(const sim_state *s, int run)
{
    const sim_options *o = s->o;
    return run == o->shown && s->out.nrows == 0 &&
           (o->events != NULL || o->svg != NULL || o->html != NULL);
}

/* ------------------------------------------------ one pattern
 * The trace has the first configuration only. */

static int
write_events(const hesca_trace *t, const char *path)
{
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return cmdline_fail("%s: %s", path, strerror(errno));
    hesca_trace_put_head(f);
    for (int64_t k = 0; k < t->n; ++k)
        hesca_trace_put(f, &t->row[k]);
    const int bad = ferror(f);
    return (fclose(f) == 0 && !bad) ||
           cmdline_fail("%s: cannot be written", path);
}

static int
write_pictures(const sim_state *s)
{
    const sim_options *o = s->o;
    timeline t;
    char heading[200];
    snprintf(heading, sizeof heading,
             "hesca sim %s: %d processes, machine %.80s, seed %d, run %d",
             sim_pattern_name[o->pattern], s->trace_procs,
             o->machine != NULL ? o->machine : o->kind.name, o->seed,
             o->shown);
    if (timeline_make(&t, &s->trace, heading, s->trace_bound) < 0)
        return cmdline_fail("%s", hesca_error_text());
    const int ok =
        (o->svg == NULL || timeline_write(&t, o->svg, 0) == TOOL_YES) &&
        (o->html == NULL || timeline_write(&t, o->html, 1) == TOOL_YES);
    timeline_clear(&t);
    return ok;
}

static int
run(sim_state *s)
{
    const sim_options *o = s->o;
    const int ok = o->pattern == SIM_REDIST || o->pattern == SIM_EXCHANGE
                       ? sim_exchange(s)
                       : sim_bcast(s);
    if (!ok)
        return 0;
    if (o->events != NULL && !write_events(&s->trace, o->events))
        return 0;
    return (o->svg == NULL && o->html == NULL) || write_pictures(s);
}

static int
read_machine(sim_state *s)
{
    if (s->o->machine == NULL)
        return 1;
    if (hesca_machine_read(s->o->machine, &s->machine) < 0)
        return cmdline_fail("%s", hesca_error_text());
    return s->machine.nhosts > 0 ||
           cmdline_fail("--machine '%s': has no hosts", s->o->machine);
}

static int
find_pattern(const char *name)
{
    int k = 0;
    while (k < SIM_PATTERNS && strcmp(name, sim_pattern_name[k]) != 0)
        ++k;
    return k;
}

int
sim_main(int argc, char **argv)
{
    static sim_options o;
    static sim_state s = {.o = &o};
    if (argc < 2)
        return complain("sim needs a pattern; see hesca sim --help");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help();
    const int pattern = find_pattern(argv[1]);
    if (pattern == SIM_PATTERNS)
        return complain("sim knows no pattern '%s'; see hesca sim --help",
                        argv[1]);
    const int what =
        sim_options_read(&o, (sim_pattern)pattern, argc - 1, argv + 1);
    if (what != CMDLINE_GO)
        return what == CMDLINE_HELP ? TOOL_YES : TOOL_BAD;
    int ok = read_machine(&s) && sim_open(&s);
    if (ok) {
        ok = run(&s);
        ok = fields_close(&s.out) && ok;
    }
    hesca_trace_clear(&s.trace);
    hesca_machine_clear(&s.machine);
    return ok ? TOOL_YES : TOOL_BAD;
}
