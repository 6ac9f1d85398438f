/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/matrix/sorted_by_share.h"
#include "base/status.h"
#include <stdlib.h>

typedef struct {
    double weight;
    int i;
} entry;

static int
compare(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    if (a->weight < b->weight || a->weight > b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->i < b->i ? -1 : 1;
}

int
hesca_sorted_by_share(const hesca_tiling_task *x, int **order, double **before)
{
    const size_t p = (size_t)x->p;
    int err = HESCA_SUCCESS;
    entry *e = malloc(p * sizeof *e);
    *order = malloc(p * sizeof **order);
    if (before != NULL)
        *before = malloc((p + 1) * sizeof **before);
    if (e == NULL || *order == NULL || (before != NULL && *before == NULL))
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: an order of %d",
                                  x->routine, x->p));
    for (int i = 0; i < x->p; ++i)
        e[i] = (entry){x->weight[i], i};
    qsort(e, p, sizeof *e, compare);
    for (int i = 0; i < x->p; ++i)
        (*order)[i] = e[i].i;
    for (int i = 0; before != NULL && i <= x->p; ++i)
        (*before)[i] = i == 0 ? 0 : (*before)[i - 1] + e[i - 1].weight;
fail:
    free(e);
    return err;
}
