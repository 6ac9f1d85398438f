/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse from the factors of hesca_getrf(). */
#include "base/status.h"
#include "dense/inverse.h"

/* Interchanges with rows of sub(A), the same on all processes. */
static void
check_pivots(hesca_args *x, int64_t n, const int64_t *ipiv)
{
    uint64_t digest = 1;
    if (n > 0)
        hesca_args_pointer(x, 4, "ipiv", ipiv);
    for (int64_t i = 0; ipiv != NULL && i < n; ++i) {
        digest = (digest ^ (uint64_t)ipiv[i]) * 0x100000001b3u;
        if ((ipiv[i] < 0 || ipiv[i] >= n) && x->err == HESCA_SUCCESS)
            x->err = hesca_fail(HESCA_ERR_ARG, 4,
                                "%s: argument 4, ipiv[%lld], is %lld: must be "
                                "at least 0 and below n",
                                x->routine, (long long)i, (long long)ipiv[i]);
    }
    hesca_args_scalar(x, HESCA_D, 4, "ipiv", &digest);
}

int
hesca_getri(hesca_type type, int64_t n, const hesca_matrix *a,
            const int64_t *ipiv, MPI_Comm comm, int64_t *info)
{
    hesca_comm *c;
    int64_t found;
    int err;
    hesca_caller_enter("hesca_getri");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_args args = hesca_args_begin("hesca_getri", c);
    const hesca_factors f = {.type = hesca_args_type(&args, 1, type),
                             .lower = 1,
                             .upper = 1,
                             .n = n,
                             .a = a,
                             .ipiv = ipiv};
    hesca_args_size(&args, 2, "n", n);
    hesca_args_matrix(&args, 3, "a", a, n, n);
    check_pivots(&args, n, ipiv);
    hesca_args_pointer(&args, 6, "info", info);
    HESCA_TRY(err, hesca_invert(c, &args, &f, &found));
    *info = found;
fail:
    return err;
}
