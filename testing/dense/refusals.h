/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorizations and solutions that fail: all processes return the same, and
 * nothing is written. */
#ifndef HESCA_TESTING_DENSE_REFUSALS_H
#define HESCA_TESTING_DENSE_REFUSALS_H

#include "hesca/experimental/dense.h"
#include "testing/failing_all.h"
#include <string.h>

enum { N = 20, BYTES = N * N * sizeof(double) };

static int rank, size;
static hesca_layout *layout;
static double a[N * N], b[N * N], a0[N * N], b0[N * N]; /* as they were */
static hesca_matrix ma, mb;

static inline void
refusals_begin(int block_rows, int block_cols, int nprow, int npcol)
{
    if (hesca_layout_create_cyclic(N, N, block_rows, block_cols, 0, 0, nprow,
                                   npcol, NULL, &layout) < 0)
        abort();
    ma = (hesca_matrix){.layout = layout, .local = a, .lld = N};
    mb = (hesca_matrix){.layout = layout, .local = b, .lld = N};
}

static inline int
is_untouched(void)
{
    return memcmp(a, a0, BYTES) == 0 && memcmp(b, b0, BYTES) == 0;
}

/* err everywhere, about this argument. */
static inline void
must(int line, int err, int expected, int info)
{
    int mine[4] = {err, -err, hesca_error_info(), -hesca_error_info()};
    int range[4];
    MPI_Allreduce(mine, range, 4, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(range[0] == expected && range[1] == -expected,
          "line %d: %d ... %d, not %d", line, range[0], -range[1], expected);
    CHECK(range[2] == info && range[3] == -info,
          "line %d: argument %d ... %d, not %d: %s", line, range[2], -range[3],
          info, hesca_error_text());
    CHECK(is_untouched(), "line %d: something was written", line);
}

#define MUST(call, err, info) must(__LINE__, call, HESCA_ERR_##err, info)

#endif
