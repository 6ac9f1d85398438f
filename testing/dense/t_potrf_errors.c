/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_potrf() and hesca_potrs() with bad arguments, and where memory ends:
 * all processes return the same, and nothing is written. */
#include "testing/dense/refusals.h"

static void
fill(void)
{
    int64_t m, n;
    hesca_layout_local_size(layout, rank, &m, &n);
    for (int64_t k = 0; k < N * N; ++k)
        a[k] = b[k] = 0.25;
    for (int64_t j = 0; j < N; ++j) {
        int owner;
        int64_t il, jl;
        hesca_layout_locate(layout, j, j, &owner, &il, &jl);
        if (owner == rank)
            a[il + jl * N] = N;
    }
    memcpy(a0, a, BYTES);
    memcpy(b0, b, BYTES);
}

static hesca_matrix
moved(hesca_matrix x, int64_t i, int64_t j)
{
    x.i = i;
    x.j = j;
    return x;
}

static void
bad_arguments(void)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    const hesca_matrix none = {.local = a, .lld = N}, out = moved(ma, 1, 0);
    const hesca_matrix far = moved(mb, 0, 15);
    const int last = rank == size - 1;
    const hesca_matrix flat = {
        .layout = layout, .local = a, .lld = last ? 1 : N};
    int64_t info;
    MUST(hesca_potrf((hesca_type)9, 'L', N, &ma, comm, &info), ARG, 1);
    MUST(hesca_potrf(HESCA_D, 'X', N, &ma, comm, &info), ARG, 2);
    MUST(hesca_potrf(HESCA_D, 'L', -1, &ma, comm, &info), ARG, 3);
    MUST(hesca_potrf(HESCA_D, 'L', N, NULL, comm, &info), ARG, 4);
    MUST(hesca_potrf(HESCA_D, 'L', N, &none, comm, &info), ARG, 401);
    MUST(hesca_potrf(HESCA_D, 'L', N, &out, comm, &info), ARG, 402);
    MUST(hesca_potrf(HESCA_D, 'L', N, &flat, comm, &info), ARG, 405);
    MUST(hesca_potrf(HESCA_D, 'L', N, &ma, comm, last ? NULL : &info), ARG, 6);
    MUST(hesca_potrs(HESCA_D, 'X', N, 3, &ma, &mb, comm), ARG, 2);
    MUST(hesca_potrs(HESCA_D, 'L', N, last ? -3 : 3, &ma, &mb, comm), ARG, 4);
    MUST(hesca_potrs(HESCA_D, 'L', N, 3, &ma, NULL, comm), ARG, 6);
    MUST(hesca_potrs(HESCA_D, 'L', N, 6, &ma, &far, comm), ARG, 603);
    if (size == 1)
        return;
    MUST(hesca_potrf(HESCA_D, last ? 'L' : 'U', N, &ma, comm, &info), MISMATCH,
         2);
    MUST(hesca_potrf(HESCA_D, 'L', N - last, &ma, comm, &info), MISMATCH, 3);
    MUST(hesca_potrs(HESCA_D, 'L', N, 3 - last, &ma, &mb, comm), MISMATCH, 4);
}

static int
factor(void *unused)
{
    int64_t info;
    (void)unused;
    fill();
    const int err = hesca_potrf(HESCA_D, 'L', N, &ma, MPI_COMM_WORLD, &info);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: A is written", err);
    return err;
}

static int
solve(void *unused)
{
    (void)unused;
    fill();
    const int err = hesca_potrs(HESCA_D, 'L', N, N, &ma, &mb, MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS || is_untouched(), "%d: B is written", err);
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
    for (int victim = 0; victim < size; ++victim) {
        fail_each("hesca_potrf", victim, factor, NULL);
        fail_each("hesca_potrs", victim, solve, NULL);
    }
    hesca_layout_free(layout);
    const int failed = check_done("t_potrf_errors");
    MPI_Finalize();
    return failed;
}
