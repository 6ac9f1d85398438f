/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/place.h
 * HeHo: equal shares of data for all processes, and more processes on faster
 * processors (HMPI thesis 3.1).
 *
 * The number of processes of each host is chosen before a program starts
 * (hesca_place_counts(), `hesca run`); their places in a process grid, when
 * the program creates the grid (hesca_place_grid();
 * hesca/experimental/grid.h does that in MPI programs); the shape of the grid
 * is the program's, which may call hesca_place_shape().  All of these use one
 * prediction of the time of ScaLAPACK's routines, hesca_forecast_make().
 *
 * Processes are described by their hosts, as numbers of the hosts of a
 * machine.  Places of a grid are counted row by row from 0. */
#ifndef HESCA_EXPERIMENTAL_PLACE_H
#define HESCA_EXPERIMENTAL_PLACE_H

#include "hesca/experimental/machine.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Routines of ScaLAPACK, for real double numbers. */
typedef enum {
    HESCA_ROUTINE_GEMM,  /**< pdgemm: C := A B, all of order n */
    HESCA_ROUTINE_POTRF, /**< pdpotrf: A = L L^T */
    HESCA_ROUTINE_GESV,  /**< pdgetrf, and pdgetrs for one right-hand side */
    HESCA_ROUTINE_SYRK,  /**< pdsyrk, pzherk: C := A A^T */
    HESCA_ROUTINE_TRSM,  /**< pdtrsm: op(A) X = B */
    HESCA_ROUTINE_POTRI, /**< pdpotri: the inverse, of the factor */
    HESCA_ROUTINE_GETRI, /**< pdgetri: the same */
    HESCA_ROUTINE_GEQRF, /**< pdgeqrf: A = Q R */
    HESCA_ROUTINE_ORMQR, /**< pdormqr, pzunmqr: Q C */
    HESCA_ROUTINE_GELS,  /**< pdgels for few right-hand sides */
    HESCA_ROUTINE_SYTRD, /**< eigenvalues alone by pdsyev, pdsyevx, pdsyevr */
    HESCA_ROUTINE_SYEV,  /**< pdsyev: eigenvectors by QR iterations */
    HESCA_ROUTINE_SYEVD, /**< pdsyevd: the same by divide and conquer */
    HESCA_ROUTINE_SYEVR, /**< pdsyevr: by MRRR */
    HESCA_ROUTINE_SYEVX, /**< pdsyevx: by bisection and inverse iteration */
    HESCA_ROUTINE_SYGVX, /**< pdsygvx: of A and B */
    HESCA_ROUTINE_GEBRD, /**< singular values alone by pdgesvd */
    HESCA_ROUTINE_GESVD, /**< pdgesvd: the same with vectors */
    HESCA_ROUTINES       /**< number of routines */
} hesca_routine;

/** The routine of a name: gemm, potrf, syevd, also with a type and with p in
 * front (dgemm, pdgemm, pzheevd); getrf, posv and gels count as gesv, potrf
 * and geqrf.
 *
 * Local.
 * \return 1, or 0 if there is none. */
HESCA_API int hesca_routine_find(const char *name, hesca_routine *routine);

/** The name of a routine: "gemm", "potrf", "gesv", ... Local. */
HESCA_API const char *hesca_routine_name(hesca_routine routine);

/** A problem to be solved. */
typedef struct {
    hesca_routine routine; /**< the routine */
    int64_t n;             /**< order of the matrices, >= 1 */
    int nb;                /**< mb = nb, rows and columns of a block, >= 1 */
} hesca_job;

/** Floating-point operations of a job: 2 n^3, n^3 / 3, 2 n^3 / 3; of the
 * routines from SYTRD on, as many as products do in that time. Local. */
HESCA_API double hesca_job_flops(const hesca_job *job);

/** Bytes of the matrices of a job, without the work space of its routine.
 * Local. */
HESCA_API double hesca_job_bytes(const hesca_job *job);

/** The predicted time of a job, in seconds. */
typedef struct {
    double seconds;     /**< compute + communicate */
    double compute;     /**< time for which the host that ends last computes */
    double communicate; /**< messages, and waiting for other processes */
    double bound;       /**< computation only, if all processes were as slow as
                             the slowest of them */
    double ideal;       /**< computation only, with work in proportion to the
                             speeds of the hosts of the grid */
} hesca_forecast;

/** Speed of a kernel at the local problem size of a job, for a process with a
 * core to itself: by the machine's model of dgemm, dpotrf or dgetrf, else the
 * host's relative speed times the machine's unit.flops.  Without a model of
 * their own dpotrf and dgetrf have 0.82 of the speed of dgemm.
 *
 * Local.
 * \param [in] machine  With known hosts.
 * \param [in] job      The problem.
 * \param [in] host     Number of the host.
 * \param [in] nprocs  Processes that share the job.
 * \return Operations per second; 0 if that size exceeds the limit of the
 *         model. */
HESCA_API double hesca_job_speed(const hesca_machine *machine,
                                 const hesca_job *job, int host, int nprocs);

/** Predict the time of a job on a grid.
 *
 * Local.  The processes of a host share its cores evenly.
 * \param [in]  machine  With known hosts.
 * \param [in]  job      The problem.
 * \param [in]  nprow, npcol  Shape of the grid.
 * \param [in]  host     [nprow * npcol] The host of the process at each place.
 * \param [out] forecast Unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
HESCA_API int hesca_forecast_make(const hesca_machine *machine,
                                  const hesca_job *job, int nprow, int npcol,
                                  const int *host, hesca_forecast *forecast);

/** The same for a variant of the job's routine that sends other bytes.
 * \param [in] along_rows, along_cols  Bytes in rows and columns of the grid,
 *                                     relative to the job's; >= 0. */
HESCA_API int hesca_forecast_scaled(const hesca_machine *machine,
                                    const hesca_job *job, int nprow, int npcol,
                                    const int *host, double along_rows,
                                    double along_cols,
                                    hesca_forecast *forecast);

/* ------------------------------------------------ before a program starts */

/** Bounds of the number of processes on a host. */
typedef struct {
    int nprocs;      /**< number of processes in all; 0: chosen by speeds */
    int most;        /**< most processes in all; 0: any number */
    double per_core; /**< most processes on a core, > 0 */
    double bytes;    /**< memory of a process without matrices, >= 0 */
} hesca_place_limits;

/** The defaults: 0, 0, 8 processes on a core, 64 MB. Local. */
HESCA_API hesca_place_limits hesca_place_limits_default(void);

/** The number of processes of each host, in proportion to its speed.
 *
 * Local.  A core of host i gets ceil(s_i / s_min) processes, s_min the lowest
 * speed (the rule of HMPI thesis 3.1.3), and a host that number for each of
 * its cores, at least one process, within limits.  As speeds are measured,
 * less than 0.15 above a whole number counts as that number.  With nprocs, the
 * numbers have that sum, and the largest (processes / speed) is minimal.  If
 * the memory of a host is known, its processes must not exceed it (HMPI thesis
 * 3.1.3, rule 3); hosts get fewer processes then, or none.
 * \param [in]  machine  With known hosts.
 * \param [in]  job      The problem that determines speeds and memory; NULL:
 *                       the hosts' relative speeds, without matrices.
 * \param [in]  limits   Bounds of the numbers.
 * \param [out] count    [nhosts] >= 0; unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (bad limits, or nprocs is more than
 *         they allow: the text says how many they allow),
 *         HESCA_ERR_NOMEM. */
HESCA_API int hesca_place_counts(const hesca_machine *machine,
                                 const hesca_job *job,
                                 const hesca_place_limits *limits, int *count);

/* ------------------------------------------------ when a grid is made */

/** Choose processes for the places of a grid so that the predicted time of a
 * job is minimal, with process 0 at place 0.
 *
 * Local; the same arguments give the same result on every process.  Not always
 * the optimum: a local search by exchanges from several starts.
 * \param [in]  machine, job, nprow, npcol  As in hesca_forecast_make().
 * \param [in]  nprocs   Number of processes, >= nprow * npcol.
 * \param [in]  host     [nprocs] The host of each.
 * \param [out] process  [nprow * npcol] The process at each place; unchanged
 *                       on error.
 * \param [out] forecast The prediction for this grid; NULL: not wanted.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
HESCA_API int hesca_place_grid(const hesca_machine *machine,
                               const hesca_job *job, int nprocs,
                               const int *host, int nprow, int npcol,
                               int *process, hesca_forecast *forecast);

/** Choose the fastest processes, and place them in the grid row by row in
 * descending order of speed, so that speeds decrease along rows and columns
 * (HMPI thesis 3.5); processes of equal speed in order of hosts and numbers.
 * Process 0 is at place 0, before all others.
 *
 * Local.  Arguments as above; speeds are those of a process if all nprocs
 * compute. */
HESCA_API int hesca_place_grid_by_speed(const hesca_machine *machine,
                                        const hesca_job *job, int nprocs,
                                        const int *host, int nprow, int npcol,
                                        int *process,
                                        hesca_forecast *forecast);

/** Choose the shape of the grid and the number of its processes as well.
 *
 * Local.  All shapes of at most nprocs places are tried; if there are more
 * than 64, only those for which nprow and npcol divide nb or n / nb (the
 * heuristic of HMPI thesis 3.1.3), and the most square ones.  Ties go to fewer
 * processes, then to fewer rows.
 * \param machine, job, nprocs, host, forecast  As in hesca_place_grid().
 * \param [out] nprow, npcol  The shape.
 * \param [out] process       [nprocs] The first nprow * npcol as above; NULL:
 *                            not wanted. */
HESCA_API int hesca_place_shape(const hesca_machine *machine,
                                const hesca_job *job, int nprocs,
                                const int *host, int *nprow, int *npcol,
                                int *process, hesca_forecast *forecast);

#ifdef __cplusplus
}
#endif

#endif
