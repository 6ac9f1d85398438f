/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of an instance. */
#include "pmdl/instance.h"
#include "pmdl/bind.h"
#include <stdlib.h>

void
hesca_instance_clear(hesca_instance *x)
{
    free(x->number);
    free(x->position);
    free(x->volume);
    free(x->link);
    hesca_scheme_clear(&x->trace);
    *x = (hesca_instance){.trace = {.root = -1}};
}

/* Links are sorted by sender and receiver. */
int
hesca_instance_link(const hesca_instance *x, int from, int to)
{
    int low = 0, high = x->nlinks;
    while (low < high) {
        const int k = low + (high - low) / 2;
        const hesca_model_link *l = &x->link[k];
        if (l->from < from || (l->from == from && l->to < to))
            low = k + 1;
        else
            high = k;
    }
    return low < x->nlinks && x->link[low].from == from &&
                   x->link[low].to == to
               ? low
               : -1;
}

void
hesca_instance_coord(const hesca_instance *x, int vp, int *coord)
{
    int at = x->position[vp];
    for (int k = x->ndims - 1; k >= 0; --k) {
        coord[k] = at % x->dims[k];
        at /= x->dims[k];
    }
}

int
hesca_instance_number(const hesca_instance *x, const int *coord)
{
    int at = 0;
    for (int k = 0; k < x->ndims; ++k) {
        if (coord[k] < 0 || coord[k] >= x->dims[k])
            return -1;
        at = at * x->dims[k] + coord[k];
    }
    return x->number[at];
}
