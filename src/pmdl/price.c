/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimator: what does not depend on a moved process is kept.  Mapping a
 * process updates rows of T_c and links, and marks transfers as stale; a trial
 * computes them aside, or saves what it changes and puts it back. */
#include "pmdl/price_state.h"
#include <string.h>

/* --- processes of computers --- */

static void
leave(hesca_price *p, int vp, int c)
{
    int *at = &p->head[c];
    while (*at != vp)
        at = &p->next[*at];
    *at = p->next[vp];
    --p->load[c];
}

static void
join(hesca_price *p, int vp, int c)
{
    int *at = &p->head[c];
    while (*at >= 0 && *at < vp)
        at = &p->next[*at];
    p->next[vp] = *at;
    *at = vp;
    ++p->load[c];
}

static void
move(hesca_price *p, int vp, int computer)
{
    if (p->computer[vp] >= 0)
        leave(p, vp, p->computer[vp]);
    if (computer >= 0)
        join(p, vp, computer);
    p->computer[vp] = computer;
    hesca_price_links(p, vp);
}

/* --- mapping --- */

/* T_c, and the maxima above it. */
static void
update_computer(hesca_price *p, int c)
{
    size_t node = p->nleaves + (size_t)c;
    const size_t size = p->ncolumns * sizeof *p->time;
    if (c < 0 || size == 0)
        return;
    hesca_price_row(p, c, hesca_price_tree(p, node));
    for (node /= 2; node > 0; node /= 2) {
        double *row = hesca_price_tree(p, node);
        memcpy(row, hesca_price_tree(p, 2 * node), size);
        hesca_price_maxima(p->ncolumns, row,
                           hesca_price_tree(p, 2 * node + 1));
    }
}

void
hesca_price_map(hesca_price *p, int vp, int computer)
{
    const int old = p->computer[vp];
    if (old == computer)
        return;
    move(p, vp, computer);
    update_computer(p, old);
    update_computer(p, computer);
    for (size_t k = p->actions.first[vp]; k < p->actions.first[vp + 1]; ++k) {
        hesca_price_action *a = &p->action[p->actions.list[k]];
        hesca_price_block *b = &p->block[a->block];
        a->is_stale = b->is_stale = p->par[b->par].is_stale = 1;
    }
    for (int k = 0; k < p->ngeneral; ++k)
        p->par[p->general[k]].is_stale = 1;
}

void
hesca_price_map_all(hesca_price *p, const int *computer)
{
    for (int k = 0; k < p->instance->nvps; ++k)
        hesca_price_map(p, k, computer[k]);
}

/* --- estimates --- */

/* The sum of all terms; what is stale is computed first.
 * \param [in] most  [ncolumns] max T_c of each par. */
static double
sum_terms(hesca_price *p, const double *most)
{
    double sum = 0;
    for (size_t k = 0; k < p->nterms; ++k) {
        const hesca_price_term *t = &p->term[k];
        if (t->par < 0) {
            sum += t->times * hesca_price_unit(p, t->node);
            continue;
        }
        hesca_price_par *x = &p->par[t->par];
        if (x->is_stale)
            hesca_price_update_par(p, x);
        const double s = x->column >= 0 && most[x->column] > x->seconds
                             ? most[x->column]
                             : x->seconds;
        sum += t->times * s;
    }
    return p->err < 0 ? p->err : sum;
}

double
hesca_price_total(hesca_price *p)
{
    ++p->count;
    return sum_terms(p, hesca_price_tree(p, 1));
}

/* --- trials --- */

static void
save_par(hesca_price *p, int number)
{
    hesca_price_par *x = &p->par[number];
    if (x->is_stale)
        return;
    x->is_stale = 1;
    p->old_par[p->nchanged_pars] = x->seconds;
    p->changed_par[p->nchanged_pars++] = number;
}

static void
save_block(hesca_price *p, size_t number)
{
    hesca_price_block *b = &p->block[number];
    if (b->is_stale)
        return;
    p->old_block[p->nchanged_blocks] = *b;
    p->changed_block[p->nchanged_blocks++] = number;
    b->is_stale = 1;
}

/* Save what depends on a process.  Actions and blocks can be stale before,
 * where their pars do not need them. */
static void
save(hesca_price *p, int vp)
{
    for (size_t k = p->actions.first[vp]; k < p->actions.first[vp + 1]; ++k) {
        const size_t number = p->actions.list[k];
        hesca_price_action *a = &p->action[number];
        save_par(p, p->block[a->block].par);
        save_block(p, a->block);
        if (a->is_stale)
            continue;
        p->old_action[p->nchanged_actions] = *a;
        p->changed_action[p->nchanged_actions++] = number;
        a->is_stale = 1;
    }
    for (int k = 0; k < p->ngeneral; ++k)
        save_par(p, p->general[k]);
}

static void
put_back(hesca_price *p)
{
    for (size_t k = 0; k < p->nchanged_actions; ++k)
        p->action[p->changed_action[k]] = p->old_action[k];
    for (size_t k = 0; k < p->nchanged_blocks; ++k)
        p->block[p->changed_block[k]] = p->old_block[k];
    for (int k = 0; k < p->nchanged_pars; ++k) {
        p->par[p->changed_par[k]].seconds = p->old_par[k];
        p->par[p->changed_par[k]].is_stale = 0;
    }
    p->nchanged_actions = p->nchanged_blocks = 0;
    p->nchanged_pars = 0;
}

/* max T_c of all pars when computers c and d (-1: none) have changed: up the
 * tree from both, beside the kept rows. */
static const double *
trial_most(hesca_price *p, int c, int d)
{
    const size_t n = p->ncolumns;
    double *x = p->trial, *y = p->trial + n;
    if (n == 0 || (c < 0 && d < 0))
        return hesca_price_tree(p, 1);
    if (c < 0)
        return trial_most(p, d, c);
    hesca_price_row(p, c, x);
    if (d >= 0)
        hesca_price_row(p, d, y);
    size_t i = p->nleaves + (size_t)c, j = p->nleaves + (size_t)d;
    for (; i > 1; i /= 2, j /= 2) {
        if (d >= 0 && (i ^ j) == 1) {
            hesca_price_maxima(n, x, y);
            d = -1;
            continue;
        }
        hesca_price_maxima(n, x, hesca_price_tree(p, i ^ 1));
        if (d >= 0)
            hesca_price_maxima(n, y, hesca_price_tree(p, j ^ 1));
    }
    return x;
}

/* Nothing is stale. */
static void
refresh(hesca_price *p)
{
    for (int k = 0; k < p->npars; ++k)
        if (p->par[k].is_stale)
            hesca_price_update_par(p, &p->par[k]);
}

double
hesca_price_try(hesca_price *p, int vp, int computer)
{
    const int old = p->computer[vp];
    ++p->count;
    refresh(p);
    if (old == computer)
        return sum_terms(p, hesca_price_tree(p, 1));
    save(p, vp);
    move(p, vp, computer);
    const double seconds = sum_terms(p, trial_most(p, computer, old));
    move(p, vp, old);
    put_back(p);
    return seconds;
}

double
hesca_price_try_swap(hesca_price *p, int a, int b)
{
    const int c = p->computer[a], d = p->computer[b];
    ++p->count;
    refresh(p);
    if (c == d)
        return sum_terms(p, hesca_price_tree(p, 1));
    save(p, a);
    save(p, b);
    move(p, a, d);
    move(p, b, c);
    const double seconds = sum_terms(p, trial_most(p, c, d));
    move(p, a, c);
    move(p, b, d);
    put_back(p);
    return seconds;
}

/* --- queries --- */

int
hesca_price_where(const hesca_price *p, int vp)
{
    return p->computer[vp];
}

int64_t
hesca_price_count(const hesca_price *p)
{
    return p->count;
}

int64_t
hesca_price_cost(const hesca_price *p)
{
    return p->cost;
}

double
hesca_price_node(hesca_price *p, int node)
{
    return hesca_rules_price(p->rules, p->instance, p->topology, &p->options,
                             p->computer, p->load, node);
}
