/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines that HESCA calls on another grid, or has a kernel for, forced to
 * do so, on hosts of unequal speed: what ScaLAPACK's own routine gives on the
 * program's grid, to rounding, on all processes; eigenvectors and singular
 * vectors by their residuals; nothing written outside of what the routine
 * writes; questions for work spaces, and what is refused, as by ScaLAPACK. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "testing/shim/problems.h"

/* ------------------------------------------------ elements */

typedef enum { GENERAL, DOMINANT, HERMITIAN, POSITIVE } kind;

static double complex
noise(int salt, int i, int j, int complex_)
{
    uint64_t z = ((uint64_t)salt << 40) + ((uint64_t)i << 20) + (uint64_t)j;
    z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 29)) * 0x94d049bb133111ebu;
    const double re = (double)(z >> 44) / (1 << 19) - 1;
    const double im = (double)(z >> 24 & 0xfffff) / (1 << 19) - 1;
    return complex_ ? re + im * I : re;
}

/* Of a matrix of order n, at (i,j) from 0. */
static double complex
element(const matrix *a, kind what, int n, int i, int j)
{
    const int c = elements[a->type].floats == 2;
    const int symmetric = what == HERMITIAN || what == POSITIVE;
    double complex v = noise(a->salt, i, j, c);
    if (symmetric && i < j)
        v = conj(noise(a->salt, j, i, c));
    if (i == j && symmetric)
        v = creal(v);
    if (i == j && (what == DOMINANT || what == POSITIVE))
        v += 2 * n;
    return v;
}

/* PDSYEVD, PZHEEVD, PDGESVD are right for a whole matrix alone. */
static void
begin_at_origin(matrix *a, int ictxt, int m, int n)
{
    free(a->x);
    a->i = a->j = 1;
    a->rsrc = a->csrc = 0;
    a->m = m;
    a->n = n;
    fill(a, ictxt, 9);
}

static void
make_matrix(problem *p, int k, kind what, int ictxt, int m, int n, int nb)
{
    matrix *a = &p->x[k];
    if (k == 0) {
        make_aligned(a, p->type, ictxt, m, n, nb, -1);
        if (p->routine >= SYEV && p->routine <= GESVD)
            begin_at_origin(a, ictxt, m, n);
    } else { /* as A, but for what is behind sub(X) */
        *a = p->x[0];
        a->salt += 17 * k;
        a->m += m - (p->x[0].m - a->i + 1) + (m == n ? 0 : 3);
        a->n += n - (p->x[0].n - a->j + 1) + (m == n ? 0 : 2);
        if (m == n && p->x[0].m >= a->i - 1 + m && p->x[0].n >= a->j - 1 + n) {
            a->m = p->x[0].m;
            a->n = p->x[0].n;
        }
        fill(a, ictxt, 9);
    }
    p->nx = k + 1;
    for (int jl = 0; jl < a->locc; ++jl)
        for (int il = 0; il < a->locr; ++il) {
            const int i = row_of(a, il), j = column_of(a, jl);
            if (is_inside(a, i, j, m, n))
                store(a, il, jl,
                      element(a, what, m > n ? m : n, i - a->i + 1,
                              j - a->j + 1));
        }
}

/* sub(X), m x n, on all processes, column by column; to be freed. */
static double complex *
gather(const matrix *a, int m, int n)
{
    const size_t count = (size_t)m * (size_t)n;
    double complex *x = calloc(count + 1, sizeof *x);
    if (x == NULL)
        abort();
    for (int jl = 0; jl < a->locc; ++jl)
        for (int il = 0; il < a->locr; ++il) {
            const int i = row_of(a, il), j = column_of(a, jl);
            if (is_inside(a, i, j, m, n))
                x[(j - a->j + 1) * m + i - a->i + 1] = load(a, il, jl);
        }
    MPI_Allreduce(MPI_IN_PLACE, x, 2 * (int)count, MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    return x;
}

/* What the call writes of matrix k. */
typedef struct {
    int m, n;
    char part; /* U, L, A: all, 0: nothing */
} written;

static written
written_of(const problem *p, int k)
{
    const int least = p->m < p->n ? p->m : p->n;
    switch (p->routine) {
    case SYRK:
    case HERK:
    case POTRI:
        return (written){p->n, p->n, k == 0 ? p->uplo : 0};
    case TRSM:
    case ORMQR:
        return (written){p->m, p->n, k == 0 ? 'A' : 0};
    case GETRI:
        return (written){p->n, p->n, 'A'};
    case GEQRF:
        return (written){p->m, p->n, 'A'};
    case GELS:
        return k == 0 ? (written){p->m, p->n, 'A'}
                      : (written){p->m > p->n ? p->m : p->n, p->nrhs, 'A'};
    case GESVD:
        return k == 0   ? (written){p->m, p->n, 0}
               : k == 1 ? (written){p->m, least, p->jobz == 'V' ? 'A' : 0}
                        : (written){least, p->n, p->jobvt == 'V' ? 'A' : 0};
    default:
        return (written){p->n, p->n,
                         k == 1 && p->jobz == 'V' ? 'A'
                         : k == 2                 ? p->uplo
                                                  : 0};
    }
}

static int
is_written(const matrix *a, written w, int i, int j)
{
    const int row = i - a->i + 1, column = j - a->j + 1;
    return is_inside(a, i, j, w.m, w.n) &&
           (w.part == 'A' || (w.part == 'U' && row <= column) ||
            (w.part == 'L' && row >= column));
}

/* Nothing else has changed; with ScaLAPACK's result, all is near to it. */
static void
compare(const problem *p, const problem *before, const problem *real)
{
    const int is_vectors = p->routine >= SYEV && p->routine <= GESVD;
    for (int k = 0; k < p->nx; ++k) {
        const matrix *a = &p->x[k];
        const written w = written_of(p, k);
        const double eps = elements[p->type].eps;
        double norm = 1, off = 0;
        int outside = 0;
        for (int jl = 0; jl < a->locc; ++jl)
            for (int il = 0; il < a->lld; ++il) {
                const int inside =
                    il < a->locr &&
                    is_written(a, w, row_of(a, il), column_of(a, jl));
                if (!inside) {
                    const double complex x = load(a, il, jl),
                                         y = load(&before->x[k], il, jl);
                    outside += memcmp(&x, &y, sizeof x) != 0;
                    continue;
                }
                norm = fmax(norm, cabs(load(&real->x[k], il, jl)));
                off = fmax(off,
                           cabs(load(a, il, jl) - load(&real->x[k], il, jl)));
            }
        MPI_Allreduce(MPI_IN_PLACE, &norm, 1, MPI_DOUBLE, MPI_MAX,
                      MPI_COMM_WORLD);
        CHECK(outside == 0, "%s: %d elements of matrix %d besides",
              routines[p->routine].name[p->type], outside, k);
        CHECK((is_vectors && k < 2 + (p->routine == GESVD)) ||
                  off <= 4e3 * eps * norm * (p->m + p->n),
              "%s %d x %d: matrix %d is off by %g of %g",
              routines[p->routine].name[p->type], p->m, p->n, k, off, norm);
    }
}

static double
real_of(const problem *p, const number *x, int k)
{
    return elements[p->type].single ? ((const float *)x)[k]
                                    : ((const double *)x)[k];
}

/* A Hermitian matrix from one triangle. */
static void
complete(double complex *x, int n, char uplo)
{
    for (int j = 0; j < n; ++j) {
        x[j * n + j] = creal(x[j * n + j]);
        for (int i = 0; i < j; ++i)
            if (uplo == 'U')
                x[i * n + j] = conj(x[j * n + i]);
            else
                x[j * n + i] = conj(x[i * n + j]);
    }
}

/* max |X^H X - I| of m x n, and the same of rows. */
static double
off_orthogonal(const double complex *x, int m, int n)
{
    double off = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double complex sum = i == j ? -1 : 0;
            for (int l = 0; l < m; ++l)
                sum += conj(x[i * m + l]) * x[j * m + l];
            off = fmax(off, cabs(sum));
        }
    return off;
}

static void
check_eigen(const problem *p, const problem *before)
{
    const int n = p->n, found = p->found;
    double complex *a = gather(&before->x[0], n, n);
    double complex *z = gather(&p->x[1], n, n);
    double complex *b =
        p->routine == SYGVX ? gather(&before->x[2], n, n) : NULL;
    double off = 0;
    complete(a, n, p->uplo);
    if (b != NULL)
        complete(b, n, p->uplo);
    for (int j = 0; j < found; ++j)
        for (int i = 0; i < n; ++i) {
            double complex az = 0, bz = b == NULL ? z[j * n + i] : 0;
            for (int l = 0; l < n; ++l) {
                az += a[l * n + i] * z[j * n + l];
                bz += b != NULL ? b[l * n + i] * z[j * n + l] : 0;
            }
            off = fmax(off, cabs(az - real_of(p, p->w, j) * bz));
        }
    CHECK(off <= 100 * elements[p->type].eps * n * n, "%s: residual %g",
          routines[p->routine].name[p->type], off);
    if (b == NULL) {
        const double skew = off_orthogonal(z, n, found);
        CHECK(skew <= 1e3 * elements[p->type].eps * n,
              "%s: vectors off orthogonal by %g",
              routines[p->routine].name[p->type], skew);
    }
    free(a);
    free(z);
    free(b);
}

static void
check_svd(const problem *p, const problem *before)
{
    const int least = p->m < p->n ? p->m : p->n;
    double complex *a = gather(&before->x[0], p->m, p->n);
    double complex *u = gather(&p->x[1], p->m, least);
    double complex *vt = gather(&p->x[2], least, p->n);
    double off = 0;
    for (int j = 0; j < p->n; ++j)
        for (int i = 0; i < p->m; ++i) {
            double complex sum = -a[j * p->m + i];
            for (int l = 0; l < least; ++l)
                sum +=
                    u[l * p->m + i] * real_of(p, p->w, l) * vt[j * least + l];
            off = fmax(off, cabs(sum));
        }
    if (p->jobz == 'V' && p->jobvt == 'V')
        CHECK(off <= 100 * elements[p->type].eps * (p->m + p->n), "%s: %g",
              routines[p->routine].name[p->type], off);
    free(a);
    free(u);
    free(vt);
}

/* Values that all processes get, and TAU. */
static void
check_values(const problem *p, const problem *real)
{
    const int least = p->m < p->n ? p->m : p->n;
    const int n = p->routine == GESVD ? least : p->found;
    const double eps = elements[p->type].eps;
    const char *name = routines[p->routine].name[p->type];
    double norm = 1, off = 0;
    /* MIN(M,N) + 1: processes of a grid have found values that differ. */
    CHECK(p->info == real->info ||
              (p->routine == GESVD && real->info == least + 1),
          "%s: INFO is %d, not %d", name, p->info, real->info);
    CHECK(p->found == real->found && p->nz == real->nz,
          "%s: M, NZ are %d, %d, not %d, %d", name, p->found, p->nz,
          real->found, real->nz);
    /* PDSYEVD on 1x4 processes is wrong where some have no column; its
     * residuals are tested. */
    const int has_values =
        p->routine >= SYEV && p->routine <= GESVD && p->routine != SYEVD;
    for (int k = 0; has_values && k < n; ++k) {
        norm = fmax(norm, fabs(real_of(real, real->w, k)));
        off = fmax(off, fabs(real_of(p, p->w, k) - real_of(real, real->w, k)));
    }
    CHECK(off <= 100 * eps * norm * (p->m + p->n), "%s: values off by %g",
          name, off);
    off = 0;
    for (int k = 0; p->routine == GEQRF && k < 2 * MOST_ORDER; ++k)
        off = fmax(off,
                   fabs(real_of(p, p->tau, k) - real_of(real, real->tau, k)));
    CHECK(off <= 1e4 * eps * (p->m + p->n), "%s: TAU off by %g", name, off);
    if (p->routine == SYEVX && p->jobz == 'V')
        for (int k = 0; k < p->found; ++k)
            CHECK(p->ifail[k] == real->ifail[k], "%s: IFAIL(%d)", name, k + 1);
}

/* ------------------------------------------------ cases */

/* Factors for those that begin with them. */
static void
factor(problem *p)
{
    arguments a = {.n = 0};
    if (p->routine == POTRI) {
        push(&a, &p->uplo), push(&a, &p->n), push_matrix(&a, &p->x[0]);
    } else {
        push(&a, &p->n), push(&a, &p->n), push_matrix(&a, &p->x[0]);
        push(&a, p->ipiv);
    }
    push(&a, &p->info);
    call(factors[p->routine == GETRI][p->type], a, p->routine == POTRI);
    CHECK(p->info == 0, "INFO is %d", p->info);
}

/* Others than a dominant diagonal has; the inverse exists with any. */
static void
draw_pivots(problem *p)
{
    const matrix *a = &p->x[0];
    for (int il = 0; il < a->locr; ++il) {
        const int i = row_of(a, il) - (a->i - 1);
        if (i >= 0 && i < p->n)
            p->ipiv[il] = a->i + i + (i * 31 + a->salt) % (p->n - i);
    }
}

static void
factor_qr(problem *p)
{
    problem q = *p;
    q.routine = GEQRF;
    q.m = p->side == 'L' ? p->m : p->n;
    q.n = p->k;
    q.x[0] = p->x[1];
    make_spaces(&q, 1);
    run(&q, 1);
    memcpy(p->tau, q.tau, sizeof q.tau);
    for (int k = 0; k < NSPACES; ++k)
        free(q.space[k]);
}

static char
one_of(const char *letters)
{
    return letters[check_uniform(0, (int)strlen(letters) - 1)];
}

static void
draw_matrices(problem *p, int ictxt, int nb)
{
    const int least = p->m < p->n ? p->m : p->n;
    const int most = p->m > p->n ? p->m : p->n;
    const int order = p->side == 'L' ? p->m : p->n;
    switch (p->routine) {
    case SYRK:
    case HERK:
        make_matrix(p, 0, HERMITIAN, ictxt, p->n, p->n, nb);
        make_matrix(p, 1, GENERAL, ictxt, p->trans == 'N' ? p->n : p->k,
                    p->trans == 'N' ? p->k : p->n, nb);
        break;
    case TRSM:
        make_matrix(p, 0, GENERAL, ictxt, p->m, p->n, nb);
        make_matrix(p, 1, DOMINANT, ictxt, order, order, nb);
        break;
    case ORMQR:
        make_matrix(p, 0, GENERAL, ictxt, p->m, p->n, nb);
        make_matrix(p, 1, GENERAL, ictxt, order, p->k, nb);
        factor_qr(p);
        break;
    case GEQRF:
    case GELS:
    case GESVD:
        make_matrix(p, 0, DOMINANT, ictxt, p->m, p->n, nb);
        if (p->routine == GELS)
            make_matrix(p, 1, GENERAL, ictxt, most, p->nrhs, nb);
        if (p->routine == GESVD) {
            make_matrix(p, 1, GENERAL, ictxt, p->m, least, nb);
            make_matrix(p, 2, GENERAL, ictxt, least, p->n, nb);
        }
        break;
    case POTRI:
        make_matrix(p, 0, POSITIVE, ictxt, p->n, p->n, nb);
        factor(p);
        break;
    case GETRI:
        make_matrix(p, 0, DOMINANT, ictxt, p->n, p->n, nb);
        factor(p);
        draw_pivots(p);
        break;
    default:
        make_matrix(p, 0, HERMITIAN, ictxt, p->n, p->n, nb);
        make_matrix(p, 1, GENERAL, ictxt, p->n, p->n, nb);
        if (p->routine == SYGVX)
            make_matrix(p, 2, POSITIVE, ictxt, p->n, p->n, nb);
    }
}

static problem
draw(int routine, int type, int ictxt, int most)
{
    const int c = elements[type].floats == 2;
    const int is_square = routine == POTRI || routine == GETRI ||
                          (routine >= SYEV && routine <= SYGVX);
    problem p = {.routine = routine,
                 .type = type,
                 .n = check_uniform(2, most),
                 .nrhs = check_uniform(1, 9),
                 .uplo = one_of("ULul"),
                 .side = one_of("LR"),
                 .diag = routine == TRSM ? 'N' : one_of("NU"),
                 .jobz = one_of("VVVN"),
                 .jobvt = one_of("VVN"),
                 .range = routine == SYEVR ? 'A' : one_of("AI"),
                 .ibtype = 1};
    p.m = is_square ? p.n : check_uniform(2, most);
    p.k = check_uniform(1, routine != ORMQR ? most
                           : p.side == 'L'  ? p.m
                                            : p.n);
    p.trans = routine == GELS || routine == ORMQR ? one_of(c ? "NC" : "NT")
              : routine == HERK                   ? one_of("NC")
                                                  : one_of("NT");
    if (routine == SYEVD)
        p.jobz = 'V';
    p.il = check_uniform(1, p.n);
    p.iu = check_uniform(p.il, p.n);
    p.alpha =
        number_of(type, routine == HERK || routine == SYRK ? 0.75 : 1e-3, 0);
    p.beta = number_of(type, 0.5, 0);
    p.zero = number_of(type, 0, 0);
    p.found = routine == SYEV || routine == SYEVD ? p.n : 0;
    draw_matrices(&p, ictxt, check_uniform(1, 9));
    return p;
}

static problem
duplicate(const problem *p)
{
    problem q = *p;
    for (int k = 0; k < p->nx; ++k)
        copy(&q.x[k], &p->x[k]);
    memset(q.space, 0, sizeof q.space);
    return q;
}

static void
compare_with_real(problem *p)
{
    problem before = duplicate(p), real = duplicate(p);
    p->uplo = before.uplo = (char)(p->uplo & ~32);
    make_spaces(p, 0);
    make_spaces(&real, 1);
    run(&real, 1);
    run(p, 0);
    check_values(p, &real);
    compare(p, &before, &real);
    if (p->routine == GESVD)
        check_svd(p, &before);
    else if (p->routine >= SYEV && p->routine <= SYGVX && p->jobz == 'V' &&
             p->info == 0)
        check_eigen(p, &before);
    drop_problem(&real);
    drop_problem(&before);
}

/* Of all routines, or of those that HESCA has a kernel for. */
enum { NKERNELS = 7 };
static const int with_kernel[NKERNELS] = {SYRK,  HERK,  TRSM, POTRI,
                                          GETRI, GEQRF, ORMQR};

static void
random_problems(int nprow, int npcol, int most, int ncases, int own)
{
    const int nroutines = own ? NKERNELS : NROUTINES;
    const int ictxt = new_grid("R", nprow, npcol);
    const uint64_t state = check_state;
    for (int k = 0; k < ncases; ++k) {
        const int routine = own ? with_kernel[k % NKERNELS] : k % NROUTINES;
        const int type = (routine == HERK ? 2 : 0) +
                         k / nroutines % (routine == HERK ? 2 : 4);
        check_state = state + (uint64_t)k * 7919;
        problem p = draw(routine, type, ictxt, most);
        compare_with_real(&p);
        drop_problem(&p);
    }
    check_state = state + (uint64_t)ncases * 7919;
    Cblacs_gridexit(ictxt);
}

/* All routines, or those with a kernel, go the way that is asked for. */
static void
ways(const char *regrid, int own, const char *says)
{
    const int nroutines = own ? NKERNELS : NROUTINES;
    setenv("HESCA_REGRID", regrid, 1);
    const int ictxt = new_grid("R", 1, size);
    for (int k = 0; k < nroutines; ++k) {
        const int r = own ? with_kernel[k] : k;
        capture said;
        problem p = draw(r, 3, ictxt, MOST_ORDER - 20);
        make_spaces(&p, 1);
        capture_begin(&said);
        run(&p, 0);
        const int count = capture_end_counting(&said, says);
        if (rank == 0)
            CHECK(count > 0, "%s, %s: no '%s' in '%s'", routines[r].name[3],
                  regrid, says, said.text);
        drop_problem(&p);
    }
    Cblacs_gridexit(ictxt);
    setenv("HESCA_REGRID", "grid", 1);
}

/* Mistakes of which ScaLAPACK refuses most. */
enum { NMISTAKES = 4 };

static void
mistake(problem *p, int k)
{
    if (k == 0)
        p->n = -1;
    else if (k == 1)
        p->x[0].desc[5] += 1; /* NB is not MB */
    else if (k == 2)
        p->length[0] = 1; /* too short */
    else
        ++p->x[0].i; /* not the first row of a block */
}

/* The same INFO for zeros on the diagonals of factors, with nothing
 * written. */
static void
singular(void)
{
    const int ictxt = new_grid("R", size / 2, 2);
    for (int k = 0; k < 16; ++k) {
        problem p = draw(k % 2 ? GETRI : POTRI, k / 2 % 4, ictxt, 30);
        matrix *a = &p.x[0];
        const int first = check_uniform(0, p.n - 1);
        const int second = check_uniform(0, p.n - 1);
        for (int jl = 0; jl < a->locc; ++jl)
            for (int il = 0; il < a->locr; ++il) {
                const int i = row_of(a, il) - (a->i - 1);
                if (i == column_of(a, jl) - (a->j - 1) &&
                    (i == first || i == second))
                    store(a, il, jl, 0);
            }
        problem before = duplicate(&p), real = duplicate(&p);
        make_spaces(&p, 0);
        make_spaces(&real, 1);
        run(&real, 1);
        run(&p, 0);
        CHECK(p.info == real.info && p.info > 0, "%s: INFO is %d, not %d",
              routines[p.routine].name[p.type], p.info, real.info);
        CHECK(is_same(a, &before.x[0]), "a singular matrix was written");
        drop_problem(&before);
        drop_problem(&real);
        drop_problem(&p);
    }
    Cblacs_gridexit(ictxt);
}

/* Refused by the same INFO, with nothing written. */
static void
refused(const char *regrid)
{
    setenv("HESCA_REGRID", regrid, 1);
    const int ictxt = new_grid("R", 1, size);
    for (int r = 0; r < NROUTINES; ++r)
        for (int k = 0; k < NMISTAKES; ++k) {
            if (r == SYRK || r == HERK || r == TRSM || r == SYEV)
                continue; /* ScaLAPACK ends the program */
            if (k == 1 && r != GETRI && (r < SYEVD || r == GESVD))
                continue; /* not refused */
            problem p = draw(r, 1, ictxt, 30);
            problem real = duplicate(&p);
            make_spaces(&p, 0);
            make_spaces(&real, 1);
            mistake(&p, p.x[0].mb == 1 ? 0 : k);
            mistake(&real, p.x[0].mb == 1 ? 0 : k);
            run(&real, 1);
            run(&p, 0);
            /* PDSYGVX compares what it has not set. */
            CHECK(p.info == real.info ||
                      (r == SYGVX && p.info < 0 && real.info < 0),
                  "%s, mistake %d: INFO is %d, not %d", routines[r].name[1], k,
                  p.info, real.info);
            for (int l = 0; real.info < 0 && l < p.nx; ++l)
                CHECK(is_same(&p.x[l], &real.x[l]),
                      "%s, mistake %d: matrix %d", routines[r].name[1], k, l);
            drop_problem(&p);
            drop_problem(&real);
        }
    Cblacs_gridexit(ictxt);
}

int
main(void)
{
    begin();
    setenv("HESCA_POTRF", "real", 1);
    setenv("HESCA_GETRF", "real", 1);
    setenv("HESCA_REGRID", "grid", 1);
    setenv("HESCA_PLACEMENT", "off", 1);
    check_state = check_seed(8);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    random_problems(size / 2, 2, 40, check_cases(112), 0);
    random_problems(1, size, 40, check_cases(56), 0);
    random_problems(size, 1, 40, check_cases(56), 0);
    setenv("HESCA_REGRID", "hohe", 1);
    random_problems(size / 2, 2, 40, check_cases(160), 1);
    random_problems(1, size, 40, check_cases(80), 1);
    random_problems(size, 1, 40, check_cases(80), 1);
    singular();
    setenv("HESCA_REGRID", "grid", 1);
    setenv("HESCA_VERBOSE", "2", 1);
    ways("grid", 0, ", by ScaLAPACK on a ");
    ways("real", 0, "left to ScaLAPACK: HESCA_REGRID is real");
    ways("hohe", 1, ", by HoHe ");
    setenv("HESCA_VERBOSE", "0", 1);
    refused("hohe");
    refused("grid");
    return end("t_regrid");
}
