/* The entry points of P?POTRF, P?POSV, P?GETRF and P?GESV.  Each takes its own
 * return address, which identifies the caller. */
#include "config.h"
#include "shim/intercept.h"
#include "shim/pblas/pblas.h"

#define DEFINE_POTRF(x, X, t)                                                 \
    static void f_##x##potrf(const char *uplo, const hesca_int *n, void *a,   \
                             const hesca_int *ia, const hesca_int *ja,        \
                             const hesca_int *desca, hesca_int *info)         \
    {                                                                         \
        hesca_factor_serve(                                                   \
            &(hesca_factor_call){.routine = PPOTRF,                           \
                                 .type = t,                                   \
                                 .caller = __builtin_return_address(0),       \
                                 .uplo = uplo,                                \
                                 .n = n,                                      \
                                 .a = {a, ia, ja, desca},                     \
                                 .info = info});                              \
    }                                                                         \
    INTERCEPT(f_##x##potrf, FC_FUNC(p##x##potrf, P##X##POTRF))                \
    ALIAS_EXPANDED(f_##x##potrf,                                              \
                   FC_FUNC_(hesca_p##x##potrf, HESCA_P##X##POTRF))

#define DEFINE_POSV(x, X, t)                                                  \
    static void f_##x##posv(                                                  \
        const char *uplo, const hesca_int *n, const hesca_int *nrhs, void *a, \
        const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,     \
        void *b, const hesca_int *ib, const hesca_int *jb,                    \
        const hesca_int *descb, hesca_int *info)                              \
    {                                                                         \
        hesca_factor_serve(                                                   \
            &(hesca_factor_call){.routine = PPOSV,                            \
                                 .type = t,                                   \
                                 .caller = __builtin_return_address(0),       \
                                 .uplo = uplo,                                \
                                 .n = n,                                      \
                                 .nrhs = nrhs,                                \
                                 .a = {a, ia, ja, desca},                     \
                                 .b = {b, ib, jb, descb},                     \
                                 .info = info});                              \
    }                                                                         \
    INTERCEPT(f_##x##posv, FC_FUNC(p##x##posv, P##X##POSV))                   \
    ALIAS_EXPANDED(f_##x##posv, FC_FUNC_(hesca_p##x##posv, HESCA_P##X##POSV))

#define DEFINE_GETRF(x, X, t)                                                 \
    static void f_##x##getrf(const hesca_int *m, const hesca_int *n, void *a, \
                             const hesca_int *ia, const hesca_int *ja,        \
                             const hesca_int *desca, hesca_int *ipiv,         \
                             hesca_int *info)                                 \
    {                                                                         \
        hesca_factor_serve(                                                   \
            &(hesca_factor_call){.routine = PGETRF,                           \
                                 .type = t,                                   \
                                 .caller = __builtin_return_address(0),       \
                                 .m = m,                                      \
                                 .n = n,                                      \
                                 .a = {a, ia, ja, desca},                     \
                                 .ipiv = ipiv,                                \
                                 .info = info});                              \
    }                                                                         \
    INTERCEPT(f_##x##getrf, FC_FUNC(p##x##getrf, P##X##GETRF))                \
    ALIAS_EXPANDED(f_##x##getrf,                                              \
                   FC_FUNC_(hesca_p##x##getrf, HESCA_P##X##GETRF))

#define DEFINE_GESV(x, X, t)                                                  \
    static void f_##x##gesv(                                                  \
        const hesca_int *n, const hesca_int *nrhs, void *a,                   \
        const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,     \
        hesca_int *ipiv, void *b, const hesca_int *ib, const hesca_int *jb,   \
        const hesca_int *descb, hesca_int *info)                              \
    {                                                                         \
        hesca_factor_serve(                                                   \
            &(hesca_factor_call){.routine = PGESV,                            \
                                 .type = t,                                   \
                                 .caller = __builtin_return_address(0),       \
                                 .n = n,                                      \
                                 .nrhs = nrhs,                                \
                                 .a = {a, ia, ja, desca},                     \
                                 .ipiv = ipiv,                                \
                                 .b = {b, ib, jb, descb},                     \
                                 .info = info});                              \
    }                                                                         \
    INTERCEPT(f_##x##gesv, FC_FUNC(p##x##gesv, P##X##GESV))                   \
    ALIAS_EXPANDED(f_##x##gesv, FC_FUNC_(hesca_p##x##gesv, HESCA_P##X##GESV))

#define DEFINE(x, X, t)                                                       \
    DEFINE_POTRF(x, X, t)                                                     \
    DEFINE_POSV(x, X, t)                                                      \
    DEFINE_GETRF(x, X, t)                                                     \
    DEFINE_GESV(x, X, t)

DEFINE(s, S, HESCA_S)
DEFINE(d, D, HESCA_D)
DEFINE(c, C, HESCA_C)
DEFINE(z, Z, HESCA_Z)
