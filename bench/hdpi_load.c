/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI thesis 4.1.1.2, Figure 4.14: how well load functions, made of the loads
 * until now, predict loads to come. */
#include "hesca/experimental/load.h"
#include "model_hdpi.h"
#include "sim/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAYS = 7, MINUTES = 24 * 60, APART = 31 };

typedef struct {
    const char *source;
    int past, window, moments;
    double hits, width, last;
} row;

static void
put(fields *s, const void *from)
{
    const row *x = from;
    fields_text(s, "source", x->source);
    fields_int(s, "past", x->past);
    fields_int(s, "window", x->window);
    fields_int(s, "moments", x->moments);
    fields_real(s, "hit_ratio", x->hits);
    fields_real(s, "area", x->width * x->window);
    fields_real(s, "mean_width", x->width);
    fields_real(s, "last_width", x->last);
}

/* ----- histories ----- */

typedef struct {
    int n;
    double *load; /* [n], below 1 */
} history;

/* Loads of a desktop, one a minute, made up: a level that fluctuates with a
 * memory of half an hour, noise, and now and then a small job of minutes to
 * hours. */
static int
make_up(int seed, history *h)
{
    hesca_random r = {(uint64_t)seed};
    double level = 0, job = 0, left = 0;
    h->n = DAYS * MINUTES;
    h->load = calloc((size_t)h->n, sizeof *h->load);
    if (h->load == NULL)
        return cmdline_fail("no memory for a history");
    for (int t = 0; t < h->n; ++t) {
        level = 29. / 30 * level + 0.012 * (2 * hesca_random_unit(&r) - 1);
        if (--left < 0 && hesca_random_unit(&r) < 1. / 180) {
            left = 5 * exp(4 * hesca_random_unit(&r));
            job = 0.02 + 0.08 * hesca_random_unit(&r);
        }
        const double noise = 0.02 * hesca_random_unit(&r);
        const double load = 0.1 + level + noise + (left > 0 ? job : 0);
        h->load[t] = fmin(fmax(load, 0), HESCA_LOAD_MOST);
    }
    return 1;
}

/* The first number of every line, over the number of cores. */
static int
read_history(const char *path, int cores, history *h)
{
    FILE *file = fopen(path, "r");
    char line[256];
    if (file == NULL)
        return cmdline_fail("%s: cannot be read", path);
    int ok = 1, room = 0;
    while (ok && fgets(line, sizeof line, file) != NULL) {
        char *end;
        const double load = strtod(line, &end);
        if (end == line || !(load >= 0 && load < 1e6)) {
            line[strcspn(line, "\n")] = '\0';
            ok = cmdline_fail("%s:%d: '%.20s' does not begin with a load",
                              path, h->n + 1, line);
        } else if (h->n == room) {
            room = 2 * room + 1024;
            double *more = realloc(h->load, (size_t)room * sizeof *more);
            ok = more != NULL || cmdline_fail("no memory for a history");
            if (more != NULL)
                h->load = more;
        }
        if (ok)
            h->load[h->n++] = fmin(load / cores, HESCA_LOAD_MOST);
    }
    fclose(file);
    return ok;
}

/* ----- load functions ----- */

/* For all averaging periods of the window: what the next i loads really are on
 * average, against the band of the load functions. */
static void
judge(const hesca_load *load, const double *next, row *x)
{
    double sum = 0;
    for (int i = 1; i <= x->window; ++i) {
        double low, high;
        hesca_load_at(load, i, &low, &high);
        sum += next[i - 1];
        const double real = sum / i, rounding = 1e-12;
        x->hits += low - rounding <= real && real <= high + rounding;
        x->width += high - low;
        if (i == x->window)
            x->last += high - low;
    }
}

/* At moments that are the same for all `past`, one in about half an hour.
 * Returns 0 after a complaint. */
static int
run_past(const history *h, int longest, row *x)
{
    hesca_load *load;
    int err = hesca_load_create(x->past, x->window, 1, 1, &load);
    x->moments = 0;
    x->hits = x->width = x->last = 0;
    for (int t = 0; err == 0 && t + x->window <= h->n; ++t) {
        if (t >= longest && (t - longest) % APART == 0) {
            judge(load, h->load + t, x);
            ++x->moments;
        }
        err = hesca_load_add(load, h->load[t]);
    }
    hesca_load_free(load);
    if (err < 0)
        return cmdline_fail("%s", hesca_error_text());
    x->hits /= (double)x->moments * x->window;
    x->width /= (double)x->moments * x->window;
    x->last /= x->moments;
    return 1;
}

int
show_load(const model_options *o, fields_files *out)
{
    history h = {0, NULL};
    row x = {.source = o->history ? o->history : "made up",
             .window = o->window};
    int longest = 0;
    out->put = put;
    int ok = o->history ? read_history(o->history, o->cores, &h)
                        : make_up(o->seed, &h);
    for (int k = 0; k < o->npast; ++k)
        longest = o->past[k] > longest ? (int)o->past[k] : longest;
    if (ok && h.n < longest + o->window)
        ok = cmdline_fail("%s: %d loads, fewer than the past and the window "
                          "of %d",
                          x.source, h.n, longest + o->window);
    fprintf(out->table, "loads: %s\n\n%7s %7s %10s %10s %11s %11s\n", x.source,
            "past", "window", "hits", "area", "mean width", "at window");
    for (int k = 0; ok && k < o->npast; ++k) {
        x.past = (int)o->past[k];
        if (x.past < x.window)
            continue;
        ok = run_past(&h, longest, &x);
        if (!ok)
            break;
        fprintf(out->table, "%7d %7d %10.4f %10.4g %11.4g %11.4g\n", x.past,
                x.window, x.hits, x.width * x.window, x.width, x.last);
        bench_row(out, &x);
    }
    free(h.load);
    return ok;
}
