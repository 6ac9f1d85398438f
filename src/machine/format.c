/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "base/status.h"
#include "hesca/experimental/machine.h"
#include "machine/cost_lines.h"
#include "machine/quantity.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const hesca_cost_line[HESCA_COST_LINES] = {"node", "node-crowded",
                                                       "net", "net-crowded"};
const char *const hesca_cost_field[HESCA_COST_FIELDS] = {"startup", "message",
                                                         "byte", "copy"};

double *
hesca_cost_at(hesca_machine *m, int line, int k)
{
    hesca_link *l = line < 2 ? &m->node : &m->net;
    hesca_costs *c = line % 2 == 0 ? &l->alone : &l->crowded;
    double *const at[HESCA_COST_FIELDS] = {&c->startup, &c->message, &c->byte,
                                           &c->copy};
    return at[k];
}

static void
put(FILE *f, const char *name, double x)
{
    char number[HESCA_NUMBER_MAX];
    hesca_quantity_write(x, number);
    fprintf(f, " %s %s", name, number);
}

static void
put_wire(FILE *f, const hesca_wire *w)
{
    put(f, "startup", w->startup);
    put(f, "rate", w->rate);
    fputc('\n', f);
}

static void
put_costs(FILE *f, const hesca_machine *machine)
{
    hesca_machine m = *machine;
    for (int line = 0; line < HESCA_COST_LINES; ++line) {
        fprintf(f, "%-12s", hesca_cost_line[line]);
        for (int k = 0; k < HESCA_COST_FIELDS; ++k)
            put(f, hesca_cost_field[k], *hesca_cost_at(&m, line, k));
        fputc('\n', f);
    }
}

static int
is_equal(double x, double y)
{
    return !(x < y || x > y);
}

static int
is_same(const hesca_wire *x, const hesca_wire *y)
{
    return is_equal(x->startup, y->startup) && is_equal(x->rate, y->rate);
}

static void
put_unit(FILE *f, const hesca_unit *u)
{
    const hesca_unit usual = hesca_machine_default().unit;
    if (is_equal(u->flops, usual.flops) && is_equal(u->part, usual.part))
        return;
    fprintf(f, "unit");
    put(f, "flops", u->flops);
    put(f, "part", u->part);
    fputc('\n', f);
}

static void
put_wires(FILE *f, const hesca_machine *m)
{
    const int n = m->nhosts;
    for (int i = 0; i < n; ++i) {
        const hesca_wire *row = m->wire + (size_t)i * (size_t)n;
        fprintf(f, "inside %s", m->host[i].name);
        put_wire(f, &row[i]);
        for (int j = i + 1; j < n; ++j) {
            const char *a = m->host[i].name, *b = m->host[j].name;
            const hesca_wire *back =
                &m->wire[(size_t)j * (size_t)n + (size_t)i];
            const int symmetric = is_same(&row[j], back);
            fprintf(f, symmetric ? "links %s %s" : "link %s %s", a, b);
            put_wire(f, &row[j]);
            if (symmetric)
                continue;
            fprintf(f, "link %s %s", b, a);
            put_wire(f, back);
        }
    }
}

static void
put_knot(FILE *f, const hesca_knot *k)
{
    fprintf(f, "knot");
    put(f, "size", k->size);
    put(f, "speed", k->speed);
    if (k->low < k->speed || k->speed < k->high) {
        put(f, "low", k->low);
        put(f, "high", k->high);
    }
    fputc('\n', f);
}

static void
put_models(FILE *f, const hesca_machine *m)
{
    for (int i = 0; i < m->nmodels; ++i) {
        const hesca_model *x = &m->model[i];
        const double limit = hesca_speed_limit(x->speed);
        int n;
        const hesca_knot *knot = hesca_speed_knots(x->speed, &n);
        fprintf(f, "model %s %s", m->host[x->host].name, x->kernel);
        if (isfinite(limit))
            put(f, "limit", limit);
        fputc('\n', f);
        for (int j = 0; j < n; ++j)
            put_knot(f, &knot[j]);
    }
}

int
hesca_machine_format(const hesca_machine *machine, char **text)
{
    size_t size;
    *text = NULL;
    FILE *f = open_memstream(text, &size);
    if (f == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "the text of a machine file");
    fprintf(f, "hesca-machine 1\n");
    put_costs(f, machine);
    put_unit(f, &machine->unit);
    for (int i = 0; i < machine->nhosts; ++i) {
        fprintf(f, "host %s", machine->host[i].name);
        put(f, "speed", machine->host[i].speed);
        if (!is_equal(machine->host[i].cores, 1))
            put(f, "cores", machine->host[i].cores);
        if (machine->host[i].memory > 0)
            put(f, "memory", machine->host[i].memory);
        fputc('\n', f);
    }
    put_wires(f, machine);
    put_models(f, machine);
    const int failed = ferror(f);
    if (fclose(f) == 0 && !failed)
        return HESCA_SUCCESS;
    free(*text);
    *text = NULL;
    return hesca_fail(HESCA_ERR_NOMEM, 0, "the text of a machine file");
}
