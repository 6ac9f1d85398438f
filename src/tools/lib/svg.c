#include "tools/lib/svg.h"
#include "tools/lib/utf8.h"
#include <math.h>
#include <stdarg.h>

enum { TEXT_MOST = 512 };

const char svg_ink[] = "#1f2933", svg_dim[] = "#52606d";

void
svg_begin(FILE *file, double width, double height, const char *title)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', "
            "'DejaVu Sans', sans-serif\">\n<title>",
            width, height, width, height);
    svg_escape(file, title);
    fprintf(file,
            "</title>\n"
            "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n",
            width, height);
}

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

void
svg_text(FILE *file, double left, double base, svg_style s, const char *format,
         ...)
{
    char text[TEXT_MOST];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(file,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" fill=\"%s\" "
            "text-anchor=\"%s\"%s>",
            left, base, s.size, s.fill, s.anchor, s.more);
    svg_escape(file, text);
    fputs("</text>\n", file);
}

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

void
svg_fill(FILE *file, int k, int n)
{
    char colour[8];
    svg_colour(k, n, colour);
    fprintf(file, "fill=\"%s\"", colour);
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
