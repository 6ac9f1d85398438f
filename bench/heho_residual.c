/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether results are right, as ScaLAPACK's own testers judge.  Vectors live
 * in the first process column; norms are the greatest row sums. */
#include "heho.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef void matrix_by_vector(
    const char *trans, const hesca_int *m, const hesca_int *n,
    const double *alpha, const double *a, const hesca_int *ia,
    const hesca_int *ja, const hesca_int *desca, const double *x,
    const hesca_int *ix, const hesca_int *jx, const hesca_int *descx,
    const hesca_int *incx, const double *beta, double *y, const hesca_int *iy,
    const hesca_int *jy, const hesca_int *descy, const hesca_int *incy);
matrix_by_vector pdgemv_;
/* Of absolute values, of which the PBLAS tester makes its gauge. */
matrix_by_vector pdagemv_;
void pdsyrk_(const char *uplo, const char *trans, const hesca_int *n,
             const hesca_int *k, const double *alpha, const double *a,
             const hesca_int *ia, const hesca_int *ja, const hesca_int *desca,
             const double *beta, double *c, const hesca_int *ic,
             const hesca_int *jc, const hesca_int *descc);
double pdlange_(const char *norm, const hesca_int *m, const hesca_int *n,
                const double *a, const hesca_int *ia, const hesca_int *ja,
                const hesca_int *desca, double *work);
double pdlansy_(const char *norm, const char *uplo, const hesca_int *n,
                const double *a, const hesca_int *ia, const hesca_int *ja,
                const hesca_int *desca, double *work);
double pdlantr_(const char *norm, const char *uplo, const char *diag,
                const hesca_int *m, const hesca_int *n, const double *a,
                const hesca_int *ia, const hesca_int *ja,
                const hesca_int *desca, double *work);
void pdtrmv_(const char *uplo, const char *trans, const char *diag,
             const hesca_int *n, const double *a, const hesca_int *ia,
             const hesca_int *ja, const hesca_int *desca, double *x,
             const hesca_int *ix, const hesca_int *jx, const hesca_int *descx,
             const hesca_int *incx);
double pdlamch_(const hesca_int *ictxt, const char *cmach);
void pdlaset_(const char *uplo, const hesca_int *m, const hesca_int *n,
              const double *alpha, const double *beta, double *a,
              const hesca_int *ia, const hesca_int *ja,
              const hesca_int *desca);
void Cdgamx2d(hesca_int ictxt, const char *scope, const char *top, hesca_int m,
              hesca_int n, double *a, hesca_int lda, hesca_int *ra,
              hesca_int *ca, hesca_int rcflag, hesca_int rdest,
              hesca_int cdest);

static const hesca_int one = 1;

/* Room for the norms of this process. */
static double *
work(const heho_task *t)
{
    const size_t n = (size_t)t->n + 2 * (size_t)t->nb;
    return calloc(4 * n, sizeof(double));
}

/* y := alpha X x + beta y, or the like; x and y are vectors of the task. */
static void
multiply(const heho_task *t, matrix_by_vector *by, double alpha,
         const double *x, int in, double beta, int out)
{
    by("N", &t->n, &t->n, &alpha, x, &one, &one, t->desc, t->v[in], &one, &one,
       t->vdesc, &one, &beta, t->v[out], &one, &one, t->vdesc, &one);
}

/* A product of n terms is right if its error is within some units of the last
 * place of the sum of their absolute values: of C x, with x at random, as a
 * row sum of all of C's elements in turn. */
double
heho_gemm_residual(heho_task *t)
{
    double worst = 0;
    double *error = calloc((size_t)t->rows + 1, sizeof *error);
    if (error == NULL)
        return INFINITY;
    multiply(t, pdgemv_, 1, t->b, 0, 0, 1);
    multiply(t, pdgemv_, 1, t->a, 1, 0, 2);
    multiply(t, pdgemv_, -1, t->c, 0, 1, 2);
    memcpy(error, t->v[2], (size_t)t->rows * sizeof *error);
    multiply(t, pdagemv_, 1, t->b, 0, 0, 1);
    multiply(t, pdagemv_, 1, t->a, 1, 0, 2);
    const double eps = pdlamch_(&t->ctxt, "E");
    for (hesca_int i = 0; t->mycol == 0 && i < t->rows; ++i) {
        const double ratio = fabs(error[i]) / (eps * t->v[2][i]);
        worst = ratio <= worst ? worst : isnan(ratio) ? INFINITY : ratio;
    }
    free(error);
    Cdgamx2d(t->ctxt, "A", " ", 1, 1, &worst, 1, NULL, NULL, -1, -1, 0);
    return worst;
}

double
heho_potrf_residual(heho_task *t)
{
    const double zero = 0, plus = 1, minus = -1;
    const hesca_int less = t->n - 1, two = 2;
    double *w = work(t);
    if (w == NULL)
        return INFINITY;
    const double norm =
        pdlansy_("I", "L", &t->n, t->c, &one, &one, t->desc, w);
    if (less > 0)
        pdlaset_("U", &less, &less, &zero, &zero, t->a, &one, &two, t->desc);
    pdsyrk_("L", "N", &t->n, &t->n, &minus, t->a, &one, &one, t->desc, &plus,
            t->c, &one, &one, t->desc);
    const double rest =
        pdlansy_("I", "L", &t->n, t->c, &one, &one, t->desc, w);
    free(w);
    return rest / ((double)t->n * pdlamch_(&t->ctxt, "E") * norm);
}

double
heho_gesv_residual(heho_task *t)
{
    double *w = work(t);
    if (w == NULL)
        return INFINITY;
    const double a = pdlange_("I", &t->n, &t->n, t->c, &one, &one, t->desc, w);
    const double x =
        pdlange_("I", &t->n, &one, t->v[0], &one, &one, t->vdesc, w);
    multiply(t, pdgemv_, 1, t->c, 0, -1, 1);
    const double r =
        pdlange_("I", &t->n, &one, t->v[1], &one, &one, t->vdesc, w);
    free(w);
    return r / ((double)t->n * pdlamch_(&t->ctxt, "E") * a * x);
}

/* A triangle of A. */
typedef struct {
    const char *uplo, *trans, *diag;
} triangle;

/* Of first * second * X = B, for a random combination w of the columns. */
static double
solve_residual(heho_task *t, triangle first, triangle second)
{
    const triangle *const by[] = {&second, &first};
    double scale = (double)t->n * pdlamch_(&t->ctxt, "E");
    double *w = work(t);
    if (w == NULL)
        return INFINITY;
    multiply(t, pdgemv_, 1, t->b, 0, 0, 1);
    scale *= pdlange_("I", &t->n, &one, t->v[1], &one, &one, t->vdesc, w);
    for (int k = 0; k < 2; ++k) {
        /* The 1-norm of a transposed matrix is its greatest row sum. */
        scale *=
            pdlantr_(by[k]->trans[0] == 'T' ? "1" : "I", by[k]->uplo,
                     by[k]->diag, &t->n, &t->n, t->a, &one, &one, t->desc, w);
        pdtrmv_(by[k]->uplo, by[k]->trans, by[k]->diag, &t->n, t->a, &one,
                &one, t->desc, t->v[1], &one, &one, t->vdesc, &one);
    }
    multiply(t, pdgemv_, 1, t->c, 0, -1, 1);
    const double r =
        pdlange_("I", &t->n, &one, t->v[1], &one, &one, t->vdesc, w);
    free(w);
    return r / scale;
}

double
heho_potrs_residual(heho_task *t)
{
    return solve_residual(t, (triangle){"L", "N", "N"},
                          (triangle){"L", "T", "N"});
}

double
heho_getrs_residual(heho_task *t)
{
    return solve_residual(t, (triangle){"L", "N", "U"},
                          (triangle){"U", "N", "N"});
}
