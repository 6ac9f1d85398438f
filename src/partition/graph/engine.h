/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/engine.h
 * Engines that find the parts of a graph.  They fill s->part, which need not
 * be balanced. */
#ifndef HESCA_PARTITION_GRAPH_ENGINE_H
#define HESCA_PARTITION_GRAPH_ENGINE_H

#include "partition/graph/partition_state.h"

/** The problem of an engine. */
typedef struct {
    hesca_adjacency *graph;
    hesca_partition_state *s;
    const hesca_cut_options *how;
    int nparts;      /**< parts with targets above 0 */
    const int *part; /**< [nparts] their numbers */
} hesca_engine_job;

/** Partition by METIS, or by SCOTCH.
 * \return HESCA_SUCCESS, HESCA_ERR_UNSUPPORTED, HESCA_ERR_ARG (options that it
 *         refuses) or HESCA_ERR_NOMEM. */
int hesca_engine_metis(const hesca_engine_job *job);
int hesca_engine_scotch(const hesca_engine_job *job);

/** Most vertices and edge ends that they can count; 0: not built. */
extern const int64_t hesca_metis_most, hesca_scotch_most;

/** Partition by how->engine; HESCA_ENGINE_AUTO chooses an applicable one.
 * \param [in]  routine, arg  For messages: the routine, and the number of its
 *                            argument how.
 * \param [out] engine  The engine used. */
int hesca_engine_run(const char *routine, int arg, hesca_adjacency *graph,
                     hesca_partition_state *s, const hesca_cut_options *how,
                     int *engine);

/** Check how (NULL is allowed), and replace zeros by defaults. */
int hesca_engine_check(const char *routine, int arg,
                       const hesca_cut_options *how, hesca_cut_options *full);

#endif
