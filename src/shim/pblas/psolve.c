/* SPDX-License-Identifier: BSD-3-Clause */
/* P?POTRS and P?GETRS: from ScaLAPACK's arguments to hesca_hohe_potrs() or
 * hesca_hohe_getrs(), or on to the original routine.
 * Source of the arguments' meaning, and of what the original routines refuse:
 * ScaLAPACK SRC/pdpotrs.f, pdgetrs.f. */
#include "shim/blacs/blacs.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <stdlib.h>

enum { DTYPE_, CTXT_, BLOCK_CYCLIC_2D = 1 };

/* One of those that the routine knows; 0 for what is none of them. */
static char
letter(const hesca_dense_call *c)
{
    return hesca_dense_letter(c->letter, c->routine == PPOTRS ? "UL" : "NTC");
}

/* What is equal on all processes.
 * \return 1 if HESCA can serve it, and there is something to solve. */
static int
translate(const hesca_dense_call *c, const hesca_pblas_call *x,
          hesca_side side[2])
{
    return letter(c) && x->m > 0 && x->n > 0 &&
           c->a.desc[DTYPE_] == BLOCK_CYCLIC_2D &&
           c->b.desc[DTYPE_] == BLOCK_CYCLIC_2D &&
           hesca_pblas_side(x, &c->a, x->m, x->m, &side[0]) &&
           hesca_pblas_side(x, &c->b, x->m, x->n, &side[1]) &&
           hesca_pblas_is_aligned(&side[0]) &&
           hesca_pblas_fits(&side[0], &side[1]);
}

#ifdef HESCA_ILP64
/* Interchanges as libhesca has them; NULL without memory.  What it cannot
 * count is in no matrix that it serves: 0, which it refuses. */
static int *
narrow(const hesca_dense_call *c, const hesca_side *a)
{
    const int64_t n = hesca_numroc(a->m, a->mb, a->myrow, a->rsrc, a->nprow);
    int *ipiv = malloc(((size_t)n + 1) * sizeof *ipiv);
    for (int64_t k = 0; ipiv != NULL && k < n; ++k)
        ipiv[k] = hesca_blacs_is_int(c->ipiv[k]) ? (int)c->ipiv[k] : 0;
    return ipiv;
}
#endif

static int
solve_lu(int err, const hesca_dense_call *c, const hesca_pblas_call *x,
         const hesca_side side[2], hesca_hohe_info *info)
{
    int *own = NULL;
#ifdef HESCA_ILP64
    own = narrow(c, &side[0]);
    if (err == HESCA_SUCCESS && own == NULL)
        err = hesca_error_set(HESCA_ERR_NOMEM, 0, "no memory for pivots");
    const int *ipiv = own;
#else
    const int *ipiv = c->ipiv;
#endif
    err = hesca_hohe_getrs(err, c->type, letter(c), x->m, x->n, &side[0],
                           c->a.local, ipiv, &side[1], c->b.local, x->comm,
                           info);
    free(own);
    return err;
}

static int
solve(const hesca_dense_call *c, const hesca_pblas_call *x,
      const hesca_side side[2], hesca_hohe_info *info)
{
    int err = hesca_pblas_check_local(&side[0]);
    if (err == HESCA_SUCCESS)
        err = hesca_pblas_check_local(&side[1]);
    return c->routine == PPOTRS
               ? hesca_hohe_potrs(err, c->type, letter(c), x->m, x->n,
                                  &side[0], c->a.local, &side[1], c->b.local,
                                  x->comm, info)
               : solve_lu(err, c, x, side, info);
}

int
hesca_solve_serve(const hesca_dense_call *c)
{
    hesca_pblas_call x = {.routine = c->routine,
                          .type = c->type,
                          .ictxt = c->a.desc[CTXT_],
                          .m = *c->n,
                          .n = *c->nrhs};
    hesca_side side[2];
    hesca_hohe_info info;
    const int begun = hesca_pblas_begin(&x);
    if (begun < 0)
        *c->info = HESCA_NOT_DONE;
    if (begun <= 0)
        return begun < 0;
    if (!translate(c, &x, side)) {
        hesca_hohe_decline(c->routine == PPOTRS ? HESCA_ROUTINE_POTRF
                                                : HESCA_ROUTINE_GESV,
                           x.comm, NULL);
        hesca_pblas_refuse(&x);
        return 0;
    }
    const double start = hesca_pblas_is_watched(&x) ? PMPI_Wtime() : 0;
    x.written = side[1];
    x.rows = x.m;
    x.cols = x.n;
    const int err = solve(c, &x, side, &info);
    if (!hesca_pblas_end(&x, err, &info, start))
        return 0;
    *c->info = err == HESCA_SUCCESS ? 0 : HESCA_NOT_DONE;
    return 1;
}
