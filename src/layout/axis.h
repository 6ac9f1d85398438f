/** \file layout/axis.h
 * One dimension of a layout: who owns index i, and where.
 *
 * An axis is periodic: a period of indices is cut into pieces, each with an
 * owner; what an owner has of one period follows what it has of the one before
 * without a gap.  Block-cyclic, block, cyclic and generalized-block are all
 * this one type.  All functions are pure. */
#ifndef HESCA_LAYOUT_AXIS_H
#define HESCA_LAYOUT_AXIS_H

#include <stddef.h>
#include <stdint.h>

/** Indices offset ... offset + length - 1 of every period. */
typedef struct {
    int64_t offset, length;
    int64_t local; /* where the owner keeps the first, within its period */
    int owner;
} hesca_piece;

typedef struct {
    int64_t n;          /* indices 0 ... n - 1; the last period may be cut */
    int64_t period;     /* >= 1 */
    int nowners;        /* owners 0 ... nowners - 1 */
    int npieces;        /* ordered by offset, covering the period */
    hesca_piece *piece; /* [npieces] */
    int64_t *share;     /* [nowners] indices that each owns of a period */
    int *first; /* [nowners + 1] where an owner's pieces begin in own */
    int *own;   /* [npieces] pieces by owner, each owner's in order */
} hesca_axis;

/** Cyclic distribution of n indices in blocks of nb over nprocs owners, the
 * first block on isrcproc.  With one owner the blocks merge into one piece.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_axis_cyclic(hesca_axis *x, int64_t n, int nb, int isrcproc,
                      int nprocs);

/** Generalized blocks: of every length[0] + ... + length[nowners - 1] indices
 * owner p has the next length[p].  Lengths are >= 0, their sum is 1 ... 2^62.
 * Equal lengths make cyclic(length[0]); who has none has no piece, and who has
 * everything has one long piece.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_axis_generalized(hesca_axis *x, int64_t n, int nowners,
                           const int64_t *length);

/** Blocks of nb that are dealt: of every nblocks of them block k is
 * owner[k]'s, 0 ... nowners - 1.  Neighbours of one owner make one piece, and
 * the period is the shortest that tells the same. \return HESCA_SUCCESS or
 * HESCA_ERR_NOMEM. */
int hesca_axis_dealt(hesca_axis *x, int64_t n, int64_t nb, int nblocks,
                     const int *owner, int nowners);

/** An independent copy. */
int hesca_axis_copy(hesca_axis *to, const hesca_axis *from);
void hesca_axis_clear(hesca_axis *x);

/** Same indices, same owners, same places. */
int hesca_axis_equal(const hesca_axis *x, const hesca_axis *y);

/** Whether ix + i of x and iy + i of y have the same owner for all i, because
 * both axes are cut alike, whatever their extents. */
int hesca_axis_coincide(const hesca_axis *x, int64_t ix, const hesca_axis *y,
                        int64_t iy);

/** The piece of a period that holds offset. */
const hesca_piece *hesca_axis_piece(const hesca_axis *x, int64_t offset);

/** Owner of index i, and where it keeps it. */
int hesca_axis_locate(const hesca_axis *x, int64_t i, int64_t *local);

/** The index that an owner keeps at a place, >= 0; it must own some. */
int64_t hesca_axis_global(const hesca_axis *x, int owner, int64_t local);

/** Number of blocks' common length if the axis is cyclic(nb), the first block
 * on *isrcproc; 0 if it is something else. */
int64_t hesca_axis_is_cyclic(const hesca_axis *x, int *isrcproc);

/** How many of the indices 0 ... i - 1 an owner has; with i = n this is
 * ScaLAPACK's NUMROC. */
int64_t hesca_axis_count(const hesca_axis *x, int owner, int64_t i);

/** Bytes of memory behind an axis. */
size_t hesca_axis_memory(const hesca_axis *x);

#endif
