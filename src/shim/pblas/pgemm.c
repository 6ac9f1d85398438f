/* SPDX-License-Identifier: BSD-3-Clause */
/* P?GEMM: from ScaLAPACK's arguments to hesca_hohe_gemm(), or on to the
 * original routine. Source of the arguments' meaning: ScaLAPACK
 * PBLAS/SRC/pdgemm_.c, opening comments. */
#include "shim/blacs/blacs.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"

enum { CTXT_ = 1 };

/* The call on another grid: hesca_hohe_original's run(). */
static int
run_there(void *call, void *handle, hesca_hohe_work *w)
{
    const hesca_int ictxt = hesca_pblas_grid_context(handle);
    hesca_int a[HESCA_DENSE_ENTRIES], b[HESCA_DENSE_ENTRIES];
    hesca_int d[HESCA_DENSE_ENTRIES];
    hesca_dense_call there = *(const hesca_dense_call *)call;
    if (w == NULL)
        return HESCA_SUCCESS;
    there.a = hesca_pblas_describe(ictxt, w, HESCA_HOHE_A, a);
    there.b = hesca_pblas_describe(ictxt, w, HESCA_HOHE_B, b);
    there.c = hesca_pblas_describe(ictxt, w, HESCA_HOHE_C, d);
    w->info = 0;
    ++hesca_inside_original;
    hesca_dense_original(&there);
    --hesca_inside_original;
    return HESCA_SUCCESS;
}

static const char letters[] = "NTC";

static int
is_zero(hesca_type type, const void *x)
{
    const int n = type == HESCA_C || type == HESCA_Z ? 2 : 1;
    const int single = type == HESCA_S || type == HESCA_C;
    for (int k = 0; k < n; ++k)
        if (single ? ((const float *)x)[k] != 0 : ((const double *)x)[k] != 0)
            return 0;
    return 1;
}

/* What is equal on all processes.
 * \return 1 if HESCA can serve it, and there is something to multiply. */
static int
translate(const hesca_dense_call *c, const hesca_pblas_call *x,
          hesca_side side[3])
{
    const int ta = hesca_dense_letter(c->letter, letters);
    const int tb = hesca_dense_letter(c->transb, letters);
    const int64_t m = *c->m, n = *c->n, k = *c->k;
    return ta && tb && m > 0 && n > 0 && k > 0 &&
           !is_zero(c->type, c->alpha) &&
           hesca_pblas_side(x, &c->a, ta == 'N' ? m : k, ta == 'N' ? k : m,
                            &side[0]) &&
           hesca_pblas_side(x, &c->b, tb == 'N' ? k : n, tb == 'N' ? n : k,
                            &side[1]) &&
           hesca_pblas_side(x, &c->c, m, n, &side[2]);
}

/* The original routine does not compare where the matrices end, so that the
 * processes may differ in it: what is kept of calls must not. */
static void
trim(hesca_side *s, int64_t m, int64_t n)
{
    s->m = s->i + m;
    s->n = s->j + n;
}

static int
check_local(hesca_side side[3], const hesca_dense_call *c)
{
    const int64_t m = *c->m, n = *c->n, k = *c->k;
    const int nota = hesca_dense_letter(c->letter, letters) == 'N';
    const int notb = hesca_dense_letter(c->transb, letters) == 'N';
    int err = HESCA_SUCCESS;
    for (int s = 0; s < 3 && err == HESCA_SUCCESS; ++s)
        err = hesca_pblas_check_local(&side[s]);
    trim(&side[0], nota ? m : k, nota ? k : m);
    trim(&side[1], notb ? k : n, notb ? n : k);
    trim(&side[2], m, n);
    return err;
}

int
hesca_gemm_serve(const hesca_dense_call *c)
{
    hesca_pblas_call x = {.routine = PGEMM,
                          .type = c->type,
                          .ictxt = c->a.desc[CTXT_],
                          .m = *c->m,
                          .n = *c->n,
                          .k = *c->k};
    hesca_dense_call call = *c;
    const hesca_hohe_original original = {.call = &call,
                                          .open = hesca_pblas_grid_create,
                                          .connect = hesca_pblas_grid_connect,
                                          .run = run_there,
                                          .close = hesca_pblas_grid_free};
    const int reaches = hesca_pblas_grid_is_possible() &&
                        hesca_pblas_original(PGEMM, c->type) != NULL;
    hesca_side side[3];
    hesca_hohe_info info;
    const int begun = hesca_pblas_begin(&x);
    if (begun <= 0)
        return begun < 0;
    if (!translate(c, &x, side)) {
        hesca_pblas_refuse(&x);
        return 0;
    }
    const double start = hesca_pblas_is_watched(&x) ? PMPI_Wtime() : 0;
    const int local = check_local(side, c);
    x.written = side[2];
    x.rows = x.m;
    x.cols = x.n;
    const int err = hesca_hohe_gemm(
        local, c->type, hesca_dense_letter(c->letter, letters),
        hesca_dense_letter(c->transb, letters), x.m, x.n, x.k, c->alpha,
        &side[0], c->a.local, &side[1], c->b.local, c->beta, &side[2],
        c->c.local, x.comm, reaches ? &original : NULL, &info);
    return hesca_pblas_end(&x, err, &info, start);
}
