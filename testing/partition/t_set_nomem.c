/* SPDX-License-Identifier: BSD-3-Clause */
/* No memory: whichever allocation fails, sets are not partitioned, nothing is
 * written and nothing left behind.  Leaks are found by the address sanitizer.
 */
#include "hdpi.h"
#include "testing/nomem.h"
#include "testing/partition/sets.h"

enum { P = 14, N = 30 };

static models m;
static int64_t weight[N];

/* One way to make shares, of `ways`. */
static int
make(int way, hesca_shares **s)
{
    if (way < HESCA_SHARES_METHODS)
        return hesca_shares_create_by(
            P, m.speed, N, &(hesca_shares_options){.method = way}, s);
    switch (way - HESCA_SHARES_METHODS) {
    case 0:
        return hesca_shares_create_by(P, m.speed, N,
                                      &(hesca_shares_options){.rounds = 1}, s);
    case 1:
        return hesca_shares_create(P, NULL, N, s);
    case 2:
        return hesca_shares_create_weighted(P, m.speed, N, weight, s);
    case 3:
        return hesca_shares_create_weighted(P, NULL, N, weight, s);
    case 4:
        return hesca_shares_create_ordered(P, m.speed, N, weight, 0, s);
    case 5:
        return hesca_shares_create_ordered(P, m.speed, N, weight, 1, s);
    default:
        return hesca_shares_create_ordered(6, m.speed, N, weight, 1, s);
    }
}

static void
objects(void)
{
    for (int way = 0; way < HESCA_SHARES_METHODS + 7; ++way) {
        int err = HESCA_ERR_NOMEM;
        long n = 0;
        for (; err == HESCA_ERR_NOMEM && n < 1000; ++n) {
            hesca_shares *s = (hesca_shares *)&m;
            nomem_left = n;
            err = make(way, &s);
            nomem_left = -1;
            CHECK(err == HESCA_SUCCESS || (err == HESCA_ERR_NOMEM && !s),
                  "way %d, allocation %ld: %d, %s", way, n, err,
                  hesca_error_text());
            if (err == HESCA_SUCCESS)
                hesca_shares_free(s);
        }
        CHECK(err == HESCA_SUCCESS && n > 4, "way %d: %ld allocations", way,
              n - 1);
    }
}

static double
none(int p, const double *speed, const int *actual, const int *ideal)
{
    return speed[0] + actual[0] + ideal[p - 1];
}

static int
call(int which, const double *s, const int *x, const int *w, double *metric,
     int *np)
{
    switch (which) {
    case 0:
        return Partition_unordered_set(P, 2, s, x, NULL, N, NULL,
                                       USER_SPECIFIED, none, metric, np);
    case 1:
        return Partition_unordered_set(P, 2, s, x, NULL, N, w, SYSTEM_DEFINED,
                                       NULL, metric, np);
    case 2:
        return Partition_ordered_set(P, 2, s, x, NULL, N, w, 1, SYSTEM_DEFINED,
                                     NULL, metric, np);
    default:
        np[0] = Get_my_partition(0, P, s, N);
        *metric = 0;
        return np[0];
    }
}

static void
published(void)
{
    double s[2 * P];
    int x[2 * P], w[N];
    for (int k = 0; k < 2 * P; ++k) {
        s[k] = k % 2 ? 8 : 9;
        x[k] = k % 2 ? 9 : 3;
    }
    for (int e = 0; e < N; ++e)
        w[e] = e % 9;
    for (int which = 0; which < 4; ++which) {
        int err = -1;
        long n = 0;
        for (; err < 0 && n < 1000; ++n) {
            int np[N] = {-1};
            double metric = -1;
            nomem_left = n;
            err = call(which, s, x, w, &metric, np);
            nomem_left = -1;
            CHECK(err >= 0 || which == 3 || (np[0] == -1 && metric < 0),
                  "call %d, allocation %ld: written", which, n);
            CHECK(err >= 0 || strlen(hesca_error_text()) > 0, "no text");
        }
        CHECK(err >= 0 && n > P, "call %d: %ld allocations", which, n - 1);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(objects), UNIT(published)};
    unit_begin("partition/t_set_nomem", 20261127);
    check_state = unit_seed;
    models_random(&m, P, MIXED, 20, 0);
    for (int e = 0; e < N; ++e)
        weight[e] = check_uniform(0, 99);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    models_clear(&m);
    return unit_end(failed);
}
