/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "tools/lib/binding.h"
#include "config.h"
#include "tools/lib/loader.h"
#include "tools/lib/tools.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_EXPANDED(name) #name
#define TEXT(name) TEXT_EXPANDED(name)
#define TYPED(r, R)                                                           \
    TEXT(FC_FUNC(ps##r, PS##R)), TEXT(FC_FUNC(pd##r, PD##R)),                 \
        TEXT(FC_FUNC(pc##r, PC##R)), TEXT(FC_FUNC(pz##r, PZ##R))
#define REDIST(r, R) TEXT(FC_FUNC(pi##r, PI##R)), TYPED(r, R)
#define OF_ALL(X, r, R, ...) NULL, TYPED(r, R),
#define SD(r, R)                                                              \
    NULL, TEXT(FC_FUNC(ps##r, PS##R)), TEXT(FC_FUNC(pd##r, PD##R)), NULL, NULL
#define CZ(r, R)                                                              \
    NULL, NULL, NULL, TEXT(FC_FUNC(pc##r, PC##R)), TEXT(FC_FUNC(pz##r, PZ##R))
#define OF_PAIR(X, r, R, c, C, ...) SD(r, R), CZ(c, C),
#define OF_COMPLEX(X, r, R, ...) CZ(r, R),
#define C(r) "Cpi" #r, "Cps" #r, "Cpd" #r, "Cpc" #r, "Cpz" #r
#define ONE(name) name, NULL, NULL, NULL, NULL

/* Fortran's names, then C's in the same order; SL_INIT and the routines that
 * compute have no C names. */
const char *const binding_name[NNAMES] = {
    REDIST(gemr2d, GEMR2D),
    REDIST(gemr2do, GEMR2DO),
    REDIST(trmr2d, TRMR2D),
    REDIST(trmr2do, TRMR2DO),
    ONE(TEXT(FC_FUNC_(blacs_gridinit, BLACS_GRIDINIT))),
    ONE(TEXT(FC_FUNC_(blacs_gridmap, BLACS_GRIDMAP))),
    ONE(TEXT(FC_FUNC_(sl_init, SL_INIT))),
    HESCA_PBLAS(OF_ALL, OF_PAIR, OF_COMPLEX, ) C(gemr2d),
    C(gemr2do),
    C(trmr2d),
    C(trmr2do),
    ONE("Cblacs_gridinit"),
    ONE("Cblacs_gridmap"),
    [NAME_SCALAPACK] = TEXT(FC_FUNC(numroc, NUMROC)),
    [NAME_HESCA] = "hesca_scalapack_original",
    [NAME_MPI] = "PMPI_Init",
    [NAME_SEND] = "MPI_Send",
};

/* ------------------------------------------------ reading
 * file[k] exists, with its path, before anything is recorded for it. */

static int
id_of(const char *name)
{
    int id = 0;
    while (id < NNAMES &&
           (binding_name[id] == NULL || strcmp(name, binding_name[id]) != 0))
        ++id;
    return id < NNAMES ? id : -1;
}

static void
record_definition(void *state, const char *name, int is_exported)
{
    static const char prefix[] = "__wrap_";
    binding_file *f = state;
    const int is_wrapper = strncmp(name, prefix, strlen(prefix)) == 0;
    const int id = id_of(is_wrapper ? name + strlen(prefix) : name);
    if (id >= 0 && is_wrapper) {
        f->wraps[id] = 1;
    } else if (id >= 0) {
        f->defines[id] = 1;
        f->exports[id] |= (unsigned char)is_exported;
    }
}

static int
add_file(void *state, const char *path)
{
    binding_process *p = state;
    const size_t size = (size_t)(p->n + 1) * sizeof *p->file;
    binding_file *more = realloc(p->file, size);
    if (more != NULL) {
        p->file = more;
        memset(&more[p->n], 0, sizeof *more);
        more[p->n].path = strdup(path);
        ++p->n;
    }
    if (more != NULL && more[p->n - 1].path != NULL)
        return 1;
    complain("no memory left");
    return 0;
}

/* What is not in the list, as ./PROGRAM for PROGRAM, is the program. */
static int
file_of(const binding_process *p, const char *path)
{
    int k = p->n - 1;
    while (k > 0 && strcmp(p->file[k].path, path) != 0)
        --k;
    return k;
}

static void
record_reference(void *state, const char *from, const char *name,
                 const char *to)
{
    binding_process *p = state;
    const int id = id_of(name);
    if (id < 0)
        return;
    binding_file *f = &p->file[file_of(p, from)];
    f->calls[id] = 1;
    f->to[id] = to != NULL ? file_of(p, to) : -1;
}

/* Whether a file is what an entry of LD_PRELOAD means: a path, or the name of
 * a library that the linker has found somewhere. */
static int
is_entry(const char *path, const char *entry, size_t len)
{
    const size_t n = strlen(path);
    return n >= len && strncmp(path + n - len, entry, len) == 0 &&
           (n == len || path[n - len - 1] == '/');
}

/* Of what cannot be preloaded the linker only warns; so the requested library
 * is looked up in the list, and those of the environment are counted with it.
 */
static int
find_preloads(binding_process *p, const char *all, const char *preload)
{
    int found = preload == NULL;
    for (const char *entry = all; *entry != '\0';) {
        const size_t len = strcspn(entry, ": ");
        const int k = p->npreload + 1;
        if (len > 0 && k < p->n && is_entry(p->file[k].path, entry, len)) {
            p->npreload = k;
            found = found || entry == all;
        }
        entry += len + (entry[len] != '\0');
    }
    if (!found)
        complain("%s cannot be preloaded%s", preload,
                 strchr(preload, '/') != NULL
                     ? ""
                     : "; a file in the current directory is written ./FILE");
    return found;
}

static int
ask_linker(binding_process *p, const char *preload)
{
    const loader_visitor visitor = {p, add_file, record_reference};
    const char *before = getenv("LD_PRELOAD");
    const elf_file elf = p->file[0].elf;
    const size_t size = (preload != NULL ? strlen(preload) : 0) +
                        (before != NULL ? strlen(before) : 0) + 2;
    char *all = malloc(size);
    if (all == NULL) {
        complain("no memory left");
        return 0;
    }
    snprintf(all, size, "%s%s%s", preload != NULL ? preload : "",
             preload != NULL ? ":" : "", before != NULL ? before : "");
    const int ok = loader_ask(&elf, p->file[0].path, all, &visitor) &&
                   find_preloads(p, all, preload);
    free(all);
    return ok;
}

/* ------------------------------------------------ binding
 * All files are read; what the linker has reported is not yet changed. */

/* A program comes first in the linker's order, but a library after those that
 * its program has preloaded. */
binding
binding_first(const binding_process *p, int name)
{
    const int ahead = p->is_library ? p->npreload : 0;
    for (int k = 0; k < p->n; ++k) {
        const int file = k < ahead ? k + 1 : k == ahead ? 0 : k;
        const int is_builtin = file == 0 && !p->is_library;
        if (p->file[file].exports[name])
            return (binding){is_builtin ? BOUND_BUILTIN : BOUND_SHARED, file};
    }
    return (binding){BOUND_NOWHERE, -1};
}

/* The first file of a kind, or the program if the archive of that library is
 * linked into it. */
static int
first_of(const binding_process *p, binding_kind kind, int name)
{
    for (int k = 0; k < p->n; ++k)
        if (p->file[k].kind == kind)
            return k;
    return !p->is_library && p->file[0].defines[name] ? 0 : -1;
}

/* Whether HESCA's archive is linked into the program. */
static int
has_archive(const binding_process *p)
{
    return !p->is_library && p->file[0].defines[NAME_HESCA];
}

/* Whether calls of a routine in the program are renamed by --wrap.  Then the
 * program has __wrap_name from HESCA's archive, which brings all of its names,
 * and does not use the plain Fortran name.  The plain C names are used by the
 * archive itself, and both names of routines without a type and of those that
 * compute. */
static int
is_wrapped(const binding_process *p, int r)
{
    const int first = r / NLETTERS * NLETTERS;
    const int has_all_types =
        binding_name[first] != NULL && binding_name[first + 1] != NULL;
    return has_archive(p) && p->file[0].wraps[r] &&
           !(has_all_types && p->file[0].calls[r % (NROUTINES / 2)]);
}

static binding
home_of(const binding_process *p, int r)
{
    const binding_file *f = &p->file[0];
    if (is_wrapped(p, r))
        return (binding){BOUND_WRAPPED, p->hesca};
    if (f->defines[r] && !(p->is_library && f->exports[r]))
        return (binding){BOUND_BUILTIN, 0};
    if (f->elf.is_symbolic && f->exports[r])
        return (binding){BOUND_SHARED, 0};
    return binding_first(p, r);
}

static int
is_closed(const binding_file *f)
{
    int ndefined = 0, ncalled = 0;
    for (int r = 0; r < NROUTINES; ++r) {
        ndefined += f->exports[r];
        ncalled += f->calls[r];
    }
    return f->kind == FILE_SCALAPACK &&
           (ncalled > 0 ? f->elf.is_symbolic : ndefined > 0);
}

/* HESCA looks up the original routines itself; its archive calls them by their
 * C names. */
static int
is_own_call(const binding_process *p, int file, int r)
{
    return p->file[file].kind == FILE_HESCA ||
           (file == 0 && has_archive(p) && r >= NROUTINES / 2);
}

static void
bind_routine(binding_process *p, int r)
{
    const binding_file *program = &p->file[0];
    p->home[r] = home_of(p, r);
    p->is_served[r] = binding_is_hesca(p, p->home[r]);
    p->is_doubtful |=
        is_wrapped(p, r) && (program->defines[r] || program->calls[r]);
    for (int k = 0; k < p->n; ++k) {
        binding_file *f = &p->file[k];
        f->calls[r] = f->calls[r] && !is_own_call(p, k, r);
        /* The linker has searched the library before what a program preloads.
         */
        if (k > 0 && p->is_library && f->to[r] == 0)
            f->to[r] = binding_first(p, r).file;
        if (k > 0 && f->calls[r])
            p->is_served[r] &= binding_is_hesca(p, binding_of(p, k, r));
    }
}

int
binding_read(const char *path, const char *preload, binding_process *p)
{
    memset(p, 0, sizeof *p);
    if (!add_file(p, path))
        return 0;
    if (!elf_read(path, &p->file[0].elf, record_definition, &p->file[0]))
        return 0;
    p->is_library = p->file[0].elf.kind == ELF_LIBRARY;
    if (p->file[0].elf.kind != ELF_STATIC && !ask_linker(p, preload))
        return 0;
    for (int k = 0; k < p->n; ++k) {
        binding_file *f = &p->file[k];
        if (k > 0 && !elf_read(f->path, &f->elf, record_definition, f))
            return 0;
        if (k > 0 || p->is_library)
            f->kind = f->exports[NAME_HESCA]       ? FILE_HESCA
                      : f->exports[NAME_SCALAPACK] ? FILE_SCALAPACK
                                                   : FILE_OTHER;
        f->is_closed = is_closed(f);
    }
    p->hesca = first_of(p, FILE_HESCA, NAME_HESCA);
    p->scalapack = first_of(p, FILE_SCALAPACK, NAME_SCALAPACK);
    /* The C names last: --wrap is recognized by calls of the Fortran names. */
    for (int r = 0; r < NROUTINES; ++r)
        bind_routine(p, r);
    return 1;
}

void
binding_clear(binding_process *p)
{
    for (int k = 0; k < p->n; ++k)
        free(p->file[k].path);
    free(p->file);
}

int
binding_is_hesca(const binding_process *p, binding b)
{
    return b.how == BOUND_WRAPPED ||
           (b.how != BOUND_NOWHERE && p->file[b.file].kind == FILE_HESCA);
}

binding
binding_of(const binding_process *p, int file, int r)
{
    const int to = p->file[file].to[r];
    return to < 0 ? (binding){BOUND_NOWHERE, -1} : (binding){BOUND_SHARED, to};
}
