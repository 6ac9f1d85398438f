/* SPDX-License-Identifier: BSD-3-Clause */
/* Differential test: p?gemr2d and p?trmr2d of ScaLAPACK and of HESCA on random
 * cases, bit for bit, in sub(B) and everywhere around it.
 *
 * Grids are of all shapes that fit, on random processes in random order, so
 * that some are in A's grid, B's, both or neither.  Elements are random bits,
 * and among them NaNs with payloads, -0.0 and denormals.  The number of cases
 * and the seed can be set: HESCA_TEST_PERCENT, HESCA_TEST_SEED. */
#include "hesca/scalapack.h"
#include "testing/check.h"
#include "testing/shim/blacs.h"
#include <string.h>

enum { NGRIDS = 6, GUARD = 64 };

typedef struct {
    int ictxt, nprow, npcol;
} grid_t;

typedef struct {
    int desc[9];
    int i, j;       /* from 1 */
    size_t nbytes;  /* of the local array and its guard */
    char shape[96]; /* for messages */
} side_t;

static const size_t esizes[] = {4, 4, 8, 8, 16};
static const char letters[] = "isdcz";

static void
shuffle(int *x, int n)
{
    for (int k = n - 1; k > 0; --k) {
        const int other = check_uniform(0, k), t = x[k];
        x[k] = x[other];
        x[other] = t;
    }
}

static grid_t
random_grid(int nprocs)
{
    int ranks[64];
    grid_t g = {.nprow = check_uniform(1, nprocs)};
    g.npcol = check_uniform(1, nprocs / g.nprow);
    for (int k = 0; k < nprocs; ++k)
        ranks[k] = k;
    shuffle(ranks, nprocs);
    g.ictxt = grid_of(ranks, g.nprow, g.npcol);
    return g;
}

/* Rows or columns of the whole matrix, and where the submatrix begins. */
static int
random_extent(int n, int *first)
{
    const int before = check_uniform(0, 2) ? check_uniform(0, 30) : 0;
    *first = before + 1;
    return before + n + (check_uniform(0, 1) ? check_uniform(0, 30) : 0);
}

static void
random_side(side_t *s, const grid_t *g, int m, int n, size_t esize)
{
    int myrow, mycol, dummy;
    int *d = s->desc;
    memset(s, 0, sizeof *s);
    d[0] = 1;
    d[1] = g->ictxt;
    d[2] = random_extent(m, &s->i);
    d[3] = random_extent(n, &s->j);
    d[4] = check_block(d[2]);
    d[5] = check_block(d[3]);
    d[6] = check_uniform(0, g->nprow - 1);
    d[7] = check_uniform(0, g->npcol - 1);
    const int more = check_uniform(0, 1) ? check_uniform(0, 5) : 0;
    snprintf(s->shape, sizeof s->shape,
             "%dx%d of %dx%d blocks on %dx%d from (%d,%d) at (%d,%d)", d[2],
             d[3], d[4], d[5], g->nprow, g->npcol, d[6], d[7], s->i, s->j);
    s->nbytes = GUARD;
    Cblacs_gridinfo(g->ictxt, &dummy, &dummy, &myrow, &mycol);
    if (myrow < 0) {
        /* Outside: everything but the context is undefined. */
        for (int k = 0; k < 9; ++k)
            d[k] = -77;
        d[1] = -1;
        s->i = s->j = -77;
        return;
    }
    const int locr = numroc_(&d[2], &d[4], &myrow, &d[6], &g->nprow);
    const int locc = numroc_(&d[3], &d[5], &mycol, &d[7], &g->npcol);
    d[8] = (locr > 1 ? locr : 1) + more;
    s->nbytes += (size_t)d[8] * (size_t)locc * esize;
}

/* Random bits, and in between the doubles that arithmetic would spoil. */
static void
fill(char *x, size_t n, uint64_t seed)
{
    static const uint64_t odd[] = {0x7ff8dead0000beefu, 0x7ff0000000000001u,
                                   0xfff4000000000123u, 0x8000000000000000u,
                                   0x0000000000000001u, 0x800fffffffffffffu};
    const uint64_t saved = check_state;
    check_state = seed;
    for (size_t k = 0; k < n; k += 8) {
        uint64_t bits = check_random();
        if (bits % 4 == 0)
            bits = odd[bits / 4 % 6];
        memcpy(x + k, &bits, n - k < 8 ? n - k : 8);
    }
    check_state = saved;
}

typedef void gemr2d(int, int, const void *, int, int, const int *, void *, int,
                    int, const int *, int);
typedef void gemr2do(int, int, const void *, int, int, const int *, void *,
                     int, int, const int *);
typedef void trmr2d(const char *, const char *, int, int, const void *, int,
                    int, const int *, void *, int, int, const int *, int);
typedef void trmr2do(const char *, const char *, int, int, const void *, int,
                     int, const int *, void *, int, int, const int *);

#define TWINS(x)                                                              \
    {                                                                         \
        (hesca_function) hesca_Cp##x##gemr2d,                                 \
            (hesca_function)hesca_Cp##x##gemr2do,                             \
            (hesca_function)hesca_Cp##x##trmr2d,                              \
            (hesca_function)hesca_Cp##x##trmr2do                              \
    }

static hesca_function
twin(int type, int kind)
{
    static const hesca_function twins[5][4] = {TWINS(i), TWINS(s), TWINS(d),
                                               TWINS(c), TWINS(z)};
    return twins[type][kind];
}

static hesca_function
real(int type, int kind)
{
    static const char *const kinds[] = {"gemr2d", "gemr2do", "trmr2d",
                                        "trmr2do"};
    char name[16];
    snprintf(name, sizeof name, "Cp%c%s", letters[type], kinds[kind]);
    return hesca_scalapack_original(name);
}

static void
call(hesca_function f, int kind, const char *uplo, const char *diag, int m,
     int n, const void *a, const side_t *sa, void *b, const side_t *sb,
     int ictxt)
{
    switch (kind) {
    case 0:
        ((gemr2d *)f)(m, n, a, sa->i, sa->j, sa->desc, b, sb->i, sb->j,
                      sb->desc, ictxt);
        break;
    case 1:
        ((gemr2do *)f)(m, n, a, sa->i, sa->j, sa->desc, b, sb->i, sb->j,
                       sb->desc);
        break;
    case 2:
        ((trmr2d *)f)(uplo, diag, m, n, a, sa->i, sa->j, sa->desc, b, sb->i,
                      sb->j, sb->desc, ictxt);
        break;
    default:
        ((trmr2do *)f)(uplo, diag, m, n, a, sa->i, sa->j, sa->desc, b, sb->i,
                       sb->j, sb->desc);
    }
}

/* Bytes in which two arrays differ. */
static long
differences(const char *x, const char *y, size_t n)
{
    long count = 0;
    for (size_t k = 0; k < n; ++k)
        count += x[k] != y[k];
    return count;
}

static void
one_case(int number, const grid_t *grids, const int *all, uint64_t seed)
{
    static const char *const kinds[] = {"gemr2d", "gemr2do", "trmr2d",
                                        "trmr2do"};
    const int most = check_uniform(0, 9) ? 50 : 200;
    const int m = check_uniform(0, 30) ? check_uniform(1, most) : 0;
    const int n = check_uniform(0, 30) ? check_uniform(1, most) : 0;
    const int type = check_uniform(0, 4);
    /* The variants without a context make the real routine create a grid. */
    const int kind = check_uniform(0, 1) * 2 + !check_uniform(0, 14);
    const char *uplo = check_uniform(0, 1) ? "U" : "l";
    const char *diag = check_uniform(0, 1) ? "u" : "N";
    const grid_t *ga = &grids[check_uniform(0, NGRIDS - 1)];
    const grid_t *gb =
        check_uniform(0, 3) ? &grids[check_uniform(0, NGRIDS - 1)] : ga;
    const int ictxt = all[check_uniform(0, 9) == 0];
    const size_t esize = esizes[type];
    side_t sa, sb;
    random_side(&sa, ga, m, n, esize);
    random_side(&sb, gb, m, n, esize);
    char *a = malloc(sa.nbytes), *a_before = malloc(sa.nbytes);
    char *expected = malloc(sb.nbytes), *got = malloc(sb.nbytes);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fill(a, sa.nbytes, seed + 2 * (uint64_t)rank);
    memcpy(a_before, a, sa.nbytes);
    fill(expected, sb.nbytes, seed + 2 * (uint64_t)rank + 1);
    memcpy(got, expected, sb.nbytes);
    call(real(type, kind), kind, uplo, diag, m, n, a, &sa, expected, &sb,
         ictxt);
    check_barrier(MPI_COMM_WORLD);
    call(twin(type, kind), kind, uplo, diag, m, n, a, &sa, got, &sb, ictxt);
    const long wrong = differences(got, expected, sb.nbytes);
    CHECK(wrong == 0,
          "case %d, rank %d: %ld bytes of p%c%s uplo=%s diag=%s %dx%d: %s -> "
          "%s, context %d",
          number, rank, wrong, letters[type], kinds[kind], uplo, diag, m, n,
          sa.shape, sb.shape, ictxt);
    CHECK(memcmp(a, a_before, sa.nbytes) == 0, "case %d: A has changed",
          number);
    free(a);
    free(a_before);
    free(expected);
    free(got);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, nprocs;
    Cblacs_pinfo(&rank, &nprocs);
    /* The real routine spins through time slices with many processes. */
    const int ncases = check_cases(nprocs <= 2   ? 600
                                   : nprocs <= 4 ? 250
                                                 : 130);
    const uint64_t seed = check_seed(20261121) + (uint64_t)nprocs;
    grid_t grids[NGRIDS];
    int all[2];
    if (rank == 0)
        printf("%d cases on %d processes, seed %llu\n", ncases, nprocs,
               (unsigned long long)(seed - (uint64_t)nprocs));
    check_state = seed;
    for (int k = 0; k < ncases; ++k) {
        if (k % 100 == 0) {
            for (int g = 0; g < NGRIDS; ++g) {
                if (k > 0 && grids[g].ictxt >= 0)
                    Cblacs_gridexit(grids[g].ictxt);
                grids[g] = random_grid(nprocs);
            }
            for (int g = 0; g < 2 && k > 0; ++g)
                Cblacs_gridexit(all[g]);
            all[0] = grid(1, nprocs);
            all[1] =
                grid(nprocs % 2 ? nprocs : 2, nprocs % 2 ? 1 : nprocs / 2);
        }
        one_case(k, grids, all, seed + 1000003u * (uint64_t)k);
    }
    const int failed = check_done("t_gemr2d");
    MPI_Finalize();
    return failed;
}
