/* SPDX-License-Identifier: BSD-3-Clause */
/* P?POTRF, P?POSV, P?GETRF and P?GESV by HoHe, or on another grid
 * (HESCA_TEST_WAY=grid), forced, on matrices that are graded, singular,
 * indefinite or not finite, of sizes from 0 on: residuals, element by element,
 * of the order of ScaLAPACK's, and its INFO; where factors are not finite, all
 * that ScaLAPACK has written.
 *
 * Residuals are |P A - L U| / |L| |U|, |A - L L'| / |L| |L'| and |B - A X| /
 * |L| |U| |X|, the largest of all elements, in units of n eps: of the order of
 * 1 whatever A is, and whatever its scale.  HESCA's may be 4 times
 * ScaLAPACK's and 1 more.
 * Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
 * ed., theorems 9.3, 9.4, 10.3, 10.4. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "testing/shim/systems.h"

typedef enum {
    RANDOM,
    GRADED_BOTH, /* rows and columns */
    ZERO_LINE,   /* a column; of a symmetric matrix also a row */
    REPEATED,    /* two equal rows, also columns of a symmetric matrix */
    RANK_ONE,    /* of powers of 2, so that all is exact */
    INDEFINITE,  /* not symmetric: a row of 0 */
    NAN_ON_DIAGONAL,
    NAN_ELSEWHERE,
    NAN_ANYWHERE, /* also in a triangle that is not referenced */
    NAN_FIRST,
    NAN_LAST,
    INFINITE_ON_DIAGONAL,
    INFINITE_ELSEWHERE,
    INFINITE_ANYWHERE,
    NKINDS
} kind;

static const char *const kinds[NKINDS] = {"random",
                                          "graded",
                                          "zero line",
                                          "repeated line",
                                          "rank 1",
                                          "indefinite",
                                          "NaN on diagonal",
                                          "NaN elsewhere",
                                          "NaN anywhere",
                                          "NaN first",
                                          "NaN last",
                                          "infinite on diagonal",
                                          "infinite elsewhere",
                                          "infinite anywhere"};

static const char *
text_of(const system_ *s, kind what)
{
    static char text[120];
    snprintf(text, sizeof text, "%s %c %d x %d, %d right, NB %d, %s",
             system_name(s), s->uplo, s->m, s->n, s->nrhs, s->a.nb,
             kinds[what]);
    return text;
}

/* ------------------------------------------------ matrices */

static double complex
special(const system_ *s, kind what, int i, int j, int line)
{
    const int other = is_posdef(s) ? i == line || j == line : 0;
    const int fi = i == line ? 0 : i, fj = j == line && is_posdef(s) ? 0 : j;
    /* Below the diagonal of L, above that of U; in any other matrix, as well.
     */
    const int at =
        s->uplo == 'L' ? i == s->m - 1 && j == 0 : j == s->n - 1 && i == 0;
    switch (what) {
    case GRADED_BOTH:
        return entry(s, i, j, 0) * grade(s->type, s->a.salt, i) *
               grade(s->type, s->a.salt + !is_posdef(s) * 9, j);
    case ZERO_LINE:
        return j == line || other ? 0 : entry(s, i, j, 0);
    case REPEATED:
        return entry(s, fi, fj, 0);
    case RANK_ONE:
        return ldexp(1, i * 7 % 11 + j * 7 % 11);
    case INDEFINITE:
        return is_posdef(s) ? entry(s, i, j, line + 1)
                            : (i == line ? 0 : entry(s, i, j, 0));
    case NAN_ON_DIAGONAL:
    case INFINITE_ON_DIAGONAL:
        if (i == line && j == line)
            return what == NAN_ON_DIAGONAL ? NAN : INFINITY;
        break;
    case NAN_ELSEWHERE:
    case INFINITE_ELSEWHERE:
        if (at && s->n > 1 && s->m > 1)
            return what == NAN_ELSEWHERE ? NAN : INFINITY;
        break;
    case NAN_ANYWHERE:
    case INFINITE_ANYWHERE:
        if (i == s->a.salt % s->m && j == line)
            return what == NAN_ANYWHERE ? NAN : -INFINITY;
        break;
    case NAN_FIRST:
    case NAN_LAST:
        if (what == NAN_FIRST ? i + j == 0 : i == s->m - 1 && j == s->n - 1)
            return NAN;
        break;
    default:
        break;
    }
    return entry(s, i, j, 0);
}

static system_
draw(int routine, int type, kind what, int ictxt, int most, int *line)
{
    system_ s = system_draw(routine, type, ictxt, most, 0);
    *line = check_uniform(0, s.n > 0 ? s.n - 1 : 0);
    for (int jl = 0; jl < s.a.locc; ++jl)
        for (int il = 0; il < s.a.locr; ++il) {
            const int i = row_of(&s.a, il), j = column_of(&s.a, jl);
            if (is_inside(&s.a, i, j, s.m, s.n))
                store(&s.a, il, jl,
                      special(&s, what, i - s.a.i + 1, j - s.a.j + 1, *line));
        }
    return s;
}

/* ------------------------------------------------ on all processes */

static MPI_Comm comm; /* of the grid */

/* sub(X) on all processes. */
static double complex *
gather(const matrix *x, int m, int n)
{
    const size_t count = (size_t)m * (size_t)n;
    double complex *everywhere = calloc(count + 1, sizeof *everywhere);
    for (int jl = 0; jl < x->locc; ++jl)
        for (int il = 0; il < x->locr; ++il) {
            const int i = row_of(x, il), j = column_of(x, jl);
            if (is_inside(x, i, j, m, n))
                everywhere[i - x->i + 1 + (j - x->j + 1) * m] =
                    load(x, il, jl);
        }
    check_barrier(comm);
    MPI_Allreduce(MPI_IN_PLACE, everywhere, (int)(2 * count), MPI_DOUBLE,
                  MPI_SUM, comm);
    return everywhere;
}

static int *
gather_pivots(const system_ *s)
{
    const int n = s->m < s->n ? s->m : s->n;
    int *everywhere = calloc((size_t)n + 1, sizeof *everywhere);
    for (int il = 0; il < s->a.locr; ++il) {
        const int row = row_of(&s->a, il) - (s->a.i - 1);
        if (row >= 0 && row < n)
            everywhere[row] = s->ipiv[il] - s->a.i; /* from 0 */
    }
    check_barrier(comm);
    MPI_Allreduce(MPI_IN_PLACE, everywhere, n, MPI_INT, MPI_MAX, comm);
    return everywhere;
}

/* Make it P X. */
static void
interchange(int m, int n, double complex *x, int npivots, const int *pivot)
{
    for (int i = 0; i < npivots; ++i)
        for (int j = 0; j < n && pivot[i] >= 0 && pivot[i] < m; ++j) {
            const double complex y = x[i + j * m];
            x[i + j * m] = x[pivot[i] + j * m];
            x[pivot[i] + j * m] = y;
        }
}

/* The factors, left[m x k] and right[k x n], of what is in A, of which the
 * leading part is looked at. */
typedef struct {
    int m, n, k;
    double complex *left, *right;
} factors;

static factors
factors_of(const system_ *s, const double complex *a, int m, int n)
{
    factors f = {.m = m, .n = n, .k = m < n ? m : n};
    f.left = calloc((size_t)m * (size_t)f.k + 1, sizeof *f.left);
    f.right = calloc((size_t)f.k * (size_t)n + 1, sizeof *f.right);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            const double complex v = a[i + j * s->m];
            if (!is_posdef(s) && i > j)
                f.left[i + j * m] = v;
            else if (!is_posdef(s))
                f.right[i + j * f.k] = v;
            else if (s->uplo == 'L' ? i >= j : i <= j) {
                const int r = i > j ? i : j, c = i > j ? j : i;
                f.left[r + c * m] = i > j ? v : conj(v);
                f.right[c + r * f.k] = i > j ? conj(v) : v;
            }
        }
    for (int j = 0; j < f.k && !is_posdef(s); ++j)
        f.left[j + j * m] = 1;
    return f;
}

static void
drop_factors(factors *f)
{
    free(f->left);
    free(f->right);
}

/* ------------------------------------------------ residuals */

static double
ratio(const system_ *s, double complex difference, double scale)
{
    const double unit = (s->n + 1) * elements[s->type].eps;
    return cabs(difference) == 0 ? 0 : cabs(difference) / (scale * unit);
}

/* Of what is in A against what was there, m x n of it, rows in order. */
static double
residual_of_factors(const system_ *s, const double complex *a,
                    const double complex *before, int m, int n)
{
    factors f = factors_of(s, a, m, n);
    double most = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            double complex sum = 0;
            double scale = 0;
            if (is_posdef(s) && (s->uplo == 'L' ? i < j : i > j))
                continue;
            for (int l = 0; l < f.k; ++l) {
                const double complex x = f.left[i + l * m],
                                     y = f.right[l + j * f.k];
                sum += x * y;
                scale += cabs(x) * cabs(y);
            }
            most = fmax(most, ratio(s, before[i + j * s->m] - sum, scale));
        }
    drop_factors(&f);
    return most;
}

/* An element of A, of which a symmetric matrix has one triangle. */
static double complex
whole(const system_ *s, const double complex *a, int i, int j)
{
    const int other = is_posdef(s) && (s->uplo == 'L' ? i < j : i > j);
    const double complex v = other ? conj(a[j + i * s->m]) : a[i + j * s->m];
    return v;
}

/* |left| |right| |x| */
static double
scale_of(const factors *f, const double complex *x, int i)
{
    double sum = 0;
    for (int l = 0; l < f->k; ++l) {
        double inner = 0;
        for (int j = 0; j < f->n && f->left[i + l * f->m] != 0; ++j)
            inner += cabs(f->right[l + j * f->k]) * cabs(x[j]);
        sum += cabs(f->left[i + l * f->m]) * inner;
    }
    return sum;
}

/* Of the solution, with rows of A and B in the order of the factors. */
static double
residual_of_solution(const system_ *s, const double complex *a,
                     const double complex *before, const double complex *b,
                     const double complex *x)
{
    factors f = factors_of(s, a, s->n, s->n);
    double most = 0;
    for (int j = 0; j < s->nrhs; ++j)
        for (int i = 0; i < s->n; ++i) {
            double complex r = b[i + j * s->n];
            for (int l = 0; l < s->n; ++l)
                r -= whole(s, before, i, l) * x[l + j * s->n];
            most = fmax(most, ratio(s, r, scale_of(&f, x + j * s->n, i)));
        }
    drop_factors(&f);
    return most;
}

/* What a call has left. */
typedef struct {
    double factors, solution;
} residuals;

static residuals
residuals_of(const system_ *s, const system_ *before)
{
    residuals r = {0, 0};
    const int n = s->m < s->n ? s->m : s->n;
    const int leading = is_posdef(s) && s->info > 0;
    double complex *a = gather(&s->a, s->m, s->n);
    double complex *a0 = gather(&before->a, s->m, s->n);
    int *pivot = gather_pivots(s);
    if (!is_posdef(s))
        interchange(s->m, s->n, a0, n, pivot);
    r.factors = residual_of_factors(s, a, a0, leading ? s->info - 1 : s->m,
                                    leading ? s->info - 1 : s->n);
    if (solves(s) && s->info == 0) {
        double complex *x = gather(&s->b, s->n, s->nrhs);
        double complex *b = gather(&before->b, s->n, s->nrhs);
        if (!is_posdef(s))
            interchange(s->n, s->nrhs, b, n, pivot);
        r.solution = residual_of_solution(s, a, a0, b, x);
        free(x);
        free(b);
    }
    free(a);
    free(a0);
    free(pivot);
    return r;
}

/* INFO of P?GETRF must be what U says: the first 0 on its diagonal. */
static int
first_zero(const system_ *s)
{
    const int n = s->m < s->n ? s->m : s->n;
    double complex *a = gather(&s->a, s->m, s->n);
    int i = 0;
    while (i < n && a[i + i * s->m] != 0)
        ++i;
    free(a);
    return i < n ? i + 1 : 0;
}

/* ------------------------------------------------ cases */

/* Calls that HoHe must serve: factorizations, and what then solves. */
static int nserved;

/* The largest residuals, and those that ScaLAPACK has at most. */
static residuals most[NKINDS], real_most[NKINDS];

static void
compare_residuals(const system_ *s, const system_ *real, const system_ *before,
                  kind what)
{
    const residuals mine = residuals_of(s, before),
                    other = residuals_of(real, before);
    CHECK(mine.factors <= 1 + 4 * other.factors &&
              mine.solution <= 1 + 4 * other.solution,
          "%s: residuals %.2g, %.2g, ScaLAPACK's %.2g, %.2g", text_of(s, what),
          mine.factors, mine.solution, other.factors, other.solution);
    most[what].factors = fmax(most[what].factors, mine.factors);
    most[what].solution = fmax(most[what].solution, mine.solution);
    real_most[what].factors = fmax(real_most[what].factors, other.factors);
    real_most[what].solution = fmax(real_most[what].solution, other.solution);
}

/* Whether what ScaLAPACK has made of sub(A) is finite. */
static int
is_finite(const system_ *real)
{
    double complex *a = gather(&real->a, real->m, real->n);
    int finite = 1;
    for (int j = 0; j < real->n; ++j)
        for (int i = 0; i < real->m; ++i) {
            const double complex v = a[i + j * real->m];
            if (is_written(real, i + real->a.i - 1, j + real->a.j - 1))
                finite = finite && isfinite(creal(v)) && isfinite(cimag(v));
        }
    free(a);
    return finite;
}

/* Rounding decides whether and where a repeated row makes a matrix singular.
 */
static void
compare_info(const system_ *s, const system_ *real, kind what, int line)
{
    int zero = -1;
    const int is_left =
        s->a.m == 1 || (s->m == 1 && strcmp(forced_way(), "grid") == 0);
    if (!is_posdef(s) && what < NAN_ON_DIAGONAL)
        zero = first_zero(s);
    if (what != REPEATED || (!is_posdef(s) && is_left))
        CHECK(s->info == real->info, "%s: INFO %d, not %d", text_of(s, what),
              s->info, real->info);
    else if (is_posdef(s))
        CHECK(s->info == 0 || s->info == line + 1,
              "%s: INFO %d, line %d repeats the first", text_of(s, what),
              s->info, line + 1);
    CHECK(zero < 0 || is_left || s->info == zero,
          "%s: INFO %d, the first 0 of U is %d", text_of(s, what), s->info,
          zero);
}

static void
one_case(int routine, int type, kind what, int ictxt, int largest)
{
    int line;
    system_ s = draw(routine, type, what, ictxt, largest, &line);
    system_ before = system_copy(&s), real = system_copy(&s);
    system_call(&real, 1);
    system_call(&s, 0);
    const int finite = is_finite(&real);
    if (!finite)
        CHECK(is_same(&s.a, &real.a) && is_same(&s.b, &real.b) &&
                  memcmp(s.ipiv, real.ipiv,
                         (size_t)s.a.locr * sizeof *s.ipiv) == 0,
              "%s: not what ScaLAPACK writes", text_of(&s, what));
    if (finite && s.m > 0 && s.n > 0 && (is_posdef(&s) || s.a.m > 1))
        nserved += 1 + (solves(&s) && s.nrhs > 0 && s.info == 0);
    compare_info(&s, &real, what, line);
    if (what < NAN_ON_DIAGONAL)
        compare_residuals(&s, &real, &before, what);
    if (s.info > 0 && solves(&s))
        CHECK(is_same(&s.b, &before.b), "%s: B is written, INFO %d",
              text_of(&s, what), s.info);
    system_drop(&s);
    system_drop(&real);
    system_drop(&before);
}

/* All routines, with each kind of matrix and small sizes; one type of each, in
 * a big run all four. */
static void
all_cases(const char *order, int nprow, int npcol)
{
    static const int sizes[] = {0, 1, 2, 3, 9};
    static int ngrids;
    const int ntypes = check_big() ? 4 : 1;
    const int ncases = NKINDS + (int)(sizeof sizes / sizeof *sizes);
    const int ictxt = new_grid(order, nprow, npcol), g = ngrids++;
    const uint64_t state = check_state;
    capture said;
    nserved = 0;
    capture_begin(&said);
    MPI_Comm_split(MPI_COMM_WORLD, ictxt >= 0, rank, &comm);
    for (int k = 0; k < NROUTINES * ntypes * ncases && ictxt >= 0; ++k) {
        const int r = k % NROUTINES, l = k / NROUTINES % ncases;
        const int type = (k / (NROUTINES * ncases) + r + l + g) % 4;
        check_state = state + (uint64_t)k * 7919;
        if (l < NKINDS)
            one_case(r, type, (kind)l, ictxt, 40);
        else
            one_case(r, type, RANDOM, ictxt, sizes[l - NKINDS]);
    }
    check_state = state + 1000 * 7919;
    MPI_Comm_free(&comm);
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
    const int by_hohe = strcmp(forced_way(), "hohe") == 0;
    const int count = capture_end_counting(
        &said, by_hohe ? ", by HoHe " : ", by ScaLAPACK on a ");
    if (rank == 0 && by_hohe)
        CHECK(count == nserved, "%d x %d: %d of %d calls by HoHe", nprow,
              npcol, count, nserved);
    else if (rank == 0 && nprow * npcol > 1)
        CHECK(count > nserved / 3, "%d x %d: %d of %d calls on another grid",
              nprow, npcol, count, nserved);
}

int
main(void)
{
    begin();
    setenv("HESCA_POTRF", forced_way(), 1);
    setenv("HESCA_GETRF", forced_way(), 1);
    setenv("HESCA_PLACEMENT", "off", 1);
    setenv("HESCA_VERBOSE", "1", 1);
    check_state = check_seed(11);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    for (int k = 0; k < check_cases(1); ++k) {
        all_cases("R", 2, size / 2);
        all_cases("C", size, 1);
    }
    all_cases("R", 1, size);
    all_cases("R", 1, 1);
    setenv("HESCA_VERBOSE", "0", 1);
    for (int k = 0; k < NAN_ON_DIAGONAL && rank == 0; ++k)
        printf("%-14s factors %.2f (ScaLAPACK %.2f), solutions %.2f (%.2f)\n",
               kinds[k], most[k].factors, real_most[k].factors,
               most[k].solution, real_most[k].solution);
    return end("t_residuals");
}
