/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/heap.h
 * Binary heaps: the item at 0 comes before all others, and each item before
 * those at 2 i + 1 and 2 i + 2.  Inline, since a comparison is all that a step
 * costs.
 *
 * X is a value that IS_BEFORE(X, a, b) and PLACE(X, heap, i, v) are given;
 * items for which IS_BEFORE holds in neither direction keep no order. */
#ifndef HESCA_BASE_HEAP_H
#define HESCA_BASE_HEAP_H

#include <stdint.h>

/** PLACE where only the heap has to know of an item's index. */
#define HESCA_HEAP_SET(X, HEAP, I, V) ((HEAP)[I] = (V))

/** Define NAME(x, heap, i, v): put v at i, or above it.
 * \return its index. */
#define HESCA_HEAP_RISE(NAME, CONTEXT, ITEM, IS_BEFORE, PLACE)                \
    static int64_t NAME(CONTEXT x, ITEM *heap, int64_t i, ITEM v)             \
    {                                                                         \
        for (; i > 0 && IS_BEFORE(x, v, heap[(i - 1) / 2]); i = (i - 1) / 2)  \
            PLACE(x, heap, i, heap[(i - 1) / 2]);                             \
        PLACE(x, heap, i, v);                                                 \
        return i;                                                             \
    }

/** Define NAME(x, heap, n, i, v): put v at i, or below it, in a heap of n. */
#define HESCA_HEAP_SINK(NAME, CONTEXT, ITEM, IS_BEFORE, PLACE)                \
    static void NAME(CONTEXT x, ITEM *heap, int64_t n, int64_t i, ITEM v)     \
    {                                                                         \
        for (int64_t k; (k = 2 * i + 1) < n; i = k) {                         \
            if (k + 1 < n && IS_BEFORE(x, heap[k + 1], heap[k]))              \
                ++k;                                                          \
            if (!IS_BEFORE(x, heap[k], v))                                    \
                break;                                                        \
            PLACE(x, heap, i, heap[k]);                                       \
        }                                                                     \
        PLACE(x, heap, i, v);                                                 \
    }

#endif
