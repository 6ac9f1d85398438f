/* SPDX-License-Identifier: BSD-3-Clause */
/* The output of hesca run --dry-run --json. */
#include "tools/lib/json.h"
#include "tools/run/run.h"
#include <stdio.h>

static void
print_host(const run_options *o, const run_layout *x, const run_grid *best,
           int i)
{
    const hesca_host *host = &x->machine.host[i];
    const run_part part = run_part_of(o, x, best, i);
    printf("{\"name\": ");
    json_string(host->name);
    printf(", \"speed\": %.10g, \"cores\": %.10g, \"memory\": ", host->speed,
           host->cores);
    printf(host->memory > 0 ? "%.0f" : "null", host->memory);
    printf(", \"processes\": %d, \"places\": %d, \"work_share\": %.6g, "
           "\"speed_share\": %.6g, \"bytes\": %.0f}",
           x->count[i], part.places, part.work, part.speed, part.bytes);
}

static void
print_list(const char *name, const int *list, int n)
{
    printf(", \"%s\": [", name);
    for (int k = 0; k < n; ++k)
        printf("%s%d", k > 0 ? ", " : "", list[k]);
    printf("]");
}

static void
print_grid(const char *name, const run_grid *g)
{
    const hesca_forecast *f = &g->forecast;
    printf(",\n \"%s\": {\"nprow\": %d, \"npcol\": %d, \"seconds\": %.6g, "
           "\"compute\": %.6g, \"communicate\": %.6g, \"bound\": %.6g, "
           "\"ideal\": %.6g",
           name, g->nprow, g->npcol, f->seconds, f->compute, f->communicate,
           f->bound, f->ideal);
    print_list("process", g->process, g->nprow * g->npcol);
    print_list("host", g->host, g->nprow * g->npcol);
    printf("}");
}

void
run_json(const run_options *o, const run_layout *x, const run_grid *best,
         const run_grid *plain, const arglist *command)
{
    printf("{\"machine\": ");
    json_string(x->path);
    printf(", \"source\": ");
    json_string(x->source);
    printf(", \"processes\": %d, \"one_per_core\": ", x->nprocs);
    json_string(x->why);
    printf(",\n \"hosts\": [");
    for (int i = 0; i < x->machine.nhosts; ++i) {
        printf(i > 0 ? ",\n  " : "\n  ");
        print_host(o, x, best, i);
    }
    printf("],\n \"job\": {\"routine\": \"%s\", \"order\": %lld, \"block\": "
           "%d}",
           hesca_routine_name(x->job.routine), (long long)x->job.n, x->job.nb);
    printf(",\n \"best\": {\"nprow\": %d, \"npcol\": %d, \"processes\": %d, "
           "\"by_speed\": %s}",
           x->best.nprow, x->best.npcol, x->best_nprocs,
           x->by_speed ? "true" : "false");
    print_grid("grid", best);
    printf(",\n \"seconds\": %.6g, \"by_speed\": %s", best->seconds,
           best->by_speed ? "true" : "false");
    if (plain->nprow > 0) {
        print_grid("plain", plain);
        printf(",\n \"gain\": %.6g", plain->forecast.seconds / best->seconds);
    } else {
        printf(",\n \"plain\": null, \"gain\": null");
    }
    printf(",\n \"command\": ");
    arglist_json(command);
    printf("}\n");
}
