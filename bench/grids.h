/* SPDX-License-Identifier: BSD-3-Clause */
/** \file grids.h
 * The process grids of a timer.  Cases that come one after the other often
 * have the same, and where processes outnumber cores BLACS takes a second to
 * make one, so grids are cached.  A and B have their own, even if they are
 * equal, as in a program that does not know whether they are. */
#ifndef HESCA_BENCH_GRIDS_H
#define HESCA_BENCH_GRIDS_H

#include "cases.h"
#include "hesca/scalapack.h"

enum { GRID_A, GRID_B, GRID_LINE, NGRIDS };

/** A grid of processes first, first + 1, ..., by rows, for one of the uses
 * above; those for the same use that the caller had before may end.
 * Collective over all processes.
 * \return its context, -1 on processes outside. */
hesca_int grids_get(int use, int first, int nprow, int npcol);

/** End all of them.  Collective. */
void grids_close(void);

#endif
