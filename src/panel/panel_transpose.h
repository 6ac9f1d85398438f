/** \file panel/panel_transpose.h
 * Panels by rows, turned into panels by columns, for symmetric updates.
 *
 * After a spread by HESCA_ROWS each process has of a panel the slices (rows of
 * L) of its own rows, and to update its part of L L' it needs those with the
 * indices of its columns as well.  All rows are in its process column, so it
 * gets them from there: compared with a second spread from the owners, who
 * had to send everything twice, the work is shared by all process columns.
 * The same for panels by HESCA_COLS, within process rows. */
#ifndef HESCA_PANEL_PANEL_TRANSPOSE_H
#define HESCA_PANEL_PANEL_TRANSPOSE_H

#include "panel/panel_multicast.h"

/** Slices with indices 0 ... extent - 1, of which a process owns (has =
 * HESCA_ROWS) those of rows i, i + 1, ... and wants those of columns j, j + 1,
 * ..., or (HESCA_COLS) the other way. */
typedef struct {
    const hesca_layout *layout; /* lives as long as the turn */
    int64_t i, j;
    hesca_dim has;
    int64_t extent;
    int64_t width; /* of the widest panel */
    size_t esize;
} hesca_panel_transpose_spec;

typedef struct hesca_panel_transpose hesca_panel_transpose;

/** Make one.  Local: no communication.  Everything is allocated here.
 * \param [in] tag    (global) Of no one else at the same time.
 * \param [in] depth  (global) So many panels may be on their way.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_panel_transpose_create(const hesca_comm *c,
                                 const hesca_panel_transpose_spec *what,
                                 int tag, int depth,
                                 hesca_panel_transpose **t);
/** NULL is allowed.  Nothing may be on its way. */
void hesca_panel_transpose_free(hesca_panel_transpose *t);

/** Begin to receive a panel of the slices with indices f0 ... f1 - 1; both
 * arrays begin with f0.
 *
 * Panels are count x width (HESCA_ROWS) or width x count (HESCA_COLS), as a
 * spread packs them.  It waits only for own sends of the panel begun depth
 * panels before, until MPI has taken them.  All processes of the layout begin
 * the same panels in the same order. */
int hesca_panel_transpose_expect(hesca_panel_transpose *t, int64_t width,
                                 int64_t f0, int64_t f1, void *want,
                                 int64_t ldw);

/** Send what this process has of the oldest panel that it has not sent;
 * packed at once. */
int hesca_panel_transpose_send(hesca_panel_transpose *t, const void *have,
                               int64_t ldh);

/** Let messages go on.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_transpose_advance(hesca_panel_transpose *t);

/** Panels that are complete here, counted from the first. */
int64_t hesca_panel_transpose_ready(const hesca_panel_transpose *t);

/** Wait politely until everything that was sent and expected is over.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_transpose_end(hesca_panel_transpose *t);

#endif
