/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines that run on other grids of which HESCA has kernels: from
 * ScaLAPACK's arguments to these.  Source of the arguments: opening comments
 * of ScaLAPACK PBLAS/SRC/pdsyrk_.c, pzherk_.c, pdtrsm_.c, SRC/pdpotri.f,
 * pdgetri.f, pdgeqrf.f, pdormqr.f. */
#include "hesca/experimental/dense.h"
#include "shim/pblas/pregrid.h"

/* By position. */
static char
letter(const hesca_regrid_call *r, int k)
{
    return *(const char *)r->args[k];
}

static int64_t
count(const hesca_regrid_call *r, int k)
{
    return *(const hesca_int *)r->args[k];
}

static int
syrk(void *call, const hesca_matrix *x, MPI_Comm comm)
{
    const hesca_regrid_call *r = call;
    return hesca_syrk(r->type, letter(r, 0), letter(r, 1), count(r, 2),
                      count(r, 3), r->args[4], &x[0], r->args[9], &x[1], comm);
}

static int
herk(void *call, const hesca_matrix *x, MPI_Comm comm)
{
    const hesca_regrid_call *r = call;
    return hesca_herk(r->type, letter(r, 0), letter(r, 1), count(r, 2),
                      count(r, 3), r->args[4], &x[0], r->args[9], &x[1], comm);
}

static int
trsm(void *call, const hesca_matrix *x, MPI_Comm comm)
{
    const hesca_regrid_call *r = call;
    return hesca_trsm(r->type, letter(r, 0), letter(r, 1), letter(r, 2),
                      letter(r, 3), count(r, 4), count(r, 5), r->args[6],
                      &x[0], &x[1], comm);
}

/* TAU is the only vector of these calls. */
static int
geqrf(void *call, const hesca_matrix *x, MPI_Comm comm)
{
    const hesca_regrid_call *r = call;
    return hesca_geqrf(r->type, count(r, 0), count(r, 1), &x[0],
                       r->vectors.made, comm);
}

static int
ormqr(void *call, const hesca_matrix *x, MPI_Comm comm)
{
    const hesca_regrid_call *r = call;
    return hesca_ormqr(r->type, letter(r, 0), letter(r, 1), count(r, 2),
                       count(r, 3), count(r, 4), &x[0], r->vectors.taken,
                       &x[1], comm);
}

static int
potri(void *call, const hesca_matrix *x, MPI_Comm comm)
{
    hesca_regrid_call *r = call;
    return hesca_potri(r->type, letter(r, 0), count(r, 1), x, comm,
                       &r->singular);
}

static int
getri(void *call, const hesca_matrix *x, MPI_Comm comm)
{
    hesca_regrid_call *r = call;
    int64_t *ipiv = r->vectors.taken; /* from 1 */
    const int64_t n = count(r, 0);
    for (int64_t k = 0; k < n; ++k)
        --ipiv[k];
    return hesca_getri(r->type, n, x, ipiv, comm, &r->singular);
}

int (*hesca_regrid_kernel(hesca_pblas_routine routine))(
    void *call, const hesca_matrix *matrix, MPI_Comm comm)
{
    return routine == PSYRK    ? syrk
           : routine == PHERK  ? herk
           : routine == PTRSM  ? trsm
           : routine == PGEQRF ? geqrf
           : routine == PORMQR ? ormqr
           : routine == PPOTRI ? potri
           : routine == PGETRI ? getri
                               : NULL;
}
