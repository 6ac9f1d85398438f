/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices whose elements follow from their indices, so that every grid has
 * the same ones without a message. */
#include "heho.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_gridinfo(hesca_int ictxt, hesca_int *nprow, hesca_int *npcol,
                     hesca_int *myrow, hesca_int *mycol);
hesca_int numroc_(const hesca_int *n, const hesca_int *nb,
                  const hesca_int *iproc, const hesca_int *isrcproc,
                  const hesca_int *nprocs);
void pdgemm_(const char *transa, const char *transb, const hesca_int *m,
             const hesca_int *n, const hesca_int *k, const double *alpha,
             const double *a, const hesca_int *ia, const hesca_int *ja,
             const hesca_int *desca, const double *b, const hesca_int *ib,
             const hesca_int *jb, const hesca_int *descb, const double *beta,
             double *c, const hesca_int *ic, const hesca_int *jc,
             const hesca_int *descc);
void pdpotrf_(const char *uplo, const hesca_int *n, double *a,
              const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,
              hesca_int *info);
void pdgesv_(const hesca_int *n, const hesca_int *nrhs, double *a,
             const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,
             hesca_int *ipiv, double *b, const hesca_int *ib,
             const hesca_int *jb, const hesca_int *descb, hesca_int *info);
void pdpotrs_(const char *uplo, const hesca_int *n, const hesca_int *nrhs,
              const double *a, const hesca_int *ia, const hesca_int *ja,
              const hesca_int *desca, double *b, const hesca_int *ib,
              const hesca_int *jb, const hesca_int *descb, hesca_int *info);
void pdgetrs_(const char *trans, const hesca_int *n, const hesca_int *nrhs,
              const double *a, const hesca_int *ia, const hesca_int *ja,
              const hesca_int *desca, const hesca_int *ipiv, double *b,
              const hesca_int *ib, const hesca_int *jb, const hesca_int *descb,
              hesca_int *info);

void dgemm_(const char *transa, const char *transb, const int *m, const int *n,
            const int *k, const double *alpha, const double *a, const int *lda,
            const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda,
             int *info);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a,
             const int *lda, double *b, const int *ldb, int *info);
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda,
            int *ipiv, double *b, const int *ldb, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
             const int *lda, const int *ipiv, double *b, const int *ldb,
             int *info);

static const hesca_int one = 1;

int
heho_task_open(heho_task *t, int n, int nb, hesca_int ctxt)
{
    const hesca_int zero = 0;
    *t = (heho_task){.n = n, .nb = nb, .ctxt = ctxt};
    Cblacs_gridinfo(ctxt, &t->nprow, &t->npcol, &t->myrow, &t->mycol);
    t->rows = numroc_(&t->n, &t->nb, &t->myrow, &zero, &t->nprow);
    t->cols = numroc_(&t->n, &t->nb, &t->mycol, &zero, &t->npcol);
    const hesca_int lld = t->rows > 0 ? t->rows : 1;
    const hesca_int matrix[HEHO_DESC] = {1, ctxt, n, n, nb, nb, 0, 0, lld};
    const hesca_int vector[HEHO_DESC] = {1, ctxt, n, 1, nb, nb, 0, 0, lld};
    memcpy(t->desc, matrix, sizeof matrix);
    memcpy(t->vdesc, vector, sizeof vector);
    const size_t size = (size_t)t->rows * (size_t)t->cols + 1;
    t->a = calloc(size, sizeof *t->a);
    t->b = calloc(size, sizeof *t->b);
    t->c = calloc(size, sizeof *t->c);
    int ok = t->a != NULL && t->b != NULL && t->c != NULL;
    for (int k = 0; k < 3; ++k) {
        t->v[k] = calloc((size_t)lld, sizeof *t->v[k]);
        ok = ok && t->v[k] != NULL;
    }
    t->pivot = calloc((size_t)(t->rows + nb), sizeof *t->pivot);
    return ok && t->pivot != NULL;
}

void
heho_task_close(heho_task *t)
{
    free(t->a);
    free(t->b);
    free(t->c);
    for (int k = 0; k < 3; ++k)
        free(t->v[k]);
    free(t->pivot);
    *t = (heho_task){.n = 0};
}

/* ----- elements ----- */

/* The global index of a local one. */
static int64_t
global(hesca_int k, hesca_int nb, hesca_int me, hesca_int procs)
{
    return ((int64_t)(k / nb) * procs + me) * nb + k % nb;
}

static void
fill_matrix(const heho_task *t, uint64_t which, double *x)
{
    for (hesca_int k = 0; k < t->cols; ++k) {
        const int64_t j = global(k, t->nb, t->mycol, t->npcol);
        for (hesca_int l = 0; l < t->rows; ++l)
            *x++ =
                bench_element(which, global(l, t->nb, t->myrow, t->nprow), j);
    }
}

static void
fill_vector(const heho_task *t, uint64_t which, double *x)
{
    for (hesca_int l = 0; t->mycol == 0 && l < t->rows; ++l)
        x[l] = bench_element(which, global(l, t->nb, t->myrow, t->nprow), 0);
}

/* ----- C := A B ----- */

static void
gemm_fill(heho_task *t)
{
    fill_matrix(t, 1, t->a);
    fill_matrix(t, 2, t->b);
    memset(t->c, 0, (size_t)t->rows * (size_t)t->cols * sizeof *t->c);
    fill_vector(t, 3, t->v[0]);
}

static int
gemm_run(heho_task *t)
{
    const double alpha = 1, beta = 0;
    pdgemm_("N", "N", &t->n, &t->n, &t->n, &alpha, t->a, &one, &one, t->desc,
            t->b, &one, &one, t->desc, &beta, t->c, &one, &one, t->desc);
    return 0;
}

static int
gemm_lapack(heho_task *t)
{
    const double alpha = 1, beta = 0;
    const int n = (int)t->n;
    dgemm_("N", "N", &n, &n, &n, &alpha, t->a, &n, t->b, &n, &beta, t->c, &n);
    return 0;
}

/* ----- A = L L^T ----- */

/* Symmetric; the diagonal outweighs the rest. */
static void
potrf_fill(heho_task *t)
{
    double *x = t->a;
    for (hesca_int k = 0; k < t->cols; ++k) {
        const int64_t j = global(k, t->nb, t->mycol, t->npcol);
        for (hesca_int l = 0; l < t->rows; ++l) {
            const int64_t i = global(l, t->nb, t->myrow, t->nprow);
            *x++ = bench_element(1, i > j ? i : j, i > j ? j : i) +
                   (i == j ? (double)t->n : 0);
        }
    }
    memcpy(t->c, t->a, (size_t)(x - t->a) * sizeof *x);
}

static int
potrf_run(heho_task *t)
{
    hesca_int info;
    pdpotrf_("L", &t->n, t->a, &one, &one, t->desc, &info);
    return info;
}

static int
potrf_lapack(heho_task *t)
{
    const int n = (int)t->n;
    int info;
    dpotrf_("L", &n, t->a, &n, &info);
    return info;
}

/* ----- A x = b ----- */

static void
gesv_fill(heho_task *t)
{
    fill_matrix(t, 1, t->a);
    memcpy(t->c, t->a, (size_t)t->rows * (size_t)t->cols * sizeof *t->a);
    fill_vector(t, 3, t->v[0]);
    fill_vector(t, 3, t->v[1]);
}

static int
gesv_run(heho_task *t)
{
    hesca_int info;
    pdgesv_(&t->n, &one, t->a, &one, &one, t->desc, t->pivot, t->v[0], &one,
            &one, t->vdesc, &info);
    return info;
}

static int
gesv_lapack(heho_task *t)
{
    const int n = (int)t->n, nrhs = 1;
    int info;
    dgesv_(&n, &nrhs, t->a, &n, t->pivot, t->v[0], &n, &info);
    return info;
}

/* ----- op(A) X = B with triangles of A, n right-hand sides ----- */

/* Both triangles are well-conditioned, the lower one also with a diagonal of
 * ones; no row was interchanged. */
static void
solve_fill(heho_task *t)
{
    double *x = t->a;
    for (hesca_int k = 0; k < t->cols; ++k) {
        const int64_t j = global(k, t->nb, t->mycol, t->npcol);
        for (hesca_int l = 0; l < t->rows; ++l) {
            const int64_t i = global(l, t->nb, t->myrow, t->nprow);
            *x++ = i == j  ? (double)t->n
                   : i > j ? bench_element(1, i, j) / (double)t->n
                           : bench_element(1, i, j);
        }
    }
    for (hesca_int l = 0; l < t->rows; ++l)
        t->pivot[l] = (hesca_int)global(l, t->nb, t->myrow, t->nprow) + 1;
    fill_matrix(t, 2, t->b);
    memcpy(t->c, t->b, (size_t)t->rows * (size_t)t->cols * sizeof *t->b);
    fill_vector(t, 3, t->v[0]);
}

static int
potrs_run(heho_task *t)
{
    hesca_int info;
    pdpotrs_("L", &t->n, &t->n, t->a, &one, &one, t->desc, t->b, &one, &one,
             t->desc, &info);
    return info;
}

static int
getrs_run(heho_task *t)
{
    hesca_int info;
    pdgetrs_("N", &t->n, &t->n, t->a, &one, &one, t->desc, t->pivot, t->b,
             &one, &one, t->desc, &info);
    return info;
}

static int
potrs_lapack(heho_task *t)
{
    const int n = (int)t->n;
    int info;
    dpotrs_("L", &n, &n, t->a, &n, t->b, &n, &info);
    return info;
}

static int
getrs_lapack(heho_task *t)
{
    const int n = (int)t->n;
    int info;
    dgetrs_("N", &n, &n, t->a, &n, t->pivot, t->b, &n, &info);
    return info;
}

/* Thresholds are those of ScaLAPACK's PBLAS, LLT and LU testers.  The solves
 * are products of n right-hand sides by triangles, so speeds are those of
 * dgemm. */
const heho_routine heho_gemm = {
    HESCA_ROUTINE_GEMM,
    "pdgemm",
    "time_gemm",
    0,
    HESCA_ROUTINE_GEMM,
    "dgemm",
    "|C x - A (B x)| / (eps |A| |B| |x|), the largest row",
    "HESCA_GEMM",
    2,
    1,
    16,
    gemm_fill,
    gemm_run,
    gemm_lapack,
    heho_gemm_residual};
const heho_routine heho_potrf = {HESCA_ROUTINE_POTRF,
                                 "pdpotrf",
                                 "time_potrf",
                                 0,
                                 HESCA_ROUTINE_POTRF,
                                 "dpotrf",
                                 "||A - L L^T|| / (n eps ||A||)",
                                 "HESCA_POTRF",
                                 1.0 / 3,
                                 0.5,
                                 3,
                                 potrf_fill,
                                 potrf_run,
                                 potrf_lapack,
                                 heho_potrf_residual};
const heho_routine heho_gesv = {HESCA_ROUTINE_GESV,
                                "pdgesv",
                                "time_gesv",
                                0,
                                HESCA_ROUTINE_GESV,
                                "dgetrf",
                                "||A x - b|| / (n eps ||A|| ||x||)",
                                "HESCA_GETRF",
                                2.0 / 3,
                                0.5,
                                1,
                                gesv_fill,
                                gesv_run,
                                gesv_lapack,
                                heho_gesv_residual};
const heho_routine heho_potrs = {
    HESCA_ROUTINE_GEMM,
    "pdpotrs",
    "time_potrs",
    1,
    HESCA_ROUTINE_POTRF,
    "dgemm",
    "||L L^T X w - B w|| / (n eps ||L|| ||L^T|| ||X w||)",
    "HESCA_POTRF",
    2,
    1,
    1,
    solve_fill,
    potrs_run,
    potrs_lapack,
    heho_potrs_residual};
const heho_routine heho_getrs = {
    HESCA_ROUTINE_GEMM,
    "pdgetrs",
    "time_getrs",
    1,
    HESCA_ROUTINE_GESV,
    "dgemm",
    "||L U X w - B w|| / (n eps ||L|| ||U|| ||X w||)",
    "HESCA_GETRF",
    2,
    1,
    1,
    solve_fill,
    getrs_run,
    getrs_lapack,
    heho_getrs_residual};
