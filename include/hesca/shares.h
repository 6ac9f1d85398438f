/** \file hesca/shares.h
 * How many elements for whom: sets, partitioned so that all processors finish
 * at the same time, as nearly as whole elements allow.
 *
 * Local and pure: the same on every process.  Source: HMPI thesis 4.2, 4.6,
 * 4.7. */
#ifndef HESCA_SHARES_H
#define HESCA_SHARES_H

#include "hesca/speed.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_shares hesca_shares; /**< Opaque. */

/** Partition n equal elements such that the largest time, count / speed, is
 * least: exactly so.
 *
 * \param [in]  p       Processors, >= 1.
 * \param [in]  speed   [p] Their models, or NULL: all are alike.
 * \param [in]  n       Elements, 0 ... 2^53.
 * \param [out] shares  Free with hesca_shares_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also: the limits hold less than n) or
 *         HESCA_ERR_NOMEM. */
HESCA_API int hesca_shares_create(int p, const hesca_speed *const *speed,
                                  int64_t n, hesca_shares **shares);

HESCA_API void
hesca_shares_free(hesca_shares *shares); /**< NULL is allowed. */

/** Number of processors. */
HESCA_API int hesca_shares_parts(const hesca_shares *shares);

/** Elements of processor i, 0 <= i < p. */
HESCA_API int64_t hesca_shares_count(const hesca_shares *shares, int i);

/** The largest time that a processor takes, and that of the real-valued
 * optimum, which no partition is below. */
HESCA_API double hesca_shares_time(const hesca_shares *shares);
HESCA_API double hesca_shares_ideal(const hesca_shares *shares);

#ifdef __cplusplus
}
#endif

#endif
