/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/experimental/events.h"
#include "base/status.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- checks and construction ---
 * Events are sorted by sender, then by receiver; first[i] ... first[i + 1] - 1
 * are those of sender i.  A pair of processes appears at most once, and all
 * seconds are finite and > 0. */

static int
alloc(hesca_events *x, int nproc, int64_t n)
{
    const size_t some = n > 0 ? (size_t)n : 1;
    *x = (hesca_events){.nproc = nproc, .n = n};
    x->first = calloc((size_t)nproc + 1, sizeof *x->first);
    x->src = malloc(some * sizeof *x->src);
    x->dest = malloc(some * sizeof *x->dest);
    x->bytes = malloc(some * sizeof *x->bytes);
    x->seconds = malloc(some * sizeof *x->seconds);
    if (x->first != NULL && x->src != NULL && x->dest != NULL &&
        x->bytes != NULL && x->seconds != NULL)
        return HESCA_SUCCESS;
    hesca_events_clear(x);
    return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld events of %d processes",
                      (long long)n, nproc);
}

static int
bad_event(const hesca_event *e, const char *name, double value,
          const char *must)
{
    return hesca_fail(HESCA_ERR_ARG, 0,
                      "event from %d to %d: %s is %g: must be %s", e->src,
                      e->dest, name, value, must);
}

static int
check_event(const hesca_event *e, int nproc)
{
    if (e->src < 0 || e->src >= nproc || e->dest < 0 || e->dest >= nproc)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "event from %d to %d: there are %d processes",
                          e->src, e->dest, nproc);
    if (e->src == e->dest)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "event from %d to %d: no process sends to itself",
                          e->src, e->dest);
    if (!isfinite(e->seconds) || e->seconds <= 0)
        return bad_event(e, "seconds", e->seconds, "finite and > 0");
    if (!isfinite(e->bytes) || e->bytes < 0)
        return bad_event(e, "bytes", e->bytes, "finite and >= 0");
    return HESCA_SUCCESS;
}

/* Half of the range of a double is reserved for the times at which processes
 * are ready, so that no time of a timetable overflows. */
static int
check_sum(const hesca_events *x)
{
    double sum = 0;
    for (int64_t e = 0; e < x->n; ++e)
        sum += x->seconds[e];
    return sum <= DBL_MAX / 2
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_ARG, 0,
                            "%lld events take %g seconds together: must be at "
                            "most %g",
                            (long long)x->n, sum, DBL_MAX / 2);
}

/* Sort by receiver: order[k] is the index in the list of the k-th event.  at,
 * [nproc + 1], is work space. */
static void
sort_by_dest(int nproc, int64_t n, const hesca_event *list, int64_t *at,
             int64_t *order)
{
    memset(at, 0, ((size_t)nproc + 1) * sizeof *at);
    for (int64_t k = 0; k < n; ++k)
        ++at[list[k].dest + 1];
    for (int j = 0; j < nproc; ++j)
        at[j + 1] += at[j];
    for (int64_t k = 0; k < n; ++k)
        order[at[list[k].dest]++] = k;
}

/* Sort by sender, stable, so that the events of a sender stay sorted by
 * receiver. */
static int
place(hesca_events *x, const hesca_event *list, const int64_t *order,
      int64_t *at)
{
    for (int64_t k = 0; k < x->n; ++k)
        ++x->first[list[k].src + 1];
    for (int i = 0; i < x->nproc; ++i)
        x->first[i + 1] += x->first[i];
    memcpy(at, x->first, ((size_t)x->nproc + 1) * sizeof *at);
    for (int64_t k = 0; k < x->n; ++k) {
        const hesca_event *e = &list[order[k]];
        const int64_t to = at[e->src]++;
        if (to > x->first[e->src] && x->dest[to - 1] == e->dest)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "event from %d to %d: is there twice, with %g "
                              "and %g seconds",
                              e->src, e->dest, x->seconds[to - 1], e->seconds);
        x->src[to] = e->src;
        x->dest[to] = e->dest;
        x->bytes[to] = e->bytes;
        x->seconds[to] = e->seconds;
    }
    return HESCA_SUCCESS;
}

static int
check_size(int nproc, int64_t n)
{
    if (nproc < 1)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "events of %d processes: must be >= 1", nproc);
    if (n < 0)
        return hesca_fail(HESCA_ERR_ARG, 0, "%lld events: must be >= 0",
                          (long long)n);
    return HESCA_SUCCESS;
}

int
hesca_events_init(hesca_events *x, int nproc, int64_t n,
                  const hesca_event *list)
{
    int err = HESCA_SUCCESS;
    int64_t *order = NULL, *at = NULL;
    *x = (hesca_events){0};
    HESCA_TRY(err, check_size(nproc, n));
    for (int64_t k = 0; k < n; ++k)
        HESCA_TRY(err, check_event(&list[k], nproc));
    HESCA_TRY(err, alloc(x, nproc, n));
    order = malloc((n > 0 ? (size_t)n : 1) * sizeof *order);
    at = malloc(((size_t)nproc + 1) * sizeof *at);
    if (order == NULL || at == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "order of %lld events",
                                  (long long)n));
    sort_by_dest(nproc, n, list, at, order);
    HESCA_TRY(err, place(x, list, order, at));
    err = check_sum(x);
fail:
    free(order);
    free(at);
    if (err < 0)
        hesca_events_clear(x);
    return err;
}

/* The event at (src, dest) of a matrix; if it has 0 seconds there is none. */
static hesca_event
entry(int nproc, int src, int dest, const double *seconds, const double *bytes)
{
    const size_t k = (size_t)src * (size_t)nproc + (size_t)dest;
    return (hesca_event){.src = src,
                         .dest = dest,
                         .bytes = bytes == NULL ? 0 : bytes[k],
                         .seconds = seconds[k]};
}

int
hesca_events_make_dense(hesca_events *x, int nproc, const double *seconds,
                        const double *bytes)
{
    int err = HESCA_SUCCESS;
    int64_t n = 0;
    *x = (hesca_events){0};
    HESCA_TRY(err, check_size(nproc, 0));
    for (int i = 0; i < nproc; ++i)
        for (int j = 0; j < nproc; ++j) {
            const hesca_event e = entry(nproc, i, j, seconds, bytes);
            if (e.seconds == 0)
                continue;
            HESCA_TRY(err, check_event(&e, nproc));
            ++n;
        }
    HESCA_TRY(err, alloc(x, nproc, n));
    n = 0;
    for (int i = 0; i < nproc; ++i) {
        for (int j = 0; j < nproc; ++j) {
            const hesca_event e = entry(nproc, i, j, seconds, bytes);
            if (e.seconds == 0)
                continue;
            x->src[n] = i;
            x->dest[n] = j;
            x->bytes[n] = e.bytes;
            x->seconds[n++] = e.seconds;
        }
        x->first[i + 1] = n;
    }
    err = check_sum(x);
fail:
    if (err < 0)
        hesca_events_clear(x);
    return err;
}

int
hesca_events_retime(hesca_events *y, const hesca_events *x,
                    const double *seconds)
{
    int err = HESCA_SUCCESS;
    *y = (hesca_events){0};
    for (int64_t e = 0; e < x->n; ++e) {
        const hesca_event now = {x->src[e], x->dest[e], x->bytes[e],
                                 seconds[e]};
        HESCA_TRY(err, check_event(&now, x->nproc));
    }
    HESCA_TRY(err, alloc(y, x->nproc, x->n));
    memcpy(y->first, x->first, ((size_t)x->nproc + 1) * sizeof *x->first);
    memcpy(y->src, x->src, (size_t)x->n * sizeof *x->src);
    memcpy(y->dest, x->dest, (size_t)x->n * sizeof *x->dest);
    memcpy(y->bytes, x->bytes, (size_t)x->n * sizeof *x->bytes);
    memcpy(y->seconds, seconds, (size_t)x->n * sizeof *seconds);
    err = check_sum(y);
fail:
    if (err < 0)
        hesca_events_clear(y);
    return err;
}

void
hesca_events_clear(hesca_events *x)
{
    free(x->first);
    free(x->src);
    free(x->dest);
    free(x->bytes);
    free(x->seconds);
    *x = (hesca_events){0};
}

/* --- lower bound ---
 * A port handles one event at a time, so no schedule ends before any port that
 * begins when it is ready and is never idle. */

int
hesca_events_bound(const hesca_events *x, const hesca_ready *ready,
                   double *bound)
{
    *bound = 0;
    double *recv = calloc((size_t)x->nproc, sizeof *recv);
    if (recv == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "sums of %d processes",
                          x->nproc);
    for (int i = 0; i < x->nproc; ++i) {
        double send = 0;
        for (int64_t e = x->first[i]; e < x->first[i + 1]; ++e) {
            send += x->seconds[e];
            recv[x->dest[e]] += x->seconds[e];
        }
        if (send > 0 && ready != NULL && ready->send != NULL)
            send += ready->send[i];
        *bound = fmax(*bound, send);
    }
    for (int j = 0; j < x->nproc; ++j) {
        if (recv[j] > 0 && ready != NULL && ready->recv != NULL)
            recv[j] += ready->recv[j];
        *bound = fmax(*bound, recv[j]);
    }
    free(recv);
    return HESCA_SUCCESS;
}
