/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* open_memstream, strtok_r */
/* The readers of topology and VPM files, and the writer of topology files. */
#include "base/status.h"
#include "machine/quantity.h"
#include "machine/topology.h"
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_MOST = 1 << 24,
    DEPTH_MOST = 64,
    LAYERS_MOST = 2 * HESCA_HOSTS_MAX
};

/* --- words --- */

typedef struct {
    const char *path;
    char *text, *at, *end;
    int line;
    char word[HESCA_HOST_MAX + 64]; /* the next one, "" at the end */
    int word_line;
    hesca_topology topology;
    char name[HESCA_HOST_MAX]; /* of the next computer, "": none */
} reader;

static int
open_file(reader *r, const char *path)
{
    *r = (reader){.path = path, .line = 1};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: %s", path,
                          strerror(errno));
    size_t n = 0, room = 1 << 16;
    r->text = malloc(room);
    while (r->text != NULL && !feof(file) && !ferror(file)) {
        n += fread(r->text + n, 1, room - n - 1, file);
        if (n == room - 1) {
            char *more = room >= FILE_MOST ? NULL : realloc(r->text, 2 * room);
            if (more == NULL) {
                fclose(file);
                free(r->text);
                return hesca_fail(HESCA_ERR_PARAM, 0,
                                  "%.100s: more than %d bytes", path,
                                  FILE_MOST);
            }
            r->text = more;
            room *= 2;
        }
    }
    const int is_bad = ferror(file);
    fclose(file);
    if (r->text == NULL || is_bad) {
        free(r->text);
        return is_bad ? hesca_fail(HESCA_ERR_PARAM, 0, "%.100s cannot be read",
                                   path)
                      : hesca_fail(HESCA_ERR_NOMEM, 0, "%.100s", path);
    }
    r->at = r->text;
    r->end = r->text + n;
    return HESCA_SUCCESS;
}

static int
complain(const reader *r, const char *must)
{
    if (r->word[0] == '\0')
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: the file ends where %s must follow",
                          r->path, r->word_line, must);
    return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s:%d: '%.40s' must be %s",
                      r->path, r->word_line, r->word, must);
}

static int
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* The text of a line from here on, without blanks at its ends, as a word. */
static int
take_rest(reader *r)
{
    size_t n = 0;
    while (r->at < r->end && is_blank(*r->at))
        ++r->at;
    const char *start = r->at;
    while (r->at < r->end && *r->at != '\n')
        ++r->at;
    n = (size_t)(r->at - start);
    while (n > 0 && is_blank(start[n - 1]))
        --n;
    if (n >= sizeof r->word)
        n = sizeof r->word - 1;
    memcpy(r->word, start, n);
    r->word[n] = '\0';
    r->word_line = r->line;
    return n == strlen(r->word) ? HESCA_SUCCESS
                                : complain(r, "text without a byte 0");
}

/* The next word of a topology file: # and the name behind it set r->name;
 * ( ) , { } stand alone. */
static int
next(reader *r)
{
    size_t n = 0;
    for (;;) {
        while (r->at < r->end && (is_blank(*r->at) || *r->at == '\n'))
            r->line += *r->at++ == '\n';
        if (r->at >= r->end || *r->at != '#')
            break;
        ++r->at;
        const int err = take_rest(r);
        if (err < 0)
            return err;
        if (strlen(r->word) >= HESCA_HOST_MAX)
            return complain(r, "a name shorter than 64 bytes");
        for (const char *c = r->word; *c != '\0'; ++c)
            if ((unsigned char)*c < ' ')
                return complain(r, "a name without control characters");
        strcpy(r->name, r->word);
    }
    r->word_line = r->line;
    while (r->at < r->end && !is_blank(*r->at) && *r->at != '\n' &&
           n + 1 < sizeof r->word) {
        const int is_alone = strchr("(),{}", *r->at) != NULL && *r->at != 0;
        if (is_alone && n > 0)
            break;
        if (*r->at == '\0') {
            r->word[n] = '\0';
            return complain(r, "text without a byte 0");
        }
        r->word[n++] = *r->at++;
        if (is_alone)
            break;
    }
    r->word[n] = '\0';
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

/* A letter and a number. */
static int
read_letter(reader *r, char letter, const char *must, double least,
            double most, int is_whole, double *x)
{
    if (r->word[0] != letter ||
        !hesca_quantity_parse(HESCA_AMOUNT, r->word + 1, x) || *x < least ||
        *x > most || (is_whole && *x != (double)(int)*x))
        return complain(r, must);
    return next(r);
}

/* --- topologies --- */

/* Room for one more entry of a list whose size doubles. */
static int
grow(void **list, int n, size_t size, int most)
{
    if (n >= most)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "more than %d layers or "
                          "computers",
                          most);
    if ((n & (n - 1)) != 0)
        return HESCA_SUCCESS;
    void *more = realloc(*list, (n > 0 ? 2 * (size_t)n : 1) * size);
    if (more == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a topology");
    *list = more;
    return HESCA_SUCCESS;
}

static int
read_factor(reader *r, double *x)
{
    if (!hesca_quantity_parse(HESCA_AMOUNT, r->word, x) || *x > 1)
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
    HESCA_TRY(err,
              grow((void **)&t->layer, t->nlayers, sizeof l, LAYERS_MOST));
    t->layer[t->nlayers++] = l;
fail:
    return err;
}

static int
read_computer(reader *r, int parent)
{
    hesca_topology *t = &r->topology;
    hesca_computer c = {.layer = t->nlayers};
    double s, n;
    int err;
    HESCA_TRY(err, read_letter(r, 's', "s and a number of processors, as s2",
                               1, INT_MAX, 1, &s));
    HESCA_TRY(err, read_letter(r, 'p', "p and a speed, as p6667", 1e-100,
                               1e100, 0, &c.speed));
    HESCA_TRY(err, read_letter(r, 'n', "n and a number of processes, as n5", 0,
                               INT_MAX, 1, &n));
    c.nprocessors = (int)s;
    c.nprocs = (int)n;
    if (r->name[0] != '\0')
        strcpy(c.name, r->name);
    else
        snprintf(c.name, sizeof c.name, "computer%d", t->ncomputers);
    r->name[0] = '\0';
    for (int k = 0; k < t->ncomputers; ++k)
        if (strcmp(t->computer[k].name, c.name) == 0)
            return hesca_fail(HESCA_ERR_PARAM, 0,
                              "%.100s:%d: a second computer '%s'", r->path,
                              r->word_line, c.name);
    HESCA_TRY(err, read_layer(r, parent));
    HESCA_TRY(err, grow((void **)&t->computer, t->ncomputers, sizeof c,
                        HESCA_HOSTS_MAX));
    t->computer[t->ncomputers++] = c;
fail:
    return err;
}

/* Computers and layers up to the end, or }. */
static int
read_inside(reader *r, int parent, int depth)
{
    int err = HESCA_SUCCESS;
    if (depth > DEPTH_MOST)
        return complain(r, "at most 64 layers deep");
    while (err == 0 && r->word[0] != '\0' && strcmp(r->word, "}") != 0) {
        if (r->word[0] == 's' && r->word[1] >= '0' && r->word[1] <= '9') {
            err = read_computer(r, parent);
            continue;
        }
        if (strcmp(r->word, "serial") != 0 && strcmp(r->word, "parallel") != 0)
            return complain(r, "a computer, as s2 p6667 n5 serial c1 c2 c3, "
                               "or a layer");
        const int inner = r->topology.nlayers;
        HESCA_TRY(err, read_layer(r, parent));
        r->name[0] = '\0';
        HESCA_TRY(err, expect(r, "{"));
        HESCA_TRY(err, read_inside(r, inner, depth + 1));
        HESCA_TRY(err, expect(r, "}"));
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

/* With as many digits as identify the number. */
static void
write_number(FILE *out, char letter, double x)
{
    char text[40];
    if (letter != 0)
        fputc(letter, out);
    if (x >= 1 && x < 1e15 && x == (double)(int64_t)x) {
        fprintf(out, "%lld", (long long)x);
        return;
    }
    for (int digits = 6; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        for (char *c = text; *c != '\0'; ++c)
            if (*c == ',')
                *c = '.';
        double y;
        if (hesca_quantity_parse(HESCA_AMOUNT, text, &y) && y == x)
            break;
    }
    fputs(text, out);
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

static int
computer_of(const hesca_topology *t, int layer)
{
    for (int k = 0; k < t->ncomputers; ++k)
        if (t->computer[k].layer == layer)
            return k;
    return -1;
}

static void
write_inside(FILE *out, const hesca_topology *t, int parent)
{
    for (int k = parent + 1; k < t->nlayers; ++k) {
        if (t->layer[k].parent != parent)
            continue;
        const int c = computer_of(t, k);
        if (c >= 0) {
            const hesca_computer *x = &t->computer[c];
            fprintf(out, "#%s\ns%d ", x->name, x->nprocessors);
            write_number(out, 'p', x->speed);
            fprintf(out, " n%d ", x->nprocs);
            write_layer(out, &t->layer[k]);
            fputc('\n', out);
        } else {
            write_layer(out, &t->layer[k]);
            fprintf(out, " {\n");
            write_inside(out, t, k);
            fprintf(out, "}\n");
        }
    }
}

int
hesca_topology_format(const hesca_topology *t, char **text)
{
    size_t length = 0;
    *text = NULL;
    FILE *out = open_memstream(text, &length);
    if (out == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "the text of a topology");
    write_layer(out, &t->layer[0]);
    fputc('\n', out);
    write_inside(out, t, 0);
    const int is_bad = ferror(out);
    if (fclose(out) == 0 && !is_bad)
        return HESCA_SUCCESS;
    free(*text);
    *text = NULL;
    return hesca_fail(HESCA_ERR_NOMEM, 0, "the text of a topology");
}

/* --- VPM --- */

/* A whole number above 0, perhaps in brackets. */
static int
read_count(const reader *r, char *word, int brackets, int *x)
{
    const size_t n = strlen(word);
    double value;
    if (brackets && n > 2 && word[0] == '[' && word[n - 1] == ']') {
        word[n - 1] = '\0';
        ++word;
    }
    if (hesca_quantity_parse(HESCA_AMOUNT, word, &value) && value >= 1 &&
        value <= INT_MAX && value == (double)(int)value) {
        *x = (int)value;
        return HESCA_SUCCESS;
    }
    return hesca_fail(HESCA_ERR_PARAM, 0,
                      "%.100s:%d: '%.40s' must be a number of process%s",
                      r->path, r->line, word, brackets ? "ors" : "es");
}

static int
read_vpm_line(const reader *r, char *text, hesca_vpm_line *x)
{
    char *rest = NULL, *name = strtok_r(text, " \t\r\f\v", &rest);
    char *nprocs = strtok_r(NULL, " \t\r\f\v", &rest);
    char *nprocessors = strtok_r(NULL, " \t\r\f\v", &rest);
    char *more = strtok_r(NULL, " \t\r\f\v", &rest);
    int err;
    *x = (hesca_vpm_line){.nprocs = 0};
    if (strlen(name) >= sizeof x->name)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: '%.40s' must be a name shorter than 64 "
                          "bytes",
                          r->path, r->line, name);
    for (const char *c = name; *c != '\0'; ++c)
        if ((unsigned char)*c < ' ')
            return hesca_fail(HESCA_ERR_PARAM, 0,
                              "%.100s:%d: a name with control characters",
                              r->path, r->line);
    if (nprocs == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: the line ends where a number of "
                          "processes must follow",
                          r->path, r->line);
    strcpy(x->name, name);
    if ((err = read_count(r, nprocs, 0, &x->nprocs)) < 0 ||
        (nprocessors != NULL &&
         (err = read_count(r, nprocessors, 1, &x->nprocessors)) < 0))
        return err;
    if (more != NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: '%.40s' must be left out", r->path,
                          r->line, more);
    return HESCA_SUCCESS;
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
    *r.end = '\0';
    for (char *next_line; r.at < r.end && err == 0;
         r.at = next_line, ++r.line) {
        char *stop = memchr(r.at, '\n', (size_t)(r.end - r.at));
        stop = stop != NULL ? stop : r.end;
        next_line = stop + 1;
        *stop = '\0';
        if (strlen(r.at) != (size_t)(stop - r.at)) {
            err = hesca_fail(HESCA_ERR_PARAM, 0,
                             "%.100s:%d: a byte 0 is not text", path, r.line);
            break;
        }
        r.at += strspn(r.at, " \t\r\f\v");
        if (*r.at == '\0' || *r.at == '#')
            continue;
        err = grow((void **)&list, count, sizeof *list, HESCA_HOSTS_MAX);
        if (err == 0)
            err = read_vpm_line(&r, r.at, &list[count]);
        for (int k = 0; err == 0 && k < count; ++k)
            if (strcmp(list[k].name, list[count].name) == 0)
                err = hesca_fail(HESCA_ERR_PARAM, 0,
                                 "%.100s:%d: a second line for '%s'", path,
                                 r.line, list[k].name);
        ++count;
    }
    if (err == 0 && count == 0)
        err = hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: no computer", path);
    free(r.text);
    if (err < 0) {
        free(list);
        return err;
    }
    *line = list;
    *n = count;
    return HESCA_SUCCESS;
}
