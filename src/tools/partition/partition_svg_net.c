/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of partitioned graphs, hypergraphs and trees. */
#include "tools/lib/chart.h"
#include "tools/lib/svg.h"
#include "tools/partition/graph_drawing.h"
#include "tools/partition/partition_graph.h"
#include "tools/partition/partition_svg.h"
#include <math.h>
#include <stdlib.h>

enum { LEFT = 24, TOP = 72, SIDE = 560, GAP = 48, COLUMN = 320, NAMES = 84 };
enum { VERTICES_MOST = 1000, PARTS_MOST = 64, NAMES_MOST = 24 };

/* ------------------------------------------------ between parts
 * The matrix of weights is symmetric; its diagonal is grey. */

typedef struct {
    int64_t *weight; /* [p p] */
    int p;
} pairs;

static void
add_pair(void *to, int i, int k, int64_t weight)
{
    const pairs *x = to;
    x->weight[(int64_t)i * x->p + k] += weight;
}

static void
draw_cell(const partition_state *s, FILE *f, const chart *c, const pairs *x,
          int i, int k, int64_t most)
{
    const double w = c->width / x->p, h = c->height / x->p;
    const int64_t weight = x->weight[(int64_t)i * x->p + k];
    const double depth = most > 0 ? (double)weight / (double)most : 0;
    char fill[64], title[2 * HESCA_HOST_MAX + 64];
    const int light = i == k ? 232 : (int)(250 - 190 * depth);
    snprintf(fill, sizeof fill, "stroke=\"#ffffff\" fill=\"#%02x%02x%02x\"",
             (unsigned)light & 0xffU, (unsigned)light & 0xffU,
             i == k ? 232U : 250U);
    snprintf(title, sizeof title, "%s and %s: weight %lld", s->q.name[i],
             s->q.name[k], (long long)weight);
    svg_rect(f, "pair", c->left + k * w, c->top + i * h, w, h, fill, title);
    if (weight > 0 && w >= 34 && h >= 14)
        svg_text(f, c->left + (k + 0.5) * w, c->top + (i + 0.5) * h + 4, 11,
                 depth > 0.5 ? "#ffffff" : svg_ink, "middle", "%lld",
                 (long long)weight);
}

static void
draw_names(const partition_state *s, FILE *f, const chart *c)
{
    for (int i = 0; i < s->q.p && s->q.p <= NAMES_MOST; ++i) {
        const double at = (i + 0.5) / s->q.p;
        const double x = c->left + c->width * at;
        svg_text(f, c->left - 6, c->top + c->height * at + 4, 11, svg_ink,
                 "end", "%.12s", s->q.name[i]);
        svg_rotated(f, x - 4, c->top + c->height + 6, 90, 11, "start", "%.12s",
                    s->q.name[i]);
    }
}

/* The weight of the edges between each pair of parts. */
static void
draw_pairs(const partition_state *s, FILE *f, chart c)
{
    pairs x = {calloc((size_t)s->q.p * (size_t)s->q.p, sizeof *x.weight),
               s->q.p};
    int64_t most = 0;
    svg_text(f, c.left, c.top - 10, 12, svg_dim, "start", "%s",
             "weight of the edges between parts");
    if (x.weight == NULL)
        return;
    partition_net_pairs(s, add_pair, &x);
    for (int k = 0; k < x.p * x.p; ++k)
        most = x.weight[k] > most ? x.weight[k] : most;
    for (int i = 0; i < x.p; ++i)
        for (int k = 0; k < x.p; ++k)
            draw_cell(s, f, &c, &x, i, k, most);
    draw_names(s, f, &c);
    free(x.weight);
}

/* ------------------------------------------------ vertices
 * Positions are in the unit square; cut edges are drawn below the others. */

static void
draw_edges(const partition_state *s, const chart *c, const double *x,
           const double *y, int is_cut)
{
    const partition_net *net = s->object;
    const graph_file *g = &net->file;
    const int *part = hesca_cut_part(net->cut);
    for (int64_t v = 0; v < g->n; ++v)
        for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k) {
            const int64_t u = g->list[k];
            if (v < u && is_cut == (part[u] != part[v]))
                chart_line(c, is_cut ? "cut" : "edge", x[v], 1 - y[v], x[u],
                           1 - y[u],
                           is_cut ? "stroke=\"#9aa5b1\" "
                                    "stroke-dasharray=\"3 3\""
                                  : "stroke=\"#52606d\" "
                                    "stroke-width=\"1.2\"");
        }
}

static void
draw_vertex(const partition_state *s, const chart *c, int64_t v, double x,
            double y)
{
    const partition_net *net = s->object;
    const graph_file *g = &net->file;
    const int i = hesca_cut_part(net->cut)[v];
    char title[HESCA_HOST_MAX + 80];
    const double r = svg_clamp(90.0 / (double)(g->n + 1), 4, 11);
    snprintf(title, sizeof title, "vertex %lld, weight %lld: %s",
             (long long)v + 1, (long long)(g->vwgt != NULL ? g->vwgt[v] : 1),
             s->q.name[i]);
    svg_circle(
        c->f, "vertex", chart_x(c, x), chart_y(c, 1 - y), r,
        svg_fill(i, s->q.p, "stroke=\"#1f2933\" stroke-width=\"0.8\"").text,
        title);
    if (r >= 9)
        svg_text(c->f, chart_x(c, x), chart_y(c, 1 - y) + 3.5, 9, svg_ink,
                 "middle", "%lld", (long long)v + 1);
}

static void
draw_vertices(const partition_state *s, const chart *c)
{
    const graph_file *g = &((const partition_net *)s->object)->file;
    double *x = calloc(2 * (size_t)g->n + 1, sizeof *x), *y = x + g->n;
    const int is_tree = s->o->object == PARTITION_TREE;
    if (x != NULL && (is_tree ? place_tree(g, x, y) : place_graph(g, x, y))) {
        draw_edges(s, c, x, y, 1);
        draw_edges(s, c, x, y, 0);
        for (int64_t v = 0; v < g->n; ++v)
            draw_vertex(s, c, v, x[v], y[v]);
    }
    free(x);
}

/* ------------------------------------------------ all of it
 * The frame has space for all parts before anything is drawn. */

/* Bars and pairs are below each other, right of the vertices, or side by side.
 */
typedef struct {
    double bars, pairs, top,
        side;             /* left of both, top and side of the latter */
    double width, height; /* of all */
} frame;

static frame
measure(const partition_state *s, int has_vertices, int has_pairs)
{
    const double bars = TOP + partition_svg_bars_height(s);
    frame x = {.bars = LEFT, .top = TOP + 24, .side = SIDE - 140};
    if (has_vertices) {
        x.bars += SIDE + GAP;
        x.top = bars + 56;
        x.side = COLUMN - NAMES;
    }
    x.pairs = x.bars + NAMES + (has_vertices ? 0 : COLUMN + GAP);
    x.width = (has_pairs ? x.pairs + x.side : x.bars + COLUMN) + 24;
    x.height = has_pairs ? fmax(bars, x.top + x.side + NAMES) : bars;
    if (has_vertices)
        x.height = fmax(x.height, TOP + SIDE);
    x.height += 24;
    return x;
}

void
partition_svg_net(const partition_state *s, FILE *f)
{
    const partition_net *x = s->object;
    const int has_vertices =
        s->o->object != PARTITION_HYPERGRAPH && s->elements <= VERTICES_MOST;
    const int has_pairs = s->q.p <= PARTS_MOST;
    const frame at = measure(s, has_vertices, has_pairs);
    partition_svg_begin(s, f, at.width, at.height);
    svg_text(f, 24, 60, 12, svg_dim, "start",
             "cut: weight %lld, %lld %s, volume %lld; at most %.2f %% from "
             "the targets",
             (long long)hesca_cut_weight(x->cut),
             (long long)hesca_cut_edges(x->cut),
             partition_edges(hesca_cut_edges(x->cut)),
             (long long)hesca_cut_volume(x->cut),
             100 * hesca_cut_deviation(x->cut));
    if (has_vertices)
        draw_vertices(
            s, &(chart){f, LEFT + 12, TOP + 24, SIDE - 24, SIDE - 24, 1, 1});
    partition_svg_bars(s, f, at.bars, TOP, COLUMN, x->target);
    if (has_pairs)
        draw_pairs(s, f, (chart){f, at.pairs, at.top, at.side, at.side, 1, 1});
    svg_end(f);
}
