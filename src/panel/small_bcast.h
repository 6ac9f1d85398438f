/** \file panel/small_bcast.h
 * One message from a process of a list to all others of it, by a binomial
 * tree, while everybody computes: posts of different senders are on their way
 * at once, each with a tag of its own. */
#ifndef HESCA_PANEL_SMALL_BCAST_H
#define HESCA_PANEL_SMALL_BCAST_H

#include "exec/comm.h"

enum { HESCA_POST_FANS = 31 }; /* children of a process, at most */

typedef struct {
    const hesca_comm *comm;
    char *data;
    int bytes, tag;
    int there; /* the message is */
    int nchildren, child[HESCA_POST_FANS];
    int nrequests;
    MPI_Request request[HESCA_POST_FANS];
} hesca_post;

/** Begin; local, never waits.
 * \param [in]     rank  [n] the processes, the same list in the same order on
 *                       all of them.
 * \param [in]     me, from  Places in it, of this process and of who sends.
 * \param [in,out] data      Stays until the post is over.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_post_begin(hesca_post *p, const hesca_comm *c, int tag,
                     const int *rank, int n, int me, int from, void *data,
                     int bytes);

/** Let it go on.  p->there: the data is here; *over: it is, and has gone on to
 * those that have it from here.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_post_advance(hesca_post *p, int *over);

#endif
