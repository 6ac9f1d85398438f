/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_potri() and hesca_getri() with bad arguments, and where memory ends:
 * all processes return the same, and nothing is written. */
#include "testing/dense/refusals.h"

static int64_t info, ipiv[N];

static void
fill(void)
{
    for (int64_t k = 0; k < N * N; ++k)
        a[k] = 0.25;
    for (int64_t k = 0; k < N; ++k)
        ipiv[k] = N - 1 - k / 2;
    memcpy(a0, a, BYTES);
    memcpy(b0, b, BYTES);
}

static void
bad_arguments(void)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int last = rank == size - 1;
    const hesca_matrix none = {.local = a, .lld = N};
    int64_t bad[N], other[N], zeros[N] = {0};
    memcpy(bad, ipiv, sizeof bad);
    memcpy(other, ipiv, sizeof other);
    bad[3] = last ? N : bad[3];
    other[0] = last ? 1 : other[0];
    MUST(hesca_potri((hesca_type)9, 'L', N, &ma, comm, &info), ARG, 1);
    MUST(hesca_potri(HESCA_D, last ? 'X' : 'L', N, &ma, comm, &info), ARG, 2);
    MUST(hesca_potri(HESCA_D, 'L', -1, &ma, comm, &info), ARG, 3);
    MUST(hesca_potri(HESCA_D, 'L', N, &none, comm, &info), ARG, 401);
    MUST(hesca_potri(HESCA_D, 'L', N + 1, &ma, comm, &info), ARG, 402);
    MUST(hesca_potri(HESCA_D, 'L', N, last ? NULL : &ma, comm, &info), ARG, 4);
    MUST(hesca_potri(HESCA_D, 'L', N, &ma, comm, NULL), ARG, 6);
    MUST(hesca_getri((hesca_type)9, N, &ma, ipiv, comm, &info), ARG, 1);
    MUST(hesca_getri(HESCA_D, last ? -1 : N, &ma, ipiv, comm, &info), ARG, 2);
    MUST(hesca_getri(HESCA_D, N, &none, ipiv, comm, &info), ARG, 301);
    MUST(hesca_getri(HESCA_D, N, &ma, last ? NULL : ipiv, comm, &info), ARG,
         4);
    MUST(hesca_getri(HESCA_D, N, &ma, bad, comm, &info), ARG, 4);
    MUST(hesca_getri(HESCA_D, N, &ma, ipiv, comm, last ? NULL : &info), ARG,
         6);
    if (size == 1)
        return;
    MUST(hesca_potri(HESCA_D, last ? 'L' : 'U', N, &ma, comm, &info), MISMATCH,
         2);
    MUST(hesca_getri(HESCA_D, last ? 4 : 3, &ma, zeros, comm, &info), MISMATCH,
         2);
    MUST(hesca_getri(HESCA_D, N, &ma, other, comm, &info), MISMATCH, 4);
}

static int
invert(void *which)
{
    const char kind = *(const char *)which;
    fill();
    const int err =
        kind == 'P'
            ? hesca_getri(HESCA_D, N, &ma, ipiv, MPI_COMM_WORLD, &info)
            : hesca_potri(HESCA_D, kind, N, &ma, MPI_COMM_WORLD, &info);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: A is written", err);
    return err;
}

int
main(int argc, char **argv)
{
    char which[] = "LUP";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    refusals_begin(4, 4, size / 2 + size % 2, size > 1 ? 2 : 1);
    fill();
    bad_arguments();
    for (int victim = 0; victim < size; ++victim)
        for (int k = 0; k < 3; ++k)
            fail_each(which[k] == 'P' ? "hesca_getri" : "hesca_potri", victim,
                      invert, &which[k]);
    hesca_layout_free(layout);
    const int failed = check_done("t_inverse_errors");
    MPI_Finalize();
    return failed;
}
