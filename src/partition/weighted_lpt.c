/* LPT: heaviest first, each to the processor that would have finished it
 * first, of several to the first. */
#include "partition/weights.h"
#include <math.h>
#include <string.h>

/* -1: nobody can take it. */
static int
first_done(const hesca_weights *x, int64_t weight, const hesca_shares *r)
{
    double least = INFINITY;
    int best = -1;
    for (int i = 0; i < x->p; ++i) {
        if (r->count[i] == x->most[i] || weight > x->full[i] - r->weight[i])
            continue;
        const double time = hesca_set_time(x->speed[i], r->weight[i] + weight);
        if (time < least) {
            least = time;
            best = i;
        }
    }
    return best;
}

int
hesca_weights_lpt(const hesca_weights *x, const int64_t *order,
                  hesca_shares *r)
{
    memset(r->count, 0, (size_t)x->p * sizeof *r->count);
    memset(r->weight, 0, (size_t)x->p * sizeof *r->weight);
    for (int64_t k = 0; k < x->n; ++k) {
        const int64_t e = order[k];
        const int i = first_done(x, x->weight[e], r);
        if (i < 0)
            return 0;
        r->owner[e] = i;
        ++r->count[i];
        r->weight[i] += x->weight[e];
    }
    return 1;
}
