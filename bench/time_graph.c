/* SPDX-License-Identifier: BSD-3-Clause */
/* How near graphs are partitioned to targets that differ, what that cuts, and
 * how long it takes, with each engine.
 *
 * Usage: time_graph [option]...
 *
 *   time_graph --graphs grid2,power --vertices 10000 --engines metis,own
 *   time_graph --vertices 10000,100000,1000000 --csv graphs.csv
 *   time_graph --help */
#include "harness.h"
#include "hesca/experimental/cut.h"
#include "testing/graphs.h"

enum { LIST = 16, NAME_MAX = 16, PARTS_MAX = 4096 };

typedef struct {
    int64_t vertices[LIST];
    char graphs[LIST][NAME_MAX], engines[LIST][NAME_MAX],
        speeds[LIST][NAME_MAX];
    int nvertices, ngraphs, nengines, nspeeds, p, seed;
    double tolerance;
} options;

static const cmdline_row table[] = {
    OPT_NAMES("graphs", "NAME,...", "grid2, grid3, geometric, power (all)",
              graphs, ngraphs, NULL),
    OPT_LIST("vertices", "N,...", "about so many (10000,100000)", vertices,
             nvertices, 8, 100000000),
    OPT_NAMES("engines", "NAME,...", "own, metis, scotch (all that are built)",
              engines, nengines, NULL),
    OPT_NAMES("speeds", "NAME,...",
              "random: 1 ... 4; skewed: every second 8 times", speeds, nspeeds,
              NULL),
    OPT_MORE("the others; four: .5 .3 .15 .05 (all)"),
    OPT_INT("parts", "P", "of random and skewed (16)", p, 1, PARTS_MAX),
    OPT_REAL("tolerance", "X", "(0.03)", tolerance),
    OPT_INT("seed", "N", "of the random numbers (1)", seed, 0, 1 << 30),
};

/* ----- what is partitioned ----------------------------------------------- */

static int
make_graph(const char *name, int64_t n, uint64_t seed, hesca_graph *g)
{
    const int64_t side = (int64_t)(sqrt((double)n) + 0.5),
                  edge = (int64_t)(cbrt((double)n) + 0.5);
    if (strcmp(name, "grid2") == 0)
        *g = graph_grid(side, side, 1);
    else if (strcmp(name, "grid3") == 0)
        *g = graph_grid(edge, edge, edge);
    else if (strcmp(name, "geometric") == 0)
        *g = graph_geometric(n, 8, seed);
    else if (strcmp(name, "power") == 0)
        *g = graph_power_law(n, 4, seed);
    else
        return cmdline_complain("--graphs '%s': there is no such graph", name);
    return 1;
}

/* The number of parts, 0 after a complaint. */
static int
make_speeds(const options *o, const char *name, double *speed)
{
    static const double four[] = {.5, .3, .15, .05};
    uint64_t state = (uint64_t)o->seed;
    if (strcmp(name, "four") == 0) {
        memcpy(speed, four, sizeof four);
        return 4;
    }
    for (int i = 0; i < o->p; ++i)
        speed[i] = strcmp(name, "skewed") == 0
                       ? (i % 2 == 0 ? 8 : 1)
                       : 1 + 3 * (double)(graph_random(&state) >> 11) /
                                 9007199254740992.;
    if (strcmp(name, "skewed") != 0 && strcmp(name, "random") != 0)
        return cmdline_complain("--speeds '%s': must be random, skewed or "
                                "four",
                                name);
    return o->p;
}

/* ----- measurements ------------------------------------------------------ */

typedef struct {
    const char *graph, *speeds, *engine, *used;
    int p;
    int64_t n, m, cut, raw_cut, equal_cut, volume;
    double raw_deviation, deviation, seconds;
} result;

static int
find_engine(const char *name)
{
    for (int i = 0; i < HESCA_ENGINE_COUNT; ++i)
        if (strcmp(hesca_engine_name(i), name) == 0)
            return i;
    return -1;
}

/* With speeds, NULL: equal; fills r. */
static int
measure(const options *o, const hesca_graph *g, int p, const double *speed,
        int engine, result *r)
{
    const hesca_cut_options how = {.engine = engine,
                                   .tolerance = o->tolerance};
    hesca_speed *model[PARTS_MAX];
    hesca_cut *cut = NULL;
    int err = HESCA_SUCCESS, n = 0;
    for (; speed != NULL && err == HESCA_SUCCESS && n < p; ++n)
        err = hesca_speed_create_constant(speed[n], INFINITY, &model[n]);
    const double start = bench_cpu();
    if (err == HESCA_SUCCESS)
        err = hesca_cut_graph(
            p, speed != NULL ? (const hesca_speed *const *)model : NULL, g,
            &how, &cut);
    if (err == HESCA_SUCCESS) {
        *r = (result){.seconds = bench_cpu() - start,
                      .p = p,
                      .n = g->n,
                      .m = g->xadj[g->n] / 2,
                      .used = hesca_engine_name(hesca_cut_engine(cut)),
                      .cut = hesca_cut_weight(cut),
                      .raw_cut = hesca_cut_raw_weight(cut),
                      .volume = hesca_cut_volume(cut),
                      .deviation = hesca_cut_deviation(cut),
                      .raw_deviation = hesca_cut_raw_deviation(cut)};
    }
    hesca_cut_free(cut);
    while (n > 0)
        hesca_speed_free(model[--n]);
    return err == HESCA_SUCCESS || cmdline_fail("%s", hesca_error_text());
}

/* ----- results ----------------------------------------------------------- */

static void
put(fields *s, const void *row)
{
    const result *x = row;
    fields_text(s, "graph", x->graph);
    fields_real(s, "vertices", (double)x->n);
    fields_real(s, "edges", (double)x->m);
    fields_text(s, "speeds", x->speeds);
    fields_int(s, "parts", x->p);
    fields_text(s, "engine", x->engine);
    fields_text(s, "used", x->used);
    fields_real(s, "raw_deviation", x->raw_deviation);
    fields_real(s, "deviation", x->deviation);
    fields_real(s, "raw_cut", (double)x->raw_cut);
    fields_real(s, "cut", (double)x->cut);
    fields_real(s, "equal_cut", (double)x->equal_cut);
    fields_real(s, "volume", (double)x->volume);
    fields_real(s, "seconds", x->seconds);
}

static void
print_result(FILE *f, const result *x)
{
    fprintf(f,
            "%-9s %8lld %8lld  %-6s %4d %-6s %8.2f %8.2f %9lld %9lld %6.3f "
            "%8.2f\n",
            x->graph, (long long)x->n, (long long)x->m, x->speeds, x->p,
            x->engine, 100 * x->raw_deviation, 100 * x->deviation,
            (long long)x->raw_cut, (long long)x->cut,
            x->equal_cut > 0 ? (double)x->cut / (double)x->equal_cut : 0,
            x->seconds);
}

static int
run_graph(const options *o, fields_files *out, const char *name,
          const hesca_graph *g)
{
    for (int s = 0; s < o->nspeeds; ++s) {
        double speed[PARTS_MAX];
        const int p = make_speeds(o, o->speeds[s], speed);
        if (p == 0)
            return 0;
        for (int e = 0; e < o->nengines; ++e) {
            const int engine = find_engine(o->engines[e]);
            result r, equal;
            if (engine < 0)
                return cmdline_complain("--engines '%s': there is no such "
                                        "engine",
                                        o->engines[e]);
            if (!measure(o, g, p, NULL, engine, &equal) ||
                !measure(o, g, p, speed, engine, &r))
                return 0;
            r.equal_cut = equal.cut;
            r.graph = name;
            r.speeds = o->speeds[s];
            r.engine = o->engines[e];
            print_result(out->table, &r);
            bench_row(out, &r);
        }
    }
    return 1;
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    fprintf(
        out->table,
        "graph     vertices    edges  speeds   parts       raw %%       %% "
        "  raw cut       cut /equal  seconds\n");
    for (int i = 0; i < o->ngraphs; ++i)
        for (int j = 0; j < o->nvertices; ++j) {
            hesca_graph g;
            if (!make_graph(o->graphs[i], o->vertices[j], (uint64_t)o->seed,
                            &g))
                return 2;
            const int ok = run_graph(o, out, o->graphs[i], &g);
            graph_free(&g);
            if (!ok)
                return 2;
        }
    return 0;
}

int
main(int argc, char **argv)
{
    static options o = {.vertices = {10000, 100000},
                        .nvertices = 2,
                        .graphs = {"grid2", "grid3", "geometric", "power"},
                        .ngraphs = 4,
                        .speeds = {"random", "skewed", "four"},
                        .nspeeds = 3,
                        .p = 16,
                        .tolerance = 0.03,
                        .seed = 1};
    static const bench_program b = {
        .name = "time_graph",
        .about =
            "Usage: time_graph [option]...\n"
            "Partition graphs in parts of unequal targets, and print the "
            "largest "
            "deviation of a\npart from its target, before parts were balanced "
            "and after, the cut, and that of\nas many equal parts.\n\n",
        .notes = "\nTimes are of one processor.\n\nExit status: 0, or 2 if it "
                 "cannot "
                 "be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    for (int i = HESCA_ENGINE_OWN; i < HESCA_ENGINE_COUNT; ++i)
        if (hesca_engine_is_built(i))
            strcpy(o.engines[o.nengines++], hesca_engine_name(i));
    return bench_main(&b, argc, argv);
}
