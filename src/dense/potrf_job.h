/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/potrf_job.h
 * A Cholesky factorization in progress: what its parts share.  potrf.c has the
 * algorithm, the update and the call; potrf_memory.c the memory; potrf_panel.c
 * panels, from the diagonal block to the slices of all processes. */
#ifndef HESCA_DENSE_POTRF_JOB_H
#define HESCA_DENSE_POTRF_JOB_H

#include "dense/triangle.h"
#include "exec/background.h"
#include "hesca/experimental/dense.h"
#include "panel/panel_multicast.h"
#include "panel/panel_transpose.h"
#include "panel/small_bcast.h"

enum {
    HESCA_POTRF_WIDEST = 64, /* panel */
    HESCA_POTRF_AHEAD = 3,   /* panels that begin ahead of the current one */
    HESCA_POTRF_FLIGHT = HESCA_POTRF_AHEAD + 1, /* panels in flight */
    HESCA_POTRF_SPAN = 4,      /* panels of a group, inside a node, and of the
          first one of a matrix that arrives; between nodes half; */
    HESCA_POTRF_SPAN_MOST = 8, /* more of them if blocks are narrow */
    HESCA_POTRF_GROUPS =
        HESCA_POTRF_AHEAD + 2, /* in memory: that whose update goes on, that of
          the current panel, those of the panels ahead */
    HESCA_POTRF_DEPTH =
        3 * HESCA_POTRF_SPAN_MOST, /* panels in memory, at most */
    HESCA_POTRF_CHUNKS = 3,        /* of the rows of a panel, at most */
    HESCA_POTRF_HEAD = 16, /* bytes before a diagonal block: its info */
    HESCA_POTRF_LINE =
        64 /* bytes of a cache line, at which groups of panels begin */
};

/* The panel of columns k0 ... k1 - 1. */
typedef struct {
    int64_t k0, k1;
    int64_t applied[HESCA_POTRF_CHUNKS]; /* panels 0 ... applied - 1 have
                                            updated the chunk */
    int nupdated; /* chunks that all panels before have updated */
    int solves;   /* this process has rows of it */
    hesca_small_bcast block,
        info_bcast;    /* the diagonal block; info, to all processes */
    char *diagonal;    /* HESCA_POTRF_HEAD bytes, then k1 - k0 columns */
    int64_t info;      /* received by info_bcast */
    char *has, *wants; /* slices by the multicast, and by the transpose */
    int64_t ld_has, ld_wants;
} hesca_potrf_panel;

/* The slices of panels t, t + 1 ... of a group are side by side, so that they
 * are one panel, for indices behind all of them. */
typedef struct {
    char *has, *wants;
    int64_t k0, k1; /* of its first panel */
    int64_t ld_has, ld_wants;
} hesca_potrf_group;

/* The update by a group of what is behind the panels that are known at its
 * end: strips of columns (upper: rows), done in the next group's steps and
 * whenever there is nothing else to do. */
typedef struct {
    int64_t t, end;  /* panels t ... end - 1 */
    int64_t at_once; /* of these */
    hesca_rectangle left;
    int64_t strip; /* columns at once */
} hesca_potrf_queue;

typedef struct {
    const hesca_comm *c;
    hesca_type type;
    int upper;
    int64_t n, widest, esize;
    hesca_matrix a;
    hesca_local part;
    hesca_triangle trailing;
    hesca_segment *shared; /* has the slices by the multicast, or NULL */
    int team;              /* this process's row (upper: column) */
    int64_t team_bytes;    /* of each row in it */
    hesca_panel_transpose_source *source; /* [nprow or npcol] */
    hesca_panel_mcast *mcast;
    hesca_panel_transpose *near,
        *far; /* transposes: of the next two panels' indices, of all others */
    hesca_potrf_panel panel[HESCA_POTRF_DEPTH]; /* panel t in t % depth */
    int64_t depth;
    int64_t lead, span; /* panels of the first group, and of the others */
    hesca_potrf_group group[HESCA_POTRF_GROUPS]; /* group g in g % ngroups */
    int ngroups;
    hesca_potrf_queue rest;
    int *line; /* [nprow or npcol] ranks that have rows of a panel */
    int place; /* in the grid; -1: outside */
    int64_t known, begun; /* panels with known bounds; panels begun */
    int64_t now;          /* the current panel */
    /* Chunks of rows: of all panels so many, those at the end may be empty;
     * counted through all panels, those of which the multicast has begun, and
     * which are here. */
    int nchunks;
    int64_t chunk, sent, here;
    int64_t transposed_far;   /* panels that were transposed */
    hesca_background *copies; /* of a, there and back; or NULL */
    int64_t info;
} hesca_potrf_job;

/** The group of panel t. */
static inline int64_t
hesca_potrf_group_of(const hesca_potrf_job *x, int64_t t)
{
    return t < x->lead ? 0 : 1 + (t - x->lead) / x->span;
}

/** The first panel of group g; 0 if there is no such group before the first
 * one. */
static inline int64_t
hesca_potrf_group_begin(const hesca_potrf_job *x, int64_t g)
{
    return g <= 0 ? 0 : x->lead + (g - 1) * x->span;
}

/* potrf_memory.c */

/** Memory that the node shares, for groups of panels of each process row; none
 * is no error. */
int hesca_potrf_share(hesca_potrf_job *x, hesca_comm *c);

/** Allocate what this process needs. */
int hesca_potrf_make(hesca_potrf_job *x);

/** Free it, whatever there is. */
void hesca_potrf_clear(hesca_potrf_job *x);

/* potrf_panel.c */

/** The end of the panel that begins with column k0. */
int64_t hesca_potrf_panel_end(const hesca_potrf_job *x, int64_t k0);

/** The end of chunk r of the rows below panel p; the first chunk has those of
 * the next two panels. */
int64_t hesca_potrf_chunk_end(const hesca_potrf_job *x,
                              const hesca_potrf_panel *p, int r);

/** Whether rows below panel t up to row `end` are here. */
int hesca_potrf_has_rows(const hesca_potrf_job *x, int64_t t, int64_t end);

/** Steps 1 to 3 for panel t, as far as possible without waiting. */
int hesca_potrf_begin(hesca_potrf_job *x, int64_t t);

/** Advance all panels in flight. */
int hesca_potrf_advance(hesca_potrf_job *x);

/** Whether the slices of panel t with the indices of the next two panels are
 * here, and its info. */
int hesca_potrf_is_near(const hesca_potrf_job *x, int64_t t);

/** Whether all of panel t is here and has been forwarded, so that its memory
 * may be reused. */
int hesca_potrf_is_over(const hesca_potrf_job *x, int64_t t);

#endif
