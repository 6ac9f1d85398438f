/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca/experimental/wait.h: how to wait, decided once, the same on all
 * processes. */
#include "hesca/experimental/wait.h"
#include "base/status.h"
#include "exec/agree.h"
#include "exec/directory.h"
#include "exec/node.h"
#include "wait/quota.h"
#include <stdio.h>
#include <string.h>

/* All processes get the parameters of rank 0, or its failures; what the hosts
 * of the machine file lack is one. */
static int
share_params(hesca_comm *c)
{
    struct {
        hesca_params params;
        hesca_failure failure, unusable;
    } got;
    hesca_machine machine = {.nhosts = 0};
    int err;
    memset(&got, 0, sizeof got);
    if (c->rank == 0 && hesca_params_read(&got.params) < 0)
        got.failure = *hesca_failure_get();
    if (c->rank == 0 && hesca_directory_read(&got.params, &machine) < 0)
        got.unusable = *hesca_failure_get();
    HESCA_TRY(err, hesca_comm_bcast(c, &got, sizeof got, MPI_BYTE));
    c->params = got.params;
    c->misread = got.failure;
    c->unusable = got.unusable;
    if (c->unusable.err == HESCA_SUCCESS)
        err = hesca_directory_check(c, &machine);
    if (err == HESCA_ERR_PARAM) {
        c->unusable = *hesca_failure_get();
        err = HESCA_SUCCESS;
    }
fail:
    hesca_machine_clear(&machine);
    return err;
}

/* Processes per core allowed by the quota of the node, the maximum over the
 * nodes; 0: no node has a quota. */
static int
find_quota(const hesca_comm *c, double *load)
{
    const double cores = hesca_quota();
    int64_t most = cores > 0 ? -(int64_t)(1000 * c->node.n / cores) : 0;
    const int err = hesca_agree_min(c, 1, &most);
    *load = (double)-most / 1000;
    return err;
}

static int
decide(hesca_comm *c, hesca_wait_info *info)
{
    double quota;
    int err;
    HESCA_TRY(err, share_params(c));
    info->params = c->params;
    if (c->unusable.err < 0)
        snprintf(info->lacks, sizeof info->lacks, "%s", c->unusable.text);
    HESCA_TRY(err, hesca_node_find(c));
    HESCA_TRY(err, find_quota(c, &quota));
    info->one_node = c->node.n == c->size;
    info->quota = quota > c->load;
    info->load = info->quota ? quota : c->load;
    info->yields = c->params.wait == HESCA_WAIT_POLITE ||
                   (c->params.wait == HESCA_WAIT_AUTO && info->load > 1);
    if (c->misread.err < 0)
        err = hesca_failure_set(&c->misread);
fail:
    return err;
}

int
hesca_wait_agree(MPI_Comm comm, hesca_wait_info *info)
{
    enum { LONG = 30 }; /* s */
    hesca_comm c = {.mpi = MPI_COMM_NULL, .yields = 1};
    int err;
    memset(info, 0, sizeof *info);
    if (comm == MPI_COMM_NULL)
        return hesca_fail(HESCA_ERR_ARG, 1,
                          "hesca_wait_agree: argument 1, comm, is null");
    PMPI_Comm_rank(comm, &c.rank);
    PMPI_Comm_size(comm, &c.size);
    c.params.timeout = LONG; /* perhaps not all processes have HESCA */
    HESCA_TRY(err, hesca_comm_duplicate(&c, comm, &c.mpi));
    HESCA_TRY(err, decide(&c, info));
fail:
    hesca_node_clear(&c.node);
    if (c.mpi != MPI_COMM_NULL)
        PMPI_Comm_free(&c.mpi);
    return err;
}

double
hesca_wait_slept(void)
{
    return hesca_backoff_slept();
}

int
hesca_wait_until(hesca_wait_over *over, void *what)
{
    hesca_backoff wait = hesca_backoff_begin(1);
    int result;
    while ((result = over(what)) == 0)
        hesca_backoff_pause(&wait);
    return result;
}
