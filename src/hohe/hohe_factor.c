/* SPDX-License-Identifier: BSD-3-Clause */
/* P?POTRF and P?GETRF by HoHe, or on another grid: copy, factor, copy back.
 *
 * Nothing that the program sees is written before all processes have their
 * memory, so the original routine can compute the call after a failure. It
 * also does so if the factors, or the elements where they are overwritten
 * before that is known, are not finite: INFO, pivots and the positions of NaN
 * then depend on the order of operations, and programs detect NaN by INFO. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/factor.h"
#include "dense/finite.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "hohe/hohe_decide.h"
#include <stdio.h>
#include <stdlib.h>

/* sub(A) and the results. */
typedef struct {
    const hesca_side *side;
    void *a;
    char uplo;     /* potrf */
    int64_t *ipiv; /* getrf */
    int64_t *result;
} factors;

/* --- execution --- */

static int
factor(const hesca_hohe_call *x, const hesca_hohe_entry *e,
       const hesca_matrix *a, const factors *f)
{
    const hesca_hohe_job *job = &x->key.job;
    return job->routine == HESCA_ROUTINE_POTRF
               ? hesca_potrf_and_copy(job->type, f->uplo, job->n, a, e->copies,
                                      x->c->user, f->result)
               : hesca_getrf_and_copy(job->type, job->m, job->n, a, f->ipiv,
                                      e->copies, x->c->user, f->result);
}

/* Leave this call to the original routine, but not similar calls. */
static void
leave(hesca_hohe_call *x)
{
    x->info->way = HESCA_WAY_ORIGINAL;
    snprintf(x->info->why, sizeof x->info->why, "the factors are not finite");
}

/* Whether all processes have finite elements only; one that cannot take part
 * says so later. */
static int
agree_on_finite(const hesca_hohe_call *x, const hesca_matrix *a, int *finite)
{
    const hesca_hohe_job *job = &x->key.job;
    int64_t all = x->status < 0 || hesca_is_finite(job->type, x->part, job->m,
                                                   job->n, a, x->c->rank);
    const int err = hesca_agree(x->c, HESCA_SUCCESS, 1, &all);
    *finite = all != 0;
    return err;
}

/* A copy is tested behind the factorization, which may overflow; sub(A) itself
 * before, where it is overwritten as the factorization goes on: a Cholesky
 * factor that overflows then is reported by INFO (dense/factor.h). */
static int
execute(hesca_hohe_call *x, const hesca_hohe_entry *e, const factors *f)
{
    const hesca_matrix home = {.layout = e->cut.home,
                               .i = f->side->i,
                               .j = f->side->j,
                               .local = f->a,
                               .lld = f->side->lld};
    const int early = e->out == NULL;
    hesca_matrix a = {.local = NULL};
    int err = HESCA_SUCCESS, finite = 1;
    if (early)
        HESCA_TRY(err, agree_on_finite(x, &home, &finite));
    if (finite) {
        HESCA_TRY(err, hesca_hohe_copy_in(x, e, f->side, f->a, &a));
        HESCA_TRY(err, hesca_background_begin(e->copies, f->a, f->side->lld,
                                              a.local, a.lld));
        HESCA_TRY(err, factor(x, e, &a, f));
    }
    if (!early)
        HESCA_TRY(err, agree_on_finite(x, &a, &finite));
    if (!finite)
        leave(x);
    else if (e->out != NULL)
        err = hesca_hohe_copy_out(e, &a, f->side, f->a);
fail:
    hesca_background_release(e->copies);
    hesca_hohe_copy_free(e, &a);
    return err;
}

static int
execute_on_other_grid(hesca_hohe_call *x, const hesca_hohe_entry *e,
                      const factors *f)
{
    int finite, err;
    const hesca_hohe_local home[HESCA_HOHE_MATRICES] = {
        [HESCA_HOHE_C] = {f->a, f->side->lld}};
    const int64_t n = hesca_min(x->key.job.m, x->key.job.n);
    const hesca_hohe_vectors pivots = {.made = f->ipiv,
                                       .nmade = (size_t)n * sizeof *f->ipiv};
    HESCA_TRY(err, hesca_hohe_other_grid_run(&e->other, x->c, x->key.job.type,
                                             x->original, x->status, home,
                                             f->uplo == '\0' ? &pivots : NULL,
                                             f->result, &finite));
    if (!finite)
        leave(x);
fail:
    return err;
}

/* --- calls ---
 * Global errors return before the decision; local ones are agreed on with
 * it. */

/* Check the global arguments, so that all processes return. */
static int
check(const hesca_hohe_call *x, hesca_type type, int64_t m, int64_t n, int arg,
      const factors *f)
{
    if ((unsigned)type > HESCA_Z)
        return hesca_fail_arg(x->routine, 2, "type", (int)type,
                              "one of hesca_type");
    if (m < 1 || n < 1)
        return hesca_fail_arg(x->routine, arg - 1, m < 1 ? "m" : "n",
                              m < 1 ? m : n, "at least 1");
    if (f->result == NULL)
        return hesca_fail_null(x->routine, arg + (f->uplo != '\0' ? 4 : 5),
                               "result");
    return hesca_hohe_check_side(x, arg, "sa", f->side);
}

static int
serve(hesca_hohe_call *x, hesca_type type, int64_t m, int64_t n, int arg,
      const factors *f)
{
    hesca_hohe_entry *e;
    int err;
    HESCA_TRY(err, check(x, type, m, n, arg, f));
    if (!hesca_hohe_is_candidate(x))
        return HESCA_SUCCESS;
    if (x->status == HESCA_SUCCESS &&
        x->key.job.routine == HESCA_ROUTINE_GESV && f->ipiv == NULL)
        x->status = hesca_fail_null(x->routine, arg + 2, "ipiv");
    if (x->status == HESCA_SUCCESS)
        x->status = hesca_hohe_check_place(x, f->side);
    x->key.job.type = type;
    x->key.job.m = m;
    x->key.job.n = x->key.job.k = n;
    x->key.job.reads = 1;
    x->key.job.upper = x->part == HESCA_UPPER;
    hesca_hohe_common(f->side, &x->key.job.home);
    x->key.variant = x->part;
    HESCA_TRY(err, hesca_hohe_decide(x, &e));
    if (e->info.way == HESCA_WAY_HOHE)
        err = execute(x, e, f);
    else if (e->info.way == HESCA_WAY_GRID)
        err = execute_on_other_grid(x, e, f);
fail:
    return err;
}

int
hesca_hohe_potrf(int status, hesca_type type, char uplo, int64_t n,
                 const hesca_side *sa, void *a, MPI_Comm comm,
                 const hesca_hohe_original *original, int64_t *result,
                 hesca_hohe_info *info)
{
    const factors f = {sa, a, uplo, NULL, result};
    hesca_hohe_call x;
    int err;
    HESCA_TRY(err,
              hesca_hohe_begin(&x, "hesca_hohe_potrf", status,
                               HESCA_ROUTINE_POTRF, comm, original, info));
    x.part = uplo == 'U' || uplo == 'u' ? HESCA_UPPER : HESCA_LOWER;
    HESCA_TRY(err, serve(&x, type, n, n, 5, &f));
fail:
    return hesca_hohe_end(&x, err);
}

int
hesca_hohe_getrf(int status, hesca_type type, int64_t m, int64_t n,
                 const hesca_side *sa, void *a, int64_t *ipiv, MPI_Comm comm,
                 const hesca_hohe_original *original, int64_t *result,
                 hesca_hohe_info *info)
{
    const factors f = {sa, a, '\0', ipiv, result};
    hesca_hohe_call x;
    int err;
    HESCA_TRY(err, hesca_hohe_begin(&x, "hesca_hohe_getrf", status,
                                    HESCA_ROUTINE_GESV, comm, original, info));
    HESCA_TRY(err, serve(&x, type, m, n, 5, &f));
fail:
    return hesca_hohe_end(&x, err);
}
