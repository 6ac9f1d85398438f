/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers from the times of messages between all pairs of computers. */
#include "base/status.h"
#include "machine/topology.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Times within this factor belong to one layer. */
static const double SLACK = 1.25;
enum { LARGE = HESCA_LAYER_RATES - 1 };

/* Clusters of computers, that grow until there is one. */
typedef struct {
    int n;
    const double *seconds; /* [n][n][HESCA_LAYER_RATES] */
    hesca_layer *layer;    /* [2 n] the innermost first */
    int nlayers;
    int *cluster; /* [n] of each computer: the least of its numbers */
    int *root;    /* [n] of a cluster: its layer; -1: a computer alone */
    int *inner;   /* [n] of a computer: the layer around it */
    int *before;  /* [n] */
    double *list; /* [n n] */
} nest;

static int
ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The slower direction. */
static double
between(const nest *x, int i, int j, size_t k)
{
    const size_t n = (size_t)x->n, a = (size_t)i, b = (size_t)j;
    const double there = x->seconds[(a * n + b) * HESCA_LAYER_RATES + k];
    const double back = x->seconds[(b * n + a) * HESCA_LAYER_RATES + k];
    return there > back ? there : back;
}

static double
nearest(const nest *x)
{
    double least = DBL_MAX;
    for (int i = 0; i < x->n; ++i)
        for (int j = 0; j < i; ++j)
            if (x->cluster[i] != x->cluster[j]) {
                const double t = between(x, i, j, LARGE);
                least = t < least ? t : least;
            }
    return least;
}

static void
join(nest *x, int a, int b)
{
    const int least = a < b ? a : b, most = a < b ? b : a;
    for (int i = 0; i < x->n; ++i)
        if (x->cluster[i] == most)
            x->cluster[i] = least;
}

/* A layer around the clusters that have become cluster c.  It has the lower
 * medians of the times between them. */
static void
add_layer(nest *x, int c)
{
    const int id = x->nlayers++;
    double seconds[HESCA_LAYER_RATES];
    for (int k = 0; k < HESCA_LAYER_RATES; ++k) {
        size_t n = 0;
        for (int i = 0; i < x->n; ++i)
            for (int j = 0; x->cluster[i] == c && j < x->n; ++j)
                if (x->cluster[j] == c && x->before[i] != x->before[j])
                    x->list[n++] =
                        x->seconds[((size_t)i * (size_t)x->n + (size_t)j) *
                                       HESCA_LAYER_RATES +
                                   (size_t)k];
        qsort(x->list, n, sizeof *x->list, ascending);
        seconds[k] = x->list[(n - 1) / 2];
    }
    x->layer[id] = (hesca_layer){.is_parallel = 1, .parent = -1};
    hesca_layer_set_seconds(&x->layer[id], seconds);
    for (int i = 0; i < x->n; ++i) {
        if (x->cluster[i] != c)
            continue;
        if (x->inner[i] < 0)
            x->inner[i] = id;
        if (x->before[i] == i && x->root[i] >= 0)
            x->layer[x->root[i]].parent = id;
    }
    x->root[c] = id;
}

/* Join what is nearest, and what is hardly farther.
 * \return The number of clusters that are left. */
static int
grow(nest *x)
{
    const double most = SLACK * nearest(x);
    int left = 0;
    memcpy(x->before, x->cluster, (size_t)x->n * sizeof *x->before);
    for (int i = 0; i < x->n; ++i)
        for (int j = 0; j < i; ++j)
            if (x->cluster[i] != x->cluster[j] &&
                between(x, i, j, LARGE) <= most)
                join(x, x->cluster[i], x->cluster[j]);
    for (int c = 0; c < x->n; ++c) {
        int has_grown = 0;
        for (int i = 0; i < x->n && x->cluster[c] == c; ++i)
            has_grown |= x->cluster[i] == c && x->before[i] != c;
        if (has_grown)
            add_layer(x, c);
        left += x->cluster[c] == c;
    }
    return left;
}

/* The layers in the order of a network, the outermost first, with those of the
 * computers behind them. */
static int
take(const nest *x, hesca_topology *t)
{
    const int n = x->n, m = x->nlayers;
    *t = (hesca_topology){.nlayers = m + n, .ncomputers = n};
    t->layer = calloc((size_t)(m + n), sizeof *t->layer);
    t->computer = calloc((size_t)n, sizeof *t->computer);
    if (t->layer == NULL || t->computer == NULL) {
        hesca_topology_clear(t);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a network of %d computers", n);
    }
    for (int k = 0; k < m; ++k) {
        hesca_layer *l = &t->layer[k];
        *l = x->layer[m - 1 - k];
        l->parent = l->parent < 0 ? -1 : m - 1 - l->parent;
        l->depth = l->parent < 0 ? 0 : t->layer[l->parent].depth + 1;
    }
    for (int i = 0; i < n; ++i) {
        hesca_layer *l = &t->layer[m + i];
        const int parent = m - 1 - x->inner[i];
        *l = (hesca_layer){.is_parallel = 1,
                           .parent = parent,
                           .depth = t->layer[parent].depth + 1};
        hesca_layer_set_seconds(
            l, &x->seconds[(size_t)i * (size_t)(n + 1) * HESCA_LAYER_RATES]);
        t->computer[i].layer = m + i;
    }
    return HESCA_SUCCESS;
}

int
hesca_topology_nest(int n, const double *seconds, hesca_topology *t)
{
    const size_t count = (size_t)n;
    nest x = {.n = n, .seconds = seconds};
    int err;
    *t = (hesca_topology){.layer = NULL};
    x.layer = malloc(2 * count * sizeof *x.layer);
    x.cluster = malloc(count * sizeof *x.cluster);
    x.root = malloc(count * sizeof *x.root);
    x.inner = malloc(count * sizeof *x.inner);
    x.before = malloc(count * sizeof *x.before);
    x.list = malloc(count * count * sizeof *x.list);
    if (x.layer == NULL || x.cluster == NULL || x.root == NULL ||
        x.inner == NULL || x.before == NULL || x.list == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "a network of %d computers", n));
    for (int i = 0; i < n; ++i) {
        x.cluster[i] = i;
        x.root[i] = x.inner[i] = -1;
    }
    if (n == 1) { /* a top layer, which nothing uses */
        x.layer[x.nlayers++] = (hesca_layer){.is_parallel = 1, .parent = -1};
        hesca_layer_set_seconds(x.layer, seconds);
        x.inner[0] = 0;
    } else {
        while (grow(&x) > 1)
            ;
    }
    err = take(&x, t);
fail:
    free(x.layer);
    free(x.cluster);
    free(x.root);
    free(x.inner);
    free(x.before);
    free(x.list);
    return err;
}
