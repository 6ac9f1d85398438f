/* SPDX-License-Identifier: BSD-3-Clause */
/** \file survey/program.h
 * What a program called in its last run, kept in the user's cache: the routine
 * that took most of its time, and the grid.  A default for the next run, which
 * may call something else. */
#ifndef HESCA_SURVEY_PROGRAM_H
#define HESCA_SURVEY_PROGRAM_H

#include "hesca/experimental/param.h"
#include "hesca/experimental/place.h"

typedef struct {
    hesca_job job;
    int nprow, npcol; /* its grid */
    int nprocs;       /* of the program */
} hesca_program;

/** Whether anything is kept of programs: under hesca run, which sets
 * HESCA_PROGRAM, and with HESCA_MACHINE=auto.  HESCA_LEARN=frozen reads only.
 */
int hesca_program_is_read(const hesca_params *params);
int hesca_program_is_written(const hesca_params *params);

/** Read what is kept of a program.  Local.
 * \param [in] name  HESCA_PROGRAM; empty: the path of this program.
 * \return 1, or 0 if nothing is kept. */
int hesca_program_read(const char *name, hesca_program *program);

/** Keep it.  Local. */
void hesca_program_write(const char *name, const hesca_program *program);

#endif
