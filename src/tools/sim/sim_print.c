/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of hesca sim, as text and as rows. */
#include "tools/sim/sim.h"
#include <string.h>

/* ------------------------------------------------ rows
 * All rows have the same fields; those that do not apply are empty. */

/* A row: a score and its configuration. */
typedef struct {
    const sim_state *s;
    const sim_score *score;
} result;

static double
mean(double sum, int n)
{
    return n > 0 ? sum / n : 0;
}

static void
put_machine(fields *f, const sim_options *o)
{
    const hesca_machine_kind *k = &o->kind;
    const int is_random = o->machine == NULL;
    fields_text(f, "machine", is_random ? k->name : o->machine);
    fields_real(f, "clusters", is_random ? k->nclusters : 0);
    fields_real(f, "startup_low_s", is_random ? k->inside.startup.low : 0);
    fields_real(f, "startup_high_s", is_random ? k->inside.startup.high : 0);
    fields_real(f, "rate_low", is_random ? k->inside.rate.low : 0);
    fields_real(f, "rate_high", is_random ? k->inside.rate.high : 0);
}

static const char *
sizes_of(const sim_options *o)
{
    static const char *const name[] = {[HESCA_SIZES_FIXED] = "fixed",
                                       [HESCA_SIZES_MIXED] = "mixed",
                                       [HESCA_SIZES_SERVERS] = "servers"};
    return o->pattern == SIM_REDIST ? "layouts" : name[o->sizes.kind];
}

static void
put_problem(fields *f, const sim_state *s)
{
    const sim_options *o = s->o;
    fields_int(f, "processes", s->procs);
    fields_real(f, "k", s->k);
    fields_real(f, "dests", s->dests);
    fields_text(f, "sizes", sizes_of(o));
    fields_real(f, "bytes", o->pattern == SIM_REDIST ? 0 : o->sizes.large);
    fields_real(f, "messages", mean(s->messages, s->nruns));
}

/* Means of times that differ from run to run. */
static void
put(fields *f, const void *row)
{
    const result *r = row;
    const sim_state *s = r->s;
    const sim_score *x = r->score;
    fields_text(f, "pattern", sim_pattern_name[s->o->pattern]);
    put_machine(f, s->o);
    fields_int(f, "seed", s->o->seed);
    fields_int(f, "runs", s->o->runs);
    put_problem(f, s);
    fields_text(f, "schedule", x->name);
    fields_real(f, "bound_s", mean(s->bound, s->nruns));
    fields_real(f, "finish_s", mean(x->finish, x->n));
    fields_real(f, "finish_min_s", x->least);
    fields_real(f, "finish_max_s", x->most);
    fields_real(f, "ratio", mean(x->ratio, x->n));
    fields_real(f, "ratio_max", x->ratio_most);
    fields_real(f, "real_s", mean(x->sum.real, x->n));
    fields_real(f, "resched_s", mean(x->sum.resched, x->n));
    fields_real(f, "changes", mean(x->sum.changes, x->n));
    fields_real(f, "refined_s", mean(x->sum.refined, x->n));
    fields_real(f, "anew_s", mean(x->sum.replanned, x->n));
    fields_real(f, "turn_s", mean(x->sum.sequential, x->n));
    fields_real(f, "sends", mean(x->sum.sends, x->n));
    fields_real(f, "reached", mean(x->sum.reached, x->n));
    fields_real(f, "reached_least", mean(x->sum.reached_least, x->n));
    fields_real(f, "plan_s", mean(x->sum.plan, x->n));
}

int
sim_open(sim_state *s)
{
    const result names = {s, &(const sim_score){.n = 0}};
    if (!fields_open(&s->out, s->o->csv, s->o->json, put))
        return 0;
    fields_head(&s->out, &names);
    return 1;
}

/* ------------------------------------------------ text
 * Columns are printed only for the requested properties. */

static void
print_problem(const sim_state *s)
{
    const sim_options *o = s->o;
    FILE *f = s->out.table;
    fprintf(f, "%s, %d processes", sim_pattern_name[o->pattern], s->procs);
    if (s->k > 0)
        fprintf(f, ", R_%d(%d,%d)", o->x, s->k, s->procs);
    else if (o->pattern != SIM_REDIST)
        fprintf(f, ", %s sizes, %g bytes", sizes_of(o), o->sizes.large);
    if (s->dests > 0)
        fprintf(f, ", %d destinations", s->dests);
    fprintf(f, ", machine %s, seed %d, %d run%s, %.0f messages\n",
            o->machine != NULL ? o->machine : o->kind.name, o->seed, s->nruns,
            s->nruns == 1 ? "" : "s", mean(s->messages, s->nruns));
    fprintf(f, "%-18s %11s %11s %11s %8s %8s%s%s%s%s%s\n", "schedule",
            "mean s", "least s", "most s", "x bound", "at most",
            sim_is_real(o) ? "      real s" : "",
            o->is_resched ? "    reordered" : "",
            o->is_refined ? "     refined  made again" : "",
            o->problems > 1 ? "     in turn" : "",
            o->failures ? "  reached if one fails" : "");
    fprintf(f, "%-18s %11.6g\n", "lower bound", mean(s->bound, s->nruns));
}

static void
print_score(const sim_state *s, const sim_score *x)
{
    FILE *f = s->out.table;
    if (x->n == 0) {
        fprintf(f, "%-18s %11s\n", x->name, "-");
        return;
    }
    fprintf(f, "%-18s %11.6g %11.6g %11.6g %8.3f %8.3f", x->name,
            mean(x->finish, x->n), x->least, x->most, mean(x->ratio, x->n),
            x->ratio_most);
    if (sim_is_real(s->o))
        fprintf(f, " %11.6g", mean(x->sum.real, x->n));
    if (s->o->is_resched)
        fprintf(f, " %13.6g", mean(x->sum.resched, x->n));
    if (s->o->is_refined)
        fprintf(f, " %11.6g %11.6g", mean(x->sum.refined, x->n),
                mean(x->sum.replanned, x->n));
    if (s->o->problems > 1)
        fprintf(f, " %11.6g", mean(x->sum.sequential, x->n));
    if (s->o->failures)
        fprintf(f, " %5.1f %%, least %5.1f %%",
                100 * mean(x->sum.reached, x->n),
                100 * mean(x->sum.reached_least, x->n));
    fputc('\n', f);
}

void
sim_print(sim_state *s)
{
    if (s->out.nrows > 0)
        fputc('\n', s->out.table);
    print_problem(s);
    for (int k = 0; k < s->nscores; ++k) {
        const result r = {s, &s->score[k]};
        print_score(s, r.score);
        if (r.score->n > 0)
            fields_row(&s->out, &r);
    }
}
