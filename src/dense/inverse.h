/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/inverse.h
 * Inverses from triangular factors: behind hesca_potri() and hesca_getri(). */
#ifndef HESCA_DENSE_INVERSE_H
#define HESCA_DENSE_INVERSE_H

#include "dense/args.h"

/** What sub(A) of order n holds: L of L L' (lower), U of U' U (upper), or both
 * factors of P L U, with ipiv[i] the row that row i was interchanged with. */
typedef struct {
    hesca_type type;
    int lower, upper;
    int64_t n;
    const hesca_matrix *a;
    const int64_t *ipiv; /* [n] */
} hesca_factors;

/** Agree on the arguments, which have been checked, and replace the factors by
 * the inverse.
 *
 * Collective.
 * \param [out] info  As hesca_potri().
 * \return As hesca_gemm(). */
int hesca_invert(hesca_comm *comm, hesca_args *args,
                 const hesca_factors *factors, int64_t *info);

#endif
