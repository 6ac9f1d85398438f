/* The entry points of P?GEMR2D and P?TRMR2D: ScaLAPACK's Fortran and C names,
 * and the same with the prefix hesca_. */
#include "config.h"
#include "shim/intercept.h"
#include "shim/shim.h"

/* Fortran passes everything by reference, and the lengths of strings behind
 * all arguments, where C may leave them. */
#define GEMR2D_FORTRAN                                                        \
    const hesca_int *m, const hesca_int *n, const void *a,                    \
        const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,     \
        void *b, const hesca_int *ib, const hesca_int *jb,                    \
        const hesca_int *descb
#define GEMR2D_C(T)                                                           \
    hesca_int m, hesca_int n, const T *a, hesca_int ia, hesca_int ja,         \
        const hesca_int *desca, T *b, hesca_int ib, hesca_int jb,             \
        const hesca_int *descb

static void
serve(hesca_kind kind, hesca_element type, const char *uplo, const char *diag,
      GEMR2D_C(void), hesca_int ictxt)
{
    hesca_serve(&(hesca_call){kind, type, uplo, diag, m, n, a, ia, ja, desca,
                              b, ib, jb, descb, ictxt});
}

#define DEFINE(x, X, type, T)                                                 \
    void hesca_Cp##x##gemr2d(GEMR2D_C(T), hesca_int ictxt)                    \
    {                                                                         \
        serve(GEMR2D, type, 0, 0, m, n, a, ia, ja, desca, b, ib, jb, descb,   \
              ictxt);                                                         \
    }                                                                         \
    void hesca_Cp##x##gemr2do(GEMR2D_C(T))                                    \
    {                                                                         \
        serve(GEMR2DO, type, 0, 0, m, n, a, ia, ja, desca, b, ib, jb, descb,  \
              -1);                                                            \
    }                                                                         \
    void hesca_Cp##x##trmr2d(const char *uplo, const char *diag, GEMR2D_C(T), \
                             hesca_int ictxt)                                 \
    {                                                                         \
        serve(TRMR2D, type, uplo, diag, m, n, a, ia, ja, desca, b, ib, jb,    \
              descb, ictxt);                                                  \
    }                                                                         \
    void hesca_Cp##x##trmr2do(const char *uplo, const char *diag,             \
                              GEMR2D_C(T))                                    \
    {                                                                         \
        serve(TRMR2DO, type, uplo, diag, m, n, a, ia, ja, desca, b, ib, jb,   \
              descb, -1);                                                     \
    }                                                                         \
    static void f_##x##gemr2d(GEMR2D_FORTRAN, const hesca_int *ictxt)         \
    {                                                                         \
        serve(GEMR2D, type, 0, 0, *m, *n, a, *ia, *ja, desca, b, *ib, *jb,    \
              descb, *ictxt);                                                 \
    }                                                                         \
    static void f_##x##gemr2do(GEMR2D_FORTRAN)                                \
    {                                                                         \
        serve(GEMR2DO, type, 0, 0, *m, *n, a, *ia, *ja, desca, b, *ib, *jb,   \
              descb, -1);                                                     \
    }                                                                         \
    static void f_##x##trmr2d(const char *uplo, const char *diag,             \
                              GEMR2D_FORTRAN, const hesca_int *ictxt)         \
    {                                                                         \
        serve(TRMR2D, type, uplo, diag, *m, *n, a, *ia, *ja, desca, b, *ib,   \
              *jb, descb, *ictxt);                                            \
    }                                                                         \
    static void f_##x##trmr2do(const char *uplo, const char *diag,            \
                               GEMR2D_FORTRAN)                                \
    {                                                                         \
        serve(TRMR2DO, type, uplo, diag, *m, *n, a, *ia, *ja, desca, b, *ib,  \
              *jb, descb, -1);                                                \
    }                                                                         \
    INTERCEPT(hesca_Cp##x##gemr2d, Cp##x##gemr2d)                             \
    INTERCEPT(hesca_Cp##x##gemr2do, Cp##x##gemr2do)                           \
    INTERCEPT(hesca_Cp##x##trmr2d, Cp##x##trmr2d)                             \
    INTERCEPT(hesca_Cp##x##trmr2do, Cp##x##trmr2do)                           \
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

DEFINE(i, I, TYPE_I, hesca_int)
DEFINE(s, S, TYPE_S, float)
DEFINE(d, D, TYPE_D, double)
DEFINE(c, C, TYPE_C, void)
DEFINE(z, Z, TYPE_Z, void)
