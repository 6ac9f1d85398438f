/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of hesca partition, as text and as rows. */
#include "tools/partition/partition.h"
#include <math.h>
#include <string.h>

/* ------------------------------------------------ rows
 * All rows have the same fields; those of the object come last. */

/* A row: a processor and its partition. */
typedef struct {
    const partition_state *s;
    const partition_kind *kind;
    int i;
} row;

static void
put(fields *f, const void *of)
{
    const row *r = of;
    const partition_state *s = r->s;
    const partition_share *x = &s->share[r->i];
    const double limit = hesca_speed_limit(s->q.model[r->i]);
    fields_text(f, "object", partition_object_name[s->o->object]);
    fields_count(f, "elements", s->elements);
    fields_exact(f, "total_size", s->total);
    fields_int(f, "processors", s->q.p);
    fields_int(f, "processor", r->i);
    fields_text(f, "name", s->q.name[r->i]);
    fields_count(f, "count", x->count);
    fields_exact(f, "size", x->size);
    fields_exact(f, "share", s->total > 0 ? x->size / s->total : NAN);
    fields_exact(f, "speed", x->speed);
    fields_exact(f, "time", x->time);
    fields_exact(f, "limit", limit);
    fields_int(f, "is_full", (double)x->count + 1 > limit);
    fields_exact(f, "longest_time", s->time);
    fields_exact(f, "ideal_time", s->ideal);
    fields_exact(f, "ratio", s->ideal > 0 ? s->time / s->ideal : NAN);
    fields_int(f, "is_exact", s->is_exact);
    fields_exact(f, "equal_time", s->equal);
    fields_exact(f, "single_time", s->single);
    r->kind->put(f, s, r->i);
}

int
partition_open(partition_state *s)
{
    const partition_options *o = s->o;
    if (!fields_open(&s->out, o->csv, o->json, put))
        return 0;
    if ((o->svg != NULL && strcmp(o->svg, "-") == 0) ||
        (o->out != NULL && strcmp(o->out, "-") == 0))
        s->out.table = stderr;
    return 1;
}

static void
put_rows(partition_state *s, const partition_kind *kind)
{
    for (int i = 0; i < s->q.p; ++i) {
        const row r = {s, kind, i};
        if (i == 0)
            fields_head(&s->out, &r);
        fields_row(&s->out, &r);
    }
}

/* ------------------------------------------------ text
 * The table has a line for each processor. */

const char *
partition_number(double value, char text[32])
{
    snprintf(text, 32, isfinite(value) ? "%.6g" : "-", value);
    return text;
}

static int
name_width(const partition_state *s)
{
    size_t most = strlen("processor");
    for (int i = 0; i < s->q.p; ++i) {
        const size_t n = strlen(s->q.name[i]);
        most = n > most ? n : most;
    }
    return (int)most;
}

static void
print_share(const partition_state *s, const partition_kind *kind, int i,
            int width)
{
    FILE *f = s->out.table;
    const partition_share *x = &s->share[i];
    const double limit = hesca_speed_limit(s->q.model[i]);
    char text[32];
    fprintf(f, "%-*s %13lld", width, s->q.name[i], (long long)x->count);
    if (s->is_weighted)
        fprintf(f, " %13.0f", x->size);
    fprintf(f, " %7.3f", s->total > 0 ? 100 * x->size / s->total : 0);
    fprintf(f, " %11s", partition_number(x->speed, text));
    fprintf(f, " %11s", partition_number(x->time, text));
    kind->print_columns(s, i, f);
    if (isfinite(limit))
        fprintf(f, "  %s %.0f",
                (double)x->count + 1 > limit ? "at its limit," : "limit",
                floor(limit));
    fputc('\n', f);
}

static void
print_other(FILE *f, const char *what, double time, double of)
{
    if (isnan(time))
        return;
    if (isinf(time))
        fprintf(f, "  %-32s exceed limits\n", what);
    else
        fprintf(f, "  %-32s %11.6g  %.3f times as long\n", what, time,
                of > 0 ? time / of : 1);
}

static void
print_times(const partition_state *s)
{
    FILE *f = s->out.table;
    fprintf(f, "longest time %.6g, ideal %.6g, ratio %.6f%s\n", s->time,
            s->ideal, s->ideal > 0 ? s->time / s->ideal : 1,
            s->is_exact ? ": no partition takes less" : "");
    print_other(f, "equal shares", s->equal, s->time);
    print_other(f, "constant speeds, of equal shares", s->single, s->time);
}

static void
print_table(const partition_state *s, const partition_kind *kind)
{
    FILE *f = s->out.table;
    const int width = name_width(s);
    fprintf(f, "%s, %d processor%s, %s\n", s->heading, s->q.p,
            s->q.p == 1 ? "" : "s", s->q.source);
    fprintf(f, "%-*s %13s%s %7s %11s %11s", width, "processor", "elements",
            s->is_weighted ? "        weight" : "", "%", "speed there",
            "time");
    kind->print_head(s, f);
    fputc('\n', f);
    for (int i = 0; i < s->q.p; ++i)
        print_share(s, kind, i, width);
    print_times(s);
    kind->print_more(s, f);
}

void
partition_print(partition_state *s, const partition_kind *kind)
{
    print_table(s, kind);
    put_rows(s, kind);
}
