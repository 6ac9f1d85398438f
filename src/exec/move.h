/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/move.h
 * Moves of contiguous bytes, the innermost loops of pack.c.
 *
 * They do not call memcpy() for more than a few bytes: glibc 2.36 copies 2 KiB
 * and more by "rep movsb", which on an EPYC core falls from 26 to 9 GB/s where
 * the addresses are 16 bytes apart modulo 4096, as they are for an array from
 * malloc() and a page-aligned buffer. */
#ifndef HESCA_EXEC_MOVE_H
#define HESCA_EXEC_MOVE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/** 0 < n <= 64. Two moves that may overlap need no loop over n and few
 * branches, which the processor predicts well because the pattern of short
 * runs repeats. */
static inline void
hesca_move_short(char *dst, const char *src, size_t n)
{
    if (n >= 32) {
        char head[32], tail[32];
        memcpy(head, src, 32);
        memcpy(tail, src + n - 32, 32);
        memcpy(dst, head, 32);
        memcpy(dst + n - 32, tail, 32);
    } else if (n >= 16) {
        char head[16], tail[16];
        memcpy(head, src, 16);
        memcpy(tail, src + n - 16, 16);
        memcpy(dst, head, 16);
        memcpy(dst + n - 16, tail, 16);
    } else if (n >= 8) {
        char head[8], tail[8];
        memcpy(head, src, 8);
        memcpy(tail, src + n - 8, 8);
        memcpy(dst, head, 8);
        memcpy(dst + n - 8, tail, 8);
    } else {
        memcpy(dst, src, n);
    }
}

/** Any n. ahead: distance in bytes beyond src of the prefetches; 0: no
 * prefetch, the source is in cache. */
static inline void
hesca_move(char *dst, const char *src, size_t n, size_t ahead)
{
    for (; n > 64; n -= 64, dst += 64, src += 64) {
        if (ahead > 0)
            __builtin_prefetch(src + ahead);
        memcpy(dst, src, 64);
    }
    if (n > 0)
        hesca_move_short(dst, src, n);
}

/** The same, by streaming stores that bypass the cache.
 *
 * A plain store to memory that is not in cache first reads the line that it
 * overwrites. For pieces that go from a staging buffer into a large matrix
 * that read is half of all traffic: on an EPYC core unpacking 256-byte pieces
 * runs at 27 GB/s with streaming stores and at 11 GB/s with plain ones. */
static inline void
hesca_move_past(char *dst, const char *src, size_t n, size_t ahead)
{
#if defined(__SSE2__)
    const size_t head = (64 - ((uintptr_t)dst & 63)) & 63;
    if (n >= 128) {
        if (head > 0)
            hesca_move_short(dst, src, head);
        dst += head;
        src += head;
        for (n -= head; n >= 64; n -= 64, dst += 64, src += 64) {
            const __m128i *s = (const __m128i *)(const void *)src;
            __m128i *d = (__m128i *)(void *)dst;
            if (ahead > 0)
                __builtin_prefetch(src + ahead);
            const __m128i x0 = _mm_loadu_si128(s);
            const __m128i x1 = _mm_loadu_si128(s + 1);
            const __m128i x2 = _mm_loadu_si128(s + 2);
            const __m128i x3 = _mm_loadu_si128(s + 3);
            _mm_stream_si128(d, x0);
            _mm_stream_si128(d + 1, x1);
            _mm_stream_si128(d + 2, x2);
            _mm_stream_si128(d + 3, x3);
        }
        if (n > 0)
            hesca_move_short(dst, src, n);
        return;
    }
#endif
    hesca_move(dst, src, n, ahead);
}

/** Order the stores of hesca_move_past() before all later ones. */
static inline void
hesca_move_end(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#endif
