/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI thesis 4.7.1, Figure 4.40: what it costs to find shares, by each of the
 * algorithms. */
#include "base/sort.h"
#include "hdpi_lu.h"
#include "hesca/experimental/shares.h"
#include "model_hdpi.h"
#include <math.h>
#include <stdlib.h>

enum { TRIALS = 101, STRESS_KNOTS = 2000 };

typedef struct {
    const char *network;
    int procs, knots, is_limited;
    int64_t elements;
    const char *method;
    int64_t steps;
    int rounds;
    double seconds, time;
} row;

static void
put(fields *s, const void *from)
{
    const row *x = from;
    fields_text(s, "network", x->network);
    fields_int(s, "processors", x->procs);
    fields_int(s, "knots", x->knots);
    fields_real(s, "elements", (double)x->elements);
    fields_text(s, "limits", x->is_limited ? "yes" : "no");
    fields_text(s, "method", x->method);
    fields_real(s, "steps", (double)x->steps);
    fields_int(s, "rounds", x->rounds);
    fields_real(s, "seconds", x->seconds);
    fields_real(s, "makespan", x->time);
}

/* By one method; the median of trials that take 50 ms together.  Returns 1, 0
 * after a complaint. */
static int
run_method(row *x, const hesca_speed *const *speed, int method)
{
    const hesca_shares_options options = {.method = method,
                                          .rounds = x->is_limited};
    double seconds[TRIALS], ends[2];
    const double start = yield_clock();
    int n = 0;
    do {
        hesca_shares *shares;
        const double begin = yield_clock();
        if (hesca_shares_create_by(x->procs, speed, x->elements, &options,
                                   &shares) < 0)
            return cmdline_fail("%s", hesca_error_text());
        seconds[n++] = yield_clock() - begin;
        x->steps = hesca_shares_steps(shares);
        x->rounds = hesca_shares_rounds(shares);
        x->time = hesca_shares_time(shares);
        hesca_shares_free(shares);
    } while (n < TRIALS && yield_clock() - start < 0.05);
    x->seconds = hesca_median(seconds, n, ends);
    return 1;
}

static int
run_methods(fields_files *out, row *x, hesca_speed **model)
{
    static const int methods[] = {HESCA_SHARES_ROOT, HESCA_SHARES_BASIC,
                                  HESCA_SHARES_MODIFIED,
                                  HESCA_SHARES_COMBINED};
    for (int k = 0; k < 4; ++k) {
        x->method = hesca_shares_method_name(methods[k]);
        if (!run_method(x, (const hesca_speed *const *)model, methods[k]))
            return 0;
        fprintf(out->table, "%7d %17lld %-9s %7lld %6d %11.4g\n", x->procs,
                (long long)x->elements, x->method, (long long)x->steps,
                x->rounds, 1e6 * x->seconds);
        bench_row(out, x);
    }
    return 1;
}

/* Whether models have limits that can hold the elements. */
static int
has_limits(hesca_speed **model, int p, double elements)
{
    double sum = 0;
    for (int i = 0; i < p; ++i)
        sum += floor(hesca_speed_limit(model[i]));
    return sum < INFINITY && sum >= elements;
}

/* p processors, the models of the network in turn. */
static int
run_network(fields_files *out, row *x, const network *net)
{
    hesca_speed **model = models_make(net, x->procs, 1, 1, 0);
    if (model == NULL)
        return 0;
    hesca_speed_knots(model[0], &x->knots);
    x->is_limited = has_limits(model, x->procs, (double)x->elements);
    if (!x->is_limited) {
        units_free(model, x->procs);
        model = models_make(net, x->procs, 1, 0, 0);
    }
    const int ok = model != NULL && run_methods(out, x, model);
    units_free(model, x->procs);
    return ok;
}

/* A speed that falls exponentially, and one that is next to nothing:
 * bisection of slopes needs a number of steps that grows with n
 * (thesis 4.7.1). */
static int
run_stress(fields_files *out, row *x)
{
    hesca_knot *knot = calloc(STRESS_KNOTS, sizeof *knot);
    hesca_speed *model[2] = {NULL, NULL};
    for (int j = 0; knot != NULL && j < STRESS_KNOTS; ++j) {
        const double size = 2. * j + 1, speed = 1e6 * exp(-size / 50);
        knot[j] = (hesca_knot){size, speed, speed, speed};
    }
    *x = (row){.network = "stress",
               .procs = 2,
               .knots = STRESS_KNOTS,
               .elements = STRESS_KNOTS};
    int ok =
        knot != NULL &&
        hesca_speed_create(STRESS_KNOTS, knot, INFINITY, &model[0]) == 0 &&
        hesca_speed_create_constant(1e-20, INFINITY, &model[1]) == 0;
    if (!ok)
        cmdline_fail("%s", hesca_error_text());
    ok = ok && run_methods(out, x, model);
    hesca_speed_free(model[0]);
    hesca_speed_free(model[1]);
    free(knot);
    return ok;
}

int
show_cost(const model_options *o, fields_files *out)
{
    network net = {.p = 0};
    row x = {.network = o->machine, .method = ""};
    out->put = put;
    int ok = network_read(o->machine, o->kernel, &net);
    fprintf(out->table, "%7s %17s %-9s %7s %6s %11s\n", "procs", "elements",
            "method", "steps", "rounds", "us");
    for (int i = 0; ok && i < o->nprocs; ++i)
        for (int j = 0; ok && j < o->nsizes; ++j) {
            x.procs = (int)o->procs[i];
            x.elements = o->sizes[j] * o->sizes[j];
            ok = run_network(out, &x, &net);
        }
    if (ok) {
        fputs("exponential decay:\n", out->table);
        ok = run_stress(out, &x);
    }
    network_clear(&net);
    return ok;
}
