/** \file tools/lib/svg.h
 * SVG elements shared by all pictures: text, colours, numbers that fit. */
#ifndef HESCA_TOOLS_LIB_SVG_H
#define HESCA_TOOLS_LIB_SVG_H

#include <stdio.h>

/** Colours of text: plain, and less important. */
extern const char svg_ink[], svg_dim[];

/** How text is written. */
typedef struct {
    double size;
    const char *fill, *anchor, *more; /* more attributes, or "" */
} svg_style;

/** Begin a picture of this size, on white. */
void svg_begin(FILE *file, double width, double height, const char *title);

/** Write text with & < > and quotes as entities, valid in HTML, too. */
void svg_escape(FILE *file, const char *s);

/** An element <text>, anchored at (left, base). */
void svg_text(FILE *file, double left, double base, svg_style s,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/** The colour of process k of n, "#rrggbb": hues go round once for all, and
 * neighbours differ in lightness.  Dark text can be read on it. */
void svg_colour(int k, int n, char colour[8]);

/** An attribute fill of that colour. */
void svg_fill(FILE *file, int k, int n);

/** The value, or the end of the range that it is beyond. */
double svg_clamp(double value, double low, double high);

/** Every so many cells, such that labels do not touch. */
int svg_stride(double cell, double label);

/** The least of 1, 2, 5 times powers of ten that is not below least > 0: from
 * one tick to the next. */
double svg_step(double least);

#endif
