/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "shim/figures.h"
#include "base/activity.h"
#include "base/report_data.h"
#include "shim/fallback.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

_Atomic int hesca_figures_is_on;

/* Of all that is counted here. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hesca_page_process mine;

/* ------------------------------------------------ activities
 * base/activity.h counts for the outermost intercepted call of a thread.  An
 * original routine in it is counted apart: its waits are those in MPI's
 * blocking calls. */

static _Thread_local struct {
    int is_counting, is_original;
    double since;    /* when the original routine began */
    double original; /* seconds of the last one */
} own;

static void
add(int is_original)
{
    double s[HESCA_ACTIVITIES];
    hesca_activity_end(s);
    const double computing = s[HESCA_ACTIVITY_REST] + s[HESCA_ACTIVITY_PANEL] +
                             s[HESCA_ACTIVITY_UPDATE];
    pthread_mutex_lock(&lock);
    if (is_original) {
        mine.seconds[HESCA_PAGE_SCALAPACK] +=
            computing + s[HESCA_ACTIVITY_COPIES];
        mine.seconds[HESCA_PAGE_SCALAPACK_WAITING] +=
            s[HESCA_ACTIVITY_WAITING];
    } else {
        mine.seconds[HESCA_PAGE_COMPUTING] += computing;
        mine.seconds[HESCA_PAGE_COPYING] += s[HESCA_ACTIVITY_COPIES];
        mine.seconds[HESCA_PAGE_WAITING] += s[HESCA_ACTIVITY_WAITING];
    }
    pthread_mutex_unlock(&lock);
}

/* A program that counts activities itself is left alone. */
int
hesca_figures_enter(void)
{
    if (!HESCA_FIGURES || own.is_counting || hesca_activity_counts())
        return 0;
    own.is_counting = 1;
    hesca_activity_begin();
    return 1;
}

void
hesca_figures_leave(int entered)
{
    if (!entered)
        return;
    add(0);
    own.is_counting = 0;
}

int
hesca_figures_original_enter(void)
{
    if (!HESCA_FIGURES || own.is_original)
        return 0;
    own.is_original = 1;
    own.since = hesca_report_seconds();
    if (own.is_counting) {
        add(0);
        hesca_activity_begin();
    }
    return 1;
}

void
hesca_figures_original_leave(int entered)
{
    if (!entered)
        return;
    own.is_original = 0;
    own.original = hesca_report_seconds() - own.since;
    if (own.is_counting) {
        add(1);
        hesca_activity_begin();
    }
}

double
hesca_figures_original_seconds(void)
{
    const double seconds = own.original;
    own.original = 0;
    return seconds;
}

int
hesca_figures_wait_enter(void)
{
    if (!HESCA_FIGURES || !own.is_counting)
        return -1;
    return (int)hesca_activity_enter(HESCA_ACTIVITY_WAITING);
}

void
hesca_figures_wait_leave(int entered)
{
    if (entered >= 0)
        hesca_activity_leave((hesca_activity)entered);
}

void
hesca_figures_elements(double n)
{
    pthread_mutex_lock(&lock);
    mine.elements += n;
    pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------ reasons */

static hesca_figures_reason reasons[HESCA_FIGURES_REASONS];
static int nreasons;

void
hesca_figures_left(const char *name, const char *why)
{
    static int last; /* often the same */
    uint64_t cause = 0;
    pthread_mutex_lock(&lock);
    int k = last;
    if (k >= nreasons || strcmp(reasons[k].reason.name, name) != 0 ||
        strcmp(reasons[k].reason.why, why) != 0) {
        cause = hesca_fallback_cause(why);
        k = 0;
        while (k < nreasons && (reasons[k].cause != cause ||
                                strcmp(reasons[k].reason.name, name) != 0))
            ++k;
    }
    last = k;
    if (k == nreasons && k < HESCA_FIGURES_REASONS) {
        hesca_page_reason *r = &reasons[nreasons++].reason;
        reasons[k].cause = cause;
        snprintf(r->name, sizeof r->name, "%s", name);
        snprintf(r->why, sizeof r->why, "%s", why);
    }
    if (k < nreasons)
        ++reasons[k].reason.calls;
    pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------ calls both ways
 * A hash table that is never emptied; a key is looked for in a few places. */

enum { PLACES = 8 };

static struct {
    uint64_t key;
    int routine, is_used;
    double calls[2], seconds[2]; /* another way; as called */
} ran[HESCA_FIGURES_KEYS];

void
hesca_figures_ran(int routine, uint64_t key, int as_called, double seconds)
{
    pthread_mutex_lock(&lock);
    for (uint64_t p = 0; p < PLACES; ++p) {
        const size_t k = (size_t)((key + p) % HESCA_FIGURES_KEYS);
        if (ran[k].is_used && (ran[k].key != key || ran[k].routine != routine))
            continue;
        ran[k].key = key;
        ran[k].routine = routine;
        ran[k].is_used = 1;
        ++ran[k].calls[as_called];
        ran[k].seconds[as_called] += seconds;
        break;
    }
    pthread_mutex_unlock(&lock);
}

void
hesca_figures_add_both(int routine, hesca_page_routine *r)
{
    for (int k = 0; k < HESCA_FIGURES_KEYS; ++k) {
        if (ran[k].routine != routine || ran[k].calls[0] == 0 ||
            ran[k].calls[1] == 0)
            continue;
        r->both += ran[k].calls[0];
        r->both_other += ran[k].seconds[0];
        r->both_original +=
            ran[k].calls[0] * ran[k].seconds[1] / ran[k].calls[1];
    }
}

/* ------------------------------------------------ at the end */

void
hesca_figures_get(hesca_page_process *process,
                  hesca_figures_reason reason[HESCA_FIGURES_REASONS], int *n)
{
    pthread_mutex_lock(&lock);
    *process = mine;
    process->total = hesca_report_seconds();
    memcpy(reason, reasons, (size_t)nreasons * sizeof *reason);
    *n = nreasons;
    pthread_mutex_unlock(&lock);
}
