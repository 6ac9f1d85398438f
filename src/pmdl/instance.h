/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/instance.h
 * A model with its parameters bound: processes, volumes, bytes, and the trace
 * of its scheme.  Plain data: what is estimated and mapped.
 *
 * Units, percents and the structure of par depend on parameters alone, not on
 * the mapping, so that the scheme is executed once.  Source: HMPI 3.1.2, 3.4;
 * the thesis executes it for every mapping. */
#ifndef HESCA_PMDL_INSTANCE_H
#define HESCA_PMDL_INSTANCE_H

#include <stddef.h>
#include <stdint.h>

enum { HESCA_MODEL_DIMS = 8 }; /**< most coordinates of a model */

/** Bytes that one process sends another during the whole run; > 0, from !=
 * to. */
typedef struct {
    int from, to;
    double bytes;
} hesca_model_link;

/** What a node of a trace is. */
typedef enum {
    HESCA_SCHEME_COMPUTE,  /**< percent of the volume of process `object` */
    HESCA_SCHEME_TRANSFER, /**< percent of the bytes of link `object` */
    HESCA_SCHEME_SEQUENCE, /**< its children, one after another */
    HESCA_SCHEME_PAR       /**< its children, actions, at the same time */
} hesca_scheme_kind;

/** A child: `times` repetitions in a sequence; in a par, so many equal
 * actions. */
typedef struct {
    int node;
    int64_t times;
} hesca_scheme_child;

/** A node.  Equal nodes are stored once (a trace is a directed acyclic graph),
 * and children precede their parents. */
typedef struct {
    hesca_scheme_kind kind;
    int object;      /**< number of a process or link; unused otherwise */
    int line;        /**< of the model, where it was first met */
    double percent;  /**< of units, > 0 */
    size_t first, n; /**< children: child[first ... first + n - 1]; n >= 1 */
} hesca_scheme_node;

/** The trace of a scheme.  Units that cost nothing (0 percent, no link, void
 * processes) are not in it, and neither are empty sequences and pars; a
 * sequence has at least two children or repetitions, the children of a
 * sequence are not sequences, and successive equal ones are one child. */
typedef struct {
    int nnodes;
    hesca_scheme_node *node; /**< [nnodes] */
    hesca_scheme_child *child;
    int root;      /**< -1: the scheme does nothing */
    int64_t units; /**< units executed, repetitions counted */
} hesca_scheme;

/** A model with its parameters. */
typedef struct {
    int ndims;
    int dims[HESCA_MODEL_DIMS]; /**< extents of the coordinates */
    int nvps;                   /**< processes: positions that are not void */
    int npositions;             /**< product of dims */
    int *number;                /**< [npositions] of the process; -1: void */
    int *position;              /**< [nvps] row-major index of the position */
    double *volume;             /**< [nvps] units of the benchmark, >= 0 */
    int nlinks;
    hesca_model_link *link; /**< [nlinks] sorted by from, to; no pair twice */
    int parent;             /**< number of the parent */
    int is_relative;        /**< no volume is in units of the benchmark */
    hesca_scheme trace;
} hesca_instance;

void hesca_instance_clear(hesca_instance *instance);

/** The link between two processes; -1: there is none. */
int hesca_instance_link(const hesca_instance *instance, int from, int to);

/** The coordinates of process vp. */
void hesca_instance_coord(const hesca_instance *instance, int vp, int *coord);

/** The number of the process at coordinates; -1: void, or out of range. */
int hesca_instance_number(const hesca_instance *instance, const int *coord);

#endif
