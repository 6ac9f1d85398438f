/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/redist.h
 * Copy sub(A) onto sub(B), in any two layouts, bit for bit.
 *
 * hesca_plan_create() / execute / free: for programs that know both layouts on
 * every process; plan once, execute often.  A plan is the schedule of one
 * redistribution (order and routing of its messages) with all its messages.
 * hesca_redistribute(): for programs in which a process knows only the grids
 * it is in, as in ScaLAPACK; plans are cached.
 *
 * Matrices are column-major; rows and columns count from 0, not from 1 as in
 * ScaLAPACK.  A global argument has the same value on all processes, a local
 * one may differ; a local function does not communicate, a collective one is
 * called by all processes of the communicator.  Under
 * MPI_THREAD_MULTIPLE several threads may call, each with its own
 * communicators, and plans of these. */
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

typedef struct hesca_plan hesca_plan; /**< Opaque. */

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
    int nprow; /**< process rows */
    int npcol; /**< process columns */
    int mb;    /**< rows of a block */
    int nb;    /**< columns of a block */
} hesca_shape;

/** Description and cost of a plan. Values are global unless marked local. */
typedef struct {
    hesca_shape a;       /**< layout of A */
    hesca_shape b;       /**< layout of B */
    char schedule[32];   /**< name as in HESCA_SCHEDULE; "local" if auto chose
                            and no data change their process, "none" if m = 0
                            or n = 0 */
    char transport[16];  /**< (local) transport of this process's messages:
                            "shm", "mpi", "shm+mpi", or "self": none */
    int nsteps;          /**< communication steps of the schedule */
    int64_t bytes_total; /**< bytes of sub(A), the part that is copied */
    int64_t bytes_moved; /**< bytes that change their process */
    double predicted_seconds; /**< by the costs in the machine file */
    int cached;               /**< 1 if the plan came from the cache */
    double plan_seconds; /**< (local) hesca_redistribute(): time before data
                            move, including waiting for other processes; else
                            0 */
    int64_t reserved[8]; /**< for later versions; 0 */
} hesca_plan_info;

/** The cache of plans that hesca_redistribute() has for a communicator.
 * Global. */
typedef struct {
    int plans;       /**< plans in the cache now */
    size_t bytes;    /**< their memory, at most HESCA_CACHE; the maximum over
                        the processes */
    int64_t hits;    /**< calls that found their plan */
    int64_t misses;  /**< calls that created a plan */
    int64_t dropped; /**< plans that were evicted */
    int64_t reserved[4]; /**< for later versions; 0 */
} hesca_cache_info;

/** Choose how to copy sub(A) = A(i:i+m-1, j:j+n-1), with i and j of its
 * hesca_matrix, onto sub(B).
 *
 * Collective over comm; every process returns the same value.
 * \param [in]  part   (global) Which elements.
 * \param [in]  m, n   (global) Rows and columns of sub(A) and sub(B); >= 0.
 * \param [in]  a, b   (global) sub(A) and sub(B), inside their matrices; ranks
 *                     of the layouts are those of comm.  Local parts are
 *                     arguments of hesca_plan_execute().
 * \param [in]  esize  (global) Bytes per element; >= 1.
 * \param [in]  comm   (global) All processes of both grids, perhaps more.
 *                     HESCA communicates on a duplicate, made once.
 * \param [out] plan   (local)  Free with hesca_plan_free(), before comm; NULL
 *                     on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH, HESCA_ERR_PARAM
 *         (also if HESCA_SCHEDULE does not apply to this redistribution: the
 *         text lists what does), HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED
 *         (HESCA_BUFFER is too small) or HESCA_ERR_MPI.
 * Source: LIM sections 3 and 4 for the schedules. */
HESCA_API int hesca_plan_create(hesca_part part, int64_t m, int64_t n,
                                const hesca_matrix *a, const hesca_matrix *b,
                                size_t esize, MPI_Comm comm,
                                hesca_plan **plan);

/** Copy sub(A) onto sub(B) as planned.
 *
 * Collective over the plan's communicator; every process returns the same
 * value.  On HESCA_ERR_ARG and HESCA_ERR_UNSUPPORTED nothing is written.
 * \param [in]  plan Created by hesca_plan_create().
 * \param [in]  a    (local) This process's part of A; NULL if it owns nothing
 *                   of sub(A).
 * \param [in]  lda  (local) Elements from one column of a to the next, >= its
 *                   local rows of A; ignored if it owns nothing of sub(A).
 * \param [out] b    (local) This process's part of B.  What is written there
 *                   must not overlap what is read of a, unless every element
 *                   stays in place.
 * \param [in]  ldb  (local) As lda.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_UNSUPPORTED (what is read
 *         and what is written overlap, other than every element itself),
 *         HESCA_ERR_PARAM (HESCA_TRACE cannot be written, and HESCA_FALLBACK
 *         is error), HESCA_ERR_NOMEM or HESCA_ERR_MPI. */
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
    int member;  /**< (local) 1 if this process is in the grid; if 0, the other
                    fields are not used */
    int nprow;   /**< (global) process rows */
    int npcol;   /**< (global) process columns */
    int myrow;   /**< (local) process row of this process */
    int mycol;   /**< (local) process column of this process */
    int64_t m;   /**< (local) rows of the matrix, at least those that the
                    submatrix needs */
    int64_t n;   /**< (local) columns of the matrix, likewise */
    int mb;      /**< (global) rows of a block; may differ if nprow is 1 */
    int nb;      /**< (global) columns of a block; may differ if npcol is 1 */
    int rsrc;    /**< (global) process row that owns the first block */
    int csrc;    /**< (global) process column that owns the first block */
    int64_t i;   /**< (global) first row of the submatrix */
    int64_t j;   /**< (global) first column of the submatrix */
    int64_t lld; /**< (local) leading dimension of the local array */
    int64_t reserved[4]; /**< (global) for later versions; 0 */
} hesca_side;

/** Copy sub(A) onto sub(B); every process passes what it knows of them.
 *
 * Collective over comm; every process returns the same value, and on an error
 * other than HESCA_ERR_MPI nothing is written.  A call that repeats an earlier
 * one on comm needs no planning: plans are cached per communicator, and freed
 * with it.
 * \param [in]  status (local) HESCA_SUCCESS, or an error that the caller has
 *                     found in its arguments; then all processes return it.
 * \param [in]  part, m, n, esize  (global) As in hesca_plan_create(); a
 *                     process in neither grid may pass other values, but
 *                     whether m or n is 0 must agree on all processes.
 * \param [in]  comm   (global) As in hesca_plan_create().
 * \param [in]  sa, sb (local)  What this process knows of A and B.
 * \param [in]  a      (local)  This process's part of A.
 * \param [out] b      (local)  This process's part of B.
 * \param [out] info   (global) Description of what was done; may be NULL.
 * \return As hesca_plan_create() and hesca_plan_execute();
 *         HESCA_ERR_UNSUPPORTED also if the first row of a submatrix differs
 *         among processes and nprow is 1, or its first column and npcol is 1
 *         (ScaLAPACK's own p?gemr2d allows this). */
HESCA_API int hesca_redistribute(int status, hesca_part part, int64_t m,
                                 int64_t n, const hesca_side *sa,
                                 const void *a, const hesca_side *sb, void *b,
                                 size_t esize, MPI_Comm comm,
                                 hesca_plan_info *info);

/** Report on the cached plans of a communicator.
 *
 * Collective over comm if HESCA has not been used with it yet, else local.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (info is NULL), or as
 *         hesca_redistribute(). */
HESCA_API int hesca_cache_get_info(MPI_Comm comm, hesca_cache_info *info);

#ifdef __cplusplus
}
#endif

#endif
