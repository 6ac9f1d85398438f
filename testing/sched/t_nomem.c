/* SPDX-License-Identifier: BSD-3-Clause */
/* No memory: whichever allocation fails, heterogeneous schedules return that
 * error and free all.  Leaks are found by the address sanitizer. */
#include "order/checkpoint.h"
#include "order/refine.h"
#include "testing/nomem.h"
#include "testing/timetables.h"

/* Something that makes a timetable, and what it is given. */
typedef struct {
    const char *name;
    const hesca_events *x;
    const hesca_timetable *old;
    const hesca_alltoallv_order_options *options;
    const double *real;
} job;

static int
run(const job *j, hesca_timetable *t)
{
    const hesca_heuristic *h = hesca_heuristic_find(j->name);
    hesca_checkpoint_outcome r;
    if (h != NULL)
        return h->make(j->x, j->options, t);
    if (strcmp(j->name, "refine") == 0)
        return hesca_refine(j->x, j->old, NULL, 0, t);
    const int err =
        hesca_checkpoint_run(j->x, j->real, j->old, HESCA_CHECK_HALF, 0,
                             hesca_heuristic_find("maxmatch"), &r);
    *t = r.t;
    return err;
}

static void
check_job(const job *j)
{
    int err = HESCA_ERR_NOMEM;
    long n = 0;
    for (; err == HESCA_ERR_NOMEM && n < 10000; ++n) {
        hesca_timetable t;
        nomem_left = n;
        err = run(j, &t);
        nomem_left = -1;
        CHECK(err == HESCA_SUCCESS || err == HESCA_ERR_NOMEM, "%s: %s",
              j->name, hesca_error_text());
        CHECK(err == HESCA_SUCCESS || t.start == NULL, "%s, %ld: not cleared",
              j->name, n);
        hesca_timetable_clear(&t);
    }
    CHECK(err == HESCA_SUCCESS && n > 5, "%s: %ld allocations", j->name, n);
}

static void
every_allocation(void)
{
    hesca_events x, y;
    CHECK(exchange_total(&x, 9, EXCHANGE_MIXED, &check_state) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    hesca_timetable old = timetable_make("caterpillar", &x, NULL);
    double real[72];
    for (int64_t e = 0; e < x.n; ++e)
        real[e] = x.seconds[e] * (x.src[e] == 2 ? 5 : 1);
    for (int k = 0; hesca_heuristics[k] != NULL; ++k)
        check_job(&(job){.name = hesca_heuristics[k]->name, .x = &x});
    const int who = 3;
    const hesca_alltoallv_order_options critical = {.ncritical = 1,
                                                    .critical = &who};
    check_job(&(job){.name = "openshop", .x = &x, .options = &critical});
    check_job(&(job){.name = "refine", .x = &x, .old = &old});
    check_job(
        &(job){.name = "checkpoints", .x = &x, .old = &old, .real = real});
    int err = HESCA_ERR_NOMEM;
    for (long n = 0; err == HESCA_ERR_NOMEM; ++n) {
        nomem_left = n;
        err = hesca_events_retime(&y, &x, real);
        nomem_left = -1;
        CHECK(err == HESCA_SUCCESS || y.first == NULL, "%ld: not cleared", n);
    }
    hesca_events_clear(&y);
    hesca_timetable_clear(&old);
    hesca_events_clear(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(every_allocation)};
    unit_begin("sched/t_nomem", 20261126);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
