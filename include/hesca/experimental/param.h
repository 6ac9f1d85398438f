/** \file hesca/experimental/param.h
 * HESCA's parameters: environment variables HESCA_*, one table of them.
 * Rank 0 of a communicator reads its environment when HESCA first works on
 * that communicator, and all processes use what it read. */
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
    const char *name; /**< the environment variable */
    const char *type; /**< what it accepts */
    const char *deflt;
    const char *help; /**< one line */
} hesca_param_info;

/** What to do where a valid ScaLAPACK call lacks something of HESCA's: a good
 * value of a variable, a machine file that is there and of these hosts,
 * memory, shared memory, a file that can be written.
 *
 * An intercepted routine goes on without it where that gives the same result,
 * else calls the original routine:
 * - a malformed variable has its default; of HESCA_DISABLE the names that are
 *   known hold;
 * - a machine file that cannot be used: redistributions are planned as without
 *   one, routines that compute and process grids are the original ones;
 * - HESCA_SCHEDULE that does not apply: as auto; HESCA_TRACE that cannot be
 *   written: no trace; shared memory: messages by MPI;
 * - memory, and whatever else: the original routine.
 *
 * What is lacking is one line on stderr, once for each cause, from one
 * process. Functions named hesca_* return an error instead, but for
 * HESCA_TRACE and shared memory. */
typedef enum {
    HESCA_FALLBACK_SILENT, /**< go on without a line */
    HESCA_FALLBACK_PRINT,  /**< go on, with a line */
    HESCA_FALLBACK_ERROR   /**< treat it as an error, as HESCA_ONERROR says */
} hesca_fallback;

/** What a ScaLAPACK entry point does after it has reported an error. */
typedef enum {
    HESCA_ONERROR_ABORT, /**< BLACS_ABORT, as ScaLAPACK's PBLAS do */
    HESCA_ONERROR_RETURN /**< return with nothing written */
} hesca_onerror;

/** How processes of one node exchange data; between nodes it is MPI. */
typedef enum {
    HESCA_TRANSPORT_AUTO, /**< what HESCA takes for the fastest */
    HESCA_TRANSPORT_MPI,  /**< MPI messages */
    HESCA_TRANSPORT_SHM,  /**< a shared-memory window, if MPI provides one */
    HESCA_TRANSPORT_LEND  /**< the same, and long runs by one copy of the
                             kernel's, if it allows that */
} hesca_transport;

/** How MPI's blocking calls wait, see hesca/experimental/wait.h. */
typedef enum {
    HESCA_WAIT_AUTO,  /**< politely if some process has no core of its own */
    HESCA_WAIT_SPIN,  /**< as MPI does */
    HESCA_WAIT_POLITE /**< politely */
} hesca_wait;

/** Who sits where in a process grid, see hesca/experimental/grid.h. */
typedef enum {
    HESCA_PLACEMENT_OFF,   /**< in order, as the BLACS have it */
    HESCA_PLACEMENT_AUTO,  /**< by prediction, if hosts are known to differ */
    HESCA_PLACEMENT_SPEED, /**< the fastest first */
    HESCA_PLACEMENT_MAP    /**< as a file tells */
} hesca_placement;

/** Who computes what a program asks ScaLAPACK for, see hohe/hohe.h. */
typedef enum {
    HESCA_COMPUTE_AUTO, /**< what is predicted to take less */
    HESCA_COMPUTE_REAL, /**< ScaLAPACK's routine */
    HESCA_COMPUTE_HOHE, /**< HESCA, if it can */
    HESCA_COMPUTE_GRID  /**< ScaLAPACK's routine on the best grid */
} hesca_compute;

enum {
    HESCA_NAME_MAX = 32,     /**< longest schedule name, with its zero */
    HESCA_DISABLE_MAX = 256, /**< longest list of disabled routines */
    HESCA_PATH_MAX = 256     /**< longest name of a file */
};

/** The values in force. */
typedef struct {
    int verbose;               /**< HESCA_VERBOSE, 0 ... 2 */
    hesca_fallback fallback;   /**< HESCA_FALLBACK */
    int fallback_set;          /**< 1 if the user has set that, rightly */
    hesca_onerror onerror;     /**< HESCA_ONERROR */
    hesca_transport transport; /**< HESCA_TRANSPORT */
    size_t buffer;             /**< HESCA_BUFFER, bytes per process */
    size_t cache;              /**< HESCA_CACHE, bytes per process */
    double timeout;            /**< HESCA_TIMEOUT, seconds; 0: off */
    int node_size;             /**< HESCA_NODE_SIZE; 0: real nodes */
    int checkpoint;            /**< HESCA_CHECKPOINT, percent; -1: off */
    hesca_wait wait;           /**< HESCA_WAIT */
    hesca_placement placement; /**< HESCA_PLACEMENT */
    int placement_gridmap;     /**< 1: +gridmap, maps as well */
    hesca_compute gemm;        /**< HESCA_GEMM */
    hesca_compute potrf;       /**< HESCA_POTRF */
    hesca_compute getrf;       /**< HESCA_GETRF */
    int64_t job_order;         /**< HESCA_JOB, 1 ... 10^9 */
    int job_block;             /**< 1 ... 10^6 */
    char job_routine[HESCA_NAME_MAX]; /**< gemm, potrf or gesv */
    char map[HESCA_PATH_MAX];         /**< of map:, else empty */
    char schedule[HESCA_NAME_MAX];    /**< HESCA_SCHEDULE */
    char exchange[HESCA_NAME_MAX];    /**< HESCA_EXCHANGE */
    char bcast[HESCA_NAME_MAX];       /**< HESCA_BCAST */
    char machine[HESCA_PATH_MAX];     /**< HESCA_MACHINE */
    char trace[HESCA_PATH_MAX];       /**< HESCA_TRACE */
    char disable[HESCA_DISABLE_MAX];  /**< HESCA_DISABLE: its known names */
    uint64_t findings; /**< a number for all that hesca_params_finding()
                            reports; 0: nothing */
} hesca_params;

/** Row i of the table, NULL beyond its end. Local. */
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

/** What is wrong with this process's environment: "HESCA_VERBOSE is '7': must
 * be 0|1|2; its default holds" for a malformed variable, and "HESCA_VERBOS is
 * not a parameter of HESCA; did you mean HESCA_VERBOSE?" for an unknown one.
 *
 * Local, without MPI; leaves the error text alone.
 * \param [in]  i     Which finding, from 0; malformed variables come first.
 * \param [out] text  Gets at most room characters, with the zero behind them;
 *                    300 are enough for most.
 * \return 1, or 0: there are not so many. */
HESCA_API int hesca_params_finding(int i, char *text, size_t room);

/** The values that all processes of comm use.
 *
 * Collective over comm the first time it is used with comm, later local.
 * \param [in]  comm    (global) Intra-communicator.
 * \param [out] params  (global) What rank 0 of comm read.
 * \return HESCA_SUCCESS, also if HESCA_MACHINE has other hosts than those of
 *         the processes, which only matters to who asks for the machine;
 *         HESCA_ERR_PARAM, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
HESCA_API int hesca_params_agreed(MPI_Comm comm, hesca_params *params);

/** The same for calls that can also be served without HESCA, as ScaLAPACK's
 * are: unless HESCA_FALLBACK is error, whatever is wrong with parameters or
 * the machine file is no error any more, neither here nor in any later call on
 * comm.  hesca_fallback lists what takes its place.
 *
 * Collective over comm the first time it is used with comm, later local.
 * \param [in]  comm    (global) Intra-communicator.
 * \param [out] params  (global) What rank 0 of comm read; also with
 *                      HESCA_ERR_PARAM.  (local) On other errors what this
 *                      process reads.
 * \param [out] lacks   (global) Why the file that HESCA_MACHINE names is not
 *                      used; NULL: it is, or there is none.  Valid as long as
 *                      comm is.
 * \return HESCA_SUCCESS; HESCA_ERR_PARAM only if HESCA_FALLBACK is error;
 *         HESCA_ERR_NOMEM, HESCA_ERR_MPI: nothing can be kept with comm, for
 *         which a later call tries again. */
HESCA_API int hesca_params_serve(MPI_Comm comm, hesca_params *params,
                                 const char **lacks);

/** Whether HESCA_DISABLE names a routine, its family or everything: 1 or 0.
 * \param [in] params   Values from one of the functions above.
 * \param [in] routine  For example "pdgemr2d", "gridinit", or "wait" for the
 *                      waiting of MPI's blocking calls. */
HESCA_API int hesca_params_disabled(const hesca_params *params,
                                    const char *routine);

#ifdef __cplusplus
}
#endif

#endif
