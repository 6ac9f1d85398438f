/* SPDX-License-Identifier: BSD-3-Clause */
/* What was intercepted, what it gained, and why calls were left. */
#include "shim/page/page_text.h"
#include <stdlib.h>
#include <string.h>

static const char *const colour[HESCA_PAGE_WAYS] = {"b-orig", "b-hesca",
                                                    "b-grid"};

/* ------------------------------------------------ a table of calls */

/* A bar whose parts are the ways. */
static void
add_ways(hesca_text *t, const hesca_page_routine *r)
{
    static const hesca_page_way order[] = {HESCA_PAGE_HESCA, HESCA_PAGE_GRID,
                                           HESCA_PAGE_ORIGINAL};
    hesca_text_add(t, "<div class=\"bar\">");
    for (int k = 0; k < HESCA_PAGE_WAYS; ++k)
        if (r->calls[order[k]] > 0)
            hesca_text_add(t, "<i class=\"%s\" style=\"width:%.2f%%\"></i>",
                           colour[order[k]],
                           100 * r->calls[order[k]] / hesca_page_calls(r));
    hesca_text_add(t, "</div>");
}

static void
add_count(hesca_text *t, double n)
{
    hesca_text_add(t, "<td class=\"n\">%s</td>",
                   n > 0 ? hesca_words_count(n).text : "&#8211;");
}

static void
add_time(hesca_text *t, double seconds, int is_known)
{
    hesca_text_add(t, "<td class=\"n\">%s</td>",
                   is_known ? hesca_words_seconds(seconds).text : "&#8211;");
}

static void
add_routine(hesca_text *t, const hesca_page_routine *r)
{
    hesca_text_add(t, "<tr><td class=\"name\">");
    hesca_text_escape(t, r->name);
    hesca_text_add(t, "</td><td>");
    add_ways(t, r);
    hesca_text_add(t, "</td>");
    add_count(t, r->calls[HESCA_PAGE_HESCA]);
    add_count(t, r->calls[HESCA_PAGE_GRID]);
    add_count(t, r->calls[HESCA_PAGE_ORIGINAL]);
    add_count(t, r->cached);
    add_time(t, hesca_page_seconds(r) - r->seconds[HESCA_PAGE_ORIGINAL],
             hesca_page_served(r) > 0);
    add_time(t, r->seconds[HESCA_PAGE_ORIGINAL],
             r->seconds[HESCA_PAGE_ORIGINAL] > 0);
    hesca_text_add(t, "</tr>\n");
}

static void
add_key(hesca_text *t)
{
    hesca_text_add(t, "<ul class=\"key\"><li><i class=\"b-hesca\"></i>HESCA"
                      "</li><li><i class=\"b-grid\"></i>ScaLAPACK on another "
                      "grid</li><li><i class=\"b-orig\"></i>left to ScaLAPACK"
                      "</li></ul>\n");
}

/* ------------------------------------------------ gains */

/* A bar of a time, in parts of the longest one. */
static void
add_bar(hesca_text *t, const char *what, const char *class, double seconds,
        double most)
{
    hesca_text_add(t,
                   "<div class=\"label\">%s</div><div class=\"bar track\"><i "
                   "class=\"%s\" style=\"width:%.2f%%\"></i></div><div "
                   "class=\"val\">%s</div>\n",
                   what, class, most > 0 ? 100 * seconds / most : 0,
                   hesca_words_seconds(seconds).text);
}

static double
most(double x, double y)
{
    return x > y ? x : y;
}

static void
add_gain(hesca_text *t, const hesca_page_routine *r)
{
    const int is_predicted = r->original > 0 && r->measured > 0;
    const double longest =
        most(most(r->measured, r->predicted),
             most(r->original, most(r->both_other, r->both_original)));
    hesca_text_add(t, "<div class=\"pair\"><h3>");
    hesca_text_escape(t, r->name);
    if (is_predicted)
        hesca_text_add(t, ": %s, predicted",
                       hesca_words_factor(r->original / r->measured).text);
    if (r->both > 0 && r->both_other > 0)
        hesca_text_add(
            t, "%s %s, measured", is_predicted ? ";" : ":",
            hesca_words_factor(r->both_original / r->both_other).text);
    hesca_text_add(t, "</h3><div class=\"rows\">\n");
    if (is_predicted) {
        add_bar(t, "as it ran", "b-hesca", r->measured, longest);
        if (r->predicted > 0)
            add_bar(t, "the same, predicted", "b-guess", r->predicted,
                    longest);
        add_bar(t,
                r->copied > 0 ? "ScaLAPACK&#8217;s own, predicted to a factor "
                                "of 2"
                              : "ScaLAPACK&#8217;s own, predicted",
                "b-guess", r->original, longest);
    }
    if (r->both > 0) {
        hesca_text_add(t,
                       "<div class=\"label soft\">%s call%s both ways</div>"
                       "<div></div><div></div>\n",
                       hesca_words_count(r->both).text,
                       r->both == 1 ? "" : "s");
        add_bar(t, "as it ran", "b-hesca", r->both_other, longest);
        add_bar(t, "ScaLAPACK&#8217;s own, measured", "b-orig",
                r->both_original, longest);
    }
    hesca_text_add(t, "</div></div>\n");
}

static int
has_gain(const hesca_page_routine *r)
{
    return (r->original > 0 && r->measured > 0) || r->both > 0;
}

static void
add_gains(hesca_text *t, const hesca_page *p)
{
    int n = 0;
    for (int k = 0; k < p->nroutines; ++k)
        if (has_gain(&p->routine[k]) && n++ == 0)
            hesca_text_add(
                t,
                "<section><h2>What it gained</h2>\n<p class=\"note\">Of calls "
                "that did not run as ScaLAPACK&#8217;s own. Solid bars are "
                "measured, dashed ones predicted; &#8220;both ways&#8221; are "
                "calls whose arguments occurred once more in a call that was "
                "left to ScaLAPACK, with what that took.</p>\n");
    for (int k = 0; k < p->nroutines; ++k)
        if (has_gain(&p->routine[k]))
            add_gain(t, &p->routine[k]);
    if (p->grids_seconds > 0 && p->grids_unplaced > 0) {
        if (n++ == 0)
            hesca_text_add(t, "<section><h2>What it gained</h2>\n");
        hesca_text_add(
            t,
            "<div class=\"pair\"><h3>Process grids: %s, "
            "predicted for the routine of HESCA_JOB</h3><div "
            "class=\"rows\">\n",
            hesca_words_factor(p->grids_unplaced / p->grids_seconds).text);
        add_bar(t, "as placed", "b-guess", p->grids_seconds,
                most(p->grids_seconds, p->grids_unplaced));
        add_bar(t, "as the BLACS place", "b-guess", p->grids_unplaced,
                most(p->grids_seconds, p->grids_unplaced));
        hesca_text_add(t, "</div></div>\n");
    }
    if (n > 0)
        hesca_text_add(t, "</section>\n");
    else
        hesca_text_add(t, "<p class=\"note\">Gains: absent, since there is no "
                          "prediction for a call that went another way, and "
                          "no call ran both ways.</p>\n");
}

/* ------------------------------------------------ the sections */

static void
add_copies(hesca_text *t, const hesca_page *p)
{
    double copied = 0, moved = 0;
    for (int k = 0; k < p->nroutines; ++k) {
        copied += p->routine[k].copied;
        moved += p->routine[k].moved;
    }
    if (copied > 0)
        hesca_text_add(t,
                       "<p>Redistributions copied %s, of which %s between "
                       "processes.</p>\n",
                       hesca_words_bytes(copied).text,
                       hesca_words_bytes(moved).text);
    if (p->grids_placed + p->grids_left > 0)
        hesca_text_add(t,
                       "<p>Process grids: %.0f placed by HESCA, %.0f as the "
                       "BLACS place them.</p>\n",
                       p->grids_placed, p->grids_left);
}

void
hesca_page_routines(hesca_text *t, const hesca_page *p)
{
    if (p->nroutines > 0) {
        hesca_text_add(t, "<section><h2>Calls</h2>\n");
        add_key(t);
        hesca_text_add(
            t, "<div class=\"scroll\"><table>\n<tr><th>routine</th><th></th>"
               "<th class=\"n\">HESCA</th><th class=\"n\">other grid</th>"
               "<th class=\"n\">left</th><th class=\"n\">plan reused</th>"
               "<th class=\"n\">time, not left</th><th class=\"n\">time, "
               "left</th></tr>\n");
        for (int k = 0; k < p->nroutines; ++k)
            add_routine(t, &p->routine[k]);
        hesca_text_add(
            t, "</table></div>\n<p class=\"note\">Numbers of calls, and "
               "times of the first process of each. <i>Plan "
               "reused</i>: a plan of an earlier call was found."
               "</p>\n");
    }
    add_copies(t, p);
    if (p->nroutines > 0)
        hesca_text_add(t, "</section>\n");
    if (p->nroutines > 0)
        add_gains(t, p);
}

void
hesca_page_reasons(hesca_text *t, const hesca_page *p)
{
    if (p->nreasons == 0)
        return;
    hesca_text_add(t, "<section><h2>Why calls were left to ScaLAPACK</h2>\n"
                      "<div class=\"scroll\"><table>\n<tr><th>routine</th>"
                      "<th class=\"n\">calls</th><th>reason</th></tr>\n");
    for (int k = 0; k < p->nreasons; ++k) {
        hesca_text_add(t, "<tr><td class=\"name\">");
        hesca_text_escape(t, p->reason[k].name);
        hesca_text_add(t, "</td><td class=\"n\">%s</td><td class=\"wide\">",
                       hesca_words_count(p->reason[k].calls).text);
        hesca_text_escape(t, p->reason[k].why);
        hesca_text_add(t, "</td></tr>\n");
    }
    hesca_text_add(t, "</table></div>\n<p class=\"note\">Reasons that differ "
                      "in numbers only are one, with the numbers of the "
                      "first call.</p></section>\n");
}
