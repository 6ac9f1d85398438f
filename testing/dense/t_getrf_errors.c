/* hesca_getrf() and hesca_getrs() with bad arguments, and where memory ends:
 * all processes return the same, and nothing is written. */
#include "hesca/dense.h"
#include "testing/check.h"
#include "testing/failing.h"
#include <string.h>

enum { N = 20, BYTES = N * N * sizeof(double) };

static int rank, size;
static hesca_layout *layout;
static double a[N * N], b[N * N], a0[N * N], b0[N * N];
static int64_t pivots[N];
static hesca_matrix ma, mb;

static void
fill(void)
{
    for (int64_t k = 0; k < N * N; ++k)
        a[k] = b[k] = (double)((k * k + 3 * k + rank) % 17) / 4;
    for (int64_t k = 0; k < N; ++k)
        pivots[k] = N - 1 - k > k ? N - 1 - k : k;
    memcpy(a0, a, BYTES);
    memcpy(b0, b, BYTES);
}

/* err everywhere, about this argument. */
static void
must(int line, int err, int expected, int info)
{
    int mine[4] = {err, -err, hesca_error_info(), -hesca_error_info()}, all[4];
    MPI_Allreduce(mine, all, 4, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(all[0] == expected && all[1] == -expected,
          "line %d: %d ... %d, not %d", line, all[0], -all[1], expected);
    if (expected == HESCA_ERR_ARG || expected == HESCA_ERR_MISMATCH)
        CHECK(all[2] == info && all[3] == -info,
              "line %d: argument %d ... %d, not %d: %s", line, all[2], -all[3],
              info, hesca_error_text());
    CHECK(memcmp(a, a0, BYTES) == 0 && memcmp(b, b0, BYTES) == 0,
          "line %d: something was written", line);
}

#define MUST(call, err, info) must(__LINE__, call, HESCA_ERR_##err, info)

static void
bad_arguments(void)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const hesca_matrix none = {NULL, 0, 0, a, N}, out = {layout, 1, 0, a, N};
    const hesca_matrix far = {layout, 0, 15, b, N};
    const int last = rank == size - 1;
    const hesca_matrix flat = {layout, 0, 0, a, last ? 1 : N};
    int64_t info, *p = pivots, bad[N];
    memcpy(bad, pivots, sizeof bad);
    bad[5] = last ? 4 : bad[5];
    MUST(hesca_getrf((hesca_type)9, N, N, &ma, p, comm, &info), ARG, 1);
    MUST(hesca_getrf(HESCA_D, last ? -1 : N, N, &ma, p, comm, &info), ARG, 2);
    MUST(hesca_getrf(HESCA_D, N, -1, &ma, p, comm, &info), ARG, 3);
    MUST(hesca_getrf(HESCA_D, N, N, NULL, p, comm, &info), ARG, 4);
    MUST(hesca_getrf(HESCA_D, N, N, &none, p, comm, &info), ARG, 401);
    MUST(hesca_getrf(HESCA_D, N, N, &out, p, comm, &info), ARG, 402);
    MUST(hesca_getrf(HESCA_D, N, N, &flat, p, comm, &info), ARG, 405);
    MUST(hesca_getrf(HESCA_D, N, N, &ma, NULL, comm, &info), ARG, 5);
    MUST(hesca_getrf(HESCA_D, N, N, &ma, p, comm, last ? NULL : &info), ARG,
         7);
    MUST(hesca_getrs(HESCA_D, 'X', N, 3, &ma, p, &mb, comm), ARG, 2);
    MUST(hesca_getrs(HESCA_D, 'N', N, last ? -3 : 3, &ma, p, &mb, comm), ARG,
         4);
    MUST(hesca_getrs(HESCA_D, 'N', N, 3, &ma, NULL, &mb, comm), ARG, 6);
    MUST(hesca_getrs(HESCA_D, 'N', N, 3, &ma, bad, &mb, comm), ARG, 6);
    MUST(hesca_getrs(HESCA_D, 'N', N, 3, &ma, p, NULL, comm), ARG, 7);
    MUST(hesca_getrs(HESCA_D, 'N', N, 6, &ma, p, &far, comm), ARG, 703);
    if (size == 1)
        return;
    bad[5] = last ? 6 : 7;
    MUST(hesca_getrf(HESCA_D, N - last, N, &ma, p, comm, &info), MISMATCH, 2);
    MUST(hesca_getrs(HESCA_D, last ? 'N' : 'T', N, 3, &ma, p, &mb, comm),
         MISMATCH, 2);
    MUST(hesca_getrs(HESCA_D, 'N', N, 3, &ma, bad, &mb, comm), MISMATCH, 6);
}

/* One process after the other runs out of memory, ever later. */
static void
no_memory(int (*call)(void))
{
    int fails = 1;
    for (int who = size - 1; who >= 0; --who, fails = 1)
        for (long k = 0; fails; ++k) {
            nomem_left = who == rank ? k : -1;
            const int err = call();
            const int left = who == rank && nomem_left >= 0;
            nomem_left = -1;
            MPI_Allreduce(&left, &fails, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            fails = !fails && k < 500;
            if (err < 0)
                must(__LINE__, err, HESCA_ERR_NOMEM, 0);
            fill();
        }
}

static int
factor(void)
{
    int64_t info;
    return hesca_getrf(HESCA_D, N, N, &ma, pivots, MPI_COMM_WORLD, &info);
}

static int
solve(void)
{
    return hesca_getrs(HESCA_D, 'N', N, N, &ma, pivots, &mb, MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int nprow = size % 2 == 0 ? 2 : 1;
    if (hesca_layout_create_cyclic(N, N, 3, 4, 0, 0, nprow, size / nprow, NULL,
                                   &layout) < 0)
        abort();
    ma = (hesca_matrix){layout, 0, 0, a, N};
    mb = (hesca_matrix){layout, 0, 0, b, N};
    fill();
    bad_arguments();
    fill();
    factor(); /* what is made once is there */
    fill();
    solve();
    fill();
    no_memory(factor);
    no_memory(solve);
    hesca_layout_free(layout);
    const int failed = check_done("t_getrf_errors");
    MPI_Finalize();
    return failed;
}
