/* SPDX-License-Identifier: BSD-3-Clause */
/** \file errors.h
 * The parts of t_errors, a test of several files: errors.c has what all of
 * them use, errors_plan.c and errors_redist.c have the errors of plans and of
 * calls, t_errors.c those of parameters and of MPI.  All functions are
 * collective over MPI_COMM_WORLD. */
#ifndef TESTING_EXEC_ERRORS_H
#define TESTING_EXEC_ERRORS_H

#include "hesca/redist.h"

enum { M = 12, N = 10, PROCS = 16, TEXT = 240 };

extern int rank, size;

/** \name Failures to order
 * \{ */
extern int fail_alloc;       /**< aligned_alloc() finds no memory */
extern const char *fail_mpi; /**< the function of MPI that fails, or "" */

/** Whether HESCA's allocations can be made to fail. */
int can_fail_alloc(void);
/** \}
 * \name One problem
 * A is M + 2 x N on a size x 1 grid, B is M x N + 3 on 1 x size; sub(A) begins
 * at (2,0), sub(B) at (0,3).
 * \{ */
extern hesca_layout *la, *lb;
extern double a[(M + 2) * N], b[M * (N + 3)];
extern int64_t lda, ldb;
extern int64_t a_count, b_count; /**< elements of the submatrices here */

void create_problem(void);

/** Values for A; B has none of them. */
void fill(void);

/** B holds what it is to hold: sub(A), or nothing of it. */
void check_b(const char *what, int copied);
/** \}
 * \name Mistakes
 * culprit is the only rank that makes one, or -1 for all.
 * \{ */
int is_culprit(int culprit);

/** Whether a culprit owns some of count, so that its mistake counts. */
int counts(int culprit, int64_t count);

/** The routine, the mistake and its rank, in at most n characters. */
void describe(char *text, size_t n, const char *routine, const char *what,
              int culprit);

/** All processes have the expected failure: its code, argument number (0:
 * any), and two words of its text. */
void check_failed(const char *what, int err, int expected, int info,
                  const char *routine, const char *word);
/** \}
 * \name Plans
 * \{ */
typedef struct {
    int part;
    int64_t m, n, ia, ja, ib, jb;
    const hesca_layout *a, *b;
    size_t esize;
    int no_plan;
    int64_t reserved; /* of a */
} plan_args;

plan_args good_args(void);

/** \param [out] plan  Must be set by hesca_plan_create(), also on errors. */
int create(const plan_args *x, MPI_Comm comm, hesca_plan **plan);

/** A redistribution that is right must work, whatever was before. */
void check_still_works(const char *what, MPI_Comm comm);

/** Errors that are found before there is a schedule. */
void create_errors(MPI_Comm comm);
void create_without_comm(void);

/** Errors of hesca_plan_execute(). */
void execute_illegal(MPI_Comm comm);
void execute_no_memory(MPI_Comm comm); /**< no staging memory */
/** \}
 * \name hesca_redistribute()
 * \{ */
typedef struct {
    int status, part;
    int64_t m, n;
    hesca_side sa, sb;
    int no_sa, no_sb;
    const void *a;
    void *b;
    size_t esize;
} call;

call good_call(void);
int redistribute(const call *x, MPI_Comm comm, hesca_plan_info *info);

/** \param [in] cached  What the call must say of its plan, -1: either. */
void check_call_works(const char *what, MPI_Comm comm, int cached);

/** Errors that are found before there is a schedule. */
void call_errors(MPI_Comm comm);
void call_cached(MPI_Comm comm);    /**< the plan is there already */
void call_no_memory(MPI_Comm comm); /**< no staging memory */
void call_without_comm(void);
/** \} */

#endif
