/* SPDX-License-Identifier: BSD-3-Clause */
/* One triangular system, on either side. */
#include "base/status.h"
#include "dense/args.h"
#include "dense/solve.h"

static hesca_args
check(hesca_comm *c, hesca_systems *s, hesca_sweep *t, char side, char uplo,
      char trans, char diag, int64_t m, int64_t n)
{
    hesca_args x = hesca_args_begin("hesca_trsm", c);
    s->type = hesca_args_type(&x, 1, s->type);
    s->right = hesca_args_letter(&x, 2, "side", side, "LR") == 'R';
    t->upper = hesca_args_letter(&x, 3, "uplo", uplo, "LU") == 'U';
    t->trans = hesca_args_letter(&x, 4, "trans", trans, "NTC");
    t->unit = hesca_args_letter(&x, 5, "diag", diag, "NU") == 'U';
    hesca_args_size(&x, 6, "m", m);
    hesca_args_size(&x, 7, "n", n);
    hesca_args_scalar(&x, s->type, 8, "alpha", s->alpha);
    s->n = s->right ? n : m;
    s->nrhs = s->right ? m : n;
    hesca_args_matrix(&x, 9, "a", s->a, s->n, s->n);
    hesca_args_matrix(&x, 10, "b", s->b, m, n);
    return x;
}

int
hesca_trsm(hesca_type type, char side, char uplo, char trans, char diag,
           int64_t m, int64_t n, const void *alpha, const hesca_matrix *a,
           const hesca_matrix *b, MPI_Comm comm)
{
    hesca_sweep triangle;
    hesca_systems what = {.type = type,
                          .alpha = alpha,
                          .a = a,
                          .b = b,
                          .nsweeps = 1,
                          .sweep = &triangle};
    hesca_comm *c;
    int64_t solved;
    int err;
    hesca_caller_enter("hesca_trsm");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_args args =
        check(c, &what, &triangle, side, uplo, trans, diag, m, n);
    HESCA_TRY(err, hesca_args_agree(&args, 0, NULL));
    if (hesca_is_zero(what.type, alpha))
        hesca_solve_scale(&what, c->rank);
    else
        err = hesca_solve(c, &what, &solved);
fail:
    return err;
}
