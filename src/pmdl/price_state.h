/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/price_state.h
 * The state of an estimator: made by price_build.c, used by price.c. */
#ifndef HESCA_PMDL_PRICE_STATE_H
#define HESCA_PMDL_PRICE_STATE_H

#include "pmdl/price_rules.h"

/** A child of the root, with its repetitions. */
typedef struct {
    int node;
    double times;
    int par; /**< -1: a unit */
} term;

/** Times of transfers that the rule combines: their sum, the longest, their
 * pattern. */
typedef struct {
    double sum, most;
    hesca_rule_pattern pattern;
} together;

typedef struct {
    double seconds, transfers; /**< of all, of transfer-only actions */
    together parts;            /**< of its transfer-only actions */
    double most;               /**< of T_c, at computer most_at */
    int most_at;
    int is_dirty, is_stale; /**< seconds are, transfers are to be updated */
} par_state;

typedef struct {
    int node, is_general;
    double times;    /**< of its term */
    double *volume;  /**< [nvps] percent / 100 x volume; NULL: none computes */
    double *time;    /**< [ncomputers] T_c */
    size_t first, n; /**< transfer-only actions */
    par_state now;
} par;

typedef struct {
    double seconds;
    together parts; /**< of the leaves of a flat action */
    int is_dirty;
} action_state;

/** A transfer of a flat action. */
typedef struct {
    int link;
    double percent, times;
} leaf;

/** A flat action is a transfer, or a par of transfers. */
typedef struct {
    const hesca_rule_action *rule;
    int par, is_flat;
    size_t first, n; /**< leaves */
    action_state now;
} action;

/** An end of a transfer of a process: leaf is that of a flat action, or -1. */
typedef struct {
    size_t action;
    int64_t leaf;
} touched;

/** What was changed: one of three kinds. */
typedef struct {
    par *par;
    action *action;
    double *value;
    par_state old_par;
    action_state old_action;
    double old_value;
} change;

struct hesca_price {
    const hesca_instance *instance;
    const hesca_topology *topology;
    hesca_price_options options;
    hesca_rules *rules;
    term *term;
    size_t nterms;
    par *par;
    int npars;
    action *action;
    size_t nactions;
    leaf *leaf;
    size_t nleaves, leaf_room;
    size_t *touch_first; /**< [nvps + 1] into touch */
    touched *touch;      /**< by process, ascending */
    int *computer;       /**< [nvps] */
    int *load;           /**< [ncomputers] */
    int *head, *next;    /**< processes of a computer: [ncomputers], [nvps] */
    double *sorted;      /**< [nvps] scratch */
    change *log;         /**< of a trial */
    size_t nlog, log_room;
    int is_trying, err;
    int has_general, has_units;
    int is_additive; /**< every par is simple, every action flat */
    int64_t count;
};

#endif
