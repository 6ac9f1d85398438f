/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/price.h
 * How long a model takes with its processes on given computers: the estimate
 * of HMPI_Timeof (HMPI 3.4).
 *
 * A unit of computation takes percent / 100 x volume x seconds[computer]; a
 * transfer percent / 100 x the time of all bytes of its link on the lowest
 * layer around both computers (or, with by_unit, the time of percent / 100 of
 * the bytes).  Units of processes that are not mapped take no time.  Sequences
 * add up.  A par is normalized first, whatever the mapping:
 * - Actions that consist of one par with nothing but single computations are
 *   replaced by those.
 * - Actions that consist of a par with nothing but transfers are replaced by
 *   its actions if all transfers of the (outer) par's transfer-only actions
 *   together have one sender or one receiver; else each stays one action, so
 *   that its pattern is recognized.
 * - Computing actions of one and the same single process (all their
 *   computations are by that process) are added to one action.
 * Then, with v_c processes mapped to computer c, f_c processors,
 * - T_c is the sum of the ceil(v_c / f_c), at least 1, largest times of
 *   actions that compute on c;
 * - B are the actions without computations that take any time.  Their time is
 *   the sum S of their times if the lowest layer around all computers of
 *   transfers in B is serial; else, with M the largest, f_b M + (1 - f_b) S if
 *   all transfers in B have one sender, f_g M + (1 - f_g) S if they have one
 *   receiver, and M otherwise.  Transfers of processes that are not mapped
 *   count for none of this.  One transfer alone: M.
 * - The par takes max(max T_c, time of B).
 *
 * Rule HESCA_PRICE_PORTS replaces the time of B: every process sends one
 * message at a time and receives one at a time, in the order of the trace, on
 * a layer that is serial one message at a time in all; the end of the last one
 * counts.  T_c and the rest stay. */
#ifndef HESCA_PMDL_PRICE_H
#define HESCA_PMDL_PRICE_H

#include "machine/topology.h"
#include "pmdl/instance.h"

typedef enum { HESCA_PRICE_THESIS, HESCA_PRICE_PORTS } hesca_price_rule;

/** What an estimate depends on besides instance and mapping. */
typedef struct {
    hesca_price_rule rule;
    int by_unit;    /**< transfers are priced by the bytes of the unit */
    double seconds; /**< of a unit of the benchmark where p is 1; > 0 */
} hesca_price_options;

/** An estimator for one instance on one network, both of which must outlive
 * it.  It has a mapping: at first no process is mapped. */
typedef struct hesca_price hesca_price;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_price_create(const hesca_instance *instance,
                       const hesca_topology *topology,
                       const hesca_price_options *options,
                       hesca_price **price);
void hesca_price_free(hesca_price *price);

/** Map process vp to a computer, -1: to none.  What depends on it is
 * recomputed; the rest is kept. */
void hesca_price_map(hesca_price *price, int vp, int computer);

/** Map all processes. \param [in] computer  [nvps] */
void hesca_price_map_all(hesca_price *price, const int *computer);

/** Seconds for the present mapping; negative without memory.  The same, bit
 * for bit, however the mapping was reached. */
double hesca_price_total(hesca_price *price);

/** Seconds if vp were mapped to a computer; the mapping stays. */
double hesca_price_try(hesca_price *price, int vp, int computer);

/** Seconds if two processes exchanged their computers. */
double hesca_price_try_swap(hesca_price *price, int a, int b);

/** Where process vp is mapped, -1: nowhere. */
int hesca_price_where(const hesca_price *price, int vp);

/** Estimates made so far: calls of total, try and try_swap. */
int64_t hesca_price_count(const hesca_price *price);

/** About how many nanoseconds hesca_price_try() takes on a core of 3 GHz, by
 * the sizes of what it updates: to limit searches without measuring. */
int64_t hesca_price_cost(const hesca_price *price);

/** Seconds of one node of the trace for the present mapping. */
double hesca_price_node(hesca_price *price, int node);

/** Seconds, computed from the rules above without any reuse: what the
 * estimator is tested against.
 * \param [in] computer  [nvps] -1: not mapped.
 * \return Seconds, or a negative hesca_status. */
double hesca_price_plainly(const hesca_instance *instance,
                           const hesca_topology *topology,
                           const hesca_price_options *options,
                           const int *computer);

#endif
