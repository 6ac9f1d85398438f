/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/experimental/broadcast.h"
#include "base/names.h"
#include "base/status.h"
#include "bcast/fault_tolerant.h"
#include "bcast/growth.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the catalogue --- Names are unique; the array ends with NULL. */

#define ROW(symbol, name) &hesca_broadcast_by_##symbol,
const hesca_broadcast_algorithm *const hesca_broadcast_algorithms[] = {
    HESCA_BROADCAST_ALGORITHMS(ROW) NULL};

const hesca_broadcast_algorithm *
hesca_broadcast_algorithm_find(const char *name)
{
    for (int i = 0; hesca_broadcast_algorithms[i] != NULL; ++i)
        if (strcmp(hesca_broadcast_algorithms[i]->name, name) == 0)
            return hesca_broadcast_algorithms[i];
    return NULL;
}

/* --- checks ---
 * A checked problem has costs that are > 0, and sums of them over all pairs
 * are finite; every destination is different and can be reached. */

/* Check one pair.  The sum of the costs of all pairs must be finite, because
 * algorithms add them. */
static int
check_pair(const hesca_broadcast_problem *x, int i, int j)
{
    const double most = DBL_MAX / 4 / x->nproc / x->nproc;
    const double c = hesca_broadcast_cost(x, i, j),
                 s = hesca_broadcast_busy(x, i, j);
    if (!(c > 0))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: from %d to %d a message costs %g "
                          "seconds: must be > 0",
                          i, j, c);
    if (c > most && !isinf(c))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: from %d to %d a message costs %g "
                          "seconds: must be at most %g, or infinite",
                          i, j, c, most);
    if (!(s >= 0 && s <= c))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: from %d to %d the start-up takes %g "
                          "seconds: must be >= 0 and at most %g, the cost",
                          i, j, s, c);
    return HESCA_SUCCESS;
}

static int
check_numbers(const hesca_broadcast_problem *x)
{
    if (x->nproc < 1)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: %d processes: must be >= 1", x->nproc);
    if (x->root < 0 || x->root >= x->nproc)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: root is %d: must be 0 ... %d", x->root,
                          x->nproc - 1);
    if (x->copies < 0 || x->copies > 2)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: %d copies: must be 0 ... 2", x->copies);
    if (x->dest != NULL && (x->ndest < 0 || x->ndest >= x->nproc))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "broadcast: %d destinations of %d processes",
                          x->ndest, x->nproc);
    return HESCA_SUCCESS;
}

static int
check_destinations(const hesca_broadcast_problem *x, char *seen)
{
    memset(seen, 0, (size_t)x->nproc);
    for (int k = 0; x->dest != NULL && k < x->ndest; ++k) {
        const int j = x->dest[k];
        if (j < 0 || j >= x->nproc || j == x->root)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "broadcast: destination %d is process %d: must "
                              "be 0 ... %d and not root",
                              k, j, x->nproc - 1);
        if (seen[j])
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "broadcast: process %d is a destination twice",
                              j);
        seen[j] = 1;
    }
    return HESCA_SUCCESS;
}

/* Every destination must have a finite earliest reach time. */
static int
check_reach(const hesca_broadcast_problem *x, char *wanted)
{
    double *ert = malloc((size_t)x->nproc * sizeof *ert);
    int err = HESCA_SUCCESS;
    if (ert == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "times of %d processes",
                          x->nproc);
    HESCA_TRY(err, hesca_broadcast_reach(x, ert));
    hesca_broadcast_wanted(x, wanted);
    for (int j = 0; j < x->nproc; ++j)
        if (wanted[j] && isinf(ert[j])) {
            err = hesca_fail(HESCA_ERR_ARG, 0,
                             "broadcast: process %d cannot be reached from "
                             "%d%s",
                             j, x->root,
                             x->dest != NULL && !x->relays
                                 ? " through destinations alone"
                                 : "");
            break;
        }
fail:
    free(ert);
    return err;
}

int
hesca_broadcast_problem_check(const hesca_broadcast_problem *x)
{
    int err = check_numbers(x);
    if (err < 0)
        return err;
    char *seen = malloc((size_t)x->nproc);
    if (seen == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", x->nproc);
    HESCA_TRY(err, check_destinations(x, seen));
    for (int i = 0; i < x->nproc; ++i)
        for (int j = 0; j < x->nproc; ++j)
            if (i != j)
                HESCA_TRY(err, check_pair(x, i, j));
    HESCA_TRY(err, check_reach(x, seen));
fail:
    free(seen);
    return err;
}

/* --- broadcasts ---
 * Every send is listed after those that it depends on; hesca_broadcast_find()
 * returns them sorted by start. */

/* Insertion sort: it is stable, needs no memory, and takes no more time than
 * the algorithms. */
void
hesca_broadcast_sort(hesca_broadcast *b)
{
    for (int k = 1; k < b->n; ++k) {
        const hesca_send s = b->send[k];
        int at = k;
        for (; at > 0 && b->send[at - 1].start > s.start; --at)
            b->send[at] = b->send[at - 1];
        b->send[at] = s;
    }
}

double
hesca_broadcast_finish(const hesca_broadcast *b, const char *wanted)
{
    double finish = 0;
    for (int k = 0; k < b->n; ++k)
        if (wanted[b->send[k].dest] && b->send[k].end > finish)
            finish = b->send[k].end;
    return finish;
}

int
hesca_broadcast_find(const hesca_broadcast_algorithm *algorithm,
                     const hesca_broadcast_problem *problem,
                     hesca_broadcast *b)
{
    int err;
    char *wanted = NULL;
    *b = (hesca_broadcast){.n = 0};
    HESCA_TRY(err, hesca_broadcast_problem_check(problem));
    if (problem->nproc > algorithm->most)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                                  "%s: %d processes: must be at most %d",
                                  algorithm->name, problem->nproc,
                                  algorithm->most));
    wanted = malloc((size_t)problem->nproc);
    b->send = malloc((size_t)problem->nproc * 2 * sizeof *b->send);
    if (wanted == NULL || b->send == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "sends of %d processes",
                                  problem->nproc));
    HESCA_TRY(err, algorithm->make(algorithm, problem, b));
    hesca_broadcast_wanted(problem, wanted);
    b->finish = hesca_broadcast_finish(b, wanted);
    if (problem->copies == 2)
        HESCA_TRY(err, hesca_broadcast_add_redundant(problem, b));
    hesca_broadcast_sort(b);
fail:
    free(wanted);
    if (err < 0)
        hesca_broadcast_clear(b);
    return err;
}

void
hesca_broadcast_clear(hesca_broadcast *b)
{
    free(b->send);
    *b = (hesca_broadcast){.n = 0};
}
