/* SPDX-License-Identifier: BSD-3-Clause */
#include "panel/panel_multicast_lanes.h"
#include "base/arith.h"
#include "base/status.h"
#include "bcast/forwarding.h"
#include "exec/transfer.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates of a process in a grid. */
typedef struct {
    int prow, pcol;
} place;

/* Its indices in one dimension. */
static hesca_share
share(const hesca_layout *x, place at, hesca_dim dim, int64_t origin)
{
    return dim == HESCA_ROWS ? (hesca_share){hesca_layout_row_axis(x, at.pcol),
                                             at.prow, origin}
                             : (hesca_share){hesca_layout_col_axis(x, at.prow),
                                             at.pcol, origin};
}

static hesca_dim
other(hesca_dim dim)
{
    return dim == HESCA_ROWS ? HESCA_COLS : HESCA_ROWS;
}

/* Dimension d of sub(S) on a process of S's grid. */
static hesca_share
source_share(const hesca_panel_mcast_spec *w, place at, hesca_dim d)
{
    return share(w->source, at, d, d == HESCA_ROWS ? w->i : w->j);
}

static int64_t
count(hesca_share s, int64_t n)
{
    return hesca_axis_count(s.axis, s.owner, s.origin + n) -
           hesca_axis_count(s.axis, s.owner, s.origin);
}

/* The indices of a process in the target; 0: it receives nothing. */
static int
is_target(const hesca_panel_mcast_spec *w, place at, hesca_share *to)
{
    *to = share(w->target, at, w->by, w->origin);
    return w->need == 0 ||
           count(share(w->target, at, other(w->by), w->need_from), w->need) >
               0;
}

static int
same(hesca_share x, hesca_share y)
{
    return x.owner == y.owner &&
           (x.axis == y.axis || hesca_axis_equal(x.axis, y.axis));
}

/* --- lists of lanes ---
 * Two owners with equal axes share a lane, so a message is packed once for
 * all of its destinations. */

static int
list_begin(hesca_lane_list *x, int most)
{
    x->n = 0;
    x->pair = calloc((size_t)most, sizeof *x->pair);
    if (x->pair == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d lanes", most);
    return HESCA_SUCCESS;
}

static void
list_clear(hesca_lane_list *x)
{
    for (int k = 0; k < x->n; ++k) {
        hesca_axis_clear(&x->pair[k].all);
        hesca_overlap_clear(&x->pair[k].overlap);
        hesca_runs_clear(&x->pair[k].runs);
    }
    free(x->pair);
}

/* Find or make the lane between two owners across. */
static int
across(hesca_lane_list *x, const hesca_panel_mcast_spec *w, hesca_share from,
       hesca_share to, hesca_motion motion, int *at)
{
    int err = HESCA_SUCCESS;
    for (*at = 0; *at < x->n; ++*at)
        if (same(x->pair[*at].from, from) && same(x->pair[*at].to, to))
            return HESCA_SUCCESS;
    hesca_lane_pair *p = &x->pair[x->n++];
    p->from = from;
    p->to = to;
    HESCA_TRY(err, hesca_overlap_init(&p->overlap, from, to, w->extent));
    if (w->along == HESCA_COLS)
        HESCA_TRY(err, hesca_runs_init(&p->runs, &p->overlap, motion));
fail:
    return err;
}

/* Find or make the lane of an owner along: slice k has index k in the
 * panels. */
static int
along(hesca_lane_list *x, const hesca_panel_mcast_spec *w, hesca_share from,
      hesca_motion motion, int *at)
{
    int err = HESCA_SUCCESS;
    for (*at = 0; *at < x->n; ++*at)
        if (same(x->pair[*at].from, from))
            return HESCA_SUCCESS;
    hesca_lane_pair *p = &x->pair[x->n++];
    p->from = from;
    HESCA_TRY(err, hesca_axis_cyclic(&p->all, w->k, 1, 0, 1));
    p->to = (hesca_share){&p->all, 0, 0};
    HESCA_TRY(err, hesca_overlap_init(&p->overlap, from, p->to, w->k));
    if (w->along == HESCA_ROWS)
        HESCA_TRY(err, hesca_runs_init(&p->runs, &p->overlap, motion));
fail:
    return err;
}

/* --- destinations ---
 * Source and destinations compute the same sequence and tree from global
 * terms. */

/* State while the lists are made. */
typedef struct {
    const hesca_comm *c;
    const hesca_panel_mcast_spec *w;
    hesca_link_costs links;
    int tag;
    int *at, *sequence, *parent; /* [processes of the target + 1] */
    int nequals,
        *equal; /* positions of processes that receive the same as this one */
} maker;

/* With store-and-forward the messages of source k have a tag of their own,
 * because the messages of a pair then arrive in no fixed order. */
static int
tag_of(const maker *m, int k)
{
    return m->w->forwards ? m->tag + HESCA_TAG_STRIDE * (k + 1) : m->tag;
}

/* Bytes of the longest message of a lane. */
static int64_t
longest(const hesca_panel_mcast_spec *w, const hesca_lane_pair *across)
{
    return across->overlap.total * w->width * (int64_t)w->esize;
}

/* The pieces in which a message of the source may go to the n others. */
static int
npieces(const maker *m, int n, int64_t bytes)
{
    int64_t piece = INT64_MAX;
    for (int l = 1; l <= n; ++l)
        piece =
            hesca_min(piece, hesca_transfer_piece(&m->links, m->sequence[0],
                                                  m->sequence[l]));
    return (int)hesca_min((bytes - 1) / piece + 1, INT_MAX);
}

/* Order the n processes at m->at behind source k, beginning with those that
 * follow it in the grid, and compute the forwarding tree. */
static int
order_dests(const maker *m, int k, int n, int64_t bytes)
{
    const hesca_layout *t = m->w->target;
    const int source = m->w->source->ranks[k];
    int own = 0, first = n > 0 ? k % n : 0;
    while (own < t->nprow * t->npcol && t->ranks[own] != source)
        ++own;
    if (own < t->nprow * t->npcol)
        for (first = 0; first < n && m->at[first] < own; ++first)
            ;
    m->sequence[0] = source;
    for (int l = 0; l < n; ++l)
        m->sequence[1 + l] = t->ranks[m->at[(first + l) % n]];
    if (m->w->forwards)
        return hesca_forwarding_make(&m->links, (double)bytes, n,
                                     npieces(m, n, bytes), m->sequence,
                                     m->parent);
    for (int l = 0; l <= n; ++l)
        m->parent[l] = l == 0 ? -1 : 0;
    return HESCA_SUCCESS;
}

/* Find the processes to which this one forwards a message of source k, of at
 * most the given bytes, and the one from which it receives it. */
static int
find_dests(hesca_panel_mcast_lists *x, const maker *m, int k, int n,
           int64_t bytes, hesca_panel_mcast_dests *to, int *from)
{
    int mine = 0, err;
    HESCA_TRY(err, order_dests(m, k, n, bytes));
    while (m->sequence[mine] != m->c->rank)
        ++mine;
    if (from != NULL)
        *from = m->sequence[m->parent[mine]];
    *to = (hesca_panel_mcast_dests){0, x->rank + x->ndests,
                                    x->piece + x->ndests};
    for (int l = mine + 1; l <= n; ++l)
        if (m->parent[l] == mine) {
            to->rank[to->n] = m->sequence[l];
            to->piece[to->n++] =
                hesca_transfer_piece(&m->links, m->c->rank, m->sequence[l]);
        }
    x->ndests += to->n;
fail:
    return err;
}

/* --- sending ---
 * Each lane with destinations has one group, so its message is packed
 * once. */

static int
allocate_groups(hesca_panel_mcast_lists *x, int most)
{
    int err = HESCA_SUCCESS;
    x->group = calloc((size_t)most, sizeof *x->group);
    if (x->group == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d destinations", most);
    HESCA_TRY(err, list_begin(&x->out_across, most));
    HESCA_TRY(err, list_begin(&x->out_along, 1));
fail:
    return err;
}

/* Find the processes of the target that receive from this one, by lane. */
static int
collect(hesca_panel_mcast_lists *x, const maker *m, hesca_share from,
        int *lane_of)
{
    const hesca_layout *t = m->w->target;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < t->nprow * t->npcol; ++k) {
        hesca_share to;
        lane_of[k] = -1;
        if (t->ranks[k] == m->c->rank ||
            !is_target(m->w, (place){k / t->npcol, k % t->npcol}, &to))
            continue;
        HESCA_TRY(err, across(&x->out_across, m->w, from, to, HESCA_PACK,
                              &lane_of[k]));
        if (x->out_across.pair[lane_of[k]].overlap.total == 0)
            lane_of[k] = -1;
    }
fail:
    return err;
}

/* One group for each lane that has destinations. */
static int
group(hesca_panel_mcast_lists *x, const maker *m, int source,
      const int *lane_of)
{
    const hesca_layout *t = m->w->target;
    int err = HESCA_SUCCESS;
    for (int l = 0; l < x->out_across.n; ++l) {
        const int64_t bytes = longest(m->w, &x->out_across.pair[l]);
        hesca_panel_mcast_group *g = &x->group[x->ngroups];
        int n = 0;
        for (int k = 0; k < t->nprow * t->npcol; ++k)
            if (lane_of[k] == l)
                m->at[n++] = k;
        if (n == 0)
            continue;
        g->across = l;
        g->tag = tag_of(m, source);
        HESCA_TRY(err, find_dests(x, m, source, n, bytes, &g->to, NULL));
        ++x->ngroups;
    }
fail:
    return err;
}

static int
make_sends(hesca_panel_mcast_lists *x, const maker *m, place at)
{
    const hesca_panel_mcast_spec *w = m->w;
    const int most = w->target->nprow * w->target->npcol;
    const hesca_share from = source_share(w, at, other(w->along));
    int err, one;
    int *lane_of = malloc((size_t)most * sizeof *lane_of);
    if (lane_of == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d destinations", most);
    HESCA_TRY(err, allocate_groups(x, most));
    HESCA_TRY(err, along(&x->out_along, w, source_share(w, at, w->along),
                         HESCA_PACK, &one));
    HESCA_TRY(err, collect(x, m, from, lane_of));
    if (x->out_along.pair->overlap.total > 0)
        HESCA_TRY(err,
                  group(x, m, at.prow * w->source->npcol + at.pcol, lane_of));
    x->sends = x->ngroups > 0;
fail:
    free(lane_of);
    return err;
}

/* --- receiving ---
 * Each source with common indices has one peer, the process that sends or
 * forwards its messages. */

static int
allocate_peers(hesca_panel_mcast_lists *x, int most)
{
    int err = HESCA_SUCCESS;
    x->peer = calloc((size_t)most, sizeof *x->peer);
    if (x->peer == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d sources", most);
    HESCA_TRY(err, list_begin(&x->in_across, most));
    HESCA_TRY(err, list_begin(&x->in_along, most));
    HESCA_TRY(err, list_begin(&x->own_across, 1));
    HESCA_TRY(err, list_begin(&x->own_along, 1));
fail:
    return err;
}

static void
find_equals(const hesca_panel_mcast_lists *x, maker *m)
{
    const hesca_layout *t = m->w->target;
    for (int k = 0; k < t->nprow * t->npcol; ++k) {
        hesca_share to;
        if (is_target(m->w, (place){k / t->npcol, k % t->npcol}, &to) &&
            same(to, x->mine))
            m->equal[m->nequals++] = k;
    }
}

/* Find the process that source k's messages come from, and those that they are
 * forwarded to. */
static int
find_place(hesca_panel_mcast_lists *x, const maker *m, int k,
           hesca_panel_mcast_peer *p)
{
    const int source = m->w->source->ranks[k];
    const int64_t bytes = longest(m->w, &x->in_across.pair[p->across]);
    int err = HESCA_SUCCESS, n = 0;
    p->rank = source;
    p->tag = tag_of(m, k);
    if (m->w->forwards) {
        for (int l = 0; l < m->nequals; ++l)
            if (m->w->target->ranks[m->equal[l]] != source)
                m->at[n++] = m->equal[l];
        HESCA_TRY(err, find_dests(x, m, k, n, bytes, &p->to, &p->rank));
        x->relays |= p->to.n > 0;
    }
    p->piece = hesca_transfer_piece(&m->links, p->rank, m->c->rank);
fail:
    return err;
}

static int
make_receives(hesca_panel_mcast_lists *x, maker *m)
{
    const hesca_panel_mcast_spec *w = m->w;
    const hesca_layout *s = w->source;
    int err;
    HESCA_TRY(err, allocate_peers(x, s->nprow * s->npcol));
    find_equals(x, m);
    for (int k = 0; k < s->nprow * s->npcol; ++k) {
        const place at = {k / s->npcol, k % s->npcol};
        const int own = s->ranks[k] == m->c->rank;
        hesca_lane_list *a = own ? &x->own_across : &x->in_across;
        hesca_lane_list *b = own ? &x->own_along : &x->in_along;
        const hesca_motion motion = own ? HESCA_COPY : HESCA_UNPACK;
        hesca_panel_mcast_peer p = {0};
        HESCA_TRY(err, across(a, w, source_share(w, at, other(w->along)),
                              x->mine, motion, &p.across));
        HESCA_TRY(
            err, along(b, w, source_share(w, at, w->along), motion, &p.along));
        if (a->pair[p.across].overlap.total == 0 ||
            b->pair[p.along].overlap.total == 0)
            continue;
        if (own) {
            x->keeps = 1;
            continue;
        }
        HESCA_TRY(err, find_place(x, m, k, &p));
        x->peer[x->npeers++] = p;
    }
    x->receives = x->npeers > 0;
fail:
    return err;
}

/* --- both ---
 * Local: every process makes its own lists, which match those of the
 * others. */

static int
allocate_dests(hesca_panel_mcast_lists *x, maker *m)
{
    const size_t targets =
        (size_t)m->w->target->nprow * (size_t)m->w->target->npcol;
    const size_t sources =
        (size_t)m->w->source->nprow * (size_t)m->w->source->npcol;
    const size_t fan = (size_t)hesca_forwarding_fan((int)targets);
    const size_t n = targets + (m->w->forwards ? sources * fan : 0);
    x->rank = malloc(n * sizeof *x->rank);
    x->piece = malloc(n * sizeof *x->piece);
    m->at = malloc((targets + 1) * sizeof *m->at);
    m->sequence = malloc((targets + 1) * sizeof *m->sequence);
    m->parent = malloc((targets + 1) * sizeof *m->parent);
    m->equal = malloc((targets + 1) * sizeof *m->equal);
    if (x->rank != NULL && x->piece != NULL && m->at != NULL &&
        m->sequence != NULL && m->parent != NULL && m->equal != NULL)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu destinations", n);
}

int
hesca_panel_mcast_lists_init(hesca_panel_mcast_lists *x, const hesca_comm *c,
                             const hesca_panel_mcast_spec *w, int tag)
{
    maker m = {
        .c = c, .w = w, .links = hesca_comm_link_costs(c, 1), .tag = tag};
    place at;
    int err = HESCA_SUCCESS;
    memset(x, 0, sizeof *x);
    HESCA_TRY(err, allocate_dests(x, &m));
    if (hesca_layout_coords(w->source, c->rank, &at.prow, &at.pcol))
        HESCA_TRY(err, make_sends(x, &m, at));
    if (hesca_layout_coords(w->target, c->rank, &at.prow, &at.pcol) &&
        is_target(w, at, &x->mine)) {
        x->count = count(x->mine, w->extent);
        if (x->count > 0)
            HESCA_TRY(err, make_receives(x, &m));
    }
fail:
    free(m.at);
    free(m.sequence);
    free(m.parent);
    free(m.equal);
    return err;
}

void
hesca_panel_mcast_lists_clear(hesca_panel_mcast_lists *x)
{
    list_clear(&x->out_across);
    list_clear(&x->out_along);
    list_clear(&x->in_across);
    list_clear(&x->in_along);
    list_clear(&x->own_across);
    list_clear(&x->own_along);
    free(x->group);
    free(x->peer);
    free(x->rank);
    free(x->piece);
}

/* --- memory ---
 * An upper bound, from the layouts alone. */

/* Number of different cuts of the target. */
static int
ncuts(const hesca_panel_mcast_spec *w)
{
    const int rows = w->by == HESCA_ROWS;
    const int most = rows ? w->target->npcol : w->target->nprow;
    int n = 0;
    for (int k = 0; k < most; ++k) {
        int seen = 0;
        for (int l = 0; l < k && !seen; ++l)
            seen = rows ? hesca_layout_row_axis(w->target, k) ==
                              hesca_layout_row_axis(w->target, l)
                        : hesca_layout_col_axis(w->target, k) ==
                              hesca_layout_col_axis(w->target, l);
        n += !seen;
    }
    return n;
}

void
hesca_panel_mcast_room(const hesca_comm *c, const hesca_panel_mcast_spec *w,
                       int64_t *in, int64_t *out)
{
    place at;
    hesca_share to;
    *in = *out = 0;
    if (hesca_layout_coords(w->source, c->rank, &at.prow, &at.pcol))
        *out =
            ncuts(w) * count(source_share(w, at, other(w->along)), w->extent);
    if (hesca_layout_coords(w->target, c->rank, &at.prow, &at.pcol) &&
        is_target(w, at, &to))
        *in = count(to, w->extent);
}
