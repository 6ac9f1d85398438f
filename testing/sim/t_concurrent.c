/* SPDX-License-Identifier: BSD-3-Clause */
/* Several problems at once, redundant sends and failures, segments. */
#include "bcast/fault_tolerant.h"
#include "bcast/pipeline.h"
#include "sim/concurrent.h"
#include "testing/bcast/problems.h"

enum { MOST = 40 };
static double cost[MOST * MOST];

/* --- several problems --- */

static hesca_broadcast
together(int n, const hesca_broadcast_problem *x)
{
    hesca_broadcast b;
    const hesca_broadcast_algorithm *graft =
        hesca_broadcast_algorithm_find("graft");
    CHECK(hesca_concurrent_interleaved(graft, n, x, &b) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    CHECK(hesca_concurrent_check(n, x, &b) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    return b;
}

static void
beats_turns(void)
{
    int dest[4][MOST];
    double sum = 0, turns = 0;
    for (int c = 0; c < check_cases(40); ++c) {
        const int n = check_uniform(4, 30), nproblems = check_uniform(1, 4);
        hesca_broadcast_problem x[4];
        problem_draw((problem_kind)(c % 3), n, cost);
        for (int k = 0; k < nproblems; ++k) {
            x[k] = (hesca_broadcast_problem){
                .nproc = n, .cost = cost, .dest = dest[k]};
            x[k].ndest =
                problem_destinations(n, check_uniform(1, n - 1), dest[k]);
        }
        hesca_broadcast a = together(nproblems, x), b;
        CHECK(hesca_concurrent_sequential(
                  hesca_broadcast_algorithm_find("graft"), nproblems, x, &b) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(hesca_concurrent_check(nproblems, x, &b) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        CHECK(a.finish <= b.finish, "case %d: %g, in turn %g", c, a.finish,
              b.finish);
        for (int k = 0; k < nproblems; ++k) {
            double bound;
            CHECK(hesca_broadcast_bound(&x[k], &bound) == HESCA_SUCCESS &&
                      bound <= a.finish * (1 + 1e-12),
                  "case %d: bound %g", c, bound);
        }
        sum += a.finish;
        turns += b.finish;
        hesca_broadcast_clear(&a);
        hesca_broadcast_clear(&b);
    }
    printf("several problems: %.4f of one after the other\n", sum / turns);
    CHECK(sum < turns, "%g, in turn %g", sum, turns);
}

/* Those that share no process do not wait for each other. */
static void
apart(void)
{
    static const int left[] = {1, 2, 3}, right[] = {5, 6, 7};
    for (int c = 0; c < check_cases(20); ++c) {
        problem_draw(CASTING_SPREAD, 8, cost);
        const hesca_broadcast_problem x[2] = {
            {.nproc = 8, .cost = cost, .root = 0, .ndest = 3, .dest = left},
            {.nproc = 8, .cost = cost, .root = 4, .ndest = 3, .dest = right}};
        const double longest = fmax(problem_finish("graft", &x[0]),
                                    problem_finish("graft", &x[1]));
        hesca_broadcast b = together(2, x);
        CHECK(problem_close(b.finish, longest), "case %d: %g, not %g", c,
              b.finish, longest);
        hesca_broadcast_clear(&b);
    }
}

/* Two broadcasts among three: all orders of all sends. */
typedef struct {
    double has[2][3], send_free[3], recv_free[3], finish;
} moment;

static double
all_orders(const hesca_broadcast_problem *x, const moment *m, int left)
{
    double least = INFINITY;
    if (left == 0)
        return m->finish;
    for (int c = 0; c < 2; ++c)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                if (isinf(m->has[c][i]) || !isinf(m->has[c][j]))
                    continue;
                moment next = *m;
                const double end = fmax(m->has[c][i], fmax(m->send_free[i],
                                                           m->recv_free[j])) +
                                   x[c].cost[i * 3 + j];
                next.has[c][j] = next.send_free[i] = next.recv_free[j] = end;
                next.finish = fmax(m->finish, end);
                least = fmin(least, all_orders(x, &next, left - 1));
            }
    return least;
}

static void
two_of_three(void)
{
    double ratio = 0;
    const int cases = check_cases(40);
    for (int c = 0; c < cases; ++c) {
        problem_draw((problem_kind)(c % 3), 3, cost);
        const hesca_broadcast_problem x[2] = {
            {.nproc = 3, .cost = cost, .root = c % 3},
            {.nproc = 3, .cost = cost, .root = 1}};
        moment m = {.finish = 0};
        for (int k = 0; k < 2; ++k)
            for (int i = 0; i < 3; ++i)
                m.has[k][i] = i == x[k].root ? 0 : INFINITY;
        const double least = all_orders(x, &m, 4);
        hesca_broadcast b = together(2, x);
        CHECK(b.finish >= least * (1 - 1e-12), "case %d: %g beats %g", c,
              b.finish, least);
        ratio += b.finish / least / cases;
        hesca_broadcast_clear(&b);
    }
    printf("two broadcasts among three: %.4f of the optimum\n", ratio);
    CHECK(ratio < 1.1, "%g", ratio);
}

static void
bad_casts(void)
{
    hesca_broadcast b;
    const hesca_broadcast_algorithm *ecef =
        hesca_broadcast_algorithm_find("ecef");
    problem_draw(CASTING_RANGES, 4, cost);
    hesca_broadcast_problem x[2] = {{.nproc = 4, .cost = cost},
                                    {.nproc = 3, .cost = cost}};
    CHECK(hesca_concurrent_interleaved(ecef, 2, x, &b) == HESCA_ERR_ARG &&
              b.send == NULL,
          "%s", hesca_error_text());
    CHECK(hesca_concurrent_sequential(ecef, 0, x, &b) == HESCA_ERR_ARG, "%s",
          hesca_error_text());
    x[1].nproc = 4;
    cost[7] = NAN;
    CHECK(hesca_concurrent_interleaved(ecef, 2, x, &b) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "from 1 to 3") != NULL,
          "%s", hesca_error_text());
}

/* --- failures --- */

/* Destinations of a broadcast of single sends that are not below process f. */
static int
not_below(const hesca_broadcast *b, int n, int f)
{
    int parent[MOST], reached = 0;
    memset(parent, -1, sizeof parent);
    for (int k = 0; k < b->n; ++k)
        parent[b->send[k].dest] = b->send[k].src;
    for (int j = 1; j < n; ++j) {
        int k = j;
        while (k > 0 && k != f)
            k = parent[k];
        reached += k == 0;
    }
    return reached;
}

static void
failures(void)
{
    for (int c = 0; c < check_cases(40); ++c) {
        const int n = check_uniform(2, 25);
        hesca_robustness once, twice;
        problem_draw((problem_kind)(c % CASTING_KINDS), n, cost);
        hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        hesca_broadcast b = problem_run("ecef", &x);
        double mean = 0, worst = 1;
        for (int f = 1; f < n; ++f) {
            int reached;
            char who[MOST];
            CHECK(hesca_broadcast_fail(&x, &b, f, who, &reached) ==
                          HESCA_SUCCESS &&
                      reached == not_below(&b, n, f) && !who[f] && who[0],
                  "case %d, n = %d: %d without %d", c, n, reached, f);
            const double part = n > 2 ? (double)reached / (n - 2) : 1;
            mean += part / (n - 1);
            worst = fmin(worst, part);
        }
        CHECK(hesca_broadcast_robustness(&x, &b, &once) == HESCA_SUCCESS &&
                  once.sends == n - 1 && problem_close(once.mean, mean) &&
                  problem_close(once.worst, worst),
              "case %d, n = %d: %d, %g, %g", c, n, once.sends, once.mean,
              once.worst);
        int none;
        CHECK(hesca_broadcast_fail(&x, &b, 0, NULL, &none) == HESCA_SUCCESS &&
                  none == 0,
              "%d without root", none);
        /* Root has a link to all, so that every failure can be survived. */
        x.copies = 2;
        hesca_broadcast r = problem_run("ecef", &x);
        CHECK(hesca_broadcast_robustness(&x, &r, &twice) == HESCA_SUCCESS &&
                  twice.mean == 1 && twice.worst == 1,
              "case %d, n = %d: %g, %g", c, n, twice.mean, twice.worst);
        CHECK(r.finish == b.finish && r.n <= 2 * (n - 1),
              "case %d, n = %d: %d sends, %g", c, n, r.n, r.finish);
        hesca_broadcast_clear(&r);
        hesca_broadcast_clear(&b);
    }
}

/* 0 - 1 - 2 - 3 - 0, a ring both ways: 2 has the message over 1; its second
 * copy comes over 3, for which there is no other way. */
static void
disjoint_ways(void)
{
    static const double ring[] = {0, 1,        INFINITY, 2, 1, 0,
                                  1, INFINITY, INFINITY, 1, 0, 9,
                                  2, INFINITY, 9,        0};
    hesca_broadcast_problem x = {.nproc = 4, .cost = ring, .copies = 2};
    hesca_broadcast b = problem_run("ecef", &x);
    int from[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}}, got[4] = {0};
    for (int k = 0; k < b.n; ++k)
        from[b.send[k].dest][got[b.send[k].dest]++] = b.send[k].src;
    CHECK(got[2] == 2 && from[2][0] == 1 && from[2][1] == 3, "%d and %d",
          from[2][0], from[2][1]);
    CHECK(got[3] == 2 && from[3][0] == 0 && from[3][1] == 2, "%d and %d",
          from[3][0], from[3][1]);
    CHECK(got[1] == 1, "1 depends on root alone, and gets %d", got[1]);
    CHECK(b.finish == 3, "%g", b.finish);
    hesca_broadcast_clear(&b);
}

/* --- segments --- */

static double startup[MOST * MOST], rate[MOST * MOST];

static hesca_pipeline_problem
draw_message(int n, double bytes)
{
    for (int k = 0; k < n * n; ++k) {
        startup[k] = 10e-6 + 990e-6 * problem_random();
        rate[k] = 10e6 * pow(20, problem_random());
    }
    return (hesca_pipeline_problem){
        .nproc = n, .startup = startup, .rate = rate, .bytes = bytes};
}

/* When process j has segment k of a tree: by definition, from what its parent
 * did before. */
typedef struct {
    const hesca_pipeline_problem *m;
    const hesca_broadcast *tree;
    int segments;
    double *end; /* [segments * sends] */
} flow;

static double
link_seconds(const flow *f, int e)
{
    const hesca_send *s = &f->tree->send[e];
    const int at = s->src * f->m->nproc + s->dest;
    return f->m->startup[at] + f->m->bytes / f->segments / f->m->rate[at];
}

/* Its sender has it, has sent the segment to earlier children, and the one
 * before to all; the blocking model. */
static double
arrival(flow *f, int k, int e)
{
    double *end = &f->end[k * f->tree->n + e], start = 0;
    if (*end > 0)
        return *end;
    for (int d = 0; d < f->tree->n; ++d) {
        if (f->tree->send[d].dest == f->tree->send[e].src)
            start = fmax(start, arrival(f, k, d));
        if (f->tree->send[d].src == f->tree->send[e].src && d < e)
            start = fmax(start, arrival(f, k, d));
        if (f->tree->send[d].src == f->tree->send[e].src && k > 0)
            start = fmax(start, arrival(f, k - 1, d));
    }
    return *end = start + link_seconds(f, e);
}

static void
segments_by_definition(void)
{
    for (int c = 0; c < check_cases(30); ++c) {
        const int n = check_uniform(2, 12), s = check_uniform(1, 12);
        double end[12 * MOST] = {0}, last = 0, seconds;
        const hesca_pipeline_problem m = draw_message(n, 1e6);
        hesca_pipeline_cost(&m, s, cost);
        const hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        hesca_broadcast b = problem_run(c % 2 ? "balanced-mst" : "ecef", &x);
        flow f = {.m = &m, .tree = &b, .segments = s, .end = end};
        for (int e = 0; e < b.n; ++e)
            last = fmax(last, arrival(&f, s - 1, e));
        CHECK(hesca_pipeline_seconds(&m, &b, s, &seconds) == HESCA_SUCCESS &&
                  problem_close(seconds, last),
              "case %d, n = %d, %d segments: %g, not %g", c, n, s, seconds,
              last);
        CHECK(hesca_pipeline_seconds(&m, &b, 1, &seconds) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        hesca_broadcast_clear(&b);
    }
}

/* A chain of n equal links: n + s - 1 steps.  Non-blocking: a sender sends to
 * another while the message is on its way. */
static void
equal_links(void)
{
    const int n = 6, s = 10;
    double seconds;
    hesca_pipeline_problem m = draw_message(n, 1e6);
    for (int k = 0; k < n * n; ++k) {
        startup[k] = 0.001;
        rate[k] = 1e6;
    }
    const double step = 0.001 + 1.0 / s;
    hesca_pipeline_cost(&m, s, cost);
    hesca_broadcast_problem x = {.nproc = n, .cost = cost};
    hesca_broadcast chain = problem_run("chain", &x);
    hesca_broadcast star = problem_run("sequential", &x);
    CHECK(hesca_pipeline_seconds(&m, &chain, s, &seconds) == HESCA_SUCCESS &&
              problem_close(seconds, (n - 2 + s) * step),
          "chain: %g", seconds);
    CHECK(hesca_pipeline_seconds(&m, &star, s, &seconds) == HESCA_SUCCESS &&
              problem_close(seconds, (n - 1) * s * step),
          "star: %g", seconds);
    m.nonblocking = 1;
    CHECK(hesca_pipeline_seconds(&m, &star, 1, &seconds) == HESCA_SUCCESS &&
              problem_close(seconds, (n - 1) * 0.001 + 1),
          "star, non-blocking: %g", seconds);
    x.startup = startup;
    hesca_pipeline_cost(&m, 1, cost);
    CHECK(problem_close(problem_finish("sequential", &x), (n - 1) * 0.001 + 1),
          "sequential, non-blocking");
    CHECK(problem_close(problem_finish("optimum", &x), (n - 1) * 0.001 + 1),
          "optimum, non-blocking");
    hesca_broadcast_clear(&chain);
    hesca_broadcast_clear(&star);
}

/* Against all numbers of segments, and every algorithm's tree. */
static void
best_segments(void)
{
    for (int c = 0; c < check_cases(10); ++c) {
        const int n = check_uniform(3, 12), most = 64;
        hesca_pipeline p;
        const hesca_pipeline_problem m = draw_message(n, c % 2 ? 1e7 : 1e5);
        CHECK(hesca_pipeline_init(&m, most, &p) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        hesca_pipeline_cost(&m, 1, cost);
        const hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        const double whole = problem_finish("graft", &x);
        CHECK(p.seconds <= whole * (1 + 1e-12), "case %d: %g, whole %g", c,
              p.seconds, whole);
        double least = INFINITY, seconds;
        for (int s = 1; s <= most; ++s) {
            CHECK(hesca_pipeline_seconds(&m, &p.tree, s, &seconds) ==
                      HESCA_SUCCESS,
                  "%s", hesca_error_text());
            least = fmin(least, seconds);
            if (s == p.segments)
                CHECK(seconds == p.seconds, "%g, not %g", p.seconds, seconds);
        }
        CHECK(p.seconds <= 1.02 * least, "case %d: %d segments, %g, not %g", c,
              p.segments, p.seconds, least);
        hesca_pipeline_clear(&p);
    }
}

static void
bad_messages(void)
{
    hesca_pipeline p;
    hesca_pipeline_problem m = draw_message(4, 1e6);
    CHECK(hesca_pipeline_init(&m, 0, &p) == HESCA_ERR_ARG, "no segments");
    m.bytes = NAN;
    CHECK(hesca_pipeline_init(&m, 4, &p) == HESCA_ERR_ARG, "NaN bytes");
    m.bytes = 1e6;
    rate[6] = -1;
    CHECK(hesca_pipeline_init(&m, 4, &p) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "from 1 to 2") != NULL,
          "%s", hesca_error_text());
    rate[6] = rate[2] = rate[14] = 0;
    CHECK(hesca_pipeline_init(&m, 4, &p) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "process 2 cannot") != NULL &&
              p.tree.send == NULL,
          "%s", hesca_error_text());
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(beats_turns),
                                       UNIT(apart),
                                       UNIT(two_of_three),
                                       UNIT(bad_casts),
                                       UNIT(failures),
                                       UNIT(disjoint_ways),
                                       UNIT(segments_by_definition),
                                       UNIT(equal_links),
                                       UNIT(best_segments),
                                       UNIT(bad_messages)};
    unit_begin("sim/t_concurrent", 20260304);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
