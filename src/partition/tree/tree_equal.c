/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "partition/tree/rooted.h"
#include <math.h>
#include <stdlib.h>

/* Source: S. Kundu, J. Misra, A linear tree partitioning algorithm, SIAM J.
 * Comput. 6 (1977): from the leaves up, if the subtree of a vertex is too
 * heavy, its heaviest branches are cut off.  This gives the minimal number of
 * pieces not heavier than a capacity.  Bisection finds the minimal capacity
 * for which there are at most p. */
typedef struct {
    const hesca_rooted *r;
    int64_t *first, *child; /* children of v: child[first[v]] ... */
    int64_t *load; /* [n] weight of v's subtree, less what is cut off */
    char *is_cut;  /* [n] the edge above */
} pruning;

static int
same_models(const hesca_speed *x, const hesca_speed *y)
{
    int n, m;
    const hesca_knot *a = hesca_speed_knots(x, &n),
                     *b = hesca_speed_knots(y, &m);
    if (n != m)
        return 0;
    for (int i = 0; i < n; ++i)
        if (a[i].speed < b[i].speed || a[i].speed > b[i].speed ||
            (n > 1 && (a[i].size < b[i].size || a[i].size > b[i].size)))
            return 0;
    return 1;
}

/* Whether there are limits together with weights. */
static int
has_limits(const hesca_rooted *r)
{
    for (int k = 0; r->x->weight != NULL && k < r->x->p; ++k)
        if (r->x->most[k] < r->x->n)
            return 1;
    return 0;
}

int
hesca_tree_is_equal(const hesca_rooted *r)
{
    for (int k = 1; k < r->x->p; ++k)
        if (r->x->most[k] != r->x->most[0] ||
            (r->speed != NULL && !same_models(r->speed[k], r->speed[0])))
            return 0;
    return !has_limits(r);
}

int
hesca_tree_is_small(const hesca_rooted *r)
{
    enum { WORK_MAX = 6000000 };
    double work = (double)r->x->n;
    for (int k = 0; k < r->x->p && work <= WORK_MAX; ++k)
        work *= 3;
    return r->x->p <= 10 && work <= WORK_MAX && !has_limits(r);
}

static void
list_children(pruning *a)
{
    const hesca_rooted *r = a->r;
    const int64_t n = r->x->n;
    for (int64_t i = 1; i < n; ++i)
        ++a->first[r->parent[r->order[i]] + 2];
    for (int64_t v = 0; v < n; ++v)
        a->first[v + 2] += a->first[v + 1];
    for (int64_t i = 1; i < n; ++i) {
        const int64_t v = r->order[i];
        a->child[a->first[r->parent[v] + 1]++] = v;
    }
}

/* --- one capacity ---
 * is_cut[] and load[] belong to the last capacity tried; the lists of children
 * may be reordered. */

/* Heap sort of children by ascending load, as there may be very many. */
static void
sink(const int64_t *load, int64_t *list, int64_t n, int64_t i)
{
    const int64_t v = list[i];
    for (int64_t k = 2 * i + 1; k < n; k = 2 * i + 1) {
        if (k + 1 < n && load[list[k + 1]] > load[list[k]])
            ++k;
        if (load[list[k]] <= load[v])
            break;
        list[i] = list[k];
        i = k;
    }
    list[i] = v;
}

static void
sort_by_load(const int64_t *load, int64_t *list, int64_t n)
{
    for (int64_t i = n / 2 - 1; i >= 0; --i)
        sink(load, list, n, i);
    for (int64_t i = n - 1; i > 0; --i) {
        const int64_t v = list[0];
        list[0] = list[i];
        list[i] = v;
        sink(load, list, i, 0);
    }
}

/* Cut such that no piece is heavier than the capacity.  Returns the number of
 * pieces; more than p if a single vertex is too heavy. */
static int64_t
cut(pruning *a, int64_t capacity)
{
    const hesca_rooted *r = a->r;
    int64_t pieces = 1;
    for (int64_t i = r->x->n - 1; i >= 0; --i) {
        const int64_t v = r->order[i], n = a->first[v + 1] - a->first[v];
        int64_t *list = a->child + a->first[v], sum = hesca_weight(r->x, v);
        if (sum > capacity)
            return r->x->p + (int64_t)1;
        for (int64_t k = 0; k < n; ++k)
            sum += a->load[list[k]];
        if (sum > capacity)
            sort_by_load(a->load, list, n);
        for (int64_t k = n - 1; k >= 0; --k) {
            a->is_cut[list[k]] = sum > capacity;
            if (sum <= capacity)
                continue;
            sum -= a->load[list[k]];
            ++pieces;
        }
        a->load[v] = sum;
    }
    return pieces;
}

static void
number_pieces(const pruning *a, int *piece)
{
    int n = 0;
    for (int64_t i = 0; i < a->r->x->n; ++i) {
        const int64_t v = a->r->order[i], u = a->r->parent[v];
        piece[v] = u < 0 ? n++ : a->is_cut[v] ? n++ : piece[u];
    }
}

int
hesca_tree_equal(const hesca_rooted *r, int *piece)
{
    const size_t n = (size_t)r->x->n;
    pruning a = {.r = r,
                 .first = calloc(n + 2, sizeof *a.first),
                 .child = malloc((n + 1) * sizeof *a.child),
                 .load = malloc((n + 1) * sizeof *a.load),
                 .is_cut = malloc(n + 1)};
    int err = HESCA_SUCCESS;
    if (a.first == NULL || a.child == NULL || a.load == NULL ||
        a.is_cut == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "tree of %zu vertices", n));
    list_children(&a);
    int64_t low = -1, high = hesca_rooted_capacity(r, 0, INFINITY);
    if (cut(&a, high) > r->x->p)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                                  "no %d connected parts are within the "
                                  "limits",
                                  r->x->p));
    while (high - low > 1) {
        const int64_t mid = low + (high - low) / 2;
        if (cut(&a, mid) <= r->x->p)
            high = mid;
        else
            low = mid;
    }
    cut(&a, high);
    number_pieces(&a, piece);
fail:
    free(a.first);
    free(a.child);
    free(a.load);
    free(a.is_cut);
    return err;
}
