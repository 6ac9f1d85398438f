#include "tools/lib/binding.h"
#include "config.h"
#include "tools/lib/tools.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_EXPANDED(name) #name
#define TEXT(name) TEXT_EXPANDED(name)
#define FORTRAN(r, R)                                                         \
    {                                                                         \
        TEXT(FC_FUNC(pi##r, PI##R)), TEXT(FC_FUNC(ps##r, PS##R)),             \
            TEXT(FC_FUNC(pd##r, PD##R)), TEXT(FC_FUNC(pc##r, PC##R)),         \
            TEXT(FC_FUNC(pz##r, PZ##R))                                       \
    }
#define C(r)                                                                  \
    {                                                                         \
        "Cpi" #r, "Cps" #r, "Cpd" #r, "Cpc" #r, "Cpz" #r                      \
    }

#define REAL(r, R)                                                            \
    {                                                                         \
        NULL, TEXT(FC_FUNC(ps##r, PS##R)), TEXT(FC_FUNC(pd##r, PD##R)),       \
            TEXT(FC_FUNC(pc##r, PC##R)), TEXT(FC_FUNC(pz##r, PZ##R))          \
    }

#define GRID(r, R)                                                            \
    {                                                                         \
        TEXT(FC_FUNC_(r, R))                                                  \
    }

/* Fortran's names first, C's in the same order behind them. */
const char *const binding_name[NFAMILIES][NLETTERS] = {
    FORTRAN(gemr2d, GEMR2D),
    FORTRAN(gemr2do, GEMR2DO),
    FORTRAN(trmr2d, TRMR2D),
    FORTRAN(trmr2do, TRMR2DO),
    GRID(blacs_gridinit, BLACS_GRIDINIT),
    GRID(blacs_gridmap, BLACS_GRIDMAP),
    GRID(sl_init, SL_INIT),
    REAL(gemm, GEMM),
    REAL(potrf, POTRF),
    REAL(posv, POSV),
    REAL(getrf, GETRF),
    REAL(gesv, GESV),
    C(gemr2d),
    C(gemr2do),
    C(trmr2d),
    C(trmr2do),
    {"Cblacs_gridinit"},
    {"Cblacs_gridmap"},
    {NULL}, /* SL_INIT is Fortran's alone, and what follows, too */
    {NULL},
    {NULL},
    {NULL},
    {NULL},
    {NULL},
};
const char binding_letters[NLETTERS + 1] = "isdcz";

/* By which a file is recognised: HESCA's own function, and one that every
 * ScaLAPACK has and no interposer replaces. */
static const char *const mark[] = {[FILE_SCALAPACK] =
                                       TEXT(FC_FUNC(numroc, NUMROC)),
                                   [FILE_HESCA] = "hesca_scalapack_original"};

/* ------------------------------------------------ reading */

static binding_kind
kind_of(const elf_file *elf)
{
    if (elf_exports(elf, mark[FILE_HESCA]))
        return FILE_HESCA;
    return elf_exports(elf, mark[FILE_SCALAPACK]) ? FILE_SCALAPACK
                                                  : FILE_OTHER;
}

int
binding_read(const char *path, const char *preload, binding_process *p)
{
    elf_file *program;
    memset(p, 0, sizeof *p);
    if (!elf_open(path, &program))
        return 0;
    const int ok = loader_ask(program, path, preload, &p->list);
    p->file = calloc((size_t)p->list.n + 1, sizeof *p->file);
    if (p->file == NULL) {
        elf_close(program);
        complain("no memory left");
        return 0;
    }
    p->file[0] = (binding_file){path, program, FILE_OTHER};
    p->n = 1;
    if (!ok)
        return 0;
    p->library = elf_is_library(program);
    if (p->library)
        p->file[0].kind = kind_of(program);
    while (p->n < p->list.n) {
        binding_file *f = &p->file[p->n];
        f->path = p->list.path[p->n];
        if (!elf_open(f->path, &f->elf))
            return 0;
        f->kind = kind_of(f->elf);
        ++p->n;
    }
    return 1;
}

void
binding_free(binding_process *p)
{
    for (int k = 0; k < p->n; ++k)
        elf_close(p->file[k].elf);
    free(p->file);
    loader_free(&p->list);
}

/* ------------------------------------------------ binding */

/* Position k of the order in which the dynamic linker looks: a program comes
 * first, but a library after those that its program has preloaded. */
static int
position(const binding_process *p, int k)
{
    if (!p->library || k > p->list.npreload)
        return k;
    return k < p->list.npreload ? k + 1 : 0;
}

static binding
first_export(const binding_process *p, const char *name)
{
    for (int k = 0; k < p->n; ++k) {
        const int file = position(p, k);
        const int builtin = file == 0 && !p->library;
        if (elf_exports(p->file[file].elf, name))
            return (binding){builtin ? BOUND_BUILTIN : BOUND_SHARED, file};
    }
    return (binding){BOUND_NOBODY, -1};
}

/* What ld --wrap=name turns a call of name into. */
typedef struct {
    char text[32];
} wrapped;

static wrapped
wrapped_name(const char *name)
{
    wrapped x;
    snprintf(x.text, sizeof x.text, "__wrap_%s", name);
    return x;
}

/* Whether HESCA's archive is linked into the program. */
static int
has_archive(const binding_process *p)
{
    return !p->library && elf_defines(p->file[0].elf, mark[FILE_HESCA]);
}

/* Whether a family has no types. */
static int
is_untyped(int family)
{
    return binding_name[family][1] == NULL;
}

/* Whether a family computes: it has no integer type. */
static int
is_dense(int family)
{
    return binding_name[family][0] == NULL && !is_untyped(family);
}

/* Whether calls of a routine in the program are renamed by --wrap.  Then the
 * program has __wrap_name from HESCA's archive, which brings all of its names,
 * and does not use the plain Fortran name.  The plain C names are used by the
 * archive itself, and both names of routines without a type and of those that
 * compute. */
static int
is_wrapped(const binding_process *p, int family, int type)
{
    const elf_file *program = p->file[0].elf;
    const int fortran = family % (NFAMILIES / 2);
    const wrapped wrap = wrapped_name(binding_name[family][type]);
    return has_archive(p) && elf_defines(program, wrap.text) &&
           (is_untyped(family) || is_dense(family) ||
            !elf_refers(program, binding_name[fortran][type]));
}

int
binding_is_doubtful(const binding_process *p, int family, int type)
{
    const elf_file *program = p->file[0].elf;
    const char *name = binding_name[family][type];
    return name != NULL && has_archive(p) && is_wrapped(p, family, type) &&
           (elf_defines(program, name) || elf_refers(program, name));
}

binding
binding_find(const binding_process *p, int family, int type, int from)
{
    const char *name = binding_name[family][type];
    const binding_file *f = &p->file[from];
    if (name == NULL)
        return (binding){BOUND_NOBODY, -1};
    if (from == 0 && is_wrapped(p, family, type))
        return (binding){BOUND_WRAPPED, binding_first(p, FILE_HESCA)};
    if (from == 0 && elf_defines(f->elf, name) &&
        !(p->library && elf_exports(f->elf, name)))
        return (binding){BOUND_BUILTIN, 0};
    if (elf_is_symbolic(f->elf) && elf_exports(f->elf, name))
        return (binding){BOUND_SHARED, from};
    return first_export(p, name);
}

int
binding_calls(const binding_process *p, int family, int type, int from)
{
    const elf_file *elf = p->file[from].elf;
    const char *name = binding_name[family][type];
    if (name == NULL || p->file[from].kind == FILE_HESCA)
        return 0; /* it asks for the real routine in its own way */
    if (from == 0 && has_archive(p) && family >= NFAMILIES / 2)
        return 0; /* so does its archive, by the C names */
    return elf_refers(elf, name);
}

int
binding_is_hesca(const binding_process *p, binding b)
{
    return b.how == BOUND_WRAPPED ||
           (b.how != BOUND_NOBODY && p->file[b.file].kind == FILE_HESCA);
}

int
binding_served(const binding_process *p, int family, int type)
{
    if (!binding_is_hesca(p, binding_find(p, family, type, 0)))
        return 0;
    for (int k = 1; k < p->n; ++k)
        if (binding_calls(p, family, type, k) &&
            !binding_is_hesca(p, binding_find(p, family, type, k)))
            return 0;
    return 1;
}

int
binding_is_closed(const binding_process *p, int file)
{
    const elf_file *elf = p->file[file].elf;
    int defines = 0;
    if (p->file[file].kind != FILE_SCALAPACK)
        return 0;
    for (int f = 0; f < NFAMILIES; ++f)
        for (int t = 0; t < NLETTERS; ++t) {
            if (binding_name[f][t] == NULL)
                continue;
            defines += elf_exports(elf, binding_name[f][t]);
            if (elf_refers(elf, binding_name[f][t]))
                return elf_is_symbolic(elf);
        }
    return defines > 0;
}

int
binding_first(const binding_process *p, binding_kind kind)
{
    for (int k = 0; k < p->n; ++k)
        if (p->file[k].kind == kind)
            return k;
    return !p->library && elf_defines(p->file[0].elf, mark[kind]) ? 0 : -1;
}

int
binding_waits(const binding_process *p)
{
    return first_export(p, "MPI_Send").file;
}
