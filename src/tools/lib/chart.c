/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/chart.h"
#include "tools/lib/svg.h"
#include <math.h>

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
chart_line(const chart *c, const char *name, double x1, double y1, double x2,
           double y2, const char *more)
{
    svg_line(c->f, name, chart_x(c, x1), chart_y(c, y1), chart_x(c, x2),
             chart_y(c, y2), more);
}

void
chart_axes(const chart *c, const char *xname, const char *yname)
{
    static const char grey[] = "stroke=\"#d5dae0\"";
    const double xstep = svg_step(c->xmost / (c->width / 90));
    const double ystep = svg_step(c->ymost / (c->height / 50));
    const double bottom = c->top + c->height;
    for (int k = 0; k * xstep <= c->xmost; ++k) {
        const double x = k * xstep;
        chart_line(c, "tick", x, 0, x, c->ymost, grey);
        svg_text(c->f, chart_x(c, x), bottom + 16, 11, svg_dim, "middle",
                 "%.6g", x);
    }
    for (int k = 0; k * ystep <= c->ymost; ++k) {
        const double y = k * ystep;
        chart_line(c, "tick", 0, y, c->xmost, y, grey);
        svg_text(c->f, c->left - 8, chart_y(c, y) + 4, 11, svg_dim, "end",
                 "%.6g", y);
    }
    svg_text(c->f, c->left + c->width, bottom + 34, 12, svg_ink, "end", "%s",
             xname);
    svg_rotated(c->f, 16, c->top, -90, 12, "end", "%s", yname);
}

void
chart_piece(FILE *f, double left, double top, double width, double height,
            int k, int n, const char *name, const char *count,
            const char *title)
{
    const double middle = left + width / 2;
    const double most = fmin(height / 3.2, 13);
    const double large = svg_fit(name, width - 6, most);
    const double small = svg_fit(count, width - 6, fmin(most, 11));
    const char *edge = width < 3 || height < 3 ? "" : "stroke=\"#ffffff\"";
    svg_rect(f, "piece", left, top, width, height, svg_fill(k, n, edge).text,
             title);
    if (large >= 6)
        svg_text(f, middle, top + height / 2 + (small >= 6 ? -2 : 4), large,
                 svg_ink, "middle", "%s", name);
    if (large >= 6 && small >= 6)
        svg_text(f, middle, top + height / 2 + small + 2, small, svg_ink,
                 "middle", "%s", count);
}
