/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plan/diagram.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 128 };

int
diagram_make(diagram *d, const redist_problem *s, const hesca_choice *choice)
{
    int err;
    memset(d, 0, sizeof *d);
    d->redist_problem = s;
    hesca_choice_name(choice, d->name);
    HESCA_TRY(err, traffic_make(&d->traffic, &s->problem, choice));
    const int64_t n = (int64_t)s->nprocs * d->traffic.nsteps;
    if (n > DIAGRAM_MOST)
        return err;
    d->cell = malloc(((size_t)n + 1) * sizeof *d->cell);
    if (d->cell == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "a diagram"));
    for (int k = 0; k < s->nprocs; ++k)
        HESCA_TRY(err,
                  traffic_of(&d->traffic, s->rank[k],
                             d->cell + (size_t)k * (size_t)d->traffic.nsteps));
fail:
    if (err < 0)
        diagram_clear(d);
    return err;
}

void
diagram_clear(diagram *d)
{
    traffic_clear(&d->traffic);
    free(d->cell);
    memset(d, 0, sizeof *d);
}

const traffic_step *
diagram_at(const diagram *d, int k, int step)
{
    return &d->cell[(size_t)k * (size_t)d->traffic.nsteps + (size_t)step];
}

/* ------------------------------------------------ as text */

static int
width_of(int number)
{
    return snprintf(NULL, 0, "%d", number);
}

/* The text before a step: a bar where a phase begins. */
static const char *
gap(const traffic *t, int step)
{
    for (int k = 0; k + 1 < t->nphases; ++k)
        if (t->phase_end[k] == step && step > 0)
            return " | ";
    return " ";
}

static int
columns_needed(const diagram *d, int width)
{
    const traffic *t = &d->traffic;
    int sum = 7;
    for (int i = 0; i < t->nsteps; ++i)
        sum += width + (int)strlen(gap(t, i));
    return sum;
}

static void
print_row(const diagram *d, int k, int width)
{
    printf("%7d", d->redist_problem->rank[k]);
    for (int i = 0; i < d->traffic.nsteps; ++i) {
        const int dest = diagram_at(d, k, i)->out.rank;
        fputs(gap(&d->traffic, i), stdout);
        if (dest < 0)
            printf("%*s", width, ".");
        else
            printf("%*d", width, dest);
    }
    printf("\n");
}

void
diagram_print(const diagram *d, int columns)
{
    const traffic *t = &d->traffic;
    const redist_problem *s = d->redist_problem;
    const int most = width_of(s->rank[s->nprocs - 1]);
    const int width = most > width_of(t->nsteps) ? most : width_of(t->nsteps);
    const int needed = columns_needed(d, width);
    if (d->cell == NULL || s->nprocs > ROWS_MOST || needed > columns) {
        printf("%s: %d processes x %d steps are too many to be shown in %d "
               "columns (COLUMNS); see --svg and --rank\n",
               d->name, s->nprocs, t->nsteps, columns);
        return;
    }
    printf("%s: the process that each one sends to, step by step\nprocess",
           d->name);
    for (int i = 0; i < t->nsteps; ++i)
        printf("%s%*d", gap(t, i), width, i + 1);
    printf("\n");
    for (int k = 0; k < s->nprocs; ++k)
        print_row(d, k, width);
}
