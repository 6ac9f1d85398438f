/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/plan/plan_report.h
 * The results of hesca plan on stdout, as text or JSON. */
#ifndef HESCA_TOOLS_PLAN_PLAN_REPORT_H
#define HESCA_TOOLS_PLAN_PLAN_REPORT_H

#include "tools/plan/diagram.h"
#include "tools/plan/plan_figures.h"

typedef struct {
    const redist_problem *redist_problem;
    const figures_table *table;
    const diagram *shown; /* the schedule that is drawn */
    const traffic_step
        *step; /* [shown->traffic.nsteps] of the requested process, or NULL */
} report;

void report_print(const report *r);
void report_json(const report *r);

#endif
