/* Allocations that fail when a test wants it.  It is to be linked with
 * $(nomem_flags) of Makefile.am. */
#ifndef HESCA_TESTING_NOMEM_H
#define HESCA_TESTING_NOMEM_H

#include "hesca/status.h"
#include "testing/unit.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *x, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *x, size_t size);

/* Allocations before one fails; -1: none does. */
static long nomem_left = -1;

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

/* Let each allocation of a call fail in turn, until it gets through: it must
 * say so each time.  Leaks are found by the address sanitizer. */
static inline void
nomem_check(const char *what, long least, int (*call)(void *), void *data)
{
    int err = HESCA_ERR_NOMEM;
    long n = 0;
    for (; err == HESCA_ERR_NOMEM && n < 100000; ++n) {
        nomem_left = n;
        err = call(data);
        nomem_left = -1;
    }
    CHECK(err == HESCA_SUCCESS && n > least,
          "%s: %d after %ld allocations: %s", what, err, n - 1,
          hesca_error_text());
}

#endif
