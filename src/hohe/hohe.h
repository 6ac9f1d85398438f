/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/hohe.h
 * HoHe under ScaLAPACK's calls: one process per processor, and work in
 * proportion to speed, for a program that has its matrices in block-cyclic
 * layouts on a grid of processes.
 *
 * A call can be computed in three ways.
 * - HoHe: sub(C), which the call overwrites, is copied to generalized blocks
 *   with shares in proportion to the speeds of the processes, computed there
 *   (hesca/experimental/dense.h) and copied back.  Operands that are only read
 *   stay in place.
 * - Another grid: all operands are copied to a block-cyclic layout on a grid
 *   that is smaller, of another shape, or has the same processes at other
 *   places; ScaLAPACK's routine computes there, and sub(C) is copied back.
 * - The original routine of ScaLAPACK as it was called.
 * The way with the least predicted time is taken.  libhesca_scalapack calls
 * hesca_hohe_gemm() when a program calls P?GEMM, and calls ScaLAPACK's routine
 * if the call is left to it. */
#ifndef HESCA_HOHE_H
#define HESCA_HOHE_H

#include "hesca/experimental/dense.h"
#include "hesca/experimental/param.h"
#include "hesca/experimental/place.h"
#include "hesca/redist.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Ways to compute a call. */
typedef enum {
    HESCA_WAY_ORIGINAL, /**< the original: left to the caller */
    HESCA_WAY_HOHE,     /**< HoHe */
    HESCA_WAY_GRID      /**< ScaLAPACK's routine on another grid */
} hesca_way;

/** The most matrices of a call. */
enum { HESCA_HOHE_MATRICES = 4 };

/** A matrix of a call of hesca_hohe_on_grid(). */
typedef struct {
    hesca_side side;   /**< as home of hesca_hohe_job */
    int64_t m, n;      /**< rows and columns of sub(X), >= 1 */
    int64_t copied;    /**< columns that are copied, the first ones, <= n */
    hesca_part part;   /**< what of them is copied */
    int reads, writes; /**< 1: the call reads, writes it */
} hesca_hohe_argument;

/** The computation, and the layout of sub(C), which is overwritten; of a
 * factorization that is sub(A). */
typedef struct {
    hesca_routine routine;
    hesca_type type;
    int64_t m, n; /**< rows and columns of sub(C), >= 1; m n k determines the
                     number of operations */
    int64_t k;    /**< HESCA_ROUTINE_GEMM: terms of each sum, >= 1;
                     factorizations: n */
    int reads;    /**< 1: sub(C) is also read */
    int upper;    /**< HESCA_ROUTINE_POTRF: 1: UPLO = 'U' */
    int solves;   /**< 1: solving with the factors instead of factoring; sub(C)
                     is the right-hand sides, k = m */
    hesca_side home; /**< the grid and the layout of C, and the first element
                        of sub(C); member, myrow, mycol, lld are ignored */
    int transa,
        transb; /**< HESCA_ROUTINE_GEMM: 1: sub(A), sub(B) are transposed; of
                   P?GETRS and P?TRSM: transa: the triangles are */
    int right;  /**< HESCA_ROUTINE_TRSM: 1: SIDE = 'R' */
    hesca_side a, b; /**< HESCA_ROUTINE_GEMM: the same of A and B; nprow = 0:
                        separate matrices, on C's grid in C's blocks */
    int narguments;  /**< 0, or from hesca_routine's SYRK on: that many
                        matrices; home is that of the first */
    hesca_hohe_argument argument[HESCA_HOHE_MATRICES];
} hesca_hohe_job;

/** Predicted seconds and bytes; 0 for a way that is not possible, because
 * there is too little memory for the copies, or no better grid. */
typedef struct {
    double original; /**< seconds of the original routine */
    double hohe;     /**< seconds of HoHe, copying included */
    double copying;  /**< seconds of hohe for copying sub(C) in and out */
    double power;    /**< HoHe's shares are in proportion to this power of
                        speed; 0: equal, in place */
    double moved;    /**< part of sub(C) that changes its process, 0 ... 1 */
    int hohe_nprow,
        hohe_npcol; /**< the grid of HoHe's processes; 0: the program's */
    char stays;     /**< P?GEMM by HoHe: 'A', 'B' or 'C' stays in place, or
                       its copy; 0: not predicted */
    double staging; /**< bytes of the copy of sub(C), the maximum over the
                       processes */
    double grid;    /**< seconds on the best other grid, copying included */
    double grid_copying; /**< seconds of grid for copies */
    double grid_staging; /**< bytes of the copies, the maximum over the
                            processes */
    int nprow, npcol;    /**< that grid; 0: none, the program's is the best */
    int nb;              /**< rows and columns of a block there */
    int homogeneous; /**< 1: the hosts' speeds are equal within the accuracy of
                  measurements, 5 % of their mean */
    double hohe_margin; /**< the gain, original / hohe - 1, up to which
                           predictions are not relied on; >= 0 */
    double grid_margin; /**< the same for original / grid */
    double
        hohe_first, /**< additional seconds of the first such call by HoHe, */
        grid_first; /**< and on another grid; the predictions are for
                       repeated calls */
} hesca_hohe_forecast;

/** Predict all ways of a call.
 *
 * Local, pure; equal arguments give equal results on all processes.
 * \param [in]  machine  With known hosts.
 * \param [in]  host     [nprow * npcol] The host of the process at each place
 *                       of the grid, row by row.
 * \param [out] forecast Unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also if the data of a process do not
 *         fit into its host's memory, without any copy), HESCA_ERR_NOMEM. */
HESCA_API int hesca_hohe_predict(const hesca_machine *machine, const int *host,
                                 const hesca_hohe_job *job,
                                 hesca_hohe_forecast *forecast);

/** The way with the least predicted time, among those that gain more than the
 * margin: real > (1 + margin) * way + first.  The original routine if there is
 * none; HoHe unless another grid gains 10 % over it, and never another grid if
 * hosts are equal.
 *
 * Local. */
HESCA_API hesca_way hesca_hohe_best(const hesca_hohe_forecast *forecast);

/** \name ScaLAPACK's routine on another grid
 * libhesca does not depend on ScaLAPACK and BLACS: the caller passes functions
 * that call them.
 * \{ */

/** A grid. */
typedef struct {
    int nprow, npcol;
    const int *process; /**< [nprow * npcol] ranks of the communicator, row by
                             row */
} hesca_hohe_grid;

/** A matrix on it: block-cyclic, with its first block at place (0,0). */
typedef struct {
    int64_t m, n;
    void *local;
    int64_t lld;
} hesca_hohe_operand;

/** Positions of the matrices of P?GEMM; factorizations have C alone. */
enum { HESCA_HOHE_A, HESCA_HOHE_B, HESCA_HOHE_C };

/** A call on that grid, on one process. */
typedef struct {
    int nprow, npcol, myrow, mycol; /**< the grid, and this process in it */
    int nb;                         /**< mb = nb of all matrices */
    hesca_hohe_operand matrix[HESCA_HOHE_MATRICES];
    const void *taken; /**< hesca_hohe_vectors, of all processes */
    void *made;        /**< (in) zeros, (out) hesca_hohe_vectors */
    int64_t info;      /**< (out) INFO, if the routine has it */
} hesca_hohe_work;

/** What a call reads and writes besides matrices: pivots, eigenvalues.
 * Processes fill it in with disjoint parts, and zeros elsewhere, and all get
 * the union. */
typedef struct {
    void *taken;   /**< (in) this process's part of what the call reads; (out)
                      all, if the call goes to another grid */
    size_t ntaken; /**< bytes, the same on all processes */
    void *made;    /**< (out) what the call makes, on all processes */
    size_t nmade;  /**< bytes, the same on all processes */
} hesca_hohe_vectors;

/** How to call ScaLAPACK's routine.  The functions are the same in all calls
 * on a communicator, which keeps their handles from call to call. */
typedef struct {
    void *call; /**< for prepare() and run() */
    /** Find or make the handle of a grid, without communication.
     *
     * Local.
     * \param [in]  grid    Valid during the call only.
     * \param [in]  comm    All processes of the program's grid.
     * \param [out] handle  For run() and close().
     * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
    int (*open)(const hesca_hohe_grid *grid, MPI_Comm comm, void **handle);
    /** Make what run() needs of other processes, such as a context; NULL:
     * nothing.  What it takes is no part of the time of a call.
     *
     * Collective over comm, before the first run() with this handle. */
    void (*connect)(void *handle);
    /** Allocate what run() needs; NULL: nothing.  work is NULL on processes
     * outside of the grid, and its arrays may be missing.  Before a kernel of
     * HESCA computes, handle and work are NULL: check what only ScaLAPACK's
     * routine knows.
     *
     * Collective over comm.
     * \return HESCA_SUCCESS, or the error of this process. */
    int (*prepare)(void *call, void *handle, const hesca_hohe_work *work);
    /** Compute; work is NULL on processes outside of the grid.
     *
     * Collective over comm.
     * \return HESCA_SUCCESS, or the error of this process. */
    int (*run)(void *call, void *handle, hesca_hohe_work *work);
    /** Release the handle, at the latest when the communicator is freed.
     * Local. */
    void (*close)(void *handle);
} hesca_hohe_original;
/** \} */

/** The result of a decision. */
typedef struct {
    hesca_way way; /**< HESCA_WAY_ORIGINAL: left to the caller, with nothing
                      written; else the way of the computation */
    int settled;   /**< 1: on this communicator, all calls of this routine are
                      left to the caller, without communication */
    int predicted; /**< 1: there is a forecast */
    int by_rule;   /**< 1: cores of a node, or of P?TRSM hosts, are equal; a
                      rule of sizes decides, without a forecast */
    int cached;    /**< 1: decided and planned in an earlier call */
    int timed;     /**< 1: hesca_hohe_finish() is to be called at the end */
    int tried;     /**< 1: by measured times, or to measure one */
    double share;  /**< (local) the part of the result that this process
                      computes, 0 ... 1; negative: what it has in the program's
                      layout */
    hesca_hohe_forecast forecast;
    char why[240]; /**< text: the reason why the call is left */
} hesca_hohe_info;

/** Make what calls on a communicator need and all of them share: its state,
 * the machine, what was learnt.  Else the first call does.
 *
 * Collective over comm; returns as hesca_hohe_gemm(). */
HESCA_API int hesca_hohe_get_ready(MPI_Comm comm);

/** The end of a call with info.timed, also of one that was left to the caller:
 * what it shows of speeds and ways counts in later calls (HESCA_LEARN).
 *
 * Local. */
HESCA_API void hesca_hohe_finish(MPI_Comm comm);

/** The end of all calls, before MPI_Finalize: complete what the last ones that
 * were left to the caller have begun.
 *
 * Collective over the communicators that were in use. */
HESCA_API void hesca_hohe_finish_all(void);

/** Whether hesca_hohe_keep_job() keeps anything: HESCA_LEARN allows it, and
 * the program runs under hesca run or with HESCA_MACHINE=auto.
 *
 * Local. */
HESCA_API int hesca_hohe_keeps_jobs(const hesca_params *params);

/** Keep, for the next run of the program, the job that took most of the time
 * of this one: the default of HESCA_JOB, and of hesca run.
 *
 * Local, without MPI.
 * \param [in] nprow, npcol  Its grid.
 * \param [in] nprocs        Processes of the program. */
HESCA_API void hesca_hohe_keep_job(const hesca_params *params,
                                   const hesca_job *job, int nprow, int npcol,
                                   int nprocs);

/** sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C) as in P?GEMM: by HoHe,
 * on another grid, or left to the caller.
 *
 * Collective over comm; all processes return the same status.  The call is
 * left to the caller if HESCA_GEMM is real; if it is grid, when no machine is
 * known or no grid is better than the program's; if it is auto, when no
 * machine is known, or no other way is predicted to gain more than the known
 * error of predictions, see hesca_hohe_best().  A
 * call that repeats an earlier one on comm needs no decision and no plan, and
 * if it is left it needs no message; factorizations and solves, the arguments
 * of which are compared among processes as in ScaLAPACK, need one agreement;
 * if they differ when an earlier call was left, only some may return the
 * error. On an error other than HESCA_ERR_MPI nothing is written.
 * \param [in] status  (local) HESCA_SUCCESS, or an error that the caller has
 *                     found in its own lld or arrays: if the call is not left
 *                     to the caller, all processes return it.
 * \param [in] type, transa, transb, m, n, k, alpha, beta  (global) As in
 *                     hesca_gemm().
 * \param [in] sa, sb, sc  (global except myrow, mycol, lld) The grid is the
 *                     same for all three and has all processes of comm, rank
 *                     p * npcol + q at (p,q); all processes are members.
 * \param [in] a, b    (local) This process's parts.
 * \param [in,out] c   (local) This process's part.
 * \param [in] original  How to call the original routine on another grid;
 *                     NULL, on all processes: other grids are not available.
 * \param [out] info   (global) May be NULL.
 * \return HESCA_SUCCESS, also if the call is left to the caller;
 *         HESCA_ERR_ARG, HESCA_ERR_MISMATCH, HESCA_ERR_PARAM, HESCA_ERR_NOMEM,
 *         HESCA_ERR_UNSUPPORTED, HESCA_ERR_MPI. */
HESCA_API int hesca_hohe_gemm(int status, hesca_type type, char transa,
                              char transb, int64_t m, int64_t n, int64_t k,
                              const void *alpha, const hesca_side *sa,
                              const void *a, const hesca_side *sb,
                              const void *b, const void *beta,
                              const hesca_side *sc, void *c, MPI_Comm comm,
                              const hesca_hohe_original *original,
                              hesca_hohe_info *info);

/** sub(A) = L L' or U' U as in P?POTRF, by HoHe, on another grid, or left to
 * the caller, according to HESCA_POTRF.
 *
 * Collective over comm; see hesca_hohe_gemm().  Only the specified triangle is
 * copied.  A call whose factors hold a NaN or infinite element is left to the
 * caller, with nothing written, so that P?POTRF determines INFO.
 * \param [in] uplo, n     (global) As in hesca_potrf(); n >= 1.
 * \param [in] sa          (global except myrow, mycol, lld) As in
 *                         hesca_hohe_gemm().
 * \param [in,out] a       (local)
 * \param [out] result     (global) hesca_potrf()'s info, if computed. */
HESCA_API int hesca_hohe_potrf(int status, hesca_type type, char uplo,
                               int64_t n, const hesca_side *sa, void *a,
                               MPI_Comm comm,
                               const hesca_hohe_original *original,
                               int64_t *result, hesca_hohe_info *info);

/** sub(A) = P L U as in P?GETRF, by HoHe, on another grid, or left to the
 * caller, according to HESCA_GETRF.
 *
 * Collective over comm; see hesca_hohe_gemm().  A call whose factors are not
 * finite is left to the caller, as by hesca_hohe_potrf().
 * \param [in] m, n        (global) As in hesca_getrf(); >= 1.
 * \param [in] sa          (global except myrow, mycol, lld) As in
 *                         hesca_hohe_gemm().
 * \param [in,out] a       (local)
 * \param [out] ipiv       (global) [min(m,n)] As in hesca_getrf(), if
 *                         computed.
 * \param [out] result     (global) hesca_getrf()'s info, if computed. */
HESCA_API int hesca_hohe_getrf(int status, hesca_type type, int64_t m,
                               int64_t n, const hesca_side *sa, void *a,
                               int64_t *ipiv, MPI_Comm comm,
                               const hesca_hohe_original *original,
                               int64_t *result, hesca_hohe_info *info);

/** op(sub(A)) sub(X) = sub(B) with the factors of P?POTRF, as in P?POTRS, by
 * HoHe, or left to the caller, according to HESCA_POTRF.
 *
 * Collective over comm; see hesca_hohe_gemm().  sub(B) is copied to
 * generalized blocks and back.  sub(A) stays in place: its triangles are sent
 * while they are used, which is half of the volume of a copy and needs no
 * memory for one. If HESCA_POTRF is auto, calls with fewer than n/8 right-hand
 * sides are left to the caller, whatever the hosts, because the owners of A
 * then have the work.
 * \param [in] uplo, n, nrhs  (global) As in hesca_potrs(); n, nrhs >= 1.
 * \param [in] sa, sb         (global except myrow, mycol, lld) As in
 *                            hesca_hohe_gemm().
 * \param [in] a              (local)
 * \param [in,out] b          (local) */
HESCA_API int hesca_hohe_potrs(int status, hesca_type type, char uplo,
                               int64_t n, int64_t nrhs, const hesca_side *sa,
                               const void *a, const hesca_side *sb, void *b,
                               MPI_Comm comm, hesca_hohe_info *info);

/** The same with the factors of P?GETRF, as in P?GETRS, according to
 * HESCA_GETRF.
 *
 * Collective over comm; see hesca_hohe_potrs().
 * \param [in] trans  (global) As in hesca_getrs().
 * \param [in] ipiv   (local) [local rows of A] As in ScaLAPACK: for each local
 *                    row of A the row of A, from 1, that it was interchanged
 *                    with; only those of sub(A) are used.
 * \return As hesca_hohe_gemm(); HESCA_ERR_ARG also if ipiv has rows that
 *         P?GETRF cannot have chosen. */
HESCA_API int hesca_hohe_getrs(int status, hesca_type type, char trans,
                               int64_t n, int64_t nrhs, const hesca_side *sa,
                               const void *a, const int *ipiv,
                               const hesca_side *sb, void *b, MPI_Comm comm,
                               hesca_hohe_info *info);

/** HESCA's own routine for a call of hesca_hohe_on_grid(). */
typedef struct {
    void *call; /**< for the functions */
    /** Examine what the program has, before anything is written; NULL:
     * nothing.
     *
     * Collective over comm.
     * \return HESCA_SUCCESS, or the error of this process. */
    int (*prepare)(void *call);
    /** Compute.  The vectors of the call are those of all processes.
     *
     * Collective over comm.
     * \param [in,out] matrix  [narguments] In layouts of their own.
     * \return HESCA_SUCCESS, or the same error on all processes. */
    int (*run)(void *call, const hesca_matrix *matrix, MPI_Comm comm);
} hesca_hohe_kernel;

/** A routine on another grid, by a kernel of HESCA if there is one, or left to
 * the caller, according to HESCA_REGRID.  The kernel computes in place, or on
 * a copy of the last matrix in proportion to speed.
 *
 * Collective over comm; see hesca_hohe_gemm().
 * \param [in] job      (global except myrow, mycol, lld) The routine, at least
 *                      HESCA_ROUTINE_SYRK, its type, m, n, k, and narguments
 *                      matrices; a, b and home are not read.
 * \param [in,out] local  (local) [narguments] The parts of the matrices.
 * \param [in,out] vectors  NULL: there are none.
 * \param [in] kernel  Of HESCA_ROUTINE_SYRK to ORMQR, which have one or two
 *                     matrices and write the last one; else NULL.
 * \param [out] result  (global) INFO, if computed; >= 0. */
HESCA_API int hesca_hohe_on_grid(int status, const hesca_hohe_job *job,
                                 void *const local[], MPI_Comm comm,
                                 const hesca_hohe_original *original,
                                 const hesca_hohe_kernel *kernel,
                                 const hesca_hohe_vectors *vectors,
                                 int64_t *result, hesca_hohe_info *info);

/** To be called instead of the functions above, but hesca_hohe_gemm(), by a
 * process with arguments that it cannot pass, so that the other processes
 * leave the call to the caller, too.  A process that declines takes part in
 * the same eligibility check.
 *
 * Collective over comm, with those functions.
 * \param [in] original  NULL if the other processes pass NULL.
 * \return HESCA_SUCCESS, or as hesca_hohe_gemm(). */
HESCA_API int hesca_hohe_decline(hesca_routine routine, MPI_Comm comm,
                                 const hesca_hohe_original *original);

#ifdef __cplusplus
}
#endif

#endif
