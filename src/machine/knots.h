/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/knots.h
 * Knots of speed functions, for the files that read, repair or check them. */
#ifndef HESCA_MACHINE_KNOTS_H
#define HESCA_MACHINE_KNOTS_H

#include "hesca/experimental/speed.h"

/** Relative distances of the sizes of neighbouring knots and of their times,
 * size / speed.  Machine files have 10 digits, which may reduce a distance by
 * 2e-9. */
#define HESCA_APART_MADE 2e-8    /* distance after a repair */
#define HESCA_APART_WRITTEN 1e-8 /* least in a machine */
#define HESCA_APART_READ 0.79e-8 /* least in a file */

/** \return What is wrong with knot j of n, or with its order behind knot
 * j - 1; NULL if nothing is. */
const char *hesca_knot_fault(int n, const hesca_knot *knot, int j);

/** \return The first of n knots that is nearer than `apart` to the previous
 * one; 0 if there is none. */
int hesca_knot_crowded(int n, const hesca_knot *knot, double apart);

#endif
