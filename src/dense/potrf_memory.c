/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "dense/potrf_job.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include <stdlib.h>
#include <string.h>

/* --- memory ---
 * All memory is allocated before the first message. */

static hesca_panel_mcast_spec
rows_of(const hesca_potrf_job *x)
{
    return (hesca_panel_mcast_spec){.source = x->a.layout,
                                    .i = x->a.i,
                                    .j = x->a.j,
                                    .along =
                                        x->upper ? HESCA_ROWS : HESCA_COLS,
                                    .extent = x->n,
                                    .k = x->n,
                                    .width = x->widest,
                                    .target = x->a.layout,
                                    .by = x->upper ? HESCA_COLS : HESCA_ROWS,
                                    .origin = x->upper ? x->a.j : x->a.i,
                                    .forwards = x->c->slow,
                                    .esize = (size_t)x->esize,
                                    .shared = x->shared,
                                    .read_by_all = 1};
}

static int
make_flows(hesca_potrf_job *x)
{
    const hesca_panel_mcast_spec rows = rows_of(x);
    const hesca_panel_transpose_spec columns = {.layout = x->a.layout,
                                                .i = x->a.i,
                                                .j = x->a.j,
                                                .has = rows.by,
                                                .extent = x->n,
                                                .width = x->widest,
                                                .esize = (size_t)x->esize,
                                                .shared = x->shared};
    int err;
    HESCA_TRY(err, hesca_panel_mcast_create(x->c, &rows, HESCA_TAG_PANEL_MCAST,
                                            HESCA_POTRF_FLIGHT * x->nchunks,
                                            &x->mcast));
    HESCA_TRY(err, hesca_panel_transpose_create(x->c, &columns,
                                                HESCA_TAG_PANEL_MCAST + 1,
                                                HESCA_POTRF_FLIGHT, &x->near));
    HESCA_TRY(err, hesca_panel_transpose_create(x->c, &columns,
                                                HESCA_TAG_PANEL_MCAST + 2,
                                                HESCA_POTRF_FLIGHT, &x->far));
fail:
    return err;
}

static int
make_panels(hesca_potrf_job *x)
{
    const hesca_triangle *t = &x->trailing;
    const size_t m = (size_t)(t->row1 - t->row0);
    const size_t n = (size_t)(t->col1 - t->col0);
    const size_t b = (size_t)x->widest, esize = (size_t)x->esize;
    for (int k = 0; k < x->depth; ++k) {
        x->panel[k].diagonal = calloc(1, HESCA_POTRF_HEAD + b * b * esize);
        if (x->panel[k].diagonal == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0, "a block of %zu columns", b);
    }
    for (int k = 0; k < x->ngroups; ++k) {
        hesca_potrf_group *g = &x->group[k];
        const int64_t panels = k == 0 ? hesca_max(x->lead, x->span) : x->span;
        const size_t width = (size_t)panels * b;
        if (x->shared == NULL)
            g->has =
                hesca_staging_block(((x->upper ? n : m) * width + 1) * esize);
        g->wants =
            hesca_staging_block(((x->upper ? m : n) * width + 1) * esize);
        if (g->has == NULL || g->wants == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0,
                              "panels of %zu columns and %zu + %zu rows",
                              width, m, n);
    }
    return HESCA_SUCCESS;
}

int
hesca_potrf_share(hesca_potrf_job *x, hesca_comm *c)
{
    const hesca_panel_mcast_spec rows = rows_of(x);
    int64_t most;
    int nteams, team, err;
    if (!hesca_panel_mcast_may_share(c, &rows))
        return HESCA_SUCCESS;
    hesca_panel_mcast_teams(c, &rows, &nteams, &team, &most);
    const int64_t width = x->span * x->widest * x->esize;
    const int64_t bytes = (hesca_max(most, 1) * width + HESCA_POTRF_LINE - 1) /
                          HESCA_POTRF_LINE * HESCA_POTRF_LINE;
    HESCA_TRY(err,
              hesca_segment_get(c, nteams * x->ngroups * bytes, &x->shared));
    x->team = team;
    x->team_bytes = x->ngroups * bytes;
    for (int k = 0; k < x->ngroups && x->shared != NULL; ++k)
        x->group[k].has = x->shared->memory + team * x->team_bytes + k * bytes;
fail:
    return err;
}

int
hesca_potrf_make(hesca_potrf_job *x)
{
    const hesca_layout *layout = x->a.layout;
    const int lines = x->upper ? layout->npcol : layout->nprow;
    int err;
    x->line = malloc((size_t)lines * sizeof *x->line);
    x->source = malloc((size_t)lines * sizeof *x->source);
    if (x->line == NULL || x->source == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d ranks", lines);
    x->trailing = (hesca_triangle){.type = x->type,
                                   .upper = x->upper,
                                   .transx = x->upper ? 'C' : 'N',
                                   .transy = x->upper ? 'N' : 'C',
                                   .alpha = hesca_minus_one(x->type)};
    HESCA_TRY(err, hesca_triangle_init(&x->trailing, &x->part, x->n,
                                       x->a.local, x->a.lld));
    HESCA_TRY(err, make_panels(x));
    HESCA_TRY(err, make_flows(x));
fail:
    return err;
}

void
hesca_potrf_clear(hesca_potrf_job *x)
{
    hesca_panel_mcast_free(x->mcast);
    hesca_panel_transpose_free(x->near);
    hesca_panel_transpose_free(x->far);
    hesca_triangle_clear(&x->trailing);
    free(x->line);
    free(x->source);
    for (int k = 0; k < HESCA_POTRF_DEPTH; ++k)
        free(x->panel[k].diagonal);
    for (int k = 0; k < HESCA_POTRF_GROUPS; ++k) {
        if (x->shared == NULL)
            hesca_staging_unblock(x->group[k].has);
        hesca_staging_unblock(x->group[k].wants);
    }
}
