/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/solve.h
 * op(T) X = B and X op(T) = B with triangles T of a distributed matrix: behind
 * hesca_potrs(), hesca_getrs() and hesca_trsm().
 *
 * If there are few right-hand sides, B is redistributed and the triangles stay
 * in place (solve.c); chunks of columns bound the memory. If there are many, B
 * stays and the triangles are multicast (solve_wide.c). */
#ifndef HESCA_DENSE_SOLVE_H
#define HESCA_DENSE_SOLVE_H

#include "dense/kernels.h"
#include "exec/comm.h"
#include "hesca/experimental/dense.h"

/** One triangle: op(T) is T ('N'), its transpose ('T') or its conjugate
 * transpose ('C'). */
typedef struct {
    int upper;
    char trans;
    int unit; /* the diagonal is 1 and is not read */
} hesca_sweep;

/** B := alpha op(T_last)^-1 ... op(T_first)^-1 B, sub(B) n x nrhs, or, on the
 * right, alpha B op(T_first)^-1 ... op(T_last)^-1, sub(B) nrhs x n, for
 * triangles T of sub(A), of order n.  alpha is not 0. */
typedef struct {
    hesca_type type;
    int right;
    int64_t n, nrhs;
    const void *alpha;
    const hesca_matrix *a, *b;
    int nsweeps;
    const hesca_sweep *sweep;
} hesca_systems;

/** Solve them.
 *
 * Collective over c->user; the arguments have been checked.
 * \param [out] solved  Number of columns (right: rows) of B that are solved,
 *                      from the first: all unless it fails.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI; the same on all
 *         processes but for the last. */
int hesca_solve(hesca_comm *c, const hesca_systems *what, int64_t *solved);

/** B := alpha B; local. */
void hesca_solve_scale(const hesca_systems *what, int rank);

/** Widest block of solves that leave the triangles in place. */
enum { HESCA_SOLVE_WIDEST = 64 };

/** Whether right-hand sides are many, and enough of nprocs processes have some
 * of B that it may stay. */
int hesca_solve_is_spread(int64_t n, int64_t nrhs, int64_t holders,
                          int64_t nprocs);

/** hesca_solve_is_spread() of these; the same result on all processes. */
int hesca_solve_is_wide(const hesca_systems *what);

/** The same for many; n, nrhs >= 1.  On HESCA_ERR_NOMEM nothing is written. */
int hesca_solve_wide(hesca_comm *c, const hesca_systems *what);

#endif
