/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/trace.h"
#include "base/status.h"
#include "machine/quantity.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, LINE = 256 };

static const char head[] = "kind,schedule,src,dest,bytes,start,end";

const char *const hesca_trace_kind_name[] = {
    [HESCA_TRACE_PREDICTED] = "predicted", [HESCA_TRACE_MEASURED] = "real"};

/* --- in memory ---
 * row has a capacity of room >= n rows. */

int
hesca_trace_add(hesca_trace *t, const hesca_trace_row *row)
{
    if (t->n == t->room) {
        const int64_t room = t->room > 0 ? 2 * t->room : 64;
        hesca_trace_row *more = realloc(t->row, (size_t)room * sizeof *t->row);
        if (more == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld messages",
                              (long long)room);
        t->row = more;
        t->room = room;
    }
    t->row[t->n++] = *row;
    return HESCA_SUCCESS;
}

int
hesca_trace_add_timetable(hesca_trace *t, hesca_trace_kind kind,
                          const char *schedule, const hesca_events *x,
                          const hesca_timetable *when)
{
    hesca_trace_row row = {.kind = kind};
    int err = HESCA_SUCCESS;
    snprintf(row.schedule, sizeof row.schedule, "%s", schedule);
    for (int64_t e = 0; e < x->n; ++e) {
        row.src = x->src[e];
        row.dest = x->dest[e];
        row.bytes = x->bytes[e];
        row.start = when->start[e];
        row.end = when->end[e];
        HESCA_TRY(err, hesca_trace_add(t, &row));
    }
fail:
    return err;
}

void
hesca_trace_clear(hesca_trace *t)
{
    free(t->row);
    memset(t, 0, sizeof *t);
}

/* --- writing ---
 * What is written can be read again, in any locale. */

void
hesca_trace_put_head(FILE *f)
{
    fprintf(f, "%s\n", head);
}

void
hesca_trace_put(FILE *f, const hesca_trace_row *row)
{
    char bytes[HESCA_NUMBER_MAX], start[HESCA_NUMBER_MAX];
    char end[HESCA_NUMBER_MAX];
    hesca_quantity_write(row->bytes, bytes);
    hesca_quantity_write(row->start, start);
    hesca_quantity_write(row->end, end);
    fprintf(f, "%s,%s,%d,%d,%s,%s,%s\n", hesca_trace_kind_name[row->kind],
            row->schedule, row->src, row->dest, bytes, start, end);
}

/* --- reading ---
 * A row is added only if all its fields are valid; errors name file, line and
 * token. */

/* The state of the reader. */
typedef struct {
    const char *path;
    int64_t line;
} reader;

static int
complain(const reader *r, const char *token, const char *must)
{
    return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s:%lld: '%.40s' must be %s",
                      r->path, (long long)r->line, token, must);
}

/* Split a line at its commas; 0 unless it has COLUMNS fields. */
static int
split(char *line, char *word[COLUMNS])
{
    int n = 0;
    for (char *next = line; next != NULL; ++n) {
        char *comma = strchr(next, ',');
        if (n == COLUMNS)
            return 0;
        word[n] = next;
        if (comma != NULL)
            *comma++ = '\0';
        next = comma;
    }
    return n == COLUMNS;
}

static int
read_kind(const reader *r, const char *word, hesca_trace_kind *kind)
{
    for (int k = HESCA_TRACE_PREDICTED; k <= HESCA_TRACE_MEASURED; ++k)
        if (strcmp(word, hesca_trace_kind_name[k]) == 0) {
            *kind = (hesca_trace_kind)k;
            return HESCA_SUCCESS;
        }
    return complain(r, word, "predicted or real");
}

static int
read_name(const reader *r, const char *word, char name[HESCA_NAME_MAX])
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:+#";
    const size_t length = strlen(word);
    if (length == 0 || length >= HESCA_NAME_MAX ||
        strspn(word, allowed) != length)
        return complain(r, word, "the name of a schedule");
    memcpy(name, word, length + 1);
    return HESCA_SUCCESS;
}

static int
read_rank(const reader *r, const char *word, int *rank)
{
    int value = 0;
    const char *c = word;
    for (; *c >= '0' && *c <= '9' && value < HESCA_TRACE_PROCS; ++c)
        value = 10 * value + (*c - '0');
    if (c == word || *c != '\0' || value >= HESCA_TRACE_PROCS)
        return complain(r, word, "a rank from 0 to 1048575");
    *rank = value;
    return HESCA_SUCCESS;
}

/* Numbers in traces have no unit, like those of HESCA_PER_BYTE. */
static int
read_number(const reader *r, const char *word, double *value)
{
    if (!hesca_quantity_parse(HESCA_PER_BYTE, word, value))
        return complain(r, word, "a number, at least 0");
    return HESCA_SUCCESS;
}

static int
read_row(const reader *r, char *line, hesca_trace_row *row)
{
    char *word[COLUMNS];
    int err;
    if (!split(line, word))
        return complain(r, line, "the first of seven fields");
    HESCA_TRY(err, read_kind(r, word[0], &row->kind));
    HESCA_TRY(err, read_name(r, word[1], row->schedule));
    HESCA_TRY(err, read_rank(r, word[2], &row->src));
    HESCA_TRY(err, read_rank(r, word[3], &row->dest));
    if (row->src == row->dest)
        return complain(r, word[3], "another rank than the sender's");
    HESCA_TRY(err, read_number(r, word[4], &row->bytes));
    HESCA_TRY(err, read_number(r, word[5], &row->start));
    HESCA_TRY(err, read_number(r, word[6], &row->end));
    if (row->end < row->start)
        err = complain(r, word[6], "at least the start");
fail:
    return err;
}

/* Read a line without its end; a line that is too long is an error. */
static int
take_line(reader *r, FILE *f, char line[LINE], int *is_there)
{
    *is_there = fgets(line, LINE, f) != NULL;
    if (!*is_there)
        return ferror(f) ? hesca_fail(HESCA_ERR_PARAM, 0,
                                      "%.100s: it cannot be read", r->path)
                         : HESCA_SUCCESS;
    ++r->line;
    if (strchr(line, '\n') == NULL && !feof(f))
        return complain(r, line, "a line of less than 255 bytes");
    line[strcspn(line, "\r\n")] = '\0';
    return HESCA_SUCCESS;
}

static int
read_all(reader *r, FILE *f, hesca_trace *t)
{
    char line[LINE];
    int err, is_there;
    HESCA_TRY(err, take_line(r, f, line, &is_there));
    if (!is_there || strcmp(line, head) != 0)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:1: '%.40s' must be the line %s", r->path,
                          is_there ? line : "", head);
    for (;;) {
        hesca_trace_row row;
        HESCA_TRY(err, take_line(r, f, line, &is_there));
        if (!is_there)
            break;
        HESCA_TRY(err, read_row(r, line, &row));
        HESCA_TRY(err, hesca_trace_add(t, &row));
    }
fail:
    return err;
}

int
hesca_trace_read(const char *path, hesca_trace *t)
{
    reader r = {.path = path};
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: %s", path,
                          strerror(errno));
    const int err = read_all(&r, f, t);
    fclose(f);
    return err;
}
