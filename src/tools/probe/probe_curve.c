/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of hesca probe --kernel. */
#include "base/status.h"
#include "tools/lib/json.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe_kernel.h"
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------ the machine
 * Hosts of the file remain; measured ones that it lacks are added. */

/* The hosts of a machine, and the measured hosts that it lacks. */
static int
add_hosts(const hesca_survey *hosts, hesca_machine *machine)
{
    int n = machine->nhosts, err = HESCA_SUCCESS;
    const char **name = malloc(((size_t)n + (size_t)hosts->n) * sizeof *name);
    if (name == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "names of %d hosts",
                          n + hosts->n);
    for (int i = 0; i < n; ++i)
        name[i] = machine->host[i].name;
    for (int i = 0; i < hosts->n; ++i)
        if (hesca_machine_find_host(machine, hosts->host[i].name) < 0)
            name[n++] = hosts->host[i].name;
    if (n > machine->nhosts)
        err = hesca_survey_rename(machine, n, name);
    free(name);
    return err;
}

/* The previous model with the new points. */
static int
merge(const hesca_speed *before, const probe_curve *now, hesca_speed **merged)
{
    static const double weight = 0.5;
    hesca_speed *x;
    int err;
    *merged = NULL;
    HESCA_TRY(err, hesca_speed_copy(before, now->limit, &x));
    for (int k = 0; k < now->report.npoints; ++k) {
        hesca_speed *next;
        err = hesca_speed_merge(x, &now->report.point[k], weight, &next, NULL);
        hesca_speed_free(x);
        if (err < 0)
            return err;
        x = next;
    }
    *merged = x;
fail:
    return err;
}

int
probe_curves_enter(const probe_sizes *sizes, const hesca_survey *hosts,
                   const probe_curve *curve, hesca_machine *machine)
{
    const char *kernel = sizes->kernel->name;
    int err;
    HESCA_TRY(err, add_hosts(hosts, machine));
    for (int i = 0; i < hosts->n && err == HESCA_SUCCESS; ++i) {
        const int host = hesca_machine_find_host(machine, hosts->host[i].name);
        const hesca_speed *before = hesca_machine_speed(machine, host, kernel);
        hesca_speed *merged = NULL;
        if (sizes->merge && before != NULL)
            HESCA_TRY(err, merge(before, &curve[i], &merged));
        err = hesca_machine_set_speed(
            machine, host, kernel, merged != NULL ? merged : curve[i].speed);
        hesca_speed_free(merged);
    }
fail:
    return err;
}

/* ------------------------------------------------ results
 * The file is written after the results have been printed. */

static void
print_json(const probe_sizes *s, const char *library,
           const hesca_survey *hosts, const probe_curve *curve)
{
    printf("{\"kernel\": \"%s\", \"unit\": \"%s\", \"library\": ",
           s->kernel->name, s->kernel->unit);
    json_string(library);
    printf(", \"hosts\": [");
    for (int i = 0; i < hosts->n; ++i) {
        const hesca_build_report *r = &curve[i].report;
        printf("%s\n {\"name\": ", i > 0 ? "," : "");
        json_string(hosts->host[i].name);
        printf(", \"limit\": %.0f, \"seconds\": %.6g, \"naive_seconds\": "
               "%.6g, \"changed\": %d, \"complete\": %s, \"points\": [",
               curve[i].limit, r->total, r->naive_seconds, r->changed,
               r->is_complete ? "true" : "false");
        for (int k = 0; k < r->npoints; ++k)
            printf("%s\n  {\"size\": %.0f, \"speed\": %.10g, \"low\": %.10g, "
                   "\"high\": %.10g, \"seconds\": %.6g}",
                   k > 0 ? "," : "", r->point[k].size, r->point[k].speed,
                   r->point[k].low, r->point[k].high, r->seconds[k]);
        printf("]}");
    }
    printf("]}\n");
}

static void
print_curve(const probe_sizes *s, const char *host, const probe_curve *x)
{
    const hesca_build_report *r = &x->report;
    printf("# %s, %s: %d points in %.2f s, %s; %.0f elements fit\n", host,
           s->kernel->name, r->npoints, r->total,
           s->even > 0      ? "equal steps"
           : r->is_complete ? "by bisection"
                            : "by bisection, points or time being over",
           x->limit);
    if (s->even == 0)
        printf("# %d equal steps would take about %.2f s\n", HESCA_BUILD_NAIVE,
               r->naive_seconds);
    if (r->changed > 0)
        printf("# %d of them would make more work take less time: slowed "
               "down\n",
               r->changed);
    printf("#    elements  %10s         low        high  seconds\n",
           s->kernel->unit);
    for (int k = 0; k < r->npoints; ++k) {
        const hesca_knot *p = &r->point[k];
        printf("# %11.0f  %10.4g  %10.4g  %10.4g  %7.3f\n", p->size, p->speed,
               p->low, p->high, r->seconds[k]);
    }
}

/* The previous contents of the file, and the new measurements. */
static int
make_text(const probe_request *q, const probe_sizes *s,
          const hesca_survey *hosts, const probe_curve *curve, char **text)
{
    hesca_machine machine;
    int err;
    *text = NULL;
    HESCA_TRY(err, probe_file_read(q->out, &machine));
    HESCA_TRY(err, probe_curves_enter(s, hosts, curve, &machine));
    err = hesca_machine_format(&machine, text);
fail:
    hesca_machine_clear(&machine);
    return err;
}

int
probe_curves_print(const probe_request *q, const probe_sizes *sizes,
                   const char *library, const hesca_survey *hosts,
                   const probe_curve *curve)
{
    char *text;
    if (make_text(q, sizes, hosts, curve, &text) < 0) {
        complain("%s", hesca_error_text());
        return TOOL_NO;
    }
    if (q->json)
        print_json(sizes, library, hosts, curve);
    if (!q->json && library != NULL)
        printf("# %s of %s\n", sizes->kernel->name, library);
    for (int i = 0; i < hosts->n && !q->json; ++i)
        print_curve(sizes, hosts->host[i].name, &curve[i]);
    if (!q->json)
        printf("%s", text);
    const int status =
        q->out == NULL ? TOOL_YES : probe_file_write(q->out, text);
    free(text);
    return status;
}
