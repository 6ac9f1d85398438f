/** \file hesca/experimental/coll.h
 * Collective exchanges over links that differ.
 *
 * Schedules are made from what messages cost between each two processes: the
 * hosts and links of the machine file that HESCA_MACHINE names.  Without one
 * all links count alike.  They are for long messages, whose time is worth
 * scheduling: every call agrees on its arguments first.
 * Sources: BHAT-HET, BHAT-EXC, BHAT-COL; see HACKING. */
#ifndef HESCA_EXPERIMENTAL_COLL_H
#define HESCA_EXPERIMENTAL_COLL_H

#include "hesca/status.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a collective was carried out. Global. */
typedef struct {
    char schedule[32];    /**< as in HESCA_EXCHANGE or HESCA_BCAST; "refined",
                             see below; what only auto takes: balanced-mst,
                             chain, binary; "none" if nothing is sent */
    int segments;         /**< pieces that a broadcast was cut into */
    int checkpoints;      /**< of a total exchange: HESCA_CHECKPOINT */
    int changes;          /**< of them, after which the order was a new one */
    double bound_seconds; /**< the lower bound, by the machine file */
    double predicted_seconds; /**< what the schedule should take */
} hesca_coll_info;

/** Every process sends something of its own to every other one, as
 * MPI_Alltoallv does.
 *
 * Collective over comm; every process returns the same value, and on an error
 * other than HESCA_ERR_MPI nothing is written.
 * A process keeps one message out and one in at a time, in an order that keeps
 * slow links busy; HESCA_EXCHANGE names the order, auto being polished, or
 * openshop on more than 256 processes.  A call that repeats the one before
 * keeps its order, or refines it if the machine was refreshed ("refined");
 * counts of all pairs are shared in every call, 32 P^2 bytes.
 * With HESCA_CHECKPOINT=half:P all processes stop when half of the messages,
 * then half of the rest and so on have arrived.  If one of them was early or
 * late by more than P percent of the time since the last stop they estimate
 * and order the rest anew.  That is for machine files that are far from the
 * truth: stops take time, often more than a better order saves.  What is
 * predicted, and kept for the next call, is the first order.
 * \param [in]  send        (local) The elements to send; may be NULL if there
 *                          are none.
 * \param [in]  sendcounts  (local) [P] elements for each process; >= 0.
 * \param [in]  sdispls     (local) [P] where they begin in send, in elements;
 *                          times esize they fit int64_t.
 * \param [out] recv        (local) Must not overlap send.
 * \param [in]  recvcounts, rdispls  (local) Likewise; recvcounts[j] is what
 *                          process j has in its sendcounts for this one.
 * \param [in]  esize       (global) Bytes of an element; >= 1.
 * \param [in]  comm        (global) An intra-communicator.
 * \param [out] info        (global) May be NULL.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH (counts of a pair
 *         differ), HESCA_ERR_PARAM, HESCA_ERR_UNSUPPORTED (a schedule named by
 *         HESCA_EXCHANGE that is not for so many processes), HESCA_ERR_NOMEM
 *         or HESCA_ERR_MPI.
 * Source: BHAT-EXC 4 and 6.3, BHAT-HET 4.3. */
HESCA_API int hesca_alltoallv(const void *send, const int64_t *sendcounts,
                              const int64_t *sdispls, void *recv,
                              const int64_t *recvcounts,
                              const int64_t *rdispls, size_t esize,
                              MPI_Comm comm, hesca_coll_info *info);

/** Root's bytes to all processes, as MPI_Bcast does.
 *
 * Collective over comm; errors as above.  Who sends to whom, in which order
 * and in how many pieces comes from the links; HESCA_BCAST names the schedule,
 * auto being the best one found.  The last few are kept, so that a repeated
 * call pays no planning; the first takes 24 P^2 bytes and, for auto, less than
 * a millisecond on 10 processes, a second on 1000.
 * \param [in,out] buffer  (local) What root has; written elsewhere.
 * \param [in] bytes  (global) Its length, >= 0.
 * \param [in] root   (global) A rank of comm.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH, HESCA_ERR_PARAM,
 *         HESCA_ERR_UNSUPPORTED, HESCA_ERR_NOMEM or HESCA_ERR_MPI.
 * Source: BHAT-COL 4.3. */
HESCA_API int hesca_bcast(void *buffer, int64_t bytes, int root, MPI_Comm comm,
                          hesca_coll_info *info);

/** Root's bytes to some processes.
 *
 * Collective over comm: processes that are not among the destinations may be
 * asked to forward, from memory of HESCA's own; their buffer is not looked at.
 * \param [in] ndest  (global) Destinations, 0 ... P - 1.
 * \param [in] dest   (global) [ndest] their ranks: different ones, not root.
 * \return As hesca_bcast().
 * Source: BHAT-COL 4.3 and 6, relays through its set I. */
HESCA_API int hesca_multicast(void *buffer, int64_t bytes, int root, int ndest,
                              const int *dest, MPI_Comm comm,
                              hesca_coll_info *info);

#ifdef __cplusplus
}
#endif

#endif
