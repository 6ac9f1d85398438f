/** \file panel/panel_multicast_lanes.h
 * Whom a spread makes this process send to and receive from, and which indices
 * they have in common. */
#ifndef HESCA_PANEL_PANEL_MULTICAST_LANES_H
#define HESCA_PANEL_PANEL_MULTICAST_LANES_H

#include "exec/pack.h"
#include "panel/panel_multicast.h"

/** The indices of one dimension that two owners have in common: across, those
 * of a source and of a destination; along, those of a source and the panels'.
 */
typedef struct {
    hesca_share from, to;
    hesca_axis all; /* along: what to is about, one owner of everything */
    hesca_overlap overlap;
    hesca_runs runs; /* if these are the rows of messages */
} hesca_lane_pair;

typedef struct {
    int n;
    hesca_lane_pair *pair;
} hesca_lane_list;

/** Whom a message goes to from here. */
typedef struct {
    int n;
    int *rank;      /* [n] */
    int64_t *piece; /* [n] bytes of a piece of a message to each */
} hesca_panel_mcast_heirs;

/** What this process sends: the very same bytes to all of them. */
typedef struct {
    int across; /* in out_across */
    int tag;
    hesca_panel_mcast_heirs to;
} hesca_panel_mcast_group;

/** What it gets of one source: from rank, which is the source itself or
 * another that has got it. */
typedef struct {
    int rank;
    int across, along; /* in in_across, in_along */
    int tag;
    int64_t piece;
    hesca_panel_mcast_heirs to; /* who gets it from here */
} hesca_panel_mcast_peer;

/** The lists of one process. */
typedef struct {
    int sends, receives, keeps;            /* whether it does */
    hesca_lane_list out_across, out_along; /* one along */
    hesca_lane_list in_across, in_along;
    hesca_lane_list own_across, own_along; /* one each, if it keeps */
    int ngroups, npeers;
    hesca_panel_mcast_group *group;
    hesca_panel_mcast_peer *peer;
    int relays; /* whether some peer has heirs */
    int *rank;  /* memory of all heirs */
    int64_t *piece;
    int nheirs;
    hesca_share mine; /* what the target gives it, if it receives or keeps */
    int64_t count;    /* of mine, in the extent; else 0 */
} hesca_panel_mcast_lists;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM; clear the result in any case. */
int hesca_panel_mcast_lists_init(hesca_panel_mcast_lists *x,
                                 const hesca_comm *c,
                                 const hesca_panel_mcast_spec *what, int tag);
void hesca_panel_mcast_lists_clear(hesca_panel_mcast_lists *x);

/** Bytes of one index of all slices: that arrive at a process, that it packs.
 */
void hesca_panel_mcast_room(const hesca_comm *c,
                            const hesca_panel_mcast_spec *what, int64_t *in,
                            int64_t *out);

#endif
