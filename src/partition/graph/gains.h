/** \file partition/graph/gains.h
 * A heap of vertices by what moving them gains; the same order everywhere,
 * since ties go to the smaller vertex.  Pure. */
#ifndef HESCA_PARTITION_GRAPH_GAINS_H
#define HESCA_PARTITION_GRAPH_GAINS_H

#include <stdint.h>

typedef struct {
    int64_t n;
    int64_t *heap; /**< [n] vertices, the best first */
    int64_t *at;   /**< [vertices] where in the heap, -1: not in it */
    int64_t *gain; /**< [vertices] of those in it */
} hesca_gains;

/** Room for vertices 0 ... n - 1.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_gains_init(hesca_gains *x, int64_t n);
void hesca_gains_clear(hesca_gains *x);

/** Put v in, or change its gain. */
void hesca_gains_put(hesca_gains *x, int64_t v, int64_t gain);

/** Take v out, if it is in. */
void hesca_gains_drop(hesca_gains *x, int64_t v);

/** Take all out. */
void hesca_gains_empty(hesca_gains *x);

#endif
