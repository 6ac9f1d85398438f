/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/svg.h"
#include "tools/lib/utf8.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { TEXT_MOST = 512 };

const char svg_ink[] = "#1f2933", svg_dim[] = "#52606d";

/* ------------------------------------------------ elements
 * Texts are escaped; numbers have two digits after the point. */

void
svg_escape(FILE *file, const char *s)
{
    for (int n; *s != '\0'; s += n > 0 ? n : 1) {
        n = utf8_length(s);
        if (n == 0 || (unsigned char)*s < 0x20)
            fputs(UTF8_REPLACEMENT, file);
        else if (*s == '&')
            fputs("&amp;", file);
        else if (*s == '<')
            fputs("&lt;", file);
        else if (*s == '>')
            fputs("&gt;", file);
        else if (*s == '"')
            fputs("&quot;", file);
        else
            fprintf(file, "%.*s", n, s);
    }
}

static void
put_text(FILE *file, double left, double base, double size, const char *colour,
         const char *anchor, const char *more, const char *format,
         va_list args)
{
    char text[TEXT_MOST];
    vsnprintf(text, sizeof text, format, args);
    fprintf(file,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" fill=\"%s\" "
            "text-anchor=\"%s\" pointer-events=\"none\"%s>",
            left, base, size, colour, anchor, more);
    svg_escape(file, text);
    fputs("</text>\n", file);
}

void
svg_text(FILE *file, double left, double base, double size, const char *colour,
         const char *anchor, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_text(file, left, base, size, colour, anchor, "", format, args);
    va_end(args);
}

void
svg_rotated(FILE *file, double left, double base, int degrees, double size,
            const char *anchor, const char *format, ...)
{
    char more[80];
    va_list args;
    va_start(args, format);
    snprintf(more, sizeof more, " transform=\"rotate(%d %.1f %.1f)\"", degrees,
             left, base);
    put_text(file, left, base, size, svg_ink, anchor, more, format, args);
    va_end(args);
}

static void
end_shape(FILE *file, const char *tag, const char *more, const char *title)
{
    fprintf(file, " %s%s", more, title != NULL ? "><title>" : "/>\n");
    if (title == NULL)
        return;
    svg_escape(file, title);
    fprintf(file, "</title></%s>\n", tag);
}

void
svg_rect(FILE *file, const char *name, double left, double top, double width,
         double height, const char *more, const char *title)
{
    fprintf(file,
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
            "height=\"%.2f\"",
            name, left, top, width, height);
    end_shape(file, "rect", more, title);
}

void
svg_circle(FILE *file, const char *name, double x, double y, double r,
           const char *more, const char *title)
{
    fprintf(file, "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"",
            name, x, y, r);
    end_shape(file, "circle", more, title);
}

void
svg_line(FILE *file, const char *name, double x1, double y1, double x2,
         double y2, const char *more)
{
    fprintf(file,
            "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" "
            "y2=\"%.2f\" %s/>\n",
            name, x1, y1, x2, y2, more);
}

double
svg_fit(const char *text, double width, double most)
{
    return fmin(width / (0.55 * (double)strlen(text) + 0.1), most);
}

/* ------------------------------------------------ pictures */

void
svg_begin(FILE *file, double width, double height, const char *headline,
          const char *format, ...)
{
    char text[TEXT_MOST];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', "
            "'DejaVu Sans', sans-serif\">\n<title>",
            width, height, width, height);
    svg_escape(file, headline);
    fprintf(file,
            "</title>\n"
            "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n",
            width, height);
    svg_text(file, 24, 26, fmax(svg_fit(headline, width - 48, 16), 8), svg_ink,
             "start", "%s", headline);
    svg_text(file, 24, 44, fmax(svg_fit(text, width - 48, 12), 6), svg_dim,
             "start", "%s", text);
}

void
svg_end(FILE *file)
{
    fputs("</svg>\n", file);
}

/* ------------------------------------------------ colours and scales */

/* One of the colours red, green, blue of a hue of 360 degrees.
 * Source: CSS Color Module Level 3, section 4.2.4. */
static int
channel(double hue, double saturation, double light, int at)
{
    double k = at + hue / 30;
    while (k >= 12)
        k -= 12;
    const double far = k - 3 < 9 - k ? k - 3 : 9 - k;
    const double ramp = far > 1 ? 1 : far < -1 ? -1 : far;
    const double span = light < 0.5 ? light : 1 - light;
    return (int)(255 * (light - saturation * span * ramp) + 0.5);
}

void
svg_colour(int k, int n, char colour[8])
{
    const double hue = 360.0 * k / n;
    const double light = k % 2 == 0 ? 0.64 : 0.76;
    snprintf(colour, 8, "#%02x%02x%02x",
             (unsigned)channel(hue, 0.75, light, 0) & 0xff,
             (unsigned)channel(hue, 0.75, light, 8) & 0xff,
             (unsigned)channel(hue, 0.75, light, 4) & 0xff);
}

svg_attributes
svg_fill(int k, int n, const char *more)
{
    svg_attributes x;
    char colour[8];
    svg_colour(k, n, colour);
    snprintf(x.text, sizeof x.text, "fill=\"%s\" %s", colour, more);
    return x;
}

double
svg_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

int
svg_stride(double cell, double label)
{
    int n = 1;
    while (n * cell < label)
        ++n;
    return n;
}

double
svg_step(double least)
{
    const double power = pow(10, floor(log10(least)));
    return least <= power       ? power
           : least <= 2 * power ? 2 * power
           : least <= 5 * power ? 5 * power
                                : 10 * power;
}
