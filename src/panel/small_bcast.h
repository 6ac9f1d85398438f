/** \file panel/small_bcast.h
 * One message from a process of a list to all others of it, by a binomial
 * tree, while everybody computes: posts of different senders are on their way
 * at once, each with a tag of its own. */
#ifndef HESCA_PANEL_SMALL_BCAST_H
#define HESCA_PANEL_SMALL_BCAST_H

#include "exec/comm.h"

enum { HESCA_SMALL_BCAST_CHILDREN = 31 }; /* children of a process, at most */

typedef struct {
    const hesca_comm *comm;
    char *data;
    int bytes, tag;
    int there; /* the message is */
    int nchildren, child[HESCA_SMALL_BCAST_CHILDREN];
    int nrequests;
    MPI_Request request[HESCA_SMALL_BCAST_CHILDREN];
} hesca_small_bcast;

/** Begin; local, never waits.
 * \param [in]     rank  [n] the processes, the same list in the same order on
 *                       all of them.
 * \param [in]     me, from  Places in it, of this process and of who sends.
 * \param [in,out] data      Stays until the post is over.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_small_bcast_begin(hesca_small_bcast *p, const hesca_comm *c, int tag,
                            const int *rank, int n, int me, int from,
                            void *data, int bytes);

/** Let it go on.  p->there: the data is here; *over: it is, and has gone on to
 * those that have it from here.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_small_bcast_advance(hesca_small_bcast *p, int *over);

#endif
