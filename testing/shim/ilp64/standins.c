/* SPDX-License-Identifier: BSD-3-Clause */
#include "testing/shim/ilp64/standins.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

standin_call standin_last;
Int standin_error;

/* ------------------------------------------------ the BLACS */

enum { NGRIDS = 64 };
static struct {
    MPI_Comm comm;
    int nprow, npcol, myrow, mycol;
} grid[NGRIDS];

static void
start(void)
{
    int runs;
    MPI_Initialized(&runs);
    if (!runs)
        MPI_Init(NULL, NULL);
}

void
Cblacs_pinfo(Int *rank, Int *nprocs)
{
    int r, n;
    start();
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    *rank = r;
    *nprocs = n;
}

MPI_Comm
Cblacs2sys_handle(Int handle)
{
    return MPI_Comm_f2c((MPI_Fint)handle);
}

void
blacs_get_(const Int *ictxt, const Int *what, Int *val)
{
    *val = MPI_Comm_c2f(*what == 10 ? grid[*ictxt].comm : MPI_COMM_WORLD);
}

void
Cblacs_get(Int ictxt, Int what, Int *val)
{
    blacs_get_(&ictxt, &what, val);
}

void
Cblacs_gridmap(Int *ictxt, const Int *map, Int ldmap, Int nprow, Int npcol)
{
    const MPI_Comm from = Cblacs2sys_handle(*ictxt);
    const int n = (int)(nprow * npcol);
    int *ranks = malloc((size_t)n * sizeof *ranks), me, k = 0;
    MPI_Group all, some;
    MPI_Comm comm;
    for (Int p = 0; p < nprow; ++p)
        for (Int q = 0; q < npcol; ++q)
            ranks[p * npcol + q] = (int)map[q * ldmap + p];
    MPI_Comm_group(from, &all);
    MPI_Group_incl(all, n, ranks, &some);
    MPI_Comm_create(from, some, &comm);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    free(ranks);
    *ictxt = -1;
    if (comm == MPI_COMM_NULL)
        return;
    while (grid[k].nprow > 0)
        ++k;
    MPI_Comm_rank(comm, &me);
    grid[k].comm = comm;
    grid[k].nprow = (int)nprow;
    grid[k].npcol = (int)npcol;
    grid[k].myrow = me / (int)npcol;
    grid[k].mycol = me % (int)npcol;
    *ictxt = k;
}

void
Cblacs_gridinit(Int *ictxt, const char *order, Int nprow, Int npcol)
{
    Int map[NGRIDS];
    for (Int p = 0; p < nprow; ++p)
        for (Int q = 0; q < npcol; ++q)
            map[q * nprow + p] = *order == 'C' ? q * nprow + p : p * npcol + q;
    start();
    Cblacs_gridmap(ictxt, map, nprow, nprow, npcol);
}

void
blacs_gridmap_(Int *ictxt, const Int *map, const Int *ldmap, const Int *nprow,
               const Int *npcol)
{
    Cblacs_gridmap(ictxt, map, *ldmap, *nprow, *npcol);
}

void
blacs_gridinit_(Int *ictxt, const char *order, const Int *nprow,
                const Int *npcol, size_t len)
{
    (void)len;
    Cblacs_gridinit(ictxt, order, *nprow, *npcol);
}

void
Cblacs_gridinfo(Int ictxt, Int *nprow, Int *npcol, Int *myrow, Int *mycol)
{
    *nprow = *npcol = *myrow = *mycol = -1;
    if (ictxt < 0 || ictxt >= NGRIDS || grid[ictxt].nprow == 0)
        return;
    *nprow = grid[ictxt].nprow;
    *npcol = grid[ictxt].npcol;
    *myrow = grid[ictxt].myrow;
    *mycol = grid[ictxt].mycol;
}

void
Cblacs_gridexit(Int ictxt)
{
    MPI_Comm_free(&grid[ictxt].comm);
    grid[ictxt].nprow = 0;
}

void
Cblacs_abort(Int ictxt, Int error)
{
    (void)ictxt;
    MPI_Abort(MPI_COMM_WORLD, (int)error);
}

void
pxerbla_(const Int *ictxt, const char *name, const Int *info, size_t len)
{
    (void)ictxt, (void)name, (void)len;
    standin_error = *info;
}

/* ------------------------------------------------ ScaLAPACK */

static void
note(const char *name, STANDIN_C(void), Int ictxt, const void *ipiv)
{
    standin_last = (standin_call){standin_last.calls + 1,
                                  name,
                                  m,
                                  n,
                                  ia,
                                  ja,
                                  ib,
                                  jb,
                                  ictxt,
                                  a,
                                  b,
                                  desca,
                                  descb,
                                  ipiv};
}

#define PASS_C m, n, a, ia, ja, desca, b, ib, jb, descb
#define PASS_FORTRAN *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb

void
Cpdgemr2d(STANDIN_C(double), Int ictxt)
{
    note("Cpdgemr2d", PASS_C, ictxt, NULL);
}

void
Cpdgemr2do(STANDIN_C(double))
{
    note("Cpdgemr2do", PASS_C, -1, NULL);
}

void
Cpigemr2d(STANDIN_C(Int), Int ictxt)
{
    note("Cpigemr2d", PASS_C, ictxt, NULL);
}

void
Cpdtrmr2d(const char *uplo, const char *diag, STANDIN_C(double), Int ictxt)
{
    note(*uplo == 'U' && *diag == 'N' ? "Cpdtrmr2d" : "wrong", PASS_C, ictxt,
         NULL);
}

void
pdgemr2d_(STANDIN_FORTRAN(double), const Int *ictxt)
{
    Cpdgemr2d(PASS_FORTRAN, *ictxt);
}

void
pdgemr2do_(STANDIN_FORTRAN(double))
{
    Cpdgemr2do(PASS_FORTRAN);
}

void
pigemr2d_(STANDIN_FORTRAN(Int), const Int *ictxt)
{
    Cpigemr2d(PASS_FORTRAN, *ictxt);
}

void
pdtrmr2d_(const char *uplo, const char *diag, STANDIN_FORTRAN(double),
          const Int *ictxt, size_t len1, size_t len2)
{
    (void)len1, (void)len2;
    Cpdtrmr2d(uplo, diag, PASS_FORTRAN, *ictxt);
}

void
pdgemm_(const char *transa, const char *transb, const Int *m, const Int *n,
        const Int *k, const double *alpha, const double *a, const Int *ia,
        const Int *ja, const Int *desca, const double *b, const Int *ib,
        const Int *jb, const Int *descb, const double *beta, double *c,
        const Int *ic, const Int *jc, const Int *descc, size_t len1,
        size_t len2)
{
    (void)transa, (void)transb, (void)k, (void)alpha, (void)b, (void)ib;
    (void)jb, (void)descb, (void)beta, (void)len1, (void)len2;
    note("pdgemm", *m, *n, a, *ia, *ja, desca, c, *ic, *jc, descc, -1, NULL);
}

void
pdgetrf_(const Int *m, const Int *n, double *a, const Int *ia, const Int *ja,
         const Int *desca, Int *ipiv, Int *info)
{
    note("pdgetrf", *m, *n, a, *ia, *ja, desca, NULL, 0, 0, NULL, -1, ipiv);
    *info = 0;
}

void
pdgetrs_(const char *trans, const Int *n, const Int *nrhs, double *a,
         const Int *ia, const Int *ja, const Int *desca, const Int *ipiv,
         double *b, const Int *ib, const Int *jb, const Int *descb, Int *info,
         size_t len)
{
    (void)trans, (void)len;
    note("pdgetrs", *n, *nrhs, a, *ia, *ja, desca, b, *ib, *jb, descb, -1,
         ipiv);
    *info = 0;
}

void
pdgesv_(const Int *n, const Int *nrhs, double *a, const Int *ia, const Int *ja,
        const Int *desca, Int *ipiv, double *b, const Int *ib, const Int *jb,
        const Int *descb, Int *info)
{
    note("pdgesv", *n, *nrhs, a, *ia, *ja, desca, b, *ib, *jb, descb, -1,
         ipiv);
    *info = 0;
}

/* ------------------------------------------------ BLAS */

static Int
integer(const void *p, int is_wide)
{
    int narrow;
    Int wide;
    memcpy(&narrow, p, sizeof narrow);
    if (!is_wide)
        return narrow;
    memcpy(&wide, p, sizeof wide);
    return wide;
}

int64_t
idamax_(const void *n_, const double *x, const void *incx_)
{
    const char *kind = getenv("STANDIN_BLAS");
    const int is_wide = kind != NULL && strcmp(kind, "wide") == 0;
    const Int n = integer(n_, is_wide), incx = integer(incx_, is_wide);
    Int most = 1;
    for (Int k = 1; k < n; ++k)
        if (fabs(x[k * incx]) > fabs(x[(most - 1) * incx]))
            most = k + 1;
    return n < 1 ? 0 : most;
}
