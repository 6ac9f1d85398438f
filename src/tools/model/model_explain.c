/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca model explain: where the time goes, step by step, and which process
 * waits for which. */
#include "pmdl/price_rules.h"
#include "tools/lib/json.h"
#include "tools/lib/tools.h"
#include "tools/model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_PRINTED = 12 };

/* All steps that a line of the scheme makes. */
typedef struct {
    int line;
    int64_t runs;
    double seconds;
    double computing; /* of these, determined by computations */
    double waiting;   /* mean over processes, summed over runs */
    int slowest;      /* computer that determines most of it */
} row;

/* Process `vp` waits for `other`. */
typedef struct {
    double seconds;
    int vp, other;
} wait_pair;

typedef struct {
    row *row;
    int nrows;
    double *by_computer; /* [nrows][ncomputers] seconds that it determines */
    double **wait;       /* [nvps] seconds that each process [nvps] waits for
                            this one; NULL: none does */
    wait_pair *pair;     /* [npairs] of these, the longest first */
    size_t npairs;
} table;

void
model_busy(const model_task *t, int node, double times, double *compute,
           double *transfer)
{
    const hesca_scheme *x = &t->instance.trace;
    const hesca_scheme_node *n = &x->node[node];
    if (n->kind == HESCA_SCHEME_COMPUTE) {
        compute[n->object] += times * hesca_rules_compute_seconds(
                                          &t->topology, &t->price, n->percent,
                                          t->instance.volume[n->object],
                                          t->found.computer[n->object]);
    } else if (n->kind == HESCA_SCHEME_TRANSFER) {
        const hesca_model_link *l = &t->instance.link[n->object];
        const double s =
            times * hesca_rules_transfer_seconds(
                        &t->topology, &t->price, n->percent, l->bytes,
                        t->found.computer[l->from], t->found.computer[l->to]);
        transfer[l->from] += s;
        transfer[l->to] += s;
    }
    for (size_t k = 0; k < n->n; ++k)
        model_busy(t, x->child[n->first + k].node,
                   times * (double)x->child[n->first + k].times, compute,
                   transfer);
}

/* The computer whose processes compute longest, and how long.
 * \param [in] compute  [nvps] */
static int
slowest(const model_task *t, const double *compute, const int *load,
        double *seconds)
{
    int at = 0;
    *seconds = 0;
    for (int c = 0; c < t->topology.ncomputers; ++c) {
        double sum = 0, most = 0;
        for (int k = 0; k < t->instance.nvps; ++k)
            if (t->found.computer[k] == c) {
                sum += compute[k];
                most = compute[k] > most ? compute[k] : most;
            }
        const int share =
            hesca_rules_share(load[c], t->topology.computer[c].nprocessors);
        const double s = share > 1 ? sum : most;
        if (s > *seconds) {
            *seconds = s;
            at = c;
        }
    }
    return at;
}

static int
find_row(table *x, int line)
{
    for (int k = 0; k < x->nrows; ++k)
        if (x->row[k].line == line)
            return k;
    x->row[x->nrows] = (row){.line = line};
    return x->nrows++;
}

/* --- waits ---
 * In a step the process that is busy longest is the one that the others wait
 * for, each as long as it is not busy itself. */

static double
busy_seconds(const double *compute, const double *transfer, int vp)
{
    return compute[vp] > transfer[vp] ? compute[vp] : transfer[vp];
}

static int
busiest(const double *compute, const double *transfer, int nvps)
{
    int at = 0;
    for (int k = 1; k < nvps; ++k)
        if (busy_seconds(compute, transfer, k) >
            busy_seconds(compute, transfer, at))
            at = k;
    return at;
}

static int
longest_first(const void *a, const void *b)
{
    const wait_pair *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return x->vp != y->vp ? x->vp - y->vp : x->other - y->other;
}

/* List the pairs of which one waits for the other. */
static int
list_pairs(table *x, int nvps)
{
    size_t room = 0;
    for (int k = 0; k < nvps; ++k)
        room += x->wait[k] != NULL ? (size_t)nvps : 0;
    x->pair = malloc((room + 1) * sizeof *x->pair);
    if (x->pair == NULL)
        return 0;
    for (int k = 0; k < nvps; ++k)
        for (int v = 0; x->wait[k] != NULL && v < nvps; ++v)
            if (x->wait[k][v] > 0)
                x->pair[x->npairs++] = (wait_pair){x->wait[k][v], v, k};
    qsort(x->pair, x->npairs, sizeof *x->pair, longest_first);
    return 1;
}

/* Add the runs of one node below the root.
 * \return 1, or 0 without memory. */
static int
add_step(const model_task *t, table *x, hesca_price *price, const int *load,
         const hesca_scheme_child *child, double *compute, double *transfer)
{
    const int nvps = t->instance.nvps;
    const double times = (double)child->times;
    const double seconds = hesca_price_node(price, child->node);
    const int k = find_row(x, t->instance.trace.node[child->node].line);
    double own, all = 0;
    memset(compute, 0, (size_t)nvps * sizeof *compute);
    memset(transfer, 0, (size_t)nvps * sizeof *transfer);
    model_busy(t, child->node, 1, compute, transfer);
    double **wait = &x->wait[busiest(compute, transfer, nvps)];
    if (*wait == NULL && (*wait = calloc((size_t)nvps, sizeof **wait)) == NULL)
        return 0;
    for (int v = 0; v < nvps; ++v) {
        const double busy = busy_seconds(compute, transfer, v);
        const double waits = busy < seconds ? seconds - busy : 0;
        all += waits;
        (*wait)[v] += x->wait + v != wait ? times * waits : 0;
    }
    row *r = &x->row[k];
    r->runs += child->times;
    r->seconds += times * seconds;
    r->waiting += times * all / nvps;
    const int c = slowest(t, compute, load, &own);
    if (own >= seconds * (1 - 1e-9)) {
        r->computing += times * seconds;
        x->by_computer[k * t->topology.ncomputers + c] += times * seconds;
    }
    return 1;
}

static int
make_table(model_task *t, table *x, hesca_price *price)
{
    const hesca_scheme *tr = &t->instance.trace;
    const hesca_scheme_child one = {tr->root, 1};
    const hesca_scheme_child *child = &one;
    const size_t nvps = (size_t)t->instance.nvps;
    const size_t ncomputers = (size_t)t->topology.ncomputers;
    size_t n = tr->root < 0 ? 0 : 1;
    if (n > 0 && tr->node[tr->root].kind == HESCA_SCHEME_SEQUENCE) {
        child = tr->child + tr->node[tr->root].first;
        n = tr->node[tr->root].n;
    }
    double *compute = malloc(nvps * sizeof *compute);
    double *transfer = malloc(nvps * sizeof *transfer);
    int *load = calloc(ncomputers, sizeof *load);
    x->row = malloc((n + 1) * sizeof *x->row);
    /* At most as many rows as lines, far fewer than steps. */
    x->by_computer = calloc((n + 1) * ncomputers, sizeof *x->by_computer);
    x->wait = calloc(nvps, sizeof *x->wait);
    int ok = compute != NULL && transfer != NULL && load != NULL &&
             x->row != NULL && x->by_computer != NULL && x->wait != NULL;
    for (int k = 0; ok && k < t->instance.nvps; ++k)
        ++load[t->found.computer[k]];
    for (size_t k = 0; ok && k < n; ++k)
        ok = add_step(t, x, price, load, &child[k], compute, transfer);
    for (int k = 0; ok && k < x->nrows; ++k)
        for (size_t c = 0; c < ncomputers; ++c) {
            const double *by = x->by_computer + (size_t)k * ncomputers;
            if (by[c] > by[x->row[k].slowest])
                x->row[k].slowest = (int)c;
        }
    free(compute);
    free(transfer);
    free(load);
    return ok && list_pairs(x, t->instance.nvps);
}

static void
print_process(const model_task *t, int vp)
{
    char coord[120], text[200];
    snprintf(text, sizeof text, "%s %s", model_coord(&t->instance, vp, coord),
             t->topology.computer[t->found.computer[vp]].name);
    printf("%-28s ", text);
}

static void
print_table(const model_task *t, const table *x)
{
    printf("%8s %10s %13s %7s %10s %9s  %s\n", "line", "runs", "seconds",
           "share", "computing", "waiting", "slowest computer");
    for (int k = 0; k < x->nrows; ++k) {
        const row *r = &x->row[k];
        const double all = r->seconds > 0 ? r->seconds : 1;
        printf("%8d %10lld %13.6g %6.1f%% %9.1f%% %8.1f%%  %s\n", r->line,
               (long long)r->runs, r->seconds,
               t->found.seconds > 0 ? 100 * r->seconds / t->found.seconds : 0,
               100 * r->computing / all, 100 * r->waiting / all,
               r->computing > 0 ? t->topology.computer[r->slowest].name : "-");
    }
    printf("%8s %10s %13.6g\n\n"
           "computing: the share of a line's time that computations "
           "determine, on the computer\nnamed; transfers determine the rest. "
           " waiting: how long a process has nothing to\ndo, on average, as a "
           "share of the line's time.\n",
           "all", "", t->found.seconds);
    if (x->npairs == 0)
        return;
    printf("\n%-28s %-28s %13s %7s\n", "process", "waits for", "seconds",
           "share");
    for (size_t k = 0; k < x->npairs && k < PAIRS_PRINTED; ++k) {
        print_process(t, x->pair[k].vp);
        print_process(t, x->pair[k].other);
        printf(" %13.6g %6.1f%%\n", x->pair[k].seconds,
               100 * x->pair[k].seconds / t->found.seconds);
    }
    if (x->npairs > PAIRS_PRINTED)
        printf("and %zu more pairs (--json)\n", x->npairs - PAIRS_PRINTED);
}

static void
print_json(const model_task *t, const table *x)
{
    printf("{\n  \"model\": ");
    json_string(t->code->name);
    printf(",\n  \"seconds\": %.17g,\n  \"lines\": [", t->found.seconds);
    for (int k = 0; k < x->nrows; ++k) {
        const row *r = &x->row[k];
        printf("%s\n    {\"line\": %d, \"runs\": %lld, \"seconds\": %.17g, "
               "\"computing\": %.17g, \"waiting\": %.17g, \"slowest\": ",
               k > 0 ? "," : "", r->line, (long long)r->runs, r->seconds,
               r->computing, r->waiting);
        json_string(r->computing > 0 ? t->topology.computer[r->slowest].name
                                     : NULL);
        printf("}");
    }
    printf("\n  ],\n  \"waits\": [");
    for (size_t k = 0; k < x->npairs; ++k) {
        char vp[120], other[120];
        printf("%s\n    {\"process\": %s, \"for\": %s, \"seconds\": %.17g}",
               k > 0 ? "," : "", model_coord(&t->instance, x->pair[k].vp, vp),
               model_coord(&t->instance, x->pair[k].other, other),
               x->pair[k].seconds);
    }
    printf("\n  ]\n}\n");
}

int
model_explain(model_task *t)
{
    hesca_price *price = NULL;
    table x = {.row = NULL};
    int status = TOOL_BAD;
    if (hesca_price_create(&t->instance, &t->topology, &t->price, &price) < 0)
        return complain("%s", hesca_error_text());
    hesca_price_map_all(price, t->found.computer);
    if (!make_table(t, &x, price)) {
        complain("no memory for the table");
    } else if (t->options->svg == NULL || model_draw(t, price)) {
        (t->options->json ? print_json : print_table)(t, &x);
        status = TOOL_YES;
    }
    for (int k = 0; x.wait != NULL && k < t->instance.nvps; ++k)
        free(x.wait[k]);
    free(x.wait);
    free(x.pair);
    free(x.row);
    free(x.by_computer);
    hesca_price_free(price);
    return status;
}
