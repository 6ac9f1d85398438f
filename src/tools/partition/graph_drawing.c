/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/partition/graph_drawing.h"
#include <math.h>
#include <stdlib.h>

enum { SMOOTHINGS = 400, PUSHES = 120 };

/* Scale to 0 ... 1. */
static void
stretch(int64_t n, double *x)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t v = 0; v < n; ++v) {
        low = fmin(low, x[v]);
        high = fmax(high, x[v]);
    }
    for (int64_t v = 0; v < n; ++v)
        x[v] = high > low ? (x[v] - low) / (high - low) : 0.5;
}

/* ------------------------------------------------ graphs
 * x and y start as two orthogonal eigenvectors and are then refined. */

/* Make x orthogonal to the constant vector, and to y unless it is NULL;
 * vertices are weighted by their degree. */
static void
project(const graph_file *g, double *x, const double *y)
{
    double sum = 0, all = 0, xy = 0, yy = 0;
    for (int64_t v = 0; v < g->n; ++v) {
        const double d = (double)(g->first[v + 1] - g->first[v]) + 1;
        sum += d * x[v];
        all += d;
    }
    for (int64_t v = 0; v < g->n; ++v)
        x[v] -= sum / all;
    for (int64_t v = 0; y != NULL && v < g->n; ++v) {
        const double d = (double)(g->first[v + 1] - g->first[v]) + 1;
        xy += d * x[v] * y[v];
        yy += d * y[v] * y[v];
    }
    for (int64_t v = 0; yy > 0 && v < g->n; ++v)
        x[v] -= xy / yy * y[v];
}

/* A smooth function on the graph: an eigenvector of the lazy random walk, by
 * power iteration. */
static void
smooth(const graph_file *g, double *x, const double *other, double *next)
{
    for (int round = 0; round < SMOOTHINGS; ++round) {
        double most = 0;
        project(g, x, other);
        for (int64_t v = 0; v < g->n; ++v) {
            const double d = (double)(g->first[v + 1] - g->first[v]);
            double sum = x[v] * (d + 1);
            for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k)
                sum += x[g->list[k]];
            next[v] = sum / (2 * d + 1);
            most = fmax(most, fabs(next[v]));
        }
        for (int64_t v = 0; v < g->n; ++v)
            x[v] = most > 0 ? next[v] / most : 0;
    }
    project(g, x, other);
}

/* Neighbours attract each other, all vertices repel each other; no vertex
 * moves further than `most`.  Source: Fruchterman and Reingold, 1991. */
static void
push(const graph_file *g, double *x, double *y, double *dx, double *dy,
     double most)
{
    const double ideal = sqrt(1 / (double)g->n);
    for (int64_t v = 0; v < g->n; ++v) {
        dx[v] = dy[v] = 0;
        for (int64_t u = 0; u < g->n; ++u) {
            const double a = x[v] - x[u], b = y[v] - y[u];
            const double f = ideal * ideal / (a * a + b * b + 1e-9);
            dx[v] += a * f;
            dy[v] += b * f;
        }
        for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k) {
            const double a = x[v] - x[g->list[k]], b = y[v] - y[g->list[k]];
            const double f = sqrt(a * a + b * b) / ideal;
            dx[v] -= a * f;
            dy[v] -= b * f;
        }
    }
    for (int64_t v = 0; v < g->n; ++v) {
        const double length = sqrt(dx[v] * dx[v] + dy[v] * dy[v]) + 1e-12;
        x[v] += dx[v] / length * fmin(length, most);
        y[v] += dy[v] / length * fmin(length, most);
    }
}

int
place_graph(const graph_file *g, double *x, double *y)
{
    double *room = malloc((2 * (size_t)g->n + 1) * sizeof *room);
    if (room == NULL)
        return 0;
    /* Start vectors with parts of both eigenvectors. */
    for (int64_t v = 0; v < g->n; ++v) {
        x[v] = (double)v + sin(3.0 * (double)v);
        y[v] = cos(7.0 * (double)v) + (double)(v % 2);
    }
    smooth(g, x, NULL, room);
    smooth(g, y, x, room);
    stretch(g->n, x);
    stretch(g->n, y);
    for (int k = 0; k < PUSHES; ++k)
        push(g, x, y, room, room + g->n, 0.05 * (PUSHES - k) / PUSHES);
    stretch(g->n, x);
    stretch(g->n, y);
    free(room);
    return 1;
}

/* ------------------------------------------------ trees
 * Depth gives the vertical position, the order of leaves the horizontal
 * one. */

/* The centre: the vertex that remains when leaves are removed repeatedly. */
static int64_t
centre_of(const graph_file *g, int64_t *degree, int64_t *queue)
{
    int64_t n = 0;
    for (int64_t v = 0; v < g->n; ++v) {
        degree[v] = g->first[v + 1] - g->first[v];
        if (degree[v] <= 1)
            queue[n++] = v;
    }
    for (int64_t k = 0; k < n; ++k)
        for (int64_t e = g->first[queue[k]]; e < g->first[queue[k] + 1]; ++e)
            if (--degree[g->list[e]] == 1)
                queue[n++] = g->list[e];
    return queue[n - 1];
}

/* Depth-first from a vertex; leaves get positions from left to right, other
 * vertices lie over the middle of their children. */
static void
walk(const graph_file *g, int64_t root, int64_t *parent, int64_t *stack,
     double *x, double *y)
{
    int64_t n = 1;
    double leaves = 0;
    double *low = x, *depth = y;
    stack[0] = root;
    parent[root] = -1;
    depth[root] = 0;
    for (int64_t v = 0; v < g->n; ++v)
        low[v] = -1;
    while (n > 0) {
        const int64_t v = stack[n - 1];
        const int is_new = low[v] < 0;
        if (is_new) {
            low[v] = leaves;
            for (int64_t e = g->first[v + 1]; e-- > g->first[v];)
                if (g->list[e] != parent[v]) {
                    parent[g->list[e]] = v;
                    depth[g->list[e]] = depth[v] + 1;
                    stack[n++] = g->list[e];
                }
        }
        if (stack[n - 1] != v)
            continue;
        --n;
        if (is_new)
            leaves += 1;
        else
            x[v] = (low[v] + leaves - 1) / 2;
    }
}

int
place_tree(const graph_file *g, double *x, double *y)
{
    int64_t *room = malloc((2 * (size_t)g->n + 1) * sizeof *room);
    if (room == NULL)
        return 0;
    if (g->n > 0)
        walk(g, centre_of(g, room, room + g->n), room, room + g->n, x, y);
    stretch(g->n, x);
    stretch(g->n, y);
    free(room);
    return 1;
}
