/* SPDX-License-Identifier: BSD-3-Clause */
/** \file place/search.h
 * Search for the hosts of the places of a grid.  Pure. */
#ifndef HESCA_PLACE_SEARCH_H
#define HESCA_PLACE_SEARCH_H

#include "place/site.h"

/** A search. */
typedef struct {
    const hesca_site *site;
    int first;      /**< the site's number of the host of place 0 */
    int *at;        /**< [places] the best grid so far */
    int *tried;     /**< [places] the current grid */
    int *taken;     /**< [nhosts] processes of each host in a simple filling */
    int *left;      /**< [nhosts] processes not in `tried` */
    int *order;     /**< [nhosts] */
    double seconds; /**< of `at`; INFINITY: none is feasible */
    double budget;  /**< forecasts that remain */
} hesca_search;

enum { HESCA_SEARCH_STEPS = 10000000 }; /**< some 0.1 s */

/** Initialize a search; `first` stays at place 0.
 * \param [in]  steps  Approximate steps of all forecasts together.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_search_init(const hesca_site *site, int first, double steps,
                      hesca_search *s);
void hesca_search_clear(hesca_search *s);

/** Fill the grid in simple orders: hosts one after the other along rows, along
 * columns, ...; `at` becomes the best. */
void hesca_search_begin(hesca_search *s);

/** Try all fillings of the grid, if the budget allows.
 * \return 1: `at` is optimal; 0: nothing was done. */
int hesca_search_all(hesca_search *s);

/** Exchange hosts, of two places or of a place and an unused process, as long
 * as that helps and the budget allows; starting from the fillings of
 * hesca_search_begin(), and then from random changes of the best. */
void hesca_search_improve(hesca_search *s);

/** Assign processes to the places: those of a host in ascending order.
 * \param [in]  host     [nprocs] The site's number of each process's host.
 * \param [out] process  [places] Process 0 is at place 0. */
void hesca_search_assign(const hesca_search *s, int nprocs, const int *host,
                         int *process);

#endif
