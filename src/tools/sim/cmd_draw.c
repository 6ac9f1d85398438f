/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca draw: timing diagrams of traces. */
#include "base/status.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/tools.h"
#include "tools/sim/timeline.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *out, *title;
    int is_receive;
} options;

static void
help(void)
{
    printf("Usage: hesca draw [option]... FILE.csv...\n"
           "Draw when messages were sent: a column for each process, time "
           "downwards, a\n"
           "rectangle for each message.  Files are written by hesca sim "
           "--events, and by\n"
           "programs with HESCA_TRACE=FILE; what they hold is drawn side by "
           "side.\n"
           "Parentheses: defaults.\n"
           "\n"
           "  -o FILE                the picture: SVG, or a page to zoom in "
           "if FILE ends in\n"
           "                         .html (the first file's name with .svg)\n"
           "  --view send|receive    columns are senders or receivers (send)\n"
           "  --title TEXT           headline (the names of the files)\n"
           "  --help                 print this\n"
           "\n"
           "Lines of files: kind,schedule,src,dest,bytes,start,end.  Kind is "
           "predicted or\n"
           "real (measured), src and dest are ranks, bytes is the length of "
           "the message,\n"
           "start and end are seconds.  A line marks the lower bound: the "
           "time that the\n"
           "busiest process needs for its own messages.  Of more than 256 "
           "processes those\n"
           "without messages have no columns.\n"
           "\n"
           "Exit status: 0, or 2 for wrong usage or a file that cannot be "
           "read or written.\n");
}

/* The names of all files, or that of the first one with .svg instead of .csv;
 * free it. */
static char *
join(int n, char **file)
{
    size_t size = 1;
    for (int k = 0; k < n; ++k)
        size += strlen(file[k]) + 2;
    char *text = calloc(1, size);
    for (int k = 0; k < n && text != NULL; ++k) {
        strcat(text, k > 0 ? ", " : "");
        strcat(text, file[k]);
    }
    return text;
}

static char *
name_picture(const char *file)
{
    const size_t n = strlen(file);
    const size_t stem = n > 4 && strcmp(file + n - 4, ".csv") == 0 ? n - 4 : n;
    char *name = malloc(n + 5);
    if (name != NULL) {
        memcpy(name, file, stem);
        strcpy(name + stem, ".svg");
    }
    return name;
}

static int
draw(const options *o, int n, char **file)
{
    hesca_trace trace = {.n = 0};
    timeline t = {.npanels = 0};
    char *title = join(n, file), *out = name_picture(file[0]);
    int err = HESCA_SUCCESS, answer = TOOL_YES;
    if (title == NULL || out == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "names of files"));
    for (int k = 0; k < n; ++k)
        HESCA_TRY(err, hesca_trace_read(file[k], &trace));
    HESCA_TRY(err, timeline_make(&t, &trace,
                                 o->title != NULL ? o->title : title, 0));
    t.is_receive = o->is_receive;
    const char *to = o->out != NULL ? o->out : out;
    answer = timeline_write(&t, to, timeline_is_page(to));
fail:
    timeline_clear(&t);
    hesca_trace_clear(&trace);
    free(title);
    free(out);
    return err < 0 ? complain("%s", hesca_error_text()) : answer;
}

int
draw_main(int argc, char **argv)
{
    static const cmdline_row table[] = {
        {OPT_ANY("output", "FILE", NULL, CMDLINE_TEXT, out), .letter = 'o'},
        OPT_TEXT("title", "TEXT", NULL, title),
        OPT_CHOICE("view", "send|receive", NULL, is_receive)};
    const cmdline line = {"hesca draw", table, 3, help, 0};
    options o = {.out = NULL};
    int first;
    const int status =
        cmdline_status(cmdline_read(&line, argc, argv, &o, &first));
    if (status >= 0)
        return status;
    if (first == argc)
        return complain("draw needs a file; see hesca draw --help");
    return draw(&o, argc - first, argv + first);
}
