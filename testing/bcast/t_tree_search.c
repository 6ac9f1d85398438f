/* SPDX-License-Identifier: BSD-3-Clause */
/* Grafting against look-ahead and the optimum, and relays. */
#include "testing/bcast/problems.h"

enum { MOST = 100 };
static double cost[MOST * MOST];

/* Sums over cases. */
typedef struct {
    double search, lookahead, ecef;
    int n;
} sums;

static void
add(sums *s, const hesca_broadcast_problem *x, const char *what)
{
    const double search = problem_finish("graft", x);
    const double lookahead = problem_finish("lookahead", x);
    const double ecef = problem_finish("ecef", x);
    CHECK(search <= lookahead * (1 + 1e-12) && search <= ecef * (1 + 1e-12),
          "%s, n = %d: search %.17g, look-ahead %.17g, ECEF %.17g", what,
          x->nproc, search, lookahead, ecef);
    s->search += search;
    s->lookahead += lookahead;
    s->ecef += ecef;
    ++s->n;
}

static void
check_sums(const char *what, const sums *s, double below)
{
    printf("%s: search %.4f of look-ahead, %.4f of ECEF\n", what,
           s->search / s->lookahead, s->search / s->ecef);
    CHECK(s->search < below * s->lookahead, "%s: %g, look-ahead %g", what,
          s->search / s->n, s->lookahead / s->n);
}

/* Broadcast, all kinds of costs: less than so much of look-ahead. */
static void
beats_lookahead(void)
{
    static const double below[CASTING_KINDS] = {0.97, 0.98, 1, 0.9};
    static const char *const name[CASTING_KINDS] = {"ranges", "spread",
                                                    "equal", "gates"};
    for (int kind = 0; kind < CASTING_KINDS; ++kind) {
        sums s = {.n = 0};
        for (int c = 0; c < check_mean_of(60); ++c) {
            const int n = c % 10 == 0 ? MOST : check_uniform(4, 30);
            problem_draw((problem_kind)kind, n, cost);
            const hesca_broadcast_problem x = {.nproc = n, .cost = cost};
            add(&s, &x, name[kind]);
        }
        check_sums(name[kind], &s, below[kind]);
    }
}

/* BHAT-COL Figure 6: 5 to 90 destinations of 100 processes.  In the mean,
 * relays make it faster where they are many. */
static void
multicast(void)
{
    int dest[MOST];
    for (int k = 5; k < MOST; k = k < 10 ? 10 : k + 40) {
        sums s = {.n = 0};
        double relayed = 0;
        for (int c = 0; c < check_mean_of(15); ++c) {
            problem_draw(CASTING_RANGES, MOST, cost);
            hesca_broadcast_problem x = {
                .nproc = MOST, .cost = cost, .dest = dest};
            x.ndest = problem_destinations(MOST, k, dest);
            add(&s, &x, "multicast");
            x.relays = 1;
            relayed += problem_finish("graft", &x);
        }
        char what[64];
        snprintf(what, sizeof what, "%d destinations of 100", k);
        check_sums(what, &s, 0.99);
        printf("%s: with relays %.4f\n", what, relayed / s.search);
        CHECK(relayed < (k <= 10 ? 1 : 1.005) * s.search,
              "%d destinations: %g, %g with relays", k, s.search, relayed);
    }
}

static void
near_optimum(void)
{
    for (int kind = 0; kind < CASTING_KINDS; ++kind) {
        double ratio = 0, worst = 1;
        const int cases = check_mean_of(40);
        for (int c = 0; c < cases; ++c) {
            const int n = 8 + c % 3;
            problem_draw((problem_kind)kind, n, cost);
            const hesca_broadcast_problem x = {.nproc = n, .cost = cost};
            const double r =
                problem_finish("graft", &x) / problem_finish("optimum", &x);
            ratio += r / cases;
            worst = fmax(worst, r);
        }
        printf("kind %d, 8 to 10 processes: %.4f of the optimum, at worst "
               "%.4f\n",
               kind, ratio, worst);
        CHECK(ratio < 1.03, "kind %d: %g", kind, ratio);
    }
}

/* Eq. 11 for n processes: a chain that looks cheap, and a path of two
 * slower steps to a process that reaches all others quickly. */
static void
longer_equation_11(void)
{
    for (int n = 5; n <= 45; n += 10) {
        const double eps = 1e-4;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                cost[i * n + j] = i == n - 1                 ? eps
                                  : j == i + 1 && j < n - 1  ? 1
                                  : i == 0 && j < n - 2      ? 1
                                  : i == 0 && j == n - 2     ? 1.1
                                  : i == n - 2 && j == n - 1 ? 1.1
                                                             : 100;
        const hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        const double search = problem_finish("graft", &x);
        const double lookahead = problem_finish("lookahead", &x);
        CHECK(search <= 2.2 + n * eps, "n = %d: %g", n, search);
        CHECK(lookahead > 4, "n = %d: look-ahead %g", n, lookahead);
    }
}

/* One step of ECEF with relays: a way over one process outside the set. */
static void
one_relay(void)
{
    static const double c[] = {0, 1, 10, 50, 0, 2, 50, 50, 0};
    static const int dest[] = {2};
    const char *const names[] = {"ecef",          "lookahead",
                                 "lookahead-avg", "lookahead-senders",
                                 "graft",         "optimum"};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        hesca_broadcast_problem x = {
            .nproc = 3, .cost = c, .dest = dest, .ndest = 1};
        CHECK(problem_finish(names[k], &x) == 10, "%s", names[k]);
        x.relays = 1;
        CHECK(problem_finish(names[k], &x) == 3, "%s", names[k]);
    }
}

/* Every relay sends to some process. */
static void
useful_relays(void)
{
    int dest[MOST];
    for (int c = 0; c < check_cases(40); ++c) {
        const int n = check_uniform(4, 30);
        char sends[MOST] = {0}, wants[MOST] = {0};
        problem_draw((problem_kind)(c % CASTING_KINDS), n, cost);
        hesca_broadcast_problem x = {
            .nproc = n, .cost = cost, .dest = dest, .relays = 1};
        x.ndest = problem_destinations(n, check_uniform(1, n / 2), dest);
        hesca_broadcast b = problem_run("graft", &x);
        for (int k = 0; k < x.ndest; ++k)
            wants[dest[k]] = 1;
        for (int k = 0; k < b.n; ++k)
            sends[b.send[k].src] = 1;
        for (int k = 0; k < b.n; ++k)
            CHECK(wants[b.send[k].dest] || sends[b.send[k].dest],
                  "case %d: relay %d sends nothing", c, b.send[k].dest);
        hesca_broadcast_clear(&b);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(beats_lookahead),    UNIT(multicast), UNIT(near_optimum),
        UNIT(longer_equation_11), UNIT(one_relay), UNIT(useful_relays)};
    unit_begin("bcast/t_tree_search", 20260303);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
