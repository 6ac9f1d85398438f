/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/param.h
 * HESCA's parameters: the table of its environment variables HESCA_*.
 * Rank 0 of a communicator reads its environment when HESCA is first used with
 * that communicator, and all processes use its values. */
#ifndef HESCA_EXPERIMENTAL_PARAM_H
#define HESCA_EXPERIMENTAL_PARAM_H

#include "hesca/status.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One row of the table. */
typedef struct {
    const char *name;  /**< the environment variable */
    const char *type;  /**< what it accepts */
    const char *deflt; /**< its default, as text */
    const char *help;  /**< one line */
} hesca_param_info;

/** What to do if HESCA cannot serve a valid ScaLAPACK call as specified,
 * because of a malformed variable, a machine file that is missing or has other
 * hosts, memory, shared memory, or a file that cannot be written.
 *
 * An intercepted routine continues without it if that gives the same result,
 * else it calls the original routine:
 * - a malformed variable has its default; of HESCA_DISABLE the known names are
 *   used;
 * - without a usable machine file redistributions are planned as if there were
 *   none; routines that compute and process grids are the original ones;
 * - HESCA_SCHEDULE that does not apply: as auto; HESCA_TRACE that cannot be
 *   written: no trace; no shared memory: messages by MPI;
 * - no memory, and all other causes: the original routine.
 *
 * Each cause is reported in one line on stderr, once, by one process.
 * Functions named hesca_* return an error instead, except for HESCA_TRACE and
 * shared memory. */
typedef enum {
    HESCA_FALLBACK_SILENT, /**< continue silently */
    HESCA_FALLBACK_PRINT,  /**< continue, with a line */
    HESCA_FALLBACK_ERROR   /**< an error, handled by HESCA_ONERROR */
} hesca_fallback;

/** What a ScaLAPACK entry point does after it has reported an error. */
typedef enum {
    HESCA_ONERROR_ABORT, /**< BLACS_ABORT, as ScaLAPACK's PBLAS do */
    HESCA_ONERROR_RETURN /**< return with nothing written */
} hesca_onerror;

/** How processes of one node exchange data; between nodes MPI is used. */
typedef enum {
    HESCA_TRANSPORT_AUTO, /**< what HESCA expects to be fastest */
    HESCA_TRANSPORT_MPI,  /**< MPI messages */
    HESCA_TRANSPORT_SHM,  /**< a shared-memory window, if MPI provides one */
    HESCA_TRANSPORT_SINGLE_COPY /**< the same, and long runs by a single copy
                            between processes, if the kernel allows it */
} hesca_transport;

/** How MPI's blocking calls wait, see hesca/experimental/wait.h. */
typedef enum {
    HESCA_WAIT_AUTO,  /**< yielding if some process has no core of its own */
    HESCA_WAIT_SPIN,  /**< as MPI does */
    HESCA_WAIT_POLITE /**< yielding */
} hesca_wait;

/** Placement of processes in a grid, see hesca/experimental/grid.h. */
typedef enum {
    HESCA_PLACEMENT_OFF,   /**< in order, as in the BLACS */
    HESCA_PLACEMENT_AUTO,  /**< by prediction, if hosts are known to differ */
    HESCA_PLACEMENT_SPEED, /**< the fastest first */
    HESCA_PLACEMENT_MAP    /**< as in a file */
} hesca_placement;

/** Which implementation serves a ScaLAPACK call that computes, see
 * hohe/hohe.h. */
typedef enum {
    HESCA_COMPUTE_AUTO,     /**< the one of smaller predicted time */
    HESCA_COMPUTE_ORIGINAL, /**< ScaLAPACK's original routine */
    HESCA_COMPUTE_HOHE,     /**< HESCA, if it can */
    HESCA_COMPUTE_GRID      /**< the original routine on the best grid */
} hesca_compute;

/** HESCA_LEARN: whether what calls show changes the machine. */
typedef enum {
    HESCA_LEARN_AUTO,  /**< if HESCA_MACHINE is auto */
    HESCA_LEARN_ON,    /**< a machine file changes in memory, too */
    HESCA_LEARN_OFF,   /**< no */
    HESCA_LEARN_FROZEN /**< no, and neither is anything measured nor kept */
} hesca_learn;

/** Lengths of names, with the final zero. */
enum {
    HESCA_NAME_MAX = 32,     /**< longest schedule name */
    HESCA_DISABLE_MAX = 256, /**< longest list of disabled routines */
    HESCA_PATH_MAX = 256     /**< longest name of a file */
};

/** The values in force. */
typedef struct {
    int verbose;               /**< HESCA_VERBOSE, 0 ... 2 */
    int summary;               /**< 1: verbose is 1, without lines for calls */
    hesca_fallback fallback;   /**< HESCA_FALLBACK */
    int fallback_set;          /**< 1 if it is set to a valid value */
    hesca_onerror onerror;     /**< HESCA_ONERROR */
    hesca_transport transport; /**< HESCA_TRANSPORT */
    size_t buffer;             /**< HESCA_BUFFER, bytes per process */
    size_t cache;              /**< HESCA_CACHE, bytes per process */
    double timeout;            /**< HESCA_TIMEOUT, seconds; 0: off */
    int node_size;             /**< HESCA_NODE_SIZE; 0: the actual nodes */
    int checkpoint;            /**< HESCA_CHECKPOINT, percent; -1: off */
    hesca_wait wait;           /**< HESCA_WAIT */
    hesca_placement placement; /**< HESCA_PLACEMENT */
    int placement_gridmap;     /**< 1: +gridmap, also BLACS_GRIDMAP */
    hesca_compute gemm;        /**< HESCA_GEMM */
    hesca_compute potrf;       /**< HESCA_POTRF */
    hesca_compute getrf;       /**< HESCA_GETRF */
    hesca_compute regrid;      /**< HESCA_REGRID */
    int find_job;              /**< 1: HESCA_JOB=auto; what follows is used
                                  until one is known */
    int64_t job_order;         /**< HESCA_JOB, order, 1 ... 10^9 */
    int job_block;             /**< its block size, 1 ... 10^6 */
    char job_routine[HESCA_NAME_MAX]; /**< its routine: gemm, potrf, ... */
    char map[HESCA_PATH_MAX];         /**< the file of map:, else empty */
    char schedule[HESCA_NAME_MAX];    /**< HESCA_SCHEDULE */
    char exchange[HESCA_NAME_MAX];    /**< HESCA_EXCHANGE */
    char bcast[HESCA_NAME_MAX];       /**< HESCA_BCAST */
    char machine[HESCA_PATH_MAX];     /**< HESCA_MACHINE, a file */
    int find_machine;                 /**< 1: HESCA_MACHINE=auto */
    hesca_learn learn;                /**< HESCA_LEARN */
    char program[HESCA_PATH_MAX];     /**< HESCA_PROGRAM */
    char trace[HESCA_PATH_MAX];       /**< HESCA_TRACE */
    char log[HESCA_PATH_MAX];         /**< HESCA_LOG */
    char report[HESCA_PATH_MAX];      /**< HESCA_REPORT */
    char disable[HESCA_DISABLE_MAX];  /**< HESCA_DISABLE: its known names */
    uint64_t findings; /**< a hash of all that hesca_params_finding()
                            reports; 0: nothing */
} hesca_params;

/** Row i of the table, NULL after its end. Local. */
HESCA_API const hesca_param_info *hesca_param(int i);

/** Read this process's environment.
 *
 * Local, without MPI.
 * \param [out] params  The values; defaults where a variable is not set, and,
 *                      also on error, where it is malformed (of HESCA_DISABLE
 *                      the known names).
 * \return HESCA_SUCCESS or HESCA_ERR_PARAM; the error text names the first
 *         malformed variable and its value. */
HESCA_API int hesca_params_read(hesca_params *params);

/** Describe an error in this process's environment: "HESCA_VERBOSE is '7':
 * must be 0|1|2; its default holds" for a malformed variable, and
 * "HESCA_VERBOS is not a parameter of HESCA; did you mean HESCA_VERBOSE?" for
 * an unknown one.
 *
 * Local, without MPI; leaves the error text alone.
 * \param [in]  i     Number of the error, from 0; malformed variables come
 *                    first.
 * \param [out] text  At most room characters, with the final zero.
 * \param [in]  room  Size of text; 300 are usually enough.
 * \return 1, or 0 if there are fewer errors. */
HESCA_API int hesca_params_finding(int i, char *text, size_t room);

/** The values that all processes of comm use.
 *
 * Collective over comm the first time it is used with comm, later local.  A
 * process whose environment disables everything, hesca_params_none(), does not
 * communicate, and gets its own values.
 * \param [in]  comm    (global) Intra-communicator.
 * \param [out] params  (global) What rank 0 of comm read.
 * \return HESCA_SUCCESS, also if HESCA_MACHINE has other hosts than those of
 *         the processes, which is an error only where the machine is used;
 *         HESCA_ERR_PARAM, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
HESCA_API int hesca_params_agreed(MPI_Comm comm, hesca_params *params);

/** The same for calls that can also be served without HESCA, such as those of
 * ScaLAPACK: unless HESCA_FALLBACK is error, errors in parameters or in the
 * machine file are ignored, here and in all later calls on comm.
 * hesca_fallback lists the substitutes.
 *
 * Collective over comm the first time it is used with comm, later local.  A
 * process whose environment disables everything, hesca_params_none(), does not
 * communicate, and gets its own values.  A communicator of all processes in
 * their order shares the parameters, machine, plans and what is learnt with
 * MPI_COMM_WORLD, if those are there and rank 0 would read the same now; not
 * with MPI_THREAD_MULTIPLE.
 * \param [in]  comm    (global) Intra-communicator.
 * \param [out] params  (global) What rank 0 of comm read; also with
 *                      HESCA_ERR_PARAM.  (local) On other errors what this
 *                      process reads.
 * \param [out] lacks   (global) Why the file that HESCA_MACHINE names is not
 *                      used; NULL: it is, or there is none.  Valid as long as
 *                      comm is.
 * \return HESCA_SUCCESS; HESCA_ERR_PARAM only if HESCA_FALLBACK is error;
 *         HESCA_ERR_NOMEM, HESCA_ERR_MPI: nothing can be attached to comm; a
 *         later call tries again. */
HESCA_API int hesca_params_serve(MPI_Comm comm, hesca_params *params,
                                 const char **lacks);

/** Whether HESCA_DISABLE names a routine, its family or everything: 1 or 0.
 * \param [in] params   Values from one of the functions above.
 * \param [in] routine  For example "pdgemr2d", "gridinit", or "wait" for the
 *                      waiting of MPI's blocking calls. */
HESCA_API int hesca_params_disabled(const hesca_params *params,
                                    const char *routine);

/** Whether this process's environment disables everything.  Local and cheap,
 * without MPI: such a process takes part in no agreement, so HESCA_DISABLE
 * must be the same for all processes then. */
HESCA_API int hesca_params_none(void);

/** Whether this is the only process, or the first of those that a launcher has
 * started.  Local, without MPI. */
HESCA_API int hesca_launch_is_first(void);

/** Whether a process that is alone in MPI_COMM_WORLD was started together with
 * others, by a launcher of another MPI.  Local, after MPI_Init.
 * \param [out] text  A description; as it was, if the result is 0.
 * \param [in]  room  Bytes of text.
 * \return 1 for the first of these processes, -1 for the others; 0: it was
 *         started alone. */
HESCA_API int hesca_launch_is_split(char *text, size_t room);

/** The file that HESCA_LOG names, or NULL.  Local. */
HESCA_API const char *hesca_params_log(void);

/** Print "hesca: " and a line on stderr, or append it to the file HESCA_LOG,
 * in one write, so that lines of several processes do not mix.  Local. */
HESCA_API void hesca_log_line(const char *line);

#ifdef __cplusplus
}
#endif

#endif
