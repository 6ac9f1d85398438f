/* SPDX-License-Identifier: BSD-3-Clause */
/* Stand-ins for the BLACS and for ScaLAPACK's routines, with INTEGERs of 64
 * bits: grids on MPI communicators, and routines that only remember how they
 * were called. */
#ifndef HESCA_TESTING_STANDINS_H
#define HESCA_TESTING_STANDINS_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t Int;

/* The last call of a routine, and how many there were. */
typedef struct {
    long calls;
    const char *name;
    Int m, n, ia, ja, ib, jb, ictxt;
    const void *a, *b, *desca, *descb, *ipiv;
} standin_call;
extern standin_call standin_last;

/* The last INFO that PXERBLA was given. */
extern Int standin_error;

void blacs_get_(const Int *ictxt, const Int *what, Int *val);
void blacs_gridinit_(Int *ictxt, const char *order, const Int *nprow,
                     const Int *npcol, size_t len);
void blacs_gridmap_(Int *ictxt, const Int *map, const Int *ldmap,
                    const Int *nprow, const Int *npcol);
void Cblacs_pinfo(Int *rank, Int *nprocs);
void Cblacs_get(Int ictxt, Int what, Int *val);
void Cblacs_gridinit(Int *ictxt, const char *order, Int nprow, Int npcol);
void Cblacs_gridmap(Int *ictxt, const Int *map, Int ldmap, Int nprow,
                    Int npcol);
void Cblacs_gridinfo(Int ictxt, Int *nprow, Int *npcol, Int *myrow,
                     Int *mycol);
void Cblacs_gridexit(Int ictxt);
void Cblacs_abort(Int ictxt, Int error);
MPI_Comm Cblacs2sys_handle(Int handle);
void pxerbla_(const Int *ictxt, const char *name, const Int *info, size_t len);

#define STANDIN_C(T)                                                          \
    Int m, Int n, const T *a, Int ia, Int ja, const Int *desca, T *b, Int ib, \
        Int jb, const Int *descb
#define STANDIN_FORTRAN(T)                                                    \
    const Int *m, const Int *n, const T *a, const Int *ia, const Int *ja,     \
        const Int *desca, T *b, const Int *ib, const Int *jb,                 \
        const Int *descb
void Cpdgemr2d(STANDIN_C(double), Int ictxt);
void Cpdgemr2do(STANDIN_C(double));
void Cpigemr2d(STANDIN_C(Int), Int ictxt);
void Cpdtrmr2d(const char *uplo, const char *diag, STANDIN_C(double),
               Int ictxt);
void pdgemr2d_(STANDIN_FORTRAN(double), const Int *ictxt);
void pdgemr2do_(STANDIN_FORTRAN(double));
void pigemr2d_(STANDIN_FORTRAN(Int), const Int *ictxt);
void pdtrmr2d_(const char *uplo, const char *diag, STANDIN_FORTRAN(double),
               const Int *ictxt, size_t len1, size_t len2);
void pdgemm_(const char *transa, const char *transb, const Int *m,
             const Int *n, const Int *k, const double *alpha, const double *a,
             const Int *ia, const Int *ja, const Int *desca, const double *b,
             const Int *ib, const Int *jb, const Int *descb,
             const double *beta, double *c, const Int *ic, const Int *jc,
             const Int *descc, size_t len1, size_t len2);
void pdgetrf_(const Int *m, const Int *n, double *a, const Int *ia,
              const Int *ja, const Int *desca, Int *ipiv, Int *info);
void pdgetrs_(const char *trans, const Int *n, const Int *nrhs, double *a,
              const Int *ia, const Int *ja, const Int *desca, const Int *ipiv,
              double *b, const Int *ib, const Int *jb, const Int *descb,
              Int *info, size_t len);
void pdgesv_(const Int *n, const Int *nrhs, double *a, const Int *ia,
             const Int *ja, const Int *desca, Int *ipiv, double *b,
             const Int *ib, const Int *jb, const Int *descb, Int *info);

/* BLAS, of which the INTEGERs are wide if STANDIN_BLAS=wide. */
int64_t idamax_(const void *n, const double *x, const void *incx);

#endif
