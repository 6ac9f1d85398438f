/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules that follow reality: refined after costs have changed, and
 * rescheduled at checkpoints. */
#include "order/checkpoint.h"
#include "order/refine.h"
#include "testing/timetables.h"

enum { EVERYTHING, ONE_SENDER, SOME_PAIRS, KINDS };

/* Everything up to 1.5 times as long or half, one sender five times as slow,
 * or one pair in twenty four times. */
static double *
changed(const hesca_events *x, int kind)
{
    double *seconds = calloc((size_t)x->n + 1, sizeof *seconds);
    const int slow = check_uniform(0, x->nproc - 1);
    for (int64_t e = 0; e < x->n; ++e)
        seconds[e] =
            x->seconds[e] * (kind == EVERYTHING
                                 ? exchange_number(&check_state, 0.5, 1.5)
                             : kind == ONE_SENDER   ? x->src[e] == slow ? 5 : 1
                             : check_uniform(0, 19) ? 1
                                                    : 4);
    return seconds;
}

/* ----- refining ---------------------------------------------------------- */

typedef struct {
    double kept, refined, anew; /* beyond the bound, sums */
} gains;

static void
refine_one(const hesca_events *x, int kind, gains *g)
{
    double *seconds = changed(x, kind);
    hesca_events y;
    hesca_timetable old = timetable_make("openshop", x, NULL), t;
    CHECK(hesca_events_retime(&y, x, seconds) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    const double bound = timetable_bound(&y);
    CHECK(hesca_refine(&y, &old, NULL, 0, &t) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(hesca_timetable_check(&t, &y, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(hesca_timetable_run(&old, &y, NULL, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(t.finish <= old.finish && t.finish >= bound * (1 - 1e-12),
          "P=%d: %g, kept %g, bound %g", y.nproc, t.finish, old.finish, bound);
    g->refined += t.finish / bound - 1;
    g->kept += old.finish / bound - 1;
    hesca_timetable_clear(&t);
    /* with enough slack the old orders are kept */
    CHECK(hesca_refine(&y, &old, NULL, 1e9, &t) == HESCA_SUCCESS &&
              t.finish == old.finish &&
              memcmp(t.send, old.send, (size_t)y.n * sizeof *t.send) == 0,
          "slack");
    hesca_timetable_clear(&t);
    hesca_timetable_clear(&old);
    old = timetable_make("openshop", &y, NULL);
    g->anew += old.finish / bound - 1;
    hesca_timetable_clear(&old);
    hesca_events_clear(&y);
    free(seconds);
}

static void
refined(void)
{
    enum { RUNS = 15 };
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 16; k <= 63; k += 47) {
            gains g = {0, 0, 0};
            for (int run = 0; run < RUNS; ++run) {
                hesca_events x;
                CHECK(exchange_redist(&x, 64, k, 10, 200, &check_state) ==
                          HESCA_SUCCESS,
                      "%s", hesca_error_text());
                refine_one(&x, kind, &g);
                hesca_events_clear(&x);
            }
            CHECK(g.refined <= g.anew + 0.03 * RUNS, "%g, anew %g", g.refined,
                  g.anew);
            CHECK(g.refined <= 0.3 * g.kept, "%g, kept %g", g.refined, g.kept);
        }
}

static void
refined_odd(void)
{
    for (int c = 0; c < check_cases(150); ++c) {
        gains g = {0, 0, 0};
        hesca_events x;
        CHECK(exchange_odd(&x, check_uniform(1, 12),
                           0.1 * check_uniform(1, 10),
                           &check_state) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        if (x.n > 0)
            refine_one(&x, c % KINDS, &g);
        hesca_events_clear(&x);
    }
}

/* ----- checkpoints ------------------------------------------------------- */

/* Factors of processes are found from part of the events. */
static void
estimates(void)
{
    hesca_events x;
    CHECK(exchange_total(&x, 12, EXCHANGE_LARGE, &check_state) ==
              HESCA_SUCCESS,
          "%s", hesca_error_text());
    double send[12], recv[12], start[132], end[132], seconds[132];
    for (int i = 0; i < 12; ++i) {
        send[i] = exchange_number(&check_state, 0.5, 4);
        recv[i] = exchange_number(&check_state, 0.5, 2);
    }
    for (int64_t e = 0; e < x.n; ++e) {
        const int ended = check_uniform(0, 1);
        start[e] = ended ? 1 : NAN;
        end[e] = 1 + x.seconds[e] * send[x.src[e]] * recv[x.dest[e]];
        if (!ended)
            end[e] = NAN;
    }
    const hesca_so_far g = {1000, start, end};
    CHECK(hesca_reestimate(&x, &g, seconds) == HESCA_SUCCESS, "memory");
    for (int64_t e = 0; e < x.n; ++e) {
        const double real = x.seconds[e] * send[x.src[e]] * recv[x.dest[e]];
        CHECK(fabs(seconds[e] / real - 1) < 0.1, "%d to %d: %g, real %g",
              x.src[e], x.dest[e], seconds[e], real);
    }
    hesca_events_clear(&x);
}

/* A timetable that is half done: what has begun stays, nothing begins in the
 * past, and it ends no later than by the old orders. */
static void
half_done(void)
{
    for (int c = 0; c < check_cases(100); ++c) {
        hesca_events x;
        int changes = -1;
        CHECK(exchange_odd(&x, check_uniform(2, 16), 0.7, &check_state) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        const size_t n = (size_t)x.n + 1;
        hesca_timetable old = timetable_make("caterpillar", &x, NULL), t;
        const double now = exchange_number(&check_state, 0, 1) * old.finish;
        double *start = calloc(2 * n, sizeof *start), *end = start + n;
        for (int64_t e = 0; e < x.n; ++e) {
            start[e] = old.start[e] < now ? old.start[e] : NAN;
            end[e] =
                old.end[e] <= now && old.start[e] < now ? old.end[e] : NAN;
        }
        const hesca_so_far g = {now, start, end};
        CHECK(hesca_reschedule(&x, &old, &g, hesca_heuristic_find("polished"),
                               &t, &changes) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(hesca_timetable_check(&t, &x, NULL) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        CHECK((changes == 1) ==
                  (memcmp(t.send, old.send, (size_t)x.n * sizeof *t.send) ||
                   memcmp(t.recv, old.recv, (size_t)x.n * sizeof *t.recv)),
              "changed: %d", changes);
        for (int64_t e = 0; e < x.n; ++e)
            CHECK(isnan(start[e]) ? t.start[e] >= now : t.start[e] == start[e],
                  "%d to %d", x.src[e], x.dest[e]);
        CHECK(t.finish <= old.finish * (1 + 1e-9), "%g, old %g", t.finish,
              old.finish);
        hesca_timetable_clear(&t);
        /* as things are the old timetable goes on */
        CHECK(hesca_reschedule(&x, &old, &g, NULL, &t, &changes) ==
                      HESCA_SUCCESS &&
                  changes == 0 &&
                  fabs(t.finish - old.finish) <= 1e-9 * old.finish &&
                  memcmp(t.send, old.send, (size_t)x.n * sizeof *t.send) ==
                      0 &&
                  memcmp(t.recv, old.recv, (size_t)x.n * sizeof *t.recv) == 0,
              "kept: %g, old %g", t.finish, old.finish);
        free(start);
        hesca_timetable_clear(&t);
        hesca_timetable_clear(&old);
        hesca_events_clear(&x);
    }
}

/* If times are as planned no process reschedules. */
static void
as_planned(void)
{
    hesca_events x;
    CHECK(exchange_total(&x, 16, EXCHANGE_MIXED, &check_state) ==
              HESCA_SUCCESS,
          "%s", hesca_error_text());
    hesca_timetable plan = timetable_make("openshop", &x, NULL);
    for (int policy = HESCA_CHECK_EVENT; policy <= HESCA_CHECK_HALF;
         ++policy) {
        hesca_checkpoint_outcome r;
        CHECK(hesca_checkpoint_run(
                  &x, x.seconds, &plan, (hesca_check_policy)policy, 0,
                  hesca_heuristic_find("openshop"), &r) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(r.changes == 0 && r.t.finish == plan.finish, "%g, plan %g",
              r.t.finish, plan.finish);
        /* 240 events: 120, 180, 210, 225, 233, 237, 239 */
        CHECK(r.checks == (policy == HESCA_CHECK_EVENT ? 239 : 7), "%lld",
              (long long)r.checks);
        hesca_timetable_clear(&r.t);
    }
    hesca_timetable_clear(&plan);
    hesca_events_clear(&x);
}

static double
checked_run(const hesca_events *x, const double *real,
            const hesca_timetable *plan, hesca_check_policy policy,
            double threshold)
{
    hesca_checkpoint_outcome r;
    hesca_events y;
    CHECK(hesca_checkpoint_run(x, real, plan, policy, threshold,
                               hesca_heuristic_find("openshop"),
                               &r) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    CHECK(hesca_events_retime(&y, x, real) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(hesca_timetable_check(&r.t, &y, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    const double finish = r.t.finish;
    hesca_timetable_clear(&r.t);
    hesca_events_clear(&y);
    return finish;
}

/* Two processes are slower than planned: orders that adapt save much of
 * what the plan costs beyond the bound; a high threshold changes nothing. */
static void
slow_processes(void)
{
    double kept = 0, every = 0, half = 0;
    for (int c = 0; c < check_cases(10); ++c) {
        hesca_events x, y;
        CHECK(exchange_total(&x, 24, EXCHANGE_LARGE, &check_state) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        hesca_timetable plan = timetable_make("openshop", &x, NULL),
                        real = timetable_make("openshop", &x, NULL);
        double *seconds = calloc((size_t)x.n, sizeof *seconds);
        for (int64_t e = 0; e < x.n; ++e)
            seconds[e] = x.seconds[e] * (x.src[e] == 3 ? 3 : 1) *
                         (x.dest[e] == 7 ? 2.5 : 1);
        CHECK(hesca_timetable_run(&real, &x, seconds, NULL) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(hesca_events_retime(&y, &x, seconds) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        const double bound = timetable_bound(&y);
        kept += real.finish / bound - 1;
        every +=
            checked_run(&x, seconds, &plan, HESCA_CHECK_EVENT, 0.05) / bound -
            1;
        half +=
            checked_run(&x, seconds, &plan, HESCA_CHECK_HALF, 0.05) / bound -
            1;
        CHECK(checked_run(&x, seconds, &plan, HESCA_CHECK_EVENT, 1e9) ==
                  real.finish,
              "threshold");
        free(seconds);
        hesca_timetable_clear(&plan);
        hesca_timetable_clear(&real);
        hesca_events_clear(&x);
        hesca_events_clear(&y);
    }
    CHECK(every < 0.1 * kept && half < 0.3 * kept, "kept %g every %g half %g",
          kept, every, half);
}

/* Of very unequal times, too: a message may end when it begins, rounded. */
static void
odd_reality(void)
{
    for (int c = 0; c < check_cases(60); ++c) {
        hesca_events x;
        CHECK(exchange_odd(&x, check_uniform(2, 10), 0.8, &check_state) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        hesca_timetable plan = timetable_make("openshop", &x, NULL);
        double *real = changed(&x, c % KINDS);
        const double bound = timetable_bound(&x);
        for (int policy = HESCA_CHECK_EVENT; policy <= HESCA_CHECK_HALF;
             ++policy)
            CHECK(checked_run(&x, real, &plan, (hesca_check_policy)policy,
                              0) <= 10 * bound,
                  "bound %g", bound);
        free(real);
        hesca_timetable_clear(&plan);
        hesca_events_clear(&x);
    }
}

static void
refuses(int err, const char *text)
{
    CHECK(err == HESCA_ERR_ARG && strstr(hesca_error_text(), text) != NULL,
          "%d, '%s' has not '%s'", err, hesca_error_text(), text);
}

static void
bad_arguments(void)
{
    hesca_events x, none;
    hesca_timetable t, out;
    hesca_checkpoint_outcome r;
    const hesca_heuristic *h = hesca_heuristic_find("openshop");
    const double s[] = {0, 2, 3, 0, 0, 4, 1, 0, 0}, real[] = {1, 2, 0, 1};
    const double start[] = {NAN, 0, NAN, NAN}, end[] = {NAN, NAN, NAN, NAN};
    CHECK(hesca_events_make_dense(&x, 3, s, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(hesca_events_init(&none, 3, 0, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    t = timetable_make("caterpillar", &x, NULL);
    refuses(hesca_refine(&x, &t, NULL, -1, &out), "slack is -1");
    refuses(hesca_refine(&none, &t, NULL, 0, &out), "timetable of 4 events");
    refuses(hesca_checkpoint_run(&x, real, &t, HESCA_CHECK_HALF, 0, h, &r),
            "event from 1 to 2: real seconds are 0");
    refuses(
        hesca_checkpoint_run(&x, x.seconds, &t, HESCA_CHECK_HALF, NAN, h, &r),
        "threshold is nan");
    const hesca_so_far g = {1, start, end}, past = {-1, start, end};
    refuses(hesca_reschedule(&x, &t, &g, h, &out, NULL), "has begun before");
    refuses(hesca_reschedule(&x, &t, &past, h, &out, NULL),
            "event from 0 to 2: began at 0");
    CHECK(out.start == NULL && r.t.start == NULL, "cleared");
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
    hesca_events_clear(&none);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(refined),     UNIT(refined_odd),
                                       UNIT(estimates),   UNIT(half_done),
                                       UNIT(as_planned),  UNIT(slow_processes),
                                       UNIT(odd_reality), UNIT(bad_arguments)};
    unit_begin("order/t_adapt", 20261125);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
