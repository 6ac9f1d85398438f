/* SPDX-License-Identifier: BSD-3-Clause */
/* What the layers of a topology file need (HMPI 3.8.1): rates of messages of
 * three sizes between hosts and inside each, and how parallel messages,
 * broadcast and gather are.
 *
 * How parallel a collective is follows from three times: t of the collective
 * itself, t_s of its messages one after another, t_p of the longest of them;
 * f = (t_s - t) / (t_s - t_p), within 0 ... 1.  The thesis does not say how it
 * is measured. */
#include "base/sort.h"
#include "base/status.h"
#include "exec/agree.h"
#include "machine/topology.h"
#include "machine/tournament.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, WARM = 2, MOST = 262144 };
static const int sizes[HESCA_LAYER_RATES] = {64, 4096, MOST};
static const int times[HESCA_LAYER_RATES] = {101, 51, 15};

typedef struct {
    const hesca_comm *c;
    char *buffer; /* [2 MOST] */
    int err;
} meter;

static void
await(meter *m, MPI_Request request)
{
    const int err = hesca_comm_wait(m->c, 1, &request);
    if (err < 0)
        m->err = err;
}

static void
send(meter *m, int peer, int bytes)
{
    MPI_Request request;
    MPI_Isend(m->buffer, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
    await(m, request);
}

static void
receive(meter *m, int peer, int bytes)
{
    MPI_Request request;
    MPI_Irecv(m->buffer, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
    await(m, request);
}

/* Seconds of a message there, half of one there and back: the median.  On the
 * process `a`; b answers; others return 0 at once. */
static double
one_way(meter *m, int a, int b, int bytes, int n)
{
    double x[128], ends[2];
    for (int k = -WARM; k < n && m->err == 0; ++k) {
        const double start = MPI_Wtime();
        if (m->c->rank == a) {
            send(m, b, bytes);
            receive(m, b, bytes);
            x[k < 0 ? 0 : k] = (MPI_Wtime() - start) / 2;
        } else if (m->c->rank == b) {
            receive(m, a, bytes);
            send(m, a, bytes);
        }
    }
    return m->c->rank == a && m->err == 0 ? hesca_median(x, n, ends) : 0;
}

/* All processes wait, without using their cores, until all are here. */
static int
meet(meter *m)
{
    return m->err = hesca_agree(m->c, m->err, 0, NULL);
}

/* A value of one process for all. */
static void
share(meter *m, double *x, int n, int root)
{
    MPI_Request request;
    MPI_Ibcast(x, n, MPI_DOUBLE, root, MPI_COMM_WORLD, &request);
    await(m, request);
}

/* --- between and inside hosts --- */

/* Seconds of messages between two processes, on the first. */
static void
measure_times(meter *m, int a, int b, double *seconds)
{
    for (int k = 0; k < HESCA_LAYER_RATES; ++k) {
        const double t = one_way(m, a, b, sizes[k], times[k]);
        seconds[k] = t > 1e-9 ? t : 1e-9;
    }
}

/* All pairs, in rounds that use each host once, and the insides at the same
 * time; where a host has one process, as the fastest pair.
 * \param [out] seconds  [hosts][hosts][HESCA_LAYER_RATES], on all */
static int
measure_pairs(meter *m, const hesca_survey *hosts, double *seconds)
{
    const int n = hosts->n, me = hesca_survey_host_of(hosts, m->c->rank);
    const size_t count = (size_t)n * (size_t)n * HESCA_LAYER_RATES;
    MPI_Request request;
    memset(seconds, 0, count * sizeof *seconds);
    for (int r = 0; r < hesca_tournament_rounds(n); ++r) {
        const int other = me < 0 ? -1 : hesca_tournament_partner(n, r, me);
        const int a = me < other ? me : other, b = me < other ? other : me;
        double *pair = seconds + (a * n + b) * HESCA_LAYER_RATES;
        if (other >= 0)
            measure_times(m, hosts->host[a].first, hosts->host[b].first, pair);
        if (other == b && other >= 0)
            memcpy(seconds + (b * n + a) * HESCA_LAYER_RATES, pair,
                   HESCA_LAYER_RATES * sizeof *pair);
        if (meet(m) < 0)
            return m->err;
    }
    for (int k = 0; k < n; ++k) {
        const hesca_survey_host *h = &hosts->host[k];
        if (h->second >= 0 &&
            (m->c->rank == h->first || m->c->rank == h->second))
            measure_times(m, h->first, h->second,
                          seconds + k * (n + 1) * HESCA_LAYER_RATES);
    }
    if (meet(m) < 0)
        return m->err;
    MPI_Iallreduce(MPI_IN_PLACE, seconds, (int)count, MPI_DOUBLE, MPI_MAX,
                   MPI_COMM_WORLD, &request);
    await(m, request);
    return m->err;
}

static void
fill_insides(const hesca_survey *hosts, double *seconds)
{
    const int n = hosts->n;
    for (int k = 0; k < HESCA_LAYER_RATES; ++k) {
        double least = 0;
        for (int i = 0; i < n * n; ++i) {
            const double t = seconds[i * HESCA_LAYER_RATES + k];
            least = t > 0 && (least <= 0 || t < least) ? t : least;
        }
        for (int i = 0; i < n; ++i) {
            double *t = &seconds[i * (n + 1) * HESCA_LAYER_RATES + k];
            if (hosts->host[i].second < 0)
                *t = least > 0 ? least : 1e-6;
        }
    }
}

/* --- how parallel a layer is --- */

/* The first processes of all hosts, in their order. */
static int
make_first(const hesca_survey *hosts, MPI_Comm *first)
{
    MPI_Group world, group;
    int *rank = malloc((size_t)hosts->n * sizeof *rank);
    if (rank == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", hosts->n);
    for (int k = 0; k < hosts->n; ++k)
        rank[k] = hosts->host[k].first;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, hosts->n, rank, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, first);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    free(rank);
    return HESCA_SUCCESS;
}

/* Seconds of a broadcast or gather among the first processes, until all have
 * answered its root. */
static double
collective(meter *m, MPI_Comm first, int is_gather, char *all, int bytes)
{
    enum { TIMES = 15 };
    double x[TIMES], ends[2];
    int n;
    MPI_Comm_size(first, &n);
    for (int k = -WARM; k < TIMES && m->err == 0; ++k) {
        MPI_Request request;
        MPI_Ibarrier(first, &request);
        await(m, request);
        const double start = MPI_Wtime();
        if (is_gather)
            MPI_Igather(m->buffer, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0,
                        first, &request);
        else
            MPI_Ibcast(m->buffer, bytes, MPI_BYTE, 0, first, &request);
        await(m, request);
        MPI_Ibarrier(first, &request);
        await(m, request);
        x[k < 0 ? 0 : k] = MPI_Wtime() - start;
    }
    return m->err == 0 ? hesca_median(x, TIMES, ends) : 0;
}

/* How parallel the messages between host 0 and all others were, which took so
 * many seconds together. */
static double
factor(double seconds, const hesca_topology *t, int bytes)
{
    double sum = 0, most = 0;
    for (int k = 1; k < t->ncomputers; ++k) {
        const int cover = hesca_topology_cover(t, t->computer[0].layer,
                                               t->computer[k].layer);
        const double one = hesca_layer_seconds(&t->layer[cover], bytes);
        sum += one;
        most = one > most ? one : most;
    }
    const double f = sum > most ? (sum - seconds) / (sum - most) : 1;
    return f < 0 ? 0 : f > 1 ? 1 : f;
}

/* f_b and f_g of the layers between hosts; with two of them they do not
 * matter. */
static int
measure_factors(meter *m, const hesca_survey *hosts, const hesca_topology *t,
                double f[2])
{
    const int bytes = MOST, n = hosts->n;
    MPI_Comm first = MPI_COMM_NULL;
    char *all = malloc((size_t)n * (size_t)bytes);
    f[0] = f[1] = 1;
    if (all == NULL)
        m->err = hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", n);
    if (meet(m) == 0 && n > 2 && make_first(hosts, &first) == 0 &&
        first != MPI_COMM_NULL) {
        f[0] = factor(collective(m, first, 0, all, bytes), t, bytes);
        f[1] = factor(collective(m, first, 1, all, bytes), t, bytes);
        MPI_Comm_free(&first);
    }
    free(all);
    if (meet(m) == 0)
        share(m, f, 2, hosts->host[0].first);
    return m->err;
}

/* Whether two pairs of hosts at the same time take as long as one; assumed
 * with fewer than four hosts. */
static int
measure_parallel(meter *m, const hesca_survey *hosts, int *is_parallel)
{
    *is_parallel = 1;
    if (hosts->n < 4)
        return HESCA_SUCCESS;
    const int a = hosts->host[0].first, b = hosts->host[1].first;
    const int c = hosts->host[2].first, d = hosts->host[3].first;
    double t[2] = {one_way(m, a, b, MOST, 15), 0};
    if (meet(m) < 0)
        return m->err;
    if (m->c->rank == a || m->c->rank == b)
        t[1] = one_way(m, a, b, MOST, 15);
    else
        one_way(m, c, d, MOST, 15);
    if (meet(m) < 0)
        return m->err;
    share(m, t, 2, a);
    *is_parallel = t[1] < 1.5 * t[0];
    return m->err;
}

/* --- the network --- */

/* Rates are written as whole numbers. */
static int
make_layers(const hesca_survey *hosts, double *seconds, hesca_topology *t)
{
    fill_insides(hosts, seconds);
    const int err = hesca_topology_nest(hosts->n, seconds, t);
    for (int k = 0; err == HESCA_SUCCESS && k < t->nlayers; ++k)
        for (int j = 0; j < HESCA_LAYER_RATES; ++j)
            t->layer[k].rate[j] = floor(t->layer[k].rate[j]) + 1;
    for (int k = 0; err == HESCA_SUCCESS && k < hosts->n; ++k)
        t->layer[t->computer[k].layer].is_parallel = 0;
    return err;
}

/* How parallel the layers between hosts are: as all of them together. */
static int
measure_layers(meter *m, const hesca_survey *hosts, hesca_topology *t)
{
    double f[2];
    int err, is_parallel;
    HESCA_TRY(err, measure_factors(m, hosts, t, f));
    HESCA_TRY(err, measure_parallel(m, hosts, &is_parallel));
    for (int k = 0; k < t->nlayers - hosts->n; ++k) {
        t->layer[k].is_parallel = is_parallel;
        t->layer[k].broadcast = f[0];
        t->layer[k].gather = f[1];
    }
fail:
    return err;
}

/* Speeds in millions of operations per second, as whole numbers. */
static void
set_computers(const hesca_survey *hosts, hesca_topology *t)
{
    for (int k = 0; k < hosts->n; ++k) {
        const hesca_survey_host *h = &hosts->host[k];
        hesca_computer *c = &t->computer[k];
        const double speed = h->speed / 1e6;
        snprintf(c->name, sizeof c->name, "%.63s", h->name);
        c->nprocessors = h->cores >= 1 ? (int)h->cores : 1;
        c->speed = speed * (h->cores < 1 ? h->cores : 1);
        c->speed = c->speed >= 1 ? (double)(int64_t)c->speed : 1;
        c->nprocs = h->nprocs;
    }
}

int
probe_topology_measure(const hesca_comm *c, const hesca_survey *hosts,
                       char **text)
{
    hesca_topology t = {.nlayers = 0};
    meter m = {.c = c, .buffer = calloc(2, MOST)};
    double *seconds = malloc((size_t)hosts->n * (size_t)hosts->n *
                             HESCA_LAYER_RATES * sizeof *seconds);
    int err;
    *text = NULL;
    if (m.buffer == NULL || seconds == NULL)
        m.err = hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", hosts->n);
    HESCA_TRY(err, meet(&m));
    HESCA_TRY(err, measure_pairs(&m, hosts, seconds));
    m.err = make_layers(hosts, seconds, &t);
    HESCA_TRY(err, meet(&m));
    HESCA_TRY(err, measure_layers(&m, hosts, &t));
    set_computers(hosts, &t);
    err = c->rank == 0 ? hesca_topology_format(&t, text) : HESCA_SUCCESS;
    err = hesca_agree(c, err, 0, NULL);
fail:
    hesca_topology_clear(&t);
    free(m.buffer);
    free(seconds);
    return err;
}
