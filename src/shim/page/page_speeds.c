/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds of the processes over time.  Few lines have colours and a key; many
 * are drawn faintly. */
#include "shim/page/page_text.h"
#include <stdlib.h>

enum {
    COLOURED = 8, /* most lines with a colour each */
    LINES = 512   /* most lines */
};

static double
largest(const hesca_page *p)
{
    double most = 0;
    for (int k = 0; k < p->nsamples * p->nspeeds; ++k)
        most = p->sample[k] > most ? p->sample[k] : most;
    return most;
}

/* Whether a line repeats that of an earlier process: it would cover it. */
static int
is_repeated(const hesca_page *p, int k, int *of)
{
    for (int j = 0; j < k; ++j) {
        int s = 0;
        while (s < p->nsamples &&
               p->sample[s * p->nspeeds + j] == p->sample[s * p->nspeeds + k])
            ++s;
        if (s == p->nsamples) {
            *of = j;
            return 1;
        }
    }
    return 0;
}

/* A speed holds until the next sample, the last one until the end. */
static void
add_line(hesca_text *t, const hesca_page *p, int k, double most,
         const char *class)
{
    double y = -1;
    hesca_text_add(t, "<polyline class=\"%s\" points=\"", class);
    for (int s = 0; s < p->nsamples; ++s) {
        const double v = p->sample[s * p->nspeeds + k];
        const double x = 1000 * p->sample_at[s] / p->seconds;
        if (!(v > 0))
            continue;
        if (y >= 0)
            hesca_text_add(t, " %.1f,%.2f", x, y);
        y = 100 - 95 * v / most;
        hesca_text_add(t, " %.1f,%.2f", x, y);
    }
    if (y >= 0)
        hesca_text_add(t, " 1000,%.2f", y);
    hesca_text_add(t, "\"><title>process %d</title></polyline>\n", k);
}

/* The processes of one line, for the key: "0, 1, 4 and 7 more". */
static void
add_members(hesca_text *t, const hesca_page *p, const int *first, int line)
{
    int shown = 0, more = 0;
    for (int k = 0; k < p->nspeeds; ++k) {
        if (first[k] != line)
            continue;
        if (shown < 6)
            hesca_text_add(t, "%s %d", shown++ > 0 ? "," : "", k);
        else
            ++more;
    }
    if (more > 0)
        hesca_text_add(t, " and %d more", more);
}

static void
add_key(hesca_text *t, const hesca_page *p, const int *first)
{
    int n = 0;
    hesca_text_add(t, "<ul class=\"key\">");
    for (int k = 0; k < p->nspeeds; ++k) {
        if (first[k] != k)
            continue;
        hesca_text_add(t, "<li><i class=\"k%d\"></i>process", n++);
        add_members(t, p, first, k);
        if (p->process[k].host >= 0) {
            hesca_text_add(t, " (");
            hesca_text_escape(t, p->host[p->process[k].host].name);
            hesca_text_add(t, ")");
        }
        hesca_text_add(t, "</li>");
    }
    hesca_text_add(t, "</ul>\n");
}

/* Whether lines that are many have the colours of their hosts. */
static int
by_host(const hesca_page *p)
{
    for (int k = 0; k < p->nspeeds; ++k)
        if (p->process[k].host < 0)
            return 0;
    return p->nhosts > 1 && p->nhosts <= COLOURED;
}

static void
add_host_key(hesca_text *t, const hesca_page *p)
{
    hesca_text_add(t, "<ul class=\"key\">");
    for (int h = 0; h < p->nhosts; ++h) {
        hesca_text_add(t, "<li><i class=\"k%d\"></i>", h);
        hesca_text_escape(t, p->host[h].name);
        hesca_text_add(t, "</li>");
    }
    hesca_text_add(t, "</ul>\n");
}

static void
add_chart(hesca_text *t, const hesca_page *p, const int *first, int nlines)
{
    const double most = largest(p);
    const int step = nlines > LINES ? nlines / LINES + 1 : 1;
    int n = 0;
    char class[8] = "s7";
    hesca_text_add(t,
                   "<div class=\"chart\"><div class=\"y\"><span>%.3g</span>"
                   "<span>0</span></div><svg%s viewBox=\"0 0 1000 100\" "
                   "preserveAspectRatio=\"none\" role=\"img\" aria-label=\""
                   "speeds over time\">\n",
                   most / 0.95, nlines > COLOURED ? " class=\"many\"" : "");
    for (int k = 0; k < p->nspeeds; ++k) {
        if (first[k] != k || n++ % step != 0)
            continue;
        class[1] = (char)('0' + (nlines <= COLOURED ? n - 1
                                 : by_host(p)       ? p->process[k].host
                                                    : 0));
        add_line(t, p, k, most, class);
    }
    hesca_text_add(t,
                   "</svg><div class=\"axis\"><span>0 s</span><span>%s</span>"
                   "</div></div>\n",
                   hesca_words_seconds(p->seconds).text);
}

void
hesca_page_speeds(hesca_text *t, const hesca_page *p)
{
    int nlines = 0;
    if (p->nsamples == 0 || p->nspeeds == 0 || !(p->seconds > 0) ||
        !(largest(p) > 0))
        return;
    int *first = malloc((size_t)p->nspeeds * sizeof *first);
    if (first == NULL) {
        t->failed = 1;
        return;
    }
    for (int k = 0; k < p->nspeeds; ++k) {
        first[k] = k;
        nlines += !is_repeated(p, k, &first[k]);
    }
    hesca_text_add(t,
                   "<section><h2>Speeds of the processes</h2>\n<p class=\""
                   "note\">Relative, as HESCA knew them: %s%s</p>\n",
                   p->nsamples == 1
                       ? "of the machine file, which did not change."
                       : "a line bends where they were measured again.",
                   p->nspeeds < p->nprocs ? "  Processes beyond the first "
                                            "ones are not shown."
                                          : "");
    if (nlines <= COLOURED)
        add_key(t, p, first);
    else if (by_host(p))
        add_host_key(t, p);
    add_chart(t, p, first, nlines);
    if (nlines > COLOURED)
        hesca_text_add(t,
                       "<p class=\"note\">%d different lines; the name of "
                       "a process is shown where the pointer rests.</p>\n",
                       nlines);
    hesca_text_add(t, "</section>\n");
    free(first);
}
