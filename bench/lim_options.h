/** \file lim_options.h
 * The command line of time_lim. */
#ifndef HESCA_BENCH_LIM_OPTIONS_H
#define HESCA_BENCH_LIM_OPTIONS_H

#include "hesca/experimental/param.h"
#include <stdint.h>

enum { LIM_FACTORS = 512, LIM_NAMES = 24 };

typedef struct {
    int64_t k[LIM_FACTORS]; /* factors by which blocks grow */
    char name[LIM_NAMES + 1][HESCA_NAME_MAX]; /* schedules, and what else is
                                                 compared */
    int nk, nnames;
    int procs;      /* that take part */
    int is_row;     /* the array is a 1 x N matrix */
    int x, esize;   /* elements of a block; bytes of an element */
    int64_t bytes;  /* of the array, about */
    int n1, n2;     /* LIM Figure 13, at most */
    double seconds; /* for one schedule and one K */
    const char *transport, *csv, *json;
} lim_options;

/** Read the command line, for nprocs processes.
 * \return CMDLINE_GO, CMDLINE_HELP, CMDLINE_BAD. */
int lim_options_read(int argc, char **argv, int nprocs, lim_options *o);

#endif
