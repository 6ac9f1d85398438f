/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sim/random.h
 * Reproducible random numbers: the same on every machine for a given seed.
 *
 * By splitmix64, see base/splitmix.h.  Numbers with a fraction have 53 random
 * bits. */
#ifndef HESCA_SIM_RANDOM_H
#define HESCA_SIM_RANDOM_H

#include <stdint.h>

/** A stream of numbers; state is the seed before the first one. */
typedef struct {
    uint64_t state;
} hesca_random;

/** The distribution of a number. */
typedef struct {
    double low, high; /* low <= high; > 0 if is_log */
    int is_log;       /* 1: its logarithm is uniform; 0: itself */
} hesca_range;

/** 64 random bits. */
uint64_t hesca_random_bits(hesca_random *r);

/** Uniform in 0 <= x < 1. */
double hesca_random_unit(hesca_random *r);

/** From the given distribution, in low <= x <= high. */
double hesca_random_in(hesca_random *r, const hesca_range *range);

/** Uniform in 0 ... n - 1; n >= 1. */
int hesca_random_below(hesca_random *r, int n);

/** A separate stream for run k of a series, independent of the quantity of
 * numbers that other runs use. */
hesca_random hesca_random_run(uint64_t seed, uint64_t k);

/** Choose k of 0 ... n - 1, 0 <= k <= n; all sets have the same probability.
 * \param [out] chosen  [n] 1 or 0. */
void hesca_random_choose(hesca_random *r, int n, int k, int *chosen);

#endif
