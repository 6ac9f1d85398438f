/* SPDX-License-Identifier: BSD-3-Clause */
#include "shim/page/page_text.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------ the text */

/* Make room for n characters more, and the final 0. */
static int
reserve(hesca_text *t, size_t n)
{
    if (t->failed)
        return 0;
    if (t->n + n + 1 <= t->room)
        return 1;
    const size_t room = 2 * (t->n + n) + 4096;
    char *at = realloc(t->at, room);
    t->failed = at == NULL;
    if (t->failed)
        return 0;
    t->at = at;
    t->room = room;
    return 1;
}

void
hesca_text_add(hesca_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0 || !reserve(t, (size_t)n))
        return;
    va_start(args, format);
    vsnprintf(t->at + t->n, (size_t)n + 1, format, args);
    va_end(args);
    t->n += (size_t)n;
}

/* Bytes of the character of UTF-8 that begins at s; 0: none does. */
static int
character(const unsigned char *s)
{
    const int n = s[0] < 0x80                   ? 1
                  : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                  : (s[0] & 0xf0) == 0xe0       ? 3
                  : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                : 0;
    for (int k = 1; k < n; ++k)
        if ((s[k] & 0xc0) != 0x80)
            return 0;
    const int is_control = n == 1 && (s[0] < ' ' || s[0] == 0x7f);
    /* Too long, a surrogate, beyond the last character, or none of XML. */
    const int is_odd =
        (n == 2 && s[0] == 0xc2 && s[1] < 0xa0) ||
        (s[0] == 0xe0 && n == 3 && s[1] < 0xa0) ||
        (s[0] == 0xed && n == 3 && s[1] >= 0xa0) ||
        (s[0] == 0xef && n == 3 && s[1] == 0xbf && s[2] > 0xbd) ||
        (s[0] == 0xf0 && n == 4 && s[1] < 0x90) ||
        (s[0] == 0xf4 && n == 4 && s[1] >= 0x90);
    return is_control || is_odd ? 0 : n;
}

void
hesca_text_escape(hesca_text *t, const char *outside)
{
    const unsigned char *s = (const unsigned char *)outside;
    while (*s != '\0') {
        const int n = character(s);
        if (n == 0)
            hesca_text_add(t, "?");
        else if (strchr("&<>\"'", *s) != NULL)
            hesca_text_add(t, "&#%d;", *s);
        else
            hesca_text_add(t, "%.*s", n, (const char *)s);
        s += n > 0 ? n : 1;
    }
}

/* ------------------------------------------------ numbers */

/* Three digits, without an exponent: 0 <= x < 1e4. */
static void
print_digits(hesca_words *w, double x, const char *unit)
{
    const int digits = x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2;
    snprintf(w->text, sizeof w->text, "%.*f %s", digits, x, unit);
}

hesca_words
hesca_words_seconds(double s)
{
    hesca_words w = {""};
    if (!(s > 0))
        snprintf(w.text, sizeof w.text, "0 s");
    else if (s < 0.9995e-3)
        print_digits(&w, 1e6 * s, "\302\265s");
    else if (s < 0.9995)
        print_digits(&w, 1e3 * s, "ms");
    else if (s < 600)
        print_digits(&w, s, "s");
    else if (s < 36000)
        print_digits(&w, s / 60, "min");
    else
        snprintf(w.text, sizeof w.text, "%.4g h", s / 3600);
    return w;
}

hesca_words
hesca_words_bytes(double n)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    hesca_words w;
    int k = 0;
    while (n >= 999.5 && k < 5) {
        n /= 1000;
        ++k;
    }
    if (k == 0)
        snprintf(w.text, sizeof w.text, "%.0f B", n);
    else
        print_digits(&w, n < 9999 ? n : 9999, unit[k]);
    return w;
}

hesca_words
hesca_words_count(double n)
{
    hesca_words w;
    char digits[24];
    snprintf(digits, sizeof digits, "%.0f", n < 1e15 ? n : 1e15);
    const size_t len = strlen(digits);
    size_t at = 0;
    for (size_t k = 0; k < len && at + 1 < sizeof w.text; ++k) {
        if (k > 0 && (len - k) % 3 == 0 && len > 4)
            w.text[at++] = ' ';
        w.text[at++] = digits[k];
    }
    w.text[at] = '\0';
    return w;
}

hesca_words
hesca_words_factor(double x)
{
    hesca_words w;
    snprintf(w.text, sizeof w.text, "%.*f \303\227",
             x >= 99.5   ? 0
             : x >= 9.95 ? 1
                         : 2,
             x < 1e6 ? x : 1e6);
    return w;
}
