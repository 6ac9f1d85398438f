#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "hesca/machine.h"
#include "base/status.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Medians of `hesca probe` on two cores of an EPYC processor (Zen 4), MPICH
 * 4.0.2; net: its messages by MPI, which between real nodes are dearer. */
hesca_machine
hesca_machine_default(void)
{
    return (hesca_machine){
        .node = {.startup = 1e-6,
                 .crowded = 2e-6,
                 .message = 2e-7,
                 .byte = 1.5e-10},
        .net = {.startup = 1e-5,
                .crowded = 5e-6,
                .message = 2e-6,
                .byte = 5e-10},
        .copy = 1e-10,
    };
}

hesca_costs
hesca_machine_costs(const hesca_machine *machine, int one_node, double load)
{
    const hesca_link *l = one_node ? &machine->node : &machine->net;
    return (hesca_costs){
        .startup = load > 1 ? load * l->crowded : l->startup,
        .message = load * l->message,
        .byte = load * l->byte,
        .copy = load * machine->copy,
    };
}

/* ------------------------------------------------ machine files */

enum { FIELDS = 4 };
static const char *const field[FIELDS] = {"startup", "crowded", "message",
                                          "byte"};

static double *
field_of(hesca_link *l, int k)
{
    double *const at[FIELDS] = {&l->startup, &l->crowded, &l->message,
                                &l->byte};
    return at[k];
}

/* Where the reader stands. */
typedef struct {
    const char *path;
    int line;
    char *rest; /* of the line, for strtok_r() */
    hesca_machine machine;
    int seen[4]; /* head, node, net, copy */
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
read_link(reader *r, hesca_link *l)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < FIELDS; ++k) {
        const char *token = next(r, NULL);
        if (token == NULL || strcmp(token, field[k]) != 0)
            return complain(r, token, field[k]);
        HESCA_TRY(err, read_number(r, field_of(l, k)));
    }
fail:
    return err;
}

static int
read_line(reader *r, char *line)
{
    static const char *const word[] = {"hesca-machine", "node", "net", "copy"};
    int err = HESCA_SUCCESS, k = 0;
    line[strcspn(line, "#")] = '\0';
    char *token = next(r, line);
    if (token == NULL)
        return HESCA_SUCCESS;
    while (k < 4 && strcmp(token, word[k]) != 0)
        ++k;
    if (!r->seen[0] && k != 0)
        return complain(r, token, "'hesca-machine 1', which comes first");
    if (k == 4 || r->seen[k])
        return complain(r, token,
                        k == 4 ? "node, net or copy" : "there only once");
    r->seen[k] = 1;
    if (k == 0) {
        token = next(r, NULL);
        if (token == NULL || strcmp(token, "1") != 0)
            return complain(r, token, "1, the version of the format");
    } else if (k == 3) {
        HESCA_TRY(err, read_number(r, &r->machine.copy));
    } else {
        HESCA_TRY(err,
                  read_link(r, k == 1 ? &r->machine.node : &r->machine.net));
    }
    token = next(r, NULL);
    if (token != NULL)
        err = complain(r, token, "the end of the line");
fail:
    return err;
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
    for (int k = 0; err == HESCA_SUCCESS && k < 4; ++k)
        if (!r.seen[k]) {
            static const char *const what[] = {"'hesca-machine 1'",
                                               "a line 'node'", "a line 'net'",
                                               "a line 'copy'"};
            err = hesca_fail(HESCA_ERR_PARAM, 0,
                             "%.100s:%d: the file ends where %s must follow",
                             path, r.line, what[k]);
        }
    if (err == HESCA_SUCCESS)
        *machine = r.machine;
    return err;
}

int
hesca_machine_format(const hesca_machine *machine, char *text, size_t size)
{
    /* Whole numbers of picoseconds, lest the locale choose the comma; per
     * byte, of attoseconds. */
    const hesca_link *const l[] = {&machine->node, &machine->net};
    static const char *const name[] = {"node", "net "};
    int n = snprintf(text, size, "hesca-machine 1\n");
    for (int k = 0; k < 2; ++k)
        if (n >= 0 && (size_t)n < size)
            n += snprintf(text + n, size - (size_t)n,
                          "%s startup %.0fe-12 crowded %.0fe-12 message "
                          "%.0fe-12 byte %.0fe-18\n",
                          name[k], 1e12 * l[k]->startup, 1e12 * l[k]->crowded,
                          1e12 * l[k]->message, 1e18 * l[k]->byte);
    if (n >= 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, "copy %.0fe-18\n",
                      1e18 * machine->copy);
    if (n < 0 || (size_t)n >= size)
        return hesca_fail(HESCA_ERR_ARG, 3,
                          "hesca_machine_format: argument 3, size, is %zu: "
                          "too small",
                          size);
    return HESCA_SUCCESS;
}
