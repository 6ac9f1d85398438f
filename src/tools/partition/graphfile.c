/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/partition/graphfile.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/text_reader.h"
#include <stdlib.h>
#include <string.h>

/* A file that is being read. */
typedef struct {
    text_reader w;
    graph_file *g;
    int vweights, eweights; /* whether there are any */
    int64_t used, room;     /* entries of list */
} reader;

static const int64_t weight_most = INT64_C(1) << 53;

/* ------------------------------------------------ memory
 * Arrays belong to the graph_file from the start, so one function frees
 * them. */

static int
no_room(const reader *r)
{
    return cmdline_fail("%s: no memory for %lld vertices and %lld edges",
                        r->w.path, (long long)r->g->n, (long long)r->g->m);
}

static int
allocate(int64_t **x, int64_t n)
{
    *x = calloc((size_t)n + 1, sizeof **x);
    return *x != NULL;
}

void
graph_file_clear(graph_file *g)
{
    free(g->first);
    free(g->list);
    free(g->vwgt);
    free(g->ewgt);
    memset(g, 0, sizeof *g);
}

/* Space for one more entry of the list, and for its weight if edges have
 * weights. */
static int
grow(reader *r, int has_weights)
{
    graph_file *g = r->g;
    if (r->used < r->room)
        return 1;
    r->room = 2 * r->room + 1024;
    const size_t bytes = (size_t)r->room * sizeof *g->list;
    int64_t *list = realloc(g->list, bytes);
    g->list = list != NULL ? list : g->list;
    int64_t *ewgt = has_weights ? realloc(g->ewgt, bytes) : NULL;
    g->ewgt = ewgt != NULL ? ewgt : g->ewgt;
    return (list != NULL && (!has_weights || ewgt != NULL)) || no_room(r);
}

/* ------------------------------------------------ the first line
 * Counts are bounded by the size of the file before memory is allocated. */

static int
read_format(reader *r)
{
    int64_t fmt = 0, ncon = 1;
    if (!text_reader_is_end(&r->w) &&
        !text_reader_count(&r->w, "FMT", 0, 1000000, &fmt))
        return 0;
    if (fmt != 0 && fmt != 1 && fmt != 10 && fmt != 11)
        return text_reader_wrong(&r->w, "FMT '%lld' must be 0, 1, 10 or 11",
                                 (long long)fmt);
    if (!text_reader_is_end(&r->w) &&
        !text_reader_count(&r->w, "weights per vertex", 1, 1, &ncon))
        return 0;
    r->eweights = fmt % 10 == 1;
    r->vweights = fmt >= 10;
    return text_reader_end(&r->w);
}

/* No count in a file exceeds its bytes. */
static int
read_head(reader *r, const char *first, int64_t *x, const char *second,
          int64_t *y)
{
    const int64_t most = (int64_t)(r->w.end - r->w.text);
    if (!text_reader_line(&r->w))
        return text_reader_wrong(&r->w, "the first line is missing");
    return text_reader_count(&r->w, first, 0, most, x) &&
           text_reader_count(&r->w, second, 0, most, y) && read_format(r);
}

/* ------------------------------------------------ symmetry
 * Each list of neighbours is sorted, without duplicates, before ends are
 * compared. */

/* A neighbour, and the weight of the edge to it. */
typedef struct {
    int64_t u, weight;
} end;

static int
by_vertex(const void *x, const void *y)
{
    const int64_t u = ((const end *)x)->u, v = ((const end *)y)->u;
    return (u > v) - (u < v);
}

/* Sort the neighbours of v, the vertex of the current line. */
static int
sort_line(reader *r, int64_t v)
{
    graph_file *g = r->g;
    const int64_t first = g->first[v], n = r->used - first;
    int64_t k = first + 1;
    while (k < r->used && g->list[k - 1] < g->list[k])
        ++k;
    if (k >= r->used)
        return 1;
    end *line = malloc((size_t)n * sizeof *line);
    if (line == NULL)
        return no_room(r);
    for (k = 0; k < n; ++k)
        line[k] =
            (end){g->list[first + k], r->eweights ? g->ewgt[first + k] : 0};
    qsort(line, (size_t)n, sizeof *line, by_vertex);
    for (k = 0; k < n; ++k) {
        g->list[first + k] = line[k].u;
        if (r->eweights)
            g->ewgt[first + k] = line[k].weight;
    }
    free(line);
    for (k = first + 1; k < r->used; ++k)
        if (g->list[k] == g->list[k - 1])
            return text_reader_wrong(&r->w, "neighbour '%lld' is there twice",
                                     (long long)g->list[k] + 1);
    return 1;
}

static int
is_alone(const reader *r, int64_t v, int64_t u)
{
    return cmdline_fail("%s: vertex %lld lists %lld, but not the other way "
                        "round",
                        r->w.path, (long long)v + 1, (long long)u + 1);
}

/* Lists ascend, so the vertices that list u, taken in order, are in the order
 * in which u lists them; next[u] is the next one. */
static int
check_ends(const reader *r, int64_t *next)
{
    const graph_file *g = r->g;
    memcpy(next, g->first, (size_t)g->n * sizeof *next);
    for (int64_t v = 0; v < g->n; ++v)
        for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k) {
            const int64_t u = g->list[k], due = next[u]++;
            if (due == g->first[u + 1] || g->list[due] > v)
                return is_alone(r, v, u);
            if (g->list[due] < v)
                return is_alone(r, u, g->list[due]);
            if (g->ewgt != NULL && g->ewgt[due] != g->ewgt[k])
                return cmdline_fail("%s: the edge of vertices %lld and %lld "
                                    "has weights %lld and %lld",
                                    r->w.path, (long long)u + 1,
                                    (long long)v + 1, (long long)g->ewgt[due],
                                    (long long)g->ewgt[k]);
        }
    for (int64_t u = 0; u < g->n; ++u)
        if (next[u] < g->first[u + 1])
            return is_alone(r, u, g->list[next[u]]);
    return 1;
}

static int
check_symmetry(const reader *r)
{
    int64_t *next;
    const int ok = allocate(&next, r->g->n) ? check_ends(r, next) : no_room(r);
    free(next);
    return ok;
}

/* ------------------------------------------------ graphs
 * Vertices are read in order: first[v] is known before line v. */

static int
read_vertex(reader *r, int64_t v)
{
    graph_file *g = r->g;
    if (!text_reader_line(&r->w))
        return text_reader_wrong(&r->w,
                                 "the line of vertex %lld of %lld is missing",
                                 (long long)v + 1, (long long)g->n);
    if (r->vweights && !text_reader_count(&r->w, "the weight of a vertex", 0,
                                          weight_most, &g->vwgt[v]))
        return 0;
    while (!text_reader_is_end(&r->w)) {
        if (!grow(r, r->eweights) ||
            !text_reader_count(&r->w, "a neighbour", 1, g->n,
                               &g->list[r->used]))
            return 0;
        if (--g->list[r->used] == v)
            return text_reader_wrong(&r->w, "'%lld' is a neighbour of itself",
                                     (long long)v + 1);
        if (r->eweights &&
            !text_reader_count(&r->w, "the weight of an edge", 0, weight_most,
                               &g->ewgt[r->used]))
            return 0;
        ++r->used;
    }
    g->first[v + 1] = r->used;
    return sort_line(r, v);
}

static int
read_graph(reader *r)
{
    graph_file *g = r->g;
    if (!read_head(r, "the number of vertices", &g->n, "the number of edges",
                   &g->m))
        return 0;
    if (!allocate(&g->first, g->n) || !grow(r, r->eweights) ||
        (r->vweights && !allocate(&g->vwgt, g->n)))
        return no_room(r);
    for (int64_t v = 0; v < g->n; ++v)
        if (!read_vertex(r, v))
            return 0;
    if (!text_reader_finish(&r->w) || !check_symmetry(r))
        return 0;
    return r->used == 2 * g->m ||
           cmdline_fail("%s: the first line says %lld edges, but there are "
                        "%lld",
                        r->w.path, (long long)g->m, (long long)r->used / 2);
}

/* ------------------------------------------------ hypergraphs
 * Edges are read in order: first[e] is known before line e. */

/* seen[v] is 1 + the last edge with v. */
static int
read_edge(reader *r, int64_t e, int64_t *seen)
{
    graph_file *g = r->g;
    if (!text_reader_line(&r->w))
        return text_reader_wrong(&r->w,
                                 "the line of edge %lld of %lld is missing",
                                 (long long)e + 1, (long long)g->m);
    if (r->eweights && !text_reader_count(&r->w, "the weight of an edge", 0,
                                          weight_most, &g->ewgt[e]))
        return 0;
    while (!text_reader_is_end(&r->w)) {
        if (!grow(r, 0) ||
            !text_reader_count(&r->w, "a vertex", 1, g->n, &g->list[r->used]))
            return 0;
        const int64_t v = --g->list[r->used++];
        if (seen[v] == e + 1)
            return text_reader_wrong(&r->w, "vertex '%lld' is there twice",
                                     (long long)v + 1);
        seen[v] = e + 1;
    }
    g->first[e + 1] = r->used;
    return 1;
}

static int
read_edges(reader *r)
{
    int64_t *seen;
    int ok = allocate(&seen, r->g->n) || no_room(r);
    for (int64_t e = 0; ok && e < r->g->m; ++e)
        ok = read_edge(r, e, seen);
    free(seen);
    return ok;
}

static int
read_vertex_weights(reader *r)
{
    for (int64_t v = 0; r->vweights && v < r->g->n; ++v) {
        if (!text_reader_line(&r->w))
            return text_reader_wrong(
                &r->w, "the weight of vertex %lld of %lld is missing",
                (long long)v + 1, (long long)r->g->n);
        if (!text_reader_count(&r->w, "the weight of a vertex", 0, weight_most,
                               &r->g->vwgt[v]) ||
            !text_reader_end(&r->w))
            return 0;
    }
    return 1;
}

static int
read_hypergraph(reader *r)
{
    graph_file *g = r->g;
    if (!read_head(r, "the number of edges", &g->m, "the number of vertices",
                   &g->n))
        return 0;
    if (!allocate(&g->first, g->m) || !grow(r, 0) ||
        (r->vweights && !allocate(&g->vwgt, g->n)) ||
        (r->eweights && !allocate(&g->ewgt, g->m)))
        return no_room(r);
    return read_edges(r) && read_vertex_weights(r) &&
           text_reader_finish(&r->w);
}

/* ------------------------------------------------ all of it
 * After an error the graph_file is empty. */

static int
read_file(graph_file *g, const char *path, int (*read)(reader *r))
{
    reader r = {.g = g};
    memset(g, 0, sizeof *g);
    if (!text_reader_open(&r.w, path))
        return 0;
    const int ok = read(&r);
    text_reader_close(&r.w);
    if (!ok)
        graph_file_clear(g);
    return ok;
}

int
graph_file_read(graph_file *g, const char *path)
{
    return read_file(g, path, read_graph);
}

int
graph_file_read_hyper(graph_file *g, const char *path)
{
    return read_file(g, path, read_hypergraph);
}

hesca_graph
graph_file_graph(const graph_file *g)
{
    return (hesca_graph){.n = g->n,
                         .xadj = g->first,
                         .adjacency = g->list,
                         .vwgt = g->vwgt,
                         .adjwgt = g->ewgt};
}

hesca_hypergraph
graph_file_hypergraph(const graph_file *g)
{
    return (hesca_hypergraph){.n = g->n,
                              .nedges = g->m,
                              .vwgt = g->vwgt,
                              .hptr = g->first,
                              .hind = g->list,
                              .hwgt = g->ewgt};
}
