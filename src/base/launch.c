/* SPDX-License-Identifier: BSD-3-Clause */
/* What launchers tell their processes by environment variables. */
#include "hesca/experimental/param.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *size, *rank, *name;
} launcher[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's mpiexec"},
    {"PMI_SIZE", "PMI_RANK", "MPICH's mpiexec"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"},
};

int
hesca_launch_is_first(void)
{
    for (size_t k = 0; k < sizeof launcher / sizeof *launcher; ++k) {
        const char *rank = getenv(launcher[k].rank);
        if (rank != NULL && strcmp(rank, "0") != 0)
            return 0;
    }
    return 1;
}

int
hesca_launch_is_split(char *text, size_t room)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len;
    for (size_t k = 0; k < sizeof launcher / sizeof *launcher; ++k) {
        const char *size = getenv(launcher[k].size);
        const char *rank = getenv(launcher[k].rank);
        if (size == NULL || rank == NULL || atoi(size) < 2)
            continue;
        PMPI_Get_library_version(library, &len);
        library[strcspn(library, "\n,")] = '\0';
        for (char *tab = library; (tab = strchr(tab, '\t')) != NULL;)
            *tab = ' ';
        snprintf(text, room,
                 "%s started %d processes, but each is alone in "
                 "MPI_COMM_WORLD: its MPI is %.60s, and needs %s",
                 launcher[k].name, atoi(size), library,
                 strcmp(launcher[k].name, "srun") == 0
                     ? "another --mpi, see srun --mpi=list (MPICH: pmi2, Open "
                       "MPI: pmix)"
                     : "a launcher of that MPI");
        return hesca_launch_is_first() ? 1 : -1;
    }
    return 0;
}
