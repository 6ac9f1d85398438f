/* SPDX-License-Identifier: BSD-3-Clause */
/* Every parameter: its default, every value it accepts, and many it must not;
 * the texts of status codes. */
#include "testing/base/params.h"
#include <ctype.h>
#include <math.h>

static int
same(const hesca_params *x, const hesca_params *y)
{
    return x->verbose == y->verbose && x->fallback == y->fallback &&
           x->onerror == y->onerror && x->transport == y->transport &&
           x->wait == y->wait && x->buffer == y->buffer &&
           x->cache == y->cache && fabs(x->timeout - y->timeout) < 1e-12 &&
           x->node_size == y->node_size && x->checkpoint == y->checkpoint &&
           x->placement == y->placement &&
           x->placement_gridmap == y->placement_gridmap &&
           x->gemm == y->gemm && x->potrf == y->potrf &&
           x->getrf == y->getrf && x->job_order == y->job_order &&
           x->job_block == y->job_block &&
           strcmp(x->job_routine, y->job_routine) == 0 &&
           strcmp(x->map, y->map) == 0 &&
           strcmp(x->schedule, y->schedule) == 0 &&
           strcmp(x->exchange, y->exchange) == 0 &&
           strcmp(x->bcast, y->bcast) == 0 &&
           strcmp(x->trace, y->trace) == 0 &&
           strcmp(x->disable, y->disable) == 0;
}

/* What the documentation promises of unset variables. */
static void
defaults(void)
{
    const hesca_params expected = {.verbose = 0,
                                   .fallback = HESCA_FALLBACK_PRINT,
                                   .onerror = HESCA_ONERROR_ABORT,
                                   .transport = HESCA_TRANSPORT_AUTO,
                                   .buffer = (size_t)64 << 20,
                                   .cache = (size_t)16 << 20,
                                   .timeout = 0,
                                   .node_size = 0,
                                   .checkpoint = -1,
                                   .wait = HESCA_WAIT_AUTO,
                                   .placement = HESCA_PLACEMENT_AUTO,
                                   .gemm = HESCA_COMPUTE_AUTO,
                                   .job_order = 4000,
                                   .job_block = 64,
                                   .job_routine = "gemm",
                                   .schedule = "auto",
                                   .exchange = "auto",
                                   .bcast = "auto",
                                   .disable = ""};
    hesca_params got;
    memset(&got, 0x55, sizeof got);
    CHECK(read_with(NULL, NULL, &got) == HESCA_SUCCESS, "nothing set: %s",
          hesca_error_text());
    CHECK(same(&got, &expected),
          "verbose %d, fallback %d, onerror %d, transport %d, buffer %zu, "
          "cache %zu, timeout %g, node size %d, schedule %s, disable %s",
          got.verbose, (int)got.fallback, (int)got.onerror, (int)got.transport,
          got.buffer, got.cache, got.timeout, got.node_size, got.schedule,
          got.disable);
    for (int i = 0; i < NVARIABLES; ++i) {
        memset(&got, 0x55, sizeof got);
        check_accepted(variable[i], "", &got);
        CHECK(same(&got, &expected), "an empty %s is not the default",
              variable[i]);
        memset(&got, 0x55, sizeof got);
        check_accepted(variable[i], info_of(variable[i])->deflt, &got);
        CHECK(same(&got, &expected), "%s: '%s' is not the default",
              variable[i], info_of(variable[i])->deflt);
    }
}

static void
table(void)
{
    int n = 0;
    for (; hesca_param(n) != NULL; ++n) {
        const hesca_param_info *info = hesca_param(n);
        CHECK(strncmp(info->name, "HESCA_", 6) == 0, "row %d: %s", n,
              info->name);
        for (const char *p = info->name; *p != '\0'; ++p)
            CHECK(isupper((unsigned char)*p) || *p == '_', "row %d: %s", n,
                  info->name);
        CHECK(info->type[0] != '\0' && info->deflt != NULL &&
                  strlen(info->help) > 10,
              "row %d: %s", n, info->name);
        CHECK(strchr(info->help, '\n') == NULL, "row %d: %s", n, info->help);
        CHECK(info_of(info->name) == info, "row %d, %s, is there twice", n,
              info->name);
    }
    CHECK(n == NVARIABLES, "%d rows", n);
    for (int i = 0; i < NVARIABLES; ++i)
        CHECK(info_of(variable[i]) != NULL, "%s is missing", variable[i]);
    CHECK(hesca_param(-1) == NULL && hesca_param(n) == NULL &&
              hesca_param(n + 1000) == NULL && hesca_param(INT32_MIN) == NULL,
          "%d rows", n);
}

/* The value that a choice has set, as its position in the list. */
static int
chosen(const char *name, const hesca_params *p, const char *word)
{
    if (strcmp(name, "HESCA_VERBOSE") == 0)
        return p->summary ? 3 : p->verbose;
    if (strcmp(name, "HESCA_FALLBACK") == 0)
        return (int)p->fallback;
    if (strcmp(name, "HESCA_ONERROR") == 0)
        return (int)p->onerror;
    if (strcmp(name, "HESCA_TRANSPORT") == 0)
        return (int)p->transport;
    if (strcmp(name, "HESCA_WAIT") == 0)
        return (int)p->wait;
    if (strcmp(name, "HESCA_LEARN") == 0)
        return (int)p->learn;
    if (strcmp(name, "HESCA_GEMM") == 0)
        return (int)p->gemm;
    if (strcmp(name, "HESCA_POTRF") == 0)
        return (int)p->potrf;
    if (strcmp(name, "HESCA_GETRF") == 0)
        return (int)p->getrf;
    if (strcmp(name, "HESCA_REGRID") == 0)
        return (int)p->regrid;
    const char *text = strcmp(name, "HESCA_EXCHANGE") == 0 ? p->exchange
                       : strcmp(name, "HESCA_BCAST") == 0  ? p->bcast
                                                           : p->schedule;
    return strcmp(text, word) == 0 ? -1 : -2;
}

/* Almost a word of a list. */
static void
check_mutants(const char *name, const char *word)
{
    char mutant[100];
    static const char *const format[] = {" %s", "%s ",  "%s|", "|%s", "x%s",
                                         "%sx", "%s\n", "%s,", "-%s", "+%s"};
    for (size_t k = 0; k < sizeof format / sizeof *format; ++k) {
        snprintf(mutant, sizeof mutant, format[k], word);
        check_refused(name, mutant);
    }
    snprintf(mutant, sizeof mutant, "%s", word);
    mutant[strlen(word) - 1] = '\0';
    if (mutant[0] != '\0')
        check_refused(name, mutant);
    snprintf(mutant, sizeof mutant, "%s", word);
    mutant[0] = (char)toupper((unsigned char)mutant[0]);
    if (strcmp(mutant, word) != 0)
        check_refused(name, mutant);
}

static void
choices(void)
{
    static const char *const expected[][2] = {
        {"HESCA_VERBOSE", "0|1|2|summary"},
        {"HESCA_FALLBACK", "silent|print|error"},
        {"HESCA_ONERROR", "abort|return"},
        {"HESCA_TRANSPORT", "auto|mpi|shm|lend"},
        {"HESCA_WAIT", "auto|spin|polite"},
        {"HESCA_LEARN", "auto|on|off|frozen"},
        {"HESCA_GEMM", "auto|real|hohe|grid"},
        {"HESCA_POTRF", "auto|real|hohe|grid"},
        {"HESCA_GETRF", "auto|real|hohe|grid"},
        {"HESCA_REGRID", "auto|real|hohe|grid"},
        {"HESCA_SCHEDULE",
         "auto|direct-async|direct|indirect|hybrid:D|bruck|openshop|polished|"
         "openshop-lpt|maxmatch|minmatch|greedy|caterpillar|lcm|gcd|"
         "multiphase|two-phase|alltoall"},
        {"HESCA_EXCHANGE", "auto|caterpillar|greedy|minmatch|maxmatch|"
                           "openshop|openshop-lpt|polished"},
        {"HESCA_BCAST",
         "auto|sequential|binomial|fnf|fnf-min|fef|ecef|lookahead|"
         "lookahead-avg|lookahead-senders|near-far|progressive-mst|two-phase|"
         "balanced-mst|chain|graft|optimum"}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k) {
        const char *name = expected[k][0];
        char list[300], degree[] = "hybrid:3", *save = NULL;
        hesca_params params;
        int position = 0;
        CHECK(strcmp(info_of(name)->type, expected[k][1]) == 0, "%s is %s",
              name, info_of(name)->type);
        snprintf(list, sizeof list, "%s", expected[k][1]);
        check_refused(name, list);
        for (char *word = strtok_r(list, "|", &save); word != NULL;
             word = strtok_r(NULL, "|", &save), ++position) {
            if (strcmp(word, "hybrid:D") == 0)
                word = degree;
            check_accepted(name, word, &params);
            const int got = chosen(name, &params, word);
            CHECK(got == (k < 10 ? position : -1), "%s=%s gives %d", name,
                  word, got);
            check_mutants(name, word);
        }
    }
    static const char *const malformed[][2] = {
        {"HESCA_VERBOSE", "3"},
        {"HESCA_VERBOSE", "-1"},
        {"HESCA_VERBOSE", "01"},
        {"HESCA_VERBOSE", "yes"},
        {"HESCA_VERBOSE", "1.0"},
        {"HESCA_VERBOSE", "10"},
        {"HESCA_FALLBACK", "0"},
        {"HESCA_FALLBACK", "none"},
        {"HESCA_FALLBACK", "prin"},
        {"HESCA_ONERROR", "exit"},
        {"HESCA_ONERROR", "1"},
        {"HESCA_TRANSPORT", "0"},
        {"HESCA_TRANSPORT", "self"},
        {"HESCA_TRANSPORT", "shm+mpi"},
        {"HESCA_SCHEDULE", "local"},
        {"HESCA_SCHEDULE", "none"},
        {"HESCA_SCHEDULE", "direct-"},
        {"HESCA_SCHEDULE", "a|d"},
        {"HESCA_SCHEDULE", "auto|direct"},
        {"HESCA_SCHEDULE", "async"},
        {"HESCA_SCHEDULE", "|"},
        {"HESCA_SCHEDULE", "direct_async"},
        {"HESCA_SCHEDULE", "hybrid"},
        {"HESCA_SCHEDULE", "hybrid:"},
        {"HESCA_SCHEDULE", "hybrid:D"},
        {"HESCA_SCHEDULE", "hybrid:-1"},
        {"HESCA_SCHEDULE", "hybrid:1000"},
        {"HESCA_SCHEDULE", "hybrid: 1"},
        {"HESCA_SCHEDULE", "indirect:1"}};
    for (size_t k = 0; k < sizeof malformed / sizeof *malformed; ++k)
        check_refused(malformed[k][0], malformed[k][1]);
    char longer[1000];
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    for (int i = 0; i < NVARIABLES; ++i)
        check_refused(variable[i], longer);
}

static void
placements(void)
{
    static const struct {
        const char *value;
        hesca_placement placement;
        int gridmap;
        const char *map;
    } good[] = {{"off", HESCA_PLACEMENT_OFF, 0, ""},
                {"auto", HESCA_PLACEMENT_AUTO, 0, ""},
                {"speed", HESCA_PLACEMENT_SPEED, 0, ""},
                {"auto+gridmap", HESCA_PLACEMENT_AUTO, 1, ""},
                {"speed+gridmap", HESCA_PLACEMENT_SPEED, 1, ""},
                {"map:x", HESCA_PLACEMENT_MAP, 0, "x"},
                {"map:a b:c", HESCA_PLACEMENT_MAP, 0, "a b:c"},
                {"map:/a/b+gridmap", HESCA_PLACEMENT_MAP, 1, "/a/b"}};
    static const char *const bad[] = {
        "on",       "map:+gridmap",         "map:",    "off+gridmap",  "auto+",
        "+gridmap", "auto+gridmap+gridmap", "speed:x", "auto+grid map"};
    char longest[8 + HESCA_PATH_MAX];
    hesca_params p;
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        check_accepted("HESCA_PLACEMENT", good[k].value, &p);
        CHECK(p.placement == good[k].placement &&
                  p.placement_gridmap == good[k].gridmap &&
                  strcmp(p.map, good[k].map) == 0,
              "%s gives %d, %d, '%s'", good[k].value, (int)p.placement,
              p.placement_gridmap, p.map);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        check_refused("HESCA_PLACEMENT", bad[k]);
    memset(longest, 'a', sizeof longest);
    memcpy(longest, "map:", 4);
    longest[4 + HESCA_PATH_MAX - 1] = '\0';
    check_accepted("HESCA_PLACEMENT", longest, &p);
    CHECK(strlen(p.map) == HESCA_PATH_MAX - 1, "%zu", strlen(p.map));
    longest[4 + HESCA_PATH_MAX - 1] = 'a';
    longest[4 + HESCA_PATH_MAX] = '\0';
    check_refused("HESCA_PLACEMENT", longest);
}

static void
jobs(void)
{
    static const struct {
        const char *value, *routine;
        int64_t order;
        int block;
    } good[] = {{"gemm", "gemm", 4000, 64},
                {"potrf,1", "potrf", 1, 64},
                {"gesv,1000000000,1000000", "gesv", 1000000000, 1000000},
                {"gemm,007,8", "gemm", 7, 8}};
    static const char *const bad[] = {"pdgemm",
                                      "GEMM",
                                      ",",
                                      "gemm,",
                                      "gemm,0",
                                      "gemm,-1",
                                      "gemm,1,",
                                      "gemm,1,0",
                                      "gemm,1,2,",
                                      "gemm,1,2,3",
                                      "gemm 1",
                                      "gemm,1000000001",
                                      "gemm,1,1000001",
                                      "gemm,99999999999999999999999",
                                      "gemm,1e3",
                                      "gemm,1.5",
                                      "gemm, 1"};
    hesca_params p;
    check_accepted("HESCA_JOB", "auto", &p);
    CHECK(p.find_job && strcmp(p.job_routine, "gemm") == 0 &&
              p.job_order == 4000 && p.job_block == 64,
          "auto gives %s,%lld,%d", p.job_routine, (long long)p.job_order,
          p.job_block);
    check_refused("HESCA_JOB", "auto,100");
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        check_accepted("HESCA_JOB", good[k].value, &p);
        CHECK(!p.find_job, "%s is given", good[k].value);
        CHECK(strcmp(p.job_routine, good[k].routine) == 0 &&
                  p.job_order == good[k].order && p.job_block == good[k].block,
              "%s gives %s,%lld,%d", good[k].value, p.job_routine,
              (long long)p.job_order, p.job_block);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        check_refused("HESCA_JOB", bad[k]);
}

/* Two variables are numbers of bytes; only the buffer has a least value. */
static size_t
bytes_of(const char *name, const char *value)
{
    hesca_params params;
    check_accepted(name, value, &params);
    return strcmp(name, "HESCA_BUFFER") == 0 ? params.buffer : params.cache;
}

static void
numbers_of_bytes(void)
{
    static const char *const names[] = {"HESCA_BUFFER", "HESCA_CACHE"};
    static const char *const small[] = {"0",  "1",  "65535", "63K",
                                        "0K", "0M", "0G",    "000"};
    static const size_t small_bytes[] = {0, 1, 65535, 64512, 0, 0, 0, 0};
    static const struct {
        const char *value;
        uint64_t bytes;
    } good[] = {
        {"65536", 65536},
        {"65537", 65537},
        {"00065536", 65536},
        {"64K", 65536},
        {"65K", 66560},
        {"0064K", 65536},
        {"1M", 1u << 20},
        {"64M", 64u << 20},
        {"3M", 3u << 20},
        {"1G", 1u << 30},
        {"5G", (uint64_t)5 << 30},
        {"1048576K", 1u << 30},
        {"17179869183G", (uint64_t)17179869183u << 30},
        {"17592186044415M", (uint64_t)17592186044415u << 20},
        {"18014398509481983K", (uint64_t)18014398509481983u << 10},
        {"18446744073709551615", UINT64_MAX},
    };
    static const char *const bad[] = {"64k",
                                      "1m",
                                      "1g",
                                      "1T",
                                      "64KB",
                                      "64KK",
                                      "64 K",
                                      " 64K",
                                      "64K ",
                                      "\t64K",
                                      "64K\n",
                                      "+64K",
                                      "-64K",
                                      "-1",
                                      "0x10000",
                                      "1e6",
                                      "65536.",
                                      "65.5K",
                                      "K",
                                      "M",
                                      "G",
                                      "bytes",
                                      "64M,",
                                      "64M64M",
                                      "64,000K",
                                      "18446744073709551616",
                                      "18446744073709551615K",
                                      "18014398509481984K",
                                      "17592186044416M",
                                      "17179869184G",
                                      "99999999999999999999999999999999",
                                      "1P"};
    for (int v = 0; v < 2; ++v) {
        for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
            if (good[k].bytes > SIZE_MAX) {
                check_refused(names[v], good[k].value);
                continue;
            }
            const size_t got = bytes_of(names[v], good[k].value);
            CHECK(got == good[k].bytes, "%s=%s gives %zu", names[v],
                  good[k].value, got);
        }
        for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
            check_refused(names[v], bad[k]);
    }
    for (size_t k = 0; k < sizeof small / sizeof *small; ++k) {
        const size_t got = bytes_of("HESCA_CACHE", small[k]);
        CHECK(got == small_bytes[k], "HESCA_CACHE=%s gives %zu", small[k],
              got);
        check_refused("HESCA_BUFFER", small[k]);
    }
}

static void
other_numbers(void)
{
    static const struct {
        const char *value;
        double seconds;
    } good[] = {{"0", 0},        {"0.0", 0},     {"1", 1},
                {"01", 1},       {"1.", 1},      {".5", 0.5},
                {"0.125", .125}, {"2.50", 2.5},  {"1000000000", 1e9},
                {"3600", 3600},  {"0.001", 1e-3}};
    static const char *const bad[] = {
        ".",   "-1",  "+1",   "1e3", "0x1", "1s",  " 1",  "1 ",         "1,5",
        "nan", "inf", "1..2", "..1", "1.-", "1.e", "1.a", "1000000001", "1K"};
    static const char *const sizes[] = {"0", "1", "007", "1000000"};
    static const int processes[] = {0, 1, 7, 1000000};
    static const char *const bad_sizes[] = {
        "-1",  "+1", " 1",      "1 ",         "1.",
        "0x2", "2K", "1000001", "4294967297", "99999999999999999999"};
    hesca_params params;
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        check_accepted("HESCA_TIMEOUT", good[k].value, &params);
        CHECK(fabs(params.timeout - good[k].seconds) < 1e-12,
              "HESCA_TIMEOUT=%s gives %g", good[k].value, params.timeout);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        check_refused("HESCA_TIMEOUT", bad[k]);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        check_accepted("HESCA_NODE_SIZE", sizes[k], &params);
        CHECK(params.node_size == processes[k], "HESCA_NODE_SIZE=%s gives %d",
              sizes[k], params.node_size);
    }
    for (size_t k = 0; k < sizeof bad_sizes / sizeof *bad_sizes; ++k)
        check_refused("HESCA_NODE_SIZE", bad_sizes[k]);
}

static void
checkpoints(void)
{
    static const struct {
        const char *value;
        int percent;
    } good[] = {{"off", -1},       {"half", 20},
                {"half:0", 0},     {"half:20", 20},
                {"half:007", 7},   {"half:100", 100},
                {"half:150", 150}, {"half:9999999", 9999999}};
    static const char *const bad[] = {"half:",    "half:-1",   "half:+1",
                                      "half: 1",  "half:1 ",   "half:1%",
                                      "half:.5",  "half:20.0", "half:10000000",
                                      "half:P",   "half:0x1",  "half20",
                                      "half|off", "off:20",    ":20",
                                      "event",    "Half",      "hal",
                                      "of",       "20",        " half",
                                      "half ",    "half:2:3",  "off ",
                                      "0"};
    hesca_params params;
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        check_accepted("HESCA_CHECKPOINT", good[k].value, &params);
        CHECK(params.checkpoint == good[k].percent, "%s gives %d",
              good[k].value, params.checkpoint);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        check_refused("HESCA_CHECKPOINT", bad[k]);
}

/* One malformed value among good ones is found, wherever it stands. */
static void
several_variables(void)
{
    static const char *const value[NVARIABLES] = {"2",
                                                  "trmr2d,pdgemr2d",
                                                  "error",
                                                  "return",
                                                  "alltoall",
                                                  "a file",
                                                  "shm",
                                                  "128K",
                                                  "3K",
                                                  "2.5",
                                                  "6",
                                                  "greedy",
                                                  "near-far",
                                                  "another file",
                                                  "half:30",
                                                  "polite",
                                                  "map:m+gridmap",
                                                  "gesv,9,2",
                                                  "hohe",
                                                  "real",
                                                  "hohe",
                                                  "a log",
                                                  "grid",
                                                  "frozen",
                                                  "a page",
                                                  "a program"};
    hesca_params params;
    for (int bad = -1; bad < NVARIABLES; ++bad) {
        for (int i = 0; i < NVARIABLES; ++i)
            setenv(variable[i], i == bad ? "nonsense" : value[i], 1);
        const int err = hesca_params_read(&params);
        if (bad >= 0 && (strcmp(variable[bad], "HESCA_MACHINE") == 0 ||
                         strcmp(variable[bad], "HESCA_TRACE") == 0 ||
                         strcmp(variable[bad], "HESCA_LOG") == 0 ||
                         strcmp(variable[bad], "HESCA_REPORT") == 0 ||
                         strcmp(variable[bad], "HESCA_PROGRAM") == 0))
            continue; /* any name may be that of a file */
        if (bad >= 0) {
            CHECK(err == HESCA_ERR_PARAM &&
                      strstr(hesca_error_text(), variable[bad]) != NULL,
                  "%s is nonsense: %d, %s", variable[bad], err,
                  hesca_error_text());
            continue;
        }
        CHECK(err == HESCA_SUCCESS && params.verbose == 2 &&
                  params.fallback == HESCA_FALLBACK_ERROR &&
                  params.onerror == HESCA_ONERROR_RETURN &&
                  params.transport == HESCA_TRANSPORT_SHM &&
                  params.buffer == 131072 && params.cache == 3072 &&
                  fabs(params.timeout - 2.5) < 1e-12 &&
                  params.node_size == 6 && params.checkpoint == 30 &&
                  params.wait == HESCA_WAIT_POLITE &&
                  params.placement == HESCA_PLACEMENT_MAP &&
                  params.placement_gridmap == 1 &&
                  params.gemm == HESCA_COMPUTE_HOHE &&
                  params.potrf == HESCA_COMPUTE_ORIGINAL &&
                  params.getrf == HESCA_COMPUTE_HOHE &&
                  params.learn == HESCA_LEARN_FROZEN &&
                  strcmp(params.map, "m") == 0 && params.job_order == 9 &&
                  params.job_block == 2 && !params.find_job &&
                  strcmp(params.program, "a program") == 0 &&
                  strcmp(params.job_routine, "gesv") == 0 &&
                  strcmp(params.schedule, "alltoall") == 0 &&
                  strcmp(params.machine, "a file") == 0 &&
                  strcmp(params.exchange, "greedy") == 0 &&
                  strcmp(params.bcast, "near-far") == 0 &&
                  strcmp(params.trace, "another file") == 0 &&
                  strcmp(params.report, "a page") == 0 &&
                  strcmp(params.disable, value[1]) == 0,
              "all set: %d", err);
    }
    for (int i = 0; i < NVARIABLES; ++i)
        unsetenv(variable[i]);
}

/* Each malformed variable has its default, and all are found at once. */
static void
malformed_variables(void)
{
    static const char *const bad[NVARIABLES] = {
        [0] = "7", [1] = "pdgmer2d,pzgemm,x", [3] = "x", [7] = "1", [8] = "x"};
    char text[400];
    hesca_params params;
    int n = 0;
    for (int i = 0; i < NVARIABLES; ++i)
        if (bad[i] != NULL)
            setenv(variable[i], bad[i], 1);
    CHECK(hesca_params_read(&params) == HESCA_ERR_PARAM &&
              params.verbose == 0 && params.onerror == HESCA_ONERROR_ABORT &&
              params.buffer == (size_t)64 << 20 &&
              params.cache == (size_t)16 << 20 && params.findings != 0,
          "verbose %d, buffer %zu", params.verbose, params.buffer);
    CHECK(hesca_params_disabled(&params, "pzgemm") &&
              !hesca_params_disabled(&params, "pdgemr2d"),
          "disabled: '%s'", params.disable);
    hesca_error_set(HESCA_ERR_MPI, 3, "an older failure");
    for (int i = 0; i < NVARIABLES; ++i) {
        int found = 0;
        for (n = 0; hesca_params_finding(n, text, sizeof text); ++n)
            found += strncmp(text, variable[i], strlen(variable[i])) == 0;
        CHECK(found == (bad[i] != NULL), "%s: %d findings", variable[i],
              found);
    }
    CHECK(n == 5 && strcmp(hesca_error_text(), "an older failure") == 0,
          "%d findings, '%s'", n, hesca_error_text());
    for (int i = 0; i < NVARIABLES; ++i)
        unsetenv(variable[i]);
    CHECK(!hesca_params_finding(0, text, sizeof text), "%s", text);
}

/* Variables that are no parameters; no suggestion: none is near. */
static void
unknown_variables(void)
{
    static const char *const unknown[][2] = {
        {"HESCA_VERBOS", "HESCA_VERBOSE?"},
        {"HESCA_SCHEDUL", "HESCA_SCHEDULE?"},
        {"HESCA_TRANSPROT", "HESCA_TRANSPORT?"},
        {"HESCA_DISABLED", "HESCA_DISABLE?"},
        {"HESCA_BUF", "HESCA_BUFFER?"},
        {"HESCA_PLACMENT", "HESCA_PLACEMENT?"},
        {"HESCA_MACHINES", "HESCA_MACHINE?"},
        {"HESCA_verbose", NULL},
        {"HESCA_XYZZY", NULL},
        {"HESCA_FOO", NULL},
        {"HESCA_THREADS_PER_PROCESS_OF_ALL_HOSTS_THAT_ARE_THERE", NULL}};
    static const char *const known[] = {"HESCA_TEST_SEED", "HESCA_ROOT",
                                        "HESCA_HOME", "HESCAPE", "HESCA"};
    char text[400];
    hesca_params params;
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; ++k) {
        const char *name = unknown[k][0], *near = unknown[k][1];
        setenv(name, "1", 1);
        CHECK(hesca_params_read(&params) == HESCA_SUCCESS &&
                  params.findings != 0,
              "%s: %s", name, hesca_error_text());
        CHECK(hesca_params_finding(0, text, sizeof text) &&
                  strncmp(text, name, strlen(name) < 30 ? strlen(name) : 30) ==
                      0 &&
                  (near == NULL ? strchr(text, '?') == NULL
                                : strstr(text, near) != NULL),
              "%s: %s", name, text);
        CHECK(!hesca_params_finding(1, text, sizeof text), "%s: %s", name,
              text);
        setenv(name, "", 1);
        CHECK(!hesca_params_finding(0, text, sizeof text), "%s", text);
        unsetenv(name);
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
        setenv(known[k], "1", 1);
        CHECK(!hesca_params_finding(0, text, sizeof text), "%s", text);
        unsetenv(known[k]);
    }
}

static void
status_texts(void)
{
    for (int err = 0; err > -HESCA_ERR_COUNT; --err) {
        CHECK(strlen(hesca_strerror(err)) > 3, "%d", err);
        for (int other = 0; other > err; --other)
            CHECK(strcmp(hesca_strerror(err), hesca_strerror(other)) != 0,
                  "%d and %d", err, other);
    }
    const int odd[] = {
        1, 7, INT32_MAX, -HESCA_ERR_COUNT, -1000, INT32_MIN + 1, INT32_MIN};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; ++k)
        CHECK(strcmp(hesca_strerror(odd[k]), "unknown status") == 0, "%d: %s",
              odd[k], hesca_strerror(odd[k]));
    CHECK(hesca_error_set(HESCA_ERR_NOMEM, 17, "100% of %s") ==
                  HESCA_ERR_NOMEM &&
              hesca_error_info() == 17 &&
              strcmp(hesca_error_text(), "100% of %s") == 0,
          "%d %s", hesca_error_info(), hesca_error_text());
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(defaults),          UNIT(table),
        UNIT(choices),           UNIT(numbers_of_bytes),
        UNIT(other_numbers),     UNIT(checkpoints),
        UNIT(placements),        UNIT(jobs),
        UNIT(several_variables), UNIT(malformed_variables),
        UNIT(unknown_variables), UNIT(status_texts)};
    unit_begin("base/t_param", 20260101);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
