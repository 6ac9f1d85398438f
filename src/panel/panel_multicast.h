/** \file panel/panel_multicast.h
 * Panels of a matrix, from where they are to whoever needs them.
 *
 * A dense algorithm goes through a matrix S by panels: a few columns of it, or
 * a few rows.  Each process of another matrix (or of the same) needs of every
 * panel what matches its own rows, or its own columns.  A spread moves that:
 * straight from the owners to the processes of the target, whatever the two
 * layouts and grids are, with several panels on their way while there is
 * something else to do.  No layout is changed for it.
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
 * All processes that have something to send or to receive begin the same
 * panels in the same order, and of several spreads in one order; the others
 * may, too. */
#ifndef HESCA_PANEL_PANEL_MULTICAST_H
#define HESCA_PANEL_PANEL_MULTICAST_H

#include "exec/comm.h"
#include "layout/layout.h"

/** One dimension of a matrix. */
typedef enum { HESCA_ROWS, HESCA_COLS } hesca_dim;

/** What is spread: of sub(S), which begins at S's (i,j), slices along one
 * dimension, each with extent indices across.  Index f across goes to every
 * process of the target's grid that owns row (by = HESCA_ROWS) or column
 * (HESCA_COLS) origin + f of the target. */
typedef struct {
    const hesca_layout *source; /* must live as long as the spread, and the
                                   target, too */
    int64_t i, j;
    hesca_dim along; /* HESCA_COLS: slices are columns of sub(S), HESCA_ROWS:
                        rows */
    int64_t extent;  /* indices across */
    int64_t k;       /* slices in all */
    int64_t width;   /* slices of the widest panel; 0: k */
    const hesca_layout *target;
    hesca_dim by;
    int64_t origin;
    /* Only processes that own something of the target's other dimension from
     * index need_from on, need of them, get anything; need = 0: all of the
     * grid. */
    int64_t need_from, need;
    /* 1: what several processes get alike is passed on by them, so that the
     * owner's link is not the one that all wait for.  Then nobody may wait for
     * anything else for long without hesca_panel_mcast_advance(). */
    int relay;
    size_t esize;
} hesca_panel_mcast_spec;

typedef struct hesca_panel_mcast hesca_panel_mcast;

/** Bytes that a spread takes on this process for each slice of width; without
 * the panels themselves, which are the caller's.  Local. */
int64_t hesca_panel_mcast_bytes(const hesca_comm *c,
                                const hesca_panel_mcast_spec *what, int depth);

/** Make one.
 *
 * Local: no communication.  Everything is allocated here.
 * \param [in] tag    (global) One of its own for each spread that is in use at
 *                    the same time: HESCA_TAG_PANEL_MCAST + 0, 1, ...
 * \param [in] depth  (global) So many panels may be on their way, >= 1.
 * \param [out] s     NULL on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_panel_mcast_create(const hesca_comm *c,
                             const hesca_panel_mcast_spec *what, int tag,
                             int depth, hesca_panel_mcast **s);
/** NULL is allowed.  What is still on its way is lost: hesca_panel_mcast_end()
 * first, unless MPI failed. */
void hesca_panel_mcast_free(hesca_panel_mcast *s);

/** Number of indices f across, f >= f0, that the target gives this process:
 * rows (along = HESCA_COLS) or columns (HESCA_ROWS) of the panel here; 0 if it
 * gets nothing.  Local. */
int64_t hesca_panel_mcast_count(const hesca_panel_mcast *s, int64_t f0);

/** Begin with the slices k0 ... k1 - 1 of the indices across that are >= f0
 * (the trailing part; 0: all).
 *
 * The sender packs at once: local may change when this returns.  The receiver
 * gets them packed densely: along = HESCA_COLS the panel is a column-major
 * count x (k1 - k0) array, along = HESCA_ROWS a (k1 - k0) x count one, count =
 * hesca_panel_mcast_count(s, f0), in the order of this process's local
 * indices. At most depth panels are begun and not waited for.  It waits only
 * for own sends of the panel begun depth + 1 panels before, and for what it
 * passes on of that, until MPI has taken them. \param [in]  local, lld (local)
 * S's local array; not looked at where nothing is owned. \param [out] panel,
 * ldp  (local) ldp >= max(1, rows of the panel); written until the panel is
 * ready; not looked at where count is 0. \return HESCA_SUCCESS or
 * HESCA_ERR_MPI. */
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

/** Let messages go on: to be called between pieces of computation.
 * \param [out] ready  Panels that are complete here, counted from the first
 *                     that was begun; or NULL.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_advance(hesca_panel_mcast *s, int64_t *ready);

/** Wait politely until the oldest panel that was begun and not waited for is
 * complete here.  Own sends of it may still be on their way.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_wait(hesca_panel_mcast *s);

/** The same for each of several spreads, which go on together.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_wait_all(int n, hesca_panel_mcast *const *s);

/** Wait politely until everything that was begun is over, own sends too.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_mcast_end(hesca_panel_mcast *s);

#endif
