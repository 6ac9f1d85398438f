/** \file heho_results.h
 * The results of time_gemm, time_potrf and time_gesv: a table for people, CSV
 * and JSON for programs. */
#ifndef HESCA_BENCH_HEHO_RESULTS_H
#define HESCA_BENCH_HEHO_RESULTS_H

#include "harness.h"
#include "heho.h"

/** One way, at one order and block size. */
typedef struct {
    const heho_hosts *x;
    const heho_routine *r;
    const heho_timed *t;
    const double *speed; /* [nhosts] */
    hesca_job job;
    int runs;
    double plain; /* s, 0: not timed */
} heho_row;

/** Fields of a row, for fields_open(). */
void heho_put(fields *s, const void *row);

/** Collective; process 0 prints. */
void heho_print_head(FILE *f, const heho_hosts *x, const heho_routine *r);

/** What comes before the rows of an order, and of a block size. */
void heho_print_speeds(FILE *f, const heho_hosts *x, const heho_routine *r,
                       const hesca_job *job, int order, const double *speed);

void heho_print_ways(FILE *f, const hesca_job *job);

/** A row everywhere, on process 0. */
void heho_tell(fields_files *out, const heho_row *row, int is_profiling);

/** Whether the result is right. */
int heho_is_right(const heho_row *row);

#endif
