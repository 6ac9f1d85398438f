/* SPDX-License-Identifier: BSD-3-Clause */
/* Casters: against their definitions carried out naively, the optimum against
 * all schedules there are, properties on random costs. */
#include "bcast/arborescence.h"
#include "bcast/growth.h"
#include "testing/bcast/problems.h"

enum { MOST = 64 };
static double cost[MOST * MOST], startup[MOST * MOST];

/* --- definitions --- */

/* L_j of Eq. 9. */
static double
least_ahead(const hesca_broadcast_problem *x, const char *b, int j)
{
    double least = INFINITY;
    int alone = 1;
    for (int k = 0; k < x->nproc; ++k)
        if (b[k] && k != j) {
            least = fmin(least, hesca_broadcast_cost(x, j, k));
            alone = 0;
        }
    return alone ? 0 : least;
}

/* Average over members of B but j, and over A and j if senders. */
static double
average_ahead(const hesca_broadcast_problem *x, const char *b,
              const double *ready, int j, int senders)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < x->nproc; ++i)
        for (int k = 0; k < x->nproc; ++k)
            if (b[k] && k != j && (i == j || (senders && !isinf(ready[i])))) {
                sum += hesca_broadcast_cost(x, i, k);
                ++n;
            }
    return n > 0 ? sum / n : 0;
}

/* What a step minimizes, Eq. 7 and 8; FEF: the cost alone. */
static double
value(const char *name, const hesca_broadcast_problem *x, const char *b,
      const double *ready, int i, int j)
{
    const double c = hesca_broadcast_cost(x, i, j);
    if (strcmp(name, "fef") == 0)
        return c;
    if (strcmp(name, "lookahead") == 0)
        return ready[i] + c + least_ahead(x, b, j);
    if (strcmp(name, "lookahead-avg") == 0)
        return ready[i] + c + average_ahead(x, b, ready, j, 0);
    if (strcmp(name, "lookahead-senders") == 0)
        return ready[i] + c + average_ahead(x, b, ready, j, 1);
    return ready[i] + c;
}

/* Choose among all pairs in every step; parent[] of every process.  Returns
 * when the last one has the message. */
static double
naive(const char *name, const hesca_broadcast_problem *x, int *parent)
{
    char b[MOST];
    double ready[MOST], finish = 0;
    hesca_broadcast_wanted(x, b);
    for (int i = 0; i < x->nproc; ++i)
        ready[i] = i == x->root ? 0 : INFINITY;
    for (int step = hesca_broadcast_ndest(x); step > 0; --step) {
        double least = INFINITY, end = INFINITY;
        int src = -1, dest = -1;
        for (int i = 0; i < x->nproc; ++i)
            for (int j = 0; j < x->nproc; ++j) {
                if (isinf(ready[i]) || !b[j])
                    continue;
                const double v = value(name, x, b, ready, i, j);
                const double e = ready[i] + hesca_broadcast_cost(x, i, j);
                if (v < least ||
                    (v == least && e < end && strncmp(name, "look", 4) == 0)) {
                    least = v;
                    end = e;
                    src = i;
                    dest = j;
                }
            }
        end = ready[src] + hesca_broadcast_cost(x, src, dest);
        ready[src] += hesca_broadcast_busy(x, src, dest);
        ready[dest] = end;
        parent[dest] = src;
        b[dest] = 0;
        finish = fmax(finish, end);
    }
    return finish;
}

static void
compare(const char *name, const hesca_broadcast_problem *x, const char *what)
{
    int parent[MOST];
    const double finish = naive(name, x, parent);
    hesca_broadcast b = problem_run(name, x);
    CHECK(b.finish == finish, "%s, %s: %.17g, not %.17g", what, name, b.finish,
          finish);
    for (int k = 0; k < b.n; ++k)
        CHECK(parent[b.send[k].dest] == b.send[k].src,
              "%s, %s: to %d from %d, not %d", what, name, b.send[k].dest,
              b.send[k].src, parent[b.send[k].dest]);
    hesca_broadcast_clear(&b);
}

/* With ties, and beyond the first sixteen receivers that are sorted. */
static void
definitions(void)
{
    int dest[MOST];
    for (int c = 0; c < check_cases(100); ++c) {
        const problem_kind kind = (problem_kind)(c % CASTING_KINDS);
        const int n = check_uniform(2, c % 5 == 0 ? MOST : 20);
        hesca_broadcast_problem x = {.nproc = n, .cost = cost, .root = 0};
        problem_draw(kind, n, cost);
        if (c % 3 == 0 && kind != CASTING_GATES)
            x.root = check_uniform(0, n - 1);
        if (x.root == 0 && c % 2 == 0) {
            x.dest = dest;
            x.ndest = problem_destinations(n, check_uniform(1, n - 1), dest);
        }
        char what[80];
        snprintf(what, sizeof what, "case %d, kind %d, n = %d", c, (int)kind,
                 n);
        compare("ecef", &x, what);
        compare("fef", &x, what);
        compare("lookahead", &x, what);
        if (kind == CASTING_EQUAL && n <= 20)
            continue; /* averages round */
        compare("lookahead-avg", &x, what);
        compare("lookahead-senders", &x, what);
    }
}

/* All trees: parents in all combinations. */
static double
least_tree(int n, const double *c, int *parent, int j)
{
    double least = INFINITY;
    if (j == n) {
        double sum = 0;
        for (int i = 1; i < n; ++i) {
            int steps = 0;
            for (int k = i; k != 0; k = parent[k])
                if (++steps > n)
                    return INFINITY;
            sum += c[parent[i] * n + i];
        }
        return sum;
    }
    for (int i = 0; i < n; ++i)
        if (i != j) {
            parent[j] = i;
            least = fmin(least, least_tree(n, c, parent, j + 1));
        }
    return least;
}

static void
arborescences(void)
{
    for (int t = 0; t < check_cases(200); ++t) {
        const int n = check_uniform(1, 6);
        int parent[6], other[6];
        double sum = 0;
        problem_draw((problem_kind)(t % CASTING_KINDS), n, cost);
        CHECK(hesca_arborescence(n, cost, 0, parent) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        CHECK(parent[0] == -1, "root has a parent");
        for (int i = 1; i < n; ++i) {
            int steps = 0;
            for (int k = i; k != 0 && steps <= n; k = parent[k])
                ++steps;
            CHECK(steps <= n, "%d is on a cycle", i);
            sum += cost[parent[i] * n + i];
        }
        const double least = least_tree(n, cost, other, 1);
        CHECK(problem_close(sum, least), "case %d, n = %d: %g, not %g", t, n,
              sum, least);
    }
    for (int k = 0; k < 16; ++k)
        cost[k] = k % 4 == 2 ? INFINITY : 1;
    int parent[4];
    CHECK(hesca_arborescence(4, cost, 0, parent) == HESCA_ERR_UNSUPPORTED,
          "nobody reaches 2");
}

/* All schedules: each choice of the next sender and receiver, no idle time. */
static double
all_schedules(const hesca_broadcast_problem *x, unsigned b, unsigned i,
              const double *ready, double finish)
{
    double least = INFINITY;
    if (b == 0)
        return finish;
    for (int src = 0; src < x->nproc; ++src)
        for (int dest = 0; dest < x->nproc; ++dest) {
            if (isinf(ready[src]) || !((b | i) >> dest & 1))
                continue;
            double next[MOST];
            memcpy(next, ready, (size_t)x->nproc * sizeof *next);
            next[dest] = ready[src] + hesca_broadcast_cost(x, src, dest);
            next[src] += hesca_broadcast_busy(x, src, dest);
            const double end = b >> dest & 1 ? next[dest] : 0;
            least = fmin(least,
                         all_schedules(x, b & ~(1u << dest), i & ~(1u << dest),
                                       next, fmax(finish, end)));
        }
    return least;
}

static double
exhaustive(const hesca_broadcast_problem *x)
{
    double ready[MOST];
    char wanted[MOST];
    unsigned b = 0, i = 0;
    hesca_broadcast_wanted(x, wanted);
    for (int p = 0; p < x->nproc; ++p) {
        ready[p] = p == x->root ? 0 : INFINITY;
        if (wanted[p])
            b |= 1u << p;
        else if (p != x->root && x->relays)
            i |= 1u << p;
    }
    return all_schedules(x, b, i, ready, 0);
}

static void
draw_startup(int n)
{
    for (int k = 0; k < n * n; ++k)
        startup[k] = cost[k] * (0.1 + 0.8 * problem_random());
}

static void
optimum(void)
{
    int dest[MOST];
    for (int c = 0; c < check_cases(160); ++c) {
        const int n = check_uniform(2, c % 8 == 0 ? 6 : 5);
        hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        problem_draw((problem_kind)(c % CASTING_KINDS), n, cost);
        if (c / 4 % 2 == 1) {
            x.dest = dest;
            x.ndest = problem_destinations(n, check_uniform(1, n - 1), dest);
            x.relays = c / 8 % 2;
        }
        if (c / 16 % 2 == 1) {
            draw_startup(n);
            x.startup = startup;
        }
        const double least = exhaustive(&x);
        const double found = problem_finish("optimum", &x);
        CHECK(problem_close(least, found), "case %d, n = %d: %g, not %g", c, n,
              found, least);
    }
}

/* No broadcast beats the optimum, nor the optimum the bound; Lemma 3. */
static void
bounds(void)
{
    int dest[MOST];
    for (int c = 0; c < check_cases(40); ++c) {
        const int n = check_uniform(2, 7);
        double bound;
        hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        problem_draw((problem_kind)(c % CASTING_KINDS), n, cost);
        if (c % 3 == 0) {
            x.dest = dest;
            x.ndest = problem_destinations(n, check_uniform(1, n - 1), dest);
            x.relays = c % 2;
        }
        CHECK(hesca_broadcast_bound(&x, &bound) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        const double best = problem_finish("optimum", &x), slack = 1 + 1e-12;
        CHECK(bound <= best * slack &&
                  best <= bound * hesca_broadcast_ndest(&x) * slack,
              "case %d, n = %d: bound %g, optimum %g", c, n, bound, best);
        for (int k = 0; hesca_broadcast_algorithms[k] != NULL; ++k) {
            const char *name = hesca_broadcast_algorithms[k]->name;
            CHECK(problem_finish(name, &x) * slack >= best,
                  "case %d, n = %d: %s beats %g", c, n, name, best);
        }
    }
}

/* Eq. 12: where it holds, the shortest path is the link, and so the tree of
 * least delays is root's star. */
static void
triangles(void)
{
    for (int c = 0; c < check_cases(20); ++c) {
        const int n = check_uniform(3, 12);
        double ert[MOST];
        problem_draw((problem_kind)(c % CASTING_KINDS), n, cost);
        for (int k = 0; k < n; ++k)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    if (i != k && j != k && i != j)
                        cost[i * n + j] =
                            fmin(cost[i * n + j],
                                 cost[i * n + k] + cost[k * n + j]);
        const hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        CHECK(hesca_broadcast_reach(&x, ert) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        for (int j = 1; j < n; ++j)
            CHECK(problem_close(ert[j], cost[j]), "n = %d: %d at %g, not %g",
                  n, j, ert[j], cost[j]);
    }
}

/* Every algorithm on every kind: problem_run() checks what comes out. */
static void
validity(void)
{
    int dest[MOST];
    for (int c = 0; c < check_cases(60); ++c) {
        const int n = check_uniform(1, c % 7 == 0 ? MOST : 24);
        hesca_broadcast_problem x = {
            .nproc = n, .cost = cost, .copies = 1 + c % 2};
        problem_draw((problem_kind)(c % CASTING_KINDS), n, cost);
        if (c % 3 == 1) {
            x.dest = dest;
            x.ndest = problem_destinations(n, check_uniform(0, n - 1), dest);
            x.relays = c % 2;
        }
        if (c % 5 == 0) {
            draw_startup(n);
            x.startup = startup;
        }
        for (int k = 0; hesca_broadcast_algorithms[k] != NULL; ++k)
            if (n <= hesca_broadcast_algorithms[k]->most)
                (void)problem_finish(hesca_broadcast_algorithms[k]->name, &x);
    }
}

/* Many messages end when they begin, rounded, and so does what they let begin:
 * problem_run() needs all in an order in which they can be carried out. */
static void
dust(void)
{
    for (int c = 0; c < check_cases(60); ++c) {
        const int n = check_uniform(2, 10);
        hesca_broadcast_problem x = {
            .nproc = n, .cost = cost, .copies = 1 + c % 2};
        for (int k = 0; k < n * n; ++k)
            cost[k] = check_uniform(0, 1) ? 1 : 1e-17;
        x.root = check_uniform(0, n - 1);
        draw_startup(n);
        x.startup = c % 3 == 0 ? startup : NULL;
        for (int k = 0; hesca_broadcast_algorithms[k] != NULL; ++k)
            (void)problem_finish(hesca_broadcast_algorithms[k]->name, &x);
    }
}

/* Missing links: root reaches all processes along a ring, other links exist
 * with probability 1/2. */
static void
missing_links(void)
{
    for (int c = 0; c < check_cases(60); ++c) {
        const int n = check_uniform(2, 20);
        const hesca_broadcast_problem x = {.nproc = n, .cost = cost};
        problem_draw(CASTING_RANGES, n, cost);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (j != (i + 1) % n && check_uniform(0, 1) == 1)
                    cost[i * n + j] = INFINITY;
        for (int k = 0; hesca_broadcast_algorithms[k] != NULL; ++k) {
            hesca_broadcast b;
            const hesca_broadcast_algorithm *algorithm =
                hesca_broadcast_algorithms[k];
            const int err = n > algorithm->most
                                ? HESCA_ERR_UNSUPPORTED
                                : hesca_broadcast_find(algorithm, &x, &b);
            CHECK(err == HESCA_SUCCESS || err == HESCA_ERR_UNSUPPORTED,
                  "%s: %s", algorithm->name, hesca_error_text());
            if (err == HESCA_SUCCESS) {
                CHECK(hesca_broadcast_check(&x, &b) == HESCA_SUCCESS, "%s: %s",
                      algorithm->name, hesca_error_text());
                hesca_broadcast_clear(&b);
            } else {
                CHECK(n > algorithm->most ||
                          strchr("sbc", *algorithm->name) != NULL,
                      "%s, n = %d: %s", algorithm->name, n,
                      hesca_error_text());
            }
        }
    }
}

/* The broadcast does not depend on what was computed before. */
static void
same_again(void)
{
    problem_draw(CASTING_RANGES, 30, cost);
    const hesca_broadcast_problem x = {.nproc = 30, .cost = cost};
    hesca_broadcast a = problem_run("graft", &x);
    hesca_broadcast b = problem_run("graft", &x);
    CHECK(a.n == b.n && a.finish == b.finish, "%d and %d sends, %g, %g", a.n,
          b.n, a.finish, b.finish);
    for (int k = 0; k < a.n && k < b.n; ++k)
        CHECK(a.send[k].src == b.send[k].src &&
                  a.send[k].dest == b.send[k].dest &&
                  a.send[k].start == b.send[k].start,
              "send %d", k);
    hesca_broadcast_clear(&a);
    hesca_broadcast_clear(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(definitions), UNIT(arborescences), UNIT(optimum),
        UNIT(bounds),      UNIT(triangles),     UNIT(validity),
        UNIT(dust),        UNIT(missing_links), UNIT(same_again)};
    unit_begin("bcast/t_algorithms", 20260302);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
