/* SPDX-License-Identifier: BSD-3-Clause */
/** \file place/site.h
 * A site: a job on a grid, and the hosts of its processes, as input of a
 * forecast.  Only hosts that have processes are part of it, and are numbered
 * from 0 in the site.  Pure. */
#ifndef HESCA_PLACE_SITE_H
#define HESCA_PLACE_SITE_H

#include "hesca/experimental/place.h"
#include "machine/routine_costs.h"

/** Seconds that a host's processors and its link, each way, are busy with
 * messages. */
typedef struct {
    double handling, in, out;
} hesca_site_load;

typedef struct {
    const hesca_job *job;
    const hesca_machine *machine;
    int nprow, npcol, nhosts;
    double along_rows, along_cols; /**< bytes of messages in rows and columns
                                      of the grid, relative to the job's */
    int *number;   /**< [nhosts] host in the machine, ascending */
    int *room;     /**< [nhosts] processes on the host */
    int *most;     /**< [nhosts] most of them in the grid, by memory
                    * */
    double *speed; /**< [nhosts] operations per second with a core for each */
    double *cores; /**< [nhosts] */
    double *per_byte; /**< [nhosts] seconds of its processor, of messages */
    int64_t *rows;    /**< [nprow] of the matrix */
    int64_t *cols;    /**< [npcol] */
    double *work;     /**< [nhosts] scratch: share of the operations */
    hesca_site_load *load; /**< [nhosts] scratch */
    int *count;            /**< [nhosts] scratch: processes in the grid */
    int *beside;           /**< [nhosts] scratch: in a column of it */
    double *wakeup;        /**< [nhosts] scratch: seconds to notice messages */
} hesca_site;

/** Check the arguments that the public functions have in common: 1, machine,
 * and 2, job; `routine` is for messages.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
int hesca_site_check(const char *routine, const hesca_machine *machine,
                     const hesca_job *job);

/** Check nprow, argument `arg`, and npcol, the one after it; there must be at
 * most nprocs places; INT_MAX: any number.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG. */
int hesca_site_check_grid(const char *routine, int arg, int nprow, int npcol,
                          int nprocs);

/** Set up a site.
 * \param [in]  n      Number of processes.
 * \param [in]  host   [n] Numbers of hosts of the machine; checked, as
 *                     argument `arg`.
 * \param [out] place  [n] The site's number of each process's host; to free
 *                     with free(); NULL: not wanted.
 * \param [out] site   Free with hesca_site_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
int hesca_site_init(const char *routine, const hesca_machine *machine,
                    const hesca_job *job, int n, const int *host, int arg,
                    int nprow, int npcol, int **place, hesca_site *site);
void hesca_site_clear(hesca_site *site);

/** The wire between two of the site's hosts. */
static inline hesca_wire
hesca_site_wire(const hesca_site *site, int from, int to)
{
    const hesca_machine *m = site->machine;
    return m->wire[(size_t)site->number[from] * (size_t)m->nhosts +
                   (size_t)site->number[to]];
}

/** Predict the job.
 * \param [in]  at        [nprow * npcol] The site's number of the host at each
 *                        place.
 * \param [out] forecast  Or NULL.
 * \return Seconds; INFINITY if some host has too little memory. */
double hesca_site_forecast(const hesca_site *site, const int *at,
                           hesca_forecast *forecast);

/** Record that the processes of a grid do not fit into the memory of hosts.
 * \return HESCA_ERR_ARG. */
int hesca_site_fail_memory(const char *routine, const hesca_site *site);

#endif
