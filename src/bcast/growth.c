/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast/growth.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- shortest paths ---
 * The time of a process that is done is final, and no larger than that of any
 * process that is not. */

void
hesca_broadcast_wanted(const hesca_broadcast_problem *x, char *wanted)
{
    memset(wanted, x->dest == NULL, (size_t)x->nproc);
    for (int k = 0; x->dest != NULL && k < x->ndest; ++k)
        wanted[x->dest[k]] = 1;
    wanted[x->root] = 0;
}

/* Of the processes that are not done, the one that is reached first; -1 if
 * none of them is reached. */
static int
next_reached(int nproc, const double *time, const char *done)
{
    int first = -1;
    for (int i = 0; i < nproc; ++i)
        if (!done[i] && time[i] < (first < 0 ? INFINITY : time[first]))
            first = i;
    return first;
}

void
hesca_broadcast_paths(const hesca_broadcast_problem *x, const char *may,
                      double *time, int *from, char *done)
{
    memset(done, 0, (size_t)x->nproc);
    for (int i = 0; from != NULL && i < x->nproc; ++i)
        from[i] = -1;
    for (int i; (i = next_reached(x->nproc, time, done)) >= 0;) {
        const double *c = x->cost + (size_t)i * (size_t)x->nproc;
        done[i] = 1;
        for (int j = 0; j < x->nproc; ++j)
            if (may[j] && !done[j] && time[i] + c[j] < time[j]) {
                time[j] = time[i] + c[j];
                if (from != NULL)
                    from[j] = i;
            }
    }
}

int
hesca_broadcast_reach(const hesca_broadcast_problem *problem, double *ert)
{
    const size_t n = (size_t)problem->nproc;
    char *may = malloc(2 * n);
    if (may == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", problem->nproc);
    hesca_broadcast_wanted(problem, may);
    if (problem->relays)
        memset(may, 1, n);
    for (int i = 0; i < problem->nproc; ++i)
        ert[i] = i == problem->root ? 0 : INFINITY;
    hesca_broadcast_paths(problem, may, ert, NULL, may + n);
    free(may);
    return HESCA_SUCCESS;
}

int
hesca_broadcast_bound(const hesca_broadcast_problem *problem, double *seconds)
{
    const size_t n = (size_t)problem->nproc;
    double *ert = malloc(n * sizeof *ert);
    char *wanted = malloc(n);
    int err = HESCA_SUCCESS;
    *seconds = 0;
    if (ert == NULL || wanted == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "times of %d processes",
                                  problem->nproc));
    HESCA_TRY(err, hesca_broadcast_reach(problem, ert));
    hesca_broadcast_wanted(problem, wanted);
    for (int i = 0; i < problem->nproc; ++i)
        if (wanted[i] && ert[i] > *seconds)
            *seconds = ert[i];
fail:
    free(ert);
    free(wanted);
    return err;
}

/* --- growth ---
 * A, B and I are disjoint, and their lists ascend.  ready and joined are
 * finite for members of A only, and wants is 1 for members of B only. */

int
hesca_growth_init(hesca_growth *g, const hesca_broadcast_problem *problem,
                  hesca_broadcast *b)
{
    const size_t n = (size_t)problem->nproc;
    *g = (hesca_growth){.problem = problem, .b = b, .na = 1};
    g->a = malloc(3 * n * sizeof *g->a);
    g->wants = malloc(n);
    g->ready = malloc(2 * n * sizeof *g->ready);
    if (g->a == NULL || g->wants == NULL || g->ready == NULL) {
        hesca_growth_clear(g);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "sets of %d processes",
                          problem->nproc);
    }
    g->bs = g->a + n;
    g->is = g->bs + n;
    g->joined = g->ready + n;
    hesca_broadcast_wanted(problem, g->wants);
    for (int i = 0; i < problem->nproc; ++i) {
        g->ready[i] = g->joined[i] = i == problem->root ? 0 : INFINITY;
        if (g->wants[i])
            g->bs[g->nb++] = i;
        else if (i != problem->root)
            g->is[g->ni++] = i;
    }
    g->a[0] = problem->root;
    return HESCA_SUCCESS;
}

static void
list_remove(int *list, int *n, int value)
{
    int k = 0;
    while (list[k] != value)
        ++k;
    --*n;
    memmove(list + k, list + k + 1, (size_t)(*n - k) * sizeof *list);
}

static void
list_insert(int *list, int *n, int value)
{
    int k = (*n)++;
    for (; k > 0 && list[k - 1] > value; --k)
        list[k] = list[k - 1];
    list[k] = value;
}

void
hesca_growth_send(hesca_growth *g, int src, int dest)
{
    const double start = g->ready[src];
    const double end = start + hesca_broadcast_cost(g->problem, src, dest);
    g->b->send[g->b->n++] =
        (hesca_send){.src = src, .dest = dest, .start = start, .end = end};
    g->ready[src] += hesca_broadcast_busy(g->problem, src, dest);
    g->ready[dest] = g->joined[dest] = end;
    if (g->wants[dest])
        list_remove(g->bs, &g->nb, dest);
    else
        list_remove(g->is, &g->ni, dest);
    g->wants[dest] = 0;
    list_insert(g->a, &g->na, dest);
}

int
hesca_growth_stuck(const hesca_growth *g)
{
    return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                      "broadcast: process %d can be reached by relays only, "
                      "which this algorithm does not use",
                      g->bs[0]);
}

void
hesca_growth_clear(hesca_growth *g)
{
    free(g->a);
    free(g->wants);
    free(g->ready);
    *g = (hesca_growth){.problem = NULL};
}
