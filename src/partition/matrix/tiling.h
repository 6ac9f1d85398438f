/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/matrix/tiling.h
 * The structure of a tiling, and what all functions that create tilings have
 * in common. */
#ifndef HESCA_PARTITION_MATRIX_TILING_H
#define HESCA_PARTITION_MATRIX_TILING_H

#include "base/private.h"
#include "hesca/experimental/tiling.h"

/** Direction of lines: rows or columns of the matrix. */
typedef enum { HESCA_ROWS, HESCA_COLS } hesca_direction;

/** A part of the matrix: the rectangle of a processor, or divided into
 * parts. */
typedef struct {
    hesca_rect r;
    int proc;     /* its processor; -1: it is divided */
    int first, n; /* its parts are node[first] ... node[first + n - 1] */
    hesca_direction cut; /* direction in which the parts follow each other */
} hesca_tile;

struct hesca_tiling {
    int p, nprow, npcol;
    int64_t m, n, sum, max;
    double time, ideal, sum_bound, max_bound;
    int nodes;
    hesca_tile *node; /* [2 p + 1]; node[0] is the whole matrix */
    int *leaf;        /* [p] node of each processor */
    int *at;          /* [p] processor at each place of the grid */
};

/** The problem: an m x n matrix, and the processors. */
typedef struct {
    const char *routine;
    int arg; /* number of its argument speed */
    int p;
    int64_t m, n;
    const hesca_speed *const *speed;
    int is_constant;   /* all speeds are constant, limits aside */
    double ideal;      /* time of the set of m n elements */
    double *area;      /* [p] real-valued shares of that set */
    double *weight;    /* [p] the speeds if all are constant, limits aside;
                          else area */
    hesca_speed *unit; /* speed 1, if no models are given */
    const hesca_speed **units; /* [p] unit; used if no models are given */
} hesca_tiling_task;

/** Check the arguments that all functions have in common, and set up the task;
 * m and n are the arguments after speed, and tiling is the last.  Clear the
 * task with hesca_tiling_task_clear(), also on error. */
HESCA_PRIVATE int hesca_tiling_task_init(hesca_tiling_task *x,
                                         const char *routine, int arg, int p,
                                         const hesca_speed *const *speed,
                                         int64_t m, int64_t n);
HESCA_PRIVATE void hesca_tiling_task_clear(hesca_tiling_task *x);

/** Check that an argument is one of least ... most. */
int hesca_tiling_check_choice(const char *routine, int arg, const char *name,
                              int value, int least, int most);

/** Check the shape of a grid: p is argument `arg`, q the next. */
HESCA_PRIVATE int hesca_tiling_check_grid(const char *routine, int arg, int p,
                                          int q);

/** Record that limits do not allow the tiling; returns err. */
int hesca_tiling_fail_limits(const hesca_tiling_task *x, int err,
                             const char *what);

/** A tiling whose matrix is one undivided part; NULL: no memory, and the error
 * is recorded. */
hesca_tiling *hesca_tiling_alloc(const hesca_tiling_task *x, int nprow,
                                 int npcol);

/** Divide a part into n parts of the given extents.  Returns the number of the
 * first.
 * */
int hesca_tiling_divide(hesca_tiling *t, int node, hesca_direction cut, int n,
                        const int64_t *extent);

/** Assign a part to processor i. */
void hesca_tiling_assign(hesca_tiling *t, int node, int i);

/** Compute time, sums and bounds of a tiling whose parts are all assigned. */
void hesca_tiling_measure(const hesca_tiling_task *x, hesca_tiling *t);

#endif
