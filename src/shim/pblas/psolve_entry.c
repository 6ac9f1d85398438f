/* The entry points of P?POTRS and P?GETRS.  Each takes its own return address,
 * which identifies the caller. */
#include "config.h"
#include "shim/intercept.h"
#include "shim/pblas/pblas.h"

#define DEFINE_POTRS(x, X, t)                                                 \
    static void f_##x##potrs(                                                 \
        const char *uplo, const hesca_int *n, const hesca_int *nrhs, void *a, \
        const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,     \
        void *b, const hesca_int *ib, const hesca_int *jb,                    \
        const hesca_int *descb, hesca_int *info)                              \
    {                                                                         \
        hesca_solve_serve(                                                    \
            &(hesca_solve_call){.routine = PPOTRS,                            \
                                .type = t,                                    \
                                .caller = __builtin_return_address(0),        \
                                .letter = uplo,                               \
                                .n = n,                                       \
                                .nrhs = nrhs,                                 \
                                .a = {a, ia, ja, desca},                      \
                                .b = {b, ib, jb, descb},                      \
                                .info = info});                               \
    }                                                                         \
    INTERCEPT(f_##x##potrs, FC_FUNC(p##x##potrs, P##X##POTRS))                \
    ALIAS_EXPANDED(f_##x##potrs,                                              \
                   FC_FUNC_(hesca_p##x##potrs, HESCA_P##X##POTRS))

#define DEFINE_GETRS(x, X, t)                                                 \
    static void f_##x##getrs(                                                 \
        const char *trans, const hesca_int *n, const hesca_int *nrhs,         \
        void *a, const hesca_int *ia, const hesca_int *ja,                    \
        const hesca_int *desca, hesca_int *ipiv, void *b,                     \
        const hesca_int *ib, const hesca_int *jb, const hesca_int *descb,     \
        hesca_int *info)                                                      \
    {                                                                         \
        hesca_solve_serve(                                                    \
            &(hesca_solve_call){.routine = PGETRS,                            \
                                .type = t,                                    \
                                .caller = __builtin_return_address(0),        \
                                .letter = trans,                              \
                                .n = n,                                       \
                                .nrhs = nrhs,                                 \
                                .a = {a, ia, ja, desca},                      \
                                .ipiv = ipiv,                                 \
                                .b = {b, ib, jb, descb},                      \
                                .info = info});                               \
    }                                                                         \
    INTERCEPT(f_##x##getrs, FC_FUNC(p##x##getrs, P##X##GETRS))                \
    ALIAS_EXPANDED(f_##x##getrs,                                              \
                   FC_FUNC_(hesca_p##x##getrs, HESCA_P##X##GETRS))

#define DEFINE(x, X, t)                                                       \
    DEFINE_POTRS(x, X, t)                                                     \
    DEFINE_GETRS(x, X, t)

DEFINE(s, S, HESCA_S)
DEFINE(d, D, HESCA_D)
DEFINE(c, C, HESCA_C)
DEFINE(z, Z, HESCA_Z)
