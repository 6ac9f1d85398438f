/* SPDX-License-Identifier: BSD-3-Clause */
/* The construction of an estimator. */
#include "base/status.h"
#include "pmdl/price_state.h"
#include <stdlib.h>
#include <string.h>

static int
no_memory(void)
{
    return hesca_fail(HESCA_ERR_NOMEM, 0, "an estimator");
}

/* --- terms and pars --- */

/* The distinct children of the root, with repetitions. */
static int
make_terms(hesca_price *p)
{
    const hesca_scheme *t = &p->instance->trace;
    const hesca_scheme_child one = {t->root, 1};
    const hesca_scheme_child *child = &one;
    size_t n = 1;
    int *at = malloc(((size_t)t->nnodes + 1) * sizeof *at);
    if (t->root < 0) {
        n = 0;
    } else if (t->node[t->root].kind == HESCA_SCHEME_SEQUENCE) {
        child = t->child + t->node[t->root].first;
        n = t->node[t->root].n;
    }
    p->term = malloc((n + 1) * sizeof *p->term);
    p->par = calloc(n + 1, sizeof *p->par);
    if (at == NULL || p->term == NULL || p->par == NULL) {
        free(at);
        return no_memory();
    }
    memset(at, -1, ((size_t)t->nnodes + 1) * sizeof *at);
    for (size_t k = 0; k < n; ++k) {
        const int node = child[k].node;
        if (at[node] < 0) {
            at[node] = (int)p->nterms;
            p->term[p->nterms++] = (term){node, 0, -1};
        }
        p->term[at[node]].times += (double)child[k].times;
    }
    for (size_t k = 0; k < p->nterms; ++k)
        if (t->node[p->term[k].node].kind == HESCA_SCHEME_PAR) {
            p->term[k].par = p->npars;
            p->par[p->npars].times = p->term[k].times;
            p->par[p->npars++].node = p->term[k].node;
        } else {
            p->has_units = 1;
        }
    free(at);
    return HESCA_SUCCESS;
}

/* Whether an action computes on one process, and does nothing else. */
static int
is_plain(const hesca_price *p, const hesca_rule_action *a)
{
    for (size_t k = 0; k < a->n; ++k)
        if (p->instance->trace.node[a->child[k].node].kind !=
            HESCA_SCHEME_COMPUTE)
            return 0;
    return a->nvps == 1;
}

static int
add_leaf(hesca_price *p, action *a, int node, double times)
{
    if (p->nleaves == p->leaf_room) {
        const size_t room = p->leaf_room > 0 ? 2 * p->leaf_room : 256;
        void *more = realloc(p->leaf, room * sizeof *p->leaf);
        if (more == NULL)
            return no_memory();
        p->leaf = more;
        p->leaf_room = room;
    }
    const hesca_scheme_node *x = &p->instance->trace.node[node];
    p->leaf[p->nleaves++] = (leaf){x->object, x->percent, times};
    ++a->n;
    return HESCA_SUCCESS;
}

/* The transfers of a flat action. */
static int
make_leaves(hesca_price *p, action *a)
{
    const hesca_scheme_node *node = p->instance->trace.node;
    const int only = a->rule->child[0].node;
    int err = HESCA_SUCCESS;
    a->first = p->nleaves;
    a->is_flat = a->rule->n == 1;
    if (a->is_flat && node[only].kind == HESCA_SCHEME_TRANSFER)
        return add_leaf(p, a, only, 1);
    a->is_flat &= node[only].kind == HESCA_SCHEME_PAR;
    if (a->is_flat) {
        const hesca_rule_par *inner = hesca_rules_par(p->rules, only);
        for (size_t k = 0; k < inner->nactions; ++k) {
            const hesca_rule_action *x = &inner->action[k];
            a->is_flat &= x->n == 1 && x->child[0].times == 1 &&
                          node[x->child[0].node].kind == HESCA_SCHEME_TRANSFER;
        }
        for (size_t k = 0; a->is_flat && k < inner->nactions && err == 0; ++k)
            err = add_leaf(p, a, inner->action[k].child[0].node,
                           (double)inner->action[k].times);
    }
    p->is_additive &= a->is_flat;
    return err;
}

static int
make_par(hesca_price *p, int number)
{
    par *x = &p->par[number];
    const hesca_rule_par *rule = hesca_rules_par(p->rules, x->node);
    const size_t nvps = (size_t)p->instance->nvps;
    x->now.is_dirty = x->now.is_stale = 1;
    x->first = p->nactions;
    for (size_t k = 0; k < rule->nactions; ++k) {
        const hesca_rule_action *a = &rule->action[k];
        if (a->nvps > 0) {
            x->is_general |= !is_plain(p, a);
            p->has_general |= x->is_general;
            if (x->volume == NULL)
                x->volume = calloc(nvps, sizeof *x->volume);
            if (x->time == NULL)
                x->time =
                    calloc((size_t)p->topology->ncomputers, sizeof *x->time);
            if (x->volume == NULL || x->time == NULL)
                return no_memory();
            for (size_t j = 0; !x->is_general && j < a->n; ++j)
                x->volume[a->vp[0]] +=
                    (double)a->child[j].times *
                    (p->instance->trace.node[a->child[j].node].percent / 100 *
                     p->instance->volume[a->vp[0]]);
        } else {
            p->action[p->nactions] =
                (action){.rule = a, .par = number, .now = {.is_dirty = 1}};
            const int err = make_leaves(p, &p->action[p->nactions++]);
            if (err < 0)
                return err;
        }
    }
    x->n = p->nactions - x->first;
    return HESCA_SUCCESS;
}

static int
make_pars(hesca_price *p)
{
    size_t n = 0;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < p->npars; ++k)
        n += hesca_rules_par(p->rules, p->par[k].node)->nactions;
    p->action = malloc((n + 1) * sizeof *p->action);
    if (p->action == NULL)
        return no_memory();
    for (int k = 0; k < p->npars && err == 0; ++k)
        err = make_par(p, k);
    return err;
}

/* --- the ends of transfers --- */

typedef void (*end_visitor)(hesca_price *p, int vp, size_t number,
                            int64_t end);

static void
visit_node(hesca_price *p, int node, size_t number, end_visitor visit)
{
    const hesca_scheme *t = &p->instance->trace;
    const hesca_scheme_node *x = &t->node[node];
    if (x->kind == HESCA_SCHEME_TRANSFER) {
        visit(p, p->instance->link[x->object].from, number, -1);
        visit(p, p->instance->link[x->object].to, number, -1);
        return;
    }
    for (size_t k = 0; k < x->n; ++k)
        visit_node(p, t->child[x->first + k].node, number, visit);
}

static void
visit_all(hesca_price *p, end_visitor visit)
{
    memset(p->next, 0, (size_t)p->instance->nvps * sizeof *p->next);
    for (size_t k = 0; k < p->nactions; ++k) {
        const action *a = &p->action[k];
        for (size_t j = 0; !a->is_flat && j < a->rule->n; ++j)
            visit_node(p, a->rule->child[j].node, k, visit);
        for (size_t j = a->first; a->is_flat && j < a->first + a->n; ++j) {
            const hesca_model_link *l = &p->instance->link[p->leaf[j].link];
            visit(p, l->from, k, (int64_t)j);
            visit(p, l->to, k, (int64_t)j);
        }
    }
}

/* Whether an action that is not flat was seen with a process before: next[]
 * remembers the last one. */
static int
is_known(hesca_price *p, int vp, size_t number, int64_t end)
{
    if (end >= 0)
        return 0;
    if (p->next[vp] == (int)number + 1)
        return 1;
    p->next[vp] = (int)number + 1;
    return 0;
}

static void
count_end(hesca_price *p, int vp, size_t number, int64_t end)
{
    if (!is_known(p, vp, number, end))
        ++p->touch_first[vp + 1];
}

static void
store_end(hesca_price *p, int vp, size_t number, int64_t end)
{
    if (!is_known(p, vp, number, end))
        p->touch[p->touch_first[vp]++] = (touched){number, end};
}

static int
make_touch(hesca_price *p)
{
    const int nvps = p->instance->nvps;
    visit_all(p, count_end);
    for (int k = 0; k < nvps; ++k)
        p->touch_first[k + 1] += p->touch_first[k];
    p->touch = malloc((p->touch_first[nvps] + 1) * sizeof *p->touch);
    if (p->touch == NULL)
        return no_memory();
    visit_all(p, store_end);
    for (int k = nvps; k > 0; --k)
        p->touch_first[k] = p->touch_first[k - 1];
    p->touch_first[0] = 0;
    return HESCA_SUCCESS;
}

static int
make_arrays(hesca_price *p)
{
    const size_t nvps = (size_t)p->instance->nvps;
    const size_t ncomputers = (size_t)p->topology->ncomputers;
    p->touch_first = calloc(nvps + 1, sizeof *p->touch_first);
    p->computer = malloc(nvps * sizeof *p->computer);
    p->load = calloc(ncomputers, sizeof *p->load);
    p->head = malloc(ncomputers * sizeof *p->head);
    p->next = malloc(nvps * sizeof *p->next);
    p->sorted = malloc(nvps * sizeof *p->sorted);
    if (p->touch_first == NULL || p->computer == NULL || p->load == NULL ||
        p->head == NULL || p->next == NULL || p->sorted == NULL)
        return no_memory();
    memset(p->computer, -1, nvps * sizeof *p->computer);
    memset(p->head, -1, ncomputers * sizeof *p->head);
    return HESCA_SUCCESS;
}

int
hesca_price_create(const hesca_instance *instance,
                   const hesca_topology *topology,
                   const hesca_price_options *options, hesca_price **price)
{
    int err;
    hesca_price *p = calloc(1, sizeof *p);
    *price = NULL;
    if (p == NULL)
        return no_memory();
    p->instance = instance;
    p->topology = topology;
    p->options = *options;
    p->is_additive = options->rule == HESCA_PRICE_THESIS;
    HESCA_TRY(err, hesca_rules_create(instance, &p->rules));
    HESCA_TRY(err, make_arrays(p));
    HESCA_TRY(err, make_terms(p));
    HESCA_TRY(err, make_pars(p));
    HESCA_TRY(err, make_touch(p));
    p->is_additive &= !p->has_general;
    *price = p;
    return HESCA_SUCCESS;
fail:
    hesca_price_free(p);
    return err;
}

void
hesca_price_free(hesca_price *p)
{
    if (p == NULL)
        return;
    for (int k = 0; k < p->npars; ++k) {
        free(p->par[k].volume);
        free(p->par[k].time);
    }
    hesca_rules_free(p->rules);
    free(p->term);
    free(p->par);
    free(p->action);
    free(p->leaf);
    free(p->touch_first);
    free(p->touch);
    free(p->computer);
    free(p->load);
    free(p->head);
    free(p->next);
    free(p->sorted);
    free(p->log);
    free(p);
}
