/* SPDX-License-Identifier: BSD-3-Clause */
/* Prototypes that BLACS and ScaLAPACK do not ship, and functions for grids. */
#ifndef HESCA_TESTING_BLACS_H
#define HESCA_TESTING_BLACS_H

void Cblacs_pinfo(int *rank, int *nprocs);
void Cblacs_get(int ictxt, int what, int *val);
void Cblacs_gridinit(int *ictxt, const char *order, int nprow, int npcol);
void Cblacs_gridmap(int *ictxt, int *map, int ldmap, int nprow, int npcol);
void Cblacs_gridinfo(int ictxt, int *nprow, int *npcol, int *myrow,
                     int *mycol);
void Cblacs_gridexit(int ictxt);
void Cblacs_exit(int more);
int numroc_(const int *n, const int *nb, const int *iproc, const int *isrcproc,
            const int *nprocs);

/* A grid of ranks[0 ... nprow * npcol - 1], row by row; -1 for the others. */
static inline int
grid_of(const int *ranks, int nprow, int npcol)
{
    int ictxt, map[64];
    for (int p = 0; p < nprow; ++p)
        for (int q = 0; q < npcol; ++q)
            map[q * nprow + p] = ranks[p * npcol + q];
    Cblacs_get(-1, 0, &ictxt);
    Cblacs_gridmap(&ictxt, map, nprow, nprow, npcol);
    return ictxt;
}

/* An nprow x npcol grid of the first processes, in row-major order. */
static inline int
grid(int nprow, int npcol)
{
    int ranks[64];
    for (int k = 0; k < nprow * npcol; ++k)
        ranks[k] = k;
    return grid_of(ranks, nprow, npcol);
}

#endif
