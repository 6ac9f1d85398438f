/* SPDX-License-Identifier: BSD-3-Clause */
/* The decision of one process: by bounds if they are enough, by predictions of
 * all ways else. */
#include "base/status.h"
#include "hohe/hohe_decide.h"
#include "hohe/hohe_learn.h"
#include <stdio.h>
#include <stdlib.h>

/* Leave a call to the original routine. */
void
hesca_hohe_leave(hesca_hohe_info *info, const char *why)
{
    info->way = HESCA_WAY_ORIGINAL;
    snprintf(info->why, sizeof info->why, "%s", why);
}

/* The same because of the prediction, or of its bounds. */
static void
leave_by_prediction(const hesca_hohe_job *job, const hesca_hohe_forecast *f,
                    int at_most, hesca_hohe_info *info)
{
    info->way = HESCA_WAY_ORIGINAL;
    info->predicted = 1;
    hesca_hohe_explain(job, f, at_most, info->why, sizeof info->why);
}

/* Whether ScaLAPACK's routine is faster than the lower bound of any other way;
 * it takes no cut, so it is fast for small matrices.  A short call is left at
 * first. Returns 1, 0, or an error. */
static int
is_small(const hesca_hohe_call *x, const hesca_hohe_scales *scales,
         hesca_hohe_entry *e)
{
    const hesca_hohe_job *job = &x->key.job;
    hesca_hohe_info *info = &e->info;
    hesca_hohe_forecast *f = &info->forecast, bound;
    hesca_hohe_trial trial;
    double least;
    const int err = hesca_hohe_weigh_original(scales, f, &least);
    if (err == HESCA_ERR_ARG) /* too little memory, or no host computes this */
        hesca_hohe_leave(info, hesca_error_text());
    if (err < 0)
        return err == HESCA_ERR_ARG ? 1 : err;
    e->waits = hesca_hohe_may_wait(x, f);
    if (e->waits) {
        hesca_hohe_leave(info, "short, and other ways not predicted yet");
        return 1;
    }
    bound = *f;
    bound.hohe = hesca_hohe_has_kernel(job->routine) ? least : 0;
    bound.grid = x->original != NULL && !job->solves ? least : 0;
    if (x->way != HESCA_COMPUTE_AUTO ||
        hesca_hohe_best(&bound) != HESCA_WAY_ORIGINAL)
        return 0;
    hesca_hohe_trial_init(&trial, HESCA_WAY_ORIGINAL, &bound);
    if (hesca_hohe_may_try(x, f) && trial.n > 1)
        return 0;
    leave_by_prediction(job, &bound, 1, info);
    e->is_bounded = 1;
    *(hesca_hohe_has_kernel(job->routine) ? &f->hohe : &f->grid) = least;
    return 1;
}

/* Take the requested way, if it is possible.
 * \param [in] why  The error of the other ways, or "". */
static void
choose(const hesca_hohe_job *job, hesca_compute wanted, hesca_hohe_info *info,
       const char *why)
{
    const hesca_hohe_forecast *f = &info->forecast;
    info->predicted = 1;
    if (wanted == HESCA_COMPUTE_AUTO)
        info->way = hesca_hohe_best(f);
    else if (wanted == HESCA_COMPUTE_HOHE && f->hohe > 0)
        info->way = HESCA_WAY_HOHE;
    else if (wanted == HESCA_COMPUTE_GRID && f->grid > 0)
        info->way = HESCA_WAY_GRID;
    if (info->way != HESCA_WAY_ORIGINAL)
        return;
    if (wanted == HESCA_COMPUTE_AUTO) {
        leave_by_prediction(job, f, 0, info);
        return;
    }
    /* The requested way is not possible: that is not a prediction. */
    if (why[0] != '\0')
        info->predicted = 0;
    hesca_hohe_leave(
        info, why[0] != '\0' ? why : "no grid is better than the program's");
}

/* Whether sub(A) has one row: P?GETRF of a matrix of one row, which its copy
 * would be, does not examine A(1,1). */
static int
is_one_row(const hesca_hohe_job *job)
{
    return job->routine == HESCA_ROUTINE_GESV && job->m == 1;
}

/* Predict HoHe, on the grid of the cut or on a better one. */
static int
weigh_hohe(const hesca_hohe_call *x, const hesca_hohe_scales *scales,
           hesca_hohe_entry *e)
{
    hesca_hohe_forecast *f = &e->info.forecast;
    double *speed = malloc((size_t)x->c->size * sizeof *speed);
    int err, other;
    if (speed == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a decision");
    hesca_hohe_find_speeds(x, speed);
    err = hesca_hohe_weigh(scales, &e->cut, f);
    if (err == HESCA_SUCCESS || err == HESCA_ERR_ARG) {
        other = hesca_hohe_choose_cut(scales, speed, &e->cut, f);
        err = other < 0 ? other : f->hohe > 0 ? HESCA_SUCCESS : err;
    }
    free(speed);
    return err;
}

/* Predict all ways, and decide.  A copy may be too large for a host. */
static int
decide(const hesca_hohe_call *x, const hesca_hohe_scales *scales,
       hesca_hohe_entry *e)
{
    hesca_hohe_forecast *f = &e->info.forecast;
    char why[sizeof e->info.why] = "";
    int err = HESCA_SUCCESS;
    if (hesca_hohe_has_kernel(x->key.job.routine))
        err = weigh_hohe(x, scales, e);
    if (err < 0 && err != HESCA_ERR_ARG)
        return err;
    if (err < 0 && x->way == HESCA_COMPUTE_HOHE)
        snprintf(why, sizeof why, "%s", hesca_error_text());
    if (x->original != NULL && !is_one_row(&x->key.job)) {
        err = hesca_hohe_weigh_grid(scales, x->part, f, &e->other.grid);
        if (err < 0 && err != HESCA_ERR_ARG)
            return err;
        if (err < 0 && x->way == HESCA_COMPUTE_GRID)
            snprintf(why, sizeof why, "%s", hesca_error_text());
    }
    if (x->way == HESCA_COMPUTE_AUTO)
        hesca_hohe_correct(x->c, &x->key.job, f, e->raw);
    choose(&x->key.job, x->way, &e->info, why);
    return HESCA_SUCCESS;
}

/* Cut sub(C) in proportion to speed, for HoHe. */
static int
cut(const hesca_hohe_call *x, int equal, hesca_hohe_entry *e)
{
    const hesca_hohe_job *job = &x->key.job;
    double *speed = malloc((size_t)x->c->size * sizeof *speed);
    int err;
    if (speed == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "a decision"));
    for (int k = 0; equal && k < x->c->size; ++k)
        speed[k] = 1;
    if (!equal)
        hesca_hohe_find_speeds(x, speed);
    HESCA_TRY(err, hesca_hohe_cut_init(job, speed, &e->cut));
    e->info.way = HESCA_WAY_HOHE;
    e->info.forecast.staging =
        hesca_hohe_is_in_place(e) ? 0 : hesca_hohe_staging(job, &e->cut);
fail:
    free(speed);
    return err;
}

/* Without known hosts HoHe is the only other way. */
int
hesca_hohe_decide_here(const hesca_hohe_call *x, hesca_hohe_entry *e)
{
    const hesca_comm *c = x->c;
    const hesca_hohe_job *job = &x->key.job;
    const hesca_link_costs links = hesca_comm_link_costs(c, 0);
    const hesca_hohe_scales scales = {&c->machine, c->host, job, &links};
    const int equal = hesca_hohe_is_by_rule(x);
    int err, small;
    e->info.by_rule = equal;
    if (x->way == HESCA_COMPUTE_ORIGINAL) { /* as a trial */
        hesca_hohe_leave(&e->info, "to compare its time");
        return HESCA_SUCCESS;
    }
    if (equal && !hesca_hohe_wins_on_node(job, c->crowded)) {
        hesca_hohe_leave(&e->info,
                         hesca_comm_is_node(c)
                             ? "on the cores of a node ScaLAPACK's routine is "
                               "as fast at this size"
                             : "on equal hosts ScaLAPACK's routine is as fast "
                               "on this grid");
        return HESCA_SUCCESS;
    }
    if (c->host != NULL && !equal) {
        HESCA_TRY(err, small = is_small(x, &scales, e));
        if (small)
            return HESCA_SUCCESS;
    }
    if (hesca_hohe_has_kernel(job->routine))
        HESCA_TRY(err, cut(x, equal, e));
    if (c->host != NULL && !equal) {
        e->info.way = HESCA_WAY_ORIGINAL;
        HESCA_TRY(err, decide(x, &scales, e));
    }
    err = HESCA_SUCCESS;
fail:
    return err;
}
