/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/preload.h
 * libhesca_scalapack as a library to be preloaded. */
#ifndef HESCA_TOOLS_LIB_PRELOAD_H
#define HESCA_TOOLS_LIB_PRELOAD_H

/** Its path where this program was built or installed.
 * \return NULL if there is none. */
const char *preload_find(void);

/** Put the libraries of a list, separated by colons, before those in
 * LD_PRELOAD, each once.
 * \return 1, or 0 if there is no memory. */
int preload_add(const char *list);

#endif
