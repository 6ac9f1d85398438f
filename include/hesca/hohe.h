/** \file hesca/hohe.h
 * HoHe under ScaLAPACK's calls: one process per processor, and work in
 * proportion to speed, for a program that has its matrices in block-cyclic
 * layouts on a grid of processes.
 *
 * What a call overwrites, sub(C), is copied to generalized blocks in which a
 * process has as much as its speed is worth, computed there (hesca/dense.h)
 * and copied back; what it only reads stays where it is.  Whether that pays is
 * predicted.  libhesca_scalapack asks hesca_hohe_gemm() when a program calls
 * P?GEMM, and calls ScaLAPACK's own routine where this leaves the call to it.
 */
#ifndef HESCA_HOHE_H
#define HESCA_HOHE_H

#include "hesca/dense.h"
#include "hesca/place.h"
#include "hesca/redist.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is to be computed, and where what is overwritten, sub(C), lives; of a
 * factorization that is sub(A). */
typedef struct {
    hesca_routine routine;
    hesca_type type;
    int64_t m, n;    /**< rows and columns of sub(C), >= 1 */
    int64_t k;       /**< HESCA_GEMM: terms of each sum, >= 1; else n */
    int reads;       /**< 1: sub(C) is read, too */
    hesca_side home; /**< the grid and the layout of C, and where sub(C)
                          begins; member, myrow, mycol, lld do not count */
} hesca_hohe_job;

/** Seconds and bytes, as predicted. */
typedef struct {
    double real;    /**< seconds of ScaLAPACK's routine */
    double hohe;    /**< seconds of HoHe, copying included */
    double copying; /**< seconds of which sub(C) is copied in and out */
    double moved;   /**< part of sub(C) that changes its process, 0 ... 1 */
    double staging; /**< bytes of the copy of sub(C), on the process that has
                         most */
} hesca_hohe_forecast;

/** Predict a call, both ways.
 *
 * Local, pure; the same from the same arguments everywhere.
 * \param [in]  machine  Of known hosts.
 * \param [in]  host     [nprow * npcol] The host of the process at each place
 *                       of the grid, counted row by row.
 * \param [out] forecast Unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also if what a process has does not
 *         fit into its host's memory), HESCA_ERR_NOMEM. */
HESCA_API int hesca_hohe_predict(const hesca_machine *machine, const int *host,
                                 const hesca_hohe_job *job,
                                 hesca_hohe_forecast *forecast);

/** What became of a call. */
typedef struct {
    int served;    /**< 1: computed; 0: left to the caller, with nothing
                        written */
    int settled;   /**< 1: on this communicator, calls of this routine are
                        always left, without a message */
    int predicted; /**< 1: there is a forecast */
    int cached;    /**< 1: decided and planned in an earlier call */
    hesca_hohe_forecast forecast;
    char why[240]; /**< of not being served, for people */
} hesca_hohe_info;

/** sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C), as P?GEMM has it: by
 * HoHe, or left to the caller.
 *
 * Collective over comm; every process returns the same.  It is left where
 * HESCA_GEMM is real; and, if that is auto, where no machine is known, its
 * hosts do not differ, or ScaLAPACK's routine is predicted to take no more
 * than 3 % longer.  A call that repeats an earlier one on comm decides and
 * plans nothing anew, and one that is left then costs no message.  On an error
 * other than HESCA_ERR_MPI nothing is written.
 * \param [in] status  (local) HESCA_SUCCESS, or an error that the caller has
 *                     found in its own lld or arrays: if the call is not left
 *                     to the caller, all return it.
 * \param [in] type, transa, transb, m, n, k, alpha, beta  (global) As in
 *                     hesca_gemm().
 * \param [in] sa, sb, sc  (global but myrow, mycol, lld) The grid is the same
 *                     for all three, and has all processes of comm, rank p *
 *                     npcol + q at (p,q); everybody is a member.
 * \param [in] a, b    (local) This process's parts.
 * \param [in,out] c   (local) The same.
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
                              hesca_hohe_info *info);

/** sub(A) = L L' or U' U, as P?POTRF has it, by HoHe, or left to the caller,
 * by HESCA_POTRF.
 *
 * Collective over comm; see hesca_hohe_gemm().  Only the named triangle is
 * copied.
 * \param [in] uplo, n     (global) As in hesca_potrf(); n >= 1.
 * \param [in] sa          (global but myrow, mycol, lld) As there.
 * \param [in,out] a       (local)
 * \param [out] result     (global) hesca_potrf()'s info, if served. */
HESCA_API int hesca_hohe_potrf(int status, hesca_type type, char uplo,
                               int64_t n, const hesca_side *sa, void *a,
                               MPI_Comm comm, int64_t *result,
                               hesca_hohe_info *info);

/** sub(A) = P L U, as P?GETRF has it, by HoHe, or left to the caller, by
 * HESCA_GETRF.
 *
 * Collective over comm; see hesca_hohe_gemm().
 * \param [in] m, n        (global) As in hesca_getrf(); >= 1.
 * \param [in] sa          (global but myrow, mycol, lld) As there.
 * \param [in,out] a       (local)
 * \param [out] ipiv       (global) [min(m,n)] As in hesca_getrf(), if served.
 * \param [out] result     (global) hesca_getrf()'s info, if served. */
HESCA_API int hesca_hohe_getrf(int status, hesca_type type, int64_t m,
                               int64_t n, const hesca_side *sa, void *a,
                               int64_t *ipiv, MPI_Comm comm, int64_t *result,
                               hesca_hohe_info *info);

/** Where a process has arguments of hesca_hohe_potrf() or hesca_hohe_getrf()
 * that it cannot even pass: what it calls instead, so that the others leave
 * the call, too.
 *
 * Collective over comm, with those functions.
 * \param [in] routine  HESCA_POTRF, HESCA_GESV.
 * \return HESCA_SUCCESS, or as hesca_hohe_gemm(). */
HESCA_API int hesca_hohe_decline(hesca_routine routine, MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
