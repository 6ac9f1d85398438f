/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/binding.h
 * Which definition each reference to a routine that HESCA intercepts is bound
 * to, in every file of a process, and which definition the program itself
 * would get of those that it does not refer to.
 *
 * References are bound as the dynamic linker reports.  Exceptions: routines
 * linked into the program itself, and calls that ld --wrap has renamed. */
#ifndef HESCA_TOOLS_LIB_BINDING_H
#define HESCA_TOOLS_LIB_BINDING_H

#include "base/routines.h"
#include "tools/lib/elffile.h"

/** Families: Fortran's names, then as many of C. */
#define COUNT_ONE(X, ...) +1
#define COUNT_TWO(X, ...) +2
enum {
    NFORTRAN = 7 HESCA_PBLAS(COUNT_ONE, COUNT_TWO, COUNT_ONE, ),
    NFAMILIES = 2 * NFORTRAN,
    NLETTERS = 5,
    NROUTINES = NFAMILIES * NLETTERS
};

/** Behind the routines, symbols that identify files. */
enum {
    NAME_SCALAPACK = NROUTINES, /**< that of a ScaLAPACK */
    NAME_HESCA,                 /**< that of libhesca_scalapack */
    NAME_MPI,                   /**< that of MPI itself, not of profilers */
    NAME_SEND,                  /**< one of MPI's blocking calls */
    NNAMES
};

/** The names: binding_name[f * NLETTERS + t] is family f for type "isdcz"[t],
 * spelt as the linker sees it; NULL: there is none.  Families without a type
 * have one name, the first; those that compute have no integer type. */
extern const char *const binding_name[NNAMES];

/** What a file is to HESCA. */
typedef enum {
    FILE_OTHER,
    FILE_SCALAPACK, /**< defines routines of ScaLAPACK */
    FILE_HESCA      /**< libhesca_scalapack */
} binding_kind;

/** How a reference reaches its definition. */
typedef enum {
    BOUND_NOWHERE, /**< there is no definition */
    BOUND_SHARED,  /**< by the dynamic linker, in a shared library */
    BOUND_BUILTIN, /**< in the program itself, and not HESCA's */
    BOUND_WRAPPED  /**< to HESCA by ld --wrap */
} binding_how;

typedef struct {
    binding_how how;
    int file; /**< that has the definition; -1 for BOUND_NOWHERE */
} binding;

typedef struct {
    char *path;
    elf_file elf;
    binding_kind kind;
    /** 1 for a ScaLAPACK that calls none of the routines it defines through
     * the dynamic linker, so that these calls cannot be intercepted. */
    int is_closed;
    unsigned char exports[NNAMES];
    unsigned char defines[NNAMES]; /**< exported or not */
    unsigned char wraps[NNAMES];   /**< defines __wrap_NAME */
    /** Whether the file calls a name; calls within a static program leave no
     * trace, and those of HESCA to the original routines do not count. */
    unsigned char calls[NNAMES];
    int to[NNAMES]; /**< the file that calls are bound to, or -1 */
} binding_file;

/** A process: file[0] is the program, others are in the order in which the
 * dynamic linker looks for symbols. */
typedef struct {
    binding_file *file;
    int n;
    int npreload;             /**< file[1] to file[npreload] are preloaded */
    int is_library;           /**< file[0] is a shared library instead */
    int hesca, scalapack;     /**< the first files that have them, or -1 */
    binding home[NROUTINES];  /**< as the program itself is bound */
    int is_served[NROUTINES]; /**< HESCA's for all files that call it */
    int is_doubtful;          /**< --wrap seems to have been used, but the
                               * program has or calls an original routine */
} binding_process;

/** Read the files of a program.
 *
 * \param [in]  preload  Library to preload before LD_PRELOAD, or NULL.
 * \param [out] p        Free with binding_clear(), also after an error.
 * \return 1, or 0 after a message. */
int binding_read(const char *path, const char *preload, binding_process *p);

/** Free a process. */
void binding_clear(binding_process *p);

/** Whether a binding leads to HESCA. */
int binding_is_hesca(const binding_process *p, binding b);

/** The binding of the calls of routine r in a file. */
binding binding_of(const binding_process *p, int file, int r);

/** The first file that the dynamic linker finds a name in. */
binding binding_first(const binding_process *p, int name);

#endif
