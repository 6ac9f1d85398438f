/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_getrf() and hesca_getrs() with bad arguments, and where memory ends:
 * all processes return the same, and nothing is written. */
#include "testing/dense/refusals.h"

static int64_t pivots[N];

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

static void
bad_arguments(void)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const hesca_matrix none = {.local = a, .lld = N},
                       out = {.layout = layout, .i = 1, .local = a, .lld = N};
    const hesca_matrix far = {.layout = layout, .j = 15, .local = b, .lld = N};
    const int last = rank == size - 1;
    const hesca_matrix flat = {
        .layout = layout, .local = a, .lld = last ? 1 : N};
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

static int
factor(void *unused)
{
    int64_t info;
    (void)unused;
    fill();
    const int err =
        hesca_getrf(HESCA_D, N, N, &ma, pivots, MPI_COMM_WORLD, &info);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: A is written", err);
    return err;
}

static int
solve(void *unused)
{
    (void)unused;
    fill();
    const int err =
        hesca_getrs(HESCA_D, 'N', N, N, &ma, pivots, &mb, MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: B is written", err);
    return err;
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int nprow = size % 2 == 0 ? 2 : 1;
    refusals_begin(3, 4, nprow, size / nprow);
    fill();
    bad_arguments();
    factor(NULL); /* what is made once is there */
    solve(NULL);
    for (int victim = 0; victim < size; ++victim) {
        fail_each("hesca_getrf", victim, factor, NULL);
        fail_each("hesca_getrs", victim, solve, NULL);
    }
    hesca_layout_free(layout);
    const int failed = check_done("t_getrf_errors");
    MPI_Finalize();
    return failed;
}
