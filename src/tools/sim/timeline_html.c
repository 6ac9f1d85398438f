/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing diagrams as a page: page.html with the messages in it. */
#include "tools/lib/svg.h"
#include "tools/sim/timeline.h"
#include <string.h>

/* The lines of page.html. */
static const char *const page[] = {
#include "tools/sim/page.inc"
};

/* Names of schedules and kinds have no characters that JSON or HTML would
 * require to be quoted. */
static void
put_panel(const timeline *t, const timeline_panel *p, FILE *file)
{
    fprintf(file,
            "{\"schedule\": \"%s\", \"kind\": \"%s\", \"finish\": %.9g, "
            "\"bound\": %.9g, \"messages\": [",
            p->schedule, hesca_trace_kind_name[p->kind], p->finish, p->bound);
    for (int64_t k = 0; k < p->n; ++k) {
        const hesca_trace_row *m = &t->trace->row[t->order[p->first + k]];
        fprintf(file, "%s\n[%d,%d,%.0f,%.9g,%.9g]", k > 0 ? "," : "", m->src,
                m->dest, m->bytes, m->start, m->end);
    }
    fputs("]}", file);
}

static void
put_data(const timeline *t, FILE *file)
{
    fputs("{\"ranks\": [", file);
    for (int k = 0; k < t->ncolumns; ++k)
        fprintf(file, "%s%d", k > 0 ? "," : "", t->rank[k]);
    fprintf(file, "], \"end\": %.9g, \"panels\": [", t->end);
    for (int i = 0; i < t->npanels; ++i) {
        fputs(i > 0 ? ",\n" : "\n", file);
        put_panel(t, &t->panel[i], file);
    }
    fputs("]}\n", file);
}

void
timeline_html(const timeline *t, FILE *file)
{
    for (size_t k = 0; k < sizeof page / sizeof *page; ++k)
        if (strcmp(page[k], "@HEADING@\n") == 0)
            svg_escape(file, t->heading);
        else if (strcmp(page[k], "@DATA@\n") == 0)
            put_data(t, file);
        else
            fputs(page[k], file);
}
