/* SPDX-License-Identifier: BSD-3-Clause */
/* What is recorded for HESCA_REPORT: nothing before the beginning, bytes by
 * process, and a bounded number of samples of speeds that cover the whole
 * time. */
#include "base/report_data.h"
#include "testing/unit.h"

enum { PROCESSES = 5 };

static void
before(void)
{
    const double speed = 1;
    const double *at, *sample;
    int n;
    hesca_report_sent(0, 10);
    hesca_report_speeds(0, 1, &speed, NULL);
    CHECK(hesca_report_bytes() == NULL, "bytes of nothing");
    CHECK(hesca_report_seconds() == 0, "%g s", hesca_report_seconds());
    CHECK(hesca_report_samples(&n, &at, &sample) == 0, "samples");
    CHECK(hesca_report_record(0) == 0, "no process");
    CHECK(hesca_report_record(PROCESSES) == 1, "does not begin");
    CHECK(hesca_report_record(PROCESSES + 1) == 1, "begins again");
}

static void
bytes(void)
{
    int64_t sum[PROCESSES] = {0};
    for (int k = 0; k < 1000; ++k) {
        const int rank = check_uniform(-2, PROCESSES + 1);
        const int64_t n = (int64_t)check_uniform(0, 1000000) * 1000000;
        hesca_report_sent(rank, n);
        if (0 <= rank && rank < PROCESSES)
            sum[rank] += n;
    }
    for (int k = 0; k < PROCESSES; ++k)
        CHECK(hesca_report_bytes()[k] == sum[k], "process %d: %lld, not %lld",
              k, (long long)hesca_report_bytes()[k], (long long)sum[k]);
}

static void
check_samples(int added)
{
    const double *at, *sample;
    int nspeeds;
    const int n = hesca_report_samples(&nspeeds, &at, &sample);
    CHECK(nspeeds == PROCESSES, "%d speeds", nspeeds);
    CHECK(n == (added < HESCA_REPORT_SAMPLES ? added : HESCA_REPORT_SAMPLES),
          "%d samples of %d", n, added);
    CHECK(at[0] == 0 && at[n - 1] == added - 1, "%g to %g of %d", at[0],
          at[n - 1], added);
    for (int s = 0; s < n; ++s) {
        CHECK(sample[s * nspeeds + 3] == 1 + at[s], "sample %d of %d", s,
              added);
        CHECK(sample[s * nspeeds + 1] == 7, "process 1 in sample %d", s);
        CHECK(sample[s * nspeeds + 4] == 0, "process 4 in sample %d", s);
        CHECK(s == 0 || at[s] > at[s - 1], "time of sample %d", s);
        CHECK(s == 0 || at[s] - at[s - 1] <= 1 + 4.0 * added / n,
              "nothing from %g to %g", at[s - 1], at[s]);
    }
}

static void
speeds(void)
{
    static const int rank[] = {3, 1, PROCESSES + 3, -1};
    for (int k = 0; k < 1000; ++k) {
        const double speed[] = {1 + k, 7, 1, 1};
        hesca_report_speeds(k, 4, speed, rank);
        hesca_report_speeds(k + 0.5, 4, speed, rank); /* the same: none */
        check_samples(k + 1);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(before), UNIT(bytes),
                                       UNIT(speeds)};
    unit_begin("base/t_report_data", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
