/* SPDX-License-Identifier: BSD-3-Clause */
/* The page as a whole: title, figures at a glance, settings. */
#define _POSIX_C_SOURCE 200809L /* newlocale */
#include "shim/page/page.h"
#include "shim/page/page_text.h"
#include <locale.h>
#include <stdlib.h>

double
hesca_page_calls(const hesca_page_routine *r)
{
    return r->calls[HESCA_PAGE_ORIGINAL] + hesca_page_served(r);
}

double
hesca_page_served(const hesca_page_routine *r)
{
    return r->calls[HESCA_PAGE_HESCA] + r->calls[HESCA_PAGE_GRID];
}

double
hesca_page_seconds(const hesca_page_routine *r)
{
    return r->seconds[HESCA_PAGE_ORIGINAL] + r->seconds[HESCA_PAGE_HESCA] +
           r->seconds[HESCA_PAGE_GRID];
}

/* ------------------------------------------------ title */

static void
add_title(hesca_text *t, const hesca_page *p)
{
    hesca_text_add(t, "<h1>HESCA report");
    if (p->program != NULL) {
        hesca_text_add(t, ": ");
        hesca_text_escape(t, p->program);
    }
    hesca_text_add(t, "</h1>\n<p class=\"soft\">");
    hesca_text_escape(t, p->date);
    hesca_text_add(t, " &#183; %s process%s",
                   hesca_words_count(p->nprocs).text,
                   p->nprocs == 1 ? "" : "es");
    if (p->nhosts > 0)
        hesca_text_add(t, " on %d host%s", p->nhosts,
                       p->nhosts == 1 ? "" : "s");
    hesca_text_add(t, " &#183; %s from MPI_Init to MPI_Finalize &#183; HESCA ",
                   hesca_words_seconds(p->seconds).text);
    hesca_text_escape(t, p->version);
    hesca_text_add(t, "</p>\n");
}

static void
add_missing(hesca_text *t, const hesca_page *p)
{
    int missing = 0, shown = 0;
    for (int k = 0; k < p->nprocs; ++k)
        missing += !p->process[k].is_present;
    if (missing == 0)
        return;
    hesca_text_add(t,
                   "<p class=\"warn\">The figures of %d of %d processes are "
                   "missing (rank",
                   missing, p->nprocs);
    for (int k = 0; k < p->nprocs && shown < 12; ++k)
        if (!p->process[k].is_present)
            hesca_text_add(t, "%s %d", shown++ > 0 ? "," : "", k);
    hesca_text_add(t, "%s): %s  All sums are without them.</p>\n",
                   missing > shown ? ", &#8230;" : "",
                   p->is_last ? "they have not come to MPI_Finalize, or could "
                                "not be asked."
                              : "they had not come to MPI_Finalize when this "
                                "page was written; it is written again when "
                                "they do.");
}

/* ------------------------------------------------ at a glance */

static void
add_tile(hesca_text *t, const char *value, const char *what)
{
    hesca_text_add(t, "<div class=\"tile\"><b>%s</b><span>%s</span></div>\n",
                   value, what);
}

static void
add_tiles(hesca_text *t, const hesca_page *p)
{
    hesca_page_routine sum = {.name = ""};
    for (int k = 0; k < p->nroutines; ++k) {
        const hesca_page_routine *r = &p->routine[k];
        for (int w = 0; w < HESCA_PAGE_WAYS; ++w) {
            sum.calls[w] += r->calls[w];
            sum.seconds[w] += r->seconds[w];
        }
        /* ScaLAPACK's redistributions are predicted roughly. */
        if (r->original > 0 && r->copied == 0) {
            sum.measured += r->measured;
            sum.original += r->original;
        }
    }
    hesca_text_add(t, "<div class=\"tiles\">\n");
    add_tile(t, hesca_words_count(hesca_page_calls(&sum)).text,
             "calls intercepted");
    if (hesca_page_calls(&sum) > 0) {
        add_tile(t, hesca_words_count(sum.calls[HESCA_PAGE_HESCA]).text,
                 "served by HESCA");
        add_tile(t, hesca_words_count(sum.calls[HESCA_PAGE_GRID]).text,
                 "by ScaLAPACK on another grid");
        add_tile(t, hesca_words_count(sum.calls[HESCA_PAGE_ORIGINAL]).text,
                 "left to ScaLAPACK as called");
        add_tile(t, hesca_words_seconds(hesca_page_seconds(&sum)).text,
                 "in these calls, measured");
    }
    if (sum.original > 0 && sum.measured > 0)
        add_tile(
            t, hesca_words_factor(sum.original / sum.measured).text,
            "gain where calls compute: predicted for ScaLAPACK&#8217;s own, "
            "by measured");
    hesca_text_add(t, "</div>\n");
    if (hesca_page_calls(&sum) == 0)
        hesca_text_add(t, "<p>The program has called none of the routines "
                          "that HESCA intercepts.</p>\n");
}

/* ------------------------------------------------ settings */

static void
add_settings(hesca_text *t, const hesca_page *p)
{
    if (p->nsettings == 0)
        return;
    hesca_text_add(t, "<section><h2>Settings</h2>\n<p class=\"note\">"
                      "Variables HESCA_* that are set in the environment of "
                      "process 0, and versions.</p>\n"
                      "<div class=\"scroll\"><table>\n");
    for (int k = 0; k < p->nsettings; ++k) {
        hesca_text_add(t, "<tr><td class=\"name\">");
        hesca_text_escape(t, p->setting[k].name);
        hesca_text_add(t, "</td><td class=\"wide\"><code>");
        hesca_text_escape(t, p->setting[k].value);
        hesca_text_add(t, "</code></td></tr>\n");
    }
    hesca_text_add(t, "</table></div></section>\n");
}

/* ------------------------------------------------ the page */

static void
add_page(hesca_text *t, const hesca_page *p)
{
    hesca_text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                      "<meta charset=\"utf-8\" />\n<meta name=\"viewport\" "
                      "content=\"width=device-width, initial-scale=1\" />\n"
                      "<title>HESCA report");
    if (p->program != NULL) {
        hesca_text_add(t, ": ");
        hesca_text_escape(t, p->program);
    }
    hesca_text_add(t, "</title>\n");
    hesca_page_style(t);
    hesca_text_add(t, "</head>\n<body>\n<main>\n");
    add_title(t, p);
    add_missing(t, p);
    add_tiles(t, p);
    hesca_page_routines(t, p);
    hesca_page_advice(t, p);
    hesca_page_reasons(t, p);
    hesca_page_processes(t, p);
    hesca_page_messages(t, p);
    hesca_page_speeds(t, p);
    hesca_page_machine(t, p);
    add_settings(t, p);
    hesca_text_add(t, "<footer>Made by HESCA (HESCA_REPORT).  Times are "
                      "measured unless they are called predicted.  "
                      "Predictions are those by which HESCA decides which way "
                      "a call takes.</footer>\n</main>\n</body>\n</html>\n");
}

int
hesca_page_make(const hesca_page *page, char **text)
{
    hesca_text t = {.at = NULL};
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = plain != (locale_t)0 ? uselocale(plain) : plain;
    add_page(&t, page);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    if (t.failed) {
        free(t.at);
        t.at = NULL;
    }
    *text = t.at;
    return t.failed ? HESCA_ERR_NOMEM : HESCA_SUCCESS;
}
