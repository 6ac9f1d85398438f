/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/loader.h
 * The files that a process of a program consists of, and the files that their
 * references are bound to, as the dynamic linker of the program reports them.
 *
 * The linker is run as by ldd -r, so LD_PRELOAD, LD_LIBRARY_PATH, RUNPATH, the
 * cache, versions and visibility count as they would for the program, of which
 * nothing is run. */
#ifndef HESCA_TOOLS_LIB_LOADER_H
#define HESCA_TOOLS_LIB_LOADER_H

#include "tools/lib/elffile.h"

typedef struct {
    void *state;
    /** A library, in the order in which the linker looks for symbols: the
     * preloaded ones, then the others breadth first.
     * \return 1, or 0 after a message. */
    int (*library)(void *state, const char *path);
    /** A reference, after all libraries; to is NULL if it is unresolved. */
    void (*reference)(void *state, const char *from, const char *name,
                      const char *to);
} loader_visitor;

/** Query the dynamic linker of a program or shared library; only that of glibc
 * reports references.
 *
 * \param [in] elf      The program or library, not static.
 * \param [in] preload  The value of LD_PRELOAD.
 * \return 1, or 0 after a message. */
int loader_ask(const elf_file *elf, const char *path, const char *preload,
               const loader_visitor *v);

#endif
