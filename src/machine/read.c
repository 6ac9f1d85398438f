/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader of machine files, with one function for each kind of line. */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "base/status.h"
#include "machine/cost_lines.h"
#include "machine/network.h"
#include "machine/reader.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef hesca_reader reader;

/* --- words ---
 * Each function consumes one or two words of the current line, and reports
 * what must be there if the word is missing or wrong. */

int
hesca_reader_complain(const reader *r, const char *token, const char *must)
{
    if (token == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: the line ends where %s must follow",
                          r->path, r->line, must);
    return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s:%d: '%.40s' must be %s",
                      r->path, r->line, token, must);
}

char *
hesca_reader_next(reader *r, char *line)
{
    return strtok_r(line, " \t\r\n", &r->rest);
}

int
hesca_reader_number(reader *r, hesca_quantity q, double *x)
{
    const char *token = hesca_reader_next(r, NULL);
    if (token == NULL || !hesca_quantity_parse(q, token, x))
        return hesca_reader_complain(r, token, hesca_quantity_rule(q));
    return HESCA_SUCCESS;
}

int
hesca_reader_field(reader *r, const char *name, hesca_quantity q, double *x)
{
    const char *token = hesca_reader_next(r, NULL);
    if (token == NULL || strcmp(token, name) != 0)
        return hesca_reader_complain(r, token, name);
    return hesca_reader_number(r, q, x);
}

static int
read_name(reader *r, char name[HESCA_HOST_MAX])
{
    const char *token = hesca_reader_next(r, NULL);
    if (token == NULL || strlen(token) >= HESCA_HOST_MAX)
        return hesca_reader_complain(r, token, "a name shorter than 64 bytes");
    for (const char *c = token; *c != '\0'; ++c)
        if ((unsigned char)*c < ' ')
            return hesca_reader_complain(r, token,
                                         "a name without control characters");
    strcpy(name, token);
    return HESCA_SUCCESS;
}

/* Arrays double in size: the capacity is the least power of two >= n. */
int
hesca_reader_grow(void **array, int n, size_t size)
{
    if ((n & (n - 1)) != 0)
        return HESCA_SUCCESS;
    void *more = realloc(*array, (n > 0 ? 2 * (size_t)n : 1) * size);
    if (more == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a machine file");
    *array = more;
    return HESCA_SUCCESS;
}

/* --- lines ---
 * A function reads the words of a line behind the first one; read_line()
 * checks that none is left.  Hosts are numbered in the order of their lines,
 * and no host follows the first link.  Every line appears at most once. */

static int
read_costs(reader *r, int line)
{
    int err = HESCA_SUCCESS;
    if (r->seen[line]++)
        return hesca_reader_complain(r, hesca_cost_line[line],
                                     "there only once");
    for (int k = 0; k < HESCA_COST_FIELDS && err == HESCA_SUCCESS; ++k)
        err = hesca_reader_field(r, hesca_cost_field[k],
                                 k < 2 ? HESCA_SECONDS : HESCA_PER_BYTE,
                                 hesca_cost_at(&r->machine, line, k));
    return err;
}

/* The fields of a host behind its name, in any order. */
static int
read_host_fields(reader *r, hesca_host *h)
{
    const struct {
        const char *name;
        hesca_quantity q;
        double *x;
    } field[] = {{"speed", HESCA_SPEED, &h->speed},
                 {"cores", HESCA_SPEED, &h->cores},
                 {"memory", HESCA_BYTES, &h->memory}};
    enum { FIELDS = sizeof field / sizeof *field };
    int seen[FIELDS] = {0}, k, err;
    const char *token;
    while ((token = hesca_reader_next(r, NULL)) != NULL) {
        for (k = 0; k < FIELDS && strcmp(token, field[k].name) != 0; ++k)
            ;
        if (k == FIELDS)
            return hesca_reader_complain(
                r, token, "speed, cores, memory, or the end of the line");
        if (seen[k]++)
            return hesca_reader_complain(r, token, "there only once");
        HESCA_TRY(err, hesca_reader_number(r, field[k].q, field[k].x));
    }
    return HESCA_SUCCESS;
fail:
    return err;
}

static int
read_host(reader *r, int unused)
{
    hesca_machine *m = &r->machine;
    hesca_host h = {.speed = 1, .cores = 1};
    void *array = m->host;
    int err;
    (void)unused;
    HESCA_TRY(err, read_name(r, h.name));
    if (r->wire_line != NULL)
        return hesca_reader_complain(r, h.name,
                                     "listed before the first line of links");
    if (m->nhosts == HESCA_HOSTS_MAX)
        return hesca_reader_complain(r, h.name, "one of at most 8192 hosts");
    for (int i = 0; i < m->nhosts; ++i)
        if (strcmp(m->host[i].name, h.name) == 0)
            return hesca_reader_complain(r, h.name, "there only once");
    HESCA_TRY(err, read_host_fields(r, &h));
    HESCA_TRY(err, hesca_reader_grow(&array, m->nhosts, sizeof *m->host));
    m->host = array;
    m->host[m->nhosts++] = h;
fail:
    return err;
}

static int
read_numbers(reader *r, hesca_wire *w)
{
    int err;
    HESCA_TRY(err, hesca_reader_number(r, HESCA_SECONDS, &w->startup));
    HESCA_TRY(err, hesca_reader_field(r, "rate", HESCA_RATE, &w->rate));
fail:
    return err;
}

static int
read_class(reader *r, int unused)
{
    hesca_wire_class c;
    void *array = r->classes;
    int err;
    (void)unused;
    memset(&c, 0, sizeof c);
    HESCA_TRY(err, read_name(r, c.name));
    for (int i = 0; i < r->nclasses; ++i)
        if (strcmp(r->classes[i].name, c.name) == 0)
            return hesca_reader_complain(r, c.name, "there only once");
    const char *token = hesca_reader_next(r, NULL);
    if (token == NULL || strcmp(token, "startup") != 0)
        return hesca_reader_complain(r, token, "startup");
    HESCA_TRY(err, read_numbers(r, &c.wire));
    HESCA_TRY(err, hesca_reader_grow(&array, r->nclasses, sizeof c));
    r->classes = array;
    r->classes[r->nclasses++] = c;
fail:
    return err;
}

/* The costs of a wire: numbers, or a class. */
static int
read_wire(reader *r, hesca_wire *w)
{
    const char *token = hesca_reader_next(r, NULL);
    if (token != NULL && strcmp(token, "startup") == 0)
        return read_numbers(r, w);
    if (token == NULL || strcmp(token, "class") != 0)
        return hesca_reader_complain(r, token, "startup or class");
    token = hesca_reader_next(r, NULL);
    for (int i = 0; token != NULL && i < r->nclasses; ++i)
        if (strcmp(r->classes[i].name, token) == 0) {
            *w = r->classes[i].wire;
            return HESCA_SUCCESS;
        }
    return hesca_reader_complain(r, token, "a class defined before");
}

/* The host at one end of a link.  Files list pairs in order, so the search
 * begins at the last host found. */
int
hesca_reader_host(reader *r, int end, int *host)
{
    const int n = r->machine.nhosts;
    const char *token = hesca_reader_next(r, NULL);
    for (int i = 0; token != NULL && i < n; ++i) {
        *host = (r->last[end] + i) % n;
        if (strcmp(r->machine.host[*host].name, token) == 0) {
            r->last[end] = *host;
            return HESCA_SUCCESS;
        }
    }
    return hesca_reader_complain(r, token, "a host listed before");
}

/* Allocate the wires; from now on the number of hosts is fixed. */
static int
begin_wires(reader *r)
{
    const size_t n = (size_t)r->machine.nhosts;
    if (r->wire_line != NULL)
        return HESCA_SUCCESS;
    r->machine.wire = calloc(n * n, sizeof *r->machine.wire);
    r->wire_line = calloc(n * n, sizeof *r->wire_line);
    if (r->machine.wire == NULL || r->wire_line == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "wires of %zu hosts", n);
    return HESCA_SUCCESS;
}

static int
enter(reader *r, int from, int to, const hesca_wire *w)
{
    const hesca_machine *m = &r->machine;
    const size_t k = (size_t)from * (size_t)m->nhosts + (size_t)to;
    if (r->wire_line[k] > 0)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.80s:%d: '%.40s %.40s' is specified for the "
                          "second time, after line %d",
                          r->path, r->line, m->host[from].name,
                          m->host[to].name, r->wire_line[k]);
    r->wire_line[k] = r->line;
    m->wire[k] = *w;
    return HESCA_SUCCESS;
}

enum { ONE_WAY, BOTH_WAYS };

static int
read_link(reader *r, int ways)
{
    hesca_wire w;
    int from, to, err;
    HESCA_TRY(err, hesca_reader_host(r, 0, &from));
    HESCA_TRY(err, hesca_reader_host(r, 1, &to));
    if (from == to)
        return hesca_reader_complain(
            r, r->machine.host[to].name,
            "another host than the first: 'inside' is for one host");
    HESCA_TRY(err, read_wire(r, &w));
    HESCA_TRY(err, begin_wires(r));
    HESCA_TRY(err, enter(r, from, to, &w));
    if (ways == BOTH_WAYS)
        HESCA_TRY(err, enter(r, to, from, &w));
fail:
    return err;
}

static int
read_inside(reader *r, int unused)
{
    hesca_wire w;
    int host, err;
    (void)unused;
    HESCA_TRY(err, hesca_reader_host(r, 0, &host));
    HESCA_TRY(err, read_wire(r, &w));
    HESCA_TRY(err, begin_wires(r));
    HESCA_TRY(err, enter(r, host, host, &w));
fail:
    return err;
}

static int
read_others(reader *r, int unused)
{
    (void)unused;
    if (r->has_others++)
        return hesca_reader_complain(r, "others", "there only once");
    return read_wire(r, &r->others);
}

static int
read_unit(reader *r, int unused)
{
    hesca_unit *u = &r->machine.unit;
    int err;
    (void)unused;
    if (r->has_unit++)
        return hesca_reader_complain(r, "unit", "there only once");
    HESCA_TRY(err, hesca_reader_field(r, "flops", HESCA_SPEED, &u->flops));
    HESCA_TRY(err, hesca_reader_field(r, "part", HESCA_SPEED, &u->part));
    if (u->part > 1)
        err = hesca_reader_complain(r, "part", "at most 1");
fail:
    return err;
}

static const struct {
    const char *name;
    int (*read)(reader *r, int which);
    int which;
} kinds[] = {{"node", read_costs, 0},         {"node-crowded", read_costs, 1},
             {"net", read_costs, 2},          {"net-crowded", read_costs, 3},
             {"unit", read_unit, 0},          {"host", read_host, 0},
             {"class", read_class, 0},        {"link", read_link, ONE_WAY},
             {"links", read_link, BOTH_WAYS}, {"inside", read_inside, 0},
             {"others", read_others, 0},      {"model", hesca_reader_model, 0},
             {"knot", hesca_reader_knot, 0}};

static int
read_head(reader *r, const char *token)
{
    if (strcmp(token, "hesca-machine") != 0)
        return hesca_reader_complain(r, token,
                                     "'hesca-machine 1', which comes first");
    token = hesca_reader_next(r, NULL);
    if (token == NULL || strcmp(token, "1") != 0)
        return hesca_reader_complain(r, token, "1, the version of the format");
    r->has_head = 1;
    return HESCA_SUCCESS;
}

static int
read_kind(reader *r, const char *token)
{
    int err = HESCA_SUCCESS;
    if (strcmp(token, "knot") != 0)
        HESCA_TRY(err, hesca_reader_end_model(r));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        if (strcmp(token, kinds[k].name) == 0)
            return kinds[k].read(r, kinds[k].which);
    return hesca_reader_complain(
        r, token,
        "node, node-crowded, net, net-crowded, unit, host, class, "
        "link, links, inside, others, model or knot");
fail:
    return err;
}

static int
read_line(reader *r, char *line)
{
    int err = HESCA_SUCCESS;
    line[strcspn(line, "#")] = '\0';
    char *token = hesca_reader_next(r, line);
    if (token == NULL)
        return HESCA_SUCCESS;
    HESCA_TRY(err, r->has_head ? read_kind(r, token) : read_head(r, token));
    token = hesca_reader_next(r, NULL);
    if (token != NULL)
        err = hesca_reader_complain(r, token, "the end of the line");
fail:
    return err;
}

/* --- the file ---
 * Costs and wires that the file omits are filled in at its end.  The result is
 * stored only if there was no error. */

/* Lines of costs may be omitted if there are hosts, since wires have costs. */
static int
check_costs(const reader *r)
{
    int k = 0;
    while (k < HESCA_COST_LINES && (r->seen[k] || r->machine.nhosts > 0))
        ++k;
    if (r->has_head && k == HESCA_COST_LINES)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_PARAM, 0,
                      "%.100s:%d: the file ends where a line '%s' must follow",
                      r->path, r->line,
                      r->has_head ? hesca_cost_line[k] : "hesca-machine 1");
}

/* Fill in the wires without a line: inside a host with the costs of a node,
 * between hosts with the line others.  If the file has models but neither
 * wires nor others, with the costs of the net. */
static int
fill_wires(reader *r)
{
    hesca_machine *m = &r->machine;
    const hesca_wire inside = hesca_wire_of_costs(&m->node.alone);
    int err = HESCA_SUCCESS;
    if (r->wire_line == NULL && !r->has_others && m->nmodels > 0) {
        r->others = hesca_wire_of_costs(&m->net.alone);
        r->has_others = 1;
    }
    HESCA_TRY(err, begin_wires(r));
    for (int from = 0; from < m->nhosts; ++from)
        for (int to = 0; to < m->nhosts; ++to) {
            const size_t k = (size_t)from * (size_t)m->nhosts + (size_t)to;
            if (r->wire_line[k] > 0)
                continue;
            if (from != to && !r->has_others)
                return hesca_fail(HESCA_ERR_PARAM, 0,
                                  "%.80s:%d: the file ends without a link "
                                  "'%.40s %.40s', or a line 'others'",
                                  r->path, r->line, m->host[from].name,
                                  m->host[to].name);
            m->wire[k] = from == to ? inside : r->others;
        }
fail:
    return err;
}

enum { LINE = 256 };

/* Read a line without its end; 0 at the end of the file. */
static int
next_line(reader *r, FILE *f, char line[LINE], int *err)
{
    int n = 0, c;
    *err = HESCA_SUCCESS;
    while ((c = getc(f)) != EOF && c != '\n' && c != '\0' && n < LINE - 2)
        line[n++] = (char)c;
    line[n] = '\0';
    if (c == EOF && n == 0)
        return 0;
    ++r->line;
    if (c != EOF && c != '\n')
        *err =
            hesca_reader_complain(r, line,
                                  c == '\0' ? "a line without bytes that are 0"
                                            : "a line of less than 255 bytes");
    return 1;
}

static int
read_lines(reader *r, FILE *f)
{
    char line[LINE];
    int err;
    while (next_line(r, f, line, &err))
        if (err < 0 || (err = read_line(r, line)) < 0)
            return err;
    if (ferror(f))
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: it cannot be read",
                          r->path);
    return HESCA_SUCCESS;
}

static int
read_file(reader *r, FILE *f)
{
    int err;
    HESCA_TRY(err, read_lines(r, f));
    HESCA_TRY(err, hesca_reader_end_model(r));
    HESCA_TRY(err, check_costs(r));
    if (r->machine.nhosts > 0)
        err = fill_wires(r);
fail:
    return err;
}

int
hesca_machine_read(const char *path, hesca_machine *machine)
{
    reader r = {.path = path, .machine = hesca_machine_default()};
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: %s", path,
                          strerror(errno));
    const int err = read_file(&r, f);
    fclose(f);
    free(r.wire_line);
    free(r.classes);
    free(r.knots);
    if (err == HESCA_SUCCESS)
        *machine = r.machine;
    else
        hesca_machine_clear(&r.machine);
    return err;
}
