/* The entry points of P?GEMM.  Each takes its own return address, which
 * identifies the caller.  The lengths of strings behind all arguments are not
 * needed; C programs leave them. */
#include "config.h"
#include "shim/intercept.h"
#include "shim/pblas/pblas.h"

#define DEFINE(x, X, type)                                                    \
    static void f_##x##gemm(                                                  \
        const char *transa, const char *transb, const hesca_int *m,           \
        const hesca_int *n, const hesca_int *k, const void *alpha, void *a,   \
        const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,     \
        void *b, const hesca_int *ib, const hesca_int *jb,                    \
        const hesca_int *descb, const void *beta, void *c,                    \
        const hesca_int *ic, const hesca_int *jc, const hesca_int *descc)     \
    {                                                                         \
        hesca_gemm_serve(&(hesca_gemm_call){type,                             \
                                            __builtin_return_address(0),      \
                                            transa,                           \
                                            transb,                           \
                                            m,                                \
                                            n,                                \
                                            k,                                \
                                            alpha,                            \
                                            beta,                             \
                                            {a, ia, ja, desca},               \
                                            {b, ib, jb, descb},               \
                                            {c, ic, jc, descc}});             \
    }                                                                         \
    INTERCEPT(f_##x##gemm, FC_FUNC(p##x##gemm, P##X##GEMM))                   \
    ALIAS_EXPANDED(f_##x##gemm, FC_FUNC_(hesca_p##x##gemm, HESCA_P##X##GEMM))

DEFINE(s, S, HESCA_S)
DEFINE(d, D, HESCA_D)
DEFINE(c, C, HESCA_C)
DEFINE(z, Z, HESCA_Z)
