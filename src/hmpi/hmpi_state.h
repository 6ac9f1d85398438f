/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hmpi/hmpi_state.h
 * What a process knows between HMPI_Init() and HMPI_Finalize(), and how it
 * asks the registry. */
#ifndef HESCA_HMPI_HMPI_STATE_H
#define HESCA_HMPI_HMPI_STATE_H

#include "hmpi.h"
#include "hmpi/hmpi_registry.h"
#include "hmpi/hmpi_server.h"
#include "machine/topology.h"
#include "pmdl/bind.h"

/** A group that this process is in. */
typedef struct hesca_hmpi_group {
    long long id;
    MPI_Comm comm; /**< MPI_COMM_NULL: of free processes */
    int rank, size, parent;
    int *world; /**< [size] ranks in HMPI_COMM_WORLD */
    int ndims, *dims;
    int *number;   /**< [product of dims] rank at a position, -1: none */
    int *position; /**< [size] row-major */
    struct hesca_hmpi_group *next;
} hesca_hmpi_group;

/** The computers of the processes. */
typedef struct {
    hesca_topology topology; /**< nprocs are the processes there */
    int *computer;           /**< [nprocs] of each process */
    int *processor; /**< [nprocs] its number in HMPI_PROC_WORLD; -1: it
                         is not in it */
    int nprocessors;
    double *scratch; /**< [2 nprocs] */
} hesca_hmpi_network;

typedef enum {
    HESCA_HMPI_BEFORE,
    HESCA_HMPI_ON,
    HESCA_HMPI_AFTER
} hesca_hmpi_phase;

typedef struct {
    hesca_hmpi_phase phase;
    int rank, nprocs;
    int has_begun_mpi; /**< HMPI_Init() has initialized MPI */
    MPI_Comm comm;     /**< HMPI's own, of all processes; errors return */
    hesca_hmpi_server *server; /**< of process 0 */
    int fd;                    /**< to the server; -1: none */
    double patience;           /**< seconds; 0: no limit */
    int lost;                  /**< a process that has ended; -1: none */
    hesca_hmpi_network network;
    hesca_hmpi_group *group; /**< the newest first, then those that are always
                                  there */
    int debug;
} hesca_hmpi_state;

extern hesca_hmpi_state hesca_hmpi;

/** \return HMPI_SUCCESS, or HMPI_ERR_ORDER with a text. */
int hesca_hmpi_check_on(const char *routine);

/** A line on stderr if HMPI_Debug(1) holds. */
void hesca_hmpi_debug(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/** The least code of all processes, with the text of the lowest that has it.
 * Collective. */
int hesca_hmpi_agree(int err);

/** \name Requests
 * They return HESCA_SUCCESS or a negative code with a text.
 * \{ */

/** Connect to the server; collective only in so far as all processes do it. */
int hesca_hmpi_connect(const hesca_hmpi_contact *contact);

/** Send a request that has no answer. */
int hesca_hmpi_tell(hesca_hmpi_type type, int64_t a, const void *bytes,
                    size_t n);

/** Send a request and wait for its answer; MPI progresses meanwhile.
 * \param [out] reply
 * \param [out] bytes  Free with free(); NULL if there are none.  May be NULL:
 *                     not wanted. */
int hesca_hmpi_ask(hesca_hmpi_type type, int64_t a, const void *bytes,
                   size_t n, hesca_hmpi_message *reply, char **answer);

/** The same where the answer must be DONE. */
int hesca_hmpi_ask_done(const char *routine, hesca_hmpi_type type, int64_t a,
                        const void *bytes, size_t n);

/** Wait for MPI requests without taking a core. */
int hesca_hmpi_wait_mpi(MPI_Request *request);

/** \} */

/** \name Network
 * \{ */

/** Find the computers of all processes, the same on each.  Collective. */
int hesca_hmpi_network_create(hesca_hmpi_network *x);
void hesca_hmpi_network_clear(hesca_hmpi_network *x);

/** A copy of the network with the speeds of processes, where only some of them
 * can run.
 * \param [in]  speed   [nprocs]
 * \param [in]  can     [nprocs] whether each can. */
int hesca_hmpi_network_now(const double *speed, const unsigned char *can,
                           hesca_topology *t);

/** \} */

/** \name Groups
 * \{ */

/** The group of a handle; NULL: this process is in none. */
hesca_hmpi_group *hesca_hmpi_group_find(const HMPI_Group *gid);

/** Those that are always there. */
int hesca_hmpi_groups_begin(void);
void hesca_hmpi_groups_end(void);

/** Make the communicator and the entry of a group.
 *
 * Collective over its members.
 * \param [in] bytes  What the parent has committed. */
int hesca_hmpi_group_join(HMPI_Group *gid, long long id, const char *bytes,
                          size_t n);

/** The bytes of a group.
 * \param [in] world  [instance->nvps] ranks of its processes. */
int hesca_hmpi_group_format(const hesca_instance *instance, const int *world,
                            char **bytes, size_t *n);

/** Speeds of all processes, and which are free; free them with free(). */
int hesca_hmpi_ask_state(const char *routine, double **speed,
                         unsigned char **is_free);

/** Wait at a place until the registry answers.
 * \param [out] gid  Where a group may come of it; else NULL. */
int hesca_hmpi_wait_at(const char *routine, hesca_hmpi_place place,
                       HMPI_Group *gid);

/** \} */

#endif
