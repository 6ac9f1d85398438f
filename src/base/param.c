/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of parameters, and the only place that reads the environment.
 * Each row has a function that parses its value; its type describes the values
 * that this function accepts. */
#include "hesca/experimental/param.h"
#include "base/hash.h"
#include "base/names.h"
#include "base/param_names.h"
#include "base/routines.h"
#include "base/status.h"
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
    hesca_param_info info;
    int (*parse)(const char *value, hesca_params *out); /* 0 if malformed */
} row;

/* --- parsing ---
 * A parse function reads no other variable and writes only the fields of its
 * own row, so the rows are independent of their order in the table. */

/* Position of value in a list "a|b|c", -1 if it is not in it. */
static int
choice(const char *list, const char *value)
{
    const size_t len = strlen(value);
    for (int k = 0;; ++k) {
        const size_t n = strcspn(list, "|");
        if (n == len && strncmp(list, value, n) == 0)
            return k;
        if (list[n] == '\0')
            return -1;
        list += n + 1;
    }
}

static int
parse_verbose(const char *value, hesca_params *out)
{
    const int k = choice("0|1|2|summary", value);
    out->summary = k == 3;
    out->verbose = k == 3 ? 1 : k;
    return k >= 0;
}

/* Whether a name denotes a family of routines, or a routine of it. */
static int
is_of_family(const char *name, size_t len, const char *family,
             const char *types)
{
    const size_t n = strlen(family);
    if (len == n && strncasecmp(name, family, n) == 0)
        return 1;
    return len == n + 2 && tolower((unsigned char)name[0]) == 'p' &&
           strchr(types, tolower((unsigned char)name[1])) != NULL &&
           strncasecmp(name + 2, family, n) == 0;
}

#define FAMILY(name, types) {name, types},

/* Length of a name without the underscore that Fortran compilers append. */
static size_t
bare(const char *name, size_t len)
{
    return len > 1 && name[len - 1] == '_' ? len - 1 : len;
}

/* Whether a user may list the name: a routine, a family, "wait", "all". */
static int
is_routine(const char *name, size_t len)
{
    static const struct {
        const char *name, *types;
    } families[] = {HESCA_SERVED(FAMILY)};
    static const char *const others[] = {"wait", "gridinit", "gridmap"};
    if ((len == 1 && name[0] == '1') ||
        (len == 3 && strncasecmp(name, "all", 3) == 0))
        return 1;
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        if (len == strlen(others[k]) && strncasecmp(name, others[k], len) == 0)
            return 1;
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f)
        if (is_of_family(name, len, families[f].name, families[f].types))
            return 1;
    return 0;
}

/* Known names take effect even if others in the list are unknown. */
static int
parse_disable(const char *value, hesca_params *out)
{
    size_t used = 0;
    int good = 1;
    for (const char *p = value; *p != '\0';) {
        const size_t n = strcspn(p, ","), with = n + (p[n] == ',');
        if (is_routine(p, bare(p, n)) && used + with < sizeof out->disable) {
            memcpy(out->disable + used, p, with);
            used += with;
        } else {
            good = 0;
        }
        p += with;
    }
    out->disable[used] = '\0';
    return good;
}

static int
parse_fallback(const char *value, hesca_params *out)
{
    const int k = choice("silent|print|error", value);
    if (k >= 0)
        out->fallback = (hesca_fallback)k;
    return k >= 0;
}

static int
parse_onerror(const char *value, hesca_params *out)
{
    const int k = choice("abort|return", value);
    if (k >= 0)
        out->onerror = (hesca_onerror)k;
    return k >= 0;
}

/* hybrid:D with a degree of up to three digits. */
static int
is_hybrid(const char *value)
{
    static const char name[] = "hybrid:";
    const size_t n = strlen(name);
    if (strncmp(value, name, n) != 0)
        return 0;
    const size_t digits = strspn(value + n, "0123456789");
    return digits >= 1 && digits <= 3 && value[n + digits] == '\0';
}

static int
parse_schedule(const char *value, hesca_params *out)
{
    if (!is_hybrid(value) && (choice(HESCA_NAMES(HESCA_SOLVERS), value) < 0 ||
                              strchr(value, ':') != NULL))
        return 0;
    strcpy(out->schedule, value);
    return 1;
}

/* Bytes, with an optional suffix K, M or G (powers of 1024). */
static int
parse_bytes(const char *value, size_t least, size_t *bytes)
{
    char *end;
    int shift = 0;
    if (!isdigit((unsigned char)value[0]))
        return 0;
    errno = 0;
    const unsigned long long n = strtoull(value, &end, 10);
    switch (*end) {
    case 'K':
        shift = 10, ++end;
        break;
    case 'M':
        shift = 20, ++end;
        break;
    case 'G':
        shift = 30, ++end;
        break;
    default:
        break;
    }
    if (errno != 0 || *end != '\0' || n > (SIZE_MAX >> shift) ||
        (n << shift) < least)
        return 0;
    *bytes = (size_t)(n << shift);
    return 1;
}

static int
parse_buffer(const char *value, hesca_params *out)
{
    return parse_bytes(value, 65536, &out->buffer);
}

static int
parse_transport(const char *value, hesca_params *out)
{
    const int k = choice("auto|mpi|shm|lend", value);
    if (k >= 0)
        out->transport = (hesca_transport)k;
    return k >= 0;
}

static int
parse_wait(const char *value, hesca_params *out)
{
    const int k = choice("auto|spin|polite", value);
    if (k >= 0)
        out->wait = (hesca_wait)k;
    return k >= 0;
}

static int
parse_path(const char *value, char path[HESCA_PATH_MAX])
{
    if (strlen(value) >= HESCA_PATH_MAX)
        return 0;
    strcpy(path, value);
    return 1;
}

/* off, auto, speed or map:FILE; +gridmap may follow all but off. */
static int
parse_placement(const char *value, hesca_params *out)
{
    static const char map[] = "map:", gridmap[] = "+gridmap";
    const size_t n = strlen(value), tail = strlen(gridmap);
    char text[HESCA_PATH_MAX + sizeof map + sizeof gridmap];
    if (n >= sizeof text)
        return 0;
    strcpy(text, value);
    out->map[0] = '\0';
    out->placement_gridmap = n > tail && strcmp(text + n - tail, gridmap) == 0;
    if (out->placement_gridmap)
        text[n - tail] = '\0';
    const int k = choice("off|auto|speed", text);
    if (k >= 0) {
        out->placement = (hesca_placement)k;
        return k > 0 || !out->placement_gridmap;
    }
    out->placement = HESCA_PLACEMENT_MAP;
    return strncmp(text, map, strlen(map)) == 0 && text[strlen(map)] != '\0' &&
           parse_path(text + strlen(map), out->map);
}

#define COMPUTE "auto|real|hohe|grid"

static int
parse_compute(const char *value, hesca_compute *compute)
{
    const int k = choice(COMPUTE, value);
    if (k >= 0)
        *compute = (hesca_compute)k;
    return k >= 0;
}

static int
parse_gemm(const char *value, hesca_params *out)
{
    return parse_compute(value, &out->gemm);
}

static int
parse_potrf(const char *value, hesca_params *out)
{
    return parse_compute(value, &out->potrf);
}

static int
parse_getrf(const char *value, hesca_params *out)
{
    return parse_compute(value, &out->getrf);
}

static int
parse_regrid(const char *value, hesca_params *out)
{
    return parse_compute(value, &out->regrid);
}

/* Digits only, 1 ... most, 0 if out of range; *end points behind them. */
static int64_t
parse_count(const char *value, int64_t most, const char **end)
{
    int64_t n = 0;
    for (; isdigit((unsigned char)*value) && n <= most; ++value)
        n = 10 * n + (*value - '0');
    *end = value;
    return n <= most ? n : 0;
}

/* The order and the block size may be omitted. */
static int
parse_job(const char *value, hesca_params *out)
{
    out->find_job = strcmp(value, "auto") == 0;
    if (out->find_job)
        value = "gemm";
    const size_t n = strcspn(value, ",");
    const char *end = value + n;
    if (n == 0 || n >= sizeof out->job_routine)
        return 0;
    memset(out->job_routine, 0, sizeof out->job_routine);
    memcpy(out->job_routine, value, n);
    if (choice(HESCA_JOB_NAMES + 1, out->job_routine) < 0)
        return 0;
    out->job_order = 4000;
    out->job_block = 64;
    if (*end == ',')
        out->job_order = parse_count(end + 1, 1000000000, &end);
    if (*end == ',')
        out->job_block = (int)parse_count(end + 1, 1000000, &end);
    return out->job_order > 0 && out->job_block > 0 && *end == '\0';
}

static int
parse_cache(const char *value, hesca_params *out)
{
    return parse_bytes(value, 0, &out->cache);
}

/* strtod() is not used, because it depends on the locale of the program. */
static int
parse_timeout(const char *value, hesca_params *out)
{
    double unit = 1;
    int digits = 0;
    out->timeout = 0;
    for (; isdigit((unsigned char)*value); ++value, ++digits)
        out->timeout = 10 * out->timeout + (*value - '0');
    if (*value == '.')
        for (++value; isdigit((unsigned char)*value); ++value, ++digits)
            out->timeout += (*value - '0') * (unit /= 10);
    return digits > 0 && *value == '\0' && out->timeout <= 1e9;
}

static int
parse_exchange(const char *value, hesca_params *out)
{
    if (choice(HESCA_NAMES(HESCA_HEURISTICS), value) < 0)
        return 0;
    strcpy(out->exchange, value);
    return 1;
}

/* half:P with a percentage of up to seven digits. */
static int
parse_checkpoint(const char *value, hesca_params *out)
{
    static const char half[] = "half";
    const size_t n = strlen(half);
    out->checkpoint = -1;
    if (strcmp(value, "off") == 0)
        return 1;
    if (strncmp(value, half, n) != 0)
        return 0;
    out->checkpoint = 20;
    if (value[n] == '\0')
        return 1;
    const size_t digits = strspn(value + n + 1, "0123456789");
    if (value[n] != ':' || digits < 1 || digits > 7 ||
        value[n + 1 + digits] != '\0')
        return 0;
    out->checkpoint = atoi(value + n + 1);
    return 1;
}

static int
parse_bcast(const char *value, hesca_params *out)
{
    if (choice(HESCA_NAMES(HESCA_BROADCAST_ALGORITHMS), value) < 0)
        return 0;
    strcpy(out->bcast, value);
    return 1;
}

static int
parse_machine(const char *value, hesca_params *out)
{
    out->find_machine = strcmp(value, "auto") == 0;
    return parse_path(out->find_machine ? "" : value, out->machine);
}

static int
parse_learn(const char *value, hesca_params *out)
{
    const int i = choice("auto|on|off|frozen", value);
    out->learn = i < 0 ? HESCA_LEARN_AUTO : (hesca_learn)i;
    return i >= 0;
}

static int
parse_program(const char *value, hesca_params *out)
{
    return parse_path(value, out->program);
}

static int
parse_log(const char *value, hesca_params *out)
{
    return parse_path(value, out->log);
}

static int
parse_report(const char *value, hesca_params *out)
{
    return parse_path(value, out->report);
}

static int
parse_trace(const char *value, hesca_params *out)
{
    return parse_path(value, out->trace);
}

static int
parse_node_size(const char *value, hesca_params *out)
{
    char *end;
    if (!isdigit((unsigned char)value[0]))
        return 0;
    const long n = strtol(value, &end, 10);
    out->node_size = (int)n;
    return *end == '\0' && n <= 1000000;
}

/* --- the table ---
 * A name appears once, and every default is accepted by the row's parser. */

static const row table[] = {
    {{"HESCA_VERBOSE", "0|1|2|summary", "0",
      "summary: print at the end what HESCA did; 1: also that it is active, "
      "and a line for each call (of calls left to ScaLAPACK for the same "
      "reason only the first); 2: all calls and their steps"},
     parse_verbose},
    {{"HESCA_LOG", "file", "",
      "append to it what HESCA would print on stderr; bad arguments of calls "
      "are printed there all the same"},
     parse_log},
    {{"HESCA_REPORT", "file", "",
      "write to it, at the end, a page (HTML) of what HESCA did: calls, "
      "gains, "
      "where the time of each process went, messages between hosts, what to "
      "try next"},
     parse_report},
    {{"HESCA_DISABLE",
      "name,... of all|wait|gridinit|gridmap, or of routines: gemm, gemr2d "
      "(all types), pdgemm (one)",
      "",
      "what is left to ScaLAPACK and the BLACS: gemr2d: p?gemr2d of all "
      "types; pdgemr2d: only that; gridinit, gridmap: BLACS_GRIDINIT, "
      "BLACS_GRIDMAP; wait: blocking MPI calls wait as without HESCA; all: "
      "everything, and HESCA sends no message; all and wait are read by each "
      "process itself"},
     parse_disable},
    {{"HESCA_FALLBACK", "silent|print|error", "print",
      "what to do where HESCA lacks something (a valid value of a variable, "
      "a machine file, memory): continue without it, or call the original "
      "routine, silently or with one line on stderr; or report an error"},
     parse_fallback},
    {{"HESCA_ONERROR", "abort|return", "abort",
      "after a ScaLAPACK call with bad arguments is reported: BLACS_ABORT, or "
      "return with nothing written"},
     parse_onerror},
    {{"HESCA_SCHEDULE", HESCA_NAMES(HESCA_SOLVERS), "auto",
      "schedule (order and routing of the messages) of redistributions; "
      "hybrid:D, D = 0, 1, 2, ...: D steps of combining and forwarding, then "
      "direct delivery; auto: the one of least predicted time "
      "(doc/schedules.md)"},
     parse_schedule},
    {{"HESCA_EXCHANGE", HESCA_NAMES(HESCA_HEURISTICS), "auto",
      "order of the messages of hesca_alltoallv; auto: polished, for more "
      "than 256 processes openshop"},
     parse_exchange},
    {{"HESCA_CHECKPOINT", "off|half|half:P", "off",
      "half:P: after half of the remaining messages of hesca_alltoallv, "
      "synchronize, and order the rest again if a message ended earlier or "
      "later than planned by more than P percent of the time since the last "
      "stop; half: half:20"},
     parse_checkpoint},
    {{"HESCA_BCAST", HESCA_NAMES(HESCA_BROADCAST_ALGORITHMS), "auto",
      "broadcast algorithm of hesca_bcast and hesca_multicast "
      "(doc/het.md)"},
     parse_bcast},
    {{"HESCA_MACHINE", "auto|file", "",
      "machine file, written by hesca probe: hosts, their speeds, cores and "
      "memory, and costs of messages; auto: measured at the first grid, "
      "within 1.5 s, and kept in the user's cache (a file of that name is "
      "./auto); without it hosts count as equal, with default costs"},
     parse_machine},
    {{"HESCA_LEARN", "auto|on|off|frozen", "auto",
      "what calls of the program show, speeds that change and ways that are "
      "faster than predicted, changes later decisions; auto: if HESCA_MACHINE "
      "is auto; on: with a machine file, too, which stays as it is; off: "
      "never; frozen: never, and HESCA_MACHINE=auto takes what earlier runs "
      "kept, or no machine"},
     parse_learn},
    {{"HESCA_TRACE", "file", "",
      "write to it the planned and the measured times of the messages of the "
      "last redistribution or HESCA collective; hesca draw draws it"},
     parse_trace},
    {{"HESCA_TRANSPORT", "auto|mpi|shm|lend", "auto",
      "how data moves between processes of a node: mpi: MPI messages; shm: "
      "through a shared-memory window; lend: as shm, but the receiver copies "
      "long pieces from the sender's memory by process_vm_readv; auto: shm, "
      "or lend where it is faster; between nodes always MPI messages"},
     parse_transport},
    {{"HESCA_BUFFER", "bytes[K|M|G], at least 64K", "64M",
      "largest size of the buffers, for packing and shared memory, per "
      "process; K, M, G are powers of 1024"},
     parse_buffer},
    {{"HESCA_CACHE", "bytes[K|M|G]", "16M",
      "most memory for cached plans, per process and communicator (BLACS "
      "context); K, M, G are powers of 1024"},
     parse_cache},
    {{"HESCA_TIMEOUT", "seconds, 0 ... 1000000000", "0",
      "report on stderr, once, what a process waits for after so many "
      "seconds; 0: never"},
     parse_timeout},
    {{"HESCA_WAIT", "auto|spin|polite", "auto",
      "how blocking MPI calls wait: polite yields the core and sleeps for "
      "short times, spin waits as MPI does; auto: polite if some node has "
      "more processes than cores, or than its CPU quota allows"},
     parse_wait},
    {{"HESCA_PLACEMENT", "off|auto|speed|map:file, +gridmap", "auto",
      "placement of the processes in BLACS grids; off: as the BLACS place "
      "them; auto: by predicted time, if HESCA_MACHINE names hosts that "
      "differ; speed: process 0, then the fastest ones, row by row; map:file: "
      "as the file says (doc/heho.md); +gridmap after one of these (not off): "
      "in BLACS_GRIDMAP, too"},
     parse_placement},
    {{"HESCA_JOB", "auto" HESCA_JOB_NAMES "[,order[,block]]", "auto",
      "the routine, matrix order (4000) and block size (64) whose predicted "
      "time the placement of processes minimizes; auto: under hesca run, and "
      "if HESCA_MACHINE is auto, what took most time in the last run of the "
      "program (HESCA_LEARN), else gemm,4000,64"},
     parse_job},
    {{"HESCA_PROGRAM", "path or name", "",
      "under which what a run calls is kept for the next one (HESCA_JOB); "
      "hesca run sets it; empty: the path of the program"},
     parse_program},
    {{"HESCA_GEMM", COMPUTE, "auto",
      "what computes p?gemm; real: ScaLAPACK's routine as called; grid: "
      "ScaLAPACK's routine on the grid of least predicted time; hohe: HESCA, "
      "in proportion to speed (doc/hohe.md); auto: the fastest by prediction, "
      "if HESCA_MACHINE names hosts; on the cores of one node HESCA, but for "
      "small orders; else real"},
     parse_gemm},
    {{"HESCA_POTRF", COMPUTE, "auto",
      "the same for p?potrf, p?potrs (for which grid means real) and both in "
      "p?posv"},
     parse_potrf},
    {{"HESCA_GETRF", COMPUTE, "auto",
      "the same for p?getrf, p?getrs (for which grid means real) and both in "
      "p?gesv"},
     parse_getrf},
    {{"HESCA_REGRID", COMPUTE, "auto",
      "the same for p?syrk, p?herk, p?trsm, p?potri, p?getri, p?geqrf, "
      "p?ormqr, p?unmqr, p?gels, p?gesvd and the eigenvalues of p?syev, "
      "p?syevd, p?syevr, p?syevx, p?sygvx, p?heev, p?heevd, p?heevr, p?heevx, "
      "p?hegvx; hohe is for p?syrk, p?herk, p?trsm, p?potri and p?getri"},
     parse_regrid},
    {{"HESCA_NODE_SIZE", "processes, 0 ... 1000000", "0",
      "for tests: every so many consecutive ranks are a node; 0: the actual "
      "nodes"},
     parse_node_size},
};

enum { NROWS = sizeof table / sizeof *table };

const hesca_param_info *
hesca_param(int i)
{
    return 0 <= i && i < NROWS ? &table[i].info : NULL;
}

/* --- reading ---
 * After a call every parameter has a valid value: a malformed variable is
 * reported, and its default, or the known part of a list, takes effect. */

/* Read one variable.  Return whether it is well formed. */
static int
read_row(const row *r, hesca_params *params)
{
    const char *value = getenv(r->info.name);
    const int set = value != NULL && value[0] != '\0';
    r->parse(r->info.deflt, params);
    const int good = !set || r->parse(value, params);
    if (!good && r->parse != parse_disable)
        r->parse(r->info.deflt, params);
    if (r->parse == parse_fallback)
        params->fallback_set = set && good;
    return good;
}

static int
complain(const row *r, const char *then)
{
    return hesca_fail(HESCA_ERR_PARAM, 0, "%s is '%.200s': must be %s%s",
                      r->info.name, getenv(r->info.name), r->info.type, then);
}

int
hesca_params_finding(int i, char *text, size_t room)
{
    const hesca_failure before = *hesca_failure_get();
    hesca_params unused;
    int k = 0, found = 0;
    for (; k < NROWS && !found; ++k)
        if (!read_row(&table[k], &unused) && i-- == 0)
            found = complain(&table[k], table[k].parse == parse_disable
                                            ? "; its other names hold"
                                            : "; its default holds");
    if (!found && i >= 0)
        found = hesca_param_stray(i);
    if (found)
        snprintf(text, room, "%s", hesca_error_text());
    hesca_failure_set(&before);
    return found != 0;
}

/* A hash of all texts of hesca_params_finding(); 0 if there are none. */
static uint64_t
digest(void)
{
    char text[HESCA_TEXT_MAX];
    uint64_t h = HESCA_HASH;
    int n = 0;
    for (; hesca_params_finding(n, text, sizeof text); ++n)
        h = hesca_hash_bytes(h, text, strlen(text));
    return n > 0 ? h | 1 : 0;
}

int
hesca_params_read(hesca_params *params)
{
    int first = -1;
    memset(params, 0, sizeof *params); /* it is sent as bytes */
    for (int i = 0; i < NROWS; ++i)
        if (!read_row(&table[i], params) && first < 0)
            first = i;
    params->findings = digest();
    return first < 0 ? HESCA_SUCCESS : complain(&table[first], "");
}

const char *
hesca_params_log(void)
{
    const char *value = getenv("HESCA_LOG");
    const size_t len = value != NULL ? strlen(value) : 0;
    return 0 < len && len < HESCA_PATH_MAX ? value : NULL;
}

int
hesca_params_none(void)
{
    const char *value = getenv("HESCA_DISABLE");
    hesca_params mine;
    if (value == NULL)
        return 0;
    parse_disable(value, &mine);
    return hesca_params_disabled(&mine, "all");
}

int
hesca_params_disabled(const hesca_params *params, const char *routine)
{
    const size_t len = strlen(routine);
    for (const char *p = params->disable; *p != '\0';) {
        const size_t whole = strcspn(p, ","), n = bare(p, whole);
        if ((n == 1 && *p == '1') || (n == 3 && strncasecmp(p, "all", 3) == 0))
            return 1;
        if (n == len && strncasecmp(p, routine, n) == 0)
            return 1;
        if (n + 2 == len && strncasecmp(p, routine + 2, n) == 0)
            return 1;
        p += whole + (p[whole] == ',');
    }
    return 0;
}
