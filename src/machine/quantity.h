/** \file machine/quantity.h
 * Numbers with units, as people write them in machine files: always with a
 * point, whatever the program's locale says. */
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

enum { HESCA_NUMBER_MAX = 32 }; /* bytes of a written one */

/** What a number of this kind must be, for messages. */
const char *hesca_quantity_rule(hesca_quantity q);

/** The value of a whole word.
 * \return 1, or 0 if it is none of this kind; *x is unchanged then. */
int hesca_quantity_parse(hesca_quantity q, const char *word, double *x);

/** Whether a value is one of this kind. */
int hesca_quantity_holds(hesca_quantity q, double x);

/** Write a number of 10 digits. */
void hesca_quantity_write(double x, char text[HESCA_NUMBER_MAX]);

#endif
