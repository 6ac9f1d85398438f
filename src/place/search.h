/** \file place/search.h
 * Hosts for the places of a grid.  Pure. */
#ifndef HESCA_PLACE_SEARCH_H
#define HESCA_PLACE_SEARCH_H

#include "place/site.h"

/** A grid being filled. */
typedef struct {
    const hesca_site *site;
    int first;      /**< the site's number of the host of place 0 */
    int *at;        /**< [places] the best so far */
    int *tried;     /**< [places] */
    int *taken;     /**< [nhosts] processes of each in a simple filling */
    int *left;      /**< [nhosts] processes that are not in `tried` */
    int *order;     /**< [nhosts] */
    double seconds; /**< of `at`; INFINITY: none fits */
    double budget;  /**< forecasts that may still be made */
} hesca_search;

enum { HESCA_SEARCH_STEPS = 10000000 }; /**< some 0.1 s */

/** Make it; `first` stays at place 0.
 * \param [in]  steps  Of all forecasts together, about.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_search_init(const hesca_site *site, int first, double steps,
                      hesca_search *s);
void hesca_search_clear(hesca_search *s);

/** Fill the grid in some simple orders: hosts one after the other along rows,
 * along columns, ...; keep the best. */
void hesca_search_begin(hesca_search *s);

/** Try all ways to fill the grid, if the budget allows.
 * \return 1: `at` is the best there is; 0: nothing was done. */
int hesca_search_all(hesca_search *s);

/** Exchange hosts, of two places or of a place and one that is left over, as
 * long as that helps and the budget lasts; from what hesca_search_begin()
 * tries, and from other fillings at random. */
void hesca_search_improve(hesca_search *s);

/** Give the places processes: those of a host in ascending order.
 * \param [in]  host     [nprocs] The site's number of each process's host.
 * \param [out] process  [places] Process 0 is at place 0. */
void hesca_search_assign(const hesca_search *s, int nprocs, const int *host,
                         int *process);

#endif
