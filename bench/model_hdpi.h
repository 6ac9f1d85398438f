/* SPDX-License-Identifier: BSD-3-Clause */
/** \file model_hdpi.h
 * What model_hdpi is asked for, and what it can show. */
#ifndef HESCA_BENCH_MODEL_HDPI_H
#define HESCA_BENCH_MODEL_HDPI_H

#include "harness.h"
#include "hesca/experimental/machine.h"
#include "hesca/experimental/param.h"
#include <stdint.h>

enum { MODEL_LIST = 512 };

typedef enum { STRIPED, GROUP, BACKWARDS } model_distribution;

typedef struct {
    int show;
    const char *machine; /* a file */
    const char *kernel;
    int distribution; /* one of model_distribution */
    int64_t sizes[MODEL_LIST], references[MODEL_LIST]; /* orders */
    int64_t procs[MODEL_LIST];
    int nsizes, nreferences, nprocs;
    int block;
    double accuracy; /* of GBBP, of the largest speed */
    double band;     /* how much lower the low curve is than the high one */
    int steps;       /* of the naive procedure */
    int is_built;    /* speed functions are what GBBP makes of the curves */
    int curves;      /* show points rather than what they cost */
    const char *history; /* loads, NULL: made up */
    int cores;           /* of the machine that it is of */
    int window;          /* of load functions, observations */
    int64_t past[MODEL_LIST];
    int npast;
    int seed;
} model_options;

/** \name What it shows
 * A table, and rows to the files, with the columns of what is shown.
 * \return 1, or 0 after a complaint.
 * \{ */
int show_speedup(const model_options *o, fields_files *out);
int show_cost(const model_options *o, fields_files *out);
int show_building(const model_options *o, fields_files *out);
int show_load(const model_options *o, fields_files *out);
/** \} */

/** The network: of all hosts of a machine file the models of one kernel. */
typedef struct {
    hesca_machine machine;
    int p;
    const hesca_speed **speed; /* [p] the machine's */
    hesca_speed **built;       /* [p] what GBBP made of them, or NULL */
} network;

/** Read it; free with network_clear(), also after a complaint.
 * \return 1, or 0 after a complaint. */
int network_read(const char *path, const char *kernel, network *net);
void network_clear(network *net);

/** Build models of the network's curves by GBBP, each as if it was measured
 * from its first knot to its last; models_make() takes them from then on.
 * \param [in]  accuracy, band  Of the largest speed; of a speed.
 * \param [out] points          Of the model with most.
 * \return 1, or 0 after a complaint. */
int network_build(network *net, double accuracy, double band, int *points);

/** p models in which a unit is `unit` elements of the network's models, those
 * in turn; without limits, or with them.
 * \param [in] reference  Elements: constant speeds, those at this size; 0: as
 *                        they are.
 * \return [p] to free with units_free(); NULL after a complaint. */
hesca_speed **models_make(const network *net, int p, double unit,
                          int has_limits, double reference);

#endif
