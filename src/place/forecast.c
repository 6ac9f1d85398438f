/* What a routine takes on a grid.
 *
 * Every host computes the shares of its processes, and is busy with their
 * messages: a process that sends or receives computes nothing, and the
 * messages of a host go over one link each way.  The host that is busy longest
 * tells the time; to this come the startups that all have to wait for one
 * after the other, and the factorization of panels, during which only a
 * process column computes.
 *
 * Messages, from the algorithms of ScaLAPACK 2.2: pdgemm broadcasts panels of
 * A along rows of the grid and panels of B along columns, all of both once.
 * Factorizations broadcast what is left of the matrix: the panel along rows,
 * the block row (its transpose, pdpotrf) along columns, a half of the matrix
 * each; pdpotrf transposes the panel before, pdgetrf exchanges rows, as much
 * again, and finds a pivot for every column.  Broadcasts along columns, and
 * those of pdgemm, are binomial trees, as MPI has them; those of panels are
 * split rings.
 *
 * The constants are from LU, Cholesky and matrix product of order 3000 on 22
 * grids of up to 8 processes, 4 hosts of two speeds, TCP: doc/heho.md. */
#include "base/status.h"
#include "place/site.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Shares of the matrix that are broadcast along rows and columns; startups for
 * each block, and for each column in the process column that has the panel. */
typedef struct {
    double along_rows, along_cols;
    double per_block, per_column;
    double panel; /* how much slower than the rest panels are factored; 0:
                     there are none */
    int is_ring;  /* along rows */
} traffic;

static const traffic table[] = {
    [HESCA_GEMM] = {1, 1, 1, 0, 0, 0},
    [HESCA_POTRF] = {0.5, 0.75, 2, 0, 1, 1},
    [HESCA_GESV] = {0.5, 1, 2, 8, 8, 1},
};

/* ------------------------------------------------ broadcasts */

/* In a broadcast in a line of n places, `times` places send to the one that is
 * so far behind them, wherever the root is. */
typedef struct {
    int distance, times;
} hop;

enum { HOPS = 32 };

typedef struct {
    int n, stride; /* places, and how far they are apart in the grid */
    int nhops;
    hop hops[HOPS];
} line;

static void
count_hop(line *l, int distance)
{
    int k = 0;
    while (k < l->nhops && l->hops[k].distance != distance)
        ++k;
    if (k == l->nhops)
        l->hops[l->nhops++] = (hop){distance, 0};
    ++l->hops[k].times;
}

/* Who receives as v-th behind the root does so, in a tree, from v without its
 * lowest bit; in a split ring from a neighbour, in the direction in which the
 * root is nearer. */
static line
make_line(int n, int stride, int is_ring)
{
    line l = {.n = n, .stride = stride};
    for (int v = 1; v < n; ++v)
        count_hop(&l, !is_ring ? v & -v : v <= n / 2 ? 1 : n - 1);
    return l;
}

static void
send(const hesca_site *x, int from, int to, double bytes)
{
    const double seconds = bytes / hesca_site_wire(x, from, to).rate;
    x->busy[from] += seconds;
    if (to != from)
        x->busy[to] += seconds;
}

/* Each place of a line broadcasts an equal share of `bytes`.
 * \return The slowest startup of these messages. */
static double
broadcast(const hesca_site *x, const line *l, const int *at, double bytes)
{
    double slowest = 0;
    for (int k = 0; k < l->nhops; ++k) {
        const hop h = l->hops[k];
        for (int i = 0; i < l->n; ++i) {
            const int from = at[i * l->stride];
            const int to = at[(i + h.distance) % l->n * l->stride];
            send(x, from, to, bytes / l->n * h.times);
            slowest = fmax(slowest, hesca_site_wire(x, from, to).startup);
        }
    }
    return slowest;
}

/* Of a binomial tree. */
static int
levels(int n)
{
    int k = 0;
    while (n > 1 << k)
        ++k;
    return k;
}

/* Let hosts be busy with messages.
 * \return Seconds that all wait for startups, one after the other. */
static double
messages(const hesca_site *x, const int *at, const traffic *t)
{
    const int p = x->nprow, q = x->npcol;
    const line row = make_line(q, 1, t->is_ring), col = make_line(p, q, 0);
    const double n = (double)x->job->n, size = n * (double)sizeof(double);
    const double blocks = ceil(n / x->job->nb);
    double in_rows = 0, in_cols = 0, in_panels = 0;
    for (int i = 0; i < p; ++i)
        in_rows = fmax(in_rows,
                       broadcast(x, &row, at + i * q,
                                 t->along_rows * size * (double)x->rows[i]));
    for (int j = 0; j < q; ++j) {
        const double s = broadcast(x, &col, at + j,
                                   t->along_cols * size * (double)x->cols[j]);
        in_cols = fmax(in_cols, s);
        in_panels += (s + HESCA_SITE_WAKE) / q;
    }
    return t->per_block * blocks *
               (levels(q) * (in_rows + HESCA_SITE_WAKE) +
                levels(p) * (in_cols + HESCA_SITE_WAKE)) +
           t->per_column * n * levels(p) * in_panels;
}

/* ------------------------------------------------ computing */

/* Seconds to factor all panels, one after the other; each by the processes of
 * a column, which have their hosts' cores for themselves.  Panels of nb
 * columns take n^2 nb / 2 operations. */
static double
panels(const hesca_site *x, const int *at, const traffic *t)
{
    const int p = x->nprow, q = x->npcol;
    const double n = (double)x->job->n, nb = fmin(x->job->nb, n);
    const double flops = n * n * nb / 2 / p / q * t->panel;
    double seconds = 0;
    for (int j = 0; j < q && t->panel > 0; ++j) {
        double longest = 0;
        for (int i = 0; i < p; ++i)
            x->beside[at[i * q + j]] = 0;
        for (int i = 0; i < p; ++i)
            ++x->beside[at[i * q + j]];
        for (int i = 0; i < p; ++i) {
            const int a = at[i * q + j];
            const double share = fmin(1, x->cores[a] / x->beside[a]);
            longest = fmax(longest, flops / (x->speed[a] * share));
        }
        seconds += longest;
    }
    return seconds;
}

/* Seconds of what a host computes; its processes share its cores. */
static double
computing(const hesca_site *x, int a)
{
    const double cores = fmin(x->cores[a], x->count[a]);
    return x->work[a] * hesca_job_flops(x->job) / (x->speed[a] * cores);
}

/* Where all goes in proportion, and where all wait for the slowest process. */
static void
tell_bounds(const hesca_site *x, hesca_forecast *f)
{
    const double flops = hesca_job_flops(x->job);
    double all = 0, least = INFINITY;
    int processes = 0;
    for (int a = 0; a < x->nhosts; ++a) {
        if (x->count[a] == 0)
            continue;
        const double cores = fmin(x->cores[a], x->count[a]);
        all += x->speed[a] * cores;
        least = fmin(least, x->speed[a] * cores / x->count[a]);
        processes += x->count[a];
    }
    f->ideal = flops / all;
    f->bound = flops / (processes * least);
}

double
hesca_site_forecast(const hesca_site *x, const int *at, hesca_forecast *f)
{
    const traffic *t = &table[x->job->routine];
    const double n = (double)x->job->n;
    double seconds = 0, compute = 0;
    for (int a = 0; a < x->nhosts; ++a) {
        x->work[a] = x->busy[a] = 0;
        x->count[a] = 0;
    }
    for (int i = 0, k = 0; i < x->nprow; ++i)
        for (int j = 0; j < x->npcol; ++j, ++k) {
            x->work[at[k]] +=
                (double)x->rows[i] * (double)x->cols[j] / (n * n);
            ++x->count[at[k]];
        }
    for (int a = 0; a < x->nhosts; ++a)
        if (x->count[a] > x->most[a])
            return INFINITY;
    const double waiting = messages(x, at, t);
    for (int a = 0; a < x->nhosts; ++a) {
        if (x->count[a] == 0)
            continue;
        const double own = computing(x, a);
        if (own + x->busy[a] > seconds) {
            seconds = own + x->busy[a];
            compute = own;
        }
    }
    seconds += waiting + panels(x, at, t);
    if (f != NULL) {
        f->seconds = seconds;
        f->compute = compute;
        f->communicate = seconds - compute;
        tell_bounds(x, f);
    }
    return seconds;
}

int
hesca_forecast_make(const hesca_machine *machine, const hesca_job *job,
                    int nprow, int npcol, const int *host,
                    hesca_forecast *forecast)
{
    static const char name[] = "hesca_forecast_make";
    hesca_site x;
    hesca_forecast made;
    int *at = NULL, err;
    HESCA_TRY(err, hesca_site_check(name, machine, job));
    HESCA_TRY(err, hesca_site_check_grid(name, 3, nprow, npcol, INT_MAX));
    if (host == NULL || forecast == NULL)
        return hesca_fail_null(name, host == NULL ? 5 : 6,
                               host == NULL ? "host" : "forecast");
    HESCA_TRY(err, hesca_site_make(name, machine, job, nprow * npcol, host, 5,
                                   nprow, npcol, &at, &x));
    if (isfinite(hesca_site_forecast(&x, at, &made)))
        *forecast = made;
    else
        err = hesca_site_too_small(name, &x);
    free(at);
    hesca_site_clear(&x);
fail:
    return err;
}
