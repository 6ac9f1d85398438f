/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/reflectors.h
 * A block of Householder reflectors, applied to a distributed matrix:
 * sub(C) := Q sub(C), Q^H sub(C), sub(C) Q or sub(C) Q^H with Q = I - V T V^H.
 *
 * Q mixes rows of sub(C), or columns if it stands on the right; the lines that
 * are not mixed, columns or rows, are processed by chunks.  A process has the
 * rows of V with the indices of its part of sub(C). It multiplies them with
 * its part, W = V^H C (or W^T = (C V)^T), the sums over the processes that
 * have the same lines are exchanged (panel/panel_sum.h), each multiplies T,
 * and updates its part. */
#ifndef HESCA_DENSE_REFLECTORS_H
#define HESCA_DENSE_REFLECTORS_H

#include "dense/kernels.h"
#include "dense/local.h"
#include "panel/panel_sum.h"

typedef struct {
    const hesca_comm *c;
    hesca_type type;
    int right;        /* Q is on the right */
    hesca_local part; /* of sub(C) */
    char *a;          /* the local array */
    int64_t lld;
    int64_t order, n; /* indices that Q mixes, and lines */
    int64_t widest;   /* block */
    /* Products in memory that the node shares, from memory on: see
     * hesca_reflectors_shared_bytes(); or NULL. */
    hesca_segment *shared;
    int user; /* of it */
    char *memory;
    /* Set by hesca_reflectors_init(): */
    int64_t esize, stride;
    hesca_panel_sum *sum; /* NULL: a process has all indices of its lines */
    char *head;           /* the first rows of V, with its unit diagonal */
    int64_t *index;
    char *t, op_of_t; /* T, or its conjugate, and what of it is applied */
    char *w;          /* of a chunk: V^H C, and T times it */
    /* Of the block: */
    int64_t k0, width;
    const char *v; /* rows of V behind those in head */
    int64_t ldv;
    int64_t begin, body, end; /* local indices of head and body */
} hesca_reflectors;

/** Bytes on this process for each reflector of a block. Local. */
int64_t hesca_reflectors_bytes(const hesca_reflectors *r);

/** Bytes of memory that the node may share for all processes, or 0. */
int64_t hesca_reflectors_shared_bytes(const hesca_reflectors *r);

/** Allocate; the members before esize are set. Local; clear it in any case.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_reflectors_init(hesca_reflectors *r, hesca_request_set *requests,
                          int tag);
void hesca_reflectors_clear(hesca_reflectors *r);

/** Begin the block of reflectors k0 ... k0 + width - 1, after the sums of the
 * one before.
 * \param [in] v  (local) The rows of V from index k0 on, as in ?GEQRF: unit
 *                and zero elements are not read. */
void hesca_reflectors_begin(hesca_reflectors *r, int64_t k0, int64_t width,
                            const char *v, int64_t ldv);

/** The end of the chunk of lines that begins at line j; chunks end at the same
 * lines in all blocks. */
int64_t hesca_reflectors_chunk_end(const hesca_reflectors *r, int64_t j);

/** Set T.
 * \param [in] op  'N': Q, 'C': Q^H.
 * \param [in] t   (global) [width x width] */
void hesca_reflectors_set_t(hesca_reflectors *r, char op, const char *t);

/** V^H V of this process's rows, the part above the diagonal. */
void hesca_reflectors_gram(const hesca_reflectors *r, char *gram);

/** Whether this process has indices that the block mixes, and whether sums are
 * exchanged. */
int hesca_reflectors_is_member(const hesca_reflectors *r);
int hesca_reflectors_has_sums(const hesca_reflectors *r);

/** Multiply V with lines j0 ... j1 - 1, and begin to exchange the sums.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_reflectors_multiply(hesca_reflectors *r, int64_t j0, int64_t j1);

/** Update lines j0 ... j1 - 1, the oldest that were multiplied and not
 * updated; their sums are here. Without sums it also multiplies. */
void hesca_reflectors_update(hesca_reflectors *r, int64_t j0, int64_t j1);

#endif
