/* SPDX-License-Identifier: BSD-3-Clause */
/* Random instances and networks for tests of estimates and mappings. */
#ifndef HESCA_TESTING_PMDL_INSTANCES_H
#define HESCA_TESTING_PMDL_INSTANCES_H

#include "pmdl/bind.h"
#include "pmdl/mapping.h"
#include "testing/unit.h"

/* lo ... hi */
static inline double
instances_real(double lo, double hi)
{
    return lo + (hi - lo) * check_uniform(0, 1000000) / 1e6;
}

static inline hesca_layer
instances_layer(int parent, int depth)
{
    hesca_layer l = {.is_parallel = check_uniform(0, 2) > 0,
                     .parent = parent,
                     .depth = depth};
    if (l.is_parallel) {
        l.broadcast = instances_real(0, 1);
        l.gather = instances_real(0, 1);
    }
    for (int k = 0; k < HESCA_LAYER_RATES; ++k)
        l.rate[k] = instances_real(1e3, 1e6);
    hesca_layer_prepare(&l);
    return l;
}

/* n computers, below the top layer or one of two segments. */
static inline hesca_topology
instances_network(int n)
{
    hesca_topology t = {.ncomputers = n};
    const int segments = check_uniform(0, 1) ? 2 : 0;
    t.layer = calloc((size_t)(n + 1 + segments), sizeof *t.layer);
    t.computer = calloc((size_t)n, sizeof *t.computer);
    t.layer[t.nlayers++] = instances_layer(-1, 0);
    for (int k = 0; k < segments; ++k)
        t.layer[t.nlayers++] = instances_layer(0, 1);
    for (int k = 0; k < n; ++k) {
        const int parent = segments > 0 ? check_uniform(1, segments) : 0;
        hesca_computer *c = &t.computer[k];
        snprintf(c->name, sizeof c->name, "c%d", k);
        c->nprocessors = check_uniform(1, 3);
        c->nprocs = check_uniform(1, 4);
        c->speed = instances_real(1, 8);
        c->layer = t.nlayers;
        t.layer[t.nlayers++] =
            instances_layer(parent, t.layer[parent].depth + 1);
    }
    return t;
}

static inline void
instances_unit(const hesca_instance *x, hesca_scheme_builder *b)
{
    const double percent = check_uniform(1, 4) * 25;
    if (x->nlinks > 0 && check_uniform(0, 1))
        hesca_scheme_unit(b, HESCA_SCHEME_TRANSFER,
                          check_uniform(0, x->nlinks - 1), percent, 1);
    else
        hesca_scheme_unit(b, HESCA_SCHEME_COMPUTE,
                          check_uniform(0, x->nvps - 1), percent, 1);
}

/* A par of computations, of transfers, or of anything, perhaps nested. */
static inline void
instances_par(const hesca_instance *x, hesca_scheme_builder *b, int depth)
{
    const int kind = check_uniform(0, 4), n = check_uniform(1, 6);
    hesca_scheme_begin(b, 1);
    for (int k = 0; k < n; ++k) {
        hesca_scheme_action(b);
        if (kind == 0)
            hesca_scheme_unit(b, HESCA_SCHEME_COMPUTE,
                              check_uniform(0, x->nvps - 1),
                              check_uniform(1, 4) * 25, 1);
        else if (kind <= 2 && x->nlinks > 0)
            hesca_scheme_unit(b, HESCA_SCHEME_TRANSFER,
                              check_uniform(0, x->nlinks - 1), 50, 1);
        else if (kind == 3 && depth < 2)
            instances_par(x, b, depth + 1);
        else
            for (int j = check_uniform(1, 2); j > 0; --j)
                instances_unit(x, b);
    }
    hesca_scheme_end(b);
}

/* k processes with random volumes, links and scheme. */
static inline hesca_instance
instances_make(int k)
{
    hesca_instance x = {.ndims = 1,
                        .dims = {k},
                        .nvps = k,
                        .npositions = k,
                        .parent = check_uniform(0, k - 1),
                        .trace = {.root = -1}};
    const size_t n = (size_t)k;
    hesca_scheme_builder *b = hesca_scheme_builder_create();
    x.number = malloc(n * sizeof *x.number);
    x.position = malloc(n * sizeof *x.position);
    x.volume = malloc(n * sizeof *x.volume);
    x.link = malloc(n * n * sizeof *x.link);
    for (int i = 0; i < k; ++i) {
        x.number[i] = x.position[i] = i;
        x.volume[i] = check_uniform(1, 20);
        for (int j = 0; j < k; ++j)
            if (i != j && check_uniform(0, 2) > 0)
                x.link[x.nlinks++] =
                    (hesca_model_link){i, j, check_uniform(1, 300000)};
    }
    for (int steps = check_uniform(1, 5); steps > 0; --steps) {
        const int times = check_uniform(1, 3);
        if (check_uniform(0, 4) == 0)
            instances_unit(&x, b);
        else
            for (int i = 0; i < times; ++i)
                instances_par(&x, b, 0);
    }
    hesca_scheme_finish(b, &x.trace);
    hesca_scheme_builder_free(b);
    return x;
}

static inline int64_t
instances_places(const hesca_topology *t)
{
    int64_t n = 0;
    for (int c = 0; c < t->ncomputers; ++c)
        n += t->computer[c].nprocs;
    return n;
}

#endif
