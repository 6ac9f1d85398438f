/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of P?POTRF, P?POSV, P?GETRF and P?GESV: drawn at random, and the
 * result of HESCA against that of ScaLAPACK's own routine. */
#ifndef HESCA_TESTING_SYSTEMS_H
#define HESCA_TESTING_SYSTEMS_H

#include "config.h"
#include "hesca/scalapack.h"
#include "testing/shim/cyclic.h"

typedef void potrf(const char *, const int *, void *, const int *, const int *,
                   const int *, int *, size_t);
typedef void posv(const char *, const int *, const int *, void *, const int *,
                  const int *, const int *, void *, const int *, const int *,
                  const int *, int *, size_t);
typedef void getrf(const int *, const int *, void *, const int *, const int *,
                   const int *, int *, int *);
typedef void gesv(const int *, const int *, void *, const int *, const int *,
                  const int *, int *, void *, const int *, const int *,
                  const int *, int *);
potrf FC_FUNC(pspotrf, PSPOTRF), FC_FUNC(pdpotrf, PDPOTRF),
    FC_FUNC(pcpotrf, PCPOTRF), FC_FUNC(pzpotrf, PZPOTRF);
posv FC_FUNC(psposv, PSPOSV), FC_FUNC(pdposv, PDPOSV), FC_FUNC(pcposv, PCPOSV),
    FC_FUNC(pzposv, PZPOSV);
getrf FC_FUNC(psgetrf, PSGETRF), FC_FUNC(pdgetrf, PDGETRF),
    FC_FUNC(pcgetrf, PCGETRF), FC_FUNC(pzgetrf, PZGETRF);
gesv FC_FUNC(psgesv, PSGESV), FC_FUNC(pdgesv, PDGESV), FC_FUNC(pcgesv, PCGESV),
    FC_FUNC(pzgesv, PZGESV);

enum { POTRF, POSV, GETRF, GESV, NROUTINES };

static potrf *const all_potrf[] = FOUR(potrf, POTRF);
static posv *const all_posv[] = FOUR(posv, POSV);
static getrf *const all_getrf[] = FOUR(getrf, GETRF);
static gesv *const all_gesv[] = FOUR(gesv, GESV);
static const char *const names[NROUTINES][4] = {
    NAMES(potrf, POTRF), NAMES(posv, POSV), NAMES(getrf, GETRF),
    NAMES(gesv, GESV)};

/* A call, and what it has made. */
typedef struct {
    int routine, type, m, n, nrhs, info;
    char uplo;
    matrix a, b;
    int *ipiv;
} system_;

static inline const char *
system_name(const system_ *s)
{
    return names[s->routine][s->type];
}

static inline int
is_posdef(const system_ *s)
{
    return s->routine == POTRF || s->routine == POSV;
}

static inline int
solves(const system_ *s)
{
    return s->routine == POSV || s->routine == GESV;
}

static inline void
system_call(system_ *s, int real)
{
    matrix *a = &s->a, *b = &s->b;
    const hesca_function f = hesca_scalapack_original(system_name(s));
    switch (s->routine) {
    case POTRF:
        (real ? (potrf *)f : all_potrf[s->type])(&s->uplo, &s->n, a->x, &a->i,
                                                 &a->j, a->desc, &s->info, 1);
        break;
    case POSV:
        (real ? (posv *)f : all_posv[s->type])(
            &s->uplo, &s->n, &s->nrhs, a->x, &a->i, &a->j, a->desc, b->x,
            &b->i, &b->j, b->desc, &s->info, 1);
        break;
    case GETRF:
        (real ? (getrf *)f : all_getrf[s->type])(
            &s->m, &s->n, a->x, &a->i, &a->j, a->desc, s->ipiv, &s->info);
        break;
    default:
        (real ? (gesv *)f : all_gesv[s->type])(
            &s->n, &s->nrhs, a->x, &a->i, &a->j, a->desc, s->ipiv, b->x, &b->i,
            &b->j, b->desc, &s->info);
    }
}

/* ------------------------------------------------ systems */

/* A number in [-1, 1) that looks random, of few enough bits for a float. */
static inline double
noise(int salt, int i, int j)
{
    uint64_t z = ((uint64_t)salt << 40) + ((uint64_t)i << 20) + (uint64_t)j;
    z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 29)) * 0x94d049bb133111ebu;
    return (double)(z >> 44) / (1 << 19) - 1;
}

/* A symmetric matrix that is positive definite, unless `bad`, a diagonal
 * element from 1, is too small; or any matrix, whose column `bad` is 0. */
static inline double complex
entry(const system_ *s, int i, int j, int bad)
{
    if (!is_posdef(s))
        return j + 1 == bad ? 0
                            : noise(s->a.salt, i, j) +
                                  (elements[s->type].floats == 2
                                       ? noise(s->a.salt + 1, i, j) * I
                                       : 0);
    if (i == j)
        return i + 1 == bad ? -1 : 4.0 * s->n;
    const double complex v =
        value(s->type, s->a.salt, i > j ? i : j, i > j ? j : i);
    return i > j ? v : conj(v);
}

static inline system_
system_draw(int routine, int type, int ictxt, int most, int bad)
{
    system_ s = {.routine = routine,
                 .type = type,
                 .n = check_uniform(0, most),
                 .nrhs = check_uniform(0, 5),
                 .uplo = check_uniform(0, 1) ? 'L' : 'U'};
    const int nb = check_uniform(1, 12);
    s.m = routine == GETRF ? check_uniform(0, most) : s.n;
    make_aligned(&s.a, type, ictxt, s.m, s.n, nb, -1);
    const int row = ((s.a.i - 1) / nb + s.a.rsrc) % s.a.nprow;
    make_aligned(&s.b, type, ictxt, s.n, s.nrhs, nb, row);
    s.ipiv = calloc((size_t)(s.a.locr + nb), sizeof *s.ipiv);
    bad = bad && s.n > 0 ? check_uniform(1, s.n) : 0;
    for (int jl = 0; jl < s.a.locc; ++jl)
        for (int il = 0; il < s.a.locr; ++il) {
            const int i = row_of(&s.a, il), j = column_of(&s.a, jl);
            if (is_inside(&s.a, i, j, s.m, s.n))
                store(&s.a, il, jl,
                      entry(&s, i - s.a.i + 1, j - s.a.j + 1, bad));
        }
    return s;
}

static inline system_
system_copy(const system_ *from)
{
    system_ s = *from;
    copy(&s.a, &from->a);
    copy(&s.b, &from->b);
    s.ipiv = calloc((size_t)(s.a.locr + s.a.nb), sizeof *s.ipiv);
    return s;
}

static inline void
system_drop(system_ *s)
{
    free(s->a.x);
    free(s->b.x);
    free(s->ipiv);
}

/* ------------------------------------------------ comparison */

/* Whether ScaLAPACK writes A(i,j). */
static inline int
is_written(const system_ *s, int i, int j)
{
    const int in = is_inside(&s->a, i, j, s->m, s->n);
    const int di = i - s->a.i, dj = j - s->a.j;
    return in && (!is_posdef(s) || (s->uplo == 'L' ? di >= dj : di <= dj));
}

static inline void
system_compare_a(const system_ *got, const system_ *real,
                 const system_ *before)
{
    const double tolerance = 3e3 * elements[got->type].eps * (got->n + 1);
    for (int jl = 0; jl < got->a.locc; ++jl)
        for (int il = 0; il < got->a.lld; ++il) {
            const double complex x = load(&got->a, il, jl);
            const double complex y = load(&real->a, il, jl);
            if (il < got->a.locr &&
                is_written(got, row_of(&got->a, il), column_of(&got->a, jl)))
                CHECK(got->info != 0 || cabs(x - y) <= tolerance,
                      "%s %c %d x %d, local (%d,%d): %g%+gi, not %g%+gi",
                      system_name(got), got->uplo, got->m, got->n, il, jl,
                      creal(x), cimag(x), creal(y), cimag(y));
            else
                CHECK(x == load(&before->a, il, jl),
                      "%s %c %d x %d: local (%d,%d) of A is written",
                      system_name(got), got->uplo, got->m, got->n, il, jl);
        }
}

static inline void
system_compare_b(const system_ *got, const system_ *real)
{
    const double tolerance = 1e5 * elements[got->type].eps * (got->n + 1);
    for (int jl = 0; jl < got->b.locc; ++jl)
        for (int il = 0; il < got->b.lld; ++il) {
            const double complex x = load(&got->b, il, jl);
            const double complex y = load(&real->b, il, jl);
            CHECK(cabs(x - y) <= tolerance * (1 + cabs(y)),
                  "%s %d x %d, local (%d,%d) of B: %g%+gi, not %g%+gi",
                  system_name(got), got->n, got->nrhs, il, jl, creal(x),
                  cimag(x), creal(y), cimag(y));
        }
}

/* Of rows that the process has; ScaLAPACK leaves something in others, too. */
static inline void
system_compare_pivots(const system_ *got, const system_ *real)
{
    const int n = got->m < got->n ? got->m : got->n;
    for (int il = 0; il < got->a.locr && !is_posdef(got); ++il) {
        const int row = row_of(&got->a, il) - (got->a.i - 1);
        CHECK(row < 0 || row >= n || got->ipiv[il] == real->ipiv[il],
              "%s %d x %d: IPIV(%d) is %d, not %d", system_name(got), got->m,
              got->n, il + 1, got->ipiv[il], real->ipiv[il]);
    }
}

/* The same by both routines. */
static inline void
system_compare(system_ *s)
{
    system_ before = system_copy(s), real = system_copy(s);
    system_call(&real, 1);
    system_call(s, 0);
    CHECK(s->info == real.info, "%s %d x %d: INFO %d, not %d", system_name(s),
          s->m, s->n, s->info, real.info);
    system_compare_a(s, &real, &before);
    if (solves(s))
        system_compare_b(s, &real);
    system_compare_pivots(s, &real);
    system_drop(&before);
    system_drop(&real);
}

#endif
