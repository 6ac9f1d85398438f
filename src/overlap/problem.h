/** \file overlap/problem.h
 * A redistribution, in global terms: what every process knows alike. */
#ifndef HESCA_OVERLAP_PROBLEM_H
#define HESCA_OVERLAP_PROBLEM_H

#include "hesca/redist.h"
#include "layout/layout.h"
#include "overlap/interval.h"

/** Most process rows (columns) of B that one of A has something in common
 * with, and of A that one of B has. */
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
    int64_t *row_count; /* [a->nprow * b->nprow] rows in common */
    int64_t *col_count; /* [a->npcol * b->npcol] columns in common */
    hesca_fan row_fan, col_fan;
    int nprocs; /* in one of the grids, or in both */
} hesca_problem;

/** Own copies of the layouts, and the counts.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_problem_make(hesca_problem *p, hesca_part part, int64_t m, int64_t n,
                       const hesca_layout *a, int64_t ia, int64_t ja,
                       const hesca_layout *b, int64_t ib, int64_t jb,
                       size_t esize);
void hesca_problem_clear(hesca_problem *p);

/** Same copy between the same layouts. */
int hesca_problem_equal(const hesca_problem *p, const hesca_problem *q);

/** Rows lo ... hi - 1 of column j of sub(A) are copied. */
void hesca_problem_rows(const hesca_problem *p, int64_t j, int64_t *lo,
                        int64_t *hi);

/** Bytes that are copied, and those of them that change their process.  The
 * latter takes a time of O(columns x process rows) for trapezoids.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int64_t hesca_problem_bytes(const hesca_problem *p);
int hesca_problem_moved(const hesca_problem *p, int64_t *bytes);

/** 1 if no process needs another one. */
int hesca_problem_is_local(const hesca_problem *p);

/** Bytes of memory behind a problem. */
size_t hesca_problem_memory(const hesca_problem *p);

#endif
