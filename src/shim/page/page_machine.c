/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts, links, and what HESCA's messages carried between hosts. */
#include "shim/page/page_text.h"
#include <stdlib.h>

enum {
    CELLS = 12,       /* most hosts of a table of pairs; more are a picture */
    MAP = 128,        /* most hosts of a picture */
    SHOWN_HOSTS = 64, /* of the list */
    OPEN_HOSTS = 12   /* most of a list that is open */
};

/* ------------------------------------------------ pairs of hosts */

static double
largest(const double *value, int n)
{
    double most = 0;
    for (int k = 0; k < n * n; ++k)
        most = value[k] > most ? value[k] : most;
    return most;
}

static void
add_cells(hesca_text *t, const hesca_page *p, const double *value,
          hesca_words (*words)(double))
{
    const int n = p->nhosts;
    const double most = largest(value, n);
    hesca_text_add(t, "<div class=\"scroll\"><table class=\"matrix\">\n<tr>"
                      "<th>from \\ to</th>");
    for (int k = 0; k < n; ++k) {
        hesca_text_add(t, "<th>");
        hesca_text_escape(t, p->host[k].name);
        hesca_text_add(t, "</th>");
    }
    hesca_text_add(t, "</tr>\n");
    for (int k = 0; k < n; ++k) {
        hesca_text_add(t, "<tr><th>");
        hesca_text_escape(t, p->host[k].name);
        hesca_text_add(t, "</th>");
        for (int j = 0; j < n; ++j) {
            const double v = value[k * n + j], depth = v / most;
            if (v > 0)
                hesca_text_add(t,
                               "<td style=\"background:rgba(var(--cell),%.3f)"
                               "%s\">%s</td>",
                               0.06 + 0.84 * depth,
                               depth > 0.55 ? ";color:var(--ink)" : "",
                               words(v).text);
            else
                hesca_text_add(t, "<td class=\"soft\">&#8211;</td>");
        }
        hesca_text_add(t, "</tr>\n");
    }
    hesca_text_add(t, "</table></div>\n");
}

static void
add_map(hesca_text *t, const hesca_page *p, const double *value,
        hesca_words (*words)(double))
{
    const int n = p->nhosts;
    const double most = largest(value, n);
    hesca_text_add(t,
                   "<figure><svg class=\"map\" viewBox=\"0 0 %d %d\" "
                   "role=\"img\" aria-label=\"pairs of hosts\">\n",
                   n, n);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) {
            const double v = value[k * n + j];
            if (!(v > 0))
                continue;
            hesca_text_add(t,
                           "<rect x=\"%d.03\" y=\"%d.03\" width=\".94\" "
                           "height=\".94\" fill-opacity=\"%.3f\"><title>",
                           j, k, 0.08 + 0.92 * v / most);
            hesca_text_escape(t, p->host[k].name);
            hesca_text_add(t, " &#8594; ");
            hesca_text_escape(t, p->host[j].name);
            hesca_text_add(t, ": %s</title></rect>\n", words(v).text);
        }
    hesca_text_add(
        t,
        "</svg><figcaption>Row: from, column: to, hosts in the "
        "order of the list of hosts; the darkest is %s.</figcaption>"
        "</figure>\n",
        words(most).text);
}

void
hesca_page_matrix(hesca_text *t, const hesca_page *p, const double *value,
                  hesca_words (*words)(double))
{
    if (p->nhosts <= CELLS)
        add_cells(t, p, value, words);
    else if (p->nhosts <= MAP)
        add_map(t, p, value, words);
    else
        hesca_text_add(t,
                       "<p class=\"note\">There are too many hosts for a "
                       "picture; the largest value of a pair is %s.</p>\n",
                       words(largest(value, p->nhosts)).text);
}

/* ------------------------------------------------ messages */

void
hesca_page_messages(hesca_text *t, const hesca_page *p)
{
    double between = 0, inside = 0;
    if (p->sent == NULL || p->nhosts == 0)
        return;
    for (int k = 0; k < p->nhosts; ++k)
        for (int j = 0; j < p->nhosts; ++j)
            *(k == j ? &inside : &between) += p->sent[k * p->nhosts + j];
    if (between + inside == 0)
        return;
    hesca_text_add(
        t,
        "<section><h2>Messages between hosts</h2>\n<p>HESCA&#8217;s "
        "messages carried %s",
        hesca_words_bytes(between).text);
    hesca_text_add(t,
                   " between hosts, and %s inside them.</p>\n<p class=\""
                   "note\">Data of HESCA&#8217;s MPI messages; what goes "
                   "through the shared memory of a host, and messages of "
                   "ScaLAPACK and of the program, are not in it.</p>\n",
                   hesca_words_bytes(inside).text);
    if (p->nhosts > 1)
        hesca_page_matrix(t, p, p->sent, hesca_words_bytes);
    hesca_text_add(t, "</section>\n");
}

/* ------------------------------------------------ the machine */

static hesca_words
rate(double x)
{
    hesca_words w = hesca_words_bytes(x);
    size_t n = 0;
    while (w.text[n] != '\0')
        ++n;
    if (n + 3 <= sizeof w.text) {
        w.text[n] = '/';
        w.text[n + 1] = 's';
        w.text[n + 2] = '\0';
    }
    return w;
}

static void
add_host(hesca_text *t, const hesca_page *p, int h, int processes)
{
    const hesca_page_host *x = &p->host[h];
    hesca_text_add(t, "<tr><td class=\"name\">");
    hesca_text_escape(t, x->name);
    hesca_text_add(t, "</td><td class=\"n\">%d</td>", processes);
    if (p->machine_known) {
        hesca_text_add(t, "<td class=\"n\">%.4g</td><td class=\"n\">%.4g</td>",
                       x->speed, x->cores);
        hesca_text_add(t, "<td class=\"n\">%s</td>",
                       x->memory > 0 ? hesca_words_bytes(x->memory).text
                                     : "not known");
    }
    hesca_text_add(t, "</tr>\n");
}

static void
add_hosts(hesca_text *t, const hesca_page *p)
{
    const int n = p->nhosts < SHOWN_HOSTS ? p->nhosts : SHOWN_HOSTS;
    int *processes = calloc((size_t)p->nhosts + 1, sizeof *processes);
    if (processes == NULL) {
        t->failed = 1;
        return;
    }
    for (int k = 0; k < p->nprocs; ++k)
        if (p->process[k].host >= 0)
            ++processes[p->process[k].host];
    hesca_text_add(t,
                   "<details%s><summary>Hosts</summary><div "
                   "class=\"scroll\"><table>\n<tr><th>host</th><th "
                   "class=\"n\">processes</th>",
                   p->nhosts <= OPEN_HOSTS ? " open=\"open\"" : "");
    if (p->machine_known)
        hesca_text_add(t, "<th class=\"n\">speed of a process</th><th "
                          "class=\"n\">cores</th><th class=\"n\">memory</th>");
    hesca_text_add(t, "</tr>\n");
    for (int h = 0; h < n; ++h)
        add_host(t, p, h, processes[h]);
    hesca_text_add(t, "</table></div>\n");
    if (n < p->nhosts)
        hesca_text_add(t, "<p class=\"note\">The first %d of %d hosts.</p>\n",
                       n, p->nhosts);
    hesca_text_add(t, "</details>\n");
    free(processes);
}

static void
add_links(hesca_text *t, const hesca_page *p)
{
    double longest = 0, least = 0;
    if (p->rate == NULL || p->nhosts < 2)
        return;
    hesca_text_add(t, "<h3>Links: bytes per second, by the machine file</h3>"
                      "\n");
    hesca_page_matrix(t, p, p->rate, rate);
    if (p->startup == NULL)
        return;
    for (int k = 0; k < p->nhosts * p->nhosts; ++k) {
        if (k % (p->nhosts + 1) == 0)
            continue;
        longest = p->startup[k] > longest ? p->startup[k] : longest;
        least = least == 0 || p->startup[k] < least ? p->startup[k] : least;
    }
    hesca_text_add(t, "<p class=\"note\">A message takes %s",
                   hesca_words_seconds(least).text);
    if (longest > 1.01 * least)
        hesca_text_add(t, " to %s", hesca_words_seconds(longest).text);
    hesca_text_add(t, " more.</p>\n");
}

void
hesca_page_machine(hesca_text *t, const hesca_page *p)
{
    if (p->nhosts == 0)
        return;
    hesca_text_add(t, "<section><h2>The machine</h2>\n");
    if (!p->machine_known)
        hesca_text_add(t, "<p class=\"note\">No machine file is in use "
                          "(HESCA_MACHINE): speeds, cores and links are not "
                          "known.</p>\n");
    if (p->load > 1)
        hesca_text_add(t,
                       "<p>%.3g processes per core where there are most."
                       "</p>\n",
                       p->load);
    add_hosts(t, p);
    add_links(t, p);
    hesca_text_add(t, "</section>\n");
}
