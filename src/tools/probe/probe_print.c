/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of hesca probe. */
#define _POSIX_C_SOURCE 200809L /* lstat, access */
#include "base/status.h"
#include "exec/agree.h"
#include "tools/lib/json.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------ JSON
 * Links that were not measured are omitted. */

static void
json_costs(const probe_costs *x)
{
    static const char *const name[PROBE_UNKNOWNS] = {"startup", "message",
                                                     "byte", "copy"};
    printf("\"link\": \"%s\", \"processes_per_core\": %g", x->link, x->load);
    for (int k = 0; k < PROBE_UNKNOWNS; ++k)
        printf(", \"%s\": %.6g", name[k], x->cost[k]);
    printf(", \"cases\": [");
    for (int i = 0; i < x->n; ++i) {
        const probe_sample *s = &x->sample[i];
        printf("%s\n  {\"k\": %lld, \"bytes\": %lld, \"schedule\": ",
               i > 0 ? "," : "", (long long)s->k, (long long)s->bytes);
        json_string(s->schedule);
        printf(", \"seconds\": %.6g, \"fitted\": %.6g}", s->seconds,
               probe_costs_fitted(x, s));
    }
    printf("\n]");
}

static void
json_links(const hesca_survey *x)
{
    const char *comma = "";
    printf("\"hosts\": [");
    for (int i = 0; i < x->n; ++i) {
        printf("%s\n  {\"name\": ", i > 0 ? "," : "");
        json_string(x->host[i].name);
        printf(", \"flops\": %.6g, \"within\": %.3g, \"share\": %.3g, "
               "\"cores\": %.6g, \"memory\": %.0f}",
               x->host[i].speed, x->host[i].width, x->host[i].share,
               x->host[i].cores, x->host[i].memory);
    }
    printf("\n], \"links\": [");
    for (int k = 0; k < x->n * x->n; ++k) {
        const hesca_survey_link *l = &x->link[k];
        if (!(l->rate > 0))
            continue;
        printf("%s\n  {\"from\": ", comma);
        json_string(x->host[k / x->n].name);
        printf(", \"to\": ");
        json_string(x->host[k % x->n].name);
        printf(", \"startup\": %.6g, \"rate\": %.6g, \"bytes\": %.0f, "
               "\"times\": %.0f, \"startup_width\": %.3g, \"rate_width\": "
               "%.3g}",
               l->startup, l->rate, l->bytes, l->times, l->startup_width,
               l->rate_width);
        comma = ",";
    }
    printf("\n]");
}

static void
print_json(const probe_request *q, const probe_costs *costs,
           const hesca_survey *hosts)
{
    printf("{");
    if (q->costs)
        json_costs(costs);
    if (q->costs && q->links)
        printf(", ");
    if (q->links)
        json_links(hosts);
    printf("}\n");
}

/* ------------------------------------------------ text
 * Lines of measurements are comments of a machine file. */

static void
print_costs(const probe_costs *x, int nprocs)
{
    printf("# %d processes, %g per core, line %s; us measured and as "
           "fitted:\n#   K  bytes/proc  schedule       measured     fitted\n",
           nprocs, x->load, x->link);
    for (int i = 0; i < x->n; ++i) {
        const probe_sample *s = &x->sample[i];
        printf("# %3lld  %10lld  %-12s %10.1f %10.1f\n", (long long)s->k,
               (long long)s->bytes, s->schedule, 1e6 * s->seconds,
               1e6 * probe_costs_fitted(x, s));
    }
}

static void
print_links(const hesca_survey *x)
{
    printf("# %-15s %-15s startup us within      MB/s within   longest  "
           "times\n",
           "from", "to");
    for (int k = 0; k < x->n * x->n; ++k) {
        const hesca_survey_link *l = &x->link[k];
        if (l->rate > 0)
            printf("# %-15s %-15s %10.1f %5.1f%% %9.2f %5.1f%% %9.0f %6.0f\n",
                   x->host[k / x->n].name, x->host[k % x->n].name,
                   1e6 * l->startup, 100 * l->startup_width, 1e-6 * l->rate,
                   100 * l->rate_width, l->bytes, l->times);
    }
    for (int i = 0; i < x->n; ++i)
        printf("# %-15s %.3f GFLOP/s within %.1f%%, %.0f%% of its time, on "
               "each of %.3g cores, %.2f GB free\n",
               x->host[i].name, 1e-9 * x->host[i].speed,
               100 * x->host[i].width, 100 * x->host[i].share,
               x->host[i].cores, 1e-9 * x->host[i].memory);
}

/* ------------------------------------------------ the file */

/* A file that is not regular, such as /dev/null, is not read. */
int
probe_file_read(const char *path, hesca_machine *machine)
{
    struct stat is;
    *machine = hesca_machine_default();
    if (path == NULL ||
        (stat(path, &is) == 0 ? !S_ISREG(is.st_mode) : errno == ENOENT))
        return HESCA_SUCCESS;
    return hesca_machine_read(path, machine);
}

/* The folder, in which the file is replaced; or what is there instead of a
 * file, as /dev/stdout. */
static int
check_writable(const char *path)
{
    char folder[PATH_MAX];
    struct stat old;
    const char *slash = strrchr(path, '/');
    const char *at = path;
    if (stat(path, &old) != 0 || S_ISREG(old.st_mode)) {
        snprintf(folder, sizeof folder, "%.*s",
                 slash == NULL ? 1 : (int)(slash - path + 1),
                 slash == NULL ? "." : path);
        at = folder;
    }
    if (access(at, W_OK) == 0)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_ARG, 0, "-o %s cannot be written: %s: %s",
                      path, at, strerror(errno));
}

int
probe_file_check(const hesca_comm *c, const char *path)
{
    hesca_machine machine = hesca_machine_default();
    int err = HESCA_SUCCESS;
    if (c->rank == 0)
        err = probe_file_read(path, &machine);
    if (c->rank == 0 && err == HESCA_SUCCESS && path != NULL)
        err = check_writable(path);
    hesca_machine_clear(&machine);
    return hesca_agree(c, err, 0, NULL);
}

/* The previous contents of the file, and the new measurements. */
static int
make_text(const probe_request *q, const probe_costs *costs,
          const hesca_survey *hosts, char **text)
{
    hesca_machine machine;
    int err;
    *text = NULL;
    HESCA_TRY(err, probe_file_read(q->out, &machine));
    if (q->costs)
        probe_costs_enter(costs, &machine);
    if (q->links)
        HESCA_TRY(err, hesca_survey_enter(hosts, &machine));
    err = hesca_machine_format(&machine, text);
fail:
    hesca_machine_clear(&machine);
    return err;
}

static int
write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    const int good = f != NULL && fputs(text, f) >= 0;
    return f != NULL && fclose(f) == 0 && good;
}

/* A file that is not regular is written directly. */
int
probe_file_write(const char *path, const char *text)
{
    static const char suffix[] = ".new";
    struct stat old;
    int good = 0;
    char *fresh = malloc(strlen(path) + sizeof suffix);
    if (lstat(path, &old) == 0 && !S_ISREG(old.st_mode)) {
        good = write_text(path, text);
    } else if (fresh != NULL) {
        sprintf(fresh, "%s%s", path, suffix);
        good = write_text(fresh, text) && rename(fresh, path) == 0;
        if (!good)
            remove(fresh);
    }
    free(fresh);
    if (!good)
        complain("%s cannot be written", path);
    return good ? TOOL_YES : TOOL_NO;
}

int
probe_print(const probe_request *q, int nprocs, const probe_costs *costs,
            const hesca_survey *hosts)
{
    char *text;
    if (make_text(q, costs, hosts, &text) < 0) {
        complain("%s", hesca_error_text());
        return TOOL_NO;
    }
    if (q->json)
        print_json(q, costs, hosts);
    if (!q->json && q->costs)
        print_costs(costs, nprocs);
    if (!q->json && q->links)
        print_links(hosts);
    if (!q->json)
        printf("%s", text);
    const int status =
        q->out == NULL ? TOOL_YES : probe_file_write(q->out, text);
    free(text);
    return status;
}
