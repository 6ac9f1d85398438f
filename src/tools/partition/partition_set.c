/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca partition set. */
#include "base/status.h"
#include "hesca/experimental/shares.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/text_reader.h"
#include "tools/partition/partition.h"
#include "tools/partition/partition_svg.h"
#include <math.h>
#include <stdlib.h>

/* A set. */
typedef struct {
    int64_t *weight; /* [elements] or NULL */
    hesca_shares *shares;
} set;

static int
failed(void)
{
    return cmdline_fail("%s", hesca_error_text());
}

/* ------------------------------------------------ weights
 * The number of weights is the number of elements. */

static int
read_weights(partition_state *s)
{
    const partition_options *o = s->o;
    set *x = s->object;
    if (!text_reader_list(o->weights, "a weight", INT64_C(1) << 53, &x->weight,
                          &s->elements))
        return 0;
    return o->n < 0 || o->n == s->elements ||
           cmdline_fail("--n is %lld, but %s has %lld weights",
                        (long long)o->n, o->weights, (long long)s->elements);
}

/* ------------------------------------------------ shares
 * The same function partitions by the models and by simpler ones. */

static int
partition(const partition_state *s, hesca_speed *const *model,
          hesca_shares **shares)
{
    const partition_options *o = s->o;
    const set *x = s->object;
    const hesca_speed *const *speed = (const hesca_speed *const *)model;
    const hesca_shares_options by = {.method = o->method > 0 ? o->method : 0};
    if (o->is_ordered)
        return hesca_shares_create_ordered(s->q.p, speed, s->elements,
                                           x->weight, o->is_reordered, shares);
    if (x->weight != NULL)
        return hesca_shares_create_weighted(s->q.p, speed, s->elements,
                                            x->weight, shares);
    return hesca_shares_create_by(s->q.p, speed, s->elements, &by, shares);
}

/* The largest time of shares by simpler models, at the true speeds. */
static double
time_by(const partition_state *s, hesca_speed *const *model)
{
    hesca_shares *x;
    double most = 0;
    if (partition(s, model, &x) < 0)
        return NAN;
    for (int i = 0; i < s->q.p; ++i)
        most =
            fmax(most, partition_time(s->q.model[i], hesca_shares_count(x, i),
                                      (double)hesca_shares_weight(x, i)));
    hesca_shares_free(x);
    return most;
}

static void
take(partition_state *s, const hesca_shares *shares)
{
    s->time = hesca_shares_time(shares);
    s->ideal = hesca_shares_ideal(shares);
    s->is_exact = hesca_shares_is_exact(shares);
    for (int i = 0; i < s->q.p; ++i)
        partition_take(s, i, hesca_shares_count(shares, i),
                       (double)hesca_shares_weight(shares, i));
}

static int
solve(partition_state *s)
{
    const partition_options *o = s->o;
    set *x = s->object = calloc(1, sizeof *x);
    if (x == NULL)
        return cmdline_fail("no memory for a set");
    s->elements = o->n;
    s->is_weighted = o->weights != NULL;
    if (s->is_weighted && !read_weights(s))
        return 0;
    snprintf(s->heading, sizeof s->heading, "%sset of %lld%s elements",
             o->is_ordered ? "ordered " : "", (long long)s->elements,
             s->is_weighted ? " weighted" : "");
    if (partition(s, s->q.model, &x->shares) < 0)
        return failed();
    take(s, x->shares);
    return partition_compare(s, time_by);
}

static void
clear(partition_state *s)
{
    set *x = s->object;
    if (x == NULL)
        return;
    hesca_shares_free(x->shares);
    free(x->weight);
    free(x);
}

/* ------------------------------------------------ results
 * The shares exist; columns are added only for ordered sets. */

/* Fields and columns with the beginning of contiguous parts. */
static void
put(fields *f, const partition_state *s, int i)
{
    const set *x = s->object;
    if (s->o->is_ordered)
        fields_count(f, "first", hesca_shares_first(x->shares, i));
}

static void
print_head(const partition_state *s, FILE *f)
{
    if (s->o->is_ordered)
        fprintf(f, " %13s", "first");
}

static void
print_columns(const partition_state *s, int i, FILE *f)
{
    const set *x = s->object;
    if (s->o->is_ordered)
        fprintf(f, " %13lld", (long long)hesca_shares_first(x->shares, i));
}

static void
print_more(const partition_state *s, FILE *f)
{
    const set *x = s->object;
    if (s->o->method >= 0)
        fprintf(f, "%lld lines were tried by method %s\n",
                (long long)hesca_shares_steps(x->shares),
                hesca_shares_method_name(s->o->method));
}

static void
list(const partition_state *s, FILE *f)
{
    const set *x = s->object;
    for (int64_t e = 0; e < s->elements && !ferror(f); ++e)
        fprintf(f, "%d\n", hesca_shares_owner(x->shares, e));
}

/* The bar has the parts in the order of their elements. */
static void
draw(const partition_state *s, FILE *f)
{
    const set *x = s->object;
    int *order =
        s->o->is_ordered ? malloc((size_t)s->q.p * sizeof *order) : NULL;
    for (int k = 0; order != NULL && k < s->q.p; ++k)
        order[k] = hesca_shares_place(x->shares, k);
    partition_svg_speeds(s, f, order);
    free(order);
}

const partition_kind partition_set = {.solve = solve,
                                      .put = put,
                                      .print_head = print_head,
                                      .print_columns = print_columns,
                                      .print_more = print_more,
                                      .draw = draw,
                                      .list = list,
                                      .clear = clear};
