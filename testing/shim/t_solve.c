/* SPDX-License-Identifier: BSD-3-Clause */
/* P?POTRS and P?GETRS by HoHe, forced, on hosts of unequal speed: the
 * solutions of ScaLAPACK's own routines, with factors and pivots that
 * ScaLAPACK has made, within the bounds of rounding; nothing written outside
 * of sub(B).  Few and many right-hand sides, submatrices, all letters;
 * arguments that ScaLAPACK refuses; the way of P?POSV and P?GESV. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "config.h"
#include "hesca/scalapack.h"
#include "testing/shim/cyclic.h"

typedef void potrf(const char *, const int *, void *, const int *, const int *,
                   const int *, int *, size_t);
typedef void getrf(const int *, const int *, void *, const int *, const int *,
                   const int *, int *, int *);
typedef void potrs(const char *, const int *, const int *, void *, const int *,
                   const int *, const int *, void *, const int *, const int *,
                   const int *, int *, size_t);
typedef void getrs(const char *, const int *, const int *, void *, const int *,
                   const int *, const int *, int *, void *, const int *,
                   const int *, const int *, int *, size_t);
typedef void gesv(const int *, const int *, void *, const int *, const int *,
                  const int *, int *, void *, const int *, const int *,
                  const int *, int *);
potrs FC_FUNC(pspotrs, PSPOTRS), FC_FUNC(pdpotrs, PDPOTRS),
    FC_FUNC(pcpotrs, PCPOTRS), FC_FUNC(pzpotrs, PZPOTRS);
getrs FC_FUNC(psgetrs, PSGETRS), FC_FUNC(pdgetrs, PDGETRS),
    FC_FUNC(pcgetrs, PCGETRS), FC_FUNC(pzgetrs, PZGETRS);
potrs FC_FUNC(pdposv, PDPOSV);
gesv FC_FUNC(pdgesv, PDGESV);

enum { POTRS, GETRS, NROUTINES };

static potrs *const all_potrs[] = FOUR(potrs, POTRS);
static getrs *const all_getrs[] = FOUR(getrs, GETRS);
static const char *const names[NROUTINES][4] = {NAMES(potrs, POTRS),
                                                NAMES(getrs, GETRS)};
static const char *const factors[NROUTINES][4] = {NAMES(potrf, POTRF),
                                                  NAMES(getrf, GETRF)};

/* A call, and what it has made. */
typedef struct {
    int routine, type, n, nrhs, info;
    char letter;
    matrix a, b;
    int *ipiv;
} equations;

static const char *
name_of(const equations *s)
{
    return names[s->routine][s->type];
}

static void
call(equations *s, int real)
{
    matrix *a = &s->a, *b = &s->b;
    const hesca_function f = hesca_scalapack_original(name_of(s));
    if (s->routine == POTRS)
        (real ? (potrs *)f : all_potrs[s->type])(
            &s->letter, &s->n, &s->nrhs, a->x, &a->i, &a->j, a->desc, b->x,
            &b->i, &b->j, b->desc, &s->info, 1);
    else
        (real ? (getrs *)f : all_getrs[s->type])(
            &s->letter, &s->n, &s->nrhs, a->x, &a->i, &a->j, a->desc, s->ipiv,
            b->x, &b->i, &b->j, b->desc, &s->info, 1);
}

/* ------------------------------------------------ systems */

/* A(i,j): positive definite; or with the largest of each column on the other
 * diagonal, so that all rows are interchanged. */
static double complex
entry(const equations *s, int i, int j)
{
    const double complex v =
        value(s->type, s->a.salt, i > j ? i : j, i > j ? j : i);
    if (s->routine == GETRS)
        return i + j == s->n - 1 ? 4.0 * s->n
                                 : value(s->type, s->a.salt, i, j);
    return i == j ? 4.0 * s->n : i > j ? v : conj(v);
}

static void
factor(equations *s)
{
    matrix *a = &s->a;
    const hesca_function f =
        hesca_scalapack_original(factors[s->routine][s->type]);
    int info;
    if (s->routine == POTRS)
        ((potrf *)f)(&s->letter, &s->n, a->x, &a->i, &a->j, a->desc, &info, 1);
    else
        ((getrf *)f)(&s->n, &s->n, a->x, &a->i, &a->j, a->desc, s->ipiv,
                     &info);
    CHECK(info == 0, "%s: INFO %d", factors[s->routine][s->type], info);
}

static equations
draw(int routine, int type, int ictxt, int n, int nrhs)
{
    static const char letter[NROUTINES][4] = {"LUL", "NTC"};
    equations s = {.routine = routine, .type = type, .n = n, .nrhs = nrhs};
    const int nb = check_uniform(2, 12);
    s.letter = letter[routine][check_uniform(0, 2)];
    make_aligned(&s.a, type, ictxt, n, n, nb, -1);
    const int row = ((s.a.i - 1) / nb + s.a.rsrc) % s.a.nprow;
    make_aligned(&s.b, type, ictxt, n, nrhs, nb, row);
    s.ipiv = calloc((size_t)(s.a.locr + nb), sizeof *s.ipiv);
    for (int jl = 0; jl < s.a.locc; ++jl)
        for (int il = 0; il < s.a.locr; ++il) {
            const int i = row_of(&s.a, il), j = column_of(&s.a, jl);
            if (is_inside(&s.a, i, j, n, n))
                store(&s.a, il, jl, entry(&s, i - s.a.i + 1, j - s.a.j + 1));
        }
    return s;
}

static equations
copy_equations(const equations *from)
{
    equations s = *from;
    copy(&s.a, &from->a);
    copy(&s.b, &from->b);
    s.ipiv = calloc((size_t)(s.a.locr + s.a.nb), sizeof *s.ipiv);
    memcpy(s.ipiv, from->ipiv, (size_t)(s.a.locr + s.a.nb) * sizeof *s.ipiv);
    return s;
}

static void
drop_equations(equations *s)
{
    free(s->a.x);
    free(s->b.x);
    free(s->ipiv);
}

/* ------------------------------------------------ comparison */

static void
compare_b(const equations *got, const equations *real, const equations *before)
{
    const matrix *b = &got->b;
    const double tolerance = 100 * elements[got->type].eps * (got->n + 1);
    for (int jl = 0; jl < b->locc; ++jl)
        for (int il = 0; il < b->lld; ++il) {
            const double complex x = load(b, il, jl);
            const double complex y = load(&real->b, il, jl);
            if (il < b->locr && is_inside(b, row_of(b, il), column_of(b, jl),
                                          got->n, got->nrhs))
                CHECK(cabs(x - y) <= tolerance,
                      "%s %c %d x %d, local (%d,%d): %g%+gi, not %g%+gi",
                      name_of(got), got->letter, got->n, got->nrhs, il, jl,
                      creal(x), cimag(x), creal(y), cimag(y));
            else
                CHECK(x == load(&before->b, il, jl),
                      "%s %c %d x %d: local (%d,%d) of B is written",
                      name_of(got), got->letter, got->n, got->nrhs, il, jl);
        }
}

/* The same by both routines. */
static void
compare(equations *s)
{
    factor(s);
    equations before = copy_equations(s), real = copy_equations(s);
    call(&real, 1);
    call(s, 0);
    CHECK(s->info == real.info, "%s %d x %d: INFO %d, not %d", name_of(s),
          s->n, s->nrhs, s->info, real.info);
    CHECK(is_same(&s->a, &before.a), "%s %d x %d: A is written", name_of(s),
          s->n, s->nrhs);
    compare_b(s, &real, &before);
    drop_equations(&before);
    drop_equations(&real);
}

static void
random_systems(const char *order, int nprow, int npcol, int ncases)
{
    static const int some[] = {0, 1, 1, 2, 5, 17, 70};
    const uint64_t state = check_state;
    const int ictxt = new_grid(order, nprow, npcol);
    for (int k = 0; k < ncases && ictxt >= 0; ++k) {
        check_state = state + (uint64_t)k * 7919;
        equations s = draw(k % NROUTINES, k / NROUTINES % 4, ictxt,
                           check_uniform(0, k % 5 == 4 ? 3 : 70),
                           some[check_uniform(0, 6)]);
        compare(&s);
        drop_equations(&s);
    }
    check_state = state + (uint64_t)ncases * 7919;
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
}

/* ------------------------------------------------ the way chosen */

/* What HESCA says of a call; sv: P?POSV or P?GESV, which solve, too. */
static void
check_report(const char *how, int routine, int nrhs, int sv, const char *says)
{
    const int nprow = size > 3 ? 2 : 1;
    capture said;
    capture_begin(&said);
    const int ictxt = new_grid("R", nprow, size / nprow);
    if (ictxt >= 0) {
        equations s = draw(routine, 1, ictxt, 40, nrhs);
        matrix *a = &s.a, *b = &s.b;
        if (!sv)
            compare(&s);
        else if (routine == POTRS)
            FC_FUNC(pdposv, PDPOSV)
        (&s.letter, &s.n, &nrhs, a->x, &a->i, &a->j, a->desc, b->x, &b->i,
         &b->j, b->desc, &s.info, 1);
        else FC_FUNC(pdgesv, PDGESV)(&s.n, &nrhs, a->x, &a->i, &a->j, a->desc,
                                     s.ipiv, b->x, &b->i, &b->j, b->desc,
                                     &s.info);
        CHECK(s.info == 0, "%s: INFO %d", how, s.info);
        drop_equations(&s);
        Cblacs_gridexit(ictxt);
    }
    capture_end(&said);
    if (rank == 0)
        CHECK(strstr(said.text, says) != NULL, "%s %s: '%s', not '%s'",
              names[routine][1], how, said.text, says);
}

static void
decisions(void)
{
    static const char *const disable[] = {"pdpotrs", "getrs"};
    static const char *const solved[] = {"pdpotrs 40 x 30, ",
                                         "pdgetrs 40 x 30, "};
    setenv("HESCA_VERBOSE", "2", 1);
    for (int r = 0; r < NROUTINES; ++r) {
        const char *parameter = r == POTRS ? "HESCA_POTRF" : "HESCA_GETRF";
        check_report("hohe", r, 30, 0, "by HoHe (new plan), predicted");
        check_report("hohe", r, 1, 0, "by HoHe (new plan), predicted");
        check_report("hohe", r, 30, 1, solved[r]);
        setenv("HESCA_DISABLE", disable[r], 1);
        check_report("disabled", r, 30, 0, "left to ScaLAPACK: HESCA_DISABLE");
        unsetenv("HESCA_DISABLE");
        setenv(parameter, "real", 1);
        check_report("real", r, 30, 0, " is real");
        setenv(parameter, "grid", 1);
        check_report("grid", r, 30, 0, "not at hand for another grid");
        setenv(parameter, "auto", 1);
        check_report("auto", r, 30, 0, ", predicted "); /* any way */
        check_report("auto", r, 4, 0, ", predicted ");
        setenv(parameter, "hohe", 1);
    }
    setenv("HESCA_VERBOSE", "0", 1);
}

/* Mistakes that ScaLAPACK refuses, by INFO on all processes. */
enum { NMISTAKES = 8 };

static void
mistake(equations *s, int which)
{
    switch (which) {
    case 0:
        s->n = -1;
        break;
    case 1:
        s->a.desc[5] += 1; /* NB is not MB */
        break;
    case 2:
        ++s->a.i; /* not the first row of a block */
        break;
    case 3:
        s->a.desc[0] = 7;
        break;
    case 4:
        s->nrhs = -1;
        break;
    case 5:
        s->letter = 'X';
        break;
    case 6:
        s->b.desc[4] += 1; /* rows of B are not cut as those of A */
        break;
    default:
        --s->n; /* right, but where others have another one */
    }
}

/* B stays as it was.  alone: the last process only, after a good call of the
 * same shape. */
static void
refused(int alone)
{
    const int ictxt = new_grid("R", 1, size);
    for (int r = 0; r < NROUTINES; ++r)
        for (int k = 0; k < NMISTAKES - !alone; ++k) {
            equations s = draw(r, 1, ictxt, 30, 20);
            factor(&s);
            if (alone) {
                equations good = copy_equations(&s);
                call(&good, 0);
                drop_equations(&good);
            }
            if (!alone || rank == size - 1)
                mistake(&s, k);
            equations real = copy_equations(&s);
            call(&real, 1);
            call(&s, 0);
            CHECK(s.info == real.info && s.info < 0 && is_same(&s.b, &real.b),
                  "%s, mistake %d%s: INFO %d, not %d", name_of(&s), k,
                  alone ? " of one process" : "", s.info, real.info);
            drop_equations(&real);
            drop_equations(&s);
        }
    Cblacs_gridexit(ictxt);
}

int
main(void)
{
    begin();
    setenv("HESCA_POTRF", "hohe", 1);
    setenv("HESCA_GETRF", "hohe", 1);
    setenv("HESCA_PLACEMENT", "off", 1);
    check_state = check_seed(8);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    random_systems("R", 2, size / 2, check_cases(32));
    random_systems("C", size / 2, 2, check_cases(32));
    random_systems("R", 1, size, check_cases(16));
    random_systems("C", size, 1, check_cases(16));
    random_systems("R", 1, 1, check_cases(4));
    decisions();
    refused(0);
    if (size > 1)
        refused(1);
    return end("t_solve");
}
