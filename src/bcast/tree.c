/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast/tree.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- The members of a tree are parts of two arrays. */

int
hesca_tree_init(hesca_tree *t, const hesca_broadcast_problem *problem)
{
    const size_t n = (size_t)problem->nproc;
    *t = (hesca_tree){.problem = problem};
    t->parent = malloc(4 * n * sizeof *t->parent);
    t->busy = malloc(4 * n * sizeof *t->busy);
    if (t->parent == NULL || t->busy == NULL) {
        hesca_tree_clear(t);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "tree of %d processes",
                          problem->nproc);
    }
    t->first = t->parent + n;
    t->next = t->first + n;
    t->stack = t->next + n;
    t->rest = t->busy + n;
    t->tail = t->rest + n;
    t->arrive = t->tail + n;
    hesca_tree_reset(t);
    return HESCA_SUCCESS;
}

void
hesca_tree_reset(hesca_tree *t)
{
    const size_t n = (size_t)t->problem->nproc;
    memset(t->parent, -1, 3 * n * sizeof *t->parent);
    memset(t->busy, 0, 3 * n * sizeof *t->busy);
}

void
hesca_tree_copy(hesca_tree *to, const hesca_tree *from)
{
    const size_t n = (size_t)from->problem->nproc;
    memcpy(to->parent, from->parent, 3 * n * sizeof *to->parent);
    memcpy(to->busy, from->busy, 3 * n * sizeof *to->busy);
}

/* --- order of children ---
 * Siblings are sorted by descending rest + tail, then by number.  tail[i] is
 * always that of the present children of i. */

/* The seconds by which children are sorted. */
static double
after_sending(const hesca_tree *t, int j)
{
    return t->rest[j] + t->tail[j];
}

static int
comes_before(const hesca_tree *t, int j, int k)
{
    const double a = after_sending(t, j), b = after_sending(t, k);
    return a > b || (a == b && j < k);
}

static void
insert_child(hesca_tree *t, int i, int j)
{
    int *at = &t->first[i];
    while (*at >= 0 && comes_before(t, *at, j))
        at = &t->next[*at];
    t->next[j] = *at;
    *at = j;
}

static void
remove_child(hesca_tree *t, int i, int j)
{
    int *at = &t->first[i];
    while (*at != j)
        at = &t->next[*at];
    *at = t->next[j];
    t->next[j] = -1;
}

static double
tail(const hesca_tree *t, int i)
{
    double sent = 0, last = 0;
    for (int j = t->first[i]; j >= 0; j = t->next[j]) {
        sent += t->busy[j];
        last = fmax(last, sent + after_sending(t, j));
    }
    return last;
}

double
hesca_tree_tail_with(const hesca_tree *t, int i, int j)
{
    const double busy = hesca_broadcast_busy(t->problem, i, j);
    const double after =
        hesca_broadcast_cost(t->problem, i, j) - busy + t->tail[j];
    double sent = 0, last = 0;
    int k = t->first[i];
    for (; k >= 0 && after_sending(t, k) >= after; k = t->next[k]) {
        sent += t->busy[k];
        last = fmax(last, sent + after_sending(t, k));
    }
    sent += busy;
    last = fmax(last, sent + after);
    for (; k >= 0; k = t->next[k]) {
        sent += t->busy[k];
        last = fmax(last, sent + after_sending(t, k));
    }
    return last;
}

/* Update the tails of i, whose children have changed, and of its ancestors;
 * stop at the first tail that is unchanged. */
static void
update_tails(hesca_tree *t, int i)
{
    for (double new; i >= 0 && (new = tail(t, i)) != t->tail[i];) {
        const int up = t->parent[i];
        if (up >= 0)
            remove_child(t, up, i);
        t->tail[i] = new;
        if (up >= 0)
            insert_child(t, up, i);
        i = up;
    }
}

static void
join(hesca_tree *t, int i, int j)
{
    t->parent[j] = i;
    t->busy[j] = hesca_broadcast_busy(t->problem, i, j);
    t->rest[j] = hesca_broadcast_cost(t->problem, i, j) - t->busy[j];
    insert_child(t, i, j);
}

void
hesca_tree_attach(hesca_tree *t, int i, int j)
{
    join(t, i, j);
    update_tails(t, i);
}

void
hesca_tree_detach(hesca_tree *t, int j)
{
    const int i = t->parent[j];
    remove_child(t, i, j);
    t->parent[j] = -1;
    update_tails(t, i);
}

/* --- whole trees ---
 * Processes that are not in the tree have parent -1, no children and tail 0.
 */

/* From the leaves up: a process is attached to its parent when all its own
 * children are attached.  left[i]: number of children that are not; -1: i
 * itself is finished. */
void
hesca_tree_build(hesca_tree *t, const int *parent)
{
    int *left = t->stack;
    const int n = t->problem->nproc;
    hesca_tree_reset(t);
    memset(left, 0, (size_t)n * sizeof *left);
    for (int j = 0; j < n; ++j)
        if (parent[j] >= 0)
            ++left[parent[j]];
    for (int leaf = 0; leaf < n; ++leaf)
        for (int j = leaf; left[j] == 0;) {
            const int i = parent[j];
            left[j] = -1;
            t->tail[j] = tail(t, j);
            if (i < 0)
                break;
            join(t, i, j);
            --left[i];
            j = i;
        }
}

void
hesca_tree_read(hesca_tree *t, const hesca_broadcast *b)
{
    /* arrive is not used by hesca_tree_build(), so it can have the parents. */
    int *parent = (int *)(void *)t->arrive;
    memset(parent, -1, (size_t)t->problem->nproc * sizeof *parent);
    for (int k = 0; k < b->n; ++k)
        parent[b->send[k].dest] = b->send[k].src;
    hesca_tree_build(t, parent);
}

void
hesca_tree_prune(hesca_tree *t, const char *wanted)
{
    for (int k = 0; k < t->problem->nproc; ++k)
        for (int j = k, up;
             !wanted[j] && t->first[j] < 0 && (up = t->parent[j]) >= 0; j = up)
            hesca_tree_detach(t, j);
}

void
hesca_tree_arrivals(hesca_tree *t)
{
    const int root = t->problem->root;
    int n = 0;
    for (int i = 0; i < t->problem->nproc; ++i)
        t->arrive[i] = INFINITY;
    t->arrive[root] = 0;
    t->stack[n++] = root;
    while (n > 0) {
        const int i = t->stack[--n];
        double sent = t->arrive[i];
        for (int j = t->first[i]; j >= 0; j = t->next[j]) {
            sent += t->busy[j];
            t->arrive[j] = sent + t->rest[j];
            t->stack[n++] = j;
        }
    }
}

/* Times are summed in the same order as by hesca_growth_send(), so that they
 * are rounded in the same way. */
void
hesca_tree_write(hesca_tree *t, hesca_broadcast *b)
{
    const hesca_broadcast_problem *x = t->problem;
    int n = 0;
    b->n = 0;
    t->arrive[x->root] = 0;
    t->stack[n++] = x->root;
    while (n > 0) {
        const int i = t->stack[--n];
        double start = t->arrive[i];
        for (int j = t->first[i]; j >= 0; j = t->next[j]) {
            t->arrive[j] = start + hesca_broadcast_cost(x, i, j);
            b->send[b->n++] = (hesca_send){
                .src = i, .dest = j, .start = start, .end = t->arrive[j]};
            start += t->busy[j];
            t->stack[n++] = j;
        }
    }
}

void
hesca_tree_clear(hesca_tree *t)
{
    free(t->parent);
    free(t->busy);
    *t = (hesca_tree){.problem = NULL};
}
