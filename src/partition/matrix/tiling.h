/** \file partition/matrix/tiling.h
 * What tilings are made of, and what all their makers begin and end with. */
#ifndef HESCA_PARTITION_MATRIX_TILING_H
#define HESCA_PARTITION_MATRIX_TILING_H

#include "base/private.h"
#include "hesca/experimental/tiling.h"

/** What follows one another: rows or columns of the matrix. */
typedef enum { HESCA_ROWS, HESCA_COLS } hesca_direction;

/** A part of the matrix: somebody's rectangle, or cut into parts. */
typedef struct {
    hesca_rect r;
    int proc;     /* whose it is; -1: it is cut */
    int first, n; /* its parts are node[first] ... node[first + n - 1], */
    hesca_direction cut; /* one behind the other in rows or columns */
} hesca_tile;

struct hesca_tiling {
    int p, nprow, npcol;
    int64_t m, n, sum, max;
    double time, ideal, sum_bound, max_bound;
    int nodes;
    hesca_tile *node; /* [2 p + 1], the whole is node[0] */
    int *leaf;        /* [p] which node is whose */
    int *at;          /* [p] who is at each place of the grid */
};

/** Whom a matrix is to be cut for. */
typedef struct {
    const char *routine;
    int arg; /* which argument of it is speed */
    int p;
    int64_t m, n;
    const hesca_speed *const *speed;
    int is_constant;    /* all are, whatever their limits */
    double ideal;       /* the time of a set of m n elements */
    double *area;       /* [p] shares of that set, real numbers */
    double *weight;     /* [p] the same, or in proportion to it if no limit
                           counts and speeds are constant: those */
    hesca_speed *alike; /* the model of all if none was given, */
    const hesca_speed **own; /* and [p] times that */
} hesca_tiling_task;

/** Check what all makers are given; m and n are the arguments behind speed,
 * and tiling the last.  The task is to be cleared also on error. */
HESCA_PRIVATE int hesca_tiling_begin(hesca_tiling_task *x, const char *routine,
                                     int arg, int p,
                                     const hesca_speed *const *speed,
                                     int64_t m, int64_t n);
HESCA_PRIVATE void hesca_tiling_clear(hesca_tiling_task *x);

/** Check an argument that is one of least ... most. */
int hesca_tiling_check_choice(const char *routine, int arg, const char *name,
                              int value, int least, int most);

/** Check the shape of a grid: p is argument `arg`, q the next. */
HESCA_PRIVATE int hesca_tiling_check_grid(const char *routine, int arg, int p,
                                          int q);

/** Record that limits do not allow what is wanted; returns err. */
int hesca_tiling_fail_limits(const hesca_tiling_task *x, int err,
                             const char *what);

/** A matrix that is one part yet; NULL: no memory, which is recorded. */
hesca_tiling *hesca_tiling_alloc(const hesca_tiling_task *x, int nprow,
                                 int npcol);

/** Cut a part into n of the given extents, and tell the number of the first.
 */
int hesca_tiling_divide(hesca_tiling *t, int node, hesca_direction cut, int n,
                        const int64_t *extent);

/** A part is processor i's. */
void hesca_tiling_give(hesca_tiling *t, int node, int i);

/** All parts are somebody's: tell the tiling how good it is. */
void hesca_tiling_measure(const hesca_tiling_task *x, hesca_tiling *t);

#endif
