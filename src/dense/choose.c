/* What a call takes: ScaLAPACK's routine on the grid as it is, or HoHe.
 *
 * Both are predicted for a job on square matrices with as many operations, by
 * hesca_forecast_make() and hesca_gblock_predict(); messages in proportion to
 * what A and B have.  To HoHe come the copies of sub(C), in and out: messages
 * as the schedules predict them, and the reading and writing of what a process
 * keeps; and the agreements between its parts. */
#include "dense/choose.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/gblock_walk.h"
#include "dense/kernels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds per byte to copy what stays on its process, on a core. */
#define COPY 5e-10

/* Seconds until a process notices a message: place/site.h. */
#define WAKE 5e-5

/* Agreements in a call. */
enum { AGREEMENTS = 6 };

/* Columns of panels: those of products are as wide as they want to be, those
 * of factorizations no wider than blocks. */
enum { PANEL = 128, FACTORED = 64 };

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

/* The same by HoHe. */
static hesca_job
alike_by_hohe(const hesca_hohe_job *job)
{
    hesca_job same = alike(job);
    same.nb = job->routine == HESCA_GEMM ? PANEL
              : same.nb < FACTORED       ? same.nb
                                         : FACTORED;
    return same;
}

/* Part of the messages of the square job that this one has. */
static double
messages(const hesca_hohe_job *job, const hesca_job *same)
{
    const double n = (double)same->n;
    const double bytes = (double)hesca_type_size(job->type) / 8;
    return job->routine != HESCA_GEMM
               ? bytes
               : bytes * (double)job->k * ((double)job->m + (double)job->n) /
                     (2 * n * n);
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

/* sub(C) as a matrix of its own, which begins with the block in which it
 * begins. */
static int
make_near(const hesca_hohe_job *job, const double *speed, hesca_hohe_cut *cut)
{
    const hesca_side *h = &job->home;
    const int rsrc = (int)((h->i / h->mb + h->rsrc) % h->nprow);
    const int csrc = (int)((h->j / h->nb + h->csrc) % h->npcol);
    hesca_layout *own = NULL;
    int err;
    HESCA_TRY(err, hesca_layout_create_cyclic(cut->rows, cut->cols, h->mb,
                                              h->nb, rsrc, csrc, h->nprow,
                                              h->npcol, NULL, &own));
    HESCA_TRY(err,
              hesca_gblock_near(own, speed, 0, 0, &cut->moved, &cut->gblock));
fail:
    hesca_layout_free(own);
    return err;
}

int
hesca_hohe_cut_make(const hesca_hohe_job *job, const double *speed,
                    hesca_hohe_cut *cut)
{
    const hesca_side *h = &job->home;
    int err;
    memset(cut, 0, sizeof *cut);
    cut->i = h->i % h->mb;
    cut->j = h->j % h->nb;
    cut->rows = cut->i + job->m;
    cut->cols = cut->j + job->n;
    HESCA_TRY(err, hesca_layout_create_cyclic(h->m, h->n, h->mb, h->nb,
                                              h->rsrc, h->csrc, h->nprow,
                                              h->npcol, NULL, &cut->home));
    HESCA_TRY(err, make_near(job, speed, cut));
    cut->cut = hesca_gblock_layout(cut->gblock);
fail:
    if (err < 0)
        hesca_hohe_cut_clear(cut);
    return err;
}

void
hesca_hohe_cut_clear(hesca_hohe_cut *cut)
{
    hesca_layout_free(cut->home);
    hesca_gblock_free(cut->gblock);
    memset(cut, 0, sizeof *cut);
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

/* ------------------------------------------------ seconds */

/* A call being weighed. */
typedef struct {
    const hesca_machine *machine;
    const int *host; /* by place */
    const hesca_hohe_job *job;
    const hesca_hohe_cut *cut;
} scales;

/* Seconds that all wait for agreements. */
static double
agreements(const scales *x)
{
    const hesca_machine *m = x->machine;
    const int n = x->job->home.nprow * x->job->home.npcol;
    int rounds = 0;
    double slowest = 0;
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l)
            slowest =
                fmax(slowest, m->wire[(size_t)x->host[k] * (size_t)m->nhosts +
                                      (size_t)x->host[l]]
                                  .startup);
    while (n > 1 << rounds)
        ++rounds;
    return AGREEMENTS * rounds * (slowest + WAKE);
}

/* Whether matrices and copies fit into the memory that hosts are known to
 * have. */
static int
check_memory(const scales *x)
{
    const hesca_job same = alike(x->job);
    const int n = x->job->home.nprow * x->job->home.npcol;
    const double own =
        hesca_job_bytes(&same) / n * (double)hesca_type_size(x->job->type) / 8;
    for (int k = 0; k < n; ++k) {
        const hesca_host *h = &x->machine->host[x->host[k]];
        double filled = 0;
        for (int l = 0; l < n; ++l)
            if (x->host[l] == x->host[k])
                filled += own + bytes_at(x->job, x->cut, l);
        if (h->memory > 0 && filled > h->memory)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "%.0f bytes of memory on %s are too few for a "
                              "copy, with the matrices %.0f bytes",
                              h->memory, h->name, filled);
    }
    return HESCA_SUCCESS;
}

/* Copies in, if sub(C) is read, and out. */
static int
weigh_copies(const scales *x, const hesca_outlook *outlook, double *seconds)
{
    const hesca_hohe_job *job = x->job;
    const hesca_hohe_cut *cut = x->cut;
    const int ways = job->reads ? 2 : 1;
    /* A triangle takes half of the whole, either of them. */
    const double half = job->routine == HESCA_POTRF ? 0.5 : 1;
    double slowest = 0;
    hesca_problem problem;
    hesca_choice choice;
    int err;
    HESCA_TRY(err,
              hesca_problem_make(&problem, HESCA_ALL, job->m, job->n, cut->cut,
                                 cut->i, cut->j, cut->home, job->home.i,
                                 job->home.j, hesca_type_size(job->type)));
    hesca_choose("auto", &problem, outlook, &choice);
    hesca_problem_clear(&problem);
    if (choice.failed)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "predictions of schedules"));
    for (int k = 0; k < job->home.nprow * job->home.npcol; ++k)
        slowest =
            fmax(slowest, bytes_at(job, cut, k) * COPY /
                              fmin(1, x->machine->host[x->host[k]].cores));
    *seconds = ways * half * (choice.seconds + slowest);
fail:
    return err;
}

/* Whether the home of sub(C) tells where the factors of a square job are. */
static int
fits(const hesca_hohe_job *job, const hesca_job *same)
{
    return job->home.m >= same->n && job->home.n >= same->n;
}

/* Of a forecast for the square job. */
static double
seconds_of(const scales *x, const hesca_job *same, const hesca_forecast *f)
{
    return f->compute * work[x->job->type] +
           f->communicate * messages(x->job, same);
}

int
hesca_hohe_weigh_real(const hesca_machine *machine, const int *host,
                      const hesca_hohe_job *job, double *real, double *least)
{
    const scales x = {machine, host, job, NULL};
    const hesca_job same = alike(job);
    hesca_forecast made;
    int err;
    HESCA_TRY(err, hesca_forecast_make(machine, &same, job->home.nprow,
                                       job->home.npcol, host, &made));
    *real = seconds_of(&x, &same, &made);
    *least = made.ideal * work[job->type] + agreements(&x);
fail:
    return err;
}

int
hesca_hohe_weigh(const hesca_machine *machine, const int *host,
                 const hesca_hohe_job *job, const hesca_hohe_cut *cut,
                 const hesca_outlook *outlook, hesca_hohe_forecast *forecast)
{
    const scales x = {machine, host, job, cut};
    const hesca_job same = alike(job), by_hohe = alike_by_hohe(job);
    hesca_hohe_forecast f = {.staging = hesca_hohe_staging(job, cut),
                             .moved = cut->moved};
    hesca_forecast made;
    double least;
    int err;
    HESCA_TRY(err, hesca_hohe_weigh_real(machine, host, job, &f.real, &least));
    HESCA_TRY(err, check_memory(&x));
    HESCA_TRY(err, hesca_gblock_predict_from(cut->gblock,
                                             job->routine == HESCA_GEMM &&
                                                     fits(job, &by_hohe)
                                                 ? cut->home
                                                 : NULL,
                                             &by_hohe, machine, host, &made));
    HESCA_TRY(err, weigh_copies(&x, outlook, &f.copying));
    f.hohe = seconds_of(&x, &same, &made) + agreements(&x) + f.copying;
    *forecast = f;
fail:
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
    HESCA_TRY(err,
              hesca_hohe_weigh(machine, host, job, &cut, &outlook, forecast));
fail:
    free(speed);
    hesca_network_clear(&network);
    hesca_hohe_cut_clear(&cut);
    return err;
}
