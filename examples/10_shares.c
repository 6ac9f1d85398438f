/* SPDX-License-Identifier: BSD-3-Clause */
/* 10. Shares of processors.  Hosts differ in speed, and by how much depends on
 * how much they have to do: a host that runs out of memory is not fast any
 * more. Speed functions of a machine file say so; HDPI finds the shares that
 * all finish at the same time, of a set and of a matrix.  No MPI is needed.
 *
 *   cc 10_shares.c -o 10_shares $(pkg-config --cflags --libs hesca)
 *   ./10_shares lab.machine */
#include <hdpi.h>
#include <hesca/experimental/machine.h>
#include <stdio.h>

enum { P = 4, KNOTS = 5, ROWS = 6000, COLUMNS = 8000, N = ROWS * COLUMNS };

/* The models of a file, as HDPI wants them: [P][KNOTS]. */
static int
read_models(const char *path, hesca_machine *machine, double *speeds,
            int *psizes, int *mlimits)
{
    if (hesca_machine_read(path, machine) < 0)
        return -1;
    for (int i = 0; i < P; ++i) {
        const hesca_speed *model = hesca_machine_speed(machine, i, "dgemm");
        int n = 0;
        const hesca_knot *knot =
            model != NULL ? hesca_speed_knots(model, &n) : NULL;
        if (n != KNOTS)
            return hesca_error_set(HESCA_ERR_PARAM, 0,
                                   "a host without a model of five knots");
        for (int k = 0; k < KNOTS; ++k) {
            speeds[i * KNOTS + k] = knot[k].speed;
            psizes[i * KNOTS + k] = (int)knot[k].size;
        }
        mlimits[i] = (int)hesca_speed_limit(model);
    }
    return 0;
}

/* Seconds until the last one has finished. */
static double
seconds(const hesca_machine *machine, const int *np)
{
    double most = 0;
    for (int i = 0; i < P; ++i) {
        const double t =
            hesca_speed_time(hesca_machine_speed(machine, i, "dgemm"), np[i]);
        most = t > most ? t : most;
    }
    return most;
}

/* By speed functions, and by the one number for each that is true of small
 * shares. */
static int
share_set(const hesca_machine *machine, const double *speeds,
          const int *psizes, const int *mlimits)
{
    double one[P];
    int np[P], naive[P];
    for (int i = 0; i < P; ++i)
        one[i] = speeds[i * KNOTS + 1];
    if (Partition_unordered_set(P, KNOTS, speeds, psizes, mlimits, N, NULL, -1,
                                NULL, NULL, np) < 0 ||
        Partition_unordered_set(P, 1, one, NULL, mlimits, N, NULL, -1, NULL,
                                NULL, naive) < 0)
        return -1;
    for (int i = 0; i < P; ++i)
        printf("%-6s %8d elements, else %8d\n", machine->host[i].name, np[i],
               naive[i]);
    printf("%d elements in %.1f s, by one number each in %.1f s\n", N,
           seconds(machine, np), seconds(machine, naive));
    return 0;
}

/* Rectangles of the matrix, in a grid of 2 x 2 processors. */
static int
share_matrix(const hesca_machine *machine, const double *speeds,
             const int *psizes, const int *mlimits)
{
    int w[P], h[P * P], trow[P], tcol[P], area[P];
    if (Partition_matrix_2d(2, 2, KNOTS, speeds, psizes, mlimits, ROWS,
                            COLUMNS, COLUMN_BASED, w, h, trow, tcol, NULL,
                            NULL) < 0)
        return -1;
    for (int i = 0; i < P; ++i) {
        area[i] = w[i] * H(2, 2, i / 2, i % 2, i / 2, i % 2);
        printf("%-6s %4d x %4d from (%d,%d)\n", machine->host[i].name,
               H(2, 2, i / 2, i % 2, i / 2, i % 2), w[i], trow[i], tcol[i]);
    }
    printf("a matrix of %d x %d in %.1f s\n", ROWS, COLUMNS,
           seconds(machine, area));
    return 0;
}

int
main(int argc, char **argv)
{
    hesca_machine machine = hesca_machine_default();
    double speeds[P * KNOTS];
    int psizes[P * KNOTS], mlimits[P];
    int err = read_models(argc > 1 ? argv[1] : "lab.machine", &machine, speeds,
                          psizes, mlimits);
    if (err == 0)
        err = share_set(&machine, speeds, psizes, mlimits);
    if (err == 0)
        err = share_matrix(&machine, speeds, psizes, mlimits);
    if (err < 0)
        fprintf(stderr, "%s\n", hesca_error_text());
    hesca_machine_clear(&machine);
    return err < 0;
}
