/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/set/set_result.h
 * The result of partitioning a set. */
#ifndef HESCA_PARTITION_SET_SET_RESULT_H
#define HESCA_PARTITION_SET_SET_RESULT_H

#include "base/private.h"
#include "hesca/experimental/shares.h"

struct hesca_shares {
    int p, rounds, is_exact;
    int64_t n, steps;
    double time, ideal;
    int64_t *count;  /* [p] */
    int64_t *weight; /* [p], or NULL: as count */
    int64_t *offset; /* [p + 1] first element of each chunk; NULL: any order */
    int64_t *first;  /* [p] first element of each processor; NULL likewise */
    int *place;      /* [p] processor of each chunk */
    int *owner;      /* [n] of elements in any order; else NULL */
};

/** Allocate a result, all zero, with chunks in order of processors.
 * \param [in] has_weight, has_owner  Whether to allocate these arrays; a
 *                                    result with owners has no chunks.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_result_create(int p, int64_t n, int has_weight, int has_owner,
                        hesca_shares **result);

/** Set offset and first from count, in the order of place. */
void hesca_result_set_chunks(hesca_shares *result);

/** Set time to the largest time, size / speed. */
void hesca_result_set_time(hesca_shares *result,
                           const hesca_speed *const *speed);

/** Check p, speed, n and the pointer shares; argument numbers are those of
 * hesca_shares_create() and its variants, that of shares is `last`. */
int hesca_result_check(const char *routine, int p,
                       const hesca_speed *const *speed, int64_t n,
                       hesca_shares *const *shares, int last);

/** Check that weights are >= 0 and that their sum is at most 2^53, and return
 * the sum in *total.  They are argument `arg`, `name`, of the routine. */
HESCA_PRIVATE int hesca_result_check_weights(const char *routine, int arg,
                                             const char *name, int64_t n,
                                             const int64_t *weight,
                                             int64_t *total);

/** Elements that each processor can take, at most n; an error in argument
 * `arg`, `name`, if all together cannot take n. */
HESCA_PRIVATE int hesca_result_limits(const char *routine, int arg,
                                      const char *name, int p,
                                      const hesca_speed *const *speed,
                                      int64_t n, int64_t *most);

/** As hesca_shares_create(), on behalf of another routine, in which shares is
 * argument number `last`. */
int hesca_result_equal(const char *routine, int p,
                       const hesca_speed *const *speed, int64_t n, int last,
                       hesca_shares **shares);

/** Set *shares to result, or, if err < 0, free result and set *shares to NULL;
 * shares may be NULL. Returns err. */
int hesca_result_give(int err, hesca_shares *result, hesca_shares **shares);

#endif
