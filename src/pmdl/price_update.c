/* SPDX-License-Identifier: BSD-3-Clause */
/* What the estimator keeps, computed for the present mapping: T_c of
 * computers, links, transfer-only actions, pars. */
#include "pmdl/price_state.h"
#include <string.h>

/* --- computations ---
 * Processes of a computer are visited in ascending order, so that sums do not
 * depend on the order in which they were mapped. */

void
hesca_price_maxima(size_t n, double *restrict a, const double *restrict b)
{
    for (size_t k = 0; k < n; k += 4)
        for (size_t j = k; j < k + 4; ++j)
            a[j] = a[j] > b[j] ? a[j] : b[j];
}

static void
add(size_t n, double *restrict a, const double *restrict b)
{
    for (size_t k = 0; k < n; k += 4)
        for (size_t j = k; j < k + 4; ++j)
            a[j] += b[j];
}

/* The sum of the `most` largest volumes of a computer in one par. */
static double
largest(const hesca_price *p, size_t column, int c, int most)
{
    double *v = p->sorted, sum = 0;
    int n = 0;
    for (int vp = p->head[c]; vp >= 0; vp = p->next[vp]) {
        const double e = p->volume[(size_t)vp * p->ncolumns + column];
        int k = n < most ? n++ : most;
        for (; k > 0 && v[k - 1] < e; --k)
            if (k < most)
                v[k] = v[k - 1];
        if (k < most)
            v[k] = e;
    }
    for (int k = 0; k < n; ++k)
        sum += v[k];
    return sum;
}

void
hesca_price_row(hesca_price *p, int c, double *row)
{
    const hesca_computer *x = &p->topology->computer[c];
    const int share = hesca_rules_share(p->load[c], x->nprocessors);
    const double scale = p->options.seconds / x->speed;
    const size_t n = p->ncolumns;
    memset(row, 0, n * sizeof *row);
    if (share > 1 && share < p->load[c]) {
        for (size_t k = 0; k < n; ++k)
            row[k] = largest(p, k, c, share);
    } else {
        for (int vp = p->head[c]; vp >= 0; vp = p->next[vp])
            (share == 1 ? hesca_price_maxima
                        : add)(n, row, p->volume + (size_t)vp * n);
    }
    for (size_t k = 0; k < n; ++k)
        row[k] *= scale;
}

/* --- transfers --- */

void
hesca_price_links(hesca_price *p, int vp)
{
    const hesca_topology *t = p->topology;
    for (size_t k = p->links.first[vp]; k < p->links.first[vp + 1]; ++k) {
        const hesca_model_link *l = &p->instance->link[p->links.list[k]];
        hesca_price_link *x = &p->link[p->links.list[k]];
        const int from = p->computer[l->from], to = p->computer[l->to];
        x->layer = -1;
        if (from < 0 || to < 0)
            continue;
        x->layer = hesca_topology_cover(t, t->computer[from].layer,
                                        t->computer[to].layer);
        x->seconds = hesca_layer_seconds(&t->layer[x->layer], l->bytes);
    }
}

/* Seconds of a transfer of a mapped link: as hesca_rules_transfer_seconds().
 */
static inline double
transfer_seconds(const hesca_price *p, int link, double part)
{
    const hesca_price_link *x = &p->link[link];
    return p->options.by_unit
               ? hesca_layer_seconds(&p->topology->layer[x->layer],
                                     part * p->instance->link[link].bytes)
               : part * x->seconds;
}

/* Join transfers; most often, their layer is the same. */
static inline void
add_transfer(const hesca_price *p, hesca_rule_pattern *pattern, int layer,
             int from, int to)
{
    if (pattern->layer != layer) {
        hesca_rules_pattern_join(pattern, p->topology,
                                 &(hesca_rule_pattern){layer, from, to});
        return;
    }
    pattern->sender = hesca_rules_only(pattern->sender, from);
    pattern->receiver = hesca_rules_only(pattern->receiver, to);
}

/* Seconds of a node of transfers; their pattern is joined. */
static double
transfers(const hesca_price *p, int node, hesca_rule_pattern *pattern)
{
    const hesca_scheme *t = &p->instance->trace;
    const hesca_scheme_node *x = &t->node[node];
    double sum = 0, most = 0;
    if (x->kind == HESCA_SCHEME_TRANSFER) {
        const hesca_model_link *l = &p->instance->link[x->object];
        if (p->link[x->object].layer < 0)
            return 0;
        add_transfer(p, pattern, p->link[x->object].layer, l->from, l->to);
        return transfer_seconds(p, x->object, x->percent / 100);
    }
    if (x->kind == HESCA_SCHEME_PAR) {
        const hesca_rule_par *rule = hesca_rules_par(p->rules, node);
        hesca_rule_pattern inner = hesca_rules_pattern();
        for (size_t k = 0; k < rule->nactions; ++k) {
            const hesca_rule_action *a = &rule->action[k];
            double s = 0;
            for (size_t j = 0; j < a->n; ++j)
                s += (double)a->child[j].times *
                     transfers(p, a->child[j].node, &inner);
            sum += (double)a->times * s;
            most = s > most ? s : most;
        }
        hesca_rules_pattern_join(pattern, p->topology, &inner);
        return hesca_rules_transfers(&inner, p->topology, sum, most);
    }
    for (size_t k = 0; k < x->n; ++k)
        sum += (double)t->child[x->first + k].times *
               transfers(p, t->child[x->first + k].node, pattern);
    return sum;
}

/* A par of single transfers, without the detour over nodes. */
static void
update_leaves(const hesca_price *p, hesca_price_action *a)
{
    double sum = 0, most = 0;
    hesca_rule_pattern pattern = hesca_rules_pattern();
    for (size_t k = a->first; k < a->first + a->n; ++k) {
        const hesca_price_leaf *l = &p->leaf[k];
        const int layer = p->link[l->link].layer;
        if (layer < 0)
            continue;
        const double s = transfer_seconds(p, l->link, l->part);
        sum += s;
        most = s > most ? s : most;
        add_transfer(p, &pattern, layer, l->from, l->to);
    }
    a->seconds = hesca_rules_transfers(&pattern, p->topology, sum, most);
    a->pattern = pattern;
}

void
hesca_price_update_action(hesca_price *p, hesca_price_action *a)
{
    a->is_stale = 0;
    if (a->n > 0) {
        update_leaves(p, a);
        return;
    }
    a->seconds = 0;
    a->pattern = hesca_rules_pattern();
    for (size_t k = 0; k < a->rule->n; ++k)
        a->seconds += (double)a->rule->child[k].times *
                      transfers(p, a->rule->child[k].node, &a->pattern);
}

/* --- pars --- */

/* Actions number k to end - 1 make a block. */
static void
update_block(hesca_price *p, hesca_price_block *b, size_t k, size_t end)
{
    b->sum = b->most = 0;
    b->pattern = hesca_rules_pattern();
    b->is_stale = 0;
    for (; k < end; ++k) {
        hesca_price_action *a = &p->action[k];
        if (a->is_stale)
            hesca_price_update_action(p, a);
        if (a->pattern.layer < 0)
            continue;
        add_transfer(p, &b->pattern, a->pattern.layer, a->pattern.sender,
                     a->pattern.receiver);
        b->sum += a->times * a->seconds;
        b->most = a->seconds > b->most ? a->seconds : b->most;
    }
}

static double
all_actions(hesca_price *p, const hesca_price_par *x)
{
    hesca_rule_pattern pattern = hesca_rules_pattern();
    hesca_price_block *b = p->block + x->block;
    const size_t end = x->first + x->n;
    double sum = 0, most = 0;
    for (size_t k = x->first; k < end; k += HESCA_PRICE_BLOCK, ++b) {
        if (b->is_stale)
            update_block(p, b, k,
                         end - k > HESCA_PRICE_BLOCK ? k + HESCA_PRICE_BLOCK
                                                     : end);
        if (b->pattern.layer < 0)
            continue;
        add_transfer(p, &pattern, b->pattern.layer, b->pattern.sender,
                     b->pattern.receiver);
        sum += b->sum;
        most = b->most > most ? b->most : most;
    }
    return hesca_rules_transfers(&pattern, p->topology, sum, most);
}

void
hesca_price_update_par(hesca_price *p, hesca_price_par *x)
{
    if (x->is_general)
        x->seconds =
            hesca_rules_price(p->rules, p->instance, p->topology, &p->options,
                              p->computer, p->load, x->node);
    else if (p->options.rule == HESCA_PRICE_PORTS)
        x->seconds = hesca_rules_ports(
            p->rules, hesca_rules_par(p->rules, x->node), p->instance,
            p->topology, &p->options, p->computer);
    else
        x->seconds = all_actions(p, x);
    if (x->seconds < 0)
        p->err = (int)x->seconds;
    x->is_stale = 0;
}

double
hesca_price_unit(const hesca_price *p, int node)
{
    const hesca_scheme_node *x = &p->instance->trace.node[node];
    if (x->kind == HESCA_SCHEME_TRANSFER)
        return p->link[x->object].layer < 0
                   ? 0
                   : transfer_seconds(p, x->object, x->percent / 100);
    return p->computer[x->object] < 0
               ? 0
               : hesca_rules_compute_seconds(
                     p->topology, &p->options, x->percent,
                     p->instance->volume[x->object], p->computer[x->object]);
}
