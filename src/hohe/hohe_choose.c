/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted time of a call: by ScaLAPACK's routine on the program's grid, or
 * by HoHe.
 *
 * Both are predicted for a job on square matrices with the same number of
 * operations, by hesca_forecast_make() and hesca_gblock_predict(), with
 * messages in proportion to the sizes of A and B. HoHe adds the copies of
 * sub(C), in and out (messages as predicted by the schedules, and reading and
 * writing of the local data), and the agreements. The original routine on
 * other grids: other_grid_choose.c. */
#include "hohe/hohe_choose.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/kernels.h"
#include "hohe/gblock_walk.h"
#include "hohe/other_grid_choose.h"
#include "machine/routine_costs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operations per byte that is copied, for moving it into place. */
#define COPY 10.7

/* Accuracy of measured speeds: speeds that differ less than this from their
 * mean count as equal. */
#define ACCURACY 0.05

/* The part of moving and handling that a copy's messages hide, or the other
 * way round. */
#define CONCURRENT 0.5

/* The part of the copies that the factorization hides which they go on behind.
 * With it P?POTRF and P?GETRF on .6/.6/.2/.2, orders 1000 to 3000, are
 * predicted to take 0.98 to 1.19 times what they do. */
#define HIDDEN 0.62

/* Seconds until a process notices a message: place/site.h. */
#define WAKE 5e-5

/* Agreements in a call. */
enum { AGREEMENTS = 6 };

/* Columns of panels: those of products have a fixed width, those of
 * factorizations are no wider than blocks. */
enum { PANEL = 128, FACTORED = 64 };

double
hesca_hohe_per_operation(hesca_type type)
{
    static const double work[] = {
        [HESCA_S] = 0.5, [HESCA_D] = 1, [HESCA_C] = 2, [HESCA_Z] = 4};
    return work[type];
}

/* --- the job ---
 * Pure; integer arithmetic or operations that are the same on all hosts. */

/* Largest x with x^3 <= a, without libm, because its roots may differ between
 * hosts. */
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

/* The routine with the same operations: two triangles count as a product. */
static hesca_routine
kind(const hesca_hohe_job *job)
{
    return job->solves ? HESCA_ROUTINE_GEMM : job->routine;
}

/* The routine that HESCA's kernel is like, by its steps, and its operations
 * relative to that. */
typedef struct {
    hesca_routine routine;
    double operations;
} likeness;

static likeness
like(const hesca_hohe_job *job)
{
    if (job->solves)
        return (likeness){HESCA_ROUTINE_GEMM, HESCA_SOLVING};
    switch (job->routine) {
    case HESCA_ROUTINE_SYRK:
        return (likeness){HESCA_ROUTINE_GEMM, 0.5};
    case HESCA_ROUTINE_TRSM:
        return (likeness){HESCA_ROUTINE_GEMM, HESCA_SOLVING / 2};
    case HESCA_ROUTINE_POTRI:
        return (likeness){HESCA_ROUTINE_GEMM, 1.0 / 3};
    case HESCA_ROUTINE_GETRI:
        return (likeness){HESCA_ROUTINE_GEMM, 2.0 / 3};
    case HESCA_ROUTINE_ORMQR:
        return (likeness){HESCA_ROUTINE_GEMM, 1};
    case HESCA_ROUTINE_GEQRF:
        return (likeness){HESCA_ROUTINE_GESV, 2};
    default:
        return (likeness){kind(job), 1};
    }
}

hesca_job
hesca_hohe_square_job(const hesca_hohe_job *job)
{
    const hesca_routine routine = kind(job);
    const double terms =
        (double)job->m * (double)job->n *
        (double)(routine == HESCA_ROUTINE_GESV ? hesca_min(job->m, job->n)
                                               : job->k);
    return (hesca_job){
        .routine = routine, .n = cube_root(terms), .nb = job->home.nb};
}

/* The square job of HoHe. */
static hesca_job
square_job_of_hohe(const hesca_hohe_job *job)
{
    hesca_job same = hesca_hohe_square_job(job);
    same.routine = like(job).routine;
    same.nb = job->routine == HESCA_ROUTINE_GEMM && !job->solves ? PANEL
              : same.nb < FACTORED                               ? same.nb
                                                                 : FACTORED;
    return same;
}

/* Bytes of an element, relative to type double. */
static double
per_element(hesca_type type)
{
    return (double)hesca_type_size(type) / 8;
}

/* Messages of P?GEMM of A and B by HoHe, where C stays in place, relative to
 * those of the square job. */
static hesca_gblock_traffic
traffic_of(const hesca_hohe_job *job)
{
    const hesca_job same = square_job_of_hohe(job);
    const double square = (double)same.n * (double)same.n;
    hesca_gblock_traffic t = {.forwards = 1, .along_rows = 1, .along_cols = 1};
    if (job->solves || job->routine == HESCA_ROUTINE_TRSM)
        return hesca_hohe_solve_traffic(job, square);
    if (job->routine == HESCA_ROUTINE_GEMM) {
        t.along_rows = (double)job->m * (double)job->k / square;
        t.along_cols = (double)job->k * (double)job->n / square;
    }
    return t;
}

/* The same of all messages of ScaLAPACK's: the largest of the three matrices
 * stays in place. */
static double
messages_of_original(const hesca_hohe_job *job, const hesca_job *same)
{
    const double m = (double)job->m, n = (double)job->n, k = (double)job->k;
    const double all = m * n + m * k + n * k;
    const double square = (double)same->n * (double)same->n;
    return per_element(job->type) *
           (job->routine != HESCA_ROUTINE_GEMM || job->solves
                ? 1
                : (all - fmax(fmax(m * n, m * k), n * k)) / (2 * square));
}

double
hesca_hohe_excess(int64_t n, int nb, int np)
{
    const int64_t blocks = n / nb, more = blocks % np > 0 ? nb : n % nb;
    const int64_t most = blocks / np * nb + more;
    return (double)most * np / (double)n;
}

/* Imbalance of an m x n matrix relative to that of the square job's: a single
 * column on a grid of npcol process columns is all on one of them. */
static double
stretch(int64_t m, int64_t n, const hesca_job *same, int nb, int nprow,
        int npcol)
{
    const double square = hesca_hohe_excess(same->n, same->nb, nprow) *
                          hesca_hohe_excess(same->n, same->nb, npcol);
    return fmax(1, hesca_hohe_excess(m, nb, nprow) *
                       hesca_hohe_excess(n, nb, npcol) / square);
}

double
hesca_hohe_seconds(const hesca_hohe_job *job, const hesca_job *same, int nprow,
                   int npcol, const hesca_forecast *f)
{
    const int nb = same->nb;
    double uneven = stretch(job->m, job->n, same, nb, nprow, npcol);
    /* P?GEMM computes at the owners of the largest matrix. */
    if (job->routine == HESCA_ROUTINE_GEMM)
        uneven = fmin(uneven,
                      fmin(stretch(job->m, job->k, same, nb, nprow, npcol),
                           stretch(job->k, job->n, same, nb, nprow, npcol)));
    return f->compute * hesca_hohe_per_operation(job->type) * uneven +
           f->communicate * messages_of_original(job, same);
}

/* Operations per second of the process at place k of n. */
static double
speed_of(const hesca_machine *machine, const int *host, const hesca_job *job,
         int n, int k)
{
    return hesca_job_speed(machine, job, host[k], n) *
           hesca_gblock_core(machine, host, n, k);
}

static double
speed_at(const hesca_machine *machine, const int *host,
         const hesca_hohe_job *job, int n, int k)
{
    const hesca_job same = hesca_hohe_square_job(job);
    return speed_of(machine, host, &same, n, k);
}

/* Whether, for matrices of this order, the slowest process is below the mean
 * speed by more than the accuracy of measured speeds. */
static int
differ_at(const hesca_machine *machine, const int *host, int n,
          const hesca_job *job)
{
    double sum = 0, least = INFINITY;
    for (int k = 0; k < n; ++k) {
        const double speed = speed_of(machine, host, job, n, k);
        sum += speed;
        least = fmin(least, speed);
    }
    return sum > (1 + ACCURACY) * least * n;
}

int
hesca_hohe_hosts_differ(const hesca_machine *machine, const int *host, int n,
                        hesca_routine routine)
{
    static const int order[] = {256, 1024, 4096, 16384};
    const int norders = sizeof order / sizeof *order;
    int differ = 0;
    for (int k = 0; k < norders && !differ; ++k)
        differ = differ_at(
            machine, host, n,
            &(hesca_job){.routine = routine, .n = order[k], .nb = 64});
    return differ;
}

void
hesca_hohe_speeds(const hesca_machine *machine, const int *host,
                  const hesca_hohe_job *job, double *speed)
{
    const int n = job->home.nprow * job->home.npcol;
    const int differ = hesca_hohe_hosts_differ(machine, host, n, job->routine);
    for (int k = 0; k < n; ++k)
        speed[k] = speed_at(machine, host, job, n, differ ? k : 0);
}

/* Bytes of the whole local array, which may begin before sub(C). */
double
hesca_hohe_bytes(const hesca_hohe_job *job, const hesca_layout *layout,
                 int rank)
{
    int64_t rows = 0, cols = 0;
    hesca_layout_local_size(layout, rank, &rows, &cols);
    return (double)rows * (double)cols * (double)hesca_type_size(job->type);
}

double
hesca_hohe_staging(const hesca_hohe_job *job, const hesca_hohe_cut *cut)
{
    double most = 0;
    for (int k = 0; k < job->home.nprow * job->home.npcol; ++k)
        most = fmax(most, hesca_hohe_bytes(job, cut->cut, k));
    return most;
}

/* --- seconds ---
 * All terms are seconds of the slowest process, summed up for phases that
 * follow each other. */

static int
places(const hesca_hohe_scales *x)
{
    return x->job->home.nprow * x->job->home.npcol;
}

double
hesca_hohe_speed_at(const hesca_hohe_scales *x, int k)
{
    return speed_at(x->machine, x->host, x->job, places(x), k);
}

double
hesca_hohe_message_speed(const hesca_hohe_scales *x, int k)
{
    return hesca_message_speed(
        x->machine, x->host[k],
        hesca_gblock_core(x->machine, x->host, places(x), k));
}

double
hesca_hohe_latency(const hesca_hohe_scales *x)
{
    const hesca_machine *m = x->machine;
    const int n = places(x);
    double slowest = 0;
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l)
            slowest =
                fmax(slowest, m->wire[(size_t)x->host[k] * (size_t)m->nhosts +
                                      (size_t)x->host[l]]
                                  .startup);
    return slowest + WAKE;
}

double
hesca_hohe_agreements(const hesca_hohe_scales *x)
{
    const int n = places(x);
    int rounds = 0;
    while (n > 1 << rounds)
        ++rounds;
    return AGREEMENTS * rounds * hesca_hohe_latency(x);
}

int
hesca_hohe_check_memory(const hesca_hohe_scales *x,
                        const hesca_layout *const copy[HESCA_HOHE_MATRICES])
{
    const hesca_job same = hesca_hohe_square_job(x->job);
    const int n = places(x);
    const double own =
        hesca_job_bytes(&same) / n * (double)hesca_type_size(x->job->type) / 8;
    for (int k = 0; k < n; ++k) {
        const hesca_host *h = &x->machine->host[x->host[k]];
        double filled = 0;
        for (int l = 0; l < n; ++l)
            for (int c = -1;
                 c < HESCA_HOHE_MATRICES && x->host[l] == x->host[k]; ++c)
                filled += c < 0 ? own
                          : copy != NULL && copy[c] != NULL
                              ? hesca_hohe_bytes(x->job, copy[c], l)
                              : 0;
        if (h->memory > 0 && filled > h->memory)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "%.0f bytes of memory on %s are too few%s: the "
                              "matrices take %.0f bytes",
                              h->memory, h->name,
                              copy != NULL ? " for a copy" : "", filled);
    }
    return HESCA_SUCCESS;
}

/* The part of the elements of a layout's local arrays that belongs to
 * sub(C). */
static double
part_of(const hesca_hohe_scales *x, const hesca_hohe_copy *copy)
{
    const double esize = (double)hesca_type_size(x->job->type);
    double all = 0;
    for (int k = 0; k < places(x); ++k)
        all += hesca_hohe_bytes(x->job, copy->from, k);
    return (double)copy->m * (double)copy->n * esize / fmax(all, esize);
}

/* Seconds that process k is busy with a copy: moving all that it receives, and
 * handling messages; it sends `part` of its array. */
static double
carrying(const hesca_hohe_scales *x, const hesca_hohe_copy *copy,
         const hesca_problem *problem, double part, int k)
{
    const double in = hesca_hohe_bytes(x->job, copy->to, k);
    const double out = part * hesca_hohe_bytes(x->job, copy->from, k);
    double own = 0;
    int r, c, s, d;
    if (hesca_layout_coords(copy->from, k, &r, &c) &&
        hesca_layout_coords(copy->to, k, &s, &d))
        own = (double)hesca_type_size(x->job->type) *
              (double)hesca_problem_common(problem, r, c, s, d);
    return (COPY * in + HESCA_HANDLING * fmax(in + out - 2 * own, 0)) /
           hesca_hohe_message_speed(x, k);
}

int
hesca_hohe_weigh_copy(const hesca_hohe_scales *x, const hesca_hohe_copy *copy,
                      double *seconds)
{
    /* Either triangle takes half of the time of the whole. */
    const double half = copy->part == HESCA_ALL ? 1 : 0.5;
    const double part = part_of(x, copy);
    const size_t esize = hesca_type_size(x->job->type);
    double slowest = 0;
    hesca_problem problem = {0};
    hesca_choice choice;
    int err;
    HESCA_TRY(err, hesca_problem_init(&problem, HESCA_ALL, copy->m, copy->n,
                                      copy->from, copy->i, copy->j, copy->to,
                                      copy->k, copy->l, esize));
    hesca_choose("auto", &problem, x->links, &choice);
    if (choice.failed)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "predictions of schedules"));
    for (int k = 0; k < places(x); ++k)
        slowest = fmax(slowest, carrying(x, copy, &problem, part, k));
    *seconds = half * (fmax(choice.seconds, slowest) +
                       (1 - CONCURRENT) * fmin(choice.seconds, slowest));
fail:
    hesca_problem_clear(&problem);
    return err;
}

int
hesca_hohe_copies_meanwhile(const hesca_hohe_job *job,
                            const hesca_hohe_cut *cut)
{
    /* One process alone has no waits that a copy could fill. */
    const hesca_gblock_info g = hesca_gblock_get_info(cut->gblock);
    return cut->process != NULL && g.nprow * g.npcol > 1 &&
           (job->routine == HESCA_ROUTINE_POTRF ||
            (job->routine == HESCA_ROUTINE_GESV && g.nprow == 1));
}

/* Copies in, if sub(C) is read, and out.
 * \param [in] computing  Seconds that may hide them. */
static int
weigh_copies(const hesca_hohe_scales *x, const hesca_hohe_cut *cut,
             double computing, double *seconds)
{
    double once;
    const hesca_hohe_job *job = x->job;
    const hesca_hohe_copy out = {
        .part = kind(job) == HESCA_ROUTINE_POTRF ? HESCA_LOWER : HESCA_ALL,
        .m = job->m,
        .n = job->n,
        .from = cut->home,
        .i = job->home.i,
        .j = job->home.j,
        .to = cut->cut,
        .k = cut->i,
        .l = cut->j};
    int err;
    HESCA_TRY(err, hesca_hohe_weigh_copy(x, &out, &once));
    *seconds = job->reads ? 2 * once : once;
    if (hesca_hohe_copies_meanwhile(job, cut))
        *seconds -= HIDDEN * fmin(*seconds, computing);
fail:
    return err;
}

static double
slowest_speed(const hesca_hohe_scales *x)
{
    double slowest = INFINITY;
    for (int k = 0; k < places(x); ++k)
        slowest = fmin(slowest, hesca_hohe_message_speed(x, k));
    return slowest;
}

int
hesca_hohe_weigh_original(const hesca_hohe_scales *x, hesca_hohe_forecast *f,
                          double *least)
{
    const hesca_hohe_job *job = x->job;
    const hesca_job same = hesca_hohe_square_job(job);
    const int p = job->home.nprow, q = job->home.npcol;
    hesca_forecast made;
    int err;
    if (job->solves) {
        HESCA_TRY(err, hesca_hohe_weigh_solve(x, &f->original, &made));
    } else {
        HESCA_TRY(
            err, hesca_forecast_make(x->machine, &same, p, q, x->host, &made));
        f->original = hesca_hohe_seconds(job, &same, p, q, &made);
    }
    if (job->routine == HESCA_ROUTINE_TRSM)
        f->original = hesca_hohe_triangle_seconds(x, f->original);
    f->homogeneous = !hesca_hohe_hosts_differ(x->machine, x->host, places(x),
                                              x->job->routine);
    hesca_hohe_set_margins(x->job, slowest_speed(x), f);
    *least = made.ideal * hesca_hohe_per_operation(job->type) +
             hesca_hohe_agreements(x);
fail:
    return err;
}

/* Whether the layout of C describes the factors of the square job. */
static int
are_factors_at_home(const hesca_hohe_job *job, const hesca_job *same)
{
    return job->routine == HESCA_ROUTINE_GEMM && job->home.m >= same->n &&
           job->home.n >= same->n;
}

/* The time of HoHe without copies and agreements. */
static int
walk(const hesca_hohe_scales *x, const hesca_hohe_cut *cut, double *seconds)
{
    const hesca_hohe_job *job = x->job;
    const hesca_job by_hohe = square_job_of_hohe(job);
    hesca_gblock_traffic traffic = traffic_of(job);
    const hesca_gblock_info g = hesca_gblock_get_info(cut->gblock);
    const int n = g.nprow * g.npcol;
    int *host = malloc((size_t)n * sizeof *host), err;
    hesca_forecast made;
    if (host == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", n));
    for (int k = 0; k < n; ++k)
        host[k] = x->host[cut->process != NULL ? cut->process[k] : k];
    if (are_factors_at_home(job, &by_hohe))
        traffic.source = cut->home;
    HESCA_TRY(err, hesca_gblock_predict_from(cut->gblock, &traffic, &by_hohe,
                                             x->machine, host, &made));
    *seconds = like(job).operations * made.compute *
                   hesca_hohe_per_operation(job->type) +
               made.communicate * per_element(job->type);
fail:
    free(host);
    return err;
}

int
hesca_hohe_weigh(const hesca_hohe_scales *x, const hesca_hohe_cut *cut,
                 hesca_hohe_forecast *f)
{
    const hesca_hohe_job *job = x->job;
    const hesca_layout *const copy[HESCA_HOHE_MATRICES] = {cut->cut};
    const hesca_gblock_info g = hesca_gblock_get_info(cut->gblock);
    double copying = 0, computing;
    int err;
    HESCA_TRY(err, hesca_hohe_check_memory(x, copy));
    if (hesca_hohe_is_narrow(job))
        computing = hesca_hohe_narrow_seconds(x);
    else
        HESCA_TRY(err, walk(x, cut, &computing));
    if (job->routine == HESCA_ROUTINE_GEMM && !job->solves)
        HESCA_TRY(err,
                  hesca_hohe_weigh_product(x, cut, &computing, &f->stays));
    hesca_hohe_set_margins(job, slowest_speed(x), f);
    if (cut->moved > 0) {
        HESCA_TRY(err, weigh_copies(x, cut, computing, &copying));
        f->staging = hesca_hohe_staging(job, cut);
    }
    f->copying = copying;
    f->power = cut->power;
    f->moved = cut->moved;
    f->hohe_nprow = cut->process != NULL ? g.nprow : 0;
    f->hohe_npcol = cut->process != NULL ? g.npcol : 0;
    f->hohe = computing + hesca_hohe_agreements(x) + copying;
fail:
    return err;
}

/* --- the public function ---
 * The forecast is set only on success. */

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
         (unsigned)job->routine <= HESCA_ROUTINE_GESV,
         "HESCA_ROUTINE_GEMM, POTRF or GESV"},
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
    const hesca_side *factor[] = {&job->a, &job->b};
    for (int k = 0;
         k < 2 && job->routine == HESCA_ROUTINE_GEMM && !job->solves; ++k)
        if (factor[k]->nprow != 0 &&
            (factor[k]->nprow != h->nprow || factor[k]->npcol != h->npcol))
            return hesca_fail_arg(name, 3, k == 0 ? "a.nprow" : "b.nprow",
                                  factor[k]->nprow,
                                  "0, or with npcol the grid of home");
    for (int k = 0; k < h->nprow * h->npcol; ++k)
        if (host[k] < 0 || host[k] >= machine->nhosts)
            return hesca_fail_arg(name, 2, "an entry of host", host[k],
                                  "the number of a host of the machine");
    return HESCA_SUCCESS;
}

/* Predict both other ways, each if possible. */
static int
weigh_others(const hesca_hohe_scales *x, hesca_hohe_forecast *f)
{
    double *speed = malloc((size_t)places(x) * sizeof *speed);
    hesca_hohe_cut cut = {0};
    hesca_hohe_regrid grid = {0};
    int err;
    if (speed == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d speeds", places(x));
    hesca_hohe_speeds(x->machine, x->host, x->job, speed);
    HESCA_TRY(err, hesca_hohe_cut_init(x->job, speed, &cut));
    err = hesca_hohe_weigh(x, &cut, f);
    if (err == HESCA_SUCCESS || err == HESCA_ERR_ARG)
        HESCA_TRY(err, hesca_hohe_choose_cut(x, speed, &cut, f));
    if ((err == HESCA_SUCCESS || err == HESCA_ERR_ARG) && !x->job->solves)
        err = hesca_hohe_weigh_grid(
            x,
            x->job->routine == HESCA_ROUTINE_POTRF ? HESCA_LOWER : HESCA_ALL,
            f, &grid);
    err = err == HESCA_ERR_ARG ? HESCA_SUCCESS : err;
fail:
    free(speed);
    hesca_hohe_cut_clear(&cut);
    hesca_hohe_regrid_clear(&grid);
    return err;
}

int
hesca_hohe_predict(const hesca_machine *machine, const int *host,
                   const hesca_hohe_job *job, hesca_hohe_forecast *forecast)
{
    hesca_hohe_forecast f = {0};
    hesca_network network = {0};
    hesca_link_costs links;
    const hesca_hohe_scales x = {machine, host, job, &links};
    double least;
    int err;
    HESCA_TRY(err, check(machine, host, job));
    if (forecast == NULL)
        return hesca_fail_null("hesca_hohe_predict", 4, "forecast");
    HESCA_TRY(err,
              hesca_network_of_hosts(machine, places(&x), host, &network));
    links =
        hesca_link_costs_make(hesca_machine_costs(machine, 0, 1), &network);
    HESCA_TRY(err, hesca_hohe_weigh_original(&x, &f, &least));
    HESCA_TRY(err, weigh_others(&x, &f));
    *forecast = f;
fail:
    hesca_network_clear(&network);
    return err;
}
