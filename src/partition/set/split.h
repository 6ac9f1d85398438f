/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/set/split.h
 * Integer shares for parts of constant speed. */
#ifndef HESCA_PARTITION_SET_SPLIT_H
#define HESCA_PARTITION_SET_SPLIT_H

#include <stdint.h>

/** Split n lines such that the largest count / speed is minimal; of parts with
 * equal times the first gets one line more.
 * \param [in]  n      0 ... 2^53.
 * \param [in]  k      Parts, >= 1.
 * \param [in]  speed  [k] >= 0; if all are 0 they count as equal.
 * \param [out] count  [k] */
void hesca_split(int64_t n, int k, const double *speed, int64_t *count);

#endif
