/** \file base/hash.h
 * Numbers that tell arguments apart, but for bad luck.  Pure: the same on
 * every process. */
#ifndef HESCA_BASE_HASH_H
#define HESCA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/** To begin with. */
#define HESCA_HASH UINT64_C(14695981039346656037)

/** h, and a word more.  Source: FNV-1a, with high bits folded down. */
static inline uint64_t
hesca_hash_mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(1099511628211);
    return h ^ (h >> 32);
}

/** h, and n bytes more. */
static inline uint64_t
hesca_hash_bytes(uint64_t h, const void *data, size_t n)
{
    for (size_t k = 0; k < n; ++k)
        h = hesca_hash_mix(h, ((const unsigned char *)data)[k]);
    return h;
}

/** What processes can compare, as they do it by x and -x: >= 0. */
static inline int64_t
hesca_hash_end(uint64_t h)
{
    return (int64_t)(h >> 2);
}

#endif
