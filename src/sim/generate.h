/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sim/generate.h
 * Random machines and message sizes, as in the evaluations of heterogeneous
 * schedules.
 *
 * Every process is on a separate host.  The start-up time and the rate of
 * every wire are drawn from ranges; these kinds of machines have names:
 *   het       start-up 0, 10 to 200 MB/s (BHAT-HET 5)
 *   col       10 us to 1 ms, 10 kB/s to 200 MB/s (BHAT-COL 5, Figure 4)
 *   clusters  halves; inside 10 us to 1 ms, 10 to 200 MB/s, between them 1 to
 *             20 ms, 10 to 50 kB/s (BHAT-COL 5, Figure 5)
 *   gusto     12 to 89.5 ms, 246 to 2044 kbit/s, the same in both directions:
 *             the least and the largest values of GUSTO's sites (BHAT-COL
 *             Table 1; the tables of BHAT-EXC 3.1, "the guideline" of its
 *             experiments, are missing in the available text)
 * "Chosen in the range" is interpreted as uniform in it.  kB and MB are powers
 * of 1000, as in all rates. */
#ifndef HESCA_SIM_GENERATE_H
#define HESCA_SIM_GENERATE_H

#include "hesca/experimental/events.h"
#include "machine/network.h"
#include "sim/random.h"

/** The ranges of start-up times (s) and rates (bytes/s). */
typedef struct {
    hesca_range startup, rate;
} hesca_wire_range;

/** A kind of random machines. */
typedef struct {
    const char *name;
    hesca_wire_range inside;  /* of wires inside a cluster */
    hesca_wire_range between; /* of wires between clusters */
    int nclusters;            /* >= 1; sizes differ by one at most */
    int is_symmetric;         /* a pair is drawn once for both directions */
} hesca_machine_kind;

/** The kinds with a name; the name of the last entry is NULL. */
extern const hesca_machine_kind hesca_machine_kinds[];

/** The kind with the given name, or NULL. */
const hesca_machine_kind *hesca_machine_kind_find(const char *name);

/** The cluster of process p; clusters are consecutive processes, in ascending
 * order. */
int hesca_machine_cluster(const hesca_machine_kind *kind, int nproc, int p);

/** Draw a machine.  The wire of a process to itself has the least start-up and
 * the largest rate of wires inside a cluster.
 * \param [out] x  Free with hesca_network_clear().
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_generate_network(const hesca_machine_kind *kind, int nproc,
                           hesca_random *r, hesca_network *x);

/** The lengths of messages of a total exchange. */
typedef enum {
    HESCA_SIZES_FIXED,  /* all are large */
    HESCA_SIZES_MIXED,  /* small or large, each with probability 1/2 */
    HESCA_SIZES_SERVERS /* large from servers to clients, else small */
} hesca_sizes_kind;

typedef struct {
    hesca_sizes_kind kind;
    double small, large; /* bytes, > 0 */
    double servers;      /* fraction of the processes that are servers, 0 ...
                            1; rounded, at least one.  The servers are drawn */
} hesca_sizes;

/** Draw the bytes of a total exchange.
 * \param [out] bytes  [nproc * nproc] from row to column; 0 on the diagonal.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_generate_sizes(const hesca_sizes *sizes, int nproc, hesca_random *r,
                         double *bytes);

/** The deviation of actual times from a plan.  Every time is multiplied by
 * three factors. */
typedef struct {
    double spread; /* 0 <= spread < 1: a factor of the message, in 1 - spread
                      ... 1 + spread */
    double slow;   /* >= 1: factors of its sender and of its receiver, in
                      1 ... slow */
} hesca_drift;

/** Draw the actual times of messages; factors are uniform.
 * \param [out] real  [x->n] seconds by event.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_generate_drift(const hesca_drift *drift, const hesca_events *x,
                         hesca_random *r, double *real);

#endif
