/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimate from its rules, node by node, without any reuse: what the
 * estimator of price.c is tested against. */
#include "base/status.h"
#include "pmdl/price_rules.h"
#include <stdlib.h>

/* So many equal actions. */
typedef struct {
    double seconds;
    int64_t times;
} action_time;

typedef struct {
    const hesca_instance *instance;
    const hesca_topology *topology;
    const hesca_price_options *options;
    const hesca_rules *rules;
    const int *computer;
    const int *load;   /* [ncomputers] processes */
    action_time *time; /* scratch */
    int err;
} pricing;

static double price(pricing *x, int node);

/* A transfer of a node; 0 if it takes no part. */
static int
transfer_of(pricing *x, int node, hesca_rule_transfer *t)
{
    const hesca_scheme_node *n = &x->instance->trace.node[node];
    const hesca_model_link *l = &x->instance->link[n->object];
    const int from = x->computer[l->from], to = x->computer[l->to];
    if (from < 0 || to < 0)
        return 0;
    *t = (hesca_rule_transfer){
        l->from, l->to, from, to,
        hesca_rules_transfer_seconds(x->topology, x->options, n->percent,
                                     l->bytes, from, to)};
    return 1;
}

static double
price_unit(pricing *x, const hesca_scheme_node *n, int node)
{
    hesca_rule_transfer t;
    if (n->kind == HESCA_SCHEME_TRANSFER)
        return transfer_of(x, node, &t) ? t.seconds : 0;
    const int c = x->computer[n->object];
    return c < 0 ? 0
                 : hesca_rules_compute_seconds(
                       x->topology, x->options, n->percent,
                       x->instance->volume[n->object], c);
}

static double
price_sequence(pricing *x, const hesca_scheme_child *child, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; ++k)
        sum += (double)child[k].times * price(x, child[k].node);
    return sum;
}

static int
descending(const void *a, const void *b)
{
    const double x = ((const action_time *)a)->seconds;
    const double y = ((const action_time *)b)->seconds;
    return x > y ? -1 : x < y;
}

/* Whether an action computes on a computer. */
static int
is_on(const pricing *x, const hesca_rule_action *a, int c)
{
    for (int k = 0; k < a->nvps; ++k)
        if (x->computer[a->vp[k]] == c)
            return 1;
    return 0;
}

/* T_c of one computer. */
static double
price_computer(pricing *x, const hesca_rule_par *par, int c)
{
    size_t n = 0;
    double sum = 0;
    int64_t most =
        hesca_rules_share(x->load[c], x->topology->computer[c].nprocessors);
    for (size_t k = 0; k < par->nactions; ++k) {
        const hesca_rule_action *a = &par->action[k];
        if (a->nvps > 0 && is_on(x, a, c)) {
            double t = 0;
            for (size_t j = 0; j < a->n; ++j)
                t += (double)a->child[j].times * price(x, a->child[j].node);
            x->time[n++] = (action_time){t, a->times};
        }
    }
    qsort(x->time, n, sizeof *x->time, descending);
    for (size_t k = 0; k < n && most > 0; ++k) {
        const int64_t times =
            x->time[k].times < most ? x->time[k].times : most;
        sum += (double)times * x->time[k].seconds;
        most -= times;
    }
    return sum;
}

/* All transfers below a node, in the order of the trace. */
static void
collect(pricing *x, int node, hesca_rule_pattern *p)
{
    const hesca_scheme_node *n = &x->instance->trace.node[node];
    hesca_rule_transfer t;
    if (n->kind == HESCA_SCHEME_TRANSFER) {
        if (transfer_of(x, node, &t) && t.seconds > 0)
            hesca_rules_pattern_add(p, x->topology, &t);
        return;
    }
    for (size_t k = 0; k < n->n; ++k)
        collect(x, x->instance->trace.child[n->first + k].node, p);
}

static double
price_transfers(pricing *x, const hesca_rule_par *par)
{
    hesca_rule_pattern p = hesca_rules_pattern();
    double sum = 0, most = 0;
    for (size_t k = 0; k < par->nactions; ++k) {
        const hesca_rule_action *a = &par->action[k];
        if (a->nvps > 0)
            continue;
        double t = 0;
        for (size_t j = 0; j < a->n; ++j) {
            collect(x, a->child[j].node, &p);
            t += (double)a->child[j].times * price(x, a->child[j].node);
        }
        sum += (double)a->times * t;
        most = t > most ? t : most;
    }
    return hesca_rules_transfers(&p, x->topology, sum, most);
}

static double
price_par(pricing *x, int node)
{
    const hesca_rule_par *par = hesca_rules_par(x->rules, node);
    double most = x->options->rule == HESCA_PRICE_PORTS
                      ? hesca_rules_ports(x->rules, par, x->instance,
                                          x->topology, x->options, x->computer)
                      : price_transfers(x, par);
    action_time *outer = x->time;
    x->time = malloc((par->nactions + 1) * sizeof *x->time);
    if (x->time == NULL || most < 0)
        x->err = hesca_fail(HESCA_ERR_NOMEM, 0, "an estimate");
    for (int c = 0; x->err == 0 && c < x->topology->ncomputers; ++c) {
        const double t = price_computer(x, par, c);
        most = t > most ? t : most;
    }
    free(x->time);
    x->time = outer;
    return most;
}

static double
price(pricing *x, int node)
{
    const hesca_scheme_node *n = &x->instance->trace.node[node];
    if (x->err < 0)
        return 0;
    switch (n->kind) {
    case HESCA_SCHEME_SEQUENCE:
        return price_sequence(x, x->instance->trace.child + n->first, n->n);
    case HESCA_SCHEME_PAR:
        return price_par(x, node);
    default:
        return price_unit(x, n, node);
    }
}

double
hesca_rules_price(const hesca_rules *rules, const hesca_instance *instance,
                  const hesca_topology *topology,
                  const hesca_price_options *options, const int *computer,
                  const int *load, int node)
{
    pricing x = {.instance = instance,
                 .topology = topology,
                 .options = options,
                 .rules = rules,
                 .computer = computer,
                 .load = load};
    const double seconds = price(&x, node);
    return x.err < 0 ? x.err : seconds;
}

double
hesca_price_plainly(const hesca_instance *instance,
                    const hesca_topology *topology,
                    const hesca_price_options *options, const int *computer)
{
    hesca_rules *rules = NULL;
    double seconds = 0;
    int err;
    int *load = calloc((size_t)topology->ncomputers, sizeof *load);
    if (load == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "an estimate");
    HESCA_TRY(err, hesca_rules_create(instance, &rules));
    for (int k = 0; k < instance->nvps; ++k)
        if (computer[k] >= 0)
            ++load[computer[k]];
    if (instance->trace.root >= 0)
        seconds = hesca_rules_price(rules, instance, topology, options,
                                    computer, load, instance->trace.root);
fail:
    free(load);
    hesca_rules_free(rules);
    return err < 0 ? err : seconds;
}
