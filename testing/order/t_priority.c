/* SPDX-License-Identifier: BSD-3-Clause */
/* Deadlines, priorities, critical processes. */
#include "testing/timetables.h"

static double
longest(const hesca_events *x)
{
    double most = 0;
    for (int64_t e = 0; e < x->n; ++e)
        most = fmax(most, x->seconds[e]);
    return most;
}

/* An event waits only while one of its ends is busy with another, and if both
 * get free together, with a more urgent one. */
static void
check_waits(const hesca_events *x, const hesca_timetable *t,
            const double *priority)
{
    for (int64_t e = 0; e < x->n; ++e)
        for (int64_t f = 0; f < x->n; ++f) {
            const int meets =
                x->src[f] == x->src[e] || x->dest[f] == x->dest[e];
            if (!meets || t->start[f] >= t->start[e] ||
                priority[f] >= priority[e])
                continue;
            /* f is less urgent and went first: then e could not begin */
            int busy = 0;
            for (int64_t g = 0; g < x->n; ++g)
                busy |= (x->src[g] == x->src[e] || x->dest[g] == x->dest[e]) &&
                        g != f && t->start[g] <= t->start[f] &&
                        t->end[g] > t->start[f];
            CHECK(busy, "P=%d: %d to %d at %g waits for %d to %d at %g",
                  x->nproc, x->src[e], x->dest[e], t->start[e], x->src[f],
                  x->dest[f], t->start[f]);
        }
}

static void
priorities(void)
{
    for (int c = 0; c < check_cases(150); ++c) {
        const int p = check_uniform(2, 9);
        hesca_events x;
        CHECK(exchange_odd(&x, p, 0.1 * check_uniform(2, 10), &check_state) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        double *priority = calloc((size_t)x.n + 1, sizeof *priority);
        for (int64_t e = 0; e < x.n; ++e)
            priority[e] = check_uniform(-3, 3);
        const hesca_alltoallv_order_options o = {.priority = priority};
        const char *name = c % 2 ? "openshop" : "openshop-lpt";
        hesca_timetable t = timetable_make(name, &x, &o);
        check_waits(&x, &t, priority);
        CHECK(t.finish <= 2 * timetable_bound(&x) * (1 + 1e-12), "P=%d: %g", p,
              t.finish);
        hesca_timetable_clear(&t);
        free(priority);
        hesca_events_clear(&x);
    }
}

/* Deadlines that plain open shop would miss: one can be met, and is. */
static void
one_deadline(void)
{
    hesca_events x;
    const double s[] = {0, 5, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const double deadline[] = {INFINITY, 10, 1};
    CHECK(hesca_events_make_dense(&x, 4, s, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    const hesca_alltoallv_order_options none = {0}, o = {.deadline = deadline};
    hesca_timetable t = timetable_make("openshop", &x, &none);
    hesca_lateness l = hesca_timetable_lateness(&t, deadline, NULL);
    CHECK(l.missed == 1 && l.most == 10 && l.total == 10, "%g", l.most);
    hesca_timetable_clear(&t);
    t = timetable_make("openshop", &x, &o);
    l = hesca_timetable_lateness(&t, deadline, NULL);
    CHECK(l.missed == 0 && l.most == 0 && t.finish == 11, "%g", l.most);
    const double priority[] = {1, 0, 0};
    const hesca_alltoallv_order_options both = {.deadline = deadline,
                                                .priority = priority};
    hesca_timetable_clear(&t);
    t = timetable_make("openshop", &x, &both);
    CHECK(t.start[0] == 0 && t.start[2] == 5 && t.start[1] == 6,
          "priorities go before deadlines");
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
}

/* Total exchanges with random deadlines: fewer are missed, and by less. */
static void
many_deadlines(void)
{
    double missed[2] = {0}, total[2] = {0};
    for (int c = 0; c < check_cases(20); ++c) {
        hesca_events x;
        CHECK(exchange_total(&x, 20, EXCHANGE_MIXED, &check_state) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        const double bound = timetable_bound(&x);
        double *deadline = calloc((size_t)x.n, sizeof *deadline);
        for (int64_t e = 0; e < x.n; ++e)
            deadline[e] =
                x.seconds[e] + exchange_number(&check_state, 0.3, 2.0) * bound;
        for (int k = 0; k < 2; ++k) {
            const hesca_alltoallv_order_options o = {.deadline =
                                                         k ? deadline : NULL};
            hesca_timetable t = timetable_make("openshop", &x, &o);
            const hesca_lateness l =
                hesca_timetable_lateness(&t, deadline, NULL);
            missed[k] += (double)l.missed;
            total[k] += l.total;
            hesca_timetable_clear(&t);
        }
        free(deadline);
        hesca_events_clear(&x);
    }
    CHECK(missed[1] < 0.7 * missed[0] && total[1] < 0.5 * total[0],
          "missed %g, without deadlines %g; late %g, %g", missed[1], missed[0],
          total[1], total[0]);
}

/* When the last of the events of process c ends, sent or received. */
static double
last_of(const hesca_events *x, const hesca_timetable *t, const int *side,
        int c, double *sum)
{
    double end = 0;
    *sum = 0;
    for (int64_t e = 0; e < x->n; ++e)
        if (side[e] == c) {
            end = fmax(end, t->end[e]);
            *sum += x->seconds[e];
        }
    return end;
}

/* The first critical process sends and receives without a gap, so that it is
 * free at its own lower bound; and the whole does not suffer much. */
static void
critical(void)
{
    for (int c = 0; c < check_cases(200); ++c) {
        const int p = check_uniform(2, 20), several = check_uniform(1, 3);
        int who[3];
        double sum;
        hesca_events x;
        CHECK(exchange_odd(&x, p, 0.1 * check_uniform(2, 10), &check_state) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int k = 0; k < several; ++k)
            who[k] = check_uniform(0, p - 1); /* also one twice */
        const hesca_alltoallv_order_options o = {.ncritical = several,
                                                 .critical = who};
        hesca_timetable t = timetable_make("openshop", &x, &o);
        const double sent = last_of(&x, &t, x.src, who[0], &sum);
        CHECK(sent <= sum * (1 + 1e-12), "P=%d: %d sends %g until %g", p,
              who[0], sum, sent);
        const double received = last_of(&x, &t, x.dest, who[0], &sum);
        CHECK(received <= sum * (1 + 1e-12), "P=%d: %d receives %g until %g",
              p, who[0], sum, received);
        const double bound = timetable_bound(&x);
        CHECK(t.finish <= 2 * bound + 2 * several * longest(&x), "P=%d: %g", p,
              t.finish);
        if (several == 1)
            CHECK(t.finish <= 2 * bound * (1 + 1e-12), "P=%d: %g, bound %g", p,
                  t.finish, bound);
        hesca_timetable_clear(&t);
        hesca_events_clear(&x);
    }
}

/* Its first event cannot begin at once: everything is shifted by the
 * delay of its partners, no more. */
static void
critical_not_ready(void)
{
    hesca_events x;
    const double s[] = {0, 2, 3, 0, 0, 4, 1, 0, 0};
    const double recv[] = {0, 4, 1}, send[] = {0, 0, 0};
    const int who = 0;
    CHECK(hesca_events_make_dense(&x, 3, s, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    const hesca_alltoallv_order_options o = {
        .ready = {send, recv}, .ncritical = 1, .critical = &who};
    hesca_timetable t = timetable_make("openshop", &x, &o);
    CHECK(t.start[1] == 1 && t.start[0] == 4 && t.start[2] == 4 &&
              t.start[3] == 0,
          "%g %g %g %g", t.start[0], t.start[1], t.start[2], t.start[3]);
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(priorities), UNIT(one_deadline),
                                       UNIT(many_deadlines), UNIT(critical),
                                       UNIT(critical_not_ready)};
    unit_begin("order/t_priority", 20261124);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
