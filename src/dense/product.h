/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/product.h
 * Products of two matrices, by panels: behind hesca_gemm(), hesca_syrk() and
 * hesca_herk().  One of the three matrices stays in place, and the others
 * move: if C stays, panels of the common dimension of A and B
 * (outer_product.c); if A or B stays, panels of the other factor, and the
 * products are summed up (inner_product.c). */
#ifndef HESCA_DENSE_PRODUCT_H
#define HESCA_DENSE_PRODUCT_H

#include "dense/args.h"
#include "panel/panel_multicast.h"

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

/** Whether anything is to be multiplied. */
int hesca_product_is_any(const hesca_product *p);

/** The matrix that stays in place; ANY: by hesca_product_choose(). */
typedef enum {
    HESCA_STAYS_A,
    HESCA_STAYS_B,
    HESCA_STAYS_C,
    HESCA_STAYS_ANY
} hesca_stays;

/** The one with which computing and moving take least time, on processes of
 * equal speed (product.c).  Pure, of arguments that are right. */
hesca_stays hesca_product_choose(const hesca_comm *comm,
                                 const hesca_product *p);

/** Whether A or B can stay: its layout is a product of two axes, and the
 * products of each process fit into HESCA_BUFFER.  Pure, of global values. */
int hesca_product_fits(const hesca_comm *comm, const hesca_product *p,
                       hesca_stays stays);

/** The panels of a factor, 'A' or 'B', that moves to a matrix that stays;
 * without width. Pure. */
hesca_panel_mcast_spec hesca_product_panels(const hesca_product *p,
                                            char factor, hesca_stays stays);

/** Elements of a factor that a process lacks of those that it needs, if it
 * needs so many indices of each slice. Pure. */
double hesca_product_lacks(const hesca_panel_mcast_spec *what, double needs);

/** hesca_gemm() with the matrix that stays, global; C if it cannot.  Its
 * capital letters may be small ones.
 *
 * Collective. */
int hesca_product_gemm(const hesca_product *p, hesca_stays stays,
                       MPI_Comm comm);

/** hesca_syrk() or hesca_herk(), likewise; transa is trans, a is b.
 *
 * Collective. */
int hesca_product_syrk(const hesca_product *p, int hermitian,
                       hesca_stays stays, MPI_Comm comm);

/** Agree on the arguments, which have been checked, and compute, with the
 * matrix that stays; inner: A or B.
 *
 * Collective.
 * \return As hesca_gemm(). */
int hesca_product_run(hesca_comm *comm, hesca_args *args,
                      const hesca_product *p, hesca_stays stays);
int hesca_outer_product(hesca_comm *comm, hesca_args *args,
                        const hesca_product *p);
int hesca_inner_product(hesca_comm *comm, hesca_args *args,
                        const hesca_product *p, hesca_stays stays);

#endif
