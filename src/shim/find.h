/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/find.h
 * Functions of the program that HESCA is loaded into. */
#ifndef HESCA_SHIM_FIND_H
#define HESCA_SHIM_FIND_H

#include "hesca/scalapack.h"
#include <stdint.h>

/** The function that a call from the program reaches.
 * \return NULL if there is none. */
hesca_function hesca_find(const char *name);

/** The function that this library stands in front of: the first behind it in
 * the order of the dynamic linker, never one of its own. */
hesca_function hesca_find_behind(const char *name);

/** Whether two addresses lie in the same program or library. */
int hesca_find_is_together(const void *x, const void *y);

/** Addresses begin ... begin + size - 1. */
typedef struct {
    uintptr_t begin, size;
} hesca_extent;

/** Where the library, or the program, of an address is; empty if that is in
 * none. */
hesca_extent hesca_find_extent(const void *address);

/** Whether an address lies in the program itself. */
int hesca_find_is_program(const void *address);

/* The first two also look into libraries that were loaded apart from that
 * order, as an interpreter loads its modules. */

#endif
