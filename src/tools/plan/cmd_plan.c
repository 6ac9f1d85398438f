/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca plan: the schedules of a redistribution, without running it. */
#include "base/status.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/tools.h"
#include "tools/plan/plan_report.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The requested process and schedule must exist. */
static int
choose(const redist_problem *s, hesca_choice *choice)
{
    const request *r = s->asked;
    char text[512];
    if (r->rank >= 0 && redist_problem_find(s, r->rank) < 0)
        return cmdline_fail("--rank '%lld': must be a process of one of the "
                            "grids",
                            (long long)r->rank),
               TOOL_BAD;
    if (hesca_choose(r->schedule, &s->problem, &s->links, choice))
        return TOOL_YES;
    hesca_choose_explain(r->schedule, &s->problem, text, sizeof text);
    complain("%s", text);
    return TOOL_NO;
}

static int
write_picture(const diagram *d)
{
    const char *path = d->redist_problem->asked->svg;
    if (d->cell == NULL)
        return cmdline_fail("--svg '%s': must be left out: %d processes x %d "
                            "steps are more than the %d boxes of a picture",
                            path, d->redist_problem->nprocs, d->traffic.nsteps,
                            DIAGRAM_MOST),
               TOOL_BAD;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return cmdline_fail("--svg '%s' cannot be written: %s", path,
                            strerror(errno)),
               TOOL_BAD;
    diagram_draw(d, file);
    const int bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return cmdline_fail("--svg '%s' cannot be written", path), TOOL_BAD;
    return TOOL_YES;
}

/* The steps of the requested process; NULL if there is none. */
static int
list_steps(const diagram *d, traffic_step **step)
{
    const int64_t rank = d->redist_problem->asked->rank;
    *step = NULL;
    if (rank < 0)
        return HESCA_SUCCESS;
    *step = malloc(((size_t)d->traffic.nsteps + 1) * sizeof **step);
    if (*step == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d steps", d->traffic.nsteps);
    return traffic_of(&d->traffic, (int)rank, *step);
}

/* Report all; errors are found before anything is printed. */
static int
report_all(const redist_problem *s, const hesca_choice *choice, int *answer)
{
    figures_table table = {.n = 0};
    diagram shown = {.cell = NULL};
    traffic_step *step = NULL;
    int err;
    HESCA_TRY(err, diagram_make(&shown, s, choice));
    HESCA_TRY(err, list_steps(&shown, &step));
    if (s->asked->svg != NULL && (*answer = write_picture(&shown)) != TOOL_YES)
        goto fail;
    HESCA_TRY(err, figures_make(&table, s));
    const report r = {s, &table, &shown, step};
    if (s->asked->json)
        report_json(&r);
    else
        report_print(&r);
fail:
    free(step);
    figures_clear(&table);
    diagram_clear(&shown);
    return err;
}

static int
plan(const request *asked, const char *machine)
{
    redist_problem s;
    hesca_choice choice;
    if (redist_problem_make(&s, asked, machine) < 0)
        return complain("%s", hesca_error_text());
    int answer = choose(&s, &choice);
    if (answer == TOOL_YES && report_all(&s, &choice, &answer) < 0)
        answer = complain("%s", hesca_error_text());
    redist_problem_clear(&s);
    return answer;
}

int
plan_main(int argc, char **argv)
{
    request asked;
    hesca_params params;
    const int status = request_read(argc, argv, &asked);
    if (status >= 0)
        return status;
    if (hesca_params_read(&params) < 0) {
        complain("%s", hesca_error_text());
        return TOOL_NO;
    }
    return plan(&asked, params.machine);
}
