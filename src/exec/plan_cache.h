/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/plan_cache.h
 * The plans of one communicator, found by the arguments that each process
 * passed.
 *
 * A process may use a cached plan only if all use the same one. So a look-up
 * returns a plan with a serial number, the processes agree on it, and the
 * caller then uses that plan or makes one. Insertions and removals happen at
 * the same calls on all processes, so that all caches hold the same plans. */
#ifndef HESCA_EXEC_PLAN_CACHE_H
#define HESCA_EXEC_PLAN_CACHE_H

#include "exec/plan.h"

/** Most plans of a communicator; a search is linear. */
enum { HESCA_CACHE_PLANS = 256 };

/** An empty cache; NULL if there is no memory. */
hesca_cache *hesca_cache_create(void);
void hesca_cache_free(hesca_cache *cache);

/** Free all plans, at the same call on all processes. */
void hesca_cache_drop(hesca_cache *cache);

/** The most recently used plan with this view, NULL if there is none. */
hesca_plan *hesca_cache_find(hesca_cache *cache, const hesca_view *view);

/** The plan with a serial number that all processes have agreed on. */
hesca_plan *hesca_cache_get(hesca_cache *cache, int64_t serial);

/** The plan for a problem in global terms, NULL if there is none; the same
 * result on all processes. From then on it is found by this view. */
hesca_plan *hesca_cache_find_problem(hesca_cache *cache,
                                     const hesca_problem *problem,
                                     const hesca_view *view);

/** Count a hit, and make the plan the most recently used one. */
void hesca_cache_hit(hesca_cache *cache, hesca_plan *plan);

/** Add a new plan that takes at most memory bytes on any process; the least
 * recently used plans are freed until all fit into limit. A plan that does not
 * fit alone is not added: its serial stays 0, and the caller frees it. */
void hesca_cache_add(hesca_cache *cache, hesca_plan *plan,
                     const hesca_view *view, size_t memory, size_t limit);

/** The counts of the cache. */ void
hesca_cache_report(const hesca_cache *cache, hesca_cache_info *info);

#endif
