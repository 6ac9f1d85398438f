/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/matrix/repeat.h
 * Elements of one rectangle of a block in a matrix that repeats the block. */
#ifndef HESCA_PARTITION_MATRIX_REPEAT_H
#define HESCA_PARTITION_MATRIX_REPEAT_H

#include "base/private.h"
#include "hesca/experimental/tiling.h"

/** A rectangle of an m x n block; the matrix that repeats the block has
 * `order` rows and columns. */
typedef struct {
    hesca_rect r;
    int64_t m, n;
} hesca_repeated;

/** Of the first x lines of a matrix, those in the `extent` lines from `start`
 * of every `period`; 0 if there are none. */
int64_t hesca_repeat_lines(int64_t x, int64_t period, int64_t start,
                           int64_t extent);

/** Elements (r,c) with k <= r, c < order and r >= c. */
HESCA_PRIVATE int64_t hesca_repeat_lower(const hesca_repeated *x,
                                         int64_t order, int64_t k);

/** Elements (r,c) with k <= r, c < order and r <= c. */
HESCA_PRIVATE int64_t hesca_repeat_upper(const hesca_repeated *x,
                                         int64_t order, int64_t k);

#endif
