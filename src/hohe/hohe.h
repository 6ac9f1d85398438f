/** \file hohe/hohe.h
 * HoHe under ScaLAPACK's calls: one process per processor, and work in
 * proportion to speed, for a program that has its matrices in block-cyclic
 * layouts on a grid of processes.
 *
 * A call can go three ways.  HoHe: what it overwrites, sub(C), is copied to
 * generalized blocks in which a process has as much as its speed is worth,
 * computed there (hesca/experimental/dense.h) and copied back; what it only
 * reads stays where it is.  Another grid: all that it works on is copied to a
 * block-cyclic layout on a grid that is smaller, or of another shape, or has
 * the same processes at other places, ScaLAPACK's routine computes there, and
 * sub(C) is copied back.  Or ScaLAPACK's routine as it was called.  Which of
 * them takes least is predicted.  libhesca_scalapack asks hesca_hohe_gemm()
 * when a program calls P?GEMM, and calls ScaLAPACK's own routine where this
 * leaves the call to it. */
#ifndef HESCA_HOHE_H
#define HESCA_HOHE_H

#include "hesca/experimental/dense.h"
#include "hesca/experimental/place.h"
#include "hesca/redist.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Ways that a call can go. */
typedef enum {
    HESCA_WAY_REAL, /**< ScaLAPACK's routine as it is called: left to the
                         caller */
    HESCA_WAY_HOHE, /**< HoHe */
    HESCA_WAY_GRID  /**< ScaLAPACK's routine on another grid */
} hesca_way;

/** What is to be computed, and where what is overwritten, sub(C), lives; of a
 * factorization that is sub(A). */
typedef struct {
    hesca_routine routine;
    hesca_type type;
    int64_t m, n;       /**< rows and columns of sub(C), >= 1 */
    int64_t k;          /**< HESCA_GEMM: terms of each sum, >= 1; else n */
    int reads;          /**< 1: sub(C) is read, too */
    int solves;         /**< 1: not the factorization, but solving with its
                             result; sub(C) is the right-hand sides, k = m */
    hesca_side home;    /**< the grid and the layout of C, and where sub(C)
                             begins; member, myrow, mycol, lld do not count */
    int transa, transb; /**< HESCA_GEMM: 1: sub(A), sub(B) are transposed */
    hesca_side a, b; /**< HESCA_GEMM: the same of A and B; nprow = 0: matrices
                          of their own, on C's grid in C's blocks */
} hesca_hohe_job;

/** Seconds and bytes, as predicted; of a way that cannot be gone, 0: there is
 * too little memory for the copies, or no better grid. */
typedef struct {
    double real;    /**< seconds of ScaLAPACK's routine as it is called */
    double hohe;    /**< seconds of HoHe, copying included */
    double copying; /**< seconds of which sub(C) is copied in and out */
    double moved;   /**< part of sub(C) that changes its process, 0 ... 1 */
    double staging; /**< bytes of the copy of sub(C), on the process that has
                         most */
    double grid;    /**< seconds on the best other grid, copying included */
    double grid_copying; /**< seconds of which are for copies */
    double grid_staging; /**< bytes of these, on the process that has most */
    int nprow, npcol;    /**< that grid; 0: there is none, the program's is the
                              best */
    int nb;              /**< rows and columns of a block there */
    int alike;           /**< 1: the hosts' speeds are equal, as far as one can
                              measure, within 5 % of their mean */
    double hohe_margin;  /**< by what part the quotient real / hohe is known to
                              be predicted too high, 0.5: 1.5 times as high as
                              measured, for this routine; >= 0 */
    double grid_margin;  /**< the same of real / grid */
    double first; /**< seconds that the first of such calls takes longer by
                       another way than what is predicted, which is the time of
                       those that repeat it */
} hesca_hohe_forecast;

/** Predict a call, all ways.
 *
 * Local, pure; the same from the same arguments everywhere.
 * \param [in]  machine  Of known hosts.
 * \param [in]  host     [nprow * npcol] The host of the process at each place
 *                       of the grid, counted row by row.
 * \param [out] forecast Unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also if what a process has does not
 *         fit into its host's memory, without any copy), HESCA_ERR_NOMEM. */
HESCA_API int hesca_hohe_predict(const hesca_machine *machine, const int *host,
                                 const hesca_hohe_job *job,
                                 hesca_hohe_forecast *forecast);

/** The way that takes least, as predicted, of those that win more than
 * predictions are known to be off by: real > (1 + margin) * way + first.  The
 * real routine if there is none, or if hosts are equal; HoHe unless another
 * grid wins 10 % over it.
 *
 * Local. */
HESCA_API hesca_way hesca_hohe_best(const hesca_hohe_forecast *forecast);

/** \name ScaLAPACK's routine on another grid
 * libhesca knows neither ScaLAPACK nor BLACS: who calls tells how they are
 * reached.
 * \{ */

/** A grid. */
typedef struct {
    int nprow, npcol;
    const int *process; /**< [nprow * npcol] ranks of the communicator, row by
                             row */
} hesca_hohe_grid;

/** A matrix on it: block-cyclic, its first block at place (0,0). */
typedef struct {
    int64_t m, n;
    void *local;
    int64_t lld;
} hesca_hohe_operand;

/** A call there, as one process of the grid has it. */
typedef struct {
    int nb;                     /**< mb = nb, of all matrices */
    hesca_hohe_operand a, b, c; /**< sub(A), sub(B) and sub(C) of P?GEMM; of a
                                     factorization c is sub(A), and no more */
    int *ipiv;    /**< (out) P?GETRF: [local rows of c + nb] as it has them */
    int64_t info; /**< (out) factorizations: INFO */
} hesca_hohe_work;

/** How ScaLAPACK's routine is reached; the functions are the same in all calls
 * on a communicator, which keeps handles from one to the next. */
typedef struct {
    const void *call; /**< for run() */
    /** Find what is kept for a grid, or have it, without communication.
     *
     * Local.
     * \param [in]  grid    There during the call only.
     * \param [in]  comm    All processes of the program's grid.
     * \param [out] handle  For the others.
     * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
    int (*open)(const hesca_hohe_grid *grid, MPI_Comm comm, void **handle);
    /** Compute; work is NULL on processes outside of the grid.
     *
     * Collective over comm.
     * \return HESCA_SUCCESS, or what this process alone finds wrong. */
    int (*run)(const void *call, void *handle, hesca_hohe_work *work);
    /** Nobody needs the handle any more: at the latest when the communicator
     * goes. Local. */
    void (*close)(void *handle);
} hesca_hohe_original;
/** \} */

/** What became of a call. */
typedef struct {
    hesca_way way; /**< HESCA_WAY_REAL: left to the caller, with nothing
                        written; else computed in this way */
    int settled;   /**< 1: on this communicator, calls of this routine are
                        always left, without a message */
    int predicted; /**< 1: there is a forecast */
    int cached;    /**< 1: decided and planned in an earlier call */
    hesca_hohe_forecast forecast;
    char why[240]; /**< of being left, for people */
} hesca_hohe_info;

/** sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C), as P?GEMM has it: by
 * HoHe, on another grid, or left to the caller.
 *
 * Collective over comm; every process returns the same.  It is left where
 * HESCA_GEMM is real; if that is grid, where no machine is known, or no grid
 * is better than the program's; if it is auto, where no machine is known, its
 * hosts do not differ, or no other way is predicted to win more than
 * predictions are known to be off by, see hesca_hohe_best().  A call that
 * repeats an earlier one on comm decides and plans nothing again, and one that
 * is left then costs no message; of factorizations and solves, whose arguments
 * are compared among processes as ScaLAPACK does, one agreement.  On an error
 * other than HESCA_ERR_MPI nothing is written. \param [in] status  (local)
 * HESCA_SUCCESS, or an error that the caller has found in its own lld or
 * arrays: if the call is not left to the caller, all return it. \param [in]
 * type, transa, transb, m, n, k, alpha, beta  (global) As in hesca_gemm().
 * \param [in] sa, sb, sc  (global but myrow, mycol, lld) The grid is the same
 *                     for all three, and has all processes of comm, rank p *
 *                     npcol + q at (p,q); everybody is a member.
 * \param [in] a, b    (local) This process's parts.
 * \param [in,out] c   (local) The same.
 * \param [in] real     How the real routine is reached on another grid; NULL,
 *                     on all processes: it is not.
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
                              const hesca_hohe_original *real,
                              hesca_hohe_info *info);

/** sub(A) = L L' or U' U, as P?POTRF has it, by HoHe, on another grid, or left
 * to the caller, by HESCA_POTRF.
 *
 * Collective over comm; see hesca_hohe_gemm().  Only the named triangle is
 * copied.  A call whose factors hold a NaN or infinite element is left to the
 * caller, with nothing written, so that P?POTRF says what INFO is.
 * \param [in] uplo, n     (global) As in hesca_potrf(); n >= 1.
 * \param [in] sa          (global but myrow, mycol, lld) As there.
 * \param [in,out] a       (local)
 * \param [out] result     (global) hesca_potrf()'s info, if computed. */
HESCA_API int hesca_hohe_potrf(int status, hesca_type type, char uplo,
                               int64_t n, const hesca_side *sa, void *a,
                               MPI_Comm comm, const hesca_hohe_original *real,
                               int64_t *result, hesca_hohe_info *info);

/** sub(A) = P L U, as P?GETRF has it, by HoHe, on another grid, or left to the
 * caller, by HESCA_GETRF.
 *
 * Collective over comm; see hesca_hohe_gemm().  A call whose factors are not
 * finite is left to the caller, as by hesca_hohe_potrf().
 * \param [in] m, n        (global) As in hesca_getrf(); >= 1.
 * \param [in] sa          (global but myrow, mycol, lld) As there.
 * \param [in,out] a       (local)
 * \param [out] ipiv       (global) [min(m,n)] As in hesca_getrf(), if
 * computed. \param [out] result     (global) hesca_getrf()'s info, if
 * computed. */
HESCA_API int hesca_hohe_getrf(int status, hesca_type type, int64_t m,
                               int64_t n, const hesca_side *sa, void *a,
                               int64_t *ipiv, MPI_Comm comm,
                               const hesca_hohe_original *real,
                               int64_t *result, hesca_hohe_info *info);

/** op(sub(A)) sub(X) = sub(B) with what P?POTRF has made of sub(A), as P?POTRS
 * has it, by HoHe, or left to the caller, by HESCA_POTRF.
 *
 * Collective over comm; see hesca_hohe_gemm().  sub(B) is copied to
 * generalized blocks and back, sub(A) stays where it is: its triangles travel
 * while they are used, half of what a copy would be, and no memory is needed
 * for them. If HESCA_POTRF is auto, right-hand sides of less than n/8 are
 * left, whatever the hosts: then who has A has the work. \param [in] uplo, n,
 * nrhs  (global) As in hesca_potrs(); n, nrhs >= 1. \param [in] sa, sb (global
 * but myrow, mycol, lld) As there. \param [in] a              (local) \param
 * [in,out] b          (local) */
HESCA_API int hesca_hohe_potrs(int status, hesca_type type, char uplo,
                               int64_t n, int64_t nrhs, const hesca_side *sa,
                               const void *a, const hesca_side *sb, void *b,
                               MPI_Comm comm, hesca_hohe_info *info);

/** The same with what P?GETRF has made, as P?GETRS has it, by HESCA_GETRF.
 *
 * Collective over comm; see hesca_hohe_potrs().
 * \param [in] trans  (global) As in hesca_getrs().
 * \param [in] ipiv   (local) [local rows of A] As ScaLAPACK has it: for each
 *                    local row of A the row of A, from 1, that it was
 *                    interchanged with; those of sub(A) are looked at.
 * \return As hesca_hohe_gemm(); HESCA_ERR_ARG also where ipiv has rows that
 *         P?GETRF cannot have found. */
HESCA_API int hesca_hohe_getrs(int status, hesca_type type, char trans,
                               int64_t n, int64_t nrhs, const hesca_side *sa,
                               const void *a, const int *ipiv,
                               const hesca_side *sb, void *b, MPI_Comm comm,
                               hesca_hohe_info *info);

/** As hesca_hohe_decline(), of hesca_hohe_potrs() and hesca_hohe_getrs(). */
HESCA_API int hesca_hohe_decline_solve(hesca_routine routine, MPI_Comm comm);

/** Where a process has arguments of hesca_hohe_potrf() or hesca_hohe_getrf()
 * that it cannot even pass: what it calls instead, so that the others leave
 * the call, too.
 *
 * Collective over comm, with those functions.
 * \param [in] routine  HESCA_POTRF, HESCA_GESV.
 * \param [in] real     NULL where the others' is.
 * \return HESCA_SUCCESS, or as hesca_hohe_gemm(). */
HESCA_API int hesca_hohe_decline(hesca_routine routine, MPI_Comm comm,
                                 const hesca_hohe_original *real);

#ifdef __cplusplus
}
#endif

#endif
