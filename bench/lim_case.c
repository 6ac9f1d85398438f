/* SPDX-License-Identifier: BSD-3-Clause */
#include "lim.h"

static distribution
distribute(const lim_case *x, int block)
{
    const distribution row = {
        .nprow = 1, .npcol = x->nprocs, .mb = 1, .nb = block};
    const distribution column = {
        .nprow = x->nprocs, .npcol = 1, .mb = block, .nb = 1};
    return x->is_row ? row : column;
}

static int
create(const lim_case *x, const distribution *d, local_matrix *part)
{
    const int myrow = x->is_row && x->me >= 0 ? 0 : x->me;
    return local_create(part, x->all.m, x->all.n, d, myrow,
                        x->is_row ? x->me : 0, x->esize);
}

int
lim_case_open(lim_case *x, int is_row, int k, int block, size_t esize,
              int64_t bytes, int nprocs, int me)
{
    const int64_t super = (int64_t)k * nprocs * block;
    const lim_case fresh = {.k = k,
                            .x = block,
                            .nprocs = nprocs,
                            .is_row = is_row,
                            .me = me,
                            .esize = esize};
    *x = fresh;
    x->nsuper = bytes / (int64_t)esize / super;
    x->nsuper = x->nsuper > 0 ? x->nsuper : 1;
    x->n = x->nsuper * super;
    const region all = {.m = is_row ? 1 : x->n,
                        .n = is_row ? x->n : 1,
                        .rows = is_row ? 1 : x->n};
    x->all = all;
    x->a_at = distribute(x, block);
    x->b_at = distribute(x, k * block);
    if (!create(x, &x->a_at, &x->a) || !create(x, &x->b_at, &x->b))
        return 0;
    local_fill(&x->a, &x->all);
    return 1;
}

void
lim_case_close(lim_case *x)
{
    local_free(&x->a);
    local_free(&x->b);
}
