/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/sim/timeline.h"
#include "base/status.h"
#include "tools/lib/tools.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------ making
 * Ranks are sorted, so columns are found by bisection; every message has a
 * panel. */

static int
belongs(const timeline_panel *p, const hesca_trace_row *row)
{
    return p->kind == row->kind && strcmp(p->schedule, row->schedule) == 0;
}

/* Panels in the order in which they begin in the trace. */
static int
find_panels(timeline *t)
{
    for (int64_t k = 0; k < t->trace->n; ++k) {
        const hesca_trace_row *row = &t->trace->row[k];
        const int last = row->src > row->dest ? row->src : row->dest;
        int i = 0;
        while (i < t->npanels && !belongs(&t->panel[i], row))
            ++i;
        if (i == TIMELINE_PANELS)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "more than %d schedules cannot be drawn beside "
                              "each other: choose fewer",
                              TIMELINE_PANELS);
        timeline_panel *p = &t->panel[i];
        if (i == t->npanels) {
            p->kind = row->kind;
            p->schedule = row->schedule;
            ++t->npanels;
        }
        ++p->n;
        p->finish = row->end > p->finish ? row->end : p->finish;
        t->nprocs = last >= t->nprocs ? last + 1 : t->nprocs;
    }
    return HESCA_SUCCESS;
}

static void
fill_order(timeline *t)
{
    int64_t at = 0;
    for (int i = 0; i < t->npanels; ++i) {
        t->panel[i].first = at;
        for (int64_t k = 0; k < t->trace->n; ++k)
            if (belongs(&t->panel[i], &t->trace->row[k]))
                t->order[at++] = k;
    }
}

static int
ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

static int
fill_columns(timeline *t)
{
    const size_t all = 2 * (size_t)t->trace->n + TIMELINE_ALL;
    t->rank = malloc(all * sizeof *t->rank);
    if (t->rank == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "columns of a timing diagram");
    if (t->nprocs <= TIMELINE_ALL) {
        while (t->ncolumns < t->nprocs) {
            t->rank[t->ncolumns] = t->ncolumns;
            ++t->ncolumns;
        }
        return HESCA_SUCCESS;
    }
    const size_t n = 2 * (size_t)t->trace->n;
    for (size_t k = 0; k < n; ++k) {
        const hesca_trace_row *row = &t->trace->row[k / 2];
        t->rank[k] = k % 2 == 0 ? row->src : row->dest;
    }
    qsort(t->rank, n, sizeof *t->rank, ascending);
    for (size_t k = 0; k < n; ++k)
        if (k == 0 || t->rank[k] != t->rank[t->ncolumns - 1])
            t->rank[t->ncolumns++] = t->rank[k];
    return HESCA_SUCCESS;
}

int
timeline_column(const timeline *t, int rank)
{
    const int *at = bsearch(&rank, t->rank, (size_t)t->ncolumns,
                            sizeof *t->rank, ascending);
    return (int)(at - t->rank);
}

/* When a process sends, or receives. */
typedef struct {
    int port; /* 2 r: process r sends; 2 r + 1: it receives */
    double start, end;
} span;

static int
compare(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->port != y->port)
        return x->port < y->port ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* No order of the messages of a panel ends before its busiest process can.
 * The time of overlapping messages counts once. */
static double
busiest(const timeline *t, const timeline_panel *p, span *list)
{
    double most = 0, busy = 0, until = 0;
    for (int64_t k = 0; k < p->n; ++k) {
        const hesca_trace_row *row = &t->trace->row[t->order[p->first + k]];
        list[2 * k] = (span){2 * row->src, row->start, row->end};
        list[2 * k + 1] = (span){2 * row->dest + 1, row->start, row->end};
    }
    qsort(list, 2 * (size_t)p->n, sizeof *list, compare);
    for (int64_t k = 0; k < 2 * p->n; ++k) {
        const span *x = &list[k];
        if (k == 0 || x->port != x[-1].port)
            busy = until = 0;
        const double start = x->start > until ? x->start : until;
        if (x->end > start) {
            busy += x->end - start;
            until = x->end;
        }
        most = busy > most ? busy : most;
    }
    return most < p->finish ? most : p->finish; /* except for rounding */
}

int
timeline_make(timeline *t, const hesca_trace *trace, const char *heading,
              double bound)
{
    /* All times can be divided by the end, and the end by the size of
     * pictures. */
    static const double least_end = 1e-290;
    span *list = NULL;
    int err;
    *t = (timeline){.trace = trace, .heading = heading, .end = least_end};
    if (trace->n == 0 || trace->n > TIMELINE_MOST)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "a picture has 1 to %d messages, not %lld",
                          TIMELINE_MOST, (long long)trace->n);
    HESCA_TRY(err, find_panels(t));
    HESCA_TRY(err, fill_columns(t));
    t->order = malloc((size_t)trace->n * sizeof *t->order);
    list = malloc(2 * (size_t)trace->n * sizeof *list);
    if (t->order == NULL || list == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "a timing diagram"));
    fill_order(t);
    for (int i = 0; i < t->npanels; ++i) {
        timeline_panel *p = &t->panel[i];
        p->bound = bound > 0 ? bound : busiest(t, p, list);
        t->end = p->finish > t->end ? p->finish : t->end;
        t->end = p->bound > t->end ? p->bound : t->end;
    }
fail:
    free(list);
    if (err < 0)
        timeline_clear(t);
    return err;
}

void
timeline_clear(timeline *t)
{
    free(t->order);
    free(t->rank);
    memset(t, 0, sizeof *t);
}

/* ------------------------------------------------ writing
 * A file that cannot be written is reported here. */

static int
ends_in(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

int
timeline_is_page(const char *path)
{
    return ends_in(path, ".html") || ends_in(path, ".htm");
}

int
timeline_write(const timeline *t, const char *path, int is_page)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return complain("'%s' cannot be written: %s", path, strerror(errno));
    if (is_page)
        timeline_html(t, file);
    else
        timeline_svg(t, file);
    const int bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return complain("'%s' cannot be written", path);
    return TOOL_YES;
}
