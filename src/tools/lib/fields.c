/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/fields.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/utf8.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { CSV_NAMES, CSV_VALUES, JSON } format;

struct fields {
    FILE *f;
    format as;
    int n; /* written of this row */
};

/* ----- one field ----- */

/* Write the text before a value; 0 if no value is to follow. */
static int
begin(fields *s, const char *name)
{
    const char *between = s->as == JSON ? ",\n   " : ",";
    fputs(s->n++ > 0 ? between : s->as == JSON ? "  {" : "", s->f);
    if (s->as == JSON)
        fprintf(s->f, "\"%s\": ", name);
    if (s->as == CSV_NAMES)
        fputs(name, s->f);
    return s->as != CSV_NAMES;
}

/* Text without control characters. */
void
fields_text(fields *s, const char *name, const char *value)
{
    if (!begin(s, name))
        return;
    const int quoted = s->as == JSON || strpbrk(value, ",\"") != NULL;
    fputs(quoted ? "\"" : "", s->f);
    for (const char *c = value; *c != '\0';) {
        const int n = utf8_length(c);
        if (*c == '"' || (*c == '\\' && s->as == JSON))
            fputc(s->as == JSON ? '\\' : '"', s->f);
        if (n == 0)
            fputs(UTF8_REPLACEMENT, s->f);
        else
            fprintf(s->f, "%.*s", n, c);
        c += n > 0 ? n : 1;
    }
    fputs(quoted ? "\"" : "", s->f);
}

void
fields_count(fields *s, const char *name, int64_t value)
{
    if (begin(s, name))
        fprintf(s->f, "%lld", (long long)value);
}

void
fields_int(fields *s, const char *name, int value)
{
    fields_count(s, name, value);
}

static void
put_real(fields *s, const char *name, double value, int digits, int is_known)
{
    if (!begin(s, name))
        return;
    if (is_known)
        fprintf(s->f, "%.*g", digits, value);
    else if (s->as == JSON)
        fputs("null", s->f);
}

void
fields_real(fields *s, const char *name, double value)
{
    put_real(s, name, value, 9, value > 0);
}

void
fields_exact(fields *s, const char *name, double value)
{
    int digits = 15;
    char text[40];
    do
        snprintf(text, sizeof text, "%.*g", digits, value);
    while (strtod(text, NULL) != value && ++digits < 17);
    put_real(s, name, value, digits, isfinite(value));
}

/* ----- files ----- */

static int
complain(const char *path)
{
    return cmdline_fail("%s: %s", path, strerror(errno));
}

static int
open_one(const char *path, FILE **f)
{
    *f = NULL;
    if (path == NULL)
        return 1;
    *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    return *f != NULL || complain(path);
}

int
fields_open(fields_files *x, const char *csv, const char *json,
            void (*put)(fields *s, const void *row))
{
    const fields_files fresh = {
        .put = put, .csv_path = csv, .json_path = json};
    *x = fresh;
    if (!open_one(csv, &x->csv))
        return 0;
    if (!open_one(json, &x->json)) {
        if (x->csv != NULL)
            fclose(x->csv);
        return 0;
    }
    x->table = x->csv == stdout || x->json == stdout ? stderr : stdout;
    return 1;
}

void
fields_head(const fields_files *x, const void *row)
{
    if (x->csv != NULL) {
        fields s = {x->csv, CSV_NAMES, 0};
        x->put(&s, row);
        fputc('\n', x->csv);
    }
    if (x->json != NULL)
        fputs("[", x->json);
}

void
fields_row(fields_files *x, const void *row)
{
    if (x->csv != NULL) {
        fields s = {x->csv, CSV_VALUES, 0};
        x->put(&s, row);
        fputc('\n', x->csv);
        fflush(x->csv);
    }
    if (x->json != NULL) {
        fields s = {x->json, JSON, 0};
        fputs(x->nrows > 0 ? ",\n" : "\n", x->json);
        x->put(&s, row);
        fputs("}", x->json);
    }
    ++x->nrows;
}

static int
close_one(FILE *f, const char *path)
{
    if (f == NULL)
        return 1;
    const int failed = ferror(f);
    return (f == stdout ? fflush(f) : fclose(f)) == 0 && !failed
               ? 1
               : complain(f == stdout ? "stdout" : path);
}

int
fields_close(fields_files *x)
{
    if (x->json != NULL)
        fputs("\n]\n", x->json);
    const int csv = close_one(x->csv, x->csv_path);
    const int json = close_one(x->json, x->json_path);
    const int table = ferror(x->table) == 0 && fflush(x->table) == 0;
    return csv && json &&
           (table || complain(x->table == stdout ? "stdout" : "stderr"));
}
