/* What a call takes: ScaLAPACK's routine on the grid as it is, or HoHe.
 *
 * The first is place/forecast.c's prediction for matrices of order n, taken
 * for products of other shapes with as many operations, with messages in
 * proportion to what A and B have.
 *
 * HoHe takes what its slowest host takes, computing or passing panels, which
 * travel while others are computed with; packing and receiving takes a little
 * of the core.  To this come the copies of sub(C), in and out: messages as the
 * schedules predict them, and the reading and writing of what a process
 * keeps. */
#include "dense/choose.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/kernels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds per byte to copy what stays on its process, on a core. */
#define COPY 5e-10

/* Seconds until a process notices a message: place/site.h. */
#define WAKE 5e-5

/* Part of the time of messages for which nothing is computed. */
#define BESIDE 0.1

/* Columns of A, rows of B, in a panel; agreements in a call. */
enum { PANEL = 128, AGREEMENTS = 6 };

/* Seconds per operation, relative to real double numbers. */
static const double work[] = {
    [HESCA_S] = 0.5, [HESCA_D] = 1, [HESCA_C] = 2, [HESCA_Z] = 4};

/* ------------------------------------------------ the job */

/* Largest x with x^3 <= a: without libm, whose roots may differ by host. */
static int64_t
cube_root(double a)
{
    int64_t low = 1, high = 1 << 20;
    while (low < high) {
        const int64_t mid = (low + high + 1) / 2;
        const double x = (double)mid;
        if (x * x * x <= a)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

/* A job on square matrices with about as many operations. */
static hesca_job
alike(const hesca_hohe_job *job)
{
    const double terms =
        (double)job->m * (double)job->n *
        (double)(job->routine == HESCA_GESV ? hesca_min(job->m, job->n)
                                            : job->k);
    return (hesca_job){
        .routine = job->routine, .n = cube_root(terms), .nb = job->home.nb};
}

/* Operations, the square job being known. */
static double
operations(const hesca_hohe_job *job, const hesca_job *same)
{
    return job->routine == HESCA_GEMM
               ? 2 * (double)job->m * (double)job->n * (double)job->k
               : hesca_job_flops(same);
}

void
hesca_hohe_speeds(const hesca_machine *machine, const int *host,
                  const hesca_hohe_job *job, double *speed)
{
    const hesca_job same = alike(job);
    const int n = job->home.nprow * job->home.npcol;
    for (int k = 0; k < n; ++k) {
        int beside = 0;
        for (int l = 0; l < n; ++l)
            beside += host[l] == host[k];
        const double part = machine->host[host[k]].cores / beside;
        speed[k] = hesca_job_speed(machine, &same, host[k], n) *
                   (part < 1 ? part : 1);
    }
}

/* ------------------------------------------------ the cut */

/* One dimension of a cut, in cells of which some make a block. */
typedef struct {
    int64_t n; /* elements */
    int nb, nowners, first;
    int cell; /* elements of a cell */
    int per_block;
    int64_t l; /* cells of a generalized block */
} dimension;

enum { CELLS = 16, MOST_CELLS = 64 }; /* for each owner */

/* Enough cells to round well; a generalized block, if there are several, is a
 * period of the home layout, too. */
static dimension
cells_of(int64_t n, int nb, int nowners, int first)
{
    dimension d = {n, nb, nowners, first, nb, 1, 0};
    while (d.cell > 1 && n / d.cell < CELLS * (int64_t)nowners) {
        ++d.per_block;
        if (nb % d.per_block == 0)
            d.cell = nb / d.per_block;
    }
    d.per_block = nb / d.cell;
    const int64_t all = (n + d.cell - 1) / d.cell;
    const int64_t most = MOST_CELLS * (int64_t)nowners * d.per_block;
    d.l = hesca_max(1, hesca_min(all, most));
    return d;
}

/* l cells in proportion to weights: first rounded down, then one by one to
 * whom it costs least.
 * Source: HMPI thesis 5.1.1, the step of both dimensions of a cut. */
static void
deal(int64_t l, int nowners, const double *weight, int64_t *cells)
{
    double sum = 0;
    int64_t left = l;
    for (int k = 0; k < nowners; ++k)
        sum += weight[k];
    for (int k = 0; k < nowners; ++k) {
        cells[k] = (int64_t)((double)l * (weight[k] / sum) * (1 + 1e-12));
        left -= cells[k];
    }
    for (; left > 0; --left) {
        int best = -1;
        for (int k = 0; k < nowners; ++k)
            if (weight[k] > 0 &&
                (best < 0 || (double)(cells[k] + 1) * weight[best] <
                                 (double)(cells[best] + 1) * weight[k]))
                best = k;
        ++cells[best];
    }
}

/* Owners of the cells.  Who has more cells at home than it is due keeps every
 * so many of them, the others keep all, so that little moves; what is left
 * goes in turn to those that lack something, whoever lacks most of what it
 * lacked.  So all have cells from the first to the last, as factorizations
 * want it. */
static void
own(const dimension *d, const double *weight, int64_t *cells, int *owner)
{
    int64_t *had = cells + d->nowners, *seen = had + d->nowners;
    int64_t *lacks = seen + d->nowners;
    deal(d->l, d->nowners, weight, cells);
    for (int p = 0; p < d->nowners; ++p)
        had[p] = seen[p] = 0;
    for (int64_t b = 0; b < d->l; ++b)
        ++had[(b / d->per_block + d->first) % d->nowners];
    for (int p = 0; p < d->nowners; ++p)
        lacks[p] = cells[p] > had[p] ? cells[p] - had[p] : 0;
    for (int64_t b = 0; b < d->l; ++b) {
        const int p = (int)((b / d->per_block + d->first) % d->nowners);
        const int64_t due = hesca_min(cells[p], had[p]), k = seen[p]++;
        owner[b] = (k + 1) * due / had[p] > k * due / had[p] ? p : -1;
    }
    for (int p = 0; p < d->nowners; ++p)
        seen[p] = lacks[p];
    for (int64_t b = 0; b < d->l; ++b)
        if (owner[b] < 0) {
            int next = 0;
            for (int p = 1; p < d->nowners; ++p)
                if (seen[p] * (lacks[next] + 1) > seen[next] * (lacks[p] + 1))
                    next = p;
            owner[b] = next;
            --seen[next];
        }
}

/* Process columns get columns by the sums of their speeds, and each deals its
 * rows by the speeds of its own processes. */
static void
own_all(const dimension *rows, const dimension *cols, const double *speed,
        double *weight, int64_t *cells, int *rowowner, int *colowner)
{
    const int p = rows->nowners, q = cols->nowners;
    for (int j = 0; j < q; ++j) {
        weight[j] = 0;
        for (int i = 0; i < p; ++i)
            weight[j] += speed[i * q + j];
    }
    own(cols, weight, cells, colowner);
    for (int j = 0; j < q; ++j) {
        double sum = 0;
        for (int i = 0; i < p; ++i)
            sum += weight[i] = speed[i * q + j];
        for (int i = 0; i < p && !(sum > 0); ++i)
            weight[i] = 1; /* it has no columns */
        own(rows, weight, cells, rowowner + j * rows->l);
    }
}

static int
make_dealt(const hesca_hohe_job *job, const double *speed, hesca_hohe_cut *cut)
{
    const hesca_side *h = &job->home;
    const int first_row = (int)((h->i / h->mb + h->rsrc) % h->nprow);
    const int first_col = (int)((h->j / h->nb + h->csrc) % h->npcol);
    const dimension r = cells_of(cut->rows, h->mb, h->nprow, first_row);
    const dimension c = cells_of(cut->cols, h->nb, h->npcol, first_col);
    const size_t most = (size_t)(h->nprow > h->npcol ? h->nprow : h->npcol);
    double *weight = calloc(most, sizeof *weight);
    int64_t *cells = calloc(4 * most, sizeof *cells);
    int *rowowner = malloc((size_t)r.l * (size_t)h->npcol * sizeof *rowowner);
    int *colowner = malloc((size_t)c.l * sizeof *colowner);
    int err;
    if (weight == NULL || cells == NULL || rowowner == NULL ||
        colowner == NULL) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a cut of %lld x %lld cells",
                         (long long)r.l, (long long)c.l);
    } else {
        own_all(&r, &c, speed, weight, cells, rowowner, colowner);
        err = hesca_layout_create_dealt(
            HESCA_COLUMN_BASED, cut->rows, cut->cols, r.cell, c.cell, (int)r.l,
            (int)c.l, h->nprow, h->npcol, rowowner, colowner, NULL, &cut->cut);
    }
    free(weight);
    free(cells);
    free(rowowner);
    free(colowner);
    return err;
}

int
hesca_hohe_cut_make(const hesca_hohe_job *job, const double *speed,
                    hesca_hohe_cut *cut)
{
    const hesca_side *h = &job->home;
    double sum = 0;
    int err;
    memset(cut, 0, sizeof *cut);
    for (int k = 0; k < h->nprow * h->npcol; ++k)
        sum += speed[k];
    if (!(sum > 0))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "no host computes matrices of this size");
    cut->i = h->i % h->mb;
    cut->j = h->j % h->nb;
    cut->rows = cut->i + job->m;
    cut->cols = cut->j + job->n;
    HESCA_TRY(err, hesca_layout_create_cyclic(h->m, h->n, h->mb, h->nb,
                                              h->rsrc, h->csrc, h->nprow,
                                              h->npcol, NULL, &cut->home));
    HESCA_TRY(err, make_dealt(job, speed, cut));
fail:
    if (err < 0)
        hesca_hohe_cut_clear(cut);
    return err;
}

void
hesca_hohe_cut_clear(hesca_hohe_cut *cut)
{
    hesca_layout_free(cut->home);
    hesca_layout_free(cut->cut);
    memset(cut, 0, sizeof *cut);
}

/* Rows and columns of sub(C) that the process at a place of the cut has. */
static void
share_of(const hesca_hohe_job *job, const hesca_hohe_cut *cut, int p, int q,
         double *rows, double *cols)
{
    const hesca_axis *r = hesca_layout_row_axis(cut->cut, q);
    const hesca_axis *c = hesca_layout_col_axis(cut->cut, p);
    *rows = (double)(hesca_axis_count(r, p, cut->i + job->m) -
                     hesca_axis_count(r, p, cut->i));
    *cols = (double)(hesca_axis_count(c, q, cut->j + job->n) -
                     hesca_axis_count(c, q, cut->j));
}

/* Of the whole local array, which may begin before sub(C). */
static double
bytes_at(const hesca_hohe_job *job, const hesca_hohe_cut *cut, int k)
{
    int64_t rows = 0, cols = 0;
    hesca_layout_local_size(cut->cut, k, &rows, &cols);
    return (double)rows * (double)cols * (double)hesca_type_size(job->type);
}

double
hesca_hohe_staging(const hesca_hohe_job *job, const hesca_hohe_cut *cut)
{
    double most = 0;
    for (int k = 0; k < job->home.nprow * job->home.npcol; ++k)
        most = fmax(most, bytes_at(job, cut, k));
    return most;
}

/* ------------------------------------------------ HoHe */

/* A call being weighed, by place k and host h. */
typedef struct {
    const hesca_machine *machine;
    const int *host;
    const hesca_hohe_job *job;
    const double *speed;
    const hesca_hohe_cut *cut;
    double *busy;    /* [nhosts] seconds of computing */
    double *passing; /* [nhosts] seconds of messages */
    double *filled;  /* [nhosts] bytes */
} scales;

/* Seconds per byte, in the mean, of what the process at a place receives from
 * the others of its process row (column). */
static double
per_byte(const scales *x, int k, int in_row)
{
    const hesca_machine *m = x->machine;
    const int npcol = x->job->home.npcol;
    const int n = in_row ? npcol : x->job->home.nprow;
    double sum = 0;
    for (int t = 0; t < n; ++t) {
        const int l = in_row ? k / npcol * npcol + t : t * npcol + k % npcol;
        if (l != k)
            sum += 1 / m->wire[(size_t)x->host[l] * (size_t)m->nhosts +
                               (size_t)x->host[k]]
                           .rate;
    }
    return n > 1 ? sum / (n - 1) : 0;
}

/* What a process computes: its part of all operations; what is left of a
 * matrix that is being factored is dealt as all of it is. */
static void
weigh_computing(const scales *x, const hesca_job *same, int k)
{
    const hesca_hohe_job *job = x->job;
    double rows, cols;
    share_of(job, x->cut, k / job->home.npcol, k % job->home.npcol, &rows,
             &cols);
    const double part = rows * cols / ((double)job->m * (double)job->n);
    if (part > 0)
        x->busy[x->host[k]] +=
            x->speed[k] > 0
                ? part * operations(job, same) * work[job->type] / x->speed[k]
                : INFINITY;
}

/* What a process sends and receives of the panels of a product. */
static void
weigh_panels(const scales *x, int k)
{
    const hesca_side *g = &x->job->home;
    const double bytes = (double)hesca_type_size(x->job->type);
    const double terms = (double)x->job->k;
    const double part_m = (double)x->job->m / g->nprow;
    const double part_n = (double)x->job->n / g->npcol;
    const double from_row = (g->npcol - 1.0) / g->npcol;
    const double from_col = (g->nprow - 1.0) / g->nprow;
    double rows, cols;
    share_of(x->job, x->cut, k / g->npcol, k % g->npcol, &rows, &cols);
    x->passing[x->host[k]] += terms * bytes *
                              ((rows + part_m) * from_row * per_byte(x, k, 1) +
                               (cols + part_n) * from_col * per_byte(x, k, 0));
}

/* Startups that all wait for, one after the other: of panels, and of the
 * agreements before each part of the call. */
static double
startups(const scales *x)
{
    const hesca_machine *m = x->machine;
    const int n = x->job->home.nprow * x->job->home.npcol;
    int rounds = 0;
    double slowest = 0;
    if (n == 1)
        return 0;
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l)
            slowest =
                fmax(slowest, m->wire[(size_t)x->host[k] * (size_t)m->nhosts +
                                      (size_t)x->host[l]]
                                  .startup);
    while (n > 1 << rounds)
        ++rounds;
    return (ceil((double)x->job->k / PANEL) + AGREEMENTS * rounds) *
           (slowest + WAKE);
}

/* Whether matrices and copies fit into the memory that hosts are known to
 * have. */
static int
check_memory(const scales *x)
{
    const hesca_job same = alike(x->job);
    const int n = x->job->home.nprow * x->job->home.npcol;
    for (int h = 0; h < x->machine->nhosts; ++h)
        x->filled[h] = 0;
    for (int k = 0; k < n; ++k)
        x->filled[x->host[k]] += hesca_job_bytes(&same) / n *
                                     (double)hesca_type_size(x->job->type) /
                                     8 +
                                 bytes_at(x->job, x->cut, k);
    for (int h = 0; h < x->machine->nhosts; ++h)
        if (x->machine->host[h].memory > 0 &&
            x->filled[h] > x->machine->host[h].memory)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "%.0f bytes of memory on %s are too few for a "
                              "copy, with the matrices %.0f bytes",
                              x->machine->host[h].memory,
                              x->machine->host[h].name, x->filled[h]);
    return HESCA_SUCCESS;
}

/* Messages of a factorization are those of ScaLAPACK's, as many and as large,
 * and they wait in the same way. */
static double
hohe_seconds(const scales *x, double messages)
{
    const hesca_job same = alike(x->job);
    const int n = x->job->home.nprow * x->job->home.npcol;
    const int is_product = x->job->routine == HESCA_GEMM;
    double longest = 0;
    for (int h = 0; h < x->machine->nhosts; ++h)
        x->busy[h] = x->passing[h] = 0;
    for (int k = 0; k < n; ++k) {
        weigh_computing(x, &same, k);
        if (is_product)
            weigh_panels(x, k);
    }
    for (int h = 0; h < x->machine->nhosts; ++h)
        longest = fmax(
            longest, fmax(x->busy[h] + BESIDE * x->passing[h], x->passing[h]));
    return longest + (is_product ? startups(x) : messages);
}

/* Copies in, if sub(C) is read, and out; and what of it changes its process.
 */
static int
weigh_copies(const scales *x, const hesca_outlook *outlook,
             hesca_hohe_forecast *f)
{
    const hesca_hohe_job *job = x->job;
    const size_t esize = hesca_type_size(job->type);
    const double all = (double)job->m * (double)job->n * (double)esize;
    const hesca_hohe_cut *cut = x->cut;
    const int ways = job->reads ? 2 : 1;
    /* A triangle takes half of the whole, either of them. */
    const double half = job->routine == HESCA_POTRF ? 0.5 : 1;
    double slowest = 0;
    int64_t moved = 0;
    hesca_problem problem;
    hesca_choice choice;
    int err;
    HESCA_TRY(err, hesca_problem_make(&problem, HESCA_ALL, job->m, job->n,
                                      cut->cut, cut->i, cut->j, cut->home,
                                      job->home.i, job->home.j, esize));
    err = hesca_problem_moved(&problem, &moved);
    hesca_choose("auto", &problem, outlook, &choice);
    hesca_problem_clear(&problem);
    if (err == HESCA_SUCCESS && choice.failed)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "predictions of schedules");
    HESCA_TRY(err, err);
    for (int k = 0; k < job->home.nprow * job->home.npcol; ++k) {
        const hesca_host *h = &x->machine->host[x->host[k]];
        slowest =
            fmax(slowest, bytes_at(job, cut, k) * COPY / fmin(1, h->cores));
    }
    f->moved = (double)moved / all;
    f->copying = ways * half * (choice.seconds + slowest);
fail:
    return err;
}

/* ------------------------------------------------ ScaLAPACK's routine */

static int
weigh_real(const scales *x, double *seconds, double *messages)
{
    const hesca_hohe_job *job = x->job;
    const hesca_job same = alike(job);
    const double n = (double)same.n;
    double part = (double)hesca_type_size(job->type) / 8;
    hesca_forecast f;
    int err;
    HESCA_TRY(err, hesca_forecast_make(x->machine, &same, job->home.nprow,
                                       job->home.npcol, x->host, &f));
    if (job->routine == HESCA_GEMM)
        part *=
            (double)job->k * ((double)job->m + (double)job->n) / (2 * n * n);
    *messages = f.communicate * part;
    *seconds = f.compute * work[job->type] * operations(job, &same) /
                   hesca_job_flops(&same) +
               *messages;
fail:
    return err;
}

int
hesca_hohe_weigh(const hesca_machine *machine, const int *host,
                 const hesca_hohe_job *job, const double *speed,
                 const hesca_hohe_cut *cut, const hesca_outlook *outlook,
                 hesca_hohe_forecast *forecast)
{
    scales x = {machine, host, job, speed, cut, NULL, NULL, NULL};
    const size_t nhosts = (size_t)machine->nhosts;
    hesca_hohe_forecast f = {.staging = hesca_hohe_staging(job, cut)};
    double messages = 0;
    int err = HESCA_SUCCESS;
    x.busy = malloc(nhosts * sizeof *x.busy);
    x.passing = malloc(nhosts * sizeof *x.passing);
    x.filled = malloc(nhosts * sizeof *x.filled);
    if (x.busy == NULL || x.passing == NULL || x.filled == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "seconds of %d hosts",
                                  machine->nhosts));
    HESCA_TRY(err, weigh_real(&x, &f.real, &messages));
    HESCA_TRY(err, check_memory(&x));
    HESCA_TRY(err, weigh_copies(&x, outlook, &f));
    f.hohe = hohe_seconds(&x, messages) + f.copying;
    *forecast = f;
fail:
    free(x.busy);
    free(x.passing);
    free(x.filled);
    return err;
}

/* ------------------------------------------------ the public function */

static int
check(const hesca_machine *machine, const int *host, const hesca_hohe_job *job)
{
    static const char name[] = "hesca_hohe_predict";
    if (machine == NULL)
        return hesca_fail_null(name, 1, "machine");
    if (host == NULL)
        return hesca_fail_null(name, 2, "host");
    if (job == NULL)
        return hesca_fail_null(name, 3, "job");
    const hesca_side *h = &job->home;
    const struct {
        const char *name;
        int64_t value;
        int ok;
        const char *must;
    } rule[] = {
        {"routine", (int64_t)job->routine,
         (unsigned)job->routine <= HESCA_GESV, "one of hesca_routine"},
        {"type", (int64_t)job->type, (unsigned)job->type <= HESCA_Z,
         "one of hesca_type"},
        {"m", job->m, job->m >= 1, "at least 1"},
        {"n", job->n, job->n >= 1, "at least 1"},
        {"k", job->k, job->k >= 1, "at least 1"},
        {"home.nprow", h->nprow, h->nprow >= 1, "at least 1"},
        {"home.npcol", h->npcol, h->npcol >= 1, "at least 1"},
        {"home.i", h->i, h->i >= 0 && job->m <= h->m - h->i,
         "such that sub(C) lies inside C"},
        {"home.j", h->j, h->j >= 0 && job->n <= h->n - h->j,
         "such that sub(C) lies inside C"},
        {"home.mb", h->mb, h->mb >= 1, "at least 1"},
        {"home.nb", h->nb, h->nb >= 1, "at least 1"},
    };
    for (size_t k = 0; k < sizeof rule / sizeof *rule; ++k)
        if (!rule[k].ok)
            return hesca_fail_arg(name, 3, rule[k].name, rule[k].value,
                                  rule[k].must);
    for (int k = 0; k < h->nprow * h->npcol; ++k)
        if (host[k] < 0 || host[k] >= machine->nhosts)
            return hesca_fail_arg(name, 2, "an entry of host", host[k],
                                  "the number of a host of the machine");
    return HESCA_SUCCESS;
}

int
hesca_hohe_predict(const hesca_machine *machine, const int *host,
                   const hesca_hohe_job *job, hesca_hohe_forecast *forecast)
{
    double *speed = NULL;
    hesca_network network = {0};
    hesca_hohe_cut cut = {0};
    int err;
    HESCA_TRY(err, check(machine, host, job));
    if (forecast == NULL)
        return hesca_fail_null("hesca_hohe_predict", 4, "forecast");
    const int n = job->home.nprow * job->home.npcol;
    speed = malloc((size_t)n * sizeof *speed);
    if (speed == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d speeds", n));
    hesca_hohe_speeds(machine, host, job, speed);
    HESCA_TRY(err, hesca_hohe_cut_make(job, speed, &cut));
    HESCA_TRY(err, hesca_network_of_hosts(machine, n, host, &network));
    const hesca_outlook outlook =
        hesca_outlook_make(hesca_machine_costs(machine, 0, 1), &network);
    HESCA_TRY(err, hesca_hohe_weigh(machine, host, job, speed, &cut, &outlook,
                                    forecast));
fail:
    free(speed);
    hesca_network_clear(&network);
    hesca_hohe_cut_clear(&cut);
    return err;
}
