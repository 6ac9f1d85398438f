/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted time of a routine on a grid.
 *
 * Every host computes the shares of its processes, and its processors or its
 * link are busy with their messages; processors do not compute meanwhile.  The
 * time is that of the host that is busy longest, plus the latencies for which
 * all processes wait one after the other, plus the factorization of panels,
 * during which only one process column computes.
 *
 * Messages, from the algorithms of ScaLAPACK 2.2: pdgemm broadcasts panels of
 * A along rows of the grid and panels of B along columns, each matrix once.
 * Factorizations broadcast the remaining matrix: the panel along rows, the
 * block row (pdpotrf: the transposed panel) along columns, each half of the
 * matrix in total; before that pdpotrf transposes the panel; pdgetrf
 * interchanges rows, the same volume again, and finds a pivot for every
 * column.  Reductions to tridiagonal and bidiagonal form multiply the
 * remaining matrix by a vector for each column, with messages in all rows and
 * columns. Broadcasts along columns, and those of pdgemm, are binomial trees,
 * as in MPI; those of panels are split rings. */
#include "base/status.h"
#include "place/site.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------ broadcasts
 * Loads are accumulated per host and are linear in bytes; only latencies are
 * maxima. */

/* In a broadcast along a line of n places, `times` places send to the place at
 * `distance` after them, for any root. */
typedef struct {
    int distance, times;
} hop;

enum { HOPS = 32 };

typedef struct {
    int n, stride; /* places, and their distance in the grid */
    int nhops;
    hop hops[HOPS];
} line;

static void
count_hop(line *l, int distance)
{
    int k = 0;
    while (k < l->nhops && l->hops[k].distance != distance)
        ++k;
    if (k == l->nhops)
        l->hops[l->nhops++] = (hop){distance, 0};
    ++l->hops[k].times;
}

/* The v-th place after the root receives, in a tree, from v without its lowest
 * bit; in a split ring, from the neighbour in the direction in which the root
 * is nearer. */
static line
make_line(int n, int stride, int is_ring)
{
    line l = {.n = n, .stride = stride};
    for (int v = 1; v < n; ++v)
        count_hop(&l, !is_ring ? v & -v : v <= n / 2 ? 1 : n - 1);
    return l;
}

/* fmin and fmax without a call, for the innermost loops. */
static double
lesser(double x, double y)
{
    return y < x ? y : x;
}

static double
greater(double x, double y)
{
    return y > x ? y : x;
}

static void
count_send(const hesca_site *x, int from, int to, double bytes)
{
    const double seconds = bytes / hesca_site_wire(x, from, to).rate;
    if (to == from) {
        x->load[from].handling += seconds;
        return;
    }
    x->load[from].out += seconds;
    x->load[to].in += seconds;
    /* as hesca_handling() */
    x->load[from].handling += lesser(2 * seconds, bytes * x->per_byte[from]);
    x->load[to].handling += lesser(2 * seconds, bytes * x->per_byte[to]);
}

/* Seconds during which a host is busy with messages. */
static double
busy_seconds(hesca_site_load load, const hesca_scalapack_costs *t)
{
    const double link =
        fmax(load.in, load.out) + (1 - t->duplex) * fmin(load.in, load.out);
    return fmax(load.handling, link) +
           (1 - t->hidden) * fmin(load.handling, link);
}

/* Set the time to notice a message, longer if processes share cores. */
static void
set_wakeups(const hesca_site *x)
{
    for (int a = 0; a < x->nhosts; ++a)
        x->wakeup[a] = x->count[a] == 0
                           ? 0
                           : hesca_wakeup_seconds(hesca_message_speed(
                                 x->machine, x->number[a],
                                 fmin(1, x->cores[a] / x->count[a])));
}

static double
latency(const hesca_site *x, int from, int to)
{
    const double wakeup = greater(x->wakeup[from], x->wakeup[to]);
    return hesca_site_wire(x, from, to).startup + wakeup;
}

/* Each place of a line broadcasts an equal share of `bytes`.
 * \return The longest latency of these messages. */
static double
broadcast(const hesca_site *x, const line *l, const int *at, double bytes)
{
    double slowest = 0;
    for (int k = 0; k < l->nhops; ++k) {
        const hop h = l->hops[k];
        for (int i = 0; i < l->n; ++i) {
            const int from = at[i * l->stride];
            const int to = at[(i + h.distance) % l->n * l->stride];
            count_send(x, from, to, bytes / l->n * h.times);
            slowest = greater(slowest, latency(x, from, to));
        }
    }
    return slowest;
}

/* Levels of a binomial tree. */
static int
tree_levels(int n)
{
    int k = 0;
    while (n > 1 << k)
        ++k;
    return k;
}

/* Add all messages to the loads of hosts.
 * \return Seconds of startups for which all processes wait, one after the
 *         other. */
static double
count_messages(const hesca_site *x, const int *at,
               const hesca_scalapack_costs *t)
{
    const int p = x->nprow, q = x->npcol;
    const line row = make_line(q, 1, t->is_ring), col = make_line(p, q, 0);
    const double n = (double)x->job->n, size = n * (double)sizeof(double);
    const double blocks = ceil(n / x->job->nb);
    double in_rows = 0, in_cols = 0, in_panels = 0;
    set_wakeups(x);
    for (int i = 0; i < p; ++i)
        in_rows = fmax(in_rows, broadcast(x, &row, at + i * q,
                                          x->along_rows * t->along_rows *
                                              size * (double)x->rows[i]));
    for (int j = 0; j < q; ++j) {
        const double s = broadcast(x, &col, at + j,
                                   x->along_cols * t->along_cols * size *
                                       (double)x->cols[j]);
        in_cols = fmax(in_cols, s);
        in_panels += s / q;
    }
    return (t->per_block * blocks + t->per_column_all * n) *
               (tree_levels(q) * in_rows + tree_levels(p) * in_cols) +
           t->per_column * n * tree_levels(p) * in_panels;
}

/* ------------------------------------------------ computing
 * x->count and x->work are set from the grid before these functions. */

/* Seconds to factor all panels, one after the other; each by the processes of
 * a column, without other processes on the cores of their hosts.  Panels of nb
 * columns take n^2 nb / 2 operations. */
static double
panels(const hesca_site *x, const int *at, const hesca_scalapack_costs *t)
{
    const int p = x->nprow, q = x->npcol;
    const double n = (double)x->job->n, nb = fmin(x->job->nb, n);
    const double flops =
        n * n * (nb / 2 * t->panel + t->exchanged * (p - 1)) / p / q;
    double seconds = 0;
    for (int j = 0; j < q && t->panel > 0; ++j) {
        double longest = 0;
        for (int i = 0; i < p; ++i)
            x->beside[at[i * q + j]] = 0;
        for (int i = 0; i < p; ++i)
            ++x->beside[at[i * q + j]];
        for (int i = 0; i < p; ++i) {
            const int a = at[i * q + j];
            const double share = fmin(1, x->cores[a] / x->beside[a]);
            longest = fmax(longest, flops / (x->speed[a] * share));
        }
        seconds += longest;
    }
    return seconds;
}

/* Seconds for which a host computes; its processes share its cores. */
static double
computing(const hesca_site *x, int a)
{
    const double cores = fmin(x->cores[a], x->count[a]);
    return x->work[a] * hesca_job_flops(x->job) / (x->speed[a] * cores);
}

/* The times if work is in proportion to speed, and if all wait for the slowest
 * process. */
static void
set_bounds(const hesca_site *x, hesca_forecast *f)
{
    const double flops = hesca_job_flops(x->job);
    double all = 0, least = INFINITY;
    int processes = 0;
    for (int a = 0; a < x->nhosts; ++a) {
        if (x->count[a] == 0)
            continue;
        const double cores = fmin(x->cores[a], x->count[a]);
        all += x->speed[a] * cores;
        least = fmin(least, x->speed[a] * cores / x->count[a]);
        processes += x->count[a];
    }
    f->ideal = flops / all;
    f->bound = flops / (processes * least);
}

double
hesca_site_forecast(const hesca_site *x, const int *at, hesca_forecast *f)
{
    const hesca_scalapack_costs *t =
        &hesca_scalapack_costs_of[x->job->routine];
    const double n = (double)x->job->n;
    double seconds = 0, compute = 0;
    for (int a = 0; a < x->nhosts; ++a) {
        x->work[a] = 0;
        x->load[a] = (hesca_site_load){0, 0, 0};
        x->count[a] = 0;
    }
    for (int i = 0, k = 0; i < x->nprow; ++i)
        for (int j = 0; j < x->npcol; ++j, ++k) {
            x->work[at[k]] +=
                (double)x->rows[i] * (double)x->cols[j] / (n * n);
            ++x->count[at[k]];
        }
    for (int a = 0; a < x->nhosts; ++a)
        if (x->count[a] > x->most[a])
            return INFINITY;
    const double waiting = count_messages(x, at, t);
    for (int a = 0; a < x->nhosts; ++a) {
        if (x->count[a] == 0)
            continue;
        const double computed = computing(x, a),
                     all = computed + busy_seconds(x->load[a], t);
        if (all > seconds) {
            seconds = all;
            compute = computed;
        }
    }
    seconds += waiting + panels(x, at, t);
    if (f != NULL) {
        f->seconds = seconds;
        f->compute = compute;
        f->communicate = seconds - compute;
        set_bounds(x, f);
    }
    return seconds;
}

/* `last` is the number of the argument forecast. */
static int
predict(const char *name, int last, const hesca_machine *machine,
        const hesca_job *job, int nprow, int npcol, const int *host,
        double along_rows, double along_cols, hesca_forecast *forecast)
{
    hesca_site x;
    hesca_forecast predicted;
    int *at = NULL, err;
    HESCA_TRY(err, hesca_site_check(name, machine, job));
    HESCA_TRY(err, hesca_site_check_grid(name, 3, nprow, npcol, INT_MAX));
    if (host == NULL || forecast == NULL)
        return hesca_fail_null(name, host == NULL ? 5 : last,
                               host == NULL ? "host" : "forecast");
    HESCA_TRY(err, hesca_site_init(name, machine, job, nprow * npcol, host, 5,
                                   nprow, npcol, &at, &x));
    x.along_rows = along_rows;
    x.along_cols = along_cols;
    if (isfinite(hesca_site_forecast(&x, at, &predicted)))
        *forecast = predicted;
    else
        err = hesca_site_fail_memory(name, &x);
    free(at);
    hesca_site_clear(&x);
fail:
    return err;
}

int
hesca_forecast_make(const hesca_machine *machine, const hesca_job *job,
                    int nprow, int npcol, const int *host,
                    hesca_forecast *forecast)
{
    return predict("hesca_forecast_make", 6, machine, job, nprow, npcol, host,
                   1, 1, forecast);
}

int
hesca_forecast_scaled(const hesca_machine *machine, const hesca_job *job,
                      int nprow, int npcol, const int *host, double along_rows,
                      double along_cols, hesca_forecast *forecast)
{
    static const char name[] = "hesca_forecast_scaled";
    for (int k = 0; k < 2; ++k) {
        const double times = k == 0 ? along_rows : along_cols;
        if (!(times >= 0) || isinf(times))
            return hesca_fail(HESCA_ERR_ARG, 6 + k,
                              "%s: argument %d, %s, is %g: must be at least 0",
                              name, 6 + k,
                              k == 0 ? "along_rows" : "along_cols", times);
    }
    return predict(name, 8, machine, job, nprow, npcol, host, along_rows,
                   along_cols, forecast);
}
