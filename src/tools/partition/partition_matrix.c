/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca partition matrix. */
#include "base/arith.h"
#include "base/status.h"
#include "hesca/experimental/tiling.h"
#include "tools/lib/chart.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/svg.h"
#include "tools/partition/partition.h"
#include "tools/partition/partition_svg.h"
#include <math.h>

/* The object of the state is a hesca_tiling. */

/* ------------------------------------------------ rectangles
 * The same function tiles by the models and by simpler ones. */

static int
tile(const partition_state *s, hesca_speed *const *model,
     hesca_tiling **tiling)
{
    const partition_options *o = s->o;
    const hesca_speed *const *speed = (const hesca_speed *const *)model;
    const hesca_tiling_kind kind = (hesca_tiling_kind)o->kind;
    if (o->grid == PARTITION_GRID_GIVEN)
        return hesca_tiling_create_grid(
            o->nprow, o->npcol, speed, o->m, o->n, kind,
            o->cut == HESCA_TILING_PROPORTIONAL ? HESCA_TILING_PROPORTIONAL
                                                : HESCA_TILING_LEAST_TIME,
            tiling);
    if (o->grid == PARTITION_GRID_AUTO)
        return hesca_tiling_create_free(
            s->q.p, speed, o->m, o->n, kind,
            o->goal < 0 ? HESCA_GOAL_TIME : (hesca_goal)o->goal, tiling);
    if (kind == HESCA_TILING_RECURSIVE)
        return hesca_tiling_create_recursive(s->q.p, speed, o->m, o->n,
                                             tiling);
    return hesca_tiling_create_strips(
        s->q.p, speed, o->m, o->n, kind,
        o->goal < 0 ? HESCA_GOAL_SUM : (hesca_goal)o->goal, tiling);
}

static int64_t
area(const hesca_tiling *t, int i)
{
    const hesca_rect r = hesca_tiling_rect(t, i);
    return r.height * r.width;
}

/* The largest time of a tiling by simpler models, at the true speeds. */
static double
time_by(const partition_state *s, hesca_speed *const *model)
{
    hesca_tiling *t;
    double most = 0;
    if (tile(s, model, &t) < 0)
        return NAN;
    for (int i = 0; i < s->q.p; ++i)
        most = fmax(most, partition_time(s->q.model[i], area(t, i),
                                         (double)area(t, i)));
    hesca_tiling_free(t);
    return most;
}

static void
take(partition_state *s, const hesca_tiling *t)
{
    s->time = hesca_tiling_time(t);
    s->ideal = hesca_tiling_ideal(t);
    for (int i = 0; i < s->q.p; ++i)
        partition_take(s, i, area(t, i), (double)area(t, i));
}

static int
solve(partition_state *s)
{
    const partition_options *o = s->o;
    hesca_tiling *t;
    if (o->grid == PARTITION_GRID_GIVEN && o->nprow * o->npcol != s->q.p)
        return cmdline_fail("--grid %dx%d has %d places, for %d processors",
                            o->nprow, o->npcol, o->nprow * o->npcol, s->q.p);
    if (tile(s, s->q.model, &t) < 0)
        return cmdline_fail("%s", hesca_error_text());
    s->object = t;
    s->elements = o->m * o->n;
    snprintf(s->heading, sizeof s->heading, "matrix of %lld x %lld elements",
             (long long)o->m, (long long)o->n);
    take(s, t);
    return partition_compare(s, time_by);
}

static void
clear(partition_state *s)
{
    hesca_tiling_free(s->object);
}

/* ------------------------------------------------ results
 * The tiling exists; rectangles may be empty. */

static void
put(fields *f, const partition_state *s, int i)
{
    const hesca_tiling *t = s->object;
    const hesca_rect r = hesca_tiling_rect(t, i);
    int nprow, npcol;
    hesca_tiling_grid(t, &nprow, &npcol);
    fields_count(f, "row", r.row);
    fields_count(f, "column", r.col);
    fields_count(f, "height", r.height);
    fields_count(f, "width", r.width);
    fields_int(f, "grid_rows", nprow);
    fields_int(f, "grid_columns", npcol);
    fields_count(f, "half_perimeters", hesca_tiling_sum(t));
    fields_exact(f, "half_perimeters_bound", hesca_tiling_sum_bound(t));
    fields_count(f, "half_perimeter_most", hesca_tiling_max(t));
    fields_exact(f, "half_perimeter_most_bound", hesca_tiling_max_bound(t));
}

static void
print_head(const partition_state *s, FILE *f)
{
    (void)s;
    fprintf(f, " %9s %9s %9s %9s", "row", "column", "height", "width");
}

static void
print_columns(const partition_state *s, int i, FILE *f)
{
    const hesca_rect r = hesca_tiling_rect(s->object, i);
    fprintf(f, " %9lld %9lld %9lld %9lld", (long long)r.row, (long long)r.col,
            (long long)r.height, (long long)r.width);
}

static void
print_bound(FILE *f, const char *what, int64_t value, double bound)
{
    fprintf(f, "%s %lld, bound %.6g, ratio %.4f\n", what, (long long)value,
            bound, bound > 0 ? (double)value / bound : 1);
}

static void
print_grid(const hesca_tiling *t, FILE *f)
{
    int nprow, npcol;
    hesca_tiling_grid(t, &nprow, &npcol);
    fprintf(f, "grid of %d x %d, processor", nprow, npcol);
    for (int i = 0; i < nprow; ++i)
        for (int j = 0; j < npcol; ++j)
            fprintf(f, "%s%d",
                    j > 0   ? " "
                    : i > 0 ? " / "
                            : " ",
                    hesca_tiling_at(t, i, j));
    fputc('\n', f);
}

static void
print_more(const partition_state *s, FILE *f)
{
    const hesca_tiling *t = s->object;
    if (s->o->grid == PARTITION_GRID_AUTO)
        print_grid(t, f);
    print_bound(f, "sum of half perimeters", hesca_tiling_sum(t),
                hesca_tiling_sum_bound(t));
    print_bound(f, "largest half perimeter", hesca_tiling_max(t),
                hesca_tiling_max_bound(t));
}

static void
list(const partition_state *s, FILE *f)
{
    for (int64_t i = 0; i < s->o->m; ++i)
        for (int64_t j = 0; j < s->o->n && !ferror(f); ++j)
            fprintf(f, "%d\n", hesca_tiling_owner(s->object, i, j));
}

/* ------------------------------------------------ the picture
 * Rectangles are drawn to scale, at the left; the bars are at the right. */

enum { LEFT = 24, TOP = 80, SIDE = 600, BARS = 300 };

/* The extents of a matrix, no side more than 4 times the other. */
static void
measure(const partition_options *o, double *width, double *height)
{
    const double m = o->m > 0 ? (double)o->m : 1;
    const double n = o->n > 0 ? (double)o->n : 1;
    const double ratio = svg_clamp(n / m, 0.25, 4);
    *width = ratio > 1 ? SIDE : SIDE * ratio;
    *height = ratio > 1 ? SIDE / ratio : SIDE;
}

static void
draw_rect(const partition_state *s, FILE *f, int i, double x, double y)
{
    const hesca_rect r = hesca_tiling_rect(s->object, i);
    char title[160], extents[64];
    if (r.height == 0 || r.width == 0)
        return;
    partition_svg_title(s, i, title);
    snprintf(extents, sizeof extents, "%lld x %lld", (long long)r.height,
             (long long)r.width);
    chart_piece(f, LEFT + x * (double)r.col, TOP + y * (double)r.row,
                x * (double)r.width, y * (double)r.height, i, s->q.p,
                s->q.name[i], extents, title);
}

static void
draw(const partition_state *s, FILE *f)
{
    double width, height;
    measure(s->o, &width, &height);
    const double bars = partition_svg_bars_height(s);
    partition_svg_begin(s, f, LEFT + width + 40 + BARS + 24,
                        TOP + (bars > height ? bars : height) + 24);
    svg_text(f, 24, 60, 12, svg_dim, "start",
             "half perimeters: sum %lld, bound %.6g; largest %lld, bound %.6g",
             (long long)hesca_tiling_sum(s->object),
             hesca_tiling_sum_bound(s->object),
             (long long)hesca_tiling_max(s->object),
             hesca_tiling_max_bound(s->object));
    for (int i = 0; i < s->q.p; ++i)
        draw_rect(s, f, i, width / (double)hesca_max(s->o->n, 1),
                  height / (double)hesca_max(s->o->m, 1));
    partition_svg_bars(s, f, LEFT + width + 40, TOP, BARS, NULL);
    svg_end(f);
}

const partition_kind partition_matrix = {.solve = solve,
                                         .put = put,
                                         .print_head = print_head,
                                         .print_columns = print_columns,
                                         .print_more = print_more,
                                         .draw = draw,
                                         .list = list,
                                         .clear = clear};
