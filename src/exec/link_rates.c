/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/link_rates.h"
#include "base/arith.h"
#include "base/sort.h"
#include <mpi.h>
#include <stdlib.h>

/* Shorter measurements are not used: a process may notice a message late by a
 * nap; nor are shorter messages, for which a sender that waits for its quota
 * takes longer than the link. */
static const double LEAST = 2e-3; /* s */
static const double LEAST_BYTES = 1.5e6;

hesca_link_rates *
hesca_link_rates_create(int n)
{
    hesca_link_rates *r = malloc(sizeof *r);
    if (r == NULL)
        return NULL;
    *r = (hesca_link_rates){n, calloc((size_t)n, sizeof *r->from)};
    if (r->from == NULL) {
        free(r);
        return NULL;
    }
    return r;
}

void
hesca_link_rates_destroy(hesca_link_rates *r)
{
    if (r != NULL)
        free(r->from);
    free(r);
}

/* Count the message that has arrived. */
static void
settle(struct hesca_link_rate *x)
{
    if (x->seconds >= LEAST && x->bytes >= LEAST_BYTES)
        x->recent[x->count++ % HESCA_LINK_RATES_RECENT] =
            x->bytes / x->seconds;
    x->bytes = x->seconds = 0;
}

void
hesca_link_rates_note(hesca_link_rates *r, int rank, int64_t piece,
                      int64_t bytes)
{
    if (r == NULL)
        return;
    struct hesca_link_rate *x = &r->from[rank];
    const double now = PMPI_Wtime();
    if (piece == 0) {
        settle(x);
    } else {
        x->bytes += (double)bytes;
        x->seconds += now - x->last;
    }
    x->last = now;
}

double
hesca_link_rates_take(hesca_link_rates *r, int rank)
{
    struct hesca_link_rate *x = &r->from[rank];
    double ends[2];
    settle(x);
    const int n = (int)hesca_min(x->count, HESCA_LINK_RATES_RECENT);
    x->count = 0;
    return n == 0 ? 0 : hesca_median(x->recent, n, ends);
}
