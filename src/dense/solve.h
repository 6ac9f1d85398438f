/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/solve.h
 * op(T) X = B with triangles T of a distributed matrix: behind hesca_potrs()
 * and hesca_getrs().
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

/** B := op(T_last)^-1 ... op(T_first)^-1 B, for triangles T of sub(A), of
 * order n; sub(B) is n x nrhs.
 *
 * Collective over c->user; the arguments have been checked.
 * \param [out] solved  Number of columns that are solved, from the first: all
 *                      unless it fails.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI; the same on all
 *         processes but for the last. */
int hesca_solve(hesca_comm *c, hesca_type type, int64_t n, int64_t nrhs,
                const hesca_matrix *a, int nsweeps, const hesca_sweep *sweep,
                const hesca_matrix *b, int64_t *solved);

/** Whether right-hand sides are many. */
int hesca_solve_is_many(int64_t n, int64_t nrhs);

/** Whether they are many and distributed such that B may stay; the same result
 * on all processes. */
int hesca_solve_is_wide(int64_t n, int64_t nrhs, const hesca_matrix *a,
                        const hesca_matrix *b);

/** The same for many; n, nrhs >= 1.  On HESCA_ERR_NOMEM nothing is written. */
int hesca_solve_wide(hesca_comm *c, hesca_type type, int64_t n, int64_t nrhs,
                     const hesca_matrix *a, int nsweeps,
                     const hesca_sweep *sweep, const hesca_matrix *b);

#endif
