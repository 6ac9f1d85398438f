/** \file machine/knots.h
 * Knots of speed functions, for who reads, repairs or checks them. */
#ifndef HESCA_MACHINE_KNOTS_H
#define HESCA_MACHINE_KNOTS_H

#include "hesca/experimental/speed.h"

/** Relative distances of neighbours' sizes and of their times, size / speed.
 * Machine files have 10 digits, which may take 2e-9 from a distance. */
#define HESCA_APART_MADE 2e-8    /* of what is repaired */
#define HESCA_APART_WRITTEN 1e-8 /* least that may enter a machine */
#define HESCA_APART_READ 0.79e-8 /* least in a file */

/** What knot j of n has wrong, itself or beside knot j - 1; NULL: nothing. */
const char *hesca_knot_fault(int n, const hesca_knot *knot, int j);

/** The first of n knots that is nearer to the one before it than `apart`; 0:
 * none. */
int hesca_knot_crowded(int n, const hesca_knot *knot, double apart);

#endif
