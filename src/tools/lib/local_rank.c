/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* unsetenv */
#include "tools/lib/local_rank.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Hydra (MPICH, Intel MPI), Open MPI, MVAPICH, PALS; of Slurm see below. */
static const char *const variable[][2] = {
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
    {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"}};
static const char slurm[] = "SLURM_LOCALID";

/* \return -1 if it is not a whole number. */
static int
number(const char *name)
{
    const char *value = getenv(name);
    char *end;
    if (value == NULL || !isdigit((unsigned char)*value))
        return -1;
    const long x = strtol(value, &end, 10);
    return *end == '\0' && x < INT_MAX ? (int)x : -1;
}

/* Processes of this step on this host: srun lists them by host, as "2(x3),1".
 * \return 0 if it does not. */
static int
slurm_size(void)
{
    const char *at = getenv("SLURM_STEP_TASKS_PER_NODE");
    int host = number("SLURM_NODEID");
    while (at != NULL && host >= 0 && isdigit((unsigned char)*at)) {
        char *end;
        const long size = strtol(at, &end, 10);
        const long hosts =
            strncmp(end, "(x", 2) == 0 ? strtol(end + 2, &end, 10) : 1;
        if (host < hosts)
            return size < INT_MAX ? (int)size : 0;
        host -= (int)hosts;
        at = strchr(end, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    return 0;
}

static int
is_among(int r, int size, int *rank, int *n)
{
    if (r < 0 || r >= size)
        return 0;
    *rank = r;
    *n = size;
    return 1;
}

int
local_rank_find(int *rank, int *n)
{
    for (size_t k = 0; k < sizeof variable / sizeof *variable; ++k)
        if (is_among(number(variable[k][0]), number(variable[k][1]), rank, n))
            return 1;
    return is_among(number(slurm), slurm_size(), rank, n);
}

/* Numbers of processes remain: some launchers read them. */
void
local_rank_forget(void)
{
    for (size_t k = 0; k < sizeof variable / sizeof *variable; ++k)
        unsetenv(variable[k][0]);
    unsetenv(slurm);
}
