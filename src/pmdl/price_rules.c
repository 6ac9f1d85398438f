/* SPDX-License-Identifier: BSD-3-Clause */
/* Normalized pars, and the formulas of the rules. */
#include "pmdl/price_rules.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* What is below a node. */
typedef struct {
    int nvps; /* that compute */
    int *vp;  /* ascending */
    int has_transfers;
    int sender, receiver; /* of all transfers: -1 none, -2 several */
} content;

struct hesca_rules {
    const hesca_instance *instance;
    content *content;    /* [nnodes] */
    hesca_rule_par *par; /* [nnodes]; of pars */
};

static int
no_memory(void)
{
    return hesca_fail(HESCA_ERR_NOMEM, 0, "the actions of a model");
}

/* --- content --- */

static int
ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

/* The union of the children's processes. */
static int
join_vps(hesca_rules *r, const hesca_scheme_node *x, content *c)
{
    const hesca_scheme_child *child = r->instance->trace.child + x->first;
    size_t n = 0;
    for (size_t k = 0; k < x->n; ++k)
        n += (size_t)r->content[child[k].node].nvps;
    if (n == 0)
        return HESCA_SUCCESS;
    int *vp = malloc(n * sizeof *vp), m = 0;
    if (vp == NULL)
        return no_memory();
    n = 0;
    for (size_t k = 0; k < x->n; ++k) {
        const content *a = &r->content[child[k].node];
        if (a->nvps > 0)
            memcpy(vp + n, a->vp, (size_t)a->nvps * sizeof *vp);
        n += (size_t)a->nvps;
    }
    qsort(vp, n, sizeof *vp, ascending);
    for (size_t k = 0; k < n; ++k)
        if (m == 0 || vp[m - 1] != vp[k])
            vp[m++] = vp[k];
    c->vp = vp;
    c->nvps = m;
    return HESCA_SUCCESS;
}

static int
find_content(hesca_rules *r, int node)
{
    const hesca_scheme_node *x = &r->instance->trace.node[node];
    content *c = &r->content[node];
    c->sender = c->receiver = -1;
    if (x->kind == HESCA_SCHEME_COMPUTE) {
        c->vp = malloc(sizeof *c->vp);
        if (c->vp == NULL)
            return no_memory();
        c->vp[0] = x->object;
        c->nvps = 1;
    } else if (x->kind == HESCA_SCHEME_TRANSFER) {
        c->has_transfers = 1;
        c->sender = r->instance->link[x->object].from;
        c->receiver = r->instance->link[x->object].to;
    } else {
        for (size_t k = 0; k < x->n; ++k) {
            const content *a =
                &r->content[r->instance->trace.child[x->first + k].node];
            c->has_transfers |= a->has_transfers;
            c->sender = hesca_rules_only(c->sender, a->sender);
            c->receiver = hesca_rules_only(c->receiver, a->receiver);
        }
        return join_vps(r, x, c);
    }
    return HESCA_SUCCESS;
}

/* --- normalization --- */

static int
add_action(hesca_rule_par *p, const int *vp, int nvps,
           const hesca_scheme_child *child, size_t n, int64_t times)
{
    if ((p->nactions & (p->nactions - 1)) == 0) {
        const size_t room = p->nactions > 0 ? 2 * p->nactions : 1;
        void *more = realloc(p->action, room * sizeof *p->action);
        if (more == NULL)
            return no_memory();
        p->action = more;
    }
    hesca_rule_action *a = &p->action[p->nactions];
    *a = (hesca_rule_action){.nvps = nvps, .n = n, .times = times};
    a->vp = malloc(((size_t)nvps + 1) * sizeof *a->vp);
    a->child = malloc(n * sizeof *a->child);
    ++p->nactions;
    if (a->vp == NULL || a->child == NULL)
        return no_memory();
    if (nvps > 0)
        memcpy(a->vp, vp, (size_t)nvps * sizeof *vp);
    memcpy(a->child, child, n * sizeof *child);
    return HESCA_SUCCESS;
}

/* All actions of a par that is flattened into another one. */
static int
add_actions(hesca_rule_par *p, const hesca_rule_par *inner, int64_t times)
{
    int err = HESCA_SUCCESS;
    for (size_t k = 0; k < inner->nactions && err == 0; ++k) {
        const hesca_rule_action *a = &inner->action[k];
        err = add_action(p, a->vp, a->nvps, a->child, a->n, a->times * times);
    }
    return err;
}

static int
by_process(const void *x, const void *y)
{
    const hesca_rule_action *const *a = x, *const *b = y;
    if ((*a)->vp[0] != (*b)->vp[0])
        return (*a)->vp[0] < (*b)->vp[0] ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

/* Add up the actions of the same single process (trap A): the first of them
 * gets the children of all. */
static int
merge(hesca_rule_par *p)
{
    hesca_rule_action **list = malloc((p->nactions + 1) * sizeof *list);
    size_t n = 0, m = 0;
    if (list == NULL)
        return no_memory();
    for (size_t k = 0; k < p->nactions; ++k)
        if (p->action[k].nvps == 1)
            list[n++] = &p->action[k];
    qsort(list, n, sizeof *list, by_process);
    for (size_t k = 0, end; k < n; k = end) {
        size_t count = 0;
        for (end = k; end < n && list[end]->vp[0] == list[k]->vp[0]; ++end)
            count += list[end]->n;
        hesca_scheme_child *all = malloc(count * sizeof *all);
        if (all == NULL) {
            free(list);
            return no_memory();
        }
        count = 0;
        for (size_t j = k; j < end; ++j) {
            for (size_t i = 0; i < list[j]->n; ++i) {
                all[count] = list[j]->child[i];
                all[count++].times *= list[j]->times;
            }
            if (j > k)
                list[j]->n = 0;
        }
        free(list[k]->child);
        list[k]->child = all;
        list[k]->n = count;
        list[k]->times = 1;
    }
    free(list);
    for (size_t k = 0; k < p->nactions; ++k) {
        if (p->action[k].n > 0) {
            p->action[m++] = p->action[k];
            continue;
        }
        free(p->action[k].vp);
        free(p->action[k].child);
    }
    p->nactions = m;
    return HESCA_SUCCESS;
}

static int
normalize(hesca_rules *r, int node)
{
    const hesca_scheme *t = &r->instance->trace;
    const hesca_scheme_node *x = &t->node[node];
    const hesca_scheme_child *child = t->child + x->first;
    hesca_rule_par *p = &r->par[node];
    int sender = -1, receiver = -1, err = HESCA_SUCCESS;
    for (size_t k = 0; k < x->n; ++k) {
        const content *c = &r->content[child[k].node];
        if (c->nvps == 0) {
            sender = hesca_rules_only(sender, c->sender);
            receiver = hesca_rules_only(receiver, c->receiver);
        }
    }
    const int is_flat = sender != -2 || receiver != -2;
    for (size_t k = 0; k < x->n && err == 0; ++k) {
        const int inner = child[k].node;
        const content *c = &r->content[inner];
        const hesca_scheme_child once = {inner, 1};
        if (t->node[inner].kind == HESCA_SCHEME_PAR &&
            (c->nvps == 0 ? is_flat : !c->has_transfers))
            err = add_actions(p, &r->par[inner], child[k].times);
        else
            err = add_action(p, c->vp, c->nvps, &once, 1, child[k].times);
    }
    return err < 0 ? err : merge(p);
}

int
hesca_rules_create(const hesca_instance *instance, hesca_rules **rules)
{
    const hesca_scheme *t = &instance->trace;
    const size_t n = (size_t)t->nnodes + 1;
    hesca_rules *r = calloc(1, sizeof *r);
    int err = HESCA_SUCCESS;
    *rules = NULL;
    if (r == NULL)
        return no_memory();
    r->instance = instance;
    r->content = calloc(n, sizeof *r->content);
    r->par = calloc(n, sizeof *r->par);
    if (r->content == NULL || r->par == NULL)
        err = no_memory();
    for (int k = 0; k < t->nnodes && err == 0; ++k) {
        err = find_content(r, k);
        if (err == 0 && t->node[k].kind == HESCA_SCHEME_PAR)
            err = normalize(r, k);
    }
    if (err < 0)
        hesca_rules_free(r);
    else
        *rules = r;
    return err;
}

void
hesca_rules_free(hesca_rules *r)
{
    if (r == NULL)
        return;
    for (int k = 0; k < r->instance->trace.nnodes; ++k) {
        if (r->content != NULL)
            free(r->content[k].vp);
        for (size_t j = 0; r->par != NULL && j < r->par[k].nactions; ++j) {
            free(r->par[k].action[j].vp);
            free(r->par[k].action[j].child);
        }
        if (r->par != NULL)
            free(r->par[k].action);
    }
    free(r->content);
    free(r->par);
    free(r);
}

const hesca_rule_par *
hesca_rules_par(const hesca_rules *rules, int node)
{
    return &rules->par[node];
}

/* --- formulas --- */

void
hesca_rules_pattern_join(hesca_rule_pattern *p, const hesca_topology *topology,
                         const hesca_rule_pattern *other)
{
    if (other->layer < 0)
        return;
    p->layer = p->layer < 0
                   ? other->layer
                   : hesca_topology_cover(topology, p->layer, other->layer);
    p->sender = hesca_rules_only(p->sender, other->sender);
    p->receiver = hesca_rules_only(p->receiver, other->receiver);
}

void
hesca_rules_pattern_add(hesca_rule_pattern *p, const hesca_topology *topology,
                        const hesca_rule_transfer *t)
{
    const hesca_rule_pattern one = {
        hesca_topology_cover(topology,
                             topology->computer[t->from_computer].layer,
                             topology->computer[t->to_computer].layer),
        t->from, t->to};
    hesca_rules_pattern_join(p, topology, &one);
}

double
hesca_rules_transfers(const hesca_rule_pattern *p,
                      const hesca_topology *topology, double sum, double most)
{
    if (p->layer < 0)
        return 0;
    const hesca_layer *l = &topology->layer[p->layer];
    if (!l->is_parallel || sum == most)
        return sum;
    if (p->sender != -2)
        return l->broadcast * most + (1 - l->broadcast) * sum;
    if (p->receiver != -2)
        return l->gather * most + (1 - l->gather) * sum;
    return most;
}

double
hesca_rules_compute_seconds(const hesca_topology *topology,
                            const hesca_price_options *options, double percent,
                            double volume, int computer)
{
    return percent / 100 * volume *
           (options->seconds / topology->computer[computer].speed);
}

double
hesca_rules_transfer_seconds(const hesca_topology *topology,
                             const hesca_price_options *options,
                             double percent, double bytes, int from, int to)
{
    const hesca_layer *l = &topology->layer[hesca_topology_cover(
        topology, topology->computer[from].layer,
        topology->computer[to].layer)];
    const double part = percent / 100;
    return options->by_unit ? hesca_layer_seconds(l, part * bytes)
                            : part * hesca_layer_seconds(l, bytes);
}

/* --- ports --- */

typedef struct {
    const hesca_instance *instance;
    const hesca_topology *topology;
    const hesca_price_options *options;
    const int *computer;
    double *sends, *receives; /* [nvps] when a process can again */
    double *layer;            /* [nlayers] when a serial layer can again */
} ports;

/* The end of a node whose first transfers may begin at `start`. */
static double
port_node(ports *x, int node, double start)
{
    const hesca_scheme *t = &x->instance->trace;
    const hesca_scheme_node *n = &t->node[node];
    double end = start;
    if (n->kind == HESCA_SCHEME_TRANSFER) {
        const hesca_model_link *l = &x->instance->link[n->object];
        const int from = x->computer[l->from], to = x->computer[l->to];
        if (from < 0 || to < 0)
            return start;
        const int cover = hesca_topology_cover(
            x->topology, x->topology->computer[from].layer,
            x->topology->computer[to].layer);
        const int is_serial = !x->topology->layer[cover].is_parallel;
        if (x->sends[l->from] > end)
            end = x->sends[l->from];
        if (x->receives[l->to] > end)
            end = x->receives[l->to];
        if (is_serial && x->layer[cover] > end)
            end = x->layer[cover];
        end += hesca_rules_transfer_seconds(x->topology, x->options,
                                            n->percent, l->bytes, from, to);
        x->sends[l->from] = x->receives[l->to] = end;
        if (is_serial)
            x->layer[cover] = end;
        return end;
    }
    for (size_t k = 0; k < n->n; ++k) {
        const hesca_scheme_child c = t->child[n->first + k];
        for (int64_t i = 0; i < c.times; ++i) {
            const double e = port_node(
                x, c.node, n->kind == HESCA_SCHEME_SEQUENCE ? end : start);
            end = e > end ? e : end;
        }
    }
    return end;
}

double
hesca_rules_ports(const hesca_rules *rules, const hesca_rule_par *par,
                  const hesca_instance *instance,
                  const hesca_topology *topology,
                  const hesca_price_options *options, const int *computer)
{
    const size_t nvps = (size_t)instance->nvps;
    ports x = {.instance = instance,
               .topology = topology,
               .options = options,
               .computer = computer};
    double end = 0;
    (void)rules;
    x.sends = calloc(2 * nvps + (size_t)topology->nlayers, sizeof *x.sends);
    if (x.sends == NULL)
        return no_memory();
    x.receives = x.sends + nvps;
    x.layer = x.receives + nvps;
    for (size_t k = 0; k < par->nactions; ++k) {
        const hesca_rule_action *a = &par->action[k];
        for (int64_t i = 0; a->nvps == 0 && i < a->times; ++i) {
            double e = 0;
            for (size_t j = 0; j < a->n; ++j)
                for (int64_t m = 0; m < a->child[j].times; ++m)
                    e = port_node(&x, a->child[j].node, e);
            end = e > end ? e : end;
        }
    }
    free(x.sends);
    return end;
}
