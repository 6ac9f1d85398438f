/* SPDX-License-Identifier: BSD-3-Clause */
#include "gemr2d.h"
#include <stdio.h>
#include <string.h>

enum { REPEAT_MAX = 10000, SIZE_MOST = 99999999 };
enum { DRAW_BYTES = 16000000, DRAWN_MOST = 1000000 };

static int
set_sweep(const cmdline_row *r, const char *value, void *to)
{
    int k = 0;
    const int ok = value == NULL || cmdline_choice(r, value, &k);
    ((options *)to)->sweep = k == 0 ? SWEEP_ALL : 1 << (k - 1);
    return ok;
}

static int
set_max_bytes(const cmdline_row *r, const char *value, void *to)
{
    return cmdline_bytes(r, value, SWEEP_LEAST, to);
}

static int
set_memory(const cmdline_row *r, const char *value, void *to)
{
    int64_t bytes = 0;
    const int ok = cmdline_bytes(r, value, 1, &bytes);
    ((options *)to)->memory = (double)bytes;
    return ok;
}

static int
set_size(const cmdline_row *r, const char *value, void *to)
{
    timing_case *c = &((options *)to)->c;
    const int ok = cmdline_int(r, value, 1, SIZE_MOST, &c->m);
    c->n = c->m;
    return ok;
}

static int
set_layout(const cmdline_row *r, const char *value, void *to)
{
    return distribution_parse(value, to) || cmdline_bad(r, value);
}

/* A letter of type, uplo or diag. */
static int
set_letter(const cmdline_row *r, const char *value, void *to)
{
    int k = 0;
    const int ok = cmdline_choice(r, value, &k);
    *(char *)to = r->arg[2 * k];
    return ok;
}

static int
set_only(const cmdline_row *r, const char *value, void *to)
{
    int k = 0;
    const int ok = cmdline_choice(r, value, &k);
    for (int what = 0; what < NROUTINES; ++what)
        ((options *)to)->run[what] = k == NROUTINES || k == what;
    return ok;
}

const cmdline_row gemr2d_options[] = {
    OPT_FLAG("demo", "four typical cases, for a first look", demo),
    OPT_TEXT("input", "FILE", "cases from a file; GEMR2D.dat explains", input),
    {.name = "sweep",
     .arg = "all|size|block|shape",
     .help = "cases of many sizes, block sizes, grids: see below",
     .kind = CMDLINE_SET,
     .set = set_sweep,
     .is_optional = 1},
    OPT_INT("random", "N", "N cases drawn at random, and how much faster",
            drawn, 1, DRAWN_MOST),
    OPT_MORE("they were than ScaLAPACK"),
    OPT_INT("seed", "S", "of the cases drawn (1)", seed, 1, SIZE_MOST),
    OPT_FIELD("max-bytes", "BYTES",
              "of the largest matrix of a sweep (800000000)", set_max_bytes,
              max_bytes),
    OPT_MORE("or drawn (16000000)"),
    OPT_SET("memory", "BYTES", "of a node for a case of a sweep (half of all)",
            set_memory),
    OPT_SET("size", "N", "rows and columns to copy (2000)", set_size),
    OPT_INT("m", "M", "rows to copy", c.m, 1, SIZE_MOST),
    OPT_INT("n", "N", "columns to copy", c.n, 1, SIZE_MOST),
    OPT_FIELD("from", "LAYOUT", "of A (64x64), see below", set_layout, c.a),
    OPT_FIELD("to", "LAYOUT", "of B (128x128)", set_layout, c.b),
    OPT_INT("ia", "IA", "first row of sub(A), from 1 (1)", c.a.i, 1,
            SIZE_MOST),
    OPT_INT("ja", "JA", "first column of sub(A) (1)", c.a.j, 1, SIZE_MOST),
    OPT_INT("ib", "IB", "first row of sub(B) (1)", c.b.i, 1, SIZE_MOST),
    OPT_INT("jb", "JB", "first column of sub(B) (1)", c.b.j, 1, SIZE_MOST),
    OPT_FIELD("type", "i|s|d|c|z", "element type (d)", set_letter, c.type),
    OPT_CHOICE("routine", "gemr2d|trmr2d", "routine (gemr2d)", c.triangular),
    OPT_FIELD("uplo", "U|L", "trmr2d: upper or lower part (U)", set_letter,
              c.uplo),
    OPT_FIELD("diag", "N|U", "trmr2d: with the diagonal or without (N)",
              set_letter, c.diag),
    OPT_CHOICE("context", "line|a",
               "context argument: 1 x P grid of all processes, or", context),
    OPT_MORE("A's own grid if it has all (line; drawn: both)"),
    OPT_INT("repeat", "R", "repetitions (as many as fit, at least 3)", repeat,
            1, REPEAT_MAX),
    OPT_REAL("seconds", "S", "time to spend on a case (2; one drawn: 0.05)",
             seconds),
    OPT_SET("only", "real|hesca|floor|all", "what to run (all)", set_only),
};
const int gemr2d_noptions = sizeof gemr2d_options / sizeof *gemr2d_options;

const char gemr2d_notes[] =
    "\nLAYOUT is [PxQ[@FIRST]:]MBxNB[:RSRC,CSRC]: process grid (0 for as "
    "many as there\nare; filled by rows from process FIRST on), blocks, "
    "owner of the first block.\nExample: --from 4x1:64x64 --to "
    "2x2:128x128:1,0\n\n"

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
    "\n"
    "Exit status: 0 if all results are right and bitwise identical, 1 if "
    "not, 2 if\nthe timing cannot be done.\n",
           about_sweeps;

/* The first of some options that was given, or NULL. */
static const char *
given(const char *const *names)
{
    while (*names != NULL && !cmdline_is_given(*names))
        ++names;
    return *names;
}

/* Options that say where cases come from, or what those are, must agree. */
static int
check_source(const options *s)
{
    static const char *const of_case[] = {
        "size", "m",  "n",    "from",    "to",   "ia",   "ja",
        "ib",   "jb", "type", "routine", "uplo", "diag", NULL};
    static const char *const of_sweep[] = {"max-bytes", "memory", NULL};
    const char *source = s->demo            ? "demo"
                         : s->input != NULL ? "input"
                         : s->sweep         ? "sweep"
                                            : "random";
    const int sources =
        s->demo + (s->input != NULL) + (s->sweep != 0) + (s->drawn != 0);
    if (sources > 1)
        return cmdline_complain(
            "--demo, --input, --sweep and --random exclude each other");
    if (sources > 0 && given(of_case) != NULL)
        return cmdline_complain("--%s describes one case, --%s brings its own",
                                given(of_case), source);
    if (!s->sweep && !s->drawn && given(of_sweep) != NULL)
        return cmdline_complain(
            "--%s limits a --sweep or --random, and there is none",
            given(of_sweep));
    if (!s->drawn && cmdline_is_given("seed"))
        return cmdline_complain("--seed is for --random");
    if (s->drawn && !(s->run[REAL] && s->run[HESCA]))
        return cmdline_complain("--random compares, --only leaves one out");
    return 1;
}

/* The cases that the options ask for. */
static int
list_cases(options *s, int nprocs, case_list *cases)
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
    if (s->drawn)
        return draw_cases(s->drawn, (uint64_t)s->seed,
                          s->max_bytes > 0 ? s->max_bytes : DRAW_BYTES, nprocs,
                          cases) ||
               cmdline_complain("no memory left");
    const char *wrong = case_settle(&s->c, nprocs);
    if (wrong != NULL)
        return cmdline_complain("%s", wrong);
    return cases_add(cases, &s->c) || cmdline_complain("no memory left");
}

int
gemr2d_cases(options *o, int nprocs, case_list *cases)
{
    if (!list_cases(o, nprocs, cases))
        return 0;
    int least = cases->item[0].needs;
    for (int k = 0; k < cases->n; ++k) {
        timing_case *c = &cases->item[k];
        least = c->needs < least ? c->needs : least;
        if (o->context >= 0)
            c->context_a = o->context;
    }
    if (o->seconds <= 0)
        o->seconds = o->drawn ? 0.05 : 2;
    return least <= nprocs ||
           cmdline_complain("needs at least %d processes, but there %s %d",
                            least, nprocs == 1 ? "is" : "are", nprocs);
}
