/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/check_report.h"
#include "tools/lib/json.h"
#include "tools/lib/preload.h"
#include "tools/lib/tools.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const binding_process *p;
    int nserved, ndefined;
    int is_used; /* something calls a routine, or has ScaLAPACK's */
    int mpi[2];  /* the first two MPI libraries, or -1 */
    int json, nnotes;
} report;

static const char *
path_of(const report *x, int file)
{
    return file < 0 ? NULL : x->p->file[file].path;
}

static int
has_builtin(const report *x)
{
    for (int r = 0; r < NROUTINES; ++r)
        if (x->p->home[r].how == BOUND_BUILTIN)
            return 1;
    return 0;
}

static int
answer(const report *x)
{
    return x->is_used && x->nserved == x->ndefined && x->mpi[1] < 0 ? TOOL_YES
                                                                    : TOOL_NO;
}

/* ------------------------------------------------ notes
 * Each note is a paragraph of the text, or a string of the JSON. */

static void say(report *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
say(report *x, const char *format, ...)
{
    char text[2 * PATH_MAX + 512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (x->json) {
        printf(x->nnotes > 0 ? ", " : "");
        json_string(text);
    } else {
        printf("%s\n", text);
    }
    ++x->nnotes;
}

/* How to get HESCA into a process that does not have it. */
static void
note_remedy(report *x)
{
    const binding b = x->p->home[0];
    const char *path = preload_find();
    if (has_builtin(x))
        say(x, "ScaLAPACK is linked into the program: relink it with the "
               "flags of `pkg-config --static --libs hesca-scalapack` before "
               "ScaLAPACK (one --wrap per routine).");
    else if (x->p->hesca > 0 && b.how == BOUND_SHARED &&
             !binding_is_hesca(x->p, b))
        say(x,
            "%s comes before HESCA: link -lhesca_scalapack before it, or "
            "preload %s.",
            path_of(x, b.file), path_of(x, x->p->hesca));
    else if (x->p->hesca < 0)
        say(x,
            "To use HESCA without relinking: mpiexec -n P env "
            "LD_PRELOAD=%s %s",
            path != NULL ? path : "libhesca_scalapack.so",
            x->p->is_library ? "PROGRAM" : path_of(x, 0));
}

/* A file whose calls are not bound to HESCA though those of the program are.
 */
static void
note_stray(report *x, int file)
{
    static const char remedy[] =
        "preload HESCA, or link its shared library first.";
    int stray = -1;
    for (int r = 0; r < NROUTINES; ++r) {
        const binding b = binding_of(x->p, file, r);
        if (x->p->file[file].calls[r] &&
            binding_is_hesca(x->p, x->p->home[r]) &&
            !binding_is_hesca(x->p, b))
            stray = b.file;
    }
    if (stray == file)
        say(x, "%s calls its own routines, which HESCA does not see: %s",
            path_of(x, file), remedy);
    else if (stray >= 0)
        say(x, "%s calls those of %s, which HESCA does not see: %s",
            path_of(x, file), path_of(x, stray), remedy);
}

static void
note_all(report *x)
{
    const binding_process *p = x->p;
    const int send = binding_first(p, NAME_SEND).file;
    if (x->ndefined == 0) {
        say(x, "The program and its libraries define none of the routines "
               "that HESCA serves.");
        if (!p->file[0].elf.has_symtab)
            say(x, "The program is stripped: what is linked into it cannot "
                   "be seen.");
    } else if (x->nserved < x->ndefined) {
        note_remedy(x);
    } else if (!x->is_used) {
        say(x, "Neither the program nor its libraries call any of these "
               "routines: HESCA has nothing to serve here.");
    }
    for (int k = 1; k < p->n; ++k)
        note_stray(x, k);
    for (int k = 0; k < p->n; ++k)
        if (p->file[k].is_closed)
            say(x,
                "%s is linked -Bsymbolic: HESCA cannot serve the calls "
                "that it makes to itself, as in p?syev or p?gesvd.",
                path_of(x, k));
    if (x->mpi[1] >= 0)
        say(x,
            "Two MPI libraries in one process, %s and %s: use a HESCA "
            "built for the MPI of the program.",
            path_of(x, x->mpi[0]), path_of(x, x->mpi[1]));
    if (p->hesca > 0 && send >= 0 && p->file[send].kind != FILE_HESCA)
        say(x,
            "%s comes before HESCA: MPI's blocking calls do not yield "
            "(HESCA_WAIT).",
            path_of(x, send));
    if (p->is_doubtful)
        say(x, "The program is linked with ScaLAPACK's own routines, too, for "
               "HESCA to fall back on.  Whether it has calls of them that no "
               "--wrap has renamed cannot be seen; HESCA_VERBOSE=1 shows "
               "those that HESCA serves.");
    if (p->scalapack < 0 && p->n > 1 && !has_builtin(x))
        say(x, "ScaLAPACK is not among the libraries; one that is loaded "
               "later (dlopen) is not looked at.");
}

/* ------------------------------------------------ text
 * A line names all types of a family that have the same definition. */

/* Print the names of some types in one, as p[sd]gemr2d_. */
static void
print_names(int family, const int in[NLETTERS], int width)
{
    const char *const *names = &binding_name[family * NLETTERS];
    char letters[NLETTERS + 1], text[32];
    int n = 0;
    int last = NLETTERS - 1;
    while (last > 0 && names[last] == NULL)
        --last;
    if (last == 0) {
        printf("%-*s", width, names[0]);
        return;
    }
    const size_t at = strcspn(names[last], "pP") + 1;
    for (int t = 0; t < NLETTERS; ++t)
        if (in[t] && names[t] != NULL)
            letters[n++] = names[t][at];
    letters[n] = '\0';
    snprintf(text, sizeof text, n > 1 ? "%.*s[%s]%s" : "%.*s%s%s", (int)at,
             names[last], letters, names[last] + at + 1);
    printf("%-*s", width, text);
}

static const char *
owner(const report *x, binding b)
{
    static const char *const kinds[] = {[FILE_OTHER] = "another library",
                                        [FILE_SCALAPACK] = "ScaLAPACK",
                                        [FILE_HESCA] = "HESCA"};
    switch (b.how) {
    case BOUND_NOWHERE:
        return "no library";
    case BOUND_WRAPPED:
        return "HESCA, linked by --wrap";
    case BOUND_BUILTIN:
        return "built in";
    default:
        return kinds[x->p->file[b.file].kind];
    }
}

static void
print_family(const report *x, int f)
{
    const binding *home = &x->p->home[f * NLETTERS];
    int done[NLETTERS] = {0};
    for (int t = 0; t < NLETTERS; ++t) {
        int in[NLETTERS] = {0};
        if (done[t] || binding_name[f * NLETTERS + t] == NULL)
            continue;
        for (int u = t; u < NLETTERS; ++u)
            if (home[u].how == home[t].how && home[u].file == home[t].file)
                in[u] = done[u] = 1;
        print_names(f, in, 17);
        printf("  %s", owner(x, home[t]));
        if (home[t].how == BOUND_SHARED)
            printf(" (%s)", path_of(x, home[t].file));
        printf("\n");
    }
}

/* The routines that a file calls, after a heading for the first such file. */
static int
print_calls(const report *x, int file, int ncallers)
{
    int n = 0;
    for (int f = 0; f < NFAMILIES; ++f) {
        int in[NLETTERS], ncalled = 0;
        for (int t = 0; t < NLETTERS; ++t)
            ncalled += in[t] = x->p->file[file].calls[f * NLETTERS + t];
        if (ncalled == 0)
            continue;
        if (n++ == 0)
            printf("%s  %s:\n   ", ncallers > 0 ? "" : "\ncalled by\n",
                   path_of(x, file));
        printf(" ");
        print_names(f, in, 0);
    }
    printf(n > 0 ? "\n" : "");
    return n > 0;
}

static void
print_library(const report *x, const char *name, int file)
{
    printf("%-9s  %s\n", name,
           file < 0                         ? "-"
           : file == 0 && !x->p->is_library ? "linked into the program"
                                            : path_of(x, file));
}

static void
print_text(report *x)
{
    const binding_process *p = x->p;
    int ncallers = 0;
    printf("%s    %s\n", p->is_library ? "library" : "program", path_of(x, 0));
    print_library(x, "HESCA", p->hesca);
    print_library(x, "ScaLAPACK", p->scalapack);
    printf("\n");
    if (x->ndefined > 0) {
        printf("routine            defined by\n");
        for (int f = 0; f < NFAMILIES; ++f)
            print_family(x, f);
        for (int k = 0; k < p->n; ++k)
            ncallers += print_calls(x, k, ncallers);
        if (ncallers == 0)
            printf("\nNo calls from one file to another; those within a file "
                   "cannot be seen.\n");
        if (x->is_used)
            printf("\nHESCA serves %d of %d routines.\n", x->nserved,
                   x->ndefined);
        else
            printf("\n");
    }
    note_all(x);
}

/* ------------------------------------------------ JSON
 * One object; the notes are its last member. */

static void
print_member(const char *name, const char *value)
{
    printf("\"%s\": ", name);
    json_string(value);
    printf(",\n ");
}

static void
print_routine(const report *x, int r)
{
    static const char *const how[] = {[BOUND_NOWHERE] = NULL,
                                      [BOUND_SHARED] = "shared",
                                      [BOUND_BUILTIN] = "built in",
                                      [BOUND_WRAPPED] = "wrap"};
    const binding b = x->p->home[r];
    int n = 0;
    printf("%s\n  {\"name\": \"%s\", \"served\": %s, \"bound\": ",
           r > 0 ? "," : "", binding_name[r],
           x->p->is_served[r] ? "true" : "false");
    json_string(how[b.how]);
    printf(", \"path\": ");
    json_string(path_of(x, b.file));
    printf(", \"called_by\": [");
    for (int k = 0; k < x->p->n; ++k)
        if (x->p->file[k].calls[r]) {
            printf(n++ > 0 ? ", " : "");
            json_string(path_of(x, k));
        }
    printf("]}");
}

static void
print_json(report *x)
{
    printf("{");
    print_member("program", path_of(x, 0));
    print_member("hesca", path_of(x, x->p->hesca));
    print_member("scalapack", path_of(x, x->p->scalapack));
    printf("\"ok\": %s,\n \"served\": %d,\n \"defined\": %d,\n",
           answer(x) == TOOL_YES ? "true" : "false", x->nserved, x->ndefined);
    printf(" \"routines\": [");
    for (int r = 0; r < NROUTINES; ++r)
        if (binding_name[r] != NULL)
            print_routine(x, r);
    printf("],\n \"notes\": [");
    note_all(x);
    printf("]}\n");
}

int
check_report_print(const binding_process *p, int json)
{
    report x = {.p = p, .mpi = {-1, -1}, .json = json};
    x.is_used = p->scalapack >= 0;
    for (int r = 0; r < NROUTINES; ++r) {
        x.nserved += p->is_served[r];
        x.ndefined += p->home[r].how != BOUND_NOWHERE;
        x.is_used |=
            p->home[r].how == BOUND_BUILTIN || p->home[r].how == BOUND_WRAPPED;
        for (int k = 0; k < p->n; ++k)
            x.is_used |= p->file[k].calls[r];
    }
    for (int k = 0, n = 0; k < p->n && n < 2; ++k)
        if (p->file[k].exports[NAME_MPI])
            x.mpi[n++] = k;
    (json ? print_json : print_text)(&x);
    return answer(&x);
}
