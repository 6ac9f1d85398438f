/** \file options.h
 * The command line of time_gemr2d. */
#ifndef HESCA_BENCH_OPTIONS_H
#define HESCA_BENCH_OPTIONS_H

#include "cases.h"
#include "tools/lib/cmdline.h"

/** What is timed. */
enum { REAL, HESCA, FLOOR, NROUTINES };

typedef struct {
    int run[NROUTINES]; /* 1 for those that are to run */
    int repeat;         /* 0: as many as fit in seconds, at least 3 */
    double seconds;     /* per case */
    double memory;      /* bytes of a node for a case of a sweep; 0: half of
                           what the node has */
    int drawn;          /* cases are those of --random */
    const char *csv;    /* NULL, a path, or "-" */
    const char *json;
} options;

/** Read the command line, for nprocs processes.  Help goes to stdout, what is
 * wrong to stderr.
 * \return CMDLINE_GO, CMDLINE_HELP (and nothing is to be done), CMDLINE_BAD.
 */
int options_read(int argc, char **argv, int nprocs, options *o,
                 case_list *cases);

#endif
