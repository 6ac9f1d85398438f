/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/mpiwait/mpiwait.h
 * Yielding waits: the blocking calls of MPI, made of nonblocking ones.
 *
 * Where processes have no core each (hesca/experimental/wait.h), a call that
 * may wait becomes a nonblocking one, and MPI_Test with naps until that is
 * complete. A profiling library behind this one sees these calls.  Elsewhere,
 * before MPI_Init and in MPI_Finalize, it is passed on as it is.
 *
 *   mpiwait_init.c       MPI_Init: how to wait
 *   mpiwait_finalize.c   MPI_Finalize
 *   mpiwait_message.c    MPI_Send, MPI_Recv, MPI_Probe, ...
 *   mpiwait_request.c    MPI_Wait, MPI_Waitall, ...
 *   mpiwait_collective.c MPI_Bcast, MPI_Reduce, ...
 *   mpiwait_comm.c       MPI_Comm_split, MPI_Comm_dup, ...
 *   mpiwait_original.c   the functions behind this library
 *
 * Only what programs and ScaLAPACK call by MPI's C names comes here. */
#ifndef HESCA_SHIM_MPIWAIT_MPIWAIT_H
#define HESCA_SHIM_MPIWAIT_MPIWAIT_H

#include "hesca/experimental/wait.h"
#include "shim/figures.h"
#include <mpi.h>
#include <stdatomic.h>

/** What is asked of the next in line: another profiling library behind this
 * one in the order of the dynamic linker, at last MPI. */
/* clang-format off */
#define HESCA_MPIWAIT_ORIGINAL(X)                                             \
    X(Init) X(Init_thread) X(Finalize)                                        \
    X(Send) X(Ssend) X(Rsend) X(Recv) X(Sendrecv) X(Probe) X(Mprobe)          \
    X(Isend) X(Issend) X(Irsend) X(Irecv)                                     \
    X(Wait) X(Waitall) X(Waitany) X(Waitsome) X(Test) X(Testany) X(Testsome)  \
    X(Barrier) X(Bcast) X(Gather) X(Gatherv) X(Scatter) X(Scatterv)           \
    X(Allgather) X(Allgatherv) X(Alltoall) X(Alltoallv) X(Alltoallw)          \
    X(Reduce) X(Allreduce) X(Reduce_scatter) X(Reduce_scatter_block) X(Scan)  \
    X(Exscan)                                                                 \
    X(Ibarrier) X(Ibcast) X(Igather) X(Igatherv) X(Iscatter) X(Iscatterv)     \
    X(Iallgather) X(Iallgatherv) X(Ialltoall) X(Ialltoallv) X(Ialltoallw)     \
    X(Ireduce) X(Iallreduce) X(Ireduce_scatter) X(Ireduce_scatter_block)      \
    X(Iscan) X(Iexscan)                                                       \
    X(Comm_dup) X(Comm_idup) X(Comm_split) X(Comm_split_type) X(Comm_create)  \
    X(Comm_create_group) X(Cart_create) X(Cart_sub)
/* clang-format on */

typedef struct {
#define HESCA_MPIWAIT_FIELD(name) __typeof__(&PMPI_##name) name;
    HESCA_MPIWAIT_ORIGINAL(HESCA_MPIWAIT_FIELD)
#undef HESCA_MPIWAIT_FIELD
} hesca_mpiwait_original_calls;

extern hesca_mpiwait_original_calls hesca_mpiwait_original;

/** Define one of MPI's functions.  As in pgemr2d_entry.c, the static archive
 * has only
 * __wrap_MPI_...: a program may have wrappers of its own. */
#ifdef PIC
#define HESCA_MPIWAIT(name)                                                   \
    __attribute__((visibility("default"))) int MPI_##name
#else
#define HESCA_MPIWAIT(name)                                                   \
    __typeof__(PMPI_##name) __wrap_MPI_##name;                                \
    int __wrap_MPI_##name
#endif

/** 1 between MPI_Init and MPI_Finalize where waits yield. */
extern _Atomic int hesca_mpiwait_on;

/** The test that each call makes. */
#define HESCA_MPIWAIT_OFF                                                     \
    __builtin_expect(                                                         \
        !atomic_load_explicit(&hesca_mpiwait_on, memory_order_relaxed), 1)

/** Pass a blocking call on, and return; its time counts as waiting. */
#define HESCA_MPIWAIT_PASS(call)                                              \
    do {                                                                      \
        const int entered = hesca_figures_wait_enter();                       \
        const int passed = (call);                                            \
        hesca_figures_wait_leave(entered);                                    \
        return passed;                                                        \
    } while (0)

/** Decide how to wait if that has not happened yet.  Collective over
 * MPI_COMM_WORLD.
 * \param [in] where  The call that it happens in. */
void hesca_mpiwait_decide(const char *where);

/** hesca_wait_until(); its time counts as waiting. */
static inline int
hesca_mpiwait_until(hesca_wait_over *over, void *what)
{
    const int entered = hesca_figures_wait_enter();
    const int result = hesca_wait_until(over, what);
    hesca_figures_wait_leave(entered);
    return result;
}

/** Complete a request with yielding waits, as MPI_Wait. */
int hesca_mpiwait_wait(MPI_Request *request, MPI_Status *status);

/** The same for a request of this library's own, which no library behind it
 * has seen. */
int hesca_mpiwait_finish(MPI_Request *request);

/** Whether collective calls on a communicator become nonblocking ones.
 *
 * MPI does not let a blocking collective call meet a nonblocking one, so it
 * must be so on all of its processes or on none: on those that come from
 * MPI_COMM_WORLD by calls that all made here.  Processes that were spawned or
 * connected later decide apart. */
int hesca_mpiwait_knows(MPI_Comm comm);

/** Let MPI_COMM_WORLD be known. */
void hesca_mpiwait_know_world(void);

/** Let no communicator be known. */
void hesca_mpiwait_forget(void);

/** Print a line of the summary, where waits yielded. */
void hesca_mpiwait_report_summary(void);

/** Make ready for MPI_Finalize.  Collective over MPI_COMM_WORLD. */
void hesca_mpiwait_prepare_end(int one_node);

#endif
