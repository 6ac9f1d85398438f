/* SPDX-License-Identifier: BSD-3-Clause */
#include "hdpi_lu.h"
#include "hesca/experimental/build.h"
#include "model_hdpi.h"
#include "tools/lib/cmdline.h"
#include <math.h>
#include <stdlib.h>

int
network_read(const char *path, const char *kernel, network *net)
{
    *net = (network){.p = 0};
    if (hesca_machine_read(path, &net->machine) < 0)
        return cmdline_fail("%s", hesca_error_text());
    net->p = net->machine.nhosts;
    net->speed = calloc((size_t)net->p + 1, sizeof *net->speed);
    if (net->speed == NULL)
        return cmdline_fail("no memory for %d models", net->p);
    for (int i = 0; i < net->p; ++i) {
        net->speed[i] = hesca_machine_speed(&net->machine, i, kernel);
        if (net->speed[i] == NULL)
            return cmdline_fail("%s: host %s has no model '%s'", path,
                                net->machine.host[i].name, kernel);
    }
    return net->p > 0 || cmdline_fail("%s: no hosts", path);
}

void
network_clear(network *net)
{
    free(net->speed);
    units_free(net->built, net->p);
    hesca_machine_clear(&net->machine);
}

/* A curve that is measured. */
typedef struct {
    const hesca_speed *speed;
    double band;
} curve;

static int
look_up(double size, hesca_knot *point, double *seconds, void *data)
{
    const curve *c = data;
    point->speed = point->high = hesca_speed_at(c->speed, size);
    point->low = (1 - c->band) * point->speed;
    *seconds = size / point->speed;
    return HESCA_BUILD_MEASURED;
}

int
network_build(network *net, double accuracy, double band, int *points)
{
    *points = 0;
    net->built = calloc((size_t)net->p, sizeof *net->built);
    if (net->built == NULL)
        return cmdline_fail("no memory for %d models", net->p);
    for (int i = 0; i < net->p; ++i) {
        int n;
        const hesca_knot *knot = hesca_speed_knots(net->speed[i], &n);
        curve c = {net->speed[i], band};
        const hesca_build_options options = {.a = ceil(knot[0].size),
                                             .b = floor(knot[n - 1].size),
                                             .measure_end = 1,
                                             .doubling = 1,
                                             .eps = accuracy};
        hesca_build_report report;
        if (hesca_build_gbbp(&options, look_up, &c, &net->built[i], &report) <
            0)
            return cmdline_fail("host %s: %s", net->machine.host[i].name,
                                hesca_error_text());
        *points = report.npoints > *points ? report.npoints : *points;
        hesca_build_report_clear(&report);
    }
    return 1;
}

/* A model in other units. */
static int
make_one(const network *net, int i, double unit, int has_limit,
         double reference, hesca_speed **to)
{
    const hesca_speed *from = net->speed[i];
    const double limit = has_limit ? hesca_speed_limit(from) / unit : INFINITY;
    if (reference > 0)
        return hesca_speed_create_constant(hesca_speed_at(from, reference),
                                           limit, to);
    return units_change(net->built != NULL ? net->built[i] : from, unit, limit,
                        to);
}

hesca_speed **
models_make(const network *net, int p, double unit, int has_limits,
            double reference)
{
    hesca_speed **model = calloc((size_t)p, sizeof *model);
    int err = model != NULL ? 0 : HESCA_ERR_NOMEM;
    for (int i = 0; err == 0 && i < p; ++i)
        err =
            make_one(net, i % net->p, unit, has_limits, reference, &model[i]);
    if (err == 0)
        return model;
    units_free(model, p);
    cmdline_fail("models: %s", hesca_error_text());
    return NULL;
}
