/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/launcher.h
 * Programs, and launchers of MPI programs with their options for the number of
 * processes on each host. */
#ifndef HESCA_TOOLS_LIB_LAUNCHER_H
#define HESCA_TOOLS_LIB_LAUNCHER_H

#include "tools/lib/arglist.h"
#include <limits.h>

/** Whether a path is that of a program: an executable regular file. */
int program_is(const char *path);

/** A program as execvp() finds it.
 * \param [out] path  Its memory, if it is found in PATH.
 * \return NULL if it is not found. */
const char *program_find(const char *name, char path[PATH_MAX]);

typedef enum {
    LAUNCHER_UNKNOWN = -1,
    LAUNCHER_HYDRA,   /**< MPICH's mpiexec */
    LAUNCHER_OPENMPI, /**< Open MPI's */
    LAUNCHER_SLURM    /**< srun */
} launcher_kind;

/** Their names in this order, as in options. */
#define LAUNCHER_NAMES "hydra|openmpi|slurm"

/** The kind of launcher that prints this text for --version. */
launcher_kind launcher_of_version(const char *text);

/** Whether HESCA was built for the MPI whose processes a launcher connects. */
int launcher_is_own(launcher_kind kind);

/** Check that hosts answer where ssh will look for them; without ssh, as under
 * Slurm or where variables name another program, nothing.
 * \param [in] count  [n] hosts with 0 processes are not looked at.
 * \return 1, or 0 after an error message for each that does not. */
int launcher_reach(launcher_kind kind, int n, const char *const *name,
                   const int *count);

/** Run a command with --version to find its kind.
 * \return the kind, or LAUNCHER_UNKNOWN after an error message. */
launcher_kind launcher_ask(const arglist *command);

/** Add the option of srun that connects processes of HESCA's MPI, where
 * neither the user nor Slurm's configuration (MpiDefault) has named a way. */
void launcher_connect(launcher_kind kind, arglist *command);

/** Add the options that start count[i] processes on host name[i], in order;
 * hosts without processes are omitted.
 * \param [in] name  [n] NULL: all on this host, and n is 1. */
void launcher_place(launcher_kind kind, int n, const char *const *name,
                    const int *count, arglist *command);

#endif
