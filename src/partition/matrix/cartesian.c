#include "partition/matrix/cartesian.h"
#include "base/arith.h"
#include "base/status.h"
#include "partition/matrix/min_makespan.h"
#include "partition/set/split.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 4 };

/* A cut of a grid, and room to look for a better one. */
typedef struct {
    int p, q;
    const int *seat;
    hesca_min_makespan least;
    int64_t *width, *height; /* [q], [p] */
    int64_t *new_width, *new_height;
    double *speed; /* [max(p, q)] */
} grid;

/* Lines (columns, or rows) whose extents are asked for, while those of what
 * crosses them are known. */
typedef struct {
    const int *seat;
    int n, step;           /* lines; processor k of line l sits at */
    int cross, stride;     /* l step + k stride, 0 <= k < cross */
    int64_t length;        /* what the lines are to add up to */
    const int64_t *extent; /* [cross] */
} question;

static question
columns_of(const grid *g, int64_t n, const int64_t *height)
{
    return (question){g->seat, g->q, 1, g->p, g->q, n, height};
}

static question
rows_of(const grid *g, int64_t m, const int64_t *width)
{
    return (question){g->seat, g->p, g->q, g->q, 1, m, width};
}

/* The most that line l can have: what the first to be full allows. */
static int64_t
widest(const question *x, int l, const int64_t *count)
{
    int64_t most = x->length;
    for (int k = 0; k < x->cross; ++k)
        if (x->extent[k] > 0)
            most =
                hesca_min(most, count[x->seat[l * x->step + k * x->stride]] /
                                    x->extent[k]);
    return most;
}

static int
suffices(const void *what, const int64_t *count)
{
    const question *x = what;
    int64_t sum = 0;
    for (int l = 0; l < x->n && sum < x->length; ++l)
        sum += hesca_min(widest(x, l, count), x->length - sum);
    return sum == x->length;
}

/* The best extents of lines for what crosses them; 0 if there are none. */
static int
cut_lines(grid *g, const question *x, int64_t *extent)
{
    g->least.what = x;
    g->least.suffices = suffices;
    if (!hesca_min_makespan_time(&g->least))
        return 0;
    for (int l = 0; l < x->n; ++l)
        g->speed[l] = (double)widest(x, l, g->least.count);
    hesca_split(x->length, x->n, g->speed, extent);
    return 1;
}

/* How bad a cut is: the largest time, or how full the fullest memory is. */
static double
value(const grid *g, const int64_t *width, const int64_t *height)
{
    const hesca_tiling_task *x = g->least.task;
    double worst = 0;
    for (int i = 0; i < g->p; ++i)
        for (int j = 0; j < g->q; ++j) {
            const int who = g->seat[i * g->q + j];
            const double area = (double)(width[j] * height[i]);
            const double t = g->least.by_limit
                                 ? area / (double)g->least.most[who]
                                 : hesca_speed_time(x->speed[who], area);
            worst = area > 0 ? fmax(worst, t) : worst;
        }
    return worst;
}

/* Columns for the rows, rows for the columns, or the other way round, as long
 * as that makes it better. */
static double
descend(grid *g, int rows_first)
{
    const hesca_tiling_task *x = g->least.task;
    double now = value(g, g->width, g->height);
    for (int turn = rows_first, failed = 0; failed < 2; ++turn) {
        const question q = turn % 2 ? rows_of(g, x->m, g->width)
                                    : columns_of(g, x->n, g->height);
        int64_t *extent = turn % 2 ? g->new_height : g->new_width;
        int64_t *old = turn % 2 ? g->height : g->width;
        memcpy(g->new_width, g->width, (size_t)g->q * sizeof *g->width);
        memcpy(g->new_height, g->height, (size_t)g->p * sizeof *g->height);
        const double then = cut_lines(g, &q, extent)
                                ? value(g, g->new_width, g->new_height)
                                : INFINITY;
        failed = then < now ? 0 : failed + 1;
        if (then < now) {
            now = then;
            memcpy(old, extent, (size_t)q.n * sizeof *old);
        }
    }
    return now;
}

/* What a line is worth: the sum of its speeds, or, for a start that minds the
 * slowest more, the inverse of the sum of their inverses. */
static double
worth(const grid *g, const question *x, int l, int is_inverse)
{
    const double *weight = g->least.task->weight;
    double sum = 0;
    for (int k = 0; k < x->cross; ++k) {
        const double w = weight[x->seat[l * x->step + k * x->stride]];
        sum += is_inverse ? 1 / w : w;
    }
    return is_inverse ? 1 / sum : sum;
}

/* Two steps: widths by the sums of columns, heights by those of rows (HMPI
 * thesis 3.5.1). */
static void
cut_in_proportion(grid *g, int is_inverse)
{
    const hesca_tiling_task *x = g->least.task;
    for (int turn = 0; turn < 2; ++turn) {
        const question q =
            turn ? rows_of(g, x->m, g->width) : columns_of(g, x->n, g->height);
        for (int l = 0; l < q.n; ++l)
            g->speed[l] = worth(g, &q, l, is_inverse);
        hesca_split(q.length, q.n, g->speed, turn ? g->height : g->width);
    }
}

/* From a cut in proportion; where that does not fit, first until it does.
 * There are four starts. */
static double
cut_in_least_time(grid *g, int start)
{
    enum { ROWS_FIRST = 1, INVERSE = 2 };
    const int rows_first = start & ROWS_FIRST;
    cut_in_proportion(g, (start & INVERSE) != 0);
    if (!isfinite(value(g, g->width, g->height))) {
        g->least.by_limit = 1;
        descend(g, rows_first);
        g->least.by_limit = 0;
    }
    return descend(g, rows_first);
}

static int
allocate(grid *g, const hesca_tiling_task *x)
{
    const size_t p = (size_t)g->p, q = (size_t)g->q;
    const int err = hesca_min_makespan_init(&g->least, x);
    g->new_width = malloc(q * sizeof *g->width);
    g->new_height = malloc(p * sizeof *g->height);
    g->speed = malloc((p > q ? p : q) * sizeof *g->speed);
    if (err == HESCA_SUCCESS && (!g->new_width || !g->new_height || !g->speed))
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: a grid of %d x %d",
                          x->routine, g->p, g->q);
    return err;
}

int
hesca_cartesian_cut(const hesca_tiling_task *x, int p, int q, const int *seat,
                    hesca_tiling_cut cut, int64_t *width, int64_t *height)
{
    grid g = {.p = p, .q = q, .seat = seat, .width = width, .height = height};
    int err;
    HESCA_TRY(err, allocate(&g, x));
    cut_in_proportion(&g, 0);
    if (cut == HESCA_TILING_PROPORTIONAL && x->is_constant &&
        isfinite(value(&g, width, height)))
        goto fail;
    int best = 0;
    double least = INFINITY;
    for (int start = 0; start < STARTS; ++start) {
        const double now = cut_in_least_time(&g, start);
        if (now < least) {
            least = now;
            best = start;
        }
    }
    cut_in_least_time(&g, best);
    if (!isfinite(least))
        err = hesca_tiling_fail_limits(x, HESCA_ERR_UNSUPPORTED,
                                       "no Cartesian tiling was found");
fail:
    hesca_min_makespan_clear(&g.least);
    free(g.new_width);
    free(g.new_height);
    free(g.speed);
    return err;
}
