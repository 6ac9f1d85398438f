/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocations that fail on request of a test, also under MPI.  It is to be
 * linked with $(nomem_flags) of Makefile.am. */
#ifndef HESCA_TESTING_FAILING_H
#define HESCA_TESTING_FAILING_H

#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *x, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *x, size_t size);

/* Allocations before one fails; -1: none does. */
static long nomem_left = -1;

/* Let the test itself allocate; and go on.
 * \return What nomem_left was. */
static inline long
nomem_pause(void)
{
    const long left = nomem_left;
    nomem_left = -1;
    return left;
}

static int
nomem_fails(void)
{
    return nomem_left >= 0 && nomem_left-- == 0;
}

void *
__wrap_malloc(size_t size)
{
    return nomem_fails() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
    return nomem_fails() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *x, size_t size)
{
    return nomem_fails() ? NULL : __real_realloc(x, size);
}

#endif
