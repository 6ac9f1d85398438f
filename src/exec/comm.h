/** \file exec/comm.h
 * What HESCA keeps with a communicator: a duplicate to talk on, who is where,
 * the agreed parameters, the plan cache.  Made at the first use, freed with
 * the communicator (an attribute of it), or in MPI_Finalize. */
#ifndef HESCA_EXEC_COMM_H
#define HESCA_EXEC_COMM_H

#include "base/status.h"
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
typedef struct hesca_hohe_decisions hesca_hohe_decisions;

/** The processes of a communicator that share this one's node. */
typedef struct {
    int n;
    int *rank;    /* [n] ascending, this process included */
    uint64_t *id; /* [n] a number for each, the same in all communicators */
} hesca_node;

/** What stages after exec/ keep with a communicator. */
typedef enum {
    HESCA_KEEP_ALLTOALLV, /**< coll/alltoallv_order.h */
    HESCA_KEEP_BCAST,     /**< coll/bcast.c */
    HESCA_KEEP_HOHE,      /**< hohe/decision_cache.h */
    HESCA_KEEPS
} hesca_keep;

typedef struct hesca_comm {
    MPI_Comm user, mpi; /* the caller's communicator, HESCA's duplicate */
    int rank, size;
    hesca_node node;
    double load; /* processes per core, at least 1, where there are most */
    int crowded; /* load > 1 */
    hesca_machine machine;
    hesca_network network; /* of the processes; none if the machine tells no
                              hosts */
    int *host; /* [size] the machine's number of each one's host; NULL: it
                  tells no hosts */
    int slow;  /* some link between hosts is, see machine/network.h */
    hesca_params params;
    /* What is wrong, the same everywhere; err is 0 if nothing is. */
    hesca_failure misread;  /* with the parameters: the first malformed one */
    hesca_failure unusable; /* with the machine file; machine has defaults */
    int strangers;          /* it is only that this has other hosts */
    int goes_on;            /* calls work without it: hesca_params_serve() */
    int settled;            /* whether there is a window is decided */
    hesca_window *window;   /* NULL: none */
    int *slot;              /* [size] in the window, -1: only MPI reaches it */
    int all_local;          /* the window reaches everybody */
    hesca_staging_set *stages; /* memory of the call that runs, or NULL */
    hesca_cache *cache;
    hesca_bcast_plan *bcasts;    /* the one used last comes first */
    hesca_alltoallv_order *kept; /* of the last hesca_alltoallv(), or NULL */
    hesca_hohe_decisions *hohe;
    /* How to free these; NULL as long as there was nothing to keep. */
    void (*drop[HESCA_KEEPS])(struct hesca_comm *);
    struct hesca_comm *next; /* all that are alive */
} hesca_comm;

/** HESCA's part of comm.
 *
 * Collective over comm the first time, later local.
 * \return HESCA_SUCCESS, HESCA_ERR_PARAM, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int hesca_comm_get(MPI_Comm comm, hesca_comm **c);

/** The same where it is no error that the machine file has other hosts than
 * those of the processes. */
int hesca_comm_get_anywhere(MPI_Comm comm, hesca_comm **c);

/** Drop what a stage keeps; where processes keep the same, at the same call on
 * all of them. */
void hesca_comm_drop(hesca_comm *c, hesca_keep what);

/** Duplicate a communicator of the program; errors return.
 *
 * Collective over comm.
 * \param [in] c  How to wait.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_comm_duplicate(const hesca_comm *c, MPI_Comm comm, MPI_Comm *made);

/** Whether all processes share a node, and use that. */
int hesca_comm_is_node(const hesca_comm *c);

/** Wait politely until n requests are complete.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_comm_wait(const hesca_comm *c, int n, MPI_Request *requests);

/** Give all processes the n items, at most INT_MAX, that rank 0 has.
 *
 * Collective.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_comm_bcast(const hesca_comm *c, void *data, size_t n,
                     MPI_Datatype type);

/** Pass some time of a wait that is not for MPI, and let MPI go on meanwhile.
 * what is waited for is told if HESCA_TIMEOUT is over. */
void hesca_comm_pause(const hesca_comm *c, hesca_backoff *wait,
                      const char *what);

/** What messages cost between the processes of a communicator, by the machine
 * file.  It refers to the communicator's network.
 * \param [in] by_mpi  All messages go by MPI, also inside a node. */
hesca_link_costs hesca_comm_link_costs(const hesca_comm *c, int by_mpi);

/** Turn the return code of an MPI function into a hesca_status. */
int hesca_mpi(int code, const char *function);

/** Tags on the duplicate. */
enum {
    HESCA_TAG_AGREE = 1,
    HESCA_TAG_DATA,
    HESCA_TAG_PROGRESS,    /* never sent */
    HESCA_TAG_PANEL_MCAST, /* and above, one each: panel/panel_multicast.h */
    HESCA_TAG_SMALL_BCAST = 64, /* and above: panel/small_bcast.h */
    /* Spreads that relay: one for each source, beyond all others. */
    HESCA_TAG_STRIDE = 4096
};

#endif
