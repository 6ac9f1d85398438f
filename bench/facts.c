/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* dladdr, realpath */
#include "facts.h"
#include "hesca/scalapack.h"
#include <ctype.h>
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* First line of MPI's description of itself, up to a comma. */
static void
name_mpi(char *name, size_t size)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;
    MPI_Get_library_version(text, &len);
    text[strcspn(text, "\n,")] = '\0';
    for (char *c = text; *c != '\0'; ++c)
        if (isspace((unsigned char)*c))
            *c = ' ';
    snprintf(name, size, "%.*s", (int)size - 1, text);
}

/* The file that ScaLAPACK is in: it has no function for its version. */
static void
name_scalapack(char *name, size_t size)
{
    const hesca_function fn = hesca_scalapack_original("Cpdgemr2d");
    Dl_info where;
    void *address;
    memcpy(&address, &fn, sizeof address);
    char *path = NULL;
    if (dladdr(address, &where) != 0 && where.dli_fname != NULL)
        path = realpath(where.dli_fname, NULL);
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    snprintf(name, size, "%s", slash != NULL ? slash + 1 : "ScaLAPACK");
    free(path);
}

void
facts_find(facts *f)
{
    MPI_Comm node;
    int rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                        &node);
    MPI_Comm_size(node, &f->here);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    MPI_Comm_size(MPI_COMM_WORLD, &f->nprocs);
    f->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    f->memory =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    f->crowded = f->here > f->cores;
    f->nnodes = rank == 0;
    MPI_Allreduce(MPI_IN_PLACE, &f->crowded, 1, MPI_INT, MPI_MAX,
                  MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &f->here, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &f->memory, 1, MPI_DOUBLE, MPI_MIN,
                  MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &f->nnodes, 1, MPI_INT, MPI_SUM,
                  MPI_COMM_WORLD);
    name_mpi(f->mpi, sizeof f->mpi);
    name_scalapack(f->scalapack, sizeof f->scalapack);
}
