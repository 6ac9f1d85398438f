/* SPDX-License-Identifier: BSD-3-Clause */
/** \file heho.h
 * What time_gemm, time_potrf, time_gesv, time_potrs and time_getrs share: one
 * run times a routine of ScaLAPACK on the same hosts in several ways.
 *
 *   heho_hosts.c     the hosts, and which processes are on them
 *   heho_speeds.c    how fast they are
 *   heho_cases.c     the ways: which process sits where in a grid
 *   heho_task.c      matrices on a grid, and the routines
 *   heho_residual.c  whether their results are right
 *   heho_time.c      one way, timed
 *   heho_bound.c     the least time of a way
 *   heho_results.c   tables
 *   heho.c           the command line, and all of it
 *   time_dense.c     main() */
#ifndef HESCA_BENCH_HEHO_H
#define HESCA_BENCH_HEHO_H

#include "base/activity.h"
#include "harness.h"
#include "hesca/experimental/gblock.h"
#include "hesca/experimental/machine.h"
#include "hesca/experimental/place.h"
#include "hesca/scalapack.h"
#include "hohe/hohe.h"
#include <stdint.h>

/* ------------------------------------------------ routines */

enum { HEHO_DESC = 9 };

/** The matrices of one process.  A, and B and C where a routine has them, are
 * of order n; b and x are vectors.  All are cut into blocks of nb. */
typedef struct {
    hesca_int n, nb, ctxt;
    hesca_int nprow, npcol, myrow, mycol;
    hesca_int rows, cols; /* of A here */
    hesca_int desc[HEHO_DESC], vdesc[HEHO_DESC];
    double *a, *b, *c; /* [rows * cols]; c: A as it was, but for gemm */
    double *v[3];      /* vectors, [rows] */
    hesca_int *pivot;
} heho_task;

/** A routine. */
typedef struct {
    hesca_routine id; /* what speeds and shapes are those of */
    const char *name, *program;
    int solves;           /* with the result of a factorization: */
    hesca_routine solved; /* this */
    const char *kernel;   /* of BLAS or LAPACK, for speeds */
    const char *about;    /* the residual, in words */
    const char *variable; /* its environment variable */
    double factor;        /* operations: factor * n^3 */
    double panels;        /* what is broadcast: of 16 n^2 bytes */
    double threshold;     /* largest residual that is right */
    void (*fill)(heho_task *);
    int (*run)(heho_task *);    /* INFO */
    int (*lapack)(heho_task *); /* the same on a grid of one process, by BLAS
                                   or LAPACK */
    double (*residual)(heho_task *);
} heho_routine;

extern const heho_routine heho_gemm, heho_potrf, heho_gesv, heho_potrs,
    heho_getrs;

/** Have the matrices of this process of a grid.
 * \return 1, or 0 if memory is short. */
int heho_task_open(heho_task *t, int n, int nb, hesca_int ctxt);
void heho_task_close(heho_task *t);

/** Collective over the grid; a residual as ScaLAPACK's testers have it. */
double heho_gemm_residual(heho_task *t);
double heho_potrf_residual(heho_task *t);
double heho_gesv_residual(heho_task *t);
double heho_potrs_residual(heho_task *t);
double heho_getrs_residual(heho_task *t);

/* ------------------------------------------------ hosts */

/** Processes and their hosts. */
typedef struct {
    int nprocs, rank, nhosts;
    int *host;             /* [nprocs] */
    int *first;            /* [nhosts] its first process */
    int *count;            /* [nhosts] of processes */
    double *share;         /* [nhosts] cores, less where there is a quota */
    hesca_machine machine; /* on process 0: the hosts in this order */
    int has_file;          /* HESCA_MACHINE has links */
    char path[64];         /* on process 0: the machine as a file, or "" */
} heho_hosts;

/** Collective over MPI_COMM_WORLD, as all that follows.
 * \return 1, or 0 on all after a message. */
int heho_hosts_find(heho_hosts *x);
void heho_hosts_clear(heho_hosts *x);

/** On process 0: write the machine to a file, where HESCA finds it.
 * \return 1, or 0 after a message. */
int heho_hosts_publish(heho_hosts *x);

/** What a host can do on matrices of an order. */
typedef struct {
    double kernel;  /* operations per second of the routine's kernel */
    double product; /* the same of dgemm, of the fastest run */
    double copy;    /* bytes per second of copies in the cache, likewise */
    double quota;   /* of a core; 0: none */
} heho_speed;

/** Measure it on one process of each host, all at once; the kernel's is
 * entered into the machine.  Hosts with the same CPU quota that are about as
 * fast are as fast as their median, as for HESCA_MACHINE=auto.
 * \param [in]  window  Seconds that each of some measurements takes.
 * \param [out] speed  [nhosts]
 * \return 1, or 0 after a message. */
int heho_speeds(heho_hosts *x, const heho_routine *r, int order, double window,
                heho_speed *speed);

/* ------------------------------------------------ ways */

/** A grid, row by row. */
typedef struct {
    int nprow, npcol;
    int *process; /* [nprow * npcol] */
} heho_grid;

/** What was asked for. */
enum {
    HEHO_LIST = 64,
    HEHO_GRID_MAX = 4096,
    HEHO_RUNS_MAX = 101,
    HEHO_CASES = 8
};
typedef struct {
    int64_t n[HEHO_LIST], nb[HEHO_LIST];
    int nn, nnb;
    int runs;
    int plain[2], grid[2]; /* shapes; 0: to be chosen */
    int64_t map[HEHO_GRID_MAX];
    int nmap;
    int wanted; /* bits of cases; 0: all */
    int is_profiling;
    double window; /* s, of a measurement of speed */
} heho_options;

/** A way to use the hosts. */
typedef struct {
    const char *name, *about;
    /* Which process sits where; on process 0.  1, or 0 after a message. */
    int (*lay)(const heho_hosts *x, const heho_options *o,
               const hesca_job *job, heho_grid *g);
    const char *compute; /* a value of HESCA_GEMM */
    int is_optional;     /* done only where it is asked for */
    int is_lapack;       /* by LAPACK, with a thread for each core */
} heho_case;

extern const heho_case heho_cases[HEHO_CASES];

/* ------------------------------------------------ times */

/** What a process did in a stretch of time; seconds. */
typedef struct {
    double wall, cpu;
    double blas_cpu; /* in calls of BLAS, of levels 2 and 3, and LAPACK */
    double spent[HESCA_ACTIVITIES];
} heho_used;

/** One way, timed. */
typedef struct {
    const heho_case *way;
    heho_grid g;
    hesca_int ctxt; /* of the grid; on processes outside -1 */
    int is_inside;
    heho_used *run; /* [runs] of this process; outside all 0 */
    double seconds; /* median of the runs, slowest process */
    double first;   /* seconds of the first of them */
    double residual;
    heho_used *used; /* [nprocs] of the run nearest to the median */
} heho_timed;

/** Make the grid of g, which is known to all.
 * \return 1, or 0 after a message; heho_timed_close() is due then, too. */
int heho_timed_open(const heho_hosts *x, int runs, heho_timed *t);

/** Run the routine for the k-th time; the last time look at the result.
 * \return 1, or 0 after a message. */
int heho_timed_run(const heho_hosts *x, const heho_routine *r,
                   const hesca_job *job, int k, int runs, heho_timed *t);

/** Make times of all processes those of the grid. */
void heho_timed_settle(const heho_hosts *x, int runs, heho_timed *t);
void heho_timed_close(heho_timed *t);

/** All that a program does. */
int heho_main(int argc, char **argv, const heho_routine *r);

/* ------------------------------------------------ results */

/** One way, at one order and block size. */
typedef struct {
    const heho_hosts *x;
    const heho_routine *r;
    const heho_timed *t;
    const heho_speed *speed; /* [nhosts] */
    hesca_job job;
    hesca_bound bound; /* on process 0 */
    int runs;
    double plain; /* s, 0: not timed */
} heho_row;

/** Fill in the least time of a row, by hesca_bound_make(), on process 0. Where
 * HESCA chooses the grid, and of solves, it is the ideal one of the grid.
 * \return 1, or 0 after a message. */
int heho_bound(heho_row *row);

/** What hesca_hohe_predict() says of the row's call; all 0 on failure. */
hesca_hohe_forecast heho_predict(const heho_row *row);

/** Fields of a row, for fields_open(). */
void heho_put(fields *s, const void *row);

/** Collective; process 0 prints. */
void heho_print_head(FILE *f, const heho_hosts *x, const heho_routine *r);

/** What comes before the rows of an order, and of a block size. */
void heho_print_speeds(FILE *f, const heho_hosts *x, const heho_routine *r,
                       const hesca_job *job, int order,
                       const heho_speed *speed);

void heho_print_ways(FILE *f, const hesca_job *job);

/** A row everywhere, on process 0. */
void heho_tell(fields_files *out, const heho_row *row, int is_profiling);

/** Whether the result is right. */
int heho_is_right(const heho_row *row);

#endif
