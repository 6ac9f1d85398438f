/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/network.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void
hesca_network_clear(hesca_network *network)
{
    free(network->host);
    free(network->wire);
    memset(network, 0, sizeof *network);
}

static int
compare(const void *x, const void *y)
{
    const int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* Sort n numbers and remove duplicates, in place; return how many remain. */
static int
make_set(int *x, int n)
{
    int found = 0;
    qsort(x, (size_t)n, sizeof *x, compare);
    for (int k = 0; k < n; ++k)
        if (found == 0 || x[found - 1] != x[k])
            x[found++] = x[k];
    return found;
}

/* Number the hosts (or nodes) of the processes from 0, and allocate the wires.
 * *used, to be freed by the caller, has the original number of each. */
static int
begin(int nproc, const int *host, hesca_network *x, int **used)
{
    const size_t size = (size_t)nproc;
    *x = (hesca_network){.nproc = nproc};
    x->host = malloc((size + 1) * sizeof *x->host);
    *used = malloc((size + 1) * sizeof **used);
    if (x->host != NULL && *used != NULL) {
        if (nproc > 0)
            memcpy(*used, host, size * sizeof **used);
        x->nhosts = make_set(*used, nproc);
        const size_t n = (size_t)x->nhosts;
        x->wire = malloc((n * n + 1) * sizeof *x->wire);
    }
    if (x->wire == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a network of %d processes",
                          nproc);
    for (int r = 0; r < nproc; ++r) {
        const int *at = bsearch(&host[r], *used, (size_t)x->nhosts,
                                sizeof **used, compare);
        x->host[r] = (int)(at - *used);
    }
    return HESCA_SUCCESS;
}

int
hesca_network_of_hosts(const hesca_machine *machine, int nproc,
                       const int *host, hesca_network *network)
{
    hesca_network x = {0};
    int *used = NULL, err;
    for (int r = 0; r < nproc; ++r)
        if (host[r] < 0 || host[r] >= machine->nhosts)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "process %d is on host %d, but the machine has "
                              "%d",
                              r, host[r], machine->nhosts);
    HESCA_TRY(err, begin(nproc, host, &x, &used));
    for (int i = 0; i < x.nhosts; ++i)
        for (int j = 0; j < x.nhosts; ++j)
            x.wire[(size_t)i * (size_t)x.nhosts + (size_t)j] =
                machine->wire[(size_t)used[i] * (size_t)machine->nhosts +
                              (size_t)used[j]];
    *network = x;
fail:
    free(used);
    if (err < 0)
        hesca_network_clear(&x);
    return err;
}

int
hesca_network_of_nodes(const hesca_machine *machine, double load, int nproc,
                       const int *node, hesca_network *network)
{
    const hesca_costs in = hesca_machine_costs(machine, 1, load);
    const hesca_costs out = hesca_machine_costs(machine, 0, load);
    hesca_network x = {0};
    int *used = NULL, err;
    HESCA_TRY(err, begin(nproc, node, &x, &used));
    for (int i = 0; i < x.nhosts; ++i)
        for (int j = 0; j < x.nhosts; ++j)
            x.wire[(size_t)i * (size_t)x.nhosts + (size_t)j] =
                hesca_wire_of_costs(i == j ? &in : &out);
    *network = x;
fail:
    free(used);
    if (err < 0)
        hesca_network_clear(&x);
    return err;
}

int
hesca_network_has_slow(const hesca_network *x)
{
    for (int i = 0; i < x->nhosts; ++i)
        for (int j = 0; j < x->nhosts; ++j)
            if (i != j &&
                hesca_wire_is_slow(x->wire[(long long)i * x->nhosts + j]))
                return 1;
    return 0;
}

hesca_link_costs
hesca_link_costs_make(hesca_costs costs, const hesca_network *x)
{
    for (int i = 0; x != NULL && i < x->nhosts; ++i)
        for (int j = 0; j < x->nhosts; ++j) {
            const hesca_wire w = x->wire[(int64_t)i * x->nhosts + j];
            costs.startup = fmax(costs.startup, w.startup);
            costs.byte = fmax(costs.byte, 1 / w.rate);
        }
    costs.message = fmin(costs.message, costs.startup);
    return (hesca_link_costs){costs, x};
}

double
hesca_link_seconds(const hesca_link_costs *links, int src, int dest,
                   double bytes)
{
    static const double LEAST = 1e-12;
    const double s =
        links->network != NULL
            ? hesca_network_seconds(links->network, src, dest, bytes)
            : links->costs.startup + bytes * links->costs.byte;
    return s > LEAST ? s : LEAST;
}
