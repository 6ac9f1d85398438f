/** \file layout/arguments.h
 * Arguments of the functions that make layouts; `routine` is the one that was
 * called. */
#ifndef HESCA_LAYOUT_ARGUMENTS_H
#define HESCA_LAYOUT_ARGUMENTS_H

#include <stdint.h>

/** A number is not below least, 0 or 1. */
int hesca_layout_check_least(const char *routine, int info, const char *name,
                             int64_t value, int least);

/** nprow and npcol, which is the next argument. */
int hesca_layout_check_grid(const char *routine, int info, int nprow,
                            int npcol);

/** No rank is negative or repeats another; NULL is allowed. */
int hesca_layout_check_ranks(const char *routine, int info, const int *ranks,
                             int n);

/** n lengths from length[at] on, so far from each other, are >= 0, and their
 * sum is 1 ... 2^62, which *sum gets. */
typedef struct {
    const int64_t *length;
    int at, n, step;
} hesca_lengths;
int hesca_layout_check_lengths(const char *routine, int info, const char *name,
                               hesca_lengths x, int64_t *sum);

/** n owners are in 0 ... nowners - 1. */
int hesca_layout_check_owners(const char *routine, int info, const char *name,
                              const int *owner, int64_t n, int nowners);

#endif
