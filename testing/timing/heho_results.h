/** \file heho_results.h
 * The results of time_gemm, time_potrf and time_gesv: a table for people, CSV
 * and JSON for programs. */
#ifndef TIMING_HEHO_RESULTS_H
#define TIMING_HEHO_RESULTS_H

#include "heho.h"
#include "tools/fields.h"

/** One way, at one order and block size. */
typedef struct {
    const heho_hosts *x;
    const heho_routine *r;
    const heho_case *way;
    const heho_grid *g;
    const heho_timed *t;
    const double *speed; /* [nhosts] */
    hesca_job job;
    int runs;
    double plain; /* s, 0: not timed */
    hesca_forecast forecast;
} heho_row;

void heho_put(fields *s, const void *row);
void heho_print_head(FILE *f, const heho_hosts *x, const heho_routine *r);
void heho_print_speeds(FILE *f, const heho_hosts *x, const heho_routine *r,
                       const hesca_job *job, int order, const double *speed);
void heho_print_row(FILE *f, const heho_row *row);
void heho_print_profile(FILE *f, const heho_row *row);

/** Bytes that must go from host to host: each panel once to each host of its
 * process row or column. */
double heho_bytes(const heho_row *row);

/** Whether the result is right. */
int heho_is_right(const heho_row *row);

#endif
