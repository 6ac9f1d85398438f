/** \file exec/plan_cache.h
 * The plans of one communicator, found again by what each process told.
 *
 * A process may only take a cached plan if all take the same one, so a look-up
 * gives a plan with a serial number, the processes agree on it, and the caller
 * then takes the plan or makes one.  Insertions and removals happen at the
 * same calls on all processes, so that all hold the same plans. */
#ifndef HESCA_EXEC_PLAN_CACHE_H
#define HESCA_EXEC_PLAN_CACHE_H

#include "exec/plan.h"

/** Most plans of a communicator; looking through many costs time. */
enum { HESCA_CACHE_PLANS = 256 };

/** An empty cache; NULL if there is no memory. */
hesca_cache *hesca_cache_create(void);
void hesca_cache_free(hesca_cache *cache);

/** Drop all plans, at the same call on all processes. */
void hesca_cache_drop(hesca_cache *cache);

/** The plan used last that fits the view, NULL if there is none. */
hesca_plan *hesca_cache_find(hesca_cache *cache, const hesca_view *view);

/** The plan with a serial number that all processes have agreed on. */
hesca_plan *hesca_cache_get(hesca_cache *cache, int64_t serial);

/** The plan for a problem, by its global terms, NULL if there is none; the
 * same answer on all processes.  From now on it is found by this view. */
hesca_plan *hesca_cache_find_problem(hesca_cache *cache,
                                     const hesca_problem *problem,
                                     const hesca_view *view);

/** Count a call that takes a plan from the cache, and make that plan the one
 * used last. */
void hesca_cache_hit(hesca_cache *cache, hesca_plan *plan);

/** Keep a new plan that takes so many bytes on some process; those unused for
 * longest go until all plans fit into limit.  If this one alone does not fit
 * it is not kept: its serial stays 0, and the caller frees it. */
void hesca_cache_add(hesca_cache *cache, hesca_plan *plan,
                     const hesca_view *view, size_t memory, size_t limit);

void hesca_cache_tell(const hesca_cache *cache, hesca_cache_info *info);

#endif
