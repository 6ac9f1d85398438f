/* SPDX-License-Identifier: BSD-3-Clause */
/* Redistributions as events, against a count element by element; direct
 * schedules of them, with and without barriers. */
#include "hesca/layout.h"
#include "sched/pairs.h"
#include "sim/generate.h"
#include "testing/unit.h"
#include <math.h>

enum { ESIZE = 8, MOST = 12 };

/* cyclic(x) to cyclic(kx) of n elements. */
static void
make(hesca_problem *p, int np, int k, int x, int64_t n)
{
    hesca_layout *a, *b;
    if (hesca_layout_create_cyclic(1, n, 1, x, 0, 0, 1, np, NULL, &a) < 0 ||
        hesca_layout_create_cyclic(1, n, 1, k * x, 0, 0, 1, np, NULL, &b) <
            0 ||
        hesca_problem_init(p, HESCA_ALL, 1, n, a, 0, 0, b, 0, 0, ESIZE) < 0)
        abort();
    hesca_layout_free(a);
    hesca_layout_free(b);
}

/* Messages of m bytes take m seconds, but those of one pair. */
static void
uniform(hesca_network *x, int np, int slow_src, int slow_dest, double factor)
{
    hesca_machine_kind kind = *hesca_machine_kind_find("het");
    hesca_random r = {1};
    kind.inside.rate = (hesca_range){1, 1, 0};
    if (hesca_generate_network(&kind, np, &r, x) < 0)
        abort();
    x->wire[slow_src * np + slow_dest].rate = 1 / factor;
}

static void
check_bytes(int np, int k, int x, int64_t n)
{
    double bytes[MOST][MOST] = {{0}};
    int64_t pairs = 0;
    hesca_problem p;
    hesca_network net;
    hesca_events events;
    for (int64_t e = 0; e < n; ++e)
        bytes[e / x % np][e / (k * x) % np] += ESIZE;
    make(&p, np, k, x, n);
    uniform(&net, np, 0, 0, 1);
    CHECK(hesca_pairs_events(&p, &(hesca_link_costs){.network = &net},
                             &events) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int i = 0; i < np; ++i)
        for (int j = 0; j < np; ++j) {
            const int64_t e = i == j ? -1 : hesca_events_find(&events, i, j);
            pairs += i != j && bytes[i][j] > 0;
            CHECK(i == j || (e >= 0) == (bytes[i][j] > 0),
                  "R_%d(%d,%d), %d elements: %d to %d has %g bytes", x, k, np,
                  (int)n, i, j, bytes[i][j]);
            CHECK(e < 0 || (events.bytes[e] == bytes[i][j] &&
                            events.seconds[e] == bytes[i][j]),
                  "R_%d(%d,%d), %d elements: %d to %d has %g bytes, not %g", x,
                  k, np, (int)n, i, j, events.bytes[e], bytes[i][j]);
        }
    CHECK(events.n == pairs, "%lld messages, not %lld", (long long)events.n,
          (long long)pairs);
    hesca_events_clear(&events);
    hesca_network_clear(&net);
    hesca_problem_clear(&p);
}

static void
bytes(void)
{
    for (int c = 0; c < 200; ++c) {
        const int np = check_uniform(2, MOST), k = check_uniform(1, np);
        const int x = check_uniform(1, 3);
        check_bytes(np, k, x, check_uniform(1, 3 * np * k * x));
    }
}

static double
direct(const hesca_problem *p, const hesca_events *x, int is_barrier)
{
    hesca_timetable t;
    CHECK(hesca_pairs_direct(p, x, is_barrier, &t) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(hesca_timetable_check(&t, x, NULL) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    const double finish = t.finish;
    hesca_timetable_clear(&t);
    return finish;
}

/* BHAT-HET Figure 2: R_x(3,4) takes three steps.  With packets of 16 bytes
 * they take 48 s, as every process but those that keep a packet has three to
 * send; if 1 to 2 takes four times as long, its step does, for all if they
 * wait for it. */
static void
by_hand(void)
{
    hesca_problem p;
    hesca_network net;
    hesca_events x;
    double bound;
    make(&p, 4, 3, 2, 2 * 4 * 3);
    for (int slow = 1; slow <= 4; slow += 3) {
        uniform(&net, 4, 2, 3, slow);
        CHECK(hesca_pairs_events(&p, &(hesca_link_costs){.network = &net},
                                 &x) == HESCA_SUCCESS &&
                  hesca_events_bound(&x, NULL, &bound) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        const double with = direct(&p, &x, 1), without = direct(&p, &x, 0);
        CHECK(x.n == 8, "%lld messages", (long long)x.n);
        CHECK(fabs(with - (32 + 16 * slow)) < 1e-9, "%g s with barriers",
              with);
        CHECK(without >= bound && without <= with, "%g s, bound %g", without,
              bound);
        hesca_events_clear(&x);
        hesca_network_clear(&net);
    }
    hesca_problem_clear(&p);
}

/* Barriers never help, and the bound holds. */
static void
barriers(void)
{
    const hesca_machine_kind *kind = hesca_machine_kind_find("het");
    hesca_random r = {unit_seed};
    for (int c = 0; c < 100; ++c) {
        const int np = check_uniform(2, MOST), k = check_uniform(2, np);
        hesca_problem p;
        hesca_network net;
        hesca_events x;
        double bound;
        make(&p, np, k, 1, 10L * np * k);
        CHECK(hesca_generate_network(kind, np, &r, &net) == HESCA_SUCCESS &&
                  hesca_pairs_events(&p, &(hesca_link_costs){.network = &net},
                                     &x) == HESCA_SUCCESS &&
                  hesca_events_bound(&x, NULL, &bound) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        const double with = direct(&p, &x, 1), without = direct(&p, &x, 0);
        CHECK(bound <= without * (1 + 1e-12) && without <= with * (1 + 1e-12),
              "R(%d,%d): bound %g, %g s, with barriers %g s", k, np, bound,
              without, with);
        hesca_events_clear(&x);
        hesca_network_clear(&net);
        hesca_problem_clear(&p);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(bytes), UNIT(by_hand),
                                       UNIT(barriers)};
    unit_begin("sched/t_pairs", 20261121);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
