/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_syrk() and hesca_herk() with bad arguments, and where memory ends: all
 * processes return the same, and nothing is written. */
#include "testing/dense/refusals.h"

static const double one[] = {1, 0}, two[] = {2, 0}; /* complex, too */

static void
fill(void)
{
    for (int64_t k = 0; k < N * N; ++k)
        a[k] = b[k] = 0.25;
    memcpy(a0, a, BYTES);
    memcpy(b0, b, BYTES);
}

static void
bad_arguments(void)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int last = rank == size - 1;
    const hesca_matrix none = {.local = a, .lld = N};
    const hesca_matrix out = {.layout = layout, .i = 1, .local = b, .lld = N};
    const double *null = last ? NULL : one, *differ = last ? two : one;
#define HERK(type, uplo, trans, n, k, alpha, a, beta, c)                      \
    hesca_herk(type, uplo, trans, n, k, alpha, a, beta, c, comm)
#define SYRK(type, uplo, trans, n, k, alpha, a, beta, c)                      \
    hesca_syrk(type, uplo, trans, n, k, alpha, a, beta, c, comm)
    MUST(SYRK((hesca_type)9, 'L', 'N', N, 4, one, &ma, one, &mb), ARG, 1);
    MUST(SYRK(HESCA_D, 'X', 'N', N, 4, one, &ma, one, &mb), ARG, 2);
    MUST(SYRK(HESCA_Z, 'L', 'C', N, 4, one, &ma, one, &mb), ARG, 3);
    MUST(HERK(HESCA_Z, 'L', 'T', N, 4, one, &ma, one, &mb), ARG, 3);
    MUST(HERK(HESCA_D, 'L', 'N', last ? -1 : N, 4, one, &ma, one, &mb), ARG,
         4);
    MUST(SYRK(HESCA_D, 'L', 'N', N, -4, one, &ma, one, &mb), ARG, 5);
    MUST(HERK(HESCA_D, 'L', 'N', N, 4, null, &ma, one, &mb), ARG, 6);
    MUST(SYRK(HESCA_D, 'L', 'N', N, 4, one, &none, one, &mb), ARG, 701);
    MUST(SYRK(HESCA_D, 'L', 'T', 4, N + 1, one, &ma, one, &mb), ARG, 702);
    MUST(SYRK(HESCA_D, 'L', 'N', N, 4, one, &ma, null, &mb), ARG, 8);
    MUST(HERK(HESCA_D, 'L', 'N', N, 4, one, &ma, one, NULL), ARG, 9);
    MUST(HERK(HESCA_D, 'L', 'N', N, 4, one, &ma, one, &out), ARG, 902);
    if (size == 1)
        return;
    MUST(HERK(HESCA_D, last ? 'L' : 'U', 'N', N, 4, one, &ma, one, &mb),
         MISMATCH, 2);
    MUST(HERK(HESCA_D, 'L', 'N', N, 4, one, &ma, differ, &mb), MISMATCH, 8);
}

static int
multiply(void *unused)
{
    (void)unused;
    fill();
    const int err = hesca_syrk(HESCA_D, 'L', 'N', N, N, one, &ma, one, &mb,
                               MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: C is written", err);
    return err;
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    refusals_begin(4, 4, size / 2 + size % 2, size > 1 ? 2 : 1);
    fill();
    bad_arguments();
    for (int victim = 0; victim < size; ++victim)
        fail_each("hesca_syrk", victim, multiply, NULL);
    hesca_layout_free(layout);
    const int failed = check_done("t_syrk_errors");
    MPI_Finalize();
    return failed;
}
