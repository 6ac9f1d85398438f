/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse from the factor of hesca_potrf(). */
#include "base/status.h"
#include "dense/inverse.h"

int
hesca_potri(hesca_type type, char uplo, int64_t n, const hesca_matrix *a,
            MPI_Comm comm, int64_t *info)
{
    hesca_comm *c;
    int64_t found;
    int err;
    hesca_caller_enter("hesca_potri");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_args args = hesca_args_begin("hesca_potri", c);
    hesca_factors f = {
        .type = hesca_args_type(&args, 1, type), .n = n, .a = a};
    f.upper = hesca_args_letter(&args, 2, "uplo", uplo, "LU") == 'U';
    f.lower = !f.upper;
    hesca_args_size(&args, 3, "n", n);
    hesca_args_matrix(&args, 4, "a", a, n, n);
    hesca_args_pointer(&args, 6, "info", info);
    HESCA_TRY(err, hesca_invert(c, &args, &f, &found));
    *info = found;
fail:
    return err;
}
