/* SPDX-License-Identifier: BSD-3-Clause */
#include "hohe/hohe_learn.h"
#include "base/hash.h"
#include "survey/learn.h"
#include <math.h>
#include <stdlib.h>

/* Calls that are predicted to take less are not timed, and their processes do
 * not meet. */
static const double TIMED = 2e-3, MET = 2e-2;

/* Seconds of a call below which predictions of other ways take too much of it,
 * half a millisecond of a core at least, and of such calls after which they
 * are worth that. */
static const double SHORT = 0.02, PAYS = 0.06;

/* A way takes longer than the lower bound that is_small() has by this factor,
 * if it is to be a surprise that the original routine does. */
static const double ABOVE_BOUND = 2;

/* A call that takes longer by this factor, or less, is unusual, if the
 * difference is worth a measurement of links that takes a second. */
static const double UNUSUAL = 1.5, WORTH = 0.25; /* s */

/* ------------------------------------------------ accuracy
 * Of a routine and a way: the quotients measured / predicted, as a record of
 * the memory: how many, their geometric mean, and the standard deviation of
 * their logarithms.  Old ones fade. */

enum { COUNT, MEAN, SPREAD };
static const double FEWEST = 3, MOST = 12;

/* Margins are two standard deviations, within these bounds. */
static const double MARGIN_LEAST = 0.03, MARGIN_MOST = 2;

static uint64_t
accuracy_key(const hesca_comm *c, hesca_routine routine, hesca_way way)
{
    const char name[] = "accuracy";
    uint64_t h = hesca_hash_bytes(HESCA_HASH, name, sizeof name);
    h = hesca_hash_mix(h, (uint64_t)routine);
    return hesca_learn_key(c, hesca_hash_mix(h, (uint64_t)way));
}

static void
add_accuracy(hesca_comm *c, hesca_routine routine, hesca_way way,
             double quotient)
{
    const uint64_t key = accuracy_key(c, routine, way);
    const hesca_memory_record *old = hesca_learn_recall(c, key);
    hesca_memory_record r = {.key = key, .seconds = {1, quotient, 0}};
    if (old != NULL && old->seconds[COUNT] >= 1) {
        const double n = fmin(old->seconds[COUNT], MOST - 1);
        const double step = log(quotient / old->seconds[MEAN]);
        const double square = old->seconds[SPREAD] * old->seconds[SPREAD];
        r.seconds[COUNT] = n + 1;
        r.seconds[MEAN] = old->seconds[MEAN] * exp(step / (n + 1));
        r.seconds[SPREAD] =
            sqrt(n / (n + 1) * (square + step * step / (n + 1)));
    }
    hesca_learn_remember(c, &r);
}

/* NULL: too few. */
static const double *
accuracy(const hesca_comm *c, hesca_routine routine, hesca_way way)
{
    const hesca_memory_record *r =
        hesca_learn_recall(c, accuracy_key(c, routine, way));
    return r != NULL && r->seconds[COUNT] >= FEWEST ? r->seconds : NULL;
}

static void
correct(const double *original, const double *other, double *seconds,
        double *margin)
{
    if (original == NULL || other == NULL)
        return;
    *seconds *= other[MEAN];
    *margin = exp(2 * hypot(original[SPREAD], other[SPREAD])) - 1;
    *margin = fmax(MARGIN_LEAST, fmin(*margin, MARGIN_MOST));
}

void
hesca_hohe_correct(const hesca_comm *c, const hesca_hohe_job *job,
                   hesca_hohe_forecast *f, double *raw)
{
    const double *original = accuracy(c, job->routine, HESCA_WAY_ORIGINAL);
    const double *hohe = accuracy(c, job->routine, HESCA_WAY_HOHE);
    const double *grid = accuracy(c, job->routine, HESCA_WAY_GRID);
    raw[HESCA_WAY_ORIGINAL] = f->original;
    raw[HESCA_WAY_HOHE] = f->hohe;
    raw[HESCA_WAY_GRID] = f->grid;
    /* One that is not corrected is not comparable with one that is. */
    if (job->solves || (f->hohe > 0 && hohe == NULL) ||
        (f->grid > 0 && !f->homogeneous && grid == NULL))
        return;
    correct(original, hohe, &f->hohe, &f->hohe_margin);
    correct(original, grid, &f->grid, &f->grid_margin);
    if (original != NULL && (hohe != NULL || grid != NULL))
        f->original *= original[MEAN];
}

/* ------------------------------------------------ ways */

/* The key of a call in the memory of later runs. */
static uint64_t
key_of(const hesca_comm *c, const hesca_hohe_key *key)
{
    return hesca_learn_key(c, (uint64_t)hesca_hohe_digest(key));
}

/* The key of what the original routine takes, measured / predicted, in such
 * calls: whatever the speeds are. */
static uint64_t
original_key(const hesca_hohe_key *key)
{
    const char name[] = "original";
    return hesca_hash_mix(hesca_hash_bytes(HESCA_HASH, name, sizeof name),
                          (uint64_t)hesca_hohe_digest(key));
}

static void
remember_original(hesca_comm *c, const hesca_hohe_entry *e, double seconds)
{
    const hesca_memory_record r = {
        .key = original_key(&e->key),
        .seconds = {seconds / e->raw[HESCA_WAY_ORIGINAL]}};
    hesca_learn_remember(c, &r);
}

/* What the original routine will take by an earlier call; 0: not known. */
static double
expect_original(const hesca_comm *c, const hesca_hohe_entry *e)
{
    const hesca_memory_record *r =
        hesca_learn_recall(c, original_key(&e->key));
    return r != NULL ? r->seconds[0] * e->raw[HESCA_WAY_ORIGINAL] : 0;
}

/* Keep the times of a trial: before its end, when the program may be over,
 * those of ways that were used twice. */
static void
remember(hesca_comm *c, const hesca_hohe_entry *e)
{
    const hesca_hohe_trial *t = &e->trial;
    hesca_memory_record r = {.key = key_of(c, &e->key)};
    int known = 0;
    for (int k = 0; k < t->n; ++k) {
        const hesca_way way = t->way[k];
        if (!t->settled && t->calls[k] < 2)
            continue;
        ++known;
        r.seconds[way] = t->seconds[k];
        r.calls[way] = t->calls[k];
        if (!t->settled || !(e->raw[way] > 0) || t->calls[k] == 0)
            continue;
        add_accuracy(c, e->key.job.routine, way, t->seconds[k] / e->raw[way]);
        if (way == HESCA_WAY_ORIGINAL)
            remember_original(c, e, t->seconds[k]);
    }
    if (known > 0)
        hesca_learn_remember(c, &r);
}

void
hesca_hohe_tell(const hesca_comm *c, const hesca_hohe_entry *e,
                int64_t news[HESCA_HOHE_NEWS])
{
    news[0] = hesca_learn_word(c);
    news[1] = e != NULL ? -(int64_t)(1e9 * e->trial.last) : 0;
}

void
hesca_hohe_hear(hesca_comm *c, hesca_hohe_entry *e,
                const int64_t news[HESCA_HOHE_NEWS])
{
    hesca_learn_heard(c, news[0]);
    if (e == NULL)
        return;
    const int tries = !e->trial.settled && news[1] != 0;
    hesca_hohe_trial_next(&e->trial, -1e-9 * (double)news[1]);
    e->trial.last = 0;
    if (tries)
        remember(c, e);
}

int
hesca_hohe_is_to_meet(const hesca_comm *c, const hesca_hohe_entry *e)
{
    const int tries = e->trial.n > 0 && !e->trial.settled;
    return hesca_learn_is_active(c) &&
           (tries || (hesca_hohe_way_of(e) != HESCA_WAY_HOHE &&
                      e->info.forecast.original >= MET));
}

/* A rule has no alternatives. */
int
hesca_hohe_may_try(const hesca_hohe_call *x, const hesca_hohe_forecast *f)
{
    return x->c->learning != NULL && x->way == HESCA_COMPUTE_AUTO &&
           !x->key.job.solves && f->original >= TIMED;
}

/* What an earlier run has measured is used at once. */
int
hesca_hohe_may_wait(const hesca_hohe_call *x, const hesca_hohe_forecast *f)
{
    return hesca_hohe_may_try(x, f) && hesca_learn_is_active(x->c) &&
           f->original < SHORT &&
           x->c->hohe->waited[x->key.job.routine] < PAYS &&
           hesca_learn_recall(x->c, key_of(x->c, &x->key)) == NULL;
}

int
hesca_hohe_is_due(const hesca_comm *c, const hesca_hohe_entry *e)
{
    return e->waits && c->hohe->waited[e->key.job.routine] >= PAYS;
}

void
hesca_hohe_begin_trial(hesca_comm *c, hesca_hohe_entry *e)
{
    const hesca_memory_record *r = hesca_learn_recall(c, key_of(c, &e->key));
    hesca_hohe_trial_init(&e->trial, e->info.way, &e->info.forecast);
    e->trial.expected = expect_original(c, e);
    for (int w = HESCA_WAY_HOHE; w <= HESCA_WAY_GRID && e->is_bounded; ++w)
        e->trial.predicted[w] *= ABOVE_BOUND;
    const int known =
        r != NULL && hesca_hohe_trial_recall(&e->trial, r->seconds, r->calls);
    if (known && hesca_learn_is_active(c))
        hesca_hohe_trial_resume(&e->trial);
    else if (!known && !hesca_learn_is_active(c))
        e->trial.n = 0;
}

void
hesca_hohe_use_first(hesca_comm *c, const hesca_hohe_entry *e)
{
    if (e->waits)
        c->hohe->waited[e->key.job.routine] += e->info.forecast.original;
}

void
hesca_hohe_use_again(hesca_comm *c, hesca_hohe_entry *e)
{
    ++e->uses;
    hesca_hohe_use_first(c, e);
    if (e->trial.n > 0 && hesca_learn_is_active(c))
        hesca_hohe_trial_insure(&e->trial, e->uses);
}

int
hesca_hohe_stays(const hesca_comm *c, const hesca_hohe_entry *e)
{
    hesca_hohe_trial t = e->trial;
    if (t.n > 0 && hesca_learn_is_active(c))
        hesca_hohe_trial_insure(&t, e->uses + 1);
    return t.n == 0 || t.settled;
}

hesca_way
hesca_hohe_way_of(const hesca_hohe_entry *e)
{
    return e->trial.n > 0 ? e->trial.way[e->trial.now] : e->info.way;
}

/* ------------------------------------------------ times */

void
hesca_hohe_begin_timing(hesca_hohe_call *x, hesca_hohe_entry *e)
{
    if (!hesca_learn_is_active(x->c) || x->key.job.solves ||
        e->info.forecast.original < TIMED)
        return;
    x->info->timed = 1;
    x->info->tried = e->trial.n > 1;
    hesca_learn_enter(x->c);
    /* The first call on another grid connects, and waits for the quota that
     * its context has used up. */
    if (x->info->way == HESCA_WAY_GRID && !x->info->cached)
        return;
    x->c->hohe->timed = e;
    x->c->hohe->start = PMPI_Wtime();
}

/* Two calls in turn that take longer by a half, or less, are a change. */
static void
compare(hesca_comm *c, hesca_hohe_entry *e)
{
    const double seconds = e->trial.last;
    if (e->trial.n > 0 && !e->trial.settled)
        return;
    if (e->usual == 0)
        e->usual = seconds;
    const int is_longer = seconds > UNUSUAL * e->usual;
    const int is_shorter = UNUSUAL * seconds < e->usual;
    if (fabs(seconds - e->usual) < WORTH || (!is_longer && !is_shorter)) {
        e->unusual = 0;
        e->usual = fmin(e->usual, seconds); /* first calls are longer */
        return;
    }
    e->unusual = is_longer ? (e->unusual > 0) + 1 : -(e->unusual < 0) - 1;
    if (abs(e->unusual) < 2)
        return;
    e->usual = seconds;
    e->unusual = 0;
    hesca_learn_doubt_links(c);
}

void
hesca_hohe_finish(MPI_Comm comm)
{
    hesca_comm *c;
    if (hesca_comm_get_anywhere(comm, &c) < 0 || c->hohe == NULL)
        return;
    const double seconds = PMPI_Wtime() - c->hohe->start;
    hesca_hohe_end_agreement(c);
    if (c->hohe->timed != NULL) {
        c->hohe->timed->trial.last = seconds;
        compare(c, c->hohe->timed);
    }
    c->hohe->timed = NULL;
    hesca_learn_leave(c);
}
