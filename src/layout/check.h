/** \file layout/check.h
 * Arguments of the functions that make layouts. */
#ifndef HESCA_LAYOUT_CHECK_H
#define HESCA_LAYOUT_CHECK_H

#include <stdint.h>

/** Who is called, for the texts of errors. */
typedef const char *hesca_routine;

/** A number is not below least, 0 or 1. */
int hesca_check_least(hesca_routine routine, int info, const char *name,
                      int64_t value, int least);

/** nprow and npcol, which is the next argument. */
int hesca_check_grid(hesca_routine routine, int info, int nprow, int npcol);

/** No rank is negative or repeats another; NULL is allowed. */
int hesca_check_ranks(hesca_routine routine, int info, const int *ranks,
                      int n);

/** n lengths from length[at] on, so far from each other, are >= 0, and their
 * sum is 1 ... 2^62, which *sum gets. */
typedef struct {
    const int64_t *length;
    int at, n, step;
} hesca_lengths;
int hesca_check_lengths(hesca_routine routine, int info, const char *name,
                        hesca_lengths x, int64_t *sum);

/** n owners are in 0 ... nowners - 1. */
int hesca_check_owners(hesca_routine routine, int info, const char *name,
                       const int *owner, int64_t n, int nowners);

#endif
