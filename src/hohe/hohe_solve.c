/* SPDX-License-Identifier: BSD-3-Clause */
/* HoHe under P?POTRS and P?GETRS: copy the right-hand sides, solve, copy the
 * solution back.
 *
 * Nothing that the program sees is written before the last copy, so the
 * original routine can compute the call after any earlier failure. A stays in
 * place: a copy would move all of A before the computation, while its
 * triangles are sent one after the other during the computation. */
#include "base/status.h"
#include "hohe/hohe_decide.h"
#include "panel/small_bcast.h"
#include <stdlib.h>

/* The factored sub(A) and sub(B). */
typedef struct {
    const hesca_side *sa, *sb;
    const void *a;
    void *b;
    char letter;     /* uplo, trans */
    const int *ipiv; /* getrs: of this process's rows of A */
} equations;

/* The pivots, broadcast in a process column. */
typedef struct {
    int64_t *all;             /* [n] of sub(A), from 0 */
    int *parts;               /* [n] in the order of process rows */
    int *rank;                /* [nprow] */
    hesca_small_bcast *bcast; /* [nprow] */
} pivots;

/* --- pivots ---
 * ScaLAPACK's ipiv is distributed by rows of A, from 1; all[] is that of
 * sub(A), from 0. */

static int
pivots_make(pivots *p, int64_t n, int nprow)
{
    p->all = malloc((size_t)n * sizeof *p->all);
    p->parts = malloc((size_t)n * sizeof *p->parts);
    p->rank = malloc((size_t)nprow * sizeof *p->rank);
    p->bcast = calloc((size_t)nprow, sizeof *p->bcast);
    return p->all != NULL && p->parts != NULL && p->rank != NULL &&
                   p->bcast != NULL
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_NOMEM, 0, "%lld pivots", (long long)n);
}

static void
pivots_clear(pivots *p)
{
    free(p->all);
    free(p->parts);
    free(p->rank);
    free(p->bcast);
}

/* The process row of row t of sub(A), and its local row there. */
static int
row_owner(const hesca_side *a, int64_t t)
{
    return (int)(((a->i + t) / a->mb + a->rsrc) % a->nprow);
}

static int64_t
row_place(const hesca_side *a, int64_t t)
{
    const int64_t row = a->i + t;
    return row / a->mb / a->nprow * a->mb + row % a->mb;
}

/* Collect the pivots of process row prow; returns their number. */
static int64_t
collect(const hesca_side *a, const int *ipiv, int64_t n, int prow, int *part)
{
    int64_t count = 0;
    for (int64_t t = 0; t < n; ++t)
        if (row_owner(a, t) == prow) {
            if (a->myrow == prow)
                part[count] = ipiv[row_place(a, t)];
            ++count;
        }
    return count;
}

static int
wait(const hesca_comm *c, int n, hesca_small_bcast *bcast)
{
    hesca_backoff pause = hesca_comm_backoff(c);
    int err = HESCA_SUCCESS;
    for (int all = 0; !all;) {
        all = 1;
        for (int k = 0; k < n; ++k) {
            int over;
            HESCA_TRY(err, hesca_small_bcast_advance(&bcast[k], &over));
            all = all && over;
        }
        if (!all)
            hesca_comm_pause(c, &pause, "pivots");
    }
fail:
    return err;
}

/* Every process row broadcasts its pivots in the process column. */
static int
share_pivots(const hesca_comm *c, const hesca_side *a, const int *ipiv,
             int64_t n, pivots *p)
{
    int *part = p->parts;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < a->nprow; ++k)
        p->rank[k] = k * a->npcol + a->mycol;
    for (int k = 0; k < a->nprow; ++k) {
        const int64_t count = collect(a, ipiv, n, k, part);
        HESCA_TRY(err, hesca_small_bcast_begin(
                           &p->bcast[k], c, HESCA_TAG_SMALL_BCAST + k, p->rank,
                           a->nprow, a->myrow, k, part,
                           (int)(count * (int64_t)sizeof *part)));
        part += count;
    }
    HESCA_TRY(err, wait(c, a->nprow, p->bcast));
    part = p->parts;
    for (int k = 0; k < a->nprow; ++k)
        for (int64_t t = 0; t < n; ++t)
            if (row_owner(a, t) == k)
                p->all[t] = (int64_t)*part++ - 1 - a->i;
fail:
    return err;
}

/* --- the call ---
 * B is written after all processes have their memory. */

static int
solve(const hesca_hohe_call *x, const hesca_matrix *a, const hesca_matrix *b,
      const equations *s, const pivots *p)
{
    const hesca_hohe_job *job = &x->key.job;
    return job->routine == HESCA_ROUTINE_POTRF
               ? hesca_potrs(job->type, s->letter, job->m, job->n, a, b,
                             x->c->user)
               : hesca_getrs(job->type, s->letter, job->m, job->n, a, p->all,
                             b, x->c->user);
}

static int
execute(hesca_hohe_call *x, const hesca_hohe_entry *e, const equations *s)
{
    const hesca_hohe_job *job = &x->key.job;
    const hesca_matrix a = {.layout = e->a,
                            .i = s->sa->i,
                            .j = s->sa->j,
                            .local = (void *)(uintptr_t)s->a,
                            .lld = s->sa->lld};
    const int has_pivots = job->routine != HESCA_ROUTINE_POTRF;
    hesca_matrix b = {0};
    pivots p = {0};
    int err;
    if (has_pivots && x->status == HESCA_SUCCESS)
        x->status = pivots_make(&p, job->m, s->sa->nprow);
    HESCA_TRY(err, hesca_hohe_copy_in(x, e, s->sb, s->b, &b));
    if (has_pivots)
        HESCA_TRY(err, share_pivots(x->c, s->sa, s->ipiv, job->m, &p));
    HESCA_TRY(err, solve(x, &a, &b, s, &p));
    err = hesca_hohe_copy_out(e, &b, s->sb, s->b);
fail:
    hesca_hohe_copy_free(e, &b);
    pivots_clear(&p);
    return err;
}

/* Check the global arguments, so that all processes return. */
static int
check(const hesca_hohe_call *x, hesca_type type, int64_t n, int64_t nrhs,
      const equations *s)
{
    const int b = x->key.job.routine == HESCA_ROUTINE_POTRF ? 8 : 9;
    int err;
    if ((unsigned)type > HESCA_Z)
        return hesca_fail_arg(x->routine, 2, "type", (int)type,
                              "one of hesca_type");
    if (n < 1 || nrhs < 1)
        return hesca_fail_arg(x->routine, n < 1 ? 4 : 5, n < 1 ? "n" : "nrhs",
                              n < 1 ? n : nrhs, "at least 1");
    HESCA_TRY(err, hesca_hohe_check_side(x, 6, "sa", s->sa));
    /* A is not copied, so no plan checks this. */
    if (n > s->sa->m - s->sa->i || n > s->sa->n - s->sa->j)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_ARG, 6,
                                  "%s: argument 6, sa: sub(A) of order %lld "
                                  "at (%lld,%lld) is not inside A",
                                  x->routine, (long long)n,
                                  (long long)s->sa->i, (long long)s->sa->j));
    HESCA_TRY(err, hesca_hohe_check_side(x, b, "sb", s->sb));
fail:
    return err;
}

static int
serve(hesca_hohe_call *x, hesca_type type, int64_t n, int64_t nrhs,
      const equations *s)
{
    hesca_hohe_job *job = &x->key.job;
    hesca_hohe_entry *e;
    int err;
    HESCA_TRY(err, check(x, type, n, nrhs, s));
    if (!hesca_hohe_is_candidate(x))
        return HESCA_SUCCESS;
    if (x->status == HESCA_SUCCESS)
        x->status = hesca_hohe_check_place(x, s->sa);
    if (x->status == HESCA_SUCCESS)
        x->status = hesca_hohe_check_place(x, s->sb);
    job->type = type;
    job->m = job->k = n;
    job->n = nrhs;
    job->reads = job->solves = 1;
    job->transa = job->routine == HESCA_ROUTINE_GESV && s->letter != 'N';
    hesca_hohe_common(s->sb, &job->home);
    hesca_hohe_common(s->sa, &job->a);
    x->key.variant = s->letter;
    HESCA_TRY(err, hesca_hohe_decide(x, &e));
    if (e->info.way == HESCA_WAY_HOHE)
        err = execute(x, e, s);
fail:
    return err;
}

int
hesca_hohe_potrs(int status, hesca_type type, char uplo, int64_t n,
                 int64_t nrhs, const hesca_side *sa, const void *a,
                 const hesca_side *sb, void *b, MPI_Comm comm,
                 hesca_hohe_info *info)
{
    const equations s = {.sa = sa, .sb = sb, .a = a, .b = b, .letter = uplo};
    hesca_hohe_call x;
    int err;
    HESCA_TRY(err, hesca_hohe_begin(&x, "hesca_hohe_potrs", status,
                                    HESCA_ROUTINE_POTRF, comm, NULL, info));
    HESCA_TRY(err, serve(&x, type, n, nrhs, &s));
fail:
    return hesca_hohe_end(&x, err);
}

int
hesca_hohe_getrs(int status, hesca_type type, char trans, int64_t n,
                 int64_t nrhs, const hesca_side *sa, const void *a,
                 const int *ipiv, const hesca_side *sb, void *b, MPI_Comm comm,
                 hesca_hohe_info *info)
{
    const equations s = {sa, sb, a, b, trans, ipiv};
    hesca_hohe_call x;
    int err;
    HESCA_TRY(err, hesca_hohe_begin(&x, "hesca_hohe_getrs", status,
                                    HESCA_ROUTINE_GESV, comm, NULL, info));
    HESCA_TRY(err, serve(&x, type, n, nrhs, &s));
fail:
    return hesca_hohe_end(&x, err);
}
