/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts: every number that BHAT-COL prints, and bad input. */
#include "bcast/growth.h"
#include "testing/bcast/problems.h"

#define EPS 1e-3

static const double eq1[] = {0, 10, 995, 2000, 0, 10, 70, 5, 0};
static const double eq2[] = {0,   156, 325, 39,  156, 0,   163, 115,
                             325, 163, 0,   257, 39,  115, 257, 0};
static const double eq10[] = {0,   2,   2,   2.1, 2,   100, 0,    100, 100,
                              100, 100, 100, 0,   100, 100, 1000, 0.1, 0.1,
                              0,   0.1, 100, 100, 100, 100, 0};
static const double eq11[] = {0,   1,   1,   1.1, 100, 100, 0,   1,   100,
                              100, 100, 100, 0,   1,   100, 100, 100, 100,
                              0,   1.1, EPS, EPS, EPS, EPS, 0};

static void
check_finish(const char *equation, const hesca_broadcast_problem *x,
             const char *name, double expected)
{
    const double finish = problem_finish(name, x);
    CHECK(problem_close(finish, expected), "Eq. %s, %s: %.17g, not %g",
          equation, name, finish, expected);
}

static void
check_sends(const hesca_broadcast_problem *x, const char *name, int n,
            const hesca_send *expected)
{
    hesca_broadcast b = problem_run(name, x);
    CHECK(b.n == n, "%s: %d sends", name, b.n);
    for (int k = 0; k < n && k < b.n; ++k)
        CHECK(b.send[k].src == expected[k].src &&
                  b.send[k].dest == expected[k].dest &&
                  problem_close(b.send[k].start, expected[k].start) &&
                  problem_close(b.send[k].end, expected[k].end),
              "%s, send %d: %d to %d at %g to %g", name, k, b.send[k].src,
              b.send[k].dest, b.send[k].start, b.send[k].end);
    hesca_broadcast_clear(&b);
}

/* Section 2, Figure 2, Lemma 1. */
static void
equation_1(void)
{
    const hesca_broadcast_problem x = {.nproc = 3, .cost = eq1};
    double t[3], bound, worse[9];
    const hesca_send fnf[] = {
        {.src = 0, .dest = 2, .start = 0, .end = 995},
        {.src = 2, .dest = 1, .start = 995, .end = 1000}};
    const hesca_send best[] = {{.src = 0, .dest = 1, .start = 0, .end = 10},
                               {.src = 1, .dest = 2, .start = 10, .end = 20}};
    hesca_fnf_costs(&x, 0, t);
    CHECK(t[0] == 335 && t[1] == 670 && t[2] == 25, "%g %g %g", t[0], t[1],
          t[2]);
    hesca_fnf_costs(&x, 1, t);
    CHECK(t[0] == 10 && t[1] == 10 && t[2] == 5, "%g %g %g", t[0], t[1], t[2]);
    check_sends(&x, "fnf", 2, fnf);
    check_sends(&x, "fnf-min", 2, fnf);
    check_sends(&x, "optimum", 2, best);
    check_finish("1", &x, "graft", 20);
    CHECK(hesca_broadcast_bound(&x, &bound) == HESCA_SUCCESS && bound == 20,
          "bound %g", bound);
    /* The text says C_2,0; it is C_0,2 that is 995. */
    memcpy(worse, eq1, sizeof worse);
    worse[2] = 9995;
    const hesca_broadcast_problem y = {.nproc = 3, .cost = worse};
    check_finish("1, 9995", &y, "fnf", 10000);
    check_finish("1, 9995", &y, "optimum", 20);
}

/* Table 1 gives Eq. 2 for 10 MB. */
static void
table_1(void)
{
    static const double ms[] = {34.5, 89.5, 12, 20, 26.5, 42.5};
    static const double kbits[] = {512, 246, 2044, 491, 693, 311};
    for (int i = 0, k = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j, ++k) {
            const double s = 1e-3 * ms[k] + 10e6 * 8 / (1e3 * kbits[k]);
            CHECK(round(s) == eq2[i * 4 + j] && round(s) == eq2[j * 4 + i],
                  "%d to %d: %g", i, j, s);
        }
}

/* Section 4.3, Figure 3. */
static void
equation_2(void)
{
    const hesca_broadcast_problem x = {.nproc = 4, .cost = eq2};
    const hesca_send fef[] = {{.src = 0, .dest = 3, .start = 0, .end = 39},
                              {.src = 3, .dest = 1, .start = 39, .end = 154},
                              {.src = 1, .dest = 2, .start = 154, .end = 317}};
    double ert[4];
    check_sends(&x, "fef", 3, fef);
    check_finish("2", &x, "optimum", 296);
    check_finish("2", &x, "graft", 296);
    CHECK(hesca_broadcast_reach(&x, ert) == HESCA_SUCCESS && ert[0] == 0 &&
              ert[1] == 154 && ert[2] == 296 && ert[3] == 39,
          "%g %g %g", ert[1], ert[2], ert[3]);
}

/* Lemma 3: the ratio of optimum and bound is tight. */
static void
equation_5(void)
{
    double cost[100], bound;
    for (int n = 2; n <= 10; ++n) {
        for (int k = 0; k < n * n; ++k)
            cost[k] = k < n ? 10 : 100;
        const hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        check_finish("5", &x, "optimum", 10 * (n - 1));
        CHECK(hesca_broadcast_bound(&x, &bound) == HESCA_SUCCESS &&
                  bound == 10,
              "bound %g", bound);
    }
}

/* Section 6.  For ECEF the text prints 8.4; by its matrix the steps that it
 * names take 2 + 2 + 2 + 2.1.  The delay-constrained tree is root's star. */
static void
equation_10(void)
{
    const hesca_broadcast_problem x = {.nproc = 5, .cost = eq10};
    hesca_broadcast b = problem_run("lookahead", &x);
    CHECK(b.n == 4 && b.send[0].dest == 3, "first to %d", b.send[0].dest);
    hesca_broadcast_clear(&b);
    check_finish("10", &x, "lookahead", 2.4);
    check_finish("10", &x, "optimum", 2.4);
    check_finish("10", &x, "graft", 2.4);
    check_finish("10", &x, "ecef", 8.1);
    check_finish("10", &x, "sequential", 8.1);
    b = problem_run("ecef", &x);
    for (int k = 0; k < 4; ++k) {
        const int dest[] = {1, 2, 4, 3};
        CHECK(b.send[k].src == 0 && b.send[k].dest == dest[k], "step %d: %d",
              k, b.send[k].dest);
    }
    hesca_broadcast_clear(&b);
}

/* The text prints 2.2 + 2 eps, of its own schedule, where 4 sends to 1 and 2;
 * while 0 is idle after 1.1.  Root does better: it sends to 1 itself. */
static void
equation_11(void)
{
    const hesca_broadcast_problem x = {.nproc = 5, .cost = eq11};
    check_finish("11", &x, "lookahead", 4.1);
    check_finish("11", &x, "optimum", 2.2 + EPS);
    check_finish("11", &x, "graft", 2.2 + EPS);
    hesca_send printed[] = {{.src = 0, .dest = 3, .start = 0, .end = 1.1},
                            {.src = 3, .dest = 4, .start = 1.1, .end = 2.2},
                            {.src = 4, .dest = 1, .start = 2.2},
                            {.src = 4, .dest = 2}};
    printed[2].end = printed[3].start = 2.2 + EPS;
    printed[3].end = 2.2 + 2 * EPS;
    const hesca_broadcast b = {
        .n = 4, .send = printed, .finish = 2.2 + 2 * EPS};
    CHECK(hesca_broadcast_check(&x, &b) == HESCA_SUCCESS, "%s",
          hesca_error_text());
}

/* Section 2: costs 1, n ... 2 n - 1, and 2 n slow ones, by sender. */
static int
fast_and_slow(int n, double *cost)
{
    const int nproc = 3 * n + 1;
    for (int i = 0; i < nproc; ++i)
        for (int j = 0; j < nproc; ++j)
            cost[i * nproc + j] = i == 0 ? 1 : i <= n ? n + i - 1 : 1000 * n;
    return nproc;
}

/* What FNF does after time n, when node k (cost n + k) has the message since k
 * + 1: count what ends by t. */
static long
reached_by(int n, double t)
{
    long slow = (long)t - n;
    for (int k = 0; k < n; ++k)
        slow += (long)floor((t - (k + 1)) / (n + k));
    return slow;
}

/* "In the optimal schedule" it takes 2 n.  The FNF schedule leaves n / 2 slow
 * nodes then; the text has n / 8 more time units for them, but in t units root
 * reaches t, the others t / 2 with their first and t / 3 with their second
 * messages, which is about 3 n / 11. */
static void
fnf_example(void)
{
    enum { MOST = 121 };
    static double cost[MOST * MOST];
    for (int n = 2; n <= 3; ++n) {
        const hesca_broadcast_problem x = {.nproc = fast_and_slow(n, cost),
                                           .cost = cost};
        check_finish("section 2", &x, "optimum", 2 * n);
    }
    for (int n = 10; n <= 40; n += 10) {
        const hesca_broadcast_problem x = {.nproc = fast_and_slow(n, cost),
                                           .cost = cost};
        int t = 2 * n;
        CHECK(labs(2 * n - reached_by(n, t) - n / 2) <= 1,
              "n = %d: %ld are reached by 2 n", n, reached_by(n, t));
        while (reached_by(n, t) < 2 * n)
            ++t;
        check_finish("section 2", &x, "fnf-min", t);
        CHECK(fabs(t - 2 * n - 3.0 * n / 11) <= 2, "n = %d: %d", n, t);
        CHECK(problem_finish("graft", &x) <= t, "n = %d: search", n);
    }
}

static void
check_error(const hesca_broadcast_problem *x, int code, const char *text)
{
    const int err = hesca_broadcast_problem_check(x);
    CHECK(err == code && strstr(hesca_error_text(), text) != NULL,
          "%d, not %d: \"%s\" lacks \"%s\"", err, code, hesca_error_text(),
          text);
}

static void
bad_costs(void)
{
    static const double bad[] = {-1, 0, NAN, -INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        double cost[16];
        memcpy(cost, eq2, sizeof cost);
        cost[2 * 4 + 3] = bad[k];
        check_error(&(hesca_broadcast_problem){.nproc = 4, .cost = cost},
                    HESCA_ERR_ARG, "from 2 to 3");
    }
    /* What can be added, DBL_MAX / 64, and what cannot. */
    double cost[16];
    for (int k = 0; k < 16; ++k)
        cost[k] = 2.5e306;
    const hesca_broadcast_problem x = {.nproc = 4, .cost = cost};
    for (int k = 0; hesca_broadcast_algorithms[k] != NULL; ++k)
        (void)problem_finish(hesca_broadcast_algorithms[k]->name, &x);
    cost[9] = 3e306;
    check_error(&x, HESCA_ERR_ARG,
                "from 2 to 1 a message costs 3e+306 seconds: must be at most");
    double startup[16];
    memcpy(startup, eq2, sizeof startup);
    startup[6] = 164;
    check_error(&(hesca_broadcast_problem){.nproc = 4,
                                           .cost = eq2,
                                           .startup = startup},
                HESCA_ERR_ARG, "from 1 to 2 the start-up");
}

static void
bad_numbers(void)
{
    static const int twice[] = {1, 2, 1}, root[] = {2, 0}, far[] = {4};
    hesca_broadcast_problem x = {.nproc = 4, .cost = eq2};
    x.root = 4;
    check_error(&x, HESCA_ERR_ARG, "root is 4");
    x.root = 0;
    x.copies = 3;
    check_error(&x, HESCA_ERR_ARG, "3 copies");
    x.copies = 1;
    x.nproc = 0;
    check_error(&x, HESCA_ERR_ARG, "0 processes");
    x.nproc = 4;
    x.dest = twice;
    x.ndest = 3;
    check_error(&x, HESCA_ERR_ARG, "process 1 is a destination twice");
    x.dest = root;
    x.ndest = 2;
    check_error(&x, HESCA_ERR_ARG, "destination 1 is process 0");
    x.dest = far;
    x.ndest = 1;
    check_error(&x, HESCA_ERR_ARG, "destination 0 is process 4");
    x.ndest = -1;
    check_error(&x, HESCA_ERR_ARG, "-1 destinations");
}

/* 3 is cut off; then 2 can be reached over 1 only. */
static void
disconnected(void)
{
    static const int dest[] = {2};
    double cost[16];
    memcpy(cost, eq2, sizeof cost);
    cost[3] = cost[7] = cost[11] = INFINITY;
    hesca_broadcast_problem x = {.nproc = 4, .cost = cost};
    check_error(&x, HESCA_ERR_ARG, "process 3 cannot be reached from 0");
    cost[2] = INFINITY;
    x.dest = dest;
    x.ndest = 1;
    check_error(&x, HESCA_ERR_ARG, "process 2 cannot be reached from 0");
    x.relays = 1;
    CHECK(hesca_broadcast_problem_check(&x) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    check_finish("2, cut", &x, "ecef", 156 + 163);
    check_finish("2, cut", &x, "lookahead", 156 + 163);
    check_finish("2, cut", &x, "graft", 156 + 163);
    check_finish("2, cut", &x, "optimum", 156 + 163);
    hesca_broadcast b;
    for (int k = 0; hesca_broadcast_algorithms[k] != NULL; ++k)
        if (!hesca_broadcast_algorithms[k]->relays)
            CHECK(hesca_broadcast_find(hesca_broadcast_algorithms[k], &x,
                                       &b) == HESCA_ERR_UNSUPPORTED &&
                      b.n == 0 && b.send == NULL,
                  "%s: %s", hesca_broadcast_algorithms[k]->name,
                  hesca_error_text());
}

static void
catalogue(void)
{
    static double cost[121];
    hesca_broadcast b;
    CHECK(hesca_broadcast_algorithm_find("none") == NULL, "none");
    problem_draw(CASTING_RANGES, 11, cost);
    const hesca_broadcast_problem x = {.nproc = 11, .cost = cost};
    for (int k = 0; hesca_broadcast_algorithms[k] != NULL; ++k) {
        const hesca_broadcast_algorithm *c = hesca_broadcast_algorithms[k];
        CHECK(hesca_broadcast_algorithm_find(c->name) == c, "%s", c->name);
        CHECK(c->help != NULL, "%s", c->name);
        const int err = hesca_broadcast_find(c, &x, &b);
        CHECK(err == (c->most < 11 ? HESCA_ERR_UNSUPPORTED : HESCA_SUCCESS),
              "%s: %d", c->name, err);
        hesca_broadcast_clear(&b);
    }
    CHECK(hesca_broadcast_find(hesca_broadcast_algorithm_find("optimum"), &x,
                               &b) < 0 &&
              strstr(hesca_error_text(), "11 processes") != NULL,
          "%s", hesca_error_text());
}

/* Alone, and without destinations. */
static void
nothing_to_do(void)
{
    static const int none[] = {0};
    const double one = 0;
    const hesca_broadcast_problem alone = {.nproc = 1, .cost = &one};
    const hesca_broadcast_problem empty = {
        .nproc = 4, .cost = eq2, .dest = none};
    for (int k = 0; hesca_broadcast_algorithms[k] != NULL; ++k)
        for (int i = 0; i < 2; ++i) {
            hesca_broadcast b = problem_run(
                hesca_broadcast_algorithms[k]->name, i == 0 ? &alone : &empty);
            CHECK(b.n == 0 && b.finish == 0, "%s: %d sends, %g",
                  hesca_broadcast_algorithms[k]->name, b.n, b.finish);
            hesca_broadcast_clear(&b);
        }
}

/* What hesca_broadcast_check() must find. */
static void
wrong_broadcasts(void)
{
    const hesca_broadcast_problem x = {.nproc = 4, .cost = eq2};
    const hesca_send good[] = {
        {.src = 0, .dest = 3, .start = 0, .end = 39},
        {.src = 3, .dest = 1, .start = 39, .end = 154},
        {.src = 1, .dest = 2, .start = 154, .end = 317}};
    const struct {
        int k;
        hesca_send send;
        const char *why;
    } bad[] = {
        {1, {.src = 3, .dest = 1, .start = 38, .end = 153}, "does not have"},
        {1, {.src = 0, .dest = 1, .start = 38, .end = 194}, "sender is busy"},
        {1, {.src = 3, .dest = 1, .start = 39, .end = 153}, "another time"},
        {1,
         {.src = 0, .dest = 3, .start = 39, .end = 78},
         "1 receives nothing"},
        {1, {.src = 3, .dest = 4, .start = 39, .end = 154}, "no such process"},
        {2, {.src = 3, .dest = 0, .start = 154, .end = 193}, "no destination"},
        {2, {.src = 1, .dest = 2, .start = 155, .end = 318}, "finishes at"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        hesca_send send[3];
        memcpy(send, good, sizeof send);
        const hesca_broadcast b = {.n = 3, .send = send, .finish = 317};
        CHECK(hesca_broadcast_check(&x, &b) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        send[bad[k].k] = bad[k].send;
        CHECK(hesca_broadcast_check(&x, &b) == HESCA_ERR_ARG &&
                  strstr(hesca_error_text(), bad[k].why) != NULL,
              "\"%s\" lacks \"%s\"", hesca_error_text(), bad[k].why);
    }
    hesca_send send[2] = {good[0], good[1]};
    const hesca_broadcast b = {.n = 2, .send = send, .finish = 154};
    CHECK(hesca_broadcast_check(&x, &b) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "2 receives nothing") != NULL,
          "%s", hesca_error_text());
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(equation_1),      UNIT(table_1),     UNIT(equation_2),
        UNIT(equation_5),      UNIT(equation_10), UNIT(equation_11),
        UNIT(fnf_example),     UNIT(bad_costs),   UNIT(bad_numbers),
        UNIT(disconnected),    UNIT(catalogue),   UNIT(nothing_to_do),
        UNIT(wrong_broadcasts)};
    unit_begin("bcast/t_broadcast", 20260301);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
