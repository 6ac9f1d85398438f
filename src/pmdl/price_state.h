/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/price_state.h
 * What the estimator keeps.
 *
 * The distinct children of the root are terms, each with the number of its
 * repetitions (price_terms.c).  A par with an action that computes for several
 * processes, or that computes and sends, is general: it is priced as a whole.
 * For the others there is kept
 * - of computations: a column of a matrix of T_c, with a row for each
 *   computer, at the leaves of a binary tree whose inner rows are the maxima
 *   of two; so that row 1 has max T_c of all pars;
 * - of transfers: time and pattern of each transfer-only action, of blocks of
 *   HESCA_PRICE_BLOCK actions of a par, and the time of all of them.
 * All are recomputed from their parts in a fixed order, nothing is added or
 * subtracted later, so that an estimate does not depend on how its mapping was
 * reached. */
#ifndef HESCA_PMDL_PRICE_STATE_H
#define HESCA_PMDL_PRICE_STATE_H

#include "pmdl/price_rules.h"

/** A part of the estimate: a par, or a unit. */
typedef struct {
    double times;
    int node;
    int par; /**< -1: a unit */
} hesca_price_term;

/** A par among the terms. */
typedef struct {
    int node, is_general;
    int column;      /**< of its computations; -1: none, or general */
    size_t first, n; /**< transfer-only actions */
    size_t block;    /**< the first of their blocks */
    double seconds;  /**< of transfer-only actions; general: of the par */
    int is_stale;    /**< seconds must be computed again */
} hesca_price_par;

/** A transfer; for actions that have nothing else. */
typedef struct {
    int link, from, to;
    double part; /**< of its bytes */
} hesca_price_leaf;

/** A transfer-only action. */
typedef struct {
    const hesca_rule_action *rule;
    double times;    /**< so many equal actions */
    size_t first, n; /**< leaves of a par of single transfers; n is 0 if the
                          action is anything else */
    double seconds;
    hesca_rule_pattern pattern;
    size_t block;
    int is_stale;
} hesca_price_action;

enum { HESCA_PRICE_BLOCK = 16 };

/** Successive actions of a par: the sum and the largest of their times. */
typedef struct {
    double sum, most;
    hesca_rule_pattern pattern;
    int par, is_stale;
} hesca_price_block;

/** A link for the present mapping. */
typedef struct {
    int layer;      /**< around both ends; -1: not mapped */
    double seconds; /**< of all its bytes */
} hesca_price_link;

/** Lists by process: list[first[vp] ... first[vp + 1] - 1]. */
typedef struct {
    size_t *first, *list;
} hesca_price_index;

struct hesca_price {
    const hesca_instance *instance;
    const hesca_topology *topology;
    hesca_price_options options;
    hesca_rules *rules;
    hesca_price_term *term;
    size_t nterms;
    hesca_price_par *par;
    int npars;
    hesca_price_action *action;
    size_t nactions;
    hesca_price_block *block;
    size_t nblocks;
    hesca_price_leaf *leaf;
    hesca_price_link *link;    /**< [nlinks] */
    hesca_price_index links;   /**< of a process */
    hesca_price_index actions; /**< that send to or from a process */
    int *general;              /**< [ngeneral] pars */
    int ngeneral;
    size_t ncolumns;  /**< a multiple of 4 */
    size_t nleaves;   /**< of the tree: a power of 2 */
    double *volume;   /**< [nvps][ncolumns] percent / 100 x volume */
    double *time;     /**< [2 nleaves][ncolumns]: T_c is in nleaves + c */
    double *trial;    /**< [2][ncolumns] of a trial */
    int *computer;    /**< [nvps] */
    int *load;        /**< [ncomputers] */
    int *head, *next; /**< processes of a computer, ascending: [ncomputers],
                           [nvps] */
    double *sorted;   /**< [nvps] scratch */
    hesca_price_action *old_action; /**< of a trial: what it changes */
    hesca_price_block *old_block;
    double *old_par; /**< [npars] */
    size_t *changed_action, *changed_block;
    int *changed_par;
    size_t nchanged_actions, nchanged_blocks;
    int nchanged_pars;
    int err;
    int64_t count, cost;
};

/** Set terms, and the nodes of pars. */
int hesca_price_make_terms(hesca_price *p);

/** \name Recomputation for the present mapping
 * \{ */

/** T_c of all pars. \param [out] row  [ncolumns] */
void hesca_price_row(hesca_price *p, int c, double *row);

/** a = max(a, b), for n elements, a multiple of 4. */
void hesca_price_maxima(size_t n, double *a, const double *b);

/** The links of a process. */
void hesca_price_links(hesca_price *p, int vp);

/** What of an action, of a par is stale. */
void hesca_price_update_action(hesca_price *p, hesca_price_action *a);
void hesca_price_update_par(hesca_price *p, hesca_price_par *x);

/** Seconds of a term that is a unit. */
double hesca_price_unit(const hesca_price *p, int node);

/** \} */

/** The tree's row of a node; 1 is the root. */
static inline double *
hesca_price_tree(const hesca_price *p, size_t node)
{
    return p->time + node * p->ncolumns;
}

#endif
