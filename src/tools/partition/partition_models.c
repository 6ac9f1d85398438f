/* SPDX-License-Identifier: BSD-3-Clause */
/* Processors and their speeds. */
#include "base/status.h"
#include "hesca/experimental/param.h"
#include "tools/lib/cmdline.h"
#include "tools/partition/partition.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int
failed(void)
{
    return cmdline_fail("%s", hesca_error_text());
}

static int
make_room(partition_processors *x, int p)
{
    x->p = p;
    x->name = calloc((size_t)p, sizeof *x->name);
    x->model = calloc((size_t)p, sizeof *x->model);
    return (x->name != NULL && x->model != NULL) ||
           cmdline_fail("no memory for %d processors", p);
}

static void
free_models(int p, hesca_speed **model)
{
    for (int i = 0; model != NULL && i < p; ++i)
        hesca_speed_free(model[i]);
    free(model);
}

void
partition_processors_clear(partition_processors *x)
{
    free_models(x->p, x->model);
    free(x->name);
    memset(x, 0, sizeof *x);
}

/* ------------------------------------------------ of the command line
 * Speeds are positive; processors are named by their numbers. */

static int
take_speeds(partition_processors *x, const partition_options *o)
{
    snprintf(x->source, sizeof x->source, "constant speeds");
    if (!make_room(x, o->nspeeds))
        return 0;
    for (int i = 0; i < x->p; ++i) {
        snprintf(x->name[i], sizeof x->name[i], "%d", i);
        if (hesca_speed_create_constant(o->speed[i], INFINITY, &x->model[i]) <
            0)
            return failed();
    }
    return 1;
}

/* ------------------------------------------------ of a machine file
 * Processors are hosts, in the order of --hosts or of the file. */

/* The only kernel with models in a machine; NULL after an error message, "" if
 * there are none. */
static const char *
find_kernel(const hesca_machine *m, const char *path)
{
    for (int k = 1; k < m->nmodels; ++k)
        if (strcmp(m->model[k].kernel, m->model[0].kernel) != 0) {
            cmdline_fail("%s has models of %s, %s ...: --kernel says which",
                         path, m->model[0].kernel, m->model[k].kernel);
            return NULL;
        }
    return m->nmodels > 0 ? m->model[0].kernel : "";
}

static int
take_host(partition_processors *x, int i, const hesca_machine *m, int host,
          const char *kernel)
{
    const hesca_host *h = &m->host[host];
    const hesca_speed *speed = NULL;
    snprintf(x->name[i], sizeof x->name[i], "%s", h->name);
    if (kernel[0] == '\0')
        return hesca_speed_create_constant(h->speed, INFINITY, &x->model[i]) ==
                   HESCA_SUCCESS ||
               failed();
    speed = hesca_machine_speed(m, host, kernel);
    if (speed == NULL)
        return cmdline_fail("host %s has no model of kernel '%s'", h->name,
                            kernel);
    return hesca_speed_copy(speed, hesca_speed_limit(speed), &x->model[i]) ==
               HESCA_SUCCESS ||
           failed();
}

static int
find_host(const hesca_machine *m, const char *name)
{
    const int host = hesca_machine_find_host(m, name);
    if (host < 0)
        cmdline_fail(host == -1 ? "--hosts: there is no host '%s'"
                                : "--hosts: several hosts are called '%s'",
                     name);
    return host;
}

static int
take_hosts(partition_processors *x, const partition_options *o,
           const hesca_machine *m, const char *path)
{
    const char *kernel = o->kernel != NULL ? o->kernel : find_kernel(m, path);
    if (kernel == NULL)
        return 0;
    if (m->nhosts == 0)
        return cmdline_fail("%s has no hosts", path);
    snprintf(x->source, sizeof x->source, "%.120s, %s%s", path,
             kernel[0] != '\0' ? "kernel " : "relative speeds", kernel);
    if (!make_room(x, o->nhosts > 0 ? o->nhosts : m->nhosts))
        return 0;
    for (int i = 0; i < x->p; ++i) {
        const int host = o->nhosts > 0 ? find_host(m, o->host[i]) : i;
        if (host < 0 || !take_host(x, i, m, host, kernel))
            return 0;
    }
    return 1;
}

static int
take_machine(partition_processors *x, const partition_options *o)
{
    hesca_machine m = hesca_machine_default();
    hesca_params params;
    const char *path = o->machine;
    if (path == NULL) {
        if (hesca_params_read(&params) < 0)
            return failed();
        path = params.machine;
    }
    if (path[0] == '\0')
        return cmdline_complain("--speeds or --machine is missing, and "
                                "HESCA_MACHINE is not set");
    if (hesca_machine_read(path, &m) < 0)
        return failed();
    const int ok = take_hosts(x, o, &m, path);
    hesca_machine_clear(&m);
    return ok;
}

/* ------------------------------------------------ all of it
 * Limits of the command line replace those of the models. */

static int
set_limits(partition_processors *x, const partition_options *o)
{
    if (o->nlimits > 0 && o->nlimits != x->p)
        return cmdline_complain("--limits: %d of them, for %d processors",
                                o->nlimits, x->p);
    for (int i = 0; i < o->nlimits; ++i) {
        hesca_speed *copy;
        if (hesca_speed_copy(x->model[i], o->limit[i], &copy) < 0)
            return failed();
        hesca_speed_free(x->model[i]);
        x->model[i] = copy;
    }
    return 1;
}

int
partition_processors_make(partition_processors *x, const partition_options *o)
{
    memset(x, 0, sizeof *x);
    const int ok = (o->nspeeds > 0 ? take_speeds(x, o) : take_machine(x, o)) &&
                   set_limits(x, o);
    if (!ok)
        partition_processors_clear(x);
    return ok;
}

/* ------------------------------------------------ to compare with
 * Simpler models decide shares only; times are those of the true models. */

/* Whether no speed depends on size. */
static int
is_constant(const partition_processors *q)
{
    int n = 1;
    for (int i = 0; n == 1 && i < q->p; ++i)
        hesca_speed_knots(q->model[i], &n);
    return n == 1;
}

double
partition_time(const hesca_speed *model, int64_t count, double size)
{
    if ((double)count > hesca_speed_limit(model))
        return INFINITY;
    return size > 0 ? size / hesca_speed_at(model, size) : 0;
}

/* Models of constant speed, that at total / p elements, with the limits of
 * others; NULL after an error message. */
static hesca_speed **
single_of(const partition_processors *q, double total)
{
    hesca_speed **model = calloc((size_t)q->p, sizeof *model);
    if (model == NULL) {
        cmdline_fail("no memory for %d processors", q->p);
        return NULL;
    }
    for (int i = 0; i < q->p; ++i) {
        int knots;
        const hesca_knot *knot = hesca_speed_knots(q->model[i], &knots);
        const double there = hesca_speed_at(q->model[i], total / q->p);
        /* A processor that cannot hold that much gets the speed of its
         * smallest size. */
        const double speed = there > 0 ? there : knot[0].speed;
        if (hesca_speed_create_constant(speed, hesca_speed_limit(q->model[i]),
                                        &model[i]) < 0) {
            failed();
            free_models(q->p, model);
            return NULL;
        }
    }
    return model;
}

void
partition_take(partition_state *s, int i, int64_t count, double size)
{
    s->share[i] =
        (partition_share){.count = count,
                          .size = size,
                          .speed = hesca_speed_at(s->q.model[i], size),
                          .time = partition_time(s->q.model[i], count, size)};
    s->total += size;
}

int
partition_compare(partition_state *s,
                  double (*time_by)(const partition_state *s,
                                    hesca_speed *const *model))
{
    s->equal = time_by(s, NULL);
    s->single = NAN;
    if (is_constant(&s->q))
        return 1;
    hesca_speed **single = single_of(&s->q, s->total);
    if (single != NULL)
        s->single = time_by(s, single);
    free_models(s->q.p, single);
    return single != NULL;
}
