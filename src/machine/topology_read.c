/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* open_memstream, strtok_r */
/* The readers of topology and VPM files, and the writer of topology files. */
#include "base/status.h"
#include "machine/quantity.h"
#include "machine/reader.h"
#include "machine/topology.h"
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_MOST = 1 << 24, /* bytes */
    DEPTH_MOST = 64,     /* layers around a computer */
    WORD = 128           /* bytes of a word and the 0 behind it */
};

/* --- the file --- */

typedef struct {
    const char *path;
    char *text, *at, *end;
    int line;
    char word[WORD]; /* the next one, "" at the end */
    int word_line;
    hesca_topology topology;
    char name[HESCA_HOST_MAX]; /* of the next computer, "": none */
} reader;

/* The token is NULL, or "", at the end of the file. */
static int
complain_at(const char *path, int line, const char *token, const char *must)
{
    if (token == NULL || token[0] == '\0')
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: the file ends where %s must follow",
                          path, line, must);
    return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s:%d: '%.40s' must be %s",
                      path, line, token, must);
}

static int
complain(const reader *r, const char *must)
{
    return complain_at(r->path, r->word_line, r->word, must);
}

/* Read all of a file into a buffer that doubles up to one byte more than it
 * may have; that byte becomes the 0 behind the text. */
static int
load(FILE *file, const char *path, char **text, size_t *n)
{
    const size_t most = (size_t)FILE_MOST + 1;
    size_t room = 0;
    *n = 0;
    while (*n == room) {
        if (room == most)
            return hesca_fail(HESCA_ERR_PARAM, 0,
                              "%.100s: the file has more than %d bytes", path,
                              FILE_MOST);
        room = room == 0 ? 1 << 16 : 2 * room < most ? 2 * room : most;
        char *more = realloc(*text, room);
        if (more == NULL)
            return hesca_fail(HESCA_ERR_NOMEM, 0, "%.100s: %zu bytes", path,
                              room);
        *text = more;
        *n += fread(*text + *n, 1, room - *n, file);
    }
    if (ferror(file))
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: it cannot be read",
                          path);
    (*text)[*n] = '\0';
    return HESCA_SUCCESS;
}

/* No line has a byte that is 0; the message quotes the line up to it. */
static int
check_text(const char *path, const char *text, size_t n)
{
    const size_t length = strlen(text);
    int line = 1;
    if (length == n)
        return HESCA_SUCCESS;
    const char *start = text;
    for (const char *c = text; *c != '\0'; ++c)
        if (*c == '\n') {
            ++line;
            start = c + 1;
        }
    return hesca_fail(HESCA_ERR_PARAM, 0,
                      "%.100s:%d: '%.40s' must be a line without bytes that "
                      "are 0",
                      path, line, start);
}

static int
open_file(reader *r, const char *path)
{
    size_t n;
    *r = (reader){.path = path, .line = 1};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: %s", path,
                          strerror(errno));
    int err = load(file, path, &r->text, &n);
    fclose(file);
    if (err == HESCA_SUCCESS)
        err = check_text(path, r->text, n);
    if (err < 0) {
        free(r->text);
        return err;
    }
    r->at = r->text;
    r->end = r->text + n;
    return HESCA_SUCCESS;
}

/* --- words --- */

static int
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static int
is_alone(char c)
{
    return c == '(' || c == ')' || c == ',' || c == '{' || c == '}';
}

/* Make n bytes the word; those that do not fit are cut off. */
static void
set_word(reader *r, const char *start, size_t n)
{
    n = n < WORD ? n : WORD - 1;
    memcpy(r->word, start, n);
    r->word[n] = '\0';
    r->word_line = r->line;
}

static int
has_control(const char *name)
{
    while (*name != '\0' && (unsigned char)*name >= ' ')
        ++name;
    return *name != '\0';
}

/* The rest of a line, without blanks at its ends, is a name. */
static int
take_name(reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        ++r->at;
    const char *start = r->at;
    while (r->at < r->end && *r->at != '\n')
        ++r->at;
    size_t n = (size_t)(r->at - start);
    while (n > 0 && is_blank(start[n - 1]))
        --n;
    set_word(r, start, n);
    if (n >= HESCA_HOST_MAX)
        return complain(r, "a name shorter than 64 bytes");
    if (has_control(r->word))
        return complain(r, "a name without control characters");
    strcpy(r->name, r->word);
    return HESCA_SUCCESS;
}

/* The next word of a topology file: # and the name behind it set r->name;
 * ( ) , { } stand alone. */
static int
next(reader *r)
{
    int err;
    for (;;) {
        while (r->at < r->end && (is_blank(*r->at) || *r->at == '\n'))
            r->line += *r->at++ == '\n';
        if (r->at >= r->end || *r->at != '#')
            break;
        ++r->at;
        if ((err = take_name(r)) < 0)
            return err;
    }
    const char *start = r->at;
    while (r->at < r->end && !is_blank(*r->at) && *r->at != '\n' &&
           !is_alone(*r->at))
        ++r->at;
    if (r->at == start && r->at < r->end)
        ++r->at;
    set_word(r, start, (size_t)(r->at - start));
    if (r->at - start >= WORD)
        return complain(r, "a word shorter than 128 bytes");
    return HESCA_SUCCESS;
}

static int
expect(reader *r, const char *word)
{
    char must[16];
    if (strcmp(r->word, word) == 0)
        return next(r);
    snprintf(must, sizeof must, "'%s'", word);
    return complain(r, must);
}

/* The number that a word is.  hesca_quantity_parse() knows what a number is,
 * strtod() its nearest value, with the decimal point of the locale; so numbers
 * that were written with enough digits are read without an error. */
static int
parse(const char *word, double *x)
{
    const char *point = localeconv()->decimal_point;
    char text[WORD + 16];
    const size_t n = strcspn(word, ".");
    if (!hesca_quantity_parse(HESCA_AMOUNT, word, x))
        return 0;
    if (strlen(word) + strlen(point) < sizeof text) {
        snprintf(text, sizeof text, "%.*s%.8s%.120s", (int)n, word,
                 word[n] == '.' ? point : "", word + n + (word[n] == '.'));
        *x = strtod(text, NULL);
    }
    return 1;
}

/* A letter and a number. */
static int
read_letter(reader *r, char letter, const char *must, double least,
            double most, int is_whole, double *x)
{
    if (r->word[0] != letter || !parse(r->word + 1, x) || !(*x >= least) ||
        !(*x <= most) || (is_whole && *x != (double)(int)*x))
        return complain(r, must);
    return next(r);
}

/* --- topologies --- */

static int
read_factor(reader *r, double *x)
{
    if (!parse(r->word, x) || !(*x <= 1))
        return complain(r, "a number 0 ... 1");
    return next(r);
}

/* serial RATES, parallel ( f_b , f_g ) RATES */
static int
read_layer(reader *r, int parent)
{
    hesca_topology *t = &r->topology;
    hesca_layer l = {.parent = parent,
                     .depth = parent < 0 ? 0 : t->layer[parent].depth + 1};
    void *array = t->layer;
    int err;
    l.is_parallel = strcmp(r->word, "parallel") == 0;
    if (!l.is_parallel && strcmp(r->word, "serial") != 0)
        return complain(r, "serial or parallel(f_b, f_g)");
    HESCA_TRY(err, next(r));
    if (l.is_parallel) {
        HESCA_TRY(err, expect(r, "("));
        HESCA_TRY(err, read_factor(r, &l.broadcast));
        HESCA_TRY(err, expect(r, ","));
        HESCA_TRY(err, read_factor(r, &l.gather));
        HESCA_TRY(err, expect(r, ")"));
    }
    for (int k = 0; k < HESCA_LAYER_RATES; ++k)
        HESCA_TRY(err, read_letter(r, 'c', "c and bytes per second, as c62377",
                                   1e-100, 1e100, 0, &l.rate[k]));
    hesca_layer_prepare(&l);
    HESCA_TRY(err, hesca_reader_grow(&array, t->nlayers, sizeof l));
    t->layer = array;
    t->layer[t->nlayers++] = l;
fail:
    return err;
}

/* s, p and n. */
static int
read_processors(reader *r, hesca_computer *c)
{
    double s, n;
    int err;
    HESCA_TRY(err, read_letter(r, 's', "s and a number of processors, as s2",
                               1, INT_MAX, 1, &s));
    HESCA_TRY(err, read_letter(r, 'p', "p and a speed, as p6667", 1e-100,
                               1e100, 0, &c->speed));
    HESCA_TRY(err, read_letter(r, 'n', "n and a number of processes, as n5", 0,
                               INT_MAX, 1, &n));
    c->nprocessors = (int)s;
    c->nprocs = (int)n;
fail:
    return err;
}

static int
set_name(reader *r, hesca_computer *c)
{
    const hesca_topology *t = &r->topology;
    if (r->name[0] != '\0')
        strcpy(c->name, r->name);
    else
        snprintf(c->name, sizeof c->name, "computer%d", t->ncomputers);
    r->name[0] = '\0';
    for (int k = 0; k < t->ncomputers; ++k)
        if (strcmp(t->computer[k].name, c->name) == 0)
            return complain_at(r->path, r->word_line, c->name,
                               "there only once");
    return HESCA_SUCCESS;
}

static int
read_computer(reader *r, int parent)
{
    hesca_topology *t = &r->topology;
    hesca_computer c = {.layer = t->nlayers};
    void *array = t->computer;
    int err;
    if (t->ncomputers == HESCA_HOSTS_MAX)
        return complain(r, "one of at most 8192 computers");
    HESCA_TRY(err, read_processors(r, &c));
    HESCA_TRY(err, set_name(r, &c));
    HESCA_TRY(err, hesca_reader_grow(&array, t->ncomputers, sizeof c));
    t->computer = array;
    t->computer[t->ncomputers++] = c;
    err = read_layer(r, parent);
fail:
    return err;
}

/* A layer without a computer of its own. */
static int
read_inner(reader *r, int parent)
{
    const hesca_topology *t = &r->topology;
    int err;
    if (t->nlayers - t->ncomputers == HESCA_HOSTS_MAX)
        return complain(r, "one of at most 8192 layers around computers");
    HESCA_TRY(err, read_layer(r, parent));
    if (strcmp(r->word, "{") != 0)
        err = complain(r, "'{'");
fail:
    return err;
}

/* Computers and layers up to the end, or }. */
static int
read_inside(reader *r, int parent, int depth)
{
    int err = HESCA_SUCCESS;
    while (r->word[0] != '\0' && strcmp(r->word, "}") != 0) {
        const int inner = r->topology.nlayers;
        if (depth > DEPTH_MOST)
            return complain(r, "inside of at most 64 layers");
        if (r->word[0] == 's' && r->word[1] >= '0' && r->word[1] <= '9')
            HESCA_TRY(err, read_computer(r, parent));
        else if (strcmp(r->word, "serial") == 0 ||
                 strcmp(r->word, "parallel") == 0)
            HESCA_TRY(err, read_inner(r, parent));
        else
            return complain(r, "a computer, as s2 p6667 n5 serial c1 c2 c3, "
                               "or a layer");
        if (strcmp(r->word, "{") == 0) {
            r->name[0] = '\0';
            HESCA_TRY(err, expect(r, "{"));
            HESCA_TRY(err, read_inside(r, inner, depth + 1));
            HESCA_TRY(err, expect(r, "}"));
        }
    }
fail:
    return err;
}

int
hesca_topology_read(const char *path, hesca_topology *topology)
{
    reader r;
    int err = open_file(&r, path);
    if (err < 0)
        return err;
    HESCA_TRY(err, next(&r));
    HESCA_TRY(err, read_layer(&r, -1));
    HESCA_TRY(err, read_inside(&r, 0, 1));
    if (r.word[0] != '\0') {
        err = complain(&r, "left out");
        goto fail;
    }
    if (r.topology.ncomputers == 0) {
        err = complain(&r, "a computer, as s2 p6667 n5 serial c1 c2 c3,");
        goto fail;
    }
    hesca_topology_clear(topology);
    *topology = r.topology;
    r.topology = (hesca_topology){.layer = NULL};
fail:
    hesca_topology_clear(&r.topology);
    free(r.text);
    return err;
}

/* --- writing --- */

/* With as many digits as identify the number.  The decimal point of the locale
 * may be any character, even one of several bytes. */
static void
write_number(FILE *out, char letter, double x)
{
    char text[40];
    double y;
    if (letter != 0)
        fputc(letter, out);
    if (x >= 1 && x < 1e15 && x == (double)(int64_t)x) {
        fprintf(out, "%lld", (long long)x);
        return;
    }
    for (int digits = 6; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        y = strtod(text, NULL);
        if (y >= x && y <= x)
            break;
    }
    int is_point = 0;
    for (const char *c = text; *c != '\0'; ++c) {
        const int is_other = strchr("0123456789e+-", *c) == NULL;
        if (!is_other || !is_point)
            fputc(is_other ? '.' : *c, out);
        is_point = is_other;
    }
}

static void
write_layer(FILE *out, const hesca_layer *l)
{
    if (l->is_parallel) {
        fprintf(out, "parallel(");
        write_number(out, 0, l->broadcast);
        fprintf(out, ", ");
        write_number(out, 0, l->gather);
        fprintf(out, ")");
    } else {
        fprintf(out, "serial");
    }
    for (int k = 0; k < HESCA_LAYER_RATES; ++k) {
        fputc(' ', out);
        write_number(out, 'c', l->rate[k]);
    }
}

/* A layer as it is written: layers inside another one follow each other, and
 * stand in the order of their first computers. */
typedef struct {
    int parent, first, layer;
    int computer; /* whose own it is; -1: none */
} entry;

static int
by_place(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->layer < y->layer ? -1 : x->layer > y->layer;
}

static entry *
list_entries(const hesca_topology *t)
{
    entry *list = malloc((size_t)t->nlayers * sizeof *list);
    if (list == NULL)
        return NULL;
    for (int k = 0; k < t->nlayers; ++k)
        list[k] = (entry){t->layer[k].parent, INT_MAX, k, -1};
    for (int k = t->ncomputers - 1; k >= 0; --k)
        list[t->computer[k].layer].first =
            list[t->computer[k].layer].computer = k;
    for (int k = t->nlayers - 1; k > 0; --k)
        if (list[k].first < list[list[k].parent].first)
            list[list[k].parent].first = list[k].first;
    qsort(list, (size_t)t->nlayers, sizeof *list, by_place);
    return list;
}

/* The first entry inside a layer, or beyond them. */
static int
first_inside(const entry *list, int n, int parent)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list[middle].parent < parent)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
write_inside(FILE *out, const hesca_topology *t, const entry *list, int parent)
{
    for (int k = first_inside(list, t->nlayers, parent);
         k < t->nlayers && list[k].parent == parent; ++k) {
        const int layer = list[k].layer;
        const int inside = first_inside(list, t->nlayers, layer);
        if (list[k].computer >= 0) {
            const hesca_computer *x = &t->computer[list[k].computer];
            fprintf(out, "#%s\ns%d ", x->name, x->nprocessors);
            write_number(out, 'p', x->speed);
            fprintf(out, " n%d ", x->nprocs);
        }
        write_layer(out, &t->layer[layer]);
        if (list[k].computer < 0 ||
            (inside < t->nlayers && list[inside].parent == layer)) {
            fprintf(out, " {\n");
            write_inside(out, t, list, layer);
            fputc('}', out);
        }
        fputc('\n', out);
    }
}

int
hesca_topology_format(const hesca_topology *t, char **text)
{
    size_t length = 0;
    *text = NULL;
    entry *list = list_entries(t);
    FILE *out = list != NULL ? open_memstream(text, &length) : NULL;
    if (out != NULL) {
        write_layer(out, &t->layer[0]);
        fputc('\n', out);
        write_inside(out, t, list, 0);
    }
    const int is_bad = out == NULL || ferror(out);
    free(list);
    if (out != NULL && fclose(out) == 0 && !is_bad)
        return HESCA_SUCCESS;
    free(*text);
    *text = NULL;
    return hesca_fail(HESCA_ERR_NOMEM, 0, "the text of a topology");
}

/* --- VPM --- */

/* A whole number above 0, perhaps in brackets. */
static int
read_count(const reader *r, const char *word, int brackets, int *x)
{
    char inside[WORD];
    const size_t n = strlen(word);
    const int cut = brackets && n > 2 && word[0] == '[' && word[n - 1] == ']';
    double value;
    if (n < sizeof inside) {
        snprintf(inside, sizeof inside, "%.*s", (int)n - 2 * cut, word + cut);
        if (parse(inside, &value) && value >= 1 && value <= INT_MAX &&
            value == (double)(int)value) {
            *x = (int)value;
            return HESCA_SUCCESS;
        }
    }
    return complain_at(r->path, r->line, word,
                       brackets ? "a number of processors"
                                : "a number of processes");
}

static int
read_vpm_line(const reader *r, char *text, hesca_vpm_line *x)
{
    static const char blanks[] = " \t\r\f\v";
    char *rest = NULL, *name = strtok_r(text, blanks, &rest);
    const char *nprocs = strtok_r(NULL, blanks, &rest);
    const char *nprocessors = strtok_r(NULL, blanks, &rest);
    const char *more = strtok_r(NULL, blanks, &rest);
    int err;
    *x = (hesca_vpm_line){.nprocs = 0};
    if (strlen(name) >= sizeof x->name)
        return complain_at(r->path, r->line, name,
                           "a name shorter than 64 bytes");
    if (has_control(name))
        return complain_at(r->path, r->line, name,
                           "a name without control characters");
    if (nprocs == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: the line ends where a number of "
                          "processes must follow",
                          r->path, r->line);
    strcpy(x->name, name);
    HESCA_TRY(err, read_count(r, nprocs, 0, &x->nprocs));
    if (nprocessors != NULL)
        HESCA_TRY(err, read_count(r, nprocessors, 1, &x->nprocessors));
    if (more != NULL)
        err = complain_at(r->path, r->line, more, "left out");
fail:
    return err;
}

/* Read a line into entry n, if it is not a comment. */
static int
add_vpm_line(const reader *r, char *text, hesca_vpm_line **list, int *n)
{
    void *array = *list;
    int err;
    text += strspn(text, " \t\r\f\v");
    if (*text == '\0' || *text == '#')
        return HESCA_SUCCESS;
    if (*n == HESCA_HOSTS_MAX)
        return complain_at(r->path, r->line, text,
                           "one of at most 8192 computers");
    HESCA_TRY(err, hesca_reader_grow(&array, *n, sizeof **list));
    *list = array;
    HESCA_TRY(err, read_vpm_line(r, text, &(*list)[*n]));
    for (int k = 0; k < *n; ++k)
        if (strcmp((*list)[k].name, (*list)[*n].name) == 0)
            return complain_at(r->path, r->line, (*list)[k].name,
                               "there only once");
    ++*n;
fail:
    return err;
}

int
hesca_vpm_read(const char *path, hesca_vpm_line **line, int *n)
{
    reader r;
    hesca_vpm_line *list = NULL;
    int count = 0, err = open_file(&r, path);
    *line = NULL;
    *n = 0;
    if (err < 0)
        return err;
    while (r.at < r.end && err == HESCA_SUCCESS) {
        char *stop = r.at + strcspn(r.at, "\n");
        *stop = '\0';
        err = add_vpm_line(&r, r.at, &list, &count);
        r.at = stop + 1;
        ++r.line;
    }
    if (err == HESCA_SUCCESS && count == 0)
        err = complain_at(path, r.line, NULL, "a computer");
    free(r.text);
    if (err < 0) {
        free(list);
        return err;
    }
    *line = list;
    *n = count;
    return HESCA_SUCCESS;
}
