/* Timing diagrams as a picture: columns of processes, rectangles of messages,
 * coloured by the process at their other end. */
#include "tools/lib/svg.h"
#include "tools/sim/timeline.h"
#include <math.h>
#include <string.h>

enum { LEFT = 64, TOP = 96, GAP = 28, RIGHT = 16, BOTTOM = 20 };
enum { LEAST_WIDTH = 480, PANEL_LEAST = 220 };

typedef struct {
    const timeline *t;
    FILE *file;
    double w;      /* of a column */
    double panel;  /* from one panel to the next */
    double height; /* of the whole time */
} picture;

/* ------------------------------------------------ scale */

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

/* ------------------------------------------------ elements */

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
        fprintf(x->file,
                "<line class=\"tick\" x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" "
                "y2=\"%.1f\" stroke=\"#d5dae0\"/>\n",
                LEFT - 4, at, right, at);
        readable(k * step, text);
        svg_text(x->file, LEFT - 8, at + 4,
                 (svg_style){11, svg_dim, "end", ""}, "%s", text);
    }
}

static void
draw_columns(const picture *x, int panel)
{
    const svg_style small = {11, svg_dim, "middle", ""};
    const int every = svg_stride(x->w, x->t->nprocs > 1000  ? 52
                                       : x->t->nprocs > 100 ? 24
                                                            : 16);
    const double edge = 0.04 * x->w;
    for (int k = 0; k < x->t->ncolumns; ++k) {
        const double left = left_of(x, panel) + k * x->w;
        fprintf(x->file,
                "<rect class=\"column\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" "
                "height=\"%.1f\" fill=\"#e8ebef\"/>\n",
                left + edge, TOP, x->w - 2 * edge, x->height);
        if (k % every == 0)
            svg_text(x->file, left + x->w / 2, TOP - 6, small, "%d",
                     x->t->rank[k]);
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
    double size = (x->w - 2) / (0.58 * digits);
    fprintf(x->file,
            "<rect class=\"message\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
            "height=\"%.2f\" stroke=\"#ffffff\" stroke-width=\"0.4\" ",
            left + edge, top, x->w - 2 * edge, height > 0.4 ? height : 0.4);
    svg_fill(x->file, timeline_column(x->t, other), x->t->ncolumns);
    fprintf(x->file,
            "><title>%d to %d, %.0f bytes, from %.6g to %.6g s, %.6g "
            "s</title></rect>\n",
            m->src, m->dest, m->bytes, m->start, m->end, m->end - m->start);
    size = size < 12 ? size : 12;
    size = size < height ? size : height;
    if (size >= 5)
        svg_text(
            x->file, left + x->w / 2, top + height / 2 + 0.36 * size,
            (svg_style){size, svg_ink, "middle", " pointer-events=\"none\""},
            "%d", other);
}

static void
draw_bound(const picture *x, int panel)
{
    const double at = place(x, x->t->panel[panel].bound);
    const double left = left_of(x, panel);
    fprintf(x->file,
            "<line class=\"bound\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
            "y2=\"%.1f\" stroke=\"#b71c1c\" stroke-width=\"1.5\" "
            "stroke-dasharray=\"6 4\"/>\n",
            left, at, left + x->panel - GAP, at);
}

static void
draw_panel(const picture *x, int panel)
{
    const timeline_panel *p = &x->t->panel[panel];
    char finish[32], bound[32];
    readable(p->finish, finish);
    readable(p->bound, bound);
    svg_text(x->file, left_of(x, panel), TOP - 38,
             (svg_style){13, svg_ink, "start", ""}, "%s, %s: %s", p->schedule,
             hesca_trace_kind_name[p->kind], finish);
    svg_text(x->file, left_of(x, panel), TOP - 22,
             (svg_style){11, "#b71c1c", "start", ""}, "lower bound %s (%.3f)",
             bound, p->bound > 0 ? p->finish / p->bound : 1);
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
    const double size = svg_clamp(
        (width - LEFT) / (0.55 * (double)strlen(t->heading) + 1), 8, 16);
    svg_begin(file, width, TOP + x.height + BOTTOM, t->heading);
    svg_text(file, 24, 26, (svg_style){size, svg_ink, "start", ""}, "%s",
             t->heading);
    svg_text(file, 24, 42, (svg_style){11, svg_dim, "start", ""},
             "columns: %s; numbers: %s; grey: idle%s",
             t->is_receive ? "receivers" : "senders",
             t->is_receive ? "senders" : "receivers",
             t->ncolumns == t->nprocs
                 ? ""
                 : "; processes without messages have no columns");
    draw_times(&x);
    for (int i = 0; i < t->npanels; ++i)
        draw_panel(&x, i);
    fputs("</svg>\n", file);
}
