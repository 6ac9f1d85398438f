/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimator: what does not depend on a moved process is kept.
 *
 * The root's children are terms, each with the number of its repetitions.  A
 * par keeps the times of its transfer-only actions and, per computer, that of
 * its computations; both are recomputed from their parts, in a fixed order, so
 * that an estimate does not depend on how its mapping was reached.  A par with
 * actions that compute and send is general: it is priced as a whole.  What a
 * trial changes is logged, and put back. */
#include "base/status.h"
#include "pmdl/price_state.h"
#include <stdlib.h>
#include <string.h>

static int
no_memory(void)
{
    return hesca_fail(HESCA_ERR_NOMEM, 0, "an estimator");
}

/* --- the log of a trial --- */

static void
remember(hesca_price *p, const change *c)
{
    if (!p->is_trying)
        return;
    if (p->nlog == p->log_room) {
        const size_t room = p->log_room > 0 ? 2 * p->log_room : 256;
        void *more = realloc(p->log, room * sizeof *p->log);
        if (more == NULL) {
            p->err = no_memory();
            return;
        }
        p->log = more;
        p->log_room = room;
    }
    p->log[p->nlog++] = *c;
}

static void
touch_par(hesca_price *p, par *x)
{
    if (x->now.is_dirty)
        return;
    remember(p, &(change){.par = x, .old_par = x->now});
    x->now.is_dirty = 1;
}

static void
undo(hesca_price *p)
{
    while (p->nlog > 0) {
        const change *c = &p->log[--p->nlog];
        if (c->par != NULL)
            c->par->now = c->old_par;
        else if (c->action != NULL)
            c->action->now = c->old_action;
        else
            *c->value = c->old_value;
    }
}

/* --- computations --- */

/* T_c: the sum of the largest times of the processes of a computer. */
static double
computer_time(hesca_price *p, const par *x, int c)
{
    int n = 0;
    const int most =
        hesca_rules_share(p->load[c], p->topology->computer[c].nprocessors);
    double *v = p->sorted, sum = 0;
    for (int vp = p->head[c]; vp >= 0; vp = p->next[vp]) {
        const double e = x->volume[vp];
        int k = n;
        if (e <= 0)
            continue;
        for (; k > 0 && v[k - 1] < e; --k)
            v[k] = v[k - 1];
        v[k] = e;
        ++n;
    }
    for (int k = 0; k < n && k < most; ++k)
        sum += v[k];
    return sum * (p->options.seconds / p->topology->computer[c].speed);
}

/* Update T_c of all pars, and the largest of them. */
static void
update_computer(hesca_price *p, int c)
{
    for (int k = 0; k < p->npars; ++k) {
        par *x = &p->par[k];
        if (x->time == NULL)
            continue;
        if (x->is_general) {
            touch_par(p, x);
            continue;
        }
        const double t = computer_time(p, x, c), old = x->time[c];
        if (t == old)
            continue;
        touch_par(p, x);
        remember(p, &(change){.value = &x->time[c], .old_value = old});
        x->time[c] = t;
        if (t >= x->now.most) {
            x->now.most = t;
            x->now.most_at = c;
        } else if (x->now.most_at == c) {
            x->now.most = 0;
            for (int j = 0; j < p->topology->ncomputers; ++j)
                if (x->time[j] > x->now.most) {
                    x->now.most = x->time[j];
                    x->now.most_at = j;
                }
        }
    }
}

/* --- transfers --- */

static hesca_rule_transfer
transfer_of(const hesca_price *p, int link, double percent)
{
    const hesca_model_link *l = &p->instance->link[link];
    const int from = p->computer[l->from], to = p->computer[l->to];
    return (hesca_rule_transfer){
        l->from, l->to, from, to,
        from < 0 || to < 0
            ? 0
            : hesca_rules_transfer_seconds(p->topology, &p->options, percent,
                                           l->bytes, from, to)};
}

static int
is_mapped(const hesca_rule_transfer *t)
{
    return t->from_computer >= 0 && t->to_computer >= 0;
}

/* Seconds of a node of transfers, and their pattern. */
static double
transfers(hesca_price *p, int node, hesca_rule_pattern *pattern)
{
    const hesca_scheme *t = &p->instance->trace;
    const hesca_scheme_node *x = &t->node[node];
    double sum = 0, most = 0;
    if (x->kind == HESCA_SCHEME_TRANSFER) {
        const hesca_rule_transfer one = transfer_of(p, x->object, x->percent);
        if (is_mapped(&one))
            hesca_rules_pattern_add(pattern, p->topology, &one);
        return one.seconds;
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

static void
add_leaf(const hesca_price *p, together *x, const leaf *l)
{
    const hesca_rule_transfer t = transfer_of(p, l->link, l->percent);
    if (!is_mapped(&t))
        return;
    hesca_rules_pattern_add(&x->pattern, p->topology, &t);
    x->sum += l->times * t.seconds;
    x->most = t.seconds > x->most ? t.seconds : x->most;
}

static double
flat_seconds(const hesca_price *p, const action *a, const together *x)
{
    return (double)a->rule->child[0].times *
           hesca_rules_transfers(&x->pattern, p->topology, x->sum, x->most);
}

static void
update_action(hesca_price *p, action *a)
{
    together x = {.pattern = hesca_rules_pattern()};
    double seconds = 0;
    for (size_t k = a->first; a->is_flat && k < a->first + a->n; ++k)
        add_leaf(p, &x, &p->leaf[k]);
    for (size_t k = 0; !a->is_flat && k < a->rule->n; ++k)
        seconds += (double)a->rule->child[k].times *
                   transfers(p, a->rule->child[k].node, &x.pattern);
    a->now =
        (action_state){a->is_flat ? flat_seconds(p, a, &x) : seconds, x, 0};
}

/* Of a par. */
static double
together_seconds(const hesca_price *p, const together *x)
{
    return hesca_rules_transfers(&x->pattern, p->topology, x->sum, x->most);
}

static void
update_transfers(hesca_price *p, par *x)
{
    together all = {.pattern = hesca_rules_pattern()};
    if (p->options.rule == HESCA_PRICE_PORTS) {
        x->now.transfers = hesca_rules_ports(
            p->rules, hesca_rules_par(p->rules, x->node), p->instance,
            p->topology, &p->options, p->computer);
        return;
    }
    for (size_t k = x->first; k < x->first + x->n; ++k) {
        action *a = &p->action[k];
        if (a->now.is_dirty)
            update_action(p, a);
        hesca_rules_pattern_join(&all.pattern, p->topology,
                                 &a->now.parts.pattern);
        all.sum += (double)a->rule->times * a->now.seconds;
        all.most = a->now.seconds > all.most ? a->now.seconds : all.most;
    }
    x->now.parts = all;
    x->now.transfers = together_seconds(p, &all);
}

/* --- mapping --- */

static void
touch_process(hesca_price *p, int vp)
{
    for (size_t k = p->touch_first[vp]; k < p->touch_first[vp + 1]; ++k) {
        action *a = &p->action[p->touch[k].action];
        par *x = &p->par[a->par];
        touch_par(p, x);
        x->now.is_stale = 1;
        if (a->now.is_dirty)
            continue;
        remember(p, &(change){.action = a, .old_action = a->now});
        a->now.is_dirty = 1;
    }
    for (int k = 0; p->has_general && k < p->npars; ++k)
        if (p->par[k].is_general)
            touch_par(p, &p->par[k]);
}

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
    p->next[vp] = p->head[c];
    p->head[c] = vp;
    ++p->load[c];
}

void
hesca_price_map(hesca_price *p, int vp, int computer)
{
    const int old = p->computer[vp];
    if (old == computer)
        return;
    if (old >= 0)
        leave(p, vp, old);
    if (computer >= 0)
        join(p, vp, computer);
    p->computer[vp] = computer;
    if (old >= 0)
        update_computer(p, old);
    if (computer >= 0)
        update_computer(p, computer);
    touch_process(p, vp);
}

void
hesca_price_map_all(hesca_price *p, const int *computer)
{
    for (int k = 0; k < p->instance->nvps; ++k)
        hesca_price_map(p, k, computer[k]);
}

/* --- estimates --- */

static void
update_par(hesca_price *p, par *x)
{
    if (x->is_general) {
        x->now.seconds =
            hesca_rules_price(p->rules, p->instance, p->topology, &p->options,
                              p->computer, p->load, x->node);
    } else {
        if (x->now.is_stale)
            update_transfers(p, x);
        x->now.seconds =
            x->now.most > x->now.transfers ? x->now.most : x->now.transfers;
    }
    if (x->now.seconds < 0)
        p->err = HESCA_ERR_NOMEM;
    x->now.is_dirty = x->now.is_stale = 0;
}

double
hesca_price_total(hesca_price *p)
{
    double sum = 0;
    ++p->count;
    for (size_t k = 0; k < p->nterms; ++k) {
        const term *t = &p->term[k];
        if (t->par < 0) {
            sum += t->times * hesca_price_node(p, t->node);
            continue;
        }
        par *x = &p->par[t->par];
        if (x->now.is_dirty)
            update_par(p, x);
        sum += t->times * x->now.seconds;
    }
    return p->err < 0 ? p->err : sum;
}

/* The mapping is changed and put back by hand: nothing is recomputed for the
 * old one. */
static double
try_any(hesca_price *p, int vp, int computer)
{
    const int old = p->computer[vp];
    p->is_trying = 1;
    hesca_price_map(p, vp, computer);
    const double seconds = hesca_price_total(p);
    p->is_trying = 0;
    if (computer >= 0)
        leave(p, vp, computer);
    if (old >= 0)
        join(p, vp, old);
    p->computer[vp] = old;
    undo(p);
    return seconds;
}

/* Add what one action of a process gets, at touch[k] and those behind it.
 * \param [in,out] all  Of the par.
 * \return The first touch of another action; 0: the time became less. */
static size_t
add_action(const hesca_price *p, size_t k, size_t end, together *all)
{
    const size_t number = p->touch[k].action;
    const action *a = &p->action[number];
    together x = a->now.parts;
    for (; k < end && p->touch[k].action == number; ++k)
        add_leaf(p, &x, &p->leaf[p->touch[k].leaf]);
    const double seconds = flat_seconds(p, a, &x);
    if (seconds < a->now.seconds)
        return 0;
    all->sum += (double)a->rule->times * (seconds - a->now.seconds);
    all->most = seconds > all->most ? seconds : all->most;
    hesca_rules_pattern_join(&all->pattern, p->topology, &x.pattern);
    return k;
}

/* The estimate if a process that is nowhere were at c, by what it adds; -1: it
 * takes something away, as a faster layer may. */
static double
try_additional(hesca_price *p, int vp, int c, double sum)
{
    size_t k = p->touch_first[vp];
    const size_t end = p->touch_first[vp + 1];
    for (int number = 0; number < p->npars; ++number) {
        const par *x = &p->par[number];
        double most = x->now.most, transfer = x->now.transfers;
        if (x->time != NULL) {
            const double t = computer_time(p, x, c);
            most = t > most ? t : most;
        }
        if (k < end && p->action[p->touch[k].action].par == number) {
            together all = x->now.parts;
            while (k < end && p->action[p->touch[k].action].par == number) {
                k = add_action(p, k, end, &all);
                if (k == 0)
                    return -1;
            }
            transfer = together_seconds(p, &all);
        }
        sum +=
            x->times * ((most > transfer ? most : transfer) - x->now.seconds);
    }
    return sum;
}

double
hesca_price_try(hesca_price *p, int vp, int computer)
{
    const double now = hesca_price_total(p);
    if (p->computer[vp] == computer)
        return now;
    --p->count;
    if (p->computer[vp] < 0 && p->is_additive && !p->has_units) {
        p->computer[vp] = computer;
        join(p, vp, computer);
        const double seconds = try_additional(p, vp, computer, now);
        leave(p, vp, computer);
        p->computer[vp] = -1;
        if (seconds >= 0) {
            ++p->count;
            return seconds;
        }
    }
    return try_any(p, vp, computer);
}

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

double
hesca_price_node(hesca_price *p, int node)
{
    return hesca_rules_price(p->rules, p->instance, p->topology, &p->options,
                             p->computer, p->load, node);
}
