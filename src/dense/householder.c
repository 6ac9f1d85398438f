/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/householder.h"
#include <string.h>

/* Columns up to which reflectors are found and applied one by one. */
enum { NARROW = 8 };

/* --- elements ---
 * Complex numbers are pairs of real ones. */

static int
is_single(hesca_type type)
{
    return hesca_type_real(type) == HESCA_S;
}

/* y -= x, n real numbers. */
static void
subtract(hesca_type type, int64_t n, const void *x, void *y)
{
    const double *d = x;
    const float *s = x;
    double *dy = y;
    float *sy = y;
    for (int64_t k = 0; k < n; ++k)
        if (is_single(type))
            sy[k] -= s[k];
        else
            dy[k] -= d[k];
}

/* The imaginary part of an element changes its sign. */
static void
conjugate(hesca_type type, char *x)
{
    if (!hesca_type_is_complex(type))
        return;
    if (is_single(type))
        ((float *)(void *)x)[1] = -((float *)(void *)x)[1];
    else
        ((double *)(void *)x)[1] = -((double *)(void *)x)[1];
}

/* y := op(x), op(x) of m x n elements. */
static void
apply_op(hesca_type type, char op, int64_t m, int64_t n, const char *x,
         int64_t ldx, char *y, int64_t ldy)
{
    const size_t esize = hesca_type_size(type);
    const int64_t down = op == 'T' || op == 'C' ? ldx : 1;
    const int64_t right = op == 'T' || op == 'C' ? 1 : ldx;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            char *to = hesca_at(type, y, ldy, i, j);
            memcpy(to, x + (size_t)(i * down + j * right) * esize, esize);
            if (op == 'C' || op == 'R')
                conjugate(type, to);
        }
}

void
hesca_householder_op(hesca_type type, char op, int64_t k, const void *x,
                     void *y)
{
    apply_op(type, op, k, k, x, k, y, k);
}

/* --- factoring ---
 * Half of the columns are factored, applied to the others, and so on, so that
 * nearly all operations are products of matrices.
 * Source: Elmroth and Gustavson, Applying recursion to serial and parallel QR
 * factorization leads to better performance (2000). */

typedef struct {
    hesca_type type;
    int64_t m, n; /* of a */
    char *a, *t, *work;
    int64_t lda, ldt;
} panel;

static char *
a_at(const panel *p, int64_t i, int64_t j)
{
    return hesca_at(p->type, p->a, p->lda, i, j);
}

static char *
t_at(const panel *p, int64_t i, int64_t j)
{
    return hesca_at(p->type, p->t, p->ldt, i, j);
}

/* Apply the first n1 reflectors, adjoint, to the other columns. */
static void
apply(const panel *p, int64_t n1)
{
    const hesca_type type = p->type;
    const int64_t n2 = p->n - n1, m2 = p->m - n1;
    const void *one = hesca_one(type);
    const int64_t reals = hesca_type_is_complex(type) ? 2 * n1 : n1;
    char *w = p->work;
    apply_op(type, 'N', n1, n2, a_at(p, 0, n1), p->lda, w, n1);
    hesca_kernel_trmm(type, 'L', 'L', 'C', 'U', n1, n2, one, p->a, p->lda, w,
                      n1);
    hesca_kernel_gemm(type, 'C', 'N', n1, n2, m2, one, a_at(p, n1, 0), p->lda,
                      a_at(p, n1, n1), p->lda, one, w, n1);
    hesca_kernel_trmm(type, 'L', 'U', 'C', 'N', n1, n2, one, p->t, p->ldt, w,
                      n1);
    hesca_kernel_gemm(type, 'N', 'N', m2, n2, n1, hesca_minus_one(type),
                      a_at(p, n1, 0), p->lda, w, n1, one, a_at(p, n1, n1),
                      p->lda);
    hesca_kernel_trmm(type, 'L', 'L', 'N', 'U', n1, n2, one, p->a, p->lda, w,
                      n1);
    for (int64_t j = 0; j < n2; ++j)
        subtract(type, reals, hesca_at(type, w, n1, 0, j), a_at(p, 0, n1 + j));
}

/* T12 := -T11 V1^H V2 T22; V2 has rows from n1 on. */
static void
join(const panel *p, int64_t n1)
{
    const hesca_type type = p->type;
    const int64_t n = p->n, n2 = n - n1;
    const void *one = hesca_one(type);
    char *t12 = t_at(p, 0, n1);
    apply_op(type, 'C', n1, n2, a_at(p, n1, 0), p->lda, t12, p->ldt);
    hesca_kernel_trmm(type, 'R', 'L', 'N', 'U', n1, n2, one, a_at(p, n1, n1),
                      p->lda, t12, p->ldt);
    if (p->m > n)
        hesca_kernel_gemm(type, 'C', 'N', n1, n2, p->m - n, one, a_at(p, n, 0),
                          p->lda, a_at(p, n, n1), p->lda, one, t12, p->ldt);
    hesca_kernel_trmm(type, 'L', 'U', 'N', 'N', n1, n2, hesca_minus_one(type),
                      p->t, p->ldt, t12, p->ldt);
    hesca_kernel_trmm(type, 'R', 'U', 'N', 'N', n1, n2, one, t_at(p, n1, n1),
                      p->ldt, t12, p->ldt);
}

static void
factor(const panel *p)
{
    if (p->n <= NARROW) {
        double tau[2 * NARROW];
        hesca_kernel_geqr2(p->type, p->m, p->n, p->a, p->lda, tau, p->work);
        hesca_kernel_larft(p->type, p->m, p->n, p->a, p->lda, tau, p->t,
                           p->ldt);
        return;
    }
    const int64_t n1 = (p->n / 2 + NARROW - 1) / NARROW * NARROW;
    panel left = *p, right = *p;
    left.n = n1;
    right.m -= n1;
    right.n -= n1;
    right.a = a_at(p, n1, n1);
    right.t = t_at(p, n1, n1);
    factor(&left);
    apply(p, n1);
    factor(&right);
    join(p, n1);
}

void
hesca_householder_factor(hesca_type type, int64_t m, int64_t n, void *a,
                         int64_t lda, void *t, int64_t ldt, void *work)
{
    const panel p = {.type = type,
                     .m = m,
                     .n = n,
                     .a = a,
                     .t = t,
                     .work = work,
                     .lda = lda,
                     .ldt = ldt};
    if (n > 0)
        factor(&p);
}

/* --- T alone ---
 * With D the diagonal matrix of tau and U the products above the diagonal,
 * T^-1 = D^-1 + U = (I + U D) D^-1, so T = D (I + U D)^-1, also where tau has
 * zeros.  Source: Puglisi, Modification of the Householder method based on the
 * compact WY representation (1992). */

void
hesca_householder_t(hesca_type type, int64_t k, void *gram, const void *tau,
                    void *t)
{
    const size_t esize = hesca_type_size(type);
    memset(t, 0, (size_t)(k * k) * esize);
    for (int64_t j = 0; j < k; ++j) {
        const char *mine = hesca_at_const(type, tau, k, j, 0);
        hesca_kernel_scal(type, j, mine, hesca_at(type, gram, k, 0, j), 1);
        memcpy(hesca_at(type, t, k, j, j), mine, esize);
    }
    hesca_kernel_trsm(type, 'R', 'U', 'N', 'U', k, k, hesca_one(type), gram, k,
                      t, k);
}
