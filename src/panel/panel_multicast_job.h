/* SPDX-License-Identifier: BSD-3-Clause */
/** \file panel/panel_multicast_job.h
 * The state of a panel multicast: panel_multicast.c sends messages,
 * panel_shared.c has panels in memory that the processes of a node share. */
#ifndef HESCA_PANEL_PANEL_MULTICAST_JOB_H
#define HESCA_PANEL_PANEL_MULTICAST_JOB_H

#include "panel/panel_multicast.h"
#include "panel/panel_multicast_lanes.h"

/* An expected message: its positions in the panel, and its staging buffer. */
typedef struct {
    const hesca_panel_mcast_peer *peer;
    hesca_chunk chunk;
    char *at;
    int64_t bytes, passed; /* in all; received and forwarded, from `at` on */
    int first;             /* request of its first piece */
} hesca_mcast_arrival;

/* Messages that are sent. */
typedef struct {
    char *memory; /* of packed messages: [out_bytes] */
    int nrequests, done;
    MPI_Request *request; /* [out_requests]; forwarded: [forward_requests] */
} hesca_mcast_outgoing;

/* A panel that is received. */
typedef struct {
    hesca_slab slab;
    char *panel;
    int64_t ldp;
    char *memory; /* [in_bytes] */
    int narrivals, missing;
    hesca_mcast_arrival *arrival; /* [npeers] */
    int nrequests;
    MPI_Request *request;           /* [in_requests] */
    hesca_mcast_outgoing forwarded; /* forwarded from memory */
} hesca_mcast_incoming;

struct hesca_panel_mcast {
    const hesca_comm *c;
    hesca_panel_mcast_spec what;
    int depth, nincoming;
    hesca_panel_mcast_lists lists;
    hesca_problem problem; /* describes the elements; owns no memory */
    int64_t begun, ready, waited;
    hesca_mcast_incoming *incoming; /* [nincoming] panel t in t % nincoming;
                           depth + 1 if this process forwards */
    hesca_mcast_outgoing *outgoing; /* [depth + 1] */
    int *finished;                  /* [in_requests] result of a test */
    MPI_Status *status;             /* [in_requests] */
};

/** Elements that two lanes have in common in a slab. */
int64_t hesca_mcast_elements(const hesca_panel_mcast *s,
                             const hesca_lane_pair *across,
                             const hesca_lane_pair *along, hesca_slab slab);

/** List the processes that write the parts of a shared panel. */
void hesca_mcast_expect_shared(const hesca_panel_mcast *s,
                               hesca_mcast_incoming *x);

/** This process has written its part of panel s->begun. */
void hesca_mcast_publish(const hesca_panel_mcast *s);

/** Look for the parts of panel s->ready. */
void hesca_mcast_test_shared(const hesca_panel_mcast *s,
                             hesca_mcast_incoming *x);

#endif
