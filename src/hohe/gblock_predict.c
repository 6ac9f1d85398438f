/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted time of a routine on generalized blocks.
 *
 * The algorithms in dense/ look ahead: while a step updates the rest of the
 * matrix, the panels of the next step are factored and sent. The prediction
 * goes through the steps, because the rest of the matrix is not the same part
 * of every share. In a step - a host computes, and handles its messages, one
 * after the other, while its links carry them; the host that is busy longest
 * determines the time, - meanwhile the next panel is factored, its messages
 * following each other, and each pair hides the shorter behind the longer but
 * for a part.
 *
 * Messages of a step: of the panel column, every process receives its rows
 * from their owners in another process column; so each row is sent npcol - 1
 * times, however ragged rows are. Of a product's panel row, every process
 * receives its columns from its process column; of pdpotrf's panel,
 * transposed, from the owners of these rows in its process column; of
 * pdgetrf's from the owners of the pivots, which receive the replaced rows.
 * Factors of a product may be in another layout than the result.
 *
 * As in place/forecast.c, a panel's columns are factored more slowly than the
 * rest is updated, those of pdgetrf by the process with most rows, and
 * processes of a host share its cores. */
#include "base/arith.h"
#include "base/status.h"
#include "hohe/gblock.h"
#include "hohe/gblock_walk.h"
#include "layout/layout.h"
#include "machine/routine_costs.h"
#include <math.h>
#include <stdlib.h>

/* At most this number of steps is evaluated; each stands for those up to the
 * next one. */
enum { STEPS = 256 };

/* --- processes and links ---
 * Pure functions of machine, host and job. */

double
hesca_gblock_core(const hesca_machine *machine, const int *host, int n, int k)
{
    int beside = 0;
    for (int l = 0; l < n; ++l)
        beside += host[l] == host[k];
    return fmin(1, machine->host[host[k]].cores / beside);
}

/* Mean seconds per byte, and the longest startup, to the processes of other
 * columns or, by_rows, of other rows of the grid. */
static hesca_gblock_link
link_of(const hesca_gblock_walk *w, int k, int by_rows)
{
    const int npcol = w->g->info.npcol;
    hesca_gblock_link x = {0, 0, 0};
    int n = 0;
    for (int l = 0; l < w->nprocs; ++l) {
        const int same =
            by_rows ? k / npcol == l / npcol : k % npcol == l % npcol;
        const int partner = by_rows ? k % npcol == l % npcol : 1;
        if (same || !partner)
            continue;
        const hesca_wire wire =
            w->machine->wire[(size_t)w->host[k] * (size_t)w->machine->nhosts +
                             (size_t)w->host[l]];
        x.byte += 1 / wire.rate;
        x.startup =
            fmax(x.startup, wire.startup + hesca_wakeup_seconds(fmin(
                                               w->message[k], w->message[l])));
        if (w->host[k] != w->host[l])
            x.handling += hesca_handling(wire, HESCA_HANDLING, w->message[k]);
        ++n;
    }
    const double times =
        by_rows ? w->traffic.along_cols : w->traffic.along_rows;
    x.byte *= times / (n > 0 ? n : 1);
    x.handling *= times / (n > 0 ? n : 1);
    return x;
}

static int
find_speeds(hesca_gblock_walk *w)
{
    const char *name = w->routine;
    for (int k = 0; k < w->nprocs; ++k) {
        const int h = w->host[k];
        const double part =
            hesca_gblock_core(w->machine, w->host, w->nprocs, k);
        w->speed[k] = hesca_job_speed(w->machine, w->job, h, w->nprocs) * part;
        w->message[k] = hesca_message_speed(w->machine, h, part);
        if (!(w->speed[k] > 0))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "%s: a share of the matrix does not fit into "
                              "the memory of host %s",
                              name, w->machine->host[h].name);
    }
    return HESCA_SUCCESS;
}

int
hesca_gblock_check_hosts(const char *name, int info,
                         const hesca_machine *machine, int nprocs,
                         const int *host)
{
    if (machine->nhosts < 1)
        return hesca_fail(HESCA_ERR_ARG, info - 1,
                          "%s: argument %d, machine, has no hosts", name,
                          info - 1);
    for (int k = 0; k < nprocs; ++k)
        if (host[k] < 0 || host[k] >= machine->nhosts)
            return hesca_fail(HESCA_ERR_ARG, info,
                              "%s: argument %d, host[%d], is %d: must be a "
                              "host of the machine",
                              name, info, k, host[k]);
    return HESCA_SUCCESS;
}

int
hesca_gblock_walk_init(hesca_gblock_walk *w, const char *name,
                       const hesca_job *job, const hesca_machine *machine,
                       int nprow, int npcol, const int *host, int info)
{
    const size_t n = (size_t)nprow * (size_t)npcol;
    int err;
    *w = (hesca_gblock_walk){.routine = name,
                             .job = job,
                             .machine = machine,
                             .host = host,
                             .traffic = {NULL, 1, 1, 1},
                             .nprocs = nprow * npcol};
    HESCA_TRY(err,
              hesca_gblock_check_hosts(name, info, machine, w->nprocs, host));
    w->speed = calloc(n, sizeof *w->speed);
    w->message = calloc(n, sizeof *w->message);
    w->rows = calloc(n, sizeof *w->rows);
    w->cols = calloc(n, sizeof *w->cols);
    w->along_row = calloc(n, sizeof *w->along_row);
    w->along_col = calloc(n, sizeof *w->along_col);
    w->load = calloc((size_t)machine->nhosts, sizeof *w->load);
    if (w->speed == NULL || w->message == NULL || w->rows == NULL ||
        w->cols == NULL || w->along_row == NULL || w->along_col == NULL ||
        w->load == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "a forecast for %zu processes", n));
    HESCA_TRY(err, find_speeds(w));
fail:
    if (err < 0)
        hesca_gblock_walk_clear(w);
    return err;
}

void
hesca_gblock_walk_clear(hesca_gblock_walk *w)
{
    free(w->speed);
    free(w->message);
    free(w->rows);
    free(w->cols);
    free(w->along_row);
    free(w->along_col);
    free(w->load);
    *w = (hesca_gblock_walk){.nprocs = 0};
}

/* --- a step ---
 * rows, cols and left describe the shares after the current step. */

/* Find the rest of the shares after the step that ends before index k. */
static void
find_rest(hesca_gblock_walk *w, int64_t k)
{
    const hesca_gblock_info *x = &w->g->info;
    const int64_t n = w->job->n;
    w->left = (double)(n - k);
    for (int l = 0; l < w->nprocs; ++l) {
        const int p = l / x->npcol, q = l % x->npcol;
        const hesca_axis *r = hesca_layout_row_axis(w->g->layout, q);
        const hesca_axis *c = hesca_layout_col_axis(w->g->layout, p);
        w->rows[l] =
            (double)(hesca_axis_count(r, p, n) - hesca_axis_count(r, p, k));
        w->cols[l] =
            (double)(hesca_axis_count(c, q, n) - hesca_axis_count(c, q, k));
    }
}

/* Whether a process has column k of a layout on the grid, or row k. */
static int
has_column(const hesca_layout *x, int l, int64_t k)
{
    int64_t at;
    return hesca_axis_locate(hesca_layout_col_axis(x, l / x->npcol), k, &at) ==
           l % x->npcol;
}

static int
has_row(const hesca_layout *x, int l, int64_t k)
{
    int64_t at;
    return hesca_axis_locate(hesca_layout_row_axis(x, l % x->npcol), k, &at) ==
           l / x->npcol;
}

/* Elements per slice of the panel that a process receives, sends, and forwards
 * while it receives them, to others of its process row, and of its process
 * column. */
typedef struct {
    double in_row, out_row, forward_row, in_col, out_col, forward_col;
} slices;

/* Processes of a row whose panels go along a chain: as many have it where a
 * message takes some milliseconds (bcast/forwarding.h). */
enum { CHAIN = 8 };

/* How often one of n processes sends what it has to the others of them: in a
 * chain once, in a binomial tree more often. */
static double
copies(const hesca_gblock_walk *w, int n)
{
    int rounds = 0;
    while (n > 1 << rounds)
        ++rounds;
    return !w->traffic.forwards || n <= 2 ? n - 1 : n <= CHAIN ? 1 : rounds;
}

/* The part of what a process receives that it forwards, so that each slice is
 * sent n - 1 times. */
static double
forwarded(const hesca_gblock_walk *w, int n)
{
    return n > 2 ? (n - 1 - copies(w, n)) / (n - 1) : 0;
}

/* Of a product, panel k: sent from the owners of the factors. */
static slices
of_factors(const hesca_gblock_walk *w, int l, int64_t k)
{
    const hesca_layout *to = w->g->layout;
    const hesca_layout *from =
        w->traffic.source != NULL ? w->traffic.source : to;
    const int p = l / to->npcol, q = l % to->npcol;
    slices x = {.in_row = w->rows[l], .in_col = w->cols[l]};
    if (has_column(from, l, k)) {
        const double has = (double)hesca_axis_count(
            hesca_layout_row_axis(from, q), p, w->job->n);
        const double own = fmin(has, w->rows[l]);
        x.in_row -= own;
        x.out_row = (1 + copies(w, to->npcol)) * has - own;
    }
    if (has_row(from, l, k)) {
        const double has = (double)hesca_axis_count(
            hesca_layout_col_axis(from, p), q, w->job->n);
        const double own = fmin(has, w->cols[l]);
        x.in_col -= own;
        x.out_col = (1 + copies(w, to->nprow)) * has - own;
    }
    x.forward_row = forwarded(w, to->npcol) * x.in_row;
    x.forward_col = forwarded(w, to->nprow) * x.in_col;
    return x;
}

/* Of a factorization: the panel column is sent along process rows. Its
 * transpose comes from the owners of these rows in the process column; rows of
 * the panel row from the owners of the pivots, which may be any rows, and the
 * replaced rows go there. */
static slices
of_panel(const hesca_gblock_walk *w, const hesca_step_costs *t, int l,
         int64_t k)
{
    const hesca_layout *x = w->g->layout;
    const double part = w->left > 0 ? w->rows[l] / w->left : 0;
    const int others = x->nprow - 1;
    slices s = {.in_col = w->cols[l] * (1 - part),
                .out_col = w->cols[l] * part * others};
    if (has_column(x, l, k))
        s.out_row = copies(w, x->npcol) * w->rows[l];
    else
        s.in_row = w->rows[l];
    s.forward_row = forwarded(w, x->npcol) * s.in_row;
    if (t->exchanges && has_row(x, l, k))
        s.out_col += w->cols[l] * (1 - part);
    else if (t->exchanges)
        s.in_col += w->cols[l] * part;
    return s;
}

/* Add bytes that a process receives, sends and forwards to the load of its
 * host.  What is forwarded leaves while as much arrives. */
static void
carry(hesca_gblock_walk *w, int l, hesca_gblock_link link, double in,
      double out, double forward)
{
    hesca_gblock_load *h = &w->load[w->host[l]];
    h->in += in * link.byte;
    h->out += out * link.byte;
    h->handling += (in + out + forward) * link.handling;
}

/* Panels from which the mean of those in flight is taken: a number that has no
 * divisor in common with those of block sizes. */
enum { SAMPLES = 7 };

/* Messages of the panel of `width` slices that begins at k: the mean of those
 * in flight with it, since panels of different owners use different links. */
static void
add_messages(hesca_gblock_walk *w, const hesca_step_costs *t, int l, int64_t k,
             double width)
{
    const int64_t flight =
        hesca_min(w->job->n - k, t->flight * (int64_t)width);
    const int samples = w->traffic.forwards && t->flight > 1 ? SAMPLES : 1;
    const double size = width * (double)sizeof(double) / samples;
    for (int d = 0; d < samples; ++d) {
        const int64_t at = k + d * flight / samples;
        const slices s =
            t->is_trailing ? of_panel(w, t, l, at) : of_factors(w, l, at);
        carry(w, l, w->along_row[l], s.in_row * size, s.out_row * size,
              s.forward_row * size);
        carry(w, l, w->along_col[l], s.in_col * size, s.out_col * size,
              s.forward_col * size);
    }
    if (w->nprocs > 1)
        w->load[w->host[l]].handling +=
            t->messages * (w->g->info.nprow + w->g->info.npcol - 2) *
            hesca_wakeup_seconds(w->message[l]);
}

/* Whether process l factors (a part of) the panel that begins at k. */
static int
factors(const hesca_gblock_walk *w, const hesca_step_costs *t, int l,
        int64_t k)
{
    const hesca_layout *x = w->g->layout;
    if (!has_column(x, l, k))
        return 0;
    for (int i = 0; i < w->nprocs && t->is_gathered; ++i)
        if (has_column(x, i, k) &&
            (w->rows[i] > w->rows[l] ||
             (w->rows[i] == w->rows[l] && i != l && has_row(x, i, k))))
            return 0;
    return 1;
}

/* Operations of process l on the panel. */
static double
panel_of(const hesca_gblock_walk *w, const hesca_step_costs *t, int l,
         int64_t k, double width)
{
    const double rows = t->is_gathered ? w->left : w->rows[l];
    return factors(w, t, l, k) ? t->panel * rows * width * width : 0;
}

/* Seconds from the moment when the columns of a panel are up to date until the
 * panel is where it is needed: its rows are gathered, factored, returned if
 * one process factors them all, and sent. All processes wait for this path. */
static double
path_of(const hesca_gblock_walk *w, const hesca_step_costs *t, int64_t k,
        double width)
{
    const double size = width * (double)sizeof(double);
    double factor = 0, gather = 0, travel = 0, latency = 0;
    for (int l = 0; l < w->nprocs; ++l) {
        const double rows = w->rows[l] * size, cols = w->cols[l] * size;
        const hesca_gblock_link row = w->along_row[l], col = w->along_col[l];
        latency = fmax(latency, fmax(row.startup, col.startup));
        travel = fmax(travel, rows * row.byte +
                                  (t->is_trailing ? cols * col.byte : 0));
        factor = fmax(factor, panel_of(w, t, l, k, width) / w->speed[l]);
        if (t->is_gathered && has_column(w->g->layout, l, k) &&
            !factors(w, t, l, k))
            gather = fmax(gather, rows * col.byte);
    }
    return factor + 2 * gather + travel + t->latencies * latency;
}

/* Seconds of two concurrent activities. */
static double
together(const hesca_step_costs *t, double a, double b)
{
    return fmax(a, b) + (1 - t->hidden) * fmin(a, b);
}

/* Seconds of the host that is busy longest. */
static double
longest(const hesca_gblock_walk *w, const hesca_step_costs *t, double *compute)
{
    double seconds = 0;
    for (int h = 0; h < w->machine->nhosts; ++h) {
        const hesca_gblock_load *x = &w->load[h];
        const double own = x->compute + x->handling;
        const double link =
            fmax(x->in, x->out) + (1 - t->duplex) * fmin(x->in, x->out);
        const double both = together(t, own, link);
        *compute = fmax(*compute, x->compute);
        seconds = fmax(seconds, both);
    }
    return seconds;
}

/* Seconds of the update of step s and the panels of the next one, which are
 * concurrent; s = -1: the first panels alone. */
static double
step(hesca_gblock_walk *w, const hesca_step_costs *t, int64_t s,
     double *compute)
{
    const int64_t n = w->job->n, nb = w->job->nb;
    const int64_t end = hesca_min(n, (s + 1) * nb);
    const double done = (double)(s < 0 ? 0 : end - s * nb);
    const double width = (double)hesca_min(nb, n - end);
    for (int h = 0; h < w->machine->nhosts; ++h)
        w->load[h] = (hesca_gblock_load){0, 0, 0, 0};
    find_rest(w, t->is_trailing ? end : 0);
    for (int l = 0; l < w->nprocs; ++l) {
        double ops = t->update * w->rows[l] * w->cols[l] * done;
        if (width > 0)
            ops += panel_of(w, t, l, end, width);
        hesca_gblock_load *h = &w->load[w->host[l]];
        h->compute = fmax(h->compute, ops / w->speed[l]);
        if (width > 0)
            add_messages(w, t, l, end, width);
    }
    const double busy = longest(w, t, compute);
    const double path = width > 0 ? path_of(w, t, end, width) : 0;
    return together(t, busy, path);
}

/* --- the job ---
 * The sum over the steps, in a fixed order, so all processes compute the
 * same seconds. */

double
hesca_gblock_walk_all(hesca_gblock_walk *w, const hesca_gblock *g,
                      hesca_forecast *f)
{
    const hesca_step_costs *t = &hesca_step_costs_of[w->job->routine];
    const int64_t nsteps = (w->job->n - 1) / w->job->nb + 1;
    const int64_t stride = (nsteps - 1) / STEPS + 1;
    const double flops = hesca_job_flops(w->job);
    double all = 0, least = INFINITY, ignored = 0;
    w->g = g;
    for (int l = 0; l < w->nprocs; ++l) {
        w->along_row[l] = link_of(w, l, 0);
        w->along_col[l] = link_of(w, l, 1);
        all += w->speed[l];
        least = fmin(least, w->speed[l]);
    }
    *f = (hesca_forecast){.bound = flops / (w->nprocs * least),
                          .ideal = flops / all};
    f->seconds = step(w, t, -1, &ignored);
    for (int64_t s = 0; s < nsteps; s += stride) {
        const double times = (double)hesca_min(stride, nsteps - s);
        double compute = 0;
        f->seconds += times * step(w, t, s, &compute);
        f->compute += times * compute;
    }
    f->communicate = f->seconds - f->compute;
    return f->seconds;
}

int
hesca_gblock_predict_from(const hesca_gblock *gblock,
                          const hesca_gblock_traffic *traffic,
                          const hesca_job *job, const hesca_machine *machine,
                          const int *host, hesca_forecast *forecast)
{
    static const char name[] = "hesca_gblock_predict";
    hesca_gblock_walk w;
    hesca_forecast made;
    int err;
    if (gblock == NULL)
        return hesca_fail_null(name, 1, "gblock");
    if (machine == NULL || host == NULL || forecast == NULL)
        return hesca_fail_null(name,
                               machine == NULL ? 3
                               : host == NULL  ? 4
                                               : 5,
                               machine == NULL ? "machine"
                               : host == NULL  ? "host"
                                               : "forecast");
    HESCA_TRY(err, hesca_gblock_check_job(name, 2, job));
    HESCA_TRY(err, hesca_gblock_walk_init(&w, name, job, machine,
                                          gblock->info.nprow,
                                          gblock->info.npcol, host, 4));
    w.traffic = *traffic;
    hesca_gblock_walk_all(&w, gblock, &made);
    *forecast = made;
    hesca_gblock_walk_clear(&w);
fail:
    return err;
}

int
hesca_gblock_predict(const hesca_gblock *gblock, const hesca_job *job,
                     const hesca_machine *machine, const int *host,
                     hesca_forecast *forecast)
{
    const hesca_gblock_traffic its_own = {NULL, 1, 1, 1};
    return hesca_gblock_predict_from(gblock, &its_own, job, machine, host,
                                     forecast);
}

int
hesca_gblock_check_job(const char *name, int info, const hesca_job *job)
{
    if (job == NULL)
        return hesca_fail_null(name, info, "job");
    if ((unsigned)job->routine > HESCA_ROUTINE_GESV)
        return hesca_fail_arg(name, info, "routine of the job", job->routine,
                              "one of hesca_routine");
    if (job->n < 1 || job->nb < 1)
        return hesca_fail_arg(name, info,
                              job->n < 1 ? "n of the job" : "nb of the job",
                              job->n < 1 ? job->n : job->nb, "at least 1");
    return HESCA_SUCCESS;
}
