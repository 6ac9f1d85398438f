/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca partition graph, hypergraph, tree. */
#include "tools/partition/partition_graph.h"
#include "base/status.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/text_reader.h"
#include "tools/lib/tools.h"
#include <math.h>
#include <stdlib.h>

const char *
partition_edges(int64_t n)
{
    return n == 1 ? "edge" : "edges";
}

/* ------------------------------------------------ reading
 * graph_file_read() has checked that indices are in range and graphs
 * symmetric. */

static int
read_subsets(partition_net *x, const char *path)
{
    int64_t *list, n;
    int ok = text_reader_list(path, "a subset", 1, &list, &n) &&
             (n == x->file.n ||
              cmdline_fail("%s: %lld lines, for %lld vertices", path,
                           (long long)n, (long long)x->file.n));
    x->vtype = ok ? malloc(((size_t)n + 1) * sizeof *x->vtype) : NULL;
    if (ok && x->vtype == NULL)
        ok = cmdline_fail("no memory for %lld vertices", (long long)n);
    for (int64_t v = 0; ok && v < n; ++v)
        x->vtype[v] = (int)list[v];
    free(list);
    return ok;
}

static int
read_net(partition_state *s)
{
    const partition_options *o = s->o;
    partition_net *x = s->object = calloc(1, sizeof *x);
    if (x == NULL)
        return cmdline_fail("no memory for a graph");
    progress("reading %s", o->graph);
    const int ok = o->object == PARTITION_HYPERGRAPH
                       ? graph_file_read_hyper(&x->file, o->graph)
                       : graph_file_read(&x->file, o->graph);
    progress(NULL);
    if (ok && o->object == PARTITION_TREE && x->file.n > 0 &&
        x->file.m != x->file.n - 1)
        return cmdline_fail(
            "%s: a tree of %lld vertices has %lld %s, not %lld", o->graph,
            (long long)x->file.n, (long long)x->file.n - 1,
            partition_edges(x->file.n - 1), (long long)x->file.m);
    return ok && (o->subsets == NULL || read_subsets(x, o->subsets));
}

static int
cut(const partition_state *s, hesca_cut **to)
{
    const partition_options *o = s->o;
    const partition_net *x = s->object;
    const hesca_speed *const *speed = (const hesca_speed *const *)s->q.model;
    const hesca_cut_options how = {.engine = o->engine,
                                   .objective = o->objective,
                                   .tolerance = o->tolerance};
    const hesca_hypergraph h = graph_file_hypergraph(&x->file);
    hesca_graph g = graph_file_graph(&x->file);
    g.vtype = x->vtype;
    progress("partitioning %lld vertices and %lld edges", (long long)x->file.n,
             (long long)x->file.m);
    const int err = o->object == PARTITION_HYPERGRAPH
                        ? hesca_cut_hypergraph(s->q.p, speed, &h, &how, to)
                    : o->object == PARTITION_TREE
                        ? hesca_cut_tree(s->q.p, speed, &g, to)
                        : hesca_cut_graph(s->q.p, speed, &g, &how, to);
    progress(NULL);
    return err;
}

/* ------------------------------------------------ evaluation
 * The cut exists; pairs of parts are counted once in each direction. */

/* The parts of the vertices of a hyperedge, each once; seen[i] is 1 + the last
 * edge with part i. */
static int
parts_of(const partition_net *x, int64_t e, int64_t *seen, int *parts)
{
    const int *part = hesca_cut_part(x->cut);
    int n = 0;
    for (int64_t k = x->file.first[e]; k < x->file.first[e + 1]; ++k) {
        const int i = part[x->file.list[k]];
        if (seen[i] != e + 1)
            parts[n++] = i;
        seen[i] = e + 1;
    }
    return n;
}

static void
hyper_pairs(const partition_net *x, int p,
            void (*pair)(void *to, int i, int k, int64_t weight), void *to)
{
    int64_t *seen = calloc((size_t)p, sizeof *seen);
    int *parts = calloc((size_t)p, sizeof *parts);
    for (int64_t e = 0; seen != NULL && parts != NULL && e < x->file.m; ++e) {
        const int n = parts_of(x, e, seen, parts);
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b)
                if (a != b)
                    pair(to, parts[a], parts[b],
                         x->file.ewgt != NULL ? x->file.ewgt[e] : 1);
    }
    free(seen);
    free(parts);
}

void
partition_net_pairs(const partition_state *s,
                    void (*pair)(void *to, int i, int k, int64_t weight),
                    void *to)
{
    const partition_net *x = s->object;
    const graph_file *g = &x->file;
    const int *part = hesca_cut_part(x->cut);
    if (s->o->object == PARTITION_HYPERGRAPH) {
        hyper_pairs(x, s->q.p, pair, to);
        return;
    }
    for (int64_t v = 0; v < g->n; ++v)
        for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k)
            if (part[v] != part[g->list[k]])
                pair(to, part[v], part[g->list[k]],
                     g->ewgt != NULL ? g->ewgt[k] : 1);
}

static void
add_leaving(void *to, int i, int k, int64_t weight)
{
    int64_t *leaving = to;
    (void)k;
    leaving[i] += weight;
}

/* The time of parts that are as equal as possible. */
static double
time_of_equal(const partition_state *s)
{
    const int p = s->q.p;
    double size = s->total / p, most = 0;
    if (!s->is_weighted)
        size = ceil(size);
    for (int i = 0; i < p; ++i)
        most =
            fmax(most, partition_time(s->q.model[i], s->elements / p, size));
    return most;
}

static void
take(partition_state *s, const partition_net *x)
{
    for (int i = 0; i < s->q.p; ++i) {
        partition_take(s, i, hesca_cut_count(x->cut, i),
                       (double)hesca_cut_load(x->cut, i));
        x->target[i] = hesca_cut_target(x->cut, i);
        s->ideal =
            fmax(s->ideal, partition_time(s->q.model[i], 0, x->target[i]));
    }
    s->time = hesca_cut_time(x->cut);
    s->is_exact = hesca_cut_is_exact(x->cut);
    s->equal = time_of_equal(s);
    s->single = NAN;
    partition_net_pairs(s, add_leaving, x->leaving);
}

static int
solve(partition_state *s)
{
    if (!read_net(s))
        return 0;
    partition_net *x = s->object;
    if (cut(s, &x->cut) < 0)
        return cmdline_fail("%s", hesca_error_text());
    x->target = calloc((size_t)s->q.p, sizeof *x->target);
    x->leaving = calloc((size_t)s->q.p, sizeof *x->leaving);
    if (x->target == NULL || x->leaving == NULL)
        return cmdline_fail("no memory for %d processors", s->q.p);
    s->elements = x->file.n;
    s->is_weighted = x->file.vwgt != NULL;
    snprintf(s->heading, sizeof s->heading, "%s %.80s of %lld %s and %lld %s",
             partition_object_name[s->o->object], s->o->graph,
             (long long)x->file.n, x->file.n == 1 ? "vertex" : "vertices",
             (long long)x->file.m, partition_edges(x->file.m));
    take(s, x);
    return 1;
}

static void
clear(partition_state *s)
{
    partition_net *x = s->object;
    if (x == NULL)
        return;
    graph_file_clear(&x->file);
    hesca_cut_free(x->cut);
    free(x->vtype);
    free(x->target);
    free(x->leaving);
    free(x);
}

/* ------------------------------------------------ results
 * The shares and targets of all parts are set. */

static void
put(fields *f, const partition_state *s, int i)
{
    const partition_net *x = s->object;
    fields_exact(f, "target", x->target[i]);
    fields_count(f, "leaving", x->leaving[i]);
    fields_count(f, "cut_weight", hesca_cut_weight(x->cut));
    fields_count(f, "cut_edges", hesca_cut_edges(x->cut));
    fields_count(f, "volume", hesca_cut_volume(x->cut));
    fields_exact(f, "deviation", hesca_cut_deviation(x->cut));
    fields_text(f, "engine", hesca_engine_name(hesca_cut_engine(x->cut)));
}

static void
print_head(const partition_state *s, FILE *f)
{
    (void)s;
    fprintf(f, " %13s %9s", "target", "leaving");
}

static void
print_columns(const partition_state *s, int i, FILE *f)
{
    const partition_net *x = s->object;
    fprintf(f, " %13.1f %9lld", x->target[i], (long long)x->leaving[i]);
}

static void
print_more(const partition_state *s, FILE *f)
{
    const hesca_cut *c = ((const partition_net *)s->object)->cut;
    fprintf(f,
            "cut: weight %lld, %lld %s, volume %lld; at most %.2f %% from "
            "the targets",
            (long long)hesca_cut_weight(c), (long long)hesca_cut_edges(c),
            partition_edges(hesca_cut_edges(c)),
            (long long)hesca_cut_volume(c), 100 * hesca_cut_deviation(c));
    if (s->o->object != PARTITION_TREE)
        fprintf(f, "; by %s, whose parts were %.2f %% from them, cut %lld",
                hesca_engine_name(hesca_cut_engine(c)),
                100 * hesca_cut_raw_deviation(c),
                (long long)hesca_cut_raw_weight(c));
    fputc('\n', f);
}

static void
list(const partition_state *s, FILE *f)
{
    const int *part = hesca_cut_part(((const partition_net *)s->object)->cut);
    for (int64_t v = 0; v < s->elements && !ferror(f); ++v)
        fprintf(f, "%d\n", part[v]);
}

const partition_kind partition_graph = {.solve = solve,
                                        .put = put,
                                        .print_head = print_head,
                                        .print_columns = print_columns,
                                        .print_more = print_more,
                                        .draw = partition_svg_net,
                                        .list = list,
                                        .clear = clear};
