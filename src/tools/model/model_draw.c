/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a trace as a picture: a row for each process, time to the
 * right; computing dark, sending and receiving light, waiting empty. */
#include "tools/lib/svg.h"
#include "tools/lib/tools.h"
#include "tools/model/model.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES_MOST = 20000, LEFT = 150, TOP = 70, WIDTH = 900 };

typedef struct {
    FILE *file;
    const model_task *task;
    hesca_price *price;
    double *compute, *transfer; /* [nvps] */
    double row, scale;          /* pixels of a row, of a second */
    double now;                 /* seconds */
    int64_t boxes;
} drawing;

static void
draw_box(drawing *d, int vp, double begin, double seconds, const char *colour,
         const char *what)
{
    char more[64], title[200], coord[120];
    if (seconds * d->scale < 0.05)
        return;
    snprintf(more, sizeof more, "fill=\"%s\"", colour);
    snprintf(title, sizeof title, "%s %s %.6g s from %.6g s",
             model_coord(&d->task->instance, vp, coord), what, seconds, begin);
    svg_rect(d->file, NULL, LEFT + begin * d->scale, TOP + vp * d->row,
             seconds * d->scale, d->row * 0.9, more, title);
    ++d->boxes;
}

/* One run of a node below the root. */
static void
draw_step(drawing *d, int node)
{
    const int nvps = d->task->instance.nvps;
    const double seconds = hesca_price_node(d->price, node);
    memset(d->compute, 0, (size_t)nvps * sizeof *d->compute);
    memset(d->transfer, 0, (size_t)nvps * sizeof *d->transfer);
    model_busy(d->task, node, 1, d->compute, d->transfer);
    for (int k = 0; k < nvps; ++k) {
        const double most = seconds;
        const double c = d->compute[k] < most ? d->compute[k] : most;
        const double s = d->transfer[k] < most - c ? d->transfer[k] : most - c;
        draw_box(d, k, d->now, c, "#4477aa", "computes");
        draw_box(d, k, d->now + c, s, "#ccbb44", "sends or receives");
    }
    d->now += seconds;
}

static void
draw_axes(drawing *d)
{
    const model_task *t = d->task;
    char coord[120];
    const int stride = svg_stride(d->row, 11);
    const double end = t->found.seconds;
    const double height = d->row * t->instance.nvps;
    for (int k = 0; k < t->instance.nvps; k += stride)
        svg_text(d->file, LEFT - 6, TOP + k * d->row + d->row * 0.45 + 4,
                 svg_clamp(d->row, 7, 11), svg_ink, "end", "%s %.14s",
                 model_coord(&t->instance, k, coord),
                 t->topology.computer[t->found.computer[k]].name);
    const double step = end > 0 ? svg_step(end / 8) : 1;
    for (double x = 0; x <= end; x += step) {
        svg_line(d->file, NULL, LEFT + x * d->scale, TOP, LEFT + x * d->scale,
                 TOP + height, "stroke=\"#dddddd\"");
        svg_text(d->file, LEFT + x * d->scale, TOP + height + 16, 11, svg_dim,
                 "middle", "%.6g s", x);
        if (end <= 0)
            break;
    }
}

static void
draw_steps(drawing *d)
{
    const hesca_scheme *t = &d->task->instance.trace;
    if (t->root < 0)
        return;
    const hesca_scheme_node *root = &t->node[t->root];
    if (root->kind != HESCA_SCHEME_SEQUENCE) {
        draw_step(d, t->root);
        return;
    }
    for (size_t k = 0; k < root->n; ++k) {
        const hesca_scheme_child *c = &t->child[root->first + k];
        for (int64_t i = 0; i < c->times && d->boxes < BOXES_MOST; ++i)
            draw_step(d, c->node);
    }
}

int
model_draw(model_task *t, hesca_price *price)
{
    const size_t nvps = (size_t)t->instance.nvps;
    drawing d = {.task = t, .price = price};
    FILE *file = fopen(t->options->svg, "w");
    if (file == NULL)
        return complain("%s: %s", t->options->svg, strerror(errno)), 0;
    d.file = file;
    d.compute = malloc(nvps * sizeof *d.compute);
    d.transfer = malloc(nvps * sizeof *d.transfer);
    d.row = svg_clamp(600.0 / (double)nvps, 3, 22);
    d.scale = t->found.seconds > 0 ? WIDTH / t->found.seconds : 1;
    const double height = TOP + d.row * (double)nvps + 50;
    svg_begin(file, LEFT + WIDTH + 40, height, t->code->name,
              "%.6g s with %d processes; blue: computing, yellow: sending or "
              "receiving, empty: waiting",
              t->found.seconds, t->instance.nvps);
    if (d.compute != NULL && d.transfer != NULL) {
        draw_axes(&d);
        draw_steps(&d);
        if (d.boxes >= BOXES_MOST)
            svg_text(file, LEFT + WIDTH, 60, 11, svg_dim, "end",
                     "only the steps of the first %.6g s are drawn", d.now);
    }
    svg_end(file);
    free(d.compute);
    free(d.transfer);
    const int bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return complain("%s cannot be written", t->options->svg), 0;
    return 1;
}
