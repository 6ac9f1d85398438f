/* SPDX-License-Identifier: BSD-3-Clause */
/** \file layout/axis.h
 * One dimension of a layout: the owner and the local index of index i.
 *
 * An axis is periodic: a period of indices is divided into pieces, each with
 * an owner.  The local indices of an owner in one period follow those in the
 * period before without a gap.  This type describes block-cyclic, block,
 * cyclic and generalized-block distributions.  All functions are pure. */
#ifndef HESCA_LAYOUT_AXIS_H
#define HESCA_LAYOUT_AXIS_H

#include <stddef.h>
#include <stdint.h>

/** Indices offset ... offset + length - 1 of every period. */
typedef struct {
    int64_t offset, length;
    int64_t local; /* local index of the first, within a period */
    int owner;
} hesca_piece;

typedef struct {
    int64_t n; /* indices 0 ... n - 1; the last period may be incomplete */
    int64_t period;     /* >= 1 */
    int nowners;        /* owners 0 ... nowners - 1 */
    int npieces;        /* ordered by offset, covering the period */
    hesca_piece *piece; /* [npieces] */
    int64_t *share;     /* [nowners] indices of a period that each owns */
    int *first; /* [nowners + 1] position in own of an owner's first piece */
    int *own;   /* [npieces] pieces by owner, those of an owner ascending */
} hesca_axis;

/** Cyclic distribution of n indices in blocks of nb over nprocs owners, the
 * first block on isrcproc.  With one owner the blocks merge into one piece.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_axis_cyclic(hesca_axis *x, int64_t n, int nb, int isrcproc,
                      int nprocs);

/** Generalized blocks: a period has length[0] + ... + length[nowners - 1]
 * indices, of which owner p has length[p] consecutive ones.  Lengths are >= 0,
 * their sum is 1 ... 2^62.  Equal lengths give cyclic(length[0]).  An owner of
 * length 0 has no piece; an owner of all indices has one long piece.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_axis_generalized(hesca_axis *x, int64_t n, int nowners,
                           const int64_t *length);

/** Blocks of nb indices with assigned owners: block k of every nblocks blocks
 * belongs to owner[k], 0 ... nowners - 1.  Adjacent blocks of one owner become
 * one piece, and the period is the shortest that describes the assignment.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_axis_assigned(hesca_axis *x, int64_t n, int64_t nb, int nblocks,
                        const int *owner, int nowners);

/** Indices i ... i + n - 1 of an axis, n >= 1, as an axis that begins with the
 * period of i: they are *before and following ones of x.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_axis_window(hesca_axis *x, const hesca_axis *from, int64_t i,
                      int64_t n, int64_t *before);

/** Indices i ... i + n - 1 of an axis, n >= 1, `times` times one after the
 * other.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_axis_repeated(hesca_axis *x, const hesca_axis *from, int64_t i,
                        int64_t n, int64_t times);

/** An independent copy.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_axis_copy(hesca_axis *to, const hesca_axis *from);
void hesca_axis_clear(hesca_axis *x);

/** Whether extents, owners and local indices are equal. */
int hesca_axis_equal(const hesca_axis *x, const hesca_axis *y);

/** Whether ix + i of x and iy + i of y have the same owner for all i, whatever
 * the extents, because both axes have the same pieces. */
int hesca_axis_coincide(const hesca_axis *x, int64_t ix, const hesca_axis *y,
                        int64_t iy);

/** The piece of a period that holds offset. */
const hesca_piece *hesca_axis_piece(const hesca_axis *x, int64_t offset);

/** \return Owner of index i; *local is its local index. */
int hesca_axis_locate(const hesca_axis *x, int64_t i, int64_t *local);

/** The global index of a local index >= 0 of an owner with a share > 0. */
int64_t hesca_axis_global(const hesca_axis *x, int owner, int64_t local);

/** \return nb if the axis is cyclic(nb) with the first block on *isrcproc; 0
 * if it is not cyclic. */
int64_t hesca_axis_is_cyclic(const hesca_axis *x, int *isrcproc);

/** Number of the indices 0 ... i - 1 that an owner has; with i = n this is
 * ScaLAPACK's NUMROC. */
int64_t hesca_axis_count(const hesca_axis *x, int owner, int64_t i);

/** Bytes of heap memory of an axis. */
size_t hesca_axis_memory(const hesca_axis *x);

#endif
