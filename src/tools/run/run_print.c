/* SPDX-License-Identifier: BSD-3-Clause */
/* What hesca run prints. */
#include "tools/run/run.h"
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------ hosts */

static int
name_width(const run_layout *x)
{
    int width = (int)strlen("host");
    for (int i = 0; i < x->machine.nhosts; ++i) {
        const int n = (int)strlen(x->machine.host[i].name);
        width = n > width ? n : width;
    }
    return width;
}

static void
print_hosts(const run_options *o, const run_layout *x, const run_grid *best)
{
    const int width = name_width(x);
    printf("machine  %s\n\n", x->source);
    printf("%-*s       speed  cores  processes  in grid    work   speed  "
           "  memory\n",
           width, "host");
    for (int i = 0; i < x->machine.nhosts; ++i) {
        const hesca_host *host = &x->machine.host[i];
        const run_part part = run_part_of(o, x, best, i);
        printf("%-*s  %10.4g %6.3g %10d %8d %6.1f%% %6.1f%%  %6.2f GB", width,
               host->name, host->speed, host->cores, x->count[i], part.places,
               100 * part.work, 100 * part.speed, 1e-9 * part.bytes);
        if (host->memory > 0)
            printf(" of %.2f", 1e-9 * host->memory);
        printf("\n");
    }
    printf("%-*s  %10s %6s %10d %8d\n\n", width, "all", "", "", x->nprocs,
           best->nprow * best->npcol);
}

/* Whether speeds have no unit, so that times have none either. */
static int
is_relative(const run_layout *x)
{
    static const char *const kernel[] = {"dgemm", "dpotrf", "dgetrf"};
    for (int i = 0; i < x->machine.nhosts; ++i)
        for (size_t k = 0; k < sizeof kernel / sizeof *kernel; ++k)
            if (hesca_machine_speed(&x->machine, i, kernel[k]) != NULL)
                return 0;
    return 1;
}

/* ------------------------------------------------ the grid */

/* Process and host of each place in the grid, if that fits into lines. */
static void
print_grid(const run_layout *x, const run_grid *g)
{
    enum { LINE = 120, ROWS = 40 };
    const int width = name_width(x) + 7;
    printf("grid     %d x %d\n", g->nprow, g->npcol);
    if (g->nprow > ROWS || g->npcol * width > LINE)
        return;
    for (int r = 0; r < g->nprow; ++r) {
        printf("        ");
        for (int c = 0; c < g->npcol; ++c) {
            const int k = r * g->npcol + c;
            char place[HESCA_HOST_MAX + 16];
            snprintf(place, sizeof place, "%d:%s", g->process[k],
                     x->machine.host[g->host[k]].name);
            printf(" %-*s", c + 1 < g->npcol ? width - 1 : 1, place);
        }
        printf("\n");
    }
}

static void
print_forecast(const char *name, const run_grid *g)
{
    printf("%-8s %10.4g s: %.4g s computing, %.4g s waiting; %d x %d\n", name,
           g->forecast.seconds, g->forecast.compute, g->forecast.communicate,
           g->nprow, g->npcol);
}

static void
print_gain(const run_grid *best, const run_grid *plain)
{
    print_forecast("plain", plain);
    printf("gain     %10.4g   plain / time; plain ScaLAPACK has a process per "
           "core, in order\n",
           plain->forecast.seconds / best->seconds);
    printf("bound    %10.4g s  plain, computing as if all were as slow as the "
           "slowest\n",
           plain->forecast.bound);
}

void
run_print(const run_options *o, const run_layout *x, const run_grid *best,
          const run_grid *plain, const arglist *command)
{
    print_hosts(o, x, best);
    if (x->why != NULL)
        printf("One process per core: %s.\n\n", x->why);
    printf("job      %s of order %lld, blocks of %d%s\n",
           hesca_routine_name(x->job.routine), (long long)x->job.n, x->job.nb,
           x->knows_job && !x->has_job ? ", by the program's last run" : "");
    print_grid(x, best);
    if (x->best.nprow > 0 && (x->why != NULL || x->best.nprow != best->nprow ||
                              x->best.npcol != best->npcol))
        printf("best     %d x %d of %d processes%s\n", x->best.nprow,
               x->best.npcol, x->best_nprocs,
               x->by_speed ? ", in shares in proportion to speed" : "");
    print_forecast("time", best);
    if (best->by_speed)
        printf(
            "shares   %10.4g s  in proportion to speed, computed by HESCA\n",
            best->seconds);
    if (plain->nprow > 0)
        print_gain(best, plain);
    else
        printf("plain    in equal shares, one for each core, the matrices do "
               "not fit\n");
    printf("ideal    %10.4g s  computing in proportion to speed\n",
           best->forecast.ideal);
    if (is_relative(x))
        printf("The machine has no models of kernels (hesca probe --kernel): "
               "speed 1 is taken for\n%.3g operations per second.\n",
               x->machine.unit.flops);
    if (command->n > 0) {
        printf("\n");
        arglist_print(command);
        printf("\n");
    }
}

/* The best grid, and what it gains; a job that nobody has named is a guess. */
static void
announce_grid(const run_options *o, const run_layout *x)
{
    const int is_other =
        o->grid.nprow > 0 &&
        (o->grid.nprow != x->best.nprow || o->grid.npcol != x->best.npcol);
    fprintf(stderr, "; best grid %dx%d", x->best.nprow, x->best.npcol);
    if (x->why != NULL)
        fprintf(stderr, " of %d processes", x->best_nprocs);
    if (is_other)
        fprintf(stderr, ", not %dx%d", o->grid.nprow, o->grid.npcol);
    if (x->by_speed)
        fprintf(stderr, ", in shares in proportion to speed");
    if (x->gain > 1.01)
        fprintf(stderr,
                ", predicted %.3g times as fast as plain ScaLAPACK on one "
                "process per core",
                x->gain);
    fprintf(stderr, " (%s of order %lld%s)",
            hesca_routine_name(x->job.routine), (long long)x->job.n,
            x->has_job     ? ""
            : x->knows_job ? ", as in its last run"
                           : ", as long as nothing is known of the program");
}

void
run_announce(const run_options *o, const run_layout *x)
{
    int n = 0, shown = 0;
    fprintf(stderr, "hesca run: %d process%s", x->nprocs,
            x->nprocs > 1 ? "es" : "");
    for (int i = 0; i < x->machine.nhosts && x->is_named; ++i)
        if (x->count[i] > 0 && n++ < 8) {
            fprintf(stderr, "%s%s %d", n > 1 ? ", " : ": ",
                    x->machine.host[i].name, x->count[i]);
            ++shown;
        }
    if (n > shown)
        fprintf(stderr, " and %d hosts more", n - shown);
    if (x->why != NULL)
        fprintf(stderr, ", one per core: %s", x->why);
    if (x->best.nprow > 0 && x->best_nprocs > 1 &&
        (x->knows_job || x->hosts.n > 0 || o->grid.nprow > 0))
        announce_grid(o, x);
    fputc('\n', stderr);
}
