/* SPDX-License-Identifier: BSD-3-Clause */
/** \file grid/grid_map.h
 * Files that map the ranks to the places of process grids,
 * HESCA_PLACEMENT=map:FILE.
 *
 * Lines of words; # begins a comment, empty lines are ignored:
 *     grid 2x3
 *     0 1 4
 *     2 3 5
 * and so on for other shapes; each shape occurs once. A grid has one line per
 * row, with a rank for each column, and no rank twice. */
#ifndef HESCA_GRID_GRID_MAP_H
#define HESCA_GRID_GRID_MAP_H

/** The grids of a file, one after another: nprow, npcol, and the ranks row by
 * row.  One array, so that it can be sent as one message. */
typedef struct {
    int n; /**< length of data */
    int *data;
} hesca_grid_map;

/** Read a file.
 *
 * Local.
 * \param [in]  nprow, npcol  The requested shape.
 * \param [in]  size  Ranks of a grid of that shape are less than this.
 * \param [out] map   Free data with free(); unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_PARAM with a text that
 *   names file, line and token. */
int hesca_grid_map_read(const char *path, int nprow, int npcol, int size,
                        hesca_grid_map *map);

/** The ranks of a shape, row by row; NULL if there are none. */
const int *hesca_grid_map_find(const hesca_grid_map *map, int nprow,
                               int npcol);

#endif
