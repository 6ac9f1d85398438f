/* SPDX-License-Identifier: BSD-3-Clause */
/* The placement of processes in a grid: by prediction, or fastest first. */
#include "base/status.h"
#include "place/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Check the arguments that all functions of this file have in common.
 * */
static int
check(const char *routine, const hesca_machine *machine, const hesca_job *job,
      int nprocs, const int *host)
{
    int err;
    HESCA_TRY(err, hesca_site_check(routine, machine, job));
    if (nprocs < 1)
        return hesca_fail_arg(routine, 3, "nprocs", nprocs, "at least 1");
    if (host == NULL)
        return hesca_fail_null(routine, 4, "host");
fail:
    return err;
}

/* ------------------------------------------------ by prediction
 * Results are written only if the grid fits into memory. */

/* Search a grid of a given shape; steps as in search.h, 0: simple fillings
 * only. */
static int
search(const char *routine, const hesca_machine *machine, const hesca_job *job,
       int nprocs, const int *host, int nprow, int npcol, double steps,
       int *process, hesca_forecast *forecast)
{
    hesca_site x;
    hesca_search s;
    int *place, err;
    HESCA_TRY(err, hesca_site_init(routine, machine, job, nprocs, host, 4,
                                   nprow, npcol, &place, &x));
    if ((err = hesca_search_init(&x, place[0], steps, &s)) == HESCA_SUCCESS) {
        hesca_search_begin(&s);
        if (!hesca_search_all(&s))
            hesca_search_improve(&s);
        if (isinf(s.seconds))
            err = hesca_site_fail_memory(routine, &x);
        else if (forecast != NULL)
            hesca_site_forecast(&x, s.at, forecast);
        if (err == HESCA_SUCCESS && process != NULL)
            hesca_search_assign(&s, nprocs, place, process);
        hesca_search_clear(&s);
    }
    free(place);
    hesca_site_clear(&x);
fail:
    return err;
}

int
hesca_place_grid(const hesca_machine *machine, const hesca_job *job,
                 int nprocs, const int *host, int nprow, int npcol,
                 int *process, hesca_forecast *forecast)
{
    static const char name[] = "hesca_place_grid";
    int err;
    HESCA_TRY(err, check(name, machine, job, nprocs, host));
    HESCA_TRY(err, hesca_site_check_grid(name, 5, nprow, npcol, nprocs));
    if (process == NULL)
        return hesca_fail_null(name, 7, "process");
    err = search(name, machine, job, nprocs, host, nprow, npcol,
                 HESCA_SEARCH_STEPS, process, forecast);
fail:
    return err;
}

/* ------------------------------------------------ by speed
 * Process 0 is first; all others are sorted by descending speed. */

typedef struct {
    double speed;
    int place, process;
} candidate;

static int
faster(const void *x, const void *y)
{
    const candidate *a = x, *b = y;
    if (a->speed < b->speed || a->speed > b->speed)
        return a->speed < b->speed ? 1 : -1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->process < b->process ? -1 : 1;
}

/* All processes, process 0 first, the others by descending speed. */
static candidate *
sort(const hesca_site *x, int nprocs, const int *place)
{
    candidate *all = malloc((size_t)nprocs * sizeof *all);
    if (all == NULL)
        return NULL;
    for (int r = 0; r < nprocs; ++r) {
        const int a = place[r];
        const double share = fmin(1, x->cores[a] / x->room[a]);
        all[r] = (candidate){x->speed[a] * share, a, r};
    }
    qsort(all, (size_t)nprocs, sizeof *all, faster);
    int k = 0;
    while (all[k].process != 0)
        ++k;
    const candidate first = all[k];
    memmove(all + 1, all, (size_t)k * sizeof *all);
    all[0] = first;
    return all;
}

int
hesca_place_grid_by_speed(const hesca_machine *machine, const hesca_job *job,
                          int nprocs, const int *host, int nprow, int npcol,
                          int *process, hesca_forecast *forecast)
{
    static const char name[] = "hesca_place_grid_by_speed";
    hesca_site x = {0};
    candidate *all = NULL;
    int *place = NULL, *at = NULL, err;
    HESCA_TRY(err, check(name, machine, job, nprocs, host));
    HESCA_TRY(err, hesca_site_check_grid(name, 5, nprow, npcol, nprocs));
    if (process == NULL)
        return hesca_fail_null(name, 7, "process");
    HESCA_TRY(err, hesca_site_init(name, machine, job, nprocs, host, 4, nprow,
                                   npcol, &place, &x));
    const int n = nprow * npcol;
    all = sort(&x, nprocs, place);
    at = malloc((size_t)n * sizeof *at);
    if (all == NULL || at == NULL) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d processes", name, nprocs);
        goto fail;
    }
    for (int k = 0; k < n; ++k)
        at[k] = all[k].place;
    hesca_forecast predicted;
    if (isinf(hesca_site_forecast(&x, at, &predicted))) {
        err = hesca_site_fail_memory(name, &x);
        goto fail;
    }
    for (int k = 0; k < n; ++k)
        process[k] = all[k].process;
    if (forecast != NULL)
        *forecast = predicted;
fail:
    free(all);
    free(at);
    free(place);
    hesca_site_clear(&x);
    return err;
}

/* ------------------------------------------------ the shape as well
 * Shapes are compared by short searches, and the FINALISTS best by full ones;
 * the order of candidates is total, so the choice is unique. */

typedef struct {
    int nprow, npcol;
    double seconds;
} shape;

enum {
    ALL_SHAPES_MAX = 64,
    SHORT_STEPS = HESCA_SEARCH_STEPS / 5,
    FINALISTS = 5
};

static int
quicker(const void *x, const void *y)
{
    const shape *a = x, *b = y;
    if (a->seconds < b->seconds || a->seconds > b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    const int m = a->nprow * a->npcol, n = b->nprow * b->npcol;
    return m != n ? (m < n ? -1 : 1) : a->nprow < b->nprow ? -1 : 1;
}

/* The heuristic of the thesis for shapes: all processes get the same number of
 * blocks, or their number divides the number of rows of a block. */
static int
is_even(const hesca_job *job, int n)
{
    return job->nb % n == 0 ||
           (job->n % job->nb == 0 && job->n / job->nb % n == 0);
}

static int
is_square(int nprow, int npcol, int nprocs)
{
    return nprow <= 2 * npcol && npcol <= 2 * nprow &&
           4 * nprow * npcol > 3 * nprocs;
}

/* The *n candidate shapes. */
static shape *
list_shapes(const hesca_job *job, int nprocs, int *n)
{
    int count = 0;
    for (int p = 1; p <= nprocs; ++p)
        count += nprocs / p;
    shape *all = malloc((size_t)count * sizeof *all);
    const int take_all = count <= ALL_SHAPES_MAX;
    *n = 0;
    for (int p = 1; p <= nprocs && all != NULL; ++p)
        for (int q = 1; q <= nprocs / p; ++q)
            if (take_all || (is_even(job, p) && is_even(job, q)) ||
                is_square(p, q, nprocs))
                all[(*n)++] = (shape){p, q, INFINITY};
    return all;
}

int
hesca_place_shape(const hesca_machine *machine, const hesca_job *job,
                  int nprocs, const int *host, int *nprow, int *npcol,
                  int *process, hesca_forecast *forecast)
{
    static const char name[] = "hesca_place_shape";
    hesca_forecast f = {0}, made = {0};
    shape *all = NULL, best = {0, 0, INFINITY};
    int *at = NULL, *found = NULL, n, err;
    HESCA_TRY(err, check(name, machine, job, nprocs, host));
    if (nprow == NULL || npcol == NULL)
        return hesca_fail_null(name, nprow == NULL ? 5 : 6,
                               nprow == NULL ? "nprow" : "npcol");
    all = list_shapes(job, nprocs, &n);
    at = malloc((size_t)nprocs * sizeof *at);
    found = malloc((size_t)nprocs * sizeof *found);
    if (all == NULL || at == NULL || found == NULL) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%s: grids of %d processes", name,
                         nprocs);
        goto fail;
    }
    for (int k = 0; k < n; ++k) {
        err = search(name, machine, job, nprocs, host, all[k].nprow,
                     all[k].npcol, n <= ALL_SHAPES_MAX ? SHORT_STEPS : 0, NULL,
                     &f);
        if (err == HESCA_SUCCESS)
            all[k].seconds = f.seconds;
        else if (err != HESCA_ERR_ARG || hesca_error_info() != 0)
            goto fail; /* memory is too small for some shapes only */
    }
    qsort(all, (size_t)n, sizeof *all, quicker);
    for (int k = 0; k < n && k < FINALISTS && isfinite(all[k].seconds); ++k) {
        HESCA_TRY(err, search(name, machine, job, nprocs, host, all[k].nprow,
                              all[k].npcol, HESCA_SEARCH_STEPS, at, &f));
        if (k > 0 && f.seconds >= best.seconds * (1 - 1e-12))
            continue;
        best = (shape){all[k].nprow, all[k].npcol, f.seconds};
        made = f;
        memcpy(found, at, (size_t)(best.nprow * best.npcol) * sizeof *at);
    }
    if (best.nprow > 0) {
        *nprow = best.nprow;
        *npcol = best.npcol;
        if (process != NULL)
            memcpy(process, found,
                   (size_t)(best.nprow * best.npcol) * sizeof *found);
        if (forecast != NULL)
            *forecast = made;
    }
fail:
    free(all);
    free(at);
    free(found);
    return err;
}
