/** \file hesca/redist.h
 * Copy sub(A) onto sub(B), in any two layouts, bit for bit.
 *
 * hesca_plan_create() / execute / free: for programs that know both layouts on
 * every process; plan once, execute often.
 * hesca_redistribute(): for programs in which a process knows only the grids
 * it is in, as in ScaLAPACK; plans are found in a cache or made, and kept.
 *
 * Matrices are column-major; rows and columns count from 0.  Under
 * MPI_THREAD_MULTIPLE several threads may call, each with communicators, and
 * plans of these, of its own. */
#ifndef HESCA_REDIST_H
#define HESCA_REDIST_H

#include "hesca/layout.h"
#include "hesca/status.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_plan hesca_plan; /**< Opaque: see src/exec/plan.h. */

/** Which elements of sub(A) are copied, as in ScaLAPACK's P?TRMR2D. */
typedef enum {
    HESCA_ALL,          /**< all of them */
    HESCA_UPPER,        /**< the upper trapezoid, with its diagonal */
    HESCA_UPPER_STRICT, /**< the upper trapezoid without its diagonal */
    HESCA_LOWER,        /**< the lower trapezoid, with its diagonal */
    HESCA_LOWER_STRICT  /**< the lower trapezoid without its diagonal */
} hesca_part;

/** Grid and blocks of one matrix; mb or nb is 0 where the processes' parts of
 * a generalized block differ. */
typedef struct {
    int nprow, npcol, mb, nb;
} hesca_shape;

/** What a plan is, and what it costs. Values are global but where told. */
typedef struct {
    hesca_shape a, b;
    char schedule[32];  /**< name as in HESCA_SCHEDULE; "local" if no process
                           needs another one and auto chose, "none" if m = 0 or
                           n = 0 */
    char transport[16]; /**< (local) how this process's messages travel: "shm",
                           "mpi", "shm+mpi", or "self" if it has none */
    int nsteps;         /**< communication steps of the schedule */
    int64_t bytes_total;      /**< bytes of sub(A), the part that is copied */
    int64_t bytes_moved;      /**< those that change their process */
    double predicted_seconds; /**< by the costs of the machine file */
    int cached;               /**< 1 if the plan came from the cache */
    double plan_seconds; /**< (local) hesca_redistribute(): time before data
                            moved, waiting for the others included; else 0 */
} hesca_plan_info;

/** The plans that hesca_redistribute() keeps for a communicator. Global. */
typedef struct {
    int plans;      /**< kept now */
    size_t bytes;   /**< their memory, at most HESCA_CACHE, on the process that
                       needs most */
    int64_t hits;   /**< calls that found their plan */
    int64_t misses; /**< calls that made one */
    int64_t dropped; /**< plans that went to make room */
} hesca_cache_info;

/** Choose how to copy sub(A) = A(ia:ia+m-1, ja:ja+n-1) onto sub(B).
 *
 * Collective over comm; every process returns the same value.
 * \param [in]  part   (global) Which elements.
 * \param [in]  m, n   (global) Rows and columns of sub(A) and sub(B); >= 0.
 * \param [in]  a, b   (global) Layouts of A and B; ranks are those of comm.
 * \param [in]  ia, ja, ib, jb  (global) First row and column, from 0; sub(A)
 *                     lies inside A, sub(B) inside B.
 * \param [in]  esize  (global) Bytes per element; >= 1.
 * \param [in]  comm   (global) All processes of both grids, perhaps more.
 *                     HESCA talks on a duplicate of it, made once.
 * \param [out] plan   (local)  Free with hesca_plan_free(), before comm; NULL
 *                     on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH, HESCA_ERR_PARAM
 *         (also if HESCA_SCHEDULE does not apply to this redistribution: the
 *         text tells what does), HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED
 *         (HESCA_BUFFER is too small) or HESCA_ERR_MPI.
 * Source: LIM sections 3 and 4 for the schedules. */
HESCA_API int hesca_plan_create(hesca_part part, int64_t m, int64_t n,
                                const hesca_layout *a, int64_t ia, int64_t ja,
                                const hesca_layout *b, int64_t ib, int64_t jb,
                                size_t esize, MPI_Comm comm,
                                hesca_plan **plan);

/** Copy sub(A) onto sub(B) as planned.
 *
 * Collective over the plan's communicator; every process returns the same
 * value.  On HESCA_ERR_ARG and HESCA_ERR_UNSUPPORTED nothing is written.
 * \param [in]  a    (local) This process's part of A; NULL if it owns nothing
 *                   of sub(A).
 * \param [in]  lda  (local) Elements from one column of a to the next, >= its
 *                   local rows of A; ignored if it owns nothing of sub(A).
 * \param [out] b    (local) This process's part of B.  What is written there
 *                   must not overlap what is read of a, unless no element
 *                   changes its place.
 * \param [in]  ldb  (local) As lda.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_UNSUPPORTED (they overlap),
 *         HESCA_ERR_PARAM (HESCA_TRACE cannot be written, and HESCA_FALLBACK
 * is error), HESCA_ERR_NOMEM or HESCA_ERR_MPI. */
HESCA_API int hesca_plan_execute(hesca_plan *plan, const void *a, int64_t lda,
                                 void *b, int64_t ldb);

/** Free a plan; NULL is allowed. Local. */
HESCA_API void hesca_plan_free(hesca_plan *plan);

/** Describe a plan. Local.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG (a NULL argument). */
HESCA_API int hesca_plan_get_info(const hesca_plan *plan,
                                  hesca_plan_info *info);

/** One side of hesca_redistribute(): what a process knows of A, or of B. */
typedef struct {
    int member;       /**< (local) 1 if this process is in the grid; if 0 the
                         other fields are not looked at */
    int nprow, npcol; /**< (global) shape of the grid */
    int myrow, mycol; /**< (local) this process in the grid */
    int64_t m, n;     /**< (local) rows and columns of the matrix, at least
                         those that the submatrix needs */
    int mb, nb;       /**< (global) rows and columns of a block; mb may differ
                         if nprow is 1, nb if npcol is 1 */
    int rsrc, csrc;   /**< (global) process that owns the first block */
    int64_t i, j;     /**< (global) first row and column of the submatrix */
    int64_t lld;      /**< (local) leading dimension of the local array */
} hesca_side;

/** Copy sub(A) onto sub(B); every process tells what it knows.
 *
 * Collective over comm; every process returns the same value, and on an error
 * other than HESCA_ERR_MPI nothing is written.  A call that repeats an earlier
 * one on comm pays no planning: plans are cached per communicator, and freed
 * with it.
 * \param [in]  status (local) HESCA_SUCCESS, or an error that the caller has
 *                     found in its arguments: then all processes return it.
 * \param [in]  part, m, n, esize  (global) As in hesca_plan_create(); a
 * process in neither grid may have others, but m or n is 0 on all processes or
 * on none. \param [in]  comm   (global) As in hesca_plan_create(). \param [in]
 * sa, sb (local) What this process knows of A and B. \param [in]  a (local)
 * This process's part of A. \param [out] b      (local) This process's part of
 * B. \param [out] info   (global) What was done; may be NULL. \return As
 * hesca_plan_create() and hesca_plan_execute(); HESCA_ERR_UNSUPPORTED also if
 * the first row of a submatrix differs where nprow is 1, or its first column
 * where npcol is 1, which ScaLAPACK takes. */
HESCA_API int hesca_redistribute(int status, hesca_part part, int64_t m,
                                 int64_t n, const hesca_side *sa,
                                 const void *a, const hesca_side *sb, void *b,
                                 size_t esize, MPI_Comm comm,
                                 hesca_plan_info *info);

/** Tell about the plans kept for a communicator.
 *
 * Collective over comm if HESCA has not been used with it yet, else local.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (info is NULL), or as the above. */
HESCA_API int hesca_cache_get_info(MPI_Comm comm, hesca_cache_info *info);

#ifdef __cplusplus
}
#endif

#endif
