/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/directory.h"
#include "base/hash.h"
#include "base/report_data.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/plan_cache.h"
#include "exec/speeds.h"
#include "hesca/experimental/monitor.h"
#include "machine/models.h"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- hosts ---
 * Local functions; on rank 0 the machine is read, on all processes the host
 * is named. */

void
hesca_directory_host(const hesca_comm *c, char name[HESCA_PROCESSOR_MAX])
{
    int len = 0;
    if (c->params.node_size > 0)
        len = snprintf(name, HESCA_PROCESSOR_MAX, "node%d",
                       c->rank / c->params.node_size);
    else
        PMPI_Get_processor_name(name, &len);
    name[len] = '\0';
}

/* The last machine that was found by HESCA_MACHINE=auto. */
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static hesca_machine kept;

void
hesca_directory_keep(const hesca_machine *machine)
{
    hesca_machine copy = {0};
    if (hesca_machine_copy(machine, &copy) < 0)
        return;
    pthread_mutex_lock(&kept_lock);
    hesca_machine_clear(&kept);
    kept = copy;
    pthread_mutex_unlock(&kept_lock);
}

static int
copy_kept(hesca_machine *machine)
{
    pthread_mutex_lock(&kept_lock);
    const int err =
        kept.nhosts > 0 ? hesca_machine_copy(&kept, machine) : HESCA_SUCCESS;
    pthread_mutex_unlock(&kept_lock);
    return err;
}

int
hesca_directory_read(const hesca_params *params, hesca_machine *machine)
{
    *machine = hesca_machine_default();
    if (params->find_machine)
        return copy_kept(machine);
    return params->machine[0] == '\0'
               ? HESCA_SUCCESS
               : hesca_machine_read(params->machine, machine);
}

uint64_t
hesca_directory_hash(uint64_t h, const hesca_machine *machine)
{
    const size_t n = (size_t)machine->nhosts;
    const size_t models = hesca_speeds_packed(machine);
    char *packed = malloc(models + 1);
    if (packed == NULL)
        return 0;
    h = hesca_hash_bytes(h, &machine->node, sizeof machine->node);
    h = hesca_hash_bytes(h, &machine->net, sizeof machine->net);
    h = hesca_hash_bytes(h, &machine->unit, sizeof machine->unit);
    h = hesca_hash_mix(h, n);
    if (n > 0) {
        h = hesca_hash_bytes(h, machine->host, n * sizeof *machine->host);
        h = hesca_hash_bytes(h, machine->wire, n * n * sizeof *machine->wire);
    }
    if (models > 0)
        hesca_speeds_pack(machine, packed);
    h = hesca_hash_bytes(h, packed, models);
    free(packed);
    return h;
}

/* --- sharing ---
 * A machine is replaced only after all processes have it: on error the old
 * one stays. */

/* Unpack a machine but for the numbers that all processes have. */
static int
unpack(const char *all, hesca_machine *m, size_t hosts, size_t wires,
       int64_t models)
{
    memcpy(m->host, all, hosts);
    memcpy(m->wire, all + hosts, wires);
    return models > 0 ? hesca_speeds_unpack(all + hosts + wires, m)
                      : HESCA_SUCCESS;
}

/* Broadcast the hosts of rank 0, the wires between them and models, in one
 * message.
 * \param [out] mine  What only this process finds wrong. */
static int
share_machine(const hesca_comm *c, hesca_machine *m, int *mine)
{
    const size_t n = (size_t)m->nhosts;
    const size_t hosts = n * sizeof *m->host, wires = n * n * sizeof *m->wire;
    int64_t models = c->rank == 0 ? (int64_t)hesca_speeds_packed(m) : 0;
    char *all = NULL;
    int err;
    HESCA_TRY(err, hesca_comm_bcast(c, &models, 1, MPI_INT64_T));
    const size_t words = (hosts + wires + (size_t)models + 7) / 8;
    all = calloc(words, 8);
    if (c->rank > 0) {
        m->host = malloc(hosts);
        m->wire = malloc(wires);
    }
    if (words > INT_MAX)
        err = hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                         "a machine of %zu hosts is too large", n);
    else if (all == NULL || m->host == NULL || m->wire == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a machine of %zu hosts", n);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    if (c->rank == 0) {
        memcpy(all, m->host, hosts);
        memcpy(all + hosts, m->wire, wires);
        if (models > 0)
            hesca_speeds_pack(m, all + hosts + wires);
    }
    HESCA_TRY(err, hesca_comm_bcast(c, all, words, MPI_INT64_T));
    *mine = c->rank > 0 ? unpack(all, m, hosts, wires, models) : HESCA_SUCCESS;
fail:
    free(all);
    return err;
}

/* Broadcast the names of rank 0's hosts. */
static int
share_hosts(const hesca_comm *c, hesca_machine *m)
{
    const size_t n = (size_t)m->nhosts;
    int err = HESCA_SUCCESS;
    if (c->rank > 0 && (m->host = malloc(n * sizeof *m->host)) == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "a machine of %zu hosts", n);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err,
              hesca_comm_bcast(c, m->host, n * sizeof *m->host, MPI_BYTE));
fail:
    return err;
}

static int
find_host(const hesca_comm *c, const hesca_machine *m, int *host)
{
    char name[HESCA_PROCESSOR_MAX];
    hesca_directory_host(c, name);
    *host = hesca_machine_find_host(m, name);
    if (*host >= 0)
        return HESCA_SUCCESS;
    const char *path = c->params.machine;
    return hesca_fail(
        HESCA_ERR_PARAM, 0,
        "process %d is on host '%.60s', which is %s the %d hosts "
        "of %.80s",
        c->rank, name,
        *host == -1 ? "not among" : "a short name of several of", m->nhosts,
        path[0] != '\0' ? path : "the monitor");
}

int
hesca_directory_check(const hesca_comm *c, const hesca_machine *machine)
{
    hesca_machine m = {.nhosts = c->rank == 0 ? machine->nhosts : 0};
    int mine, err;
    HESCA_TRY(err, hesca_comm_bcast(c, &m.nhosts, 1, MPI_INT));
    if (m.nhosts == 0)
        return HESCA_SUCCESS;
    m.host = c->rank == 0 ? machine->host : NULL;
    HESCA_TRY(err, share_hosts(c, &m));
    err = hesca_agree(c, find_host(c, &m, &mine), 0, NULL);
fail:
    if (c->rank > 0)
        free(m.host);
    return err;
}

/* \param [in] err  The status of this process so far. */
static int
make_network(const hesca_comm *c, int err, const hesca_machine *m,
             hesca_network *x, int **hosts)
{
    int mine = 0;
    int *host = malloc((size_t)c->size * sizeof *host);
    MPI_Request request;
    if (err == HESCA_SUCCESS)
        err = find_host(c, m, &mine);
    if (err == HESCA_SUCCESS && host == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "hosts of %d processes", c->size);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_MPI(err, Iallgather, &mine, 1, MPI_INT, host, 1, MPI_INT, c->mpi,
              &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    err = hesca_network_of_hosts(m, c->size, host, x);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    *hosts = host;
    return HESCA_SUCCESS;
fail:
    free(host);
    return err;
}

/* For HESCA_REPORT; local. */
static void
record_speeds(const hesca_comm *c)
{
    if (c->world == NULL || c->host == NULL)
        return;
    double *speed = malloc((size_t)c->size * sizeof *speed);
    for (int k = 0; speed != NULL && k < c->size; ++k)
        speed[k] = c->machine.host[c->host[k]].speed;
    if (speed != NULL)
        hesca_report_speeds(hesca_report_seconds(), c->size, speed, c->world);
    free(speed);
}

int
hesca_directory_take(hesca_comm *c, hesca_machine *machine)
{
    hesca_network network = {0};
    int *host = NULL, mine = HESCA_SUCCESS, err = HESCA_SUCCESS;
    if (c->rank > 0) { /* pointers of rank 0 are not valid here */
        machine->host = NULL;
        machine->wire = NULL;
        machine->model = NULL;
        machine->nmodels = 0;
    }
    if (machine->nhosts > 0) {
        HESCA_TRY(err, share_machine(c, machine, &mine));
        HESCA_TRY(err, make_network(c, mine, machine, &network, &host));
    }
    hesca_machine_clear(&c->machine);
    hesca_network_clear(&c->network);
    free(c->host);
    c->machine = *machine;
    c->network = network;
    c->host = host;
    c->slow = hesca_network_has_slow(&c->network);
    record_speeds(c);
    return HESCA_SUCCESS;
fail:
    hesca_machine_clear(machine);
    hesca_network_clear(&network);
    return err;
}

/* --- refreshing ---
 * Rank 0 decides whether the machine has changed; plans and decisions
 * made for the old one are freed at the same call on all processes. */

static hesca_monitor monitor;
static void *monitor_data;
static int asks_at_once;

void
hesca_directory_ask_at_once(int yes)
{
    asks_at_once = yes;
}

void
hesca_machine_set_monitor(hesca_monitor set, void *data)
{
    monitor = set;
    monitor_data = data;
}

/* If the monitor fails without an error text, set one. */
static int
ask_monitor(hesca_machine *m)
{
    const hesca_failure before = *hesca_failure_get();
    hesca_error_set(HESCA_SUCCESS, 0, "");
    const int err = monitor(m, monitor_data);
    if (err >= 0) {
        hesca_failure_set(&before);
        return hesca_machine_check(m);
    }
    if (hesca_failure_get()->err != err)
        hesca_fail(err, 0, "the monitor failed: %s", hesca_strerror(err));
    return err;
}

/* On rank 0. */
static int
read_again(const hesca_params *params, hesca_machine *m)
{
    int err;
    HESCA_TRY(err, hesca_directory_read(params, m));
    if (monitor != NULL)
        HESCA_TRY(err, ask_monitor(m));
    return HESCA_SUCCESS;
fail:
    hesca_machine_clear(m);
    return err;
}

int
hesca_directory_begin(const hesca_params *params, hesca_machine *m)
{
    return asks_at_once ? read_again(params, m)
                        : hesca_directory_read(params, m);
}

static int
is_same(const hesca_machine *x, const hesca_machine *y)
{
    const size_t n = (size_t)x->nhosts;
    return memcmp(&x->node, &y->node, sizeof x->node) == 0 &&
           memcmp(&x->net, &y->net, sizeof x->net) == 0 &&
           memcmp(&x->unit, &y->unit, sizeof x->unit) == 0 &&
           x->nhosts == y->nhosts &&
           (n == 0 ||
            (memcmp(x->host, y->host, n * sizeof *x->host) == 0 &&
             memcmp(x->wire, y->wire, n * n * sizeof *x->wire) == 0)) &&
           hesca_models_are_same(x, y);
}

static _Atomic int64_t refreshes;

int64_t
hesca_machine_refreshes(void)
{
    return refreshes;
}

int
hesca_directory_replace(hesca_comm *c, hesca_machine *machine)
{
    int err;
    HESCA_TRY(err, hesca_directory_take(c, machine));
    c->unusable.err = HESCA_SUCCESS;
    c->other_hosts = 0;
    hesca_cache_drop(c->cache);
    hesca_comm_drop(c, HESCA_STATE_BCAST);
    hesca_comm_drop(c, HESCA_STATE_HOHE);
    ++refreshes;
fail:
    return err;
}

int
hesca_machine_refresh(MPI_Comm comm)
{
    struct {
        hesca_machine machine;
        hesca_failure failure;
        int changed;
    } got;
    hesca_comm *c;
    int err;
    hesca_caller_enter("hesca_machine_refresh");
    /* A machine that could not be used before may be valid now. */
    err = hesca_comm_get(comm, &c);
    if (err < 0 && (c == NULL || c->misread.err < 0))
        return err;
    memset(&got, 0, sizeof got);
    if (c->rank == 0) {
        if (read_again(&c->params, &got.machine) < 0)
            got.failure = *hesca_failure_get();
        got.changed =
            c->unusable.err < 0 || !is_same(&got.machine, &c->machine);
    }
    HESCA_TRY(err, hesca_comm_bcast(c, &got, sizeof got, MPI_BYTE));
    if (got.failure.err < 0)
        return hesca_failure_set(&got.failure);
    if (got.changed) {
        HESCA_TRY(err, hesca_directory_replace(c, &got.machine));
    } else if (c->rank == 0) {
        hesca_machine_clear(&got.machine);
    }
fail:
    return err;
}

int
hesca_machine_agreed(MPI_Comm comm, hesca_machine *machine)
{
    hesca_comm *c;
    int err;
    if (machine == NULL)
        return hesca_fail_null("hesca_machine_agreed", 2, "machine");
    HESCA_TRY(err, hesca_comm_get(comm, &c));
    err = hesca_machine_copy(&c->machine, machine);
fail:
    return err;
}
