/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "cases.h"
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    LIMIT = 100000000, /* ScaLAPACK's P?GEMR2D takes sizes below this */
    COUNT_MAX = 1000,  /* values on one line of a .dat file */
    TOKEN_MAX = 32
};

/* ----- the list ----- */

int
cases_add(case_list *list, const timing_case *c)
{
    const size_t n = (size_t)list->n + 1;
    timing_case *item = realloc(list->item, n * sizeof *item);
    if (item == NULL)
        return 0;
    item[list->n++] = *c;
    list->item = item;
    return 1;
}

/* Fill in the shape of a grid: as square as its processes allow, or as long.
 * Returns the processes that the grid needs, in all that there are. */
static int64_t
settle_grid(distribution *d, int nprocs)
{
    const int room = nprocs > d->first ? nprocs - d->first : 1;
    if (d->nprow == 0 && d->npcol == 0) {
        for (int p = 1; p * p <= room; ++p)
            if (room % p == 0)
                d->nprow = p;
        d->npcol = room / d->nprow;
    } else if (d->nprow == 0) {
        d->nprow = d->npcol <= room ? room / d->npcol : 1;
    } else if (d->npcol == 0) {
        d->npcol = d->nprow <= room ? room / d->nprow : 1;
    }
    return d->first + (int64_t)d->nprow * d->npcol;
}

int64_t
extent(int n, int first)
{
    return n + 2 * ((int64_t)first - 1);
}

const char *
case_settle(timing_case *c, int nprocs)
{
    const int64_t a = settle_grid(&c->a, nprocs);
    const int64_t b = settle_grid(&c->b, nprocs);
    const int64_t needs = a > b ? a : b;
    c->needs = needs < LIMIT ? (int)needs : LIMIT;
    if (c->a.rsrc >= c->a.nprow || c->a.csrc >= c->a.npcol)
        return "the first block of A lies outside its grid";
    if (c->b.rsrc >= c->b.nprow || c->b.csrc >= c->b.npcol)
        return "the first block of B lies outside its grid";
    if (extent(c->m, c->a.i) >= LIMIT || extent(c->n, c->a.j) >= LIMIT ||
        extent(c->m, c->b.i) >= LIMIT || extent(c->n, c->b.j) >= LIMIT)
        return "A or B would have 100000000 rows or columns, or more";
    return NULL;
}

/* ----- a distribution on the command line ----- */

/* A number at *s, moving *s behind it. */
static int
number(const char **s, int least, int *value)
{
    char *end;
    if (!isdigit((unsigned char)**s))
        return 0;
    errno = 0;
    const long v = strtol(*s, &end, 10);
    if (errno != 0 || v < least || v >= LIMIT)
        return 0;
    *s = end;
    *value = (int)v;
    return 1;
}

/* Move *s behind a character, if it is the next. */
static int
skip(const char **s, char c)
{
    if (**s != c)
        return 0;
    ++*s;
    return 1;
}

static int
pair(const char **s, char between, int least, int *first, int *second)
{
    return number(s, least, first) && skip(s, between) &&
           number(s, least, second);
}

int
distribution_parse(const char *text, distribution *d)
{
    distribution r = *d;
    const char *s = text, *colon = strchr(text, ':');
    if (colon != NULL && strchr(colon, 'x') != NULL) {
        if (!pair(&s, 'x', 0, &r.nprow, &r.npcol))
            return 0;
        if (skip(&s, '@') && !number(&s, 0, &r.first))
            return 0;
        if (!skip(&s, ':'))
            return 0;
    }
    if (!pair(&s, 'x', 1, &r.mb, &r.nb))
        return 0;
    if (skip(&s, ':') && !pair(&s, ',', 0, &r.rsrc, &r.csrc))
        return 0;
    if (*s != '\0')
        return 0;
    *d = r;
    return 1;
}

/* ----- a .dat file ----- */

typedef struct {
    const char *path;
    FILE *file;
    char *text; /* the current line, without comment or end */
    size_t size;
    const char *next; /* what has not been read of it */
    int line;
    char token[TOKEN_MAX]; /* the latest, perhaps cut */
} reader;

static int
complain(const reader *r, const char *what, const char *must)
{
    fprintf(stderr, "time_gemr2d: %s:%d: '%s': %s %s\n", r->path, r->line,
            r->token, what, must);
    return 0;
}

/* The next line that is neither blank nor a comment; 0 at the end. */
static int
next_line(reader *r)
{
    do {
        if (getline(&r->text, &r->size, r->file) < 0) {
            strcpy(r->token, "end of file");
            return 0;
        }
        ++r->line;
        r->next = r->text + strspn(r->text, " \t\r\n");
    } while (*r->next == '\0' || *r->next == '#');
    return 1;
}

/* The next word of the line; 0 at its end. */
static int
next_token(reader *r)
{
    const char *s = r->next + strspn(r->next, " \t\r\n");
    const size_t len = strcspn(s, " \t\r\n");
    const size_t kept = len < TOKEN_MAX ? len : TOKEN_MAX - 1;
    memcpy(r->token, s, kept);
    r->token[kept] = '\0';
    r->next = s + len;
    if (len == 0)
        strcpy(r->token, "end of line");
    return len > 0;
}

/* What a line of the file holds: numbers, or one of some words. */
typedef struct {
    const char *what;
    int least;                /* numbers: the smallest */
    const char *const *words; /* NULL for numbers */
} rule;

static int
read_value(reader *r, const rule *k, int *value)
{
    char must[64];
    if (k->words != NULL) {
        for (int w = 0; k->words[w] != NULL; ++w)
            if (strcasecmp(r->token, k->words[w]) == 0) {
                *value = w;
                return 1;
            }
        strcpy(must, "must be one of");
        for (int w = 0; k->words[w] != NULL; ++w)
            sprintf(must + strlen(must), " %s", k->words[w]);
        return complain(r, k->what, must);
    }
    const char *s = r->token;
    if (number(&s, k->least, value) && *s == '\0')
        return 1;
    snprintf(must, sizeof must, "must be a number from %d to %d", k->least,
             LIMIT - 1);
    return complain(r, k->what, must);
}

/* A line of count values; the rest of the line is a comment. */
static int
read_values(reader *r, const rule *k, int count, int *value)
{
    if (!next_line(r))
        return complain(r, k->what, "expected");
    for (int v = 0; v < count; ++v) {
        if (!next_token(r))
            return complain(r, k->what, "must have as many values as counted");
        if (!read_value(r, k, value + v))
            return 0;
    }
    return 1;
}

/* A line with a count, then one line of values per rule: table[rule][value],
 * to be freed by the caller. */
static int
read_table(reader *r, const char *what, const rule *rules, int nrules,
           int *count, int **table)
{
    const rule head = {what, 1, NULL};
    if (!read_values(r, &head, 1, count))
        return 0;
    if (*count > COUNT_MAX)
        return complain(r, what, "must be at most 1000");
    *table = malloc((size_t)(nrules * *count) * sizeof **table);
    if (*table == NULL)
        return complain(r, what, "need more memory than there is");
    for (int k = 0; k < nrules; ++k)
        if (!read_values(r, rules + k, *count, *table + k * *count))
            return 0;
    return 1;
}

static const char *const routine_words[] = {"gemr2d", "trmr2d", NULL};
static const char *const uplo_words[] = {"U", "L", NULL};
static const char *const diag_words[] = {"N", "U", NULL};
static const char *const type_words[] = {"I", "S", "D", "C", "Z", NULL};

static const rule routine_rules[] = {
    {"ROUTINE", 0, routine_words},
    {"UPLO", 0, uplo_words},
    {"DIAG", 0, diag_words},
};
static const rule type_rules[] = {{"TYPE", 0, type_words}};
static const rule size_rules[] = {
    {"M", 1, NULL},  {"N", 1, NULL},  {"IA", 1, NULL},
    {"JA", 1, NULL}, {"IB", 1, NULL}, {"JB", 1, NULL},
};
static const rule side_rules[] = {
    {"P of A", 0, NULL},     {"Q of A", 0, NULL},    {"FIRST of A", 0, NULL},
    {"MB of A", 1, NULL},    {"NB of A", 1, NULL},   {"RSRC of A", 0, NULL},
    {"CSRC of A", 0, NULL},  {"P of B", 0, NULL},    {"Q of B", 0, NULL},
    {"FIRST of B", 0, NULL}, {"MB of B", 1, NULL},   {"NB of B", 1, NULL},
    {"RSRC of B", 0, NULL},  {"CSRC of B", 0, NULL},
};

#define LENGTH(rules) ((int)(sizeof(rules) / sizeof *(rules)))

/* The tables of a .dat file, each with one row per rule. */
enum { ROUTINES, TYPES, SIZES, SIDES, NTABLES };

typedef struct {
    int count[NTABLES];
    int *value[NTABLES];
} tables;

static int
at(const tables *t, int table, int row, int column)
{
    return t->value[table][row * t->count[table] + column];
}

static distribution
side(const tables *t, int row, int column, int i, int j)
{
    const distribution d = {.nprow = at(t, SIDES, row, column),
                            .npcol = at(t, SIDES, row + 1, column),
                            .first = at(t, SIDES, row + 2, column),
                            .mb = at(t, SIDES, row + 3, column),
                            .nb = at(t, SIDES, row + 4, column),
                            .rsrc = at(t, SIDES, row + 5, column),
                            .csrc = at(t, SIDES, row + 6, column),
                            .i = i,
                            .j = j};
    return d;
}

/* Every routine with every type, size and redistribution. */
static int
combine(const reader *r, const tables *t, int nprocs, case_list *list)
{
    int k[NTABLES] = {0};
    for (;;) {
        timing_case c = {
            .triangular = at(t, ROUTINES, 0, k[ROUTINES]),
            .uplo = *uplo_words[at(t, ROUTINES, 1, k[ROUTINES])],
            .diag = *diag_words[at(t, ROUTINES, 2, k[ROUTINES])],
            .type = CASE_TYPES[at(t, TYPES, 0, k[TYPES])],
            .m = at(t, SIZES, 0, k[SIZES]),
            .n = at(t, SIZES, 1, k[SIZES]),
            .a = side(t, 0, k[SIDES], at(t, SIZES, 2, k[SIZES]),
                      at(t, SIZES, 3, k[SIZES])),
            .b = side(t, 7, k[SIDES], at(t, SIZES, 4, k[SIZES]),
                      at(t, SIZES, 5, k[SIZES])),
        };
        const char *wrong = case_settle(&c, nprocs);
        if (wrong == NULL && !cases_add(list, &c))
            wrong = "no memory left";
        if (wrong != NULL) {
            fprintf(stderr,
                    "time_gemr2d: %s:%d: size %d, redistribution %d: %s\n",
                    r->path, r->line, k[SIZES] + 1, k[SIDES] + 1, wrong);
            return 0;
        }
        int digit = NTABLES - 1;
        while (digit >= 0 && ++k[digit] == t->count[digit])
            k[digit--] = 0;
        if (digit < 0)
            return 1;
    }
}

static int
read_all(reader *r, int nprocs, case_list *list)
{
    static const struct {
        const char *what;
        const rule *rules;
        int nrules;
    } parts[NTABLES] = {
        [ROUTINES] = {"number of routines", routine_rules,
                      LENGTH(routine_rules)},
        [TYPES] = {"number of types", type_rules, LENGTH(type_rules)},
        [SIZES] = {"number of sizes", size_rules, LENGTH(size_rules)},
        [SIDES] = {"number of redistributions", side_rules,
                   LENGTH(side_rules)},
    };
    tables t = {{0}, {NULL}};
    int ok = 1;
    for (int p = 0; ok && p < NTABLES; ++p)
        ok = read_table(r, parts[p].what, parts[p].rules, parts[p].nrules,
                        t.count + p, t.value + p);
    if (ok && next_line(r)) {
        next_token(r);
        ok = complain(r, "nothing", "is expected after the CSRC of B");
    }
    if (ok)
        ok = combine(r, &t, nprocs, list);
    for (int p = 0; p < NTABLES; ++p)
        free(t.value[p]);
    return ok;
}

int
cases_read(const char *path, int nprocs, case_list *list)
{
    reader r = {.path = path, .file = fopen(path, "r")};
    if (r.file == NULL) {
        fprintf(stderr, "time_gemr2d: %s: %s\n", path, strerror(errno));
        return 0;
    }
    const int ok = read_all(&r, nprocs, list);
    free(r.text);
    fclose(r.file);
    return ok;
}

/* ----- the demonstration ----- */

int
cases_demo(int nprocs, case_list *list)
{
    static const timing_case demo[] = {
        {.name = "larger blocks",
         .m = 3200,
         .n = 3200,
         .a = {.mb = 32, .nb = 32},
         .b = {.mb = 128, .nb = 128}},
        {.name = "other grid",
         .m = 3200,
         .n = 3200,
         .a = {.npcol = 1, .mb = 64, .nb = 64},
         .b = {.mb = 64, .nb = 64}},
        {.name = "same layout",
         .m = 3200,
         .n = 3200,
         .a = {.mb = 64, .nb = 64},
         .b = {.mb = 64, .nb = 64}},
        {.name = "small matrix",
         .m = 128,
         .n = 128,
         .a = {.mb = 2, .nb = 2},
         .b = {.mb = 8, .nb = 8}},
    };
    for (int k = 0; k < LENGTH(demo); ++k) {
        timing_case c = demo[k];
        c.type = 'd';
        c.uplo = 'U';
        c.diag = 'N';
        c.a.i = c.a.j = c.b.i = c.b.j = 1;
        case_settle(&c, nprocs);
        if (!cases_add(list, &c))
            return 0;
    }
    return 1;
}
