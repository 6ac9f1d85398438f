/** \file bcast/tree_search.h
 * Making a tree better: branches that are late are cut off and searched where
 * they are in time. */
#ifndef HESCA_BCAST_TREE_SEARCH_H
#define HESCA_BCAST_TREE_SEARCH_H

#include "bcast/tree.h"
#include <stdint.h>

typedef struct {
    const hesca_broadcast_problem *problem;
    hesca_tree *tree;  /* what is made better */
    hesca_tree before; /* to return to */
    char *wanted;      /* [nproc] destinations */
    int *over;         /* [nproc] who is before it on its shortest path from
                          root and may serve as relay, -1: nobody */
    double *into;      /* [nproc * nproc] the costs, receiver by receiver */
    int *branch;       /* [nproc] cut off */
    int nbranches;
    long effort;     /* that is left */
    uint64_t random; /* pseudo, from a fixed seed: the same everywhere */
} hesca_tree_search;

/** HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_tree_search_init(hesca_tree_search *x, hesca_tree *tree);

/** Graft single branches as long as that helps.
 * \param [in] effort  How often to look for a place, O(nproc) each. */
void hesca_tree_search_improve(hesca_tree_search *x, long effort);

/** Cut a few processes and their branches off and search them all, again and
 * again; keep what is not worse.
 * \param [in] effort  As above. */
void hesca_tree_search_shake(hesca_tree_search *x, long effort);

void hesca_tree_search_clear(hesca_tree_search *x);

#endif
