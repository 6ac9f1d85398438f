/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing diagrams as a picture: columns of processes, rectangles of messages,
 * coloured by the process at their other end. */
#include "tools/lib/svg.h"
#include "tools/sim/timeline.h"
#include <math.h>

enum { LEFT = 64, TOP = 96, GAP = 28, RIGHT = 16, BOTTOM = 20 };
enum { LEAST_WIDTH = 480, PANEL_LEAST = 220 };

typedef struct {
    const timeline *t;
    FILE *file;
    double w;      /* of a column */
    double panel;  /* from one panel to the next */
    double height; /* of the whole time */
} picture;

/* ------------------------------------------------ scale
 * All panels have one time scale and equal columns. */

/* A message of the average length should have room for its number. */
static picture
measure(const timeline *t, FILE *file)
{
    picture x = {.t = t, .file = file};
    double columns = 0;
    for (int i = 0; i < t->npanels; ++i) {
        const double n = (double)t->panel[i].n / t->ncolumns;
        columns = n > columns ? n : columns;
    }
    x.w = svg_clamp(1360.0 / t->npanels / t->ncolumns, 5, 56);
    if (t->npanels > 1 && x.w * t->ncolumns < PANEL_LEAST)
        x.w = svg_clamp((double)PANEL_LEAST / t->ncolumns, x.w, 56);
    x.panel = svg_clamp(x.w * t->ncolumns, PANEL_LEAST, 1e9) + GAP;
    x.height = svg_clamp(16 * columns, 400, 1100);
    return x;
}

static double
place(const picture *x, double seconds)
{
    return TOP + x->height * (seconds / x->t->end);
}

static double
left_of(const picture *x, int panel)
{
    return LEFT + panel * x->panel;
}

/* Seconds in a unit that suits them. */
static void
readable(double seconds, char text[32])
{
    const double factor = seconds >= 1 || seconds == 0 ? 1
                          : seconds >= 1e-3            ? 1e3
                          : seconds >= 1e-6            ? 1e6
                                                       : 1e9;
    const char *unit = factor == 1     ? "s"
                       : factor == 1e3 ? "ms"
                       : factor == 1e6 ? "us"
                                       : "ns";
    snprintf(text, 32, "%.4g %s", seconds * factor, unit);
}

/* ------------------------------------------------ elements
 * Columns are drawn before messages, and the bound after them. */

/* Ticks at 1, 2 or 5 times a power of ten, about every 60 units. */
static void
draw_times(const picture *x)
{
    const double step = svg_step(x->t->end / (x->height / 60));
    const double right = left_of(x, x->t->npanels) - GAP;
    char text[32];
    const int n = (int)(x->t->end / step * (1 + 1e-9));
    for (int k = 0; k <= n; ++k) {
        const double at = place(x, k * step);
        svg_line(x->file, "tick", LEFT - 4, at, right, at,
                 "stroke=\"#d5dae0\"");
        readable(k * step, text);
        svg_text(x->file, LEFT - 8, at + 4, 11, svg_dim, "end", "%s", text);
    }
}

static void
draw_columns(const picture *x, int panel)
{
    const int every = svg_stride(x->w, x->t->nprocs > 1000  ? 52
                                       : x->t->nprocs > 100 ? 24
                                                            : 16);
    const double edge = 0.04 * x->w;
    for (int k = 0; k < x->t->ncolumns; ++k) {
        const double left = left_of(x, panel) + k * x->w;
        svg_rect(x->file, "column", left + edge, TOP, x->w - 2 * edge,
                 x->height, "fill=\"#e8ebef\"", NULL);
        if (k % every == 0)
            svg_text(x->file, left + x->w / 2, TOP - 6, 11, svg_dim, "middle",
                     "%d", x->t->rank[k]);
    }
}

static void
draw_message(const picture *x, int panel, const hesca_trace_row *m)
{
    const int at = x->t->is_receive ? m->dest : m->src;
    const int other = x->t->is_receive ? m->src : m->dest;
    const double edge = 0.04 * x->w;
    const double left = left_of(x, panel) + timeline_column(x->t, at) * x->w;
    const double top = place(x, m->start);
    const double height = place(x, m->end) - top;
    const int digits = snprintf(NULL, 0, "%d", other);
    const double size = fmin(fmin((x->w - 2) / (0.58 * digits), height), 12);
    char title[160];
    snprintf(title, sizeof title,
             "%d to %d, %.0f bytes, from %.6g to %.6g s, %.6g s", m->src,
             m->dest, m->bytes, m->start, m->end, m->end - m->start);
    svg_rect(x->file, "message", left + edge, top, x->w - 2 * edge,
             fmax(height, 0.4),
             svg_fill(timeline_column(x->t, other), x->t->ncolumns,
                      "stroke=\"#ffffff\" stroke-width=\"0.4\"")
                 .text,
             title);
    if (size >= 5)
        svg_text(x->file, left + x->w / 2, top + height / 2 + 0.36 * size,
                 size, svg_ink, "middle", "%d", other);
}

static void
draw_bound(const picture *x, int panel)
{
    const double at = place(x, x->t->panel[panel].bound);
    const double left = left_of(x, panel);
    svg_line(x->file, "bound", left, at, left + x->panel - GAP, at,
             "stroke=\"#b71c1c\" stroke-width=\"1.5\" "
             "stroke-dasharray=\"6 4\"");
}

static void
draw_panel(const picture *x, int panel)
{
    const timeline_panel *p = &x->t->panel[panel];
    char finish[32], bound[32];
    readable(p->finish, finish);
    readable(p->bound, bound);
    svg_text(x->file, left_of(x, panel), TOP - 38, 13, svg_ink, "start",
             "%s, %s: %s", p->schedule, hesca_trace_kind_name[p->kind],
             finish);
    svg_text(x->file, left_of(x, panel), TOP - 22, 11, "#b71c1c", "start",
             "lower bound %s (%.3f)", bound,
             p->bound > 0 ? p->finish / p->bound : 1);
    draw_columns(x, panel);
    for (int64_t k = p->first; k < p->first + p->n; ++k)
        draw_message(x, panel, &x->t->trace->row[x->t->order[k]]);
    draw_bound(x, panel);
}

void
timeline_svg(const timeline *t, FILE *file)
{
    const picture x = measure(t, file);
    const double width =
        svg_clamp(left_of(&x, t->npanels) - GAP + RIGHT, LEAST_WIDTH, 1e9);
    svg_begin(file, width, TOP + x.height + BOTTOM, t->heading,
              "columns: %s; numbers: %s; grey: idle%s",
              t->is_receive ? "receivers" : "senders",
              t->is_receive ? "senders" : "receivers",
              t->ncolumns == t->nprocs
                  ? ""
                  : "; processes without messages have no columns");
    draw_times(&x);
    for (int i = 0; i < t->npanels; ++i)
        draw_panel(&x, i);
    svg_end(file);
}
