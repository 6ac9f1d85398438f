/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast/pipeline.h"
#include "base/status.h"
#include "bcast/growth.h"
#include <math.h>
#include <stdlib.h>

/* --- costs ---
 * A segment has bytes / segments bytes.  A rate of 0 means that there is no
 * link, and gives an infinite cost. */

void
hesca_pipeline_cost(const hesca_pipeline_problem *m, int segments,
                    double *cost)
{
    const size_t n = (size_t)m->nproc * (size_t)m->nproc;
    for (size_t k = 0; k < n && m->startup == NULL; ++k)
        cost[k] = m->equal.startup + m->bytes / segments / m->equal.rate;
    for (size_t k = 0; k < n && m->startup != NULL; ++k)
        cost[k] = m->rate[k] == 0
                      ? INFINITY
                      : m->startup[k] + m->bytes / segments / m->rate[k];
}

/* Largest number of processes for which the tree search is used. */
enum { SEARCHED = 128 };

/* --- time of a pipelined tree ---
 * Hops are in the order in which they begin, so a process receives a segment
 * before it sends it. */

/* One send of every segment. */
typedef struct {
    int src, dest;
    double cost, busy;
} hop;

/* Used instead of fmax(), which is a function call. */
static double
larger(double x, double y)
{
    return x > y ? x : y;
}

/* Compute the times of all hops, segment by segment, and return the last end.
 * at[i]: arrival of the present segment at i.  sends: [n * segments] receives
 * all sends; or NULL. */
static double
run(const hop *hops, int n, int root, int segments, double *at,
    double *send_free, double *recv_free, hesca_send *sends)
{
    double last = 0;
    for (int k = 0; k < segments; ++k) {
        at[root] = 0;
        for (int h = 0; h < n; ++h) {
            const int i = hops[h].src, j = hops[h].dest;
            const double start =
                larger(at[i], larger(send_free[i], recv_free[j]));
            at[j] = recv_free[j] = start + hops[h].cost;
            send_free[i] = start + hops[h].busy;
            if (sends != NULL)
                *sends++ = (hesca_send){i, j, 0, start, at[j]};
            last = larger(last, at[j]);
        }
    }
    return last;
}

int
hesca_pipeline_list(const hesca_pipeline_problem *m,
                    const hesca_broadcast *tree, int segments,
                    hesca_send *sends, double *seconds)
{
    const size_t n = (size_t)m->nproc;
    double *at = calloc(3 * n, sizeof *at);
    hop *hops = malloc((size_t)(tree->n + 1) * sizeof *hops);
    int err = HESCA_SUCCESS;
    if (at == NULL || hops == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "segments for %d", m->nproc));
    for (int k = 0; k < tree->n; ++k) {
        const hesca_send *s = &tree->send[k];
        const size_t e = (size_t)s->src * n + (size_t)s->dest;
        const hesca_wire w = m->startup == NULL
                                 ? m->equal
                                 : (hesca_wire){m->startup[e], m->rate[e]};
        const double cost = w.startup + m->bytes / segments / w.rate;
        hops[k] = (hop){.src = s->src,
                        .dest = s->dest,
                        .cost = cost,
                        .busy = m->nonblocking ? w.startup : cost};
    }
    *seconds =
        run(hops, tree->n, m->root, segments, at, at + n, at + 2 * n, sends);
fail:
    free(at);
    free(hops);
    return err;
}

int
hesca_pipeline_seconds(const hesca_pipeline_problem *m,
                       const hesca_broadcast *tree, int segments,
                       double *seconds)
{
    return hesca_pipeline_list(m, tree, segments, NULL, seconds);
}

/* --- search for the best segments and tree ---
 * The best result so far is stored; a candidate replaces it only if it is
 * strictly faster. */

/* Try s segments. */
static int
try_segments(const hesca_pipeline_problem *m, const hesca_broadcast *tree,
             int s, int *segments, double *seconds)
{
    double t;
    const int err = hesca_pipeline_seconds(m, tree, s, &t);
    if (err == HESCA_SUCCESS && t < *seconds) {
        *seconds = t;
        *segments = s;
    }
    return err;
}

/* The time as a function of the number s of segments is about a s + b / s + c,
 * so powers of 2 are tried first, then decreasing steps around the best. */
int
hesca_pipeline_tune(const hesca_pipeline_problem *m,
                    const hesca_broadcast *tree, int most, int *segments,
                    double *seconds)
{
    int err = HESCA_SUCCESS;
    *seconds = INFINITY;
    *segments = 1;
    for (int s = 1;; s *= 2) {
        HESCA_TRY(err, try_segments(m, tree, s, segments, seconds));
        if (s > most / 2)
            break;
    }
    for (int step = *segments / 2; step > 0; step /= 2) {
        const int s = *segments;
        if (s <= most - step)
            HESCA_TRY(err, try_segments(m, tree, s + step, segments, seconds));
        if (s > step)
            HESCA_TRY(err, try_segments(m, tree, s - step, segments, seconds));
    }
fail:
    return err;
}

static int
check(const hesca_pipeline_problem *m, int most)
{
    if (most < 1)
        return hesca_fail(HESCA_ERR_ARG, 0, "%d segments: must be >= 1", most);
    if (!(m->bytes > 0) || isinf(m->bytes))
        return hesca_fail(HESCA_ERR_ARG, 0, "message of %g bytes: must be > 0",
                          m->bytes);
    if (m->nproc < 1)
        return hesca_fail(HESCA_ERR_ARG, 0, "%d processes: must be >= 1",
                          m->nproc);
    if (m->startup == NULL &&
        (!(m->equal.startup >= 0) || !(m->equal.rate > 0)))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "start-up %g s, rate %g bytes/s: must be >= 0 and "
                          "> 0",
                          m->equal.startup, m->equal.rate);
    for (int i = 0; i < m->nproc && m->startup != NULL; ++i)
        for (int j = 0; j < m->nproc; ++j) {
            const size_t e = (size_t)i * (size_t)m->nproc + (size_t)j;
            if (i != j && (!(m->startup[e] >= 0) || !(m->rate[e] >= 0)))
                return hesca_fail(HESCA_ERR_ARG, 0,
                                  "from %d to %d: start-up %g s, rate %g "
                                  "bytes/s: must be >= 0",
                                  i, j, m->startup[e], m->rate[e]);
        }
    return HESCA_SUCCESS;
}

/* Store a tree if it is better than the present one; b is cleared. */
static int
try_tree(const hesca_pipeline_problem *m, const char *name, hesca_broadcast *b,
         int most, hesca_pipeline *p)
{
    double seconds;
    int segments;
    const int err = hesca_pipeline_tune(m, b, most, &segments, &seconds);
    if (err == HESCA_SUCCESS && seconds < p->seconds) {
        const hesca_broadcast worse = p->tree;
        p->tree = *b;
        *b = worse;
        p->algorithm = name;
        p->segments = segments;
        p->seconds = seconds;
    }
    hesca_broadcast_clear(b);
    return err;
}

/* Try the tree of one algorithm, for the costs of problem. */
static int
try_algorithm(const hesca_pipeline_problem *m,
              const hesca_broadcast_algorithm *algorithm,
              const hesca_broadcast_problem *problem, int most,
              hesca_pipeline *p)
{
    hesca_broadcast b;
    const int err = hesca_broadcast_find(algorithm, problem, &b);
    if (err == HESCA_ERR_UNSUPPORTED)
        return HESCA_SUCCESS;
    return err < 0 ? err : try_tree(m, algorithm->name, &b, most, p);
}

/* --- shapes ---
 * Trees of fixed shape, for equal links and as candidates for others.  Place 0
 * is the root, and a parent has a lower place than its children. */

/* The parent of a place. */
typedef int parent_of(int place);

static int
chain(int place)
{
    return place - 1;
}

static int
binary(int place)
{
    return (place - 1) / 2;
}

/* Place k sends to k + 1, k + 2, k + 4, ... in rounds. */
static int
binomial(int place)
{
    int bit = 1;
    while (2 * bit <= place)
        bit *= 2;
    return place - bit;
}

/* Places are root, then the destinations.  Sends are in the order of places,
 * in which they can begin. */
static int
try_shape(const hesca_pipeline_problem *m, const char *name, parent_of *parent,
          int most, hesca_pipeline *p)
{
    const int n = m->dest == NULL ? m->nproc : m->ndest + 1;
    int *rank = malloc((size_t)n * sizeof *rank);
    hesca_broadcast b = {.send = calloc((size_t)n, sizeof *b.send)};
    if (rank == NULL || b.send == NULL) {
        free(rank);
        hesca_broadcast_clear(&b);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a tree of %d processes", n);
    }
    rank[0] = m->root;
    for (int k = 1; k < n; ++k)
        rank[k] = m->dest == NULL ? (m->root + k) % m->nproc : m->dest[k - 1];
    for (int k = 1; k < n; ++k)
        b.send[b.n++] = (hesca_send){.src = rank[parent(k)], .dest = rank[k]};
    free(rank);
    return try_tree(m, name, &b, most, p);
}

static int
try_shapes(const hesca_pipeline_problem *m, int most, hesca_pipeline *p)
{
    int err;
    HESCA_TRY(err, try_shape(m, "chain", chain, most, p));
    HESCA_TRY(err, try_shape(m, "binary", binary, most, p));
    HESCA_TRY(err, try_shape(m, "binomial", binomial, most, p));
fail:
    return err;
}

/* --- all candidates ---
 * Shapes come first, so an algorithm is used only if it is strictly faster. */

/* Try all algorithms for the costs of the whole message, and of segments of
 * decreasing length. */
static int
try_all(const hesca_pipeline_problem *m, hesca_broadcast_problem *problem,
        double *cost, int most, hesca_pipeline *p)
{
    static const hesca_broadcast_algorithm *const algorithms[] = {
        &hesca_broadcast_by_graft,        &hesca_broadcast_by_lookahead,
        &hesca_broadcast_by_ecef,         &hesca_broadcast_by_two_phase,
        &hesca_broadcast_by_balanced_mst, &hesca_broadcast_by_chain};
    /* With many processes the tree search takes longer than most messages. */
    const size_t first = m->nproc > SEARCHED;
    int err = HESCA_SUCCESS;
    for (int s = 1;; s *= 8) {
        hesca_pipeline_cost(m, s, cost);
        for (size_t k = first; k < sizeof algorithms / sizeof *algorithms; ++k)
            HESCA_TRY(err, try_algorithm(m, algorithms[k], problem, most, p));
        if (s > most / 8)
            break;
    }
fail:
    return err;
}

int
hesca_pipeline_init(const hesca_pipeline_problem *m, int most,
                    hesca_pipeline *p)
{
    double *cost = NULL;
    int err;
    *p = (hesca_pipeline){.seconds = INFINITY};
    HESCA_TRY(err, check(m, most));
    HESCA_TRY(err, try_shapes(m, most, p));
    if (m->startup == NULL)
        return HESCA_SUCCESS;
    cost = malloc((size_t)m->nproc * (size_t)m->nproc * sizeof *cost);
    if (cost == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "costs of %d processes",
                                  m->nproc));
    hesca_broadcast_problem problem = {.nproc = m->nproc,
                                       .cost = cost,
                                       .startup =
                                           m->nonblocking ? m->startup : NULL,
                                       .root = m->root,
                                       .ndest = m->ndest,
                                       .dest = m->dest,
                                       .relays = m->relays};
    HESCA_TRY(err, try_all(m, &problem, cost, most, p));
    if (p->algorithm == NULL)
        err = hesca_fail(HESCA_ERR_ARG, 0,
                         "no tree from %d whose seconds are a finite number",
                         m->root);
fail:
    free(cost);
    if (err < 0)
        hesca_pipeline_clear(p);
    return err;
}

void
hesca_pipeline_clear(hesca_pipeline *p)
{
    hesca_broadcast_clear(&p->tree);
    *p = (hesca_pipeline){.segments = 0};
}
