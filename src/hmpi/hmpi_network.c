/* SPDX-License-Identifier: BSD-3-Clause */
/* The computers of the processes: the hosts that MPI names, in the order of
 * their first process, with what a topology file or a machine file says of
 * them. */
#define _POSIX_C_SOURCE 200809L /* sysconf */
#include "base/status.h"
#include "hesca/experimental/param.h"
#include "hmpi/hmpi_state.h"
#include "wait/quota.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef char host_name[HESCA_HOST_MAX];

/* What process 0 knows before the others. */
typedef struct {
    hesca_failure failure;
    int node_size, ncomputers, nlayers;
} shared;

/* Processors of this host that may be used: at most its quota of them. */
static int
count_processors(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const double quota = hesca_quota();
    double n = online > 0 ? (double)online : 1;
    if (quota > 0 && quota < n)
        n = floor(quota);
    return n < 1 ? 1 : (int)n;
}

static int
fail_mpi(const char *what)
{
    return hesca_fail(HESCA_ERR_MPI, 0, "HMPI_Init: %s failed", what);
}

/* --- hosts --- */

/* The names of all hosts, without repetitions, and the host of each process.
 * \return How many, or a negative code. */
static int
find_hosts(int node_size, host_name *all, host_name *name, int *computer,
           int *processors)
{
    const int nprocs = hesca_hmpi.nprocs;
    char text[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int n = 0, len = 0, mine = count_processors();
    if (node_size > 0)
        snprintf(text, sizeof text, "node%d", hesca_hmpi.rank / node_size);
    else
        PMPI_Get_processor_name(text, &len);
    host_name own = "";
    snprintf(own, sizeof own, "%.63s", text);
    if (PMPI_Allgather(own, HESCA_HOST_MAX, MPI_CHAR, all, HESCA_HOST_MAX,
                       MPI_CHAR, hesca_hmpi.comm) != MPI_SUCCESS ||
        PMPI_Allgather(&mine, 1, MPI_INT, processors, 1, MPI_INT,
                       hesca_hmpi.comm) != MPI_SUCCESS)
        return fail_mpi("MPI_Allgather");
    for (int k = 0; k < nprocs; ++k) {
        int c = 0;
        while (c < n && strcmp(name[c], all[k]) != 0)
            ++c;
        if (c == n) {
            memcpy(name[n++], all[k], sizeof *name);
            processors[c] = processors[k]; /* c <= k */
        }
        computer[k] = c;
    }
    return n;
}

/* --- files, on process 0 --- */

/* Equal computers, joined by links of the default costs. */
static int
make_default(int n, const host_name *name, const int *processors,
             hesca_topology *t)
{
    hesca_machine m = hesca_machine_default();
    const char **list = malloc((size_t)n * sizeof *list);
    int err = list == NULL
                  ? hesca_fail(HESCA_ERR_NOMEM, 0, "HMPI_Init: %d hosts", n)
                  : HESCA_SUCCESS;
    for (int c = 0; list != NULL && c < n; ++c)
        list[c] = name[c];
    if (err == HESCA_SUCCESS)
        err = hesca_machine_set_hosts(&m, n, list);
    for (int c = 0; err == HESCA_SUCCESS && c < n; ++c)
        m.host[c].cores = processors[c];
    if (err == HESCA_SUCCESS)
        err = hesca_topology_of_machine(&m, t);
    hesca_machine_clear(&m);
    free(list);
    return err;
}

/* node1 and node1.site.org are the same. */
static int
is_same_host(const char *a, const char *b)
{
    const size_t n = strcspn(a, "."), m = strcspn(b, ".");
    if (a[n] != '\0' && b[m] != '\0')
        return strcmp(a, b) == 0;
    return n == m && memcmp(a, b, n) == 0;
}

/* Leave only the computers of processes, in their order. */
static int
select_computers(const char *path, int n, const host_name *name,
                 const int *load, hesca_topology *t)
{
    hesca_vpm_line *line = calloc((size_t)n, sizeof *line);
    int err = line == NULL
                  ? hesca_fail(HESCA_ERR_NOMEM, 0, "HMPI_Init: %d hosts", n)
                  : HESCA_SUCCESS;
    for (int k = 0; k < n && err == HESCA_SUCCESS; ++k) {
        int c = 0;
        while (c < t->ncomputers &&
               !is_same_host(t->computer[c].name, name[k]))
            ++c;
        if (c == t->ncomputers) {
            err = hesca_fail(HESCA_ERR_PARAM, 0,
                             "HMPI_Init: host '%s' is not in %.200s", name[k],
                             path);
            break;
        }
        line[k].nprocs = load[k];
        memcpy(line[k].name, t->computer[c].name, sizeof line[k].name);
    }
    if (err == HESCA_SUCCESS)
        err = hesca_topology_apply_vpm(t, line, n);
    free(line);
    return err;
}

static int
read_network(const char *machine, int n, const host_name *name,
             const int *load, const int *processors, hesca_topology *t)
{
    const char *path = getenv("HMPI_TOPOLOGY");
    hesca_machine m = hesca_machine_default();
    int err;
    if (path != NULL && *path != '\0') {
        err = hesca_topology_read(path, t);
    } else if (machine[0] != '\0') {
        path = machine;
        err = hesca_machine_read(machine, &m);
        if (err == HESCA_SUCCESS && m.nhosts > 0)
            err = hesca_topology_of_machine(&m, t);
    } else {
        path = "";
        err = HESCA_SUCCESS;
    }
    if (err == HESCA_SUCCESS && t->ncomputers == 0)
        err = make_default(n, name, processors, t);
    hesca_machine_clear(&m);
    return err < 0 ? err : select_computers(path, n, name, load, t);
}

/* --- all processes --- */

/* The network of process 0. */
static int
share_topology(const shared *got, hesca_topology *t)
{
    const size_t n = (size_t)got->ncomputers, m = (size_t)got->nlayers;
    int err = HESCA_SUCCESS;
    if (hesca_hmpi.rank > 0) {
        t->computer = malloc(n * sizeof *t->computer);
        t->layer = malloc(m * sizeof *t->layer);
        t->ncomputers = got->ncomputers;
        t->nlayers = got->nlayers;
    }
    if (t->computer == NULL || t->layer == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "HMPI_Init: a network");
    if ((err = hesca_hmpi_agree(err)) < 0)
        return err;
    if (PMPI_Bcast(t->computer, (int)(n * sizeof *t->computer), MPI_BYTE, 0,
                   hesca_hmpi.comm) != MPI_SUCCESS ||
        PMPI_Bcast(t->layer, (int)(m * sizeof *t->layer), MPI_BYTE, 0,
                   hesca_hmpi.comm) != MPI_SUCCESS)
        return fail_mpi("MPI_Bcast");
    return HESCA_SUCCESS;
}

/* The first processes of each computer, one for each processor. */
static int
number_processors(hesca_hmpi_network *x)
{
    int *used = calloc((size_t)x->topology.ncomputers, sizeof *used);
    if (used == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "HMPI_Init: processors");
    for (int k = 0; k < hesca_hmpi.nprocs; ++k) {
        const int c = x->computer[k];
        x->processor[k] = used[c] < x->topology.computer[c].nprocessors
                              ? x->nprocessors
                              : -1;
        x->nprocessors += x->processor[k] >= 0;
        ++used[c];
    }
    free(used);
    return HESCA_SUCCESS;
}

int
hesca_hmpi_network_create(hesca_hmpi_network *x)
{
    const size_t nprocs = (size_t)hesca_hmpi.nprocs;
    hesca_params params;
    shared got;
    int n = 0, err = HESCA_SUCCESS;
    host_name *name = calloc(nprocs, sizeof *name);
    host_name *all = calloc(nprocs, sizeof *all);
    int *processors = malloc(nprocs * sizeof *processors);
    int *load = calloc(nprocs, sizeof *load);
    *x = (hesca_hmpi_network){.topology = {.nlayers = 0}};
    x->computer = malloc(nprocs * sizeof *x->computer);
    x->processor = malloc(nprocs * sizeof *x->processor);
    x->scratch = malloc(2 * nprocs * sizeof *x->scratch);
    if (name == NULL || all == NULL || x->scratch == NULL ||
        processors == NULL || load == NULL || x->computer == NULL ||
        x->processor == NULL)
        err =
            hesca_fail(HESCA_ERR_NOMEM, 0, "HMPI_Init: %zu processes", nprocs);
    HESCA_TRY(err, hesca_hmpi_agree(err));
    memset(&got, 0, sizeof got);
    if (hesca_hmpi.rank == 0 && hesca_params_read(&params) < 0)
        got.failure = *hesca_failure_get();
    got.node_size = hesca_hmpi.rank == 0 ? params.node_size : 0;
    if (PMPI_Bcast(&got, (int)sizeof got, MPI_BYTE, 0, hesca_hmpi.comm) !=
        MPI_SUCCESS)
        HESCA_TRY(err, fail_mpi("MPI_Bcast"));
    if (got.failure.err < 0)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_PARAM, 0, "HMPI_Init: %.300s",
                                  got.failure.text));
    HESCA_TRY(err, n = find_hosts(got.node_size, all, name, x->computer,
                                  processors));
    for (size_t k = 0; k < nprocs; ++k)
        ++load[x->computer[k]];
    if (hesca_hmpi.rank == 0 && read_network(params.machine, n, name, load,
                                             processors, &x->topology) < 0)
        got.failure = *hesca_failure_get();
    got.ncomputers = x->topology.ncomputers;
    got.nlayers = x->topology.nlayers;
    if (PMPI_Bcast(&got, (int)sizeof got, MPI_BYTE, 0, hesca_hmpi.comm) !=
        MPI_SUCCESS)
        HESCA_TRY(err, fail_mpi("MPI_Bcast"));
    if (got.failure.err < 0)
        HESCA_TRY(err, hesca_fail(got.failure.err, 0, "%s", got.failure.text));
    HESCA_TRY(err, share_topology(&got, &x->topology));
    HESCA_TRY(err, number_processors(x));
fail:
    free(name);
    free(all);
    free(processors);
    free(load);
    return err < 0 ? err : HESCA_SUCCESS;
}

void
hesca_hmpi_network_clear(hesca_hmpi_network *x)
{
    hesca_topology_clear(&x->topology);
    free(x->computer);
    free(x->processor);
    free(x->scratch);
    *x = (hesca_hmpi_network){.topology = {.nlayers = 0}};
}

int
hesca_hmpi_network_now(const double *speed, const unsigned char *can,
                       hesca_topology *t)
{
    const hesca_hmpi_network *x = &hesca_hmpi.network;
    const size_t n = (size_t)x->topology.ncomputers;
    const size_t m = (size_t)x->topology.nlayers;
    double *sum = calloc(n, sizeof *sum);
    *t = (hesca_topology){x->topology.nlayers, x->topology.ncomputers, NULL,
                          NULL};
    t->layer = malloc(m * sizeof *t->layer);
    t->computer = malloc(n * sizeof *t->computer);
    if (sum == NULL || t->layer == NULL || t->computer == NULL) {
        free(sum);
        hesca_topology_clear(t);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: a network");
    }
    memcpy(t->layer, x->topology.layer, m * sizeof *t->layer);
    memcpy(t->computer, x->topology.computer, n * sizeof *t->computer);
    for (size_t c = 0; c < n; ++c)
        t->computer[c].nprocs = 0;
    for (int k = 0; k < hesca_hmpi.nprocs; ++k)
        if (can[k]) {
            ++t->computer[x->computer[k]].nprocs;
            sum[x->computer[k]] += speed[k];
        }
    for (size_t c = 0; c < n; ++c)
        if (t->computer[c].nprocs > 0)
            t->computer[c].speed = sum[c] / t->computer[c].nprocs;
    free(sum);
    return HESCA_SUCCESS;
}
