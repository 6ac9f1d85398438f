/** \file hohe_results.h
 * The results of time_hohe: a table for people, CSV and JSON for programs. */
#ifndef HESCA_BENCH_HOHE_RESULTS_H
#define HESCA_BENCH_HOHE_RESULTS_H

#include "harness.h"
#include "hohe.h"

/** A case. */
typedef struct {
    const hohe_options *o;
    const hohe_net *x;
    const hohe_case *c;
} hohe_row;

/** Whether the result is right; on paper there is none. */
int hohe_is_right(const hohe_row *row);

/** Fields of a row, for fields_open(). */
void hohe_put(fields *s, const void *row);

/** \name On process 0
 * \{ */
void hohe_print_head(FILE *f, const hohe_options *o, const hohe_net *x);

/** What comes before the rows of an order. */
void hohe_print_order(FILE *f, const hohe_options *o, const hohe_net *x,
                      int64_t n);
void hohe_tell(fields_files *out, const hohe_row *row);
/** \} */

#endif
