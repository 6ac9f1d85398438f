/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/pblas/pblas.h
 * Routines that compute: from their entry points to HoHe (hohe/hohe.h) or the
 * original routine. */
#ifndef HESCA_SHIM_PBLAS_PBLAS_H
#define HESCA_SHIM_PBLAS_PBLAS_H

#include "base/routines.h"
#include "hesca/experimental/param.h"
#include "hesca/scalapack.h"
#include "hohe/hohe.h"
#include <mpi.h>

/** The routines of base/routines.h, for each of four types; Fortran's names
 * alone.  Those of complex types may have another name: P?UNMQR is PORMQR,
 * P?HEEV PSYEV.  From PSYRK on pregrid_table.c describes them. */
typedef enum {
#define ALL(X, r, R, ...) P##R,
    HESCA_PBLAS(ALL, ALL, ALL, )
#undef ALL
        NDENSE
} hesca_pblas_routine;
enum { NDENSE_TYPES = HESCA_Z + 1 };

/** As the linker sees them; NULL: there is none of this type. */
extern const char *const hesca_pblas_symbol[NDENSE][NDENSE_TYPES];

/** A name for people, "pdgemm". */
const char *hesca_pblas_name(hesca_pblas_routine routine, hesca_type type);

/** A matrix of a call; rows and columns count from 1. */
typedef struct {
    void *local;
    const hesca_int *i, *j, *desc;
} hesca_pblas_matrix;

/** A call of one of them; what a routine does not have is NULL. */
typedef struct {
    hesca_pblas_routine routine;
    hesca_type type;
    const void *caller; /**< where it returns to; NULL: HESCA has made it */
    const char *letter; /**< TRANSA, UPLO or TRANS */
    const char *transb;
    const hesca_int *m, *n, *k, *nrhs;
    const void *alpha, *beta;
    hesca_pblas_matrix a, b, c;
    hesca_int *ipiv, *info;
} hesca_dense_call;

/** INFO where neither way was taken, as the user wants it
 * (HESCA_FALLBACK=error, HESCA_ONERROR=return): of no argument. */
enum { HESCA_NOT_DONE = -9999 };

/** The capital letter of a call if it is one of those allowed, or 0. */
char hesca_dense_letter(const char *letter, const char *allowed);

/** Serve a call, or call the original routine. */
void hesca_dense_serve(const hesca_dense_call *call);

/** Serve a call of a routine from PSYRK on, or call the original one.
 * \param [in] caller  Where it returns to.
 * \param [in] args    Its arguments, nargs pointers. */
void hesca_regrid_serve(hesca_pblas_routine routine, hesca_type type,
                        const void *caller, void *args[], int nargs);

/** Serve a call of P?GEMM, of a routine that factors, of one that solves.
 * \return 1 if it is done, 0 if the original routine is to be called. */
int hesca_gemm_serve(const hesca_dense_call *call);
int hesca_factor_serve(const hesca_dense_call *call);
int hesca_solve_serve(const hesca_dense_call *call);

/** Call the original routine; without one say so, and end the program. */
void hesca_dense_original(const hesca_dense_call *call);

/** Report that there is no original routine, and end the program. */
void hesca_pblas_missing(hesca_pblas_routine routine, hesca_type type);

/** The original routine; NULL if there is none. */
hesca_function hesca_pblas_original(hesca_pblas_routine routine,
                                    hesca_type type);

/** Whether a call comes from ScaLAPACK itself, where that can be seen: it is
 * not linked into the program. */
int hesca_pblas_is_nested(hesca_pblas_routine routine, hesca_type type,
                          const void *caller);

/** \name Contexts in which a routine is always left to the original one
 * What is found out once, at the price of a few comparisons later.
 * \{ */

/** Whether that is known of a context. */
int hesca_pblas_is_left(hesca_int ictxt, hesca_pblas_routine routine,
                        hesca_type type);
/** It is known now, the same on all its processes. */
void hesca_pblas_leave(hesca_int ictxt, hesca_pblas_routine routine,
                       hesca_type type);
/** A grid is being made: numbers of contexts may get another meaning. */
void hesca_pblas_forget(void);
/** \} */

/** \name Other grids of a context's processes: hesca_hohe_original
 * \{ */
enum { HESCA_DENSE_ENTRIES = 9 }; /**< of a descriptor */

/** Whether this program's BLACS make them. */
int hesca_pblas_grid_is_possible(void);

/** As in hesca_hohe_original. */
int hesca_pblas_grid_create(const hesca_hohe_grid *grid, MPI_Comm comm,
                            void **handle);
void hesca_pblas_grid_free(void *handle);

/** Its context, made in the first call; -1 on processes outside.
 *
 * Collective over comm. */
hesca_int hesca_pblas_grid_context(void *handle);
void hesca_pblas_grid_connect(void *handle); /**< the same */

/** A matrix there, with its descriptor. */
hesca_pblas_matrix hesca_pblas_describe(hesca_int ictxt,
                                        const hesca_hohe_work *work, int k,
                                        hesca_int desc[HESCA_DENSE_ENTRIES]);

/** Whether a row or column, from 0, is on process me of np.
 * \param [out] local  Its place there, from 0. */
int hesca_pblas_is_here(int64_t row, int mb, int rsrc, int me, int np,
                        int64_t *local);
/** \} */

/** A call in hand: its context, what it is called, what the user wants. */
typedef struct {
    hesca_pblas_routine routine;
    hesca_type type;
    hesca_int ictxt;
    int nprow, npcol, myrow, mycol;
    MPI_Comm comm;
    hesca_params params;
    int64_t m, n, k;    /**< for people */
    hesca_side written; /**< the matrix that is overwritten; nprow = 0: not
                           known */
    int64_t rows, cols; /**< of its part that is */
} hesca_pblas_call;

/** Whether a call is reported, and its time measured. */
int hesca_pblas_is_watched(const hesca_pblas_call *call);

/** Find the grid of a context, and the parameters of its processes.
 * \return 1; 0: the original routine is to be called silently; -1: an error
 *         has been reported, and the call is done. */
int hesca_pblas_begin(hesca_pblas_call *call);

/** Translate a matrix, m x n of it being used; what is equal on all processes.
 * A descriptor of 11 entries is one of 9 if its first block is like all.
 * \return 1, or 0 if it is nothing that HESCA serves: the original routine knows
 *         it, or complains. */
int hesca_pblas_side(const hesca_pblas_call *call,
                     const hesca_pblas_matrix *matrix, int64_t m, int64_t n,
                     hesca_side *side);

/** What the original routines want of a factored sub(A), beyond what a matrix
 * must be: square blocks, of which it begins with one. */
int hesca_pblas_is_aligned(const hesca_side *a);

/** And of right-hand sides: rows cut as those of sub(A). */
int hesca_pblas_fits(const hesca_side *a, const hesca_side *b);

/** What this process finds wrong alone.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
int hesca_pblas_check_local(const hesca_side *side);

/** Report that a call has arguments that HESCA does not serve. */
void hesca_pblas_refuse(const hesca_pblas_call *call);

/** At the end of a call of the program, whatever computed it: its time counts,
 * if hesca_pblas_end() has seen that it is to. */
void hesca_pblas_finish(void);

/** \name What a program calls most
 * Around each call that it makes, of a routine that has a job.
 * \{ */

/** \return What hesca_pblas_job_end() is to be given. */
double hesca_pblas_job_begin(void);

/** \param [in] order  Of its matrices; 0: the call does not count.
 * \param [in] desc   Of one of them. */
void hesca_pblas_job_end(double start, hesca_routine routine, double order,
                         const hesca_int *desc);
/** \} */

/** After hesca_hohe_...(): report how the call was served.
 * \param [in] start  When it began.
 * \return 1 if it is done, 0 if the original routine is to be called. */
int hesca_pblas_end(const hesca_pblas_call *call, int err,
                    const hesca_hohe_info *info, double start);

/** Print what became of a call, by rank 0.
 * \param [in] asked  1: HESCA_VERBOSE asks for it; 0: it is printed anyway. */
void hesca_pblas_report(const hesca_pblas_call *call,
                        const hesca_hohe_info *info, double seconds,
                        int asked);
/** The original routine has done a call: after hesca_pblas_report() of a call
 * that is left, its time. */
void hesca_pblas_report_original(void);
/** A call begins: nothing is reported of it yet. */
void hesca_pblas_report_none(void);
/** How many calls went which way, at the end. */
void hesca_pblas_report_summary(void);

#endif
