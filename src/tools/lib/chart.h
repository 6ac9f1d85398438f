/** \file tools/lib/chart.h
 * Charts: a rectangle of a picture with a scale each way, both from 0, and
 * bars of shares. */
#ifndef HESCA_TOOLS_LIB_CHART_H
#define HESCA_TOOLS_LIB_CHART_H

#include <stdio.h>

/** Where it is, in units of the picture, and how far its scales go. */
typedef struct {
    FILE *f;
    double left, top, width, height;
    double xmost, ymost;
} chart;

double chart_x(const chart *c, double x);
double chart_y(const chart *c, double y);

/** Its background, ticks and what they count. */
void chart_axes(const chart *c, const char *xname, const char *yname);

/** A straight line, and a point; more are attributes. */
void chart_line(const chart *c, double x1, double y1, double x2, double y2,
                const char *more);

/** A rectangle of a bar with its name, and what it counts beneath, as far as
 * there is room.
 * \param [in] k, n   Colour k of n.
 * \param [in] title  What is told of it where it is pointed at. */
void chart_piece(FILE *f, double left, double top, double width, double height,
                 int k, int n, const char *name, const char *count,
                 const char *title);

#endif
