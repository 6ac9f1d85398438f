#include "tools/lib/chart.h"
#include "tools/lib/svg.h"
#include <string.h>

double
chart_x(const chart *c, double x)
{
    return c->left + c->width * x / c->xmost;
}

double
chart_y(const chart *c, double y)
{
    return c->top + c->height * (1 - y / c->ymost);
}

void
chart_line(const chart *c, double x1, double y1, double x2, double y2,
           const char *more)
{
    fprintf(
        c->f, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n",
        chart_x(c, x1), chart_y(c, y1), chart_x(c, x2), chart_y(c, y2), more);
}

void
chart_axes(const chart *c, const char *xname, const char *yname)
{
    static const char tick[] = "stroke=\"#d5dae0\"";
    const double xstep = svg_step(c->xmost / (c->width / 90));
    const double ystep = svg_step(c->ymost / (c->height / 50));
    char turned[64];
    for (int k = 0; k * xstep <= c->xmost; ++k) {
        chart_line(c, k * xstep, 0, k * xstep, c->ymost, tick);
        svg_text(c->f, chart_x(c, k * xstep), c->top + c->height + 16,
                 (svg_style){11, svg_dim, "middle", ""}, "%.6g", k * xstep);
    }
    for (int k = 0; k * ystep <= c->ymost; ++k) {
        chart_line(c, 0, k * ystep, c->xmost, k * ystep, tick);
        svg_text(c->f, c->left - 8, chart_y(c, k * ystep) + 4,
                 (svg_style){11, svg_dim, "end", ""}, "%.6g", k * ystep);
    }
    svg_text(c->f, c->left + c->width, c->top + c->height + 34,
             (svg_style){12, svg_ink, "end", ""}, "%s", xname);
    snprintf(turned, sizeof turned, " transform=\"rotate(-90 16 %.1f)\"",
             c->top);
    svg_text(c->f, 16, c->top, (svg_style){12, svg_ink, "end", turned}, "%s",
             yname);
}

/* The font size of a text in a box. */
static double
fitting(const char *text, double width, double most)
{
    const double size = (width - 6) / (0.6 * (double)strlen(text) + 0.1);
    return size < most ? size : most;
}

void
chart_piece(FILE *f, double left, double top, double width, double height,
            int k, int n, const char *name, const char *count,
            const char *title)
{
    const double middle = left + width / 2;
    const double most = height / 3.2 < 13 ? height / 3.2 : 13;
    const double large = fitting(name, width, most);
    const double small = fitting(count, width, most < 11 ? most : 11);
    fprintf(f,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
            "stroke=\"#ffffff\" stroke-width=\"%.1f\" ",
            left, top, width, height, width < 3 || height < 3 ? 0.0 : 1.0);
    svg_fill(f, k, n);
    fputs("><title>", f);
    svg_escape(f, title);
    fputs("</title></rect>\n", f);
    if (large >= 6)
        svg_text(f, middle, top + height / 2 + (small >= 6 ? -2 : 4),
                 (svg_style){large, svg_ink, "middle", ""}, "%s", name);
    if (large >= 6 && small >= 6)
        svg_text(f, middle, top + height / 2 + small + 2,
                 (svg_style){small, svg_ink, "middle", ""}, "%s", count);
}
