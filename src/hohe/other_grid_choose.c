/* SPDX-License-Identifier: BSD-3-Clause */
/* The best other grid for a call.
 *
 * Shapes are compared with the fastest processes in descending order of speed,
 * which takes little time. If the call takes long enough, a search places the
 * processes of the best shapes. The fastest process, not that with rank 0, is
 * first in the grid. Of the best few shapes, with processes in this order and
 * in that of ranks, the one with the least time of copies and routine together
 * is chosen. */
#include "hohe/other_grid_choose.h"
#include "base/status.h"
#include "dense/kernels.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Range of block sizes with which ScaLAPACK's routines are fast, and the
 * substitute for others. */
enum { NB_LEAST = 16, NB_MOST = 128, NB = 64 };

/* Up to MANY shapes are all examined; of more, those that are nearly square or
 * powers of 2. Copies are predicted for the best few. */
enum { MANY = 64, FINALISTS = 3 };

/* Seconds of a call per process from which on a search pays: it takes some
 * milliseconds per process. */
#define SEARCHED 0.02

/* --- shapes ---
 * Ties are broken by shape, so all processes choose the same grid. */

typedef struct {
    int nprow, npcol;
    double seconds; /* INFINITY: too little memory */
} shape;

/* State of the choice. */
typedef struct {
    const hesca_hohe_scales *x;
    hesca_job job;   /* the square one, in the grid's blocks */
    hesca_part part; /* of the matrix of a factorization */
    int n;           /* processes */
    int *rank;       /* [n] the fastest first */
    int *host;       /* [n] hosts of these */
    int *process;    /* [n] work space: ranks of a grid */
    int *at;         /* [n] work space: their hosts */
} choice;

/* Ties go to fewer processes, then to fewer rows. */
static int
quicker(const void *x, const void *y)
{
    const shape *a = x, *b = y;
    const int m = a->nprow * a->npcol, n = b->nprow * b->npcol;
    if (a->seconds < b->seconds || a->seconds > b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    return m != n ? (m < n ? -1 : 1) : a->nprow < b->nprow ? -1 : 1;
}

static int
is_power(int n)
{
    return (n & (n - 1)) == 0;
}

static int
is_square(int nprow, int npcol, int n)
{
    return nprow <= 2 * npcol && npcol <= 2 * nprow &&
           4 * nprow * npcol > 3 * n;
}

/* The *count shapes to examine; NULL without memory. */
static shape *
list_shapes(const choice *c, int *count)
{
    const hesca_side *h = &c->x->job->home;
    int all = 0, n = 0;
    for (int p = 1; p <= c->n; ++p)
        all += c->n / p;
    shape *list = malloc((size_t)all * sizeof *list);
    for (int p = 1; p <= c->n && list != NULL; ++p)
        for (int q = 1; q <= c->n / p; ++q)
            if (all <= MANY || (is_power(p) && is_power(q)) ||
                is_square(p, q, c->n) || (p == h->nprow && q == h->npcol))
                list[n++] = (shape){p, q, INFINITY};
    *count = n;
    return list;
}

static void
name_ranks(const choice *c, const shape *s)
{
    for (int k = 0; k < s->nprow * s->npcol; ++k)
        c->process[k] = c->rank[c->process[k]];
}

/* Place processes in a grid of this shape: the fastest first, or by a search.
 * \return HESCA_SUCCESS, also if memory is too small; HESCA_ERR_NOMEM. */
static int
place(const choice *c, int by_search, shape *s)
{
    const hesca_machine *m = c->x->machine;
    hesca_forecast f;
    const int err =
        by_search
            ? hesca_place_grid(m, &c->job, c->n, c->host, s->nprow, s->npcol,
                               c->process, &f)
            : hesca_place_grid_by_speed(m, &c->job, c->n, c->host, s->nprow,
                                        s->npcol, c->process, &f);
    s->seconds = INFINITY;
    if (err < 0)
        return err == HESCA_ERR_ARG ? HESCA_SUCCESS : err;
    s->seconds =
        hesca_hohe_seconds(c->x->job, &c->job, s->nprow, s->npcol, &f);
    name_ranks(c, s);
    return HESCA_SUCCESS;
}

/* The shapes, the best first. */
static int
rank_shapes(const choice *c, shape **list, int *count)
{
    int err = HESCA_SUCCESS;
    *list = list_shapes(c, count);
    if (*list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "grids of %d processes", c->n);
    for (int k = 0; k < *count; ++k)
        HESCA_TRY(err, place(c, 0, *list + k));
    qsort(*list, (size_t)*count, sizeof **list, quicker);
fail:
    return err;
}

/* List the processes with the fastest one first. */
static void
order(const choice *c, const double *speed)
{
    int first = 0;
    for (int k = 1; k < c->n; ++k)
        if (speed[k] > speed[first])
            first = k;
    for (int k = 0; k < c->n; ++k) {
        c->rank[k] = k == 0 ? first : k <= first ? k - 1 : k;
        c->host[k] = c->x->host[c->rank[k]];
    }
}

static void
clear(choice *c)
{
    free(c->rank);
    free(c->host);
    free(c->process);
    free(c->at);
}

/* Work spaces of drivers are known to be enough in the program's blocks; some
 * are not in blocks of about the order. */
static int
keeps_blocks(const hesca_hohe_job *job)
{
    const hesca_side *h = &job->home;
    return (h->nb >= NB_LEAST && h->nb <= NB_MOST) ||
           (job->narguments > 0 && h->mb == h->nb);
}

static int
begin(const hesca_hohe_scales *x, hesca_part part, choice *c)
{
    const hesca_side *h = &x->job->home;
    const int n = h->nprow * h->npcol;
    const size_t bytes = (size_t)n * sizeof(int);
    double *speed = malloc((size_t)n * sizeof *speed);
    *c = (choice){.x = x,
                  .job = hesca_hohe_square_job(x->job),
                  .part = part,
                  .n = n,
                  .rank = malloc(bytes),
                  .host = malloc(bytes),
                  .process = malloc(bytes),
                  .at = malloc(bytes)};
    c->job.nb = keeps_blocks(x->job) ? h->nb : NB;
    const int ok = speed && c->rank && c->host && c->process && c->at;
    if (ok) {
        hesca_hohe_speeds(x->machine, x->host, x->job, speed);
        order(c, speed);
    }
    free(speed);
    return ok ? HESCA_SUCCESS
              : hesca_fail(HESCA_ERR_NOMEM, 0, "grids of %d processes", n);
}

/* --- one grid ---
 * A grid has each of its processes once; its matrices begin at place (0,0). */

/* Whether that is the program's grid: the computation would be the same. */
static int
is_own(const choice *c, const shape *s)
{
    const hesca_side *h = &c->x->job->home;
    if (s->nprow != h->nprow || s->npcol != h->npcol || h->mb != c->job.nb ||
        h->nb != c->job.nb)
        return 0;
    for (int k = 0; k < c->n; ++k)
        if (c->x->host[c->process[k]] != c->x->host[k])
            return 0;
    return 1;
}

/* The given side, or a default if A or B is not specified. */
static hesca_side
side_of(const hesca_hohe_job *job, const hesca_side *given, int64_t m,
        int64_t n)
{
    hesca_side side = *given;
    if (given->nprow > 0)
        return side;
    side = job->home;
    side.rsrc = side.csrc = 0;
    side.i = side.j = 0;
    side.m = m;
    side.n = n;
    return side;
}

/* Make the layouts of sub(X). */
static int
make_matrix(const hesca_hohe_regrid *g, const hesca_hohe_argument *a,
            hesca_hohe_moved *x)
{
    const hesca_side *s = &a->side;
    int err;
    *x = (hesca_hohe_moved){.m = a->m,
                            .n = a->n,
                            .i = s->i,
                            .j = s->j,
                            .copied = a->copied,
                            .part = a->part,
                            .reads = a->reads,
                            .writes = a->writes};
    HESCA_TRY(err, hesca_layout_create_cyclic(s->m, s->n, s->mb, s->nb,
                                              s->rsrc, s->csrc, s->nprow,
                                              s->npcol, NULL, &x->home));
    HESCA_TRY(err, hesca_layout_create_cyclic(a->m, a->n, g->nb, g->nb, 0, 0,
                                              g->nprow, g->npcol, g->process,
                                              &x->other));
fail:
    return err;
}

/* The matrices of the routines that HESCA computes itself. */
static void
list_arguments(const hesca_hohe_job *job, hesca_part part,
               hesca_hohe_argument argument[HESCA_HOHE_MATRICES])
{
    const int64_t arows = job->transa ? job->k : job->m;
    const int64_t acols = job->transa ? job->m : job->k;
    const int64_t brows = job->transb ? job->n : job->k;
    const int64_t bcols = job->transb ? job->k : job->n;
    argument[HESCA_HOHE_C] = (hesca_hohe_argument){
        job->home, job->m, job->n, job->n, part, job->reads, 1};
    if (job->routine != HESCA_ROUTINE_GEMM)
        return;
    argument[HESCA_HOHE_A] =
        (hesca_hohe_argument){side_of(job, &job->a, arows, acols),
                              arows,
                              acols,
                              acols,
                              HESCA_ALL,
                              1,
                              0};
    argument[HESCA_HOHE_B] =
        (hesca_hohe_argument){side_of(job, &job->b, brows, bcols),
                              brows,
                              bcols,
                              bcols,
                              HESCA_ALL,
                              1,
                              0};
}

static int
make_matrices(const hesca_hohe_job *job, hesca_part part, hesca_hohe_regrid *g)
{
    hesca_hohe_argument own[HESCA_HOHE_MATRICES] = {{.m = 0}};
    const hesca_hohe_argument *argument = own;
    int err = HESCA_SUCCESS;
    if (job->narguments > 0)
        argument = job->argument;
    else
        list_arguments(job, part, own);
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k)
        if (argument[k].m > 0)
            HESCA_TRY(err, make_matrix(g, &argument[k], &g->matrix[k]));
fail:
    return err;
}

int
hesca_hohe_regrid_init(const hesca_hohe_job *job, hesca_part part, int nprow,
                       int npcol, int nb, const int *process,
                       hesca_hohe_regrid *g)
{
    const size_t bytes = (size_t)nprow * (size_t)npcol * sizeof(int);
    *g = (hesca_hohe_regrid){
        .nprow = nprow, .npcol = npcol, .nb = nb, .process = malloc(bytes)};
    if (g->process == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a grid");
    memcpy(g->process, process, bytes);
    return make_matrices(job, part, g);
}

void
hesca_hohe_regrid_clear(hesca_hohe_regrid *g)
{
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k) {
        hesca_layout_free(g->matrix[k].home);
        hesca_layout_free(g->matrix[k].other);
    }
    free(g->process);
    memset(g, 0, sizeof *g);
}

/* --- seconds ---
 * Hosts without enough memory exclude a grid (HESCA_ERR_ARG). */

static int
weigh_copies(const hesca_hohe_scales *x, const hesca_hohe_regrid *g,
             double *seconds)
{
    double one;
    int err = HESCA_SUCCESS;
    *seconds = 0;
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k) {
        const hesca_hohe_moved *y = &g->matrix[k];
        const hesca_hohe_copy in = {
            y->part, y->m, y->copied, y->home, y->other, y->i, y->j, 0, 0};
        if (y->home == NULL)
            continue;
        HESCA_TRY(err, hesca_hohe_weigh_copy(x, &in, &one));
        *seconds += (y->reads + y->writes) * one;
    }
fail:
    return err;
}

static double
staging(const hesca_hohe_scales *x, const hesca_hohe_regrid *g)
{
    double most = 0;
    for (int r = 0; r < x->job->home.nprow * x->job->home.npcol; ++r) {
        double bytes = 0;
        for (int k = 0; k < HESCA_HOHE_MATRICES; ++k)
            if (g->matrix[k].other != NULL)
                bytes += hesca_hohe_bytes(x->job, g->matrix[k].other, r);
        most = fmax(most, bytes);
    }
    return most;
}

/* ScaLAPACK's routines count the elements of a local array with 32 bits. */
static int
check_counts(const hesca_hohe_scales *x,
             const hesca_layout *const copy[HESCA_HOHE_MATRICES])
{
    const double esize = (double)hesca_type_size(x->job->type);
    for (int r = 0; r < x->job->home.nprow * x->job->home.npcol; ++r)
        for (int k = 0; k < HESCA_HOHE_MATRICES; ++k)
            if (copy[k] != NULL &&
                hesca_hohe_bytes(x->job, copy[k], r) / esize > INT_MAX)
                return hesca_fail(HESCA_ERR_ARG, 0,
                                  "ScaLAPACK cannot count the elements that a "
                                  "process would have on another grid");
    return HESCA_SUCCESS;
}

/* Predict a grid with its copies, into a forecast. */
static int
weigh(const choice *c, const shape *s, const hesca_hohe_regrid *g,
      hesca_hohe_forecast *f)
{
    const hesca_layout *copy[HESCA_HOHE_MATRICES];
    double copying;
    int err;
    for (int k = 0; k < HESCA_HOHE_MATRICES; ++k)
        copy[k] = g->matrix[k].other;
    HESCA_TRY(err, check_counts(c->x, copy));
    HESCA_TRY(err, hesca_hohe_check_memory(c->x, copy));
    HESCA_TRY(err, weigh_copies(c->x, g, &copying));
    f->grid = s->seconds + copying + hesca_hohe_agreements(c->x);
    f->grid_copying = copying;
    f->grid_staging = staging(c->x, g);
    f->nprow = g->nprow;
    f->npcol = g->npcol;
    f->nb = g->nb;
fail:
    return err;
}

/* Try one grid, of the processes in c->process; if it is better it replaces
 * *best and its part of *f. The program's own grid needs no copies: it counts
 * as none. */
static int
try_grid(const choice *c, const shape *s, hesca_hohe_forecast *f,
         hesca_hohe_regrid *best)
{
    hesca_hohe_forecast tried = *f;
    hesca_hohe_regrid g = {0};
    int err = HESCA_SUCCESS;
    if (is_own(c, s)) {
        tried.grid = s->seconds;
        tried.nprow = tried.npcol = 0;
    } else {
        HESCA_TRY(err,
                  hesca_hohe_regrid_init(c->x->job, c->part, s->nprow,
                                         s->npcol, c->job.nb, c->process, &g));
        HESCA_TRY(err, weigh(c, s, &g, &tried));
    }
    if (f->grid <= 0 || tried.grid < f->grid) {
        *f = tried;
        hesca_hohe_regrid_clear(best);
        *best = g;
        return HESCA_SUCCESS;
    }
fail:
    hesca_hohe_regrid_clear(&g);
    return err;
}

static int
ascending(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

/* Reorder the processes by rank, which usually reduces the copies. */
static int
put_in_order(const choice *c, shape *s)
{
    const int n = s->nprow * s->npcol;
    hesca_forecast f;
    int err;
    qsort(c->process, (size_t)n, sizeof *c->process, ascending);
    for (int k = 0; k < n; ++k)
        c->at[k] = c->x->host[c->process[k]];
    HESCA_TRY(err, hesca_forecast_make(c->x->machine, &c->job, s->nprow,
                                       s->npcol, c->at, &f));
    s->seconds =
        hesca_hohe_seconds(c->x->job, &c->job, s->nprow, s->npcol, &f);
fail:
    return err;
}

/* Try one shape, with processes in two orders. */
static int
try_shape(const choice *c, shape *s, hesca_hohe_forecast *f,
          hesca_hohe_regrid *best)
{
    int err;
    HESCA_TRY(err, place(c, s->seconds > SEARCHED * c->n, s));
    if (!isfinite(s->seconds))
        return HESCA_ERR_ARG;
    HESCA_TRY(err, try_grid(c, s, f, best));
    HESCA_TRY(err, put_in_order(c, s));
    err = try_grid(c, s, f, best);
fail:
    return err;
}

int
hesca_hohe_weigh_grid(const hesca_hohe_scales *x, hesca_part part,
                      hesca_hohe_forecast *f, hesca_hohe_regrid *grid)
{
    hesca_hohe_forecast made = *f;
    shape *list = NULL;
    choice c = {0};
    int count, err, found = 0;
    memset(grid, 0, sizeof *grid);
    made.grid = 0;
    HESCA_TRY(err, begin(x, part, &c));
    HESCA_TRY(err, rank_shapes(&c, &list, &count));
    hesca_error_set(HESCA_ERR_ARG, 0,
                    "every grid has too little memory for the matrices");
    for (int k = 0; k < count && k < FINALISTS && isfinite(list[k].seconds);
         ++k) {
        err = try_shape(&c, &list[k], &made, grid);
        if (err != HESCA_SUCCESS && err != HESCA_ERR_ARG)
            goto fail;
        found += err == HESCA_SUCCESS;
    }
    err = found ? HESCA_SUCCESS : HESCA_ERR_ARG;
    if (!found)
        goto fail;
    if (made.nprow == 0)
        made.grid = made.grid_copying = made.grid_staging = made.nb = 0;
    *f = made;
fail:
    clear(&c);
    free(list);
    if (err < 0)
        hesca_hohe_regrid_clear(grid);
    return err;
}
