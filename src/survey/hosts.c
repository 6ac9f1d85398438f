/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts, and the processes that take part. */
#include "base/status.h"
#include "exec/agree.h"
#include "survey/survey.h"
#include <stdlib.h>
#include <string.h>

int
hesca_survey_host_of(const hesca_survey *x, int rank)
{
    for (int i = 0; i < x->n; ++i)
        if (x->host[i].first == rank)
            return i;
    return -1;
}

static void
list_hosts(const hesca_comm *c, const char (*name)[HESCA_PROCESSOR_MAX],
           hesca_survey *x)
{
    for (int r = 0; r < c->size; ++r) {
        int i = 0;
        while (i < x->n && strcmp(x->host[i].name, name[r]) != 0)
            ++i;
        if (i == x->n) {
            x->host[x->n++] = (hesca_survey_host){.first = r, .second = -1};
            strcpy(x->host[i].name, name[r]);
        } else if (x->host[i].second < 0) {
            x->host[i].second = r;
        }
        ++x->host[i].nprocs;
        if (r == c->rank)
            x->mine = i;
    }
}

int
hesca_survey_begin(const hesca_comm *c, hesca_survey *x)
{
    char mine[HESCA_PROCESSOR_MAX] = "";
    char(*name)[HESCA_PROCESSOR_MAX] = calloc((size_t)c->size, sizeof *name);
    MPI_Request request;
    int err = HESCA_SUCCESS;
    hesca_directory_host(c, mine);
    *x = (hesca_survey){.host = calloc((size_t)c->size, sizeof *x->host)};
    if (name == NULL || x->host == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", c->size);
    else if (strlen(mine) >= HESCA_HOST_MAX)
        err = hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                         "the name of host %.100s is too long", mine);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_MPI(err, Iallgather, mine, sizeof mine, MPI_BYTE, name, sizeof mine,
              MPI_BYTE, c->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(c, 1, &request));
    list_hosts(c, (const char(*)[HESCA_PROCESSOR_MAX])name, x);
    x->link = calloc((size_t)x->n * (size_t)x->n, sizeof *x->link);
    if (x->link == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "links of %d hosts", x->n);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
fail:
    free(name);
    return err;
}

void
hesca_survey_clear(hesca_survey *x)
{
    free(x->host);
    free(x->link);
    *x = (hesca_survey){.n = 0};
}

/* ------------------------------------------------ the machine
 * hesca_survey_rename() changes a machine completely or not at all. */

static const hesca_survey_host *
fastest(const hesca_survey *x)
{
    const hesca_survey_host *most = x->host;
    for (int i = 1; i < x->n; ++i)
        if (x->host[i].speed > most->speed)
            most = &x->host[i];
    return most;
}

/* The unit of speeds that are relative to the fastest host's. */
static void
enter_unit(const hesca_survey *x, const hesca_survey_host *most,
           hesca_machine *machine)
{
    if (x->flops > 0 && x->host[0].speed > 0 && most->part > 0)
        machine->unit = (hesca_unit){
            x->flops * (most->speed / x->host[0].speed), most->part};
}

int
hesca_survey_rename(hesca_machine *machine, int n, const char *const *name)
{
    hesca_machine made = hesca_machine_default();
    int err;
    HESCA_TRY(err, hesca_machine_copy(machine, &made));
    HESCA_TRY(err, hesca_machine_set_hosts(&made, n, name));
    for (int i = 0; i < n; ++i) {
        const int from = hesca_machine_find_host(machine, name[i]);
        if (from < 0)
            continue;
        made.host[i].speed = machine->host[from].speed;
        made.host[i].cores = machine->host[from].cores;
        made.host[i].memory = machine->host[from].memory;
        for (int j = 0; j < n; ++j) {
            const int to = hesca_machine_find_host(machine, name[j]);
            if (to >= 0)
                made.wire[i * n + j] =
                    machine->wire[from * machine->nhosts + to];
        }
    }
    hesca_machine_clear(machine);
    *machine = made;
    return HESCA_SUCCESS;
fail:
    hesca_machine_clear(&made);
    return err;
}

int
hesca_survey_enter(const hesca_survey *x, hesca_machine *machine)
{
    const int n = x->n;
    const hesca_survey_host *most = fastest(x);
    int err = HESCA_SUCCESS;
    const char **name = calloc((size_t)n, sizeof *name);
    if (name == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "names of %d hosts", n);
    for (int i = 0; i < n; ++i)
        name[i] = x->host[i].name;
    HESCA_TRY(err, hesca_survey_rename(machine, n, name));
    for (int i = 0; i < n; ++i) {
        machine->host[i].speed = x->host[i].speed / most->speed;
        machine->host[i].cores = x->host[i].cores;
        machine->host[i].memory = x->host[i].memory;
    }
    enter_unit(x, most, machine);
    for (int k = 0; k < n * n; ++k)
        if (x->link[k].rate > 0)
            machine->wire[k] =
                (hesca_wire){x->link[k].startup, x->link[k].rate};
fail:
    free(name);
    return err;
}
