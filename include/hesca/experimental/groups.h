/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/groups.h
 * The owners of the columns of blocks of a matrix that is factored from left
 * to right, on a linear array of processors: the Variable Group Block
 * distribution (HMPI thesis 4.7.1.1.1).
 *
 * Columns of blocks form groups; in each every processor has a share in
 * proportion to its speed, the slowest first, so that the fastest processors
 * have the last columns, where too little remains to balance.  A group begins
 * where the one before ends, with the speeds at the sizes that processors have
 * of the remaining square matrix.  Local and pure: the same on every
 * process. */
#ifndef HESCA_EXPERIMENTAL_GROUPS_H
#define HESCA_EXPERIMENTAL_GROUPS_H

#include "hesca/experimental/speed.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_groups hesca_groups; /**< Opaque. */

/** Distribute an n x n matrix in columns of blocks, each nb wide.
 *
 * A group has floor(1 / l) blocks, where l is the smallest share > 0 of a
 * processor, or floor(2 / l) if that is less than two for each processor; the
 * last group is truncated.
 * \param [in]  p       Processors, 1 ... 2^28.
 * \param [in]  speed   [p] Models, of elements, or NULL: all are equal.
 * \param [in]  n       Order of the matrix, >= 0; n^2 <= 2^53.
 * \param [in]  nb      Columns of a block, >= 1.
 * \param [out] groups  Free with hesca_groups_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also: the limits hold less than the
 *         matrix) or HESCA_ERR_NOMEM. */
HESCA_API int hesca_groups_create(int p, const hesca_speed *const *speed,
                                  int64_t n, int64_t nb,
                                  hesca_groups **groups);

/** Free groups; NULL is allowed. */
HESCA_API void hesca_groups_free(hesca_groups *groups);

/** Number of columns of blocks; the last may be narrower. */
HESCA_API int64_t hesca_groups_blocks(const hesca_groups *groups);

/** Number of groups. */
HESCA_API int64_t hesca_groups_count(const hesca_groups *groups);

/** The first block of group k, 0 <= k <= number of groups; after the last
 * group it is the number of blocks. */
HESCA_API int64_t hesca_groups_first(const hesca_groups *groups, int64_t k);

/** The processor that has a column of blocks; -1 if it is out of range. */
HESCA_API int hesca_groups_owner(const hesca_groups *groups, int64_t block);

#ifdef __cplusplus
}
#endif

#endif
