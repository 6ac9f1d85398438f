/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated clocks: an example worked by hand, LIM's Corollary 2, and the
 * library's own predictions. */
#include "base/arith.h"
#include "sched/sched.h"
#include "sim/clock.h"
#include "testing/unit.h"
#include <math.h>

/* LIM section 5, for the SP-2. */
static const hesca_costs sp2 = {
    .startup = 40e-6, .message = 40e-6, .byte = 15e-9};

enum { ESIZE = 4 };

/* n elements from cyclic(x) to cyclic(y) on np processes. */
static void
make(hesca_problem *p, int64_t n, int x, int y, int np)
{
    hesca_layout *a, *b;
    if (hesca_layout_create_cyclic(1, n, 1, x, 0, 0, 1, np, NULL, &a) < 0 ||
        hesca_layout_create_cyclic(1, n, 1, y, 0, 0, 1, np, NULL, &b) < 0 ||
        hesca_problem_init(p, HESCA_ALL, 1, n, a, 0, 0, b, 0, 0, ESIZE) < 0)
        abort();
    hesca_layout_free(a);
    hesca_layout_free(b);
}

/* The same problem, known by its layouts only. */
static hesca_problem
without_counts(const hesca_problem *p)
{
    hesca_problem q = *p;
    q.row_count = q.col_count = NULL;
    return q;
}

static double
simulate(const hesca_problem *p, int degree, const hesca_costs *costs)
{
    hesca_clock c;
    CHECK(hesca_clock_init(&c, p->a->nprow * p->a->npcol) == HESCA_SUCCESS &&
              hesca_clock_walk(&c, p, degree, costs) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    const double seconds = hesca_clock_last(&c);
    hesca_clock_clear(&c);
    return seconds;
}

static int
is_near(double x, double y)
{
    return fabs(x - y) <= 1e-9 * fabs(y);
}

/* R_1(2,3) of eight elements.  Their owners in A are 0 1 2 0 1 2 0 1, in B
 * 0 0 1 1 2 2 0 0, so 1 has two for 0, which other pairs have one.  Step one:
 * 1 and 2 exchange one element each, 0 keeps what it has.  Step two: 0, which
 * has waited for 1, sends it one and receives two; 2 keeps its own. */
static void
by_hand(void)
{
    const hesca_costs costs = {.startup = 10, .byte = 1};
    const double at[3] = {14 + 18, 14 + 18, 14};
    hesca_problem p;
    hesca_clock c;
    make(&p, 8, 1, 2, 3);
    CHECK(hesca_clock_init(&c, 3) == HESCA_SUCCESS &&
              hesca_clock_walk(&c, &p, 0, &costs) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int r = 0; r < 3; ++r)
        CHECK(c.now[r] == at[r], "clock of %d is %g, not %g", r, c.now[r],
              at[r]);
    /* A second walk goes on where the first has ended: 1 and 2 meet when 1 is
     * done, then 0 and 1. */
    CHECK(hesca_clock_walk(&c, &p, 0, &costs) == HESCA_SUCCESS &&
              hesca_clock_last(&c) == 2 * (14 + 18),
          "twice: %g", hesca_clock_last(&c));
    hesca_clock_clear(&c);
    hesca_problem_clear(&p);
}

static int
log2_up(int n)
{
    int bits = 0;
    while (1 << bits < n)
        ++bits;
    return bits;
}

/* LIM Corollary 2 (iii) and (ii), for n elements. */
static double
corollary_hybrid(int64_t n, int k, int np, int d)
{
    const double share = (double)n / np * ESIZE * sp2.byte;
    return (d + ((k - 1) >> d) + 1) * sp2.startup + (d / 2.0 + 1) * share;
}

static double
corollary_indirect(int64_t n, int k, int np)
{
    const double share = (double)n / np * ESIZE * sp2.byte;
    return (log2_up(k) + 2) * sp2.startup +
           ((log2_up(k) + 1) / 2.0 + 1) * share;
}

/* Powers of two are where the corollary is exact: every shift carries half of
 * the lanes and leaves half as many deliveries. */
static void
powers_of_two(void)
{
    for (int np = 8; np <= 128; np *= 2)
        for (int k = 2; k <= np; k *= 2) {
            hesca_problem p;
            make(&p, 3L * k * np, 1, k, np);
            const hesca_problem q = without_counts(&p);
            for (int d = 0; d <= log2_up(k); ++d) {
                const double must = corollary_hybrid(3L * k * np, k, np, d);
                const double is = simulate(&q, d, &sp2);
                CHECK(is_near(is, must), "R(%d,%d), d=%d: %g, not %g", k, np,
                      d, is, must);
            }
            hesca_problem_clear(&p);
        }
}

/* The steps, one after the other. */
static double
add_up(const hesca_problem *p, int degree)
{
    const double share = (double)p->n / p->a->npcol * ESIZE * sp2.byte;
    double seconds = 0;
    hesca_store_forward x;
    hesca_store_forward_init(&x, p, HESCA_STORE_FORWARD_GRID, degree, -1);
    for (int64_t t = 0; t < hesca_store_forward_steps(&x); ++t)
        seconds += sp2.startup + (double)hesca_store_forward_carried(&x, t) /
                                     (double)hesca_store_forward_lanes(&x) *
                                     share;
    hesca_store_forward_clear(&x);
    return seconds;
}

/* With equal packets no process waits, and the clocks show the sum of the
 * steps, but where two steps pass at the same time: in R(3,4) with d = 1 two
 * processes deliver to each other while the other two keep what they have,
 * then these. */
static void
check_equal(int k, int np, int *noverlaps)
{
    const int64_t n = 50L * k * np;
    hesca_problem p;
    make(&p, n, k % 3 ? 1 : k, k % 3 ? k : 1, np);
    const hesca_problem q = without_counts(&p);
    const int most = hesca_store_forward_degree(&p, HESCA_STORE_FORWARD_GRID);
    for (int d = 0; d <= most; ++d) {
        const double is = simulate(&p, d, &sp2), must = add_up(&p, d);
        const int overlaps = is < must * (1 - 1e-9);
        CHECK(is <= must * (1 + 1e-9) &&
                  (!overlaps || np == 2 || (0 < d && d < most)),
              "R(%d,%d), d=%d: %g, not %g", k, np, d, is, must);
        CHECK(is_near(simulate(&q, d, &sp2), is),
              "R(%d,%d), d=%d, without counts", k, np, d);
        *noverlaps += overlaps;
    }
    const double indirect = simulate(&q, most, &sp2);
    CHECK(indirect <= corollary_indirect(n, k, np) * (1 + 1e-9),
          "R(%d,%d): indirect takes %g, Corollary 2 says %g", k, np, indirect,
          corollary_indirect(n, k, np));
    hesca_problem_clear(&p);
}

static void
equal_packets(void)
{
    int noverlaps = 0;
    for (int np = 2; np <= 33; ++np)
        for (int k = 2; k <= np; ++k)
            check_equal(k, np, &noverlaps);
    CHECK(noverlaps == 21, "steps overlap in %d cases", noverlaps);
}

/* K = P, where a process keeps 1/P of what it has: Corollary 2 less that, and
 * of direct less the step in which it would send to itself. */
static void
predictions(void)
{
    for (int np = 4; np <= 256; np *= 2) {
        const double share = 64.0 * ESIZE * sp2.byte;
        const hesca_solver *direct = &hesca_solver_direct;
        const hesca_solver *hybrid = &hesca_solver_hybrid;
        hesca_problem p;
        make(&p, 64L * np * np, 1, np, np);
        const hesca_workload work = hesca_workload_most(&p);
        const hesca_link_costs links = {.costs = sp2};
        const double one = direct->predict(direct, &p, &work, 0, &links);
        CHECK(is_near(one, (np - 1) * sp2.startup + (np - 1) * share),
              "R(%d,%d): direct is predicted to take %g", np, np, one);
        for (int d = 0; d <= log2_up(np); ++d) {
            const double is = hybrid->predict(hybrid, &p, &work, d, &links);
            const double must = corollary_hybrid(64L * np * np, np, np, d) -
                                (d / 2.0 + 1) * share;
            CHECK(is_near(is, must), "R(%d,%d), d=%d: %g, not %g", np, np, d,
                  is, must);
        }
        hesca_problem_clear(&p);
    }
}

/* One walk after the other: the phases of multiphase, K = 8 in three phases of
 * two steps. */
static void
phases(void)
{
    const hesca_choice choice = {.solver = &hesca_solver_multiphase};
    const double share = 100.0 * 8 * ESIZE * sp2.byte;
    hesca_problem p;
    hesca_schedule x;
    hesca_clock c;
    make(&p, 100L * 8 * 32, 1, 8, 32);
    CHECK(hesca_schedule_init(&choice, &p, 0, &x) == HESCA_SUCCESS &&
              hesca_clock_init(&c, 32) == HESCA_SUCCESS && x.nphases == 3,
          "%s", hesca_error_text());
    for (int k = 0; k < x.nphases; ++k)
        hesca_clock_walk(&c, &x.phase[k].problem, 0, &sp2);
    CHECK(is_near(hesca_clock_last(&c), 6 * sp2.startup + 3 * share),
          "%g, not %g", hesca_clock_last(&c), 6 * sp2.startup + 3 * share);
    hesca_clock_clear(&c);
    hesca_schedule_clear(&x);
    hesca_problem_clear(&p);
}

/* Packets of different sizes: never faster than the busiest process alone, nor
 * slower than if every step were as long as its longest message. */
static void
unequal_packets(void)
{
    for (int c = 0; c < check_cases(200); ++c) {
        const int np = check_uniform(2, 16), k = check_uniform(2, np);
        const int x = check_uniform(1, 3), d = check_uniform(0, 1);
        hesca_problem p, whole;
        const int n = check_uniform(1, 4 * k * np * x);
        const int all = (n / (k * np * x) + 1) * k * np * x;
        make(&p, n, x, k * x, np);
        make(&whole, all, x, k * x, np);
        const double is = simulate(&p, d, &sp2);
        const double most = simulate(&whole, d, &sp2);
        CHECK(is <= most * (1 + 1e-9), "R_%d(%d,%d), d=%d: %d take %g, %d %g",
              x, k, np, d, n, is, all, most);
        hesca_problem_clear(&p);
        hesca_problem_clear(&whole);
    }
}

/* Sixteen thousand processes, in the memory of a few arrays. */
static void
many(void)
{
    enum { P = 16384 };
    hesca_layout *a, *b;
    const int64_t n = (int64_t)P * P;
    if (hesca_layout_create_cyclic(1, n, 1, 1, 0, 0, 1, P, NULL, &a) < 0 ||
        hesca_layout_create_cyclic(1, n, 1, P, 0, 0, 1, P, NULL, &b) < 0)
        abort();
    const hesca_problem p = {.m = 1, .n = n, .a = a, .b = b, .esize = ESIZE};
    const double is = simulate(&p, 14, &sp2);
    const double must = corollary_hybrid(n, P, P, 14);
    CHECK(is_near(is, must), "%g, not %g", is, must);
    hesca_layout_free(a);
    hesca_layout_free(b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(by_hand),     UNIT(powers_of_two), UNIT(equal_packets),
        UNIT(predictions), UNIT(phases),        UNIT(unequal_packets),
        UNIT(many)};
    unit_begin("sim/t_clock", 20261126);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
