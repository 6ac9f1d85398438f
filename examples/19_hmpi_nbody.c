/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI: groups of bodies, one for each process (Figures 3.9 and 3.10 of the
 * thesis).
 *
 *     mpiexec -n 4 19_hmpi_nbody [steps]
 *
 * Groups have different sizes; the largest goes to the fastest process.  The
 * unit of the model is the benchmark, K bodies; speeds are measured with it,
 * so that the prediction is in seconds. */
#include "hmpi.h"
#include "nbody.c" /* made by hmpicc from models/nbody.mpc */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { K = 200 };
static int steps = 1;

/* The forces on n bodies, each on each; a Body has position, velocity, mass.
 */
static void
simulate(int n, Body *b)
{
    for (int i = 0; i < n; ++i) {
        double force[3] = {0, 0, 0};
        for (int j = 0; j < n; ++j) {
            double d[3], r = 1e-3;
            for (int c = 0; c < 3; ++c) {
                d[c] = b[j].p[c] - b[i].p[c];
                r += d[c] * d[c];
            }
            for (int c = 0; c < 3; ++c)
                force[c] += b[j].m * d[c] / (r * sqrt(r));
        }
        for (int c = 0; c < 3; ++c)
            b[i].v[c] += 1e-3 * force[c];
    }
}

static void
place(int group, int n, Body *b)
{
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) {
            b[i].p[c] = sin(1 + group + 3.0 * i + c);
            b[i].v[c] = 0;
            b[i].m = 1;
        }
}

static void
benchmark(const void *input, int count, void *output)
{
    Body *b = output;
    (void)input, (void)count;
    place(0, K, b);
    for (int k = 0; k < steps; ++k)
        simulate(K, b);
}

/* A group on its process; the parent has all in the end. */
static double
run(const HMPI_Group *gid, const int *n, Body **body)
{
    const MPI_Comm comm = *HMPI_Get_comm(gid);
    const int p = HMPI_Group_size(gid), me = HMPI_Group_rank(gid);
    const int root = HMPI_Group_parent(gid);
    for (int k = 0; k < p; ++k)
        body[k] = me == k || me == root
                      ? malloc((size_t)n[k] * sizeof *body[k])
                      : NULL;
    place(me, n[me], body[me]);
    HMPI_Barrier(gid);
    const double begin = MPI_Wtime();
    for (int k = 0; k < steps; ++k)
        simulate(n[me], body[me]);
    if (me != root)
        MPI_Send(body[me], n[me] * (int)sizeof(Body), MPI_BYTE, root, 0, comm);
    for (int k = 0; me == root && k < p; ++k)
        if (k != root)
            MPI_Recv(body[k], n[k] * (int)sizeof(Body), MPI_BYTE, k, 0, comm,
                     MPI_STATUS_IGNORE);
    return MPI_Wtime() - begin;
}

/* How many bodies another process has computed otherwise. */
static int
check(int p, const int *n, Body **body)
{
    int wrong = 0;
    Body *same = malloc(3 * K * sizeof *same);
    for (int k = 0; k < p; ++k) {
        place(k, n[k], same);
        for (int i = 0; i < steps; ++i)
            simulate(n[k], same);
        for (int i = 0; i < n[k]; ++i)
            wrong += same[i].v[0] != body[k][i].v[0];
    }
    free(same);
    return wrong;
}

int
main(int argc, char **argv)
{
    HMPI_Group gid;
    int wrong = 0, n[64], p, paramc;
    Body *work = malloc(K * sizeof *work);
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS)
        return 1;
    steps = argc > 1 ? atoi(argv[1]) : 1;
    p = HMPI_Group_size(HMPI_COMM_WORLD_GROUP);
    p = p < 64 ? p : 64;
    for (int k = 0; k < p; ++k) /* every process knows the sizes */
        n[k] = K * (1 + k % 3);
    if (HMPI_Is_member(HMPI_PROC_WORLD_GROUP))
        HMPI_Recon(benchmark, NULL, 0, work);
    if (HMPI_Is_host()) {
        int *params =
            HMPI_Pack_model_parameters(&HMPI_Model_Nbody, &paramc, p, K, n);
        HMPI_Printf("%.3g s predicted\n",
                    HMPI_Timeof(&HMPI_Model_Nbody, params, paramc));
        if (HMPI_Group_create(&gid, &HMPI_Model_Nbody, params, paramc) != 0)
            HMPI_Printf("%s\n", hesca_error_text());
        free(params);
    }
    if (HMPI_Is_free())
        HMPI_Group_create(&gid, &HMPI_Model_Nbody, NULL, 0);
    if (HMPI_Is_member(&gid)) {
        Body *body[64];
        const double seconds = run(&gid, n, body);
        if (HMPI_Is_parent(&gid)) {
            wrong = check(p, n, body);
            HMPI_Printf("%d groups of bodies in %.4g s: %d wrong\n", p,
                        seconds, wrong);
        }
        for (int k = 0; k < p; ++k)
            free(body[k]);
        HMPI_Group_free(&gid);
    }
    free(work);
    HMPI_Finalize(wrong != 0);
    return 0;
}
