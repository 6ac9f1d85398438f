/* SPDX-License-Identifier: BSD-3-Clause */
/* Construction of the estimator: pars, actions, and which of them depend on a
 * process. */
#include "base/status.h"
#include "pmdl/price_state.h"
#include <stdlib.h>
#include <string.h>

static int
no_memory(void)
{
    return hesca_fail(HESCA_ERR_NOMEM, 0, "an estimator");
}

/* --- pars --- */

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

/* Whether an action is one transfer; its own repetitions are its par's. */
static int
is_transfer(const hesca_price *p, const hesca_rule_action *a)
{
    return a->n == 1 && a->child[0].times == 1 &&
           p->instance->trace.node[a->child[0].node].kind ==
               HESCA_SCHEME_TRANSFER;
}

/* The single transfers that an action, or the par in it, consists of.
 * \param [out] leaf  NULL: count only.
 * \return How many; 0: it is of another kind, and nothing is written. */
static size_t
find_leaves(const hesca_price *p, const hesca_rule_action *a,
            hesca_price_leaf *leaf)
{
    const hesca_scheme *t = &p->instance->trace;
    size_t n = 1;
    if (a->n == 1 && a->child[0].times == 1 &&
        t->node[a->child[0].node].kind == HESCA_SCHEME_PAR) {
        const hesca_rule_par *par =
            hesca_rules_par(p->rules, a->child[0].node);
        a = par->action;
        n = par->nactions;
        for (size_t k = 0; k < n; ++k)
            if (a[k].times != 1)
                return 0;
    }
    for (size_t k = 0; k < n; ++k)
        if (!is_transfer(p, &a[k]))
            return 0;
    for (size_t k = 0; leaf != NULL && k < n; ++k) {
        const hesca_scheme_node *x = &t->node[a[k].child[0].node];
        const hesca_model_link *l = &p->instance->link[x->object];
        leaf[k] =
            (hesca_price_leaf){x->object, l->from, l->to, x->percent / 100};
    }
    return n;
}

static void
count_parts(hesca_price *p, size_t *nactions, size_t *nleaves)
{
    for (int k = 0; k < p->npars; ++k) {
        hesca_price_par *x = &p->par[k];
        const hesca_rule_par *rule = hesca_rules_par(p->rules, x->node);
        x->column = -1;
        x->is_stale = 1;
        for (size_t j = 0; j < rule->nactions; ++j) {
            const hesca_rule_action *a = &rule->action[j];
            if (a->nvps == 0) {
                ++*nactions;
                *nleaves += find_leaves(p, a, NULL);
            } else if (is_plain(p, a)) {
                x->column = 0;
            } else {
                x->is_general = 1;
            }
        }
        if (x->is_general)
            x->column = -1;
        else if (x->column == 0)
            x->column = (int)p->ncolumns++;
        p->ngeneral += x->is_general;
    }
    p->ncolumns = (p->ncolumns + 3) / 4 * 4;
}

static void
fill_par(hesca_price *p, int number, size_t *nleaves)
{
    hesca_price_par *x = &p->par[number];
    const hesca_rule_par *rule = hesca_rules_par(p->rules, x->node);
    const hesca_instance *instance = p->instance;
    x->first = p->nactions;
    x->block = p->nblocks;
    if (x->is_general)
        p->general[p->ngeneral++] = number;
    for (size_t k = 0; k < rule->nactions && !x->is_general; ++k) {
        const hesca_rule_action *a = &rule->action[k];
        if (a->nvps == 0) {
            if ((p->nactions - x->first) % HESCA_PRICE_BLOCK == 0)
                p->block[p->nblocks++] =
                    (hesca_price_block){.par = number, .is_stale = 1};
            hesca_price_action *y = &p->action[p->nactions++];
            *y = (hesca_price_action){.rule = a,
                                      .times = (double)a->times,
                                      .block = p->nblocks - 1,
                                      .first = *nleaves,
                                      .is_stale = 1};
            y->n = find_leaves(p, a, p->leaf + *nleaves);
            *nleaves += y->n;
            continue;
        }
        double *volume = p->volume + (size_t)a->vp[0] * p->ncolumns;
        for (size_t j = 0; j < a->n; ++j)
            volume[x->column] +=
                (double)a->child[j].times *
                (instance->trace.node[a->child[j].node].percent / 100 *
                 instance->volume[a->vp[0]]);
    }
    x->n = p->nactions - x->first;
}

static int
make_pars(hesca_price *p)
{
    const size_t nvps = (size_t)p->instance->nvps;
    size_t nactions = 0, nleaves = 0;
    count_parts(p, &nactions, &nleaves);
    for (p->nleaves = 1; p->nleaves < (size_t)p->topology->ncomputers;)
        p->nleaves *= 2;
    p->action = malloc((nactions + 1) * sizeof *p->action);
    p->block = malloc((nactions + 1) * sizeof *p->block);
    p->old_block = malloc((nactions + 1) * sizeof *p->old_block);
    p->changed_block = malloc((nactions + 1) * sizeof *p->changed_block);
    p->leaf = malloc((nleaves + 1) * sizeof *p->leaf);
    p->general = malloc(((size_t)p->ngeneral + 1) * sizeof *p->general);
    p->volume = calloc(nvps * p->ncolumns + 1, sizeof *p->volume);
    p->time = calloc(2 * p->nleaves * p->ncolumns + 1, sizeof *p->time);
    p->trial = malloc((2 * p->ncolumns + 1) * sizeof *p->trial);
    p->old_action = malloc((nactions + 1) * sizeof *p->old_action);
    p->changed_action = malloc((nactions + 1) * sizeof *p->changed_action);
    p->old_par = malloc(((size_t)p->npars + 1) * sizeof *p->old_par);
    p->changed_par = malloc(((size_t)p->npars + 1) * sizeof *p->changed_par);
    if (p->action == NULL || p->block == NULL || p->old_block == NULL ||
        p->changed_block == NULL || p->leaf == NULL || p->general == NULL ||
        p->volume == NULL || p->time == NULL || p->trial == NULL ||
        p->old_action == NULL || p->changed_action == NULL ||
        p->old_par == NULL || p->changed_par == NULL)
        return no_memory();
    p->ngeneral = 0;
    nleaves = 0;
    for (int k = 0; k < p->npars; ++k)
        fill_par(p, k, &nleaves);
    return HESCA_SUCCESS;
}

/* --- what depends on a process ---
 * An index is made in two passes over the same entries: in the first, list is
 * NULL and entries are counted. */

static void
enter(hesca_price_index *x, int vp, size_t entry)
{
    if (x->list != NULL)
        x->list[x->first[vp]] = entry;
    ++x->first[vp];
}

static void
enter_links(hesca_price *p, hesca_price_index *x)
{
    for (int k = 0; k < p->instance->nlinks; ++k) {
        enter(x, p->instance->link[k].from, (size_t)k);
        enter(x, p->instance->link[k].to, (size_t)k);
    }
}

/* Enter an action for every process at an end of a transfer below a node;
 * sorted[] has the last one entered for a process. */
static void
enter_ends(hesca_price *p, hesca_price_index *x, int node, size_t number)
{
    const hesca_scheme *t = &p->instance->trace;
    const hesca_scheme_node *n = &t->node[node];
    if (n->kind != HESCA_SCHEME_TRANSFER) {
        for (size_t k = 0; k < n->n; ++k)
            enter_ends(p, x, t->child[n->first + k].node, number);
        return;
    }
    const hesca_model_link *l = &p->instance->link[n->object];
    for (int end = 0; end < 2; ++end) {
        const int vp = end == 0 ? l->from : l->to;
        if (p->sorted[vp] != (double)number)
            enter(x, vp, number);
        p->sorted[vp] = (double)number;
    }
}

static void
enter_actions(hesca_price *p, hesca_price_index *x)
{
    for (int k = 0; k < p->instance->nvps; ++k)
        p->sorted[k] = -1;
    for (size_t k = 0; k < p->nactions; ++k)
        for (size_t j = 0; j < p->action[k].rule->n; ++j)
            enter_ends(p, x, p->action[k].rule->child[j].node, k);
}

static int
make_index(hesca_price *p, hesca_price_index *x,
           void (*enter_all)(hesca_price *, hesca_price_index *))
{
    const int n = p->instance->nvps;
    size_t sum = 0;
    x->first = calloc((size_t)n + 1, sizeof *x->first);
    if (x->first == NULL)
        return no_memory();
    enter_all(p, x);
    for (int k = 0; k <= n; ++k) {
        const size_t count = x->first[k];
        x->first[k] = sum;
        sum += count;
    }
    x->list = malloc((sum + 1) * sizeof *x->list);
    if (x->list == NULL)
        return no_memory();
    enter_all(p, x);
    memmove(x->first + 1, x->first, (size_t)n * sizeof *x->first);
    x->first[0] = 0;
    return HESCA_SUCCESS;
}

/* The mean over processes of what a trial updates, in nanoseconds: an action
 * 40 and 4 for each transfer, a par 5 for each action of a block and each
 * block. */
static int64_t
mean_cost(const hesca_price *p)
{
    const double nvps = p->instance->nvps;
    double sum = 0, general = 0;
    for (int vp = 0; vp < p->instance->nvps; ++vp) {
        int last = -1;
        for (size_t k = p->actions.first[vp]; k < p->actions.first[vp + 1];
             ++k) {
            const hesca_price_action *a = &p->action[p->actions.list[k]];
            sum += 40 + 4 * (double)a->n;
            const int par = p->block[a->block].par;
            if (par != last)
                sum += 5 * (HESCA_PRICE_BLOCK +
                            (double)p->par[par].n / HESCA_PRICE_BLOCK);
            last = par;
        }
    }
    for (int k = 0; k < p->ngeneral; ++k)
        general +=
            10.0 * p->topology->ncomputers *
            (double)hesca_rules_par(p->rules, p->par[p->general[k]].node)
                ->nactions;
    return (int64_t)(500 + 3 * (double)p->nterms + 10 * (double)p->ncolumns +
                     general + sum / nvps);
}

/* --- the estimator --- */

static int
make_arrays(hesca_price *p)
{
    const size_t nvps = (size_t)p->instance->nvps;
    const size_t ncomputers = (size_t)p->topology->ncomputers;
    const size_t nlinks = (size_t)p->instance->nlinks;
    p->computer = malloc(nvps * sizeof *p->computer);
    p->load = calloc(ncomputers, sizeof *p->load);
    p->head = malloc(ncomputers * sizeof *p->head);
    p->next = malloc(nvps * sizeof *p->next);
    p->sorted = malloc(nvps * sizeof *p->sorted);
    p->link = malloc((nlinks + 1) * sizeof *p->link);
    if (p->computer == NULL || p->load == NULL || p->head == NULL ||
        p->next == NULL || p->sorted == NULL || p->link == NULL)
        return no_memory();
    memset(p->computer, -1, nvps * sizeof *p->computer);
    memset(p->head, -1, ncomputers * sizeof *p->head);
    for (size_t k = 0; k < nlinks; ++k)
        p->link[k] = (hesca_price_link){-1, 0};
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
    HESCA_TRY(err, hesca_rules_create(instance, &p->rules));
    HESCA_TRY(err, make_arrays(p));
    HESCA_TRY(err, hesca_price_make_terms(p));
    HESCA_TRY(err, make_pars(p));
    HESCA_TRY(err, make_index(p, &p->links, enter_links));
    HESCA_TRY(err, make_index(p, &p->actions, enter_actions));
    p->cost = mean_cost(p);
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
    void *const list[] = {p->term,           p->par,           p->action,
                          p->leaf,           p->link,          p->general,
                          p->links.first,    p->links.list,    p->volume,
                          p->time,           p->actions.first, p->actions.list,
                          p->trial,          p->sorted,        p->computer,
                          p->load,           p->head,          p->next,
                          p->old_action,     p->old_par,       p->changed_par,
                          p->changed_action, p->block,         p->old_block,
                          p->changed_block};
    hesca_rules_free(p->rules);
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k)
        free(list[k]);
    free(p);
}
