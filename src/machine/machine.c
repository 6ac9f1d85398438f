#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "hesca/machine.h"
#include "base/status.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As `hesca probe` measures on two cores of an EPYC processor (Zen 4), MPICH
 * 4.0.2, with 2 and with 16 processes; between nodes, of a usual network. */
hesca_machine
hesca_machine_default(void)
{
    return (hesca_machine){
        .node = {{4e-7, 1e-7, 1.2e-10, 2.4e-10}, {5e-6, 8e-7, 3.5e-10, 5e-11}},
        .net = {{1e-5, 2e-6, 5e-10, 1e-10}, {1.8e-5, 6e-6, 8.5e-10, 1e-10}},
    };
}

void
hesca_machine_clear(hesca_machine *machine)
{
    free(machine->host);
    free(machine->wire);
    machine->nhosts = 0;
    machine->host = NULL;
    machine->wire = NULL;
}

hesca_costs
hesca_machine_costs(const hesca_machine *machine, int one_node, double load)
{
    const hesca_link *l = one_node ? &machine->node : &machine->net;
    hesca_costs c = load > 1 ? l->crowded : l->alone;
    c.startup *= load;
    c.message *= load;
    c.byte *= load;
    c.copy *= load;
    return c;
}

/* ------------------------------------------------ machine files */

enum { FIELDS = 4, LINES = 4 };
static const char *const field[FIELDS] = {"startup", "message", "byte",
                                          "copy"};
static const char *const line_name[LINES] = {"node", "node-crowded", "net",
                                             "net-crowded"};

static hesca_costs *
costs_of(hesca_machine *m, int line)
{
    hesca_link *l = line < 2 ? &m->node : &m->net;
    return line % 2 == 0 ? &l->alone : &l->crowded;
}

static double *
field_of(hesca_costs *c, int k)
{
    double *const at[FIELDS] = {&c->startup, &c->message, &c->byte, &c->copy};
    return at[k];
}

/* Where the reader stands. */
typedef struct {
    const char *path;
    int line;
    char *rest; /* of the line, for strtok_r() */
    hesca_machine machine;
    int has_head, seen[LINES];
} reader;

static int
complain(const reader *r, const char *token, const char *must)
{
    if (token == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.100s:%d: the line ends where %s must follow",
                          r->path, r->line, must);
    return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s:%d: '%.40s' must be %s",
                      r->path, r->line, token, must);
}

static char *
next(reader *r, char *line)
{
    return strtok_r(line, " \t\r\n", &r->rest);
}

/* Numbers with a point, whatever the program's locale says. */
static int
read_number(reader *r, double *x)
{
    static const char must[] = "a number of seconds, at least 0";
    const char *token = next(r, NULL);
    double value = 0, unit = 1;
    int digits = 0, exponent = 0;
    if (token == NULL)
        return complain(r, NULL, must);
    const char *p = token;
    for (; *p >= '0' && *p <= '9'; ++p, ++digits)
        value = 10 * value + (*p - '0');
    if (*p == '.')
        for (++p; *p >= '0' && *p <= '9'; ++p, ++digits)
            value += (*p - '0') * (unit /= 10);
    if (digits > 0 && (*p == 'e' || *p == 'E')) {
        const int sign = p[1] == '-' ? -1 : 1;
        p += 1 + (p[1] == '-' || p[1] == '+');
        if (*p < '0' || *p > '9')
            digits = 0;
        for (; *p >= '0' && *p <= '9' && exponent < 1000; ++p)
            exponent = 10 * exponent + (*p - '0');
        for (; exponent > 0; --exponent)
            value = sign < 0 ? value / 10 : value * 10;
    }
    if (digits == 0 || *p != '\0' || !isfinite(value))
        return complain(r, token, must);
    *x = value;
    return HESCA_SUCCESS;
}

static int
read_costs(reader *r, hesca_costs *c)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < FIELDS; ++k) {
        const char *token = next(r, NULL);
        if (token == NULL || strcmp(token, field[k]) != 0)
            return complain(r, token, field[k]);
        HESCA_TRY(err, read_number(r, field_of(c, k)));
    }
fail:
    return err;
}

static int
read_head(reader *r, const char *token)
{
    if (strcmp(token, "hesca-machine") != 0)
        return complain(r, token, "'hesca-machine 1', which comes first");
    token = next(r, NULL);
    if (token == NULL || strcmp(token, "1") != 0)
        return complain(r, token, "1, the version of the format");
    r->has_head = 1;
    return HESCA_SUCCESS;
}

static int
read_link(reader *r, const char *token)
{
    int k = 0;
    while (k < LINES && strcmp(token, line_name[k]) != 0)
        ++k;
    if (k == LINES || r->seen[k])
        return complain(r, token,
                        k == LINES ? "node, node-crowded, net or net-crowded"
                                   : "there only once");
    r->seen[k] = 1;
    return read_costs(r, costs_of(&r->machine, k));
}

static int
read_line(reader *r, char *line)
{
    int err = HESCA_SUCCESS;
    line[strcspn(line, "#")] = '\0';
    char *token = next(r, line);
    if (token == NULL)
        return HESCA_SUCCESS;
    HESCA_TRY(err, r->has_head ? read_link(r, token) : read_head(r, token));
    token = next(r, NULL);
    if (token != NULL)
        err = complain(r, token, "the end of the line");
fail:
    return err;
}

static int
check_end(const reader *r)
{
    int k = 0;
    while (k < LINES && r->seen[k])
        ++k;
    if (r->has_head && k == LINES)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_PARAM, 0,
                      "%.100s:%d: the file ends where a line '%s' must follow",
                      r->path, r->line,
                      r->has_head ? line_name[k] : "hesca-machine 1");
}

int
hesca_machine_read(const char *path, hesca_machine *machine)
{
    enum { LINE = 256 };
    reader r = {.path = path};
    char line[LINE];
    int err = HESCA_SUCCESS;
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: %s", path,
                          strerror(errno));
    while (err == HESCA_SUCCESS && fgets(line, sizeof line, f) != NULL) {
        ++r.line;
        if (strchr(line, '\n') == NULL && !feof(f))
            err = complain(&r, line, "a line of less than 255 bytes");
        else
            err = read_line(&r, line);
    }
    if (err == HESCA_SUCCESS && ferror(f))
        err =
            hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: it cannot be read", path);
    fclose(f);
    if (err == HESCA_SUCCESS)
        err = check_end(&r);
    if (err == HESCA_SUCCESS)
        *machine = r.machine;
    return err;
}

int
hesca_machine_format(const hesca_machine *machine, char *text, size_t size)
{
    /* Whole numbers of picoseconds, lest the locale choose the comma; per
     * byte, of attoseconds. */
    hesca_machine m = *machine;
    int n = snprintf(text, size, "hesca-machine 1\n");
    for (int k = 0; k < LINES && n >= 0 && (size_t)n < size; ++k) {
        const hesca_costs *c = costs_of(&m, k);
        n += snprintf(text + n, size - (size_t)n,
                      "%-12s startup %.0fe-12 message %.0fe-12 byte %.0fe-18 "
                      "copy %.0fe-18\n",
                      line_name[k], 1e12 * c->startup, 1e12 * c->message,
                      1e18 * c->byte, 1e18 * c->copy);
    }
    if (n < 0 || (size_t)n >= size)
        return hesca_fail(HESCA_ERR_ARG, 3,
                          "hesca_machine_format: argument 3, size, is %zu: "
                          "too small",
                          size);
    return HESCA_SUCCESS;
}
