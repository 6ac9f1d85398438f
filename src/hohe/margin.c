/* SPDX-License-Identifier: BSD-3-Clause */
/* What another way must gain over the original routine, and the way that
 * does. */
#include "hohe/hohe_choose.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>

/* The gain over HoHe that another grid needs, since it moves all operands of a
 * call. */
static const double GRID_GAIN = 0.1;

/* Margins: what the predicted gain of another way, real / way - 1, must exceed
 * so that none of the calls measured was slower than the original routine, and
 * 5 % more (doc/hohe-measured.md). After a change of anything that predictions
 * depend on, enter the values that `choice.sh` prints at its end.  even: HoHe
 * on equal hosts, of its set equal; row: HoHe on one row of processes. */
typedef struct {
    double hohe, grid, even, row;
} margin;

static const margin factoring[HESCA_ROUTINES] = {
    [HESCA_ROUTINE_GEMM] = {0.15, 0.2, 0.1, 0.15},
    [HESCA_ROUTINE_POTRF] = {0.25, 0.25, 0.1, 0.25},
    [HESCA_ROUTINE_GESV] = {0.15, 0.2, 0.1, 0.15},
};

/* Of routines that have no row there. */
static const margin others = {0, 0.5, 0, 0};

/* A product in place with A or B where it is, on hosts that differ: what it
 * replaces is predicted up to 1.3 times too slow (the same). */
static const double STAYS = 0.4;

/* Solving with two triangles; there is no other grid for it. */
static const margin solving = {0.2, 0, 0.2, 0.3};

/* Additional cost of the first call in operations of the slowest process, at
 * hesca_message_speed(): plans of the copies, connections and first use of
 * memory; the context of another grid, for which MPI makes communicators, and
 * products with A or B where it is.  Measured 0 to 5 and 5 to 25 ms of a core
 * (doc/hohe-measured.md). */
static const double FIRST_HOHE = 6e7, FIRST_GRID = 3e8;

static const margin *
margin_of(const hesca_hohe_job *job)
{
    return job->solves                          ? &solving
           : job->routine <= HESCA_ROUTINE_GESV ? &factoring[job->routine]
                                                : &others;
}

/* "P?GESV". */
static const char *
name_of(const hesca_hohe_job *job, char name[16])
{
    snprintf(name, 16, "P?%s",
             !job->solves ? hesca_routine_name(job->routine)
             : job->routine == HESCA_ROUTINE_POTRF ? "potrs"
                                                   : "getrs");
    for (char *c = name; *c != '\0'; ++c)
        *c = (char)toupper((unsigned char)*c);
    return name;
}

void
hesca_hohe_set_margins(const hesca_hohe_job *job, double slowest,
                       hesca_hohe_forecast *f)
{
    const margin *m = margin_of(job);
    const int stays = f->stays == 'A' || f->stays == 'B';
    f->hohe_margin = f->homogeneous         ? m->even
                     : stays                ? STAYS
                     : job->home.nprow == 1 ? m->row
                                            : m->hohe;
    f->grid_margin = m->grid;
    f->hohe_first = (stays ? FIRST_GRID : FIRST_HOHE) / slowest;
    f->grid_first = FIRST_GRID / slowest;
}

/* The predicted seconds of the original routine above which another way is
 * taken, from those of this way, its margin and its first call. */
static double
needed(double way, double by, double first)
{
    return way > 0 ? (1 + by) * way + first : INFINITY;
}

static double
needed_by_hohe(const hesca_hohe_forecast *f)
{
    return needed(f->hohe, f->hohe_margin, f->hohe_first);
}

static double
needed_by_grid(const hesca_hohe_forecast *f)
{
    return needed(f->grid, f->grid_margin, f->grid_first);
}

hesca_way
hesca_hohe_best(const hesca_hohe_forecast *f)
{
    const int hohe = f->original > needed_by_hohe(f);
    const int grid = !f->homogeneous && f->original > needed_by_grid(f);
    if (!hohe && !grid)
        return HESCA_WAY_ORIGINAL;
    return grid && (!hohe || f->grid < (1 - GRID_GAIN) * f->hohe)
               ? HESCA_WAY_GRID
               : HESCA_WAY_HOHE;
}

void
hesca_hohe_explain(const hesca_hohe_job *job, const hesca_hohe_forecast *f,
                   int at_most, char *text, size_t size)
{
    const int by_grid = needed_by_grid(f) < needed_by_hohe(f);
    const double best = by_grid ? f->grid : f->hohe;
    const double off = by_grid ? f->grid_margin : f->hohe_margin;
    const double first = by_grid ? f->grid_first : f->hohe_first;
    char name[16];
    if (best <= 0 || best >= f->original)
        snprintf(text, size, "by prediction");
    else
        snprintf(text, size,
                 "predicted gain %s%.0f %% is below %.0f %%: predicted gains "
                 "of %s%s are relied on from %.0f %% on, and a first call "
                 "takes %.2g s more",
                 at_most ? "of at most " : "", 100 * (f->original / best - 1),
                 100 * (needed(best, off, first) / best - 1),
                 name_of(job, name),
                 at_most   ? ""
                 : by_grid ? " on another grid"
                           : " by HoHe",
                 100 * off, first);
}
