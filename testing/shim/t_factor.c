/* P?POTRF, P?POSV, P?GETRF and P?GESV by HoHe, and on another grid, forced, on
 * hosts of unequal speed: the factors, pivots, INFO and solutions of
 * ScaLAPACK's own routines within the bounds of rounding, nothing written
 * outside of what they write; also where matrices are indefinite or singular,
 * and with arguments that go on to ScaLAPACK. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "config.h"
#include "hesca/scalapack.h"
#include "testing/shim/cyclic.h"

#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)
#define FOUR(r, R)                                                            \
    {                                                                         \
        FC_FUNC(ps##r, PS##R), FC_FUNC(pd##r, PD##R), FC_FUNC(pc##r, PC##R),  \
            FC_FUNC(pz##r, PZ##R)                                             \
    }
#define NAMES(r, R)                                                           \
    {                                                                         \
        TEXT(FC_FUNC(ps##r, PS##R)), TEXT(FC_FUNC(pd##r, PD##R)),             \
            TEXT(FC_FUNC(pc##r, PC##R)), TEXT(FC_FUNC(pz##r, PZ##R))          \
    }

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

static const char *
name_of(const system_ *s)
{
    return names[s->routine][s->type];
}

static int
is_posdef(const system_ *s)
{
    return s->routine == POTRF || s->routine == POSV;
}

static int
solves(const system_ *s)
{
    return s->routine == POSV || s->routine == GESV;
}

static void
call(system_ *s, int real)
{
    matrix *a = &s->a, *b = &s->b;
    const hesca_function f = hesca_scalapack_real(name_of(s));
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

/* Square blocks, sub(A) at the beginning of one, as these routines want. */
static void
make_aligned(matrix *a, int type, int ictxt, int m, int n, int nb, int rsrc)
{
    memset(a, 0, sizeof *a);
    a->type = type;
    a->salt = check_uniform(0, 1000);
    a->mb = a->nb = nb;
    a->i = 1 + nb * check_uniform(0, 2);
    a->j = 1 + nb * check_uniform(0, 2);
    a->m = a->i - 1 + m + check_uniform(0, 9);
    a->n = a->j - 1 + n + check_uniform(0, 9);
    Cblacs_gridinfo(ictxt, &a->nprow, &a->npcol, &a->prow, &a->pcol);
    a->rsrc = rsrc < 0 ? check_uniform(0, a->nprow - 1)
                       : (rsrc + 10 * a->nprow - (a->i - 1) / nb) % a->nprow;
    a->csrc = check_uniform(0, a->npcol - 1);
    fill(a, ictxt, 9);
}

/* A number in [-1, 1) that looks random, of few enough bits for a float. */
static double
noise(int salt, int i, int j)
{
    uint64_t z = ((uint64_t)salt << 40) + ((uint64_t)i << 20) + (uint64_t)j;
    z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 29)) * 0x94d049bb133111ebu;
    return (double)(z >> 44) / (1 << 19) - 1;
}

/* A symmetric matrix that is positive definite, unless `bad`, a diagonal
 * element from 1, is too small; or any matrix, whose column `bad` is 0. */
static double complex
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

static system_
draw(int routine, int type, int ictxt, int most, int bad)
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

static system_
copy_system(const system_ *from)
{
    system_ s = *from;
    copy(&s.a, &from->a);
    copy(&s.b, &from->b);
    s.ipiv = calloc((size_t)(s.a.locr + s.a.nb), sizeof *s.ipiv);
    return s;
}

static void
drop_system(system_ *s)
{
    free(s->a.x);
    free(s->b.x);
    free(s->ipiv);
}

/* ------------------------------------------------ comparison */

/* Whether ScaLAPACK writes A(i,j). */
static int
is_written(const system_ *s, int i, int j)
{
    const int in = is_inside(&s->a, i, j, s->m, s->n);
    const int di = i - s->a.i, dj = j - s->a.j;
    return in && (!is_posdef(s) || (s->uplo == 'L' ? di >= dj : di <= dj));
}

static void
compare_a(const system_ *got, const system_ *real, const system_ *before)
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
                      name_of(got), got->uplo, got->m, got->n, il, jl,
                      creal(x), cimag(x), creal(y), cimag(y));
            else
                CHECK(x == load(&before->a, il, jl),
                      "%s %c %d x %d: local (%d,%d) of A is written",
                      name_of(got), got->uplo, got->m, got->n, il, jl);
        }
}

static void
compare_b(const system_ *got, const system_ *real)
{
    const double tolerance = 1e5 * elements[got->type].eps * (got->n + 1);
    for (int jl = 0; jl < got->b.locc; ++jl)
        for (int il = 0; il < got->b.lld; ++il) {
            const double complex x = load(&got->b, il, jl);
            const double complex y = load(&real->b, il, jl);
            CHECK(cabs(x - y) <= tolerance * (1 + cabs(y)),
                  "%s %d x %d, local (%d,%d) of B: %g%+gi, not %g%+gi",
                  name_of(got), got->n, got->nrhs, il, jl, creal(x), cimag(x),
                  creal(y), cimag(y));
        }
}

/* Of rows that the process has; ScaLAPACK leaves something in others, too. */
static void
compare_pivots(const system_ *got, const system_ *real)
{
    const int n = got->m < got->n ? got->m : got->n;
    for (int il = 0; il < got->a.locr && !is_posdef(got); ++il) {
        const int row = row_of(&got->a, il) - (got->a.i - 1);
        CHECK(row < 0 || row >= n || got->ipiv[il] == real->ipiv[il],
              "%s %d x %d: IPIV(%d) is %d, not %d", name_of(got), got->m,
              got->n, il + 1, got->ipiv[il], real->ipiv[il]);
    }
}

/* The same by both routines. */
static void
compare(system_ *s)
{
    system_ before = copy_system(s), real = copy_system(s);
    call(&real, 1);
    call(s, 0);
    CHECK(s->info == real.info, "%s %d x %d: INFO %d, not %d", name_of(s),
          s->m, s->n, s->info, real.info);
    compare_a(s, &real, &before);
    if (solves(s))
        compare_b(s, &real);
    compare_pivots(s, &real);
    drop_system(&before);
    drop_system(&real);
}

static void
random_systems(const char *order, int nprow, int npcol, int most, int ncases)
{
    const uint64_t state = check_state;
    const int ictxt = new_grid(order, nprow, npcol);
    for (int k = 0; k < ncases && ictxt >= 0; ++k) {
        check_state = state + (uint64_t)k * 7919;
        system_ s = draw(k % NROUTINES, k / NROUTINES % 4, ictxt,
                         k % 5 == 4 ? 3 : most, k % 6 == 5);
        compare(&s);
        drop_system(&s);
    }
    check_state = state + (uint64_t)ncases * 7919;
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
}

/* ------------------------------------------------ who computes */

static void
told(const char *how, int routine, const char *says)
{
    const int nprow = size > 3 ? 2 : 1;
    capture said;
    capture_begin(&said);
    const int ictxt = new_grid("R", nprow, size / nprow);
    if (ictxt >= 0) {
        system_ s = draw(routine, 1, ictxt, 30, 0);
        while (s.n < 5 || s.m < 5) {
            drop_system(&s);
            s = draw(routine, 1, ictxt, 30, 0);
        }
        compare(&s);
        drop_system(&s);
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
    static const char *const disable[] = {"potrf", "pdposv", "pdgetrf",
                                          "gesv"};
    setenv("HESCA_VERBOSE", "1", 1);
    for (int r = 0; r < NROUTINES; ++r) {
        const char *parameter = r <= POSV ? "HESCA_POTRF" : "HESCA_GETRF";
        told("hohe", r, "by HoHe (new plan), predicted");
        setenv("HESCA_DISABLE", disable[r], 1);
        told("disabled", r, "left to ScaLAPACK: HESCA_DISABLE");
        unsetenv("HESCA_DISABLE");
        setenv(parameter, "real", 1);
        told("real", r, r <= POSV ? "HESCA_POTRF is real" : "HESCA_GETRF is");
        setenv(parameter, "auto", 1);
        told("auto", r, ", predicted "); /* any way */
        setenv(parameter, "hohe", 1);
    }
    setenv("HESCA_VERBOSE", "0", 1);
}

/* Mistakes that ScaLAPACK refuses, by INFO on all processes. */
enum { NMISTAKES = 5 };

static void
mistake(system_ *s, int which)
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
    default:
        --s->n; /* right, but where others have another one */
    }
}

/* A stays as it was.  alone: the last process only, after a good call of the
 * same shape. */
static void
refused(int alone)
{
    const int ictxt = new_grid("R", 1, size);
    for (int r = 0; r < NROUTINES; ++r)
        for (int k = 0; k < NMISTAKES - !alone; ++k) {
            system_ s = draw(r, 1, ictxt, 30, 0);
            if (s.n > 2 && s.m > 2 && s.a.nb > 1) {
                if (alone) {
                    system_ good = copy_system(&s);
                    call(&good, 0);
                    drop_system(&good);
                }
                if (!alone || rank == size - 1)
                    mistake(&s, k);
                system_ real = copy_system(&s);
                call(&real, 1);
                call(&s, 0);
                CHECK(s.info == real.info && s.info < 0 &&
                          is_same(&s.a, &real.a),
                      "%s, mistake %d%s: INFO %d, not %d", name_of(&s), k,
                      alone ? " of one process" : "", s.info, real.info);
                drop_system(&real);
            }
            drop_system(&s);
        }
    Cblacs_gridexit(ictxt);
}

static void
other_grids(void)
{
    setenv("HESCA_POTRF", "grid", 1);
    setenv("HESCA_GETRF", "grid", 1);
    random_systems("R", 2, size / 2, 60, check_cases(16));
    write_machine("node", slow, "");
    random_systems("C", size / 2, 2, 150, check_cases(32));
    random_systems("R", 1, size, 150, check_cases(16));
    setenv("HESCA_VERBOSE", "1", 1);
    for (int r = 0; r < NROUTINES; ++r)
        told("grid", r, "by ScaLAPACK on a 1x1 grid, 64x64 blocks (new plan)");
    setenv("HESCA_VERBOSE", "0", 1);
    refused(0);
    if (size > 1)
        refused(1);
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
    random_systems("R", 2, size / 2, 60, check_cases(32));
    random_systems("C", size / 2, 2, 60, check_cases(32));
    random_systems("R", 1, size, 60, check_cases(16));
    random_systems("C", size, 1, 60, check_cases(16));
    random_systems("R", 1, 1, 60, check_cases(4));
    decisions();
    refused(0);
    if (size > 1)
        refused(1);
    other_grids();
    return end("t_factor");
}
