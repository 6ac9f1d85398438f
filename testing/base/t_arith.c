/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of all stages, against slow and simple ways to compute it,
 * and at the ends of its range. */
#include "base/arith.h"
#include "testing/unit.h"

static int64_t
slow_gcd(int64_t a, int64_t b)
{
    int64_t g = a > b ? a : b;
    while (g > 1 && (a % g != 0 || b % g != 0))
        --g;
    return g;
}

static void
gcd(void)
{
    for (int64_t a = 0; a <= 60; ++a)
        for (int64_t b = 0; b <= 60; ++b)
            CHECK(hesca_gcd(a, b) == slow_gcd(a, b), "gcd(%lld,%lld) = %lld",
                  (long long)a, (long long)b, (long long)hesca_gcd(a, b));
    const int64_t big = (int64_t)1 << 62;
    CHECK(hesca_gcd(0, 0) == 0, "gcd(0,0) = %lld", (long long)hesca_gcd(0, 0));
    CHECK(hesca_gcd(big, 1u << 20) == 1 << 20, "2^62, 2^20");
    CHECK(hesca_gcd(INT64_MAX, INT64_MAX) == INT64_MAX, "2^63 - 1 twice");
    CHECK(hesca_gcd(0, INT64_MAX) == INT64_MAX, "0, 2^63 - 1");
    for (int k = 0; k < check_cases(1000); ++k) {
        const int64_t g = 1 + (int64_t)(check_random() >> 44);
        const int64_t a = g * (1 + (int64_t)(check_random() >> 44));
        const int64_t b = g * (1 + (int64_t)(check_random() >> 44));
        const int64_t got = hesca_gcd(a, b);
        CHECK(got % g == 0 && a % got == 0 && b % got == 0 &&
                  hesca_gcd(a / got, b / got) == 1,
              "gcd(%lld,%lld) = %lld", (long long)a, (long long)b,
              (long long)got);
    }
}

static void
check_euclid(int64_t a, int64_t b)
{
    int64_t x, y;
    const int64_t g = hesca_gcd_ext(a, b, &x, &y);
    CHECK(g == hesca_gcd(a, b), "%lld %lld: %lld", (long long)a, (long long)b,
          (long long)g);
    const __int128 sum = (__int128)a * x + (__int128)b * y;
    CHECK(sum == g, "%lld %lld: x = %lld, y = %lld", (long long)a,
          (long long)b, (long long)x, (long long)y);
}

static void
extended_euclid(void)
{
    for (int64_t a = 1; a <= 60; ++a)
        for (int64_t b = 1; b <= 60; ++b)
            check_euclid(a, b);
    check_euclid(INT64_MAX, INT64_MAX - 1);
    check_euclid(INT64_MAX - 1, INT64_MAX);
    check_euclid(INT64_MAX, 2);
    check_euclid(1, INT64_MAX);
    check_euclid(7540113804746346429, 4660046610375530309); /* Fibonacci */
    for (int k = 0; k < check_cases(1000); ++k) {
        const int shift = check_uniform(1, 62);
        const int64_t a = 1 + (int64_t)(check_random() >> shift);
        check_euclid(a, 1 + (int64_t)(check_random() >> shift));
    }
}

static void
lcm(void)
{
    for (int64_t a = 1; a <= 40; ++a)
        for (int64_t b = 1; b <= 40; ++b) {
            const int64_t expected = a * b / slow_gcd(a, b);
            for (int64_t limit = expected - 2; limit <= expected + 2; ++limit)
                CHECK(hesca_lcm_below(a, b, limit) ==
                          (expected < limit ? expected : limit),
                      "lcm(%lld,%lld), limit %lld: %lld", (long long)a,
                      (long long)b, (long long)limit,
                      (long long)hesca_lcm_below(a, b, limit));
        }
    static const int64_t huge[][2] = {
        {INT64_MAX, INT64_MAX - 1}, {INT64_MAX - 1, INT64_MAX},
        {(int64_t)1 << 62, 3},      {3, (int64_t)1 << 62},
        {4294967296, 4294967297},   {3037000500, 3037000501}};
    for (size_t k = 0; k < sizeof huge / sizeof *huge; ++k) {
        const int64_t a = huge[k][0], b = huge[k][1];
        CHECK(hesca_lcm_below(a, b, 1000) == 1000, "%lld %lld", (long long)a,
              (long long)b);
        CHECK(hesca_lcm_below(a, b, INT64_MAX) == INT64_MAX, "%lld %lld",
              (long long)a, (long long)b);
    }
    const int64_t big = (int64_t)1 << 62;
    CHECK(hesca_lcm_below(big, 4, INT64_MAX) == big, "2^62 and 4");
    CHECK(hesca_lcm_below(INT64_MAX, INT64_MAX, INT64_MAX) == INT64_MAX,
          "2^63 - 1 twice");
}

static void
remainders(void)
{
    for (int64_t b = 1; b <= 20; ++b)
        for (int64_t a = -100; a <= 100; ++a) {
            const int64_t r = hesca_mod(a, b);
            CHECK(0 <= r && r < b && (a - r) % b == 0, "%lld mod %lld is %lld",
                  (long long)a, (long long)b, (long long)r);
        }
    CHECK(hesca_mod(INT64_MIN, 1) == 0 && hesca_mod(INT64_MIN, 2) == 0 &&
              hesca_mod(INT64_MIN + 1, 2) == 1 &&
              hesca_mod(INT64_MIN, INT64_MAX) == INT64_MAX - 1,
          "-2^63");
    CHECK(hesca_min(-1, 1) == -1 && hesca_min(2, 1) == 1 &&
              hesca_max(-1, 1) == 1 && hesca_max(2, 1) == 2,
          "min and max");
    CHECK(hesca_clamp(-5, 0, 3) == 0 && hesca_clamp(2, 0, 3) == 2 &&
              hesca_clamp(5, 0, 3) == 3,
          "clamp");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(gcd), UNIT(extended_euclid),
                                       UNIT(lcm), UNIT(remainders)};
    unit_begin("base/t_arith", 20260101);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
