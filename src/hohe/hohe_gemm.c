/* SPDX-License-Identifier: BSD-3-Clause */
/* P?GEMM by HoHe, or on another grid: copy, compute, copy back.
 *
 * Nothing that the program sees is written before all processes have their
 * memory, so the original routine can compute the call after a failure. */
#include "base/status.h"
#include "dense/product.h"
#include "hohe/hohe_decide.h"
#include <stdint.h>
#include <stdlib.h>

static const char routine[] = "hesca_hohe_gemm";

/* The arguments that the decision does not depend on. */
typedef struct {
    const void *alpha, *beta;
    const hesca_side *sa, *sb, *sc;
    const void *a, *b;
    void *c;
    char transa, transb;
} product;

static hesca_matrix
operand(const hesca_layout *layout, const hesca_side *s, const void *local)
{
    /* The cast removes const from operands that are only read. */
    return (hesca_matrix){.layout = layout,
                          .i = s->i,
                          .j = s->j,
                          .local = (void *)(uintptr_t)local,
                          .lld = s->lld};
}

/* A copy of C that is cut by speed stays. */
static hesca_stays
stays_of(const hesca_hohe_entry *e)
{
    const char stays = e->info.forecast.stays;
    return !hesca_hohe_is_in_place(e) || stays == 'C' ? HESCA_STAYS_C
           : stays == 'A'                             ? HESCA_STAYS_A
           : stays == 'B'                             ? HESCA_STAYS_B
                                                      : HESCA_STAYS_ANY;
}

static int
multiply(const hesca_hohe_call *x, const hesca_hohe_entry *e, const product *p)
{
    const hesca_hohe_job *job = &x->key.job;
    const hesca_matrix a = operand(e->a, p->sa, p->a);
    const hesca_matrix b = operand(e->b, p->sb, p->b);
    hesca_matrix c;
    int err;
    HESCA_TRY(err, hesca_hohe_copy_in(x, e, p->sc, p->c, &c));
    HESCA_TRY(err, hesca_product_gemm(&(hesca_product){.type = job->type,
                                                       .transa = p->transa,
                                                       .transb = p->transb,
                                                       .m = job->m,
                                                       .n = job->n,
                                                       .k = job->k,
                                                       .alpha = p->alpha,
                                                       .beta = p->beta,
                                                       .a = &a,
                                                       .b = &b,
                                                       .c = &c},
                                      stays_of(e), x->c->user));
    err = hesca_hohe_copy_out(e, &c, p->sc, p->c);
fail:
    hesca_hohe_copy_free(e, &c);
    return err;
}

static int
multiply_on_other_grid(const hesca_hohe_call *x, const hesca_hohe_entry *e,
                       const product *p)
{
    const hesca_hohe_local home[HESCA_HOHE_MATRICES] = {
        [HESCA_HOHE_A] = {(void *)(uintptr_t)p->a, p->sa->lld},
        [HESCA_HOHE_B] = {(void *)(uintptr_t)p->b, p->sb->lld},
        [HESCA_HOHE_C] = {p->c, p->sc->lld}};
    int64_t none;
    return hesca_hohe_other_grid_run(&e->other, x->c, x->key.job.type,
                                     x->original, x->status, home, NULL, &none,
                                     NULL);
}

static int
is_transposed(char trans)
{
    return trans != 'N' && trans != 'n';
}

/* Check the global arguments, so that all processes return. */
static int
check(const hesca_hohe_call *x, hesca_type type, int64_t m, int64_t n,
      int64_t k, const product *p)
{
    int err;
    if ((unsigned)type > HESCA_Z)
        return hesca_fail_arg(routine, 2, "type", (int)type,
                              "one of hesca_type");
    if (m < 1 || n < 1 || k < 1)
        return hesca_fail_arg(routine,
                              m < 1   ? 5
                              : n < 1 ? 6
                                      : 7,
                              m < 1   ? "m"
                              : n < 1 ? "n"
                                      : "k",
                              m < 1   ? m
                              : n < 1 ? n
                                      : k,
                              "at least 1");
    if (p->alpha == NULL || p->beta == NULL)
        return hesca_fail_null(routine, p->alpha == NULL ? 8 : 13,
                               p->alpha == NULL ? "alpha" : "beta");
    HESCA_TRY(err, hesca_hohe_check_side(x, 9, "sa", p->sa));
    HESCA_TRY(err, hesca_hohe_check_side(x, 11, "sb", p->sb));
    HESCA_TRY(err, hesca_hohe_check_side(x, 14, "sc", p->sc));
fail:
    return err;
}

int
hesca_hohe_gemm(int status, hesca_type type, char transa, char transb,
                int64_t m, int64_t n, int64_t k, const void *alpha,
                const hesca_side *sa, const void *a, const hesca_side *sb,
                const void *b, const void *beta, const hesca_side *sc, void *c,
                MPI_Comm comm, const hesca_hohe_original *original,
                hesca_hohe_info *info)
{
    const product p = {alpha, beta, sa, sb, sc, a, b, c, transa, transb};
    hesca_hohe_call x;
    hesca_hohe_entry *e;
    int err;
    HESCA_TRY(err, hesca_hohe_begin(&x, routine, status, HESCA_ROUTINE_GEMM,
                                    comm, original, info));
    HESCA_TRY(err, check(&x, type, m, n, k, &p));
    if (!hesca_hohe_is_candidate(&x))
        return HESCA_SUCCESS;
    if (x.status == HESCA_SUCCESS)
        x.status = hesca_hohe_check_place(&x, sc);
    x.key.job.type = type;
    x.key.job.m = m;
    x.key.job.n = n;
    x.key.job.k = k;
    x.key.job.reads = !hesca_is_zero(type, beta);
    hesca_hohe_common(sc, &x.key.job.home);
    x.key.job.transa = is_transposed(transa);
    x.key.job.transb = is_transposed(transb);
    hesca_hohe_common(sa, &x.key.job.a);
    hesca_hohe_common(sb, &x.key.job.b);
    HESCA_TRY(err, hesca_hohe_decide(&x, &e));
    if (e->info.way == HESCA_WAY_HOHE)
        err = multiply(&x, e, &p);
    else if (e->info.way == HESCA_WAY_GRID)
        err = multiply_on_other_grid(&x, e, &p);
fail:
    return hesca_hohe_end(&x, err);
}
