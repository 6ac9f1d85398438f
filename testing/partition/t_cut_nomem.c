/* SPDX-License-Identifier: BSD-3-Clause */
/* No memory: whichever allocation of HESCA fails, cuts return that error
 * and free all.  Leaks are found by the address sanitizer.  METIS and SCOTCH
 * are shared libraries, whose own allocations do not fail here. */
#include "hdpi.h"
#include "testing/nomem.h"
#include "testing/partition/parts.h"

static hesca_graph grid, path;
static hesca_hypergraph hyper;
static parts_models models, bound;
static int64_t weight[300];
static const double speed[] = {5, 2, 1}, alike[] = {1, 1, 1},
                    limit[] = {100, 100, 100};
static int xadj[301], adjacency[1200], vp[300];

typedef struct {
    const char *name;
    int kind, engine;
} job;

enum { GRAPH, HYPERGRAPH, TREE, TREE_ALIKE, BOUND, HDPI_GRAPH, HDPI_TREE };

static int
run_hdpi(const job *j)
{
    int cut;
    const int n = (int)grid.n, m = (int)grid.xadj[n] / 2;
    const int status =
        j->kind == HDPI_GRAPH
            ? Partition_graph(3, 1, speed, NULL, NULL, n, m, NULL, xadj,
                              adjacency, NULL, 0, NULL, vp, &cut)
            : Partition_tree(3, 1, speed, NULL, NULL, 0, 0, NULL, NULL, NULL,
                             NULL, NULL, &cut);
    return status == 0                                      ? HESCA_SUCCESS
           : strstr(hesca_error_text(), "argument") == NULL ? HESCA_ERR_NOMEM
                                                            : HESCA_ERR_ARG;
}

static int
run(const job *j)
{
    const hesca_cut_options how = {.engine = j->engine};
    const hesca_speed *const *s = parts_speed(&models);
    hesca_cut *cut = (hesca_cut *)&check_state;
    int err;
    if (j->kind == HDPI_GRAPH || j->kind == HDPI_TREE)
        return run_hdpi(j);
    if (j->kind == GRAPH)
        err = hesca_cut_graph(3, s, &grid, &how, &cut);
    else if (j->kind == BOUND) {
        hesca_graph g = grid;
        g.vwgt = weight;
        err = hesca_cut_graph(3, parts_speed(&bound), &g, &how, &cut);
    } else if (j->kind == HYPERGRAPH)
        err = hesca_cut_hypergraph(3, s, &hyper, &how, &cut);
    else
        err = hesca_cut_tree(3, j->kind == TREE ? s : NULL, &path, &cut);
    CHECK((err == HESCA_SUCCESS) == (cut != NULL), "%s: %d", j->name, err);
    hesca_cut_free(cut);
    return err;
}

static void
every_allocation(void)
{
    const job jobs[] = {{"graph, own", GRAPH, HESCA_ENGINE_OWN},
                        {"graph, metis", GRAPH, HESCA_ENGINE_METIS},
                        {"graph, scotch", GRAPH, HESCA_ENGINE_SCOTCH},
                        {"hypergraph", HYPERGRAPH, HESCA_ENGINE_OWN},
                        {"tree", TREE, 0},
                        {"tree, alike", TREE_ALIKE, 0},
                        {"weights and limits", BOUND, HESCA_ENGINE_AUTO},
                        {"Partition_graph", HDPI_GRAPH, 0},
                        {"Partition_tree", HDPI_TREE, 0}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; ++i) {
        const job *j = &jobs[i];
        int err = HESCA_ERR_NOMEM;
        long n = 0;
        if (!hesca_engine_is_built(j->engine))
            continue;
        for (; err == HESCA_ERR_NOMEM && n < 10000; ++n) {
            nomem_left = n;
            err = run(j);
            nomem_left = -1;
            CHECK(err == HESCA_SUCCESS || err == HESCA_ERR_NOMEM, "%s: %s",
                  j->name, hesca_error_text());
        }
        CHECK(err == HESCA_SUCCESS && n > 5, "%s: %ld allocations", j->name,
              n);
        printf("%s: %ld allocations\n", j->name, n - 1);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(every_allocation)};
    unit_begin("partition/t_cut_nomem", 20261125);
    grid = graph_grid(20, 15, 1);
    path = graph_grid(40, 1, 1);
    hyper = (hesca_hypergraph){.n = grid.n,
                               .nedges = grid.n,
                               .hptr = grid.xadj,
                               .hind = grid.adjacency};
    models = parts_make(3, speed, NULL);
    bound = parts_make(3, alike, limit);
    for (int v = 0; v < 300; ++v)
        weight[v] = 1 + v * v % 97;
    for (int64_t v = 0; v <= grid.n; ++v)
        xadj[v] = (int)grid.xadj[v];
    for (int64_t k = 0; k < grid.xadj[grid.n]; ++k)
        adjacency[k] = (int)grid.adjacency[k];
    const int status = unit_end(cmocka_run_group_tests(tests, NULL, NULL));
    parts_free(&models);
    parts_free(&bound);
    graph_free(&grid);
    graph_free(&path);
    return status;
}
