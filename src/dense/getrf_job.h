/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/getrf_job.h
 * An LU factorization in progress: what its parts share.  getrf.c has the
 * call, its memory and the columns on the left; getrf_grid.c and getrf_row.c
 * the steps on the right. */
#ifndef HESCA_DENSE_GETRF_JOB_H
#define HESCA_DENSE_GETRF_JOB_H

#include "dense/panel_factor.h"
#include "exec/background.h"
#include "panel/panel_multicast.h"
#include "panel/row_interchange.h"

enum {
    HESCA_LU_WIDEST = 64, /* panel */
    HESCA_LU_DEPTH = 2,   /* panels, or groups of them, in memory */
    HESCA_LU_SHARED = 3   /* panels in memory that the node shares */
};

/** The panel of columns k0 ... k1 - 1; panel t is in panel_state[t %
 * HESCA_LU_DEPTH]. */
typedef struct {
    int64_t k0, k1;
    hesca_head head;
    char *l; /* L21, this process's rows */
    int64_t ldl;
    int64_t exchanged; /* columns k1 ... exchanged - 1 are being exchanged */
    int64_t chunks;    /* exchanges before those of this panel */
    int is_sorted;
    int64_t *top, *from, *to; /* the rows that are exchanged, of from and to
                                 [2 widest] */
    int64_t nmoves;
} hesca_lu_panel;

typedef struct {
    const hesca_comm *c;
    hesca_type type;
    int64_t esize, m, n, k; /* k = min(m, n) */
    hesca_local part;
    char *a;
    int64_t lld;
    int64_t row_end, col_begin, col_end; /* local, of sub(A) */
    int64_t widest;                      /* panel, and rows of u */
    int64_t span;                        /* panels of a group: getrf_row.c */
    int64_t npanels, *bound;             /* panel t is columns bound[t] ... */
    int64_t stride;                      /* of chunks */
    hesca_panel panel;
    hesca_panel_mcast *mcast;
    hesca_row_interchange *interchange, *left;
    hesca_lu_panel panel_state[HESCA_LU_DEPTH];
    char *l[HESCA_LU_DEPTH]; /* memory of L21, ldl x (span widest) */
    int64_t ldl;
    hesca_segment *shared;       /* panels arrive in it; or NULL */
    char *slot[HESCA_LU_SHARED]; /* panel t in t % HESCA_LU_SHARED, ldl rows */
    char *u;                     /* U12, widest x columns: getrf_grid.c */
    int64_t begun;               /* panels */
    int64_t mcast_ready, interchanges_begun, interchanges_ready;
    int64_t *ipiv;
    int64_t info;
    int64_t *source, *place;  /* [m] permutations of rows */
    int64_t *from, *to;       /* [m] */
    char *line;               /* elements of a column that move: getrf_row.c */
    hesca_background *copies; /* of sub(A), there and back; or NULL */
    int64_t nfinal;           /* rows that may go back: getrf_row.c */
    hesca_request_set requests;
    int64_t *outcome; /* info and pivots, for processes outside of the grid */
} hesca_lu;

/** The end of the panel that begins with column k0. */
int64_t hesca_lu_panel_end(const hesca_lu *f, int64_t k0);

/** Make progress with all messages; self is the hesca_lu. */
int hesca_lu_progress(void *self);

/** Wait, making progress with all messages, so that no process blocks another
 * one. */
typedef int (*hesca_lu_condition)(hesca_lu *f, int64_t x);
int hesca_lu_wait(hesca_lu *f, hesca_lu_condition is_true, int64_t x,
                  const char *what);

/** Whether this process's local columns before column `end` have arrived; and
 * wait for them. */
int hesca_lu_has_arrived(hesca_lu *f, int64_t end);
int hesca_lu_await_columns(hesca_lu *f, int64_t end);

/** Factor the next panel on its process, and begin its multicast into l, or
 * into shared memory; all earlier panels have updated its columns. */
int hesca_lu_begin_panel(hesca_lu *f, char *l, int64_t ldl);

/** Take info and pivots of a panel, the head of which is here. */
void hesca_lu_take_head(hesca_lu *f, const hesca_lu_panel *s);

/** Factor all panels, and update the columns to the right of each: on any
 * grid, or on one process row. */
int hesca_lu_factor_grid(hesca_lu *f);
int hesca_lu_factor_row(hesca_lu *f);

#endif
