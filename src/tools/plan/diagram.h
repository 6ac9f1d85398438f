/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/plan/diagram.h
 * One schedule as a table: a row for each process, a column for each step. */
#ifndef HESCA_TOOLS_PLAN_DIAGRAM_H
#define HESCA_TOOLS_PLAN_DIAGRAM_H

#include "tools/lib/redist_problem.h"
#include "tools/lib/traffic.h"
#include <stdio.h>

typedef struct {
    const redist_problem *redist_problem;
    char name[HESCA_NAME_MAX];
    traffic traffic;
    traffic_step *cell; /* [nprocs * nsteps]; NULL if there are too many */
} diagram;

enum { DIAGRAM_MOST = 1 << 16 }; /* cells */

/** \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int diagram_make(diagram *d, const redist_problem *s,
                 const hesca_choice *choice);
void diagram_clear(diagram *d);

/** The messages of process k of the redistribution in a step. */
const traffic_step *diagram_at(const diagram *d, int k, int step);

/** Print it as text if it fits into this many columns, else a line that says
 * so. */
void diagram_print(const diagram *d, int columns);

/** Draw it as a picture, in SVG; it has cells. */
void diagram_draw(const diagram *d, FILE *file);

#endif
