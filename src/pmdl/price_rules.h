/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/price_rules.h
 * What both estimators share: normalized pars, and the arithmetic of the rules
 * in pmdl/price.h. */
#ifndef HESCA_PMDL_PRICE_RULES_H
#define HESCA_PMDL_PRICE_RULES_H

#include "pmdl/price.h"

/** An action of a normalized par: its children one after another. */
typedef struct {
    int nvps; /**< processes that compute in it; 0: transfers alone */
    int *vp;  /**< [nvps] ascending */
    size_t n;
    hesca_scheme_child *child; /**< [n] */
    int64_t times;             /**< so many equal actions */
} hesca_rule_action;

typedef struct {
    size_t nactions;
    hesca_rule_action *action;
} hesca_rule_par;

/** The normalized pars of a trace. */
typedef struct hesca_rules hesca_rules;

int hesca_rules_create(const hesca_instance *instance, hesca_rules **rules);
void hesca_rules_free(hesca_rules *rules);
const hesca_rule_par *hesca_rules_par(const hesca_rules *rules, int node);

/** A transfer between mapped processes. */
typedef struct {
    int from, to; /**< processes */
    int from_computer, to_computer;
    double seconds;
} hesca_rule_transfer;

/** The pattern of a set of transfers. */
typedef struct {
    int layer;            /**< around all; -1: no transfers */
    int sender, receiver; /**< the only one; -1: none yet, -2: several */
} hesca_rule_pattern;

static inline hesca_rule_pattern
hesca_rules_pattern(void)
{
    return (hesca_rule_pattern){-1, -1, -1};
}

/** The only one of two, each -1, -2 or a process. */
static inline int
hesca_rules_only(int a, int b)
{
    return a == -1 || a == b ? b : b == -1 ? a : -2;
}

void hesca_rules_pattern_add(hesca_rule_pattern *p,
                             const hesca_topology *topology,
                             const hesca_rule_transfer *t);

/** The union of two patterns. */
void hesca_rules_pattern_join(hesca_rule_pattern *p,
                              const hesca_topology *topology,
                              const hesca_rule_pattern *other);

/** The time of transfers whose times sum to `sum`, the longest of them
 * `most`. */
double hesca_rules_transfers(const hesca_rule_pattern *p,
                             const hesca_topology *topology, double sum,
                             double most);

/** Seconds of units of mapped processes. */
double hesca_rules_compute_seconds(const hesca_topology *topology,
                                   const hesca_price_options *options,
                                   double percent, double volume,
                                   int computer);
double hesca_rules_transfer_seconds(const hesca_topology *topology,
                                    const hesca_price_options *options,
                                    double percent, double bytes, int from,
                                    int to);

/** Processes that share a processor: ceil(v / f), at least 1. */
static inline int
hesca_rules_share(int v, int f)
{
    return v <= f ? 1 : (v + f - 1) / f;
}

/** The time of a par's transfer-only actions by HESCA_PRICE_PORTS; negative:
 * no memory.
 * \param [in] computer  [nvps] */
double hesca_rules_ports(const hesca_rules *rules, const hesca_rule_par *par,
                         const hesca_instance *instance,
                         const hesca_topology *topology,
                         const hesca_price_options *options,
                         const int *computer);

/** Seconds of one node without any reuse, as hesca_price_plainly().
 * \param [in] computer  [nvps]
 * \param [in] load      [ncomputers] processes on each. */
double hesca_rules_price(const hesca_rules *rules,
                         const hesca_instance *instance,
                         const hesca_topology *topology,
                         const hesca_price_options *options,
                         const int *computer, const int *load, int node);

#endif
