/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/panel_factor.h
 * Factorization of one panel, LU with partial pivoting or QR: a few columns,
 * which are in one process of every process row; these processes are the
 * panel's team.
 *
 * The member with most of the rows, the root, gathers the rows of the others,
 * factors them and returns them. That takes two messages per member; an
 * exchange for every column, as in textbooks and ScaLAPACK, pays latency for
 * each column. */
#ifndef HESCA_DENSE_PANEL_FACTOR_H
#define HESCA_DENSE_PANEL_FACTOR_H

#include "dense/kernels.h"
#include "dense/local.h"
#include "panel/request_set.h"

typedef enum { HESCA_PANEL_LU, HESCA_PANEL_QR } hesca_panel_method;

/** The head of a panel of width columns, which all processes receive. */
typedef struct {
    int64_t width;
    int64_t *data; /* info, pivots, the block; one message */
} hesca_head;

/** Bytes of that message, and its parts: info, counted from 1 within the
 * panel, 0: no pivot is zero; [width] the row of sub(A) that each row k0 + c
 * was interchanged with; L and U, width x width.  Of QR info and pivots are 0,
 * and the block is the triangle T of the reflectors (householder.h), the other
 * triangle 0. */
size_t hesca_head_bytes(int64_t width, size_t esize);
int64_t *hesca_head_info(const hesca_head *h);
int64_t *hesca_head_pivots(const hesca_head *h);
char *hesca_head_block(const hesca_head *h);

/** Called during waits, to make progress with other messages. */
typedef struct {
    int (*progress)(void *);
    void *self;
} hesca_meanwhile;

typedef struct {
    hesca_request_set *requests; /* for the messages */
    hesca_type type;
    hesca_panel_method method;
    hesca_local part;
    int64_t m;      /* rows of sub(A) */
    int64_t widest; /* panel */
    char *a;        /* the local array */
    int64_t lld;
    int tag_rows, tag_head;
    hesca_meanwhile meanwhile;
    int nprocs;                              /* of the grid */
    int64_t rows_left, head_in, head_out[2]; /* requests */
    int64_t begun;                           /* panels */
    /* Of the panel that is factored: */
    int64_t k0, k1;
    int *pcol;     /* [nprow] process columns of the team */
    int64_t *rows; /* [nprow] rows from k0 on of each */
    int root;      /* process row of the root */
    hesca_head head;
    int has_head;   /* the head is here */
    int *receiver;  /* [nprocs] */
    char *packed;   /* packed rows of one member, or of all members in order */
    char *returned; /* the factored rows of a member */
    int awaits;     /* whether rows of the others, or these, are expected */
    char *work;     /* [widest x widest] of QR */
    char *whole;    /* the panel */
    int64_t *index; /* [m] */
    int *pivot;     /* [widest] */
} hesca_panel;

/** Allocate for n panels of sub(A), the columns bound[t] ... bound[t + 1] - 1;
 * the members of *p set by the caller stay. Local; hesca_request_set_init()
 * follows.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; clear it in any case. */
int hesca_panel_init(hesca_panel *p, int64_t n, const int64_t *bound);
void hesca_panel_clear(hesca_panel *p);

/** Begin with columns k0 ... k1 - 1, from row k0 on; all processes of the grid
 * begin the same panels.  Never waits.
 * \param [out] head  Memory of the head; that of the head before last may be
 *                    reused.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_begin(hesca_panel *p, int64_t k0, int64_t k1,
                      const hesca_head *head);

/** Whether the next panel may begin. */
int hesca_panel_may_begin(const hesca_panel *p);

/** Whether this process has columns of the panel. */
int hesca_panel_is_member(const hesca_panel *p);

/** Factor the panel. Collective over its team; waits for the team. This
 * process's rows below the head are written; of QR, the head's as well.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_factor(hesca_panel *p);

/** The same in two parts, between which the team may compute.
 * \param [out] done  Whether it is complete here; else the second part, which
 *                    never waits, is to be called again. */
int hesca_panel_start(hesca_panel *p);
int hesca_panel_finish(hesca_panel *p, int *done);

/** Forward the head, if it has arrived; p->has_head: it is here.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_advance(hesca_panel *p);

/** Write this process's rows of the head into A; the head must be here. */
void hesca_panel_store_head(hesca_panel *p);

/** Whether no message is in flight. */
int hesca_panel_is_over(const hesca_panel *p);

#endif
