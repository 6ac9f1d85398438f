/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/cmdline.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 64 };

static const char *program = "timer";

/* Always one line: control characters of the input are replaced. */
static void
say(const char *format, va_list args, const char *end)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    for (char *c = text; *c != '\0'; ++c)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    fprintf(stderr, "%s: %s%s", program, text, end);
}

int
cmdline_complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args, "; see --help\n");
    va_end(args);
    return 0;
}

int
cmdline_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args, "\n");
    va_end(args);
    return 0;
}

/* ----- the table ----- */

/* An option that is too long has its own line. */
/* Words, in lines of at most HELP_WIDTH bytes. */
static void
print_wrapped(const char *text)
{
    enum { LEFT = 30, HELP_WIDTH = 55 };
    size_t column = 0;
    while (*text != '\0') {
        const size_t n = strcspn(text, " ");
        if (column > 0 && column + 1 + n > HELP_WIDTH) {
            printf("\n%*s", LEFT, "");
            column = 0;
        }
        printf("%s%.*s", column > 0 ? " " : "", (int)n, text);
        column += n + (column > 0);
        text += n;
        text += strspn(text, " ");
    }
    printf("\n");
}

static void
print_row(const cmdline_row *r)
{
    char left[80] = "";
    if (r->is_optional)
        snprintf(left, sizeof left, "--%s[=%s]", r->name, r->arg);
    else if (r->name != NULL)
        snprintf(left, sizeof left, "--%s%s%s", r->name,
                 r->arg != NULL ? " " : "", r->arg != NULL ? r->arg : "");
    if (strlen(left) > 27) {
        printf("  %s\n", left);
        left[0] = '\0';
    }
    printf("  %-27s ", left);
    print_wrapped(r->help);
}

void
cmdline_print(const cmdline_row *rows, int nrows)
{
    print_row(&(cmdline_row){.name = "help", .help = "print this"});
    for (int k = 0; k < nrows; ++k)
        print_row(rows + k);
}

int
cmdline_select(const cmdline_grouped *table, int n, int bit, cmdline_row *rows)
{
    int selected = 0;
    for (int k = 0; k < n; ++k)
        if (table[k].groups >> bit & 1)
            rows[selected++] = table[k].row;
    return selected;
}

/* getopt's key of a row: its letter, or else a number that is none. */
static int
key_of(const cmdline *c, int k)
{
    return c->rows[k].letter != 0 ? c->rows[k].letter : CHAR_MAX + 1 + k;
}

static const cmdline_row *
row_of(const cmdline *c, int key)
{
    for (int k = 0; k < c->nrows; ++k)
        if (key_of(c, k) == key)
            return c->rows + k;
    return NULL;
}

/* The table as getopt's long options. */
static void
list_names(const cmdline *c, struct option names[ROWS_MOST + 2])
{
    int n = 0;
    memset(names, 0, (ROWS_MOST + 2) * sizeof *names);
    names[n++] = (struct option){"help", no_argument, NULL, 'h'};
    for (int k = 0; k < c->nrows && n <= ROWS_MOST; ++k) {
        const cmdline_row *r = c->rows + k;
        if (r->name == NULL)
            continue;
        names[n].name = r->name;
        names[n].has_arg = r->is_optional   ? optional_argument
                           : r->arg != NULL ? required_argument
                                            : no_argument;
        names[n++].val = key_of(c, k);
    }
}

/* The table as getopt's letters; ":" distinguishes a missing value from an
 * unknown option. */
static void
list_letters(const cmdline *c, const char *order,
             char letters[2 * ROWS_MOST + 4])
{
    char *to = letters + sprintf(letters, "%s:h", order);
    for (int k = 0; k < c->nrows && k < ROWS_MOST; ++k)
        if (c->rows[k].letter != 0) {
            *to++ = c->rows[k].letter;
            if (c->rows[k].arg != NULL)
                *to++ = ':';
        }
    *to = '\0';
}

static int
set_names(const cmdline_row *r, const char *value, char *names, int *n)
{
    if (!cmdline_names(r, value, names, r->size, r->room, n))
        return 0;
    for (int k = 0; r->knows != NULL && k < *n; ++k) {
        const char *name = names + (size_t)k * r->size;
        if (!r->knows(name))
            return cmdline_complain("--%s '%s': '%s' is no such name", r->name,
                                    value, name);
    }
    return 1;
}

static int
set_real(const cmdline_row *r, const char *value, double *x)
{
    if (!cmdline_real(r, value, x))
        return 0;
    if (r->kind == CMDLINE_POSITIVE && !(*x > 0))
        return cmdline_complain("--%s '%s': must be more than 0", r->name,
                                value);
    if (r->most > 0 && !(*x >= r->least && *x <= r->most))
        return cmdline_complain("--%s '%s': must be from %g to %g", r->name,
                                value, r->least, r->most);
    return 1;
}

static int
set_value(const cmdline_row *r, const char *value, void *options)
{
    void *field = (char *)options + r->at;
    int *count = (int *)(void *)((char *)options + r->count), one;
    const int64_t least = (int64_t)r->least, most = (int64_t)r->most;
    switch (r->kind) {
    case CMDLINE_FLAG:
        return *(int *)field = 1;
    case CMDLINE_INT:
        return cmdline_int(r, value, (int)least, (int)most, field);
    case CMDLINE_NUMBER:
        return cmdline_list(r, value, least, most, field, 1, &one);
    case CMDLINE_REAL:
    case CMDLINE_POSITIVE:
        return set_real(r, value, field);
    case CMDLINE_CHOICE:
        return cmdline_choice(r, value, field);
    case CMDLINE_TEXT:
        *(const char **)field = value;
        return 1;
    case CMDLINE_GRID:
        return cmdline_grid(r, value, field, (int *)field + 1);
    case CMDLINE_LIST:
        return cmdline_list(r, value, least, most, field, r->room, count);
    case CMDLINE_NAMES:
        return set_names(r, value, field, count);
    default:
        return r->set(r, value, field);
    }
}

/* Names of options, without repetition. */
static const char *given[ROWS_MOST];
static int ngiven;

int
cmdline_is_given(const char *name)
{
    int k = 0;
    while (k < ngiven && strcmp(given[k], name) != 0)
        ++k;
    return k < ngiven;
}

int
cmdline_read(const cmdline *c, int argc, char **argv, void *options,
             int *first)
{
    struct option names[ROWS_MOST + 2];
    char letters[2 * ROWS_MOST + 4];
    program = c->program;
    ngiven = 0;
    list_names(c, names);
    list_letters(c, c->in_order ? "+" : "", letters);
    opterr = 0;
    for (;;) {
        const char *word = argv[optind];
        const int key = getopt_long(argc, argv, letters, names, NULL);
        const cmdline_row *r = row_of(c, key);
        if (key == -1)
            break;
        if (key == 'h') {
            c->help();
            return CMDLINE_HELP;
        }
        if (r == NULL) {
            cmdline_complain(
                key == ':' ? "%s needs a value" : "unknown option %s", word);
            return CMDLINE_BAD;
        }
        if (!set_value(r, optarg, options))
            return CMDLINE_BAD;
        if (!cmdline_is_given(r->name))
            given[ngiven++] = r->name;
    }
    if (first != NULL) {
        *first = optind;
    } else if (optind < argc) {
        cmdline_complain("'%s' is not an option", argv[optind]);
        return CMDLINE_BAD;
    }
    return CMDLINE_GO;
}

int
cmdline_status(int what)
{
    return what == CMDLINE_GO ? -1 : what == CMDLINE_HELP ? 0 : 2;
}

/* ----- values ----- */

int
cmdline_bad(const cmdline_row *r, const char *value)
{
    return cmdline_complain("--%s '%s': expected %s", r->name, value, r->arg);
}

int
cmdline_int(const cmdline_row *r, const char *value, int least, int most,
            int *out)
{
    char *end;
    errno = 0;
    const long v = strtol(value, &end, 10);
    if (end == value || *end != '\0')
        return cmdline_bad(r, value);
    if (errno != 0 || v < least || v > most)
        return cmdline_complain("--%s '%s': must be from %d to %d", r->name,
                                value, least, most);
    *out = (int)v;
    return 1;
}

int
cmdline_real(const cmdline_row *r, const char *value, double *out)
{
    char *end;
    const double v = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(v) || v < 0)
        return cmdline_bad(r, value);
    *out = v;
    return 1;
}

int
cmdline_bytes(const cmdline_row *r, const char *value, int64_t least,
              int64_t *out)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    const long long v = strtoll(value, &end, 10);
    const char *unit = strchr(units, toupper((unsigned char)*end));
    const int power =
        *end == '\0' || unit == NULL ? 0 : 1 + (int)(unit - units);
    if (end == value || end[power > 0] != '\0')
        return cmdline_bad(r, value);
    if (errno != 0 || v < 0 || v > LLONG_MAX >> 10 * power ||
        v << 10 * power < least)
        return cmdline_complain("--%s '%s': must be from %lld to %lld",
                                r->name, value, (long long)least, LLONG_MAX);
    *out = v << 10 * power;
    return 1;
}

/* FIRST[:LAST[:STEP]]; the end of it, NULL if it is malformed. */
static const char *
read_range(const char *word, long long range[3])
{
    char *rest = NULL;
    range[2] = 1;
    errno = 0;
    for (int n = 0; n < 3; ++n) {
        range[n] = strtoll(word, &rest, 10);
        if (rest == word || errno != 0)
            return NULL;
        if (n == 0)
            range[1] = range[0];
        if (*rest != ':')
            break;
        word = rest + 1;
    }
    return range[2] >= 1 && range[0] <= range[1] ? rest : NULL;
}

int
cmdline_list(const cmdline_row *r, const char *value, int64_t least,
             int64_t most, int64_t *list, int room, int *n)
{
    long long range[3];
    *n = 0;
    for (const char *word = value; word != NULL;) {
        const char *end = read_range(word, range);
        if (end == NULL || (*end != ',' && *end != '\0'))
            return cmdline_bad(r, value);
        if (range[0] < least || range[1] > most)
            return cmdline_complain("--%s '%s': must be from %lld to %lld",
                                    r->name, value, (long long)least,
                                    (long long)most);
        if ((range[1] - range[0]) / range[2] >= room - *n)
            return room == 1
                       ? cmdline_bad(r, value)
                       : cmdline_complain("--%s '%s': more than %d numbers",
                                          r->name, value, room);
        for (long long v = range[0]; v <= range[1]; v += range[2])
            list[(*n)++] = v;
        word = *end == ',' ? end + 1 : NULL;
    }
    return 1;
}

int
cmdline_names(const cmdline_row *r, const char *value, char *list, size_t size,
              int room, int *n)
{
    *n = 0;
    for (const char *word = value; word != NULL;) {
        const size_t len = strcspn(word, ",");
        if (len == 0 || len >= size || *n == room)
            return cmdline_bad(r, value);
        char *to = list + (size_t)(*n)++ * size;
        memcpy(to, word, len);
        to[len] = '\0';
        word = word[len] == ',' ? word + len + 1 : NULL;
    }
    return 1;
}

int
cmdline_grid(const cmdline_row *r, const char *value, int *nprow, int *npcol)
{
    int p, q, used = 0;
    if (strspn(value, "0123456789x") != strlen(value) ||
        sscanf(value, "%4dx%4d%n", &p, &q, &used) != 2 ||
        value[used] != '\0' || p < 1 || q < 1)
        return cmdline_bad(r, value);
    *nprow = p;
    *npcol = q;
    return 1;
}

int
cmdline_choice(const cmdline_row *r, const char *value, int *out)
{
    const size_t len = strlen(value);
    const char *word = r->arg;
    for (int k = 0;; ++k) {
        const size_t n = strcspn(word, "|");
        if (n == len && strncmp(word, value, n) == 0) {
            *out = k;
            return 1;
        }
        if (word[n] == '\0')
            return cmdline_bad(r, value);
        word += n + 1;
    }
}
