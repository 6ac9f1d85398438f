/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/json.h"
#include "tools/plan/plan_report.h"
#include <stdio.h>

/* ------------------------------------------------ the problem
 * One object for the redistribution, one for its costs. */

static void
print_lengths(const char *name, const char *list, int nb, int n)
{
    printf("\"%s\": [", name);
    for (int p = 0; p < n; ++p)
        printf("%s%lld", p > 0 ? ", " : "",
               (long long)request_layout_next(&list, nb));
    printf("], ");
}

static void
print_side(const char *name, const request_layout *x, int64_t i, int64_t j)
{
    printf("  \"%s\": {\"nprow\": %d, \"npcol\": %d, \"first\": %d, ", name,
           x->nprow, x->npcol, x->first);
    if (request_layout_is_generalized(x)) {
        print_lengths("heights", x->heights, x->mb, x->nprow);
        print_lengths("widths", x->widths, x->nb, x->npcol);
    } else {
        printf("\"mb\": %d, \"nb\": %d, \"rsrc\": %d, \"csrc\": %d, ", x->mb,
               x->nb, x->rsrc, x->csrc);
    }
    printf("\"i\": %lld, \"j\": %lld}", (long long)i, (long long)j);
}

static void
print_problem(const redist_problem *s)
{
    const request *r = s->asked;
    int length;
    const char *part = request_item(REQUEST_PARTS, r->part, &length);
    printf("\"problem\": {\"m\": %lld, \"n\": %lld, \"esize\": %lld, "
           "\"part\": \"%.*s\", \"bytes\": %lld, \"processes\": %d,\n",
           (long long)r->m, (long long)r->n, (long long)r->esize, length, part,
           (long long)hesca_problem_bytes(&s->problem), s->nprocs);
    print_side("a", &r->a, r->ia, r->ja);
    printf(",\n");
    print_side("b", &r->b, r->ib, r->jb);
    printf("},\n");
}

static void
print_costs(const redist_problem *s)
{
    const request *r = s->asked;
    int length;
    const char *between = request_item(REQUEST_LINKS, r->one_node, &length);
    printf("\"costs\": {\"machine\": ");
    json_string(s->machine);
    printf(", \"between\": \"%.*s\", \"load\": %.9g, \"startup\": %.9g, "
           "\"message\": %.9g, \"byte\": %.9g, \"copy\": %.9g},\n",
           length, between, r->load, s->links.costs.startup,
           s->links.costs.message, s->links.costs.byte, s->links.costs.copy);
}

/* ------------------------------------------------ schedules
 * One object for each schedule, in the order of the figures. */

static void
print_table(const figures_table *t)
{
    printf("\"schedules\": [");
    for (int k = 0; k < t->n; ++k) {
        const figures *f = &t->item[k];
        printf("%s\n  {\"name\": \"%s\", \"steps\": %d, \"messages\": %lld, "
               "\"bytes_most\": %lld, \"bytes\": %lld, \"seconds\": %.9g, "
               "\"auto\": %s}",
               k > 0 ? "," : "", f->name, f->nsteps, (long long)f->messages,
               (long long)f->bytes_most, (long long)f->bytes,
               f->choice.seconds, f->is_auto ? "true" : "false");
    }
    printf("],\n");
}

static void
print_refused(const hesca_problem *p)
{
    int n = 0;
    printf("\"not_applicable\": [");
    for (const hesca_solver *const *s = hesca_solvtab; *s != NULL; ++s)
        if ((*s)->degree(*s, p) < 0)
            printf("%s\"%s\"", n++ > 0 ? ", " : "", (*s)->name);
    printf("],\n");
}

/* ------------------------------------------------ messages
 * The messages of the drawn schedule, step by step; null for too many
 * cells. */

static void
print_messages(const diagram *d)
{
    int n = 0;
    if (d->cell == NULL) {
        printf("null");
        return;
    }
    printf("[");
    for (int i = 0; i < d->traffic.nsteps; ++i)
        for (int k = 0; k < d->redist_problem->nprocs; ++k) {
            const traffic_message *m = &diagram_at(d, k, i)->out;
            if (m->rank >= 0)
                printf("%s\n  {\"step\": %d, \"from\": %d, \"to\": %d, "
                       "\"packets\": %lld, \"bytes\": %lld}",
                       n++ > 0 ? "," : "", i + 1, d->redist_problem->rank[k],
                       m->rank, (long long)m->packets, (long long)m->bytes);
        }
    printf("]");
}

static void
print_shown(const diagram *d)
{
    const traffic *t = &d->traffic;
    printf("\"shown\": {\"schedule\": \"%s\", \"phases\": [", d->name);
    for (int k = 0; k < t->nphases; ++k)
        printf("%s%d", k > 0 ? ", " : "",
               t->phase_end[k] - (k > 0 ? t->phase_end[k - 1] : 0));
    printf("], \"messages\": ");
    print_messages(d);
    printf("},\n");
}

static void
print_end(const char *name, const traffic_message *m)
{
    if (m->rank < 0)
        printf("\"%s\": null", name);
    else
        printf("\"%s\": {\"rank\": %d, \"packets\": %lld, \"bytes\": %lld}",
               name, m->rank, (long long)m->packets, (long long)m->bytes);
}

static void
print_process(const report *r)
{
    printf("\"process\": ");
    if (r->step == NULL) {
        printf("null");
        return;
    }
    printf("{\"rank\": %lld, \"steps\": [",
           (long long)r->redist_problem->asked->rank);
    for (int i = 0; i < r->shown->traffic.nsteps; ++i) {
        printf("%s\n  {\"step\": %d, ", i > 0 ? "," : "", i + 1);
        print_end("to", &r->step[i].out);
        printf(", ");
        print_end("from", &r->step[i].in);
        printf("}");
    }
    printf("]}");
}

void
report_json(const report *r)
{
    printf("{");
    print_problem(r->redist_problem);
    print_costs(r->redist_problem);
    print_table(r->table);
    print_refused(&r->redist_problem->problem);
    print_shown(r->shown);
    print_process(r);
    printf("}\n");
}
