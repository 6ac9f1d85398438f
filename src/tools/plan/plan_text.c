/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plan/plan_report.h"
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 80, NUMBER_TEXT = 32 };

/* Seconds with three digits and a unit. */
static void
readable(double seconds, char text[NUMBER_TEXT])
{
    static const struct {
        double least;
        const char *unit;
    } scale[] = {{1, "s "}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    int k = 0;
    while (k < 3 && seconds < 0.9995 * scale[k].least)
        ++k;
    const double value = seconds / scale[k].least;
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(text, NUMBER_TEXT, "%.*f %s", decimals, value, scale[k].unit);
}

static void
print_heading(const redist_problem *s)
{
    char text[REDIST_PROBLEM_TEXT];
    const request *r = s->asked;
    redist_problem_describe(s, text);
    printf("%s\n", text);
    printf("costs between %s, load %g, %s: startup %g s, message %g s, byte "
           "%g s, copy %g s\n",
           r->one_node ? "cores of a node" : "nodes", r->load,
           s->machine == NULL ? "defaults" : s->machine,
           s->links.costs.startup, s->links.costs.message, s->links.costs.byte,
           s->links.costs.copy);
}

/* ------------------------------------------------ the table
 * A line for each schedule, in the order of the figures. */

/* The columns after the name of a schedule. */
enum { FIELDS = 5 };
static const char *const title[FIELDS] = {"steps", "messages", "bytes/process",
                                          "bytes in all", "predicted"};

typedef struct {
    char text[FIELDS][NUMBER_TEXT];
} line;

static line
line_of(const figures *f)
{
    line x;
    snprintf(x.text[0], NUMBER_TEXT, "%d", f->nsteps);
    snprintf(x.text[1], NUMBER_TEXT, "%lld", (long long)f->messages);
    snprintf(x.text[2], NUMBER_TEXT, "%lld", (long long)f->bytes_most);
    snprintf(x.text[3], NUMBER_TEXT, "%lld", (long long)f->bytes);
    readable(f->choice.seconds, x.text[4]);
    return x;
}

static int
wider(int width, const char *text)
{
    const int n = snprintf(NULL, 0, "%s", text);
    return n > width ? n : width;
}

static void
print_table(const figures_table *t)
{
    int name = wider(0, "schedule"), width[FIELDS];
    for (int c = 0; c < FIELDS; ++c)
        width[c] = wider(0, title[c]);
    for (int k = 0; k < t->n; ++k) {
        const line x = line_of(&t->item[k]);
        name = wider(name, t->item[k].name);
        for (int c = 0; c < FIELDS; ++c)
            width[c] = wider(width[c], x.text[c]);
    }
    printf("\n  %-*s", name, "schedule");
    for (int c = 0; c < FIELDS; ++c)
        printf("  %*s", width[c], title[c]);
    printf("\n");
    for (int k = 0; k < t->n; ++k) {
        const line x = line_of(&t->item[k]);
        printf("%c %-*s", t->item[k].is_auto ? '*' : ' ', name,
               t->item[k].name);
        for (int c = 0; c < FIELDS; ++c)
            printf("  %*s", width[c], x.text[c]);
        printf("\n");
    }
}

static void
print_notes(const redist_problem *s)
{
    int n = 0;
    printf("* what auto chooses; bytes/process: of the one that sends most\n");
    if (s->problem.part != HESCA_ALL)
        printf("bytes: those of whole rectangles, of which direct messages "
               "carry only the trapezoid\n");
    for (const hesca_solver *const *x = hesca_solvtab; *x != NULL; ++x)
        if ((*x)->degree(*x, &s->problem) < 0)
            printf("%s %s", n++ > 0 ? "," : "not applicable:", (*x)->name);
    printf(n > 0 ? "\n\n" : "\n");
}

/* ------------------------------------------------ one process
 * A line for each step; a side without a message has dashes. */

static void
print_message(const traffic_message *m)
{
    if (m->rank < 0)
        printf("  %6s  %12s  %8s", "-", "-", "-");
    else
        printf("  %6d  %12lld  %8lld", m->rank, (long long)m->bytes,
               (long long)m->packets);
}

static void
print_process(const report *r)
{
    const traffic *t = &r->shown->traffic;
    printf("%s: what process %lld does, step by step\n", r->shown->name,
           (long long)r->redist_problem->asked->rank);
    printf("  step");
    for (int side = 0; side < 2; ++side)
        printf("  %6s  %12s  %8s", side == 0 ? "to" : "from", "bytes",
               "packets");
    printf("\n");
    for (int phase = 0, i = 0; phase < t->nphases; ++phase) {
        if (t->nphases > 1)
            printf("  phase %d of %d\n", phase + 1, t->nphases);
        for (; i < t->phase_end[phase]; ++i) {
            printf("  %4d", i + 1);
            print_message(&r->step[i].out);
            print_message(&r->step[i].in);
            printf("\n");
        }
    }
}

/* ------------------------------------------------ all of it
 * All figures are known; these functions only print. */

static int
columns(void)
{
    const char *value = getenv("COLUMNS");
    const int n = value == NULL ? 0 : atoi(value);
    return n > 0 ? n : COLUMNS;
}

void
report_print(const report *r)
{
    print_heading(r->redist_problem);
    print_table(r->table);
    print_notes(r->redist_problem);
    if (r->step != NULL)
        print_process(r);
    else
        diagram_print(r->shown, columns());
}
