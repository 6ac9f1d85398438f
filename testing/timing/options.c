#include "options.h"
#include "sweep.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_MAX = 10000, SIZE_MOST = 99999999 };

/* The options.  Those of a case describe the one case of a run that has none
 * of --input, --demo and --sweep; those of a sweep limit it. */
enum { ANY, VALUE_OPTIONAL, OF_CASE, OF_SWEEP };

typedef struct {
    const char *name, *arg, *help;
    char key;
    int kind;
} row;

static const row table[] = {
    {"help", NULL, "print this", 'h', ANY},
    {"demo", NULL, "four typical cases, for a first look", 'd', ANY},
    {"input", "FILE", "cases from a file; GEMR2D.dat explains", 'i', ANY},
    {"sweep", "all|size|block|shape",
     "cases of many sizes, block sizes, grids: see below", 'w',
     VALUE_OPTIONAL},
    {"max-bytes", "BYTES", "of the largest matrix of a sweep (800000000)", 'x',
     OF_SWEEP},
    {"memory", "BYTES", "of a node for a case of a sweep (half of all)", 'M',
     OF_SWEEP},
    {"size", "N", "rows and columns to copy (2000)", 's', OF_CASE},
    {"m", "M", "rows to copy", 'm', OF_CASE},
    {"n", "N", "columns to copy", 'n', OF_CASE},
    {"from", "LAYOUT", "of A (64x64), see below", 'f', OF_CASE},
    {"to", "LAYOUT", "of B (128x128)", 't', OF_CASE},
    {"ia", "IA", "first row of sub(A), from 1 (1)", '1', OF_CASE},
    {"ja", "JA", "first column of sub(A) (1)", '2', OF_CASE},
    {"ib", "IB", "first row of sub(B) (1)", '3', OF_CASE},
    {"jb", "JB", "first column of sub(B) (1)", '4', OF_CASE},
    {"type", "i|s|d|c|z", "element type (d)", 'y', OF_CASE},
    {"routine", "gemr2d|trmr2d", "routine (gemr2d)", 'r', OF_CASE},
    {"uplo", "U|L", "trmr2d: upper or lower part (U)", 'u', OF_CASE},
    {"diag", "N|U", "trmr2d: with the diagonal or without (N)", 'g', OF_CASE},
    {"context", "line|a", "context argument: 1 x P grid of all processes, or",
     'c', ANY},
    {NULL, NULL, "A's own grid if all processes are in it (line)", 0, ANY},
    {"repeat", "R", "repetitions (as many as fit, at least 3)", 'R', ANY},
    {"seconds", "S", "time to spend on a case (2)", 'S', ANY},
    {"only", "real|hesca|floor|all", "what to run (all)", 'o', ANY},
    {"csv", "FILE", "results as CSV too; - is stdout", 'C', ANY},
    {"json", "FILE", "results as JSON too; - is stdout", 'J', ANY},
};

enum { NROWS = sizeof table / sizeof *table };

/* One option; what is too long has a line for itself. */
static void
help_row(const row *r)
{
    char left[40] = "";
    if (r->name != NULL && r->kind == VALUE_OPTIONAL)
        snprintf(left, sizeof left, "--%s[=%s]", r->name, r->arg);
    else if (r->name != NULL)
        snprintf(left, sizeof left, "--%s%s%s", r->name,
                 r->arg != NULL ? " " : "", r->arg != NULL ? r->arg : "");
    if (strlen(left) > 27) {
        printf("  %s\n", left);
        left[0] = '\0';
    }
    printf("  %-27s %s\n", left, r->help);
}

static const char about_sweeps[] =
    "A sweep is of doubles, on grids of all processes, in three parts:\n"
    "  size   square matrices from 8 KiB to 800 MB, to larger blocks and\n"
    "         to another grid\n"
    "  block  8 and 82 MB, between neighbours in the list of block sizes\n"
    "         1, 2, 8, 32, 128, N/P, and between its ends\n"
    "  shape  8 and 82 MB, 1-D grids, tall matrices (100:1), equal layouts\n"
    "Blocks are smaller where a process would have none.  A case is\n"
    "skipped if A, B and a copy of one of them need too much memory.\n"
    "BYTES may end in K, M or G, each 1024 times as much.\n"
    "\n"
    "sweep.sh sweeps with several numbers of processes, compare.py\n"
    "compares the CSV files of two runs, plot.py draws them.\n"
    "\n";

static void
help(void)
{
    printf("Usage: mpiexec -n P time_gemr2d [option]...\n"
           "Time p?gemr2d or p?trmr2d of ScaLAPACK and of HESCA, and a plain "
           "copy, side by\nside; verify what they deliver.\n\n");
    for (int k = 0; k < NROWS; ++k)
        help_row(table + k);
    printf(
        "\nLAYOUT is [PxQ[@FIRST]:]MBxNB[:RSRC,CSRC]: process grid (0 for as "
        "many as there\nare; filled by rows from process FIRST on), blocks, "
        "owner of the first block.\nExample: --from 4x1:64x64 --to "
        "2x2:128x128:1,0\n\n"
        "%s"
        "Exit status: 0 if all results are right and bitwise identical, 1 if "
        "not, 2 if\nthe timing cannot be done.\n",
        about_sweeps);
}

static int
complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("time_gemr2d: ", stderr);
    vfprintf(stderr, format, args);
    fputs("; see --help\n", stderr);
    va_end(args);
    return 0;
}

static int
bad_value(const row *r, const char *value)
{
    return complain("--%s '%s': expected %s", r->name, value, r->arg);
}

static int
to_int(const row *r, const char *value, int most, int *out)
{
    char *end;
    errno = 0;
    const long v = strtol(value, &end, 10);
    if (end == value || *end != '\0')
        return bad_value(r, value);
    if (errno != 0 || v < 1 || v > most)
        return complain("--%s '%s': must be from 1 to %d", r->name, value,
                        most);
    *out = (int)v;
    return 1;
}

static int
to_seconds(const row *r, const char *value, double *out)
{
    char *end;
    const double v = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(v) || v < 0)
        return bad_value(r, value);
    *out = v;
    return 1;
}

/* Bytes, with K, M or G for 1024 and its powers. */
static int
to_bytes(const row *r, const char *value, int64_t least, int64_t *out)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    const long long v = strtoll(value, &end, 10);
    const char *unit = strchr(units, toupper((unsigned char)*end));
    const int power =
        *end == '\0' || unit == NULL ? 0 : 1 + (int)(unit - units);
    if (end == value || end[power > 0] != '\0')
        return bad_value(r, value);
    if (errno != 0 || v < 0 || v > LLONG_MAX >> 10 * power ||
        v << 10 * power < least)
        return complain("--%s '%s': must be from %lld to %lld", r->name, value,
                        (long long)least, LLONG_MAX);
    *out = v << 10 * power;
    return 1;
}

/* Which of the words between bars in r->arg the value is. */
static int
to_choice(const row *r, const char *value, int *out)
{
    const size_t len = strlen(value);
    const char *word = r->arg;
    for (int k = 0;; ++k) {
        const size_t n = strcspn(word, "|");
        if (n == len && strncmp(word, value, n) == 0) {
            *out = k;
            return 1;
        }
        if (word[n] == '\0')
            return bad_value(r, value);
        word += n + 1;
    }
}

/* What the options say until now. */
typedef struct {
    options *o;
    timing_case c;
    const char *of_case;  /* an option that describes the one case, or NULL */
    const char *of_sweep; /* one that limits a sweep */
    const char *input;
    int demo, sweep;   /* sweep: its parts, or 0 */
    int64_t max_bytes; /* of the matrices of a sweep */
} state;

static int
apply(const row *r, const char *value, state *s)
{
    int k = 0, ok = 1;
    int64_t bytes = 0;
    if (r->kind == OF_CASE)
        s->of_case = r->name;
    if (r->kind == OF_SWEEP)
        s->of_sweep = r->name;
    switch (r->key) {
    case 'd':
        s->demo = 1;
        return 1;
    case 'i':
        s->input = value;
        return 1;
    case 'w':
        ok = value == NULL || to_choice(r, value, &k);
        s->sweep = k == 0 ? SWEEP_ALL : 1 << (k - 1);
        return ok;
    case 'x':
        return to_bytes(r, value, SWEEP_LEAST, &s->max_bytes);
    case 'M':
        ok = to_bytes(r, value, 1, &bytes);
        s->o->memory = (double)bytes;
        return ok;
    case 's':
        ok = to_int(r, value, SIZE_MOST, &s->c.m);
        s->c.n = s->c.m;
        return ok;
    case 'm':
        return to_int(r, value, SIZE_MOST, &s->c.m);
    case 'n':
        return to_int(r, value, SIZE_MOST, &s->c.n);
    case 'f':
        return distribution_parse(value, &s->c.a) || bad_value(r, value);
    case 't':
        return distribution_parse(value, &s->c.b) || bad_value(r, value);
    case '1':
        return to_int(r, value, SIZE_MOST, &s->c.a.i);
    case '2':
        return to_int(r, value, SIZE_MOST, &s->c.a.j);
    case '3':
        return to_int(r, value, SIZE_MOST, &s->c.b.i);
    case '4':
        return to_int(r, value, SIZE_MOST, &s->c.b.j);
    case 'y':
        ok = to_choice(r, value, &k);
        s->c.type = CASE_TYPES[k];
        return ok;
    case 'r':
        return to_choice(r, value, &s->c.triangular);
    case 'u':
        ok = to_choice(r, value, &k);
        s->c.uplo = "UL"[k];
        return ok;
    case 'g':
        ok = to_choice(r, value, &k);
        s->c.diag = "NU"[k];
        return ok;
    case 'c':
        return to_choice(r, value, &s->o->context_a);
    case 'R':
        return to_int(r, value, REPEAT_MAX, &s->o->repeat);
    case 'S':
        return to_seconds(r, value, &s->o->seconds);
    case 'o':
        ok = to_choice(r, value, &k);
        for (int what = 0; what < NROUTINES; ++what)
            s->o->run[what] = k == NROUTINES || k == what;
        return ok;
    case 'C':
        s->o->csv = value;
        return 1;
    default:
        s->o->json = value;
        return 1;
    }
}

/* Options that say where cases come from, or what those are, must agree. */
static int
check_source(const state *s)
{
    const char *source = s->demo            ? "demo"
                         : s->input != NULL ? "input"
                                            : "sweep";
    const int sources = s->demo + (s->input != NULL) + (s->sweep != 0);
    if (sources > 1)
        return complain("--demo, --input and --sweep exclude each other");
    if (sources > 0 && s->of_case != NULL)
        return complain("--%s describes one case, --%s brings its own",
                        s->of_case, source);
    if (!s->sweep && s->of_sweep != NULL)
        return complain("--%s limits a --sweep, and there is none",
                        s->of_sweep);
    return 1;
}

/* The cases that the options ask for. */
static int
list_cases(state *s, int nprocs, case_list *cases)
{
    if (!check_source(s))
        return 0;
    if (s->input != NULL)
        return cases_read(s->input, nprocs, cases);
    if (s->demo)
        return cases_demo(nprocs, cases) || complain("no memory left");
    if (s->sweep)
        return sweep_cases(s->sweep, s->max_bytes, nprocs, cases) ||
               complain("no memory left");
    const char *wrong = case_settle(&s->c, nprocs);
    if (wrong != NULL)
        return complain("%s", wrong);
    return cases_add(cases, &s->c) || complain("no memory left");
}

static int
check(const state *s, int nprocs, const case_list *cases)
{
    int least = cases->item[0].needs;
    if (s->o->csv != NULL && s->o->json != NULL &&
        strcmp(s->o->csv, "-") == 0 && strcmp(s->o->json, "-") == 0)
        return complain("only one of --csv and --json can go to stdout");
    for (int k = 1; k < cases->n; ++k)
        if (cases->item[k].needs < least)
            least = cases->item[k].needs;
    if (least > nprocs)
        return complain("needs at least %d processes, but there %s %d", least,
                        nprocs == 1 ? "is" : "are", nprocs);
    return 1;
}

static const row *
row_of(int key)
{
    for (int k = 0; k < NROWS; ++k)
        if (table[k].key == key)
            return table + k;
    return NULL;
}

int
options_read(int argc, char **argv, int nprocs, options *o, case_list *cases)
{
    static const options defaults = {.run = {1, 1, 1}, .seconds = 2};
    state s = {.o = o,
               .max_bytes = SWEEP_MOST,
               .c = {.type = 'd',
                     .uplo = 'U',
                     .diag = 'N',
                     .m = 2000,
                     .n = 2000,
                     .a = {.mb = 64, .nb = 64, .i = 1, .j = 1},
                     .b = {.mb = 128, .nb = 128, .i = 1, .j = 1}}};
    struct option names[NROWS + 1] = {{0}};
    for (int k = 0, to = 0; k < NROWS; ++k)
        if (table[k].name != NULL) {
            names[to].name = table[k].name;
            names[to].has_arg = table[k].kind == VALUE_OPTIONAL
                                    ? optional_argument
                                : table[k].arg != NULL ? required_argument
                                                       : no_argument;
            names[to++].val = table[k].key;
        }
    *o = defaults;
    opterr = 0;
    for (;;) {
        const char *word = argv[optind];
        const int key = getopt_long(argc, argv, "+:", names, NULL);
        const row *r = row_of(key);
        if (key == -1)
            break;
        if (key == 'h') {
            help();
            return OPTIONS_HELP;
        }
        if (r == NULL) {
            complain(key == ':' ? "%s needs a value" : "unknown option %s",
                     word);
            return OPTIONS_BAD;
        }
        if (!apply(r, optarg, &s))
            return OPTIONS_BAD;
    }
    if (optind < argc) {
        complain("'%s' is not an option", argv[optind]);
        return OPTIONS_BAD;
    }
    if (!list_cases(&s, nprocs, cases) || !check(&s, nprocs, cases))
        return OPTIONS_BAD;
    return OPTIONS_GO;
}
