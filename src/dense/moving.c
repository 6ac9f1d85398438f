/* SPDX-License-Identifier: BSD-3-Clause */
/* Panel t is in panel[t % npanels]; it may begin after panel t - ahead - 1 has
 * been multiplied; if it is shared, after all processes have multiplied the
 * one before it in the same memory. */
#include "dense/moving.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/staging.h"
#include <string.h>

int
hesca_moving_is_at_home(const hesca_panel_mcast_spec *x)
{
    const hesca_layout *s = x->source, *t = x->target;
    const int by_cols = x->by == HESCA_COLS;
    const size_t n = (size_t)s->nprow * (size_t)s->npcol;
    return hesca_layout_is_product(s) && hesca_layout_is_product(t) &&
           by_cols == (x->along == HESCA_ROWS) && s->nprow == t->nprow &&
           s->npcol == t->npcol && (by_cols ? s->nprow : s->npcol) == 1 &&
           memcmp(s->ranks, t->ranks, n * sizeof *s->ranks) == 0 &&
           hesca_axis_coincide(by_cols ? s->cols : s->rows,
                               by_cols ? x->j : x->i,
                               by_cols ? t->cols : t->rows, x->origin);
}

void
hesca_moving_find_home(hesca_moving *f)
{
    const hesca_panel_mcast_spec *x = &f->what;
    const int by_cols = x->by == HESCA_COLS;
    int prow, pcol;
    if (!hesca_moving_is_at_home(x) ||
        !hesca_layout_coords(x->source, f->comm->rank, &prow, &pcol))
        return;
    const int64_t at = by_cols ? hesca_axis_count(x->source->cols, pcol, x->j)
                               : hesca_axis_count(x->source->rows, prow, x->i);
    f->home = hesca_at_const(f->type, f->matrix->local, f->matrix->lld,
                             by_cols ? x->i : at, by_cols ? at : x->j);
}

/* --- memory --- */

int64_t
hesca_moving_room(const hesca_moving *f, int64_t count)
{
    return hesca_panel_mcast_bytes(f->comm, &f->what, f->ahead) +
           (f->ahead + 1) * count * (int64_t)f->what.esize;
}

/* Place the panels in memory that the node shares, from `at` on; s == NULL:
 * its size alone, which is global: where one process would share with nobody,
 * the factor is at home. */
static int64_t
place_shared(hesca_moving *f, const hesca_segment *s, int64_t at)
{
    const hesca_layout *target = f->what.target;
    int nteams, team;
    int64_t most;
    if ((f->what.by == HESCA_ROWS ? target->npcol : target->nprow) == 1 ||
        !hesca_panel_mcast_may_share(f->comm, &f->what))
        return 0;
    hesca_panel_mcast_teams(f->comm, &f->what, &nteams, &team, &most);
    f->npanels = f->ahead + 1 + HESCA_MOVING_SLACK;
    const int64_t bytes =
        hesca_max(most, 1) * f->what.width * (int64_t)f->what.esize;
    for (int k = 0; k < f->npanels && s != NULL; ++k)
        f->panel[k] = s->memory + at + (team * f->npanels + k) * bytes;
    return nteams * f->npanels * bytes;
}

int
hesca_moving_share(const hesca_moving_set *s)
{
    hesca_segment *memory;
    int64_t bytes = 0, at = 0;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < s->n; ++k)
        bytes += place_shared(s->factor[k], NULL, 0);
    if (bytes > 0)
        HESCA_TRY(err, hesca_segment_get(s->factor[0]->comm, bytes, &memory));
    for (int k = 0; k < s->n && bytes > 0 && memory != NULL; ++k) {
        const int64_t own = place_shared(s->factor[k], memory, at);
        if (own > 0) {
            s->factor[k]->what.shared = memory;
            s->factor[k]->what.user = k;
        }
        at += own;
    }
fail:
    return err;
}

int
hesca_moving_create(hesca_moving *f, const char *routine, int tag,
                    int64_t count)
{
    int err;
    f->count = count;
    if (f->home != NULL)
        return HESCA_SUCCESS;
    HESCA_TRY(err, hesca_panel_mcast_create(f->comm, &f->what, tag, f->ahead,
                                            &f->mcast));
    if (f->what.shared != NULL) {
        f->count = hesca_panel_mcast_count(f->mcast, 0);
        return HESCA_SUCCESS;
    }
    f->npanels = f->ahead + 1;
    const int64_t bytes = count * f->what.width * (int64_t)f->what.esize;
    f->memory = hesca_staging_block((size_t)(f->npanels * bytes) + 1);
    if (f->memory == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: panels of %lld bytes",
                          routine, (long long)bytes);
    for (int k = 0; k < f->npanels; ++k)
        f->panel[k] = f->memory + k * bytes;
fail:
    return err;
}

void
hesca_moving_free(hesca_moving *f)
{
    hesca_panel_mcast_free(f->mcast);
    hesca_staging_unblock(f->memory);
}

/* --- panels --- */

int64_t
hesca_moving_npanels(const hesca_moving *f)
{
    return (f->what.k - 1) / f->what.width + 1;
}

int64_t
hesca_moving_slices(const hesca_moving *f, int64_t t)
{
    return hesca_min(f->what.width, f->what.k - t * f->what.width);
}

int64_t
hesca_moving_leading(const hesca_moving *f, int64_t t)
{
    if (f->home != NULL)
        return f->matrix->lld;
    return f->what.along == HESCA_COLS ? f->count : hesca_moving_slices(f, t);
}

const char *
hesca_moving_at(const hesca_moving *f, int64_t t)
{
    const int64_t k = t * f->what.width;
    if (f->home == NULL)
        return f->panel[t % f->npanels];
    return f->what.along == HESCA_COLS
               ? hesca_at_const(f->type, f->home, f->matrix->lld, 0, k)
               : hesca_at_const(f->type, f->home, f->matrix->lld, k, 0);
}

static int
has_room(const hesca_moving *f, int64_t t)
{
    return f->mcast == NULL ||
           hesca_panel_mcast_is_released(f->mcast, t - f->npanels + 1);
}

static int
begin(hesca_moving *f, int64_t t)
{
    const int64_t k0 = t * f->what.width, k1 = k0 + hesca_moving_slices(f, t);
    if (f->home != NULL)
        return HESCA_SUCCESS;
    return hesca_panel_mcast_begin(f->mcast, k0, k1, 0, f->matrix->local,
                                   f->matrix->lld, f->panel[t % f->npanels],
                                   hesca_max(1, hesca_moving_leading(f, t)));
}

/* --- the factors of a product ---
 * Those at home have no multicast. */

int
hesca_moving_begin(const hesca_moving_set *s, int64_t t)
{
    hesca_comm *c = s->factor[0]->comm;
    hesca_backoff wait = hesca_backoff_begin(c->yields);
    int err = HESCA_SUCCESS;
    if (t >= hesca_moving_npanels(s->factor[0]))
        return HESCA_SUCCESS;
    for (int k = 0; k < s->n; ++k)
        while (!has_room(s->factor[k], t)) {
            hesca_comm_pause(c, &wait, "its panels to be multiplied");
            HESCA_TRY(err, hesca_moving_advance(s));
        }
    for (int k = 0; k < s->n; ++k)
        HESCA_TRY(err, begin(s->factor[k], t));
fail:
    return err;
}

int
hesca_moving_advance(const hesca_moving_set *s)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < s->n; ++k)
        if (s->factor[k]->mcast != NULL)
            HESCA_TRY(err,
                      hesca_panel_mcast_advance(s->factor[k]->mcast, NULL));
fail:
    return err;
}

int
hesca_moving_wait(const hesca_moving_set *s)
{
    hesca_panel_mcast *mcast[2];
    int n = 0;
    for (int k = 0; k < s->n; ++k)
        if (s->factor[k]->mcast != NULL)
            mcast[n++] = s->factor[k]->mcast;
    return n > 0 ? hesca_panel_mcast_wait_all(n, mcast) : HESCA_SUCCESS;
}

void
hesca_moving_release(const hesca_moving_set *s, int64_t n)
{
    for (int k = 0; k < s->n; ++k)
        if (s->factor[k]->mcast != NULL)
            hesca_panel_mcast_release(s->factor[k]->mcast, n);
}

int
hesca_moving_end(const hesca_moving_set *s)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < s->n; ++k)
        if (s->factor[k]->mcast != NULL)
            HESCA_TRY(err, hesca_panel_mcast_end(s->factor[k]->mcast));
fail:
    return err;
}

int
hesca_moving_has_messages(const hesca_moving_set *s)
{
    int has = 0;
    for (int k = 0; k < s->n; ++k)
        has = has || (s->factor[k]->mcast != NULL &&
                      s->factor[k]->what.shared == NULL);
    return has;
}
