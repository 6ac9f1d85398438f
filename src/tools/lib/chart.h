/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/chart.h
 * Charts: a rectangle with two linear scales from 0, and bars of shares. */
#ifndef HESCA_TOOLS_LIB_CHART_H
#define HESCA_TOOLS_LIB_CHART_H

#include <stdio.h>

/** Its position, in units of the picture, and the ends of its scales. */
typedef struct {
    FILE *f;
    double left, top, width, height;
    double xmost, ymost;
} chart;

double chart_x(const chart *c, double x);
double chart_y(const chart *c, double y);

/** Its background, ticks and their names. */
void chart_axes(const chart *c, const char *xname, const char *yname);

/** A straight line, as svg_line(). */
void chart_line(const chart *c, const char *name, double x1, double y1,
                double x2, double y2, const char *more);

/** A rectangle of a bar with its name, and its count below, if there is space.
 * \param [in] k, n   Colour k of n.
 * \param [in] title  The tooltip. */
void chart_piece(FILE *f, double left, double top, double width, double height,
                 int k, int n, const char *name, const char *count,
                 const char *title);

#endif
