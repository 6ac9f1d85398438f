/* SPDX-License-Identifier: BSD-3-Clause */
/** \file bcast/tree_search.h
 * Local search in trees: late branches are detached and attached at better
 * places. */
#ifndef HESCA_BCAST_TREE_SEARCH_H
#define HESCA_BCAST_TREE_SEARCH_H

#include "bcast/tree.h"
#include <stdint.h>

typedef struct {
    const hesca_broadcast_problem *problem;
    hesca_tree *tree;  /* the tree that is improved */
    hesca_tree before; /* the tree before a perturbation */
    char *wanted;      /* [nproc] destinations */
    int *relay_of;     /* [nproc] predecessor on the shortest path from root,
                          which may be a relay; -1: none */
    double *cost_to;   /* [nproc * nproc] the costs, by receiver */
    int *branch;       /* [nproc] detached branches */
    int nbranches;
    long effort;     /* number of moves left */
    uint64_t random; /* pseudorandom, from a fixed seed: the same on every
                        process */
} hesca_tree_search;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_tree_search_init(hesca_tree_search *x, hesca_tree *tree);

/** Move single branches as long as this makes the finish earlier.
 * \param [in] effort  Largest number of searches for a place, O(nproc) each.
 */
void hesca_tree_search_improve(hesca_tree_search *x, long effort);

/** Repeatedly detach a few processes and their branches and attach them again;
 * the result is used if it is not worse.
 * \param [in] effort  As for hesca_tree_search_improve(). */
void hesca_tree_search_shake(hesca_tree_search *x, long effort);

void hesca_tree_search_clear(hesca_tree_search *x);

#endif
