/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/plan/plan_figures.h
 * The cost of each schedule of a redistribution. */
#ifndef HESCA_TOOLS_PLAN_PLAN_FIGURES_H
#define HESCA_TOOLS_PLAN_PLAN_FIGURES_H

#include "tools/lib/redist_problem.h"

typedef struct {
    hesca_choice choice; /* with its predicted seconds */
    char name[HESCA_NAME_MAX];
    int is_auto; /* the choice of auto */
    int nsteps;
    int64_t messages;
    int64_t bytes, bytes_most; /* sent by all, by the process that sends most;
                                  in all steps, every hop counted */
} figures;

typedef struct {
    figures *item; /* [n] in the order of hesca_solvtab, by degree */
    int n;
} figures_table;

/** \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int figures_make(figures_table *t, const redist_problem *s);
void figures_clear(figures_table *t);

#endif
