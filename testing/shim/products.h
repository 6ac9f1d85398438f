/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of P?GEMM: drawn at random, and the result of HESCA against that of
 * ScaLAPACK's own routine. */
#ifndef HESCA_TESTING_PRODUCTS_H
#define HESCA_TESTING_PRODUCTS_H

#include "config.h"
#include "hesca/scalapack.h"
#include "testing/shim/cyclic.h"

#define PSGEMM FC_FUNC(psgemm, PSGEMM)
#define PDGEMM FC_FUNC(pdgemm, PDGEMM)
#define PCGEMM FC_FUNC(pcgemm, PCGEMM)
#define PZGEMM FC_FUNC(pzgemm, PZGEMM)

typedef void pgemm(const char *, const char *, const int *, const int *,
                   const int *, const void *, const void *, const int *,
                   const int *, const int *, const void *, const int *,
                   const int *, const int *, const void *, void *, const int *,
                   const int *, const int *);
pgemm PSGEMM, PDGEMM, PCGEMM, PZGEMM;

static const struct {
    pgemm *call;
    const char *name;
} gemm[] = {{PSGEMM, TEXT(PSGEMM)},
            {PDGEMM, TEXT(PDGEMM)},
            {PCGEMM, TEXT(PCGEMM)},
            {PZGEMM, TEXT(PZGEMM)}};

/* ------------------------------------------------ products */

typedef struct {
    int type, m, n, k;
    char transa, transb;
    double complex alpha, beta;
    matrix a, b, c;
} product;

/* An element of op(sub(X)). */
static inline double complex
term_of(const matrix *x, char trans, int i, int j)
{
    const int row = x->i - 1 + (trans == 'N' ? i : j);
    const int col = x->j - 1 + (trans == 'N' ? j : i);
    const double complex v = value_of(x, row, col);
    return trans == 'C' ? conj(v) : v;
}

static inline void
put_number(int type, double complex v, char *to)
{
    const matrix one = {.type = type, .lld = 1, .x = to};
    store(&one, 0, 0, v);
}

static inline void
product_call(const product *p, matrix *c, int real)
{
    char alpha[16], beta[16];
    pgemm *const f =
        real ? (pgemm *)hesca_scalapack_original(gemm[p->type].name)
             : gemm[p->type].call;
    put_number(p->type, p->alpha, alpha);
    put_number(p->type, p->beta, beta);
    f(&p->transa, &p->transb, &p->m, &p->n, &p->k, alpha, p->a.x, &p->a.i,
      &p->a.j, p->a.desc, p->b.x, &p->b.i, &p->b.j, p->b.desc, beta, c->x,
      &c->i, &c->j, c->desc);
}

/* Of a number of the type: 0 NaN, 1 and 2 infinite, 3 finite; of a complex one
 * whether it is finite, as which part is NaN depends on how products of
 * infinite ones are made. */
static inline int
class_of(int type, double complex v)
{
    if (elements[type].floats == 2)
        return isfinite(creal(v)) && isfinite(cimag(v)) ? 3 : 0;
    return isnan(creal(v)) ? 0 : isfinite(creal(v)) ? 3 : creal(v) < 0 ? 1 : 2;
}

/* Against a sum in order, within the bound of any order of summation; or of
 * the same class. */
static inline void
product_check_element(const product *p, const matrix *c, const matrix *real,
                      int il, int jl)
{
    const int i = row_of(c, il) - (c->i - 1),
              j = column_of(c, jl) - (c->j - 1);
    const double complex before = value_of(c, row_of(c, il), column_of(c, jl));
    const double complex got = load(c, il, jl), other = load(real, il, jl);
    double complex sum = 0;
    double scale = p->beta == 0 ? 0 : cabs(p->beta) * cabs(before);
    for (int l = 0; l < p->k; ++l) {
        const double complex term =
            term_of(&p->a, p->transa, i, l) * term_of(&p->b, p->transb, l, j);
        sum += p->alpha * term;
        scale += cabs(p->alpha) * cabs(term);
    }
    if (p->beta != 0)
        sum += p->beta * before;
    const double bound = 4 * (p->k + 4) * elements[p->type].eps * scale;
    CHECK(isfinite(scale)
              ? cabs(got - sum) <= bound && cabs(got - other) <= 2 * bound
              : class_of(p->type, got) == class_of(p->type, other),
          "%s %c%c %d x %d x %d, (%d,%d): %g%+gi, the real routine %g%+gi, "
          "must be %g%+gi",
          gemm[p->type].name, p->transa, p->transb, p->m, p->n, p->k, i, j,
          creal(got), cimag(got), creal(other), cimag(other), creal(sum),
          cimag(sum));
}

/* NaN is equal to NaN. */
static inline int
is_equal(double complex x, double complex y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static inline void
product_check(const product *p, const matrix *c, const matrix *real,
              const matrix *before)
{
    for (int jl = 0; jl < c->locc; ++jl)
        for (int il = 0; il < c->lld; ++il)
            if (il < c->locr &&
                is_inside(c, row_of(c, il), column_of(c, jl), p->m, p->n))
                product_check_element(p, c, real, il, jl);
            else
                CHECK(is_equal(load(c, il, jl), load(before, il, jl)),
                      "%s %d x %d x %d: local (%d,%d) of C is written",
                      gemm[p->type].name, p->m, p->n, p->k, il, jl);
}

static inline void
product_set_nan(const matrix *c, int m, int n)
{
    for (int jl = 0; jl < c->locc; ++jl)
        for (int il = 0; il < c->locr; ++il)
            if (is_inside(c, row_of(c, il), column_of(c, jl), m, n))
                store(c, il, jl, NAN);
}

/* The same by both routines. */
static inline void
product_compare(product *p)
{
    matrix before, real, a, b;
    copy(&before, &p->c);
    if (p->beta == 0)
        product_set_nan(&p->c, p->m, p->n);
    copy(&real, &p->c);
    copy(&a, &p->a);
    copy(&b, &p->b);
    product_call(p, &real, 1);
    product_call(p, &p->c, 0);
    product_check(p, &p->c, &real, &before);
    CHECK(is_same(&a, &p->a) && is_same(&b, &p->b), "%s writes A or B",
          gemm[p->type].name);
    free(before.x);
    free(real.x);
    free(a.x);
    free(b.x);
}

static inline product
product_draw(int type, likeness like, int ictxt, int most, int entries)
{
    static const double complex factors[] = {1, -1, 0.5 + 0.25 * I, 0};
    static const char trans[] = "NTC";
    product p = {.type = type,
                 .m = check_uniform(0, most),
                 .n = check_uniform(0, most),
                 .k = check_uniform(0, most),
                 .transa = trans[check_uniform(0, 2)],
                 .transb = trans[check_uniform(0, 2)],
                 .alpha = factors[check_uniform(0, 11) % 4],
                 .beta = factors[check_uniform(0, 3)]};
    if (elements[type].floats == 1) {
        p.alpha = creal(p.alpha);
        p.beta = creal(p.beta);
    }
    make(&p.a, type, like, ictxt, p.transa == 'N' ? p.m : p.k,
         p.transa == 'N' ? p.k : p.m, entries);
    make(&p.b, type, like, ictxt, p.transb == 'N' ? p.k : p.n,
         p.transb == 'N' ? p.n : p.k, entries);
    make(&p.c, type, like, ictxt, p.m, p.n, entries);
    return p;
}

static inline void
product_drop(product *p)
{
    free(p->a.x);
    free(p->b.x);
    free(p->c.x);
}

#endif
