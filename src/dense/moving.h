/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/moving.h
 * A factor of a product that moves to the processes that multiply it, panel by
 * panel, by a panel multicast: panels in memory of each process, or shared by
 * a node; or at home, where all processes have what they need of it.
 *
 *     set comm, type, matrix, ahead, and what but for width, shared, user;
 *     hesca_moving_find_home(); what.width, from hesca_moving_room();
 *     hesca_moving_share(); hesca_moving_create();           then agree
 *     hesca_moving_begin() the first panels
 *     for each panel t: hesca_moving_wait(), begin panel t + ahead, multiply
 *         hesca_moving_at() and hesca_moving_advance() now and then,
 *         hesca_moving_release()
 *     hesca_moving_end() */
#ifndef HESCA_DENSE_MOVING_H
#define HESCA_DENSE_MOVING_H

#include "dense/kernels.h"
#include "exec/comm.h"
#include "panel/panel_multicast.h"

enum {
    HESCA_MOVING_AHEAD = 4, /* panels in flight, at most */
    HESCA_MOVING_SLACK = 2  /* panels that a process may be behind, of shared
                               ones */
};

typedef struct {
    hesca_comm *comm;
    hesca_type type;
    const hesca_matrix *matrix;
    int ahead; /* panels in flight, 1 ... HESCA_MOVING_AHEAD */
    hesca_panel_mcast_spec what;
    const char *home; /* slice 0 in the local array; NULL: multicast */
    hesca_panel_mcast *mcast;
    int64_t count; /* indices that this process needs */
    int npanels;   /* in memory */
    char *panel[HESCA_MOVING_AHEAD + 1 + HESCA_MOVING_SLACK];
    char *memory; /* of panels that are not shared */
} hesca_moving;

/** The n factors of one product that move, 1 or 2. Panel t of each has the
 * same slices. */
typedef struct {
    int n;
    hesca_moving *factor[2];
} hesca_moving_set;

/** Whether all processes have what they need, each slice in one piece: on a
 * row or column of processes.  Pure. */
int hesca_moving_is_at_home(const hesca_panel_mcast_spec *what);

/** Set home. Local. */
void hesca_moving_find_home(hesca_moving *f);

/** Bytes on this process, which needs `count` indices, for each slice of
 * width. Local. */
int64_t hesca_moving_room(const hesca_moving *f, int64_t count);

/** Have panels of these factors in memory that the node shares, where that is
 * possible.
 *
 * Collective. */
int hesca_moving_share(const hesca_moving_set *s);

/** Allocate everything. Local; agree on the result.
 * \param [in] tag  As of hesca_panel_mcast_create().
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; free in any case. */
int hesca_moving_create(hesca_moving *f, const char *routine, int tag,
                        int64_t count);
void hesca_moving_free(hesca_moving *f);

/** Number of panels, and slices of panel t. */
int64_t hesca_moving_npanels(const hesca_moving *f);
int64_t hesca_moving_slices(const hesca_moving *f, int64_t t);

/** Begin panel t of all factors, if there is one, as soon as its memory is
 * free. */
int hesca_moving_begin(const hesca_moving_set *s, int64_t t);

/** Progress of the panels that were begun; to be called between pieces of
 * computation. */
int hesca_moving_advance(const hesca_moving_set *s);

/** Wait for the oldest panels that were begun and not waited for. */
int hesca_moving_wait(const hesca_moving_set *s);

/** This process has multiplied the first n panels. */
void hesca_moving_release(const hesca_moving_set *s, int64_t n);

/** Wait for everything that was begun, including own sends. */
int hesca_moving_end(const hesca_moving_set *s);

/** Whether panels come by messages, which progress between pieces. */
int hesca_moving_has_messages(const hesca_moving_set *s);

/** The elements of panel t, and their leading dimension: as in the matrix,
 * with slices along the dimension of what.along. */
const char *hesca_moving_at(const hesca_moving *f, int64_t t);
int64_t hesca_moving_leading(const hesca_moving *f, int64_t t);

#endif
