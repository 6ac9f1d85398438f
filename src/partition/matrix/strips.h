/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/matrix/strips.h
 * Tilings in strips: the matrix is cut into strips, and each strip across. */
#ifndef HESCA_PARTITION_MATRIX_STRIPS_H
#define HESCA_PARTITION_MATRIX_STRIPS_H

#include "base/private.h"
#include "partition/matrix/tiling.h"

/** The assignment of processors to strips. */
typedef struct {
    hesca_direction lines; /* direction of the lines of a strip: columns, if
                              column-based */
    int n;                 /* strips, 1 ... p */
    const int *first; /* [n + 1] order[first[k]] ... order[first[k + 1] - 1] */
    const int *order; /* [p] processors by strip, in their order within it */
} hesca_strips;

/** Compute the number of lines of each strip, and of each processor in the
 * other direction.
 * \param [out] width   [n] Lines of each strip.
 * \param [out] height  [p] In the order of strips->order.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG if the limits do not allow it, or
 *         HESCA_ERR_NOMEM. */
int hesca_strips_cut(const hesca_tiling_task *x, const hesca_strips *strips,
                     hesca_tiling_cut cut, int64_t *width, int64_t *height);

/** The tiling with these widths and heights; NULL: no memory. */
hesca_tiling *hesca_strips_tiling(const hesca_tiling_task *x,
                                  const hesca_strips *strips,
                                  const int64_t *width, const int64_t *height,
                                  int nprow, int npcol);

/** Both, with minimal largest time, for a linear array; the tiling is
 * measured.  *tiling is written on success only. */
HESCA_PRIVATE int hesca_strips_make(const hesca_tiling_task *x,
                                    const hesca_strips *strips,
                                    hesca_tiling **tiling);

/** Extents of the matrix: the number of lines, and (depth) their length. */
static inline int64_t
hesca_strips_length(const hesca_tiling_task *x, hesca_direction lines)
{
    return lines == HESCA_ROWS ? x->m : x->n;
}

static inline int64_t
hesca_strips_depth(const hesca_tiling_task *x, hesca_direction lines)
{
    return lines == HESCA_ROWS ? x->n : x->m;
}

#endif
