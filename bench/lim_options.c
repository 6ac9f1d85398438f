#include "lim_options.h"
#include "contest.h"
#include "tools/lib/cmdline.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_MAX = 10000, BLOCK_MAX = 1 << 20 };

static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', 0, 0},
    {"k", "K,...", "factors by which blocks grow, at most P; also FIRST:LAST",
     'k', 0, 0},
    {NULL, NULL, "or FIRST:LAST:STEP (3:P-1)", 0, 0, 0},
    {"schedules", "NAME,...",
     "what is compared, see below (direct,indirect,hybrid:1)", 's', 0, 0},
    {"real", NULL, "ScaLAPACK's routine, too; as schedule scalapack", 'R', 0,
     0},
    {"bytes", "BYTES", "of the array (200000)", 'b', 0, 0},
    {"array", "column|row", "an N x 1 matrix, or a 1 x N one (column)", 'a', 0,
     0},
    {"x", "X", "elements of a block of A (1)", 'x', 0, 0},
    {"esize", "4|8|16", "bytes of an element (4)", 'e', 0, 0},
    {"procs", "P", "processes that take part (all)", 'p', 0, 0},
    {"transport", "auto|mpi|shm|lend", "as HESCA_TRANSPORT, which it replaces",
     't', 0, 0},
    {"n1", "N", "repetitions (40)", '1', 0, 0},
    {"n2", "N", "executions of a repetition (20)", '2', 0, 0},
    {"seconds", "S", "time for a schedule and a K: it makes fewer executions",
     'S', 0, 0},
    {NULL, NULL, "and repetitions, but at least 3, if it is slow (1)", 0, 0,
     0},
    {"csv", "FILE", "results as CSV too; - is stdout", 'C', 0, 0},
    {"json", "FILE", "results as JSON too; - is stdout", 'J', 0, 0},
};

enum { NROWS = sizeof table / sizeof *table };

static void
help(void)
{
    printf("Usage: mpiexec -n P time_lim [option]...\n"
           "Time R_x(K,P), the redistribution of an array from cyclic(x) to "
           "cyclic(Kx) on P\nprocesses, by several schedules, as LIM's "
           "Figure 13 does; verify what they deliver.\n\n");
    cmdline_print(table, NROWS);
    printf("\nA schedule is one of HESCA_SCHEDULE (direct, direct-async, "
           "indirect, hybrid:D,\nmultiphase, two-phase, alltoall, auto, ...) "
           "or\n");
    contest_print();
    printf(
        "BYTES are rounded down to whole superblocks of K P X elements, at "
        "least one, so\nthat all messages of a step are equally long.  Times "
        "are those of LIM: an\nexecution's mean over n2 of them and all "
        "processes, of which there are n1.\nPlans are made once, and timed "
        "apart.\n\n"
        "Exit status: 0 if all results are right, 1 if not, 2 if the timing "
        "cannot be\ndone.\n");
}

static int
add_name(const cmdline_row *r, const char *word, size_t len, lim_options *o)
{
    char *name = o->name[o->nnames];
    if (len == 0 || len >= HESCA_NAME_MAX)
        return cmdline_bad(r, word);
    if (o->nnames == LIM_NAMES)
        return cmdline_complain("--%s: more than %d names", r->name,
                                LIM_NAMES);
    memcpy(name, word, len);
    name[len] = '\0';
    if (!contest_knows(name))
        return cmdline_complain("--%s '%s': no such schedule", r->name, name);
    ++o->nnames;
    return 1;
}

static int
add_names(const cmdline_row *r, const char *value, lim_options *o)
{
    o->nnames = 0;
    for (const char *word = value;;) {
        const size_t len = strcspn(word, ",");
        if (!add_name(r, word, len, o))
            return 0;
        if (word[len] == '\0')
            return 1;
        word += len + 1;
    }
}

/* What the options say until now. */
typedef struct {
    lim_options *o;
    int real;
} state;

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    state *s = to;
    lim_options *o = s->o;
    int k, ok;
    switch (r->key) {
    case 'k':
        return cmdline_list(r, value, 1, INT_MAX, o->k, LIM_FACTORS, &o->nk);
    case 's':
        return add_names(r, value, o);
    case 'R':
        s->real = 1;
        return 1;
    case 'b':
        return cmdline_bytes(r, value, 1, &o->bytes);
    case 'a':
        return cmdline_choice(r, value, &o->is_row);
    case 'x':
        return cmdline_int(r, value, 1, BLOCK_MAX, &o->x);
    case 'e':
        ok = cmdline_choice(r, value, &k);
        o->esize = 4 << k;
        return ok;
    case 'p':
        return cmdline_int(r, value, 1, INT_MAX, &o->procs);
    case 't':
        o->transport = value;
        return cmdline_choice(r, value, &k);
    case '1':
        return cmdline_int(r, value, 1, REPEAT_MAX, &o->n1);
    case '2':
        return cmdline_int(r, value, 1, REPEAT_MAX, &o->n2);
    case 'S':
        return cmdline_real(r, value, &o->seconds);
    case 'C':
        o->csv = value;
        return 1;
    default:
        o->json = value;
        return 1;
    }
}

/* What is open before the options are known. */
static int
complete(state *s, int nprocs)
{
    lim_options *o = s->o;
    if (o->procs == 0)
        o->procs = nprocs;
    if (o->nk == 0)
        for (int k = o->procs > 3 ? 3 : 1;
             o->nk == 0 || (k < o->procs && o->nk < LIM_FACTORS); ++k)
            o->k[o->nk++] = k;
    if (s->real)
        strcpy(o->name[o->nnames++], "scalapack");
    return 1;
}

static int
check(const lim_options *o, int nprocs)
{
    if (o->csv != NULL && o->json != NULL && strcmp(o->csv, "-") == 0 &&
        strcmp(o->json, "-") == 0)
        return cmdline_complain(
            "only one of --csv and --json can go to stdout");
    if (o->procs > nprocs)
        return cmdline_complain("--procs '%d': there are %d", o->procs,
                                nprocs);
    for (int i = 0; i < o->nk; ++i)
        if (o->k[i] > o->procs)
            return cmdline_complain("--k '%lld': must not exceed the %d "
                                    "processes",
                                    (long long)o->k[i], o->procs);
        else if (o->k[i] > INT_MAX / o->x)
            return cmdline_complain("--x '%d': blocks of B are too large",
                                    o->x);
    return 1;
}

int
lim_options_read(int argc, char **argv, int nprocs, lim_options *o)
{
    static const lim_options defaults = {
        .x = 1,
        .esize = 4,
        .bytes = 200000,
        .n1 = 40,
        .n2 = 20,
        .name = {"direct", "indirect", "hybrid:1"},
        .nnames = 3,
        .seconds = 1};
    static const cmdline line = {"time_lim", table, NROWS, help, apply};
    state s = {.o = o};
    *o = defaults;
    const int what = cmdline_read(&line, argc, argv, &s);
    if (what == CMDLINE_GO && (!complete(&s, nprocs) || !check(o, nprocs)))
        return CMDLINE_BAD;
    return what;
}
