/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/experimental/machine.h"
#include "base/status.h"
#include "machine/models.h"
#include "machine/network.h"
#include "machine/quantity.h"
#include <stdlib.h>
#include <string.h>

/* Inside a node: measured by `hesca probe` on two cores of an EPYC processor
 * (Zen 4), MPICH 4.0.2, with 2 and with 16 processes.  Between nodes: a
 * typical network.  The unit: half a core of an EPYC (Zen 1) with kernels for
 * Haswell, of the emulated clusters of doc/hohe-measured.md. */
hesca_machine
hesca_machine_default(void)
{
    return (hesca_machine){
        .node = {{4e-7, 1e-7, 1.2e-10, 2.4e-10}, {5e-6, 8e-7, 3.5e-10, 5e-11}},
        .net = {{1e-5, 2e-6, 5e-10, 1e-10}, {1.8e-5, 6e-6, 8.5e-10, 1e-10}},
        .unit = {1e10, 0.5},
    };
}

void
hesca_machine_clear(hesca_machine *machine)
{
    free(machine->host);
    free(machine->wire);
    hesca_models_clear(machine);
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

/* --- hosts ---
 * host, wire and model belong to one machine.  Functions build a new machine
 * in a local variable and assign it when nothing can fail any more, so the
 * argument is unchanged on error. */

/* Replace the arrays, which belong to another machine, by arrays of zeros for
 * n hosts, without models.  The other fields are unchanged. */
static int
allocate(hesca_machine *m, int n)
{
    const size_t size = (size_t)n;
    m->nmodels = 0;
    m->model = NULL;
    m->nhosts = n;
    m->host = calloc(size, sizeof *m->host);
    m->wire = calloc(size * size, sizeof *m->wire);
    if (n == 0 || (m->host != NULL && m->wire != NULL))
        return HESCA_SUCCESS;
    hesca_machine_clear(m);
    return hesca_fail(HESCA_ERR_NOMEM, 0, "a machine of %d hosts", n);
}

int
hesca_machine_copy(const hesca_machine *machine, hesca_machine *copy)
{
    const size_t n = (size_t)machine->nhosts;
    hesca_machine made = *machine;
    int err;
    HESCA_TRY(err, allocate(&made, machine->nhosts));
    if (n > 0) {
        memcpy(made.host, machine->host, n * sizeof *made.host);
        memcpy(made.wire, machine->wire, n * n * sizeof *made.wire);
    }
    HESCA_TRY(err, hesca_models_copy(machine, &made));
    *copy = made;
    return HESCA_SUCCESS;
fail:
    hesca_machine_clear(&made);
    return err;
}

hesca_wire
hesca_wire_of_costs(const hesca_costs *c)
{
    static const double least = 1e-15; /* a rate is not infinite */
    return (hesca_wire){c->startup, 1 / (c->byte > least ? c->byte : least)};
}

static int
check_lengths(int n, const char *const *name)
{
    if (n < 0 || n > HESCA_HOSTS_MAX)
        return hesca_fail_arg("hesca_machine_set_hosts", 2, "n", n,
                              "0 ... 8192");
    for (int i = 0; i < n; ++i)
        if (strlen(name[i]) >= HESCA_HOST_MAX)
            return hesca_fail(HESCA_ERR_ARG, 3,
                              "hesca_machine_set_hosts: the name '%.100s' is "
                              "too long",
                              name[i]);
    return HESCA_SUCCESS;
}

int
hesca_machine_set_hosts(hesca_machine *machine, int n, const char *const *name)
{
    hesca_machine made = *machine;
    int err;
    HESCA_TRY(err, check_lengths(n, name));
    HESCA_TRY(err, allocate(&made, n));
    for (int i = 0; i < n; ++i) {
        memcpy(made.host[i].name, name[i], strlen(name[i]));
        made.host[i].speed = made.host[i].cores = 1;
        for (int j = 0; j < n; ++j)
            made.wire[(size_t)i * (size_t)n + (size_t)j] = hesca_wire_of_costs(
                i == j ? &made.node.alone : &made.net.alone);
    }
    if ((err = hesca_machine_check(&made)) < 0) {
        hesca_machine_clear(&made);
        return err;
    }
    hesca_models_move(machine, &made);
    hesca_machine_clear(machine);
    *machine = made;
fail:
    return err;
}

/* Whether x has no dot and is equal to y up to the first dot of y. */
static int
is_short_for(const char *x, const char *y)
{
    const size_t n = strlen(x);
    return strchr(x, '.') == NULL && strncmp(x, y, n) == 0 && y[n] == '.';
}

int
hesca_machine_find_host(const hesca_machine *machine, const char *name)
{
    int found = -1;
    for (int i = 0; i < machine->nhosts; ++i)
        if (strcmp(name, machine->host[i].name) == 0)
            return i;
    for (int i = 0; i < machine->nhosts; ++i) {
        const char *other = machine->host[i].name;
        if (!is_short_for(name, other) && !is_short_for(other, name))
            continue;
        if (found >= 0)
            return -2;
        found = i;
    }
    return found;
}

/* --- checks ---
 * Every number of a checked machine is finite and in the range of its
 * quantity, and host names are different. */

static int
check_costs(const char *name, const hesca_costs *c)
{
    const struct {
        const char *name;
        double value;
    } all[] = {{"startup", c->startup},
               {"message", c->message},
               {"byte", c->byte},
               {"copy", c->copy}};
    for (int k = 0; k < 4; ++k)
        if (!hesca_quantity_holds(HESCA_PER_BYTE, all[k].value))
            return hesca_fail(HESCA_ERR_ARG, 0, "%s %s is %g: must be %s",
                              name, all[k].name, all[k].value,
                              hesca_quantity_rule(HESCA_PER_BYTE));
    return HESCA_SUCCESS;
}

static int
is_name(const char *name)
{
    int n = 0;
    for (; n < HESCA_HOST_MAX && name[n] != '\0'; ++n)
        if ((unsigned char)name[n] <= ' ' || name[n] == '#')
            return 0;
    return n > 0 && n < HESCA_HOST_MAX;
}

static int
compare(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* No two hosts have the same name: equal names are adjacent when sorted. */
static int
check_names(const hesca_machine *m)
{
    int err = HESCA_SUCCESS;
    char **name = malloc((size_t)m->nhosts * sizeof *name);
    if (name == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "names of %d hosts", m->nhosts);
    for (int i = 0; i < m->nhosts; ++i)
        name[i] = m->host[i].name;
    qsort(name, (size_t)m->nhosts, sizeof *name, compare);
    for (int i = 1; i < m->nhosts && err == HESCA_SUCCESS; ++i)
        if (strcmp(name[i - 1], name[i]) == 0)
            err =
                hesca_fail(HESCA_ERR_ARG, 0, "host %s appears twice", name[i]);
    free(name);
    return err;
}

static int
check_host(const hesca_host *h)
{
    const struct {
        const char *name;
        double x;
        hesca_quantity q;
    } field[] = {{"speed", h->speed, HESCA_SPEED},
                 {"cores", h->cores, HESCA_SPEED},
                 {"memory", h->memory, HESCA_AMOUNT}};
    for (size_t k = 0; k < sizeof field / sizeof *field; ++k)
        if (!hesca_quantity_holds(field[k].q, field[k].x))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "the %s of host %s is %g: must be %s",
                              field[k].name, h->name, field[k].x,
                              hesca_quantity_rule(field[k].q));
    return HESCA_SUCCESS;
}

static int
check_hosts(const hesca_machine *m)
{
    int err;
    for (int i = 0; i < m->nhosts; ++i) {
        const hesca_host *h = &m->host[i];
        if (!is_name(h->name))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "the name of host %d is '%.63s': must be of "
                              "printing characters without #",
                              i, h->name);
        HESCA_TRY(err, check_host(h));
    }
    return m->nhosts > 0 ? check_names(m) : HESCA_SUCCESS;
fail:
    return err;
}

static int
check_wires(const hesca_machine *m)
{
    const size_t n = (size_t)m->nhosts;
    for (size_t k = 0; k < n * n; ++k) {
        const hesca_wire w = m->wire[k];
        const int is_rate = hesca_quantity_holds(HESCA_SECONDS, w.startup);
        if (is_rate && hesca_quantity_holds(HESCA_RATE, w.rate))
            continue;
        return hesca_fail(
            HESCA_ERR_ARG, 0, "the %s from %s to %s is %g: must be %s",
            is_rate ? "rate" : "startup", m->host[k / n].name,
            m->host[k % n].name, is_rate ? w.rate : w.startup,
            hesca_quantity_rule(is_rate ? HESCA_RATE : HESCA_SECONDS));
    }
    return HESCA_SUCCESS;
}

static int
check_unit(const hesca_unit *u)
{
    if (!hesca_quantity_holds(HESCA_SPEED, u->flops))
        return hesca_fail(HESCA_ERR_ARG, 0, "unit.flops is %g: must be %s",
                          u->flops, hesca_quantity_rule(HESCA_SPEED));
    if (!hesca_quantity_holds(HESCA_SPEED, u->part) || u->part > 1)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "unit.part is %g: must be more than 0, at most 1",
                          u->part);
    return HESCA_SUCCESS;
}

int
hesca_machine_check(const hesca_machine *machine)
{
    int err;
    HESCA_TRY(err, check_costs("node", &machine->node.alone));
    HESCA_TRY(err, check_costs("node-crowded", &machine->node.crowded));
    HESCA_TRY(err, check_costs("net", &machine->net.alone));
    HESCA_TRY(err, check_costs("net-crowded", &machine->net.crowded));
    HESCA_TRY(err, check_unit(&machine->unit));
    if (machine->nhosts < 0 || machine->nhosts > HESCA_HOSTS_MAX ||
        (machine->nhosts > 0 &&
         (machine->host == NULL || machine->wire == NULL)))
        return hesca_fail(HESCA_ERR_ARG, 0, "a machine of %d hosts%s",
                          machine->nhosts,
                          machine->nhosts > 0 ? ", without arrays" : "");
    HESCA_TRY(err, check_hosts(machine));
    HESCA_TRY(err, check_wires(machine));
    HESCA_TRY(err, hesca_models_check(machine));
fail:
    return err;
}
