/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry points of P?GEMR2D and P?TRMR2D: ScaLAPACK's Fortran and C names,
 * and the same with the prefix hesca_. */
#include "config.h"
#include "shim/integer_width.h"
#include "shim/intercept.h"
#include "shim/shim.h"

/* Fortran passes everything by reference, and the lengths of strings behind
 * all arguments, where C may leave them. */
#define GEMR2D_FORTRAN                                                        \
    const hesca_int *m, const hesca_int *n, const void *a,                    \
        const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,     \
        void *b, const hesca_int *ib, const hesca_int *jb,                    \
        const hesca_int *descb
#define GEMR2D_C(I, T)                                                        \
    I m, I n, const T *a, I ia, I ja, const hesca_int *desca, T *b, I ib,     \
        I jb, const hesca_int *descb

static void
serve(hesca_kind kind, hesca_element type, const char *uplo, const char *diag,
      GEMR2D_C(int64_t, void), int64_t ictxt)
{
    hesca_serve(&(hesca_call){kind, type, uplo, diag, m, n, a, ia, ja, desca,
                              b, ib, jb, descb, ictxt});
}

/* Scalars as ScaLAPACK's names pass them: of the program's INTEGER, whatever
 * HESCA's is.  Only HESCA's own C names are called with hesca_int. */
#define V(x) hesca_width_value(x)
#define L(x) hesca_width_load(x)
#define VALUES V(m), V(n), a, V(ia), V(ja), desca, b, V(ib), V(jb), descb
#define LOADED L(m), L(n), a, L(ia), L(ja), desca, b, L(ib), L(jb), descb
#define OWN m, n, a, ia, ja, desca, b, ib, jb, descb
#define LETTERS const char *uplo, const char *diag

#define DEFINE_C(prefix, linkage, x, type, I, T, LIST, CONTEXT)               \
    linkage void prefix##x##gemr2d(GEMR2D_C(I, T), I ictxt)                   \
    {                                                                         \
        serve(GEMR2D, type, 0, 0, LIST, CONTEXT);                             \
    }                                                                         \
    linkage void prefix##x##gemr2do(GEMR2D_C(I, T))                           \
    {                                                                         \
        serve(GEMR2DO, type, 0, 0, LIST, -1);                                 \
    }                                                                         \
    linkage void prefix##x##trmr2d(LETTERS, GEMR2D_C(I, T), I ictxt)          \
    {                                                                         \
        serve(TRMR2D, type, uplo, diag, LIST, CONTEXT);                       \
    }                                                                         \
    linkage void prefix##x##trmr2do(LETTERS, GEMR2D_C(I, T))                  \
    {                                                                         \
        serve(TRMR2DO, type, uplo, diag, LIST, -1);                           \
    }

#define DEFINE_FORTRAN(x, X, type)                                            \
    static void f_##x##gemr2d(GEMR2D_FORTRAN, const hesca_int *ictxt)         \
    {                                                                         \
        serve(GEMR2D, type, 0, 0, LOADED, L(ictxt));                          \
    }                                                                         \
    static void f_##x##gemr2do(GEMR2D_FORTRAN)                                \
    {                                                                         \
        serve(GEMR2DO, type, 0, 0, LOADED, -1);                               \
    }                                                                         \
    static void f_##x##trmr2d(LETTERS, GEMR2D_FORTRAN,                        \
                              const hesca_int *ictxt)                         \
    {                                                                         \
        serve(TRMR2D, type, uplo, diag, LOADED, L(ictxt));                    \
    }                                                                         \
    static void f_##x##trmr2do(LETTERS, GEMR2D_FORTRAN)                       \
    {                                                                         \
        serve(TRMR2DO, type, uplo, diag, LOADED, -1);                         \
    }                                                                         \
    INTERCEPT(f_##x##gemr2d, FC_FUNC(p##x##gemr2d, P##X##GEMR2D))             \
    INTERCEPT(f_##x##gemr2do, FC_FUNC(p##x##gemr2do, P##X##GEMR2DO))          \
    INTERCEPT(f_##x##trmr2d, FC_FUNC(p##x##trmr2d, P##X##TRMR2D))             \
    INTERCEPT(f_##x##trmr2do, FC_FUNC(p##x##trmr2do, P##X##TRMR2DO))          \
    ALIAS_EXPANDED(f_##x##gemr2d,                                             \
                   FC_FUNC_(hesca_p##x##gemr2d, HESCA_P##X##GEMR2D))          \
    ALIAS_EXPANDED(f_##x##gemr2do,                                            \
                   FC_FUNC_(hesca_p##x##gemr2do, HESCA_P##X##GEMR2DO))        \
    ALIAS_EXPANDED(f_##x##trmr2d,                                             \
                   FC_FUNC_(hesca_p##x##trmr2d, HESCA_P##X##TRMR2D))          \
    ALIAS_EXPANDED(f_##x##trmr2do,                                            \
                   FC_FUNC_(hesca_p##x##trmr2do, HESCA_P##X##TRMR2DO))

#define DEFINE(x, X, type, T)                                                 \
    DEFINE_C(hesca_Cp, , x, type, hesca_int, T, OWN, ictxt)                   \
    DEFINE_C(c_, static, x, type, hesca_word, T, VALUES, V(ictxt))            \
    INTERCEPT(c_##x##gemr2d, Cp##x##gemr2d)                                   \
    INTERCEPT(c_##x##gemr2do, Cp##x##gemr2do)                                 \
    INTERCEPT(c_##x##trmr2d, Cp##x##trmr2d)                                   \
    INTERCEPT(c_##x##trmr2do, Cp##x##trmr2do)                                 \
    DEFINE_FORTRAN(x, X, type)

DEFINE(i, I, TYPE_I, hesca_int)
DEFINE(s, S, TYPE_S, float)
DEFINE(d, D, TYPE_D, double)
DEFINE(c, C, TYPE_C, void)
DEFINE(z, Z, TYPE_Z, void)
