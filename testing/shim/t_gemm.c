/* P?GEMM by HoHe, and on another grid, forced, on hosts of unequal speed: the
 * results of
 * ScaLAPACK's own routine within the bounds of rounding, nothing written
 * outside of sub(C), also with arguments that go on to ScaLAPACK; and what of
 * it HESCA says that it did.
 *
 * With arguments BAD RANK: the call number BAD of bad(), wrong on process
 * RANK, or on all if that is -1; ScaLAPACK ends the program then. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "config.h"
#include "hesca/hohe.h"
#include "hesca/scalapack.h"
#include "testing/shim/cyclic.h"

#define TEXT_EXPANDED(x) #x
#define TEXT(x) TEXT_EXPANDED(x)
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
static double complex
element(const matrix *x, char trans, int i, int j)
{
    const int row = x->i - 1 + (trans == 'N' ? i : j);
    const int col = x->j - 1 + (trans == 'N' ? j : i);
    const double complex v = value(x->type, x->salt, row, col);
    return trans == 'C' ? conj(v) : v;
}

static void
number(int type, double complex v, char *to)
{
    const matrix one = {.type = type, .lld = 1, .x = to};
    store(&one, 0, 0, v);
}

static void
call(const product *p, matrix *c, int real)
{
    char alpha[16], beta[16];
    pgemm *const f = real ? (pgemm *)hesca_scalapack_real(gemm[p->type].name)
                          : gemm[p->type].call;
    number(p->type, p->alpha, alpha);
    number(p->type, p->beta, beta);
    f(&p->transa, &p->transb, &p->m, &p->n, &p->k, alpha, p->a.x, &p->a.i,
      &p->a.j, p->a.desc, p->b.x, &p->b.i, &p->b.j, p->b.desc, beta, c->x,
      &c->i, &c->j, c->desc);
}

/* Against a sum in order, within the bound of any order of summation. */
static void
check_element(const product *p, const matrix *c, const matrix *real, int il,
              int jl)
{
    const int i = row_of(c, il) - (c->i - 1),
              j = column_of(c, jl) - (c->j - 1);
    const double complex before =
        value(p->type, c->salt, row_of(c, il), column_of(c, jl));
    const double complex got = load(c, il, jl), other = load(real, il, jl);
    double complex sum = 0;
    double scale = p->beta == 0 ? 0 : cabs(p->beta) * cabs(before);
    for (int l = 0; l < p->k; ++l) {
        const double complex term =
            element(&p->a, p->transa, i, l) * element(&p->b, p->transb, l, j);
        sum += p->alpha * term;
        scale += cabs(p->alpha) * cabs(term);
    }
    if (p->beta != 0)
        sum += p->beta * before;
    const double bound = 4 * (p->k + 4) * elements[p->type].eps * scale;
    CHECK(cabs(got - sum) <= bound && cabs(got - other) <= 2 * bound,
          "%s %c%c %d x %d x %d, (%d,%d): %g%+gi, the real routine %g%+gi, "
          "must be %g%+gi",
          gemm[p->type].name, p->transa, p->transb, p->m, p->n, p->k, i, j,
          creal(got), cimag(got), creal(other), cimag(other), creal(sum),
          cimag(sum));
}

static void
check_product(const product *p, const matrix *c, const matrix *real,
              const matrix *before)
{
    for (int jl = 0; jl < c->locc; ++jl)
        for (int il = 0; il < c->lld; ++il)
            if (il < c->locr &&
                is_inside(c, row_of(c, il), column_of(c, jl), p->m, p->n))
                check_element(p, c, real, il, jl);
            else
                CHECK(load(c, il, jl) == load(before, il, jl),
                      "%s %d x %d x %d: local (%d,%d) of C is written",
                      gemm[p->type].name, p->m, p->n, p->k, il, jl);
}

static void
set_nan(const matrix *c, int m, int n)
{
    for (int jl = 0; jl < c->locc; ++jl)
        for (int il = 0; il < c->locr; ++il)
            if (is_inside(c, row_of(c, il), column_of(c, jl), m, n))
                store(c, il, jl, NAN);
}

/* The same by both routines. */
static void
compare(product *p)
{
    matrix before, real, a, b;
    copy(&before, &p->c);
    if (p->beta == 0)
        set_nan(&p->c, p->m, p->n);
    copy(&real, &p->c);
    copy(&a, &p->a);
    copy(&b, &p->b);
    call(p, &real, 1);
    call(p, &p->c, 0);
    check_product(p, &p->c, &real, &before);
    CHECK(is_same(&a, &p->a) && is_same(&b, &p->b), "%s writes A or B",
          gemm[p->type].name);
    free(before.x);
    free(real.x);
    free(a.x);
    free(b.x);
}

static product
draw(int type, int ictxt, int most, int entries)
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
    make(&p.a, type, ictxt, p.transa == 'N' ? p.m : p.k,
         p.transa == 'N' ? p.k : p.m, entries);
    make(&p.b, type, ictxt, p.transb == 'N' ? p.k : p.n,
         p.transb == 'N' ? p.n : p.k, entries);
    make(&p.c, type, ictxt, p.m, p.n, entries);
    return p;
}

static void
drop_product(product *p)
{
    free(p->a.x);
    free(p->b.x);
    free(p->c.x);
}

/* ------------------------------------------------ cases */

/* All draw the same numbers, in the grid or not. */
static void
random_products(const char *order, int nprow, int npcol, int most, int ncases)
{
    const uint64_t state = check_state;
    const int ictxt = new_grid(order, nprow, npcol);
    for (int k = 0; k < ncases && ictxt >= 0; ++k) {
        check_state = state + (uint64_t)k * 7919;
        product p = draw(k % 4, ictxt, k % 5 == 4 ? 3 : most, k % 7 ? 9 : 11);
        compare(&p);
        if (k % 3 == 0) { /* again: found in the cache */
            drop_product(&p);
            check_state = state + (uint64_t)k * 7919;
            p = draw(k % 4, ictxt, k % 5 == 4 ? 3 : most, k % 7 ? 9 : 11);
            compare(&p);
        }
        drop_product(&p);
    }
    check_state = state + (uint64_t)ncases * 7919;
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
}

/* What HESCA says of one product: a line that holds `says`; NULL: nothing. */
static void
told(const char *how, const char *says)
{
    const int nprow = size > 3 ? 2 : 1;
    capture said;
    capture_begin(&said);
    const int ictxt = new_grid("R", nprow, size / nprow);
    if (ictxt >= 0) {
        product p = draw(1, ictxt, 30, 9);
        while (p.m == 0 || p.n == 0 || p.k == 0 || p.alpha == 0) {
            drop_product(&p);
            p = draw(1, ictxt, 30, 9);
        }
        compare(&p);
        drop_product(&p);
        Cblacs_gridexit(ictxt);
    }
    capture_end(&said);
    if (rank == 0)
        CHECK(says == NULL ? strstr(said.text, "pdgemm") == NULL
                           : strstr(said.text, says) != NULL,
              "%s: '%s', not '%s'", how, said.text, says == NULL ? "" : says);
}

/* Who computes, as the parameters and the machine say. */
static void
decisions(void)
{
    setenv("HESCA_VERBOSE", "1", 1);
    told("hohe", "by HoHe (new plan), predicted");
    setenv("HESCA_DISABLE", "pdgemm", 1);
    told("disabled", "left to ScaLAPACK: HESCA_DISABLE");
    unsetenv("HESCA_DISABLE");
    setenv("HESCA_GEMM", "real", 1);
    told("real", "left to ScaLAPACK: HESCA_GEMM is real");
    setenv("HESCA_GEMM", "auto", 1);
    told("auto", "left to ScaLAPACK: by prediction");
    write_machine("node", equal, "");
    told("alike", "left to ScaLAPACK: the hosts of its processes do not diff");
    write_machine("node", unequal, "memory 10");
    setenv("HESCA_GEMM", "hohe", 1);
    told("memory", "left to ScaLAPACK: ");
    write_machine("stranger", unequal, "");
    told("strangers", "left to ScaLAPACK: ");
    write_machine("node", unequal, "");
    unsetenv("HESCA_MACHINE");
    told("no machine", "by HoHe (new plan), a copy of");
    setenv("HESCA_GEMM", "auto", 1);
    told("no machine, auto", "no machine is known");
    setenv("HESCA_VERBOSE", "0", 1);
    told("silent", NULL);
    setenv("HESCA_GEMM", "hohe", 1);
    setenv("HESCA_MACHINE", machine_path, 1);
}

/* ------------------------------------------------ other grids */

/* Some product, by the entry that is tested. */
static void
multiply(int ictxt)
{
    check_state = 5;
    product p = draw(1, ictxt, 20, 9);
    while (p.m == 0 || p.n == 0 || p.k == 0 || p.alpha == 0) {
        drop_product(&p);
        p = draw(1, ictxt, 20, 9);
    }
    call(&p, &p.c, 0);
    drop_product(&p);
}

/* HESCA's contexts go with the program's: the BLACS reuse their numbers, and
 * MPI has no more than some 2000 communicators. */
static void
many_contexts(int n)
{
    int first = -1;
    for (int k = 0; k < n; ++k) {
        const int ictxt = new_grid("R", 1, size);
        first = k == 0 ? ictxt : first;
        CHECK(ictxt == first, "context %d is number %d, not %d", k, ictxt,
              first);
        multiply(ictxt);
        Cblacs_gridexit(ictxt);
    }
}

/* BLACS_EXIT takes contexts in order of their numbers, of which HESCA's is the
 * lower one here. */
static void
exit_with_contexts(void)
{
    const int first = new_grid("R", 1, size), second = new_grid("C", size, 1);
    multiply(first);
    Cblacs_gridexit(first);
    multiply(second);
    multiply(new_grid("R", 1, size));
    Cblacs_exit(1);
}

static void
other_grids(void)
{
    setenv("HESCA_GEMM", "grid", 1);
    random_products("R", 2, size / 2, 70, check_cases(8));
    write_machine("node", slow, "");
    random_products("R", 1, size, 150, check_cases(8));
    random_products("C", size / 2, 2, 150, check_cases(16));
    setenv("HESCA_VERBOSE", "1", 1);
    told("grid", "by ScaLAPACK on a 1x1 grid, 64x64 blocks (new plan), pred");
    write_machine("node", slow, "memory 10");
    told("grid, memory", "left to ScaLAPACK: ");
    unsetenv("HESCA_MACHINE");
    told("grid, no machine", "left to ScaLAPACK: no machine is known");
    setenv("HESCA_MACHINE", machine_path, 1);
    setenv("HESCA_VERBOSE", "0", 1);
    write_machine("node", unequal, "");
    many_contexts(check_cases(20));
    exit_with_contexts();
}

/* ------------------------------------------------ bad arguments */

static void
bad(int which, int where)
{
    const int ictxt = new_grid("R", 1, size);
    product p;
    check_state = 11;
    do
        p = draw(1, ictxt, 30, 9);
    while (p.m == 0 || p.n == 0 || p.k == 0 || p.alpha == 0);
    if (where < 0 || where == rank)
        switch (which) {
        case 1:
            p.transa = 'X';
            break;
        case 3:
            p.m = -1;
            break;
        case 8:
            p.a.i = p.a.m + 1;
            break;
        case 1409: /* the local leading dimension */
            p.b.desc[8] = p.b.locr - 1;
            break;
        default:
            p.c.desc[4] = 0;
        }
    call(&p, &p.c, 0);
}

int
main(int argc, char **argv)
{
    begin();
    setenv("HESCA_GEMM", "hohe", 1);
    setenv("HESCA_PLACEMENT", "off", 1);
    if (argc > 2) {
        remove_files();
        unsetenv("HESCA_MACHINE");
        bad(atoi(argv[1]), atoi(argv[2]));
        MPI_Finalize();
        return 0;
    }
    check_state = check_seed(8);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    random_products("R", 1, size, 70, check_cases(8));
    random_products("C", size, 1, 70, check_cases(8));
    random_products("R", 2, size / 2, 70, check_cases(24));
    random_products("C", size / 2, 2, 70, check_cases(24));
    random_products("R", 1, 2, 70, check_cases(4));
    random_products("R", 1, 1, 70, check_cases(4));
    decisions();
    other_grids();
    return end("t_gemm");
}
