/* SPDX-License-Identifier: BSD-3-Clause */
#include "hohe/hohe_decide.h"
#include "base/hash.h"
#include "base/status.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "exec/plan.h"
#include "exec/window.h"
#include "hohe/hohe_learn.h"
#include "layout/layout.h"
#include "survey/learn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- eligibility ---
 * Local, from values that are equal on all processes, so all get the same
 * answer without messages. */

static const char *const is_original[HESCA_ROUTINES] = {
    [HESCA_ROUTINE_GEMM] = "HESCA_GEMM is real",
    [HESCA_ROUTINE_POTRF] = "HESCA_POTRF is real",
    [HESCA_ROUTINE_GESV] = "HESCA_GETRF is real"};

/* Whether predictions of a routine that HESCA has no kernel for have been
 * measured (doc/hohe.md): others go to another grid on demand only. */
static int
is_measured(hesca_routine routine)
{
    return routine >= HESCA_ROUTINE_SYEV && routine != HESCA_ROUTINE_SYGVX &&
           routine != HESCA_ROUTINE_GEBRD;
}

int
hesca_hohe_has_kernel(hesca_routine routine)
{
    return routine <= HESCA_ROUTINE_ORMQR;
}

void
hesca_hohe_find_speeds(const hesca_hohe_call *x, double *speed)
{
    const hesca_comm *c = x->c;
    if (c->host != NULL)
        hesca_hohe_speeds(&c->machine, c->host, &x->key.job, speed);
    else
        for (int k = 0; k < c->size; ++k)
            speed[k] = 1;
}

/* Whether hosts differ; computed once per communicator and routine. */
static int
hosts_differ(const hesca_comm *c, hesca_routine routine)
{
    if (c->hohe != NULL && c->hohe->differ[routine] != 0)
        return c->hohe->differ[routine] > 0;
    const int differ =
        hesca_hohe_hosts_differ(&c->machine, c->host, c->size, routine);
    if (c->hohe != NULL)
        c->hohe->differ[routine] = differ ? 1 : -1;
    return differ;
}

/* Whether the processes have equal parts of the cores of one node. */
static int
is_equal_node(const hesca_hohe_call *x)
{
    const hesca_comm *c = x->c;
    return hesca_comm_is_node(c) &&
           (c->host == NULL || !hosts_differ(c, x->key.job.routine));
}

/* There, and for P?TRSM on equal hosts, where ScaLAPACK's is several times
 * slower on one row of processes. */
int
hesca_hohe_is_by_rule(const hesca_hohe_call *x)
{
    const hesca_comm *c = x->c;
    const hesca_routine routine = x->key.job.routine;
    return x->way == HESCA_COMPUTE_AUTO &&
           (is_equal_node(x) ||
            (routine == HESCA_ROUTINE_TRSM && c->host != NULL && !c->crowded &&
             !hosts_differ(c, routine)));
}

/* The reason why all calls of a routine are left to the original one; NULL:
 * none. */
static const char *
reason_to_leave(const hesca_hohe_call *x)
{
    const hesca_comm *c = x->c;
    const int has_kernel = hesca_hohe_has_kernel(x->key.job.routine);
    if (x->way == HESCA_COMPUTE_ORIGINAL)
        return hesca_hohe_is_regrid(x->key.job.routine)
                   ? "HESCA_REGRID is real"
                   : is_original[x->key.job.routine];
    if (c->unusable.err < 0)
        return c->unusable.text;
    if (has_kernel && x->way != HESCA_COMPUTE_GRID && !hesca_kernels_fit())
        return "the program's BLAS has 64-bit INTEGERs";
    if (x->way == HESCA_COMPUTE_HOHE)
        return has_kernel ? NULL : "HESCA has no kernel for it";
    if ((x->way == HESCA_COMPUTE_GRID || !has_kernel) && x->original == NULL)
        return "ScaLAPACK's routine is not at hand for another grid";
    if (c->size == 1)
        return "there is one process";
    if (hesca_hohe_is_by_rule(x))
        return has_kernel
                   ? NULL
                   : "on the cores of a node ScaLAPACK's routine is as fast";
    if (c->host == NULL)
        return "no machine is known (HESCA_MACHINE)";
    if (x->way == HESCA_COMPUTE_GRID)
        return NULL;
    const int differ = hosts_differ(c, x->key.job.routine);
    if (hesca_hohe_is_regrid(x->key.job.routine) &&
        !is_measured(x->key.job.routine))
        return "its time on other grids is not predicted well enough "
               "(HESCA_REGRID=grid)";
    return has_kernel || differ
               ? NULL
               : "by HESCA_MACHINE its processes differ by less than 5 % in "
                 "speed";
}

int
hesca_hohe_is_candidate(hesca_hohe_call *x)
{
    const char *why = reason_to_leave(x);
    if (why == NULL)
        return 1;
    snprintf(x->info->why, sizeof x->info->why, "%.230s", why);
    x->info->settled = 1;
    return 0;
}

/* --- decisions ---
 * make_entry() is local; settle() makes the result the same on all processes,
 * in one agreement. */

static int
make_home(const hesca_side *s, hesca_layout **layout)
{
    return s->nprow == 0
               ? HESCA_SUCCESS
               : hesca_layout_create_cyclic(s->m, s->n, s->mb, s->nb, s->rsrc,
                                            s->csrc, s->nprow, s->npcol, NULL,
                                            layout);
}

/* Allocate what planning of the way needs, and free the rest. */
static int
prepare(const hesca_hohe_call *x, hesca_hohe_entry *e)
{
    const hesca_hohe_job *job = &x->key.job;
    int err = HESCA_SUCCESS;
    switch (e->info.way) {
    case HESCA_WAY_HOHE:
        hesca_hohe_other_grid_clear(&e->other);
        HESCA_TRY(err, make_home(hesca_hohe_is_regrid(job->routine)
                                     ? &job->argument[0].side
                                     : &job->a,
                                 &e->a));
        HESCA_TRY(err, make_home(&job->b, &e->b));
        break;
    case HESCA_WAY_GRID:
        hesca_hohe_cut_clear(&e->cut);
        err = hesca_hohe_other_grid_prepare(&e->other, x->c, x->original);
        break;
    default:
        hesca_hohe_entry_empty(e);
    }
fail:
    return err;
}

/* The copies of HoHe. */
static int
plan_hohe(const hesca_hohe_call *x, hesca_hohe_entry *e)
{
    const hesca_hohe_job *job = &x->key.job;
    const size_t esize = hesca_type_size(job->type);
    const hesca_hohe_cut *cut = &e->cut;
    const hesca_matrix home = {
        .layout = cut->home, .i = job->home.i, .j = job->home.j};
    const hesca_matrix other = {.layout = cut->cut, .i = cut->i, .j = cut->j};
    int err = HESCA_SUCCESS;
    if (hesca_hohe_is_in_place(e))
        return err;
    if (hesca_hohe_copies_meanwhile(job, cut))
        HESCA_TRY(err, hesca_background_make(x->part, job->m, job->n, &home,
                                             &other, esize, x->c, &e->copies));
    if (e->copies != NULL)
        return err;
    if (job->reads)
        HESCA_TRY(err, hesca_plan_make_between(x->part, job->m, job->n, &home,
                                               &other, esize, x->c, &e->in));
    HESCA_TRY(err, hesca_plan_make_between(x->part, job->m, job->n, &other,
                                           &home, esize, x->c, &e->out));
fail:
    return err;
}

/* The plans of an entry with its way and layouts. */
static int
plan(const hesca_hohe_call *x, hesca_hohe_entry *e)
{
    int err;
    HESCA_TRY(err, prepare(x, e));
    if (e->info.way == HESCA_WAY_HOHE)
        err = plan_hohe(x, e);
    else if (e->info.way == HESCA_WAY_GRID)
        err = hesca_hohe_other_grid_plan(&e->other, x->c, x->key.job.type);
fail:
    return err;
}

/* An entry that this process decides on alone. */
static int
make_alone(const hesca_hohe_call *x, hesca_hohe_entry **result)
{
    hesca_hohe_entry *e = calloc(1, sizeof *e);
    int err;
    if (e == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a decision");
    HESCA_TRY(err, hesca_hohe_prepare(x->c));
    memcpy(&e->key, &x->key, sizeof e->key);
    HESCA_TRY(err, hesca_hohe_decide_here(x, e));
    HESCA_TRY(err, plan(x, e));
    *result = e;
    return HESCA_SUCCESS;
fail:
    hesca_hohe_entry_free(e);
    return err;
}

/* The way and its layouts, as a number >= 0. */
static int64_t
digest_way(const hesca_hohe_entry *e)
{
    uint64_t h = hesca_hash_mix(HESCA_HASH, (uint64_t)e->info.way);
    if (e->info.way == HESCA_WAY_HOHE)
        h = hesca_hash_mix(h, (uint64_t)hesca_layout_fingerprint(e->cut.cut));
    for (int k = 0; k < HESCA_HOHE_MATRICES && e->info.way == HESCA_WAY_GRID;
         ++k)
        if (e->other.grid.matrix[k].other != NULL)
            h = hesca_hash_mix(h, (uint64_t)hesca_layout_fingerprint(
                                      e->other.grid.matrix[k].other));
    return hesca_hash_end(h);
}

/* Agreements of later calls go through shared memory, which takes a fraction
 * of a microsecond; without it, they are most of a small call. */
static int
attach_window(hesca_comm *c)
{
    return hesca_comm_is_node(c) && !c->crowded && !c->settled
               ? hesca_window_attach(c)
               : HESCA_SUCCESS;
}

/* Agree on the way and its layouts; if processes differ, whose arithmetic may
 * round differently, leave the call to the original routine. */
static int
settle(const hesca_hohe_call *x, int err, hesca_hohe_entry *e)
{
    int64_t way[2] = {0, 0};
    if (e != NULL) {
        way[0] = digest_way(e);
        way[1] = -way[0];
    }
    HESCA_TRY(err, hesca_agree(x->c, err, 2, way));
    HESCA_TRY(err, attach_window(x->c));
    if (way[0] != -way[1]) {
        hesca_hohe_entry_empty(e);
        hesca_hohe_leave(&e->info, "its processes do not agree");
    }
fail:
    return err;
}

/* Whether one process decides for all: where there is something to predict. */
static int
is_shared(const hesca_hohe_call *x)
{
    return x->c->host != NULL && x->way != HESCA_COMPUTE_ORIGINAL &&
           !hesca_hohe_is_by_rule(x);
}

/* --- arguments that are compared ---
 * ScaLAPACK's factorizations compare their arguments and report to all
 * processes, too; its products do not. */

/* \param [in] h  Of the arguments of this process. */
static int
begin_compare(hesca_comm *c, int mine, int64_t h, const hesca_hohe_entry *e,
              hesca_agreement *a)
{
    int64_t value[2 + HESCA_HOHE_NEWS] = {h, -h};
    hesca_hohe_tell(c, e, value + 2);
    return hesca_agree_begin(c, mine, 2 + HESCA_HOHE_NEWS, value, a);
}

static int
end_compare(hesca_comm *c, hesca_hohe_entry *e, hesca_agreement *a)
{
    int64_t value[2 + HESCA_HOHE_NEWS];
    int err;
    HESCA_TRY(err, hesca_agree_end(c, a, value));
    if (value[0] != -value[1])
        HESCA_TRY(err, hesca_fail(HESCA_ERR_ARG, 0,
                                  "arguments differ among processes"));
    hesca_hohe_hear(c, e, value + 2);
fail:
    return err;
}

/* Agree that all processes have the same arguments; x == NULL: those of this
 * process are not supported. */
static int
compare(hesca_comm *c, const hesca_hohe_call *x)
{
    const int64_t h = x != NULL ? hesca_hohe_digest(&x->key) : 0;
    int mine = x != NULL ? x->status : HESCA_ERR_ARG;
    hesca_hohe_entry *e = x != NULL ? hesca_hohe_find(c, &x->key) : NULL;
    hesca_agreement a;
    int err;
    if (x == NULL)
        hesca_error_set(HESCA_ERR_ARG, 0, "arguments are not served");
    const int reserves = mine == HESCA_SUCCESS && e == NULL && is_shared(x);
    if (reserves)
        mine = hesca_hohe_reserve(c);
    HESCA_TRY(err, begin_compare(c, mine, h, e, &a));
    HESCA_TRY(err, end_compare(c, e, &a));
    if (reserves)
        c->hohe->is_reserved = 1;
fail:
    return err;
}

/* Whether the comparison may be completed after the call, which goes to the
 * original routine whatever the result is: not if HESCA_FALLBACK has a process
 * that fails stay out of that routine. */
static int
may_end_later(const hesca_hohe_call *x, const hesca_hohe_entry *e)
{
    return x->status == HESCA_SUCCESS && !x->c->all_local && e != NULL &&
           x->c->params.fallback != HESCA_FALLBACK_ERROR &&
           hesca_hohe_way_of(e) == HESCA_WAY_ORIGINAL &&
           (e->info.way == HESCA_WAY_ORIGINAL ||
            e->tried[HESCA_WAY_ORIGINAL] != NULL) &&
           hesca_hohe_stays(x->c, e) && !hesca_hohe_is_due(x->c, e) &&
           !hesca_learn_has_heard(x->c);
}

void
hesca_hohe_end_agreement(hesca_comm *c)
{
    hesca_hohe_entry *e = c->hohe != NULL ? c->hohe->compared : NULL;
    if (e == NULL)
        return;
    c->hohe->compared = NULL;
    (void)end_compare(c, e, &c->hohe->agreement);
}

void
hesca_hohe_finish_all(void)
{
    hesca_comm_each(hesca_hohe_end_agreement);
}

int
hesca_hohe_decline(hesca_routine routine, MPI_Comm comm,
                   const hesca_hohe_original *original)
{
    hesca_hohe_call x;
    int err;
    HESCA_TRY(err, hesca_hohe_begin(&x, "hesca_hohe_decline", HESCA_SUCCESS,
                                    routine, comm, original, NULL));
    if (routine == HESCA_ROUTINE_GEMM || !hesca_hohe_is_candidate(&x))
        return HESCA_SUCCESS;
    err = compare(x.c, NULL);
    return err == HESCA_ERR_MPI ? err : HESCA_SUCCESS;
fail:
    return err;
}

/* The part of the elements that this process computes, for reports. */
static double
share_of(const hesca_hohe_call *x, const hesca_hohe_entry *e)
{
    const hesca_layout *layout = NULL;
    double all = 0;
    int64_t rows = 0, cols = 0;
    if (e->info.way == HESCA_WAY_HOHE && !hesca_hohe_is_in_place(e)) {
        layout = e->cut.cut;
        all = (double)e->cut.rows * (double)e->cut.cols;
    }
    for (int k = 0; e->info.way == HESCA_WAY_GRID && k < HESCA_HOHE_MATRICES;
         ++k) {
        const hesca_hohe_moved *m = &e->other.grid.matrix[k];
        if (!m->writes || m->other == NULL)
            continue;
        layout = m->other;
        all = (double)m->m * (double)m->n;
    }
    if (layout == NULL || !(all > 0))
        return -1;
    hesca_layout_local_size(layout, x->c->rank, &rows, &cols);
    return (double)rows * (double)cols / all;
}

/* Products do not compare arguments.  Those that HESCA computes hear of
 * changes while they agree on their copies; others meet, and all do while ways
 * are tried. */
static int
meet(hesca_comm *c, hesca_hohe_entry *e)
{
    int64_t news[HESCA_HOHE_NEWS];
    int err;
    if (!hesca_hohe_is_to_meet(c, e))
        return HESCA_SUCCESS;
    hesca_hohe_tell(c, e, news);
    HESCA_TRY(err, hesca_agree(c, HESCA_SUCCESS, HESCA_HOHE_NEWS, news));
    hesca_hohe_hear(c, e, news);
fail:
    return err;
}

/* An entry that all agree on, or none. */
static int
accept(const hesca_hohe_call *x, int err, hesca_hohe_entry *e,
       hesca_hohe_entry **result)
{
    HESCA_TRY(err, settle(x, err, err < 0 ? NULL : e));
    if (e->info.way == HESCA_WAY_GRID && x->original->connect != NULL)
        x->original->connect(e->other.handle);
    e->info.share = share_of(x, e);
    *result = e;
    return HESCA_SUCCESS;
fail:
    hesca_hohe_entry_free(e);
    return err;
}

/* The reserved entry, with what one process decides. */
static int
share(const hesca_hohe_call *x, hesca_hohe_entry **result)
{
    hesca_hohe_entry *e = x->c->hohe->spare;
    int err;
    x->c->hohe->spare = NULL;
    x->c->hohe->is_reserved = 0;
    memcpy(&e->key, &x->key, sizeof e->key);
    HESCA_TRY(err, hesca_hohe_share_decision(x, e));
    if (e->info.way == HESCA_WAY_ORIGINAL) { /* no layouts to agree on */
        HESCA_TRY(err, attach_window(x->c));
        *result = e;
        return err;
    }
    err = hesca_hohe_make_layouts(x, e->ranks, e);
    if (err == HESCA_SUCCESS)
        err = plan(x, e);
    return accept(x, err, e, result);
fail:
    hesca_hohe_entry_free(e);
    return err;
}

/* Make a new entry. */
static int
add_entry(const hesca_hohe_call *x, hesca_hohe_entry **result)
{
    hesca_hohe_entry *e = NULL;
    int err;
    if (!is_shared(x)) {
        err = make_alone(x, &e);
        return accept(x, err, e, result);
    }
    HESCA_TRY(err, hesca_hohe_reserve_all(x->c));
    err = share(x, result);
fail:
    return err;
}

/* The entry of another way that was predicted with that of e. */
static int
add_way(const hesca_hohe_call *x, const hesca_hohe_entry *e, hesca_way way,
        hesca_hohe_entry **result)
{
    hesca_hohe_entry *made = calloc(1, sizeof *made);
    int err = HESCA_ERR_NOMEM;
    if (made == NULL) {
        hesca_fail(err, 0, "a decision");
        return accept(x, err, NULL, result);
    }
    memcpy(&made->key, &e->key, sizeof made->key);
    made->info = e->info;
    made->info.way = way;
    made->info.cached = 0;
    made->info.why[0] = '\0';
    err = hesca_hohe_make_layouts(x, e->ranks, made);
    if (err == HESCA_SUCCESS)
        err = plan(x, made);
    return accept(x, err, made, result);
}

/* Make a new entry, instead of one that waited for this. */
static int
replace_entry(const hesca_hohe_call *x, hesca_hohe_entry *old,
              hesca_hohe_entry **result)
{
    hesca_hohe_entry *e;
    int err;
    HESCA_TRY(err, add_entry(x, &e));
    if (e->info.predicted && hesca_hohe_may_try(x, &e->info.forecast))
        hesca_hohe_begin_trial(x->c, e);
    if (old != NULL) {
        e->uses = old->uses + 1;
        hesca_hohe_remove(x->c, old);
    }
    hesca_hohe_add(x->c, e);
    hesca_hohe_use_first(x->c, e);
    *result = e;
fail:
    return err;
}

/* Find or make the entry of a call. */
static int
find_entry(const hesca_hohe_call *x, hesca_hohe_entry **result)
{
    hesca_hohe_entry *e = hesca_hohe_find(x->c, &x->key);
    int err = HESCA_SUCCESS;
    if (x->key.job.routine == HESCA_ROUTINE_GEMM) {
        if (e != NULL)
            HESCA_TRY(err, meet(x->c, e));
    } else if (may_end_later(x, e)) {
        HESCA_TRY(err, begin_compare(x->c, HESCA_SUCCESS,
                                     hesca_hohe_digest(&x->key), e,
                                     &x->c->hohe->agreement));
        x->c->hohe->compared = e;
        e->info.cached = 1;
        hesca_hohe_use_again(x->c, e);
        *result = e;
        return err;
    } else {
        HESCA_TRY(err, compare(x->c, x));
    }
    HESCA_TRY(err, hesca_learn_exchange(x->c)); /* may free all entries */
    e = hesca_hohe_find(x->c, &x->key);
    if (e == NULL || hesca_hohe_is_due(x->c, e)) {
        HESCA_TRY(err, replace_entry(x, e, &e));
    } else {
        e->info.cached = 1;
        hesca_hohe_use_again(x->c, e);
    }
    *result = e;
fail:
    return err;
}

/* The entry of the way that is being tried: e, or one of its own.  A way that
 * turns out to be impossible is the original one. */
static int
tried_entry(const hesca_hohe_call *x, hesca_hohe_entry *e,
            hesca_hohe_entry **result)
{
    static const hesca_compute forced[HESCA_WAYS] = {
        [HESCA_WAY_ORIGINAL] = HESCA_COMPUTE_ORIGINAL,
        [HESCA_WAY_HOHE] = HESCA_COMPUTE_HOHE,
        [HESCA_WAY_GRID] = HESCA_COMPUTE_GRID};
    const hesca_way way = hesca_hohe_way_of(e);
    hesca_hohe_call y = *x;
    int err = HESCA_SUCCESS;
    *result = e;
    if (way == e->info.way)
        return err;
    if (e->tried[way] == NULL) {
        y.way = forced[way];
        if (way == HESCA_WAY_ORIGINAL || e->is_bounded)
            HESCA_TRY(err, add_entry(&y, &e->tried[way]));
        else
            HESCA_TRY(err, add_way(&y, e, way, &e->tried[way]));
        e->tried[way]->info.forecast = e->info.forecast;
        e->tried[way]->info.predicted = 1;
    } else {
        e->tried[way]->info.cached = 1;
    }
    *result = e->tried[way];
fail:
    return err;
}

int
hesca_hohe_decide(hesca_hohe_call *x, hesca_hohe_entry **entry)
{
    hesca_hohe_entry *e;
    int err;
    HESCA_TRY(err, find_entry(x, &e));
    HESCA_TRY(err, tried_entry(x, e, entry));
    *x->info = (*entry)->info;
    hesca_hohe_begin_timing(x, e);
fail:
    return err;
}
