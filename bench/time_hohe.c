/* Time the heterogeneous matrix multiplication and Cholesky factorization of
 * the HMPI thesis, 3.5.1 and 5.3, beside the same code with equal shares.
 *
 * Usage: mpiexec -n P time_hohe [option]...
 *
 *   mpiexec -n 4 time_hohe --n 1536 --l 12,24,96
 *   mpiexec -n 4 time_hohe --speeds 6,3,2,1 --unit 1e8 --routine potrf
 *   time_hohe --paper --speeds 6,3,2,1 --unit 1e8 --grids 2x2,1x4,auto
 *   mpiexec -n P time_hohe --help
 *
 * Exit status: 0 if all results are right, 1 if not, 2 if it cannot be done.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hohe.h"
#include "hohe_results.h"
#include "polite.h"
#include "tools/lib/cmdline.h"
#include <mpi.h>
#include <stdlib.h>

/* BLAS that has its own threads, if it is OpenBLAS. */
void openblas_set_num_threads(int n) __attribute__((weak));

static hohe_options o;
static hohe_net x;
static fields_files out;

/* The exit status. */
static int
time_case(hohe_way way, int64_t n, int l, hohe_grid grid)
{
    hohe_case c;
    const hohe_row row = {&o, &x, &c};
    int status = 2;
    if (hohe_case_open(&o, &x, way, n, l, grid, &c) &&
        (o.is_paper || hohe_case_run(&o, &x, &c))) {
        status = hohe_is_right(&row) ? 0 : 1;
        if (x.rank == 0)
            hohe_tell(&out, &row);
    }
    hohe_case_close(&c);
    return status;
}

static int
is_wanted(hohe_way way, int grid, int l)
{
    if ((o.wanted >> way & 1) == 0)
        return 0;
    return way == HOHE_CUT || (grid == 0 && (l == 0 || way == HOHE_EQUAL));
}

static int
time_order(int64_t n)
{
    int status = 0;
    if (x.rank == 0)
        hohe_print_order(out.table, &o, &x, n);
    for (int way = 0; way < HOHE_WAYS; ++way)
        for (int l = 0; l < o.nl; ++l)
            for (int g = 0; g < o.ngrids && status < 2; ++g) {
                if (!is_wanted((hohe_way)way, g, l))
                    continue;
                const int one =
                    time_case((hohe_way)way, n, (int)o.l[l], o.grid[g]);
                status = one > status ? one : status;
            }
    return status;
}

/* The most square grid of all, no more rows than columns. */
static void
complete(void)
{
    if (o.ngrids > 0)
        return;
    int p = 1;
    for (int d = 1; d * d <= x.nprocs; ++d)
        p = x.nprocs % d == 0 ? d : p;
    o.grid[0] = (hohe_grid){p, x.nprocs / p};
    o.ngrids = 1;
}

static int
time_all(void)
{
    int status = 0;
    if (!hohe_net_find(&o, &x))
        return 2;
    complete();
    if (x.rank == 0)
        hohe_print_head(out.table, &o, &x);
    for (int k = 0; k < o.nn && status < 2; ++k) {
        const int one = time_order(o.n[k]);
        status = one > status ? one : status;
    }
    return status;
}

int
main(int argc, char **argv)
{
    int rank, status = 2, what = CMDLINE_BAD;
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    polite_begin(1);
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    if (rank == 0)
        what = hohe_options_read(argc, argv, &o);
    polite_share(&what, sizeof what);
    int go = what == CMDLINE_GO;
    if (rank == 0 && go)
        go = fields_open(&out, o.csv, o.json, hohe_put);
    if (polite_all(go)) {
        polite_share(&o, sizeof o);
        status = time_all();
        if (rank == 0 && !fields_close(&out))
            status = 2;
        hohe_net_clear(&x);
    }
    polite_gather();
    MPI_Finalize();
    return what == CMDLINE_HELP ? 0 : status;
}
