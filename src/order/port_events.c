/* SPDX-License-Identifier: BSD-3-Clause */
/* Ports become free in the order of a heap of times.  The partners of such a
 * port are the intersection of the set of its remaining partners with the set
 * of free ports; if events are few, its list of events is searched instead. */
#include "order/port_events.h"
#include "base/heap.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- releases ---
 * A port with events left is either in a set of free ports or in the heap with
 * the time at which it becomes free.  A port without events left is in no set
 * of free ports. */

static int
is_before(const void *unused, hesca_port_release a, hesca_port_release b)
{
    (void)unused;
    return a.time < b.time;
}

HESCA_HEAP_RISE(rise, const void *, hesca_port_release, is_before,
                HESCA_HEAP_SET)
HESCA_HEAP_SINK(sink, const void *, hesca_port_release, is_before,
                HESCA_HEAP_SET)

static void
push(hesca_port_events *d, hesca_port_release r)
{
    rise(NULL, d->heap, d->nheap++, r);
}

static hesca_port_release
pop(hesca_port_events *d)
{
    const hesca_port_release first = d->heap[0];
    --d->nheap;
    sink(NULL, d->heap, d->nheap, 0, d->heap[d->nheap]);
    return first;
}

static inline void
flip(uint64_t *set, int i)
{
    set[i >> 6] ^= (uint64_t)1 << (i & 63);
}

static int
recv_left(const hesca_port_events *d, int j)
{
    return d->p.t->recv_first[j + 1] > d->p.received[j];
}

double
hesca_port_events_next(const hesca_port_events *d)
{
    return d->nheap > 0 ? d->heap[0].time : INFINITY;
}

void
hesca_port_events_release(hesca_port_events *d, double now)
{
    d->nreleased = 0;
    while (d->nheap > 0 && d->heap[0].time <= now) {
        const hesca_port_release r = pop(d);
        if (r.send >= 0 && d->p.left[r.send] > 0) {
            flip(d->free[0], r.send);
            d->released[d->nreleased++] = r.send;
        }
        if (r.recv >= 0 && recv_left(d, r.recv)) {
            flip(d->free[1], r.recv);
            d->released[d->nreleased++] = d->p.x->nproc + r.recv;
        }
    }
}

/* --- partners ---
 * unsent contains a pair, on both sides, if and only if its event is
 * unscheduled. */

/* By the sets of process i of a side, if there are many events. */
static int
gather_by_sets(const hesca_port_events *d, int side, int i, int64_t *list)
{
    const uint64_t *unsent = d->unsent[side] + (int64_t)i * d->nwords;
    const uint64_t *free = d->free[!side];
    int n = 0;
    for (int w = 0; w < d->nwords; ++w)
        for (uint64_t set = unsent[w] & free[w]; set != 0; set &= set - 1) {
            const int j = 64 * w + __builtin_ctzll(set);
            list[n++] = side == 0 ? hesca_events_find(d->p.x, i, j)
                                  : hesca_events_find(d->p.x, j, i);
        }
    return n;
}

/* By the list of events of process i of a side. */
static int
gather_by_list(const hesca_port_events *d, int side, int i, int64_t *list)
{
    const hesca_events *x = d->p.x;
    const int64_t *first = (side == 0 ? x->first : d->p.t->recv_first) + i;
    int n = 0;
    for (int64_t k = first[0]; k < first[1]; ++k) {
        const int64_t e = side == 0 ? k : d->column[k];
        const int other = side == 0 ? x->nproc + x->dest[e] : x->src[e];
        if (hesca_port_events_is_free(d, other) &&
            hesca_unscheduled_has(&d->p, x->src[e], e))
            list[n++] = e;
    }
    return n;
}

int
hesca_port_events_gather(const hesca_port_events *d, int port, int64_t *list)
{
    const int side = port >= d->p.x->nproc;
    const int i = side ? port - d->p.x->nproc : port;
    return d->unsent[0] != NULL ? gather_by_sets(d, side, i, list)
                                : gather_by_list(d, side, i, list);
}

void
hesca_port_events_start(hesca_port_events *d, int64_t e, double now)
{
    const int i = d->p.x->src[e], j = d->p.x->dest[e];
    hesca_unscheduled_take(&d->p, e, now);
    flip(d->free[0], i);
    flip(d->free[1], j);
    if (d->unsent[0] != NULL) {
        flip(d->unsent[0] + (int64_t)i * d->nwords, j);
        flip(d->unsent[1] + (int64_t)j * d->nwords, i);
    }
    push(d, (hesca_port_release){d->p.send[i], i, j});
}

/* --- construction ---
 * All ports begin in the heap.  The sets take at most one word per event, or
 * they are not used. */

static int
make_sets(hesca_port_events *d)
{
    const hesca_events *x = d->p.x;
    const size_t n = (size_t)x->nproc, words = (n + 63) / 64;
    const int many = x->n >= (int64_t)(n * words);
    const size_t all = 2 * words + (many ? 2 * n * words : 0);
    d->nwords = (int)words;
    d->free[0] = calloc(all, sizeof *d->free[0]);
    if (d->free[0] == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "sets of %d processes",
                          x->nproc);
    d->free[1] = d->free[0] + words;
    if (!many)
        return HESCA_SUCCESS;
    d->unsent[0] = d->free[1] + words;
    d->unsent[1] = d->unsent[0] + n * words;
    for (int64_t e = 0; e < x->n; ++e) {
        flip(d->unsent[0] + (size_t)x->src[e] * words, x->dest[e]);
        flip(d->unsent[1] + (size_t)x->dest[e] * words, x->src[e]);
    }
    return HESCA_SUCCESS;
}

int
hesca_port_events_init(hesca_port_events *d, const hesca_events *x,
                       const hesca_ready *ready, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    const size_t n = (size_t)x->nproc;
    *d = (hesca_port_events){0};
    HESCA_TRY(err, hesca_unscheduled_init(&d->p, x, ready, t));
    d->heap = malloc(2 * n * sizeof *d->heap);
    d->released = malloc(2 * n * sizeof *d->released);
    d->column = malloc((x->n > 0 ? (size_t)x->n : 1) * sizeof *d->column);
    if (d->heap == NULL || d->released == NULL || d->column == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "ports of %d processes",
                                  x->nproc));
    HESCA_TRY(err, make_sets(d));
    memcpy(d->column, t->recv, (size_t)x->n * sizeof *d->column);
    for (int i = 0; i < x->nproc; ++i) {
        push(d, (hesca_port_release){d->p.send[i], i, -1});
        push(d, (hesca_port_release){d->p.recv[i], -1, i});
    }
fail:
    return err;
}

void
hesca_port_events_clear(hesca_port_events *d)
{
    hesca_unscheduled_clear(&d->p);
    free(d->heap);
    free(d->free[0]);
    free(d->released);
    free(d->column);
    *d = (hesca_port_events){0};
}
