/* SPDX-License-Identifier: BSD-3-Clause */
/** \file local.h
 * One process's part of a matrix whose every element is known in advance, so
 * that a redistribution can be checked to the last bit. */
#ifndef HESCA_BENCH_LOCAL_H
#define HESCA_BENCH_LOCAL_H

#include "cases.h"
#include <stddef.h>
#include <stdint.h>

/** The elements that are not all equal.  Rows and columns count from 0. */
typedef struct {
    int64_t i, j;         /* first row and column of a region of the matrix */
    int64_t m, n;         /* its size */
    char uplo;            /* U or L: only this trapezoid of it; 0: all */
    char diag;            /* N or U: with, without its diagonal */
    int64_t di, dj, rows; /* its element (r,c) bears the number
                             (r + di) + (c + dj) * rows */
} region;

typedef struct {
    int64_t locr, locc;      /* 0 x 0 on processes outside the grid */
    int64_t lld;             /* as small as ScaLAPACK allows */
    size_t esize;            /* bytes per element */
    unsigned char *data;     /* column-major */
    size_t bytes;            /* of data */
    void *memory;            /* data between two guards */
    int64_t *row, *col;      /* [locr], [locc] global rows and columns */
    unsigned char *expected; /* one column */
} local_matrix;

/** What local_check() found. */
typedef struct {
    int64_t count; /* wrong elements; 0 is good */
    int64_t i, j;  /* the first of them, from 0 */
    unsigned char is[16], must[16];
    int guards; /* memory around the array was written to */
} local_errors;

/** Make room for the part of process (myrow, mycol), which owns what
 * ScaLAPACK's NUMROC says; myrow < 0 is a process outside the grid.
 * \return 1, or 0 if no memory is left. */
int local_create(local_matrix *x, int64_t m, int64_t n, const distribution *d,
                 int myrow, int mycol, size_t esize);
void local_free(local_matrix *x);

/** Write what identifies the elements of the region, and fill the rest and the
 * guards with one value; region NULL: fill everything. */
void local_fill(local_matrix *x, const region *r);

/** Compare with what local_fill() writes. */
void local_check(const local_matrix *x, const region *r, local_errors *e);

/** Elements of the region that are here. */
int64_t local_count(const local_matrix *x, const region *r);

#endif
