/* SPDX-License-Identifier: BSD-3-Clause */
/** \file panel/panel_multicast_lanes.h
 * The processes that this one sends to and receives from in a panel multicast,
 * and the indices that they have in common. */
#ifndef HESCA_PANEL_PANEL_MULTICAST_LANES_H
#define HESCA_PANEL_PANEL_MULTICAST_LANES_H

#include "exec/pack.h"
#include "panel/panel_multicast.h"

/** The indices of one dimension that two owners have in common: across, those
 * of a source and of a destination; along, those of a source and the panels'.
 */
typedef struct {
    hesca_share from, to;
    hesca_axis all; /* along: the axis of to, with one owner */
    hesca_overlap overlap;
    hesca_runs runs; /* if these are the rows of messages */
} hesca_lane_pair;

typedef struct {
    int n;
    hesca_lane_pair *pair;
} hesca_lane_list;

/** The destinations of a message from this process. */
typedef struct {
    int n;
    int *rank;      /* [n] */
    int64_t *piece; /* [n] bytes of a piece of a message to each */
} hesca_panel_mcast_dests;

/** A message that this process sends: the same bytes to all destinations. */
typedef struct {
    int across; /* in out_across */
    int tag;
    hesca_panel_mcast_dests to;
} hesca_panel_mcast_group;

/** A message of one source, received from rank, which is the source itself or
 * a process that forwards it. */
typedef struct {
    int rank;
    int across, along; /* in in_across, in_along */
    int tag;
    int64_t piece;
    hesca_panel_mcast_dests to; /* destinations that it is forwarded to */
} hesca_panel_mcast_peer;

/** The lists of one process. */
typedef struct {
    int sends, receives, keeps; /* whether there are such messages */
    hesca_lane_list out_across, out_along; /* one along */
    hesca_lane_list in_across, in_along;
    hesca_lane_list own_across,
        own_along; /* one each, if it has a local share */
    int ngroups, npeers;
    hesca_panel_mcast_group *group;
    hesca_panel_mcast_peer *peer;
    int relays; /* whether some message is forwarded */
    int *rank;  /* memory of all destinations */
    int64_t *piece;
    int ndests;
    hesca_share mine; /* its indices in the target, if it receives or has a
                         local share */
    int64_t count;    /* of mine, in the extent; else 0 */
} hesca_panel_mcast_lists;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM; clear the result in any case. */
int hesca_panel_mcast_lists_init(hesca_panel_mcast_lists *x,
                                 const hesca_comm *c,
                                 const hesca_panel_mcast_spec *what, int tag);
void hesca_panel_mcast_lists_clear(hesca_panel_mcast_lists *x);

/** Indices across that a process receives, and that it packs (for all cuts of
 * the target). */
void hesca_panel_mcast_room(const hesca_comm *c,
                            const hesca_panel_mcast_spec *what, int64_t *in,
                            int64_t *out);

#endif
