/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/alltoallv_order.h"
#include "base/status.h"
#include "order/refine.h"
#include <stdlib.h>
#include <string.h>

/* Most processes for which the best-of order pays. */
enum { BEST_OF_MOST = 256 };

/* After a refresh, an order that finishes this close to the bound is not
 * refined. */
static const double SLACK = 0.02;

void
hesca_alltoallv_order_drop(hesca_comm *c)
{
    if (c->alltoallv != NULL) {
        hesca_timetable_clear(&c->alltoallv->plan);
        hesca_events_clear(&c->alltoallv->events);
    }
    free(c->alltoallv);
    c->alltoallv = NULL;
}

static int
same_messages(const hesca_events *x, const hesca_events *y)
{
    const size_t n = (size_t)x->n;
    return x->nproc == y->nproc && x->n == y->n &&
           (n == 0 || (memcmp(x->src, y->src, n * sizeof *x->src) == 0 &&
                       memcmp(x->dest, y->dest, n * sizeof *x->dest) == 0 &&
                       memcmp(x->bytes, y->bytes, n * sizeof *x->bytes) == 0));
}

static int
same_seconds(const hesca_events *x, const hesca_events *y)
{
    return x->n == 0 || memcmp(x->seconds, y->seconds,
                               (size_t)x->n * sizeof *x->seconds) == 0;
}

const hesca_heuristic *
hesca_alltoallv_order_heuristic(const hesca_comm *c)
{
    const char *asked = c->params.exchange;
    return hesca_heuristic_find(strcmp(asked, "auto") != 0 ? asked
                                : c->size <= BEST_OF_MOST  ? "polished"
                                                           : "openshop");
}

static int
order_new(const hesca_comm *c, hesca_alltoallv_order *k)
{
    const hesca_heuristic *h = hesca_alltoallv_order_heuristic(c);
    strcpy(k->name, h->name);
    return h->make(&k->events, NULL, &k->plan);
}

int
hesca_alltoallv_order_make(hesca_comm *c, hesca_events *events)
{
    hesca_alltoallv_order *old = c->alltoallv, *k = calloc(1, sizeof *k);
    int err = HESCA_SUCCESS;
    if (k == NULL) {
        hesca_events_clear(events);
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "order of an exchange"));
    }
    k->events = *events;
    memset(events, 0, sizeof *events);
    const int same = old != NULL && same_messages(&k->events, &old->events);
    if (same && same_seconds(&k->events, &old->events)) {
        hesca_events_clear(&k->events);
        free(k);
        return HESCA_SUCCESS;
    }
    if (same && strcmp(c->params.exchange, "auto") == 0) {
        strcpy(k->name, "refined");
        HESCA_TRY(err,
                  hesca_refine(&k->events, &old->plan, NULL, SLACK, &k->plan));
    } else {
        HESCA_TRY(err, order_new(c, k));
    }
    hesca_alltoallv_order_drop(c);
    c->alltoallv = k;
    c->drop[HESCA_STATE_ALLTOALLV] = hesca_alltoallv_order_drop;
    return HESCA_SUCCESS;
fail:
    if (k != NULL)
        hesca_events_clear(&k->events);
    free(k);
    hesca_alltoallv_order_drop(c);
    return err;
}
