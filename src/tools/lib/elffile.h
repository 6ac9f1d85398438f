/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/elffile.h
 * The symbols that a program or a shared library defines, read from its ELF
 * file: the dynamic linker reports bindings, but not what is linked into a
 * static program, nor definitions that nothing refers to.
 *
 * Nothing of the file is run, and every offset in it is checked: a damaged
 * file gives an error, never an invalid access. */
#ifndef HESCA_TOOLS_LIB_ELFFILE_H
#define HESCA_TOOLS_LIB_ELFFILE_H

typedef enum {
    ELF_STATIC,  /**< a program that no dynamic linker loads */
    ELF_DYNAMIC, /**< a program that names its dynamic linker */
    ELF_LIBRARY  /**< a shared library that is not also a program */
} elf_kind;

typedef struct {
    elf_kind kind;
    char linker[256]; /**< of a dynamic program; else empty */
    int is_symbolic;  /**< linked -Bsymbolic: prefers its own definitions */
    int has_symtab;   /**< has symbols beyond the dynamic ones */
} elf_file;

/** Receives each symbol that a file defines.
 *
 * \param [in] is_exported  1 if the symbol is visible to other files. */
typedef void elf_visit(void *state, const char *name, int is_exported);

/** Read a 64-bit program or shared library of this machine's byte order.
 *
 * \param [in]  visit  Called with state for each definition; NULL: none.
 * \return 1, or 0 after a message that says what the file is instead. */
int elf_read(const char *path, elf_file *elf, elf_visit *visit, void *state);

#endif
