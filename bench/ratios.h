/** \file ratios.h
 * How many times faster than ScaLAPACK HESCA was, over many cases. */
#ifndef HESCA_BENCH_RATIOS_H
#define HESCA_BENCH_RATIOS_H

#include "cases.h"
#include <stdio.h>

/** Ratios below this count as slower. */
#define RATIO_SLOWER 0.95

typedef struct {
    const timing_case *c;
    double ratio;     /* ScaLAPACK's median by HESCA's */
    double real_time; /* s */
} ratio_row;

typedef struct {
    ratio_row *row; /* [n] */
    int n;
} ratio_list;

/** Add a case.
 * \return 1, or 0 if no memory is left. */
int ratios_add(ratio_list *list, const timing_case *c, double ratio,
               double real_time);

/** Print the distribution of each class of shapes, how many were slower, and
 * the ten worst, as options of time_gemr2d.  Sorts the list. */
void ratios_print(FILE *f, ratio_list *list);
void ratios_clear(ratio_list *list);

#endif
