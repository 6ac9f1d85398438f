/* SPDX-License-Identifier: BSD-3-Clause */
/* The alternating near-far approach: BHAT-COL 6, a sketch.
 *
 * As published: processes are sorted by earliest reach time; the nearest
 * receives the message first, then the farthest; the nearest and its receivers
 * send to the nearest remaining processes, the farthest and its receivers to
 * the farthest.  The paper leaves the following open; chosen here:
 * - The root sends the first two messages and then belongs to the near group;
 *   the second message may come from the nearest if that is earlier.
 * - In a group, the member that completes first sends.
 * - The next step is that of the group whose message begins earlier, as if
 *   both worked independently; the near group if both begin together.
 * - A group skips processes to which it has no link.
 *
 * --- groups ---
 * Every member of A is in one of both groups.  order has all destinations;
 * those that have the message already are skipped. */
#include "base/status.h"
#include "bcast/growth.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { NEAR = 1, FAR = 2 };

typedef struct {
    hesca_growth g;
    double *ert; /* [nproc] earliest reach times */
    int *order;  /* [ndest] destinations by ascending ERT */
    char *group; /* [nproc] NEAR or FAR; 0: not in A */
    int ndest;
} plan;

typedef struct {
    int src, dest; /* src: -1 if there is none */
} event;

static int
sender(const plan *p, int group, int j)
{
    const hesca_growth *g = &p->g;
    double least = INFINITY;
    int best = -1;
    for (int k = 0; k < g->na; ++k) {
        const int i = g->a[k];
        const double t = g->ready[i] + hesca_broadcast_cost(g->problem, i, j);
        if (p->group[i] == group && t < least) {
            least = t;
            best = i;
        }
    }
    return best;
}

/* The next message of a group. */
static event
next_event(const plan *p, int group)
{
    for (int k = 0; k < p->ndest; ++k) {
        const int j = p->order[group == NEAR ? k : p->ndest - 1 - k];
        const int i = p->g.wants[j] ? sender(p, group, j) : -1;
        if (i >= 0)
            return (event){.src = i, .dest = j};
    }
    return (event){.src = -1};
}

static void
send(plan *p, event e, int group)
{
    hesca_growth_send(&p->g, e.src, e.dest);
    p->group[e.dest] = (char)group;
}

static int
step(plan *p, int group)
{
    const event e = next_event(p, group);
    if (e.src >= 0)
        send(p, e, group);
    return e.src >= 0;
}

static int
next_group(const plan *p)
{
    const event near = next_event(p, NEAR), far = next_event(p, FAR);
    if (near.src < 0 || far.src < 0)
        return near.src < 0 ? FAR : NEAR;
    return p->g.ready[far.src] < p->g.ready[near.src] ? FAR : NEAR;
}

/* --- growth ---
 * The first two messages are those of the root, or of the nearest; then B
 * shrinks by one process in every step. */

static void
assign(plan *p, int group)
{
    for (int k = 0; k < p->g.na; ++k)
        p->group[p->g.a[k]] = (char)group;
}

static int
grow(plan *p)
{
    assign(p, NEAR);
    if (p->g.nb > 0 && !step(p, NEAR))
        return hesca_growth_stuck(&p->g);
    assign(p, FAR);
    const event far = next_event(p, FAR);
    assign(p, NEAR);
    if (far.src >= 0)
        send(p, far, FAR);
    while (p->g.nb > 0)
        if (!step(p, next_group(p)))
            return hesca_growth_stuck(&p->g);
    return HESCA_SUCCESS;
}

static void
sort(plan *p)
{
    for (int k = 0; k < p->g.nb; ++k) {
        const int j = p->g.bs[k];
        int l = p->ndest++;
        for (; l > 0 && p->ert[p->order[l - 1]] > p->ert[j]; --l)
            p->order[l] = p->order[l - 1];
        p->order[l] = j;
    }
}

static int
make(const hesca_broadcast_algorithm *algorithm,
     const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    const size_t n = (size_t)problem->nproc;
    plan p = {.ert = malloc(n * sizeof *p.ert),
              .order = malloc(n * sizeof *p.order),
              .group = calloc(n, 1)};
    int err = hesca_growth_init(&p.g, problem, b);
    (void)algorithm;
    if (err < 0)
        goto fail;
    if (p.ert == NULL || p.order == NULL || p.group == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "times of %d processes",
                                  problem->nproc));
    HESCA_TRY(err, hesca_broadcast_reach(problem, p.ert));
    sort(&p);
    HESCA_TRY(err, grow(&p));
fail:
    hesca_growth_clear(&p.g);
    free(p.ert);
    free(p.order);
    free(p.group);
    return err;
}

const hesca_broadcast_algorithm hesca_broadcast_by_near_far = {
    .name = "near-far",
    .help = "nearest and farthest by earliest reach time",
    .most = INT_MAX,
    .make = make,
};
