/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI thesis 4.7.1.1, 4.7.2.4 (Figures 4.41, 4.47): what an application takes
 * whose matrix is divided by speed functions, or by single numbers. */
#include "hdpi_lu.h"
#include "hesca/experimental/shares.h"
#include "model_hdpi.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"striped", "group", "backwards"};

typedef struct {
    const model_options *o;
    double order, reference;
    /* s, 0: a processor gets more than it can hold, or all together cannot;
     * with [1] and without [0] knowledge of the limits. */
    double functional[2], single[2];
    int slow_functional, slow_single; /* processors below half their peak */
    const char *fails; /* a processor that functional[0] is too much for */
} row;

/* With or without knowledge of the limits; 0 where one fails. */
static double
speedup(const row *x, int limits)
{
    const double f = x->functional[limits];
    return f > 0 && x->single[limits] > 0 ? x->single[limits] / f : 0;
}

static void
put(fields *s, const void *from)
{
    const row *x = from;
    fields_text(s, "kernel", x->o->kernel);
    fields_text(s, "distribution", names[x->o->distribution]);
    fields_real(s, "order", x->order);
    fields_real(s, "reference", x->reference);
    fields_real(s, "functional_s", x->functional[0]);
    fields_real(s, "single_s", x->single[0]);
    fields_real(s, "speedup", speedup(x, 0));
    fields_real(s, "bounded_functional_s", x->functional[1]);
    fields_real(s, "bounded_single_s", x->single[1]);
    fields_real(s, "bounded_speedup", speedup(x, 1));
    fields_int(s, "slow_functional", x->slow_functional);
    fields_int(s, "slow_single", x->slow_single);
    fields_text(s, "fails_on", x->fails);
}

static void
print(fields_files *out, const row *x)
{
    fprintf(out->table, "%7.0f %9.0f", x->order, x->reference);
    for (int k = 0; k < 2; ++k) {
        const double t[] = {x->functional[k], x->single[k], speedup(x, k)};
        for (int i = 0; i < 3; ++i)
            if (t[i] > 0)
                fprintf(out->table, " %11.5g", t[i]);
            else
                fprintf(out->table, " %11s", "-");
    }
    fprintf(out->table, "  %s\n", x->fails);
    bench_row(out, x);
}

/* Flops of an element of an n x n matrix, over n. */
static double
factor_of(const char *kernel)
{
    return strcmp(kernel, "dgemm") == 0 ? 2. : 2. / 3.;
}

/* One way to divide a matrix. */
typedef struct {
    const network *net;
    const model_options *o;
    double order, reference; /* elements; 0: by speed functions */
    int has_limits;
    double seconds; /* 0: it fails */
    int slow, fails;
} division;

/* Processors whose speed at their share is below half of the largest. */
static int
is_slow(const hesca_speed *speed, double elements)
{
    int n;
    double peak = 0;
    const hesca_knot *knot = hesca_speed_knots(speed, &n);
    for (int j = 0; j < n; ++j)
        peak = fmax(peak, knot[j].speed);
    return hesca_speed_at(speed, elements) < peak / 2;
}

/* Rows to processors, whose curves say how long they take.
 * Returns 0 after a complaint; that the limits hold less is none. */
static int
divide_stripes(division *d, const hesca_speed *const *model)
{
    const double flops = factor_of(d->o->kernel) * d->order;
    hesca_shares *shares;
    const int err =
        hesca_shares_create(d->net->p, model, (int64_t)d->order, &shares);
    if (err == HESCA_ERR_ARG)
        return 1;
    if (err < 0)
        return cmdline_fail("%s", hesca_error_text());
    for (int i = 0; i < d->net->p; ++i) {
        const hesca_speed *speed = d->net->speed[i];
        const double x = d->order * (double)hesca_shares_count(shares, i);
        d->slow += is_slow(speed, x);
        if (x > hesca_speed_limit(speed))
            d->fails = i;
        d->seconds = fmax(d->seconds, flops * hesca_speed_time(speed, x));
    }
    hesca_shares_free(shares);
    return 1;
}

/* Columns in groups to processors: LU. */
static int
divide_groups(division *d, const hesca_speed *const *model)
{
    const int64_t n = (int64_t)d->order;
    const lu_task task = {d->net->p, n, d->o->block};
    int *owner = d->o->distribution == GROUP ? lu_groups(&task, model)
                                             : lu_backwards(&task, model);
    if (owner == NULL)
        return cmdline_fail("%s", hesca_error_text());
    for (int i = 0; i < d->net->p; ++i) {
        const double x = d->order * (double)lu_columns(&task, owner, i, 0);
        d->slow += is_slow(d->net->speed[i], x);
        if (x > hesca_speed_limit(d->net->speed[i]))
            d->fails = i;
    }
    /* An element of an update by a block is 2 b flops. */
    d->seconds =
        2. * d->o->block * lu_updates_time(&task, owner, d->net->speed);
    free(owner);
    return 1;
}

/* Divide by what is known, and see how long the curves say it takes.
 * Returns 0 after a complaint. */
static int
divide(division *d)
{
    const int p = d->net->p;
    const int is_lu = d->o->distribution != STRIPED;
    hesca_speed **model = models_make(d->net, p, is_lu ? 1 : d->order,
                                      d->has_limits, d->reference);
    const hesca_speed *const *m = (const hesca_speed *const *)model;
    d->seconds = 0;
    d->fails = -1;
    const int ok =
        model != NULL && (is_lu ? divide_groups(d, m) : divide_stripes(d, m));
    if (d->fails >= 0)
        d->seconds = 0;
    units_free(model, p);
    return ok;
}

static int
run_one(const network *net, row *x)
{
    int ok = 1;
    x->fails = "";
    for (int limits = 0; ok && limits < 2; ++limits) {
        division f = {
            .net = net, .o = x->o, .order = x->order, .has_limits = limits};
        division s = f;
        s.reference = x->reference * x->reference;
        ok = divide(&f) && divide(&s);
        x->functional[limits] = f.seconds;
        x->single[limits] = s.seconds;
        if (limits == 0) {
            x->slow_functional = f.slow;
            x->slow_single = s.slow;
            x->fails = f.fails >= 0 ? net->machine.host[f.fails].name : "";
        }
    }
    return ok;
}

static void
print_head(FILE *f, const model_options *o, int p, int points)
{
    fprintf(f, "%s on the %d processors of %s, %s; seconds\n", o->kernel, p,
            o->machine, names[o->distribution]);
    if (o->is_built)
        fprintf(f, "by models that GBBP builds, of at most %d points\n",
                points);
    fprintf(f, "\n%7s %9s %11s %11s %11s %11s %11s %11s  %s\n", "order",
            "reference", "functional", "single", "speedup", "with limits",
            "single", "speedup", "fails on");
}

int
show_speedup(const model_options *o, fields_files *out)
{
    network net;
    row x = {.o = o, .fails = ""};
    int points = 0;
    out->put = put;
    int ok = network_read(o->machine, o->kernel, &net);
    if (ok && o->is_built)
        ok = network_build(&net, o->accuracy, o->band, &points);
    print_head(out->table, o, net.p, points);
    for (int j = 0; ok && j < o->nreferences; ++j)
        for (int i = 0; ok && i < o->nsizes; ++i) {
            x.order = (double)o->sizes[i];
            x.reference = (double)o->references[j];
            ok = run_one(&net, &x);
            if (ok)
                print(out, &x);
        }
    network_clear(&net);
    return ok;
}
