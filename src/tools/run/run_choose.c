/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether more processes than cores are started: not where they are not
 * predicted to be faster, since HESCA also computes in shares in proportion to
 * speed on one per core, and not where the program's grid has no place for
 * them.
 *
 * The best grid of more processes is never slower, since it need not use all;
 * but programs make the grids.  So grids that are as square as possible are
 * compared, unless the program's is known. */
#include "tools/lib/cmdline.h"
#include "tools/run/run.h"
#include <stdlib.h>

/* Beyond, a prediction for a job that nobody has named takes too long. */
enum { PROCESSES_MOST = 512 };

/* Numbers up to a million have fewer divisors. */
enum { DIVISORS = 256, FINALISTS = 4 };

/* What more processes must gain. */
static const double WORTH = 1.03;

/* A process for each whole core in use, one at least on each host in use.
 * \return their number. */
static int
count_plain(const run_layout *x, int *count)
{
    int n = 0;
    for (int i = 0; i < x->machine.nhosts; ++i) {
        const int cores = (int)x->machine.host[i].cores;
        count[i] = x->count[i];
        if (count[i] > 0 && count[i] > cores)
            count[i] = cores > 1 ? cores : 1;
        n += count[i];
    }
    return n;
}

/* The hosts of count[] processes on each, n in all; free it. */
static int *
list_hosts(const run_layout *x, int n, const int *count)
{
    int *host = malloc((size_t)n * sizeof *host), k = 0;
    for (int i = 0; i < x->machine.nhosts && host != NULL; ++i)
        for (int j = 0; j < count[i]; ++j)
            host[k++] = i;
    return host;
}

typedef struct {
    run_shape grid;
    double seconds; /* as called, with hosts in order */
} candidate;

static int
quicker(const void *x, const void *y)
{
    const candidate *a = x, *b = y;
    if (a->seconds < b->seconds || a->seconds > b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    return a->grid.nprow < b->grid.nprow ? -1 : 1;
}

/* The best grid of all of n processes in shares in proportion to speed, of the
 * FINALISTS that are best as called.
 * \return Its predicted seconds; 0: there is none. */
static double
find_shares(const run_layout *x, int n, const int *host, run_shape *best)
{
    candidate all[DIVISORS];
    double least = 0;
    int count = 0, by_speed;
    if (!run_grid_may_share(x, n))
        return 0;
    for (int nprow = 1; nprow <= n && count < DIVISORS; ++nprow)
        if (n % nprow == 0) {
            const run_shape grid = {nprow, n / nprow};
            all[count++] = (candidate){grid, run_grid_in_order(x, grid, host)};
        }
    qsort(all, (size_t)count, sizeof *all, quicker);
    for (int k = 0; k < count && k < FINALISTS; ++k) {
        const double seconds =
            run_grid_seconds(x, all[k].grid, n, host, 0, &by_speed);
        if (by_speed && (least == 0 || seconds < least)) {
            least = seconds;
            *best = all[k].grid;
        }
    }
    return least;
}

/* The best grid of all processes that speeds allow, whatever the program's is,
 * or of n, one per core, of which count[] are on each host, in shares in
 * proportion to speed. */
static int
find_best(const run_options *o, int n, const int *count, run_layout *x)
{
    run_options any = *o;
    run_grid best = {.nprow = 0}, plain = {.nprow = 0};
    any.grid = (run_shape){0, 0};
    int *host = list_hosts(x, n, count);
    const int good = host != NULL && run_grid_place(&any, x, &best) &&
                     run_grid_plain(o, x, &plain);
    if (good) {
        run_shape grid;
        const double shares = find_shares(x, n, host, &grid);
        double seconds = best.forecast.seconds;
        x->best = (run_shape){best.nprow, best.npcol};
        x->best_nprocs = x->nprocs;
        x->by_speed = shares > 0 && shares < seconds;
        if (x->by_speed) {
            x->best = grid;
            x->best_nprocs = n;
            seconds = shares;
        }
        if (plain.nprow > 0)
            x->gain = plain.forecast.seconds / seconds;
        if (x->gain > 0 && x->gain < 1) { /* not all shapes are tried */
            x->best = (run_shape){plain.nprow, plain.npcol};
            x->best_nprocs = n;
        }
    }
    free(host);
    run_grid_clear(&best);
    run_grid_clear(&plain);
    return good;
}

/* Whether a program that makes a square grid of all its processes is hardly
 * faster with all of them than with count[] on each host, n in all. */
static int
gains_little(const run_layout *x, int n, const int *count)
{
    int *host = list_hosts(x, n, count), by_speed;
    if (host == NULL)
        return 0;
    const double less =
        run_grid_seconds(x, run_grid_square(n), n, host, 1, &by_speed);
    const double all = run_grid_seconds(x, run_grid_square(x->nprocs),
                                        x->nprocs, x->host, 0, &by_speed);
    free(host);
    return less > 0 && WORTH * all > less;
}

/* Why it is to be one process per core, or NULL. */
static const char *
find_why(const run_options *o, const run_layout *x, int n, const int *count)
{
    const long long places = (long long)o->grid.nprow * o->grid.npcol;
    if (o->per_host != NULL || o->vpm != NULL || o->limits.nprocs > 0 ||
        n == x->nprocs)
        return NULL;
    if (places > n)
        return NULL;
    if (places > 0)
        return o->grid_is_learnt
                   ? "the grid of the program's last run uses no more"
                   : "--grid uses no more";
    /* Speeds of a file may be in any unit; a job says what they are for. */
    return (x->knows_job || x->hosts.n > 0) &&
                   ((x->gain > 0 && x->gain < 1) || gains_little(x, n, count))
               ? "more processes than cores are not predicted to be faster"
               : NULL;
}

int
run_choose(const run_options *o, run_layout *x)
{
    if (x->nprocs > PROCESSES_MOST && !x->knows_job && !o->dry_run)
        return 1;
    int *count = calloc((size_t)x->machine.nhosts, sizeof *count);
    if (count == NULL)
        return cmdline_fail("no memory left");
    const int n = count_plain(x, count);
    if (!find_best(o, n, count, x)) {
        free(count);
        return !o->dry_run; /* nothing depends on it but the choice */
    }
    x->why = find_why(o, x, n, count);
    if (x->why == NULL) {
        free(count);
        return 1;
    }
    free(x->count);
    x->count = count;
    return run_layout_list(x);
}
