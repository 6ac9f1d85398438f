/* Who sits where in the BLACS' grids: contexts, process numbers and
 * coordinates fit together on all processes, each place is taken once, process
 * 0 stays at (0,0), and the processes are as HESCA_PLACEMENT says: as good as
 * the best of all placements, or the fastest, or those of a file; in order
 * where nothing is to be placed.  Products and copies of matrices on placed
 * grids are right.
 *
 * HESCA reads its environment when it first works on a communicator, so each
 * case has one of its own, and a system handle for it.  HESCA_NODE_SIZE makes
 * hosts of processes.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "hesca/grid.h"
#include "hesca/param.h"
#include "hesca/scalapack.h"
#include "testing/check.h"
#include "testing/shim/blacs.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
int Cblacs_pnum(int ictxt, int prow, int pcol);
void Cblacs_pcoord(int ictxt, int pnum, int *prow, int *pcol);
void blacs_get_(const int *ictxt, const int *what, int *val);
void blacs_gridinit_(int *ictxt, const char *order, const int *nprow,
                     const int *npcol, size_t len);
void sl_init_(int *ictxt, const int *nprow, const int *npcol);
void pdgemm_(const char *, const char *, const int *, const int *, const int *,
             const double *, const double *, const int *, const int *,
             const int *, const double *, const int *, const int *,
             const int *, const double *, double *, const int *, const int *,
             const int *);

enum { MOST = 8, TEXT = 200 };

static int rank, size;
static char machine_path[] = "/tmp/hesca-placement-XXXXXX";
static char map_path[] = "/tmp/hesca-map-XXXXXX";

/* ------------------------------------------------ settings */

/* A file of rank 0's; it is there for all when this returns. */
static void
write_file(const char *path, const char *text)
{
    FILE *f;
    if (rank == 0) {
        if ((f = fopen(path, "w")) == NULL)
            abort();
        fputs(text, f);
        fclose(f);
    }
    check_barrier(MPI_COMM_WORLD);
}

/* Hosts PREFIX0, PREFIX1, ... of these speeds, as many as can be. */
static void
write_machine(const char *prefix, const double *speed, const char *more)
{
    char text[2000] = "hesca-machine 1\n";
    for (int i = 0; i < MOST; ++i)
        sprintf(text + strlen(text), "host %s%d speed %.3f %s\n", prefix, i,
                speed[i], more);
    strcat(text, "others startup 60us rate 1Gbit/s\n");
    write_file(machine_path, text);
}

static const double unequal[MOST] = {.4, .3, 1, .9, .2, 1, .6, .5};
static const double equal[MOST] = {1, 1, 1, 1, 1, 1, 1, 1};

/* A communicator like `like` on which nothing has been read yet. */
static MPI_Comm
fresh(MPI_Comm like, const char *placement)
{
    MPI_Comm comm;
    setenv("HESCA_PLACEMENT", placement, 1);
    MPI_Comm_dup(like, &comm);
    return comm;
}

static int
host_of(int r)
{
    const char *node_size = getenv("HESCA_NODE_SIZE");
    return r / (node_size == NULL ? 1 : atoi(node_size));
}

/* ------------------------------------------------ grids */

typedef struct {
    MPI_Comm comm;
    int ictxt, nprow, npcol;
    int process[MOST]; /* at each place, as the BLACS tell it */
} grid_made;

/* Ask the BLACS who sits where; all processes of comm do. */
static void
look(grid_made *g, const char *what)
{
    int nprow, npcol, prow, pcol, mine = -1, place[MOST], n, me;
    MPI_Comm_size(g->comm, &n);
    MPI_Comm_rank(g->comm, &me);
    if (g->ictxt >= 0) {
        Cblacs_gridinfo(g->ictxt, &nprow, &npcol, &prow, &pcol);
        CHECK(nprow == g->nprow && npcol == g->npcol && prow >= 0 &&
                  prow < nprow && pcol >= 0 && pcol < npcol,
              "%s: %d x %d is %d x %d, rank %d at (%d,%d)", what, g->nprow,
              g->npcol, nprow, npcol, me, prow, pcol);
        mine = prow * g->npcol + pcol;
        for (int k = 0; k < g->nprow * g->npcol; ++k) {
            const int pnum = Cblacs_pnum(g->ictxt, k / g->npcol, k % g->npcol);
            Cblacs_pcoord(g->ictxt, pnum, &prow, &pcol);
            CHECK(prow * g->npcol + pcol == k,
                  "%s: process %d is at (%d,%d), not at place %d", what, pnum,
                  prow, pcol, k);
        }
    }
    MPI_Allgather(&mine, 1, MPI_INT, place, 1, MPI_INT, g->comm);
    for (int k = 0; k < g->nprow * g->npcol; ++k) {
        int count = 0;
        for (int r = 0; r < n; ++r)
            if (place[r] == k) {
                g->process[k] = r;
                ++count;
            }
        CHECK(count == 1, "%s: %d processes at place %d of %d x %d", what,
              count, k, g->nprow, g->npcol);
    }
}

static grid_made
make_grid(MPI_Comm comm, const char *order, int nprow, int npcol,
          const char *what)
{
    grid_made g = {.comm = comm, .nprow = nprow, .npcol = npcol};
    g.ictxt = Csys2blacs_handle(comm);
    Cblacs_gridinit(&g.ictxt, order, nprow, npcol);
    look(&g, what);
    return g;
}

static grid_made
make_map(MPI_Comm comm, const int *process, int nprow, int npcol,
         const char *what)
{
    grid_made g = {.comm = comm, .nprow = nprow, .npcol = npcol};
    int map[MOST + 1] = {0};
    for (int p = 0; p < nprow; ++p)
        for (int q = 0; q < npcol; ++q)
            map[q * nprow + p] = process[p * npcol + q];
    g.ictxt = Csys2blacs_handle(comm);
    Cblacs_gridmap(&g.ictxt, map, nprow, nprow, npcol);
    look(&g, what);
    return g;
}

static void
drop(grid_made *g)
{
    if (g->ictxt >= 0)
        Cblacs_gridexit(g->ictxt);
}

/* A communicator has one handle, however often it is asked for. */
static void
release(MPI_Comm *comm)
{
    Cfree_blacs_system_handle(Csys2blacs_handle(*comm));
    MPI_Comm_free(comm);
}

static int
is_in_order(const grid_made *g, int by_columns)
{
    for (int p = 0; p < g->nprow; ++p)
        for (int q = 0; q < g->npcol; ++q)
            if (g->process[p * g->npcol + q] !=
                (by_columns ? q * g->nprow + p : p * g->npcol + q))
                return 0;
    return 1;
}

/* ------------------------------------------------ what is best */

/* Seconds of processes that are on their hosts. */
static double
seconds_of(const hesca_machine *m, const hesca_job *job, int nprow, int npcol,
           const int *process)
{
    int host[MOST];
    hesca_forecast f = {.seconds = INFINITY};
    for (int k = 0; k < nprow * npcol; ++k)
        host[k] = host_of(process[k]);
    hesca_forecast_make(m, job, nprow, npcol, host, &f);
    return f.seconds;
}

/* The least of all placements of n candidates, the first at place 0. */
static double
search(const hesca_machine *m, const hesca_job *job, int nprow, int npcol,
       int n, const int *candidate, int depth, int *process, unsigned used)
{
    double best = INFINITY;
    if (depth == nprow * npcol)
        return seconds_of(m, job, nprow, npcol, process);
    for (int k = 0; k < n; ++k) {
        if ((used >> k & 1) || (depth == 0 && k > 0))
            continue;
        process[depth] = candidate[k];
        best = fmin(best, search(m, job, nprow, npcol, n, candidate, depth + 1,
                                 process, used | 1u << k));
    }
    return best;
}

static const hesca_job job = {HESCA_GEMM, 4000, 64};

static void
is_best(const grid_made *g, int n, const int *candidate, const char *what)
{
    hesca_machine m;
    int process[MOST];
    if (hesca_machine_read(machine_path, &m) < 0)
        abort();
    const double least =
        search(&m, &job, g->nprow, g->npcol, n, candidate, 0, process, 0);
    const double placed = seconds_of(&m, &job, g->nprow, g->npcol, g->process);
    CHECK(placed <= 1.05 * least,
          "%s: %d x %d of %d processes takes %g s, the best %g s", what,
          g->nprow, g->npcol, n, placed, least);
    CHECK(g->process[0] == candidate[0], "%s: %d at (0,0)", what,
          g->process[0]);
    hesca_machine_clear(&m);
}

static const int all[MOST] = {0, 1, 2, 3, 4, 5, 6, 7};

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
    /* Nobody outside is faster than who is inside, process 0 apart. */
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

/* Who is left in order, with what reason. */
static void
in_order(const char *placement, const char *reason)
{
    MPI_Comm comm = fresh(MPI_COMM_WORLD, placement);
    const int nprow = size > 3 ? 2 : 1, npcol = size / nprow;
    int process[MOST], placed = -1;
    hesca_grid_info info;
    for (int c = 0; c < 2; ++c) {
        grid_made g = make_grid(comm, c ? "C" : "R", nprow, npcol, placement);
        CHECK(is_in_order(&g, c), "%s: not in order, %s", placement, reason);
        drop(&g);
    }
    const int err =
        hesca_grid_place(comm, nprow, npcol, NULL, 1, process, &info);
    if (err == HESCA_SUCCESS) {
        placed = info.placed;
        for (int k = 0; k < nprow * npcol; ++k)
            CHECK(process[k] == k, "%s: %d at %d", placement, process[k], k);
    }
    CHECK(placed == 0 && strstr(info.why, reason) != NULL,
          "%s: %d (%s), placed %d: '%s', not '%s'", placement, err,
          hesca_error_text(), placed, placed < 0 ? "" : info.why, reason);
    release(&comm);
}

static void
nothing_to_place(void)
{
    in_order("off", "HESCA_PLACEMENT is off");
    write_machine("node", equal, "");
    in_order("auto", "do not differ");
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

/* Two grids of different processes made in one call. */
static void
maps_apart(void)
{
    const int cut = size / 2, low = rank < cut;
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "auto+gridmap"), mine;
    const int n = low ? cut : size - cut;
    int map[MOST], ictxt = Csys2blacs_handle(comm);
    for (int k = 0; k < n; ++k)
        map[k] = low ? k : cut + k;
    Cblacs_gridmap(&ictxt, map, 1, 1, n);
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

/* ------------------------------------------------ map files */

static void
map_file_good(void)
{
    char text[TEXT], placement[TEXT];
    const int n = size - 1;
    int back[MOST];
    sprintf(text, "# who sits where\n\ngrid 1x%d # all but one\n", n);
    for (int k = 0; k < n; ++k)
        sprintf(text + strlen(text), " %d", size - 1 - k);
    strcat(text, "\r\ngrid 2x1\n1\n0 # process 0 below\ngrid 30x1\n");
    for (int k = 0; k < 30; ++k)
        sprintf(text + strlen(text), "%d\n", k);
    write_file(map_path, text);
    snprintf(placement, sizeof placement, "map:%s", map_path);
    in_order(placement, "has no grid of this shape");
    MPI_Comm comm = fresh(MPI_COMM_WORLD, placement);
    grid_made g = make_grid(comm, "R", 1, n, "map file");
    for (int k = 0; k < n; ++k)
        CHECK(g.process[k] == size - 1 - k, "map file: %d at %d", g.process[k],
              k);
    drop(&g);
    g = make_grid(comm, "C", 2, 1, "map file");
    CHECK(g.process[0] == 1 && g.process[1] == 0, "map file: %d above %d",
          g.process[0], g.process[1]);
    drop(&g);
    release(&comm);
    /* Of maps, those of the same processes. */
    strcat(placement, "+gridmap");
    comm = fresh(MPI_COMM_WORLD, placement);
    for (int k = 0; k < size; ++k)
        back[k] = k;
    g = make_map(comm, back + 1, 1, n, "map file, same processes");
    CHECK(g.process[0] == size - 1, "map file: %d first", g.process[0]);
    drop(&g);
    g = make_map(comm, back, 1, n, "map file, other processes");
    CHECK(is_in_order(&g, 0), "map file: %d first", g.process[0]);
    drop(&g);
    release(&comm);
}

static void
map_file_bad(void)
{
    static const struct {
        const char *text, *token;
    } bad[] = {
        {"", ":0: the file ends where grid must follow"},
        {"# nothing\n", ":1: the file ends where grid"},
        {"0 1\n", ":1: '0' must be grid"},
        {"\ngrid\n", ":2: the line ends where a shape"},
        {"grid 2\n", ":1: '2' must be a shape"},
        {"grid 2x\n", ":1: '2x' must be a shape"},
        {"grid 0x2\n", ":1: '0x2' must be a shape"},
        {"grid 2x1x1\n", ":1: '2x1x1' must be a shape"},
        {"grid 99999x99999\n", ":1: '99999x99999' must be a shape"},
        {"grid 1x2 by\n0 1\n", ":1: 'by' must be the end of the line"},
        {"grid 1x2\n0\n", ":2: the line ends where a rank, 0 ... "},
        {"grid 1x2\n0 1 2\n", ":2: '2' must be the end of the line"},
        {"grid 1x2\n0 one\n", ":2: 'one' must be a rank"},
        {"grid 1x2\n0 -1\n", ":2: '-1' must be a rank"},
        {"grid 1x2\n0 1.\n", ":2: '1.' must be a rank"},
        {"grid 1x2\n0 99\n", ":2: '99' must be a rank, 0 ... "},
        {"grid 1x2\n0 9999999999\n", ":2: '9999999999' must be a rank"},
        {"grid 1x2\n1 1\n", ":2: '1' must be in a grid only once"},
        {"grid 2x1\n1\n#\n1\n", ":4: '1' must be in a grid only once"},
        {"grid 2x1\n1\n", ":2: the file ends where row 2 of 2"},
        {"grid 2x1\n1\ngrid 1x2\n", ":3: 'grid' must be a rank"},
        {"grid 1x1\n0\ngrid 1x1\n0\n", ":3: '1x1' must be there only once"},
    };
    char placement[TEXT];
    int process[2];
    snprintf(placement, sizeof placement, "map:%s", map_path);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        write_file(map_path, bad[k].text);
        MPI_Comm comm = fresh(MPI_COMM_WORLD, placement);
        const int err = hesca_grid_place(comm, 1, 2, NULL, 1, process, NULL);
        CHECK(err == HESCA_ERR_PARAM &&
                  strncmp(hesca_error_text(), map_path, strlen(map_path)) ==
                      0 &&
                  strstr(hesca_error_text(), bad[k].token) != NULL,
              "map file %zu: %d, '%s', not '%s'", k, err, hesca_error_text(),
              bad[k].token);
        grid_made g = make_grid(comm, "R", 1, 2, "bad map file");
        CHECK(is_in_order(&g, 0), "map file %zu: not in order", k);
        drop(&g);
        release(&comm);
    }
    unlink(map_path);
    MPI_Comm comm = fresh(MPI_COMM_WORLD, placement);
    const int err = hesca_grid_place(comm, 1, 2, NULL, 1, process, NULL);
    CHECK(err == HESCA_ERR_PARAM && strstr(hesca_error_text(), "No such file"),
          "no map file: %d, '%s'", err, hesca_error_text());
    release(&comm);
}

/* ------------------------------------------------ arguments */

static void
arguments(void)
{
    int process[MOST] = {-7}, order[MOST] = {0, 0}, nprow = -7, npcol = -7;
    MPI_Comm comm = fresh(MPI_COMM_WORLD, "auto");
    const struct {
        int nprow, npcol;
        const int *ordered;
        int *process;
        const char *text;
    } bad[] = {
        {0, 1, NULL, process, "argument 2, nprow, is 0"},
        {1, -1, NULL, process, "argument 3, npcol, is -1"},
        {MOST + 1, 1, NULL, process, "9 x 1 has more places"},
        {1 << 20, 1 << 20, NULL, process, "has more places"},
        {1, 2, order, process, "argument 4, an entry of ordered, is 0"},
        {1, 1, (const int[]){MOST}, process, "an entry of ordered, is 8"},
        {1, 1, NULL, NULL, "argument 6, process, is NULL"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        const int err =
            hesca_grid_place(comm, bad[k].nprow, bad[k].npcol, bad[k].ordered,
                             1, bad[k].process, NULL);
        CHECK(err == HESCA_ERR_ARG &&
                  strstr(hesca_error_text(), bad[k].text) != NULL &&
                  process[0] == -7,
              "arguments %zu: %d, '%s'", k, err, hesca_error_text());
    }
    /* One process's mistake is everybody's failure. */
    const int err = hesca_grid_place(comm, 1, 1, NULL, 1,
                                     rank == size - 1 ? NULL : process, NULL);
    CHECK(err == HESCA_ERR_ARG && process[0] == -7, "one NULL: %d", err);
    release(&comm);
    CHECK(hesca_grid_place(MPI_COMM_NULL, 1, 1, NULL, 1, process, NULL) ==
              HESCA_ERR_ARG,
          "no communicator");
    const struct {
        int64_t n;
        int nb;
        const char *routine;
        int *nprow, *npcol;
        const char *text;
    } wrong[] = {
        {0, 1, "gemm", &nprow, &npcol, "argument 1, n, is 0"},
        {1, 0, "gemm", &nprow, &npcol, "argument 2, nb, is 0"},
        {1, 1, "qr", &nprow, &npcol, "argument 3, routine, is 'qr'"},
        {1, 1, NULL, &nprow, &npcol, "argument 3, routine, is NULL"},
        {1, 1, "gemm", NULL, &npcol, "argument 4, nprow, is NULL"},
        {1, 1, "gemm", &nprow, NULL, "argument 5, npcol, is NULL"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        const int code =
            hesca_grid_auto(wrong[k].n, wrong[k].nb, wrong[k].routine,
                            wrong[k].nprow, wrong[k].npcol);
        CHECK(code == HESCA_ERR_ARG &&
                  strstr(hesca_error_text(), wrong[k].text) != NULL &&
                  nprow == -7 && npcol == -7,
              "grid_auto %zu: %d, '%s'", k, code, hesca_error_text());
    }
}

/* The best shape is not worse than any other, placed as well as can be. */
static void
best_shape(void)
{
    static const char *const name[] = {"gemm", "pdpotrf", "dgesv"};
    hesca_machine m;
    int p = 0, q = 0, process[MOST];
    if (hesca_machine_read(machine_path, &m) < 0)
        abort();
    for (int r = 0; r < 3; ++r) {
        const hesca_job x = {(hesca_routine)r, 1500, 32};
        double best = INFINITY, mine = INFINITY;
        const int err = hesca_grid_auto(x.n, x.nb, name[r], &p, &q);
        CHECK(err == HESCA_SUCCESS && p >= 1 && q >= 1 && p * q <= size,
              "grid_auto: %d (%s), %d x %d", err, hesca_error_text(), p, q);
        for (int i = 1; i <= size; ++i)
            for (int j = 1; i * j <= size; ++j) {
                const double t =
                    search(&m, &x, i, j, size, all, 0, process, 0);
                best = fmin(best, t);
                mine = i == p && j == q ? t : mine;
            }
        CHECK(mine <= 1.05 * best,
              "grid_auto, %s: %d x %d takes %g s, the best shape %g s",
              name[r], p, q, mine, best);
        int low[2] = {p, q}, high[2];
        MPI_Allreduce(low, high, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        CHECK(high[0] == p && high[1] == q, "grid_auto: differs, %d x %d", p,
              q);
    }
    hesca_machine_clear(&m);
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
main(void)
{
    Cblacs_pinfo(&rank, &size);
    if (size < 3 || size > MOST)
        return 77;
    if (rank == 0 && (mkstemp(machine_path) < 0 || mkstemp(map_path) < 0))
        abort();
    MPI_Bcast(machine_path, sizeof machine_path, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(map_path, sizeof map_path, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HESCA_MACHINE", machine_path, 1);
    write_machine("node", unequal, "");
    arguments();
    all_shapes();
    by_speed();
    several();
    nothing_to_place();
    maps();
    maps_apart();
    disabled("gridinit", "auto", 0);
    disabled("all", "auto", 0);
    disabled("gridmap", "auto+gridmap", 1);
    map_file_good();
    map_file_bad();
    best_shape();
    products();
    copies("");
    copies("gemr2d");
    part_of_the_world();
    const int failed = check_done("t_placement");
    if (rank == 0)
        unlink(machine_path);
    MPI_Finalize();
    return failed;
}
