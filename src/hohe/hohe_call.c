/* SPDX-License-Identifier: BSD-3-Clause */
/* What all calls that may go another way begin and end with: the
 * communicator, checks of sides, the copy of sub(C).
 *
 * info is always set: to the decision, or to the reason why the call is
 * left. */
#include "base/status.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "hohe/hohe_decide.h"
#include "survey/learn.h"
#include "survey/survey.h"
#include <stdlib.h>
#include <string.h>

int
hesca_hohe_is_regrid(hesca_routine routine)
{
    return routine >= HESCA_ROUTINE_SYRK;
}

void
hesca_hohe_common(const hesca_side *side, hesca_side *x)
{
    x->nprow = side->nprow;
    x->npcol = side->npcol;
    x->m = side->m;
    x->n = side->n;
    x->mb = side->mb;
    x->nb = side->nb;
    x->rsrc = side->rsrc;
    x->csrc = side->csrc;
    x->i = side->i;
    x->j = side->j;
}

/* The state of a communicator. */
static int
find_state(MPI_Comm comm, hesca_comm **c)
{
    int err;
    HESCA_TRY(err, hesca_comm_get_anywhere(comm, c));
    hesca_hohe_end_agreement(*c);
    err = hesca_survey_ensure(*c);
fail:
    return err;
}

int
hesca_hohe_get_ready(MPI_Comm comm)
{
    hesca_comm *c;
    int err;
    HESCA_TRY(err, find_state(comm, &c));
    if (c->host != NULL)
        err = hesca_hohe_reserve_all(c);
fail:
    return err;
}

int
hesca_hohe_begin(hesca_hohe_call *x, const char *routine, int status,
                 hesca_routine what, MPI_Comm comm,
                 const hesca_hohe_original *original, hesca_hohe_info *info)
{
    int err;
    hesca_caller_enter(routine);
    memset(x, 0, sizeof *x);
    x->routine = routine;
    x->status = status;
    x->original = original;
    x->key.reaches = original != NULL;
    x->info = info != NULL ? info : &x->no_info;
    memset(x->info, 0, sizeof *x->info);
    x->info->share = -1;
    HESCA_TRY(err, find_state(comm, &x->c));
    x->key.job.routine = what;
    x->way = hesca_hohe_is_regrid(what)    ? x->c->params.regrid
             : what == HESCA_ROUTINE_GEMM  ? x->c->params.gemm
             : what == HESCA_ROUTINE_POTRF ? x->c->params.potrf
                                           : x->c->params.getrf;
fail:
    return err;
}

int
hesca_hohe_end(hesca_hohe_call *x, int err)
{
    if (err != HESCA_SUCCESS)
        x->info->way = HESCA_WAY_ORIGINAL;
    return err;
}

int
hesca_hohe_check_place(const hesca_hohe_call *x, const hesca_side *s)
{
    return s->myrow * s->npcol + s->mycol == x->c->rank
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                            "rank %d of the grid's communicator is at "
                            "(%d,%d)",
                            x->c->rank, s->myrow, s->mycol);
}

int
hesca_hohe_check_side(const hesca_hohe_call *x, int arg, const char *name,
                      const hesca_side *side)
{
    if (side == NULL)
        return hesca_fail_null(x->routine, arg, name);
    if ((int64_t)side->nprow * side->npcol != x->c->size)
        return hesca_fail(HESCA_ERR_ARG, 100 * arg + 2,
                          "%s: argument %d, %s, has a grid of %d x %d: must "
                          "be one of all %d processes",
                          x->routine, arg, name, side->nprow, side->npcol,
                          x->c->size);
    if (side->mb < 1 || side->nb < 1 || side->i < 0 || side->j < 0 ||
        side->rsrc < 0 || side->rsrc >= side->nprow || side->csrc < 0 ||
        side->csrc >= side->npcol)
        return hesca_fail(HESCA_ERR_ARG, 100 * arg,
                          "%s: argument %d, %s, is no block-cyclic layout",
                          x->routine, arg, name);
    return HESCA_SUCCESS;
}

/* --- the copy --- */

int
hesca_hohe_is_in_place(const hesca_hohe_entry *e)
{
    return e->cut.moved <= 0;
}

static int
allocate(const hesca_hohe_call *x, hesca_matrix *copy)
{
    const size_t esize = hesca_type_size(x->key.job.type);
    int64_t rows = 0, cols = 0;
    size_t bytes;
    hesca_layout_local_size(copy->layout, x->c->rank, &rows, &cols);
    copy->lld = rows > 0 ? rows : 1;
    if (__builtin_mul_overflow((size_t)rows, (size_t)cols, &bytes) ||
        __builtin_mul_overflow(bytes, esize, &bytes) ||
        (copy->local = hesca_staging_block(bytes)) == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a copy of %lld x %lld elements",
                          (long long)rows, (long long)cols);
    return HESCA_SUCCESS;
}

/* Agree on a status, and hear of changed speeds. */
static int
agree_to_begin(const hesca_hohe_call *x, int err)
{
    int64_t word = hesca_learn_word(x->c);
    HESCA_TRY(err, hesca_agree(x->c, err, 1, &word));
    hesca_learn_heard(x->c, word);
fail:
    return err;
}

int
hesca_hohe_copy_in(const hesca_hohe_call *x, const hesca_hohe_entry *e,
                   const hesca_side *side, void *local, hesca_matrix *copy)
{
    const hesca_hohe_cut *cut = &e->cut;
    int err = x->status;
    if (hesca_hohe_is_in_place(e)) {
        *copy = (hesca_matrix){.layout = cut->home,
                               .i = side->i,
                               .j = side->j,
                               .local = local,
                               .lld = side->lld};
        return agree_to_begin(x, err);
    }
    *copy = (hesca_matrix){.layout = cut->cut, .i = cut->i, .j = cut->j};
    if (err == HESCA_SUCCESS)
        err = allocate(x, copy);
    HESCA_TRY(err, agree_to_begin(x, err));
    if (e->in != NULL)
        HESCA_TRY(err, hesca_plan_execute(e->in, local, side->lld, copy->local,
                                          copy->lld));
fail:
    if (err < 0)
        hesca_hohe_copy_free(e, copy);
    return err;
}

int
hesca_hohe_copy_out(const hesca_hohe_entry *e, const hesca_matrix *copy,
                    const hesca_side *side, void *local)
{
    return hesca_hohe_is_in_place(e)
               ? HESCA_SUCCESS
               : hesca_plan_execute(e->out, copy->local, copy->lld, local,
                                    side->lld);
}

void
hesca_hohe_copy_free(const hesca_hohe_entry *e, hesca_matrix *copy)
{
    if (!hesca_hohe_is_in_place(e))
        hesca_staging_unblock(copy->local);
    copy->local = NULL;
}
