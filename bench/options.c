#include "options.h"
#include "draw.h"
#include "sweep.h"
#include <stdio.h>
#include <string.h>

enum { REPEAT_MAX = 10000, SIZE_MOST = 99999999 };

/* The options.  Those of a case describe the one case of a run that has none
 * of --input, --demo and --sweep; those of a sweep limit it. */
enum { ANY, OF_CASE, OF_SWEEP, OF_DRAW };

enum { DRAW_BYTES = 16000000, DRAWN_MOST = 1000000 };

static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', 0, ANY},
    {"demo", NULL, "four typical cases, for a first look", 'd', 0, ANY},
    {"input", "FILE", "cases from a file; GEMR2D.dat explains", 'i', 0, ANY},
    {"sweep", "all|size|block|shape",
     "cases of many sizes, block sizes, grids: see below", 'w', 1, ANY},
    {"random", "N", "N cases drawn at random, and how much faster", 'a', 0,
     ANY},
    {NULL, NULL, "they were than ScaLAPACK", 0, 0, ANY},
    {"seed", "S", "of the cases drawn (1)", 'e', 0, OF_DRAW},
    {"max-bytes", "BYTES", "of the largest matrix of a sweep (800000000)", 'x',
     0, OF_SWEEP},
    {NULL, NULL, "or drawn (16000000)", 0, 0, ANY},
    {"memory", "BYTES", "of a node for a case of a sweep (half of all)", 'M',
     0, OF_SWEEP},
    {"size", "N", "rows and columns to copy (2000)", 's', 0, OF_CASE},
    {"m", "M", "rows to copy", 'm', 0, OF_CASE},
    {"n", "N", "columns to copy", 'n', 0, OF_CASE},
    {"from", "LAYOUT", "of A (64x64), see below", 'f', 0, OF_CASE},
    {"to", "LAYOUT", "of B (128x128)", 't', 0, OF_CASE},
    {"ia", "IA", "first row of sub(A), from 1 (1)", '1', 0, OF_CASE},
    {"ja", "JA", "first column of sub(A) (1)", '2', 0, OF_CASE},
    {"ib", "IB", "first row of sub(B) (1)", '3', 0, OF_CASE},
    {"jb", "JB", "first column of sub(B) (1)", '4', 0, OF_CASE},
    {"type", "i|s|d|c|z", "element type (d)", 'y', 0, OF_CASE},
    {"routine", "gemr2d|trmr2d", "routine (gemr2d)", 'r', 0, OF_CASE},
    {"uplo", "U|L", "trmr2d: upper or lower part (U)", 'u', 0, OF_CASE},
    {"diag", "N|U", "trmr2d: with the diagonal or without (N)", 'g', 0,
     OF_CASE},
    {"context", "line|a", "context argument: 1 x P grid of all processes, or",
     'c', 0, ANY},
    {NULL, NULL, "A's own grid if it has all (line; drawn: both)", 0, 0, ANY},
    {"repeat", "R", "repetitions (as many as fit, at least 3)", 'R', 0, ANY},
    {"seconds", "S", "time to spend on a case (2; one drawn: 0.05)", 'S', 0,
     ANY},
    {"only", "real|hesca|floor|all", "what to run (all)", 'o', 0, ANY},
    {"csv", "FILE", "results as CSV too; - is stdout", 'C', 0, ANY},
    {"json", "FILE", "results as JSON too; - is stdout", 'J', 0, ANY},
};

enum { NROWS = sizeof table / sizeof *table };

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
    cmdline_print(table, NROWS);
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
to_int(const cmdline_row *r, const char *value, int most, int *out)
{
    return cmdline_int(r, value, 1, most, out);
}

/* What the options say until now. */
typedef struct {
    options *o;
    timing_case c;
    const char *of_case;  /* an option that describes the one case, or NULL */
    const char *of_sweep; /* one that limits a sweep */
    const char *input;
    const char *of_draw;
    int context;       /* what --context is for all cases, or -1 */
    int demo, sweep;   /* sweep: its parts, or 0 */
    int drawn, seed;   /* cases to draw, or 0 */
    int64_t max_bytes; /* of the matrices of a sweep, or drawn; 0: not given */
} state;

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    state *s = to;
    int k = 0, ok = 1;
    int64_t bytes = 0;
    if (r->kind == OF_CASE)
        s->of_case = r->name;
    if (r->kind == OF_SWEEP)
        s->of_sweep = r->name;
    if (r->kind == OF_DRAW)
        s->of_draw = r->name;
    switch (r->key) {
    case 'd':
        s->demo = 1;
        return 1;
    case 'i':
        s->input = value;
        return 1;
    case 'w':
        ok = value == NULL || cmdline_choice(r, value, &k);
        s->sweep = k == 0 ? SWEEP_ALL : 1 << (k - 1);
        return ok;
    case 'a':
        return to_int(r, value, DRAWN_MOST, &s->drawn);
    case 'e':
        return to_int(r, value, SIZE_MOST, &s->seed);
    case 'x':
        return cmdline_bytes(r, value, SWEEP_LEAST, &s->max_bytes);
    case 'M':
        ok = cmdline_bytes(r, value, 1, &bytes);
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
        return distribution_parse(value, &s->c.a) || cmdline_bad(r, value);
    case 't':
        return distribution_parse(value, &s->c.b) || cmdline_bad(r, value);
    case '1':
        return to_int(r, value, SIZE_MOST, &s->c.a.i);
    case '2':
        return to_int(r, value, SIZE_MOST, &s->c.a.j);
    case '3':
        return to_int(r, value, SIZE_MOST, &s->c.b.i);
    case '4':
        return to_int(r, value, SIZE_MOST, &s->c.b.j);
    case 'y':
        ok = cmdline_choice(r, value, &k);
        s->c.type = CASE_TYPES[k];
        return ok;
    case 'r':
        return cmdline_choice(r, value, &s->c.triangular);
    case 'u':
        ok = cmdline_choice(r, value, &k);
        s->c.uplo = "UL"[k];
        return ok;
    case 'g':
        ok = cmdline_choice(r, value, &k);
        s->c.diag = "NU"[k];
        return ok;
    case 'c':
        return cmdline_choice(r, value, &s->context);
    case 'R':
        return to_int(r, value, REPEAT_MAX, &s->o->repeat);
    case 'S':
        return cmdline_real(r, value, &s->o->seconds);
    case 'o':
        ok = cmdline_choice(r, value, &k);
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
                         : s->sweep         ? "sweep"
                                            : "random";
    const int sources =
        s->demo + (s->input != NULL) + (s->sweep != 0) + (s->drawn != 0);
    if (sources > 1)
        return cmdline_complain(
            "--demo, --input, --sweep and --random exclude each other");
    if (sources > 0 && s->of_case != NULL)
        return cmdline_complain("--%s describes one case, --%s brings its own",
                                s->of_case, source);
    if (!s->sweep && !s->drawn && s->of_sweep != NULL)
        return cmdline_complain(
            "--%s limits a --sweep or --random, and there is none",
            s->of_sweep);
    if (!s->drawn && s->of_draw != NULL)
        return cmdline_complain("--%s is for --random", s->of_draw);
    if (s->drawn && !(s->o->run[REAL] && s->o->run[HESCA]))
        return cmdline_complain("--random compares, --only leaves one out");
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
        return cases_demo(nprocs, cases) || cmdline_complain("no memory left");
    if (s->sweep)
        return sweep_cases(s->sweep,
                           s->max_bytes > 0 ? s->max_bytes : SWEEP_MOST,
                           nprocs, cases) ||
               cmdline_complain("no memory left");
    if (s->drawn) {
        s->o->drawn = 1;
        return draw_cases(s->drawn, (uint64_t)s->seed,
                          s->max_bytes > 0 ? s->max_bytes : DRAW_BYTES, nprocs,
                          cases) ||
               cmdline_complain("no memory left");
    }
    const char *wrong = case_settle(&s->c, nprocs);
    if (wrong != NULL)
        return cmdline_complain("%s", wrong);
    return cases_add(cases, &s->c) || cmdline_complain("no memory left");
}

static int
check(const state *s, int nprocs, const case_list *cases)
{
    int least = cases->item[0].needs;
    if (s->o->csv != NULL && s->o->json != NULL &&
        strcmp(s->o->csv, "-") == 0 && strcmp(s->o->json, "-") == 0)
        return cmdline_complain(
            "only one of --csv and --json can go to stdout");
    for (int k = 1; k < cases->n; ++k)
        if (cases->item[k].needs < least)
            least = cases->item[k].needs;
    if (least > nprocs)
        return cmdline_complain("needs at least %d processes, but there %s %d",
                                least, nprocs == 1 ? "is" : "are", nprocs);
    return 1;
}

int
options_read(int argc, char **argv, int nprocs, options *o, case_list *cases)
{
    static const options defaults = {.run = {1, 1, 1}};
    static const cmdline line = {"time_gemr2d", table, NROWS, help, apply};
    state s = {.o = o,
               .context = -1,
               .seed = 1,
               .c = {.type = 'd',
                     .uplo = 'U',
                     .diag = 'N',
                     .m = 2000,
                     .n = 2000,
                     .a = {.mb = 64, .nb = 64, .i = 1, .j = 1},
                     .b = {.mb = 128, .nb = 128, .i = 1, .j = 1}}};
    *o = defaults;
    const int what = cmdline_read(&line, argc, argv, &s);
    if (what == CMDLINE_GO &&
        (!list_cases(&s, nprocs, cases) || !check(&s, nprocs, cases)))
        return CMDLINE_BAD;
    for (int k = 0; s.context >= 0 && k < cases->n; ++k)
        cases->item[k].context_a = s.context;
    if (o->seconds <= 0)
        o->seconds = o->drawn ? 0.05 : 2;
    return what;
}
