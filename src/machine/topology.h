/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/topology.h
 * The network of the HMPI thesis: computers under a tree of communication
 * layers, and the files that describe it.
 *
 * A layer is a homogeneous communication space: a message between computers
 * under different children of a layer takes the time of that layer, and one
 * between processes of a computer that of the computer's own layer, a leaf.
 * Source: HMPI 3.2.1.1 and 3.8.1. */
#ifndef HESCA_MACHINE_TOPOLOGY_H
#define HESCA_MACHINE_TOPOLOGY_H

#include "base/private.h"

#include "hesca/experimental/machine.h"

enum { HESCA_LAYER_RATES = 3 };

/** A communication layer. */
typedef struct {
    int is_parallel;  /**< 0: it serializes all messages */
    double broadcast; /**< f_b, 0 ... 1: parallelism of broadcast, scatter */
    double gather;    /**< f_g, 0 ... 1: parallelism of gather */
    double rate[HESCA_LAYER_RATES]; /**< bytes per second, > 0, of messages of
                                         64, 4096, 262144 bytes */
    int parent;                     /**< the layer around it; -1: the top */
    int depth;                      /**< 0: the top */
    double seconds[HESCA_LAYER_RATES]; /**< of the three sizes: see
                                            hesca_layer_prepare() */
} hesca_layer;

/** A computer: a line of a topology file. */
typedef struct {
    char name[HESCA_HOST_MAX];
    int nprocessors; /**< s, >= 1: processes that do not slow each other */
    double speed;    /**< p, > 0: relative; a unit of the benchmark takes 1 / p
                          on a processor */
    int nprocs;      /**< n, >= 0: processes that run on it */
    int layer;       /**< its own, for messages between its processes */
} hesca_computer;

/** A network.  Layers precede those inside them; layer 0 is the top. */
typedef struct {
    int nlayers, ncomputers;
    hesca_layer *layer;
    hesca_computer *computer;
} hesca_topology;

HESCA_PRIVATE void hesca_topology_clear(hesca_topology *topology);

/** Set a layer's times from its rates; they never decrease with size. */
void hesca_layer_prepare(hesca_layer *layer);

/** Set a layer's rates, and its times, from seconds of the three sizes. */
void hesca_layer_set_seconds(hesca_layer *layer, const double *seconds);

/** Seconds that a message takes on a layer, without others.
 *
 * Linear between the three sizes, that of 64 bytes below them, the rate of the
 * last beyond; never less for more bytes.  0 bytes take no time.  (HMPI 3.4
 * multiplies bytes by a "speed", of which 3.8.1 stores the reciprocal.) */
HESCA_PRIVATE double hesca_layer_seconds(const hesca_layer *layer,
                                         double bytes);

/** The lowest layer around two. */
HESCA_PRIVATE int hesca_topology_cover(const hesca_topology *topology, int a,
                                       int b);

/** Check all ranges, and that layers form a tree.
 * \return HESCA_SUCCESS, or HESCA_ERR_ARG with a text that names the value. */
int hesca_topology_check(const hesca_topology *topology);

/** Read a topology file.
 *
 * Lines, or words, in this order (HMPI 3.8.1):
 *     LAYER                   the top layer
 *     #NAME
 *     sINT pREAL nINT LAYER   a computer
 * where LAYER is "serial RATES" or "parallel(F_B, F_G) RATES" and RATES is
 * "cREAL cREAL cREAL".  An extension: behind a computer's, or any inner,
 * LAYER, the words { and } enclose computers and layers inside a layer.
 * Computers without a #NAME are computer0, computer1, ... by position.
 *
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_PARAM with a text that
 *         names file, line and token. */
HESCA_PRIVATE int hesca_topology_read(const char *path,
                                      hesca_topology *topology);

/** The text of a topology file; free with free().
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
HESCA_PRIVATE int hesca_topology_format(const hesca_topology *topology,
                                        char **text);

/** Layers from the times of messages between computers.
 *
 * Those that exchange 262144 bytes fastest, or at most 1.25 times slower, come
 * together in the innermost layers, and so on outwards: where each computer's
 * link has its own rate, and a pair that of the slower, that describes them
 * all.  A layer has the medians of the times of the pairs that it joins, and
 * is parallel with f_b = f_g = 0 (a process sends one message at a time).
 *
 * \param [in]  seconds   [n][n][3] from computer to computer, of 64, 4096,
 *                        262144 bytes; on the diagonal, inside a computer.
 * \param [out] topology  Layers, and the numbers of the computers' own; the
 *                        rest of the computers is 0.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_topology_nest(int n, const double *seconds,
                        hesca_topology *topology);

/** A network from a machine with hosts: each is a computer of floor(cores)
 * processors, at least 1, and as many processes; layers by
 * hesca_topology_nest().
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (no hosts), HESCA_ERR_NOMEM. */
HESCA_PRIVATE int hesca_topology_of_machine(const hesca_machine *machine,
                                            hesca_topology *topology);

/** A machine from a network: wires whose start-up time and rate give the
 * layer's times of 64 and 262144 bytes.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
int hesca_topology_to_machine(const hesca_topology *topology,
                              hesca_machine *machine);

/** A line of a VPM file. */
typedef struct hesca_vpm_line {
    char name[HESCA_HOST_MAX];
    int nprocs;      /**< >= 1 */
    int nprocessors; /**< 0: not given */
} hesca_vpm_line;

/** Read a VPM file: lines "NAME PROCESSES [PROCESSORS]", where the brackets
 * may be written or not; lines that begin with # are comments; the host comes
 * first (HMPI 3.8.1).
 * \param [out] line  [n] Free with free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_PARAM with a text that
 *         names file, line and token. */
int hesca_vpm_read(const char *path, hesca_vpm_line **line, int *n);

/** Set processes and processors of a network's computers of those names; the
 * order becomes that of the VPM, and others are dropped.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (a name is not in the network),
 *         HESCA_ERR_NOMEM. */
HESCA_PRIVATE int hesca_topology_apply_vpm(hesca_topology *topology,
                                           const hesca_vpm_line *line, int n);

#endif
