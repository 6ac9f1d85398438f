/* SPDX-License-Identifier: BSD-3-Clause */
/* A schedule as a picture: boxes coloured by destination, paler the fewer
 * bytes they stand for. */
#include "tools/lib/svg.h"
#include "tools/plan/diagram.h"

enum { LEFT = 64, TOP = 138, RIGHT = 24, BOTTOM = 28, LEAST_WIDTH = 820 };

typedef struct {
    const diagram *d;
    FILE *file;
    double w, h; /* of a cell */
    double right, bottom;
    double font;  /* of labels in cells; 0: there are none */
    int64_t most; /* bytes of a message */
} picture;

static double
depth(const picture *x, int64_t bytes)
{
    return 0.25 + 0.75 * (double)bytes / (double)x->most;
}

static svg_attributes
fill(const picture *x, int k, double opacity)
{
    char more[32];
    snprintf(more, sizeof more, "fill-opacity=\"%.2f\"", opacity);
    return svg_fill(k, x->d->redist_problem->nprocs, more);
}

/* ------------------------------------------------ scale
 * Cells are as large as the picture allows; labels are omitted if they do
 * not fit. */

static picture
measure(const diagram *d, FILE *file)
{
    const int nprocs = d->redist_problem->nprocs, nsteps = d->traffic.nsteps;
    picture x = {.d = d, .file = file};
    char widest[16];
    x.w = svg_clamp(1280.0 / (nsteps > 0 ? nsteps : 1), 4, 64);
    x.h = svg_clamp(1020.0 / nprocs, 4, 24);
    x.right = LEFT + x.w * nsteps;
    x.bottom = TOP + x.h * nprocs;
    const int digits = snprintf(widest, sizeof widest, "%d",
                                d->redist_problem->rank[nprocs - 1]);
    x.font = svg_clamp((x.w - 2) / (0.6 * digits), 0, 0.72 * x.h);
    if (x.font > 12)
        x.font = 12;
    if (x.font < 5)
        x.font = 0;
    for (int k = 0; k < nprocs; ++k)
        for (int i = 0; i < nsteps; ++i)
            if (diagram_at(d, k, i)->out.bytes > x.most)
                x.most = diagram_at(d, k, i)->out.bytes;
    return x;
}

/* ------------------------------------------------ elements
 * The frame is drawn before messages, phases after them. */

static void
draw_key(const picture *x, double left, double width, int k, double opacity)
{
    svg_rect(x->file, "key", left, 70, width, 14, fill(x, k, opacity).text,
             NULL);
}

/* The legend: destinations from the first to the last, then few and many
 * bytes. */
static void
draw_legend(const picture *x)
{
    const redist_problem *s = x->d->redist_problem;
    const int n = s->nprocs < 32 ? s->nprocs : 32;
    double at = 24;
    svg_text(x->file, at, 82, 12, svg_dim, "start", "destination: %d",
             s->rank[0]);
    at += 118;
    for (int k = 0; k < n; ++k, at += 5)
        draw_key(x, at, 5, (int)((int64_t)k * s->nprocs / n), 1);
    svg_text(x->file, at + 6, 82, 12, svg_dim, "start", "%d",
             s->rank[s->nprocs - 1]);
    at += 100;
    if (x->most == 0)
        return;
    for (int k = 0; k < 3; ++k, at += 14)
        draw_key(x, at, 14, 0, depth(x, k * x->most / 2));
    svg_text(x->file, at + 6, 82, 12, svg_dim, "start",
             "bytes of a message: the paler the fewer, at most %lld",
             (long long)x->most);
}

static void
draw_axes(const picture *x)
{
    const redist_problem *s = x->d->redist_problem;
    const int nsteps = x->d->traffic.nsteps;
    const int columns = svg_stride(x->w, nsteps < 100 ? 16 : 26);
    const int rows = svg_stride(x->h, 11);
    for (int i = 0; i < nsteps; i += columns)
        svg_text(x->file, LEFT + (i + 0.5) * x->w, TOP - 6, 11, svg_dim,
                 "middle", "%d", i + 1);
    for (int k = 0; k < s->nprocs; k += rows)
        svg_text(x->file, LEFT - 6, TOP + (k + 0.5) * x->h + 4, 11, svg_dim,
                 "end", "%d", s->rank[k]);
    svg_text(x->file, LEFT - 6, TOP - 6, 12, svg_ink, "end", "step");
    svg_rotated(x->file, 12, (TOP + x->bottom) / 2, -90, 12, "middle",
                "process");
    svg_rect(x->file, "frame", LEFT, TOP, x->right - LEFT, x->bottom - TOP,
             "fill=\"#f5f7fa\" stroke=\"#9aa5b1\"", NULL);
}

static void
draw_message(const picture *x, int k, int i, const traffic_message *m)
{
    const redist_problem *s = x->d->redist_problem;
    const double left = LEFT + i * x->w, top = TOP + k * x->h;
    const double edge = x->w < 8 || x->h < 8 ? 0.25 : 0.75;
    char title[120];
    snprintf(title, sizeof title,
             "step %d: %d to %d, %lld bytes in %lld packet%s", i + 1,
             s->rank[k], m->rank, (long long)m->bytes, (long long)m->packets,
             m->packets == 1 ? "" : "s");
    svg_rect(x->file, "message", left + edge, top + edge, x->w - 2 * edge,
             x->h - 2 * edge,
             fill(x, redist_problem_find(s, m->rank), depth(x, m->bytes)).text,
             title);
    if (x->font > 0)
        svg_text(x->file, left + x->w / 2, top + x->h / 2 + 0.36 * x->font,
                 x->font, svg_ink, "middle", "%d", m->rank);
}

/* A line where a phase ends, and its number above it if there is space. */
static void
draw_phases(const picture *x)
{
    const traffic *t = &x->d->traffic;
    int begin = 0;
    for (int k = 0; t->nphases > 1 && k < t->nphases; ++k) {
        const double left = LEFT + begin * x->w;
        const double end = LEFT + t->phase_end[k] * x->w;
        if (k + 1 < t->nphases)
            svg_line(x->file, "phase", end, TOP - 30, end, x->bottom,
                     "stroke=\"#1f2933\" stroke-width=\"2\"");
        svg_text(x->file, (left + end) / 2, TOP - 20, 12, svg_ink, "middle",
                 "%s%d", end - left < 40 ? "" : "phase ", k + 1);
        begin = t->phase_end[k];
    }
}

void
diagram_draw(const diagram *d, FILE *file)
{
    const picture x = measure(d, file);
    const double width = svg_clamp(x.right + RIGHT, LEAST_WIDTH, 1e9);
    const traffic *t = &d->traffic;
    char text[REDIST_PROBLEM_TEXT], headline[60 + HESCA_NAME_MAX];
    snprintf(headline, sizeof headline, "Schedule %s: %d step%s%s", d->name,
             t->nsteps, t->nsteps == 1 ? "" : "s",
             t->nphases > 1 ? ", by phases" : "");
    redist_problem_describe(d->redist_problem, text);
    svg_begin(file, width, x.bottom + BOTTOM, headline, "%s", text);
    draw_legend(&x);
    draw_axes(&x);
    for (int k = 0; k < d->redist_problem->nprocs; ++k)
        for (int i = 0; i < d->traffic.nsteps; ++i) {
            const traffic_message *m = &diagram_at(d, k, i)->out;
            if (m->rank >= 0)
                draw_message(&x, k, i, m);
        }
    draw_phases(&x);
    svg_end(file);
}
