/** \file results.h
 * The results of time_gemr2d: a table for people, CSV and JSON for programs.
 */
#ifndef HESCA_BENCH_RESULTS_H
#define HESCA_BENCH_RESULTS_H

#include "facts.h"
#include "options.h"
#include "tools/lib/fields.h"

typedef struct {
    const timing_case *c;
    const facts *f;
    int context_a;
    int repeats;
    double bytes; /* of sub(A), the part copied */
    int ran[NROUTINES];
    double median[NROUTINES], min[NROUTINES]; /* s */
    int identical; /* all that ran are right, bit for bit */
} result;

enum { REPORT_CELLS = 4 }; /* routine, size, from, to */

typedef struct {
    fields_files out;
    const facts *f;
    int width[REPORT_CELLS];
} report;

/** Open the files that the options name.
 * \return 1, or 0 after a message. */
int report_open(report *r, const options *o, const facts *f);

void report_head(report *r, const case_list *cases);
void report_result(report *r, const result *x);
void report_skipped(report *r, const timing_case *c, const char *why);

/** Close the files.
 * \return 1, or 0 after a message if something was not written. */
int report_close(report *r);

/** For example pdgemr2d. */
void routine_name(const timing_case *c, char name[16]);

#endif
