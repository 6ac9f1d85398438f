/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions of ScaLAPACK's routine on another grid: which one is chosen
 * where the best is known, that the order of processes does not matter, that a
 * grid which is the best already has no better one, and memory. */
#include "base/status.h"
#include "hohe/hohe.h"
#include "hohe/hohe_choose.h"
#include "testing/hohe/machines.h"
#include <math.h>
#include <string.h>

/* Square matrices, on a grid of all hosts. */
static hesca_hohe_job
make_job(hesca_routine routine, int n, int nb, int nprow, int npcol)
{
    return (hesca_hohe_job){.routine = routine,
                            .type = HESCA_D,
                            .m = n,
                            .n = n,
                            .k = n,
                            .reads = routine != HESCA_ROUTINE_GEMM,
                            .home = {.nprow = nprow,
                                     .npcol = npcol,
                                     .m = n,
                                     .n = n,
                                     .mb = nb,
                                     .nb = nb}};
}

static hesca_hohe_forecast
predict(const hesca_machine *m, const int *host, const hesca_hohe_job *job)
{
    hesca_hohe_forecast f = {.original = 0};
    CHECK(hesca_hohe_predict(m, host, job, &f) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    return f;
}

static void
check_grid(const hesca_hohe_forecast *f, int nprow, int npcol, int nb)
{
    CHECK(f->nprow == nprow && f->npcol == npcol && f->nb == nb,
          "%d x %d grid, blocks of %d, not %d x %d, %d", f->nprow, f->npcol,
          f->nb, nprow, npcol, nb);
    CHECK((f->nprow > 0) == (f->grid > 0), "%g s", f->grid);
    CHECK(f->grid >= f->grid_copying && (f->grid <= 0 || f->grid_copying > 0),
          "%g s, %g s of it copying", f->grid, f->grid_copying);
}

static const double hosts[] = {2, 2, .2, .2};

/* Two fast hosts, two that are hardly worth a message. */
static void
fast_hosts(void)
{
    hesca_machine m = make_machine(4, hosts, 6e-5, 1.2e8);
    const int turned[] = {2, 3, 1, 0};
    const hesca_hohe_job lu = make_job(HESCA_ROUTINE_GESV, 2000, 64, 2, 2);
    const hesca_hohe_forecast f = predict(&m, in_order, &lu);
    const hesca_hohe_forecast g = predict(&m, turned, &lu);
    check_grid(&f, 1, 2, 64);
    check_grid(&g, 1, 2, 64);
    CHECK(f.grid < f.original && hesca_hohe_best(&f) == HESCA_WAY_HOHE,
          "%g s instead of %g s, by HoHe %g s", f.grid, f.original, f.hohe);
    const hesca_hohe_job small = make_job(HESCA_ROUTINE_GESV, 300, 64, 2, 2);
    const hesca_hohe_forecast s = predict(&m, in_order, &small);
    CHECK(s.grid < s.original && hesca_hohe_best(&s) != HESCA_WAY_ORIGINAL,
          "%g s instead of %g s, by HoHe %g s", s.grid, s.original, s.hohe);
    CHECK(s.hohe_nprow * s.hohe_npcol == 1 || s.hohe_nprow * s.hohe_npcol == 2,
          "HoHe on %d x %d", s.hohe_nprow, s.hohe_npcol);
    const hesca_hohe_forecast wins = {.original = 3, .hohe = 1, .grid = 0.85};
    const hesca_hohe_forecast near = {.original = 3, .hohe = 1, .grid = 0.95};
    CHECK(hesca_hohe_best(&wins) == HESCA_WAY_GRID, "by 15 %%");
    CHECK(hesca_hohe_best(&near) == HESCA_WAY_HOHE, "by 5 %%");
    CHECK(fabs(f.grid - g.grid) < 0.05 * f.grid, "%g s, in another order %g s",
          f.grid, g.grid);
    CHECK(f.grid_staging == 2000 * 1024 * 8., "%g bytes", f.grid_staging);
    hesca_machine_clear(&m);
}

/* All on one process, in the program's blocks or in others. */
static void
slow_links(void)
{
    static const int nb[][2] = {{15, 64}, {16, 16}, {128, 128}, {129, 64}};
    hesca_machine m = make_machine(4, hosts, 1e-1, 1e6);
    for (int k = 0; k < 4; ++k) {
        const hesca_hohe_job job =
            make_job(HESCA_ROUTINE_POTRF, 300, nb[k][0], 2, 2);
        const hesca_hohe_forecast f = predict(&m, in_order, &job);
        check_grid(&f, 1, 1, nb[k][1]);
    }
    hesca_machine_clear(&m);
}

/* The program's grid is the best, or would be with other blocks. */
static void
good_grids(void)
{
    const double equal[] = {1, 1, 1, 1};
    hesca_machine m = make_machine(4, equal, 1e-6, 1e10);
    hesca_hohe_job job = make_job(HESCA_ROUTINE_GEMM, 4096, 64, 2, 2);
    hesca_hohe_forecast f = predict(&m, in_order, &job);
    check_grid(&f, 0, 0, 0);
    CHECK(hesca_hohe_best(&f) == HESCA_WAY_ORIGINAL, "%g, %g, %g", f.original,
          f.hohe, f.grid);
    job.home.mb = job.home.nb = 1;
    f = predict(&m, in_order, &job);
    check_grid(&f, 2, 2, 64);
    hesca_machine_clear(&m);
}

/* Speeds equal within what one can measure, and a little less equal: ScaLAPACK
 * loses time in messages only. On equal hosts HESCA computes in place, by a
 * smaller margin; ScaLAPACK's routine on another grid is not considered. */
static void
alike_hosts(void)
{
    const double measured[] = {1, 1.02, 0.98, 1}, unlike[] = {1, 1, 1, 0.9};
    const double *const speeds[] = {measured, unlike};
    const hesca_hohe_job lu = make_job(HESCA_ROUTINE_GESV, 2000, 64, 2, 2);
    for (int k = 0; k < 2; ++k) {
        hesca_machine m = make_machine(4, speeds[k], 6e-5, 1.2e8);
        const hesca_hohe_forecast f = predict(&m, in_order, &lu);
        CHECK(f.homogeneous == (k == 0), "%d", f.homogeneous);
        CHECK(f.hohe < 0.9 * f.original, "%g s, not less than %g s", f.hohe,
              f.original);
        CHECK(k == 1 || f.moved <= 0, "%g moved", f.moved);
        CHECK(hesca_hohe_best(&f) == HESCA_WAY_HOHE, "way %d",
              (int)hesca_hohe_best(&f));
        hesca_hohe_forecast g = f;
        g.hohe = 0;
        g.grid = 0.1 * f.original;
        CHECK((hesca_hohe_best(&g) == HESCA_WAY_ORIGINAL) == (k == 0),
              "way %d", (int)hesca_hohe_best(&g));
        hesca_machine_clear(&m);
    }
}

/* Another way must win more than the margin. */
static void
margins(void)
{
    static const hesca_routine routine[] = {
        HESCA_ROUTINE_GEMM, HESCA_ROUTINE_POTRF, HESCA_ROUTINE_GESV};
    hesca_machine m = make_machine(4, hosts, 6e-5, 1.2e8);
    for (int k = 0; k < 3; ++k) {
        hesca_hohe_job job = make_job(routine[k], 2000, 64, 2, 2);
        hesca_hohe_forecast f = predict(&m, in_order, &job);
        CHECK(f.hohe_margin > 0 && f.grid_margin > 0 && f.hohe_first > 0 &&
                  f.grid_first > f.hohe_first,
              "routine %d: %g, %g, %g s", (int)routine[k], f.hohe_margin,
              f.grid_margin, f.hohe_first);
        f.grid = 0;
        f.original = (1 + f.hohe_margin) * f.hohe + 0.9 * f.hohe_first;
        CHECK(hesca_hohe_best(&f) == HESCA_WAY_ORIGINAL, "HoHe by less");
        f.original += 0.2 * f.hohe_first;
        CHECK(hesca_hohe_best(&f) == HESCA_WAY_HOHE, "HoHe by more");
        f.grid = f.hohe;
        f.hohe = 0;
        f.original = (1 + f.grid_margin) * f.grid + 0.9 * f.grid_first;
        CHECK(hesca_hohe_best(&f) == HESCA_WAY_ORIGINAL, "a grid by less");
        f.original += 0.2 * f.grid_first;
        CHECK(hesca_hohe_best(&f) == HESCA_WAY_GRID, "a grid by more");
        job.solves = 1;
        f = predict(&m, in_order, &job);
        CHECK(routine[k] == HESCA_ROUTINE_GEMM || f.hohe_margin > 0,
              "solving: %g", f.hohe_margin);
    }
    /* The faster of two ways, if only this one wins enough. */
    const hesca_hohe_forecast one = {.original = 3,
                                     .hohe = 2,
                                     .grid = 1.9,
                                     .hohe_margin = 0.6,
                                     .grid_margin = 0.5};
    CHECK(hesca_hohe_best(&one) == HESCA_WAY_GRID, "only a grid wins");
    hesca_machine_clear(&m);
}

/* What is said of calls that are left. */
static void
explanations(void)
{
    const hesca_hohe_job job = make_job(HESCA_ROUTINE_POTRF, 2000, 64, 2, 2);
    const hesca_hohe_forecast none = {
        .original = 1, .hohe = 1.1, .hohe_first = 0.01};
    const hesca_hohe_forecast one = {.original = 1,
                                     .hohe = 0.8,
                                     .grid = 2,
                                     .hohe_margin = 0.9,
                                     .grid_margin = 0.5,
                                     .hohe_first = 0.01};
    char text[240];
    hesca_hohe_explain(&job, &none, 0, text, sizeof text);
    CHECK(strcmp(text, "by prediction") == 0, "'%s'", text);
    hesca_hohe_explain(&job, &one, 0, text, sizeof text);
    CHECK(strcmp(text, "predicted gain 25 % is below 91 %: predicted gains of "
                       "P?POTRF by HoHe are relied on from 90 % on, and a "
                       "first call takes 0.01 s more") == 0,
          "'%s'", text);
    hesca_hohe_explain(&job, &one, 1, text, sizeof text);
    CHECK(strstr(text, "gain of at most 25 %") != NULL, "'%s'", text);
}

/* A and B are copied, and both are predicted as they are. */
static void
products(void)
{
    hesca_machine m = make_machine(4, hosts, 6e-5, 1.2e8);
    hesca_hohe_job job = make_job(HESCA_ROUTINE_GEMM, 2000, 64, 2, 2);
    const hesca_hohe_forecast f = predict(&m, in_order, &job);
    job.reads = 1;
    const hesca_hohe_forecast reads = predict(&m, in_order, &job);
    job.reads = 0;
    job.a = job.b = job.home;
    const hesca_hohe_forecast predicted = predict(&m, in_order, &job);
    check_grid(&f, 1, 2, 64);
    CHECK(f.grid_staging == 3 * 2000 * 1024 * 8., "%g bytes", f.grid_staging);
    CHECK(fabs(predicted.grid - f.grid) < 1e-9, "%g s, %g s", predicted.grid,
          f.grid);
    CHECK(fabs(reads.grid_copying - f.grid_copying * 4 / 3) <
              0.02 * f.grid_copying,
          "copying %g s, and C, too, %g s", f.grid_copying,
          reads.grid_copying);
    hesca_machine_clear(&m);
}

/* Of three matrices ScaLAPACK's and HESCA's move the two that are smaller, so
 * what they move does not depend on which of the sides is short. */
static void
unequal_sides(void)
{
    hesca_machine m = make_machine(4, hosts, 0, 1e5);
    double first = 0;
    for (int k = 0; k < 3; ++k) {
        hesca_hohe_job job = make_job(HESCA_ROUTINE_GEMM, 2000, 16, 2, 2);
        *(k == 0 ? &job.m : k == 1 ? &job.n : &job.k) = 64;
        const hesca_hohe_forecast f = predict(&m, in_order, &job);
        first = k == 0 ? f.original : first;
        CHECK(fabs(f.original / first - 1) < 0.05, "%g s, %g s", f.original,
              first);
        CHECK(f.stays == "BAC"[k], "%c stays", f.stays);
        CHECK((f.hohe_margin > 0.3) == (k < 2) &&
                  (f.hohe_first == f.grid_first) == (k < 2),
              "%c stays: %g, %g s", f.stays, f.hohe_margin, f.hohe_first);
        CHECK(f.hohe < 1.1 * f.original, "by HoHe %g s, not %g", f.hohe,
              f.original);
        CHECK(hesca_hohe_best(&f) ==
                  (k == 2 ? HESCA_WAY_HOHE : HESCA_WAY_ORIGINAL),
              "%g s, by HoHe %g", f.original, f.hohe);
    }
    hesca_machine_clear(&m);
}

static void
memory(void)
{
    hesca_machine m = make_machine(4, hosts, 6e-5, 1.2e8);
    const hesca_hohe_job job = make_job(HESCA_ROUTINE_GESV, 2000, 64, 2, 2);
    hesca_hohe_forecast f;
    for (int h = 0; h < 4; ++h)
        m.host[h].memory = 20e6; /* a copy of 16 MB is too much */
    f = predict(&m, in_order, &job);
    CHECK(f.nprow * f.npcol != 2 || f.grid_staging < 12e6, "%d x %d, %g bytes",
          f.nprow, f.npcol, f.grid_staging);
    for (int h = 0; h < 4; ++h)
        m.host[h].memory = 9e6; /* 8 MB are the program's */
    f = predict(&m, in_order, &job);
    CHECK(f.original > 0 && f.hohe <= 0 && f.grid <= 0, "%g, %g, %g",
          f.original, f.hohe, f.grid);
    CHECK(hesca_hohe_best(&f) == HESCA_WAY_ORIGINAL, "a way without memory");
    for (int h = 0; h < 4; ++h)
        m.host[h].memory = 7e6;
    CHECK(hesca_hohe_predict(&m, in_order, &job, &f) == HESCA_ERR_ARG,
          "matrices without memory");
    hesca_machine_clear(&m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(fast_hosts),  UNIT(slow_links),    UNIT(good_grids),
        UNIT(alike_hosts), UNIT(margins),       UNIT(explanations),
        UNIT(products),    UNIT(unequal_sides), UNIT(memory)};
    unit_begin("hohe/t_other_grid", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
