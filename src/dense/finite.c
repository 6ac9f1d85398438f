/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/finite.h"
#include "base/arith.h"
#include "dense/kernels.h"
#include "dense/local.h"
#include <string.h>

/* A number is finite unless all bits of its exponent are set. In that case
 * adding 1 to the exponent carries into the sign bit, which is masked before.
 * These are integer operations without branches, which compilers vectorize. */
static int
are_finite_single(const float *x, int64_t n)
{
    uint32_t found = 0;
    for (int64_t k = 0; k < n; ++k) {
        uint32_t bits;
        memcpy(&bits, &x[k], sizeof bits);
        found |= (bits & 0x7f800000u) + 0x00800000u;
    }
    return found >> 31 == 0;
}

static int
are_finite_double(const double *x, int64_t n)
{
    uint64_t found = 0;
    for (int64_t k = 0; k < n; ++k) {
        uint64_t bits;
        memcpy(&bits, &x[k], sizeof bits);
        found |= (bits & 0x7ff0000000000000u) + 0x0010000000000000u;
    }
    return found >> 63 == 0;
}

/* n consecutive elements. */
static int
are_finite(hesca_type type, const void *x, int64_t n)
{
    const int64_t numbers = type == HESCA_C || type == HESCA_Z ? 2 * n : n;
    return type == HESCA_S || type == HESCA_C ? are_finite_single(x, numbers)
                                              : are_finite_double(x, numbers);
}

int
hesca_is_finite(hesca_type type, hesca_part part, int64_t m, int64_t n,
                const hesca_matrix *a, int rank)
{
    const hesca_local here = hesca_local_make(a->layout, a->i, a->j, rank);
    const int64_t top = hesca_local_row(&here, 0);
    const int64_t bottom = hesca_local_row(&here, m);
    const int64_t right = hesca_local_col(&here, n);
    const size_t esize = hesca_type_size(type);
    for (int64_t jl = hesca_local_col(&here, 0); jl < right; ++jl) {
        int64_t first = top, end = bottom, j;
        if (part != HESCA_ALL) {
            hesca_local_col_indices(&here, jl, jl + 1, &j);
            if (part == HESCA_LOWER)
                first = hesca_local_row(&here, hesca_min(j, m));
            else
                end = hesca_local_row(&here, hesca_min(j + 1, m));
        }
        if (!are_finite(type,
                        (const char *)a->local +
                            (size_t)(jl * a->lld + first) * esize,
                        end - first))
            return 0;
    }
    return 1;
}
