/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/text_reader.h"
#include "tools/lib/cmdline.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SHOWN = 40, FIRST_READ = 1 << 16 };

/* ------------------------------------------------ the file
 * The whole file is in memory, from text to end. */

static int
read_all(FILE *f, text_reader *w)
{
    size_t room = FIRST_READ, n = 0;
    w->text = malloc(room);
    while (w->text != NULL) {
        n += fread(w->text + n, 1, room - n, f);
        if (n < room)
            break;
        char *more = realloc(w->text, room *= 2);
        if (more == NULL)
            free(w->text);
        w->text = more;
    }
    if (w->text == NULL)
        return cmdline_fail("%s: no memory to read it", w->path);
    w->at = w->text;
    w->end = w->text + n;
    return !ferror(f) || cmdline_fail("%s: %s", w->path, strerror(errno));
}

int
text_reader_open(text_reader *w, const char *path)
{
    *w = (text_reader){.path = path};
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (f == NULL)
        return cmdline_fail("%s: %s", path, strerror(errno));
    const int ok = read_all(f, w);
    if (f != stdin)
        fclose(f);
    if (!ok)
        text_reader_close(w);
    return ok;
}

void
text_reader_close(text_reader *w)
{
    free(w->text);
    w->text = NULL;
}

/* ------------------------------------------------ lines
 * w->at is in line w->line; comments are skipped. */

static void
skip_line(text_reader *w)
{
    char *end = memchr(w->at, '\n', (size_t)(w->end - w->at));
    w->at = end == NULL ? w->end : end + 1;
}

int
text_reader_line(text_reader *w)
{
    if (w->line > 0)
        skip_line(w);
    for (++w->line; w->at < w->end && *w->at == '%'; ++w->line)
        skip_line(w);
    return w->at < w->end;
}

int
text_reader_finish(text_reader *w)
{
    while (text_reader_line(w))
        if (!text_reader_is_end(w))
            return text_reader_wrong(w, "more than the file says it has");
    return 1;
}

/* ------------------------------------------------ numbers
 * w->at advances only over blanks and accepted numbers. */

static int
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

int
text_reader_is_end(text_reader *w)
{
    while (w->at < w->end && is_blank(*w->at))
        ++w->at;
    return w->at >= w->end || *w->at == '\n';
}

static int
length_of(const text_reader *w)
{
    const char *end = w->at;
    while (end < w->end && *end != '\n' && !is_blank(*end))
        ++end;
    return (int)(end - w->at < WORD_SHOWN ? end - w->at : WORD_SHOWN);
}

int
text_reader_wrong(const text_reader *w, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return cmdline_fail("%s:%ld: %s", w->path, w->line, text);
}

int
text_reader_end(text_reader *w)
{
    return text_reader_is_end(w) ||
           text_reader_wrong(w, "'%.*s' is more than belongs there",
                             length_of(w), w->at);
}

int
text_reader_count(text_reader *w, const char *what, int64_t least,
                  int64_t most, int64_t *x)
{
    char word[WORD_SHOWN + 1], *rest;
    if (text_reader_is_end(w))
        return text_reader_wrong(w, "%s is missing", what);
    const int n = length_of(w);
    memcpy(word, w->at, (size_t)n);
    word[n] = '\0';
    errno = 0;
    const long long value = strtoll(word, &rest, 10);
    if (rest == word || rest != word + n || n == WORD_SHOWN)
        return text_reader_wrong(w, "'%s' must be %s, a whole number", word,
                                 what);
    if (errno != 0 || value < least || value > most)
        return text_reader_wrong(w, "'%s' must be %s, from %lld to %lld", word,
                                 what, (long long)least, (long long)most);
    w->at += n;
    *x = value;
    return 1;
}

/* ------------------------------------------------ lists
 * One number per line. */

/* Only empty lines and comments may follow an empty line. */
static int
end_list(text_reader *w, const char *what)
{
    const text_reader empty = *w;
    while (text_reader_line(w))
        if (!text_reader_is_end(w))
            return text_reader_wrong(&empty, "%s is missing", what);
    return 1;
}

static int
read_list(text_reader *w, const char *what, int64_t most, int64_t **list,
          int64_t *n)
{
    int64_t room = 0;
    while (text_reader_line(w)) {
        if (text_reader_is_end(w))
            return end_list(w, what);
        if (*n == room) {
            room = 2 * room + 1024;
            int64_t *more = realloc(*list, (size_t)room * sizeof *more);
            if (more == NULL)
                return text_reader_wrong(w, "no memory for so many lines");
            *list = more;
        }
        if (!text_reader_count(w, what, 0, most, &(*list)[*n]) ||
            !text_reader_end(w))
            return 0;
        ++*n;
    }
    return 1;
}

int
text_reader_list(const char *path, const char *what, int64_t most,
                 int64_t **list, int64_t *n)
{
    text_reader w;
    *list = NULL;
    *n = 0;
    if (!text_reader_open(&w, path))
        return 0;
    const int ok = read_list(&w, what, most, list, n);
    text_reader_close(&w);
    return ok;
}
