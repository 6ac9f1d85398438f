/** \file hesca/experimental/place.h
 * HeHo: data in equal shares over processes, and more processes on faster
 * processors (HMPI thesis 3.1).
 *
 * How many processes a host gets is decided before a program starts
 * (hesca_place_counts(), `hesca run`); which of them sit where in a process
 * grid, when the program makes the grid (hesca_place_grid();
 * hesca/experimental/grid.h does that in MPI programs); what shape the grid
 * has, by the program alone, which may ask.  All of them go by one prediction
 * of what ScaLAPACK's routines take, hesca_forecast_make().
 *
 * Processes are told by the hosts that they are on, as numbers of the hosts of
 * a machine.  Places of a grid are counted row by row from 0. */
#ifndef HESCA_EXPERIMENTAL_PLACE_H
#define HESCA_EXPERIMENTAL_PLACE_H

#include "hesca/experimental/machine.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Routines of ScaLAPACK, for real double numbers. */
typedef enum {
    HESCA_GEMM,  /**< pdgemm: C := A B, all of order n */
    HESCA_POTRF, /**< pdpotrf: A = L L^T */
    HESCA_GESV   /**< pdgetrf, and pdgetrs for one right-hand side */
} hesca_routine;

/** The routine of a name: gemm, potrf or gesv, also with a type and with p in
 * front (dgemm, pdgemm); getrf and posv count as gesv and potrf.
 *
 * Local.
 * \return 1, or 0 if there is none. */
HESCA_API int hesca_routine_find(const char *name, hesca_routine *routine);

/** Its name: "gemm", "potrf", "gesv". Local. */
HESCA_API const char *hesca_routine_name(hesca_routine routine);

/** What is computed. */
typedef struct {
    hesca_routine routine;
    int64_t n; /**< order of the matrices, >= 1 */
    int nb;    /**< mb = nb, rows and columns of a block, >= 1 */
} hesca_job;

/** Floating-point operations of a job: 2 n^3, n^3 / 3, 2 n^3 / 3. Local. */
HESCA_API double hesca_job_flops(const hesca_job *job);

/** Bytes that all processes of a job fill together, the work space of its
 * routine apart: the matrices. Local. */
HESCA_API double hesca_job_bytes(const hesca_job *job);

/** What a job takes, as predicted. */
typedef struct {
    double seconds;     /**< all of it: compute + communicate */
    double compute;     /**< of which the host that ends last computes */
    double communicate; /**< what messages, and waiting for others, take */
    double bound;       /**< computing alone, if all processes were as slow as
                             the slowest of them */
    double ideal;       /**< computing alone, with all that the hosts of the
                             grid can do in proportion to their speeds */
} hesca_forecast;

/** Speed of a kernel at the size that a process of a job works on, on a host
 * that has a core for it: of the machine's model of dgemm, dpotrf or dgetrf
 * (of dgemm if there is no other), else the host's relative speed times 1e10.
 *
 * Local.
 * \param [in] nprocs  Processes that share the job.
 * \return Operations per second; 0 if that size does not fit there. */
HESCA_API double hesca_job_speed(const hesca_machine *machine,
                                 const hesca_job *job, int host, int nprocs);

/** Predict what a job takes on a grid.
 *
 * Local.  A host's processes share its cores evenly.
 * \param [in]  machine  Of known hosts.
 * \param [in]  host     [nprow * npcol] The host of the process at each place.
 * \param [out] forecast Unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
HESCA_API int hesca_forecast_make(const hesca_machine *machine,
                                  const hesca_job *job, int nprow, int npcol,
                                  const int *host, hesca_forecast *forecast);

/* ------------------------------------------------ before a program starts */

/** What bounds the number of processes on a host. */
typedef struct {
    int nprocs;      /**< processes wanted in all; 0: as many as speeds say */
    int most;        /**< most processes in all; 0: any number */
    double per_core; /**< most processes on a core, > 0 */
    double bytes;    /**< memory of a process without matrices, >= 0 */
} hesca_place_limits;

/** 0, 0, 8 processes on a core, 64 MB. Local. */
HESCA_API hesca_place_limits hesca_place_limits_default(void);

/** Processes for each host, in proportion to its speed.
 *
 * Local.  A core of host i gets ceil(s_i / s_min), s_min the least speed (the
 * rule that HMPI thesis 3.1.3 follows), a host that for each of its
 * cores, at least one process, and what limits say.  As speeds are measured,
 * less than 0.15 above a whole number counts as that number.  With nprocs,
 * the numbers have that sum and the least greatest (processes / speed).
 * Memory: the processes of a host must fill no more than it has (HMPI thesis
 * 3.1.3, rule 3), where the machine tells that; hosts get less then, or none.
 * \param [in]  machine  Of known hosts.
 * \param [in]  job      What speeds and memory are to be looked at for; NULL:
 *                       the hosts' relative speeds, without matrices.
 * \param [out] count    [nhosts] >= 0; unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (bad limits, or nprocs is more than
 *         they allow: the text tells how many they allow),
 *         HESCA_ERR_NOMEM. */
HESCA_API int hesca_place_counts(const hesca_machine *machine,
                                 const hesca_job *job,
                                 const hesca_place_limits *limits, int *count);

/* ------------------------------------------------ when a grid is made */

/** Choose processes for the places of a grid so that a job takes least, as
 * predicted; with process 0 at place 0.
 *
 * Local; the same result from the same arguments everywhere.  Not always the
 * optimum: a search by exchanges from several beginnings.
 * \param [in]  nprocs   Processes there are, >= nprow * npcol.
 * \param [in]  host     [nprocs] The host of each.
 * \param [out] process  [nprow * npcol] The process at each place; unchanged
 *                       on error.
 * \param [out] forecast What is predicted then; NULL: not wanted.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
HESCA_API int hesca_place_grid(const hesca_machine *machine,
                               const hesca_job *job, int nprocs,
                               const int *host, int nprow, int npcol,
                               int *process, hesca_forecast *forecast);

/** Choose the fastest processes, and put them into the grid row by row in
 * descending order of speed, which makes speeds descend along rows and columns
 * (HMPI thesis 3.5); processes of equal speed in order of hosts and numbers.
 * Process 0 sits at place 0 before all others.
 *
 * Local.  Arguments as above; speeds are what a process gets if all nprocs
 * compute. */
HESCA_API int hesca_place_grid_by_speed(const hesca_machine *machine,
                                        const hesca_job *job, int nprocs,
                                        const int *host, int nprow, int npcol,
                                        int *process,
                                        hesca_forecast *forecast);

/** Choose the shape of the grid, and how many processes take part, as well.
 *
 * Local.  All shapes of at most nprocs places are looked at; where that are
 * more than 64, those alone whose nprow and npcol divide nb or leave nothing
 * of n / nb (the heuristic of HMPI thesis 3.1.3), and the most
 * square ones.  Ties go to fewer processes, then to less rows.
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
