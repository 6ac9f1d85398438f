#include "bcast/tree_search.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, OTHERS = 3 };

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
    hesca_broadcast_paths(x->problem, work, time, x->over, work + n);
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
    x->over = malloc(n * sizeof *x->over);
    x->into = malloc(n * n * sizeof *x->into);
    if (x->wanted == NULL || x->branch == NULL || x->over == NULL ||
        x->into == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "tree of %d processes",
                                  tree->problem->nproc));
    hesca_broadcast_wanted(x->problem, x->wanted);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            x->into[j * n + i] = x->problem->cost[i * n + j];
    memset(x->over, -1, n * sizeof *x->over);
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
    free(x->over);
    free(x->into);
    *x = (hesca_tree_search){.problem = NULL};
}

static double
finish(const hesca_tree_search *x)
{
    return x->tree->tail[x->problem->root];
}

/* The place in the tree where the last arrival below branch j and its parent
 * is earliest, -1: no link; and that arrival. */
static int
find_place(const hesca_tree_search *x, int j, double *least)
{
    const hesca_tree *t = x->tree;
    const double *into = x->into + (size_t)j * (size_t)x->problem->nproc;
    int best = -1;
    *least = INFINITY;
    for (int i = 0; i < x->problem->nproc; ++i) {
        /* Without the other children of i. */
        if (!(t->arrive[i] + into[i] + t->tail[j] < *least))
            continue;
        const double last = t->arrive[i] + hesca_tree_tail_with(t, i, j);
        if (last < *least) {
            *least = last;
            best = i;
        }
    }
    return best;
}

/* Whether relay k has nothing to do yet. */
static int
is_idle(const hesca_tree_search *x, int k)
{
    return k >= 0 && k != x->problem->root && !x->wanted[k] &&
           x->tree->parent[k] < 0 && x->tree->first[k] < 0;
}

typedef enum { NO_WAY, DIRECT, OVER_RELAY } way;

/* Graft branch j, over a relay if that is earlier. */
static way
search(hesca_tree_search *x, int j)
{
    double last, later;
    --x->effort;
    hesca_tree_arrivals(x->tree);
    const int place = find_place(x, j, &last), relay = x->over[j];
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
        return NO_WAY;
    hesca_tree_attach(x->tree, place, j);
    return DIRECT;
}

/* Whether another place for branch j makes the tree finish earlier. */
static int
helps(hesca_tree_search *x, int j)
{
    hesca_tree *t = x->tree;
    const int parent = t->parent[j];
    const double before = finish(x);
    --x->effort;
    hesca_tree_detach(t, j);
    if (finish(x) < before) {
        const way w = search(x, j);
        if (w != NO_WAY && finish(x) < before)
            return 1;
        if (w == OVER_RELAY)
            hesca_tree_detach(t, x->over[j]);
        if (w != NO_WAY)
            hesca_tree_detach(t, j);
    }
    hesca_tree_attach(t, parent, j);
    return 0;
}

/* The child of i that the tail of i ends with, -1: a leaf. */
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

/* One branch that the last arrival waits for: it is on the way there, or is
 * served before. */
static int
improve_once(hesca_tree_search *x)
{
    const hesca_tree *t = x->tree;
    for (int i = x->problem->root, last; (last = last_child(t, i)) >= 0;
         i = last)
        for (int j = t->first[i], next;; j = next) {
            next = t->next[j];
            if (x->effort > 0 && helps(x, j))
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

/* splitmix64 */
static int
draw(hesca_tree_search *x, int n)
{
    uint64_t z = (x->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

static void
push(hesca_tree_search *x, int j)
{
    hesca_tree_detach(x->tree, j);
    x->branch[x->nbranches++] = j;
}

/* j and each branch below it. */
static void
cut(hesca_tree_search *x, int j)
{
    if (x->tree->parent[j] < 0)
        return;
    push(x, j);
    while (x->tree->first[j] >= 0)
        push(x, x->tree->first[j]);
}

/* Somebody on the way to the last arrival, and up to three others. */
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

/* Whether branch j has to be searched: no relay without anybody below, and
 * none that another branch has taken with it. */
static int
is_left(const hesca_tree_search *x, int j)
{
    return x->tree->parent[j] < 0 && (x->wanted[j] || x->tree->first[j] >= 0);
}

/* In any order.  0: there is no place for some branch. */
static int
rebuild(hesca_tree_search *x)
{
    for (int n = x->nbranches; n > 0; --n) {
        const int k = draw(x, n), j = x->branch[k];
        x->branch[k] = x->branch[n - 1];
        if (is_left(x, j) && search(x, j) == NO_WAY)
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
