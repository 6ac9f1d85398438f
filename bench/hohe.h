/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe.h
 * What time_hohe is made of: hesca_gemm() and hesca_potrf() on matrices cut in
 * equal shares and by speeds (HMPI thesis 3.5.1 and 5.3), one process for each
 * processor.
 *
 *   hohe_net.c       the processors: how fast they are, what links them
 *   hohe_case.c      shares on a grid, and what is predicted
 *   hohe_task.c      matrices in these parts: computed, timed, looked at
 *   hohe_results.c   tables
 *   time_hohe.c      the command line, and all of it */
#ifndef HESCA_BENCH_HOHE_H
#define HESCA_BENCH_HOHE_H

#include "harness.h"
#include "hesca/experimental/gblock.h"
#include "hesca/experimental/machine.h"
#include <stdint.h>

enum { HOHE_LIST = 64, HOHE_PROCS_MAX = 1024, HOHE_RUNS_MAX = 101 };

/* ------------------------------------------------ what is asked for */

/** A grid; nprow is 0: to be chosen. */
typedef struct {
    int nprow, npcol;
} hohe_grid;

/** How shares are cut. */
typedef enum {
    HOHE_CYCLIC, /* equal, blocks in turn: as ScaLAPACK does */
    HOHE_EQUAL,  /* equal, in generalized blocks of --l */
    HOHE_CUT,    /* in proportion to speeds */
    HOHE_WAYS
} hohe_way;

extern const char *const hohe_way_name[HOHE_WAYS];

typedef struct {
    hesca_routine routine;
    int64_t n[HOHE_LIST], l[HOHE_LIST];
    int nn, nl;
    hohe_grid grid[HOHE_LIST];
    int ngrids;
    int r;
    int wanted;                    /* bits of ways */
    int64_t speed[HOHE_PROCS_MAX]; /* of processes */
    int nspeeds;                   /* 0: as measured */
    double unit;                   /* operations per second of speed 1 */
    double startup, rate;          /* of links; < 0: as the machine says */
    int is_in_order;               /* grids are of the first processes */
    int is_paper;                  /* nothing but predictions */
    int runs;
    double window; /* s, of the measurement of speeds */
} hohe_options;

/* ------------------------------------------------ processors */

/** The processors, each with one process of its number. */
typedef struct {
    int nprocs, rank;
    double *speed;         /* [nprocs] operations per second */
    hesca_machine machine; /* on process 0: a host for each */
    int has_file;          /* on process 0: HESCA_MACHINE has links */
} hohe_net;

/** Collective over MPI_COMM_WORLD, as all that follows; frees with
 * hohe_net_clear(), also after an error.
 * \return 1, or 0 on all after a message. */
int hohe_net_find(const hohe_options *o, hohe_net *x);
void hohe_net_clear(hohe_net *x);

/* ------------------------------------------------ cases */

/** Shares on a grid. */
typedef struct {
    hohe_way way;
    int64_t n;
    int r, l;
    int nprow, npcol;
    int is_chosen;             /* the grid is */
    int place[HOHE_PROCS_MAX]; /* the process at each place, row by row */
    hesca_gblock *g;
    hesca_forecast forecast; /* on process 0 */
    double choosing;         /* s, on process 0: to find the grid */
    int runs;                /* those that were made */
    double seconds;          /* median of the runs, slowest process */
    double ends[2];          /* shortest and longest run */
    double residual;
} hohe_case;

/** Cut the matrix; where the grid is to be chosen, that too, by prediction.
 * \return 1, or 0 after a message; hohe_case_close() is due then, too. */
int hohe_case_open(const hohe_options *o, const hohe_net *x, hohe_way way,
                   int64_t n, int l, hohe_grid grid, hohe_case *c);
void hohe_case_close(hohe_case *c);

/** Compute as often as asked for, and look at the last result.
 * \return 1, or 0 after a message. */
int hohe_case_run(const hohe_options *o, const hohe_net *x, hohe_case *c);

/** Largest residual that is right. */
double hohe_threshold(hesca_routine routine);

/* ------------------------------------------------ results */

/** A case. */
typedef struct {
    const hohe_options *o;
    const hohe_net *x;
    const hohe_case *c;
} hohe_row;

/** Whether the result is right; on paper there is none. */
int hohe_is_right(const hohe_row *row);

/** Fields of a row, for fields_open(). */
void hohe_put(fields *s, const void *row);

/** \name On process 0
 * \{ */
void hohe_print_head(FILE *f, const hohe_options *o, const hohe_net *x);

/** What comes before the rows of an order. */
void hohe_print_order(FILE *f, const hohe_options *o, const hohe_net *x,
                      int64_t n);
void hohe_tell(fields_files *out, const hohe_row *row);
/** \} */

#endif
