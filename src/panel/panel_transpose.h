/* SPDX-License-Identifier: BSD-3-Clause */
/** \file panel/panel_transpose.h
 * Panel transpose: panels distributed by rows are redistributed by columns (or
 * vice versa), for symmetric updates.
 *
 * After a panel multicast by HESCA_ROWS each process has the slices (rows of
 * L) of its own rows. To update its part of L L' it also needs the slices with
 * the indices of its columns. All rows are in its process column, so it
 * receives them from there. Compared with a second multicast from the owners,
 * which would send everything twice, the work is shared by all process
 * columns. The same holds for panels by HESCA_COLS, within process rows. */
#ifndef HESCA_PANEL_PANEL_TRANSPOSE_H
#define HESCA_PANEL_PANEL_TRANSPOSE_H

#include "panel/panel_multicast.h"

/** Slices with indices 0 ... extent - 1. With has = HESCA_ROWS a process has
 * those of its rows i, i + 1, ... and wants those of its columns j, j + 1,
 * ...; with HESCA_COLS rows and columns are exchanged. */
typedef struct {
    const hesca_layout *layout; /* must live as long as the transpose */
    int64_t i, j;
    hesca_dim has;
    int64_t extent;
    int64_t width; /* of the widest panel */
    size_t esize;
    /* The segment of the panel multicast that the slices come from, if that is
     * shared, and its user: then they are copied out of it. */
    hesca_segment *shared;
    int user;
} hesca_panel_transpose_spec;

/** Where a member of the line has a panel in shared memory. */
typedef struct {
    const char *have; /* slice f0, or the first after it */
    int64_t ldh;
    int writer; /* the rank that writes it, by the panel multicast */
} hesca_panel_transpose_source;

typedef struct hesca_panel_transpose hesca_panel_transpose;

/** Create it. Local: no communication. All memory is allocated here.
 * \param [in] tag    (global) Not used otherwise at the same time.
 * \param [in] depth  (global) Number of panels that may be in flight.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_panel_transpose_create(const hesca_comm *c,
                                 const hesca_panel_transpose_spec *what,
                                 int tag, int depth,
                                 hesca_panel_transpose **t);
/** Free it; NULL is allowed. No panel may be in flight. */
void hesca_panel_transpose_free(hesca_panel_transpose *t);

/** Begin to receive a panel of the slices with indices f0 ... f1 - 1; both
 * arrays begin with f0.
 *
 * Panels are count x width (HESCA_ROWS) or width x count (HESCA_COLS), as in a
 * panel multicast. It waits only for own sends of the panel begun depth panels
 * before.  All processes of the layout begin the same panels in the same
 * order.
 * \param [in] from  [members of the line] if shared; else NULL. Panels are
 *                   then those of the panel multicast, in its order. */
int hesca_panel_transpose_expect(hesca_panel_transpose *t, int64_t width,
                                 int64_t f0, int64_t f1, void *want,
                                 int64_t ldw,
                                 const hesca_panel_transpose_source *from);

/** Send the slices of the oldest panel that this process has not sent; they
 * are packed at once. If they are shared, nothing is sent. */
int hesca_panel_transpose_send(hesca_panel_transpose *t, const void *have,
                               int64_t ldh);

/** Make progress.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_transpose_advance(hesca_panel_transpose *t);

/** Number of panels complete here, from the first one. */
int64_t hesca_panel_transpose_ready(const hesca_panel_transpose *t);

/** Wait until everything that was sent and expected is complete.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_transpose_end(hesca_panel_transpose *t);

#endif
