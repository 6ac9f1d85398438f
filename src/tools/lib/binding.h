/** \file tools/lib/binding.h
 * Which definition each reference to a routine that HESCA intercepts is bound
 * to, in every file of a process.
 *
 * The dynamic linker takes the first file that exports the name.  Exceptions:
 * what is linked into the program itself, calls that ld --wrap has renamed,
 * and files linked -Bsymbolic. */
#ifndef HESCA_TOOLS_LIB_BINDING_H
#define HESCA_TOOLS_LIB_BINDING_H

#include "tools/lib/elffile.h"
#include "tools/lib/loader.h"

enum { NFAMILIES = 24, NLETTERS = 5 };

/** The routines: binding_name[f][t] is family f for type "isdcz"[t], spelt as
 * the linker sees it; NULL: there is none.  Those without a type come first in
 * their family, alone; those that compute have no integer type. */
extern const char *const binding_name[NFAMILIES][NLETTERS];
extern const char binding_letters[NLETTERS + 1];

/** What a file is to HESCA. */
typedef enum {
    FILE_OTHER,
    FILE_SCALAPACK, /**< defines routines of ScaLAPACK */
    FILE_HESCA      /**< libhesca_scalapack */
} binding_kind;

typedef struct {
    const char *path;
    elf_file *elf;
    binding_kind kind;
} binding_file;

/** How a reference reaches its definition. */
typedef enum {
    BOUND_NOBODY,  /**< there is no definition */
    BOUND_SHARED,  /**< by the dynamic linker, in a shared library */
    BOUND_BUILTIN, /**< in the program itself, and not HESCA's */
    BOUND_WRAPPED  /**< to HESCA by ld --wrap */
} binding_how;

typedef struct {
    binding_how how;
    int file; /**< that has the definition; -1 for BOUND_NOBODY */
} binding;

/** A process: file[0] is the program. */
typedef struct {
    loader_list list;
    binding_file *file;
    int n;
    int library; /**< 1 if file[0] is a shared library instead */
} binding_process;

/** Read the files of a program.
 *
 * \param [in]  preload  Library to preload, or NULL.
 * \param [out] p        Free with binding_free(), also after an error.
 * \return 1, or 0 after a complaint. */
int binding_read(const char *path, const char *preload, binding_process *p);

/** Free a process. */
void binding_free(binding_process *p);

/** What a reference to a routine from one of the files is bound to. */
binding binding_find(const binding_process *p, int family, int type, int from);

/** Whether a file of the process calls a routine, as far as one can see: calls
 * within one static program leave no trace. */
int binding_calls(const binding_process *p, int family, int type, int from);

/** Whether a binding leads to HESCA. */
int binding_is_hesca(const binding_process *p, binding b);

/** Whether a routine is HESCA's for all who call it, and there is one. */
int binding_served(const binding_process *p, int family, int type);

/** Whether a file is a ScaLAPACK that calls none of the routines it defines
 * through the dynamic linker: linked -Bsymbolic, so that nobody can intercept
 * the calls it makes to itself. */
int binding_is_closed(const binding_process *p, int file);

/** Whether --wrap seems to have been used for a routine, but the program uses
 * or has the real one too, perhaps not only for HESCA. */
int binding_is_doubtful(const binding_process *p, int family, int type);

/** The first file that is of a kind, or the program if the archive of that
 * library is linked into it; -1 if there is none. */
int binding_first(const binding_process *p, binding_kind kind);

/** The file that has MPI's blocking calls, which HESCA's shared library makes
 * wait politely; -1 if there is none. */
int binding_waits(const binding_process *p);

#endif
