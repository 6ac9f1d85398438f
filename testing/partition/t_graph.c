/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs: targets are met by every engine, limits are kept, what is reported
 * of the cut is right; small cuts against the optimum. */
#include "testing/partition/parts.h"
#include <time.h>

static const double four[] = {.50, .30, .15, .05};

/* Partition, check, and return the cut. */
static hesca_cut *
cut_graph(const parts_models *m, const hesca_graph *g, int engine,
          const char *what)
{
    const hesca_cut_options how = {.engine = engine};
    hesca_cut *cut;
    CHECK(hesca_cut_graph(m->p, parts_speed(m), g, &how, &cut) ==
              HESCA_SUCCESS,
          "%s, %s: %s", what, hesca_engine_name(engine), hesca_error_text());
    if (cut != NULL)
        parts_check(g, cut, what);
    return cut;
}

/* 600, 360, 180 and 60 of 1200. */
static void
grid_of_four(void)
{
    hesca_graph g = graph_grid(40, 30, 1);
    parts_models m = parts_make(4, four, NULL);
    for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
        if (!hesca_engine_is_built(e))
            continue;
        hesca_cut *cut = cut_graph(&m, &g, e, "grid");
        for (int i = 0; i < 4; ++i)
            CHECK(fabs((double)hesca_cut_load(cut, i) - 1200 * four[i]) <=
                      36 * four[i] + 1e-9,
                  "part %d has %lld", i, (long long)hesca_cut_load(cut, i));
        CHECK(hesca_cut_weight(cut) <= 100, "%s cuts %lld",
              hesca_engine_name(e), (long long)hesca_cut_weight(cut));
        CHECK(e == HESCA_ENGINE_AUTO || hesca_cut_engine(cut) == e, "%d", e);
        printf("grid 40 x 30, %s: %lld %lld %lld %lld, cut %lld\n",
               hesca_engine_name(e), (long long)hesca_cut_load(cut, 0),
               (long long)hesca_cut_load(cut, 1),
               (long long)hesca_cut_load(cut, 2),
               (long long)hesca_cut_load(cut, 3),
               (long long)hesca_cut_weight(cut));
        hesca_cut_free(cut);
    }
    parts_free(&m);
    graph_free(&g);
}

static hesca_graph
shape(int kind, int64_t n, uint64_t seed)
{
    switch (kind) {
    case 0:
        return graph_grid(n / 100, 100, 1);
    case 1:
        return graph_grid(n / 400, 20, 20);
    case 2:
        return graph_geometric(n, 8, seed);
    case 3:
        return graph_power_law(n, 4, seed);
    default:
        return graph_any(n, 6, seed);
    }
}

/* Within 3 % on 10^4 vertices, whatever the graph, speeds and engine. */
static void
targets_are_met(void)
{
    double random[16], skewed[16];
    for (int i = 0; i < 16; ++i) {
        random[i] = check_uniform(100, 400);
        skewed[i] = i % 2 == 0 ? 8 : 1;
    }
    const double *const speeds[] = {random, skewed, four};
    for (int kind = 0; kind < 5; ++kind) {
        hesca_graph g = shape(kind, 10000, check_random());
        for (int s = check_few() ? 2 : 0; s < 3; ++s) {
            parts_models m = parts_make(s == 2 ? 4 : 16, speeds[s], NULL);
            for (int e = HESCA_ENGINE_OWN; e < HESCA_ENGINE_COUNT; ++e) {
                if (!hesca_engine_is_built(e))
                    continue;
                hesca_cut *cut = cut_graph(&m, &g, e, "targets");
                CHECK(hesca_cut_deviation(cut) <= 0.03,
                      "graph %d, speeds %d, %s: %g", kind, s,
                      hesca_engine_name(e), hesca_cut_deviation(cut));
                hesca_cut_free(cut);
            }
            parts_free(&m);
        }
        graph_free(&g);
    }
}

/* Random weights of vertices and, equal at both ends, of edges. */
static void
weigh(hesca_graph *g, int most)
{
    int64_t *vwgt = malloc((size_t)g->n * sizeof *vwgt),
            *adjwgt = malloc((size_t)g->xadj[g->n] * sizeof *adjwgt + 1);
    for (int64_t v = 0; v < g->n; ++v) {
        vwgt[v] = check_uniform(0, most);
        for (int64_t k = g->xadj[v]; k < g->xadj[v + 1]; ++k)
            adjwgt[k] = (v + g->adjacency[k]) * 7919 % 100;
    }
    g->vwgt = vwgt;
    g->adjwgt = adjwgt;
}

static void
weights(void)
{
    for (int kind = 0; kind < 5; ++kind) {
        hesca_graph g = shape(kind, 4000, check_random());
        parts_models m = parts_make(4, four, NULL);
        weigh(&g, 100);
        for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
            if (!hesca_engine_is_built(e))
                continue;
            hesca_cut *cut = cut_graph(&m, &g, e, "weights");
            CHECK(hesca_cut_deviation(cut) <= 0.03, "graph %d, %s: %g", kind,
                  hesca_engine_name(e), hesca_cut_deviation(cut));
            hesca_cut_free(cut);
        }
        parts_free(&m);
        graph_free(&g);
    }
}

/* Sums of weights beyond 32 bits. */
static void
large_weights(void)
{
    hesca_graph g = shape(2, 2000, check_random());
    parts_models m = parts_make(4, four, NULL);
    weigh(&g, 100);
    int64_t *vwgt = (int64_t *)g.vwgt, *adjwgt = (int64_t *)g.adjwgt;
    for (int64_t v = 0; v < g.n; ++v)
        vwgt[v] *= 1000000007;
    for (int64_t k = 0; k < g.xadj[g.n]; ++k)
        adjwgt[k] *= 1000000009;
    for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
        if (!hesca_engine_is_built(e))
            continue;
        hesca_cut *cut = cut_graph(&m, &g, e, "large weights");
        CHECK(hesca_cut_deviation(cut) <= 0.03, "%s: %g", hesca_engine_name(e),
              hesca_cut_deviation(cut));
        hesca_cut_free(cut);
    }
    parts_free(&m);
    graph_free(&g);
}

/* No processor has more vertices than it can hold. */
static void
limits_are_kept(void)
{
    for (int run = 0; run < check_cases(60); ++run) {
        const int p = check_uniform(1, 9), n = check_uniform(1, 400);
        double speed[PARTS_MAX], limit[PARTS_MAX], room = 0;
        hesca_graph g = run % 2 == 0 ? graph_any(n, 4, check_random())
                                     : graph_geometric(n, 6, check_random());
        for (int i = 0; i < p; ++i) {
            speed[i] = check_uniform(1, 1000);
            limit[i] = check_uniform(0, 2 * n / p);
            room += limit[i];
        }
        limit[p - 1] += fmax(0, n - room); /* often all of them bind */
        parts_models m = parts_make(p, speed, limit);
        if (run % 3 == 0)
            weigh(&g, 50);
        for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
            if (!hesca_engine_is_built(e))
                continue;
            hesca_cut *cut = cut_graph(&m, &g, e, "limits");
            for (int i = 0; cut != NULL && i < p; ++i)
                CHECK((double)hesca_cut_count(cut, i) <= limit[i],
                      "%lld vertices, limit %g",
                      (long long)hesca_cut_count(cut, i), limit[i]);
            if (cut != NULL && g.vwgt == NULL)
                parts_check_balance(cut, 0.03, 1, "limits");
            hesca_cut_free(cut);
        }
        parts_free(&m);
        graph_free(&g);
    }
}

/* 75 vertices, 2 : 1, of a path: 50 and 25, and one edge. */
static void
two_to_one(void)
{
    static const double speed[] = {2, 1};
    hesca_graph g = graph_grid(75, 1, 1);
    parts_models m = parts_make(2, speed, NULL);
    for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
        if (!hesca_engine_is_built(e))
            continue;
        hesca_cut *cut = cut_graph(&m, &g, e, "path");
        CHECK(hesca_cut_load(cut, 0) == 50 && hesca_cut_load(cut, 1) == 25,
              "%lld %lld", (long long)hesca_cut_load(cut, 0),
              (long long)hesca_cut_load(cut, 1));
        CHECK(hesca_cut_weight(cut) == 1, "%s cuts %lld", hesca_engine_name(e),
              (long long)hesca_cut_weight(cut));
        hesca_cut_free(cut);
    }
    parts_free(&m);
    graph_free(&g);
}

/* Graphs without edges, without vertices, with few, in pieces; one part, and
 * parts of very slow processors. */
static void
odd_graphs(void)
{
    for (int run = 0; run < check_cases(80); ++run) {
        const int p = check_uniform(1, 12), n = run % 9;
        double speed[PARTS_MAX];
        hesca_graph g = graph_any(n > 0 ? n : 1, run % 4, check_random());
        g.n = n;
        for (int i = 0; i < p; ++i)
            speed[i] = run % 3 == 0 ? pow(10, check_uniform(-6, 6))
                                    : check_uniform(1, 4);
        parts_models m = parts_make(p, speed, NULL);
        for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
            hesca_cut *cut =
                hesca_engine_is_built(e) ? cut_graph(&m, &g, e, "odd") : NULL;
            if (cut != NULL)
                parts_check_balance(cut, 0.03, 1, "odd");
            hesca_cut_free(cut);
        }
        parts_free(&m);
        graph_free(&g);
    }
    /* Paths of 3 and 100 grids; nothing connects them. */
    for (int kind = 0; kind < 2; ++kind) {
        graph_edges e = {.n = 3000};
        for (int64_t v = 0; v + 1 < e.n; ++v)
            if (kind == 0 ? v % 3 != 2 : v % 30 != 29)
                graph_add(&e, v, v + 1);
        hesca_graph g = graph_make(&e);
        parts_models m = parts_make(4, four, NULL);
        for (int engine = 0; engine < HESCA_ENGINE_COUNT; ++engine) {
            if (!hesca_engine_is_built(engine))
                continue;
            hesca_cut *cut = cut_graph(&m, &g, engine, "pieces");
            CHECK(hesca_cut_deviation(cut) <= 0.03 &&
                      hesca_cut_weight(cut) <= 30,
                  "%s: %g, cut %lld", hesca_engine_name(engine),
                  hesca_cut_deviation(cut), (long long)hesca_cut_weight(cut));
            hesca_cut_free(cut);
        }
        parts_free(&m);
        graph_free(&g);
    }
}

/* The least cut of all partitions with as many vertices in each part. */
static int64_t
least_cut(const hesca_graph *g, const hesca_cut *like)
{
    const int p = hesca_cut_parts(like);
    int part[16] = {0};
    int64_t best = INT64_MAX;
    for (;;) {
        int64_t count[PARTS_MAX] = {0}, weight = 0;
        int fits = 1;
        for (int64_t v = 0; v < g->n; ++v)
            ++count[part[v]];
        for (int i = 0; i < p; ++i)
            fits &= count[i] == hesca_cut_count(like, i);
        for (int64_t v = 0; fits && v < g->n; ++v)
            for (int64_t k = g->xadj[v]; k < g->xadj[v + 1]; ++k)
                weight +=
                    g->adjacency[k] > v && part[v] != part[g->adjacency[k]];
        if (fits && weight < best)
            best = weight;
        int64_t v = 0;
        while (v < g->n && ++part[v] == p)
            part[v++] = 0;
        if (v == g->n)
            return best;
    }
}

/* Small graphs are for the own engine. */
static void
beside_the_optimum(void)
{
    const int cases = check_cases(60);
    double sum = 0, most = 0;
    int optimal = 0;
    for (int run = 0; run < cases; ++run) {
        const int p = check_uniform(2, 3), n = check_uniform(4, 9);
        double speed[3];
        hesca_graph g = graph_any(n, check_uniform(2, 4), check_random());
        for (int i = 0; i < p; ++i)
            speed[i] = check_uniform(1, 4);
        parts_models m = parts_make(p, speed, NULL);
        hesca_cut *cut = cut_graph(&m, &g, HESCA_ENGINE_OWN, "small");
        parts_check_balance(cut, 0.03, 0, "small");
        const int64_t best = least_cut(&g, cut), found = hesca_cut_weight(cut);
        const double ratio =
            best > 0 ? (double)found / (double)best : 1 + (double)found;
        CHECK(found >= best, "%lld below %lld", (long long)found,
              (long long)best);
        optimal += found == best;
        sum += ratio;
        most = fmax(most, ratio);
        hesca_cut_free(cut);
        parts_free(&m);
        graph_free(&g);
    }
    printf("cut / least: mean %.3f, largest %.2f, optimal %d of %d\n",
           sum / cases, most, optimal, cases);
    CHECK(sum / cases <= 1.25, "%g", sum / cases);
}

/* The same parts again, whatever was drawn by rand() in between. */
static void
same_again(void)
{
    hesca_graph g = shape(2, 3000, check_random());
    parts_models m = parts_make(4, four, NULL);
    for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
        if (!hesca_engine_is_built(e))
            continue;
        hesca_cut *x = cut_graph(&m, &g, e, "first");
        srand(12345);
        rand();
        hesca_cut *y = cut_graph(&m, &g, e, "second");
        CHECK(memcmp(hesca_cut_part(x), hesca_cut_part(y),
                     (size_t)g.n * sizeof(int)) == 0,
              "%s", hesca_engine_name(e));
        hesca_cut_free(x);
        hesca_cut_free(y);
    }
    parts_free(&m);
    graph_free(&g);
}

/* Both subsets of a bipartite graph in proportion to speed. */
static void
subsets(void)
{
    for (int weighted = 0; weighted < 2; ++weighted) {
        hesca_graph g = shape(0, 6000, 0);
        int *type = malloc((size_t)g.n * sizeof *type);
        for (int64_t v = 0; v < g.n; ++v)
            type[v] = (int)((v / 100 + v % 100) % 2);
        if (weighted)
            weigh(&g, 20);
        g.vtype = type;
        parts_models m = parts_make(4, four, NULL);
        for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
            if (!hesca_engine_is_built(e) || e == HESCA_ENGINE_SCOTCH)
                continue;
            hesca_cut *cut = cut_graph(&m, &g, e, "subsets");
            CHECK(hesca_cut_deviation(cut) <= 0.03, "%s: %g",
                  hesca_engine_name(e), hesca_cut_deviation(cut));
            CHECK(hesca_cut_weight(cut) <= (weighted ? 100 * 600 : 600),
                  "%s cuts %lld", hesca_engine_name(e),
                  (long long)hesca_cut_weight(cut));
            hesca_cut_free(cut);
        }
        parts_free(&m);
        graph_free(&g);
    }
}

/* ----- bad input --------------------------------------------------------- */

static void
fails(int p, const hesca_speed *const *speed, const hesca_graph *g,
      const hesca_cut_options *how, int err, const char *text)
{
    hesca_cut *cut = (hesca_cut *)&check_state;
    CHECK(hesca_cut_graph(p, speed, g, how, &cut) == err && cut == NULL,
          "%s: no error %d", text, err);
    CHECK(strstr(hesca_error_text(), text) != NULL, "'%s' lacks '%s'",
          hesca_error_text(), text);
}

static void
bad_graphs(void)
{
    const int64_t xadj[] = {0, 2, 4, 6}, ring[] = {1, 2, 0, 2, 0, 1};
    const int64_t far[] = {1, 3, 0, 2, 0, 1}, below[] = {1, -1, 0, 2, 0, 1},
                  loop[] = {1, 0, 0, 2, 0, 1}, twice[] = {1, 1, 0, 0, 0, 1},
                  one_way[] = {1, 2, 0, 2, 0, 0};
    const int64_t down[] = {0, 2, 1, 6}, late[] = {1, 2, 4, 6};
    const int64_t minus[] = {1, -1, 1}, huge[] = {(int64_t)1 << 53, 1, 0},
                  uneven[] = {1, 2, 1, 3, 2, 4};
    const int type[] = {0, 1, 2};
    const hesca_graph good = {3, xadj, ring, NULL, NULL, NULL};
    hesca_graph g = good;
    fails(0, NULL, &good, NULL, HESCA_ERR_ARG, "argument 1, p, is 0");
    fails(2, NULL, NULL, NULL, HESCA_ERR_ARG, "argument 3, graph, is NULL");
    const hesca_speed *const none[2] = {NULL, NULL};
    fails(2, none, &good, NULL, HESCA_ERR_ARG,
          "argument 2, speed[0], is NULL");
    CHECK(hesca_cut_graph(2, NULL, &good, NULL, NULL) == HESCA_ERR_ARG,
          "NULL for the result");
    g.n = -1;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "n, is -1");
    g = good, g.xadj = NULL;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "graph->xadj, is NULL");
    g = good, g.adjacency = NULL;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "graph->adjacency, is NULL");
    g = good, g.xadj = down;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "xadj[2], is 1");
    g = good, g.xadj = late;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "xadj[0], is 1");
    const struct {
        const int64_t *adjacency;
        const char *text;
    } lists[] = {{far, "adjacency[1], is 3"},
                 {below, "adjacency[1], is -1"},
                 {loop, "vertex 0 is its own neighbour"},
                 {twice, "vertex 0 has twice the neighbour 1"},
                 {one_way, "vertex 2 has twice the neighbour 0"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        g = good, g.adjacency = lists[i].adjacency;
        fails(2, NULL, &g, NULL, HESCA_ERR_ARG, lists[i].text);
    }
    const int64_t lone[] = {0, 1, 1, 1}, to[] = {2};
    g = good, g.xadj = lone, g.adjacency = to;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG,
          "vertex 2 lacks the neighbour, which has it, 0");
    g = good, g.vwgt = minus;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "vwgt[1], is -1");
    g = good, g.vwgt = huge;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "the sum is above 2^53");
    g = good, g.adjwgt = uneven;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "equal at both ends");
    g = good, g.vtype = type;
    fails(2, NULL, &g, NULL, HESCA_ERR_ARG, "vtype[2], is 2");
}

static void
bad_options(void)
{
    static const double speed[] = {1, 2}, limit[] = {1, 1};
    static const int numbering[18] = {-1, -1, -1, -1, -1, -1, -1, -1, -1,
                                      -1, -1, -1, -1, -1, -1, -1, -1, 1};
    const int kind = 2;
    hesca_graph g = graph_grid(4, 1, 1);
    parts_models m = parts_make(2, speed, limit);
    fails(2, parts_speed(&m), &g, NULL, HESCA_ERR_ARG,
          "the limits hold 2 of 4 vertices");
    fails(2, NULL, &g, &(hesca_cut_options){.engine = 9}, HESCA_ERR_ARG,
          "engine, is 9");
    fails(2, NULL, &g, &(hesca_cut_options){.objective = 2}, HESCA_ERR_ARG,
          "objective, is 2");
    fails(2, NULL, &g, &(hesca_cut_options){.tolerance = NAN}, HESCA_ERR_ARG,
          "tolerance, is ");
    fails(2, NULL, &g, &(hesca_cut_options){.tolerance = -1}, HESCA_ERR_ARG,
          "tolerance, is -1");
    fails(2, NULL, &g, &(hesca_cut_options){.nopts = 41}, HESCA_ERR_ARG,
          "nopts, is 41");
    fails(2, NULL, &g, &(hesca_cut_options){.nopts = 1}, HESCA_ERR_ARG,
          "options, is NULL");
    fails(2, NULL, &g, &(hesca_cut_options){.nopts = 1, .options = &kind},
          HESCA_ERR_ARG, "options[0], is 2");
    fails(2, NULL, &g, &(hesca_cut_options){.nopts = 18, .options = numbering},
          HESCA_ERR_ARG, "options[17], is 1");
    for (int e = 0; e < HESCA_ENGINE_COUNT; ++e)
        if (!hesca_engine_is_built(e))
            fails(2, NULL, &g, &(hesca_cut_options){.engine = e},
                  HESCA_ERR_UNSUPPORTED, "configured without it");
    parts_free(&m);
    graph_free(&g);
}

/* Options reach METIS: k-way partitioning, its objective, and what is wrong.
 */
static void
options_of_metis(void)
{
    if (!hesca_engine_is_built(HESCA_ENGINE_METIS)) {
        printf("options_of_metis: skipped, there is no METIS\n");
        return;
    }
    hesca_graph g = shape(2, 4000, check_random());
    parts_models m = parts_make(4, four, NULL);
    int options[18];
    for (int i = 0; i < 18; ++i)
        options[i] = -1;
    for (int bad = 0; bad < 2; ++bad) {
        options[0] = 1;
        options[1] = bad ? 77 : -1;
        const hesca_cut_options how = {
            .engine = HESCA_ENGINE_METIS, .nopts = 18, .options = options};
        hesca_cut *cut;
        const int err = hesca_cut_graph(4, parts_speed(&m), &g, &how, &cut);
        if (bad)
            CHECK(err == HESCA_ERR_ARG &&
                      strstr(hesca_error_text(), "options[1], is 77") != NULL,
                  "%d: %s", err, hesca_error_text());
        else {
            CHECK(err == HESCA_SUCCESS && hesca_cut_deviation(cut) <= 0.03,
                  "%s", hesca_error_text());
            parts_check(&g, cut, "k-way");
        }
        hesca_cut_free(cut);
    }
    parts_free(&m);
    graph_free(&g);
}

/* As many components as vertices: seeds must not be looked for all over the
 * graph, or this takes hours. */
static void
without_edges(void)
{
    const int n = check_size(100000);
    static const double speed[5] = {1, 2, 3, 4, 10};
    int64_t *xadj = calloc((size_t)n + 1, sizeof *xadj);
    parts_models m = parts_make(5, speed, NULL);
    const hesca_graph g = {.n = n, .xadj = xadj};
    const hesca_cut_options how = {.engine = HESCA_ENGINE_OWN};
    hesca_cut *cut;
    CHECK(xadj != NULL, "no memory");
    const clock_t begin = clock();
    CHECK(hesca_cut_graph(5, (const hesca_speed *const *)m.model, &g, &how,
                          &cut) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    CHECK(hesca_cut_deviation(cut) <= 0.03 && hesca_cut_weight(cut) == 0, "%g",
          hesca_cut_deviation(cut));
    CHECK(seconds < 30, "%g s", seconds);
    hesca_cut_free(cut);
    parts_free(&m);
    free(xadj);
}

/* Many parts that both weights and limits bind: limits are kept, and this does
 * not look at the whole graph for each vertex that is moved, which would take
 * minutes. */
static void
many_bound_parts(void)
{
    const struct {
        int64_t rows, columns;
        int p;
    } grids[] = {{1, check_size(100000), check_size(1000)},
                 {60, 50, check_size(1500)}};
    for (int i = 0; i < 2; ++i) {
        const int p = grids[i].p;
        hesca_graph g = graph_grid(grids[i].rows, grids[i].columns, 1);
        const double limit = ceil(1.01 * (double)g.n / p);
        hesca_speed *model;
        const hesca_speed **speed = malloc((size_t)p * sizeof *speed);
        hesca_cut *cut;
        weigh(&g, 100);
        CHECK(hesca_speed_create_constant(1, limit, &model) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int k = 0; k < p; ++k)
            speed[k] = model;
        const clock_t begin = clock();
        CHECK(hesca_cut_graph(p, speed, &g, NULL, &cut) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        int64_t n = 0;
        for (int k = 0; k < p; ++k) {
            CHECK((double)hesca_cut_count(cut, k) <= limit, "part %d has %lld",
                  k, (long long)hesca_cut_count(cut, k));
            n += hesca_cut_count(cut, k);
        }
        CHECK(n == g.n && seconds < 20, "%lld vertices, %g s", (long long)n,
              seconds);
        printf(
            "%lld vertices in %d parts with limits: %.2f s, deviation %.3f\n",
            (long long)n, p, seconds, hesca_cut_deviation(cut));
        hesca_cut_free(cut);
        hesca_speed_free(model);
        free(speed);
        graph_free(&g);
    }
}

/* Weights within limits of 1 % above the mean number: exchange meets targets
 * where no vertex can move alone. */
static void
exchanged(void)
{
    const int parts[] = {7, 16};
    for (int i = 0; i < 2; ++i) {
        const int p = parts[i];
        double speed[16], limit[16];
        hesca_graph g = i == 0 ? graph_any(300, 100, check_random())
                               : graph_grid(100, 100, 1);
        weigh(&g, 100);
        for (int k = 0; k < p; ++k) {
            speed[k] = 1;
            limit[k] = ceil(1.01 * (double)g.n / p);
        }
        parts_models m = parts_make(p, speed, limit);
        for (int e = 0; e < HESCA_ENGINE_COUNT; ++e) {
            if (!hesca_engine_is_built(e))
                continue;
            hesca_cut *cut = cut_graph(&m, &g, e, "exchanged");
            CHECK(hesca_cut_deviation(cut) <= 0.03, "%s, %d parts: %g",
                  hesca_engine_name(e), p, hesca_cut_deviation(cut));
            for (int k = 0; k < p; ++k)
                CHECK((double)hesca_cut_count(cut, k) <= limit[k],
                      "part %d has %lld", k,
                      (long long)hesca_cut_count(cut, k));
            hesca_cut_free(cut);
        }
        parts_free(&m);
        graph_free(&g);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(grid_of_four),     UNIT(targets_are_met),
        UNIT(weights),          UNIT(large_weights),
        UNIT(limits_are_kept),  UNIT(two_to_one),
        UNIT(odd_graphs),       UNIT(beside_the_optimum),
        UNIT(same_again),       UNIT(subsets),
        UNIT(bad_graphs),       UNIT(bad_options),
        UNIT(options_of_metis), UNIT(without_edges),
        UNIT(many_bound_parts), UNIT(exchanged)};
    unit_begin("partition/t_graph", 20261121);
    for (int e = HESCA_ENGINE_METIS; e < HESCA_ENGINE_COUNT; ++e)
        printf("%s: %s\n", hesca_engine_name(e),
               hesca_engine_is_built(e) ? "built" : "not built, not tested");
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
