/** \file exec/cache.h
 * The plans of one communicator, found again by what each process told.
 *
 * A process may only take a cached plan if all take the same one, so a look-up
 * gives a serial number, the processes agree on it, and the caller then takes
 * the plan or makes one.  Insertions and removals happen at the same calls on
 * all processes, so that all hold the same plans. */
#ifndef HESCA_EXEC_CACHE_H
#define HESCA_EXEC_CACHE_H

#include "exec/plan.h"

/** A call as one process sees it; compared byte by byte, so it is zeroed
 * before it is filled. */
typedef struct {
    int64_t part, m, n, esize;
    hesca_side a, b; /* zero if the process is not in the grid; no lld */
} hesca_view;

enum { HESCA_CACHE_PLANS = 64 };

hesca_cache *hesca_cache_create(void);
void hesca_cache_free(hesca_cache *cache);

/** The plan used last that fits the view, NULL if there is none. */
hesca_plan *hesca_cache_find(hesca_cache *cache, const hesca_view *view);

/** The plan for a problem, by its global terms, NULL if there is none; the
 * same answer on all processes.  From now on it is found by this view. */
hesca_plan *hesca_cache_find_problem(hesca_cache *cache,
                                     const hesca_problem *problem,
                                     const hesca_view *view);

/** Mark a plan as the one used last. */
void hesca_cache_touch(hesca_cache *cache, const hesca_plan *plan);

/** Keep a plan; the one unused for longest goes if there are too many. */
void hesca_cache_add(hesca_cache *cache, hesca_plan *plan,
                     const hesca_view *view);

#endif
