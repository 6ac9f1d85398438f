/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/quantity.h
 * Numbers with units, as written in machine files: always with a decimal
 * point, independent of the locale of the program. */
#ifndef HESCA_MACHINE_QUANTITY_H
#define HESCA_MACHINE_QUANTITY_H

/** Kinds of numbers. */
typedef enum {
    HESCA_SECONDS,  /* >= 0; s ms us ns */
    HESCA_PER_BYTE, /* seconds per byte, >= 0; no unit */
    HESCA_RATE,     /* bytes per second, > 0; B/s bit/s, with k M G */
    HESCA_SPEED,    /* relative, > 0; no unit */
    HESCA_AMOUNT,   /* >= 0; no unit */
    HESCA_BYTES     /* > 0; B, with k M G */
} hesca_quantity;

enum { HESCA_NUMBER_MAX = 32 }; /* bytes of a written number */

/** The condition for numbers of this kind, for messages. */
const char *hesca_quantity_rule(hesca_quantity q);

/** The value of a whole word.
 * \return 1; 0, with *x unchanged, if it is not of this kind. */
int hesca_quantity_parse(hesca_quantity q, const char *word, double *x);

/** Whether a value is in the range of this kind. */
int hesca_quantity_holds(hesca_quantity q, double x);

/** Write a number with 10 significant digits. */
void hesca_quantity_write(double x, char text[HESCA_NUMBER_MAX]);

#endif
