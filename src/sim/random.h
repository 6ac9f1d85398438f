/** \file sim/random.h
 * Random numbers that are the same everywhere, from a seed that can be told.
 *
 * The generator is splitmix64: a counter that steps by a constant, and a
 * finalizer that mixes its bits; every seed will do.  Numbers with a fraction
 * have 53 random bits.
 * Source: G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom
 * Number Generators, OOPSLA 2014, Figure 16. */
#ifndef HESCA_SIM_RANDOM_H
#define HESCA_SIM_RANDOM_H

#include <stdint.h>

/** A stream of numbers; state is the seed before the first one. */
typedef struct {
    uint64_t state;
} hesca_random;

/** Where a number is drawn from. */
typedef struct {
    double low, high; /* low <= high; > 0 if is_log */
    int is_log;       /* its logarithm is uniform, not itself */
} hesca_range;

/** 64 random bits. */
uint64_t hesca_random_bits(hesca_random *r);

/** Uniform in 0 <= x < 1. */
double hesca_random_unit(hesca_random *r);

/** In low <= x <= high. */
double hesca_random_in(hesca_random *r, const hesca_range *range);

/** One of 0 ... n - 1; n >= 1. */
int hesca_random_below(hesca_random *r, int n);

/** A stream of its own for run k of a series, which does not depend on how
 * many numbers other runs took. */
hesca_random hesca_random_run(uint64_t seed, uint64_t k);

/** Choose k of 0 ... n - 1, 0 <= k <= n, each set as likely.
 * \param [out] chosen  [n] 1 or 0. */
void hesca_random_choose(hesca_random *r, int n, int k, int *chosen);

#endif
