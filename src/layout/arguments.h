/* SPDX-License-Identifier: BSD-3-Clause */
/** \file layout/arguments.h
 * Checks of the arguments of the functions that create layouts.
 *
 * `routine` is the function that was called, `info` the number of its
 * argument.  All return HESCA_SUCCESS, or record the failure and return
 * HESCA_ERR_ARG (hesca_layout_check_ranks() also HESCA_ERR_NOMEM). */
#ifndef HESCA_LAYOUT_ARGUMENTS_H
#define HESCA_LAYOUT_ARGUMENTS_H

#include <stdint.h>

/** value >= least, which is 0 or 1. */
int hesca_layout_check_least(const char *routine, int info, const char *name,
                             int64_t value, int least);

/** nprow, argument info, and npcol, argument info + 1, are at least 1, and
 * their product is below 2^31. */
int hesca_layout_check_grid(const char *routine, int info, int nprow,
                            int npcol);

/** The n ranks are >= 0 and different; ranks may be NULL. */
int hesca_layout_check_ranks(const char *routine, int info, const int *ranks,
                             int n);

/** The n lengths length[at], length[at + step], ... */
typedef struct {
    const int64_t *length;
    int at, n, step;
} hesca_lengths;

/** The lengths are >= 0, and their sum is 1 ... 2^62.
 * \param [out] sum  Their sum. */
int hesca_layout_check_lengths(const char *routine, int info, const char *name,
                               hesca_lengths x, int64_t *sum);

/** The n owners are in 0 ... nowners - 1. */
int hesca_layout_check_owners(const char *routine, int info, const char *name,
                              const int *owner, int64_t n, int nowners);

#endif
