/* SPDX-License-Identifier: BSD-3-Clause */
#include "grids.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEPT = 48 }; /* grids for each use */

/* BLACS, which ships no header. */
void Cblacs_get(hesca_int ictxt, hesca_int what, hesca_int *value);
void Cblacs_gridmap(hesca_int *ictxt, hesca_int *usermap, hesca_int ldumap,
                    hesca_int nprow, hesca_int npcol);
void Cblacs_gridexit(hesca_int ictxt);

typedef struct {
    int first, nprow, npcol;
    hesca_int ctxt; /* -1 on processes outside */
} grid;

static struct {
    grid kept[KEPT];
    int n;
} table[NGRIDS];

static hesca_int
make(int first, int nprow, int npcol)
{
    hesca_int ctxt;
    int iam;
    hesca_int *map = malloc((size_t)nprow * (size_t)npcol * sizeof *map);
    if (map == NULL) {
        fprintf(stderr, "time_gemr2d: no memory for a process grid\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return -1;
    }
    for (int p = 0; p < nprow; ++p)
        for (int q = 0; q < npcol; ++q)
            map[(size_t)p + (size_t)q * (size_t)nprow] = first + p * npcol + q;
    MPI_Comm_rank(MPI_COMM_WORLD, &iam);
    Cblacs_get(0, 0, &ctxt);
    Cblacs_gridmap(&ctxt, map, nprow, nprow, npcol);
    free(map);
    return iam >= first && iam < first + nprow * npcol ? ctxt : -1;
}

static void
end_all(int use)
{
    for (int k = 0; k < table[use].n; ++k)
        if (table[use].kept[k].ctxt >= 0)
            Cblacs_gridexit(table[use].kept[k].ctxt);
    table[use].n = 0;
}

hesca_int
grids_get(int use, int first, int nprow, int npcol)
{
    for (int k = 0; k < table[use].n; ++k) {
        const grid *g = table[use].kept + k;
        if (g->first == first && g->nprow == nprow && g->npcol == npcol)
            return g->ctxt;
    }
    if (table[use].n == KEPT)
        end_all(use);
    const grid fresh = {first, nprow, npcol, make(first, nprow, npcol)};
    table[use].kept[table[use].n++] = fresh;
    return fresh.ctxt;
}

void
grids_close(void)
{
    for (int use = 0; use < NGRIDS; ++use)
        end_all(use);
}
