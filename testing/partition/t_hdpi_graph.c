/* SPDX-License-Identifier: BSD-3-Clause */
/* HDPI's functions of graphs and trees: results as documented, and errors that
 * name the argument. */
#include "hdpi.h"
#include "testing/partition/parts.h"

enum { ROWS = 40, COLUMNS = 30, N = ROWS * COLUMNS, M = 2330 };

static const double four[] = {.50, .30, .15, .05};
static int xadj[N + 1], adjacency[2 * M], colour[N];

/* A grid, in ints; it is bipartite. */
static void
make_grid(void)
{
    int k = 0;
    for (int v = 0; v < N; ++v) {
        const int i = v / COLUMNS, j = v % COLUMNS;
        xadj[v] = k;
        colour[v] = (i + j) % 2;
        if (i > 0)
            adjacency[k++] = v - COLUMNS;
        if (j > 0)
            adjacency[k++] = v - 1;
        if (j + 1 < COLUMNS)
            adjacency[k++] = v + 1;
        if (i + 1 < ROWS)
            adjacency[k++] = v + COLUMNS;
    }
    xadj[N] = k;
    CHECK(k == 2 * M, "%d", k);
}

static int
cut_of(const int *vp, const int *adjwgt)
{
    int cut = 0;
    for (int v = 0; v < N; ++v)
        for (int k = xadj[v]; k < xadj[v + 1]; ++k)
            if (adjacency[k] > v && vp[adjacency[k]] != vp[v])
                cut += adjwgt != NULL ? adjwgt[k] : 1;
    return cut;
}

/* Parts hold their share of what vertices of a subset (-1: all) weigh. */
static void
check_parts(const int *vp, const int *vwgt, int subset, const double *share,
            const char *what)
{
    double load[4] = {0}, all = 0, heavy = 1;
    for (int v = 0; v < N; ++v) {
        const double w = vwgt != NULL ? vwgt[v] : 1;
        CHECK(vp[v] >= 0 && vp[v] < 4, "%s: vp[%d] is %d", what, v, vp[v]);
        if (subset >= 0 && colour[v] != subset)
            continue;
        load[vp[v]] += w;
        all += w;
        heavy = fmax(heavy, w);
    }
    for (int i = 0; i < 4; ++i)
        CHECK(fabs(load[i] - all * share[i]) <=
                  fmax(0.03 * all * share[i], heavy) + 1,
              "%s: part %d has %g of %g", what, i, load[i], all);
}

static void
graphs(void)
{
    static const double equal[] = {.25, .25, .25, .25};
    int vp[N], edgecut = -1, vwgt[N], adjwgt[2 * M];
    for (int v = 0; v < N; ++v) {
        vwgt[v] = check_uniform(1, 9);
        for (int k = xadj[v]; k < xadj[v + 1]; ++k)
            adjwgt[k] = 1 + (v + adjacency[k]) % 5;
    }
    for (int run = 0; run < 8; ++run) {
        const int *vw = (run & 1) != 0 ? vwgt : NULL,
                  *ew = (run & 2) != 0 ? adjwgt : NULL;
        const double *speeds = (run & 4) != 0 ? four : NULL;
        CHECK(Partition_graph(4, 1, speeds, NULL, NULL, N, M, vw, xadj,
                              adjacency, ew, 0, NULL, vp, &edgecut) == 0,
              "%s", hesca_error_text());
        CHECK(edgecut == cut_of(vp, ew), "%d, not %d", edgecut,
              cut_of(vp, ew));
        check_parts(vp, vw, -1, speeds != NULL ? four : equal, "graph");
    }
    const int limits[] = {N, N, 100, 0};
    CHECK(Partition_graph(4, 1, four, NULL, limits, N, M, NULL, xadj,
                          adjacency, NULL, 0, NULL, vp, &edgecut) == 0,
          "%s", hesca_error_text());
    int count[4] = {0};
    for (int v = 0; v < N; ++v)
        ++count[vp[v]];
    CHECK(count[2] <= 100 && count[3] == 0, "%d, %d", count[2], count[3]);
    CHECK(Partition_graph(3, 1, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL,
                          0, NULL, NULL, &edgecut) == 0 &&
              edgecut == 0,
          "no vertices: %s", hesca_error_text());
}

/* Speed functions: at 1200 elements the second processor is slow. */
static void
speed_functions(void)
{
    const double speeds[] = {10, 10, 10, 1};
    const int psizes[] = {100, 2000, 100, 500};
    int vp[N], edgecut, n = 0;
    CHECK(Partition_graph(2, 2, speeds, psizes, NULL, N, M, NULL, xadj,
                          adjacency, NULL, 0, NULL, vp, &edgecut) == 0,
          "%s", hesca_error_text());
    for (int v = 0; v < N; ++v)
        n += vp[v];
    /* x / s(x) of the second is 300 / 5.5 = 54, that of the first 90. */
    int np[2];
    CHECK(n > 300 && n < 450, "%d", n);
    double a = 100, b = 1200; /* (1200 - x) / 10 = x / s(x) */
    while (b - a > 1e-6) {
        const double x = (a + b) / 2,
                     s = x < 500 ? 10 - 9 * (x - 100) / 400 : 1;
        if (x / s < (1200 - x) / 10)
            a = x;
        else
            b = x;
    }
    np[0] = (int)a;
    CHECK(fabs(n - a) <= 0.03 * a + 1, "%d, optimum %d", n, np[0]);
}

static void
bipartite_graphs(void)
{
    int vp[N], edgecut, vwgt[N];
    for (int v = 0; v < N; ++v)
        vwgt[v] = 1 + colour[v] * check_uniform(0, 6);
    for (int run = 0; run < 4; ++run) {
        const int *vw = (run & 1) != 0 ? vwgt : NULL;
        const int type = (run & 2) != 0 ? PARTITION_OTHER : PARTITION_SUBSET;
        CHECK(Partition_bipartite_graph(4, 1, four, NULL, NULL, N, M, colour,
                                        vw, xadj, adjacency, NULL, type, 0,
                                        NULL, vp, &edgecut) == 0,
              "%s", hesca_error_text());
        CHECK(edgecut == cut_of(vp, NULL), "%d", edgecut);
        check_parts(vp, vw, -1, four, "bipartite");
        for (int c = 0; type == PARTITION_SUBSET && c < 2; ++c)
            check_parts(vp, vw, c, four, "subset");
    }
}

static void
hypergraphs(void)
{
    /* The rows and the columns of the grid. */
    static int hptr[ROWS + COLUMNS + 1], hind[2 * N];
    int hwgt[ROWS + COLUMNS], vp[N], edgecut, k = 0;
    for (int e = 0; e < ROWS + COLUMNS; ++e) {
        hptr[e] = k;
        hwgt[e] = e < ROWS ? 3 : 1;
        for (int v = 0; v < N; ++v)
            if (e < ROWS ? v / COLUMNS == e : v % COLUMNS == e - ROWS)
                hind[k++] = v;
    }
    hptr[ROWS + COLUMNS] = k;
    for (int weighted = 0; weighted < 2; ++weighted) {
        int cut = 0;
        CHECK(Partition_hypergraph(4, 1, four, NULL, NULL, N, ROWS + COLUMNS,
                                   NULL, hptr, hind, weighted ? hwgt : NULL, 0,
                                   NULL, vp, &edgecut) == 0,
              "%s", hesca_error_text());
        check_parts(vp, NULL, -1, four, "hypergraph");
        for (int e = 0; e < ROWS + COLUMNS; ++e) {
            int is_cut = 0;
            for (int i = hptr[e]; i < hptr[e + 1]; ++i)
                is_cut |= vp[hind[i]] != vp[hind[hptr[e]]];
            cut += is_cut * (weighted ? hwgt[e] : 1);
        }
        CHECK(edgecut == cut, "%d, not %d", edgecut, cut);
    }
}

/* A path, of which each edge is listed once; and a star. */
static void
trees(void)
{
    const int path[] = {0, 1, 2, 3, 4, 5, 5}, next[] = {1, 2, 3, 4, 5},
              star[] = {0, 5, 5, 5, 5, 5, 5}, weights[] = {1, 1, 4, 1, 1, 1},
              edges[] = {7, 8, 9, 10, 11};
    const double speeds[] = {1, 2};
    int vp[6], edgecut;
    CHECK(Partition_tree(2, 1, speeds, NULL, NULL, 6, 5, NULL, path, next,
                         edges, vp, &edgecut) == 0,
          "%s", hesca_error_text());
    int slow = 0;
    for (int v = 0; v < 6; ++v)
        slow += vp[v] == 0;
    CHECK(slow == 2 && (edgecut == 8 || edgecut == 10), "%d, cut %d", slow,
          edgecut);
    CHECK(Partition_tree(2, 1, speeds, NULL, NULL, 6, 5, weights, path, next,
                         NULL, vp, &edgecut) == 0,
          "%s", hesca_error_text());
    int load = 0;
    for (int v = 0; v < 6; ++v)
        load += vp[v] == 0 ? weights[v] : 0;
    CHECK((load == 3 || load == 2) && edgecut == 1, "%d, cut %d", load,
          edgecut);
    CHECK(Partition_tree(6, 1, NULL, NULL, NULL, 6, 5, NULL, star, next, NULL,
                         vp, &edgecut) == 0 &&
              edgecut == 5,
          "%d", edgecut);
}

/* ----- bad input --------------------------------------------------------- */

#define FAILS(call, text)                                                     \
    do {                                                                      \
        CHECK((call) == -1, "%s: no failure", #call);                         \
        CHECK(strstr(hesca_error_text(), text) != NULL, "'%s' lacks '%s'",    \
              hesca_error_text(), text);                                      \
        CHECK(vp[0] == -7 && cut == -7, "%s: something was written", #call);  \
    } while (0)

static void
bad_input(void)
{
    const int x[] = {0, 1, 2}, far[] = {1, 2}, y[] = {1, 0}, type[] = {0, 1},
              same[] = {1, 1}, minus[] = {1, -1}, h[] = {0, 2, 3},
              pins[] = {0, 1, 1}, limits[] = {1, 0}, option[] = {5};
    const double bad_speed[] = {1, -1};
    int vp[2] = {-7, -7}, cut = -7;
    FAILS(Partition_graph(0, 1, NULL, NULL, NULL, 2, 1, NULL, x, y, NULL, 0,
                          NULL, vp, &cut),
          "Partition_graph: argument 1, p, is 0");
    FAILS(Partition_graph(2, 1, bad_speed, NULL, NULL, 2, 1, NULL, x, y, NULL,
                          0, NULL, vp, &cut),
          "Partition_graph: argument 3, speeds[1][0], is -1");
    FAILS(Partition_graph(2, 1, NULL, NULL, limits, 2, 1, NULL, x, y, NULL, 0,
                          NULL, vp, &cut),
          "the limits hold 1 of 2 vertices");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, -2, 1, NULL, x, y, NULL, 0,
                          NULL, vp, &cut),
          "argument 6, n, is -2");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 2, NULL, x, y, NULL, 0,
                          NULL, vp, &cut),
          "argument 7, m, is 2");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, minus, x, y, NULL, 0,
                          NULL, vp, &cut),
          "argument 8, vwgt[1], is -1");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, NULL, y, NULL, 0,
                          NULL, vp, &cut),
          "argument 9, xadj, is NULL");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, x, far, NULL, 0,
                          NULL, vp, &cut),
          "argument 10, adjacency[1], is 2");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, x, y, minus, 0,
                          NULL, vp, &cut),
          "argument 11, adjwgt[1], is -1");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, x, y, NULL, -1,
                          NULL, vp, &cut),
          "argument 12, nopts, is -1");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, x, y, NULL, 1,
                          option, vp, &cut),
          "options[0], is 5");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, x, y, NULL, 1,
                          NULL, vp, &cut),
          "argument 13, options, is NULL");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, x, y, NULL, 0,
                          NULL, NULL, &cut),
          "argument 14, vp, is NULL");
    FAILS(Partition_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, x, y, NULL, 0,
                          NULL, vp, NULL),
          "argument 15, edgecut, is NULL");
    FAILS(Partition_bipartite_graph(2, 1, NULL, NULL, NULL, 2, 1, NULL, NULL,
                                    x, y, NULL, PARTITION_SUBSET, 0, NULL, vp,
                                    &cut),
          "argument 8, vtype, is NULL");
    FAILS(Partition_bipartite_graph(2, 1, NULL, NULL, NULL, 2, 1, minus, NULL,
                                    x, y, NULL, PARTITION_SUBSET, 0, NULL, vp,
                                    &cut),
          "argument 8, vtype[1], is -1");
    FAILS(Partition_bipartite_graph(2, 1, NULL, NULL, NULL, 2, 1, same, NULL,
                                    x, y, NULL, PARTITION_OTHER, 0, NULL, vp,
                                    &cut),
          "both of subset 1");
    FAILS(Partition_bipartite_graph(2, 1, NULL, NULL, NULL, 2, 1, type, NULL,
                                    x, y, NULL, 7, 0, NULL, vp, &cut),
          "argument 13, type_of_partitioning, is 7");
    FAILS(Partition_hypergraph(2, 1, NULL, NULL, NULL, 2, -1, NULL, h, pins,
                               NULL, 0, NULL, vp, &cut),
          "argument 7, nedges, is -1");
    FAILS(Partition_hypergraph(2, 1, NULL, NULL, NULL, 2, 2, NULL, h, NULL,
                               NULL, 0, NULL, vp, &cut),
          "argument 10, hind, is NULL");
    FAILS(Partition_hypergraph(2, 1, NULL, NULL, NULL, 2, 2, NULL, h, pins,
                               minus, 0, NULL, vp, &cut),
          "argument 11, hwgt[1], is -1");
    FAILS(Partition_tree(2, 1, NULL, NULL, NULL, 2, 2, NULL, x, y, NULL, vp,
                         &cut),
          "argument 7, nedges, is 2");
    FAILS(Partition_tree(2, 1, NULL, NULL, NULL, 2, 1, minus, x, y, NULL, vp,
                         &cut),
          "argument 8, nwgt[1], is -1");
}

/* A weight that no int holds is an error, not a wrong number. */
static void
large_cut(void)
{
    const int x[] = {0, 2, 4, 6}, y[] = {1, 2, 0, 2, 0, 1},
              w[] = {2147483647, 2147483647, 2147483647,
                     2147483647, 2147483647, 2147483647};
    int vp[3] = {-7, -7, -7}, cut = -7;
    FAILS(Partition_graph(3, 1, NULL, NULL, NULL, 3, 3, NULL, x, y, w, 0, NULL,
                          vp, &cut),
          "which no int holds");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(graphs),      UNIT(speed_functions), UNIT(bipartite_graphs),
        UNIT(hypergraphs), UNIT(trees),           UNIT(bad_input),
        UNIT(large_cut)};
    unit_begin("partition/t_hdpi_graph", 20261124);
    make_grid();
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
