/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement in the BLACS' grids: contexts, process numbers and
 * coordinates fit together on all processes, each place is taken once, process
 * 0 stays at (0,0), and the processes are as HESCA_PLACEMENT says: as good as
 * the best of all placements, or the fastest; in order where nothing is to be
 * placed.  Products and copies of matrices on placed grids are right.
 *
 * With an argument: a grid of more places than there are processes. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "hesca/experimental/param.h"
#include "testing/shim/placing.h"

void blacs_get_(const int *ictxt, const int *what, int *val);
void blacs_gridinit_(int *ictxt, const char *order, const int *nprow,
                     const int *npcol, size_t len);
void sl_init_(int *ictxt, const int *nprow, const int *npcol);
void pdgemm_(const char *, const char *, const int *, const int *, const int *,
             const double *, const double *, const int *, const int *,
             const int *, const double *, const int *, const int *,
             const int *, const double *, double *, const int *, const int *,
             const int *);

/* ------------------------------------------------ cases */

static void
all_shapes(void)
{
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "auto");
    int unlike = 0;
    for (int p = 1; p <= size; ++p)
        for (int q = 1; p * q <= size; ++q)
            for (int c = 0; c < 2; ++c) {
                grid_made g =
                    make_grid(comm, c ? "Column" : "r", p, q, "shapes");
                is_best(&g, size, all, c ? "by columns" : "by rows");
                unlike += !is_in_order(&g, c);
                drop(&g);
            }
    CHECK(unlike > 0, "nothing was placed with %d processes", size);
    release(&comm);
}

/* The fastest first; then by number.  Speeds are of hosts with a core for all,
 * divided among their processes. */
static double
speed_of(int r)
{
    int n = 0;
    for (int k = 0; k < size; ++k)
        n += host_of(k) == host_of(r);
    return unequal[host_of(r)] / n;
}

static void
by_speed(void)
{
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "speed");
    const int nprow = size >= 6 ? 2 : 1, npcol = size / nprow / 2 + 1;
    grid_made g = make_grid(comm, "R", nprow, npcol, "speed");
    for (int k = 1; k + 1 < nprow * npcol; ++k) {
        const double d = speed_of(g.process[k]) - speed_of(g.process[k + 1]);
        CHECK(d > 0 || (d == 0 && g.process[k] < g.process[k + 1]),
              "speed: %d before %d", g.process[k], g.process[k + 1]);
    }
    CHECK(g.process[0] == 0, "speed: %d at (0,0)", g.process[0]);
    /* No process outside is faster than one inside, except process 0. */
    for (int r = 1; r < size; ++r) {
        int inside = 0;
        for (int k = 0; k < nprow * npcol; ++k)
            inside |= g.process[k] == r;
        for (int k = 1; k < nprow * npcol && !inside; ++k)
            CHECK(speed_of(g.process[k]) >= speed_of(r),
                  "speed: %d sits, the faster %d does not", g.process[k], r);
    }
    drop(&g);
    release(&comm);
}

static void
nothing_to_place(void)
{
    in_order("off", "HESCA_PLACEMENT is off");
    write_machine("node", equal, "");
    in_order("auto", "its hosts are equal");
    write_machine("stranger", unequal, "");
    in_order("auto", "not among the 8 hosts");
    in_order("off", "HESCA_PLACEMENT is off");
    write_machine("node", unequal, "memory 1MB");
    in_order("auto", "memory");
    in_order("speed", "memory");
    unsetenv("HESCA_MACHINE");
    in_order("auto", "no machine is known");
    in_order("speed", "no machine is known");
    setenv("HESCA_MACHINE", machine_path, 1);
    write_machine("node", unequal, "");
}

/* HESCA_DISABLE leaves all to the BLACS. */
static void
disabled(const char *names, const char *placement, int map)
{
    int back[MOST];
    setenv("HESCA_DISABLE", names, 1);
    MPI_Comm comm = fresh(MPI_COMM_WORLD, placement);
    for (int k = 0; k < size; ++k)
        back[k] = size - 1 - k;
    grid_made g = map ? make_map(comm, back, 1, size, names)
                      : make_grid(comm, "R", 1, size, names);
    for (int k = 0; k < size; ++k)
        CHECK(g.process[k] == (map ? back[k] : k),
              "HESCA_DISABLE=%s: %d at %d", names, g.process[k], k);
    drop(&g);
    release(&comm);
    unsetenv("HESCA_DISABLE");
}

/* A communicator of some processes, in another order. */
static void
part_of_the_world(void)
{
    MPI_Comm part, comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    int n, me;
    MPI_Comm_size(part, &n);
    MPI_Comm_rank(part, &me);
    setenv("HESCA_NODE_SIZE", "1", 1); /* ranks of hosts as in the world's */
    comm = fresh(part, "auto");
    for (int q = 1; q <= n; ++q) {
        grid_made g = make_grid(comm, "R", 1, q, "part");
        is_best(&g, n, all, "part");
        drop(&g);
    }
    release(&comm);
    MPI_Comm_free(&part);
}

/* Several contexts at once, by C and by Fortran, and SL_INIT. */
static void
several(void)
{
    const int one = 1, minus = -1, zero = 0, half = size - 1;
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "auto");
    grid_made a = make_grid(comm, "R", 1, size, "first");
    grid_made b = make_grid(comm, "C", half, 1, "second");
    setenv("HESCA_PLACEMENT", "auto", 1);
    grid_made f = {.comm = MPI_COMM_WORLD, .nprow = 1, .npcol = half};
    blacs_get_(&minus, &zero, &f.ictxt);
    blacs_gridinit_(&f.ictxt, "Row", &one, &half, 3);
    look(&f, "Fortran");
    is_best(&f, size, all, "Fortran");
    grid_made s = {.comm = MPI_COMM_WORLD, .nprow = 1, .npcol = half};
    sl_init_(&s.ictxt, &one, &half);
    look(&s, "SL_INIT");
    is_best(&s, size, all, "SL_INIT");
    CHECK(memcmp(s.process, f.process, sizeof(int) * (size_t)half) == 0,
          "SL_INIT: not as BLACS_GRIDINIT");
    look(&a, "first again");
    look(&b, "second again");
    is_best(&a, size, all, "first");
    is_best(&b, size, all, "second");
    if (f.ictxt >= 0)
        Cblacs_gridexit(f.ictxt);
    if (s.ictxt >= 0)
        Cblacs_gridexit(s.ictxt);
    drop(&a);
    drop(&b);
    release(&comm);
}

/* Maps stay, or are exchanged within themselves where asked. */
static void
maps(void)
{
    int back[MOST];
    for (int k = 0; k < size; ++k)
        back[k] = size - 1 - k;
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "auto");
    grid_made g = make_map(comm, back, 1, size - 1, "map");
    CHECK(memcmp(g.process, back, sizeof(int) * (size_t)(size - 1)) == 0,
          "map: changed, %d at place 0", g.process[0]);
    drop(&g);
    release(&comm);
    comm = fresh(MPI_COMM_WORLD, "auto+gridmap");
    for (int n = 1; n <= size; ++n) {
        g = make_map(comm, back, n % 2 ? 1 : 2, n % 2 ? n : n / 2, "+gridmap");
        is_best(&g, n, back, "+gridmap");
        for (int k = 0; k < n; ++k)
            CHECK(g.process[k] >= size - n, "+gridmap: %d of %d is new",
                  g.process[k], n);
        drop(&g);
    }
    release(&comm);
}

/* Two grids of different processes made in one call; of one place the BLACS
 * never look at ldmap. */
static void
maps_apart(int cut)
{
    const int low = rank < cut;
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "auto+gridmap"), mine;
    const int n = low ? cut : size - cut;
    int map[MOST], ictxt = Csys2blacs_handle(comm);
    for (int k = 0; k < n; ++k)
        map[k] = low ? k : cut + k;
    Cblacs_gridmap(&ictxt, map, n > 1, 1, n);
    int nprow, npcol, prow, pcol, place[MOST];
    Cblacs_gridinfo(ictxt, &nprow, &npcol, &prow, &pcol);
    MPI_Comm_split(MPI_COMM_WORLD, low, rank, &mine);
    MPI_Allgather(&pcol, 1, MPI_INT, place, 1, MPI_INT, mine);
    grid_made g = {.nprow = 1, .npcol = n};
    unsigned seen = 0;
    for (int k = 0; k < n; ++k) {
        seen |= 1u << place[k];
        g.process[place[k]] = map[k];
    }
    CHECK(nprow == 1 && npcol == n && seen == (1u << n) - 1,
          "two maps: 1 x %d, places %x", npcol, seen);
    is_best(&g, n, map, "two maps");
    Cblacs_gridexit(ictxt);
    release(&comm);
    MPI_Comm_free(&mine);
}

/* ------------------------------------------------ matrices */

enum { N = 37, NB = 4, LOCAL = N * N };

typedef struct {
    int desc[9], locr, locc, nprow, npcol, prow, pcol;
    double x[LOCAL];
} matrix;

static double
value(int i, int j, int salt)
{
    return ((i * 31 + j * 17 + salt * 7) % 23 - 11) / 8.0;
}

static void
matrix_make(matrix *a, int ictxt, int salt)
{
    const int n = N, nb = NB, zero = 0;
    const int desc[9] = {1, ictxt, N, N, NB, NB, 0, 0, N};
    memcpy(a->desc, desc, sizeof desc);
    a->locr = a->locc = 0;
    if (ictxt < 0)
        return;
    Cblacs_gridinfo(ictxt, &a->nprow, &a->npcol, &a->prow, &a->pcol);
    a->locr = numroc_(&n, &nb, &a->prow, &zero, &a->nprow);
    a->locc = numroc_(&n, &nb, &a->pcol, &zero, &a->npcol);
    for (int j = 0; j < a->locc; ++j)
        for (int i = 0; i < a->locr; ++i)
            a->x[j * N + i] =
                value((i / NB * a->nprow + a->prow) * NB + i % NB,
                      (j / NB * a->npcol + a->pcol) * NB + j % NB, salt);
}

/* All of a matrix on all processes. */
static void
matrix_gather(const matrix *a, double *full)
{
    static double mine[LOCAL];
    memset(mine, 0, sizeof mine);
    for (int j = 0; j < a->locc; ++j)
        for (int i = 0; i < a->locr; ++i)
            mine[((j / NB * a->npcol + a->pcol) * NB + j % NB) * N +
                 (i / NB * a->nprow + a->prow) * NB + i % NB] =
                a->x[j * N + i];
    MPI_Allreduce(mine, full, LOCAL, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void
product(const grid_made *g, double *full)
{
    static matrix a, b, c;
    const int n = N, one = 1;
    const double alpha = 1, beta = 0;
    matrix_make(&a, g->ictxt, 1);
    matrix_make(&b, g->ictxt, 2);
    matrix_make(&c, g->ictxt, 3);
    if (g->ictxt >= 0)
        pdgemm_("N", "T", &n, &n, &n, &alpha, a.x, &one, &one, a.desc, b.x,
                &one, &one, b.desc, &beta, c.x, &one, &one, c.desc);
    matrix_gather(&c, full);
}

/* The same product on a placed grid and on one in order, and as it must be. */
static void
products(void)
{
    static double placed[LOCAL], ordered[LOCAL];
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "auto");
    MPI_Comm off = fresh(MPI_COMM_WORLD, "off");
    const int nprow = size > 3 ? 2 : 1, npcol = (size - 1) / nprow;
    hesca_params params;
    hesca_params_agreed(off, &params);
    setenv("HESCA_PLACEMENT", "auto", 1);
    grid_made g = make_grid(comm, "R", nprow, npcol, "product");
    grid_made h = make_grid(off, "R", nprow, npcol, "product, off");
    CHECK(is_in_order(&h, 0) && !is_in_order(&g, 0), "product: %d, %d",
          is_in_order(&h, 0), is_in_order(&g, 0));
    product(&g, placed);
    product(&h, ordered);
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) {
            double sum = 0;
            for (int k = 0; k < N; ++k)
                sum += value(i, k, 1) * value(j, k, 2);
            CHECK(placed[j * N + i] == ordered[j * N + i] &&
                      fabs(sum - placed[j * N + i]) < 1e-10,
                  "product (%d,%d): %g placed, %g in order, must be %g", i, j,
                  placed[j * N + i], ordered[j * N + i], sum);
        }
    drop(&g);
    drop(&h);
    release(&comm);
    release(&off);
}

/* Copies between placed grids, by HESCA and by ScaLAPACK, which makes grids of
 * its own in that. */
static void
copies(const char *disable)
{
    static matrix a, b;
    static double full[LOCAL];
    const int nprow = size > 3 ? 2 : 1;
    setenv("HESCA_DISABLE", disable, 1);
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "auto");
    grid_made g = make_grid(comm, "R", 1, size, disable);
    grid_made h = make_grid(comm, "C", nprow, (size - 1) / nprow, disable);
    CHECK(!is_in_order(&g, 0) || !is_in_order(&h, 1),
          "copy: not placed, HESCA_DISABLE=%s", disable);
    matrix_make(&a, h.ictxt, 5);
    matrix_make(&b, g.ictxt, 6);
    void Cpdgemr2d(int, int, const double *, int, int, const int *, double *,
                   int, int, const int *, int);
    Cpdgemr2d(N, N, a.x, 1, 1, a.desc, b.x, 1, 1, b.desc, g.ictxt);
    matrix_gather(&b, full);
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i)
            CHECK(full[j * N + i] == value(i, j, 5),
                  "copy (%d,%d), HESCA_DISABLE=%s: %g", i, j, disable,
                  full[j * N + i]);
    drop(&g);
    drop(&h);
    release(&comm);
    unsetenv("HESCA_DISABLE");
}

int
main(int argc, char **argv)
{
    (void)argv;
    begin();
    if (argc > 1) {
        remove_files();
        make_grid(fresh(MPI_COMM_WORLD, "auto"), "R", size, 2, "too large");
    }
    all_shapes();
    by_speed();
    several();
    nothing_to_place();
    maps();
    maps_apart(size / 2);
    maps_apart(size - 1);
    disabled("gridinit", "auto", 0);
    disabled("all", "auto", 0);
    disabled("gridmap", "auto+gridmap", 1);
    products();
    copies("");
    copies("gemr2d");
    part_of_the_world();
    return end("t_placement");
}
