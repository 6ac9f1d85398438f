/* SPDX-License-Identifier: BSD-3-Clause */
/** \file gemr2d.h
 * What time_gemr2d is made of.
 *
 *   gemr2d_options.c  the command line
 *   cases.c           the cases of files and of the demonstration
 *   sweep.c           those of --sweep: what a redistribution costs, from 8
 * KiB to 800 MB, between small and large blocks, on grids of several shapes
 *   draw.c            those of --random: shapes, blocks, grids and offsets
 * that no person has chosen gemr2d_results.c  tables, CSV and JSON ratios.c
 * how many times faster than ScaLAPACK HESCA was time_gemr2d.c     all of it
 */
#ifndef HESCA_BENCH_GEMR2D_H
#define HESCA_BENCH_GEMR2D_H

#include "cases.h"
#include "facts.h"
#include "harness.h"

/* --- options --- */

/** What is timed. */
enum { REAL, HESCA, FLOOR, NROUTINES };

typedef struct {
    int run[NROUTINES]; /* 1 for those that are to run */
    int repeat;         /* 0: as many as fit in seconds, at least 3 */
    double seconds;     /* per case */
    double memory;      /* bytes of a node for a case of a sweep; 0: half of
                           what the node has */
    timing_case c;      /* the one case */
    const char *input;  /* a file of cases, NULL: none */
    int demo, sweep;    /* cases are those; sweep: its parts, or 0 */
    int drawn, seed;    /* cases to draw, or 0 */
    int context;        /* what --context is for all cases, or -1 */
    int64_t max_bytes;  /* of the matrices of a sweep, or drawn; 0: any */
} options;

/** The table of options, and what --help prints below it. */
extern const cmdline_row gemr2d_options[];
extern const int gemr2d_noptions;
extern const char gemr2d_notes[];

/** The cases that the options describe, for nprocs processes.
 * \return 1, or 0 after a message. */
int gemr2d_cases(options *o, int nprocs, case_list *cases);

/* --- cases --- */

/** Classes of shapes by the smaller dimension: 1, less than DRAW_SQUARE, or
 * more. */
typedef enum { DRAW_VECTOR, DRAW_THIN, DRAW_BLOCK, DRAW_CLASSES } draw_class;

enum { DRAW_SQUARE = 12 };

extern const char *const draw_class_name[DRAW_CLASSES];

draw_class draw_class_of(const timing_case *c);

/** Add n cases of P?GEMR2D on at most nprocs processes, the same ones for the
 * same seed.  No matrix has more than max_bytes.
 * \return 1, or 0 if no memory is left. */
int draw_cases(int n, uint64_t seed, int64_t max_bytes, int nprocs,
               case_list *list);

/** Parts of the sweep; SWEEP_ALL is all of them. */
enum { SWEEP_SIZE = 1, SWEEP_BLOCK = 2, SWEEP_SHAPE = 4, SWEEP_ALL = 7 };

/** Bytes of the smallest and of the largest matrix. */
enum { SWEEP_LEAST = 8192, SWEEP_MOST = 800000000 };

/** Add the cases of some parts for nprocs processes, each case once.  No
 * matrix has more than max_bytes, which is at least SWEEP_LEAST.
 * \return 1, or 0 if no memory is left. */
int sweep_cases(int parts, int64_t max_bytes, int nprocs, case_list *list);

/* --- results --- */

typedef struct {
    const timing_case *c;
    const facts *f;
    int context_a;
    int repeats;
    double bytes; /* of sub(A), the part copied */
    int ran[NROUTINES];
    double median[NROUTINES], min[NROUTINES]; /* s */
    int identical; /* all that ran are right, bit for bit */
} result;

enum { REPORT_CELLS = 4 }; /* routine, size, from, to */

typedef struct {
    fields_files *out;
    const facts *f;
    int width[REPORT_CELLS];
} report;

void report_head(report *r, const case_list *cases);
void report_result(report *r, const result *x);
void report_skipped(report *r, const timing_case *c, const char *why);

/** The columns of CSV and JSON. */
void report_put(fields *s, const void *row);

/** For example pdgemr2d. */
void routine_name(const timing_case *c, char name[16]);

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
