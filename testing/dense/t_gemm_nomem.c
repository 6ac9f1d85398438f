/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_gemm(), where C stays in place and where A does, if one process after
 * the other runs out of memory, at every allocation: the same error on all
 * processes, and C is not written. */
#include "dense/product.h"
#include "exec/comm.h"
#include "testing/dense/matrices.h"
#include "testing/failing_all.h"

typedef struct {
    matrix a, b, c;
    hesca_stays stays;
} operands;

static int
multiply(void *data)
{
    const operands *x = data;
    const double one = 1;
    const hesca_product p = {HESCA_D, 0,    'N',  'N',     20,      25,
                             30,      &one, &one, &x->a.a, &x->b.a, &x->c.a};
    const int err = hesca_product_gemm(&p, x->stays, MPI_COMM_WORLD);
    const long left = nomem_pause();
    CHECK(is_untouched(&x->c, err == HESCA_SUCCESS), "%d: C is written", err);
    memcpy(x->c.a.local, x->c.before, x->c.bytes);
    nomem_left = left;
    return err;
}

/* On a row of processes. */
static matrix
row_matrix(int size, int64_t m, int64_t n)
{
    hesca_layout *l;
    hesca_layout_create_cyclic(m, n, 4, 3, 0, 0, 1, size, NULL, &l);
    return make_matrix(HESCA_D, l, m, n, 0, 0);
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
    for (int n = 0; n < 2 * size; ++n) {
        const int victim = n / 2;
        operands x = {n % 2 == 0 ? draw_matrix(HESCA_D, size, 20, 30)
                                 : row_matrix(size, 20, 30),
                      draw_matrix(HESCA_D, size, 30, 25),
                      draw_matrix(HESCA_D, size, 20, 25),
                      n % 2 == 0 ? HESCA_STAYS_C : HESCA_STAYS_A};
        failures += fail_each("hesca_gemm", victim, multiply, &x);
        free_matrix(&x.a);
        free_matrix(&x.b);
        free_matrix(&x.c);
    }
    CHECK(failures >= 6 * size, "only %ld allocations failed", failures);
    const int failed = check_done("t_gemm_nomem");
    MPI_Finalize();
    return failed;
}
