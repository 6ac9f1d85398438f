/* SPDX-License-Identifier: BSD-3-Clause */
/* Local matrices of more than 2^31 elements: rows and columns behind the reach
 * of an int are found.  The matrices are mapped but not touched elsewhere, so
 * the test needs little memory.
 *
 * With HESCA_TEST_BIG also more than 2^31 bytes, and elements, from process to
 * process, in matrices that are really there: 5 GB, on one process 10 GB. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "hesca/redist.h"
#include "hesca/scalapack.h"
#include "testing/check.h"
#include "testing/shim/blacs.h"
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

static int rank, nprocs;

/* A matrix on a grid of ScaLAPACK's, with elements of any size. */
typedef struct {
    int desc[9];
    int nprow, npcol, myrow, mycol, locr, locc;
    size_t esize, nbytes;
    unsigned char *x;
} matrix;

static matrix
matrix_make(int ictxt, int m, int n, int mb, int nb, int csrc, size_t esize)
{
    matrix a = {.desc = {1, ictxt, m, n, mb, nb, 0, csrc, 1}, .esize = esize};
    const int *d = a.desc;
    if (ictxt < 0)
        return a;
    Cblacs_gridinfo(ictxt, &a.nprow, &a.npcol, &a.myrow, &a.mycol);
    a.locr = numroc_(&d[2], &d[4], &a.myrow, &d[6], &a.nprow);
    a.locc = numroc_(&d[3], &d[5], &a.mycol, &d[7], &a.npcol);
    a.desc[8] = a.locr > 1 ? a.locr : 1;
    a.nbytes = (size_t)a.locr * (size_t)a.locc * esize;
    a.x = mmap(NULL, a.nbytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a.x == MAP_FAILED) {
        printf("cannot map a matrix of %zu bytes\n", a.nbytes);
        fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, 77);
    }
    return a;
}

static void
matrix_free(matrix *a)
{
    if (a->nbytes > 0)
        munmap(a->x, a->nbytes);
}

static int64_t
global(int local, int nb, int iproc, int src, int count)
{
    const int distance = (iproc - src + count) % count;
    return ((int64_t)(local / nb) * count + distance) * nb + local % nb;
}

/* How many rows or columns this process owns before the global index i. */
static int
local_begin(int64_t i, int nb, int iproc, int src, int count)
{
    const int distance = (iproc - src + count) % count;
    const int64_t block = i / nb, round = block / count;
    if (block % count < distance)
        return (int)(round * nb);
    if (block % count > distance)
        return (int)((round + 1) * nb);
    return (int)(round * nb + i % nb);
}

static uint64_t
value_of(int64_t i, int64_t j)
{
    return ((uint64_t)i * 0x9e3779b97f4a7c15u +
            (uint64_t)j * 0xbf58476d1ce4e5b9u + 1) >>
           17;
}

/* Give m x n elements from (i,j) on their values, or count how many are not
 * those of the submatrix of A at (ia,ja). */
static int64_t
matrix_visit(const matrix *a, int64_t m, int64_t n, int64_t i, int64_t j,
             int64_t ia, int64_t ja, int fill)
{
    const int *d = a->desc;
    int64_t wrong = 0;
    if (d[1] < 0)
        return 0;
    const int p0 = local_begin(i, d[4], a->myrow, d[6], a->nprow);
    const int p1 = local_begin(i + m, d[4], a->myrow, d[6], a->nprow);
    const int q0 = local_begin(j, d[5], a->mycol, d[7], a->npcol);
    const int q1 = local_begin(j + n, d[5], a->mycol, d[7], a->npcol);
    for (int q = q0; q < q1; ++q) {
        const int64_t jg = global(q, d[5], a->mycol, d[7], a->npcol);
        unsigned char *x =
            a->x + ((size_t)q * (size_t)d[8] + (size_t)p0) * a->esize;
        for (int p = p0; p < p1; ++p, x += a->esize) {
            const int64_t ig = global(p, d[4], a->myrow, d[6], a->nprow);
            const uint64_t v = value_of(ig - i + ia, jg - j + ja);
            if (fill)
                memcpy(x, &v, a->esize);
            else
                wrong += memcmp(x, &v, a->esize) != 0;
        }
    }
    return wrong;
}

typedef void gemr2d(int, int, const void *, int, int, const int *, void *, int,
                    int, const int *, int);

/* One element at (i,j), counted from 0, must still be zero. */
static void
check_zero(const matrix *b, int64_t i, int64_t j, const char *what)
{
    const int *d = b->desc;
    if (d[1] < 0 || i < 0 || i >= d[2] || j < 0 || j >= d[3])
        return;
    const int p = local_begin(i, d[4], b->myrow, d[6], b->nprow);
    const int q = local_begin(j, d[5], b->mycol, d[7], b->npcol);
    if (p == local_begin(i + 1, d[4], b->myrow, d[6], b->nprow) ||
        q == local_begin(j + 1, d[5], b->mycol, d[7], b->npcol))
        return; /* another process owns it */
    static const unsigned char zero[16];
    CHECK(memcmp(b->x + ((size_t)q * (size_t)d[8] + (size_t)p) * b->esize,
                 zero, b->esize) == 0,
          "%s: B(%lld,%lld) was written", what, (long long)i + 1,
          (long long)j + 1);
}

/* Copy an m x n submatrix from (ia,ja) to (ib,jb), counted from 1. */
static void
copy(const char *what, int m, int n, matrix *a, int ia, int ja, matrix *b,
     int ib, int jb, int ictxt)
{
    matrix_visit(a, m, n, ia - 1, ja - 1, ia, ja, 1);
    gemr2d *const routine =
        a->esize == 16 ? (gemr2d *)hesca_Cpzgemr2d : (gemr2d *)hesca_Cpdgemr2d;
    routine(m, n, a->x, ia, ja, a->desc, b->x, ib, jb, b->desc, ictxt);
    const int64_t wrong = matrix_visit(b, m, n, ib - 1, jb - 1, ia, ja, 0);
    CHECK(wrong == 0,
          "%s, rank %d of %d: %lld elements of %d x %d from (%d,%d) of %d x "
          "%d, %d x %d blocks, to (%d,%d) of %d x %d, %d x %d blocks",
          what, rank, nprocs, (long long)wrong, m, n, ia, ja, a->desc[2],
          a->desc[3], a->desc[4], a->desc[5], ib, jb, b->desc[2], b->desc[3],
          b->desc[4], b->desc[5]);
    for (int64_t j = jb - 2; j <= jb + n - 1; ++j) {
        check_zero(b, ib - 2, j, what);
        check_zero(b, (int64_t)ib + m - 1, j, what);
    }
    for (int64_t i = ib - 1; i < (int64_t)ib + m - 1; i += 997) {
        check_zero(b, i, jb - 2, what);
        check_zero(b, i, (int64_t)jb + n - 1, what);
    }
    matrix_free(a);
    matrix_free(b);
}

/* Everything at the far end of a large matrix, from and to a small one, and
 * from one large matrix to another. */
static void
far_corner(const char *what, int big, int m, int n, int mb, int nb, int subm,
           int subn, int small, int all)
{
    const int i = m - subm + 1, j = n - subn + 1;
    for (int direction = 0; direction < 3; ++direction) {
        matrix x = matrix_make(big, m, n, mb, nb, 0, 8);
        matrix y = direction < 2
                       ? matrix_make(small, subm + 9, subn + 2, 7, 1, 0, 8)
                       : matrix_make(big, m, n, mb, nb, 0, 8);
        if (direction == 0)
            copy(what, subm, subn, &x, i, j, &y, 5, 2, all);
        else if (direction == 1)
            copy(what, subm, subn, &y, 5, 2, &x, i, j, all);
        else
            copy(what, subm, subn, &x, i, j, &y, i > 1 ? i - 1 : i, j - 1,
                 all);
    }
}

static void
far_corners(void)
{
    const int all = grid(1, nprocs), column = grid(nprocs, 1);
    const int one = grid(1, 1), p = nprocs;
    const int big[] = {one, all, column};
    for (int k = 0; k < 3; ++k) {
        /* Every process of the grid owns 40000 x 60000. */
        const int m = k == 2 ? 40000 * p : 40000;
        const int n = k == 1 ? 60000 * p : 60000;
        far_corner("the last column", big[k], m, n, 40000, 60000, 40000, 1,
                   column, all);
        far_corner("the last corner", big[k], m, n, 100, 48, 4, 4, all, all);
        far_corner("the last corner of blocks of 1", big[k], m, n, 1, 1, 50,
                   30, column, column);
        /* More than 2^32 elements away; 11 rows from here INT_MAX is over. */
        far_corner("the last row", big[k], INT_MAX, 4, 64, 1, 10, 1, column,
                   all);
    }
    Cblacs_gridexit(all);
    Cblacs_gridexit(column);
    if (one >= 0)
        Cblacs_gridexit(one);
}

/* ------------------------------------------------ HESCA_TEST_BIG */

static long
available_megabytes(void)
{
    char line[128];
    long kilobytes = -1;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "MemAvailable: %ld", &kilobytes) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kilobytes < 0 ? LONG_MAX : kilobytes / 1024;
}

/* 2.3e9 bytes from the first process to the last; and both processes exchange
 * all that they have. */
static void
many_bytes(void)
{
    const int n = 17000, last = nprocs - 1, zero = 0;
    const int all = grid(1, nprocs);
    const int from = grid_of(&zero, 1, 1), to = grid_of(&last, 1, 1);
    matrix a = matrix_make(from, n, n, 64, 64, 0, 8);
    matrix b = matrix_make(to, n, n, 100, 36, 0, 8);
    copy("2.3e9 bytes", n, n, &a, 1, 1, &b, 1, 1, all);
    a = matrix_make(all, n, n, 64, 64, 0, 8);
    b = matrix_make(all, n, n, 64, 64, nprocs > 1, 8);
    copy("all blocks change their process", n, n, &a, 1, 1, &b, 1, 1, all);
    Cblacs_gridexit(all);
    if (from >= 0)
        Cblacs_gridexit(from);
    if (to >= 0)
        Cblacs_gridexit(to);
}

static unsigned char
byte_of(int64_t i, int64_t j)
{
    return (unsigned char)(i * 31 + j * 17 + (i >> 8) + (j >> 7));
}

static int64_t
visit_bytes(unsigned char *x, int64_t n, int fill)
{
    int64_t wrong = 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i)
            if (fill)
                x[j * n + i] = byte_of(i, j);
            else
                wrong += x[j * n + i] != byte_of(i, j);
    return wrong;
}

static void
check_bytes(unsigned char *b, int64_t n, int err, const char *what)
{
    CHECK(err == HESCA_SUCCESS, "%s: %d, %s", what, err, hesca_error_text());
    if (rank == nprocs - 1) {
        const int64_t wrong = visit_bytes(b, n, 0);
        CHECK(wrong == 0, "%s on %d processes: %lld of %lld bytes wrong", what,
              nprocs, (long long)wrong, (long long)(n * n));
        memset(b, 0, (size_t)(n * n));
    }
}

/* 2.2e9 elements of one byte, planned and not. */
static void
many_elements(void)
{
    const int64_t n = 47000;
    const int last = nprocs - 1, zero = 0;
    const size_t size = (size_t)(n * n);
    unsigned char *a = rank == 0 ? malloc(size) : NULL;
    unsigned char *b = rank == last ? calloc(size, 1) : NULL;
    hesca_layout *la, *lb;
    hesca_plan *plan;
    if (a != NULL)
        visit_bytes(a, n, 1);
    hesca_layout_create_cyclic(n, n, 1000, 77, 0, 0, 1, 1, &zero, &la);
    hesca_layout_create_cyclic(n, n, 640, 100, 0, 0, 1, 1, &last, &lb);
    int err = hesca_plan_create(HESCA_ALL, n, n, &(hesca_matrix){.layout = la},
                                &(hesca_matrix){.layout = lb}, 1,
                                MPI_COMM_WORLD, &plan);
    CHECK(err == HESCA_SUCCESS, "plan: %d, %s", err, hesca_error_text());
    if (err == HESCA_SUCCESS)
        err = hesca_plan_execute(plan, a, n, b, n);
    check_bytes(b, n, err, "hesca_plan_execute");
    hesca_plan_free(plan);
    hesca_layout_free(la);
    hesca_layout_free(lb);
    const hesca_side sa = {.member = rank == 0,
                           .nprow = 1,
                           .npcol = 1,
                           .m = n,
                           .n = n,
                           .mb = 1000,
                           .nb = 77,
                           .lld = n};
    const hesca_side sb = {.member = rank == last,
                           .nprow = 1,
                           .npcol = 1,
                           .m = n,
                           .n = n,
                           .mb = 640,
                           .nb = 100,
                           .lld = n};
    err = hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, n, n, &sa, a, &sb, b, 1,
                             MPI_COMM_WORLD, NULL);
    check_bytes(b, n, err, "hesca_redistribute");
    free(a);
    free(b);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Cblacs_pinfo(&rank, &nprocs);
    far_corners();
    if (check_big()) {
        if (available_megabytes() < 11000) {
            printf("%ld MB of memory are available, 11000 are needed\n",
                   available_megabytes());
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 77);
        }
        many_bytes();
        many_elements();
    }
    const int failed = check_done("t_far");
    MPI_Finalize();
    return failed;
}
