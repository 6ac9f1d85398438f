/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/gains.h
 * A heap of vertices by gain.  Its order is unique, since ties go to the
 * smaller vertex.  Pure. */
#ifndef HESCA_PARTITION_GRAPH_GAINS_H
#define HESCA_PARTITION_GRAPH_GAINS_H

#include <stdint.h>

typedef struct {
    int64_t n;
    int64_t *heap; /**< [n] vertices, the largest gain first */
    int64_t *at;   /**< [vertices] index in the heap, -1: not in it */
    int64_t *gain; /**< [vertices] defined if in the heap */
} hesca_gains;

/** An empty heap for vertices 0 ... n - 1.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_gains_init(hesca_gains *x, int64_t n);
void hesca_gains_clear(hesca_gains *x);

/** Insert v, or change its gain. */
void hesca_gains_put(hesca_gains *x, int64_t v, int64_t gain);

/** Remove v, if it is in the heap. */
void hesca_gains_drop(hesca_gains *x, int64_t v);

/** Remove all vertices. */
void hesca_gains_empty(hesca_gains *x);

#endif
