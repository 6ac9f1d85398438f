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

/* A row is for the patterns of its bits. */
static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', 0, ALL},
    {"procs", "P,...", "processes; also FIRST:LAST[:STEP] (16)", 'p', 0, ALL},
    {"k", "K,...", "R_x(K,P): from cyclic(x) to cyclic(K x) (P - 1)", 'k', 0,
     REDIST},
    {"x", "X", "R_x(K,P): first block size (1)", 'x', 0, REDIST},
    {"elements", "N", "R_x(K,P): of the array (10000000)", 'E', 0, REDIST},
    {"from", "LAYOUT", "of A, instead of R_x(K,P): PxQ[@FIRST]:MBxNB[:RSRC,",
     'a', 0, REDIST},
    {NULL, NULL, "CSRC], as for hesca plan", 0, 0, REDIST},
    {"to", "LAYOUT", "of B", 'b', 0, REDIST},
    {"m", "M", "rows of A and B, with --from and --to", 'm', 0, REDIST},
    {"n", "N", "columns of A and B", 'n', 0, REDIST},
    {"esize", "BYTES", "of an element (8)", 'e', 0, REDIST},
    {"bytes", "B", "of a message, a large one (1e6)", 'B', 0, EXCHANGE | CAST},
    {"sizes", "fixed|mixed|servers",
     "all large; large or small at random; large from", 's', 0, EXCHANGE},
    {NULL, NULL, "servers to clients, else small (fixed)", 0, 0, EXCHANGE},
    {"small", "B", "bytes of a small message (1e3)", 'S', 0, EXCHANGE},
    {"servers", "SHARE", "of the processes (0.2)", 'V', 0, EXCHANGE},
    {"dests", "D,...", "how many destinations, drawn at random (P / 2)", 'd',
     0, MULTICAST},
    {"root", "R", "who has the message (0)", 'r', 0, CAST},
    {"relays", NULL, "others than destinations may forward", 'R', 0,
     MULTICAST},
    {"copies", "1|2", "each destination gets the message so often (1)", 'c', 0,
     CAST},
    {"non-blocking", NULL, "a sender is free after the start-up", 'N', 0,
     CAST},
    {"casts", "N", "so many at once, from roots R, R + 1, ... (1)", 'o', 0,
     MULTICAST},
    {"failures", NULL, "whom the message reaches if one process fails", 'F', 0,
     CAST},
    {"drift", "X", "real times are 1 - X to 1 + X of the planned ones (0)",
     'D', 0, EVENTS},
    {"slow", "X", "and 1 to X times as long for a sender, for a receiver (1)",
     'W', 0, EVENTS},
    {"refine", NULL, "if that is known before: the plan refined, or made anew",
     'I', 0, EVENTS},
    {"reschedule", "event|half",
     "order anew on the way: after every message, "
     "or after",
     'Q', 0, EVENTS},
    {NULL, NULL, "half of what is left", 0, 0, EVENTS},
    {"threshold", "X", "if times differ by more than this (0.1)", 'O', 0,
     EVENTS},
    {"schedule", "NAME,...", "which ones (all)", 'q', 0, ALL},
    {"machine", "FILE", "a machine file with hosts, which processes fill", 'M',
     0, ALL},
    {NULL, NULL, "in blocks, instead of random machines", 0, 0, ALL},
    {"random", KINDS, "machines, see below; comes before options that", 'K', 0,
     ALL},
    {NULL, NULL, "change them", 0, 0, ALL},
    {"startup", RANGE, "of random machines, inside clusters: 2ms:40ms", 't', 0,
     ALL},
    {"rate", RANGE, "the same: 10MB/s:200MB/s", 'T', 0, ALL},
    {"between-startup", RANGE, "the same, between clusters", 'u', 0, ALL},
    {"between-rate", RANGE, "the same", 'U', 0, ALL},
    {"clusters", "N", "how many", 'C', 0, ALL},
    {"symmetric", NULL, "the same both ways", 'y', 0, ALL},
    {"log", NULL, "the logarithms of costs are uniform, not costs", 'l', 0,
     ALL},
    {"seed", "S", "of all random numbers (1)", 'i', 0, ALL},
    {"runs", "N", "random machines and sizes to average over (1)", 'j', 0,
     ALL},
    {"csv", "FILE", "results as CSV, too; - is stdout", 'v', 0, ALL},
    {"json", "FILE", "results as JSON, too; - is stdout", 'J', 0, ALL},
    {"events", "FILE", "the messages of one run, for hesca draw", 'z', 0, ALL},
    {"svg", "FILE", "its timing diagrams", 'g', 0, ALL},
    {"html", "FILE", "the same as a page to zoom in", 'H', 0, ALL},
    {"run", "N", "which run is drawn, from 0 (0)", 'w', 0, ALL},
};

enum { NROWS = sizeof table / sizeof *table };

/* ------------------------------------------------ help */

static const char *const what[SIM_PATTERNS] = {
    [SIM_REDIST] = "a redistribution between different links",
    [SIM_EXCHANGE] = "a total exchange, all to all,",
    [SIM_BCAST] = "a broadcast",
    [SIM_MULTICAST] = "a multicast"};

static const char about[] =
    "\nRandom machines (start-up times, rates):\n"
    "  het       none, 10 to 200 MB/s\n"
    "  col       10 us to 1 ms, 10 kB/s to 200 MB/s\n"
    "  clusters  two halves; inside 10 us to 1 ms, 10 to 200 MB/s; between\n"
    "            them 1 to 20 ms, 10 to 50 kB/s\n"
    "  gusto     12 to 89.5 ms, 246 to 2044 kbit/s, the same both ways\n"
    "All are uniform in their ranges, drawn for each pair of processes, each "
    "way.  A run\n"
    "depends on seed and number alone, so all schedules, and values of other "
    "options,\n"
    "meet the same machines.\n\n"
    "Exit status: 0, or 2 if it cannot be done.\n";

static sim_pattern current;

static void
help(void)
{
    cmdline_row rows[NROWS];
    printf("Usage: hesca sim %s [option]...\n"
           "How long %s would take by different\nschedules where links "
           "differ: on a simulated clock, averaged over random machines.\n\n",
           sim_pattern_name[current], what[current]);
    cmdline_print(rows, cmdline_select(table, NROWS, (int)current, rows));
    fputs(about, stdout);
}

/* ------------------------------------------------ values */

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
set_bytes(const cmdline_row *r, const char *value, double *bytes)
{
    return cmdline_real(r, value, bytes) &&
           ((*bytes >= 1 && *bytes <= 1e15) ||
            cmdline_complain("--%s '%s': must be from 1 to 1e15", r->name,
                             value));
}

/* A share below 1, or up to it. */
static int
set_share(const cmdline_row *r, const char *value, double most, double *share)
{
    return cmdline_real(r, value, share) &&
           (*share <= most ||
            cmdline_complain("--%s '%s': must be from 0 to %g", r->name, value,
                             most));
}

static int
set_kind(const cmdline_row *r, const char *value, sim_options *o)
{
    const hesca_machine_kind *kind = hesca_machine_kind_find(value);
    if (kind == NULL)
        return cmdline_bad(r, value);
    o->kind = *kind;
    o->machine = NULL;
    return 1;
}

static int
set_names(const cmdline_row *r, const char *value, sim_options *o)
{
    o->nnames = 0;
    return strcmp(value, "all") == 0 ||
           cmdline_names(r, value, o->name[0], sizeof o->name[0], SIM_NAMES,
                         &o->nnames);
}

static int
set_layout(const cmdline_row *r, const char *value, request_layout *x)
{
    const char *must = request_layout_scan(value, x);
    return must == NULL ||
           cmdline_complain("--%s '%s': must be %s", r->name, value, must);
}

static int
set_size(const cmdline_row *r, const char *value, int64_t most, int64_t *size)
{
    int n;
    return cmdline_list(r, value, 1, most, size, 1, &n);
}

static int
set_log(sim_options *o)
{
    o->kind.inside.startup.is_log = o->kind.inside.rate.is_log = 1;
    o->kind.between.startup.is_log = o->kind.between.rate.is_log = 1;
    return 1;
}

static int
apply_machine(const cmdline_row *r, const char *value, sim_options *o)
{
    hesca_machine_kind *kind = &o->kind;
    switch (r->key) {
    case 'M':
        o->machine = value;
        return 1;
    case 'K':
        return set_kind(r, value, o);
    case 't':
        return set_range(r, value, HESCA_SECONDS, &kind->inside.startup);
    case 'T':
        return set_range(r, value, HESCA_RATE, &kind->inside.rate);
    case 'u':
        return set_range(r, value, HESCA_SECONDS, &kind->between.startup);
    case 'U':
        return set_range(r, value, HESCA_RATE, &kind->between.rate);
    case 'C':
        return cmdline_int(r, value, 1, SIM_PROCS, &kind->nclusters);
    case 'y':
        return kind->is_symmetric = 1;
    default:
        return set_log(o);
    }
}

static int
apply_drift(const cmdline_row *r, const char *value, sim_options *o)
{
    switch (r->key) {
    case 'D':
        return set_share(r, value, 0.99, &o->drift.spread);
    case 'I':
        return o->is_refined = 1;
    case 'Q':
        o->is_resched = 1;
        return cmdline_choice(r, value, &o->policy);
    case 'O':
        return set_share(r, value, 100, &o->threshold);
    default:
        return cmdline_real(r, value, &o->drift.slow) &&
               ((o->drift.slow >= 1 && o->drift.slow <= 1000) ||
                cmdline_complain("--%s '%s': must be from 1 to 1000", r->name,
                                 value));
    }
}

static int
apply_pattern(const cmdline_row *r, const char *value, sim_options *o)
{
    switch (r->key) {
    case 'k':
        return cmdline_list(r, value, 1, 1 << 20, o->k, SIM_LIST, &o->nk);
    case 'x':
        return cmdline_int(r, value, 1, 1 << 20, &o->x);
    case 'E':
        return set_size(r, value, INT64_C(1) << 40, &o->elements);
    case 'a':
        return set_layout(r, value, &o->general.a);
    case 'b':
        return set_layout(r, value, &o->general.b);
    case 'm':
        return set_size(r, value, INT32_MAX, &o->general.m);
    case 'n':
        return set_size(r, value, INT32_MAX, &o->general.n);
    case 'e':
        return set_size(r, value, 1 << 20, &o->general.esize);
    case 'B':
        return set_bytes(r, value, &o->sizes.large);
    case 'S':
        return set_bytes(r, value, &o->sizes.small);
    case 'V':
        return set_share(r, value, 1, &o->sizes.servers);
    case 'd':
        return cmdline_list(r, value, 1, SIM_PROCS, o->dests, SIM_LIST,
                            &o->ndests);
    case 'r':
        return cmdline_int(r, value, 0, SIM_PROCS - 1, &o->root);
    case 'R':
        return o->relays = 1;
    case 'c':
        return cmdline_int(r, value, 1, 2, &o->copies);
    case 'N':
        return o->is_nonblocking = 1;
    case 'o':
        return cmdline_int(r, value, 1, 64, &o->problems);
    case 'F':
        return o->failures = 1;
    default:
        return apply_drift(r, value, o);
    }
}

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    sim_options *o = to;
    int kind;
    switch (r->key) {
    case 'p':
        return cmdline_list(r, value, 2, SIM_PROCS, o->procs, SIM_LIST,
                            &o->nprocs);
    case 's':
        if (!cmdline_choice(r, value, &kind))
            return 0;
        o->sizes.kind = (hesca_sizes_kind)kind;
        return 1;
    case 'q':
        return set_names(r, value, o);
    case 'i':
        return cmdline_int(r, value, 0, INT_MAX, &o->seed);
    case 'j':
        return cmdline_int(r, value, 1, 1000000, &o->runs);
    case 'v':
        o->csv = value;
        return 1;
    case 'J':
        o->json = value;
        return 1;
    case 'z':
        o->events = value;
        return 1;
    case 'g':
        o->svg = value;
        return 1;
    case 'H':
        o->html = value;
        return 1;
    case 'w':
        return cmdline_int(r, value, 0, 1000000, &o->shown);
    default:
        return strchr("MKtTuUCyl", r->key) != NULL
                   ? apply_machine(r, value, o)
                   : apply_pattern(r, value, o);
    }
}

/* ------------------------------------------------ all of it */

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
                          help, apply};
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
    const int is = cmdline_read(&line, argc, argv, o);
    if (is != CMDLINE_GO)
        return is;
    if (!check(o))
        return CMDLINE_BAD;
    if (o->nprocs == 0)
        o->procs[o->nprocs++] = 16;
    return CMDLINE_GO;
}
