/* SPDX-License-Identifier: BSD-3-Clause */
/* The shares with which HoHe is fastest, and the processes that have them: all
 * of them on the program's grid, or the fastest few on a grid of their own.
 *
 * Shares in proportion to speeds need the least time for computing.  But where
 * links are slow copies may take longer than they save, and a slow process is
 * also slow to handle its messages, which are not much fewer if its share is
 * smaller.  Candidates on the program's grid: in proportion to powers of
 * speeds; the power 0 is the program's layout, in place.
 *
 * A process has costs that do not depend on its share: the panel's slices of
 * its columns come from all others, even if it has only a few rows.  So slow
 * processes may cost more than they compute, and on long process rows fewer
 * and shorter messages can be worth a copy of everything.  Candidates for
 * factorizations: the fastest k processes, where the next one is slower by a
 * STEP, and all of them; nearly square, or in a row or a column; in the order
 * of ranks, which moves least, and of speeds.  For products they are not
 * considered: the owners of the factors send them anyway. */
#include "base/arith.h"
#include "base/status.h"
#include "hohe/hohe_choose.h"
#include "sched/sched.h"
#include <math.h>
#include <stdlib.h>

/* Doubled; the cut that is given is that of the power 1. */
static const int powers[] = {0, 1, 3, 4};

#define STEP 1.1

/* Seconds of a call for each process from which on a choice pays, and the
 * relative gain that a cut needs over those before; one in place needs none,
 * but may lose as much, since it moves nothing. */
#define WORTH 5e-3
static const double GAIN = 0.03;

/* Most numbers of processes that are examined. */
enum { COUNTS = 6 };

typedef struct {
    const hesca_hohe_scales *x;
    const double *speed; /* [n] by rank */
    int n;
    int *fastest; /* [n] ranks, the fastest first */
    int *process; /* [n] work space */
    double all;   /* seconds that the sum of all speeds would take */
    double sum;   /* of all speeds */
    hesca_hohe_cut *best;
    hesca_hohe_forecast *f;
} choice;

/* Sort by insertion, because there is no context in qsort(): descending
 * speeds, ties in the order of ranks. */
static void
sort(const choice *c)
{
    for (int k = 0; k < c->n; ++k) {
        int at = k;
        for (; at > 0 && c->speed[k] > c->speed[c->fastest[at - 1]]; --at)
            c->fastest[at] = c->fastest[at - 1];
        c->fastest[at] = k;
    }
}

static int
ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int
is_better(const hesca_hohe_forecast *f, const hesca_hohe_forecast *than)
{
    const double gain = f->moved > 0 || than->moved <= 0 ? GAIN : -GAIN;
    return than->hohe <= 0 || f->hohe < (1 - gain) * than->hohe;
}

/* Take a cut if it is predicted to be better, else clear it; without enough
 * memory it is none. */
static int
try_cut(choice *c, hesca_hohe_cut *cut)
{
    hesca_hohe_forecast made = *c->f;
    const int err = hesca_hohe_weigh(c->x, cut, &made);
    if (err == HESCA_SUCCESS && is_better(&made, c->f)) {
        hesca_hohe_cut swap = *c->best;
        *c->best = *cut;
        *cut = swap;
        *c->f = made;
    }
    hesca_hohe_cut_clear(cut);
    return err == HESCA_ERR_ARG ? HESCA_SUCCESS : err;
}

/* Try shares on the program's grid in proportion to a power of speed. */
static int
try_power(choice *c, int halves)
{
    hesca_hohe_cut cut;
    int err;
    HESCA_TRY(err, hesca_hohe_cut_init_power(c->x->job, c->speed, 0.5 * halves,
                                             &cut));
    err = try_cut(c, &cut);
fail:
    return err == HESCA_ERR_ARG ? HESCA_SUCCESS : err;
}

/* Try a grid of the ranks in c->process. */
static int
try_grid(choice *c, int nprow, int npcol)
{
    hesca_hohe_cut cut;
    int err;
    HESCA_TRY(err, hesca_hohe_cut_init_on(c->x->job, nprow, npcol, c->process,
                                          c->speed, &cut));
    err = try_cut(c, &cut);
fail:
    return err == HESCA_ERR_ARG ? HESCA_SUCCESS : err;
}

/* Try a shape with the fastest processes, in both orders if they differ. */
static int
try_shape(choice *c, int nprow, int npcol)
{
    const hesca_side *h = &c->x->job->home;
    const int k = nprow * npcol;
    int err = HESCA_SUCCESS, sorted = 1;
    if (nprow == h->nprow && npcol == h->npcol)
        return err;
    for (int i = 0; i < k; ++i) {
        c->process[i] = c->fastest[i];
        sorted = sorted && (i == 0 || c->fastest[i - 1] < c->fastest[i]);
    }
    HESCA_TRY(err, try_grid(c, nprow, npcol));
    if (sorted)
        return err;
    qsort(c->process, (size_t)k, sizeof *c->process, ascending);
    err = try_grid(c, nprow, npcol);
fail:
    return err;
}

/* The fastest k processes, unless computing alone would take too long. */
static int
try_count(choice *c, int k)
{
    double sum = 0;
    int rows = 1, err = HESCA_SUCCESS;
    for (int i = 0; i < k; ++i)
        sum += c->speed[c->fastest[i]];
    if (c->f->hohe > 0 && c->all * c->sum / sum >= (1 - GAIN) * c->f->hohe)
        return err;
    for (int p = 2; p * p <= k; ++p)
        if (k % p == 0)
            rows = p;
    HESCA_TRY(err, try_shape(c, rows, k / rows));
    if (rows * rows < k)
        HESCA_TRY(err, try_shape(c, k / rows, rows));
    if (rows > 1)
        HESCA_TRY(err, try_shape(c, 1, k));
fail:
    return err;
}

/* The steps between the speeds, the largest first. */
static int
try_counts(choice *c)
{
    int err;
    double above = INFINITY;
    HESCA_TRY(err, try_count(c, c->n));
    for (int t = 0; t < COUNTS; ++t) {
        double largest = STEP;
        int k = 0;
        for (int i = 1; i < c->n; ++i) {
            const double step =
                c->speed[c->fastest[i - 1]] / c->speed[c->fastest[i]];
            if (step >= largest && step < above) {
                largest = step;
                k = i;
            }
        }
        if (k == 0)
            break;
        above = largest;
        HESCA_TRY(err, try_count(c, k));
    }
fail:
    return err;
}

int
hesca_hohe_choose_cut(const hesca_hohe_scales *x, const double *speed,
                      hesca_hohe_cut *cut, hesca_hohe_forecast *f)
{
    const hesca_hohe_job *job = x->job;
    const int n = job->home.nprow * job->home.npcol;
    const size_t bytes = (size_t)n * sizeof(int);
    choice c = {.x = x, .speed = speed, .n = n, .best = cut, .f = f};
    int err = HESCA_SUCCESS;
    if (job->solves || f->homogeneous || f->original < WORTH * n)
        return err;
    c.fastest = malloc(bytes);
    c.process = malloc(bytes);
    if (c.fastest == NULL || c.process == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "grids"));
    for (int k = 0; k < n; ++k)
        c.sum += speed[k];
    const hesca_job same = hesca_hohe_square_job(job);
    c.all =
        hesca_job_flops(&same) * hesca_hohe_per_operation(job->type) / c.sum;
    sort(&c);
    for (size_t k = 0; k < sizeof powers / sizeof *powers; ++k)
        HESCA_TRY(err, try_power(&c, powers[k]));
    if (job->routine == HESCA_ROUTINE_POTRF ||
        job->routine == HESCA_ROUTINE_GESV)
        err = try_counts(&c);
fail:
    free(c.fastest);
    free(c.process);
    return err;
}
