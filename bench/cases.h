/* SPDX-License-Identifier: BSD-3-Clause */
/** \file cases.h
 * What time_gemr2d times: one redistribution per case, described on the
 * command line, by a .dat file, by the demonstration table or by a sweep. */
#ifndef HESCA_BENCH_CASES_H
#define HESCA_BENCH_CASES_H

#include <stdint.h>

/** Where the elements of A, or of B, are. */
typedef struct {
    int nprow, npcol; /* shape of the grid; before case_settle(), 0 means as
                         many as there are */
    int first;        /* process (0,0) of the grid; it is filled by rows */
    int mb, nb;       /* rows and columns of a block */
    int rsrc, csrc;   /* process that owns the first block */
    int i, j;         /* first row and column of the submatrix, from 1 */
} distribution;

enum { CASE_NAME = 48 };

/** One redistribution. */
typedef struct {
    char name[CASE_NAME]; /* for people; may be empty */
    int triangular;       /* 0 is P?GEMR2D, 1 is P?TRMR2D */
    char type;            /* one of CASE_TYPES */
    char uplo, diag;      /* U or L, N or U; for P?TRMR2D */
    int m, n;             /* rows and columns of sub(A) */
    distribution a, b;
    int context_a;  /* A's grid as context, if all processes are in it */
    int needs;      /* processes; if there are fewer the case is skipped */
    int64_t memory; /* bytes on all processes; 0: try it in any case */
} timing_case;

#define CASE_TYPES "isdcz"

typedef struct {
    timing_case *item; /* [n] */
    int n;
} case_list;

/** Rows (columns) of a matrix whose submatrix has n of them from the first on,
 * counted from 1, and as many behind as in front of it. */
int64_t extent(int n, int first);

/** Choose the grids that a case leaves open for nprocs processes, and check
 * what depends on them.
 * \return NULL, or what is wrong. */
const char *case_settle(timing_case *c, int nprocs);

/** Read a distribution, [PxQ[@FIRST]:]MBxNB[:RSRC,CSRC].
 * \return 1, or 0 if it is malformed: then *d has not changed. */
int distribution_parse(const char *text, distribution *d);

/** Add a case.
 * \return 1, or 0 if no memory is left. */
int cases_add(case_list *list, const timing_case *c);

/** The cases of a .dat file; GEMR2D.dat documents the format.  What is wrong
 * is reported on stderr, with file, line and token.
 * \return 1, or 0 on error. */
int cases_read(const char *path, int nprocs, case_list *list);

/** The demonstration.
 * \return 1, or 0 if no memory is left. */
int cases_demo(int nprocs, case_list *list);

#endif
