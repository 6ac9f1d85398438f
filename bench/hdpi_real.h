/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hdpi_real.h
 * Matrix multiplication and LU factorization on processes with unequal shares,
 * by BLAS and LAPACK: what time_hdpi times.
 *
 * Matrices are of order n, of made-up numbers that every process can make for
 * itself.  Functions named _run are collective over MPI_COMM_WORLD. */
#ifndef HESCA_BENCH_HDPI_REAL_H
#define HESCA_BENCH_HDPI_REAL_H

#include "hdpi_lu.h"
#include <stddef.h>
#include <stdint.h>

/** A process that is slower than its core, by repeating work. */
typedef struct {
    int slow;     /* all of it is done so often, >= 1 */
    double onset; /* elements; work on more than these is done */
    int paging;   /* so often, in turn, >= 1 */
} emulation;

/** What a run took. */
typedef struct {
    double total;     /* s, from a barrier to the last process */
    double compute;   /* s: of the process that computed longest; LU: the sum
                         over updates */
    double imbalance; /* that, over the mean of processes */
    double residual;  /* over n epsilon norms, as LAPACK's tests have it;
                         looked at only if `checks` */
} taken;

/** Carry out a piece of work, `width` columns of `height` elements, as often
 * as an emulation says; once(state, columns, k), k = 0, 1, ... */
void hdpi_repeat(const emulation *e, int64_t width, int64_t height,
                 void (*once)(void *state, int64_t columns, int k),
                 void *state);

/** The m rows of columns first ... first + n - 1 of a matrix. */
void hdpi_fill(double *x, int which, int64_t m, int64_t first, int64_t n);

/** m x n doubles, at least one, or NULL. */
double *hdpi_matrix(int64_t m, int64_t n);

/** C = A B^T in horizontal stripes: rows [p] for each process, which send
 * their stripes of B around (HMPI thesis, Figure 4.37).
 * \return 1; 0 on all processes if one lacks memory. */
int mm_run(int64_t n, const int64_t *rows, const emulation *e, int checks,
           taken *t);

/** Seconds that the work of a process with `rows` rows takes, of which a part
 * is carried out, again and again until `least` seconds are over, so that
 * turns of the processor, and pauses that quotas impose, are averages.
 *
 * \param [in] cols  Columns of C in that part.
 * \return their mean; -1: no memory. */
double mm_probe(int64_t n, int64_t rows, int64_t cols, const emulation *e,
                double least);

/** LU with partial pivoting, blocks of columns to owners.
 * \return as mm_run(). */
int lu_run(const lu_task *task, const int *owner, const emulation *e,
           int checks, taken *t);

/** Seconds of an update of n rows and `cols` columns, as mm_probe(). */
double lu_probe(const lu_task *task, int64_t cols, const emulation *e,
                double least);

/* --- probing --- */

typedef struct {
    /* Seconds for about *x elements, repeated for `least` seconds; *x becomes
     * what it was.  < 0: it fails. */
    double (*measure)(void *state, double least, double *x);
    void *state;
    double from, to;  /* elements */
    double reference; /* of single speeds */
    double accuracy;  /* of the largest speed */
    int points;       /* at most */
} probe_task;

typedef struct {
    hesca_speed **function, **single; /* [processes] elements per second */
    int points;                       /* of the process with most */
    double seconds;                   /* of the process that took longest */
    char complaint[200];
} probed;

/** Measure, and share what was measured.  A process that is done keeps its
 * core busy until all are, so that all meet the same conditions.  Collective
 * over MPI_COMM_WORLD.
 * \param [out] p  Free with probe_clear() in any case.
 * \return 1; 0 on all processes if one fails. */
int probe_all(const probe_task *t, probed *p);
void probe_clear(probed *p);

/** Models of rows of `order` elements: [p] to free with units_free(); NULL if
 * speed is, or without memory. */
hesca_speed **rows_of_elements(int p, const hesca_speed *const *speed,
                               int64_t order);

#endif
