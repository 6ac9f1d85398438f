/* A schedule as a picture: boxes coloured by destination, paler the fewer
 * bytes they stand for. */
#include "tools/lib/svg.h"
#include "tools/plan/diagram.h"
#include <string.h>

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

/* ------------------------------------------------ scale */

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

/* ------------------------------------------------ elements */

static void
draw_heading(const picture *x, double width)
{
    char text[REDIST_PROBLEM_TEXT], title[40 + HESCA_NAME_MAX];
    const traffic *t = &x->d->traffic;
    redist_problem_describe(x->d->redist_problem, text);
    snprintf(title, sizeof title, "hesca plan: schedule %s", x->d->name);
    svg_begin(x->file, width, x->bottom + BOTTOM, title);
    svg_text(x->file, LEFT - 40, 34, (svg_style){20, svg_ink, "start", ""},
             "Schedule %s: %d step%s%s", x->d->name, t->nsteps,
             t->nsteps == 1 ? "" : "s", t->nphases > 1 ? ", by phases" : "");
    /* Long descriptions get a smaller font. */
    const double size =
        svg_clamp((width - LEFT) / (0.52 * (double)strlen(text)), 6, 13);
    svg_text(x->file, LEFT - 40, 56, (svg_style){size, svg_dim, "start", ""},
             "%s", text);
}

static void
draw_key(const picture *x, double left, double width, int k, double opacity)
{
    fprintf(x->file,
            "<rect class=\"key\" x=\"%.1f\" y=\"70\" width=\"%.1f\" "
            "height=\"14\" fill-opacity=\"%.2f\" ",
            left, width, opacity);
    svg_fill(x->file, k, x->d->redist_problem->nprocs);
    fputs("/>\n", x->file);
}

/* The legend: destinations from the first to the last, then few and many
 * bytes. */
static void
draw_legend(const picture *x)
{
    const redist_problem *s = x->d->redist_problem;
    const int n = s->nprocs < 32 ? s->nprocs : 32;
    const svg_style small = {12, svg_dim, "start", ""};
    double at = LEFT - 40;
    svg_text(x->file, at, 82, small, "destination: %d", s->rank[0]);
    at += 118;
    for (int k = 0; k < n; ++k, at += 5)
        draw_key(x, at, 5, (int)((int64_t)k * s->nprocs / n), 1);
    svg_text(x->file, at + 6, 82, small, "%d", s->rank[s->nprocs - 1]);
    at += 100;
    if (x->most == 0)
        return;
    for (int k = 0; k < 3; ++k, at += 14)
        draw_key(x, at, 14, 0, depth(x, k * x->most / 2));
    svg_text(x->file, at + 6, 82, small,
             "bytes of a message: the paler the fewer, at most %lld",
             (long long)x->most);
}

static void
draw_axes(const picture *x)
{
    const redist_problem *s = x->d->redist_problem;
    const int nsteps = x->d->traffic.nsteps;
    const svg_style across = {11, svg_dim, "middle", ""},
                    down = {11, svg_dim, "end", ""};
    const int columns = svg_stride(x->w, nsteps < 100 ? 16 : 26);
    const int rows = svg_stride(x->h, 11);
    char rotation[60];
    for (int i = 0; i < nsteps; i += columns)
        svg_text(x->file, LEFT + (i + 0.5) * x->w, TOP - 6, across, "%d",
                 i + 1);
    for (int k = 0; k < s->nprocs; k += rows)
        svg_text(x->file, LEFT - 6, TOP + (k + 0.5) * x->h + 4, down, "%d",
                 s->rank[k]);
    svg_text(x->file, LEFT - 6, TOP - 6, (svg_style){12, svg_ink, "end", ""},
             "step");
    const double middle = TOP + (x->bottom - TOP) / 2;
    snprintf(rotation, sizeof rotation, " transform=\"rotate(-90 12 %.1f)\"",
             middle);
    svg_text(x->file, 12, middle, (svg_style){12, svg_ink, "middle", rotation},
             "process");
    fprintf(x->file,
            "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%.1f\" "
            "height=\"%.1f\" fill=\"#f5f7fa\" stroke=\"#9aa5b1\"/>\n",
            LEFT, TOP, x->right - LEFT, x->bottom - TOP);
}

static void
draw_message(const picture *x, int k, int i, const traffic_message *m)
{
    const redist_problem *s = x->d->redist_problem;
    const double left = LEFT + i * x->w, top = TOP + k * x->h;
    const double edge = x->w < 8 || x->h < 8 ? 0.25 : 0.75;
    fprintf(x->file,
            "<rect class=\"message\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\" fill-opacity=\"%.2f\" ",
            left + edge, top + edge, x->w - 2 * edge, x->h - 2 * edge,
            depth(x, m->bytes));
    svg_fill(x->file, redist_problem_find(s, m->rank), s->nprocs);
    fprintf(x->file,
            "><title>step %d: %d to %d, %lld bytes in %lld packet%s</title>"
            "</rect>\n",
            i + 1, s->rank[k], m->rank, (long long)m->bytes,
            (long long)m->packets, m->packets == 1 ? "" : "s");
    if (x->font > 0)
        svg_text(x->file, left + x->w / 2, top + x->h / 2 + 0.36 * x->font,
                 (svg_style){x->font, svg_ink, "middle",
                             " pointer-events=\"none\""},
                 "%d", m->rank);
}

/* A line where a phase ends, and its number above it if there is space. */
static void
draw_phases(const picture *x)
{
    const traffic *t = &x->d->traffic;
    int begin = 0;
    for (int k = 0; t->nphases > 1 && k < t->nphases; ++k) {
        const double left = LEFT + begin * x->w;
        const double end = LEFT + t->leg_end[k] * x->w;
        if (k + 1 < t->nphases)
            fprintf(x->file,
                    "<line class=\"phase\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" "
                    "y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                    end, TOP - 30, end, x->bottom, svg_ink);
        svg_text(x->file, (left + end) / 2, TOP - 20,
                 (svg_style){12, svg_ink, "middle", ""}, "%s%d",
                 end - left < 40 ? "" : "phase ", k + 1);
        begin = t->leg_end[k];
    }
}

void
diagram_draw(const diagram *d, FILE *file)
{
    const picture x = measure(d, file);
    const double width = svg_clamp(x.right + RIGHT, LEAST_WIDTH, 1e9);
    draw_heading(&x, width);
    draw_legend(&x);
    draw_axes(&x);
    for (int k = 0; k < d->redist_problem->nprocs; ++k)
        for (int i = 0; i < d->traffic.nsteps; ++i) {
            const traffic_message *m = &diagram_at(d, k, i)->out;
            if (m->rank >= 0)
                draw_message(&x, k, i, m);
        }
    draw_phases(&x);
    fputs("</svg>\n", file);
}
