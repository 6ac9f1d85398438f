/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of each process went, and what it computed.  A few processes
 * have a bar each; more of them are columns of a strip. */
#include "shim/page/page_text.h"
#include <stdlib.h>

enum {
    BARS = 32,     /* most processes with a bar each */
    COLUMNS = 512, /* most columns of a strip; with more processes a column is
                      the mean of several */
    SHOWN_HOSTS = 64, /* most rows of a table */
    OPEN_HOSTS = 12   /* most rows of one that is open */
};

static const struct {
    const char *bar, *fill, *name;
} look[HESCA_PAGE_ACTIVITIES] = {
    [HESCA_PAGE_COMPUTING] = {"b-hesca", "f-hesca", "computing, in HESCA"},
    [HESCA_PAGE_COPYING] = {"b-copy", "f-copy", "copying, in HESCA"},
    [HESCA_PAGE_WAITING] = {"b-wait", "f-wait", "waiting, in HESCA"},
    [HESCA_PAGE_SCALAPACK] = {"b-scal", "f-scal", "in ScaLAPACK"},
    [HESCA_PAGE_SCALAPACK_WAITING] = {"b-scalwait", "f-scalwait",
                                      "waiting in MPI, in ScaLAPACK"}};

static double
busy(const hesca_page_process *x)
{
    double sum = 0;
    for (int k = 0; k < HESCA_PAGE_ACTIVITIES; ++k)
        sum += x->seconds[k];
    return sum;
}

/* What is drawn: sums over some processes. */
typedef struct {
    int n;
    double seconds[HESCA_PAGE_ACTIVITIES], elements;
} group;

static void
join(group *g, const hesca_page_process *x)
{
    if (!x->is_present)
        return;
    ++g->n;
    for (int k = 0; k < HESCA_PAGE_ACTIVITIES; ++k)
        g->seconds[k] += x->seconds[k];
    g->elements += x->elements;
}

/* ------------------------------------------------ of all processes */

typedef struct {
    int used[HESCA_PAGE_ACTIVITIES]; /* whether a process has it */
    double longest;                  /* seconds in calls */
    double elements;                 /* of all */
    int present;
} whole;

static whole
look_at_all(const hesca_page *p)
{
    whole w = {.present = 0};
    for (int k = 0; k < p->nprocs; ++k) {
        const hesca_page_process *x = &p->process[k];
        if (!x->is_present)
            continue;
        ++w.present;
        for (int a = 0; a < HESCA_PAGE_ACTIVITIES; ++a)
            w.used[a] |= x->seconds[a] > 0;
        w.longest = busy(x) > w.longest ? busy(x) : w.longest;
        w.elements += x->elements;
    }
    return w;
}

static void
add_key(hesca_text *t, const whole *w)
{
    hesca_text_add(t, "<ul class=\"key\">");
    for (int a = 0; a < HESCA_PAGE_ACTIVITIES; ++a)
        if (w->used[a])
            hesca_text_add(t, "<li><i class=\"%s\"></i>%s</li>", look[a].bar,
                           look[a].name);
    hesca_text_add(t, "</ul>\n");
}

static void
add_host(hesca_text *t, const hesca_page *p, int host)
{
    if (host >= 0)
        hesca_text_escape(t, p->host[host].name);
    else
        hesca_text_add(t, "a host that is not known");
}

/* A tooltip of what a bar shows. */
static void
add_figures(hesca_text *t, const double *seconds, double n)
{
    for (int a = 0; a < HESCA_PAGE_ACTIVITIES; ++a)
        if (seconds[a] > 0)
            hesca_text_add(t, "; %s %s", look[a].name,
                           hesca_words_seconds(seconds[a] / n).text);
}

/* ------------------------------------------------ bars */

static void
add_bar(hesca_text *t, const hesca_page *p, int rank, const whole *w)
{
    const hesca_page_process *x = &p->process[rank];
    hesca_text_add(t, "<div class=\"label\">%d <span class=\"soft\">", rank);
    add_host(t, p, x->host);
    hesca_text_add(t, "</span></div>");
    if (!x->is_present) {
        hesca_text_add(t, "<div class=\"soft\">figures are missing</div>"
                          "<div></div>\n");
        return;
    }
    hesca_text_add(t, "<div class=\"bar\" title=\"process %d", rank);
    add_figures(t, x->seconds, 1);
    hesca_text_add(t, "\">");
    for (int a = 0; a < HESCA_PAGE_ACTIVITIES; ++a)
        if (x->seconds[a] > 0)
            hesca_text_add(t, "<i class=\"%s\" style=\"width:%.2f%%\"></i>",
                           look[a].bar, 100 * x->seconds[a] / w->longest);
    hesca_text_add(t, "</div><div class=\"val\">%s",
                   hesca_words_seconds(busy(x)).text);
    if (w->elements > 0)
        hesca_text_add(t, ", %.1f %%", 100 * x->elements / w->elements);
    hesca_text_add(t, "</div>\n");
}

static void
add_bars(hesca_text *t, const hesca_page *p, const whole *w)
{
    hesca_text_add(t, "<div class=\"rows\">\n");
    for (int k = 0; k < p->nprocs; ++k)
        add_bar(t, p, k, w);
    hesca_text_add(t,
                   "</div>\n<p class=\"note\">A bar of full length is %s "
                   "in intercepted calls%s.</p>\n",
                   hesca_words_seconds(w->longest).text,
                   w->elements > 0 ? "; percentages: which part of the "
                                     "elements of results the process "
                                     "computed"
                                   : "");
}

/* ------------------------------------------------ strips */

/* Column c of n: the processes from first to behind. */
static void
column(const hesca_page *p, int c, int n, int *first, int *behind)
{
    *first = (int)((long long)c * p->nprocs / n);
    *behind = (int)((long long)(c + 1) * p->nprocs / n);
}

static void
add_column(hesca_text *t, const hesca_page *p, const whole *w, int c, int n)
{
    group g = {.n = 0};
    int first, behind;
    double y = 100;
    column(p, c, n, &first, &behind);
    for (int k = first; k < behind; ++k)
        join(&g, &p->process[k]);
    if (g.n == 0) {
        hesca_text_add(t,
                       "<rect class=\"f-none\" x=\"%d\" y=\"0\" width=\"1\" "
                       "height=\"100\"><title>process %d: figures are missing"
                       "</title></rect>\n",
                       c, first);
        return;
    }
    hesca_text_add(t, "<g><title>");
    if (behind - first == 1)
        hesca_text_add(t, "process %d on ", first);
    else
        hesca_text_add(t, "mean of processes %d to %d, from ", first,
                       behind - 1);
    add_host(t, p, p->process[first].host);
    add_figures(t, g.seconds, g.n);
    hesca_text_add(t, "</title>");
    for (int a = 0; a < HESCA_PAGE_ACTIVITIES; ++a) {
        const double h = 100 * g.seconds[a] / g.n / w->longest;
        if (h < 0.05)
            continue;
        y -= h;
        hesca_text_add(t,
                       "<rect class=\"%s\" x=\"%d\" y=\"%.2f\" width=\"1.05\" "
                       "height=\"%.2f\"/>",
                       look[a].fill, c, y, h);
    }
    hesca_text_add(t, "</g>\n");
}

/* Shares of the elements, in parts of the largest one. */
static void
add_shares(hesca_text *t, const hesca_page *p, const whole *w, int n)
{
    double largest = 0;
    for (int k = 0; k < p->nprocs; ++k)
        if (p->process[k].elements > largest)
            largest = p->process[k].elements;
    hesca_text_add(
        t,
        "<p class=\"note\">Share of the elements of results that "
        "each computed, at most %.2f %%:</p>\n<svg class=\"strip "
        "thin\" viewBox=\"0 0 %d 100\" preserveAspectRatio=\"none\" "
        "role=\"img\" aria-label=\"share of the elements\">\n",
        100 * largest / w->elements, n);
    for (int c = 0; c < n; ++c) {
        group g = {.n = 0};
        int first, behind;
        column(p, c, n, &first, &behind);
        for (int k = first; k < behind; ++k)
            join(&g, &p->process[k]);
        if (g.n == 0)
            continue;
        const double h = 100 * g.elements / g.n / largest;
        hesca_text_add(t,
                       "<rect class=\"f-hesca\" x=\"%d\" y=\"%.2f\" "
                       "width=\"1.05\" height=\"%.2f\"><title>process %d: "
                       "%.3f %%</title></rect>\n",
                       c, 100 - h, h, first,
                       100 * g.elements / g.n / w->elements);
    }
    hesca_text_add(t, "</svg>\n");
}

/* Which columns are of one host: every other host is dark. */
static void
add_hosts_strip(hesca_text *t, const hesca_page *p, int n)
{
    int dark = 0;
    hesca_text_add(t,
                   "<svg class=\"strip tick\" viewBox=\"0 0 %d 10\" "
                   "preserveAspectRatio=\"none\" role=\"img\" "
                   "aria-label=\"hosts\">\n",
                   n);
    for (int c = 0; c < n;) {
        int first, behind, end = c + 1, other;
        column(p, c, n, &first, &behind);
        for (; end < n; ++end) {
            column(p, end, n, &other, &behind);
            if (p->process[other].host != p->process[first].host)
                break;
        }
        hesca_text_add(t,
                       "<rect class=\"%s\" x=\"%d\" y=\"0\" width=\"%d\" "
                       "height=\"10\"><title>",
                       dark ? "f-host" : "f-none", c, end - c);
        add_host(t, p, p->process[first].host);
        hesca_text_add(t, "</title></rect>\n");
        dark = !dark;
        c = end;
    }
    hesca_text_add(t, "</svg>\n");
}

static void
add_strips(hesca_text *t, const hesca_page *p, const whole *w)
{
    const int n = p->nprocs < COLUMNS ? p->nprocs : COLUMNS;
    hesca_text_add(t,
                   "<figure><svg class=\"strip\" viewBox=\"0 0 %d 100\" "
                   "preserveAspectRatio=\"none\" role=\"img\" aria-label=\""
                   "time of each process\">\n",
                   n);
    for (int c = 0; c < n; ++c)
        add_column(t, p, w, c, n);
    hesca_text_add(t, "</svg>\n");
    if (p->nhosts > 1)
        add_hosts_strip(t, p, n);
    hesca_text_add(
        t,
        "<div class=\"axis\"><span>process 0</span><span>%d</span>"
        "</div>\n<p class=\"note\">A column is %s; full height is "
        "%s in intercepted calls.%s</p>\n",
        p->nprocs - 1,
        p->nprocs <= COLUMNS ? "a process" : "the mean of several processes",
        hesca_words_seconds(w->longest).text,
        p->nhosts > 1 ? "  The band below alternates with the host." : "");
    if (w->elements > 0)
        add_shares(t, p, w, n);
    hesca_text_add(t, "</figure>\n");
}

/* ------------------------------------------------ by host */

static void
add_hosts(hesca_text *t, const hesca_page *p, const whole *w)
{
    const int n = p->nhosts < SHOWN_HOSTS ? p->nhosts : SHOWN_HOSTS;
    if (p->nhosts < 2 || p->nhosts >= p->nprocs)
        return;
    group *g = calloc((size_t)p->nhosts, sizeof *g);
    if (g == NULL) {
        t->failed = 1;
        return;
    }
    for (int k = 0; k < p->nprocs; ++k)
        if (p->process[k].host >= 0)
            join(&g[p->process[k].host], &p->process[k]);
    hesca_text_add(t,
                   "<details%s><summary>By host</summary><div "
                   "class=\"scroll\"><table>\n<tr><th>host</th><th "
                   "class=\"n\">processes</th>",
                   p->nhosts <= OPEN_HOSTS ? " open=\"open\"" : "");
    for (int a = 0; a < HESCA_PAGE_ACTIVITIES; ++a)
        if (w->used[a])
            hesca_text_add(t, "<th class=\"n\">%s</th>", look[a].name);
    if (w->elements > 0)
        hesca_text_add(t, "<th class=\"n\">share of the elements</th>");
    hesca_text_add(t, "</tr>\n");
    for (int h = 0; h < n; ++h) {
        if (g[h].n == 0)
            continue;
        hesca_text_add(t, "<tr><td class=\"name\">");
        add_host(t, p, h);
        hesca_text_add(t, "</td><td class=\"n\">%d</td>", g[h].n);
        for (int a = 0; a < HESCA_PAGE_ACTIVITIES; ++a)
            if (w->used[a])
                hesca_text_add(
                    t, "<td class=\"n\">%s</td>",
                    hesca_words_seconds(g[h].seconds[a] / g[h].n).text);
        if (w->elements > 0)
            hesca_text_add(t, "<td class=\"n\">%.1f %%</td>",
                           100 * g[h].elements / w->elements);
        hesca_text_add(t, "</tr>\n");
    }
    hesca_text_add(t,
                   "</table></div>\n<p class=\"note\">Mean times of a "
                   "process.%s</p></details>\n",
                   n < p->nhosts ? "  Further hosts are not shown." : "");
    free(g);
}

void
hesca_page_processes(hesca_text *t, const hesca_page *p)
{
    const whole w = look_at_all(p);
    if (w.present == 0 || !(w.longest > 0))
        return;
    hesca_text_add(t,
                   "<section><h2>Time and work of each process</h2>\n<p "
                   "class=\"note\">Time "
                   "of each process in intercepted calls.%s</p>\n",
                   p->waits_known
                       ? ""
                       : "  ScaLAPACK&#8217;s own time is not divided into "
                         "computing and waiting.");
    add_key(t, &w);
    if (p->nprocs <= BARS)
        add_bars(t, p, &w);
    else
        add_strips(t, p, &w);
    add_hosts(t, p, &w);
    hesca_text_add(t, "</section>\n");
}
