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
 * each; pdpotrf transposes the panel before, pdgetrf exchanges rows, and finds
 * a pivot for every column.  Broadcasts along columns, and those of pdgemm,
 * are binomial trees, as MPI has them; those of panels are split rings.
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
    double swapped; /* shares of the matrix that change rows */
    double per_block, per_column;
    double panel; /* how much slower than the rest panels are factored; 0:
                     there are none */
    int is_ring;  /* along rows */
} traffic;

static const traffic table[] = {
    [HESCA_GEMM] = {1, 1, 0, 1, 0, 0, 0},
    [HESCA_POTRF] = {0.5, 0.75, 0, 2, 0, 1, 1},
    [HESCA_GESV] = {0.5, 0.5, 0.5, 2, 8, 8, 1},
};

/* Who sends to the v-th process behind the root, also as its distance: v
 * without its lowest bit in a tree; a neighbour, in the nearer half of the
 * ring on either side of the root. */
static int
sender(int v, int n, int is_ring)
{
    if (!is_ring)
        return v & (v - 1);
    return v <= n / 2 ? v - 1 : (v + 1) % n;
}

/* A line of the grid, n places at distances of stride. */
typedef struct {
    const int *at;
    int n, stride;
} line;

static void
send(const hesca_site *x, int from, int to, double bytes)
{
    const double seconds = bytes * x->delay[from * x->nhosts + to];
    x->busy[from] += seconds;
    if (to != from)
        x->busy[to] += seconds;
}

/* Each place of a line broadcasts its share of what lies across it. */
static void
broadcast(const hesca_site *x, line l, const int64_t *share, double bytes,
          int is_ring)
{
    for (int root = 0; root < l.n; ++root)
        for (int v = 1; v < l.n; ++v) {
            const int u = sender(v, l.n, is_ring);
            send(x, l.at[(root + u) % l.n * l.stride],
                 l.at[(root + v) % l.n * l.stride],
                 bytes * (double)share[root]);
        }
}

/* The slowest startup between places of a line. */
static double
slowest(const hesca_site *x, line l)
{
    double most = 0;
    for (int i = 0; i < l.n; ++i)
        for (int j = 0; j < l.n; ++j)
            if (i != j)
                most = fmax(most, x->start[l.at[i * l.stride] * x->nhosts +
                                           l.at[j * l.stride]] +
                                      HESCA_SITE_WAKE);
    return most;
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

/* Startups that all wait for. */
static double
latency(const hesca_site *x, const int *at, const traffic *t)
{
    const int p = x->nprow, q = x->npcol;
    const double n = (double)x->job->n, blocks = ceil(n / x->job->nb);
    double rows = 0, cols = 0, panel = 0;
    for (int i = 0; i < p; ++i)
        rows = fmax(rows, slowest(x, (line){at + i * q, q, 1}));
    for (int j = 0; j < q; ++j) {
        const double s = slowest(x, (line){at + j, p, q});
        cols = fmax(cols, s);
        panel += s / q;
    }
    return t->per_block * blocks * (levels(q) * rows + levels(p) * cols) +
           t->per_column * n * levels(p) * panel;
}

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
        for (int i = 0; i < p; ++i) {
            const int a = at[i * q + j];
            int beside = 0;
            for (int k = 0; k < p; ++k)
                beside += at[k * q + j] == a;
            const double share = fmin(1, x->cores[a] / beside);
            longest = fmax(longest, flops / (x->speed[a] * share));
        }
        seconds += longest;
    }
    return seconds;
}

static void
messages(const hesca_site *x, const int *at, const traffic *t)
{
    const int p = x->nprow, q = x->npcol;
    const double n = (double)x->job->n, size = (double)sizeof(double);
    for (int i = 0; i < p; ++i)
        broadcast(x, (line){at + i * q, q, 1}, x->cols,
                  t->along_rows * (double)x->rows[i] * size, t->is_ring);
    for (int j = 0; j < q; ++j)
        broadcast(x, (line){at + j, p, q}, x->rows,
                  t->along_cols * (double)x->cols[j] * size, 0);
    if (t->swapped > 0)
        for (int i = 0; i < p; ++i)
            for (int k = 0; k < p; ++k)
                for (int j = 0; j < q && i != k; ++j)
                    send(x, at[i * q + j], at[k * q + j],
                         t->swapped * size * (double)x->cols[j] *
                             (double)x->rows[i] * (double)x->rows[k] / n);
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
    messages(x, at, t);
    for (int a = 0; a < x->nhosts; ++a) {
        if (x->count[a] == 0)
            continue;
        const double own = computing(x, a);
        if (own + x->busy[a] > seconds) {
            seconds = own + x->busy[a];
            compute = own;
        }
    }
    seconds += latency(x, at, t) + panels(x, at, t);
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
        err = hesca_site_too_small(name, machine, &x);
    free(at);
    hesca_site_clear(&x);
fail:
    return err;
}
