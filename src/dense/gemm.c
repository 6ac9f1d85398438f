/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "dense/product.h"

static hesca_args
check(hesca_product *p, const hesca_comm *c)
{
    hesca_args x = hesca_args_begin("hesca_gemm", c);
    p->type = hesca_args_type(&x, 1, p->type);
    p->transa = hesca_args_letter(&x, 2, "transa", p->transa, "NTC");
    p->transb = hesca_args_letter(&x, 3, "transb", p->transb, "NTC");
    hesca_args_size(&x, 4, "m", p->m);
    hesca_args_size(&x, 5, "n", p->n);
    hesca_args_size(&x, 6, "k", p->k);
    hesca_args_scalar(&x, p->type, 7, "alpha", p->alpha);
    const int a_as_is = p->transa == 'N', b_as_is = p->transb == 'N';
    hesca_args_matrix(&x, 8, "a", p->a, a_as_is ? p->m : p->k,
                      a_as_is ? p->k : p->m);
    hesca_args_matrix(&x, 9, "b", p->b, b_as_is ? p->k : p->n,
                      b_as_is ? p->n : p->k);
    hesca_args_scalar(&x, p->type, 10, "beta", p->beta);
    hesca_args_matrix(&x, 11, "c", p->c, p->m, p->n);
    return x;
}

int
hesca_product_gemm(const hesca_product *product, hesca_stays stays,
                   MPI_Comm comm)
{
    hesca_product p = *product;
    hesca_comm *c;
    int err;
    hesca_caller_enter("hesca_gemm");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_args args = check(&p, c);
    err = hesca_product_run(c, &args, &p, stays);
fail:
    return err;
}

int
hesca_gemm(hesca_type type, char transa, char transb, int64_t m, int64_t n,
           int64_t k, const void *alpha, const hesca_matrix *a,
           const hesca_matrix *b, const void *beta, const hesca_matrix *c,
           MPI_Comm comm)
{
    const hesca_product p = {type, 0,     transa, transb, m, n,
                             k,    alpha, beta,   a,      b, c};
    return hesca_product_gemm(&p, HESCA_STAYS_ANY, comm);
}
