/** \file tools/lib/elffile.h
 * What a program or a shared library defines and refers to, read from its ELF
 * file.  Nothing of the file is run, and every offset in it is checked: a
 * damaged file gives an error, never a wrong access. */
#ifndef HESCA_TOOLS_LIB_ELFFILE_H
#define HESCA_TOOLS_LIB_ELFFILE_H

typedef struct elf_file elf_file; /**< Opaque. */

/** Open a 64-bit program or shared library of this machine's byte order.
 *
 * \param [out] elf  Free with elf_close(); NULL on error.
 * \return 1, or 0 after a complaint that says what the file is instead. */
int elf_open(const char *path, elf_file **elf);

/** Close a file; NULL is allowed. */
void elf_close(elf_file *elf);

/** The dynamic linker that a program asks for; NULL for a static program or a
 * shared library. */
const char *elf_interpreter(const elf_file *elf);

/** 1 if the file is a static program: no dynamic linker ever sees it. */
int elf_is_static(const elf_file *elf);

/** 1 if the file is a shared library that is not also a program. */
int elf_is_library(const elf_file *elf);

/** 1 if the file was linked -Bsymbolic: it prefers its own definitions. */
int elf_is_symbolic(const elf_file *elf);

/** 1 if the full symbol table, beyond the dynamic one, is there. */
int elf_has_symtab(const elf_file *elf);

/** 1 if the file defines a symbol for others (dynamic symbol table). */
int elf_exports(const elf_file *elf, const char *name);

/** 1 if the file defines a symbol, for others or only for itself. */
int elf_defines(const elf_file *elf, const char *name);

/** 1 if the dynamic linker has to find a symbol because this file uses it (has
 * a relocation for it), whether the file defines it too or not. */
int elf_refers(const elf_file *elf, const char *name);

#endif
