/* SPDX-License-Identifier: BSD-3-Clause */
/* What to try next: rules, each from what was seen in the run.  A rule that
 * does not apply is silent, and each names the figures that it stands on. */
#include "shim/page/page_text.h"
#include <string.h>

/* A rule needs some evidence: parts of the time of all calls, or of all
 * calls. */
static const double SOME = 0.05, GAIN = 1.1, OFF = 1.5;

typedef struct {
    hesca_text *text;
    const hesca_page *page;
    int n; /* rules so far */
    double seconds, calls;
} advice;

/* Begin a rule: what to do, in bold. */
static void
begin(advice *a, const char *what)
{
    if (a->n++ == 0)
        hesca_text_add(a->text, "<section><h2>What to try next</h2>\n"
                                "<ul class=\"tips\">\n");
    hesca_text_add(a->text, "<li><b>%s</b>", what);
}

static void
end(advice *a)
{
    hesca_text_add(a->text, "</li>\n");
}

/* Calls that are left for a reason with some words in it. */
static double
left_because(const hesca_page *p, const char *words)
{
    double n = 0;
    for (int k = 0; k < p->nreasons; ++k)
        if (strstr(p->reason[k].why, words) != NULL)
            n += p->reason[k].calls;
    return n;
}

static int
is_set(const hesca_page *p, const char *name)
{
    for (int k = 0; k < p->nsettings; ++k)
        if (strcmp(p->setting[k].name, name) == 0)
            return 1;
    return 0;
}

/* ------------------------------------------------ the machine file */

static void
about_machine(advice *a)
{
    const hesca_page *p = a->page;
    const double n = left_because(p, "no machine is known");
    if (p->machine_known || (n == 0 && p->nhosts < 2))
        return;
    begin(a, is_set(p, "HESCA_MACHINE")
                 ? "Make the machine file fit these hosts"
                 : "Measure the hosts, and let HESCA_MACHINE name the result");
    hesca_text_add(a->text,
                   "<code>mpiexec -n N hesca probe -o cluster.machine</code> "
                   "writes a machine file.  ");
    if (n > 0)
        hesca_text_add(a->text, "%s call%s left because no machine is known.",
                       hesca_words_count(n).text, n == 1 ? " was" : "s were");
    else
        hesca_text_add(a->text,
                       "Without it, hosts count as equal; here there are %d.",
                       p->nhosts);
    end(a);
}

static void
about_predictions(advice *a)
{
    const hesca_page *p = a->page;
    double measured = 0, predicted = 0;
    for (int k = 0; k < p->nroutines; ++k) {
        measured += p->routine[k].predicted > 0 ? p->routine[k].measured : 0;
        predicted += p->routine[k].predicted;
    }
    if (!(predicted > 0) || !(measured > 0) ||
        (measured < OFF * predicted && predicted < OFF * measured) ||
        measured < SOME * a->seconds)
        return;
    begin(a, "Measure the hosts again");
    hesca_text_add(a->text, "Calls took %s",
                   hesca_words_seconds(measured).text);
    hesca_text_add(a->text,
                   " where %s were predicted: the machine file may be of "
                   "another state of the hosts (<code>hesca probe</code>), or "
                   "they have other work.",
                   hesca_words_seconds(predicted).text);
    end(a);
}

/* ------------------------------------------------ cores */

static void
about_cores(advice *a)
{
    const hesca_page *p = a->page;
    if (p->load <= 1.05)
        return;
    begin(a, "Run fewer processes on each host, or on more hosts");
    hesca_text_add(a->text,
                   "There are %.3g processes per core where there are most; "
                   "those that wait and those that compute take turns.  "
                   "<code>hesca run</code> starts as many as pay.",
                   p->load);
    end(a);
}

/* Hosts whose processes wait much less than others are the slow ones. */
static void
about_balance(advice *a)
{
    const hesca_page *p = a->page;
    double least = 2, most = -1;
    int busiest = -1, idlest = -1;
    for (int k = 0; k < p->nprocs; ++k) {
        const hesca_page_process *x = &p->process[k];
        double sum = 0;
        for (int i = 0; i < HESCA_PAGE_ACTIVITIES; ++i)
            sum += x->seconds[i];
        if (!x->is_present || !(sum > 0.2 * a->seconds) || sum < 1e-3)
            continue;
        const double part = (x->seconds[HESCA_PAGE_WAITING] +
                             x->seconds[HESCA_PAGE_SCALAPACK_WAITING]) /
                            sum;
        if (part < least) {
            least = part;
            busiest = k;
        }
        if (part > most) {
            most = part;
            idlest = k;
        }
    }
    if (busiest < 0 || most - least < 0.35)
        return;
    begin(a, "Compare the waits of the processes");
    hesca_text_add(a->text,
                   "Process %d waits for %.0f %% of its time in calls, "
                   "process %d for %.0f %%: ",
                   idlest, 100 * most, busiest, 100 * least);
    hesca_text_add(a->text,
                   p->machine_known
                       ? "the latter has more work than its speed allows.  If "
                         "the calls were left to ScaLAPACK, its equal shares "
                         "are the cause; if not, <code>hesca probe</code> may "
                         "find other speeds today."
                       : "equal shares on unequal processes.  A machine file "
                         "lets HESCA divide the work by speed.");
    end(a);
}

/* ------------------------------------------------ grids and blocks */

static void
about_grid(advice *a, const hesca_page_routine *r)
{
    if (r->nprow == 0 || r->grid_original < GAIN * r->grid_other)
        return;
    begin(a, "Try another process grid in the program");
    hesca_text_escape(a->text, r->name);
    hesca_text_add(a->text, " on %d &#215; %d processes: %s", r->nprow,
                   r->npcol, hesca_words_seconds(r->grid_other).text);
    hesca_text_add(a->text,
                   " predicted, copies included, instead of %s as called; the "
                   "gain was too small to go there by itself.  A grid of that "
                   "shape from the start (BLACS_GRIDINIT) needs no copies.",
                   hesca_words_seconds(r->grid_original).text);
    end(a);
}

static void
about_grids(advice *a)
{
    const hesca_page_routine *best = NULL;
    double gain = 0;
    for (int k = 0; k < a->page->nroutines; ++k) {
        const hesca_page_routine *r = &a->page->routine[k];
        if (r->nprow > 0 && r->grid_original - r->grid_other > gain) {
            gain = r->grid_original - r->grid_other;
            best = r;
        }
    }
    if (best != NULL)
        about_grid(a, best);
}

static void
about_blocks(advice *a)
{
    double calls = 0, seconds = 0;
    for (int k = 0; k < a->page->nroutines; ++k) {
        calls += a->page->routine[k].small_calls;
        seconds += a->page->routine[k].small_seconds;
    }
    if (calls == 0 || seconds <= SOME * a->seconds)
        return;
    begin(a, "Use larger blocks");
    hesca_text_add(a->text,
                   "%s call%s had blocks of fewer than %d rows or columns and "
                   "took %s of ",
                   hesca_words_count(calls).text, calls == 1 ? "" : "s",
                   HESCA_PAGE_SMALL_BLOCK, hesca_words_seconds(seconds).text);
    hesca_text_add(a->text,
                   "%s.  Blocks of 32 to 128 send fewer messages, and let "
                   "BLAS work on larger pieces.",
                   hesca_words_seconds(a->seconds).text);
    end(a);
}

/* ------------------------------------------------ settings */

static void
about_settings(advice *a)
{
    const hesca_page *p = a->page;
    const double real = left_because(p, " is real");
    const double off = left_because(p, "HESCA_DISABLE");
    const double wish = left_because(p, "HESCA_REGRID=grid");
    if (real + off > SOME * a->calls && real + off > 0) {
        begin(a, "Let HESCA choose");
        hesca_text_add(a->text,
                       "%s call%s left because a variable asks for "
                       "ScaLAPACK&#8217;s own routine (see the reasons "
                       "below).",
                       hesca_words_count(real + off).text,
                       real + off == 1 ? " was" : "s were");
        end(a);
    }
    if (wish > 0) {
        begin(a, "Try HESCA_REGRID=grid");
        hesca_text_add(a->text,
                       "%s call%s left because predictions of their routine "
                       "are not trusted; on demand they run on the grid that "
                       "is predicted best.",
                       hesca_words_count(wish).text,
                       wish == 1 ? " was" : "s were");
        end(a);
    }
}

static void
about_plans(advice *a)
{
    const hesca_page *p = a->page;
    double served = 0, cached = 0;
    for (int k = 0; k < p->nroutines; ++k) {
        served += hesca_page_served(&p->routine[k]);
        cached += p->routine[k].cached;
    }
    if (served < 20 || cached > 0.5 * served)
        return;
    begin(a, "Repeat calls with equal arguments");
    hesca_text_add(a->text,
                   "Only %s of %s calls found a plan made before.  Plans are "
                   "kept for each context: keep contexts, or enlarge "
                   "HESCA_CACHE if many different calls take turns.",
                   hesca_words_count(cached).text,
                   hesca_words_count(served).text);
    end(a);
}

/* ------------------------------------------------ all */

void
hesca_page_advice(hesca_text *t, const hesca_page *p)
{
    advice a = {.text = t, .page = p};
    for (int k = 0; k < p->nroutines; ++k) {
        a.seconds += hesca_page_seconds(&p->routine[k]);
        a.calls += hesca_page_calls(&p->routine[k]);
    }
    if (a.calls == 0)
        return;
    about_machine(&a);
    about_cores(&a);
    about_settings(&a);
    about_grids(&a);
    about_blocks(&a);
    about_balance(&a);
    about_predictions(&a);
    about_plans(&a);
    if (a.n > 0)
        hesca_text_add(t, "</ul></section>\n");
}
