/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/sim/sim_options.h"
#include "machine/quantity.h"
#include "tools/lib/cmdline.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

const char *const sim_pattern_name[SIM_PATTERNS] = {
    [SIM_REDIST] = "redist",
    [SIM_EXCHANGE] = "exchange",
    [SIM_BCAST] = "bcast",
    [SIM_MULTICAST] = "multicast"};

enum {
    REDIST = 1 << SIM_REDIST,
    EXCHANGE = 1 << SIM_EXCHANGE,
    MULTICAST = 1 << SIM_MULTICAST,
    CAST = 1 << SIM_BCAST | MULTICAST,
    EVENTS = REDIST | EXCHANGE,
    ALL = EVENTS | CAST
};

#define KINDS "het|col|clusters|gusto"
#define RANGE "LOW:HIGH"

/* ------------------------------------------------ values
 * Each function returns 1, or 0 after an error message. */

typedef sim_options options;

static int
set_range(const cmdline_row *r, const char *value, hesca_quantity q,
          hesca_range *range)
{
    char low[64];
    const char *colon = strchr(value, ':');
    hesca_range x = *range;
    const size_t n = colon == NULL ? sizeof low : (size_t)(colon - value);
    if (n >= sizeof low)
        return cmdline_bad(r, value);
    memcpy(low, value, n);
    low[n] = '\0';
    if (!hesca_quantity_parse(q, low, &x.low) ||
        !hesca_quantity_parse(q, colon + 1, &x.high))
        return cmdline_complain("--%s '%s': both must be %s", r->name, value,
                                hesca_quantity_rule(q));
    if (x.low > x.high)
        return cmdline_complain("--%s '%s': the first is more than the second",
                                r->name, value);
    *range = x;
    return 1;
}

static int
set_startup(const cmdline_row *r, const char *value, void *range)
{
    return set_range(r, value, HESCA_SECONDS, range);
}

static int
set_rate(const cmdline_row *r, const char *value, void *range)
{
    return set_range(r, value, HESCA_RATE, range);
}

static int
set_kind(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    const hesca_machine_kind *kind = hesca_machine_kind_find(value);
    if (kind == NULL)
        return cmdline_bad(r, value);
    o->kind = *kind;
    o->machine = NULL;
    return 1;
}

static int
set_log(const cmdline_row *r, const char *value, void *to)
{
    hesca_machine_kind *kind = to;
    (void)r, (void)value;
    kind->inside.startup.is_log = kind->inside.rate.is_log = 1;
    kind->between.startup.is_log = kind->between.rate.is_log = 1;
    return 1;
}

static int
set_names(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    o->nnames = 0;
    return strcmp(value, "all") == 0 ||
           cmdline_names(r, value, o->name[0], sizeof o->name[0], SIM_NAMES,
                         &o->nnames);
}

static int
set_layout(const cmdline_row *r, const char *value, void *layout)
{
    const char *must = request_layout_scan(value, layout);
    return must == NULL ||
           cmdline_complain("--%s '%s': must be %s", r->name, value, must);
}

/* ------------------------------------------------ the table
 * The bits of a row are the patterns that it is for. */

static const cmdline_grouped table[] = {
    {ALL, OPT_LIST("procs", "P,...", "processes; also FIRST:LAST[:STEP] (16)",
                   procs, nprocs, 2, SIM_PROCS)},
    {REDIST,
     OPT_LIST("k", "K,...", "R_x(K,P): from cyclic(x) to cyclic(K x) (P - 1)",
              k, nk, 1, 1 << 20)},
    {REDIST,
     OPT_INT("x", "X", "R_x(K,P): first block size (1)", x, 1, 1 << 20)},
    {REDIST, OPT_NUMBER("elements", "N", "R_x(K,P): of the array (10000000)",
                        elements, 1, INT64_C(1) << 40)},
    {REDIST, OPT_FIELD("from", "LAYOUT",
                       "of A, instead of R_x(K,P): PxQ[@FIRST]:MBxNB[:RSRC,",
                       set_layout, general.a)},
    {REDIST, OPT_MORE("CSRC], as for hesca plan")},
    {REDIST, OPT_FIELD("to", "LAYOUT", "of B", set_layout, general.b)},
    {REDIST, OPT_NUMBER("m", "M", "rows of A and B, with --from and --to",
                        general.m, 1, INT32_MAX)},
    {REDIST,
     OPT_NUMBER("n", "N", "columns of A and B", general.n, 1, INT32_MAX)},
    {REDIST, OPT_NUMBER("esize", "BYTES", "of an element (8)", general.esize,
                        1, 1 << 20)},
    {EXCHANGE | CAST,
     OPT_RANGE("bytes", "B", "of a message, a large one (1e6)", sizes.large, 1,
               1e15)},
    {EXCHANGE, OPT_CHOICE("sizes", "fixed|mixed|servers",
                          "all large; large or small at random; large from",
                          sizes.kind)},
    {EXCHANGE, OPT_MORE("servers to clients, else small (fixed)")},
    {EXCHANGE, OPT_RANGE("small", "B", "bytes of a small message (1e3)",
                         sizes.small, 1, 1e15)},
    {EXCHANGE, OPT_RANGE("servers", "SHARE", "of the processes (0.2)",
                         sizes.servers, 0, 1)},
    {MULTICAST, OPT_LIST("dests", "D,...",
                         "how many destinations, drawn at random (P / 2)",
                         dests, ndests, 1, SIM_PROCS)},
    {CAST, OPT_INT("root", "R", "the process that has the message (0)", root,
                   0, SIM_PROCS - 1)},
    {MULTICAST,
     OPT_FLAG("relays", "others than destinations may forward", relays)},
    {CAST,
     OPT_INT("copies", "1|2", "each destination gets the message so often (1)",
             copies, 1, 2)},
    {CAST, OPT_FLAG("non-blocking", "a sender is free after the start-up",
                    is_nonblocking)},
    {MULTICAST,
     OPT_INT("casts", "N", "so many at once, from roots R, R + 1, ... (1)",
             problems, 1, 64)},
    {CAST,
     OPT_FLAG("failures", "which processes the message reaches if one fails",
              failures)},
    {EVENTS, OPT_RANGE("drift", "X",
                       "real times are 1 - X to 1 + X of the planned ones (0)",
                       drift.spread, 0, 0.99)},
    {EVENTS,
     OPT_RANGE("slow", "X",
               "and 1 to X times as long for a sender, for a receiver (1)",
               drift.slow, 1, 1000)},
    {EVENTS,
     OPT_FLAG("refine",
              "if that is known before: the plan refined, or made again",
              is_refined)},
    {EVENTS,
     OPT_CHOICE("reschedule", "event|half",
                "order again on the way: after every message, or", policy)},
    {EVENTS, OPT_MORE("after half of what is left")},
    {EVENTS,
     OPT_RANGE("threshold", "X", "if times differ by more than this (0.1)",
               threshold, 0, 100)},
    {ALL, OPT_SET("schedule", "NAME,...", "which ones (all)", set_names)},
    {ALL,
     OPT_TEXT("machine", "FILE",
              "a machine file with hosts, which processes fill", machine)},
    {ALL, OPT_MORE("in blocks, instead of random networks")},
    {ALL, OPT_SET("random", KINDS,
                  "networks, see below; comes before options that", set_kind)},
    {ALL, OPT_MORE("change them")},
    {ALL, OPT_FIELD("startup", RANGE,
                    "of random networks, inside clusters: 2ms:40ms",
                    set_startup, kind.inside.startup)},
    {ALL, OPT_FIELD("rate", RANGE, "the same: 10MB/s:200MB/s", set_rate,
                    kind.inside.rate)},
    {ALL, OPT_FIELD("between-startup", RANGE, "the same, between clusters",
                    set_startup, kind.between.startup)},
    {ALL, OPT_FIELD("between-rate", RANGE, "the same", set_rate,
                    kind.between.rate)},
    {ALL, OPT_INT("clusters", "N", "how many", kind.nclusters, 1, SIM_PROCS)},
    {ALL, OPT_FLAG("symmetric", "the same both ways", kind.is_symmetric)},
    {ALL,
     OPT_FIELD("log", NULL, "the logarithms of costs are uniform, not costs",
               set_log, kind)},
    {ALL, OPT_INT("seed", "S", "of all random numbers (1)", seed, 0, INT_MAX)},
    {ALL, OPT_INT("runs", "N", "random networks and sizes to average over (1)",
                  runs, 1, 1000000)},
    {ALL, OPT_TEXT("csv", "FILE", "results as CSV, too; - is stdout", csv)},
    {ALL, OPT_TEXT("json", "FILE", "results as JSON, too; - is stdout", json)},
    {ALL, OPT_TEXT("events", "FILE", "the messages of one run, for hesca draw",
                   events)},
    {ALL, OPT_TEXT("svg", "FILE", "its timing diagrams", svg)},
    {ALL, OPT_TEXT("html", "FILE", "the same as a page to zoom in", html)},
    {ALL,
     OPT_INT("run", "N", "which run is drawn, from 0 (0)", shown, 0, 1000000)},
};

enum { NROWS = sizeof table / sizeof *table };

/* ------------------------------------------------ help
 * Help shows the options of the current pattern only. */

static const char *const what[SIM_PATTERNS] = {
    [SIM_REDIST] = "a redistribution",
    [SIM_EXCHANGE] = "an all-to-all exchange",
    [SIM_BCAST] = "a broadcast",
    [SIM_MULTICAST] = "a broadcast to some of the processes"};

static const char about[] =
    "\nRandom networks (start-up times, rates):\n"
    "  het       none, 10 to 200 MB/s\n"
    "  col       10 us to 1 ms, 10 kB/s to 200 MB/s\n"
    "  clusters  two halves; inside 10 us to 1 ms, 10 to 200 MB/s; between\n"
    "            them 1 to 20 ms, 10 to 50 kB/s\n"
    "  gusto     12 to 89.5 ms, 246 to 2044 kbit/s, the same both ways\n"
    "All are uniform in their ranges, drawn for each pair of processes, each "
    "way.  A run\n"
    "depends on seed and number alone, so all schedules, and values of other "
    "options,\n"
    "meet the same networks.\n\n"
    "Exit status: 0, or 2 for wrong usage or if it cannot be done.\n";

static sim_pattern current;

static void
help(void)
{
    cmdline_row rows[NROWS];
    printf("Usage: hesca sim %s [option]...\n"
           "How long %s takes by different schedules\nwhere links "
           "differ: simulated, averaged over random networks.\n"
           "Parentheses: defaults.\n\n",
           sim_pattern_name[current], what[current]);
    cmdline_print(rows, cmdline_select(table, NROWS, (int)current, rows));
    fputs(about, stdout);
}

/* ------------------------------------------------ all of it
 * Options are checked together after all of them have been read. */

/* What depends on several options. */
static int
check(const sim_options *o)
{
    const hesca_range *s[] = {&o->kind.inside.startup,
                              &o->kind.between.startup};
    const request *g = &o->general;
    const int given =
        (g->m > 0) + (g->n > 0) + (g->a.nprow > 0) + (g->b.nprow > 0);
    for (int k = 0; k < 2; ++k)
        if (s[k]->is_log && !(s[k]->low > 0) && s[k]->high > 0)
            return cmdline_complain("--log needs start-up times above 0");
    if (given != 0 && given != 4)
        return cmdline_complain("--m, --n, --from and --to go together");
    if (given != 0 && (o->nprocs > 0 || o->nk > 0))
        return cmdline_complain("--procs and --k do not go with --from");
    if (o->problems > 1 && (o->copies > 1 || o->failures || o->is_nonblocking))
        return cmdline_complain(
            "--casts does not go with --copies, --failures "
            "and --non-blocking");
    if (o->csv != NULL && o->json != NULL && strcmp(o->csv, "-") == 0 &&
        strcmp(o->json, "-") == 0)
        return cmdline_complain("only one of --csv and --json can go to "
                                "stdout");
    if (o->shown >= o->runs)
        return cmdline_complain("--run '%d': there are %d runs, from 0 on",
                                o->shown, o->runs);
    return 1;
}

int
sim_options_read(sim_options *o, sim_pattern pattern, int argc, char **argv)
{
    static const char *const kind[SIM_PATTERNS] = {[SIM_REDIST] = "het",
                                                   [SIM_EXCHANGE] = "gusto",
                                                   [SIM_BCAST] = "col",
                                                   [SIM_MULTICAST] = "col"};
    cmdline_row rows[NROWS];
    const cmdline line = {"hesca sim", rows,
                          cmdline_select(table, NROWS, (int)pattern, rows),
                          help, 0};
    *o = (sim_options){
        .pattern = pattern,
        .kind = *hesca_machine_kind_find(kind[pattern]),
        .seed = 1,
        .runs = 1,
        .x = 1,
        .elements = 10000000,
        .general = {.esize = 8, .ia = 1, .ja = 1, .ib = 1, .jb = 1},
        .sizes = {HESCA_SIZES_FIXED, 1e3, 1e6, 0.2},
        .drift = {0, 1},
        .threshold = 0.1,
        .copies = 1,
        .problems = 1};
    current = pattern;
    const int is = cmdline_read(&line, argc, argv, o, NULL);
    if (is != CMDLINE_GO)
        return is;
    if (!check(o))
        return CMDLINE_BAD;
    o->is_resched = cmdline_is_given("reschedule");
    if (o->nprocs == 0)
        o->procs[o->nprocs++] = 16;
    return CMDLINE_GO;
}
