/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of a matrix and its own transpose, of which one triangle is
 * computed. */
#include "base/status.h"
#include "dense/product.h"
#include <string.h>

static const char SYRK[] = "hesca_syrk", HERK[] = "hesca_herk";

/* trans comes in p->transa. */
static hesca_args
check(hesca_product *p, int hermitian, const hesca_comm *c)
{
    hesca_args x = hesca_args_begin(hermitian ? HERK : SYRK, c);
    p->type = hesca_args_type(&x, 1, p->type);
    p->uplo = hesca_args_letter(&x, 2, "uplo", p->uplo, "LU");
    const hesca_type scalar = hermitian ? hesca_type_real(p->type) : p->type;
    const char *allowed = !hesca_type_is_complex(p->type) ? "NTC"
                          : hermitian                     ? "NC"
                                                          : "NT";
    const int as_is =
        hesca_args_letter(&x, 3, "trans", p->transa, allowed) == 'N';
    p->transa = as_is ? 'N' : hermitian ? 'C' : 'T';
    p->transb = !as_is ? 'N' : hermitian ? 'C' : 'T';
    hesca_args_size(&x, 4, "n", p->n);
    hesca_args_size(&x, 5, "k", p->k);
    hesca_args_scalar(&x, scalar, 6, "alpha", p->alpha);
    hesca_args_matrix(&x, 7, "a", p->a, as_is ? p->n : p->k,
                      as_is ? p->k : p->n);
    hesca_args_scalar(&x, scalar, 8, "beta", p->beta);
    hesca_args_matrix(&x, 9, "c", p->c, p->n, p->n);
    return x;
}

int
hesca_product_syrk(const hesca_product *product, int hermitian,
                   hesca_stays stays, MPI_Comm comm)
{
    double scalar[2][2] = {{0}}; /* real ones, as elements */
    hesca_product p = *product;
    hesca_comm *c;
    int err;
    hesca_caller_enter(hermitian ? HERK : SYRK);
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_args args = check(&p, hermitian, c);
    if (hermitian && args.err == HESCA_SUCCESS) {
        const size_t bytes = hesca_type_size(hesca_type_real(p.type));
        p.alpha = memcpy(scalar[0], p.alpha, bytes);
        p.beta = memcpy(scalar[1], p.beta, bytes);
    }
    err = hesca_product_run(c, &args, &p, stays);
fail:
    return err;
}

int
hesca_syrk(hesca_type type, char uplo, char trans, int64_t n, int64_t k,
           const void *alpha, const hesca_matrix *a, const void *beta,
           const hesca_matrix *c, MPI_Comm comm)
{
    const hesca_product p = {type, uplo,  trans, trans, n, n,
                             k,    alpha, beta,  a,     a, c};
    return hesca_product_syrk(&p, 0, HESCA_STAYS_ANY, comm);
}

int
hesca_herk(hesca_type type, char uplo, char trans, int64_t n, int64_t k,
           const void *alpha, const hesca_matrix *a, const void *beta,
           const hesca_matrix *c, MPI_Comm comm)
{
    const hesca_product p = {type, uplo,  trans, trans, n, n,
                             k,    alpha, beta,  a,     a, c};
    return hesca_product_syrk(&p, 1, HESCA_STAYS_ANY, comm);
}
