/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared panels need no messages: each process publishes the number of panels
 * that it has written its part of.  Counts of one call are larger than those
 * of all calls before. */
#include "base/arith.h"
#include "panel/panel_multicast_job.h"
#include <string.h>

static uint64_t
stamp(const hesca_panel_mcast *s, int64_t n)
{
    return hesca_segment_stamp(s->what.shared, n);
}

static hesca_segment_counts *
counts_of(const hesca_panel_mcast *s, int rank)
{
    return &s->what.shared->counts[rank * HESCA_SEGMENT_USERS + s->what.user];
}

void
hesca_mcast_expect_shared(const hesca_panel_mcast *s, hesca_mcast_incoming *x)
{
    const hesca_panel_mcast_lists *l = &s->lists;
    x->narrivals = 0;
    for (int k = 0; k < l->npeers; ++k) {
        const hesca_panel_mcast_peer *p = &l->peer[k];
        if (hesca_mcast_elements(s, &l->in_across.pair[p->across],
                                 &l->in_along.pair[p->along], x->slab) > 0)
            x->arrival[x->narrivals++] =
                (hesca_mcast_arrival){.peer = p, .bytes = 1};
    }
    x->missing = x->narrivals;
}

void
hesca_mcast_publish(const hesca_panel_mcast *s)
{
    atomic_store_explicit(&counts_of(s, s->c->rank)->published,
                          stamp(s, s->begun + 1), memory_order_release);
}

void
hesca_mcast_test_shared(const hesca_panel_mcast *s, hesca_mcast_incoming *x)
{
    for (int k = 0; k < x->narrivals; ++k) {
        hesca_mcast_arrival *a = &x->arrival[k];
        if (a->passed == a->bytes ||
            atomic_load_explicit(&counts_of(s, a->peer->rank)->published,
                                 memory_order_acquire) <
                stamp(s, s->ready + 1))
            continue;
        a->passed = a->bytes;
        --x->missing;
    }
}

int
hesca_panel_mcast_may_share(const hesca_comm *c,
                            const hesca_panel_mcast_spec *what)
{
    const hesca_layout *s = what->source, *t = what->target;
    const int by_rows = what->by == HESCA_ROWS;
    return hesca_comm_is_node(c) && c->size > 1 &&
           by_rows == (what->along == HESCA_COLS) &&
           hesca_layout_is_product(s) && hesca_layout_is_product(t) &&
           s->nprow == t->nprow && s->npcol == t->npcol &&
           memcmp(s->ranks, t->ranks,
                  (size_t)s->nprow * (size_t)s->npcol * sizeof *s->ranks) ==
               0 &&
           (by_rows
                ? hesca_axis_coincide(s->rows, what->i, t->rows, what->origin)
                : hesca_axis_coincide(s->cols, what->j, t->cols,
                                      what->origin));
}

void
hesca_panel_mcast_teams(const hesca_comm *c,
                        const hesca_panel_mcast_spec *what, int *nteams,
                        int *team, int64_t *most)
{
    const hesca_layout *t = what->target;
    const int by_rows = what->by == HESCA_ROWS;
    const hesca_axis *axis = by_rows ? t->rows : t->cols;
    int prow = 0, pcol = 0;
    hesca_layout_coords(t, c->rank, &prow, &pcol);
    *nteams = by_rows ? t->nprow : t->npcol;
    *team = by_rows ? prow : pcol;
    *most = 0;
    for (int k = 0; k < *nteams; ++k) {
        const int64_t n =
            hesca_axis_count(axis, k, what->origin + what->extent) -
            hesca_axis_count(axis, k, what->origin);
        *most = hesca_max(*most, n);
    }
}

void
hesca_panel_mcast_release(hesca_panel_mcast *s, int64_t n)
{
    if (s->what.shared != NULL)
        atomic_store_explicit(&counts_of(s, s->c->rank)->released, stamp(s, n),
                              memory_order_release);
}

int
hesca_panel_mcast_is_released(const hesca_panel_mcast *s, int64_t n)
{
    const hesca_layout *t = s->what.target;
    const int by_rows = s->what.by == HESCA_ROWS;
    int prow, pcol;
    if (s->what.shared == NULL || n <= 0 ||
        !hesca_layout_coords(t, s->c->rank, &prow, &pcol))
        return 1;
    for (int k = 0; k < t->nprow * t->npcol; ++k) {
        const int reads =
            s->what.read_by_all ||
            (by_rows ? k / t->npcol == prow : k % t->npcol == pcol);
        if (reads && atomic_load_explicit(&counts_of(s, t->ranks[k])->released,
                                          memory_order_acquire) < stamp(s, n))
            return 0;
    }
    return 1;
}
