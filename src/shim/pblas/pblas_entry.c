/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points of the routines that compute.  Each takes its own return
 * address, which identifies the caller.  The lengths of strings behind all
 * arguments are not needed; C programs leave them out. */
#include "config.h"
#include "shim/intercept.h"
#include "shim/pblas/pblas.h"

#define INT const hesca_int *
#define MATRIX(a) void *a, INT i##a, INT j##a, INT desc##a
#define GIVEN(a)                                                              \
    {                                                                         \
        a, i##a, j##a, desc##a                                                \
    }

/* Its formal arguments in parentheses, then members of hesca_dense_call. */
#define ENTRY(x, X, t, name, NAME, formal, ...)                               \
    static void f_##x##name formal                                            \
    {                                                                         \
        hesca_dense_serve(                                                    \
            &(hesca_dense_call){.routine = P##NAME,                           \
                                .type = t,                                    \
                                .caller = __builtin_return_address(0),        \
                                __VA_ARGS__});                                \
    }                                                                         \
    INTERCEPT(f_##x##name, FC_FUNC(p##x##name, P##X##NAME))                   \
    ALIAS_EXPANDED(f_##x##name, FC_FUNC_(hesca_p##x##name, HESCA_P##X##NAME))

#define ENTRIES(x, X, t)                                                      \
    ENTRY(x, X, t, gemm, GEMM,                                                \
          (const char *transa, const char *transb, INT m, INT n, INT k,       \
           const void *alpha, MATRIX(a), MATRIX(b), const void *beta,         \
           MATRIX(c)),                                                        \
          .letter = transa, .transb = transb, .m = m, .n = n, .k = k,         \
          .alpha = alpha, .beta = beta, .a = GIVEN(a), .b = GIVEN(b),         \
          .c = GIVEN(c))                                                      \
    ENTRY(x, X, t, potrf, POTRF,                                              \
          (const char *uplo, INT n, MATRIX(a), hesca_int *info),              \
          .letter = uplo, .n = n, .a = GIVEN(a), .info = info)                \
    ENTRY(x, X, t, posv, POSV,                                                \
          (const char *uplo, INT n, INT nrhs, MATRIX(a), MATRIX(b),           \
           hesca_int *info),                                                  \
          .letter = uplo, .n = n, .nrhs = nrhs, .a = GIVEN(a), .b = GIVEN(b), \
          .info = info)                                                       \
    ENTRY(x, X, t, potrs, POTRS,                                              \
          (const char *uplo, INT n, INT nrhs, MATRIX(a), MATRIX(b),           \
           hesca_int *info),                                                  \
          .letter = uplo, .n = n, .nrhs = nrhs, .a = GIVEN(a), .b = GIVEN(b), \
          .info = info)                                                       \
    ENTRY(x, X, t, getrf, GETRF,                                              \
          (INT m, INT n, MATRIX(a), hesca_int * ipiv, hesca_int * info),      \
          .m = m, .n = n, .a = GIVEN(a), .ipiv = ipiv, .info = info)          \
    ENTRY(x, X, t, gesv, GESV,                                                \
          (INT n, INT nrhs, MATRIX(a), hesca_int * ipiv, MATRIX(b),           \
           hesca_int * info),                                                 \
          .n = n, .nrhs = nrhs, .a = GIVEN(a), .ipiv = ipiv, .b = GIVEN(b),   \
          .info = info)                                                       \
    ENTRY(x, X, t, getrs, GETRS,                                              \
          (const char *trans, INT n, INT nrhs, MATRIX(a), hesca_int *ipiv,    \
           MATRIX(b), hesca_int *info),                                       \
          .letter = trans, .n = n, .nrhs = nrhs, .a = GIVEN(a), .ipiv = ipiv, \
          .b = GIVEN(b), .info = info)

ENTRIES(s, S, HESCA_S)
ENTRIES(d, D, HESCA_D)
ENTRIES(c, C, HESCA_C)
ENTRIES(z, Z, HESCA_Z)
