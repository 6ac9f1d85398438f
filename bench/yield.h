/* SPDX-License-Identifier: BSD-3-Clause */
/** \file yield.h
 * What the processes of a timer do together between the things they time.
 *
 * MPI's blocking calls spin.  If a node has more processes than cores they
 * spin through whole time slices that another process could use, and what is
 * measured is the scheduler.  The functions below wait by asking, for 0.1 ms
 * at full speed, then with naps if the node is crowded.  All are collective
 * over MPI_COMM_WORLD. */
#ifndef HESCA_BENCH_YIELD_H
#define HESCA_BENCH_YIELD_H

#include <mpi.h>
#include <stddef.h>

/** Let MPI's blocking calls wait as they do without HESCA: a timer that is
 * linked with libhesca_scalapack compares with ScaLAPACK as it is.  Before
 * MPI_Init; HESCA_WAIT, where it is set, has its way. */
void yield_mpi_spins(void);

/** Say whether a node has more processes than cores; before any other. */
void yield_begin(int crowded);

/** Seconds; the same clock for all processes of a node. */
double yield_clock(void);

/** A barrier that all processes leave at about the same time. */
void yield_barrier(void);

/** A barrier for processes that have nothing to do for long: they test rarely,
 * as a test costs those that work. */
void yield_long_barrier(void);

/** Complete a request, as what is timed may do: without naps at first. */
void yield_wait(MPI_Request *request);

/** Give all processes what process 0 has. */
void yield_broadcast(void *data, size_t bytes);

/** Replace the values of each process by those of all. */
void yield_allreduce(void *data, int count, MPI_Datatype type, MPI_Op op);

/** \return 1 if all processes pass something true, else 0. */
int yield_all(int mine);

#endif
