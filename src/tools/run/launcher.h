/** \file tools/run/launcher.h
 * Who starts MPI programs, and how it is told how many processes are to be on
 * which host. */
#ifndef HESCA_TOOLS_RUN_LAUNCHER_H
#define HESCA_TOOLS_RUN_LAUNCHER_H

#include "tools/lib/arglist.h"

typedef enum {
    LAUNCHER_UNKNOWN = -1,
    LAUNCHER_HYDRA,  /**< MPICH's mpiexec */
    LAUNCHER_OPENMPI /**< Open MPI's */
} launcher_kind;

/** Their names in this order, as options have them. */
#define LAUNCHER_NAMES "hydra|openmpi"

/** The kind that prints such a text for --version. */
launcher_kind launcher_told(const char *text);

/** Ask a command for its version.
 * \return the kind, or LAUNCHER_UNKNOWN after a complaint. */
launcher_kind launcher_ask(const arglist *command);

/** Add the options that start count[i] processes on host name[i], in order,
 * those without processes left out.
 * \param [in] name  [n] NULL: all are on this host, and n is 1. */
void launcher_place(launcher_kind kind, int n, const char *const *name,
                    const int *count, arglist *command);

#endif
