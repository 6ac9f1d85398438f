/** \file shim/blacs.h
 * The few routines of BLACS and ScaLAPACK that the shim calls.
 *
 * In the shared library they are weak: it is preloaded into whatever a job
 * starts, also into programs that have no ScaLAPACK, and must not be linked
 * with a ScaLAPACK of its own choice. */
#ifndef HESCA_SHIM_BLACS_H
#define HESCA_SHIM_BLACS_H

#include "config.h"
#include "hesca/scalapack.h"
#include <stddef.h>

#ifdef PIC
#define HESCA_OPTIONAL __attribute__((weak))
#define HESCA_HAVE(function) ((function) != NULL)
#else
#define HESCA_OPTIONAL
#define HESCA_HAVE(function) 1
#endif

#define blacs_get FC_FUNC_(blacs_get, BLACS_GET)
#define pxerbla FC_FUNC(pxerbla, PXERBLA)

/* Fortran's BLACS_GET gives MPI handles as they are; the C version would enter
 * them into a table that belongs to the application. */
HESCA_OPTIONAL void blacs_get(const hesca_int *ictxt, const hesca_int *what,
                              hesca_int *val);
HESCA_OPTIONAL void Cblacs_gridinfo(hesca_int ictxt, hesca_int *nprow,
                                    hesca_int *npcol, hesca_int *myrow,
                                    hesca_int *mycol);
HESCA_OPTIONAL void Cblacs_abort(hesca_int ictxt, hesca_int error);
HESCA_OPTIONAL void pxerbla(const hesca_int *ictxt, const char *routine,
                            const hesca_int *info, size_t len);

#endif
