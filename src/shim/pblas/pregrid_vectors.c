/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call on another grid has besides matrices.  TAU and pivots stand by
 * their global number, then what all processes get, each argument in a segment
 * of its own. */
#include "shim/pblas/pregrid.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 16 };

size_t
hesca_regrid_segment(const hesca_regrid_call *r,
                     const hesca_regrid_argument *a)
{
    const size_t size =
        a->role == REGRID_TAU      ? hesca_regrid_element_size(r->type)
        : a->role == REGRID_PIVOTS ? sizeof(int64_t)
        : a->role == REGRID_REALS  ? hesca_regrid_real_size(r->type)
                                   : sizeof(hesca_int);
    const size_t bytes = (size_t)r->extent[a->rows] * size;
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static int
is_taken(const hesca_regrid_call *r, const hesca_regrid_walk *w)
{
    return hesca_regrid_has(r, w, REGRID_PIVOTS) ||
           (hesca_regrid_has(r, w, REGRID_TAU) && w->argument->reads);
}

int
hesca_regrid_is_given(const hesca_regrid_call *r, const hesca_regrid_walk *w)
{
    return hesca_regrid_has(r, w, REGRID_REALS) ||
           hesca_regrid_has(r, w, REGRID_INTS);
}

static int
is_made(const hesca_regrid_call *r, const hesca_regrid_walk *w)
{
    return hesca_regrid_is_given(r, w) ||
           (hesca_regrid_has(r, w, REGRID_TAU) && w->argument->writes);
}

int
hesca_regrid_allocate(hesca_regrid_call *r)
{
    hesca_hohe_vectors *v = &r->vectors;
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        v->ntaken += is_taken(r, &w) ? hesca_regrid_segment(r, w.argument) : 0;
        v->nmade += is_made(r, &w) ? hesca_regrid_segment(r, w.argument) : 0;
    }
    v->taken = calloc(1, v->ntaken + 1);
    v->made = calloc(1, v->nmade + 1);
    return v->taken != NULL && v->made != NULL
               ? HESCA_SUCCESS
               : hesca_error_set(HESCA_ERR_NOMEM, 0, "no memory for vectors");
}

/* Copy TAU, or pivots, between a process's part and all of them; the part
 * belongs to rows or columns from `from` on, in blocks of nb. */
typedef struct {
    int64_t from;
    int nb, src, me, np;
} axis;

static void
copy_tau(size_t esize, int64_t n, axis x, char *part, char *all, int is_out)
{
    int64_t at;
    for (int64_t t = 0; t < n; ++t) {
        if (!hesca_pblas_is_here(x.from + t, x.nb, x.src, x.me, x.np, &at))
            continue;
        char *here = part + (size_t)at * esize;
        char *there = all + (size_t)t * esize;
        memcpy(is_out ? there : here, is_out ? here : there, esize);
    }
}

/* Pivots are rows from 1, in `all` of sub(A), in a part of A. */
static void
copy_pivots(int64_t n, axis x, hesca_int *part, int64_t *all, int is_out)
{
    int64_t at;
    for (int64_t t = 0; t < n; ++t) {
        if (!hesca_pblas_is_here(x.from + t, x.nb, x.src, x.me, x.np, &at))
            continue;
        if (is_out)
            all[t] = part[at] - x.from;
        else
            part[at] = (hesca_int)(all[t] + x.from);
    }
}

static axis
rows_of(const hesca_side *s)
{
    return (axis){s->i, s->mb, s->rsrc, s->myrow, s->nprow};
}

static axis
columns_of(const hesca_side *s)
{
    return (axis){s->j, s->nb, s->csrc, s->mycol, s->npcol};
}

/* This process's part of what the call reads; each is on one process alone of
 * a row or column. */
void
hesca_regrid_take(hesca_regrid_call *r)
{
    const hesca_side *s = &r->side[0];
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        const int64_t n = r->extent[w.argument->rows];
        if (hesca_regrid_has(r, &w, REGRID_PIVOTS) && s->mycol == 0)
            copy_pivots(n, rows_of(s), *w.args, r->vectors.taken, 1);
        else if (is_taken(r, &w) && w.argument->role == REGRID_TAU &&
                 s->myrow == 0)
            copy_tau(hesca_regrid_element_size(r->type), n, columns_of(s),
                     *w.args, r->vectors.taken, 1);
    }
}

/* What the call has made, to where the program wants it. */
void
hesca_regrid_give(const hesca_regrid_call *r)
{
    char *made = r->vectors.made;
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        const int64_t n = r->extent[w.argument->rows];
        if (!is_made(r, &w))
            continue;
        if (w.argument->role == REGRID_TAU)
            copy_tau(hesca_regrid_element_size(r->type), n,
                     columns_of(&r->side[0]), *w.args, made, 0);
        else
            memcpy(*w.args, made,
                   (size_t)n * (w.argument->role == REGRID_REALS
                                    ? hesca_regrid_real_size(r->type)
                                    : sizeof(hesca_int)));
        made += hesca_regrid_segment(r, w.argument);
    }
}

/* TAU or pivots that the call reads, to this process's part there. */
void
hesca_regrid_take_there(hesca_regrid_call *r, const hesca_hohe_work *work)
{
    void *all = r->vectors.taken;
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        const int64_t n = r->extent[w.argument->rows];
        if (hesca_regrid_has(r, &w, REGRID_PIVOTS))
            copy_pivots(n, (axis){0, work->nb, 0, work->myrow, work->nprow},
                        r->local, all, 0);
        else if (is_taken(r, &w))
            copy_tau(hesca_regrid_element_size(r->type), n,
                     (axis){0, work->nb, 0, work->mycol, work->npcol},
                     r->local, all, 0);
    }
}

/* What this process makes, each element by one process alone. */
void
hesca_regrid_collect(const hesca_regrid_call *r, const hesca_hohe_work *work)
{
    char *made = work->made;
    const char *given = r->given;
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        if (!is_made(r, &w))
            continue;
        const size_t bytes = hesca_regrid_segment(r, w.argument);
        if (w.argument->role == REGRID_TAU && work->myrow == 0)
            copy_tau(hesca_regrid_element_size(r->type),
                     r->extent[w.argument->rows],
                     (axis){0, work->nb, 0, work->mycol, work->npcol},
                     r->local, made, 1);
        if (hesca_regrid_is_given(r, &w)) {
            if (work->myrow == 0 && work->mycol == 0)
                memcpy(made, given, bytes);
            given += bytes;
        }
        made += bytes;
    }
}
