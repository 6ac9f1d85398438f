/* P?GEMM: from ScaLAPACK's arguments to hesca_hohe_gemm(), or on to the
 * original routine. Source of the arguments' meaning: ScaLAPACK
 * PBLAS/SRC/pdgemm_.c, opening comments. */
#include "shim/blacs/blacs.h"
#include "shim/integer_width.h"
#include "shim/pblas/pblas.h"
#include "shim/shim.h"
#include <ctype.h>

enum { CTXT_ = 1 };

typedef void pgemm(const char *, const char *, const hesca_int *,
                   const hesca_int *, const hesca_int *, const void *,
                   const void *, const hesca_int *, const hesca_int *,
                   const hesca_int *, const void *, const hesca_int *,
                   const hesca_int *, const hesca_int *, const void *, void *,
                   const hesca_int *, const hesca_int *, const hesca_int *,
                   size_t, size_t);

/* The call on another grid: hesca_hohe_original's run(). */
static int
run_there(const void *call, void *handle, hesca_hohe_work *w)
{
    const hesca_gemm_call *c = call;
    const hesca_int ictxt = hesca_pblas_grid_context(handle), one = 1;
    pgemm *const f = (pgemm *)hesca_pblas_original(PGEMM, c->type);
    hesca_int a[HESCA_DENSE_ENTRIES], b[HESCA_DENSE_ENTRIES];
    hesca_int d[HESCA_DENSE_ENTRIES];
    if (w == NULL)
        return HESCA_SUCCESS;
    hesca_pblas_describe(ictxt, &w->a, w->nb, a);
    hesca_pblas_describe(ictxt, &w->b, w->nb, b);
    hesca_pblas_describe(ictxt, &w->c, w->nb, d);
    ++hesca_inside_original;
    f(c->transa, c->transb, c->m, c->n, c->k, c->alpha, w->a.local, &one, &one,
      a, w->b.local, &one, &one, b, c->beta, w->c.local, &one, &one, d, 1, 1);
    --hesca_inside_original;
    return HESCA_SUCCESS;
}

static void
call_real(const hesca_gemm_call *c)
{
    pgemm *const f = (pgemm *)hesca_pblas_original(PGEMM, c->type);
    if (f == NULL)
        hesca_pblas_missing(PGEMM, c->type);
    else
        f(c->transa, c->transb, c->m, c->n, c->k, c->alpha, c->a.local, c->a.i,
          c->a.j, c->a.desc, c->b.local, c->b.i, c->b.j, c->b.desc, c->beta,
          c->c.local, c->c.i, c->c.j, c->c.desc, 1, 1);
}

/* 'N', 'T' or 'C'; 0 for what is none of them. */
static char
letter(const char *s)
{
    const int x = toupper((unsigned char)*s);
    return x == 'N' || x == 'T' || x == 'C' ? (char)x : '\0';
}

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
translate(const hesca_gemm_call *c, const hesca_pblas_call *x,
          hesca_side side[3])
{
    const int ta = letter(c->transa), tb = letter(c->transb);
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
check_local(hesca_side side[3], const hesca_gemm_call *c)
{
    const int64_t m = *c->m, n = *c->n, k = *c->k;
    const int nota = letter(c->transa) == 'N', notb = letter(c->transb) == 'N';
    int err = HESCA_SUCCESS;
    for (int s = 0; s < 3 && err == HESCA_SUCCESS; ++s)
        err = hesca_pblas_check_local(&side[s]);
    trim(&side[0], nota ? m : k, nota ? k : m);
    trim(&side[1], notb ? k : n, notb ? n : k);
    trim(&side[2], m, n);
    return err;
}

/* \return 1 if the call is done. */
static int
serve(const hesca_gemm_call *c)
{
    hesca_pblas_call x = {.routine = PGEMM,
                          .type = c->type,
                          .ictxt = c->a.desc[CTXT_],
                          .m = *c->m,
                          .n = *c->n,
                          .k = *c->k};
    const hesca_hohe_original original = {c, hesca_pblas_grid_create,
                                          run_there, hesca_pblas_grid_free};
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
    const double start = x.params.verbose > 0 ? MPI_Wtime() : 0;
    const int local = check_local(side, c);
    const int err = hesca_hohe_gemm(
        local, c->type, letter(c->transa), letter(c->transb), x.m, x.n, x.k,
        c->alpha, &side[0], c->a.local, &side[1], c->b.local, c->beta,
        &side[2], c->c.local, x.comm, reaches ? &original : NULL, &info);
    return hesca_pblas_end(&x, err, &info, start);
}

void
hesca_gemm_serve(const hesca_gemm_call *c)
{
    int done = 0;
    if (!hesca_inside_original && hesca_width_fits() &&
        !hesca_pblas_is_left(c->a.desc[CTXT_], PGEMM, c->type) &&
        !hesca_pblas_is_nested(PGEMM, c->type, c->caller)) {
        hesca_caller_set(hesca_pblas_name(PGEMM, c->type));
        done = serve(c);
        hesca_caller_set(NULL);
    }
    if (!done)
        call_real(c);
}
