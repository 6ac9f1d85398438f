/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/coll.h
 * Collective exchanges over links that differ.
 *
 * Schedules are based on the costs of messages between each two processes: the
 * hosts and links of the machine file that HESCA_MACHINE names.  Without one
 * all links count as equal.  They are for long messages, as every call first
 * agrees on its arguments.
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
                             see below; balanced-mst, chain, binary, which
                             only auto chooses; "none" if nothing is sent */
    int segments;         /**< pieces of a broadcast */
    int checkpoints;      /**< of a total exchange: HESCA_CHECKPOINT */
    int changes;          /**< checkpoints that changed the order */
    double bound_seconds; /**< lower bound, by the machine file */
    double predicted_seconds; /**< prediction for the schedule */
} hesca_coll_info;

/** Every process sends distinct data to every other one, as in MPI_Alltoallv.
 *
 * Collective over comm; every process returns the same value, and on an error
 * other than HESCA_ERR_MPI nothing is written.
 * A process sends one message and receives one at a time, in an order that
 * keeps slow links busy; HESCA_EXCHANGE names the order, auto being polished,
 * or openshop on more than 256 processes.  A call that repeats the previous
 * one uses its order again, or refines it if the machine was refreshed
 * ("refined"); counts of all pairs are gathered in every call, 32 P^2 bytes.
 * With HESCA_CHECKPOINT=half:P all processes stop when half of the messages,
 * then half of the rest and so on have arrived.  If one of them was early or
 * late by more than P percent of the time since the last checkpoint, they
 * estimate costs and order the rest again.  This is for inaccurate machine
 * files: checkpoints take time, often more than a better order saves.  The
 * prediction, and the order for the next call, are those of the first order.
 * \param [in]  send        (local) The elements to send; may be NULL if there
 *                          are none.
 * \param [in]  sendcounts  (local) [P] elements for each process; >= 0.
 * \param [in]  sdispls     (local) [P] offset in send, in elements; times
 *                          esize, it fits int64_t.
 * \param [out] recv        (local) Must not overlap send.
 * \param [in]  recvcounts, rdispls  (local) Likewise; recvcounts[j] equals
 *                          the entry of process j's sendcounts for this one.
 * \param [in]  esize       (global) Bytes of an element; >= 1.
 * \param [in]  comm        (global) An intra-communicator.
 * \param [out] info        (global) May be NULL.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH (counts of a pair
 *         differ), HESCA_ERR_PARAM, HESCA_ERR_UNSUPPORTED (a schedule named by
 *         HESCA_EXCHANGE that does not support this number of processes),
 *         HESCA_ERR_NOMEM or HESCA_ERR_MPI.
 * Source: BHAT-EXC 4 and 6.3, BHAT-HET 4.3. */
HESCA_API int hesca_alltoallv(const void *send, const int64_t *sendcounts,
                              const int64_t *sdispls, void *recv,
                              const int64_t *recvcounts,
                              const int64_t *rdispls, size_t esize,
                              MPI_Comm comm, hesca_coll_info *info);

/** Broadcast the bytes of root to all processes, as in MPI_Bcast.
 *
 * Collective over comm; errors as above.  The tree, its order and the number
 * of pieces depend on the links; HESCA_BCAST names the schedule, auto being
 * the best one found.  The last few schedules are cached, so that a repeated
 * call needs no planning; planning takes 24 P^2 bytes and, for auto, less than
 * a millisecond on 10 processes, a second on 1000.
 * \param [in,out] buffer  (local) Input on root; output elsewhere.
 * \param [in] bytes  (global) Its length, >= 0.
 * \param [in] root   (global) A rank of comm.
 * \param [in] comm   (global) An intra-communicator.
 * \param [out] info  (global) May be NULL.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH, HESCA_ERR_PARAM,
 *         HESCA_ERR_UNSUPPORTED, HESCA_ERR_NOMEM or HESCA_ERR_MPI.
 * Source: BHAT-COL 4.3. */
HESCA_API int hesca_bcast(void *buffer, int64_t bytes, int root, MPI_Comm comm,
                          hesca_coll_info *info);

/** Send the bytes of root to some processes.
 *
 * Collective over comm: processes that are not destinations may have to
 * forward, from HESCA's own memory; their buffer is not used.
 * \param [in,out] buffer  (local) Input on root; output on destinations.
 * \param bytes, root, comm, info  As in hesca_bcast().
 * \param [in] ndest  (global) Destinations, 0 ... P - 1.
 * \param [in] dest   (global) [ndest] their ranks: different ones, not root.
 * \return As hesca_bcast().
 * Source: BHAT-COL 4.3 and 6, with its set I of forwarding processes. */
HESCA_API int hesca_multicast(void *buffer, int64_t bytes, int root, int ndest,
                              const int *dest, MPI_Comm comm,
                              hesca_coll_info *info);

#ifdef __cplusplus
}
#endif

#endif
