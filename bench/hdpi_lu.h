/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hdpi_lu.h
 * LU factorization of a matrix whose columns, in blocks, belong to processors:
 * right-looking, a panel of one block after the other. */
#ifndef HESCA_BENCH_HDPI_LU_H
#define HESCA_BENCH_HDPI_LU_H

#include "hesca/experimental/speed.h"
#include <stdint.h>

typedef struct {
    int p;     /* processors */
    int64_t n; /* order */
    int block; /* columns of a block, the last one may have fewer */
} lu_task;

/** Blocks of the matrix, and columns of block k. */
int64_t lu_blocks(const lu_task *t);
int64_t lu_width(const lu_task *t, int64_t k);

/** Owners of blocks, by the Variable Group Block distribution (HMPI thesis
 * 4.7.1.1.1); speeds of one knot make it the Group Block distribution.
 * \param [in] speed  [p] of elements.
 * \return [lu_blocks()] to free(), NULL on error. */
int *lu_groups(const lu_task *t, const hesca_speed *const *speed);

/** Owners of blocks, one by one from the right, so that each update has its
 * columns where they are done first, given those of all updates after it.
 * Arguments as above. */
int *lu_backwards(const lu_task *t, const hesca_speed *const *speed);

/** Columns of processor i from block k on. */
int64_t lu_columns(const lu_task *t, const int *owner, int i, int64_t k);

/** What the updates of trailing matrices take, one after the other, each as
 * long as the slowest processor: its elements, over its speed at so many.
 * Nothing else: no panels, no messages. */
double lu_updates_time(const lu_task *t, const int *owner,
                       const hesca_speed *const *speed);

/** A model in which a unit of size is `unit` of those of `from`; speeds stay.
 * \param [in] limit  In the new unit.
 * \return as hesca_speed_create(). */
int units_change(const hesca_speed *from, double unit, double limit,
                 hesca_speed **to);

/** Free p models and their list; NULL is allowed. */
void units_free(hesca_speed **model, int p);

#endif
