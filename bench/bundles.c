/* SPDX-License-Identifier: BSD-3-Clause */
#include "lim.h"
#include <stdlib.h>
#include <string.h>

int
bundles_make(bundles *x, int k, int nprocs, int me, int64_t nsuper,
             size_t block)
{
    const bundles fresh = {.k = k,
                           .nprocs = nprocs,
                           .me = me,
                           .nsuper = nsuper,
                           .block = block,
                           .packet = (size_t)nsuper * block};
    *x = fresh;
    x->sent = calloc((size_t)nprocs, x->packet);
    x->received = calloc((size_t)nprocs, x->packet);
    if (x->sent != NULL && x->received != NULL)
        return 1;
    bundles_free(x);
    return 0;
}

void
bundles_free(bundles *x)
{
    free(x->sent);
    free(x->received);
    x->sent = x->received = NULL;
}

/* Copy blocks that are so many bytes apart.  Short ones without a call. */
static void
copy(const bundles *x, char *to, size_t to_step, const char *from,
     size_t from_step)
{
    for (int64_t s = 0; s < x->nsuper; ++s, to += to_step, from += from_step)
        switch (x->block) {
        case 4:
            memcpy(to, from, 4);
            break;
        case 8:
            memcpy(to, from, 8);
            break;
        default:
            memcpy(to, from, x->block);
        }
}

/* In a superblock process p_j has blocks iP + j, i < K, and p_q is to have
 * blocks qK ... qK + K - 1 (LIM section 3.1). */
void
bundles_pack(const bundles *x, const char *a)
{
    for (int i = 0; i < x->k; ++i) {
        const int64_t number = (int64_t)i * x->nprocs + x->me;
        const size_t dest = (size_t)(number / x->k);
        copy(x, x->sent + dest * x->packet, x->block, a + (size_t)i * x->block,
             (size_t)x->k * x->block);
    }
}

void
bundles_unpack(const bundles *x, const char *packets, char *b)
{
    for (int i = 0; i < x->k; ++i) {
        const int64_t number = (int64_t)x->me * x->k + i;
        const size_t source = (size_t)(number % x->nprocs);
        copy(x, b + (size_t)i * x->block, (size_t)x->k * x->block,
             packets + source * x->packet, x->block);
    }
}
