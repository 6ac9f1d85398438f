/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with 64-bit INTEGERs, on stand-ins for its ScaLAPACK, with HESCA
 * preloaded:
 *
 *   t_ilp64 served   libhesca_scalapack has such INTEGERs, and serves it
 *   t_ilp64 blas     so it has, but the program's BLAS has them, too, which
 *                    libhesca lacks: routines that compute are left
 *   t_ilp64 passed   it has others: all calls reach the stand-ins as they are
 *
 * t_ilp64.sh starts it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "testing/check.h"
#include "testing/shim/ilp64/standins.h"
#include <math.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
    Int ictxt, nprow, npcol, myrow, mycol;
} grid_t;

static int rank, size;
static const Int one = 1;

static grid_t
complete(Int ictxt)
{
    grid_t g = {.ictxt = ictxt};
    Cblacs_gridinfo(ictxt, &g.nprow, &g.npcol, &g.myrow, &g.mycol);
    return g;
}

/* nprow x npcol, in Fortran. */
static grid_t
make_grid(Int nprow, Int npcol)
{
    const Int minus = -1, zero = 0;
    Int ictxt;
    blacs_get_(&minus, &zero, &ictxt);
    blacs_gridinit_(&ictxt, "C", &nprow, &npcol, 1);
    return complete(ictxt);
}

/* A row of all processes, the last one first, in C. */
static grid_t
make_reversed(void)
{
    Int map[64], ictxt;
    for (int k = 0; k < size; ++k)
        map[k] = size - 1 - k;
    Cblacs_get(-1, 0, &ictxt);
    Cblacs_gridmap(&ictxt, map, 1, 1, size);
    return complete(ictxt);
}

/* ------------------------------------------------ matrices */

typedef struct {
    Int desc[9];
    Int i, j; /* of the submatrix, from 1 */
    Int m, n; /* of it */
    grid_t g;
    Int *x; /* element A(1,1) of the local array: 64 bits of any type */
} matrix_t;

/* Where row (column) k, from 0, is: \return its process. */
static Int
place(Int k, Int nb, Int nprocs, Int *local)
{
    *local = k / nb / nprocs * nb + k % nb;
    return k / nb % nprocs;
}

/* The local element of (i,j) of sub(A), NULL if another process has it. */
static Int *
element(const matrix_t *a, Int i, Int j)
{
    Int li, lj;
    const Int p = place(a->i - 1 + i, a->desc[4], a->g.nprow, &li);
    const Int q = place(a->j - 1 + j, a->desc[5], a->g.npcol, &lj);
    return p == a->g.myrow && q == a->g.mycol ? a->x + lj * a->desc[8] + li
                                              : NULL;
}

static matrix_t
make(const grid_t *g, Int m, Int n, Int mb, Int nb, Int i, Int j, Int rows,
     Int cols)
{
    matrix_t a = {
        {1, g->ictxt, m, n, mb, nb, 0, 0, m}, i, j, rows, cols, *g, NULL};
    a.x = calloc((size_t)(m * n), sizeof *a.x);
    return a;
}

static Int
number(Int i, Int j)
{
    return (((Int)1 << 40) + i) * 1000 + j;
}

static void
fill(matrix_t *a)
{
    for (Int i = 0; i < a->m; ++i)
        for (Int j = 0; j < a->n; ++j) {
            Int *x = element(a, i, j);
            if (x != NULL)
                *x = number(i, j);
        }
}

/* Elements that are not as they should be: those copied are, others are 0.
 * The upper trapezoid ends in the lower right corner. */
static long
wrong(const matrix_t *b, int upper)
{
    long n = 0;
    for (Int i = 0; i < b->m; ++i)
        for (Int j = 0; j < b->n; ++j) {
            const Int *x = element(b, i, j);
            n += x != NULL &&
                 *x != (upper && i - b->m > j - b->n ? 0 : number(i, j));
        }
    return n;
}

/* ------------------------------------------------ p?gemr2d, p?trmr2d */

static void
copies(const grid_t *ga, const grid_t *gb)
{
    for (int k = 0; k < 6; ++k) {
        matrix_t a = make(ga, 60, 50, 7, 3, 5, 2, 40, 30);
        matrix_t b = make(gb, 55, 70, 2, 8, 1, 9, 40, 30);
        const Int m = a.m, n = a.n, ictxt = ga->ictxt;
        double *xa = (double *)(void *)a.x, *xb = (double *)(void *)b.x;
        fill(&a);
        switch (k) {
        case 0:
            pdgemr2d_(&m, &n, xa, &a.i, &a.j, a.desc, xb, &b.i, &b.j, b.desc,
                      &ictxt);
            break;
        case 1:
            Cpdgemr2d(m, n, xa, a.i, a.j, a.desc, xb, b.i, b.j, b.desc, ictxt);
            break;
        case 2:
            pdgemr2do_(&m, &n, xa, &a.i, &a.j, a.desc, xb, &b.i, &b.j, b.desc);
            break;
        case 3: /* an element is an INTEGER */
            pigemr2d_(&m, &n, a.x, &a.i, &a.j, a.desc, b.x, &b.i, &b.j, b.desc,
                      &ictxt);
            break;
        case 4:
            Cpigemr2d(m, n, a.x, a.i, a.j, a.desc, b.x, b.i, b.j, b.desc,
                      ictxt);
            break;
        default:
            pdtrmr2d_("U", "N", &m, &n, xa, &a.i, &a.j, a.desc, xb, &b.i, &b.j,
                      b.desc, &ictxt, 1, 1);
        }
        CHECK(wrong(&b, k == 5) == 0, "call %d, %ld elements", k,
              wrong(&b, k == 5));
        CHECK(standin_last.calls == 0, "call %d was left", k);
        free(a.x);
        free(b.x);
    }
}

/* The last rows of a matrix with more than 2^33, of which only they have
 * memory. */
static void
far_copy(const grid_t *ga, const grid_t *gb)
{
    const Int rows = ((Int)1 << 33) + 1000, m = 300, n = 2;
    const Int ictxt = ga->ictxt;
    const size_t bytes = (size_t)rows * 2 * sizeof(Int);
    matrix_t a = make(ga, 1, 1, 64, 1, rows - m + 1, 1, m, n);
    matrix_t b = make(gb, m, n, 16, 1, 1, 1, m, n);
    int there, all;
    free(a.x);
    a.desc[2] = a.desc[8] = rows;
    a.desc[3] = n;
    a.x = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    there = a.x != MAP_FAILED;
    MPI_Allreduce(&there, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all) {
        if (rank == 0)
            printf("no address space for 2^33 rows: not tried\n");
    } else {
        fill(&a);
        Cpigemr2d(m, n, a.x, a.i, a.j, a.desc, b.x, b.i, b.j, b.desc, ictxt);
        CHECK(wrong(&b, 0) == 0, "%ld elements", wrong(&b, 0));
        CHECK(standin_last.calls == 0, "left");
    }
    if (there)
        munmap(a.x, bytes);
    free(b.x);
}

/* Errors name the argument, and do not lose the upper half of its value. */
static void
errors(const grid_t *g)
{
    const Int wide = ((Int)1 << 32) + 1;
    matrix_t a = make(g, 8, 8, 2, 2, 1, 1, 4, 4);
    matrix_t b = make(g, 8, 8, 2, 2, 1, 1, 4, 4);
    standin_error = 0;
    Cpigemr2d(4, 4, a.x, wide, 1, a.desc, b.x, 1, 1, b.desc, g->ictxt);
    CHECK(standin_error == 4, "INFO %lld, not 4 (IA)",
          (long long)standin_error);
    a.desc[3] = wide + 100;
    standin_error = 0;
    pigemr2d_(&a.m, &a.n, a.x, &one, &wide, a.desc, b.x, &one, &wide, b.desc,
              &g->ictxt);
    CHECK(standin_error == 9, "INFO %lld, not 9 (JB)",
          (long long)standin_error);
    a.desc[3] = 8;
    a.desc[6] = wide - 1; /* RSRC: its lower half is 0 */
    standin_error = 0;
    pigemr2d_(&a.m, &a.n, a.x, &one, &one, a.desc, b.x, &one, &one, b.desc,
              &g->ictxt);
    CHECK(standin_error == 607, "INFO %lld, not 607 (RSRC)",
          (long long)standin_error);
    CHECK(standin_last.calls == 0, "left");
    free(a.x);
    free(b.x);
}

/* ------------------------------------------------ routines that compute */

enum { N = 24, NB = 4 };

/* A(i,j): nonsingular, and rows change places. */
static double
coefficient(Int i, Int j)
{
    return i + j == N - 1 ? 30 : 1.0 / (double)(1 + i + 2 * j);
}

static matrix_t
make_reals(const grid_t *g, int is_b)
{
    matrix_t a = make(g, N, N, NB, NB, 1, 1, N, is_b ? 1 : N);
    for (Int i = 0; i < a.m; ++i)
        for (Int j = 0; j < a.n; ++j) {
            double x = is_b ? 0 : coefficient(i, j);
            for (Int k = 0; is_b && k < N; ++k)
                x += coefficient(i, k); /* A times ones */
            if (element(&a, i, j) != NULL)
                memcpy(element(&a, i, j), &x, sizeof x);
        }
    return a;
}

/* Elements of a column that are not x. */
static long
differ(const matrix_t *b, double x)
{
    long n = 0;
    for (Int i = 0; i < N; ++i)
        if (element(b, i, 0) != NULL) {
            double y;
            memcpy(&y, element(b, i, 0), sizeof y);
            n += !(fabs(y - x) < 1e-10);
        }
    return n;
}

/* Interchanges that cannot be: below the row, or beyond the matrix. */
static long
bad_pivots(const grid_t *g, const Int *ipiv)
{
    long n = 0;
    for (Int i = 0; i < N; ++i) {
        Int local;
        if (place(i, NB, g->nprow, &local) == g->myrow)
            n += ipiv[local] < i + 1 || ipiv[local] > N;
    }
    return n;
}

static void
solves(const grid_t *g, int served)
{
    const Int n = N;
    const double alpha = 1, beta = 0;
    Int ipiv[2 * N], info = -1;
    matrix_t a = make_reals(g, 0), b = make_reals(g, 1), c = b;
    double *xa = (double *)(void *)a.x, *xb = (double *)(void *)b.x;
    memset(ipiv, 0x55, sizeof ipiv);
    standin_last.calls = 0;
    pdgesv_(&n, &one, xa, &one, &one, a.desc, ipiv, xb, &one, &one, b.desc,
            &info);
    CHECK(info == 0, "INFO %lld", (long long)info);
    if (served) {
        CHECK(standin_last.calls == 0, "%s", standin_last.name);
        CHECK(differ(&b, 1) == 0, "%ld elements of X", differ(&b, 1));
        CHECK(bad_pivots(g, ipiv) == 0, "%ld interchanges",
              bad_pivots(g, ipiv));
    } else {
        CHECK(standin_last.calls == 1 && standin_last.m == N &&
                  standin_last.ipiv == ipiv && standin_last.b == xb,
              "%ld calls", standin_last.calls);
    }
    /* Once more with the factors. */
    c = make_reals(g, 1);
    info = -1;
    if (served) {
        pdgetrs_("N", &n, &one, xa, &one, &one, a.desc, ipiv,
                 (double *)(void *)c.x, &one, &one, c.desc, &info, 1);
        CHECK(info == 0 && standin_last.calls == 0 && differ(&c, 1) == 0,
              "%ld elements of X, INFO %lld", differ(&c, 1), (long long)info);
    }
    /* A times ones is b. */
    matrix_t d = make_reals(g, 0), e = make_reals(g, 1);
    for (Int i = 0; i < N; ++i)
        if (element(&c, i, 0) != NULL)
            memcpy(element(&c, i, 0), &alpha, sizeof alpha);
    standin_last.calls = 0;
    pdgemm_("N", "N", &n, &one, &n, &alpha, (double *)(void *)d.x, &one, &one,
            d.desc, (double *)(void *)c.x, &one, &one, c.desc, &beta,
            (double *)(void *)b.x, &one, &one, b.desc, 1, 1);
    if (served) {
        long n_wrong = 0;
        for (Int i = 0; i < N; ++i)
            if (element(&e, i, 0) != NULL) {
                double x, y;
                memcpy(&x, element(&e, i, 0), sizeof x);
                memcpy(&y, element(&b, i, 0), sizeof y);
                n_wrong += !(fabs(x - y) < 1e-10);
            }
        CHECK(n_wrong == 0, "%ld elements of the product", n_wrong);
    }
    CHECK(standin_last.calls == !served, "%ld calls", standin_last.calls);
    free(a.x);
    free(b.x);
    free(c.x);
    free(d.x);
    free(e.x);
}

/* ------------------------------------------------ passed on as they are */

static void
check_passed(const char *name, Int m, Int ia, const Int *desc, Int ictxt)
{
    CHECK(strcmp(standin_last.name, name) == 0, "%s, not %s",
          standin_last.name, name);
    CHECK(standin_last.m == m && standin_last.n == 7 &&
              standin_last.ia == ia && standin_last.ja == 3 &&
              standin_last.ib == ia && standin_last.jb == 3,
          "%s: M %lld, IA %lld", name, (long long)standin_last.m,
          (long long)standin_last.ia);
    CHECK(standin_last.desca == desc && standin_last.descb == desc &&
              standin_last.ictxt == ictxt,
          "%s: descriptors, context %lld", name,
          (long long)standin_last.ictxt);
}

static void
passed(const grid_t *g)
{
    const Int m = (Int)1 << 32, n = 7, ia = m + 5, ja = 3;
    const Int desc[9] = {1, g->ictxt, m + m, 100, 16, 16, 0, 0, m + m};
    Int before[9], x[1] = {0};
    double d[1] = {0};
    memcpy(before, desc, sizeof desc);
    pdgemr2d_(&m, &n, d, &ia, &ja, desc, d, &ia, &ja, desc, &g->ictxt);
    check_passed("Cpdgemr2d", m, ia, desc, g->ictxt);
    Cpdgemr2d(m, n, d, ia, ja, desc, d, ia, ja, desc, g->ictxt);
    check_passed("Cpdgemr2d", m, ia, desc, g->ictxt);
    pdgemr2do_(&m, &n, d, &ia, &ja, desc, d, &ia, &ja, desc);
    check_passed("Cpdgemr2do", m, ia, desc, -1);
    pigemr2d_(&m, &n, x, &ia, &ja, desc, x, &ia, &ja, desc, &g->ictxt);
    check_passed("Cpigemr2d", m, ia, desc, g->ictxt);
    Cpdtrmr2d("U", "N", m, n, d, ia, ja, desc, d, ia, ja, desc, g->ictxt);
    check_passed("Cpdtrmr2d", m, ia, desc, g->ictxt);
    pdtrmr2d_("U", "N", &m, &n, d, &ia, &ja, desc, d, &ia, &ja, desc,
              &g->ictxt, 1, 1);
    check_passed("Cpdtrmr2d", m, ia, desc, g->ictxt);
    CHECK(standin_last.calls == 6, "%ld calls", standin_last.calls);
    CHECK(memcmp(before, desc, sizeof desc) == 0, "the descriptor");
    solves(g, 0);
}

int
main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "served";
    Int r, n;
    Cblacs_pinfo(&r, &n);
    rank = (int)r;
    size = (int)n;
    const grid_t row = make_grid(1, size), column = make_grid(size, 1);
    const grid_t reversed = make_reversed();
    CHECK(row.npcol == size && row.mycol == rank, "column %lld",
          (long long)row.mycol);
    CHECK(column.nprow == size && column.myrow == rank, "row %lld",
          (long long)column.myrow);
    CHECK(reversed.mycol == size - 1 - rank, "column %lld",
          (long long)reversed.mycol);
    if (strcmp(mode, "passed") == 0) {
        passed(&column);
    } else {
        copies(&row, &column);
        copies(&column, &reversed);
        far_copy(&column, &row);
        errors(&column);
        solves(&column, strcmp(mode, "served") == 0);
    }
    Cblacs_gridexit(reversed.ictxt);
    Cblacs_gridexit(column.ictxt);
    Cblacs_gridexit(row.ictxt);
    r = check_done("t_ilp64");
    MPI_Finalize();
    return (int)r;
}
