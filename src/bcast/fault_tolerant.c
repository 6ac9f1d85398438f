/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast/fault_tolerant.h"
#include "base/status.h"
#include "bcast/growth.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- redundant sends ---
 * Second copies begin after all first ones of both processes, so the
 * completion time is unchanged.  They are added in the order of first copies.
 */

/* The broadcast as a tree, and the times at which ports are free after it. */
typedef struct {
    const hesca_broadcast_problem *problem;
    hesca_broadcast *b;
    int n;        /* number of first copies; they are sorted by start, so
                     parents come before their children */
    int *parent;  /* [nproc] -1: root, or does not receive */
    int *shared;  /* [nproc] number of forwarders that are on the path to this
                     process and on the path to the present receiver; -1: it
                     depends on the present receiver, or does not receive */
    char *on_way; /* [nproc] whether it is on the path to the present receiver
                     as a forwarder */
    double *send_free; /* [nproc] time from which on it can send */
    double *has;       /* [nproc] arrival of the first copy; INFINITY: none */
} plan;

static void
read_tree(plan *p)
{
    for (int i = 0; i < p->problem->nproc; ++i) {
        p->parent[i] = -1;
        p->has[i] = i == p->problem->root ? 0 : INFINITY;
        p->send_free[i] = 0;
    }
    for (int k = 0; k < p->n; ++k) {
        const hesca_send *s = &p->b->send[k];
        p->parent[s->dest] = s->src;
        p->has[s->dest] = p->send_free[s->dest] = s->end;
        p->send_free[s->src] =
            s->start + hesca_broadcast_busy(p->problem, s->src, s->dest);
    }
}

/* Compute shared for receiver dest.  The root is not counted as a forwarder,
 * because without it there is no message. */
static void
find_shared(plan *p, int dest)
{
    const int root = p->problem->root;
    memset(p->on_way, 0, (size_t)p->problem->nproc);
    for (int i = p->parent[dest]; i >= 0 && i != root; i = p->parent[i])
        p->on_way[i] = 1;
    for (int i = 0; i < p->problem->nproc; ++i)
        p->shared[i] = i == root ? 0 : -1;
    for (int k = 0; k < p->n; ++k) {
        const int i = p->b->send[k].dest, up = p->shared[p->parent[i]];
        p->shared[i] = i == dest || up < 0 ? -1 : up + p->on_way[i];
    }
}

/* Add the second copy of dest, if there is a sender. */
static void
add_one(plan *p, int dest)
{
    double end = INFINITY;
    int best = -1;
    find_shared(p, dest);
    for (int i = 0; i < p->problem->nproc; ++i) {
        if (p->shared[i] < 0 || i == p->parent[dest] ||
            (best >= 0 && p->shared[i] > p->shared[best]))
            continue;
        const double t = fmax(p->send_free[i], p->has[dest]) +
                         hesca_broadcast_cost(p->problem, i, dest);
        if (t < end ||
            (best >= 0 && !isinf(t) && p->shared[i] < p->shared[best])) {
            end = t;
            best = i;
        }
    }
    if (best < 0)
        return;
    const double start = fmax(p->send_free[best], p->has[dest]);
    p->b->send[p->b->n++] =
        (hesca_send){.src = best, .dest = dest, .start = start, .end = end};
    p->send_free[best] = start + hesca_broadcast_busy(p->problem, best, dest);
}

int
hesca_broadcast_add_redundant(const hesca_broadcast_problem *problem,
                              hesca_broadcast *b)
{
    const size_t n = (size_t)problem->nproc;
    plan p = {.problem = problem,
              .b = b,
              .n = b->n,
              .parent = malloc(2 * n * sizeof *p.parent),
              .on_way = malloc(2 * n),
              .has = malloc(2 * n * sizeof *p.has)};
    int err = HESCA_SUCCESS;
    if (p.parent == NULL || p.on_way == NULL || p.has == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "ways to %d processes",
                                  problem->nproc));
    p.shared = p.parent + n;
    p.send_free = p.has + n;
    hesca_broadcast_sort(b);
    read_tree(&p);
    hesca_broadcast_wanted(problem, p.on_way + n);
    for (int k = 0; k < p.n; ++k)
        if (p.on_way[n + (size_t)b->send[k].dest])
            add_one(&p, b->send[k].dest);
fail:
    free(p.parent);
    free(p.on_way);
    free(p.has);
    return err;
}

/* --- failures ---
 * A failed process receives and sends nothing; the others send as planned. */

/* Propagate the message until no further process is reached.  More than one
 * pass may be needed, because a process may get its first copy late, from a
 * redundant send. */
static void
propagate(const hesca_broadcast *b, int failed, char *reached)
{
    for (int more = 1; more;) {
        more = 0;
        for (int k = 0; k < b->n; ++k) {
            const hesca_send *s = &b->send[k];
            if (s->dest != failed && reached[s->src] && !reached[s->dest])
                reached[s->dest] = 1, more = 1;
        }
    }
}

int
hesca_broadcast_fail(const hesca_broadcast_problem *problem,
                     const hesca_broadcast *b, int failed, char *reached,
                     int *n)
{
    const size_t size = (size_t)problem->nproc;
    char *work = malloc(2 * size), *wanted = work;
    *n = 0;
    if (work == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", problem->nproc);
    char *has = work + size;
    memset(has, 0, size);
    has[problem->root] = failed != problem->root;
    propagate(b, failed, has);
    hesca_broadcast_wanted(problem, wanted);
    for (size_t i = 0; i < size; ++i)
        *n += wanted[i] && has[i];
    if (reached != NULL)
        memcpy(reached, has, size);
    free(work);
    return HESCA_SUCCESS;
}

int
hesca_broadcast_robustness(const hesca_broadcast_problem *problem,
                           const hesca_broadcast *b, hesca_robustness *r)
{
    const int ndest = hesca_broadcast_ndest(problem);
    double sum = 0;
    int err = HESCA_SUCCESS, failures = 0;
    char *wanted = malloc((size_t)problem->nproc);
    *r = (hesca_robustness){.sends = b->n, .mean = 1, .worst = 1};
    if (wanted == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", problem->nproc);
    hesca_broadcast_wanted(problem, wanted);
    for (int i = 0; i < problem->nproc; ++i) {
        const int others = ndest - wanted[i];
        int n;
        if (i == problem->root || others == 0)
            continue;
        HESCA_TRY(err, hesca_broadcast_fail(problem, b, i, NULL, &n));
        sum += (double)n / others;
        r->worst = fmin(r->worst, (double)n / others);
        ++failures;
    }
    r->mean = failures > 0 ? sum / failures : 1;
fail:
    free(wanted);
    return err;
}
