/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/blacs/blacs.h
 * The few routines of BLACS and ScaLAPACK that the shim calls.
 *
 * The shared library is preloaded into whatever a job starts, also into
 * programs without ScaLAPACK, and must not bring a ScaLAPACK of its own
 * choice: it looks for that of the program when the first call arrives. */
#ifndef HESCA_SHIM_BLACS_BLACS_H
#define HESCA_SHIM_BLACS_BLACS_H

#include "hesca/experimental/param.h"
#include "hesca/scalapack.h"
#include <limits.h>
#include <stddef.h>

typedef void hesca_blacs_get(const hesca_int *ictxt, const hesca_int *what,
                             hesca_int *val);
typedef void hesca_blacs_gridinfo(hesca_int ictxt, hesca_int *nprow,
                                  hesca_int *npcol, hesca_int *myrow,
                                  hesca_int *mycol);
typedef void hesca_blacs_gridmap(hesca_int *ictxt, const hesca_int *map,
                                 const hesca_int *ldmap,
                                 const hesca_int *nprow,
                                 const hesca_int *npcol);
typedef void hesca_blacs_gridexit(hesca_int ictxt);
typedef void hesca_blacs_abort(hesca_int ictxt, hesca_int error);
typedef void hesca_pxerbla(const hesca_int *ictxt, const char *routine,
                           const hesca_int *info, size_t len);

typedef struct {
    /* Fortran's BLACS_GET gives MPI handles as they are; the C version would
     * enter them into a table that belongs to the application. */
    hesca_blacs_get *get;
    hesca_blacs_gridinfo *gridinfo;
    hesca_blacs_abort *abort;
    hesca_pxerbla *pxerbla;
    /* Fortran's, of which system contexts are MPI handles as they are; to be
     * called where hesca_inside_original > 0.  Like gridexit, NULL if there is
     * none. */
    hesca_blacs_gridmap *gridmap;
    hesca_blacs_gridexit *gridexit;
} hesca_blacs;

/** The program's BLACS; NULL if it has none, or if their INTEGER is not
 * hesca_int. Local. */
const hesca_blacs *hesca_blacs_find(void);

/** After an error that has been reported: stop the program, unless
 * HESCA_ONERROR is return. */
void hesca_blacs_stop(const hesca_params *params, hesca_int ictxt);
/** Cblacs_gridinfo, whatever its INTEGER; NULL if there is none. */
hesca_function hesca_blacs_gridinfo_function(void);

/** Cblacs_gridinfo of the BLACS that hesca_blacs_find() has found. */
void hesca_blacs_grid(int64_t ictxt, int *nprow, int *npcol, int *myrow,
                      int *mycol);

/** Whether libhesca can count by int what ScaLAPACK counts by INTEGER. */
static inline int
hesca_blacs_is_int(int64_t x)
{
    return INT_MIN <= x && x <= INT_MAX;
}

#endif
