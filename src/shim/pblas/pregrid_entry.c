/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points of the routines that run on another grid, and the calls of
 * the original ones: as many pointers as the routine has arguments, and behind
 * them a length for each CHARACTER, which HESCA passes on as 1. */
#include "config.h"
#include "shim/figures.h"
#include "shim/intercept.h"
#include "shim/pblas/pregrid.h"

/* Formal arguments, their names, and elements of an array, by number. */
#define F7 void *a0, void *a1, void *a2, void *a3, void *a4, void *a5, void *a6
#define L7 a0, a1, a2, a3, a4, a5, a6
#define V7 v[0], v[1], v[2], v[3], v[4], v[5], v[6]
#define F10 F7, void *a7, void *a8, void *a9
#define L10 L7, a7, a8, a9
#define V10 V7, v[7], v[8], v[9]
#define F11 F10, void *a10
#define L11 L10, a10
#define V11 V10, v[10]
#define F14 F11, void *a11, void *a12, void *a13
#define L14 L11, a11, a12, a13
#define V14 V11, v[11], v[12], v[13]
#define F15 F14, void *a14
#define L15 L14, a14
#define V15 V14, v[14]
#define F17 F15, void *a15, void *a16
#define L17 L15, a15, a16
#define V17 V15, v[15], v[16]
#define F19 F17, void *a17, void *a18
#define L19 L17, a17, a18
#define V19 V17, v[17], v[18]
#define F20 F19, void *a19
#define L20 L19, a19
#define V20 V19, v[19]
#define F21 F20, void *a20
#define L21 L20, a20
#define V21 V20, v[20]
#define F24 F21, void *a21, void *a22, void *a23
#define L24 L21, a21, a22, a23
#define V24 V21, v[21], v[22], v[23]
#define F26 F24, void *a24, void *a25
#define L26 L24, a24, a25
#define V26 V24, v[24], v[25]
#define F29 F26, void *a26, void *a27, void *a28
#define L29 L26, a26, a27, a28
#define V29 V26, v[26], v[27], v[28]
#define F31 F29, void *a29, void *a30
#define L31 L29, a29, a30
#define V31 V29, v[29], v[30]
#define F34 F31, void *a31, void *a32, void *a33
#define L34 L31, a31, a32, a33
#define V34 V31, v[31], v[32], v[33]
#define F36 F34, void *a34, void *a35
#define L36 L34, a34, a35
#define V36 V34, v[34], v[35]
/* Types of lengths, and their values. */
#define T0
#define T1 , size_t
#define T2 T1, size_t
#define T3 T2, size_t
#define T4 T3, size_t
#define S0
#define S1 , 1
#define S2 S1, 1
#define S3 S2, 1
#define S4 S3, 1

/* Call a routine of n arguments, of which l are CHARACTERs. */
#define CALLER(n, l)                                                          \
    static void call_##n##_##l(hesca_function f, void **v)                    \
    {                                                                         \
        typedef void routine(F##n T##l);                                      \
        ((routine *)f)(V##n S##l);                                            \
    }
CALLER(7, 1)
CALLER(10, 0)
CALLER(11, 0)
CALLER(14, 2)
CALLER(15, 1)
CALLER(15, 2)
CALLER(15, 4)
CALLER(17, 2)
CALLER(19, 2)
CALLER(20, 2)
CALLER(21, 2)
CALLER(24, 3)
CALLER(26, 3)
CALLER(29, 3)
CALLER(31, 3)
CALLER(34, 3)
CALLER(36, 3)

#define ENTRY(R, t, name, NAME, n, l)                                         \
    static void f_##name(F##n)                                                \
    {                                                                         \
        void *args[] = {L##n};                                                \
        hesca_regrid_serve(P##R, HESCA_##t, __builtin_return_address(0),      \
                           args, n);                                          \
    }                                                                         \
    INTERCEPT(f_##name, FC_FUNC(name, NAME))                                  \
    ALIAS_EXPANDED(f_##name, FC_FUNC_(hesca_##name, HESCA_##NAME))
HESCA_REGRIDDED_TYPED(ENTRY)

void
hesca_regrid_original(hesca_pblas_routine routine, hesca_type type,
                      void *args[])
{
#define CALL(R, t, name, NAME, n, l) [P##R][HESCA_##t] = call_##n##_##l,
    static void (*const call[NDENSE][NDENSE_TYPES])(
        hesca_function, void **) = {HESCA_REGRIDDED_TYPED(CALL)};
    const hesca_function f = hesca_pblas_original(routine, type);
    if (f == NULL) {
        hesca_pblas_missing(routine, type);
        return;
    }
    const int entered = hesca_figures_original_enter();
    call[routine][type](f, args);
    hesca_figures_original_leave(entered);
}
