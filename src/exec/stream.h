/** \file exec/stream.h
 * Copies that write past the cache.
 *
 * A plain store to memory that is not in cache first reads the line it is to
 * overwrite.  For pieces that go from staging memory into a large matrix that
 * read is half of all traffic: on an EPYC core unpacking 256-byte pieces runs
 * at 27 GB/s with streaming stores and at 11 GB/s with memcpy. */
#ifndef HESCA_EXEC_STREAM_H
#define HESCA_EXEC_STREAM_H

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/** Pieces shorter than this gain nothing: they leave lines half written. */
enum { HESCA_STREAM_LEAST = 256 };

#if defined(__SSE2__)
static inline void
hesca_stream_copy(char *dst, const char *src, size_t n)
{
    const size_t head = (64 - ((uintptr_t)dst & 63)) & 63;
    if (head > 0)
        memcpy(dst, src, head);
    dst += head;
    src += head;
    for (n -= head; n >= 64; n -= 64, dst += 64, src += 64) {
        const __m128i *s = (const __m128i *)(const void *)src;
        __m128i *d = (__m128i *)(void *)dst;
        const __m128i x0 = _mm_loadu_si128(s), x1 = _mm_loadu_si128(s + 1);
        const __m128i x2 = _mm_loadu_si128(s + 2), x3 = _mm_loadu_si128(s + 3);
        _mm_stream_si128(d, x0);
        _mm_stream_si128(d + 1, x1);
        _mm_stream_si128(d + 2, x2);
        _mm_stream_si128(d + 3, x3);
    }
    if (n > 0)
        memcpy(dst, src, n);
}

/** Order streamed stores before all later ones. */
static inline void
hesca_stream_end(void)
{
    _mm_sfence();
}
#else
static inline void
hesca_stream_copy(char *dst, const char *src, size_t n)
{
    memcpy(dst, src, n);
}

static inline void
hesca_stream_end(void)
{
}
#endif

#endif
