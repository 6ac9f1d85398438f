/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_gemm() where one process after the other runs out of memory, at every
 * allocation: the same error on all processes, and C is not written. */
#include "exec/comm.h"
#include "testing/dense/matrices.h"
#include "testing/failing_all.h"

typedef struct {
    matrix a, b, c;
} operands;

static int
multiply(void *data)
{
    const operands *x = data;
    const double one = 1;
    const int err = hesca_gemm(HESCA_D, 'N', 'N', 20, 25, 30, &one, &x->a.a,
                               &x->b.a, &one, &x->c.a, MPI_COMM_WORLD);
    const long left = nomem_pause();
    CHECK(is_untouched(&x->c, err == HESCA_SUCCESS), "%d: C is written", err);
    memcpy(x->c.a.local, x->c.before, x->c.bytes);
    nomem_left = left;
    return err;
}

int
main(int argc, char **argv)
{
    int size;
    hesca_comm *c;
    long failures = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_state = check_seed(10);
    CHECK(hesca_comm_get(MPI_COMM_WORLD, &c) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int victim = 0; victim < size; ++victim) {
        operands x = {draw_matrix(HESCA_D, size, 20, 30),
                      draw_matrix(HESCA_D, size, 30, 25),
                      draw_matrix(HESCA_D, size, 20, 25)};
        failures += fail_each("hesca_gemm", victim, multiply, &x);
        free_matrix(&x.a);
        free_matrix(&x.b);
        free_matrix(&x.c);
    }
    CHECK(failures >= 3 * size, "only %ld allocations failed", failures);
    const int failed = check_done("t_gemm_nomem");
    MPI_Finalize();
    return failed;
}
