/** \file bcast/tree_search.h
 * Making a tree better: branches that are late are cut off and grafted where
 * they are in time. */
#ifndef HESCA_BCAST_TREE_SEARCH_H
#define HESCA_BCAST_TREE_SEARCH_H

#include "bcast/tree.h"
#include <stdint.h>

typedef struct {
    const hesca_cast *cast;
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
} hesca_graft;

/** HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_graft_make(hesca_graft *x, hesca_tree *tree);

/** Graft single branches as long as that helps.
 * \param [in] effort  How often to look for a place, O(nproc) each. */
void hesca_graft_improve(hesca_graft *x, long effort);

/** Cut a few processes and their branches off and graft them all, again and
 * again; keep what is not worse.
 * \param [in] effort  As above. */
void hesca_graft_shake(hesca_graft *x, long effort);

void hesca_graft_clear(hesca_graft *x);

#endif
