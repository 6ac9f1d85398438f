/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of all pictures of partitions, and the picture of a set. */
#include "tools/partition/partition_svg.h"
#include "tools/lib/chart.h"
#include "tools/lib/svg.h"
#include <math.h>

enum { NAMES_MOST = 40 }; /* names of more points would overlap */

void
partition_svg_begin(const partition_state *s, FILE *f, double width,
                    double height)
{
    char headline[420];
    snprintf(headline, sizeof headline, "%s, %s", s->heading, s->q.source);
    svg_begin(f, width, height, headline,
              "longest time %.6g, ideal %.6g, ratio %.4f", s->time, s->ideal,
              s->ideal > 0 ? s->time / s->ideal : 1);
}

void
partition_svg_title(const partition_state *s, int i, char text[160])
{
    const partition_share *x = &s->share[i];
    snprintf(text, 160, "%s: %lld elements, speed %.6g, time %.6g",
             s->q.name[i], (long long)x->count, x->speed, x->time);
}

void
partition_svg_bar(const partition_state *s, FILE *f, double left, double top,
                  double width, double height, const int *order)
{
    char count[32], title[160];
    for (int k = 0; k < s->q.p; ++k) {
        const int i = order != NULL ? order[k] : k;
        const double w =
            s->total > 0 ? width * s->share[i].size / s->total : 0;
        if (!(w > 0))
            continue;
        snprintf(count, sizeof count, "%lld", (long long)s->share[i].count);
        partition_svg_title(s, i, title);
        chart_piece(f, left, top, w, height, i, s->q.p, s->q.name[i], count,
                    title);
        left += w;
    }
}

/* ------------------------------------------------ bars
 * All bars have one scale, that of the largest finite value or mark. */

enum { BARS_TOP = 24, BARS_NAMES = 84 };

static double
bar_height(const partition_state *s)
{
    return svg_clamp(560.0 / s->q.p, 0.02, 26);
}

double
partition_svg_bars_height(const partition_state *s)
{
    return BARS_TOP + s->q.p * bar_height(s);
}

static void
draw_bar(const partition_state *s, FILE *f, int i, chart c, double value,
         double mark)
{
    const double h = c.height, end = isfinite(value) ? value : c.xmost;
    char title[160];
    partition_svg_title(s, i, title);
    svg_rect(f, "bar", c.left, c.top + 0.1 * h, c.width * end / c.xmost,
             0.8 * h, svg_fill(i, s->q.p, "").text, title);
    svg_line(f, "mark", chart_x(&c, mark), c.top, chart_x(&c, mark), c.top + h,
             "stroke=\"#1f2933\" stroke-width=\"1.5\"");
    if (h < 9)
        return;
    svg_text(f, c.left - 6, c.top + h / 2 + 4, 11, svg_ink, "end", "%.12s",
             s->q.name[i]);
    svg_text(f, c.left + 6, c.top + h / 2 + 4, 11, svg_ink, "start", "%.6g",
             value);
}

void
partition_svg_bars(const partition_state *s, FILE *f, double left, double top,
                   double width, const double *target)
{
    chart c = {f, left + BARS_NAMES, 0, width - BARS_NAMES, bar_height(s), 0,
               0};
    for (int i = 0; i < s->q.p; ++i) {
        const double value = target ? s->share[i].size : s->share[i].time;
        const double mark = target ? target[i] : s->ideal;
        c.xmost = fmax(c.xmost, fmax(isfinite(value) ? value : 0, mark));
    }
    c.xmost = c.xmost > 0 ? 1.02 * c.xmost : 1;
    svg_text(f, c.left, top + 12, 12, svg_dim, "start", "%s",
             target ? "size; mark: target" : "time; mark: ideal");
    for (int i = 0; i < s->q.p; ++i) {
        c.top = top + BARS_TOP + i * c.height;
        draw_bar(s, f, i, c, target ? s->share[i].size : s->share[i].time,
                 target ? target[i] : s->ideal);
    }
}

/* ------------------------------------------------ speeds
 * The scales include all shares, and all speeds up to the end of the axis. */

/* The ends of the scales. */
static chart
measure(const partition_state *s, FILE *f)
{
    chart c = {f, 72, 80, 820, 420, s->total / s->q.p, 0};
    for (int i = 0; i < s->q.p; ++i)
        c.xmost = fmax(c.xmost, s->share[i].size);
    c.xmost = c.xmost > 0 ? 1.12 * c.xmost : 1;
    for (int i = 0; i < s->q.p; ++i) {
        int n;
        const hesca_knot *knot = hesca_speed_knots(s->q.model[i], &n);
        for (int j = 0; j < n && knot[j].size <= c.xmost; ++j)
            c.ymost = fmax(c.ymost, knot[j].speed);
        c.ymost = fmax(c.ymost, hesca_speed_at(s->q.model[i], c.xmost));
    }
    c.ymost *= 1.08;
    return c;
}

static void
draw_curve(const partition_state *s, const chart *c, int i, double width)
{
    const hesca_speed *model = s->q.model[i];
    const double limit = s->is_weighted ? INFINITY : hesca_speed_limit(model);
    const double end = fmin(limit, c->xmost);
    char colour[8], stroke[48];
    int n;
    const hesca_knot *knot = hesca_speed_knots(model, &n);
    svg_colour(i, s->q.p, colour);
    snprintf(stroke, sizeof stroke, "stroke=\"%s\" stroke-width=\"4\"",
             colour);
    fprintf(c->f,
            "<polyline class=\"speed\" fill=\"none\" stroke=\"%s\" "
            "stroke-width=\"%.1f\" points=\"%.1f,%.1f",
            colour, width, chart_x(c, 0),
            chart_y(c, hesca_speed_at(model, 0)));
    for (int j = 0; j < n && knot[j].size < end; ++j)
        fprintf(c->f, " %.1f,%.1f", chart_x(c, knot[j].size),
                chart_y(c, knot[j].speed));
    const double there = hesca_speed_at(model, end);
    fprintf(c->f, " %.1f,%.1f\"/>\n", chart_x(c, end), chart_y(c, there));
    if (limit < c->xmost)
        svg_line(c->f, "limit", chart_x(c, end), chart_y(c, there) - 9,
                 chart_x(c, end), chart_y(c, there) + 9, stroke);
}

/* The line of all points with the ideal time. */
static void
draw_line(const partition_state *s, const chart *c)
{
    if (!(s->ideal > 0))
        return;
    const double x = fmin(c->xmost, c->ymost * s->ideal);
    chart_line(c, "meets", 0, 0, x, x / s->ideal,
               "stroke=\"#1f2933\" stroke-width=\"1.2\"");
}

static void
draw_point(const partition_state *s, const chart *c, int i)
{
    const partition_share *x = &s->share[i];
    char title[160];
    partition_svg_title(s, i, title);
    svg_circle(c->f, "share", chart_x(c, x->size), chart_y(c, x->speed),
               s->q.p <= NAMES_MOST ? 4.5 : 2.5,
               svg_fill(i, s->q.p, "stroke=\"#1f2933\"").text, title);
}

/* Whether the name of i would overlap an earlier one. */
static int
is_covered(const partition_state *s, const chart *c, int i)
{
    const partition_share *x = s->share;
    for (int k = 0; k < i; ++k)
        if (fabs(chart_x(c, x[i].size) - chart_x(c, x[k].size)) < 44 &&
            fabs(chart_y(c, x[i].speed) - chart_y(c, x[k].speed)) < 13)
            return 1;
    return 0;
}

static void
draw_name(const partition_state *s, const chart *c, int i)
{
    if (s->q.p > NAMES_MOST || is_covered(s, c, i))
        return;
    fputs("<g stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">",
          c->f);
    svg_text(c->f, chart_x(c, s->share[i].size) - 8,
             chart_y(c, s->share[i].speed) - 8, 12, svg_ink, "end", "%s",
             s->q.name[i]);
    fputs("</g>\n", c->f);
}

void
partition_svg_speeds(const partition_state *s, FILE *f, const int *order)
{
    const chart c = measure(s, f);
    const double mean = s->total / s->q.p;
    partition_svg_begin(s, f, c.left + c.width + 24,
                        c.top + c.height + 56 + 60 + 20);
    chart_axes(&c, s->is_weighted ? "weight" : "elements", "speed");
    chart_line(&c, "mean", mean, 0, mean, c.ymost,
               "stroke=\"#52606d\" stroke-dasharray=\"3 4\"");
    svg_text(f, 24, 60, 12, svg_dim, "start", "%s",
             "line: all sizes that take the ideal time; dashed: equal shares");
    /* Of equal ones the first is named, and drawn on top. */
    for (int i = s->q.p - 1; i >= 0; --i)
        draw_curve(s, &c, i, s->q.p <= NAMES_MOST ? 2.4 : 1.2);
    draw_line(s, &c);
    for (int i = s->q.p - 1; i >= 0; --i)
        draw_point(s, &c, i);
    for (int i = 0; i < s->q.p; ++i)
        draw_name(s, &c, i);
    partition_svg_bar(s, f, c.left, c.top + c.height + 56, c.width, 60, order);
    svg_end(f);
}
