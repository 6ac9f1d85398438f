/** \file hesca/machine.h
 * What messages cost on a machine: the numbers behind the choice of a
 * schedule.
 *
 * They are measured by `hesca probe`, kept in a machine file, and read from
 * the file that HESCA_MACHINE names; without one, defaults serve.
 *
 * The model is the GDM model of LIM section 3.2: a step in which every process
 * sends m bytes to one other and receives as many takes T_d + m tau_d.  Two
 * things are added.  Messages of one process that do not wait for each other
 * cost less than a step each; and where processes share a core, a step takes
 * as long as all of them need for their turns. */
#ifndef HESCA_MACHINE_H
#define HESCA_MACHINE_H

#include "hesca/status.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What messages cost. */
typedef struct {
    double startup; /**< T_d, seconds: a step of one message each way */
    double message; /**< seconds: a further message that need not wait */
    double byte;    /**< tau_d, seconds per byte, packing included */
    double copy;    /**< seconds per byte that is combined and forwarded */
} hesca_costs;

/** What they cost between processes that share a node, or do not. */
typedef struct {
    hesca_costs alone;   /**< with a core for every process */
    hesca_costs crowded; /**< with several processes per core: of each of them,
                            since they take turns */
} hesca_link;

/** One direction between two hosts: a message of m bytes takes startup + m /
 * rate (BHAT-HET 4.1, T_ij and B_ij). */
typedef struct {
    double startup; /**< seconds, >= 0 */
    double rate;    /**< bytes per second, > 0 */
} hesca_wire;

enum { HESCA_HOST_MAX = 64 }; /**< bytes of a host's name, with the final 0 */

/** A host, as MPI_Get_processor_name() calls it. */
typedef struct {
    char name[HESCA_HOST_MAX];
    double speed; /**< relative, > 0 */
} hesca_host;

/** A machine.  Where hosts are known, messages between them cost what wire
 * says. */
typedef struct {
    hesca_link node, net; /**< inside a node, between nodes */
    int nhosts;           /**< 0: not known */
    hesca_host *host;     /**< [nhosts] */
    hesca_wire *wire;     /**< [nhosts * nhosts] from, to; the diagonal:
                               between processes of one host */
} hesca_machine;

/** Free what belongs to a machine. Local. */
HESCA_API void hesca_machine_clear(hesca_machine *machine);

/** A machine with the defaults. Local. */
HESCA_API hesca_machine hesca_machine_default(void);

/** The costs with `load` processes per core, >= 1, that share one node or not.
 * Local. */
HESCA_API hesca_costs hesca_machine_costs(const hesca_machine *machine,
                                          int one_node, double load);

/** Read a machine file.
 *
 * Local.  The format: lines of words, shorter than 255 bytes; # begins a
 * comment.
 *     hesca-machine 1
 *     node         startup S message S byte S copy S
 *     node-crowded startup S message S byte S copy S
 *     net          startup S message S byte S copy S
 *     net-crowded  startup S message S byte S copy S
 * Each line once, the first one first, numbers as in C, >= 0, in seconds or
 * seconds per byte.
 * \param [in]  path     The file.
 * \param [out] machine  Unchanged on error.
 * \return HESCA_SUCCESS, or HESCA_ERR_PARAM with a text that tells file, line
 *         and token. */
HESCA_API int hesca_machine_read(const char *path, hesca_machine *machine);

/** The text of a machine file, for hesca_machine_read().
 *
 * Local.
 * \param [out] text  At most size bytes, with a final zero.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG (size is too small). */
HESCA_API int hesca_machine_format(const hesca_machine *machine, char *text,
                                   size_t size);

#ifdef __cplusplus
}
#endif

#endif
