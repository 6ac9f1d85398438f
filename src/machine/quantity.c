/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/quantity.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNITS = 10 };

typedef struct {
    const char *name;
    double factor;
} unit;

static const struct {
    const char *rule;
    int is_positive; /* 0 is not allowed */
    unit units[UNITS];
} table[] = {
    [HESCA_SECONDS] =
        {"a number of seconds, at least 0",
         0,
         {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}},
    [HESCA_PER_BYTE] = {"a number of seconds, at least 0", 0, {{"", 1}}},
    [HESCA_RATE] = {"a number of bytes per second, more than 0",
                    1,
                    {{"", 1},
                     {"B/s", 1},
                     {"kB/s", 1e3},
                     {"MB/s", 1e6},
                     {"GB/s", 1e9},
                     {"bit/s", 0.125},
                     {"kbit/s", 125},
                     {"Mbit/s", 125e3},
                     {"Gbit/s", 125e6}}},
    [HESCA_SPEED] = {"a number, more than 0", 1, {{"", 1}}},
    [HESCA_AMOUNT] = {"a number, at least 0", 0, {{"", 1}}},
    [HESCA_BYTES] =
        {"a number of bytes, more than 0",
         1,
         {{"", 1}, {"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}},
};

const char *
hesca_quantity_rule(hesca_quantity q)
{
    return table[q].rule;
}

int
hesca_quantity_holds(hesca_quantity q, double x)
{
    return isfinite(x) && (x > 0 || (x == 0 && !table[q].is_positive));
}

static int
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Apply the exponent at p, if there is one, to *value; return its end, NULL if
 * it has no digits. */
static const char *
parse_exponent(const char *p, double *value)
{
    int exponent = 0;
    if (*p != 'e' && *p != 'E')
        return p;
    const int is_negative = p[1] == '-';
    p += 1 + (p[1] == '-' || p[1] == '+');
    if (!is_digit(*p))
        return NULL;
    for (; is_digit(*p) && exponent < 1000; ++p)
        exponent = 10 * exponent + (*p - '0');
    for (; exponent > 0; --exponent)
        *value = is_negative ? *value / 10 : *value * 10;
    return p;
}

int
hesca_quantity_parse(hesca_quantity q, const char *word, double *x)
{
    const char *p = word;
    double value = 0, scale = 1;
    int digits = 0;
    for (; is_digit(*p); ++p, ++digits)
        value = 10 * value + (*p - '0');
    if (*p == '.')
        for (++p; is_digit(*p); ++p, ++digits) {
            value = 10 * value + (*p - '0');
            scale *= 10;
        }
    value /= scale;
    if (digits == 0 || (p = parse_exponent(p, &value)) == NULL)
        return 0;
    for (const unit *u = table[q].units; u->name != NULL; ++u)
        if (strcmp(p, u->name) == 0 &&
            hesca_quantity_holds(q, value * u->factor)) {
            *x = value * u->factor;
            return 1;
        }
    return 0;
}

/* The decimal point of the locale may be any character, even one of several
 * bytes; it is replaced by '.'. */
void
hesca_quantity_write(double x, char text[HESCA_NUMBER_MAX])
{
    char *to = text;
    snprintf(text, HESCA_NUMBER_MAX, "%.10g", x);
    for (const char *from = text; *from != '\0'; ++from)
        if (is_digit(*from) || strchr("e+-", *from) != NULL)
            *to++ = *from;
        else if (to > text && to[-1] != '.')
            *to++ = '.';
    *to = '\0';
}
