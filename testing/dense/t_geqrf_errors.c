/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_geqrf() and hesca_ormqr() with bad arguments, and where memory ends:
 * all processes return the same, and nothing is written. */
#include "testing/dense/refusals.h"

static double tau[N];

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
    double *null = last ? NULL : tau;
#define QR(type, m, n, a, tau) hesca_geqrf(type, m, n, a, tau, comm)
    MUST(QR((hesca_type)9, N, N, &ma, tau), ARG, 1);
    MUST(QR(HESCA_D, last ? -1 : N, N, &ma, tau), ARG, 2);
    MUST(QR(HESCA_D, N, -1, &ma, tau), ARG, 3);
    MUST(QR(HESCA_D, N, N, &none, tau), ARG, 401);
    MUST(QR(HESCA_D, N + 1, N, &ma, tau), ARG, 402);
    MUST(QR(HESCA_D, N, N, NULL, tau), ARG, 4);
    MUST(QR(HESCA_D, N, 6, &far, tau), ARG, 403);
    MUST(QR(HESCA_D, N, N, &ma, null), ARG, 5);
#define MQR(type, side, trans, m, n, k, a, tau, c)                            \
    hesca_ormqr(type, side, trans, m, n, k, a, tau, c, comm)
    MUST(MQR((hesca_type)9, 'L', 'N', N, 3, 3, &ma, tau, &mb), ARG, 1);
    MUST(MQR(HESCA_D, 'X', 'N', N, 3, 3, &ma, tau, &mb), ARG, 2);
    MUST(MQR(HESCA_Z, 'L', last ? 'T' : 'N', 2, 2, 1, &ma, tau, &mb), ARG, 3);
    MUST(MQR(HESCA_D, 'L', 'N', -1, 3, 3, &ma, tau, &mb), ARG, 4);
    MUST(MQR(HESCA_D, 'L', 'N', N, -3, 3, &ma, tau, &mb), ARG, 5);
    MUST(MQR(HESCA_D, 'L', 'N', 3, N, 4, &ma, tau, &mb), ARG, 6);
    MUST(MQR(HESCA_D, 'R', 'N', 3, N, -1, &ma, tau, &mb), ARG, 6);
    MUST(MQR(HESCA_D, 'L', 'N', N, 3, 3, &none, tau, &mb), ARG, 701);
    MUST(MQR(HESCA_D, 'L', 'N', N, 3, 3, &ma, null, &mb), ARG, 8);
    MUST(MQR(HESCA_D, 'L', 'N', N, 3, 3, &ma, tau, NULL), ARG, 9);
    MUST(MQR(HESCA_D, 'L', 'N', N, 6, 3, &ma, tau, &far), ARG, 903);
    if (size == 1)
        return;
    MUST(QR(HESCA_D, N, last ? N : N - 1, &ma, tau), MISMATCH, 3);
    MUST(MQR(HESCA_D, last ? 'L' : 'R', 'N', N, N, 3, &ma, tau, &mb), MISMATCH,
         2);
    MUST(MQR(HESCA_D, 'L', 'N', N, 3, last ? 2 : 3, &ma, tau, &mb), MISMATCH,
         6);
}

static int
factor(void *unused)
{
    (void)unused;
    fill();
    const int err = hesca_geqrf(HESCA_D, N, N, &ma, tau, MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: A is written", err);
    return err;
}

static int
apply(void *side)
{
    fill();
    const int err = hesca_ormqr(HESCA_D, *(const char *)side, 'N', N, N, N - 1,
                                &ma, tau, &mb, MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: C is written", err);
    return err;
}

int
main(int argc, char **argv)
{
    char left = 'L', right = 'R';
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    refusals_begin(4, 4, size / 2 + size % 2, size > 1 ? 2 : 1);
    fill();
    bad_arguments();
    for (int victim = 0; victim < size; ++victim) {
        fail_each("hesca_geqrf", victim, factor, NULL);
        fail_each("hesca_ormqr", victim, apply, &left);
        fail_each("hesca_ormqr", victim, apply, &right);
    }
    hesca_layout_free(layout);
    const int failed = check_done("t_geqrf_errors");
    MPI_Finalize();
    return failed;
}
