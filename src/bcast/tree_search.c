/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast/tree_search.h"
#include "base/splitmix.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, OTHERS = 3 };

/* --- construction ---
 * A failed initialization leaves an object that may be cleared again. */

/* The relay before each process on its shortest path from root. */
static int
find_relays(hesca_tree_search *x)
{
    const size_t n = (size_t)x->problem->nproc;
    double *time = malloc(n * sizeof *time);
    char *work = malloc(2 * n);
    int err = HESCA_SUCCESS;
    if (time == NULL || work == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "paths of %d processes",
                                  x->problem->nproc));
    memset(work, 1, n);
    for (int i = 0; i < x->problem->nproc; ++i)
        time[i] = i == x->problem->root ? 0 : INFINITY;
    hesca_broadcast_paths(x->problem, work, time, x->relay_of, work + n);
fail:
    free(time);
    free(work);
    return err;
}

int
hesca_tree_search_init(hesca_tree_search *x, hesca_tree *tree)
{
    const size_t n = (size_t)tree->problem->nproc;
    int err = HESCA_SUCCESS;
    *x = (hesca_tree_search){.problem = tree->problem, .tree = tree};
    x->wanted = malloc(n);
    x->branch = malloc(n * sizeof *x->branch);
    x->relay_of = malloc(n * sizeof *x->relay_of);
    x->cost_to = malloc(n * n * sizeof *x->cost_to);
    if (x->wanted == NULL || x->branch == NULL || x->relay_of == NULL ||
        x->cost_to == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "tree of %d processes",
                                  tree->problem->nproc));
    hesca_broadcast_wanted(x->problem, x->wanted);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            x->cost_to[j * n + i] = x->problem->cost[i * n + j];
    memset(x->relay_of, -1, n * sizeof *x->relay_of);
    if (x->problem->relays)
        HESCA_TRY(err, find_relays(x));
    HESCA_TRY(err, hesca_tree_init(&x->before, x->problem));
fail:
    if (err < 0)
        hesca_tree_search_clear(x);
    return err;
}

void
hesca_tree_search_clear(hesca_tree_search *x)
{
    hesca_tree_clear(&x->before);
    free(x->wanted);
    free(x->branch);
    free(x->relay_of);
    free(x->cost_to);
    *x = (hesca_tree_search){.problem = NULL};
}

static double
finish(const hesca_tree_search *x)
{
    return x->tree->tail[x->problem->root];
}

/* --- moving a branch ---
 * A branch is a process with all processes below it.  The tree without
 * detached branches is valid at all times, and its tails are up to date. */

/* The process to which detached branch j is attached best: the last arrival
 * below this process, with j, is earliest.  Return -1 if there is no link;
 * *least is this arrival. */
static int
find_place(const hesca_tree_search *x, int j, double *least)
{
    const hesca_tree *t = x->tree;
    const double *cost_to = x->cost_to + (size_t)j * (size_t)x->problem->nproc;
    int best = -1;
    *least = INFINITY;
    for (int i = 0; i < x->problem->nproc; ++i) {
        /* A lower bound: the time without the other children of i. */
        if (!(t->arrive[i] + cost_to[i] + t->tail[j] < *least))
            continue;
        const double last = t->arrive[i] + hesca_tree_tail_with(t, i, j);
        if (last < *least) {
            *least = last;
            best = i;
        }
    }
    return best;
}

/* Whether k is a relay that is not in the tree and has no children. */
static int
is_idle(const hesca_tree_search *x, int k)
{
    return k >= 0 && k != x->problem->root && !x->wanted[k] &&
           x->tree->parent[k] < 0 && x->tree->first[k] < 0;
}

typedef enum { UNREACHABLE, DIRECT, OVER_RELAY } path;

/* Attach detached branch j at its best place, over a relay if that is earlier.
 */
static path
reattach(hesca_tree_search *x, int j)
{
    double last, later;
    --x->effort;
    hesca_tree_arrivals(x->tree);
    const int place = find_place(x, j, &last), relay = x->relay_of[j];
    if (is_idle(x, relay)) {
        hesca_tree_attach(x->tree, relay, j);
        const int other = find_place(x, relay, &later);
        if (other >= 0 && later < last) {
            hesca_tree_attach(x->tree, other, relay);
            return OVER_RELAY;
        }
        hesca_tree_detach(x->tree, j);
    }
    if (place < 0)
        return UNREACHABLE;
    hesca_tree_attach(x->tree, place, j);
    return DIRECT;
}

/* Move branch j if the tree finishes earlier with it at another place.  Return
 * whether it was moved; otherwise the tree is unchanged. */
static int
move_if_better(hesca_tree_search *x, int j)
{
    hesca_tree *t = x->tree;
    const int parent = t->parent[j];
    const double before = finish(x);
    --x->effort;
    hesca_tree_detach(t, j);
    if (finish(x) < before) {
        const path w = reattach(x, j);
        if (w != UNREACHABLE && finish(x) < before)
            return 1;
        if (w == OVER_RELAY)
            hesca_tree_detach(t, x->relay_of[j]);
        if (w != UNREACHABLE)
            hesca_tree_detach(t, j);
    }
    hesca_tree_attach(t, parent, j);
    return 0;
}

/* --- improvement ---
 * Every move makes the finish strictly earlier, so the loop ends. */

/* The child of i below which the last arrival is, or which has it; -1 if i is
 * a leaf. */
static int
last_child(const hesca_tree *t, int i)
{
    double sent = 0, last = -1;
    int child = -1;
    for (int j = t->first[i]; j >= 0; j = t->next[j]) {
        sent += t->busy[j];
        if (sent + t->rest[j] + t->tail[j] > last) {
            last = sent + t->rest[j] + t->tail[j];
            child = j;
        }
    }
    return child;
}

/* Move one branch on which the last arrival depends: it is on the path to it,
 * or its sender sends to it before. */
static int
improve_once(hesca_tree_search *x)
{
    const hesca_tree *t = x->tree;
    for (int i = x->problem->root, last; (last = last_child(t, i)) >= 0;
         i = last)
        for (int j = t->first[i], next;; j = next) {
            next = t->next[j];
            if (x->effort > 0 && move_if_better(x, j))
                return 1;
            if (j == last || x->effort <= 0)
                break;
        }
    return 0;
}

void
hesca_tree_search_improve(hesca_tree_search *x, long effort)
{
    x->effort = effort;
    while (improve_once(x))
        ;
    hesca_tree_prune(x->tree, x->wanted);
}

/* --- perturbation ---
 * A perturbed tree that finishes later, or that misses a branch, is replaced
 * by the previous one, so the finish never increases. */

/* A random number in 0 ... n - 1. */
static int
draw(hesca_tree_search *x, int n)
{
    return (int)(hesca_splitmix(&x->random) % (uint64_t)n);
}

static void
push(hesca_tree_search *x, int j)
{
    hesca_tree_detach(x->tree, j);
    x->branch[x->nbranches++] = j;
}

/* Detach j, and each branch below it. */
static void
cut(hesca_tree_search *x, int j)
{
    if (x->tree->parent[j] < 0)
        return;
    push(x, j);
    while (x->tree->first[j] >= 0)
        push(x, x->tree->first[j]);
}

/* Detach a random process on the path to the last arrival, and up to three
 * others. */
static void
ruin(hesca_tree_search *x)
{
    int chain[LONGEST], n = 0;
    for (int i = x->problem->root, last;
         n < LONGEST && (last = last_child(x->tree, i)) >= 0; i = last)
        chain[n++] = last;
    x->nbranches = 0;
    if (n > 0)
        cut(x, chain[draw(x, n)]);
    for (int k = draw(x, OTHERS + 1); k > 0; --k)
        cut(x, draw(x, x->problem->nproc));
}

/* Whether branch j has to be attached: it is not in the tree already, as a
 * relay of another branch, and is not a relay without children. */
static int
is_left(const hesca_tree_search *x, int j)
{
    return x->tree->parent[j] < 0 && (x->wanted[j] || x->tree->first[j] >= 0);
}

/* Attach the branches in random order; 0 if there is no place for one. */
static int
rebuild(hesca_tree_search *x)
{
    for (int n = x->nbranches; n > 0; --n) {
        const int k = draw(x, n), j = x->branch[k];
        x->branch[k] = x->branch[n - 1];
        if (is_left(x, j) && reattach(x, j) == UNREACHABLE)
            return 0;
    }
    if (x->problem->relays)
        hesca_tree_prune(x->tree, x->wanted);
    return 1;
}

void
hesca_tree_search_shake(hesca_tree_search *x, long effort)
{
    x->effort = x->problem->nproc > 2 ? effort : 0;
    while (x->effort-- > 0) {
        const double before = finish(x);
        hesca_tree_copy(&x->before, x->tree);
        ruin(x);
        if (!rebuild(x) || finish(x) > before)
            hesca_tree_copy(x->tree, &x->before);
    }
}
