#include "exec/spread_lanes.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/outlook.h"
#include "exec/transfer.h"
#include <stdlib.h>
#include <string.h>

/* Place of a process in a grid. */
typedef struct {
    int prow, pcol;
} place;

/* What it owns of one dimension. */
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
source_share(const hesca_spread_what *w, place at, hesca_dim d)
{
    return share(w->source, at, d, d == HESCA_ROWS ? w->i : w->j);
}

static int64_t
count(hesca_share s, int64_t n)
{
    return hesca_axis_count(s.axis, s.owner, s.origin + n) -
           hesca_axis_count(s.axis, s.owner, s.origin);
}

/* What the target gives a process of its grid; 0: nothing. */
static int
is_target(const hesca_spread_what *w, place at, hesca_share *to)
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

/* ------------------------------------------------ lists of lanes */

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

/* The lane between two owners across, which is made if it is new. */
static int
across(hesca_lane_list *x, const hesca_spread_what *w, hesca_share from,
       hesca_share to, hesca_motion motion, int *at)
{
    int err = HESCA_SUCCESS;
    for (*at = 0; *at < x->n; ++*at)
        if (same(x->pair[*at].from, from) && same(x->pair[*at].to, to))
            return HESCA_SUCCESS;
    hesca_lane_pair *p = &x->pair[x->n++];
    p->from = from;
    p->to = to;
    HESCA_TRY(err, hesca_overlap_make(&p->overlap, from, to, w->extent));
    if (w->along == HESCA_COLS)
        HESCA_TRY(err, hesca_runs_make(&p->runs, &p->overlap, motion));
fail:
    return err;
}

/* The lane of an owner along: index k of the slices is at k of the panels.
 * That side gets the period of the other, so that the overlap has it, too. */
static int
along(hesca_lane_list *x, const hesca_spread_what *w, hesca_share from,
      hesca_motion motion, int *at)
{
    int err = HESCA_SUCCESS;
    for (*at = 0; *at < x->n; ++*at)
        if (same(x->pair[*at].from, from))
            return HESCA_SUCCESS;
    hesca_lane_pair *p = &x->pair[x->n++];
    p->from = from;
    HESCA_TRY(err, hesca_axis_cyclic(&p->all, from.axis->period, 1, 0, 1));
    p->to = (hesca_share){&p->all, 0, 0};
    HESCA_TRY(err, hesca_overlap_make(&p->overlap, from, p->to, w->k));
    if (w->along == HESCA_ROWS)
        HESCA_TRY(err, hesca_runs_make(&p->runs, &p->overlap, motion));
fail:
    return err;
}

/* ------------------------------------------------ sending */

static int
allocate_groups(hesca_spread_lists *x, int most)
{
    int err = HESCA_SUCCESS;
    x->group = calloc((size_t)most, sizeof *x->group);
    x->rank = malloc((size_t)most * sizeof *x->rank);
    x->piece = malloc((size_t)most * sizeof *x->piece);
    if (x->group == NULL || x->rank == NULL || x->piece == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d destinations", most);
    HESCA_TRY(err, list_begin(&x->out_across, most));
    HESCA_TRY(err, list_begin(&x->out_along, 1));
fail:
    return err;
}

/* The processes of the target that get something from this one, by lane. */
static int
collect(hesca_spread_lists *x, const hesca_comm *c, const hesca_spread_what *w,
        hesca_share from, int *lane_of)
{
    const hesca_layout *t = w->target;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < t->nprow * t->npcol; ++k) {
        hesca_share to;
        lane_of[k] = -1;
        if (t->ranks[k] == c->rank ||
            !is_target(w, (place){k / t->npcol, k % t->npcol}, &to))
            continue;
        HESCA_TRY(
            err, across(&x->out_across, w, from, to, HESCA_PACK, &lane_of[k]));
        if (x->out_across.pair[lane_of[k]].overlap.total == 0)
            lane_of[k] = -1;
    }
fail:
    return err;
}

/* One group for each lane that has somebody. */
static void
group(hesca_spread_lists *x, const hesca_comm *c, const hesca_layout *t,
      const int *lane_of)
{
    const hesca_outlook outlook = hesca_outlook_of(c, 1);
    int used = 0;
    for (int l = 0; l < x->out_across.n; ++l) {
        hesca_spread_group *g = &x->group[x->ngroups];
        *g = (hesca_spread_group){l, 0, x->rank + used, x->piece + used};
        for (int k = 0; k < t->nprow * t->npcol; ++k)
            if (lane_of[k] == l) {
                g->rank[g->n] = t->ranks[k];
                g->piece[g->n++] =
                    hesca_transfer_piece(&outlook, c->rank, t->ranks[k]);
            }
        used += g->n;
        x->ngroups += g->n > 0;
    }
}

static int
make_sends(hesca_spread_lists *x, const hesca_comm *c,
           const hesca_spread_what *w, place at)
{
    const int most = w->target->nprow * w->target->npcol;
    const hesca_share from = source_share(w, at, other(w->along));
    int err, one;
    int *lane_of = malloc((size_t)most * sizeof *lane_of);
    if (lane_of == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d destinations", most);
    HESCA_TRY(err, allocate_groups(x, most));
    HESCA_TRY(err, along(&x->out_along, w, source_share(w, at, w->along),
                         HESCA_PACK, &one));
    HESCA_TRY(err, collect(x, c, w, from, lane_of));
    if (x->out_along.pair->overlap.total > 0)
        group(x, c, w->target, lane_of);
    x->sends = x->ngroups > 0;
fail:
    free(lane_of);
    return err;
}

/* ------------------------------------------------ receiving */

static int
allocate_peers(hesca_spread_lists *x, int most)
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

static int
make_receives(hesca_spread_lists *x, const hesca_comm *c,
              const hesca_spread_what *w)
{
    const hesca_layout *s = w->source;
    const hesca_outlook outlook = hesca_outlook_of(c, 1);
    int err;
    HESCA_TRY(err, allocate_peers(x, s->nprow * s->npcol));
    for (int k = 0; k < s->nprow * s->npcol; ++k) {
        const place at = {k / s->npcol, k % s->npcol};
        const int own = s->ranks[k] == c->rank;
        hesca_lane_list *a = own ? &x->own_across : &x->in_across;
        hesca_lane_list *b = own ? &x->own_along : &x->in_along;
        const hesca_motion motion = own ? HESCA_COPY : HESCA_UNPACK;
        hesca_spread_peer p = {.rank = s->ranks[k]};
        HESCA_TRY(err, across(a, w, source_share(w, at, other(w->along)),
                              x->mine, motion, &p.across));
        HESCA_TRY(
            err, along(b, w, source_share(w, at, w->along), motion, &p.along));
        if (a->pair[p.across].overlap.total == 0 ||
            b->pair[p.along].overlap.total == 0)
            continue;
        p.piece = hesca_transfer_piece(&outlook, p.rank, c->rank);
        if (own)
            x->keeps = 1;
        else
            x->peer[x->npeers++] = p;
    }
    x->receives = x->npeers > 0;
fail:
    return err;
}

int
hesca_spread_lists_make(hesca_spread_lists *x, const hesca_comm *c,
                        const hesca_spread_what *w)
{
    place at;
    int err = HESCA_SUCCESS;
    memset(x, 0, sizeof *x);
    if (hesca_layout_coords(w->source, c->rank, &at.prow, &at.pcol))
        HESCA_TRY(err, make_sends(x, c, w, at));
    if (hesca_layout_coords(w->target, c->rank, &at.prow, &at.pcol) &&
        is_target(w, at, &x->mine)) {
        x->count = count(x->mine, w->extent);
        if (x->count > 0)
            HESCA_TRY(err, make_receives(x, c, w));
    }
fail:
    return err;
}

void
hesca_spread_lists_clear(hesca_spread_lists *x)
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

/* ------------------------------------------------ memory */

/* In how many ways the target is cut. */
static int
ncuts(const hesca_spread_what *w)
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
hesca_spread_room(const hesca_comm *c, const hesca_spread_what *w, int64_t *in,
                  int64_t *out)
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
