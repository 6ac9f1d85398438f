/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/svg.h
 * SVG elements shared by all pictures: text, colours, numbers that fit. */
#ifndef HESCA_TOOLS_LIB_SVG_H
#define HESCA_TOOLS_LIB_SVG_H

#include <stdio.h>

/** Colours of text: plain, and less important. */
extern const char svg_ink[], svg_dim[];

/** Begin a picture of this size, on white: a headline, also its title, and
 * below it a line of details in the given format.  Long lines get a smaller
 * font.  End it with svg_end(). */
void svg_begin(FILE *file, double width, double height, const char *headline,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
void svg_end(FILE *file);

/** Write text with & < > and quotes as entities, valid in HTML, too. */
void svg_escape(FILE *file, const char *s);

/** \name Elements
 * `more` are attributes, or "".
 * \{ */

/** Text at (left, base), which is its start, middle or end. */
void svg_text(FILE *file, double left, double base, double size,
              const char *colour, const char *anchor, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
/** The same, rotated clockwise. */
void svg_rotated(FILE *file, double left, double base, int degrees,
                 double size, const char *anchor, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
/** \param [in] title  The tooltip, or NULL. */
void svg_rect(FILE *file, const char *name, double left, double top,
              double width, double height, const char *more,
              const char *title);
void svg_circle(FILE *file, const char *name, double x, double y, double r,
                const char *more, const char *title);
void svg_line(FILE *file, const char *name, double x1, double y1, double x2,
              double y2, const char *more);
/** \} */

/** The font size of a text that fits a width, at most `most`. */
double svg_fit(const char *text, double width, double most);

/** The colour of process k of n, "#rrggbb": hues go round once for all, and
 * neighbours differ in lightness.  Dark text can be read on it. */
void svg_colour(int k, int n, char colour[8]);

/** An attribute fill of that colour, and more attributes. */
typedef struct {
    char text[128];
} svg_attributes;
svg_attributes svg_fill(int k, int n, const char *more);

/** The value, or the end of the range that it is beyond. */
double svg_clamp(double value, double low, double high);

/** Every so many cells, such that labels do not touch. */
int svg_stride(double cell, double label);

/** The least of 1, 2, 5 times powers of ten that is not below least > 0: from
 * one tick to the next. */
double svg_step(double least);

#endif
