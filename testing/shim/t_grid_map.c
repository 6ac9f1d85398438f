/* SPDX-License-Identifier: BSD-3-Clause */
/* What users and programs say about grids: map files, good and bad, arguments
 * of hesca_grid_place() and hesca_grid_auto(), and the best shape. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "testing/shim/placing.h"

enum { TEXT = 200 };

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
    /* An error of one process is returned on all. */
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

int
main(void)
{
    begin();
    arguments();
    map_file_good();
    map_file_bad();
    best_shape();
    return end("t_grid_map");
}
