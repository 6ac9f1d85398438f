/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines on another grid: from the program's arguments to
 * hesca_hohe_on_grid(), or on to the original routine.
 *
 * Sizes of work spaces depend on the grid.  The original routine is asked for
 * them on both grids: on the program's it also checks all arguments, and what
 * the program has beyond that is given there as well. */
#include "shim/pblas/pregrid.h"
#include "shim/figures.h"
#include "shim/integer_width.h"
#include "shim/shim.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CTXT_ = 1 };

/* Room for what a question about work spaces returns: one element of each, of
 * which P?SYEVX uses three. */
typedef struct {
    double element[8];
} answer;

static const hesca_int minus_one = -1;

/* --- work spaces --- */

static size_t
space_size(const hesca_regrid_call *r, hesca_regrid_role role)
{
    return role == REGRID_WORK    ? hesca_regrid_element_size(r->type)
           : role == REGRID_IWORK ? sizeof(hesca_int)
                                  : hesca_regrid_real_size(r->type);
}

/* A size that has been returned; single precision may have rounded it. */
static hesca_int
read_size(const hesca_regrid_call *r, hesca_regrid_role role, const void *x)
{
    if (role == REGRID_IWORK)
        return *(const hesca_int *)x;
    if (hesca_regrid_real_size(r->type) == sizeof(double))
        return (hesca_int) * (const double *)x;
    const double size = *(const float *)x;
    return (hesca_int)(size * (1 + 2e-7)) + (size > 1 << 24);
}

/* Store a size where the original routine returns it. */
static void
write_size(const hesca_regrid_call *r, hesca_regrid_role role, hesca_int size,
           void *x)
{
    if (role == REGRID_IWORK)
        *(hesca_int *)x = size;
    else if (hesca_regrid_real_size(r->type) == sizeof(double))
        *(double *)x = (double)size;
    else
        *(float *)x = (float)size;
}

/* Ask for the sizes that the call has with these arguments.
 * \return INFO. */
static hesca_int
ask(const hesca_regrid_call *r, void *const args[], hesca_int length[NSPACES])
{
    void *asking[NARGS];
    answer room[NSPACES + 1] = {{{0}}};
    hesca_int info = 0;
    int k = 0;
    memcpy(asking, args, (size_t)r->nargs * sizeof *asking);
    for (hesca_regrid_walk w = hesca_regrid_first(r, asking);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        if (hesca_regrid_is_space(w.argument->role) &&
            hesca_regrid_width(r, w.argument) > 0) {
            w.args[0] = &room[k++];
            w.args[1] = (void *)(uintptr_t)&minus_one;
        } else if (hesca_regrid_has(r, &w, REGRID_RWORK_ALONE)) {
            w.args[0] = &room[NSPACES];
        } else if (hesca_regrid_has(r, &w, REGRID_INFO)) {
            w.args[0] = &info;
        }
    }
    ++hesca_inside_original;
    hesca_regrid_original(r->routine, r->type, asking);
    --hesca_inside_original;
    k = 0;
    for (hesca_regrid_walk w = hesca_regrid_first(r, asking);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w))
        if (hesca_regrid_is_space(w.argument->role) &&
            hesca_regrid_width(r, w.argument) > 0) {
            length[k] = read_size(r, w.argument->role, &room[k]);
            ++k;
        }
    return info;
}

/* The least sizes on the program's grid: what the routine returns, but for
 * those that return more than they need.  Source: opening comments of
 * ScaLAPACK SRC/pdsyevx.f, pzheevx.f, pdsyevr.f, pzheevr.f. */
static void
set_least(const hesca_regrid_call *r, int64_t least[NSPACES])
{
    const int64_t *x = r->extent;
    const int64_t n = x[EXTENT_N], nb = r->side[0].nb;
    const int64_t nn = hesca_regrid_most(hesca_regrid_most(n, nb), 2);
    const int64_t found =
        r->letter[LETTER_RANGE] == 'I' ? x[EXTENT_IU] - x[EXTENT_IL] + 1 : n;
    const int64_t some = hesca_regrid_most(hesca_regrid_most(found, nb), 2);
    const int64_t p = hesca_numroc(nn, (int)nb, 0, 0, r->side[0].nprow);
    const int64_t q = hesca_numroc(some, (int)nb, 0, 0, r->side[0].npcol);
    const int64_t each =
        (found + x[EXTENT_PROCESSES] - 1) / x[EXTENT_PROCESSES];
    const int is_complex = r->type == HESCA_C || r->type == HESCA_Z;
    const int is_r = r->routine == PSYEVR,
              vectors = r->letter[LETTER_JOBZ] == 'V';
    for (int k = 0; k < NSPACES; ++k)
        least[k] = r->length[k];
    if (r->letter[LETTER_RANGE] == '\0')
        return;
    int64_t *reals = &least[is_complex];
    if (is_r && vectors)
        *reals = 2 + 5 * n + hesca_regrid_most(18 * nn, p * q + 2 * nb * nb) +
                 (2 + each) * nn;
    else if (is_r)
        *reals = 2 + 5 * n + hesca_regrid_most(12 * nn, nb * (p + 1));
    else if (vectors)
        *reals =
            (is_complex ? 4 : 5) * n +
            hesca_regrid_most(5 * nn, p * q + (is_complex ? 0 : 2 * nb * nb)) +
            each * nn;
    else
        *reals = is_complex ? 4 * n + 5 * nn
                            : 5 * n + hesca_regrid_most(5 * nn, nb * (p + 1));
    if (is_complex)
        least[0] = n + (vectors ? (p + q + nb) * nb
                                : hesca_regrid_most(nb * (p + 1), 3 * nb));
    for (int k = 0; k < NSPACES; ++k)
        least[k] = hesca_regrid_least(least[k], r->length[k]);
}

/* Ask on the program's grid; all its processes.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG if the original routine refuses the
 *         call, or has to say whether its work spaces are enough. */
static int
ask_at_home(hesca_regrid_call *r)
{
    int64_t least[NSPACES];
    int k = 0;
    r->refused = (int)ask(r, r->args, r->length);
    if (r->refused != 0)
        return hesca_error_set(HESCA_ERR_ARG, 0,
                               "the routine refuses its arguments");
    set_least(r, least);
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w))
        if (hesca_regrid_is_space(w.argument->role) &&
            hesca_regrid_width(r, w.argument) > 0 &&
            *(const hesca_int *)w.args[1] < least[k++])
            return hesca_error_set(HESCA_ERR_ARG, 0,
                                   "a work space is shorter than the size "
                                   "that the routine returns");
    return HESCA_SUCCESS;
}

/* --- the call on another grid --- */

/* ScaLAPACK's arguments there. */
typedef struct {
    void *args[NARGS];
    hesca_int desc[NMATRICES][HESCA_DENSE_ENTRIES];
    hesca_int info;
} there;

static void
set_matrix(void **args, const hesca_pblas_matrix *x)
{
    args[0] = x->local;
    args[1] = (void *)(uintptr_t)x->i;
    args[2] = (void *)(uintptr_t)x->j;
    args[3] = (void *)(uintptr_t)x->desc;
}

/* Matrices that the call does not reference are the first one. */
static void
set_there(hesca_regrid_call *r, hesca_int ictxt, const hesca_hohe_work *work,
          there *t)
{
    char *given = r->given;
    int k = 0, s = 0;
    memcpy(t->args, r->args, (size_t)r->nargs * sizeof *r->args);
    for (hesca_regrid_walk w = hesca_regrid_first(r, t->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        if (w.argument->role == REGRID_MATRIX) {
            const int is_there = hesca_regrid_has(r, &w, REGRID_MATRIX);
            const hesca_pblas_matrix x = hesca_pblas_describe(
                ictxt, work, is_there ? k : 0, t->desc[is_there ? k : 0]);
            set_matrix(w.args, &x);
            k += is_there;
        } else if (hesca_regrid_is_space(w.argument->role) &&
                   hesca_regrid_width(r, w.argument) > 0) {
            w.args[0] = r->space[s];
            w.args[1] = &r->length_there[s++];
        } else if (hesca_regrid_has(r, &w, REGRID_RWORK_ALONE)) {
            w.args[0] = r->space[NSPACES];
        } else if (hesca_regrid_is_given(r, &w)) {
            w.args[0] = given;
            given += hesca_regrid_segment(r, w.argument);
        } else if (hesca_regrid_has(r, &w, REGRID_TAU) ||
                   hesca_regrid_has(r, &w, REGRID_PIVOTS)) {
            w.args[0] = r->local;
        } else if (hesca_regrid_has(r, &w, REGRID_INFO)) {
            w.args[0] = &t->info;
        }
    }
}

/* Of the first matrix, and a block more. */
static int64_t
local_rows(const hesca_hohe_work *work)
{
    return work->matrix[0].lld + work->nb;
}

static int64_t
local_columns(const hesca_hohe_work *work)
{
    return (work->matrix[0].n / work->nb / work->npcol + 2) * work->nb;
}

static int
allocate_there(hesca_regrid_call *r, const hesca_hohe_work *work)
{
    const size_t local =
        (size_t)hesca_regrid_most(local_rows(work), local_columns(work));
    r->given = calloc(1, r->vectors.nmade + 1);
    r->local = calloc(local, 2 * sizeof(double)); /* the largest type */
    return r->given != NULL && r->local != NULL
               ? HESCA_SUCCESS
               : hesca_error_set(HESCA_ERR_NOMEM, 0, "no memory for vectors");
}

/* P?SYEVD says less than P?ORMTR in it needs where a block is larger than the
 * matrix; that need is added to all. */
static int64_t
reserve(const hesca_hohe_work *work)
{
    const int64_t nb = work->nb;
    return (local_rows(work) + local_columns(work) + 2 * nb) * nb;
}

static int
allocate_spaces(hesca_regrid_call *r, const hesca_hohe_work *work)
{
    const size_t reals = 1 + 4 * (size_t)r->extent[EXTENT_MAX];
    int k = 0;
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        if (hesca_regrid_has(r, &w, REGRID_RWORK_ALONE) &&
            (r->space[NSPACES] =
                 calloc(reals, hesca_regrid_real_size(r->type))) == NULL)
            break;
        if (!hesca_regrid_is_space(w.argument->role) ||
            hesca_regrid_width(r, w.argument) == 0)
            continue;
        const hesca_int mine = *(const hesca_int *)w.args[1];
        const int64_t wanted =
            r->length_there[k] +
            hesca_regrid_most((int64_t)mine - r->length[k], 0) +
            (w.argument->role == REGRID_WORK ? reserve(work) : 0);
        if (wanted > (sizeof(hesca_int) == 4 ? INT32_MAX : INT64_MAX / 16))
            return hesca_error_set(HESCA_ERR_ARG, 0,
                                   "a work space is too long to count");
        r->length_there[k] = (hesca_int)hesca_regrid_most(wanted, 1);
        r->space[k] = calloc((size_t)r->length_there[k],
                             space_size(r, w.argument->role));
        if (r->space[k++] == NULL)
            return hesca_error_set(HESCA_ERR_NOMEM, 0,
                                   "no memory for work spaces");
    }
    return HESCA_SUCCESS;
}

static int
has_spaces(const hesca_regrid_call *r)
{
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w))
        if (hesca_regrid_is_space(w.argument->role))
            return 1;
    return 0;
}

/* hesca_hohe_original's prepare(), also before HESCA's kernel.  All processes
 * that are to call the original routine do so, whatever has failed on one of
 * them. */
static int
prepare_there(void *call, void *handle, const hesca_hohe_work *work)
{
    hesca_regrid_call *r = call;
    const hesca_int ictxt =
        handle != NULL ? hesca_pblas_grid_context(handle) : -1;
    const int asks = has_spaces(r);
    there t = {.info = 0};
    int err = asks ? ask_at_home(r) : HESCA_SUCCESS;
    if (work == NULL)
        return err;
    const int allocated = allocate_there(r, work);
    if (asks) {
        set_there(r, ictxt, work, &t);
        t.info = ask(r, t.args, r->length_there);
    }
    if (err == HESCA_SUCCESS)
        err = allocated;
    if (err == HESCA_SUCCESS && t.info != 0)
        err = hesca_error_set(HESCA_ERR_ARG, 0,
                              "the routine refuses another grid");
    return err == HESCA_SUCCESS ? allocate_spaces(r, work) : err;
}

/* hesca_hohe_kernel's prepare(): the original routine refuses what it does not
 * accept, and returns the sizes that the program is to get. */
static int
prepare_here(void *call)
{
    return ask_at_home(call);
}

/* hesca_hohe_original's run(). */
static int
run_there(void *call, void *handle, hesca_hohe_work *work)
{
    hesca_regrid_call *r = call;
    there t = {.info = 0};
    if (work == NULL)
        return HESCA_SUCCESS;
    hesca_regrid_take_there(r, work);
    set_there(r, hesca_pblas_grid_context(handle), work, &t);
    ++hesca_inside_original;
    hesca_regrid_original(r->routine, r->type, t.args);
    --hesca_inside_original;
    work->info = t.info;
    hesca_regrid_collect(r, work);
    return HESCA_SUCCESS;
}

/* --- the call --- */

static int
check_local(const hesca_regrid_call *r, int nmatrices)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < nmatrices && err == HESCA_SUCCESS; ++k)
        err = hesca_pblas_check_local(&r->side[k]);
    return err;
}

/* Compute on another grid, if that is decided. */
static int
compute(hesca_regrid_call *r, const hesca_pblas_call *x,
        const hesca_hohe_job *job, const hesca_hohe_original *original,
        hesca_hohe_info *info, int64_t *result)
{
    void *local[NMATRICES];
    int err = check_local(r, job->narguments);
    const int allocated = hesca_regrid_allocate(r);
    if (err == HESCA_SUCCESS)
        err = allocated;
    if (err == HESCA_SUCCESS)
        hesca_regrid_take(r);
    for (int k = 0; k < job->narguments; ++k)
        local[k] = r->matrix[k].local;
    const hesca_hohe_kernel kernel = {.call = r,
                                      .prepare =
                                          has_spaces(r) ? prepare_here : NULL,
                                      .run = hesca_regrid_kernel(r->routine)};
    err = hesca_hohe_on_grid(err, job, local, x->comm, original,
                             kernel.run != NULL ? &kernel : NULL, &r->vectors,
                             result, info);
    if (err == HESCA_SUCCESS && r->singular > 0) {
        /* Which of several zeros INFO names depends on their processes. */
        info->way = HESCA_WAY_ORIGINAL;
        snprintf(info->why, sizeof info->why, "the matrix is singular");
    }
    return err;
}

/* Store what the original routine would have stored. */
static void
finish(const hesca_regrid_call *r, hesca_int info)
{
    int k = 0;
    hesca_regrid_give(r);
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w)) {
        if (hesca_regrid_is_space(w.argument->role) &&
            hesca_regrid_width(r, w.argument) > 0) {
            if (*(const hesca_int *)w.args[1] > 0)
                write_size(r, w.argument->role, r->length[k], w.args[0]);
            ++k;
        }
        if (hesca_regrid_has(r, &w, REGRID_INFO))
            *(hesca_int *)*w.args = info;
    }
}

static void
set_info(const hesca_regrid_call *r, hesca_int info)
{
    for (hesca_regrid_walk w = hesca_regrid_first(r, r->args);
         !hesca_regrid_is_end(&w); hesca_regrid_next(r, &w))
        if (hesca_regrid_has(r, &w, REGRID_INFO))
            *(hesca_int *)*w.args = info;
}

static void
clear(hesca_regrid_call *r)
{
    for (int k = 0; k <= NSPACES; ++k)
        free(r->space[k]);
    free(r->given);
    free(r->local);
    free(r->vectors.taken);
    free(r->vectors.made);
}

/* The descriptor of the first matrix. */
static const hesca_int *
first_of(const hesca_regrid_call *r)
{
    hesca_regrid_walk w = hesca_regrid_first(r, r->args);
    while (w.argument->role != REGRID_MATRIX)
        hesca_regrid_next(r, &w);
    return w.args[3];
}

/* 0: the call computes nothing. */
static double
order_of(hesca_regrid_call *r)
{
    if (!hesca_regrid_read(r) || hesca_regrid_is_question(r))
        return 0;
    return sqrt((double)r->extent[r->row->terms[0]] *
                (double)r->extent[r->row->terms[1]]);
}

/* \return 1 if it is done, 0 if the original routine is to be called. */
static int
serve(hesca_regrid_call *r, hesca_int ictxt)
{
    const hesca_hohe_original way = {.call = r,
                                     .open = hesca_pblas_grid_create,
                                     .connect = hesca_pblas_grid_connect,
                                     .prepare = prepare_there,
                                     .run = run_there,
                                     .close = hesca_pblas_grid_free};
    const int reaches = hesca_pblas_grid_is_possible() &&
                        hesca_pblas_original(r->routine, r->type) != NULL;
    const hesca_hohe_original *original = reaches ? &way : NULL;
    hesca_pblas_call x = {
        .routine = r->routine, .type = r->type, .ictxt = ictxt};
    hesca_hohe_job job = {.routine = r->row->cost};
    hesca_hohe_info info;
    int64_t result = 0;
    const int is_known = hesca_regrid_read(r);
    x.m = r->extent[r->row->terms[0]];
    x.n = r->extent[r->row->terms[1]];
    if (r->row->terms[2] == EXTENT_K)
        x.k = r->extent[EXTENT_K];
    const int begun = hesca_pblas_begin(&x);
    if (begun < 0)
        set_info(r, HESCA_NOT_DONE);
    if (begun <= 0)
        return begun < 0;
    const int asks = is_known && hesca_regrid_is_question(r);
    /* Sizes of work spaces are asked for where other grids are reached. */
    if (!is_known || asks || (!reaches && has_spaces(r)) ||
        !hesca_regrid_translate(r, &x, &job)) {
        hesca_hohe_decline(job.routine, x.comm, original);
        if (!asks)
            hesca_pblas_refuse(&x);
        return 0;
    }
    const double start = hesca_pblas_is_watched(&x) ? PMPI_Wtime() : 0;
    for (int k = 0; k < job.narguments; ++k)
        if (job.argument[k].writes) {
            x.written = job.argument[k].side;
            x.rows = job.argument[k].m;
            x.cols = job.argument[k].n;
        }
    const int err = compute(r, &x, &job, original, &info, &result);
    if (err != HESCA_SUCCESS && r->refused != 0) {
        set_info(r, r->refused);
        return 1;
    }
    if (!hesca_pblas_end(&x, err, &info, start))
        return 0;
    if (err == HESCA_SUCCESS)
        finish(r, (hesca_int)result);
    else
        set_info(r, HESCA_NOT_DONE);
    return 1;
}

static void
serve_or_leave(hesca_regrid_call *r, const void *caller)
{
    if (!hesca_inside_original && hesca_width_fits()) {
        const hesca_int ictxt = first_of(r)[CTXT_];
        if (!hesca_pblas_is_left(ictxt, r->routine, r->type) &&
            !hesca_pblas_is_nested(r->routine, r->type, caller)) {
            const int entered = hesca_figures_enter();
            hesca_caller_set(hesca_pblas_name(r->routine, r->type));
            hesca_pblas_report_none();
            const int done = serve(r, ictxt);
            hesca_caller_set(NULL);
            clear(r);
            if (!done)
                hesca_regrid_original(r->routine, r->type, r->args);
            if (!done)
                hesca_pblas_report_original();
            hesca_pblas_finish();
            hesca_figures_leave(entered);
            return;
        }
    }
    hesca_regrid_original(r->routine, r->type, r->args);
}

void
hesca_regrid_serve(hesca_pblas_routine routine, hesca_type type,
                   const void *caller, void *args[], int nargs)
{
    hesca_regrid_call r = {.routine = routine,
                           .type = type,
                           .row = &hesca_regrid_table[routine],
                           .args = args,
                           .nargs = nargs};
    const double start = hesca_pblas_job_begin();
    serve_or_leave(&r, caller);
    hesca_pblas_job_end(start, r.row->cost, start < 0 ? 0 : order_of(&r),
                        first_of(&r));
}
