/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees: parts are connected, and the largest time is the least where it is
 * said to be; against all partitions of small trees. */
#include "testing/partition/parts.h"
#include <time.h>

/* A random tree: each vertex hangs on one of the `near` before it. */
static hesca_graph
draw(int64_t n, int64_t near, int weighted)
{
    graph_edges e = {.n = n};
    for (int64_t v = 1; v < n; ++v) {
        const int64_t back = v < near ? v : near;
        graph_add(&e, v, v - 1 - (int64_t)(check_random() % (uint64_t)back));
    }
    hesca_graph g = graph_make(&e);
    int64_t *vwgt = weighted ? malloc((size_t)n * sizeof *vwgt) : NULL;
    for (int64_t v = 0; weighted && v < n; ++v)
        vwgt[v] = check_uniform(0, 9);
    g.vwgt = vwgt;
    return g;
}

/* Of a tree, parts are connected if there is one edge less between them than
 * there are parts with vertices. */
static int
is_connected(const hesca_graph *g, const int *part, int p)
{
    char met[PARTS_MAX] = {0};
    int64_t edges = 0, used = 0;
    for (int64_t v = 0; v < g->n; ++v) {
        used += !met[part[v]];
        met[part[v]] = 1;
        for (int64_t k = g->xadj[v]; k < g->xadj[v + 1]; ++k)
            edges += g->adjacency[k] > v && part[v] != part[g->adjacency[k]];
    }
    (void)p;
    return g->n == 0 || edges == used - 1;
}

/* The largest time, INFINITY if a limit is not kept. */
static double
time_of(const hesca_graph *g, const int *part, int p, const double *speed,
        const double *limit)
{
    double load[PARTS_MAX] = {0}, n[PARTS_MAX] = {0}, time = 0;
    for (int64_t v = 0; v < g->n; ++v) {
        load[part[v]] += g->vwgt != NULL ? (double)g->vwgt[v] : 1;
        ++n[part[v]];
    }
    for (int i = 0; i < p; ++i)
        time = limit != NULL && n[i] > limit[i]
                   ? INFINITY
                   : fmax(time, load[i] / speed[i]);
    return time;
}

static double
least_time(const hesca_graph *g, int p, const double *speed,
           const double *limit)
{
    int part[16] = {0};
    double best = INFINITY;
    for (;;) {
        const double time = time_of(g, part, p, speed, limit);
        int64_t v = 0;
        if (time < best && is_connected(g, part, p))
            best = time;
        while (v < g->n && ++part[v] == p)
            part[v++] = 0;
        if (v == g->n)
            return best;
    }
}

/* Partition, check; the time, INFINITY if there is no partition. */
static double
cut_tree(const hesca_graph *g, int p, const double *speed, const double *limit,
         int *exact)
{
    parts_models m = parts_make(p, speed, limit);
    hesca_cut *cut;
    double time = INFINITY;
    const int err = hesca_cut_tree(p, parts_speed(&m), g, &cut);
    *exact = 1;
    if (err == HESCA_SUCCESS) {
        const int *part = hesca_cut_part(cut);
        parts_check(g, cut, "tree");
        time = time_of(g, part, p, speed, limit);
        *exact = hesca_cut_is_exact(cut);
        CHECK(is_connected(g, part, p), "a part is not connected");
        CHECK(fabs(time - hesca_cut_time(cut)) <= 1e-12 * time,
              "time %.17g, not %.17g", hesca_cut_time(cut), time);
    } else {
        *exact = strstr(hesca_error_text(), "though there may be") == NULL;
        CHECK(limit != NULL && cut == NULL &&
                  (err == HESCA_ERR_UNSUPPORTED || err == HESCA_ERR_ARG),
              "%d: %s", err, hesca_error_text());
    }
    hesca_cut_free(cut);
    parts_free(&m);
    return time;
}

static void
beside_all_partitions(void)
{
    const int cases = check_cases(300);
    double worst = 1;
    int exact_cases = 0, alike = 0;
    for (int run = 0; run < cases; ++run) {
        const int p = check_uniform(1, 4),
                  n = check_uniform(1, p == 4 ? 8 : 9), limited = run % 3 == 0;
        double speed[4], limit[4];
        hesca_graph g = draw(n, check_uniform(1, 9), run % 2);
        alike += run % 5 == 0;
        for (int i = 0; i < p; ++i) {
            speed[i] = run % 5 == 0 ? 3 : check_uniform(1, 9);
            limit[i] = run % 5 == 0 ? 1 + n / p : check_uniform(0, n);
        }
        int exact;
        const double *const held = limited ? limit : NULL,
                            time = cut_tree(&g, p, speed, held, &exact),
                            least = least_time(&g, p, speed, held);
        CHECK(exact || (limited && g.vwgt != NULL), "p %d, n %d: not exact", p,
              n);
        CHECK(exact ? time <= least * (1 + 1e-12) : time >= least,
              "p %d, n %d, %s: %g, least %g", p, n,
              exact ? "exact" : "heuristic", time, least);
        CHECK(time >= least * (1 - 1e-12), "%g below %g", time, least);
        exact_cases += exact;
        if (!exact && isfinite(time) && least > 0)
            worst = fmax(worst, time / least);
        graph_free(&g);
    }
    printf("%d of %d exact, %d alike; heuristic / least at most %.3f\n",
           exact_cases, cases, alike, worst);
    CHECK(exact_cases > cases / 2, "%d", exact_cases);
}

/* Larger trees: the exact ones are not above the heuristic's bound, and large
 * ones are near the sum of weights over the sum of speeds. */
static void
large_trees(void)
{
    static const int64_t sizes[] = {60, 2000, 10000, 10000};
    static const int parts[] = {5, 6, 16, 48};
    for (int i = 0; i < 4; ++i)
        for (int near = 1; near <= 10000; near *= 100) {
            double speed[PARTS_MAX], sum = 0;
            int exact;
            hesca_graph g = draw(sizes[i], near, i % 2);
            double total = 0;
            for (int64_t v = 0; v < g.n; ++v)
                total += g.vwgt != NULL ? (double)g.vwgt[v] : 1;
            for (int k = 0; k < parts[i]; ++k)
                sum += speed[k] = check_uniform(1, 8);
            const double time = cut_tree(&g, parts[i], speed, NULL, &exact);
            CHECK(exact == (i < 2), "p %d, n %lld", parts[i],
                  (long long)sizes[i]);
            CHECK(time >= total / sum * (1 - 1e-12), "%g below the bound",
                  time);
            CHECK(time <= total / sum * 1.5, "%g, bound %g", time,
                  total / sum);
            printf("n %lld, p %d, near %d: %s, %.4f of the bound\n",
                   (long long)sizes[i], parts[i], near,
                   exact ? "exact" : "heuristic", time * sum / total);
            graph_free(&g);
        }
}

/* Equal processors at any size: as many pieces as a search by hand needs. */
static void
alike_processors(void)
{
    hesca_graph path = graph_grid(1000, 1, 1);
    double speed[PARTS_MAX];
    int exact;
    for (int p = 1; p <= PARTS_MAX; ++p) {
        speed[p - 1] = 2;
        const double time = cut_tree(&path, p, speed, NULL, &exact);
        CHECK(exact && fabs(time - ceil(1000. / p) / 2) < 1e-12, "p %d: %g", p,
              time);
    }
    graph_free(&path);
}

/* Each edge once, from either end; a single vertex; nothing. */
static void
forms(void)
{
    const int64_t down[] = {0, 2, 3, 3, 3}, to[] = {1, 2, 3},
                  up[] = {0, 0, 1, 2, 3}, from[] = {0, 0, 1},
                  both[] = {0, 2, 4, 5, 6}, all[] = {1, 2, 0, 3, 0, 1},
                  none[] = {0, 0}, weight[] = {5, 6, 7};
    static const double speed[] = {3, 1};
    const hesca_graph trees[] = {{4, down, to, NULL, weight, NULL},
                                 {4, up, from, NULL, NULL, NULL},
                                 {4, both, all, NULL, NULL, NULL},
                                 {1, none, NULL, NULL, NULL, NULL},
                                 {0, NULL, NULL, NULL, NULL, NULL}};
    parts_models m = parts_make(2, speed, NULL);
    for (int i = 0; i < 5; ++i) {
        hesca_cut *cut;
        CHECK(hesca_cut_tree(2, parts_speed(&m), &trees[i], &cut) ==
                  HESCA_SUCCESS,
              "%d: %s", i, hesca_error_text());
        CHECK(hesca_cut_load(cut, 0) == (i < 3 ? 3 : i == 3), "%d: %lld", i,
              (long long)hesca_cut_load(cut, 0));
        CHECK(hesca_cut_edges(cut) == (i < 3), "%d", i);
        if (i == 0)
            CHECK(hesca_cut_weight(cut) ==
                      (hesca_cut_part(cut)[2] == 1 ? 6 : 7),
                  "%lld", (long long)hesca_cut_weight(cut));
        hesca_cut_free(cut);
    }
    parts_free(&m);
}

static void
bad_trees(void)
{
    const int64_t ring[] = {0, 2, 4, 6}, around[] = {1, 2, 0, 2, 0, 1};
    const int64_t apart[] = {0, 2, 4, 6, 6}, once[] = {0, 1, 2, 3, 3},
                  cycle[] = {1, 2, 0};
    const int64_t star[] = {0, 4, 4, 4, 4, 4}, leaves[] = {1, 2, 3, 4};
    static const double speed[] = {1, 2}, limit[] = {3, 2};
    parts_models m = parts_make(2, speed, limit);
    const struct {
        hesca_graph g;
        int err;
        const char *text;
    } bad[] = {
        {{3, ring, around, NULL, NULL, NULL}, HESCA_ERR_ARG, "of a tree"},
        {{4, apart, around, NULL, NULL, NULL},
         HESCA_ERR_ARG,
         "vertex 3 is not connected with 0"},
        {{4, once, cycle, NULL, NULL, NULL},
         HESCA_ERR_ARG,
         "vertex 3 is not connected with 0"},
        {{5, star, leaves, NULL, NULL, NULL},
         HESCA_ERR_UNSUPPORTED,
         "no 2 connected parts are within the limits"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        hesca_cut *cut = (hesca_cut *)&check_state;
        const int err = hesca_cut_tree(2, i == 3 ? parts_speed(&m) : NULL,
                                       &bad[i].g, &cut);
        CHECK(err == bad[i].err && cut == NULL, "%s: %d", bad[i].text, err);
        CHECK(strstr(hesca_error_text(), bad[i].text) != NULL,
              "'%s' lacks '%s'", hesca_error_text(), bad[i].text);
    }
    parts_free(&m);
}

/* Many parts of a long path: halves must be even, or this takes minutes. */
static void
long_path(void)
{
    enum { N = 120000, P = 1000 };
    int64_t *xadj = malloc((N + 1) * sizeof *xadj);
    int64_t *to = malloc(N * sizeof *to);
    hesca_speed **speed = malloc(P * sizeof *speed);
    hesca_cut *cut;
    double sum = 0;
    CHECK(xadj != NULL && to != NULL && speed != NULL, "no memory");
    xadj[0] = 0;
    for (int64_t v = 0; v < N; ++v) { /* each has the one before */
        xadj[v + 1] = v;
        to[v] = v;
    }
    for (int k = 0; k < P; ++k) {
        const double s = 1 + check_uniform(0, 1000000) / 1e5;
        CHECK(hesca_speed_create_constant(s, INFINITY, &speed[k]) == 0, "%s",
              hesca_error_text());
        sum += s;
    }
    const hesca_graph g = {.n = N, .xadj = xadj, .adjacency = to};
    const clock_t begin = clock();
    CHECK(hesca_cut_tree(P, (const hesca_speed *const *)speed, &g, &cut) == 0,
          "%s", hesca_error_text());
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("n %d, p %d: %.4f of the bound in %.2f s\n", N, P,
           hesca_cut_time(cut) * sum / N, seconds);
    CHECK(hesca_cut_time(cut) <= 1.2 * N / sum, "%g", hesca_cut_time(cut));
    CHECK(seconds < 30, "%g s", seconds);
    hesca_cut_free(cut);
    for (int k = 0; k < P; ++k)
        hesca_speed_free(speed[k]);
    free(speed);
    free(to);
    free(xadj);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(beside_all_partitions),
                                       UNIT(large_trees),
                                       UNIT(alike_processors),
                                       UNIT(long_path),
                                       UNIT(forms),
                                       UNIT(bad_trees)};
    unit_begin("partition/t_tree", 20261123);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
