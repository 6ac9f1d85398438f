/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/machine.h
 * The costs of messages on a machine, by which schedules are chosen.
 *
 * They are measured by `hesca probe`, stored in a machine file, and read from
 * the file that HESCA_MACHINE names; without one, defaults are used.
 * hesca/experimental/monitor.h describes how they are updated at run time.
 *
 * The model is the GDM model of LIM section 3.2: a step in which every process
 * sends m bytes to one other and receives as many takes T_d + m tau_d, with
 * two extensions.  Messages of one process that do not wait for each other
 * cost less than a step each; and if processes share a core, a step takes the
 * sum of their times. */
#ifndef HESCA_EXPERIMENTAL_MACHINE_H
#define HESCA_EXPERIMENTAL_MACHINE_H

#include "hesca/experimental/speed.h"
#include "hesca/status.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Costs of messages. */
typedef struct {
    double startup; /**< T_d, seconds: a step of one message each way */
    double message; /**< seconds: a further message that need not wait */
    double byte;    /**< tau_d, seconds per byte, packing included */
    double copy;    /**< seconds per byte that is combined and forwarded */
} hesca_costs;

/** Costs between processes of one node, or of different nodes. */
typedef struct {
    hesca_costs alone;   /**< with a core for every process */
    hesca_costs crowded; /**< with several processes per core: the cost of
                            each of them */
} hesca_link;

/** One direction between two hosts: a message of m bytes takes startup + m /
 * rate (BHAT-HET 4.1, T_ij and B_ij). */
typedef struct {
    double startup; /**< seconds, >= 0 */
    double rate;    /**< bytes per second, > 0 */
} hesca_wire;

/** What a process on a host of speed 1 does that has a core to itself, or all
 * that its quota allows, where no model says more. */
typedef struct {
    double flops; /**< operations per second of dgemm, > 0 */
    double part;  /**< of a core, > 0, at most 1: messages are handled by the
                       system, whose speed is not that of BLAS */
} hesca_unit;

/** Limits of machine files. */
enum {
    HESCA_HOST_MAX = 64,    /**< bytes of a host's name, with the final 0 */
    HESCA_HOSTS_MAX = 8192, /**< most hosts of a machine */
    HESCA_KERNEL_MAX = 32   /**< bytes of a kernel's name, with the final 0 */
};

/** A host. */
typedef struct {
    char name[HESCA_HOST_MAX]; /**< as of MPI_Get_processor_name() */
    double speed;  /**< of one process that has a core to itself; relative,
                        > 0 */
    double cores;  /**< number of processes that can compute at that speed
                        at the same time, > 0; a CPU quota may reduce it to a
                        fraction */
    double memory; /**< bytes that processes may fill; 0: not known */
} hesca_host;

/** Speed of a kernel on a host, as a function of problem size; the meaning of
 * an element and the unit of speed are a convention of its users. */
typedef struct {
    char kernel[HESCA_KERNEL_MAX]; /**< of letters, digits, - and _ */
    int host;                      /**< number of the host */
    hesca_speed *speed;            /**< owned by the machine */
} hesca_model;

/** A machine.  If hosts are known, messages between them have the costs in
 * wire. */
typedef struct {
    hesca_link node;    /**< inside a node */
    hesca_link net;     /**< between nodes */
    hesca_unit unit;    /**< of the speeds of hosts */
    int nhosts;         /**< number of hosts; 0: not known */
    hesca_host *host;   /**< [nhosts] */
    hesca_wire *wire;   /**< [nhosts * nhosts] from, to; the diagonal: between
                             processes of one host */
    int nmodels;        /**< number of models */
    hesca_model *model; /**< [nmodels] at most one for each host and kernel */
} hesca_machine;

/** Free the arrays of a machine, which then has no hosts and models. Local. */
HESCA_API void hesca_machine_clear(hesca_machine *machine);

/** A machine with the defaults. Local. */
HESCA_API hesca_machine hesca_machine_default(void);

/** The costs with `load` processes per core, >= 1, that share one node or not.
 * Local. */
HESCA_API hesca_costs hesca_machine_costs(const hesca_machine *machine,
                                          int one_node, double load);

/** Replace the hosts of a machine.
 *
 * Local.  They have one core of speed 1, and wires have the costs of a single
 * message by node (inside a host) and net (between hosts); overwrite what is
 * known better.  Models of hosts of the same name are retained; others are
 * freed.
 * \param [in,out] machine  Unchanged on error.
 * \param [in]     n        Number of hosts, 0 ... HESCA_HOSTS_MAX.
 * \param [in]     name     [n] All different, of printing characters, no #,
 *                          shorter than HESCA_HOST_MAX.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
HESCA_API int hesca_machine_set_hosts(hesca_machine *machine, int n,
                                      const char *const *name);

/** Find a host by name; the names are equal, also if either is truncated at
 * its first dot, so that node1 and node1.site.org are the same.
 *
 * Local.
 * \return Its number, -1 if there is none, -2 if a short name matches several.
 */
HESCA_API int hesca_machine_find_host(const hesca_machine *machine,
                                      const char *name);

/** The speed of a kernel on a host.
 *
 * Local.
 * \return The machine's model, valid until it changes; NULL if there is
 *         none. */
HESCA_API const hesca_speed *hesca_machine_speed(const hesca_machine *machine,
                                                 int host, const char *kernel);

/** Set or replace the speed of a kernel on a host.
 *
 * Local.
 * \param [in,out] machine  Unchanged on error.
 * \param [in]     host     0 ... nhosts - 1.
 * \param [in]     kernel   Of letters, digits, - and _, shorter than
 *                          HESCA_KERNEL_MAX.
 * \param [in]     speed    Copied; NULL: removes the model.  Sizes and times
 *                          of neighbouring knots must differ by a relative
 *                          1e-8, so that machine files can represent them.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
HESCA_API int hesca_machine_set_speed(hesca_machine *machine, int host,
                                      const char *kernel,
                                      const hesca_speed *speed);

/** A deep copy of a machine.
 *
 * Local.
 * \param [in]  machine  The machine.
 * \param [out] copy  Free with hesca_machine_clear(); unchanged on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
HESCA_API int hesca_machine_copy(const hesca_machine *machine,
                                 hesca_machine *copy);

/** Check that a machine is valid: all costs finite and at least 0, rates and
 * speeds more than 0, names and models as required by
 * hesca_machine_set_hosts() and hesca_machine_set_speed().
 *
 * Local.
 * \return HESCA_SUCCESS, or HESCA_ERR_ARG with a text that names the
 *         invalid value. */
HESCA_API int hesca_machine_check(const hesca_machine *machine);

/** Read a machine file.
 *
 * Local.  The format is described in doc/machine.md.  In short, lines of
 * words, shorter than 255 bytes; # begins a comment:
 *     hesca-machine 1
 *     node         startup S message S byte S copy S
 *     node-crowded startup S message S byte S copy S
 *     net          startup S message S byte S copy S
 *     net-crowded  startup S message S byte S copy S
 *     host NAME [speed X] [cores X] [memory B]
 *     class NAME startup S rate R
 *     link FROM TO WIRE     one direction
 *     links A B WIRE        both directions
 *     inside HOST WIRE      between processes of a host
 *     others WIRE           between all hosts without a line
 *     model HOST KERNEL [limit X]
 *     knot size X speed X [low X high X]   of the model before
 * where WIRE is "startup S rate R" or "class NAME".  The first line must be
 * the first, and hosts and classes precede lines that name them.  S is a
 * number of seconds >= 0, R of bytes per second > 0, B of bytes > 0, as in C;
 * units may follow without a space (2.5ms, 100Mbit/s, 8GB).  A file with hosts
 * must give a wire for every pair of them, and may omit the four lines of
 * costs, which then have defaults.  A file with models may omit all wires,
 * too, which then follow from the costs.
 *
 * \param [in]  path     The file.
 * \param [out] machine  Free with hesca_machine_clear(); unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_PARAM with a text that
 *         names file, line and token. */
HESCA_API int hesca_machine_read(const char *path, hesca_machine *machine);

/** The text of a machine file, for hesca_machine_read(), with numbers of 10
 * digits, whatever the locale.
 *
 * Local.
 * \param [in]  machine  The machine.
 * \param [out] text  To free with free(); NULL on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
HESCA_API int hesca_machine_format(const hesca_machine *machine, char **text);

#ifdef __cplusplus
}
#endif

#endif
