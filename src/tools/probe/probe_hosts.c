/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts, and the processes that take part. */
#include "base/status.h"
#include "exec/agree.h"
#include "tools/probe/probe.h"
#include <stdlib.h>
#include <string.h>

int
probe_hosts_of(const probe_hosts *x, int rank)
{
    for (int i = 0; i < x->n; ++i)
        if (x->host[i].first == rank)
            return i;
    return -1;
}

static void
list_hosts(const char (*name)[HESCA_PROCESSOR_MAX], int nprocs, probe_hosts *x)
{
    for (int r = 0; r < nprocs; ++r) {
        int i = 0;
        while (i < x->n && strcmp(x->host[i].name, name[r]) != 0)
            ++i;
        if (i == x->n) {
            x->host[x->n++] = (probe_host){.first = r, .second = -1};
            strcpy(x->host[i].name, name[r]);
        } else if (x->host[i].second < 0) {
            x->host[i].second = r;
        }
        ++x->host[i].nprocs;
    }
}

int
probe_hosts_find(const hesca_comm *c, probe_hosts *x)
{
    char mine[HESCA_PROCESSOR_MAX] = "";
    char(*name)[HESCA_PROCESSOR_MAX] = calloc((size_t)c->size, sizeof *name);
    MPI_Request request;
    int err = HESCA_SUCCESS;
    hesca_directory_host(c, mine);
    *x = (probe_hosts){.host = calloc((size_t)c->size, sizeof *x->host)};
    if (name == NULL || x->host == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", c->size);
    else if (strlen(mine) >= HESCA_HOST_MAX)
        err = hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                         "the name of host %.100s is too long", mine);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    MPI_Iallgather(mine, sizeof mine, MPI_BYTE, name, sizeof mine, MPI_BYTE,
                   MPI_COMM_WORLD, &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    list_hosts((const char(*)[HESCA_PROCESSOR_MAX])name, c->size, x);
    x->link = calloc((size_t)x->n * (size_t)x->n, sizeof *x->link);
    if (x->link == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "links of %d hosts", x->n);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
fail:
    free(name);
    return err;
}

void
probe_hosts_clear(probe_hosts *x)
{
    free(x->host);
    free(x->link);
    *x = (probe_hosts){.n = 0};
}
