/* SPDX-License-Identifier: BSD-3-Clause */
/* Activities of a thread: each moment counts once, waiting ends where another
 * one begins, and nothing is counted before the beginning. */
#include "base/activity.h"
#include "testing/unit.h"
#include <time.h>

static void
spend(int ms)
{
    const struct timespec t = {0, ms * 1000000L};
    nanosleep(&t, NULL);
}

static void
counting(void)
{
    double s[HESCA_ACTIVITIES], sum = 0;
    hesca_activity_leave(hesca_activity_enter(HESCA_ACTIVITY_PANEL));
    for (int again = 0; again < 2; ++again) {
        hesca_activity_begin();
        const hesca_activity outer =
            hesca_activity_enter(HESCA_ACTIVITY_UPDATE);
        spend(4);
        const hesca_activity inner =
            hesca_activity_enter(HESCA_ACTIVITY_COPIES);
        spend(8);
        hesca_activity_leave(inner);
        hesca_activity_leave(outer);
        hesca_activity_enter(HESCA_ACTIVITY_WAITING);
        hesca_activity_enter(HESCA_ACTIVITY_WAITING);
        spend(2);
        const hesca_activity before =
            hesca_activity_enter(HESCA_ACTIVITY_PANEL);
        spend(1);
        hesca_activity_leave(before);
        CHECK(outer == HESCA_ACTIVITY_REST && inner == HESCA_ACTIVITY_UPDATE &&
                  before == HESCA_ACTIVITY_REST,
              "before: %d, %d, %d", outer, inner, before);
        hesca_activity_end(s);
    }
    static const double least[] = {[HESCA_ACTIVITY_PANEL] = 1e-3,
                                   [HESCA_ACTIVITY_UPDATE] = 4e-3,
                                   [HESCA_ACTIVITY_WAITING] = 2e-3,
                                   [HESCA_ACTIVITY_COPIES] = 8e-3};
    for (int k = 0; k < HESCA_ACTIVITIES; ++k) {
        CHECK(s[k] >= least[k], "activity %d: %g s", k, s[k]);
        sum += s[k];
    }
    CHECK(s[HESCA_ACTIVITY_REST] < sum, "the rest is %g s", sum);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(counting)};
    unit_begin("base/t_activity", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
