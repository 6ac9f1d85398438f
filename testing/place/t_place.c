/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement: names and sizes of jobs; forecasts against formulas of the HMPI
 * thesis; the places that the search finds against all there are; shapes
 * against all shapes; bad arguments. */
#include "place/search.h"
#include "testing/unit.h"
#include <limits.h>
#include <math.h>

enum { HOSTS = 4, PLACES = 12 };

/* Hosts h0, h1, ... of one core and speed 1, wires equal between all. */
static hesca_machine
alike(int n, double startup, double rate)
{
    char text[HOSTS * 3][16];
    const char *name[HOSTS * 3];
    hesca_machine m = hesca_machine_default();
    for (int i = 0; i < n; ++i) {
        snprintf(text[i], sizeof text[i], "h%d", i);
        name[i] = text[i];
    }
    CHECK(hesca_machine_set_hosts(&m, n, name) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int k = 0; k < n * n; ++k)
        m.wire[k] = (hesca_wire){startup, rate};
    return m;
}

static int
is_near(double x, double y)
{
    return fabs(x - y) <= 1e-9 * fabs(y);
}

/* ------------------------------------------------ jobs */

static void
routines(void)
{
    static const struct {
        const char *name;
        int routine;
    } good[] = {
        {"gemm", HESCA_ROUTINE_GEMM},     {"pdgemm", HESCA_ROUTINE_GEMM},
        {"dgemm", HESCA_ROUTINE_GEMM},    {"pzgemm", HESCA_ROUTINE_GEMM},
        {"potrf", HESCA_ROUTINE_POTRF},   {"pdpotrf", HESCA_ROUTINE_POTRF},
        {"pdposv", HESCA_ROUTINE_POTRF},  {"posv", HESCA_ROUTINE_POTRF},
        {"gesv", HESCA_ROUTINE_GESV},     {"pdgesv", HESCA_ROUTINE_GESV},
        {"pdgetrf", HESCA_ROUTINE_GESV},  {"getrf", HESCA_ROUTINE_GESV},
        {"pdgels", HESCA_ROUTINE_GELS},   {"pzherk", HESCA_ROUTINE_SYRK},
        {"pzheevd", HESCA_ROUTINE_SYEVD}, {"syevr", HESCA_ROUTINE_SYEVR},
        {"pcunmqr", HESCA_ROUTINE_ORMQR}};
    static const char *const bad[] = {"",        "p",     "pd",     "pgemm",
                                      "PDGEMM",  "gemm ", "pdgemv", "potrs",
                                      "pdgemmm", "xgemm", "ddgemm"};
    hesca_routine r;
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        r = (hesca_routine)-1;
        CHECK(hesca_routine_find(good[k].name, &r) == 1 &&
                  (int)r == good[k].routine,
              "%s is %d", good[k].name, (int)r);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        CHECK(hesca_routine_find(bad[k], &r) == 0, "%s is %d", bad[k], (int)r);
    CHECK(hesca_routine_find(NULL, &r) == 0, "NULL");
    for (int k = HESCA_ROUTINE_GEMM; k < HESCA_ROUTINES; ++k)
        CHECK(hesca_routine_find(hesca_routine_name((hesca_routine)k), &r) &&
                  (int)r == k,
              "%d", k);
    CHECK(
        is_near(hesca_job_flops(&(hesca_job){HESCA_ROUTINE_GEMM, 100, 8}),
                2e6) &&
            is_near(hesca_job_flops(&(hesca_job){HESCA_ROUTINE_POTRF, 300, 8}),
                    9e6) &&
            is_near(hesca_job_flops(&(hesca_job){HESCA_ROUTINE_GESV, 300, 8}),
                    18e6),
        "operations");
    CHECK(
        is_near(hesca_job_bytes(&(hesca_job){HESCA_ROUTINE_GEMM, 100, 8}),
                24e4) &&
            is_near(hesca_job_bytes(&(hesca_job){HESCA_ROUTINE_GESV, 100, 8}),
                    8e4),
        "bytes");
}

/* The model of the kernel, of dgemm, the relative speed: in this order. */
static void
speeds(void)
{
    const hesca_knot knot[] = {{1e4, 2e9, 2e9, 2e9}, {1e6, 4e9, 4e9, 4e9}};
    const hesca_job gemm = {HESCA_ROUTINE_GEMM, 2000, 64};
    const hesca_job gesv = {HESCA_ROUTINE_GESV, 2000, 64};
    hesca_machine m = alike(2, 0, 1e9);
    hesca_speed *model, *own;
    m.host[1].speed = 0.5;
    CHECK(is_near(hesca_job_speed(&m, &gemm, 1, 4), 5e9), "relative");
    m.unit.flops = 3e10;
    CHECK(is_near(hesca_job_speed(&m, &gemm, 1, 4), 1.5e10), "with a unit");
    CHECK(hesca_speed_create(2, knot, 1e6, &model) == HESCA_SUCCESS &&
              hesca_speed_create_constant(1e9, INFINITY, &own) ==
                  HESCA_SUCCESS &&
              hesca_machine_set_speed(&m, 1, "dgemm", model) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    CHECK(is_near(hesca_job_speed(&m, &gemm, 1, 4), 4e9), "at 10^6 elements");
    CHECK(is_near(hesca_job_speed(&m, &gemm, 1, 400), 2e9), "at 10^4");
    CHECK(!(hesca_job_speed(&m, &gemm, 1, 3) > 0), "beyond the limit");
    CHECK(is_near(hesca_job_speed(&m, &gesv, 1, 4), 0.82 * 4e9), "of dgemm");
    CHECK(hesca_machine_set_speed(&m, 1, "dgetrf", own) == HESCA_SUCCESS &&
              is_near(hesca_job_speed(&m, &gesv, 1, 4), 1e9) &&
              is_near(hesca_job_speed(&m, &gemm, 1, 4), 4e9),
          "of dgetrf");
    hesca_speed_free(model);
    hesca_speed_free(own);
    hesca_machine_clear(&m);
}

/* ------------------------------------------------ forecasts */

/* Of a binomial tree. */
static int
levels(int n)
{
    return n > 8 ? 4 : n > 4 ? 3 : n > 2 ? 2 : n > 1 ? 1 : 0;
}

/* Bytes along rows count where rows have several processes, and so on. */
static void
scaled(const hesca_machine *m, const hesca_job *job, int p, int q,
       const int *host, double seconds)
{
    const double times[][2] = {{1, 1}, {3, 1}, {1, 3}, {-1, 1}, {1, NAN}};
    for (int k = 0; k < 5; ++k) {
        hesca_forecast f = {.seconds = -1};
        const int err = hesca_forecast_scaled(m, job, p, q, host, times[k][0],
                                              times[k][1], &f);
        const int more = (k == 1 && q > 1) || (k == 2 && p > 1);
        if (k > 2)
            CHECK(err == HESCA_ERR_ARG && f.seconds == -1, "%g, %g accepted",
                  times[k][0], times[k][1]);
        else
            CHECK(err == HESCA_SUCCESS &&
                      (more ? f.seconds > seconds : f.seconds == seconds),
                  "%d x %d, bytes times %g and %g: %g s, not %g", p, q,
                  times[k][0], times[k][1], f.seconds, seconds);
    }
}

/* On equal processors, one process each: n^3 / (p q) products; broadcasts move
 * n^2 (p + q - 2) elements in all (HMPI thesis 5.2.2: n (p - 1) + n (q - 1)
 * blocks for each of n pivots).  All wait for two broadcasts per block. */
static void
homogeneous(void)
{
    static const int grid[][2] = {{1, 1}, {1, 4}, {2, 2},
                                  {3, 3}, {4, 3}, {6, 2}};
    for (size_t k = 0; k < sizeof grid / sizeof *grid; ++k) {
        const int p = grid[k][0], q = grid[k][1], n = p * q;
        hesca_machine m = alike(n, 1e-4, 1e8);
        hesca_job job = {HESCA_ROUTINE_GEMM, 64 * 144, 64};
        hesca_forecast f;
        int host[PLACES];
        for (int i = 0; i < n; ++i)
            host[i] = i;
        CHECK(hesca_forecast_make(&m, &job, p, q, host, &f) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        scaled(&m, &job, p, q, host, f.seconds);
        const double order = (double)job.n;
        const double flops = 2 * order * order * order;
        const double bytes = 8 * order * order * (p + q - 2);
        CHECK(is_near(f.compute, flops / n / 1e10), "%d x %d: %g", p, q,
              f.compute);
        CHECK(is_near(f.ideal, f.compute) && is_near(f.bound, f.compute),
              "%d x %d: %g %g", p, q, f.ideal, f.bound);
        /* Sent and received by each of n processes: wires are busy with it,
         * each way, and processors, which take less than twice as long. */
        const double waits = 144 * (levels(p) + levels(q)) *
                             (1e-4 + hesca_wakeup_seconds(1e10));
        const double more = f.communicate - waits - bytes / n / 1e8;
        CHECK(more > -1e-9 * f.seconds && more <= 2 * bytes / n / 1e8,
              "%d x %d: %g", p, q, f.communicate);
        CHECK(is_near(f.seconds, f.compute + f.communicate), "%g", f.seconds);
        /* Faster kernels compute faster; messages take as long as before. */
        const hesca_forecast before = f;
        m.unit.flops *= 4;
        CHECK(hesca_forecast_make(&m, &job, p, q, host, &f) == HESCA_SUCCESS &&
                  is_near(f.compute, before.compute / 4) &&
                  is_near(f.communicate, before.communicate),
              "%d x %d with fast kernels: %g, %g", p, q, f.compute,
              f.communicate);
        m.unit.flops /= 4;
        job.routine = HESCA_ROUTINE_POTRF;
        CHECK(hesca_forecast_make(&m, &job, p, q, host, &f) == HESCA_SUCCESS &&
                  is_near(f.compute, flops / 6 / n / 0.82e10),
              "%d x %d: %g", p, q, f.compute);
        job.routine = HESCA_ROUTINE_GESV;
        CHECK(hesca_forecast_make(&m, &job, p, q, host, &f) == HESCA_SUCCESS &&
                  is_near(f.compute, flops / 3 / n / 0.82e10),
              "%d x %d: %g", p, q, f.compute);
        hesca_machine_clear(&m);
    }
}

/* Hosts share their cores among their processes; what they cannot hold is
 * refused. */
static void
shared_cores(void)
{
    const hesca_job job = {HESCA_ROUTINE_GEMM, 4096, 64};
    const double flops = 2.0 * 4096 * 4096 * 4096;
    const int host[] = {0, 0, 0, 1};
    hesca_machine m = alike(2, 0, 1e30);
    hesca_forecast f;
    m.host[0].speed = 3;
    CHECK(hesca_forecast_make(&m, &job, 2, 2, host, &f) == HESCA_SUCCESS &&
              is_near(f.compute, flops / 4 / 1e10) &&
              is_near(f.ideal, f.compute) && is_near(f.bound, f.compute),
          "3 processes on a host 3 times as fast: %g %g %g", f.compute,
          f.ideal, f.bound);
    m.host[0].speed = 1;
    CHECK(hesca_forecast_make(&m, &job, 2, 2, host, &f) == HESCA_SUCCESS &&
              is_near(f.compute, 3 * flops / 4 / 1e10) &&
              is_near(f.ideal, flops / 2 / 1e10) &&
              is_near(f.bound, 3 * flops / 4 / 1e10),
          "3 processes on one core: %g %g %g", f.compute, f.ideal, f.bound);
    m.host[0].cores = 1.5;
    CHECK(hesca_forecast_make(&m, &job, 2, 2, host, &f) == HESCA_SUCCESS &&
              is_near(f.compute, 2 * flops / 4 / 1e10),
          "on 1.5: %g", f.compute);
    m.host[0].cores = 8;
    CHECK(hesca_forecast_make(&m, &job, 2, 2, host, &f) == HESCA_SUCCESS &&
              is_near(f.compute, flops / 4 / 1e10),
          "on 8: %g", f.compute);
    m.host[0].memory = 2.9 * hesca_job_bytes(&job) / 4;
    f.seconds = 77;
    CHECK(hesca_forecast_make(&m, &job, 2, 2, host, &f) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "host h0 has memory for 2") != NULL &&
              is_near(f.seconds, 77),
          "%s", hesca_error_text());
    hesca_machine_clear(&m);
}

/* ------------------------------------------------ the search */

typedef struct {
    hesca_machine m;
    hesca_job job;
    int nprocs, nprow, npcol, host[PLACES];
} instance;

static void
draw(instance *x)
{
    static const int order[] = {200, 1000, 4000, 20000};
    const int nhosts = check_uniform(2, HOSTS);
    x->m = alike(nhosts, 1e-5 * check_uniform(1, 20), 1e8);
    for (int i = 0; i < nhosts; ++i) {
        x->m.host[i].speed = check_uniform(1, 12) / 4.0;
        x->m.host[i].cores = check_uniform(1, 3);
        for (int j = 0; j < nhosts; ++j)
            x->m.wire[i * nhosts + j].rate *=
                i == j ? 100 : check_uniform(1, 10);
    }
    x->job = (hesca_job){(hesca_routine)check_uniform(0, HESCA_ROUTINES - 1),
                         order[check_uniform(0, 3)], 32 * check_uniform(1, 4)};
    do {
        x->nprow = check_uniform(1, 4);
        x->npcol = check_uniform(1, 4);
    } while (x->nprow * x->npcol > 8);
    x->nprocs = x->nprow * x->npcol + check_uniform(0, 2);
    for (int r = 0; r < x->nprocs; ++r)
        x->host[r] = check_uniform(0, nhosts - 1);
}

/* The best of all ways to take hosts for places k ... on. */
static double
best_of_all(const instance *x, int k, int *at, int *left)
{
    hesca_forecast f;
    double best = INFINITY;
    if (k == x->nprow * x->npcol)
        return hesca_forecast_make(&x->m, &x->job, x->nprow, x->npcol, at,
                                   &f) == HESCA_SUCCESS
                   ? f.seconds
                   : INFINITY;
    for (int a = 0; a < x->m.nhosts; ++a) {
        if (left[a] == 0 || (k == 0 && a != x->host[0]))
            continue;
        --left[a];
        at[k] = a;
        best = fmin(best, best_of_all(x, k + 1, at, left));
        ++left[a];
    }
    return best;
}

/* Processes all different, 0 at place 0, and the time is their forecast. */
static double
check_placed(const instance *x, const int *process, const hesca_forecast *f)
{
    int at[PLACES], seen[PLACES] = {0};
    hesca_forecast again;
    for (int k = 0; k < x->nprow * x->npcol; ++k) {
        const int r = process[k];
        CHECK(r >= 0 && r < x->nprocs && seen[r]++ == 0, "place %d: %d", k, r);
        at[k] = x->host[r];
    }
    CHECK(process[0] == 0, "place 0: %d", process[0]);
    CHECK(hesca_forecast_make(&x->m, &x->job, x->nprow, x->npcol, at,
                              &again) == HESCA_SUCCESS &&
              is_near(again.seconds, f->seconds),
          "%g, not %g", again.seconds, f->seconds);
    return again.seconds;
}

/* Within 5 % of the best in every case, nearly always the best. */
static void
brute_force(void)
{
    const int cases = check_cases(60);
    double worst = 1;
    int missed = 0;
    for (int c = 0; c < cases; ++c) {
        instance x;
        hesca_forecast f = {0};
        int process[PLACES], at[PLACES], left[HOSTS] = {0};
        draw(&x);
        for (int r = 0; r < x.nprocs; ++r)
            ++left[x.host[r]];
        const double best = best_of_all(&x, 0, at, left);
        CHECK(hesca_place_grid(&x.m, &x.job, x.nprocs, x.host, x.nprow,
                               x.npcol, process, &f) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        const double ratio = check_placed(&x, process, &f) / best;
        CHECK(ratio > 1 - 1e-9 && ratio < 1.05, "case %d: %g", c, ratio);
        worst = fmax(worst, ratio);
        missed += ratio > 1 + 1e-9;
        CHECK(hesca_place_grid_by_speed(&x.m, &x.job, x.nprocs, x.host,
                                        x.nprow, x.npcol, process,
                                        &f) == HESCA_SUCCESS &&
                  check_placed(&x, process, &f) > best * (1 - 1e-9),
              "%s", hesca_error_text());
        hesca_machine_clear(&x.m);
    }
    printf("%d of %d optimal, the worst %.4f times the best\n", cases - missed,
           cases, worst);
}

/* What large grids are left to, on small ones. */
static void
exchanges(void)
{
    const int cases = check_cases(60);
    double worst = 1;
    int near = 0;
    for (int c = 0; c < cases; ++c) {
        instance x;
        hesca_site site;
        hesca_search all, some;
        int *place;
        draw(&x);
        CHECK(hesca_site_init("exchanges", &x.m, &x.job, x.nprocs, x.host, 4,
                              x.nprow, x.npcol, &place,
                              &site) == HESCA_SUCCESS &&
                  hesca_search_init(&site, place[0], HESCA_SEARCH_STEPS,
                                    &all) == HESCA_SUCCESS &&
                  hesca_search_init(&site, place[0], HESCA_SEARCH_STEPS / 10,
                                    &some) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(hesca_search_all(&all) == 1, "case %d is too large", c);
        hesca_search_begin(&some);
        hesca_search_improve(&some);
        const double ratio = some.seconds / all.seconds;
        near += ratio < 1.05;
        worst = fmax(worst, ratio);
        hesca_search_clear(&all);
        hesca_search_clear(&some);
        hesca_site_clear(&site);
        free(place);
        hesca_machine_clear(&x.m);
    }
    CHECK(near >= 0.98 * cases, "%d of %d within 5 %%", near, cases);
    printf("by exchanges %d of %d within 5 %%, the worst %.4f times the "
           "best\n",
           near, cases, worst);
}

/* Descending along rows and columns, but for process 0. */
static void
by_speed(void)
{
    const hesca_job job = {HESCA_ROUTINE_GEMM, 1000, 32};
    const int host[] = {2, 0, 1, 1, 0, 2, 2};
    const int expected[] = {0, 2, 3, 1, 4, 5};
    hesca_machine m = alike(3, 0, 1e9);
    int process[6];
    m.host[0].speed = 4; /* 2 each */
    m.host[1].speed = 6; /* 3 each */
    m.host[2].speed = 3; /* 1 each */
    CHECK(hesca_place_grid_by_speed(&m, &job, 7, host, 2, 3, process, NULL) ==
              HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int k = 0; k < 6; ++k)
        CHECK(process[k] == expected[k], "place %d: %d", k, process[k]);
    hesca_machine_clear(&m);
}

/* No shape of all is better than the one that is found by more than the search
 * may miss. */
static void
shapes(void)
{
    for (int c = 0; c < check_cases(30); ++c) {
        instance x;
        hesca_forecast f = {0}, other;
        double best = INFINITY;
        int process[PLACES], tried[PLACES], p = 0, q = 0;
        draw(&x);
        CHECK(hesca_place_shape(&x.m, &x.job, x.nprocs, x.host, &p, &q,
                                process, &f) == HESCA_SUCCESS &&
                  p >= 1 && q >= 1 && p * q <= x.nprocs,
              "%d x %d: %s", p, q, hesca_error_text());
        for (int i = 1; i <= x.nprocs; ++i)
            for (int j = 1; j <= x.nprocs / i; ++j) {
                CHECK(hesca_place_grid(&x.m, &x.job, x.nprocs, x.host, i, j,
                                       tried, &other) == HESCA_SUCCESS,
                      "%s", hesca_error_text());
                best = fmin(best, other.seconds);
            }
        x.nprow = p;
        x.npcol = q;
        CHECK(check_placed(&x, process, &f) <= best * 1.0001,
              "case %d: %d x %d takes %g, not %g", c, p, q, f.seconds, best);
        hesca_machine_clear(&x.m);
    }
}

/* A slow processor that costs more than it gives is left out. */
static void
drops_slow(void)
{
    const hesca_job job = {HESCA_ROUTINE_GEMM, 1000, 50};
    const int host[] = {0, 1, 2};
    hesca_machine m = alike(3, 0, 1e7);
    int p, q;
    m.host[2].speed = 0.01;
    CHECK(hesca_place_shape(&m, &job, 3, host, &p, &q, NULL, NULL) ==
                  HESCA_SUCCESS &&
              p * q == 1,
          "%d x %d over slow wires", p, q);
    for (int k = 0; k < 9; ++k)
        m.wire[k].rate = 1e11;
    CHECK(hesca_place_shape(&m, &job, 3, host, &p, &q, NULL, NULL) ==
                  HESCA_SUCCESS &&
              p * q == 2,
          "%d x %d over fast ones", p, q);
    m.host[2].speed = 1;
    CHECK(hesca_place_shape(&m, &job, 3, host, &p, &q, NULL, NULL) ==
                  HESCA_SUCCESS &&
              p * q == 3,
          "%d x %d of alike", p, q);
    hesca_machine_clear(&m);
}

/* A grid of a thousand processes: valid, and better than in order. */
static void
large(void)
{
    enum { P = 32, N = P * P };
    static int host[N], at[N], process[N], seen[N];
    const hesca_job job = {HESCA_ROUTINE_GEMM, 100000, 64};
    hesca_machine m = alike(8, 1e-5, 1e9);
    hesca_forecast f, in_order;
    for (int i = 0; i < 8; ++i) {
        m.host[i].cores = 128;
        m.wire[i * 8 + i].rate = 1e11;
    }
    for (int r = 0; r < N; ++r)
        at[r] = host[r] = r % 8; /* assigned one by one */
    CHECK(hesca_forecast_make(&m, &job, P, P, at, &in_order) ==
                  HESCA_SUCCESS &&
              hesca_place_grid(&m, &job, N, host, P, P, process, &f) ==
                  HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int k = 0; k < N; ++k)
        CHECK(process[k] >= 0 && process[k] < N && seen[process[k]]++ == 0,
              "place %d: %d", k, process[k]);
    CHECK(f.seconds < 0.7 * in_order.seconds, "%g, in order %g", f.seconds,
          in_order.seconds);
    hesca_machine_clear(&m);
}

/* ------------------------------------------------ bad arguments */

static void
refused(int err, const char *word)
{
    CHECK(err == HESCA_ERR_ARG && strstr(hesca_error_text(), word) != NULL,
          "%d, without '%s': %s", err, word, hesca_error_text());
}

static void
bad_arguments(void)
{
    const hesca_job good = {HESCA_ROUTINE_GEMM, 100, 10};
    const hesca_job no_order = {HESCA_ROUTINE_GEMM, 0, 10};
    const hesca_job no_block = {HESCA_ROUTINE_GEMM, 100, 0};
    const hesca_job no_routine = {HESCA_ROUTINES, 100, 1};
    const hesca_machine none = hesca_machine_default();
    const int host[] = {0, 1, 0, 1}, outside[] = {0, 1, 2, 0},
              below[] = {0, 0, 0, -1};
    hesca_machine m = alike(2, 0, 1e9);
    hesca_forecast f;
    int process[4] = {-7, -7, -7, -7}, p = -7, q = -7;
    refused(hesca_forecast_make(NULL, &good, 2, 2, host, &f), "machine");
    refused(hesca_forecast_make(&none, &good, 2, 2, host, &f), "nhosts");
    refused(hesca_forecast_make(&m, NULL, 2, 2, host, &f), "job");
    refused(hesca_forecast_make(&m, &no_order, 2, 2, host, &f), "job->n");
    refused(hesca_forecast_make(&m, &no_block, 2, 2, host, &f), "job->nb");
    refused(hesca_forecast_make(&m, &no_routine, 2, 2, host, &f), "routine");
    refused(hesca_forecast_make(&m, &good, 0, 2, host, &f), "nprow");
    refused(hesca_forecast_make(&m, &good, 2, -1, host, &f), "npcol");
    refused(hesca_forecast_make(&m, &good, 65536, 65536, host, &f), "larger");
    refused(hesca_forecast_make(&m, &good, 2, 2, NULL, &f), "host");
    refused(hesca_forecast_make(&m, &good, 2, 2, host, NULL), "forecast");
    refused(hesca_forecast_make(&m, &good, 2, 2, outside, &f), "is 2");
    refused(hesca_forecast_make(&m, &good, 2, 2, below, &f), "is -1");
    refused(hesca_place_grid(&m, &good, 0, host, 1, 1, process, &f), "nprocs");
    refused(hesca_place_grid(&m, &good, 4, NULL, 1, 1, process, &f), "host");
    refused(hesca_place_grid(&m, &good, 3, host, 2, 2, process, &f),
            "2 x 2 grid is larger than 3");
    refused(hesca_place_grid(&m, &good, 4, host, 2, 2, NULL, &f), "process");
    refused(hesca_place_grid(&m, &good, 4, outside, 2, 2, process, &f),
            "is 2");
    refused(hesca_place_grid_by_speed(&m, &good, 3, host, 2, 2, process, &f),
            "larger");
    refused(hesca_place_grid_by_speed(&m, &good, 4, host, 2, 2, NULL, &f),
            "process");
    refused(hesca_place_shape(&m, &good, 4, host, NULL, &q, process, &f),
            "nprow");
    refused(hesca_place_shape(&m, &good, 4, host, &p, NULL, process, &f),
            "npcol");
    refused(hesca_place_shape(&m, &good, -1, host, &p, &q, process, &f),
            "nprocs");
    m.host[0].memory = m.host[1].memory = 1000;
    refused(hesca_place_grid(&m, &good, 4, host, 2, 2, process, &f), "memory");
    refused(hesca_place_grid_by_speed(&m, &good, 4, host, 2, 2, process, &f),
            "memory");
    refused(hesca_place_shape(&m, &good, 4, host, &p, &q, process, &f),
            "memory");
    for (int k = 0; k < 4; ++k)
        CHECK(process[k] == -7, "place %d is %d", k, process[k]);
    CHECK(p == -7 && q == -7, "%d x %d", p, q);
    hesca_machine_clear(&m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(routines),     UNIT(speeds),       UNIT(homogeneous),
        UNIT(shared_cores), UNIT(brute_force),  UNIT(exchanges),
        UNIT(by_speed),     UNIT(shapes),       UNIT(drops_slow),
        UNIT(large),        UNIT(bad_arguments)};
    unit_begin("place/t_place", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
