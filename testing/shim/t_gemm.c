/* SPDX-License-Identifier: BSD-3-Clause */
/* P?GEMM by HoHe, and on another grid, forced, on hosts of unequal
 * speed: the results of ScaLAPACK's own routine within the bounds of rounding,
 * of graded matrices element by element, of non-finite ones non-finite where
 * ScaLAPACK's are; nothing written outside of sub(C), also with arguments that
 * go on to ScaLAPACK; and what HESCA reports.
 *
 * With arguments BAD RANK: the call number BAD of bad(), wrong on process
 * RANK, or on all if that is -1; ScaLAPACK ends the program then. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv, dup2 */
#include "hohe/hohe.h"
#include "testing/shim/products.h"

/* ------------------------------------------------ cases */

/* All draw the same numbers, in the grid or not. */
static void
random_products(const char *order, int nprow, int npcol, int most, int ncases)
{
    const uint64_t state = check_state;
    const int ictxt = new_grid(order, nprow, npcol);
    for (int k = 0; k < ncases && ictxt >= 0; ++k) {
        const likeness like = (likeness)(k / 4 % 3);
        const int largest = k % 5 == 4 ? 3 : most, entries = k % 7 ? 9 : 11;
        check_state = state + (uint64_t)k * 7919;
        product p = product_draw(k % 4, like, ictxt, largest, entries);
        product_compare(&p);
        if (k % 3 == 0) { /* again: found in the cache */
            product_drop(&p);
            check_state = state + (uint64_t)k * 7919;
            p = product_draw(k % 4, like, ictxt, largest, entries);
            product_compare(&p);
        }
        product_drop(&p);
    }
    check_state = state + (uint64_t)ncases * 7919;
    if (ictxt >= 0)
        Cblacs_gridexit(ictxt);
}

/* What HESCA says of one product: a line that holds `says`; NULL: nothing. */
static void
check_report(const char *how, const char *says)
{
    const int nprow = size > 3 ? 2 : 1;
    const uint64_t state = check_state;
    capture said;
    check_state = 5; /* one product for all */
    capture_begin(&said);
    const int ictxt = new_grid("R", nprow, size / nprow);
    if (ictxt >= 0) {
        product p = product_draw(1, ORDINARY, ictxt, 30, 9);
        while (p.m == 0 || p.n == 0 || p.k == 0 || p.alpha == 0) {
            product_drop(&p);
            p = product_draw(1, ORDINARY, ictxt, 30, 9);
        }
        product_compare(&p);
        product_drop(&p);
        Cblacs_gridexit(ictxt);
    }
    capture_end(&said);
    check_state = state;
    if (rank == 0)
        CHECK(says == NULL ? strstr(said.text, "pdgemm") == NULL
                           : strstr(said.text, says) != NULL,
              "%s: '%s', not '%s'", how, said.text, says == NULL ? "" : says);
}

/* The way to compute that the parameters and the machine give. */
static void
decisions(void)
{
    setenv("HESCA_VERBOSE", "2", 1);
    check_report("hohe", "by HoHe (new plan), predicted");
    setenv("HESCA_DISABLE", "pdgemm", 1);
    check_report("disabled", "left to ScaLAPACK: HESCA_DISABLE");
    unsetenv("HESCA_DISABLE");
    setenv("HESCA_GEMM", "real", 1);
    check_report("real", "left to ScaLAPACK: HESCA_GEMM is real");
    setenv("HESCA_GEMM", "auto", 1);
    check_report("auto", "left to ScaLAPACK: by prediction");
    write_machine("node", equal, "");
    check_report("equal", "left to ScaLAPACK: by prediction");
    write_machine("node", unequal, "memory 10");
    setenv("HESCA_GEMM", "hohe", 1);
    check_report("memory", "left to ScaLAPACK: ");
    write_machine("stranger", unequal, "");
    check_report("strangers", "left to ScaLAPACK: ");
    write_machine("node", unequal, "");
    unsetenv("HESCA_MACHINE");
    check_report("no machine", "by HoHe (new plan), in place");
    setenv("HESCA_GEMM", "auto", 1);
    check_report("no machine, auto", "no machine is known");
    setenv("HESCA_VERBOSE", "0", 1);
    check_report("silent", NULL);
    setenv("HESCA_GEMM", "hohe", 1);
    setenv("HESCA_MACHINE", machine_path, 1);
}

/* ------------------------------------------------ other grids */

/* Some product, by the entry that is tested. */
static void
multiply(int ictxt)
{
    check_state = 5;
    product p = product_draw(1, ORDINARY, ictxt, 20, 9);
    while (p.m == 0 || p.n == 0 || p.k == 0 || p.alpha == 0) {
        product_drop(&p);
        p = product_draw(1, ORDINARY, ictxt, 20, 9);
    }
    product_call(&p, &p.c, 0);
    product_drop(&p);
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
    setenv("HESCA_VERBOSE", "2", 1);
    check_report("grid", "by ScaLAPACK on a "); /* any grid */
    write_machine("node", slow, "memory 10");
    check_report("grid, memory", "left to ScaLAPACK: ");
    unsetenv("HESCA_MACHINE");
    check_report("grid, no machine", "left to ScaLAPACK: no machine is known");
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
        p = product_draw(1, ORDINARY, ictxt, 30, 9);
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
    product_call(&p, &p.c, 0);
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
