/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sched/circulant.h
 * The tables of R_x(K,P), the redistribution from cyclic(x) to cyclic(Kx) on P
 * processes, in generalized circulant form.
 *
 * The blocks of one superblock fill a K x P table S row by row; column j is
 * that of process p_j.  The entries of each column are reordered into S', such
 * that every row of the destination table P_s is a permutation of the
 * processes: a step in which every process sends one message and receives one.
 * All functions are pure.
 * Source: LIM Theorems 1 and 2. */
#ifndef HESCA_SCHED_CIRCULANT_H
#define HESCA_SCHED_CIRCULANT_H

#include <stdint.h>

/** The constants of one R_x(K,P); n K' - m P' = 1. */
typedef struct {
    int64_t k, p;      /* K, P >= 1 */
    int64_t g, k1, p1; /* gcd(K,P), K' = K/g, P' = P/g */
    int64_t n, m;
    int64_t inverse; /* of n modulo P' */
} hesca_circulant;

hesca_circulant hesca_circulant_make(int64_t k, int64_t p);

/** P_s(i,j): the process to which p_j sends in step i; 0 <= i < K, 0 <= j < P.
 * Eq. 12. */
int64_t hesca_circulant_dest(const hesca_circulant *t, int64_t i, int64_t j);

/** The j with P_s(i,j) = dest: the process from which dest receives in step i.
 */
int64_t hesca_circulant_source(const hesca_circulant *t, int64_t i,
                               int64_t dest);

/** D_s(i,j): row of S that contains the block sent in step i.  Eq. 13. */
int64_t hesca_circulant_row(const hesca_circulant *t, int64_t i, int64_t j);

#endif
