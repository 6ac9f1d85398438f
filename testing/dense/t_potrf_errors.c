/* hesca_potrf() and hesca_potrs() with bad arguments, and where memory ends:
 * all processes return the same, and nothing is written. */
#include "hesca/dense.h"
#include "testing/check.h"
#include "testing/failing.h"
#include <string.h>

enum { N = 20, BYTES = N * N * sizeof(double) };

static int rank, size;
static hesca_layout *layout;
static double a[N * N], b[N * N], a0[N * N], b0[N * N];
static hesca_matrix ma, mb;

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
              "line %d: argument %d ... %d, not %d", line, all[2], -all[3],
              info);
    CHECK(memcmp(a, a0, BYTES) == 0 && memcmp(b, b0, BYTES) == 0,
          "line %d: something was written", line);
}

#define MUST(call, err, info) must(__LINE__, call, HESCA_ERR_##err, info)

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
    const hesca_matrix none = {NULL, 0, 0, a, N}, out = moved(ma, 1, 0);
    const hesca_matrix far = moved(mb, 0, 15);
    const int last = rank == size - 1;
    const hesca_matrix flat = {layout, 0, 0, a, last ? 1 : N};
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

/* The last process runs out of memory, ever later. */
static void
no_memory(int (*call)(void))
{
    int fails = 1;
    for (long k = 0; fails && k < 500; k += 1 + k / 8) {
        nomem_left = rank == size - 1 ? k : -1;
        const int err = call();
        fails = nomem_left < 0;
        nomem_left = -1;
        MPI_Bcast(&fails, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
        if (err < 0)
            must(__LINE__, err, HESCA_ERR_NOMEM, 0);
        fill();
    }
}

static int
factor(void)
{
    int64_t info;
    return hesca_potrf(HESCA_D, 'L', N, &ma, MPI_COMM_WORLD, &info);
}

static int
solve(void)
{
    return hesca_potrs(HESCA_D, 'L', N, N, &ma, &mb, MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    hesca_layout_create_cyclic(N, N, 4, 4, 0, 0, size / 2 + size % 2,
                               size > 1 ? 2 : 1, NULL, &layout);
    ma = (hesca_matrix){layout, 0, 0, a, N};
    mb = (hesca_matrix){layout, 0, 0, b, N};
    fill();
    bad_arguments();
    no_memory(factor);
    no_memory(solve);
    hesca_layout_free(layout);
    const int failed = check_done("t_potrf_errors");
    MPI_Finalize();
    return failed;
}
