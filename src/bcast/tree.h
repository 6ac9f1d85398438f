/* SPDX-License-Identifier: BSD-3-Clause */
/** \file bcast/tree.h
 * A broadcast as a tree with ordered children.
 *
 * For a given tree the best order is known: a sender sends to its children by
 * descending time that remains after it is free again (Jackson's rule, one
 * machine with delivery times).  So the completion time is a function of the
 * tree alone, and the search for a broadcast is a search for a tree. */
#ifndef HESCA_BCAST_TREE_H
#define HESCA_BCAST_TREE_H

#include "bcast/growth.h"

typedef struct {
    const hesca_broadcast_problem *problem;
    int *parent;    /* [nproc] -1: root, or not in the tree */
    int *first;     /* [nproc] first child; -1: none */
    int *next;      /* [nproc] next sibling; -1: none */
    double *busy;   /* [nproc] seconds for which the message to a process
                       occupies its parent */
    double *rest;   /* [nproc] seconds from then to the arrival */
    double *tail;   /* [nproc] seconds from the arrival at a process to the
                       last arrival below it */
    double *arrive; /* [nproc] set by hesca_tree_arrivals(); INFINITY: not in
                       the tree */
    int *stack;     /* [nproc] work space */
} hesca_tree;

/** A tree of the root alone.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_tree_init(hesca_tree *t, const hesca_broadcast_problem *problem);

/** Reset the tree to the root alone. */
void hesca_tree_reset(hesca_tree *t);

/** Copy a tree; both must be of the same problem. */
void hesca_tree_copy(hesca_tree *to, const hesca_tree *from);

/** The tree of a broadcast in which every process receives at most once. */
void hesca_tree_read(hesca_tree *t, const hesca_broadcast *b);

/** The tree with the given parents; -1: root, or not in the tree. */
void hesca_tree_build(hesca_tree *t, const int *parent);

/** Attach j, with the branch below it, to i.  O(number of children on the path
 * to the root). */
void hesca_tree_attach(hesca_tree *t, int i, int j);

/** Detach j, with the branch below it, from its parent. */
void hesca_tree_detach(hesca_tree *t, int j);

/** The tail that i would have if the detached j were its child. */
double hesca_tree_tail_with(const hesca_tree *t, int i, int j);

/** Remove processes that are not destinations and have none below them. */
void hesca_tree_prune(hesca_tree *t, const char *wanted);

/** Set the arrivals of all processes.  O(nproc). */
void hesca_tree_arrivals(hesca_tree *t);

/** Write the sends of the tree, in the best order. */
void hesca_tree_write(hesca_tree *t, hesca_broadcast *b);

void hesca_tree_clear(hesca_tree *t);

#endif
