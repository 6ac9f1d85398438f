/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hmpi/hmpi_registry.h
 * Which processes are free, and the answers that they get: the state that
 * HMPI's processes share (HMPI 3.8.2, 3.8.3).  Pure: messages in, messages
 * out; the server (hmpi_server.h) carries them.
 *
 * A process sends one request at a time and gets one answer.  Rules (R1 to R4
 * decide what the thesis leaves open):
 * - A process is free if it is in no group and not the host, process 0.
 * - A creation begins when all free processes wait for it (or in
 *   HMPI_Finalize()).  It answers all of them: those that are chosen are
 *   employed, all others go on (R1), also if it fails.  Creations by several
 *   parents are served one after another.
 * - Chosen processes confirm; then all members make their
 *   communicator, so that none waits in MPI for one that has stopped.
 * - HMPI_Notify_free_processes() directly after a creation changes nothing
 *   (R2), unless a group has been freed since (R3); else each free process
 *   leaves the place where it waits, or comes to wait next.
 * - Once the host is in HMPI_Finalize() nobody waits elsewhere (R4). */
#ifndef HESCA_HMPI_HMPI_REGISTRY_H
#define HESCA_HMPI_HMPI_REGISTRY_H

#include <stddef.h>
#include <stdint.h>

/** What messages are; requests, with their answers beside them. */
typedef enum {
    HESCA_HMPI_HELLO,   /**< a: rank, bytes: secret; DONE */
    HESCA_HMPI_BEGIN,   /**< begin a creation; CANDIDATES */
    HESCA_HMPI_COMMIT,  /**< bytes: commit; GO or REFUSED */
    HESCA_HMPI_CANCEL,  /**< end it without a group; DONE */
    HESCA_HMPI_WAIT,    /**< a: hesca_hmpi_place; EMPLOYED or LEAVE */
    HESCA_HMPI_CONFIRM, /**< a: group, by an employed process; GO */
    HESCA_HMPI_FREE,    /**< a: group, by its parent; DONE or REFUSED */
    HESCA_HMPI_NOTIFY,  /**< DONE */
    HESCA_HMPI_MEET,    /**< a: count; DONE */
    HESCA_HMPI_SPEEDS,  /**< bytes: double [nprocs], <= 0: as it was; DONE */
    HESCA_HMPI_STATE,   /**< STATE_IS */
    HESCA_HMPI_PRINT,   /**< bytes: text; no answer, for the server */
    HESCA_HMPI_PONG,    /**< no answer, for the server */
    HESCA_HMPI_DONE,
    HESCA_HMPI_REFUSED,
    HESCA_HMPI_CANDIDATES, /**< bytes: double speed[nprocs], then unsigned char
                                [nprocs]: it can be chosen */
    HESCA_HMPI_STATE_IS,   /**< the same; the latter: it is free */
    HESCA_HMPI_EMPLOYED,   /**< a: group, bytes: of the parent's commit */
    HESCA_HMPI_LEAVE,
    HESCA_HMPI_GO,   /**< a: group */
    HESCA_HMPI_LOST, /**< at any time; a: rank that has ended */
    HESCA_HMPI_PING  /**< at any time; answered by PONG */
} hesca_hmpi_type;

/** A message; n bytes follow. */
typedef struct {
    int32_t type, n;
    int64_t a;
} hesca_hmpi_message;

enum { HESCA_HMPI_BYTES_MAX = 1 << 28 };

/** Where a process waits. */
typedef enum {
    HESCA_HMPI_NOWHERE,
    HESCA_HMPI_AT_CREATE,
    HESCA_HMPI_AT_DESTROY,
    HESCA_HMPI_AT_FINALIZE
} hesca_hmpi_place;

typedef struct hesca_hmpi_registry hesca_hmpi_registry;

/** How it sends; bytes are copied. */
typedef void hesca_hmpi_send(void *self, int rank, hesca_hmpi_type type,
                             int64_t a, const void *bytes, size_t n);

/** \param [in] speed  [nprocs] initial speeds.
 * \return NULL without memory. */
hesca_hmpi_registry *hesca_hmpi_registry_create(int nprocs,
                                                const double *speed,
                                                hesca_hmpi_send *send,
                                                void *self);
void hesca_hmpi_registry_free(hesca_hmpi_registry *r);

/** Take a request of a process.
 * \return 0, or -1 if it breaks the rules above, or there is no memory. */
int hesca_hmpi_registry_receive(hesca_hmpi_registry *r, int rank,
                                const hesca_hmpi_message *m,
                                const void *bytes);

/** A process has ended: all others get LOST. */
void hesca_hmpi_registry_lose(hesca_hmpi_registry *r, int rank);

/** Whether all processes may end. */
int hesca_hmpi_registry_is_over(const hesca_hmpi_registry *r);

/** Whether a process waits for an answer that others decide about, so that it
 * must answer a PING. */
int hesca_hmpi_registry_waits(const hesca_hmpi_registry *r, int rank);

#endif
