/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/partition/partition_options.h
 * The options of hesca partition. */
#ifndef HESCA_TOOLS_PARTITION_PARTITION_OPTIONS_H
#define HESCA_TOOLS_PARTITION_PARTITION_OPTIONS_H

#include "hesca/experimental/machine.h"
#include <stdint.h>

/** The object to partition. */
typedef enum {
    PARTITION_SET,
    PARTITION_MATRIX,
    PARTITION_GRAPH,
    PARTITION_HYPERGRAPH,
    PARTITION_TREE,
    PARTITION_OBJECTS
} partition_object;

extern const char *const partition_object_name[PARTITION_OBJECTS];

/** How processors are arranged for a matrix. */
typedef enum {
    PARTITION_GRID_LINEAR, /* in no grid */
    PARTITION_GRID_AUTO,   /* in the best one */
    PARTITION_GRID_GIVEN
} partition_grid;

typedef struct {
    partition_object object;
    /* processors */
    const char *machine, *kernel; /* NULL: HESCA_MACHINE; not named */
    char host[HESCA_HOSTS_MAX][HESCA_HOST_MAX];
    int nhosts; /* 0: all of the machine */
    double speed[HESCA_HOSTS_MAX];
    int nspeeds; /* 0: by the machine */
    double limit[HESCA_HOSTS_MAX];
    int nlimits; /* 0: those of the models */
    /* object */
    int64_t m, n;        /* -1: not given */
    const char *weights; /* of a set, a file; or NULL */
    int is_ordered, is_reordered;
    int method; /* hesca_shares_method; -1: not named */
    partition_grid grid;
    int nprow, npcol; /* of PARTITION_GRID_GIVEN */
    int kind, cut,
        goal;          /* hesca_tiling_kind, _cut; hesca_goal, -1: not named */
    const char *graph; /* a file */
    const char *subsets;   /* of a bipartite graph, a file; or NULL */
    int engine, objective; /* hesca_engine, hesca_cut_objective */
    double tolerance;      /* 0: that of hesca_cut_options */
    /* results */
    const char *csv, *json, *svg, *out; /* files, or NULL */
} partition_options;

/** Read a command line; argv[0] names the object.
 * \return CMDLINE_GO, CMDLINE_HELP or CMDLINE_BAD. */
int partition_options_read(partition_options *o, partition_object object,
                           int argc, char **argv);

#endif
