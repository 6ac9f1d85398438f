/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/choose_schedule.h"
#include "base/arith.h"
#include "base/log.h"
#include "base/status.h"
#include "exec/run_store_forward.h"
#include <limits.h>
#include <string.h>

/* --- memory ---
 * Bounds of memory depend on agreed parameters and global terms only. */

/* With shared memory, the other half is reserved for windows, which some
 * processes may have. */
size_t
hesca_staging_budget(const hesca_comm *c)
{
    const int only_mpi = c->params.transport == HESCA_TRANSPORT_MPI;
    return only_mpi ? c->params.buffer : c->params.buffer / 2;
}

size_t
hesca_store_forward_slot(const hesca_store_forward *forward, size_t budget)
{
    const size_t slots = (size_t)hesca_store_forward_slots(forward);
    const size_t widest = (size_t)hesca_store_forward_widest(forward);
    const size_t slot = budget / (slots == 0 ? 1 : slots);
    /* MPI counts a bundle in int. */
    return slot < INT_MAX / widest ? slot : INT_MAX / widest;
}

int
hesca_multiphase_arrays(int nphases)
{
    return nphases > 3 ? 2 : nphases > 1 ? nphases - 1 : 0;
}

/* Bytes of the largest local array of a layout. */
static size_t
largest_share(const hesca_layout *x, size_t esize)
{
    int64_t rows = 0, cols = 0; /* phases are products */
    for (int r = 0; r < x->nprow; ++r)
        rows = hesca_max(rows, hesca_axis_count(x->rows, r, x->rows->n));
    for (int c = 0; c < x->npcol; ++c)
        cols = hesca_max(cols, hesca_axis_count(x->cols, c, x->cols->n));
    return (size_t)rows * (size_t)cols * esize;
}

size_t
hesca_multiphase_bytes(const hesca_schedule *s)
{
    size_t most = 0;
    for (int k = 0; k + 1 < s->nphases; ++k) {
        const hesca_problem *p = &s->phase[k].problem;
        const size_t share = largest_share(p->b, p->esize);
        most = share > most ? share : most;
    }
    return most;
}

/* Whether HESCA_BUFFER has room for the buffers of a schedule; the same result
 * on all processes. */
static int
check_room(const hesca_problem *p, const hesca_schedule *s, size_t budget)
{
    int err = HESCA_SUCCESS;
    if (s->store_forward != NULL &&
        hesca_store_forward_slot(s->store_forward, budget) < p->esize)
        return hesca_fail(
            HESCA_ERR_UNSUPPORTED, 0,
            "HESCA_BUFFER has no room for the %lld packets of "
            "schedule %s, elements of %zu bytes",
            (long long)hesca_store_forward_slots(s->store_forward), s->name,
            p->esize);
    const size_t arrays = (size_t)hesca_multiphase_arrays(s->nphases);
    const size_t bytes = hesca_multiphase_bytes(s);
    if (arrays > 0 && bytes > budget / 2 / arrays)
        return hesca_fail(
            HESCA_ERR_UNSUPPORTED, 0,
            "HESCA_BUFFER has no room for %zu arrays of %zu bytes "
            "between the phases of schedule %s",
            arrays, bytes, s->name);
    for (int k = 0; k < s->nphases; ++k)
        HESCA_TRY(err, check_room(&s->phase[k].problem, &s->phase[k].schedule,
                                  budget / 2));
fail:
    return err;
}

/* --- the choice ---
 * All processes choose the same schedule, from equal inputs. */

/* Whether auto may replace the schedule that the user named. */
static int
may_replace(const hesca_comm *c)
{
    return strcmp(c->params.schedule, "auto") == 0 || c->is_lenient ||
           (c->params.fallback_set &&
            c->params.fallback != HESCA_FALLBACK_ERROR);
}

/* Report the replacement, once for each schedule that a user names. */
static void
report(const hesca_comm *c, const char *why, const hesca_choice *choice)
{
    static char last[HESCA_NAME_MAX];
    char name[HESCA_NAME_MAX];
    if (c->rank != 0 || c->params.fallback != HESCA_FALLBACK_PRINT ||
        strcmp(c->params.schedule, "auto") == 0 ||
        !hesca_log_is_news(last, sizeof last, c->params.schedule))
        return;
    hesca_choice_name(choice, name);
    hesca_log("%s; instead: %s", why, name);
}

static int
choose(const hesca_comm *c, const hesca_problem *problem,
       const hesca_link_costs *links, int direct, hesca_choice *choice)
{
    char text[HESCA_TEXT_MAX];
    const char *name = c->params.schedule;
    if (direct && strcmp(name, "auto") == 0 &&
        !hesca_problem_is_local(problem))
        name = "direct-async";
    if (!hesca_choose(name, problem, links, choice)) {
        hesca_choose_explain(name, problem, text, sizeof text);
        if (!may_replace(c))
            return hesca_fail(HESCA_ERR_PARAM, 0, "%s", text);
        hesca_choose("auto", problem, links, choice);
        report(c, text, choice);
    }
    return choice->failed
               ? hesca_fail(HESCA_ERR_NOMEM, 0, "predictions of schedules")
               : HESCA_SUCCESS;
}

int
hesca_choose_schedule(const hesca_comm *c, const hesca_problem *problem,
                      int direct, hesca_schedule *schedule, double *seconds)
{
    const hesca_link_costs links =
        hesca_comm_link_costs(c, c->params.transport == HESCA_TRANSPORT_MPI);
    hesca_choice choice;
    int err;
    HESCA_TRY(err, choose(c, problem, &links, direct, &choice));
    HESCA_TRY(err, hesca_schedule_init(&choice, problem, c->rank, schedule));
    err = check_room(problem, schedule, hesca_staging_budget(c));
    if (err < 0 && may_replace(c)) {
        /* direct-async fits into any buffer, because it cuts messages as short
         * as necessary. */
        hesca_schedule_clear(schedule);
        hesca_choose("direct-async", problem, &links, &choice);
        report(c, hesca_error_text(), &choice);
        err = hesca_schedule_init(&choice, problem, c->rank, schedule);
    }
    *seconds = choice.seconds;
fail:
    return err;
}
