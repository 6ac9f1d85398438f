/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/programs.h
 * Programs, which are executable regular files. */
#ifndef HESCA_TOOLS_LIB_PROGRAMS_H
#define HESCA_TOOLS_LIB_PROGRAMS_H

#include <limits.h>

int program_is(const char *path);

/** A program as execvp() finds it.
 * \param [out] path  Its memory, if it is found in PATH.
 * \return NULL if it is not found. */
const char *program_find(const char *name, char path[PATH_MAX]);

#endif
