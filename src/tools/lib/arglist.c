/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/arglist.h"
#include "tools/lib/json.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
arglist_add(arglist *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = malloc((size_t)len + 1);
    char **word = text == NULL
                      ? NULL
                      : realloc(x->word, ((size_t)x->n + 2) * sizeof *word);
    if (word == NULL) {
        free(text);
        x->failed = 1;
        return;
    }
    va_start(args, format);
    vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    x->word = word;
    word[x->n++] = text;
    word[x->n] = NULL;
}

void
arglist_split(arglist *x, const char *text)
{
    static const char blank[] = " \t";
    for (text += strspn(text, blank); *text != '\0';) {
        const size_t n = strcspn(text, blank);
        arglist_add(x, "%.*s", (int)n, text);
        text += n;
        text += strspn(text, blank);
    }
}

/* ------------------------------------------------ printing */

/* Characters without a meaning to any shell. */
static int
is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    return *word != '\0' && word[strspn(word, plain)] == '\0';
}

static void
print_quoted(const char *word)
{
    putchar('\'');
    for (; *word != '\0'; ++word)
        if (*word == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*word);
    putchar('\'');
}

void
arglist_print(const arglist *x)
{
    for (int k = 0; k < x->n; ++k) {
        if (k > 0)
            putchar(' ');
        if (is_plain(x->word[k]))
            fputs(x->word[k], stdout);
        else
            print_quoted(x->word[k]);
    }
}

void
arglist_json(const arglist *x)
{
    putchar('[');
    for (int k = 0; k < x->n; ++k) {
        fputs(k > 0 ? ", " : "", stdout);
        json_string(x->word[k]);
    }
    putchar(']');
}

void
arglist_free(arglist *x)
{
    for (int k = 0; k < x->n; ++k)
        free(x->word[k]);
    free(x->word);
    *x = (arglist){.n = 0};
}
