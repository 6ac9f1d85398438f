/** \file tools/lib/loader.h
 * Which files a process of a program consists of, in the order in which the
 * dynamic linker looks for symbols: program, preloaded libraries, then all
 * others breadth first.
 *
 * The dynamic linker itself is asked, by its option --list, as ldd does; so
 * LD_PRELOAD, LD_LIBRARY_PATH, RUNPATH and the cache count as they would for
 * the program, of which nothing is run. */
#ifndef HESCA_TOOLS_LIB_LOADER_H
#define HESCA_TOOLS_LIB_LOADER_H

#include "tools/lib/elffile.h"

typedef struct {
    char **path;
    int n;        /**< 1 for a static program */
    int npreload; /**< path[1] to path[npreload] are preloaded */
} loader_list;

/** List the files of a program; the first is the program itself.
 *
 * \param [in]  program  The program or shared library, opened.
 * \param [in]  path     Its path.
 * \param [in]  preload  One more library to preload, in front; NULL for none.
 * \param [out] list     Free with loader_free(), also after an error.
 * \return 1, or 0 after a complaint. */
int loader_ask(const elf_file *program, const char *path, const char *preload,
               loader_list *list);

/** Free a list. */
void loader_free(loader_list *list);

#endif
