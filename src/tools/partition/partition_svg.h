/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/partition/partition_svg.h
 * Pictures of partitions. */
#ifndef HESCA_TOOLS_PARTITION_PARTITION_SVG_H
#define HESCA_TOOLS_PARTITION_PARTITION_SVG_H

#include "tools/partition/partition.h"

/** Begin a picture; end it with svg_end(). */
void partition_svg_begin(const partition_state *s, FILE *f, double width,
                         double height);

/** The share of a processor, in one line. */
void partition_svg_title(const partition_state *s, int i, char text[160]);

/** The shares as a bar, processor order[k] after order[k - 1]; NULL: in
 * ascending order. */
void partition_svg_bar(const partition_state *s, FILE *f, double left,
                       double top, double width, double height,
                       const int *order);

/** A bar for each processor, from the top down: its time with a mark at the
 * ideal time; or, if there are targets, its size with a mark at its target.
 * \param [in] target  [p] or NULL. */
void partition_svg_bars(const partition_state *s, FILE *f, double left,
                        double top, double width, const double *target);

/** The height of these bars. */
double partition_svg_bars_height(const partition_state *s);

/** The speed functions, the line through the origin that intersects them in
 * the shares, and the shares as a bar.
 * \param [in] order  As for partition_svg_bar(). */
void partition_svg_speeds(const partition_state *s, FILE *f, const int *order);

#endif
