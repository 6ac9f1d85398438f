/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/generate.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

#define KBITS (1000 / 8.0)

const hesca_machine_kind hesca_machine_kinds[] = {
    {.name = "het",
     .inside = {{0, 0, 0}, {10e6, 200e6, 0}},
     .between = {{0, 0, 0}, {10e6, 200e6, 0}},
     .nclusters = 1},
    {.name = "col",
     .inside = {{10e-6, 1e-3, 0}, {10e3, 200e6, 0}},
     .between = {{10e-6, 1e-3, 0}, {10e3, 200e6, 0}},
     .nclusters = 1},
    {.name = "clusters",
     .inside = {{10e-6, 1e-3, 0}, {10e6, 200e6, 0}},
     .between = {{1e-3, 20e-3, 0}, {10e3, 50e3, 0}},
     .nclusters = 2},
    {.name = "gusto",
     .inside = {{12e-3, 89.5e-3, 0}, {246 * KBITS, 2044 * KBITS, 0}},
     .between = {{12e-3, 89.5e-3, 0}, {246 * KBITS, 2044 * KBITS, 0}},
     .nclusters = 1,
     .is_symmetric = 1},
    {.name = NULL},
};

const hesca_machine_kind *
hesca_machine_kind_find(const char *name)
{
    for (const hesca_machine_kind *k = hesca_machine_kinds; k->name; ++k)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

int
hesca_machine_cluster(const hesca_machine_kind *kind, int nproc, int p)
{
    return (int)((long long)p * kind->nclusters / nproc);
}

static hesca_wire
draw(const hesca_machine_kind *kind, int is_inside, hesca_random *r)
{
    const hesca_wire_range *from = is_inside ? &kind->inside : &kind->between;
    const double startup = hesca_random_in(r, &from->startup);
    return (hesca_wire){startup, hesca_random_in(r, &from->rate)};
}

static void
draw_all(const hesca_machine_kind *kind, hesca_random *r, hesca_network *x)
{
    const int n = x->nproc;
    for (int i = 0; i < n; ++i) {
        const int mine = hesca_machine_cluster(kind, n, i);
        hesca_wire *row = x->wire + (size_t)i * (size_t)n;
        x->host[i] = i;
        row[i] =
            (hesca_wire){kind->inside.startup.low, kind->inside.rate.high};
        for (int j = 0; j < n; ++j) {
            const hesca_wire *back =
                x->wire + (size_t)j * (size_t)n + (size_t)i;
            if (kind->is_symmetric && j < i)
                row[j] = *back;
            else if (j != i)
                row[j] =
                    draw(kind, mine == hesca_machine_cluster(kind, n, j), r);
        }
    }
}

int
hesca_generate_network(const hesca_machine_kind *kind, int nproc,
                       hesca_random *r, hesca_network *x)
{
    const size_t n = (size_t)nproc;
    *x = (hesca_network){.nproc = nproc, .nhosts = nproc};
    x->host = malloc(n * sizeof *x->host);
    x->wire = malloc(n * n * sizeof *x->wire);
    if (x->host == NULL || x->wire == NULL) {
        hesca_network_clear(x);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a network of %d processes",
                          nproc);
    }
    draw_all(kind, r, x);
    return HESCA_SUCCESS;
}

/* --- sizes and times --- The numbers drawn depend on the kind alone. */

static int
count_servers(const hesca_sizes *sizes, int nproc)
{
    const int n = (int)(sizes->servers * nproc + 0.5);
    return n < 1 ? 1 : n > nproc ? nproc : n;
}

int
hesca_generate_sizes(const hesca_sizes *sizes, int nproc, hesca_random *r,
                     double *bytes)
{
    int *server = calloc((size_t)nproc, sizeof *server);
    if (server == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", nproc);
    if (sizes->kind == HESCA_SIZES_SERVERS)
        hesca_random_choose(r, nproc, count_servers(sizes, nproc), server);
    for (int i = 0; i < nproc; ++i)
        for (int j = 0; j < nproc; ++j) {
            int is_large = 1;
            if (sizes->kind == HESCA_SIZES_MIXED && i != j)
                is_large = hesca_random_below(r, 2);
            else if (sizes->kind == HESCA_SIZES_SERVERS)
                is_large = server[i] && !server[j];
            *bytes++ = i == j ? 0 : is_large ? sizes->large : sizes->small;
        }
    free(server);
    return HESCA_SUCCESS;
}

int
hesca_generate_drift(const hesca_drift *drift, const hesca_events *x,
                     hesca_random *r, double *real)
{
    const hesca_range factor = {1 - drift->spread, 1 + drift->spread, 0};
    const hesca_range slow = {1, drift->slow, 0};
    double *of = malloc(2 * (size_t)x->nproc * sizeof *of);
    if (of == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", x->nproc);
    for (int k = 0; k < 2 * x->nproc; ++k)
        of[k] = hesca_random_in(r, &slow);
    for (int64_t e = 0; e < x->n; ++e)
        real[e] = x->seconds[e] * of[2 * x->src[e]] * of[2 * x->dest[e] + 1] *
                  hesca_random_in(r, &factor);
    free(of);
    return HESCA_SUCCESS;
}
