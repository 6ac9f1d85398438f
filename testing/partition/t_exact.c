/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotients compared without rounding. */
#include "partition/set/speed_lines.h"
#include "testing/unit.h"

static void
quotients(void)
{
    CHECK(hesca_exact_compare(1, 3, 2, 6) == 0, "1/3 and 2/6");
    CHECK(hesca_exact_compare(1, 0.1, 2, 0.2) == 0, "1/.1 and 2/.2");
    CHECK(hesca_exact_compare(3, 3, 10, 10) == 0, "3/3 and 10/10");
    /* 0.3 in binary is a little less than 3 times 0.1. */
    CHECK(hesca_exact_compare(1, 0.1, 3, 0.3) == -1, "1/.1 and 3/.3");
    const int64_t most = ((int64_t)1 << 53) - 1;
    CHECK(hesca_exact_compare(most, 3, most - 1, 3) == 1, "neighbours");
    CHECK(hesca_exact_compare(most, (double)most, most - 1,
                              (double)most - 1) == 0,
          "1 and 1");
    CHECK(hesca_exact_compare(most, (double)most - 1, most - 1,
                              (double)most - 2) == -1,
          "n / (n - 1) falls with n");
}

/* Of small numbers, against whole products; speeds as small as doubles go. */
static void
products(void)
{
    for (int c = 0; c < check_cases(20000); ++c) {
        const int a = check_uniform(1, 40), s = check_uniform(1, 40);
        const int b = check_uniform(1, 40), t = check_uniform(1, 40);
        if (a * t > 2 * b * s || b * s > 2 * a * t)
            continue;
        CHECK(hesca_exact_compare(a, s * 0x1p-600, b, t * 0x1p-600) ==
                  (a * t > b * s) - (a * t < b * s),
              "%d/%d and %d/%d", a, s, b, t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(quotients), UNIT(products)};
    unit_begin("partition/t_exact", 20261127);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
