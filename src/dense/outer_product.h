/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/outer_product.h
 * Products of two matrices by panels of their common dimension: behind
 * hesca_gemm(), hesca_syrk() and hesca_herk(). */
#ifndef HESCA_DENSE_OUTER_PRODUCT_H
#define HESCA_DENSE_OUTER_PRODUCT_H

#include "dense/args.h"

/** sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C), as in hesca_gemm(). */
typedef struct {
    hesca_type type;
    /** 'L', 'U': m = n, the product is symmetric, Hermitian if one of transa
     * and transb is 'C', and only this triangle of sub(C) is computed; 0: all
     * of it. */
    char uplo;
    char transa, transb;
    int64_t m, n, k;
    const void *alpha, *beta;
    const hesca_matrix *a, *b, *c;
} hesca_product;

/** Agree on the arguments, which have been checked, and compute.
 *
 * Collective.
 * \return As hesca_gemm(). */
int hesca_outer_product(hesca_comm *comm, hesca_args *args,
                        const hesca_product *p);

#endif
