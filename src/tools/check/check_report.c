#include "tools/check/check_report.h"
#include "tools/lib/json.h"
#include "tools/lib/preload.h"
#include "tools/lib/tools.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What there is to print; filled by judge(). */
typedef struct {
    const binding_process *p;
    binding home[NFAMILIES][NLETTERS]; /* as the program itself is bound */
    int served[NFAMILIES][NLETTERS];
    int nserved, ndefined;
    int hesca, scalapack; /* the files that have them, or -1 */
    int mpi[2];           /* the first two MPI libraries, or -1 */
    int json, nnotes;
} verdict;

static const char *
path_of(const verdict *v, int file)
{
    return file < 0 ? NULL : v->p->file[file].path;
}

/* ------------------------------------------------ judgement */

static int
uses(const verdict *v, binding_how how)
{
    for (int f = 0; f < NFAMILIES; ++f)
        for (int t = 0; t < NLETTERS; ++t)
            if (v->home[f][t].how == how)
                return 1;
    return 0;
}

/* Profilers define MPI_Init as well, only MPI itself defines PMPI_Init. */
static void
find_mpi(verdict *v)
{
    v->mpi[0] = v->mpi[1] = -1;
    for (int k = 0, n = 0; k < v->p->n && n < 2; ++k)
        if (elf_exports(v->p->file[k].elf, "PMPI_Init"))
            v->mpi[n++] = k;
}

static void
judge(verdict *v)
{
    v->hesca = binding_first(v->p, FILE_HESCA);
    v->scalapack = binding_first(v->p, FILE_SCALAPACK);
    for (int f = 0; f < NFAMILIES; ++f)
        for (int t = 0; t < NLETTERS; ++t) {
            v->home[f][t] = binding_find(v->p, f, t, 0);
            v->served[f][t] = binding_served(v->p, f, t);
            v->nserved += v->served[f][t];
            v->ndefined += v->home[f][t].how != BOUND_NOBODY;
        }
    find_mpi(v);
}

static int
answer(const verdict *v)
{
    return v->ndefined > 0 && v->nserved == v->ndefined && v->mpi[1] < 0
               ? TOOL_YES
               : TOOL_NO;
}

/* ------------------------------------------------ names */

/* The names of several types in one: p[sd]gemr2d_. */
typedef struct {
    char text[32];
} pattern;

static pattern
pattern_of(int family, const int in[NLETTERS])
{
    const char *name = binding_name[family][1];
    pattern x;
    char letters[NLETTERS + 1];
    int n = 0;
    if (name == NULL) {
        snprintf(x.text, sizeof x.text, "%s", binding_name[family][0]);
        return x;
    }
    const size_t at = strcspn(name, "pP") + 1;
    for (int t = 0; t < NLETTERS; ++t)
        if (in[t])
            letters[n++] = binding_name[family][t][at];
    letters[n] = '\0';
    snprintf(x.text, sizeof x.text, n > 1 ? "%.*s[%s]%s" : "%.*s%s%s", (int)at,
             name, letters, name + at + 1);
    return x;
}

/* Which types of a family a file calls.
 * \return their number. */
static int
called_types(const verdict *v, int family, int file, int in[NLETTERS])
{
    int n = 0;
    for (int t = 0; t < NLETTERS; ++t)
        n += in[t] = binding_calls(v->p, family, t, file);
    return n;
}

static int
calls_any(const verdict *v, int file)
{
    int in[NLETTERS], n = 0;
    for (int f = 0; f < NFAMILIES; ++f)
        n += called_types(v, f, file, in);
    return n > 0;
}

static const char *
owner(const verdict *v, binding b)
{
    static const char *const kinds[] = {[FILE_OTHER] = "another library",
                                        [FILE_SCALAPACK] = "ScaLAPACK",
                                        [FILE_HESCA] = "HESCA"};
    switch (b.how) {
    case BOUND_NOBODY:
        return "nobody";
    case BOUND_WRAPPED:
        return "HESCA, linked by --wrap";
    case BOUND_BUILTIN:
        return "built in";
    default:
        return kinds[v->p->file[b.file].kind];
    }
}

/* ------------------------------------------------ notes */

/* One thing worth knowing: a paragraph of the text, a string of the JSON. */
static void say(verdict *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
say(verdict *v, const char *format, ...)
{
    char text[2 * PATH_MAX + 512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (v->json) {
        printf(v->nnotes > 0 ? ", " : "");
        json_string(text);
    } else {
        printf("%s\n", text);
    }
    ++v->nnotes;
}

static void
note_missing(verdict *v)
{
    say(v, "The program and its libraries define none of the routines that "
           "HESCA serves.");
    if (!elf_has_symtab(v->p->file[0].elf))
        say(v, "The program is stripped: what is linked into it cannot be "
               "seen.");
}

/* How to get HESCA into a process that does not have it. */
static void
note_remedy(verdict *v)
{
    const binding b = v->home[0][0];
    const char *path = preload_find();
    if (uses(v, BOUND_BUILTIN))
        say(v, "ScaLAPACK is linked into the program: relink it with the "
               "flags of `pkg-config --static --libs hesca-scalapack` before "
               "ScaLAPACK (one --wrap per routine).");
    else if (v->hesca > 0 && b.how == BOUND_SHARED &&
             v->p->file[b.file].kind != FILE_HESCA)
        say(v,
            "%s comes before HESCA: link -lhesca_scalapack before it, or "
            "preload %s.",
            path_of(v, b.file), path_of(v, v->hesca));
    else if (v->hesca < 0)
        say(v,
            "To use HESCA without relinking: mpiexec -n P env "
            "LD_PRELOAD=%s %s",
            path != NULL ? path : "libhesca_scalapack.so",
            v->p->library ? "PROGRAM" : path_of(v, 0));
}

/* Files whose calls go elsewhere though those of the program are HESCA's. */
static void
note_strays(verdict *v)
{
    static const char remedy[] =
        "preload HESCA, or link its shared library first.";
    for (int k = 1; k < v->p->n; ++k) {
        binding stray = {BOUND_NOBODY, -1};
        for (int f = 0; f < NFAMILIES; ++f)
            for (int t = 0; t < NLETTERS; ++t) {
                const binding b = binding_find(v->p, f, t, k);
                if (binding_calls(v->p, f, t, k) &&
                    binding_is_hesca(v->p, v->home[f][t]) &&
                    !binding_is_hesca(v->p, b))
                    stray = b;
            }
        if (stray.file == k)
            say(v, "%s calls its own routines, which HESCA does not see: %s",
                path_of(v, k), remedy);
        else if (stray.how != BOUND_NOBODY)
            say(v, "%s calls those of %s, which HESCA does not see: %s",
                path_of(v, k), path_of(v, stray.file), remedy);
    }
}

/* HESCA in the process, but somebody before it that has MPI's calls. */
static void
note_waiting(verdict *v)
{
    const int first = binding_waits(v->p);
    if (v->hesca > 0 && first >= 0 && v->p->file[first].kind != FILE_HESCA)
        say(v,
            "%s comes before HESCA: MPI's blocking calls do not wait politely "
            "(HESCA_WAIT).",
            path_of(v, first));
}

static int
is_doubtful(const verdict *v)
{
    for (int f = 0; f < NFAMILIES; ++f)
        for (int t = 0; t < NLETTERS; ++t)
            if (binding_is_doubtful(v->p, f, t))
                return 1;
    return 0;
}

static void
note_all(verdict *v)
{
    if (v->ndefined == 0)
        note_missing(v);
    else if (v->nserved < v->ndefined)
        note_remedy(v);
    note_strays(v);
    for (int k = 0; k < v->p->n; ++k)
        if (binding_is_closed(v->p, k))
            say(v,
                "%s is linked -Bsymbolic: HESCA cannot serve the calls "
                "that it makes to itself, as in p?syev or p?gesvd.",
                path_of(v, k));
    if (v->mpi[1] >= 0)
        say(v,
            "Two MPI libraries in one process, %s and %s: use a HESCA "
            "built for the MPI of the program.",
            path_of(v, v->mpi[0]), path_of(v, v->mpi[1]));
    note_waiting(v);
    if (is_doubtful(v))
        say(v, "The program is linked with ScaLAPACK's own routines, too, for "
               "HESCA to fall back on.  Whether it has calls of them that no "
               "--wrap has renamed cannot be seen; HESCA_VERBOSE=1 shows "
               "those that HESCA serves.");
    if (v->scalapack < 0 && v->p->n > 1 && !uses(v, BOUND_BUILTIN))
        say(v, "ScaLAPACK is not among the libraries; one that is loaded "
               "later (dlopen) is not looked at.");
}

/* ------------------------------------------------ text */

static void
print_library(const char *name, const verdict *v, int file)
{
    const char *place = path_of(v, file);
    if (file < 0)
        place = "-";
    else if (file == 0 && !v->p->library)
        place = "linked into the program";
    printf("%-9s  %s\n", name, place);
}

static void
print_files(const verdict *v)
{
    printf("%s    %s\n", v->p->library ? "library" : "program", path_of(v, 0));
    print_library("HESCA", v, v->hesca);
    print_library("ScaLAPACK", v, v->scalapack);
}

/* A line for each definition that a family has. */
static void
print_family(const verdict *v, int f)
{
    int done[NLETTERS] = {0};
    for (int t = 0; t < NLETTERS; ++t) {
        const binding b = v->home[f][t];
        int in[NLETTERS] = {0};
        if (done[t] || binding_name[f][t] == NULL)
            continue;
        for (int u = t; u < NLETTERS; ++u)
            if (v->home[f][u].how == b.how && v->home[f][u].file == b.file)
                in[u] = done[u] = 1;
        printf("%-17s  %s", pattern_of(f, in).text, owner(v, b));
        if (b.how == BOUND_SHARED)
            printf(" (%s)", path_of(v, b.file));
        printf("\n");
    }
}

static void
print_callers(const verdict *v)
{
    int in[NLETTERS], n = 0;
    for (int k = 0; k < v->p->n; ++k) {
        if (!calls_any(v, k))
            continue;
        printf("%s  %s:\n   ", n++ > 0 ? "" : "\ncalled by\n", path_of(v, k));
        for (int f = 0; f < NFAMILIES; ++f)
            if (called_types(v, f, k, in) > 0)
                printf(" %s", pattern_of(f, in).text);
        printf("\n");
    }
    if (n == 0)
        printf("\nNo calls from one file to another; those within a file "
               "cannot be seen.\n");
}

static void
print_text(verdict *v)
{
    print_files(v);
    if (v->ndefined > 0) {
        printf("\nroutine            defined by\n");
        for (int f = 0; f < NFAMILIES; ++f)
            print_family(v, f);
        print_callers(v);
        printf("\nHESCA serves %d of %d routines.\n", v->nserved, v->ndefined);
    } else {
        printf("\n");
    }
    note_all(v);
}

/* ------------------------------------------------ JSON */

static void
print_member(const char *name, const char *value)
{
    printf("\"%s\": ", name);
    json_string(value);
    printf(",\n ");
}

static void
print_routine(const verdict *v, int f, int t)
{
    static const char *const how[] = {[BOUND_NOBODY] = NULL,
                                      [BOUND_SHARED] = "shared",
                                      [BOUND_BUILTIN] = "built in",
                                      [BOUND_WRAPPED] = "wrap"};
    const binding b = v->home[f][t];
    int n = 0;
    printf("%s\n  {\"name\": \"%s\", \"served\": %s, \"bound\": ",
           f + t > 0 ? "," : "", binding_name[f][t],
           v->served[f][t] ? "true" : "false");
    json_string(how[b.how]);
    printf(", \"path\": ");
    json_string(path_of(v, b.file));
    printf(", \"called_by\": [");
    for (int k = 0; k < v->p->n; ++k)
        if (binding_calls(v->p, f, t, k)) {
            printf(n++ > 0 ? ", " : "");
            json_string(path_of(v, k));
        }
    printf("]}");
}

static void
print_json(verdict *v)
{
    printf("{");
    print_member("program", path_of(v, 0));
    print_member("hesca", path_of(v, v->hesca));
    print_member("scalapack", path_of(v, v->scalapack));
    printf("\"ok\": %s,\n \"served\": %d,\n \"defined\": %d,\n",
           answer(v) == TOOL_YES ? "true" : "false", v->nserved, v->ndefined);
    printf(" \"routines\": [");
    for (int f = 0; f < NFAMILIES; ++f)
        for (int t = 0; t < NLETTERS; ++t)
            if (binding_name[f][t] != NULL)
                print_routine(v, f, t);
    printf("],\n \"notes\": [");
    note_all(v);
    printf("]}\n");
}

int
check_report_print(const binding_process *p, int json)
{
    verdict v = {.p = p, .json = json};
    judge(&v);
    if (json)
        print_json(&v);
    else
        print_text(&v);
    return answer(&v);
}
