/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/integer_width.h
 * The INTEGER of the program's ScaLAPACK: 4 bytes (LP64) or 8 (ILP64).
 *
 * If it is not hesca_int, every call goes on to the original routine, with its
 * arguments as they came: HESCA reads none of its arrays.  How wide it is is
 * seen by what Cblacs_gridinfo() stores. */
#ifndef HESCA_SHIM_INTEGER_WIDTH_H
#define HESCA_SHIM_INTEGER_WIDTH_H

#include "hesca/scalapack.h"
#include <stdint.h>

/** Bytes of the program's INTEGER; of hesca_int if the program has no BLACS,
 * or some of which it cannot be seen. Local. */
int hesca_width(void);

/** Whether that is hesca_int.  If it is not, one process says so, once, as
 * HESCA_FALLBACK wants it; HESCA_FALLBACK=error ends the program. Local. */
int hesca_width_fits(void);

/** An INTEGER that was passed by value, as the register or the stack has it:
 * on these machines also of a caller that has it narrower or wider. */
#if defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
typedef int64_t hesca_word;
#else
typedef hesca_int hesca_word;
#endif

/** Its value, by the program's INTEGER, and that of one that was passed by
 * reference. */
int64_t hesca_width_value(hesca_word word);
int64_t hesca_width_load(const void *integer);

/** A value as the program's INTEGER, to be passed by reference. */
typedef union {
    int32_t narrow;
    int64_t wide;
} hesca_integer;
hesca_integer hesca_width_store(int64_t value);

#endif
