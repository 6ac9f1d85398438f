/* SPDX-License-Identifier: BSD-3-Clause */
/* Terms of the estimator: the distinct children of the root.  Nodes that
 * differ by a factor of all their percents are one term, because all rules are
 * linear in them: the 512 steps of a factorization, of which each is a little
 * smaller than the one before, are as many terms as there are processes that
 * own a panel.  Prices by unit are not linear; there, factors are 1. */
#include "base/hash.h"
#include "base/status.h"
#include "pmdl/price_state.h"
#include <stdlib.h>
#include <string.h>

/* A node is `scale` times the node `shape`, the first of its kind. */
typedef struct {
    const hesca_scheme *trace;
    int is_linear;
    int *shape;    /* [nnodes] */
    double *scale; /* [nnodes] of the first unit */
    int *table;    /* [slots] node + 1, 0: none */
    size_t slots;  /* a power of 2 */
} shapes;

static const hesca_scheme_child *
children(const shapes *s, const hesca_scheme_node *x)
{
    return s->trace->child + x->first;
}

/* Percents so extreme that ratios might overflow count as different. */
static double
unit_scale(const shapes *s, const hesca_scheme_node *x)
{
    return s->is_linear && x->percent > 1e-100 && x->percent < 1e100
               ? x->percent
               : 1;
}

/* The scale of a child by that of the first. */
static double
ratio(const shapes *s, const hesca_scheme_child *child, size_t k)
{
    return s->scale[child[k].node] / s->scale[child[0].node];
}

static uint64_t
mix_double(uint64_t h, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return hesca_hash_mix(h, bits);
}

static uint64_t
hash(const shapes *s, const hesca_scheme_node *x)
{
    const hesca_scheme_child *child = children(s, x);
    uint64_t h = hesca_hash_mix(HESCA_HASH, (uint64_t)x->kind);
    if (x->n == 0) {
        h = hesca_hash_mix(h, (uint64_t)x->object);
        return mix_double(h, x->percent / unit_scale(s, x));
    }
    for (size_t k = 0; k < x->n; ++k) {
        h = hesca_hash_mix(h, (uint64_t)s->shape[child[k].node]);
        h = hesca_hash_mix(h, (uint64_t)child[k].times);
        h = mix_double(h, ratio(s, child, k));
    }
    return h;
}

static int
is_bitwise(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static int
is_same_shape(const shapes *s, const hesca_scheme_node *x,
              const hesca_scheme_node *y)
{
    const hesca_scheme_child *a = children(s, x), *b = children(s, y);
    if (x->kind != y->kind || x->n != y->n)
        return 0;
    if (x->n == 0)
        return x->object == y->object &&
               is_bitwise(x->percent / unit_scale(s, x),
                          y->percent / unit_scale(s, y));
    for (size_t k = 0; k < x->n; ++k)
        if (s->shape[a[k].node] != s->shape[b[k].node] ||
            a[k].times != b[k].times ||
            !is_bitwise(ratio(s, a, k), ratio(s, b, k)))
            return 0;
    return 1;
}

/* Children precede their parents, so theirs are known. */
static void
find_shape(shapes *s, int node)
{
    const hesca_scheme_node *x = &s->trace->node[node];
    size_t at = hash(s, x) & (s->slots - 1);
    while (s->table[at] != 0 &&
           !is_same_shape(s, x, &s->trace->node[s->table[at] - 1]))
        at = (at + 1) & (s->slots - 1);
    if (s->table[at] == 0)
        s->table[at] = node + 1;
    s->shape[node] = s->table[at] - 1;
    s->scale[node] =
        x->n > 0 ? s->scale[children(s, x)->node] : unit_scale(s, x);
}

static int
find_shapes(const hesca_scheme *t, int is_linear, shapes *s)
{
    const size_t n = (size_t)t->nnodes;
    *s = (shapes){.trace = t, .is_linear = is_linear};
    for (s->slots = 2; s->slots < 2 * n;)
        s->slots *= 2;
    s->shape = malloc((n + 1) * sizeof *s->shape);
    s->scale = malloc((n + 1) * sizeof *s->scale);
    s->table = calloc(s->slots, sizeof *s->table);
    if (s->shape == NULL || s->scale == NULL || s->table == NULL)
        return HESCA_ERR_NOMEM;
    for (int k = 0; k < t->nnodes; ++k)
        find_shape(s, k);
    return HESCA_SUCCESS;
}

/* at[] has the term of a shape. */
static void
fill_terms(hesca_price *p, const shapes *s, const hesca_scheme_child *child,
           size_t n, int *at)
{
    const hesca_scheme *t = s->trace;
    memset(at, -1, (size_t)t->nnodes * sizeof *at);
    for (size_t k = 0; k < n; ++k) {
        const int node = child[k].node, shape = s->shape[node];
        if (at[shape] < 0) {
            const int is_par = t->node[node].kind == HESCA_SCHEME_PAR;
            at[shape] = (int)p->nterms;
            p->term[p->nterms++] =
                (hesca_price_term){0, node, is_par ? p->npars : -1};
            if (is_par)
                p->par[p->npars++].node = node;
        }
        hesca_price_term *term = &p->term[at[shape]];
        term->times +=
            (double)child[k].times * (s->scale[node] / s->scale[term->node]);
    }
}

int
hesca_price_make_terms(hesca_price *p)
{
    const hesca_scheme *t = &p->instance->trace;
    const hesca_scheme_child one = {t->root, 1};
    const hesca_scheme_child *child = &one;
    size_t n = t->root >= 0;
    shapes s = {.shape = NULL};
    int *at = malloc(((size_t)t->nnodes + 1) * sizeof *at);
    if (n > 0 && t->node[t->root].kind == HESCA_SCHEME_SEQUENCE) {
        child = t->child + t->node[t->root].first;
        n = t->node[t->root].n;
    }
    p->term = malloc((n + 1) * sizeof *p->term);
    p->par = calloc(n + 1, sizeof *p->par);
    int err = at == NULL || p->term == NULL || p->par == NULL
                  ? HESCA_ERR_NOMEM
                  : find_shapes(t, !p->options.by_unit, &s);
    if (err == HESCA_SUCCESS)
        fill_terms(p, &s, child, n, at);
    else
        err = hesca_fail(err, 0, "the terms of an estimator");
    free(s.shape);
    free(s.scale);
    free(s.table);
    free(at);
    return err;
}
