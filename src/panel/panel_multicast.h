/* SPDX-License-Identifier: BSD-3-Clause */
/** \file panel/panel_multicast.h
 * Panel multicast: panels of a matrix are sent from their owners to the
 * processes that need them.
 *
 * A dense algorithm processes a matrix S by panels of a few columns or rows.
 * Each process of another matrix (or of the same one) needs the part of every
 * panel that matches its own rows, or its own columns. A panel multicast sends
 * that part from the owners to the processes of the target, for any two
 * layouts and grids. Several panels may be in flight while the program
 * computes. No matrix is redistributed for it.
 *
 *     hesca_panel_mcast_create(c, &what, tag, 2, &s);     before an agreement
 *     begin(0); begin(1);
 *     for (t = 0; t < n; ++t) {
 *         hesca_panel_mcast_wait(s);                      panel t is here
 *         compute with it, hesca_panel_mcast_advance() now and then
 *         begin(t + 2);                              in the same memory
 *     }
 *     hesca_panel_mcast_end(s); hesca_panel_mcast_free(s);
 *
 * All processes that send or receive begin the same panels in the same order,
 * also across several panel multicasts; the other processes may do so, too. */
#ifndef HESCA_PANEL_PANEL_MULTICAST_H
#define HESCA_PANEL_PANEL_MULTICAST_H

#include "exec/segment.h"
#include "layout/layout.h"

/** One dimension of a matrix. */
typedef enum { HESCA_ROWS, HESCA_COLS } hesca_dim;

/** What is multicast: slices of sub(S), which begins at S's (i,j), along one
 * dimension, each with extent indices across.  Index f across goes to every
 * process of the target's grid that owns row (by = HESCA_ROWS) or column
 * (HESCA_COLS) origin + f of the target. */
typedef struct {
    const hesca_layout
        *source; /* must live as long as the multicast, as must target */
    int64_t i, j;
    hesca_dim along; /* HESCA_COLS: slices are columns of sub(S), HESCA_ROWS:
                        rows */
    int64_t extent;  /* indices across */
    int64_t k;       /* slices in all */
    int64_t width;   /* slices of the widest panel; 0: k */
    const hesca_layout *target;
    hesca_dim by;
    int64_t origin;
    /* Only processes that own some of the need indices of the target's other
     * dimension from need_from on receive anything; need = 0: all processes of
     * the grid. */
    int64_t need_from, need;
    /* 1: store-and-forward: processes that receive the same data forward it,
     * so that the owner's link is not the bottleneck. Then no process may wait
     * for anything else for long without calling
     * hesca_panel_mcast_advance(). */
    int forwards;
    size_t esize;
    /* Panels in memory that the processes of a node share, see
     * hesca_panel_mcast_may_share(); NULL: in memory of each process. */
    hesca_segment *shared;
    int user; /* of the segment: different for multicasts in use at once */
    int read_by_all; /* processes of other rows read them, too */
} hesca_panel_mcast_spec;

typedef struct hesca_panel_mcast hesca_panel_mcast;

/** Bytes that a panel multicast takes on this process for each slice of width,
 * without the panels themselves, which are the caller's. Local. */
int64_t hesca_panel_mcast_bytes(const hesca_comm *c,
                                const hesca_panel_mcast_spec *what, int depth);

/** Create a panel multicast.
 *
 * Local: no communication.  Everything is allocated here.
 * \param [in] tag    (global) Different for multicasts that are in use at the
 *                    same time: HESCA_TAG_PANEL_MCAST + 0, 1, ...
 * \param [in] depth  (global) Number of panels that may be in flight, >= 1.
 * \param [out] s     NULL on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_panel_mcast_create(const hesca_comm *c,
                             const hesca_panel_mcast_spec *what, int tag,
                             int depth, hesca_panel_mcast **s);
/** Free it; NULL is allowed. Panels in flight are lost: call
 * hesca_panel_mcast_end() first, unless MPI failed. */
void hesca_panel_mcast_free(hesca_panel_mcast *s);

/** Whether panels can be shared: all processes are on one node, and those that
 * need the same indices are a process row (by = HESCA_ROWS) or column that has
 * all of them in the source, in the same order.
 *
 * A panel is then written once, by its owners, at an address of the segment
 * that is the same for all processes of the row: panel and ldp of
 * hesca_panel_mcast_begin() are global in it.  The memory of panel t may be
 * used again for panel u after hesca_panel_mcast_is_released(s, t + 1), which
 * is up to the caller before it begins u. Pure. */
int hesca_panel_mcast_may_share(const hesca_comm *c,
                                const hesca_panel_mcast_spec *what);

/** The number of rows (columns) of processes that share panels, that of this
 * process, and the most indices that one of them has: sizes of the memory.
 * Local. */
void hesca_panel_mcast_teams(const hesca_comm *c,
                             const hesca_panel_mcast_spec *what, int *nteams,
                             int *team, int64_t *most);

/** This process does not read the first n panels any more; and whether that
 * holds for all processes that share them, always so if they are not
 * shared. */
void hesca_panel_mcast_release(hesca_panel_mcast *s, int64_t n);
int hesca_panel_mcast_is_released(const hesca_panel_mcast *s, int64_t n);

/** Number of indices f across, f >= f0, that this process owns in the target:
 * rows (along = HESCA_COLS) or columns (HESCA_ROWS) of its panel; 0 if it
 * receives nothing. Local. */
int64_t hesca_panel_mcast_count(const hesca_panel_mcast *s, int64_t f0);

/** Begin the multicast of slices k0 ... k1 - 1, of the indices across that are
 * >= f0 (the trailing part; 0: all).
 *
 * The sender packs at once: local may change when this returns.  The receiver
 * gets the slices packed densely, in the order of its local indices: for along
 * = HESCA_COLS the panel is a column-major count x (k1 - k0) array, for along
 * = HESCA_ROWS a (k1 - k0) x count one, count = hesca_panel_mcast_count(s,
 * f0). At most depth panels are begun and not waited for.  The function waits
 * only for own and forwarded sends of the panel begun (depth + 1) panels
 * before.
 * \param [in]  local, lld   (local) S's local array; ignored if this process
 *                           owns nothing.
 * \param [out] panel, ldp   (local) ldp >= max(1, rows of the panel); written
 *                           until the panel is ready; ignored if count is 0.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_begin(hesca_panel_mcast *s, int64_t k0, int64_t k1,
                            int64_t f0, const void *local, int64_t lld,
                            void *panel, int64_t ldp);

/** Slices k0 ... k1 - 1 of the indices f0 ... f1 - 1 across. */
typedef struct {
    int64_t k0, k1, f0, f1;
} hesca_slab;

/** The same for a part that ends before the last index across; count is the
 * difference of hesca_panel_mcast_count() for its ends. */
int hesca_panel_mcast_begin_slab(hesca_panel_mcast *s, hesca_slab slab,
                                 const void *local, int64_t lld, void *panel,
                                 int64_t ldp);

/** Make progress; to be called between pieces of computation.
 * \param [out] ready  Number of panels complete here, from the first one
 *                     begun; or NULL.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_advance(hesca_panel_mcast *s, int64_t *ready);

/** Wait until the oldest panel that was begun and not waited for is complete
 * here. Own sends of it may still be in flight.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_wait(hesca_panel_mcast *s);

/** The same for each of several panel multicasts, which all make progress.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_wait_all(int n, hesca_panel_mcast *const *s);

/** Wait until everything that was begun is complete, including own sends.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_end(hesca_panel_mcast *s);

#endif
