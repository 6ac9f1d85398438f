/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_trsm() with bad arguments, and where memory ends: all processes return
 * the same, and nothing is written. */
#include "testing/dense/refusals.h"

static const double one = 1, two = 2;

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
    const hesca_matrix far = {.layout = layout, .j = 15, .local = b, .lld = N};
    const double *null = last ? NULL : &one, *differ = last ? &two : &one;
#define TRSM(type, side, uplo, trans, diag, m, n, alpha, a, b)                \
    hesca_trsm(type, side, uplo, trans, diag, m, n, alpha, a, b, comm)
    MUST(TRSM((hesca_type)9, 'L', 'L', 'N', 'N', N, 3, &one, &ma, &mb), ARG,
         1);
    MUST(TRSM(HESCA_D, 'X', 'L', 'N', 'N', N, 3, &one, &ma, &mb), ARG, 2);
    MUST(TRSM(HESCA_D, 'L', 'X', 'N', 'N', N, 3, &one, &ma, &mb), ARG, 3);
    MUST(TRSM(HESCA_D, 'L', 'L', 'X', 'N', N, 3, &one, &ma, &mb), ARG, 4);
    MUST(TRSM(HESCA_D, 'L', 'L', 'N', last ? 'X' : 'N', N, 3, &one, &ma, &mb),
         ARG, 5);
    MUST(TRSM(HESCA_D, 'L', 'L', 'N', 'N', last ? -1 : N, 3, &one, &ma, &mb),
         ARG, 6);
    MUST(TRSM(HESCA_D, 'L', 'L', 'N', 'N', N, -3, &one, &ma, &mb), ARG, 7);
    MUST(TRSM(HESCA_D, 'L', 'L', 'N', 'N', N, 3, null, &ma, &mb), ARG, 8);
    MUST(TRSM(HESCA_D, 'L', 'L', 'N', 'N', N, 3, &one, &none, &mb), ARG, 901);
    MUST(TRSM(HESCA_D, 'R', 'L', 'N', 'N', 3, N + 1, &one, &ma, &mb), ARG,
         902);
    MUST(TRSM(HESCA_D, 'L', 'L', 'N', 'N', N, 3, &one, &ma, NULL), ARG, 10);
    MUST(TRSM(HESCA_D, 'L', 'L', 'N', 'N', N, 6, &one, &ma, &far), ARG, 1003);
    if (size == 1)
        return;
    MUST(TRSM(HESCA_D, last ? 'L' : 'R', 'L', 'N', 'N', N, N, &one, &ma, &mb),
         MISMATCH, 2);
    MUST(TRSM(HESCA_D, 'L', 'L', 'N', 'N', N, N, differ, &ma, &mb), MISMATCH,
         8);
}

/* Few right-hand sides are solved in another layout, many in B's own. */
static int
solve(void *side_and_nrhs)
{
    const int *x = side_and_nrhs;
    const int64_t m = x[0] == 'L' ? N : x[1], n = x[0] == 'L' ? x[1] : N;
    fill();
    const int err = hesca_trsm(HESCA_D, (char)x[0], 'L', 'N', 'N', m, n, &two,
                               &ma, &mb, MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: B is written", err);
    return err;
}

int
main(int argc, char **argv)
{
    int what[][2] = {{'L', 2}, {'L', N}, {'R', 2}, {'R', N}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    refusals_begin(4, 4, size / 2 + size % 2, size > 1 ? 2 : 1);
    fill();
    bad_arguments();
    for (int victim = 0; victim < size; ++victim)
        for (int k = 0; k < 4; ++k)
            fail_each("hesca_trsm", victim, solve, what[k]);
    hesca_layout_free(layout);
    const int failed = check_done("t_trsm_errors");
    MPI_Finalize();
    return failed;
}
