/** \file polite.h
 * What the processes of a timer do together between the things they time.
 *
 * MPI's blocking calls spin.  If a node has more processes than cores they
 * spin through whole time slices that another process could use, and what is
 * measured is the scheduler.  The functions below wait by asking, for 0.1 ms
 * at full speed, then with naps if the node is crowded.  All are collective
 * over MPI_COMM_WORLD. */
#ifndef HESCA_BENCH_POLITE_H
#define HESCA_BENCH_POLITE_H

#include <mpi.h>
#include <stddef.h>

/** Let MPI's blocking calls wait as they do without HESCA: a timer that is
 * linked with libhesca_scalapack compares with ScaLAPACK as it is.  Before
 * MPI_Init; HESCA_WAIT, where it is set, has its way. */
void polite_not_for_mpi(void);

/** Say whether a node has more processes than cores; before any other. */
void polite_begin(int crowded);

/** Seconds; the same clock for all processes of a node. */
double polite_clock(void);

/** A barrier that all processes leave at about the same time. */
void polite_line_up(void);

/** A barrier for those who have nothing to do for long: they look rarely, as a
 * look costs those who work. */
void polite_gather(void);

/** Complete a request, as what is timed may do: without naps at first. */
void polite_wait(MPI_Request *request);

/** Give all processes what process 0 has. */
void polite_share(void *data, size_t bytes);

/** Replace the values of each process by those of all. */
void polite_combine(void *data, int count, MPI_Datatype type, MPI_Op op);

/** \return 1 if all processes pass something true, else 0. */
int polite_all(int mine);

#endif
