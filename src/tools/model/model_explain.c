/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca model explain: where the time goes, step by step. */
#include "pmdl/price_rules.h"
#include "tools/lib/json.h"
#include "tools/lib/tools.h"
#include "tools/model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All steps that a line of the scheme makes. */
typedef struct {
    int line;
    int64_t runs;
    double seconds;
    double computing; /* of these, determined by computations */
    double waiting;   /* mean over processes, summed over runs */
    int slowest;      /* computer that determines most of it */
} row;

typedef struct {
    row *row;
    int nrows;
    double *by_computer; /* [nrows][ncomputers] seconds that it determines */
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

/* Add the runs of one node below the root. */
static void
add_step(const model_task *t, table *x, hesca_price *price, const int *load,
         const hesca_scheme_child *child, double *compute, double *transfer)
{
    const int nvps = t->instance.nvps;
    const double times = (double)child->times;
    const double seconds = hesca_price_node(price, child->node);
    const int k = find_row(x, t->instance.trace.node[child->node].line);
    double own, waiting = 0;
    memset(compute, 0, (size_t)nvps * sizeof *compute);
    memset(transfer, 0, (size_t)nvps * sizeof *transfer);
    model_busy(t, child->node, 1, compute, transfer);
    for (int v = 0; v < nvps; ++v) {
        const double busy =
            compute[v] > transfer[v] ? compute[v] : transfer[v];
        waiting += busy < seconds ? seconds - busy : 0;
    }
    row *r = &x->row[k];
    r->runs += child->times;
    r->seconds += times * seconds;
    r->waiting += times * waiting / nvps;
    const int c = slowest(t, compute, load, &own);
    if (own >= seconds * (1 - 1e-9)) {
        r->computing += times * seconds;
        x->by_computer[k * t->topology.ncomputers + c] += times * seconds;
    }
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
    const int ok = compute != NULL && transfer != NULL && load != NULL &&
                   x->row != NULL && x->by_computer != NULL;
    for (int k = 0; ok && k < t->instance.nvps; ++k)
        ++load[t->found.computer[k]];
    for (size_t k = 0; ok && k < n; ++k)
        add_step(t, x, price, load, &child[k], compute, transfer);
    for (int k = 0; ok && k < x->nrows; ++k)
        for (size_t c = 0; c < ncomputers; ++c) {
            const double *by = x->by_computer + (size_t)k * ncomputers;
            if (by[c] > by[x->row[k].slowest])
                x->row[k].slowest = (int)c;
        }
    free(compute);
    free(transfer);
    free(load);
    return ok;
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
    free(x.row);
    free(x.by_computer);
    hesca_price_free(price);
    return status;
}
