/* SPDX-License-Identifier: BSD-3-Clause */
/* Two triangular systems, L or U' and its conjugate transpose. */
#include "base/status.h"
#include "dense/args.h"
#include "dense/solve.h"

int
hesca_potrs(hesca_type type, char uplo, int64_t n, int64_t nrhs,
            const hesca_matrix *a, const hesca_matrix *b, MPI_Comm comm)
{
    hesca_comm *c;
    int64_t solved;
    int err;
    hesca_caller_enter("hesca_potrs");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    hesca_args args = hesca_args_begin("hesca_potrs", c);
    type = hesca_args_type(&args, 1, type);
    const int upper = hesca_args_letter(&args, 2, "uplo", uplo, "LU") == 'U';
    hesca_args_size(&args, 3, "n", n);
    hesca_args_size(&args, 4, "nrhs", nrhs);
    hesca_args_matrix(&args, 5, "a", a, n, n);
    hesca_args_matrix(&args, 6, "b", b, n, nrhs);
    HESCA_TRY(err, hesca_args_agree(&args, 0, NULL));
    const hesca_sweep sweeps[] = {
        {.upper = upper, .trans = upper ? 'C' : 'N'},
        {.upper = upper, .trans = upper ? 'N' : 'C'}};
    const hesca_systems what = {.type = type,
                                .n = n,
                                .nrhs = nrhs,
                                .alpha = hesca_one(type),
                                .a = a,
                                .b = b,
                                .nsweeps = 2,
                                .sweep = sweeps};
    err = hesca_solve(c, &what, &solved);
fail:
    return err;
}
