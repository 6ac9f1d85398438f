/* SPDX-License-Identifier: BSD-3-Clause */
/* ScaLAPACK's routine on another grid: copy, let the caller compute, copy
 * back.
 *
 * Nothing that the program sees is written before the last copies, so the
 * original routine can compute the call on the program's grid after any
 * earlier failure. Processes outside of the other grid wait for INFO. */
#include "hohe/other_grid.h"
#include "base/status.h"
#include "dense/finite.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "exec/plan.h"
#include <stdlib.h>
#include <string.h>

/* --- plans ---
 * prepare is local, plan collective; clear accepts every state between
 * them. */

int
hesca_hohe_other_grid_prepare(hesca_hohe_other_grid *t, const hesca_comm *c,
                              const hesca_hohe_original *original)
{
    const hesca_hohe_grid grid = {t->grid.nprow, t->grid.npcol,
                                  t->grid.process};
    t->close = original->close;
    return original->open(&grid, c->user, &t->handle);
}

int
hesca_hohe_other_grid_plan(hesca_hohe_other_grid *t, hesca_comm *c,
                           hesca_type type)
{
    const size_t esize = hesca_type_size(type);
    int err = HESCA_SUCCESS;
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k) {
        const hesca_hohe_moved *y = &t->grid.matrix[k];
        const hesca_matrix home = {.layout = y->home, .i = y->i, .j = y->j};
        const hesca_matrix other = {.layout = y->other};
        if (y->home != NULL && y->reads)
            HESCA_TRY(err,
                      hesca_plan_make_between(y->part, y->m, y->copied, &home,
                                              &other, esize, c, &t->in[k]));
        if (y->home != NULL && y->writes)
            HESCA_TRY(err,
                      hesca_plan_make_between(y->part, y->m, y->copied, &other,
                                              &home, esize, c, &t->out[k]));
    }
fail:
    return err;
}

void
hesca_hohe_other_grid_clear(hesca_hohe_other_grid *t)
{
    if (t->handle != NULL)
        t->close(t->handle);
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k) {
        hesca_plan_free(t->in[k]);
        hesca_plan_free(t->out[k]);
    }
    hesca_hohe_regrid_clear(&t->grid);
    memset(t, 0, sizeof *t);
}

/* --- execution ---
 * Only processes inside of the grid have copies; all take part in the
 * plans. */

/* State of a process during a call. */
typedef struct {
    const hesca_hohe_other_grid *other;
    const hesca_comm *c;
    hesca_type type;
    const hesca_hohe_original *original;
    const hesca_hohe_vectors *vectors; /* NULL: none */
    int is_inside;
    hesca_hohe_work work;
} execution;

static void
find_place(execution *v)
{
    const hesca_hohe_regrid *g = &v->other->grid;
    for (int k = 0; k < g->nprow * g->npcol; ++k)
        if (g->process[k] == v->c->rank) {
            v->is_inside = 1;
            v->work.myrow = k / g->npcol;
            v->work.mycol = k % g->npcol;
        }
    v->work.nprow = g->nprow;
    v->work.npcol = g->npcol;
    v->work.nb = g->nb;
}

/* What is not copied to the grid is zero there. */
static int
allocate_copy(const execution *v, const hesca_hohe_moved *x,
              hesca_hohe_operand *o)
{
    int64_t rows = 0, cols = 0;
    size_t elements;
    hesca_layout_local_size(x->other, v->c->rank, &rows, &cols);
    *o =
        (hesca_hohe_operand){.m = x->m, .n = x->n, .lld = rows > 0 ? rows : 1};
    if (__builtin_mul_overflow((size_t)rows, (size_t)cols, &elements) ||
        (o->local = calloc(elements > 0 ? elements : 1,
                           hesca_type_size(v->type))) == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a copy of %lld x %lld elements",
                          (long long)rows, (long long)cols);
    return HESCA_SUCCESS;
}

static int
allocate(execution *v)
{
    const hesca_hohe_regrid *g = &v->other->grid;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < HESCA_HOHE_MATRICES && v->is_inside; ++k)
        if (g->matrix[k].other != NULL)
            HESCA_TRY(err,
                      allocate_copy(v, &g->matrix[k], &v->work.matrix[k]));
fail:
    return err;
}

/* Allocate, and let the caller do so, which takes all processes. */
static int
prepare(execution *v, int status)
{
    int err = status, mine = allocate(v), callers = HESCA_SUCCESS;
    if (v->original->prepare != NULL)
        callers = v->original->prepare(v->original->call, v->other->handle,
                                       v->is_inside ? &v->work : NULL);
    err = err < 0 ? err : mine < 0 ? mine : callers;
    return hesca_agree(v->c, err, 0, NULL);
}

static void
clear(execution *v)
{
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k)
        free(v->work.matrix[k].local);
}

/* Whether what this process would write is finite. */
static int
is_finite(const execution *v)
{
    int all = 1;
    for (int k = 0; k < HESCA_HOHE_MATRICES && v->is_inside; ++k) {
        const hesca_hohe_operand *o = &v->work.matrix[k];
        const hesca_hohe_moved *x = &v->other->grid.matrix[k];
        const hesca_matrix a = {
            .layout = x->other, .local = o->local, .lld = o->lld};
        if (x->other != NULL && x->writes)
            all &=
                hesca_is_finite(v->type, x->part, x->m, x->n, &a, v->c->rank);
    }
    return all;
}

/* Compute, and agree on INFO and on whether the results are finite. */
static int
compute(execution *v, int64_t *result, int *finite)
{
    const hesca_hohe_vectors *y = v->vectors;
    int err;
    if (y != NULL) {
        HESCA_TRY(err, hesca_comm_unite(v->c, y->taken, y->ntaken));
        if (y->nmade > 0)
            memset(y->made, 0, y->nmade);
        v->work.taken = y->taken;
        v->work.made = y->made;
    }
    err = v->original->run(v->original->call, v->other->handle,
                           v->is_inside ? &v->work : NULL);
    int64_t found[2] = {v->is_inside ? v->work.info : INT64_MAX,
                        finite == NULL || is_finite(v)};
    HESCA_TRY(err, hesca_agree(v->c, err, 2, found));
    *result = found[0];
    if (finite != NULL)
        *finite = (int)found[1];
    if (*result < 0)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                                  "INFO is %lld on another grid",
                                  (long long)*result));
    if (y != NULL)
        HESCA_TRY(err, hesca_comm_unite(v->c, y->made, y->nmade));
fail:
    return err;
}

static int
copy(const execution *v, hesca_plan *const plan[HESCA_HOHE_MATRICES],
     const hesca_hohe_local home[HESCA_HOHE_MATRICES], int is_out)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k) {
        const hesca_hohe_local there = {v->work.matrix[k].local,
                                        v->work.matrix[k].lld};
        const hesca_hohe_local *from = is_out ? &there : &home[k];
        const hesca_hohe_local *to = is_out ? &home[k] : &there;
        if (plan[k] != NULL)
            HESCA_TRY(err, hesca_plan_execute(plan[k], from->local, from->lld,
                                              to->local, to->lld));
    }
fail:
    return err;
}

int
hesca_hohe_other_grid_run(const hesca_hohe_other_grid *t, const hesca_comm *c,
                          hesca_type type, const hesca_hohe_original *original,
                          int status,
                          const hesca_hohe_local home[HESCA_HOHE_MATRICES],
                          const hesca_hohe_vectors *vectors, int64_t *result,
                          int *finite)
{
    execution v = {.other = t,
                   .c = c,
                   .type = type,
                   .original = original,
                   .vectors = vectors};
    int err;
    find_place(&v);
    HESCA_TRY(err, prepare(&v, status));
    HESCA_TRY(err, copy(&v, t->in, home, 0));
    HESCA_TRY(err, compute(&v, result, finite));
    if (finite == NULL || *finite)
        HESCA_TRY(err, copy(&v, t->out, home, 1));
fail:
    clear(&v);
    return err;
}
