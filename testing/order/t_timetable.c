/* SPDX-License-Identifier: BSD-3-Clause */
/* Events and timetables: what is refused, bounds by hand, orders that run and
 * orders that wait for each other, steps, late events. */
#include "hesca/experimental/timetable.h"
#include "testing/exchanges.h"
#include "testing/unit.h"
#include <hesca/status.h>
#include <math.h>

static void
refuses(int err, const char *text)
{
    CHECK(err == HESCA_ERR_ARG, "%s: %d", text, err);
    CHECK(strstr(hesca_error_text(), text) != NULL, "'%s' has not '%s'",
          hesca_error_text(), text);
}

static void
bad_events(void)
{
    hesca_events x;
    const struct {
        hesca_event e;
        const char *text;
    } bad[] = {
        {{1, 2, 8, NAN}, "event from 1 to 2: seconds is nan"},
        {{2, 1, 8, -0.5}, "event from 2 to 1: seconds is -0.5"},
        {{0, 2, 8, 0}, "event from 0 to 2: seconds is 0"},
        {{0, 1, 8, INFINITY}, "event from 0 to 1: seconds is inf"},
        {{0, 2, -1, 1}, "event from 0 to 2: bytes is -1"},
        {{0, 2, NAN, 1}, "event from 0 to 2: bytes is nan"},
        {{1, 1, 8, 1}, "event from 1 to 1: no process sends to itself"},
        {{1, 3, 8, 1}, "event from 1 to 3: there are 3 processes"},
        {{-1, 0, 8, 1}, "event from -1 to 0: there are 3 processes"},
        {{2, 0, 8, 7}, "event from 2 to 0: is there twice, with 1 and 7"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        const hesca_event list[] = {{2, 0, 8, 1}, bad[k].e};
        refuses(hesca_events_init(&x, 3, 2, list), bad[k].text);
        CHECK(x.first == NULL && x.n == 0, "%zu", k);
    }
    refuses(hesca_events_init(&x, 0, 0, NULL), "0 processes");
    refuses(hesca_events_init(&x, 2, -1, NULL), "-1 events");
    const hesca_event huge[] = {{0, 1, 8, 1e308}, {1, 2, 8, 1e308}};
    refuses(hesca_events_init(&x, 3, 2, huge), "2 events take inf seconds");
    CHECK(x.first == NULL && x.n == 0, "huge");
    const double much[] = {0, 1e308, 1e307, 0};
    refuses(hesca_events_make_dense(&x, 2, much, NULL), "2 events take 1.1e");
    CHECK(x.first == NULL && x.n == 0, "much");
    const double self[] = {0, 1, 1, 2}, negative[] = {0, -1, 0, 0};
    refuses(hesca_events_make_dense(&x, 2, self, NULL), "event from 1 to 1");
    refuses(hesca_events_make_dense(&x, 2, negative, NULL),
            "event from 0 to 1: seconds is -1");
}

/* A list in any order is the matrix, and finds its events. */
static void
lists(void)
{
    for (int c = 0; c < check_cases(200); ++c) {
        const int p = check_uniform(1, 12);
        hesca_events x, y;
        CHECK(exchange_odd(&x, p, 0.1 * check_uniform(0, 10), &check_state) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        hesca_event *list = calloc((size_t)x.n + 1, sizeof *list);
        for (int64_t e = 0; e < x.n; ++e)
            list[e] =
                (hesca_event){x.src[e], x.dest[e], (double)e, x.seconds[e]};
        for (int64_t e = x.n - 1; e > 0; --e) {
            const int64_t f = check_uniform(0, (int)e);
            const hesca_event other = list[f];
            list[f] = list[e];
            list[e] = other;
        }
        CHECK(hesca_events_init(&y, p, x.n, list) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        CHECK(memcmp(x.src, y.src, (size_t)x.n * sizeof *x.src) == 0 &&
                  memcmp(x.dest, y.dest, (size_t)x.n * sizeof *x.dest) == 0,
              "P=%d n=%lld", p, (long long)x.n);
        int64_t found = 0;
        for (int i = 0; i < p; ++i)
            for (int j = 0; j < p; ++j) {
                const int64_t e = hesca_events_find(&y, i, j);
                found += e >= 0;
                CHECK(e < 0 || (y.src[e] == i && y.dest[e] == j &&
                                (int64_t)y.bytes[e] == e),
                      "P=%d: %d to %d is %lld", p, i, j, (long long)e);
            }
        CHECK(found == y.n, "P=%d: found %lld of %lld", p, (long long)found,
              (long long)y.n);
        free(list);
        hesca_events_clear(&x);
        hesca_events_clear(&y);
    }
}

/* 0 sends 2 and 3, 1 sends 4, 2 sends 1: 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 0. */
static hesca_events
four(void)
{
    hesca_events x;
    const double s[] = {0, 2, 3, 0, 0, 4, 1, 0, 0};
    CHECK(hesca_events_make_dense(&x, 3, s, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    return x;
}

static void
by_hand(void)
{
    hesca_events x = four();
    hesca_timetable t;
    double bound = 0;
    const double send[] = {0, 9, 0}, recv[] = {0, 0, 1};
    const hesca_ready ready = {send, recv}, later = {NULL, recv};
    CHECK(hesca_events_bound(&x, NULL, &bound) == 0 && bound == 7, "%g",
          bound);
    CHECK(hesca_events_bound(&x, &ready, &bound) == 0 && bound == 13, "%g",
          bound);
    CHECK(hesca_timetable_alloc(&t, &x) == HESCA_SUCCESS, "memory");
    CHECK(hesca_timetable_run(&t, &x, NULL, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(t.start[0] == 0 && t.start[1] == 2 && t.start[2] == 5 &&
              t.start[3] == 0 && t.finish == 9,
          "%g %g %g %g", t.start[0], t.start[1], t.start[2], t.start[3]);
    CHECK(hesca_timetable_check(&t, &x, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    const int64_t swapped[] = {2, 1};
    memcpy(t.recv + t.recv_first[2], swapped, sizeof swapped);
    CHECK(hesca_timetable_run(&t, &x, NULL, &later) == HESCA_SUCCESS &&
              t.start[2] == 1 && t.start[1] == 5 && t.finish == 8,
          "%g", t.finish);
    const double slow[] = {2, 3, 10, 1};
    CHECK(hesca_timetable_run(&t, &x, slow, NULL) == HESCA_SUCCESS &&
              t.finish == 13,
          "%g", t.finish);
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
}

/* Faults put into a good timetable are found. */
static void
faults(void)
{
    hesca_events x = four();
    hesca_timetable t;
    CHECK(hesca_timetable_alloc(&t, &x) == HESCA_SUCCESS, "memory");
    CHECK(hesca_timetable_run(&t, &x, NULL, NULL) == HESCA_SUCCESS, "run");
    t.start[2] -= 1, t.end[2] -= 1, t.finish -= 1;
    refuses(hesca_timetable_check(&t, &x, NULL),
            "event from 1 to 2 begins at 4, before 5, when process 2");
    t.start[2] += 1;
    refuses(hesca_timetable_check(&t, &x, NULL), "takes from 5 to 8");
    t.end[2] += 1;
    refuses(hesca_timetable_check(&t, &x, NULL), "ends at 9, not 8");
    t.finish += 1;
    CHECK(hesca_timetable_check(&t, &x, NULL) == HESCA_SUCCESS, "mended");
    const double send[] = {0, 6, 0};
    const hesca_ready ready = {send, NULL};
    refuses(hesca_timetable_check(&t, &x, &ready), "before 6");
    t.send[1] = 0;
    refuses(hesca_timetable_check(&t, &x, NULL), "twice");
    refuses(hesca_timetable_run(&t, &x, NULL, NULL), "wait for each other");
    t.send[1] = 2;
    refuses(hesca_timetable_run(&t, &x, NULL, NULL), "not one that 0 sends");
    t.send[1] = 1;
    t.recv[0] = 1;
    refuses(hesca_timetable_run(&t, &x, NULL, NULL),
            "not one that 0 receives");
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
}

/* Two senders, two receivers, each pair in the order of the other. */
static void
deadlock(void)
{
    hesca_events x;
    hesca_timetable t;
    const hesca_event list[] = {
        {0, 2, 1, 1}, {0, 3, 1, 1}, {1, 2, 1, 1}, {1, 3, 1, 1}};
    CHECK(hesca_events_init(&x, 4, 4, list) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(hesca_timetable_alloc(&t, &x) == HESCA_SUCCESS, "memory");
    t.recv[0] = 2, t.recv[1] = 0; /* 2 waits for 1, 3 for 0 */
    t.send[2] = 3, t.send[3] = 2; /* 0 begins with 2, 1 with 3 */
    refuses(hesca_timetable_run(&t, &x, NULL, NULL),
            "0 is to send to 2, which is to receive from 1");
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
}

static void
steps(void)
{
    hesca_events x = four();
    hesca_timetable t;
    const int64_t good[] = {1, 0, 2, 0}, same[] = {1, 1, 2, 0};
    const int64_t meet[] = {1, 0, 0, 0}, far[] = {1, 0, 3, 0};
    CHECK(hesca_timetable_of_steps(&t, &x, 3, good, NULL) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    CHECK(t.send[0] == 1 && t.send[1] == 0 && t.start[0] == 3 &&
              t.start[2] == 3 && t.finish == 7,
          "%g", t.finish);
    hesca_timetable_clear(&t);
    refuses(hesca_timetable_of_steps(&t, &x, 3, same, NULL),
            "process 0 sends twice in step 1");
    refuses(hesca_timetable_of_steps(&t, &x, 3, meet, NULL),
            "process 2 receives twice in step 0");
    refuses(hesca_timetable_of_steps(&t, &x, 3, far, NULL),
            "event from 1 to 2: step is 3: must be 0 ... 2");
    CHECK(t.start == NULL, "cleared");
    hesca_events_clear(&x);
}

static void
late(void)
{
    hesca_events x = four();
    hesca_timetable t;
    const double deadline[] = {2, 4, INFINITY, 0.5};
    unsigned char missed[4];
    CHECK(hesca_timetable_alloc(&t, &x) == HESCA_SUCCESS, "memory");
    CHECK(hesca_timetable_run(&t, &x, NULL, NULL) == HESCA_SUCCESS, "run");
    const hesca_lateness l = hesca_timetable_lateness(&t, deadline, missed);
    CHECK(l.missed == 2 && l.total == 1.5 && l.most == 1, "%lld %g %g",
          (long long)l.missed, l.total, l.most);
    CHECK(!missed[0] && missed[1] && !missed[2] && missed[3], "which");
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(bad_events), UNIT(lists), UNIT(by_hand), UNIT(faults),
        UNIT(deadlock),   UNIT(steps), UNIT(late)};
    unit_begin("order/t_timetable", 20261121);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
