/* hesca_gemm() where one process after the other runs out of memory, at every
 * allocation: the same error on all processes, and C is not written. */
#include "exec/comm.h"
#include "testing/dense/matrices.h"
#include "testing/failing.h"

int
main(int argc, char **argv)
{
    int rank, size;
    hesca_comm *c;
    const double one = 1;
    long failures = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_state = check_seed(10);
    CHECK(hesca_comm_get(MPI_COMM_WORLD, &c) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int victim = 0; victim < size; ++victim) {
        matrix a = draw_matrix(HESCA_D, size, 20, 30);
        matrix b = draw_matrix(HESCA_D, size, 30, 25);
        matrix x = draw_matrix(HESCA_D, size, 20, 25);
        int err = HESCA_ERR_NOMEM;
        for (long left = 0; err < 0 && left < 1000; ++left) {
            nomem_left = rank == victim ? left : -1;
            err = hesca_gemm(HESCA_D, 'N', 'N', 20, 25, 30, &one, &a.a, &b.a,
                             &one, &x.a, MPI_COMM_WORLD);
            nomem_left = -1;
            CHECK(err == HESCA_SUCCESS ||
                      (err == HESCA_ERR_NOMEM && is_untouched(&x, 0)),
                  "rank %d, allocation %ld of %d: %d, %s", rank, left, victim,
                  err, hesca_error_text());
            failures += err < 0;
        }
        CHECK(err == HESCA_SUCCESS && is_untouched(&x, 1), "victim %d: %s",
              victim, hesca_error_text());
        free_matrix(&a);
        free_matrix(&b);
        free_matrix(&x);
    }
    CHECK(failures >= 3 * size, "only %ld allocations failed", failures);
    const int failed = check_done("t_gemm_nomem");
    MPI_Finalize();
    return failed;
}
