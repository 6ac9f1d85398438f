/* SPDX-License-Identifier: BSD-3-Clause */
/** \file facts.h
 * Where a timer runs, and on what. */
#ifndef HESCA_BENCH_FACTS_H
#define HESCA_BENCH_FACTS_H

typedef struct {
    int nprocs, nnodes;
    int cores;     /* of the node of process 0 */
    int here;      /* most processes on a node */
    int crowded;   /* 1 if some node has more processes than cores */
    double memory; /* bytes of the node with the least */
    char mpi[64], scalapack[64];
    char schedule[32];     /* HESCA_SCHEDULE, or its default */
    const char *transport; /* HESCA_TRANSPORT likewise */
} facts;

/** Find all but schedule and transport.  Collective over MPI_COMM_WORLD. */
void facts_find(facts *f);

#endif
