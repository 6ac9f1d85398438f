/** \file partition/set/set_result.h
 * What a set was partitioned into. */
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

/** Room for a result, all zero, chunks in order of processors.
 * \param [in] has_weight, has_owner  Whether it wants these arrays; one with
 *                                    owners has no chunks.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_result_create(int p, int64_t n, int has_weight, int has_owner,
                        hesca_shares **result);

/** Chunks of counts, in the order of place. */
void hesca_result_set_chunks(hesca_shares *result);

/** The largest time, from sizes. */
void hesca_result_set_time(hesca_shares *result,
                           const hesca_speed *const *speed);

/** Check p, speed, n and the pointer behind weight; argument numbers are those
 * of hesca_shares_create() and its sisters, the pointer's is `last`. */
int hesca_result_check(const char *routine, int p,
                       const hesca_speed *const *speed, int64_t n,
                       hesca_shares *const *shares, int last);

/** The sum of weights, each >= 0, at most 2^53.  They are argument `arg`,
 * `name`, of the routine. */
HESCA_PRIVATE int hesca_result_check_weights(const char *routine, int arg,
                                             const char *name, int64_t n,
                                             const int64_t *weight,
                                             int64_t *total);

/** Elements that each can take, at most n; an error if all together cannot,
 * which is the fault of argument `arg`, `name`. */
HESCA_PRIVATE int hesca_result_limits(const char *routine, int arg,
                                      const char *name, int p,
                                      const hesca_speed *const *speed,
                                      int64_t n, int64_t *most);

/** What hesca_shares_create() does, in the name of another routine, whose
 * argument number `last` is shares. */
int hesca_result_equal(const char *routine, int p,
                       const hesca_speed *const *speed, int64_t n, int last,
                       hesca_shares **shares);

/** Hand out what was made, or after an error free it and hand out NULL (where
 * shares is not NULL itself).  Returns err. */
int hesca_result_give(int err, hesca_shares *result, hesca_shares **shares);

#endif
