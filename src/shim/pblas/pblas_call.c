/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls of all routines that compute have in common.
 *
 * Whatever HESCA does not serve goes on to the original routine, which serves
 * it or complains as it always did: here nothing is reported as an error but
 * what has happened after data moved. */
#include "hesca/experimental/monitor.h"
#include "shim/blacs/blacs.h"
#include "shim/blacs/gridinit.h"
#include "shim/fallback.h"
#include "shim/figures.h"
#include "shim/integer_width.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Entries of a descriptor, counted from 0 as in C; one of 11 entries has those
 * behind N two places later, and the first block's rows and columns there. */
enum { DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_, CSRC_, LLD_, NENTRIES };
enum { BLOCK_CYCLIC_2D = 1, BLOCK_CYCLIC_2D_INB = 2 };

/* ------------------------------------------------ contexts */

/* Of so many contexts it is kept which routines are left, one bit for each
 * type. */
enum { NKNOWN = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct {
    hesca_int ictxt;
    unsigned char left[NDENSE];
} known[NKNOWN];
static unsigned nknown, next_known;
static int64_t known_at; /* hesca_machine_refreshes() */

/* Whether this library sees the grids that this process makes. */
static _Atomic int sees_grids;

int
hesca_pblas_is_left(hesca_int ictxt, hesca_pblas_routine routine,
                    hesca_type type)
{
    int is_left = 0;
    pthread_mutex_lock(&lock);
    if (nknown > 0 && known_at != hesca_machine_refreshes())
        nknown = next_known = 0;
    for (unsigned k = 0; k < nknown; ++k)
        if (known[k].ictxt == ictxt)
            is_left = known[k].left[routine] >> type & 1;
    pthread_mutex_unlock(&lock);
    return is_left;
}

void
hesca_pblas_leave(hesca_int ictxt, hesca_pblas_routine routine,
                  hesca_type type)
{
    unsigned k = 0;
    if (!sees_grids || !hesca_grid_sees_all())
        return;
    pthread_mutex_lock(&lock);
    known_at = hesca_machine_refreshes();
    while (k < nknown && known[k].ictxt != ictxt)
        ++k;
    if (k == nknown) {
        k = next_known;
        next_known = (next_known + 1) % NKNOWN;
        nknown += nknown < NKNOWN;
        known[k].ictxt = ictxt;
        memset(known[k].left, 0, sizeof known[k].left);
    }
    known[k].left[routine] |= (unsigned char)(1u << type);
    pthread_mutex_unlock(&lock);
}

void
hesca_pblas_forget(void)
{
    sees_grids = 1;
    pthread_mutex_lock(&lock);
    nknown = next_known = 0;
    pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------ arguments */

/* There is no way to go on: what is wanted is an error, or data has moved. */
static void
fail(const hesca_pblas_call *x)
{
    fprintf(stderr, "hesca: %s: %s\n", hesca_pblas_name(x->routine, x->type),
            hesca_error_text());
    hesca_blacs_stop(&x->params, x->ictxt);
}

/* Something that HESCA needs for a call is missing; nothing is written.
 * \return 1 if it is left to the original routine, 0 if that is an error. */
static int
leave(const hesca_pblas_call *x, int err)
{
    hesca_hohe_info left = {.way = HESCA_WAY_ORIGINAL};
    if (hesca_fallback_is_error(err, &x->params)) {
        fail(x);
        return 0;
    }
    hesca_fallback_text(err, left.why, sizeof left.why);
    const int is_news = hesca_fallback_is_news(&x->params, left.why);
    if (hesca_pblas_is_watched(x) || is_news)
        hesca_pblas_report(x, &left, 0, !is_news);
    return 1;
}

int
hesca_pblas_begin(hesca_pblas_call *x)
{
    const hesca_int what = 10; /* the context's communicator */
    const hesca_blacs *blacs = hesca_blacs_find();
    hesca_int handle;
    if (blacs == NULL || x->ictxt < 0)
        return 0;
    hesca_blacs_grid(x->ictxt, &x->nprow, &x->npcol, &x->myrow, &x->mycol);
    if (x->nprow < 1 || x->myrow < 0 || x->myrow >= x->nprow || x->mycol < 0 ||
        x->mycol >= x->npcol)
        return 0;
    blacs->get(&x->ictxt, &what, &handle);
    x->comm = PMPI_Comm_f2c((MPI_Fint)handle);
    const int missing = hesca_fallback_params(x->comm, &x->params);
    if (hesca_params_disabled(&x->params,
                              hesca_pblas_name(x->routine, x->type))) {
        if (hesca_pblas_is_watched(x))
            hesca_pblas_report(x, &(hesca_hohe_info){.why = "HESCA_DISABLE"},
                               0, 1);
        return 0;
    }
    return missing == HESCA_SUCCESS ? 1 : -!leave(x, missing);
}

/* The same as a descriptor of 9 entries.
 * \return 0 if there is none. */
static int
shorten(const hesca_int *desc, hesca_int d[NENTRIES])
{
    const int is_long = desc[DTYPE_] == BLOCK_CYCLIC_2D_INB;
    memcpy(d, desc, MB_ * sizeof *d);
    memcpy(d + MB_, desc + MB_ + 2 * is_long, (NENTRIES - MB_) * sizeof *d);
    if (!is_long)
        return 1;
    d[DTYPE_] = BLOCK_CYCLIC_2D;
    return desc[MB_] == d[MB_] && desc[NB_] == d[NB_];
}

int
hesca_pblas_side(const hesca_pblas_call *x, const hesca_pblas_matrix *a,
                 int64_t m, int64_t n, hesca_side *side)
{
    hesca_int d[NENTRIES];
    if (!shorten(a->desc, d))
        return 0;
    if (d[DTYPE_] != BLOCK_CYCLIC_2D || d[CTXT_] != x->ictxt || d[M_] < 0 ||
        d[N_] < 0 || d[MB_] < 1 || d[NB_] < 1 || d[RSRC_] < 0 ||
        d[RSRC_] >= x->nprow || d[CSRC_] < 0 || d[CSRC_] >= x->npcol ||
        !hesca_blacs_is_int(d[MB_]) || !hesca_blacs_is_int(d[NB_]))
        return 0;
    if (*a->i < 1 || *a->j < 1 || m > (int64_t)d[M_] - *a->i + 1 ||
        n > (int64_t)d[N_] - *a->j + 1)
        return 0;
    *side = (hesca_side){.member = 1,
                         .nprow = x->nprow,
                         .npcol = x->npcol,
                         .myrow = x->myrow,
                         .mycol = x->mycol,
                         .m = d[M_],
                         .n = d[N_],
                         .mb = (int)d[MB_],
                         .nb = (int)d[NB_],
                         .rsrc = (int)d[RSRC_],
                         .csrc = (int)d[CSRC_],
                         .i = *a->i - 1,
                         .j = *a->j - 1,
                         .lld = d[LLD_]};
    return 1;
}

int
hesca_pblas_is_here(int64_t row, int mb, int rsrc, int me, int np,
                    int64_t *local)
{
    const int64_t block = row / mb;
    *local = block / np * mb + row % mb;
    return (block + rsrc) % np == me;
}

int
hesca_pblas_is_aligned(const hesca_side *a)
{
    return a->mb == a->nb && a->i % a->mb == 0 && a->j % a->nb == 0;
}

int
hesca_pblas_fits(const hesca_side *a, const hesca_side *b)
{
    return b->mb == a->nb && b->i % b->mb == 0 &&
           (a->i / a->mb + a->rsrc) % a->nprow ==
               (b->i / b->mb + b->rsrc) % b->nprow;
}

int
hesca_pblas_check_local(const hesca_side *s)
{
    const int64_t locr =
        hesca_numroc(s->m, s->mb, s->myrow, s->rsrc, s->nprow);
    return s->lld >= locr && s->lld >= 1
               ? HESCA_SUCCESS
               : hesca_error_set(HESCA_ERR_ARG, 0,
                                 "a leading dimension is less than the local "
                                 "number of rows");
}

/* ------------------------------------------------ what became of it */

int
hesca_pblas_is_watched(const hesca_pblas_call *x)
{
    return x->params.verbose > 0 || HESCA_FIGURES;
}

void
hesca_pblas_refuse(const hesca_pblas_call *x)
{
    const hesca_hohe_info left = {.why = "nothing to compute, or arguments "
                                         "that HESCA does not serve"};
    if (hesca_pblas_is_watched(x))
        hesca_pblas_report(x, &left, 0, 1);
}

/* Whether to report, unasked, that the machine is not one for this
 * call: something does not fit there.  Once for each routine. */
static int
is_news(const hesca_pblas_call *x, const hesca_hohe_info *info)
{
    static _Atomic unsigned reported[NDENSE];
    const unsigned mine = 1u << x->type;
    if (info->way != HESCA_WAY_ORIGINAL || info->settled || info->predicted ||
        info->by_rule || x->params.fallback != HESCA_FALLBACK_PRINT)
        return 0;
    return (atomic_fetch_or(&reported[x->routine], mine) & mine) == 0;
}

/* The communicator of the call, if its time counts. */
static _Thread_local struct {
    int is;
    MPI_Comm comm;
} timed;

void
hesca_pblas_finish(void)
{
    if (timed.is)
        hesca_hohe_finish(timed.comm);
    timed.is = 0;
}

int
hesca_pblas_end(const hesca_pblas_call *x, int err,
                const hesca_hohe_info *info, double start)
{
    const int is_watched = hesca_pblas_is_watched(x);
    hesca_hohe_info left = *info;
    if (info->timed) {
        timed.is = 1;
        timed.comm = x->comm;
    }
    if (err == HESCA_SUCCESS) {
        const int asked = x->params.verbose > 0 || !is_news(x, info);
        if (is_watched || !asked)
            hesca_pblas_report(x, info, is_watched ? PMPI_Wtime() - start : 0,
                               asked);
        else if (info->settled)
            hesca_pblas_leave(x->ictxt, x->routine, x->type);
        return info->way != HESCA_WAY_ORIGINAL;
    }
    if (err == HESCA_ERR_MPI) {
        fail(x);
        return 1;
    }
    if (err != HESCA_ERR_ARG)
        return !leave(x, err);
    /* The original routine finds what is wrong with arguments, too. */
    snprintf(left.why, sizeof left.why, "%s", hesca_error_text());
    if (is_watched)
        hesca_pblas_report(x, &left, 0, 1);
    return 0;
}

/* ------------------------------------------------ calls */

char
hesca_dense_letter(const char *letter, const char *allowed)
{
    const int x = toupper((unsigned char)*letter);
    return x != '\0' && strchr(allowed, x) != NULL ? (char)x : '\0';
}

/* Solves have the matrix of a factorization, and little of its time. */
static double
order_of(const hesca_dense_call *c)
{
    if (c->routine == PPOTRS || c->routine == PGETRS)
        return 0;
    return c->routine == PGEMM
               ? cbrt((double)*c->m * (double)*c->n * (double)*c->k)
               : (double)*c->n;
}

static void
serve_or_leave(const hesca_dense_call *c)
{
    static int (*const serve[NDENSE])(const hesca_dense_call *) = {
        [PGEMM] = hesca_gemm_serve,   [PPOTRF] = hesca_factor_serve,
        [PPOSV] = hesca_factor_serve, [PGETRF] = hesca_factor_serve,
        [PGESV] = hesca_factor_serve, [PPOTRS] = hesca_solve_serve,
        [PGETRS] = hesca_solve_serve};
    if (!hesca_inside_original && hesca_width_fits() &&
        !hesca_pblas_is_left(c->a.desc[CTXT_], c->routine, c->type) &&
        !hesca_pblas_is_nested(c->routine, c->type, c->caller)) {
        hesca_caller_set(hesca_pblas_name(c->routine, c->type));
        const int entered = hesca_figures_enter();
        hesca_pblas_report_none();
        const int done = serve[c->routine](c);
        hesca_caller_set(NULL);
        if (!done)
            hesca_dense_original(c);
        if (!done)
            hesca_pblas_report_original();
        if (c->caller != NULL) /* not a part of another call */
            hesca_pblas_finish();
        hesca_figures_leave(entered);
        return;
    }
    hesca_dense_original(c);
}

void
hesca_dense_serve(const hesca_dense_call *c)
{
    static const hesca_routine job[NDENSE] = {[PGEMM] = HESCA_ROUTINE_GEMM,
                                              [PPOTRF] = HESCA_ROUTINE_POTRF,
                                              [PPOSV] = HESCA_ROUTINE_POTRF,
                                              [PGETRF] = HESCA_ROUTINE_GESV,
                                              [PGESV] = HESCA_ROUTINE_GESV};
    const double start = hesca_pblas_job_begin();
    serve_or_leave(c);
    hesca_pblas_job_end(start, job[c->routine], start < 0 ? 0 : order_of(c),
                        c->a.desc);
}
