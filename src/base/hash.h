/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/hash.h
 * Hash values of arguments.  Different arguments have different values except
 * for collisions.  Pure: the same on every process. */
#ifndef HESCA_BASE_HASH_H
#define HESCA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** The initial value. */
#define HESCA_HASH UINT64_C(14695981039346656037)

/** h extended by one word.  Source: FNV-1a, with the high bits folded down. */
static inline uint64_t
hesca_hash_mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(1099511628211);
    return h ^ (h >> 32);
}

/** h extended by n bytes; by words, since calls of microseconds are hashed. */
static inline uint64_t
hesca_hash_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *at = data;
    uint64_t word = 0;
    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        h = hesca_hash_mix(h, word);
    }
    word = 0;
    memcpy(&word, at, n);
    return n > 0 ? hesca_hash_mix(h, word) : h;
}

/** The final value, >= 0.  Processes compare values by reducing x and -x, so
 * -x must not overflow. */
static inline int64_t
hesca_hash_end(uint64_t h)
{
    return (int64_t)(h >> 2);
}

#endif
