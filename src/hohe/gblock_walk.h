/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/gblock_walk.h
 * Prediction of a job step by step on any generalized block of a grid, shared
 * by hesca_gblock_predict() and hesca_gblock_tune(). */
#ifndef HESCA_HOHE_GBLOCK_WALK_H
#define HESCA_HOHE_GBLOCK_WALK_H

#include "hesca/experimental/gblock.h"

/** Costs of a process's messages in one direction of the grid, in seconds. */
typedef struct {
    double byte;     /* of the wire */
    double startup;  /* until a message is noticed */
    double handling; /* of the processor, per byte */
} hesca_gblock_link;

/** Seconds of a step during which a host computes, handles messages, and its
 * links receive and send. */
typedef struct {
    double compute, handling, in, out;
} hesca_gblock_load;

/** What processes send. */
typedef struct {
    const hesca_layout *source; /**< of a product's factors, on a grid of that
                                   shape, of order job->n at least; NULL: as
                                   the result's */
    int forwards; /**< panels are forwarded, several at a time; 0: owners send
                     them to all themselves, one by one */
    double along_rows, along_cols; /**< bytes relative to those of the job, in
                                      rows and columns of the grid */
} hesca_gblock_traffic;

typedef struct {
    const char *routine; /* of the library, for errors */
    const hesca_job *job;
    const hesca_machine *machine;
    const int *host; /* [nprocs] */
    const hesca_gblock *g;
    hesca_gblock_traffic traffic;
    int nprocs;
    double *speed;       /* [nprocs] operations per second */
    double *message;     /* [nprocs] hesca_message_speed() */
    double *rows, *cols; /* [nprocs] scratch: the rest of a share */
    double left;         /* scratch: the rest of the order */
    hesca_gblock_link *along_row, *along_col; /* [nprocs] */
    hesca_gblock_load *load;                  /* [nhosts] scratch */
} hesca_gblock_walk;

/** The part of a core that process k of n has, at most 1. */
double hesca_gblock_core(const hesca_machine *machine, const int *host, int n,
                         int k);

/** Check that a job is not NULL and valid. */
int hesca_gblock_check_job(const char *name, int info, const hesca_job *job);

/** Check that the machine, argument info - 1, has the hosts of nprocs
 * processes, argument info. */
int hesca_gblock_check_hosts(const char *name, int info,
                             const hesca_machine *machine, int nprocs,
                             const int *host);

/** Set up the speeds. host is reported as argument info, machine as argument
 * info - 1.
 * \return HESCA_SUCCESS (clear the result), HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
int hesca_gblock_walk_init(hesca_gblock_walk *w, const char *name,
                           const hesca_job *job, const hesca_machine *machine,
                           int nprow, int npcol, const int *host, int info);
void hesca_gblock_walk_clear(hesca_gblock_walk *w);

/** hesca_gblock_predict(), with other messages. */
int hesca_gblock_predict_from(const hesca_gblock *gblock,
                              const hesca_gblock_traffic *traffic,
                              const hesca_job *job,
                              const hesca_machine *machine, const int *host,
                              hesca_forecast *forecast);

/** Predict the job on a generalized block of that grid; returns the
 * seconds. */
double hesca_gblock_walk_all(hesca_gblock_walk *w, const hesca_gblock *g,
                             hesca_forecast *forecast);

#endif
