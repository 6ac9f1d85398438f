/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/comm.h
 * State attached to a communicator: a duplicate for communication, the
 * locations of the processes, the agreed parameters, the plan cache. It is
 * created at the first use and freed with the communicator (it is an attribute
 * of it), or in MPI_Finalize.  hesca_params_serve() may
 * let a communicator share the state of MPI_COMM_WORLD. */
#ifndef HESCA_EXEC_COMM_H
#define HESCA_EXEC_COMM_H

#include "base/report_data.h"
#include "base/status.h"
#include "exec/link_rates.h"
#include "hesca/experimental/param.h"
#include "machine/network.h"
#include "wait/backoff.h"
#include <mpi.h>
#include <stdint.h>

typedef struct hesca_cache hesca_cache;
typedef struct hesca_bcast_plan hesca_bcast_plan;
typedef struct hesca_alltoallv_order hesca_alltoallv_order;
typedef struct hesca_staging_set hesca_staging_set;
typedef struct hesca_window hesca_window;
typedef struct hesca_segment hesca_segment;
typedef struct hesca_hohe_decisions hesca_hohe_decisions;
typedef struct hesca_learning hesca_learning;

/** The processes of a communicator that share this one's node. */
typedef struct {
    int n;
    int *rank;    /* [n] ascending, this process included */
    uint64_t *id; /* [n] a number for each, the same in all communicators */
} hesca_node;

/** State that the folders above exec/ attach to a communicator. */
typedef enum {
    HESCA_STATE_ALLTOALLV, /**< coll/alltoallv_order.h */
    HESCA_STATE_BCAST,     /**< coll/bcast.c */
    HESCA_STATE_HOHE,      /**< hohe/decision_cache.h */
    HESCA_STATE_LEARN,     /**< survey/learn.h */
    HESCA_STATES
} hesca_comm_state;

typedef struct hesca_comm {
    MPI_Comm user, mpi; /* the caller's communicator, HESCA's duplicate */
    uint64_t source;    /* (rank 0) what it was made from; 0: not known */
    int rank, size;
    hesca_node node;
    double load; /* processes per core, at least 1, of the fullest node */
    int crowded; /* load > 1 */
    int yields;  /* so waits yield the core; also if this node has a CPU quota
                    of less than a core for each process */
    hesca_machine machine;
    hesca_network network; /* of the processes; may be empty */
    int *host;  /* [size] the machine's number of the host of each process;
                   NULL: the machine names no hosts */
    int *world; /* [size] ranks in MPI_COMM_WORLD, negative: not there; NULL:
                   nobody records what is sent */
    int slow;   /* some link between hosts is slow, see machine/network.h */
    hesca_params params;
    /* Errors, the same on all processes; err is 0 if there is none. */
    hesca_failure misread;  /* the first malformed parameter */
    hesca_failure unusable; /* the machine file; machine has defaults */
    int other_hosts;        /* the only error is that it names other hosts */
    int wants_survey;       /* hesca_survey_ensure() has something to do */
    int is_lenient;       /* calls proceed without it: hesca_params_serve() */
    int settled;          /* it is decided whether there is a window */
    hesca_window *window; /* NULL: none */
    int *slot;            /* [size] in the window, -1: only MPI reaches it */
    int all_local;        /* the window reaches all processes */
    hesca_segment *segment;     /* memory that the node shares */
    hesca_staging_set *staging; /* memory of the call in progress, or NULL */
    hesca_cache *cache;
    hesca_bcast_plan *bcasts;         /* most recently used first */
    hesca_alltoallv_order *alltoallv; /* of the last call */
    hesca_hohe_decisions *hohe;
    hesca_link_rates *rates;  /* what learning knows of links; NULL: nothing */
    hesca_learning *learning; /* on all processes; NULL: it does not learn */
    /* How to free these; NULL if there is nothing to free. */
    void (*drop[HESCA_STATES])(struct hesca_comm *);
    struct hesca_comm *next; /* list of all communicators in use */
} hesca_comm;

/** The state attached to comm.
 *
 * Collective over comm the first time, later local.
 * \return HESCA_SUCCESS, HESCA_ERR_PARAM, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int hesca_comm_get(MPI_Comm comm, hesca_comm **c);

/** The same, but it is no error if the machine file names other hosts than
 * those of the processes. */
int hesca_comm_get_anywhere(MPI_Comm comm, hesca_comm **c);

/** Free the state of one folder. State that is equal on all processes is freed
 * at the same call on all of them. */
void hesca_comm_drop(hesca_comm *c, hesca_comm_state what);

/** Call a function for the states of all communicators in use, the latest
 * first, while no other thread makes or frees one. */
void hesca_comm_each(void (*visit)(hesca_comm *c));

/** Duplicate a communicator of the program; errors are returned.
 *
 * Collective over comm.
 * \param [in] c  How to wait.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_comm_duplicate(const hesca_comm *c, MPI_Comm comm, MPI_Comm *made);

/** Whether all processes share a node and shared memory may be used. */
int hesca_comm_is_node(const hesca_comm *c);

/** How to wait for what takes long where links are slow: panels, pieces of
 * matrices. */
hesca_backoff hesca_comm_backoff(const hesca_comm *c);

/** Wait, as c->yields says, until n requests are complete.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_comm_wait(const hesca_comm *c, int n, MPI_Request *requests);

/** Broadcast n items, at most INT_MAX, from rank 0.
 *
 * Collective.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_comm_bcast(const hesca_comm *c, void *data, size_t n,
                     MPI_Datatype type);

/** Replace n bytes on every process by the bitwise or of all processes' bytes;
 * n is global.
 *
 * Collective.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_comm_unite(const hesca_comm *c, void *data, size_t n);

/** One step of a wait that does not call MPI otherwise: pause, and let MPI
 * make progress. After HESCA_TIMEOUT seconds, report what is waited for. */
void hesca_comm_pause(const hesca_comm *c, hesca_backoff *wait,
                      const char *what);

/** What messages cost between the processes of a communicator, by the machine
 * file.  It refers to the communicator's network.
 * \param [in] by_mpi  All messages go by MPI, also inside a node. */
hesca_link_costs hesca_comm_link_costs(const hesca_comm *c, int by_mpi);

/** A message is sent to rank: for HESCA_REPORT. */
static inline void
hesca_comm_sent(const hesca_comm *c, int rank, int64_t bytes)
{
    if (c->world != NULL)
        hesca_report_sent(c->world[rank], bytes);
}

/** Turn the return code of an MPI function into a hesca_status. */
int hesca_mpi(int code, const char *function);

/** Call MPI_<name>; on an error set err and go to fail, as HESCA_TRY(). */
#define HESCA_MPI(err, name, ...)                                             \
    HESCA_TRY(err, hesca_mpi(PMPI_##name(__VA_ARGS__), "MPI_" #name))

/** Tags on the duplicate. */
enum {
    HESCA_TAG_AGREE = 1,
    HESCA_TAG_DATA,
    HESCA_TAG_PROGRESS, /* never sent */
    HESCA_TAG_SURVEY,   /* and 2 more: survey/links.c */
    HESCA_TAG_PANEL_MCAST =
        HESCA_TAG_SURVEY +
        3, /* and above, one each: panel/panel_multicast.h */
    HESCA_TAG_SMALL_BCAST = 64, /* and above: panel/small_bcast.h */
    /* Panel multicasts that store and forward: one tag per source, above all
     * others. */
    HESCA_TAG_STRIDE = 4096
};

#endif
