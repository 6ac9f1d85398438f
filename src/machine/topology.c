/* SPDX-License-Identifier: BSD-3-Clause */
/* Networks of computers under layers: times, checks, conversions. */
#include "machine/topology.h"
#include "base/status.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void
hesca_topology_clear(hesca_topology *t)
{
    free(t->layer);
    free(t->computer);
    *t = (hesca_topology){.layer = NULL};
}

/* --- times --- */

static const double sizes[HESCA_LAYER_RATES] = {64, 4096, 262144};

void
hesca_layer_prepare(hesca_layer *l)
{
    double least = 0;
    for (int k = 0; k < HESCA_LAYER_RATES; ++k) {
        const double t = sizes[k] / l->rate[k];
        least = t > least ? t : least;
        l->seconds[k] = least;
    }
}

void
hesca_layer_set_seconds(hesca_layer *l, const double *seconds)
{
    for (int k = 0; k < HESCA_LAYER_RATES; ++k)
        l->rate[k] = sizes[k] / (seconds[k] > 1e-12 ? seconds[k] : 1e-12);
    hesca_layer_prepare(l);
}

double
hesca_layer_seconds(const hesca_layer *l, double bytes)
{
    const double *t = l->seconds;
    if (bytes <= 0)
        return 0;
    if (bytes <= 64)
        return t[0];
    if (bytes < 4096)
        return t[0] + (bytes - 64) / (4096 - 64) * (t[1] - t[0]);
    if (bytes < 262144)
        return t[1] + (bytes - 4096) / (262144 - 4096) * (t[2] - t[1]);
    return t[2] + (bytes - 262144) / l->rate[2];
}

int
hesca_topology_cover(const hesca_topology *t, int a, int b)
{
    while (a != b) {
        if (t->layer[a].depth >= t->layer[b].depth)
            a = t->layer[a].parent;
        else
            b = t->layer[b].parent;
    }
    return a;
}

/* --- checks --- */

static int
bad(const char *what, int number, double value, const char *must)
{
    return hesca_fail(HESCA_ERR_ARG, 0, "%s %d is %.17g: must be %s", what,
                      number, value, must);
}

static int
check_layer(const hesca_topology *t, int k)
{
    const hesca_layer *l = &t->layer[k];
    if (!(l->broadcast >= 0 && l->broadcast <= 1))
        return bad("f_b of layer", k, l->broadcast, "0 ... 1");
    if (!(l->gather >= 0 && l->gather <= 1))
        return bad("f_g of layer", k, l->gather, "0 ... 1");
    for (int j = 0; j < HESCA_LAYER_RATES; ++j)
        if (!(l->rate[j] >= 1e-100 && l->rate[j] <= 1e100))
            return bad("a rate of layer", k, l->rate[j],
                       "a number of bytes per second");
    if (k == 0 ? l->parent != -1 : l->parent < 0 || l->parent >= k)
        return bad("the parent of layer", k, l->parent, "a layer before it");
    if (l->depth != (k == 0 ? 0 : t->layer[l->parent].depth + 1))
        return bad("the depth of layer", k, l->depth,
                   "that of its parent + 1");
    return HESCA_SUCCESS;
}

int
hesca_topology_check(const hesca_topology *t)
{
    int err;
    if (t->nlayers < 1 || t->ncomputers < 1)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "the network has %d layers and %d computers: must "
                          "be >= 1",
                          t->nlayers, t->ncomputers);
    for (int k = 0; k < t->nlayers; ++k)
        if ((err = check_layer(t, k)) < 0)
            return err;
    for (int k = 0; k < t->ncomputers; ++k) {
        const hesca_computer *c = &t->computer[k];
        if (c->nprocessors < 1)
            return bad("s of computer", k, c->nprocessors, ">= 1");
        if (!(c->speed >= 1e-100 && c->speed <= 1e100))
            return bad("p of computer", k, c->speed, "> 0");
        if (c->nprocs < 0)
            return bad("n of computer", k, c->nprocs, ">= 0");
        if (c->layer < 1 || c->layer >= t->nlayers)
            return bad("the layer of computer", k, c->layer,
                       "a layer below the top");
        for (int j = 0; j < k; ++j)
            if (t->computer[j].layer == c->layer)
                return bad("the layer of computer", k, c->layer,
                           "its own, not that of another computer");
    }
    return HESCA_SUCCESS;
}

/* --- conversions --- */

int
hesca_topology_of_machine(const hesca_machine *m, hesca_topology *topology)
{
    if (m->nhosts < 1)
        return hesca_fail(HESCA_ERR_ARG, 0, "the machine has no hosts");
    const size_t n = (size_t)m->nhosts;
    double *seconds = malloc(n * n * HESCA_LAYER_RATES * sizeof *seconds);
    hesca_topology t;
    if (seconds == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu hosts", n);
    for (size_t k = 0; k < n * n; ++k)
        for (size_t j = 0; j < HESCA_LAYER_RATES; ++j)
            seconds[k * HESCA_LAYER_RATES + j] =
                m->wire[k].startup + sizes[j] / m->wire[k].rate;
    const int err = hesca_topology_nest(m->nhosts, seconds, &t);
    free(seconds);
    if (err < 0)
        return err;
    for (int k = 0; k < m->nhosts; ++k) {
        const hesca_host *h = &m->host[k];
        hesca_computer *c = &t.computer[k];
        memcpy(c->name, h->name, sizeof c->name);
        c->nprocessors = h->cores < 1         ? 1
                         : h->cores > INT_MAX ? INT_MAX
                                              : (int)h->cores;
        c->nprocs = c->nprocessors;
        /* A fraction of a core computes at that fraction of the speed. */
        c->speed = h->speed * (h->cores < 1 ? h->cores : 1);
    }
    hesca_topology_clear(topology);
    *topology = t;
    return HESCA_SUCCESS;
}

/* Through the layer's times of the least and the greatest size.  A start-up
 * time below 0 becomes 0, and only the greatest size keeps its time; a layer
 * where all sizes take the same time gets a rate that adds next to nothing. */
static hesca_wire
wire_of_layer(const hesca_layer *l)
{
    const double t0 = l->seconds[0], t2 = l->seconds[2];
    double each = (t2 - t0) / (sizes[2] - sizes[0]);
    if (t0 - each * sizes[0] < 0)
        each = t2 / sizes[2];
    if (!(each > 1e-12 * t2 / sizes[2]))
        each = 1e-12 * t2 / sizes[2];
    const double startup = t0 - each * sizes[0];
    return (hesca_wire){startup > 0 ? startup : 0, 1 / each};
}

int
hesca_topology_to_machine(const hesca_topology *t, hesca_machine *machine)
{
    int err = hesca_topology_check(t);
    if (err < 0)
        return err;
    const size_t n = (size_t)t->ncomputers;
    hesca_machine m = hesca_machine_default();
    const char **name = malloc(n * sizeof *name);
    if (name == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu hosts", n);
    for (size_t k = 0; k < n; ++k)
        name[k] = t->computer[k].name;
    err = hesca_machine_set_hosts(&m, t->ncomputers, name);
    free(name);
    if (err < 0)
        return err;
    for (size_t i = 0; i < n; ++i) {
        m.host[i].speed = t->computer[i].speed;
        m.host[i].cores = t->computer[i].nprocessors;
        for (size_t j = 0; j < n; ++j)
            m.wire[i * n + j] = wire_of_layer(&t->layer[hesca_topology_cover(
                t, t->computer[i].layer, t->computer[j].layer)]);
    }
    hesca_machine_clear(machine);
    *machine = m;
    return HESCA_SUCCESS;
}

/* --- VPM --- */

static int
find(const hesca_topology *t, const char *name)
{
    for (int k = 0; k < t->ncomputers; ++k)
        if (strcmp(t->computer[k].name, name) == 0)
            return k;
    return -1;
}

/* The computers of the lines, in their order. */
static int
select_computers(const hesca_topology *t, const hesca_vpm_line *line, int n,
                 hesca_computer *list)
{
    for (int k = 0; k < n; ++k) {
        const int c = find(t, line[k].name);
        if (c < 0)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "computer '%s' of the VPM file is not in the "
                              "topology",
                              line[k].name);
        for (int j = 0; j < k; ++j)
            if (strcmp(list[j].name, line[k].name) == 0)
                return hesca_fail(HESCA_ERR_ARG, 0,
                                  "computer '%s' is in the VPM file twice",
                                  line[k].name);
        list[k] = t->computer[c];
        list[k].nprocs = line[k].nprocs;
        if (line[k].nprocessors > 0)
            list[k].nprocessors = line[k].nprocessors;
    }
    return HESCA_SUCCESS;
}

/* Drop the layers without a computer on or inside them.
 * \param [out] number  [nlayers] New numbers of those that stay. */
static void
drop_layers(hesca_topology *t, int *number)
{
    int n = 0;
    for (int k = 0; k < t->nlayers; ++k)
        number[k] = k == 0;
    for (int k = 0; k < t->ncomputers; ++k)
        number[t->computer[k].layer] = 1;
    for (int k = t->nlayers - 1; k > 0; --k)
        if (number[k])
            number[t->layer[k].parent] = 1;
    for (int k = 0; k < t->nlayers; ++k) {
        if (!number[k])
            continue;
        number[k] = n;
        t->layer[n] = t->layer[k];
        if (n > 0)
            t->layer[n].parent = number[t->layer[n].parent];
        ++n;
    }
    t->nlayers = n;
    for (int k = 0; k < t->ncomputers; ++k)
        t->computer[k].layer = number[t->computer[k].layer];
}

int
hesca_topology_apply_vpm(hesca_topology *t, const hesca_vpm_line *line, int n)
{
    if (n < 1)
        return hesca_fail(HESCA_ERR_ARG, 0, "a VPM of %d computers", n);
    hesca_computer *list = malloc((size_t)n * sizeof *list);
    int *number = malloc((size_t)t->nlayers * sizeof *number);
    const int err = list == NULL || number == NULL
                        ? hesca_fail(HESCA_ERR_NOMEM, 0, "%d computers", n)
                        : select_computers(t, line, n, list);
    if (err == HESCA_SUCCESS) {
        hesca_computer *before = t->computer;
        t->computer = list;
        t->ncomputers = n;
        drop_layers(t, number);
        list = before;
    }
    free(list);
    free(number);
    return err;
}
