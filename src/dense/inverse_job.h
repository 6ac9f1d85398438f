/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/inverse_job.h
 * An inversion in progress: what its parts share.  inverse.c has the call, its
 * memory and the order of steps; inverse_step.c the panels and the
 * arithmetic. */
#ifndef HESCA_DENSE_INVERSE_JOB_H
#define HESCA_DENSE_INVERSE_JOB_H

#include "dense/inverse.h"
#include "dense/triangle.h"
#include "panel/panel_multicast.h"
#include "panel/panel_transpose.h"

enum {
    HESCA_INVERSE_SLOTS = 3 /* groups in memory: one whose update goes on, the
                               current one, and the next */
};

/** One of the triangles: L, or, if upper, U with rows and columns exchanged.
 * Panels of it are multicast by group; solutions, that is, panels of its
 * inverse, by block. */
typedef struct {
    int upper;
    hesca_panel_mcast_spec factor_spec, solution_spec;
    hesca_panel_mcast *factor, *solution;
    int64_t factors_begun, factors_ready;     /* groups */
    int64_t solutions_begun, solutions_ready; /* blocks */
    /* Of group g in g % HESCA_INVERSE_SLOTS: */
    char *factor_at[HESCA_INVERSE_SLOTS], *solution_at[HESCA_INVERSE_SLOTS];
    int team; /* that shares its solutions, and bytes of each in memory */
    int64_t team_bytes;
} hesca_inverse_side;

typedef struct {
    hesca_comm *c;
    hesca_type type;
    int64_t n, esize;
    hesca_matrix a;
    hesca_local part;
    hesca_rectangle here;
    int nsides;
    hesca_inverse_side side[2]; /* one of a symmetric matrix */
    int64_t nblocks, *end; /* [nblocks + 1] block b: end[b] ... end[b + 1] - 1
                            */
    int64_t widest;        /* block */
    int64_t span, ngroups; /* group g: blocks g span ... */
    int64_t width;         /* of a group, at most: leading dimension */
    int64_t *col_index;    /* [local columns of sub(A)] */
    char *saved;           /* [widest x width] */
    /* Of a symmetric matrix: */
    hesca_triangle triangle;
    hesca_panel_transpose *transpose;
    hesca_panel_transpose_source *source;
    char *transposed_at[HESCA_INVERSE_SLOTS];
    hesca_segment *shared;
    char *memory;
    /* Progress: */
    int64_t now;       /* the current group */
    int64_t done;      /* groups that have updated everything */
    int64_t group, at; /* the group whose update goes on, and the next column
                          of its part */
    int part_of_update;
} hesca_inverse_job;

/** Columns k0 ... k1 - 1 of group g. */
int64_t hesca_inverse_begin_of(const hesca_inverse_job *x, int64_t g);
int64_t hesca_inverse_end_of(const hesca_inverse_job *x, int64_t g);

/** Make progress with all messages; begin panels of factors if there is
 * memory, and solve for blocks of the current group if what they need is here.
 * Never waits for other processes.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_inverse_progress(hesca_inverse_job *x);

/** Whether all panels of the current group are here. */
int hesca_inverse_is_solved(const hesca_inverse_job *x);

/** The updates by the current group of the rows and columns of the next. */
void hesca_inverse_update_next(hesca_inverse_job *x);

/** The update by group x->group of everything else, strip by strip.
 * \return Whether a strip was updated: 0 if it waits for a transpose, or if
 *         all is done. */
int hesca_inverse_update_strip(hesca_inverse_job *x);
int hesca_inverse_has_strips(const hesca_inverse_job *x);

#endif
