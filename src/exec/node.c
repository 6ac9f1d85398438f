/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sched_getaffinity */
#include "exec/node.h"
#include "base/hash.h"
#include "base/status.h"
#include "exec/agree.h"
#include "wait/quota.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MASK = CPU_SETSIZE / 64 };

/* A process, its host, and its cores there. */
typedef struct {
    uint64_t id, host;
    uint64_t mask[MASK];
} location;

/* An id of this process. Hosts in containers may share names and process
 * numbers, so the id also depends on the time of its first use. */
static uint64_t
my_id(uint64_t host)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t id;
    const struct {
        int64_t pid;
        double time;
    } me = {getpid(), PMPI_Wtime()};
    pthread_mutex_lock(&lock);
    if (id == 0)
        id = hesca_hash_bytes(host, &me, sizeof me);
    const uint64_t mine = id;
    pthread_mutex_unlock(&lock);
    return mine;
}

static location
my_location(const hesca_comm *c)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int len = 0;
    cpu_set_t mask;
    location s = {.id = 0};
    PMPI_Get_processor_name(host, &len);
    s.host = hesca_hash_bytes(HESCA_HASH, host, (size_t)len);
    s.id = my_id(s.host);
    if (c->params.node_size > 0) {
        const int node = c->rank / c->params.node_size;
        s.host = hesca_hash_bytes(s.host, &node, sizeof node);
    }
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof mask, &mask) < 0)
        memset(&mask, 0xff, sizeof mask); /* more cores than the mask holds */
    for (int k = 0; k < CPU_SETSIZE; ++k)
        if (CPU_ISSET((size_t)k, &mask))
            s.mask[k / 64] |= (uint64_t)1 << k % 64;
    return s;
}

/* Processes per core, among the processes that share cores with this one. */
static double
load_of(const location *all, int n, const location *mine)
{
    uint64_t cores[MASK] = {0};
    int sharers = 0, ncores = 0;
    for (int r = 0; r < n; ++r) {
        uint64_t common = 0;
        for (int k = 0; k < MASK; ++k)
            common |= all[r].mask[k] & mine->mask[k];
        if (common == 0 || all[r].host != mine->host)
            continue;
        ++sharers;
        for (int k = 0; k < MASK; ++k)
            cores[k] |= all[r].mask[k];
    }
    for (int k = 0; k < MASK; ++k)
        ncores += __builtin_popcountll(cores[k]);
    return ncores > 0 ? (double)sharers / ncores : 1;
}

/* Processes per core of the whole job on this node, from the launcher's
 * environment: the communicator may have a few of them only. If there are more
 * processes than cores, some share a core, bound or not. */
static double
load_of_job(void)
{
    static const char *const variable[] = {"MPI_LOCALNRANKS",
                                           "OMPI_COMM_WORLD_LOCAL_SIZE"};
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    double load = 1;
    for (size_t k = 0; k < sizeof variable / sizeof *variable; ++k) {
        const char *value = getenv(variable[k]);
        if (online > 0 && value != NULL && strtol(value, NULL, 10) > online)
            load = (double)strtol(value, NULL, 10) / (double)online;
    }
    return load;
}

static void
list_node(hesca_node *node, const location *all, int n, const location *mine)
{
    for (int r = 0; r < n; ++r)
        if (all[r].host == mine->host) {
            node->rank[node->n] = r;
            node->id[node->n++] = all[r].id;
        }
}

int
hesca_node_find(hesca_comm *c)
{
    int err = HESCA_SUCCESS;
    int64_t load; /* in thousandths, negative: the maximum is wanted */
    MPI_Request request;
    const size_t size = (size_t)c->size;
    const location mine = my_location(c);
    location *all = malloc(size * sizeof *all);
    c->node.rank = malloc(size * sizeof *c->node.rank);
    c->node.id = malloc(size * sizeof *c->node.id);
    if (all == NULL || c->node.rank == NULL || c->node.id == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", c->size);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_MPI(err, Iallgather, &mine, sizeof mine, MPI_BYTE, all, sizeof mine,
              MPI_BYTE, c->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    list_node(&c->node, all, c->size, &mine);
    if (c->node.n > 1 || c->params.node_size > 0)
        hesca_backoff_neighbours();
    const double here = load_of(all, c->size, &mine);
    const double job = load_of_job(), quota = hesca_quota();
    load = -(int64_t)(1000 * (here > job ? here : job));
    HESCA_TRY(err, hesca_agree_min(c, 1, &load));
    c->load = load < -1000 ? (double)-load / 1000 : 1;
    c->crowded = c->load > 1;
    c->yields = c->crowded || (quota > 0 && c->node.n > quota);
fail:
    free(all);
    return err;
}

void
hesca_node_clear(hesca_node *node)
{
    free(node->rank);
    free(node->id);
    memset(node, 0, sizeof *node);
}
