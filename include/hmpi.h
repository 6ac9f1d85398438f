/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hmpi.h
 * HMPI, message passing on networks of unequal computers: groups of those
 * processes with which a modelled algorithm is predicted to take least time.
 *
 * Names and arguments are those of the HMPI thesis (chapter 3; its reference,
 * part 3).  A program describes its algorithm in a performance model (hesca
 * model, hmpicc), measures what processors achieve with its own code
 * (HMPI_Recon), predicts (HMPI_Timeof), and creates a group, whose
 * communicator (HMPI_Get_comm) any MPI function takes.
 *
 * Every process is free or employed: a member of at least one group.  Process
 * 0 is the host, which is always employed.  A group is created by a parent,
 * the host or an employed process, together with all free processes; these
 * wait until they are employed or may go on.  There is no further process:
 * MPI_COMM_WORLD is the program's.
 *
 * Scope of functions: (world) collective over all processes, (group) over the
 * members of gid, (create) called by the parent and all free processes,
 * (local) no other process is involved.  One thread of a process, the one that
 * called HMPI_Init(), may call them.  Functions of type int return
 * HMPI_SUCCESS or a negative code, and HMPI_Strerror() has the text; a code is
 * printed by nobody.  If a process ends without HMPI_Finalize(), that is
 * reported on stderr, and functions that wait raise an error of class
 * MPI_ERR_OTHER on MPI_COMM_WORLD, whose handler by default ends the program;
 * if it returns, they return HMPI_ERR_LOST.  Programs link libhmpi:
 * pkg-config --libs hmpi. */
#ifndef HMPI_H
#define HMPI_H

#include "hesca/experimental/model.h"
#include "hesca/status.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Return values. */
enum {
    HMPI_SUCCESS = 0,
    HMPI_ERR_ARG = HESCA_ERR_ARG,     /**< an illegal argument */
    HMPI_ERR_NOMEM = HESCA_ERR_NOMEM, /**< no memory left */
    HMPI_ERR_MPI = HESCA_ERR_MPI,     /**< an MPI function failed */
    HMPI_ERR_PARAM = HESCA_ERR_PARAM, /**< a bad variable, file or model */
    HMPI_UNDEFINED = -100,      /**< the process is no member of the group */
    HMPI_ERR_PROCESSES = -101,  /**< the group needs more free processes */
    HMPI_ERR_ORDER = -102,      /**< before HMPI_Init, after HMPI_Finalize, or
                                     by a process that may not call it now */
    HMPI_ERR_LOST = -103,       /**< a process has ended */
    HMPI_MAX_ERROR_STRING = 512 /**< bytes that HMPI_Strerror() needs */
};

/** A handle of a group.  It need not be initialized before it is tested: what
 * is no group of this process has no members. */
typedef struct {
    long long magic, id;
} HMPI_Group;

/** A performance model: HMPI_Model_NAME in the C file that hmpicc makes of
 * algorithm NAME. */
typedef hesca_model_code HMPI_Model;

/** All processes, and one process per processor; communicators of HMPI, which
 * must not be freed.  HMPI_PROC_WORLD is MPI_COMM_NULL on other processes. */
HESCA_API extern MPI_Comm HMPI_COMM_WORLD, HMPI_PROC_WORLD;

/** The groups that exist from HMPI_Init() on: of all processes, of one process
 * per processor, of the host; and of free processes, which has no
 * communicator. */
HESCA_API extern const HMPI_Group *const HMPI_COMM_WORLD_GROUP;
HESCA_API extern const HMPI_Group *const HMPI_PROC_WORLD_GROUP;
HESCA_API extern const HMPI_Group *const HMPI_HOST_GROUP;
HESCA_API extern const HMPI_Group *const HMPI_FREE_GROUP;

/** \name Begin and end
 * \{ */

/** Begin (world); once, before all other functions but HMPI_Debug() and
 * HMPI_Get_version().  MPI is initialized unless it is; on error it is
 * finalized again.
 *
 * The network is that of the topology file that HMPI_TOPOLOGY names on process
 * 0, or else of the machine file HESCA_MACHINE, or else one of equal
 * computers.  HMPI_TIMEOUT is the number of seconds after which a waiting
 * process that does not answer counts as ended; 0: never; 60 without it.
 * \return HMPI_SUCCESS, HMPI_ERR_PARAM (variables, files, a host that is not
 *         in them), HMPI_ERR_ORDER, HMPI_ERR_NOMEM, HMPI_ERR_MPI. */
HESCA_API int HMPI_Init(int argc, char **argv);

/** End (world); MPI is finalized if HMPI_Init() has initialized it.  Free
 * processes that wait elsewhere go on as soon as the host is here.
 * \param [in] exitcode  What the program returns to the shell if main()
 *                       returns 0; 0 ... 255.
 * \return HMPI_SUCCESS, HMPI_ERR_ORDER, HMPI_ERR_LOST. */
HESCA_API int HMPI_Finalize(int exitcode);

/** \} */

/** \name Groups
 * Parameters of a model are ints, one after another in the order of its
 * parameter list, vectors row by row, doubles as HMPI_Pack_model_parameters()
 * stores them; paramc is their number.  Free processes pass NULL and 0 (their
 * parameters are ignored).  Each call answers all free processes: those that
 * are employed have a group in gid, others are free afterwards and have none.
 * \{ */

/** Create the group with which the algorithm takes least time (create).
 *
 * The parent of the model is the process that calls with parameters.  Ranks
 * are those of the model's processes in lexicographic order of their
 * coordinates.
 * \return HMPI_SUCCESS; on the parent HMPI_ERR_ARG (parameters), HMPI_ERR_PARAM
 *         (the model fails), HMPI_ERR_PROCESSES, HMPI_ERR_NOMEM, HMPI_ERR_MPI,
 *         HMPI_ERR_ORDER, and gid has no members. */
HESCA_API int HMPI_Group_create(HMPI_Group *gid, const HMPI_Model *model,
                                const void *model_parameters, int paramc);

/** The same, with the numbers of processes chosen, too (create).
 *
 * The model's last parameters are the extents of its coordinates and, if
 * wanted, a vector of relative speeds; they are not passed (or ignored).  All
 * arrangements of at most all free processes and the parent are tried.
 * HMPI_Group_topology() and HMPI_Group_performances() have the result. */
HESCA_API int HMPI_Group_auto_create(HMPI_Group *gid, const HMPI_Model *model,
                                     const void *model_parameters, int paramc);

/** Whether to try an arrangement of dp[0] x ... x dp[np - 1] processes; modelp
 * and paramc as passed to HMPI_Group_heuristic_auto_create(). */
typedef int (*HMPI_Heuristic_function)(int np, int *dp, void *modelp,
                                       int paramc);

/** The same, for those arrangements that a function accepts (create). */
HESCA_API int HMPI_Group_heuristic_auto_create(HMPI_Group *gid,
                                               const HMPI_Model *model,
                                               HMPI_Heuristic_function hfunc,
                                               const void *model_parameters,
                                               int paramc);

/** Heuristics: extents at most twice as large as any other; that divide the
 * number of processes of the program; that are powers of 2. */
HESCA_API int HMPI_Heuristic_square(int np, int *dp, void *modelp, int paramc);
HESCA_API int HMPI_Heuristic_divisors(int np, int *dp, void *modelp,
                                      int paramc);
HESCA_API int HMPI_Heuristic_powers(int np, int *dp, void *modelp, int paramc);

/** End a group (group): members that are in no other become free.
 * \return HMPI_SUCCESS, HMPI_UNDEFINED, HMPI_ERR_ARG (a group that exists
 *         always), HMPI_ERR_LOST. */
HESCA_API int HMPI_Group_free(const HMPI_Group *gid);

/** \} */

/** \name What a group is (local)
 * HMPI_UNDEFINED, or NULL, on a process that is no member.
 * \{ */
HESCA_API int HMPI_Group_rank(const HMPI_Group *gid);
HESCA_API int HMPI_Group_size(const HMPI_Group *gid);
/** The rank of the parent. */
HESCA_API int HMPI_Group_parent(const HMPI_Group *gid);
/** The number of coordinates. */
HESCA_API int HMPI_Group_topo_size(const HMPI_Group *gid);
/** The extents, the coordinates of this process, those of a rank.
 * \param [out] coordinates  coordinates[0] becomes an array [numc]; free it
 *                           with free(). */
HESCA_API int HMPI_Group_topology(const HMPI_Group *gid, int *numc,
                                  int **coordinates);
HESCA_API int HMPI_Group_coordof(const HMPI_Group *gid, int *numc,
                                 int **coordinates);
HESCA_API int HMPI_Coordof(const HMPI_Group *gid, int rank, int *numc,
                           int **coordinates);
/** The rank at coordinates; HMPI_UNDEFINED where there is no process. */
HESCA_API int HMPI_Rank(const HMPI_Group *gid, const int *coordinates);
/** The communicator, which lives as long as the group. */
HESCA_API const MPI_Comm *HMPI_Get_comm(const HMPI_Group *gid);
/** The same for Fortran: that of MPI_COMM_NULL on other processes. */
HESCA_API int HMPI_Get_fortran_comm(const HMPI_Group *gid);
/** Speeds of the members, by rank, relative to the slowest process of all.
 * \param [out] relative_performances  [HMPI_Group_size()] */
HESCA_API int HMPI_Group_performances(const HMPI_Group *gid,
                                      double *relative_performances);
/** \} */

/** \name Whether this process is the host; the parent, a member of a group;
 * free (local)
 * 1 or 0.
 * \{ */
HESCA_API unsigned char HMPI_Is_host(void);
HESCA_API unsigned char HMPI_Is_parent(const HMPI_Group *gid);
HESCA_API unsigned char HMPI_Is_member(const HMPI_Group *gid);
HESCA_API unsigned char HMPI_Is_free(void);
/** \} */

/** \name Speeds and predictions
 * \{ */

/** Code that represents the algorithm. */
typedef void (*HMPI_Benchmark_function)(const void *input_p,
                                        int num_of_parameters, void *output_p);

/** Measure speeds: one process per processor runs the benchmark, all at the
 * same time (collective over HMPI_PROC_WORLD); again and again, for a
 * millisecond, or half a second under a CPU quota, if it is shorter.  A
 * process that takes no part has the mean speed of its computer's.  HESCA's
 * machine model follows (hesca_machine_refresh()).
 * \param [in] func  NULL: a multiplication of matrices.
 * \return HMPI_SUCCESS, HMPI_UNDEFINED (not in HMPI_PROC_WORLD), HMPI_ERR_MPI,
 *         HMPI_ERR_LOST. */
HESCA_API int HMPI_Recon(HMPI_Benchmark_function func, const void *input_p,
                         int num_of_parameters, void *output_p);

/** Predict the time of an algorithm with the free processes and this one (or
 * the host, if this one is free) as parent (local).
 * \return Seconds, if HMPI_Recon() has measured; -1.0 on error. */
HESCA_API double HMPI_Timeof(const HMPI_Model *model,
                             const void *model_parameters, int paramc);

/** Processors; processes that are free now (local). */
HESCA_API int HMPI_Get_number_of_processors(void);
HESCA_API int HMPI_Get_number_of_free_processes(void);

/** Speeds of processors, in the order of HMPI_PROC_WORLD, and of all
 * processes, relative to the slowest (local).
 * \param [out] relative_performances  [number of processors], [of processes]
 */
HESCA_API int HMPI_Get_processors_info(double *relative_performances);
HESCA_API int HMPI_Get_processes_info(double *relative_performances);

/** \} */

/** \name Meetings
 * \{ */

/** Wait for all members (group). */
HESCA_API int HMPI_Barrier(const HMPI_Group *gid);

/** Have all free processes leave the place where they wait, or come to wait
 * next (host only).  A call that follows the creation of a group, which has
 * answered them, changes nothing. */
HESCA_API int HMPI_Notify_free_processes(void);

/** Wait for HMPI_Notify_free_processes() (free processes). */
HESCA_API int HMPI_Wait_free_processes(void);

/** The host meets one process, or all members of a group.
 *
 * Called by the host and those that it meets.
 * \param [in] count  1: one process, that which calls first; the size of the
 *                    group, among which the host may be.  The host may say
 *                    HMPI_UNDEFINED for the size of a group that it is not
 *                    in. */
HESCA_API int HMPI_Host_rendezvous(int count);

/** \} */

/** \name Messages and versions (local)
 * \{ */

/** printf() on the stdout of the host, in the order of this process's calls.
 */
HESCA_API int HMPI_Printf(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/** The text of a code, with details if it is that of the last failure.
 * \param [out] message  [HMPI_MAX_ERROR_STRING] */
HESCA_API int HMPI_Strerror(int errnum, char *message);

/** Diagnostics on stderr: 1 on, 0 off.  At any time. */
HESCA_API int HMPI_Debug(int yesno);

/** The version of the interface, 1.0.  At any time. */
HESCA_API int HMPI_Get_version(int *version, int *sub_version);

/** Store parameters of a model as the functions above take them.
 *
 * The arguments are, in the order of the model's parameters, an int or a
 * double for a scalar, and a const int * or const double * for a vector, which
 * has as many elements as the model says.  Parameters behind the last argument
 * (of HMPI_Group_auto_create()) are left out by
 * HMPI_Pack_input_parameters().
 * \param [out] paramc  Number of ints.
 * \return Free with free(); NULL on error. */
HESCA_API int *HMPI_Pack_model_parameters(const HMPI_Model *model, int *paramc,
                                          ...);
HESCA_API int *HMPI_Pack_input_parameters(const HMPI_Model *model, int *paramc,
                                          ...);

/** \} */

#ifdef __cplusplus
}
#endif

#endif
