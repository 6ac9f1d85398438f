/** \file bcast/tree.h
 * A broadcast as a tree with ordered children.
 *
 * Given the tree, the best order is known: a sender serves its children by
 * falling tails, what is left to do after it is free again (Jackson's rule,
 * one machine with delivery times).  So a tree alone tells its completion
 * time, and searching for a broadcast is searching for a tree. */
#ifndef HESCA_BCAST_TREE_H
#define HESCA_BCAST_TREE_H

#include "bcast/growth.h"

typedef struct {
    const hesca_broadcast_problem *problem;
    int *parent;    /* [nproc] -1: root, or not in the tree */
    int *first;     /* [nproc] first child, -1: none */
    int *next;      /* [nproc] sibling that is served next, -1: none */
    double *busy;   /* [nproc] seconds of the parent for it */
    double *rest;   /* [nproc] seconds from then to its arrival */
    double *tail;   /* [nproc] seconds from having the message to the arrival
                       at the last one below */
    double *arrive; /* [nproc] hesca_tree_arrivals() sets it; INFINITY: not in
                       the tree */
    int *stack;     /* [nproc] work space */
} hesca_tree;

/** A tree of the root alone. HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_tree_init(hesca_tree *t, const hesca_broadcast_problem *problem);

/** Make it the root alone again. */
void hesca_tree_reset(hesca_tree *t);

/** The same tree; both are of one problem. */
void hesca_tree_copy(hesca_tree *to, const hesca_tree *from);

/** Make it that of a broadcast whose processes receive once. */
void hesca_tree_read(hesca_tree *t, const hesca_broadcast *b);

/** Make it what parent[] says, for all that have one. */
void hesca_tree_build(hesca_tree *t, const int *parent);

/** Put j and what is below it under i.  O(children on the way to the root). */
void hesca_tree_attach(hesca_tree *t, int i, int j);

/** Take j and what is below it away. */
void hesca_tree_detach(hesca_tree *t, int j);

/** What the tail of i would be with j, which is not in the tree, under it. */
double hesca_tree_tail_with(const hesca_tree *t, int i, int j);

/** Take away who has no destination below and is none. */
void hesca_tree_prune(hesca_tree *t, const char *wanted);

/** Set the arrivals of all. O(nproc). */
void hesca_tree_arrivals(hesca_tree *t);

/** The broadcast. */
void hesca_tree_write(hesca_tree *t, hesca_broadcast *b);

void hesca_tree_clear(hesca_tree *t);

#endif
