/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plan/plan_figures.h"
#include "base/arith.h"
#include "base/status.h"
#include "tools/lib/tools.h"
#include "tools/lib/traffic.h"
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------ of one schedule */

static void
add_process(figures *f, const traffic_step *step)
{
    int64_t bytes = 0;
    for (int i = 0; i < f->nsteps; ++i) {
        f->messages += step[i].out.rank >= 0;
        bytes += step[i].out.bytes;
    }
    f->bytes += bytes;
    f->bytes_most = hesca_max(f->bytes_most, bytes);
}

static int
measure(figures *f, const redist_problem *s)
{
    traffic t = {.nsteps = 0};
    traffic_step *step = NULL;
    int err;
    HESCA_TRY(err, traffic_make(&t, &s->problem, &f->choice));
    f->nsteps = t.nsteps;
    step = malloc(((size_t)t.nsteps + 1) * sizeof *step);
    if (step == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d steps", t.nsteps));
    for (int k = 0; k < s->nprocs; ++k) {
        HESCA_TRY(err, traffic_of(&t, s->rank[k], step));
        add_process(f, step);
    }
fail:
    free(step);
    traffic_clear(&t);
    return err;
}

/* ------------------------------------------------ of all */

static int
count_choices(const hesca_problem *p)
{
    int n = 0;
    for (const hesca_solver *const *s = hesca_solvtab; *s != NULL; ++s)
        n += (*s)->degree(*s, p) + 1;
    return n;
}

static int
add(figures_table *t, const redist_problem *s, const hesca_choice *choice,
    const hesca_choice *best)
{
    figures *f = &t->item[t->n++];
    *f = (figures){.is_auto = choice->solver == best->solver &&
                              choice->degree == best->degree};
    hesca_choice_name(choice, f->name);
    hesca_choose(f->name, &s->problem, &s->links, &f->choice);
    return measure(f, s);
}

int
figures_make(figures_table *t, const redist_problem *s)
{
    const hesca_problem *p = &s->problem;
    hesca_choice best;
    int err = HESCA_SUCCESS;
    hesca_choose("auto", p, &s->links, &best);
    *t = (figures_table){
        .item = malloc((size_t)count_choices(p) * sizeof *t->item)};
    if (t->item == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a table of schedules");
    for (const hesca_solver *const *x = hesca_solvtab; *x != NULL; ++x)
        for (int d = 0; d <= (*x)->degree(*x, p); ++d) {
            const hesca_choice choice = {.solver = *x, .degree = d};
            char name[HESCA_NAME_MAX];
            hesca_choice_name(&choice, name);
            progress("hesca: %d schedules planned, now %s", t->n, name);
            HESCA_TRY(err, add(t, s, &choice, &best));
        }
fail:
    progress(NULL);
    if (err < 0)
        figures_clear(t);
    return err;
}

void
figures_clear(figures_table *t)
{
    free(t->item);
    memset(t, 0, sizeof *t);
}
