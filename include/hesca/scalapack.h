/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/scalapack.h
 * For programs that call both ScaLAPACK and HESCA, by name.
 *
 * libhesca_scalapack defines, for ? in i s d c z, P?GEMR2D, P?GEMR2DO,
 * P?TRMR2D and P?TRMR2DO under ScaLAPACK's own Fortran and C names, and the
 * same under the prefix hesca_ (hesca_pdgemr2d_, hesca_Cpdgemr2d, ...), with
 * ScaLAPACK's arguments; and, in the same ways, the BLACS' BLACS_GRIDINIT and
 * BLACS_GRIDMAP (hesca_blacs_gridinit_, hesca_Cblacs_gridinit, ...), which
 * place processes according to HESCA_PLACEMENT (hesca/experimental/grid.h). */
#ifndef HESCA_SCALAPACK_H
#define HESCA_SCALAPACK_H

#include "hesca/status.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Fortran's INTEGER, as in the ScaLAPACK that HESCA was built for; with
 * configure --enable-ilp64 hesca-scalapack.pc defines HESCA_ILP64. */
#ifdef HESCA_ILP64
typedef int64_t hesca_int;
#else
typedef int hesca_int;
#endif

/** A function of unknown type; cast it to the type of the function named. */
typedef void (*hesca_function)(void);

/** The original routine (ScaLAPACK's or the BLACS'), also while HESCA is
 * loaded; cast the result to its type.
 *
 * Local.
 * \param [in] name  ScaLAPACK's or the BLACS' C name, for example "Cpdgemr2d",
 *                   "Cblacs_gridinit".
 * \return The function, or NULL if no library of the program defines it or
 *         HESCA does not intercept that name. */
HESCA_API hesca_function hesca_scalapack_original(const char *name);

/* The routines under the prefix hesca_.  Arguments and their meaning are those
 * of ScaLAPACK's REDIST. */
/** \cond */
#define HESCA_DECLARE_TWINS(x, T)                                             \
    HESCA_API void hesca_Cp##x##gemr2d(                                       \
        hesca_int m, hesca_int n, const T *a, hesca_int ia, hesca_int ja,     \
        const hesca_int *desca, T *b, hesca_int ib, hesca_int jb,             \
        const hesca_int *descb, hesca_int ictxt);                             \
    HESCA_API void hesca_Cp##x##gemr2do(                                      \
        hesca_int m, hesca_int n, const T *a, hesca_int ia, hesca_int ja,     \
        const hesca_int *desca, T *b, hesca_int ib, hesca_int jb,             \
        const hesca_int *descb);                                              \
    HESCA_API void hesca_Cp##x##trmr2d(                                       \
        const char *uplo, const char *diag, hesca_int m, hesca_int n,         \
        const T *a, hesca_int ia, hesca_int ja, const hesca_int *desca, T *b, \
        hesca_int ib, hesca_int jb, const hesca_int *descb, hesca_int ictxt); \
    HESCA_API void hesca_Cp##x##trmr2do(                                      \
        const char *uplo, const char *diag, hesca_int m, hesca_int n,         \
        const T *a, hesca_int ia, hesca_int ja, const hesca_int *desca, T *b, \
        hesca_int ib, hesca_int jb, const hesca_int *descb);
HESCA_DECLARE_TWINS(i, hesca_int)
HESCA_DECLARE_TWINS(s, float)
HESCA_DECLARE_TWINS(d, double)
HESCA_DECLARE_TWINS(c, void) /* pairs of float */
HESCA_DECLARE_TWINS(z, void) /* pairs of double */
#undef HESCA_DECLARE_TWINS
/** \endcond */

/** BLACS_GRIDINIT with placement of processes according to HESCA_PLACEMENT
 * (hesca-parameters(7)).
 * \param [in,out] ictxt  A system context, then the new BLACS context, -1 on
 *                        processes outside of the grid.
 * \param [in]     order  "R" or "C": by rows or by columns; ignored if HESCA
 *                        places the processes.
 * \param [in]     nprow, npcol  Shape of the grid. */
HESCA_API void hesca_Cblacs_gridinit(hesca_int *ictxt, const char *order,
                                     hesca_int nprow, hesca_int npcol);

/** BLACS_GRIDMAP; processes are permuted if HESCA_PLACEMENT has +gridmap. */
HESCA_API void hesca_Cblacs_gridmap(hesca_int *ictxt, const hesca_int *map,
                                    hesca_int ldmap, hesca_int nprow,
                                    hesca_int npcol);

#ifdef __cplusplus
}
#endif

#endif
