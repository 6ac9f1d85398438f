/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/model/model.h
 * hesca model: a model with its parameters, its network, and where its
 * processes run. */
#ifndef HESCA_TOOLS_MODEL_MODEL_H
#define HESCA_TOOLS_MODEL_MODEL_H

#include "machine/topology.h"
#include "pmdl/ast.h"
#include "pmdl/auto_create.h"
#include <stdint.h>

enum { MODEL_WITH_MOST = 64 };

/** The command line. */
typedef struct {
    const char *name;                     /* of the model */
    const char *topology, *vpm, *machine; /* files */
    const char *parent;                   /* computer */
    const char *output, *svg;
    const char *cc, *cflags;
    char with[MODEL_WITH_MOST][256]; /* C files */
    size_t nwith;
    const char *heuristic;
    int rule, method, by_unit, is_native, json;
    int nprocs;
    double seconds;
} model_options;

/** What a command works on. */
typedef struct {
    const model_options *options;
    const char *path;
    hesca_file *file;
    const hesca_model_code *code; /* evaluated, or compiled */
    hesca_model_args args;
    hesca_topology topology;
    int home; /* the parent's computer */
    hesca_price_options price;
    hesca_search_options search;
    hesca_instance instance;
    hesca_search_result found;
    void *library; /* of dlopen(), or NULL */
} model_task;

/** Compile a model file with the user's C into a shared object, and load the
 * code of one model.
 * \return 1, or 0 after an error message. */
int model_load_native(model_task *t, const char *name);

/** Print the warnings of a file to stderr. */
void model_print_warnings(const hesca_file *file);

/** "[1,2]" */
const char *model_coord(const hesca_instance *x, int vp, char text[120]);

/** Where the time goes: a table, JSON, and --svg.
 * \return An exit status. */
int model_explain(model_task *t);

/** Draw the steps of the trace.
 * \return 1, or 0 after an error message. */
int model_draw(model_task *t, hesca_price *price);

/** Computing and sending time of each process in one run of a node. */
void model_busy(const model_task *t, int node, double times, double *compute,
                double *transfer);

#endif
