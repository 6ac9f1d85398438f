/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets by their published names: layouts of np, metrics, queries, and errors
 * of wrong arguments. */
#include "hdpi.h"
#include "testing/partition/sets.h"
#include <limits.h>

static const int w[8] = {4, 1, 3, 2, 6, 2, 5, 1};
static const double speeds[3] = {3, 1, 2};

static void
check_np(int err, const int *np, const int *want, int n)
{
    CHECK(err == 0, "%s", hesca_error_text());
    for (int k = 0; k < n; ++k)
        CHECK(np[k] == want[k], "np[%d] is %d, not %d", k, np[k], want[k]);
}

/* ----- layouts and metrics ----------------------------------------------- */

static void
constants(void)
{
    static const struct {
        int p, n;
        double speed[3];
        int want[3];
    } row[] = {
        {3, 10, {5, 3, 2}, {5, 3, 2}},     {3, 7, {5, 3, 2}, {4, 2, 1}},
        {3, 100, {1, 1, 1}, {34, 33, 33}}, {3, 6, {.33, .51, .16}, {2, 3, 1}},
        {3, 10, {4, 4, 1}, {5, 4, 1}},     {3, 0, {4, 4, 1}, {0, 0, 0}},
        {1, INT_MAX, {7}, {INT_MAX}},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
        int np[4], first[4] = {0};
        double metric = -1;
        check_np(Partition_unordered_set(row[k].p, 1, row[k].speed, NULL, NULL,
                                         row[k].n, NULL, SYSTEM_DEFINED, NULL,
                                         &metric, np),
                 np, row[k].want, row[k].p);
        CHECK(metric >= 0 && metric < 1, "row %d: %g", (int)k, metric);
        for (int i = 0; i < row[k].p; ++i) {
            first[i + 1] = first[i] + row[k].want[i];
            CHECK(Get_my_partition(i, row[k].p, row[k].speed, row[k].n) ==
                      np[i],
                  "row %d, processor %d", (int)k, i);
        }
        check_np(Partition_ordered_set(row[k].p, 1, row[k].speed, NULL, NULL,
                                       row[k].n, NULL, 1, -1, NULL, NULL, np),
                 np, first, row[k].p + 1);
    }
}

static void
weights(void)
{
    int np[8];
    double metric;
    check_np(Partition_unordered_set(3, 1, speeds, NULL, NULL, 8, w,
                                     SYSTEM_DEFINED, NULL, &metric, np),
             np, (const int[]){0, 1, 1, 2, 0, 0, 2, 2}, 8);
    CHECK(fabs(metric) < 1e-12, "%g", metric);
    check_np(Partition_ordered_set(3, 1, speeds, NULL, NULL, 8, w, 0,
                                   SYSTEM_DEFINED, NULL, &metric, np),
             np, (const int[]){0, 5, 5, 8}, 4);
    CHECK(fabs(metric - 1. / 3) < 1e-12, "%g", metric);
    check_np(Partition_ordered_set(3, 1, speeds, NULL, NULL, 8, w, 1,
                                   SYSTEM_DEFINED, NULL, &metric, np),
             np, (const int[]){1, 1, 0, 4, 2, 3}, 6);
    CHECK(fabs(metric) < 1e-12, "%g", metric);
    /* Without speeds: equal sums. */
    check_np(Partition_unordered_set(2, 0, NULL, NULL, NULL, 4,
                                     (const int[]){1, 2, 3, 4}, SYSTEM_DEFINED,
                                     NULL, &metric, np),
             np, (const int[]){1, 1, 0, 0}, 0);
    CHECK(np[0] == np[3] && np[1] == np[2] && np[0] != np[1] && metric == 0,
          "%d %d %d %d", np[0], np[1], np[2], np[3]);
    check_np(Partition_unordered_set(3, 0, NULL, NULL, NULL, 5, NULL, -1, NULL,
                                     NULL, np),
             np, (const int[]){2, 2, 1}, 3);
    /* Limits count elements, not weights. */
    check_np(Partition_unordered_set(2, 1, speeds, NULL, (const int[]){1, 7},
                                     8, w, -1, NULL, NULL, np),
             np, np, 0);
    int mine = 0;
    for (int e = 0; e < 8; ++e)
        mine += np[e] == 0;
    CHECK(mine <= 1, "%d of 1", mine);
}

static void
functions(void)
{
    static const double s[12] = {200, 200, 100, 50, 100, 100,
                                 100, 100, 40,  60, 80,  80};
    static const int x[12] = {100, 400,  800, 1000, 100, 400,
                              800, 1000, 100, 400,  800, 1000};
    int np[4];
    double metric;
    check_np(Partition_unordered_set(3, 4, s, x, NULL, 1500, NULL,
                                     SYSTEM_DEFINED, NULL, &metric, np),
             np, (const int[]){687, 535, 278}, 3);
    CHECK(fabs(metric - (5.359897172237 / 5.354955939726 - 1)) < 1e-9, "%g",
          metric);
    check_np(Partition_ordered_set(3, 4, s, x, (const int[]){300, 500, 1200},
                                   1500, NULL, 0, -1, NULL, NULL, np),
             np, (const int[]){0, 300, 800, 1500}, 4);
    np[0] = -7;
    CHECK(Partition_unordered_set(3, 4, s, x, (const int[]){300, 450, 700},
                                  1500, NULL, -1, NULL, NULL, np) == -1 &&
              np[0] == -7 &&
              strstr(hesca_error_text(),
                     "argument 5, mlimits: the limits hold 1450"),
          "%s", hesca_error_text());
}

/* The arguments of a user's metric. */
static double
sum_of_arguments(int p, const double *speed, const int *actual,
                 const int *ideal)
{
    double sum = 100 * p;
    for (int i = 0; i < p; ++i)
        sum += speed[i] * actual[i] + 1000 * ideal[i];
    return sum;
}

static void
user_metric(void)
{
    int np[8];
    double metric = 0;
    CHECK(Partition_unordered_set(3, 1, speeds, NULL, NULL, 7, NULL,
                                  USER_SPECIFIED, sum_of_arguments, &metric,
                                  np) == 0,
          "%s", hesca_error_text());
    /* 7 x (3 1 2) / 6: 3.5 1.17 2.33, and 4 1 2 elements */
    CHECK(metric == 300 + 12 + 1 + 4 + 1000 * (4 + 1 + 2), "%g", metric);
    CHECK(Partition_ordered_set(3, 1, speeds, NULL, NULL, 8, w, 0,
                                USER_SPECIFIED, sum_of_arguments, &metric,
                                np) == 0,
          "%s", hesca_error_text());
    CHECK(metric == 300 + 3 * 16 + 0 + 2 * 8 + 1000 * 24, "%g", metric);
    /* No more than its limit is ideal for the first. */
    CHECK(Partition_unordered_set(3, 1, speeds, NULL, (const int[]){1, 9, 9},
                                  7, NULL, USER_SPECIFIED, sum_of_arguments,
                                  &metric, np) == 0 &&
              metric == 300 + 3 + 2 + 8 + 1000 * 7,
          "%g", metric);
}

/* ----- queries ----------------------------------------------------------- */

static void
owners(void)
{
    for (int c = 0; c < check_cases(300); ++c) {
        const int p = check_uniform(1, 6), n = check_uniform(1, 30);
        const int reorder = c % 2;
        int weight[30], np[12], at = 0;
        double speed[6];
        for (int i = 0; i < p; ++i)
            speed[i] = check_uniform(1, 9);
        for (int e = 0; e < n; ++e)
            weight[e] = check_uniform(0, 9);
        CHECK(Partition_ordered_set(p, 1, speed, NULL, NULL, n, weight,
                                    reorder, -1, NULL, NULL, np) == 0,
              "%s", hesca_error_text());
        for (int k = 0; k < p; ++k) {
            const int i = reorder ? np[2 * k] : k;
            const int count = reorder ? np[2 * k + 1] : np[k + 1] - np[k];
            for (int e = at; e < at + count; ++e)
                CHECK(Get_set_processor(e, n, p, reorder, np) == i,
                      "element %d of %d", e, i);
            at += count;
        }
        CHECK(at == n, "%d of %d", at, n);
        CHECK(Get_set_processor(n, n, p, reorder, np) == -1 &&
                  Get_set_processor(-1, n, p, reorder, np) == -1,
              "outside");
    }
}

/* Thousands of random sets: Get_my_partition() is Partition_unordered_set().
 */
static void
alike(void)
{
    for (int c = 0; c < check_cases(2000); ++c) {
        const int p = check_uniform(1, 9), n = check_uniform(0, 200);
        const int i = check_uniform(0, p - 1);
        double speed[9];
        int np[9];
        for (int k = 0; k < p; ++k)
            speed[k] = c % 2 ? check_uniform(1, 5) : sets_number(0.01, 3);
        CHECK(Partition_unordered_set(p, 1, speed, NULL, NULL, n, NULL, -1,
                                      NULL, NULL, np) == 0 &&
                  Get_my_partition(i, p, speed, n) == np[i],
              "case %d: %s", c, hesca_error_text());
    }
}

/* ----- wrong arguments --------------------------------------------------- */

static void
bad(int err, const char *text)
{
    CHECK(err == -1 && strstr(hesca_error_text(), text) != NULL,
          "%d, '%s' has no '%s'", err, hesca_error_text(), text);
}

static int
unordered(int p, int pn, const double *s, const int *x, const int *b, int n,
          const int *weight)
{
    int np[8] = {-9, -9, -9, -9, -9, -9, -9, -9};
    const int err =
        Partition_unordered_set(p, pn, s, x, b, n, weight, -1, NULL, NULL, np);
    for (int k = 0; k < 8; ++k)
        CHECK(err == 0 || np[k] == -9, "np[%d] was written", k);
    return err;
}

static void
bad_models(void)
{
    const double fall[4] = {9, 8, 9, 8}, nan_at[4] = {9, 8, 9, NAN};
    const int x[4] = {1, 2, 1, 2};
    bad(unordered(0, 1, speeds, NULL, NULL, 3, NULL), "argument 1, p, is 0");
    bad(unordered(-2, 1, NULL, NULL, NULL, 3, NULL), "argument 1, p, is -2");
    bad(unordered(2, 0, speeds, NULL, NULL, 3, NULL), "argument 2, pn, is 0");
    bad(unordered(1, 2, speeds, NULL, NULL, 3, NULL),
        "argument 4, psizes, is NULL: pn is 2");
    bad(unordered(1, 1, NULL, x, NULL, 3, NULL), "argument 4, psizes, must");
    bad(unordered(2, 2, nan_at, x, NULL, 3, NULL),
        "Partition_unordered_set: argument 3, speeds[1][1], is nan");
    bad(unordered(2, 1, (const double[]){1, -3}, NULL, NULL, 3, NULL),
        "argument 3, speeds[1][0], is -3");
    bad(unordered(1, 1, (const double[]){INFINITY}, NULL, NULL, 3, NULL),
        "argument 3, speeds[0][0], is inf");
    bad(unordered(1, 1, (const double[]){0}, NULL, NULL, 3, NULL),
        "argument 3, speeds[0][0], is 0");
    bad(unordered(2, 2, fall, (const int[]){1, 2, 2, 1}, NULL, 3, NULL),
        "argument 4, psizes[1][1], is 1");
    bad(unordered(2, 2, fall, (const int[]){1, 2, 0, 1}, NULL, 3, NULL),
        "argument 4, psizes[1][0], is 0");
    /* 1 / 9 and 2 / 19: the second size would take less time. */
    bad(unordered(1, 2, (const double[]){9, 19}, x, NULL, 3, NULL),
        "argument 3, speeds[0][1], is 19: must be less");
    bad(unordered(2, 1, speeds, NULL, (const int[]){1, -1}, 3, NULL),
        "argument 5, mlimits[1], is -1");
    bad(unordered(2, 1, speeds, NULL, (const int[]){1, 1}, 3, NULL),
        "argument 5, mlimits: the limits hold 2 elements, less than n = 3");
    CHECK(unordered(2, 1, speeds, NULL, (const int[]){0, 3}, 3, NULL) == 0,
          "%s", hesca_error_text());
}

static void
bad_sets(void)
{
    int np[8];
    double metric = -5;
    bad(unordered(2, 1, speeds, NULL, NULL, -1, NULL), "argument 6, n, is -1");
    bad(unordered(2, 1, speeds, NULL, NULL, 3, (const int[]){1, 2, -2}),
        "argument 7, w[2], is -2");
    bad(Partition_unordered_set(2, 1, speeds, NULL, NULL, 3, NULL, -1, NULL,
                                NULL, NULL),
        "argument 11, np, is NULL");
    bad(Partition_ordered_set(2, 1, speeds, NULL, NULL, 3, NULL, 0, -1, NULL,
                              NULL, NULL),
        "Partition_ordered_set: argument 12, np, is NULL");
    bad(Partition_unordered_set(2, 1, speeds, NULL, NULL, 3, NULL, 7, NULL,
                                &metric, np),
        "argument 8, type_of_metric, is 7");
    bad(Partition_ordered_set(2, 1, speeds, NULL, NULL, 3, NULL, 0,
                              USER_SPECIFIED, NULL, &metric, np),
        "argument 10, umf, is NULL");
    bad(Partition_unordered_set(1, 1, speeds, NULL, NULL, 2,
                                (const int[]){INT_MAX, 1}, USER_SPECIFIED,
                                sum_of_arguments, &metric, np),
        "argument 7, w: part 0 has weight 2147483648");
    CHECK(metric == -5, "metric was written");
    bad(Get_my_partition(3, 3, speeds, 5), "argument 1, i, is 3");
    bad(Get_my_partition(0, 0, speeds, 5), "argument 2, p, is 0");
    bad(Get_my_partition(0, 3, speeds, -5), "argument 4, n, is -5");
    bad(Get_my_partition(0, 2, (const double[]){1, NAN}, 5),
        "Get_my_partition: argument 3, speeds[1][0], is nan");
    bad(Get_set_processor(0, 4, 0, 0, np), "argument 3, p, is 0");
    bad(Get_set_processor(0, 4, 2, 0, NULL), "argument 5, np, is NULL");
    bad(Get_set_processor(3, 4, 2, 0, (const int[]){0, 3, 2}),
        "argument 5, np: chunk 1 has -1");
    bad(Get_set_processor(3, 4, 2, 0, (const int[]){0, 1, 2}),
        "no processor of 2 has element 3");
    bad(Get_set_processor(1, 4, 2, 1, (const int[]){5, 3, 0, 1}),
        "no processor of 2 has element 1");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(constants), UNIT(weights), UNIT(functions),  UNIT(user_metric),
        UNIT(owners),    UNIT(alike),   UNIT(bad_models), UNIT(bad_sets)};
    unit_begin("partition/t_hdpi_set", 20261127);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
