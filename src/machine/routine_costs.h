/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/routine_costs.h
 * All constants of the predictions of gemm, potrf and getrf: what a message
 * costs the processors at its ends, and the messages and panels of ScaLAPACK's
 * routines (place/forecast.c) and of HESCA's on generalized blocks
 * (hohe/gblock_predict.c).
 *
 * Processor time of messages is expressed in operations at
 * hesca_message_speed(), so that a slow host is also slow to send and to
 * receive.
 * The constants of gemm, potrf and getrf were fitted to cases of order 1000 to
 * 3000 on emulated clusters of 2 to 6 hosts with TCP: doc/hohe-measured.md.
 * Pure. */
#ifndef HESCA_MACHINE_ROUTINE_COSTS_H
#define HESCA_MACHINE_ROUTINE_COSTS_H

#include "hesca/experimental/machine.h"
#include "hesca/experimental/place.h"

/** Operations per byte that is sent or received, for copies in the system; and
 * including packing by the BLACS. */
#define HESCA_HANDLING 15.3
#define HESCA_BLACS_HANDLING (2.1 * HESCA_HANDLING)

/** Operations per second by which a process on a host handles messages: 2e10
 * on a whole core of the fastest host, whatever BLAS does there.
 * \param [in] part  Of a core that the process has, relative to what the
 *                   host's speed is measured with. */
static inline double
hesca_message_speed(const hesca_machine *machine, int host, double part)
{
    return machine->host[host].speed * machine->unit.part * part * 2e10;
}

/** Seconds until a process that waits or computes has noticed a message and
 * continues: the time of 215 000 operations, at most 0.2 ms.
 * \param [in] speed  hesca_message_speed(). */
static inline double
hesca_wakeup_seconds(double speed)
{
    const double seconds = 2.15e5 / speed;
    return seconds < 2e-4 ? seconds : 2e-4;
}

/** Seconds per byte of messages on a processor; at most twice the time of the
 * wire, because adapters of networks faster than TCP move data themselves.
 * \param [in] operations  Per byte.
 * \param [in] speed       hesca_message_speed(). */
static inline double
hesca_handling(hesca_wire wire, double operations, double speed)
{
    const double seconds = operations / speed, most = 2 / wire.rate;
    return seconds < most ? seconds : most;
}

/** A routine of ScaLAPACK: shares of the matrix broadcast along rows and
 * columns; latencies for each block, for each column in the process column
 * of the panel, and for each column in all rows and columns of the grid. */
typedef struct {
    double along_rows, along_cols;
    double per_block, per_column, per_column_all;
    double panel;     /* time of panel operations relative to others; 0: no
                         panels */
    int is_ring;      /* broadcasts along rows are split rings */
    double exchanged; /* operations per element of row interchanges between
                         processes: elements of a row are not contiguous */
    double hidden;    /* overlap of handling and wires: the part of the shorter
                         that the longer hides */
    double duplex;    /* overlap of sending and receiving, likewise */
} hesca_scalapack_costs;

/** A step of a routine of HESCA. */
typedef struct {
    double update;    /* operations per element and column of the panel */
    int is_trailing;  /* finished panels are not updated any more */
    int exchanges;    /* rows, inside process columns */
    double panel;     /* operations per element of a panel and its columns */
    int is_gathered;  /* one process factors it for the team */
    double latencies; /* messages of a panel, one after the other */
    double messages;  /* that a process handles for each panel, and each
                         other process of its row or column */
    double hidden;    /* part of the shorter of two concurrent activities that
                         the longer one hides */
    double duplex;    /* the same of sending and receiving */
    int flight;       /* panels that are sent at the same time */
} hesca_step_costs;

/** By hesca_routine. */
static const hesca_scalapack_costs hesca_scalapack_costs_of[] = {
    [HESCA_ROUTINE_GEMM] = {1.13, 1.07, 1.02, 0, 0, 0, 0, 0, 0.9, 0.34},
    [HESCA_ROUTINE_POTRF] = {0.55, 0.59, 0.54, 0, 0, 0.25, 1, 0, 1, 0.09},
    [HESCA_ROUTINE_GESV] = {0.72, 1.1, 0.51, 3.8, 0, 2.1, 1, 266, 0.94, 0.02},
    [HESCA_ROUTINE_SYRK] = {1, 1, 1, 0, 0, 0, 0, 0, 0.65, 0.5},
    [HESCA_ROUTINE_TRSM] = {0.5, 1, 2, 0, 0, 0, 0, 0, 0.65, 0.5},
    [HESCA_ROUTINE_POTRI] = {1, 1, 3, 0, 0, 1, 0, 0, 1, 0},
    [HESCA_ROUTINE_GETRI] = {1, 1.5, 3, 0, 0, 1, 0, 0, 1, 0},
    [HESCA_ROUTINE_GEQRF] = {0.5, 1, 3, 3, 0, 6, 1, 0, 1, 0},
    [HESCA_ROUTINE_ORMQR] = {1, 2, 3, 0, 0, 0, 0, 0, 1, 0},
    [HESCA_ROUTINE_GELS] = {0.5, 1, 3, 3, 0, 6, 1, 0, 1, 0},
    [HESCA_ROUTINE_SYTRD] = {1, 1, 0, 0, 6, 0, 0, 0, 1, 0},
    [HESCA_ROUTINE_SYEV] = {3, 3, 3, 0, 6, 0, 0, 0, 1, 0},
    [HESCA_ROUTINE_SYEVD] = {3, 3, 3, 0, 6, 0, 0, 0, 1, 0},
    [HESCA_ROUTINE_SYEVR] = {3, 3, 3, 0, 6, 0, 0, 0, 1, 0},
    [HESCA_ROUTINE_SYEVX] = {3, 3, 3, 0, 6, 0, 0, 0, 1, 0},
    [HESCA_ROUTINE_SYGVX] = {5, 5, 6, 0, 6, 0, 0, 0, 1, 0},
    [HESCA_ROUTINE_GEBRD] = {2, 2, 0, 0, 12, 0, 0, 0, 1, 0},
    [HESCA_ROUTINE_GESVD] = {5, 5, 3, 0, 12, 0, 0, 0, 1, 0},
};
static const hesca_step_costs hesca_step_costs_of[] = {
    [HESCA_ROUTINE_GEMM] = {2, 0, 0, 0, 0, 2.95, 2.4, 0.86, 1, 4},
    [HESCA_ROUTINE_POTRF] = {1, 1, 0, 1.6, 0, 4.6, 8, 0.87, 0.27, 1},
    [HESCA_ROUTINE_GESV] = {2, 1, 1, 0.75, 1, 3.1, 5.3, 0.68, 0, 1},
};

#endif
