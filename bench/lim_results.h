/** \file lim_results.h
 * The results of time_lim: a table for people, CSV and JSON for programs. */
#ifndef HESCA_BENCH_LIM_RESULTS_H
#define HESCA_BENCH_LIM_RESULTS_H

#include "contest.h"
#include "facts.h"
#include "harness.h"

typedef struct {
    const lim_case *c;
    const facts *f;
    const char *name;          /* as on the command line */
    hesca_plan_info plan;      /* of HESCA's schedules, else nothing */
    int n1, n2;                /* as many as were made */
    double max, avg, med, min; /* s, LIM Figure 13 */
    double planning;           /* s; 0: it makes no plan */
    int checked, right;        /* B was looked at; every element is right */
} lim_result;

void lim_results_head(const fields_files *out, const facts *f, int procs);
void lim_results_row(fields_files *out, const lim_result *x);
void lim_results_skipped(const fields_files *out, const lim_case *c,
                         const char *name, const char *why);

/** For fields_open(). */
void lim_results_put(fields *s, const void *row);

#endif
