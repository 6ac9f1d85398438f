/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/splitmix.h
 * splitmix64: random numbers that are the same on every machine, by a counter
 * that advances by a constant and a function that mixes its bits.  Every seed
 * is allowed.
 * Source: G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom
 * Number Generators, OOPSLA 2014, Figure 16. */
#ifndef HESCA_BASE_SPLITMIX_H
#define HESCA_BASE_SPLITMIX_H

#include <stdint.h>

static inline uint64_t
hesca_splitmix_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/** The next number of a stream. */
static inline uint64_t
hesca_splitmix(uint64_t *state)
{
    return hesca_splitmix_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

#endif
