/* SPDX-License-Identifier: BSD-3-Clause */
/* P?POTRF, P?POSV, P?GETRF and P?GESV: the factorization from ScaLAPACK's
 * arguments to hesca_hohe_potrf() or hesca_hohe_getrf(), or on to the original
 * routine.  Right-hand sides go on as a call of P?POTRS or P?GETRS
 * (psolve.c).
 * Source of the arguments' meaning, and of what the original routines refuse:
 * ScaLAPACK SRC/pdpotrf.f, pdposv.f, pdgetrf.f, pdgesv.f. */
#include "shim/blacs/blacs.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <stdlib.h>

enum { DTYPE_, CTXT_, BLOCK_CYCLIC_2D = 1 };

static int
is_posdef(const hesca_dense_call *c)
{
    return c->routine == PPOTRF || c->routine == PPOSV;
}

static int
solves(const hesca_dense_call *c)
{
    return c->routine == PPOSV || c->routine == PGESV;
}

/* ------------------------------------------------ the original routines */

/* What factors for this call. */
static hesca_function
real_factor(const hesca_dense_call *c)
{
    return hesca_pblas_original(is_posdef(c) ? PPOTRF : PGETRF, c->type);
}

/* A call on another grid. */
typedef struct {
    hesca_dense_call call;
    hesca_int *ipiv; /* of local rows there; to be freed */
} factored;

/* hesca_hohe_original's prepare(). */
static int
prepare_there(void *call, void *handle, const hesca_hohe_work *w)
{
    factored *f = call;
    (void)handle;
    if (w == NULL || is_posdef(&f->call))
        return HESCA_SUCCESS;
    const int64_t rows = w->matrix[HESCA_HOHE_C].lld + w->nb;
    f->ipiv = malloc((size_t)rows * sizeof *f->ipiv);
    return f->ipiv != NULL
               ? HESCA_SUCCESS
               : hesca_error_set(HESCA_ERR_NOMEM, 0, "no memory for pivots");
}

/* Rows that those of this process were interchanged with, from 0. */
static void
collect_pivots(const hesca_hohe_work *w, const hesca_int *ipiv)
{
    const hesca_hohe_operand *a = &w->matrix[HESCA_HOHE_C];
    const int64_t n = a->m < a->n ? a->m : a->n;
    int64_t *made = w->made, at;
    for (int64_t t = 0; t < n; ++t)
        if (hesca_pblas_is_here(t, w->nb, 0, w->myrow, w->nprow, &at))
            made[t] = ipiv[at] - 1;
}

/* The factorization on another grid: hesca_hohe_original's run(). */
static int
run_there(void *call, void *handle, hesca_hohe_work *w)
{
    factored *f = call;
    const hesca_int ictxt = hesca_pblas_grid_context(handle);
    hesca_int desc[HESCA_DENSE_ENTRIES], info = 0;
    hesca_dense_call there = f->call;
    if (w == NULL)
        return HESCA_SUCCESS;
    there.routine = is_posdef(&there) ? PPOTRF : PGETRF;
    there.m = there.m != NULL ? there.m : there.n;
    there.a = hesca_pblas_describe(ictxt, w, HESCA_HOHE_C, desc);
    there.ipiv = f->ipiv;
    there.info = &info;
    hesca_dense_original(&there);
    w->info = info;
    if (w->made != NULL && w->mycol == 0)
        collect_pivots(w, f->ipiv);
    return HESCA_SUCCESS;
}

/* How the original routine is reached on another grid.
 * \return original, or NULL: it is not. */
static const hesca_hohe_original *
reach(factored *f, hesca_hohe_original *original)
{
    *original = (hesca_hohe_original){.call = f,
                                      .open = hesca_pblas_grid_create,
                                      .connect = hesca_pblas_grid_connect,
                                      .prepare = prepare_there,
                                      .run = run_there,
                                      .close = hesca_pblas_grid_free};
    return hesca_pblas_grid_is_possible() && real_factor(&f->call) != NULL
               ? original
               : NULL;
}

/* With the factors where the program has A; they are not singular. */
static void
solve(const hesca_dense_call *c)
{
    hesca_dense_serve(
        &(hesca_dense_call){.routine = is_posdef(c) ? PPOTRS : PGETRS,
                            .type = c->type,
                            .letter = is_posdef(c) ? c->letter : "N",
                            .n = c->n,
                            .nrhs = c->nrhs,
                            .a = c->a,
                            .ipiv = c->ipiv,
                            .b = c->b,
                            .info = c->info});
}

/* ------------------------------------------------ arguments */

/* What is equal on all processes.
 * \return 1 if HESCA can serve it, and there is something to factor. */
static int
translate(const hesca_dense_call *c, const hesca_pblas_call *x,
          hesca_side side[2])
{
    if ((is_posdef(c) && !hesca_dense_letter(c->letter, "UL")) || x->m < 1 ||
        x->n < 1 || c->a.desc[DTYPE_] != BLOCK_CYCLIC_2D ||
        !hesca_pblas_side(x, &c->a, x->m, x->n, &side[0]) ||
        !hesca_pblas_is_aligned(&side[0]))
        return 0;
    /* Whatever A(1,1) is, P?GETRF finds it factored. */
    if (!is_posdef(c) && side[0].m == 1)
        return 0;
    if (!solves(c))
        return 1;
    return *c->nrhs >= 0 && c->b.desc[DTYPE_] == BLOCK_CYCLIC_2D &&
           hesca_pblas_original(is_posdef(c) ? PPOTRS : PGETRS, c->type) !=
               NULL &&
           hesca_pblas_side(x, &c->b, x->n, *c->nrhs, &side[1]) &&
           hesca_pblas_fits(&side[0], &side[1]);
}

/* ------------------------------------------------ pivots */

/* ScaLAPACK keeps with each local row of A the global row, from 1, that it was
 * interchanged with. */
static void
store_pivots(const hesca_dense_call *c, const hesca_side *a,
             const int64_t *ipiv, int64_t n)
{
    int64_t at;
    for (int64_t t = 0; t < n; ++t)
        if (hesca_pblas_is_here(a->i + t, a->mb, a->rsrc, a->myrow, a->nprow,
                                &at))
            c->ipiv[at] = (hesca_int)(a->i + ipiv[t] + 1);
}

/* ------------------------------------------------ the call */

static int
factor(const hesca_dense_call *c, const hesca_pblas_call *x,
       const hesca_side side[2], const hesca_hohe_original *original,
       hesca_hohe_info *info, int64_t *result)
{
    const int64_t n = x->m < x->n ? x->m : x->n;
    int64_t *ipiv = NULL;
    int err = hesca_pblas_check_local(&side[0]);
    if (err == HESCA_SUCCESS && solves(c))
        err = hesca_pblas_check_local(&side[1]);
    if (is_posdef(c))
        return hesca_hohe_potrf(
            err, c->type, hesca_dense_letter(c->letter, "UL"), x->n, &side[0],
            c->a.local, x->comm, original, result, info);
    ipiv = malloc((size_t)n * sizeof *ipiv);
    if (err == HESCA_SUCCESS && ipiv == NULL)
        err = hesca_error_set(HESCA_ERR_NOMEM, 0, "pivots");
    err = hesca_hohe_getrf(err, c->type, x->m, x->n, &side[0], c->a.local,
                           ipiv, x->comm, original, result, info);
    if (err == HESCA_SUCCESS && info->way != HESCA_WAY_ORIGINAL)
        store_pivots(c, &side[0], ipiv, n);
    free(ipiv);
    return err;
}

int
hesca_factor_serve(const hesca_dense_call *c)
{
    hesca_pblas_call x = {.routine = c->routine,
                          .type = c->type,
                          .ictxt = c->a.desc[CTXT_],
                          .m = c->m != NULL ? *c->m : *c->n,
                          .n = *c->n};
    hesca_side side[2];
    hesca_hohe_info info;
    factored there = {*c, NULL};
    hesca_hohe_original way;
    int64_t result = 0;
    const int begun = hesca_pblas_begin(&x);
    if (begun < 0)
        *c->info = HESCA_NOT_DONE;
    if (begun <= 0)
        return begun < 0;
    const hesca_hohe_original *original = reach(&there, &way);
    if (!translate(c, &x, side)) {
        hesca_hohe_decline(is_posdef(c) ? HESCA_ROUTINE_POTRF
                                        : HESCA_ROUTINE_GESV,
                           x.comm, original);
        hesca_pblas_refuse(&x);
        return 0;
    }
    const double start = hesca_pblas_is_watched(&x) ? PMPI_Wtime() : 0;
    x.written = side[0];
    x.rows = x.m;
    x.cols = x.n;
    const int err = factor(c, &x, side, original, &info, &result);
    free(there.ipiv);
    if (!hesca_pblas_end(&x, err, &info, start))
        return 0;
    *c->info = err == HESCA_SUCCESS ? (hesca_int)result : HESCA_NOT_DONE;
    if (err == HESCA_SUCCESS && solves(c) && result == 0)
        solve(c);
    return 1;
}
