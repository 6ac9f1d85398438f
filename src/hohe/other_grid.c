/* SPDX-License-Identifier: BSD-3-Clause */
/* ScaLAPACK's routine on another grid: copy, let the caller compute, copy
 * back.
 *
 * Nothing that the program sees is written before the last copy, so the
 * original routine can compute the call on the program's grid after any
 * earlier failure. Processes outside of the other grid wait for INFO. */
#include "hohe/other_grid.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/finite.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include <stdlib.h>
#include <string.h>

/* --- plans ---
 * prepare is local, plan collective; clear accepts every state between
 * them. */

/* Pivots are distributed like the rows of the first process column. */
static int
prepare_pivots(hesca_hohe_other_grid *t, const hesca_hohe_job *job)
{
    const hesca_hohe_regrid *g = &t->grid;
    const int64_t n = hesca_min(job->m, job->n);
    int *column = malloc((size_t)g->nprow * sizeof *column), err;
    if (column == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a process column");
    for (int p = 0; p < g->nprow; ++p)
        column[p] = g->process[p * g->npcol];
    HESCA_TRY(err, hesca_layout_create_cyclic(n, 1, g->nb, 1, 0, 0, g->nprow,
                                              1, column, &t->pivots_grid));
    HESCA_TRY(err, hesca_layout_create_cyclic(n, 1, g->nb, 1, 0, 0, 1, 1, NULL,
                                              &t->pivots_root));
fail:
    free(column);
    return err;
}

int
hesca_hohe_other_grid_prepare(hesca_hohe_other_grid *t, const hesca_comm *c,
                              const hesca_hohe_job *job,
                              const hesca_hohe_original *original)
{
    const hesca_hohe_grid grid = {t->grid.nprow, t->grid.npcol,
                                  t->grid.process};
    int err = HESCA_SUCCESS;
    if (job->routine == HESCA_ROUTINE_GESV)
        HESCA_TRY(err, prepare_pivots(t, job));
    HESCA_TRY(err, original->open(&grid, c->user, &t->handle));
    t->close = original->close;
fail:
    return err;
}

int
hesca_hohe_other_grid_plan(hesca_hohe_other_grid *t, const hesca_comm *c,
                           const hesca_hohe_job *job, hesca_part part)
{
    const size_t esize = hesca_type_size(job->type);
    const hesca_hohe_moved *x = &t->grid.matrix[HESCA_HOHE_C];
    const int64_t n = hesca_min(job->m, job->n);
    int err;
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k) {
        const hesca_hohe_moved *y = &t->grid.matrix[k];
        if (y->home != NULL && (k != HESCA_HOHE_C || job->reads))
            HESCA_TRY(err, hesca_plan_create(
                               part, y->m, y->n,
                               &(hesca_matrix){
                                   .layout = y->home, .i = y->i, .j = y->j},
                               &(hesca_matrix){.layout = y->other}, esize,
                               c->user, &t->in[k]));
    }
    HESCA_TRY(err,
              hesca_plan_create(
                  part, x->m, x->n, &(hesca_matrix){.layout = x->other},
                  &(hesca_matrix){.layout = x->home, .i = x->i, .j = x->j},
                  esize, c->user, &t->out));
    if (t->pivots_grid != NULL)
        HESCA_TRY(err,
                  hesca_plan_create(HESCA_ALL, n, 1,
                                    &(hesca_matrix){.layout = t->pivots_grid},
                                    &(hesca_matrix){.layout = t->pivots_root},
                                    sizeof(int), c->user, &t->pivots));
fail:
    return err;
}

void
hesca_hohe_other_grid_clear(hesca_hohe_other_grid *t)
{
    if (t->handle != NULL)
        t->close(t->handle);
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k)
        hesca_plan_free(t->in[k]);
    hesca_plan_free(t->out);
    hesca_plan_free(t->pivots);
    hesca_layout_free(t->pivots_grid);
    hesca_layout_free(t->pivots_root);
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
    const hesca_hohe_job *job;
    const hesca_hohe_factored *factored; /* NULL: P?GEMM */
    int is_inside;
    hesca_hohe_operand copy[HESCA_HOHE_MATRICES];
    int *ipiv; /* of local rows */
    int *all;  /* of all rows */
} execution;

static int
is_inside(const hesca_hohe_regrid *g, int rank)
{
    for (int k = 0; k < g->nprow * g->npcol; ++k)
        if (g->process[k] == rank)
            return 1;
    return 0;
}

static int
allocate_copy(const execution *v, const hesca_hohe_moved *x,
              hesca_hohe_operand *o)
{
    const size_t esize = hesca_type_size(v->job->type);
    int64_t rows = 0, cols = 0;
    size_t bytes;
    hesca_layout_local_size(x->other, v->c->rank, &rows, &cols);
    *o =
        (hesca_hohe_operand){.m = x->m, .n = x->n, .lld = rows > 0 ? rows : 1};
    if (__builtin_mul_overflow((size_t)rows, (size_t)cols, &bytes) ||
        __builtin_mul_overflow(bytes, esize, &bytes) ||
        (o->local = malloc(bytes > 0 ? bytes : 1)) == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a copy of %lld x %lld elements",
                          (long long)rows, (long long)cols);
    return HESCA_SUCCESS;
}

static int
allocate(execution *v)
{
    const hesca_hohe_regrid *g = &v->other->grid;
    const int64_t n = hesca_min(v->job->m, v->job->n);
    int err = HESCA_SUCCESS;
    for (int k = 0; k < HESCA_HOHE_MATRICES && v->is_inside; ++k)
        if (g->matrix[k].other != NULL)
            HESCA_TRY(err, allocate_copy(v, &g->matrix[k], &v->copy[k]));
    if (v->job->routine == HESCA_ROUTINE_GESV) {
        const size_t rows = (size_t)v->copy[HESCA_HOHE_C].lld + (size_t)g->nb;
        v->ipiv = malloc(rows * sizeof *v->ipiv);
        v->all = malloc((size_t)n * sizeof *v->all);
        if (v->ipiv == NULL || v->all == NULL)
            err = hesca_fail(HESCA_ERR_NOMEM, 0, "%lld pivots", (long long)n);
    }
fail:
    return err;
}

static void
clear(execution *v)
{
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k)
        free(v->copy[k].local);
    free(v->ipiv);
    free(v->all);
}

/* Whether the factors on this process are finite. */
static int
is_finite(const execution *v)
{
    const hesca_hohe_operand *o = &v->copy[HESCA_HOHE_C];
    const hesca_hohe_moved *x = &v->other->grid.matrix[HESCA_HOHE_C];
    const hesca_matrix a = {
        .layout = x->other, .local = o->local, .lld = o->lld};
    return v->factored == NULL || !v->is_inside ||
           hesca_is_finite(v->job->type, v->factored->part, x->m, x->n, &a,
                           v->c->rank);
}

/* Compute, and agree on INFO and on whether the factors are finite. */
static int
compute(const execution *v, const hesca_hohe_original *original,
        int64_t *result, int *finite)
{
    hesca_hohe_work work = {.nb = v->other->grid.nb,
                            .a = v->copy[HESCA_HOHE_A],
                            .b = v->copy[HESCA_HOHE_B],
                            .c = v->copy[HESCA_HOHE_C],
                            .ipiv = v->ipiv};
    int err = original->run(original->call, v->other->handle,
                            v->is_inside ? &work : NULL);
    int64_t found[2] = {v->is_inside ? work.info : INT64_MAX, is_finite(v)};
    HESCA_TRY(err, hesca_agree(v->c, err, 2, found));
    *result = found[0];
    *finite = (int)found[1];
    if (*result < 0)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                                  "INFO is %lld on another grid",
                                  (long long)*result));
fail:
    return err;
}

static int
share_pivots(const execution *v, int64_t *ipiv)
{
    const int64_t n = hesca_min(v->job->m, v->job->n);
    int err;
    HESCA_TRY(err, hesca_plan_execute(v->other->pivots, v->ipiv,
                                      v->copy[HESCA_HOHE_C].lld, v->all, n));
    HESCA_TRY(err, hesca_comm_bcast(v->c, v->all, (size_t)n, MPI_INT));
    for (int64_t k = 0; k < n; ++k)
        ipiv[k] = v->all[k] - 1;
fail:
    return err;
}

int
hesca_hohe_other_grid_run(const hesca_hohe_other_grid *t, const hesca_comm *c,
                          const hesca_hohe_job *job,
                          const hesca_hohe_original *original, int status,
                          const hesca_hohe_local home[HESCA_HOHE_MATRICES],
                          const hesca_hohe_factored *factored)
{
    execution v = {.other = t,
                   .c = c,
                   .job = job,
                   .factored = factored,
                   .is_inside = is_inside(&t->grid, c->rank)};
    const hesca_hohe_operand *made = &v.copy[HESCA_HOHE_C];
    int64_t info;
    int finite, err = status == HESCA_SUCCESS ? allocate(&v) : status;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k)
        if (t->in[k] != NULL)
            HESCA_TRY(err,
                      hesca_plan_execute(t->in[k], home[k].local, home[k].lld,
                                         v.copy[k].local, v.copy[k].lld));
    HESCA_TRY(err, compute(&v, original, &info, &finite));
    if (factored != NULL) {
        *factored->finite = finite;
        if (!finite)
            goto fail;
        *factored->result = info;
        if (factored->ipiv != NULL)
            HESCA_TRY(err, share_pivots(&v, factored->ipiv));
    }
    HESCA_TRY(err, hesca_plan_execute(t->out, made->local, made->lld,
                                      home[HESCA_HOHE_C].local,
                                      home[HESCA_HOHE_C].lld));
fail:
    clear(&v);
    return err;
}
