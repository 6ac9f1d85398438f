/* SPDX-License-Identifier: BSD-3-Clause */
/* 12. A mesh for processors that differ in speed: parts in proportion to it,
 * and few edges between them, beside strips of rows, which need no library.
 *
 *   cc 12_mesh.c -o 12_mesh $(pkg-config --cflags --libs hesca)
 *   ./12_mesh */
#include <hesca/experimental/cut.h>
#include <math.h>
#include <stdio.h>

enum { P = 4, SIDE = 60, N = SIDE * SIDE };
static const double speed[P] = {4, 3, 2, 1};

/* A square lattice; vertex number: v = row SIDE + column. */
static hesca_graph
lattice(void)
{
    static int64_t xadj[N + 1], adjacency[4 * N];
    int64_t n = 0;
    for (int v = 0; v < N; ++v) {
        const int row = v / SIDE, column = v % SIDE;
        if (row > 0)
            adjacency[n++] = v - SIDE;
        if (row < SIDE - 1)
            adjacency[n++] = v + SIDE;
        if (column > 0)
            adjacency[n++] = v - 1;
        if (column < SIDE - 1)
            adjacency[n++] = v + 1;
        xadj[v + 1] = n;
    }
    return (hesca_graph){.n = N, .xadj = xadj, .adjacency = adjacency};
}

int
main(void)
{
    const hesca_graph mesh = lattice();
    hesca_speed *model[P] = {NULL};
    hesca_cut *cut = NULL;
    int err = 0;
    for (int i = 0; i < P && err == 0; ++i)
        err = hesca_speed_create_constant(speed[i], INFINITY, &model[i]);
    if (err == 0)
        err = hesca_cut_graph(P, (const hesca_speed *const *)model, &mesh,
                              NULL, &cut);
    if (err < 0)
        fprintf(stderr, "%s\n", hesca_error_text());
    for (int i = 0; i < P && err == 0; ++i)
        printf("processor %d: %4lld vertices, %.0f wanted\n", i,
               (long long)hesca_cut_count(cut, i), hesca_cut_target(cut, i));
    if (err == 0)
        printf("%s cuts %lld edges, strips of rows %d; at most %.1f %% from "
               "what was wanted\n",
               hesca_engine_name(hesca_cut_engine(cut)),
               (long long)hesca_cut_edges(cut), (P - 1) * SIDE,
               100 * hesca_cut_deviation(cut));
    hesca_cut_free(cut);
    for (int i = 0; i < P; ++i)
        hesca_speed_free(model[i]);
    return err < 0;
}
