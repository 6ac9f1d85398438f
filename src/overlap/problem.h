/* SPDX-License-Identifier: BSD-3-Clause */
/** \file overlap/problem.h
 * A redistribution in global terms, the same on every process. */
#ifndef HESCA_OVERLAP_PROBLEM_H
#define HESCA_OVERLAP_PROBLEM_H

#include "hesca/redist.h"
#include "layout/layout.h"
#include "overlap/interval.h"

/** Largest number of process rows (columns) of B that a process row (column)
 * of A has elements in common with: out; the same for one of B and those of
 * A: in. */
typedef struct {
    int out, in;
} hesca_fan;

/** Copy part of A(ia:ia+m-1, ja:ja+n-1) onto B(ib:ib+m-1, jb:jb+n-1). */
typedef struct {
    hesca_part part;
    int64_t m, n;
    hesca_layout *a, *b;
    int64_t ia, ja, ib, jb;
    size_t esize;
    int64_t *row_count; /* common rows, a table of [a->nprow * b->nprow] for
                           every row cut of A and every row cut of B */
    int64_t *col_count; /* common columns, [a->npcol * b->npcol] likewise */
    hesca_fan row_fan, col_fan; /* 0 if a layout is not a product */
    hesca_fan fan;              /* the same for processes */
    int nprocs;                 /* number of processes in the grids */
} hesca_problem;

/** Copy the layouts and compute the counts.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_problem_init(hesca_problem *p, hesca_part part, int64_t m, int64_t n,
                       const hesca_layout *a, int64_t ia, int64_t ja,
                       const hesca_layout *b, int64_t ib, int64_t jb,
                       size_t esize);
void hesca_problem_clear(hesca_problem *p);

/** Whether both describe the same copy between equal layouts. */
int hesca_problem_equal(const hesca_problem *p, const hesca_problem *q);

/** Whether rows and columns are independent: both layouts are products. */
static inline int
hesca_problem_is_product(const hesca_problem *p)
{
    return hesca_layout_is_product(p->a) && hesca_layout_is_product(p->b);
}

/** Common rows of the processes of column c of A and of column d of B:
 * [r * b->nprow + s] for process rows r and s. */
static inline const int64_t *
hesca_problem_row_table(const hesca_problem *p, int c, int d)
{
    const int64_t table =
        (int64_t)hesca_layout_row_cut(p->a, c) * p->b->nrow_cuts +
        hesca_layout_row_cut(p->b, d);
    return p->row_count + table * p->a->nprow * p->b->nprow;
}

/** Common columns of the processes of row r of A and of row s of B:
 * [c * b->npcol + d] for process columns c and d. */
static inline const int64_t *
hesca_problem_col_table(const hesca_problem *p, int r, int s)
{
    const int64_t table =
        (int64_t)hesca_layout_col_cut(p->a, r) * p->b->ncol_cuts +
        hesca_layout_col_cut(p->b, s);
    return p->col_count + table * p->a->npcol * p->b->npcol;
}

/** Rows, columns and elements of the common rectangle of process (r,c) of A
 * and process (s,d) of B. */
static inline int64_t
hesca_problem_common_rows(const hesca_problem *p, int r, int c, int s, int d)
{
    return hesca_problem_row_table(p, c, d)[(int64_t)r * p->b->nprow + s];
}

static inline int64_t
hesca_problem_common_cols(const hesca_problem *p, int r, int c, int s, int d)
{
    return hesca_problem_col_table(p, r, s)[(int64_t)c * p->b->npcol + d];
}

static inline int64_t
hesca_problem_common(const hesca_problem *p, int r, int c, int s, int d)
{
    return hesca_problem_common_rows(p, r, c, s, d) *
           hesca_problem_common_cols(p, r, c, s, d);
}

/** Elements of the largest common rectangle of two processes, and of the
 * largest part of sub(A) or sub(B) on one process.  In double, so that they do
 * not overflow. */
double hesca_problem_longest(const hesca_problem *p);
double hesca_problem_largest(const hesca_problem *p);

/** The rows lo ... hi - 1 of column j of sub(A) that are copied. */
void hesca_problem_rows(const hesca_problem *p, int64_t j, int64_t *lo,
                        int64_t *hi);

/** Bytes that are copied, and those of them that move to another process.  The
 * latter takes O(columns x process rows) time for trapezoids.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int64_t hesca_problem_bytes(const hesca_problem *p);
int hesca_problem_moved(const hesca_problem *p, int64_t *bytes);

/** 1 if no element moves to another process. */
int hesca_problem_is_local(const hesca_problem *p);

/** Bytes of heap memory of a problem. */
size_t hesca_problem_memory(const hesca_problem *p);

#endif
