/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions on generalized blocks: the estimates of thesis Table 3.13, which
 * are those of computing alone; what they must do as speeds, links and sizes
 * change; the choice among all blocks; every way to ask wrongly. */
#include "base/status.h"
#include "hesca/experimental/gblock.h"
#include "testing/hohe/machines.h"
#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------ Table 3.13 */

/* Seconds of one Xeon, and speeds with its as 1, as fitted to the table, in
 * the order of processes: 5 Xeons, afflatus, aries2, 5 csultras. */
static const double ONE = 14396;
static const double net_c[HOSTS] = {1,    1,    1,    1,    1,    2.145,
                                    1.45, .113, .113, .113, .113, .113};

static int
descending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* The cut on the first processes, in descending order of speed, and what is
 * predicted where messages take no time. */
static void
check_estimate(int p, int q, double expected)
{
    const hesca_job job = {HESCA_ROUTINE_GEMM, 6912, 32};
    double speed[HOSTS], relative[HOSTS], sum = 0;
    hesca_gblock *g = NULL;
    hesca_forecast f = {0, 0, 0, 0, 0};
    memcpy(speed, net_c, sizeof speed);
    qsort(speed, (size_t)(p * q), sizeof *speed, descending);
    for (int k = 0; k < p * q; ++k) {
        sum += speed[k];
        relative[k] = speed[k] * hesca_job_flops(&job) / ONE / 1e10;
    }
    CHECK(hesca_gblock_create(HESCA_COLUMN_BASED, HESCA_ASSIGN_RECTANGLES,
                              6912, 6912, 32, 32, 72, 72, p, q, speed, NULL,
                              &g) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    const double bound = ONE / sum * hesca_gblock_get_info(g).imbalance;
    CHECK(fabs(bound / expected - 1) < 0.05, "(%d,%d): %.0f s, not %.0f", p, q,
          bound, expected);
    hesca_machine m = make_machine(p * q, relative, 0, 1e300);
    CHECK(hesca_gblock_predict(g, &job, &m, in_order, &f) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    CHECK(fabs(f.seconds / bound - 1) < 1e-3, "(%d,%d): %.1f s, not %.1f", p,
          q, f.seconds, bound);
    CHECK(fabs(f.ideal * sum / ONE - 1) < 1e-9, "(%d,%d): ideal %g", p, q,
          f.ideal);
    hesca_machine_clear(&m);
    hesca_gblock_free(g);
}

static void
table_313(void)
{
    static const struct {
        int p, q;
        double seconds;
    } list[] = {{1, 2, 7198}, {1, 3, 4798}, {1, 4, 3599},  {1, 6, 2052},
                {1, 8, 1772}, {1, 9, 1772}, {1, 12, 1772}, {2, 1, 7198},
                {2, 2, 3599}, {2, 3, 2043}, {2, 4, 1699},  {2, 6, 1699},
                {3, 1, 4798}, {3, 2, 2068}, {3, 3, 1652},  {3, 4, 1651},
                {4, 1, 3599}, {4, 2, 1678}, {4, 3, 1617},  {6, 1, 2052},
                {6, 2, 1652}, {8, 1, 1772}, {9, 1, 1772},  {12, 1, 1772}};
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
        check_estimate(list[k].p, list[k].q, list[k].seconds);
}

/* ------------------------------------------------ predictions */

static double
predict(const hesca_job *job, const hesca_machine *m, const hesca_gblock *g)
{
    hesca_forecast f = {-1, -1, -1, -1, -1};
    CHECK(hesca_gblock_predict(g, job, m, in_order, &f) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(f.seconds > 0 && f.compute >= 0 && f.communicate >= 0 &&
              fabs(f.compute + f.communicate - f.seconds) < 1e-9 * f.seconds &&
              f.ideal <= f.bound * (1 + 1e-9),
          "%g = %g + %g, ideal %g, bound %g", f.seconds, f.compute,
          f.communicate, f.ideal, f.bound);
    return f.seconds;
}

/* One process: what its speed says; panels take longer than the rest. */
static void
one_process(void)
{
    static const double speed[] = {2};
    hesca_machine m = make_machine(1, speed, 1e-4, 1e8);
    for (int routine = 0; routine < 3; ++routine) {
        const hesca_job job = {(hesca_routine)routine, 2000, 50};
        hesca_gblock *g = NULL;
        hesca_gblock_create(HESCA_CARTESIAN, HESCA_ASSIGN_RECTANGLES, 2000,
                            2000, 50, 50, 1, 1, 1, 1, NULL, NULL, &g);
        const double seconds = predict(&job, &m, g);
        const double least = hesca_job_flops(&job) / 2e10;
        CHECK(routine == 0 ? fabs(seconds / least - 1) < 1e-6
                           : seconds > 0.95 * least && seconds < 1.3 * least,
              "routine %d: %g, not %g", routine, seconds, least);
        hesca_gblock_free(g);
    }
    hesca_machine_clear(&m);
}

/* Slower links and hosts never make it faster; a cut for the speeds does. */
static void
tendencies(void)
{
    static const double speed[] = {.6, .6, .2, .2},
                        slower[] = {.6, .6, .2, .1};
    hesca_machine fast = make_machine(4, speed, 5e-5, 1e9);
    hesca_machine slow = make_machine(4, speed, 5e-5, 1e7);
    hesca_machine late = make_machine(4, speed, 1e-2, 1e9);
    hesca_machine weak = make_machine(4, slower, 5e-5, 1e9);
    for (int k = 0; k < 9; ++k) {
        const hesca_job job = {(hesca_routine)(k % 3), 3000, 64};
        hesca_gblock *equal = NULL, *fit = NULL;
        hesca_gblock_create((hesca_layout_kind)(k / 3),
                            HESCA_ASSIGN_RECTANGLES, 3000, 3000, 64, 64, 4, 4,
                            2, 2, NULL, NULL, &equal);
        hesca_gblock_create((hesca_layout_kind)(k / 3),
                            HESCA_ASSIGN_RECTANGLES, 3000, 3000, 64, 64, 4, 4,
                            2, 2, speed, NULL, &fit);
        const double seconds = predict(&job, &fast, fit);
        CHECK(predict(&job, &slow, fit) > seconds, "case %d: links", k);
        CHECK(predict(&job, &late, fit) > seconds, "case %d: startups", k);
        CHECK(predict(&job, &weak, fit) > seconds, "case %d: speeds", k);
        CHECK(predict(&job, &fast, equal) > 1.2 * seconds, "case %d: the cut",
              k);
        hesca_gblock_free(equal);
        hesca_gblock_free(fit);
    }
    hesca_machine_clear(&fast);
    hesca_machine_clear(&slow);
    hesca_machine_clear(&late);
    hesca_machine_clear(&weak);
}

/* Where the matrix shrinks, blocks in turn are better than rectangles. */
static void
shrinking(void)
{
    static const double speed[] = {3, 2, 1, 1};
    hesca_machine m = make_machine(4, speed, 1e-6, 1e12);
    for (int routine = 0; routine < 3; ++routine) {
        const hesca_job job = {(hesca_routine)routine, 3200, 32};
        double seconds[2];
        for (int assignment = 0; assignment < 2; ++assignment) {
            hesca_gblock *g = NULL;
            hesca_gblock_create(HESCA_COLUMN_BASED,
                                (hesca_gblock_assignment)assignment, 3200,
                                3200, 32, 32, 50, 50, 2, 2, speed, NULL, &g);
            seconds[assignment] = predict(&job, &m, g);
            hesca_gblock_free(g);
        }
        CHECK(routine == 0 ? fabs(seconds[1] / seconds[0] - 1) < 0.02
                           : seconds[1] < 0.95 * seconds[0],
              "routine %d: %g, in turn %g", routine, seconds[0], seconds[1]);
    }
    hesca_machine_clear(&m);
}

/* ------------------------------------------------ the choice */

/* Nothing of any kind, order and size is better but for the slack. */
static void
check_best(const hesca_job *job, const hesca_machine *m, int nprow, int npcol,
           const double *speed, int most, double best)
{
    const int blocks = (int)((job->n - 1) / job->nb + 1);
    const int least = nprow > npcol ? nprow : npcol;
    for (int l = least; l <= most && l <= blocks; ++l)
        for (int k = 0; k < 6; ++k) {
            hesca_gblock *g = NULL;
            hesca_gblock_create((hesca_layout_kind)(k % 3),
                                (hesca_gblock_assignment)(k / 3), job->n,
                                job->n, job->nb, job->nb, l, l, nprow, npcol,
                                speed, NULL, &g);
            CHECK(predict(job, m, g) > 0.99 * best,
                  "routine %d, l = %d, kind %d, assignment %d: %g, not %g",
                  job->routine, l, k % 3, k / 3, predict(job, m, g), best);
            hesca_gblock_free(g);
        }
}

static void
choices(void)
{
    for (int k = 0; k < check_cases(12); ++k) {
        const int nprow = check_uniform(1, 3), npcol = check_uniform(1, 4);
        const hesca_job job = {(hesca_routine)(k % 3),
                               check_uniform(300, 2000), 32};
        double speed[HOSTS];
        hesca_gblock *g = NULL;
        hesca_forecast f;
        for (int h = 0; h < HOSTS; ++h)
            speed[h] = check_uniform(1, 20);
        hesca_machine m = make_machine(nprow * npcol, speed, 5e-5,
                                       check_uniform(0, 1) ? 1e8 : 1e10);
        CHECK(hesca_gblock_tune(&job, &m, nprow, npcol, in_order, 20, NULL, &g,
                                &f) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(fabs(predict(&job, &m, g) / f.seconds - 1) < 1e-12, "case %d",
              k);
        check_best(&job, &m, nprow, npcol, speed, 20, f.seconds);
        hesca_gblock_free(g);
        hesca_machine_clear(&m);
    }
}

/* Equal hosts: ScaLAPACK's layout. */
static void
equal_hosts(void)
{
    static const double speed[] = {1, 1, 1, 1};
    hesca_machine m = make_machine(4, speed, 5e-5, 1e8);
    for (int routine = 0; routine < 3; ++routine) {
        const hesca_job job = {(hesca_routine)routine, 3072, 64};
        hesca_gblock *g = NULL;
        CHECK(hesca_gblock_tune(&job, &m, 2, 2, in_order, 0, NULL, &g, NULL) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        const hesca_gblock_info x = hesca_gblock_get_info(g);
        CHECK(x.lp == 2 && x.lq == 2 && x.kind == HESCA_CARTESIAN &&
                  x.assignment == HESCA_ASSIGN_RECTANGLES && x.imbalance == 1,
              "routine %d: kind %d, assignment %d, l = %d", routine,
              (int)x.kind, (int)x.assignment, x.lp);
        hesca_gblock_free(g);
    }
    hesca_machine_clear(&m);
}

/* Without a size of blocks, that of the least time. */
static void
sizes_of_blocks(void)
{
    static const double speed[] = {.6, .6, .2, .2};
    hesca_machine m = make_machine(4, speed, 1e-4, 1e8);
    for (int routine = 0; routine < 3; ++routine) {
        hesca_job job = {(hesca_routine)routine, 1500, 0};
        hesca_forecast any, one;
        hesca_gblock *g;
        double least = INFINITY;
        CHECK(hesca_gblock_tune(&job, &m, 2, 2, in_order, 20, NULL, &g,
                                &any) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        const int nb = hesca_gblock_get_info(g).nb;
        hesca_gblock_free(g);
        for (job.nb = 16; job.nb <= 128; job.nb *= 2) {
            CHECK(hesca_gblock_tune(&job, &m, 2, 2, in_order, 20, NULL, &g,
                                    &one) == HESCA_SUCCESS,
                  "%s", hesca_error_text());
            hesca_gblock_free(g);
            least = fmin(least, one.seconds);
            CHECK(job.nb != nb || one.seconds == any.seconds,
                  "blocks of %d: %g s, not %g", nb, any.seconds, one.seconds);
        }
        CHECK(any.seconds <= least * (1 + 2e-3),
              "blocks of %d: %g s, others %g", nb, any.seconds, least);
    }
    hesca_machine_clear(&m);
}

/* ------------------------------------------------ what is refused */

static void
errors(void)
{
    static const double speed[] = {1, 2};
    const int far[] = {0, 2};
    hesca_machine m = make_machine(2, speed, 5e-5, 1e8);
    hesca_machine none = hesca_machine_default();
    const hesca_job job = {HESCA_ROUTINE_GEMM, 1000, 32},
                    empty = {HESCA_ROUTINE_GEMM, 0, 32};
    const hesca_job odd = {(hesca_routine)3, 1000, 32};
    hesca_gblock *g = NULL, *x = NULL;
    hesca_forecast f;
    hesca_gblock_create(HESCA_CARTESIAN, HESCA_ASSIGN_RECTANGLES, 9, 9, 1, 1,
                        1, 2, 1, 2, NULL, NULL, &g);
    check_refused(hesca_gblock_predict(NULL, &job, &m, in_order, &f), 1,
                  "argument 1, gblock, is NULL");
    check_refused(hesca_gblock_predict(g, NULL, &m, in_order, &f), 2,
                  "argument 2, job, is NULL");
    check_refused(hesca_gblock_predict(g, &empty, &m, in_order, &f), 2,
                  "n of the job, is 0: must be at least 1");
    check_refused(hesca_gblock_predict(g, &odd, &m, in_order, &f), 2,
                  "routine of the job, is 3: must be one of");
    check_refused(hesca_gblock_predict(g, &job, NULL, in_order, &f), 3,
                  "argument 3, machine, is NULL");
    check_refused(hesca_gblock_predict(g, &job, &none, in_order, &f), 3,
                  "argument 3, machine, has no hosts");
    check_refused(hesca_gblock_predict(g, &job, &m, far, &f), 4,
                  "argument 4, host[1], is 2: must be a host");
    check_refused(hesca_gblock_predict(g, &job, &m, in_order, NULL), 5,
                  "argument 5, forecast, is NULL");
    check_refused(hesca_gblock_tune(NULL, &m, 1, 2, in_order, 0, NULL, &x, &f),
                  1, "argument 1, job, is NULL");
    check_refused(hesca_gblock_tune(&job, &m, 0, 2, in_order, 0, NULL, &x, &f),
                  3, "argument 3, nprow, is 0: must be at least 1");
    check_refused(hesca_gblock_tune(&job, &m, 1, 0, in_order, 0, NULL, &x, &f),
                  4, "argument 4, npcol, is 0: must be at least 1");
    check_refused(hesca_gblock_tune(&job, &m, 1, 2, far, 0, NULL, &x, &f), 5,
                  "argument 5, host[1], is 2: must be a host");
    check_refused(
        hesca_gblock_tune(&job, &m, 1, 2, in_order, -1, NULL, &x, &f), 6,
        "argument 6, most, is -1: must be at least 0");
    check_refused(
        hesca_gblock_tune(&job, &m, 1, 2, in_order, 0, NULL, NULL, &f), 8,
        "argument 8, gblock, is NULL");
    CHECK(x == NULL, "a block of an error");
    hesca_gblock_free(g);
    hesca_machine_clear(&m);
    hesca_machine_clear(&none);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(table_313),       UNIT(one_process), UNIT(tendencies),
        UNIT(shrinking),       UNIT(choices),     UNIT(equal_hosts),
        UNIT(sizes_of_blocks), UNIT(errors)};
    unit_begin("hohe/t_tune", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
