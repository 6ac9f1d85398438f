/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* unsetenv */
#include "tools/lib/local_rank.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

/* Hydra (MPICH, Intel MPI), Open MPI, MVAPICH, PALS, SLURM. */
static const char *const variable[][2] = {
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
    {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},
    {"SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"}};

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

int
local_rank_find(int *rank, int *n)
{
    for (size_t k = 0; k < sizeof variable / sizeof *variable; ++k) {
        const int r = number(variable[k][0]), size = number(variable[k][1]);
        if (r < 0 || r >= size)
            continue;
        *rank = r;
        *n = size;
        return 1;
    }
    return 0;
}

/* Numbers of processes remain: some launchers read them. */
void
local_rank_forget(void)
{
    for (size_t k = 0; k < sizeof variable / sizeof *variable; ++k)
        unsetenv(variable[k][0]);
}
